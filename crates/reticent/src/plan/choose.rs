//! Choosing the replacement of each entity.

use std::collections::{BTreeSet, HashMap};

use reticent_text::{Document, Edit, Language, Span};

use crate::detect::disclosure::PLACEHOLDER;
use crate::entity::Mention;
use crate::mask::describe::{Describer, is_kind};
use crate::mask::{self, Context, Key, Rung};
use crate::plan::polish::polish;
use crate::plan::together::groups;
use crate::plan::{Decision, Rejected, Review, Why};
use crate::policy::{Subject, UnplacedNames};
use crate::resolve::surface::{Form, Surfaces};
use crate::resolve::title::with_title;
use crate::{Entity, EntityType, Error, ErrorKind, Evidence, Finding, Operator, Policy};

/// The context of a plan besides the entities.
pub struct Settings<'a> {
    /// The policy.
    pub policy: &'a Policy,
    /// The policy's subjects and those of this document.
    pub subjects: &'a [Subject],
    /// The secret for operators that need one.
    pub key: Option<&'a Key>,
    /// The language of the document.
    pub language: Language,
    /// Says what kind of thing words name, if there is knowledge to say it by.
    pub(crate) describer: Option<Describer<'a>>,
    /// What is said instead of what tells too much of a subject.
    pub(crate) disclosed: HashMap<Span, Disclosed>,
}

/// What is said instead of a term that tells too much.
#[derive(Clone)]
pub(crate) struct Disclosed {
    /// Its level, and what is said at this place; nothing if only its type may be told.
    pub(crate) said: Option<(String, String)>,
    /// What may not be said, and why.
    pub(crate) rejected: Vec<Rejected>,
}

/// Chooses for every entity, so that no replacement repeats what is masked elsewhere.
pub fn choose(
    document: &Document,
    entities: Vec<Entity>,
    settings: &Settings<'_>,
) -> Result<Vec<Decision>, Error> {
    let mut numbers: HashMap<EntityType, usize> = HashMap::new();
    let mut options = Vec::with_capacity(entities.len());
    for entity in &entities {
        options.push(Options::of(document, entity, settings, &mut numbers)?);
    }
    climb(document.text(), settings.language, &entities, &mut options);
    climb_together(document, &entities, &mut options, settings)?;
    let decisions =
        entities.into_iter().zip(options).map(|(entity, options)| options.decide(entity, settings));
    let mut decisions: Vec<Decision> = decisions.collect();
    fit_all(document.text(), &mut decisions, settings.language);
    if settings.language == Language::English {
        polish(document, &mut decisions, settings.describer.is_some());
    }
    Ok(decisions)
}

/// What a table wants said of an entity.
#[derive(Clone)]
pub(crate) enum Wish {
    /// What the policy says of its type, but nothing of what it is: generalizing is the table's part.
    Masked,
    /// Its type, or nothing if the policy suppresses it.
    Suppressed,
    /// Nothing else.
    AsWritten,
    /// These words, one for each mention.
    Words(Vec<String>),
}

/// Chooses what a table wants, where that repeats nothing that is masked elsewhere.
pub(crate) fn as_wished(
    document: &Document,
    wishes: Vec<(Entity, Wish)>,
    settings: &Settings<'_>,
) -> Result<Vec<Decision>, Error> {
    let mut numbers: HashMap<EntityType, usize> = HashMap::new();
    let (mut entities, mut options) = (Vec::with_capacity(wishes.len()), Vec::with_capacity(wishes.len()));
    for (entity, wish) in wishes {
        options.push(Options::wished(document, &entity, wish, settings, &mut numbers)?);
        entities.push(entity);
    }
    climb(document.text(), settings.language, &entities, &mut options);
    let decided = entities.into_iter().zip(options).map(|(entity, options)| {
        let by_table = options.is_by_table() || !options.is_masked();
        let decision = options.decide(entity, settings);
        // The table is a person's decision.
        if by_table { Decision { review: Review::Approved, ..decision } } else { decision }
    });
    let mut decisions: Vec<Decision> = decided.collect();
    fit_all(document.text(), &mut decisions, settings.language);
    Ok(decisions)
}

/// Chooses again for one entity at a level that a person named.
pub(crate) fn at_level(
    document: &Document,
    entity: Entity,
    level: &str,
    settings: &Settings<'_>,
) -> Result<Decision, Error> {
    let mut options = Options::of(document, &entity, settings, &mut HashMap::new())?;
    let chosen = options.rungs.iter().position(|rung| rung.level == level);
    options.chosen = chosen.ok_or_else(|| {
        let levels: Vec<&str> = options.rungs.iter().map(|rung| rung.level.as_str()).collect();
        Error::new(
            ErrorKind::Plan,
            format!("an entity of type {} has no level `{level}`", entity.entity_type),
        )
        .with_hint(format!("valid levels: {}", levels.join(", ")))
    })?;
    let mut decisions = vec![options.decide(entity, settings)];
    fit_all(document.text(), &mut decisions, settings.language);
    decisions.pop().ok_or_else(|| Error::new(ErrorKind::Plan, "no decision was made for an entity"))
}

/// The replacements of a mention: those that the policy allows, and those that are finer.
pub(crate) struct Replacements {
    finer: Vec<String>,
    allowed: Vec<String>,
}

impl Replacements {
    pub(crate) fn allows(&self, replacement: &str) -> bool {
        self.allowed.iter().any(|allowed| allowed == replacement)
    }

    pub(crate) fn is_finer(&self, replacement: &str) -> bool {
        self.finer.iter().any(|finer| finer == replacement)
    }
}

/// The replacements of a mention, where an entity is generalized to `level`, or as the policy chooses.
pub(crate) fn replacements(
    document: &Document,
    entity: &Entity,
    mention: usize,
    level: Option<&str>,
    settings: &Settings<'_>,
) -> Result<Replacements, Error> {
    let options = Options::of(document, entity, settings, &mut HashMap::new())?;
    let rungs = &options.rungs;
    let chosen = match level {
        Some(level) => rungs.iter().position(|rung| rung.level == level),
        None => Some(options.chosen),
    };
    let texts = |rungs: &[Choice]| {
        let said = rungs.iter().filter_map(|rung| rung.said[mention].clone());
        let both = |said: String| {
            let span = entity.mentions[mention].span;
            let fitted = mask::fit(document.text(), span, &said, settings.language).replacement;
            [said, fitted]
        };
        said.flat_map(both).collect()
    };
    // A level that is not among the rungs was chosen for the whole text: only the type is as coarse for sure.
    let label = || rungs.iter().position(|rung| rung.level == mask::LABEL).unwrap_or(rungs.len());
    let (finer, allowed) = rungs.split_at(chosen.unwrap_or_else(label));
    Ok(Replacements { finer: texts(finer), allowed: texts(allowed) })
}

/// Whether the policy lets this stand as it is written.
pub(crate) fn may_stay(
    document: &Document,
    finding: &Finding,
    settings: &Settings<'_>,
) -> Result<bool, Error> {
    let entity = Entity::of(finding);
    let options = Options::of(document, &entity, settings, &mut HashMap::new())?;
    Ok(!options.is_masked())
}

/// One thing that could be said at each mention of an entity.
struct Choice {
    level: String,
    /// What would be said at each mention; nothing where the text stays.
    said: Vec<Option<String>>,
}

/// What could be said of an entity, most specific first, and which of it is chosen.
struct Options {
    operator: Operator,
    rungs: Vec<Choice>,
    chosen: usize,
    rejected: Vec<Rejected>,
}

impl Options {
    fn of(
        document: &Document,
        entity: &Entity,
        settings: &Settings<'_>,
        numbers: &mut HashMap<EntityType, usize>,
    ) -> Result<Self, Error> {
        let text = document.text();
        let surfaces: Vec<&str> = entity.mentions.iter().map(|mention| mention.span.of(text)).collect();
        let kind = &entity.entity_type;
        let operator = operator_for(entity, settings.policy).clone();
        let each = |level: &str, say: &dyn Fn(&str) -> String| Choice {
            level: level.to_owned(),
            said: surfaces.iter().map(|surface| Some(say(surface))).collect(),
        };
        let key = || settings.key.ok_or_else(no_key);
        let mut rejected = Vec::new();
        let mut chosen = 0;
        let mut rungs = Vec::new();
        let at_most =
            entity.subject.and_then(|subject| settings.subjects.get(subject)).and_then(Subject::at_most);
        let counted: Vec<&Disclosed> =
            entity.mentions.iter().filter_map(|mention| settings.disclosed.get(&mention.span)).collect();
        if let Some(first) = counted.first() {
            rejected.extend(first.rejected.iter().cloned());
            // At a place that was not counted itself, the words of the first that was.
            let at = |mention: &Mention| settings.disclosed.get(&mention.span).unwrap_or(first);
            // Of one of several that are said alike nothing may be said: then of none.
            let is_blank =
                |one: &&&Disclosed| one.said.as_ref().is_some_and(|(level, _)| level == PLACEHOLDER);
            let level_of = counted.iter().find(is_blank).unwrap_or(first);
            if let Some((level, _)) = &level_of.said {
                let said = entity.mentions.iter().map(|mention| at(mention).said.as_ref());
                let said = said.map(|said| said.map(|(_, words)| words.clone())).collect::<Vec<_>>();
                if said.iter().all(Option::is_some) {
                    rungs.push(Choice { level: level.clone(), said });
                }
            }
            rungs.push(each("label", &|_| mask::label(kind)));
            rungs.push(each("suppressed", &|_| String::new()));
            return Ok(Self { operator, rungs, chosen: 0, rejected });
        }
        if let Some(most) = at_most {
            rungs.push(each(AT_MOST, &|_| most.to_owned()));
        }
        match &operator {
            Operator::Keep => {
                rungs.push(Choice {
                    level: Decision::AS_WRITTEN.to_owned(),
                    said: vec![None; surfaces.len()],
                });
            }
            Operator::Suppress => rungs.push(each("suppressed", &|_| String::new())),
            Operator::Label => {}
            Operator::Pseudonym => {
                let number = numbers.entry(kind.clone()).or_insert(0);
                *number += 1;
                let longest = longest(&surfaces);
                let name = match settings.key {
                    Some(key) => mask::keyed_pseudonym(key, kind, longest),
                    None => mask::pseudonym(kind, *number),
                };
                rungs.push(each("pseudonym", &|_| name.clone()));
            }
            Operator::Hash => {
                let hash = mask::hash(key()?, kind, longest(&surfaces));
                rungs.push(each("hash", &|_| hash.clone()));
            }
            Operator::Encrypt => {
                let key = key()?;
                let said = surfaces.iter().map(|surface| mask::encrypt(key, kind, surface).map(Some));
                rungs.push(Choice { level: "encrypted".to_owned(), said: said.collect::<Result<_, _>>()? });
            }
            Operator::Characters { with, keep_first, keep_last } => {
                rungs.push(each("covered", &|surface| {
                    mask::mask_characters(surface, *with, *keep_first, *keep_last)
                }));
            }
            Operator::Shift { max_days } => {
                let days = mask::shift_offset(key()?, person(document, settings), *max_days);
                let context = context(settings, None);
                let shifted: Vec<Option<String>> =
                    surfaces.iter().map(|surface| mask::shift_date(surface, days, &context)).collect();
                if shifted.iter().all(Option::is_some) {
                    rungs.push(Choice { level: "shifted".to_owned(), said: shifted });
                } else {
                    rejected.push(Rejected { level: "shifted".to_owned(), why: Why::CannotBeShifted });
                }
            }
            Operator::Generalize { finest, top } => {
                let context = context(settings, *top);
                let ladders: Vec<Vec<Rung>> =
                    surfaces.iter().map(|surface| mask::ladder(kind, surface, &context).rungs).collect();
                rungs.extend(shared_rungs(&surfaces, &ladders));
                let described = described(document, entity, settings, &context)?;
                if rungs[0].level == mask::LABEL && !described.is_empty() {
                    rungs.splice(..0, described.iter().map(|rung| each(&rung.level, &|_| rung.text.clone())));
                } else if at_most.is_none() {
                    chosen = finest_allowed(kind, finest.as_deref(), &rungs);
                }
            }
        }
        if !rungs.iter().any(|rung| rung.level == "label") {
            rungs.push(each("label", &|_| mask::label(kind)));
        }
        if !rungs.iter().any(|rung| rung.level == "suppressed") {
            rungs.push(each("suppressed", &|_| String::new()));
        }
        let finer = rungs[..chosen].iter();
        rejected.extend(finer.map(|rung| Rejected { level: rung.level.clone(), why: Why::FinerThanAllowed }));
        Ok(Self { operator, rungs, chosen, rejected })
    }

    fn wished(
        document: &Document,
        entity: &Entity,
        wish: Wish,
        settings: &Settings<'_>,
        numbers: &mut HashMap<EntityType, usize>,
    ) -> Result<Self, Error> {
        let kind = &entity.entity_type;
        let choice = |level: &str, said: Option<String>| Choice {
            level: level.to_owned(),
            said: vec![said; entity.mentions.len()],
        };
        let masked =
            || vec![choice("label", Some(mask::label(kind))), choice("suppressed", Some(String::new()))];
        let (operator, mut rungs) = match wish {
            Wish::Masked => {
                let mut options = Self::of(document, entity, settings, numbers)?;
                let tells = matches!(
                    options.operator,
                    Operator::Keep | Operator::Generalize { .. } | Operator::Shift { .. }
                );
                if tells && options.rungs[options.chosen].level != AT_MOST {
                    options.rungs = masked();
                    options.chosen = 0;
                    options.rejected.clear();
                    options.operator = Operator::Label;
                }
                return Ok(options);
            }
            Wish::Suppressed if *settings.policy.operator(kind) == Operator::Suppress => {
                (Operator::Suppress, vec![choice("suppressed", Some(String::new()))])
            }
            Wish::Suppressed => (Operator::Label, Vec::new()),
            Wish::AsWritten => (Operator::Keep, vec![choice(Decision::AS_WRITTEN, None)]),
            Wish::Words(words) => {
                let said = words.into_iter().zip(&entity.mentions).map(|(words, mention)| {
                    Some(words).filter(|words| words != mention.span.of(document.text()))
                });
                let wished = Choice { level: Decision::AS_IN_TABLE.to_owned(), said: said.collect() };
                (Operator::Generalize { finest: None, top: None }, vec![wished])
            }
        };
        rungs.extend(masked());
        Ok(Self { operator, rungs, chosen: 0, rejected: Vec::new() })
    }

    /// What kind of thing is said to stand at a mention, if that is said.
    fn description(&self, mention: usize) -> Option<&str> {
        let rung = &self.rungs[self.chosen];
        rung.said[mention].as_deref().filter(|_| is_kind(&rung.level))
    }

    fn is_by_table(&self) -> bool {
        self.rungs[self.chosen].level == Decision::AS_IN_TABLE
    }

    fn said(&self) -> &[Option<String>] {
        &self.rungs[self.chosen].said
    }

    fn is_masked(&self) -> bool {
        self.said().iter().any(Option::is_some)
    }

    fn decide(self, entity: Entity, settings: &Settings<'_>) -> Decision {
        let rung = &self.rungs[self.chosen];
        let edits = rung.said.iter().zip(&entity.mentions).map(|(said, mention)| {
            said.as_ref().map(|said| Edit { span: mention.span, replacement: said.clone() })
        });
        Decision {
            review: review(&entity, &self, settings.policy),
            operator: self.operator.clone(),
            level: rung.level.clone(),
            rejected: self.rejected.clone(),
            edits: edits.collect(),
            entity,
        }
    }
}

/// What kind of thing an entity is that tells something of a subject, as exactly as is safe: the same at all its
/// mentions, by the first.
fn described(
    document: &Document,
    entity: &Entity,
    settings: &Settings<'_>,
    context: &Context,
) -> Result<Vec<Rung>, Error> {
    let related = |evidence: &Evidence| matches!(evidence, Evidence::Related { .. });
    match &settings.describer {
        Some(describer) if entity.mentions[0].evidence.iter().any(related) => {
            describer.rungs(document, entity.mentions[0].span, &entity.entity_type, context)
        }
        _ => Ok(Vec::new()),
    }
}

/// The policy's operator; what it asked for by name is never kept.
fn operator_for<'p>(entity: &Entity, policy: &'p Policy) -> &'p Operator {
    let wished = entity.mentions.iter().flat_map(|mention| &mention.evidence).any(|evidence| {
        use Evidence::{Correlated, Disclosure, Given, Listed, Subject};
        matches!(evidence, Subject { .. } | Listed | Disclosure { .. } | Correlated { .. } | Given)
    });
    match policy.operator(&entity.entity_type) {
        Operator::Keep if wished => &Operator::Label,
        operator => operator,
    }
}

fn context(settings: &Settings<'_>, top: Option<u32>) -> Context {
    Context { language: settings.language, top, ..Context::default() }
}

fn longest<'s>(surfaces: &[&'s str]) -> &'s str {
    surfaces.iter().copied().max_by_key(|surface| surface.chars().count()).unwrap_or_default()
}

/// The rungs that every mention has, by level: an entity is told at one level everywhere.
fn shared_rungs(surfaces: &[&str], ladders: &[Vec<Rung>]) -> Vec<Choice> {
    let Some((first, others)) = ladders.split_first() else { return Vec::new() };
    let text_at = |ladder: &[Rung], level: &str| {
        ladder.iter().find(|rung| rung.level == level).map(|rung| rung.text.clone())
    };
    let shared =
        first.iter().filter(|rung| others.iter().all(|ladder| text_at(ladder, &rung.level).is_some()));
    shared
        .map(|rung| Choice {
            level: rung.level.clone(),
            said: ladders
                .iter()
                .zip(surfaces)
                .map(|(ladder, surface)| text_at(ladder, &rung.level).filter(|text| text != surface))
                .collect(),
        })
        .collect()
}

/// The first rung that is not finer than the policy allows.
fn finest_allowed(kind: &EntityType, finest: Option<&str>, rungs: &[Choice]) -> usize {
    let levels = mask::levels_of(kind);
    let place = |level: &str| levels.iter().position(|known| *known == level).unwrap_or(usize::MAX);
    let least = match finest {
        Some(finest) => place(finest),
        None => rungs.first().map_or(0, |rung| place(&rung.level).saturating_add(1)),
    };
    rungs.iter().position(|rung| place(&rung.level) >= least).unwrap_or(rungs.len())
}

/// Takes coarser rungs until no replacement repeats a masked surface.
fn climb(text: &str, language: Language, entities: &[Entity], options: &mut [Options]) {
    loop {
        let masked: Vec<Form<'_>> = entities
            .iter()
            .zip(options.iter())
            .filter(|(_, options)| options.is_masked())
            .flat_map(|(entity, _)| {
                entity.mentions.iter().map(|mention| Form::of(mention.span.of(text), &entity.entity_type))
            })
            .collect();
        let kinds: Vec<(&EntityType, bool)> = entities
            .iter()
            .zip(options.iter())
            .filter(|(_, options)| options.is_masked())
            .flat_map(|(entity, options)| {
                entity.mentions.iter().map(|_| (&entity.entity_type, options.is_by_table()))
            })
            .collect();
        let surfaces = Surfaces::new(masked);
        let mut climbed = false;
        for (entity, options) in entities.iter().zip(options.iter_mut()) {
            let ours = |said: &str| mask::is_mark(said) && !options.is_by_table();
            let told = |index: usize| {
                let (kind, by_table) = kinds[index];
                // A table may say a set of values with the one in it that stood here.
                mask::may_end_a_range(kind, &entity.entity_type)
                    || by_table && options.is_by_table() && *kind == entity.entity_type
            };
            let repeats = options.said().iter().zip(&entity.mentions).any(|(said, mention)| {
                let Some(said) = said.as_ref().filter(|said| !ours(said)) else { return false };
                // Where it stands it may be said otherwise: with a capital, or `under 20` of who is 10 to 19.
                let fitted = mask::fit(text, mention.span, said, language).replacement;
                let found = [said, &fitted].into_iter().flat_map(|said| surfaces.find(said));
                found.into_iter().any(|(index, _)| !told(index))
            });
            if repeats && options.chosen + 1 < options.rungs.len() {
                let level = options.rungs[options.chosen].level.clone();
                options.rejected.push(Rejected { level, why: Why::RepeatsWhatIsMasked });
                options.chosen += 1;
                climbed = true;
            }
        }
        if !climbed {
            return;
        }
    }
}

/// Takes coarser rungs until all that is said instead, in a sentence or in the text, does not lead to a subject.
fn climb_together(
    document: &Document,
    entities: &[Entity],
    options: &mut [Options],
    settings: &Settings<'_>,
) -> Result<(), Error> {
    let Some(describer) = &settings.describer else { return Ok(()) };
    let groups = groups(document, entities, describer.takes_all_together());
    let mut groups_of = vec![Vec::new(); entities.len()];
    for (at, group) in groups.iter().enumerate() {
        for (entity, _) in group {
            groups_of[*entity].push(at);
        }
    }
    let mut waiting: BTreeSet<usize> = (0..groups.len()).collect();
    while let Some(group) = waiting.pop_first() {
        let said = groups[group]
            .iter()
            .filter_map(|(entity, mention)| Some((*entity, options[*entity].description(*mention)?)));
        let (said_of, said): (Vec<usize>, Vec<&str>) = said.unzip();
        let Some(most) = describer.tells_together(&said)? else { continue };
        let options = &mut options[said_of[most]];
        let level = options.rungs[options.chosen].level.clone();
        options.rejected.push(Rejected { level, why: Why::TellsTooMuchTogether });
        options.chosen += 1;
        waiting.extend(&groups_of[said_of[most]]);
    }
    Ok(())
}

fn review(entity: &Entity, options: &Options, policy: &Policy) -> Review {
    let unplaced = entity.mentions.iter().all(|mention| {
        mention
            .evidence
            .iter()
            .all(|evidence| matches!(evidence, Evidence::ProperNoun | Evidence::SameAs { .. }))
    }) && entity.entity_type == EntityType::NAME;
    if policy.requires_review(&entity.entity_type)
        || (unplaced && policy.unplaced_names() == UnplacedNames::Review)
    {
        Review::Required
    } else if entity.score() < policy.suggest_below() && options.is_masked() {
        Review::Suggested
    } else {
        Review::Automatic
    }
}

/// The level of what a policy lets be told of a subject.
const AT_MOST: &str = "at_most";

/// Makes the replacements fit their sentences, without letting two changes touch.
fn fit_all(text: &str, decisions: &mut [Decision], language: Language) {
    for decision in decisions.iter_mut().filter(|decision| decision.level == AT_MOST) {
        for edit in decision.edits.iter_mut().flatten() {
            edit.span = with_title(text, edit.span);
        }
    }
    let mut edits: Vec<&mut Edit> =
        decisions.iter_mut().flat_map(|decision| decision.edits.iter_mut().flatten()).collect();
    edits.sort_by_key(|edit| edit.span);
    let starts: Vec<usize> = edits.iter().map(|edit| edit.span.start).chain([text.len()]).collect();
    let mut done = 0;
    for (edit, next) in edits.into_iter().zip(&starts[1..]) {
        let fitted = mask::fit(text, edit.span, &edit.replacement, language);
        let free = Span::new(done, *next);
        if free.contains(fitted.span) {
            *edit = Edit { span: fitted.span, replacement: fitted.replacement };
        }
        done = edit.span.end;
    }
}

/// Whose dates are shifted together: the person that the document names as its own, else the first subject that is a
/// person, else the document itself.
fn person<'a>(document: &'a Document, settings: &'a Settings<'_>) -> &'a str {
    let subject = settings.subjects.iter().find(|subject| *subject.entity_type() == EntityType::PERSON);
    let name = subject.and_then(|subject| subject.names().next());
    document.person().or(name).unwrap_or(document.id())
}

pub(crate) fn no_key() -> Error {
    Error::new(ErrorKind::Key, "the policy hashes, encrypts or shifts values, which requires a key")
        .with_hint("create one with `reticent key new -o my.key` and pass it with --key my.key")
}
