use reticent_text::{Analyzer, Language};

use super::*;

/// A text with other words in it, made one; `-` are gaps.
fn told(text: &str, replaced: &[(&str, &str)]) -> String {
    let mut document = Document::plain("d", text);
    let layers = Analyzer::shipped().unwrap().analyze(&document, Some(Language::English)).unwrap();
    document.set_layers(layers.clone());
    let (mut edits, mut free) = (Vec::new(), 0);
    for (words, said) in replaced {
        let start = free + text[free..].find(words).unwrap();
        free = start + words.len();
        let words = if *said == "-" { "[DETAIL]" } else { said };
        edits.push((
            Span::new(start, free),
            Edit { span: Span::new(start, free), replacement: words.to_owned() },
        ));
    }
    let mut edits: Vec<Change<'_>> =
        edits.iter_mut().map(|(span, edit)| (*span, true, Some(Sort::Thing), edit)).collect();
    fill(&document, &layers, &mut edits);
    let (mut out, mut from) = (String::new(), 0);
    for (_, _, _, edit) in &edits {
        out.push_str(&text[from..edit.span.start]);
        out.push_str(&edit.replacement);
        from = edit.span.end;
    }
    out + &text[from..]
}

#[test]
fn what_is_called_the_same_is_said_once() {
    for (text, replaced, new) in [
        (
            "They fight flu and cancer.",
            vec![("flu", "a condition"), ("cancer", "a condition")],
            "They fight conditions.",
        ),
        (
            "They fight colds or cancers.",
            vec![("colds", "conditions"), ("cancers", "conditions")],
            "They fight conditions.",
        ),
        (
            "It is the virus (HIV).",
            vec![("virus", "microorganism"), ("HIV", "a microorganism")],
            "It is the microorganism.",
        ),
        (
            "It spreads by sex and needles.",
            vec![("sex", "-"), ("needles", "-")],
            "It spreads by some things.",
        ),
        (
            "It attacks and weakens the body.",
            vec![("attacks", "-"), ("weakens", "-")],
            "It has something to do with the body.",
        ),
        (
            "HIV stands for human immunodeficiency virus.",
            vec![("HIV", "A virus"), ("human immunodeficiency virus", "a virus")],
            "A virus has a longer name.",
        ),
        (
            "It comes by cancers or by infections that kill.",
            vec![("cancers", "conditions"), ("infections", "conditions")],
            "It comes by conditions or by other conditions that kill.",
        ),
    ] {
        assert_eq!(told(text, &replaced), new);
    }
}

#[test]
fn what_belonged_to_what_is_gone_goes() {
    for (text, replaced, new) in [
        (
            "They have cytomegalovirus (CMV) there.",
            vec![("cytomegalovirus", "-")],
            "They have something there.",
        ),
        ("They have longer, healthier lives.", vec![("healthier lives", "lives")], "They have longer lives."),
        (
            "She took lower doses than he did.",
            vec![("lower doses", "doses")],
            "She took other doses than he did.",
        ),
        ("It combines at least three drugs.", vec![("least three drugs", "drugs")], "It combines drugs."),
        ("There are types of lymphoma.", vec![("lymphoma", "a cancer")], "There are types of cancer."),
        ("They eat too much sugar now.", vec![("much sugar", "a food")], "They eat a food now."),
        ("Summary : It began early.", vec![("Summary", "-")], "It began early."),
    ] {
        assert_eq!(told(text, &replaced), new);
    }
}

#[test]
fn other_words_stay() {
    for (text, replaced, new) in [
        (
            "They fight flu and cancer.",
            vec![("flu", "a condition"), ("cancer", "a disease")],
            "They fight a condition and a disease.",
        ),
        (
            "They saw a doctor (CMV) there.",
            vec![("doctor", "professional")],
            "They saw a professional (CMV) there.",
        ),
        ("There is no cure.", vec![("cure", "-")], "There is no [DETAIL]."),
        ("She took lower doses.", vec![("lower doses", "doses")], "She took doses."),
        ("They live long, healthier lives.", vec![("lives", "times")], "They live long, healthier times."),
        ("A flu stands for nothing.", vec![("flu", "condition")], "A condition stands for nothing."),
    ] {
        assert_eq!(told(text, &replaced), new);
    }
}
