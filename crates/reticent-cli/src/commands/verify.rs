//! `reticent verify`.

use std::fmt::Write;

use reticent::Policy;
use reticent::plan::PlanFile;
use reticent::policy::Subject;
use reticent::verify::{Against, Problem, Severity, against_original, verify};
use reticent_text::{Document, OffsetUnit, Offsets};
use serde_json::json;

use crate::args::VerifyArgs;
use crate::commands::certificate::{Certified, Held};
use crate::failure::{Failure, Outcome};
use crate::input::{self, InputFile, Kind};
use crate::output::{Output, Target};
use crate::runner::Part;
use crate::{disclosure, messages, runner};

pub(crate) fn run(args: &VerifyArgs) -> Result<Outcome, Failure> {
    let policy = runner::policy(&args.policy, runner::names_someone(&args.policy, &args.input))?;
    runner::threads(args.work.jobs)?;
    let inputs = input::list(&args.input);
    if args.original.is_some() && inputs.files.len() != 1 {
        return Err(Failure::new("one released file can be held against one original"));
    }
    let corpus = disclosure::corpus(&args.policy)?;
    let held = corpus.as_ref().map(|corpus| Held::new(corpus, &policy)).transpose()?;
    Ok(runner::each_file(&inputs, |file| one(args, &policy, held.as_ref(), file)))
}

fn one(
    args: &VerifyArgs,
    policy: &Policy,
    held: Option<&Held<'_>>,
    file: &InputFile,
) -> Result<Outcome, Failure> {
    let mut output = Output::create(&Target::Standard)?;
    let (mut worst, mut unexamined) = (Outcome::Done, Outcome::Done);
    let mut documents = 0;
    let mut certified: Vec<Certified> = Vec::new();
    let mut tell = |document: &Document, problems: &[Problem]| {
        documents += 1;
        if problems.iter().any(|problem| problem.severity != Severity::Unknown) {
            worst = Outcome::Unresolved;
        }
        output.write(told(args, document, problems).as_bytes())
    };
    match file.kind {
        Kind::Whole(kind) => {
            let loaded = runner::load_released(file, kind, &args.input, policy)?;
            unexamined = loaded.disclose(file);
            let mut problems = verify(&loaded.document, policy, &[])?;
            if let (Some(original), Some(plan)) = (&args.original, &args.plan) {
                let json = std::fs::read_to_string(plan)
                    .map_err(|error| Failure::io(plan, "read the plan", &error))?;
                let original = InputFile { path: original.clone(), ..file.clone() };
                let original = runner::load(&original, kind, &args.input, policy)?;
                let plan = PlanFile::from_json(&json)?;
                let against = Against { original: &original.document, plan: &plan };
                problems.extend(against_original(&loaded.document, &against)?);
            }
            tell(&loaded.document, &problems)?;
            if let Some(held) = held {
                certified.push(held.certify(loaded.document)?);
            }
        }
        Kind::Rows(format) => {
            let work = |row: &mut reticent_text::format::rows::Row| {
                let subjects: Vec<Subject> = runner::row_subjects(row)?;
                let certified = held.map(|held| held.certify(row.document.clone())).transpose()?;
                Ok((verify(&row.document, policy, &subjects)?, row.document.clone(), certified))
            };
            runner::each_row(file, format, &args.input, policy, work, |part| match part {
                Part::Frame(_) => Ok(()),
                Part::Row((problems, document, certificate)) => {
                    certified.extend(certificate);
                    tell(&document, &problems)
                }
            })?;
        }
    }
    for certified in &certified {
        worst = worst.max(certified.outcome());
        output.write(certified.told(args.json, args.work.offsets.into()).as_bytes())?;
    }
    output.finish()?;
    worst = worst.max(unexamined);
    let name = file.path.display();
    match worst {
        Outcome::Done => {
            messages::note(&format!("{name}: {documents} checked, nothing against the policy was found"));
        }
        _ => messages::warn(&format!("{name}: not within the policy, or not certainly")),
    }
    Ok(worst)
}

fn told(args: &VerifyArgs, document: &Document, problems: &[Problem]) -> String {
    let unit: OffsetUnit = args.work.offsets.into();
    let offsets = Offsets::new(document.text(), unit);
    let mut out = String::new();
    for problem in problems {
        let place = problem.span.map(|span| offsets.outside(span));
        // Writing to a String cannot fail.
        let _ = if args.json {
            let row = json!({
                "document": document.id(), "offsets": unit.name(), "start": place.map(|at| at.0),
                "end": place.map(|at| at.1), "severity": problem.severity,
                "type": problem.entity_type, "what": problem.what,
            });
            writeln!(out, "{row}")
        } else {
            let place = place.map_or_else(String::new, |(start, end)| format!(":{start}-{end}"));
            let severity = match problem.severity {
                Severity::Violation => "violation",
                Severity::Suspicious => "suspicious",
                Severity::Unknown => "unknown",
            };
            let kind = problem.entity_type.as_ref().map_or_else(String::new, |kind| format!(" ({kind})"));
            writeln!(out, "{}{place}: {severity}: {}{kind}", document.id(), problem.what)
        };
    }
    out
}
