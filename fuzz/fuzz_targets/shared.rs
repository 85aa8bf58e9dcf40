//! What must hold for any bytes in any format: no panic, and only edited bytes change.

use reticent_text::format::{FormatKind, Limits, decode, encode};
use reticent_text::{Edit, Escape};

/// Reads bytes, gives them back, and replaces each piece that the first byte picks.
#[allow(dead_code)]
pub fn check(kind: FormatKind, bytes: &[u8]) {
    let limits = Limits { max_bytes: 1 << 20, max_expanded: 1 << 22, ..Limits::default() };
    let Ok(document) = decode(kind, "fuzz", bytes, &limits) else { return };
    assert!(encode(kind, &document, bytes, &[]).unwrap() == bytes, "bytes change without edits");
    let pieces = document.source().pieces();
    let pick = usize::from(bytes.first().copied().unwrap_or(0));
    let Some(piece) = pieces.get(pick % pieces.len().max(1)) else { return };
    let edit = Edit { span: piece.text, replacement: "[PERSON]".to_owned() };
    let Ok(out) = encode(kind, &document, bytes, &[edit]) else {
        // Markdown may refuse; an element such as a tabulator cannot be written to.
        assert!(kind == FormatKind::Markdown || piece.escape == Escape::Erase, "an edit of a piece is refused");
        return;
    };
    if kind != FormatKind::Docx {
        assert!(out.starts_with(&bytes[..piece.source.start]), "bytes before the edit change");
        assert!(out.ends_with(&bytes[piece.source.end..]), "bytes after the edit change");
    }
    let again = decode(kind, "fuzz", &out, &limits).expect("the result can be read");
    // Without its host, an address is read by its percent signs; `release` reads again and compares.
    let host = document.text()[piece.text.start..piece.text.end].contains("://");
    if kind == FormatKind::Html && !host && matches!(piece.escape, Escape::Markup | Escape::Attribute | Escape::Unquoted) {
        let mut meant = document.text().to_owned();
        meant.replace_range(piece.text.start..piece.text.end, "[PERSON]");
        let words = |text: &str| text.chars().filter(|c| c.is_alphanumeric()).collect::<String>();
        assert!(words(again.text()) == words(&meant), "the result reads otherwise");
    }
}

/// Copies rows, and replaces the whole text of each.
#[allow(dead_code)]
pub fn check_rows(format: reticent_text::format::rows::RowFormat, bytes: &[u8]) {
    use reticent_text::format::rows::{Fields, RowReader};
    let fields = Fields { text: vec!["a".into()], id: Some("b".into()), ..Fields::default() };
    let Ok(mut reader) = RowReader::new(format, fields, bytes, &Limits::default()) else { return };
    let (mut copy, mut whole) = (reader.header().to_vec(), true);
    for row in reader.by_ref() {
        let Ok(row) = row else {
            whole = false;
            continue;
        };
        copy.extend(row.encode(&[], &[]).unwrap());
        let edits: Vec<Edit> = row
            .document
            .source()
            .pieces()
            .iter()
            .map(|piece| Edit { span: piece.text, replacement: "\",\n".to_owned() })
            .collect();
        assert!(row.encode(&edits, &[("edits", "[]".to_owned())]).is_ok(), "an edit of a piece is refused");
    }
    copy.extend_from_slice(reader.trailer());
    assert!(!whole || copy == bytes, "bytes change without edits");
}

/// A released text is the original with the changes that it tells, and no others.
#[allow(dead_code)]
pub fn check_released(text: &str, released: &reticent::Released) {
    let mut expected = String::new();
    let mut done = 0;
    for edit in released.edits() {
        expected.push_str(&text[done..edit.span.start]);
        expected.push_str(&edit.replacement);
        done = edit.span.end;
    }
    expected.push_str(&text[done..]);
    assert!(released.text() == expected, "the released text is not what its changes tell");
}
