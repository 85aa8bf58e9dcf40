//! All that is counted of one term.

use reticent_text::Language;
use serde::Serialize;

use super::parts::Parts;
use super::terms::rungs;
use super::{Corpus, Told};
use crate::Error;
use crate::policy::{Disclosure, Subject};

/// What a term tells, and what would be said instead.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Explanation {
    /// The term.
    pub term: String,
    /// In how many documents it is written; nothing if in none.
    pub documents: Option<u64>,
    /// `IC`: how much is told by saying it, in bits.
    pub ic: Option<f64>,
    /// What it tells of each secret.
    pub subjects: Vec<Telling>,
    /// What could be said instead, most specific first.
    pub rungs: Vec<RungTelling>,
    /// Which of these is said, counted from 0: nothing if the term itself may stay, or if none may be said.
    pub chosen: Option<usize>,
}

/// What is told of one secret.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Telling {
    /// What it is called.
    pub subject: String,
    /// What may be told at most.
    pub at_most: Option<String>,
    /// `PMI`, by the most telling of its words; nothing if the corpus does not know it, or never with the subject.
    pub bits: Option<f64>,
    /// How many bits may be told.
    pub bound: f64,
    /// Whether it may not be said.
    pub risky: bool,
    /// Whether the corpus says nothing of a part of it.
    pub unknown: bool,
}

/// What a rung tells.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RungTelling {
    /// What would be said.
    pub text: String,
    /// `IC`.
    pub ic: Option<f64>,
    /// What it tells of each secret.
    pub subjects: Vec<Telling>,
}

/// Tells all of a term by itself; what it tells together with others depends on these.
pub fn explain(
    corpus: &Corpus,
    subjects: &[Subject],
    settings: &Disclosure,
    term: &str,
    language: Language,
) -> Result<Explanation, Error> {
    corpus.check_language(language)?;
    let measure = corpus.measure(corpus.counts(), subjects, settings)?;
    let mut parts = Parts::new(&measure, language);
    let of_term = tellings(&mut parts, term)?;
    let mut told = Vec::new();
    for rung in rungs(term, corpus.taxonomy(), &measure, &mut parts)? {
        let subjects = tellings(&mut parts, &rung.text)?;
        told.push(RungTelling { ic: measure.ic(&[&rung.text])?, text: rung.text, subjects });
    }
    let bad = |tellings: &[Telling]| tellings.iter().any(|telling| telling.risky);
    let fit = |rung: &RungTelling| !bad(&rung.subjects) && !rung.subjects.iter().any(|told| told.unknown);
    let best = told
        .iter()
        .enumerate()
        .filter(|(_, rung)| fit(rung))
        .max_by(|(i, a), (j, b)| a.ic.unwrap_or(0.0).total_cmp(&b.ic.unwrap_or(0.0)).then(j.cmp(i)));
    let chosen = best.map(|(at, _)| at).filter(|_| bad(&of_term));
    Ok(Explanation {
        term: term.to_owned(),
        documents: measure.written(&[term])?,
        ic: measure.ic(&[term])?,
        subjects: of_term,
        rungs: told,
        chosen,
    })
}

fn tellings(parts: &mut Parts<'_, '_>, phrase: &str) -> Result<Vec<Telling>, Error> {
    let numbers = parts.of(phrase)?;
    let measure = parts.measure;
    let mut tellings = Vec::new();
    for (at, secret) in measure.secrets().enumerate() {
        let mut telling = Telling {
            subject: secret.names().first().cloned().unwrap_or_default(),
            at_most: secret.at_most().map(str::to_owned),
            bits: None,
            bound: measure.bound(at),
            risky: false,
            unknown: numbers.is_empty(),
        };
        for number in &numbers {
            let part = parts.get(*number);
            telling.risky |= part.names == Some(at);
            match measure.told(at, &[&part.text])? {
                Told::Unknown => telling.unknown = true,
                Told::Bits { bits, too_much } => {
                    telling.risky |= too_much;
                    if bits.is_finite() && telling.bits.is_none_or(|most| bits > most) {
                        telling.bits = Some(bits);
                    }
                }
            }
        }
        tellings.push(telling);
    }
    Ok(tellings)
}
