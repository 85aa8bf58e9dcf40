//! Which formats there are, and how to tell them by name.

use std::path::Path;

/// A format of a document in one file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum FormatKind {
    /// Plain text.
    Text,
    /// Markdown (`CommonMark`, with tables, footnotes and front matter).
    Markdown,
    /// HTML.
    Html,
    /// Word documents, as Word has written them since 2007.
    Docx,
}

impl FormatKind {
    /// All formats.
    pub const ALL: [Self; 4] = [Self::Text, Self::Markdown, Self::Html, Self::Docx];

    /// The name on the command line and in reports.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Text => "text",
            Self::Markdown => "markdown",
            Self::Html => "html",
            Self::Docx => "docx",
        }
    }

    /// The format of that name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }

    /// How names of files of this format end, in small letters and without the dot.
    #[must_use]
    pub const fn extensions(self) -> &'static [&'static str] {
        match self {
            Self::Text => &["txt", "text"],
            Self::Markdown => &["md", "markdown", "mdown", "mkd"],
            Self::Html => &["html", "htm", "xhtml"],
            Self::Docx => &["docx", "docm", "dotx", "dotm"],
        }
    }

    /// The format of a file, by the end of its name.
    ///
    /// ```
    /// use reticent_text::format::FormatKind;
    /// assert_eq!(FormatKind::from_path("letters/Ana.DOCX".as_ref()), Some(FormatKind::Docx));
    /// assert_eq!(FormatKind::from_path("photo.jpg".as_ref()), None);
    /// ```
    #[must_use]
    pub fn from_path(path: &Path) -> Option<Self> {
        let extension = path.extension()?.to_str()?.to_ascii_lowercase();
        Self::ALL.into_iter().find(|kind| kind.extensions().contains(&extension.as_str()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn goes_by_name_and_back() {
        for kind in FormatKind::ALL {
            assert_eq!(FormatKind::from_name(kind.name()), Some(kind));
            for extension in kind.extensions() {
                assert_eq!(FormatKind::from_path(Path::new(&format!("a.{extension}"))), Some(kind));
            }
        }
        assert_eq!(FormatKind::from_name("TEXT"), None);
        assert_eq!(FormatKind::from_path(Path::new("txt")), None);
    }
}
