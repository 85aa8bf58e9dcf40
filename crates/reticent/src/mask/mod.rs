//! Masks: replacements of entities.
//!
//! A replacement is always *true* of its entity: a [`ladder`] goes from the original through coarser generalizations
//! to the type alone and to nothing. The plan chooses the rung; [`fit`] then adapts it to its sentence. [`secret`]
//! has pseudonyms, keyed hashes, encryption and secret offsets for dates.

pub mod age;
pub mod characters;
pub mod coordinates;
pub mod date;
pub(crate) mod describe;
pub mod figure;
pub mod grammar;
pub mod ip_address;
pub mod money;
pub mod number;
pub mod percentage;
pub mod postcode;
pub mod secret;
pub(crate) mod vague;

mod numeral;
mod scan;

use std::fmt;

pub use reticent_text::Language;
use reticent_text::Span;

use crate::EntityType;

pub use characters::mask_characters;
pub use date::shift::shift_date;
pub(crate) use describe::plural;
pub use grammar::{Fitted, fit};
pub use secret::{Key, decrypt, encrypt, hash, keyed_pseudonym, pseudonym, shift_offset};

/// One thing that could be said instead.
#[derive(Clone, PartialEq, Eq)]
pub struct Rung {
    /// How specific it is, in words of its type: `day`, `month`, `year`, `decade`; `label` for the
    /// type alone; `suppressed` for nothing.
    pub level: String,
    /// What would be said.
    pub text: String,
}

impl Rung {
    /// A rung of this level that says `text`.
    pub fn new(level: &str, text: impl Into<String>) -> Self {
        Self { level: level.to_owned(), text: text.into() }
    }
}

/// Shows the level only: the first rung of a ladder is text of the document.
impl fmt::Debug for Rung {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Rung").field("level", &self.level).finish_non_exhaustive()
    }
}

/// What could be said instead of an entity, most specific first, suppression last.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ladder {
    /// The rungs; never empty.
    pub rungs: Vec<Rung>,
}

impl Ladder {
    /// The rung of exactly this level, if the ladder has one.
    pub fn rung(&self, level: &str) -> Option<&Rung> {
        self.rungs.iter().find(|rung| rung.level == level)
    }
}

/// Which of the two small numbers of `03/04/2011` is the day.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DateOrder {
    /// 3 April, as in most of the world.
    DayFirst,
    /// March 4, as in the United States.
    MonthFirst,
}

/// What a mask may take into account besides the words themselves.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Context {
    /// The language of the text around.
    pub language: Language,
    /// The year in which the document was written; it tells which century `'62` belongs to.
    pub reference_year: Option<i32>,
    /// How dates in figures are written in this document, if that is known. Spanish and other
    /// languages put the day first; English is undecided, see [`date`].
    pub date_order: Option<DateOrder>,
    /// Ages above this are told only as being above it.
    pub top: Option<u32>,
}

/// Says coarser and coarser true things about the entities of some types.
///
/// A generalizer reads the words of one entity (`July 3, 1962`) and returns its rungs: first the
/// words as written, under the level that they are of (`day`), then ever coarser ones (`July 1962`,
/// `1962`, `the 1960s`). Three rules: every rung is true of what it replaces; each covers all that
/// the one before it covers; and what cannot be read for sure is not guessed, `None` is returned,
/// and only the type is told. A level may be missing where nothing true can be said at it.
///
/// To add one: a file in `mask/` with a type that implements this trait, an entry in
/// [`generalizers`], a table in `tests/cases/mask/`, and a property test that reads each rung back
/// and finds the original inside.
pub trait Generalizer: Send + Sync {
    /// Its name, in documentation and in `reticent explain`.
    fn name(&self) -> &'static str;

    /// The types whose entities it can generalize.
    fn types(&self) -> &[EntityType];

    /// Its levels, finest first; a policy's `finest` is one of them.
    fn levels(&self) -> &'static [&'static str];

    /// The rungs of an entity, as written first; `None` if the words cannot be read for sure.
    fn rungs(&self, surface: &str, context: &Context) -> Option<Vec<Rung>>;
}

/// All generalizers.
pub fn generalizers() -> &'static [&'static dyn Generalizer] {
    &[
        &date::Dates,
        &age::Ages,
        &money::Money,
        &percentage::Percentages,
        &number::Numbers,
        &postcode::Postcodes,
        &ip_address::IpAddresses,
        &coordinates::Coordinates,
    ]
}

/// The level of a rung that tells the type alone.
pub const LABEL: &str = "label";
/// The level of the rung that tells nothing.
pub const SUPPRESSED: &str = "suppressed";

/// What could be said instead of an entity: what its generalizer says, then its label, then
/// nothing.
///
/// ```
/// use reticent::{EntityType, mask};
/// let ladder = mask::ladder(&EntityType::DATE_TIME, "July 3, 1962", &mask::Context::default());
/// let texts: Vec<&str> = ladder.rungs.iter().map(|rung| rung.text.as_str()).collect();
/// assert_eq!(
///     texts,
///     ["July 3, 1962", "July 1962", "1962", "the 1960s", "the 20th century", "a date", "[DATE_TIME]", ""]
/// );
/// ```
pub fn ladder(entity_type: &EntityType, surface: &str, context: &Context) -> Ladder {
    let mut rungs = generalizer_of(entity_type)
        .and_then(|generalizer| generalizer.rungs(surface, context))
        .unwrap_or_default();
    rungs.push(Rung::new(LABEL, label(entity_type)));
    rungs.push(Rung::new(SUPPRESSED, ""));
    Ladder { rungs }
}

/// The type in brackets: `[PERSON]`.
pub fn label(entity_type: &EntityType) -> String {
    format!("[{entity_type}]")
}

/// Whether a replacement is a mark such as `[PERSON]` or `[PERSON 2]`, perhaps with its article, and no words.
pub(crate) fn is_mark(replacement: &str) -> bool {
    let article = ["a ", "an ", "A ", "An "].iter().find_map(|article| replacement.strip_prefix(article));
    let mark = article.unwrap_or(replacement);
    mark.starts_with('[') && mark.ends_with(']') && !mark[1..].contains('[')
}

/// Whether a stretch of a replacement lies in a mark: `ADDRESS` in `[ADDRESS].`
pub(crate) fn is_in_mark(replacement: &str, stretch: Span) -> bool {
    let brackets = |c: char| c == '[' || c == ']';
    let (before, after) = (replacement.get(..stretch.start), replacement.get(stretch.end..));
    let opened = before.and_then(|before| before[before.rfind(brackets)?..].chars().next());
    let closed = after.and_then(|after| after[after.find(brackets)?..].chars().next());
    opened == Some('[') && closed == Some(']')
}

/// Whether finding an entity of one type in what is said of another tells nothing: 59 in `50 to 59`
/// is the end of a range, not an age.
pub(crate) fn may_end_a_range(found: &EntityType, said: &EntityType) -> bool {
    const RANGES: [EntityType; 4] =
        [EntityType::AGE, EntityType::MONEY, EntityType::NUMBER, EntityType::PERCENTAGE];
    found == said && RANGES.contains(said)
}

/// The levels that entities of a type can be told at, finest first, without `label` and
/// `suppressed`, which every type has. Empty if nothing generalizes that type.
pub fn levels_of(entity_type: &EntityType) -> &'static [&'static str] {
    generalizer_of(entity_type).map_or(&[], Generalizer::levels)
}

fn generalizer_of(entity_type: &EntityType) -> Option<&'static dyn Generalizer> {
    generalizers().iter().copied().find(|generalizer| generalizer.types().contains(entity_type))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn any_type() -> impl Strategy<Value = EntityType> {
        let mut types: Vec<EntityType> =
            generalizers().iter().flat_map(|generalizer| generalizer.types().to_vec()).collect();
        types.push(EntityType::PERSON);
        prop::sample::select(types)
    }

    #[test]
    fn marks_are_no_words() {
        assert!(is_mark("[PERSON 2]") && is_mark("a [DETAIL]") && is_mark("An [NRP]"));
        let within = |said: &str, words: &str| {
            let start = said.find(words).unwrap();
            is_in_mark(said, Span::new(start, start + words.len()))
        };
        assert!(within("[ADDRESS].", "ADDRESS") && within("a [DETAIL]", "DETAIL"));
        assert!(!within("[NAME] and [NAME]", "and") && !within("an address", "address"));
        assert!(!is_mark("a detail") && !is_mark("[NAME] and [NAME]") && !is_mark("the [NAME]'s film"));
    }

    fn any_context() -> impl Strategy<Value = Context> {
        (
            prop::sample::select(vec![Language::English, Language::Spanish, Language::Other]),
            prop::option::of(1900..2100i32),
            prop::option::of(0..120u32),
        )
            .prop_map(|(language, reference_year, top)| Context {
                language,
                reference_year,
                top,
                ..Context::default()
            })
    }

    #[test]
    fn unknown_words_get_label_and_nothing() {
        let ladder = ladder(&EntityType::DATE_TIME, "once upon a time", &Context::default());
        let levels: Vec<&str> = ladder.rungs.iter().map(|rung| rung.level.as_str()).collect();
        assert_eq!(levels, [LABEL, SUPPRESSED]);
        assert_eq!(levels_of(&EntityType::PERSON), &[] as &[&str]);
    }

    #[test]
    fn debug_tells_no_text() {
        let ladder = ladder(&EntityType::AGE, "45 years old", &Context::default());
        assert!(!format!("{ladder:?}").contains("45"));
    }

    #[test]
    fn every_type_has_one_generalizer() {
        let mut seen = std::collections::BTreeSet::new();
        for generalizer in generalizers() {
            for entity_type in generalizer.types() {
                assert!(seen.insert(entity_type.clone()), "{entity_type} twice");
            }
        }
    }

    /// Whatever the words, a ladder is well formed: known levels, each coarser than the last.
    fn assert_well_formed(entity_type: &EntityType, surface: &str, context: &Context) {
        let ladder = ladder(entity_type, surface, context);
        let order: Vec<&str> = levels_of(entity_type).iter().copied().chain([LABEL, SUPPRESSED]).collect();
        let places: Vec<usize> = ladder
            .rungs
            .iter()
            .map(|rung| order.iter().position(|level| *level == rung.level).expect("a known level"))
            .collect();
        assert!(places.is_sorted_by(|a, b| a < b), "levels out of order: {places:?}");
        let last = ladder.rungs.last().expect("never empty");
        assert_eq!((last.level.as_str(), last.text.as_str()), (SUPPRESSED, ""));
        assert_eq!(ladder.rungs[ladder.rungs.len() - 2].text, label(entity_type));
    }

    proptest! {
        #[test]
        fn any_words_give_a_well_formed_ladder(
            entity_type in any_type(), surface in any::<String>(), context in any_context()
        ) {
            assert_well_formed(&entity_type, &surface, &context);
        }

        #[test]
        fn near_words_give_a_well_formed_ladder(
            entity_type in any_type(),
            surface in "([0-9]{1,4}|[ .,:/'-]|Aug|May|de|agosto|th|s|T|years|old|años|%|\\$|€|SW|am|pm|to|million|the|century){1,9}",
            context in any_context()
        ) {
            assert_well_formed(&entity_type, &surface, &context);
        }
    }
}
