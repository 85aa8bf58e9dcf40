//! A text as it is searched here: runs of letters and runs of figures.

use reticent_text::{Folded, Span};

use super::form::Hit;
use super::number;
use crate::table::lexicon::{lexicon, push_plain};
use crate::table::verify::cell::OwnWords;

/// A text in runs.
pub(in crate::table::verify) struct Speech<'t> {
    original: &'t str,
    folded: Option<Folded>,
    /// The words of the runs, one behind the other.
    words: String,
    pub(in crate::table::verify) runs: Vec<Run>,
    /// The numbers that its figures may say, with the runs that they take.
    pub(in crate::table::verify) numbers: Vec<number::Said>,
    /// The runs that name numbers.
    pub(super) has_number_words: bool,
}

/// A run of letters or of figures.
pub(in crate::table::verify) struct Run {
    pub(super) span: Span,
    /// In small letters without diacritics: where it is among those of all runs.
    start: usize,
    end: usize,
    pub(super) is_figures: bool,
}

impl<'t> Speech<'t> {
    pub(in crate::table::verify) fn new(original: &'t str) -> Self {
        let folded = Folded::new(original);
        let text = folded.as_ref().map_or(original, Folded::text);
        let mut runs: Vec<Run> = Vec::new();
        let (mut start, mut last): (usize, Option<u8>) = (0, None);
        let mut words = String::with_capacity(text.len());
        // Combining signs belong to the letters before them.
        let class = |c: char| match c {
            c if c.is_numeric() => Some(1),
            c if c.is_alphabetic() || unicode_normalization::char::is_combining_mark(c) => Some(2),
            _ => None,
        };
        let mut push = |from: usize, to: usize, class: u8| {
            let start = words.len();
            push_plain(&text[from..to], &mut words);
            runs.push(Run { span: Span::new(from, to), start, end: words.len(), is_figures: class == 1 });
        };
        for (at, c) in text.char_indices() {
            let own = class(c);
            if own != last {
                if let Some(class) = last {
                    push(start, at, class);
                }
                (start, last) = (at, own);
            }
        }
        if let Some(class) = last {
            push(start, text.len(), class);
        }
        let has_number_words =
            runs.iter().any(|run| !run.is_figures && lexicon().number(&words[run.start..run.end]).is_some());
        let mut speech = Self { original, folded, words, runs, numbers: Vec::new(), has_number_words };
        speech.numbers = number::read(&speech);
        speech
    }

    pub(super) fn text(&self) -> &str {
        self.folded.as_ref().map_or(self.original, Folded::text)
    }

    pub(in crate::table::verify) fn word(&self, at: usize) -> Option<&str> {
        self.runs.get(at).map(|run| self.word_of(run))
    }

    /// A run in small letters without diacritics.
    pub(super) fn word_of(&self, run: &Run) -> &str {
        &self.words[run.start..run.end]
    }

    /// The signs before a run.
    pub(in crate::table::verify) fn gap(&self, at: usize) -> &str {
        let before =
            at.checked_sub(1).map_or(0, |before| self.runs.get(before).map_or(0, |run| run.span.end));
        self.runs.get(at).map_or("", |run| &self.text()[before..run.span.start])
    }

    /// The span of a hit in the original.
    pub(super) fn span(&self, hit: &Hit) -> Span {
        self.runs_span(hit.first, hit.last)
    }

    /// From one run to another, in the original.
    pub(in crate::table::verify) fn runs_span(&self, first: usize, last: usize) -> Span {
        let span = self.runs[first].span.join(self.runs[last].span);
        self.folded.as_ref().map_or(span, |folded| folded.original(span))
    }

    /// Where these words stand, in any inflection.
    pub(super) fn positions<'s>(&'s self, words: &'s [String]) -> impl Iterator<Item = usize> + 's {
        let count = words.len();
        let starts = 0..(self.runs.len() + 1).saturating_sub(count.max(1));
        starts.filter(move |at| {
            count > 0
                && words.iter().zip(&self.runs[*at..]).all(|(word, run)| is_form(word, self.word_of(run)))
                && (1..count).all(|next| is_inner(self.gap(at + next)))
        })
    }

    /// Telling words right beside a hit.
    pub(super) fn beside<'s>(&'s self, hit: &Hit) -> impl Iterator<Item = &'s str> + use<'s> {
        let near = |gap: &str| gap.chars().count() <= 2 && !gap.contains(['.', '!', '?', ';', '\n', ',']);
        let before = hit.first.checked_sub(1).filter(|_| near(self.gap(hit.first)));
        let after = Some(hit.last + 1).filter(|after| *after < self.runs.len() && near(self.gap(*after)));
        [before, after].into_iter().flatten().map(|at| &self.runs[at]).filter_map(|run| {
            let word = self.word_of(run);
            let telling = !run.is_figures && word.len() > 1 && !lexicon().is_function(word);
            telling.then_some(word)
        })
    }

    /// What of the text repeats the row's own cells: their words, and ranges in any notation.
    pub(super) fn ours(&self, own: &OwnWords) -> Vec<Span> {
        let mut ours = own.phrases_in(self.original).all();
        ours.extend(self.ranges(own.ranges()));
        // In order, each as far as any before it goes: a span is ours if the last that begins before it goes beyond it.
        ours.sort_unstable();
        for at in 1..ours.len() {
            ours[at].end = ours[at].end.max(ours[at - 1].end);
        }
        ours
    }

    /// Where it says a range, in any notation: `$61,000 to $77,500`.
    pub(in crate::table::verify) fn ranges(&self, ranges: &[(f64, f64)]) -> Vec<Span> {
        let mut ours = Vec::new();
        for (low, high) in ranges.iter().copied() {
            for first in self.numbers.iter().filter(|said| said.is(low)) {
                let next = first.last + 1;
                let joint = self.word(next).filter(|word| matches!(*word, "to" | "a" | "y"));
                let second = if joint.is_some() { next + 1 } else { next };
                let close = joint.is_some() || matches!(self.gap(next).trim(), "-" | "–" | "- -");
                let from = self.numbers.partition_point(|said| said.first < second);
                let there = self.numbers[from..].iter().take_while(|said| said.first == second);
                let last = there.filter(|said| said.is(high)).map(|said| said.last).max();
                if let Some(last) = last.filter(|_| close) {
                    ours.push(self.span(&Hit::words(first.first, last)));
                }
            }
        }
        ours
    }
}

/// What may stand between the words of a value.
fn is_inner(gap: &str) -> bool {
    gap.chars().count() <= 3 && !gap.contains(['!', '?', ';', ':']) && !gap.contains("\n\n")
}

/// Whether two words differ in their endings at most: of number, of gender.
pub(super) fn is_form(one: &str, other: &str) -> bool {
    if one == other {
        return true;
    }
    let same = one.bytes().zip(other.bytes()).take_while(|(a, b)| a == b).count();
    if same < 3 || !one.is_ascii() || !other.is_ascii() {
        return false;
    }
    let ending = |rest: &str| matches!(rest, "" | "s" | "es" | "e" | "o" | "a" | "os" | "as" | "y" | "ies");
    let (a, b) = (&one[same..], &other[same..]);
    // `o` and `a` end words of five letters and more.
    let long = one.len().min(other.len()) >= 5 || matches!((a, b), ("", "s" | "es") | ("s" | "es", ""));
    long && ending(a) && ending(b)
}
