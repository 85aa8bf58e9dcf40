//! A labeller's file: opened, or refused with an error, and what is opened can be asked. The checksum is made to
//! hold, so that what lies behind it is reached.
#![no_main]

use libfuzzer_sys::fuzz_target;
use reticent_text::label::Labeller;
use reticent_text::{Document, Language, Layers};

fuzz_target!(|bytes: &[u8]| {
    if let Ok(labeller) = Labeller::open_unchecked(bytes.to_vec()) {
        let document = Document::plain("d", "Ana Ruiz, 12/3/1999 (Lugo).\nNombre: Ana\n");
        for found in labeller.label(&document, &Layers::new(Language::Spanish)) {
            assert!((0.0..=1.0).contains(&found.probability) && found.kind < labeller.kinds().len());
        }
    }
});
