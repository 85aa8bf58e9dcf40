//! Errors, warnings and notes on standard error.

use std::sync::atomic::{AtomicBool, Ordering};

use anstyle::{AnsiColor, Style};

use crate::failure::Failure;

static QUIET: AtomicBool = AtomicBool::new(false);

const RED: Style = AnsiColor::Red.on_default().bold();
const CYAN: Style = AnsiColor::Cyan.on_default().bold();
const YELLOW: Style = AnsiColor::Yellow.on_default().bold();

/// Suppresses notes from now on.
pub(crate) fn set_quiet(quiet: bool) {
    QUIET.store(quiet, Ordering::Relaxed);
}

pub(crate) fn is_quiet() -> bool {
    QUIET.load(Ordering::Relaxed)
}

pub(crate) fn error(failure: &Failure) {
    anstream::eprintln!("{RED}error:{RED:#} {}", failure.message);
    if let Some(hint) = &failure.hint {
        anstream::eprintln!("{CYAN}hint:{CYAN:#} {hint}");
    }
}

pub(crate) fn warn(message: &str) {
    anstream::eprintln!("{YELLOW}warning:{YELLOW:#} {message}");
}

pub(crate) fn note(message: &str) {
    if !is_quiet() {
        anstream::eprintln!("{message}");
    }
}

/// Prints only the location of a panic: its message may contain text of a document.
pub(crate) fn hide_panics() {
    std::panic::set_hook(Box::new(|info| {
        let place = info.location().map_or_else(String::new, |at| format!(" at {}:{}", at.file(), at.line()));
        anstream::eprintln!(
            "{RED}error:{RED:#} internal error{place}; no output was written for this document"
        );
    }));
}
