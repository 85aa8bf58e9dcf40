//! In which words texts say a value of a column of words.

use super::view::{Token, stem, stems};
use super::{How, number};
use crate::resolve::surface::is_distinctive;
use crate::table::ColumnRule;
use crate::table::lexicon::{Lexicon, push_plain};

/// Words of a value, with how they say it.
pub(super) struct Form {
    pub(super) stems: Vec<String>,
    pub(super) how: How,
    pub(super) guard: Guard,
}

/// Where words count as the value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Guard {
    /// Anywhere.
    Anywhere,
    /// Written like this: `US` is not `us`.
    Exactly(String),
    /// Beside the name of its column: `ward A`, `smoker: no`.
    Named,
    /// A letter for a sex: `34F`, `sex: m`, `34-year-old M`.
    Sex(char),
    /// In capitals after a comma or before a number: `Boston, MA`.
    Code(String),
}

impl Guard {
    pub(super) fn allows(
        &self,
        text: &str,
        tokens: &[Token<'_>],
        at: usize,
        length: usize,
        name: &[String],
    ) -> bool {
        let here = tokens[at].span.join(tokens[at + length - 1].span).of(text);
        let before = at.checked_sub(1).map(|at| tokens[at]);
        let after = tokens.get(at + length);
        match self {
            Self::Anywhere => true,
            Self::Exactly(written) => here == written,
            Self::Named => {
                let named = |token: &Token<'_>| name.iter().any(|own| own == token.stem);
                let second = at.checked_sub(2).map(|at| tokens[at]);
                before.as_ref().is_some_and(named)
                    || second.as_ref().is_some_and(named)
                    || after.is_some_and(named)
            }
            Self::Sex(letter) => {
                let capital = here.chars().all(char::is_uppercase);
                let follows = before.is_some_and(|token| {
                    let number = token.plain.ends_with(|c: char| c.is_ascii_digit());
                    let word = crate::table::lexicon::lexicon().is_before_sex(token.plain);
                    (number && capital)
                        || word && (capital || matches!(token.plain, "sex" | "gender" | "sexo" | "genero"))
                });
                follows && here.chars().all(|c| c.eq_ignore_ascii_case(letter))
            }
            Self::Code(code) => {
                let comma =
                    before.is_some_and(|token| text[token.span.end..tokens[at].span.start].contains(','));
                let postcode = after.is_some_and(|token| {
                    token.plain.len() >= 5 && token.plain.bytes().all(|byte| byte.is_ascii_digit())
                });
                here == code && (comma || postcode)
            }
        }
    }
}

/// All forms of a value.
pub(super) fn forms(text: &str, rule: &ColumnRule, lexicon: &Lexicon) -> Vec<Form> {
    let text = text.trim();
    let own = stems(text);
    let mut forms = Vec::new();
    if own.is_empty() {
        return forms;
    }
    let plain = |text: &str| {
        let mut plain = String::new();
        push_plain(text, &mut plain);
        plain
    };
    let lower = plain(text);
    let is_sex = lexicon.is_named(rule, "sex");
    let guard = |text: &str, stems: &[String]| {
        let letters = text.chars().filter(|c| c.is_alphanumeric()).count();
        let generic =
            stems.len() == 1 && (lexicon.is_generic(&plain(text)) || lexicon.is_function(&plain(text)));
        if generic || !is_distinctive(text) {
            Guard::Named
        } else if letters <= 3 && !text.chars().any(char::is_lowercase) {
            Guard::Exactly(text.to_owned())
        } else {
            Guard::Anywhere
        }
    };
    let code = |letter: char| Guard::Sex(letter);
    let sex = match lower.as_str() {
        "f" | "female" | "femenino" | "mujer" | "w" if is_sex => Some("female"),
        "m" | "male" | "masculino" | "hombre" | "varon" if is_sex => Some("male"),
        _ => None,
    };
    let whole = guard(text, &own);
    if !(sex.is_some() && own[0].chars().count() == 1) {
        forms.push(Form { stems: own.clone(), how: How::Words, guard: whole });
    }
    // Figures in a column of words: `36`, also `1,234`; what is written the same is found above.
    if let [numeral] = number::figures(text).as_slice()
        && numeral.span.len() == text.len()
        && text.len() >= 4
        && let Some(number) = numeral.readings.first().filter(|number| number.fract() == 0.0)
        && !text.starts_with('0')
    {
        forms.push(Form { stems: vec![format!("{number}")], how: How::Words, guard: Guard::Anywhere });
    }
    for part in parts(text) {
        let stems = stems(part);
        if stems.len() < own.len() && is_distinctive(part) && part.chars().count() > 2 {
            let guard = guard(part, &stems);
            if guard != Guard::Named {
                forms.push(Form { stems, how: How::Part, guard });
            }
        }
    }
    let joined = |words: &str| stems(words).join(" ");
    let mut alias = |words: &str, guard: Guard| {
        let stems = stems(words);
        if stems != own {
            forms.push(Form { stems, how: How::Alias, guard });
        }
    };
    let key = sex.map_or_else(|| own.join(" "), |sex| stem(sex).to_owned());
    let part_keys: Vec<String> = parts(text).map(joined).collect();
    for group in &lexicon.equivalents {
        let is_code = |word: &&String| word.chars().all(char::is_uppercase);
        let says =
            |word: &String| !is_code(&word) && (joined(word) == key || part_keys.contains(&joined(word)));
        if !group.iter().any(says) {
            continue;
        }
        for word in group {
            if !is_code(&word) {
                alias(word, Guard::Anywhere);
            } else if is_sex && let Some(letter) = word.chars().next() {
                alias(word, code(letter));
            }
        }
    }
    for group in &lexicon.states {
        let [name, letters] = group.as_slice() else { continue };
        let is_name = joined(name) == key || part_keys.contains(&joined(name));
        let is_code = text == letters && lexicon.is_named(rule, "state")
            || parts(text).any(|part| part == letters && text.contains(','));
        if is_name {
            alias(letters, Guard::Code(letters.clone()));
        } else if is_code {
            alias(name, Guard::Anywhere);
        }
    }
    forms
}

/// The parts of a compound value: `Zurich` and `Switzerland`.
pub(crate) fn parts(text: &str) -> impl Iterator<Item = &str> {
    let pieces = text.split([',', ';', '/', '|', '(', ')', '&', '+']);
    let pieces = pieces.flat_map(|piece| piece.split(" or ")).flat_map(|piece| piece.split(" and "));
    pieces.map(str::trim).filter(|piece| !piece.is_empty())
}
