//! The program as a user calls it.

mod bad_input;
mod commands;
mod common;
mod evaluate;
mod extract;
mod files;
mod index;
mod label;
mod subject;
mod reference;
mod taxonomy;
mod vectors;
