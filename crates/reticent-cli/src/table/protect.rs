//! `reticent table protect`.

use std::mem::ManuallyDrop;
use std::path::{Path, PathBuf};

use clap::Args;
use reticent::table::{
    self, Asked, Dossier, Fingerprint, Format, Identifiers, Joined, Measures, Parameters, PreparedTable,
    Requirement, Role, RowOrder, Schema, Source, Strategy, Table, TableOptions, Verification, counted,
};

use super::args::{KnowArgs, ModelArgs, SearchArgs, WriteArgs};
use super::load::{self, ReadArgs};
use crate::failure::{Failure, Outcome};
use crate::input::{self, has_extension};
use crate::messages;
use crate::output::{self, Target};

#[derive(Args, Debug)]
#[command(after_help = "Examples:
  reticent table protect patients.csv -k 5 -o anonymized.csv
  reticent table protect patients.csv visits.csv -k 5 -l 2 --schema clinic.toml -o anonymized/")]
pub(crate) struct ProtectArgs {
    /// Tables: CSV, TSV, JSONL, XLSX or Parquet; several are joined by the identifier column
    #[arg(value_name = "TABLE", required = true)]
    tables: Vec<PathBuf>,
    #[command(flatten)]
    read: ReadArgs,
    /// Output file, in the format of its extension; a directory for several tables; `-` for standard output
    #[arg(short, long, value_name = "FILE", help_heading = "Output")]
    output: PathBuf,
    /// Write a report on classes and information loss: .txt, .json or .html
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    report: Option<PathBuf>,
    /// Write a dossier to be signed, as one .html page: what was asked, what was counted, what was lost, fingerprints
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    dossier: Option<PathBuf>,
    /// Number of rows that the dossier shows before and after; confidential. 0 for none
    #[arg(long, value_name = "N", default_value_t = 3, requires = "dossier", help_heading = "Output")]
    dossier_examples: usize,
    #[command(flatten)]
    model: ModelArgs,
    #[command(flatten)]
    write: WriteArgs,
    #[command(flatten)]
    search: SearchArgs,
    #[command(flatten)]
    know: KnowArgs,
}

/// The output of each table, in order.
fn targets(args: &ProtectArgs) -> Result<Vec<Target>, Failure> {
    let [_] = args.tables.as_slice() else {
        let name = |path: &PathBuf| path.file_name().map_or_else(PathBuf::new, PathBuf::from);
        let targets = args.tables.iter().map(|path| Target::within(&args.output, &name(path)));
        return Ok(targets.collect());
    };
    let known =
        input::without_gz(&args.output).extension().is_none() || Format::from_path(&args.output).is_some();
    let target = output::plain(Some(&args.output));
    if !known && target != Target::Standard && !input::is_descriptor(&args.output) {
        return Err(Failure::new(format!(
            "{}: the extension is not that of a table format",
            args.output.display()
        ))
        .hint("use .csv, .tsv, .jsonl, .xlsx or .parquet"));
    }
    Ok(vec![target])
}

pub(crate) fn run(args: &ProtectArgs) -> Result<Outcome, Failure> {
    let targets = targets(args)?;
    output::check_targets(args.tables.iter().map(PathBuf::as_path).zip(&targets), args.report.as_deref())?;
    output::check_targets(args.tables.iter().map(PathBuf::as_path).zip(&targets), args.dossier.as_deref())?;
    if let Some(path) = args.dossier.as_deref().filter(|path| !has_extension(path, "html")) {
        return Err(Failure::new(format!("{}: a dossier must be .html", path.display())));
    }
    let schema = args.model.schema(load::schema(&args.search.schema)?);
    if args.tables.len() > 1 && schema.parameters().rows_per_person == Some(true) {
        return Err(Failure::new("the number of rows of a person can be protected in a single table only")
            .hint("join the tables first, or release them separately"));
    }
    let parameters = args.model.over(*schema.parameters())?;
    let mut options = args.write.options(&parameters, &schema, &args.read)?;
    let mut files = Vec::new();
    let wants_files = args.dossier.is_some() || args.report.is_some();
    let mut read = Vec::new();
    for path in &args.tables {
        let bytes = load::bytes(path)?;
        if wants_files {
            files.push(file("input", path, &bytes));
        }
        read.push(load::parsed(&bytes, path, &args.read, schema.missing())?);
    }
    if wants_files {
        files.push(file("schema", &args.search.schema, &load::bytes(&args.search.schema)?));
    }
    // Never freed: millions of small allocations take seconds, and the program ends anyway. The same below.
    let finder = ManuallyDrop::new(args.search.finder(&schema)?);
    let knowledge = args.know.knowledge()?;
    let (tables, sources): (Vec<Table>, Vec<Source>) = read.into_iter().unzip();
    let tables = ManuallyDrop::new(tables);
    let joined = load::join(&tables, &schema)?;
    let whole = joined.as_ref().map_or(&tables[0], Joined::table);
    let order = options.order;
    if joined.is_some() {
        // Each part is ordered for itself.
        options.order = RowOrder::Kept;
    }
    let in_file =
        |error: reticent::Error| Failure::from(error).in_file(&args.tables[0].display().to_string());
    let prepared = PreparedTable::new(whole, &schema, &finder, knowledge.as_ref()).map_err(in_file)?;
    let prepared = ManuallyDrop::new(prepared);
    let released = ManuallyDrop::new(prepared.protect(&options).map_err(in_file)?);
    check_most_rows(&parameters, &released.measures)?;
    let parts = match &joined {
        None => Vec::new(),
        Some(joined) if order == RowOrder::Sorted => {
            let numbered = schema.of_role(Role::Identifier).next();
            let numbered = numbered.filter(|_| options.identifiers == Identifiers::Pseudonym);
            joined.split_sorted(&released.table, numbered.map(|rule| rule.name.as_str()))?
        }
        Some(joined) => joined.split(&released.table)?,
    };
    let mut disarmed = 0;
    // Everything is made before anything is written.
    let mut outputs = Vec::new();
    let parts = if joined.is_none() { std::slice::from_ref(&released.table) } else { &parts[..] };
    for ((part, source), target) in parts.iter().zip(&sources).zip(&targets) {
        let (bytes, changed) = written(part, source, target)?;
        disarmed += changed;
        if wants_files {
            files.push(file("output", target.path().unwrap_or(Path::new("-")), &bytes));
        }
        outputs.push((target, bytes));
    }
    for (target, bytes) in outputs {
        output::write_all(target, &bytes)?;
    }
    if let Some(path) = &args.report {
        report(path, &released.measures, &released.verification, &files)?;
    }
    if let Some(path) = &args.dossier {
        let dossier = Dossier {
            original: whole,
            released: &released,
            schema: &schema,
            requirements: &options.requirements,
            order,
            asked: &asked(&options, order, &parameters, &schema),
            fingerprints: &files,
            examples: args.dossier_examples,
            disarmed,
        };
        let target = output::plain(Some(path));
        if args.dossier_examples > 0 {
            output::write_private(&target, dossier.html().as_bytes())?;
        } else {
            output::write_all(&target, dossier.html().as_bytes())?;
        }
    }
    print_summary(&released.measures, &released.verification);
    if disarmed > 0 {
        messages::note(&format!(
            "  {} a spreadsheet would evaluate: written with an apostrophe in front",
            counted(disarmed, "cell that", "cells that")
        ));
    }
    if options.identifiers == Identifiers::Remove && parameters.most_rows.is_none() {
        let most = released.measures.rows_per_person.most;
        let flag = if most == 1 { "--rows-are-persons".to_owned() } else { format!("--most-rows {most}") };
        messages::note(&format!("  identifiers were removed: verify the output with {flag}"));
    }
    for (column, count) in &released.verification.unexamined {
        messages::error(&Failure::new(format!(
            "`{column}`: {} in a language without tools, so nothing examined what is mentioned there",
            counted(*count, "text is", "texts are")
        )));
    }
    Ok(if released.verification.unexamined.is_empty() { Outcome::Done } else { Outcome::Unresolved })
}

/// A table as it is written, in the format of the original or of the extension of the target; and how many cells were
/// kept from being evaluated by spreadsheets.
fn written(table: &Table, source: &Source, target: &Target) -> Result<(Vec<u8>, usize), Failure> {
    let format = target.path().and_then(Format::from_path).unwrap_or(source.format());
    let (table, disarmed) = table::disarm(table, format)?;
    let bytes = if format == source.format() {
        table::write(&table, source)?
    } else {
        table::write(&table, &Source::plain(format))?
    };
    Ok((bytes, disarmed))
}

/// A file by its name and its fingerprint.
fn file(what: &str, path: &Path, bytes: &[u8]) -> Fingerprint {
    let name = path.file_name().map_or_else(|| "-".into(), |name| name.to_string_lossy());
    Fingerprint { what: what.to_owned(), file: name.into_owned(), sha256: table::fingerprint(bytes) }
}

/// Refuses a table in which a person has more rows than the schema says.
fn check_most_rows(parameters: &Parameters, measures: &Measures) -> Result<(), Failure> {
    let most = measures.rows_per_person.most;
    match parameters.most_rows {
        Some(stated) if stated < most => Err(Failure::new(format!(
            "a person has {most} rows, but the schema states `most_rows = {stated}`"
        ))
        .hint(format!("set `most_rows = {most}`, or set the identifier column of the persons"))),
        _ => Ok(()),
    }
}

/// The settings of a release in words, for its dossier.
fn asked(options: &TableOptions, order: RowOrder, parameters: &Parameters, schema: &Schema) -> Vec<Asked> {
    let one = |what: &str, value: String| Asked { what: what.to_owned(), value };
    let models: Vec<String> = options.requirements.iter().map(model).collect();
    let identifiers = match options.identifiers {
        Identifiers::Remove => "removed",
        Identifiers::Pseudonym if order == RowOrder::Kept => "replaced by numbers",
        Identifiers::Pseudonym => "replaced by numbers that follow from nothing but the released values",
        Identifiers::Keep => "kept: fingerprints of documents, which tell nothing without their map",
    };
    let mut asked = vec![
        one("Privacy models", models.join("; ")),
        one(
            "Method",
            match options.strategy {
                Strategy::Mondrian { lambda, relaxed } => format!(
                    "{}Mondrian, weight of columns against texts {lambda}",
                    if relaxed { "relaxed " } else { "" }
                ),
                Strategy::Gdf => "GDF".to_owned(),
            },
        ),
        one("Identifiers", identifiers.to_owned()),
    ];
    if schema.parameters().rows_per_person == Some(true) {
        asked.push(one("Rows per person", "a quasi-identifier".to_owned()));
    }
    if let Some(most) = parameters.most_rows {
        asked.push(one("Most rows of a person", most.to_string()));
    }
    if !schema.missing().is_empty() {
        asked.push(one("Words for a missing value", schema.missing().join(", ")));
    }
    asked
}

fn model(requirement: &Requirement) -> String {
    match requirement {
        Requirement::KAnonymity(k) => format!("{k}-anonymity"),
        Requirement::DistinctDiversity(column, l) => format!("distinct {l}-diversity of `{column}`"),
        Requirement::EntropyDiversity(column, l) => format!("entropy {l}-diversity of `{column}`"),
        Requirement::TCloseness(column, t) => format!("{t}-closeness of `{column}`"),
        Requirement::KMap(k, population) => format!("{k}-map in a population of {}", population.rows()),
    }
}

fn report(
    path: &Path,
    measures: &Measures,
    verification: &Verification,
    files: &[Fingerprint],
) -> Result<(), Failure> {
    let text = if has_extension(path, "json") {
        let files: Vec<_> = files
            .iter()
            .map(|file| serde_json::json!({ "what": file.what, "file": file.file, "sha256": file.sha256 }))
            .collect();
        let both = serde_json::json!({ "measures": measures, "verification": verification, "files": files });
        serde_json::to_string_pretty(&both).map_err(|error| Failure::new(error.to_string()))?
    } else if has_extension(path, "html") {
        measures.html()
    } else {
        format!("{}\nverified on the anonymized table\n{}", measures.text(), verification.text())
    };
    output::write_all(&output::plain(Some(path)), text.as_bytes())
}

fn print_summary(measures: &Measures, verification: &Verification) {
    messages::note(&format!(
        "{} in {}: {}, the smallest of {} (verified on the output)",
        counted(measures.persons, "person", "persons"),
        counted(measures.rows, "row", "rows"),
        counted(measures.classes.count, "class", "classes"),
        counted(verification.k, "person", "persons")
    ));
    let some = |share: Option<f64>| share.map_or_else(|| "–".to_owned(), |share| format!("{share:.3}"));
    messages::note(&format!(
        "  information loss: {:.3} in total, {} in columns, {} in texts",
        measures.loss.total,
        some(measures.loss.columns),
        some(measures.loss.texts)
    ));
    for (column, count) in measures.withheld.iter().filter(|(_, count)| **count > 0) {
        let language = measures.unsupported.get(column).map_or_else(String::new, |own| {
            format!(", {own} of them in a language without tools (--keep-unsupported-languages)")
        });
        messages::note(&format!("  texts replaced entirely by [TEXT]: {count} in `{column}`{language}"));
    }
    for remark in measures.remarks().into_iter().chain(verification.remarks()) {
        messages::warn(&remark);
    }
    if let Some(population) = &verification.population {
        messages::note(&format!("  {}", population.text()));
    }
}
