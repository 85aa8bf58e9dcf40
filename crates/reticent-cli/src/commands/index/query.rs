//! Queries an index, or another source of counts.

use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::Args;
use reticent_knowledge::corpus::{
    Count, Counts, Credentials, EngineOptions, Index, Information, SearchEngine, WebHits, WordFrequencies,
    information,
};
use reticent_text::Language;
use serde_json::{Value, json};

use super::{language, open};
use crate::failure::{Failure, Outcome};
use crate::output::{self, Target};
use crate::{input, messages};

/// The source of counts; by default the built-in word frequencies.
#[derive(Args, Debug)]
#[command(next_help_heading = "Source")]
struct SourceArgs {
    /// Index from `reticent index build` [default: built-in word frequencies]
    #[arg(long, value_name = "FILE", group = "counts")]
    index: Option<PathBuf>,
    /// Exclude the document with this ID from all counts
    #[arg(long, value_name = "ID", requires = "index")]
    without: Option<String>,
    /// Table of counts instead of an index: term, tab and number on each line, optionally .gz
    #[arg(long, value_name = "FILE", group = "counts")]
    hits: Option<PathBuf>,
    /// Total number of pages, for a table of counts
    #[arg(long, value_name = "N", default_value_t = WebHits::WEB)]
    total: u64,
    /// URL of an index of a search engine with the `_count` API of Elasticsearch. Credentials are read from the environment
    /// variable `RETICENT_ENGINE_AUTHORIZATION`
    #[arg(long, value_name = "URL", group = "counts")]
    engine: Option<String>,
    /// Field of the search engine with the text
    #[arg(long, value_name = "NAME", default_value = "text", requires = "engine")]
    field: String,
    /// Timeout for each request to the search engine
    #[arg(long, value_name = "SECONDS", default_value_t = 10, requires = "engine", value_parser = clap::value_parser!(u64).range(1..=600))]
    timeout: u64,
    /// Cache file for the responses of the search engine
    #[arg(long, value_name = "FILE", requires = "engine")]
    answers: Option<PathBuf>,
    /// Language of the terms, for a table of counts and for word frequencies: en or es
    #[arg(long, value_name = "CODE", default_value = "en")]
    language: String,
    /// Print JSON
    #[arg(long, help_heading = "Output")]
    json: bool,
}

#[derive(Args, Debug)]
#[command(after_help = "Examples:
  reticent index count --index corpus.idx HIV
  reticent index count --index corpus.idx 'blood transfusion' AND influenza")]
pub(super) struct CountArgs {
    #[command(flatten)]
    source: SourceArgs,
    /// A term, or several separated by AND; quote terms of several words
    #[arg(required = true, value_name = "TERM")]
    terms: Vec<String>,
}

#[derive(Args, Debug)]
#[command(after_help = "Examples:
  reticent index ic --index corpus.idx HIV 'blood transfusion'
  reticent index ic influenza --json")]
pub(super) struct IcArgs {
    #[command(flatten)]
    source: SourceArgs,
    /// Terms; quote terms of several words
    #[arg(required = true, value_name = "TERM")]
    terms: Vec<String>,
}

#[derive(Args, Debug)]
#[command(after_help = "Examples:
  reticent index pmi --index corpus.idx HIV -- 'blood transfusion'
  reticent index pmi --index corpus.idx HIV --context virus -- transfusion needle")]
pub(super) struct PmiArgs {
    #[command(flatten)]
    source: SourceArgs,
    /// Count only documents that also contain this generalization of C
    #[arg(long, value_name = "TERM", help_heading = "Source")]
    context: Option<String>,
    /// Sensitive term
    #[arg(value_name = "C")]
    confidential: String,
    /// Terms that occur together in the text
    #[arg(required = true, last = true, value_name = "T")]
    terms: Vec<String>,
}

/// An opened source. An index stays here, since a view of it borrows it.
enum Source {
    Index(Box<Index>, Option<String>),
    /// A source with the name of what it counts.
    Other(Box<dyn Counts>, &'static str),
}

impl SourceArgs {
    fn open(&self) -> Result<Source, Failure> {
        if let Some(path) = &self.index {
            return Ok(Source::Index(Box::new(open(path)?), self.without.clone()));
        }
        if let Some(url) = &self.engine {
            let options = EngineOptions {
                field: self.field.clone(),
                timeout: Duration::from_secs(self.timeout),
                memory: self.answers.clone(),
                ..EngineOptions::new(url)
            };
            return Ok(Source::Other(
                Box::new(SearchEngine::connect(options, Credentials::from_environment())?),
                "document",
            ));
        }
        let language = language(&self.language)?;
        if let Some(path) = &self.hits {
            return Ok(Source::Other(Box::new(self.hits(path, language)?), "page"));
        }
        messages::note("note: no --index given; using built-in word frequencies");
        Ok(Source::Other(Box::new(WordFrequencies::new(language)?), "word"))
    }

    fn hits(&self, path: &Path, language: Language) -> Result<WebHits, Failure> {
        // The reader unpacks too, and reads what was unpacked as it is.
        WebHits::read(input::open(path)?, self.total, language)
            .map_err(|error| Failure::from(error).in_file(&path.display().to_string()))
    }

    /// Runs the query and writes the result.
    fn query(&self, work: impl Fn(&dyn Counts) -> Result<Vec<Answer>, Failure>) -> Result<Outcome, Failure> {
        let (answers, about) = match self.open()? {
            Source::Index(index, None) => (work(&*index)?, about(&*index, index.unit().name())),
            Source::Index(index, Some(id)) => {
                let without = index.without(&id)?;
                (work(&without)?, about(&without, index.unit().name()))
            }
            Source::Other(counts, unit) => (work(&*counts)?, about(&*counts, unit)),
        };
        let mut out = String::new();
        for answer in &answers {
            if self.json {
                let mut row = answer.json.clone();
                if let (Some(row), Value::Object(about)) = (row.as_object_mut(), about.clone()) {
                    row.extend(about);
                }
                out.push_str(&row.to_string());
                out.push('\n');
            } else {
                out.push_str(&answer.text);
                out.push('\n');
            }
        }
        output::write_all(&Target::Standard, out.as_bytes())?;
        let known = answers.iter().all(|answer| answer.known);
        Ok(if known { Outcome::Done } else { Outcome::Unresolved })
    }
}

fn about(counts: &dyn Counts, unit: &str) -> Value {
    json!({ "total": counts.total(), "unit": unit, "source": counts.name(), "fingerprint": counts.fingerprint() })
}

/// The result of a query, as text and as JSON.
struct Answer {
    text: String,
    json: Value,
    /// True if the source knows the terms.
    known: bool,
}

pub(super) fn count(args: &CountArgs) -> Result<Outcome, Failure> {
    let terms = conjunction(&args.terms)?;
    args.source.query(|counts| {
        let count = counts.count(&terms)?;
        let (text, value, bound) = match count {
            Count::Exact(count) => (count.to_string(), json!(count), "exact"),
            Count::AtMost(count) => (format!("at most {count}"), json!(count), "at most"),
            Count::Unknown => ("unknown".to_owned(), Value::Null, "unknown"),
        };
        let json = json!({ "terms": terms, "count": value, "bound": bound });
        Ok(vec![Answer { text, json, known: count != Count::Unknown }])
    })
}

/// The terms separated by AND.
fn conjunction(words: &[String]) -> Result<Vec<&str>, Failure> {
    let mut terms = Vec::new();
    for (at, word) in words.iter().enumerate() {
        if (word == "AND") != (at % 2 == 1) {
            return Err(Failure::new("terms must be separated by AND").hint(
                "for example: reticent index count --index corpus.idx \"blood transfusion\" AND influenza",
            ));
        }
        if at.is_multiple_of(2) {
            terms.push(word.as_str());
        }
    }
    if words.len().is_multiple_of(2) {
        return Err(Failure::new("expected a term after AND"));
    }
    Ok(terms)
}

pub(super) fn ic(args: &IcArgs) -> Result<Outcome, Failure> {
    args.source.query(|counts| {
        let answers = args.terms.iter().map(|term| {
            let found = information::ic(counts, term)?;
            let (mut text, value, bound) = bits(found);
            if args.terms.len() > 1 {
                text = format!("{text}\t{term}");
            }
            let json = json!({ "term": term, "bits": value, "bound": bound });
            Ok(Answer { text, json, known: found != Information::Unknown })
        });
        answers.collect()
    })
}

pub(super) fn pmi(args: &PmiArgs) -> Result<Outcome, Failure> {
    let terms: Vec<&str> = args.terms.iter().map(String::as_str).collect();
    let c = args.confidential.as_str();
    args.source.query(|counts| {
        let found = match args.context.as_deref() {
            Some(general) => information::contextual_pmi(counts, c, general, &terms)?,
            None => information::pmi(counts, c, &terms)?,
        };
        let (text, value, bound) = bits(found);
        let (_, of_c, _) = bits(information::ic(counts, c)?);
        let json = json!({
            "c": c, "terms": terms, "context": args.context, "bits": value, "bound": bound, "ic_of_c": of_c,
        });
        Ok(vec![Answer { text, json, known: found != Information::Unknown }])
    })
}

/// Bits as text and as JSON, and the kind of bound. JSON has no infinity: `never` stands for it.
fn bits(found: Information) -> (String, Value, &'static str) {
    match found {
        Information::Bits(bits) => (format!("{bits:.4}"), json!(bits), "exact"),
        Information::AtLeast(bits) => (format!("at least {bits:.4}"), json!(bits), "at least"),
        Information::Never => ("-inf".to_owned(), Value::Null, "never"),
        Information::Unknown => ("unknown".to_owned(), Value::Null, "unknown"),
    }
}
