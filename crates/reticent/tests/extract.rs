//! From documents to a table and back, as properties over made-up documents.

use std::sync::LazyLock;

use proptest::prelude::*;
use proptest::sample::select;
use reticent::extract::{ChangedTable, Extract, Extractor, Map, Schema, Table, TableFormat};
use reticent::policy::Role;
use reticent::{ErrorKind, Policy, Protector};
use reticent_text::Document;

static BASIC: LazyLock<Extractor> =
    LazyLock::new(|| Extractor::new(Protector::new(Policy::preset("basic").unwrap(), None).unwrap()));

const IDENTIFIERS: &[&str] =
    &["ana.ruiz@example.org", "GB69PMNJ18913943430745", "Mrs Ana Ruiz", "Dr. Peter Novak", "308-63-0237"];

const OTHERS: &[&str] = &["3 July 1962", "1993-01-04", "May 1970", "aged 61", "35 years old", "£6,240"];

const PROSE: &[&str] =
    &["the patient slept well", "blood pressure was 120/80", "—", "😀 fine", "no change", "(see below)"];

fn text() -> impl Strategy<Value = String> {
    let piece = prop_oneof![2 => select(PROSE), 1 => select(IDENTIFIERS), 2 => select(OTHERS)];
    let joint = select(vec![" ", ", ", ". ", "\n", "; ", " and "]);
    prop::collection::vec((piece, joint), 1..12)
        .prop_map(|pieces| pieces.into_iter().flat_map(|(words, joint)| [words, joint]).collect())
}

fn extracted(text: &str) -> Extract {
    BASIC.extract("d", &mut Document::plain("d", text), text.as_bytes(), &[]).unwrap()
}

fn table(text: &str) -> Table {
    Table::new(vec![extracted(text)], &BASIC).unwrap()
}

/// The document with what a changed table says, and where it changed.
fn written(text: &str, table: &Table, changed: &str, format: TableFormat) -> reticent::Released {
    let changed = ChangedTable::read(changed, format, &[], table.map()).unwrap();
    let (known, row) = (table.map().row("d").unwrap(), changed.row("d").unwrap());
    BASIC.write_back(&mut Document::plain("d", text), text.as_bytes(), &[], known, row).unwrap().0
}

/// A value with its day and month left out.
fn year_of(value: &str) -> String {
    let year = value.split('-').next().unwrap_or_default();
    if year.len() == 4 && year.bytes().all(|byte| byte.is_ascii_digit()) {
        year.to_owned()
    } else {
        value.to_owned()
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    /// With an unchanged table, the text is the same but for its identifiers.
    #[test]
    fn an_unchanged_table_changes_identifiers_only(text in text()) {
        let table = table(&text);
        for format in [TableFormat::Csv, TableFormat::Tsv, TableFormat::Jsonl] {
            let released = written(&text, &table, &table.to_text(format).unwrap(), format);
            let (mut from, mut to) = (0, 0);
            for edit in released.edits() {
                prop_assert_eq!(BASIC.role(&edit.entity_type), Role::Identifier);
                prop_assert_eq!(&text[from..edit.span.start], &released.text()[to..edit.placed.start]);
                (from, to) = (edit.span.end, edit.placed.end);
            }
            prop_assert_eq!(&text[from..], &released.text()[to..]);
            for secret in IDENTIFIERS {
                prop_assert!(!released.text().contains(secret), "{} survives", secret);
            }
        }
    }

    /// What is read out of the released text is what the changed table says.
    #[test]
    fn the_released_text_says_what_the_table_says(text in text()) {
        let extract = extracted(&text);
        let table = table(&text);
        let dates = |extract: &Extract| -> Vec<String> {
            let dates = extract.values.iter().filter(|value| value.entity_type.as_str() == "DATE_TIME");
            dates.map(|value| value.text.clone()).collect()
        };
        let wanted: Vec<String> = dates(&extract).iter().map(|date| year_of(date)).collect();
        let id = table.map().fingerprints()[0].to_owned();
        let changed = serde_json::json!({ "id": id, "DATE_TIME": wanted }).to_string();
        prop_assume!(!wanted.is_empty());
        let released = written(&text, &table, &changed, TableFormat::Jsonl);
        // Nothing is said that the table does not say. Two years side by side may be read as one period,
        // and a year that stands where no detector looks for one is not read again.
        let found = dates(&extracted(released.text()));
        let told = wanted.join(" ");
        for year in found.iter().flat_map(|date| date.split(|c: char| !c.is_ascii_digit())) {
            prop_assert!(told.contains(year), "{} in {}", year, released.text());
        }
        for year in wanted.iter().filter(|year| year.len() == 4) {
            prop_assert!(released.text().contains(year.as_str()), "{} in {}", year, released.text());
        }
    }

    /// Whatever a changed table and a map hold, they are read or refused, and no value is told.
    #[test]
    fn any_table_is_read_or_refused(rest in "[a-zA-Z0-9,;|*\\\\\"\\[\\]{}:\n -]{0,60}", start in select(vec!["", "id,AGE\nd,", "{\"id\":\"d\",", "id;AGE\n"])) {
        let table = table("aged 61");
        let text = format!("{start}{rest}").replace("d,", &format!("{},", table.map().fingerprints()[0]));
        for format in [TableFormat::Csv, TableFormat::Tsv, TableFormat::Jsonl] {
            let _ = ChangedTable::read(&text, format, &[], table.map());
        }
        let _ = Map::from_jsonl(&text);
        let _ = Schema::from_toml(&text);
    }
}

#[test]
fn dates_side_by_side_are_two_values() {
    let extract = extracted("£6,240 3 July 1962 1993-01-04. (see below) ");
    let dates: Vec<&str> = extract
        .values
        .iter()
        .filter(|value| value.entity_type.as_str() == "DATE_TIME")
        .map(|value| value.text.as_str())
        .collect();
    assert_eq!(dates, ["1962-07-03", "1993-01-04"]);
}

#[test]
fn a_number_is_an_identifier_whatever_a_labeller_makes_of_it() {
    let extract =
        extracted("(see below), 308-63-0237 1993-01-04 1993-01-04 (see below) the patient slept well ");
    let types: Vec<&str> = extract.values.iter().map(|value| value.entity_type.as_str()).collect();
    assert_eq!(types, ["US_SSN", "DATE_TIME"]);
}

#[test]
fn a_document_that_changed_is_refused() {
    let (text, other) = ("Mrs Ana Ruiz, aged 61.", "Mrs Ana Ruiz, aged 61!");
    let table = table(text);
    let changed =
        ChangedTable::read(&table.to_text(TableFormat::Csv).unwrap(), TableFormat::Csv, &[], table.map())
            .unwrap();
    let (known, row) = (table.map().row("d").unwrap(), changed.row("d").unwrap());
    let refused =
        BASIC.write_back(&mut Document::plain("d", other), other.as_bytes(), &[], known, row).unwrap_err();
    assert_eq!(refused.kind(), ErrorKind::Plan);
    assert!(!refused.to_string().contains("Ruiz"), "{refused}");
}

#[test]
fn a_table_of_another_run_or_a_changed_map_is_refused() {
    let text = "Mrs Ana Ruiz, aged 61.";
    let (one, other) = (table(text), table(text));
    let csv = one.to_text(TableFormat::Csv).unwrap();
    ChangedTable::read(&csv, TableFormat::Csv, &[], one.map()).unwrap();
    let renumbered = csv.replace(one.map().fingerprints()[0], "1");
    let named = csv.replace(one.map().fingerprints()[0], "d");
    for (changed, map) in [(&csv, other.map()), (&renumbered, one.map()), (&named, one.map())] {
        let refused = ChangedTable::read(changed, TableFormat::Csv, &[], map).unwrap_err();
        assert!(refused.to_string().starts_with("line 2 "), "{refused}");
    }
    // Another document under the same fingerprint.
    let jsonl = one.map().to_jsonl().unwrap();
    let digest = &one.map().rows()[0].sha256;
    let forged = Map::from_jsonl(&jsonl.replace(digest.as_str(), &"0".repeat(64))).unwrap();
    assert!(ChangedTable::read(&csv, TableFormat::Csv, &[], &forged).is_err());
    // Other roles, policies or columns than those that the table was made with.
    let forged = Map::from_jsonl(&jsonl.replace("\"AGE\",\"AGE\"", "\"AGES\",\"AGE\"")).unwrap();
    assert!(ChangedTable::read(&csv.replace("AGE", "AGES"), TableFormat::Csv, &[], &forged).is_err());
}

#[test]
fn the_same_key_makes_the_same_table() {
    let key = || reticent::mask::Key::from_file_bytes(&[b"0f1e".repeat(16)].concat()).unwrap();
    let made = || Table::with_key(vec![extracted("aged 61")], &BASIC, key()).unwrap();
    let csv = made().to_text(TableFormat::Csv).unwrap();
    assert_eq!(csv, made().to_text(TableFormat::Csv).unwrap());
    assert_ne!(csv, table("aged 61").to_text(TableFormat::Csv).unwrap());
}

#[test]
fn another_policy_is_refused() {
    let table = table("Mrs Ana Ruiz, aged 61.");
    let gdpr = Extractor::new(Protector::new(Policy::preset("gdpr").unwrap(), None).unwrap());
    assert_eq!(table.map().check(&gdpr).unwrap_err().kind(), ErrorKind::Plan);
    table.map().check(&BASIC).unwrap();
}

#[test]
fn two_documents_of_one_name_are_refused() {
    let rows = vec![extracted("aged 61"), extracted("aged 62")];
    assert_eq!(Table::new(rows, &BASIC).unwrap_err().kind(), ErrorKind::Format);
}

#[test]
fn a_role_of_a_type_that_nothing_finds_is_refused() {
    let roles = |name: &str| [(reticent::EntityType::new(name).unwrap(), Role::Confidential)].into();
    let extractor = || Extractor::new(Protector::new(Policy::preset("basic").unwrap(), None).unwrap());
    let refused = extractor().with_roles(roles("DATE_TIMES")).map(|_| ()).unwrap_err();
    assert!(refused.hint().unwrap().contains("DATE_TIME"), "{refused}");
    assert_eq!(
        extractor().with_roles(roles("AGE")).unwrap().role(&reticent::EntityType::AGE),
        Role::Confidential
    );
    assert!(Policy::from_toml("[roles]\nAGE_ = \"confidential\"").is_err());
    Policy::from_toml("[roles]\nDISEASE = \"quasi_identifier\"\nBLOOD_GROUP = \"confidential\"").unwrap();
}

#[test]
fn debug_tells_no_text() {
    let extract = extracted("Mrs Ana Ruiz, aged 61.");
    let table = table("Mrs Ana Ruiz, aged 61.");
    let told = format!("{extract:?} {:?} {table:?} {:?}", extract.values, table.map());
    assert!(!told.contains("Ruiz"), "{told}");
}
