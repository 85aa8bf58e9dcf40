//! Runs the cases in `tests/cases/protect`: a policy, a text, what is planned, what is released.
//!
//! Each `# heading` begins a case. Its blocks: ```toml``` the policy (`basic` if absent), ```text```
//! the document, ```plan``` one line for each mention (`TYPE | words | level`), ```released``` the
//! released text. A case without `plan` shows only the release.

use std::fmt::Write;
use std::path::Path;

use reticent::{Knowledge, Policy, Protector};
use reticent_text::Document;

struct Case {
    name: String,
    policy: String,
    text: String,
    plan: Option<String>,
    released: String,
}

#[test]
fn cases_hold() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases/protect");
    let mut files: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    let mut failures = String::new();
    let mut count = 0;
    for file in files {
        for case in cases(&std::fs::read_to_string(&file).unwrap()) {
            count += 1;
            let (plan, released) = run(&case);
            let planned = case.plan.as_ref().is_none_or(|expected| *expected == plan);
            if !planned || released != case.released {
                let file = file.file_name().unwrap().to_string_lossy();
                writeln!(failures, "{file}: {}\n--- plan\n{plan}\n--- released\n{released}\n", case.name)
                    .unwrap();
            }
        }
    }
    assert!(count > 0, "no cases were found");
    assert!(failures.is_empty(), "these came out differently:\n{failures}");
}

fn run(case: &Case) -> (String, String) {
    let mut protector = Protector::new(Policy::from_toml(&case.policy).unwrap(), None).unwrap();
    if protector.policy().related().only_subjects {
        protector = protector.with_knowledge(Knowledge::shipped().unwrap()).unwrap();
    }
    let mut document = Document::plain("case", case.text.clone());
    let (released, plan) = protector.protect(&mut document, b"", &[]).unwrap();
    let mut lines = Vec::new();
    for decision in &plan.decisions {
        for mention in &decision.entity.mentions {
            let words = mention.span.of(&case.text).replace('\n', "⏎");
            lines.push((
                mention.span,
                format!("{} | {words} | {}", decision.entity.entity_type, decision.level),
            ));
        }
    }
    lines.sort();
    let plan = lines.into_iter().map(|(_, line)| line).collect::<Vec<_>>().join("\n");
    (plan, released.text().to_owned())
}

fn cases(markdown: &str) -> Vec<Case> {
    let mut cases: Vec<Case> = Vec::new();
    let mut block: Option<(String, Vec<&str>)> = None;
    for line in markdown.lines() {
        match &mut block {
            None if line.starts_with("# ") => cases.push(Case {
                name: line[2..].to_owned(),
                policy: String::new(),
                text: String::new(),
                plan: None,
                released: String::new(),
            }),
            None => {
                if let Some(kind) = line.strip_prefix("```") {
                    block = Some((kind.to_owned(), Vec::new()));
                }
            }
            Some((kind, lines)) if line == "```" => {
                let content = lines.join("\n");
                let case = cases.last_mut().expect("a heading before the first block");
                match kind.as_str() {
                    "toml" => case.policy = content,
                    "text" => case.text = content,
                    "plan" => case.plan = Some(content),
                    "released" => case.released = content,
                    other => panic!("unknown block {other} in {}", case.name),
                }
                block = None;
            }
            Some((_, lines)) => lines.push(line),
        }
    }
    cases
}
