//! Entity-level scores of two `CoNLL` files.

use std::collections::BTreeSet;

use super::error;
use super::figures::Accuracy;
use crate::Error;

/// Where an entity is and what: sentence, first and last token, kind.
type Entity<'a> = (usize, usize, usize, &'a str);

/// A file of tokens.
struct Tokens<'a> {
    entities: BTreeSet<Entity<'a>>,
    /// For each sentence with tokens: its number, how many it has, and the line on which it ends.
    sentences: Vec<(usize, usize, usize)>,
}

/// Scores whole entities of two files in `CoNLL` form, by the label in their last column: IOB2 and the like, where `B`
/// begins an entity and any other label than `O` goes on with one of the same kind.
///
/// ```
/// use reticent::evaluate::score_conll;
/// let gold = "Ana B-PER\nRuiz I-PER\nleft O\n\nMetz B-LOC\n";
/// let found = "Ana B-PER\nRuiz I-PER\nleft O\n\nMetz O\n";
/// assert_eq!(score_conll(gold, found)?.recall, 0.5);
/// # Ok::<(), reticent::Error>(())
/// ```
pub fn score_conll(gold: &str, found: &str) -> Result<Accuracy, Error> {
    let (gold, found) = (read(gold), read(found));
    if gold.sentences.is_empty() {
        return Err(error("the gold file has no tokens"));
    }
    let mut others = found.sentences.iter();
    for one in &gold.sentences {
        let same = others.next().is_some_and(|other| (one.0, one.1) == (other.0, other.1));
        if !same {
            return Err(differ(one.2));
        }
    }
    if others.next().is_some() {
        return Err(error("the predictions have more sentences than the gold file").with_hint(SAME));
    }
    let right = gold.entities.intersection(&found.entities).count();
    Ok(Accuracy::of(right, found.entities.len(), gold.entities.len()))
}

const SAME: &str = "both files must have the same tokens and sentence breaks";

fn differ(line: usize) -> Error {
    error(format!(
        "the tokens of the sentence ending on line {line} of the gold file differ in the predictions"
    ))
    .with_hint(SAME)
}

fn read(text: &str) -> Tokens<'_> {
    let mut tokens = Tokens { entities: BTreeSet::new(), sentences: Vec::new() };
    let mut open: Option<Entity<'_>> = None;
    let (mut sentence, mut token, mut last) = (0, 0, 0);
    // As Python reads lines: a carriage return ends one too.
    let lines = text.split('\n').flat_map(|line| line.strip_suffix('\r').unwrap_or(line).split('\r'));
    for (number, line) in (1..).zip(lines) {
        let Some(tag) = line.split(is_blank).rfind(|column| !column.is_empty()) else {
            tokens.entities.extend(open.take());
            if token > 0 {
                tokens.sentences.push((sentence, token, last));
            }
            (sentence, token) = (sentence + 1, 0);
            continue;
        };
        let kind = tag.char_indices().nth(2).map_or("", |(at, _)| &tag[at..]);
        match &mut open {
            _ if tag == "O" => tokens.entities.extend(open.take()),
            Some(entity) if !tag.starts_with('B') && entity.3 == kind => entity.2 = token,
            _ => tokens.entities.extend(open.replace((sentence, token, token, kind))),
        }
        (token, last) = (token + 1, number);
    }
    tokens.entities.extend(open);
    if token > 0 {
        tokens.sentences.push((sentence, token, last));
    }
    tokens
}

/// What separates columns in Python, whose blanks are four more than Unicode's.
fn is_blank(c: char) -> bool {
    c.is_whitespace() || ('\x1c'..='\x1f').contains(&c)
}

#[cfg(test)]
#[allow(clippy::float_cmp)]
mod tests {
    use super::*;

    #[test]
    fn reads_entities_as_the_reference_does() {
        let read = read("Ana I-PER x B-PER\nRuiz I-PER\nde I-LOC\n\nMetz S-LOC\nis E-LOC\nfar O\nB B\nI I\n");
        let entities: Vec<Entity<'_>> = read.entities.into_iter().collect();
        assert_eq!(entities, [(0, 0, 1, "PER"), (0, 2, 2, "LOC"), (1, 0, 1, "LOC"), (1, 3, 4, "")]);
        assert_eq!(read.sentences, [(0, 3, 3), (1, 5, 9)]);
    }

    #[test]
    fn counts_whole_entities_only() {
        let scores = score_conll("a B-X\nb I-X\n\nc B-Y\n", "a B-X\nb O\n\nc B-Y\n").unwrap();
        assert_eq!((scores.precision, scores.recall), (0.5, 0.5));
        assert_eq!(score_conll("a O\n", "a O\n").unwrap(), Accuracy::default());
        // How the file ends does not matter.
        assert_eq!(score_conll("a B-X\r\nb O\r\n\r\n\r\n", "a B-X\nb O").unwrap().f1, 1.0);
    }

    #[test]
    fn refuses_other_tokens() {
        let says = |gold, found| score_conll(gold, found).unwrap_err().to_string();
        assert!(says("a O\nb O\n", "a O\n").contains("line 2"));
        assert!(says("a O\n\nb O\n", "a O\nb O\n").contains("line 1"));
        assert!(says("a O\n", "a O\n\nb O\n").contains("more sentences"));
        assert!(says("\n\n", "a O\n").contains("gold file has no tokens"));
        assert!(says("a O\n", "").contains("line 1"));
    }
}
