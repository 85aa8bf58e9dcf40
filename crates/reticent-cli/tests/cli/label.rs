//! `reticent train labeller` and `reticent label`, as a user would call them.

use crate::common::Folder;
use serde_json::Value;

/// Notes with a name and a town, annotated in brat.
fn notes(folder: &Folder) {
    let names = [
        "Ana Ruiz",
        "Luis Vega",
        "Eva Soler",
        "Juan Prats",
        "Marta Gil",
        "Pedro Sanz",
        "Sara Mora",
        "Iván Roca",
    ];
    let towns = ["Metz", "Vigo", "Lugo", "Soria", "Teruel", "Murcia", "Huesca", "Cuenca"];
    for (number, (name, town)) in names.iter().zip(towns).enumerate() {
        let text = format!("Nombre: {name}.\nLocalidad: {town}.\nSin alergias conocidas, presenta fiebre.\n");
        let end = 8 + name.chars().count();
        let place = end + 2 + "Localidad: ".len();
        let annotations =
            format!("T1\tNAME 8 {end}\t{name}\nT2\tTOWN {place} {}\t{town}\n", place + town.chars().count());
        folder.write(&format!("train/{number}.txt"), text);
        folder.write(&format!("train/{number}.ann"), annotations);
    }
}

pub(crate) fn trained() -> Folder {
    let folder = Folder::new();
    notes(&folder);
    let run =
        folder.run(&["train", "labeller", "train", "-o", "m.lab", "--language", "es", "--dev", "train"]);
    assert_eq!(run.code, 0, "{}", run.err);
    assert!(run.err.contains("8 documents with 16 entities"), "{}", run.err);
    folder
}

#[test]
fn learns_and_labels() {
    let folder = trained();
    folder.write("new/note.txt", "Nombre: Elena Pons.\nLocalidad: Zamora.\nSin fiebre.\n");
    let run = folder.run(&["label", "new", "-m", "m.lab"]);
    assert_eq!(run.code, 0, "{}", run.err);
    let row: Value = serde_json::from_str(&run.out).unwrap();
    let spans = row["spans"].as_array().unwrap();
    assert_eq!(spans.len(), 2, "{}", run.out);
    assert_eq!((&spans[0][0], &spans[0][1], &spans[0][2]), (&8.into(), &18.into(), &"NAME".into()));
    let run = folder.run(&["label", "new", "-m", "m.lab", "--format", "brat", "-o", "out"]);
    assert_eq!(run.code, 0, "{}", run.err);
    assert_eq!(folder.read("out/note.ann"), "T1\tNAME 8 18\tElena Pons\nT2\tTOWN 31 37\tZamora\n");
    let run = folder.run(&["label", "new", "-m", "m.lab", "--format", "conll"]);
    assert!(run.out.contains("Elena\tB-NAME\nPons\tI-NAME\n.\tO\n"), "{}", run.out);
}

#[test]
fn leaves_alone_what_is_no_name() {
    let folder = trained();
    folder.write("new/note.txt", "Sin alergias conocidas, presenta fiebre.\n");
    let run = folder.run(&["label", "new", "-m", "m.lab"]);
    let row: Value = serde_json::from_str(&run.out).unwrap();
    assert!(row["spans"].as_array().unwrap().is_empty(), "{}", run.out);
}

#[test]
fn the_same_data_gives_the_same_labeller() {
    let (one, other) = (trained(), trained());
    assert!(std::fs::read(one.path("m.lab")).unwrap() == std::fs::read(other.path("m.lab")).unwrap());
}

#[test]
fn refuses_bad_data_and_bad_labellers() {
    let folder = Folder::new();
    folder.write("empty/readme.md", "nothing");
    let run = folder.run(&["train", "labeller", "empty", "-o", "m.lab"]);
    assert_eq!((run.code, folder.path("m.lab").exists()), (2, false), "{}", run.err);
    folder.write("bad/a.txt", "Ana");
    folder.write("bad/a.ann", "T1\tNAME 0 99\tAna\n");
    let run = folder.run(&["train", "labeller", "bad", "-o", "m.lab"]);
    assert_eq!(run.code, 2);
    assert!(
        run.err.contains("a.ann") && run.err.contains("line 1") && !run.err.contains("Ana"),
        "{}",
        run.err
    );

    let trained = trained();
    let mut bytes = std::fs::read(trained.path("m.lab")).unwrap();
    let last = bytes.len() - 1;
    bytes[last] ^= 1;
    trained.write("broken.lab", &bytes);
    trained.write("note.txt", "Nombre: Ana.\n");
    let run = trained.run(&["label", "note.txt", "-m", "broken.lab"]);
    assert_eq!(run.code, 2);
    assert!(run.err.contains("damaged") && run.out.is_empty(), "{}", run.err);
}

#[test]
fn long_lines_and_long_words_are_labelled() {
    let folder = trained();
    folder.write("new/long.txt", format!("{} {}\n\n", "palabra ".repeat(5000), "x".repeat(10_000)));
    folder.write("new/nothing.txt", "");
    let run = folder.run(&["label", "new", "-m", "m.lab"]);
    assert_eq!((run.code, run.out.lines().count()), (0, 2), "{}", run.err);
}

#[test]
fn labels_the_lines_of_columns_and_keeps_them() {
    let folder = trained();
    let file = "-DOCSTART- O\n\nNombre O\n: O\nElena O\nPons O\n. O\n\n-DOCSTART- O\n\nSin O\nfiebre O\n";
    folder.write("new.conll", file);
    let run = folder.run(&["label", "new.conll", "-m", "m.lab", "--format", "conll"]);
    assert_eq!(run.code, 0, "{}", run.err);
    let kept: Vec<&str> = run.out.lines().map(|line| line.split('\t').next().unwrap()).collect();
    assert_eq!(kept.join("\n") + "\n", file);
    assert!(run.out.contains("Elena O\tB-NAME\nPons O\tI-NAME\n. O\tO\n\n-DOCSTART- O\tO\n"), "{}", run.out);
}

/// What begins as a neural labeller, and is none.
const NOT_NEURAL: &[u8] = b"RETE2EJ\0 and nothing of it";

#[cfg(not(feature = "neural"))]
#[test]
fn says_that_neural_labellers_need_another_build() {
    let folder = Folder::new();
    notes(&folder);
    let run = folder.run(&["train", "labeller", "train", "-o", "m.lab", "--method", "e2ej"]);
    assert_eq!((run.code, folder.path("m.lab").exists()), (2, false));
    assert!(run.err.contains("--features neural"), "{}", run.err);
    folder.write("m.lab", NOT_NEURAL);
    for command in [&["label", "-m"][..], &["protect", "--labeller"]] {
        let run = folder.run(&[command, &["m.lab", "train/0.txt"]].concat());
        assert!(run.code == 2 && run.err.contains("--features neural") && run.out.is_empty(), "{}", run.err);
    }
}

#[cfg(feature = "neural")]
#[test]
fn trains_and_asks_neural_labellers() {
    let folder = Folder::new();
    notes(&folder);
    let args = "train labeller train -o m.lab --method e2ej --language es --dev train --hidden 16 --batch 4";
    let args = format!("{args} --epochs 12 --rate 0.005 --seed 3 --threads 1");
    let run = folder.run(&args.split(' ').collect::<Vec<_>>());
    assert_eq!(run.code, 0, "{}", run.err);
    assert!(run.err.contains("epoch 1: loss") && run.err.contains("dev F1"), "{}", run.err);
    let run = folder.run(&["label", "train", "-m", "m.lab", "--format", "brat", "-o", "out"]);
    assert_eq!(run.code, 0, "{}", run.err);
    assert_eq!(folder.read("out/0.ann"), folder.read("train/0.ann"));
    let run = folder.run(&["protect", "train/0.txt", "--labeller", "m.lab"]);
    assert!(run.code == 0 && !run.out.contains("Ruiz"), "{} {}", run.out, run.err);

    folder.write("broken.lab", NOT_NEURAL);
    let run = folder.run(&["label", "train/0.txt", "-m", "broken.lab"]);
    assert!(run.code == 2 && run.err.contains("broken.lab") && run.out.is_empty(), "{}", run.err);
}
