//! The program as a user calls it.

mod analyze;
mod bad_input;
mod commands;
mod common;
mod disclosure;
mod evaluate;
mod extract;
mod files;
mod index;
mod label;
mod reference;
mod subject;
mod table_protect;
mod table_release;
mod table_schema;
mod table_texts;
mod taxonomy;
mod vectors;
