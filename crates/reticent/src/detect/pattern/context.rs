//! Words that stand near a value.

use aho_corasick::{AhoCorasick, BuildError};

/// Words that go with a value, searched for all at once.
///
/// A word ending in `*` stands for all that begins so; an entry may be several words.
pub(super) struct Context {
    words: AhoCorasick,
    /// For each word, whether it is only the beginning of one.
    open: Vec<bool>,
}

impl Context {
    /// Prepares words in lower case.
    pub(super) fn new(words: &[String]) -> Result<Self, BuildError> {
        let open = words.iter().map(|word| word.ends_with('*')).collect();
        let stems = words.iter().map(|word| word.strip_suffix('*').unwrap_or(word));
        Ok(Self { words: AhoCorasick::new(stems)?, open })
    }

    /// Whether one of the words stands within `within` words before `start` or after `end`.
    pub(super) fn stands_near(&self, text: &str, start: usize, end: usize, within: usize) -> bool {
        within > 0
            && (self.stands_in(&last_words(&text[..start], within).to_lowercase())
                || self.stands_in(&first_words(&text[end..], within).to_lowercase()))
    }

    fn stands_in(&self, text: &str) -> bool {
        self.words.find_overlapping_iter(text).any(|found| {
            let starts = !text[..found.start()].ends_with(char::is_alphanumeric);
            let open = self.open[found.pattern().as_usize()];
            starts && (open || !text[found.end()..].starts_with(char::is_alphanumeric))
        })
    }
}

/// The longest word looked at, so that a text without spaces costs no more than others.
const LONGEST: usize = 32;

fn last_words(text: &str, count: usize) -> &str {
    let floor = floor_boundary(text, text.len().saturating_sub(count * LONGEST));
    let text = &text[floor..];
    let mut left = count;
    let mut inside = false;
    for (at, c) in text.char_indices().rev() {
        if c.is_whitespace() {
            if inside {
                left -= 1;
                if left == 0 {
                    return &text[at..];
                }
            }
            inside = false;
        } else {
            inside = true;
        }
    }
    text
}

fn first_words(text: &str, count: usize) -> &str {
    let text = &text[..floor_boundary(text, text.len().min(count * LONGEST))];
    let mut left = count;
    let mut inside = false;
    for (at, c) in text.char_indices() {
        if c.is_whitespace() {
            if inside {
                left -= 1;
                if left == 0 {
                    return &text[..at];
                }
            }
            inside = false;
        } else {
            inside = true;
        }
    }
    text
}

/// The greatest character boundary at or before `at`.
pub(super) fn floor_boundary(text: &str, mut at: usize) -> usize {
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(text: &str, value: &str, word: &str, within: usize) -> bool {
        let start = text.find(value).expect("the value is in the text");
        let context = Context::new(&[word.to_owned()]).expect("one word can be searched for");
        context.stands_near(text, start, start + value.len(), within)
    }

    #[test]
    fn finds_words_on_both_sides() {
        assert!(near("Call me on 555 1234", "555 1234", "call", 3));
        assert!(near("555 1234 (office)", "555 1234", "office", 3));
        assert!(near("his credit cards: 4111", "4111", "credit card*", 3));
    }

    #[test]
    fn leaves_far_words_and_parts_of_words_alone() {
        assert!(!near("Call a taxi to 14 3684", "14 3684", "call", 3));
        assert!(!near("recall 14 3684", "14 3684", "call", 3));
        assert!(!near("14 3684 calls", "14 3684", "call", 3));
    }

    #[test]
    fn does_not_cut_characters() {
        let text = "ñ".repeat(300) + " 12 " + &"é".repeat(300);
        assert!(!near(&text, "12", "call", 5));
    }
}
