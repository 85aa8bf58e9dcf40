//! The order of released rows, and the numbers of released persons.
//!
//! Rows in their old order tell who is who to anyone who knows that order: a list of patients by the day of their
//! first visit, say. Released rows are therefore sorted by what they say. Such an order follows from the released
//! values alone, so that it tells nothing besides; unlike a shuffle it needs no secret, and the same table comes out
//! the same.

use rayon::prelude::*;

use super::{ColumnBuilder, Table};

/// The order of released rows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RowOrder {
    /// Sorted by what is released, with the rows of a person together where a number names persons.
    #[default]
    Sorted,
    /// As in the original, which may tell who is who.
    Kept,
}

/// The place of each row's content among all, in order: equal for rows that say the same in every column but `except`.
fn ranks(table: &Table, except: Option<&str>) -> Vec<u32> {
    let columns: Vec<(&super::Column, Vec<u32>)> = table
        .columns()
        .iter()
        .filter(|column| Some(column.name()) != except)
        .map(|column| {
            let mut order: Vec<u32> = (0..).take(column.distinct().len()).collect();
            order.par_sort_unstable_by(|a, b| {
                column.distinct()[*a as usize].cmp(&column.distinct()[*b as usize])
            });
            let mut rank = vec![0; order.len()];
            (1..).zip(&order).for_each(|(place, code)| rank[*code as usize] = place);
            (column, rank)
        })
        .collect();
    let key = |row: usize| {
        columns.iter().map(move |(column, rank)| column.code(row).map_or(0, |code| rank[code as usize]))
    };
    let mut rows: Vec<usize> = (0..table.rows()).collect();
    rows.par_sort_unstable_by(|a, b| key(*a).cmp(key(*b)));
    let mut ranks = vec![0; rows.len()];
    let mut next = 0;
    for (at, row) in rows.iter().enumerate() {
        next += u32::from(at > 0 && key(rows[at - 1]).ne(key(*row)));
        ranks[*row] = next;
    }
    ranks
}

/// Sorts the rows of a table in which `identifier` numbers persons, and numbers these anew in their new order: first
/// who says the least in the order of the columns. `person` is the person of each row. Returns the table, and the
/// former place of each row.
pub(super) fn renumbered(table: Table, identifier: &str, person: &[u32]) -> (Table, Vec<usize>) {
    let ranks = ranks(&table, Some(identifier));
    let count = person.iter().max().map_or(0, |last| *last as usize + 1);
    let mut rows_of: Vec<Vec<usize>> = vec![Vec::new(); count];
    for (row, person) in person.iter().enumerate() {
        rows_of[*person as usize].push(row);
    }
    rows_of.retain(|rows| !rows.is_empty());
    rows_of.par_iter_mut().for_each(|rows| rows.sort_unstable_by_key(|row| (ranks[*row], *row)));
    // Who say the same in all their rows are the same to everyone, whichever comes first.
    let said = |rows: &Vec<usize>| rows.iter().map(|row| ranks[*row]).collect::<Vec<u32>>();
    rows_of.par_sort_by_cached_key(said);
    let order: Vec<usize> = rows_of.iter().flatten().copied().collect();
    let mut numbers = ColumnBuilder::new(identifier);
    for (number, rows) in (1..).zip(&rows_of) {
        let number: usize = number;
        for _ in rows {
            numbers.push(Some(&number.to_string()));
        }
    }
    (table.into_rows(&order).with_column(numbers.finish()), order)
}

/// The rows of a table in the order of what they say; numbers of persons count as numbers, and come first.
pub(super) fn sorted(table: &Table, numbers: Option<&str>) -> Vec<usize> {
    let ranks = ranks(table, numbers);
    let numbers = numbers.and_then(|name| table.column(name));
    let number = |row: usize| -> u64 {
        let text = numbers.and_then(|column| column.get(row));
        text.and_then(|text| text.parse().ok()).unwrap_or(u64::MAX)
    };
    let mut rows: Vec<usize> = (0..table.rows()).collect();
    rows.par_sort_by_key(|row| (number(*row), ranks[*row]));
    rows
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
    fn persons_are_numbered_by_what_they_say() {
        let table = table("id,a,b\n7,y,1\n8,x,2\n7,x,1\n9,x,1\n");
        let (sorted, order) = renumbered(table, "id", &[0, 1, 0, 2]);
        assert_eq!(csv(&sorted), "id,a,b\n1,x,1\n2,x,1\n2,y,1\n3,x,2\n");
        assert_eq!(order, [3, 2, 0, 1]);
    }

    proptest! {
        /// However the rows stood before, they are released in one order, and with the same numbers.
        #[test]
        fn the_old_order_is_gone(rows in prop::collection::vec((0u32..6, "[ab]", "[xy]?"), 1..20), seed in any::<u64>()) {
            let mut other = rows.clone();
            let mut state = seed;
            for at in (1..other.len()).rev() {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                other.swap(at, (state >> 33) as usize % (at + 1));
            }
            let made = |rows: &[(u32, String, String)]| {
                let lines: Vec<String> = rows.iter().map(|(id, a, b)| format!("{id},{a},{b}\n")).collect();
                let lines = lines.concat();
                let table = table(&format!("id,a,b\n{lines}"));
                // Persons by their first rows, as they are numbered in a table.
                let mut known: Vec<u32> = Vec::new();
                let person: Vec<u32> = rows.iter().map(|(id, ..)| {
                    let at = known.iter().position(|other| other == id).unwrap_or_else(|| { known.push(*id); known.len() - 1 });
                    u32::try_from(at).unwrap()
                }).collect();
                let renumbered = csv(&renumbered(table.clone(), "id", &person).0);
                let rows = sorted(&table, None);
                (renumbered, csv(&table.select(&rows)))
            };
            prop_assert_eq!(made(&rows), made(&other));
        }
    }
}
