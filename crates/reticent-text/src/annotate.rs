//! From a document to its layers.

mod remembering;

use std::sync::OnceLock;

use remembering::Remembering;

use crate::noun_phrase::{Chunker, NounPhraseModel, spanish};
use crate::tag::Tagger;
use crate::{Document, Error, ErrorKind, Language, Layer, Layers, SentenceSplitter, Tokenizer};

/// Something that adds a layer to what is known of a document.
///
/// The family: [`SentenceSplitter`], [`Tokenizer`], [`PartOfSpeech`] and [`Chunker`]. A member
/// reads the layers that it [requires](Annotator::requires) and fills those that it
/// [provides](Annotator::provides), nothing else; it has no state that outlives a document, so that
/// the same document always gets the same layers.
///
/// To add a member: name its layer in [`Layer`], give [`Layers`] a field for it, implement this
/// trait in a file of its own, and add it to [`Analyzer::new`], which checks that all that it
/// requires comes before it. An error must never contain text of the document.
pub trait Annotator: Send + Sync {
    /// Its name, for errors.
    fn name(&self) -> &'static str;

    /// The layers that must be there before.
    fn requires(&self) -> &'static [Layer];

    /// The layers that are there afterwards.
    fn provides(&self) -> &'static [Layer];

    /// Fills its layers.
    fn annotate(&self, document: &Document, layers: &mut Layers) -> Result<(), Error>;
}

/// Annotators in an order that works.
pub struct Analyzer {
    annotators: Vec<Box<dyn Annotator>>,
}

impl Analyzer {
    /// With these annotators, in this order.
    pub fn new(annotators: Vec<Box<dyn Annotator>>) -> Result<Self, Error> {
        let mut there: Vec<Layer> = Vec::new();
        for annotator in &annotators {
            if let Some(missing) = annotator.requires().iter().find(|layer| !there.contains(layer)) {
                let name = annotator.name();
                let message = format!("the annotator `{name}` requires the layer {missing:?}");
                return Err(Error::new(ErrorKind::Model, message));
            }
            there.extend_from_slice(annotator.provides());
        }
        Ok(Self { annotators })
    }

    /// With all that this crate has, and the models that are shipped in it.
    ///
    /// ```
    /// use reticent_text::{Analyzer, Document, Language};
    /// let analyzer = Analyzer::shipped()?;
    /// let document = Document::plain("note", "The old man met Ana Ruiz in New York.");
    /// let layers = analyzer.analyze(&document, None)?;
    /// assert_eq!(layers.language, Language::English);
    /// let phrases: Vec<_> = layers.noun_phrases.iter().map(|span| span.of(document.text())).collect();
    /// assert_eq!(phrases, ["The old man", "Ana Ruiz", "New York"]);
    /// # Ok::<(), reticent_text::Error>(())
    /// ```
    pub fn shipped() -> Result<Self, Error> {
        Self::new(vec![
            Box::new(SentenceSplitter),
            Box::new(Tokenizer),
            Box::new(PartOfSpeech),
            Box::new(Chunker),
        ])
    }

    /// Sentences, tokens and tags, for many short texts: a sentence that stands in several is cut and tagged once. It keeps
    /// up to some hundred thousand sentences in memory. The layers are the same.
    pub fn for_short_texts() -> Result<Self, Error> {
        Self::new(vec![Box::new(SentenceSplitter), Box::<Remembering>::default()])
    }

    /// The layers of a document, in a language that is given or else detected.
    pub fn analyze(&self, document: &Document, language: Option<Language>) -> Result<Layers, Error> {
        let language = language.unwrap_or_else(|| Language::detect(document.prose()));
        let mut layers = Layers::new(language);
        for annotator in &self.annotators {
            annotator.annotate(document, &mut layers)?;
        }
        layers.words = Vec::new();
        layers.tokens.shrink_to_fit();
        Ok(layers)
    }
}

/// Tags tokens with the shipped model of the document's language.
///
/// Without a model for the language, tokens keep [`Tag::UNKNOWN`](crate::Tag::UNKNOWN).
#[derive(Clone, Copy, Debug, Default)]
pub struct PartOfSpeech;

impl Annotator for PartOfSpeech {
    fn name(&self) -> &'static str {
        "tags"
    }

    fn requires(&self) -> &'static [Layer] {
        &[Layer::Sentences, Layer::Tokens]
    }

    fn provides(&self) -> &'static [Layer] {
        &[Layer::Tags]
    }

    fn annotate(&self, document: &Document, layers: &mut Layers) -> Result<(), Error> {
        let tagger = match layers.language {
            Language::English => english_tagger()?,
            Language::Spanish => spanish_tagger()?,
            Language::Other => return Ok(()),
        };
        tagger.tag_layers(document.text(), layers);
        if layers.language == Language::Spanish {
            let sentences: Vec<_> = layers.sentence_tokens().collect();
            for range in sentences {
                spanish::tag_names(&mut layers.tokens[range], document.text());
            }
        }
        Ok(())
    }
}

type Shipped<T> = OnceLock<Result<T, Error>>;

/// The shipped English tagger, read when it is first asked for.
pub fn english_tagger() -> Result<&'static Tagger, Error> {
    static MODEL: Shipped<Tagger> = OnceLock::new();
    let model = MODEL.get_or_init(|| Tagger::read(include_bytes!("../models/english-tagger.bin")));
    model.as_ref().map_err(Clone::clone)
}

/// The shipped Spanish tagger, read when it is first asked for.
pub fn spanish_tagger() -> Result<&'static Tagger, Error> {
    static MODEL: Shipped<Tagger> = OnceLock::new();
    let model = MODEL.get_or_init(|| Tagger::read(include_bytes!("../models/spanish-tagger.bin")));
    model.as_ref().map_err(Clone::clone)
}

/// The shipped model of English noun phrases, read when it is first asked for.
pub fn english_noun_phrases() -> Result<&'static NounPhraseModel, Error> {
    static MODEL: Shipped<NounPhraseModel> = OnceLock::new();
    let model = MODEL.get_or_init(|| NounPhraseModel::read(include_bytes!("../models/english-chunker.bin")));
    model.as_ref().map_err(Clone::clone)
}

#[cfg(test)]
mod tests;
