//! Hostile inputs, run through the binary: exit code 0 must mean that everything was examined and the policy holds.
//! One module per theme; one test per hole that was once open.

mod agreement;
#[allow(dead_code, reason = "shared with other tests, which use the rest")]
#[path = "../cli/common.rs"]
mod common;
mod dates;
mod docx;
mod files;
mod folded;
mod html;
mod mutations;
mod package;
mod plans;
mod rows;
mod scale;
mod unsupported;
