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
            "the field `text` is missing (line 1)",
            "the field `text` is not a string (line 2)",
            "the field `text` has an unpaired surrogate (line 3)",
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
            "a quoted field is not closed (line 7)",
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

fn everything() -> Fields {
    Fields { text_may_miss: true, all: true, ..fields(&["text"]) }
}

fn row_of(format: RowFormat, input: &str, fields: Fields) -> Row {
    RowReader::new(format, fields, input.as_bytes(), &Limits::default()).unwrap().next().unwrap().unwrap()
}

fn regions(row: &Row) -> Vec<(&str, &str)> {
    let text = row.document.text();
    row.document.regions().iter().map(|region| (region.name.as_str(), region.span.of(text))).collect()
}

#[test]
fn reads_every_string_number_and_unusual_name() {
    let json =
        r#"{"a":{"b":["x",7],"Ana Ruiz":{"c":"y"}},"t":true,"e":"","text":"main","id":"z","spans":[1]}"#;
    let all = Fields { id: Some("id".into()), replaced: vec!["spans".into()], ..everything() };
    let row = row_of(RowFormat::Jsonl, json, all);
    assert_eq!(
        regions(&row),
        [("text", "main"), ("a.b[]", "x"), ("a.b[]", "7"), ("a{}", "Ana Ruiz"), ("a.Ana Ruiz.c", "y")]
    );
    let row = row_of(CSV, "a,id,text,b\n1,z,main,\n", Fields { id: Some("id".into()), ..everything() });
    assert_eq!(regions(&row), [("text", "main"), ("a", "1")]);
    assert_eq!(row.document.prose(), "main");
}

#[test]
fn keeps_fields_by_their_path() {
    let json = r#"{"a":{"b":"x","bc":"y"},"v":[{"n":"z","m":"w"}]}"#;
    let keep = ["a.b", "v.n"].map(str::to_owned).to_vec();
    let row = row_of(RowFormat::Jsonl, json, Fields { keep, ..everything() });
    assert_eq!(regions(&row), [("a.bc", "y"), ("v[].m", "w")]);
}

#[test]
fn empties_all_that_was_read_of_a_withheld_row() {
    let json = r#"{"id": 1, "who": "Ana", "n": [5, -2e1], "k": {"A B": "x", "C D": "y"}, "text": "a\n"}"#;
    let fields = Fields { id: Some("id".into()), subject: Some("who".into()), ..everything() };
    let row = row_of(RowFormat::Jsonl, json, fields);
    let out = row.encode_withheld(&[("withheld", "\"malformed\"".to_owned())]).unwrap();
    assert_eq!(
        String::from_utf8(out).unwrap(),
        r#"{"id": 1, "who": "", "n": [null, null], "k": {"": "", " (2)": ""}, "text": "", "withheld": "malformed"}"#
    );
    let fields = Fields { id: Some("id".into()), subject: Some("who".into()), ..everything() };
    let row = row_of(CSV, "id,who,text\n1,Ana,\"a, b\"\n", fields);
    assert_eq!(row.encode_withheld(&[]).unwrap(), b"1,,\"\"\n");
}

#[test]
fn replaces_the_subject_and_drops_the_person() {
    let fields = || Fields { subject: Some("who".into()), person: Some("pid".into()), ..everything() };
    let row = row_of(RowFormat::Jsonl, r#"{"who":"Ana","pid":7,"text":"a"}"#, fields());
    assert_eq!(row.document.person(), Some("7"));
    let out = row.encode_release(&[], &[], "[P \"1\"]").unwrap();
    assert_eq!(String::from_utf8(out).unwrap(), r#"{"who":"[P \"1\"]","pid":"","text":"a"}"#);
    let row = row_of(CSV, "who,pid,text\nAna,\"7\",a\n", fields());
    assert_eq!(row.encode_release(&[], &[], "b, c").unwrap(), b"\"b, c\",\"\",a\n");
    let kept = Fields { keep: vec!["who".into(), "pid".into()], ..fields() };
    let row = row_of(CSV, "who,pid,text\nAna,\"7\",a\n", kept);
    assert_eq!(row.encode_release(&[], &[], "x").unwrap(), b"Ana,\"7\",a\n");
}

#[test]
fn makes_a_placeholder_for_a_row_that_cannot_be_read() {
    assert_eq!(reader(CSV, b"text,b,c\n", &["text"]).placeholder("x"), b",,\n");
    assert_eq!(reader(CSV, b"text\n", &["text"]).placeholder("x"), b"\"\"\n");
    assert_eq!(reader(RowFormat::Jsonl, b"", &["text"]).placeholder("x"), b"{\"withheld\":\"x\"}\n");
}

fn json_value() -> impl Strategy<Value = serde_json::Value> {
    use serde_json::Value;
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        "(?s).{0,8}".prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 24, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::btree_map("(?s).{0,6}|[A-Z][a-z]{2}|[a-z_]{1,4}", inner, 0..4)
                .prop_map(|map| Value::Object(map.into_iter().collect())),
        ]
    })
}

proptest! {
    #[test]
    fn any_row_is_copied_and_stays_json_whatever_is_edited(
        members in prop::collection::btree_map("[a-z]{1,4}|[A-Z][a-z é\"]{0,6}", json_value(), 0..5),
        replacement in "(?s)[a\",;\n\r\\\\é ]{0,6}",
        which in any::<u64>(),
    ) {
        let object = serde_json::Value::Object(members.into_iter().collect());
        let input = format!("{object}\n");
        let row = row_of(RowFormat::Jsonl, &input, everything());
        prop_assert_eq!(row.encode(&[], &[]).unwrap(), input.as_bytes());
        let chosen = row.document.regions().iter().enumerate();
        let chosen = chosen.filter(|(at, region)| which >> (at % 64) & 1 == 1 && !region.span.is_empty());
        let edits: Vec<Edit> = chosen
            .map(|(_, region)| Edit { span: region.span, replacement: replacement.clone() })
            .collect();
        let out = row.encode(&edits, &[("edits", "[]".to_owned())]).unwrap();
        let read: Result<serde_json::Value, _> = serde_json::from_slice(&out);
        prop_assert!(read.is_ok());
        // Nothing is lost: no two members of an object have the same name.
        let mut again = 0;
        let mut names = std::collections::BTreeSet::new();
        let text = std::str::from_utf8(&out).unwrap();
        json_walk::walk(text, 0..text.len(), &mut String::new(), &mut 0, |_, leaf| {
            if let json_walk::Leaf::Key(range, object) = leaf {
                again += usize::from(!names.insert((object, text[range].to_owned())));
            }
            Ok(())
        }).unwrap();
        prop_assert_eq!(again, 0);
        prop_assert!(serde_json::from_slice::<serde_json::Value>(&row.encode_withheld(&[]).unwrap()).is_ok());
    }
}
