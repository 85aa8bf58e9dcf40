//! The invariants of ARCHITECTURE.md, as properties over made-up documents.

use std::sync::LazyLock;

use proptest::prelude::*;
use proptest::sample::select;
use reticent::{Policy, Protector};
use reticent_text::Document;
use reticent_text::format::{self, FormatKind, Limits};

static BASIC: LazyLock<Protector> =
    LazyLock::new(|| Protector::new(Policy::preset("basic").unwrap(), None).unwrap());

/// Things that give someone away, each with a form that must not survive.
const SECRETS: &[&str] = &[
    "ana.ruiz@example.org",
    "GB69PMNJ18913943430745",
    "4716424521511864",
    "86.231.85.193",
    "308-63-0237",
    "3 July 1962",
    "1993-01-04",
    "https://www.example.org/people/ana",
];

const PROSE: &[&str] = &[
    "the patient slept well",
    "blood pressure was 120/80",
    "she takes 5 mg once a day",
    "see Article 6 § 1",
    "—",
    "une phrase en français",
    "😀 fine",
    "no change",
    "(see below)",
    "עברית",
];

/// Prose with secrets in it, and the secrets.
fn document() -> impl Strategy<Value = (String, Vec<&'static str>)> {
    let piece = prop_oneof![
        2 => select(PROSE).prop_map(|prose| (prose, false)),
        1 => select(SECRETS).prop_map(|secret| (secret, true)),
    ];
    let joint = select(vec![" ", ", ", ". ", "\n", "; ", " and "]);
    prop::collection::vec((piece, joint), 1..14).prop_map(|pieces| {
        let mut text = String::new();
        let mut secrets = Vec::new();
        for ((words, secret), joint) in pieces {
            text.push_str(words);
            text.push_str(joint);
            secrets.extend(secret.then_some(words));
        }
        (text, secrets)
    })
}

fn protect(text: &str) -> (reticent::Released, reticent::Plan) {
    BASIC.protect(&mut Document::plain("case", text), text.as_bytes(), &[]).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3000))]

    /// 2: every byte outside the edits is the source's.
    #[test]
    fn only_planned_spans_change((text, _) in document()) {
        let (released, _) = protect(&text);
        let (mut from, mut to) = (0, 0);
        for edit in released.edits() {
            prop_assert_eq!(&text[from..edit.span.start], &released.text()[to..edit.placed.start]);
            prop_assert_eq!(&released.text()[edit.placed.start..edit.placed.end], &edit.replacement);
            (from, to) = (edit.span.end, edit.placed.end);
        }
        prop_assert_eq!(&text[from..], &released.text()[to..]);
    }

    /// 3: nothing that was masked stands anywhere in what is released.
    #[test]
    fn nothing_masked_survives((text, secrets) in document()) {
        let (released, _) = protect(&text);
        for secret in secrets {
            prop_assert!(!released.text().contains(secret), "{secret} survives");
        }
    }

    /// 3: also where no detector would find it by itself.
    #[test]
    fn masked_words_are_masked_everywhere(number in 100_000..999_999u32, prose in select(PROSE)) {
        let text = format!("MRN: {number}. {prose}. Then {number} again");
        let (released, _) = protect(&text);
        prop_assert!(!released.text().contains(&number.to_string()));
    }

    /// 5: the same every time.
    #[test]
    fn the_same_every_time((text, _) in document()) {
        let (once, again) = (protect(&text).0, protect(&text).0);
        prop_assert_eq!(once.text(), again.text());
    }

    /// 6: a released text needs nothing more.
    #[test]
    fn releasing_twice_changes_nothing_more((text, _) in document()) {
        let once = protect(&text).0;
        let problems =
            reticent::verify::verify(&Document::plain("again", once.text()), BASIC.policy(), &[]).unwrap();
        let bad = problems.iter().any(|problem| problem.severity == reticent::verify::Severity::Violation);
        prop_assert!(!bad, "{:?} in {}", problems, once.text());
    }

    /// 1 and 4: whatever comes in, there is a result or an error, and `Debug` tells no text.
    #[test]
    fn anything_goes_in_and_no_text_comes_out_of_debug(text in "\\PC{0,80}") {
        let mut document = Document::plain("any", text.clone());
        let result = BASIC.protect(&mut document, b"", &[]);
        if let Err(error) = &result {
            prop_assert!(text.len() < 8 || !error.to_string().contains(&text));
        }
        if let Ok((released, plan)) = result
            && text.chars().count() > 12
        {
            let shown = format!("{document:?} {released:?} {plan:?}");
            prop_assert!(!shown.contains(&text));
        }
    }

    /// 2, in the formats: what is written reads as what was released.
    #[test]
    fn formats_write_what_is_released((text, secrets) in document(), kind in select(vec![FormatKind::Text, FormatKind::Markdown, FormatKind::Html])) {
        let source = match kind {
            FormatKind::Html => format!("<p title=\"x\">{text}</p><!-- {text} -->"),
            _ => text,
        };
        let policy = BASIC.policy();
        let mut document = format::decode(kind, "case", source.as_bytes(), &Limits::default()).unwrap();
        let (released, _) = BASIC.protect(&mut document, source.as_bytes(), &[]).unwrap();
        let written = released.to_file(kind, &document, source.as_bytes(), policy).unwrap();
        let written = String::from_utf8(written).unwrap();
        for secret in secrets {
            prop_assert!(!written.contains(secret), "{secret} survives in {written}");
        }
    }
}

/// 9: input larger than the limits is refused with a clear error.
#[test]
fn limits_are_kept() {
    let limits = Limits { max_bytes: 10, ..Limits::default() };
    let error = format::decode(FormatKind::Text, "long", b"more than ten bytes", &limits).unwrap_err();
    assert_eq!(error.kind(), reticent_text::ErrorKind::Limit);
}
