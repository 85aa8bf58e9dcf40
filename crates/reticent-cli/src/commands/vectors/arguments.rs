//! The arguments of `reticent vectors`.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};
use reticent_knowledge::embedding::import::Format;

use crate::args::InputFormat;

#[derive(Args, Debug)]
pub(crate) struct VectorsArgs {
    #[command(subcommand)]
    pub(super) action: Action,
}

#[derive(Subcommand, Debug)]
pub(super) enum Action {
    /// Train vectors for the terms of documents
    Train(TrainArgs),
    /// Add the terms of more documents; vectors that are there stay as they are
    Expand(ExpandArgs),
    /// Read the vectors of another program: word2vec, fastText and others
    Import(ImportArgs),
    /// Write vectors as word2vec does, for other programs
    Export(ExportArgs),
    /// Tell which terms are most like one
    Nearest(NearestArgs),
    /// Tell how alike two terms are, also in their sentences
    Similarity(SimilarityArgs),
    /// Write the terms that training would see, one sentence a line
    Tokens(TokensArgs),
}

/// The documents to learn from.
#[derive(Args, Debug)]
pub(super) struct CorpusArgs {
    /// Files or directories; `-` for standard input
    #[arg(required = true, value_name = "CORPUS")]
    pub(super) inputs: Vec<PathBuf>,
    /// The format of the input; told from the file's name if not given
    #[arg(long, value_enum, value_name = "FORMAT")]
    pub(super) input_format: Option<InputFormat>,
    /// Rows of JSONL, CSV or TSV: the field that holds the text (may be given several times)
    #[arg(long, value_name = "NAME", default_value = "text")]
    pub(super) text_field: Vec<String>,
    /// Rows: the field that names the document
    #[arg(long, value_name = "NAME")]
    pub(super) id_field: Option<String>,
    /// The language of the documents (en, es); that of most of the first ones if not given
    #[arg(long, value_name = "CODE")]
    pub(super) language: Option<String>,
}

/// How to learn.
#[derive(Args, Debug)]
pub(super) struct LearnArgs {
    /// How many terms before and after one are near it
    #[arg(long, default_value_t = 10)]
    pub(super) window: usize,
    /// How often the documents are gone through
    #[arg(long, default_value_t = 15)]
    pub(super) epochs: usize,
    /// How many terms drawn by chance are held against each
    #[arg(long, default_value_t = 5)]
    pub(super) negative: usize,
    /// How many threads; one for each core if not given. The result is the same each time only with one
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(super) threads: Option<u16>,
    /// Another seed, other vectors
    #[arg(long, default_value_t = 1)]
    pub(super) seed: u64,
    /// Terms that make up more than this share are passed over now and then; 0 for never
    #[arg(long, default_value_t = 1e-3, value_name = "SHARE")]
    pub(super) subsample: f64,
}

#[derive(Args, Debug)]
pub(super) struct TrainArgs {
    #[command(flatten)]
    pub(super) corpus: CorpusArgs,
    #[command(flatten)]
    pub(super) learn: LearnArgs,
    /// Where to write
    #[arg(short, long, value_name = "FILE")]
    pub(super) output: PathBuf,
    /// How many numbers a vector has
    #[arg(long, default_value_t = 300)]
    pub(super) dimension: usize,
    /// Rarer terms get no vector; but rare terms are the risky ones
    #[arg(long, default_value_t = 1)]
    pub(super) min_count: u64,
    /// Learn sequences of so many letters too, so that no term is unknown: 3..6
    #[arg(long, value_name = "MIN..MAX", value_parser = range)]
    pub(super) subwords: Option<(u32, u32)>,
    /// Leave out what only `vectors expand` needs: half the size
    #[arg(long = "final")]
    pub(super) finished: bool,
    /// 8 bits for each number instead of 32; implies --final
    #[arg(long)]
    pub(super) eight_bit: bool,
}

#[derive(Args, Debug)]
pub(super) struct ExpandArgs {
    /// The vectors, as `vectors train` wrote them
    pub(super) vectors: PathBuf,
    #[command(flatten)]
    pub(super) corpus: CorpusArgs,
    #[command(flatten)]
    pub(super) learn: LearnArgs,
    /// Where to write
    #[arg(short, long, value_name = "FILE")]
    pub(super) output: PathBuf,
    /// Leave out what only another `vectors expand` needs: half the size
    #[arg(long = "final")]
    pub(super) finished: bool,
}

#[derive(Args, Debug)]
pub(super) struct ImportArgs {
    /// The file of the other program; `.gz` is unpacked
    pub(super) file: PathBuf,
    /// Who wrote it; told from how it begins if not given
    #[arg(long, value_enum, value_name = "FORMAT")]
    pub(super) from: Option<From>,
    /// Where to write
    #[arg(short, long, value_name = "FILE")]
    pub(super) output: PathBuf,
    /// 8 bits for each number instead of 32
    #[arg(long)]
    pub(super) eight_bit: bool,
    /// What it is called in reports; the file's name if not given
    #[arg(long)]
    pub(super) name: Option<String>,
    /// The language of the words (en, es)
    #[arg(long, value_name = "CODE", default_value = "en")]
    pub(super) language: String,
}

#[derive(Args, Debug)]
pub(super) struct ExportArgs {
    /// The vectors
    pub(super) vectors: PathBuf,
    /// Where to write; `-` for standard output
    #[arg(short, long, value_name = "FILE")]
    pub(super) output: PathBuf,
}

#[derive(Args, Debug)]
pub(super) struct NearestArgs {
    /// The term
    pub(super) term: String,
    /// The vectors; those that ship with the program if not given
    #[arg(long, value_name = "FILE")]
    pub(super) vectors: Option<PathBuf>,
    /// How many
    #[arg(short = 'n', long, default_value_t = 10, value_name = "N")]
    pub(super) number: usize,
}

#[derive(Args, Debug)]
pub(super) struct SimilarityArgs {
    /// One term
    pub(super) one: String,
    /// The other
    pub(super) other: String,
    /// The vectors, or the directory of a BERT-like model; those that ship with the program if not given
    #[arg(long, value_name = "FILE|DIRECTORY")]
    pub(super) vectors: Option<PathBuf>,
    /// The sentence in which the first term stands; given twice, the second is for the other term
    #[arg(long = "in", value_name = "SENTENCE")]
    pub(super) sentences: Vec<String>,
}

#[derive(Args, Debug)]
pub(super) struct TokensArgs {
    #[command(flatten)]
    pub(super) corpus: CorpusArgs,
    /// Where to write; standard output if not given
    #[arg(short, long, value_name = "FILE")]
    pub(super) output: Option<PathBuf>,
    /// As JSON lines with the noun phrases of each document and where they stand, in code points
    #[arg(long)]
    pub(super) spans: bool,
}

#[derive(ValueEnum, Clone, Copy, Debug)]
pub(super) enum From {
    Word2vecText,
    Word2vecBinary,
    Fasttext,
    Glove,
}

impl std::convert::From<From> for Format {
    fn from(from: From) -> Self {
        match from {
            From::Word2vecText => Self::Word2vecText,
            From::Word2vecBinary => Self::Word2vecBinary,
            From::Fasttext => Self::FastText,
            From::Glove => Self::Glove,
        }
    }
}

fn range(text: &str) -> Result<(u32, u32), String> {
    let (least, most) = text.split_once("..").ok_or("write it as 3..6")?;
    let number = |part: &str| part.trim().parse::<u32>().map_err(|_| "write it as 3..6".to_owned());
    let (least, most) = (number(least)?, number(most)?);
    if least == 0 || least > most || most > 32 {
        return Err("the shortest must be at least 1, the longest not below it and at most 32".to_owned());
    }
    Ok((least, most))
}
