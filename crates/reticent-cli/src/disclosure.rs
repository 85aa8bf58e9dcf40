//! What counts in a corpus tell: `--protect`, `--index`, `--spans` and what goes with them.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::{Args, ValueEnum};
use reticent::detect::{CorrelatedDetector, Given};
use reticent::disclosure::Corpus;
use reticent::evaluate::read_presidio;
use reticent::policy::{DisclosureFile, PolicyFile, Probabilities, Scope, SubjectFile, UnknownTerms, Yields};
use reticent::{EntityType, Protector};
use reticent_knowledge::corpus::Index;
use reticent_knowledge::taxonomy::Stack;

use crate::args::{InputArgs, PolicyArgs};
use crate::commands::evaluate::{in_file, read};
use crate::failure::Failure;
use crate::input::{self, InputFile, Kind, has_extension};

/// How much may be told, by what is counted in a corpus.
#[derive(Args, Debug, Clone, Default)]
pub(crate) struct DisclosureArgs {
    /// Something that must not be told, such as HIV; needs --index (may be given several times)
    #[arg(long, value_name = "TERM")]
    pub(crate) protect: Vec<String>,
    /// What may be told of it at most, such as virus; one for each --protect, in their order
    #[arg(long, value_name = "TERM", requires = "protect")]
    pub(crate) at_most: Vec<String>,
    /// The corpus in which is counted what tells too much, from `index build`
    #[arg(long, value_name = "FILE")]
    pub(crate) index: Option<PathBuf>,
    /// How many terms are taken together at most: 1, 2 or 3
    #[arg(long, value_name = "N")]
    pub(crate) max_terms: Option<usize>,
    /// Within what terms are taken together
    #[arg(long, value_enum, value_name = "SCOPE")]
    pub(crate) context: Option<ScopeArg>,
    /// Of which documents of the corpus probabilities are taken
    #[arg(long, value_enum, value_name = "WHICH")]
    pub(crate) probabilities: Option<ProbabilitiesArg>,
    /// What to do with terms that the corpus does not know
    #[arg(long, value_enum, value_name = "WHAT")]
    pub(crate) unknown_terms: Option<UnknownArg>,
    /// Which of two terms yields that tell too much together
    #[arg(long, value_enum, value_name = "WHICH")]
    pub(crate) yields: Option<YieldsArg>,
    /// Accept an --at-most that no taxonomy knows to be broader
    #[arg(long)]
    pub(crate) force_at_most: bool,
    /// Leave a document out of all counts if the index holds one of its id
    #[arg(long, requires = "index")]
    pub(crate) leave_out: bool,
    /// Also find what gives away what is masked; needs --index
    #[arg(long, requires = "index")]
    pub(crate) correlated: bool,
    /// What another tool masks: JSONL, Presidio's or TAB's JSON, or a folder of brat; our own detectors then do not look, unless a
    /// policy is given
    #[arg(long, value_name = "FILE")]
    pub(crate) spans: Option<PathBuf>,
    /// The field of --spans that holds them, if it is not `spans`
    #[arg(long, value_name = "NAME", requires = "spans")]
    pub(crate) spans_field: Option<String>,
}

#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ScopeArg {
    Sentence,
    Paragraph,
    Document,
}

#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ProbabilitiesArg {
    /// All of them
    Standard,
    /// All, but what is protected counts only where what may be told is said too
    Contextual,
    /// Those that also say what may be told at most: masks most
    Within,
}

#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum UnknownArg {
    /// Mask proper names, and what is rare in the language too
    NamesAndRare,
    /// Mask them all
    Mask,
    /// Leave them in the text, and say so
    Keep,
}

#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum YieldsArg {
    /// What settles most risky pairs for what it costs
    Together,
    /// Pair by pair, so that each keeps most: as published
    PairByPair,
}

impl DisclosureArgs {
    /// The policy to start from, if these say what is to be found and nothing else does.
    pub(crate) fn preset(&self) -> Option<String> {
        (!self.protect.is_empty() || self.spans.is_some()).then(|| "disclosure".to_owned())
    }

    /// Adds to a policy what was said on the command line.
    pub(crate) fn add_to(&self, file: &mut PolicyFile) -> Result<(), Failure> {
        if !self.at_most.is_empty() && self.at_most.len() != self.protect.len() {
            return Err(Failure::new(format!(
                "{} things are to be protected, but of {} is said what may be told at most",
                self.protect.len(),
                self.at_most.len()
            ))
            .hint("give one --at-most for each --protect, or none"));
        }
        if !self.protect.is_empty() && self.index.is_none() {
            return Err(Failure::new("--protect needs a corpus to count in").hint(
                "build one with `reticent index build CORPUS -o k.idx` and give it with --index k.idx",
            ));
        }
        file.subjects.extend(self.protect.iter().enumerate().map(|(at, name)| SubjectFile {
            at_most: self.at_most.get(at).cloned(),
            entity_type: Some(EntityType::DETAIL),
            ..SubjectFile::named(name)
        }));
        let base = std::mem::take(&mut file.disclosure);
        file.disclosure = DisclosureFile {
            max_terms: self.max_terms.or(base.max_terms),
            context: self.context.map(Into::into).or(base.context),
            probabilities: self.probabilities.map(Into::into).or(base.probabilities),
            unknown: self.unknown_terms.map(Into::into).or(base.unknown),
            yields: self.yields.map(Into::into).or(base.yields),
            force: self.force_at_most.then_some(true).or(base.force),
        };
        Ok(())
    }
}

/// Opens the corpus, if there is one.
pub(crate) fn corpus(args: &PolicyArgs) -> Result<Option<Corpus>, Failure> {
    let Some(path) = &args.disclosure.index else { return Ok(None) };
    let index = Index::open(path).map_err(|error| Failure::from(error.in_file(path)))?;
    let taxonomy = Stack::with_files(&args.taxonomy)?;
    let corpus = Corpus::new(index, taxonomy);
    Ok(Some(if args.disclosure.leave_out { corpus.leaving_out() } else { corpus }))
}

/// What another tool found. Presidio's JSON is a list of spans of one document, without its name: if there were others, which one
/// it is would be a guess.
fn given(path: &Path, field: Option<&str>, input: &InputArgs) -> Result<Given, Failure> {
    let of_one = if has_extension(path, "json") && field.is_none() {
        read_presidio(&read::text(path)?).map_err(in_file(path))?
    } else {
        None
    };
    match of_one {
        Some(spans) => match input::list(input).files.as_slice() {
            [InputFile { kind: Kind::Whole(_), .. }] => Ok(Given::of_one(spans)),
            _ => Err(Failure::new(format!(
                "{}: does not say of which document it is, so that there must be one only",
                path.display()
            ))
            .hint("give one document that is no file of rows, or spans as JSONL with the ids of documents")),
        },
        None => Ok(Given::new(read::marked(path, None, field)?)),
    }
}

/// The protector with all that counts in a corpus.
pub(crate) fn counting(
    mut protector: Protector,
    args: &PolicyArgs,
    input: &InputArgs,
) -> Result<Protector, Failure> {
    if let Some(path) = &args.disclosure.spans {
        protector =
            protector.with_detector(Box::new(given(path, args.disclosure.spans_field.as_deref(), input)?));
    }
    let Some(corpus) = corpus(args)? else { return Ok(protector) };
    if args.disclosure.correlated {
        let settings = protector.policy().disclosure();
        let detector = CorrelatedDetector { max_terms: settings.max_terms, context: settings.context };
        protector = protector.with_correlated(detector, Arc::new(corpus.clone()))?;
    }
    if protector.policy().subjects().is_empty() {
        return Ok(protector);
    }
    Ok(protector.with_corpus(corpus)?)
}

impl From<ScopeArg> for Scope {
    fn from(scope: ScopeArg) -> Self {
        match scope {
            ScopeArg::Sentence => Self::Sentence,
            ScopeArg::Paragraph => Self::Paragraph,
            ScopeArg::Document => Self::Document,
        }
    }
}

impl From<ProbabilitiesArg> for Probabilities {
    fn from(which: ProbabilitiesArg) -> Self {
        match which {
            ProbabilitiesArg::Standard => Self::Standard,
            ProbabilitiesArg::Within => Self::Within,
            ProbabilitiesArg::Contextual => Self::Contextual,
        }
    }
}

impl From<YieldsArg> for Yields {
    fn from(which: YieldsArg) -> Self {
        match which {
            YieldsArg::Together => Self::Together,
            YieldsArg::PairByPair => Self::PairByPair,
        }
    }
}

impl From<UnknownArg> for UnknownTerms {
    fn from(what: UnknownArg) -> Self {
        match what {
            UnknownArg::NamesAndRare => Self::NamesAndRare,
            UnknownArg::Mask => Self::Mask,
            UnknownArg::Keep => Self::Keep,
        }
    }
}
