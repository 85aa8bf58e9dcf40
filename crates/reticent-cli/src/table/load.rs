//! Opens tables and schemas.

use std::path::Path;

use clap::{Args, ValueEnum};
use reticent::policy::PolicyFile;
use reticent::table::{self, Format, Joined, Limits, ReadOptions, Role, Schema, Source, Table};
use reticent::{Error, ErrorKind};
use reticent_text::format::encoding::Encoding;

use crate::failure::Failure;
use crate::input::{self, has_extension, is_standard};

/// The largest schema or hierarchy, in bytes.
const MOST: u64 = 64 << 20;

const PROPOSE: &str = "generate a schema with `reticent table schema TABLE -o reticent-table.toml` and review it, or pass another with --schema";

/// Options for reading a table.
#[derive(Args, Debug, Clone, Default)]
#[command(next_help_heading = "Input")]
pub(crate) struct ReadArgs {
    /// Table format [default: by file extension]
    #[arg(long, value_enum, value_name = "FORMAT")]
    input_format: Option<FormatName>,
    /// Encoding of input that is not UTF-8, such as windows-1252; also used for the output
    #[arg(long, value_name = "LABEL")]
    encoding: Option<String>,
    /// Sheet to read, for workbooks with several
    #[arg(long, value_name = "NAME")]
    sheet: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum FormatName {
    Csv,
    Tsv,
    Jsonl,
    Xlsx,
    Parquet,
}

impl From<FormatName> for Format {
    fn from(name: FormatName) -> Self {
        match name {
            FormatName::Csv => Self::Csv,
            FormatName::Tsv => Self::Tsv,
            FormatName::Jsonl => Self::Jsonl,
            FormatName::Xlsx => Self::Xlsx,
            FormatName::Parquet => Self::Parquet,
        }
    }
}

/// The format of a table, from the arguments or by its extension.
pub(crate) fn format_of(path: &Path, args: &ReadArgs) -> Result<Format, Failure> {
    let format = args.input_format.map(Format::from).or_else(|| Format::from_path(path));
    format.ok_or_else(|| {
        Failure::new(format!("{}: unknown table format", path.display()))
            .hint(format!("pass --input-format with {}", names()))
    })
}

fn names() -> String {
    let names = FormatName::value_variants().iter().filter_map(ValueEnum::to_possible_value);
    let names: Vec<String> = names.map(|value| value.get_name().to_owned()).collect();
    names.join(", ")
}

/// The bytes of a table, unpacked; `-` is standard input.
pub(crate) fn bytes(path: &Path) -> Result<Vec<u8>, Failure> {
    input::read(path, Limits::default().max_bytes)
}

/// Reads a table; `-` is standard input. `missing` lists the words for a missing value.
pub(crate) fn table(path: &Path, args: &ReadArgs, missing: &[String]) -> Result<(Table, Source), Failure> {
    parsed(&bytes(path)?, path, args, missing)
}

/// The table of a file's bytes.
pub(crate) fn parsed(
    bytes: &[u8],
    path: &Path,
    args: &ReadArgs,
    missing: &[String],
) -> Result<(Table, Source), Failure> {
    let options = ReadOptions {
        missing: missing.to_vec(),
        encoding: args.encoding.as_deref().map(Encoding::from_label).transpose()?,
        sheet: args.sheet.clone(),
        ..ReadOptions::new(format_of(path, args)?)
    };
    let name = if is_standard(path) { "standard input".to_owned() } else { path.display().to_string() };
    table::read(bytes, &options).map_err(|error| Failure::from(error).in_file(&name))
}

/// Joins several tables by the identifier of the schema; `None` for a single table.
pub(crate) fn join(tables: &[Table], schema: &Schema) -> Result<Option<Joined>, Failure> {
    if tables.len() < 2 {
        return Ok(None);
    }
    let identifier = schema.of_role(Role::Identifier).next().ok_or_else(|| {
        Failure::new("several tables are joined by the identifier column, but the schema has none")
            .hint("set `role = \"identifier\"` for the column that all tables share")
    })?;
    Ok(Some(Joined::new(tables, &identifier.name)?))
}

/// Reads a schema: TOML, or an rx-anon configuration with the extension `.yaml`. File names in it are relative to it.
pub(crate) fn schema(path: &Path) -> Result<Schema, Failure> {
    let text = text(path)?;
    let schema = if has_extension(path, "yaml") || has_extension(path, "yml") {
        Schema::from_rx_anon(&text)
    } else {
        let folder = path.parent().unwrap_or(Path::new("."));
        Schema::from_toml_with(&text, |name| {
            input::read(&folder.join(name), MOST).map_err(|failure| {
                let error = Error::new(ErrorKind::Schema, failure.message);
                match failure.hint {
                    Some(hint) => error.with_hint(hint),
                    None => error,
                }
            })
        })
    };
    schema.map_err(|error| {
        if PolicyFile::from_toml(&text).is_err() {
            return Failure::from(error).in_file(&path.display().to_string());
        }
        Failure::new(format!("{}: a policy, not a table schema", path.display())).hint(PROPOSE)
    })
}

fn text(path: &Path) -> Result<String, Failure> {
    let bytes = input::read(path, MOST).map_err(|failure| match failure.hint {
        None if !path.exists() => failure.hint(PROPOSE),
        _ => failure,
    })?;
    String::from_utf8(bytes)
        .map_err(|_| Failure::new(format!("{}: a schema must be UTF-8 text", path.display())))
}
