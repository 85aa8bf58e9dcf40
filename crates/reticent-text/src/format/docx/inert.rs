//! Values that carry no text of a person: measurements, enumerations, identifiers that Word makes.
//!
//! This is an allow list. A value that is not recognized here is examined as text; a word that is
//! missing from the lists costs time, never a leak.

use std::collections::HashSet;
use std::sync::LazyLock;

type Words = LazyLock<HashSet<&'static str>>;

static WORDS: Words =
    LazyLock::new(|| include_str!("vocabulary/words.txt").split_ascii_whitespace().collect());
static FONTS: Words = LazyLock::new(|| include_str!("vocabulary/fonts.txt").lines().collect());
static STYLES: LazyLock<HashSet<String>> =
    LazyLock::new(|| include_str!("vocabulary/styles.txt").lines().map(str::to_lowercase).collect());
static STYLE_IDS: LazyLock<HashSet<String>> =
    LazyLock::new(|| STYLES.iter().map(|name| without_signs(name)).collect());

/// Whether the value of an attribute is inert.
pub(super) fn is_inert(attribute: &str, value: &str) -> bool {
    if value.starts_with('{') || value.len() == 36 {
        return is_guid(value);
    }
    match attribute {
        "uri" | "type" | "Type" | "relativeFrom" if value.contains(':') => is_namespace(value),
        "style" => is_style_sheet(value),
        "Ignorable" | "Requires" | "stylePaneFormatFilter" => value.split_ascii_whitespace().all(is_word),
        "name" | "val" | "aliases" if is_style_name(value) => true,
        "ascii" | "hAnsi" | "eastAsia" | "cs" | "typeface" | "name" | "font" | "val" | "symbolfont"
            if FONTS.contains(value) =>
        {
            true
        }
        _ => value.split([' ', ',', ';']).all(|word| word.is_empty() || is_word(word)),
    }
}

fn is_word(word: &str) -> bool {
    WORDS.contains(word)
        || is_measurement(word)
        || is_hexadecimal(word)
        || is_language(word)
        || is_generated(word)
        || is_reference(word)
}

/// A number with an optional unit. More digits than a measurement needs may be a number of a person.
fn is_measurement(word: &str) -> bool {
    let number = word.trim_end_matches(|c: char| c.is_ascii_lowercase() || c == '%');
    let unit = &word[number.len()..];
    let digits = number.strip_prefix(['-', '+']).unwrap_or(number);
    let has_point = digits.contains('.');
    matches!(unit, "" | "%" | "pt" | "in" | "cm" | "mm" | "px" | "pc" | "pi" | "em" | "emu" | "f" | "fd")
        && (1..=if has_point {
            17
        } else if number.starts_with('-') {
            10
        } else {
            8
        })
            .contains(&digits.len())
        && digits.bytes().filter(|&byte| byte == b'.').count() <= 1
        && digits.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.')
}

/// A colour, or an identifier of a revision or a paragraph.
fn is_hexadecimal(word: &str) -> bool {
    let digits = word.strip_prefix('#').unwrap_or(word);
    // The ten numbers of a typeface's PANOSE classification are below 16.
    let is_panose = digits.len() == 20 && digits.bytes().step_by(2).all(|byte| byte == b'0');
    (is_panose || matches!(digits.len(), 4 | 6 | 8)) && digits.bytes().all(|byte| byte.is_ascii_hexdigit())
}

fn is_guid(value: &str) -> bool {
    let inner = value.strip_prefix('{').and_then(|rest| rest.strip_suffix('}')).unwrap_or(value);
    inner.len() == 36
        && inner.bytes().enumerate().all(|(at, byte)| match at {
            8 | 13 | 18 | 23 => byte == b'-',
            _ => byte.is_ascii_hexdigit(),
        })
}

/// A tag of a language with a region: `en-US`, `zh-Hant-TW`.
fn is_language(word: &str) -> bool {
    let mut subtags = word.split('-');
    let first = subtags
        .next()
        .is_some_and(|tag| matches!(tag.len(), 2 | 3) && tag.bytes().all(|byte| byte.is_ascii_lowercase()));
    let rest: Vec<&str> = subtags.collect();
    let is_region = |tag: &&str| tag.len() == 2 && tag.bytes().all(|byte| byte.is_ascii_uppercase());
    first
        && rest.last().is_some_and(is_region)
        && rest.len() <= 2
        && (rest.len() == 1 || matches!(rest[0], "Hans" | "Hant" | "Latn" | "Cyrl" | "Arab"))
}

/// An identifier that Word or a library makes: `_x0000_s1026`, `_Toc123`, `rId7`.
fn is_generated(word: &str) -> bool {
    let word = word.strip_prefix('#').unwrap_or(word);
    if let Some(rest) = word.strip_prefix("_x0000_") {
        return rest.len() <= 12
            && rest.starts_with(|c: char| c.is_ascii_lowercase())
            && rest[1..].bytes().all(|byte| byte.is_ascii_digit());
    }
    let stem = word.trim_end_matches(|c: char| c.is_ascii_digit());
    matches!(stem, "_Toc" | "_Ref" | "_Hlk" | "_GoBack" | "_PictureBullets" | "rId" | "Style" | "Bookmark")
        && word.len() - stem.len() <= 12
}

/// A step of a VML formula or path: `@4`, `#0`.
fn is_reference(word: &str) -> bool {
    word.strip_prefix(['@', '#']).is_some_and(|digits| {
        (1..=3).contains(&digits.len()) && digits.bytes().all(|byte| byte.is_ascii_digit())
    })
}

/// A VML style of known properties and values.
fn is_style_sheet(value: &str) -> bool {
    value.split(';').all(|declaration| {
        let order = declaration.trim().strip_prefix("z-index:");
        order.is_some_and(|order| order.parse::<i32>().is_ok())
            || declaration.split([':', ' ']).all(|word| word.is_empty() || is_word(word))
    })
}

/// The name of a style that Word defines, or of the character style beside it.
pub(super) fn is_style_name(value: &str) -> bool {
    let small = value.to_lowercase();
    let small = small.strip_suffix(" char").unwrap_or(&small);
    let base = match small.rsplit_once(" accent ") {
        Some((base, "1" | "2" | "3" | "4" | "5" | "6")) => base,
        _ => small,
    };
    let words: Vec<&str> = base
        .split(' ')
        .map(|word| if word.len() == 1 && word.as_bytes()[0].is_ascii_digit() { "#" } else { word })
        .collect();
    STYLES.contains(base) || STYLES.contains(&words.join(" "))
}

/// The identifier of a style that Word defines, or one that Word numbers itself.
pub(super) fn is_style_id(value: &str) -> bool {
    let stem = value.trim_end_matches(|c: char| c.is_ascii_digit());
    if stem.len() <= 2 && value.len() <= 6 && stem.bytes().all(|byte| byte.is_ascii_lowercase()) {
        return true;
    }
    if stem == "Style" && value.len() <= 10 {
        return true;
    }
    let small = value.to_lowercase();
    let small = match small.find("-accent") {
        Some(at) if small.len() == at + "-accent1".len() => &small[..at],
        _ => small.as_str(),
    };
    let small = small.trim_end_matches(|c: char| c.is_ascii_digit());
    let small = small.strip_suffix("char").unwrap_or(small);
    let numbered: String = small.chars().map(|c| if c.is_ascii_digit() { '#' } else { c }).collect();
    let plain = numbered.replace('#', "");
    [small, numbered.as_str(), plain.as_str()].iter().any(|id| STYLE_IDS.contains(*id))
}

/// A name without blanks, signs and the place of a number.
fn without_signs(name: &str) -> String {
    name.chars().filter(|c| c.is_alphanumeric()).collect()
}

/// Whether this is the address of a vocabulary of Office.
pub(super) fn is_namespace(uri: &str) -> bool {
    const BASES: [&str; 6] = [
        "http://schemas.openxmlformats.org/",
        "http://schemas.microsoft.com/",
        "http://purl.oclc.org/ooxml/",
        "http://purl.org/dc/",
        "http://www.w3.org/",
        "urn:schemas-microsoft-com:",
    ];
    const STEPS: &str = " officeDocument package drawingml wordprocessingml spreadsheetml main math relationships \
        markup-compatibility wordprocessingDrawing picture chart chartex diagram wordprocessingGroup \
        wordprocessingCanvas wordprocessingInk wordprocessingShape wordml cid cex sdtdatahash symex du word16du \
        sdtformatlock threadedcomments chartDrawing extended-properties custom-properties docPropsVTypes metadata \
        core-properties content-types vml office word mac drawing ink model3d oel lockedCanvas compatibility \
        bibliography customXml schemaLibrary characteristics elements terms dcmitype XMLSchema-instance XMLSchema \
        XML namespace excel powerpoint svg decorative layout colors quickstyle simple accent1 colorful default \
        chartStyle chartshapes sharedTypes extendedProperties customProperties docPropsVTypes hyperlink styles \
        settings webSettings fontTable numbering header footer footnotes endnotes comments commentsExtended \
        commentsIds commentsExtensible people glossaryDocument theme themeOverride image stylesWithEffects \
        diagramData diagramLayout diagramQuickStyle diagramColors diagramDrawing chartColorStyle chartEx Math \
        simpleTypes customxml slicer timeslicer webextensions sml cdr activeX ";
    BASES.iter().any(|base| {
        uri.strip_prefix(base).is_some_and(|rest| {
            rest.split(['/', ':', '#', '.']).all(|step| {
                step.is_empty()
                    || STEPS.split_ascii_whitespace().any(|known| known == step)
                    || (step.len() <= 4 && step.bytes().all(|byte| byte.is_ascii_digit()))
            })
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn recognizes_measurements_enumerations_and_generated_identifiers() {
        for (attribute, value) in [
            ("val", "720"),
            ("w", "-12.5pt"),
            ("val", "04A0"),
            ("rsidR", "00AB12CD"),
            ("val", "en-US"),
            ("val", "thickThinSmallGap"),
            ("id", "_x0000_s1026"),
            ("uri", "{28A0092B-C50C-407E-A947-70E740481C1C}"),
            ("uri", "http://schemas.openxmlformats.org/drawingml/2006/picture"),
            ("style", "position:absolute;margin-left:0;width:12pt;z-index:251658240;visibility:visible"),
            ("val", "020F0502020204030204"),
            ("ascii", "Times New Roman"),
            ("name", "heading 1"),
            ("val", "Light Shading Accent 3"),
            ("Ignorable", "w14 w15 wp14"),
        ] {
            assert!(is_inert(attribute, value), "{attribute}={value}");
        }
        for id in
            ["Heading1", "Heading1Char", "TableGrid", "a0", "12", "GridTable4-Accent1", "Style7", "TOC2"]
        {
            assert!(is_style_id(id), "{id}");
        }
    }

    #[test]
    fn recognizes_no_text() {
        for value in [
            "Ana",
            "Ana Ruiz",
            "447700900461",
            "ana",
            "Ruiz12",
            "_Ana",
            "_x0000_Ana",
            "{Ana}",
            "44770090046100000000",
        ] {
            assert!(!is_inert("val", value), "{value}");
        }
        assert!(!is_inert("style", "width:12pt;font-family:Ruiz"));
        assert!(!is_namespace("http://schemas.openxmlformats.org/Ana"));
        assert!(!is_namespace("urn:ana"));
        for id in ["Ruiz", "RuizChar", "Heading1Ruiz", "RuizHeading1"] {
            assert!(!is_style_id(id), "{id}");
        }
    }
}
