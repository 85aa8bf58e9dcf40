//! fastText models: read, or refused with an error; what is read can be written, opened and asked.
#![no_main]

use libfuzzer_sys::fuzz_target;
use reticent_knowledge::embedding::import::{Format, import};
use reticent_knowledge::embedding::{Precision, TermVectors, Vectors};
use reticent_text::Language;

fuzz_target!(|bytes: &[u8]| {
    let whole = [&793_712_314i32.to_le_bytes()[..], &12i32.to_le_bytes(), bytes].concat();
    for bytes in [bytes, &whole] {
        if let Ok(imported) = import(bytes, Some(Format::FastText), "fuzz", Language::English) {
            let vectors = TermVectors::from_table(&imported.table, Precision::Full);
            assert!(vectors.is_ok_and(|vectors| vectors.lookup("any term").is_ok()));
        }
    }
});
