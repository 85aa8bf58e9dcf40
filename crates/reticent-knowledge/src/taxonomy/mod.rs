//! Taxonomies: how things generalize.
