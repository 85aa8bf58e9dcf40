use super::*;
use crate::{Span, Tag};
use proptest::prelude::*;
use unicode_segmentation::UnicodeSegmentation;

fn analyze(text: &str, language: Option<Language>) -> Layers {
    Analyzer::shipped().unwrap().analyze(&Document::plain("t", text), language).unwrap()
}

fn phrases(text: &str) -> Vec<&str> {
    analyze(text, None).noun_phrases.iter().map(|span| span.of(text)).collect()
}

#[test]
fn finds_english_noun_phrases() {
    assert_eq!(
        phrases("Rockwell International's Tulsa unit said it signed a tentative agreement."),
        ["Rockwell International", "'s Tulsa unit", "it", "a tentative agreement"]
    );
    let found = phrases("The patient was diagnosed with acquired immunodeficiency syndrome in 1990.");
    assert_eq!(found, ["The patient", "acquired immunodeficiency syndrome", "1990"]);
}

#[test]
fn finds_spanish_noun_phrases() {
    let found = phrases("La paciente presenta una hematuria macroscópica persistente desde el 3 de mayo.");
    assert!(found.contains(&"La paciente"), "{found:?}");
    assert!(found.contains(&"una hematuria macroscópica persistente"), "{found:?}");
}

#[test]
fn tags_spanish_names_by_their_capitals() {
    let text = "Datos del paciente.\nNombre: Ernesto.\nEdad: 70 años Sexo: H.";
    let layers = analyze(text, None);
    let terms: Vec<_> = layers.terms(text).iter().map(|term| term.span.of(text)).collect();
    assert!(terms.contains(&"Ernesto") && terms.contains(&"70 años"), "{terms:?}");
    // A verb at the start of a sentence is none.
    let layers = analyze("Vino ayer con su madre a la consulta.", Some(Language::Spanish));
    assert_ne!(layers.tokens[0].tag.pos(), crate::Pos::ProperNoun);
}

#[test]
fn finds_words_in_other_languages() {
    let text = "Он родился в Москве.";
    let layers = analyze(text, None);
    assert!(layers.fallback && layers.noun_phrases.is_empty());
    assert!(layers.tokens.iter().all(|token| token.tag == Tag::UNKNOWN));
    assert_eq!(layers.terms(text).len(), 4);
}

#[test]
fn phrases_do_not_cross_headings() {
    let text = "PAST MEDICAL HISTORY:\nDiabetes\nHypertension\n\nSMOKING STATUS\nNever";
    for phrase in phrases(text) {
        assert!(!phrase.contains('\n'), "{phrase:?}");
    }
}

#[test]
fn layers_do_not_cross_regions() {
    let text = "Ana RuizMadrid office";
    let region = |start, end| crate::Region {
        span: Span::new(start, end),
        kind: crate::RegionKind::Body,
        name: String::new(),
    };
    let regions = vec![region(0, 8), region(8, 21)];
    let document = Document::new("t", text.into(), crate::Source::identity(text), regions);
    let layers = Analyzer::shipped().unwrap().analyze(&document, Some(Language::English)).unwrap();
    assert_eq!(layers.sentences, [Span::new(0, 8), Span::new(8, 21)]);
    assert_eq!(layers.noun_phrases, [Span::new(0, 8), Span::new(8, 21)]);
}

#[test]
fn refuses_an_order_that_cannot_work() {
    assert!(Analyzer::new(vec![Box::new(Tokenizer)]).is_err());
}

#[test]
fn survives_noise() {
    for text in
        ["", " \n\t ", "😀😀", "\u{301}", "....", "a", "THE PATIENT HAS DIABETES", "the patient has diabetes"]
    {
        holds(text, None);
    }
    holds(&"x".repeat(10_000), None);
    holds(&"patient ".repeat(10_000), None);
}

/// What must hold for every text.
fn holds(text: &str, language: Option<Language>) {
    let layers = analyze(text, language);
    let again = analyze(text, language);
    assert!(layers.tokens == again.tokens && layers.noun_phrases == again.noun_phrases);
    let borders: std::collections::HashSet<usize> =
        text.grapheme_indices(true).map(|(at, _)| at).chain([text.len()]).collect();
    let mut covered = 0;
    for token in &layers.tokens {
        let span = token.span;
        assert!(span.fits(text) && !span.is_empty() && span.start >= covered);
        assert!(text[covered..span.start].chars().all(char::is_whitespace));
        assert!(borders.contains(&span.start) && borders.contains(&span.end));
        covered = span.end;
    }
    assert!(text[covered..].chars().all(char::is_whitespace));
    let within = |span: Span| layers.sentences.iter().filter(|sentence| sentence.contains(span)).count();
    assert!(layers.tokens.iter().all(|token| within(token.span) == 1) || layers.tokens.len() > 1000);
    assert_eq!(layers.sentence_tokens().map(|range| range.len()).sum::<usize>(), layers.tokens.len());
    for phrase in &layers.noun_phrases {
        assert_eq!(within(*phrase), 1);
        assert!(layers.tokens.iter().any(|token| token.span.start == phrase.start));
        assert!(layers.tokens.iter().any(|token| token.span.end == phrase.end));
    }
    for term in layers.terms(text) {
        assert!(term.span.contains(term.core) && !term.core.is_empty());
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn holds_for_any_text(text in "(\\PC|[ \n\r\t.]){0,60}", language in 0..3usize) {
        holds(&text, Some([Language::English, Language::Spanish, Language::Other][language]));
    }

    #[test]
    fn holds_for_text_like_ours(
        parts in prop::collection::vec(
            prop::sample::select(vec![
                "Dr.", "the", " ", "\n", "\n\n", "Ana", "n't", "'s", "’", ".", "U.S.", "😀", "👨‍👩‍👧", "\u{301}", "12/05/2011",
                "a@b.org", "http://x.org", "(", ")", "$5", "NHC: 3", "- ", "1. ", "\u{600}", "\u{d4e}", "\r\n", "HISTORY:",
                "🇪🇸", "我", "。", "\u{200d}", "…", "—", ",", "é", "\u{a0}", "\u{ad}", "!",
            ]),
            0..40,
        ),
    ) {
        holds(&parts.concat(), Some(Language::English));
        holds(&parts.concat(), None);
    }
}
