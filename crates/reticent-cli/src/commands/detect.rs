//! `reticent detect`.

use std::collections::{HashMap, HashSet};
use std::path::Path;
use std::sync::Mutex;

use reticent::policy::Subject;
use reticent::{Entity, EntityType, Operator, Protector};
use reticent_text::format::brat;
use reticent_text::format::rows::{Fields, Row, RowFormat};
use reticent_text::{Document, OffsetUnit, Offsets, RegionKind, Span};
use serde_json::{Value, json};

use crate::args::{DetectArgs, DetectFormat};
use crate::failure::{Failure, Outcome};
use crate::input::{self, InputFile, Inputs, Kind};
use crate::output::{self, Output, Target};
use crate::rows::{self, Part, RowFile};
use crate::runner;

pub(crate) fn run(args: &DetectArgs) -> Result<Outcome, Failure> {
    let protector = runner::protector(&args.policy, &args.input)?;
    runner::threads(args.work.jobs)?;
    let inputs = input::list(&args.input);
    match args.format {
        DetectFormat::Brat => to_brat(args, &protector, &inputs),
        DetectFormat::Jsonl => to_jsonl(args, &protector, &inputs),
    }
}

/// All mentions in the order of the text.
fn mentions(entities: &[Entity]) -> Vec<(Span, &EntityType)> {
    let mut found: Vec<(Span, &EntityType)> = entities
        .iter()
        .flat_map(|entity| entity.mentions.iter().map(move |mention| (mention.span, &entity.entity_type)))
        .collect();
    found.sort();
    found
}

/// Entities that the policy would replace: those it keeps are not identifying.
fn found(
    protector: &Protector,
    document: &mut Document,
    subjects: &[Subject],
) -> Result<Vec<Entity>, Failure> {
    let mut entities = protector.detect(document, subjects)?;
    entities.retain(|entity| *protector.policy().operator(&entity.entity_type) != Operator::Keep);
    Ok(entities)
}

fn found_in(protector: &Protector, row: &mut Row) -> Result<Vec<Entity>, Failure> {
    let subjects = runner::protected_subjects(row, protector.policy())?;
    found(protector, &mut row.document, &subjects)
}

fn to_jsonl(args: &DetectArgs, protector: &Protector, inputs: &Inputs) -> Result<Outcome, Failure> {
    let unit: OffsetUnit = args.work.offsets.into();
    let several_rows = inputs.several && inputs.files.iter().any(|file| matches!(file.kind, Kind::Rows(_)));
    if several_rows {
        output::targets(args.output.as_deref(), inputs, None, None)?;
        return Ok(runner::each_file(inputs, |file| {
            let mut output = Output::create(&output::target(args.output.as_deref(), inputs, file, None)?)?;
            let outcome = one_to_jsonl(args, protector, file, unit, &mut output)?;
            output.finish_private()?;
            Ok(outcome)
        }));
    }
    // Whole documents become rows of one output.
    output::check_single(args.output.as_deref(), inputs)?;
    let output = Mutex::new(Output::create(&output::plain(args.output.as_deref()))?);
    let lost = || Failure::new("the output was lost in an internal error");
    let (mut outcome, mut any) = (Outcome::Done, false);
    for file in &inputs.files {
        let single = Inputs { files: vec![file.clone()], ..Inputs::default() };
        let own = runner::each_file(&single, |file| {
            one_to_jsonl(args, protector, file, unit, &mut *output.lock().map_err(|_| lost())?)
        });
        any |= own != Outcome::Failed;
        outcome = outcome.max(own);
    }
    outcome = outcome.max(inputs.report());
    // An empty file would look as if nothing had been found.
    if any {
        output.into_inner().map_err(|_| lost())?.finish_private()?;
    }
    Ok(outcome)
}

fn one_to_jsonl(
    args: &DetectArgs,
    protector: &Protector,
    file: &InputFile,
    unit: OffsetUnit,
    output: &mut Output,
) -> Result<Outcome, Failure> {
    match file.kind {
        Kind::Whole(kind) => {
            let mut loaded = runner::load(file, kind, &args.input, protector.policy())?;
            let entities = found(protector, &mut loaded.document, &[])?;
            let spans =
                spans(loaded.document.text(), Span::new(0, loaded.document.text().len()), &entities, unit);
            let row = json!({ "id": loaded.document.id(), "text": loaded.document.text(), "spans": spans });
            output.write(format!("{row}\n").as_bytes())?;
            Ok(Outcome::Done)
        }
        Kind::Rows(format) => {
            let csv = matches!(format, RowFormat::Csv { .. });
            let work = |row: &mut Row| {
                let entities = found_in(protector, row)?;
                let (spans, field_spans) = row_spans(row, &entities, unit);
                let mut extra = vec![("spans", Value::Array(spans))];
                if !field_spans.is_empty() {
                    extra.push(("field_spans", Value::Array(field_spans)));
                }
                Ok(if csv {
                    csv_row(row, &extra)
                } else {
                    let extra: Vec<_> =
                        extra.into_iter().map(|(name, value)| (name, value.to_string())).collect();
                    row.encode(&[], &extra)?
                })
            };
            let rows = RowFile { file, format, args: &args.input, fields: fields(args) };
            let tally = rows::each_row_of(rows, protector.policy(), work, |part| match part {
                Part::Frame(bytes) if !csv => output.write(bytes),
                Part::Columns(_) | Part::Frame(_) => Ok(()),
                Part::Row(bytes) => output.write(&bytes),
                Part::Withheld(withheld) => {
                    let reason = json!(withheld.reason);
                    output.write(&match &withheld.row {
                        Some(row) if csv => csv_row(row, &[("spans", json!([])), ("withheld", reason)]),
                        Some(row) => {
                            row.encode(&[], &[("spans", "[]".to_owned()), ("withheld", reason.to_string())])?
                        }
                        None => format!("{}\n", json!({ "withheld": reason })).into_bytes(),
                    })
                }
            })?;
            Ok(tally.finish(file))
        }
    }
}

/// The fields of a row, of which only `spans` is replaced.
fn fields(args: &DetectArgs) -> Fields {
    Fields { replaced: vec!["spans".to_owned()], ..input::fields(&args.input) }
}

/// A row of CSV as JSON: its main text, and the others by their names.
fn csv_row(row: &Row, extra: &[(&str, Value)]) -> Vec<u8> {
    let text = row.document.text();
    let regions = row.document.regions();
    let main = regions.iter().filter(|region| region.kind == RegionKind::Body);
    let main: Vec<&str> = main.map(|region| region.span.of(text)).collect();
    let mut object = json!({ "id": row.document.id(), "text": main.join("\n\n") });
    let others = regions.iter().filter(|region| region.kind == RegionKind::Field);
    let others: Vec<Value> = others.map(|region| json!([region.name, region.span.of(text)])).collect();
    if !others.is_empty() {
        object["fields"] = json!(others);
    }
    for (name, value) in extra {
        object[*name] = value.clone();
    }
    format!("{object}\n").into_bytes()
}

/// The spans of a row's main text, and those of its other fields, each with offsets in its field. With several text
/// fields, and outside of the main text, a span names its field at the end.
fn row_spans(row: &Row, entities: &[Entity], unit: OffsetUnit) -> (Vec<Value>, Vec<Value>) {
    let text = row.document.text();
    let regions = row.document.regions();
    let several = regions.iter().filter(|region| region.kind == RegionKind::Body).count() > 1;
    let (mut main, mut others) = (Vec::new(), Vec::new());
    for region in regions {
        for mut span in spans(text, region.span, entities, unit) {
            let named = several || region.kind == RegionKind::Field;
            if let Some(span) = span.as_array_mut().filter(|_| named) {
                span.push(json!(region.name));
            }
            if region.kind == RegionKind::Field { others.push(span) } else { main.push(span) }
        }
    }
    (main, others)
}

fn spans(text: &str, within: Span, entities: &[Entity], unit: OffsetUnit) -> Vec<Value> {
    let offsets = Offsets::new(within.of(text), unit);
    // A name may go on in the next field: each has its part.
    let inside = mentions(entities).into_iter().filter(|(span, _)| within.overlaps(*span));
    inside
        .map(|(span, kind)| {
            let span = Span::new(span.start.max(within.start), span.end.min(within.end));
            let (start, end) = offsets.outside(Span::new(span.start - within.start, span.end - within.start));
            json!([start, end, kind])
        })
        .collect()
}

fn to_brat(args: &DetectArgs, protector: &Protector, inputs: &Inputs) -> Result<Outcome, Failure> {
    let Some(folder) = args.output.as_deref().filter(|path| !input::is_standard(path)) else {
        return Err(
            Failure::new("--format brat requires an output directory").hint("pass one with -o DIRECTORY")
        );
    };
    let taken = Mutex::new(HashSet::new());
    // Two documents with the same name must not overwrite each other.
    let take = |name: &Path| {
        let target = Target::within(folder, &name.with_extension("ann"));
        let mut taken = taken.lock().map_err(|_| Failure::new("the output was lost in an internal error"))?;
        if !taken.insert(target.clone()) {
            return Err(Failure::new(format!("{}: two documents have the same name", name.display()))
                .hint("rename one, or run the command once for each"));
        }
        target.check().map(|()| target)
    };
    let whole = |file: &&InputFile| matches!(file.kind, Kind::Whole(_));
    let names = inputs.files.iter().filter(whole).map(|file| Ok((&file.path, take(&file.relative)?)));
    let targets = names.collect::<Result<HashMap<_, _>, Failure>>()?;
    let write = |target: &Target, document: &Document, entities: &[Entity]| {
        let found: Vec<(&str, Span)> =
            mentions(entities).into_iter().map(|(span, kind)| (kind.as_str(), span)).collect();
        let annotations = brat::write(document.text(), &found);
        output::write_private(target, annotations.as_bytes())
    };
    Ok(runner::each_file(inputs, |file| {
        match file.kind {
            Kind::Whole(kind) => {
                let mut loaded = runner::load(file, kind, &args.input, protector.policy())?;
                let entities = found(protector, &mut loaded.document, &[])?;
                write(&targets[&file.path], &loaded.document, &entities)?;
            }
            Kind::Rows(format) => {
                let work = |row: &mut Row| {
                    let entities = found_in(protector, row)?;
                    Ok((row.document.clone(), entities))
                };
                let policy = protector.policy();
                let tally = rows::each_row(file, format, &args.input, policy, work, |part| {
                    let Part::Row((document, entities)) = part else { return Ok(()) };
                    let name: String = document
                        .id()
                        .chars()
                        .map(|c| if c.is_alphanumeric() || c == '-' { c } else { '_' })
                        .collect();
                    write(&take(Path::new(&format!("{name}.ann")))?, &document, &entities)
                })?;
                return Ok(tally.finish(file));
            }
        }
        Ok(Outcome::Done)
    }))
}
