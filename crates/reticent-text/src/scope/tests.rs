use super::rule::{Rules, rules};
use super::*;
use crate::parse::Syntax;
use crate::{Analyzer, Document, Language};

/// A sentence with marks taken out: the text, the operator's span, and the marked words with their polarity.
struct Marked {
    text: String,
    operator: Option<(usize, usize)>,
    words: Vec<(usize, usize, Polarity)>,
}

impl Marked {
    fn read(line: &str) -> Self {
        let mut marked = Self { text: String::new(), operator: None, words: Vec::new() };
        let (mut word, mut open) = (0, None);
        let mut rest = line.chars().peekable();
        while let Some(c) = rest.next() {
            let polarity = match (c, rest.peek()) {
                ('/', Some('+')) => Some(Polarity::Upward),
                ('/', Some('-')) => Some(Polarity::Downward),
                ('/', Some('0')) => Some(Polarity::NonMonotone),
                _ => None,
            };
            if let Some(polarity) = polarity {
                rest.next();
                marked.words.push((word, marked.text.len(), polarity));
            } else if c == '*' {
                match open.take() {
                    None => open = Some(marked.text.len()),
                    Some(start) => marked.operator = Some((start, marked.text.len())),
                }
                word = marked.text.len();
            } else {
                marked.text.push(c);
                if !c.is_alphanumeric() && c != '-' {
                    word = marked.text.len();
                }
            }
        }
        marked
    }
}

/// Operators as (rule, start, end) and polarities as (start, end, polarity) of all words of a text.
type Found = (Vec<(&'static str, usize, usize)>, Vec<(usize, usize, Polarity)>);

fn analyse(text: &str) -> Found {
    let document = Document::plain("text", text);
    let layers = Analyzer::shipped().unwrap().analyze(&document, Some(Language::English)).unwrap();
    let syntax = Syntax::new(&document, &layers).unwrap();
    let (mut operators, mut words) = (Vec::new(), Vec::new());
    for at in 0..syntax.segments().len() {
        let tree = syntax.tree(at).unwrap();
        let scopes = Scopes::of(tree, text, Language::English).unwrap();
        for operator in &scopes.operators {
            let span = tree.span(operator.words.clone());
            operators.push((operator.rule, span.start, span.end));
        }
        words.extend(
            tree.words().iter().zip(&scopes.polarity).map(|(word, p)| (word.span.start, word.span.end, *p)),
        );
    }
    (operators, words)
}

/// The marked words whose polarity is another: word and what was found.
fn wrong(marked: &Marked, found: &Found) -> Vec<(String, Polarity)> {
    let mut out = Vec::new();
    for &(start, end, polarity) in &marked.words {
        // A compound may be several words: the last one counts.
        let own = found
            .1
            .iter()
            .rev()
            .find(|word| word.0 < end && word.1 > start)
            .map_or(Polarity::Upward, |word| word.2);
        if own != polarity {
            out.push((marked.text[start..end].to_owned(), own));
        }
    }
    out
}

#[test]
fn rules_can_be_read_and_have_tests() {
    let rules = Rules::read(include_str!("operators.toml")).unwrap();
    assert!(rules.all.len() > 40);
    for rule in &rules.all {
        assert!(!rule.leaves_alone.is_empty(), "{} leaves nothing alone", rule.id);
    }
}

/// The examples of the rules.
#[test]
fn rules_do_what_they_say() {
    let mut failures = Vec::new();
    for rule in &rules().unwrap().all {
        for line in &rule.matches {
            let marked = Marked::read(line);
            let found = analyse(&marked.text);
            if let Some((start, end)) = marked.operator
                && !found.0.iter().any(|(id, from, to)| *id == rule.id && (*from, *to) == (start, end))
            {
                failures.push(format!("{}: {line}: found {:?}", rule.id, found.0));
            }
            let wrong = wrong(&marked, &found);
            if !wrong.is_empty() {
                failures.push(format!("{}: {line}: {wrong:?}", rule.id));
            }
        }
        for line in &rule.leaves_alone {
            if analyse(line).0.iter().any(|(id, ..)| *id == rule.id) {
                failures.push(format!("{}: finds something in {line}", rule.id));
            }
        }
    }
    assert!(failures.is_empty(), "{} of them:\n{}", failures.len(), failures.join("\n"));
}

/// Three hundred sentences, of which every third was not looked at while the rules were written.
#[test]
fn polarity_of_the_test_sentences() {
    let mut scores = [[0_usize; 4]; 2];
    let mut failures = Vec::new();
    for (at, line) in include_str!("polarity.tsv").lines().enumerate() {
        let (construction, sentence) = line.split_once('\t').unwrap();
        let marked = Marked::read(sentence);
        let wrong = wrong(&marked, &analyse(&marked.text));
        let held = usize::from(at % 3 == 2);
        let score = &mut scores[held];
        score[0] += marked.words.len() - wrong.len();
        score[1] += marked.words.len();
        score[2] += usize::from(wrong.is_empty());
        score[3] += 1;
        if !wrong.is_empty() && (held == 0 || std::env::var_os("SHOW_HELD_OUT").is_some()) {
            failures.push(format!("{construction}: {sentence}: {wrong:?}"));
        }
    }
    let share = |held: usize, from: usize| scores[held][from] as f64 / scores[held][from + 1] as f64;
    let report = format!(
        "words {:.4} held out {:.4}, sentences {:.4} held out {:.4}\n{}",
        share(0, 0),
        share(1, 0),
        share(0, 2),
        share(1, 2),
        failures.join("\n")
    );
    let show = std::env::var_os("SHOW_POLARITY").is_some();
    assert!(!show && share(0, 0) >= 0.95 && share(1, 0) >= 0.95, "{report}");
}

/// Every word that the scorer of the everyday genres counts as an operator is one: those that are not are listed.
#[test]
fn finds_the_operators_of_everyday_texts() {
    let Some(path) = reticent_testing::shared("data/genres/dev.jsonl") else { return };
    let known = regex::Regex::new(
        r"(?i)\b(?:not|no|never|without|only|none|nobody|neither|nor|all|every|first|former|alleged|allegedly|suspected|cannot)\b|n['’]t\b",
    )
    .unwrap();
    let numero = regex::Regex::new(r"^(?i:no)(?:\.?:|\.?\s+[A-Z#]{0,4}[-/]?\d)").unwrap();
    let (mut all, mut missed) = (0, Vec::new());
    for line in std::fs::read_to_string(path).unwrap().lines() {
        let row: serde_json::Value = serde_json::from_str(line).unwrap();
        let text = row["text"].as_str().unwrap();
        let (operators, _) = analyse(text);
        for found in known.find_iter(text).filter(|found| !numero.is_match(&text[found.start()..])) {
            all += 1;
            if !operators.iter().any(|(_, start, end)| *start < found.end() && *end > found.start()) {
                missed.push(format!("{}: {}", row["id"], found.as_str()));
            }
        }
    }
    let show = std::env::var_os("SHOW_POLARITY").is_some();
    assert!(!show && all > 100 && missed.is_empty(), "missed {} of {all}: {missed:?}", missed.len());
}
