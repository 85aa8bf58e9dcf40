use std::sync::Arc;

use ::parquet::data_type::{
    BoolType, ByteArray, ByteArrayType, DoubleType, FixedLenByteArray, FixedLenByteArrayType, FloatType,
    Int32Type, Int64Type,
};
use ::parquet::file::metadata::KeyValue;
use ::parquet::file::properties::WriterProperties;
use ::parquet::file::writer::{SerializedColumnWriter, SerializedFileWriter};
use ::parquet::schema::parser::parse_message_type;
use proptest::prelude::*;

use super::kind::Store;
use super::*;
use crate::table::{Format, write};

type Put = Box<dyn Fn(&mut SerializedColumnWriter<'_>)>;

/// Writes these values, and these levels unless the column is required.
fn put<T: DataType>(values: Vec<T::T>, levels: &[i16]) -> Put {
    let levels = levels.to_vec();
    Box::new(move |column| {
        let levels = (!levels.is_empty()).then_some(&levels[..]);
        column.typed::<T>().write_batch(&values, levels, None).unwrap();
    })
}

fn texts(values: &[&str], levels: &[i16]) -> Put {
    put::<ByteArrayType>(values.iter().map(|value| ByteArray::from(*value)).collect(), levels)
}

/// A file as the crate writes it, with metadata that must not come along; once more the same for each group.
fn file(fields: &str, codec: Compression, groups: usize, columns: &[Put]) -> Vec<u8> {
    let schema = Arc::new(parse_message_type(&format!("message m {{ {fields} }}")).unwrap());
    let secret = KeyValue::new("owner".to_owned(), "secret".to_owned());
    let properties =
        WriterProperties::builder().set_compression(codec).set_key_value_metadata(Some(vec![secret])).build();
    let mut out = Vec::new();
    let mut file = SerializedFileWriter::new(&mut out, schema, Arc::new(properties)).unwrap();
    for _ in 0..groups {
        let mut group = file.next_row_group().unwrap();
        for fill in columns {
            let mut column = group.next_column().unwrap().unwrap();
            fill(&mut column);
            column.close().unwrap();
        }
        group.close().unwrap();
    }
    file.close().unwrap();
    out
}

fn options() -> ReadOptions {
    ReadOptions::new(Format::Parquet)
}

fn metadata(bytes: &[u8]) -> ParquetMetaData {
    SerializedFileReader::new(Bytes::copy_from_slice(bytes)).unwrap().metadata().clone()
}

fn refused(bytes: &[u8]) -> String {
    super::read(bytes, &options()).unwrap_err().to_string()
}

fn rows(table: &Table) -> Vec<Vec<Option<&str>>> {
    (0..table.rows()).map(|row| table.columns().iter().map(|column| column.get(row)).collect()).collect()
}

fn column(name: &str, values: &[Option<&str>]) -> Column {
    let mut builder = ColumnBuilder::new(name);
    for value in values {
        builder.push(*value);
    }
    builder.finish()
}

/// A column of each type that is read, and what its two values look like.
fn typed() -> (Vec<u8>, Vec<[&'static str; 2]>) {
    let fields = "
        OPTIONAL BOOLEAN ok;
        OPTIONAL INT32 whole;
        OPTIONAL INT32 small (INTEGER(8, true));
        OPTIONAL INT32 word (INTEGER(32, false));
        OPTIONAL INT64 long;
        OPTIONAL INT64 longest (INTEGER(64, false));
        OPTIONAL INT32 born (DATE);
        OPTIONAL INT64 seen (TIMESTAMP(MILLIS, true));
        OPTIONAL INT64 local (TIMESTAMP(MICROS, false));
        OPTIONAL INT64 exact (TIMESTAMP(NANOS, true));
        OPTIONAL INT64 old (TIMESTAMP_MILLIS);
        OPTIONAL INT32 price (DECIMAL(9, 2));
        OPTIONAL INT64 sum (DECIMAL(18, 0));
        OPTIONAL BYTE_ARRAY large (DECIMAL(38, 3));
        OPTIONAL FIXED_LEN_BYTE_ARRAY (5) fixed (DECIMAL(10, 2));
        OPTIONAL FLOAT single;
        OPTIONAL DOUBLE double;
        OPTIONAL BYTE_ARRAY name (STRING);
        OPTIONAL BYTE_ARRAY bare;
        OPTIONAL BYTE_ARRAY kind (ENUM);
        OPTIONAL BYTE_ARRAY more (JSON);
        OPTIONAL FIXED_LEN_BYTE_ARRAY (16) id (UUID);";
    let levels = &[1, 0, 1];
    let bytes = |values: [&[u8]; 2]| values.map(|value| ByteArray::from(value.to_vec())).to_vec();
    let fixed = |values: [&[u8]; 2]| values.map(|value| FixedLenByteArray::from(value.to_vec())).to_vec();
    let columns = vec![
        put::<BoolType>(vec![true, false], levels),
        put::<Int32Type>(vec![36, i32::MIN], levels),
        put::<Int32Type>(vec![-128, 127], levels),
        put::<Int32Type>(vec![-1, 7], levels),
        put::<Int64Type>(vec![i64::MAX, -5], levels),
        put::<Int64Type>(vec![-1, 7], levels),
        put::<Int32Type>(vec![12552, -1], levels),
        put::<Int64Type>(vec![1_084_557_600_000, -1], levels),
        put::<Int64Type>(vec![1_084_557_600_000_001, 0], levels),
        put::<Int64Type>(vec![1_084_557_600_000_000_001, 0], levels),
        put::<Int64Type>(vec![1_084_557_600_500, 0], levels),
        put::<Int32Type>(vec![-5, 123_456], levels),
        put::<Int64Type>(vec![0, -42], levels),
        put::<ByteArrayType>(bytes([&[0x00, 0x80], &[0xff, 0xff, 0x80]]), levels),
        put::<FixedLenByteArrayType>(fixed([&[0, 0, 0, 4, 210], &[255; 5]]), levels),
        put::<FloatType>(vec![0.1, f32::NAN], levels),
        put::<DoubleType>(vec![0.1, 1e21], levels),
        texts(&["Ana", "36"], levels),
        texts(&["é", "b"], levels),
        texts(&["x", "y"], levels),
        texts(&["{\"a\": 1}", "[]"], levels),
        put::<FixedLenByteArrayType>(fixed([&[0; 16], &[0xab; 16]]), levels),
    ];
    let expected = vec![
        ["true", "false"],
        ["36", "-2147483648"],
        ["-128", "127"],
        ["4294967295", "7"],
        ["9223372036854775807", "-5"],
        ["18446744073709551615", "7"],
        ["2004-05-14", "1969-12-31"],
        ["2004-05-14T18:00:00Z", "1969-12-31T23:59:59.999Z"],
        ["2004-05-14T18:00:00.000001", "1970-01-01T00:00:00"],
        ["2004-05-14T18:00:00.000000001Z", "1970-01-01T00:00:00Z"],
        ["2004-05-14T18:00:00.5Z", "1970-01-01T00:00:00Z"],
        ["-0.05", "1234.56"],
        ["0", "-42"],
        ["0.128", "-0.128"],
        ["12.34", "-0.01"],
        ["0.1", "NaN"],
        ["0.1", "1000000000000000000000"],
        ["Ana", "36"],
        ["é", "b"],
        ["x", "y"],
        ["{\"a\": 1}", "[]"],
        ["00000000-0000-0000-0000-000000000000", "abababab-abab-abab-abab-abababababab"],
    ];
    (file(fields, Compression::SNAPPY, 1, &columns), expected)
}

#[test]
fn types_come_back_and_nothing_else() {
    let (bytes, expected) = typed();
    let (table, source) = super::read(&bytes, &options()).unwrap();
    assert_eq!(source.format(), Format::Parquet);
    for (column, [first, last]) in table.columns().iter().zip(expected) {
        let values = [column.get(0), column.get(1), column.get(2)];
        assert_eq!(values, [Some(first), None, Some(last)], "{}", column.name());
    }
    let written = write(&table, &source).unwrap();
    let (again, source) = super::read(&written, &options()).unwrap();
    assert_eq!(rows(&again), rows(&table));
    assert_eq!(write(&again, &source).unwrap(), written);
    let (old, new) = (metadata(&bytes), metadata(&written));
    let fields = |metadata: &ParquetMetaData| metadata.file_metadata().schema().get_fields().to_vec();
    assert_eq!(fields(&new), fields(&old));
    assert!(new.file_metadata().key_value_metadata().is_none());
    for chunk in new.row_group(0).columns() {
        assert_eq!(chunk.compression(), Compression::SNAPPY);
        assert!(chunk.statistics().is_none());
    }
}

#[test]
fn compressions_and_repetitions_come_back() {
    let gzip = Compression::GZIP(::parquet::basic::GzipLevel::default());
    for codec in [Compression::UNCOMPRESSED, gzip, Compression::LZ4, Compression::LZ4_RAW] {
        let columns = [put::<Int32Type>(vec![3, 1, 2], &[]), texts(&["c", "a"], &[1, 0, 1])];
        let bytes = file("REQUIRED INT32 a; OPTIONAL BYTE_ARRAY b (STRING);", codec, 2, &columns);
        let (table, source) = super::read(&bytes, &options()).unwrap();
        let group = [vec![Some("3"), Some("c")], vec![Some("1"), None], vec![Some("2"), Some("a")]];
        assert_eq!(rows(&table), [&group[..], &group[..]].concat());
        let new = metadata(&write(&table, &source).unwrap());
        assert!(new.row_group(0).columns().iter().all(|chunk| chunk.compression() == codec));
        assert!(!new.file_metadata().schema().get_fields()[0].is_optional());
    }
    let error = check_codec(Compression::ZSTD(::parquet::basic::ZstdLevel::default()), "a").unwrap_err();
    assert_eq!(error.to_string(), "the column `a` is compressed with ZSTD, which is not supported");
}

#[test]
fn a_column_that_was_generalized_becomes_one_of_texts() {
    let columns = [
        put::<Int32Type>(vec![36, 24], &[]),
        put::<Int32Type>(vec![12552, 0], &[]),
        put::<Int64Type>(vec![0, 1], &[]),
        put::<Int32Type>(vec![1, 2], &[]),
    ];
    let fields =
        "REQUIRED INT32 age; REQUIRED INT32 born (DATE); REQUIRED INT64 seen (TIMESTAMP(MILLIS, true));
        REQUIRED INT32 kept;";
    let bytes = file(fields, Compression::SNAPPY, 1, &columns);
    let (table, source) = super::read(&bytes, &options()).unwrap();
    let changed = Table::new(vec![
        column("age", &[Some("[24-36]"), Some("36")]),
        column("born", &[Some("2004-05"), None]),
        column("seen", &[Some("1970-01-01"), Some("1970-01-01")]),
        table.columns()[3].rows([Some(1), None].into_iter()),
        column("new", &[Some("1"), None]),
    ])
    .unwrap();
    let written = write(&changed, &source).unwrap();
    let (again, _) = super::read(&written, &options()).unwrap();
    assert_eq!(rows(&again), rows(&changed));
    let new = metadata(&written);
    let kinds: Vec<_> = new
        .file_metadata()
        .schema()
        .get_fields()
        .iter()
        .map(|field| (Kind::of(field).unwrap(), field.is_optional()))
        .collect();
    let (text, number) = (Kind::Text, Kind::Signed { bits: 32 });
    assert_eq!(kinds, [(text, false), (text, true), (text, false), (number, true), (text, true)]);
}

#[test]
fn words_for_missing_values_come_back() {
    let columns = [texts(&["?", "a", ""], &[]), put::<DoubleType>(vec![f64::NAN, 1.5, 2.0], &[])];
    let bytes = file("REQUIRED BYTE_ARRAY a (STRING); REQUIRED DOUBLE b;", Compression::SNAPPY, 1, &columns);
    let missing = ["?", "NaN"].map(str::to_owned).to_vec();
    let (table, source) = super::read(&bytes, &ReadOptions { missing, ..options() }).unwrap();
    assert_eq!(rows(&table), [[None, None], [Some("a"), Some("1.5")], [None, Some("2")]]);
    let (again, _) = super::read(&write(&table, &source).unwrap(), &options()).unwrap();
    assert_eq!(rows(&again), [[Some("?"), Some("NaN")], [Some("a"), Some("1.5")], [Some("?"), Some("2")]]);
}

#[test]
fn what_is_no_flat_table_is_refused_by_name() {
    for (fields, expected) in [
        (
            "OPTIONAL group tags (LIST) { REPEATED group list { OPTIONAL BYTE_ARRAY element (STRING); } }",
            "the column `tags` contains lists, maps or nested columns",
        ),
        (
            "REQUIRED INT32 a; REPEATED INT32 many;",
            "the column `many` contains lists, maps or nested columns",
        ),
        ("REQUIRED group b { REQUIRED INT32 c; }", "the column `b` contains lists, maps or nested columns"),
        ("REQUIRED INT96 t;", "the column `t` holds 96-bit timestamps (INT96), which are deprecated"),
        ("REQUIRED INT32 t (TIME_MILLIS);", "the column `t` holds times without a date"),
        ("REQUIRED FIXED_LEN_BYTE_ARRAY (3) f;", "the column `f` holds binary data"),
        ("REQUIRED BYTE_ARRAY f (BSON);", "the column `f` holds values of an unsupported type"),
    ] {
        assert_eq!(refused(&file(fields, Compression::SNAPPY, 0, &[])), expected);
    }
    let bytes = put::<ByteArrayType>(vec![ByteArray::from(b"secret\xff".to_vec())], &[]);
    let bytes = file("REQUIRED BYTE_ARRAY f;", Compression::SNAPPY, 1, &[bytes]);
    assert_eq!(refused(&bytes), "row 1, column `f`: the value does not match the column's type");
}

#[test]
fn a_damaged_file_is_refused_or_read_but_never_worse() {
    let (bytes, _) = typed();
    for end in 0..bytes.len() {
        assert!(super::read(&bytes[..end], &options()).is_err(), "{end}");
    }
    let columns = [put::<Int32Type>(vec![3, 1, 2], &[]), texts(&["c", "a"], &[1, 0, 1])];
    let small = file("REQUIRED INT32 a; OPTIONAL BYTE_ARRAY b (STRING);", Compression::SNAPPY, 1, &columns);
    for place in 0..small.len() {
        for wrong in [0x00, 0x01, 0x7f, 0x80, 0xff] {
            let mut damaged = small.clone();
            damaged[place] = wrong;
            if let Ok((table, source)) = super::read(&damaged, &options()) {
                write(&table, &source).unwrap();
            }
        }
    }
    assert_eq!(refused(b"PAR1"), "not a Parquet file, or a damaged one: the magic bytes are missing");
    assert_eq!(refused(b"PAR1....PARE"), "the Parquet file is encrypted");
}

#[test]
fn a_schema_of_any_depth_is_refused() {
    // Each element says that the next is in it.
    let mut footer = b"\x15\x02\x19\xfc\x80\x80\x08".to_vec();
    footer.extend(b"\x48\x01a\x15\x02\x00".repeat(1 << 17));
    footer.push(0);
    let length = u32::try_from(footer.len()).unwrap().to_le_bytes();
    let bytes = [&b"PAR1"[..], &footer[..], &length[..], &b"PAR1"[..]].concat();
    assert_eq!(refused(&bytes), "the column `a` contains lists, maps or nested columns");
}

#[test]
fn limits_hold() {
    let long = "x".repeat(2000);
    let columns = [put::<Int32Type>(vec![1; 3000], &[]), texts(&vec![&*long; 3000], &[])];
    let bytes = file("REQUIRED INT32 a; REQUIRED BYTE_ARRAY b (STRING);", Compression::SNAPPY, 1, &columns);
    assert!(bytes.len() < 10_000);
    for (limits, expected) in [
        (Limits { max_rows: 2999, ..Limits::default() }, "there are more rows than the limit of 2999 rows"),
        (
            Limits { max_columns: 1, ..Limits::default() },
            "there are more columns than the limit of 1 columns",
        ),
        (
            Limits { max_cell_bytes: 1999, ..Limits::default() },
            "row 1, column `b`: the value is longer than the limit of 1999 bytes",
        ),
        (
            Limits { max_expanded: 1000, ..Limits::default() },
            "the decompressed file is larger than the limit of 1000 bytes",
        ),
        (
            Limits { max_expanded: 100_000, ..Limits::default() },
            "the decompressed file is larger than the limit of 100000 bytes",
        ),
    ] {
        let error = super::read(&bytes, &ReadOptions { limits, ..options() }).unwrap_err();
        assert_eq!(error.to_string(), expected);
    }
    assert!(super::read(&bytes, &options()).is_ok());
}

#[test]
fn what_is_written_otherwise_is_no_value() {
    let decimal = Kind::Decimal { precision: 4, scale: 2, store: Store::Integer };
    let moment = Kind::Moment { nanoseconds: 1_000_000, utc: true };
    for (kind, text) in [
        (Kind::Signed { bits: 8 }, "128"),
        (Kind::Signed { bits: 32 }, "+7"),
        (Kind::Signed { bits: 32 }, "007"),
        (Kind::Unsigned { bits: 16 }, "65536"),
        (Kind::Unsigned { bits: 64 }, "-1"),
        (Kind::Date, "2004-05"),
        (Kind::Date, "2004-05-14T00:00:00"),
        (moment, "2004-05-14"),
        (moment, "2004-05-14T18:00:00"),
        (moment, "2004-05-14T18:00:00.0001Z"),
        (decimal, "100.00"),
        (decimal, "1.5"),
        (decimal, "-0.00"),
        (Kind::Boolean, "TRUE"),
        (Kind::Double, "1e3"),
        (Kind::Json, "{"),
        (Kind::Uuid, "00000000000000000000000000000000"),
        (Kind::Nothing, ""),
    ] {
        assert!(kind.value(text).is_none(), "{kind:?} {text}");
    }
}

fn comes_back(kind: Kind, value: &Value<'_>) -> bool {
    let Some(text) = kind.text(value) else { return false };
    kind.value(&text).is_some_and(|back| kind.text(&back) == Some(text.clone()))
}

proptest! {
    #[test]
    fn any_value_comes_back(number in any::<i64>(), day in -4_000_000..2_900_000i64, double in any::<f64>()) {
        for kind in [Kind::Signed { bits: 64 }, Kind::Unsigned { bits: 64 }] {
            prop_assert!(comes_back(kind, &Value::Integer(number)));
        }
        prop_assert!(comes_back(Kind::Date, &Value::Integer(day)));
        for utc in [false, true] {
            let kind = Kind::Moment { nanoseconds: 1, utc };
            prop_assert!(comes_back(kind, &Value::Integer(number)));
        }
        for store in [Store::Integer, Store::Bytes, Store::Fixed(9)] {
            let kind = Kind::Decimal { precision: 19, scale: 4, store };
            prop_assert!(comes_back(kind, &Value::Integer(number)));
        }
        prop_assert!(comes_back(Kind::Double, &Value::Double(double)));
    }
}
