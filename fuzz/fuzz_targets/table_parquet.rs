//! Parquet: any bytes are refused, or read as a table that comes back when it is written. The bytes are also tried as
//! changes to a file that is otherwise sound.
#![no_main]

use libfuzzer_sys::fuzz_target;
use reticent::table::{ColumnBuilder, Format, Limits, ReadOptions, Source, Table, read, write};

fn check(bytes: &[u8]) {
    let limits = Limits { max_expanded: 1 << 24, max_rows: 100_000, ..Limits::default() };
    let options = ReadOptions { limits, ..ReadOptions::new(Format::Parquet) };
    let Ok((table, source)) = read(bytes, &options) else { return };
    let written = write(&table, &source).expect("what was read can be written");
    let (again, _) =
        read(&written, &ReadOptions::new(Format::Parquet)).expect("what was written can be read");
    assert_eq!(again.rows(), table.rows());
    for (own, back) in table.columns().iter().zip(again.columns()) {
        assert!((0..table.rows()).all(|row| own.get(row) == back.get(row)));
    }
}

// The crate `parquet` panics on some damaged files, and the reader catches that: only a panic that leaves the target
// is a fault.
fuzz_target!(
    init: std::panic::set_hook(Box::new(|_| {})),
    |bytes: &[u8]| {
        check(bytes);
        let columns = ["a", "b"].map(|name| {
            let mut column = ColumnBuilder::new(name);
            [Some("x"), None, Some("y"), Some("x")].into_iter().for_each(|value| column.push(value));
            column.finish()
        });
        let table = Table::new(columns.into()).expect("a table");
        let mut changed = write(&table, &Source::plain(Format::Parquet)).expect("a file");
        for change in bytes.chunks_exact(3) {
            let place = usize::from(u16::from_le_bytes([change[0], change[1]])) % changed.len();
            changed[place] = change[2];
        }
        check(&changed);
    }
);
