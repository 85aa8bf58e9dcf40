//! All that is counted of one term.

use reticent_text::Language;
use serde::Serialize;

use super::parts::Parts;
use super::terms::rungs;
use super::{Corpus, Standing};
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
    /// All that names the secret, its kinds or its instances.
    pub names: Vec<String>,
    /// What is broader than what may be revealed.
    pub broader: Vec<String>,
    /// `PMI` of its most disclosive part; `None` if it is unknown to the corpus or never co-occurs with the secret.
    pub bits: Option<f64>,
    /// The maximum disclosure allowed, in bits.
    pub bound: f64,
    /// `true` if it exceeds the bound.
    pub risky: bool,
    /// `true` if the corpus says too little of a part of it.
    pub unknown: bool,
    /// `true` if a part of it names the secret, or hardly ever occurs without it.
    pub named: bool,
    /// The words of the combination that reveals most, if it is one of several terms.
    pub combination: Vec<String>,
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

/// Explains the disclosure of a term, alone or in combination with others. In combination with further terms it may be
/// higher.
pub fn explain(
    corpus: &Corpus,
    subjects: &[Subject],
    settings: &Disclosure,
    term: &str,
    with: &[String],
    language: Language,
) -> Result<Explanation, Error> {
    corpus.check_language(language)?;
    let measure = corpus.measure(corpus.counts(), subjects, settings)?;
    let mut parts = Parts::new(&measure, language).with_taxonomy(corpus.taxonomy());
    let of_term = tellings(&mut parts, term, with)?;
    let mut told = Vec::new();
    for rung in rungs(term, corpus.taxonomy(), &measure, &mut parts)? {
        let subjects = tellings(&mut parts, &rung.text, with)?;
        told.push(RungTelling { ic: measure.ic(&[&rung.text])?, text: rung.text, subjects });
    }
    let bad = |tellings: &[Telling]| tellings.iter().any(|telling| telling.risky);
    let fit = |rung: &RungTelling| !bad(&rung.subjects) && !rung.subjects.iter().any(|told| told.unknown);
    let best = told
        .iter()
        .enumerate()
        .filter(|(_, rung)| fit(rung))
        .max_by(|(i, a), (j, b)| a.ic.unwrap_or(0.0).total_cmp(&b.ic.unwrap_or(0.0)).then(j.cmp(i)));
    let chosen = best.map(|(at, _)| at).filter(|_| bad(&of_term) || of_term.iter().any(|told| told.unknown));
    Ok(Explanation {
        term: term.to_owned(),
        documents: measure.written(&[term])?,
        ic: measure.ic(&[term])?,
        subjects: of_term,
        rungs: told,
        chosen,
    })
}

/// What a phrase reveals of each secret, by itself or with other phrases: the most that any of its parts does.
fn tellings(parts: &mut Parts<'_, '_>, phrase: &str, with: &[String]) -> Result<Vec<Telling>, Error> {
    let numbers = parts.of(phrase)?;
    let mut others = Vec::new();
    for phrase in with {
        others.extend(parts.of(phrase)?);
    }
    others.retain(|other| !numbers.contains(other));
    let measure = parts.measure;
    let mut tellings: Vec<Telling> = measure
        .secrets()
        .map(|secret| Telling {
            subject: secret.names().first().cloned().unwrap_or_default(),
            at_most: secret.at_most().map(str::to_owned),
            names: secret.names().to_vec(),
            broader: secret.broader().to_vec(),
            bits: None,
            bound: f64::INFINITY,
            risky: false,
            unknown: numbers.is_empty(),
            named: false,
            combination: Vec::new(),
        })
        .collect();
    for view in 0..measure.len() {
        let telling = &mut tellings[measure.secret(view)];
        telling.bound = telling.bound.min(measure.bound(view));
        for number in &numbers {
            let part = parts.get(*number);
            telling.named |= part.names == Some(measure.secret(view));
            for (_, standing, tally) in part.standing().filter(|(at, ..)| *at == view) {
                telling.risky |= standing == Standing::Risky;
                telling.unknown |= standing == Standing::Unknown || tally.is_none();
                raise(telling, tally.map(|tally| measure.bits(tally)), &[]);
            }
            for other in &others {
                let pair = [*number, *other];
                let both = parts.with_secret(view, &pair)?;
                let Some(tally) = parts.tally(view, &pair, both, u64::MAX)? else { continue };
                let words = pair.map(|part| parts.get(part).text.clone());
                telling.risky |= both > 0 && measure.is_too_much(view, tally);
                let little = parts.lift(view, &pair).is_none_or(|lift| lift <= measure.most_lift(view));
                telling.unknown |= measure.is_confident() && !little && !measure.shows(view, tally);
                raise(telling, Some(measure.bits(tally)), &words);
            }
        }
        telling.risky |= telling.named;
    }
    Ok(tellings)
}

/// Keeps the most that is revealed.
fn raise(telling: &mut Telling, bits: Option<f64>, words: &[String]) {
    if let Some(bits) = bits.filter(|bits| bits.is_finite())
        && telling.bits.is_none_or(|most| bits > most)
    {
        telling.bits = Some(bits);
        telling.combination = words.to_vec();
    }
}
