use proptest::prelude::*;

use super::*;
use crate::table::write;

fn options(format: Format, missing: &[&str]) -> ReadOptions {
    let missing = missing.iter().map(|&word| word.to_owned()).collect();
    ReadOptions { missing, ..ReadOptions::new(format) }
}

fn again(bytes: &[u8], options: &ReadOptions) -> Vec<u8> {
    let (table, source) = read(bytes, options).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(source.format(), options.format);
    write(&table, &source).unwrap()
}

fn refused(text: &str, format: Format) -> String {
    read(text.as_bytes(), &ReadOptions::new(format)).unwrap_err().to_string()
}

#[test]
fn csv_is_written_as_it_was_read() {
    for csv in [
        "a,b\n1,2\n",
        "a,b\r\n1,\"x, \"\"y\"\"\nz\"\r\n,\r\n",
        "\"a\",\"b\"\n\"1\",\"2\"\n\"3\",\"\"\n",
        "\"a\",\"b\"\n1,\"x\"\n2,\"y\"\n",
        "a;b\n1,5;2\n",
        "a|b\n1|2",
        "a, b\n1, 2\n3, \"4, 5\"\n\n",
        "\u{feff}a,b\n1,é\n",
        "text\n\"\"\nx\n",
        "a\rb\r",
        "a,b\n",
        "2003,2004\n1,2\n",
        "a,b\n1,5\" pipes\n".replace("5\" pipes", "\"5\"\" pipes\"").as_str(),
    ] {
        let out = again(csv.as_bytes(), &options(Format::Csv, &[]));
        assert_eq!(String::from_utf8(out).unwrap(), csv);
    }
    let tsv = b"a\tb\n1, 2\t\"\"\n x\t\"y\tz\"\n";
    assert_eq!(again(tsv, &options(Format::Tsv, &[])), tsv);
}

#[test]
fn missing_words_come_back() {
    let csv = b"a,b\n?,1\n2,\n?,\n";
    let (table, source) = read(csv, &options(Format::Csv, &["?"])).unwrap();
    assert_eq!((table.columns()[0].get(0), table.columns()[0].missing()), (None, 2));
    assert_eq!(write(&table, &source).unwrap(), csv);
    let (table, _) = read(csv, &options(Format::Csv, &[])).unwrap();
    assert_eq!(table.columns()[0].get(0), Some("?"));
}

#[test]
fn jsonl_is_written_as_it_was_read() {
    for jsonl in [
        "{\"a\":1.50,\"b\":\"x\",\"c\":true}\n{\"a\":2e3,\"b\":\"36\",\"c\":false}\n",
        "{\"a\": 1, \"b\": \"\\u00e9\\ud83d\\ude00\"}\r\n{\"a\": null, \"b\": \"\\n\\\"\"}",
        "{\"id\":\"x\",\"AGE\":[\"61\"]}\n{\"id\":\"y\"}\n{\"id\":\"z\",\"AGE\":[\"1 | 2\",\"**\"]}\n",
        "\u{feff}{\"a\":\"é\"}\n\n",
        "{\"a\":\"1\",\"b\":12345678901234567890.123}\n",
        "{\"a\":\"\"}\n{\"a\":\"b\"}\n",
    ] {
        let out = again(jsonl.as_bytes(), &options(Format::Jsonl, &[]));
        assert_eq!(String::from_utf8(out).unwrap(), jsonl);
    }
}

#[test]
fn what_a_cell_looks_like_depends_on_its_column_alone() {
    let csv = b"a,b\n\"Bath, Somerset\",1\nYork,2\n";
    let (table, source) = read(csv, &options(Format::Csv, &[])).unwrap();
    let mut places = crate::table::ColumnBuilder::new("a");
    places.push(Some("England"));
    places.push(Some("England"));
    let changed = Table::new(vec![places.finish(), table.columns()[1].clone()]).unwrap();
    assert_eq!(write(&changed, &source).unwrap(), b"a,b\nEngland,1\nEngland,2\n");
    // A number and a string that look alike are one value: both are written as strings.
    let jsonl = b"{\"a\":36}\n{\"a\":\"36\"}\n";
    assert_eq!(again(jsonl, &options(Format::Jsonl, &[])), b"{\"a\":\"36\"}\n{\"a\":\"36\"}\n");
}

#[test]
fn a_generalized_number_becomes_a_string() {
    let (_, source) = read(b"{\"a\":36,\"b\":1}\n", &options(Format::Jsonl, &[])).unwrap();
    let mut ages = crate::table::ColumnBuilder::new("a");
    ages.push(Some("[24-36]"));
    ages.push(Some("36"));
    let changed = Table::new(vec![ages.finish()]).unwrap();
    assert_eq!(write(&changed, &source).unwrap(), b"{\"a\":\"[24-36]\"}\n{\"a\":36}\n");
}

#[test]
fn other_encodings_come_back() {
    let latin = ReadOptions {
        encoding: Some(Encoding::from_label("latin1").unwrap()),
        ..ReadOptions::new(Format::Csv)
    };
    assert_eq!(again(b"a;b\r\nJos\xe9;1\r\n", &latin), b"a;b\r\nJos\xe9;1\r\n");
    for (label, mark) in [("utf-16le", "\u{feff}"), ("utf-16be", "\u{feff}")] {
        let encoding = Encoding::from_label(label).unwrap();
        let bytes = encoding.encode(&format!("{mark}a,b\r\n1,é\r\n")).unwrap();
        assert_eq!(again(&bytes, &ReadOptions::new(Format::Csv)), bytes, "{label}");
    }
    let error = read(b"a\nJos\xe9\n", &ReadOptions::new(Format::Csv)).unwrap_err();
    assert_eq!(error.to_string(), "the file is not UTF-8 at byte 5");
    let (_, source) = read(b"a\nJos\xe9\n", &latin).unwrap();
    let mut names = crate::table::ColumnBuilder::new("a");
    names.push(Some("Łukasz"));
    assert!(write(&Table::new(vec![names.finish()]).unwrap(), &source).is_err());
}

#[test]
fn tells_row_and_line_but_no_value() {
    for (csv, what) in [
        ("a,b\n1,2\n\nsecret\n", "row 2 (line 4): the row has 1 values, but the table has 2 columns"),
        ("a,b\n1,2,3\n", "row 1 (line 2): the row has 3 values, but the table has 2 columns"),
        ("a,b\n\"x\"y,2\n", "row 1 (line 2): text follows the closing quote of a value"),
        ("a,b\n\"secret,2\n", "row 1 (line 2): a quoted value is not closed"),
        ("a,a\n1,2\n", "the column `a` occurs twice"),
        ("a,\n1,2\n", "column 2 has no name"),
        ("", "the file is empty"),
        ("\n\u{feff}", "the name of column 1 begins with a byte order mark"),
        ("39,x\n50,y\n", "the first row looks like data: the column names are missing"),
        ("a,b\n1,\0\n", "the file is binary, or UTF-16 without a byte order mark"),
    ] {
        assert_eq!(refused(csv, Format::Csv), what);
    }
    for (jsonl, what) in [
        ("{\"a\":1}\n[1]\n", "row 2 (line 2) is not a JSON object"),
        ("{\"a\":1}\n\n{\"a\" 1}\n", "row 2 (line 3) is not a JSON object"),
        ("{\"a\":{\"b\":1}}\n", "row 1, column `a`: the value is an object"),
        ("{\"a\":[[1]]}\n", "row 1, column `a`: the value is a nested list"),
        ("{\"a\":1,\"a\":2}\n", "row 1, column `a`: the column occurs twice"),
        (
            "{\"a\":[1]}\n{\"a\":1}\n",
            "row 2, column `a`: the value is a single value, but other rows have lists",
        ),
        ("{\"a\":\"\\ud800\"}\n", "row 1, column `a`: the value is not valid text"),
        ("{}\n", "the table has no columns"),
        ("\n", "the file is empty"),
    ] {
        assert_eq!(refused(jsonl, Format::Jsonl), what);
    }
}

#[test]
fn limits_hold() {
    let limits =
        Limits { max_rows: 2, max_columns: 2, max_cell_bytes: 3, max_bytes: 40, ..Limits::default() };
    let limited = |format| ReadOptions { limits: limits.clone(), ..ReadOptions::new(format) };
    for csv in ["a,b,c\n1,2,3\n", "a\n1\n2\n3\n", "a\nlong\n", &"a\n".repeat(40)] {
        let error = read(csv.as_bytes(), &limited(Format::Csv)).unwrap_err();
        assert!(error.to_string().contains("limit"), "{error}");
    }
    for jsonl in ["{\"a\":1,\"b\":1,\"c\":2}\n", "{\"a\":1}\n{\"a\":1}\n{\"a\":1}\n", "{\"a\":\"long\"}\n"] {
        let error = read(jsonl.as_bytes(), &limited(Format::Jsonl)).unwrap_err();
        assert!(error.to_string().contains("limit"), "{error}");
    }
}

#[test]
fn shared_tables_come_back_to_the_byte() {
    for name in ["adult", "paper-example", "personal-posts"] {
        let Some(path) = reticent_testing::shared(&format!("data/rx/{name}.csv")) else { return };
        let bytes = std::fs::read(path).unwrap();
        assert!(again(&bytes, &options(Format::Csv, &["?"])) == bytes, "{name} differs");
    }
}

#[cfg(not(feature = "parquet"))]
#[test]
fn a_build_without_parquet_says_so() {
    let what = "this build does not support Parquet";
    assert_eq!(refused("PAR1", Format::Parquet), what);
    let table = Table::new(Vec::new()).unwrap();
    assert_eq!(write(&table, &Source::plain(Format::Parquet)).unwrap_err().to_string(), what);
}

/// Tables of one to three columns, by rows of values.
fn tables() -> impl Strategy<Value = Vec<Vec<Option<String>>>> {
    let value = prop::option::of("[a-c0-9 \",;|\n\r\té.\\-\\\\]{1,6}");
    (1..4usize)
        .prop_flat_map(move |width| prop::collection::vec(prop::collection::vec(value.clone(), width), 1..8))
}

fn table_of(rows: &[Vec<Option<String>>]) -> Table {
    let columns = (0..rows[0].len()).map(|at| {
        let mut builder = crate::table::ColumnBuilder::new(format!("column {at}"));
        for row in rows {
            builder.push(row[at].as_deref());
        }
        builder.finish()
    });
    Table::new(columns.collect()).unwrap()
}

#[test]
fn names_with_other_separators_come_back() {
    let (table, source) = read(b"[;\",\";,,", &ReadOptions::new(Format::Csv)).unwrap();
    let bytes = write(&table, &source).unwrap();
    let (back, _) = read(&bytes, &ReadOptions::new(Format::Csv)).unwrap();
    let names =
        |table: &Table| -> Vec<String> { table.columns().iter().map(|c| c.name().to_owned()).collect() };
    assert_eq!(names(&back), ["[", ",", ",,"]);
    assert_eq!(names(&back), names(&table));
    // And with a quote inside.
    let (table, source) = read(b"{;,\",}", &ReadOptions::new(Format::Csv)).unwrap();
    let (back, _) = read(&write(&table, &source).unwrap(), &ReadOptions::new(Format::Csv)).unwrap();
    assert_eq!(names(&back), ["{", ",\",}"]);
    assert_eq!(names(&back), names(&table));
}

proptest! {
    #[test]
    fn any_table_can_be_written_and_read(rows in tables()) {
        let table = table_of(&rows);
        for format in [Format::Csv, Format::Tsv, Format::Jsonl] {
            let bytes = write(&table, &Source::plain(format)).unwrap();
            let (back, source) = read(&bytes, &ReadOptions::new(format)).unwrap();
            prop_assert_eq!(back.rows(), table.rows());
            for (own, read) in table.columns().iter().zip(back.columns()) {
                prop_assert!((0..table.rows()).all(|row| own.get(row) == read.get(row)), "{:?}", format);
            }
            prop_assert_eq!(write(&back, &source).unwrap(), bytes);
        }
    }

    #[test]
    fn any_bytes_are_read_or_refused(text in "[a\",;\n\r 1{}:\\[\\]]{0,40}") {
        for format in [Format::Csv, Format::Tsv, Format::Jsonl] {
            if let Ok((table, source)) = read(text.as_bytes(), &ReadOptions::new(format)) {
                let bytes = write(&table, &source).unwrap();
                let (back, _) = read(&bytes, &ReadOptions::new(format)).unwrap();
                prop_assert_eq!(back.rows(), table.rows());
                for (own, read) in table.columns().iter().zip(back.columns()) {
                    prop_assert!((0..table.rows()).all(|row| own.get(row) == read.get(row)));
                }
            }
        }
    }
}

mod xlsx {
    use super::*;
    use crate::table::ColumnBuilder;
    use std::io::{Cursor, Read as _, Write as _};

    fn sheet(rows: &[&[Option<&str>]]) -> Table {
        let columns = (0..rows[0].len()).map(|at| {
            let mut column = ColumnBuilder::new(rows[0][at].unwrap());
            for row in &rows[1..] {
                column.push(row[at]);
            }
            column.finish()
        });
        Table::new(columns.collect()).unwrap()
    }

    fn same(a: &Table, b: &Table) -> bool {
        a.rows() == b.rows()
            && a.columns()
                .iter()
                .zip(b.columns())
                .all(|(a, b)| a.name() == b.name() && (0..a.len()).all(|row| a.get(row) == b.get(row)))
    }

    /// A workbook whose sheet is this.
    fn workbook(data: &str) -> Vec<u8> {
        let bytes = write(&sheet(&[&[Some("a")]]), &Source::plain(Format::Xlsx)).unwrap();
        let mut old = zip::ZipArchive::new(Cursor::new(&bytes[..])).unwrap();
        let mut new = zip::ZipWriter::new(Cursor::new(Vec::new()));
        for index in 0..old.len() {
            let mut part = old.by_index(index).unwrap();
            let name = part.name().unwrap().into_owned();
            let mut content = String::new();
            part.read_to_string(&mut content).unwrap();
            if name.ends_with("sheet1.xml") {
                let start = content.find("<sheetData>").unwrap();
                content = format!("{}<sheetData>{data}</sheetData></worksheet>", &content[..start]);
            }
            new.start_file(name, zip::write::SimpleFileOptions::default()).unwrap();
            new.write_all(content.as_bytes()).unwrap();
        }
        new.finish().unwrap().into_inner()
    }

    fn refused(data: &str) -> String {
        read(&workbook(data), &ReadOptions::new(Format::Xlsx)).unwrap_err().to_string()
    }

    const TYPED: &str = r#"<row r="1"><c r="A1" t="inlineStr"><is><t>age</t></is></c><c r="B1" t="inlineStr"><is><t>born</t></is></c><c r="C1" t="inlineStr"><is><t>ok</t></is></c><c r="D1" t="inlineStr"><is><t>zip</t></is></c></row>
        <row r="2"><c r="A2"><v>36.5</v></c><c r="B2" s="1"><v>38121</v></c><c r="C2" t="b"><v>1</v></c><c r="D2" t="inlineStr"><is><t>08901</t></is></c></row>
        <row r="4"><c r="B4" s="2"><v>38121.75</v></c><c r="D4" t="inlineStr"><is><t>x &amp; y</t></is></c></row>"#;

    #[test]
    fn types_come_back() {
        let (table, source) = read(&workbook(TYPED), &ReadOptions::new(Format::Xlsx)).unwrap();
        let expected = sheet(&[
            &[Some("age"), Some("born"), Some("ok"), Some("zip")],
            &[Some("36.5"), Some("2004-05-14"), Some("TRUE"), Some("08901")],
            &[None, Some("2004-05-14T18:00:00"), None, Some("x & y")],
        ]);
        assert!(same(&table, &expected));
        let written = write(&table, &source).unwrap();
        let (again, source) = read(&written, &ReadOptions::new(Format::Xlsx)).unwrap();
        assert!(same(&again, &table));
        assert_eq!(write(&again, &source).unwrap(), written);
        let mut part = String::new();
        let mut archive = zip::ZipArchive::new(Cursor::new(&written[..])).unwrap();
        archive.by_name("xl/worksheets/sheet1.xml").unwrap().read_to_string(&mut part).unwrap();
        for cell in [
            "<c r=\"A2\"><v>36.5</v></c>",
            "<c r=\"B2\" s=\"1\"><v>38121</v></c>",
            "<c r=\"B3\" s=\"2\"><v>38121.75</v></c>",
            "<c r=\"C2\" t=\"b\"><v>1</v></c>",
            "<t xml:space=\"preserve\">08901</t>",
        ] {
            assert!(part.contains(cell), "{cell}");
        }
    }

    #[test]
    fn says_where_the_sheet_is_wrong() {
        let text =
            |place: &str, text: &str| format!("<c r=\"{place}\" t=\"inlineStr\"><is><t>{text}</t></is></c>");
        for (data, expected) in [
            (format!("<row r=\"1\">{}{}</row>", text("A1", "a"), text("C1", "b")), "column B has no name"),
            (
                format!("<row r=\"1\">{}</row><row r=\"2\">{}</row>", text("A1", "a"), text("ZZ2", "secret")),
                "cell ZZ2 is in a column without a name",
            ),
            (
                format!(
                    "<row r=\"1\">{}</row><row r=\"2\"><c r=\"A2\" t=\"e\"><v>#DIV/0!</v></c></row>",
                    text("A1", "a")
                ),
                "cell A2 contains an error value",
            ),
            (
                format!(
                    "<row r=\"1\">{}</row><row r=\"2\"><c r=\"A2\"><f>1+1</f></c></row>",
                    text("A1", "a")
                ),
                "cell A2 has a formula without its result",
            ),
            (
                format!(
                    "<row r=\"1\">{}</row><row r=\"2\"><c r=\"A2\"><f>1+1</f><v/></c></row>",
                    text("A1", "a")
                ),
                "cell A2 has a formula without its result",
            ),
            (
                format!("<row r=\"1\">{}{}</row>", text("A1", "a"), text("B1", "a")),
                "the column `a` occurs twice",
            ),
            (String::new(), "the workbook is empty"),
            (
                format!("<row r=\"2\">{}</row><row r=\"1\">{}</row>", text("A2", "a"), text("A1", "a")),
                "not an XLSX workbook, or a damaged one: its cells are out of order",
            ),
        ] {
            assert_eq!(refused(&data), expected);
        }
        for bytes in [&b"PK\x03\x04"[..], b"", b"a,b\n1,2\n", b"\xd0\xcf\x11\xe0"] {
            assert!(read(bytes, &ReadOptions::new(Format::Xlsx)).is_err());
        }
    }

    #[test]
    fn results_of_formulas_are_values() {
        let data = "<row r=\"1\"><c r=\"A1\" t=\"inlineStr\"><is><t>a</t></is></c></row>\
             <row r=\"2\"><c r=\"A2\"><f>1+1</f><v>2</v></c></row>\
             <row r=\"3\"><c r=\"A3\" t=\"str\"><f>LOWER(\"X\")</f><v>x</v></c></row>";
        let (table, _) = read(&workbook(data), &ReadOptions::new(Format::Xlsx)).unwrap();
        assert!(same(&table, &sheet(&[&[Some("a")], &[Some("2")], &[Some("x")]])));
    }

    #[test]
    fn a_bomb_is_refused() {
        let long = format!(
            "<row r=\"1\"><c r=\"A1\" t=\"inlineStr\"><is><t>{}</t></is></c></row>",
            " ".repeat(3 << 20)
        );
        let error = refused(&long);
        assert!(error.contains("decompressed workbook is larger"), "{error}");
    }

    #[test]
    fn what_xml_cannot_say_comes_back() {
        let odd = sheet(&[&[Some("a")], &[Some("_x000D_ x\u{1}\r\n\t <&> é😀 ")], &[Some("  two  ")]]);
        let bytes = write(&odd, &Source::plain(Format::Xlsx)).unwrap();
        let (back, _) = read(&bytes, &ReadOptions::new(Format::Xlsx)).unwrap();
        assert!(same(&back, &odd), "{:?}", back.columns()[0].distinct());
    }

    #[test]
    fn columns_have_letters() {
        use super::super::xlsx::letters;
        assert_eq!(
            [letters(0), letters(25), letters(26), letters(701), letters(702)],
            ["A", "Z", "AA", "ZZ", "AAA"]
        );
    }
}
