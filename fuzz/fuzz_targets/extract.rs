//! Changed tables, maps and schemas: read or refused, whatever they hold.
#![no_main]

use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use reticent::extract::{ChangedTable, Extractor, Map, Schema, Table, TableFormat};
use reticent::{Policy, Protector};
use reticent_text::Document;

const TEXT: &str = "Mrs Ana Ruiz, aged 61, came on 3 July 2020 and 4 May 2021 and paid £6,240.";

static MADE: LazyLock<(Extractor, Map)> = LazyLock::new(|| {
    let extractor = Extractor::new(Protector::new(Policy::preset("basic").unwrap(), None).unwrap());
    let extract = extractor.extract("d", &mut Document::plain("d", TEXT), TEXT.as_bytes(), &[]).unwrap();
    let map = Table::new(vec![extract], &extractor).unwrap().map().clone();
    (extractor, map)
});

fuzz_target!(|text: &str| {
    let (extractor, map) = &*MADE;
    let _ = Map::from_jsonl(text);
    let _ = Schema::from_toml(text);
    // A row that is bound, so that more than its name is looked at.
    let text = &text.replace('#', map.fingerprints()[0]);
    for format in [TableFormat::Csv, TableFormat::Tsv, TableFormat::Jsonl] {
        let Ok(changed) = ChangedTable::read(text, format, &[], map) else { continue };
        let (Some(row), Some(known)) = (changed.row("d"), map.row("d")) else { continue };
        let _ = extractor.write_back(&mut Document::plain("d", TEXT), TEXT.as_bytes(), &[], known, row);
    }
});
