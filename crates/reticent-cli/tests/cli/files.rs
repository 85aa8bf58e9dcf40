//! Files as people have them: a Word letter, a page, a note, tables; and files that are broken.

use std::collections::{BTreeMap, HashSet};
use std::io::{Cursor, Read as _, Write as _};

use flate2::Compression;
use flate2::read::MultiGzDecoder;
use flate2::write::GzEncoder;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipArchive, ZipWriter};

use crate::common::Folder;

const LETTER: &[u8] = include_bytes!("../../../../examples/letter.docx");
const PAGE: &str = include_str!("../../../../examples/page.html");
const NOTE: &str = include_str!("../../../../examples/note.md");
const PRESETS: [&str; 3] = ["basic", "hipaa-safe-harbor", "gdpr"];

/// What must not be told, in small letters: people, firms, addresses, numbers and days.
const SECRETS: [&str; 38] = [
    "linehan",
    "maeve",
    "okafor",
    "albarrac",
    "brennan",
    "roche",
    "kavanagh",
    "gallagher",
    "mulcahy",
    "doyle",
    "tierney",
    "aoife",
    "bhriain",
    "bhr&iacute;ain",
    "ciar",
    "chidi",
    "orla",
    "niamh",
    "declan",
    "patrick",
    "fergus",
    "larkspur",
    "example.org",
    "900461",
    "900 461",
    "07700 900327",
    "07700900327",
    "900328",
    "7946",
    "943 476",
    "5919",
    "4471902",
    "gb82",
    "17 march",
    "july",
    "1962-07",
    "2024-03",
    "12 may",
];

fn assert_tells_nothing(name: &str, released: &str) {
    let small = released.to_lowercase();
    for secret in SECRETS {
        assert!(!small.contains(secret), "{name} tells {secret}");
    }
}

/// The parts of a Word document by name.
fn parts(bytes: &[u8]) -> BTreeMap<String, Vec<u8>> {
    let mut archive = ZipArchive::new(Cursor::new(bytes)).unwrap();
    let mut parts = BTreeMap::new();
    for index in 0..archive.len() {
        let mut part = Vec::new();
        let mut entry = archive.by_index(index).unwrap();
        entry.read_to_end(&mut part).unwrap();
        parts.insert(entry.name().unwrap().into_owned(), part);
    }
    parts
}

/// Every tag with its attributes' names, without what is told.
fn skeleton(xml: &str) -> Vec<String> {
    let mut reader = quick_xml::Reader::from_str(xml);
    let mut tags = Vec::new();
    loop {
        match reader.read_event().expect("well-formed") {
            quick_xml::events::Event::Eof => return tags,
            quick_xml::events::Event::Start(tag) | quick_xml::events::Event::Empty(tag) => {
                let attributes = tag.attributes().map(|a| format!("{:?}", a.expect("well-formed").key));
                tags.push(format!("{:?} {}", tag.name(), attributes.collect::<Vec<_>>().join(" ")));
            }
            _ => {}
        }
    }
}

/// The values of an attribute, wherever it stands.
fn values<'a>(xml: &'a str, attribute: &str) -> Vec<&'a str> {
    xml.split(&format!(" {attribute}=\"")).skip(1).map(|rest| rest.split('"').next().unwrap()).collect()
}

#[test]
fn a_letter_tells_nothing_in_any_part_and_stays_a_letter() {
    let folder = Folder::new();
    folder.write("letter.docx", LETTER);
    let original = parts(LETTER);
    for preset in PRESETS {
        let run = folder.run(&["protect", "letter.docx", "--preset", preset, "-o", "out.docx", "--force"]);
        assert_eq!(run.code, 0, "{}", run.err);
        let released = parts(&std::fs::read(folder.path("out.docx")).unwrap());
        let removed: Vec<&String> = original.keys().filter(|name| !released.contains_key(*name)).collect();
        let opaque = |name: &&String| name.starts_with("customXml/") || name.starts_with("word/media/");
        assert!(removed.iter().all(opaque) && removed.len() == 4, "{removed:?}");
        assert!(run.err.contains("picture (1)") && run.err.contains("custom XML data (2)"), "{}", run.err);
        // The picture goes with its drawing, and its relationship and type.
        let rewritten = ["[Content_Types].xml", "word/_rels/document.xml.rels", "word/document.xml"];
        for (name, part) in &released {
            let (xml, before) =
                (std::str::from_utf8(part).unwrap(), std::str::from_utf8(&original[name]).unwrap());
            assert_tells_nothing(name, xml);
            if !rewritten.contains(&name.as_str()) {
                assert_eq!(skeleton(xml), skeleton(before), "{name}: runs keep their formatting");
            }
        }
        let text = |name: &str| std::str::from_utf8(&released[name]).unwrap();
        let document = text("word/document.xml");
        assert!(document.contains("<w:r><w:t>[picture removed]</w:t></w:r>"));
        for kept in ["<w:b/><w:i/>", "bisoprolol 5 mg", "142/86", "Discharge letter", " HYPERLINK \"mailto:"]
        {
            assert!(document.contains(kept), "{preset}: {kept}");
        }
        for (part, attribute) in [("word/document.xml", "w:date"), ("word/comments.xml", "w:date")] {
            for date in values(text(part), attribute) {
                assert!(date.len() == 20 && date.ends_with("-01-01T00:00:00Z"), "{preset}: {date}");
            }
        }
        for name in values(document, "w:name") {
            assert!(
                name.len() <= 40 && name.starts_with(char::is_alphabetic) && !name.contains(['[', ' ']),
                "{name}"
            );
        }
        assert!(values(text("word/comments.xml"), "w:initials").iter().all(|initials| initials.len() <= 9));
        let ids = values(document, "w:id");
        let changes: Vec<_> = ids.iter().filter(|id| id.len() == 3).collect();
        assert_eq!(changes.iter().collect::<HashSet<_>>().len(), changes.len(), "ids are unique");
        assert!(text("docProps/app.xml").contains("<Application>Microsoft Office Word</Application>"));
        let run = folder.run(&["verify", "out.docx", "--preset", preset]);
        assert_eq!(run.code, 0, "{}{}", run.out, run.err);
    }
}

#[test]
fn a_page_tells_nothing_and_stays_a_page() {
    let folder = Folder::new();
    folder.write("page.html", PAGE);
    for preset in PRESETS {
        let run = folder.run(&["protect", "page.html", "--preset", preset, "-o", "out.html", "--force"]);
        assert_eq!(run.code, 0, "{}", run.err);
        let page = folder.read("out.html");
        assert_tells_nothing("page.html", &page);
        for kept in [
            "<!DOCTYPE html>",
            "\"@context\": \"https://schema.org\"",
            "<meta charset=\"utf-8\">",
            "40&nbsp;km",
            "5 &lt; 6 &amp; 7",
            "<a href=\"mailto:[EMAIL_ADDRESS]?subject=",
            "<a href=\"tel:[PHONE_NUMBER]\">",
        ] {
            assert!(page.contains(kept), "{preset}: {kept} in {page}");
        }
        let tags = |html: &str| html.matches('<').count();
        assert_eq!(tags(&page), tags(PAGE), "no tag comes or goes");
        let json = page.split_once("ld+json\">").unwrap().1.split_once("</script>").unwrap().0;
        assert!(serde_json::from_str::<serde_json::Value>(json).is_ok(), "{json}");
    }
}

#[test]
fn a_note_tells_nothing_and_stays_a_note() {
    let folder = Folder::new();
    folder.write("note.md", NOTE);
    for preset in PRESETS {
        let run = folder.run(&["protect", "note.md", "--preset", preset, "-o", "out.md", "--force"]);
        assert_eq!(run.code, 0, "{}", run.err);
        let note = folder.read("out.md");
        assert_tells_nothing("note.md", &note);
        assert_eq!(note.lines().count(), NOTE.lines().count());
        for kept in [
            "tags: [cardiology, follow-up]",
            "- [x] blood pressure 142/86",
            "|---|---|---|",
            "\"ward\": 7}",
            "[^1]: ",
        ] {
            assert!(note.contains(kept), "{preset}: {kept} in {note}");
        }
        for line in note.lines() {
            assert!(!line.contains("****") && line.matches('*').count() % 2 == 0, "{preset}: {line}");
        }
    }
}

#[test]
fn tables_keep_their_shape() {
    let folder = Folder::new();
    for (name, rows, released) in [
        (
            "comma.csv",
            "id,text,note\r\n1,a.b@example.org,c.d@example.org\r\n",
            "id,text,note\r\n1,[EMAIL_ADDRESS],[EMAIL_ADDRESS]\r\n",
        ),
        (
            "semicolon.csv",
            "id;text;note\n1;\"a;\nb, c.d@example.org\";\"x \"\"y\"\"\"\n",
            "id;text;note\n1;\"a;\nb, [EMAIL_ADDRESS]\";\"x \"\"y\"\"\"\n",
        ),
        ("mark.csv", "\u{feff}text,note\na.b@example.org,\n", "\u{feff}text,note\n[EMAIL_ADDRESS],\n"),
        ("tabs.tsv", "text\tnote\na.b@example.org\t\"q\"\n", "text\tnote\n[EMAIL_ADDRESS]\t\"q\"\n"),
        ("header.csv", "text,note\n", "text,note\n"),
        ("blank.jsonl", "", ""),
    ] {
        folder.write(name, rows);
        let run = folder.run(&[
            "protect",
            name,
            "--text-field",
            "text",
            "--text-field",
            "note",
            "-o",
            "out",
            "--force",
        ]);
        assert_eq!(run.code, 0, "{name}: {}", run.err);
        assert_eq!(folder.read("out"), released, "{name}");
    }
}

#[test]
fn packed_rows_come_in_and_go_out() {
    let folder = Folder::new();
    let mut packer = GzEncoder::new(Vec::new(), Compression::default());
    packer.write_all(b"{\"text\": \"a.b@example.org\"}\n").unwrap();
    let packed = packer.finish().unwrap();
    folder.write("rows.jsonl.gz", &packed);
    let run = folder.run(&["protect", "rows.jsonl.gz", "-o", "out.jsonl.gz"]);
    assert_eq!(run.code, 0, "{}", run.err);
    let mut text = String::new();
    MultiGzDecoder::new(std::fs::File::open(folder.path("out.jsonl.gz")).unwrap())
        .read_to_string(&mut text)
        .unwrap();
    assert!(text.starts_with("{\"text\": \"[EMAIL_ADDRESS]\""), "{text}");

    folder.write("cut.jsonl.gz", &packed[..packed.len() - 12]);
    let run = folder.run(&["protect", "cut.jsonl.gz", "-o", "cut"]);
    assert_eq!(run.code, 2);
    assert!(run.err.contains("cut.jsonl.gz") && run.err.contains("hint"), "{}", run.err);
    assert!(!folder.path("cut").exists());
}

fn zipped(files: &[(&str, &[u8])]) -> Vec<u8> {
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, content) in files {
        let options = SimpleFileOptions::default().compression_method(CompressionMethod::Deflated);
        writer.start_file(*name, options).unwrap();
        writer.write_all(content).unwrap();
    }
    writer.finish().unwrap().into_inner()
}

/// A Word document with this main part.
fn package(document: &[u8]) -> Vec<u8> {
    let types = "<Types><Override PartName=\"/word/document.xml\" ContentType=\"application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml\"/></Types>";
    let relations = "<Relationships><Relationship Id=\"rId1\" Type=\"http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument\" Target=\"word/document.xml\"/></Relationships>";
    zipped(&[
        ("[Content_Types].xml", types.as_bytes()),
        ("_rels/.rels", relations.as_bytes()),
        ("word/document.xml", document),
    ])
}

#[test]
fn what_is_no_sound_file_is_refused_with_a_hint() {
    let folder = Folder::new();
    let mut locked = LETTER.to_vec();
    for (signature, flags) in [(b"PK\x03\x04", 6), (b"PK\x01\x02", 8)] {
        let places: Vec<usize> = locked
            .windows(4)
            .enumerate()
            .filter(|(_, window)| window == signature)
            .map(|(at, _)| at)
            .collect();
        for at in places {
            locked[at + flags] |= 1;
        }
    }
    folder.write("policy.toml", "[limits]\nmax_row_bytes = 1000000");
    let long = format!("{{\"text\": \"{}\"}}\n", "Linehan ".repeat(1 << 18));
    folder.write("long.jsonl", long);
    let run = folder.run(&["protect", "long.jsonl", "--policy", "policy.toml"]);
    assert_eq!((run.code, run.out.as_str()), (1, "{\"withheld\":\"limit\"}\n"), "{}", run.err);
    assert!(run.err.contains("line 1") && !run.err.contains("Linehan"), "{}", run.err);
    let broken: [(&str, Vec<u8>, &str); 8] = [
        ("cut.docx", LETTER[..LETTER.len() / 2].to_vec(), "truncated"),
        ("bomb.docx", package(&vec![0; 10 << 20]), "limits"),
        ("locked.docx", locked, "encrypted"),
        ("old.docx", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1 Linehan".to_vec(), ".doc"),
        ("pdf.docx", b"%PDF-1.7\n(Linehan)".to_vec(), "PDF"),
        ("sheet.docx", zipped(&[("xl/workbook.xml", b"<a>Linehan</a>")]), "not a Word document"),
        ("xml.docx", package(b"<a>Linehan</b>"), "XML"),
        ("empty.csv", Vec::new(), "header"),
    ];
    for (name, bytes, told) in broken {
        folder.write(name, bytes);
        let before = folder.names();
        let run = folder.run(&["protect", name, "--policy", "policy.toml", "-o", "out"]);
        assert_eq!((run.code, run.out.as_str()), (2, ""), "{name}: {}", run.err);
        assert!(run.err.contains(name) && run.err.contains(told) && run.err.contains("hint"), "{}", run.err);
        assert!(!run.err.contains("Linehan"), "{name}");
        assert_eq!(folder.names(), before, "{name}: nothing is written");
    }
}
