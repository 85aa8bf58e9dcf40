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
pub(crate) struct TaxonomyArgs {
    #[command(subcommand)]
    what: What,
}

#[derive(Subcommand, Debug)]
enum What {
    /// Show what can be said instead of a term, from the most specific to the most general
    Ladder(LadderArgs),
    /// Pack a taxonomy of another format into a file that is opened at once
    Import(ImportArgs),
    /// Show how large a taxonomy is, or what it knows of a term or concept
    Show(ShowArgs),
}

#[derive(Args, Debug)]
struct LadderArgs {
    /// The terms
    #[arg(required = true, value_name = "TERM")]
    terms: Vec<String>,
    /// A taxonomy that `taxonomy import` made, asked before those of the program (may be given several times)
    #[arg(short, long, value_name = "FILE")]
    taxonomy: Vec<PathBuf>,
    /// As JSON, one line for each term
    #[arg(long)]
    json: bool,
}

#[derive(Args, Debug)]
struct ImportArgs {
    /// Files or directories of one taxonomy; `.gz` is unpacked. The word `wordnet` may stand before the
    /// directory of WordNet
    #[arg(required = true, value_name = "INPUT")]
    inputs: Vec<PathBuf>,
    /// Where to write it
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    /// The format: wordnet, obo, turtle, ntriples, rf2, icd10, csv; told from name and content if not given
    #[arg(long, value_name = "FORMAT")]
    format: Option<String>,
    /// What it is called in reports; the first file's name if not given
    #[arg(long, value_name = "NAME")]
    name: Option<String>,
    /// The language of its words (en, es, or other)
    #[arg(long, value_name = "CODE", default_value = "en")]
    language: String,
    /// All its words are names: a term without a capital is none of them
    #[arg(long)]
    names: bool,
}

#[derive(Args, Debug)]
struct ShowArgs {
    /// A packed taxonomy, or one of the program's: wordnet, places, nationalities
    #[arg(value_name = "FILE")]
    taxonomy: PathBuf,
    /// A term, or the code of a concept
    term: Option<String>,
    /// As JSON
    #[arg(long)]
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

/// How many senses and narrower concepts are shown to a person.
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
            return Err(
                Failure::new(format!("the language `{code}` is not known")).hint("give en, es or other")
            );
        }
    };
    let options = Options { format, name: args.name.clone(), language, names: args.names };
    let (bytes, summary) = import(&inputs, &options).map_err(|error| failure(&error))?;
    output::write_all(&Target::File(args.output.clone()), &bytes)?;
    if summary.dangling > 0 {
        messages::warn(&format!(
            "{} links lead to broader concepts that are not in the input; they were left out",
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
        Failure::new(format!("the format `{name}` is not known"))
            .hint(format!("give one of {}", names.join(", ")))
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
        return Err(Failure::new(format!("{} knows neither a term nor a code like that", taxonomy.name()))
            .hint("`taxonomy ladder` tries simpler forms of a phrase too"));
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
        [] => "nothing".to_owned(),
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
