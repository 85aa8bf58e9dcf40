//! `reticent extract`: documents as a table.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use clap::Args;
use reticent::EntityType;
use reticent::extract::{Extract, Extractor, Table, TableFormat};
use reticent::policy::Role;
use reticent_text::format::rows::Row;

use crate::args::{InputArgs, PolicyArgs};
use crate::failure::{Failure, Outcome};
use crate::input::{self, InputFile, Inputs, Kind, has_extension};
use crate::messages;
use crate::output::{self, Target};
use crate::rows::{self, Part};
use crate::runner;

#[derive(Args, Debug)]
#[command(after_help = "Examples:
  reticent extract letters/ -o table.csv
  reticent extract notes.jsonl --id-field id --role ORGANIZATION=identifier -o table.csv")]
pub(crate) struct ExtractArgs {
    #[command(flatten)]
    pub(crate) input: InputArgs,
    #[command(flatten)]
    pub(crate) policy: PolicyArgs,
    /// Role of an entity type in the table: identifier, quasi-identifier, confidential or insensitive (repeatable)
    #[arg(long, value_name = "TYPE=ROLE", help_heading = "Policy")]
    role: Vec<String>,
    /// Output table: .csv, .tsv or .jsonl; `-` for CSV on standard output
    #[arg(short, long, value_name = "FILE", help_heading = "Output")]
    output: PathBuf,
    /// Output schema of the columns [default: next to the table, as .schema.toml]
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    schema: Option<PathBuf>,
    /// Output map for `reticent write-back` [default: next to the table, as .map.jsonl]
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    map: Option<PathBuf>,
    /// Number of threads [default: one per core]
    #[arg(short, long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024), help_heading = "Performance")]
    jobs: Option<u16>,
}

pub(crate) fn run(args: &ExtractArgs) -> Result<Outcome, Failure> {
    let format = format_of(&args.output)?;
    let extractor =
        Extractor::new(runner::names_only(&args.policy, false)?).with_roles(roles(&args.role)?)?;
    runner::threads(args.jobs)?;
    let inputs = input::list(&args.input);
    inputs.check_names()?;
    let (schema, map) = beside(args);
    for path in [Some(&args.output), schema.as_ref(), map.as_ref()] {
        output::check_single(path.map(PathBuf::as_path), &inputs)?;
    }
    let done: Mutex<Vec<(PathBuf, Vec<Extract>)>> = Mutex::new(Vec::new());
    let outcome = runner::each_file(&inputs, |file| {
        let (rows, outcome) = of_file(args, &extractor, &inputs, file)?;
        let mut done = done.lock().map_err(|_| Failure::new("the table was lost in an internal error"))?;
        done.push((file.path.clone(), rows));
        Ok(outcome)
    });
    let mut done = done.into_inner().map_err(|_| Failure::new("the table was lost in an internal error"))?;
    let order: BTreeMap<&Path, usize> =
        inputs.files.iter().enumerate().map(|(at, file)| (file.path.as_path(), at)).collect();
    done.sort_by_key(|(path, _)| order.get(path.as_path()).copied());
    let rows: Vec<Extract> = done.into_iter().flat_map(|(_, rows)| rows).collect();
    if rows.is_empty() {
        return Err(Failure::new("no documents to extract a table from"));
    }
    let table = Table::new(rows, &extractor)?;
    write(args, format, &table)?;
    Ok(outcome)
}

/// The format of a table by its extension.
pub(crate) fn format_of(path: &Path) -> Result<TableFormat, Failure> {
    if has_extension(path, "csv") || input::is_standard(path) {
        Ok(TableFormat::Csv)
    } else if has_extension(path, "tsv") {
        Ok(TableFormat::Tsv)
    } else if has_extension(path, "jsonl") {
        Ok(TableFormat::Jsonl)
    } else {
        Err(Failure::new(format!("{}: a table must be .csv, .tsv or .jsonl", path.display())))
    }
}

/// The ID of a document's row: the path of its file relative to the input directory, or the ID of the row in its file; both
/// if there are several files.
pub(crate) fn row_id(inputs: &Inputs, file: &InputFile, row: Option<&Row>) -> String {
    let relative = file.relative.to_string_lossy().replace('\\', "/");
    match row {
        None => relative,
        Some(row) if inputs.several => format!("{relative}#{}", row.document.id()),
        Some(row) => row.document.id().to_owned(),
    }
}

fn of_file(
    args: &ExtractArgs,
    extractor: &Extractor,
    inputs: &Inputs,
    file: &InputFile,
) -> Result<(Vec<Extract>, Outcome), Failure> {
    let policy = extractor.protector().policy();
    match file.kind {
        Kind::Whole(kind) => {
            let mut loaded = runner::load(file, kind, &args.input, policy)?;
            let id = row_id(inputs, file, None);
            let extract = extractor.extract(&id, &mut loaded.document, &loaded.bytes, &[])?;
            Ok((vec![extract], Outcome::Done))
        }
        Kind::Rows(format) => {
            let mut all = Vec::new();
            let work = |row: &mut Row| {
                let (id, subjects) = (row_id(inputs, file, Some(row)), runner::row_subjects(row)?);
                let source = row.document.text().to_owned();
                Ok(extractor.extract(&id, &mut row.document, source.as_bytes(), &subjects)?)
            };
            let tally = rows::each_row(file, format, &args.input, policy, work, |part| {
                if let Part::Row(extract) = part {
                    all.push(extract);
                }
                Ok(())
            })?;
            Ok((all, tally.finish(file)))
        }
    }
}

fn roles(given: &[String]) -> Result<BTreeMap<EntityType, Role>, Failure> {
    let mut roles = BTreeMap::new();
    for role in given {
        let parts = role.split_once('=').and_then(|(kind, role)| Some((EntityType::new(kind)?, role)));
        let (kind, name) = parts.ok_or_else(|| {
            Failure::new(format!("invalid role `{role}`"))
                .hint("use --role TYPE=ROLE, such as --role ORGANIZATION=identifier")
        })?;
        roles.insert(kind, Role::from_name(name)?);
    }
    Ok(roles)
}

/// The paths of the schema and the map.
fn beside(args: &ExtractArgs) -> (Option<PathBuf>, Option<PathBuf>) {
    let beside = |given: &Option<PathBuf>, ending: &str| match given {
        Some(path) => Some(path.clone()),
        None if input::is_standard(&args.output) => None,
        None => Some(args.output.with_extension(ending)),
    };
    (beside(&args.schema, "schema.toml"), beside(&args.map, "map.jsonl"))
}

fn write(args: &ExtractArgs, format: TableFormat, table: &Table) -> Result<(), Failure> {
    let (schema, map) = beside(args);
    if let Some(path) = &schema {
        output::write_all(&Target::File(path.clone()), table.schema().to_toml()?.as_bytes())?;
    }
    if let Some(path) = &map {
        output::write_private(&Target::File(path.clone()), table.map().to_jsonl()?.as_bytes())?;
    }
    let text = table.to_text(format)?;
    output::write_private(&output::plain(Some(&args.output)), text.as_bytes())?;
    let columns = table.schema().columns.len();
    messages::note(&format!("{} documents, {columns} columns", table.schema().documents));
    if map.is_some() {
        messages::note(
            "  the table and the map are as confidential as the documents; the schema contains no values",
        );
    } else {
        messages::note("  no map was written: `reticent write-back` requires one, see --map FILE");
    }
    Ok(())
}
