//! Text: any bytes are read or refused, and only edits change them.
#![no_main]

mod shared;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| shared::check(reticent_text::format::FormatKind::Text, bytes));
