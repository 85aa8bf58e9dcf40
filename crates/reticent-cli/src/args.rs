//! The command line.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};

/// Anonymize documents and tables while keeping as much meaning as is safe.
///
/// reticent finds personal and confidential information in text, Markdown, HTML, DOCX, JSONL, CSV and TSV, replaces it with
/// generalizations or placeholders, and verifies the result. Results are written to standard output or to the file that -o
/// names, messages to standard error; `-` stands for standard input or output.
#[derive(Parser, Debug)]
#[command(
    name = "reticent",
    version,
    max_term_width = 100,
    after_help = "Exit codes:
  0  everything was examined and the policy holds
  1  the run finished, but something needs review, was withheld or is unresolved
  2  error

Examples:
  reticent protect letter.docx -o anonymized.docx
  reticent table protect patients.csv -k 5 -o anonymized.csv"
)]
pub(crate) struct Arguments {
    /// Print only warnings and errors
    #[arg(short, long, global = true, help_heading = "Global options")]
    pub(crate) quiet: bool,
    /// Overwrite existing output files
    #[arg(long, global = true, help_heading = "Global options")]
    pub(crate) force: bool,
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Subcommand, Debug)]
pub(crate) enum Command {
    /// Anonymize documents: detect and replace identifying information
    #[command(visible_aliases = ["anonymize", "redact"])]
    Protect(ProtectArgs),
    /// Write the planned replacements as JSON for review, without changing the document
    Plan(PlanArgs),
    /// Anonymize a document according to a reviewed plan
    Apply(ApplyArgs),
    /// Check an anonymized file against its policy with independent code
    Verify(VerifyArgs),
    /// List identifying information without changing the document
    Detect(DetectArgs),
    /// List all detectors
    Detectors(DetectorsArgs),
    /// Explain a detector, or how much a term discloses about a protected term
    Explain(ExplainArgs),
    /// Extract identifying information into a table, one row per document
    Extract(crate::commands::extract::ExtractArgs),
    /// Write an anonymized table back into the documents it was extracted from
    WriteBack(crate::commands::write_back::WriteBackArgs),
    /// Write sentences, dependency trees, phrases, operators and polarity
    Analyze(AnalyzeArgs),
    /// Label entities in text with a trained NER model
    Label(crate::commands::label::LabelArgs),
    /// Train NER models, part-of-speech taggers, chunkers and parsers
    Train(TrainArgs),
    /// Look up generalizations of terms, and import taxonomies
    Taxonomy(crate::commands::taxonomy::TaxonomyArgs),
    /// Build a corpus index, and query term counts, information content and PMI
    Index(crate::commands::index::IndexArgs),
    /// Train, expand, convert and query word vectors
    Vectors(crate::commands::vectors::VectorsArgs),
    /// Anonymize tables with text columns: k-anonymity, l-diversity, t-closeness
    Table(crate::table::TableArgs),
    /// Measure detection quality, residual disclosure and utility
    Evaluate(crate::commands::evaluate::EvaluateArgs),
    /// Measure re-identification risk by attacking anonymized texts
    Attack(crate::commands::attack::AttackArgs),
    /// Create keys for hashing, encryption and date shifting
    Key(KeyArgs),
    /// Decrypt encrypted replacements
    Decrypt(DecryptArgs),
    /// Print shell completions
    #[command(after_help = "Examples:
  reticent completions bash > ~/.local/share/bash-completion/completions/reticent
  reticent completions zsh > ~/.zfunc/_reticent")]
    Completions {
        /// Shell to generate completions for
        shell: clap_complete::Shell,
    },
    /// Print the manual page
    #[command(after_help = "Examples:
  reticent man > ~/.local/share/man/man1/reticent.1
  reticent man | man -l -")]
    Man,
}

/// Input files and the fields of their rows.
#[derive(Args, Debug, Clone)]
pub(crate) struct InputArgs {
    /// Files or directories; `-` for standard input
    #[arg(required = true, value_name = "INPUT")]
    pub(crate) inputs: Vec<PathBuf>,
    /// Input format [default: by file extension]
    #[arg(long, value_enum, value_name = "FORMAT", help_heading = "Input")]
    pub(crate) input_format: Option<InputFormat>,
    /// Encoding of input that is not UTF-8, such as windows-1252; also used for the output
    #[arg(long, value_name = "LABEL", help_heading = "Input")]
    pub(crate) encoding: Option<String>,
    /// JSONL, CSV, TSV: field with the main text; all other fields are examined too (repeatable) [default: text]
    #[arg(long, value_name = "NAME", help_heading = "Input")]
    pub(crate) text_field: Vec<String>,
    /// JSONL, CSV, TSV: field with the document ID, which is kept unchanged
    #[arg(long, value_name = "NAME", help_heading = "Input")]
    pub(crate) id_field: Option<String>,
    /// JSONL, CSV, TSV: field with the name of the row's subject; removed from the output unless kept by --keep-field
    #[arg(long, value_name = "NAME", help_heading = "Input")]
    pub(crate) subject_field: Option<String>,
    /// JSONL, CSV, TSV: field with a person ID; all dates of a person are shifted by the same interval. Removed from the
    /// output unless kept by --keep-field
    #[arg(long, value_name = "NAME", help_heading = "Input")]
    pub(crate) person_field: Option<String>,
    /// JSONL, CSV, TSV: field to keep unchanged and unexamined, such as `category` or `author.role` (repeatable)
    #[arg(long, value_name = "NAME", help_heading = "Input")]
    pub(crate) keep_field: Vec<String>,
    /// Keep content that cannot be examined (images, embedded files, macros, scripts) instead of removing it; the exit code is
    /// then 1
    #[arg(long, help_heading = "Input")]
    pub(crate) keep_attachments: bool,
}

/// The policy, the subjects and the models.
#[derive(Args, Debug, Clone)]
pub(crate) struct PolicyArgs {
    /// Policy file [default: reticent.toml in the current directory, if present]
    #[arg(short, long, value_name = "FILE", help_heading = "Policy")]
    pub(crate) policy: Option<PathBuf>,
    /// Built-in policy: basic, hipaa-safe-harbor, gdpr or subject; ner3, ner4, ner7 and presidio are for comparisons with other
    /// tools [default: basic; with --subject or --subject-field: subject;
    /// with --protect or --spans: disclosure]
    #[arg(long, value_name = "NAME", conflicts_with = "policy", help_heading = "Policy")]
    pub(crate) preset: Option<String>,
    /// Language of the documents: en or es [default: detected]
    #[arg(long, value_name = "CODE", help_heading = "Policy")]
    pub(crate) language: Option<String>,
    /// Key file, for policies that hash, encrypt or shift dates
    #[arg(long, value_name = "FILE", help_heading = "Policy")]
    pub(crate) key: Option<PathBuf>,
    /// Person or thing to protect: names, aliases and quasi-identifiers are replaced (repeatable)
    #[arg(long, value_name = "NAME", help_heading = "Subjects")]
    pub(crate) subject: Vec<String>,
    /// Detection of quasi-identifiers of a subject [default: as in the policy]
    #[arg(long, value_enum, value_name = "METHOD", help_heading = "Subjects")]
    pub(crate) method: Option<Method>,
    /// Cosine similarity to a subject from which a term counts as related; lower values replace more
    #[arg(long, value_name = "COSINE", allow_negative_numbers = true, help_heading = "Subjects")]
    pub(crate) threshold: Option<f32>,
    #[command(flatten)]
    pub(crate) disclosure: crate::disclosure::DisclosureArgs,
    /// NER model to use in addition, from `reticent train labeller` (repeatable)
    #[arg(short = 'm', long, value_name = "FILE", help_heading = "Models")]
    pub(crate) labeller: Vec<PathBuf>,
    /// Word vectors, from `reticent vectors train` or `import` [default: built-in]
    #[arg(long, value_name = "FILE", help_heading = "Models")]
    pub(crate) vectors: Option<PathBuf>,
    /// Taxonomy from `reticent taxonomy import`; takes precedence over the built-in ones (repeatable)
    #[arg(long, value_name = "FILE", help_heading = "Models")]
    pub(crate) taxonomy: Vec<PathBuf>,
}

/// Threads and the unit of offsets.
#[derive(Args, Debug, Clone)]
pub(crate) struct WorkArgs {
    /// Unit of offsets in the output
    #[arg(long, value_enum, default_value = "chars", help_heading = "Output")]
    pub(crate) offsets: Unit,
    /// Number of threads [default: one per core]
    #[arg(short, long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024), help_heading = "Performance")]
    pub(crate) jobs: Option<u16>,
}

#[derive(Args, Debug)]
#[command(after_help = "Examples:
  reticent protect letter.docx -o anonymized.docx --report report.html
  reticent protect notes.jsonl --subject-field patient --preset hipaa-safe-harbor -o out.jsonl")]
pub(crate) struct ProtectArgs {
    #[command(flatten)]
    pub(crate) input: InputArgs,
    /// Output file, or directory for several inputs [default: standard output]
    #[arg(short, long, value_name = "OUTPUT", help_heading = "Output")]
    pub(crate) output: Option<PathBuf>,
    /// Write a report: .txt, .json or .html (contains the original text; confidential)
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub(crate) report: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) policy: PolicyArgs,
    #[command(flatten)]
    pub(crate) work: WorkArgs,
}

#[derive(Args, Debug)]
#[command(after_help = "Examples:
  reticent plan letter.docx --subject 'Ada Lovelace' -o letter.plan.json
  reticent plan letters/ --preset gdpr -o plans/")]
pub(crate) struct PlanArgs {
    #[command(flatten)]
    pub(crate) input: InputArgs,
    /// Output file, or directory for several inputs [default: standard output]
    #[arg(short, long, value_name = "OUTPUT", help_heading = "Output")]
    pub(crate) output: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) policy: PolicyArgs,
    #[command(flatten)]
    pub(crate) work: WorkArgs,
}

#[derive(Args, Debug)]
#[command(after_help = "Examples:
  reticent apply letter.docx --plan letter.plan.json --subject 'Ada Lovelace' -o anonymized.docx
  reticent apply note.txt --plan note.plan.json --report report.json -o anonymized.txt")]
pub(crate) struct ApplyArgs {
    #[command(flatten)]
    pub(crate) input: InputArgs,
    /// Plan from `reticent plan`, edited or unchanged
    #[arg(long, value_name = "FILE", help_heading = "Input")]
    pub(crate) plan: PathBuf,
    /// Output file [default: standard output]
    #[arg(short, long, value_name = "OUTPUT", help_heading = "Output")]
    pub(crate) output: Option<PathBuf>,
    /// Write a report: .txt, .json or .html (contains the original text; confidential)
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub(crate) report: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) policy: PolicyArgs,
}

#[derive(Args, Debug)]
#[command(after_help = "Examples:
  reticent verify anonymized.docx --report report.json
  reticent verify anonymized.txt --original note.txt --plan note.plan.json")]
pub(crate) struct VerifyArgs {
    #[command(flatten)]
    pub(crate) input: InputArgs,
    /// Original to compare with; requires --plan
    #[arg(long, value_name = "FILE", requires = "plan", help_heading = "Input")]
    pub(crate) original: Option<PathBuf>,
    /// Plan that was applied; requires --original
    #[arg(long, value_name = "FILE", requires = "original", help_heading = "Input")]
    pub(crate) plan: Option<PathBuf>,
    /// JSON report of the run that anonymized the file; verifies against its policy and rejects any other
    #[arg(long, value_name = "FILE", help_heading = "Input")]
    pub(crate) report: Option<PathBuf>,
    /// Print problems and verdict as JSON lines
    #[arg(long, help_heading = "Output")]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) policy: PolicyArgs,
    #[command(flatten)]
    pub(crate) work: WorkArgs,
}

#[derive(Args, Debug)]
#[command(after_help = "Examples:
  reticent detect letter.txt
  reticent detect letters/ --format brat -o annotations/")]
pub(crate) struct DetectArgs {
    #[command(flatten)]
    pub(crate) input: InputArgs,
    /// Output file, or directory for brat [default: standard output]
    #[arg(short, long, value_name = "OUTPUT", help_heading = "Output")]
    pub(crate) output: Option<PathBuf>,
    /// Output format: rows with `spans`, or one .ann file per document
    #[arg(long, value_enum, default_value = "jsonl", help_heading = "Output")]
    pub(crate) format: DetectFormat,
    #[command(flatten)]
    pub(crate) policy: PolicyArgs,
    #[command(flatten)]
    pub(crate) work: WorkArgs,
}

#[derive(Args, Debug)]
#[command(after_help = "Examples:
  reticent analyze letter.txt
  reticent analyze letter.docx --format json -o letter.jsonl")]
pub(crate) struct AnalyzeArgs {
    #[command(flatten)]
    pub(crate) input: InputArgs,
    /// Output file [default: standard output]
    #[arg(short, long, value_name = "OUTPUT", help_heading = "Output")]
    pub(crate) output: Option<PathBuf>,
    /// Output format: CoNLL-U, or a JSON line for each sentence
    #[arg(long, value_enum, default_value = "conllu", help_heading = "Output")]
    pub(crate) format: AnalyzeFormat,
    /// Unit of offsets in JSON
    #[arg(long, value_enum, default_value = "chars", help_heading = "Output")]
    pub(crate) offsets: Unit,
    /// Language of the text: en or es [default: detected]
    #[arg(long, value_name = "CODE", help_heading = "Input")]
    pub(crate) language: Option<String>,
}

#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum AnalyzeFormat {
    Conllu,
    Json,
}

#[derive(Args, Debug)]
#[command(after_help = "Examples:
  reticent detectors
  reticent detectors --json")]
pub(crate) struct DetectorsArgs {
    /// Print JSON lines
    #[arg(long, help_heading = "Output")]
    pub(crate) json: bool,
}

#[derive(Args, Debug)]
#[command(after_help = "Examples:
  reticent explain email
  reticent explain 'blood transfusion' --protect HIV --at-most virus --index corpus.idx")]
pub(crate) struct ExplainArgs {
    /// Name of a detector, as listed by `reticent detectors`; with --protect and --index, a term
    #[arg(value_name = "NAME")]
    pub(crate) detector: String,
    /// Another term, to explain what both disclose together (repeatable)
    #[arg(long, value_name = "TERM", requires = "protect")]
    pub(crate) with: Vec<String>,
    /// Print JSON (for a term)
    #[arg(long, help_heading = "Output")]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) policy: Box<PolicyArgs>,
}

#[derive(Args, Debug)]
#[command(after_help = "Examples:
  reticent train labeller annotated/ -o names.model
  reticent train tagger treebank/ -o models/")]
pub(crate) struct TrainArgs {
    #[command(subcommand)]
    pub(crate) what: Train,
}

#[derive(Subcommand, Debug)]
pub(crate) enum Train {
    /// Train part-of-speech taggers and the chunker from tagged text
    #[command(after_help = "Examples:
  reticent train tagger treebank/ -o models/
  reticent train tagger treebank/ -o models/ --force")]
    Tagger {
        /// Directory with the training sets
        data: PathBuf,
        /// Directory for the models
        #[arg(short, long, value_name = "DIRECTORY", help_heading = "Output")]
        output: PathBuf,
    },
    /// Train dependency parsers from treebanks
    Parser(TrainParserArgs),
    /// Train an NER model from annotated text
    Labeller(Box<crate::commands::label::TrainLabellerArgs>),
}

#[derive(Args, Debug)]
#[command(after_help = "Examples:
  reticent train parser treebanks/ -o models/
  reticent train parser treebanks/ -o models/ --language en --epochs 4")]
pub(crate) struct TrainParserArgs {
    /// Directory with the treebanks ud-{english-ewt,english-gum,spanish-gsd}-*.conllu.gz
    pub(crate) data: PathBuf,
    /// Directory for the models
    #[arg(short, long, value_name = "DIRECTORY", help_heading = "Output")]
    pub(crate) output: PathBuf,
    /// Language of the parser: en or es [default: both]
    #[arg(long, value_name = "CODE", help_heading = "Training")]
    pub(crate) language: Option<String>,
    /// Number of passes over the treebanks
    #[arg(long, value_name = "N", default_value_t = 24, value_parser = clap::value_parser!(u16).range(1..=1000), help_heading = "Training")]
    pub(crate) epochs: u16,
}

#[derive(Args, Debug)]
#[command(after_help = "Examples:
  reticent key new -o project.key
  reticent protect notes.jsonl --policy encrypt.toml --key project.key -o anonymized.jsonl")]
pub(crate) struct KeyArgs {
    #[command(subcommand)]
    pub(crate) what: KeyCommand,
}

#[derive(Subcommand, Debug)]
pub(crate) enum KeyCommand {
    /// Generate a random key
    #[command(after_help = "Examples:
  reticent key new -o project.key
  reticent key new -o keys/2026.key")]
    New {
        /// Key file to create; an existing file is never overwritten
        #[arg(short, long, value_name = "FILE", help_heading = "Output")]
        output: PathBuf,
    },
}

#[derive(Args, Debug)]
#[command(after_help = "Examples:
  reticent decrypt anonymized.txt --key project.key -o original.txt
  reticent decrypt - --key project.key < anonymized.jsonl")]
pub(crate) struct DecryptArgs {
    /// File with encrypted replacements; `-` for standard input
    pub(crate) input: PathBuf,
    /// Key used for encryption
    #[arg(long, value_name = "FILE", help_heading = "Input")]
    pub(crate) key: PathBuf,
    /// Output file [default: standard output]
    #[arg(short, long, value_name = "OUTPUT", help_heading = "Output")]
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

/// Detection of quasi-identifiers of a subject.
#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Method {
    /// Sentence topic and information content of terms
    About,
    /// Similarity of word vectors only
    Similar,
    /// None: replace only names and aliases of subjects
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
