//! A table of counts: what a search engine of the web once said about each term.

use std::fmt;
use std::io::{BufRead, BufReader, Read};

use flate2::read::MultiGzDecoder;
use reticent_text::Language;
use rustc_hash::FxHashMap;

use super::{Count, Counts, with_commas};
use crate::{Error, ErrorKind, Folding};

/// No line is longer.
const LONGEST: u64 = 1 << 16;

/// Counts of terms from a table: a term, a tabulator and a number on each line, perhaps packed with gzip.
///
/// A count of -1 says that it is not known. The table knows terms one by one; of terms together it
/// says nothing. A term that is written as in the table has
/// the count that stands there; otherwise, of all that fold to the same, the most frequent is taken.
///
/// ```
/// use reticent_knowledge::corpus::{Count, Counts, WebHits};
/// use reticent_text::Language;
/// let hits = WebHits::read("blood transfusion\t900\nHIV\t5000\n".as_bytes(), 1_000_000, Language::English)?;
/// assert_eq!(hits.count(&["the Blood Transfusions"])?, Count::Exact(900));
/// assert_eq!(hits.count(&["HIV", "blood transfusion"])?, Count::Unknown);
/// # Ok::<(), reticent_knowledge::Error>(())
/// ```
pub struct WebHits {
    /// Nothing where the table itself says that the count is not known.
    written: FxHashMap<String, Option<u64>>,
    folded: FxHashMap<String, u64>,
    total: u64,
    folding: Folding,
    fingerprint: String,
}

impl fmt::Debug for WebHits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("WebHits").field("terms", &self.written.len()).finish_non_exhaustive()
    }
}

impl WebHits {
    /// How many pages the search engine knew that made the table of the paper's actors: about 8.1e10.
    pub const WEB: u64 = 81_190_000_000;

    /// Reads a table of a source that has `total` units.
    pub fn read(input: impl Read, total: u64, language: Language) -> Result<Self, Error> {
        let mut input = BufReader::new(input);
        if input.fill_buf()?.starts_with(&[0x1f, 0x8b]) {
            return Self::read_lines(BufReader::new(MultiGzDecoder::new(input)), total, language);
        }
        Self::read_lines(input, total, language)
    }

    fn read_lines(mut input: impl BufRead, total: u64, language: Language) -> Result<Self, Error> {
        let folding = Folding::new(language);
        let (mut written, mut folded) = (FxHashMap::default(), FxHashMap::default());
        let mut hasher = blake3::Hasher::new();
        hasher.update(&total.to_le_bytes()).update(language.code().as_bytes());
        let mut line = Vec::new();
        for number in 1.. {
            line.clear();
            input.by_ref().take(LONGEST).read_until(b'\n', &mut line)?;
            if line.is_empty() {
                break;
            }
            hasher.update(&line);
            let refuse = |kind, what: &str| Error::new(kind, what).at_line(number);
            if line.len() as u64 == LONGEST {
                return Err(refuse(ErrorKind::Limit, "a line of the table is longer than 65,536 bytes"));
            }
            let row = std::str::from_utf8(&line)
                .map_err(|_| refuse(ErrorKind::Malformed, "the table is not UTF-8"))?
                .trim_end_matches(['\n', '\r']);
            if row.trim().is_empty() {
                continue;
            }
            let (term, count) = row
                .rsplit_once('\t')
                .and_then(|(term, count)| Some((term.trim(), read_count(count.trim()).ok()?)))
                .ok_or_else(|| {
                    refuse(
                        ErrorKind::Malformed,
                        "each line of the table must have a term, a tab and a number",
                    )
                })?;
            if count > Some(total) {
                return Err(refuse(ErrorKind::Inconsistent, "a count is larger than the total")
                    .with_hint("set the total with --total"));
            }
            let most = written.entry(term.to_lowercase()).or_insert(None);
            *most = count.max(*most);
            if let Some(count) = count {
                let most = folded.entry(folding.term(term)).or_insert(0);
                *most = count.max(*most);
            }
        }
        folded.remove("");
        if written.is_empty() {
            return Err(Error::new(ErrorKind::Empty, "the table has no counts"));
        }
        let fingerprint = hasher.finalize().to_hex()[..32].to_owned();
        Ok(Self { written, folded, total, folding, fingerprint })
    }
}

impl Counts for WebHits {
    fn name(&self) -> String {
        format!("table of counts of {} terms", with_commas(self.written.len() as u64))
    }

    fn fingerprint(&self) -> String {
        self.fingerprint.clone()
    }

    fn total(&self) -> u64 {
        self.total
    }

    fn count(&self, terms: &[&str]) -> Result<Count, Error> {
        let term = match terms {
            [] => return Ok(Count::Exact(self.total)),
            [term] => term,
            _ => return Ok(Count::Unknown),
        };
        let written = self.written.get(&term.trim().to_lowercase()).copied();
        let count = written.unwrap_or_else(|| self.folded.get(&self.folding.term(term)).copied());
        Ok(count.map_or(Count::Unknown, Count::Exact))
    }
}

/// A number, or nothing for -1.
fn read_count(text: &str) -> Result<Option<u64>, std::num::ParseIntError> {
    if text == "-1" { Ok(None) } else { text.parse().map(Some) }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use proptest::prelude::*;

    use super::*;

    fn read(table: &[u8]) -> Result<WebHits, Error> {
        WebHits::read(table, 1000, Language::English)
    }

    #[test]
    fn takes_the_term_as_written_before_what_folds_to_it() {
        let hits = read(b"the governor\t5\r\ngovernors\t7\n\n").unwrap();
        assert_eq!(hits.count(&["The Governor"]).unwrap(), Count::Exact(5));
        assert_eq!(hits.count(&["governor"]).unwrap(), Count::Exact(7));
        assert_eq!(hits.count(&["governor general"]).unwrap(), Count::Unknown);
        assert_eq!(hits.count(&["..."]).unwrap(), Count::Unknown);
        // One term in two spellings: the more frequent one.
        assert_eq!(read(b"HIV\t3\nhiv\t4\n").unwrap().count(&["HIV"]).unwrap(), Count::Exact(4));
        let hits = read(b"the governor\t-1\ngovernor\t7\n").unwrap();
        assert_eq!(hits.count(&["the governor"]).unwrap(), Count::Unknown);
        assert_eq!(hits.count(&["governors"]).unwrap(), Count::Exact(7));
        assert_eq!(hits.count(&[]).unwrap(), Count::Exact(1000));
    }

    #[test]
    fn reads_packed_tables() {
        let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        packed.write_all(b"HIV\t3\n").unwrap();
        let packed = packed.finish().unwrap();
        assert_eq!(read(&packed).unwrap().count(&["HIV"]).unwrap(), Count::Exact(3));
        assert!(read(&packed[..packed.len() - 9]).is_err());
    }

    #[test]
    fn refuses_what_cannot_be() {
        for (table, kind, line) in [
            (&b"one\t1\ntwo\n"[..], ErrorKind::Malformed, "(line 2)"),
            (b"one\t-2\n", ErrorKind::Malformed, "(line 1)"),
            (b"one\t1001\n", ErrorKind::Inconsistent, "(line 1)"),
            (b"\xff\t1\n", ErrorKind::Malformed, "(line 1)"),
            (b"", ErrorKind::Empty, ""),
        ] {
            let error = read(table).unwrap_err();
            assert_eq!(error.kind(), kind);
            assert!(error.to_string().ends_with(line) && !error.to_string().contains("one"), "{error}");
        }
    }

    #[test]
    fn the_actors_table() {
        let Some(path) = reticent_testing::shared("data/wikiactors/web-hits.tsv.gz") else { return };
        let file = std::fs::File::open(path).unwrap();
        let hits = WebHits::read(file, WebHits::WEB, Language::English).unwrap();
        assert!(hits.written.len() > 7000);
        assert_eq!(hits.count(&["$ 100 million"]).unwrap(), Count::Exact(1_940_000_000));
    }

    proptest! {
        #[test]
        fn any_bytes_are_read_or_refused(table in any::<Vec<u8>>()) {
            let _ = read(&table);
        }
    }
}
