//! `reticent attack`: whom does a release give away?

use std::fmt::Write as _;
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use reticent::attack::{
    self, Attack, AttackReport, EmbeddingRetrieval, PublicKnowledge, SentenceClassifier, Target,
    TfIdfRetrieval,
};
use reticent_knowledge::embedding::{TermVectors, Vectors, glove};
use serde_json::{Value, json};

use super::evaluate::{figure, in_file, print, text};
use crate::failure::{Failure, Outcome};

#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
enum Method {
    /// Which public text shares the rarest words
    Tfidf,
    /// Sentences vote, placed by a linear classifier that learnt from the public texts
    Classifier,
    /// Which public text means something alike
    Embedding,
    /// Each of them in turn
    All,
}

/// The report shows words of the released texts, and names: that is what an attack is asked for.
#[derive(Args, Debug)]
pub(crate) struct AttackArgs {
    /// What is publicly written: JSONL with `entity` and `text` for each candidate
    public: PathBuf,
    /// What was released: JSONL with `entity`, whom it really is about, and a text
    released: PathBuf,
    /// The field with the released text
    #[arg(long, value_name = "NAME", default_value = "text")]
    field: String,
    /// How to attack
    #[arg(long, value_enum, default_value = "tfidf")]
    method: Method,
    /// Word vectors for `embedding`; those that ship with the program if not given
    #[arg(long, value_name = "FILE")]
    vectors: Option<PathBuf>,
    /// At most so many words that gave a text away are told
    #[arg(long, value_name = "N", default_value_t = 5)]
    clues: usize,
    /// Only the figures of all texts together
    #[arg(long)]
    summary: bool,
    /// As JSON: a line with the figures of each method, and unless --summary is given one for each text
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &AttackArgs) -> Result<Outcome, Failure> {
    let public = PublicKnowledge::read(&text(&args.public)?).map_err(in_file(&args.public))?;
    let targets = attack::read_targets(&text(&args.released)?, &args.field, &public)
        .map_err(in_file(&args.released))?;
    let is_asked = |method| args.method == method || args.method == Method::All;
    let mut out = String::new();
    if is_asked(Method::Tfidf) {
        out += &one(args, &TfIdfRetrieval::new(&public), &public, &targets)?;
    }
    if is_asked(Method::Classifier) {
        let classifier = SentenceClassifier::train(&public).map_err(in_file(&args.public))?;
        out += &one(args, &classifier, &public, &targets)?;
    }
    if is_asked(Method::Embedding) {
        let opened;
        let vectors: &dyn Vectors = match &args.vectors {
            None => glove()?,
            Some(path) => {
                opened = TermVectors::open(path)
                    .map_err(|error| Failure::from(error).in_file(&path.display().to_string()))?;
                &opened
            }
        };
        let attack =
            EmbeddingRetrieval::new(&public, targets.iter().map(|target| target.text.as_str()), vectors)
                .map_err(in_file(&args.public))?;
        out += &one(args, &attack, &public, &targets)?;
    }
    print(&out)
}

fn one(
    args: &AttackArgs,
    attack: &dyn Attack,
    public: &PublicKnowledge,
    targets: &[Target],
) -> Result<String, Failure> {
    let clues = if args.summary { 0 } else { args.clues };
    let report = attack::run(attack, public, targets, clues).map_err(in_file(&args.released))?;
    Ok(if args.json { as_json(args, &report) } else { as_text(args, attack, &report) })
}

fn as_json(args: &AttackArgs, report: &AttackReport) -> String {
    let summary = json!({
        "method": report.method,
        "documents": report.documents,
        "candidates": report.candidates,
        "reidentified": figure(report.reidentified),
        "median_rank": report.median_rank,
        "mean_rank": figure(report.mean_rank),
    });
    let mut out = format!("{summary}\n");
    for row in report.rows.iter().filter(|_| !args.summary) {
        let clues: Vec<Value> =
            row.clues.iter().map(|clue| json!([clue.words, figure(clue.weight)])).collect();
        let row = json!({
            "method": report.method,
            "row": row.row,
            "entity": row.entity,
            "guess": row.guess,
            "rank": row.rank,
            "lead": figure(row.lead),
            "clues": clues,
        });
        let _ = writeln!(out, "{row}");
    }
    out
}

fn as_text(args: &AttackArgs, attack: &dyn Attack, report: &AttackReport) -> String {
    let mut out = format!("{}: {}\n", report.method, attack.about());
    let _ = writeln!(
        out,
        "{:.4} re-identified of {} documents among {} candidates; the true subject ranks {} in the middle, {:.2} on average",
        report.reidentified, report.documents, report.candidates, report.median_rank, report.mean_rank
    );
    for row in report.rows.iter().filter(|_| !args.summary) {
        let clues: Vec<&str> = row.clues.iter().map(|clue| clue.words.as_str()).collect();
        let by = if clues.is_empty() { "nothing".to_owned() } else { clues.join(", ") };
        let guess =
            if row.rank == 1 { "re-identified".to_owned() } else { format!("taken for {}", row.guess) };
        let _ = writeln!(
            out,
            "  row {:<4} rank {:<4} {}, {guess}; given away by: {by}",
            row.row, row.rank, row.entity
        );
    }
    out
}
