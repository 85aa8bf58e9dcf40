//! `reticent analyze`.

use reticent_text::format::{self, Limits};
use reticent_text::parse::Syntax;
use reticent_text::{Analyzer, Document, Language, Offsets, PartOfSpeech, SentenceSplitter, Tokenizer, export};

use crate::args::{AnalyzeArgs, AnalyzeFormat};
use crate::failure::{Failure, Outcome};
use crate::input::{self, InputFile, Kind};
use crate::output::{self, Output};

pub(crate) fn run(args: &AnalyzeArgs) -> Result<Outcome, Failure> {
    let inputs = input::list(&args.input);
    output::check_single(args.output.as_deref(), &inputs)?;
    let analyzer = Analyzer::new(vec![Box::new(SentenceSplitter), Box::new(Tokenizer), Box::new(PartOfSpeech)])?;
    let mut output = Output::create(&output::plain(args.output.as_deref()))?;
    let mut any = false;
    let outcome = crate::runner::each_file(&inputs, |file| {
        let document = read(file, args)?;
        write(&document, &analyzer, args, &mut output)?;
        any = true;
        Ok(Outcome::Done)
    });
    if any {
        output.finish_private()?;
    }
    Ok(outcome)
}

fn read(file: &InputFile, args: &AnalyzeArgs) -> Result<Document, Failure> {
    let name = file.path.display().to_string();
    let Kind::Whole(kind) = file.kind else {
        return Err(Failure::new(format!("{name}: rows are not analyzed"))
            .hint("pass one document as text, Markdown, HTML or DOCX"));
    };
    let limits = Limits::default();
    let bar = indicatif::ProgressBar::hidden();
    let bytes = input::read_document(&file.path, kind, limits.max_bytes, &bar)?;
    format::decode(kind, &name, &bytes, &limits).map_err(|error| Failure::from(error).in_file(&name))
}

fn write(document: &Document, analyzer: &Analyzer, args: &AnalyzeArgs, output: &mut Output) -> Result<(), Failure> {
    let language = args.language.as_deref().map(Language::from_code);
    let layers = analyzer.analyze(document, language)?;
    let syntax = Syntax::new(document, &layers)?;
    let offsets = Offsets::new(document.text(), args.offsets.into());
    for segment in 0..syntax.segments().len() {
        let block = match args.format {
            AnalyzeFormat::Conllu => export::conllu(&syntax, segment)?,
            AnalyzeFormat::Json => format!("{}\n", export::json(&syntax, segment, &offsets)?),
        };
        output.write(block.as_bytes())?;
    }
    Ok(())
}
