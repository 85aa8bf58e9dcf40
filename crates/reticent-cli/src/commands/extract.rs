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
pub(crate) struct ExtractArgs {
    #[command(flatten)]
    pub(crate) input: InputArgs,
    #[command(flatten)]
    pub(crate) policy: PolicyArgs,
    /// What a type is in the table, as TYPE=ROLE: identifier, quasi-identifier, confidential or
    /// insensitive (may be given several times)
    #[arg(long, value_name = "TYPE=ROLE")]
    role: Vec<String>,
    /// Where to write the table: .csv, .tsv or .jsonl; `-` for standard output, as CSV
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    /// Where to write what the columns are; beside the table, as .schema.toml, if not given
    #[arg(long, value_name = "FILE")]
    schema: Option<PathBuf>,
    /// Where to write what `write-back` needs; beside the table, as .map.jsonl, if not given
    #[arg(long, value_name = "FILE")]
    map: Option<PathBuf>,
    /// How many threads; one for each core if not given
    #[arg(short, long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
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
        return Err(Failure::new("there is no document to make a table of"));
    }
    let table = Table::new(rows, &extractor)?;
    write(args, format, &table)?;
    Ok(outcome)
}

/// How a table is written, by its name.
pub(crate) fn format_of(path: &Path) -> Result<TableFormat, Failure> {
    if has_extension(path, "csv") || input::is_standard(path) {
        Ok(TableFormat::Csv)
    } else if has_extension(path, "tsv") {
        Ok(TableFormat::Tsv)
    } else if has_extension(path, "jsonl") {
        Ok(TableFormat::Jsonl)
    } else {
        Err(Failure::new(format!("{}: a table is .csv, .tsv or .jsonl", path.display())))
    }
}

/// How the row of a document is called: by where its file lies below the folder that was given, or by
/// the row of its file; both if there are several files.
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
            Failure::new(format!("`{role}` gives no type a role"))
                .hint("write --role TYPE=ROLE, such as --role ORGANIZATION=identifier")
        })?;
        roles.insert(kind, Role::from_name(name)?);
    }
    Ok(roles)
}

/// Where the schema and the map are written.
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
        messages::note("  the table and the map are as secret as the documents; the schema holds no values");
    } else {
        messages::note("  without a map there is no way back into the documents: give --map FILE");
    }
    Ok(())
}
