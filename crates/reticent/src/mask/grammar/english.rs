//! English sentences.

use super::around::{Around, Left};
use super::sound::starts_with_vowel_sound;
use super::{Change, Draft, is_coarser_date, is_lengthened};
use crate::mask::Language;
use crate::mask::date::{Level, Says, says};

/// Words that are never said twice in a row.
pub(super) const FUNCTION_WORDS: [&str; 20] = [
    "a", "an", "the", "in", "on", "at", "of", "to", "by", "for", "from", "with", "and", "or", "about",
    "over", "under", "between", "as", "aged",
];

/// Not `that`, which begins a clause more often: `he said that an actor came`.
const DETERMINERS: [&str; 15] = [
    "a", "an", "the", "his", "her", "its", "their", "my", "our", "your", "this", "these", "those", "each",
    "every",
];

/// What may follow a date that tells when something happened, rather than which one it was.
const AFTER_ADVERB: [&str; 20] = [
    "in", "at", "to", "and", "by", "with", "from", "of", "for", "when", "while", "but", "on", "or", "as",
    "after", "before", "near", "under", "during",
];

/// Chooses the preposition of a date, and keeps one article only.
pub(super) fn adapt(around: &Around<'_>, draft: &mut Draft) {
    let Some(left) = &around.left else { return };
    let left = left.lower();
    let lengthened = is_lengthened(around, &draft.words, Language::English);
    let written = says(around.surface(), Language::English);
    match left.as_str() {
        // `on 3 July 1962` is `between 1960 and 1969`.
        "on" | "in" | "at" if written.is_some() && draft.words.starts_with("between ") => {
            draft.left = Change::Drop;
        }
        "on" | "at" if lengthened => draft.left = Change::Replace("in".to_owned()),
        "at" if written == Some(Says::Day) && draft.words == "a date" => {
            draft.left = Change::Replace("on".to_owned());
        }
        "in" if matches!(written, Some(Says::Longer(_)))
            && ["a date", "several dates"].contains(&draft.words.as_str()) =>
        {
            draft.left = Change::Replace("on".to_owned());
        }
        // `from 10 August until 1 October 1992` is `in 1992`.
        "from"
            if (lengthened || is_coarser_date(around, &draft.words, Language::English))
                && !draft.words.contains(" to ")
                && [" to ", " until ", " till ", "–", " - "]
                    .iter()
                    .any(|to| around.surface().contains(to)) =>
        {
            draft.left = Change::Replace("in".to_owned());
        }
        "dated" if draft.words == "a date" => draft.left = Change::Replace("bearing".to_owned()),
        // `at about 7.15 a.m.` is `at a time of day`.
        "about" | "around" | "approximately" | "exactly" | "almost" | "nearly"
            if draft.words == "a time of day" =>
        {
            let at = around.second_left().is_some_and(|word| word.lower() == "at");
            draft.left = if at { Change::Drop } else { Change::Replace("at".to_owned()) };
        }
        "between" | "from" | "at" | "of"
            if written == Some(Says::Times) && draft.words == "a part of the day" =>
        {
            draft.left = Change::Replace("during".to_owned());
        }
        // `between 2 and 4 p.m. on 3 May 1996` is one day.
        "between" if lengthened && !draft.words.contains(" and ") && !draft.words.contains(" to ") => {
            draft.left = Change::Replace("in".to_owned());
        }
        "of" if draft.words == "an amount of money"
            && around
                .second_left()
                .is_some_and(|word| ["amount", "sum", "total"].contains(&word.lower().as_str())) =>
        {
            "money".clone_into(&mut draft.words);
        }
        "at" if written == Some(Says::Time) && draft.words.starts_with("between ") => {
            draft.left = Change::Drop;
        }
        "at" if written == Some(Says::Time) && draft.words.starts_with("the ") => {
            draft.left = Change::Replace("in".to_owned());
        }
        "on" if written.is_some() && draft.words == "a period" => {
            draft.left = Change::Replace("in".to_owned());
        }
        // `between February and April 1987`, marked without its `between`.
        "between" if written.is_some() && around.surface().contains(" and ") => {
            if draft.words == "several dates" {
                "a period".clone_into(&mut draft.words);
                draft.left = Change::Replace("in".to_owned());
            } else if draft.words.contains(" to ") {
                draft.words = draft.words.replacen(" to ", " and ", 1);
            } else if draft.words != around.surface() && !draft.words.contains(" and ") {
                draft.left = Change::Replace("in".to_owned());
            }
        }
        "dated" if lengthened && draft.words.starts_with("the ") => {
            draft.left = Change::Replace("from".to_owned());
        }
        word if is_coarser_date(around, &draft.words, Language::English)
            && keep_true(around, draft, word) => {}
        word if is_coarser_date(around, &draft.words, Language::English)
            && is_event(word)
            && follows_adverb(around) =>
        {
            draft.words.insert_str(0, "in ");
        }
        _ => {}
    }
    // `the U.S.` is in `North America`.
    let is_place = draft.words.split(' ').all(|word| word.starts_with(char::is_uppercase));
    if left == "the"
        && is_place
        && draft.left == Change::Keep
        && around.surface().starts_with(char::is_uppercase)
    {
        draft.left = Change::Drop;
    }
    let has_article = matches!(draft.first_word(), "a" | "an" | "the");
    if has_article && is_article(around, &left) && draft.left == Change::Keep {
        draft.drop_first_word();
    }
}

/// Whether the word on the left is a determiner; the A of `vitamin A` is none.
fn is_article(around: &Around<'_>, left: &str) -> bool {
    let letter = around.left.as_ref().is_some_and(|left| left.word == "A") && !around.left_starts_sentence();
    DETERMINERS.contains(&left) && !letter
}

/// What is said relative to a date, or of a part of it, need not hold of a longer one: `before July
/// 1974` is not `before the 1970s`, but `before a date in the 1970s`; `the end of July 1974` is `the
/// end of a month in 1974`; `early July 1974` is `1974`. Says whether anything was done.
fn keep_true(around: &Around<'_>, draft: &mut Draft, left: &str) -> bool {
    let second = around.second_left().as_ref().map(Left::lower);
    let third = around.third_left().as_ref().map(Left::lower);
    let is_part = |word: Option<&str>| word.is_some_and(|word| PARTS.contains(&word));
    match (second.as_deref(), left) {
        (_, "before" | "after" | "by" | "until" | "till" | "than" | "following" | "preceding")
        | (Some("prior" | "subsequent" | "up"), "to") => draft.words.insert_str(0, "a date in "),
        (_, "early" | "late" | "mid") => draft.left = Change::Drop,
        (part, "of") if is_part(part) => draft.words.insert_str(0, &format!("a {} in ", unit(around))),
        (Some("of"), "the") if is_part(third.as_deref()) => {
            draft.left = Change::Drop;
            draft.words.insert_str(0, &format!("a {} in ", unit(around)));
        }
        _ => return false,
    }
    true
}

/// Parts of a day, a month, a year.
const PARTS: [&str; 17] = [
    "end",
    "beginning",
    "start",
    "middle",
    "half",
    "quarter",
    "third",
    "part",
    "rest",
    "eve",
    "morning",
    "afternoon",
    "evening",
    "night",
    "day",
    "week",
    "month",
];

/// What the date that is written is: a day, a month, a year.
fn unit(around: &Around<'_>) -> &'static str {
    match says(around.surface(), Language::English) {
        Some(Says::Longer(Level::Month)) => "month",
        Some(Says::Longer(Level::Year)) => "year",
        Some(Says::Longer(Level::Decade)) => "decade",
        _ => "day",
    }
}

/// `born`, `died`, `arrived`: what happens on a day.
fn is_event(word: &str) -> bool {
    word == "born"
        || (word.len() > 3
            && word.ends_with("ed")
            && !["dated", "aged", "undated", "fixed", "proposed", "suggested"].contains(&word))
}

fn follows_adverb(around: &Around<'_>) -> bool {
    match around.right_word() {
        Some(word) => AFTER_ADVERB.contains(&word.to_lowercase().as_str()),
        None => !around.after().starts_with(|c: char| c.is_alphanumeric() || c == '-'),
    }
}

/// Puts `a` or `an` by the sound that follows.
pub(super) fn agree_article(around: &Around<'_>, draft: &mut Draft) {
    if draft.left == Change::Keep
        && let Some(article) = article_before(around, &draft.words)
    {
        draft.left = Change::Replace(article.to_owned());
    }
}

/// The article that should stand on the left instead of the one that does.
pub(super) fn article_before(around: &Around<'_>, words: &str) -> Option<&'static str> {
    let left = around.left.as_ref()?.lower();
    if !matches!(left.as_str(), "a" | "an") || !is_article(around, &left) {
        return None;
    }
    let article = if starts_with_vowel_sound(words) { "an" } else { "a" };
    (article != left).then_some(article)
}
