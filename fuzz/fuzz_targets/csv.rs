//! CSV: any bytes are read or refused row by row, and only edits change them.
#![no_main]

mod shared;

use reticent_text::format::rows::RowFormat;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| shared::check_rows(RowFormat::Csv { separator: None }, bytes));
