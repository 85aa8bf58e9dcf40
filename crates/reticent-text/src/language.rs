//! Which language a text is in.

mod latin;

use std::fmt;

use whatlang::{Detector, Lang, Script};

/// The languages that we have models for, and all the others.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Language {
    /// English.
    #[default]
    English,
    /// Spanish.
    Spanish,
    /// Any other: its terms are single words.
    Other,
}

/// How much of a text is looked at: more does not change the answer, only the time.
const SAMPLE: usize = 1024;

/// Below so many letters a detector's word alone is not enough.
const FEW_LETTERS: usize = 60;

/// Words that are frequent in one of our languages and absent from its neighbours.
const SPANISH: [&str; 38] = [
    "el",
    "la",
    "los",
    "las",
    "del",
    "que",
    "una",
    "por",
    "con",
    "para",
    "es",
    "al",
    "se",
    "su",
    "como",
    "años",
    "paciente",
    "y",
    "fue",
    "más",
    "nombre",
    "apellidos",
    "fecha",
    "nacimiento",
    "domicilio",
    "edad",
    "sexo",
    "médico",
    "dra",
    "calle",
    "clínica",
    "sin",
    "desde",
    "presenta",
    "datos",
    "señor",
    "señora",
    "informe",
];
const ENGLISH: [&str; 18] = [
    "the", "and", "with", "by", "from", "she", "his", "they", "that", "this", "patient", "history", "are",
    "were", "has", "you", "been", "which",
];

/// For each first letter, the lengths of words that begin with it, as bits: most words need not be compared.
const LENGTHS: [u16; 26] = {
    let mut lengths = [0; 26];
    let mut at = 0;
    while at < SPANISH.len() + ENGLISH.len() {
        let word = if at < SPANISH.len() { SPANISH[at] } else { ENGLISH[at - SPANISH.len()] };
        lengths[(word.as_bytes()[0] - b'a') as usize] |= 1 << word.len();
        at += 1;
    }
    lengths
};

/// So many words of English and next to none of Spanish leave no doubt.
const ENOUGH: usize = 8;

impl Language {
    /// The language of a text.
    ///
    /// Short text in Latin letters is taken for English unless it has words of Spanish: a wrong
    /// model still finds names and numbers, while no model finds no phrases at all.
    ///
    /// ```
    /// use reticent_text::Language;
    /// assert_eq!(Language::detect("El paciente ingresó ayer con fiebre."), Language::Spanish);
    /// assert_eq!(Language::detect("Ana Ruiz"), Language::English);
    /// assert_eq!(Language::detect("Он родился в Москве."), Language::Other);
    /// ```
    #[must_use]
    pub fn detect(text: &str) -> Self {
        let sample = sample(text);
        if !sample.contains(char::is_alphabetic) {
            return Self::English;
        }
        let (spanish, english) = votes(sample);
        if english >= ENOUGH && english > 4 * spanish {
            return Self::English;
        }
        let by_words = english >= 2 && english > 2 * spanish;
        if by_words && sample.is_ascii() {
            return Self::English;
        }
        let (lang, is_reliable) = if let Some(found) = latin::detect(sample) {
            found
        } else {
            let Some(info) = Detector::new().detect(sample) else {
                return if spanish > english { Self::Spanish } else { Self::English };
            };
            if info.script() != Script::Latin {
                return Self::Other;
            }
            (info.lang(), info.is_reliable())
        };
        // Words that only one language has tell more than letters do, in forms and in prose alike.
        if spanish >= 2 && spanish > 2 * english && lang != Lang::Por && lang != Lang::Cat {
            return Self::Spanish;
        }
        if by_words {
            return Self::English;
        }
        let letters = || sample.chars().filter(|c| c.is_alphabetic()).count();
        match lang {
            Lang::Eng => Self::English,
            Lang::Spa if is_reliable || spanish > english => Self::Spanish,
            _ if is_reliable && letters() >= FEW_LETTERS => Self::Other,
            _ if spanish > english => Self::Spanish,
            _ => Self::English,
        }
    }

    /// Its two-letter code; `und` for [`Language::Other`].
    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            Self::English => "en",
            Self::Spanish => "es",
            Self::Other => "und",
        }
    }

    /// The language of a code such as `en`, `es` or `es-MX`; every other code is another language.
    #[must_use]
    pub fn from_code(code: &str) -> Self {
        let main = code.split(['-', '_']).next().unwrap_or_default();
        if main.eq_ignore_ascii_case("en") {
            Self::English
        } else if main.eq_ignore_ascii_case("es") {
            Self::Spanish
        } else {
            Self::Other
        }
    }
}

impl fmt::Display for Language {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.code())
    }
}

/// A stretch from the middle: what stands first may be a form, an address, a table.
fn sample(text: &str) -> &str {
    if text.len() <= SAMPLE {
        return text;
    }
    let start = text.floor_char_boundary((text.len() - SAMPLE) / 2);
    let end = text.floor_char_boundary(start + SAMPLE);
    &text[start..end]
}

fn votes(sample: &str) -> (usize, usize) {
    let (mut spanish, mut english) = (0, 0);
    for word in sample.split(|c: char| !c.is_alphabetic()).filter(|word| !word.is_empty()) {
        let first = usize::from(word.as_bytes()[0].to_ascii_lowercase().wrapping_sub(b'a'));
        let begins =
            LENGTHS.get(first).is_some_and(|lengths| word.len() < 16 && lengths >> word.len() & 1 == 1);
        if !begins {
            continue;
        }
        // None of them has a letter whose capital is not as long.
        let is = |known: &&str| {
            known.len() == word.len()
                && if word.is_ascii() {
                    known.eq_ignore_ascii_case(word)
                } else {
                    word.chars().flat_map(char::to_lowercase).eq(known.chars())
                }
        };
        spanish += usize::from(SPANISH.iter().any(is));
        english += usize::from(ENGLISH.iter().any(is));
    }
    (spanish, english)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_spanish() {
        for text in [
            "Datos del paciente.\nNombre:  Ernesto.\nApellidos: Rivera Bueno.\nNHC: 368503.",
            "Paciente de 70 años de edad, sin alergias",
            "La Dra. García firmó el informe.",
            "NOMBRE: PEDRO\nAPELLIDOS: RUIZ",
        ] {
            assert_eq!(Language::detect(text), Language::Spanish, "{text}");
        }
    }

    #[test]
    fn takes_short_latin_text_for_english() {
        for text in ["", "   ", "12/05/2011", "😀", "Ernesto Rivera", "Hi!", "MRI", "Dear Dr. Müller", "no"]
        {
            assert_eq!(Language::detect(text), Language::English, "{text}");
        }
    }

    #[test]
    fn leaves_others_to_the_fallback() {
        for text in [
            "Der Patient wurde am Montag in das Krankenhaus eingeliefert und dort sofort operiert, \
             weil seine Schmerzen nicht nachließen.",
            "我是学生。",
            "وُلد في القاهرة",
            "O paciente foi internado ontem à noite com febre alta e não apresentou melhora até agora.",
        ] {
            assert_eq!(Language::detect(text), Language::Other, "{text}");
        }
    }

    #[test]
    fn codes_go_out_and_back() {
        for language in [Language::English, Language::Spanish, Language::Other] {
            assert_eq!(Language::from_code(language.code()), language);
        }
        assert_eq!(Language::from_code("es-MX"), Language::Spanish);
    }
}
