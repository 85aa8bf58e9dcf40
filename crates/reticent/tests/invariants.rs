//! The invariants of ARCHITECTURE.md, as properties over made-up documents.

use std::sync::LazyLock;
use std::sync::atomic::{AtomicUsize, Ordering};

use proptest::prelude::*;
use proptest::sample::select;
use reticent::{Detector, Error, ErrorKind, Finding, Policy, Protector};
use reticent_text::Document;
use reticent_text::format::rows::{Fields, RowFormat, RowReader};
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

/// A detector that cannot read: from its nth look on, it errs.
struct Failing {
    from: usize,
    looks: AtomicUsize,
}

impl Detector for Failing {
    fn name(&self) -> &'static str {
        "failing"
    }

    fn detect(&self, _: &Document) -> Result<Vec<Finding>, Error> {
        if self.looks.fetch_add(1, Ordering::Relaxed) < self.from {
            return Ok(Vec::new());
        }
        Err(Error::new(ErrorKind::Detector, "cannot read"))
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(50))]

    /// 1: a detector that fails refuses the document, at the first look and also when the result is
    /// looked at again; the error names the document and tells nothing of it.
    #[test]
    fn a_detector_that_fails_refuses_the_document((text, secrets) in document(), from in 0usize..2) {
        let policy = Policy::preset("basic").unwrap();
        let failing = Failing { from, looks: AtomicUsize::new(0) };
        let protector = Protector::new(policy, None).unwrap().with_detector(Box::new(failing));
        let refused = protector.protect(&mut Document::plain("case", text.clone()), text.as_bytes(), &[]);
        let error = refused.err();
        prop_assert!(error.is_some(), "released although a detector failed");
        let said = error.map(|error| format!("{error} {error:?}")).unwrap_or_default();
        prop_assert!(said.contains("cannot read") && said.contains("case"), "{}", said);
        prop_assert!(!secrets.iter().any(|secret| said.contains(secret)));
    }

    /// 9: what is larger than the limit is refused as that, what is not is read.
    #[test]
    fn files_keep_the_limit((text, _) in document(), max_bytes in 0u64..400, kind in select(vec![FormatKind::Text, FormatKind::Markdown, FormatKind::Html])) {
        let limits = Limits { max_bytes, ..Limits::default() };
        let read = format::decode(kind, "case", text.as_bytes(), &limits).map(drop).map_err(|error| error.kind());
        let fits = text.len() as u64 <= max_bytes;
        prop_assert_eq!(read, if fits { Ok(()) } else { Err(reticent_text::ErrorKind::Limit) });
    }

    /// 9: a row that is too long is refused by its line, and the others are read.
    #[test]
    fn rows_keep_the_limit(lengths in prop::collection::vec(0usize..60, 1..8), max_row_bytes in 12usize..60) {
        let limits = Limits { max_row_bytes, ..Limits::default() };
        let rows: Vec<String> = lengths.iter().map(|length| format!("{{\"text\":\"{}\"}}\n", "x".repeat(*length))).collect();
        let fields = Fields { text: vec!["text".into()], ..Fields::default() };
        let input = rows.concat();
        let read = RowReader::new(RowFormat::Jsonl, fields, input.as_bytes(), &limits).unwrap();
        for (row, written) in read.zip(&rows) {
            let fits = written.len() <= max_row_bytes;
            prop_assert_eq!(row.map(drop).map_err(|error| error.kind()), if fits { Ok(()) } else { Err(reticent_text::ErrorKind::Limit) });
        }
    }
}
