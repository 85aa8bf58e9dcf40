//! Forms of address. They belong to the name: they tell the sex, and at times the profession.

use reticent_text::Span;

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
    "dª",
    "dña",
    "don",
    "doña",
    "dra",
];

fn is_title(word: &str) -> bool {
    word.starts_with(char::is_uppercase) && TITLES.contains(&word.to_lowercase().as_str())
}

/// A name with the titles before it, two at most: `Lord Justice Nourse`.
pub(crate) fn with_title(text: &str, span: Span) -> Span {
    let mut start = span.start;
    for _ in 0..2 {
        let before = text[..start].trim_end_matches([' ', '\u{a0}']);
        let word = before.strip_suffix('.').unwrap_or(before);
        let title = word.rsplit(|c: char| !c.is_alphabetic()).next().unwrap_or_default();
        if !is_title(title) || before.len() == start {
            break;
        }
        start = word.len() - title.len();
    }
    Span::new(start, span.end)
}

/// A name without titles: what is searched for elsewhere. A title alone stays as it is.
pub(crate) fn without_title(name: &str) -> &str {
    let mut rest = name;
    while let Some((first, after)) = rest.split_once([' ', '\u{a0}', '\n']) {
        if !is_title(first.trim_end_matches('.')) || after.trim().is_empty() {
            break;
        }
        rest = after.trim_start();
    }
    rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn titles_belong_to_names_and_other_words_do_not() {
        let with = |text: &str| {
            let at = text.find("Nourse").unwrap();
            with_title(text, Span::new(at, at + 6)).of(text).to_owned()
        };
        assert_eq!(with("Then Lord Justice Nourse saw him"), "Lord Justice Nourse");
        assert_eq!(with("Dear Mr. Nourse,"), "Mr. Nourse");
        for text in ["the judge Nourse", "Nourse", "Hamr Nourse", "Mr.\nNourse", "Mr, Nourse", "Mr.Nourse"] {
            assert_eq!(with(text), "Nourse", "{text}");
        }
    }

    #[test]
    fn names_are_searched_for_without_titles() {
        assert_eq!(without_title("Dr. Maria Stone"), "Maria Stone");
        assert_eq!(without_title("Lord Justice Nourse"), "Nourse");
        for name in ["Maria Stone", "Lord", "Drew Stone", "Mr ", "mr Stone"] {
            assert_eq!(without_title(name), name);
        }
    }
}
