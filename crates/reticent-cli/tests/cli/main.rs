//! The program as a user calls it.

mod bad_input;
mod commands;
mod common;
mod files;
mod index;
mod label;
mod taxonomy;
mod vectors;
