//! What a token shows by what stands around it: the piece between blanks, brackets, the lines above and
//! below, and the same word at another place of the document.

use std::collections::HashMap;

use super::attribute::{hash_lower, shape};
use super::table::mix;
use super::tokens::Tokens;

/// The shape of all that stands between two blanks, without signs at its ends; nothing where that is one
/// token.
pub(super) fn pieces(tokens: &Tokens<'_>) -> Vec<u64> {
    let mut values = vec![0; tokens.spans.len()];
    for sequence in &tokens.sequences {
        let mut start = sequence.start;
        while start < sequence.end {
            let goes_on = |at: &usize| tokens.spans[at - 1].end == tokens.spans[*at].start;
            let end = (start + 1..sequence.end).take_while(goes_on).last().map_or(start + 1, |at| at + 1);
            let is_word = |at: &usize| tokens.word(*at).starts_with(char::is_alphanumeric);
            let first = (start..end).find(is_word);
            let last = (start..end).rev().find(is_word);
            if let (Some(first), Some(last)) = (first, last)
                && first < last
            {
                let value = (first..=last).take(LONGEST).fold(29, |v, at| mix(v, shape(tokens.word(at), 1)));
                values[first..=last].fill(value);
            }
            start = end;
        }
    }
    values
}

/// A piece is looked at no further, in tokens.
const LONGEST: usize = 24;

/// Whether a token stands in brackets that are open in its sequence.
pub(super) fn brackets(tokens: &Tokens<'_>) -> Vec<u64> {
    let mut values = vec![0; tokens.spans.len()];
    for sequence in &tokens.sequences {
        let mut open = 0u64;
        for token in sequence.clone() {
            match tokens.word(token) {
                "(" | "[" => open += 1,
                ")" | "]" => open = open.saturating_sub(1),
                _ => values[token] = open.min(1),
            }
        }
    }
    values
}

/// The first two words of the sequence before or after; nothing at the ends.
pub(super) fn neighbours(tokens: &Tokens<'_>, above: bool) -> Vec<u64> {
    let mut values = vec![0; tokens.spans.len()];
    let full: Vec<_> = tokens.sequences.iter().filter(|sequence| !sequence.is_empty()).collect();
    for pair in full.windows(2) {
        let (shown, at) = if above { (pair[0], pair[1]) } else { (pair[1], pair[0]) };
        let words = (shown.start..shown.end.min(shown.start + 2)).map(|token| hash_lower(tokens.word(token)));
        values[at.clone()].fill(words.fold(31, mix));
    }
    values
}

/// The nearest token before (or behind) that is marked, as a word, and how far it is; nothing where none is
/// within reach in the same sequence.
pub(super) fn nearest(tokens: &Tokens<'_>, marked: &[bool], before: bool) -> (Vec<u64>, Vec<u64>) {
    let (mut words, mut distances) = (vec![0; tokens.spans.len()], vec![0; tokens.spans.len()]);
    for sequence in &tokens.sequences {
        let mut last: Option<usize> = None;
        let length = sequence.len();
        for step in 0..length {
            let token = if before { sequence.start + step } else { sequence.end - 1 - step };
            if let Some(marked) = last.filter(|marked| token.abs_diff(*marked) <= REACH) {
                words[token] = hash_lower(tokens.word(marked));
                distances[token] = token.abs_diff(marked) as u64;
            }
            if marked[token] {
                last = Some(token);
            }
        }
    }
    (words, distances)
}

/// A marked word is looked for so far, in tokens.
const REACH: usize = 10;

/// The field in which the same word stands in another sequence, for names and numbers: what is a name in
/// a form is one in the prose below it.
pub(super) fn elsewhere(tokens: &Tokens<'_>, fields: &[(u64, u64)]) -> Vec<u64> {
    let counts = |word: &str| match word.chars().next() {
        Some(c) if c.is_uppercase() => word.chars().nth(2).is_some(),
        Some(c) if c.is_numeric() => word.len() > 3,
        _ => false,
    };
    // For each word the first field it stands in, and the first other one, with their sequences.
    let mut known: HashMap<u64, [(usize, u64); 2]> = HashMap::new();
    for (number, sequence) in (1..).zip(&tokens.sequences) {
        for token in sequence.clone().filter(|token| counts(tokens.word(*token))) {
            let (field, distance) = fields[token];
            if field == 0 || distance > NEAR {
                continue;
            }
            let entry = known.entry(hash_lower(tokens.word(token))).or_default();
            if entry[0].0 == 0 {
                entry[0] = (number, field);
            } else if entry[1].0 == 0 && entry[0].0 != number {
                entry[1] = (number, field);
            }
        }
    }
    let mut values = vec![0; tokens.spans.len()];
    for (number, sequence) in (1..).zip(&tokens.sequences) {
        for token in sequence.clone().filter(|token| counts(tokens.word(*token))) {
            if let Some(found) = known.get(&hash_lower(tokens.word(token))) {
                let other = found.iter().find(|(at, _)| *at != 0 && *at != number);
                values[token] = other.map_or(0, |(_, field)| *field);
            }
        }
    }
    values
}

/// A word stands in a field if it is at most so far behind it.
const NEAR: u64 = 6;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::label::tokens::Unit;
    use crate::{Document, Language, Layers};

    fn with<T>(text: &str, look: impl Fn(&Tokens<'_>) -> T) -> T {
        let document = Document::plain("d", text);
        look(&Tokens::new(&document, &Layers::new(Language::Spanish), Unit::Line))
    }

    #[test]
    fn a_piece_ends_at_blanks_and_leaves_words_alone() {
        let values = with("a.b@c.d e (12/3) word", pieces);
        assert!(values[0] != 0 && values[0] == values[6]);
        assert_eq!((values[7], values[8]), (0, 0));
        assert!(values[9] != 0 && values[9] == values[11] && values[9] != values[0]);
        assert_eq!(*values.last().unwrap(), 0);
    }

    #[test]
    fn brackets_close() {
        assert_eq!(with("a (b) c ) d", brackets), [0, 0, 1, 0, 0, 0, 0]);
    }

    #[test]
    fn lines_see_each_other_but_for_the_ends() {
        let above = with("Datos: x\n\nFin", |tokens| neighbours(tokens, true));
        assert!(above[..3].iter().all(|value| *value == 0) && above[3] != 0);
    }

    #[test]
    fn the_nearest_marked_word_is_seen_on_its_own_line_only() {
        let text = "calle del Pez 3 hospital\nnada";
        let marked = [true, false, false, false, true, false];
        let (words, distances) = with(text, |tokens| nearest(tokens, &marked, true));
        assert_eq!(words, [0, words[1], words[1], words[1], words[1], 0]);
        assert_eq!(words[1], hash_lower("calle"));
        assert_eq!(distances, [0, 1, 2, 3, 4, 0]);
        let (words, distances) = with(text, |tokens| nearest(tokens, &marked, false));
        assert_eq!((words[0], words[4], words[5]), (hash_lower("hospital"), 0, 0));
        assert_eq!(distances, [4, 3, 2, 1, 0, 0]);
    }

    #[test]
    fn a_marked_word_far_away_is_left_alone() {
        let text = "calle a a a a a a a a a a a";
        let mut marked = [false; 12];
        marked[0] = true;
        let (words, _) = with(text, |tokens| nearest(tokens, &marked, true));
        assert!(words[10] != 0 && words[11] == 0);
    }

    #[test]
    fn a_word_in_a_field_is_known_elsewhere_only() {
        let values = with("Nombre: Ana\nSe fue Ana\nSe fue Luis", |tokens| {
            let fields = [(0, 0), (0, 0), (5, 1), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0)];
            elsewhere(tokens, &fields)
        });
        assert_eq!(values, [0, 0, 0, 0, 0, 5, 0, 0, 0]);
    }
}
