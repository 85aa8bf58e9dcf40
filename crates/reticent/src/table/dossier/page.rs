//! The dossier as HTML.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::{Dossier, chart};
use crate::report::html::escaped;
use crate::table::{ColumnRule, Hierarchy, Kind, Requirement, Role, RowOrder, Step, counted};

const STYLE: &str = include_str!("style.css");
/// The longest value that is shown whole, in characters.
const MOST_SHOWN: usize = 900;

pub(super) fn of(dossier: &Dossier<'_>) -> String {
    let mut out = format!(
        "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n\
         <title>Dossier of an anonymized table</title>\n<style>\n{STYLE}</style>\n<main>\n"
    );
    head(dossier, &mut out);
    asked(dossier, &mut out);
    reached(dossier, &mut out);
    classes(dossier, &mut out);
    schema(dossier, &mut out);
    loss(dossier, &mut out);
    survivors(dossier, &mut out);
    examples(dossier, &mut out);
    limits(dossier, &mut out);
    files(dossier, &mut out);
    signatures(&mut out);
    out.push_str("</main>\n");
    out
}

/// A text with the names in backticks set as such.
fn named(text: &str) -> String {
    let escaped = escaped(text);
    let mut parts = escaped.split('`');
    let mut out = parts.next().unwrap_or_default().to_owned();
    while let Some(name) = parts.next() {
        match parts.next() {
            Some(rest) => {
                let _ = write!(out, "<code>{name}</code>{rest}");
            }
            None => {
                let _ = write!(out, "`{name}");
            }
        }
    }
    out
}

/// Writing to a String cannot fail.
macro_rules! put {
    ($out:expr, $($told:tt)*) => { let _ = writeln!($out, $($told)*); };
}

fn head(dossier: &Dossier<'_>, out: &mut String) {
    let verification = &dossier.released.verification;
    if dossier.examples > 0 {
        put!(out, "<p class=\"confidential\">Confidential: this page shows rows of the original table.</p>");
    }
    put!(out, "<h1>Dossier of an anonymized table</h1>");
    put!(
        out,
        "<p class=\"lead\">{} with {} and {} were released as {}. Every figure under “Models” was counted on the \
         written table by code that does not share the code that made it. Made by reticent {}.</p>",
        counted(dossier.original.rows(), "row", "rows"),
        counted(verification.persons, "person", "persons"),
        counted(dossier.original.columns().len(), "column", "columns"),
        counted(dossier.released.table.rows(), "row", "rows"),
        env!("CARGO_PKG_VERSION")
    );
}

fn asked(dossier: &Dossier<'_>, out: &mut String) {
    put!(out, "<section><h2>1. What was asked</h2><table class=\"facts\">");
    for one in dossier.asked {
        put!(out, "<tr><th scope=\"row\">{}<td>{}", escaped(&one.what), named(&one.value));
    }
    put!(
        out,
        "<tr><th scope=\"row\">Order of rows<td>{}",
        match dossier.order {
            RowOrder::Sorted => "sorted by what is released; the original order cannot be recovered",
            RowOrder::Kept => "as in the original: it may tell who is who",
        }
    );
    put!(out, "</table></section>");
}

/// A model with what was asked, what was counted, and whether the one satisfies the other.
fn model(dossier: &Dossier<'_>, requirement: &Requirement) -> (String, String, String, bool) {
    let verification = &dossier.released.verification;
    let figures = |column: &str| verification.sensitive.iter().find(|figures| figures.column == column);
    let absent = || ("not counted".to_owned(), false);
    let (name, wanted, (counted, holds)) = match requirement {
        Requirement::KAnonymity(k) => (
            "k-anonymity".to_owned(),
            format!("at least {k} persons in a class"),
            (format!("{} persons in the smallest class", verification.k), verification.k >= *k),
        ),
        Requirement::DistinctDiversity(column, l) => (
            format!("distinct l-diversity of `{column}`"),
            format!("at least {l} values in a class"),
            figures(column).map_or_else(absent, |own| {
                (format!("{} values in the least diverse class", own.distinct), own.distinct >= *l)
            }),
        ),
        Requirement::EntropyDiversity(column, l) => (
            format!("entropy l-diversity of `{column}`"),
            format!("spread as at least {l} equal values"),
            figures(column).map_or_else(absent, |own| {
                (format!("{:.3} in the least diverse class", own.entropy), own.entropy + 1e-6 >= *l)
            }),
        ),
        Requirement::TCloseness(column, t) => (
            format!("t-closeness of `{column}`"),
            format!("distance of at most {t} from the table"),
            figures(column).map_or_else(absent, |own| {
                (format!("{:.3} in the farthest class", own.t), own.t <= *t + 1e-6)
            }),
        ),
        Requirement::KMap(k, _) => (
            "k-map".to_owned(),
            format!("each class matches at least {k} persons of the population"),
            verification.population.as_ref().map_or_else(absent, |own| {
                (format!("{} of {} persons match the rarest class", own.k, own.persons), own.k >= *k)
            }),
        ),
    };
    (name, wanted, counted, holds)
}

fn reached(dossier: &Dossier<'_>, out: &mut String) {
    put!(out, "<section><h2>2. Models, as counted on the written table</h2><table>");
    put!(out, "<tr><th>Model<th>Asked<th>Counted<th>Holds</tr>");
    for requirement in dossier.requirements {
        let (name, wanted, counted, holds) = model(dossier, requirement);
        put!(
            out,
            "<tr><td>{}<td>{}<td>{}<td class=\"{}\">{}",
            named(&name),
            named(&wanted),
            named(&counted),
            if holds { "yes" } else { "no" },
            if holds { "yes" } else { "NO" }
        );
    }
    put!(out, "</table>");
    let verification = &dossier.released.verification;
    for own in &verification.sensitive {
        put!(
            out,
            "<p><code>{}</code>: at least {} in a class, spread as {:.2} equal ones, at most {:.3} from its distribution in the table.</p>",
            escaped(&own.column),
            counted(own.distinct, "value", "values"),
            own.entropy,
            own.t
        );
    }
    let risk = &dossier.released.measures.risk;
    put!(
        out,
        "<p>Risk of re-identification: at most {:.1} % for a person who is known to be in the table, {:.1} % for one who \
         is not known to be; {:.1} % of all persons on average, for an attacker who knows every quasi-identifier and \
         what the texts say.</p></section>",
        risk.prosecutor * 100.0,
        risk.journalist * 100.0,
        risk.marketer * 100.0
    );
}

fn classes(dossier: &Dossier<'_>, out: &mut String) {
    let verification = &dossier.released.verification;
    let sizes = verification.sizes();
    let k = dossier.requirements.iter().find_map(|requirement| match requirement {
        Requirement::KAnonymity(k) => Some(*k),
        _ => None,
    });
    let average = verification.persons as f64 / verification.classes.max(1) as f64;
    put!(
        out,
        "<section class=\"whole\"><h2>3. Sizes of classes</h2><p>A class is the persons who have the same quasi-identifiers and whose \
         texts say the same. {} of {} to {} persons, {average:.1} on average.</p>",
        counted(verification.classes, "class", "classes"),
        sizes.keys().next().unwrap_or(&0),
        sizes.keys().next_back().unwrap_or(&0)
    );
    out.push_str(&chart::histogram(&sizes, k));
    put!(out, "</section>");
}

fn kind(rule: &ColumnRule) -> String {
    match &rule.kind {
        _ if !matches!(rule.role, Role::QuasiIdentifier | Role::Sensitive) => String::new(),
        Kind::Number => "number".to_owned(),
        Kind::Date { format: None } => "date".to_owned(),
        Kind::Date { format: Some(format) } => format!("date {format}"),
        Kind::Category => "category".to_owned(),
        Kind::Ordered(order) => format!("ordered ({} steps)", order.len()),
    }
}

fn hierarchy(rule: &ColumnRule) -> String {
    let list = |items: Vec<String>| items.join(", ");
    match &rule.hierarchy {
        _ if rule.role != Role::QuasiIdentifier => String::new(),
        None => match &rule.kind {
            Kind::Number => "ranges".to_owned(),
            Kind::Date { .. } => "month, year, years".to_owned(),
            Kind::Category => "sets".to_owned(),
            Kind::Ordered(_) => "ranges of the order".to_owned(),
        },
        Some(Hierarchy::Levels(levels)) => {
            format!("{} given levels", levels.first().map_or(0, |row| row.len().saturating_sub(1)))
        }
        Some(Hierarchy::Intervals(widths)) => {
            format!("ranges of {}", list(widths.iter().map(f64::to_string).collect()))
        }
        Some(Hierarchy::Taxonomy) => "taxonomy".to_owned(),
        Some(Hierarchy::Prefix(lengths)) => {
            format!("first {} characters", list(lengths.iter().map(usize::to_string).collect()))
        }
        Some(Hierarchy::Calendar(steps)) => {
            let name = |step: &Step| match step {
                Step::Month => "month",
                Step::Quarter => "quarter",
                Step::Year => "year",
                Step::Decade => "decade",
            };
            list(steps.iter().map(|step| name(step).to_owned()).collect())
        }
    }
}

fn schema(dossier: &Dossier<'_>, out: &mut String) {
    put!(out, "<section><h2>4. Schema</h2><table>");
    put!(out, "<tr><th>Column<th>Role<th>Kind<th>Generalized to<th>In texts as<th>Weight</tr>");
    for rule in dossier.schema.columns() {
        let types: Vec<&str> = rule.entities.iter().map(crate::EntityType::as_str).collect();
        let weight = if rule.role == Role::QuasiIdentifier { rule.weight.to_string() } else { String::new() };
        put!(
            out,
            "<tr><td>{}<td>{}<td>{}<td>{}<td>{}<td class=\"number\">{weight}",
            escaped(&rule.name),
            rule.role.name(),
            escaped(&kind(rule)),
            hierarchy(rule),
            escaped(&types.join(", "))
        );
    }
    put!(out, "</table></section>");
}

fn loss(dossier: &Dossier<'_>, out: &mut String) {
    let measures = &dossier.released.measures;
    put!(
        out,
        "<section><h2>5. Information lost</h2><p>Normalized certainty penalty: 0 % if nothing changed, 100 % if \
         everything is lost. Sensitive columns are released as they are.</p><table>"
    );
    put!(out, "<tr><th>Of<th colspan=\"2\">Lost</tr>");
    let mut row = |name: &str, class: &str, share: f64| {
        put!(
            out,
            "<tr class=\"{class}\"><td>{}<td class=\"number\">{:.1} %<td>{}",
            escaped(name),
            share * 100.0,
            chart::bar(share)
        );
    };
    row("everything", "sum", measures.loss.total);
    if let Some(columns) = measures.loss.columns {
        row("quasi-identifiers", "sum", columns);
    }
    for (name, share) in &measures.loss.by_column {
        row(name, "", *share);
    }
    if let Some(texts) = measures.loss.texts {
        row("terms in texts", "sum", texts);
    }
    for (name, share) in &measures.loss.by_type {
        row(name, "", *share);
    }
    let terms = &measures.terms;
    put!(
        out,
        "</table><p>Terms in texts, once for each person: {} kept, {} generalized, {} replaced by their type.</p>",
        terms.kept,
        terms.generalized,
        terms.suppressed
    );
    for (column, count) in measures.withheld.iter().filter(|(_, count)| **count > 0) {
        put!(
            out,
            "<p>Replaced as a whole by [TEXT]: {} in <code>{}</code>.</p>",
            counted(*count, "text", "texts"),
            escaped(column)
        );
    }
    put!(out, "</section>");
}

fn survivors(dossier: &Dossier<'_>, out: &mut String) {
    put!(out, "<section><h2>6. Values of columns that survive in texts</h2>");
    let mut counts: BTreeMap<(&str, &str, bool), usize> = BTreeMap::new();
    for own in &dossier.released.verification.survivors {
        *counts.entry((&own.column, &own.text, own.is_error)).or_default() += 1;
    }
    if counts.is_empty() {
        let texts = dossier.schema.of_role(Role::Text).count();
        let told = if texts == 0 { "The table has no column of texts." } else { "None was found." };
        put!(out, "<p>{told}</p></section>");
        return;
    }
    put!(out, "<table><tr><th>Column<th>Texts<th>Rows<th>Meaning</tr>");
    for ((column, text, is_error), count) in counts {
        put!(
            out,
            "<tr><td>{}<td>{}<td class=\"number\">{count}<td>{}",
            escaped(column),
            escaped(text),
            if is_error { "survives" } else { "the words may mean something else: to be reviewed" }
        );
    }
    put!(out, "</table></section>");
}

fn shown(value: Option<&str>) -> String {
    let Some(value) = value else { return "<span class=\"none\">–</span>".to_owned() };
    if value.chars().count() <= MOST_SHOWN {
        return escaped(value);
    }
    let cut: String = value.chars().take(MOST_SHOWN).collect();
    format!("{} …", escaped(&cut))
}

/// The released rows that are shown: some of the smallest classes, and some from all over the table.
fn chosen(dossier: &Dossier<'_>) -> Vec<usize> {
    let rows = dossier.released.table.rows();
    let mut chosen: Vec<usize> = Vec::new();
    if let Some(small) = dossier.released.verification.smallest.first() {
        chosen.extend(small.row.checked_sub(1));
    }
    for at in 0..dossier.examples {
        let row = (2 * at + 1) * rows / (2 * dossier.examples).max(1);
        if row < rows && !chosen.contains(&row) {
            chosen.push(row);
        }
    }
    chosen.truncate(dossier.examples);
    chosen
}

fn examples(dossier: &Dossier<'_>, out: &mut String) {
    if dossier.examples == 0 {
        return;
    }
    put!(
        out,
        "<section><h2>7. Examples</h2><p class=\"confidential\">Confidential: values of the original table. Remove this \
         section before the page is passed on.</p>"
    );
    for row in chosen(dossier) {
        let Some(origin) = dossier.released.origins.get(row) else { continue };
        put!(
            out,
            "<table class=\"example\"><caption>Row {} of the release</caption><tr><th>Column<th>Before<th>After</tr>",
            row + 1
        );
        for column in dossier.original.columns() {
            let after = dossier.released.table.column(column.name());
            let before = shown(column.get(*origin));
            let after = after
                .map_or_else(|| "<span class=\"none\">removed</span>".to_owned(), |own| shown(own.get(row)));
            let class = if before == after { "" } else { " class=\"changed\"" };
            put!(out, "<tr{class}><td>{}<td>{before}<td>{after}", escaped(column.name()));
        }
        put!(out, "</table>");
    }
    put!(out, "</section>");
}

fn limits(dossier: &Dossier<'_>, out: &mut String) {
    put!(out, "<section><h2>8. Limits</h2><ul>");
    let released = dossier.released;
    for remark in released.measures.remarks().into_iter().chain(released.verification.remarks()) {
        put!(out, "<li class=\"remark\">{}", named(&remark));
    }
    if dossier.disarmed > 0 {
        put!(
            out,
            "<li>{} with an apostrophe in front, so that spreadsheets do not evaluate them.",
            counted(dossier.disarmed, "cell was written", "cells were written")
        );
    }
    let sensitive: Vec<&str> =
        dossier.schema.of_role(Role::Sensitive).map(|rule| rule.name.as_str()).collect();
    if !sensitive.is_empty() {
        put!(
            out,
            "<li>Sensitive columns ({}) are released unchanged. Who knows that a person is in a class learns which \
             values they may have.",
            escaped(&sensitive.join(", "))
        );
    }
    if dossier.schema.of_role(Role::Text).next().is_some() {
        put!(
            out,
            "<li>In texts, only what the detectors recognize is counted and replaced. A person must read a sample of the \
             released texts."
        );
    }
    let insensitive: Vec<&str> =
        dossier.schema.of_role(Role::Insensitive).map(|rule| rule.name.as_str()).collect();
    if !insensitive.is_empty() {
        put!(
            out,
            "<li>Columns that the schema calls insensitive ({}) are released unchanged and not counted.",
            escaped(&insensitive.join(", "))
        );
    }
    put!(
        out,
        "<li>The models hold for this release alone. Together with another release of the same persons they may not.\
         <li>The roles of the columns are a decision of the controller: a quasi-identifier that the schema does not name \
         is not protected.</ul></section>"
    );
}

fn files(dossier: &Dossier<'_>, out: &mut String) {
    put!(
        out,
        "<section class=\"whole\"><h2>9. Files</h2><table class=\"files\"><tr><th>What<th>File<th>SHA-256</tr>"
    );
    for file in dossier.fingerprints {
        put!(
            out,
            "<tr><td>{}<td>{}<td class=\"digest\">{}",
            escaped(&file.what),
            escaped(&file.file),
            escaped(&file.sha256)
        );
    }
    put!(
        out,
        "</table><p>A file belongs to this page if <code>sha256sum</code> prints the same. The fingerprint of the input \
         lets whoever has a guess of the whole file confirm it.</p></section>"
    );
}

fn signatures(out: &mut String) {
    put!(
        out,
        "<section class=\"sign\"><h2>10. Decision</h2>\
         <p class=\"boxes\"><span>☐ released</span><span>☐ released under conditions</span><span>☐ not released</span></p>\
         <p class=\"line\">Recipient and purpose</p><p class=\"line\">Conditions</p>\
         <div class=\"who\"><div><p class=\"line\">Prepared by</p><p class=\"line\">Date</p><p class=\"line\">Signature</p></div>\
         <div><p class=\"line\">Data protection officer</p><p class=\"line\">Date</p><p class=\"line\">Signature</p></div></div></section>"
    );
}
