//! The program as a user calls it.

mod bad_input;
mod commands;
mod common;
mod extract;
mod files;
mod index;
mod label;
mod subject;
mod taxonomy;
mod vectors;
