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

/// Bytes that a match contains, and where in it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Literal {
    /// The bytes, ASCII letters in small letters.
    pub(super) bytes: Vec<u8>,
    /// The same in capitals, where the expression takes capitals too; where it takes only
    /// capitals, both are capitals.
    pub(super) cases: Vec<(u8, u8)>,
    /// No ASCII word character stands before it.
    pub(super) starts_word: bool,
    /// No ASCII word character stands after it.
    pub(super) ends_word: bool,
    /// How many bytes of the match stand before it at most.
    pub(super) before: usize,
    /// How many bytes of the match stand after it at most.
    pub(super) after: usize,
}

/// A gate, and how long a match can be at most.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Reach {
    pub(super) gate: Gate,
    pub(super) longest: usize,
    /// Every match has so many ASCII digits in a row somewhere.
    pub(super) in_a_row: usize,
}

/// A match longer than this is not worth a gate.
const LONGEST: usize = 8192;

/// Reads the gate off an expression.
pub(super) fn derive(hir: &Hir) -> Reach {
    let in_a_row = in_a_row(hir);
    let open = Reach { gate: Gate::Open, longest: usize::MAX, in_a_row };
    let Some(longest) = hir.properties().maximum_len().filter(|len| *len <= LONGEST) else { return open };
    let digits = digits(hir);
    let by_digits = (digits > 0).then(|| (digit_cost(digits, longest), Gate::Digits(digits)));
    let place = Place { before: 0, after: 0, boundary_before: false, boundary_after: false };
    let by_literals = literals(hir, place).map(|set| (set_cost(&set), Gate::Literals(set)));
    match by_digits.into_iter().chain(by_literals).min_by_key(|(cost, _)| *cost) {
        Some((_, gate)) => Reach { gate, longest, in_a_row },
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

/// The least number of ASCII digits that stand together in a match.
fn in_a_row(hir: &Hir) -> usize {
    if let Some(digits) = only_digits(hir) {
        return digits;
    }
    match hir.kind() {
        HirKind::Literal(literal) => {
            literal.0.split(|byte| !byte.is_ascii_digit()).map(<[u8]>::len).max().unwrap_or(0)
        }
        HirKind::Repetition(repetition) if repetition.min > 0 => in_a_row(&repetition.sub),
        HirKind::Capture(capture) => in_a_row(&capture.sub),
        HirKind::Concat(parts) => {
            let (mut most, mut here) = (0, 0);
            for part in parts {
                here = only_digits(part).map_or(0, |digits| here + digits);
                most = most.max(here).max(in_a_row(part));
            }
            most
        }
        HirKind::Alternation(parts) => parts.iter().map(in_a_row).min().unwrap_or(0),
        _ => 0,
    }
}

/// The least length of a match, where it can have nothing but ASCII digits.
fn only_digits(hir: &Hir) -> Option<usize> {
    match hir.kind() {
        HirKind::Empty | HirKind::Look(_) => Some(0),
        HirKind::Literal(literal) => literal.0.iter().all(u8::is_ascii_digit).then_some(literal.0.len()),
        HirKind::Class(class) => is_digits(class).then_some(1),
        HirKind::Repetition(repetition) => Some(only_digits(&repetition.sub)? * repetition.min as usize),
        HirKind::Capture(capture) => only_digits(&capture.sub),
        HirKind::Concat(parts) => parts.iter().map(only_digits).sum(),
        HirKind::Alternation(parts) => {
            let lengths: Option<Vec<usize>> = parts.iter().map(only_digits).collect();
            lengths?.into_iter().min()
        }
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

/// Where a part of an expression stands in the whole.
#[derive(Clone, Copy)]
struct Place {
    /// How many bytes of a match stand before the part at most.
    before: usize,
    /// How many after.
    after: usize,
    /// Whether a word boundary is demanded right before it.
    boundary_before: bool,
    /// And right after it.
    boundary_after: bool,
}

/// The most bytes that a part can match. Only called for expressions that are bounded as a whole.
fn longest(hir: &Hir) -> usize {
    hir.properties().maximum_len().unwrap_or(0)
}

/// A set of literals one of which is in every match, the rarest such set that is found.
fn literals(hir: &Hir, place: Place) -> Option<Vec<Literal>> {
    match hir.kind() {
        HirKind::Empty | HirKind::Look(_) => None,
        HirKind::Literal(_) | HirKind::Class(_) | HirKind::Concat(_) => {
            let mut parts = Vec::new();
            flatten(hir, &mut parts);
            concat_literals(&parts, place)
        }
        HirKind::Repetition(repetition) => {
            let others = longest(hir).saturating_sub(longest(&repetition.sub));
            let (before, after) = (place.before + others, place.after + others);
            let place = Place { before, after, boundary_before: false, boundary_after: false };
            if repetition.min == 0 { None } else { literals(&repetition.sub, place) }
        }
        HirKind::Capture(capture) => literals(&capture.sub, place),
        HirKind::Alternation(parts) => {
            let mut union = Vec::new();
            for part in parts {
                union.extend(literals(part, place)?);
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

fn concat_literals(parts: &[&Hir], place: Place) -> Option<Vec<Literal>> {
    let boundary_at = |at: usize| matches!(parts[at].kind(), HirKind::Look(look) if is_boundary(*look));
    let total: usize = parts.iter().map(|part| longest(part)).sum();
    let mut passed = 0;
    let mut offers: Vec<Vec<Literal>> = Vec::new();
    let mut run: Option<Literal> = None;
    for (at, part) in parts.iter().enumerate() {
        let length = longest(part);
        let here = Place {
            before: place.before + passed,
            after: place.after + total - passed - length,
            boundary_before: if at == 0 { place.boundary_before } else { boundary_at(at - 1) },
            boundary_after: if at + 1 == parts.len() { place.boundary_after } else { boundary_at(at + 1) },
        };
        passed += length;
        if let Some(cases) = cases(part) {
            run.get_or_insert_with(|| Literal::starting(here)).extend(&cases, here);
            continue;
        }
        if let Some(run) = run.take() {
            if let HirKind::Alternation(branches) = part.kind() {
                let rest = here.after + length;
                offers.push(branches.iter().map(|branch| run.prolonged(branch, rest)).collect());
            }
            offers.push(vec![run]);
        }
        offers.extend(match part.kind() {
            HirKind::Class(class) => small_class(class, here),
            _ => literals(part, here),
        });
    }
    offers.extend(run.map(|run| vec![run]));
    offers.into_iter().min_by_key(|set| set_cost(set))
}

impl Literal {
    fn starting(here: Place) -> Self {
        Self {
            bytes: Vec::new(),
            cases: Vec::new(),
            starts_word: here.boundary_before,
            ends_word: false,
            before: here.before,
            after: here.after,
        }
    }

    fn extend(&mut self, cases: &[(u8, u8)], here: Place) {
        self.cases.extend(cases);
        self.bytes.extend(cases.iter().map(|(_, byte)| byte.to_ascii_lowercase()));
        self.starts_word = self.starts_word && is_word(self.bytes[0]);
        self.ends_word = here.boundary_after && self.bytes.last().copied().is_some_and(is_word);
        self.after = here.after;
    }

    /// This literal and the one with which `branch`, which follows it, begins. `rest` is what can
    /// follow this literal in a match.
    fn prolonged(&self, branch: &Hir, rest: usize) -> Self {
        let mut parts = Vec::new();
        flatten(branch, &mut parts);
        let mut longer = self.clone();
        let more: Vec<(u8, u8)> = parts.into_iter().map_while(cases).flatten().collect();
        longer.cases.extend(&more);
        longer.bytes.extend(more.iter().map(|(_, byte)| byte.to_ascii_lowercase()));
        longer.ends_word = longer.ends_word && more.is_empty();
        longer.after = rest - more.len().min(rest);
        longer
    }

    /// Whether the text has it here in a case that the expression takes. `found` is as long as it.
    pub(super) fn takes(&self, found: &[u8]) -> bool {
        self.cases.iter().zip(found).all(|((a, b), byte)| byte == a || byte == b)
    }
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

/// The bytes of a literal, or of a class that is one letter in both cases: for each byte, the two
/// that the expression takes.
fn cases(hir: &Hir) -> Option<Vec<(u8, u8)>> {
    match hir.kind() {
        HirKind::Literal(literal) => Some(literal.0.iter().map(|byte| (*byte, *byte)).collect()),
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
            letter.map(|c| vec![(c.to_ascii_uppercase() as u8, c as u8)])
        }
        _ => None,
    }
}

/// Each member of a small class as a literal of its own.
fn small_class(class: &Class, here: Place) -> Option<Vec<Literal>> {
    let members = members(class, 12)?;
    if members.iter().any(char::is_ascii_digit) {
        return None;
    }
    let literal = |c: &char| {
        let mut literal = Literal::starting(here);
        let cases: Vec<(u8, u8)> = c.to_string().bytes().map(|byte| (byte, byte)).collect();
        literal.extend(&cases, here);
        literal
    };
    Some(members.iter().map(literal).collect())
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

/// How much of a text such a set of literals makes the pattern look at, roughly.
fn set_cost(set: &[Literal]) -> usize {
    set.iter().map(literal_cost).sum::<usize>().max(1)
}

fn literal_cost(literal: &Literal) -> usize {
    // How often it stands in 10 kB of prose.
    let often = match literal.bytes.as_slice() {
        [b' '] => 1600,
        [b] if b.is_ascii_alphabetic() => 500,
        [b] if b.is_ascii_digit() => 200,
        [a, b] if a.is_ascii_digit() && b.is_ascii_digit() => 120,
        [b'.' | b','] => 100,
        [b'-' | b'(' | b')' | b'\''] => 40,
        [b':' | b'/' | b'\n'] => 20,
        bytes if !bytes.is_ascii() => 2,
        // Prose has a space after a full stop.
        [b'.', b, ..] if b.is_ascii_alphabetic() => 2,
        bytes => match bytes.len() {
            1 => 2,
            2 => 100,
            3 => 20,
            4 => 6,
            5 => 3,
            _ => 1,
        },
    };
    let whole = usize::from(literal.starts_word) + usize::from(literal.ends_word);
    let capital = usize::from(literal.cases.first().is_some_and(|(a, b)| a == b && a.is_ascii_uppercase()));
    (often * (literal.before + literal.bytes.len() + literal.after + 30)) >> (whole + capital)
}

fn digit_cost(digits: usize, longest: usize) -> usize {
    let often = match digits {
        1 => 200,
        2 => 120,
        3 => 80,
        4 => 60,
        5 => 20,
        6 => 10,
        7 => 4,
        _ => 1,
    };
    // Digits far apart are more frequent than digits in one number.
    often * (longest / (2 * digits)).max(1) * (2 * longest + 30)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn gate(regex: &str) -> Gate {
        derive(&regex_syntax::parse(regex).expect("the expression is valid")).gate
    }

    /// The literals of a gate: bytes, whether it starts and ends a word, bytes before and after.
    fn set(regex: &str) -> Vec<(String, bool, bool, usize, usize)> {
        let Gate::Literals(literals) = gate(regex) else { panic!("no literals: {regex}") };
        let text = |literal: &Literal| String::from_utf8_lossy(&literal.bytes).into_owned();
        literals.iter().map(|l| (text(l), l.starts_word, l.ends_word, l.before, l.after)).collect()
    }

    #[test]
    fn reads_literals_in_any_case() {
        assert_eq!(set(r"(?i)\bSSN:? ?[0-9]{3}"), [("ssn".into(), true, false, 0, 5)]);
        assert_eq!(set(r"[a-z]{1,9}@[a-z]{1,9}"), [("@".into(), false, false, 9, 9)]);
    }

    #[test]
    fn joins_the_branches() {
        assert_eq!(
            set(r"(?i)\b(?:passport|visa)\b x?"),
            [("passport".into(), true, true, 0, 2), ("visa".into(), true, true, 0, 2)]
        );
        assert_eq!(
            set(r"(?i)\b(?:mrs|mr|ms)\b[0-9]{0,5}"),
            [
                ("mrs".into(), true, false, 0, 6),
                ("mr".into(), true, false, 0, 7),
                ("ms".into(), true, false, 0, 7)
            ]
        );
    }

    #[test]
    fn knows_the_case() {
        let Gate::Literals(literals) = gate(r"Mr [A-Z]") else { panic!("it has a literal") };
        assert!(literals[0].takes(b"Mr ") && !literals[0].takes(b"mr "));
        let Gate::Literals(literals) = gate(r"(?i)Mr [A-Z]") else { panic!("it has a literal") };
        assert!(literals[0].takes(b"Mr ") && literals[0].takes(b"mR "));
    }

    #[test]
    fn counts_digits() {
        assert_eq!(gate(r"\b[0-9]{3}-[0-9]{2}-[0-9]{4}\b"), Gate::Digits(9));
        assert_eq!(gate(r"[0-9]{8}[A-Z]|[XYZ][0-9]{7}[A-Z]"), Gate::Digits(7));
    }

    #[test]
    fn knows_how_many_digits_stand_together() {
        let in_a_row = |regex: &str| in_a_row(&regex_syntax::parse(regex).expect("the expression is valid"));
        assert_eq!(in_a_row(r"\b[0-9]{3}-[0-9]{2}-[0-9]{4}\b"), 4);
        assert_eq!(in_a_row(r"(?:0[1-9]|[12][0-9])(?:0[1-9]|1[0-2])[0-9]{2}?"), 6);
        assert_eq!(in_a_row(r"[0-9]{8}[A-Z]|[XYZ][0-9]{7}[A-Z]"), 7);
        assert_eq!(in_a_row(r"(?:12a3456b)+"), 4);
        for none in [r"[a-z]{3}", r"(?:[0-9]{9})?@", r"\d{4}", r"a|[0-9]{3}", r"\b"] {
            assert_eq!(in_a_row(none), 0, "{none}");
        }
        assert_eq!(in_a_row(r"[0-9]{2}(?: ?[0-9]{3})"), 3);
    }

    #[test]
    fn stays_open_where_nothing_is_known() {
        assert_eq!(gate(r"[a-z]{3}"), Gate::Open);
        assert_eq!(gate(r"ssn .*"), Gate::Open);
        assert_eq!(gate(r"(?:ssn)?[a-z]"), Gate::Open);
    }

    #[test]
    fn does_not_trust_optional_parts() {
        assert_eq!(set(r"(?:[0-9]{9})?@"), [("@".into(), false, false, 9, 0)]);
        assert_eq!(gate(r"a{0,3}[0-9]{1,4}"), Gate::Digits(1));
    }
}
