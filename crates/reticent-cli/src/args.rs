//! The command line.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};

/// Releases documents without telling more than their owner decided.
///
/// Exit code: 0 released within the policy; 1 it ran, but a person must look or something is
/// unresolved; 2 error. Data goes to standard output, talk to standard error; `-` is standard input
/// or output.
#[derive(Parser, Debug)]
#[command(name = "reticent", version, max_term_width = 100)]
pub(crate) struct Arguments {
    /// Say only errors
    #[arg(short, long, global = true)]
    pub(crate) quiet: bool,
    /// Replace output files that exist already
    #[arg(long, global = true)]
    pub(crate) force: bool,
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Subcommand, Debug)]
pub(crate) enum Command {
    /// Find what gives someone away and release the rest
    Protect(ProtectArgs),
    /// Decide what to say instead, as JSON to be reviewed; releases nothing
    Plan(PlanArgs),
    /// Release a document by a plan that was reviewed
    Apply(ApplyArgs),
    /// Check a released file against its policy, with code of its own
    Verify(VerifyArgs),
    /// Tell what gives someone away, and change nothing
    Detect(DetectArgs),
    /// List all detectors
    Detectors(DetectorsArgs),
    /// Tell what a detector finds, why, and where it errs; or what a term tells of what is protected
    Explain(ExplainArgs),
    /// Make a table of documents: a row for each, a column for each type of what gives someone away
    Extract(crate::commands::extract::ExtractArgs),
    /// Write a changed table back into the documents that it was made of
    WriteBack(crate::commands::write_back::WriteBackArgs),
    /// Label names, health information or diseases with a trained labeller
    Label(crate::commands::label::LabelArgs),
    /// Train a labeller, or the models that ship with the program
    Train(TrainArgs),
    /// Look into how things generalize, and bring taxonomies of your own
    Taxonomy(crate::commands::taxonomy::TaxonomyArgs),
    /// Build an index of what an attacker can read, and ask it how often terms are written together
    Index(crate::commands::index::IndexArgs),
    /// Train, expand, import and ask word vectors
    Vectors(crate::commands::vectors::VectorsArgs),
    /// Protect tables with text: what their columns are, joint k-anonymity, and its proof
    Table(crate::table::TableArgs),
    /// Measure detection against gold, sweeps over thresholds, and how much meaning is kept
    Evaluate(crate::commands::evaluate::EvaluateArgs),
    /// Try to find out whom released texts are about, and by which of their words
    Attack(crate::commands::attack::AttackArgs),
    /// Make a key for hashing, encrypting and shifting
    Key(KeyArgs),
    /// Turn encrypted replacements back into what they were
    Decrypt(DecryptArgs),
    /// Print completions for a shell
    Completions {
        /// Which shell
        shell: clap_complete::Shell,
    },
    /// Print the manual page
    Man,
}

/// What to read.
#[derive(Args, Debug, Clone)]
pub(crate) struct InputArgs {
    /// Files or directories; `-` for standard input
    #[arg(required = true, value_name = "INPUT")]
    pub(crate) inputs: Vec<PathBuf>,
    /// The format of the input; told from the file's name if not given
    #[arg(long, value_enum, value_name = "FORMAT")]
    pub(crate) input_format: Option<InputFormat>,
    /// The encoding of text that is not UTF-8, such as windows-1252; the output has it too
    #[arg(long, value_name = "LABEL")]
    pub(crate) encoding: Option<String>,
    /// Rows of JSONL, CSV or TSV: the field with the main text, `text` if not given (may be given several times); all
    /// other fields are examined too
    #[arg(long, value_name = "NAME")]
    pub(crate) text_field: Vec<String>,
    /// Rows: the field that names the document; it is kept as it is
    #[arg(long, value_name = "NAME")]
    pub(crate) id_field: Option<String>,
    /// Rows: the field that names the person or thing to protect; it is not released unless --keep-field names it
    #[arg(long, value_name = "NAME")]
    pub(crate) subject_field: Option<String>,
    /// Rows: the field that identifies the person, whose dates are all shifted alike; it is not released unless
    /// --keep-field names it
    #[arg(long, value_name = "NAME")]
    pub(crate) person_field: Option<String>,
    /// Rows: a field that is safe and kept as it is, such as `category` or `author.role` (may be given several times)
    #[arg(long, value_name = "NAME")]
    pub(crate) keep_field: Vec<String>,
    /// Keep content that cannot be examined (pictures, embedded files, macros, scripts) instead of
    /// removing it; the exit code is then 1
    #[arg(long)]
    pub(crate) keep_attachments: bool,
}

/// What to do.
#[derive(Args, Debug, Clone)]
pub(crate) struct PolicyArgs {
    /// The policy file; `reticent.toml` in this folder if it is there
    #[arg(short, long, value_name = "FILE")]
    pub(crate) policy: Option<PathBuf>,
    /// A policy that ships with the program: basic, hipaa-safe-harbor, gdpr, subject, or one to
    /// compare with other tools: ner3, ner4, ner7, presidio; if someone to protect is named and no policy
    /// given, subject
    #[arg(long, value_name = "NAME", conflicts_with = "policy")]
    pub(crate) preset: Option<String>,
    /// A person to protect: their names, and what tells something of them (may be given several times)
    #[arg(long, value_name = "NAME")]
    pub(crate) subject: Vec<String>,
    /// How to find what tells something of a subject; as the policy says if not given
    #[arg(long, value_enum, value_name = "METHOD")]
    pub(crate) method: Option<Method>,
    /// How similar to a subject a term must be to tell something of it: a cosine; a lower one masks more
    #[arg(long, value_name = "COSINE", allow_negative_numbers = true)]
    pub(crate) threshold: Option<f32>,
    /// Word vectors, from `vectors train` or `vectors import`; those that ship if not given
    #[arg(long, value_name = "FILE")]
    pub(crate) vectors: Option<PathBuf>,
    /// A taxonomy of your own, from `taxonomy import`, asked before those that ship (may be given several times)
    #[arg(long, value_name = "FILE")]
    pub(crate) taxonomy: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) disclosure: crate::disclosure::DisclosureArgs,
    /// The language of the documents (en, es); detected if not given
    #[arg(long, value_name = "CODE")]
    pub(crate) language: Option<String>,
    /// A labeller of your own that looks too, from `train labeller` (may be given several times)
    #[arg(short = 'm', long, value_name = "FILE")]
    pub(crate) labeller: Vec<PathBuf>,
    /// The key file, for policies that hash, encrypt or shift
    #[arg(long, value_name = "FILE")]
    pub(crate) key: Option<PathBuf>,
}

/// How to work.
#[derive(Args, Debug, Clone)]
pub(crate) struct WorkArgs {
    /// How many threads; one for each core if not given
    #[arg(short, long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(crate) jobs: Option<u16>,
    /// The unit of offsets in what is written
    #[arg(long, value_enum, default_value = "chars")]
    pub(crate) offsets: Unit,
}

#[derive(Args, Debug)]
pub(crate) struct ProtectArgs {
    #[command(flatten)]
    pub(crate) input: InputArgs,
    #[command(flatten)]
    pub(crate) policy: PolicyArgs,
    #[command(flatten)]
    pub(crate) work: WorkArgs,
    /// Where to write: a file, or a directory for several files; `-` for standard output
    #[arg(short, long, value_name = "OUTPUT")]
    pub(crate) output: Option<PathBuf>,
    /// Write a report: .txt, .json, or .html (which shows the original and is confidential)
    #[arg(long, value_name = "FILE")]
    pub(crate) report: Option<PathBuf>,
}

#[derive(Args, Debug)]
pub(crate) struct PlanArgs {
    #[command(flatten)]
    pub(crate) input: InputArgs,
    #[command(flatten)]
    pub(crate) policy: PolicyArgs,
    #[command(flatten)]
    pub(crate) work: WorkArgs,
    /// Where to write: a file, or a directory for several files; `-` for standard output
    #[arg(short, long, value_name = "OUTPUT")]
    pub(crate) output: Option<PathBuf>,
}

#[derive(Args, Debug)]
pub(crate) struct ApplyArgs {
    #[command(flatten)]
    pub(crate) input: InputArgs,
    #[command(flatten)]
    pub(crate) policy: PolicyArgs,
    /// The plan, as `reticent plan` wrote it and a person may have changed it
    #[arg(long, value_name = "FILE")]
    pub(crate) plan: PathBuf,
    /// Where to write; `-` for standard output
    #[arg(short, long, value_name = "OUTPUT")]
    pub(crate) output: Option<PathBuf>,
    /// Write a report: .txt, .json, or .html (which shows the original and is confidential)
    #[arg(long, value_name = "FILE")]
    pub(crate) report: Option<PathBuf>,
}

#[derive(Args, Debug)]
pub(crate) struct VerifyArgs {
    #[command(flatten)]
    pub(crate) input: InputArgs,
    #[command(flatten)]
    pub(crate) policy: PolicyArgs,
    #[command(flatten)]
    pub(crate) work: WorkArgs,
    /// The original, to hold the released file against; needs --plan
    #[arg(long, value_name = "FILE", requires = "plan")]
    pub(crate) original: Option<PathBuf>,
    /// The plan that was carried out
    #[arg(long, value_name = "FILE", requires = "original")]
    pub(crate) plan: Option<PathBuf>,
    /// The JSON report of the release: its policy is applied, and another one is refused
    #[arg(long, value_name = "FILE")]
    pub(crate) report: Option<PathBuf>,
    /// Print the problems and the verdict as JSON lines
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Args, Debug)]
pub(crate) struct DetectArgs {
    #[command(flatten)]
    pub(crate) input: InputArgs,
    #[command(flatten)]
    pub(crate) policy: PolicyArgs,
    #[command(flatten)]
    pub(crate) work: WorkArgs,
    /// What to write: rows with `spans`, or one .ann file for each document
    #[arg(long, value_enum, default_value = "jsonl")]
    pub(crate) format: DetectFormat,
    /// Where to write: a file, or a directory for brat; `-` for standard output
    #[arg(short, long, value_name = "OUTPUT")]
    pub(crate) output: Option<PathBuf>,
}

#[derive(Args, Debug)]
pub(crate) struct DetectorsArgs {
    /// As JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Args, Debug)]
pub(crate) struct ExplainArgs {
    /// The name of a detector, as `reticent detectors` lists it; with --protect and --index, a term
    #[arg(value_name = "NAME")]
    pub(crate) detector: String,
    #[command(flatten)]
    pub(crate) policy: Box<PolicyArgs>,
    /// As JSON, for a term
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Args, Debug)]
pub(crate) struct TrainArgs {
    #[command(subcommand)]
    pub(crate) what: Train,
}

#[derive(Subcommand, Debug)]
pub(crate) enum Train {
    /// Train the taggers and the chunker from a folder of tagged texts
    Tagger {
        /// The folder with the training sets
        data: PathBuf,
        /// The folder to write the models to
        #[arg(short, long, value_name = "DIRECTORY")]
        output: PathBuf,
    },
    /// Train a labeller from annotated texts
    Labeller(Box<crate::commands::label::TrainLabellerArgs>),
}

#[derive(Args, Debug)]
pub(crate) struct KeyArgs {
    #[command(subcommand)]
    pub(crate) what: KeyCommand,
}

#[derive(Subcommand, Debug)]
pub(crate) enum KeyCommand {
    /// Make a new key from the system's randomness
    New {
        /// Where to write it; it must not exist yet
        #[arg(short, long, value_name = "FILE")]
        output: PathBuf,
    },
}

#[derive(Args, Debug)]
pub(crate) struct DecryptArgs {
    /// A file in which texts were encrypted; `-` for standard input
    pub(crate) input: PathBuf,
    /// The key with which they were encrypted
    #[arg(long, value_name = "FILE")]
    pub(crate) key: PathBuf,
    /// Where to write; `-` for standard output
    #[arg(short, long, value_name = "OUTPUT")]
    pub(crate) output: Option<PathBuf>,
}

#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum InputFormat {
    Text,
    Markdown,
    Html,
    Docx,
    Jsonl,
    Csv,
    Tsv,
}

#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum DetectFormat {
    Jsonl,
    Brat,
}

/// How what tells something of a subject is found.
#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Method {
    /// By whom a sentence is about, and how much its words tell
    About,
    /// By the similarity of word vectors alone
    Similar,
    /// Not at all: names of subjects only
    Names,
}

impl From<Method> for reticent::policy::Method {
    fn from(method: Method) -> Self {
        match method {
            Method::About => Self::About,
            Method::Similar => Self::Similar,
            Method::Names => Self::Names,
        }
    }
}

#[derive(ValueEnum, Clone, Copy, Debug)]
pub(crate) enum Unit {
    Chars,
    Bytes,
    Utf16,
}

impl From<Unit> for reticent_text::OffsetUnit {
    fn from(unit: Unit) -> Self {
        match unit {
            Unit::Chars => Self::Chars,
            Unit::Bytes => Self::Bytes,
            Unit::Utf16 => Self::Utf16,
        }
    }
}
