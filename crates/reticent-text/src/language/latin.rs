//! Which language text in plain Latin letters looks like: what `whatlang` says, without asking each of its languages
//! for each of their trigrams.
//!
//! On a short text that is most of what analyzing it costs. Here the trigrams of the text are looked up instead, in a
//! table that knows all languages that have them. The tests hold the answers against those of `whatlang`.

use std::sync::OnceLock;

use whatlang::Lang;

/// Beyond this a trigram is as good as absent.
const FARTHEST: i64 = 300;
/// So many trigrams of a text count.
const COUNTED: usize = 600;
/// What is more certain than this is reliable.
const RELIABLE: f64 = 0.9;
/// A blank and the small letters.
const SIGNS: usize = 27;

/// What is known of all languages.
struct Profiles {
    languages: Vec<Profile>,
    /// For each trigram, where its places begin.
    starts: Vec<u32>,
    /// Places of trigrams: the language, and how frequent it is there.
    places: Vec<(u8, u16)>,
}

struct Profile {
    language: Lang,
    /// Which letters its alphabet has.
    letters: [bool; SIGNS],
}

/// The language, and whether that is reliable; nothing if it is not plain Latin text, or if two languages are as
/// likely.
pub(super) fn detect(text: &str) -> Option<(Lang, bool)> {
    let profiles = profiles()?;
    let mut counts = [0u32; SIGNS];
    let mut all: Vec<u16> = Vec::with_capacity(text.len() + 1);
    let (mut first, mut second) = (0, None);
    for byte in text.bytes().chain([b' ']) {
        // `whatlang` takes the last control character for a letter.
        if !byte.is_ascii() || byte == 0x7f {
            return None;
        }
        let third = sign(byte);
        counts[third] += 1;
        if let Some(second) = second
            && !(second == 0 && (first == 0 || third == 0))
        {
            all.push(number([first, second, third]));
        }
        first = second.unwrap_or(0);
        second = Some(third);
    }
    let letters: u32 = counts[1..].iter().sum();
    if letters == 0 {
        return None;
    }
    // The more frequent first; of equally frequent ones, the last.
    all.sort_unstable();
    let mut trigrams: Vec<(u32, u16)> = Vec::with_capacity(all.len());
    for same in all.chunk_by(|a, b| a == b) {
        trigrams.push((u32::try_from(same.len()).ok()?, same[0]));
    }
    trigrams.sort_unstable_by(|a, b| b.cmp(a));
    trigrams.truncate(COUNTED);

    let mut distances = [FARTHEST * FARTHEST; 64];
    for (place, (_, trigram)) in (0..).zip(&trigrams) {
        let from = profiles.starts[usize::from(*trigram)] as usize;
        let to = profiles.starts[usize::from(*trigram) + 1] as usize;
        for (language, own) in &profiles.places[from..to] {
            distances[usize::from(*language)] += (place - i64::from(*own)).abs() - FARTHEST;
        }
    }
    let count = i64::try_from(trigrams.len()).ok()?;
    let most = count * FARTHEST;
    let share = f64::from(letters) / 300.0;
    let by_letters = (-share + 2.0 / 3.0).clamp(1.0 / 3.0, 2.0 / 3.0);
    let by_trigrams = 1.0 - by_letters;
    let (mut best, mut next) = ((f64::NEG_INFINITY, None), f64::NEG_INFINITY);
    for (profile, distance) in profiles.languages.iter().zip(&distances) {
        let known: u32 = counts.iter().zip(&profile.letters).filter(|(_, has)| **has).map(|(n, _)| n).sum();
        let alphabet = f64::from((2 * known).saturating_sub(letters)) / f64::from(letters);
        let distance = (distance - (FARTHEST - count).max(0) * FARTHEST).clamp(0, FARTHEST * FARTHEST);
        let trigram = (most - distance) as f64 / most as f64;
        let score = alphabet * by_letters + trigram * by_trigrams;
        if score > best.0 {
            next = best.0;
            best = (score, Some(profile.language));
        } else if score > next {
            next = score;
        }
    }
    // `whatlang` takes one of them, by chance.
    if best.0 <= next {
        return None;
    }
    best.1.map(|language| (language, confidence(best.0, next, count) > RELIABLE))
}

fn confidence(highest: f64, second: f64, count: i64) -> f64 {
    if highest == 0.0 {
        return 0.0;
    }
    if second == 0.0 {
        return highest;
    }
    let sure = 3.0 / count as f64 + 0.015;
    let rate = (highest - second) / second;
    if rate > sure { 1.0 } else { rate / sure }
}

/// Letters by their places in the alphabet, whatever their case; zero for all else.
fn sign(byte: u8) -> usize {
    if byte.is_ascii_alphabetic() { usize::from(byte.to_ascii_lowercase() - b'a') + 1 } else { 0 }
}

fn number(signs: [usize; 3]) -> u16 {
    // Less than 27 to the third.
    u16::try_from(signs.iter().fold(0, |number, sign| number * SIGNS + sign)).unwrap_or(0)
}

/// Read when first needed; nothing if the shipped file is not sound, which the tests exclude.
fn profiles() -> Option<&'static Profiles> {
    static PROFILES: OnceLock<Option<Profiles>> = OnceLock::new();
    PROFILES.get_or_init(|| read(include_str!("../../models/latin-trigrams.txt"))).as_ref()
}

fn read(file: &str) -> Option<Profiles> {
    let mut languages = Vec::new();
    let mut found: Vec<(u16, u8, u16)> = Vec::new();
    for (at, line) in (0u8..).zip(file.lines()) {
        let mut parts = line.split(' ');
        let language = Lang::from_code(parts.next()?)?;
        let mut letters = [false; SIGNS];
        parts.next()?.bytes().filter(u8::is_ascii_lowercase).for_each(|byte| letters[sign(byte)] = true);
        let trigrams: Vec<char> = parts.next()?.chars().collect();
        for (own, trigram) in (0u16..).zip(trigrams.chunks(3)) {
            let [a, b, c] = trigram else { return None };
            // Others cannot stand in plain text.
            if trigram.iter().all(|c| *c == '_' || c.is_ascii_lowercase()) {
                let signs = [a, b, c].map(|c| u8::try_from(*c).map_or(0, sign));
                found.push((number(signs), at, own));
            }
        }
        languages.push(Profile { language, letters });
    }
    found.sort_unstable();
    let all = SIGNS * SIGNS * SIGNS;
    let start = |trigram: usize| found.partition_point(|(known, ..)| usize::from(*known) < trigram);
    let starts = (0..=all).map(|trigram| u32::try_from(start(trigram)).ok()).collect::<Option<_>>()?;
    let places = found.into_iter().map(|(_, language, own)| (language, own)).collect();
    (languages.len() <= 64).then_some(Profiles { languages, starts, places })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use whatlang::{Detector, Script};

    use super::*;

    /// Whether nothing is said, or what `whatlang` says.
    fn agrees(text: &str) -> bool {
        let Some((language, reliable)) = detect(text) else { return true };
        Detector::new().detect(text).is_some_and(|info| {
            info.script() == Script::Latin && info.lang() == language && info.is_reliable() == reliable
        })
    }

    #[test]
    fn says_what_whatlang_says() {
        let mut answered = 0;
        for text in [
            "The cramps are slightly better since yesterday. No cough, but swelling after meals.",
            "Moved to Boston. No change.",
            "Der Patient wurde am Montag in das Krankenhaus eingeliefert und dort operiert.",
            "Le patient a quitte son travail pour des raisons de famille",
            "O paciente foi internado ontem com febre alta",
            "El paciente vino ayer con su madre",
            "a",
            "I",
            "x1",
            "Mr. Smith",
            "[PERSON] met [LOCATION]",
        ] {
            assert!(agrees(text), "{text}");
            answered += usize::from(detect(text).is_some());
        }
        assert!(answered > 6, "{answered}");
    }

    #[test]
    fn leaves_what_is_not_plain_to_whatlang() {
        for text in ["", "12:30", "años", "naïve", "Москва", "a\u{7f}b"] {
            assert_eq!(detect(text), None, "{text}");
        }
    }

    #[test]
    fn long_texts_agree_too() {
        let words: Vec<String> =
            (0..4000u32).map(|n| format!("{:x}", n.wrapping_mul(2_654_435_761))).collect();
        assert!(agrees(&words.join(" ")) && agrees(&words.concat()));
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2000))]

        #[test]
        fn agrees_on_any_letters(text in "[ -~]{0,200}|([a-z]{1,7}[ ,.]{1,2}){0,40}") {
            prop_assert!(agrees(&text));
        }

        #[test]
        fn agrees_on_words(
            words in prop::collection::vec(
                prop::sample::select(vec![
                    "the", "patient", "der", "und", "que", "los", "est", "les", "of", "and", "in", "Boston", "Miami", "seen",
                    "again", "age", "para", "uma", "het", "een", "is", "och", "att", "on", "per", "che", "12", "-", "Dr.",
                ]),
                0..60,
            ),
        ) {
            prop_assert!(agrees(&words.join(" ")));
        }
    }
}
