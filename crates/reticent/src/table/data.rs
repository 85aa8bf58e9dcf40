//! A table in memory: columns of interned values.

use std::hash::{BuildHasher, RandomState};

use hashbrown::HashTable;

/// Values by their place in the column's dictionary, and what is missing.
const MISSING: u32 = u32::MAX;

/// One column: each distinct value once, and which of them each row has. A missing value is no value.
///
/// ```
/// use reticent::table::ColumnBuilder;
/// let mut column = ColumnBuilder::new("sex");
/// for value in [Some("f"), None, Some("m"), Some("f")] {
///     column.push(value);
/// }
/// let column = column.finish();
/// assert_eq!(column.get(3), Some("f"));
/// assert_eq!(column.code(3), column.code(0));
/// assert_eq!(column.get(1), None);
/// assert_eq!(column.distinct(), ["f", "m"].map(Box::from));
/// ```
#[derive(Clone)]
pub struct Column {
    name: String,
    distinct: Vec<Box<str>>,
    codes: Vec<u32>,
}

impl Column {
    /// Returns the name of the column.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the number of rows.
    pub fn len(&self) -> usize {
        self.codes.len()
    }

    /// Returns whether it has no rows.
    pub fn is_empty(&self) -> bool {
        self.codes.is_empty()
    }

    /// The value of a row; `None` where it is missing.
    pub fn get(&self, row: usize) -> Option<&str> {
        self.code(row).map(|code| &*self.distinct[code as usize])
    }

    /// The value of a row as its place in [`distinct`](Self::distinct).
    pub fn code(&self, row: usize) -> Option<u32> {
        Some(self.codes[row]).filter(|&code| code != MISSING)
    }

    /// Each value once, in the order of their first rows.
    pub fn distinct(&self) -> &[Box<str>] {
        &self.distinct
    }

    /// Returns the number of rows without a value.
    pub fn missing(&self) -> usize {
        self.codes.iter().filter(|&&code| code == MISSING).count()
    }

    /// The first row with the value at that place of [`distinct`](Self::distinct).
    pub fn first_row(&self, code: u32) -> Option<usize> {
        self.codes.iter().position(|&own| own == code)
    }

    /// These rows of it, in this order; `None` is a row without a value.
    ///
    /// # Panics
    /// If it has no such row.
    #[must_use]
    pub fn rows(&self, rows: impl Iterator<Item = Option<usize>>) -> Self {
        let mut places = vec![MISSING; self.distinct.len()];
        let mut taken = Self { name: self.name.clone(), distinct: Vec::new(), codes: Vec::new() };
        for row in rows {
            let code = row.map_or(MISSING, |row| self.codes[row]);
            if code != MISSING && places[code as usize] == MISSING {
                // No larger than the code itself, which is none of a missing value.
                places[code as usize] = u32::try_from(taken.distinct.len()).unwrap_or(MISSING);
                taken.distinct.push(self.distinct[code as usize].clone());
            }
            taken.codes.push(if code == MISSING { MISSING } else { places[code as usize] });
        }
        taken
    }
}

impl Column {
    /// These rows of it, in this order, without copying a value.
    fn into_rows(self, rows: &[usize]) -> Self {
        let mut distinct: Vec<Option<Box<str>>> = self.distinct.into_iter().map(Some).collect();
        let mut places = vec![MISSING; distinct.len()];
        let mut taken = Self { name: self.name, distinct: Vec::new(), codes: Vec::with_capacity(rows.len()) };
        for row in rows {
            let code = self.codes[*row];
            if code == MISSING {
                taken.codes.push(MISSING);
                continue;
            }
            if let Some(value) = distinct[code as usize].take() {
                // No larger than the code itself, which is none of a missing value.
                places[code as usize] = u32::try_from(taken.distinct.len()).unwrap_or(MISSING);
                taken.distinct.push(value);
            }
            taken.codes.push(places[code as usize]);
        }
        taken
    }
}

/// A column that is being filled. Values are looked up by their places, so that each is kept once.
pub struct ColumnBuilder {
    column: Column,
    known: HashTable<u32>,
    hasher: RandomState,
}

impl ColumnBuilder {
    /// An empty column.
    pub fn new(name: impl Into<String>) -> Self {
        let column = Column { name: name.into(), distinct: Vec::new(), codes: Vec::new() };
        Self { column, known: HashTable::new(), hasher: RandomState::new() }
    }

    /// The value of the next row.
    ///
    /// # Panics
    /// If there are more than four thousand million different values.
    pub fn push(&mut self, value: Option<&str>) {
        let Some(value) = value else { return self.column.codes.push(MISSING) };
        let code = self.code(value);
        self.column.codes.push(code);
    }

    /// The same value as in the row before; missing if there is none.
    pub fn repeat(&mut self) {
        let last = self.column.codes.last().copied().unwrap_or(MISSING);
        self.column.codes.push(last);
    }

    /// Returns the number of rows so far.
    pub fn len(&self) -> usize {
        self.column.codes.len()
    }

    /// Returns whether it has no rows yet.
    pub fn is_empty(&self) -> bool {
        self.column.codes.is_empty()
    }

    /// The column.
    pub fn finish(mut self) -> Column {
        self.column.distinct.shrink_to_fit();
        self.column.codes.shrink_to_fit();
        self.column
    }

    fn code(&mut self, value: &str) -> u32 {
        let (distinct, hasher) = (&mut self.column.distinct, &self.hasher);
        let hash = hasher.hash_one(value);
        if let Some(code) = self.known.find(hash, |&code| *distinct[code as usize] == *value) {
            return *code;
        }
        let code = u32::try_from(distinct.len()).ok().filter(|&code| code != MISSING);
        let code = code.expect("fewer distinct values than a u32 counts");
        distinct.push(value.into());
        self.known.insert_unique(hash, code, |&code| hasher.hash_one(&*distinct[code as usize]));
        code
    }
}

/// A table: columns of one length, in their order. Its rows are what the file had; how the file was
/// written is kept by whoever read it.
#[derive(Clone)]
pub struct Table {
    columns: Vec<Column>,
}

impl Table {
    /// A table of these columns; `None` if they differ in length or two have one name.
    pub fn new(columns: Vec<Column>) -> Option<Self> {
        let rows = columns.first().map_or(0, Column::len);
        let alike = columns.iter().all(|column| column.len() == rows);
        let mut names = columns.iter().map(Column::name).collect::<Vec<_>>();
        names.sort_unstable();
        (alike && names.windows(2).all(|pair| pair[0] != pair[1])).then_some(Self { columns })
    }

    /// Returns the number of rows.
    pub fn rows(&self) -> usize {
        self.columns.first().map_or(0, Column::len)
    }

    /// Its columns, in their order.
    pub fn columns(&self) -> &[Column] {
        &self.columns
    }

    /// These rows of it, in this order.
    ///
    /// # Panics
    /// If it has no such row.
    #[must_use]
    pub fn select(&self, rows: &[usize]) -> Self {
        let columns = self.columns.iter().map(|column| column.rows(rows.iter().map(|row| Some(*row))));
        Self { columns: columns.collect() }
    }

    /// The same, without copying a value.
    pub(crate) fn into_rows(self, rows: &[usize]) -> Self {
        Self { columns: self.columns.into_iter().map(|column| column.into_rows(rows)).collect() }
    }

    /// The same table with another column in the place of the one of that name, if it has as many rows.
    pub(crate) fn with_column(mut self, column: Column) -> Self {
        let rows = self.rows();
        let place = self.columns.iter_mut().find(|own| own.name == column.name);
        if let Some(own) = place.filter(|_| column.len() == rows) {
            *own = column;
        }
        self
    }

    /// The column of that name.
    pub fn column(&self, name: &str) -> Option<&Column> {
        self.columns.iter().find(|column| column.name() == name)
    }
}

/// Never shows a value.
impl std::fmt::Debug for Column {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Column({} rows, {} distinct)", self.codes.len(), self.distinct.len())
    }
}

/// Never shows a value.
impl std::fmt::Debug for ColumnBuilder {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.column.fmt(f)
    }
}

/// Never shows a value.
impl std::fmt::Debug for Table {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Table({} columns, {} rows)", self.columns.len(), self.rows())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn keeps_every_value(values in prop::collection::vec(prop::option::of("[ab]{0,2}"), 0..40)) {
            let mut builder = ColumnBuilder::new("a");
            for value in &values {
                builder.push(value.as_deref());
            }
            let column = builder.finish();
            let kept: Vec<Option<&str>> = (0..column.len()).map(|row| column.get(row)).collect();
            prop_assert_eq!(kept, values.iter().map(Option::as_deref).collect::<Vec<_>>());
            let mut distinct = column.distinct().to_vec();
            distinct.sort_unstable();
            distinct.dedup();
            prop_assert_eq!(distinct.len(), column.distinct().len());
            let back = column.rows((0..column.len()).rev().map(Some));
            prop_assert!((0..column.len()).all(|row| back.get(row) == column.get(column.len() - 1 - row)));
            let rows: Vec<usize> = (0..column.len()).rev().step_by(2).collect();
            let moved = column.clone().into_rows(&rows);
            let copied = column.rows(rows.iter().map(|row| Some(*row)));
            prop_assert_eq!((&moved.distinct, &moved.codes), (&copied.distinct, &copied.codes));
        }
    }

    #[test]
    fn shows_no_value() {
        let mut builder = ColumnBuilder::new("name");
        builder.push(Some("Ana"));
        builder.repeat();
        assert!(!format!("{builder:?}").contains("Ana"));
        let column = builder.finish();
        assert_eq!(column.get(1), Some("Ana"));
        assert!(!format!("{column:?}").contains("Ana"));
    }
}
