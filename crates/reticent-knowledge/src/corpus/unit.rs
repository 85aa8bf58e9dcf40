//! Units: what "together" means.

use std::fmt;

use reticent_text::{Annotator, Document, Error, Language, Layers, RegionKind, SentenceSplitter, Span};

/// What is counted, and within what terms are together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Unit {
    /// The whole document.
    #[default]
    Document,
    /// A field, a paragraph of a format, or what blank lines separate.
    Paragraph,
    /// A sentence.
    Sentence,
}

impl Unit {
    /// All of them, by the number that files remember.
    pub(super) const ALL: [Self; 3] = [Self::Document, Self::Paragraph, Self::Sentence];

    /// Its name: `document`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Document => "document",
            Self::Paragraph => "paragraph",
            Self::Sentence => "sentence",
        }
    }

    /// The stretches of a document that no term goes across, in order; all but of [`Unit::Document`] are
    /// units of their own.
    ///
    /// Only what a reader sees is knowledge: no addresses of links, properties, scripts.
    pub(super) fn stretches(self, document: &Document) -> Result<Vec<Span>, Error> {
        let seen = |kind| matches!(kind, RegionKind::Body | RegionKind::Note);
        let regions = document.regions().iter().filter(|region| seen(region.kind)).map(|region| region.span);
        if self != Self::Sentence {
            return Ok(regions.flat_map(|region| paragraphs(document.text(), region)).collect());
        }
        let mut layers = Layers::new(Language::Other);
        SentenceSplitter.annotate(document, &mut layers)?;
        let regions: Vec<Span> = regions.collect();
        let mut sentences = layers.sentences;
        sentences.retain(|sentence| {
            let at = regions.partition_point(|region| region.end < sentence.end);
            regions.get(at).is_some_and(|region| region.contains(*sentence))
        });
        Ok(sentences)
    }
}

impl fmt::Display for Unit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// What blank lines separate.
fn paragraphs(text: &str, region: Span) -> impl Iterator<Item = Span> {
    let mut at = region.start;
    std::iter::from_fn(move || {
        let mut start = None;
        while at < region.end {
            let line = &text[at..region.end];
            let length = line.find('\n').map_or(line.len(), |end| end + 1);
            let blank = line[..length].trim().is_empty();
            match start {
                None if !blank => start = Some(at),
                Some(start) if blank => return Some(Span::new(start, at)),
                _ => {}
            }
            at += length;
        }
        start.map(|start| Span::new(start, region.end))
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn split(unit: Unit, text: &str) -> Vec<&str> {
        let document = Document::plain("d", text);
        unit.stretches(&document).unwrap().into_iter().map(|span| span.of(text)).collect()
    }

    #[test]
    fn blank_lines_separate_paragraphs_and_others_do_not() {
        assert_eq!(
            split(Unit::Paragraph, "one\ntwo\n \n\nthree\r\n\r\nfour"),
            ["one\ntwo\n", "three\r\n", "four"]
        );
        assert_eq!(split(Unit::Paragraph, "one\ntwo"), ["one\ntwo"]);
        assert!(split(Unit::Paragraph, " \n\n").is_empty());
    }

    #[test]
    fn sentences_are_those_of_the_splitter() {
        assert_eq!(
            split(Unit::Sentence, "He saw Dr. Smith. She did not."),
            ["He saw Dr. Smith.", "She did not."]
        );
    }

    proptest! {
        #[test]
        fn no_word_is_lost(text in "[ab .\\n\\r]{0,60}") {
            for unit in Unit::ALL {
                let letters = |text: &str| text.chars().filter(|c| c.is_alphabetic()).collect::<String>();
                prop_assert_eq!(letters(&split(unit, &text).concat()), letters(&text));
            }
        }
    }
}
