//! `reticent write-back`: writes a changed table back into the documents it was extracted from.

use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard};

use clap::Args;
use indicatif::ProgressBar;
use reticent::extract::{ChangedTable, Extractor, Map, MapRow};
use reticent::report::Report;
use reticent_text::format::rows::{Row, RowFormat, RowReader};

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
#[command(after_help = "Examples:
  reticent write-back letters/ --table anonymized.csv --map table.map.jsonl -o anonymized/
  reticent write-back notes.jsonl --id-field id --table anonymized.csv --map table.map.jsonl -o out.jsonl")]
pub(crate) struct WriteBackArgs {
    #[command(flatten)]
    input: InputArgs,
    /// Anonymized table: .csv, .tsv or .jsonl
    #[arg(long, value_name = "FILE", help_heading = "Input")]
    table: PathBuf,
    /// Map written by `reticent extract` next to the table
    #[arg(long, value_name = "FILE", help_heading = "Input")]
    map: PathBuf,
    /// Cell value that means suppressed, such as NA, in addition to empty cells and * (repeatable)
    #[arg(long, value_name = "WORD", help_heading = "Input")]
    suppressed: Vec<String>,
    /// Output file, or directory for several inputs [default: standard output]
    #[arg(short, long, value_name = "OUTPUT", help_heading = "Output")]
    output: Option<PathBuf>,
    /// Write a report: .txt, .json or .html (contains the original text; confidential)
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    report: Option<PathBuf>,
    #[command(flatten)]
    policy: PolicyArgs,
    #[command(flatten)]
    work: WorkArgs,
}

/// The largest table or map that is read.
const MOST: u64 = 4 << 30;

/// Shared state for all files.
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
            "the changed table has no column {}: its values are suppressed everywhere",
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
    work.check_documents()?;
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
        Failure::new(format!("{}: the file is not UTF-8", path.display())).hint("convert it to UTF-8 first")
    })
}

fn changed_since() -> Failure {
    Failure::new("the document has changed since the table was extracted").hint("extract the table again")
}

impl Work<'_> {
    /// Refuses all documents if one is not what the table was extracted from, before anything is written. Rows of
    /// standard input, which can be read once only, are written as a whole or not at all.
    fn check_documents(&self) -> Result<(), Failure> {
        let policy = self.extractor.protector().policy();
        for file in self.inputs.files.iter().filter(|file| !input::is_standard(&file.path)) {
            let name = file.path.display().to_string();
            match file.kind {
                Kind::Whole(kind) => {
                    let id = row_id(&self.inputs, file, None);
                    let known = self.row(&id).map_err(|failure| failure.in_file(&name))?;
                    let loaded = runner::load(file, kind, &self.args.input, policy)?;
                    if !known.is_of(&loaded.bytes) {
                        return Err(changed_since().in_file(&name));
                    }
                }
                Kind::Rows(format) => {
                    let source = input::open_rows(&file.path, &ProgressBar::hidden())?;
                    let fields = input::fields(&self.args.input);
                    let mut reader = RowReader::new(format, fields, source, policy.limits())
                        .map_err(|error| Failure::from(error).in_file(&name))?;
                    while let Some(row) = reader.next() {
                        // Rows that cannot be read are withheld, then and now.
                        let Ok(row) = row else {
                            if reader.goes_on() {
                                continue;
                            }
                            break;
                        };
                        let place = format!("{name} (line {})", row.line);
                        let id = row_id(&self.inputs, file, Some(&row));
                        let known = self.row(&id).map_err(|failure| failure.in_file(&place))?;
                        if !known.is_of(row.document.text().as_bytes()) {
                            return Err(changed_since().in_file(&place));
                        }
                    }
                }
            }
        }
        Ok(())
    }

    /// Writes back into a file that is one document.
    fn whole(&self, file: &InputFile, target: &Target) -> Result<Outcome, Failure> {
        let Kind::Whole(kind) = file.kind else { return Ok(Outcome::Done) };
        let id = row_id(&self.inputs, file, None);
        let row = self.row(&id).map_err(|failure| failure.in_file(&file.path.display().to_string()))?;
        let Some(changed) = self.changed.row(&id) else {
            messages::warn(&format!(
                "{}: not in the changed table; no output was written",
                file.path.display()
            ));
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

    /// Writes back into a file with a document in each row.
    fn rows(&self, file: &InputFile, format: RowFormat, target: &Target) -> Result<Outcome, Failure> {
        let unit = self.args.work.offsets.into();
        let mut output = Output::create(target)?;
        let mut unreleased = 0;
        let work = |row: &mut Row| {
            let (id, subjects) = (row_id(&self.inputs, file, Some(row)), runner::row_subjects(row)?);
            let known = self.row(&id)?;
            let Some(changed) = self.changed.row(&id) else { return Ok(None) };
            let source = row.document.text().to_owned();
            if !known.is_of(source.as_bytes()) {
                return Err(changed_since());
            }
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
            "{}: {unreleased} rows are not in the changed table and were withheld",
            file.path.display()
        ));
        Ok(Outcome::Unresolved)
    }

    fn row(&self, id: &str) -> Result<&MapRow, Failure> {
        self.map.row(id).ok_or_else(|| {
            Failure::new("the table was not extracted from this document")
                .hint("pass the same inputs as to `reticent extract`, or extract the table again")
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
