//! The arguments of `reticent vectors`.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};
use reticent_knowledge::embedding::import::Format;

use crate::args::InputFormat;

#[derive(Args, Debug)]
#[command(after_help = "Examples:
  reticent vectors train corpus.jsonl.gz -o corpus.vec
  reticent vectors nearest hospital")]
pub(crate) struct VectorsArgs {
    #[command(subcommand)]
    pub(super) action: Action,
}

#[derive(Subcommand, Debug)]
pub(super) enum Action {
    /// Train word vectors on a corpus
    Train(TrainArgs),
    /// Add vectors for the terms of more documents, keeping existing ones unchanged
    Expand(ExpandArgs),
    /// Import vectors from word2vec, fastText and other formats
    Import(ImportArgs),
    /// Export vectors in word2vec format
    Export(ExportArgs),
    /// List the terms most similar to a term
    Nearest(NearestArgs),
    /// Print the cosine similarity of two terms, optionally in context
    Similarity(SimilarityArgs),
    /// Print the terms used for training, one sentence per line
    Tokens(TokensArgs),
}

/// The training corpus.
#[derive(Args, Debug)]
pub(super) struct CorpusArgs {
    /// Files or directories; `-` for standard input
    #[arg(required = true, value_name = "CORPUS")]
    pub(super) inputs: Vec<PathBuf>,
    /// Input format [default: by file extension]
    #[arg(long, value_enum, value_name = "FORMAT", help_heading = "Input")]
    pub(super) input_format: Option<InputFormat>,
    /// JSONL, CSV, TSV: field with the text (repeatable)
    #[arg(long, value_name = "NAME", default_value = "text", help_heading = "Input")]
    pub(super) text_field: Vec<String>,
    /// JSONL, CSV, TSV: field with the document ID
    #[arg(long, value_name = "NAME", help_heading = "Input")]
    pub(super) id_field: Option<String>,
    /// Language of the documents: en or es [default: detected from the first documents]
    #[arg(long, value_name = "CODE", help_heading = "Input")]
    pub(super) language: Option<String>,
}

/// The training parameters.
#[derive(Args, Debug)]
#[command(next_help_heading = "Training")]
pub(super) struct LearnArgs {
    /// Context window: number of terms before and after
    #[arg(long, default_value_t = 10)]
    pub(super) window: usize,
    /// Number of epochs
    #[arg(long, default_value_t = 15)]
    pub(super) epochs: usize,
    /// Number of negative samples
    #[arg(long, default_value_t = 5)]
    pub(super) negative: usize,
    /// Number of threads; results are reproducible only with 1 [default: one per core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024), help_heading = "Performance")]
    pub(super) threads: Option<u16>,
    /// Random seed
    #[arg(long, default_value_t = 1)]
    pub(super) seed: u64,
    /// Subsample terms with a relative frequency above this threshold; 0 to disable
    #[arg(long, default_value_t = 1e-3, value_name = "SHARE")]
    pub(super) subsample: f64,
}

#[derive(Args, Debug)]
#[command(after_help = "Examples:
  reticent vectors train corpus.jsonl.gz -o corpus.vec
  reticent vectors train articles/ --dimension 100 --subwords 3..6 --eight-bit -o small.vec")]
pub(super) struct TrainArgs {
    #[command(flatten)]
    pub(super) corpus: CorpusArgs,
    #[command(flatten)]
    pub(super) learn: LearnArgs,
    /// Output vectors
    #[arg(short, long, value_name = "FILE", help_heading = "Output")]
    pub(super) output: PathBuf,
    /// Number of dimensions
    #[arg(long, default_value_t = 300, help_heading = "Training")]
    pub(super) dimension: usize,
    /// Smallest number of occurrences of a term; rare terms carry the highest risk, so keep it low
    #[arg(long, default_value_t = 1, help_heading = "Training")]
    pub(super) min_count: u64,
    /// Also train character n-grams of these lengths, such as 3..6, so that every term has a vector
    #[arg(long, value_name = "MIN..MAX", value_parser = range, help_heading = "Training")]
    pub(super) subwords: Option<(u32, u32)>,
    /// Omit the data required by `reticent vectors expand`: half the size
    #[arg(long = "final", help_heading = "Output")]
    pub(super) finished: bool,
    /// Quantize to 8 bits per dimension instead of 32; implies --final
    #[arg(long, help_heading = "Output")]
    pub(super) eight_bit: bool,
}

#[derive(Args, Debug)]
#[command(after_help = "Examples:
  reticent vectors expand corpus.vec more.jsonl -o larger.vec
  reticent vectors expand corpus.vec articles/ --epochs 5 --final -o larger.vec")]
pub(super) struct ExpandArgs {
    /// Vectors from `reticent vectors train`, without --final
    pub(super) vectors: PathBuf,
    #[command(flatten)]
    pub(super) corpus: CorpusArgs,
    #[command(flatten)]
    pub(super) learn: LearnArgs,
    /// Output vectors
    #[arg(short, long, value_name = "FILE", help_heading = "Output")]
    pub(super) output: PathBuf,
    /// Omit the data required by another `reticent vectors expand`: half the size
    #[arg(long = "final", help_heading = "Output")]
    pub(super) finished: bool,
}

#[derive(Args, Debug)]
#[command(after_help = "Examples:
  reticent vectors import GoogleNews.bin.gz -o news.vec
  reticent vectors import cc.es.300.vec.gz --language es --eight-bit -o es.vec")]
pub(super) struct ImportArgs {
    /// File to import, optionally .gz
    pub(super) file: PathBuf,
    /// Input format [default: detected]
    #[arg(long, value_enum, value_name = "FORMAT", help_heading = "Input")]
    pub(super) from: Option<From>,
    /// Output vectors
    #[arg(short, long, value_name = "FILE", help_heading = "Output")]
    pub(super) output: PathBuf,
    /// Quantize to 8 bits per dimension instead of 32
    #[arg(long, help_heading = "Output")]
    pub(super) eight_bit: bool,
    /// Name in reports [default: name of the file]
    #[arg(long, help_heading = "Output")]
    pub(super) name: Option<String>,
    /// Language of the words: en or es
    #[arg(long, value_name = "CODE", default_value = "en", help_heading = "Input")]
    pub(super) language: String,
}

#[derive(Args, Debug)]
#[command(after_help = "Examples:
  reticent vectors export corpus.vec -o corpus.w2v
  reticent vectors export corpus.vec -o - | head -c 100")]
pub(super) struct ExportArgs {
    /// Vectors from `reticent vectors train` or `import`
    pub(super) vectors: PathBuf,
    /// Output file; `-` for standard output
    #[arg(short, long, value_name = "FILE", help_heading = "Output")]
    pub(super) output: PathBuf,
}

#[derive(Args, Debug)]
#[command(after_help = "Examples:
  reticent vectors nearest hospital
  reticent vectors nearest 'blood transfusion' --vectors corpus.vec -n 20")]
pub(super) struct NearestArgs {
    /// Term
    pub(super) term: String,
    /// Vectors from `reticent vectors train` or `import` [default: built-in]
    #[arg(long, value_name = "FILE", help_heading = "Input")]
    pub(super) vectors: Option<PathBuf>,
    /// Number of terms
    #[arg(short = 'n', long, default_value_t = 10, value_name = "N", help_heading = "Output")]
    pub(super) number: usize,
}

#[derive(Args, Debug)]
#[command(after_help = "Examples:
  reticent vectors similarity hospital clinic
  reticent vectors similarity bank shore --vectors bert/ --in 'We sat on the bank.'")]
pub(super) struct SimilarityArgs {
    /// First term
    pub(super) one: String,
    /// Second term
    pub(super) other: String,
    /// Vectors, or directory of a BERT-like model [default: built-in vectors]
    #[arg(long, value_name = "FILE|DIRECTORY", help_heading = "Input")]
    pub(super) vectors: Option<PathBuf>,
    /// Sentence that contains the first term; given twice, the second sentence is for the second term
    #[arg(long = "in", value_name = "SENTENCE", help_heading = "Input")]
    pub(super) sentences: Vec<String>,
}

#[derive(Args, Debug)]
#[command(after_help = "Examples:
  reticent vectors tokens corpus.jsonl.gz -o corpus.txt
  reticent vectors tokens articles/ --spans")]
pub(super) struct TokensArgs {
    #[command(flatten)]
    pub(super) corpus: CorpusArgs,
    /// Output file [default: standard output]
    #[arg(short, long, value_name = "FILE", help_heading = "Output")]
    pub(super) output: Option<PathBuf>,
    /// Print JSON lines with the noun phrases of each document and their offsets, in code points
    #[arg(long, help_heading = "Output")]
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
    let (least, most) = text.split_once("..").ok_or("use the form 3..6")?;
    let number = |part: &str| part.trim().parse::<u32>().map_err(|_| "use the form 3..6".to_owned());
    let (least, most) = (number(least)?, number(most)?);
    if least == 0 || least > most || most > 32 {
        return Err(
            "the shortest length must be at least 1, the longest at least that and at most 32".to_owned()
        );
    }
    Ok((least, most))
}
