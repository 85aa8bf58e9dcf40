//! Anonymization of documents and tables: detection, generalization, risk measurement and verification.
//!
//! Data flows in one direction: detectors search a [`Document`](reticent_text::Document), their findings are resolved
//! into entities, a plan chooses a replacement for each entity, and `release` applies the plan and checks the result.

mod abbreviation;
pub mod attack;
pub mod detect;
pub mod disclosure;
pub mod entity;
pub mod entity_type;
pub mod error;
pub mod evaluate;
pub mod extract;
pub mod finding;
pub mod knowledge;
pub mod mask;
pub mod operator;
pub mod plan;
pub mod policy;
pub mod protect;
pub mod release;
pub mod report;
mod resolve;
pub mod table;
pub mod verify;
mod view;

pub use detect::Detector;
pub use entity::Entity;
pub use entity_type::EntityType;
pub use error::{Error, ErrorKind};
pub use finding::{Because, Evidence, Finding, Identifies};
pub use knowledge::Knowledge;
pub use operator::Operator;
pub use plan::Plan;
pub use policy::Policy;
pub use protect::Protector;
pub use release::Released;

/// Bytes in hexadecimal.
pub(crate) fn hex(bytes: &[u8]) -> String {
    use std::fmt::Write;
    bytes.iter().fold(String::new(), |mut out, byte| {
        // Writing to a String cannot fail.
        let _ = write!(out, "{byte:02x}");
        out
    })
}
