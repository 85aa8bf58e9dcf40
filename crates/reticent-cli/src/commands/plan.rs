//! `reticent plan`.

use reticent::plan::PlanFile;
use reticent::{Plan, Protector};
use reticent_text::Document;

use crate::args::PlanArgs;
use crate::failure::{Failure, Outcome};
use crate::input::{self, InputFile, Kind};
use crate::output::{self, Output, Target};
use crate::rows::{self, Part};
use crate::{messages, runner};

pub(crate) fn run(args: &PlanArgs) -> Result<Outcome, Failure> {
    let protector = runner::protector(&args.policy, &args.input)?;
    runner::threads(args.work.jobs)?;
    let inputs = input::list(&args.input);
    output::targets(args.output.as_deref(), &inputs, Some(".plan.json"), None)?;
    Ok(runner::each_file(&inputs, |file| {
        let target = output::target(args.output.as_deref(), &inputs, file, Some(".plan.json"))?;
        one(args, &protector, file, &target)
    }))
}

fn one(
    args: &PlanArgs,
    protector: &Protector,
    file: &InputFile,
    target: &Target,
) -> Result<Outcome, Failure> {
    let unit = args.work.offsets.into();
    let mut unresolved = false;
    let outcome;
    match file.kind {
        Kind::Whole(kind) => {
            let mut loaded = runner::load(file, kind, &args.input, protector.policy())?;
            let plan = protector.plan(&mut loaded.document, &loaded.bytes, &[])?;
            unresolved = plan.needs_review();
            outcome = loaded.disclose(file);
            let mut json = PlanFile::new(&plan, &loaded.document, unit).to_json()?;
            json.push('\n');
            output::write_private(target, json.as_bytes())?;
        }
        Kind::Rows(format) => {
            let mut output = Output::create(target)?;
            let work = |row: &mut reticent_text::format::rows::Row| {
                let subjects = runner::protected_subjects(row, protector.policy())?;
                // A row has no source bytes of its own: its text stands for them.
                let text = row.document.text().to_owned();
                let plan = protector.plan(&mut row.document, text.as_bytes(), &subjects)?;
                Ok((line(&plan, &row.document, unit)?, plan.needs_review()))
            };
            let tally = rows::each_row(file, format, &args.input, protector.policy(), work, |part| {
                let Part::Row((line, review)) = part else { return Ok(()) };
                unresolved |= review;
                output.write(line.as_bytes())
            })?;
            output.finish_private()?;
            outcome = tally.finish(file);
        }
    }
    if unresolved {
        messages::warn(&format!("{}: the plan has decisions that require review", file.path.display()));
        return Ok(Outcome::Unresolved);
    }
    Ok(outcome)
}

fn line(plan: &Plan, document: &Document, unit: reticent_text::OffsetUnit) -> Result<String, Failure> {
    let file = PlanFile::new(plan, document, unit);
    let json = serde_json::to_string(&file)
        .map_err(|error| Failure::new(format!("cannot write the plan: {error}")))?;
    Ok(json + "\n")
}
