//! SNOMED CT in release format 2: tables separated by tabs, told apart by their headings. Only what is
//! active counts; of relationships only "is a". The label is the fully specified name without its tag in
//! brackets: `Heart attack (disorder)` is called `Heart attack`.

use std::io::BufRead;

use super::lines::Lines;
use crate::taxonomy::Draft;
use crate::{Error, ErrorKind};

const IS_A: &str = "116680003";
const FULLY_SPECIFIED: &str = "900000000000003001";
const DEFINITION: &str = "900000000000550004";

pub(super) fn read(input: impl BufRead, draft: &mut Draft) -> Result<(), Error> {
    let mut lines = Lines::new(input);
    let heading: Vec<String> = match lines.next()? {
        Some(line) => line.split('\t').map(str::to_owned).collect(),
        None => return Err(Error::new(ErrorKind::Empty, "the file is empty")),
    };
    let column = |name: &str| heading.iter().position(|known| known == name);
    let required = |name: &str| {
        column(name).ok_or_else(|| {
            Error::new(ErrorKind::Malformed, format!("the column `{name}` is missing")).at_line(1).with_hint(
                "use the files sct2_Concept, sct2_Description and sct2_Relationship of the snapshot",
            )
        })
    };
    let (id, active) = (required("id")?, required("active")?);
    let relationship = column("sourceId").zip(column("destinationId")).zip(column("typeId"));
    let description = column("conceptId").zip(column("term")).zip(column("typeId"));
    if relationship.is_none() && description.is_none() {
        required("definitionStatusId")?;
    }
    let language = column("languageCode");
    let wanted = match draft.language {
        reticent_text::Language::Spanish => "es",
        _ => "en",
    };
    loop {
        let Some(line) = lines.next()? else { return Ok(()) };
        let fields: Vec<&str> = line.split('\t').collect();
        if fields.len() == 1 && fields[0].is_empty() {
            continue;
        }
        if fields.len() != heading.len() {
            let message = format!("a row has {} columns, the header {}", fields.len(), heading.len());
            return Err(Error::new(ErrorKind::Malformed, message).at_line(lines.number()));
        }
        if fields[active] != "1" {
            continue;
        }
        let mut add = || {
            if let Some(((source, destination), kind)) = relationship {
                if fields[kind] == IS_A {
                    let narrow = draft.mention(fields[source])?;
                    let broad = draft.mention(fields[destination])?;
                    draft.broader(narrow, broad)?;
                }
            } else if let Some(((concept, term), kind)) = description {
                if language.is_some_and(|language| fields[language] != wanted) {
                    return Ok(());
                }
                let concept = draft.mention(fields[concept])?;
                match fields[kind] {
                    DEFINITION => draft.gloss(concept, fields[term]),
                    FULLY_SPECIFIED => draft.label(concept, without_tag(fields[term]))?,
                    _ => draft.word(concept, fields[term], 0)?,
                }
            } else {
                draft.concept(fields[id])?;
            }
            Ok(())
        };
        let added: Result<(), Error> = add();
        added.map_err(|error| error.at_line(lines.number()))?;
    }
}

fn without_tag(name: &str) -> &str {
    name.strip_suffix(')').and_then(|name| name.rsplit_once(" (")).map_or(name, |(name, _)| name)
}
