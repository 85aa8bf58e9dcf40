//! A labeller of either kind, told by its file.

use reticent_text::label::{Labelled, Labeller, is_neural};
use reticent_text::{Analyzer, Document};

use crate::failure::Failure;

/// A labeller of either kind.
pub(crate) enum AnyLabeller {
    /// A conditional random field.
    Field(Box<Labeller>),
    /// A neural network.
    #[cfg(feature = "neural")]
    Neural(Box<reticent_text::label::neural::NeuralLabeller>),
}

impl AnyLabeller {
    pub(crate) fn open(bytes: Vec<u8>) -> Result<Self, Failure> {
        if is_neural(&bytes) {
            return open_neural(&bytes);
        }
        Ok(Self::Field(Box::new(Labeller::open(bytes)?)))
    }

    /// The names of the kinds.
    pub(crate) fn kinds(&self) -> &[String] {
        match self {
            Self::Field(labeller) => labeller.kinds(),
            #[cfg(feature = "neural")]
            Self::Neural(labeller) => labeller.kinds(),
        }
    }

    /// What is in a document.
    pub(crate) fn label(&self, document: &Document, analyzer: &Analyzer) -> Result<Vec<Labelled>, Failure> {
        match self {
            Self::Field(labeller) => {
                let layers = analyzer.analyze(document, Some(labeller.language()))?;
                Ok(labeller.label(document, &layers))
            }
            #[cfg(feature = "neural")]
            Self::Neural(labeller) => Ok(labeller.label(document)?),
        }
    }
}

#[cfg(feature = "neural")]
fn open_neural(bytes: &[u8]) -> Result<AnyLabeller, Failure> {
    Ok(AnyLabeller::Neural(Box::new(reticent_text::label::neural::NeuralLabeller::open(bytes)?)))
}

#[cfg(not(feature = "neural"))]
fn open_neural(_: &[u8]) -> Result<AnyLabeller, Failure> {
    Err(super::neural::absent("this labeller is a neural network, which this program was built without"))
}
