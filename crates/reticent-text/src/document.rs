//! A document: text, where it came from, and what is known of its parts.

use std::fmt;

use std::sync::Arc;

use crate::{Folded, Language, Layers, Source, Span};

/// What a stretch of the text is in its format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum RegionKind {
    /// What a reader sees first: prose, headings, cells.
    Body,
    /// Notes at the margin: headers, footers, footnotes, comments.
    Note,
    /// Values of attributes, addresses of links, alternative text.
    Attribute,
    /// Properties of the file: author, company, title.
    Metadata,
    /// Text that is not prose: code, scripts, style sheets.
    Code,
    /// A field of a row besides its main text: a value whose label is the name of the region.
    Field,
}

/// A named stretch of the text: a field of a row, a property of a file, a paragraph.
///
/// Sentences and noun phrases never cross the border of a region.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Region {
    /// The span.
    pub span: Span,
    /// The type.
    pub kind: RegionKind,
    /// Its name in the format (`author`, `alt`, a column), empty for the body.
    pub name: String,
}

impl Region {
    /// The label of a [`RegionKind::Field`] as a form would write it: `author email` for `author.email`, `patient Name`
    /// for `patientName`. Empty for all other regions.
    ///
    /// ```
    /// use reticent_text::{Region, RegionKind, Span};
    /// let region = |kind, name: &str| Region { span: Span::new(0, 0), kind, name: name.to_owned() };
    /// assert_eq!(region(RegionKind::Field, "visits[].startDate").label(), "visits start Date");
    /// assert_eq!(region(RegionKind::Body, "text").label(), "");
    /// ```
    #[must_use]
    pub fn label(&self) -> String {
        let mut label = String::new();
        if self.kind != RegionKind::Field {
            return label;
        }
        let mut before = ' ';
        for c in self.name.chars() {
            let new_word = before.is_lowercase() && c.is_uppercase();
            if (new_word || !c.is_alphanumeric()) && !label.is_empty() && !label.ends_with(' ') {
                label.push(' ');
            }
            if c.is_alphanumeric() {
                label.push(c);
            }
            before = c;
        }
        label.truncate(label.trim_end().len());
        label
    }
}

/// A text to be looked at, with a map back to the bytes that it came from.
///
/// `Debug` shows the identifier and the length, never the text.
///
/// ```
/// use reticent_text::Document;
/// let letter = Document::plain("letter", "Dear Ana");
/// assert_eq!(letter.text(), "Dear Ana");
/// assert!(!format!("{letter:?}").contains("Ana"));
/// ```
#[derive(Clone)]
pub struct Document {
    id: String,
    text: String,
    source: Source,
    regions: Vec<Region>,
    unscanned: Vec<String>,
    language: Language,
    layers: Option<Layers>,
    folded_from: Option<Arc<(String, Folded)>>,
    person: Option<String>,
}

impl Document {
    /// A document that is its own source.
    pub fn plain(id: impl Into<String>, text: impl Into<String>) -> Self {
        let text = text.into();
        let source = Source::identity(&text);
        let regions =
            vec![Region { span: Span::new(0, text.len()), kind: RegionKind::Body, name: String::new() }];
        Self::new(id, text, source, regions)
    }

    /// A document read from a format. Regions are in order and do not overlap.
    pub fn new(id: impl Into<String>, text: String, source: Source, regions: Vec<Region>) -> Self {
        debug_assert!(regions.windows(2).all(|pair| pair[0].span.end <= pair[1].span.start));
        Self {
            id: id.into(),
            text,
            source,
            regions,
            unscanned: Vec::new(),
            language: Language::default(),
            layers: None,
            folded_from: None,
            person: None,
        }
    }

    /// Adds what the format holds but no text stands for: pictures, embedded objects.
    #[must_use]
    pub fn with_unscanned(mut self, parts: Vec<String>) -> Self {
        self.unscanned = parts;
        self
    }

    /// Adds a key that is the same for all documents about one person and different for others. It is not released.
    #[must_use]
    pub fn with_person(mut self, person: Option<String>) -> Self {
        self.person = person;
        self
    }

    /// The key of the person whom the document is about, if one was given.
    #[must_use]
    pub fn person(&self) -> Option<&str> {
        self.person.as_deref()
    }

    /// The same, as the folded view of this text.
    pub(crate) fn with_original(mut self, text: &str, folded: Folded) -> Self {
        self.folded_from = Some(Arc::new((text.to_owned(), folded)));
        self
    }

    /// The original text and the map to it, if this document is a folded view.
    #[must_use]
    pub fn original(&self) -> Option<(&str, &Folded)> {
        self.folded_from.as_deref().map(|(text, folded)| (text.as_str(), folded))
    }

    /// Its name: a path, or the identifier of a row.
    #[must_use]
    pub fn id(&self) -> &str {
        &self.id
    }

    /// The whole text.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The text that shows the language: without the fields of a row beside its main text, unless there is nothing else.
    #[must_use]
    pub fn prose(&self) -> &str {
        let main = self.regions.iter().take_while(|region| region.kind != RegionKind::Field);
        match main.last() {
            Some(last) if self.regions.len() > 1 && !self.text[..last.span.end].trim().is_empty() => {
                &self.text[..last.span.end]
            }
            _ => &self.text,
        }
    }

    /// The map back to the bytes.
    #[must_use]
    pub fn source(&self) -> &Source {
        &self.source
    }

    /// The regions, in order.
    #[must_use]
    pub fn regions(&self) -> &[Region] {
        &self.regions
    }

    /// Parts of the source that were not looked at, since they hold no text (pictures, embedded
    /// objects, thumbnails): a report must name them. In order, without repetition.
    #[must_use]
    pub fn unscanned(&self) -> &[String] {
        &self.unscanned
    }

    /// A span of the document as a span within its region's text; nothing if it crosses a border.
    ///
    /// ```
    /// use reticent_text::{Document, Span};
    /// let letter = Document::plain("letter", "Dear Ana");
    /// let (region, within) = letter.locate(Span::new(5, 8)).unwrap();
    /// assert_eq!((region.name.as_str(), within), ("", Span::new(5, 8)));
    /// ```
    #[must_use]
    pub fn locate(&self, span: Span) -> Option<(&Region, Span)> {
        let region = self.region_at(span.start).filter(|region| region.span.contains(span))?;
        Some((region, Span::new(span.start - region.span.start, span.end - region.span.start)))
    }

    /// The language of the text, once it is known.
    #[must_use]
    pub fn language(&self) -> Language {
        self.language
    }

    /// Says which language it is.
    pub fn set_language(&mut self, language: Language) {
        self.language = language;
    }

    /// Sentences, tokens and noun phrases, if the text was analysed.
    #[must_use]
    pub fn layers(&self) -> Option<&Layers> {
        self.layers.as_ref()
    }

    /// Keeps what the analysis found.
    pub fn set_layers(&mut self, layers: Layers) {
        self.language = layers.language;
        self.layers = Some(layers);
    }

    /// Drops the layers, which take more room than the text, once nothing needs them any more.
    pub fn drop_layers(&mut self) {
        self.layers = None;
    }

    /// The region in which a span begins.
    #[must_use]
    pub fn region_at(&self, at: usize) -> Option<&Region> {
        let after = self.regions.partition_point(|region| region.span.start <= at);
        self.regions[..after].last().filter(|region| at < region.span.end)
    }
}

impl fmt::Debug for Document {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Document")
            .field("id", &self.id)
            .field("bytes", &self.text.len())
            .finish_non_exhaustive()
    }
}
