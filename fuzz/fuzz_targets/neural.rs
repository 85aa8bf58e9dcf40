//! A neural labeller's file: opened, or refused with an error, and what is opened can be asked. Needs the feature
//! `neural`. The checksum is made to hold, so that what lies behind it is reached.
#![no_main]

use libfuzzer_sys::fuzz_target;
use reticent_text::Document;
use reticent_text::label::neural::NeuralLabeller;

fuzz_target!(|bytes: &[u8]| {
    if let Ok(labeller) = NeuralLabeller::open_unchecked(bytes) {
        let document = Document::plain("d", "Ana Ruiz, 12/3/1999 (Lugo).\nNombre: Ana\n");
        for found in labeller.label(&document).into_iter().flatten() {
            assert!((0.0..=1.0).contains(&found.probability) && found.kind < labeller.kinds().len());
        }
    }
});
