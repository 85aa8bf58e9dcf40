//! From annotated documents to a labeller.

use super::attribute::Sources;
use super::calibrate::Judged;
use super::crf::{self, Model, Sequence};
use super::labeller::{Calibration, Header, Labeller};
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
    /// Where no documents are held out: into so many parts they are cut, each of which is held out of a training once,
    /// to calibrate. With less than two nothing is calibrated.
    pub folds: usize,
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
    /// How its probabilities were calibrated.
    pub calibration: Calibration,
    /// How runs are chosen.
    pub choice: crf::Choice,
}

/// Trains a labeller on examples; `held_out` are examples to calibrate its probabilities on. If there are
/// none, parts of the examples serve as such in further trainings.
pub fn train(
    examples: &[Example],
    held_out: &[Example],
    options: &TrainOptions,
    mut seen: impl FnMut(Progress),
) -> Result<Trained, Error> {
    let all: Vec<&Example> = examples.iter().collect();
    let mut judged = Judged::default();
    if !held_out.is_empty() {
        let learnt = learn(&all, options, &mut seen)?;
        judged.add(&learnt.labeller()?, &held_out.iter().collect::<Vec<_>>());
        return learnt.trained(judged.fit());
    }
    let folds = if (2..=examples.len()).contains(&options.folds) { options.folds } else { 0 };
    for fold in 0..folds {
        let part = |aside: bool| -> Vec<&Example> {
            let own = examples.iter().enumerate().filter(|(number, _)| (number % folds == fold) == aside);
            own.map(|(_, example)| example).collect()
        };
        judged.add(&learn(&part(false), options, &mut seen)?.labeller()?, &part(true));
    }
    learn(&all, options, &mut seen)?.trained(judged.fit())
}

/// What was learnt, before it is known how far to trust it.
struct Learnt {
    header: Header,
    lists: Vec<u8>,
    model: Vec<u8>,
    left_out: usize,
}

impl Learnt {
    /// As it is, to be judged.
    fn labeller(&self) -> Result<Labeller, Error> {
        Labeller::open(Labeller::write(&self.header, &self.lists, &self.model)?)
    }

    fn trained(mut self, (calibration, choice): (Calibration, crf::Choice)) -> Result<Trained, Error> {
        self.header.calibration = calibration;
        (self.header.lean, self.header.least) = (choice.lean, choice.least);
        let bytes = Labeller::write(&self.header, &self.lists, &self.model)?;
        Ok(Trained { bytes, left_out: self.left_out, calibration, choice })
    }
}

fn learn(
    examples: &[&Example],
    options: &TrainOptions,
    seen: &mut impl FnMut(Progress),
) -> Result<Learnt, Error> {
    let Prepared { scheme, sequences, rules, names, list_bytes, left_out } =
        prepare(examples, options, seen)?;
    let weights =
        crf::train(&sequences, &scheme, &options.field, |step, value| seen(Progress::Step(step, value)));
    let header = Header {
        language: options.language.code().to_owned(),
        kinds: scheme.kinds().to_vec(),
        templates: options.templates.source().to_owned(),
        lists: names,
        rules: rules.into_rules(),
        calibration: Calibration::default(),
        lean: 0.0,
        least: 0.0,
        trained_on: options.trained_on.clone(),
    };
    Ok(Learnt { header, lists: list_bytes, model: Model::write(&weights), left_out })
}

/// Examples as the field sees them, and what it took to see them so.
struct Prepared {
    scheme: Scheme,
    sequences: Vec<Sequence>,
    rules: Rules,
    names: Vec<String>,
    list_bytes: Vec<u8>,
    left_out: usize,
}

fn prepare(
    examples: &[&Example],
    options: &TrainOptions,
    seen: &mut impl FnMut(Progress),
) -> Result<Prepared, Error> {
    if examples.is_empty() {
        return Err(Error::new(ErrorKind::Model, "there are no training examples"));
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
        let sources = Sources::new(options.language, &lists, verdict);
        sequences.extend(of_document(tokens, runs, &options.templates, &sources));
        seen(Progress::Features(number + 1));
    }
    drop(lists);
    Ok(Prepared { scheme, sequences, rules, names, list_bytes, left_out })
}

/// Writes the features of examples as other programs read them (`CRFsuite`): a line for each token with its
/// label and the hashes of its features, a blank line after each sequence. Those of `others` are what a
/// labeller trained on the examples would see. It serves to compare.
pub fn write_features(
    examples: &[Example],
    others: &[Example],
    options: &TrainOptions,
    into: &mut impl std::io::Write,
    others_into: &mut impl std::io::Write,
) -> Result<(), Error> {
    let all: Vec<&Example> = examples.iter().collect();
    let prepared = prepare(&all, options, &mut |_| {})?;
    write_sequences(&prepared.sequences, into)?;
    let bytes = std::sync::Arc::new(prepared.list_bytes.clone());
    let (lists, _) = Lists::open(bytes, 0, prepared.names.clone())?;
    for example in others {
        let tokens = Tokens::new(&example.document, &example.layers, options.templates.unit());
        let runs = runs(&tokens, &example.entities, &prepared.scheme, &mut 0);
        let verdict = prepared.rules.values(&tokens);
        let sources = Sources::new(options.language, &lists, &verdict);
        write_sequences(&of_document(&tokens, &runs, &options.templates, &sources), others_into)?;
    }
    Ok(())
}

fn write_sequences(sequences: &[Sequence], into: &mut impl std::io::Write) -> Result<(), Error> {
    let failed = |_| Error::new(ErrorKind::Model, "cannot write the features");
    for sequence in sequences {
        let mut start = 0;
        for (end, state) in sequence.ends.iter().zip(&sequence.states) {
            write!(into, "{state}").map_err(failed)?;
            for feature in &sequence.features[start..*end as usize] {
                write!(into, "\t{feature:x}").map_err(failed)?;
            }
            writeln!(into).map_err(failed)?;
            start = *end as usize;
        }
        writeln!(into).map_err(failed)?;
    }
    Ok(())
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
    templates.each(tokens, sources, |token, feature, copies| {
        features[token].extend(std::iter::repeat_n(feature, copies));
    });
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Analyzer, SentenceSplitter, Tokenizer};

    const TEMPLATES: &str = "sequence = line\nword[-1..1]\nbrief[-2..2]\nnumber\nglued\npiece\nbracket\nabove\n\
                             below\nelsewhere\nfield\nrule\nlists\n";

    fn example(text: String, entities: Vec<(Span, String)>) -> Example {
        let document = Document::plain("d", text);
        let analyzer = Analyzer::new(vec![Box::new(SentenceSplitter), Box::new(Tokenizer)]).unwrap();
        let layers = analyzer.analyze(&document, Some(Language::Spanish)).unwrap();
        Example { document, layers, entities }
    }

    /// Names after `Nombre:`; odd documents have a further span inside, an empty line, and a very long word.
    fn examples() -> Vec<Example> {
        let names = ["Ana", "Ernesto", "Luis", "Marta", "Pedro", "Juan", "Teresa", "Rosa", "Carmen", "Nuria"];
        let one = |(number, name): (usize, &&str)| {
            let text =
                format!("Nombre: {name} Ruiz.\n\n{}\nSin datos: nada.", "x".repeat(10_000 * (number % 2)));
            let whole = (Span::new(8, 8 + name.len() + 5), "NAME".to_owned());
            let inner = (Span::new(8, 8 + name.len()), "FIRST".to_owned());
            example(text, if number % 2 == 1 { vec![whole, inner] } else { vec![whole] })
        };
        names.iter().enumerate().map(one).collect()
    }

    fn options(folds: usize) -> TrainOptions {
        TrainOptions {
            language: Language::Spanish,
            templates: Templates::parse(TEMPLATES).unwrap(),
            lists: ListSources {
                lists: vec![("first".to_owned(), vec!["Ana".to_owned()])],
                ..Default::default()
            },
            folds,
            field: crf::Options { l2: 0.1, ..crf::Options::default() },
            trained_on: String::new(),
        }
    }

    #[test]
    fn learns_leaves_overlaps_out_and_finds_new_names() {
        for folds in [0, 5] {
            let trained = train(&examples(), &[], &options(folds), |_| {}).unwrap();
            assert_eq!(trained.left_out, 5);
            let labeller = Labeller::open(trained.bytes).unwrap();
            let fresh = example("Nombre: Julia Ruiz.\nSin datos: nada.".to_owned(), vec![]);
            let found = labeller.label(&fresh.document, &fresh.layers);
            assert_eq!(found.len(), 1, "{found:?}");
            assert_eq!(found[0].span.of(fresh.document.text()), "Julia Ruiz");
            for text in ["", "\n\n", "\t\t", "nada"] {
                let empty = example(text.to_owned(), vec![]);
                assert!(labeller.label(&empty.document, &empty.layers).is_empty());
            }
        }
    }

    #[test]
    fn runs_are_chosen_by_a_probability_or_none() {
        let bytes = train(&examples(), &[], &options(0), |_| {}).unwrap().bytes;
        let with = |least: &str| {
            let at = bytes.windows(11).position(|part| part == b"\"least\":0.0").unwrap() + 8;
            let mut bytes = bytes.clone();
            bytes[at..at + 3].copy_from_slice(least.as_bytes());
            Labeller::open_unchecked(bytes)
        };
        let fresh = example("Nombre: Julia Ruiz.\nSin datos: nada.".to_owned(), vec![]);
        let found = |least| with(least).unwrap().label(&fresh.document, &fresh.layers);
        assert_eq!(found("0.4").len(), 1);
        assert_eq!(found("0.4"), found("0.0"));
        for bad in ["2.0", "1.0", "-.5"] {
            assert!(with(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn features_are_written_for_others() {
        let (mut own, mut other) = (Vec::new(), Vec::new());
        write_features(&examples(), &examples()[..1], &options(0), &mut own, &mut other).unwrap();
        assert!(own.starts_with(&other) && !other.is_empty());
    }

    #[test]
    fn refuses_to_learn_from_nothing() {
        assert!(train(&[], &[], &options(0), |_| {}).is_err());
        assert!(train(&[example("nada".to_owned(), vec![])], &[], &options(0), |_| {}).is_err());
    }
}
