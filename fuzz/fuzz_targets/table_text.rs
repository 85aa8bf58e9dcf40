//! Tables as text (CSV, TSV, JSONL): any bytes are refused, or read as a table that comes back when it is written.
#![no_main]

use libfuzzer_sys::fuzz_target;
use reticent::table::{Format, ReadOptions, Schema, read, write};

fuzz_target!(|bytes: &[u8]| {
    for format in [Format::Csv, Format::Tsv, Format::Jsonl] {
        let options = ReadOptions { missing: vec!["?".to_owned()], ..ReadOptions::new(format) };
        let Ok((table, source)) = read(bytes, &options) else { continue };
        let written = write(&table, &source).expect("what was read can be written");
        let (again, _) = read(&written, &options).expect("what was written can be read");
        assert_eq!(again.rows(), table.rows());
        for (own, back) in table.columns().iter().zip(again.columns()) {
            assert!((0..table.rows()).all(|row| own.get(row) == back.get(row)));
        }
        let _ = Schema::propose(&table).to_toml();
    }
});
