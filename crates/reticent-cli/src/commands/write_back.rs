//! `reticent write-back`: a changed table into the documents that it was made of.

use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard};

use clap::Args;
use reticent::extract::{ChangedTable, Extractor, Map, MapRow};
use reticent::report::Report;
use reticent_text::format::rows::{Row, RowFormat};

use crate::args::{InputArgs, PolicyArgs, WorkArgs};
use crate::commands::extract::{format_of, row_id};
use crate::commands::report::Reports;
use crate::failure::{Failure, Outcome};
use crate::input::{self, InputFile, Inputs, Kind};
use crate::messages;
use crate::output::{self, Output, Target};
use crate::policy_record::PolicyRecord;
use crate::rows::{self, Part};
use crate::runner;

#[derive(Args, Debug)]
pub(crate) struct WriteBackArgs {
    #[command(flatten)]
    input: InputArgs,
    #[command(flatten)]
    policy: PolicyArgs,
    #[command(flatten)]
    work: WorkArgs,
    /// The changed table: .csv, .tsv or .jsonl
    #[arg(long, value_name = "FILE")]
    table: PathBuf,
    /// The map that `reticent extract` wrote beside the table
    #[arg(long, value_name = "FILE")]
    map: PathBuf,
    /// A word that means that a value was suppressed, besides an empty cell and * (such as NA)
    #[arg(long, value_name = "WORD")]
    suppressed: Vec<String>,
    /// Where to write: a file, or a directory for several files; `-` for standard output
    #[arg(short, long, value_name = "OUTPUT")]
    output: Option<PathBuf>,
    /// Write a report: .txt, .json, or .html (which shows the original and is confidential)
    #[arg(long, value_name = "FILE")]
    report: Option<PathBuf>,
}

/// The largest table or map that is read.
const MOST: u64 = 4 << 30;

/// What every file needs.
struct Work<'a> {
    args: &'a WriteBackArgs,
    extractor: Extractor,
    inputs: Inputs,
    map: Map,
    changed: ChangedTable,
    reports: Mutex<Reports>,
}

pub(crate) fn run(args: &WriteBackArgs) -> Result<Outcome, Failure> {
    let reports = Reports::new(args.report.as_deref())?;
    let format = format_of(&args.table)?;
    let map = Map::from_jsonl(&text(&args.map)?)
        .map_err(|error| Failure::from(error).in_file(&args.map.display().to_string()))?;
    let extractor = Extractor::new(runner::names_only(&args.policy, false)?);
    let extractor = extractor.with_roles(map.roles().clone())?;
    map.check(&extractor)?;
    let changed = ChangedTable::read(&text(&args.table)?, format, &args.suppressed, &map)
        .map_err(|error| Failure::from(error).in_file(&args.table.display().to_string()))?;
    if !changed.missing_columns().is_empty() {
        messages::note(&format!(
            "the changed table has no {}: suppressed everywhere",
            changed.missing_columns().join(", ")
        ));
    }
    runner::threads(args.work.jobs)?;
    let policy = PolicyRecord::new(extractor.protector().policy(), &args.policy, false);
    let reports = Mutex::new(reports.under(policy));
    let inputs = input::list(&args.input);
    output::targets(args.output.as_deref(), &inputs, None, args.report.as_deref())?;
    inputs.check_names()?;
    let work = Work { args, extractor, inputs, map, changed, reports };
    let outcome = runner::each_file(&work.inputs, |file| {
        let target = output::target(args.output.as_deref(), &work.inputs, file, None)?;
        match file.kind {
            Kind::Whole(_) => work.whole(file, &target),
            Kind::Rows(format) => work.rows(file, format, &target),
        }
    });
    let reports =
        work.reports.into_inner().map_err(|_| Failure::new("the report was lost in an internal error"))?;
    reports.finish()?;
    Ok(outcome)
}

fn text(path: &std::path::Path) -> Result<String, Failure> {
    String::from_utf8(input::read(path, MOST)?).map_err(|_| {
        Failure::new(format!("{}: the file is not UTF-8", path.display())).hint("convert it first")
    })
}

impl Work<'_> {
    /// One document in a file of its own.
    fn whole(&self, file: &InputFile, target: &Target) -> Result<Outcome, Failure> {
        let Kind::Whole(kind) = file.kind else { return Ok(Outcome::Done) };
        let id = row_id(&self.inputs, file, None);
        let row = self.row(&id).map_err(|failure| failure.in_file(&file.path.display().to_string()))?;
        let Some(changed) = self.changed.row(&id) else {
            messages::warn(&format!("{}: not in the changed table, and not released", file.path.display()));
            return Ok(Outcome::Unresolved);
        };
        let policy = self.extractor.protector().policy();
        let mut loaded = runner::load(file, kind, &self.args.input, policy)?;
        let (released, plan) =
            self.extractor.write_back(&mut loaded.document, &loaded.bytes, &[], row, changed)?;
        let bytes = released.to_file(kind, &loaded.document, &loaded.bytes, policy)?;
        output::write_all(target, &loaded.encoded(bytes)?)?;
        let (outcome, report) = (loaded.disclose(file), loaded.report(&plan));
        self.report(report, || (loaded.document, plan, Some(released)))?;
        Ok(outcome)
    }

    /// A document in each row of a file.
    fn rows(&self, file: &InputFile, format: RowFormat, target: &Target) -> Result<Outcome, Failure> {
        let unit = self.args.work.offsets.into();
        let mut output = Output::create(target)?;
        let mut unreleased = 0;
        let work = |row: &mut Row| {
            let (id, subjects) = (row_id(&self.inputs, file, Some(row)), runner::row_subjects(row)?);
            let known = self.row(&id)?;
            let Some(changed) = self.changed.row(&id) else { return Ok(None) };
            let source = row.document.text().to_owned();
            let (released, plan) =
                self.extractor.write_back(&mut row.document, source.as_bytes(), &subjects, known, changed)?;
            let bytes = released.to_row(row, unit)?;
            let report = Report::new(&plan, row.document.language());
            self.report(report, || (row.document.clone(), plan, Some(released)))?;
            Ok(Some(bytes))
        };
        let policy = self.extractor.protector().policy();
        let tally = rows::each_row(file, format, &self.args.input, policy, work, |part| match part {
            Part::Columns(_) => Ok(()),
            Part::Withheld(row) => {
                self.locked()?.withheld(file, row.line, row.reason);
                output.write(&row.released()?)
            }
            Part::Frame(bytes) => output.write(bytes),
            Part::Row(Some(bytes)) => output.write(&bytes),
            Part::Row(None) => {
                unreleased += 1;
                Ok(())
            }
        })?;
        output.finish()?;
        let withheld = tally.finish(file);
        if unreleased == 0 {
            return Ok(withheld);
        }
        messages::warn(&format!(
            "{}: {unreleased} rows are not in the changed table, and were left out",
            file.path.display()
        ));
        Ok(Outcome::Unresolved)
    }

    fn row(&self, id: &str) -> Result<&MapRow, Failure> {
        self.map.row(id).ok_or_else(|| {
            Failure::new("the document is not one of those that the table was made of")
                .hint("give the same inputs as to `reticent extract`, or extract the table again")
        })
    }

    fn locked(&self) -> Result<MutexGuard<'_, Reports>, Failure> {
        self.reports.lock().map_err(|_| Failure::new("the report was lost in an internal error"))
    }

    fn report(
        &self,
        report: Report,
        kept: impl FnOnce() -> crate::commands::report::Kept,
    ) -> Result<(), Failure> {
        let mut reports = self.locked()?;
        let kept = reports.shows().then(kept);
        reports.add(report, kept);
        Ok(())
    }
}
