//! Shared by all commands: loading the policy, starting threads, processing files.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use rayon::prelude::*;
use reticent::detect::LabelledDetector;
use reticent::mask::Key;
use reticent::policy::{PolicyFile, Subject, SubjectFile};
use reticent::report::Report;
use reticent::table::{Schema, SchemaFile};
use reticent::{Knowledge, Plan, Policy, Protector};
use reticent_knowledge::taxonomy::Stack;
use reticent_text::Document;
use reticent_text::format::encoding::Encoding;
use reticent_text::format::rows::Row;
use reticent_text::format::{self, Attachments, FormatKind, Removed};

use crate::args::{InputArgs, PolicyArgs};
use crate::disclosure;
use crate::failure::{Failure, Outcome};
use crate::input::{self, InputFile, Inputs};
use crate::messages;

/// True if subjects are named, which selects the `subject` preset.
pub(crate) fn names_someone(args: &PolicyArgs, input: &InputArgs) -> bool {
    !args.subject.is_empty() || input.subject_field.is_some()
}

/// The policy file: from the arguments, or in the current directory.
fn policy_path(args: &PolicyArgs) -> Option<&Path> {
    let beside = Path::new("reticent.toml");
    args.policy.as_deref().or_else(|| (args.preset.is_none() && beside.is_file()).then_some(beside))
}

/// The preset that applies without a policy file. With a named subject, it covers that subject rather than everyone.
pub(crate) fn preset(args: &PolicyArgs, names_someone: bool) -> Option<String> {
    if policy_path(args).is_some() {
        return None;
    }
    let usual = if names_someone { "subject" } else { "basic" };
    Some(args.preset.clone().or_else(|| args.disclosure.preset()).unwrap_or_else(|| usual.to_owned()))
}

/// The policy that the arguments select.
pub(crate) fn policy(args: &PolicyArgs, names_someone: bool) -> Result<Policy, Failure> {
    let named = policy_path(args);
    let mut file = match named {
        Some(path) => policy_file(path)?,
        None => PolicyFile { extends: preset(args, names_someone), ..PolicyFile::default() },
    };
    file.subjects.extend(args.subject.iter().map(|name| SubjectFile::named(name)));
    args.disclosure.add_to(&mut file)?;
    file.related.method = args.method.map(Into::into).or(file.related.method);
    file.related.threshold = args.threshold.or(file.related.threshold);
    file.language = args.language.clone().or(file.language);
    let policy = Policy::from_file(file).map_err(Failure::from);
    policy.map_err(|failure| match named {
        Some(path) => failure.in_file(&path.display().to_string()),
        None => failure,
    })
}

/// The protector for a policy, with its key and, if subjects are named, background knowledge.
pub(crate) fn protector(args: &PolicyArgs, input: &InputArgs) -> Result<Protector, Failure> {
    let protector = disclosure::counting(names_only(args, names_someone(args, input))?, args, input)?;
    let policy = protector.policy();
    let related = policy.related().method != reticent::policy::Method::Names;
    if !related || (policy.subjects().is_empty() && input.subject_field.is_none()) {
        return Ok(protector);
    }
    let mut knowledge = knowledge(&args.taxonomy)?;
    if let Some(path) = &args.vectors {
        knowledge = knowledge.with_vectors(crate::commands::vectors::open_any(path)?);
    }
    Ok(protector.with_knowledge(knowledge)?)
}

/// Background knowledge of an attacker, with additional taxonomies.
pub(crate) fn knowledge(taxonomies: &[PathBuf]) -> Result<Knowledge, Failure> {
    let knowledge = Knowledge::shipped()?;
    if taxonomies.is_empty() {
        return Ok(knowledge);
    }
    Ok(knowledge.with_taxonomy(Stack::with_files(taxonomies)?))
}

/// Reads a policy without validating it.
pub(crate) fn policy_file(path: &Path) -> Result<PolicyFile, Failure> {
    let toml = std::fs::read_to_string(path).map_err(|error| Failure::io(path, "read the policy", &error))?;
    PolicyFile::from_toml(&toml).map_err(|error| {
        let failure = Failure::from(error).in_file(&path.display().to_string());
        if SchemaFile::from_toml(&toml).is_err() && Schema::from_toml(&toml).is_err() {
            return failure;
        }
        Failure::new(format!("{}: a table schema, not a policy", path.display())).hint(
            "rename it to reticent-table.toml, which `reticent table` reads; `protect` reads reticent.toml",
        )
    })
}

/// Opens an NER model, named after its file.
pub(crate) fn labeller(path: &Path) -> Result<LabelledDetector, Failure> {
    let name = path.file_stem().map_or_else(String::new, |stem| stem.to_string_lossy().into_owned());
    let bytes = std::fs::read(path).map_err(|error| Failure::io(path, "read the NER model", &error))?;
    LabelledDetector::open(name, bytes)
        .map_err(|error| Failure::from(error).in_file(&path.display().to_string()))
}

/// A protector without background knowledge: it detects identifiers, and subjects by name only.
pub(crate) fn names_only(args: &PolicyArgs, names_someone: bool) -> Result<Protector, Failure> {
    let key = args.key.as_deref().map(key).transpose()?;
    let mut protector = Protector::new(policy(args, names_someone)?, key)?;
    for path in &args.labeller {
        protector = protector.with_labeller(labeller(path)?);
    }
    Ok(protector)
}

/// Reads a key file.
pub(crate) fn key(path: &Path) -> Result<Key, Failure> {
    let bytes = std::fs::read(path).map_err(|error| Failure::io(path, "read the key", &error))?;
    Key::from_file_bytes(&bytes).map_err(|error| Failure::from(error).in_file(&path.display().to_string()))
}

/// Sets the number of threads.
pub(crate) fn threads(jobs: Option<u16>) -> Result<(), Failure> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(jobs.map_or(0, usize::from)).build_global();
    pool.map_err(|error| Failure::new(format!("cannot start threads: {error}")))
}

/// A whole file as a document, with the bytes that it came from.
pub(crate) struct Loaded {
    pub(crate) document: Document,
    pub(crate) bytes: Vec<u8>,
    encoding: Option<Encoding>,
    removed: Vec<Removed>,
}

/// Reads one document, and removes content that cannot be examined unless it is to be kept.
pub(crate) fn load(
    file: &InputFile,
    kind: FormatKind,
    args: &InputArgs,
    policy: &Policy,
) -> Result<Loaded, Failure> {
    let attachments = if args.keep_attachments { Attachments::Keep } else { Attachments::Remove };
    load_with(file, kind, args, policy, Some(attachments))
}

/// Reads a released document unchanged.
pub(crate) fn load_released(
    file: &InputFile,
    kind: FormatKind,
    args: &InputArgs,
    policy: &Policy,
) -> Result<Loaded, Failure> {
    load_with(file, kind, args, policy, None)
}

fn load_with(
    file: &InputFile,
    kind: FormatKind,
    args: &InputArgs,
    policy: &Policy,
    attachments: Option<Attachments>,
) -> Result<Loaded, Failure> {
    let name = file.path.display().to_string();
    let mut bytes =
        input::read_document(&file.path, kind, policy.limits().max_bytes, &ProgressBar::hidden())?;
    let label = args.encoding.as_deref().filter(|_| kind != FormatKind::Docx);
    let encoding = label.map(Encoding::from_label).transpose()?;
    if let Some(encoding) = encoding {
        bytes = encoding.decode(&bytes).map_err(|error| Failure::from(error).in_file(&name))?.into_bytes();
    }
    let mut removed = Vec::new();
    if let Some(attachments) = attachments {
        let sanitized = format::sanitize(kind, &bytes, policy.limits(), attachments)
            .map_err(|error| Failure::from(error).in_file(&name))?;
        (bytes, removed) = (sanitized.bytes, sanitized.removed);
    }
    let id = if input::is_standard(&file.path) { "-".to_owned() } else { name.clone() };
    let document = format::decode(kind, &id, &bytes, policy.limits())
        .map_err(|error| Failure::from(error).in_file(&name))?;
    // Dates are shifted by subject; a document without one is identified by its relative path.
    let person = policy.subjects().is_empty().then(|| file.relative.to_string_lossy().replace('\\', "/"));
    let document = document.with_person(person);
    Ok(Loaded { document, bytes, encoding, removed })
}

impl Loaded {
    /// Reports removed and unexamined content; with anything unexamined the outcome is not `Done`.
    pub(crate) fn disclose(&self, file: &InputFile) -> Outcome {
        let name = file.path.display();
        for removed in &self.removed {
            messages::warn(&format!(
                "{name}: removed content that cannot be examined: {} ({})",
                removed.kind, removed.count
            ));
        }
        for part in self.document.unscanned() {
            messages::warn(&format!("{name}: not examined: {part}"));
        }
        if self.document.unscanned().is_empty() { Outcome::Done } else { Outcome::Unresolved }
    }

    /// The report of a plan, with the removed content.
    pub(crate) fn report(&self, plan: &Plan) -> Report {
        let removed = self.removed.iter().map(|removed| (removed.kind.to_owned(), removed.count));
        Report { removed: removed.collect(), ..Report::new(plan, self.document.language()) }
    }

    /// Released bytes in the encoding of the source.
    pub(crate) fn encoded(&self, bytes: Vec<u8>) -> Result<Vec<u8>, Failure> {
        let Some(encoding) = self.encoding else { return Ok(bytes) };
        let text =
            String::from_utf8(bytes).map_err(|_| Failure::new("the anonymized text is not valid UTF-8"))?;
        Ok(encoding.encode(&text)?)
    }
}

/// Processes each file; errors are reported, and the other files are still processed.
pub(crate) fn each_file(
    inputs: &Inputs,
    work: impl Fn(&InputFile) -> Result<Outcome, Failure> + Sync,
) -> Outcome {
    let bar = progress(inputs.files.len());
    let done: Vec<Result<Outcome, Failure>> = inputs
        .files
        .par_iter()
        .map(|file| {
            let result = guarded(&file.path.display().to_string(), || work(file));
            bar.inc(1);
            result
        })
        .collect();
    bar.finish_and_clear();
    let mut outcome = inputs.report();
    for result in done {
        match result {
            Ok(one) => outcome = outcome.max(one),
            Err(failure) => {
                messages::error(&failure);
                outcome = Outcome::Failed;
            }
        }
    }
    outcome
}

/// Turns a panic into an error of one document instead of ending the run.
pub(crate) fn guarded<T>(name: &str, work: impl FnOnce() -> Result<T, Failure>) -> Result<T, Failure> {
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|_| {
        let failure = Failure::new(format!("{name}: rejected because of an internal error"));
        Err(failure.of_document("internal"))
    })
}

fn progress(files: usize) -> ProgressBar {
    if files < 2 || messages::is_quiet() {
        return ProgressBar::hidden();
    }
    let style = ProgressStyle::with_template("{bar:30} {pos}/{len} files, {eta} left");
    let bar = ProgressBar::with_draw_target(Some(files as u64), ProgressDrawTarget::stderr());
    match style {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    }
}

/// The subjects of a row that is to be anonymized. Under a policy that protects subjects only, a row without one would be
/// released as it is.
pub(crate) fn protected_subjects(row: &Row, policy: &Policy) -> Result<Vec<Subject>, Failure> {
    if row.subject.is_none() && policy.subjects().is_empty() && policy.related().only_subjects {
        let failure = Failure::new("the row names no subject, and the policy protects subjects only");
        return Err(failure.of_document("subject"));
    }
    row_subjects(row)
}

/// The subjects of a row.
pub(crate) fn row_subjects(row: &Row) -> Result<Vec<Subject>, Failure> {
    let subject = row.subject.as_deref().map(Subject::named).transpose();
    let subject = subject.map_err(|error| Failure::from(error).of_document("subject"))?;
    Ok(subject.into_iter().collect())
}
