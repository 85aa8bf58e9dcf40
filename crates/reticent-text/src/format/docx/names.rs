//! What the names in a Word document mean: parts, elements, attributes, properties.

use super::inert;
use crate::{Escape, RegionKind};

/// What a part of the archive is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    /// The body.
    Main,
    /// Text at the margin, and its name.
    Note(&'static str),
    /// Another part in Word's own vocabulary: styles, settings, charts.
    Word,
    /// The properties of the file.
    Properties,
    /// Which part refers to what.
    Relations,
    /// XML whose vocabulary is not known: all of it is read.
    Unknown,
    /// No XML.
    Binary,
}

impl Role {
    /// The role of a part, by its name.
    pub(super) fn of(name: &str) -> Self {
        let name = name.to_ascii_lowercase();
        match name.rsplit_once('.').map(|(_, extension)| extension) {
            Some("rels") => return Self::Relations,
            Some("xml" | "vml") => {}
            _ => return Self::Binary,
        }
        let Some(within) = name.strip_prefix("word/") else {
            return match name.as_str() {
                "[content_types].xml" => Self::Word,
                _ if name.starts_with("docprops/") => Self::Properties,
                _ => Self::Unknown,
            };
        };
        for note in ["header", "footer", "footnote", "endnote", "comment"] {
            if within.starts_with(note) {
                return Self::Note(note);
            }
        }
        if within.starts_with("document") { Self::Main } else { Self::Word }
    }

    /// In which order parts are read.
    pub(super) fn rank(self) -> usize {
        match self {
            Self::Main => 0,
            Self::Note(_) => 1,
            Self::Word => 2,
            Self::Unknown => 3,
            Self::Properties => 4,
            Self::Relations => 5,
            Self::Binary => 6,
        }
    }
}

/// The region of an attribute's value, unless the value is known to carry no text. All names are
/// without prefix.
pub(super) fn attribute(
    role: Role,
    (parent, element): (&str, &str),
    attribute: &str,
    value: &str,
) -> Option<(RegionKind, String, Escape)> {
    let own = |kind, name: &str, escape| Some((kind, name.to_owned(), escape));
    match (element, attribute) {
        (_, "author") => own(RegionKind::Metadata, "author", Escape::Attribute),
        (_, "initials") => own(RegionKind::Metadata, "initials", Escape::Initials),
        (_, "userId") => own(RegionKind::Metadata, "user_id", Escape::Attribute),
        (_, "date" | "dateUtc" | "fullDate") => own(RegionKind::Metadata, "date", Escape::DateTime),
        ("Relationship", "Target") => own(RegionKind::Attribute, "link", Escape::Uri),
        // Identifiers, types and names in the package are made anew when it is sanitized.
        ("Relationship", _) | ("Default" | "Override", "ContentType" | "PartName" | "Extension") => None,
        ("property", "name") if role == Role::Properties => {
            own(RegionKind::Metadata, "property_name", Escape::Attribute)
        }
        // `%1.` is a number to come, not a word.
        ("lvlText", "val") if !value.contains(char::is_alphabetic) => None,
        ("name", "val") if matches!(parent, "ffData" | "docPartPr") => {
            own(RegionKind::Attribute, "name", Escape::Attribute)
        }
        ("name" | "aliases", "val") if parent == "style" && !inert::is_style_name(value) => {
            own(RegionKind::Attribute, "style", Escape::Attribute)
        }
        ("bookmarkStart", "name") | ("hyperlink", "anchor") if !inert::is_inert(attribute, value) => {
            own(RegionKind::Attribute, "bookmark", Escape::Bookmark)
        }
        ("docPr" | "cNvPr", "name") if is_shape(value) => None,
        ("fldSimple", "instr") => own(RegionKind::Attribute, "field", Escape::Attribute),
        (_, "descr" | "alt" | "title" | "tooltip" | "href" | "string" | "displayText" | "docLocation")
        | ("docPr" | "cNvPr" | "docVar" | "attr", "name")
        | ("listItem", "value")
        | (
            "alias" | "tag" | "docVar" | "connectString" | "query" | "statusText" | "helpText" | "listEntry"
            | "lvlText" | "mailSubject" | "addressFieldName" | "mappedName" | "description" | "tblCaption"
            | "tblDescription" | "attr" | "default" | "caption",
            "val",
        ) => own(RegionKind::Attribute, attribute_name(element, attribute), Escape::Attribute),
        _ if role == Role::Unknown => own(RegionKind::Attribute, "attribute", Escape::Attribute),
        // Word draws these identifiers at random.
        ("id" | "creationId", "val") | (_, "relativeHeight" | "id" | "modelId")
            if value.parse::<u32>().is_ok() =>
        {
            None
        }
        _ if inert::is_inert(attribute, value) => None,
        _ if is_style_reference(element, attribute) && inert::is_style_id(value) => None,
        // An identifier has to stay a number.
        _ if value.bytes().all(|byte| byte.is_ascii_digit()) => {
            own(RegionKind::Code, "attribute", Escape::Number)
        }
        // Words of a technical vocabulary are no prose: whoever is to be protected is searched for,
        // but `Garamond Pro` is taken for no name.
        _ if is_technical(attribute) || !value.trim().contains(' ') => {
            own(RegionKind::Code, "attribute", Escape::Attribute)
        }
        _ => own(RegionKind::Attribute, "attribute", Escape::Attribute),
    }
}

/// Whether an attribute holds the identifier of a style.
fn is_style_reference(element: &str, attribute: &str) -> bool {
    attribute == "styleId"
        || (attribute == "val"
            && matches!(
                element,
                "pStyle"
                    | "rStyle"
                    | "tblStyle"
                    | "basedOn"
                    | "next"
                    | "link"
                    | "styleLink"
                    | "numStyleLink"
                    | "clickAndTypeStyle"
                    | "defaultTableStyle"
            ))
}

/// Attributes of layout, whose values are no prose even with blanks: fonts, paths, styles.
fn is_technical(attribute: &str) -> bool {
    matches!(
        attribute,
        "ascii"
            | "hAnsi"
            | "eastAsia"
            | "cs"
            | "typeface"
            | "font"
            | "style"
            | "path"
            | "eqn"
            | "points"
            | "adj"
            | "coordsize"
            | "panose1"
            | "panose"
            | "formatCode"
            | "textboxrect"
            | "spans"
    )
}

/// Whether this is a name that Word itself gives: `Picture 1`.
fn is_shape(name: &str) -> bool {
    let Some((kind, number)) = name.rsplit_once(' ') else { return false };
    let kinds = [
        "Picture",
        "Text Box",
        "Image",
        "Graphic",
        "Chart",
        "Diagram",
        "Shape",
        "Group",
        "Canvas",
        "Rectangle",
        "Oval",
        "Straight Connector",
        "Straight Arrow Connector",
        "Grafik",
        "Bild",
        "Textfeld",
        "Imagen",
        "Cuadro de texto",
        "Object",
        "Objekt",
        "Table",
        "Tabelle",
    ];
    kinds.contains(&kind) && number.bytes().all(|byte| byte.is_ascii_digit())
}

/// How many bytes the instruction of a field code takes: ` HYPERLINK ` of ` HYPERLINK "mailto:…"`. It
/// must stay, or the field does nothing.
pub(super) fn instruction(code: &str) -> usize {
    let from = code.len() - code.trim_start().len();
    let word = code[from..].split(' ').next().unwrap_or_default();
    let blanks = code[from + word.len()..].bytes().take_while(|&byte| byte == b' ').count();
    let known = [
        "ADDRESSBLOCK",
        "ADVANCE",
        "ASK",
        "AUTHOR",
        "AUTONUM",
        "AUTOTEXT",
        "BARCODE",
        "BIBLIOGRAPHY",
        "CITATION",
        "COMMENTS",
        "COMPARE",
        "CREATEDATE",
        "DATABASE",
        "DATE",
        "DISPLAYBARCODE",
        "DOCPROPERTY",
        "DOCVARIABLE",
        "EDITTIME",
        "EMBED",
        "EQ",
        "FILENAME",
        "FILESIZE",
        "FILLIN",
        "FORMCHECKBOX",
        "FORMDROPDOWN",
        "FORMTEXT",
        "GREETINGLINE",
        "HYPERLINK",
        "IF",
        "INCLUDEPICTURE",
        "INCLUDETEXT",
        "INDEX",
        "INFO",
        "KEYWORDS",
        "LASTSAVEDBY",
        "LINK",
        "LISTNUM",
        "MACROBUTTON",
        "MERGEBARCODE",
        "MERGEFIELD",
        "MERGEREC",
        "MERGESEQ",
        "NEXT",
        "NEXTIF",
        "NOTEREF",
        "NUMCHARS",
        "NUMPAGES",
        "NUMWORDS",
        "PAGE",
        "PAGEREF",
        "PRINT",
        "PRINTDATE",
        "QUOTE",
        "RD",
        "REF",
        "REVNUM",
        "SAVEDATE",
        "SECTION",
        "SECTIONPAGES",
        "SEQ",
        "SET",
        "SKIPIF",
        "STYLEREF",
        "SUBJECT",
        "SYMBOL",
        "TA",
        "TC",
        "TEMPLATE",
        "TIME",
        "TITLE",
        "TOA",
        "TOC",
        "USERADDRESS",
        "USERINITIALS",
        "USERNAME",
        "XE",
    ];
    if known.iter().any(|name| word.eq_ignore_ascii_case(name)) { from + word.len() + blanks } else { 0 }
}

/// Whether this is what Word says of itself in the properties of a file.
pub(super) fn is_program(role: Role, element: &str, text: &str) -> bool {
    role == Role::Properties
        && match element {
            "Application" => matches!(
                text,
                "Microsoft Office Word" | "Microsoft Word for the web" | "Microsoft Macintosh Word"
            ),
            "Template" => matches!(text, "Normal" | "Normal.dotm" | "Normal.dot"),
            _ => false,
        }
}

/// An attribute `val` says nothing: its element does.
fn attribute_name<'a>(element: &'a str, attribute: &'a str) -> &'a str {
    match attribute {
        "val" => element,
        "descr" => "alt",
        _ => attribute,
    }
}

/// What the text of an element is that is neither prose nor a property.
pub(super) fn text(
    role: Role,
    element: &str,
    parent: &str,
    grandparent: &str,
) -> (RegionKind, String, Escape) {
    let numbers = matches!(
        element,
        "posOffset" | "align" | "pctWidth" | "pctHeight" | "pctPosHOffset" | "pctPosVOffset" | "formatCode"
    ) || (element == "v"
        && (matches!(parent, "numCache" | "numLit") || matches!(grandparent, "numCache" | "numLit")));
    match role {
        _ if numbers => (RegionKind::Code, element.to_owned(), Escape::Number),
        Role::Properties => property(element, parent, grandparent),
        _ => (RegionKind::Body, element.to_owned(), Escape::Markup),
    }
}

/// A property of the file, under the name that a policy would use.
fn property(element: &str, parent: &str, grandparent: &str) -> (RegionKind, String, Escape) {
    let escape = match element {
        "created" | "modified" | "lastPrinted" | "filetime" | "date" => Escape::DateTime,
        "revision"
        | "Pages"
        | "Words"
        | "Characters"
        | "CharactersWithSpaces"
        | "Lines"
        | "Paragraphs"
        | "TotalTime"
        | "Slides"
        | "Notes"
        | "HiddenSlides"
        | "MMClips"
        | "DocSecurity"
        | "ScaleCrop"
        | "LinksUpToDate"
        | "SharedDoc"
        | "HyperlinksChanged"
        | "bool"
        | "int"
        | "uint"
        | "decimal"
        | "r4"
        | "r8"
        | "i1"
        | "i2"
        | "i4"
        | "i8"
        | "ui1"
        | "ui2"
        | "ui4"
        | "ui8" => Escape::Number,
        _ => Escape::Markup,
    };
    let element = match parent {
        "property" => "property",
        "vector" => grandparent,
        _ => element,
    };
    let name = match element {
        "creator" => "author".to_owned(),
        _ => snake_case(element),
    };
    (RegionKind::Metadata, name, escape)
}

/// `lastModifiedBy` as `last_modified_by`.
fn snake_case(name: &str) -> String {
    let mut out = String::with_capacity(name.len() + 4);
    for (at, c) in name.char_indices() {
        if c.is_ascii_uppercase() && at > 0 {
            out.push('_');
        }
        out.push(c.to_ascii_lowercase());
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn knows_parts_by_their_names() {
        for (name, role) in [
            ("word/document.xml", Role::Main),
            ("word/header1.xml", Role::Note("header")),
            ("word/footnotes.xml", Role::Note("footnote")),
            ("word/commentsExtended.xml", Role::Note("comment")),
            ("word/people.xml", Role::Word),
            ("word/_rels/document.xml.rels", Role::Relations),
            ("docProps/core.xml", Role::Properties),
            ("docProps/thumbnail.jpeg", Role::Binary),
            ("word/media/image1.png", Role::Binary),
            ("customXml/item1.xml", Role::Unknown),
        ] {
            assert_eq!(Role::of(name), role, "{name}");
        }
    }

    #[test]
    fn gives_properties_the_names_of_a_policy() {
        for (element, name) in [
            ("creator", "author"),
            ("lastModifiedBy", "last_modified_by"),
            ("Company", "company"),
            ("title", "title"),
        ] {
            assert_eq!(property(element, "", "").1, name);
        }
    }
}
