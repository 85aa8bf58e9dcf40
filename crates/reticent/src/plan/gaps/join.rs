//! What lies side by side is said once, and what need not be said is left out.

use reticent_text::{Layers, Pos, Span};

use super::Said;
use super::same::{bare, is_itself, is_named_next, said_again};
use crate::abbreviation::abbreviates;
use crate::mask::date::names::capitalized;
use crate::mask::plural;

/// What may stand between two of which the same is said.
const BETWEEN: [&str; 16] = [
    " and ",
    " or ",
    ", ",
    ", and ",
    ", or ",
    "; ",
    "; and ",
    " - ",
    " and other ",
    " or other ",
    " and the ",
    " and a ",
    " and an ",
    " or a ",
    " or an ",
    " ",
];

/// Says once what lies side by side.
pub(super) fn join(text: &str, layers: &Layers, said: Vec<Said>) -> Vec<Said> {
    let mut done: Vec<Said> = Vec::with_capacity(said.len());
    let starts: Vec<usize> = said.iter().map(|said| said.span.start).chain([text.len()]).collect();
    for (mut next, end) in said.into_iter().zip(&starts[1..]) {
        let free = Span::new(done.last().map_or(0, |last| last.span.end), *end);
        if next.ours {
            let other = alone(text, layers, next.clone());
            next = if free.contains(other.span) { other } else { next };
            if let Some(last) = done.last()
                && last.words.is_empty()
                && last.span.end == next.span.start
                && last.span.of(text).starts_with(char::is_uppercase)
                && !next.words.starts_with('[')
            {
                next.words = capitalized(&next.words);
            }
        }
        if let Some(last) = done.last().filter(|last| last.ours && !last.gap)
            && let Some(which) = stands_for(text, last, &next)
        {
            // By itself, so that it can be said otherwise if `name` tells too much.
            let (words, end) = unexplained(text, which, next.span.end);
            next.words = words;
            next.span = Span::new(last.span.end, end);
            done.push(next);
            continue;
        }
        if let Some(last) = done.last()
            && last.ours
            && next.ours
            && let Some(between) = text.get(last.span.end..next.span.start)
            && let Some((words, end)) = together(text, layers, last, between, &next)
            && let Some(last) = done.pop()
        {
            let members = last.members.iter().chain(&next.members).copied().collect();
            let span = Span::new(last.span.start, end);
            done.push(Said { span, words, members, gap: last.gap && next.gap, ours: true });
            continue;
        }
        done.push(next);
    }
    done
}

/// What stands before `stands for`, if an abbreviation is explained that is not told: `HIV`, or `AIDS, which`.
fn stands_for<'t>(text: &'t str, one: &Said, two: &Said) -> Option<&'t str> {
    let which = text.get(one.span.end..two.span.start)?.strip_suffix(" stands for ")?;
    (two.ours && !two.gap && ["", ", which"].contains(&which)).then_some(which)
}

/// What is said instead of what an abbreviation stands for, and where it ends: nothing, if what follows goes on about it.
fn unexplained(text: &str, which: &str, end: usize) -> (String, usize) {
    let rest = &text[end..];
    if which.is_empty() {
        // `HIV stands for human immunodeficiency virus. It kills` is that a virus kills.
        return if rest.starts_with(". It ") {
            (String::new(), end + ". It".len())
        } else {
            (" has a longer name".to_owned(), end)
        };
    }
    match rest.chars().next() {
        Some(',') => (String::new(), end + 1),
        None | Some('.' | ';' | ')') => (String::new(), end),
        Some(_) => (format!("{which} has a longer name"), end),
    }
}

/// What is said of two, and where it ends.
fn together(text: &str, layers: &Layers, one: &Said, between: &str, two: &Said) -> Option<(String, usize)> {
    let same = bare(&one.words) == bare(&two.words) && !one.words.is_empty();
    // `the virus (HIV)` is one microorganism.
    // Perhaps with words before it: `acquired immunodeficiency syndrome`.
    let long = |words: usize| {
        let before = text[..one.span.start].trim_end().rsplit(' ').take(words);
        before.fold(0, |length, word| length + word.len() + 1)
    };
    let short = || {
        let longer =
            (0..3).filter_map(|words| text.get(one.span.start.checked_sub(long(words))?..one.span.end));
        longer.into_iter().any(|longer| abbreviates(two.span.of(text), longer))
    };
    if between == " (" && text[two.span.end..].starts_with(')') && (same || two.gap || short()) {
        return Some((one.words.clone(), two.span.end + 1));
    }
    // `HIV, the human immunodeficiency virus, kills`
    let rest = &text[two.span.end..];
    if same && [", the ", ", a ", ", an "].contains(&between) && rest.starts_with(", ") {
        return Some((one.words.clone(), two.span.end + 1));
    }
    // `HIV, the virus that causes AIDS`
    if same && between == ", the " && rest.starts_with(" that ") {
        return Some((one.words.clone(), two.span.end));
    }
    if same && let Some(said) = is_itself(text, layers, one, between, two) {
        return Some(said);
    }
    let does = ["does something", "do something", "did something", "doing something"];
    if one.gap
        && two.gap
        && does.contains(&one.words.as_str())
        && two.words.contains("something")
        && between == " and "
    {
        return Some((two.words.clone(), two.span.end));
    }
    let nothing = |said: &Said| said.gap && ["something", "things"].contains(&bare(&said.words).as_str());
    let vague = nothing(one) && nothing(two);
    // `by cancers or by infections`
    let preposition = between.trim_end().rsplit(' ').next().filter(|word| !word.is_empty());
    let again = preposition.filter(|word| text[..one.span.start].ends_with(&format!(" {word} ")));
    let joint = again.map_or(between, |word| between.strip_suffix(&format!("{word} ")).unwrap_or(between));
    let after = &text[two.span.end..];
    if !BETWEEN.contains(&joint) || !(same || vague) || (joint == " " && !vague) || after.starts_with(" else")
    {
        return None;
    }
    // What a clause tells of the second need not be true of the first.
    let clause = [" that ", " which ", " who "].iter().any(|word| after.starts_with(word));
    let joins = joint.contains("and") || joint.contains("or");
    if (clause || joins && is_named_next(text, layers, two.span.end)) && !vague {
        let article = ["a ", "an "].into_iter().find(|article| between.ends_with(&format!(" {article}")));
        let between = article.map_or(between, |article| &between[..between.len() - article.len()]);
        let second = match two.words.split_once(' ') {
            Some(("a" | "an", noun)) => format!("another {noun}"),
            _ if article.is_some() => format!("another {}", two.words),
            _ => format!("other {}", two.words),
        };
        return Some((format!("{}{between}{second}", one.words), two.span.end));
    }
    let many = between.contains("and");
    let words = match one.words.split_once(' ') {
        _ if vague && many => "some things".to_owned(),
        _ if vague => one.words.clone(),
        Some(("a" | "an" | "A" | "An", noun)) if many => plural(noun),
        _ => one.words.clone(),
    };
    let capital = one.words.starts_with(char::is_uppercase);
    // `A, or B, is`
    let comma = joint == ", or " && after.starts_with(", ") && !many;
    Some((if capital { capitalized(&words) } else { words }, two.span.end + usize::from(comma)))
}

/// What need not be said: a heading without words, an empty bracket, the abbreviation of what is gone.
fn alone(text: &str, layers: &Layers, mut said: Said) -> Said {
    let (before, after) = (&text[..said.span.start], &text[said.span.end..]);
    let line_start = before.is_empty() || before.ends_with('\n');
    if said.gap && line_start && after.starts_with('\n') {
        return Said { span: Span::new(said.span.start, said.span.end + 1), words: String::new(), ..said };
    }
    let colon = after.strip_prefix(' ').unwrap_or(after).strip_prefix(": ");
    if let Some(rest) = colon.filter(|_| said.gap && line_start) {
        return Said {
            span: Span::new(said.span.start, text.len() - rest.len()),
            words: String::new(),
            ..said
        };
    }
    let bracketed = before.strip_suffix(" (").filter(|_| after.starts_with(')'));
    let short = |before: &str| {
        let starts = before.rmatch_indices(' ').map(|(at, _)| at + 1).chain([0]).take(said.span.len() + 2);
        starts.into_iter().any(|start| abbreviates(said.span.of(text), &before[start..]))
    };
    if bracketed.is_some_and(|before| said.gap || short(before)) {
        let span = Span::new(said.span.start - 2, said.span.end + 1);
        return Said { span, words: String::new(), ..said };
    }
    // `toxo (toxoplasmosis)`: the bracket says what it is.
    let inside = after.strip_prefix(" (").and_then(|rest| rest.split_once(')')).map(|(inside, _)| inside);
    if let Some(inside) = inside.filter(|_| said.gap && said.words == "something")
        && let [noun] = layers.tokens_in(Span::new(said.span.end + 2, said.span.end + 2 + inside.len()))
        && noun.span.of(text) == inside
        && noun.tag.pos() == Pos::Noun
    {
        let span = Span::new(said.span.start, said.span.end + inside.len() + " ()".len());
        return Said { span, words: inside.to_owned(), gap: false, ..said };
    }
    said_again(text, &mut said);
    let mentioned = said.span.of(text);
    let ends = || mentioned.match_indices(' ').map(|(at, _)| &mentioned[at + 1..]).chain([mentioned]);
    if let Some(short) =
        after.strip_prefix(" (").and_then(|rest| rest.split_once(')')).map(|(short, _)| short)
        && ends().any(|words| abbreviates(short, words))
    {
        said.span = Span::new(said.span.start, said.span.end + short.len() + 3);
    }
    // `Summary : HIV kills`
    let line = &before[before.rfind('\n').map_or(0, |at| at + 1)..];
    let headed = line.strip_suffix(": ").is_some_and(|head| head.trim_end().chars().all(char::is_alphabetic));
    let starts = line_start
        || headed
        || before.ends_with("\n- ")
        || before.ends_with(" - ")
        || (before.ends_with(": ") && mentioned.chars().nth(1).is_some_and(char::is_lowercase))
        || layers.sentences.binary_search_by_key(&said.span.start, |sentence| sentence.start).is_ok();
    if starts && mentioned.starts_with(char::is_uppercase) && !said.words.starts_with('[') {
        said.words = capitalized(&said.words);
        // What follows starts the sentence now.
        if said.words.is_empty()
            && let Some(first) = text[said.span.end..].chars().next().filter(|c| c.is_lowercase())
        {
            said.span = Span::new(said.span.start, said.span.end + first.len_utf8());
            said.words = first.to_uppercase().to_string();
        }
    }
    said
}
