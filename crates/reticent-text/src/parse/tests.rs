use super::*;
use crate::{Analyzer, Document, Language, Layers};

fn layers(text: &str) -> (Document, Layers) {
    let document = Document::plain("text", text);
    let layers = Analyzer::shipped().unwrap().analyze(&document, Some(Language::English)).unwrap();
    (document, layers)
}

/// Calls `check` with the tree of the first segment, and a way to find the place of a word.
fn with_tree(text: &str, check: impl Fn(&Tree, &dyn Fn(&str) -> usize)) {
    let (document, layers) = layers(text);
    let syntax = Syntax::new(&document, &layers).unwrap();
    let tree = syntax.tree(0).unwrap();
    check(tree, &|word| tree.words().iter().position(|found| found.span.of(text) == word).unwrap());
}

fn phrase_of(text: &str, head: &str) -> String {
    let (document, layers) = layers(text);
    let syntax = Syntax::new(&document, &layers).unwrap();
    for at in 0..syntax.segments().len() {
        let tree = syntax.tree(at).unwrap();
        if let Some(place) = tree.words().iter().position(|word| word.span.of(text) == head) {
            return tree.span(Constituent::of(tree, place).range).of(text).to_owned();
        }
    }
    String::new()
}

#[test]
fn is_lazy() {
    let (document, layers) = layers("The dog barked. The cat slept.");
    let syntax = Syntax::new(&document, &layers).unwrap();
    assert!(format!("{syntax:?}").contains("parsed: 0"));
    assert!(syntax.tree(1).is_some() && syntax.tree(2).is_none());
    assert!(format!("{syntax:?}").contains("parsed: 1"));
    assert!(!format!("{syntax:?}{:?}", syntax.tree(1)).contains("cat"));
}

#[test]
fn has_no_trees_without_a_parser() {
    let document = Document::plain("text", "Der Hund bellt.");
    let layers = Analyzer::shipped().unwrap().analyze(&document, Some(Language::Other)).unwrap();
    let syntax = Syntax::new(&document, &layers).unwrap();
    assert!(syntax.tree(0).is_none());
}

#[test]
fn finds_phrases() {
    for (text, head, phrase) in [
        ("The old man met Ana Ruiz in a small town.", "man", "The old man"),
        ("The old man met Ana Ruiz in a small town.", "Ana", "Ana Ruiz"),
        ("The old man met Ana Ruiz in a small town.", "town", "a small town"),
        ("On 28 November 2006 the regional court imposed a fine.", "court", "the regional court"),
        ("She saw her brother, a plumber, and the vicar.", "brother", "her brother"),
        ("He is a retired teacher.", "teacher", "a retired teacher"),
        (
            "Dx: pneumonia, right lower lobe; new atrial fibrillation",
            "fibrillation",
            "new atrial fibrillation",
        ),
        ("MAYA: thanks\nTOM: no problem", "problem", "no problem"),
    ] {
        assert_eq!(phrase_of(text, head), phrase, "{text}");
    }
}

#[test]
fn tells_determiner_modifiers_and_number() {
    with_tree("Her two small dogs barked at the postman.", |tree, find| {
        let dogs = Constituent::of(tree, find("dogs"));
        assert_eq!((dogs.determiner, dogs.number), (Some(find("Her")), Some(Number::Plural)));
        assert_eq!(dogs.modifiers, [find("two"), find("small")]);
        let postman = Constituent::of(tree, find("postman"));
        assert_eq!((postman.marker, postman.number), (Some(find("at")), Some(Number::Singular)));
    });
}

#[test]
fn finds_clauses() {
    with_tree("She said that he left because it rained.", |tree, find| {
        let clauses = Clauses::of(tree);
        let predicates: Vec<_> =
            clauses.clauses.iter().map(|clause| (clause.predicate, clause.kind)).collect();
        let (main, inner, reason) = (find("said"), find("left"), find("rained"));
        let expected =
            [(main, ClauseKind::Main), (inner, ClauseKind::Complement), (reason, ClauseKind::Adverbial)];
        assert_eq!(predicates, expected);
        assert_eq!(clauses.clauses[1].subject, Some(find("he")));
        assert_eq!(clauses.clauses[2].marker, Some(find("because")));
        assert_ne!(clauses.clause_of[find("She")], clauses.clause_of[find("he")]);
        assert_eq!(clauses.above(tree, 1), Some(0));
        assert!(clauses.clauses.iter().all(|clause| clause.is_finite));
    });
}

#[test]
fn finds_coordinations_and_appositions() {
    with_tree("She saw the clerk and the vicar.", |tree, find| {
        let found = Coordination::all(tree);
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].conjuncts, [find("clerk"), find("vicar")]);
        assert_eq!(found[0].conjunctions, [find("and")]);
    });
    with_tree("He met Ana Ruiz, the mayor of Lugo.", |tree, find| {
        assert_eq!(Apposition::all(tree), [Apposition { first: find("Ana"), second: find("mayor") }]);
    });
}

/// The time for twice as much is about twice as long, whatever the text.
#[test]
fn parses_hostile_text_in_linear_time() {
    type Make = Box<dyn Fn(usize) -> String>;
    let brackets = |count: usize| format!("{}x{}", "( ".repeat(count), " )".repeat(count));
    let texts: [(&str, Make); 4] = [
        ("a long sentence", Box::new(|words| "the man who saw the dog ".repeat(words / 6))),
        ("nested brackets", Box::new(move |words| brackets(words / 2))),
        ("a token in a line", Box::new(|words| "word\n".repeat(words))),
        ("conjunctions", Box::new(|words| "and that if ".repeat(words / 3))),
    ];
    for (name, make) in texts {
        let time = |words: usize| {
            let (document, layers) = layers(&make(words));
            let start = std::time::Instant::now();
            let syntax = Syntax::new(&document, &layers).unwrap();
            for at in 0..syntax.segments().len() {
                let tree = syntax.tree(at).unwrap();
                assert_eq!(Clauses::of(tree).clause_of.len(), tree.len());
                assert!(Constituent::all(tree).len() <= tree.len());
                let scopes = crate::scope::Scopes::of(tree, document.text(), Language::English).unwrap();
                assert_eq!(scopes.polarity.len(), tree.len());
            }
            start.elapsed()
        };
        english_parser().unwrap();
        let (small, large) = (time(2_000).min(time(2_000)), time(10_000));
        assert!(large < small * 15 + std::time::Duration::from_millis(50), "{name}: {small:?}, {large:?}");
    }
}

#[test]
fn refuses_what_is_no_model() {
    let model = include_bytes!("../../models/spanish-parser.bin");
    assert!(Parser::read(model).is_ok());
    assert!(Parser::read(b"").is_err() && Parser::read(b"reticent parser 1\n").is_err());
    assert!(Parser::read(&[&model[..], b"x"].concat()).is_err());
    for at in (0..2_000).step_by(37) {
        assert!(Parser::read(&model[..at]).is_err());
        let mut changed = model.to_vec();
        changed[at] ^= 0x55;
        // What can be read can be used.
        if let Ok(parser) = Parser::read(&changed) {
            assert_eq!(parser.parse_words("él se fue", Language::Spanish).len(), 3);
        }
    }
}

/// The figures of the model card, and the speed.
#[test]
fn shipped_parser_is_good_enough() {
    use crate::train::parser::{read_treebank, score};
    for (file, language, uas, las) in [
        ("ud-english-ewt-test", Language::English, 0.85, 0.82),
        ("ud-english-gum-test", Language::English, 0.85, 0.82),
        ("ud-spanish-gsd-test", Language::Spanish, 0.77, 0.72),
    ] {
        let Some(path) = reticent_testing::shared(&format!("data/lang/{file}.conllu.gz")) else { return };
        let file = std::fs::File::open(path).unwrap();
        let mut input = std::io::BufReader::new(flate2::read::GzDecoder::new(file));
        let gold = read_treebank(&mut input).unwrap();
        let parser = if language == Language::English { english_parser() } else { spanish_parser() };
        let (score, _) = score(parser.unwrap(), &gold, language).unwrap();
        assert!(score.uas() >= uas && score.las() >= las, "{score}");
    }
}
