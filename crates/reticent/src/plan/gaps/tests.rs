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
            "HIV stands for human immunodeficiency virus. It kills cells.",
            vec![("HIV", "A virus"), ("human immunodeficiency virus", "a virus")],
            "A virus kills cells.",
        ),
        (
            "One is AIDS, which stands for acquired immunodeficiency syndrome.",
            vec![("AIDS", "a disorder"), ("acquired immunodeficiency syndrome", "a syndrome")],
            "One is a disorder.",
        ),
        (
            "She has HIV, the virus that causes AIDS.",
            vec![("HIV", "a microorganism"), ("virus", "microorganism"), ("AIDS", "a disorder")],
            "She has a microorganism that causes a disorder.",
        ),
        (
            "Penicillin, an antibiotic, is used here.",
            vec![("Penicillin", "An antibiotic")],
            "An antibiotic is used here.",
        ),
        (
            "Lymphoma, a cancer that grows, hurts.",
            vec![("Lymphoma", "A cancer")],
            "A cancer that grows, hurts.",
        ),
        ("Lymphoma is a cancer that grows there.", vec![("Lymphoma", "A cancer")], "A cancer grows there."),
        (
            "AIDS is primarily an immune disorder caused by germs.",
            vec![("AIDS", "A disorder"), ("immune disorder", "disorder")],
            "A disorder is primarily caused by germs.",
        ),
        (
            "They have opportunistic infections (OIs).",
            vec![("OIs", "infections")],
            "They have opportunistic infections.",
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
        (
            "Men have a higher risk than others.",
            vec![("higher risk", "risk")],
            "Men have another risk than others.",
        ),
        ("It helps HIV-positive men.", vec![("HIV", "the virus")], "It helps virus-positive men."),
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

#[test]
fn what_is_named_next_is_another() {
    for (text, replaced, new) in [
        (
            "Tuberculosis and a related disease, Mycobacterium avium complex, are infections.",
            vec![("Tuberculosis", "A disease"), ("related disease", "disease")],
            "A disease and another disease, Mycobacterium avium complex, are infections.",
        ),
        (
            "In winter they fight flu and cancer, but not now.",
            vec![("flu", "a condition"), ("cancer", "a condition")],
            "In winter they fight conditions, but not now.",
        ),
    ] {
        assert_eq!(told(text, &replaced), new);
    }
}

#[test]
fn something_goes_where_other_things_are_listed() {
    for (text, replaced, new) in [
        ("Infections include flu and mumps.", vec![("flu", "-")], "Infections include mumps."),
        ("Fungi cause thrush and histoplasmosis.", vec![("histoplasmosis", "-")], "Fungi cause thrush."),
        (
            "Fungi cause thrush, cryptic meningitis and histoplasmosis.",
            vec![("cryptic meningitis", "meningitis"), ("histoplasmosis", "-")],
            "Fungi cause thrush and meningitis.",
        ),
        (
            "Causes are fever, candidiasis, and pain.",
            vec![("candidiasis", "-")],
            "Causes are fever and pain.",
        ),
        ("She can get it during sleep or work.", vec![("work", "-")], "She can get it during sleep."),
        (
            "Causes include syphilis, chlamydia and herpes.",
            vec![("syphilis", "a disease"), ("chlamydia", "-"), ("herpes", "a disease")],
            "Causes include diseases.",
        ),
        ("Parasites cause toxo (toxoplasmosis).", vec![("toxo", "-")], "Parasites cause toxoplasmosis."),
        ("They have a fever, such as malaria.", vec![("malaria", "-")], "They have a fever."),
    ] {
        assert_eq!(told(text, &replaced), new);
    }
}

#[test]
fn something_stays_where_the_rest_does_not_follow() {
    for (text, replaced, new) in [
        ("It is thrush or malaria.", vec![("malaria", "-")], "It is thrush or something."),
        (
            "They do not treat flu and malaria.",
            vec![("malaria", "-")],
            "They do not treat flu and something.",
        ),
        (
            "If it causes flu and malaria, call.",
            vec![("malaria", "-")],
            "If it causes flu and something, call.",
        ),
        ("It is between flu and malaria.", vec![("malaria", "-")], "It is between flu and something."),
        ("Fungi and malaria are rare.", vec![("malaria", "-")], "Fungi and something are rare."),
        (
            "It causes malaria and parasites cause flu.",
            vec![("malaria", "-")],
            "It causes something and parasites cause flu.",
        ),
        ("Get a disease, such as malaria, or flu.", vec![("malaria", "-")], "Get a disease, or flu."),
    ] {
        assert_eq!(told(text, &replaced), new);
    }
}

#[test]
fn what_says_nothing_is_left_out() {
    for (text, replaced, new) in [
        ("It hurts. There are many types of OIs. Call us.", vec![("OIs", "-")], "It hurts. Call us."),
        (
            "They are rare. These are also called opportunistic infections (OIs). Call us.",
            vec![("opportunistic infections", "infections"), ("OIs", "-")],
            "They are rare. Call us.",
        ),
        ("Use an antibiotic called ceftriaxone now.", vec![("ceftriaxone", "-")], "Use an antibiotic now."),
        ("It has ulcers, also called sores, inside.", vec![("sores", "-")], "It has ulcers inside."),
        ("The virus (often called JC virus) is rare.", vec![("JC virus", "-")], "The virus is rare."),
    ] {
        assert_eq!(told(text, &replaced), new);
    }
}

#[test]
fn what_says_something_stays() {
    for (text, replaced, new) in [
        (
            "It hurts. They cure malaria. Call us.",
            vec![("malaria", "-")],
            "It hurts. They cure something. Call us.",
        ),
        ("They have malaria.", vec![("malaria", "-")], "They have something."),
        ("There are types of OIs. They hurt.", vec![("OIs", "-")], "There are types of things. They hurt."),
        ("A growth is called cancer.", vec![("cancer", "a disease")], "A growth is called a disease."),
        ("The red and purple patches hurt.", vec![("purple patches", "patches")], "The red patches hurt."),
        ("They saw cats and old men.", vec![("old men", "men")], "They saw cats and men."),
    ] {
        assert_eq!(told(text, &replaced), new);
    }
}
