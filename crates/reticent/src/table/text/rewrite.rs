//! A text that says something else at some places.

use reticent_text::{Language, Span};

use crate::mask;

/// What is written instead of a stretch. It fits its sentence already if it is `exact`.
pub(crate) struct Change {
    pub(crate) span: Span,
    pub(crate) said: String,
    /// Whether it is written as it is, without regard to the words around.
    pub(crate) exact: bool,
}

/// A rewritten text, and which parts of it are ours.
pub(crate) struct Rewritten {
    pub(crate) text: String,
    /// Stretches of the original with those that stand for them, in order.
    placed: Vec<(Span, Span)>,
}

/// Makes the changes, which are in order and do not overlap, each fit into its sentence.
pub(crate) fn rewrite(text: &str, changes: &[Change], language: Language) -> Rewritten {
    let mut out = String::with_capacity(text.len() + 8 * changes.len());
    let (mut done, mut placed) = (0, Vec::with_capacity(changes.len()));
    for (at, change) in changes.iter().enumerate() {
        let next = changes.get(at + 1).map_or(text.len(), |next| next.span.start);
        let mut span = change.span;
        let mut said = change.said.clone();
        if !change.exact {
            let fitted = mask::fit(text, change.span, &change.said, language);
            // It may take in a word of its neighbourhood, but not one that another change is about.
            if done <= fitted.span.start && fitted.span.end <= next {
                (span, said) = (fitted.span, fitted.replacement);
            }
        }
        out.push_str(&text[done..span.start]);
        placed.push((span, Span::new(out.len(), out.len() + said.len())));
        out.push_str(&said);
        done = span.end;
    }
    out.push_str(&text[done..]);
    Rewritten { text: out, placed }
}

impl Rewritten {
    /// What of a stretch of the new text is not ours, as stretches of the original.
    pub(crate) fn original(&self, span: Span) -> Vec<Span> {
        let mut left = Vec::new();
        let first = self.placed.partition_point(|(_, new)| new.end <= span.start);
        let (mut old_at, mut new_at) =
            first.checked_sub(1).map_or((0, 0), |last| (self.placed[last].0.end, self.placed[last].1.end));
        let mut from = span.start;
        for (old, new) in self.placed[first..].iter().take_while(|(_, new)| new.start < span.end) {
            if from < new.start {
                left.push(Span::new(old_at + (from - new_at), old_at + (new.start - new_at)));
            }
            from = from.max(new.end);
            (old_at, new_at) = (old.end, new.end);
        }
        if from < span.end {
            left.push(Span::new(old_at + (from - new_at), old_at + (span.end - new_at)));
        }
        left
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn change(text: &str, of: &str, said: &str) -> Change {
        let start = text.find(of).expect("the words");
        Change { span: Span::new(start, start + of.len()), said: said.to_owned(), exact: false }
    }

    #[test]
    fn changes_fit_their_sentences() {
        let text = "Four days ago, I met an engineer from Mexico.";
        let changes = [
            change(text, "Four days ago", "date"),
            change(text, "engineer", "scientist"),
            change(text, "Mexico", "North America"),
        ];
        let new = rewrite(text, &changes, Language::English);
        assert_eq!(new.text, "Date, I met a scientist from North America.");
    }

    #[test]
    fn tells_what_is_not_ours() {
        let text = "Ann met Ben Smith.";
        let new = rewrite(text, &[change(text, "Ben", "[PERSON]")], Language::English);
        assert_eq!(new.text, "Ann met [PERSON] Smith.");
        let of = |words: &str| {
            let start = new.text.find(words).expect("the words");
            let spans = new.original(Span::new(start, start + words.len()));
            spans.into_iter().map(|span| span.of(text)).collect::<Vec<_>>()
        };
        assert_eq!(of("Ann"), ["Ann"]);
        assert_eq!(of("[PERSON] Smith"), [" Smith"]);
        assert_eq!(of("met [PERSON] Smith."), ["met ", " Smith."]);
        assert!(of("[PERSON]").is_empty());
    }
}
