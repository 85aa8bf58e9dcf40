//! Tables in Parquet, with columns that have no columns in them.
//!
//! Values become the texts that another format would hold: dates and moments as ISO 8601 writes them, numbers
//! without loss. What else the file holds (pairs of keys and values, statistics, indexes, filters) is not
//! read: it may repeat values, and none of it is written again.

mod headers;
pub(in crate::table) mod kind;

use std::borrow::Cow;
use std::collections::HashMap;
use std::panic::{AssertUnwindSafe, catch_unwind};

use ::parquet::basic::{Compression, Encoding, Repetition};
use ::parquet::column::page::{Page, PageMetadata, PageReader};
use ::parquet::column::reader::{ColumnReader, ColumnReaderImpl, get_column_reader};
use ::parquet::data_type::{AsBytes as _, DataType};
use ::parquet::errors::ParquetError;
use ::parquet::file::metadata::ParquetMetaData;
use ::parquet::file::reader::{FileReader as _, SerializedFileReader};
use bytes::Bytes;

use self::headers::Wrong;
use self::kind::{Kind, Value};
use super::{ReadOptions, assembled, check_cell, check_names, check_rows, too_much};
use crate::table::source::{ParquetColumn, ParquetStyle, Style, Tally};
use crate::table::{Column, ColumnBuilder, Limits, Source, Table};
use crate::{Error, ErrorKind};

/// How many rows of a column are unpacked at once.
const BATCH: usize = 1024;
/// From this length on a value counts towards the limit each time it occurs: a page can repeat one for a few bits.
const LONG: usize = 1024;

/// Reads a table. The crate `parquet` panics on some damaged files, which refuses them here.
pub(super) fn read(bytes: &[u8], options: &ReadOptions) -> Result<(Table, Source), Error> {
    catch_unwind(AssertUnwindSafe(|| read_sound(bytes, options)))
        .unwrap_or_else(|_| Err(broken("it cannot be read")))
}

fn read_sound(bytes: &[u8], options: &ReadOptions) -> Result<(Table, Source), Error> {
    if bytes.ends_with(b"PARE") {
        return Err(Error::new(ErrorKind::Format, "the Parquet file is encrypted")
            .with_hint("write it again without encryption"));
    }
    let footer = headers::footer(bytes).ok_or_else(|| broken("the magic bytes are missing"))?;
    headers::check_flat(footer).map_err(|wrong| match wrong {
        Wrong::Broken => broken("its schema is invalid"),
        Wrong::Nested(name) => nested(&name),
    })?;
    let file = SerializedFileReader::new(Bytes::copy_from_slice(bytes))
        .map_err(|_| broken("its metadata is invalid"))?;
    let (mut built, mut styles) = (Vec::new(), HashMap::new());
    let rows = check(bytes, file.metadata(), options)?;
    let mut left = options.limits.max_expanded;
    for place in 0..file.metadata().file_metadata().schema_descr().num_columns() {
        let (column, style) = read_column(&file, place, &rows, &mut left, options)?;
        styles.insert(column.name().to_owned(), style);
        built.push(column);
    }
    Ok((assembled(built)?, Source { style: Style::Parquet(ParquetStyle { columns: styles }) }))
}

/// Checks all that can be known before values are unpacked, and tells how many rows each group has.
fn check(bytes: &[u8], metadata: &ParquetMetaData, options: &ReadOptions) -> Result<Vec<usize>, Error> {
    let schema = metadata.file_metadata().schema_descr();
    let fields = schema.root_schema().get_fields();
    check_names(fields.iter().map(|field| field.name()), &options.limits)?;
    for field in fields {
        if !field.is_primitive() || field.get_basic_info().repetition() == Repetition::REPEATED {
            return Err(nested(field.name()));
        }
        Kind::of(field).map_err(|what| {
            let what = format!("the column `{}` holds {what}", field.name());
            Error::new(ErrorKind::Format, what).with_hint("convert it to text, or remove the column")
        })?;
    }
    let (mut groups, mut rows, mut said, mut unpacked) = (Vec::new(), 0usize, 0u64, 0u64);
    for group in metadata.row_groups() {
        let own = usize::try_from(group.num_rows()).map_err(|_| broken("its number of rows is negative"))?;
        rows = rows.saturating_add(own);
        check_rows(rows, &options.limits)?;
        groups.push(own);
        if group.num_columns() != fields.len() {
            return Err(broken("a row group lacks columns"));
        }
        for chunk in group.columns() {
            check_codec(chunk.compression(), chunk.column_descr().name())?;
            said = said.saturating_add(u64::try_from(chunk.uncompressed_size()).unwrap_or(u64::MAX));
            let start = chunk.dictionary_page_offset().unwrap_or(chunk.data_page_offset());
            let start = usize::try_from(start).ok();
            let end = start.zip(usize::try_from(chunk.compressed_size()).ok());
            let end = end.and_then(|(start, length)| start.checked_add(length));
            let pages = start.zip(end).and_then(|(start, end)| headers::unpacked(bytes.get(start..end)?));
            let pages = pages.ok_or_else(|| broken("the offset or size of a column is wrong"))?;
            unpacked = unpacked.saturating_add(pages);
            if said.max(unpacked) > options.limits.max_expanded {
                return Err(expands(&options.limits));
            }
        }
    }
    Ok(groups)
}

fn check_codec(codec: Compression, column: &str) -> Result<(), Error> {
    let name = match codec {
        Compression::UNCOMPRESSED
        | Compression::SNAPPY
        | Compression::GZIP(_)
        | Compression::LZ4
        | Compression::LZ4_RAW => return Ok(()),
        Compression::LZO => "LZO",
        Compression::BROTLI(_) => "BROTLI",
        Compression::ZSTD(_) => "ZSTD",
    };
    let what = format!("the column `{column}` is compressed with {name}, which is not supported");
    Err(Error::new(ErrorKind::Format, what)
        .with_hint("write the file with SNAPPY, GZIP or LZ4, or uncompressed"))
}

fn read_column(
    file: &SerializedFileReader<Bytes>,
    place: usize,
    groups: &[usize],
    left: &mut u64,
    options: &ReadOptions,
) -> Result<(Column, ParquetColumn), Error> {
    let described = file.metadata().file_metadata().schema_descr().column(place);
    let written = described.self_type_ptr();
    let kind = Kind::of(&written).map_err(|_| broken("a column has no type"))?;
    let mut filling = Filling {
        name: described.name(),
        kind,
        builder: ColumnBuilder::new(described.name()),
        nulls: 0,
        words: Tally::default(),
        left,
        options,
    };
    let mut codec = None;
    for (at, &rows) in groups.iter().enumerate() {
        codec.get_or_insert(file.metadata().row_group(at).column(place).compression());
        let damaged = |error| filling_error(described.name(), &error);
        let pages =
            file.get_row_group(at).map_err(damaged)?.get_column_page_reader(place).map_err(damaged)?;
        match get_column_reader(described.clone(), Box::new(Pages(pages))) {
            ColumnReader::BoolColumnReader(reader) => {
                filling.fill(reader, rows, |&value| Value::Boolean(value))?;
            }
            ColumnReader::Int32ColumnReader(reader) => {
                filling.fill(reader, rows, |&value| Value::Integer(i64::from(value)))?;
            }
            ColumnReader::Int64ColumnReader(reader) => {
                filling.fill(reader, rows, |&value| Value::Integer(value))?;
            }
            ColumnReader::FloatColumnReader(reader) => {
                filling.fill(reader, rows, |&value| Value::Float(value))?;
            }
            ColumnReader::DoubleColumnReader(reader) => {
                filling.fill(reader, rows, |&value| Value::Double(value))?;
            }
            ColumnReader::ByteArrayColumnReader(reader) => {
                filling.fill(reader, rows, |value| Value::Bytes(Cow::Borrowed(value.as_bytes())))?;
            }
            ColumnReader::FixedLenByteArrayColumnReader(reader) => {
                filling.fill(reader, rows, |value| Value::Bytes(Cow::Borrowed(value.as_bytes())))?;
            }
            ColumnReader::Int96ColumnReader(_) => {
                return Err(broken("a column does not have its declared type"));
            }
        }
    }
    let missing = if filling.nulls > 0 { None } else { filling.words.most() };
    Ok((filling.builder.finish(), ParquetColumn { written, kind, codec, missing }))
}

/// A column while it is read.
struct Filling<'a> {
    name: &'a str,
    kind: Kind,
    builder: ColumnBuilder,
    nulls: usize,
    /// What stood for missing values, beside nothing.
    words: Tally<String>,
    /// How many bytes of long values may still come.
    left: &'a mut u64,
    options: &'a ReadOptions,
}

impl Filling<'_> {
    fn fill<T: DataType>(
        &mut self,
        mut reader: ColumnReaderImpl<T>,
        rows: usize,
        value: impl Fn(&T::T) -> Value<'_>,
    ) -> Result<(), Error> {
        let (mut values, mut levels) = (Vec::with_capacity(BATCH), Vec::with_capacity(BATCH));
        let mut done = 0;
        // Once more at the end, where nothing may come.
        loop {
            values.clear();
            levels.clear();
            let most = (rows - done).clamp(1, BATCH);
            let (count, _, _) = reader
                .read_records(most, Some(&mut levels), None, &mut values)
                .map_err(|error| filling_error(self.name, &error))?;
            done += count;
            if count == 0 && done == rows {
                return Ok(());
            }
            if count == 0 || done > rows {
                return Err(broken("a column has more or fewer values than the table has rows"));
            }
            // A column that cannot lack values has no levels.
            if levels.is_empty() {
                levels.resize(count, 1);
            }
            let mut next = values.iter();
            for &level in levels.iter().take(count) {
                let own = if level == 0 { None } else { next.next().map(&value) };
                if level != 0 && own.is_none() {
                    return Err(broken("a column lacks values"));
                }
                self.push(own.as_ref())?;
            }
        }
    }

    fn push(&mut self, value: Option<&Value<'_>>) -> Result<(), Error> {
        let Some(value) = value else {
            self.nulls += 1;
            self.builder.push(None);
            return Ok(());
        };
        let row = self.builder.len() + 1;
        let text = self.kind.text(value).ok_or_else(|| {
            let what =
                format!("row {row}, column `{}`: the value does not match the column's type", self.name);
            Error::new(ErrorKind::Format, what)
                .with_hint("bytes must be UTF-8 text, and dates must have four-digit years")
        })?;
        check_cell(&text, row, self.name, &self.options.limits)?;
        if text.len() > LONG {
            let left = self.left.checked_sub(text.len() as u64);
            *self.left = left.ok_or_else(|| expands(&self.options.limits))?;
        }
        if text.is_empty() || self.options.missing.iter().any(|word| *word == *text) {
            self.words.add(&*text);
            self.builder.push(None);
        } else {
            self.builder.push(Some(&text));
        }
        Ok(())
    }
}

/// Pages of a column, without those that would make the crate `parquet` ask for more memory than there is.
struct Pages(Box<dyn PageReader>);

impl PageReader for Pages {
    fn get_next_page(&mut self) -> Result<Option<Page>, ParquetError> {
        let page = self.0.get_next_page()?;
        if let Some(page) = &page {
            if page.is_dictionary_page() && page.num_values() as usize > page.buffer().len() {
                return Err(ParquetError::General("a dictionary is larger than its page".to_owned()));
            }
            // The crate believes how many values are in such a page, and can be told of any number.
            if matches!(page.encoding(), Encoding::DELTA_LENGTH_BYTE_ARRAY | Encoding::DELTA_BYTE_ARRAY) {
                return Err(ParquetError::NYI(String::new()));
            }
        }
        Ok(page)
    }

    fn peek_next_page(&mut self) -> Result<Option<PageMetadata>, ParquetError> {
        self.0.peek_next_page()
    }

    fn skip_next_page(&mut self) -> Result<(), ParquetError> {
        self.0.skip_next_page()
    }
}

impl Iterator for Pages {
    type Item = Result<Page, ParquetError>;

    fn next(&mut self) -> Option<Self::Item> {
        self.get_next_page().transpose()
    }
}

/// What the crate says may hold values, and is not repeated.
fn filling_error(column: &str, error: &ParquetError) -> Error {
    if matches!(error, ParquetError::NYI(_)) {
        let what = format!("the column `{column}` has an unsupported encoding");
        return Error::new(ErrorKind::Format, what)
            .with_hint("write the file with encodings of version 1, without DELTA_BYTE_ARRAY");
    }
    broken(&format!("the column `{column}` cannot be decompressed"))
}

fn nested(column: &str) -> Error {
    Error::new(ErrorKind::Format, format!("the column `{column}` contains lists, maps or nested columns"))
        .with_hint("flatten it into one column per part first")
}

fn expands(limits: &Limits) -> Error {
    too_much("the decompressed file is larger", limits.max_expanded, "bytes")
}

fn broken(what: &str) -> Error {
    Error::new(ErrorKind::Format, format!("not a Parquet file, or a damaged one: {what}"))
        .with_hint("export it again from the original program")
}

#[cfg(test)]
mod tests;
