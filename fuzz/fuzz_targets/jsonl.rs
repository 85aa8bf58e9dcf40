//! JSONL: any bytes are read or refused row by row, and only edits change them.
#![no_main]

mod shared;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| shared::check_rows(reticent_text::format::rows::RowFormat::Jsonl, bytes));
