//! `reticent evaluate people`, `rungs` and `genres`: compares releases with gold annotations of what must be hidden, which
//! generalizations people chose, and what should be kept.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use clap::Args;
use reticent::evaluate::{
    GenreCounts, PeopleScores, Release, RungCounts, score_genres, score_people, score_rungs,
};
use serde_json::{Map, Value, json};

use super::{figure, in_file, line, print, text};
use crate::failure::{Failure, Outcome};
use crate::messages;

#[derive(Args, Debug)]
#[command(after_help = "Examples:
  reticent evaluate people gold.jsonl released.jsonl
  reticent evaluate people gold.jsonl released.jsonl.gz --field masked --certainty 4 --json")]
pub(super) struct PeopleArgs {
    /// Gold: JSONL with `id`, `text` and `people`, each with `attributes` of `type`, `value` and `certainty`
    gold: PathBuf,
    /// Release: JSONL with `id` and a text
    released: PathBuf,
    /// Field of the release that holds the text
    #[arg(long, value_name = "NAME", default_value = "text", help_heading = "Input")]
    field: String,
    /// Lowest certainty (1 to 5) of the values that count
    #[arg(
        long,
        value_name = "N",
        default_value_t = 3,
        help_heading = "Input",
        allow_negative_numbers = true
    )]
    certainty: i64,
    /// Print one line of JSON
    #[arg(long, help_heading = "Output")]
    json: bool,
}

#[derive(Args, Debug)]
#[command(after_help = "Examples:
  reticent evaluate rungs gold.jsonl released.jsonl
  reticent protect gold.jsonl --id-field id -o - | reticent evaluate rungs gold.jsonl - --json")]
pub(super) struct RungsArgs {
    /// Gold: JSONL with `id`, `text`, `generalizations` (`start-end` to a list of choices) and perhaps `offered` (the same to a
    /// ladder, the most specific rung first)
    gold: PathBuf,
    /// Release: JSONL with `id` and `edits` (`start`, `end` in code points of the original, `replacement`)
    released: PathBuf,
    /// Print one line of JSON
    #[arg(long, help_heading = "Output")]
    json: bool,
}

#[derive(Args, Debug)]
#[command(after_help = "Examples:
  reticent evaluate genres gold.jsonl released.jsonl
  reticent evaluate genres gold.jsonl released.jsonl --by-genre --json")]
pub(super) struct GenresArgs {
    /// Gold: JSONL with `id`, `genre`, `text`, spans in `direct`, `disclosive`, `harmless` and `others`, and perhaps `furniture`
    /// and `say`
    gold: PathBuf,
    /// Release: JSONL with `id`, `text` and `edits` (`start`, `end` in code points of the original, `replacement`)
    released: PathBuf,
    /// Print the figures of each genre as well
    #[arg(long, help_heading = "Output")]
    by_genre: bool,
    /// Print JSON: a line for all texts, then one for each genre with --by-genre
    #[arg(long, help_heading = "Output")]
    json: bool,
}

/// Reads both files.
fn read(gold: &Path, released: &Path) -> Result<(String, Release), Failure> {
    Ok((text(gold)?, Release::read(&text(released)?).map_err(in_file(released))?))
}

/// A problem of two files that do not fit together.
fn failed<'p>(gold: &'p Path, released: &'p Path) -> impl Fn(reticent::Error) -> Failure + 'p {
    move |error| {
        let failure = Failure::from(error);
        let message = format!("{} and {}: {}", gold.display(), released.display(), failure.message);
        Failure { message, ..failure }
    }
}

/// Warns of gold documents that were not released.
fn warn_of_missing(missing: usize, released: &Path, effect: &str) {
    if missing > 0 {
        messages::warn(&format!("{missing} gold documents are not in {}: {effect}", released.display()));
    }
}

fn optional(value: Option<f64>) -> Value {
    value.map_or(Value::Null, figure)
}

/// Four digits, or a dash where there is nothing to count.
fn shown(value: Option<f64>) -> String {
    value.map_or_else(|| "–".to_owned(), |value| format!("{value:.4}"))
}

pub(super) fn people(args: &PeopleArgs) -> Result<Outcome, Failure> {
    let (gold, release) = read(&args.gold, &args.released)?;
    let scores = score_people(&gold, &release, &args.field, args.certainty)
        .map_err(failed(&args.gold, &args.released))?;
    warn_of_missing(scores.missing, &args.released, "the people in them are not evaluated");
    print(&if args.json { people_json(&scores) } else { people_table(&scores) })
}

fn people_json(scores: &PeopleScores) -> String {
    let types: Map<String, Value> = scores
        .types
        .iter()
        .map(|(kind, (count, mean))| (kind.clone(), json!([count, figure(*mean)])))
        .collect();
    line([
        ("documents", json!(scores.documents)),
        ("persons", json!(scores.persons)),
        ("values", json!(scores.values)),
        ("inferred", json!(scores.inferred)),
        ("collective", optional(scores.collective)),
        ("individual", optional(scores.individual)),
        ("worst", optional(scores.worst)),
        ("exposed", optional(scores.exposed)),
        ("types", Value::Object(types)),
    ])
}

fn people_table(scores: &PeopleScores) -> String {
    let mut out = format!(
        "{} documents, {} people, {} attribute values ({} more can only be inferred)\n",
        scores.documents, scores.persons, scores.values, scores.inferred
    );
    for (name, value, about) in [
        ("collective", scores.collective, "mean protection of all values"),
        ("individual", scores.individual, "mean protection of people"),
        ("worst", scores.worst, "mean protection of the least protected person of each document"),
        ("exposed", scores.exposed, "share of people with every value disclosed"),
    ] {
        let _ = writeln!(out, "{name:<12}{:>7}  {about}", shown(value));
    }
    let width = scores.types.keys().map(|kind| kind.chars().count()).max().unwrap_or(0).max(20) + 2;
    let _ = writeln!(out, "\n{:<width$}{:>7} {:>9}", "type", "values", "protected");
    for (kind, (count, mean)) in &scores.types {
        let _ = writeln!(out, "{kind:<width$}{count:>7} {mean:>9.4}");
    }
    out
}

pub(super) fn rungs(args: &RungsArgs) -> Result<Outcome, Failure> {
    let (gold, release) = read(&args.gold, &args.released)?;
    let scores = score_rungs(&gold, &release).map_err(failed(&args.gold, &args.released))?;
    warn_of_missing(scores.missing, &args.released, "their mentions are not compared");
    if scores.without_edits > 0 {
        messages::warn(&format!(
            "{} documents of {} have no `edits`: all their mentions count as kept",
            scores.without_edits,
            args.released.display()
        ));
    }
    let both = [("all", scores.all), ("telling", scores.telling)];
    if args.json {
        return print(&line(both.map(|(name, counts)| (name, shares(&counts)))));
    }
    let names = scores.all.shares().map(|(name, _)| format!("{name:>7}")).join(" ");
    let mut out = format!("{:<28}{:>8} {names}\n", "", "mentions");
    for (name, counts) in [("all masked mentions", scores.all), ("people chose a wording", scores.telling)] {
        let shares = counts.shares().map(|(_, share)| format!("{share:>7.4}")).join(" ");
        let _ = writeln!(out, "{name:<28}{:>8} {shares}", counts.mentions());
    }
    print(&out)
}

fn shares(counts: &RungCounts) -> Value {
    let shares = counts.shares().map(|(name, share)| (name.to_owned(), figure(share)));
    Value::Object([("mentions".to_owned(), json!(counts.mentions()))].into_iter().chain(shares).collect())
}

pub(super) fn genres(args: &GenresArgs) -> Result<Outcome, Failure> {
    let (gold, release) = read(&args.gold, &args.released)?;
    let scores = score_genres(&gold, &release).map_err(failed(&args.gold, &args.released))?;
    warn_of_missing(scores.total.missing, &args.released, "they count as released unchanged");
    if scores.total.mismatched > 0 {
        messages::warn(&format!(
            "the edits of {} documents of {} do not give their released text",
            scores.total.mismatched,
            args.released.display()
        ));
    }
    let genres = scores.genres.iter().filter(|_| args.by_genre);
    if args.json {
        let mut out = line(genre_figures(&scores.total));
        for (name, counts) in genres {
            out += &line([("genre", json!(name))].into_iter().chain(genre_figures(counts)));
        }
        return print(&out);
    }
    let total = &scores.total;
    let mut out = format!(
        "{} texts, {} missing, {} mismatched, {} edits\n",
        total.texts, total.missing, total.mismatched, total.edits
    );
    for (name, value) in total.figures() {
        let _ = writeln!(out, "{name:<24}{:>7}", shown(value));
    }
    for (name, counts) in genres {
        let _ = writeln!(out, "\n{name}: {} texts, {} edits", counts.texts, counts.edits);
        for (name, value) in counts.figures() {
            let _ = writeln!(out, "  {name:<22}{:>7}", shown(value));
        }
    }
    print(&out)
}

fn genre_figures(counts: &GenreCounts) -> impl Iterator<Item = (&'static str, Value)> {
    let numbers = [
        ("texts", counts.texts),
        ("missing", counts.missing),
        ("mismatched", counts.mismatched),
        ("edits", counts.edits),
    ];
    let shares = counts.figures().map(|(name, value)| (name, optional(value)));
    numbers.map(|(name, number)| (name, json!(number))).into_iter().chain(shares)
}
