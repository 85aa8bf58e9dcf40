//! Disclosure control by corpus counts: `--protect`, `--index`, `--spans` and related options.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::{Args, ValueEnum};
use reticent::detect::{CorrelatedDetector, Given};
use reticent::disclosure::Corpus;
use reticent::evaluate::read_presidio;
use reticent::policy::{
    Criterion, DisclosureFile, PolicyFile, Probabilities, Scope, SubjectFile, UnknownTerms, Yields,
};
use reticent::{EntityType, Protector};
use reticent_knowledge::corpus::Index;
use reticent_knowledge::taxonomy::Stack;

use crate::args::{InputArgs, PolicyArgs};
use crate::commands::evaluate::{in_file, read};
use crate::failure::Failure;
use crate::input::{self, InputFile, Kind, has_extension};

/// Limits on disclosure, measured in a corpus.
#[derive(Args, Debug, Clone, Default)]
#[command(next_help_heading = "Disclosure")]
pub(crate) struct DisclosureArgs {
    /// Sensitive term that must not be inferable from the output, such as HIV; requires --index (repeatable)
    #[arg(long, value_name = "TERM")]
    pub(crate) protect: Vec<String>,
    /// Most specific generalization that may be disclosed, such as virus; one per --protect, in the same order
    #[arg(long, value_name = "TERM", requires = "protect")]
    pub(crate) at_most: Vec<String>,
    /// Term that does not count as a protected one, although a taxonomy lists it as a kind of one, or it nearly always occurs
    /// with one (repeatable)
    #[arg(long, value_name = "TERM", requires = "protect")]
    pub(crate) decline: Vec<String>,
    /// Corpus index used to measure disclosure, from `reticent index build`
    #[arg(long, value_name = "FILE")]
    pub(crate) index: Option<PathBuf>,
    /// Largest number of terms combined: 1, 2 or 3
    #[arg(long, value_name = "N")]
    pub(crate) max_terms: Option<usize>,
    /// Unit of text within which terms are combined
    #[arg(long, value_enum, value_name = "SCOPE")]
    pub(crate) context: Option<ScopeArg>,
    /// Corpus documents that probabilities are estimated from
    #[arg(long, value_enum, value_name = "WHICH")]
    pub(crate) probabilities: Option<ProbabilitiesArg>,
    /// Treatment of terms of which the corpus says too little
    #[arg(long, value_enum, value_name = "WHAT")]
    pub(crate) unknown_terms: Option<UnknownArg>,
    /// What makes a term safe
    #[arg(long, value_enum, value_name = "WHICH")]
    pub(crate) criterion: Option<CriterionArg>,
    /// Confidence at which a term must be shown to be safe [default: 0.95]
    #[arg(long, value_name = "SHARE")]
    pub(crate) confidence: Option<f64>,
    /// Choice of the terms to generalize when a pair discloses too much
    #[arg(long, value_enum, value_name = "WHICH")]
    pub(crate) yields: Option<YieldsArg>,
    /// Accept an --at-most term that no taxonomy lists as a generalization
    #[arg(long)]
    pub(crate) force_at_most: bool,
    /// Exclude a document from all counts if the index contains one with the same ID
    #[arg(long, requires = "index")]
    pub(crate) leave_out: bool,
    /// Also detect terms that reveal replaced ones by correlation; requires --index
    #[arg(long, requires = "index")]
    pub(crate) correlated: bool,
    /// Spans detected by another tool: JSONL, Presidio or TAB JSON, or a brat directory; disables the built-in detectors unless
    /// a policy is given
    #[arg(long, value_name = "FILE")]
    pub(crate) spans: Option<PathBuf>,
    /// Field of the --spans file that holds the spans [default: spans]
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
    /// Standard and contextual: a term must be safe by both
    Both,
    /// All documents
    Standard,
    /// All documents, but the protected term counts only where its --at-most term occurs too
    Contextual,
    /// Only documents that contain the --at-most term; replaces the most
    Within,
}

#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CriterionArg {
    /// The counts show, with confidence, that it discloses no more than allowed
    Confident,
    /// Its estimated disclosure is within the limit, however few documents that rests on
    Literal,
}

#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum UnknownArg {
    /// Replace proper names and terms that are rare in the language
    NamesAndRare,
    /// Replace all of them
    Mask,
    /// Keep them, and report them as unknown
    Keep,
}

#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum YieldsArg {
    /// Resolve all risky pairs together by weighted cover
    Together,
    /// Resolve one pair after the other, as published
    PairByPair,
}

impl DisclosureArgs {
    /// The preset to extend if these arguments alone determine what is detected.
    pub(crate) fn preset(&self) -> Option<String> {
        (!self.protect.is_empty() || self.spans.is_some()).then(|| "disclosure".to_owned())
    }

    /// Adds the command-line arguments to a policy.
    pub(crate) fn add_to(&self, file: &mut PolicyFile) -> Result<(), Failure> {
        if !self.at_most.is_empty() && self.at_most.len() != self.protect.len() {
            return Err(Failure::new(format!(
                "--protect was given {} times but --at-most {} times",
                self.protect.len(),
                self.at_most.len()
            ))
            .hint("pass one --at-most for each --protect, or none"));
        }
        if !self.protect.is_empty() && self.index.is_none() {
            return Err(Failure::new("--protect requires a corpus index").hint(
                "build one with `reticent index build CORPUS -o corpus.idx` and pass --index corpus.idx",
            ));
        }
        file.subjects.extend(self.protect.iter().enumerate().map(|(at, name)| SubjectFile {
            at_most: self.at_most.get(at).cloned(),
            declined: self.decline.clone(),
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
            criterion: self.criterion.map(Into::into).or(base.criterion),
            confidence: self.confidence.or(base.confidence),
            ..base
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

/// Reads the spans of another tool. Presidio's JSON lists the spans of one document without its name, so that it is accepted
/// for a single document only.
fn given(path: &Path, field: Option<&str>, input: &InputArgs) -> Result<Given, Failure> {
    let of_one = if has_extension(path, "json") && field.is_none() {
        read_presidio(&read::text(path)?).map_err(in_file(path))?
    } else {
        None
    };
    let Some(spans) = of_one else {
        let given = Given::new(read::marked(path, None, field)?);
        let is_whole = |file: &InputFile| matches!(file.kind, Kind::Whole(_));
        return Ok(if input::list(input).files.iter().all(is_whole) { given.of_files() } else { given });
    };
    match input::list(input).files.as_slice() {
        [InputFile { kind: Kind::Whole(_), .. }] => Ok(Given::of_one(spans)),
        _ => Err(Failure::new(format!(
            "{}: the spans do not name their document, so exactly one input document is allowed",
            path.display()
        ))
        .hint("pass a single document (not JSONL, CSV or TSV), or spans as JSONL with document IDs")),
    }
}

/// Adds external spans and the corpus to a protector.
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
            ProbabilitiesArg::Both => Self::Both,
            ProbabilitiesArg::Standard => Self::Standard,
            ProbabilitiesArg::Within => Self::Within,
            ProbabilitiesArg::Contextual => Self::Contextual,
        }
    }
}

impl From<CriterionArg> for Criterion {
    fn from(which: CriterionArg) -> Self {
        match which {
            CriterionArg::Confident => Self::Confident,
            CriterionArg::Literal => Self::Literal,
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
