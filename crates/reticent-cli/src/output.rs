//! Where results go: to a temporary name first, and to their own only when all is well.

use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use flate2::Compression;
use flate2::write::GzEncoder;
use tempfile::NamedTempFile;

use crate::failure::Failure;
use crate::input::{InputFile, Inputs, has_extension, is_standard};

/// A place for one result.
#[derive(Clone, Debug)]
pub(crate) enum Target {
    Standard,
    File(PathBuf),
}

/// Where the result for each input goes, or why it cannot.
pub(crate) fn target(
    output: Option<&Path>,
    inputs: &Inputs,
    file: &InputFile,
    ending: Option<&str>,
) -> Result<Target, Failure> {
    let target = match output {
        None if inputs.several => {
            return Err(Failure::new("there are several files and no place for them")
                .hint("give a directory with -o DIRECTORY"));
        }
        None => return Ok(Target::Standard),
        Some(path) if is_standard(path) && !inputs.several => return Ok(Target::Standard),
        Some(path) if is_standard(path) => {
            return Err(Failure::new("several files cannot go to standard output")
                .hint("give a directory with -o DIRECTORY"));
        }
        Some(path) if inputs.several || path.is_dir() => {
            let relative = match ending {
                Some(ending) => with_ending(&file.relative, ending),
                None => file.relative.clone(),
            };
            path.join(relative)
        }
        Some(path) => path.to_owned(),
    };
    if same_file(&target, &file.path) {
        return Err(Failure::new(format!("{}: the output would overwrite the input", file.path.display()))
            .hint("nothing is edited in place: give another name with -o"));
    }
    Ok(Target::File(target))
}

fn with_ending(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(ending);
    PathBuf::from(name)
}

fn same_file(a: &Path, b: &Path) -> bool {
    match (a.canonicalize(), b.canonicalize()) {
        (Ok(a), Ok(b)) => a == b,
        _ => false,
    }
}

/// Something that is being written. Nothing is seen under its name before `finish`.
pub(crate) struct Output {
    to: Target,
    writer: Writer,
}

enum Writer {
    Standard(BufWriter<std::io::Stdout>),
    /// A device or a pipe: a file must not take its place.
    Direct(BufWriter<std::fs::File>),
    Plain(BufWriter<NamedTempFile>),
    Packed(Box<GzEncoder<BufWriter<NamedTempFile>>>),
}

impl Output {
    pub(crate) fn create(to: &Target) -> Result<Self, Failure> {
        let writer = match to {
            Target::Standard => Writer::Standard(BufWriter::new(std::io::stdout())),
            Target::File(path) if path.metadata().is_ok_and(|found| !found.is_file() && !found.is_dir()) => {
                let file = std::fs::OpenOptions::new().write(true).open(path);
                let file = file.map_err(|error| Failure::io(path, "write here", &error))?;
                Writer::Direct(BufWriter::new(file))
            }
            Target::File(path) => {
                let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty());
                let folder = parent.unwrap_or(Path::new("."));
                std::fs::create_dir_all(folder)
                    .map_err(|error| Failure::io(folder, "make the directory", &error))?;
                let file = NamedTempFile::with_prefix_in(".reticent-", folder).map_err(|error| {
                    Failure::io(path, "write here", &error).hint("choose another place with -o")
                })?;
                let file = BufWriter::with_capacity(1 << 16, file);
                if has_extension(path, "gz") {
                    Writer::Packed(Box::new(GzEncoder::new(file, Compression::default())))
                } else {
                    Writer::Plain(file)
                }
            }
        };
        Ok(Self { to: to.clone(), writer })
    }

    pub(crate) fn write(&mut self, bytes: &[u8]) -> Result<(), Failure> {
        let written = match &mut self.writer {
            Writer::Standard(out) => out.write_all(bytes),
            Writer::Direct(out) => out.write_all(bytes),
            Writer::Plain(out) => out.write_all(bytes),
            Writer::Packed(out) => out.write_all(bytes),
        };
        written.map_err(|error| self.failed(&error))
    }

    /// Gives the result its name.
    pub(crate) fn finish(self) -> Result<(), Failure> {
        self.finish_with(as_new_files_are)
    }

    /// The same; nobody but its owner may read it, as temporary files are.
    pub(crate) fn finish_private(self) -> Result<(), Failure> {
        self.finish_with(|_| Ok(()))
    }

    fn finish_with(self, rights: impl Fn(&NamedTempFile) -> Result<(), Failure>) -> Result<(), Failure> {
        let to = self.to.clone();
        let failed = |error: std::io::Error| failed(&to, &error);
        let file = match self.writer {
            Writer::Standard(mut out) => return out.flush().map_err(failed),
            Writer::Direct(mut out) => return out.flush().map_err(failed),
            Writer::Plain(out) => out.into_inner().map_err(|error| failed(error.into_error()))?,
            Writer::Packed(out) => {
                out.finish().map_err(failed)?.into_inner().map_err(|error| failed(error.into_error()))?
            }
        };
        let Target::File(path) = &to else { return Ok(()) };
        rights(&file)?;
        file.persist(path).map(|_| ()).map_err(|error| failed(error.error))
    }

    fn failed(&self, error: &std::io::Error) -> Failure {
        failed(&self.to, error)
    }
}

fn failed(to: &Target, error: &std::io::Error) -> Failure {
    match to {
        Target::Standard => Failure::new(format!("cannot write to standard output: {error}")),
        Target::File(path) => Failure::io(path, "write it", error),
    }
}

/// Temporary files are private; the result gets the rights that a new file has here.
#[cfg(unix)]
fn as_new_files_are(file: &NamedTempFile) -> Result<(), Failure> {
    use std::os::unix::fs::PermissionsExt;
    let probe = tempfile::Builder::new()
        .permissions(std::fs::Permissions::from_mode(0o666))
        .tempfile_in(file.path().parent().unwrap_or(Path::new(".")));
    let rights = probe.and_then(|probe| probe.as_file().metadata()).map(|metadata| metadata.permissions());
    let done = rights.and_then(|rights| file.as_file().set_permissions(rights));
    done.map_err(|error| Failure::io(file.path(), "set its rights", &error))
}

#[cfg(not(unix))]
fn as_new_files_are(_: &NamedTempFile) -> Result<(), Failure> {
    Ok(())
}

/// Writes a whole result.
pub(crate) fn write_all(to: &Target, bytes: &[u8]) -> Result<(), Failure> {
    let mut output = Output::create(to)?;
    output.write(bytes)?;
    output.finish()
}

/// Writes a whole result that only its owner may read.
pub(crate) fn write_private(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    let mut output = Output::create(&Target::File(path.to_owned()))?;
    output.write(bytes)?;
    output.finish_private()
}

/// The target that a plain `-o` names.
pub(crate) fn plain(output: Option<&Path>) -> Target {
    match output {
        Some(path) if !is_standard(path) => Target::File(path.to_owned()),
        _ => Target::Standard,
    }
}
