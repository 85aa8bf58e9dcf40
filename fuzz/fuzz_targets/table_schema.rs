//! Schemas of tables, in TOML and in rx-anon's YAML, and their hierarchies: read or refused, whatever they hold.
#![no_main]

use libfuzzer_sys::fuzz_target;
use reticent::table::{Format, ReadOptions, Schema, read};

const TABLE: &[u8] = b"id,age,date,text\n1,36,2004-05-14,Hello.\n2,,1960s,\n";

fuzz_target!(|text: &str| {
    let (table, _) = read(TABLE, &ReadOptions::new(Format::Csv)).expect("a table");
    if let Ok(schema) = Schema::from_toml(text) {
        let _ = schema.check(&table);
    }
    if let Ok(schema) = Schema::from_rx_anon(text) {
        let _ = schema.check(&table);
    }
    let toml = "columns = [{ name = 'age', role = 'quasi-identifier', hierarchy = { file = 'levels.csv' } }]";
    let _ = Schema::from_toml_with(toml, |_| Ok(text.as_bytes().to_vec()));
});
