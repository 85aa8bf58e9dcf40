//! Where a pattern could match at all.
//!
//! Running every pattern over every text is slow. Most patterns cannot match without one of a few
//! literals (`@`, `iban`, a month) or without some digits close together, and none of the built-in
//! ones matches more than a few hundred bytes. Both are read off the expression itself, so that a
//! gate can never hide a match: it is derived, not declared.

use regex_syntax::hir::{Class, Hir, HirKind, Look};

/// What every match of a pattern contains.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Gate {
    /// At least one of these.
    Literals(Vec<Literal>),
    /// At least so many ASCII digits.
    Digits(usize),
    /// Nothing that is known: the pattern runs over the whole text.
    Open,
}

/// Bytes that a match contains, ASCII letters in small letters standing for both cases.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Literal {
    pub(super) bytes: Vec<u8>,
    /// No ASCII word character stands before it.
    pub(super) starts_word: bool,
    /// No ASCII word character stands after it.
    pub(super) ends_word: bool,
}

/// A gate, and how long a match can be at most.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Reach {
    pub(super) gate: Gate,
    pub(super) longest: usize,
}

/// A match longer than this is not worth a gate.
const LONGEST: usize = 8192;

/// Reads the gate off an expression.
pub(super) fn derive(hir: &Hir) -> Reach {
    let open = Reach { gate: Gate::Open, longest: usize::MAX };
    let Some(longest) = hir.properties().maximum_len().filter(|len| *len <= LONGEST) else { return open };
    let digits = digits(hir);
    let by_digits = (digits > 0).then(|| (digit_cost(digits), Gate::Digits(digits)));
    let by_literals = literals(hir, (false, false)).map(|set| (set_cost(&set), Gate::Literals(set)));
    match by_digits.into_iter().chain(by_literals).min_by_key(|(cost, _)| *cost) {
        Some((_, gate)) => Reach { gate, longest },
        None => open,
    }
}

/// The least number of ASCII digits in a match.
fn digits(hir: &Hir) -> usize {
    match hir.kind() {
        HirKind::Empty | HirKind::Look(_) => 0,
        HirKind::Literal(literal) => literal.0.iter().filter(|byte| byte.is_ascii_digit()).count(),
        HirKind::Class(class) => usize::from(is_digits(class)),
        HirKind::Repetition(repetition) => repetition.min as usize * digits(&repetition.sub),
        HirKind::Capture(capture) => digits(&capture.sub),
        HirKind::Concat(parts) => parts.iter().map(digits).sum(),
        HirKind::Alternation(parts) => parts.iter().map(digits).min().unwrap_or(0),
    }
}

fn is_digits(class: &Class) -> bool {
    match class {
        Class::Unicode(class) => {
            !class.ranges().is_empty() && class.ranges().iter().all(|r| r.start() >= '0' && r.end() <= '9')
        }
        Class::Bytes(class) => {
            !class.ranges().is_empty() && class.ranges().iter().all(|r| r.start() >= b'0' && r.end() <= b'9')
        }
    }
}

/// A set of literals one of which is in every match, the rarest such set that is found. `edges`
/// says whether a word boundary is demanded right before and right after the expression.
fn literals(hir: &Hir, edges: (bool, bool)) -> Option<Vec<Literal>> {
    match hir.kind() {
        HirKind::Empty | HirKind::Look(_) => None,
        HirKind::Literal(_) | HirKind::Class(_) | HirKind::Concat(_) => {
            let mut parts = Vec::new();
            flatten(hir, &mut parts);
            concat_literals(&parts, edges)
        }
        HirKind::Repetition(repetition) => {
            if repetition.min == 0 {
                None
            } else {
                literals(&repetition.sub, (false, false))
            }
        }
        HirKind::Capture(capture) => literals(&capture.sub, edges),
        HirKind::Alternation(parts) => {
            let mut union = Vec::new();
            for part in parts {
                union.extend(literals(part, edges)?);
            }
            union.sort();
            union.dedup();
            Some(union)
        }
    }
}

fn flatten<'h>(hir: &'h Hir, parts: &mut Vec<&'h Hir>) {
    match hir.kind() {
        HirKind::Concat(subs) => subs.iter().for_each(|sub| flatten(sub, parts)),
        HirKind::Capture(capture) => flatten(&capture.sub, parts),
        _ => parts.push(hir),
    }
}

fn concat_literals(parts: &[&Hir], edges: (bool, bool)) -> Option<Vec<Literal>> {
    let boundary_at = |at: usize| matches!(parts[at].kind(), HirKind::Look(look) if is_boundary(*look));
    let boundary_before = |at: usize| if at == 0 { edges.0 } else { boundary_at(at - 1) };
    let boundary_after = |at: usize| if at + 1 == parts.len() { edges.1 } else { boundary_at(at + 1) };

    let mut offers: Vec<Vec<Literal>> = Vec::new();
    let mut run: Option<Literal> = None;
    for (at, part) in parts.iter().enumerate() {
        if let Some(bytes) = folded(part) {
            let run = run.get_or_insert_with(|| Literal {
                bytes: Vec::new(),
                starts_word: boundary_before(at) && bytes.first().copied().is_some_and(is_word),
                ends_word: false,
            });
            run.bytes.extend(bytes);
            run.ends_word = boundary_after(at) && run.bytes.last().copied().is_some_and(is_word);
            continue;
        }
        if let Some(run) = run.take() {
            if let HirKind::Alternation(branches) = part.kind() {
                offers.push(branches.iter().map(|branch| prolonged(&run, branch)).collect());
            }
            offers.push(vec![run]);
        }
        let set = match part.kind() {
            HirKind::Class(class) => small_class(class),
            _ => literals(part, (boundary_before(at), boundary_after(at))),
        };
        offers.extend(set);
    }
    offers.extend(run.map(|run| vec![run]));
    offers.into_iter().min_by_key(|set| set_cost(set))
}

/// `run` and the literal with which `branch`, which follows it, begins.
fn prolonged(run: &Literal, branch: &Hir) -> Literal {
    let mut parts = Vec::new();
    flatten(branch, &mut parts);
    let mut longer = run.clone();
    longer.bytes.extend(parts.into_iter().map_while(folded).flatten());
    longer.ends_word = false;
    longer
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

fn is_boundary(look: Look) -> bool {
    matches!(
        look,
        Look::WordAscii
            | Look::WordUnicode
            | Look::WordStartAscii
            | Look::WordEndAscii
            | Look::WordStartUnicode
            | Look::WordEndUnicode
    )
}

/// The bytes of a literal, or of a class that is one letter in both cases.
fn folded(hir: &Hir) -> Option<Vec<u8>> {
    match hir.kind() {
        HirKind::Literal(literal) => Some(literal.0.to_ascii_lowercase()),
        HirKind::Class(class) => {
            let mut letter = None;
            for c in members(class, 3)? {
                // `(?i)` adds these two to s and k; texts with them are not gated (see `scan`).
                let c = match c {
                    '\u{17F}' => 's',
                    '\u{212A}' => 'k',
                    c => c.to_ascii_lowercase(),
                };
                if !c.is_ascii() || letter.is_some_and(|known| known != c) {
                    return None;
                }
                letter = Some(c);
            }
            letter.map(|c| vec![c as u8])
        }
        _ => None,
    }
}

/// Each member of a small class as a literal of its own.
fn small_class(class: &Class) -> Option<Vec<Literal>> {
    let members = members(class, 12)?;
    if members.iter().any(char::is_ascii_digit) {
        return None;
    }
    let literal = |c: &char| Literal {
        bytes: c.to_ascii_lowercase().to_string().into_bytes(),
        starts_word: false,
        ends_word: false,
    };
    let mut set: Vec<Literal> = members.iter().map(literal).collect();
    set.sort();
    set.dedup();
    Some(set)
}

/// The members of a class, if they are few. Classes of bytes beyond ASCII are not characters.
fn members(class: &Class, most: usize) -> Option<Vec<char>> {
    let mut members = Vec::new();
    let ranges: Vec<(char, char)> = match class {
        Class::Unicode(class) => class.ranges().iter().map(|r| (r.start(), r.end())).collect(),
        Class::Bytes(class) => {
            class.ranges().iter().map(|r| (char::from(r.start()), char::from(r.end()))).collect()
        }
    };
    let bytes = matches!(class, Class::Bytes(_));
    for (start, end) in ranges {
        if bytes && !end.is_ascii() {
            return None;
        }
        for c in start..=end {
            if members.len() == most {
                return None;
            }
            members.push(c);
        }
    }
    (!members.is_empty()).then_some(members)
}

/// How often such a set of literals stands in prose, roughly, per 10 kB.
fn set_cost(set: &[Literal]) -> u32 {
    set.iter().map(literal_cost).sum::<u32>().max(1)
}

fn literal_cost(literal: &Literal) -> u32 {
    let cost: u32 = match literal.bytes.as_slice() {
        [b' '] => 1600,
        [b] if b.is_ascii_alphabetic() => 500,
        [b'.' | b','] => 100,
        [b'-' | b'(' | b')' | b'\''] => 40,
        [b':' | b'/' | b'\n'] => 20,
        bytes => match bytes.len() {
            1 => 2,
            2 => 100,
            3 => 20,
            4 => 6,
            5 => 3,
            _ => 1,
        },
    };
    if literal.starts_word || literal.ends_word { cost.div_ceil(2) } else { cost }
}

fn digit_cost(digits: usize) -> u32 {
    match digits {
        1 => 200,
        2 => 120,
        3 => 80,
        4 => 60,
        5 => 30,
        6 => 20,
        7 => 8,
        8 => 4,
        _ => 2,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn gate(regex: &str) -> Gate {
        derive(&regex_syntax::parse(regex).expect("the expression is valid")).gate
    }

    fn literal(bytes: &str, starts_word: bool, ends_word: bool) -> Literal {
        Literal { bytes: bytes.into(), starts_word, ends_word }
    }

    #[test]
    fn reads_literals_in_any_case() {
        assert_eq!(gate(r"(?i)\bSSN:? ?[0-9]{3}"), Gate::Literals(vec![literal("ssn", true, false)]));
        assert_eq!(gate(r"[a-z]{1,9}@[a-z]{1,9}"), Gate::Literals(vec![literal("@", false, false)]));
    }

    #[test]
    fn joins_the_branches() {
        assert_eq!(
            gate(r"(?i)\b(?:passport|visa)\b x?"),
            Gate::Literals(vec![literal("passport", true, true), literal("visa", true, true)])
        );
        assert_eq!(
            gate(r"(?i)\b(?:mrs|mr|ms)\b"),
            Gate::Literals(vec![
                literal("mrs", true, false),
                literal("mr", true, false),
                literal("ms", true, false)
            ])
        );
    }

    #[test]
    fn counts_digits() {
        assert_eq!(gate(r"\b[0-9]{3}-[0-9]{2}-[0-9]{4}\b"), Gate::Digits(9));
        assert_eq!(gate(r"[0-9]{8}[A-Z]|[XYZ][0-9]{7}[A-Z]"), Gate::Digits(7));
    }

    #[test]
    fn stays_open_where_nothing_is_known() {
        assert_eq!(gate(r"[a-z]{3}"), Gate::Open);
        assert_eq!(gate(r"ssn .*"), Gate::Open);
        assert_eq!(gate(r"(?:ssn)?[a-z]"), Gate::Open);
    }

    #[test]
    fn does_not_trust_optional_parts() {
        assert_eq!(gate(r"(?:[0-9]{9})?@"), Gate::Literals(vec![literal("@", false, false)]));
        assert_eq!(gate(r"a{0,3}[0-9]{1,4}"), Gate::Digits(1));
    }
}
