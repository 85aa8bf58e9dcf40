//! One of several.

use crate::mask::plural;

/// The singular of an English noun, if it is a plural by the common rules.
pub(crate) fn singular(noun: &str) -> Option<String> {
    // `viruses` and `churches`, but `diseases` and `causes`.
    if let Some(stem) = noun.strip_suffix("es")
        && ["us", "ss", "x", "ch", "sh"].iter().any(|end| stem.ends_with(end))
        && !["aus", "ous"].iter().any(|end| stem.ends_with(end))
        && stem.len() > 2
    {
        return Some(stem.to_owned());
    }
    if plural(noun) == noun || ["us", "ss", "is"].iter().any(|end| noun.ends_with(end)) {
        return None;
    }
    let ends = [("people", "person"), ("men", "man"), ("children", "child"), ("ies", "y"), ("s", "")];
    ends.into_iter().find_map(|(several, one)| {
        let one = format!("{}{one}", noun.strip_suffix(several)?);
        (plural(&one) == noun && one != noun && !one.is_empty()).then_some(one)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_of_several() {
        for (several, one) in [
            ("infections", "infection"),
            ("biopsies", "biopsy"),
            ("viruses", "virus"),
            ("diseases", "disease"),
            ("causes", "cause"),
            ("sick people", "sick person"),
            ("women", "woman"),
            ("children", "child"),
        ] {
            assert_eq!(singular(several).as_deref(), Some(one));
        }
        for one in ["infection", "series", "virus", "arthritis", "", "s"] {
            assert_eq!(singular(one), None, "{one}");
        }
    }
}
