//! What must hold for every foreign taxonomy.

use reticent_knowledge::taxonomy::read::{Format, from_input};
use reticent_knowledge::taxonomy::{Draft, PackedTaxonomy, Taxonomy};

/// Reads, packs, opens, and goes all ways up.
pub fn check(formats: &[Format], bytes: &[u8]) {
    for format in formats {
        let mut draft = Draft::new("fuzz");
        if from_input(*format, bytes, &mut draft).is_err() {
            continue;
        }
        let Ok((bytes, summary)) = draft.pack() else { continue };
        let taxonomy = PackedTaxonomy::from_bytes(bytes).expect("what was packed opens");
        assert_eq!(taxonomy.summary(), summary);
        for concept in taxonomy.concepts() {
            assert_eq!(taxonomy.concept(&taxonomy.code(concept)), Some(concept));
            for broader in taxonomy.broader(concept) {
                assert!(taxonomy.information_content(broader) <= taxonomy.information_content(concept));
            }
            taxonomy.senses(&taxonomy.label(concept));
        }
    }
}
