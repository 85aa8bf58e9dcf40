//! `reticent analyze`.

use reticent::Policy;
use reticent_text::parse::Syntax;
use reticent_text::{
    Analyzer, Document, Language, Offsets, PartOfSpeech, SentenceSplitter, Tokenizer, export,
};

use crate::args::{AnalyzeArgs, AnalyzeFormat};
use crate::failure::{Failure, Outcome};
use crate::input::{self, Kind};
use crate::output::{self, Output};
use crate::{messages, runner};

pub(crate) fn run(args: &AnalyzeArgs) -> Result<Outcome, Failure> {
    let inputs = input::list(&args.input);
    output::check_single(args.output.as_deref(), &inputs)?;
    let analyzer =
        Analyzer::new(vec![Box::new(SentenceSplitter), Box::new(Tokenizer), Box::new(PartOfSpeech)])?;
    let limits = Policy::preset("basic")?;
    let mut output = Output::create(&output::plain(args.output.as_deref()))?;
    let mut outcome = inputs.report();
    let mut any = false;
    for file in &inputs.files {
        let name = file.path.display().to_string();
        let written = runner::guarded(&name, || {
            let Kind::Whole(kind) = file.kind else {
                return Err(Failure::new(format!("{name}: rows are not analyzed"))
                    .hint("pass one document as text, Markdown, HTML or DOCX"));
            };
            let loaded = runner::load_released(file, kind, &args.input, &limits)?;
            write(&loaded.document, &analyzer, args, &mut output)
        });
        match written {
            Ok(()) => any = true,
            Err(failure) => {
                messages::error(&failure);
                outcome = Outcome::Failed;
            }
        }
    }
    // An empty file would look as if there had been nothing to analyze.
    if any {
        output.finish_private()?;
    }
    Ok(outcome)
}

fn write(
    document: &Document,
    analyzer: &Analyzer,
    args: &AnalyzeArgs,
    output: &mut Output,
) -> Result<(), Failure> {
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
