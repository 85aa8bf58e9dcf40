//! Vectors: which terms are alike.
