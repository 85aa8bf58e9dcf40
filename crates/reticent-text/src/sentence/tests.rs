use super::*;

fn sentences(text: &str) -> Vec<&str> {
    let mut out = Vec::new();
    split(text, Span::new(0, text.len()), &mut out);
    out.into_iter().map(|span| span.of(text)).collect()
}

#[test]
fn ends_sentences() {
    for (text, expected) in [
        ("He left. She stayed.", &["He left.", "She stayed."][..]),
        ("“Go!” he said. “Why?” She left.", &["“Go!” he said.", "“Why?”", "She left."]),
        ("It works for Acme Inc. The price rose.", &["It works for Acme Inc.", "The price rose."]),
        ("He came at 5 p.m. She left.", &["He came at 5 p.m.", "She left."]),
        ("(See below.) Next.", &["(See below.)", "Next."]),
        ("She came in 2009.Widely known, she left.", &["She came in 2009.", "Widely known, she left."]),
        ("He likes performances.Carrey sings.", &["He likes performances.", "Carrey sings."]),
        (
            "He made Captain Fantastic.Aside from it he sang.",
            &["He made Captain Fantastic.", "Aside from it he sang."],
        ),
        ("i went home. then i slept", &["i went home.", "then i slept"]),
        ("Wait... What?", &["Wait...", "What?"]),
        ("我是学生。他不是。", &["我是学生。", "他不是。"]),
        ("Fin.\r\n\r\nOtra.", &["Fin.", "Otra."]),
        ("no stop\n\nnext block", &["no stop", "next block"]),
        ("Edad: 70 años Sexo: H.\nFecha: hoy.", &["Edad: 70 años Sexo: H.", "Fecha: hoy."]),
        ("Say no. I will.", &["Say no.", "I will."]),
        ("It is hepatitis C. Fungi cause thrush.", &["It is hepatitis C.", "Fungi cause thrush."]),
        ("Toma vitamina D. Refuerzo al mes.", &["Toma vitamina D.", "Refuerzo al mes."]),
    ] {
        assert_eq!(sentences(text), expected);
    }
}

#[test]
fn leaves_full_stops_inside_alone() {
    for text in [
        "Dr. Smith met Mr. Jones Jr. at 5 p.m. on Monday.",
        "An application (no. 55863/11) was lodged.",
        "J. K. Rowling wrote it.",
        "It was written by C. Smith and the band of B. Jones.",
        "The hepatitis C. difficile causes.",
        "The U.S. Army came.",
        "La Dra. García y D. Pedro firmaron.",
        "Médico: Ignacio Navarro Cuéllar NºCol: 28 28 70973.",
        "It cost 3.14 dollars at example.com today.",
        "Write to john.Smith@example.org or see readme.Txt/old and 2009.X.",
        "They built it with Node.Js and Asp.Net for Captain.Marvel in 2009.",
        "She sang in Horton Hears a Who! (2008) and left.",
        "Apple Inc. said so.",
        "He wrote approx. five letters.",
        "“What?” he asked.",
        "Yahoo! said no.",
        "1. Wash your hands.",
        "Avda. de la Paz 3, 2.º dcha.",
        "He lived in St. Louis with Lt. Gen. Brown.",
        "Ph.D. students, e.g. Ana, i.e. her.",
    ] {
        assert_eq!(sentences(text), [text]);
    }
}

#[test]
fn breaks_lines_that_were_broken_on_purpose() {
    for (text, count) in [
        ("Nombre: Pedro.\nApellidos: Ruiz.\nNHC: 368503.", 3),
        ("PAST MEDICAL HISTORY:\nDiabetes.", 2),
        ("PAST MEDICAL HISTORY\nDiabetes since 1990", 2),
        ("Buy:\n- bread\n- milk\n- eggs", 4),
        ("1. Wash hands\n2. Eat well", 2),
        ("Ana Ruiz\nCalle Mayor 3\n28001 Madrid", 3),
        ("Family history\nHis mother had diabetes and his father died of a heart attack.", 2),
    ] {
        assert_eq!(sentences(text).len(), count, "{:?}", sentences(text));
    }
}

#[test]
fn leaves_wrapped_lines_together() {
    for text in [
        "The applicant was born in 1968 and is currently\ndetained in the great prison of the North Sea\nCamp.",
        "On that day the letter was sent to the office of\nMary Smith, who had asked for it some time ago.",
        "The report was signed on the following day by Dr.\nSmith, who had asked for it some time ago again.",
    ] {
        assert_eq!(sentences(text).len(), 1, "{:?}", sentences(text));
    }
}

#[test]
fn survives_nothing_and_noise() {
    assert!(sentences("").is_empty());
    assert!(sentences(" \n\t\r\n ").is_empty());
    assert_eq!(sentences("😀👍🏽").len(), 1);
    assert_eq!(sentences("...").len(), 1);
    assert_eq!(sentences(". \u{301}. X"), [". \u{301}.", "X"]);
}
