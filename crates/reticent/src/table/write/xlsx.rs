//! A workbook of one sheet, made anew: nothing of the old one can come along unseen.

use std::fmt::Write as _;
use std::io::{Cursor, Write as _};

use jiff::civil::date;
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

use crate::table::Table;
use crate::table::read::xlsx::{is_boolean, letters};
use crate::table::schema::value;
use crate::table::source::{XlsxColumn, XlsxStyle};
use crate::{Error, ErrorKind};

/// What spreadsheet programs can hold.
const MOST_ROWS: usize = 1_048_575;
const MOST_COLUMNS: usize = 16_384;
const MOST_CHARACTERS: usize = 32_767;

const PARTS: [(&str, &str); 5] = [
    (
        "[Content_Types].xml",
        r#"<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"/><Override PartName="/xl/styles.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.styles+xml"/></Types>"#,
    ),
    (
        "_rels/.rels",
        r#"<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="xl/workbook.xml"/></Relationships>"#,
    ),
    (
        "xl/workbook.xml",
        r#"<workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><sheets><sheet name="Sheet1" sheetId="1" r:id="rId1"/></sheets></workbook>"#,
    ),
    (
        "xl/_rels/workbook.xml.rels",
        r#"<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="rId2" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/styles" Target="styles.xml"/></Relationships>"#,
    ),
    (
        // Style 1 is a date, style 2 a date with its time.
        "xl/styles.xml",
        r#"<styleSheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><fonts count="1"><font/></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="3"><xf/><xf numFmtId="14" applyNumberFormat="1"/><xf numFmtId="22" applyNumberFormat="1"/></cellXfs></styleSheet>"#,
    ),
];

const HEAD: &str = r#"<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
"#;

pub(super) fn write(table: &Table, style: &XlsxStyle) -> Result<Vec<u8>, Error> {
    if table.rows() > MOST_ROWS || table.columns().len() > MOST_COLUMNS {
        return Err(Error::new(ErrorKind::Format, "too many rows or columns for a workbook")
            .with_hint("write the table as .csv instead"));
    }
    packed(table, style)
        .map_err(|_| Error::new(ErrorKind::Format, "cannot compress the workbook"))?
        .ok_or_else(|| {
            Error::new(ErrorKind::Format, "a value is too long for a workbook")
                .with_hint("write the table as .csv instead")
        })
}

/// The workbook; nothing if a value is too long for one.
fn packed(table: &Table, style: &XlsxStyle) -> zip::result::ZipResult<Option<Vec<u8>>> {
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, content) in PARTS {
        zip.start_file(name, SimpleFileOptions::default())?;
        zip.write_all(HEAD.as_bytes())?;
        zip.write_all(content.as_bytes())?;
    }
    zip.start_file("xl/worksheets/sheet1.xml", SimpleFileOptions::default().large_file(true))?;
    zip.write_all(HEAD.as_bytes())?;
    zip.write_all(
        br#"<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>"#,
    )?;
    let places: Vec<String> = (0..).map(letters).take(table.columns().len()).collect();
    let styles: Vec<XlsxColumn> = table
        .columns()
        .iter()
        .map(|column| style.columns.get(column.name()).copied().unwrap_or_default())
        .collect();
    let mut row = String::new();
    for number in 1..=table.rows() + 1 {
        row.clear();
        // Writing to a String cannot fail.
        let _ = write!(row, "<row r=\"{number}\">");
        for ((column, place), style) in table.columns().iter().zip(&places).zip(&styles) {
            let value = if number == 1 { Some(column.name()) } else { column.get(number - 2) };
            let Some(value) = value else { continue };
            if value.len() > MOST_CHARACTERS && value.chars().count() > MOST_CHARACTERS {
                return Ok(None);
            }
            let style = if number == 1 { XlsxColumn::default() } else { *style };
            put(&mut row, value, place, number, style);
        }
        row.push_str("</row>");
        zip.write_all(row.as_bytes())?;
    }
    zip.write_all(b"</sheetData></worksheet>")?;
    Ok(Some(zip.finish()?.into_inner()))
}

fn put(out: &mut String, value: &str, place: &str, row: usize, style: XlsxColumn) {
    // Writing to a String cannot fail.
    let _ = if style.numbers && value::number(value).is_some() {
        write!(out, "<c r=\"{place}{row}\"><v>{}</v></c>", value.trim())
    } else if style.booleans && is_boolean(value) {
        write!(out, "<c r=\"{place}{row}\" t=\"b\"><v>{}</v></c>", u8::from(value == "TRUE"))
    } else if let Some((serial, look)) = serial(value).filter(|_| style.dates) {
        write!(out, "<c r=\"{place}{row}\" s=\"{look}\"><v>{serial}</v></c>")
    } else {
        let _ = write!(out, "<c r=\"{place}{row}\" t=\"inlineStr\"><is><t xml:space=\"preserve\">");
        escape(out, value);
        write!(out, "</t></is></c>")
    };
}

/// A date as spreadsheets count it, with the style that shows it.
fn serial(text: &str) -> Option<(String, u8)> {
    let (day, time) = text.split_at_checked(10)?;
    let (first, last) = value::days(day, None)?;
    let days = first.since(date(1899, 12, 30)).ok()?.get_days();
    // Spreadsheets count a 29 February 1900 that never was.
    if first != last || days < 61 {
        return None;
    }
    if time.is_empty() {
        return Some((days.to_string(), 1));
    }
    let time: jiff::civil::Time = time.strip_prefix(['T', ' '])?.parse().ok()?;
    let seconds =
        f64::from(time.hour()) * 3600.0 + f64::from(time.minute()) * 60.0 + f64::from(time.second());
    Some(((f64::from(days) + seconds / 86_400.0).to_string(), 2))
}

fn escape(out: &mut String, text: &str) {
    for (at, c) in text.char_indices() {
        // Writing to a String cannot fail.
        let _ = match c {
            '&' => out.write_str("&amp;"),
            '<' => out.write_str("&lt;"),
            '>' => out.write_str("&gt;"),
            '\r' => out.write_str("_x000D_"),
            // What XML cannot say is written as spreadsheets do; what only looks like that is marked.
            c if (c < ' ' && !matches!(c, '\t' | '\n')) || matches!(c, '\u{fffe}' | '\u{ffff}') => {
                write!(out, "_x{:04X}_", u32::from(c))
            }
            '_' if is_escape(&text[at..]) => out.write_str("_x005F_"),
            c => out.write_char(c),
        };
    }
}

/// Whether a text begins as an escaped character does: `_x000D_`.
fn is_escape(text: &str) -> bool {
    let bytes = text.as_bytes();
    bytes.len() >= 7
        && bytes.starts_with(b"_x")
        && bytes[6] == b'_'
        && bytes[2..6].iter().all(u8::is_ascii_hexdigit)
}
