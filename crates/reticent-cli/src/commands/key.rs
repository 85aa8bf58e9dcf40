//! `reticent key`.

use std::io::Write;
use std::path::Path;

use reticent::mask::Key;

use crate::args::{KeyArgs, KeyCommand};
use crate::failure::{Failure, Outcome};
use crate::{messages, output};

pub(crate) fn run(args: &KeyArgs) -> Result<Outcome, Failure> {
    let KeyCommand::New { output: path } = &args.what;
    if !path.exists() {
        output::check(Some(path))?;
    }
    let key = Key::generate()?;
    create_private(path).and_then(|mut file| file.write_all(key.to_hex().as_bytes())).map_err(|error| {
        Failure::io(path, "write the key", &error).hint("an existing file is never overwritten by a key")
    })?;
    messages::note(&format!(
        "{}: new key; keep it secret, since it decrypts everything encrypted with it",
        path.display()
    ));
    Ok(Outcome::Done)
}

#[cfg(unix)]
fn create_private(path: &Path) -> std::io::Result<std::fs::File> {
    use std::os::unix::fs::OpenOptionsExt;
    std::fs::OpenOptions::new().write(true).create_new(true).mode(0o600).open(path)
}

#[cfg(not(unix))]
fn create_private(path: &Path) -> std::io::Result<std::fs::File> {
    std::fs::OpenOptions::new().write(true).create_new(true).open(path)
}
