use super::super::{FormatKind, Limits, decode, encode};
use crate::{Document, Edit, RegionKind, Span};

fn page(html: &str) -> Document {
    decode(FormatKind::Html, "page", html.as_bytes(), &Limits::default()).unwrap()
}

/// Replaces the first occurrence of `words` in the text.
fn replace(html: &str, words: &str, replacement: &str) -> String {
    let document = page(html);
    let at = document.text().find(words).expect("the words are in the text");
    let edit = Edit { span: Span::new(at, at + words.len()), replacement: replacement.to_owned() };
    String::from_utf8(encode(FormatKind::Html, &document, html.as_bytes(), &[edit]).unwrap()).unwrap()
}

#[test]
fn reads_what_is_seen() {
    for (html, text) in [
        ("<p>Jo<b>hn</b> Smith</p>", "John Smith"),
        ("<p>John\n     Smith</p>\n\n<p>Metz", "John Smith\nMetz"),
        ("John<br>Smith", "John\nSmith"),
        ("<ul><li>One<li>Two</ul>", "One\nTwo"),
        ("<td>John</td><td>Smith</td>", "John\nSmith"),
        ("Jos&eacute;&nbsp;Smith", "José\u{a0}Smith"),
        ("<pre>a  b\n c</pre>", "a  b\n c"),
        ("a &lt;b&gt; c < d", "a <b> c < d"),
        ("", ""),
    ] {
        assert_eq!(page(html).text(), text, "{html}");
    }
}

#[test]
fn reads_what_is_carried_along() {
    let html = r#"<!DOCTYPE html><html><head><title>Ana's file</title><meta name="Author" content="Ana Smith">
<script type="application/ld+json">{"name":"Ana"}</script><style>.a{content:"Ana"}</style></head>
<body class="ana" style="color:red"><!-- by Ana --><img src="ana.jpg" alt="Ana in Metz" data-owner=Ana>
<a href="mailto:ana@x.org" title='Write to "Ana"'>mail</a><input value="Ana" placeholder="name">
<a title=Ana Smith>x</a><Ana Smith></body></html>"#;
    let document = page(html);
    let regions: Vec<(RegionKind, &str, &str)> =
        document.regions().iter().map(|r| (r.kind, r.name.as_str(), r.span.of(document.text()))).collect();
    for expected in [
        (RegionKind::Body, "", "mail"),
        (RegionKind::Metadata, "title", "Ana's file"),
        (RegionKind::Metadata, "author", "Ana Smith"),
        (RegionKind::Code, "json", "Ana"),
        (RegionKind::Code, "key", "name"),
        (RegionKind::Code, "style", ".a{content:\"Ana\"}"),
        (RegionKind::Note, "comment", " by Ana "),
        (RegionKind::Attribute, "alt", "Ana in Metz"),
        (RegionKind::Attribute, "attribute", "Ana"),
        (RegionKind::Attribute, "href", "mailto:ana@x.org"),
        (RegionKind::Attribute, "title", "Write to \"Ana\""),
        (RegionKind::Attribute, "value", "Ana"),
        (RegionKind::Attribute, "placeholder", "name"),
        (RegionKind::Attribute, "attribute", "Smith"),
        (RegionKind::Attribute, "tag", "Ana"),
    ] {
        assert!(regions.contains(&expected), "{expected:?}");
    }
    for (name, value) in [("class", "ana"), ("style", "color:red")] {
        assert!(regions.contains(&(RegionKind::Code, name, value)), "{name}");
    }
    assert!(document.unscanned().is_empty());
}

#[test]
fn changes_only_what_is_edited() {
    for (html, words, replacement, expected) in [
        ("<p>Dear Jo<b>hn</b> <i>Smith</i>,", "John Smith", "[A & B]", "<p>Dear [A &amp; B]<b></b><i></i>,"),
        ("<a title=Ana>x</a>", "Ana", "a b", "<a title=a&#32;b>x</a>"),
        ("<a title=Ana href=x>x</a>", "Ana", "", "<a title=&#32; href=x>x</a>"),
        ("<a title=\"Ana\">x</a>", "Ana", "\"a\"", "<a title=\"&quot;a&quot;\">x</a>"),
        ("<!-- Ana -->", "Ana", "-->", "<!-- - -&gt; -->"),
        (
            "<script>var a = \"Ana\"</script>",
            "Ana",
            "</script>\"",
            "<script>var a = \"\\u003c/script\\u003e\\u0022\"</script>",
        ),
        ("<p>Jos&eacute;</p>", "José", "X", "<p>X</p>"),
        ("<p>John\n  Smith</p>", "John Smith", "X", "<p>X</p>"),
        ("<a title=x Smith>", "Smith", "[A]>", "<a title=x [A]->"),
    ] {
        assert_eq!(replace(html, words, replacement), expected);
    }
}

#[test]
fn refuses_to_cut_an_entity_that_is_several_characters() {
    // U+2261 U+20E5 are one entity.
    let html = "a&bnequiv;b";
    let document = page(html);
    let edit = Edit { span: Span::new(0, 4), replacement: String::new() };
    assert!(encode(FormatKind::Html, &document, html.as_bytes(), &[edit]).is_err());
}

#[test]
fn names_pictures_in_addresses() {
    let document = page("<body background='data:image/png;base64,AAAA'>x");
    assert_eq!(document.unscanned(), ["data: address"]);
}

#[test]
fn reads_structured_data_string_by_string() {
    let html = r#"<script type="application/ld+json">{"@type": "Person", "@context": "https://schema.org", "name": "Jos\u00e9 \"Pepe\" Ruiz", "phone": 447700900461}</script>"#;
    let document = page(html);
    assert_eq!(document.text(), "Person\nname\nJosé \"Pepe\" Ruiz\nphone\n447700900461");
    assert!(
        replace(html, "José \"Pepe\" Ruiz", "\"</script>")
            .contains(r#""name": "\u0022\u003c/script\u003e","#)
    );
    assert!(replace(html, "447700900461", "[PHONE_NUMBER]").contains("\"phone\": 0}"));
    // What is no JSON is read as it stands.
    assert_eq!(page("<script type=\"application/json\">{name: 'Ana'}</script>").text(), "{name: 'Ana'}");
}

#[test]
fn leaves_document_types_alone_unless_they_say_more() {
    for html in ["<!DOCTYPE html>", "<!doctype  html >", "<!DOCTYPE html PUBLIC '-//W3C//DTD HTML 4.01//EN'>"]
    {
        assert_eq!(page(html).text(), "", "{html}");
    }
    for html in ["<!DOCTYPE html Ana>", "<!DOCTYPE html SYSTEM \"ana.dtd\">", "<!doctype ana>"] {
        assert!(page(html).text().to_lowercase().contains("ana"), "{html}");
    }
}

#[test]
fn reads_what_percent_signs_in_addresses_stand_for() {
    let html = "<a href=\"mailto:a@x.org?subject=Ana%20Ru%c3%adz\">x</a><img src=https://x.org/Ana%20Ruiz>";
    assert_eq!(page(html).text(), "x\nmailto:a@x.org?subject=Ana Ruíz\nhttps://x.org/Ana%20Ruiz");
    assert!(replace(html, "Ana Ruíz", "[PERSON]").contains("?subject=[PERSON]\">"));
}

#[test]
fn writes_into_the_markup_of_what_is_replaced() {
    let html = "<p>born on <time>3 July 1962</time>, by <b>Al</b> Ng";
    assert_eq!(replace(html, "on 3 July 1962", "in 1962"), "<p>born <time>in 1962</time>, by <b>Al</b> Ng");
    assert_eq!(replace(html, "Al Ng", "[P]"), "<p>born on <time>3 July 1962</time>, by <b>[P]</b>");
}
