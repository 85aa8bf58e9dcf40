//! Input and output files that collide, exist already, are no files, or lead elsewhere.

use std::process::Command;
use std::time::{Duration, Instant};

use crate::common::Folder;

const TEXT: &str = "Write to ana.ruiz@example.org today.\n";
const RELEASED: &str = "Write to [EMAIL_ADDRESS] today.\n";

/// A folder with a text and a table.
fn folder() -> Folder {
    let folder = Folder::new();
    folder.write("a.txt", TEXT);
    folder.write("data.csv", "name,age,text\nAna Ruiz,61,x\nBo Lee,61,x\n");
    folder
}

#[cfg(unix)]
fn mode(folder: &Folder, name: &str) -> u32 {
    use std::os::unix::fs::PermissionsExt;
    folder.path(name).metadata().unwrap().permissions().mode() & 0o777
}

#[test]
fn two_inputs_with_one_target_are_refused_before_anything_is_written() {
    let folder = folder();
    folder.write("d1/a.txt", TEXT);
    folder.write("d2/a.txt", TEXT);
    for command in ["protect", "plan"] {
        let run = folder.run(&[command, "a.txt", "d1/a.txt", "d2/a.txt", "-o", "out/", "--force"]);
        assert_eq!((run.code, folder.path("out").exists()), (2, false), "{command}: {}", run.err);
        assert!(run.err.contains("a.txt and d1/a.txt"), "{command}: {}", run.err);
    }
    let run = folder.run(&["extract", "d1/a.txt", "d2/a.txt", "-o", "t.csv"]);
    assert_eq!((run.code, folder.path("t.csv").exists()), (2, false), "{}", run.err);
    folder.write("d1/a.md", TEXT);
    let run = folder.run(&["detect", "d1", "--format", "brat", "-o", "brat"]);
    assert_eq!((run.code, folder.path("brat").exists()), (2, false), "{}", run.err);

    folder.write("both/d1/a.txt", TEXT);
    folder.write("both/d2/a.txt", TEXT);
    let run = folder.run(&["protect", "both", "-o", "out"]);
    assert_eq!(run.code, 0, "{}", run.err);
    assert_eq!(
        (folder.read("out/d1/a.txt"), folder.read("out/d2/a.txt")),
        (RELEASED.into(), RELEASED.into())
    );
}

#[test]
fn existing_files_are_replaced_with_force_only() {
    let folder = folder();
    folder.write("reticent-table.toml", "[protect]\nk = 2\n[[columns]]\nname = \"name\"\nrole = \"identifier\"\n[[columns]]\nname = \"age\"\nrole = \"quasi-identifier\"\nkind = \"number\"\n[[columns]]\nname = \"text\"\nrole = \"text\"\n");
    assert_eq!(folder.run(&["plan", "a.txt", "-o", "plan.json"]).code, 0);
    assert_eq!(folder.run(&["key", "new", "-o", "mine.key"]).code, 0);
    assert_eq!(folder.run(&["extract", "a.txt", "-o", "x.csv"]).code, 0);
    folder.write("words.txt", "2 2\nred 1 0\nblue 0 1\n");
    folder.write("tree.csv", "cat,animal\n");
    for (command, target) in [
        (&["protect", "a.txt"][..], "out.txt"),
        (&["apply", "a.txt", "--plan", "plan.json"], "out.txt"),
        (&["plan", "a.txt"], "out.json"),
        (&["detect", "a.txt"], "out.jsonl"),
        (&["extract", "a.txt"], "out.csv"),
        (&["write-back", "a.txt", "--table", "x.csv", "--map", "x.map.jsonl"], "out.txt"),
        (&["decrypt", "a.txt", "--key", "mine.key"], "out.txt"),
        (&["index", "build", "a.txt"], "out.idx"),
        (&["vectors", "import", "words.txt"], "out.vec"),
        (&["table", "protect", "data.csv"], "out.csv"),
        (&["table", "sweep", "data.csv", "--lambda", "1", "-k", "2"], "out.txt"),
        (&["table", "schema", "data.csv"], "out.toml"),
    ] {
        folder.write(target, "mine");
        let run = folder.run(&[command, &["-o", target]].concat());
        assert_eq!((run.code, folder.read(target).as_str()), (2, "mine"), "{command:?}: {}", run.err);
        assert!(run.err.contains("already exists") && run.err.contains("--force"), "{}", run.err);
        let run = folder.run(&[command, &["-o", target, "--force"]].concat());
        assert_eq!(run.code, 0, "{command:?}: {}", run.err);
        assert_ne!(std::fs::read(folder.path(target)).unwrap(), b"mine", "{command:?}");
    }
    for command in [
        &["train", "labeller", "none"][..],
        &["vectors", "train", "a.txt"],
        &["taxonomy", "import", "tree.csv"],
    ] {
        let run = folder.run(&[command, &["-o", "out.txt"]].concat());
        assert!(run.code == 2 && run.err.contains("already exists"), "{command:?}: {}", run.err);
    }
    folder.write("r.html", "mine");
    let run = folder.run(&["protect", "a.txt", "-o", "new.txt", "--report", "r.html"]);
    assert_eq!((run.code, folder.path("new.txt").exists()), (2, false), "{}", run.err);
    // A lost key cannot be made again.
    let key = folder.read("mine.key");
    let run = folder.run(&["key", "new", "-o", "mine.key", "--force"]);
    assert_eq!((run.code, folder.read("mine.key")), (2, key), "{}", run.err);
}

#[test]
fn force_does_not_overwrite_inputs() {
    let folder = folder();
    for args in [
        &["protect", "a.txt", "-o", "a.txt"][..],
        &["protect", "a.txt", "-o", "."],
        &["detect", "a.txt", "-o", "a.txt"],
        &["extract", "data.csv", "-o", "data.csv"],
        &["table", "protect", "data.csv", "-s", "a.txt", "-o", "data.csv"],
    ] {
        let run = folder.run(&[args, &["--force"]].concat());
        assert!(run.code == 2 && run.err.contains("would overwrite the input"), "{args:?}: {}", run.err);
    }
    assert_eq!(folder.read("a.txt"), TEXT);
}

#[test]
fn a_missing_folder_is_refused_and_an_output_directory_is_created() {
    let folder = folder();
    folder.write("in/sub/b.txt", TEXT);
    for args in [
        &["protect", "a.txt", "-o", "no/out.txt"][..],
        &["protect", "in", "-o", "no/out"],
        &["plan", "a.txt", "-o", "no/plan.json"],
        &["protect", "a.txt", "-o", "out.txt", "--report", "no/r.html"],
        &["key", "new", "-o", "no/mine.key"],
        &["index", "build", "a.txt", "-o", "no/x.idx"],
    ] {
        let run = folder.run(args);
        assert_eq!((run.code, folder.path("no").exists()), (2, false), "{args:?}: {}", run.err);
        assert!(run.err.contains("mkdir -p no"), "{args:?}: {}", run.err);
    }
    assert_eq!(folder.run(&["protect", "a.txt", "-o", "new/"]).code, 0);
    assert_eq!(folder.read("new/a.txt"), RELEASED);
    assert_eq!(folder.run(&["protect", "in", "-o", "out"]).code, 0);
    assert_eq!(folder.read("out/sub/b.txt"), RELEASED);
}

#[test]
fn an_output_of_another_format_is_refused() {
    let folder = folder();
    folder.write("letter.docx", include_bytes!("../../../../examples/letter.docx"));
    folder.write("s.toml", "[protect]\nk = 2\n[[columns]]\nname = \"name\"\nrole = \"identifier\"\n[[columns]]\nname = \"age\"\nrole = \"quasi-identifier\"\n[[columns]]\nname = \"text\"\nrole = \"text\"\n");
    for args in [
        &["protect", "data.csv", "-o", "x.docx"][..],
        &["protect", "data.csv", "-o", "x.tsv"],
        &["protect", "letter.docx", "-o", "x.csv"],
        &["protect", "letter.docx", "-o", "x.pdf"],
        &["protect", "a.txt", "-o", "x.html"],
        &["protect", "-", "-o", "x.html"],
        &["table", "protect", "data.csv", "-s", "s.toml", "-o", "x.docx"],
    ] {
        let before = folder.names();
        let run = folder.run(args);
        assert_eq!((run.code, folder.names()), (2, before), "{args:?}: {}", run.err);
        assert!(run.err.contains("extension"), "{args:?}: {}", run.err);
    }
    folder.write("b.md", TEXT);
    for args in [
        &["protect", "a.txt", "-o", "x.text"][..],
        &["protect", "a.txt", "-o", "x"],
        &["protect", "a.txt", "-o", "x.redacted"],
        &["protect", "b.md", "--input-format", "text", "-o", "x.md"],
        &["table", "protect", "data.csv", "-s", "s.toml", "-o", "x.jsonl"],
    ] {
        let run = folder.run(args);
        assert_eq!(run.code, 0, "{args:?}: {}", run.err);
    }
}

#[test]
fn schemas_and_policies_are_told_apart() {
    let folder = folder();
    let run = folder.run(&["table", "protect", "data.csv", "-o", "out.csv"]);
    assert!(run.code == 2 && run.err.contains("-o reticent-table.toml"), "{}", run.err);
    assert_eq!(folder.run(&["table", "schema", "data.csv", "-o", "reticent-table.toml"]).code, 0);
    let run = folder.run(&["protect", "a.txt"]);
    assert_eq!((run.code, run.out.as_str()), (0, RELEASED), "{}", run.err);

    let run = folder.run(&["protect", "a.txt", "--policy", "reticent-table.toml"]);
    assert!(run.code == 2 && run.err.contains("a table schema, not a policy"), "{}", run.err);
    folder.write("reticent.toml", "extends = \"gdpr\"\n");
    let run = folder.run(&["table", "protect", "data.csv", "-s", "reticent.toml", "-o", "out.csv"]);
    assert!(run.code == 2 && run.err.contains("a policy, not a table schema"), "{}", run.err);
    folder.write("slip.toml", "extend = \"gdpr\"\n");
    let run = folder.run(&["protect", "a.txt", "--policy", "slip.toml"]);
    assert!(run.code == 2 && run.err.contains("did you mean"), "{}", run.err);
}

#[cfg(unix)]
#[test]
fn results_with_originals_are_private() {
    let folder = folder();
    assert_eq!(folder.run(&["protect", "a.txt", "-o", "out.txt", "--report", "r.html"]).code, 0);
    assert_eq!(folder.run(&["plan", "a.txt", "-o", "plan.json"]).code, 0);
    assert_eq!(folder.run(&["plan", "data.csv", "-o", "plan.jsonl"]).code, 0);
    assert_eq!(folder.run(&["detect", "a.txt", "-o", "found.jsonl"]).code, 0);
    assert_eq!(folder.run(&["detect", "a.txt", "--format", "brat", "-o", "brat"]).code, 0);
    assert_eq!(folder.run(&["extract", "a.txt", "-o", "t.csv"]).code, 0);
    assert_eq!(folder.run(&["key", "new", "-o", "mine.key"]).code, 0);
    assert_eq!(folder.run(&["decrypt", "a.txt", "--key", "mine.key", "-o", "plain.txt"]).code, 0);
    for name in [
        "r.html",
        "plan.json",
        "plan.jsonl",
        "found.jsonl",
        "brat/a.ann",
        "t.csv",
        "t.map.jsonl",
        "mine.key",
        "plain.txt",
    ] {
        assert_eq!(mode(&folder, name), 0o600, "{name}");
    }
    folder.write("usual", "");
    for name in ["out.txt", "t.schema.toml"] {
        assert_eq!(mode(&folder, name), mode(&folder, "usual"), "{name}");
    }
    // A file that others could read does not stay so.
    folder.write("old.html", "");
    assert_eq!(folder.run(&["protect", "a.txt", "--report", "old.html", "--force"]).code, 0);
    assert_eq!(mode(&folder, "old.html"), 0o600);
}

#[cfg(unix)]
#[test]
fn links_in_a_directory_are_reported_and_not_followed() {
    let folder = folder();
    folder.write("in/b.txt", TEXT);
    folder.write("else/c.txt", TEXT);
    std::os::unix::fs::symlink(folder.path("a.txt"), folder.path("in/link.txt")).unwrap();
    std::os::unix::fs::symlink(folder.path("else"), folder.path("in/folder")).unwrap();
    let run = folder.run(&["protect", "in", "-o", "out"]);
    assert_eq!(run.code, 1, "{}", run.err);
    assert!(run.err.contains("in/link.txt") && run.err.contains("in/folder"), "{}", run.err);
    assert_eq!(folder.read("out/b.txt"), RELEASED);
    assert!(!folder.path("out/link.txt").exists() && !folder.path("out/folder").exists());
    for args in [&["detect", "in"][..], &["verify", "in"], &["index", "build", "in", "-o", "x.idx"]] {
        let run = folder.run(args);
        assert!(run.code == 1 && run.err.contains("in/link.txt"), "{args:?}: {}", run.err);
    }
    // A link that is named on the command line is followed.
    let run = folder.run(&["protect", "in/link.txt"]);
    assert_eq!((run.code, run.out.as_str()), (0, RELEASED), "{}", run.err);
}

#[cfg(unix)]
#[test]
fn pipes_and_devices_are_refused_instead_of_waited_for() {
    let folder = folder();
    folder.write("in/b.txt", TEXT);
    for name in ["pipe.txt", "in/pipe.txt", "pipe.csv"] {
        assert!(Command::new("mkfifo").arg(folder.path(name)).status().unwrap().success());
    }
    let begun = Instant::now();
    for args in [
        &["protect", "pipe.txt"][..],
        &["protect", "in", "-o", "out"],
        &["protect", "--input-format", "text", "/dev/zero"],
        &["table", "schema", "pipe.csv"],
    ] {
        let run = folder.run(args);
        assert!(run.code == 2 && run.err.contains("not a regular file"), "{args:?}: {}", run.err);
        assert!(run.err.contains("`-`"), "{}", run.err);
    }
    assert!(begun.elapsed() < Duration::from_mins(1));
    assert_eq!(folder.read("out/b.txt"), RELEASED);
    let run = folder.run_with(&["protect", "/dev/stdin"], TEXT.as_bytes());
    assert_eq!((run.code, run.out.as_str()), (0, RELEASED), "{}", run.err);
}

#[cfg(unix)]
#[test]
fn shells_can_redirect() {
    let folder = folder();
    for (script, released) in [
        ("\"$0\" protect <(cat a.txt)", RELEASED),
        ("cat a.txt | \"$0\" protect - -o /dev/stdout", RELEASED),
        ("\"$0\" protect a.txt -o /dev/stdout > out && cat out", RELEASED),
        ("echo x > out; \"$0\" protect a.txt -o /dev/stdout >> out && cat out", &format!("x\n{RELEASED}")),
        ("\"$0\" protect a.txt -o /dev/null && \"$0\" protect a.txt -o /dev/null", ""),
    ] {
        let mut shell = Command::new("bash");
        shell.args(["-c", script, env!("CARGO_BIN_EXE_reticent")]).current_dir(folder.path(""));
        let done = shell.output().unwrap();
        let err = String::from_utf8_lossy(&done.stderr);
        assert_eq!(
            (done.status.code(), String::from_utf8_lossy(&done.stdout).as_ref()),
            (Some(0), released),
            "{script}: {err}"
        );
    }
}
