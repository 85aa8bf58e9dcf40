//! A schema to begin with, by looking at a table.
//!
//! What is not known is called a quasi-identifier: too much is then generalized, but nothing released that was
//! never looked at. Each rule says why it was proposed. No value of the table stands in it, except for words
//! of well-known scales (`low`, `high`) and for missing values.

use std::fmt::Write as _;

use super::names::{self, Meaning};
use super::{ColumnRule, Kind, Role, Schema, value};
use crate::EntityType;
use crate::table::{Column, Table};

/// A proposed schema for a table, to be edited.
#[derive(Clone, Debug)]
pub struct Proposal {
    columns: Vec<Proposed>,
    missing: Vec<&'static str>,
}

/// The proposed rule for a column.
#[derive(Clone, Debug)]
pub struct Proposed {
    /// Its rule.
    pub rule: ColumnRule,
    /// Why.
    pub why: String,
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
        Proposal { columns: columns.collect(), missing }
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

    fn role(&self) -> (Role, String) {
        let Self { meaning, .. } = self;
        if self.filled == 0 {
            return (Role::Insensitive, "it has no value".to_owned());
        }
        if self.shape == Shape::Mail {
            return (Role::Identifier, "its values are e-mail addresses".to_owned());
        }
        if self.is_text() {
            return (Role::Text, format!("its values have {:.0} words on average", self.words));
        }
        match meaning {
            Meaning::Identifier(word) | Meaning::Named(word, _) => {
                return (Role::Identifier, format!("its name contains `{word}`"));
            }
            Meaning::Sensitive(word) => {
                return (Role::Sensitive, format!("its name contains `{word}`"));
            }
            _ => {}
        }
        if self.shape == Shape::Whole
            && self.is_unique()
            && self.distinct == self.filled
            && *meaning == Meaning::Unknown
        {
            return (Role::Identifier, "every row has a different number".to_owned());
        }
        if !self.is_numeric() && self.dates.is_none() && self.is_unique() {
            return (Role::Identifier, "nearly every row has a different value".to_owned());
        }
        if let Meaning::Quasi(word, _) = meaning {
            return (Role::QuasiIdentifier, format!("its name contains `{word}`"));
        }
        if self.distinct == 1 && self.filled >= ENOUGH {
            return (Role::Insensitive, "all rows have the same value".to_owned());
        }
        (Role::QuasiIdentifier, "not known to be insensitive".to_owned())
    }

    fn propose(&self, column: &Column, with_text: bool) -> Proposed {
        let (role, mut why) = self.role();
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
        let rule = ColumnRule {
            name: column.name().to_owned(),
            role,
            kind,
            hierarchy: None,
            entities,
            weight: 1.0,
            in_texts: true,
        };
        Proposed { rule, why }
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
# kind: number, date (with format), category, ordered (with order, lowest first)
# more: hierarchy = \"taxonomy\", { intervals = [5, 10, 20] } or { file = \"levels.csv\" }; weight = 2;
#       entities = [\"AGE\"]: what in a text may say the value of the column (`reticent detectors` lists them)
";

impl Proposal {
    /// Returns the proposed rule for each column, in order.
    pub fn columns(&self) -> &[Proposed] {
        &self.columns
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
        for Proposed { rule, why } in &self.columns {
            line(format!(
                "\n[[columns]]\nname = {}\nrole = \"{}\" # {why}",
                quoted(&rule.name),
                rule.role.name()
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
        assert_eq!(of(&schema, Role::QuasiIdentifier).len(), 14);
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
                    at % 3,
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
