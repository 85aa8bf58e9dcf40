//! Tables of a child and its parent: any bytes are refused, or become a taxonomy that opens and whose ladders end.
#![no_main]

mod taxonomies;

use reticent_knowledge::taxonomy::read::Format;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| taxonomies::check(&[Format::Parents], bytes));
