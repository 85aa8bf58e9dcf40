//! Templates: which features a labeller looks at, declared in a file.
//!
//! A line is one feature, or one for each place of a range; several attributes in a line are one feature
//! of them all together. Places are counted in tokens from the one to be labelled. With `*8` at the end of a line its
//! weights cost an eighth: for what rarely errs, which would else share its weight with all that shows beside it, and be
//! too weak where that does not show.
//!
//! ```text
//! sequence = line
//! lower[-2..2]
//! suffix3
//! lower[-1] lower
//! date *8
//! ```
//!
//! | attribute | what a token shows |
//! |---|---|
//! | `word`, `lower`, `stem`, `tag` | as written, in small letters, without endings, its part of speech |
//! | `shape`, `brief`, `case` | `Xxxx9` with runs up to four, with runs as one; capitals or not |
//! | `prefix1` to `prefix8`, `suffix1` to `suffix8` | what it begins and ends with |
//! | `length`, `ends_with_s`, `has_letter`, `has_digit` | as they say |
//! | `number` | what a number may be by its size: a day, a year, a postal code |
//! | `date`, `phone`, `postcode` | whether it is in what is written as such, and whether it is the first token of it |
//! | `glued`, `piece`, `bracket` | no blank before it; the shape of all between two blanks; in brackets |
//! | `first`, `line`, `line_from_end` | the first of its sequence; which sequence of the document |
//! | `above`, `below` | the first words of the sequences around its own |
//! | `field`, `field_distance`, `elsewhere` | the words before the colon; how far; the field of the same word elsewhere |
//! | `list:NAME`, `lists` | a list that knows it, alone or with its neighbours; all of them |
//! | `after:A+B`, `since:A+B` | the nearest word before it that list A or B knows, at most ten tokens away; how far |
//! | `before:A+B`, `until:A+B` | the same behind it |
//! | `cluster1` to `cluster16` | words that it is used like, by so many bits |
//! | `rule` | what the learnt rules say |

use super::attribute::{Attribute, Sources, values};
use super::table::mix;
use super::tokens::{Tokens, Unit};
use crate::{Error, ErrorKind};

/// The features of a labeller.
#[derive(Clone, Debug)]
pub struct Templates {
    source: String,
    unit: Unit,
    attributes: Vec<Attribute>,
    features: Vec<Feature>,
    numbering: Numbering,
}

/// Which attributes at which places, and as how many equal features it is learnt.
#[derive(Clone, Debug)]
struct Feature {
    parts: Vec<(usize, isize)>,
    copies: usize,
}

const FARTHEST: isize = 8;
const MOST_COPIES: usize = 64;

/// How the number of a feature goes into its hash.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Numbering {
    /// As it is. The second feature with the value 3 then looks like the third one with 2. So it was in labellers of
    /// version 1.
    Plain,
    /// As a hash of its own, so that features stay apart whatever their values.
    Apart,
}

impl Numbering {
    fn start(self, number: u64) -> u64 {
        match self {
            Self::Plain => number,
            Self::Apart => mix(APART, number),
        }
    }
}

const APART: u64 = 0x8F5C_28F5_C28F_5C29;

impl Templates {
    /// The last feature of each token, which all have.
    pub(crate) const LAST: u64 = 0;

    /// Reads a file of templates.
    ///
    /// ```
    /// use reticent_text::label::Templates;
    /// assert!(Templates::parse("sequence = sentence\nlower[-1..1]\nlower[-1] lower\n").is_ok());
    /// assert!(Templates::parse("sequence = sentence\nheight\n").unwrap_err().to_string().contains("line 2"));
    /// ```
    pub fn parse(source: &str) -> Result<Self, Error> {
        let mut templates = Self {
            source: source.to_owned(),
            unit: Unit::Sentence,
            attributes: Vec::new(),
            features: Vec::new(),
            numbering: Numbering::Apart,
        };
        for (number, line) in (1..).zip(source.lines()) {
            let line = line.split('#').next().unwrap_or_default().trim();
            let refuse = |message: &str| Error::new(ErrorKind::Model, message).at_line(number);
            match line.split_once('=').map(|(key, value)| (key.trim(), value.trim())) {
                None if line.is_empty() => {}
                Some(("sequence", "line")) => templates.unit = Unit::Line,
                Some(("sequence", "sentence")) => templates.unit = Unit::Sentence,
                Some(_) => return Err(refuse("`sequence` must be `line` or `sentence`")),
                None => templates.push(line).map_err(|message| refuse(&message))?,
            }
        }
        if templates.features.is_empty() {
            return Err(Error::new(ErrorKind::Model, "the template file has no features"));
        }
        Ok(templates)
    }

    fn push(&mut self, line: &str) -> Result<(), String> {
        let (line, copies) = match line.split_once('*') {
            Some((line, copies)) => {
                (line, copies.trim().parse().ok().filter(|n| (1..=MOST_COPIES).contains(n)))
            }
            None => (line, Some(1)),
        };
        let copies =
            copies.ok_or_else(|| format!("`*` must be followed by a number from 1 to {MOST_COPIES}"))?;
        let mut parts = Vec::new();
        for part in line.split_whitespace() {
            let (name, places) = match part.strip_suffix(']').and_then(|part| part.split_once('[')) {
                Some((name, places)) => (
                    name,
                    range(places).ok_or_else(|| {
                        format!("`{part}` needs an offset such as [-1] or [-2..2], at most {FARTHEST} away")
                    })?,
                ),
                None => (part, (0, 0)),
            };
            let attribute = Attribute::parse(name).ok_or_else(|| format!("unknown attribute `{name}`"))?;
            let at = self.attributes.iter().position(|known| *known == attribute).unwrap_or_else(|| {
                self.attributes.push(attribute);
                self.attributes.len() - 1
            });
            parts.push((at, places));
        }
        match parts.as_slice() {
            [] => return Err("the feature has no attribute".to_owned()),
            [(at, (first, last))] => {
                let places = (*first..=*last).map(|place| Feature { parts: vec![(*at, place)], copies });
                self.features.extend(places);
            }
            _ if parts.iter().any(|(_, (first, last))| first != last) => {
                return Err("a feature of several attributes needs one offset for each".to_owned());
            }
            _ => {
                let parts = parts.iter().map(|(at, (place, _))| (*at, *place)).collect();
                self.features.push(Feature { parts, copies });
            }
        }
        Ok(())
    }

    /// The same with another numbering.
    pub(crate) fn numbered(self, numbering: Numbering) -> Self {
        Self { numbering, ..self }
    }

    /// As it was written.
    #[must_use]
    pub fn source(&self) -> &str {
        &self.source
    }

    /// What a sequence is.
    #[must_use]
    pub fn unit(&self) -> Unit {
        self.unit
    }

    /// Whether the learnt rules are looked at.
    pub(crate) fn uses_rules(&self) -> bool {
        self.attributes.contains(&Attribute::Rule)
    }

    /// Whether what a token shows depends on nothing outside of its sentence.
    pub(crate) fn stay_in_sentences(&self) -> bool {
        self.unit == Unit::Sentence && self.attributes.iter().all(Attribute::stays_in_sequence)
    }

    /// Tells the features of each token, token by token, and as how many each is learnt.
    pub(crate) fn each(
        &self,
        tokens: &Tokens<'_>,
        sources: &Sources<'_>,
        mut tell: impl FnMut(usize, u64, usize),
    ) {
        let values: Vec<Vec<u64>> =
            self.attributes.iter().map(|attribute| values(attribute, tokens, sources)).collect();
        for sequence in &tokens.sequences {
            for token in sequence.clone() {
                for (number, feature) in (1u64..).zip(&self.features) {
                    let mut value = self.numbering.start(number);
                    let mut shown = true;
                    for (attribute, place) in &feature.parts {
                        let at = token.checked_add_signed(*place).filter(|at| sequence.contains(at));
                        // Beyond the ends there is something to see too: the end.
                        let own = at.map_or(2, |at| values[*attribute][at]);
                        shown &= own != 0;
                        value = mix(value, own);
                    }
                    if shown {
                        tell(token, value, feature.copies);
                    }
                }
                tell(token, Self::LAST, 1);
            }
        }
    }
}

fn range(places: &str) -> Option<(isize, isize)> {
    let (first, last) = if let Some((first, last)) = places.split_once("..") {
        (first.parse().ok()?, last.parse().ok()?)
    } else {
        let place = places.parse().ok()?;
        (place, place)
    };
    (first <= last && first >= -FARTHEST && last <= FARTHEST).then_some((first, last))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_places_and_ranges() {
        let templates =
            Templates::parse("# a comment\nsequence = line\nlower[-1..1]\n\nword[-1] tag # both\n").unwrap();
        assert_eq!(templates.unit(), Unit::Line);
        assert_eq!(templates.features.len(), 4);
        assert_eq!(templates.attributes.len(), 3);
        let copies = Templates::parse("word\nlower[-1..0] *8\n").unwrap().features;
        assert_eq!(copies.iter().map(|feature| feature.copies).collect::<Vec<_>>(), [1, 8, 8]);
    }

    #[test]
    fn features_stay_apart_whatever_their_values() {
        let mut seen = std::collections::HashSet::new();
        for number in 1..500 {
            for value in 1..500 {
                assert!(seen.insert(mix(Numbering::Apart.start(number), value)), "{number} {value}");
            }
        }
    }

    #[test]
    fn refuses_what_it_does_not_know() {
        for bad in [
            "",
            "sequence = page\nword",
            "word[a]",
            "word[2..1]",
            "word[-9]",
            "word[0..1] tag",
            "prefix0",
            "cluster99",
            "word *0",
            "word *65",
            "word *x",
            "*2",
        ] {
            assert!(Templates::parse(bad).is_err(), "{bad}");
        }
    }
}
