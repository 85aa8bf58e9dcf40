//! The configuration of rx-anon, the program of the paper on the joint protection of tables and texts.
//!
//! What it calls `bias` (0 to 1, added to how wide an attribute is) becomes a weight of 1 + bias. Types of
//! entities are spaCy's; each becomes those that we have for it: spaCy's `DATE` covers ages and durations. Its
//! own types (`custom`) become [`terms`](Schema::terms), as whole words in any case. What concerns only its
//! own machinery (`nlp`) is read over.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::{Map, Value};

use super::{
    ColumnFile, HierarchyFile, KindName, Parameters, Partitioning, Role, Schema, SchemaFile, validate,
};
use crate::policy::{DenyFile, did_you_mean};
use crate::{EntityType, Error, ErrorKind};

/// The date format where the configuration gives none.
const DATE_FORMAT: &str = "%d/%m/%Y";
/// The largest number of values that a hierarchy of ranges may cover.
const MOST_VALUES: i64 = 100_000;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Configuration {
    /// In the order of the file, since the first identifier tells whose row it is.
    attributes: Map<String, Value>,
    #[serde(default)]
    entities: Option<Entities>,
    #[serde(default)]
    parameters: RxParameters,
    #[serde(default, rename = "nlp")]
    _nlp: Option<Value>,
}

#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct Entities {
    native: Vec<String>,
    custom: BTreeMap<String, String>,
}

#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct RxParameters {
    k: Option<usize>,
    strategy: Option<Strategy>,
    relational_weight: Option<f64>,
}

#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Strategy {
    Mondrian,
    Gdf,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Attribute {
    #[serde(default)]
    anonymization_type: AnonymizationType,
    #[serde(default, rename = "type")]
    data_type: DataType,
    #[serde(default)]
    bias: f64,
    #[serde(default)]
    format: Option<String>,
    #[serde(default)]
    order: Option<Vec<Value>>,
    #[serde(default)]
    entities: Vec<String>,
    #[serde(default)]
    hierarchy: Option<Node>,
    /// Whether values become sets or go up the hierarchy: here they go up where there is one.
    #[serde(default, rename = "recoding_strategy")]
    _recoding_strategy: Option<String>,
}

#[derive(Clone, Copy, Default, PartialEq, Deserialize)]
#[serde(rename_all = "snake_case")]
enum AnonymizationType {
    DirectIdentifier,
    QuasiIdentifier,
    #[default]
    InsensitiveAttribute,
    Text,
}

#[derive(Clone, Copy, Default, PartialEq, Deserialize)]
#[serde(rename_all = "snake_case")]
enum DataType {
    #[default]
    Nominal,
    Ordinal,
    Numerical,
    Date,
    Text,
}

/// A range of whole numbers (`1-20`) and those within it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Node {
    name: String,
    #[serde(default)]
    children: Vec<Node>,
}

impl Schema {
    /// Reads a configuration of rx-anon, in YAML.
    ///
    /// ```
    /// use reticent::table::{Role, Schema};
    /// let schema = Schema::from_rx_anon(
    ///     "attributes:\n  id:\n    anonymization_type: direct_identifier\n  text:\n    type: text\n    anonymization_type: text\n",
    /// )?;
    /// assert_eq!(schema.column("id").unwrap().role, Role::Identifier);
    /// assert_eq!(schema.parameters().k, Some(10));
    /// # Ok::<(), reticent::Error>(())
    /// ```
    pub fn from_rx_anon(yaml: &str) -> Result<Self, Error> {
        let given: Configuration = serde_saphyr::from_str(yaml).map_err(|error| {
            let place = error.location().map_or_else(String::new, |at| format!(", line {}", at.line()));
            unreadable(&place, &error.to_string())
        })?;
        let mut file = SchemaFile { protect: given.parameters.parameters(), ..SchemaFile::default() };
        if let Some(entities) = given.entities {
            for (name, regex) in entities.custom {
                let entity_type = own_type(&name)?;
                let regex = Some(format!(r"(?i)\b(?:{regex})\b"));
                file.types.push(entity_type.clone());
                file.entities.push(entity_type.clone());
                file.terms.push(DenyFile { text: None, regex, entity_type });
            }
            for name in &entities.native {
                file.entities.extend(of_spacy(name, None).ok_or_else(|| no_type(name))?);
            }
            file.entities.sort_unstable();
            file.entities.dedup();
        }
        for (name, value) in given.attributes {
            let value = if value.is_null() { Value::Object(Map::new()) } else { value };
            let attribute: Attribute = serde_json::from_value(value)
                .map_err(|error| unreadable(&format!(", attribute `{name}`"), &error.to_string()))?;
            file.columns.push(attribute.column(name, &file.types)?);
        }
        validate::check(file, |_| Err(Error::new(ErrorKind::Schema, "the configuration refers to a file")))
    }
}

impl RxParameters {
    /// With what rx-anon takes where nothing is said.
    fn parameters(self) -> Parameters {
        Parameters {
            k: Some(self.k.unwrap_or(10)),
            lambda: Some(self.relational_weight.unwrap_or(0.5)),
            method: Some(match self.strategy {
                Some(Strategy::Gdf) => Partitioning::Gdf,
                Some(Strategy::Mondrian) | None => Partitioning::Mondrian,
            }),
            ..Parameters::default()
        }
    }
}

impl Attribute {
    fn column(self, name: String, own: &[EntityType]) -> Result<ColumnFile, Error> {
        let wrong = |what: &str| Err(Error::new(ErrorKind::Schema, format!("the attribute `{name}` {what}")));
        let role = match self.anonymization_type {
            AnonymizationType::Text => Role::Text,
            _ if self.data_type == DataType::Text => Role::Text,
            AnonymizationType::DirectIdentifier => Role::Identifier,
            AnonymizationType::QuasiIdentifier => Role::QuasiIdentifier,
            AnonymizationType::InsensitiveAttribute => Role::Insensitive,
        };
        if !(0.0..=1.0).contains(&self.bias) {
            return wrong("has a bias that is not between 0 and 1");
        }
        let weight = Some(1.0 + self.bias);
        if role == Role::Text {
            let (kind, format, order, hierarchy, entities) = (None, None, None, None, Vec::new());
            return Ok(ColumnFile {
                name,
                role,
                kind,
                format,
                order,
                hierarchy,
                entities,
                weight,
                in_texts: None,
            });
        }
        let kind = match self.data_type {
            DataType::Numerical => KindName::Number,
            DataType::Date => KindName::Date,
            DataType::Ordinal if self.order.is_some() => KindName::Ordered,
            _ => KindName::Category,
        };
        let format = (kind == KindName::Date).then(|| self.format.unwrap_or_else(|| DATE_FORMAT.to_owned()));
        let order = self.order.filter(|_| kind == KindName::Ordered);
        let order = order.map(|order| order.iter().map(plain).collect());
        let hierarchy = match &self.hierarchy {
            Some(root) => Some(HierarchyFile::Levels(levels(&name, root)?)),
            None => None,
        };
        let mut entities = Vec::new();
        for entity in &self.entities {
            match EntityType::new(entity).filter(|own_type| own.contains(own_type)) {
                Some(own_type) => entities.push(own_type),
                None => entities.extend(of_spacy(entity, Some(kind)).ok_or_else(|| no_type(entity))?),
            }
        }
        Ok(ColumnFile {
            name,
            role,
            kind: Some(kind),
            format,
            order,
            hierarchy,
            entities,
            weight,
            in_texts: None,
        })
    }
}

/// Our types for one of spaCy's or rx-anon's. A column of a known kind takes only those that can say its value.
fn of_spacy(name: &str, kind: Option<KindName>) -> Option<Vec<EntityType>> {
    let names: &[&str] = match name {
        "PERSON" => &["PERSON"],
        "NORP" | "LANGUAGE" => &["NRP"],
        "FAC" | "GPE" | "LOC" => &["LOCATION"],
        "ORG" => &["ORGANIZATION"],
        "PRODUCT" | "EVENT" => &["NAME"],
        "WORK_OF_ART" => &["WORK"],
        "LAW" => &["LAW"],
        "DATE" if kind == Some(KindName::Number) => &["AGE", "DURATION"],
        "DATE" if kind == Some(KindName::Date) => &["DATE_TIME"],
        "DATE" => &["AGE", "DATE_TIME", "DURATION"],
        "TIME" => &["DATE_TIME"],
        "PERCENT" => &["PERCENTAGE"],
        "MONEY" => &["MONEY"],
        "QUANTITY" | "ORDINAL" | "CARDINAL" => &["NUMBER"],
        "MAIL" => &["EMAIL_ADDRESS"],
        "URL" => &["URL"],
        "PHONE" => &["PHONE_NUMBER"],
        "POSTCODE" => &["POSTCODE"],
        _ => return None,
    };
    names.iter().map(|name| EntityType::new(name)).collect()
}

/// A tree of ranges as levels for each whole number in it. Where branches differ in depth, the narrowest range
/// stands at each level that they lack.
fn levels(column: &str, root: &Node) -> Result<Vec<Vec<String>>, Error> {
    let wrong = |what: &str| {
        Error::new(ErrorKind::Schema, format!("the hierarchy of the attribute `{column}` {what}"))
    };
    let range = |node: &Node| {
        let (low, high) = node.name.split_once('-')?;
        let (low, high): (i64, i64) = (low.trim().parse().ok()?, high.trim().parse().ok()?);
        (low <= high && high - low < MOST_VALUES).then_some((low, high))
    };
    let mut leaves: Vec<((i64, i64), Vec<String>)> = Vec::new();
    let mut open: Vec<(&Node, Vec<String>, (i64, i64))> = vec![(root, Vec::new(), (i64::MIN, i64::MAX))];
    while let Some((node, above, within)) = open.pop() {
        let own = range(node).ok_or_else(|| wrong("has a name that is not a range of integers"))?;
        if own.0 < within.0 || own.1 > within.1 || above.len() > 64 {
            return Err(wrong("has a range that is not contained in its parent"));
        }
        let path: Vec<String> = std::iter::once(node.name.clone()).chain(above).collect();
        if node.children.is_empty() {
            leaves.push((own, path));
            continue;
        }
        open.extend(node.children.iter().map(|child| (child, path.clone(), own)));
    }
    leaves.sort_unstable_by_key(|(range, _)| *range);
    if leaves.windows(2).any(|pair| pair[1].0.0 <= pair[0].0.1) {
        return Err(wrong("has overlapping ranges"));
    }
    let depth = leaves.iter().map(|(_, path)| path.len()).max().unwrap_or_default();
    let rows = leaves.into_iter().flat_map(|((low, high), path)| {
        (low..=high).map(move |value| {
            let narrowest = std::iter::repeat_n(&path[0], depth - path.len());
            std::iter::once(&value.to_string()).chain(narrowest).chain(&path).cloned().collect()
        })
    });
    Ok(rows.collect())
}

fn plain(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

fn own_type(name: &str) -> Result<EntityType, Error> {
    EntityType::new(name).ok_or_else(|| {
        Error::new(ErrorKind::Schema, format!("`{name}` is not a valid entity type"))
            .with_hint("use capital letters, as in ORDER")
    })
}

fn no_type(name: &str) -> Error {
    Error::new(ErrorKind::Schema, format!("no detector finds the entity `{name}`"))
        .with_hint("supported are spaCy's types, MAIL, URL, PHONE, POSTCODE and those under `custom`")
}

fn unreadable(place: &str, message: &str) -> Error {
    let first = message.lines().next().unwrap_or_default();
    let own = Error::new(ErrorKind::Schema, format!("cannot read the rx-anon configuration{place}: {first}"));
    match did_you_mean(message) {
        Some(hint) => own.with_hint(hint),
        None => own,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::{Hierarchy, Kind};

    const CONFIGURATION: &str = r#"
parameters:
  k: 2
  strategy: gdf
  relational_weight: 0
nlp:
  model: en_core_web_trf
attributes:
  id:
    anonymization_type: direct_identifier # the first one is the key
  gender:
    type: nominal
    anonymization_type: quasi_identifier
    bias: 0.5
  age:
    type: numerical
    anonymization_type: quasi_identifier
    hierarchy:
      name: '1-40'
      children:
      - name: '1-20'
      - name: '21-40'
        children:
        - name: '21-30'
        - name: '31-40'
    entities:
      - DATE
  sign:
    anonymization_type: quasi_identifier
    entities: [SIGN]
  level:
    type: ordinal
    order: [1, 2, three]
    anonymization_type: quasi_identifier
  date:
    type: date
    anonymization_type: quasi_identifier
    format: "%d,%B,%Y"
    entities: [DATE]
  note:
  text:
    type: text
    anonymization_type: text
entities:
  native: [PERSON, GPE, DATE, MAIL]
  custom:
    SIGN: aries|taurus
"#;

    #[test]
    fn reads_a_whole_configuration() {
        let schema = Schema::from_rx_anon(CONFIGURATION).unwrap();
        let names: Vec<&str> = schema.columns().iter().map(|rule| rule.name.as_str()).collect();
        assert_eq!(names, ["id", "gender", "age", "sign", "level", "date", "note", "text"]);
        assert!((schema.column("gender").unwrap().weight - 1.5).abs() < 1e-9);
        let age = schema.column("age").unwrap();
        assert_eq!(age.entities, [EntityType::AGE, EntityType::DURATION]);
        let Some(Hierarchy::Levels(levels)) = &age.hierarchy else { panic!("levels") };
        assert_eq!(
            (levels.len(), &levels[0][..]),
            (40, &["1", "1-20", "1-20", "1-40"].map(str::to_owned)[..])
        );
        assert_eq!(levels[24], ["25", "21-30", "21-40", "1-40"]);
        assert_eq!(
            schema.column("level").unwrap().kind,
            Kind::Ordered(["1", "2", "three"].map(str::to_owned).to_vec())
        );
        assert_eq!(schema.column("date").unwrap().entities, [EntityType::DATE_TIME]);
        assert_eq!(schema.parameters().method, Some(Partitioning::Gdf));
        assert_eq!((schema.parameters().k, schema.parameters().lambda), (Some(2), Some(0.0)));
        assert_eq!(schema.terms()[0].regex.as_deref(), Some(r"(?i)\b(?:aries|taurus)\b"));
        assert!(schema.only_types().contains(&EntityType::AGE));
    }

    #[test]
    fn says_what_is_wrong() {
        for (from, to, expected) in [
            ("bias: 0.5", "bias: 2", "the attribute `gender` has a bias that is not between 0 and 1"),
            (
                "bias: 0.5",
                "biass: 0",
                "cannot read the rx-anon configuration, attribute `gender`: unknown field `biass`",
            ),
            ("[PERSON, GPE", "[PERSON, GPES", "no detector finds the entity `GPES`"),
            ("'31-40'", "'30-40'", "the hierarchy of the attribute `age` has overlapping ranges"),
            (
                "'21-30'",
                "'21-50'",
                "the hierarchy of the attribute `age` has a range that is not contained in its parent",
            ),
            (
                "'21-30'",
                "twenties",
                "the hierarchy of the attribute `age` has a name that is not a range of integers",
            ),
            ("strategy: gdf", "strategy: best", "cannot read the rx-anon configuration"),
            ("attributes:", "attribute:", "cannot read the rx-anon configuration"),
        ] {
            let text = CONFIGURATION.replacen(from, to, 1);
            let error = Schema::from_rx_anon(&text).unwrap_err().to_string();
            assert!(error.starts_with(expected), "{error}");
        }
        for broken in ["", "attributes: [", "a: &a [*a]", "attributes: {}"] {
            assert!(Schema::from_rx_anon(broken).is_err(), "{broken}");
        }
    }
}
