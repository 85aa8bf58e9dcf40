//! Hostile inputs, run through the binary: exit code 0 must mean that everything was examined and the policy holds.
//! One module per theme; one test per hole that was once open.

#[path = "../cli/common.rs"]
mod common;
mod docx;
mod html;
mod package;
