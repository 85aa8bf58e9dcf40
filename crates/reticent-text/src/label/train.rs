//! From annotated documents to a labeller.

use super::attribute::Sources;
use super::crf::{self, Model, Sequence};
use super::labeller::{Calibration, Header, Labelled, Labeller};
use super::lists::{ListSources, Lists};
use super::rules::Rules;
use super::scheme::{Run, Scheme};
use super::template::Templates;
use super::tokens::Tokens;
use crate::{Document, Error, ErrorKind, Language, Layers, Span};

/// An annotated document.
pub struct Example {
    /// The document.
    pub document: Document,
    /// Its layers.
    pub layers: Layers,
    /// What is in it: where, and of what kind.
    pub entities: Vec<(Span, String)>,
}

/// How to train.
pub struct TrainOptions {
    /// The language of the examples.
    pub language: Language,
    /// What to look at.
    pub templates: Templates,
    /// Lists and clusters that templates name.
    pub lists: ListSources,
    /// How the field learns.
    pub field: crf::Options,
    /// What it is trained on, in words: kept in the file.
    pub trained_on: String,
}

/// How far training is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Progress {
    /// So many rules were learnt.
    Rules(usize),
    /// The features of so many documents were computed.
    Features(usize),
    /// A step of the field, and the value that falls.
    Step(usize, f64),
}

/// A trained labeller, and what could not be used.
pub struct Trained {
    /// The file.
    pub bytes: Vec<u8>,
    /// Entities that were left out because another covers a part of them, or because they cross lines.
    pub left_out: usize,
}

/// Trains a labeller on examples; `held_out` are examples to calibrate its probabilities on.
pub fn train(
    examples: &[Example],
    held_out: &[Example],
    options: &TrainOptions,
    mut seen: impl FnMut(Progress),
) -> Result<Trained, Error> {
    if examples.is_empty() {
        return Err(Error::new(ErrorKind::Model, "there is no example to learn from"));
    }
    let kinds = examples.iter().flat_map(|example| &example.entities).map(|(_, kind)| kind.clone());
    let scheme = Scheme::new(kinds)?;
    let mut left_out = 0;
    let prepared: Vec<(Tokens<'_>, Vec<Run>)> = examples
        .iter()
        .map(|example| {
            let tokens = Tokens::new(&example.document, &example.layers, options.templates.unit());
            let runs = runs(&tokens, &example.entities, &scheme, &mut left_out);
            (tokens, runs)
        })
        .collect();
    let uses_rules = options.templates.uses_rules();
    let (rules, verdicts) =
        if uses_rules { Rules::learn(&prepared, &scheme)? } else { (Rules::default(), Vec::new()) };
    if uses_rules {
        seen(Progress::Rules(rules.rules().len()));
    }
    let mut list_bytes = Vec::new();
    Lists::write(&options.lists, &mut list_bytes);
    let names: Vec<String> = options.lists.lists.iter().map(|(name, _)| name.clone()).collect();
    let (lists, _) = Lists::open(std::sync::Arc::new(list_bytes.clone()), 0, names.clone())?;
    let mut sequences = Vec::new();
    for (number, (tokens, runs)) in prepared.iter().enumerate() {
        let verdict = verdicts.get(number).map_or(&[][..], Vec::as_slice);
        let sources = Sources { language: options.language, lists: &lists, rules: verdict };
        sequences.extend(of_document(tokens, runs, &options.templates, &sources));
        seen(Progress::Features(number + 1));
    }
    let weights =
        crf::train(&sequences, &scheme, &options.field, |step, value| seen(Progress::Step(step, value)));
    drop(sequences);
    let model = Model::write(&weights);
    let mut header = Header {
        language: options.language.code().to_owned(),
        kinds: scheme.kinds().to_vec(),
        templates: options.templates.source().to_owned(),
        lists: names,
        rules: rules.into_rules(),
        calibration: Calibration::default(),
        trained_on: options.trained_on.clone(),
    };
    let mut bytes = Labeller::write(&header, &list_bytes, &model)?;
    if !held_out.is_empty() {
        header.calibration = calibrate(&Labeller::open(bytes)?, held_out);
        bytes = Labeller::write(&header, &list_bytes, &model)?;
    }
    Ok(Trained { bytes, left_out })
}

/// Entities as runs of tokens: the longest first, none that overlaps one before.
pub(super) fn runs(
    tokens: &Tokens<'_>,
    entities: &[(Span, String)],
    scheme: &Scheme,
    left_out: &mut usize,
) -> Vec<Run> {
    let mut order: Vec<&(Span, String)> = entities.iter().collect();
    order.sort_by_key(|(span, kind)| (std::cmp::Reverse(span.len()), span.start, kind));
    let mut taken = vec![false; tokens.spans.len()];
    let mut runs = Vec::new();
    for (span, kind) in order {
        match (tokens.covered(*span), scheme.kind(kind)) {
            (Some(covered), Some(kind)) if !taken[covered.clone()].contains(&true) => {
                taken[covered.clone()].fill(true);
                runs.push(Run { tokens: covered, kind });
            }
            _ => *left_out += 1,
        }
    }
    runs.sort_by_key(|run| run.tokens.start);
    runs
}

fn of_document(
    tokens: &Tokens<'_>,
    runs: &[Run],
    templates: &Templates,
    sources: &Sources<'_>,
) -> Vec<Sequence> {
    let states = Scheme::states_of(tokens.spans.len(), runs);
    let mut features: Vec<Vec<u64>> = vec![Vec::new(); tokens.spans.len()];
    templates.each(tokens, sources, |token, feature| features[token].push(feature));
    let filled = tokens.sequences.iter().filter(|sequence| !sequence.is_empty());
    filled
        .map(|sequence| {
            let mut own = Sequence { states: states[sequence.clone()].to_vec(), ..Sequence::default() };
            for token in sequence.clone() {
                own.features.append(&mut features[token]);
                own.ends.push(u32::try_from(own.features.len()).unwrap_or(u32::MAX));
            }
            own
        })
        .collect()
}

/// Fits the curve from probabilities to being right.
fn calibrate(labeller: &Labeller, held_out: &[Example]) -> Calibration {
    let mut points: Vec<(f64, f64)> = Vec::new();
    for example in held_out {
        for Labelled { span, kind, probability } in labeller.label(&example.document, &example.layers) {
            let name = &labeller.kinds()[kind];
            let right = example.entities.iter().any(|(gold, kind)| *gold == span && kind == name);
            let p = f64::from(probability.clamp(1e-6, 1.0 - 1e-6));
            points.push(((p / (1.0 - p)).ln(), f64::from(u8::from(right))));
        }
    }
    fit(&points)
}

/// The curve that fits points (log-odds, and whether it was right) best, by Newton's method on the
/// log-likelihood.
pub(super) fn fit(points: &[(f64, f64)]) -> Calibration {
    let (mut slope, mut shift) = (1.0f64, 0.0f64);
    for _ in 0..50 {
        // A weak pull to the identity keeps few points from leading far away.
        let (mut g0, mut g1) = (slope - 1.0, shift);
        let (mut h00, mut h01, mut h11) = (1.0, 0.0, 1.0);
        for (x, right) in points {
            let p = 1.0 / (1.0 + (-(slope * x + shift)).exp());
            let weight = p * (1.0 - p);
            g0 += (p - right) * x;
            g1 += p - right;
            h00 += weight * x * x;
            h01 += weight * x;
            h11 += weight;
        }
        let determinant = h00 * h11 - h01 * h01;
        let (d0, d1) = ((h11 * g0 - h01 * g1) / determinant, (h00 * g1 - h01 * g0) / determinant);
        slope -= d0;
        shift -= d1;
        if d0.abs() + d1.abs() < 1e-9 {
            break;
        }
    }
    #[allow(clippy::cast_possible_truncation)]
    let small = |x: f64| if x.is_finite() { x as f32 } else { 0.0 };
    if slope > 0.0 {
        Calibration { slope: small(slope), shift: small(shift) }
    } else {
        Calibration::default()
    }
}
