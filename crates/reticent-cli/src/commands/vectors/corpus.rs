//! From files to sentences of terms.

use rayon::prelude::*;
use reticent::Policy;
use reticent::policy::PolicyFile;
use reticent_knowledge::Folding;
use reticent_knowledge::embedding::{StreamTerm, sentences};
use reticent_text::format::rows::Fields;
use reticent_text::{Analyzer, Document, Language};

use super::arguments::CorpusArgs;
use crate::args::InputArgs;
use crate::failure::Failure;
use crate::input::{self, Kind};
use crate::rows::{self, Part, RowFile};
use crate::runner;

/// So many bytes of documents are analysed at once.
const BATCH: usize = 2 << 20;

/// Documents that wait to be analysed, and what becomes of them.
struct Reader<T> {
    analyzer: Analyzer,
    language: Option<Language>,
    waiting: Vec<Document>,
    bytes: usize,
    documents: usize,
    take: T,
}

/// Reads all documents in order and hands over the sentences of each, with the language that all are
/// taken to be in: the one that is `fixed`, or given, or that of most of the first documents. Tells how
/// many documents there were. The first file that cannot be read ends it: vectors of half a corpus would
/// look like those of a whole one.
pub(super) fn read(
    args: &CorpusArgs,
    fixed: Option<Language>,
    take: impl FnMut(&Document, Language, Vec<Vec<StreamTerm>>) -> Result<(), Failure>,
) -> Result<usize, Failure> {
    let input = InputArgs {
        inputs: args.inputs.clone(),
        input_format: args.input_format,
        encoding: None,
        text_field: args.text_field.clone(),
        id_field: args.id_field.clone(),
        subject_field: None,
        person_field: None,
        keep_field: Vec::new(),
        keep_attachments: false,
    };
    // Words of a corpus are those of its texts.
    let fields = Fields { text_may_miss: false, all: false, ..input::fields(&input) };
    let policy = Policy::from_file(PolicyFile::default())?;
    let mut inputs = input::list(&input);
    inputs.require_all()?;
    let mut reader = Reader {
        analyzer: Analyzer::shipped()?,
        language: fixed.or_else(|| args.language.as_deref().map(Language::from_code)),
        waiting: Vec::new(),
        bytes: 0,
        documents: 0,
        take,
    };
    for file in &inputs.files {
        match file.kind {
            Kind::Whole(kind) => reader.add(runner::load(file, kind, &input, &policy)?.document)?,
            Kind::Rows(format) => {
                let work = |row: &mut reticent_text::format::rows::Row| Ok(row.document.clone());
                let rows = RowFile { file, format, args: &input, fields: fields.clone() };
                rows::each_row_of(rows, &policy, work, |part| match part {
                    Part::Columns(_) | Part::Frame(_) => Ok(()),
                    Part::Row(document) => reader.add(document),
                    Part::Withheld(row) => Err(Failure::new(format!(
                        "{}: line {} cannot be read ({})",
                        file.path.display(),
                        row.line,
                        row.reason
                    ))),
                })?;
            }
        }
    }
    reader.analyze()?;
    Ok(reader.documents)
}

impl<T: FnMut(&Document, Language, Vec<Vec<StreamTerm>>) -> Result<(), Failure>> Reader<T> {
    fn add(&mut self, document: Document) -> Result<(), Failure> {
        self.bytes += document.text().len();
        self.documents += 1;
        self.waiting.push(document);
        if self.bytes >= BATCH { self.analyze() } else { Ok(()) }
    }

    fn analyze(&mut self) -> Result<(), Failure> {
        let language = *self.language.get_or_insert_with(|| most(&self.waiting));
        let folding = Folding::new(language);
        let analyzer = &self.analyzer;
        let done: Result<Vec<_>, reticent_text::Error> = self
            .waiting
            .par_iter()
            .map(|document| {
                let layers = analyzer.analyze(document, Some(language))?;
                Ok(sentences(document.text(), &layers, folding))
            })
            .collect();
        for (document, sentences) in self.waiting.iter().zip(done?) {
            (self.take)(document, language, sentences)?;
        }
        self.waiting.clear();
        self.bytes = 0;
        Ok(())
    }
}

/// The language of most documents; English if there are none.
fn most(documents: &[Document]) -> Language {
    let languages = [Language::English, Language::Spanish, Language::Other];
    let found: Vec<Language> =
        documents.par_iter().map(|document| Language::detect(document.text())).collect();
    let count = |language: &Language| found.iter().filter(|one| *one == language).count();
    languages.into_iter().rev().max_by_key(count).unwrap_or_default()
}
