//! `reticent protect`.

use std::sync::{Mutex, MutexGuard};

use reticent::plan::Unknown;
use reticent::report::Report;
use reticent::{Plan, Protector};
use reticent_text::Edit;
use reticent_text::format::rows::{Row, RowFormat};

use crate::args::ProtectArgs;
use crate::commands::report::Reports;
use crate::failure::{Failure, Outcome};
use crate::input::{self, InputFile, Kind};
use crate::output::{self, Output, Target};
use crate::runner::Part;
use crate::{messages, runner};

pub(crate) fn run(args: &ProtectArgs) -> Result<Outcome, Failure> {
    let reports = Mutex::new(Reports::new(args.report.as_deref())?);
    let protector = runner::protector(&args.policy, &args.input)?;
    runner::threads(args.work.jobs)?;
    let inputs = input::list(&args.input);
    let outcome = runner::each_file(&inputs, |file| {
        let target = output::target(args.output.as_deref(), &inputs, file, None)?;
        match file.kind {
            Kind::Whole(_) => whole(args, &protector, file, &target, &reports),
            Kind::Rows(format) => rows(args, &protector, file, format, &target, &reports),
        }
    });
    let reports =
        reports.into_inner().map_err(|_| Failure::new("the report was lost in an internal error"))?;
    reports.finish()?;
    Ok(outcome)
}

/// One document in a file of its own.
fn whole(
    args: &ProtectArgs,
    protector: &Protector,
    file: &InputFile,
    target: &Target,
    reports: &Mutex<Reports>,
) -> Result<Outcome, Failure> {
    let Kind::Whole(kind) = file.kind else { return Ok(Outcome::Done) };
    let mut loaded = runner::load(file, kind, &args.input, protector.policy())?;
    let (released, plan) = protector.protect(&mut loaded.document, &loaded.bytes, &[])?;
    if names_nobody(&plan) {
        messages::warn(&format!("{}: {NOT_NAMED}", file.path.display()));
    }
    let needs_review = plan.needs_review();
    let mut outcome = loaded.disclose(file);
    if needs_review {
        messages::warn(&format!("{}: a person must look first; nothing was released", file.path.display()));
        messages::note(
            "  make a plan with `reticent plan`, approve it, and release it with `reticent apply`",
        );
        outcome = Outcome::Unresolved;
    } else {
        let bytes = released.to_file(kind, &loaded.document, &loaded.bytes, protector.policy())?;
        output::write_all(target, &loaded.encoded(bytes)?)?;
    }
    let report = loaded.report(&plan);
    lock(reports)?.add(report, Some((loaded.document, plan, (!needs_review).then_some(released))));
    Ok(outcome)
}

/// A document in each row of a file.
fn rows(
    args: &ProtectArgs,
    protector: &Protector,
    file: &InputFile,
    format: RowFormat,
    target: &Target,
    reports: &Mutex<Reports>,
) -> Result<Outcome, Failure> {
    let unit = args.work.offsets.into();
    let mut output = Output::create(target)?;
    let (mut unreleased, mut unnamed) = (0, 0);
    let shows = lock(reports)?.shows();
    let work = |row: &mut Row| {
        let subjects = runner::row_subjects(row)?;
        let text = row.document.text().to_owned();
        let (released, plan) = protector.protect(&mut row.document, text.as_bytes(), &subjects)?;
        let held = plan.needs_review();
        let bytes = if held { withheld(row)? } else { released.to_row(row, unit)? };
        let nobody = names_nobody(&plan);
        let report = Report::new(&plan, row.document.language());
        // A clone of the document only where it will be shown: files of rows are large.
        let kept = shows.then(|| (row.document.clone(), plan, (!held).then_some(released)));
        Ok((bytes, held, nobody, report, kept))
    };
    runner::each_row(file, format, &args.input, protector.policy(), work, |part| match part {
        Part::Frame(bytes) => output.write(bytes),
        Part::Row((bytes, held, nobody, report, kept)) => {
            unreleased += usize::from(held);
            unnamed += usize::from(nobody);
            lock(reports)?.add(report, kept);
            output.write(&bytes)
        }
    })?;
    output.finish()?;
    if let Some(field) = &args.input.subject_field {
        messages::note(&format!(
            "{}: its rows still have the field `{field}`, which names whom they are about; take it out before you give them away",
            file.path.display()
        ));
    }
    if unnamed > 0 {
        messages::warn(&format!("{}: in {unnamed} rows, {NOT_NAMED}", file.path.display()));
    }
    if unreleased == 0 {
        return Ok(Outcome::Done);
    }
    messages::warn(&format!(
        "{}: a person must look at {unreleased} rows; their text was left out and marked \"review\"",
        file.path.display()
    ));
    Ok(Outcome::Unresolved)
}

/// What to say when a text does not name whom it is to protect.
const NOT_NAMED: &str = "the text never names whom it is to protect: check the name, or give it another; all of it was taken to be about them";

fn names_nobody(plan: &Plan) -> bool {
    plan.unknown.iter().any(|unknown| matches!(unknown, Unknown::SubjectNotNamed { .. }))
}

/// A row whose text is not released.
fn withheld(row: &Row) -> Result<Vec<u8>, Failure> {
    let filled = row.document.regions().iter().filter(|region| !region.span.is_empty());
    let edits: Vec<Edit> =
        filled.map(|region| Edit { span: region.span, replacement: String::new() }).collect();
    let none = || "[]".to_owned();
    Ok(row.encode(&edits, &[("spans", none()), ("edits", none()), ("review", "\"required\"".to_owned())])?)
}

fn lock(reports: &Mutex<Reports>) -> Result<MutexGuard<'_, Reports>, Failure> {
    reports.lock().map_err(|_| Failure::new("the report was lost in an internal error"))
}
