//! DOCX: any archive, and any XML in a sound archive, is read or refused, and only edits change it.
#![no_main]

mod shared;

use std::io::{Cursor, Write as _};

use reticent_text::format::FormatKind;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    shared::check(FormatKind::Docx, bytes);
    // A fuzzer hardly finds the checksum of an archive: the parts are what it can reach.
    let mut writer = zip::ZipWriter::new(Cursor::new(Vec::new()));
    let options = zip::write::SimpleFileOptions::default().compression_method(zip::CompressionMethod::Stored);
    let names = ["word/document.xml", "word/comments.xml", "docProps/core.xml", "word/_rels/a.rels", "customXml/a.xml"];
    let name = names[usize::from(bytes.first().copied().unwrap_or(0)) % names.len()];
    for (name, part) in [(name, bytes.get(1..).unwrap_or_default()), ("word/styles.xml", b"<a/>".as_slice())] {
        writer.start_file(name, options).unwrap();
        writer.write_all(part).unwrap();
    }
    shared::check(FormatKind::Docx, &writer.finish().unwrap().into_inner());
});
