//! Language without privacy: spans, documents and their formats, sentences, tokens, tags, noun phrases,
//! dependency trees and the scope of operators. Everything maps back to the bytes it came from.
//!
//! This crate knows nothing of what is private, and touches neither network nor disk.

pub mod annotate;
pub mod document;
pub mod error;
pub mod escape;
pub mod export;
pub mod fold;
pub mod format;
mod grapheme;
pub mod label;
pub mod language;
pub mod layers;
pub mod noun_phrase;
pub mod offsets;
pub mod ordinary;
pub mod parse;
pub mod scope;
pub mod sentence;
pub mod source;
pub mod span;
pub mod tag;
pub mod term;
pub mod token;
pub mod train;

pub use annotate::{Analyzer, Annotator, PartOfSpeech};
pub use document::{Document, Region, RegionKind};
pub use error::{Error, ErrorKind};
pub use escape::Escape;
pub use fold::{Folded, fold};
pub use language::Language;
pub use layers::{Layer, Layers, Token};
pub use noun_phrase::{Chunker, NounPhraseModel};
pub use offsets::{OffsetUnit, Offsets};
pub use ordinary::is_ordinary;
pub use sentence::SentenceSplitter;
pub use source::{Edit, Piece, Source};
pub use span::Span;
pub use tag::{Pos, Tag, Tagger};
pub use term::{Term, is_stop_word};
pub use token::Tokenizer;
