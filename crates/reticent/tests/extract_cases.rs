//! Runs the cases in `tests/cases/extract`: documents, the table made of them, the table as someone
//! changed it, and the documents that come of it.
//!
//! Each `# heading` begins a case. Its blocks: ```toml``` the policy (`basic` if absent), ```text NAME```
//! a document, ```table``` and ```schema``` what is extracted (either may be absent), ```changed``` the
//! changed table, ```released NAME``` what a document says then, ```refused``` instead, the error.

use std::fmt::Write;
use std::path::Path;

use reticent::extract::{ChangedTable, Extractor, Map, Schema, Table, TableFormat};
use reticent::{Error, Policy, Protector};
use reticent_text::Document;

#[derive(Default)]
struct Case {
    name: String,
    blocks: Vec<(String, String)>,
}

impl Case {
    fn block(&self, kind: &str) -> Option<&str> {
        self.blocks.iter().find(|(own, _)| own == kind).map(|(_, content)| content.as_str())
    }

    fn named(&self, kind: &str) -> impl Iterator<Item = (&str, &str)> {
        self.blocks
            .iter()
            .filter_map(move |(own, content)| Some((own.strip_prefix(kind)?.trim(), content.as_str())))
    }
}

#[test]
fn cases_hold() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases/extract");
    let mut files: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    let (mut failures, mut count) = (String::new(), 0);
    for file in files {
        for case in cases(&std::fs::read_to_string(&file).unwrap()) {
            count += 1;
            for (what, expected, found) in run(&case) {
                if expected.trim_end() != found.trim_end() {
                    let file = file.file_name().unwrap().to_string_lossy();
                    writeln!(failures, "{file}: {}: {what}\n{found}\n", case.name).unwrap();
                }
            }
        }
    }
    assert!(count > 0, "no cases were found");
    assert!(failures.is_empty(), "these came out differently:\n{failures}");
}

/// What was checked: its name, what was expected, and what came out.
fn run(case: &Case) -> Vec<(String, String, String)> {
    let policy = Policy::from_toml(case.block("toml").unwrap_or_default()).unwrap();
    let extractor = Extractor::new(Protector::new(policy, None).unwrap());
    let extracts = case.named("text ").map(|(id, text)| {
        extractor.extract(id, &mut Document::plain(id, text), text.as_bytes(), &[]).unwrap()
    });
    let table = Table::new(extracts.collect(), &extractor).unwrap();
    let mut checked = Vec::new();
    let mut check = |what: &str, expected: &str, found: String| {
        checked.push((what.to_owned(), expected.to_owned(), found));
    };
    if let Some(expected) = case.block("table") {
        check("table", expected, named(&table.to_text(TableFormat::Csv).unwrap(), table.map()));
    }
    if let Some(expected) = case.block("schema") {
        let toml = table.schema().to_toml().unwrap();
        assert_eq!(&Schema::from_toml(&toml).unwrap(), table.schema());
        check("schema", expected, toml);
    }
    let Some(changed) = case.block("changed") else { return checked };
    // As a file, as it is between the two commands.
    let map = Map::from_jsonl(&table.map().to_jsonl().unwrap()).unwrap();
    map.check(&extractor).unwrap();
    let changed = ChangedTable::read(&bound(changed, &map), TableFormat::Csv, &[], &map);
    if let Some(expected) = case.block("refused") {
        check("refused", expected, changed.map_or_else(|error| told(&error), |_| String::new()));
        return checked;
    }
    let changed = changed.unwrap();
    let expected: Vec<(&str, &str)> = case.named("released ").collect();
    for (id, text) in case.named("text ") {
        let expected = expected.iter().find(|(own, _)| *own == id);
        assert_eq!(expected.is_some(), changed.row(id).is_some(), "{}: {id} is released or not", case.name);
        let (Some((_, expected)), Some(row)) = (expected, changed.row(id)) else { continue };
        let mut document = Document::plain(id, text);
        let known = map.row(id).unwrap();
        let written = extractor.write_back(&mut document, text.as_bytes(), &[], known, row);
        let found = written.map_or_else(|error| told(&error), |(released, _)| released.text().to_owned());
        check(id, expected, found);
    }
    checked
}

/// A table with the documents' names instead of their fingerprints, in their order.
fn named(table: &str, map: &Map) -> String {
    let mut lines: Vec<String> = table.lines().map(str::to_owned).collect();
    for (fingerprint, row) in map.fingerprints().iter().zip(map.rows()) {
        for line in &mut lines {
            *line = line.replace(fingerprint, &row.id);
        }
    }
    lines[1..].sort();
    lines.join("\n")
}

/// A changed table with the documents' fingerprints instead of their names.
fn bound(table: &str, map: &Map) -> String {
    let mut lines: Vec<String> = table.lines().map(str::to_owned).collect();
    for (fingerprint, row) in map.fingerprints().iter().zip(map.rows()) {
        for line in &mut lines {
            let rest =
                line.strip_prefix(row.id.as_str()).filter(|rest| !rest.starts_with(char::is_alphanumeric));
            if let Some(rest) = rest {
                *line = format!("{fingerprint}{rest}");
            }
        }
    }
    lines.join("\n")
}

fn told(error: &Error) -> String {
    format!("{error}\n{}", error.hint().unwrap_or_default())
}

fn cases(markdown: &str) -> Vec<Case> {
    let mut cases: Vec<Case> = Vec::new();
    let mut block: Option<(String, Vec<&str>)> = None;
    for line in markdown.lines() {
        match &mut block {
            None if line.starts_with("# ") => {
                cases.push(Case { name: line[2..].to_owned(), ..Case::default() });
            }
            None => {
                if let Some(kind) = line.strip_prefix("```") {
                    block = Some((kind.to_owned(), Vec::new()));
                }
            }
            Some((kind, lines)) if line == "```" => {
                let case = cases.last_mut().expect("a heading before the first block");
                case.blocks.push((std::mem::take(kind), lines.join("\n")));
                block = None;
            }
            Some((_, lines)) => lines.push(line),
        }
    }
    cases
}
