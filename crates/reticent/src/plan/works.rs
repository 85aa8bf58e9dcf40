//! Lists of works whose titles are no longer told: `a film from the 1990s, a film from the 1990s and a film from the
//! 2000s` are `three films from the 1990s and 2000s`.

use reticent_text::{Document, Edit, Span};

use super::Decision;
use crate::EntityType;
use crate::mask::describe::is_work;
use crate::mask::plural;
use crate::resolve::surface::{Form, Surfaces};

/// What may stand between two works of one list.
const BETWEEN: [&str; 10] =
    [", ", " and ", ", and ", " or ", ", or ", ", the ", " and the ", ", and the ", ", a ", " as well as "];

/// How many works a list has, in words.
const NUMBERS: [&str; 11] =
    ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"];

/// Says the kind of several works once, and no kind that stands right before.
///
/// The first of a list says what all of them are; the others say nothing, and take what stood between with them. Nothing is
/// said that is masked elsewhere.
pub(super) fn collapse(document: &Document, decisions: &mut [Decision]) {
    let text = document.text();
    let masked = decisions.iter().filter(|decision| !decision.keeps()).flat_map(|decision| {
        let kind = &decision.entity.entity_type;
        decision.entity.mentions.iter().map(move |mention| Form::of(mention.span.of(text), kind))
    });
    let surfaces = Surfaces::new(masked);
    let may_say = |words: &str| surfaces.find(words).is_empty();
    let count = decisions.iter().map(|decision| decision.edits.len()).sum();
    let mut edits: Vec<(Option<Said>, &mut Edit)> = Vec::with_capacity(count);
    for decision in decisions.iter_mut() {
        let named = [EntityType::WORK, EntityType::NAME].contains(&decision.entity.entity_type);
        let thing = named || decision.entity.entity_type == EntityType::DETAIL;
        for edit in decision.edits.iter_mut().flatten() {
            let said = thing.then(|| Said::read(&edit.replacement)).flatten();
            edits.push((said.map(|said| Said { named, ..said }), edit));
        }
    }
    edits.sort_unstable_by_key(|(_, edit)| edit.span);
    for at in 1..edits.len() {
        let free = if at > 1 { edits[at - 2].1.span.end } else { 0 };
        let (before, after) = edits.split_at_mut(at);
        if let (Some((_, one)), Some((_, other))) = (before.last_mut(), after.first_mut()) {
            within(text, free, one, other);
        }
    }
    let mut at = 0;
    while at < edits.len() {
        let end = end_of_list(text, &edits, at);
        let free = at.checked_sub(1).map_or(0, |before| edits[before].1.span.end);
        say(text, free, &mut edits[at..end], &may_say);
        at = end;
    }
}

/// `from the 1980s to the 1980s` is `in the 1980s`. What is before `free` belongs to others.
fn within(text: &str, free: usize, one: &mut Edit, other: &mut Edit) {
    let ranges = text
        .get(one.span.end..other.span.start)
        .is_some_and(|between| [" to ", " until "].contains(&between));
    let before = &text[..one.span.start];
    let Some(start) = ["from ", "From "].iter().find_map(|from| Some(before.strip_suffix(from)?.len()))
    else {
        return;
    };
    if ranges && start >= free && one.replacement == other.replacement && one.replacement.starts_with("the ")
    {
        let within = if text[start..].starts_with('F') { "In" } else { "in" };
        let end = one.span.end;
        *one = Edit { span: Span::new(start, end), replacement: format!("{within} {}", other.replacement) };
        *other = Edit { span: Span::new(end, other.span.end), replacement: String::new() };
    }
}

/// A kind of work and when it is from: `film`, `the 1990s`.
struct Said {
    kind: String,
    /// Whether a name stood there: `his debut album, The Return of Bruno` are no two albums.
    named: bool,
    /// Whether it is said of several: `some awards`.
    several: bool,
    decade: Option<String>,
}

impl Said {
    fn read(replacement: &str) -> Option<Self> {
        let (kind, decade) = match replacement.split_once(" from the ") {
            Some((kind, decade)) => (kind, Some(decade.to_owned())),
            None => (replacement, None),
        };
        let many = ["some ", "several "].iter().find_map(|many| kind.strip_prefix(many));
        let (kind, several) = match many {
            Some(kinds) => (kinds.strip_suffix('s').filter(|kind| plural(kind) == kinds)?, true),
            None => (kind.strip_prefix("a ").or_else(|| kind.strip_prefix("an ")).unwrap_or(kind), false),
        };
        // `soap opera` is a kind of works too.
        let words = kind.rsplit_once(' ').is_none_or(|(_, last)| is_work(last));
        let plain = !kind.is_empty() && kind.chars().all(|c| c.is_lowercase() || c == ' ');
        (plain && words).then(|| Self { kind: kind.to_owned(), named: true, several, decade })
    }

    fn is_work(&self) -> bool {
        self.kind == "work" || is_work(&self.kind)
    }
}

/// Where a list of works ends; where works are announced, they may be of several kinds.
fn end_of_list(text: &str, edits: &[(Option<Said>, &mut Edit)], at: usize) -> usize {
    let any = is_announced(text[..edits[at].1.span.start].trim_end_matches(' '));
    let mut end = at + 1;
    while end < edits.len() && goes_on(text, any, &edits[end - 1], &edits[end]) {
        end += 1;
    }
    end
}

/// Whether what follows is a list of what stood before: `films such as`.
fn is_announced(before: &str) -> bool {
    let sentence = before.rsplit(['.', ';']).next().unwrap_or(before);
    ["such as", "including", "like"].iter().any(|sign| before.ends_with(sign))
        || before.ends_with(" as") && sentence.contains(" such ")
}

fn goes_on(text: &str, any: bool, one: &(Option<Said>, &mut Edit), next: &(Option<Said>, &mut Edit)) -> bool {
    let (Some(first), Some(second)) = (&one.0, &next.0) else { return false };
    let Some(between) = text.get(one.1.span.end..next.1.span.start) else { return false };
    let between = between.replace("  ", " ");
    // `Alpha (1991), Beta and Gamma (both 2002)`: what follows may be said of those without a year only.
    let dated = first.decade.is_some() == second.decade.is_some();
    let listed = any && first.is_work() && second.is_work();
    let counted = first.several && second.several || first.named && second.named;
    let alike = listed || first.kind == second.kind && counted;
    alike && dated && BETWEEN.contains(&between.as_str())
}

fn say(text: &str, free: usize, list: &mut [(Option<Said>, &mut Edit)], may_say: &dyn Fn(&str) -> bool) {
    let Some(kind) = list[0].0.as_ref().map(|said| said.kind.clone()) else { return };
    let mixed = list.iter().any(|(said, _)| said.as_ref().is_some_and(|said| said.kind != kind));
    let kind = if mixed { "work".to_owned() } else { kind };
    let kinds = plural(&kind);
    let before = text[..list[0].1.span.start].trim_end_matches(' ');
    let last_word = before.rsplit(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
    let mut decades: Vec<String> =
        list.iter().filter_map(|(said, _)| said.as_ref()?.decade.clone()).collect();
    decades.sort_unstable();
    decades.dedup();
    let complete = list.iter().all(|(said, _)| said.as_ref().is_some_and(|said| said.decade.is_some()));
    let from = if complete { format!(" from the {}", join(&decades)) } else { String::new() };
    let several = list.len() > 1;
    let vague = list.iter().any(|(said, _)| said.as_ref().is_some_and(|said| said.several));
    let ends =
        |kind: &str| before.strip_suffix(kind).is_some_and(|before| !before.ends_with(char::is_alphanumeric));
    let said_before = ends(&kinds) || ends(&kind);
    let said = if said_before && complete {
        from[1..].to_owned()
    } else if said_before {
        String::new()
    } else if several && !matches!(last_word, "a" | "an" | "one") {
        // `films such as films` says nothing twice.
        let listed = is_announced(before) && before.contains(&kinds);
        let number = NUMBERS.get(list.len()).copied().filter(|_| !vague).unwrap_or("several");
        if listed { format!("{number}{from}") } else { format!("{number} {kinds}{from}") }
    } else {
        return;
    };
    if !may_say(&said) {
        return;
    }
    // `the drama film Alpha, in which`: nothing is left to say, and no blank either.
    if said.is_empty() {
        list[0].1.span = Span::new(before.len().max(free), list[0].1.span.end);
    }
    list[0].1.replacement = said;
    let mut done = list[0].1.span.end;
    for (_, edit) in &mut list[1..] {
        **edit = Edit { span: Span::new(done, edit.span.end), replacement: String::new() };
        done = edit.span.end;
    }
}

/// `1990s, 2000s and 2010s`.
fn join(decades: &[String]) -> String {
    match decades {
        [] => String::new(),
        [one] => one.clone(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(text: &str, titles: &[(&str, &str)]) -> String {
        let mut edits: Vec<(Option<Said>, Edit)> = titles
            .iter()
            .map(|(title, said)| {
                let start = text.find(title).unwrap();
                let span = Span::new(start, start + title.len());
                (Said::read(said), Edit { span, replacement: (*said).to_owned() })
            })
            .collect();
        let mut list: Vec<(Option<Said>, &mut Edit)> =
            edits.iter_mut().map(|(said, edit)| (said.take(), edit)).collect();
        let mut at = 0;
        while at < list.len() {
            let end = end_of_list(text, &list, at);
            say(text, 0, &mut list[at..end], &|_| true);
            at = end;
        }
        let (mut out, mut done) = (String::new(), 0);
        for (_, edit) in &edits {
            out.push_str(&text[done..edit.span.start]);
            out.push_str(&edit.replacement);
            done = edit.span.end;
        }
        out + &text[done..]
    }

    #[test]
    fn works_of_several_kinds_are_works_where_they_are_announced() {
        let text = "He made films including Alpha, the Beta trilogy and Gamma.";
        let titles = [("Alpha", "a film"), ("Beta trilogy", "work"), ("Gamma", "a film")];
        assert_eq!(told(text, &titles), "He made films including three works.");
        let text = "He made Alpha, the Beta trilogy and Gamma.";
        assert_eq!(told(text, &titles), "He made a film, the work and a film.");
    }

    #[test]
    fn a_kind_of_two_words_is_said_once() {
        let titles = [("Alpha", "soap opera")];
        assert_eq!(
            told("She was in the soap opera Alpha, earning more.", &titles),
            "She was in the soap opera, earning more."
        );
        assert_eq!(
            told("She was in the opera Alpha then.", &titles),
            "She was in the opera soap opera then."
        );
    }

    #[test]
    fn a_work_and_its_title_are_one() {
        let said = |words: &str, named| Some(Said { named, ..Said::read(words).unwrap() });
        let text = "his debut album, Alpha, came";
        let mut album = Edit { span: Span::new(4, 15), replacement: "album".to_owned() };
        let mut title = Edit { span: Span::new(17, 22), replacement: "an album".to_owned() };
        let list = [(said("album", false), &mut album), (said("an album", true), &mut title)];
        assert_eq!(end_of_list(text, &list, 0), 1);
    }

    #[test]
    fn a_list_is_said_once() {
        let text = "He was in Alpha (1991), Beta (1995) and Gamma (2001).";
        let titles = [
            ("Alpha (1991)", "a film from the 1990s"),
            ("Beta (1995)", "a film from the 1990s"),
            ("Gamma (2001)", "a film from the 2000s"),
        ];
        assert_eq!(told(text, &titles), "He was in three films from the 1990s and 2000s.");
    }

    #[test]
    fn several_and_one_are_several() {
        let text = "She won an Alpha,  Betas and three Gammas.";
        let awards = [("an Alpha", "an award"), ("Betas", "some awards"), ("three Gammas", "several awards")];
        assert_eq!(told(text, &awards), "She won several awards.");
    }

    #[test]
    fn a_kind_that_stands_before_is_not_said_again() {
        let text = "She is in the dramas Alpha (1991) and Beta (1995).";
        let titles = [("Alpha (1991)", "a drama from the 1990s"), ("Beta (1995)", "a drama from the 1990s")];
        assert_eq!(told(text, &titles), "She is in the dramas from the 1990s.");
        let text = "She began with the drama Alpha, in which she sang.";
        assert_eq!(told(text, &[("Alpha", "drama")]), "She began with the drama, in which she sang.");
        let text = "in the comedy Alpha (1991).";
        assert_eq!(told(text, &[("Alpha (1991)", "comedy from the 1990s")]), "in the comedy from the 1990s.");
    }

    #[test]
    fn a_range_within_a_decade_is_the_decade() {
        let text = "From 1985 to 1988, she worked.";
        let edit = |from, to| Edit { span: Span::new(from, to), replacement: "the 1980s".to_owned() };
        let (mut one, mut other) = (edit(5, 9), edit(13, 17));
        within(text, 0, &mut one, &mut other);
        assert_eq!((one.span, one.replacement.as_str()), (Span::new(0, 9), "In the 1980s"));
        assert_eq!((other.span, other.replacement.as_str()), (Span::new(9, 17), ""));
        let (mut one, mut other) = (edit(5, 9), Edit { replacement: "the 1990s".to_owned(), ..edit(13, 17) });
        within(text, 0, &mut one, &mut other);
        assert_eq!(one, edit(5, 9));
    }

    #[test]
    fn works_with_and_without_a_year_are_told_apart() {
        let text = "in Alpha (1991), Beta, Gamma (both 2002).";
        let titles = [("Alpha (1991)", "a film from the 1990s"), ("Beta", "a film"), ("Gamma", "a film")];
        assert_eq!(told(text, &titles), "in a film from the 1990s, two films (both 2002).");
    }

    #[test]
    fn leaves_alone_what_is_no_list() {
        let text = "He was in Alpha (1991) before Beta (1995).";
        let titles = [("Alpha (1991)", "a film from the 1990s"), ("Beta (1995)", "a film from the 1990s")];
        assert_eq!(told(text, &titles), "He was in a film from the 1990s before a film from the 1990s.");
        let text = "He was in Alpha (1991) and Beta (1995).";
        let titles = [("Alpha (1991)", "a film from the 1990s"), ("Beta (1995)", "a novel from the 1990s")];
        assert_eq!(told(text, &titles), "He was in a film from the 1990s and a novel from the 1990s.");
    }
}
