//! A labeller of either kind, told by its file.

#[cfg(feature = "neural")]
use super::neural::NeuralLabeller;
use super::{Labelled, Labeller, is_neural};
use crate::{Analyzer, Document, Error, Language, Layers};

/// A labeller of either kind.
#[derive(Debug)]
#[non_exhaustive]
pub enum AnyLabeller {
    /// A conditional random field.
    Field(Box<Labeller>),
    /// A neural network.
    #[cfg(feature = "neural")]
    Neural(Box<NeuralLabeller>),
}

impl AnyLabeller {
    /// Opens the file of a labeller. That of a network is refused in a build without the feature `neural`.
    pub fn open(bytes: Vec<u8>) -> Result<Self, Error> {
        if is_neural(&bytes) {
            return open_neural(&bytes);
        }
        Ok(Self::Field(Box::new(Labeller::open(bytes)?)))
    }

    /// The names of the kinds.
    #[must_use]
    pub fn kinds(&self) -> &[String] {
        match self {
            Self::Field(labeller) => labeller.kinds(),
            #[cfg(feature = "neural")]
            Self::Neural(labeller) => labeller.kinds(),
        }
    }

    /// The language that it was trained for.
    #[must_use]
    pub fn language(&self) -> Language {
        match self {
            Self::Field(labeller) => labeller.language(),
            #[cfg(feature = "neural")]
            Self::Neural(labeller) => labeller.language(),
        }
    }

    /// What is in a document. Layers give a field sentences and tags; a network reads lines as they are. An error
    /// means that the document was not looked at, not that nothing is in it.
    pub fn label(&self, document: &Document, layers: &Layers) -> Result<Vec<Labelled>, Error> {
        match self {
            Self::Field(labeller) => Ok(labeller.label(document, layers)),
            #[cfg(feature = "neural")]
            Self::Neural(labeller) => labeller.label(document),
        }
    }

    /// What is in each of some documents. A network reads lines of like length of all of them at once.
    pub fn label_all(
        &self,
        documents: &[&Document],
        analyzer: &Analyzer,
    ) -> Result<Vec<Vec<Labelled>>, Error> {
        match self {
            Self::Field(labeller) => documents
                .iter()
                .map(|document| {
                    let layers = analyzer.analyze(document, Some(labeller.language()))?;
                    Ok(labeller.label(document, &layers))
                })
                .collect(),
            #[cfg(feature = "neural")]
            Self::Neural(labeller) => labeller.label_all(documents),
        }
    }

    /// How many documents are best given to [`AnyLabeller::label_all`] together: with a field that gains nothing.
    #[must_use]
    pub fn best_together(&self) -> usize {
        match self {
            Self::Field(_) => 1,
            #[cfg(feature = "neural")]
            Self::Neural(_) => 16,
        }
    }
}

#[cfg(feature = "neural")]
fn open_neural(bytes: &[u8]) -> Result<AnyLabeller, Error> {
    Ok(AnyLabeller::Neural(Box::new(NeuralLabeller::open(bytes)?)))
}

#[cfg(not(feature = "neural"))]
fn open_neural(_: &[u8]) -> Result<AnyLabeller, Error> {
    let message = "the NER model is a neural network, which this build does not support";
    Err(Error::new(crate::ErrorKind::Model, message)
        .with_hint("build it with `cargo build --release -p reticent-cli --features neural`"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn refuses_what_is_no_labeller() {
        for bytes in [&b""[..], b"RETLABEL", b"not a labeller at all"] {
            assert!(AnyLabeller::open(bytes.to_vec()).is_err());
        }
    }

    #[cfg(not(feature = "neural"))]
    #[test]
    fn says_what_a_network_needs() {
        let error = AnyLabeller::open(crate::label::NEURAL_MARK.to_vec()).unwrap_err();
        assert!(error.to_string().contains("neural network"), "{error}");
    }
}
