//! Word pieces: what the model reads instead of words.
//!
//! Only what BERT's own tokenizer does is taken from a file: its vocabulary and four switches. The rest of
//! a `tokenizer.json` could hold patterns that take forever, and tokens such as `[SEP]` that a document
//! could then write to end its own sentence.

use std::ops::Range;

use reticent_text::Span;
use serde_json::Value;
use tokenizers::decoders::wordpiece::WordPiece as Decoder;
use tokenizers::models::wordpiece::WordPiece;
use tokenizers::normalizers::BertNormalizer;
use tokenizers::pre_tokenizers::bert::BertPreTokenizer;
use tokenizers::processors::bert::BertProcessing;
use tokenizers::{Model, TokenizerBuilder, TokenizerImpl};

use crate::{Error, ErrorKind};

/// Longer words are unknown at once, since cutting takes the square of their length.
const LONGEST_WORD: usize = 1_000;

/// Cuts text into word pieces.
pub(super) struct Pieces {
    tokenizer: TokenizerImpl<WordPiece, BertNormalizer, BertPreTokenizer, BertProcessing, Decoder>,
    pub(super) first: u32,
    pub(super) last: u32,
    unknown: u32,
}

/// The pieces of one text.
pub(super) struct Cut {
    pub(super) ids: Vec<u32>,
    places: Vec<(usize, usize)>,
}

impl Cut {
    /// The pieces that a span touches; none if it is empty.
    pub(super) fn touched(&self, span: Span) -> Range<usize> {
        if span.is_empty() {
            return 0..0;
        }
        let start = self.places.partition_point(|(_, end)| *end <= span.start);
        let end = self.places.partition_point(|(start, _)| *start < span.end);
        start..end.max(start)
    }
}

impl Pieces {
    /// From a `tokenizer.json`.
    pub(super) fn from_json(bytes: &[u8], vocabulary: usize) -> Result<Self, Error> {
        let file: Value =
            serde_json::from_slice(bytes).map_err(|_| Error::new(ErrorKind::Malformed, "not valid JSON"))?;
        let has = |part: &str, kind: &str| file[part]["type"].as_str() == Some(kind);
        if !has("normalizer", "BertNormalizer") || !has("pre_tokenizer", "BertPreTokenizer") {
            return Err(foreign());
        }
        let normalizer = normalizer(&file["normalizer"], ["clean_text", "handle_chinese_chars", "lowercase"]);
        let model = WordPiece::from_bytes(file["model"].to_string()).map_err(|_| foreign())?;
        Self::new(model, normalizer, vocabulary)
    }

    /// From a `vocab.txt`, a piece a line, and a `tokenizer_config.json` if there is one.
    pub(super) fn from_text(lines: &[u8], settings: Option<&[u8]>, vocabulary: usize) -> Result<Self, Error> {
        let settings: Value = match settings {
            None => Value::Null,
            Some(bytes) => serde_json::from_slice(bytes)
                .map_err(|_| Error::new(ErrorKind::Malformed, "tokenizer_config.json is not valid JSON"))?,
        };
        let words = WordPiece::read_bytes(lines)
            .map_err(|_| Error::new(ErrorKind::Malformed, "the vocabulary is not UTF-8"))?;
        let model = WordPiece::builder().vocab(words).build().map_err(|_| foreign())?;
        let normalizer = normalizer(&settings, ["clean_text", "tokenize_chinese_chars", "do_lower_case"]);
        Self::new(model, normalizer, vocabulary)
    }

    fn new(model: WordPiece, normalizer: BertNormalizer, vocabulary: usize) -> Result<Self, Error> {
        let words = model.get_vocab();
        if words.values().any(|id| usize::try_from(*id).map_or(true, |id| id >= vocabulary)) {
            return Err(Error::new(
                ErrorKind::Inconsistent,
                "there are more word pieces than the model has embeddings for",
            )
            .with_hint("use the tokenizer of this model"));
        }
        if model.max_input_chars_per_word > LONGEST_WORD {
            return Err(Error::new(
                ErrorKind::Limit,
                format!("words longer than {LONGEST_WORD} letters are allowed"),
            ));
        }
        let id = |piece: &str| {
            let missing = || Error::new(ErrorKind::Malformed, format!("the word piece {piece} is missing"));
            words.get(piece).copied().ok_or_else(missing)
        };
        let (first, last, unknown) = (id("[CLS]")?, id("[SEP]")?, id(&model.unk_token)?);
        let tokenizer = TokenizerBuilder::new()
            .with_model(model)
            .with_normalizer(Some(normalizer))
            .with_pre_tokenizer(Some(BertPreTokenizer))
            .with_post_processor(None)
            .with_decoder(None)
            .build()
            .map_err(|_| foreign())?;
        Ok(Self { tokenizer, first, last, unknown })
    }

    /// Cuts a text, without the marks before and after it.
    pub(super) fn cut(&self, text: &str) -> Result<Cut, Error> {
        let refused = |_| Error::new(ErrorKind::Malformed, "the tokenizer of the model failed on the text");
        let encoding = self.tokenizer.encode(text, false).map_err(refused)?;
        Ok(Cut { ids: encoding.get_ids().to_vec(), places: encoding.get_offsets().to_vec() })
    }

    /// Whether a piece stands for letters that the model has none for.
    pub(super) fn is_unknown(&self, id: u32) -> bool {
        id == self.unknown
    }
}

/// The four switches, all on unless the file says otherwise; accents go where letters become small.
fn normalizer(settings: &Value, [clean, chinese, lower]: [&str; 3]) -> BertNormalizer {
    let on = |name: &str| settings[name].as_bool().unwrap_or(true);
    BertNormalizer::new(on(clean), on(chinese), settings["strip_accents"].as_bool(), on(lower))
}

fn foreign() -> Error {
    Error::new(ErrorKind::Argument, "the tokenizer is not that of a BERT model")
        .with_hint("it must be WordPiece with BERT's own normalizer and pre-tokenizer")
}

#[cfg(test)]
mod tests {
    use super::*;

    const WORDS: &[u8] = b"[PAD]\n[UNK]\n[CLS]\n[SEP]\nthe\nriver\nbank\n##ing\ncafe\n";

    fn pieces() -> Pieces {
        Pieces::from_text(WORDS, None, 9).unwrap()
    }

    #[test]
    fn finds_the_pieces_of_a_span() {
        let cut = pieces().cut("The  Banking Café").unwrap();
        assert_eq!(cut.ids, [4, 6, 7, 8]);
        assert_eq!(cut.touched(Span::new(5, 12)), 1..3);
        assert_eq!(cut.touched(Span::new(5, 6)), 1..2);
        assert_eq!(cut.touched(Span::new(13, 18)), 3..4);
        assert_eq!(cut.touched(Span::new(3, 5)), 1..1);
        assert!(cut.touched(Span::new(6, 6)).is_empty() && cut.touched(Span::new(18, 18)).is_empty());
    }

    #[test]
    fn a_text_cannot_write_marks() {
        let pieces = pieces();
        let cut = pieces.cut("the [SEP] bank").unwrap();
        assert!(!cut.ids.contains(&pieces.last));
        assert!(cut.ids.iter().any(|id| pieces.is_unknown(*id)));
    }

    #[test]
    fn keeps_case_where_the_model_does() {
        let cased = Pieces::from_text(WORDS, Some(br#"{"do_lower_case": false}"#), 9).unwrap();
        let cut = cased.cut("the Bank").unwrap();
        assert!(!cased.is_unknown(cut.ids[0]) && cased.is_unknown(cut.ids[1]));
    }

    #[test]
    fn refuses_other_tokenizers() {
        let kind = |result: Result<Pieces, Error>| result.map(|_| ()).unwrap_err().kind();
        assert_eq!(kind(Pieces::from_text(WORDS, None, 8)), ErrorKind::Inconsistent);
        assert_eq!(kind(Pieces::from_text(b"the\n", None, 9)), ErrorKind::Malformed);
        assert_eq!(kind(Pieces::from_text(b"\xff\xfe", None, 9)), ErrorKind::Malformed);
        assert_eq!(kind(Pieces::from_text(WORDS, Some(b"{"), 9)), ErrorKind::Malformed);
        assert_eq!(kind(Pieces::from_json(b"", 9)), ErrorKind::Malformed);
        for json in [
            "{}",
            "[1]",
            r#"{"normalizer": {"type": "BertNormalizer"}, "pre_tokenizer": {"type": "ByteLevel"}}"#,
            r#"{"normalizer": {"type": "BertNormalizer"}, "pre_tokenizer": {"type": "BertPreTokenizer"}, "model": {"type": "BPE"}}"#,
        ] {
            assert_eq!(kind(Pieces::from_json(json.as_bytes(), 9)), ErrorKind::Argument);
        }
        let long = r###"{"normalizer": {"type": "BertNormalizer"}, "pre_tokenizer": {"type": "BertPreTokenizer"},
            "model": {"type": "WordPiece", "unk_token": "[UNK]", "continuing_subword_prefix": "##",
            "max_input_chars_per_word": 1000000, "vocab": {"[UNK]": 0, "[CLS]": 1, "[SEP]": 2}}}"###;
        assert_eq!(kind(Pieces::from_json(long.as_bytes(), 9)), ErrorKind::Limit);
        assert!(Pieces::from_json(long.replace("1000000", "100").as_bytes(), 9).is_ok());
    }
}
