//! What says nothing any more is left out: names that are not told, examples that are none, sentences without a word that tells.

use reticent_text::{Language, Layers, Span};

use super::Said;
use crate::disclosure::parts::tells;
use crate::mask::vague::{denies, is_nothing};

/// What gives a name to something, and how often it may be said to.
const CALLED: [&str; 2] = ["called ", "known as "];
const ADVERBS: [&str; 5] = ["also ", "often ", "sometimes ", "usually ", "commonly "];

/// What gives examples.
const SUCH_AS: [&str; 4] = [", such as ", " such as ", ", including ", " including "];

/// Words of a sentence that point to what stood before it.
const POINTS_BACK: [&str; 6] = ["it", "they", "this", "these", "that", "those"];

/// What stands for words that are not told.
const FILLERS: [&str; 3] = ["something", "someone", "things"];

/// Kinds of nothing are nothing, however many.
const KINDS: [&str; 8] = ["types", "kinds", "sorts", "forms", "classes", "varieties", "many", "several"];

/// What is told by verbs other than `is`, if only that someone has something.
const TOLD: [&str; 10] = ["have", "has", "had", "having", "do", "does", "did", "can", "will", "should"];

/// Leaves out what says nothing.
pub(super) fn leave_out(text: &str, layers: &Layers, mut said: Vec<Said>) -> Vec<Said> {
    for at in 0..said.len() {
        let before = at.checked_sub(1).map_or(0, |before| said[before].span.end);
        let after = said.get(at + 1).map_or(text.len(), |next| next.span.start);
        let span = named(text, &said[at]).or_else(|| exemplified(text, &said[at]));
        if let Some(span) = span.filter(|span| Span::new(before, after).contains(*span)) {
            said[at].span = span;
            said[at].words.clear();
        }
    }
    for sentence in &layers.sentences {
        drop_sentence(text, *sentence, &mut said);
    }
    said
}

/// The place of a name with what introduces it: `an antibiotic called ceftriaxone`, `(often called JC virus)`.
fn named(text: &str, said: &Said) -> Option<Span> {
    let (before, after) = (&text[..said.span.start], &text[said.span.end..]);
    if !said.ours || said.words.is_empty() {
        return None;
    }
    let before = CALLED.iter().find_map(|called| before.strip_suffix(called))?;
    let before = ADVERBS.iter().find_map(|adverb| before.strip_suffix(adverb)).unwrap_or(before);
    if let Some(before) = before.strip_suffix(" (").filter(|_| after.starts_with(')')) {
        return Some(Span::new(before.len(), said.span.end + 1));
    }
    if let Some(before) = before.strip_suffix(", ") {
        let comma = usize::from(after.starts_with(", "));
        return Some(Span::new(before.len(), said.span.end + comma));
    }
    // What `is called` so is told by the name alone.
    let before = before.strip_suffix(' ')?;
    let verb = before.rsplit(' ').next().is_some_and(|word| {
        ["is", "are", "was", "were", "be", "been", "being", "not", "also", "and", "or"].contains(&word)
    });
    (!verb).then(|| Span::new(before.len(), said.span.end))
}

/// The place of examples that are none.
fn exemplified(text: &str, said: &Said) -> Option<Span> {
    let (before, after) = (&text[..said.span.start], &text[said.span.end..]);
    let before = SUCH_AS.iter().find_map(|such_as| before.strip_suffix(such_as))?;
    let nothing = said.gap && is_nothing(&said.words);
    let ends = after.is_empty() || after.starts_with(['.', ',', ';', ')', '\n']);
    (nothing && ends).then(|| Span::new(before.len(), said.span.end))
}

/// Drops a sentence that says nothing, unless the next one speaks of what it said.
fn drop_sentence(text: &str, sentence: Span, said: &mut Vec<Said>) {
    let first = said.partition_point(|said| said.span.end <= sentence.start);
    let end = said.partition_point(|said| said.span.start < sentence.end);
    let Some(changes) = said.get(first..end).filter(|changes| !changes.is_empty()) else { return };
    let whole = |change: &Said| change.ours && sentence.contains(change.span);
    if !changes.iter().all(whole) {
        return;
    }
    let next = text[sentence.end..].split_whitespace().next().unwrap_or_default().to_lowercase();
    let spoken_of = POINTS_BACK.contains(&next.as_str());
    if !(gives_a_name(text, sentence, changes) || !spoken_of && is_empty(text, sentence, changes)) {
        return;
    }
    let blank = text[sentence.end..].len() - text[sentence.end..].trim_start_matches(' ').len();
    let members = changes.iter().flat_map(|change| change.members.iter().copied()).collect();
    let span = Span::new(sentence.start, sentence.end + blank);
    said.splice(first..end, [Said { span, words: String::new(), members, gap: true, ours: true }]);
}

/// `These are called infections.`: by another name than theirs, nothing is said of them.
fn gives_a_name(text: &str, sentence: Span, changes: &[Said]) -> bool {
    let [change, rest @ ..] = changes else { return false };
    let before = text[sentence.start..change.span.start].to_lowercase();
    let Some(before) = CALLED.iter().find_map(|called| before.strip_suffix(called)) else { return false };
    let before = ADVERBS.iter().find_map(|adverb| before.strip_suffix(adverb)).unwrap_or(before);
    let subject = [" are ", " is "].iter().find_map(|is| before.strip_suffix(is));
    subject.is_some_and(|subject| POINTS_BACK.contains(&subject))
        && !change.words.is_empty()
        && rest.iter().all(|change| change.words.is_empty())
        && text[changes.last().map_or(sentence.end, |last| last.span.end)..sentence.end].trim_end() == "."
}

/// Whether no word of a sentence tells anything: `There are many types of things.`
fn is_empty(text: &str, sentence: Span, changes: &[Said]) -> bool {
    let (mut released, mut from) = (String::new(), sentence.start);
    for change in changes {
        released.push_str(&text[from..change.span.start]);
        released.push_str(&change.words);
        from = change.span.end;
    }
    released.push_str(&text[from..sentence.end]);
    let mut words = released.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    let first = words.next().map(str::to_lowercase);
    let nothing = |word: &str| {
        KINDS.contains(&word)
            || FILLERS.contains(&word)
            || !(tells(word, Language::English) || TOLD.contains(&word) || denies(word))
    };
    released.trim_end().ends_with('.') && first.is_some_and(|first| nothing(&first)) && words.all(nothing)
}
