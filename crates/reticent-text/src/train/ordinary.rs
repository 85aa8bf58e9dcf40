//! Which words are ordinary: hardly ever written with a capital where none is due.

use std::collections::BTreeMap;

use super::Corpus;

/// Words that are seen less often than this in small letters are not judged.
const SEEN: usize = 3;
/// The share of small letters among all places inside a sentence that makes a word ordinary.
const SHARE: f64 = 0.9;

/// The ordinary words of these texts, one a line, in order.
pub(super) fn ordinary(corpora: &[(Corpus, u8)]) -> Vec<u8> {
    let mut counts: BTreeMap<String, (usize, usize)> = BTreeMap::new();
    for (corpus, _) in corpora {
        for sentence in &corpus.sentences {
            let first = sentence.tokens.iter().position(|word| word.starts_with(char::is_alphanumeric));
            for (at, word) in sentence.tokens.iter().enumerate() {
                let mut chars = word.chars();
                let Some(initial) = chars.next().filter(|c| c.is_alphabetic()) else { continue };
                let rest_small = !chars.as_str().is_empty() && chars.all(char::is_lowercase);
                if !rest_small || (initial.is_uppercase() && Some(at) == first) {
                    continue;
                }
                let (small, capital) = counts.entry(word.to_lowercase()).or_default();
                *(if initial.is_lowercase() { small } else { capital }) += 1;
            }
        }
    }
    let ordinary = counts.into_iter().filter(|(_, (small, capital))| {
        *small >= SEEN && *small as f64 >= SHARE * (*small + *capital) as f64
    });
    ordinary.flat_map(|(word, _)| word.into_bytes().into_iter().chain([b'\n'])).collect()
}
