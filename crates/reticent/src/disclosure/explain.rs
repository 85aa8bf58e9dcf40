//! All that is counted of one term.

use reticent_text::Language;
use serde::Serialize;

use super::parts::Parts;
use super::terms::rungs;
use super::{Corpus, Told};
use crate::Error;
use crate::policy::{Disclosure, Subject};

/// The disclosure of a term and its possible replacements.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Explanation {
    /// The term.
    pub term: String,
    /// In how many documents it is written; nothing if in none.
    pub documents: Option<u64>,
    /// The information content `IC`, in bits.
    pub ic: Option<f64>,
    /// The disclosure about each secret.
    pub subjects: Vec<Telling>,
    /// The possible replacements, most specific first.
    pub rungs: Vec<RungTelling>,
    /// The index of the chosen replacement; `None` if the term may stay, or if no replacement is safe.
    pub chosen: Option<usize>,
}

/// The disclosure about one secret.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Telling {
    /// The name of the secret.
    pub subject: String,
    /// The most specific generalization that may be revealed.
    pub at_most: Option<String>,
    /// `PMI` of its most disclosive part; `None` if it is unknown to the corpus or never co-occurs with the secret.
    pub bits: Option<f64>,
    /// The maximum disclosure allowed, in bits.
    pub bound: f64,
    /// `true` if it exceeds the bound.
    pub risky: bool,
    /// `true` if a part of it is unknown to the corpus.
    pub unknown: bool,
}

/// The disclosure of a replacement.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RungTelling {
    /// The replacement.
    pub text: String,
    /// `IC`.
    pub ic: Option<f64>,
    /// The disclosure about each secret.
    pub subjects: Vec<Telling>,
}

/// Explains the disclosure of a single term; in combination with other terms it may be higher.
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
