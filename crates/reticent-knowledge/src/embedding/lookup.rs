//! What comes of looking for a vector.

/// A vector, and how it was found.
#[derive(Clone, PartialEq)]
pub struct Found {
    /// As many numbers as the dimension.
    pub vector: Vec<f32>,
    /// How it was found.
    pub how: How,
}

/// The way in which a vector was found.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum How {
    /// The term has a vector of its own.
    Whole,
    /// From the sequences of letters that it is made of.
    Subwords,
    /// The mean of its words' vectors, each as long as one and weighed by information content.
    Composed {
        /// The words that had no vector, by their place in the term from 0. What the vector says does
        /// not hold for them.
        missing: Vec<usize>,
    },
    /// From text about it, not from the term itself.
    Gloss,
    /// From its sentence.
    Context,
    /// By a source that looks at sentences, but without one: the term was taken as a sentence of its own.
    Alone,
}

/// The result of looking up a vector.
#[derive(Clone, Debug, PartialEq)]
pub enum Lookup {
    /// There is one.
    Found(Found),
    /// There is none. Never to be taken for unlike everything.
    Unknown,
}

/// The similarity of two terms.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Similarity {
    /// The cosine of their vectors, from -1 to 1.
    Cosine(f32),
    /// One of them has no vector. Never to be treated as zero.
    Unknown,
}

impl Lookup {
    /// The cosine of two vectors, if there are two.
    pub fn similarity(&self, other: &Self) -> Similarity {
        match (self, other) {
            (Self::Found(one), Self::Found(other)) => cosine(&one.vector, &other.vector),
            _ => Similarity::Unknown,
        }
    }

    /// Returns whether there is no vector.
    pub fn is_unknown(&self) -> bool {
        matches!(self, Self::Unknown)
    }
}

/// Tells nothing of the vector: from it a term could be guessed.
impl std::fmt::Debug for Found {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Found").field("how", &self.how).finish_non_exhaustive()
    }
}

/// The cosine of two vectors. A vector of nothing but zeros has no direction, nor are vectors of several
/// dimensions comparable: that is unknown.
///
/// ```
/// use reticent_knowledge::embedding::{Similarity, cosine};
/// assert_eq!(cosine(&[1.0, 0.0], &[0.0, 2.0]), Similarity::Cosine(0.0));
/// assert_eq!(cosine(&[1.0, 0.0], &[0.0, 0.0]), Similarity::Unknown);
/// ```
pub fn cosine(one: &[f32], other: &[f32]) -> Similarity {
    let lengths = dot(one, one).sqrt() * dot(other, other).sqrt();
    if one.len() != other.len() || !lengths.is_finite() || lengths <= 0.0 {
        return Similarity::Unknown;
    }
    #[allow(clippy::cast_possible_truncation)]
    let cosine = (dot(one, other) / lengths) as f32;
    Similarity::Cosine(cosine.clamp(-1.0, 1.0))
}

/// In double precision, so that the order of the sum hardly matters.
pub(super) fn dot(one: &[f32], other: &[f32]) -> f64 {
    one.iter().zip(other).map(|(a, b)| f64::from(*a) * f64::from(*b)).sum()
}

/// The same vector with length one; nothing if it has no direction.
pub(super) fn unit(mut vector: Vec<f32>) -> Option<Vec<f32>> {
    let length = dot(&vector, &vector).sqrt();
    if !length.is_finite() || length <= 0.0 {
        return None;
    }
    #[allow(clippy::cast_possible_truncation)]
    for x in &mut vector {
        *x = (f64::from(*x) / length) as f32;
    }
    Some(vector)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn unknown_is_never_zero() {
        let known = Lookup::Found(Found { vector: vec![1.0, 2.0], how: How::Whole });
        assert_eq!(known.similarity(&Lookup::Unknown), Similarity::Unknown);
        assert_eq!(Lookup::Unknown.similarity(&known), Similarity::Unknown);
        assert_eq!(cosine(&[], &[]), Similarity::Unknown);
        assert_eq!(cosine(&[1.0], &[1.0, 1.0]), Similarity::Unknown);
        assert_eq!(cosine(&[f32::NAN], &[1.0]), Similarity::Unknown);
    }

    #[test]
    fn tells_nothing_of_the_vector() {
        assert!(!format!("{:?}", Found { vector: vec![0.125], how: How::Whole }).contains("125"));
    }

    proptest! {
        #[test]
        fn cosine_is_symmetric_and_bounded(one in prop::collection::vec(-9.0f32..9.0, 5), other in prop::collection::vec(-9.0f32..9.0, 5)) {
            let both = cosine(&one, &other);
            prop_assert_eq!(both, cosine(&other, &one));
            if let Similarity::Cosine(cosine) = both {
                prop_assert!((-1.0..=1.0).contains(&cosine));
            }
        }
    }
}
