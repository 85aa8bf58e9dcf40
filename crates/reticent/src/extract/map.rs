//! Which mention belongs to which value: what writing back needs besides the documents.
//!
//! JSON lines: first what the table was made with, then a line for each document. No text of a document
//! stands here, but a checksum of each: whoever guesses a short document could confirm the guess, so
//! that the file is to be kept like the documents.
//!
//! **Rows are bound.** The column `id` of the table is a keyed fingerprint: an HMAC of what the map holds of
//! the document, under a random key that only the map holds. Whoever has the map can tell which document a row
//! is of, and that both belong together; whoever has the table alone can tell neither.

use std::collections::{BTreeMap, HashMap};

use serde::{Deserialize, Serialize};

use super::schema::Column;
use super::{Extract, Extractor};
use crate::mask::Key;
use crate::policy::Role;
use crate::{EntityType, Error, ErrorKind};

const FORMAT: &str = "reticent-map/2";
/// What a row's fingerprint begins with, so that no spreadsheet takes it for a number.
const MARK: char = 'r';
/// The bytes of an HMAC that a fingerprint holds.
const BYTES: usize = 16;

/// The map of a table.
#[derive(Clone, Debug)]
pub struct Map {
    header: Header,
    key: Key,
    rows: Vec<MapRow>,
    by_id: HashMap<String, usize>,
    by_fingerprint: HashMap<String, usize>,
}

/// The first line of a map: what the table was made with, and the key of its fingerprints.
#[derive(Serialize, Deserialize)]
struct Head {
    key: String,
    made_with: Header,
}

/// What a table was made with.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Header {
    format: String,
    /// The name and the fingerprint of the policy.
    policy: (String, String),
    /// The checksums of the labellers.
    labellers: Vec<String>,
    /// Roles that were given beside the policy's.
    roles: BTreeMap<EntityType, Role>,
    /// The columns, by name.
    columns: Vec<(String, EntityType)>,
}

/// One document of a table.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MapRow {
    /// Its name.
    pub id: String,
    /// The SHA-256 of its source.
    pub sha256: String,
    /// The type of each value, in the order of the text, and where it is mentioned, in code points.
    pub values: Vec<(EntityType, Vec<(usize, usize)>)>,
}

impl MapRow {
    /// Returns whether the document with these bytes is the one that was extracted.
    pub fn is_of(&self, source: &[u8]) -> bool {
        crate::protect::sha256(source) == self.sha256
    }
}

impl Map {
    /// The map of these rows. The places move here from the rows: a large table holds many.
    pub(super) fn new(
        extractor: &Extractor,
        columns: &[Column],
        rows: &mut [Extract],
        key: Key,
    ) -> Result<Self, Error> {
        let columns = columns.iter().map(|column| (column.name.clone(), column.entity_type.clone()));
        let header = Header { columns: columns.collect(), ..Header::of(extractor) };
        let rows = rows.iter_mut().map(|row| MapRow {
            id: row.id.clone(),
            sha256: row.sha256.clone(),
            values: row
                .values
                .iter_mut()
                .map(|value| (value.entity_type.clone(), std::mem::take(&mut value.mentions)))
                .collect(),
        });
        Self::of(header, key, rows.collect())
    }

    fn of(header: Header, key: Key, rows: Vec<MapRow>) -> Result<Self, Error> {
        let by_id = rows.iter().enumerate().map(|(at, row)| (row.id.clone(), at)).collect();
        let made_with = serde_json::to_vec(&header).map_err(failed)?;
        let mut by_fingerprint = HashMap::with_capacity(rows.len());
        for (at, row) in rows.iter().enumerate() {
            let row = serde_json::to_vec(row).map_err(failed)?;
            let tag = key.tag("extracted row", &[&made_with, &row]);
            by_fingerprint
                .insert(format!("{MARK}{}", ENCODING.encode(&tag[..BYTES]).to_ascii_lowercase()), at);
        }
        Ok(Self { header, key, rows, by_id, by_fingerprint })
    }

    /// The row of a document that a fingerprint of the table belongs to; `None` if it is not of this map.
    pub fn bound(&self, fingerprint: &str) -> Option<&MapRow> {
        self.by_fingerprint.get(fingerprint).map(|at| &self.rows[*at])
    }

    /// The fingerprints of the rows, in the order of [`rows`](Self::rows).
    pub fn fingerprints(&self) -> Vec<&str> {
        let mut fingerprints = vec![""; self.rows.len()];
        for (fingerprint, at) in &self.by_fingerprint {
            fingerprints[*at] = fingerprint;
        }
        fingerprints
    }

    /// The row of a document.
    pub fn row(&self, id: &str) -> Option<&MapRow> {
        self.by_id.get(id).map(|at| &self.rows[*at])
    }

    /// The rows, in the order of the table.
    pub fn rows(&self) -> &[MapRow] {
        &self.rows
    }

    /// The roles that were given beside the policy's.
    pub fn roles(&self) -> &BTreeMap<EntityType, Role> {
        &self.header.roles
    }

    /// The type of a column.
    pub fn column(&self, name: &str) -> Option<&EntityType> {
        self.header.columns.iter().find(|(own, _)| own == name).map(|(_, kind)| kind)
    }

    /// The names of the columns.
    pub fn columns(&self) -> impl Iterator<Item = &str> {
        self.header.columns.iter().map(|(name, _)| name.as_str())
    }

    /// As JSON lines.
    pub fn to_jsonl(&self) -> Result<String, Error> {
        let head = Head { key: self.key.to_hex().to_string(), made_with: self.header.clone() };
        let mut out = serde_json::to_string(&head).map_err(failed)?;
        out.push('\n');
        for row in &self.rows {
            out.push_str(&serde_json::to_string(row).map_err(failed)?);
            out.push('\n');
        }
        Ok(out)
    }

    /// Reads JSON lines.
    pub fn from_jsonl(text: &str) -> Result<Self, Error> {
        // The parser's own message could quote the name of a document.
        let bad = |line: usize| {
            Error::new(ErrorKind::Format, format!("line {line} of the map is invalid"))
                .with_hint("create it again with `reticent extract`")
        };
        let mut lines = (1..).zip(text.lines());
        let header = lines.next().map_or("", |(_, line)| line);
        let version = serde_json::from_str(header).map_err(|_| bad(1))?;
        let Some(version) = format_of(&version) else { return Err(bad(1)) };
        if version != FORMAT {
            return Err(Error::new(ErrorKind::Format, format!("the map does not have the format {FORMAT}"))
                .with_hint("create it again with `reticent extract`"));
        }
        let head: Head = serde_json::from_str(header).map_err(|_| bad(1))?;
        let key = Key::from_file_bytes(head.key.as_bytes()).map_err(|_| bad(1))?;
        let rows = lines.filter(|(_, line)| !line.trim().is_empty());
        let rows = rows.map(|(number, line)| serde_json::from_str(line).map_err(|_| bad(number)));
        let map = Self::of(head.made_with, key, rows.collect::<Result<_, _>>()?)?;
        if map.by_id.len() < map.rows.len() {
            return Err(Error::new(ErrorKind::Format, "the map has a duplicate document")
                .with_hint("create it again with `reticent extract`"));
        }
        Ok(map)
    }

    /// Refuses a map that was made with another policy or other labellers.
    pub fn check(&self, extractor: &Extractor) -> Result<(), Error> {
        let now = Header::of(extractor);
        let refuse = |what: &str, hint: &str| {
            Err(Error::new(ErrorKind::Plan, format!("the table was extracted with {what}"))
                .with_hint(format!("{hint}, or extract the table again")))
        };
        if now.policy.1 != self.header.policy.1 {
            return refuse("a different policy", "use the same --policy, --preset, --subject and --language");
        }
        if now.labellers != self.header.labellers {
            return refuse("different NER models", "use the same files with -m, in the same order");
        }
        if now.roles != self.header.roles {
            return refuse("different roles", "use the same --role");
        }
        Ok(())
    }
}

/// The encoding of fingerprints, in small letters.
const ENCODING: data_encoding::Encoding = data_encoding::BASE32_NOPAD;

/// Whether a text is written as a row's fingerprint is.
pub(crate) fn is_fingerprint(text: &str) -> bool {
    let rest = text.strip_prefix(MARK);
    rest.is_some_and(|rest| {
        rest.len() == ENCODING.encode_len(BYTES)
            && rest.bytes().all(|byte| byte.is_ascii_lowercase() || (b'2'..=b'7').contains(&byte))
    })
}

/// The format that the first line of a map declares.
fn format_of(line: &serde_json::Value) -> Option<&str> {
    line.get("made_with").unwrap_or(line).get("format")?.as_str()
}

fn failed<E>(_: E) -> Error {
    Error::new(ErrorKind::Format, "cannot write the map")
}

impl Header {
    fn of(extractor: &Extractor) -> Self {
        let policy = extractor.protector.policy();
        Self {
            format: FORMAT.to_owned(),
            policy: (policy.name().to_owned(), policy.fingerprint().to_owned()),
            labellers: extractor
                .protector
                .labellers()
                .iter()
                .map(|labeller| labeller.sha256().to_owned())
                .collect(),
            roles: extractor.roles.clone(),
            columns: Vec::new(),
        }
    }
}
