//! What a released table tells besides its values, and what proves it: order, number of rows, dependent columns,
//! formulas, fingerprints, the dossier.

use crate::common::Folder;

const SCHEMA: &str = r#"
columns = [
  { name = "id", role = "identifier" },
  { name = "age", role = "quasi-identifier", kind = "number" },
  { name = "ill", role = "sensitive" },
]
"#;

fn folder(rows: &str) -> Folder {
    let folder = Folder::new();
    folder.write("data.csv", format!("id,age,ill\n{rows}"));
    folder.write("reticent-table.toml", SCHEMA);
    folder
}

fn protect(folder: &Folder, more: &[&str]) -> crate::common::Run {
    folder.run(&[&["table", "protect", "data.csv", "-o", "out.csv", "--force"], more].concat())
}

/// Six persons; two came once, the others twice: neither number is that of six.
const VISITS: &str = "p6,30,flu\np1,31,flu\np1,31,cold\np2,32,flu\np2,32,gout\np3,33,cold\np3,33,flu\np4,34,gout\np4,34,flu\np5,35,cold\n";

#[test]
fn the_order_of_rows_is_not_released() {
    let folder = folder(VISITS);
    let run = protect(&folder, &["-k", "2"]);
    assert_eq!(run.code, 0, "{}", run.err);
    let sorted = folder.read("out.csv");
    let mut lines: Vec<&str> = VISITS.lines().collect();
    lines.reverse();
    folder.write("data.csv", format!("id,age,ill\n{}\n", lines.join("\n")));
    assert_eq!(protect(&folder, &["-k", "2"]).code, 0);
    assert_eq!(folder.read("out.csv"), sorted);
    let run = protect(&folder, &["-k", "2", "--keep-order"]);
    assert_eq!(run.code, 0, "{}", run.err);
    let kept = folder.read("out.csv");
    let ills: Vec<&str> = kept.lines().skip(1).filter_map(|line| line.rsplit(',').next()).collect();
    let before: Vec<&str> = lines.iter().filter_map(|line| line.rsplit(',').next()).collect();
    assert_eq!(ills, before);
}

#[test]
fn the_number_of_rows_is_reported_or_protected() {
    let folder = folder(VISITS);
    let run = protect(&folder, &["-k", "6"]);
    assert!(run.code == 0 && run.err.contains("6 persons can be singled out"), "{}", run.err);
    let run = protect(&folder, &["-k", "6", "--rows-per-person"]);
    assert_eq!(run.code, 0, "{}", run.err);
    assert!(run.err.contains("4 rows are not released") && !run.err.contains("singled out"), "{}", run.err);
    assert_eq!(folder.read("out.csv").lines().count(), 7);
    let verify = ["table", "verify", "out.csv", "-k", "6", "--rows-per-person"];
    assert_eq!(folder.run(&verify).code, 0);
    // A row more, and its person stands out.
    let more = folder.read("out.csv") + "1,[30-35],flu\n";
    folder.write("out.csv", more);
    let run = folder.run(&verify);
    assert!(run.code == 1 && run.err.contains("fewer than 6 persons"), "{}", run.err);
    assert_eq!(folder.run(&["table", "verify", "out.csv", "-k", "6"]).code, 0);
    // Whom nobody can tell apart by rows has no number of rows.
    let run = protect(&folder, &["-k", "6", "--identifiers", "remove"]);
    assert!(run.code == 0 && !run.err.contains("singled out"), "{}", run.err);
}

#[test]
fn columns_that_reveal_others_are_reported() {
    let rows = |determined: bool| -> String {
        let row = |at: usize| {
            let code = at * 7 % 11;
            let diagnosis = if determined { code / 2 } else { at * at % 17 % 6 };
            format!("p{at},d{diagnosis},c{code}\n")
        };
        (0..200).map(row).collect()
    };
    let folder = Folder::new();
    folder.write(
        "reticent-table.toml",
        SCHEMA.replace(
            "\"age\", role = \"quasi-identifier\", kind = \"number\"",
            "\"diagnosis\", role = \"quasi-identifier\"",
        ),
    );
    folder.write("data.csv", format!("id,diagnosis,ill\n{}", rows(true)));
    let run = protect(&folder, &["-k", "60"]);
    assert!(
        run.code == 0 && run.err.contains("`ill` is released unchanged and reveals `diagnosis`"),
        "{}",
        run.err
    );
    assert!(!run.err.contains(": 0 persons"), "{}", run.err);
    folder.write("data.csv", format!("id,diagnosis,ill\n{}", rows(false)));
    let run = protect(&folder, &["-k", "60"]);
    assert!(run.code == 0 && !run.err.contains("reveals"), "{}", run.err);
}

#[test]
fn a_class_with_one_sensitive_value_is_reported() {
    let folder = folder("1,30,flu\n2,31,flu\n3,60,flu\n4,61,cold\n");
    let run = protect(&folder, &["-k", "2"]);
    assert!(run.code == 0 && run.err.contains("in a class all have the same value of `ill`"), "{}", run.err);
    folder.write("data.csv", "id,age,ill\n1,30,flu\n2,31,cold\n3,60,flu\n4,61,cold\n");
    let run = protect(&folder, &["-k", "2"]);
    assert!(run.code == 0 && !run.err.contains("all have the same"), "{}", run.err);
}

#[test]
fn formulas_do_not_reach_a_spreadsheet() {
    let folder = folder("1,30,=cmd|' /C calc'!A0\n2,31,-5\n3,32,@SUM(A1)\n4,33,+7\n");
    let run = protect(&folder, &["-k", "2"]);
    assert!(run.code == 0 && run.err.contains("2 cells that a spreadsheet would evaluate"), "{}", run.err);
    let out = folder.read("out.csv");
    for cell in [",'=cmd|' /C calc'!A0\n", ",-5\n", ",'@SUM(A1)\n", ",+7\n"] {
        assert!(out.contains(cell), "{out}");
    }
    assert_eq!(folder.run(&["table", "verify", "out.csv", "-k", "2"]).code, 0);
    let run = folder.run(&["table", "protect", "data.csv", "-k", "2", "-o", "out.jsonl"]);
    assert!(run.code == 0 && folder.read("out.jsonl").contains("\"=cmd|"), "{}", run.err);
    folder.write("data.csv", "id,=x\n1,30\n2,31\n");
    folder.write(
        "reticent-table.toml",
        SCHEMA.replace("\"age\"", "\"=x\"").replace("  { name = \"ill\", role = \"sensitive\" },\n", ""),
    );
    let run = folder.run(&["table", "protect", "data.csv", "-k", "2", "-o", "never.csv"]);
    assert!(
        run.code == 2 && run.err.contains("formula") && !folder.path("never.csv").exists(),
        "{}",
        run.err
    );
}

#[test]
fn one_person_is_no_class() {
    let folder = folder("1,30,flu\n2,31,cold\n");
    let run = folder.run(&["table", "protect", "data.csv", "-k", "1", "-o", "one.csv"]);
    assert!(run.code == 2 && run.err.contains("--force") && !folder.path("one.csv").exists(), "{}", run.err);
    assert_eq!(protect(&folder, &["-k", "1"]).code, 0);
}

#[test]
fn literal_stars_and_semicolons_are_read_back() {
    let folder = Folder::new();
    folder.write("data.csv", "age,city\n30,*\n30,\"a;b\"\n40,*\n40,*\n50,\"c, d\"\n50,(e)\n");
    folder.write(
        "reticent-table.toml",
        "columns = [{ name = \"age\", role = \"quasi-identifier\", kind = \"number\" }, { name = \"city\", role = \"quasi-identifier\" }]\n",
    );
    folder.write("all.csv", "age,city\n30,*\n30,a;b\n40,*\n40,x\n50,\"c, d\"\n50,(e)\n50,d\n");
    let asked = ["-k", "2", "--population", "all.csv", "--k-map", "1"];
    let run = protect(&folder, &asked);
    assert_eq!(run.code, 0, "{}", run.err);
    let out = folder.read("out.csv");
    for cell in ["30,\"(\"\"*\"\",\"\"a;b\"\")\"\n", "40,\\*\n", "50,\"((e);c, d)\"\n"] {
        assert!(out.contains(cell), "{cell} in {out}");
    }
    // A literal star is one value of the population, not any.
    assert!(run.err.contains("at least 1 of 7 persons"), "{}", run.err);
}

/// Missing is a value that an attacker sees: it fits no one whose value is known.
#[test]
fn a_missing_value_does_not_fit_everyone() {
    let folder = Folder::new();
    folder.write("data.csv", "age,job\n30,\n31,\n40,cook\n41,cook\n");
    folder.write(
        "reticent-table.toml",
        "columns = [{ name = \"age\", role = \"quasi-identifier\", kind = \"number\" }, { name = \"job\", role = \"quasi-identifier\" }]\n",
    );
    let people = (0..60).map(|at| format!("{},{}\n", 30 + at % 12, if at < 50 { "cook" } else { "" }));
    folder.write("all.csv", format!("age,job\n{}", people.collect::<String>()));
    let run = protect(&folder, &["-k", "2", "--population", "all.csv", "--k-map", "20"]);
    assert_eq!(run.code, 0, "{}", run.err);
    assert_eq!(folder.read("out.csv").matches("[30-41],*\n").count(), 4, "{}", folder.read("out.csv"));
    folder.write("apart.csv", "age,job\n[30-41],\n[30-41],\n[30-41],cook\n[30-41],cook\n");
    let run =
        folder.run(&["table", "verify", "apart.csv", "-k", "2", "--population", "all.csv", "--k-map", "20"]);
    assert!(run.code == 1 && run.err.contains("a class matches 10 persons of the population"), "{}", run.err);
}

#[test]
fn a_changed_file_is_not_the_released_one() {
    let folder = folder("1,30,flu\n2,31,cold\n3,60,gout\n4,61,flu\n");
    let run = protect(&folder, &["-k", "2", "-l", "2", "--report", "out.json"]);
    assert_eq!(run.code, 0, "{}", run.err);
    let verify = ["table", "verify", "out.csv", "-k", "2", "-l", "2", "--report", "out.json"];
    assert_eq!(folder.run(&verify).code, 0);
    let released = folder.read("out.csv");
    for (from, to) in [("flu", "cough"), ("cold", "mumps"), ("[30-31]", "[30-32]"), ("\n", "\r\n")] {
        folder.write("out.csv", released.replacen(from, to, 1));
        let run = folder.run(&verify);
        assert!(run.code == 1 && run.err.contains("SHA-256"), "{from}: {}", run.err);
    }
    folder.write("out.csv", &released);
    folder.write("other.json", "{}");
    let run = folder.run(&["table", "verify", "out.csv", "-k", "2", "--report", "other.json"]);
    assert!(run.code == 2 && run.err.contains("not a report"), "{}", run.err);
}

#[test]
fn a_dossier_states_what_was_counted() {
    let folder = folder("1,30,flu\n2,31,cold\n3,60,gout\n4,61,<b>flu</b>\n");
    let run = protect(&folder, &["-k", "2", "-l", "2", "--dossier", "dossier.html"]);
    assert_eq!(run.code, 0, "{}", run.err);
    let page = folder.read("dossier.html");
    for told in [
        "2-anonymity; distinct 2-diversity of <code>ill</code>",
        "2 persons in the smallest class",
        "<svg viewBox",
        "[60-61]",
        "&lt;b&gt;flu",
        "Confidential",
        "Data protection officer",
        "The table has no column of texts.",
    ] {
        assert!(page.contains(told), "{told}");
    }
    assert!(!page.contains("<script") && !page.contains("http://") && !page.contains("<b>flu"));
    for name in ["data.csv", "reticent-table.toml", "out.csv"] {
        let digest = reticent::table::fingerprint(folder.read(name).as_bytes());
        assert!(page.contains(&digest), "{name}");
    }
    // The same release makes the same page, and without examples it holds no row of the original.
    assert_eq!(protect(&folder, &["-k", "2", "-l", "2", "--dossier", "again.html"]).code, 0);
    assert_eq!(folder.read("again.html"), page);
    let none = ["-k", "2", "--dossier", "none.html", "--dossier-examples", "0"];
    assert_eq!(protect(&folder, &none).code, 0);
    assert!(!folder.read("none.html").contains("flu") && !folder.read("none.html").contains("Confidential"));
    let run = protect(&folder, &["-k", "2", "--dossier", "page.pdf"]);
    assert!(run.code == 2 && run.err.contains("must be .html"), "{}", run.err);
}

#[test]
fn dates_that_cannot_be_read_are_suppressed() {
    let folder = Folder::new();
    let note = |at: usize| match at % 3 {
        0 => format!("Seen on 3 July {}, on Monday 03/04/2011.\n", 2000 + at),
        _ => format!("Seen on 3 July {}.\n", 2000 + at),
    };
    (0..9).for_each(|at| drop(folder.write(&format!("docs/{at}.txt"), note(at))));
    assert_eq!(folder.run(&["extract", "docs", "-o", "t.csv"]).code, 0);
    assert!(folder.read("t.csv").contains("03/04/2011"), "{}", folder.read("t.csv"));
    let run = folder.run(&["table", "protect", "t.csv", "-s", "t.schema.toml", "-k", "3", "-o", "p.csv"]);
    assert_eq!(run.code, 0, "{}", run.err);
    assert!(run.err.contains("`DATE_TIME`: 3 persons' values could not be read"), "{}", run.err);
    let run = folder.run(&["write-back", "docs", "--table", "p.csv", "--map", "t.map.jsonl", "-o", "out"]);
    assert_eq!(run.code, 0, "{}", run.err);
    assert!(folder.read("out/0.txt").starts_with("Seen on [DATE_TIME]"), "{}", folder.read("out/0.txt"));
    assert!(folder.read("out/1.txt").contains("20"), "{}", folder.read("out/1.txt"));
}
