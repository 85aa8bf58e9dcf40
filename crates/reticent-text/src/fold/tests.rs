use proptest::prelude::*;

use super::*;

#[test]
fn reads_what_is_meant() {
    for (text, folded) in [
        ("943&nbsp;476&nbsp;5919", "943 476 5919"),
        ("943\u{2009}476\u{3000}5919", "943 476 5919"),
        ("123\u{2011}45–6789", "123-45-6789"),
        ("123\u{ad}–\u{200b}45", "123-45"),
        ("６０８ ٥٥٥", "608 555"),
        ("𝐀𝐧𝐚 𝓡𝓾𝓲𝔃 ﬁne", "Ana Ruiz fine"),
        ("Li\u{ad}ne\u{200b}han\u{202e} \u{fe0f}x", "Linehan x"),
        ("Li&shy;nehan", "Linehan"),
        ("Jоhn Smіth", "John Smith"),
        ("АВ123456С", "AB123456C"),
        ("ana\\u0040example.org", "ana@example.org"),
        ("ana=40example.org", "ana@example.org"),
        ("ana%40example%2Eorg", "ana@example.org"),
        ("Jos%C3%A9", "José"),
        ("ana (at) example [dot] org", "ana@example.org"),
        ("81[.]2[.]69[.]160", "81.2.69.160"),
        ("&#97;na&commat;x", "ana@x"),
        ("Jose\u{301} Nu\u{301}n\u{303}ez", "José Núñez"),
        ("J\u{336}o\u{336}hn", "John"),
        ("⁶⁰⁸", "608"),
    ] {
        assert_eq!(fold(text), folded, "{text}");
    }
}

#[test]
fn leaves_meaning_alone() {
    for text in [
        "n=40 patients, BMI=40kg, x=40y",
        "50% of 12%, 100%20 or 5%2",
        "kg/m² and Smith¹²",
        "½ cup, Acme™ …",
        "Москва, Оксана, отдел",
        "Zoë Müller, Søren, İzmir, Łódź",
        "he came (at) night? (dot)",
        "AT&T; R&D",
        "a – b, May–June",
        "C:\\users\\x",
        "D.ª María, 1º",
        "(a) [1] {x}",
    ] {
        assert_eq!(fold(text), text);
    }
}

#[test]
fn spans_go_back_to_whole_signs() {
    let text = "x\u{200b}Li&shy;nehan\u{200b} ana (at) b.org";
    let folded = Folded::new(text).expect("it has signs to fold");
    let back = |found: &str| {
        let at = folded.text().find(found).expect("it is there");
        folded.original(Span::new(at, at + found.len())).of(text)
    };
    assert_eq!(folded.text(), "xLinehan ana@b.org");
    assert_eq!(back("Linehan"), "Li&shy;nehan");
    assert_eq!(back("ana@b.org"), "ana (at) b.org");
    assert_eq!(back("@"), " (at) ");
    assert_eq!(back("n"), "n");
}

#[test]
fn an_entity_begins_at_the_last_ampersand() {
    let text = "R & D\n&amp; T";
    let folded = Folded::new(text).expect("it has an entity");
    assert_eq!(folded.text(), "R & D\n& T");
    let at = folded.text().find('D').expect("it is there");
    assert_eq!(folded.original(Span::new(at, at + 1)).of(text), "D");
}

proptest! {
    #[test]
    fn offsets_are_exact(text in "[a-z0-9 .@&;%=()\\[\\]é\u{ad}\u{301}аоѕ９４\u{a0}–ﬁ²]{0,40}") {
        let Some(folded) = Folded::new(&text) else { return Ok(()) };
        let mut last = 0;
        for (at, c) in folded.text().char_indices() {
            let span = folded.original(Span::new(at, at + c.len_utf8()));
            prop_assert!(span.fits(&text) && !span.is_empty());
            prop_assert!(span.start >= last || span.contains(Span::new(last, last)) || span.end >= last);
            last = span.start;
            let there = folded.folded(span);
            prop_assert!(there.start <= at && at + c.len_utf8() <= there.end, "{:?}", there);
            if span.len() == c.len_utf8() && c.is_ascii_alphanumeric() {
                prop_assert_eq!(span.of(&text), c.to_string());
            }
        }
        let whole = folded.folded(Span::new(0, text.len()));
        prop_assert_eq!(whole, Span::new(0, folded.text().len()));
    }

    /// Escapes may hide escapes, and a word that is folded makes its neighbours stand among Latin words: both are left out.
    #[test]
    fn folding_twice_changes_nothing_more(text in "[a-zé\u{ad}９４\u{a0}–ﬁ ]{0,40}") {
        let once = fold(&text).into_owned();
        prop_assert_eq!(fold(&once).into_owned(), once);
    }
}
