use proptest::prelude::*;

use super::*;
use crate::{Escape, Span};

const TEXTS: [FormatKind; 3] = [FormatKind::Text, FormatKind::Markdown, FormatKind::Html];

fn soup() -> impl Strategy<Value = String> {
    let parts = prop::sample::select(vec![
        "Ana",
        "Smith",
        " ",
        "\n",
        "\r\n",
        "<p>",
        "</p>",
        "<b>",
        "</b>",
        "<br>",
        "<!-- ",
        " -->",
        "<a title=",
        "\"",
        "'",
        ">",
        "<",
        "&eacute;",
        "&amp",
        "&#233;",
        "&",
        "<script>",
        "</script>",
        "<title>",
        "</title>",
        "<style>",
        "</style>",
        "**",
        "_",
        "[",
        "](",
        ")",
        "`",
        "# ",
        "é",
        "日本",
        "=",
        "-",
        "\u{feff}",
        "<pre>",
        "</pre>",
        "\t",
        "  ",
        "href=x",
    ]);
    prop::collection::vec(parts, 0..20).prop_map(|parts| parts.concat())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn gives_back_what_it_read(text in soup()) {
        for kind in TEXTS {
            let document = decode(kind, "a", text.as_bytes(), &Limits::default()).unwrap();
            prop_assert_eq!(encode(kind, &document, text.as_bytes(), &[]).unwrap(), text.as_bytes());
            let same: Vec<Edit> = document.source().pieces().iter()
                .filter(|piece| !piece.atomic && piece.escape == Escape::None)
                .map(|piece| Edit { span: piece.text, replacement: piece.text.of(document.text()).to_owned() }).collect();
            prop_assert_eq!(encode(kind, &document, text.as_bytes(), &same).unwrap(), text.as_bytes());
        }
    }

    #[test]
    fn changes_only_what_is_edited(text in soup(), which in any::<prop::sample::Index>(), replacement in "[a-c<>&\"'=\\-\\] /]{0,6}") {
        for kind in [FormatKind::Text, FormatKind::Html] {
            let document = decode(kind, "a", text.as_bytes(), &Limits::default()).unwrap();
            let pieces = document.source().pieces();
            if pieces.is_empty() { continue; }
            let piece = &pieces[which.index(pieces.len())];
            let edit = Edit { span: piece.text, replacement: replacement.clone() };
            let out = String::from_utf8(encode(kind, &document, text.as_bytes(), &[edit]).unwrap()).unwrap();
            prop_assert!(out.starts_with(&text[..piece.source.start]) && out.ends_with(&text[piece.source.end..]));
            // What is in the place now reads as meant, and nothing else has changed.
            let again = decode(kind, "a", out.as_bytes(), &Limits::default()).unwrap();
            let mut meant = document.text().to_owned();
            meant.replace_range(piece.text.start..piece.text.end, &replacement);
            let words = |text: &str| text.chars().filter(|c| c.is_alphanumeric()).collect::<String>();
            if matches!(piece.escape, Escape::None | Escape::Markup | Escape::Attribute | Escape::Unquoted) {
                prop_assert_eq!(words(again.text()), words(&meant), "{:?} became {:?}", text, out);
            }
        }
    }

    #[test]
    fn reads_or_refuses_any_bytes(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        for kind in FormatKind::ALL {
            let _ = decode(kind, "a", &bytes, &Limits::default());
        }
    }
}

#[test]
fn refuses_what_is_larger_than_the_limit() {
    let limits = Limits { max_bytes: 3, ..Limits::default() };
    for kind in FormatKind::ALL {
        assert_eq!(decode(kind, "a", b"four", &limits).unwrap_err().kind(), ErrorKind::Limit);
    }
}

#[test]
fn refuses_edits_that_do_not_fit() {
    let document = decode(FormatKind::Text, "a", "José".as_bytes(), &Limits::default()).unwrap();
    for (start, end) in [(4, 5), (0, 4), (2, 9)] {
        let edit = Edit { span: Span::new(start, end), replacement: String::new() };
        let error = encode(FormatKind::Text, &document, "José".as_bytes(), &[edit]).err();
        assert_eq!(error.map(|error| error.kind()), Some(ErrorKind::Edit), "{start}..{end}");
    }
}

#[test]
fn keeps_the_byte_order_mark() {
    for kind in TEXTS {
        let bytes = "\u{feff}Ana".as_bytes();
        let document = decode(kind, "a", bytes, &Limits::default()).unwrap();
        assert_eq!(document.text(), "Ana");
        let edit = Edit { span: Span::new(0, 3), replacement: "X".to_owned() };
        assert_eq!(encode(kind, &document, bytes, &[edit]).unwrap(), "\u{feff}X".as_bytes(), "{kind:?}");
    }
}

#[test]
fn takes_linear_time_for_hostile_input() {
    let started = std::time::Instant::now();
    for (kind, part) in [
        (FormatKind::Html, "<meta content=a "),
        (FormatKind::Html, "<!--"),
        (FormatKind::Html, "<title>"),
        (FormatKind::Html, "<a b='"),
        (FormatKind::Html, "<script><!--<script>"),
        (FormatKind::Html, "&amp"),
        (FormatKind::Html, "<img src='data:a'>"),
        (FormatKind::Markdown, "[a](b \"c\") "),
        (FormatKind::Markdown, "> a\n"),
        (FormatKind::Markdown, "*a **b "),
        (FormatKind::Markdown, "[a]: b\n"),
        (FormatKind::Markdown, "<b>`x "),
    ] {
        let _ = decode(kind, "a", part.repeat(20_000).as_bytes(), &Limits::default());
        let content = format!("<meta {}>", "content=a ".repeat(20_000));
        let _ = decode(FormatKind::Html, "a", content.as_bytes(), &Limits::default());
    }
    // Quadratic time would be minutes.
    assert!(started.elapsed().as_secs() < 20, "{:?}", started.elapsed());
}
