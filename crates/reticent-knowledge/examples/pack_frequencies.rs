//! Packs lists of word frequencies into the file that ships with the program; see
//! `data/make/frequencies.sh`.
#![allow(clippy::print_stderr)]

use std::process::ExitCode;

use reticent_knowledge::corpus::pack_frequencies;
use reticent_text::Language;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [english, spanish, output] = arguments.as_slice() else {
        eprintln!("usage: pack_frequencies ENGLISH.tsv SPANISH.tsv OUTPUT");
        return ExitCode::from(2);
    };
    match pack(english, spanish, output) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::from(2)
        }
    }
}

fn pack(english: &str, spanish: &str, output: &str) -> Result<(), Box<dyn std::error::Error>> {
    let (english, spanish) = (std::fs::read_to_string(english)?, std::fs::read_to_string(spanish)?);
    let mut bytes = Vec::new();
    pack_frequencies(&[(Language::English, &english), (Language::Spanish, &spanish)], &mut bytes)?;
    Ok(std::fs::write(output, bytes)?)
}
