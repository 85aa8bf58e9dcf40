//! Thousands of damaged files of each format: no panic, no hang, nothing of the text on standard error, and no sentinel
//! in what is released.

use std::io::{Cursor, Read as _, Write as _};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use zip::write::SimpleFileOptions;
use zip::{ZipArchive, ZipWriter};

use crate::common::Folder;

/// Mutations of each format.
const MUTATIONS: usize = 3000;
/// Files per run of the program.
const BATCH: usize = 500;
/// A batch takes a few seconds; a hang takes forever.
const DEADLINE: Duration = Duration::from_mins(1);

const NAME: &str = "Linehan";
const MAIL: &str = "maeve.linehan@example.org";

const TEXT: &str = "Maeve Linehan was born in Cork in 1962.\n\nShe can be reached at maeve.linehan@example.org, or \
                    on 020 7946 0958. Dr. Linehan’s ward – no. 7 – is closed.\r\nZürich, 3 May 2024.\n";
const MARKDOWN: &str = "---\ntitle: Visit of Maeve Linehan\n---\n# Visit\n\n- [x] **Maeve Linehan** called\n- see \
                        [mail](mailto:maeve.linehan@example.org \"her\")\n\n| name | age |\n|---|---|\n| Maeve Linehan \
                        | 61 |\n\n```json\n{\"name\": \"Maeve Linehan\"}\n```\n> `x` &amp; *y*[^1]\n\n[^1]: Not \
                        _Linehan_.\n";
const HTML: &str = "<!DOCTYPE html><html lang=\"en\"><head><title>Maeve Linehan</title><meta name=\"author\" \
                    content=\"Maeve Linehan\"></head><body><!-- Maeve Linehan --><p title='Maeve Linehan'>Dear <b>Maeve \
                    Linehan</b>, &lt;5 &amp; 6&#39;s</p><a href=\"mailto:maeve.linehan@example.org\">mail</a>\
                    <script>var a = \"x\";</script></body></html>\n";
const JSONL: &str = "{\"id\": \"1\", \"text\": \"Maeve Linehan is 61.\\nShe \\u00e9 \\\"x\\\"\"}\n{\"id\": \"2\", \"text\": \
                     \"Mail maeve.linehan@example.org, Linehan.\", \"n\": [1, null]}\n\n{\"text\": \"\"}\n";
const CSV: &str = "text,author\n\"Maeve Linehan, aged \"\"61\"\"\",Maeve Linehan\nMail maeve.linehan@example.org,\n\"two\r\nlines\",maeve.linehan@example.org\n";
const TSV: &str = "text\tauthor\nMaeve Linehan is 61\tMaeve Linehan\nMail maeve.linehan@example.org\t\n";
const DOCX: &[u8] = include_bytes!("../../../../examples/letter.docx");

/// Characters that mean something to a format, to Unicode, or to nobody.
const SPECIAL: [&str; 40] = [
    "\0",
    "\u{1}",
    "\u{7f}",
    "\u{feff}",
    "\u{200b}",
    "\u{200d}",
    "\u{ad}",
    "\u{202e}",
    "\u{301}",
    "\u{2028}",
    "\u{85}",
    "😀",
    "İ",
    "ß",
    "ﬁ",
    "\"",
    "'",
    "<",
    ">",
    "&",
    "&#0;",
    "&#x110000;",
    "&amp",
    "<!--",
    "-->",
    "]]>",
    "<![CDATA[",
    "</",
    "\\",
    "\\u",
    "\\ud800",
    "\r",
    "\n",
    "\t",
    ",",
    "{",
    "}",
    "[",
    "*_`",
    "```",
];

/// A generator of the same numbers in every run (`SplitMix64`).
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn below(&mut self, limit: usize) -> usize {
        usize::try_from(self.next() % u64::try_from(limit.max(1)).unwrap()).unwrap()
    }

    /// A piece of so many bytes at most.
    fn piece(&mut self, bytes: &[u8], most: usize) -> std::ops::Range<usize> {
        let start = self.below(bytes.len() + 1);
        start..(start + self.below(most) + 1).min(bytes.len())
    }

    /// One to three mutations.
    fn mutate(&mut self, seed: &[u8]) -> Vec<u8> {
        let mut bytes = seed.to_vec();
        for _ in 0..=self.below(3) {
            let at = self.below(bytes.len() + 1);
            match self.below(6) {
                0 if at < bytes.len() => bytes[at] ^= 1 << self.below(8),
                1 => drop(bytes.drain(self.piece(&bytes, 12))),
                2 => {
                    let piece = bytes[self.piece(&bytes, 60)].to_vec();
                    bytes.splice(at..at, piece);
                }
                // Rarely, since little is left to be mutated.
                3 if self.below(3) == 0 => bytes.truncate(at),
                4 => drop(bytes.splice(at..at, SPECIAL[self.below(SPECIAL.len())].bytes())),
                _ => {
                    let other = [TEXT, MARKDOWN, HTML, JSONL, CSV, TSV][self.below(6)].as_bytes();
                    let piece = self.piece(other, 60);
                    bytes.splice(at..at, other[piece].iter().copied());
                }
            }
        }
        bytes
    }

    /// A Word document with a mutated part, or one whose archive is damaged.
    fn mutate_docx(&mut self) -> Vec<u8> {
        if self.below(4) == 0 {
            return self.mutate(DOCX);
        }
        let mut archive = ZipArchive::new(Cursor::new(DOCX)).unwrap();
        let chosen = self.below(archive.len());
        let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
        for index in 0..archive.len() {
            let mut entry = archive.by_index(index).unwrap();
            let (mut part, name) = (Vec::new(), entry.name().unwrap().into_owned());
            entry.read_to_end(&mut part).unwrap();
            // Images are not searched, and the report says so.
            let is_xml = !name.starts_with("word/media/");
            let is_chosen = is_xml && (index == chosen || name == "word/document.xml");
            writer.start_file(name, SimpleFileOptions::default()).unwrap();
            writer.write_all(&if is_chosen { self.mutate(&part) } else { part }).unwrap();
        }
        writer.finish().unwrap().into_inner()
    }
}

/// The content of a file; of a Word document, all parts.
fn content(bytes: &[u8]) -> String {
    let Ok(mut archive) = ZipArchive::new(Cursor::new(bytes)) else {
        return String::from_utf8_lossy(bytes).into_owned();
    };
    let mut text = String::new();
    for index in 0..archive.len() {
        let mut part = Vec::new();
        // A damaged part has no content.
        if archive.by_index(index).is_ok_and(|mut entry| entry.read_to_end(&mut part).is_ok()) {
            text.extend([" ", &String::from_utf8_lossy(&part)]);
        }
    }
    text
}

/// Whether a sentinel is in the text, and nowhere as a part of another word: then it must be found.
fn is_whole(text: &str, sentinel: &str) -> bool {
    let part =
        |c: char| c.is_alphanumeric() || !(c.is_ascii() || c == '–' || c == '’') || "_-.@%+\\&".contains(c);
    let mut found = text.match_indices(sentinel).peekable();
    found.peek().is_some()
        && found.all(|(at, _)| {
            !text[..at].chars().next_back().is_some_and(part)
                && !text[at + sentinel.len()..].trim_start_matches('.').chars().next().is_some_and(part)
        })
}

/// Anonymizes a directory, and kills the program if it hangs.
fn protect(folder: &Folder) -> (i32, String) {
    let stderr = std::fs::File::create(folder.path("stderr")).unwrap();
    let mut child = Command::new(env!("CARGO_BIN_EXE_reticent"))
        .args(["-q", "protect", "in", "-o", "out", "--subject", "Maeve Linehan"])
        .current_dir(folder.path(""))
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(stderr)
        .spawn()
        .unwrap();
    let begun = Instant::now();
    let status = loop {
        if let Some(status) = child.try_wait().unwrap() {
            break status;
        }
        if begun.elapsed() > DEADLINE {
            child.kill().unwrap();
            panic!("hangs: kept in {}", keep(folder));
        }
        std::thread::sleep(Duration::from_millis(10));
    };
    (status.code().expect("no signal ends the program"), folder.read("stderr"))
}

/// Copies the inputs to where they can be looked at after the test.
fn keep(folder: &Folder) -> String {
    let kept = Path::new(env!("CARGO_TARGET_TMPDIR")).join("mutations");
    std::fs::create_dir_all(&kept).unwrap();
    for entry in std::fs::read_dir(folder.path("in")).unwrap() {
        let entry = entry.unwrap();
        std::fs::copy(entry.path(), kept.join(entry.file_name())).unwrap();
    }
    kept.display().to_string()
}

fn check(extension: &str, seed: u64, mutate: impl Fn(&mut Random) -> Vec<u8>) {
    let mut random = Random(seed);
    let (mut released, mut searched, mut leaks) = (0, 0, Vec::new());
    for batch in 0..MUTATIONS / BATCH {
        let folder = Folder::new();
        let inputs: Vec<Vec<u8>> = (0..BATCH).map(|_| mutate(&mut random)).collect();
        for (number, bytes) in inputs.iter().enumerate() {
            folder.write(&format!("in/{batch}-{number:03}.{extension}"), bytes);
        }
        let (code, err) = protect(&folder);
        assert!((0..=2).contains(&code), "{code}: {err}");
        assert!(!err.contains("internal error"), "kept in {}: {err}", keep(&folder));
        assert!(!err.contains(NAME) && !err.contains(MAIL), "standard error repeats the text: {err}");
        for (number, bytes) in inputs.iter().enumerate() {
            let name = format!("{batch}-{number:03}.{extension}");
            let Ok(output) = std::fs::read(folder.path(&format!("out/{name}"))) else { continue };
            released += 1;
            let (before, after) = (content(bytes), content(&output));
            for sentinel in [NAME, MAIL].into_iter().filter(|sentinel| is_whole(&before, sentinel)) {
                searched += 1;
                if after.contains(sentinel) {
                    leaks.push(format!("{name} leaks, kept in {}", keep(&folder)));
                }
            }
        }
    }
    assert!(leaks.is_empty(), "{}", leaks.join("\n"));
    // Mutations that are all refused, or all destroy the sentinels, would test nothing.
    assert!(released > MUTATIONS / 20, "{released} released");
    assert!(searched > MUTATIONS / 20, "{searched} searched");
}

#[test]
fn text() {
    check("txt", 1, |random| random.mutate(TEXT.as_bytes()));
}

#[test]
fn markdown() {
    check("md", 2, |random| random.mutate(MARKDOWN.as_bytes()));
}

#[test]
fn html() {
    check("html", 3, |random| random.mutate(HTML.as_bytes()));
}

#[test]
fn docx() {
    check("docx", 4, Random::mutate_docx);
}

#[test]
fn jsonl() {
    check("jsonl", 5, |random| random.mutate(JSONL.as_bytes()));
}

#[test]
fn csv() {
    check("csv", 6, |random| random.mutate(CSV.as_bytes()));
}

#[test]
fn tsv() {
    check("tsv", 7, |random| random.mutate(TSV.as_bytes()));
}
