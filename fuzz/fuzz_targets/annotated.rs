//! Annotated data (brat, `CoNLL`, i2b2): read, or refused with an error; spans lie in the text, and what is read as
//! `CoNLL` and written again has as many entities at most.
#![no_main]

use libfuzzer_sys::fuzz_target;
use reticent_text::label::data;

fuzz_target!(|bytes: &[u8]| {
    let Ok(all) = std::str::from_utf8(bytes) else { return };
    let (text, annotations) = all.split_once('\0').unwrap_or(("some text", all));
    let documents = data::conll("d", all).unwrap_or_default();
    let whole: String = documents.iter().map(|(document, _)| document.text()).collect();
    if !documents.is_empty() {
        let labelled = data::label_conll(all, &whole, &[]);
        assert_eq!(labelled.lines().count(), all.lines().count());
    }
    let others = [data::brat("d", text, annotations), data::i2b2("d", all)];
    for (document, entities) in documents.into_iter().chain(others.into_iter().flatten()) {
        for (span, kind) in &entities {
            assert!(!span.of(document.text()).is_empty());
            assert!(!kind.contains('\t'));
        }
        let plain: Vec<_> = entities.iter().map(|(span, kind)| (*span, kind.as_str())).collect();
        let _ = data::write_conll(document.text(), &plain);
    }
});
