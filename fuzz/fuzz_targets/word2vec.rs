//! Word2vec and `GloVe` files, text and binary: read, or refused with an error; what is read can be written and opened.
#![no_main]

use libfuzzer_sys::fuzz_target;
use reticent_knowledge::embedding::import::{Format, import};
use reticent_knowledge::embedding::{Precision, TermVectors};
use reticent_text::Language;

fuzz_target!(|bytes: &[u8]| {
    for format in [None, Some(Format::Word2vecText), Some(Format::Word2vecBinary), Some(Format::Glove)] {
        if let Ok(imported) = import(bytes, format, "fuzz", Language::English) {
            for precision in [Precision::Full, Precision::EightBit] {
                assert!(TermVectors::from_table(&imported.table, precision).is_ok());
            }
        }
    }
});
