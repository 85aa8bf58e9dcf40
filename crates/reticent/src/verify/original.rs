//! Verification of a released text against its original and its plan.

use reticent_text::{Document, OffsetUnit, Offsets, Span};

use super::view::{View, key};
use super::{Problem, Severity, token};
use crate::plan::{EntityFile, PlanFile};
use crate::{EntityType, Error, ErrorKind, Operator};

/// The original and the plan of a released text.
pub struct Against<'a> {
    /// The original.
    pub original: &'a Document,
    /// The plan that was applied.
    pub plan: &'a PlanFile,
    /// The longest replacement that a reviewer may write, in characters.
    pub max_replacement_chars: usize,
    /// `true` if the replacements come from a changed table, which may contain a set of values that includes the
    /// original.
    pub by_table: bool,
}

/// Checks that only planned spans changed, that no masked text survives, and that no replacement restates the
/// original.
pub fn against_original(released: &Document, against: &Against<'_>) -> Result<Vec<Problem>, Error> {
    let original = against.original.text();
    let unit = OffsetUnit::from_name(&against.plan.offsets)
        .ok_or_else(|| Error::new(ErrorKind::Plan, "the plan's `offsets` must be chars, bytes or utf16"))?;
    let offsets = Offsets::new(original, unit);
    let outside = || Error::new(ErrorKind::Plan, "the plan does not match this original");
    let mut changes: Vec<(Span, &str)> = Vec::new();
    let mut masked: Vec<(&EntityType, &str)> = Vec::new();
    let mut problems = Vec::new();
    for entity in &against.plan.entities {
        for mention in &entity.mentions {
            let Some(edit) = &mention.edit else { continue };
            let span = offsets.inside(edit.start, edit.end).ok_or_else(outside)?;
            changes.push((span, &edit.replacement));
            // The end of a range may be the number itself: 59 in `50 to 59`.
            let in_ranges = ["AGE", "MONEY", "NUMBER", "PERCENTAGE"].contains(&entity.entity_type.as_str());
            let ranged = in_ranges && matches!(entity.mask, Operator::Generalize { .. });
            if entity.mask != Operator::Keep && !ranged {
                let span = offsets.inside(mention.start, mention.end).ok_or_else(outside)?;
                let surface = original.get(span.start..span.end).ok_or_else(outside)?;
                let in_set = against.by_table && plain(&edit.replacement).contains(plain(surface).as_str());
                if let Some(what) =
                    wrong_replacement(entity, surface, &edit.replacement, against).filter(|_| !in_set)
                {
                    let mut problem = Problem::of_all(Severity::Violation, what);
                    problem.entity_type = Some(entity.entity_type.clone());
                    problems.push(problem);
                }
                if !in_set {
                    masked.push((&entity.entity_type, surface));
                }
            }
        }
    }
    changes.sort_by_key(|(span, _)| *span);
    let mut expected = String::new();
    let mut done = 0;
    for (span, replacement) in changes {
        expected.push_str(original.get(done..span.start).ok_or_else(outside)?);
        expected.push_str(replacement);
        done = span.end;
    }
    expected.push_str(&original[done..]);

    let (said, planned) = (plain(released.text()), plain(&expected));
    if said != planned {
        problems.push(Problem::of_all(Severity::Violation, "the released text does not match the plan"));
    }
    let said = format!(" {said} ");
    let cased = format!(" {} ", words(released.text()));
    for (kind, surface) in masked {
        // Of a name that nothing could place, only the capitals made a name: `Tumor` is not `tumor`.
        let unplaced = kind.as_str() == "NAME";
        let (said, wanted) =
            if unplaced { (&cased, words(surface)) } else { (&said, untitled(&plain(surface))) };
        let letters = surface.chars().filter(|c| c.is_alphabetic()).count();
        let telling = letters >= 4 || surface.chars().filter(|c| c.is_numeric()).count() >= 4;
        if telling && said.contains(&format!(" {wanted} ")) {
            let mut problem =
                Problem::of_all(Severity::Violation, "masked text occurs elsewhere in the output");
            problem.entity_type = Some(kind.clone());
            problems.push(problem);
        }
    }
    Ok(problems)
}

/// What is wrong with a replacement: it restates the original, or has room for it.
fn wrong_replacement(
    entity: &EntityFile,
    surface: &str,
    replacement: &str,
    against: &Against<'_>,
) -> Option<&'static str> {
    let mark = format!("[{}", entity.entity_type);
    let is_mark = replacement.starts_with(&mark)
        && token::spans(replacement).iter().any(|own| own.len() == replacement.len());
    if is_mark {
        return None;
    }
    if replacement.chars().count() > against.max_replacement_chars {
        return Some("a replacement longer than the policy allows");
    }
    let (said, original) = (bare(replacement), bare(surface));
    let said_words: Vec<&str> = said.split(' ').collect();
    let telling =
        |word: &&str| word.chars().count() >= 4 || word.chars().filter(char::is_ascii_digit).count() >= 3;
    let mut words = original.split(' ').filter(telling).peekable();
    let repeated = if matches!(entity.mask, Operator::Generalize { .. }) {
        // A generalization may share words with what it generalizes, but not all of them.
        words.peek().is_some() && original.split(' ').all(|word| said_words.contains(&word))
    } else {
        words.any(|word| said_words.contains(&word))
    };
    let (joined, whole) = (said.replace(' ', ""), original.replace(' ', ""));
    let runs_together = whole.chars().count() >= 4 && joined.contains(&whole);
    (repeated || runs_together).then_some("a replacement that restates the original")
}

/// Words as look-alikes share them.
fn bare(text: &str) -> String {
    plain(text).split(' ').map(key).collect::<Vec<_>>().join(" ")
}

/// A form of address is masked with the name, but the name tells as much without it.
fn untitled(words: &str) -> String {
    const TITLES: &[&str] = &[
        "mr",
        "mrs",
        "ms",
        "miss",
        "mx",
        "dr",
        "prof",
        "professor",
        "sir",
        "dame",
        "lord",
        "lady",
        "judge",
        "justice",
        "rev",
        "reverend",
        "sr",
        "sra",
        "srta",
        "dña",
        "don",
        "doña",
        "dra",
    ];
    let mut rest = words;
    while let Some((_, after)) = rest.split_once(' ').filter(|(first, _)| TITLES.contains(first)) {
        rest = after;
    }
    rest.to_owned()
}

/// Words in small letters with one space between them.
fn plain(text: &str) -> String {
    words(text).to_lowercase()
}

/// Words of the folded view with one space between them.
fn words(text: &str) -> String {
    let view = View::of(text);
    let spaced: String = view.text().chars().map(|c| if c.is_alphanumeric() { c } else { ' ' }).collect();
    spaced.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_looked_for_without_their_titles() {
        assert_eq!(untitled(&plain("Lord Justice Nourse")), "nourse");
        assert_eq!(untitled(&plain("Dr. Maria Stone")), "maria stone");
        for name in ["Maria Stone", "Drew Stone", "Lord"] {
            assert_eq!(untitled(&plain(name)), plain(name));
        }
    }
}
