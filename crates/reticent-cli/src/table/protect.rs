//! `reticent table protect`.

use std::mem::ManuallyDrop;
use std::path::{Path, PathBuf};

use clap::Args;
use reticent::table::{self, Format, Joined, Measures, PreparedTable, Source, Table, Verification, counted};

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
    let schema = load::schema(&args.search.schema)?;
    let parameters = args.model.over(*schema.parameters())?;
    let options = args.write.options(&parameters, &schema, &args.read)?;
    let mut read = Vec::new();
    for path in &args.tables {
        read.push(load::table(path, &args.read, schema.missing())?);
    }
    // Never freed: millions of small allocations take seconds, and the program ends anyway. The same below.
    let finder = ManuallyDrop::new(args.search.finder(&schema)?);
    let knowledge = args.know.knowledge()?;
    let (tables, sources): (Vec<Table>, Vec<Source>) = read.into_iter().unzip();
    let tables = ManuallyDrop::new(tables);
    let joined = load::join(&tables, &schema)?;
    let whole = joined.as_ref().map_or(&tables[0], Joined::table);
    let in_file =
        |error: reticent::Error| Failure::from(error).in_file(&args.tables[0].display().to_string());
    let prepared = PreparedTable::new(whole, &schema, &finder, knowledge.as_ref()).map_err(in_file)?;
    let prepared = ManuallyDrop::new(prepared);
    let released = ManuallyDrop::new(prepared.protect(&options).map_err(in_file)?);
    match &joined {
        None => write(&released.table, &sources[0], &targets[0])?,
        Some(joined) => {
            let parts = joined.split(&released.table)?;
            for ((part, source), target) in parts.iter().zip(&sources).zip(&targets) {
                write(part, source, target)?;
            }
        }
    }
    if let Some(path) = &args.report {
        report(path, &released.measures, &released.verification)?;
    }
    print_summary(&released.measures, &released.verification);
    for (column, count) in &released.verification.unexamined {
        messages::error(&Failure::new(format!(
            "`{column}`: {} in a language without tools, so nothing examined what is mentioned there",
            counted(*count, "text is", "texts are")
        )));
    }
    Ok(if released.verification.unexamined.is_empty() { Outcome::Done } else { Outcome::Unresolved })
}

/// Writes a table in the format of the original, or of the extension of the target.
fn write(table: &Table, source: &Source, target: &Target) -> Result<(), Failure> {
    let bytes = match target.path().and_then(Format::from_path) {
        Some(format) if format != source.format() => table::write(table, &Source::plain(format))?,
        _ => table::write(table, source)?,
    };
    output::write_all(target, &bytes)
}

fn report(path: &Path, measures: &Measures, verification: &Verification) -> Result<(), Failure> {
    let text = if has_extension(path, "json") {
        let both = serde_json::json!({ "measures": measures, "verification": verification });
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
    if let Some(population) = &verification.population {
        messages::note(&format!("  {}", population.text()));
    }
}
