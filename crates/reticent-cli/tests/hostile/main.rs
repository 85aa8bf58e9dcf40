//! Hostile inputs, run through the binary: exit code 0 must mean that everything was examined and the policy holds.
//! One module per theme; one test per hole that was once open.

#[allow(dead_code, reason = "shared with the tests in `cli`, which use more of it")]
#[path = "../cli/common.rs"]
mod common;
mod docx;
mod html;
mod package;
