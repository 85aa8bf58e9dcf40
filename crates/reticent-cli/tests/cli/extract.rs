//! `reticent extract` and `reticent write-back`, as a user would call them.

use reticent::extract::Map;

use crate::common::Folder;

const LETTER: &str = "Dear Mrs Ana Ruiz,\nyou were born on 3 July 1962 and are 61 years old.\n";
const NOTE: &str = "# Visit\n\nSeen on **11 March 2024**, aged 35, mail <bo.lee@example.org>.\n";
const PAGE: &str = "<p>Mr Bo Lee, aged <b>47</b>, came on 2 May 2023.</p>\n";

fn collection() -> Folder {
    let folder = Folder::new();
    folder.write("docs/a.txt", LETTER);
    folder.write("docs/sub/b.md", NOTE);
    folder.write("docs/c.html", PAGE);
    let run = folder.run(&["extract", "docs", "-o", "t.csv"]);
    assert_eq!(run.code, 0, "{}", run.err);
    folder
}

/// The names and the fingerprints of the documents of a map.
fn pairs(folder: &Folder) -> Vec<(String, String)> {
    let map = Map::from_jsonl(&folder.read("t.map.jsonl")).unwrap();
    let names = map.rows().iter().map(|row| row.id.clone());
    names.zip(map.fingerprints().into_iter().map(str::to_owned)).collect()
}

/// A table with names instead of fingerprints, in the order of the names.
fn named(folder: &Folder, table: &str) -> String {
    let text = folder.read(table);
    let named = pairs(folder).iter().fold(text, |text, (name, print)| text.replace(print, name));
    let mut lines: Vec<&str> = named.lines().collect();
    let first = usize::from(lines[0].starts_with("id"));
    lines[first..].sort_unstable();
    lines.join("\n") + "\n"
}

/// A changed table with fingerprints instead of names.
fn bound(folder: &Folder, changed: &str) -> String {
    let lines = changed.lines().map(|line| {
        let of = pairs(folder).into_iter().find(|(name, _)| line.starts_with(&format!("{name},")));
        of.map_or_else(|| line.to_owned(), |(name, print)| line.replacen(&name, &print, 1))
    });
    lines.collect::<Vec<_>>().join("\n") + "\n"
}

fn write_back(folder: &Folder, changed: &str) -> crate::common::Run {
    folder.write("changed.csv", bound(folder, changed));
    folder.run(&[
        "-q",
        "write-back",
        "docs",
        "--table",
        "changed.csv",
        "--map",
        "t.map.jsonl",
        "-o",
        "out",
        "--force",
    ])
}

#[test]
fn documents_become_a_table_and_documents_again() {
    let folder = collection();
    assert_eq!(
        named(&folder, "t.csv"),
        "id,EMAIL_ADDRESS,PERSON,AGE,DATE_TIME\n\
         a.txt,,Ana Ruiz,61,1962-07-03\n\
         c.html,,Bo Lee,47,2023-05-02\n\
         sub/b.md,bo.lee@example.org,,35,2024-03-11\n"
    );
    assert!(
        folder
            .read("t.schema.toml")
            .contains("name = \"AGE\"\ntype = \"AGE\"\nrole = \"quasi_identifier\"\nkind = \"number\"")
    );
    assert!(!folder.read("t.map.jsonl").contains("Ruiz"));
    let run = write_back(
        &folder,
        "id,AGE,DATE_TIME\na.txt,[60-69],1960s\nc.html,[40-49],2023\nsub/b.md,*,2024-03\n",
    );
    assert_eq!(run.code, 0, "{}", run.err);
    assert_eq!(
        folder.read("out/a.txt"),
        "Dear [PERSON 1],\nyou were born in the 1960s and are 60 to 69 years old.\n"
    );
    assert_eq!(
        folder.read("out/sub/b.md"),
        "# Visit\n\nSeen **in March 2024**, aged [AGE], mail <[EMAIL_ADDRESS]>.\n"
    );
    assert_eq!(folder.read("out/c.html"), "<p>[PERSON 1], aged <b>40 to 49</b>, came in 2023.</p>\n");
}

#[cfg(unix)]
#[test]
fn what_holds_values_is_for_its_owner_only() {
    use std::os::unix::fs::PermissionsExt;
    let folder = collection();
    let mode = |name: &str| std::fs::metadata(folder.path(name)).unwrap().permissions().mode() & 0o077;
    assert_eq!((mode("t.csv"), mode("t.map.jsonl")), (0, 0));
}

#[test]
fn a_row_that_is_gone_is_a_document_that_is_not_released() {
    let folder = collection();
    let run = write_back(&folder, "id,AGE,DATE_TIME\na.txt,61,1962-07-03\nsub/b.md,35,2024\n");
    assert_eq!(run.code, 1, "{}", run.err);
    assert!(run.err.contains("c.html") && !folder.path("out/c.html").exists(), "{}", run.err);
    assert_eq!(folder.read("out/a.txt"), LETTER.replace("Mrs Ana Ruiz", "[PERSON 1]"));
}

#[test]
fn what_does_not_fit_is_refused_before_anything_is_written() {
    let folder = collection();
    for (changed, told) in [
        ("id,AGE\na.txt,61 | 62\n", "line 2, column AGE"),
        ("id,AGE\nzz.txt,61\n", "line 2"),
        ("id,AGE,WEIGHT\na.txt,61,80\n", "`WEIGHT`"),
        ("AGE\n61\n", "no column `id`"),
        ("id,AGE\na.txt,\"61\n", "id"),
    ] {
        let run = write_back(&folder, changed);
        let known = run.code == 2 || changed.contains('"');
        assert!(known && !folder.path("out/c.html").exists(), "{changed}: {}", run.err);
        assert!(run.code != 2 || run.err.contains(told), "{changed}: {}", run.err);
        assert!(!run.err.contains("Ruiz") && !run.err.contains("62"), "{}", run.err);
    }
}

#[test]
fn a_changed_document_or_policy_is_refused() {
    let folder = collection();
    folder.write("docs/a.txt", LETTER.replace("you", "You"));
    let run = write_back(&folder, &folder.read("t.csv"));
    assert_eq!((run.code, folder.path("out/a.txt").exists()), (2, false), "{}", run.err);
    assert!(run.err.contains("a.txt") && run.err.contains("changed since"), "{}", run.err);
    assert!(!folder.path("out").exists());
    let other =
        ["write-back", "docs", "--table", "t.csv", "--map", "t.map.jsonl", "-o", "o2", "--preset", "gdpr"];
    let run = folder.run(&other);
    assert_eq!((run.code, folder.path("o2").exists()), (2, false), "{}", run.err);
    folder.write("docs/a.txt", LETTER);
    folder.write("docs/new.txt", "Aged 12.");
    let run = write_back(&folder, &folder.read("t.csv"));
    assert!(run.code == 2 && run.err.contains("new.txt") && !folder.path("out").exists(), "{}", run.err);
}

#[test]
fn rows_of_a_file_are_documents_too() {
    let folder = Folder::new();
    folder.write(
        "n.csv",
        "nr,text,ward\n7,\"Mrs Ana Ruiz, aged 61\",A\n8,\"Mr Bo Lee, aged 35\",B\n9,No change,C\n",
    );
    let run = folder.run(&["extract", "n.csv", "--id-field", "nr", "-o", "t.jsonl"]);
    assert_eq!(run.code, 0, "{}", run.err);
    assert_eq!(
        named(&folder, "t.jsonl"),
        "{\"id\":\"7\",\"PERSON\":[\"Ana Ruiz\"],\"AGE\":[\"61\"]}\n{\"id\":\"8\",\"PERSON\":[\"Bo Lee\"],\"AGE\":[\"35\"]}\n{\"id\":\"9\"}\n"
    );
    let print = |nr: &str| pairs(&folder).into_iter().find(|(name, _)| name == nr).unwrap().1;
    let changed =
        format!("{{\"id\": \"{}\", \"AGE\": \"60-69\"}}\n{{\"id\": \"{}\"}}\n", print("7"), print("9"));
    folder.write("c.jsonl", changed);
    let args = [
        "write-back",
        "n.csv",
        "--id-field",
        "nr",
        "--table",
        "c.jsonl",
        "--map",
        "t.map.jsonl",
        "-o",
        "out.csv",
    ];
    let run = folder.run(&args);
    assert_eq!(run.code, 1, "{}", run.err);
    assert_eq!(folder.read("out.csv"), "nr,text,ward\n7,\"[PERSON 1], aged 60 to 69\",A\n9,No change,C\n");
    let run = folder.run(&["extract", "n.csv", "--id-field", "ward", "-o", "-"]);
    assert_eq!((run.code, run.out.lines().next()), (0, Some("id,PERSON,AGE")), "{}", run.err);
    folder.write("two.csv", "nr,text\n7,aged 61\n7,aged 62\n");
    let run = folder.run(&["extract", "two.csv", "--id-field", "nr", "-o", "two.out.csv"]);
    assert!(run.code == 2 && run.err.contains("same id"), "{}", run.err);
}

#[test]
fn roles_can_be_given() {
    let folder = Folder::new();
    folder.write("a.txt", "Mrs Ana Ruiz, aged 61, on 3 July 1962.");
    let run = folder.run(&[
        "extract",
        "a.txt",
        "-o",
        "t.csv",
        "--role",
        "AGE=insensitive",
        "--role",
        "DATE_TIME=identifier",
    ]);
    assert_eq!(run.code, 0, "{}", run.err);
    assert_eq!(named(&folder, "t.csv"), "id,DATE_TIME,PERSON\na.txt,1962-07-03,Ana Ruiz\n");
    let run = folder.run(&["-q", "write-back", "a.txt", "--table", "t.csv", "--map", "t.map.jsonl"]);
    assert_eq!((run.code, run.out.as_str()), (0, "[PERSON 1], aged 61, on [DATE_TIME]."), "{}", run.err);
    for (role, told) in [("AGES=identifier", "AGE"), ("AGE=secret", "quasi-identifier"), ("age", "TYPE=ROLE")]
    {
        let run = folder.run(&["extract", "a.txt", "-o", "t.csv", "--role", role]);
        assert!(run.code == 2 && run.err.contains(told), "{role}: {}", run.err);
    }
}

#[test]
fn a_labeller_finds_more() {
    let folder = crate::label::trained();
    folder.write("note.txt", "Nombre: Elena Pons.\nLocalidad: Zamora.\nSin fiebre.\n");
    let args = ["extract", "note.txt", "-m", "m.lab", "--language", "es", "--role", "TOWN=quasi-identifier"];
    let run = folder.run(&[&args[..], &["-o", "t.csv"]].concat());
    assert_eq!(run.code, 0, "{}", run.err);
    let table = folder.read("t.csv");
    assert!(table.lines().next().unwrap().ends_with(",TOWN") && table.contains("Zamora"), "{table}");
    folder.write("c.csv", bound(&folder, "id,TOWN\nnote.txt,Castilla y León\n"));
    let back = ["write-back", "note.txt", "--language", "es", "--table", "c.csv", "--map", "t.map.jsonl"];
    let run = folder.run(&[&back[..], &["-m", "m.lab"]].concat());
    assert_eq!(run.code, 0, "{}", run.err);
    assert!(run.out.contains("Localidad: Castilla y León.") && !run.out.contains("Elena"), "{}", run.out);
    let run = folder.run(&back);
    assert!(run.code == 2 && run.out.is_empty() && run.err.contains("TOWN"), "{}", run.err);
}

/// The notes of people with ages and dates of their own, as rows of a file whose names are numbers.
fn notes(count: usize) -> String {
    let note = |at: usize| {
        let (age, year) = (20 + at * 7 % 60, 1990 + at * 11 % 30);
        format!("{{\"id\": {}, \"text\": \"Seen in {year}, aged {age}.\"}}\n", at + 1)
    };
    (0..count).map(note).collect()
}

/// The table that is protected keeps the fingerprints, so that each document gets its own values back.
#[test]
fn a_protected_table_goes_back_into_its_own_documents() {
    let folder = Folder::new();
    folder.write("n.jsonl", notes(20));
    let run = folder.run(&["extract", "n.jsonl", "--id-field", "id", "-o", "t.csv"]);
    assert_eq!(run.code, 0, "{}", run.err);
    let protect = ["table", "protect", "t.csv", "-s", "t.schema.toml", "-k", "4"];
    let run = folder.run(&[&protect[..], &["-o", "p.csv"]].concat());
    assert_eq!(run.code, 0, "{}", run.err);
    let back = |table: &str| {
        let args = ["write-back", "n.jsonl", "--id-field", "id", "--map", "t.map.jsonl", "-o", "out.jsonl"];
        folder.run(&[&args[..], &["--force", "--table", table]].concat())
    };
    let run = back("p.csv");
    assert_eq!(run.code, 0, "{}", run.err);
    let (original, released) = (folder.read("n.jsonl"), folder.read("out.jsonl"));
    assert_eq!(released.lines().count(), 20);
    let numbers = |line: &str| -> Vec<u32> {
        let text = line.split("\"text\":").nth(1).unwrap().split("\"spans\"").next().unwrap();
        text.split(|c: char| !c.is_ascii_digit()).filter_map(|word| word.parse().ok()).collect()
    };
    let mut ranges = 0;
    for (before, after) in original.lines().zip(released.lines()) {
        let (own, said) = (numbers(before), numbers(after));
        let (years, ages): (Vec<u32>, Vec<u32>) = said.iter().partition(|number| **number > 1900);
        for (value, said) in [(own[0], years), (own[1], ages)] {
            let within = said.iter().min() <= Some(&value) && Some(&value) <= said.iter().max();
            assert!(said.is_empty() || within, "{before} became {after}");
            ranges += usize::from(said.len() == 2);
        }
    }
    assert!(ranges > 10, "{released}");
    // With pseudonyms instead, nothing binds any more.
    let run = folder.run(&[&protect[..], &["--identifiers", "pseudonym", "-o", "q.csv"]].concat());
    assert_eq!(run.code, 0, "{}", run.err);
    std::fs::remove_file(folder.path("out.jsonl")).unwrap();
    let run = back("q.csv");
    assert_eq!((run.code, folder.path("out.jsonl").exists()), (2, false), "{}", run.err);
    assert!(run.err.contains("this map did not give out"), "{}", run.err);
}

#[test]
fn formulas_in_documents_are_text_in_the_table() {
    let folder = Folder::new();
    folder.write("a.txt", "Call +44 20 7946 0958 now.");
    let run = folder.run(&["extract", "a.txt", "-o", "t.csv"]);
    assert_eq!(run.code, 0, "{}", run.err);
    assert!(folder.read("t.csv").contains(",'+44 20 7946 0958"), "{}", folder.read("t.csv"));
    let run = folder.run(&["-q", "write-back", "a.txt", "--table", "t.csv", "--map", "t.map.jsonl"]);
    assert_eq!((run.code, run.out.as_str()), (0, "Call [PHONE_NUMBER] now."), "{}", run.err);
}
