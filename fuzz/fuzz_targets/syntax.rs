//! Trees, phrases, clauses, operators and polarity of any text: every token has its place, nothing panics.
#![no_main]

use libfuzzer_sys::fuzz_target;
use reticent_text::parse::{Clauses, Constituent, Syntax};
use reticent_text::scope::Scopes;
use reticent_text::{Analyzer, Document, Language};

fuzz_target!(|text: &str| {
    let document = Document::plain("d", text);
    for language in [Language::English, Language::Spanish] {
        let layers = Analyzer::shipped().unwrap().analyze(&document, Some(language)).unwrap();
        let syntax = Syntax::new(&document, &layers).unwrap();
        let held: usize = syntax.segments().iter().map(|segment| segment.tokens.len()).sum();
        assert_eq!(held, layers.tokens.len());
        for at in 0..syntax.segments().len() {
            let tree = syntax.tree(at).unwrap();
            assert!(tree.words().windows(2).all(|pair| pair[0].span.end <= pair[1].span.start));
            let clauses = Clauses::of(tree);
            assert!(clauses.clause_of.iter().all(|clause| *clause < clauses.clauses.len()));
            for phrase in Constituent::all(tree) {
                assert!(phrase.range.contains(&phrase.head) && phrase.range.end <= tree.len());
            }
            assert_eq!(Scopes::of(tree, text, language).unwrap().polarity.len(), tree.len());
        }
    }
});
