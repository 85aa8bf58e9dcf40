//! What the values of a Parquet column are, and what they look like as text: as they would in another format.

use std::borrow::Cow;

use ::parquet::basic::{ConvertedType, LogicalType, TimeUnit, Type as Physical};
use ::parquet::schema::types::Type;
use jiff::civil::{Date, DateTime, date};
use jiff::tz::Offset;
use jiff::{Span, Timestamp};

/// What a column holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::table) enum Kind {
    Boolean,
    Signed {
        bits: u8,
    },
    Unsigned {
        bits: u8,
    },
    Date,
    Moment {
        nanoseconds: i64,
        utc: bool,
    },
    Decimal {
        precision: u32,
        scale: usize,
        store: Store,
    },
    Float,
    Double,
    Text,
    Json,
    Uuid,
    /// Missing values only.
    Nothing,
}

/// How the digits of a decimal number are stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::table) enum Store {
    Integer,
    Bytes,
    Fixed(usize),
}

/// One value. Integers of 32 bits are widened, with their sign.
#[derive(Clone)]
pub(in crate::table) enum Value<'v> {
    Boolean(bool),
    Integer(i64),
    Float(f32),
    Double(f64),
    Bytes(Cow<'v, [u8]>),
}

/// As many digits as an `i128` surely holds.
const MOST_DIGITS: u32 = 38;

impl Kind {
    /// What a column of this type holds, or why that is not read.
    pub(super) fn of(column: &Type) -> Result<Self, &'static str> {
        let physical = column.get_physical_type();
        let fixed = match column {
            Type::PrimitiveType { type_length, .. } => usize::try_from(*type_length).unwrap_or(0),
            Type::GroupType { .. } => 0,
        };
        let said = said(column)?;
        Ok(match (physical, said) {
            (Physical::INT96, _) => return Err("96-bit timestamps (INT96), which are deprecated"),
            (_, Some(LogicalType::Unknown)) => Self::Nothing,
            (_, Some(LogicalType::Decimal(decimal))) => {
                let precision = u32::try_from(decimal.precision).unwrap_or(0);
                let scale = usize::try_from(decimal.scale).ok().filter(|&scale| scale <= precision as usize);
                let store = match physical {
                    Physical::INT32 | Physical::INT64 => Store::Integer,
                    Physical::BYTE_ARRAY => Store::Bytes,
                    _ => Store::Fixed(fixed),
                };
                match scale {
                    Some(scale) if precision <= MOST_DIGITS && fixed <= 64 => {
                        Self::Decimal { precision, scale, store }
                    }
                    _ => return Err("decimal numbers with more than 38 digits"),
                }
            }
            (Physical::BOOLEAN, None) => Self::Boolean,
            (Physical::INT32, None) => Self::Signed { bits: 32 },
            (Physical::INT64, None) => Self::Signed { bits: 64 },
            (Physical::INT32 | Physical::INT64, Some(LogicalType::Integer(integer))) => {
                let bits = match integer.bit_width {
                    8 => 8,
                    16 => 16,
                    32 => 32,
                    64 => 64,
                    _ => return Err("integers of an unsupported width"),
                };
                if integer.is_signed { Self::Signed { bits } } else { Self::Unsigned { bits } }
            }
            (Physical::INT32, Some(LogicalType::Date)) => Self::Date,
            (Physical::INT64, Some(LogicalType::Timestamp(moment))) => {
                let nanoseconds = match moment.unit {
                    TimeUnit::MILLIS => 1_000_000,
                    TimeUnit::MICROS => 1000,
                    TimeUnit::NANOS => 1,
                };
                Self::Moment { nanoseconds, utc: moment.is_adjusted_to_u_t_c }
            }
            (Physical::FLOAT, None) => Self::Float,
            (Physical::DOUBLE, None) => Self::Double,
            // Old programs write texts without saying so; bytes that are none are refused as they come.
            (Physical::BYTE_ARRAY, None | Some(LogicalType::String | LogicalType::Enum)) => Self::Text,
            (Physical::BYTE_ARRAY, Some(LogicalType::Json)) => Self::Json,
            (Physical::FIXED_LEN_BYTE_ARRAY, Some(LogicalType::Uuid)) if fixed == 16 => Self::Uuid,
            (Physical::FIXED_LEN_BYTE_ARRAY, None) => return Err("binary data"),
            (_, Some(LogicalType::Time(_))) => return Err("times without a date"),
            _ => return Err("values of an unsupported type"),
        })
    }

    /// What a value looks like; nothing if it is none that the column can have.
    pub(super) fn text<'v>(self, value: &'v Value<'_>) -> Option<Cow<'v, str>> {
        let text = match (self, value) {
            (Self::Boolean, Value::Boolean(value)) => value.to_string(),
            (Self::Signed { .. }, Value::Integer(value)) => value.to_string(),
            (Self::Unsigned { bits: 64 }, Value::Integer(value)) => value.cast_unsigned().to_string(),
            (Self::Unsigned { .. }, Value::Integer(value)) => {
                i32::try_from(*value).ok()?.cast_unsigned().to_string()
            }
            (Self::Date, Value::Integer(days)) => {
                date(1970, 1, 1).checked_add(Span::new().try_days(*days).ok()?).ok()?.to_string()
            }
            (Self::Moment { nanoseconds, utc }, Value::Integer(count)) => {
                let since = i128::from(*count) * i128::from(nanoseconds);
                let moment = Timestamp::from_nanosecond(since).ok()?;
                if utc { moment.to_string() } else { Offset::UTC.to_datetime(moment).to_string() }
            }
            (Self::Decimal { scale, .. }, Value::Integer(digits)) => decimal(i128::from(*digits), scale),
            (Self::Decimal { scale, .. }, Value::Bytes(bytes)) => decimal(from_bytes(bytes)?, scale),
            (Self::Float, Value::Float(value)) => value.to_string(),
            (Self::Double, Value::Double(value)) => value.to_string(),
            (Self::Text | Self::Json, Value::Bytes(bytes)) => {
                return std::str::from_utf8(bytes).ok().map(Cow::Borrowed);
            }
            (Self::Uuid, Value::Bytes(bytes)) => uuid(<&[u8; 16]>::try_from(&**bytes).ok()?),
            _ => return None,
        };
        Some(Cow::Owned(text))
    }

    /// The value that looks like this; nothing if none does.
    pub(in crate::table) fn value(self, text: &str) -> Option<Value<'_>> {
        let value = match self {
            Self::Boolean => Value::Boolean(text.parse().ok()?),
            Self::Signed { bits } => {
                let number: i64 = text.parse().ok()?;
                let spare = 64 - u32::from(bits);
                Value::Integer(Some(number).filter(|number| (number << spare) >> spare == *number)?)
            }
            Self::Unsigned { bits: 64 } => Value::Integer(text.parse::<u64>().ok()?.cast_signed()),
            Self::Unsigned { bits } => {
                let number: u32 = text.parse().ok()?;
                let fits = u64::from(number) >> bits == 0;
                Value::Integer(i64::from(Some(number).filter(|_| fits)?.cast_signed()))
            }
            Self::Date => {
                let days = text.parse::<Date>().ok()?.since(date(1970, 1, 1)).ok()?.get_days();
                Value::Integer(i64::from(days))
            }
            Self::Moment { nanoseconds, utc } => {
                let moment = if utc {
                    text.parse::<Timestamp>().ok()?
                } else {
                    Offset::UTC.to_timestamp(text.parse::<DateTime>().ok()?).ok()?
                };
                Value::Integer(i64::try_from(moment.as_nanosecond() / i128::from(nanoseconds)).ok()?)
            }
            Self::Decimal { precision, scale, store } => {
                let (whole, part) = text.split_once('.').unwrap_or((text, ""));
                let digits: i128 = format!("{whole}{part}").parse().ok()?;
                if part.len() != scale || digits.unsigned_abs() >= 10u128.checked_pow(precision)? {
                    return None;
                }
                match store {
                    Store::Integer => Value::Integer(i64::try_from(digits).ok()?),
                    Store::Bytes => Value::Bytes(Cow::Owned(to_bytes(digits, None)?)),
                    Store::Fixed(size) => Value::Bytes(Cow::Owned(to_bytes(digits, Some(size))?)),
                }
            }
            Self::Float => Value::Float(text.parse().ok()?),
            Self::Double => Value::Double(text.parse().ok()?),
            Self::Text => return Some(Value::Bytes(Cow::Borrowed(text.as_bytes()))),
            Self::Json => {
                serde_json::from_str::<serde::de::IgnoredAny>(text).ok()?;
                return Some(Value::Bytes(Cow::Borrowed(text.as_bytes())));
            }
            Self::Uuid => {
                let digits: String = text.chars().filter(|&c| c != '-').collect();
                Value::Bytes(Cow::Owned(data_encoding::HEXLOWER.decode(digits.as_bytes()).ok()?))
            }
            Self::Nothing => return None,
        };
        // `2004-05-14` is a day, and no midnight; `007` is no number.
        let same = self.text(&value).as_deref() == Some(text);
        same.then_some(value)
    }
}

/// What a type is annotated with; old programs only know the old way.
fn said(column: &Type) -> Result<Option<LogicalType>, &'static str> {
    let info = column.get_basic_info();
    if let Some(logical) = info.logical_type_ref() {
        return Ok(Some(logical.clone()));
    }
    Ok(Some(match info.converted_type() {
        ConvertedType::NONE => return Ok(None),
        ConvertedType::UTF8 => LogicalType::String,
        ConvertedType::ENUM => LogicalType::Enum,
        ConvertedType::JSON => LogicalType::Json,
        ConvertedType::DECIMAL => LogicalType::decimal(column.get_scale(), column.get_precision()),
        ConvertedType::DATE => LogicalType::Date,
        ConvertedType::TIMESTAMP_MILLIS => LogicalType::timestamp(true, TimeUnit::MILLIS),
        ConvertedType::TIMESTAMP_MICROS => LogicalType::timestamp(true, TimeUnit::MICROS),
        ConvertedType::INT_8 => LogicalType::integer(8, true),
        ConvertedType::INT_16 => LogicalType::integer(16, true),
        ConvertedType::INT_32 => LogicalType::integer(32, true),
        ConvertedType::INT_64 => LogicalType::integer(64, true),
        ConvertedType::UINT_8 => LogicalType::integer(8, false),
        ConvertedType::UINT_16 => LogicalType::integer(16, false),
        ConvertedType::UINT_32 => LogicalType::integer(32, false),
        ConvertedType::UINT_64 => LogicalType::integer(64, false),
        ConvertedType::TIME_MILLIS | ConvertedType::TIME_MICROS => return Err("times without a date"),
        _ => return Err("values of an unsupported type"),
    }))
}

fn decimal(digits: i128, scale: usize) -> String {
    let sign = if digits < 0 { "-" } else { "" };
    let all = format!("{:0>width$}", digits.unsigned_abs(), width = scale + 1);
    let (whole, part) = all.split_at(all.len() - scale);
    if scale == 0 { format!("{sign}{whole}") } else { format!("{sign}{whole}.{part}") }
}

/// A number of any width, its highest byte first.
fn from_bytes(bytes: &[u8]) -> Option<i128> {
    let sign = if bytes.first()? & 0x80 == 0 { 0 } else { 0xff };
    let spare = bytes.len().saturating_sub(16);
    let mut all = [sign; 16];
    let kept = &bytes[spare..];
    all[16 - kept.len()..].copy_from_slice(kept);
    let number = i128::from_be_bytes(all);
    // What is cut off must only repeat the sign.
    let whole = bytes[..spare].iter().all(|&byte| byte == sign) && (number < 0) == (sign != 0);
    whole.then_some(number)
}

/// The same in so many bytes, or in as few as it takes.
fn to_bytes(number: i128, size: Option<usize>) -> Option<Vec<u8>> {
    let all = number.to_be_bytes();
    let sign = if number < 0 { 0xff } else { 0 };
    let few = (1..=16).find(|&count| from_bytes(&all[16 - count..]) == Some(number))?;
    let size = size.unwrap_or(few);
    let mut bytes = vec![sign; size.checked_sub(few)?];
    bytes.extend_from_slice(&all[16 - few..]);
    Some(bytes)
}

fn uuid(bytes: &[u8; 16]) -> String {
    let digits = data_encoding::HEXLOWER.encode(bytes);
    [&digits[..8], &digits[8..12], &digits[12..16], &digits[16..20], &digits[20..]].join("-")
}
