//! The forms in which texts may say a value, and where a text says them.

use jiff::civil::Date;

use super::number;
use super::speech::{Speech, is_form};
use crate::table::lexicon::{lexicon, name_words, push_plain};
use crate::table::schema::value;
use crate::table::{ColumnRule, Kind, Role};

/// What is looked for.
#[derive(Clone, Debug)]
pub(super) enum Origin {
    /// A number, also in words.
    Number(f64),
    /// A date, also in parts.
    Date(Date),
    /// Words.
    Words(Vec<String>),
    /// A year of birth that follows from an age.
    BirthYear(i16),
}

/// A form of a value, and where it counts.
#[derive(Clone, Debug)]
pub(super) struct Form {
    pub(super) origin: Origin,
    /// The words of the number in words.
    spelled: Vec<Vec<String>>,
    place: Place,
    dimension: Option<&'static str>,
    name: Vec<String>,
}

/// Where words count.
#[derive(Clone, Debug)]
enum Place {
    Anywhere,
    /// Beside the name of the column.
    Named,
    /// Written exactly like this.
    Exactly(String),
    /// A letter for a sex.
    Sex,
    /// A code of a state, in capitals after a comma or before a postcode.
    Code(String),
    /// With a capital: a name that is a common word as well.
    Capital,
}

/// Where a text says it: its first and its last run, and the days that it says.
#[derive(Clone, Copy, Debug)]
pub(super) struct Hit {
    pub(super) first: usize,
    pub(super) last: usize,
    days: Option<(Date, Date)>,
}

impl Hit {
    pub(super) fn words(first: usize, last: usize) -> Self {
        Self { first, last, days: None }
    }

    /// The days that it says.
    pub(super) fn days(&self) -> Option<(Date, Date)> {
        self.days
    }
}

/// The runs of a text.
fn split(text: &str) -> Vec<String> {
    let speech = Speech::new(text);
    speech.runs.iter().map(|run| speech.word_of(run).to_owned()).collect()
}

/// All forms of a value of a column.
pub(super) fn forms(text: &str, rule: &ColumnRule) -> Vec<Form> {
    let name: Vec<String> = name_words(&rule.name).collect();
    let form = |origin: Origin, place: Place| Form {
        spelled: match &origin {
            Origin::Number(number) => number::words(*number),
            _ => Vec::new(),
        },
        origin,
        place,
        dimension: lexicon().dimension(rule),
        name: name.clone(),
    };
    if matches!(rule.role, Role::Identifier | Role::Remove) {
        return identifier(text, rule, &form);
    }
    match &rule.kind {
        Kind::Number => value::number(text)
            .map(|number| form(Origin::Number(number), Place::Anywhere))
            .into_iter()
            .collect(),
        Kind::Date { format } => {
            let days = value::days(text, format.as_deref());
            let day = days.filter(|(first, last)| first == last);
            day.map(|(day, _)| form(Origin::Date(day), Place::Anywhere)).into_iter().collect()
        }
        Kind::Category | Kind::Ordered(_) => words(text, rule, &form),
    }
}

/// The age that follows from a date of birth, and the year that follows from an age.
pub(super) fn derived(origin: Origin, rule: &ColumnRule) -> Form {
    let spelled = match &origin {
        Origin::Number(number) => number::words(*number),
        _ => Vec::new(),
    };
    Form {
        origin,
        spelled,
        place: Place::Anywhere,
        dimension: Some("years"),
        name: name_words(&rule.name).collect(),
    }
}

fn is_telling(text: &str) -> bool {
    let letters = text.chars().filter(|c| c.is_alphabetic()).count();
    let figures = text.chars().filter(|c| c.is_numeric()).count();
    letters >= 2 || figures >= 4 || (letters == 1 && figures >= 2)
}

fn identifier(text: &str, rule: &ColumnRule, form: &dyn Fn(Origin, Place) -> Form) -> Vec<Form> {
    if !is_telling(text) {
        return Vec::new();
    }
    let all = split(text);
    let mut forms = vec![form(Origin::Words(all.clone()), Place::Anywhere)];
    let is_person = rule.entities.iter().any(|kind| kind.as_str() == "PERSON");
    let letters = !text.contains(char::is_numeric) && !text.contains('@');
    if all.len() > 1 && (is_person || letters) {
        for word in all.iter().filter(|word| word.chars().count() > 2 && !word.contains(char::is_numeric)) {
            let common = reticent_text::is_ordinary(word, reticent_text::Language::English);
            let place = if common { Place::Capital } else { Place::Anywhere };
            forms.push(form(Origin::Words(vec![word.clone()]), place));
        }
    }
    forms
}

fn words(text: &str, rule: &ColumnRule, form: &dyn Fn(Origin, Place) -> Form) -> Vec<Form> {
    let lexicon = lexicon();
    let own = split(text);
    if own.is_empty() {
        return Vec::new();
    }
    let place = |text: &str, words: &[String]| {
        let common = |word: &String| lexicon.is_generic(word) || lexicon.is_function(word);
        let short = text.chars().filter(|c| c.is_alphanumeric()).count() <= 3
            && !text.chars().any(char::is_lowercase);
        if !is_telling(text) || (words.len() == 1 && common(&words[0])) {
            Place::Named
        } else if short {
            Place::Exactly(text.to_owned())
        } else {
            Place::Anywhere
        }
    };
    let mut plain = String::new();
    push_plain(text, &mut plain);
    let of_sex = lexicon.is_named(rule, "sex");
    let sex = match plain.as_str() {
        "f" | "female" | "mujer" | "femenino" | "w" if of_sex => Some("female"),
        "m" | "male" | "hombre" | "masculino" | "varon" if of_sex => Some("male"),
        _ => None,
    };
    let mut forms = Vec::new();
    if !(sex.is_some() && plain.len() == 1) {
        forms.push(form(Origin::Words(own.clone()), place(text, &own)));
    }
    let pieces = text.split([',', ';', '/', '|', '(', ')', '&', '+']);
    let pieces = pieces.flat_map(|piece| piece.split(" or ")).flat_map(|piece| piece.split(" and "));
    let pieces: Vec<&str> = pieces.map(str::trim).filter(|piece| !piece.is_empty()).collect();
    for piece in &pieces {
        let words = split(piece);
        if words.len() < own.len() && is_telling(piece) && piece.chars().count() > 2 {
            let place = place(piece, &words);
            if !matches!(place, Place::Named) {
                forms.push(form(Origin::Words(words), place));
            }
        }
    }
    let key = sex.map_or_else(|| own.clone(), |sex| vec![sex.to_owned()]);
    let same = |word: &str| {
        let words = split(word);
        let is =
            |own: &[String]| own.len() == words.len() && own.iter().zip(&words).all(|(a, b)| is_form(a, b));
        is(&key) || pieces.iter().any(|piece| is(&split(piece)))
    };
    let is_code = |word: &str| word.chars().all(char::is_uppercase);
    for group in &lexicon.equivalents {
        if !group.iter().any(|word| !is_code(word) && same(word)) {
            continue;
        }
        for word in group {
            if !is_code(word) {
                forms.push(form(Origin::Words(split(word)), Place::Anywhere));
            } else if of_sex {
                forms.push(form(Origin::Words(split(word)), Place::Sex));
            }
        }
    }
    for group in &lexicon.states {
        let [state, code] = group.as_slice() else { continue };
        let of_code = text == code && lexicon.is_named(rule, "state")
            || text.contains(',') && pieces.contains(&code.as_str());
        if same(state) {
            forms.push(form(Origin::Words(split(code)), Place::Code(code.clone())));
        } else if of_code {
            forms.push(form(Origin::Words(split(state)), Place::Anywhere));
        }
    }
    forms
}

impl Form {
    /// What is counted as one thing beside a word.
    pub(super) fn key(&self) -> &str {
        match &self.origin {
            Origin::Words(words) => words.first().map_or("", String::as_str),
            _ => "",
        }
    }

    /// Every place where a text says it.
    pub(super) fn find(&self, speech: &Speech<'_>, add: &mut dyn FnMut(Hit)) {
        match &self.origin {
            Origin::Number(number) => self.number(*number, speech, add),
            Origin::Date(date) => find_date(*date, speech, add),
            Origin::Words(words) => {
                for at in speech.positions(words) {
                    let hit = Hit::words(at, at + words.len() - 1);
                    if self.counts(speech, &hit) {
                        add(hit);
                    }
                }
            }
            Origin::BirthYear(year) => {
                let written = year.to_string();
                for at in (0..speech.runs.len()).filter(|at| speech.word(*at) == Some(written.as_str())) {
                    let cue = (1..=3).any(|back| {
                        at.checked_sub(back)
                            .and_then(|at| speech.word(at))
                            .is_some_and(|word| lexicon().is_before_birth(word))
                    });
                    if cue {
                        add(Hit::words(at, at));
                    }
                }
            }
        }
    }

    fn counts(&self, speech: &Speech<'_>, hit: &Hit) -> bool {
        let before = |back: usize| hit.first.checked_sub(back).and_then(|at| speech.word(at));
        let after = speech.word(hit.last + 1);
        let written = || speech.runs[hit.first].span.join(speech.runs[hit.last].span).of(speech.text());
        match &self.place {
            Place::Anywhere => true,
            Place::Exactly(text) => written() == text,
            Place::Capital => !written().starts_with(char::is_lowercase),
            Place::Named => {
                let named = |word: Option<&str>| {
                    word.is_some_and(|word| self.name.iter().any(|own| is_form(own, word)))
                };
                named(before(1)) || named(before(2)) || named(after)
            }
            Place::Sex => {
                let capital = written().chars().all(char::is_uppercase);
                let figures = hit.first.checked_sub(1).is_some_and(|at| speech.runs[at].is_figures);
                let near = speech.gap(hit.first).chars().count() <= 2;
                let cue = before(1).is_some_and(|word| lexicon().is_before_sex(word));
                let named =
                    before(1).is_some_and(|word| matches!(word, "sex" | "gender" | "sexo" | "genero"));
                near && ((figures && capital) || named || (cue && capital))
            }
            Place::Code(code) => {
                let comma = speech.gap(hit.first).contains(',');
                let postcode =
                    speech.runs.get(hit.last + 1).is_some_and(|run| run.is_figures && run.span.len() >= 5);
                written() == code && (comma || postcode)
            }
        }
    }

    fn number(&self, number: f64, speech: &Speech<'_>, add: &mut dyn FnMut(Hit)) {
        for said in speech.numbers.iter().filter(|said| said.is(number)) {
            let hit = Hit::words(said.first, said.last);
            if !is_in_date(speech, &hit) && self.may_be(number, speech, &hit) {
                add(hit);
            }
        }
        if !speech.has_number_words {
            return;
        }
        // `and` and `y` between the words of a number do not count.
        let is_joint = |at: usize| matches!(speech.word(at), Some("and" | "y"));
        for spelled in &self.spelled {
            for first in 0..speech.runs.len() {
                let mut at = first;
                let mut matched = 0;
                while matched < spelled.len() && at < speech.runs.len() {
                    if speech.word(at).is_some_and(|word| is_number_word(word, &spelled[matched])) {
                        (matched, at) = (matched + 1, at + 1);
                    } else if matched > 0 && is_joint(at) {
                        at += 1;
                    } else {
                        break;
                    }
                }
                if matched < spelled.len() {
                    continue;
                }
                let hit = Hit::words(first, at - 1);
                // A part of a larger number is none of its own.
                let is_number = |at: Option<usize>| {
                    at.and_then(|at| speech.word(at)).is_some_and(|word| {
                        lexicon().number(word).is_some() || matches!(word, "point" | "coma")
                    })
                };
                let next = if is_joint(at) { at + 1 } else { at };
                let close = |at: usize| speech.gap(at).chars().all(|c| c.is_whitespace() || c == '-');
                let before = first.checked_sub(1).filter(|_| close(first));
                let joined_before = first.checked_sub(2).filter(|at| is_joint(at + 1) && close(first));
                if !is_number(before)
                    && !is_number(joined_before)
                    && !is_number(Some(next).filter(|next| *next < speech.runs.len() && close(*next)))
                    && self.may_be(number, speech, &hit)
                {
                    add(hit);
                }
            }
        }
    }

    /// Whether a number there may be of this column.
    fn may_be(&self, number: f64, speech: &Speech<'_>, hit: &Hit) -> bool {
        let lexicon = lexicon();
        let text = speech.text();
        let (start, end) = (speech.runs[hit.first].span.start, speech.runs[hit.last].span.end);
        let (left, right) = (&text[..start], &text[end..]);
        let (before, after) = (left.chars().next_back(), right.chars().next());
        let digit = |c: Option<char>| c.is_some_and(|c| c.is_ascii_digit());
        let beyond = (digit(left.chars().rev().nth(1)), digit(right.chars().nth(1)));
        if (before == Some(':') && beyond.0) || (after == Some(':') && beyond.1) {
            return false;
        }
        let small = number.abs() < 100.0 && number.fract() == 0.0;
        // `B12`
        if before.is_some_and(char::is_alphabetic)
            && speech.runs[hit.first].is_figures
            && hit.first == hit.last
            && speech.runs[hit.first].span.len() < 3
        {
            return false;
        }
        let money = left.trim_end().ends_with(['$', '€', '£', '¥']);
        if self.dimension == Some("years") {
            let joint = |c: Option<char>, digit: bool| {
                digit && c.is_some_and(|c| matches!(c, '/' | '-' | '–' | '.' | ','))
                    || c.is_some_and(|c| matches!(c, '$' | '€' | '£' | '#' | '%' | '°' | '+'))
            };
            if joint(before, beyond.0) || joint(after, beyond.1) || money {
                return false;
            }
        }
        if money && self.dimension.is_some_and(|own| own != "money") {
            return false;
        }
        let next = speech.runs.get(hit.last + 1);
        let gap = speech.gap(hit.last + 1);
        let close = gap.chars().count() <= 2
            && gap.chars().all(|c| c.is_whitespace() || matches!(c, '-' | ':' | '=' | '’' | '\''));
        let word = next.filter(|_| close).map(|run| speech.word_of(run));
        let sign =
            right.trim_start_matches(' ').chars().next().filter(|c| matches!(c, '%' | '°' | '$' | '€' | '£'));
        let sign = sign.map(String::from);
        let unit_word = sign.as_deref().or(word);
        let unit = unit_word.and_then(|word| lexicon.unit(word));
        let named = |word: &str| self.name.iter().any(|own| is_form(own, word));
        if self.dimension == Some("years")
            && gap.is_empty()
            && word.is_some_and(|word| matches!(word, "f" | "m"))
        {
            return true;
        }
        if let (Some(unit), Some(own)) = (unit, self.dimension)
            && unit != own
        {
            return unit_word.is_some_and(named);
        }
        let Some(word) = word.filter(|_| small && unit.is_none() && sign.is_none()) else { return true };
        if gap.is_empty() && next.is_some_and(|run| !run.is_figures) {
            // `3rd`; but `34F`.
            return matches!(word, "f" | "m" | "yof" | "yom");
        }
        let aged = hit
            .first
            .checked_sub(1)
            .and_then(|at| speech.word(at))
            .is_some_and(|word| lexicon.is_before_age(word));
        let plural = word == "people"
            || word.len() >= 4
                && word.is_ascii()
                && word.ends_with('s')
                && !["ss", "us", "is"].iter().any(|end| word.ends_with(end));
        !plural || aged || named(word) || lexicon.is_no_plural(word)
    }
}

/// Whether two words name one number, in any gender: `quinientos` and `quinientas`.
fn is_number_word(one: &str, other: &str) -> bool {
    one == other || lexicon().number(one).is_some_and(|number| lexicon().number(other) == Some(number))
}

/// Whether a number is part of a date: `14` of `14 May`, `05` of `14/05/2004`.
fn is_in_date(speech: &Speech<'_>, hit: &Hit) -> bool {
    if hit.first != hit.last {
        return false;
    }
    let at = hit.first;
    let month = |at: Option<usize>| {
        at.and_then(|at| speech.word(at)).is_some_and(|word| lexicon().month(word).is_some())
    };
    let skip = |mut at: usize| {
        while matches!(speech.word(at), Some("of" | "de" | "del" | "the" | "st" | "nd" | "rd" | "th")) {
            at += 1;
        }
        at
    };
    let day =
        speech.word(at).and_then(|word| word.parse::<u32>().ok()).is_some_and(|day| (1..=31).contains(&day));
    let near = |at: usize| speech.gap(at).chars().count() <= 2;
    if day
        && (month(Some(skip(at + 1)).filter(|next| near(*next)))
            || month(at.checked_sub(1).filter(|_| near(at))))
    {
        return true;
    }
    // The year behind a month, perhaps with a day between.
    let year = speech.word(at).is_some_and(|word| word.len() == 4);
    let back = (1..=4).filter_map(|back| at.checked_sub(back));
    if year && back.clone().any(|back| month(Some(back))) {
        return true;
    }
    let figures = |at: usize| speech.runs.get(at).is_some_and(|run| run.is_figures);
    (at.saturating_sub(2)..=at).any(|first| {
        let (one, two) = (first + 1, first + 2);
        two >= at
            && figures(first)
            && figures(one)
            && figures(two)
            && matches!(speech.gap(one), "/" | "-" | "." | "–")
            && speech.gap(one) == speech.gap(two)
    }) || (year && at > 0 && figures(at - 1) && matches!(speech.gap(at), "/" | "."))
}

/// Every place where a text says a date, or a part of it that tells more than a month or a day.
fn find_date(date: Date, speech: &Speech<'_>, add: &mut dyn FnMut(Hit)) {
    let (year, month, day) = (i32::from(date.year()), i32::from(date.month()), i32::from(date.day()));
    let number = |at: usize| {
        let run = speech.runs.get(at).filter(|run| run.is_figures && run.span.len() <= 4)?;
        speech.word_of(run).parse::<i32>().ok()
    };
    let is_year = |at: usize| {
        number(at).is_some_and(|own| own == year || (speech.runs[at].span.len() == 2 && own == year % 100))
    };
    let whole = Some((date, date));
    let of_month = Some((date.first_of_month(), date.last_of_month()));
    let of_year = Some((date.first_of_year(), date.last_of_year()));
    for at in 0..speech.runs.len() {
        let run = &speech.runs[at];
        if run.is_figures
            && run.span.len() == 8
            && speech.word_of(run) == format!("{year:04}{month:02}{day:02}")
        {
            add(Hit { first: at, last: at, days: whole });
        }
        let joint = |at: usize| matches!(speech.gap(at), "/" | "-" | "." | "–" | " / " | " - " | ". ");
        if run.is_figures && joint(at + 1) {
            let (a, b, c) = (number(at), number(at + 1), number(at + 2));
            let three = c.is_some() && joint(at + 2);
            let earlier = at > 0 && number(at - 1).is_some() && joint(at);
            if three && !earlier {
                let orders = (is_year(at) && (b, c) == (Some(month), Some(day)))
                    || (is_year(at + 2)
                        && ((a, b) == (Some(day), Some(month)) || (a, b) == (Some(month), Some(day))));
                if orders {
                    add(Hit { first: at, last: at + 2, days: whole });
                }
            } else if b.is_some() && !earlier {
                let long = |at: usize| speech.runs.get(at).is_some_and(|run| run.span.len() == 4);
                if (long(at) && is_year(at) && b == Some(month))
                    || (long(at + 1) && is_year(at + 1) && a == Some(month))
                {
                    add(Hit { first: at, last: at + 1, days: of_month });
                } else if matches!(speech.gap(at + 1), "/" | ".")
                    && ((a, b) == (Some(day), Some(month)) || (a, b) == (Some(month), Some(day)))
                {
                    add(Hit { first: at, last: at + 1, days: whole });
                }
            }
        }
        if !run.is_figures && lexicon().month(speech.word_of(run)).map(i32::from) == Some(month) {
            named_month(speech, at, (day, &is_year), &number, (whole, of_month), add);
        }
        // A year by itself.
        let alone = run.is_figures && run.span.len() == 4 && is_year(at) && number(at) == Some(year);
        if alone && !is_in_date(speech, &Hit::words(at, at)) {
            let next = speech.word(at + 1).filter(|_| speech.gap(at + 1) == " ");
            let counted = next.is_some_and(|word| {
                lexicon().unit(word).is_some()
                    || word.len() >= 4
                        && word.ends_with('s')
                        && !word.ends_with("ss")
                        && !word.ends_with("us")
                        && !word.ends_with("is")
                        && !lexicon().is_no_plural(word)
            });
            let joined = matches!(speech.gap(at + 1), "," | "." | "'") && number(at + 1).is_some();
            if !counted && !joined {
                add(Hit { first: at, last: at, days: of_year });
            }
        }
    }
}

type Days = Option<(Date, Date)>;

/// The day or the year beside the name of a month.
fn named_month(
    speech: &Speech<'_>,
    at: usize,
    (day, is_year): (i32, &dyn Fn(usize) -> bool),
    number: &dyn Fn(usize) -> Option<i32>,
    (whole, of_month): (Days, Days),
    add: &mut dyn FnMut(Hit),
) {
    let filler =
        |at: usize| matches!(speech.word(at), Some("of" | "de" | "del" | "the" | "st" | "nd" | "rd" | "th"));
    let near = |at: usize| speech.gap(at).chars().count() <= 2;
    let mut before = at;
    while before > 0 && near(before) && filler(before - 1) {
        before -= 1;
    }
    let before = before.checked_sub(1).filter(|_| near(before)).filter(|at| number(*at) == Some(day));
    let mut after = at + 1;
    while filler(after) && near(after) {
        after += 1;
    }
    let is_day = near(after) && number(after) == Some(day);
    if let Some(first) = before {
        add(Hit { first, last: at, days: whole });
    } else if is_day {
        add(Hit { first: at, last: after, days: whole });
    } else if near(after) && is_year(after) && speech.runs[after].span.len() == 4 {
        add(Hit { first: at, last: after, days: of_month });
    }
}
