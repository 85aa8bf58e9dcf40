//! The labellers of names that ship with the program.

use std::sync::OnceLock;

use super::Labeller;
use crate::{Error, Language};

type Shipped = OnceLock<Result<Labeller, Error>>;

/// The shipped labeller of names for a language, opened when it is first asked for; nothing where there is
/// none.
pub fn shipped(language: Language) -> Result<Option<&'static Labeller>, Error> {
    static ENGLISH: Shipped = OnceLock::new();
    static SPANISH: Shipped = OnceLock::new();
    let labeller = match language {
        Language::English => {
            ENGLISH.get_or_init(|| Labeller::open(&include_bytes!("../../models/english-names.bin")[..]))
        }
        Language::Spanish => {
            SPANISH.get_or_init(|| Labeller::open(&include_bytes!("../../models/spanish-names.bin")[..]))
        }
        Language::Other => return Ok(None),
    };
    labeller.as_ref().map(Some).map_err(Clone::clone)
}
