use proptest::prelude::*;

use super::*;

fn apply(text: &str, span: Span, words: &str, language: Language) -> (Fitted, String) {
    let fitted = fit(text, span, words, language);
    let new = format!("{}{}{}", &text[..fitted.span.start], fitted.replacement, &text[fitted.span.end..]);
    (fitted, new)
}

#[test]
fn a_span_outside_the_text_is_left_alone() {
    let fitted = fit("é", Span::new(1, 5), "x", Language::English);
    assert_eq!((fitted.span, fitted.replacement.as_str()), (Span::new(1, 5), "x"));
}

#[test]
fn debug_tells_no_text() {
    let fitted = fit("in Cork", Span::new(3, 7), "Munster", Language::English);
    assert!(!format!("{fitted:?}").contains("Munster"));
}

#[test]
fn articles_fit_what_stands_before() {
    for (text, replaced, words, new) in [
        ("a protein that HIV uses", "HIV", "a virus", "a protein that a virus uses"),
        ("this HIV test", "HIV", "a virus", "this virus test"),
    ] {
        let start = text.find(replaced).unwrap();
        let span = Span::new(start, start + replaced.len());
        assert_eq!(apply(text, span, words, Language::English).1, new);
    }
}

fn words() -> impl Strategy<Value = String> {
    prop::sample::select(vec![
        "",
        "the 1960s",
        "1962",
        "July 1962",
        "a performer",
        "an actor",
        "about 12",
        "in Cork",
        "[PERSON]",
        "of",
        "la década de 1960",
        "el siglo XX",
        "una fecha",
        "between 14:00 and 15:00",
        "the afternoon",
        "to the",
    ])
    .prop_map(str::to_owned)
}

fn sentence() -> impl Strategy<Value = String> {
    let pieces = vec![
        "on",
        "in",
        "the",
        "a",
        "an",
        "of",
        "about",
        "July 3, 1962",
        "1962",
        "14:37",
        "at",
        "born",
        "el",
        "de",
        "del",
        "al",
        "día",
        "A",
        "The",
        "(",
        ")",
        ",",
        ".",
        " ",
        "  ",
        "\n",
        "\n\n",
        "é",
        "🙂",
        "“",
        "”",
        "actor",
        "hour",
        "to",
        "e\u{301}",
        "\u{200f}",
        "ß",
    ];
    prop::collection::vec(prop::sample::select(pieces), 0..12).prop_map(|pieces| {
        let mut text = String::new();
        for piece in pieces {
            text.push_str(piece);
            text.push(' ');
        }
        text
    })
}

fn check(text: &str, from: usize, to: usize, words: &str, language: Language) {
    let edges: Vec<usize> = text.char_indices().map(|(at, _)| at).chain([text.len()]).collect();
    let (a, b) = (edges[from % edges.len()], edges[to % edges.len()]);
    let span = Span::new(a.min(b), a.max(b));
    let (fitted, new) = apply(text, span, words, language);
    assert!(fitted.span.contains(span));
    assert!(fitted.span.fits(text));
    assert!(new.starts_with(&text[..fitted.span.start]) && new.ends_with(&text[fitted.span.end..]));
    let taken_left = text[fitted.span.start..span.start].trim();
    assert!(!taken_left.contains(char::is_whitespace), "more than a word to the left");
    assert!(
        text[span.end..fitted.span.end].chars().count() <= 2,
        "more than a sign and a space to the right"
    );
    // No function word twice where the replacement meets the text (`a an hour` was wrong before).
    let around = Around::new(text, fitted.span);
    if fitted.span.start == span.start
        && language == Language::English
        && let (Some(left), Some((first, _))) = (&around.left, fitted.replacement.split_once(' '))
    {
        let function = ["a", "an", "the", "in", "on", "of", "about", "to"];
        assert!(
            left.lower() != first.to_lowercase() || !function.contains(&left.lower().as_str()),
            "doubled"
        );
    }
    // Fitting what was just fitted changes nothing more, unless a word that it took stood badly.
    if !words.is_empty() && fitted.span.start == span.start {
        let place = Span::new(fitted.span.start, fitted.span.start + fitted.replacement.len());
        let (_, again) = apply(&new, place, place.of(&new), language);
        assert_eq!(again, new, "fitted twice");
    }
}

proptest! {
    #[test]
    fn only_the_border_changes(text in sentence(), from in any::<usize>(), to in any::<usize>(), words in words(), language in 0..3usize) {
        let language = [Language::English, Language::Spanish, Language::Other][language];
        check(&text, from, to, &words, language);
    }

    #[test]
    fn never_panics(text in any::<String>(), from in any::<usize>(), to in any::<usize>(), words in any::<String>()) {
        for language in [Language::English, Language::Spanish, Language::Other] {
            let edges: Vec<usize> = text.char_indices().map(|(at, _)| at).chain([text.len()]).collect();
            let (a, b) = (edges[from % edges.len()], edges[to % edges.len()]);
            let span = Span::new(a.min(b), a.max(b));
            let (fitted, _) = apply(&text, span, &words, language);
            prop_assert!(fitted.span.contains(span));
        }
    }
}
