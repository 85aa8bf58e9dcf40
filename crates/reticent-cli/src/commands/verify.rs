//! `reticent verify`.

use std::fmt::Write;
use std::path::Path;

use reticent::Policy;
use reticent::plan::PlanFile;
use reticent::verify::{Against, Problem, Severity, against_original, verify};
use reticent_text::format::rows::{Fields, Row};
use reticent_text::{Document, OffsetUnit, Offsets, Region, RegionKind};
use serde_json::json;

use crate::args::{InputArgs, VerifyArgs};
use crate::commands::certificate::{Certified, Held};
use crate::commands::verdict::Verdict;
use crate::failure::{Failure, Outcome};
use crate::input::{self, InputFile, Kind};
use crate::output::{Output, Target};
use crate::rows::{self, Part, RowFile};
use crate::{disclosure, policy_record, runner};

pub(crate) fn run(args: &VerifyArgs) -> Result<Outcome, Failure> {
    let plan = args.plan.as_deref().map(plan_file).transpose()?;
    let policy = policy_record::for_verification(args, plan.as_ref())?;
    runner::threads(args.work.jobs)?;
    let inputs = input::list(&args.input);
    if args.original.is_some() && inputs.files.len() != 1 {
        return Err(Failure::new("--original compares one file with one original"));
    }
    let corpus = disclosure::corpus(&args.policy)?;
    let held = corpus.as_ref().map(|corpus| Held::new(corpus, &policy)).transpose()?;
    Ok(runner::each_file(&inputs, |file| one(args, &policy, plan.as_ref(), held.as_ref(), file)))
}

fn one(
    args: &VerifyArgs,
    policy: &Policy,
    plan: Option<&PlanFile>,
    held: Option<&Held<'_>>,
    file: &InputFile,
) -> Result<Outcome, Failure> {
    let mut output = Output::create(&Target::Standard)?;
    let (mut worst, mut unexamined) = (Outcome::Done, Outcome::Done);
    let mut verdict = Verdict::default();
    let mut certified: Vec<Certified> = Vec::new();
    let mut print = |document: &Document, problems: &[Problem]| {
        verdict.add(document);
        if problems.iter().any(|problem| problem.severity != Severity::Unknown) {
            worst = Outcome::Unresolved;
        }
        output.write(render_problems(args, document, problems).as_bytes())
    };
    match file.kind {
        Kind::Whole(kind) => {
            let loaded = runner::load_released(file, kind, &args.input, policy)?;
            unexamined = loaded.disclose(file);
            let mut problems = verify(&loaded.document, policy, &[])?;
            if let (Some(original), Some(plan)) = (&args.original, plan) {
                let original = InputFile { path: original.clone(), ..file.clone() };
                let original = runner::load(&original, kind, &args.input, policy)?;
                let against = Against {
                    original: &original.document,
                    plan,
                    max_replacement_chars: policy.max_replacement_chars(),
                    by_table: false,
                };
                problems.extend(against_original(&loaded.document, &against)?);
            }
            print(&loaded.document, &problems)?;
            if let Some(held) = held {
                certified.push(held.certify(loaded.document)?);
            }
        }
        Kind::Rows(format) => {
            let work = |row: &mut Row| {
                let certified = held.map(|held| held.certify(row.document.clone())).transpose()?;
                Ok((of_row(args, policy, row)?, row.document.clone(), certified))
            };
            let rows = RowFile { file, format, args: &args.input, fields: fields(&args.input) };
            let tally = rows::each_row_of(rows, policy, work, |part| match part {
                Part::Columns(columns) => {
                    let header = Document::plain("header", columns.join("\n"));
                    let problems = verify(&header, policy, &[])?;
                    let violations: Vec<Problem> = problems
                        .into_iter()
                        .filter(|problem| problem.severity == Severity::Violation)
                        .collect();
                    if violations.is_empty() { Ok(()) } else { print(&header, &violations) }
                }
                Part::Frame(_) | Part::Withheld(_) => Ok(()),
                Part::Row((problems, document, certificate)) => {
                    certified.extend(certificate);
                    print(&document, &problems)
                }
            })?;
            worst = worst.max(tally.finish(file));
        }
    }
    for certified in &certified {
        worst = worst.max(certified.outcome());
        output.write(certified.render(args.json, args.work.offsets.into()).as_bytes())?;
    }
    worst = worst.max(unexamined);
    output.write(verdict.print(args, policy, file, worst).as_bytes())?;
    output.finish()?;
    Ok(worst)
}

/// The fields of a released row: all are examined, including added fields and those that should be empty.
fn fields(args: &InputArgs) -> Fields {
    Fields { person: None, replaced: Vec::new(), ..input::fields(args) }
}

fn of_row(args: &VerifyArgs, policy: &Policy, row: &Row) -> Result<Vec<Problem>, Failure> {
    let text = row.document.text();
    let regions = row.document.regions();
    let is_replacement = |name: &str| {
        let replacements = regions.iter().filter(|region| {
            matches!(region.name.as_str(), "edits[].replacement" | "field_edits[].replacement")
        });
        name.starts_with('[') && name.ends_with(']')
            || replacements.into_iter().any(|region| region.span.of(text) == name)
    };
    // The subject field must have been replaced, unless it is kept.
    let replaced = row.subject.as_deref().is_some_and(is_replacement);
    let subjects = if replaced { Vec::new() } else { runner::row_subjects(row)? };
    let mut problems = verify(&row.document, policy, &subjects)?;
    // Offsets and scores of edits are not document text.
    problems.retain(|problem| {
        let region = problem.span.and_then(|span| row.document.region_at(span.start));
        region.is_none_or(|region| !is_own_number(region, text))
    });
    let kept = args.input.subject_field.as_ref().is_some_and(|field| args.input.keep_field.contains(field));
    if row.subject.is_some() && !replaced && !kept {
        let what = "the subject field was not replaced";
        problems.push(Problem::of_all(Severity::Violation, what));
    }
    Ok(problems)
}

fn is_own_number(region: &Region, text: &str) -> bool {
    let number = region.span.of(text);
    matches!(
        region.name.trim_start_matches("field_"),
        "spans[][]" | "edits[].start" | "edits[].end" | "edits[].score"
    ) && number.len() <= 7
        && number.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.')
}

fn plan_file(path: &Path) -> Result<PlanFile, Failure> {
    let json = std::fs::read_to_string(path).map_err(|error| Failure::io(path, "read the plan", &error))?;
    Ok(PlanFile::from_json(&json)?)
}

fn render_problems(args: &VerifyArgs, document: &Document, problems: &[Problem]) -> String {
    let unit: OffsetUnit = args.work.offsets.into();
    let offsets = Offsets::new(document.text(), unit);
    let mut out = String::new();
    for problem in problems {
        let region = problem.span.and_then(|span| document.locate(span));
        let field = region.filter(|(region, _)| region.kind == RegionKind::Field);
        let place = match (field, problem.span) {
            (Some((region, within)), _) => {
                Some(Offsets::new(region.span.of(document.text()), unit).outside(within))
            }
            (None, span) => span.map(|span| offsets.outside(span)),
        };
        let field = field.map(|(region, _)| region.name.as_str());
        // Writing to a String cannot fail.
        let _ = if args.json {
            let mut row = json!({
                "document": document.id(), "offsets": unit.name(), "start": place.map(|at| at.0),
                "end": place.map(|at| at.1), "severity": problem.severity,
                "type": problem.entity_type, "what": problem.what,
            });
            if let Some(field) = field {
                row["field"] = json!(field);
            }
            writeln!(out, "{row}")
        } else {
            let place = place.map_or_else(String::new, |(start, end)| format!(":{start}-{end}"));
            let severity = match problem.severity {
                Severity::Violation => "violation",
                Severity::Suspicious => "suspicious",
                Severity::Unknown => "unknown",
            };
            let kind = problem.entity_type.as_ref().map_or_else(String::new, |kind| format!(" ({kind})"));
            let field = field.map_or_else(String::new, |field| format!(" `{field}`"));
            writeln!(out, "{}{field}{place}: {severity}: {}{kind}", document.id(), problem.what)
        };
    }
    out
}
