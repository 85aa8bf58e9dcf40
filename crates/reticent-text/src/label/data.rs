//! Annotated documents as others write them: brat, `CoNLL` and i2b2.

use std::fmt::Write as _;

use crate::{Document, Error, ErrorKind, OffsetUnit, Offsets, Span};

/// A document with what is in it.
pub type Annotated = (Document, Vec<(Span, String)>);

/// Reads a text and its brat annotations (`T1⇥KIND 5 8⇥Ana`). A span in several pieces counts from its
/// first to its last; other lines (relations, notes) are passed over.
pub fn brat(id: &str, text: &str, annotations: &str) -> Result<Annotated, Error> {
    let offsets = Offsets::new(text, OffsetUnit::Chars);
    let mut entities = Vec::new();
    for (number, line) in (1..).zip(annotations.lines()) {
        let refuse = |message: &str| Error::new(ErrorKind::Malformed, message).at_line(number);
        let Some(rest) = line.strip_prefix('T') else { continue };
        let mut columns = rest.split('\t').skip(1);
        let place = columns.next().ok_or_else(|| refuse("the annotation has no place"))?;
        let mut parts = place.split([' ', ';']);
        let kind = parts
            .next()
            .filter(|kind| !kind.is_empty())
            .ok_or_else(|| refuse("the annotation has no kind"))?;
        let numbers: Result<Vec<usize>, _> = parts.map(str::parse).collect();
        let numbers = numbers.map_err(|_| refuse("the annotation's place is no number"))?;
        let span = match (numbers.first(), numbers.last()) {
            (Some(start), Some(end)) if start < end => offsets.inside(*start, *end),
            _ => None,
        };
        let span = span.ok_or_else(|| refuse("the annotation lies outside of the text"))?;
        entities.push((span, kind.to_owned()));
    }
    Ok((Document::plain(id, text), entities))
}

/// Reads tokens with labels in columns (BIO or IOB1), a blank line after each sentence. Each sentence is
/// a line of the document, its tokens with blanks between.
pub fn conll(id: &str, lines: &str) -> Result<Annotated, Error> {
    let mut text = String::new();
    let mut entities: Vec<(Span, String)> = Vec::new();
    let mut open: Option<(usize, usize, String)> = None;
    let mut fresh = true;
    for (number, line) in (1..).zip(lines.lines()) {
        let columns: Vec<&str> = line.split_whitespace().collect();
        let (Some(token), Some(label)) = (columns.first(), columns.last()) else {
            entities.extend(open.take().map(|(start, end, kind)| (Span::new(start, end), kind)));
            if !fresh {
                text.push('\n');
            }
            fresh = true;
            continue;
        };
        if *token == "-DOCSTART-" {
            continue;
        }
        if columns.len() < 2 {
            let message = "a token has no label: columns are separated by blanks";
            return Err(Error::new(ErrorKind::Malformed, message).at_line(number));
        }
        if !fresh {
            text.push(' ');
        }
        fresh = false;
        let start = text.len();
        text.push_str(token);
        // Plain B and I tell no kind.
        let (mark, kind) = label.split_once('-').unwrap_or((label, "ENTITY"));
        if kind.is_empty() {
            let message = "a label has no kind after its dash";
            return Err(Error::new(ErrorKind::Malformed, message).at_line(number));
        }
        match mark {
            "O" => entities.extend(open.take().map(|(start, end, kind)| (Span::new(start, end), kind))),
            "B" | "I" | "S" | "E" | "U" | "L" => {
                let goes_on =
                    matches!(mark, "I" | "E" | "L") && open.as_ref().is_some_and(|(_, _, open)| open == kind);
                if goes_on {
                    if let Some(open) = &mut open {
                        open.1 = text.len();
                    }
                } else {
                    entities.extend(open.take().map(|(start, end, kind)| (Span::new(start, end), kind)));
                    open = Some((start, text.len(), kind.to_owned()));
                }
            }
            _ => {
                let message = "a label is neither O nor begins with B- or I-";
                return Err(Error::new(ErrorKind::Malformed, message).at_line(number));
            }
        }
    }
    entities.extend(open.take().map(|(start, end, kind)| (Span::new(start, end), kind)));
    Ok((Document::plain(id, text), entities))
}

/// Reads the XML of the i2b2 de-identification tasks: `<TEXT>` in CDATA, and under `<TAGS>` elements
/// with `start`, `end` and `TYPE` in code points.
pub fn i2b2(id: &str, xml: &str) -> Result<Annotated, Error> {
    use quick_xml::events::Event;
    let refuse = |message: &str| Error::new(ErrorKind::Malformed, message);
    let mut reader = quick_xml::Reader::from_str(xml);
    let mut text = String::new();
    let mut tags: Vec<(usize, usize, String)> = Vec::new();
    let (mut in_text, mut in_tags) = (false, false);
    loop {
        match reader.read_event().map_err(|_| refuse("the file is no XML"))? {
            Event::Eof => break,
            Event::Start(element) => match element.name().as_ref() {
                "TEXT" => in_text = true,
                "TAGS" => in_tags = true,
                _ if in_tags => tags.push(i2b2_tag(&element)?),
                _ => {}
            },
            Event::Empty(element) if in_tags => tags.push(i2b2_tag(&element)?),
            Event::End(element) => match element.name().as_ref() {
                "TEXT" => in_text = false,
                "TAGS" => in_tags = false,
                _ => {}
            },
            Event::CData(data) if in_text => text.push_str(&data),
            Event::Text(data) if in_text => text.push_str(&data),
            Event::GeneralRef(name) if in_text => {
                let known = quick_xml::escape::resolve_xml_entity(&name);
                let number = name.resolve_char_ref().ok().flatten();
                match (known, number) {
                    (Some(known), _) => text.push_str(known),
                    (None, Some(c)) => text.push(c),
                    (None, None) => return Err(refuse("the text has an entity that XML does not know")),
                }
            }
            _ => {}
        }
    }
    let offsets = Offsets::new(&text, OffsetUnit::Chars);
    let mut entities = Vec::new();
    for (start, end, kind) in tags {
        let span = offsets.inside(start, end).filter(|span| !span.is_empty());
        entities.push((span.ok_or_else(|| refuse("a tag lies outside of the text"))?, kind));
    }
    Ok((Document::plain(id, text), entities))
}

fn i2b2_tag(element: &quick_xml::events::BytesStart<'_>) -> Result<(usize, usize, String), Error> {
    let refuse = || Error::new(ErrorKind::Malformed, "a tag has no start, end or TYPE");
    let value = |name: &str| {
        let found = element.try_get_attribute(name).ok().flatten()?;
        Some(found.value.into_owned())
    };
    let number = |name: &str| value(name).and_then(|value| value.parse().ok()).ok_or_else(refuse);
    Ok((number("start")?, number("end")?, value("TYPE").ok_or_else(refuse)?))
}

/// Writes labelled sentences as `CoNLL`: token, blank, BIO label.
#[must_use]
pub fn write_conll(text: &str, entities: &[(Span, &str)]) -> String {
    let mut order: Vec<(Span, &str)> = entities.to_vec();
    order.sort_by_key(|(span, _)| (span.start, span.end));
    let mut left: &[(Span, &str)] = &order;
    let mut out = String::new();
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        for token in super::segment(text, Span::new(start, start + line.len())) {
            while let [first, rest @ ..] = left
                && first.0.end <= token.start
            {
                left = rest;
            }
            let near = left.iter().take_while(|(span, _)| span.start <= token.start);
            let inside = near.into_iter().find(|(span, _)| span.contains(token));
            let label = match inside {
                None => "O".to_owned(),
                Some((span, kind)) if span.start == token.start => format!("B-{kind}"),
                Some((_, kind)) => format!("I-{kind}"),
            };
            let _ = writeln!(out, "{}\t{label}", token.of(text));
        }
        out.push('\n');
        start += line.len();
    }
    out
}

/// The lines of a `CoNLL` file with a column more: our labels, for its own tokens. A token has the label of
/// what covers its beginning.
#[must_use]
pub fn label_conll(lines: &str, document: &Document, found: &[(Span, &str, f32)]) -> String {
    let mut order: Vec<(Span, &str, f32)> = found.to_vec();
    order.sort_by_key(|(span, ..)| (span.start, span.end));
    let mut left: &[(Span, &str, f32)] = &order;
    let mut out = String::new();
    let mut at = 0;
    let mut before: Option<Span> = None;
    for line in lines.lines() {
        let Some(token) = line.split_whitespace().next().filter(|token| *token != "-DOCSTART-") else {
            out.push('\n');
            before = None;
            continue;
        };
        let start = at + document.text()[at..].find(token).unwrap_or(0);
        at = start + token.len();
        while let [first, rest @ ..] = left
            && first.0.end <= start
        {
            left = rest;
        }
        let inside = left.first().filter(|(span, ..)| span.start < at);
        let label = match inside {
            None => "O".to_owned(),
            Some((span, kind, _)) if before == Some(*span) => format!("I-{kind}"),
            Some((_, kind, _)) => format!("B-{kind}"),
        };
        before = inside.map(|(span, ..)| *span);
        let _ = writeln!(out, "{line}\t{label}");
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_brat_in_code_points() {
        let (document, entities) =
            brat("d", "né à Metz\tici", "T1\tPLACE 5 9\tMetz\nR1\tx\n#1\tnote\n").unwrap();
        assert_eq!(entities, [(Span::new(7, 11), "PLACE".to_owned())]);
        assert_eq!(entities[0].0.of(document.text()), "Metz");
        let (_, pieces) = brat("d", "a b c", "T1\tX 0 1;4 5\ta c\n").unwrap();
        assert_eq!(pieces[0].0, Span::new(0, 5));
    }

    #[test]
    fn refuses_bad_brat_by_line() {
        for bad in ["T1\tX 0 99\ta", "T1\tX a b\ta", "T1\tX\ta", "T1", "T1\tX 3 1\t"] {
            let error = brat("d", "some text", bad).unwrap_err();
            assert!(error.to_string().contains("line 1"), "{bad}: {error}");
        }
    }

    #[test]
    fn reads_lines_that_end_as_windows_ends_them() {
        let (document, entities) = brat("d", "uno\r\nAna\r\n", "T1\tX 5 8\tAna\r\n").unwrap();
        assert_eq!(entities[0].0.of(document.text()), "Ana");
        let (document, entities) = conll("d", "Ana\tB-X\r\nva\tO\r\n\r\nOK\tO\r\n").unwrap();
        assert_eq!((document.text(), entities.len()), ("Ana va\nOK", 1));
    }

    #[test]
    fn empty_files_have_nothing() {
        assert!(brat("d", "", "").unwrap().1.is_empty());
        assert!(conll("d", "").unwrap().1.is_empty() && conll("d", "\n\n").unwrap().0.text().is_empty());
        assert!(i2b2("d", "<a><TEXT></TEXT><TAGS/></a>").unwrap().1.is_empty());
    }

    #[test]
    fn keeps_overlapping_spans_for_the_trainer_to_choose() {
        let (_, entities) = brat("d", "Ana Ruiz", "T1\tX 0 8\tAna Ruiz\nT2\tY 4 8\tRuiz\n").unwrap();
        assert_eq!(entities.len(), 2);
        let spans: Vec<(Span, &str)> = entities.iter().map(|(span, kind)| (*span, kind.as_str())).collect();
        assert_eq!(write_conll("Ana Ruiz", &spans), "Ana\tB-X\nRuiz\tI-X\n\n");
    }

    #[test]
    fn labels_without_a_kind_are_entities_or_refused() {
        assert_eq!(conll("d", "Ana B\nRuiz I\n").unwrap().1[0].1, "ENTITY");
        assert!(conll("d", "Ana B-\n").is_err());
    }

    #[test]
    fn reads_both_kinds_of_conll() {
        let (document, entities) =
            conll("d", "Ana\tI-PER\nRuiz\tI-PER\nsaw O\nRome\tB-LOC\nParis\tB-LOC\n\nOK O\n").unwrap();
        let found: Vec<(&str, &str)> =
            entities.iter().map(|(span, kind)| (span.of(document.text()), kind.as_str())).collect();
        assert_eq!(found, [("Ana Ruiz", "PER"), ("Rome", "LOC"), ("Paris", "LOC")]);
        assert_eq!(document.text(), "Ana Ruiz saw Rome Paris\nOK");
        assert!(conll("d", "Ana\n").is_err() && conll("d", "Ana\tX-PER\n").is_err());
    }

    #[test]
    fn reads_i2b2() {
        let xml = "<?xml version=\"1.0\"?><deIdi2b2><TEXT><![CDATA[Señor Ruiz & co]]></TEXT><TAGS><NAME id=\"P0\" start=\"6\" end=\"10\" text=\"Ruiz\" TYPE=\"PATIENT\"/></TAGS></deIdi2b2>";
        let (document, entities) = i2b2("d", xml).unwrap();
        assert_eq!(entities[0].0.of(document.text()), "Ruiz");
        assert_eq!(entities[0].1, "PATIENT");
        assert!(
            i2b2("d", "<a><TEXT>x</TEXT><TAGS><N start=\"0\" end=\"9\" TYPE=\"X\"/></TAGS></a>").is_err()
        );
        assert!(i2b2("d", "<a").is_err());
    }

    #[test]
    fn what_is_written_reads_the_same() {
        let text = "Ana Ruiz saw Rome\nand left";
        let entities = [(Span::new(0, 8), "PER"), (Span::new(13, 17), "LOC")];
        let (again, read) = conll("d", &write_conll(text, &entities)).unwrap();
        assert_eq!(again.text().trim_end(), text);
        assert_eq!(read.len(), 2);
    }
}
