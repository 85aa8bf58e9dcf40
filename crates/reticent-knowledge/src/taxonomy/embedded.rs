//! The taxonomies that ship with the program.

use std::sync::OnceLock;

use super::PackedTaxonomy;
use crate::Error;

/// WordNet 3.0: nouns, verbs, adjectives and adverbs of English, with sense counts.
pub fn wordnet() -> Result<&'static PackedTaxonomy, Error> {
    static WORDNET: OnceLock<Result<PackedTaxonomy, Error>> = OnceLock::new();
    open(&WORDNET, include_bytes!("../../data/wordnet.taxonomy"))
}

/// Cities of 15,000 inhabitants and more, regions, countries and continents, counted by inhabitants.
pub fn places() -> Result<&'static PackedTaxonomy, Error> {
    static PLACES: OnceLock<Result<PackedTaxonomy, Error>> = OnceLock::new();
    open(&PLACES, include_bytes!("../../data/places.taxonomy"))
}

/// What people of a country or region are called, and what those of its continent are, counted by
/// inhabitants.
pub fn nationalities() -> Result<&'static PackedTaxonomy, Error> {
    static NATIONALITIES: OnceLock<Result<PackedTaxonomy, Error>> = OnceLock::new();
    open(&NATIONALITIES, include_bytes!("../../data/nationalities.taxonomy"))
}

fn open(
    cell: &'static OnceLock<Result<PackedTaxonomy, Error>>,
    bytes: &'static [u8],
) -> Result<&'static PackedTaxonomy, Error> {
    cell.get_or_init(|| PackedTaxonomy::embedded(bytes)).as_ref().map_err(Clone::clone)
}
