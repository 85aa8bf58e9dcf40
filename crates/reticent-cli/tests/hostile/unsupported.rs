//! Files of types that cannot be read: refused by extension and by content, with a hint that fits.

use std::io::{Cursor, Write as _};

use zip::ZipWriter;
use zip::write::SimpleFileOptions;

use crate::common::Folder;

const SENTINEL: &str = "Linehan";

/// An archive that begins like those of Office.
fn zipped(parts: &[&str]) -> Vec<u8> {
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    for part in parts {
        writer.start_file(*part, SimpleFileOptions::default()).unwrap();
        writer.write_all(SENTINEL.as_bytes()).unwrap();
    }
    writer.finish().unwrap().into_inner()
}

fn after(magic: &[u8]) -> Vec<u8> {
    [magic, b" Linehan lives in Cork.\n"].concat()
}

#[test]
fn the_hint_fits_the_extension() {
    let folder = Folder::new();
    for (name, hint) in [
        ("a.pdf", "pdftotext"),
        ("a.PDF", "pdftotext"),
        ("a.rtf", "--convert-to docx"),
        ("a.odt", "--convert-to docx"),
        ("a.doc", "--convert-to docx"),
        ("a.eml", "body"),
        ("a.msg", "Outlook"),
        ("a.pptx", "notes"),
        ("a.xlsx", "reticent table"),
        ("a.xls", "reticent table"),
        ("a.ods", "reticent table"),
        ("a.jpg", "OCR"),
        ("a.png", "OCR"),
        ("a.zip", "unpack"),
        ("a.tar.gz", "unpack"),
        ("a.mp3", "transcribe"),
        ("a.mp4", "transcribe"),
    ] {
        folder.write(name, after(b""));
        for command in ["protect", "detect", "plan"] {
            let run = folder.run(&[command, name]);
            assert_eq!((run.code, run.out.as_str()), (2, ""), "{name}: {}", run.err);
            assert!(run.err.contains(name) && run.err.contains(hint), "{name}: {}", run.err);
            assert!(!run.err.contains("--input-format") && !run.err.contains(SENTINEL), "{}", run.err);
        }
    }
    folder.write("a.xyz", after(b""));
    let run = folder.run(&["protect", "a.xyz"]);
    assert!(run.code == 2 && run.err.contains("--input-format"), "{}", run.err);
}

#[test]
fn the_content_decides_whatever_the_name_is() {
    let folder = Folder::new();
    for (bytes, hint) in [
        (after(b"%PDF-1.7\n"), "pdftotext"),
        (after(b"\xef\xbb\xbf%PDF-1.7\n"), "pdftotext"),
        (after(b"\n%PDF-1.7\n"), "pdftotext"),
        (after(b"%!PS-Adobe-3.0\n"), "pdftotext"),
        (after(b"{\\rtf1\\ansi "), "--convert-to docx"),
        (after(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"), "--convert-to docx"),
        (zipped(&["[Content_Types].xml", "word/document.xml"]), "--input-format docx"),
        (zipped(&["[Content_Types].xml", "xl/workbook.xml"]), "reticent table"),
        (zipped(&["[Content_Types].xml", "ppt/presentation.xml"]), "notes"),
        (zipped(&["notes.txt"]), "unpack"),
        (after(b"\x89PNG\r\n\x1a\n"), "OCR"),
        (after(b"\xff\xd8\xff\xe0"), "OCR"),
        (after(b"GIF89a"), "OCR"),
        (after(b"\x1f\x8b\x08"), "unpack"),
        (after(b"ID3\x03"), "transcribe"),
        (after(b"RIFF....WAVE"), "transcribe"),
        (after(b"\x7fELF"), "export"),
    ] {
        for name in ["a.txt", "a.md", "a.html", "a.csv", "a.jsonl"] {
            folder.write(name, &bytes);
            let run = folder.run(&["protect", name]);
            assert_eq!((run.code, run.out.as_str()), (2, ""), "{name}, {hint}: {}", run.err);
            assert!(run.err.contains(name) && run.err.contains(hint), "{name}: {}", run.err);
            assert!(!run.err.contains(SENTINEL), "{}", run.err);
        }
        for args in [
            &["protect", "a.txt", "--input-format", "text"][..],
            &["detect", "a.txt"],
            &["index", "build", "a.txt", "-o", "x.idx", "--force"],
        ] {
            let run = folder.run(args);
            assert!(run.code == 2 && run.err.contains(hint), "{args:?}: {}", run.err);
        }
        let run = folder.run_with(&["protect", "-"], &bytes);
        assert!(run.code == 2 && run.err.contains(hint) && run.out.is_empty(), "{}", run.err);
    }
}

#[test]
fn text_about_such_files_is_text() {
    let folder = Folder::new();
    for text in [
        "PDF files begin with %PDF-1.7.\n",
        "PK is short for Phil Katz.\n",
        "GIF or PNG?\n",
        "RIFF and WAVE\n",
        "{rtf}\n",
    ] {
        folder.write("a.txt", text);
        let run = folder.run(&["protect", "a.txt", "--preset", "basic"]);
        assert_eq!(run.code, 0, "{text}: {}", run.err);
    }
}
