//! The policy of a run as its report records it: enough to apply it again, without the names of subjects.

use std::path::Path;

use clap::ValueEnum;
use reticent::Policy;
use reticent::plan::PlanFile;
use reticent::policy::PRESETS;
use serde::{Deserialize, Serialize};

use crate::args::{InputArgs, Method, PolicyArgs, VerifyArgs};
use crate::failure::Failure;
use crate::runner;

/// The format of a JSON report.
pub(crate) const REPORT_FORMAT: &str = "reticent-report/1";

/// A policy and how it was chosen.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct PolicyRecord {
    name: String,
    /// The fingerprint of its rules; the names of subjects are not part of it, since they could be guessed from it.
    sha256: String,
    subjects: usize,
    /// The preset that was applied; none if the policy came from a file, which only its fingerprint identifies.
    preset: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    method: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    threshold: Option<f32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    language: Option<String>,
}

impl PolicyRecord {
    pub(crate) fn new(policy: &Policy, args: &PolicyArgs, names_someone: bool) -> Self {
        let method = args.method.and_then(|method| Some(method.to_possible_value()?.get_name().to_owned()));
        Self {
            name: policy.name().to_owned(),
            sha256: policy.rules_fingerprint().to_owned(),
            subjects: policy.subjects().len(),
            preset: runner::preset(args, names_someone),
            method,
            threshold: args.threshold,
            language: args.language.clone(),
        }
    }

    fn from_report(path: &Path) -> Result<Self, Failure> {
        #[derive(Deserialize)]
        struct ReportFile {
            format: String,
            policy: PolicyRecord,
        }
        let json =
            std::fs::read_to_string(path).map_err(|error| Failure::io(path, "read the report", &error))?;
        let report: ReportFile = serde_json::from_str(&json).map_err(|error| {
            Failure::new(format!("{}: invalid report: {error}", path.display()))
                .hint("pass the JSON report written by `reticent protect --report FILE.json`")
        })?;
        if report.format != REPORT_FORMAT {
            return Err(Failure::new(format!(
                "{}: the format of the report is not {REPORT_FORMAT}",
                path.display()
            )));
        }
        Ok(report.policy)
    }

    /// The arguments completed by the record, where they choose no policy themselves.
    fn complete(&self, args: &PolicyArgs) -> PolicyArgs {
        let mut args = args.clone();
        if args.policy.is_none() && args.preset.is_none() {
            args.preset.clone_from(&self.preset);
        }
        let method = self.method.as_deref().and_then(|name| Method::from_str(name, false).ok());
        args.method = args.method.or(method);
        args.threshold = args.threshold.or(self.threshold);
        args.language = args.language.or_else(|| self.language.clone());
        args
    }

    fn check(&self, policy: &Policy) -> Result<(), Failure> {
        if policy.rules_fingerprint() == self.sha256 && policy.subjects().len() == self.subjects {
            return Ok(());
        }
        let subjects = match self.subjects {
            0 => " and no --subject".to_owned(),
            n => format!(" and the {n} protected subjects, with --subject or --protect"),
        };
        let chosen = match &self.preset {
            Some(preset) => format!("--preset {preset}"),
            None => format!("--policy with the policy file named `{}`", self.name),
        };
        let applied = (policy.name(), policy.rules_fingerprint());
        Err(mismatch("report", (&self.name, &self.sha256), applied).hint(format!("pass {chosen}{subjects}")))
    }
}

fn mismatch(of: &str, recorded: (&str, &str), applied: (&str, &str)) -> Failure {
    Failure::new(format!(
        "the {of} was written under policy {} (fingerprint {}), but verify would apply {} (fingerprint {})",
        recorded.0,
        short(recorded.1),
        applied.0,
        short(applied.1)
    ))
}

/// The start of a fingerprint, for messages.
pub(crate) fn short(fingerprint: &str) -> &str {
    fingerprint.get(..12).unwrap_or(fingerprint)
}

/// The policy that a release is verified against: by the same rule as `protect` chooses it, or as the report or the
/// plan records it. Refuses a policy that is not the recorded one.
pub(crate) fn for_verification(args: &VerifyArgs, plan: Option<&PlanFile>) -> Result<Policy, Failure> {
    let record = args.report.as_deref().map(PolicyRecord::from_report).transpose()?;
    let given = record.as_ref().map_or_else(|| args.policy.clone(), |record| record.complete(&args.policy));
    let mut policy = choose(&given, &args.input)?;
    if let Some(record) = &record {
        record.check(&policy)?;
    }
    if let Some(plan) = plan {
        let is_recorded = |policy: &Policy| plan.policy.sha256 == policy.fingerprint();
        let name = &plan.policy.name;
        let is_preset = PRESETS.iter().any(|preset| preset.name == *name);
        if !is_recorded(&policy) && is_preset && given.policy.is_none() && given.preset.is_none() {
            policy = choose(&PolicyArgs { preset: Some(name.clone()), ..given }, &args.input)?;
        }
        if !is_recorded(&policy) {
            let flag = if is_preset { "--preset" } else { "--policy with the file named" };
            let applied = (policy.name(), policy.fingerprint());
            return Err(mismatch("plan", (name, &plan.policy.sha256), applied)
                .hint(format!("pass {flag} {name}, and the same --subject as for the plan")));
        }
    }
    Ok(policy)
}

fn choose(args: &PolicyArgs, input: &InputArgs) -> Result<Policy, Failure> {
    runner::policy(args, runner::names_someone(args, input))
}
