//! `reticent taxonomy`.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use clap::{Args, Subcommand};
use reticent_knowledge::taxonomy::read::{Format, Options, import};
use reticent_knowledge::taxonomy::{
    Concept, Ladder, PackedTaxonomy, RungKind, Stack, Taxonomy, nationalities, places, wordnet,
};
use reticent_text::Language;
use serde_json::{Value, json};

use crate::failure::{Failure, Outcome};
use crate::messages;
use crate::output::{self, Target};

#[derive(Args, Debug)]
#[command(after_help = "Examples:
  reticent taxonomy ladder pneumonia
  reticent taxonomy import doid.obo -o diseases.taxonomy")]
pub(crate) struct TaxonomyArgs {
    #[command(subcommand)]
    what: What,
}

#[derive(Subcommand, Debug)]
enum What {
    /// Print the generalizations of terms, from the most specific to the most general
    Ladder(LadderArgs),
    /// Convert a taxonomy to the binary format that reticent loads
    Import(ImportArgs),
    /// Print statistics of a taxonomy, or the concepts of a term
    Show(ShowArgs),
}

#[derive(Args, Debug)]
#[command(after_help = "Examples:
  reticent taxonomy ladder pneumonia
  reticent taxonomy ladder 'breast cancer' Lyon --taxonomy diseases.taxonomy --json")]
struct LadderArgs {
    /// Terms; quote terms of several words
    #[arg(required = true, value_name = "TERM")]
    terms: Vec<String>,
    /// Taxonomy from `reticent taxonomy import`; takes precedence over the built-in ones (repeatable)
    #[arg(short, long, value_name = "FILE", help_heading = "Input")]
    taxonomy: Vec<PathBuf>,
    /// Print JSON, one line per term
    #[arg(long, help_heading = "Output")]
    json: bool,
}

#[derive(Args, Debug)]
#[command(after_help = "Examples:
  reticent taxonomy import doid.obo -o diseases.taxonomy
  reticent taxonomy import skos.ttl.gz --name skills --language es -o skills.taxonomy")]
struct ImportArgs {
    /// Files or directories of one taxonomy, optionally .gz; `wordnet DIRECTORY` for WordNet
    #[arg(required = true, value_name = "INPUT")]
    inputs: Vec<PathBuf>,
    /// Output taxonomy
    #[arg(short, long, value_name = "FILE", help_heading = "Output")]
    output: PathBuf,
    /// Input format: wordnet, obo, turtle, ntriples, rf2, icd10 or csv [default: by file name and content]
    #[arg(long, value_name = "FORMAT", help_heading = "Input")]
    format: Option<String>,
    /// Name in reports [default: name of the first file]
    #[arg(long, value_name = "NAME", help_heading = "Output")]
    name: Option<String>,
    /// Language of the terms: en, es or other
    #[arg(long, value_name = "CODE", default_value = "en", help_heading = "Input")]
    language: String,
    /// The taxonomy contains proper names only: match capitalized terms only
    #[arg(long, help_heading = "Input")]
    names: bool,
}

#[derive(Args, Debug)]
#[command(after_help = "Examples:
  reticent taxonomy show wordnet
  reticent taxonomy show diseases.taxonomy 'lung disease' --json")]
struct ShowArgs {
    /// Taxonomy from `reticent taxonomy import`, or a built-in one: wordnet, places or nationalities
    #[arg(value_name = "FILE")]
    taxonomy: PathBuf,
    /// Term, or code of a concept
    term: Option<String>,
    /// Print JSON
    #[arg(long, help_heading = "Output")]
    json: bool,
}

pub(crate) fn run(args: &TaxonomyArgs) -> Result<Outcome, Failure> {
    match &args.what {
        What::Ladder(args) => ladder(args),
        What::Import(args) => pack(args),
        What::Show(args) => show(args),
    }
}

fn ladder(args: &LadderArgs) -> Result<Outcome, Failure> {
    let stack = Stack::with_files(&args.taxonomy).map_err(|error| failure(&error))?;
    let mut out = String::new();
    for (at, term) in args.terms.iter().enumerate() {
        let ladder = stack.ladder(term);
        if args.json {
            line(&mut out, &ladder_json(&stack, &ladder).to_string());
        } else {
            if at > 0 {
                out.push('\n');
            }
            ladder_text(&stack, &ladder, &mut out);
        }
    }
    output::write_all(&Target::Standard, out.as_bytes())?;
    Ok(Outcome::Done)
}

fn ladder_text(stack: &Stack, ladder: &Ladder, out: &mut String) {
    line(out, &ladder.term);
    match &ladder.form {
        Some(form) if *form != ladder.term => line(out, &format!("  known as {form}")),
        Some(_) => {}
        None => line(out, "  in no taxonomy"),
    }
    if !ladder.senses.is_empty() {
        line(out, "senses");
    }
    for sense in ladder.senses.iter().take(SENSES) {
        let taxonomy = &stack.members()[sense.taxonomy];
        let (label, code) = (taxonomy.label(sense.concept), taxonomy.code(sense.concept));
        let gloss = taxonomy.gloss(sense.concept).map(|gloss| format!(": {gloss}")).unwrap_or_default();
        line(out, &format!("  {:.2}  {label} ({} {code}){gloss}", sense.probability, taxonomy.name()));
    }
    if ladder.senses.len() > SENSES {
        line(out, &format!("  and {} more", ladder.senses.len() - SENSES));
    }
    line(out, "rungs");
    for rung in &ladder.rungs {
        let bits = rung.information_content.map_or("    ?".to_owned(), |bits| format!("{bits:5.1}"));
        let source = rung.concept.map_or_else(String::new, |(at, concept)| {
            let taxonomy = &stack.members()[at];
            format!("  ({} {})", taxonomy.name(), taxonomy.code(concept))
        });
        line(out, &format!("  {bits} bits  {:<8}  {}{source}", kind(rung.kind), rung.text));
    }
}

/// The number of senses and narrower concepts in text output.
const SENSES: usize = 8;
const NARROWER: usize = 20;

fn ladder_json(stack: &Stack, ladder: &Ladder) -> Value {
    let senses: Vec<Value> = ladder
        .senses
        .iter()
        .map(|sense| {
            let taxonomy = &stack.members()[sense.taxonomy];
            json!({
                "taxonomy": taxonomy.name(), "code": taxonomy.code(sense.concept),
                "label": taxonomy.label(sense.concept), "probability": sense.probability,
                "information_content": taxonomy.information_content(sense.concept),
                "gloss": taxonomy.gloss(sense.concept),
            })
        })
        .collect();
    let rungs: Vec<Value> = ladder
        .rungs
        .iter()
        .map(|rung| {
            let source = rung.concept.map(|(at, concept)| (&stack.members()[at], concept));
            json!({
                "text": rung.text, "kind": kind(rung.kind), "information_content": rung.information_content,
                "taxonomy": source.map(|(taxonomy, _)| taxonomy.name()),
                "code": source.map(|(taxonomy, concept)| taxonomy.code(concept)),
            })
        })
        .collect();
    json!({ "term": ladder.term, "form": ladder.form, "senses": senses, "rungs": rungs })
}

fn kind(kind: RungKind) -> &'static str {
    match kind {
        RungKind::Phrase => "phrase",
        RungKind::Hypernym => "hypernym",
        RungKind::Root => "root",
    }
}

fn pack(args: &ImportArgs) -> Result<Outcome, Failure> {
    Target::File(args.output.clone()).check()?;
    let mut inputs = args.inputs.clone();
    let mut format = args.format.as_deref().map(named).transpose()?;
    if inputs.len() == 2 && inputs[0] == Path::new("wordnet") && inputs[1].is_dir() {
        inputs.remove(0);
        format = Some(Format::WordNet);
    }
    let language = match args.language.as_str() {
        "en" => Language::English,
        "es" => Language::Spanish,
        "other" => Language::Other,
        code => {
            return Err(Failure::new(format!("unknown language `{code}`")).hint("use en, es or other"));
        }
    };
    let options = Options { format, name: args.name.clone(), language, names: args.names };
    let (bytes, summary) = import(&inputs, &options).map_err(|error| failure(&error))?;
    output::write_all(&Target::File(args.output.clone()), &bytes)?;
    if summary.dangling > 0 {
        messages::warn(&format!(
            "{} links to broader concepts that are not in the input were omitted",
            summary.dangling
        ));
    }
    messages::note(&format!(
        "{}: {} concepts, {} words, {} roots, depth {}, {} bytes",
        args.output.display(),
        summary.concepts,
        summary.words,
        summary.roots,
        summary.depth,
        bytes.len()
    ));
    Ok(Outcome::Done)
}

fn named(name: &str) -> Result<Format, Failure> {
    Format::named(name).ok_or_else(|| {
        let names: Vec<&str> = Format::ALL.iter().map(|(name, _)| *name).collect();
        Failure::new(format!("unknown format `{name}`")).hint(format!("use one of {}", names.join(", ")))
    })
}

fn show(args: &ShowArgs) -> Result<Outcome, Failure> {
    let opened;
    let taxonomy = match args.taxonomy.to_str() {
        Some("wordnet") => wordnet().map_err(|error| failure(&error))?,
        Some("places") => places().map_err(|error| failure(&error))?,
        Some("nationalities") => nationalities().map_err(|error| failure(&error))?,
        _ => {
            let path = &args.taxonomy;
            opened = PackedTaxonomy::open(path).map_err(|error| failure(&error.in_file(path)))?;
            &opened
        }
    };
    let mut out = String::new();
    let Some(term) = &args.term else {
        statistics(taxonomy, args.json, &mut out);
        output::write_all(&Target::Standard, out.as_bytes())?;
        return Ok(Outcome::Done);
    };
    let by_code = taxonomy.concept(term).map(|concept| (concept, None));
    let by_term = || taxonomy.senses(term).into_iter().map(|sense| (sense.concept, Some(sense.probability)));
    let found: Vec<(Concept, Option<f64>)> =
        by_code.map_or_else(|| by_term().collect(), |by_code| vec![by_code]);
    if found.is_empty() {
        return Err(Failure::new(format!("{} contains no such term or code", taxonomy.name()))
            .hint("`reticent taxonomy ladder` also tries simpler forms of a phrase"));
    }
    for (concept, probability) in found {
        let narrower: Vec<String> =
            taxonomy.narrower(concept).iter().map(|one| taxonomy.label(*one)).collect();
        let broader: Vec<String> = taxonomy.broader(concept).iter().map(|one| taxonomy.label(*one)).collect();
        let bits = taxonomy.information_content(concept);
        let (code, synonyms) = (taxonomy.code(concept), taxonomy.synonyms(concept));
        if args.json {
            let row = json!({
                "code": code, "label": taxonomy.label(concept), "synonyms": synonyms,
                "gloss": taxonomy.gloss(concept), "probability": probability, "information_content": bits,
                "broader": broader, "narrower": narrower,
            });
            line(&mut out, &row.to_string());
            continue;
        }
        let share =
            probability.map(|probability| format!(", probability {probability:.2}")).unwrap_or_default();
        line(&mut out, &format!("{} ({code}{share}, {bits:.1} bits)", synonyms.join(", ")));
        if let Some(gloss) = taxonomy.gloss(concept) {
            line(&mut out, &format!("  {gloss}"));
        }
        line(&mut out, &format!("  broader: {}", list(&broader)));
        line(&mut out, &format!("  narrower: {}", list(&narrower)));
    }
    output::write_all(&Target::Standard, out.as_bytes())?;
    Ok(Outcome::Done)
}

fn statistics(taxonomy: &PackedTaxonomy, as_json: bool, out: &mut String) {
    let summary = taxonomy.summary();
    let content = if taxonomy.counted() { "from counts" } else { "from the number of narrower concepts" };
    if as_json {
        let row = json!({
            "name": taxonomy.name(), "fingerprint": taxonomy.fingerprint(), "concepts": summary.concepts,
            "words": summary.words, "roots": summary.roots, "depth": summary.depth,
            "dangling": summary.dangling, "counted": taxonomy.counted(), "names": taxonomy.holds_names(),
        });
        line(out, &row.to_string());
        return;
    }
    line(out, &format!("{} ({})", taxonomy.name(), taxonomy.fingerprint()));
    line(out, &format!("concepts  {}", summary.concepts));
    line(out, &format!("words     {}", summary.words));
    line(out, &format!("roots     {}", summary.roots));
    line(out, &format!("depth     {}", summary.depth));
    line(out, &format!("dangling  {}", summary.dangling));
    line(out, &format!("information content {content}"));
}

fn list(labels: &[String]) -> String {
    match labels {
        [] => "none".to_owned(),
        labels if labels.len() > NARROWER => {
            format!("{} and {} more", labels[..NARROWER].join(", "), labels.len() - NARROWER)
        }
        labels => labels.join(", "),
    }
}

fn line(out: &mut String, text: &str) {
    // Writing to a String cannot fail.
    let _ = writeln!(out, "{text}");
}

fn failure(error: &reticent_knowledge::Error) -> Failure {
    let failure = Failure::new(error.to_string());
    match error.hint() {
        Some(hint) => failure.hint(hint),
        None => failure,
    }
}
