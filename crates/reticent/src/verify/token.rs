//! The marks that a release leaves: `[PERSON]`, `[PERSON 2]`, `[PERSON #3f9a]`, `[PERSON:…]`.

use reticent_text::Span;

/// Where such marks stand.
pub(super) fn spans(text: &str) -> Vec<Span> {
    let starts = text.match_indices('[').map(|(at, _)| at);
    starts.filter_map(|start| Some(Span::new(start, start + 1 + mark_length(&text[start + 1..])?))).collect()
}

/// The length of a mark without its first bracket, if the text begins with one.
fn mark_length(text: &str) -> Option<usize> {
    let close = text.find(']').filter(|close| *close < 4096)?;
    let inside = &text[..close];
    let name =
        inside.find(|c: char| !c.is_ascii_uppercase() && !c.is_ascii_digit() && c != '_').unwrap_or(close);
    let valid = inside.starts_with(|c: char| c.is_ascii_uppercase()) && name >= 2;
    let rest = inside[name..].trim_start_matches([' ', '#', ':']);
    let plain = rest.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '=' | '…'));
    (valid && plain).then_some(close + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_marks_and_nothing_else() {
        let text = "[PERSON] [EMAIL_ADDRESS 12] [A] [see below] [PERSON #3f9a] [PERSON:a-b_c=]";
        let found: Vec<&str> = spans(text).iter().map(|span| span.of(text)).collect();
        assert_eq!(found, ["[PERSON]", "[EMAIL_ADDRESS 12]", "[PERSON #3f9a]", "[PERSON:a-b_c=]"]);
    }

    #[test]
    fn leaves_text_in_brackets_alone() {
        assert!(spans("[PERSON Ana Ruiz] [Ana] [1] [").is_empty());
    }
}
