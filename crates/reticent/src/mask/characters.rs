//! Characters covered, some kept.

use unicode_normalization::char::is_combining_mark;

/// Covers the letters and digits of `surface` with `with`, but the first and last few; what stands
/// between them (`-`, `@`, spaces) stays. If that would keep all of them, none is kept.
///
/// ```
/// use reticent::mask::mask_characters;
/// assert_eq!(mask_characters("4111-1111-1111-1234", '*', 0, 4), "****-****-****-1234");
/// assert_eq!(mask_characters("Ana", '*', 2, 2), "***");
/// ```
pub fn mask_characters(surface: &str, with: char, keep_first: usize, keep_last: usize) -> String {
    let total = surface.chars().filter(|c| c.is_alphanumeric() && !is_combining_mark(*c)).count();
    let keep_all = keep_first.saturating_add(keep_last) >= total;
    let (keep_first, keep_last) = if keep_all { (0, 0) } else { (keep_first, keep_last) };
    let mut text = String::with_capacity(surface.len());
    let mut seen = 0;
    let mut covered = false;
    for c in surface.chars() {
        if is_combining_mark(c) {
            // An accent goes with its letter.
            if !covered {
                text.push(c);
            }
        } else if c.is_alphanumeric() {
            covered = seen >= keep_first && seen < total - keep_last;
            text.push(if covered { with } else { c });
            seen += 1;
        } else {
            covered = false;
            text.push(c);
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn covers_letters_and_digits() {
        assert_eq!(mask_characters("ana@example.org", 'x', 1, 0), "axx@xxxxxxx.xxx");
        assert_eq!(mask_characters("e\u{301}e", '*', 0, 1), "*e");
        assert_eq!(mask_characters("—", '*', 0, 0), "—");
        assert_eq!(mask_characters("", '*', 3, 3), "");
    }

    proptest! {
        #[test]
        fn keeps_no_more_than_asked(surface in any::<String>(), first in 0..4usize, last in 0..4usize) {
            let text = mask_characters(&surface, '*', first, last);
            let kept = text.chars().filter(|c| c.is_alphanumeric() && !is_combining_mark(*c)).count();
            prop_assert!(kept <= first + last);
        }
    }
}
