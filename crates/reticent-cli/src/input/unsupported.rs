//! Unsupported file types, recognized by extension and content, with hints for extracting their text.

use std::path::Path;

use crate::failure::Failure;

/// A type of file that is not supported.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unsupported {
    Pdf,
    Rtf,
    OpenDocument,
    OldWord,
    Word,
    Mail,
    OutlookMail,
    Slides,
    Sheet,
    Image,
    Archive,
    Recording,
    Data,
}

impl Unsupported {
    fn name(self) -> &'static str {
        match self {
            Self::Pdf => "a PDF or PostScript file",
            Self::Rtf => "an RTF document",
            Self::OpenDocument => "an OpenDocument text document",
            Self::OldWord => "a legacy Office document (.doc, .xls, .ppt, .msg)",
            Self::Word => "a Word document",
            Self::Mail => "an e-mail message",
            Self::OutlookMail => "an Outlook message",
            Self::Slides => "a presentation",
            Self::Sheet => "a spreadsheet or binary table",
            Self::Image => "an image",
            Self::Archive => "an archive",
            Self::Recording => "an audio or video recording",
            Self::Data => "a binary file",
        }
    }

    fn hint(self) -> &'static str {
        match self {
            Self::Pdf => "extract the text with `pdftotext FILE.pdf FILE.txt` and anonymize that",
            Self::Rtf | Self::OpenDocument | Self::OldWord => {
                "save it as DOCX, for example with `libreoffice --headless --convert-to docx FILE`"
            }
            Self::Word => "pass --input-format docx, or rename the file to .docx",
            Self::Mail => {
                "export the body and the required headers as text (.txt), and attachments as separate files"
            }
            Self::OutlookMail => "save it in Outlook as text (.txt), and attachments as separate files",
            Self::Slides => "export the slides and notes as text (.txt) or DOCX",
            Self::Sheet => {
                "use `reticent table` for XLSX and Parquet; save other spreadsheets as XLSX or CSV"
            }
            Self::Image => {
                "run OCR first, for example with `tesseract FILE OUT`, and anonymize the resulting text"
            }
            Self::Archive => "unpack it and pass the directory",
            Self::Recording => "transcribe it and anonymize the transcript",
            Self::Data => "export the content as text, Markdown, HTML, DOCX, JSONL, CSV or TSV",
        }
    }

    pub(crate) fn refused(self, path: &Path) -> Failure {
        Failure::new(format!("{}: {} is not supported", path.display(), self.name())).hint(self.hint())
    }
}

/// The unsupported type that an extension stands for.
pub(crate) fn by_extension(path: &Path) -> Option<Unsupported> {
    let extension = path.extension()?.to_str()?.to_ascii_lowercase();
    Some(match extension.as_str() {
        "pdf" | "ps" | "eps" | "xps" => Unsupported::Pdf,
        "rtf" => Unsupported::Rtf,
        "odt" | "ott" | "fodt" | "sxw" | "pages" => Unsupported::OpenDocument,
        "doc" | "dot" | "wpd" | "wps" => Unsupported::OldWord,
        "eml" | "emlx" | "mbox" | "mht" | "mhtml" => Unsupported::Mail,
        "msg" | "pst" | "ost" => Unsupported::OutlookMail,
        "pptx" | "pptm" | "ppsx" | "ppt" | "pps" | "odp" | "key" => Unsupported::Slides,
        "xlsx" | "xlsm" | "xlsb" | "xls" | "ods" | "numbers" | "parquet" => Unsupported::Sheet,
        "png" | "jpg" | "jpeg" | "gif" | "tif" | "tiff" | "bmp" | "webp" | "heic" | "heif" | "avif"
        | "svg" | "psd" | "ico" | "dcm" => Unsupported::Image,
        "zip" | "tar" | "tgz" | "gz" | "7z" | "rar" | "bz2" | "xz" | "zst" | "jar" | "epub" => {
            Unsupported::Archive
        }
        "mp3" | "wav" | "m4a" | "flac" | "ogg" | "opus" | "aac" | "wma" | "mp4" | "mov" | "avi" | "mkv"
        | "webm" | "wmv" | "m4v" | "mpg" | "mpeg" => Unsupported::Recording,
        "sqlite" | "sqlite3" | "db" | "mdb" | "accdb" | "exe" | "dll" | "so" | "bin" | "sav" | "dta"
        | "sas7bdat" | "rds" | "rdata" | "pkl" | "npy" | "npz" | "feather" | "arrow" => Unsupported::Data,
        _ => return None,
    })
}

/// The first bytes of unsupported file types.
const MAGIC: [(&[u8], Unsupported); 29] = [
    (b"%PDF-", Unsupported::Pdf),
    (b"%!PS", Unsupported::Pdf),
    (b"{\\rtf", Unsupported::Rtf),
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", Unsupported::OldWord),
    (b"\x89PNG\r\n\x1a\n", Unsupported::Image),
    (b"\xff\xd8\xff", Unsupported::Image),
    (b"GIF87a", Unsupported::Image),
    (b"GIF89a", Unsupported::Image),
    (b"II*\0", Unsupported::Image),
    (b"MM\0*", Unsupported::Image),
    (b"8BPS\0", Unsupported::Image),
    (b"PK\x05\x06", Unsupported::Archive),
    (b"\x1f\x8b", Unsupported::Archive),
    (b"7z\xbc\xaf\x27\x1c", Unsupported::Archive),
    (b"Rar!\x1a\x07", Unsupported::Archive),
    (b"BZh91AY&SY", Unsupported::Archive),
    (b"\xfd7zXZ\0", Unsupported::Archive),
    (b"\x28\xb5\x2f\xfd", Unsupported::Archive),
    (b"ID3\x02", Unsupported::Recording),
    (b"ID3\x03", Unsupported::Recording),
    (b"ID3\x04", Unsupported::Recording),
    (b"OggS\0", Unsupported::Recording),
    (b"fLaC\0", Unsupported::Recording),
    (b"\x1a\x45\xdf\xa3", Unsupported::Recording),
    (b"PAR1\x15", Unsupported::Sheet),
    (b"SQLite format 3\0", Unsupported::Data),
    (b"\x7fELF", Unsupported::Data),
    (b"MZ\x90\0", Unsupported::Data),
    (b"!BDN", Unsupported::OutlookMail),
];

/// The unsupported type that the content of a file belongs to.
fn by_content(bytes: &[u8]) -> Option<Unsupported> {
    // Some programs write a byte order mark or a blank line before binary content.
    let start = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes).trim_ascii_start();
    if bytes.starts_with(b"PK\x03\x04") {
        return Some(of_archive(bytes));
    }
    if let [b'R', b'I', b'F', b'F', _, _, _, _, form @ ..] = bytes {
        match form.get(..4) {
            Some(b"WEBP") => return Some(Unsupported::Image),
            Some(b"WAVE" | b"AVI ") => return Some(Unsupported::Recording),
            _ => {}
        }
    }
    if bytes.get(4..8) == Some(b"ftyp") && bytes.starts_with(b"\0\0") {
        let is_image = matches!(bytes.get(8..11), Some(b"hei" | b"avi" | b"mif"));
        return Some(if is_image { Unsupported::Image } else { Unsupported::Recording });
    }
    MAGIC.into_iter().find(|(magic, _)| start.starts_with(magic)).map(|(_, found)| found)
}

/// The kind of a ZIP archive, by the names of the first parts of Office files.
fn of_archive(bytes: &[u8]) -> Unsupported {
    let start = &bytes[..bytes.len().min(1 << 16)];
    let names = |part: &[u8]| start.windows(part.len()).any(|window| window == part);
    if names(b"word/") {
        Unsupported::Word
    } else if names(b"xl/") || names(b"opendocument.spreadsheet") {
        Unsupported::Sheet
    } else if names(b"ppt/") || names(b"opendocument.presentation") {
        Unsupported::Slides
    } else if names(b"opendocument.text") {
        Unsupported::OpenDocument
    } else {
        Unsupported::Archive
    }
}

/// Rejects content that is not text, regardless of the file name.
pub(crate) fn refuse(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    by_content(bytes).map_or(Ok(()), |found| Err(found.refused(path)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_that_only_resembles_a_binary_file_is_left_alone() {
        for text in [
            "",
            "P",
            "PK is a name.",
            "%PDF is a format",
            "RIFF raff of a WAVE",
            "GIF89 is a format",
            "BZh",
            "MZ",
            "ID3 tags",
            "II* MM",
            "ftyp ftyp",
            "{rtf}",
            "SQLite format 3",
            "PAR 1",
            "Par1s",
        ] {
            assert_eq!(by_content(text.as_bytes()), None, "{text}");
        }
    }

    #[test]
    fn supported_extensions_are_not_listed() {
        for name in ["a.txt", "a.md", "a.html", "a.docx", "a.jsonl", "a.csv", "a.tsv", "a", "a.log"] {
            assert_eq!(by_extension(Path::new(name)), None, "{name}");
        }
    }
}
