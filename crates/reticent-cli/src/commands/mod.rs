//! One file for each command.

pub(crate) mod analyze;
pub(crate) mod apply;
pub(crate) mod attack;
pub(crate) mod certificate;
pub(crate) mod decrypt;
pub(crate) mod detect;
pub(crate) mod detectors;
pub(crate) mod evaluate;
pub(crate) mod extract;
pub(crate) mod index;
pub(crate) mod key;
pub(crate) mod label;
pub(crate) mod neural;
pub(crate) mod plan;
pub(crate) mod protect;
pub(crate) mod report;
pub(crate) mod shell;
pub(crate) mod taxonomy;
pub(crate) mod train;
pub(crate) mod vectors;
pub(crate) mod verdict;
pub(crate) mod verify;
pub(crate) mod write_back;
