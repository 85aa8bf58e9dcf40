//! Test support for the crates of this workspace: data that lies beside the repository, and tests that skip without it.
//!
//! - `RETICENT_REQUIRE_SHARED=1` makes a test fail instead of skip.
//! - `RETICENT_SKIPS=FILE` collects a line for each test that skips.

use std::io::Write as _;
use std::path::{Path, PathBuf};

/// A file or folder in `../shared`, by its path there. Without it, the test that asks skips.
///
/// # Panics
/// If the test must not skip.
pub fn shared(path: &str) -> Option<PathBuf> {
    let found = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared")).join(path);
    if found.exists() {
        return Some(found);
    }
    skip(&format!("../shared/{path}"));
    None
}

/// Says that the current test is skipped, and what it needs.
///
/// # Panics
/// If the test must not skip, or if the skip cannot be recorded.
#[expect(clippy::print_stderr, reason = "a test that was skipped says so")]
pub fn skip(needs: &str) {
    let thread = std::thread::current();
    let line = format!("skipped: {} needs {needs}", thread.name().unwrap_or("a test"));
    assert!(std::env::var_os("RETICENT_REQUIRE_SHARED").is_none_or(|value| value != "1"), "{line}");
    eprintln!("{line}");
    if let Some(file) = std::env::var_os("RETICENT_SKIPS") {
        let file = std::fs::OpenOptions::new().append(true).create(true).open(file);
        let recorded = file.and_then(|mut file| file.write_all(format!("{line}\n").as_bytes()));
        recorded.expect("the skip can be recorded");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Runs this test program again with the test below alone.
    fn again(require: &str, skips: &Path) -> std::process::Output {
        std::process::Command::new(std::env::current_exe().expect("this program"))
            .args(["--exact", "tests::needs_what_nobody_has", "--ignored", "--nocapture"])
            .env("RETICENT_REQUIRE_SHARED", require)
            .env("RETICENT_SKIPS", skips)
            .output()
            .expect("it runs")
    }

    #[test]
    #[ignore = "run by `skips_are_recorded_or_fail`"]
    fn needs_what_nobody_has() {
        assert_eq!(shared("no such file"), None);
    }

    #[test]
    fn skips_are_recorded_or_fail() {
        let skips = std::env::temp_dir().join(format!("reticent-skips-{}", std::process::id()));
        let line = "skipped: tests::needs_what_nobody_has needs ../shared/no such file\n";
        let run = again("0", &skips);
        assert!(run.status.success(), "{run:?}");
        let recorded = std::fs::read_to_string(&skips).expect("the skip is recorded");
        std::fs::remove_file(&skips).expect("it can be removed");
        assert_eq!(recorded, line);
        assert!(!again("1", &skips).status.success());
    }
}
