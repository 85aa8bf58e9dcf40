//! Syntactic words: tokens, cut further or joined where a treebank does.

use crate::layers::Token;
use crate::sentence::{Abbreviation, is_abbreviated};
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
    "socio", "psycho", "vice", "inter", "intra", "bi", "tri", "counter", "hyper", "micro", "mini", "neo",
    "pan", "quasi", "super", "trans", "ultra", "under", "uh",
];

/// Contractions that were written without their apostrophe, and where their second word begins.
const BARE: [(&str, usize); 22] = [
    ("arent", 3),
    ("cant", 2),
    ("couldnt", 5),
    ("didnt", 3),
    ("doesnt", 4),
    ("dont", 2),
    ("hadnt", 3),
    ("hasnt", 3),
    ("havent", 4),
    ("im", 1),
    ("isnt", 2),
    ("ive", 1),
    ("shouldnt", 6),
    ("thats", 4),
    ("theyre", 4),
    ("wasnt", 3),
    ("werent", 4),
    ("whats", 4),
    ("wont", 2),
    ("wouldnt", 5),
    ("youre", 3),
    ("youve", 3),
];

/// Adds the words of tokens. English compounds with hyphens and slashes are cut in three: `twenty` `-` `five`.
pub(crate) fn pieces(text: &str, tokens: &[Token], language: Language, out: &mut Vec<Piece>) {
    let from = out.len();
    for token in tokens {
        if language == Language::English {
            if joins(text, &out[from..], token.span) {
                if let Some(last) = out.last_mut() {
                    last.span.end = token.span.end;
                }
                continue;
            }
            let first = out.len() == from;
            english(token.span.of(text), token.span.start, token.tag, first, out);
        } else {
            out.push(Piece { span: token.span, tag: token.tag });
        }
    }
}

/// Tells whether a sign goes on what stands right before it: `?!`, `<<`, `:)`.
fn joins(text: &str, before: &[Piece], span: Span) -> bool {
    let Some(last) = before.last().filter(|last| last.span.end == span.start && last.span.len() <= 24) else {
        return false;
    };
    let (one, two) = (last.span.of(text), span.of(text));
    let ends = |form: &str| form.chars().all(|c| matches!(c, '.' | '!' | '?' | '…'));
    let arrows = |form: &str| form.chars().all(|c| c == '<') || form.chars().all(|c| c == '>');
    let eyes = matches!(one, ":" | ";" | "=" | ":-" | ";-");
    (ends(one) && ends(two))
        || (arrows(one) && arrows(two) && one.starts_with(|c| two.starts_with(c)))
        || (eyes && matches!(two, ")" | "(" | "-" | "))" | "D" | "P"))
        || (matches!(two, "'" | "’" | "‘") && one == two)
}

fn english(form: &str, start: usize, tag: Tag, first: bool, out: &mut Vec<Piece>) {
    let mut push = |from: usize, to: usize| {
        if from < to {
            out.push(Piece { span: Span::new(start + from, start + to), tag });
        }
    };
    if let Some(cut) = cut_at(form, first) {
        push(0, cut);
        push(cut, form.len());
        return;
    }
    if form.len() < 3 || !form.contains(['-', '/', '–']) || is_code(form) {
        return push(0, form.len());
    }
    let mut from = 0;
    for (at, sign) in form.match_indices(['-', '/', '–']) {
        if splits(&form[from..at], sign, &form[at + sign.len()..]) {
            push(from, at);
            push(at, at + sign.len());
            from = at + sign.len();
        }
    }
    push(from, form.len());
}

/// Where a token holds two words without a sign between them: `5pm`, `#1`, `dont`, the full stop of `guy.`
fn cut_at(form: &str, first: bool) -> Option<usize> {
    if form.len() > 24 {
        return None;
    }
    if let Some((_, cut)) = BARE.iter().find(|(bare, _)| form.eq_ignore_ascii_case(bare)) {
        return Some(*cut);
    }
    if let Some(number) = form.strip_prefix('#')
        && number.bytes().all(|byte| byte.is_ascii_digit())
    {
        return Some(1);
    }
    let figures =
        form.bytes().take_while(|byte| byte.is_ascii_digit() || matches!(byte, b':' | b'.')).count();
    let after = form.get(figures..)?;
    if figures > 0 && form.starts_with(|c: char| c.is_ascii_digit()) {
        if ["am", "pm", "a.m.", "p.m."].iter().any(|time| after.eq_ignore_ascii_case(time)) {
            return Some(figures);
        }
        let number = form.strip_suffix('.')?;
        let item = first && number.len() <= 3 && number.bytes().all(|byte| byte.is_ascii_digit());
        return item.then_some(number.len());
    }
    let word = form.strip_suffix('.')?;
    let plain = word.len() > 2 && word.chars().all(char::is_lowercase);
    (plain && Abbreviation::of(word).is_none() && !is_abbreviated(word)).then_some(word.len())
}

/// Addresses, telephone numbers and codes are one word.
fn is_code(form: &str) -> bool {
    let parts: Vec<&str> = form.split(['-', '–']).collect();
    let figures = |part: &str| part.bytes().any(|byte| byte.is_ascii_digit());
    let whole = |part: &&str| part.bytes().all(|byte| byte.is_ascii_digit());
    let telephone = match parts[..] {
        [area, number] => area.len() == 3 && number.len() == 4 && whole(&area) && whole(&number),
        _ => parts.len() > 2 && parts.windows(2).any(|pair| figures(pair[0]) && figures(pair[1])),
    };
    telephone || form.contains(['@', '_', '\\']) || form.contains("://") || form.starts_with("www.")
}

/// Tells whether a sign between two parts of a token stands for itself.
fn splits(before: &str, sign: &str, after: &str) -> bool {
    let (Some(last), Some(next)) = (before.chars().next_back(), after.chars().next()) else { return false };
    if !last.is_alphanumeric() || !next.is_alphanumeric() {
        return false;
    }
    match sign {
        "/" => last.is_alphabetic() && next.is_alphabetic() && before.len() > 1,
        _ => !PREFIXES.iter().any(|prefix| before.eq_ignore_ascii_case(prefix)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Annotator, Document, Layers, Tokenizer};

    fn words(text: &str) -> Vec<String> {
        let mut layers = Layers::new(Language::English);
        layers.sentences = vec![Span::new(0, text.len())];
        Tokenizer.annotate(&Document::plain("text", text), &mut layers).unwrap();
        let mut out = Vec::new();
        pieces(text, &layers.tokens, Language::English, &mut out);
        out.iter().map(|piece| piece.span.of(text).to_owned()).collect()
    }

    #[test]
    fn cuts_compounds() {
        assert_eq!(words("twenty-five"), ["twenty", "-", "five"]);
        assert_eq!(words("and/or"), ["and", "/", "or"]);
        assert_eq!(words("state-of-the-art"), ["state", "-", "of", "-", "the", "-", "art"]);
        assert_eq!(words("15-year"), ["15", "-", "year"]);
        assert_eq!(words("1990-2000"), ["1990", "-", "2000"]);
        assert_eq!(words("I dont know"), ["I", "do", "nt", "know"]);
        assert_eq!(words("at 5pm"), ["at", "5", "pm"]);
        assert_eq!(words("1. Bread"), ["1", ".", "Bread"]);
        assert_eq!(words("the guy. he left"), ["the", "guy", ".", "he", "left"]);
    }

    #[test]
    fn joins_signs() {
        assert_eq!(words("Really?! :)"), ["Really", "?!", ":)"]);
        assert_eq!(words("<<a>>"), ["<<", "a", ">>"]);
    }

    #[test]
    fn leaves_the_rest_whole() {
        for form in [
            "e-mail",
            "non-smoker",
            "12/05/2020",
            "555-010-123",
            "555-0101",
            "a-b@example.org",
            "-5",
            "w/o",
            "etc.",
        ] {
            assert_eq!(words(&format!("x {form} y"))[1..], [form.to_owned(), "y".to_owned()], "{form}");
        }
        assert_eq!(words("(a)"), ["(", "a", ")"]);
    }
}
