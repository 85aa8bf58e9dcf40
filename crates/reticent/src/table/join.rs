//! Several tables of the same persons as one, and back.
//!
//! A table of persons and a table of what they wrote, joined by the identifier, are the natural join of the
//! paper: a row for each post, with what is known of its author. Where several tables have several rows for a
//! person, their rows are put side by side and the last of the shorter is repeated, instead of each with each:
//! persons are compared by the *set* of their values in a column, which is the same, and the table stays as
//! small as its parts.
//!
//! A person whom a table does not have has missing values there, which are a group of their own. A row without
//! an identifier is refused: nobody could tell whose it is.

use std::collections::HashMap;

use super::{Column, Table, order};
use crate::{Error, ErrorKind};

/// Tables that were joined by the identifier, and the way back.
///
/// ```
/// use reticent::table::{Format, Joined, ReadOptions, read};
/// let options = ReadOptions::new(Format::Csv);
/// let (persons, _) = read(b"id,age\n1,36\n2,24\n", &options)?;
/// let (posts, _) = read(b"id,text\n1,Hello.\n1,Again.\n", &options)?;
/// let joined = Joined::new(&[persons, posts], "id")?;
/// let table = joined.table();
/// assert_eq!(table.rows(), 3);
/// assert_eq!(table.column("age").unwrap().get(1), Some("36"));
/// assert_eq!(table.column("text").unwrap().get(2), None);
/// let parts = joined.split(table)?;
/// assert_eq!(parts[0].rows(), 2);
/// # Ok::<(), reticent::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Joined {
    table: Table,
    parts: Vec<Part>,
}

/// One of the tables.
#[derive(Clone, Debug)]
struct Part {
    /// Its columns, in their order.
    columns: Vec<String>,
    rows: usize,
    /// Which of its rows each row of the whole has.
    origins: Vec<Option<u32>>,
}

impl Joined {
    /// Joins tables by the column `identifier`, which each must have. No other column may be in two of them.
    pub fn new(tables: &[Table], identifier: &str) -> Result<Self, Error> {
        check_names(tables, identifier)?;
        // Persons in the order in which the tables name them first, with their rows in each.
        let mut persons: Vec<Vec<Vec<u32>>> = Vec::new();
        let mut known: HashMap<&str, usize> = HashMap::new();
        for (at, table) in tables.iter().enumerate() {
            let Some(column) = table.column(identifier) else { return Err(no_identifier(at, identifier)) };
            for row in 0..table.rows() {
                let Some(id) = column.get(row) else {
                    let what = format!(
                        "table {}, row {}, column `{identifier}`: the identifier is missing, so the row cannot be assigned to a person",
                        at + 1,
                        row + 1
                    );
                    return Err(Error::new(ErrorKind::Schema, what));
                };
                let person = *known.entry(id).or_insert_with(|| {
                    persons.push(vec![Vec::new(); tables.len()]);
                    persons.len() - 1
                });
                persons[person][at].push(u32::try_from(row).map_err(|_| too_many())?);
            }
        }
        let mut parts: Vec<Part> = tables.iter().map(Part::new).collect();
        for person in &persons {
            let most = person.iter().map(Vec::len).max().unwrap_or_default();
            for (part, rows) in parts.iter_mut().zip(person) {
                let repeated = (0..most).map(|row| rows.get(row).or(rows.last()).copied());
                part.origins.extend(repeated);
            }
        }
        let mut columns = Vec::new();
        for (table, part) in tables.iter().zip(&parts) {
            let own = table.columns().iter().filter(|column| column.name() != identifier);
            columns.extend(own.map(|column| part.gather(column)));
        }
        let ids = identifiers(tables, &parts, identifier);
        columns.insert(0, ids);
        let table = Table::new(columns).ok_or_else(does_not_fit)?;
        Ok(Self { table, parts })
    }

    /// All tables as one. The identifier is its first column.
    pub fn table(&self) -> &Table {
        &self.table
    }

    /// A changed table taken apart again, each part with its own rows in their order, and with those of its columns
    /// that the changed table still has. The changed table must have the same rows in the same order.
    pub fn split(&self, changed: &Table) -> Result<Vec<Table>, Error> {
        if changed.rows() != self.table.rows() {
            return Err(does_not_fit());
        }
        self.parts.iter().map(|part| part.take(changed)).collect()
    }

    /// A released table taken apart, its persons numbered and its rows ordered by what they say, so that neither tells
    /// the order of the original. `numbers` is the column that numbers persons, if one does.
    pub fn split_sorted(&self, released: &Table, numbers: Option<&str>) -> Result<Vec<Table>, Error> {
        let Some(name) = numbers else {
            let parts = self.split(released)?;
            return Ok(parts.into_iter().map(|part| in_order(part, None)).collect());
        };
        let persons = released.column(name).ok_or_else(does_not_fit)?;
        let persons: Option<Vec<u32>> = (0..persons.len()).map(|row| persons.code(row)).collect();
        let persons = persons.ok_or_else(does_not_fit)?;
        let (sorted, former) = order::renumbered(released.clone(), name, &persons);
        let mut place = vec![0; former.len()];
        former.iter().enumerate().for_each(|(new, old)| place[*old] = new);
        let parts = self.split(&sorted.into_rows(&place))?;
        Ok(parts.into_iter().map(|part| in_order(part, Some(name))).collect())
    }
}

/// A table with its rows in the order of what they say.
fn in_order(table: Table, numbers: Option<&str>) -> Table {
    let rows = order::sorted(&table, numbers);
    table.into_rows(&rows)
}

impl Part {
    fn new(table: &Table) -> Self {
        let columns = table.columns().iter().map(|column| column.name().to_owned()).collect();
        Self { columns, rows: table.rows(), origins: Vec::new() }
    }

    /// A column of this table as a column of the whole.
    fn gather(&self, column: &Column) -> Column {
        column.rows(self.origins.iter().map(|origin| origin.map(|row| row as usize)))
    }

    /// Its rows of a changed table.
    fn take(&self, changed: &Table) -> Result<Table, Error> {
        let mut places: Vec<Option<usize>> = vec![None; self.rows];
        let own: Vec<&Column> = self.columns.iter().filter_map(|name| changed.column(name)).collect();
        for (place, origin) in self.origins.iter().enumerate() {
            let Some(row) = origin else { continue };
            let known = places.get_mut(*row as usize).ok_or_else(does_not_fit)?;
            match *known {
                None => *known = Some(place),
                // The same row, repeated beside another table's: it must say the same everywhere.
                Some(first) => {
                    if own.iter().any(|column| column.code(first) != column.code(place)) {
                        return Err(Error::new(
                            ErrorKind::Schema,
                            "rows of one person in a table differ after joint anonymization",
                        ));
                    }
                }
            }
        }
        if places.iter().any(Option::is_none) {
            return Err(does_not_fit());
        }
        let columns = own.into_iter().map(|column| column.rows(places.iter().copied()));
        Table::new(columns.collect()).ok_or_else(does_not_fit)
    }
}

/// The identifier of each row of the whole, from whichever table has the person.
fn identifiers(tables: &[Table], parts: &[Part], identifier: &str) -> Column {
    let columns: Vec<Option<&Column>> = tables.iter().map(|table| table.column(identifier)).collect();
    let rows = parts.first().map_or(0, |part| part.origins.len());
    let mut ids = super::ColumnBuilder::new(identifier);
    for row in 0..rows {
        let named = parts.iter().zip(&columns).find_map(|(part, column)| {
            let origin = part.origins[row]?;
            column.as_ref()?.get(origin as usize)
        });
        ids.push(named);
    }
    ids.finish()
}

fn check_names(tables: &[Table], identifier: &str) -> Result<(), Error> {
    if tables.is_empty() {
        return Err(Error::new(ErrorKind::Schema, "no table was given"));
    }
    let mut seen: HashMap<&str, usize> = HashMap::new();
    for (at, table) in (1..).zip(tables) {
        for column in table.columns().iter().filter(|column| column.name() != identifier) {
            if let Some(before) = seen.insert(column.name(), at) {
                let what = format!("the column `{}` occurs in tables {before} and {at}", column.name());
                return Err(Error::new(ErrorKind::Schema, what)
                    .with_hint("tables are joined by the identifier only: rename one of the columns"));
            }
        }
    }
    Ok(())
}

fn no_identifier(at: usize, identifier: &str) -> Error {
    Error::new(ErrorKind::Schema, format!("table {} has no column `{identifier}`", at + 1))
        .with_hint("tables are joined by the first identifier of the schema, which every table must have")
}

fn does_not_fit() -> Error {
    Error::new(ErrorKind::Schema, "the anonymized table does not have the rows of the joined table")
}

fn too_many() -> Error {
    Error::new(ErrorKind::Schema, "too many rows to join")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::{Format, ReadOptions, Source, read, write};
    use proptest::prelude::*;

    fn table(csv: &str) -> Table {
        read(csv.as_bytes(), &ReadOptions::new(Format::Csv)).unwrap().0
    }

    fn csv(table: &Table) -> String {
        String::from_utf8(write(table, &Source::plain(Format::Csv)).unwrap()).unwrap()
    }

    #[test]
    fn joins_as_the_paper_does() {
        let tables = [table("id,age\n1,36\n2,24\n3,37\n"), table("id,text\n2,b\n1,a\n2,c\n9,z\n")];
        let joined = Joined::new(&tables, "id").unwrap();
        assert_eq!(csv(joined.table()), "id,age,text\n1,36,a\n2,24,b\n2,24,c\n3,37,\n9,,z\n");
        let parts = joined.split(joined.table()).unwrap();
        assert_eq!([csv(&parts[0]), csv(&parts[1])], [csv(&tables[0]), csv(&tables[1])]);
    }

    #[test]
    fn sets_stay_sets_with_a_third_table() {
        let tables =
            [table("id,age\n1,36\n"), table("id,text\n1,a\n1,b\n1,c\n"), table("id,visit\n1,x\n1,y\n")];
        let joined = Joined::new(&tables, "id").unwrap();
        assert_eq!(csv(joined.table()), "id,age,text,visit\n1,36,a,x\n1,36,b,y\n1,36,c,y\n");
    }

    #[test]
    fn an_identifier_that_was_removed_stays_away() {
        let tables = [table("id,age\n1,36\n"), table("id,text\n1,a\n")];
        let joined = Joined::new(&tables, "id").unwrap();
        let without = Table::new(joined.table().columns()[1..].to_vec()).unwrap();
        let parts = joined.split(&without).unwrap();
        assert_eq!([csv(&parts[0]), csv(&parts[1])], ["age\n36\n", "text\na\n"]);
    }

    #[test]
    fn refuses_what_cannot_be_joined() {
        let persons = "id,age\n1,36\n";
        for (other, expected) in [
            ("who,text\n1,a\n", "table 2 has no column `id`"),
            ("id,age\n1,36\n", "the column `age` occurs in tables 1 and 2"),
            (
                "id,text\n1,a\n,b\n",
                "table 2, row 2, column `id`: the identifier is missing, so the row cannot be assigned to a person",
            ),
        ] {
            let error = Joined::new(&[table(persons), table(other)], "id").unwrap_err();
            assert_eq!(error.to_string(), expected);
        }
        let joined = Joined::new(&[table(persons), table("id,text\n1,a\n1,b\n")], "id").unwrap();
        assert!(joined.split(&table("id,age,text\n1,36,a\n")).is_err());
        // Two rows of the whole are one row of the persons' table.
        let error = joined.split(&table("id,age,text\n1,36,a\n1,37,b\n")).unwrap_err();
        assert!(error.to_string().contains("differ after joint"), "{error}");
    }

    proptest! {
        #[test]
        fn whatever_is_joined_comes_apart(
            a in prop::collection::vec(0..5u8, 1..12),
            b in prop::collection::vec(0..5u8, 1..12),
        ) {
            let rows = |name: &str, ids: &[u8]| {
                let lines: Vec<String> = ids.iter().enumerate().map(|(at, id)| format!("{id},{at}\n")).collect();
                format!("id,{name}\n{}", lines.concat())
            };
            let tables = [table(&rows("a", &a)), table(&rows("b", &b))];
            let joined = Joined::new(&tables, "id").unwrap();
            prop_assert!(joined.table().rows() <= a.len() + b.len());
            let parts = joined.split(joined.table()).unwrap();
            prop_assert_eq!([csv(&parts[0]), csv(&parts[1])], [csv(&tables[0]), csv(&tables[1])]);
        }
    }
}
