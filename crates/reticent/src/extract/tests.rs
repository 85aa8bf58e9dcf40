//! From documents to a table and back.
