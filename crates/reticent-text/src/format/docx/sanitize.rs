//! A package without anything that cannot be examined.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::fmt::Write as _;

use quick_xml::Reader;
use quick_xml::events::Event;

use super::archive::{self, Archive, broken};
use super::clean::{RelationFate, Styles, clean};
use super::open;
use super::package::{Fate, Kind, Package, Relation, opaque_name, relations_path, target_of};
use super::part::{attributes_of, malformed, unescaped, xml};
use crate::format::{Limits, Sanitized};
use crate::source::{Cut, apply};
use crate::{Error, Escape};

/// The same parts in a fresh archive.
pub(crate) fn repacked(bytes: &[u8], limits: &Limits) -> Result<Vec<u8>, Error> {
    let mut archive = open(bytes, limits)?;
    let parts = read_all(&mut archive, limits, |_| true)?;
    archive::pack(archive.names().iter().map(String::as_str).zip(parts.iter().map(Vec::as_slice)))
}

/// Removes all parts that cannot be examined, with everything that refers to them, and gives
/// standard names to the rest.
pub(crate) fn sanitize(bytes: &[u8], limits: &Limits) -> Result<Sanitized, Error> {
    let mut archive = open(bytes, limits)?;
    let old: Vec<String> = archive.names().to_vec();
    let package = Package::read(&mut archive, limits, &mut 0)?;
    let kept = |index: usize| !matches!(package.fates[index], Fate::Folder | Fate::Opaque(_));
    let mut parts = read_all(&mut archive, limits, kept)?;
    let mut removed: BTreeMap<&'static str, usize> = BTreeMap::new();
    for fate in &package.fates {
        if let Fate::Opaque(kind) = fate {
            *removed.entry(kind).or_default() += 1;
        }
    }
    if archive.has_comments() {
        removed.insert("comment or other data of the archive", 1);
    }
    let types = package.fates.iter().position(|fate| matches!(fate, Fate::Types));
    let (Some(types), Some(main)) = (types, package.main()) else {
        return Err(broken("the package lacks a main document or a list of content types"));
    };
    let names = standard_names(&old, &package);
    let mut styles = Styles::default();
    for (part, fate) in parts.iter().zip(&package.fates) {
        if matches!(fate, Fate::Part(_)) {
            styles.survey(part)?;
        }
    }
    let relations = package.relations.values().flatten();
    for relation in relations.filter(|relation| relation.is_external && !relation.is_link()) {
        *removed.entry(opaque_name(relation.kind())).or_default() += 1;
    }
    for (index, part) in parts.iter_mut().enumerate() {
        match package.fates[index] {
            Fate::Part(_) => {
                let none = Vec::new();
                let relations = package.relations.get(&Some(index)).unwrap_or(&none);
                let fates = relation_fates(relations, &package);
                *part = clean(part, &fates, &mut styles, limits.max_depth)?;
            }
            Fate::Relations(source) => {
                let none = Vec::new();
                let relations = package.relations.get(&source).unwrap_or(&none);
                let path = source.map(|source| names[source].as_str());
                *part = rewritten(part, relations, &package, path, &names)?;
            }
            _ => {}
        }
    }
    parts[types] = content_types(&parts[types], &old, &names, &package, main)?;
    let kept = (0..old.len()).filter(|&index| kept(index));
    let bytes = archive::pack(kept.map(|index| (names[index].as_str(), parts[index].as_slice())))?;
    Ok(Sanitized::new(bytes, removed))
}

fn read_all(
    archive: &mut Archive<'_>,
    limits: &Limits,
    kept: impl Fn(usize) -> bool,
) -> Result<Vec<Vec<u8>>, Error> {
    let mut spent = 0;
    (0..archive.names().len())
        .map(|index| if kept(index) { archive.read(index, limits, &mut spent) } else { Ok(Vec::new()) })
        .collect()
}

/// The name of each entry, standard ones for what is kept.
fn standard_names(old: &[String], package: &Package) -> Vec<String> {
    let mut names = old.to_vec();
    let mut taken: HashSet<String> = HashSet::new();
    let mut others = Vec::new();
    for (index, name) in old.iter().enumerate() {
        match package.fates[index] {
            Fate::Types => names[index] = String::from("[Content_Types].xml"),
            Fate::Part(kind) if kind.is_standard_name(name) => {
                taken.insert(name.to_lowercase());
            }
            Fate::Part(kind) => others.push((index, kind)),
            _ => {}
        }
    }
    for (index, kind) in others {
        let name = |number| kind.name(package.in_glossary[index], number);
        let mut number = 0;
        while !taken.insert(name(number).to_lowercase()) {
            number += 1;
        }
        names[index] = name(number);
    }
    for index in 0..old.len() {
        if let Fate::Relations(source) = package.fates[index] {
            names[index] = relations_path(source.map(|source| names[source].as_str()));
        }
    }
    names
}

fn is_kept(relation: &Relation, package: &Package) -> bool {
    match relation.part {
        Some(part) => matches!(package.fates[part], Fate::Part(_)) && Kind::of(relation.kind()).is_some(),
        // A link into the document itself has no part.
        None => relation.is_link(),
    }
}

fn is_standard_id(id: &str) -> bool {
    let digits = id.strip_prefix("rId").unwrap_or("-");
    !digits.is_empty() && digits.len() <= 9 && digits.bytes().all(|byte| byte.is_ascii_digit())
}

/// New identifiers and the fate of each relationship of a part.
fn relation_fates(relations: &[Relation], package: &Package) -> HashMap<String, RelationFate> {
    let mut fates = HashMap::new();
    for (relation, id) in relations.iter().zip(new_ids(relations)) {
        let fate = match id {
            _ if !is_kept(relation, package) => RelationFate::Remove,
            Some(id) => RelationFate::Rename(id),
            None => RelationFate::Keep,
        };
        fates.insert(relation.id.clone(), fate);
    }
    fates
}

/// An identifier for each relationship whose own is not of the standard form.
fn new_ids(relations: &[Relation]) -> Vec<Option<String>> {
    let taken: HashSet<&str> = relations.iter().map(|relation| relation.id.as_str()).collect();
    let mut number = 0;
    relations
        .iter()
        .map(|relation| {
            (!is_standard_id(&relation.id)).then(|| {
                loop {
                    number += 1;
                    let id = format!("rId{}", 1000 + number);
                    if !taken.contains(id.as_str()) {
                        break id;
                    }
                }
            })
        })
        .collect()
}

fn attribute_value(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        let _ = Escape::Attribute.write_char(c, &mut out);
    }
    out
}

/// The part of relationships without those that lead to what is removed.
fn rewritten(
    bytes: &[u8],
    relations: &[Relation],
    package: &Package,
    source: Option<&str>,
    names: &[String],
) -> Result<Vec<u8>, Error> {
    let mut cuts: Vec<Cut> = Vec::new();
    for (relation, id) in relations.iter().zip(new_ids(relations)) {
        if !is_kept(relation, package) {
            cuts.push((relation.range.clone(), String::new()));
            continue;
        }
        let target = relation.part.map(|part| &names[part]);
        let stays = relation.is_plain
            && id.is_none()
            && target.is_none_or(|name| {
                let mut steps = relation.target.split('/');
                relation.target.ends_with(name.rsplit('/').next().unwrap_or(name))
                    && steps.all(|step| matches!(step, "" | "..") || name.split('/').any(|own| own == step))
            });
        if stays {
            continue;
        }
        let mut element = String::from("<Relationship");
        let id = id.unwrap_or_else(|| relation.id.clone());
        let written = target.map_or_else(|| relation.target.clone(), |name| target_of(source, name));
        for (key, value) in [("Id", &id), ("Type", &relation.uri), ("Target", &written)] {
            let _ = write!(element, " {key}=\"{}\"", attribute_value(value));
        }
        element.push_str(if relation.is_external { " TargetMode=\"External\"/>" } else { "/>" });
        cuts.push((relation.range.clone(), element));
    }
    apply(bytes, cuts)
}

/// The list of content types of what is kept.
fn content_types(
    bytes: &[u8],
    old: &[String],
    names: &[String],
    package: &Package,
    main: usize,
) -> Result<Vec<u8>, Error> {
    let (start, text) = xml(bytes)?;
    let mut reader = Reader::from_str(text);
    let mut cuts: Vec<Cut> = Vec::new();
    let mut before = 0;
    let mut main_type = None;
    let mut listed = vec![false; old.len()];
    loop {
        let event = reader.read_event().map_err(|_| malformed())?;
        let after = usize::try_from(reader.buffer_position()).map_err(|_| malformed())?;
        let from = std::mem::replace(&mut before, after);
        let (tag, is_empty) = match event {
            Event::Eof => break,
            Event::Empty(tag) => (tag, true),
            Event::Start(tag) => (tag, false),
            _ => continue,
        };
        let element = tag.local_name().into_inner().to_owned();
        if !matches!(element.as_str(), "Default" | "Override") {
            continue;
        }
        if !is_empty {
            return Err(broken("the list of content types contains other data"));
        }
        let (mut key, mut content_type, mut is_plain) = (String::new(), String::new(), true);
        for attribute in attributes_of(&tag) {
            let attribute = attribute.map_err(|_| malformed())?;
            let value = unescaped(&attribute.value)?;
            match attribute.key.into_inner() {
                "Extension" | "PartName" => key = value,
                "ContentType" => content_type = value,
                _ => is_plain = false,
            }
        }
        let range = start + from..start + after;
        if element == "Default" {
            let inert = |value: &str| super::inert::is_inert("", value);
            if !is_plain || !inert(&key.to_lowercase()) || !inert(&content_type) {
                cuts.push((range, String::new()));
            }
            continue;
        }
        let path = key.trim_start_matches('/');
        let part = old.iter().position(|name| name.eq_ignore_ascii_case(path));
        let replaced = match part.map(|part| (part, package.fates[part])) {
            Some((part, Fate::Part(kind))) if !std::mem::replace(&mut listed[part], true) => {
                if part == main {
                    main_type = Some(content_type.clone());
                }
                let known = kind.content_types().contains(&content_type.as_str());
                if known && is_plain && names[part] == path {
                    continue;
                }
                let content_type = if known { content_type.as_str() } else { kind.content_types()[0] };
                over_ride(&names[part], content_type)
            }
            _ => String::new(),
        };
        cuts.push((range, replaced));
    }
    let is_word = |kind: &str| kind.contains("word") && kind.ends_with(".main+xml");
    if !main_type.as_deref().is_some_and(is_word) {
        return Err(broken("its main document has an unexpected type"));
    }
    // A part that relied on the default of its extension needs its own type under a new name.
    let mut missing = String::new();
    for index in 0..old.len() {
        if let (Fate::Part(kind), false) = (package.fates[index], listed[index]) {
            missing += &over_ride(&names[index], kind.content_types()[0]);
        }
    }
    if !missing.is_empty() {
        let end = text.rfind("</").ok_or_else(malformed)?;
        cuts.push((start + end..start + end, missing));
    }
    apply(bytes, cuts)
}

fn over_ride(name: &str, content_type: &str) -> String {
    format!("<Override PartName=\"/{name}\" ContentType=\"{content_type}\"/>")
}
