use proptest::prelude::*;

use super::*;
use crate::format::Limits;

fn fields(text: &[&str]) -> Fields {
    Fields { text: text.iter().map(|&name| name.to_owned()).collect(), ..Fields::default() }
}

fn reader<'a>(format: RowFormat, input: &'a [u8], text: &[&str]) -> RowReader<&'a [u8]> {
    RowReader::new(format, fields(text), input, &Limits::default()).unwrap()
}

const CSV: RowFormat = RowFormat::Csv { separator: None };

/// All rows without edits.
fn copy(format: RowFormat, input: &[u8], text: &[&str]) -> Result<Vec<u8>, Error> {
    let mut reader = RowReader::new(format, fields(text), input, &Limits::default())?;
    let mut out = reader.header().to_vec();
    for row in reader.by_ref() {
        out.extend(row?.encode(&[], &[])?);
    }
    out.extend_from_slice(reader.trailer());
    Ok(out)
}

fn replace(format: RowFormat, input: &str, words: &str, replacement: &str) -> String {
    let mut reader = reader(format, input.as_bytes(), &["text"]);
    let row = reader.next().unwrap().unwrap();
    let at = row.document.text().find(words).unwrap();
    let edit = Edit { span: Span::new(at, at + words.len()), replacement: replacement.to_owned() };
    let mut out = reader.header().to_vec();
    out.extend(row.encode(&[edit], &[]).unwrap());
    String::from_utf8(out).unwrap()
}

#[test]
fn copies_every_byte() {
    for jsonl in [
        "{\"text\":\"a\"}\n{\"text\" : \"b\\u00e9\\n\" , \"n\":1.50}\r\n\n  \n{\"text\":null}",
        "\u{feff}{\"text\":\"a\"}\n\n",
        "",
        "\n\n",
    ] {
        assert_eq!(copy(RowFormat::Jsonl, jsonl.as_bytes(), &["text"]).unwrap(), jsonl.as_bytes());
    }
    for csv in
        ["id,text\n1,Ana\n\n2,\"a \"\"b\"\"\nc\"\r\n3,", "\u{feff}\n\"text\",x\r\na,b\r\n\r\n", "text\n  a\n"]
    {
        assert_eq!(copy(CSV, csv.as_bytes(), &["text"]).unwrap(), csv.as_bytes());
    }
    let tsv = "text\tx\n\t\n\t1\n a\t\n";
    assert_eq!(
        copy(RowFormat::Csv { separator: Some(b'\t') }, tsv.as_bytes(), &["text", "x"]).unwrap(),
        tsv.as_bytes()
    );
}

#[test]
fn splices_json_strings() {
    for (row, words, replacement, expected) in [
        ("{\"text\":\"Dear Ana\"}", "Ana", "[A\"\n]", "{\"text\":\"Dear [A\\\"\\n]\"}"),
        (
            "{\"a\":[{}], \"text\": \"Jos\\u00e9 \\ud83d\\ude00\\/x\" }\r\n",
            "José 😀/",
            "X",
            "{\"a\":[{}], \"text\": \"Xx\" }\r\n",
        ),
    ] {
        assert_eq!(replace(RowFormat::Jsonl, row, words, replacement), expected);
    }
}

#[test]
fn adds_members_or_replaces_them() {
    for (row, expected) in [
        ("{\"text\": \"a\", \"n\": 1 }\n", "{\"text\": \"a\", \"n\": 1, \"edits\": [] }\n"),
        ("{\"text\":null}", "{\"text\":null,\"edits\":[]}"),
        ("{\"edits\":[1],\"text\":\"\"}", "{\"edits\":[],\"text\":\"\"}"),
    ] {
        let row = reader(RowFormat::Jsonl, row.as_bytes(), &["text"]).next().unwrap().unwrap();
        let out = row.encode(&[], &[("edits", "[]".to_owned())]).unwrap();
        assert_eq!(String::from_utf8(out).unwrap(), expected);
    }
}

#[test]
fn quotes_a_csv_field_only_where_it_must() {
    for (csv, words, replacement, expected) in [
        ("text,b\nDear Ana,2\n", "Ana", "X", "text,b\nDear X,2\n"),
        ("text,b\nDear Ana,2\n", "Ana", "X, Y", "text,b\n\"Dear X, Y\",2\n"),
        ("text,b\n5\" Ana,2\n", "Ana", "\"", "text,b\n\"5\"\" \"\"\",2\n"),
        ("text,b\nAna\"x\",2\n", "Ana", "", "text,b\n\"\"\"x\"\"\",2\n"),
        ("text,b\n\"Dear Ana\",2\n", "Ana", "\"X\"", "text,b\n\"Dear \"\"X\"\"\",2\n"),
        ("text,b\n\"a \"\"Ana\"\"\",2\n", "\"Ana\"", "X", "text,b\n\"a X\",2\n"),
        ("text\nAna\n", "Ana", "", "text\n\"\"\n"),
    ] {
        assert_eq!(replace(CSV, csv, words, replacement), expected);
    }
}

#[test]
fn reads_several_fields_as_one_document() {
    let input = b"{\"id\":12,\"who\":\"Ana\",\"a\":\"one\",\"b\":null,\"c\":\"two\"}\n";
    let all = Fields {
        text: ["c", "b", "a"].map(str::to_owned).to_vec(),
        id: Some("id".to_owned()),
        subject: Some("who".to_owned()),
        ..Fields::default()
    };
    let row = RowReader::new(RowFormat::Jsonl, all, &input[..], &Limits::default())
        .unwrap()
        .next()
        .unwrap()
        .unwrap();
    assert_eq!(row.document.text(), "two\n\none");
    assert_eq!((row.document.id(), row.subject.as_deref(), row.line), ("12", Some("Ana"), 1));
    assert_eq!(row.field_span(Span::new(5, 8)), Some(("a", Span::new(0, 3))));
    assert_eq!(row.field_span(Span::new(0, 8)), None);
    let row = reader(RowFormat::Jsonl, b"\n\n{\"c\":\"x\"}", &["c"]).next().unwrap().unwrap();
    assert_eq!((row.document.id(), row.line), ("line 3", 3));
}

#[test]
fn names_line_and_field_but_never_the_content_and_goes_on() {
    let input = "{\"secret\":1}\n{\"text\":7}\n{\"text\":\"\\ud800\"}\n[1]\n{\"secret\" 1}\n{\"text\":\"a\",\"text\":\"b\"}\n{\"text\":\"ok\"}\n";
    let rows: Vec<_> = reader(RowFormat::Jsonl, input.as_bytes(), &["text"]).collect();
    let errors: Vec<String> =
        rows.iter().filter_map(|row| row.as_ref().err()).map(ToString::to_string).collect();
    assert_eq!(
        errors,
        [
            "there is no field `text` (line 1)",
            "the field `text` is not a string (line 2)",
            "the field `text` has half a surrogate pair, which is no text (line 3)",
            "the row is not a JSON object (line 4)",
            "the row is not valid JSON at column 11 (line 5)",
            "the field `text` occurs twice (line 6)",
        ]
    );
    assert_eq!(rows.last().unwrap().as_ref().unwrap().document.text(), "ok");
}

#[test]
fn names_what_is_wrong_with_a_csv_row() {
    let input = b"text,b\n1\n1,2,3\n\"a\"b,2\n\xe9,1\nok,1\n\"open,1\nx,1\n";
    let rows: Vec<_> = reader(CSV, input, &["text"]).collect();
    let told: Vec<String> = rows
        .iter()
        .map(|row| row.as_ref().map_or_else(ToString::to_string, |row| row.document.text().to_owned()))
        .collect();
    assert_eq!(
        told,
        [
            "the row has 1 fields, the header 2 (line 2)",
            "the row has 3 fields, the header 2 (line 3)",
            "text follows the closing quote of a field (line 4)",
            "not UTF-8 at byte 0 (line 5)",
            "ok",
            "a quoted field does not close (line 7)",
        ]
    );
    let error = RowReader::new(CSV, fields(&["body"]), &input[..], &Limits::default()).err().unwrap();
    assert_eq!(error.kind(), ErrorKind::MissingField);
    assert!(!error.to_string().contains("b,"));
}

#[test]
fn skips_a_row_that_is_too_long() {
    let limits = Limits { max_row_bytes: 20, ..Limits::default() };
    let input = b"{\"text\":\"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\"}\n{\"text\":\"b\"}\n";
    let rows: Vec<_> =
        RowReader::new(RowFormat::Jsonl, fields(&["text"]), &input[..], &limits).unwrap().collect();
    assert_eq!(rows[0].as_ref().unwrap_err().kind(), ErrorKind::Limit);
    assert_eq!(rows[1].as_ref().unwrap().line, 2);
}

/// Any text with an edit on some of its characters.
fn edited() -> impl Strategy<Value = (String, usize, usize, String)> {
    ("(?s).{0,20}", any::<prop::sample::Index>(), any::<prop::sample::Index>(), "(?s)[a\",;\n\r\\\\é ]{0,6}")
        .prop_map(|(text, a, b, replacement)| {
            let borders: Vec<usize> = text.char_indices().map(|(at, _)| at).chain([text.len()]).collect();
            let (a, b) = (borders[a.index(borders.len())], borders[b.index(borders.len())]);
            (text, a.min(b), a.max(b), replacement)
        })
}

proptest! {
    #[test]
    fn writes_json_that_reads_as_meant((text, start, end, replacement) in edited(), ascii in any::<bool>()) {
        prop_assume!(start < end);
        let mut literal = serde_json::Value::from(text.clone()).to_string();
        if ascii {
            literal = literal.chars().map(|c| if c.is_ascii() { c.to_string() } else {
                c.encode_utf16(&mut [0; 2]).iter().map(|unit| format!("\\u{unit:04X}")).collect::<Vec<_>>().concat()
            }).collect();
        }
        let input = format!("{{\"a\": 1, \"text\": {literal}, \"b\": [2 ]}}\n");
        let row = reader(RowFormat::Jsonl, input.as_bytes(), &["text"]).next().unwrap().unwrap();
        prop_assert_eq!(row.document.text(), &text);
        let edit = Edit { span: Span::new(start, end), replacement: replacement.clone() };
        let out = row.encode(&[edit], &[]).unwrap();
        let kept = out.starts_with(b"{\"a\": 1, \"text\": \"") && out.ends_with(b"\", \"b\": [2 ]}\n");
        prop_assert!(kept);
        let value: serde_json::Value = serde_json::from_slice(&out).unwrap();
        let mut meant = text;
        meant.replace_range(start..end, &replacement);
        prop_assert_eq!(value["text"].as_str().unwrap(), meant);
    }

    #[test]
    fn writes_csv_that_reads_as_meant((text, start, end, replacement) in edited(), quoted in any::<bool>()) {
        prop_assume!(start < end && !text.contains('\0'));
        let needs = text.contains([',', '"', '\n', '\r']);
        let cell = if quoted || needs { format!("\"{}\"", text.replace('"', "\"\"")) } else { text.clone() };
        let input = format!("a,text,b\r\n1,{cell},\"2\"\r\n");
        let row = reader(CSV, input.as_bytes(), &["text"]).next().unwrap().unwrap();
        prop_assert_eq!(row.document.text(), &text);
        let edit = Edit { span: Span::new(start, end), replacement: replacement.clone() };
        let mut out = b"a,text,b\r\n".to_vec();
        out.extend(row.encode(&[edit], &[]).unwrap());
        prop_assert!(out.starts_with(b"a,text,b\r\n1,") && out.ends_with(b",\"2\"\r\n"));
        let row = reader(CSV, &out, &["text"]).next().unwrap().unwrap();
        let mut meant = text;
        meant.replace_range(start..end, &replacement);
        prop_assert_eq!(row.document.text(), meant);
    }

    #[test]
    fn copies_or_refuses_any_bytes(input in "(?s)[a\",\n\r\t {}:\\\\é]{0,40}") {
        for format in [RowFormat::Jsonl, CSV] {
            if let Ok(out) = copy(format, input.as_bytes(), &["a"]) {
                prop_assert_eq!(out, input.as_bytes());
            }
        }
    }
}

#[test]
fn tells_the_separator_from_the_header() {
    for csv in [
        "id,text\n1,a;b\n",
        "id;text\n1;a,b\n",
        "id\ttext\n1\ta,b;c\n",
        "id;name, first;text\n1;x;y\n",
        "\"id\nof row\";text\n1;a\n",
        "text\na\n",
    ] {
        let copied = copy(CSV, csv.as_bytes(), &["text"]).unwrap_or_else(|_| panic!("{csv}"));
        assert_eq!(copied, csv.as_bytes(), "{csv}");
    }
    for csv in ["id;body\n1;a\n", "\"id\n1;a\n", "id|text\n1|a\n", ""] {
        assert!(copy(CSV, csv.as_bytes(), &["text"]).is_err(), "{csv}");
    }
}
