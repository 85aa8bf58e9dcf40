//! `reticent attack`: re-identification of the subjects of released texts.

use std::fmt::Write as _;
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use reticent::attack::{
    self, Attack, AttackReport, EmbeddingRetrieval, PublicKnowledge, RankReport, Scheme, SentenceClassifier,
    Target, TermRetrieval,
};
use reticent_knowledge::embedding::{TermVectors, Vectors, glove};
use serde_json::{Value, json};

use super::evaluate::{figure, in_file, print, text};
use crate::failure::{Failure, Outcome};

#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
enum Method {
    /// Words and word bigrams by tf-idf and cosine; placeholders count as words
    Tfidf,
    /// The same without placeholders such as [PERSON 1]
    Words,
    /// Runs of four letters by tf-idf and cosine, without placeholders: other inflections match
    Letters,
    /// Words by BM25, without placeholders
    Bm25,
    /// Votes of sentences, placed by a linear classifier trained on the public texts
    Classifier,
    /// Mean word vectors by cosine: similar meaning in other words
    Embedding,
    /// Each of them
    All,
}

impl Method {
    const EACH: [Self; 6] =
        [Self::Tfidf, Self::Words, Self::Letters, Self::Bm25, Self::Classifier, Self::Embedding];
    /// The attacks that ranks are compared by, unless others are given.
    const RANKS: [Self; 3] = [Self::Words, Self::Letters, Self::Bm25];
}

/// The report shows words of the released texts and names of candidates: an attack is run to see them.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  reticent attack public.jsonl released.jsonl --method bm25
  reticent attack public.jsonl released.jsonl --ranks --json")]
pub(crate) struct AttackArgs {
    /// Public knowledge: JSONL with `entity` and `text` for each candidate
    public: PathBuf,
    /// Release: JSONL with `entity` (the true subject, which the attack does not see) and a text
    released: PathBuf,
    /// Field of the release that holds the text
    #[arg(long, value_name = "NAME", default_value = "text", help_heading = "Input")]
    field: String,
    /// Attack method, or several separated by commas [default: tfidf; with --ranks: words,letters,bm25]
    #[arg(long, value_enum, value_delimiter = ',', help_heading = "Attack")]
    method: Vec<Method>,
    /// Word vectors for `embedding` [default: those that ship with the program]
    #[arg(long, value_name = "FILE", help_heading = "Attack")]
    vectors: Option<PathBuf>,
    /// Compare the methods by the rank of the true subject, and report how many subjects any of them ranks first. Candidates
    /// with equal scores count half a rank
    #[arg(long, conflicts_with_all = ["clues", "summary"], help_heading = "Output")]
    ranks: bool,
    /// Number of words shown for each text that identify its subject
    #[arg(long, value_name = "N", default_value_t = 5, help_heading = "Output")]
    clues: usize,
    /// Print only the figures of all texts together
    #[arg(long, help_heading = "Output")]
    summary: bool,
    /// Print JSON: a line for each method and, unless --summary is given, one for each text; with --ranks a single line
    #[arg(long, help_heading = "Output")]
    json: bool,
}

pub(crate) fn run(args: &AttackArgs) -> Result<Outcome, Failure> {
    let public = PublicKnowledge::read(&text(&args.public)?).map_err(in_file(&args.public))?;
    let targets = attack::read_targets(&text(&args.released)?, &args.field, &public)
        .map_err(in_file(&args.released))?;
    let methods: Vec<Method> = match &args.method[..] {
        [] if args.ranks => Method::RANKS.to_vec(),
        [] => vec![Method::Tfidf],
        given => Method::EACH
            .into_iter()
            .filter(|method| given.contains(method) || given.contains(&Method::All))
            .collect(),
    };
    let opened = match &args.vectors {
        Some(path) if methods.contains(&Method::Embedding) => Some(
            TermVectors::open(path)
                .map_err(|error| Failure::from(error).in_file(&path.display().to_string()))?,
        ),
        _ => None,
    };
    let mut attacks: Vec<Box<dyn Attack + '_>> = Vec::with_capacity(methods.len());
    for method in methods {
        let terms = |scheme| Box::new(TermRetrieval::new(&public, scheme));
        attacks.push(match method {
            Method::Tfidf => terms(Scheme::TfIdf),
            Method::Words => terms(Scheme::Words),
            Method::Letters => terms(Scheme::Letters),
            Method::Bm25 => terms(Scheme::Bm25),
            Method::Classifier => {
                Box::new(SentenceClassifier::train(&public).map_err(in_file(&args.public))?)
            }
            Method::Embedding => {
                let vectors: &dyn Vectors = match &opened {
                    Some(vectors) => vectors,
                    None => glove()?,
                };
                let released = targets.iter().map(|target| target.text.as_str());
                let attack = EmbeddingRetrieval::new(&public, released, vectors);
                Box::new(attack.map_err(in_file(&args.public))?)
            }
            // Stands for each of the others, which were put in its place.
            Method::All => continue,
        });
    }
    if args.ranks {
        let attacks: Vec<&dyn Attack> = attacks.iter().map(AsRef::as_ref).collect();
        let report = attack::rank(&attacks, &public, &targets).map_err(in_file(&args.released))?;
        return print(&if args.json { ranks_json(&report) } else { ranks_table(&report) });
    }
    let mut out = String::new();
    for attack in &attacks {
        out += &one(args, attack.as_ref(), &public, &targets)?;
    }
    print(&out)
}

/// Ranks up to which the share of re-identified texts is reported.
const RANKS: [u32; 3] = [1, 5, 10];

fn ranks_json(report: &RankReport) -> String {
    let mut out = json!({ "documents": report.documents, "candidates": report.candidates });
    for method in &report.methods {
        for rank in RANKS {
            out[method.method][format!("at{rank}")] = figure(method.at(rank));
        }
        out[method.method]["median"] = json!(method.median());
    }
    out["worst"] = figure(report.any);
    format!("{out}\n")
}

fn ranks_table(report: &RankReport) -> String {
    let mut out = format!("{} documents, {} candidates\n", report.documents, report.candidates);
    let _ =
        writeln!(out, "{:<12}{:>7} {:>7} {:>7} {:>12}", "method", "rank 1", "top 5", "top 10", "median rank");
    for method in &report.methods {
        let [first, five, ten] = RANKS.map(|rank| method.at(rank));
        let _ = writeln!(
            out,
            "{:<12}{first:>7.4} {five:>7.4} {ten:>7.4} {:>12.1}",
            method.method,
            method.median()
        );
    }
    let _ = writeln!(out, "{:<12}{:>7.4}", "any", report.any);
    out
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
        "{:.4} re-identified of {} documents among {} candidates; median rank of the true subject {}, mean {:.2}",
        report.reidentified, report.documents, report.candidates, report.median_rank, report.mean_rank
    );
    for row in report.rows.iter().filter(|_| !args.summary) {
        let clues: Vec<&str> = row.clues.iter().map(|clue| clue.words.as_str()).collect();
        let by = if clues.is_empty() { "nothing".to_owned() } else { clues.join(", ") };
        let guess =
            if row.rank == 1 { "re-identified".to_owned() } else { format!("mistaken for {}", row.guess) };
        let _ = writeln!(
            out,
            "  row {:<4} rank {:<4} {}, {guess}; identified by: {by}",
            row.row, row.rank, row.entity
        );
    }
    out
}
