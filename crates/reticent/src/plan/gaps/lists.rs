//! What is listed: where `something` stands beside other things it is left out, if what is left follows from what was said.

use reticent_text::{Layers, Pos, Span, Token};

use super::Said;
use super::same::bare;
use crate::mask::{plural, vague};

/// What joins the last of a list.
const JOINTS: [&str; 4] = [", and ", ", or ", " and ", " or "];

/// Where these stand before, what is said of all need not be true of some.
const OF_ALL: [&str; 17] = [
    "if", "when", "whether", "unless", "until", "all", "every", "each", "only", "no", "both", "between",
    "either", "neither", "combine", "combines", "than",
];

/// With these each of several is possible, or an example.
const OF_EACH: [&str; 9] =
    ["can", "may", "could", "might", "such", "including", "include", "includes", "like"];

/// Leaves out what nothing is told of in lists that have something else.
pub(super) fn shorten(text: &str, layers: &Layers, mut said: Vec<Said>) -> Vec<Said> {
    for at in 0..said.len() {
        let list = List { text, layers, said: &said, at };
        let Some(shorter) = list.without_last().or_else(|| list.without_other()) else { continue };
        let before = at.checked_sub(1).map_or(0, |before| said[before].span.end);
        let after = said.get(at + 1).map_or(text.len(), |next| next.span.start);
        if !Span::new(before, after).contains(shorter.span) {
            continue;
        }
        if let Some(joint) = shorter.joint {
            let last = &mut said[at - 1];
            last.span = Span::new(last.span.start - ", ".len(), last.span.end);
            last.words = format!("{joint}{}", last.words);
        }
        said[at].span = shorter.span;
        said[at].words.clear();
    }
    once(text, said)
}

/// Says once what is the same and lies side by side, now that nothing stands between: `a disease and a disease` are diseases.
fn once(text: &str, said: Vec<Said>) -> Vec<Said> {
    let mut done: Vec<Said> = Vec::with_capacity(said.len());
    for next in said {
        let last = done.iter().rposition(|last| !last.words.is_empty());
        let left_out = last.is_some_and(|last| last + 1 < done.len());
        let Some(last) = last.filter(|_| left_out && next.ours && !next.gap && !next.words.is_empty()) else {
            done.push(next);
            continue;
        };
        let ends = done[last..].iter().map(|said| said.span.end);
        let starts = done[last + 1..].iter().chain([&next]).map(|said| said.span.start);
        let mut between: String = ends.zip(starts).map(|(end, start)| &text[end..start]).collect();
        // Its comma may have become an `and`.
        let second = next.words.strip_prefix(" and ").inspect(|_| between.push_str(" and "));
        let second = second.unwrap_or(&next.words);
        let one = &done[last];
        // A placeholder says nothing that could be the same.
        let says = one.ours && !one.gap && !one.words.starts_with('[');
        let same = says && bare(&one.words) == bare(second);
        if !same || ![" and ", ", ", ", and "].contains(&between.as_str()) {
            done.push(next);
            continue;
        }
        let noun = bare(&one.words);
        let words =
            if one.words.starts_with("a ") || one.words.starts_with("an ") { plural(&noun) } else { noun };
        let merged: Vec<Said> = done.drain(last..).chain([next]).collect();
        let members = merged.iter().flat_map(|said| said.members.iter().copied()).collect();
        let span = merged[0].span.join(merged[merged.len() - 1].span);
        done.push(Said { span, words, members, gap: false, ours: true });
    }
    done
}

/// What is left out, and what then stands before the one before instead of a comma.
struct Shorter {
    span: Span,
    joint: Option<&'static str>,
}

struct List<'a> {
    text: &'a str,
    layers: &'a Layers,
    said: &'a [Said],
    at: usize,
}

impl List<'_> {
    /// `thrush and something.`
    fn without_last(&self) -> Option<Shorter> {
        let gap = self.gap()?;
        let (before, after) = (&self.text[..gap.span.start], &self.text[gap.span.end..]);
        let joint = JOINTS.into_iter().find(|joint| before.ends_with(joint))?;
        let ends = ["", "\n", ".", ";", ")", ", and ", ", but ", ", even ", " - ", " -- "];
        let ends = ends.iter().any(|end| after.starts_with(end) && (!end.is_empty() || after.is_empty()));
        let end = gap.span.start - joint.len();
        if !ends || !self.follows(gap, joint.contains("or")) {
            return None;
        }
        let span = Span::new(end, gap.span.end);
        let last = self.at.checked_sub(1).map(|at| &self.said[at]).filter(|last| last.span.end == end);
        let start = match last {
            Some(last) if last.gap || last.words.is_empty() => return None,
            Some(last) => last.span.start,
            None => self.start_of_noun(end)?,
        };
        if !self.text[..start].ends_with(", ") {
            // `A, and something`
            return (!joint.starts_with(',')).then_some(Shorter { span, joint: None });
        }
        let free = self.at.checked_sub(2).map_or(0, |at| self.said[at].span.end) + ", ".len() <= start;
        let listed = self.start_of_noun(start - ", ".len()).is_some();
        let joint = if joint.contains("or") { " or " } else { " and " };
        (last.is_some() && free && listed).then_some(Shorter { span, joint: Some(joint) })
    }

    /// `something and hepatitis`, `flu, something, and hepatitis`
    fn without_other(&self) -> Option<Shorter> {
        let gap = self.gap()?;
        let (before, after) = (&self.text[..gap.span.start], &self.text[gap.span.end..]);
        let joint = JOINTS.into_iter().chain([", "]).find(|joint| after.starts_with(joint))?;
        let rest = after.split(['.', ';', '\n']).next().unwrap_or_default();
        let closing = JOINTS.into_iter().filter_map(|joint| Some((rest.find(joint)?, joint))).min()?.1;
        let next = gap.span.end + joint.len();
        if !self.is_thing(next) || !self.follows(gap, closing.contains("or")) {
            return None;
        }
        if before.ends_with(", ") {
            let start = gap.span.start - ", ".len();
            let last = self.at.checked_sub(1).map(|at| &self.said[at]).filter(|last| last.span.end == start);
            if last.is_none_or(|last| last.gap || last.words.is_empty()) {
                self.start_of_noun(start)?;
            }
            // Two that are left need no comma.
            let two =
                joint.len() > ", ".len() && joint.starts_with(',') && !self.sentence(start).contains(", ");
            let span = Span::new(start, gap.span.end + usize::from(two));
            return Some(Shorter { span, joint: None });
        }
        let at =
            self.layers.tokens.partition_point(|token| token.span.end <= gap.span.start).checked_sub(1)?;
        // `such as something, or hepatitis`: two need no comma, so that this is no list of both.
        if joint.len() > ", ".len() && joint.starts_with(',') {
            return None;
        }
        let leads = matches!(self.layers.tokens[at].tag.pos(), Pos::Verb | Pos::Preposition);
        leads.then_some(Shorter { span: Span::new(gap.span.start, next), joint: None })
    }

    fn gap(&self) -> Option<&Said> {
        let gap = &self.said[self.at];
        (gap.gap && vague::is_nothing(&gap.words)).then_some(gap)
    }

    /// Whether what is left is true if the whole was: of things that are joined by `and` each is meant, unless that is denied; of
    /// others it is if each is possible.
    fn follows(&self, gap: &Said, or: bool) -> bool {
        let tokens = &self.layers.tokens;
        let from = gap.span.start - self.sentence(gap.span.start).len();
        let (first, end) = (
            tokens.partition_point(|token| token.span.start < from),
            tokens.partition_point(|token| token.span.start < gap.span.start),
        );
        let word = |token: &Token| token.span.of(self.text).to_lowercase();
        let has =
            |words: &[&str]| tokens[first..end].iter().any(|token| words.contains(&word(token).as_str()));
        let denied = tokens[first..end].iter().any(|token| vague::denies(&word(token)));
        !has(&OF_ALL) && if or { denied || has(&OF_EACH) } else { !denied }
    }

    /// The sentence up to a place.
    fn sentence(&self, end: usize) -> &str {
        let sentence = self.layers.sentences.iter().rfind(|sentence| sentence.start <= end);
        &self.text[sentence.map_or(0, |sentence| sentence.start)..end]
    }

    /// Where the noun phrase starts that ends at a place, perhaps with a bracket.
    fn start_of_noun(&self, end: usize) -> Option<usize> {
        let head = match self.text[..end].strip_suffix(')') {
            Some(inside) => inside.rfind(" (")?,
            None => end,
        };
        let tokens = &self.layers.tokens;
        let at = tokens.partition_point(|token| token.span.end < head);
        let noun = tokens.get(at).filter(|token| token.span.end == head)?;
        let phrase = self.layers.noun_phrases.iter().find(|phrase| phrase.contains(noun.span));
        matches!(noun.tag.pos(), Pos::Noun | Pos::ProperNoun)
            .then(|| phrase.map_or(noun.span.start, |phrase| phrase.start))
    }

    /// Whether a noun phrase starts there that nothing is said of: no `parasites cause`.
    fn is_thing(&self, start: usize) -> bool {
        let tokens = &self.layers.tokens;
        let at = tokens.partition_point(|token| token.span.start < start);
        let Some(first) = tokens.get(at).filter(|token| token.span.start == start) else { return false };
        let phrase = self.layers.noun_phrases.iter().find(|phrase| phrase.contains(first.span));
        let ours =
            self.said.get(self.at + 1).filter(|next| next.span.start == start && !next.words.is_empty());
        let phrase = ours.map(|ours| ours.span).or(phrase.copied());
        let Some(phrase) = phrase.filter(|_| first.tag.pos() != Pos::Pronoun) else { return false };
        let mut next = tokens[tokens.partition_point(|token| token.span.start < phrase.end)..].iter();
        !next.next().is_some_and(|token| {
            matches!(token.tag.pos(), Pos::Verb | Pos::Adverb) || token.tag.name() == "MD"
        })
    }
}
