//! Word documents: nothing of the subject leaves in any corner of the package.

use std::io::{Cursor, Write as _};

use zip::ZipWriter;
use zip::write::SimpleFileOptions;

use crate::common::{Folder, Run};
use crate::package::{Package, assert_free_of, drawing, paragraph, unzip, zip};

const NAME: &str = "Zyxomma Quillfeather";
const WORDS: [&str; 2] = ["Zyxomma", "Quillfeather"];
const PICTURE: &[u8] = b"\x89PNG Zyxomma Quillfeather";

fn body() -> String {
    paragraph(&format!("Report on {NAME}, who takes 5 mg once a day."))
}

fn protect(folder: &Folder, bytes: &[u8], more: &[&str]) -> Run {
    folder.write("in.docx", bytes);
    let args = ["protect", "in.docx", "--subject", NAME, "--method", "names", "-o", "out.docx"];
    folder.run(&[&args, more].concat())
}

/// Protects a document and asserts that it leaves with exit code 0 and without the subject.
fn released(what: &str, bytes: &[u8]) -> (Vec<u8>, Run) {
    let folder = Folder::new();
    let run = protect(&folder, bytes, &[]);
    assert_eq!(run.code, 0, "{what}: {}", run.err);
    assert!(WORDS.iter().all(|word| !run.err.contains(word)), "{what}: {}", run.err);
    let out = std::fs::read(folder.path("out.docx")).unwrap();
    for word in WORDS {
        assert_free_of(what, &out, word);
    }
    let args = ["verify", "out.docx", "--subject", NAME, "--method", "names"];
    let verified = folder.run(&args);
    assert_eq!(verified.code, 0, "{what}: {}{}", verified.out, verified.err);
    (out, run)
}

fn text_of(out: &[u8], part: &str) -> String {
    let found = unzip(out).into_iter().find(|(name, _)| name == part).expect("the part is there");
    String::from_utf8(found.1).unwrap()
}

#[test]
fn opaque_parts_are_removed_and_reported() {
    let sheet = zip(&[("xl/workbook.xml".to_owned(), format!("<a>{NAME}</a>").into_bytes())]);
    let vba = "http://schemas.microsoft.com/office/2006/relationships/vbaProject";
    let object = "<w:p><w:r><w:object><v:shape id=\"_x0000_i1025\"><v:imagedata r:id=\"rId21\"/></v:shape><o:OLEObject Type=\"Embed\" ProgID=\"Excel.Sheet.12\" r:id=\"rId20\"/></w:object></w:r></w:p>";
    let cases: Vec<(&str, Package, &str)> = vec![
        (
            "workbook",
            Package::new(&(body() + object))
                .part("rId20", "package", "word/embeddings/sheet1.xlsx", &sheet)
                .part("rId21", "image", "word/media/image1.emf", PICTURE),
            "embedded object (1)",
        ),
        (
            "OLE object",
            Package::new(&(body() + object))
                .part("rId20", "oleObject", "word/embeddings/oleObject1.bin", PICTURE)
                .part("rId21", "image", "word/media/image1.emf", PICTURE),
            "embedded object (1)",
        ),
        ("macro", Package::new(&body()).part("rId20", vba, "word/vbaProject.bin", PICTURE), "macro (1)"),
        (
            "thumbnail",
            Package::new(&body()).root(
                "http://schemas.openxmlformats.org/package/2006/relationships/metadata/thumbnail",
                "docProps/thumbnail.jpeg",
                PICTURE,
            ),
            "thumbnail (1)",
        ),
        (
            "altChunk",
            Package::new(&(body() + "<w:altChunk r:id=\"rId20\"/>")).part(
                "rId20",
                "aFChunk",
                "word/chunk1.html",
                format!("<p>{NAME}</p>"),
            ),
            "imported chunk (altChunk) (1)",
        ),
        ("orphan", Package::new(&body()).orphan("word/more.bin", PICTURE), "part without a relationship (1)"),
        (
            "orphan XML",
            Package::new(&body()).orphan("word/more.xml", format!("<a b=\"{NAME}\"/>")),
            "part without a relationship (1)",
        ),
        (
            "name of a part",
            Package::new(&(body() + &drawing("rId20"))).part(
                "rId20",
                "image",
                "word/media/Zyxomma Quillfeather passport.png",
                PICTURE,
            ),
            "picture (1)",
        ),
        (
            "custom data",
            Package::new(&body()).part(
                "rId20",
                "customXml",
                "customXml/item-Quillfeather.xml",
                format!("<Zyxomma xmlns=\"urn:x\"><b>{NAME}</b></Zyxomma>"),
            ),
            "custom XML data (1)",
        ),
        (
            "font",
            Package::new(&body()).part(
                "rId20",
                "fontTable",
                "word/fontTable.xml",
                "<w:fonts xmlns:w=\"http://schemas.openxmlformats.org/wordprocessingml/2006/main\"><w:font w:name=\"Zyxomma Quillfeather\"/></w:fonts>",
            ).part("rId21", "font", "word/fonts/font1.odttf", PICTURE),
            "embedded font (1)",
        ),
        (
            "template",
            Package::new(&body()).relation(
                "rId20",
                "attachedTemplate",
                "file:///C:/Users/Zyxomma.Quillfeather/Normal.dotm",
                " TargetMode=\"External\"",
            ),
            "link to a template (1)",
        ),
    ];
    for (what, package, reported) in cases {
        let (out, run) = released(what, &package.zipped());
        assert!(run.err.contains(reported), "{what}: {}", run.err);
        let document = text_of(&out, "word/document.xml");
        for gone in ["rId20", "<w:object", "<w:drawing", "altChunk"] {
            assert!(!document.contains(gone), "{what}: {document}");
        }
        let names: Vec<String> = unzip(&out).into_iter().map(|(name, _)| name).collect();
        let relations = text_of(&out, "word/_rels/document.xml.rels") + &text_of(&out, "[Content_Types].xml");
        for target in relations.split("Target=\"/").chain(relations.split("PartName=\"/")).skip(1) {
            let target = target.split('"').next().unwrap();
            assert!(
                !target.contains('.') || target.contains('<') || names.iter().any(|name| name == target),
                "{what}: {target}"
            );
        }
    }
}

#[test]
fn a_picture_leaves_a_placeholder() {
    let package =
        Package::new(&(body() + &drawing("rId20"))).part("rId20", "image", "word/media/image1.png", PICTURE);
    let (out, _) = released("picture", &package.zipped());
    assert!(text_of(&out, "word/document.xml").contains("<w:r><w:t>[picture removed]</w:t></w:r>"));
}

#[test]
fn attachments_are_kept_only_with_exit_code_1() {
    let package = || {
        Package::new(&(body() + &drawing("rId20"))).part(
            "rId20",
            "image",
            "word/media/image1.png",
            b"\x89PNG",
        )
    };
    let folder = Folder::new();
    let run = protect(&folder, &package().zipped(), &["--keep-attachments"]);
    assert_eq!(run.code, 1, "{}", run.err);
    assert!(run.err.contains("not examined: picture word/media/image1.png"), "{}", run.err);
    let out = std::fs::read(folder.path("out.docx")).unwrap();
    assert!(unzip(&out).iter().any(|(name, _)| name == "word/media/image1.png"));
    let common = ["--subject", NAME, "--method", "names"];
    let verified = folder.run(&[&["verify", "out.docx"], &common[..]].concat());
    assert_eq!(verified.code, 1);
    assert!(verified.err.contains("picture word/media/image1.png"), "{}", verified.err);

    for (flag, code) in [(&["--keep-attachments"][..], 1), (&[], 0)] {
        let planned =
            folder.run(&[&["plan", "in.docx", "-o", "plan.json", "--force"], &common[..], flag].concat());
        assert_eq!(planned.code, code, "{}", planned.err);
        let args = ["apply", "in.docx", "--plan", "plan.json", "-o", "applied.docx", "--force"];
        let applied = folder.run(&[&args, &common[..], flag].concat());
        assert_eq!(applied.code, code, "{}", applied.err);
        let args = ["verify", "applied.docx", "--original", "in.docx", "--plan", "plan.json"];
        let verified = folder.run(&[&args, &common[..], flag].concat());
        assert_eq!(verified.code, code, "{}{}", verified.out, verified.err);
    }
}

#[test]
fn the_archive_hides_nothing() {
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, content) in Package::new(&body()).files() {
        let options = SimpleFileOptions::default();
        writer.start_file(name.as_str(), options).unwrap();
        writer.write_all(&content).unwrap();
    }
    writer.set_comment(NAME).unwrap();
    let commented = writer.finish().unwrap().into_inner();
    let (_, run) = released("comment of the archive", &commented);
    assert!(run.err.contains("comment or other data of the archive"), "{}", run.err);

    let plain = Package::new(&body()).zipped();
    released("bytes before", &[NAME.as_bytes(), &plain].concat());
    released("local extra field", &with_extra_field(&plain));
}

/// The archive with an extra field in its first local header and its first central header.
fn with_extra_field(plain: &[u8]) -> Vec<u8> {
    let mut field = vec![0x34, 0x12, u8::try_from(NAME.len()).unwrap(), 0];
    field.extend_from_slice(NAME.as_bytes());
    let length = u16::try_from(field.len()).unwrap();
    let mut out = plain.to_vec();
    let find =
        |bytes: &[u8], signature: &[u8]| bytes.windows(4).position(|window| window == signature).unwrap();
    let word = |bytes: &[u8], at: usize| usize::from(u16::from_le_bytes([bytes[at], bytes[at + 1]]));
    let central = find(&out, b"PK\x01\x02");
    let name = word(&out, central + 28);
    out[central + 30..central + 32].copy_from_slice(&length.to_le_bytes());
    out.splice(central + 46 + name..central + 46 + name, field.iter().copied());
    let end = find(&out, b"PK\x05\x06");
    let size = u32::from_le_bytes(out[end + 12..end + 16].try_into().unwrap()) + u32::from(length);
    out[end + 12..end + 16].copy_from_slice(&size.to_le_bytes());
    out
}

#[test]
fn attributes_and_identifiers_are_examined() {
    let word = "xmlns:w=\"http://schemas.openxmlformats.org/wordprocessingml/2006/main\"";
    let styles = format!(
        "<w:styles {word}><w:style w:type=\"paragraph\" w:customStyle=\"1\" w:styleId=\"ZyxommaQuillfeather\"><w:name w:val=\"Zyxomma Quillfeather letter\"/><w:basedOn w:val=\"Normal\"/></w:style></w:styles>"
    );
    let run = |inner: &str| format!("<w:p><w:r>{inner}</w:r></w:p>");
    let cases: Vec<(&str, String)> = vec![
        ("docPart", "<w:sdt><w:sdtPr><w:placeholder><w:docPart w:val=\"Zyxomma Quillfeather\"/></w:placeholder></w:sdtPr><w:sdtContent/></w:sdt>".to_owned()),
        ("content control", "<w:sdt><w:sdtPr><w:alias w:val=\"Zyxomma Quillfeather\"/><w:tag w:val=\"Zyxomma_Quillfeather\"/></w:sdtPr><w:sdtContent/></w:sdt>".to_owned()),
        ("VML", run("<w:pict><v:shape id=\"Zyxomma Quillfeather\" alt=\"Zyxomma Quillfeather\" o:spid=\"Zyxomma-Quillfeather\" style=\"width:12pt;font-family:Quillfeather\" o:gfxdata=\"Zyxomma\"/></w:pict>")),
        ("docLocation", "<w:p><w:hyperlink w:docLocation=\"Zyxomma Quillfeather\" w:anchor=\"Zyxomma_Quillfeather\"><w:r><w:t>x</w:t></w:r></w:hyperlink></w:p>".to_owned()),
        ("hidden bookmark", "<w:p><w:bookmarkStart w:id=\"0\" w:name=\"_Zyxomma_Quillfeather\"/><w:bookmarkEnd w:id=\"0\"/></w:p>".to_owned()),
        ("style", "<w:p><w:pPr><w:pStyle w:val=\"ZyxommaQuillfeather\"/></w:pPr><w:r><w:t>x</w:t></w:r></w:p>".to_owned()),
        ("symbol", "<w:p><w:r><w:t>Zyx</w:t><w:sym w:font=\"Arial\" w:char=\"F06F\"/><w:t>mma Quillfeather</w:t></w:r></w:p>".to_owned()),
        ("font", run("<w:rPr><w:rFonts w:ascii=\"Zyxomma Quillfeather\"/></w:rPr><w:t>x</w:t>")),
        ("enumeration", "<w:p><w:pPr><w:jc w:val=\"Quillfeather\"/></w:pPr></w:p>".to_owned()),
        ("foreign vocabulary", "<w:p><z:Zyxomma xmlns:z=\"urn:Quillfeather\" z:a=\"Zyxomma\">Quillfeather</z:Zyxomma></w:p>".to_owned()),
        ("field data", run("<w:fldChar w:fldCharType=\"begin\"><w:fldData>Zyxomma</w:fldData></w:fldChar>")),
        ("field code", run("<w:instrText> HYPERLINK \"mailto:x@x.org?subject=Zyxomma%20Quillfeather\" </w:instrText>")),
        ("custom XML element", "<w:customXml w:uri=\"urn:Quillfeather\" w:element=\"Zyxomma\"><w:p/></w:customXml>".to_owned()),
        ("ruby", "<w:p><w:r><w:t>Zyxo</w:t></w:r><w:r><w:ruby><w:rt><w:r><w:t>oh</w:t></w:r></w:rt><w:rubyBase><w:r><w:t>mma</w:t></w:r></w:rubyBase></w:ruby></w:r><w:r><w:t xml:space=\"preserve\"> Quillfeather</w:t></w:r></w:p>".to_owned()),
        ("author", "<w:p><w:ins w:id=\"1\" w:author=\"Zyxomma Quillfeather\" w:date=\"2024-03-09T10:00:00Z\"><w:r><w:t>x</w:t></w:r></w:ins></w:p>".to_owned()),
        ("relationship", "<w:p><w:hyperlink r:id=\"Zyxomma\"><w:r><w:t>x</w:t></w:r></w:hyperlink></w:p>".to_owned()),
    ];
    for (what, hidden) in cases {
        let package = Package::new(&(body() + &hidden))
            .part("rId30", "styles", "word/styles.xml", &styles)
            .relation("Zyxomma", "hyperlink", "https://example.org/", " TargetMode=\"External\"")
            .content_type(
                "word/styles.xml",
                "application/vnd.openxmlformats-officedocument.wordprocessingml.styles+xml",
            );
        let (out, _) = released(what, &package.zipped());
        let document = text_of(&out, "word/document.xml");
        if what == "style" {
            assert!(document.contains("<w:pStyle w:val=\"Style1\"/>"));
            assert!(text_of(&out, "word/styles.xml").contains("w:styleId=\"Style1\""));
        }
        if what == "relationship" {
            assert!(document.contains("r:id=\"rId1001\""), "{document}");
        }
    }
}

#[test]
fn examined_parts_keep_no_names_of_their_own() {
    let header = "<w:hdr xmlns:w=\"http://schemas.openxmlformats.org/wordprocessingml/2006/main\"><w:p><w:r><w:t>Zyxomma Quillfeather</w:t></w:r></w:p></w:hdr>";
    let chart = "<c:chartSpace xmlns:c=\"http://schemas.openxmlformats.org/drawingml/2006/chart\" xmlns:r=\"http://schemas.openxmlformats.org/officeDocument/2006/relationships\"><c:chart><c:strCache><c:pt idx=\"0\"><c:v>Zyxomma Quillfeather</c:v></c:pt></c:strCache></c:chart><c:externalData r:id=\"rId1\"/></c:chartSpace>";
    let relations = "<Relationships xmlns=\"http://schemas.openxmlformats.org/package/2006/relationships\"><Relationship Id=\"rId1\" Type=\"http://schemas.openxmlformats.org/officeDocument/2006/relationships/package\" Target=\"../embeddings/Quillfeather.xlsx\"/></Relationships>";
    let package = Package::new(&body())
        .part("rId20", "header", "word/header-Quillfeather.xml", header)
        .part("rId21", "chart", "word/charts/Zyxomma.xml", chart)
        .orphan("word/charts/_rels/Zyxomma.xml.rels", relations)
        .orphan("word/embeddings/Quillfeather.xlsx", PICTURE);
    let (out, _) = released("names", &package.zipped());
    assert!(text_of(&out, "word/_rels/document.xml.rels").contains("Target=\"header.xml\""));
    assert!(!text_of(&out, "word/charts/chart.xml").contains("externalData"));
    assert!(text_of(&out, "[Content_Types].xml").contains("PartName=\"/word/header.xml\""));
    assert!(text_of(&out, "word/charts/_rels/chart.xml.rels").ends_with("relationships\"></Relationships>"));
}

#[test]
fn a_neutral_date_is_no_violation() {
    let change = "<w:p><w:ins w:id=\"1\" w:author=\"Eva Editor\" w:date=\"2024-01-01T00:00:00Z\"><w:r><w:t>x</w:t></w:r></w:ins></w:p>";
    for preset in ["basic", "hipaa-safe-harbor", "gdpr"] {
        let folder = Folder::new();
        folder.write("in.docx", Package::new(&(paragraph("The dose is 5 mg.") + change)).zipped());
        let run = folder.run(&["protect", "in.docx", "--preset", preset, "-o", "out.docx"]);
        assert_eq!(run.code, 0, "{preset}: {}", run.err);
        let verified = folder.run(&["verify", "out.docx", "--preset", preset]);
        assert_eq!(verified.code, 0, "{preset}: {}{}", verified.out, verified.err);
    }
}

#[test]
fn damaged_and_hostile_archives_are_refused() {
    let folder = Folder::new();
    let whole = Package::new(&body()).zipped();
    let no_root = zip(&[("word/document.xml".to_owned(), b"<a/>".to_vec())]);
    let deep = Package::new(&("<w:p>".repeat(2000) + &"</w:p>".repeat(2000))).zipped();
    let bomb = Package::new(&body()).orphan("word/a.xml", vec![b' '; 20 << 20]).zipped();
    let bomb_in_use =
        Package::new(&body()).part("rId9", "header", "word/header1.xml", vec![b' '; 20 << 20]).zipped();
    for (what, bytes) in [
        ("cut", whole[..whole.len() / 2].to_vec()),
        ("without relationships", no_root),
        ("deep", deep),
        ("bomb", bomb_in_use),
    ] {
        let run = protect(&folder, &bytes, &[]);
        assert_eq!(run.code, 2, "{what}: {}", run.err);
        assert!(!folder.path("out.docx").exists(), "{what}");
    }
    // A bomb that is never unpacked does no harm.
    assert_eq!(protect(&folder, &bomb, &[]).code, 0);
}

#[test]
fn what_word_writes_stays_byte_for_byte() {
    let word = "xmlns:w=\"http://schemas.openxmlformats.org/wordprocessingml/2006/main\"";
    let styles = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\"?>\r\n<w:styles {word} xmlns:mc=\"http://schemas.openxmlformats.org/markup-compatibility/2006\" xmlns:w14=\"http://schemas.microsoft.com/office/word/2010/wordml\" mc:Ignorable=\"w14\"><w:docDefaults><w:rPrDefault><w:rPr><w:rFonts w:asciiTheme=\"minorHAnsi\" w:cs=\"Times New Roman\"/><w:lang w:val=\"en-GB\" w:eastAsia=\"en-US\" w:bidi=\"ar-SA\"/></w:rPr></w:rPrDefault></w:docDefaults><w:latentStyles w:count=\"376\"><w:lsdException w:name=\"heading 1\" w:uiPriority=\"9\"/></w:latentStyles><w:style w:type=\"paragraph\" w:default=\"1\" w:styleId=\"Normal\"><w:name w:val=\"Normal\"/><w:qFormat/></w:style><w:style w:type=\"character\" w:customStyle=\"1\" w:styleId=\"Heading1Char\"><w:name w:val=\"Heading 1 Char\"/><w:link w:val=\"Heading1\"/></w:style></w:styles>"
    );
    let numbering = format!(
        "<w:numbering {word}><w:abstractNum w:abstractNumId=\"0\"><w:nsid w:val=\"0A1B2C3D\"/><w:multiLevelType w:val=\"hybridMultilevel\"/><w:lvl w:ilvl=\"0\"><w:start w:val=\"1\"/><w:numFmt w:val=\"bullet\"/><w:lvlText w:val=\"\u{f0b7}\"/><w:rPr><w:rFonts w:ascii=\"Symbol\" w:hAnsi=\"Symbol\" w:hint=\"default\"/></w:rPr></w:lvl></w:abstractNum></w:numbering>"
    );
    let layout = "<w:p w:rsidR=\"00AB12CD\"><w:pPr><w:pStyle w:val=\"Heading1\"/><w:spacing w:before=\"240\" w:line=\"259\" w:lineRule=\"auto\"/></w:pPr><w:r><w:t>The dose is 5 mg.</w:t></w:r></w:p><w:sectPr><w:pgSz w:w=\"11906\" w:h=\"16838\"/><w:cols w:space=\"708\"/></w:sectPr>";
    let package = || {
        Package::new(layout)
            .part("rId1", "styles", "word/styles.xml", &styles)
            .part("rId2", "numbering", "word/numbering.xml", &numbering)
            .content_type(
                "word/styles.xml",
                "application/vnd.openxmlformats-officedocument.wordprocessingml.styles+xml",
            )
            .content_type(
                "word/numbering.xml",
                "application/vnd.openxmlformats-officedocument.wordprocessingml.numbering+xml",
            )
    };
    for preset in ["basic", "hipaa-safe-harbor", "gdpr"] {
        let folder = Folder::new();
        folder.write("in.docx", package().zipped());
        let run = folder.run(&["protect", "in.docx", "--preset", preset, "-o", "out.docx"]);
        assert_eq!(run.code, 0, "{preset}: {}", run.err);
        assert!(!run.err.contains("removed"), "{preset}: {}", run.err);
        let out = unzip(&std::fs::read(folder.path("out.docx")).unwrap());
        for ((name, before), (_, after)) in package().files().iter().zip(&out) {
            assert_eq!(String::from_utf8_lossy(before), String::from_utf8_lossy(after), "{preset}: {name}");
        }
    }
}
