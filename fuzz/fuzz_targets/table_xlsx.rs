//! Workbooks: any bytes are refused, or read as a table that comes back when it is written. The bytes are also tried as
//! the sheet of a workbook that is otherwise sound.
#![no_main]

use std::io::{Cursor, Read, Write};

use libfuzzer_sys::fuzz_target;
use reticent::table::{ColumnBuilder, Format, Limits, ReadOptions, Source, Table, read, write};

fn check(bytes: &[u8]) {
    let limits = Limits { max_expanded: 1 << 24, ..Limits::default() };
    let options = ReadOptions { limits, ..ReadOptions::new(Format::Xlsx) };
    let Ok((table, source)) = read(bytes, &options) else { return };
    // A value may be longer than a workbook can hold.
    let Ok(written) = write(&table, &source) else { return };
    let (again, _) = read(&written, &options).expect("what was written can be read");
    assert_eq!(again.columns().len(), table.columns().len());
}

fuzz_target!(|bytes: &[u8]| {
    check(bytes);
    let mut column = ColumnBuilder::new("a");
    column.push(Some("b"));
    let table = Table::new(vec![column.finish()]).expect("a table");
    let sound = write(&table, &Source::plain(Format::Xlsx)).expect("a workbook");
    let mut old = zip::ZipArchive::new(Cursor::new(&sound[..])).expect("an archive");
    let mut new = zip::ZipWriter::new(Cursor::new(Vec::new()));
    for index in 0..old.len() {
        let mut part = old.by_index(index).expect("a part");
        let name = part.name().expect("a name").into_owned();
        let mut content = Vec::new();
        part.read_to_end(&mut content).expect("its content");
        new.start_file(&*name, zip::write::SimpleFileOptions::default()).expect("a new part");
        let sheet = name.ends_with("sheet1.xml");
        new.write_all(if sheet { bytes } else { &content }).expect("written");
    }
    check(&new.finish().expect("packed").into_inner());
});
