//! Presidio's results: any text is read, left to another reader or refused; what is read is found in a text
//! or refused there.
#![no_main]

use reticent::Detector;
use reticent::detect::Given;
use reticent::evaluate::read_presidio;
use reticent_text::Document;

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    let Ok(all) = std::str::from_utf8(data) else { return };
    let (text, json) = all.split_once('\0').unwrap_or(("Zoë has HIV", all));
    let Ok(Some(spans)) = read_presidio(json) else { return };
    assert!(spans.iter().all(|span| span.start <= span.end && span.kind.is_some()));
    let many = spans.len();
    if let Ok(found) = Given::of_one(spans).detect(&Document::plain("d", text)) {
        assert_eq!(found.len(), many);
        assert!(found.iter().all(|finding| finding.span.fits(text)));
    }
});
