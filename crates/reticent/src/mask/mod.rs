//! Masks: what to say instead.

/// One thing that could be said instead.
#[derive(Clone, PartialEq, Eq)]
pub struct Rung {
    /// How specific it is, in words of its type: `day`, `month`, `year`, `decade`; `label` for the
    /// type alone; `suppressed` for nothing.
    pub level: String,
    /// What would be said.
    pub text: String,
}

/// What could be said instead of an entity, most specific first, suppression last.
#[derive(Clone, PartialEq, Eq)]
pub struct Ladder {
    /// The rungs; never empty.
    pub rungs: Vec<Rung>,
}
