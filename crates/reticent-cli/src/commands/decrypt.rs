//! `reticent decrypt`.

use reticent::mask;
use reticent_text::format::Limits;

use crate::args::DecryptArgs;
use crate::failure::{Failure, Outcome};
use crate::{input, output, runner};

pub(crate) fn run(args: &DecryptArgs) -> Result<Outcome, Failure> {
    let name = args.input.display().to_string();
    let key = runner::key(&args.key)?;
    output::check(args.output.as_deref())?;
    let bytes = input::read(&args.input, Limits::default().max_bytes)?;
    let text = String::from_utf8(bytes).map_err(|_| {
        Failure::new(format!("{name}: not a text file"))
            .hint("only text, Markdown, HTML, JSONL and CSV can be decrypted")
    })?;
    let plain = mask::decrypt(&key, &text).map_err(|error| Failure::from(error).in_file(&name))?;
    output::write_private(&output::plain(args.output.as_deref()), plain.as_bytes())?;
    Ok(Outcome::Done)
}
