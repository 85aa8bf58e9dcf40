//! A table in memory: columns of interned values.

use std::collections::HashMap;

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
    /// What the column is called.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// How many rows it has.
    pub fn len(&self) -> usize {
        self.codes.len()
    }

    /// Whether it has no row.
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
}

/// A column that is being filled.
pub struct ColumnBuilder {
    column: Column,
    known: HashMap<Box<str>, u32>,
}

impl ColumnBuilder {
    /// An empty column.
    pub fn new(name: impl Into<String>) -> Self {
        let column = Column { name: name.into(), distinct: Vec::new(), codes: Vec::new() };
        Self { column, known: HashMap::new() }
    }

    /// The value of the next row.
    ///
    /// # Panics
    /// If there are more than four thousand million different values.
    pub fn push(&mut self, value: Option<&str>) {
        let Some(value) = value else { return self.column.codes.push(MISSING) };
        let code = self.known.get(value).copied().unwrap_or_else(|| {
            let code = u32::try_from(self.column.distinct.len()).ok().filter(|&code| code != MISSING);
            let code = code.expect("fewer distinct values than a u32 counts");
            self.column.distinct.push(value.into());
            self.known.insert(value.into(), code);
            code
        });
        self.column.codes.push(code);
    }

    /// The column.
    pub fn finish(self) -> Column {
        self.column
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

    /// How many rows it has.
    pub fn rows(&self) -> usize {
        self.columns.first().map_or(0, Column::len)
    }

    /// Its columns, in their order.
    pub fn columns(&self) -> &[Column] {
        &self.columns
    }

    /// The column of that name.
    pub fn column(&self, name: &str) -> Option<&Column> {
        self.columns.iter().find(|column| column.name() == name)
    }
}

/// Never shows a value.
impl std::fmt::Debug for Table {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Table({} columns, {} rows)", self.columns.len(), self.rows())
    }
}
