//! How many dates and ages of real clinical notes have a ladder, if the data is there.

use std::path::Path;

use reticent::EntityType;
use reticent::mask::{Context, LABEL, Language, ladder};

#[test]
#[allow(clippy::print_stderr)]
fn clinical_notes_are_generalized() {
    let folder = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/data/meddocan/dev"));
    let Ok(entries) = std::fs::read_dir(folder) else {
        eprintln!("skipped: ../shared/data/meddocan is not there");
        return;
    };
    let context = Context { language: Language::Spanish, reference_year: Some(2018), ..Context::default() };
    let (mut total, mut generalized) = (0, 0);
    for entry in entries {
        let path = entry.expect("an entry").path();
        if path.extension().is_none_or(|extension| extension != "ann") {
            continue;
        }
        let annotations = std::fs::read_to_string(path).expect("annotations");
        for line in annotations.lines() {
            let fields: Vec<&str> = line.split('\t').collect();
            let [_, place, surface] = fields[..] else { continue };
            let entity_type = match place.split(' ').next() {
                Some("FECHAS") => EntityType::DATE_TIME,
                Some("EDAD_SUJETO_ASISTENCIA") => EntityType::AGE,
                _ => continue,
            };
            total += 1;
            generalized += usize::from(ladder(&entity_type, surface, &context).rungs[0].level != LABEL);
        }
    }
    eprintln!("{generalized} of {total} dates and ages have a ladder");
    assert!(generalized * 100 >= total * 98, "{generalized} of {total}");
}
