//! RDF as Turtle or N-Triples: SKOS vocabularies, OWL and RDFS classes, YAGO.
//!
//! Broader is what `rdfs:subClassOf`, `skos:broader` and `rdf:type` say, and the inverse of `skos:narrower`.
//! Words come from `rdfs:label`, `skos:prefLabel` (which is the label), `skos:altLabel` and
//! `skos:hiddenLabel`, where their language is none or the taxonomy's; a concept without any is called by the
//! end of its address. What only describes the file itself (properties, schemes, restrictions without a name)
//! is no concept. That a class is a subclass of itself says nothing and is left out.

use std::io::BufRead;

use oxrdf::{NamedOrBlankNode, Term, Triple};
use oxttl::{NTriplesParser, TurtleParseError, TurtleParser};
use reticent_text::Language;

use crate::taxonomy::Draft;
use crate::{Error, ErrorKind};

const RDF: &str = "http://www.w3.org/1999/02/22-rdf-syntax-ns#";
const RDFS: &str = "http://www.w3.org/2000/01/rdf-schema#";
const SKOS: &str = "http://www.w3.org/2004/02/skos/core#";
const OWL: &str = "http://www.w3.org/2002/07/owl#";

pub(super) fn turtle(input: impl BufRead, draft: &mut Draft) -> Result<(), Error> {
    let reader = TurtleParser::new().for_reader(input);
    for triple in reader {
        add(&triple.map_err(refuse)?, draft)?;
    }
    name(draft)
}

pub(super) fn ntriples(input: impl BufRead, draft: &mut Draft) -> Result<(), Error> {
    let reader = NTriplesParser::new().for_reader(input);
    for triple in reader {
        add(&triple.map_err(refuse)?, draft)?;
    }
    name(draft)
}

fn refuse(error: TurtleParseError) -> Error {
    match error {
        TurtleParseError::Io(error) => error.into(),
        TurtleParseError::Syntax(error) => {
            Error::new(ErrorKind::Malformed, format!("not valid RDF: {}", error.message()))
                .at_line(error.location().start.line + 1)
        }
    }
}

fn add(triple: &Triple, draft: &mut Draft) -> Result<(), Error> {
    // Nodes without a name are restrictions and lists.
    let NamedOrBlankNode::NamedNode(subject) = &triple.subject else { return Ok(()) };
    let subject = subject.as_str();
    let predicate = triple.predicate.as_str();
    let within = |space: &str| predicate.strip_prefix(space);
    match &triple.object {
        Term::NamedNode(object) => {
            let object = object.as_str();
            let about_the_file = [RDF, RDFS, SKOS, OWL].iter().any(|space| object.starts_with(space));
            let (narrow, broad) = match (within(RDFS), within(SKOS), within(RDF)) {
                (Some("subClassOf"), _, _) | (_, Some("broader"), _) => (subject, object),
                (_, Some("narrower"), _) => (object, subject),
                (_, _, Some("type")) if about_the_file => {
                    let id = draft.mention(subject)?;
                    if ["Class", "Concept", "NamedIndividual"].iter().any(|kind| object.ends_with(kind)) {
                        draft.concept(subject)?;
                    } else if ["Property", "Ontology", "ConceptScheme", "Collection", "Datatype"]
                        .iter()
                        .any(|kind| object.ends_with(kind))
                    {
                        draft.forget(id);
                    }
                    return Ok(());
                }
                (_, _, Some("type")) => (subject, object),
                _ => return Ok(()),
            };
            let narrow_id = draft.concept(narrow)?;
            if narrow != broad && !about_the_file {
                let broad = draft.concept(broad)?;
                draft.broader(narrow_id, broad)?;
            }
            Ok(())
        }
        Term::Literal(literal) => {
            let wanted = match draft.language {
                Language::English => Some("en"),
                Language::Spanish => Some("es"),
                Language::Other => None,
            };
            let tag = literal.language().and_then(|tag| tag.split('-').next());
            if tag.is_some() && wanted.is_some() && tag.map(str::to_ascii_lowercase).as_deref() != wanted {
                return Ok(());
            }
            match (within(RDFS), within(SKOS)) {
                (_, Some("prefLabel")) => {
                    let id = draft.mention(subject)?;
                    draft.label(id, literal.value())
                }
                (Some("label"), _) | (_, Some("altLabel" | "hiddenLabel")) => {
                    let id = draft.mention(subject)?;
                    draft.word(id, literal.value(), 0)
                }
                (Some("comment"), _) | (_, Some("definition")) => {
                    let id = draft.mention(subject)?;
                    draft.gloss(id, literal.value());
                    Ok(())
                }
                _ => Ok(()),
            }
        }
        Term::BlankNode(_) => Ok(()),
    }
}

/// Names what has no label by the end of its address.
fn name(draft: &mut Draft) -> Result<(), Error> {
    for (id, code) in draft.nameless() {
        let end = code.trim_end_matches(['/', '#']).rsplit(['/', '#']).next().unwrap_or_default();
        draft.word(id, &end.replace('_', " "), 0)?;
    }
    Ok(())
}
