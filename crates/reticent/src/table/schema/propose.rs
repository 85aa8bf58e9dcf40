//! A schema to begin with, by looking at a table.
//!
//! What is not known is called a quasi-identifier: too much is then generalized, but nothing released that was
//! never looked at. Each rule says why it was proposed. No value of the table stands in it, except for words
//! of well-known scales (`low`, `high`) and for missing values.

use std::fmt::Write as _;

use super::names::{self, Meaning};
use super::{ColumnRule, Hierarchy, Kind, Role, Schema, Step, value};
use crate::EntityType;
use crate::table::dependence;
use crate::table::{Column, Table};

/// A proposed schema for a table, to be edited.
#[derive(Clone, Debug)]
pub struct Proposal {
    columns: Vec<Proposed>,
    missing: Vec<&'static str>,
    dependences: Vec<String>,
    most_rows: Option<usize>,
}

/// How sure the role of a column is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Confidence {
    /// Nothing speaks for it, but that no other role is safe.
    Low,
    /// Its values speak for it.
    Medium,
    /// Its name says it, or its values can be nothing else.
    High,
}

/// The proposed rule for a column.
#[derive(Clone, Debug)]
pub struct Proposed {
    /// Its rule.
    pub rule: ColumnRule,
    /// Why.
    pub why: String,
    /// How sure that is.
    pub confidence: Confidence,
}

/// Words that stand for a missing value in many tables.
const MISSING: [&str; 9] = ["?", "NA", "N/A", "n/a", "NULL", "null", "NaN", "nan", "#N/A"];

/// Ways to write dates, the likelier first.
const DATES: [&str; 15] = [
    "%d/%m/%Y",
    "%m/%d/%Y",
    "%d.%m.%Y",
    "%d-%m-%Y",
    "%m-%d-%Y",
    "%Y/%m/%d",
    "%Y.%m.%d",
    "%d,%B,%Y",
    "%d %B %Y",
    "%B %d, %Y",
    "%d-%b-%Y",
    "%d %b %Y",
    "%b %d, %Y",
    "%d/%m/%y",
    "%m/%d/%y",
];

/// Scales whose words have an order, lowest first.
const SCALES: [&[&str]; 6] = [
    &["very low", "low", "lower middle", "medium", "middle", "moderate", "upper middle", "high", "very high"],
    &["never", "rarely", "seldom", "sometimes", "often", "usually", "always"],
    &["very small", "small", "medium", "large", "very large"],
    &["xs", "s", "m", "l", "xl", "xxl"],
    &["none", "mild", "moderate", "severe", "critical"],
    &["very poor", "poor", "fair", "good", "very good", "excellent"],
];

/// How many different values of a column are looked at.
const SAMPLE: usize = 10_000;
/// With fewer rows, that all values differ tells nothing.
const ENOUGH: usize = 20;

impl Schema {
    /// Proposes a schema by the names of the columns and by what their values look like.
    ///
    /// ```
    /// use reticent::table::{Format, ReadOptions, Role, Schema, read};
    /// let csv = b"id,age,diagnosis\n1,36,flu\n2,24,cold\n";
    /// let (table, _) = read(csv, &ReadOptions::new(Format::Csv))?;
    /// let proposal = Schema::propose(&table);
    /// let roles: Vec<Role> = proposal.columns().iter().map(|column| column.rule.role).collect();
    /// assert_eq!(roles, [Role::Identifier, Role::QuasiIdentifier, Role::Sensitive]);
    /// Schema::from_toml(&proposal.to_toml())?.check(&table)?;
    /// # Ok::<(), reticent::Error>(())
    /// ```
    pub fn propose(table: &Table) -> Proposal {
        let looked: Vec<Looked> = table.columns().iter().map(Looked::at).collect();
        let missing = MISSING
            .into_iter()
            .filter(|word| looked.iter().any(|looked| looked.missing.contains(word)))
            .collect();
        let with_text = looked.iter().any(Looked::is_text);
        let columns =
            table.columns().iter().zip(&looked).map(|(column, looked)| looked.propose(column, with_text));
        let mut columns: Vec<Proposed> = columns.collect();
        let dependences = relate(table, &mut columns);
        let identifier = columns.iter().position(|column| column.rule.role == Role::Identifier);
        let most_rows = identifier.and_then(|at| most_frequent(&table.columns()[at]));
        Proposal { columns, missing, dependences, most_rows }
    }
}

/// In how many rows the most frequent value is; nothing if one is missing.
fn most_frequent(column: &Column) -> Option<usize> {
    let mut counts = vec![0; column.distinct().len()];
    for row in 0..column.len() {
        counts[column.code(row)? as usize] += 1;
    }
    counts.into_iter().max()
}

/// Changes the roles of columns that follow from others, and says which do.
fn relate(table: &Table, columns: &mut [Proposed]) -> Vec<String> {
    let mut told = Vec::new();
    let strong = |by: usize, of: usize| {
        let strength = dependence::strength(&table.columns()[by], &table.columns()[of]);
        strength.is_some_and(|strength| strength >= dependence::STRONG)
    };
    let name = |at: usize| table.columns()[at].name();
    // What nobody knows and goes with something sensitive is sensitive, not known to an attacker.
    let of = |columns: &[Proposed], role: Role| -> Vec<usize> {
        (0..columns.len()).filter(|at| columns[*at].rule.role == role).collect()
    };
    let mut open = of(columns, Role::Sensitive);
    while let Some(sensitive) = open.pop() {
        for quasi in of(columns, Role::QuasiIdentifier) {
            let (reveals, follows) = (strong(sensitive, quasi), strong(quasi, sensitive));
            if !reveals && !follows {
                continue;
            }
            let how = if reveals { "is determined by" } else { "determines" };
            told.push(format!("`{}` {how} `{}`, which is sensitive", name(quasi), name(sensitive)));
            let column = &mut columns[quasi];
            if column.confidence == Confidence::Low {
                column.rule.role = Role::Sensitive;
                column.rule.hierarchy = None;
                column.why = format!("it {how} `{}`", name(sensitive));
                column.confidence = Confidence::Medium;
                open.push(quasi);
            }
        }
    }
    // An age says less than the day of birth that it follows from.
    let quasi = of(columns, Role::QuasiIdentifier);
    let is_date = |column: &Proposed| matches!(column.rule.kind, Kind::Date { .. });
    let births: Vec<usize> =
        quasi.iter().copied().filter(|at| is_date(&columns[*at]) && names::is_birth(name(*at))).collect();
    let ages: Vec<usize> = quasi.into_iter().filter(|at| columns[*at].rule.is_age()).collect();
    for (birth, age) in births.into_iter().flat_map(|birth| ages.iter().map(move |age| (birth, *age))) {
        if columns[birth].rule.role != Role::Remove && is_age_of(table, columns, birth, age) {
            told.push(format!("`{}` follows from `{}`", name(age), name(birth)));
            remove(&mut columns[birth], format!("it tells more exactly what `{}` tells", name(age)));
        }
    }
    // What follows from another quasi-identifier tells nothing more, and less of it would have to be lost.
    let mut finest = of(columns, Role::QuasiIdentifier);
    let is_line = |column: &Proposed| !matches!(column.rule.kind, Kind::Category);
    finest.sort_by_key(|at| {
        (std::cmp::Reverse(table.columns()[*at].distinct().len()), !is_line(&columns[*at]), *at)
    });
    for (place, by) in finest.iter().enumerate() {
        for derived in &finest[place + 1..] {
            let both = columns[*by].rule.role == Role::QuasiIdentifier
                && columns[*derived].rule.role == Role::QuasiIdentifier;
            // Two answers go together by chance.
            if both && table.columns()[*derived].distinct().len() > 2 && strong(*by, *derived) {
                told.push(format!("`{}` follows from `{}`", name(*derived), name(*by)));
                remove(&mut columns[*derived], format!("it follows from `{}`", name(*by)));
            }
        }
    }
    told
}

fn remove(column: &mut Proposed, why: String) {
    column.rule.role = Role::Remove;
    column.rule.kind = Kind::Category;
    column.rule.hierarchy = None;
    column.why = why;
    column.confidence = Confidence::Medium;
}

/// Whether a number is the age, on about one day, of who was born on a date.
fn is_age_of(table: &Table, columns: &[Proposed], birth: usize, age: usize) -> bool {
    let Kind::Date { format } = &columns[birth].rule.kind else { return false };
    let (births, ages) = (&table.columns()[birth], &table.columns()[age]);
    let sums = (0..table.rows().min(SAMPLE)).filter_map(|row| {
        let (born, _) = value::days(births.get(row)?, format.as_deref())?;
        Some(f64::from(born.year()) + value::number(ages.get(row)?)?)
    });
    let mut sums: Vec<f64> = sums.collect();
    sums.sort_by(f64::total_cmp);
    let most = sums.len() * 19 / 20;
    sums.len() >= ENOUGH && sums[most - 1 + (sums.len() - most) / 2] - sums[(sums.len() - most) / 2] <= 2.0
}

impl ColumnRule {
    /// Whether its values are ages.
    fn is_age(&self) -> bool {
        self.kind == Kind::Number && matches!(names::meaning(&self.name), Meaning::Quasi(_, Some("AGE")))
    }
}

/// A hierarchy that readers of a column expect: prefixes of codes, decades of ages, quarters of dates.
fn hierarchy(column: &Column, meaning: Meaning, kind: &Kind) -> Option<Hierarchy> {
    match (meaning, kind) {
        (Meaning::Quasi(_, Some("POSTCODE")), Kind::Category) => {
            let length = column.distinct().first()?.chars().count();
            let alike =
                |value: &str| value.chars().count() == length && value.chars().all(char::is_alphanumeric);
            (length > 3 && column.distinct().iter().all(|value| alike(value)))
                .then(|| Hierarchy::Prefix((2..length).rev().take(3).collect()))
        }
        (Meaning::Quasi(_, Some("AGE")) | Meaning::Quasi("year", _), Kind::Number) => {
            let whole = |value: &str| value.trim().parse::<i64>().is_ok();
            (column.distinct().iter().all(|value| whole(value)) && column.distinct().len() >= 10)
                .then(|| Hierarchy::Intervals(vec![5.0, 10.0, 20.0]))
        }
        (_, Kind::Date { .. }) => {
            Some(Hierarchy::Calendar(vec![Step::Month, Step::Quarter, Step::Year, Step::Decade]))
        }
        _ => None,
    }
}

/// What can be seen of a column.
struct Looked {
    meaning: Meaning,
    /// Rows with a value.
    filled: usize,
    /// Different values.
    distinct: usize,
    missing: Vec<&'static str>,
    shape: Shape,
    dates: Option<Dates>,
    scale: Option<Vec<String>>,
    words: f64,
}

/// What all values of a column look like.
#[derive(Clone, Copy, PartialEq)]
enum Shape {
    Whole,
    Number,
    Mail,
    Other,
}

/// How dates are written: ISO 8601 or a format, and whether another would do as well.
struct Dates {
    format: Option<&'static str>,
    unsure: bool,
}

impl Looked {
    fn at(column: &Column) -> Self {
        let missing: Vec<&'static str> = MISSING
            .into_iter()
            .filter(|word| column.distinct().iter().any(|value| &**value == *word))
            .collect();
        let is_value = |value: &&str| !missing.contains(value);
        let values: Vec<&str> =
            column.distinct().iter().map(|value| &**value).filter(is_value).take(SAMPLE).collect();
        let filled =
            (0..column.len()).filter(|row| column.get(*row).is_some_and(|value| is_value(&value))).count();
        let all = |test: &dyn Fn(&str) -> bool| !values.is_empty() && values.iter().all(|value| test(value));
        let shape = if all(&|value| value.trim().parse::<i64>().is_ok()) {
            Shape::Whole
        } else if all(&|value| value::number(value).is_some()) {
            Shape::Number
        } else if all(&is_mail) {
            Shape::Mail
        } else {
            Shape::Other
        };
        let words: usize = values.iter().map(|value| value.split_whitespace().count()).sum();
        Self {
            meaning: names::meaning(column.name()),
            filled,
            distinct: column.distinct().len() - missing.len(),
            shape,
            dates: dates(&values),
            scale: scale(&values),
            words: words as f64 / values.len().max(1) as f64,
            missing,
        }
    }

    fn is_numeric(&self) -> bool {
        matches!(self.shape, Shape::Whole | Shape::Number)
    }

    /// Prose, by the number of its words.
    fn is_text(&self) -> bool {
        !self.is_numeric()
            && self.dates.is_none()
            && (self.words >= 6.0 || (self.words >= 3.0 && self.meaning == Meaning::Text))
    }

    /// Whether nearly every row has a value of its own.
    fn is_unique(&self) -> bool {
        self.filled >= ENOUGH && self.distinct * 20 >= self.filled * 19
    }

    fn role(&self) -> (Role, String, Confidence) {
        let Self { meaning, .. } = self;
        if self.filled == 0 {
            return (Role::Insensitive, "it has no value".to_owned(), Confidence::High);
        }
        if self.shape == Shape::Mail {
            return (Role::Identifier, "its values are e-mail addresses".to_owned(), Confidence::High);
        }
        if self.is_text() {
            return (
                Role::Text,
                format!("its values have {:.0} words on average", self.words),
                Confidence::High,
            );
        }
        match meaning {
            Meaning::Identifier(word) | Meaning::Named(word, _) => {
                return (Role::Identifier, format!("its name contains `{word}`"), Confidence::High);
            }
            Meaning::Sensitive(word) => {
                return (Role::Sensitive, format!("its name contains `{word}`"), Confidence::High);
            }
            _ => {}
        }
        if self.shape == Shape::Whole
            && self.is_unique()
            && self.distinct == self.filled
            && *meaning == Meaning::Unknown
        {
            return (Role::Identifier, "every row has a different number".to_owned(), Confidence::Medium);
        }
        if !self.is_numeric() && self.dates.is_none() && self.is_unique() {
            return (
                Role::Identifier,
                "nearly every row has a different value".to_owned(),
                Confidence::Medium,
            );
        }
        if let Meaning::Quasi(word, _) = meaning {
            return (Role::QuasiIdentifier, format!("its name contains `{word}`"), Confidence::High);
        }
        if self.distinct == 1 && self.filled >= ENOUGH {
            return (Role::Insensitive, "all rows have the same value".to_owned(), Confidence::Medium);
        }
        (Role::QuasiIdentifier, "not known to be insensitive".to_owned(), Confidence::Low)
    }

    fn propose(&self, column: &Column, with_text: bool) -> Proposed {
        let (role, mut why, confidence) = self.role();
        let kind = match (&self.dates, &self.scale) {
            _ if !matches!(role, Role::QuasiIdentifier | Role::Sensitive) => Kind::Category,
            // A code of figures: its zeros count, and codes in between are no places in between.
            _ if matches!(self.meaning, Meaning::Quasi(_, Some("POSTCODE"))) => Kind::Category,
            _ if self.is_numeric() => Kind::Number,
            (Some(dates), _) => {
                if dates.unsure {
                    why.push_str("; its dates could also be month first");
                }
                Kind::Date { format: dates.format.map(str::to_owned) }
            }
            (None, Some(scale)) => Kind::Ordered(scale.clone()),
            (None, None) => Kind::Category,
        };
        let entities = match (&self.meaning, &kind) {
            _ if !with_text || role == Role::Text => Vec::new(),
            (Meaning::Quasi(_, Some(name)) | Meaning::Named(_, name), _) => {
                EntityType::new(name).into_iter().collect()
            }
            (_, Kind::Date { .. }) => vec![EntityType::DATE_TIME],
            _ => Vec::new(),
        };
        let hierarchy =
            (role == Role::QuasiIdentifier).then(|| hierarchy(column, self.meaning, &kind)).flatten();
        let rule = ColumnRule {
            name: column.name().to_owned(),
            role,
            kind,
            hierarchy,
            entities,
            weight: 1.0,
            in_texts: true,
        };
        Proposed { rule, why, confidence }
    }
}

fn is_mail(value: &str) -> bool {
    let (who, place) = value.split_once('@').unwrap_or_default();
    !who.is_empty() && place.contains('.') && !value.trim().contains(char::is_whitespace)
}

fn dates(values: &[&str]) -> Option<Dates> {
    let all = |format: Option<&str>| values.iter().all(|value| value::days(value, format).is_some());
    // A year alone is a number.
    if values.is_empty() || values.iter().all(|value| value::number(value).is_some()) {
        return None;
    }
    if all(None) {
        return Some(Dates { format: None, unsure: false });
    }
    let mut fitting = DATES.into_iter().filter(|format| all(Some(format)));
    let format = fitting.next()?;
    Some(Dates { format: Some(format), unsure: fitting.next().is_some() })
}

/// The values of a column in the order of a scale, as the column writes them.
fn scale(values: &[&str]) -> Option<Vec<String>> {
    if values.len() < 2 {
        return None;
    }
    SCALES.iter().find_map(|scale| {
        let mut placed = Vec::with_capacity(values.len());
        for value in values {
            let plain = value.trim().to_lowercase().replace(['_', '-'], " ");
            placed.push((scale.iter().position(|step| *step == plain)?, (*value).to_owned()));
        }
        placed.sort_unstable();
        // Two ways to write one step have no order.
        let apart = placed.windows(2).all(|pair| pair[0].0 != pair[1].0);
        apart.then(|| placed.into_iter().map(|(_, value)| value).collect())
    })
}

const HEAD: &str = "\
# What the columns of this table are: proposed by looking at it, to be checked by you.
#
# role: identifier        leads to one person: removed. The first one tells which rows are one person's;
#                         without any, each row is a person
#       quasi-identifier  leads to a person together with others: generalized until k persons share it
#       sensitive         what nobody should learn of a known person: kept
#       text              prose, searched for what it tells of people
#       insensitive       released as it is
#       remove            left out: another column tells it
# kind: number, date (with format), category, ordered (with order, lowest first)
# more: hierarchy = \"taxonomy\", { intervals = [5, 10, 20] }, { prefix = [4, 3] },
#       { calendar = [\"month\", \"quarter\", \"year\", \"decade\"] } or { file = \"levels.csv\" }; weight = 2;
#       entities = [\"AGE\"]: what in a text may say the value of the column (`reticent detectors` lists them)
";

impl Proposal {
    /// Returns the proposed rule for each column, in order.
    pub fn columns(&self) -> &[Proposed] {
        &self.columns
    }

    /// Returns which columns follow from others, in words.
    pub fn dependences(&self) -> &[String] {
        &self.dependences
    }

    /// Returns the most rows of a person, if a column identifies persons.
    pub fn most_rows(&self) -> Option<usize> {
        self.most_rows
    }

    /// As TOML with remarks.
    pub fn to_toml(&self) -> String {
        let mut out = HEAD.to_owned();
        let mut line = |text: String| {
            // Writing to a String cannot fail.
            let _ = writeln!(out, "{text}");
        };
        if !self.missing.is_empty() {
            line(format!(
                "\n# Values that denote a missing value\nmissing = {}",
                list(self.missing.iter().copied())
            ));
        }
        line("\n[protect]\nk = 5        # minimum number of persons in an equivalence class".to_owned());
        if self.columns.iter().any(|column| column.rule.role == Role::Text) {
            line(
                "lambda = 0.5 # weight of columns against texts: 1 is columns only, 0 is texts only"
                    .to_owned(),
            );
        }
        if self.most_rows == Some(1) {
            line(
                "most_rows = 1 # no person has several rows: the table can be verified without identifiers"
                    .to_owned(),
            );
        }
        for dependence in &self.dependences {
            line(format!("# {}", dependence.replace(['\n', '\r'], " ")));
        }
        for Proposed { rule, why, confidence } in &self.columns {
            let sure = match confidence {
                Confidence::High => "sure",
                Confidence::Medium => "likely",
                Confidence::Low => "unsure",
            };
            line(format!(
                "\n[[columns]]\nname = {}\nrole = \"{}\" # {sure}: {}",
                quoted(&rule.name),
                rule.role.name(),
                why.replace(['\n', '\r'], " ")
            ));
            match &rule.kind {
                _ if !matches!(rule.role, Role::QuasiIdentifier | Role::Sensitive) => {}
                Kind::Number => line("kind = \"number\"".to_owned()),
                Kind::Date { format } => {
                    line("kind = \"date\"".to_owned());
                    if let Some(format) = format {
                        line(format!("format = {}", quoted(format)));
                    }
                }
                Kind::Category => line("kind = \"category\"".to_owned()),
                Kind::Ordered(order) => {
                    line(format!("kind = \"ordered\"\norder = {}", list(order.iter().map(String::as_str))));
                }
            }
            match &rule.hierarchy {
                Some(Hierarchy::Prefix(lengths)) => line(format!("hierarchy = {{ prefix = {lengths:?} }}")),
                Some(Hierarchy::Intervals(widths)) => {
                    line(format!("hierarchy = {{ intervals = {widths:?} }}"));
                }
                Some(Hierarchy::Calendar(_)) => line(
                    "hierarchy = { calendar = [\"month\", \"quarter\", \"year\", \"decade\"] }".to_owned(),
                ),
                _ => {}
            }
            if !rule.entities.is_empty() {
                line(format!("entities = {}", list(rule.entities.iter().map(EntityType::as_str))));
            }
        }
        out
    }
}

fn list<'v>(values: impl Iterator<Item = &'v str>) -> String {
    format!("[{}]", values.map(quoted).collect::<Vec<_>>().join(", "))
}

fn quoted(text: &str) -> String {
    toml::Value::from(text).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::{Format, ReadOptions, read};
    use proptest::prelude::*;

    fn table(csv: &str, missing: &[String]) -> Table {
        let options = ReadOptions { missing: missing.to_vec(), ..ReadOptions::new(Format::Csv) };
        read(csv.as_bytes(), &options).unwrap().0
    }

    /// Proposes, reads the proposal back, and holds the table against it.
    fn proposed(csv: &str) -> (Proposal, Schema) {
        let proposal = Schema::propose(&table(csv, &[]));
        let toml = proposal.to_toml();
        let schema = Schema::from_toml(&toml).unwrap_or_else(|error| panic!("{error}\n{toml}"));
        let rules: Vec<ColumnRule> = proposal.columns().iter().map(|column| column.rule.clone()).collect();
        assert_eq!(schema.columns(), rules);
        schema.check(&table(csv, schema.missing())).unwrap_or_else(|error| panic!("{error}\n{toml}"));
        (proposal, schema)
    }

    fn shared(name: &str) -> Option<String> {
        let path = reticent_testing::shared(&format!("data/rx/{name}.csv"))?;
        Some(std::fs::read_to_string(path).unwrap())
    }

    fn of(schema: &Schema, role: Role) -> Vec<&str> {
        schema.of_role(role).map(|rule| rule.name.as_str()).collect()
    }

    #[test]
    fn fits_the_example_of_the_paper() {
        let Some(csv) = shared("paper-example") else { return };
        let (_, schema) = proposed(&csv);
        assert_eq!(of(&schema, Role::Identifier), ["id"]);
        assert_eq!(of(&schema, Role::QuasiIdentifier), ["gender", "age", "topic", "sign", "date"]);
        assert_eq!(of(&schema, Role::Text), ["text"]);
        let date = schema.column("date").unwrap();
        assert_eq!(date.kind, Kind::Date { format: Some("%d,%B,%Y".to_owned()) });
        assert_eq!(date.entities, [EntityType::DATE_TIME]);
        assert_eq!(schema.column("age").unwrap().kind, Kind::Number);
    }

    #[test]
    fn fits_adult() {
        let Some(csv) = shared("adult") else { return };
        let (_, schema) = proposed(&csv);
        assert_eq!(schema.missing(), ["?"]);
        assert_eq!(of(&schema, Role::Sensitive), ["salary-class"]);
        assert_eq!(of(&schema, Role::Identifier), [""; 0]);
        assert_eq!(of(&schema, Role::QuasiIdentifier).len(), 13);
        assert_eq!(of(&schema, Role::Remove), ["education"]);
        let numbers = schema.columns().iter().filter(|rule| rule.kind == Kind::Number);
        let numbers: Vec<&str> = numbers.map(|rule| rule.name.as_str()).collect();
        assert_eq!(
            numbers,
            ["age", "fnlwgt", "education-num", "capital-gain", "capital-loss", "hours-per-week"]
        );
    }

    #[test]
    fn fits_personal_posts() {
        let Some(csv) = shared("personal-posts") else { return };
        let (_, schema) = proposed(&csv);
        assert_eq!(of(&schema, Role::Identifier), ["id"]);
        assert_eq!(of(&schema, Role::Text), ["text"]);
        assert_eq!(of(&schema, Role::Sensitive), ["income_level"]);
        assert_eq!(
            schema.column("income_level").unwrap().kind,
            Kind::Ordered(["low", "middle", "high", "very high"].map(str::to_owned).to_vec())
        );
        assert_eq!(schema.column("birth_city_country").unwrap().entities, [EntityType::LOCATION]);
        assert_eq!(schema.column("occupation").unwrap().entities, [EntityType::JOB_TITLE]);
    }

    #[test]
    fn knows_names_in_three_languages() {
        let csv = "Nombre,Geschlecht,fechaNacimiento,PLZ,Diagnose,sueldo,Bemerkung\n\
                   Ana Ruiz,w,1962-07-03,89081,Grippe,1200,Sie kam gestern mit ihrem Bruder in die Praxis.\n";
        let (_, schema) = proposed(csv);
        assert_eq!(of(&schema, Role::Identifier), ["Nombre"]);
        assert_eq!(of(&schema, Role::QuasiIdentifier), ["Geschlecht", "fechaNacimiento", "PLZ"]);
        assert_eq!(of(&schema, Role::Sensitive), ["Diagnose", "sueldo"]);
        assert_eq!(schema.column("PLZ").unwrap().kind, Kind::Category);
        assert_eq!(of(&schema, Role::Text), ["Bemerkung"]);
    }

    #[test]
    fn looks_at_values_too() {
        let rows: Vec<String> = (0..30)
            .map(|at| {
                format!(
                    "a{at}@b.org,K-{at:03},{},{},0{}/0{}/2004,same\n",
                    at % 4,
                    1000 + at,
                    at % 9 + 1,
                    at % 9 + 1
                )
            })
            .collect();
        let (proposal, schema) = proposed(&format!("w,x,y,z,u,v\n{}", rows.concat()));
        assert_eq!(of(&schema, Role::Identifier), ["w", "x", "z"]);
        assert_eq!(of(&schema, Role::QuasiIdentifier), ["y", "u"]);
        assert_eq!(of(&schema, Role::Insensitive), ["v"]);
        assert!(proposal.to_toml().contains("could also be month first"));
    }

    #[test]
    fn dependent_columns_are_named_and_no_quasi_identifiers() {
        let row = |at: usize| {
            let (year, code) = (1930 + at * 7 % 60, at * 11 % 13);
            format!(
                "{at},{},{year}-0{}-11,{},{:05},{},J{code},{},{}\n",
                2024 - year,
                at % 9 + 1,
                (2024 - year) / 10,
                10_000 + at * 37 % 300,
                5.0 + (at % 40) as f64 / 10.0,
                ["flu", "asthma", "cold"][code % 3],
                ["A", "B"][code % 2],
            )
        };
        let rows: String = (0..400).map(row).collect();
        let (proposal, schema) =
            proposed(&format!("patient_id,age,birth_date,decade,zip,hba1c,icd10,diagnosis,block\n{rows}"));
        assert_eq!(of(&schema, Role::QuasiIdentifier), ["age", "zip"]);
        assert_eq!(of(&schema, Role::Remove), ["birth_date", "decade"]);
        assert_eq!(of(&schema, Role::Sensitive), ["hba1c", "icd10", "diagnosis", "block"]);
        assert_eq!(schema.column("zip").unwrap().hierarchy, Some(Hierarchy::Prefix(vec![4, 3, 2])));
        assert_eq!(
            schema.column("age").unwrap().hierarchy,
            Some(Hierarchy::Intervals(vec![5.0, 10.0, 20.0]))
        );
        assert_eq!((schema.parameters().most_rows, proposal.most_rows()), (Some(1), Some(1)));
        let toml = proposal.to_toml();
        for told in [
            "# likely: it follows from `age`",
            "# likely: it is determined by `icd10`",
            "# sure: its name contains `hba1c`",
            "# `age` follows from `birth_date`",
        ] {
            assert!(toml.contains(told), "{told}\n{toml}");
        }
    }

    #[test]
    fn an_empty_column_is_no_obstacle() {
        let (_, schema) = proposed("age,x\n1,\n2,\n");
        assert_eq!(of(&schema, Role::Insensitive), ["x"]);
    }

    proptest! {
        #[test]
        fn any_proposal_can_be_read(names in prop::collection::btree_set("[a-z\"\\\\ #=é]{1,6}[a-z]", 1..4), cell in "[a-z0-9 ?]{0,9}") {
            let columns = names.iter().map(|name| {
                let mut column = crate::table::ColumnBuilder::new(name);
                column.push(Some(&*cell).filter(|cell| !cell.is_empty()));
                column.finish()
            });
            let proposal = Schema::propose(&Table::new(columns.collect()).unwrap());
            match Schema::from_toml(&proposal.to_toml()) {
                Ok(schema) => prop_assert_eq!(schema.columns().len(), names.len()),
                // Only insensitive columns and identifiers: there is nothing to protect.
                Err(error) => prop_assert_eq!(error.to_string(), "no column is a quasi-identifier or a text"),
            }
        }
    }
}
