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
        let place = columns.next().ok_or_else(|| refuse("the annotation has no offsets"))?;
        let mut parts = place.split([' ', ';']);
        let kind = parts
            .next()
            .filter(|kind| !kind.is_empty())
            .ok_or_else(|| refuse("the annotation has no type"))?;
        let numbers: Result<Vec<usize>, _> = parts.map(str::parse).collect();
        let numbers = numbers.map_err(|_| refuse("the annotation's offset is not a number"))?;
        let span = match (numbers.first(), numbers.last()) {
            (Some(start), Some(end)) if start < end => offsets.inside(*start, *end),
            _ => None,
        };
        let span = span.ok_or_else(|| refuse("the annotation lies outside the text"))?;
        entities.push((span, kind.to_owned()));
    }
    Ok((Document::plain(id, text), entities))
}

/// Reads tokens with labels in columns (BIO or IOB1), a blank line after each sentence. Each sentence is
/// a line of its document, its tokens with blanks between.
///
/// A document begins at each line `-DOCSTART-`. A file that has none tells no documents apart: it is cut after
/// every 100 sentences, so that some of it can be held out. The texts one after the other are that of the file.
///
/// ```
/// use reticent_text::label::data::conll;
/// let read = conll("news", "-DOCSTART- O\n\nAna B-PER\nleft O\n\n-DOCSTART- O\n\nRome B-LOC\n").unwrap();
/// assert_eq!(read.len(), 2);
/// assert_eq!(read[0].0.text(), "Ana left\n");
/// assert!(conll("news", "Ana\n").unwrap_err().to_string().contains("line 1"));
/// ```
pub fn conll(id: &str, lines: &str) -> Result<Vec<Annotated>, Error> {
    let mut is_marked = lines.lines().map(|line| line.split_whitespace().next());
    let longest = if is_marked.any(|first| first == Some(START)) { usize::MAX } else { SENTENCES };
    let mut file = Columns { id, ..Columns::default() };
    for (number, line) in (1..).zip(lines.lines()) {
        let columns: Vec<&str> = line.split_whitespace().collect();
        match (columns.first(), columns.last()) {
            (Some(&START), _) => {
                file.end_sentence();
                file.end_document();
            }
            (Some(token), Some(label)) if columns.len() > 1 => {
                file.token(token, label)
                    .map_err(|message| Error::new(ErrorKind::Malformed, message).at_line(number))?;
            }
            (Some(_), _) => {
                let message = "a token has no label: columns are separated by whitespace";
                return Err(Error::new(ErrorKind::Malformed, message).at_line(number));
            }
            (None, _) => {
                file.end_sentence();
                if file.sentences >= longest {
                    file.end_document();
                }
            }
        }
    }
    file.close();
    file.end_document();
    Ok(file.documents)
}

/// What begins a document in a `CoNLL` file.
const START: &str = "-DOCSTART-";
/// So many sentences are a document where the file does not say.
const SENTENCES: usize = 100;

/// A `CoNLL` file as far as it is read.
#[derive(Default)]
struct Columns<'f> {
    id: &'f str,
    documents: Vec<Annotated>,
    text: String,
    entities: Vec<(Span, String)>,
    /// The entity that the next token may belong to.
    open: Option<(Span, String)>,
    /// Whether the sentence has a token.
    begun: bool,
    /// Sentences of the document.
    sentences: usize,
}

impl Columns<'_> {
    fn token(&mut self, token: &str, label: &str) -> Result<(), &'static str> {
        if self.begun {
            self.text.push(' ');
        }
        self.begun = true;
        let start = self.text.len();
        self.text.push_str(token);
        // Plain B and I tell no kind.
        let (mark, kind) = label.split_once('-').unwrap_or((label, "ENTITY"));
        if kind.is_empty() {
            return Err("a label has no type after the hyphen");
        }
        match mark {
            "O" => self.close(),
            "I" | "E" | "L" if self.open.as_ref().is_some_and(|(_, open)| open == kind) => {
                if let Some((span, _)) = &mut self.open {
                    span.end = self.text.len();
                }
            }
            "B" | "I" | "S" | "E" | "U" | "L" => {
                self.close();
                self.open = Some((Span::new(start, self.text.len()), kind.to_owned()));
            }
            _ => return Err("a label must be O or start with B- or I-"),
        }
        Ok(())
    }

    fn close(&mut self) {
        self.entities.extend(self.open.take());
    }

    fn end_sentence(&mut self) {
        self.close();
        if self.begun {
            self.text.push('\n');
            self.sentences += 1;
        }
        self.begun = false;
    }

    /// Ends the document, if it has anything.
    fn end_document(&mut self) {
        if self.text.is_empty() {
            return;
        }
        let id = format!("{}#{}", self.id, self.documents.len() + 1);
        let text = std::mem::take(&mut self.text);
        self.documents.push((Document::plain(&id, text), std::mem::take(&mut self.entities)));
        self.sentences = 0;
    }
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
        match reader.read_event().map_err(|_| refuse("the file is not valid XML"))? {
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
                    (None, None) => return Err(refuse("the text has an undefined XML entity")),
                }
            }
            _ => {}
        }
    }
    let offsets = Offsets::new(&text, OffsetUnit::Chars);
    let mut entities = Vec::new();
    for (start, end, kind) in tags {
        let span = offsets.inside(start, end).filter(|span| !span.is_empty());
        entities.push((span.ok_or_else(|| refuse("a tag lies outside the text"))?, kind));
    }
    Ok((Document::plain(id, text), entities))
}

fn i2b2_tag(element: &quick_xml::events::BytesStart<'_>) -> Result<(usize, usize, String), Error> {
    let refuse = || Error::new(ErrorKind::Malformed, "a tag lacks start, end or TYPE");
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

/// A `CoNLL` file with a column more: our labels, for its own tokens; blank lines stay as they are. A token has the
/// label of what covers its beginning. `text` is that of the file's documents one after the other.
#[must_use]
pub fn label_conll(lines: &str, text: &str, found: &[(Span, &str, f32)]) -> String {
    let mut order: Vec<(Span, &str, f32)> = found.to_vec();
    order.sort_by_key(|(span, ..)| (span.start, span.end));
    let mut left: &[(Span, &str, f32)] = &order;
    let mut out = String::new();
    let mut at = 0;
    let mut before: Option<Span> = None;
    for line in lines.split_inclusive('\n') {
        let row = line.trim_end_matches(['\r', '\n']);
        let label = match row.split_whitespace().next() {
            None => None,
            Some(START) => Some("O".to_owned()),
            Some(token) => {
                let start = at + text[at..].find(token).unwrap_or(0);
                at = start + token.len();
                while let [first, rest @ ..] = left
                    && first.0.end <= start
                {
                    left = rest;
                }
                let inside = left.first().filter(|(span, ..)| span.start < at);
                let goes_on = before.is_some() && before == inside.map(|(span, ..)| *span);
                before = inside.map(|(span, ..)| *span);
                Some(match inside {
                    None => "O".to_owned(),
                    Some((_, kind, _)) if goes_on => format!("I-{kind}"),
                    Some((_, kind, _)) => format!("B-{kind}"),
                })
            }
        };
        out.push_str(row);
        if let Some(label) = label {
            let _ = write!(out, "\t{label}");
        } else {
            before = None;
        }
        out.push_str(&line[row.len()..]);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The only document of a file.
    fn one(lines: &str) -> Annotated {
        let mut read = conll("d", lines).unwrap();
        assert_eq!(read.len(), 1);
        read.remove(0)
    }

    #[test]
    fn cuts_files_into_documents() {
        let sentence = "Ana B-X\nva O\n\n";
        let cut = |lines: &str| -> Vec<usize> {
            conll("d", lines).unwrap().iter().map(|(_, entities)| entities.len()).collect()
        };
        assert_eq!(cut(&sentence.repeat(100)), [100]);
        assert_eq!(cut(&sentence.repeat(250)), [100, 100, 50]);
        // Where the file says, it says so alone; blank lines more or less are nothing.
        let start = "-DOCSTART- -X- O\n";
        assert_eq!(cut(&format!("{start}\n{}{start}{sentence}{start}\n", sentence.repeat(250))), [250, 1]);
        assert_eq!(cut(&format!("Ana B-X\n{start}Ruiz I-X\n")), [1, 1]);
        assert_eq!(cut(&format!("{}\n\n\n{sentence}", sentence.repeat(99))), [100]);
    }

    #[test]
    fn labels_files_and_changes_nothing_else() {
        let file = "-DOCSTART- O\n\nAna\tNP O\r\nRuiz  NP O\n \n-DOCSTART- O\nAna NP O";
        let text: String =
            conll("d", file).unwrap().iter().map(|(document, _)| document.text().to_owned()).collect();
        assert_eq!(text, "Ana Ruiz\nAna");
        let found = [(Span::new(0, 8), "X", 1.0), (Span::new(9, 12), "X", 1.0)];
        assert_eq!(
            label_conll(file, &text, &found),
            "-DOCSTART- O\tO\n\nAna\tNP O\tB-X\r\nRuiz  NP O\tI-X\n \n-DOCSTART- O\tO\nAna NP O\tB-X"
        );
    }

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
        let (document, entities) = one("Ana\tB-X\r\nva\tO\r\n\r\nOK\tO\r\n");
        assert_eq!((document.text(), entities.len()), ("Ana va\nOK", 1));
    }

    #[test]
    fn empty_files_have_nothing() {
        assert!(brat("d", "", "").unwrap().1.is_empty());
        assert!(conll("d", "").unwrap().is_empty() && conll("d", "\n\n-DOCSTART-\n").unwrap().is_empty());
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
        assert_eq!(one("Ana B\nRuiz I\n").1[0].1, "ENTITY");
        assert!(conll("d", "Ana B-\n").is_err());
    }

    #[test]
    fn reads_both_kinds_of_conll() {
        let (document, entities) = one("Ana\tI-PER\nRuiz\tI-PER\nsaw O\nRome\tB-LOC\nParis\tB-LOC\n\nOK O\n");
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
        let (again, read) = one(&write_conll(text, &entities));
        assert_eq!(again.text().trim_end(), text);
        assert_eq!(read.len(), 2);
    }
}
