//! Hostile inputs cost no more than their size: processor time, compared as a ratio with a wide margin, since machines
//! differ and other work may run beside.

use std::process::Command;
use std::time::Duration;

use crate::common::Folder;

/// The processor time that the program takes on so many repetitions of a text.
fn time(unit: &str, bytes: usize, name: &str) -> Duration {
    let folder = Folder::new();
    let is_csv = std::path::Path::new(name).extension().is_some_and(|extension| extension == "csv");
    let (head, tail) = if is_csv { ("text\n\"", "\"\n") } else { ("", "") };
    folder.write(name, format!("{head}{}{tail}", unit.repeat(bytes / unit.len())));
    // `times` prints the processor time of the shell, then that of its children.
    let script = r#""$0" protect "$1" -q -o out >&2; code=$?; times; exit $code"#;
    let run = Command::new("sh")
        .args(["-c", script, env!("CARGO_BIN_EXE_reticent"), name])
        .current_dir(folder.path(""))
        .output()
        .expect("a shell");
    let (out, err) = (String::from_utf8_lossy(&run.stdout), String::from_utf8_lossy(&run.stderr));
    assert!(matches!(run.status.code(), Some(0 | 1)), "{err}");
    out.lines().last().expect("times of children").split_whitespace().map(seconds).sum()
}

/// `1m2.34s` as a duration.
fn seconds(text: &str) -> Duration {
    let (minutes, seconds) = text.trim_end_matches('s').split_once('m').expect("minutes");
    Duration::from_secs_f64(minutes.parse::<f64>().unwrap() * 60.0 + seconds.parse::<f64>().unwrap())
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
