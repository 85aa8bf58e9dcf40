//! A Parquet file, made anew: the types, repetitions and compressions of the columns are the source's, and
//! nothing else of it is there. Statistics are not written, since the smallest and the largest value need not be
//! told twice.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;

use ::parquet::basic::{Compression, LogicalType, Repetition, Type as Physical};
use ::parquet::data_type::{
    BoolType, ByteArray, ByteArrayType, DataType, DoubleType, FixedLenByteArray, FixedLenByteArrayType,
    FloatType, Int32Type, Int64Type,
};
use ::parquet::errors::ParquetError;
use ::parquet::file::properties::{EnabledStatistics, WriterProperties};
use ::parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};
use ::parquet::schema::types::{ColumnPath, Type};

use crate::table::read::parquet::kind::{Kind, Value};
use crate::table::source::{ParquetColumn, ParquetStyle};
use crate::table::{Column, Table};
use crate::{Error, ErrorKind};

/// How many rows a group has, and how many are handed over at once.
const GROUP: usize = 1 << 20;
const BATCH: usize = 1024;

pub(super) fn write(table: &Table, style: &ParquetStyle) -> Result<Vec<u8>, Error> {
    written(table, style).map_err(|_| Error::new(ErrorKind::Format, "cannot write the Parquet file"))
}

/// How a column is written.
struct Plan<'s> {
    column: &'s Column,
    kind: Kind,
    physical: Physical,
    optional: bool,
    /// What stands for a missing value; nothing means a null.
    missing: Option<&'s str>,
}

fn written(table: &Table, style: &ParquetStyle) -> Result<Vec<u8>, ParquetError> {
    let mut properties = WriterProperties::builder()
        .set_created_by(concat!("reticent ", env!("CARGO_PKG_VERSION")).to_owned())
        .set_statistics_enabled(EnabledStatistics::None)
        .set_offset_index_disabled(true)
        .set_compression(Compression::SNAPPY);
    let (mut plans, mut fields) = (Vec::new(), Vec::new());
    for column in table.columns() {
        let source = style.columns.get(column.name());
        let (plan, field) = plan(column, source)?;
        plans.push(plan);
        fields.push(Arc::new(field));
        if let Some(codec) = source.and_then(|source| source.codec) {
            properties =
                properties.set_column_compression(ColumnPath::new(vec![column.name().to_owned()]), codec);
        }
    }
    let schema = Type::group_type_builder("schema").with_fields(fields).build()?;
    let mut out = Vec::new();
    let mut file = SerializedFileWriter::new(&mut out, Arc::new(schema), Arc::new(properties.build()))?;
    for start in (0..table.rows()).step_by(GROUP) {
        let mut group = file.next_row_group()?;
        for plan in &plans {
            plan.put_all(&mut group, start..table.rows().min(start + GROUP))?;
        }
        group.close()?;
    }
    file.close()?;
    Ok(out)
}

/// A column keeps its type if all its values still have it, and is a text otherwise.
fn plan<'s>(column: &'s Column, source: Option<&'s ParquetColumn>) -> Result<(Plan<'s>, Type), ParquetError> {
    let kept =
        source.filter(|source| column.distinct().iter().all(|value| source.kind.value(value).is_some()));
    let kind = kept.map_or(Kind::Text, |kept| kept.kind);
    let missing = source.and_then(|source| source.missing.as_deref());
    // Nothing at all is a text only.
    let missing = missing.filter(|word| kind.value(word).is_some());
    // A column that could not lack values still cannot, unless it does.
    let required = source.is_some_and(|source| !source.written.is_optional());
    let optional = !required || (missing.is_none() && column.missing() > 0);
    let repetition = if optional { Repetition::OPTIONAL } else { Repetition::REQUIRED };
    let Some(kept) = kept else {
        let field = Type::primitive_type_builder(column.name(), Physical::BYTE_ARRAY)
            .with_repetition(repetition)
            .with_logical_type(Some(LogicalType::String))
            .build()?;
        return Ok((Plan { column, kind, physical: Physical::BYTE_ARRAY, optional, missing }, field));
    };
    let physical = kept.written.get_physical_type();
    let info = kept.written.get_basic_info();
    let mut field = Type::primitive_type_builder(column.name(), physical)
        .with_repetition(repetition)
        .with_converted_type(info.converted_type())
        .with_logical_type(info.logical_type_ref().cloned());
    if let Type::PrimitiveType { type_length, scale, precision, .. } = &*kept.written {
        field = field.with_length(*type_length).with_scale(*scale).with_precision(*precision);
    }
    Ok((Plan { column, kind, physical, optional, missing }, field.build()?))
}

impl Plan<'_> {
    fn put_all<W: std::io::Write + Send>(
        &self,
        group: &mut SerializedRowGroupWriter<'_, W>,
        rows: Range<usize>,
    ) -> Result<(), ParquetError> {
        match self.physical {
            Physical::BOOLEAN => self.put::<BoolType, W>(group, rows, |value| match value {
                Value::Boolean(value) => Some(value),
                _ => None,
            }),
            Physical::INT32 => self.put::<Int32Type, W>(group, rows, |value| match value {
                Value::Integer(value) => i32::try_from(value).ok(),
                _ => None,
            }),
            Physical::INT64 => self.put::<Int64Type, W>(group, rows, |value| match value {
                Value::Integer(value) => Some(value),
                _ => None,
            }),
            Physical::FLOAT => self.put::<FloatType, W>(group, rows, |value| match value {
                Value::Float(value) => Some(value),
                _ => None,
            }),
            Physical::DOUBLE => self.put::<DoubleType, W>(group, rows, |value| match value {
                Value::Double(value) => Some(value),
                _ => None,
            }),
            Physical::BYTE_ARRAY => self.put::<ByteArrayType, W>(group, rows, |value| match value {
                Value::Bytes(bytes) => Some(ByteArray::from(Cow::into_owned(bytes))),
                _ => None,
            }),
            Physical::FIXED_LEN_BYTE_ARRAY => {
                self.put::<FixedLenByteArrayType, W>(group, rows, |value| match value {
                    Value::Bytes(bytes) => Some(FixedLenByteArray::from(Cow::into_owned(bytes))),
                    _ => None,
                })
            }
            Physical::INT96 => Err(misfit()),
        }
    }

    fn put<T: DataType, W: std::io::Write + Send>(
        &self,
        group: &mut SerializedRowGroupWriter<'_, W>,
        rows: Range<usize>,
        stored: impl Fn(Value<'_>) -> Option<T::T>,
    ) -> Result<(), ParquetError> {
        let mut column = group.next_column()?.ok_or_else(misfit)?;
        let (mut values, mut levels) = (Vec::with_capacity(BATCH), Vec::with_capacity(BATCH));
        for start in rows.clone().step_by(BATCH) {
            values.clear();
            levels.clear();
            for row in start..rows.end.min(start + BATCH) {
                let text = self.column.get(row).or(self.missing);
                levels.push(i16::from(text.is_some()));
                if let Some(text) = text {
                    values.push(self.kind.value(text).and_then(&stored).ok_or_else(misfit)?);
                }
            }
            let levels = self.optional.then_some(&levels[..]);
            column.typed::<T>().write_batch(&values, levels, None)?;
        }
        column.close()
    }
}

fn misfit() -> ParquetError {
    ParquetError::General("a value does not match its column".to_owned())
}
