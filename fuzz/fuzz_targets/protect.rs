//! The whole way: any text is released with only planned changes, or refused.
#![no_main]

use std::sync::LazyLock;

use reticent::{Policy, Protector};
use reticent_text::Document;

mod shared;

static PROTECTOR: LazyLock<Protector> =
    LazyLock::new(|| Protector::new(Policy::preset("basic").unwrap(), None).unwrap());

libfuzzer_sys::fuzz_target!(|text: &str| {
    let text = format!("{text}\n\nWrite to probe.seven@example.org soon.\n");
    let mut document = Document::plain("fuzz", &text);
    let Ok((released, plan)) = PROTECTOR.protect(&mut document, text.as_bytes(), &[]) else { return };
    shared::check_released(&text, &released);
    assert!(!released.text().contains("probe.seven@example.org"), "an address is told");
    for decision in plan.decisions.iter().filter(|decision| !decision.keeps()) {
        if decision.entity.entity_type.as_str() == "EMAIL_ADDRESS" {
            for mention in &decision.entity.mentions {
                assert!(!released.text().contains(mention.span.of(&text)), "a masked address is told");
            }
        }
    }
});
