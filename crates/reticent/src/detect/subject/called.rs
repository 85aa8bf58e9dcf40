//! What else a text says that a person is called, right where it names them.

use reticent_text::Span;

use crate::{EntityType, Evidence, Finding};

/// How far behind a name the bracket is read that tells with which name someone was born.
const BRACKET: usize = 160;

/// Words in small letters inside of names.
const PARTICLES: [&str; 9] = ["de", "da", "del", "di", "la", "van", "von", "der", "bin"];

/// The names in which a person's name lies, or which follow it: `Susan "Sigourney" Weaver`, `Julianne Moore (born Julie
/// Anne Smith; December 3, 1960)`.
pub(super) fn also(text: &str, person: &Finding) -> Vec<Finding> {
    if person.entity_type != EntityType::PERSON {
        return Vec::new();
    }
    let Evidence::Subject { subject, .. } = person.evidence else { return Vec::new() };
    let spans = around_nickname(text, person.span).into_iter().chain(born(text, person.span));
    let named =
        |span| Finding { span, evidence: Evidence::Subject { subject, whole: true }, ..person.clone() };
    spans.map(named).collect()
}

/// The whole of `Susan Alexandra "Sigourney" Weaver`, by its nickname.
fn around_nickname(text: &str, nickname: Span) -> Option<Span> {
    let quotes = [('"', '"'), ('“', '”')];
    let before = &text[..nickname.start];
    let (open, close) = quotes.into_iter().find(|(open, _)| before.ends_with(*open))?;
    let before = before[..before.len() - open.len_utf8()].strip_suffix(' ')?;
    let after = text[nickname.end..].strip_prefix(close)?.strip_prefix(' ')?;
    let start = before.len() - last_names(before);
    let end = text.len() - after.len() + first_names(after);
    (start < before.len() && first_names(after) > 0).then(|| Span::new(start, end))
}

/// The name behind `born` in the bracket that follows a name, if a date comes next.
fn born(text: &str, name: Span) -> Option<Span> {
    // `Fergie Duhamel (born`
    let after = text[name.end..].trim_start_matches(' ');
    let after = &after[first_names(after)..];
    let inside = after.trim_start_matches(' ').strip_prefix('(')?;
    let open = text.len() - inside.len();
    let inside = &inside[..inside.floor_char_boundary(BRACKET)];
    let inside = &inside[..inside.find([')', '\n'])?];
    let at = inside.find("born ")? + "born ".len();
    let length = first_names(&inside[at..]);
    let words = inside[at..at + length].split(' ').count();
    let next = inside[at + length..].strip_prefix([';', ','])?.trim_start();
    let is_date = next.starts_with(|c: char| c.is_ascii_digit())
        || next.starts_with(char::is_uppercase) && next.contains(|c: char| c.is_ascii_digit());
    let start = open + at;
    (words > 1 && is_date).then(|| Span::new(start, start + length))
}

fn is_name(word: &str) -> bool {
    word.starts_with(char::is_uppercase)
        && word.chars().all(|c| c.is_alphabetic() || matches!(c, '-' | '\'' | '’' | '.'))
}

/// How long the names are that a text begins with.
fn first_names(text: &str) -> usize {
    let (mut end, mut at) = (0, 0);
    for word in text.split(' ') {
        let bare = word.trim_end_matches([';', ',', ')']);
        if is_name(bare) {
            end = at + bare.len();
        } else if !PARTICLES.contains(&word) {
            break;
        }
        if bare.len() < word.len() {
            break;
        }
        at += word.len() + 1;
    }
    end
}

/// How long the names are that a text ends in.
fn last_names(text: &str) -> usize {
    let line = text.rsplit('\n').next().unwrap_or(text);
    let words: Vec<&str> = line.rsplit(' ').take_while(|word| is_name(word)).collect();
    words.iter().map(|word| word.len() + 1).sum::<usize>().saturating_sub(1)
}

#[cfg(test)]
mod tests {
    use reticent_text::Document;

    use crate::Detector;
    use crate::detect::SubjectDetector;
    use crate::policy::Subject;

    /// The longest names that are found.
    fn found(name: &str, text: &str) -> Vec<String> {
        let detector = SubjectDetector::new(&[Subject::named(name).unwrap()]);
        let findings = detector.detect(&Document::plain("t", text)).unwrap();
        let within = |span| findings.iter().any(|other| other.span != span && other.span.contains(span));
        let mut names: Vec<String> = findings
            .iter()
            .filter(|finding| !within(finding.span))
            .map(|finding| finding.span.of(text).to_owned())
            .collect();
        names.dedup();
        names
    }

    #[test]
    fn finds_the_name_someone_was_born_with() {
        let text = "Julianne Moore (born Julie Anne Smith; December 3, 1960) is here.";
        assert_eq!(found("Julianne Moore", text), ["Julianne Moore", "Julie Anne Smith"]);
        let text = "Ann Lee ( lee; born Ana de la Cruz, 3 May 1962) is here.";
        assert_eq!(found("Ann Lee", text), ["Ann Lee", "Ana de la Cruz"]);
        let text = "Fergie Duhamel (; born Stacy Ann Ferguson; March 27, 1975) is here.";
        assert_eq!(found("Fergie", text), ["Fergie", "Stacy Ann Ferguson"]);
    }

    #[test]
    fn finds_names_around_a_nickname() {
        let text = "Susan Alexandra \"Sigourney\" Weaver (born 1949) is here.";
        assert_eq!(found("Sigourney Weaver", text), ["Susan Alexandra \"Sigourney\" Weaver"]);
    }

    #[test]
    fn leaves_dates_places_and_others_alone() {
        for text in [
            "Ann Lee (born March 1, 1978) is here.",
            "Ann Lee (born Cork, Ireland) is here.",
            "Ann Lee (Bob Ray was born, 1978) is here.",
            "Ann Lee (see Bob Ray; December 3) is here.",
            "Ann Lee met Bob Ray (born Robert Raymond; December 3, 1960).",
        ] {
            assert_eq!(found("Ann Lee", text), ["Ann Lee"], "{text}");
        }
        assert_eq!(found("Ann Lee", "He wrote \"Ann\" Weekly."), ["Ann"]);
        assert_eq!(found("Ann Lee", "He said \"Lee\" and left."), ["Lee"]);
    }
}
