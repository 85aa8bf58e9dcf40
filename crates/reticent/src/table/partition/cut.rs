//! Where the median cuts, when several have the same value.

/// Keys of persons, and where they may be cut: those below go to the left.
pub(super) struct Medians {
    /// Thresholds, the one with the more even sides first.
    pub(super) at: Vec<u32>,
    /// How many lie below the median.
    pub(super) below: usize,
    /// How many have it.
    pub(super) equal: usize,
}

/// The cuts next to the median of these keys, which are left in another order. Both sides have someone.
pub(super) fn medians(keys: &mut [u32]) -> Medians {
    let middle = keys.len() / 2;
    let (_, median, _) = keys.select_nth_unstable(middle);
    let median = *median;
    let below = keys.iter().filter(|key| **key < median).count();
    let equal = keys.iter().filter(|key| **key == median).count();
    let mut at: Vec<(usize, u32)> = Vec::with_capacity(2);
    let uneven = |left: usize| (2 * left).abs_diff(keys.len());
    if below > 0 {
        at.push((uneven(below), median));
    }
    if below + equal < keys.len() {
        at.push((uneven(below + equal), median + 1));
    }
    at.sort_unstable();
    Medians { at: at.into_iter().map(|(_, threshold)| threshold).collect(), below, equal }
}

/// Puts those whose key is below the threshold first; how many they are. Keys and persons go together.
pub(super) fn divide(persons: &mut [u32], keys: &mut [u32], threshold: u32) -> usize {
    let (mut left, mut right) = (0, persons.len());
    while left < right {
        if keys[left] < threshold {
            left += 1;
        } else {
            right -= 1;
            persons.swap(left, right);
            keys.swap(left, right);
        }
    }
    left
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn ties_go_to_the_more_even_side() {
        let cuts = |keys: &[u32]| medians(&mut keys.to_vec()).at;
        assert_eq!(cuts(&[1, 2, 3, 4]), [3, 4]);
        assert_eq!(cuts(&[1, 1, 1, 2]), [2]);
        assert_eq!(cuts(&[1, 2, 2, 2]), [2]);
        assert_eq!(cuts(&[1, 2, 2, 2, 3, 3]), [3, 2]);
        assert!(cuts(&[7, 7]).is_empty());
    }

    proptest! {
        #[test]
        fn cuts_have_two_sides(keys in prop::collection::vec(0u32..9, 1..40)) {
            let found = medians(&mut keys.clone());
            for threshold in found.at {
                let (mut persons, mut own) = ((0..).take(keys.len()).collect::<Vec<u32>>(), keys.clone());
                let left = divide(&mut persons, &mut own, threshold);
                prop_assert!(left > 0 && left < keys.len());
                prop_assert!(persons[..left].iter().all(|p| keys[*p as usize] < threshold));
                prop_assert!(persons[left..].iter().all(|p| keys[*p as usize] >= threshold));
            }
        }
    }
}
