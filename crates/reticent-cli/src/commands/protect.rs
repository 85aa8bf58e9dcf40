//! `reticent protect`.

use std::sync::{Mutex, MutexGuard};

use reticent::plan::Unknown;
use reticent::report::Report;
use reticent::{EntityType, Plan, Protector};
use reticent_text::format::rows::{Row, RowFormat};

use crate::args::ProtectArgs;
use crate::commands::report::Reports;
use crate::failure::{Failure, Outcome};
use crate::input::{self, InputFile, Kind};
use crate::output::{self, Output, Target};
use crate::policy_record::PolicyRecord;
use crate::rows::{self, Part};
use crate::{messages, runner};

pub(crate) fn run(args: &ProtectArgs) -> Result<Outcome, Failure> {
    let reports = Reports::new(args.report.as_deref())?;
    let protector = runner::protector(&args.policy, &args.input)?;
    let names_someone = runner::names_someone(&args.policy, &args.input);
    let reports =
        Mutex::new(reports.under(PolicyRecord::new(protector.policy(), &args.policy, names_someone)));
    runner::threads(args.work.jobs)?;
    let inputs = input::list(&args.input);
    output::targets(args.output.as_deref(), &inputs, None, args.report.as_deref())?;
    let outcome = runner::each_file(&inputs, |file| {
        let target = output::target(args.output.as_deref(), &inputs, file, None)?;
        match file.kind {
            Kind::Whole(_) => whole(args, &protector, file, &target, &reports),
            Kind::Rows(format) => each_row(args, &protector, file, format, &target, &reports),
        }
    });
    let reports =
        reports.into_inner().map_err(|_| Failure::new("the report was lost in an internal error"))?;
    reports.finish()?;
    Ok(outcome)
}

/// Anonymizes a file that is one document.
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
    loaded.document.drop_layers();
    if names_nobody(&plan) {
        messages::warn(&format!("{}: {NOT_NAMED}", file.path.display()));
    }
    let needs_review = plan.needs_review();
    let mut outcome = loaded.disclose(file);
    if let Some(what) = not_measured(&plan) {
        messages::warn(&format!("{}: {what}", file.path.display()));
        outcome = Outcome::Unresolved;
    }
    if needs_review {
        messages::warn(&format!("{}: review required; no output was written", file.path.display()));
        messages::note("  write a plan with `reticent plan`, approve it, and apply it with `reticent apply`");
        outcome = Outcome::Unresolved;
    } else {
        let bytes = released.to_file(kind, &loaded.document, &loaded.bytes, protector.policy())?;
        output::write_all(target, &loaded.encoded(bytes)?)?;
    }
    let report = loaded.report(&plan);
    lock(reports)?.add(report, Some((loaded.document, plan, (!needs_review).then_some(released))));
    Ok(outcome)
}

/// Anonymizes a file with a document in each row.
fn each_row(
    args: &ProtectArgs,
    protector: &Protector,
    file: &InputFile,
    format: RowFormat,
    target: &Target,
    reports: &Mutex<Reports>,
) -> Result<Outcome, Failure> {
    let unit = args.work.offsets.into();
    let mut output = Output::create(target)?;
    let (mut review, mut unnamed, mut unmeasured) = (0, 0, 0);
    let shows = lock(reports)?.shows();
    let work = |row: &mut Row| {
        let subjects = runner::protected_subjects(row, protector.policy())?;
        let text = row.document.text().to_owned();
        let (released, plan) = protector.protect(&mut row.document, text.as_bytes(), &subjects)?;
        let held = plan.needs_review();
        let bytes = if held { rows::withheld(row, rows::REVIEW)? } else { released.to_row(row, unit)? };
        let nobody = (names_nobody(&plan), not_measured(&plan).is_some());
        let report = Report::new(&plan, row.document.language());
        // Cloned only if it will be shown: files of rows are large.
        let kept = shows.then(|| (row.document.clone(), plan, (!held).then_some(released)));
        Ok((bytes, held.then_some(row.line), nobody, report, kept))
    };
    let withheld = rows::each_row(file, format, &args.input, protector.policy(), work, |part| match part {
        Part::Columns(columns) => check_columns(protector, file, columns),
        Part::Frame(bytes) => output.write(bytes),
        Part::Row((bytes, held, nobody, report, kept)) => {
            unnamed += usize::from(nobody.0);
            unmeasured += usize::from(nobody.1);
            let mut reports = lock(reports)?;
            if let Some(line) = held {
                review += 1;
                reports.withheld(file, line, rows::REVIEW);
            }
            reports.add(report, kept);
            output.write(&bytes)
        }
        Part::Withheld(row) => {
            lock(reports)?.withheld(file, row.line, row.reason);
            output.write(&row.released()?)
        }
    })?;
    output.finish()?;
    if unnamed > 0 {
        messages::warn(&format!("{}: in {unnamed} rows, {NOT_NAMED}", file.path.display()));
    }
    let mut outcome = withheld.finish(file);
    if unmeasured > 0 {
        messages::warn(&format!(
            "{}: {unmeasured} rows have terms whose disclosure could not be measured; --report lists them",
            file.path.display()
        ));
        outcome = outcome.max(Outcome::Unresolved);
    }
    if review > 0 {
        messages::warn(&format!(
            "{}: {review} rows require review; their text was withheld with the reason \"review\"",
            file.path.display()
        ));
        outcome = outcome.max(Outcome::Unresolved);
    }
    Ok(outcome)
}

/// Rejects a file whose column names contain an identifier: its first line may be data.
fn check_columns(protector: &Protector, file: &InputFile, columns: &[String]) -> Result<(), Failure> {
    for (at, column) in columns.iter().enumerate() {
        let types = protector.identifiers_in(column)?;
        if !types.is_empty() {
            let types: Vec<&str> = types.iter().map(EntityType::as_str).collect();
            return Err(Failure::new(format!(
                "{}: the name of column {} contains an identifier ({})",
                file.path.display(),
                at + 1,
                types.join(", ")
            ))
            .hint("the first line must be a header: add one, or rename the column"));
        }
    }
    Ok(())
}

/// Warns that a text does not name its subject.
const NOT_NAMED: &str = "subject not mentioned: check the spelling or add an alias; the whole text was treated as being about the subject";

/// What of the released text could not be measured in the corpus.
fn not_measured(plan: &Plan) -> Option<String> {
    let mut unknown = plan.unknown.iter();
    let of_counts = |unknown: &&Unknown| {
        matches!(unknown, Unknown::TermsNotCounted { .. } | Unknown::MaskedNotCounted { .. })
    };
    unknown.find(of_counts).map(reticent::report::in_words)
}

fn names_nobody(plan: &Plan) -> bool {
    plan.unknown.iter().any(|unknown| matches!(unknown, Unknown::SubjectNotNamed { .. }))
}

fn lock(reports: &Mutex<Reports>) -> Result<MutexGuard<'_, Reports>, Failure> {
    reports.lock().map_err(|_| Failure::new("the report was lost in an internal error"))
}
