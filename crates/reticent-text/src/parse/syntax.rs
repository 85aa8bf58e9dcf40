//! The trees of a document, made when they are asked for.

use std::sync::{Mutex, OnceLock, PoisonError};

use super::network::Room;
use super::segment::{Segment, segments};
use super::words::pieces;
use super::{Parser, Tree};
use crate::{Document, Error, Language, Layers, Span};

/// The syntax of a document: its sentences are parsed when their trees are asked for, and only then.
///
/// ```
/// use reticent_text::parse::Syntax;
/// use reticent_text::{Analyzer, Document};
/// let document = Document::plain("note", "The old man met Ana in Lugo.");
/// let layers = Analyzer::shipped()?.analyze(&document, None)?;
/// let syntax = Syntax::new(&document, &layers)?;
/// let tree = syntax.tree(0).unwrap();
/// let root = tree.word(tree.root());
/// assert_eq!(root.span.of(document.text()), "met");
/// # Ok::<(), reticent_text::Error>(())
/// ```
pub struct Syntax<'a> {
    text: &'a str,
    layers: &'a Layers,
    parser: Option<&'static Parser>,
    segments: Vec<Segment>,
    trees: Vec<OnceLock<Tree>>,
    room: Mutex<Room>,
}

impl<'a> Syntax<'a> {
    /// Prepares the syntax of a document from its sentences, tokens and tags. Nothing is parsed yet.
    pub fn new(document: &'a Document, layers: &'a Layers) -> Result<Self, Error> {
        let parser = match layers.language {
            Language::English => Some(english_parser()?),
            Language::Spanish => Some(spanish_parser()?),
            Language::Other => None,
        };
        let segments = segments(document.text(), layers);
        let trees = std::iter::repeat_with(OnceLock::new).take(segments.len()).collect();
        Ok(Self { text: document.text(), layers, parser, segments, trees, room: Mutex::default() })
    }

    /// The segments in the order of the text: a tree each.
    #[must_use]
    pub fn segments(&self) -> &[Segment] {
        &self.segments
    }

    /// The segment in which a span lies, or nothing if it crosses the border of one.
    #[must_use]
    pub fn segment_of(&self, span: Span) -> Option<usize> {
        let at = self.segments.partition_point(|segment| segment.span.end <= span.start);
        self.segments.get(at).is_some_and(|segment| segment.span.contains(span)).then_some(at)
    }

    /// The tree of a segment; nothing if there is no such segment, or no parser for the language.
    #[must_use]
    pub fn tree(&self, segment: usize) -> Option<&Tree> {
        let (parser, found) = (self.parser?, self.segments.get(segment)?);
        let tree = self.trees[segment].get_or_init(|| {
            let mut words = Vec::with_capacity(found.tokens.len());
            pieces(self.text, &self.layers.tokens[found.tokens.clone()], self.layers.language, &mut words);
            // Room that a panic left behind is only memory.
            let mut room = self.room.lock().unwrap_or_else(PoisonError::into_inner);
            parser.parse(self.text, &words, &mut room)
        });
        Some(tree)
    }

    /// The text of the document.
    #[must_use]
    pub fn text(&self) -> &'a str {
        self.text
    }

    /// The language.
    #[must_use]
    pub fn language(&self) -> Language {
        self.layers.language
    }
}

impl std::fmt::Debug for Syntax<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let parsed = self.trees.iter().filter(|tree| tree.get().is_some()).count();
        f.debug_struct("Syntax")
            .field("segments", &self.segments.len())
            .field("parsed", &parsed)
            .finish_non_exhaustive()
    }
}

type Shipped = OnceLock<Result<Parser, Error>>;

/// The shipped English parser, read when it is first asked for.
pub fn english_parser() -> Result<&'static Parser, Error> {
    static MODEL: Shipped = OnceLock::new();
    let model = MODEL.get_or_init(|| Parser::read(include_bytes!("../../models/english-parser.bin")));
    model.as_ref().map_err(Clone::clone)
}

/// The shipped Spanish parser, read when it is first asked for.
pub fn spanish_parser() -> Result<&'static Parser, Error> {
    static MODEL: Shipped = OnceLock::new();
    let model = MODEL.get_or_init(|| Parser::read(include_bytes!("../../models/spanish-parser.bin")));
    model.as_ref().map_err(Clone::clone)
}
