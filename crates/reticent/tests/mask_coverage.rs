//! How many dates and ages of real clinical notes have a ladder, if the data is there.

use reticent::EntityType;
use reticent::mask::{Context, LABEL, Language, ladder};

#[test]
#[allow(clippy::print_stderr)]
fn clinical_notes_are_generalized() {
    let Some(folder) = reticent_testing::shared("data/meddocan/dev") else { return };
    let entries = std::fs::read_dir(folder).expect("a folder");
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
