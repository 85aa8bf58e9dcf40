//! Column values that texts reveal more precisely than the column.

use reticent_text::Span;
use serde::Serialize;

use super::cell::{Cell, Ours, stem, tokens};
use super::original::speech::Speech;
use crate::resolve::surface::{folded, words};
use crate::table::lexicon::{lexicon, push_plain};
use crate::table::text::Findings;
use crate::table::{Column, ColumnRule, Kind};

/// A value that a text reveals although the column no longer does.
#[derive(Clone, Debug, Serialize)]
pub struct Survivor {
    /// Its row, counted from 1.
    pub row: usize,
    /// The column that was generalized.
    pub column: String,
    /// The text column.
    pub text: String,
    /// `true` if it is an error: the schema declares that texts may contain this column's value, or nothing beside the
    /// words gives them another meaning. Otherwise they may mean something else, and review is suggested.
    pub is_error: bool,
    /// The words, folded.
    #[serde(skip)]
    pub(super) words: String,
}

/// For each column the words of each value that its cell may be, where the cell is a set of words.
pub(super) type Members = Vec<Vec<Vec<String>>>;

/// The members of a row's cells.
pub(super) fn members(row: usize, quasi: &[(&ColumnRule, &Column)]) -> Members {
    let of_cell = |cell: &str, kind: &Kind| match (Cell::read(cell), kind) {
        (Cell::Among(members), Kind::Category | Kind::Ordered(_)) if members.len() > 1 => {
            let words = |value: &std::borrow::Cow<'_, str>| {
                tokens(value).map(|word| stem(&word).to_owned()).collect()
            };
            members.iter().map(words).collect()
        }
        _ => Vec::new(),
    };
    quasi
        .iter()
        .map(|(rule, cells)| cells.get(row).map_or_else(Vec::new, |cell| of_cell(cell, &rule.kind)))
        .collect()
}

/// The words of a text, as members are compared with them.
struct Words {
    places: Vec<Span>,
    stems: Vec<String>,
}

impl Words {
    fn new(text: &str) -> Self {
        let places: Vec<Span> = words(text).collect();
        let stems =
            places.iter().map(|place| stem(&place.of(text).to_lowercase()).to_owned()).collect::<Vec<_>>();
        Self { places, stems }
    }

    /// Where the words of a value stand, in small letters or capitals, one or several of it.
    fn find<'w>(&'w self, wanted: &'w [String]) -> impl Iterator<Item = Span> + 'w {
        let starts = (0..self.stems.len()).filter(|at| self.stems[*at..].starts_with(wanted));
        let starts = starts.filter(|_| !wanted.is_empty());
        starts.map(|at| self.places[at].join(self.places[at + wanted.len() - 1]))
    }
}

/// Looks at one text of one row, whose cells have these members.
pub(super) fn look(
    row: usize,
    column: &str,
    text: &str,
    (quasi, members): (&[(&ColumnRule, &Column)], &Members),
    findings: &Findings,
    ours: &Ours,
) -> Vec<Survivor> {
    let mut survivors = Vec::new();
    let mut here: Option<Words> = None;
    for ((rule, cells), members) in quasi.iter().zip(members).filter(|((rule, _), _)| rule.in_texts) {
        let Some(cell) = cells.get(row) else { continue };
        let is_mapped = !rule.entities.is_empty();
        let mut add = |words: &str, is_error: bool| {
            survivors.push(Survivor {
                row: row + 1,
                column: rule.name.clone(),
                text: column.to_owned(),
                is_error,
                words: folded(words),
            });
        };
        let mapped = findings.found.iter().filter(|found| rule.entities.contains(&found.kind));
        let mapped = mapped.filter(|found| !ours.touches(found.span));
        if !members.is_empty() {
            let here = here.get_or_insert_with(|| Words::new(text));
            let found = members.iter().flat_map(|member| here.find(member));
            let found = found.filter(|span| !ours.touches(*span));
            found.for_each(|span| add(span.of(text), is_mapped || stands_alone(text, span)));
            continue;
        }
        match (Cell::read(cell), &rule.kind) {
            (Cell::Range(low, high), Kind::Number) => {
                let (Ok(low), Ok(high)) = (low.parse::<f64>(), high.parse::<f64>()) else { continue };
                for found in mapped {
                    let number = found.value.parse::<f64>();
                    if number.is_ok_and(|number| low <= number && number <= high) {
                        add(found.span.of(text), is_mapped);
                    }
                }
                if lexicon().dimension(rule) == Some("years") {
                    for span in ages(text, low, high).into_iter().filter(|span| !ours.touches(*span)) {
                        add(span.of(text), true);
                    }
                }
            }
            (Cell::Range(first, last), Kind::Date { .. }) => {
                let (Ok(first), Ok(last)) = (first.parse::<u32>(), last.parse::<u32>()) else { continue };
                for found in mapped {
                    let year = found.value.get(..4).and_then(|year| year.parse::<u32>().ok());
                    if year.is_some_and(|year| first <= year && year <= last) {
                        add(found.span.of(text), is_mapped);
                    }
                }
            }
            (Cell::One(date), Kind::Date { .. }) => {
                // 2004-05-14 is more exact than 2004-05, and that than 2004.
                for found in
                    mapped.filter(|found| found.value.len() > date.len() && found.value.starts_with(date))
                {
                    add(found.span.of(text), is_mapped);
                }
            }
            _ => {}
        }
    }
    survivors
}

/// Whether no word that may give it another meaning stands beside a value: `is single.`, not `single dose`.
fn stands_alone(text: &str, span: Span) -> bool {
    let telling = |word: Option<&str>| {
        word.is_some_and(|word| {
            let mut plain = String::new();
            push_plain(word, &mut plain);
            word.chars().count() > 1 && !lexicon().is_function(&plain)
        })
    };
    let letters = |c: char| c.is_alphabetic();
    let before =
        text[..span.start].strip_suffix(' ').map(|rest| &rest[rest.trim_end_matches(letters).len()..]);
    let after = text[span.end..]
        .strip_prefix(' ')
        .map(|rest| &rest[..rest.len() - rest.trim_start_matches(letters).len()]);
    !telling(before) && !telling(after)
}

/// Numbers between two that a text says of someone as their age: `She is 34.`
fn ages(text: &str, low: f64, high: f64) -> Vec<Span> {
    if !text.bytes().any(|byte| byte.is_ascii_digit())
        || !["is ", "was ", "ged ", "dad"].iter().any(|cue| text.contains(cue))
    {
        return Vec::new();
    }
    let speech = Speech::new(text);
    let word = |at: Option<usize>| at.and_then(|at| speech.word(at)).unwrap_or_default();
    let mut found = Vec::new();
    for said in speech.numbers.iter().filter(|said| said.first == said.last && said.lies_between(low, high)) {
        let at = said.first;
        let whom = matches!(
            word(at.checked_sub(2)),
            "she" | "he" | "i" | "patient" | "pt" | "woman" | "man" | "ella" | "paciente"
        );
        let cue = match word(at.checked_sub(1)) {
            "is" | "was" => whom,
            "aged" | "edad" => true,
            _ => false,
        };
        let gap = speech.gap(at + 1);
        let ends = at + 1 >= speech.runs.len()
            || gap.trim_start().starts_with(['.', ';', ')', '!'])
            || gap.starts_with(", ")
            || matches!(word(Some(at + 1)), "and" | "now" | "today" | "y");
        if cue && ends && speech.gap(at).trim().chars().all(|c| c == ':') {
            found.push(speech.runs_span(at, at));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ages_without_a_unit_are_seen() {
        for text in [
            "She is 34.",
            "He was 34, well.",
            "Patient is 34 and well.",
            "Aged 34.".replace('A', "a").as_str(),
            "edad: 34",
        ] {
            assert_eq!(ages(text, 31.0, 36.0).len(), 1, "{text}");
        }
        for text in
            ["Temp is 34.", "She is 34.5.", "She is 40.", "She is 34 to 36.", "34 people", "It is 34 km."]
        {
            assert!(ages(text, 31.0, 36.0).is_empty(), "{text}");
        }
    }

    #[test]
    fn words_beside_a_value_may_change_it() {
        let alone = |text: &str| {
            let start = text.find("single").expect("the word");
            stands_alone(text, Span::new(start, start + 6))
        };
        assert!(alone("She is single.") && alone("single") && alone("is single and well"));
        assert!(!alone("a single dose") && !alone("Given single doses"));
    }
}
