//! `reticent vectors`.

use crate::common::Folder;

/// Invented people, so often that training has something to learn.
fn corpus(folder: &Folder) {
    let rows: String = (0..60)
        .map(|_| {
            "{\"text\": \"Ana Ruiz played the young witch in the film Silver Broom. Tom Reyes drove the red truck across Gravel Hill.\"}\n"
        })
        .collect();
    folder.write("corpus.jsonl", rows);
}

const SMALL: [&str; 8] = ["--dimension", "16", "--epochs", "3", "--threads", "1", "--subsample", "0"];

fn train(folder: &Folder, more: &[&str]) -> crate::common::Run {
    folder.run(&[&["vectors", "train", "corpus.jsonl"], &SMALL[..], more].concat())
}

#[test]
fn trains_and_tells_what_is_near() {
    let folder = Folder::new();
    corpus(&folder);
    let run = train(&folder, &["-o", "a.vec"]);
    assert_eq!(run.code, 0, "{}", run.err);
    assert!(run.err.contains("60 documents") && run.err.contains("terms/s"), "{}", run.err);
    let run = folder.run(&["vectors", "nearest", "Ana Ruiz", "--vectors", "a.vec", "-n", "3"]);
    assert_eq!((run.code, run.out.lines().count()), (0, 3), "{}", run.err);
    assert_eq!(run.out.lines().next(), Some("1.0000\tana ruiz"));

    train(&folder, &["-o", "b.vec"]);
    let read = |name| std::fs::read(folder.path(name)).unwrap();
    assert!(read("a.vec") == read("b.vec"), "one thread and one seed: the same bytes");
    train(&folder, &["-o", "c.vec", "--eight-bit"]);
    assert!(read("c.vec").len() < read("a.vec").len());
}

#[test]
fn a_term_without_a_vector_says_so() {
    let folder = Folder::new();
    let run = folder.run(&["vectors", "nearest", "qzxjwv"]);
    assert_eq!((run.code, run.out.as_str()), (1, ""));
    assert!(run.err.contains("no vector"), "{}", run.err);
    let run = folder.run(&["vectors", "nearest", "breast cancer", "-n", "5"]);
    assert_eq!(run.code, 0);
    assert!(run.out.contains("cancer") && run.err.contains("composed"), "{}{}", run.out, run.err);
}

#[test]
fn expands_with_new_terms() {
    let folder = Folder::new();
    corpus(&folder);
    train(&folder, &["-o", "a.vec"]);
    folder.write("more.txt", "Eva Stone played the old witch in the film Silver Broom.\n".repeat(20));
    let more = ["vectors", "expand", "a.vec", "more.txt", "-o", "b.vec", "--threads", "1", "--epochs", "3"];
    let run = folder.run(&more);
    assert_eq!(run.code, 0, "{}", run.err);
    let nearest = |file, term| folder.run(&["vectors", "nearest", term, "--vectors", file, "-n", "1"]).out;
    assert_eq!(nearest("b.vec", "Eva Stone"), "1.0000\teva stone\n");
    let old = folder.run(&["vectors", "nearest", "red truck", "--vectors", "a.vec", "-n", "4"]).out;
    let new = folder.run(&["vectors", "nearest", "red truck", "--vectors", "b.vec", "-n", "30"]).out;
    assert!(old.lines().all(|line| new.contains(line)), "old vectors stay as they are");

    train(&folder, &["-o", "final.vec", "--final"]);
    let run = folder.run(&["vectors", "expand", "final.vec", "more.txt", "-o", "c.vec"]);
    assert_eq!(run.code, 2);
    assert!(run.err.contains("--final"), "{}", run.err);
}

#[test]
fn imports_and_exports() {
    let folder = Folder::new();
    folder.write("words.txt", "film 1 0.5\nmovie 0.9 0.6\ngravel -1 1\n");
    let run = folder.run(&["vectors", "import", "words.txt", "-o", "w.vec", "--eight-bit"]);
    assert_eq!(run.code, 0, "{}", run.err);
    let run = folder.run(&["vectors", "nearest", "Films", "--vectors", "w.vec", "-n", "2"]);
    assert!(run.out.ends_with("\tmovie\n"), "{}", run.out);
    let run = folder.run(&["vectors", "export", "w.vec", "-o", "w.bin"]);
    assert_eq!(run.code, 0, "{}", run.err);
    assert!(std::fs::read(folder.path("w.bin")).unwrap().starts_with(b"3 2\nfilm "));
    let run = folder.run(&["vectors", "import", "w.bin", "-o", "again.vec"]);
    assert_eq!(run.code, 0, "{}", run.err);
}

#[test]
fn tells_what_training_sees() {
    let folder = Folder::new();
    folder.write("a.jsonl", "{\"id\": \"n1\", \"text\": \"José met Ana Ruiz.\"}\n");
    let run = folder.run(&["vectors", "tokens", "a.jsonl"]);
    assert_eq!(run.out, "jose met ana_ruiz\n", "{}", run.err);
    let run = folder.run(&["vectors", "tokens", "--spans", "--id-field", "id", "a.jsonl"]);
    assert_eq!(run.out, "{\"id\":\"n1\",\"spans\":[[0,4,\"jose\"],[9,17,\"ana_ruiz\"]]}\n", "{}", run.err);
}

#[test]
fn bad_input_is_told_in_plain_words() {
    let folder = Folder::new();
    folder.write("empty.txt", "");
    folder.write("mixed.txt", "film 1 2\nsecretword 1 2 3\n");
    folder.write("damaged.vec", "RETICENT and then nothing");
    folder.write("blob.txt", format!("film 1 2\n{} 1 2\n", "x".repeat(10_000)));
    for (args, says) in [
        (&["vectors", "train", "empty.txt", "-o", "o.vec"][..], "no terms to train on"),
        (&["vectors", "train", "none.txt", "-o", "o.vec"], "none.txt"),
        (&["vectors", "train", "mixed.txt", "-o", "o.vec", "--dimension", "0"], "dimension"),
        (&["vectors", "import", "mixed.txt", "-o", "o.vec"], "line 2"),
        (&["vectors", "import", "blob.txt", "-o", "o.vec"], "longer than"),
        (&["vectors", "import", "empty.txt", "-o", "o.vec"], "empty"),
        (&["vectors", "nearest", "film", "--vectors", "damaged.vec"], "damaged.vec"),
        (&["vectors", "expand", "damaged.vec", "mixed.txt", "-o", "o.vec"], "damaged.vec"),
    ] {
        let run = folder.run(args);
        assert_eq!(run.code, 2, "{args:?} {}", run.err);
        assert!(run.err.contains(says), "{args:?} {}", run.err);
        assert!(!run.err.contains("secretword") && !run.err.contains("xxx") && !run.err.contains("internal"));
        assert!(!folder.path("o.vec").exists());
    }
}

#[test]
fn tells_how_alike_two_terms_are() {
    let folder = Folder::new();
    let cosine = |one, other| {
        let run = folder.run(&["vectors", "similarity", one, other]);
        assert_eq!(run.code, 0, "{}", run.err);
        run.out.trim().parse::<f32>().unwrap()
    };
    assert!(cosine("actress", "actor") > cosine("actress", "gravel"));

    let run = folder.run(&["vectors", "similarity", "actress", "qzxjwv"]);
    assert_eq!((run.code, run.out.as_str()), (1, ""));
    assert!(run.err.contains("the second term has no vector"), "{}", run.err);
    let sentence = ["--in", "the secret banking"];
    let run = folder.run(&[&["vectors", "similarity", "bank", "river"], &sentence[..]].concat());
    assert_eq!((run.code, run.out.as_str()), (2, ""));
    assert!(run.err.contains("does not occur in its sentence") && !run.err.contains("secret"), "{}", run.err);
    let run = folder.run(&["vectors", "similarity", "bank", "river", "--in", "the bank"]);
    assert_eq!(run.code, 0, "{}", run.err);
}

#[test]
fn a_directory_is_a_model_or_says_what_is_missing() {
    let folder = Folder::new();
    std::fs::create_dir(folder.path("model")).unwrap();
    let run = folder.run(&["vectors", "similarity", "bank", "river", "--vectors", "model"]);
    assert_eq!((run.code, run.out.as_str()), (2, ""));
    let told = if cfg!(feature = "contextual") { "config.json" } else { "--features contextual" };
    assert!(run.err.contains(told), "{}", run.err);
    let run = folder.run(&["vectors", "nearest", "bank", "--vectors", "model"]);
    assert_eq!(run.code, 2);
    assert!(run.err.contains("is a directory"), "{}", run.err);
}
