//! WordNet's `dict` directory: `data.*`, `index.*`, `*.exc` and `cntlist.rev` (or `cntlist`).
//!
//! Broader are hypernyms, then instance hypernyms; a satellite adjective's broader one is the head of its
//! cluster. Codes are the letter of the part of speech and the synset's place: `n10053808`.

use std::collections::HashMap;
use std::fs::File;
use std::io::BufReader;
use std::path::Path;

use super::lines::Lines;
use crate::taxonomy::Draft;
use crate::{Error, ErrorKind};

const PARTS: [(char, &str); 4] = [('n', "noun"), ('v', "verb"), ('a', "adj"), ('r', "adv")];

/// For a lemma and a part: its synsets in the order of its senses, and their counts.
type Senses = HashMap<(char, String), Vec<(String, u32)>>;

pub(super) fn read(directory: &Path, draft: &mut Draft) -> Result<(), Error> {
    draft.ordered = true;
    let mut senses = Senses::new();
    for (letter, name) in PARTS {
        each(directory, &format!("index.{name}"), |line| index(line, letter, &mut senses))?;
    }
    let (counts, reversed) =
        if directory.join("cntlist.rev").is_file() { ("cntlist.rev", true) } else { ("cntlist", false) };
    each(directory, counts, |line| count(line, reversed, &mut senses))?;
    for (number, (letter, name)) in (0u8..).zip(PARTS) {
        each(directory, &format!("data.{name}"), |line| synset(line, letter, number, &senses, draft))?;
        each(directory, &format!("{name}.exc"), |line| {
            let mut forms = line.split(' ').map(|form| form.replace(['_', '-'], " "));
            let inflected = forms.next().unwrap_or_default();
            draft.irregular.extend(forms.map(|base| (letter, inflected.clone(), base)));
            Some(())
        })?;
    }
    Ok(())
}

/// Reads a file line by line, without the licence at its start.
fn each(directory: &Path, name: &str, mut take: impl FnMut(&str) -> Option<()>) -> Result<(), Error> {
    let path = directory.join(name);
    let file = File::open(&path).map_err(|error| Error::from(error).in_file(&path))?;
    let mut lines = Lines::new(BufReader::with_capacity(1 << 16, file));
    while let Some(line) = lines.next().map_err(|error| error.in_file(&path))? {
        if line.starts_with("  ") || line.trim().is_empty() {
            continue;
        }
        if take(line.trim_end()).is_none() {
            let error = Error::new(ErrorKind::Malformed, "not a valid WordNet line");
            return Err(error.in_file(&path).at_line(lines.number()));
        }
    }
    Ok(())
}

/// `lemma pos synset_cnt p_cnt symbols… sense_cnt tagsense_cnt offsets…`
fn index(line: &str, letter: char, senses: &mut Senses) -> Option<()> {
    let mut fields = line.split(' ');
    let lemma = fields.next()?;
    let synsets: usize = fields.nth(1)?.parse().ok()?;
    let pointers: usize = fields.next()?.parse().ok()?;
    let offsets: Vec<(String, u32)> =
        fields.skip(pointers + 2).map(|offset| (offset.to_owned(), 0)).collect();
    (offsets.len() == synsets).then(|| senses.insert((letter, lemma.to_owned()), offsets))?;
    Some(())
}

/// `sense_key sense_number tag_cnt`, or `tag_cnt sense_key sense_number`.
fn count(line: &str, reversed: bool, senses: &mut Senses) -> Option<()> {
    let fields: Vec<&str> = line.split(' ').collect();
    let ((true, [key, number, count]) | (false, [count, key, number])) = (reversed, fields.as_slice()) else {
        return None;
    };
    let (lemma, sense) = key.split_once('%')?;
    let letter = match sense.chars().next()? {
        '1' => 'n',
        '2' => 'v',
        '3' | '5' => 'a',
        '4' => 'r',
        _ => return None,
    };
    let number: usize = number.parse().ok()?;
    let count: u32 = count.parse().ok()?;
    // The list names some senses that this WordNet no longer has.
    if let Some(sense) =
        senses.get_mut(&(letter, lemma.to_owned())).and_then(|all| all.get_mut(number.wrapping_sub(1)))
    {
        sense.1 = count;
    }
    Some(())
}

/// `offset lex_filenum ss_type w_cnt (word lex_id)… p_cnt (symbol offset pos source/target)… | gloss`
fn synset(line: &str, letter: char, part: u8, senses: &Senses, draft: &mut Draft) -> Option<()> {
    let (line, gloss) = line.split_once(" | ").unwrap_or((line, ""));
    let mut fields = line.split(' ');
    let offset = fields.next()?;
    let kind = fields.nth(1)?;
    let id = draft.concept(&format!("{letter}{offset}")).ok()?;
    draft.part(id, part);
    draft.gloss(id, gloss);
    let words = usize::from_str_radix(fields.next()?, 16).ok()?;
    for _ in 0..words {
        let word = fields.next()?;
        fields.next()?;
        // Adjectives may say where they stand: `galore(ip)`.
        let word = word.split_once('(').map_or(word, |(word, _)| word);
        let all = senses.get(&(letter, word.to_lowercase()));
        let sense =
            all.and_then(|all| all.iter().position(|(known, _)| known == offset).map(|at| (at, all[at].1)));
        let (rank, count) = sense.unwrap_or((usize::from(u16::MAX), 0));
        draft.ranked(id, &word.replace('_', " "), count, u16::try_from(rank).ok()?).ok()?;
    }
    let pointers: usize = fields.next()?.parse().ok()?;
    let mut instances = Vec::new();
    for _ in 0..pointers {
        let [symbol, target, part] = [fields.next()?, fields.next()?, fields.next()?];
        fields.next()?;
        let code = format!("{}{target}", if part == "s" { "a" } else { part });
        match symbol {
            "@" => {
                let broader = draft.mention(&code).ok()?;
                draft.broader(id, broader).ok()?;
            }
            "@i" => instances.push(code),
            "&" if kind == "s" => instances.push(code),
            _ => {}
        }
    }
    for code in instances {
        let broader = draft.mention(&code).ok()?;
        draft.broader(id, broader).ok()?;
    }
    Some(())
}
