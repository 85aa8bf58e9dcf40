//! Built-in policies.

use crate::policy::{PolicyFile, closest};
use crate::{Error, ErrorKind};

/// A built-in policy.
#[derive(Clone, Copy, Debug)]
pub struct Preset {
    /// The name in `extends` and on the command line.
    pub name: &'static str,
    /// A one-line summary.
    pub summary: &'static str,
    /// The policy as TOML.
    pub toml: &'static str,
}

/// All presets.
pub const PRESETS: &[Preset] = &[
    Preset {
        name: "basic",
        summary: "names become pseudonyms, numbers type labels; dates are generalized to the year, ages to the decade",
        toml: include_str!("presets/basic.toml"),
    },
    Preset {
        name: "hipaa-safe-harbor",
        summary: "the eighteen identifiers of the HIPAA Privacy Rule (Safe Harbor)",
        toml: include_str!("presets/hipaa-safe-harbor.toml"),
    },
    Preset {
        name: "gdpr",
        summary: "dates and ages are generalized to the decade; every other identifier becomes a type label",
        toml: include_str!("presets/gdpr.toml"),
    },
    Preset {
        name: "subject",
        summary: "quasi-identifiers of the subjects that you name; information about others stays",
        toml: include_str!("presets/subject.toml"),
    },
    Preset {
        name: "disclosure",
        summary: "terms that reveal more about the subjects that you name than allowed, measured in a corpus; nothing else",
        toml: include_str!("presets/disclosure.toml"),
    },
    Preset {
        name: "ner3",
        summary: "people, places and organizations, as in Stanford NER with three classes; for comparison only",
        toml: include_str!("presets/ner3.toml"),
    },
    Preset {
        name: "ner4",
        summary: "the same and other names, as in Stanford NER with four classes; for comparison only",
        toml: include_str!("presets/ner4.toml"),
    },
    Preset {
        name: "ner7",
        summary: "people, places, organizations, dates and times, money and percentages, as in Stanford NER with seven classes; for comparison only",
        toml: include_str!("presets/ner7.toml"),
    },
    Preset {
        name: "presidio",
        summary: "the types that Presidio detects by default; for comparison only",
        toml: include_str!("presets/presidio.toml"),
    },
];

pub(super) fn named(name: &str) -> Result<PolicyFile, Error> {
    let Some(preset) = PRESETS.iter().find(|preset| preset.name == name) else {
        let names = PRESETS.iter().map(|preset| preset.name);
        let hint = match closest(name, names.clone()) {
            Some(best) => format!("did you mean `{best}`?"),
            None => format!("available presets: {}", names.collect::<Vec<_>>().join(", ")),
        };
        return Err(Error::new(ErrorKind::Policy, format!("unknown preset `{name}`")).with_hint(hint));
    };
    PolicyFile::from_toml(preset.toml)
}
