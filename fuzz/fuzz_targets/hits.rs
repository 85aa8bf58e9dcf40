//! A table of counts: any bytes are one or an error, and it never counts more than there are.
#![no_main]

use reticent_knowledge::corpus::{Count, Counts, WebHits};
use reticent_text::Language;

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    let Ok(hits) = WebHits::read(data, 1_000_000, Language::English) else { return };
    for term in ["a", "blood transfusion", ""] {
        match hits.count(&[term]).expect("a table has been read") {
            Count::Exact(count) => assert!(count <= hits.total()),
            other => assert!(other == Count::Unknown),
        }
    }
});
