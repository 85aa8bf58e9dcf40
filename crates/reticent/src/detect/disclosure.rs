//! Terms that reveal more about a subject than the policy allows, measured in a corpus.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use reticent_text::{Analyzer, Document, Span};

use crate::abbreviation::abbreviates;
use crate::disclosure::terms::{self, Item, Look, Outcome, Rung};
use crate::disclosure::{Corpus, Risk};
use crate::finding::short;
use crate::mask::grammar::starts_with_vowel_sound;
use crate::mask::{self, describe};
use crate::plan::choose::Disclosed;
use crate::plan::{Decision, Rejected, Unknown, Why};
use crate::policy::{Disclosure, Subject, UnknownTerms};
use crate::resolve::surface::{Form, Surfaces};
use crate::verify::disclosure::{Claim, certify};
use crate::{EntityType, Error, ErrorKind, Evidence, Finding, Identifies, Released};

/// Finds terms that, alone or in combination, reveal more about a subject than its `at_most` does.
///
/// Unlike a [`Detector`](super::Detector), it also chooses the replacements, because the generalization of one term
/// depends on the others.
pub struct DisclosureDetector {
    corpus: Corpus,
    settings: Disclosure,
}

/// What was seen in a document, and what must be looked at again.
#[derive(Default)]
pub(crate) struct Seen {
    outcome: Option<Outcome>,
    look: Look,
    /// How often it was looked again.
    looked: usize,
}

/// The level of what not even a content-free word is said of.
pub(crate) const PLACEHOLDER: &str = "placeholder";

/// After so many times it takes too long to look again at one thing after the other.
const SOON: usize = 3;

/// Words that tell too much together: those of the original, and where others stand in the place of some.
pub(crate) struct Telling {
    own: Vec<Span>,
    replaced: Vec<Span>,
}

/// What the independent check of a released text found.
#[derive(Default)]
pub(crate) struct StillTold {
    /// What tells too much.
    pub(crate) tellings: Vec<Telling>,
    /// What may tell too much, and is to be masked too.
    pub(crate) unknown: Vec<Telling>,
    /// What of the text is not known to be safe.
    pub(crate) counts: Option<Unknown>,
}

impl DisclosureDetector {
    /// The name of this detector.
    pub const NAME: &'static str = "disclosure";

    /// Creates a detector for this corpus and the policy's settings.
    pub fn new(corpus: Corpus, settings: Disclosure) -> Self {
        Self { corpus, settings }
    }

    /// Returns the corpus.
    pub fn corpus(&self) -> &Corpus {
        &self.corpus
    }

    pub(crate) fn look(
        &self,
        document: &Document,
        subjects: &[Subject],
        seen: &mut Seen,
    ) -> Result<(), Error> {
        seen.outcome = Some(terms::sanitize(document, &self.corpus, subjects, &self.settings, &seen.look)?);
        Ok(())
    }

    /// What a released text still says together that tells too much, by the independent check.
    pub(crate) fn still_tells(
        &self,
        analyzer: &Analyzer,
        document: &Document,
        released: &Released,
        subjects: &[Subject],
    ) -> Result<StillTold, Error> {
        let refuse = |error: Error| error.in_document(document.id());
        let mut again = released.document(document);
        let layers =
            analyzer.analyze(&again, Some(document.language())).map_err(|error| refuse(error.into()))?;
        again.set_layers(layers);
        let asked = self.corpus.counts_for(document.id()).map_err(refuse)?;
        let taxonomy = self.corpus.taxonomy();
        let claims: Vec<Claim> = subjects.iter().map(|subject| Claim::of(subject, taxonomy)).collect();
        let certificate =
            certify(&again, asked.counts(), &claims, taxonomy, &self.settings).map_err(refuse)?;
        let telling = |places: &[Span]| Telling {
            own: places.iter().flat_map(|place| released.untouched(*place)).collect(),
            replaced: places.iter().flat_map(|place| released.replaced(*place)).collect(),
        };
        let tellings = certificate.violations.iter().map(|violation| telling(&violation.places)).collect();
        let unknown = match self.settings.unknown {
            UnknownTerms::Mask => {
                certificate.unknown.iter().map(|unknown| telling(&unknown.places)).collect()
            }
            UnknownTerms::NamesAndRare | UnknownTerms::Keep => Vec::new(),
        };
        Ok(StillTold { tellings, unknown, counts: certificate.unsettled() })
    }
}

impl Seen {
    /// Adds what was found; the names of subjects lie in it.
    pub(crate) fn add_to(&self, findings: &mut Vec<Finding>) {
        let Some(outcome) = &self.outcome else { return };
        let mut found = Vec::new();
        for disclosed in &outcome.sanitized.disclosed {
            let Risk { secret, bits, bound, terms, .. } = disclosed.risk;
            let with = outcome.partners(disclosed);
            let (bits, bound) = (bits.map(short), short(bound));
            let evidence = Evidence::Disclosure { subject: secret, bits, bound, terms, with };
            found.extend(outcome.items[disclosed.item].spans.iter().map(|span| Finding {
                span: *span,
                entity_type: EntityType::DETAIL,
                identifies: Identifies::Confidential,
                detector: DisclosureDetector::NAME.into(),
                score: 1.0,
                evidence: evidence.clone(),
            }));
        }
        findings.retain(|finding| {
            !(matches!(finding.evidence, Evidence::Subject { .. })
                && found.iter().any(|other: &Finding| other.span.contains(finding.span)))
        });
        findings.extend(found);
    }

    /// What is said instead at each place.
    pub(crate) fn instead(&self, document: &Document) -> HashMap<Span, Disclosed> {
        let mut instead = HashMap::new();
        let Some(outcome) = &self.outcome else { return instead };
        let again = again(document.text(), outcome);
        for disclosed in &outcome.sanitized.disclosed {
            let item = &outcome.items[disclosed.item];
            let level = |rung: usize| match rung {
                0 => Decision::AS_WRITTEN.to_owned(),
                rung => format!("broader_{rung}"),
            };
            let rejected: Vec<Rejected> = disclosed
                .rejected
                .iter()
                .map(|(rung, risk)| Rejected { level: level(*rung), why: why(*risk) })
                .collect();
            let rung = item.rungs.get(disclosed.rung).filter(|rung| !rung.text.is_empty());
            for span in &item.spans {
                let said = match rung {
                    Some(rung) => {
                        let mut words = said_at(document, *span, item, rung);
                        let noun = words.strip_prefix("a ").or(words.strip_prefix("an "));
                        if let Some(noun) = noun.filter(|_| !rung.is_form && again.contains(span)) {
                            words = format!("the {noun}");
                        }
                        Some((level(disclosed.rung), words))
                    }
                    // What fits its sentence is found when all is decided.
                    None if item.rungs.get(disclosed.rung).is_some_and(|rung| rung.is_vague) => {
                        Some((item.sort.level().to_owned(), mask::label(&EntityType::DETAIL)))
                    }
                    None => Some((PLACEHOLDER.to_owned(), mask::label(&EntityType::DETAIL))),
                };
                instead.insert(*span, Disclosed { said, rejected: rejected.clone() });
            }
        }
        instead
    }

    /// Takes words for terms, whatever the tagger thinks. Of what was one already the least is masked that leaves nothing; and
    /// all of it where that did not end soon.
    pub(crate) fn look_again_at(&mut self, document: &Document, tellings: &[Telling]) {
        let items = self.outcome.iter().flat_map(|outcome| &outcome.items);
        let terms: HashSet<Span> = items.flat_map(|item| item.spans.iter().copied()).collect();
        let replaced: Vec<Span> = self.outcome.iter().flat_map(Outcome::replaced).collect();
        self.looked += 1;
        let (mut also, mut risky) = (Vec::new(), Vec::new());
        for telling in tellings {
            // What was replaced by words without content before is not to be said in others.
            let masked = |span: &&Span| self.look.masked.iter().any(|masked| masked.overlaps(**span));
            let ours = telling.replaced.iter().filter(masked);
            self.look.blank.extend(ours);
            let known = |span: &Span| {
                self.look.also.contains(span)
                    || terms.contains(span)
                    || replaced.iter().any(|place| place.overlaps(*span))
            };
            let (known, new): (Vec<Span>, Vec<Span>) = telling.own.iter().copied().partition(known);
            if new.is_empty() {
                risky.push(telling.replaced.iter().copied().chain(known).collect::<BTreeSet<Span>>());
            }
            also.extend(new);
        }
        also.sort_unstable();
        also.dedup();
        self.look.also.extend(also);
        if self.looked > SOON {
            // At all their places: a word stands in many phrases.
            let risky: BTreeSet<Span> = risky.into_iter().flatten().collect();
            let surfaces = Surfaces::new(
                risky
                    .iter()
                    .map(|span| Form { words: span.of(document.text()), exact: false })
                    .collect::<Vec<_>>(),
            );
            self.look.masked.extend(surfaces.find(document.text()).into_iter().map(|(_, span)| span));
            self.look.masked.extend(risky);
            return;
        }
        // Of equals what is said instead of something, which says least already, then the first.
        let is_ours = |span: &Span| replaced.iter().any(|place| place.overlaps(*span));
        while let Some(span) = most_frequent(&risky, is_ours) {
            self.look.masked.push(span);
            risky.retain(|places| !places.contains(&span));
        }
    }
}

/// What a rung says where a term stands: its number, its article, and that there are some where there were many.
fn said_at(document: &Document, span: Span, item: &Item, rung: &Rung) -> String {
    let surface = span.of(document.text());
    let several = mask::plural(&rung.text);
    let text = match own_form(surface, &rung.text).filter(|_| rung.is_form) {
        Some(own) => own,
        // `OIs` are infections, `an OI` is one.
        None if rung.is_form && is_several_in_short(surface) => &several,
        None => &rung.text,
    };
    let is_noun = !rung.is_form || !is_several(text) && is_explained(document.text(), span);
    let mut words = describe::fitted(document, span, text, is_noun);
    if is_noun && item.is_one && words == several {
        let article = if starts_with_vowel_sound(&rung.text) { "an" } else { "a" };
        words = format!("{article} {}", rung.text);
    }
    let last = document.layers().and_then(|layers| layers.tokens_in(span).last());
    if is_noun && last.is_some_and(|token| token.tag.name() == "VBZ") {
        // What the tagger took for a verb is several.
        words = several;
    }
    let noun = words.strip_prefix("a ").or(words.strip_prefix("an "));
    if let Some(noun) = noun.filter(|noun| is_uncounted(noun)) {
        words = noun.to_owned();
    }
    let before = &document.text()[..span.start];
    if is_many(surface) && is_several(&words) && !DETERMINERS.iter().any(|word| before.ends_with(word)) {
        words = format!("some {words}");
    }
    words
}

/// Before these, how many is left out and not said vaguely: no `the some types`.
const DETERMINERS: [&str; 9] =
    ["the ", "The ", "these ", "those ", "their ", "your ", "our ", "his ", "her "];

/// Whether a phrase starts with how many. That may tell too much too: `many medicines` is a term that corpora have.
fn is_many(surface: &str) -> bool {
    ["many ", "several ", "various ", "numerous "].iter().any(|many| surface.starts_with(many))
}

/// Whether an abbreviation means several: `OIs`.
fn is_several_in_short(surface: &str) -> bool {
    surface.strip_suffix('s').is_some_and(|one| one.len() > 1 && one.chars().all(char::is_uppercase))
}

fn is_several(noun: &str) -> bool {
    mask::grammar::singular(noun).is_some()
}

/// Whether a noun is the Greek name of a disease or of a treatment, which needs no article: `pneumonia`.
fn is_uncounted(noun: &str) -> bool {
    ["ia", "itis", "osis", "etes", "pathy", "apy"].iter().any(|end| noun.ends_with(end))
}

/// Whether the abbreviation of a stretch follows it, so that it names one thing: who has `acquired immunodeficiency syndrome (AIDS)`
/// has a syndrome.
fn is_explained(text: &str, span: Span) -> bool {
    let short = text[span.end..].strip_prefix(" (").and_then(|rest| rest.split_once(')'));
    short.is_some_and(|(short, _)| abbreviates(short, span.of(text)))
}

/// Where something is said of a thing that was said before and of nothing else, so that `the microorganism` is the same one.
fn again(text: &str, outcome: &Outcome) -> HashSet<Span> {
    let mut called: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for disclosed in &outcome.sanitized.disclosed {
        let rung = outcome.items[disclosed.item].rungs.get(disclosed.rung);
        if let Some(rung) = rung.filter(|rung| !rung.is_form && !rung.text.is_empty()) {
            called.entry(&rung.text).or_default().push(disclosed.item);
        }
    }
    let replaced: Vec<Span> = outcome.replaced().collect();
    let mut again = HashSet::new();
    for (words, items) in called {
        let items: Vec<&Item> = items.into_iter().map(|item| &outcome.items[item]).collect();
        let written = Surfaces::new(vec![Form { words, exact: false }]).find(text);
        let own = written.iter().any(|(_, span)| !replaced.iter().any(|place| place.overlaps(*span)));
        if own || !is_one_thing(&items) {
            continue;
        }
        let mut spans: Vec<Span> = items.iter().flat_map(|item| item.spans.iter().copied()).collect();
        spans.sort_unstable();
        again.extend(spans.into_iter().skip(1));
    }
    again
}

/// Whether several terms mean one thing: only names of one secret are known to.
fn is_one_thing(items: &[&Item]) -> bool {
    let [first, others @ ..] = items else { return false };
    others.is_empty() || items.iter().all(|item| item.names.is_some() && item.names == first.names)
}

/// The last words of a stretch if they are some words in another number: `factors` of `risk factors`, known as `factor`.
fn own_form<'t>(surface: &'t str, words: &str) -> Option<&'t str> {
    let count = words.split(' ').count();
    let start = surface.rmatch_indices(' ').nth(count - 1).map_or(0, |(at, _)| at + 1);
    let own = &surface[start..];
    let stem = |words: &str| words.to_lowercase().trim_end_matches('s').to_owned();
    (stem(own) == stem(words)).then_some(own)
}

/// What is in most of several sets; of equals what is `preferred`, then the first.
fn most_frequent(sets: &[BTreeSet<Span>], preferred: impl Fn(&Span) -> bool) -> Option<Span> {
    let mut often: BTreeMap<Span, usize> = BTreeMap::new();
    sets.iter().flatten().for_each(|span| *often.entry(*span).or_default() += 1);
    let most = often.iter().max_by_key(|(span, times)| (**times, preferred(span), Reverse(**span)));
    most.map(|(span, _)| *span)
}

fn why(risk: Risk) -> Why {
    let Risk { secret, bits, bound, terms, .. } = risk;
    Why::TellsTooMuch { subject: secret, bits: bits.map(short), bound: short(bound), terms }
}

pub(crate) fn violation(document: &Document) -> Error {
    Error::new(
        ErrorKind::Violation,
        "the output would still reveal more about a subject than the policy allows; nothing was released",
    )
    .with_hint("choose a more specific --at-most, or enable detectors that mask more")
    .in_document(document.id())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::disclosure::{Disclosed, Sanitized};

    #[test]
    fn a_form_of_a_term_keeps_the_number_of_its_place() {
        assert_eq!(own_form("risk factors", "factor"), Some("factors"));
        assert_eq!(own_form("mutated gene", "genes"), Some("gene"));
        assert_eq!(own_form("white blood cells", "blood cell"), Some("blood cells"));
        assert_eq!(own_form("factors", "cause"), None);
        assert_eq!(own_form("risk", "high risk"), None);
        assert_eq!(own_form("", ""), Some(""));
    }

    #[test]
    fn what_is_in_most_goes_first() {
        let span = |at| Span::new(at, at + 1);
        let sets = [[span(1), span(2)], [span(2), span(3)], [span(4), span(5)]].map(BTreeSet::from);
        assert_eq!(most_frequent(&sets, |_| false), Some(span(2)));
        assert_eq!(most_frequent(&sets[2..], |_| false), Some(span(4)));
        assert_eq!(most_frequent(&sets[2..], |place| *place == span(5)), Some(span(5)));
        assert_eq!(most_frequent(&[], |_| true), None);
    }

    fn rung(text: &str, is_form: bool) -> Rung {
        Rung { text: text.to_owned(), is_form, ..Rung::default() }
    }

    /// Terms where they first stand in a text and everywhere else, each with what is said instead and which secret it means.
    fn said_again(text: &str, terms: &[(&str, &str, Option<usize>)]) -> Vec<String> {
        let risk = Risk { secret: 0, bits: None, bound: 1.0, terms: 1, parts: [None; 3] };
        let (mut items, mut disclosed) = (Vec::new(), Vec::new());
        for (at, (term, said, names)) in terms.iter().enumerate() {
            let spans = text.match_indices(term).map(|(at, _)| Span::new(at, at + term.len())).collect();
            let rungs = vec![rung(term, true), rung(said, false)];
            items.push(Item { spans, rungs, names: *names, ..Item::default() });
            disclosed.push(Disclosed { item: at, rung: 1, risk, rejected: Vec::new() });
        }
        let outcome = Outcome { items, sanitized: Sanitized { disclosed, unknown: Vec::new() } };
        let mut spans: Vec<Span> = again(text, &outcome).into_iter().collect();
        spans.sort_unstable();
        spans.iter().map(|span| span.of(text).to_owned()).collect()
    }

    #[test]
    fn what_was_said_before_is_the_same() {
        let text = "HIV is bad. Some have HIV, and HIV/AIDS.";
        assert_eq!(said_again(text, &[("HIV ", "virus", None)]), Vec::<String>::new());
        assert_eq!(said_again(text, &[("HIV", "virus", None)]), ["HIV", "HIV"]);
        let both = [("have HIV", "virus", Some(0)), ("HIV/AIDS", "virus", Some(0))];
        assert_eq!(said_again(text, &both), ["HIV/AIDS"]);
    }

    #[test]
    fn what_is_only_called_the_same_is_not() {
        let text = "Flu and mumps are bad. Some have flu, and mumps. A disease.";
        let both = [("flu", "condition", None), ("mumps", "condition", None)];
        assert!(said_again(text, &both).is_empty());
        let of_two = [("flu", "condition", Some(0)), ("mumps", "condition", Some(1))];
        assert!(said_again(text, &of_two).is_empty());
        // The text itself says so of something.
        assert!(said_again(text, &[("mumps", "disease", None)]).is_empty());
        assert_eq!(said_again(text, &[("mumps", "condition", None)]), ["mumps"]);
    }

    #[test]
    fn names_that_are_explained_get_an_article_unless_they_are_not_counted() {
        let explained = |text: &str, words: &str| {
            let start = text.find(words).unwrap();
            is_explained(text, Span::new(start, start + words.len()))
        };
        assert!(explained("They have acquired syndrome (AS).", "acquired syndrome"));
        assert!(!explained("They have acquired syndrome (rare).", "acquired syndrome"));
        assert!(!explained("They have acquired syndrome.", "acquired syndrome"));
        assert!(is_uncounted("pneumonia") && is_uncounted("therapy") && !is_uncounted("syndrome"));
        assert!(is_many("many types") && !is_many("many") && !is_many("Germany types"));
        assert!(is_several_in_short("OIs") && !is_several_in_short("AIDS") && !is_several_in_short("gas"));
    }
}
