//! Syntactic words: tokens, cut further where a treebank cuts them.

use crate::layers::Token;
use crate::{Language, Span, Tag};

/// A word of a tree before it is parsed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Piece {
    pub(crate) span: Span,
    /// The tag of its token.
    pub(crate) tag: Tag,
}

/// Beginnings that stay with the word after their hyphen.
const PREFIXES: [&str; 34] = [
    "e", "non", "co", "pre", "post", "anti", "ex", "re", "semi", "multi", "mid", "over", "pro", "sub", "un",
    "socio", "psycho", "vice", "inter", "intra", "bi", "tri", "counter", "hyper", "micro", "mini", "neo", "pan",
    "quasi", "super", "trans", "ultra", "under", "uh",
];

/// Adds the words of tokens. English compounds with hyphens and slashes are cut in three: `twenty` `-` `five`.
pub(crate) fn pieces(text: &str, tokens: &[Token], language: Language, out: &mut Vec<Piece>) {
    for token in tokens {
        let form = token.span.of(text);
        let cuts = language == Language::English && form.len() > 2 && form.contains(['-', '/', '–']);
        if cuts && !is_address(form) {
            cut(form, token.span.start, token.tag, out);
        } else {
            out.push(Piece { span: token.span, tag: token.tag });
        }
    }
}

fn is_address(form: &str) -> bool {
    form.contains(['@', '_', '\\']) || form.contains("://") || form.starts_with("www.")
}

fn cut(form: &str, start: usize, tag: Tag, out: &mut Vec<Piece>) {
    let mut push = |from: usize, to: usize| {
        if from < to {
            out.push(Piece { span: Span::new(start + from, start + to), tag });
        }
    };
    let mut from = 0;
    for (at, sign) in form.match_indices(['-', '/', '–']) {
        let (before, after) = (&form[from..at], &form[at + sign.len()..]);
        if splits(before, sign, after) {
            push(from, at);
            push(at, at + sign.len());
            from = at + sign.len();
        }
    }
    push(from, form.len());
}

/// Tells whether a sign between two parts of a token stands for itself.
fn splits(before: &str, sign: &str, after: &str) -> bool {
    let (Some(last), Some(next)) = (before.chars().next_back(), after.chars().next()) else { return false };
    if !last.is_alphanumeric() || !next.is_alphanumeric() {
        return false;
    }
    match sign {
        "/" => last.is_alphabetic() && next.is_alphabetic() && (before.len() > 1 || after.len() > 1),
        _ => {
            let figures = last.is_ascii_digit() && next.is_ascii_digit();
            // Telephone numbers and codes stay whole, ranges do not.
            let whole = figures && after.contains(['-', '–']);
            !whole && !PREFIXES.iter().any(|prefix| before.eq_ignore_ascii_case(prefix))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(form: &str) -> Vec<&str> {
        let mut out = Vec::new();
        let token = Token { span: Span::new(0, form.len()), tag: Tag::UNKNOWN };
        pieces(form, &[token], Language::English, &mut out);
        out.iter().map(|piece| piece.span.of(form)).collect()
    }

    #[test]
    fn cuts_compounds() {
        assert_eq!(words("twenty-five"), ["twenty", "-", "five"]);
        assert_eq!(words("and/or"), ["and", "/", "or"]);
        assert_eq!(words("state-of-the-art"), ["state", "-", "of", "-", "the", "-", "art"]);
        assert_eq!(words("15-year"), ["15", "-", "year"]);
    }

    #[test]
    fn leaves_the_rest_whole() {
        for form in ["e-mail", "non-smoker", "12/05/2020", "555-010-123", "a-b@example.org", "-5", "w/o", "—", "x"] {
            let whole = words(form);
            assert!(whole.len() == 1 || form == "w/o", "{form}: {whole:?}");
        }
    }
}
