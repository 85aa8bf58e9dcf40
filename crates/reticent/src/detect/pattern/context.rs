//! Words that stand near a value.

/// Whether one of `words` stands within `within` words before `start` or after `end`.
///
/// A word ending in `*` stands for all that begins so; an entry may be several words.
pub(super) fn stands_near(text: &str, start: usize, end: usize, words: &[String], within: usize) -> bool {
    if words.is_empty() || within == 0 {
        return false;
    }
    let before = last_words(&text[..start], within).to_lowercase();
    if words.iter().any(|word| holds(&before, word)) {
        return true;
    }
    let after = first_words(&text[end..], within).to_lowercase();
    words.iter().any(|word| holds(&after, word))
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

fn holds(text: &str, word: &str) -> bool {
    let (word, open) = word.strip_suffix('*').map_or((word, false), |stem| (stem, true));
    text.match_indices(word).any(|(at, _)| {
        let starts = !text[..at].chars().next_back().is_some_and(char::is_alphanumeric);
        let ends = open || !text[at + word.len()..].chars().next().is_some_and(char::is_alphanumeric);
        starts && ends
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(text: &str, value: &str, word: &str, within: usize) -> bool {
        let start = text.find(value).expect("the value is in the text");
        stands_near(text, start, start + value.len(), &[word.to_owned()], within)
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
