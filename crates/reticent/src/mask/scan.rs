//! Cuts a short text into numbers, words and signs, each with its place.

use std::ops::Range;

/// One piece of a short text.
#[derive(Clone, PartialEq, Eq)]
pub(crate) enum Piece {
    /// A run of ASCII digits, if it has at most nine of them, and how many it has.
    Number(u32, usize),
    /// A run of letters, in small letters.
    Word(String),
    /// Anything else that is not white space.
    Sign(char),
}

/// A piece and where it stands.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Token {
    pub(crate) piece: Piece,
    pub(crate) at: Range<usize>,
    /// Whether white space stands before it.
    pub(crate) spaced: bool,
}

impl Token {
    pub(crate) fn word(&self) -> Option<&str> {
        match &self.piece {
            Piece::Word(word) => Some(word),
            _ => None,
        }
    }

    pub(crate) fn number(&self) -> Option<(u32, usize)> {
        match self.piece {
            Piece::Number(value, digits) => Some((value, digits)),
            _ => None,
        }
    }

    pub(crate) fn sign(&self) -> Option<char> {
        match self.piece {
            Piece::Sign(sign) => Some(sign),
            _ => None,
        }
    }
}

/// The pieces of a text. A run of more than nine digits is cut into signs: no date or age has one.
pub(crate) fn scan(text: &str) -> Vec<Token> {
    let mut tokens = Vec::new();
    let mut rest = text.char_indices().peekable();
    let mut spaced = false;
    while let Some((start, first)) = rest.next() {
        if first.is_whitespace() {
            spaced = true;
            continue;
        }
        let same: fn(char) -> bool = if first.is_ascii_digit() {
            |c| c.is_ascii_digit()
        } else if first.is_alphabetic() {
            char::is_alphabetic
        } else {
            |_| false
        };
        let mut end = start + first.len_utf8();
        while let Some((at, next)) = rest.next_if(|(_, next)| same(*next)) {
            end = at + next.len_utf8();
        }
        let run = &text[start..end];
        let piece = if first.is_ascii_digit() {
            match run.parse() {
                Ok(value) if run.len() <= 9 => Piece::Number(value, run.len()),
                _ => Piece::Sign(first),
            }
        } else if first.is_alphabetic() {
            Piece::Word(run.to_lowercase())
        } else {
            Piece::Sign(first)
        };
        tokens.push(Token { piece, at: start..end, spaced });
        spaced = false;
    }
    tokens
}

/// Whether a sign is one of the dashes.
pub(crate) fn is_dash(sign: char) -> bool {
    matches!(sign, '-' | '‐' | '‑' | '–' | '—' | '−')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cuts_into_numbers_words_and_signs() {
        let text = "28th,Año 2011";
        let pieces: Vec<&str> = scan(text).iter().map(|token| &text[token.at.clone()]).collect();
        assert_eq!(pieces, ["28", "th", ",", "Año", "2011"]);
        assert!(scan(text)[4].spaced);
    }

    #[test]
    fn long_runs_of_digits_are_no_numbers() {
        assert!(scan("1234567890").iter().all(|token| token.number().is_none()));
    }
}
