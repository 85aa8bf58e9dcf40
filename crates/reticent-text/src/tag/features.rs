//! What the tagger looks at.

use super::weights::{Feature, feature};
use super::words::{Hasher, normal};
use super::{Case, Words};

/// Most features that one word has.
pub(crate) const ROOM: usize = 40;

/// The features of the word at `at`, whose two predecessors have the tags `before`.
///
/// `domain` is the training set that the word stands in: the sets follow different guidelines, and
/// features that know the set keep the differences out of those that do not. At run time it is the
/// treebank whose guidelines we follow.
pub(crate) fn features(
    words: &Words,
    at: usize,
    token: &str,
    before: [u8; 2],
    domain: u8,
    out: &mut Vec<Feature>,
) {
    out.clear();
    let word = words.at(at, 0);
    let (left, right) = (words.at(at, -1), words.at(at, 1));
    let right2 = words.at(at, 2);
    let case = word.case as u64;
    let [one, two] = before.map(u64::from);
    let both = one << 8 | two;
    let class = word.class();
    let domain = u64::from(domain);

    out.push(feature(1, word.key, case));
    out.push(feature(2, one, case));
    out.push(feature(3, both, 0));
    out.push(feature(4, word.key, one));
    out.push(feature(5, both, class));
    out.push(feature(6, left.key, class));
    out.push(feature(7, right.key, class));
    out.push(feature(8, left.key, word.key));
    out.push(feature(9, word.key, right.key));
    out.push(feature(10, class << 16 | right.class(), one));
    out.push(feature(11, right.class() << 16 | right2.class(), class));
    out.push(feature(14, right2.key, class));
    out.push(feature(15, case << 16 | (left.case as u64) << 8 | right.case as u64, class));
    out.push(feature(17, both, right.class()));
    out.push(feature(20, word.key, domain << 8 | case));
    out.push(feature(21, class, domain << 16 | one));
    out.push(feature(22, class << 16 | right.class(), domain << 8));
    if word.entry.is_none() {
        unknown(normal(token), word.case, [one, domain], right.class(), out);
    }
}

/// Endings, beginnings and signs: all that there is to know about an unknown word.
fn unknown(token: &str, case: Case, context: [u64; 2], right: u64, out: &mut Vec<Feature>) {
    let [one, domain] = context;
    let case = case as u64;
    let mut hash = Hasher::default();
    for (length, c) in token.chars().rev().take(5).enumerate() {
        hash.push_lower(if c.is_ascii_digit() { '0' } else { c });
        let template = 30 + length as u64;
        out.push(feature(template, hash.0, case));
        if length == 2 {
            out.push(feature(40, hash.0, one));
            out.push(feature(41, hash.0, domain << 8 | case));
            out.push(feature(42, hash.0, right));
        }
    }
    let mut hash = Hasher::default();
    for (length, c) in token.chars().take(3).enumerate() {
        hash.push_lower(c);
        if length > 0 {
            out.push(feature(43 + length as u64, hash.0, 0));
        }
    }
    let mut signs = 0;
    for c in token.chars().take(64) {
        signs |= match c {
            '-' => 1,
            '0'..='9' => 2,
            '.' => 4,
            '\'' | '’' => 8,
            '/' => 16,
            '@' => 32,
            c if c.is_alphabetic() => 64,
            _ => 128,
        };
    }
    out.push(feature(47, signs, case));
    out.push(feature(48, signs << 8 | case, one));
    if let Some((_, last)) = token.rsplit_once('-') {
        let mut hash = Hasher::default();
        last.chars().take(64).for_each(|c| hash.push_lower(c));
        out.push(feature(49, hash.0, case));
    }
}
