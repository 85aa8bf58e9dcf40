//! `reticent evaluate utility`.

use std::path::{Path, PathBuf};

use clap::Args;
use reticent::evaluate::{
    Original, ReleasedRow, TermOptions, WordWeights, read_originals, read_released, term_utility,
    word_utility,
};
use reticent_knowledge::corpus::{Counts, Index, WebHits, WordFrequencies};
use serde_json::{Value, json};

use super::{figure, in_file, line, print, text};
use crate::failure::{Failure, Outcome};
use crate::{input, messages};

/// Weights: words with `--corpus`, terms with the others; without any, terms by the word frequencies that ship.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  reticent evaluate utility originals.jsonl released.jsonl --corpus corpus.jsonl.gz
  reticent evaluate utility originals.jsonl released.jsonl --index corpus.index --documents --json")]
#[command(group = clap::ArgGroup::new("by").multiple(false))]
pub(super) struct UtilityArgs {
    /// Originals: JSONL with `id` or `entity`, and `text`
    original: PathBuf,
    /// Release: JSONL with `id` or `entity`, a text and perhaps `edits`, as written by `protect`
    released: PathBuf,
    /// Field of the release that holds the text
    #[arg(long, value_name = "NAME", help_heading = "Input", default_value = "text")]
    field: String,
    /// Weight words by their document frequency in a corpus: JSONL files, separated by commas
    #[arg(
        long,
        value_name = "FILES",
        help_heading = "Information content",
        value_delimiter = ',',
        group = "by"
    )]
    corpus: Vec<PathBuf>,
    /// Weight terms by an index made by `reticent index build`
    #[arg(long, value_name = "FILE", help_heading = "Information content", group = "by")]
    index: Option<PathBuf>,
    /// Weight terms by a table of counts: a term, a tab and a number on each line
    #[arg(long, value_name = "FILE", help_heading = "Information content", group = "by")]
    hits: Option<PathBuf>,
    /// Total number of pages, for a table of counts
    #[arg(long, value_name = "N", help_heading = "Information content", default_value_t = WebHits::WEB)]
    total: u64,
    /// Count placeholders such as PERSON by the information content of their word, as the paper does
    #[arg(long, help_heading = "Information content", conflicts_with = "corpus")]
    count_placeholders: bool,
    /// Language of the texts (en, es), for terms
    #[arg(long, value_name = "CODE", help_heading = "Information content", default_value = "en")]
    language: String,
    /// Print the figures of each row as well
    #[arg(long, help_heading = "Output")]
    documents: bool,
    /// Print JSON: a line for all rows, then one for each row with --documents
    #[arg(long, help_heading = "Output")]
    json: bool,
}

pub(super) fn run(args: &UtilityArgs) -> Result<Outcome, Failure> {
    let original = read_originals(&text(&args.original)?).map_err(in_file(&args.original))?;
    let released = read_released(&text(&args.released)?, &args.field).map_err(in_file(&args.released))?;
    if args.corpus.is_empty() {
        by_terms(args, &original, &released)
    } else {
        by_words(args, &original, &released)
    }
}

fn by_words(args: &UtilityArgs, original: &Original, released: &[ReleasedRow]) -> Result<Outcome, Failure> {
    let mut weights = WordWeights::default();
    for path in &args.corpus {
        add_corpus(path, &mut weights)?;
    }
    let found = word_utility(original, released, &weights).map_err(in_file(&args.released))?;
    let share = |value: Option<f64>| value.map_or(Value::Null, figure);
    let mut out: Vec<String> = Vec::new();
    if args.json {
        out.push(line([
            ("documents", json!(found.documents)),
            ("kept", figure(found.kept)),
            ("utility", share(found.utility)),
        ]));
    } else {
        let utility =
            found.utility.map_or_else(|| "– (rows have no edits)".to_owned(), |value| format!("{value:.4}"));
        out.push(format!(
            "{} documents; words weighted by {} corpus texts\n",
            found.documents,
            weights.documents()
        ));
        out.push(format!("kept     {:.4}\nutility  {utility}\n", found.kept));
    }
    for (row, kept, said) in found.rows.iter().filter(|_| args.documents) {
        out.push(if args.json {
            line([("row", json!(row)), ("kept", figure(*kept)), ("utility", share(*said))])
        } else {
            format!(
                "row {row:<5} {kept:.4}  {}\n",
                said.map_or_else(|| "–".to_owned(), |value| format!("{value:.4}"))
            )
        });
    }
    print(&out.concat())
}

fn add_corpus(path: &Path, weights: &mut WordWeights) -> Result<(), Failure> {
    use std::io::BufRead;
    for (row, read) in (1..).zip(input::open(path)?.lines()) {
        let read = read.map_err(|error| Failure::io(path, "read it", &error))?;
        if read.trim().is_empty() {
            continue;
        }
        let value: Option<Value> = serde_json::from_str(&read).ok();
        let text = value.as_ref().and_then(|value| value["text"].as_str());
        let text = text.ok_or_else(|| {
            Failure::new(format!("{}: row {row}: not a JSON object with a `text`", path.display()))
        })?;
        weights.add(text);
    }
    Ok(())
}

fn by_terms(args: &UtilityArgs, original: &Original, released: &[ReleasedRow]) -> Result<Outcome, Failure> {
    let language = crate::commands::index::language(&args.language)?;
    let named = |path: &Path| {
        let name = path.display().to_string();
        move |error: reticent_knowledge::Error| Failure::from(error).in_file(&name)
    };
    let counts: Box<dyn Counts> = if let Some(path) = &args.index {
        Box::new(Index::open(path).map_err(named(path))?)
    } else if let Some(path) = &args.hits {
        Box::new(WebHits::read(input::open(path)?, args.total, language).map_err(named(path))?)
    } else {
        messages::note(
            "note: no --corpus, --index or --hits given: terms are weighted by the word frequencies that ship with the program",
        );
        Box::new(WordFrequencies::new(language)?)
    };
    let options = TermOptions { language: Some(language), count_placeholders: args.count_placeholders };
    let found = term_utility(original, released, &*counts, options).map_err(in_file(&args.released))?;
    let mut out: Vec<String> = Vec::new();
    if args.json {
        out.push(line([
            ("documents", json!(found.documents)),
            ("suppression", figure(found.suppression)),
            ("generalization", figure(found.generalization)),
            ("masked", figure(found.masked)),
            ("terms", json!(found.terms)),
            ("unknown", json!(found.unknown)),
            ("source", json!(counts.name())),
        ]));
    } else {
        out.push(format!("{} documents; terms weighted by {}\n", found.documents, counts.name()));
        out.push(format!(
            "suppression     {:.4}  information content of the terms that remain\ngeneralization  {:.4}  the same with replacements\n",
            found.suppression, found.generalization
        ));
        out.push(format!(
            "masked terms    {:.2}    per document, on average\nunknown         {} of {} terms have no known part; they are weighted as if written once\n",
            found.masked, found.unknown, found.terms
        ));
    }
    for (row, kept, said) in found.rows.iter().filter(|_| args.documents) {
        out.push(if args.json {
            line([("row", json!(row)), ("suppression", figure(*kept)), ("generalization", figure(*said))])
        } else {
            format!("row {row:<5} {kept:.4}  {said:.4}\n")
        });
    }
    print(&out.concat())
}
