//! The package: which part reaches which, and which parts hold nothing but text and layout.
//!
//! A part is kept only if a chain of relationships of known kinds leads to it from the root of the
//! package. Everything else (pictures, embedded files, macros, custom data, parts that nothing
//! refers to) cannot be examined and is *opaque*.

use std::collections::HashMap;

use quick_xml::Reader;
use quick_xml::events::Event;

use super::archive::{Archive, broken};
use super::part::{attributes_of, unescaped};
use crate::Error;
use crate::format::Limits;

/// A kind of part that is examined in full.
pub(super) struct Kind {
    /// The last step of the type of its relationship.
    relation: &'static str,
    /// Its standard name without number and extension.
    stem: &'static str,
    /// The types of content that it may declare; the first one is the usual.
    content_types: &'static [&'static str],
}

macro_rules! word {
    ($name:literal) => {
        &[concat!("application/vnd.openxmlformats-officedocument.wordprocessingml.", $name, "+xml")]
    };
}
macro_rules! office {
    ($name:literal) => {
        &[concat!("application/vnd.openxmlformats-officedocument.", $name, "+xml")]
    };
}

const fn kind(relation: &'static str, stem: &'static str, content_types: &'static [&'static str]) -> Kind {
    Kind { relation, stem, content_types }
}

const KINDS: [Kind; 31] = [
    kind(
        "officeDocument",
        "word/document",
        &[
            "application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml",
            "application/vnd.openxmlformats-officedocument.wordprocessingml.template.main+xml",
            "application/vnd.ms-word.document.macroEnabled.main+xml",
            "application/vnd.ms-word.template.macroEnabledTemplate.main+xml",
        ],
    ),
    kind("styles", "word/styles", word!("styles")),
    kind("stylesWithEffects", "word/stylesWithEffects", &["application/vnd.ms-word.stylesWithEffects+xml"]),
    kind("settings", "word/settings", word!("settings")),
    kind("webSettings", "word/webSettings", word!("webSettings")),
    kind("fontTable", "word/fontTable", word!("fontTable")),
    kind("numbering", "word/numbering", word!("numbering")),
    kind("header", "word/header", word!("header")),
    kind("footer", "word/footer", word!("footer")),
    kind("footnotes", "word/footnotes", word!("footnotes")),
    kind("endnotes", "word/endnotes", word!("endnotes")),
    kind("comments", "word/comments", word!("comments")),
    kind("commentsExtended", "word/commentsExtended", word!("commentsExtended")),
    kind("commentsIds", "word/commentsIds", word!("commentsIds")),
    kind("commentsExtensible", "word/commentsExtensible", word!("commentsExtensible")),
    kind("people", "word/people", word!("people")),
    kind("glossaryDocument", "word/glossary/document", word!("document.glossary")),
    kind("theme", "word/theme/theme", office!("theme")),
    kind("themeOverride", "word/theme/themeOverride", office!("themeOverride")),
    kind("chart", "word/charts/chart", office!("drawingml.chart")),
    kind("chartEx", "word/charts/chartEx", &["application/vnd.ms-office.chartex+xml"]),
    kind("chartStyle", "word/charts/style", &["application/vnd.ms-office.chartstyle+xml"]),
    kind("chartColorStyle", "word/charts/colors", &["application/vnd.ms-office.chartcolorstyle+xml"]),
    kind("diagramData", "word/diagrams/data", office!("drawingml.diagramData")),
    kind("diagramLayout", "word/diagrams/layout", office!("drawingml.diagramLayout")),
    kind("diagramQuickStyle", "word/diagrams/quickStyle", office!("drawingml.diagramStyle")),
    kind("diagramColors", "word/diagrams/colors", office!("drawingml.diagramColors")),
    kind(
        "diagramDrawing",
        "word/diagrams/drawing",
        &["application/vnd.ms-office.drawingml.diagramDrawing+xml"],
    ),
    kind("core-properties", "docProps/core", &["application/vnd.openxmlformats-package.core-properties+xml"]),
    kind("extended-properties", "docProps/app", office!("extended-properties")),
    kind("custom-properties", "docProps/custom", office!("custom-properties")),
];

impl Kind {
    pub(super) fn of(relation: &str) -> Option<&'static Self> {
        KINDS.iter().find(|kind| kind.relation == relation)
    }

    pub(super) fn is_main(&self) -> bool {
        self.relation == "officeDocument"
    }

    pub(super) fn is_glossary(&self) -> bool {
        self.relation == "glossaryDocument"
    }

    pub(super) fn content_types(&self) -> &'static [&'static str] {
        self.content_types
    }

    /// The standard name of this kind with a number; none for 0.
    pub(super) fn name(&self, in_glossary: bool, number: usize) -> String {
        let number = if number == 0 { String::new() } else { number.to_string() };
        match self.stem.strip_prefix("word/").filter(|_| in_glossary && !self.is_glossary()) {
            Some(rest) => format!("word/glossary/{rest}{number}.xml"),
            None => format!("{}{number}.xml", self.stem),
        }
    }

    /// Whether a part of this kind has a name as Word gives it.
    pub(super) fn is_standard_name(&self, name: &str) -> bool {
        let Some(stem) = name.strip_suffix(".xml") else { return false };
        let base = stem.trim_end_matches(|c: char| c.is_ascii_digit());
        let in_glossary = base.starts_with("word/glossary/");
        stem.len() - base.len() <= 4 && format!("{base}.xml") == self.name(in_glossary, 0)
    }
}

/// The name of the kind of an opaque part, by the last step of its relationship's type.
pub(super) fn opaque_name(relation: &str) -> &'static str {
    match relation {
        "image" => "picture",
        "oleObject" | "package" => "embedded object",
        "vbaProject"
        | "wordVbaData"
        | "vbaProjectSignature"
        | "keyMapCustomizations"
        | "attachedToolbars" => "macro",
        "thumbnail" => "thumbnail",
        "aFChunk" => "imported chunk (altChunk)",
        "font" => "embedded font",
        "video" | "audio" | "media" => "sound or video",
        "control" | "activeXControlBinary" => "ActiveX control",
        "customXml" | "customXmlProps" => "custom XML data",
        "origin" | "signature" | "certificate" => "digital signature",
        "attachedTemplate" => "link to a template",
        "mailMergeSource" | "mailMergeHeaderSource" | "recipientData" => "mail merge data",
        "subDocument" | "frame" => "link to a document",
        "printerSettings" => "printer settings",
        _ => "part of an unknown kind",
    }
}

/// The name of a part that no relationship leads to.
pub(super) const ORPHAN: &str = "part without a relationship";

/// The last step of a relationship's type, if its base is one of Office's.
pub(super) fn relation_of(kind: &str) -> Option<&str> {
    let digits =
        |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'/');
    for base in [
        "http://schemas.openxmlformats.org/officeDocument/2006/relationships/",
        "http://purl.oclc.org/ooxml/officeDocument/relationships/",
        "http://schemas.openxmlformats.org/package/2006/relationships/metadata/",
        "http://schemas.openxmlformats.org/officedocument/2006/relationships/metadata/",
        "http://schemas.openxmlformats.org/package/2006/relationships/digital-signature/",
    ] {
        if let Some(rest) = kind.strip_prefix(base) {
            return Some(rest);
        }
    }
    let (base, rest) = kind.rsplit_once('/')?;
    let years = base.strip_prefix("http://schemas.microsoft.com/office/")?.strip_suffix("/relationships")?;
    digits(years).then_some(rest)
}

/// A relationship.
pub(super) struct Relation {
    pub(super) id: String,
    /// The type as written.
    pub(super) uri: String,
    /// The target as written.
    pub(super) target: String,
    /// The entry that it leads to, if it is in the package.
    pub(super) part: Option<usize>,
    pub(super) is_external: bool,
    /// The element in the part of relationships.
    pub(super) range: std::ops::Range<usize>,
    /// Whether the element has only the attributes of a relationship.
    pub(super) is_plain: bool,
}

impl Relation {
    pub(super) fn kind(&self) -> &str {
        relation_of(&self.uri).unwrap_or("")
    }

    /// Whether this leads out of the package to an address that is examined as text.
    pub(super) fn is_link(&self) -> bool {
        self.is_external && matches!(self.kind(), "hyperlink" | "image")
    }
}

/// The part of a package that an entry of the archive is.
#[derive(Clone, Copy)]
pub(super) enum Fate {
    /// A directory.
    Folder,
    /// The list of content types.
    Types,
    /// The relationships of an examined part; of the package if none.
    Relations(Option<usize>),
    /// A part that is examined in full.
    Part(&'static Kind),
    /// A part that cannot be examined.
    Opaque(&'static str),
}

/// A package whose relationships have been read.
pub(super) struct Package {
    pub(super) fates: Vec<Fate>,
    /// The relationships of each part, by its entry; those of the package by none.
    pub(super) relations: HashMap<Option<usize>, Vec<Relation>>,
    /// Whether a part belongs to the glossary document.
    pub(super) in_glossary: Vec<bool>,
}

impl Package {
    pub(super) fn read(archive: &mut Archive<'_>, limits: &Limits, spent: &mut u64) -> Result<Self, Error> {
        let names = archive.names().to_vec();
        let lookup: HashMap<String, usize> =
            names.iter().enumerate().map(|(index, name)| (name.to_lowercase(), index)).collect();
        let mut package = Self {
            fates: vec![Fate::Opaque(ORPHAN); names.len()],
            relations: HashMap::new(),
            in_glossary: vec![false; names.len()],
        };
        for (index, name) in names.iter().enumerate() {
            if name.ends_with('/') {
                package.fates[index] = Fate::Folder;
            } else if name.eq_ignore_ascii_case("[content_types].xml") {
                package.fates[index] = Fate::Types;
            }
        }
        // Examined parts first, then what only opaque parts lead to, which gets its kind's name.
        let (mut examined, mut opaque): (Vec<Option<usize>>, Vec<usize>) = (vec![None], Vec::new());
        let mut seen = vec![false; names.len()];
        while let Some(source) = examined.pop() {
            let Some(own) = lookup.get(&relations_name(source.map(|index| names[index].as_str()))) else {
                continue;
            };
            package.fates[*own] = Fate::Relations(source);
            let bytes = archive.read(*own, limits, spent)?;
            let relations = relations(&bytes, source.map_or("", |index| &names[index]), &lookup)?;
            for relation in &relations {
                let Some(target) = relation
                    .part
                    .filter(|&target| !matches!(package.fates[target], Fate::Types | Fate::Folder))
                else {
                    continue;
                };
                match Kind::of(relation.kind()) {
                    Some(kind) if !std::mem::replace(&mut seen[target], true) => {
                        package.fates[target] = Fate::Part(kind);
                        package.in_glossary[target] =
                            kind.is_glossary() || source.is_some_and(|source| package.in_glossary[source]);
                        examined.push(Some(target));
                    }
                    Some(_) => {}
                    None if seen[target] => {}
                    None => {
                        package.fates[target] = Fate::Opaque(opaque_name(relation.kind()));
                        opaque.push(target);
                    }
                }
            }
            package.relations.insert(source, relations);
        }
        while let Some(source) = opaque.pop() {
            if std::mem::replace(&mut seen[source], true) {
                continue;
            }
            let Some(own) = lookup.get(&relations_name(Some(&names[source]))) else { continue };
            package.fates[*own] = Fate::Folder;
            // Broken relationships of an opaque part do not matter: they go with it.
            let bytes = archive.read(*own, limits, spent)?;
            for relation in relations(&bytes, &names[source], &lookup).unwrap_or_default() {
                if let Some(target) =
                    relation.part.filter(|&target| matches!(package.fates[target], Fate::Opaque(ORPHAN)))
                {
                    package.fates[target] = Fate::Opaque(opaque_name(relation.kind()));
                    opaque.push(target);
                }
            }
        }
        Ok(package)
    }

    /// The main document.
    pub(super) fn main(&self) -> Option<usize> {
        self.fates.iter().position(|fate| matches!(fate, Fate::Part(kind) if kind.is_main()))
    }
}

/// The name of the part that holds the relationships of a part, in small letters.
fn relations_name(part: Option<&str>) -> String {
    let part = part.unwrap_or("").to_lowercase();
    match part.rsplit_once('/') {
        Some((folder, name)) => format!("{folder}/_rels/{name}.rels"),
        None => format!("_rels/{part}.rels"),
    }
}

/// Where the relationships of a part with this name stand.
pub(super) fn relations_path(part: Option<&str>) -> String {
    let part = part.unwrap_or("");
    match part.rsplit_once('/') {
        Some((folder, name)) => format!("{folder}/_rels/{name}.rels"),
        None => format!("_rels/{part}.rels"),
    }
}

fn relations(bytes: &[u8], source: &str, lookup: &HashMap<String, usize>) -> Result<Vec<Relation>, Error> {
    let (start, xml) = super::part::xml(bytes)?;
    let mut reader = Reader::from_str(xml);
    let mut relations = Vec::new();
    let mut before = 0;
    let mut open: Vec<(usize, bool)> = Vec::new();
    loop {
        let event = reader.read_event().map_err(|_| super::part::malformed())?;
        let after = usize::try_from(reader.buffer_position()).map_err(|_| super::part::malformed())?;
        let from = std::mem::replace(&mut before, after);
        let (tag, is_empty) = match event {
            Event::Eof => return Ok(relations),
            Event::Start(tag) => (tag, false),
            Event::Empty(tag) => (tag, true),
            Event::End(_) => {
                // An element that is not empty ends where its end tag does.
                if let (Some((_, true)), Some(last)) = (open.pop(), relations.last_mut()) {
                    let last: &mut Relation = last;
                    last.range.end = start + after;
                    last.is_plain = false;
                }
                continue;
            }
            _ => continue,
        };
        let is_relation = tag.local_name().into_inner() == "Relationship";
        if !is_empty {
            open.push((from, is_relation));
        }
        if !is_relation {
            continue;
        }
        let mut relation = Relation {
            id: String::new(),
            uri: String::new(),
            target: String::new(),
            part: None,
            is_external: false,
            range: start + from..start + after,
            is_plain: true,
        };
        for attribute in attributes_of(&tag) {
            let attribute = attribute.map_err(|_| super::part::malformed())?;
            let value = unescaped(&attribute.value)?;
            match attribute.key.into_inner() {
                "Id" => relation.id = value,
                "Type" => relation.uri = value,
                "Target" => relation.target = value,
                "TargetMode" if matches!(value.as_str(), "External" | "Internal") => {
                    relation.is_external = value == "External";
                }
                _ => relation.is_plain = false,
            }
        }
        if !relation.is_external {
            relation.part = lookup.get(&resolved(source, &relation.target).to_lowercase()).copied();
        }
        relations.push(relation);
        if relations.len() > 100_000 {
            return Err(broken("too many relationships"));
        }
    }
}

/// The name of the part that a target leads to.
fn resolved(source: &str, target: &str) -> String {
    let target = target.split('#').next().unwrap_or_default().replace('\\', "/");
    let mut steps: Vec<&str> = match source.rsplit_once('/') {
        Some((folder, _)) if !target.starts_with('/') => folder.split('/').collect(),
        _ => Vec::new(),
    };
    for step in target.split('/') {
        match step {
            "" | "." => {}
            ".." => {
                steps.pop();
            }
            step => steps.push(step),
        }
    }
    steps.join("/").replace("%20", " ")
}

/// A target as it is written in the relationships of `source`.
pub(super) fn target_of(source: Option<&str>, name: &str) -> String {
    let folder = source.and_then(|source| source.rsplit_once('/')).map_or("", |(folder, _)| folder);
    match name.strip_prefix(folder).and_then(|rest| rest.strip_prefix('/')) {
        Some(rest) => rest.to_owned(),
        None if folder.is_empty() => name.to_owned(),
        None => format!("/{name}"),
    }
}
