//! `reticent apply`.

use reticent::plan::PlanFile;

use crate::args::ApplyArgs;
use crate::commands::report::Reports;
use crate::failure::{Failure, Outcome};
use crate::input::{self, Kind};
use crate::policy_record::PolicyRecord;
use crate::{output, runner};

pub(crate) fn run(args: &ApplyArgs) -> Result<Outcome, Failure> {
    let reports = Reports::new(args.report.as_deref())?;
    let protector = runner::protector(&args.policy, &args.input)?;
    let names_someone = runner::names_someone(&args.policy, &args.input);
    let mut reports = reports.under(PolicyRecord::new(protector.policy(), &args.policy, names_someone));
    let mut inputs = input::list(&args.input);
    inputs.require_all()?;
    output::targets(args.output.as_deref(), &inputs, None, args.report.as_deref())?;
    let [file] = inputs.files.as_slice() else {
        return Err(Failure::new("a plan applies to one document, but several were given")
            .hint("run `reticent apply` once for each document"));
    };
    let Kind::Whole(kind) = file.kind else {
        return Err(Failure::new(format!(
            "{}: a plan applies to a document, not to rows",
            file.path.display()
        ))
        .hint("use `reticent protect` for JSONL, CSV and TSV"));
    };
    let target = output::target(args.output.as_deref(), &inputs, file, None)?;
    let json = std::fs::read_to_string(&args.plan)
        .map_err(|error| Failure::io(&args.plan, "read the plan", &error))?;
    let plan = PlanFile::from_json(&json)?;
    let mut loaded = runner::load(file, kind, &args.input, protector.policy())?;
    let (released, plan) = protector.apply(&mut loaded.document, &loaded.bytes, plan, &[])?;
    let bytes = released.to_file(kind, &loaded.document, &loaded.bytes, protector.policy())?;
    output::write_all(&target, &loaded.encoded(bytes)?)?;
    let outcome = loaded.disclose(file);
    let report = loaded.report(&plan);
    reports.add(report, Some((loaded.document, plan, Some(released))));
    reports.finish()?;
    Ok(outcome)
}
