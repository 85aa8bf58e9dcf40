//! Word packages built in code, and searched in every form that text takes in them.

use std::fmt::Write as _;
use std::io::{Cursor, Read as _, Write as _};

use zip::write::SimpleFileOptions;
use zip::{ZipArchive, ZipWriter};

const OFFICE: &str = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const WORD: &str = "application/vnd.openxmlformats-officedocument.wordprocessingml";

/// A Word document to be: its body, and further parts with how they are reached.
pub(crate) struct Package {
    body: String,
    root: String,
    relations: String,
    types: String,
    parts: Vec<(String, Vec<u8>)>,
}

impl Package {
    pub(crate) fn new(body: &str) -> Self {
        Self {
            body: body.to_owned(),
            root: String::new(),
            relations: String::new(),
            types: String::new(),
            parts: Vec::new(),
        }
    }

    /// Adds a part without any relationship.
    pub(crate) fn orphan(mut self, name: &str, bytes: impl AsRef<[u8]>) -> Self {
        self.parts.push((name.to_owned(), bytes.as_ref().to_vec()));
        self
    }

    /// Adds a part that the main document refers to.
    pub(crate) fn part(self, id: &str, kind: &str, name: &str, bytes: impl AsRef<[u8]>) -> Self {
        self.relation(id, kind, &format!("/{name}"), "").orphan(name, bytes)
    }

    /// Adds a part that the package refers to.
    pub(crate) fn root(mut self, kind: &str, name: &str, bytes: impl AsRef<[u8]>) -> Self {
        let at = self.parts.len();
        let _ = write!(self.root, "<Relationship Id=\"r{at}\" Type=\"{kind}\" Target=\"{name}\"/>");
        self.orphan(name, bytes)
    }

    /// Adds a relationship of the main document.
    pub(crate) fn relation(mut self, id: &str, kind: &str, target: &str, mode: &str) -> Self {
        let kind = if kind.contains(':') { kind.to_owned() } else { format!("{OFFICE}/{kind}") };
        let _ =
            write!(self.relations, "<Relationship Id=\"{id}\" Type=\"{kind}\" Target=\"{target}\"{mode}/>");
        self
    }

    /// Declares the type of a part.
    pub(crate) fn content_type(mut self, name: &str, kind: &str) -> Self {
        let _ = write!(self.types, "<Override PartName=\"/{name}\" ContentType=\"{kind}\"/>");
        self
    }

    /// All files of the archive.
    pub(crate) fn files(self) -> Vec<(String, Vec<u8>)> {
        let relations = |inner: &str| {
            format!("<?xml version=\"1.0\" encoding=\"UTF-8\"?><Relationships xmlns=\"http://schemas.openxmlformats.org/package/2006/relationships\">{inner}</Relationships>").into_bytes()
        };
        let types = format!(
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?><Types xmlns=\"http://schemas.openxmlformats.org/package/2006/content-types\"><Default Extension=\"rels\" ContentType=\"application/vnd.openxmlformats-package.relationships+xml\"/><Default Extension=\"xml\" ContentType=\"application/xml\"/><Override PartName=\"/word/document.xml\" ContentType=\"{WORD}.document.main+xml\"/>{}</Types>",
            self.types
        );
        let root = format!(
            "<Relationship Id=\"rId1\" Type=\"{OFFICE}/officeDocument\" Target=\"word/document.xml\"/>{}",
            self.root
        );
        let mut files = vec![
            ("[Content_Types].xml".to_owned(), types.into_bytes()),
            ("_rels/.rels".to_owned(), relations(&root)),
            ("word/document.xml".to_owned(), document(&self.body).into_bytes()),
            ("word/_rels/document.xml.rels".to_owned(), relations(&self.relations)),
        ];
        files.extend(self.parts);
        files
    }

    pub(crate) fn zipped(self) -> Vec<u8> {
        zip(&self.files())
    }
}

/// The main document with this body.
pub(crate) fn document(body: &str) -> String {
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\"?><w:document xmlns:w=\"http://schemas.openxmlformats.org/wordprocessingml/2006/main\" xmlns:r=\"{OFFICE}\" xmlns:v=\"urn:schemas-microsoft-com:vml\" xmlns:o=\"urn:schemas-microsoft-com:office:office\" xmlns:wp=\"http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing\" xmlns:a=\"http://schemas.openxmlformats.org/drawingml/2006/main\" xmlns:pic=\"http://schemas.openxmlformats.org/drawingml/2006/picture\" xmlns:c=\"http://schemas.openxmlformats.org/drawingml/2006/chart\"><w:body>{body}</w:body></w:document>"
    )
}

pub(crate) fn paragraph(text: &str) -> String {
    format!("<w:p><w:r><w:t>{text}</w:t></w:r></w:p>")
}

/// A picture as Word shows it.
pub(crate) fn drawing(id: &str) -> String {
    format!(
        "<w:p><w:r><w:drawing><wp:inline><wp:extent cx=\"548640\" cy=\"548640\"/><wp:docPr id=\"1\" name=\"Picture 1\"/><a:graphic><a:graphicData uri=\"http://schemas.openxmlformats.org/drawingml/2006/picture\"><pic:pic><pic:blipFill><a:blip r:embed=\"{id}\"/></pic:blipFill></pic:pic></a:graphicData></a:graphic></wp:inline></w:drawing></w:r></w:p>"
    )
}

pub(crate) fn zip(files: &[(String, Vec<u8>)]) -> Vec<u8> {
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, content) in files {
        writer.start_file(name.as_str(), SimpleFileOptions::default()).unwrap();
        writer.write_all(content).unwrap();
    }
    writer.finish().unwrap().into_inner()
}

pub(crate) fn unzip(bytes: &[u8]) -> Vec<(String, Vec<u8>)> {
    let mut archive = ZipArchive::new(Cursor::new(bytes)).unwrap();
    (0..archive.len())
        .map(|index| {
            let mut entry = archive.by_index(index).unwrap();
            assert!(entry.comment().is_empty());
            let mut content = Vec::new();
            entry.read_to_end(&mut content).unwrap();
            (entry.name().unwrap().into_owned(), content)
        })
        .collect()
}

/// Whether a word stands in bytes, as UTF-8 or UTF-16, in any case.
pub(crate) fn holds(bytes: &[u8], word: &str) -> bool {
    let small = bytes.to_ascii_lowercase();
    let word = word.to_ascii_lowercase();
    let little: Vec<u8> = word.encode_utf16().flat_map(u16::to_le_bytes).collect();
    let big: Vec<u8> = word.encode_utf16().flat_map(u16::to_be_bytes).collect();
    [word.into_bytes(), little, big].iter().any(|form| small.windows(form.len()).any(|window| window == form))
}

/// Asserts that a package holds a word nowhere: not packed, not unpacked, not in a name.
pub(crate) fn assert_free_of(what: &str, bytes: &[u8], word: &str) {
    assert!(!holds(bytes, word), "{what}: the archive itself holds the word");
    for (name, content) in unzip(bytes) {
        assert!(!holds(name.as_bytes(), word), "{what}: a name");
        assert!(!holds(&content, word), "{what}: {name}: {}", String::from_utf8_lossy(&content));
    }
}
