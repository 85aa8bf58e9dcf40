//! What a released cell says, read by code of its own.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use reticent_text::{Language, Span, is_ordinary};

use super::original::speech::Speech;
use crate::resolve::surface::words;
use crate::table::lexicon::lexicon;
use crate::verify::calendar::MONTHS;

/// What one released cell can be.
#[derive(Debug, PartialEq)]
pub(super) enum Cell<'c> {
    /// `[24-36]`, `[low to high]`.
    Range(&'c str, &'c str),
    /// `(Student,Education)`.
    Among(Vec<Cow<'c, str>>),
    /// Anything else.
    One(&'c str),
}

impl<'c> Cell<'c> {
    pub(super) fn read(cell: &'c str) -> Self {
        let inside =
            |open: char, close: char| cell.strip_prefix(open).and_then(|cell| cell.strip_suffix(close));
        if let Some(range) = inside('[', ']')
            && let Some((low, high)) = range.split_once(" to ").or_else(|| range.split_once('-'))
        {
            return Self::Range(low, high);
        }
        if let Some(members) = inside('(', ')') {
            if let Some(quoted) = quoted(members) {
                return Self::Among(quoted.into_iter().map(Cow::Owned).collect());
            }
            let separator = if members.contains(';') { ';' } else { ',' };
            return Self::Among(members.split(separator).map(Cow::Borrowed).collect());
        }
        Self::One(cell)
    }
}

/// The members of a set that is written in quotes; nothing if it is not.
fn quoted(members: &str) -> Option<Vec<String>> {
    let mut rest = members;
    let mut all = Vec::new();
    loop {
        rest = rest.strip_prefix('"')?;
        let mut member = String::new();
        loop {
            let end = rest.find('"')?;
            member.push_str(&rest[..end]);
            rest = &rest[end + 1..];
            match rest.strip_prefix('"') {
                Some(after) => {
                    member.push('"');
                    rest = after;
                }
                None => break,
            }
        }
        all.push(member);
        match rest.strip_prefix(',') {
            Some(after) => rest = after,
            None if rest.is_empty() => return Some(all),
            None => return None,
        }
    }
}

/// The words of a row's own cells, as its texts may say them.
pub(super) struct OwnWords {
    phrases: Vec<String>,
    words: BTreeSet<String>,
    ranges: Vec<(f64, f64)>,
}

/// Words that say nothing by themselves.
const GLUE: [&str; 14] =
    ["to", "and", "between", "or", "years", "year", "old", "aged", "age", "the", "in", "a", "an", "of"];

impl OwnWords {
    pub(super) fn new(cells: &[&str]) -> Self {
        let mut own = Self { phrases: Vec::new(), words: BTreeSet::new(), ranges: Vec::new() };
        for cell in cells {
            own.phrases.push((*cell).to_lowercase());
            own.words.extend(tokens(cell));
            match Cell::read(cell) {
                // In English before nouns, and in Spanish.
                Cell::Range(low, high) => {
                    own.ranges.extend(low.trim().parse::<f64>().ok().zip(high.trim().parse::<f64>().ok()));
                    for joint in [" to ", "-to-", " a ", "–"] {
                        own.phrases.push(format!("{low}{joint}{high}").to_lowercase());
                    }
                }
                Cell::Among(members) => {
                    let mut sorted: Vec<&str> = members.iter().map(|member| &**member).collect();
                    sorted.sort_unstable();
                    if let Some((last, before)) = sorted.split_last() {
                        for or in ["or", "o"] {
                            own.phrases.push(format!("{} {or} {last}", before.join(", ")).to_lowercase());
                        }
                    }
                }
                Cell::One(one) => {
                    let mut parts = one.splitn(3, '-');
                    let year = parts.next().filter(|year| year.len() == 4 && is_number(year));
                    if let Some(year) = year {
                        let month = parts.next().and_then(|month| month.parse::<usize>().ok());
                        let month = month.and_then(|month| MONTHS[..12].get(month.checked_sub(1)?));
                        if let Some(month) = month {
                            own.phrases.push(format!("{month} {year}"));
                            own.words.insert((*month).to_owned());
                            if let Some(spanish) =
                                MONTHS.iter().position(|name| *name == "enero").and_then(|first| {
                                    let at = MONTHS[..12].iter().position(|name| name == month)?;
                                    // There are two words for September.
                                    MONTHS.get(first + at + usize::from(at > 8))
                                })
                            {
                                own.phrases.push(format!("{spanish} de {year}"));
                                own.words.insert((*spanish).to_owned());
                            }
                        }
                    }
                }
            }
        }
        own.phrases.retain(|phrase| phrase.chars().filter(|c| c.is_alphanumeric()).count() > 1);
        own
    }

    /// Its ranges of numbers.
    pub(super) fn ranges(&self) -> &[(f64, f64)] {
        &self.ranges
    }

    /// Where a text says its own cells, or has marks that say a type only.
    pub(super) fn spans(&self, text: &str) -> Ours {
        let mut ends = self.phrases(text);
        let joint = [" to ", "-to-", " a ", "–"].iter().any(|joint| text.contains(joint));
        if joint && !self.ranges.is_empty() && text.bytes().any(|byte| byte.is_ascii_digit()) {
            for span in Speech::new(text).ranges(&self.ranges) {
                // A currency belongs to the number beside it.
                let (start, end) = (before_currency(text, span.start), after_currency(text, span.end));
                let longest = ends.entry(start).or_insert(end);
                *longest = end.max(*longest);
            }
        }
        Ours::new(ends)
    }

    /// The same without ranges in other notations than the cells'.
    pub(super) fn phrases_in(&self, text: &str) -> Ours {
        Ours::new(self.phrases(text))
    }

    fn phrases(&self, text: &str) -> BTreeMap<usize, usize> {
        let mut ends = BTreeMap::new();
        let mut add = |start: usize, end: usize| {
            let longest: &mut usize = ends.entry(start).or_insert(end);
            *longest = end.max(*longest);
        };
        let lower = text.to_lowercase();
        // Lengths differ where small letters are longer: then only marks are ours.
        if lower.len() == text.len() {
            for phrase in &self.phrases {
                for (start, _) in lower.match_indices(phrase.as_str()) {
                    let end = start + phrase.len();
                    let word = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
                    let digit = |c: Option<char>| c.is_some_and(char::is_numeric);
                    // A number may have letters behind it: `30yo`.
                    let (behind, number) = (lower[end..].chars().next(), digit(phrase.chars().next_back()));
                    let ends = if number { !digit(behind) } else { !word(behind) };
                    if !word(lower[..start].chars().next_back()) && ends {
                        add(start, end);
                    }
                }
            }
        }
        for (start, _) in text.match_indices('[') {
            // Names of columns are short: the rest of a long text is not searched for each bracket.
            let Some(length) = text.as_bytes()[start..].iter().take(256).position(|byte| *byte == b']')
            else {
                continue;
            };
            let name = &text[start + 1..start + length];
            if !name.is_empty()
                && name
                    .bytes()
                    .all(|b| b.is_ascii_uppercase() || b.is_ascii_digit() || b == b'_' || b == b' ')
            {
                add(start, start + length + 1);
            }
        }
        ends
    }

    /// Whether a row's own cells say what was found.
    pub(super) fn say(&self, value: &str, surface: &str) -> bool {
        let said = |words: &str| {
            let mut told = tokens(words).filter(|word| !GLUE.contains(&word.as_str())).peekable();
            told.peek().is_some()
                && told.all(|word| self.words.contains(&word) || self.words.contains(stem(&word)))
        };
        said(value) || said(surface)
    }
}

const CURRENCIES: [char; 4] = ['$', '€', '£', '¥'];

/// Where the currency begins that stands before a number: `$`, `CHF `.
fn before_currency(text: &str, number: usize) -> usize {
    let rest = text[..number].trim_end_matches(CURRENCIES);
    let rest = rest.strip_suffix(' ').unwrap_or(rest);
    let start = rest
        .rfind(|c: char| !c.is_alphabetic())
        .map_or(0, |at| at + rest[at..].chars().next().map_or(1, char::len_utf8));
    if is_currency(&rest[start..]) { start } else { text[..number].trim_end_matches(CURRENCIES).len() }
}

/// Where the currency ends that stands behind a number: ` USD`, ` €`.
fn after_currency(text: &str, number: usize) -> usize {
    let rest = &text[number..];
    let gap = usize::from(rest.starts_with(' '));
    let word = rest[gap..]
        .find(|c: char| !c.is_alphabetic() && !CURRENCIES.contains(&c))
        .unwrap_or(rest.len() - gap);
    let word = &rest[gap..gap + word];
    if is_currency(word) || (!word.is_empty() && word.chars().all(|c| CURRENCIES.contains(&c))) {
        number + gap + word.len()
    } else {
        number
    }
}

fn is_currency(word: &str) -> bool {
    !word.is_empty() && lexicon().unit(&word.to_lowercase()) == Some("money")
}

/// Stretches of a text that say what its row says, and marks.
pub(super) struct Ours {
    /// In order, each as far as any that begins before it goes.
    spans: Vec<Span>,
}

impl Ours {
    fn new(ends: BTreeMap<usize, usize>) -> Self {
        let mut last = 0;
        let reach = |(start, end): (usize, usize)| {
            last = last.max(end);
            Span::new(start, last)
        };
        Self { spans: ends.into_iter().map(reach).collect() }
    }

    /// All of them.
    pub(super) fn all(self) -> Vec<Span> {
        self.spans
    }

    /// How far those go that begin before a place.
    fn reach(&self, before: usize) -> usize {
        let at = self.spans.partition_point(|span| span.start < before);
        at.checked_sub(1).map_or(0, |last| self.spans[last].end)
    }

    /// Whether all of a stretch is ours.
    pub(super) fn covers(&self, span: Span) -> bool {
        self.reach(span.start + 1) >= span.end
    }

    /// Whether something of a stretch is ours.
    pub(super) fn touches(&self, span: Span) -> bool {
        self.reach(span.end) > span.start
    }

    /// What a finding says beside what is ours: all of it if nothing is, else the numbers and names around.
    pub(super) fn beside(&self, text: &str, span: Span) -> Vec<Span> {
        if !self.touches(span) {
            return vec![span];
        }
        let around = words(span.of(text)).map(|word| word.shifted(span.start));
        let told = around.filter(|word| {
            let word = word.of(text);
            let name = word.starts_with(char::is_uppercase) && !is_ordinary(word, Language::English);
            name || word.contains(char::is_numeric)
        });
        told.filter(|word| !self.touches(*word)).collect()
    }
}

pub(super) fn tokens(text: &str) -> impl Iterator<Item = String> + '_ {
    text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).map(str::to_lowercase)
}

/// A word without the ending of a plural.
pub(super) fn stem(word: &str) -> &str {
    word.strip_suffix('s').unwrap_or(word)
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_read() {
        assert_eq!(Cell::read("[24-36]"), Cell::Range("24", "36"));
        assert_eq!(Cell::read("[-5 to 3]"), Cell::Range("-5", "3"));
        let among = |members: &[&'static str]| Cell::Among(members.iter().map(|one| (*one).into()).collect());
        assert_eq!(Cell::read("(Student,Education)"), among(&["Student", "Education"]));
        assert_eq!(Cell::read("(\"a;b\",\"say \"\"c\"\"\",\"*\")"), among(&["a;b", "say \"c\"", "*"]));
        assert_eq!(Cell::read("(Bonn, Germany;Metz, France)"), among(&["Bonn, Germany", "Metz, France"]));
        assert_eq!(Cell::read("2004-05"), Cell::One("2004-05"));
        assert_eq!(Cell::read("\\(a,b)"), Cell::One("\\(a,b)"));
    }

    #[test]
    fn own_words_and_marks_are_ours() {
        let own = OwnWords::new(&["[24-36]", "(Education,Student)", "2004-05"]);
        for text in
            ["24 to 36", "[24-36]", "Education or Student", "May 2004", "2004-05", "[PERSON]", "[PERSON 2]"]
        {
            assert!(own.spans(text).covers(Span::new(0, text.len())), "{text}");
        }
        for text in ["24", "36 years", "Education", "May", "2005", "[Zurich]", "124 to 36"] {
            assert!(!own.spans(text).covers(Span::new(0, text.len())), "{text}");
        }
        assert!(
            own.spans("24 to 36yo").covers(Span::new(0, 8))
                && !own.spans("24 to 365").covers(Span::new(0, 8))
        );
        assert!(own.say("2004-05", "May 2004") && !own.say("2004-06", "June 2004"));
    }
}
