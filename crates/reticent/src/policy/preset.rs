//! The policies that ship with the program.

use crate::policy::{PolicyFile, closest};
use crate::{Error, ErrorKind};

/// A policy that ships with the program.
#[derive(Clone, Copy, Debug)]
pub struct Preset {
    /// What it is called in `extends` and on the command line.
    pub name: &'static str,
    /// What it is for, in one line.
    pub summary: &'static str,
    /// What it says.
    pub toml: &'static str,
}

/// All presets.
pub const PRESETS: &[Preset] = &[
    Preset {
        name: "basic",
        summary: "names and numbers by label, dates to the year, ages to the decade",
        toml: include_str!("presets/basic.toml"),
    },
    Preset {
        name: "hipaa-safe-harbor",
        summary: "the eighteen identifiers of the HIPAA Privacy Rule",
        toml: include_str!("presets/hipaa-safe-harbor.toml"),
    },
    Preset {
        name: "gdpr",
        summary: "dates and ages to the decade, everything else that singles a person out by label",
        toml: include_str!("presets/gdpr.toml"),
    },
    Preset {
        name: "subject",
        summary: "what tells something of the people that you name; what is said of others stays",
        toml: include_str!("presets/subject.toml"),
    },
    Preset {
        name: "disclosure",
        summary: "what tells more of what you name than may be told, counted in a corpus; nothing else",
        toml: include_str!("presets/disclosure.toml"),
    },
    Preset {
        name: "ner3",
        summary: "people, places and organizations, as Stanford's NER with three classes: to compare with",
        toml: include_str!("presets/ner3.toml"),
    },
    Preset {
        name: "ner4",
        summary: "the same and other names, as Stanford's NER with four classes: to compare with",
        toml: include_str!("presets/ner4.toml"),
    },
    Preset {
        name: "ner7",
        summary: "people, places, organizations, dates and times, money and percentages, as Stanford's NER with seven classes: to compare with",
        toml: include_str!("presets/ner7.toml"),
    },
    Preset {
        name: "presidio",
        summary: "the types that Presidio looks for by default: to compare with",
        toml: include_str!("presets/presidio.toml"),
    },
];

pub(super) fn named(name: &str) -> Result<PolicyFile, Error> {
    let Some(preset) = PRESETS.iter().find(|preset| preset.name == name) else {
        let names = PRESETS.iter().map(|preset| preset.name);
        let hint = match closest(name, names.clone()) {
            Some(best) => format!("did you mean `{best}`?"),
            None => format!("there are {}", names.collect::<Vec<_>>().join(", ")),
        };
        return Err(Error::new(ErrorKind::Policy, format!("there is no preset `{name}`")).with_hint(hint));
    };
    PolicyFile::from_toml(preset.toml)
}
