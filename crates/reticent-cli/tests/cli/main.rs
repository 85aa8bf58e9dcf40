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
mod table_schema;
mod taxonomy;
mod vectors;
