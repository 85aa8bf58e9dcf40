use proptest::prelude::*;

use super::super::{FormatKind, Limits, decode, encode};
use crate::{Document, Edit, Escape, RegionKind, Span};

fn read(markdown: &str) -> Document {
    decode(FormatKind::Markdown, "note", markdown.as_bytes(), &Limits::default()).unwrap()
}

fn body(document: &Document) -> String {
    let regions = document.regions().iter().filter(|region| region.kind == RegionKind::Body);
    regions.map(|region| region.span.of(document.text())).collect::<Vec<_>>().join("\n")
}

fn replace(markdown: &str, words: &str, replacement: &str) -> String {
    let document = read(markdown);
    let at = document.text().find(words).expect("the words are in the text");
    let edit = Edit { span: Span::new(at, at + words.len()), replacement: replacement.to_owned() };
    String::from_utf8(encode(FormatKind::Markdown, &document, markdown.as_bytes(), &[edit]).unwrap()).unwrap()
}

#[test]
fn reads_prose_without_its_markup() {
    for (markdown, expected) in [
        ("**John** Smith", "John Smith"),
        ("# A *title*\n\nText", "A title\nText"),
        ("> John\n> Smith", "John Smith"),
        ("- one\n- two", "one\ntwo"),
        ("| a | b |\n|---|---|\n| c | d |", "a\nb\nc\nd"),
        ("Jos&eacute; \\*x\\*", "José *x*"),
        ("see [Ana Smith](http://x.org)", "see Ana Smith"),
        ("<div>Ana <b>Smith</b></div>", "Ana Smith"),
        ("a `b c` d", "a b c d"),
        ("~~old~~ new", "old new"),
        ("", ""),
    ] {
        assert_eq!(body(&read(markdown)), expected, "{markdown}");
    }
}

#[test]
fn reads_all_the_rest_too() {
    let markdown = "---\nauthor: Ana\n---\n\n1. [x](http://ana.org \"By Ana\") ![alt Ana](ana.png)\n\n[ref]: http://smith.org 'Smith'\n\n```ana-lang\ncode of Ana\n```\n\ntext[^ana]\n\n[^ana]: A note\n\n<a title=\"Ana\">x</a> <!-- Ana -->\n";
    let document = read(markdown);
    let regions: Vec<(RegionKind, &str, &str)> =
        document.regions().iter().map(|r| (r.kind, r.name.as_str(), r.span.of(document.text()))).collect();
    for expected in [
        (RegionKind::Metadata, "front_matter", "author: Ana\n"),
        (RegionKind::Attribute, "link", "http://ana.org \"By Ana"),
        (RegionKind::Attribute, "link", "ana.png"),
        (RegionKind::Attribute, "link", "ref]: http://smith.org 'Smith"),
        (RegionKind::Code, "code", "code of Ana\n"),
        (RegionKind::Code, "code", "ana-lang"),
        (RegionKind::Attribute, "title", "Ana"),
        (RegionKind::Note, "comment", " Ana "),
    ] {
        assert!(regions.contains(&expected), "{expected:?} in {regions:?}");
    }
    assert!(document.unscanned().is_empty());
}

#[test]
fn writes_what_still_reads_as_meant() {
    for (markdown, words, replacement, expected) in [
        ("**Jo**hn Smith", "John Smith", "[PERSON]", "**[PERSON]**"),
        ("Ana (nurse)", "Ana", "[PERSON]", "[PERSON] (nurse)"),
        ("Ana(nurse)", "Ana", "[PERSON]", "[PERSON\\](nurse)"),
        ("Ana: hello", "Ana", "[PERSON]", "[PERSON\\]: hello"),
        ("> John\n> Smith left", "John Smith", "X", "> X left"),
        ("July 3, 1962. He left", "July 3, 1962", "1962", "&#49;962. He left"),
        ("[a](http://ana.org)", "ana.org", "[DOMAIN]", "[a](http://%5BDOMAIN%5D)"),
        ("`Ana`", "Ana", "a`b", "`a'b`"),
        ("a **Ana** b", "Ana", "", "a **&#8203;** b"),
        ("---\nauthor: Ana\n---\n", "Ana", "[PERSON]", "---\nauthor: (PERSON)\n---\n"),
        ("| `a\\|b Ana` |\n|---|\n", "Ana", "X", "| `a\\|b X` |\n|---|\n"),
        ("| Ana | b |\n|---|---|\n", "Ana", "x|y", "| x\\|y | b |\n|---|---|\n"),
    ] {
        assert_eq!(replace(markdown, words, replacement), expected, "{markdown}");
    }
}

fn pieces_of_markdown() -> impl Strategy<Value = String> {
    let parts = prop::sample::select(vec![
        "John",
        "Ana Smith",
        " ",
        "\n",
        "\n\n",
        "*",
        "**",
        "_",
        "`",
        "```\n",
        "# ",
        "- ",
        "1. ",
        "> ",
        "[",
        "]",
        "(",
        ")",
        "](http://x.org)",
        "]: http://y.org \"t\"\n",
        "<b>",
        "</b>",
        "<div>",
        "<!--",
        "-->",
        "|",
        "|---|\n",
        "![",
        "&eacute;",
        "\\",
        "é",
        "[^1]",
        "---\n",
        "~~",
        "    ",
        "\t",
        "\r\n",
        "\"",
        "'",
        "&",
        "title: x\n",
        "<http://z.org>",
        "+++\n",
        "[x]",
        "日本",
    ]);
    prop::collection::vec(parts, 0..24).prop_map(|parts| parts.concat())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn leaves_no_letter_unread(markdown in pieces_of_markdown()) {
        let document = read(&markdown);
        let mut covered = vec![false; markdown.len()];
        for piece in document.source().pieces() {
            covered[piece.source.clone()].fill(true);
        }
        for (at, c) in markdown.char_indices().filter(|(_, c)| c.is_alphanumeric()) {
            prop_assert!(covered[at], "{:?} at {} in {:?}", c, at, markdown);
        }
    }

    #[test]
    fn never_breaks_what_is_around(markdown in pieces_of_markdown(), which in any::<prop::sample::Index>(), replacement in prop::sample::select(vec!["[PERSON]", "", "1962", "a - b", "- x", "[A](b)", "*", "# x", "<b>"])) {
        let document = read(&markdown);
        let pieces = document.source().pieces();
        prop_assume!(!pieces.is_empty());
        let span = pieces[which.index(pieces.len())].text;
        let edit = Edit { span, replacement: replacement.to_owned() };
        // Code has no escapes: where it begins a line, refusing is all that is left. Words can always be replaced.
        let prose = pieces[which.index(pieces.len())].escape == Escape::Markdown
            && span.of(document.text()).chars().all(char::is_alphanumeric);
        let out = encode(FormatKind::Markdown, &document, markdown.as_bytes(), &[edit]);
        prop_assert!(out.is_ok() || !prose, "refused: {:?}", markdown);
        if let Ok(out) = out {
            let mut meant = String::new();
            for region in document.regions().iter().filter(|region| region.kind == RegionKind::Body) {
                if region.span.contains(span) {
                    meant.push_str(&document.text()[region.span.start..span.start]);
                    meant.push_str(replacement);
                    meant.push_str(&document.text()[span.end..region.span.end]);
                } else {
                    meant.push_str(region.span.of(document.text()));
                }
            }
            let words = |text: &str| text.chars().filter(|c| c.is_alphanumeric()).collect::<String>();
            prop_assert_eq!(words(&body(&read(&String::from_utf8(out).unwrap()))), words(&meant));
        }
    }
}

#[test]
fn leaves_no_emphasis_without_a_text() {
    for (markdown, words, replacement, expected) in [
        ("Seen on *11 March 2024*.", "on 11 March 2024", "in 2024", "Seen *in 2024*."),
        ("By **Al** Bartholomew.", "Al Bartholomew", "[PERSON]", "By **[PERSON]**."),
    ] {
        let document = decode(FormatKind::Markdown, "note", markdown.as_bytes(), &Limits::default()).unwrap();
        let at = document.text().find(words).unwrap();
        let edit = Edit { span: Span::new(at, at + words.len()), replacement: replacement.to_owned() };
        let out = encode(FormatKind::Markdown, &document, markdown.as_bytes(), &[edit]).unwrap();
        assert_eq!(String::from_utf8(out).unwrap(), expected);
    }
}
