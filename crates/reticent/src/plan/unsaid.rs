//! What nothing can be said of, left out where the sentence does without it.
//!
//! `is an [NRP] actor, [DETAIL], and [DETAIL]` is `is an actor and more`. Leaving out is never untrue; a label stays where the
//! sentence would break without it.

use reticent_text::{Document, Edit, Language, Layers, Pos, Span};

use super::Decision;
use crate::EntityType;
use crate::mask;

/// Labels and words that say nothing of what stood there.
const LABELS: [&str; 4] = ["[DETAIL]", "[NAME]", "[NRP]", "something"];

/// What joins the things of a list; an article goes with the thing after it.
const JOINTS: [&str; 5] = [", and ", ", or ", ", ", " and ", " or "];
const ARTICLES: [&str; 4] = ["", "a ", "an ", "the "];

/// Leaves out labels that English sentences do without.
pub(super) fn leave_out(document: &Document, decisions: &mut [Decision]) {
    let Some(layers) = document.layers() else { return };
    // Dates and amounts are no things of a list.
    let figures = [EntityType::DATE_TIME, EntityType::MONEY, EntityType::AGE, EntityType::NUMBER];
    let mut edits: Vec<(bool, &mut Edit)> = decisions
        .iter_mut()
        .flat_map(|decision| {
            let thing = !figures.contains(&decision.entity.entity_type);
            decision.edits.iter_mut().flatten().map(move |edit| (thing, edit))
        })
        .collect();
    edits.sort_by_key(|(_, edit)| edit.span);
    let (things, mut edits): (Vec<bool>, Vec<&mut Edit>) = edits.into_iter().unzip();
    shortened(document.text(), layers, &things, &mut edits);
}

fn shortened(text: &str, layers: &Layers, things: &[bool], edits: &mut [&mut Edit]) {
    for at in 0..edits.len() {
        let (before, rest) = edits.split_at_mut(at);
        category(text, before, rest[0]);
    }
    lists(text, layers, things, edits);
    for at in 1..edits.len() {
        let (before, rest) = edits.split_at_mut(at);
        pronounced(text, before, rest[0]);
    }
    for at in 0..edits.len() {
        let free_from = at.checked_sub(1).map_or(0, |at| edits[at].span.end);
        let free_to = edits.get(at + 1).map_or(text.len(), |next| next.span.start);
        let edit = &mut *edits[at];
        if !is_label(edit) {
            continue;
        }
        let free = Span::new(free_from, free_to.max(free_from));
        if let Some(opening) = opens_brackets(text, edit.span).filter(|opening| free.contains(*opening)) {
            *edit = Edit { span: opening, replacement: String::new() };
            continue;
        }
        let stretch = if is_adjective(text, layers, edit.span) || is_bracketed(text, edit.span) {
            edit.span
        } else if let Some(end) = possessive(text, layers, edit.span) {
            Span::new(edit.span.start, end)
        } else {
            continue;
        };
        let fitted = mask::fit(text, stretch, "", Language::English);
        if free.contains(fitted.span) {
            *edit = Edit { span: fitted.span, replacement: fitted.replacement };
        }
    }
}

fn is_label(edit: &Edit) -> bool {
    LABELS.contains(&edit.replacement.as_str())
}

/// `the award for Best Actor in a Leading Role` is `the award`, and the `Volpi Cup for Best Actress` must be one.
fn category(text: &str, before: &mut [&mut Edit], edit: &mut Edit) {
    let Some(end) = before.last().map(|last| last.span.end) else { return };
    // What a list of awards is called is said by its first.
    let Some(last) = before.iter_mut().rfind(|edit| !edit.replacement.is_empty()) else { return };
    let Some(between) = text.get(end..edit.span.start) else { return };
    let is_category = |words: &str| ["Best ", "Outstanding "].iter().any(|best| words.starts_with(best));
    let is_award = last.replacement.rsplit(' ').next().is_some_and(|word| AWARDS.contains(&word));
    let told = &text[last.span.end..end];
    // `for Outstanding Performance by an Ensemble in a Drama Series`.
    // `both Best Actress in Drama and Best Supporting Actress` are awards themselves.
    let own = last.span.of(text).trim_start_matches("both ");
    let goes_on = [" in a ", " by a ", " by an ", " in ", " by "].contains(&between)
        && (told.strip_prefix(" for ").is_some_and(is_category) || told.is_empty() && is_category(own));
    let nothing = |edit: &Edit| {
        let said = edit.replacement.strip_prefix("a ").or_else(|| edit.replacement.strip_prefix("an "));
        is_label(edit) || said.is_some_and(|said| LABELS.contains(&said))
    };
    let follows = between == " for " && is_category(edit.span.of(text));
    // `his Academy Award for Best Actor nomination` is a nomination.
    if follows && is_award && told.is_empty() && !is_label(edit) && !edit.replacement.is_empty() {
        let bare = ["a ", "an "].iter().find_map(|article| edit.replacement.strip_prefix(article));
        let determined = !["a ", "an "].iter().any(|article| last.replacement.starts_with(article));
        let said = bare.filter(|_| determined).unwrap_or(&edit.replacement);
        said.clone_into(&mut last.replacement);
    } else if !nothing(edit) {
        return;
    } else if follows && is_label(last) && told.is_empty() {
        let articles = ["the ", "a ", "an ", "her ", "his ", "first "];
        let determined = articles.iter().any(|article| text[..last.span.start].ends_with(article));
        let said = if determined { "award" } else { "an award" };
        said.clone_into(&mut last.replacement);
    } else if !(is_award && (goes_on || follows)) {
        return;
    }
    *edit = Edit { span: Span::new(end, edit.span.end), replacement: String::new() };
}

/// What a category may be one of.
const AWARDS: [&str; 4] = ["award", "awards", "nomination", "nominations"];

/// `an [NRP] actor`: a common noun follows that needs nothing before it but an article.
fn is_adjective(text: &str, layers: &Layers, span: Span) -> bool {
    let next = layers.tokens.partition_point(|token| token.span.start < span.end);
    let words = layers.tokens_in(span);
    let adjective = words.last().is_some_and(|token| token.tag.pos() == Pos::Adjective);
    // Of `a German mother and American father` the first adjective would be said of both.
    let before = layers.tokens.partition_point(|token| token.span.end <= span.start).checked_sub(1);
    let joined = before.is_some_and(|at| ["and", "or", ","].contains(&layers.tokens[at].span.of(text)));
    adjective && !joined && is_noun_after(text, layers, next, span.end)
}

/// `a [DETAIL]'s degree`: where the possessive ends.
fn possessive(text: &str, layers: &Layers, span: Span) -> Option<usize> {
    let next = layers.tokens.partition_point(|token| token.span.start < span.end);
    let sign = layers.tokens.get(next).filter(|token| token.tag.pos() == Pos::Possessive)?;
    let beside = sign.span.start == span.end && is_noun_after(text, layers, next + 1, sign.span.end);
    beside.then_some(sign.span.end)
}

fn is_noun_after(text: &str, layers: &Layers, at: usize, end: usize) -> bool {
    layers.tokens.get(at).is_some_and(|token| {
        matches!(token.tag.name(), "NN" | "NNS")
            && text.get(end..token.span.start) == Some(" ")
            && token.span.of(text).starts_with(char::is_lowercase)
    })
}

/// `( [DETAIL]; born in the 1970s)`: the first of several in brackets, with what parts it from the next.
fn opens_brackets(text: &str, span: Span) -> Option<Span> {
    let start = text[..span.start].trim_end_matches(' ').len();
    let opens = text[..start].ends_with('(') && text[span.end..].starts_with("; ");
    opens.then(|| Span::new(start, span.end + 2))
}

/// `(; European: [[DETAIL]]; born`: how a name is said, and in which language.
fn pronounced(text: &str, before: &mut [&mut Edit], edit: &mut Edit) {
    let Some(language) = before.last_mut() else { return };
    let between = text.get(language.span.end..edit.span.start);
    let opens = ["(", "; "].iter().any(|sign| text[..language.span.start].ends_with(sign));
    if between == Some(": [") && opens && is_label(edit) && text[edit.span.end..].starts_with("]; ") {
        language.replacement = String::new();
        let end = edit.span.end + "]; ".len();
        *edit = Edit { span: Span::new(language.span.end, end), replacement: String::new() };
    }
}

/// `([NAME])`: an abbreviation of what stands before.
fn is_bracketed(text: &str, span: Span) -> bool {
    text[..span.start].ends_with('(') && text[span.end..].starts_with(')')
}

/// Takes labels out of lists.
fn lists(text: &str, layers: &Layers, things: &[bool], edits: &mut [&mut Edit]) {
    let mut at = 0;
    while at < edits.len() {
        let mut end = at + 1;
        while end < edits.len() && things[at] && things[end] && goes_on(text, edits[end - 1], edits[end]) {
            end += 1;
        }
        let before = at.checked_sub(1).map_or(0, |at| edits[at].span.end);
        shorten(text, layers, before, &mut edits[at..end]);
        at = end;
    }
}

/// Whether two stand in one list; what another says already is part of that one.
fn goes_on(text: &str, one: &Edit, next: &Edit) -> bool {
    joint(text, one.span.end, next.span.start).is_some()
        || next.replacement.is_empty() && next.span.start == one.span.end
}

/// What joins two things, if it only does that, and the article of the second.
fn joint(text: &str, end: usize, start: usize) -> Option<(&'static str, &str)> {
    let between = text.get(end..start)?;
    JOINTS.into_iter().find_map(|joint| {
        let article = between.strip_prefix(joint)?;
        ARTICLES.contains(&article).then_some((joint, article))
    })
}

/// Says a list without its labels, if something is left of it.
fn shorten(text: &str, layers: &Layers, free: usize, list: &mut [&mut Edit]) {
    say_once(list);
    let labels = list.iter().filter(|edit| is_label(edit)).count();
    let (Some(first), Some(last)) = (list.first(), list.last()) else { return };
    let (first, last) = (first.span, last.span);
    // A verb would no longer agree; a number, a name or a bracket may belong to the last of them.
    let next = layers.tokens.partition_point(|token| token.span.start < last.end);
    let next = layers.tokens.get(next).filter(|next| next.span.start < last.end + 2);
    let ends = next.is_none_or(|next| {
        matches!(next.tag.pos(), Pos::Preposition | Pos::Punctuation) && next.span.of(text) != "("
    });
    if labels == 0 || !ends || text[last.end..].starts_with('-') || is_told_apart(text, layers, last) {
        return;
    }
    if labels == list.len() {
        if !and_more(text, layers, free, list) && list.len() > 2 {
            // `[NAME], [NAME] and [NAME]` says no more than one of them.
            let label = list[0].replacement.clone();
            replace(list, label);
        }
        return;
    }
    let is_determined = {
        let at = layers.tokens.partition_point(|token| token.span.end <= first.start);
        at.checked_sub(1).is_some_and(|at| {
            matches!(
                layers.tokens[at].tag.pos(),
                Pos::Determiner | Pos::Adjective | Pos::Possessive | Pos::Noun
            ) || matches!(layers.tokens[at].tag.name(), "VBN" | "VBD") && is_described(text, layers, at)
        })
    };
    if is_label(list[0]) && is_determined {
        return;
    }
    let mut conjunction = None;
    let mut kept: Vec<String> = Vec::new();
    let mut end = first.start;
    for edit in list.iter() {
        let (joint, article) = joint(text, end, edit.span.start).unwrap_or_default();
        conjunction = [" and ", " or "].into_iter().find(|word| joint.ends_with(&word[1..])).or(conjunction);
        if !is_label(edit) && !edit.replacement.is_empty() {
            kept.push(format!("{article}{}", edit.replacement));
        }
        end = edit.span.end;
    }
    // `an actor, singer, and [DETAIL]`: what stands before the first belongs to the list.
    let comma = text[..first.start].strip_suffix(", ").map(str::len).filter(|from| *from > free);
    let begun = comma.filter(|from| said_to_be(text, layers, *from));
    // Else it is no list without a conjunction: `In 2009, Alpha was`.
    let conjunction = conjunction.or(begun.map(|_| " and "));
    // `Olivier, Emmy, Guild and Saturn Awards`: the last has the conjunction, and says what all of them are.
    let of_all = last.of(text).contains(" and ") && says_all(&kept);
    if of_all {
        kept.drain(..kept.len() - 1);
    }
    let inside = last.of(text).contains(" and ") && kept.len() > 1;
    let conjunction = conjunction.or((of_all || inside).then_some(" and "));
    let (Some(conjunction), Some(last)) = (conjunction, kept.pop()) else { return };
    let said = match (kept.as_slice(), begun) {
        ([], None) => last,
        ([], Some(from)) => {
            list[0].span = Span::new(from, list[0].span.end);
            format!("{conjunction}{last}")
        }
        (kept, _) => format!("{}{conjunction}{last}", kept.join(", ")),
    };
    replace(list, said);
}

/// Who is called `an artist, a writer and an artist` is called one twice; what is said again is a label then.
fn say_once(list: &mut [&mut Edit]) {
    for at in 1..list.len() {
        let (before, rest) = list.split_at_mut(at);
        let said = &rest[0].replacement;
        let plain = !said.is_empty() && said.chars().all(char::is_alphabetic);
        if plain && before.iter().any(|edit| edit.replacement == rest[0].replacement) {
            LABELS[0].clone_into(&mut rest[0].replacement);
        }
    }
}

/// Whether the last is said of several, and the others are one of them: `an award` and `awards`.
fn says_all(kept: &[String]) -> bool {
    let Some((last, others)) = kept.split_last() else { return false };
    let several = last.rsplit(' ').next().and_then(|noun| noun.strip_suffix('s'));
    several.is_some_and(|one| others.iter().all(|other| other.rsplit(' ').next() == Some(one)))
}

/// Whether what looks like a verb says something of a noun: `her increased fame`.
fn is_described(text: &str, layers: &Layers, at: usize) -> bool {
    let before = at.checked_sub(1).map_or("", |at| layers.tokens[at].span.of(text));
    ["his", "her", "their", "its", "the", "a", "an"].contains(&before)
}

/// Whether the text goes on to speak of one of a list: of the last, as `the narrator in Ted`, or of `the latter`.
fn is_told_apart(text: &str, layers: &Layers, last: Span) -> bool {
    let next = layers.tokens.partition_point(|token| token.span.start < last.end);
    let words: Vec<&str> = layers.tokens[next..].iter().take(FAR).map(|token| token.span.of(text)).collect();
    let inside = match words.as_slice() {
        ["in" | "on", "the" | "a" | "an", name, ..] | ["in" | "on", name, ..] => {
            name.starts_with(char::is_uppercase) || text[last.end..].starts_with(" in the ")
        }
        _ => false,
    };
    inside || words.iter().any(|word| ["latter", "former", "respectively"].contains(word))
}

/// How many words behind a list may still speak of one of it.
const FAR: usize = 12;

/// Whether the noun that ends here is what someone is said to be: `is an actor`.
fn said_to_be(text: &str, layers: &Layers, end: usize) -> bool {
    let at = layers.tokens.partition_point(|token| token.span.end <= end);
    let is_noun = at.checked_sub(1).is_some_and(|at| matches!(layers.tokens[at].tag.name(), "NN" | "NNS"));
    let near = layers.tokens[at.saturating_sub(6)..at].iter().map(|token| token.span.of(text));
    is_noun && near.into_iter().any(|word| ["is", "was", "are", "were", "as"].contains(&word))
}

/// A list that ends in labels only: `an actor, [DETAIL], and [DETAIL]` is `an actor and more`.
/// Says whether it is one.
fn and_more(text: &str, layers: &Layers, free: usize, list: &mut [&mut Edit]) -> bool {
    let start = list[0].span.start;
    let before = JOINTS.into_iter().find_map(|joint| {
        let article =
            ARTICLES.into_iter().find(|article| text[free..start].ends_with(&format!("{joint}{article}")));
        article.map(|article| (joint, start - joint.len() - article.len()))
    });
    let Some((first, from)) = before.filter(|(_, from)| *from > free) else { return false };
    let mut joints = vec![first];
    for pair in list.windows(2) {
        joints.extend(joint(text, pair[0].span.end, pair[1].span.start).map(|joint| joint.0));
    }
    let closes = joints.iter().any(|joint| joint.ends_with("and "));
    if !closes || !said_to_be(text, layers, from) || joints.iter().any(|joint| joint.ends_with("or ")) {
        return false;
    }
    list[0].span = Span::new(from, list[0].span.end);
    replace(list, " and more".to_owned());
    true
}

/// The first says all; the others say nothing, and take what stood between with them.
fn replace(list: &mut [&mut Edit], said: String) {
    let mut done = list[0].span.end;
    list[0].replacement = said;
    for edit in &mut list[1..] {
        **edit = Edit { span: Span::new(done, edit.span.end), replacement: String::new() };
        done = edit.span.end;
    }
}

#[cfg(test)]
mod tests {
    use reticent_text::Analyzer;

    use super::*;

    /// Replaces words and leaves out what the sentence does without.
    fn told(text: &str, said: &[(&str, &str)]) -> String {
        let document = Document::plain("d", text);
        let layers = Analyzer::shipped().unwrap().analyze(&document, Some(Language::English)).unwrap();
        let mut edits: Vec<Edit> = Vec::new();
        for (words, said) in said {
            let free = edits.last().map_or(0, |edit| edit.span.end);
            let start = free + text[free..].find(words).unwrap();
            let span = Span::new(start, start + words.len());
            edits.push(Edit { span, replacement: (*said).to_owned() });
        }
        let things = vec![true; edits.len()];
        shortened(text, &layers, &things, &mut edits.iter_mut().collect::<Vec<_>>());
        let (mut out, mut from) = (String::new(), 0);
        for edit in &edits {
            out.push_str(&text[from..edit.span.start]);
            out.push_str(&edit.replacement);
            from = edit.span.end;
        }
        out + &text[from..]
    }

    const DETAIL: &str = "[DETAIL]";

    #[test]
    fn an_adjective_is_left_out() {
        let nation = [("American", "[NRP]")];
        assert_eq!(told("He is an American actor.", &nation), "He is an actor.");
        assert_eq!(told("She is an American dancer.", &nation), "She is a dancer.");
        let text = "the son of a German mother and American father";
        assert_eq!(told(text, &nation), "the son of a German mother and [NRP] father");
        assert_eq!(told("He is American.", &nation), "He is [NRP].");
        assert_eq!(told("He is an American.", &nation), "He is an [NRP].");
    }

    #[test]
    fn lists_do_without_labels() {
        let text = "She is an actress, model, and activist.";
        let said = [("actress", "artist"), ("model", DETAIL), ("activist", DETAIL)];
        assert_eq!(told(text, &said), "She is an artist.");
        assert_eq!(told(text, &said[1..]), "She is an actress and more.");
        let text = "He won fame, applause and a medal for it.";
        let said = [("fame", "fame"), ("applause", DETAIL), ("medal", "prize")];
        assert_eq!(told(text, &said), "He won fame and a prize for it.");
    }

    #[test]
    fn labels_alone_are_said_once() {
        let names = [("Alpha", "[NAME]"), ("Beta", "[NAME]"), ("Gamma", "[NAME]")];
        assert_eq!(told("Alpha, Beta and Gamma won.", &names), "[NAME], [NAME] and [NAME] won.");
        assert_eq!(told("He was in Alpha, Beta and Gamma.", &names), "He was in [NAME].");
        assert_eq!(told("He was in Alpha and Beta.", &names[..2]), "He was in [NAME] and [NAME].");
    }

    #[test]
    fn what_stands_before_a_list_may_be_any_sign() {
        let said = [("singer", "musician"), ("activist", DETAIL)];
        for before in ["É ", "“", "是"] {
            let text = format!("{before}singer and activist.");
            assert_eq!(told(&text, &said), format!("{before}musician."));
        }
    }

    #[test]
    fn a_list_that_began_before_is_joined() {
        let text = "She is an actress, singer, and activist.";
        let said = [("singer", "musician"), ("activist", DETAIL)];
        assert_eq!(told(text, &said), "She is an actress and musician.");
        let text = "In his career, medals and honours came to him.";
        let said = [("medals", "awards"), ("honours", DETAIL)];
        assert_eq!(told(text, &said), "In his career, awards and [DETAIL] came to him.");
    }

    #[test]
    fn what_is_said_twice_in_a_list_is_said_once() {
        let text = "He is an actor, photographer, poet, and painter.";
        let said =
            [("actor", "actor"), ("photographer", "artist"), ("poet", "writer"), ("painter", "artist")];
        assert_eq!(told(text, &said), "He is an actor, artist and writer.");
        let text = "She was nominated for Alpha, Beta, Gamma and Delta Awards.";
        let said = [("Alpha", "[NAME]"), ("Beta", "an award"), ("Gamma and Delta Awards", "awards")];
        assert_eq!(told(text, &said), "She was nominated for awards.");
        let text = "He is an actor, comedian, musician, producer and painter.";
        let said = [("actor", "actor"), ("comedian", DETAIL), ("musician, producer and painter", "producer")];
        assert_eq!(told(text, &said), "He is an actor and producer.");
    }

    #[test]
    fn what_the_text_goes_on_to_speak_of_stays() {
        let text = "He starred in the thriller and the comedy. For the latter, he won.";
        let said = [("thriller", "thriller"), ("comedy", DETAIL)];
        assert_eq!(told(text, &said), "He starred in the thriller and the [DETAIL]. For the latter, he won.");
        let text = "roles such as Avery in Dad and the narrator in Ted";
        let said = [("Dad", "a work"), ("narrator", DETAIL), ("Ted", "[NAME]")];
        assert_eq!(told(text, &said), "roles such as Avery in a work and the [DETAIL] in [NAME]");
        let text = "It brought her increased fame and a nomination.";
        let said = [("fame", DETAIL), ("a nomination", "a nomination")];
        assert_eq!(told(text, &said), "It brought her increased [DETAIL] and a nomination.");
    }

    #[test]
    fn how_a_name_is_said_is_left_out() {
        let text = "Ann (; Danish: [anə]; born in May) acts.";
        assert_eq!(told(text, &[("Danish", "European"), ("anə", DETAIL)]), "Ann (; born in May) acts.");
        let text = "Ann wrote Danish: [anə]; and left.";
        let said = [("Danish", "European"), ("anə", DETAIL)];
        assert_eq!(told(text, &said), "Ann wrote European: [[DETAIL]]; and left.");
    }

    #[test]
    fn a_category_goes_with_its_award() {
        let text = "the Alpha Award for Outstanding Performance by an Ensemble in a Drama Series then";
        let said = [
            ("Alpha Award", "award"),
            ("Outstanding Performance", "[NAME]"),
            ("an Ensemble", "a [NAME]"),
            ("Drama Series", "[NAME]"),
        ];
        assert_eq!(told(text, &said), "the award then");
        let text = "the Alpha Award by an Ensemble";
        let said = [("Alpha Award", "award"), ("an Ensemble", "a [NAME]")];
        assert_eq!(told(text, &said), "the award by a [NAME]");
    }

    #[test]
    fn lists_that_need_their_labels_keep_them() {
        // A verb agrees with all of them.
        let text = "The models and activists were there.";
        let said = [("models", DETAIL), ("activists", DETAIL)];
        assert_eq!(told(text, &said), "The [DETAIL] and [DETAIL] were there.");
        let text = "He played with the Acme and a band there.";
        let said = [("Acme", "[NAME]"), ("band", "group")];
        assert_eq!(told(text, &said), "He played with the [NAME] and a group there.");
        assert_eq!(told("She saw Rome.", &[("Rome", "[NAME]")]), "She saw [NAME].");
    }

    #[test]
    fn possessives_and_brackets_go_with_their_label() {
        let text = "with a bachelor's degree in law";
        assert_eq!(told(text, &[("bachelor", DETAIL)]), "with a degree in law");
        let text = "He won an award (SAG) then.";
        assert_eq!(told(text, &[("SAG", "[NAME]")]), "He won an award then.");
        let text = "He won an award (SAG, 1990) then.";
        assert_eq!(told(text, &[("SAG", "[NAME]")]), "He won an award ([NAME], 1990) then.");
        let text = "Ann (joh-LEE; born in May) acts.";
        assert_eq!(told(text, &[("joh-LEE", DETAIL)]), "Ann (born in May) acts.");
        assert_eq!(told("the bachelor's Rome", &[("bachelor", DETAIL)]), "the [DETAIL]'s Rome");
    }

    #[test]
    fn a_category_says_nothing_beside_its_award() {
        let text = "She won the Alpha Award for Best Actress in a Leading Role there.";
        let said = [("Alpha Award", "award"), ("Best Actress", "[NAME]"), ("Leading Role", "[NAME]")];
        assert_eq!(told(text, &said), "She won the award there.");
        let said = [("Alpha Award", "[NAME]"), ("Best Actress", "[NAME]")];
        assert_eq!(told(text, &said), "She won the award in a Leading Role there.");
        let text = "It brought her a first Alpha Award for Best Actress nomination.";
        let said = [("first Alpha Award", "award"), ("Best Actress nomination", "nomination")];
        assert_eq!(told(text, &said), "It brought her a nomination.");
        let text = "She won a prize for Better Sleep.";
        assert_eq!(
            told(text, &[("prize", "prize"), ("Better Sleep", "[NAME]")]),
            "She won a prize for [NAME]."
        );
    }
}
