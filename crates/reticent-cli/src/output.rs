//! Output files: written under a temporary name, and renamed only when everything succeeded.

mod plan;

use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use flate2::Compression;
use flate2::write::GzEncoder;
use tempfile::NamedTempFile;

pub(crate) use self::plan::{check_single, check_targets, target, targets};
use crate::failure::Failure;
use crate::input::{has_extension, is_descriptor, is_standard};

static FORCE: AtomicBool = AtomicBool::new(false);

/// Allows existing files to be replaced from now on (`--force`).
pub(crate) fn set_force(force: bool) {
    FORCE.store(force, Ordering::Relaxed);
}

pub(crate) fn is_forced() -> bool {
    FORCE.load(Ordering::Relaxed)
}

/// The destination of one output.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Target {
    Standard,
    /// A file whose folder must exist.
    File(PathBuf),
    /// A file in an output directory, which is created along with the subfolders that lead to the file.
    Within {
        directory: PathBuf,
        path: PathBuf,
    },
}

impl Target {
    /// A file in an output directory.
    pub(crate) fn within(directory: &Path, relative: &Path) -> Self {
        Self::Within { directory: directory.to_owned(), path: directory.join(relative) }
    }

    pub(crate) fn path(&self) -> Option<&Path> {
        match self {
            Self::Standard => None,
            Self::File(path) | Self::Within { path, .. } => Some(path),
        }
    }

    /// Rejects a target that cannot be written, before any work is done for it: an existing file without `--force`,
    /// a directory, or a folder that does not exist.
    pub(crate) fn check(&self) -> Result<(), Failure> {
        let Some(path) = self.path().filter(|path| !is_special(path)) else { return Ok(()) };
        match path.symlink_metadata() {
            Ok(_) if path.is_dir() => {
                return Err(Failure::new(format!("{}: is a directory", path.display())));
            }
            Ok(_) if !is_forced() => return Err(exists(path)),
            _ => {}
        }
        let made = match self {
            Self::Within { directory, .. } if !directory.exists() => directory,
            Self::Within { .. } => return Ok(()),
            _ => path,
        };
        if folder_of(made).is_dir() { Ok(()) } else { Err(no_folder(made)) }
    }

    /// Creates the output directory and the subfolders of a file in it.
    fn create_folders(&self) -> Result<(), Failure> {
        let Self::Within { directory, path } = self else { return Ok(()) };
        let failed =
            |folder: &Path, error: &std::io::Error| Failure::io(folder, "create the directory", error);
        match std::fs::create_dir(directory) {
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Err(no_folder(directory)),
            Err(error) if !directory.is_dir() => return Err(failed(directory, &error)),
            _ => {}
        }
        let folder = folder_of(path);
        std::fs::create_dir_all(folder).map_err(|error| failed(folder, &error))
    }
}

fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

fn exists(path: &Path) -> Failure {
    Failure::new(format!("{}: the file already exists", path.display()))
        .hint("choose another name with -o, or overwrite it with --force")
}

fn no_folder(path: &Path) -> Failure {
    let folder = folder_of(path).display();
    Failure::new(format!("{}: the directory {folder} does not exist", path.display()))
        .hint(format!("create it with `mkdir -p {folder}`"))
}

/// A device, a pipe or an open descriptor: written to, never replaced by a file.
fn is_special(path: &Path) -> bool {
    is_descriptor(path) || path.metadata().is_ok_and(|found| !found.is_file() && !found.is_dir())
}

/// An output being written. It gets its final name only with `finish`.
pub(crate) struct Output {
    to: Target,
    writer: Writer,
}

enum Writer {
    Standard(BufWriter<std::io::Stdout>),
    Direct(BufWriter<std::fs::File>),
    Plain(BufWriter<NamedTempFile>),
    Packed(Box<GzEncoder<BufWriter<NamedTempFile>>>),
}

impl Output {
    pub(crate) fn create(to: &Target) -> Result<Self, Failure> {
        to.check()?;
        let writer = match to.path() {
            None => Writer::Standard(BufWriter::new(std::io::stdout())),
            Some(path) if is_special(path) => {
                // Appending keeps what was written before to a file that standard output was redirected to.
                let file = std::fs::OpenOptions::new().append(true).open(path);
                let file = file.map_err(|error| Failure::io(path, "write", &error))?;
                Writer::Direct(BufWriter::new(file))
            }
            Some(path) => {
                to.create_folders()?;
                let file = NamedTempFile::with_prefix_in(".reticent-", folder_of(path)).map_err(|error| {
                    Failure::io(path, "write", &error).hint("choose another location with -o")
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

    /// Renames the output to its final name.
    pub(crate) fn finish(self) -> Result<(), Failure> {
        self.finish_with(as_new_files_are)
    }

    /// Finishes an output that contains original text: only its owner may read it, as with temporary files.
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
        let Some(path) = to.path() else { return Ok(()) };
        rights(&file)?;
        // A file that appeared since `check` is not replaced either.
        let renamed = if is_forced() { file.persist(path) } else { file.persist_noclobber(path) };
        renamed.map(|_| ()).map_err(|error| match error.error.kind() {
            std::io::ErrorKind::AlreadyExists => exists(path),
            _ => failed(error.error),
        })
    }

    fn failed(&self, error: &std::io::Error) -> Failure {
        failed(&self.to, error)
    }
}

fn failed(to: &Target, error: &std::io::Error) -> Failure {
    match to.path() {
        None => Failure::new(format!("cannot write to standard output: {error}")),
        Some(path) => Failure::io(path, "write", error),
    }
}

/// Sets the default permissions of a new file: temporary files are private.
#[cfg(unix)]
fn as_new_files_are(file: &NamedTempFile) -> Result<(), Failure> {
    use std::os::unix::fs::PermissionsExt;
    let probe = tempfile::Builder::new()
        .permissions(std::fs::Permissions::from_mode(0o666))
        .tempfile_in(file.path().parent().unwrap_or(Path::new(".")));
    let rights = probe.and_then(|probe| probe.as_file().metadata()).map(|metadata| metadata.permissions());
    let done = rights.and_then(|rights| file.as_file().set_permissions(rights));
    done.map_err(|error| Failure::io(file.path(), "set permissions", &error))
}

#[cfg(not(unix))]
fn as_new_files_are(_: &NamedTempFile) -> Result<(), Failure> {
    Ok(())
}

/// Writes a whole output.
pub(crate) fn write_all(to: &Target, bytes: &[u8]) -> Result<(), Failure> {
    let mut output = Output::create(to)?;
    output.write(bytes)?;
    output.finish()
}

/// Writes an output that contains original text: only its owner may read it.
pub(crate) fn write_private(to: &Target, bytes: &[u8]) -> Result<(), Failure> {
    let mut output = Output::create(to)?;
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

/// Rejects a file that cannot be written, before any work is done for it.
pub(crate) fn check(output: Option<&Path>) -> Result<(), Failure> {
    plain(output).check()
}
