use proptest::prelude::*;

use super::*;

fn view(text: &str) -> String {
    View::of(text).text().to_owned()
}

#[test]
fn folds_what_disguises() {
    for (text, folded) in [
        ("608&nbsp;555&#8209;0134", "608 555-0134"),
        ("６０８ ５５５－０１３４", "608 555-0134"),
        ("٦٠٨ ٥٥٥ ٠١٣٤", "608 555 0134"),
        ("𝟔𝟎𝟖", "608"),
        ("60\u{200b}8\u{ad}555", "608555"),
        ("608\u{2011}555\u{2009}0134", "608-555 0134"),
        ("ana (at) example (dot) org", "ana@example.org"),
        ("ana[at]example[.]org", "ana@example.org"),
        ("ana&#64;example.org ana&commat;example&period;org", "ana@example.org ana@example.org"),
        ("ana\\u0040example.org", "ana@example.org"),
        ("ana=40example=2Eorg ana%40example.org", "ana@example.org ana@example.org"),
        ("ana＠example．org", "ana@example.org"),
        ("M\u{0430}ria", "Maria"),
        ("Jose\u{301}", "José"),
        ("a\u{336}n\u{336}a", "ana"),
        ("ﬁnn", "finn"),
        ("⑥⓪⑧", "608"),
    ] {
        assert_eq!(view(text), folded, "{text}");
    }
}

#[test]
fn leaves_ordinary_text_alone() {
    for text in [
        "70 kg/m² and 10⁵ cells³",
        "n=40, p=0.05, x=3f(x)",
        "50% of 40%, a 5%-step",
        "at home (at) (dot)",
        "f(x) = a[i] + b[.]",
        "see (at 5 pm) and [dot notation]",
        "AT&T and R&D; a && b",
        "C:\\users\\x and \\begin{a}",
        "Мария живёт в Москве",
        "Ελένη Παπαδοπούλου",
        "田中さくら",
        "محمد بن سلمان",
        "Müller, José, Łukasz, Đorđe, Ñandú",
        "½ cup, 25 °C, ±3, ×10, ™, €5",
        "footnote¹ and note², 5ª planta, nº 3",
        "“quoted” ‘text’ … and more",
    ] {
        assert_eq!(view(text), text);
    }
}

#[test]
fn spans_lead_back() {
    let text = "to ana&#64;exam\u{ad}ple (dot) org, ６０８";
    let view = View::of(text);
    let whole = |wanted: &str| {
        let start = view.text().find(wanted).unwrap();
        view.original(Span::new(start, start + wanted.len())).of(text)
    };
    assert_eq!(whole("ana@example.org"), "ana&#64;exam\u{ad}ple (dot) org");
    assert_eq!(whole("608"), "６０８");
    assert_eq!(whole("to"), "to");
}

#[test]
fn keys_are_shared_by_look_alikes() {
    for other in ["RUIZ", "Ruíz", "Ru\u{456}z"] {
        assert_eq!(key("Ruiz"), key(other), "{other}");
    }
    assert_ne!(key("Ruiz"), key("Ruis"));
}

proptest! {
    #[test]
    fn any_span_of_the_view_lies_in_the_original(
        text in "([a-z0-9 @.=%&;#()\\[\\]\\\\]|&#64;|\\(at\\)|\u{301}|\u{ad}|\u{200b}|é|а|６|²|\u{336}|ﬁ|田){0,30}"
    ) {
        let view = View::of(&text);
        let places: Vec<usize> =
            view.text().char_indices().map(|(at, _)| at).chain([view.text().len()]).collect();
        let mut last = 0;
        for pair in places.windows(2) {
            let span = view.original(Span::new(pair[0], pair[1]));
            prop_assert!(span.fits(&text) && span.start >= last, "{:?}", span);
            last = span.start;
        }
        if let (Some(first), Some(end)) = (places.first(), places.last()) {
            prop_assert!(view.original(Span::new(*first, *end)).fits(&text));
        }
    }
}
