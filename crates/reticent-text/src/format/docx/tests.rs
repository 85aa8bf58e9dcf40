use std::io::{Cursor, Write as _};

use proptest::prelude::*;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

use super::super::{FormatKind, decode, encode};
use super::*;
use crate::{RegionKind, Span};

const CONTENT_TYPES: &str = r#"<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="xml" ContentType="application/xml"/></Types>"#;

fn pack(parts: &[(&str, &[u8])]) -> Vec<u8> {
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, bytes) in parts {
        let method = if name.starts_with("word/media") {
            CompressionMethod::Stored
        } else {
            CompressionMethod::Deflated
        };
        writer.start_file(*name, SimpleFileOptions::default().compression_method(method)).unwrap();
        writer.write_all(bytes).unwrap();
    }
    writer.finish().unwrap().into_inner()
}

fn with_body(body: &str) -> Vec<u8> {
    let xml = format!(
        "<?xml version=\"1.0\"?><w:document xmlns:w=\"http://schemas.openxmlformats.org/wordprocessingml/2006/main\"><w:body>{body}</w:body></w:document>"
    );
    pack(&[("[Content_Types].xml", CONTENT_TYPES.as_bytes()), ("word/document.xml", xml.as_bytes())])
}

fn read(bytes: &[u8]) -> Document {
    decode(FormatKind::Docx, "letter", bytes, &Limits::default()).unwrap()
}

fn refuse(bytes: &[u8], limits: &Limits) -> Error {
    decode(FormatKind::Docx, "letter", bytes, limits).unwrap_err()
}

fn unpack(bytes: &[u8], name: &str) -> String {
    let mut archive = Archive::open(bytes).unwrap();
    let index = archive.names().iter().position(|part| part == name).unwrap();
    String::from_utf8(archive.read(index, &Limits::default(), &mut 0).unwrap()).unwrap()
}

fn replace(bytes: &[u8], words: &str, replacement: &str) -> Vec<u8> {
    let document = read(bytes);
    let at = document.text().find(words).expect("the words are in the text");
    let edit = Edit { span: Span::new(at, at + words.len()), replacement: replacement.to_owned() };
    encode(FormatKind::Docx, &document, bytes, &[edit]).unwrap()
}

/// What Word writes, in small.
fn like_word() -> Vec<u8> {
    let document = r#"<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing" xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><w:body>
<w:p w:rsidR="00AB12CD"><w:pPr><w:pStyle w:val="Heading1"/><w:tabs><w:tab w:val="left" w:pos="720"/></w:tabs></w:pPr><w:bookmarkStart w:id="0" w:name="Ana_Smith"/><w:bookmarkStart w:id="1" w:name="_GoBack"/><w:r><w:rPr><w:b/></w:rPr><w:t>Jo</w:t></w:r><w:r><w:t xml:space="preserve">hn </w:t></w:r><w:r><w:t>Smith &amp; Co</w:t></w:r></w:p>
<w:p><w:r><w:t>Tel:</w:t><w:tab/><w:t>555</w:t><w:noBreakHyphen/><w:t>0100</w:t><w:br/><w:t>Metz</w:t></w:r></w:p>
<w:tbl><w:tr><w:tc><w:p><w:r><w:t>Cell one</w:t></w:r></w:p></w:tc><w:tc><w:p><w:r><w:t>Cell two</w:t></w:r></w:p></w:tc></w:tr></w:tbl>
<w:p><w:r><w:t>He is </w:t></w:r><w:del w:id="1" w:author="Eva Editor" w:date="2024-03-09T10:00:00Z"><w:r><w:delText>Jon</w:delText></w:r></w:del><w:ins w:id="2" w:author="Eva Editor" w:date="2024-03-09T10:00:00Z"><w:r><w:t>John</w:t></w:r></w:ins><w:r><w:t> now</w:t></w:r></w:p>
<w:p><w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText xml:space="preserve"> HYPER</w:instrText></w:r><w:r><w:instrText>LINK "mailto:john@x.org" </w:instrText></w:r><w:r><w:fldChar w:fldCharType="separate"/></w:r><w:r><w:t>mail</w:t></w:r><w:r><w:fldChar w:fldCharType="end"/></w:r></w:p>
<w:p><w:r><w:t>Outer </w:t></w:r><w:r><w:drawing><wp:docPr id="1" name="Picture 1" descr="Ana on the beach" title="Holiday"/><wp:positionH><wp:posOffset>12700</wp:posOffset></wp:positionH><w:txbxContent><w:p><w:r><w:t>In the box</w:t></w:r></w:p></w:txbxContent></w:drawing></w:r><w:r><w:t>text</w:t></w:r></w:p>
<w:p><w:hyperlink r:id="rId9" w:tooltip="Ana's page"><w:r><w:t>page</w:t></w:r></w:hyperlink><w:fldSimple w:instr=" AUTHOR Ana "><w:r><w:t>by</w:t></w:r></w:fldSimple></w:p>
<!-- written by Ana --></w:body></w:document>"#;
    let note = |text: &str| {
        format!(
            "<w:x xmlns:w=\"http://schemas.openxmlformats.org/wordprocessingml/2006/main\"><w:p><w:r><w:t>{text}</w:t></w:r></w:p></w:x>"
        )
    };
    let comments = "<w:comments xmlns:w=\"http://schemas.openxmlformats.org/wordprocessingml/2006/main\"><w:comment w:id=\"0\" w:author=\"Carl Critic\" w:initials=\"CC\" w:date=\"2024-01-02T03:04:05Z\"><w:p><w:r><w:t>Really?</w:t></w:r></w:p></w:comment></w:comments>";
    let core = r#"<cp:coreProperties xmlns:cp="http://schemas.openxmlformats.org/package/2006/metadata/core-properties" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:dcterms="http://purl.org/dc/terms/" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"><dc:title>Letter to AT&amp;T</dc:title><dc:creator>Ana Author</dc:creator><cp:lastModifiedBy>Bob Boss</cp:lastModifiedBy><cp:revision>4</cp:revision><dcterms:created xsi:type="dcterms:W3CDTF">2024-05-06T07:08:09Z</dcterms:created></cp:coreProperties>"#;
    let app = "<Properties xmlns:vt=\"http://schemas.openxmlformats.org/officeDocument/2006/docPropsVTypes\"><Company>Acme Ltd</Company><Manager>Max Manager</Manager><Pages>2</Pages><Template>Normal.dotm</Template><Application>Microsoft Office Word</Application><TitlesOfParts><vt:vector><vt:lpstr>Part of Ana</vt:lpstr></vt:vector></TitlesOfParts></Properties>";
    let custom = "<Properties xmlns:vt=\"http://schemas.openxmlformats.org/officeDocument/2006/docPropsVTypes\"><property fmtid=\"{D5}\" pid=\"2\" name=\"Client\"><vt:lpwstr>Carla Client</vt:lpwstr></property></Properties>";
    let relation = |id: &str, kind: &str, target: &str| {
        format!(
            "<Relationship Id=\"{id}\" Type=\"http://schemas.openxmlformats.org/officeDocument/2006/relationships/{kind}\" Target=\"{target}\"/>"
        )
    };
    let mut rels = String::from("<Relationships>");
    for (at, kind, target) in [
        (1, "styles", "styles.xml"),
        (2, "header", "header1.xml"),
        (3, "footer", "footer1.xml"),
        (4, "footnotes", "footnotes.xml"),
        (5, "endnotes", "endnotes.xml"),
        (6, "comments", "comments.xml"),
        (7, "people", "people.xml"),
        (8, "chart", "charts/chart1.xml"),
        (10, "image", "media/image1.png"),
        (11, "customXml", "../customXml/item1.xml"),
    ] {
        rels += &relation(&format!("rId{at}"), kind, target);
    }
    rels += &relation("rId9", "hyperlink", "https://ana.org/?a=1&amp;b=2")
        .replace("/>", " TargetMode=\"External\"/>");
    rels += "</Relationships>";
    let mut root = String::from("<Relationships>");
    for (at, kind, target) in [
        (1, "officeDocument", "word/document.xml"),
        (2, "metadata/core-properties", "docProps/core.xml"),
        (3, "extended-properties", "docProps/app.xml"),
        (4, "custom-properties", "docProps/custom.xml"),
        (5, "metadata/thumbnail", "docProps/thumbnail.jpeg"),
    ] {
        let relation = relation(&format!("rId{at}"), kind, target);
        root += &relation
            .replace("officeDocument/2006/relationships/metadata", "package/2006/relationships/metadata");
    }
    root += "</Relationships>";
    let people = r#"<w15:people xmlns:w15="http://schemas.microsoft.com/office/word/2012/wordml"><w15:person w15:author="Pia Person"><w15:presenceInfo w15:providerId="AD" w15:userId="S::pia@x.org::1"/></w15:person></w15:people>"#;
    let chart = "<c:chart xmlns:c=\"http://schemas.openxmlformats.org/drawingml/2006/chart\" xmlns:a=\"http://schemas.openxmlformats.org/drawingml/2006/main\"><a:p><a:r><a:t>Patients of Ana</a:t></a:r></a:p><c:cat><c:strRef><c:strCache><c:pt><c:v>Ward 7</c:v></c:pt></c:strCache></c:strRef></c:cat><c:val><c:numCache><c:pt><c:v>12.5</c:v></c:pt></c:numCache></c:val></c:chart>";
    let item =
        "<root xmlns=\"u\" owner=\"Olga Owner\"><name>Nina Name</name><x><![CDATA[Cid Data]]></x></root>";
    let styles = "<w:styles xmlns:w=\"http://schemas.openxmlformats.org/wordprocessingml/2006/main\"><w:style w:styleId=\"a\"><w:name w:val=\"Normal\"/></w:style><w:style w:customStyle=\"1\" w:styleId=\"b\"><w:name w:val=\"Style of Sam\"/></w:style></w:styles>";
    let types = CONTENT_TYPES.replace("</Types>", "<Override PartName=\"/word/document.xml\" ContentType=\"application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml\"/></Types>");
    pack(&[
        ("[Content_Types].xml", types.as_bytes()),
        ("_rels/.rels", root.as_bytes()),
        ("word/styles.xml", styles.as_bytes()),
        ("docProps/core.xml", core.as_bytes()),
        ("docProps/app.xml", app.as_bytes()),
        ("docProps/custom.xml", custom.as_bytes()),
        ("docProps/thumbnail.jpeg", b"\xff\xd8\xff"),
        ("word/media/image1.png", b"\x89PNG"),
        ("word/document.xml", document.as_bytes()),
        ("word/header1.xml", note("Head of Ana").as_bytes()),
        ("word/footer1.xml", note("Foot of Ana").as_bytes()),
        ("word/footnotes.xml", note("Note of Ana").as_bytes()),
        ("word/endnotes.xml", note("End of Ana").as_bytes()),
        ("word/comments.xml", comments.as_bytes()),
        ("word/people.xml", people.as_bytes()),
        ("word/charts/chart1.xml", chart.as_bytes()),
        ("word/_rels/document.xml.rels", rels.as_bytes()),
        ("customXml/item1.xml", item.as_bytes()),
    ])
}

#[test]
fn reads_everything_that_word_writes() {
    let bytes = like_word();
    let document = read(&bytes);
    let regions: Vec<(RegionKind, &str, &str)> =
        document.regions().iter().map(|r| (r.kind, r.name.as_str(), r.span.of(document.text()))).collect();
    let expected = [
        (RegionKind::Body, "", "John Smith & Co"),
        (RegionKind::Body, "", "Tel:\t555-0100\nMetz"),
        (RegionKind::Body, "", "Cell one"),
        (RegionKind::Body, "", "He is John now"),
        (RegionKind::Body, "", "In the box"),
        (RegionKind::Body, "", "Outer text"),
        (RegionKind::Body, "", "Patients of Ana"),
        (RegionKind::Body, "v", "Ward 7"),
        (RegionKind::Code, "v", "12.5"),
        (RegionKind::Code, "posOffset", "12700"),
        (RegionKind::Note, "header", "Head of Ana"),
        (RegionKind::Note, "footer", "Foot of Ana"),
        (RegionKind::Note, "footnote", "Note of Ana"),
        (RegionKind::Note, "endnote", "End of Ana"),
        (RegionKind::Note, "comment", "Really?"),
        (RegionKind::Note, "comment", " written by Ana "),
        (RegionKind::Note, "deleted", "Jon"),
        (RegionKind::Attribute, "field", "\"mailto:john@x.org\" "),
        (RegionKind::Attribute, "field", "Ana "),
        (RegionKind::Attribute, "alt", "Ana on the beach"),
        (RegionKind::Attribute, "title", "Holiday"),
        (RegionKind::Attribute, "bookmark", "Ana_Smith"),
        (RegionKind::Attribute, "tooltip", "Ana's page"),
        (RegionKind::Attribute, "link", "https://ana.org/?a=1&b=2"),
        (RegionKind::Attribute, "attribute", "Olga Owner"),
        (RegionKind::Attribute, "style", "Style of Sam"),
        (RegionKind::Metadata, "titles_of_parts", "Part of Ana"),
        (RegionKind::Metadata, "author", "Eva Editor"),
        (RegionKind::Metadata, "author", "Carl Critic"),
        (RegionKind::Metadata, "author", "Pia Person"),
        (RegionKind::Metadata, "author", "Ana Author"),
        (RegionKind::Metadata, "user_id", "S::pia@x.org::1"),
        (RegionKind::Metadata, "initials", "CC"),
        (RegionKind::Metadata, "date", "2024-01-02T03:04:05Z"),
        (RegionKind::Metadata, "title", "Letter to AT&T"),
        (RegionKind::Metadata, "last_modified_by", "Bob Boss"),
        (RegionKind::Metadata, "revision", "4"),
        (RegionKind::Metadata, "created", "2024-05-06T07:08:09Z"),
        (RegionKind::Metadata, "company", "Acme Ltd"),
        (RegionKind::Metadata, "manager", "Max Manager"),
        (RegionKind::Metadata, "property", "Carla Client"),
        (RegionKind::Metadata, "property_name", "Client"),
        (RegionKind::Body, "name", "Nina Name"),
        (RegionKind::Body, "x", "Cid Data"),
    ];
    for expected in expected {
        assert!(regions.contains(&expected), "{expected:?} in {regions:#?}");
    }
    for word in
        ["Heading1", "00AB12CD", "_GoBack", "styles.xml", "Normal", "Picture 1", "HYPERLINK", "Microsoft"]
    {
        assert!(!document.text().contains(word), "{word}");
    }
    assert_eq!(
        document.unscanned(),
        [
            "custom XML data customXml/item1.xml",
            "thumbnail docProps/thumbnail.jpeg",
            "picture word/media/image1.png"
        ]
    );
}

#[test]
fn sanitizes_what_cannot_be_examined() {
    let bytes = like_word();
    let sanitized = sanitize(&bytes, &Limits::default()).unwrap();
    let removed: Vec<(&str, usize)> = sanitized.removed.iter().map(|one| (one.kind, one.count)).collect();
    assert_eq!(removed, [("custom XML data", 1), ("picture", 1), ("thumbnail", 1)]);
    assert!(read(&sanitized.bytes).unscanned().is_empty());
    let again = sanitize(&sanitized.bytes, &Limits::default()).unwrap();
    assert_eq!(again.bytes, sanitized.bytes, "sanitizing is done at once");
    for part in ["word/comments.xml", "word/header1.xml", "docProps/core.xml", "word/charts/chart1.xml"] {
        assert_eq!(unpack(&sanitized.bytes, part), unpack(&bytes, part));
    }
    let rels = unpack(&sanitized.bytes, "word/_rels/document.xml.rels");
    assert!(rels.contains("rId9") && !rels.contains("rId10") && !rels.contains("rId11"), "{rels}");
    let kept = repacked(&bytes, &Limits::default()).unwrap();
    assert_eq!(read(&kept).unscanned(), read(&bytes).unscanned());
}

#[test]
fn reads_symbols_as_letters() {
    let bytes = with_body(
        "<w:p><w:r><w:t>An</w:t><w:sym w:font=\"Arial\" w:char=\"F061\"/><w:t> Ruiz</w:t></w:r></w:p>",
    );
    assert!(read(&bytes).text().starts_with("Ana Ruiz"));
    let out = replace(&bytes, "Ana Ruiz", "[PERSON]");
    assert!(!unpack(&out, "word/document.xml").contains("w:sym"));
}

#[test]
fn reads_a_neutral_date_as_its_year() {
    let change = |date: &str| with_body(&format!("<w:p><w:ins w:date=\"{date}\"/></w:p>"));
    assert_eq!(read(&change("2024-01-01T00:00:00Z")).text(), "2024");
    assert_eq!(read(&change("1900-01-01T00:00:00Z")).text(), "");
    assert_eq!(read(&change("2024-01-02T00:00:00Z")).text(), "2024-01-02T00:00:00Z");
}

#[test]
fn keeps_runs_and_their_formatting() {
    let bytes = like_word();
    let out = replace(&bytes, "John Smith & Co", "[A <B>]");
    let xml = unpack(&out, "word/document.xml");
    assert!(xml.contains("<w:rPr><w:b/></w:rPr><w:t>[A &lt;B&gt;]</w:t></w:r><w:r><w:t xml:space=\"preserve\"></w:t></w:r><w:r><w:t></w:t></w:r>"));
    let whole = unpack(&bytes, "word/document.xml");
    assert_eq!(xml.len() + "John Smith &amp; Co".len(), whole.len() + "[A &lt;B&gt;]".len());
    for part in ["word/comments.xml", "docProps/core.xml", "[Content_Types].xml"] {
        assert_eq!(unpack(&out, part), unpack(&bytes, part));
    }
    let names = |bytes| Archive::open(bytes).unwrap().names().to_vec();
    assert_eq!(names(&out), names(&bytes));
    assert_eq!(out, replace(&bytes, "John Smith & Co", "[A <B>]"), "the same bytes every time");
}

#[test]
fn takes_away_tabs_and_breaks_within_what_is_replaced() {
    let out = replace(&like_word(), "555-0100\nMetz", "[PHONE]");
    let xml = unpack(&out, "word/document.xml");
    assert!(xml.contains("<w:t>Tel:</w:t><w:tab/><w:t>[PHONE]</w:t><w:t></w:t><w:t></w:t></w:r>"), "{xml}");
    let out = replace(&like_word(), "\t555", "[X]");
    assert!(unpack(&out, "word/document.xml").contains("<w:t>Tel:</w:t><w:t>[X]</w:t>"));
}

#[test]
fn writes_only_dates_where_only_dates_can_stand() {
    let out = replace(&like_word(), "2024-01-02", "[DATE]");
    assert!(unpack(&out, "word/comments.xml").contains("w:date=\"1900-01-01T00:00:00Z\""));
    let out = replace(&like_word(), "2024-05-06T07:08:09Z", "2024");
    assert!(unpack(&out, "docProps/core.xml").contains(">2024-01-01T00:00:00Z<"));
}

#[test]
fn writes_only_names_where_only_names_can_stand() {
    let out = replace(&like_word(), "Ana_Smith", "[PERSON 2]");
    assert!(unpack(&out, "word/document.xml").contains("w:name=\"PERSON_2\""));
    let out = replace(&like_word(), "CC", "[PERSON 12]");
    assert!(unpack(&out, "word/comments.xml").contains("w:initials=\"PERSON 12\""));
}

#[test]
fn reads_what_percent_signs_in_addresses_stand_for() {
    let rels = r#"<Relationships><Relationship Id="rId9" Type="h" Target="mailto:a@x.org?subject=Ana%20Ru%C3%ADz&amp;body=Hi" TargetMode="External"/></Relationships>"#;
    let bytes = pack(&[("word/document.xml", b"<a/>"), ("word/_rels/document.xml.rels", rels.as_bytes())]);
    assert!(read(&bytes).text().contains("subject=Ana Ruíz&body=Hi"));
    let out = replace(&bytes, "Ana Ruíz", "[PERSON]");
    let rels = unpack(&out, "word/_rels/document.xml.rels");
    assert!(rels.contains("mailto:a@x.org?subject=%5BPERSON%5D&amp;body=Hi"), "{rels}");
}

#[test]
fn keeps_addresses_addresses() {
    let out = replace(&like_word(), "ana.org/?a=1&b", "[A B]&");
    let rels = unpack(&out, "word/_rels/document.xml.rels");
    assert!(rels.contains("Target=\"https://%5BA%20B%5D&amp;=2\""), "{rels}");
}

#[test]
fn leaves_a_document_without_edits_alone() {
    let bytes = like_word();
    assert_eq!(encode(FormatKind::Docx, &read(&bytes), &bytes, &[]).unwrap(), bytes);
}

#[test]
fn refuses_what_it_cannot_read_in_full() {
    let limits = Limits::default();
    assert_eq!(refuse(b"", &limits).kind(), ErrorKind::Malformed);
    assert_eq!(refuse(b"PK\x03\x04 no", &limits).kind(), ErrorKind::Malformed);
    assert!(refuse(b"\xd0\xcf\x11\xe0....", &limits).to_string().contains("password"));
    let whole = like_word();
    assert_eq!(refuse(&whole[..whole.len() / 2], &limits).kind(), ErrorKind::Malformed);
    let part = |xml: &str| pack(&[("word/document.xml", xml.as_bytes())]);
    let doctype = part("<!DOCTYPE a [<!ENTITY b \"Ana\">]><a>&b;</a>");
    assert_eq!(refuse(&doctype, &limits).kind(), ErrorKind::Malformed);
    assert_eq!(refuse(&part("<a>&nbsp;</a>"), &limits).kind(), ErrorKind::Malformed);
    assert_eq!(refuse(&part("<a><b></a>"), &limits).kind(), ErrorKind::Malformed);
    assert_eq!(refuse(&part("<a>"), &limits).kind(), ErrorKind::Malformed);
    let latin = pack(&[("word/document.xml", b"<?xml version=\"1.0\" encoding=\"latin1\"?><a>x</a>")]);
    assert_eq!(refuse(&latin, &limits).kind(), ErrorKind::Encoding);
    assert_eq!(refuse(&pack(&[("word/document.xml", b"<a>\xe9</a>")]), &limits).kind(), ErrorKind::Encoding);
    assert_eq!(refuse(&part(&"<a>".repeat(600)), &limits).kind(), ErrorKind::Limit);
    assert_eq!(refuse(&pack(&[("xl/workbook.xml", b"<a/>")]), &limits).kind(), ErrorKind::Malformed);
    assert_eq!(
        refuse(&pack(&[("word/a.xml", b"<a/>"), ("word/A.xml", b"<a/>")]), &limits).kind(),
        ErrorKind::Malformed
    );
}

#[test]
fn refuses_a_bomb() {
    let bomb = with_body(&" ".repeat(8 << 20));
    let error = refuse(&bomb, &Limits::default());
    assert_eq!(error.kind(), ErrorKind::Limit);
    let small = Limits { max_expanded: 100, ..Limits::default() };
    assert_eq!(refuse(&with_body("<w:p/>"), &small).kind(), ErrorKind::Limit);
}

#[test]
fn refuses_an_encrypted_archive() {
    let mut bytes = with_body("<w:p/>");
    // The flag of encryption, in each local and central header.
    for (signature, flags) in [(b"PK\x03\x04", 6), (b"PK\x01\x02", 8)] {
        let places: Vec<usize> =
            bytes.windows(4).enumerate().filter(|(_, w)| w == signature).map(|(at, _)| at).collect();
        for at in places {
            bytes[at + flags] |= 1;
        }
    }
    assert!(refuse(&bytes, &Limits::default()).to_string().contains("encrypted"));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn keeps_the_limit_of_depth(depth in 1usize..60, max_depth in 3usize..60) {
        let limits = Limits { max_depth, ..Limits::default() };
        let body = format!("{}{}", "<w:p>".repeat(depth), "</w:p>".repeat(depth));
        let read = decode(FormatKind::Docx, "letter", &with_body(&body), &limits);
        // The document and its body are two levels.
        let fits = depth + 2 <= max_depth;
        prop_assert_eq!(read.map(drop).map_err(|error| error.kind()), if fits { Ok(()) } else { Err(ErrorKind::Limit) });
    }

    #[test]
    fn keeps_the_limit_of_expansion(filling in 0usize..4000, max_expanded in 0u64..6000) {
        let limits = Limits { max_expanded, ..Limits::default() };
        let body = with_body(&format!("<w:p><w:r><w:t>{}</w:t></w:r></w:p>", "x".repeat(filling)));
        let expanded: usize =
            ["[Content_Types].xml", "word/document.xml"].iter().map(|part| unpack(&body, part).len()).sum();
        let read = decode(FormatKind::Docx, "letter", &body, &limits);
        let fits = expanded as u64 <= max_expanded;
        prop_assert_eq!(read.map(drop).map_err(|error| error.kind()), if fits { Ok(()) } else { Err(ErrorKind::Limit) });
    }

    #[test]
    fn changes_only_what_is_edited(which in any::<prop::sample::Index>(), replacement in "(?s)[a<&>\"' é\\]-]{0,8}") {
        let bytes = like_word();
        let document = read(&bytes);
        let pieces = document.source().pieces();
        let piece = &pieces[which.index(pieces.len())];
        let edit = Edit { span: piece.text, replacement: replacement.clone() };
        match encode(FormatKind::Docx, &document, &bytes, &[edit]) {
            Err(_) => prop_assert_eq!(piece.escape, crate::Escape::Erase),
            Ok(out) => {
                let name = &Archive::open(&bytes).unwrap().names()[piece.part].clone();
                let (old, new) = (unpack(&bytes, name), unpack(&out, name));
                prop_assert!(new.starts_with(&old[..piece.source.start]) && new.ends_with(&old[piece.source.end..]));
                prop_assert!(decode(FormatKind::Docx, "letter", &out, &Limits::default()).is_ok());
                if matches!(piece.escape, crate::Escape::Markup | crate::Escape::Attribute | crate::Escape::CData) {
                    let mut meant = document.text().to_owned();
                    meant.replace_range(piece.text.start..piece.text.end, &replacement);
                    let letters = |text: &str| text.chars().filter(|c| c.is_alphanumeric()).collect::<String>();
                    prop_assert_eq!(letters(read(&out).text()), letters(&meant));
                }
            }
        }
    }

    #[test]
    fn survives_damage(at in any::<prop::sample::Index>(), byte in any::<u8>(), cut in any::<prop::sample::Index>()) {
        let mut bytes = like_word();
        let at = at.index(bytes.len());
        bytes[at] = byte;
        bytes.truncate(bytes.len() - cut.index(bytes.len()) / 50);
        let _ = decode(FormatKind::Docx, "letter", &bytes, &Limits::default());
    }
}

#[test]
fn a_declaration_holds_nothing_else() {
    use super::part::check_declaration;
    for plain in [
        "<?xml version=\"1.0\"?>",
        "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\"?>",
        "<?xml version='1.0' encoding='utf-8' ?>",
    ] {
        assert!(check_declaration(plain).is_ok(), "{plain}");
    }
    for hiding in ["<?xml version='1.0' note='Ana Ruiz'?>", "<?xml version='1.0' ana@example.org?>"] {
        assert!(check_declaration(hiding).is_err(), "{hiding}");
    }
}
