//! Answers that were given before, on disk.
//!
//! One line for each: a hash of the question, with the address and the field it was put to; the count; and a
//! checksum of both. The terms themselves are not written down. A line that is damaged, or cut off because the
//! program ended while writing, is left aside: its question is asked again.

use std::collections::HashMap;
use std::fs::{File, OpenOptions};
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use crate::{Error, ErrorKind};

const CHECK: usize = 8;
/// No line is longer.
const LONGEST: usize = 128;

/// What was answered before.
pub(super) struct Memory {
    asked: String,
    path: Option<PathBuf>,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    known: HashMap<String, u64>,
    file: Option<File>,
}

impl Memory {
    /// Opens a file of answers for an address and a field, or makes it. Without a path, answers are kept in
    /// memory only.
    pub(super) fn open(path: Option<&Path>, url: &str, field: &str) -> Result<Self, Error> {
        let asked = format!("{}\n{field}\n", url.trim_end_matches('/'));
        let mut state = State::default();
        if let Some(path) = path {
            let refuse = |error| cannot(path, &error);
            let mut file =
                OpenOptions::new().read(true).append(true).create(true).open(path).map_err(refuse)?;
            let mut ended = true;
            for line in BufReader::new(&file).split(b'\n') {
                let line = line.map_err(refuse)?;
                if let Some((key, count)) = read_line(&line) {
                    state.known.insert(key, count);
                }
            }
            if let Some(last) = last_byte(path).map_err(refuse)? {
                ended = last == b'\n';
            }
            if !ended {
                // So that the next line does not continue one that was cut off.
                file.write_all(b"\n").map_err(refuse)?;
            }
            state.file = Some(file);
        }
        Ok(Self { asked, path: path.map(Path::to_owned), state: Mutex::new(state) })
    }

    fn key(&self, query: &str) -> String {
        let mut hasher = blake3::Hasher::new();
        hasher.update(self.asked.as_bytes()).update(query.as_bytes());
        hasher.finalize().to_hex()[..32].to_owned()
    }

    pub(super) fn get(&self, query: &str) -> Option<u64> {
        let key = self.key(query);
        self.state.lock().unwrap_or_else(PoisonError::into_inner).known.get(&key).copied()
    }

    pub(super) fn put(&self, query: &str, count: u64) -> Result<(), Error> {
        let key = self.key(query);
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let known = format!("{key} {count}");
        state.known.insert(key, count);
        if let (Some(file), Some(path)) = (&mut state.file, &self.path) {
            // One write, so that several programs may share the file.
            let line = format!("{known} {}\n", check(&known));
            file.write_all(line.as_bytes()).map_err(|error| cannot(path, &error))?;
        }
        Ok(())
    }
}

fn cannot(path: &Path, error: &std::io::Error) -> Error {
    Error::new(ErrorKind::Io, format!("cannot cache responses in {}: {error}", path.display()))
}

fn check(known: &str) -> String {
    blake3::hash(known.as_bytes()).to_hex()[..CHECK].to_owned()
}

fn read_line(line: &[u8]) -> Option<(String, u64)> {
    let line = std::str::from_utf8(line).ok().filter(|line| line.len() <= LONGEST)?;
    let (known, sum) = line.rsplit_once(' ')?;
    let (key, count) = known.split_once(' ')?;
    (check(known) == sum).then_some(())?;
    Some((key.to_owned(), count.parse().ok()?))
}

fn last_byte(path: &Path) -> std::io::Result<Option<u8>> {
    use std::io::{Read, Seek, SeekFrom};
    let mut file = File::open(path)?;
    if file.metadata()?.len() == 0 {
        return Ok(None);
    }
    file.seek(SeekFrom::End(-1))?;
    let mut last = [0];
    file.read_exact(&mut last)?;
    Ok(Some(last[0]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn remembers_across_runs_and_leaves_damaged_lines_aside() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("answers");
        let open = || Memory::open(Some(&path), "http://localhost/a", "text").unwrap();
        let memory = open();
        memory.put("secret words", 5).unwrap();
        memory.put("other", 7).unwrap();
        drop(memory);
        let text = std::fs::read_to_string(&path).unwrap();
        assert!(!text.contains("secret"));
        assert_eq!(open().get("secret words"), Some(5));
        assert_eq!(Memory::open(Some(&path), "http://localhost/b", "text").unwrap().get("other"), None);

        // A changed count and a line that was cut off are not believed.
        let changed = text.replacen(" 5 ", " 6 ", 1);
        std::fs::write(&path, &changed[..changed.len() - 3]).unwrap();
        let memory = open();
        assert_eq!((memory.get("secret words"), memory.get("other")), (None, None));
        memory.put("other", 8).unwrap();
        assert_eq!(open().get("other"), Some(8));
    }

    #[test]
    fn says_which_file_cannot_be_written() {
        let folder = tempfile::tempdir().unwrap();
        let error = Memory::open(Some(folder.path()), "http://localhost/a", "text").err().unwrap();
        assert_eq!(error.kind(), ErrorKind::Io);
    }
}
