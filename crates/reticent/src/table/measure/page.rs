//! Measures as a page that stands alone: no script, nothing from elsewhere, no value of the table.

use std::fmt::Write as _;

use super::{Measures, Sweep};
use crate::report::html::escaped;

const HEAD: &str = "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n\
    <meta name=\"viewport\" content=\"width=device-width\">\n\
    <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n";
const STYLE: &str = "<style>body{font:16px/1.5 system-ui,sans-serif;margin:2em auto;max-width:60em;padding:0 1em}\
    pre{overflow:auto}svg{max-width:100%;height:auto}table{border-collapse:collapse}\
    td,th{padding:.2em .8em;text-align:left;border-bottom:1px solid #ccc}td:nth-child(n+2){text-align:right}</style>\n";

pub(super) fn of_measures(measures: &Measures) -> String {
    let mut out = format!(
        "{HEAD}<title>Table anonymization report</title>\n{STYLE}<h1>Table anonymization report</h1>\n"
    );
    let _ = writeln!(
        out,
        "<p>{} persons in {} rows, {} classes of {} to {} persons; {}.</p>",
        measures.persons,
        measures.rows,
        measures.classes.count,
        measures.classes.smallest,
        measures.classes.largest,
        escaped(&measures.strategy)
    );
    let _ = writeln!(out, "<h2>Information loss</h2>\n<table><tr><th>column<th>NCP</tr>");
    let whole = [
        ("everything", Some(measures.loss.total)),
        ("columns", measures.loss.columns),
        ("texts", measures.loss.texts),
    ];
    for (name, loss) in whole {
        if let Some(loss) = loss {
            let _ = writeln!(out, "<tr><th>{name}<td>{loss:.4}</tr>");
        }
    }
    for (name, loss) in measures.loss.by_column.iter().chain(&measures.loss.by_type) {
        let _ = writeln!(out, "<tr><td>{}<td>{loss:.4}</tr>", escaped(name));
    }
    let _ = writeln!(out, "</table>\n<pre>{}</pre>", escaped(&measures.text()));
    out
}

pub(super) fn of_sweep(sweep: &Sweep) -> String {
    let mut out = format!("{HEAD}<title>Parameter sweep</title>\n{STYLE}<h1>Parameter sweep</h1>\n");
    if let Some(point) = sweep.points.first() {
        let _ = writeln!(out, "<p>{} persons in {} rows.</p>", point.measures.persons, point.measures.rows);
    }
    for plot in sweep.plots() {
        out.push_str(&plot.svg());
    }
    let _ = writeln!(out, "<pre>{}</pre>", escaped(&sweep.text()));
    out
}
