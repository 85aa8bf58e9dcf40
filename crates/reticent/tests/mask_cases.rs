//! Runs the tables in `tests/cases/mask/*.md`.
//!
//! A table has the columns type, text with `{the span}` in braces, level, and the expected text.
//! `\n` stands for a line break. A paragraph above it may set the context: `Language: Spanish.`,
//! `Written in 2024.`, `Ages above 89 are told only as that.` Level `(text)` is not a level of the
//! ladder but the replacement itself, to test how words from elsewhere fit. A level that the ladder
//! does not have is written with `–` as the expected text.

use std::path::Path;

use reticent::EntityType;
use reticent::mask::{Context, Language, fit, ladder};
use reticent_text::Span;

#[test]
fn tables_hold() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases/mask");
    let mut files: Vec<_> = std::fs::read_dir(folder)
        .expect("the folder of cases")
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "md"))
        .collect();
    files.sort();
    let mut cases = 0;
    let mut wrong = Vec::new();
    for file in files {
        let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let content = std::fs::read_to_string(&file).expect("a file of cases");
        let mut context = Context::default();
        for (number, line) in content.lines().enumerate() {
            let Some(row) = line.strip_prefix('|') else {
                read_context(line, &mut context);
                continue;
            };
            let cells: Vec<&str> = row.trim_end().trim_end_matches('|').split('|').map(str::trim).collect();
            if cells[0] == "type" || cells[0].starts_with("--") {
                continue;
            }
            let [entity_type, text, level, expected] = cells[..] else {
                panic!("{name}:{}: a row has four cells", number + 1);
            };
            cases += 1;
            let got = replace(entity_type, &text.replace("\\n", "\n"), level, &context);
            if got != expected.replace("\\n", "\n") {
                wrong.push(format!("{name}:{}: {line}\n    got: {got}", number + 1));
            }
        }
    }
    assert!(wrong.is_empty(), "{} of {cases} cases:\n{}", wrong.len(), wrong.join("\n"));
    assert!(cases >= 100, "only {cases} cases were read");
}

fn read_context(line: &str, context: &mut Context) {
    if line.starts_with('#') {
        *context = Context::default();
    }
    if line.contains("Language: Spanish.") {
        context.language = Language::Spanish;
    }
    if line.contains("Language: other.") {
        context.language = Language::Other;
    }
    if let Some((_, year)) = line.split_once("Written in ") {
        context.reference_year = year.split('.').next().and_then(|year| year.parse().ok());
    }
    if let Some((_, age)) = line.split_once("Ages above ") {
        context.top = age.split(' ').next().and_then(|age| age.parse().ok());
    }
}

/// The text with the span replaced; `–` if the ladder has no such level.
fn replace(entity_type: &str, text: &str, level: &str, context: &Context) -> String {
    let start = text.find('{').expect("a `{`");
    let end = text.find('}').expect("a `}`") - 1;
    let text = text.replace(['{', '}'], "");
    let span = Span::new(start, end);
    let given = level.strip_prefix('(').and_then(|words| words.strip_suffix(')'));
    let words = if let Some(words) = given {
        words.to_owned()
    } else {
        let entity_type = EntityType::new(entity_type).expect("a type");
        match ladder(&entity_type, span.of(&text), context).rung(level) {
            Some(rung) => rung.text.clone(),
            None => return "–".to_owned(),
        }
    };
    let fitted = fit(&text, span, &words, context.language);
    format!("{}{}{}", &text[..fitted.span.start], fitted.replacement, &text[fitted.span.end..])
}
