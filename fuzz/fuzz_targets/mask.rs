//! Masks: any words can be masked, and what a mask says stays in order.
#![no_main]

use std::sync::LazyLock;

use reticent::mask::{self, Context, DateOrder, Key, Language};
use reticent_text::Span;

static KEY: LazyLock<Key> = LazyLock::new(|| Key::from_file_bytes(b"only a key for this fuzz target.").unwrap());

libfuzzer_sys::fuzz_target!(|input: (u8, u8, i32, usize, usize, &str)| {
    let (pick, setting, number, start, end, text) = input;
    let languages = [Language::English, Language::Spanish, Language::Other];
    let orders = [None, Some(DateOrder::DayFirst), Some(DateOrder::MonthFirst)];
    let context = Context {
        language: languages[usize::from(setting) % 3],
        reference_year: (setting & 8 != 0).then_some(number),
        date_order: orders[usize::from(setting >> 4) % 3],
        top: (setting & 4 != 0).then_some(number.unsigned_abs()),
    };
    let generalizer = mask::generalizers()[usize::from(pick) % mask::generalizers().len()];
    let entity_type = &generalizer.types()[0];
    let ladder = mask::ladder(entity_type, text, &context);
    let order: Vec<&str> = generalizer.levels().iter().copied().chain([mask::LABEL, mask::SUPPRESSED]).collect();
    let places: Vec<usize> = ladder
        .rungs
        .iter()
        .map(|rung| order.iter().position(|level| *level == rung.level).expect("a known level"))
        .collect();
    assert!(places.is_sorted_by(|a, b| a < b), "rungs out of order");

    let (start, end) = (text.floor_char_boundary(start), text.floor_char_boundary(end));
    let span = Span::new(start.min(end), start.max(end));
    for rung in &ladder.rungs {
        let fitted = mask::fit(text, span, &rung.text, context.language);
        assert!(fitted.span.contains(span) && fitted.span.fits(text), "a replacement lies elsewhere");
    }
    if let Some(shifted) = mask::shift_date(text, number % 4000, &context) {
        assert!(!shifted.is_empty(), "a shifted date says nothing");
    }
    let covered = mask::mask_characters(text, '*', start % 8, end % 8);
    assert!(covered.chars().count() <= text.chars().count(), "a covered text grows");
    let _ = mask::decrypt(&KEY, text);
    let token = mask::encrypt(&KEY, entity_type, text).expect("any words can be encrypted");
    assert!(mask::decrypt(&KEY, &token).expect("what was encrypted comes back") == text);
});
