//! Determines the output file of each input, and rejects conflicts before anything is written.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};

use super::Target;
use crate::failure::Failure;
use crate::input::{self, InputFile, Inputs, is_standard};

/// Checks the targets of all inputs. `report` is a further file that the command writes.
pub(crate) fn targets(
    output: Option<&Path>,
    inputs: &Inputs,
    ending: Option<&str>,
    report: Option<&Path>,
) -> Result<(), Failure> {
    let targets = inputs.files.iter().map(|file| target(output, inputs, file, ending));
    let targets = targets.collect::<Result<Vec<_>, _>>()?;
    check_targets(inputs.files.iter().map(|file| file.path.as_path()).zip(&targets), report)
}

/// Checks a single output file for all inputs.
pub(crate) fn check_single(output: Option<&Path>, inputs: &Inputs) -> Result<(), Failure> {
    check_targets(inputs.files.iter().map(|file| (file.path.as_path(), &Target::Standard)), output)
}

/// Rejects two inputs with one target, a target that is an input, and any target that [`Target::check`] rejects.
pub(crate) fn check_targets<'a>(
    of_inputs: impl Iterator<Item = (&'a Path, &'a Target)> + Clone,
    report: Option<&Path>,
) -> Result<(), Failure> {
    let originals: HashSet<PathBuf> =
        of_inputs.clone().filter_map(|(path, _)| path.canonicalize().ok()).collect();
    let check = |target: &Target| match target.path() {
        Some(path) if path.canonicalize().is_ok_and(|path| originals.contains(&path)) => {
            Err(Failure::new(format!("{}: the output would overwrite the input", path.display()))
                .hint("files are never edited in place: choose another name with -o"))
        }
        _ => target.check(),
    };
    let mut taken: HashMap<&Path, &Path> = HashMap::new();
    for (input, target) in of_inputs {
        let Some(path) = target.path() else { continue };
        if let Some(other) = taken.insert(path, input) {
            return Err(Failure::new(format!(
                "{} and {} would both be written to {}",
                other.display(),
                input.display(),
                path.display()
            ))
            .hint("rename one, pass the directory that contains both, or run the command once for each"));
        }
        check(target)?;
    }
    match report {
        Some(path) if taken.contains_key(path) => {
            Err(Failure::new(format!("{}: output and report have the same name", path.display())))
        }
        _ => check(&super::plain(report)),
    }
}

/// The target of one input.
pub(crate) fn target(
    output: Option<&Path>,
    inputs: &Inputs,
    file: &InputFile,
    ending: Option<&str>,
) -> Result<Target, Failure> {
    let target = match output {
        None if inputs.several => {
            return Err(Failure::new("several input files require an output directory")
                .hint("pass a directory with -o DIRECTORY"));
        }
        None => return Ok(Target::Standard),
        Some(path) if is_standard(path) && !inputs.several => return Ok(Target::Standard),
        Some(path) if is_standard(path) => {
            return Err(Failure::new("several files cannot be written to standard output")
                .hint("pass a directory with -o DIRECTORY"));
        }
        Some(path) if inputs.several || names_directory(path) => {
            let relative = match ending {
                Some(ending) => with_ending(&file.relative, ending),
                None => file.relative.clone(),
            };
            Target::within(path, &relative)
        }
        Some(path) => {
            if ending.is_none() {
                check_format(path, file)?;
            }
            Target::File(path.to_owned())
        }
    };
    Ok(target)
}

/// Rejects an output whose extension names another format than that of the input: formats are not converted.
fn check_format(output: &Path, file: &InputFile) -> Result<(), Failure> {
    let extension =
        |path: &Path| input::without_gz(path).extension().map(std::ffi::OsStr::to_ascii_lowercase);
    let same = extension(output).is_some() && extension(output) == extension(&file.path);
    let other = match input::kind_of_name(output) {
        Some(kind) => kind != file.kind,
        None => input::unsupported::by_extension(output).is_some(),
    };
    if same || !other {
        return Ok(());
    }
    Err(Failure::new(format!(
        "{}: formats are not converted: the input is {}, but the extension names another format",
        output.display(),
        file.kind.name()
    ))
    .hint("use the extension of the input, or specify the input format with --input-format"))
}

/// An existing directory, or a name that ends in a slash.
fn names_directory(path: &Path) -> bool {
    path.is_dir()
        || path
            .as_os_str()
            .as_encoded_bytes()
            .last()
            .is_some_and(|last| std::path::is_separator(char::from(*last)))
}

fn with_ending(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(ending);
    PathBuf::from(name)
}
