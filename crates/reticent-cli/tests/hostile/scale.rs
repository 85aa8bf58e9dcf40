//! Hostile inputs cost no more than their size: compared as ratios, with wide margins, since machines differ.

use std::time::{Duration, Instant};

use crate::common::Folder;

/// How long the program takes on so many repetitions of a text.
fn time(unit: &str, bytes: usize, name: &str) -> Duration {
    let folder = Folder::new();
    let is_csv = std::path::Path::new(name).extension().is_some_and(|extension| extension == "csv");
    let (head, tail) = if is_csv { ("text\n\"", "\"\n") } else { ("", "") };
    folder.write(name, format!("{head}{}{tail}", unit.repeat(bytes / unit.len())));
    let begun = Instant::now();
    let run = folder.run(&["protect", name, "-q", "-o", &format!("out-{name}")]);
    assert!(run.code < 2, "{}", run.err);
    begun.elapsed()
}

#[test]
fn repeated_identifiers_are_linear() {
    for (unit, name) in [
        ("12 Harbour Road, Cork T12 AB34. ", "address.txt"),
        ("ana.ruiz@example.org 943 476 5919\n", "numbers.txt"),
        ("Mrs Maeve Linehan of Cork. ", "cell.csv"),
        ("9 4 3 4 7 6 5 9 1 9 / ", "pieces.txt"),
        ("\u{200b}&nbsp;–\u{ad}", "folded.txt"),
    ] {
        // The start of the program counts for nothing in the difference.
        let (start, small, large) =
            (time(unit, 100, name), time(unit, 60_000, name), time(unit, 600_000, name));
        let (small, large) = (small.saturating_sub(start), large.saturating_sub(start));
        // A quadratic search would take a hundred times as long.
        let most = small.max(Duration::from_millis(40)) * 30;
        assert!(large < most, "{name}: {small:?} for a tenth, {large:?} for all");
    }
}
