//! What a reader gathers before it is packed: concepts, words for them, and what is broader.

use std::collections::{HashMap, HashSet};

use reticent_text::Language;

use crate::{Error, ErrorKind};

/// More concepts than the largest public taxonomies have.
const MAX_CONCEPTS: usize = 8_000_000;
/// Words and codes longer than this are no words.
const MAX_WORD: usize = 2_048;
/// More words for one concept, or more that is directly broader, than any real one has.
const MAX_EACH: usize = 2_048;
/// Glosses are cut after this.
const MAX_GLOSS: usize = 4_096;
/// Deeper than any real taxonomy.
const MAX_DEPTH: u32 = 512;
/// How many pairs of a concept and something broader are followed.
const MAX_PAIRS: u64 = 2_000_000_000;

/// A taxonomy in the making.
///
/// ```
/// use reticent_knowledge::taxonomy::{Draft, PackedTaxonomy, Taxonomy};
/// let mut draft = Draft::new("fruit");
/// let apple = draft.concept("A1")?;
/// draft.word(apple, "apple", 0)?;
/// let fruit = draft.concept("A0")?;
/// draft.word(fruit, "fruit", 0)?;
/// draft.broader(apple, fruit)?;
/// let (bytes, summary) = draft.pack()?;
/// assert_eq!((summary.concepts, summary.roots, summary.depth), (2, 1, 1));
/// let fruit = PackedTaxonomy::from_bytes(bytes)?;
/// let apple = fruit.senses("Apples")[0].concept;
/// assert_eq!(fruit.label(fruit.broader(apple)[0]), "fruit");
/// # Ok::<(), reticent_knowledge::Error>(())
/// ```
#[derive(Debug)]
pub struct Draft {
    /// The name.
    pub name: String,
    /// The language of its words.
    pub language: Language,
    /// `true` if all its words are names, so that a term without a capital is none of them.
    pub names: bool,
    /// `true` if the broader concepts were given primary first; else the most specific comes first.
    pub ordered: bool,
    pub(crate) concepts: Vec<DraftConcept>,
    pub(crate) irregular: Vec<(char, String, String)>,
    codes: HashMap<String, u32>,
}

#[derive(Debug, Default)]
pub(crate) struct DraftConcept {
    pub(crate) code: String,
    pub(crate) part: u8,
    pub(crate) words: Vec<DraftWord>,
    pub(crate) gloss: String,
    pub(crate) broader: Vec<u32>,
    pub(crate) defined: bool,
    /// Counted besides the words, such as the inhabitants of a region outside of its cities.
    pub(crate) frequency: u64,
}

impl DraftConcept {
    /// How often the concept itself was counted, and one more.
    pub(crate) fn own_frequency(&self) -> u64 {
        let words = self.words.iter().map(|word| u64::from(word.count)).sum::<u64>();
        words.saturating_add(self.frequency).saturating_add(1)
    }
}

#[derive(Debug)]
pub(crate) struct DraftWord {
    pub(crate) text: String,
    pub(crate) count: u32,
    /// Which sense of the word the concept is, from 0; by counts if all are the same.
    pub(crate) rank: u16,
}

/// A concept of a [`Draft`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DraftId(u32);

/// A summary of the packed taxonomy.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    /// The number of concepts.
    pub concepts: usize,
    /// The number of distinct words.
    pub words: usize,
    /// The number of root concepts.
    pub roots: usize,
    /// The depth of the taxonomy.
    pub depth: u32,
    /// The number of references to missing parents, which were left out.
    pub dangling: usize,
}

impl Draft {
    /// An empty one, in English.
    pub fn new(name: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            language: Language::English,
            names: false,
            ordered: false,
            concepts: Vec::new(),
            irregular: Vec::new(),
            codes: HashMap::new(),
        }
    }

    /// The concept with that code, which exists from now on.
    pub fn concept(&mut self, code: &str) -> Result<DraftId, Error> {
        let id = self.mention(code)?;
        self.concepts[id.0 as usize].defined = true;
        Ok(id)
    }

    /// The concept with that code, which may turn out not to exist.
    pub fn mention(&mut self, code: &str) -> Result<DraftId, Error> {
        if let Some(id) = self.codes.get(code) {
            return Ok(DraftId(*id));
        }
        if code.is_empty() || code.len() > MAX_WORD {
            return Err(Error::new(
                ErrorKind::Malformed,
                format!("a code must have 1 to {MAX_WORD} bytes, but has {}", code.len()),
            ));
        }
        let id = u32::try_from(self.concepts.len()).ok().filter(|id| (*id as usize) < MAX_CONCEPTS);
        let id = id.ok_or_else(|| {
            Error::new(ErrorKind::Limit, format!("there are more than {MAX_CONCEPTS} concepts"))
        })?;
        self.codes.insert(code.to_owned(), id);
        self.concepts.push(DraftConcept { code: code.to_owned(), ..DraftConcept::default() });
        Ok(DraftId(id))
    }

    /// Adds a word for a concept, and how often it was counted with that meaning. The first is the label.
    pub fn word(&mut self, concept: DraftId, word: &str, count: u32) -> Result<(), Error> {
        self.ranked(concept, word, count, 0)
    }

    /// The same, as the word's sense of that rank.
    pub(crate) fn ranked(
        &mut self,
        concept: DraftId,
        word: &str,
        count: u32,
        rank: u16,
    ) -> Result<(), Error> {
        let text: String = word.split_whitespace().collect::<Vec<_>>().join(" ");
        if text.len() > MAX_WORD {
            return Err(Error::new(
                ErrorKind::Limit,
                format!("a word or label has {} bytes; at most {MAX_WORD} are allowed", text.len()),
            ));
        }
        let words = &mut self.concepts[concept.0 as usize].words;
        if let Some(known) = words.iter_mut().find(|known| known.text == text) {
            known.count = known.count.max(count);
        } else if words.len() >= MAX_EACH {
            let message = format!("a concept has more than {MAX_EACH} words");
            return Err(Error::new(ErrorKind::Limit, message));
        } else if !text.is_empty() {
            words.push(DraftWord { text, count, rank });
        }
        Ok(())
    }

    /// Makes a word the label: preferred names may come after others.
    pub fn label(&mut self, concept: DraftId, word: &str) -> Result<(), Error> {
        self.word(concept, word, 0)?;
        let words = &mut self.concepts[concept.0 as usize].words;
        let text: String = word.split_whitespace().collect::<Vec<_>>().join(" ");
        if let Some(at) = words.iter().position(|known| known.text == text) {
            words[..=at].rotate_right(1);
        }
        Ok(())
    }

    /// Adds a parent to a concept.
    pub fn broader(&mut self, concept: DraftId, broader: DraftId) -> Result<(), Error> {
        let known = &mut self.concepts[concept.0 as usize].broader;
        if known.len() >= MAX_EACH {
            let message = format!("a concept has more than {MAX_EACH} parents");
            return Err(Error::new(ErrorKind::Limit, message));
        }
        if !known.contains(&broader.0) {
            known.push(broader.0);
        }
        Ok(())
    }

    /// Adds a gloss to a concept. The first gloss is kept.
    pub fn gloss(&mut self, concept: DraftId, gloss: &str) {
        let kept = &mut self.concepts[concept.0 as usize].gloss;
        if kept.is_empty() {
            for word in gloss.split_whitespace().take_while({
                let mut length = 0;
                move |word| {
                    length += word.len() + 1;
                    length <= MAX_GLOSS
                }
            }) {
                if !kept.is_empty() {
                    kept.push(' ');
                }
                kept.push_str(word);
            }
        }
    }

    /// Adds to how often a concept itself was counted.
    pub(crate) fn counted(&mut self, concept: DraftId, count: u64) {
        let frequency = &mut self.concepts[concept.0 as usize].frequency;
        *frequency = frequency.saturating_add(count);
    }

    pub(crate) fn part(&mut self, concept: DraftId, part: u8) {
        self.concepts[concept.0 as usize].part = part;
    }

    /// What has no word yet, with its code.
    pub(crate) fn nameless(&self) -> Vec<(DraftId, String)> {
        let concepts = (0u32..).zip(&self.concepts).filter(|(_, concept)| concept.words.is_empty());
        concepts.map(|(id, concept)| (DraftId(id), concept.code.clone())).collect()
    }

    /// Says that something is no concept after all.
    pub(crate) fn forget(&mut self, concept: DraftId) {
        self.concepts[concept.0 as usize].defined = false;
    }

    /// Leaves out what does not exist, sorts by code, and tells how many links led nowhere.
    pub(crate) fn settle(&mut self) -> Result<usize, Error> {
        let defined: Vec<bool> = self.concepts.iter().map(|concept| concept.defined).collect();
        let mut dangling = 0;
        for concept in &mut self.concepts {
            let before = concept.broader.len();
            concept.broader.retain(|broader| defined[*broader as usize]);
            dangling += before - concept.broader.len();
        }
        if !defined.contains(&true) {
            return Err(Error::new(ErrorKind::Empty, "the taxonomy has no concepts")
                .with_hint("check that it is the right file and that its format was recognized"));
        }
        let mut order: Vec<u32> =
            (0u32..).zip(&defined).filter(|(_, defined)| **defined).map(|(id, _)| id).collect();
        order.sort_by(|a, b| self.concepts[*a as usize].code.cmp(&self.concepts[*b as usize].code));
        let mut place = vec![u32::MAX; self.concepts.len()];
        for (at, id) in (0u32..).zip(&order) {
            place[*id as usize] = at;
        }
        let mut old: Vec<Option<DraftConcept>> =
            std::mem::take(&mut self.concepts).into_iter().map(Some).collect();
        self.codes.clear();
        for id in order {
            if let Some(mut concept) = old[id as usize].take() {
                concept.broader.iter_mut().for_each(|broader| *broader = place[*broader as usize]);
                if concept.words.is_empty() {
                    concept.words.push(DraftWord { text: concept.code.clone(), count: 0, rank: 0 });
                }
                self.concepts.push(concept);
            }
        }
        Ok(dangling)
    }

    /// Concepts so that each comes after all that is broader, with the length of their longest way up; or the
    /// cycle that forbids it.
    pub(crate) fn downwards(&self) -> Result<(Vec<u32>, Vec<u32>), Error> {
        let count = self.concepts.len();
        let mut waits: Vec<usize> = self.concepts.iter().map(|concept| concept.broader.len()).collect();
        let mut narrower: Vec<Vec<u32>> = vec![Vec::new(); count];
        for (id, concept) in (0u32..).zip(&self.concepts) {
            for broader in &concept.broader {
                narrower[*broader as usize].push(id);
            }
        }
        let mut order: Vec<u32> = (0u32..).zip(&waits).filter(|(_, n)| **n == 0).map(|(id, _)| id).collect();
        let mut depth = vec![0u32; count];
        let mut at = 0;
        while let Some(id) = order.get(at).copied() {
            at += 1;
            for below in &narrower[id as usize] {
                let at = *below as usize;
                depth[at] = depth[at].max(depth[id as usize] + 1);
                waits[at] -= 1;
                if waits[at] == 0 {
                    order.push(*below);
                }
            }
        }
        if order.len() < count {
            return Err(self.cycle(&waits));
        }
        if let Some(deepest) = depth.iter().max().filter(|deepest| **deepest > MAX_DEPTH) {
            return Err(Error::new(
                ErrorKind::Limit,
                format!("the taxonomy is {deepest} levels deep; at most {MAX_DEPTH} are supported"),
            ));
        }
        Ok((order, depth))
    }

    /// Names a cycle: from any concept that still waits, up through those that wait, until one comes again.
    fn cycle(&self, waits: &[usize]) -> Error {
        let mut at = waits.iter().position(|waits| *waits > 0).unwrap_or(0);
        let mut path: Vec<usize> = Vec::new();
        let mut seen = HashSet::new();
        while seen.insert(at) {
            path.push(at);
            let next = self.concepts[at].broader.iter().find(|broader| waits[**broader as usize] > 0);
            at = next.map_or(at, |next| *next as usize);
        }
        let start = path.iter().position(|known| *known == at).unwrap_or(0);
        let mut codes: Vec<&str> = path[start..].iter().map(|id| self.concepts[*id].code.as_str()).collect();
        let more = codes.len().saturating_sub(12);
        codes.truncate(12);
        codes.push(&self.concepts[at].code);
        let more = if more > 0 { format!(" (and {more} more)") } else { String::new() };
        Error::new(ErrorKind::Inconsistent, format!("the taxonomy has a cycle: {}{more}", codes.join(" < ")))
            .with_hint("remove one of these links")
    }

    /// The frequency of each concept: the counts of its words and of all that is narrower, and one for
    /// each concept.
    pub(crate) fn frequencies(&self) -> Result<Vec<u64>, Error> {
        let mut sums = vec![0u64; self.concepts.len()];
        let mut seen = vec![u32::MAX; self.concepts.len()];
        let mut pairs = 0u64;
        let mut open = Vec::new();
        for (id, concept) in (0u32..).zip(&self.concepts) {
            let own = concept.own_frequency();
            seen[id as usize] = id;
            open.push(id);
            while let Some(next) = open.pop() {
                let sum = &mut sums[next as usize];
                *sum = sum.saturating_add(own);
                for broader in &self.concepts[next as usize].broader {
                    if seen[*broader as usize] != id {
                        seen[*broader as usize] = id;
                        open.push(*broader);
                    }
                }
                pairs += 1;
            }
            if pairs > MAX_PAIRS {
                return Err(Error::new(ErrorKind::Limit, "the concepts have too many links to be counted"));
            }
        }
        if sums.contains(&u64::MAX) {
            return Err(Error::new(ErrorKind::Limit, "the counts are too large"));
        }
        Ok(sums)
    }
}
