//! A cell of a table: a set of values.

/// What stands between two values of a cell.
pub(crate) const SEPARATOR: &str = " | ";

/// One value of a changed cell; nothing if it was suppressed.
pub(crate) type Part = Option<String>;

/// Values as one cell. A bar or a backslash within a value has a backslash before it, and so has a
/// value of nothing but stars, which would mean that it was suppressed.
pub(crate) fn join<'v>(values: impl IntoIterator<Item = &'v str>) -> String {
    let escaped = values.into_iter().map(|value| {
        if is_stars(value) {
            return format!("\\{value}");
        }
        value.replace('\\', "\\\\").replace('|', "\\|")
    });
    escaped.collect::<Vec<_>>().join(SEPARATOR)
}

/// The values of a cell. `suppressed` are words that mean, besides nothing and stars, that there is none.
pub(crate) fn split(cell: &str, suppressed: &[String]) -> Vec<Part> {
    let mut parts = Vec::new();
    let mut part = String::new();
    let mut escaped_any = false;
    let mut chars = cell.chars();
    let finish = |part: &str, escaped_any: bool| read(part, escaped_any, suppressed);
    while let Some(c) = chars.next() {
        match c {
            '\\' => {
                escaped_any = true;
                part.push(chars.next().unwrap_or('\\'));
            }
            '|' => {
                parts.push(finish(&part, escaped_any));
                part.clear();
                escaped_any = false;
            }
            _ => part.push(c),
        }
    }
    parts.push(finish(&part, escaped_any));
    parts
}

/// A value that needs no unescaping, as JSON has it.
pub(crate) fn read(part: &str, escaped: bool, suppressed: &[String]) -> Part {
    let part = part.trim();
    let none =
        part.is_empty() || (!escaped && (is_stars(part) || suppressed.iter().any(|word| word == part)));
    (!none).then(|| part.to_owned())
}

/// Signs with which a cell that a spreadsheet evaluates may begin; their full-width forms count too.
const FORMULA: [char; 11] = ['=', '+', '-', '@', '\t', '\r', '\n', '＝', '＋', '－', '＠'];

/// Whether a spreadsheet would take a cell of CSV for a formula. A number with its sign is none.
pub(crate) fn is_formula(cell: &str) -> bool {
    if !cell.starts_with(FORMULA) {
        return false;
    }
    let figures = |byte: u8| byte.is_ascii_digit() || matches!(byte, b'+' | b'-' | b'.' | b'e' | b'E');
    let is_number = cell.bytes().all(figures) && cell.parse::<f64>().is_ok_and(f64::is_finite);
    !is_number
}

/// A cell that a spreadsheet takes for text: with an apostrophe before it.
pub(crate) fn disarmed(cell: &str) -> String {
    format!("'{cell}")
}

/// The cell that was disarmed.
pub(crate) fn rearmed(cell: &str) -> &str {
    cell.strip_prefix('\'').filter(|rest| is_formula(rest)).unwrap_or(cell)
}

fn is_stars(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| c == '*')
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn some(values: &[&str]) -> Vec<Part> {
        values.iter().map(|value| Some((*value).to_owned())).collect()
    }

    #[test]
    fn several_values_are_one_cell() {
        assert_eq!(join(["1962", "2024-03"]), "1962 | 2024-03");
        assert_eq!(join(["a|b", "c\\d", "**"]), r"a\|b | c\\d | \**");
        assert_eq!(split(r"a\|b | c\\d | \**", &[]), some(&["a|b", "c\\d", "**"]));
        assert_eq!(split("1962|2024-03", &[]), some(&["1962", "2024-03"]));
    }

    #[test]
    fn nothing_and_stars_are_suppressed() {
        assert_eq!(split("", &[]), [None]);
        assert_eq!(split(" * ", &[]), [None]);
        assert_eq!(split("1962 | *****", &[]), [Some("1962".to_owned()), None]);
        assert_eq!(split("NA", &[]), some(&["NA"]));
        assert_eq!(split("NA", &["NA".to_owned()]), [None]);
        assert_eq!(split("1** | **2", &[]), some(&["1**", "**2"]));
    }

    #[test]
    fn formulas_are_disarmed_and_numbers_are_not() {
        for formula in
            ["=1+1", "+34 600 100", "-x", "@SUM(A1)", "\tx", "\r=1", "＝1", "=cmd|' /C calc'!A0", "-", "-5+3"]
        {
            assert!(is_formula(formula), "{formula:?}");
            assert_eq!(rearmed(&disarmed(formula)), formula);
        }
        for value in ["-5", "+7", "-3.5e2", "5-3", "a=b", "", "'tis", "[-5 to 3]", "3 - 4"] {
            assert!(!is_formula(value), "{value:?}");
            assert_eq!(rearmed(value), value);
        }
    }

    proptest! {
        #[test]
        fn what_is_joined_comes_apart(values in prop::collection::vec("[a |\\\\*,\"é]{0,5}[a-z*\\\\|]", 1..5)) {
            let values: Vec<String> = values.iter().map(|value| value.trim().to_owned()).collect();
            let cell = join(values.iter().map(String::as_str));
            let parts: Vec<String> = split(&cell, &[]).into_iter().flatten().collect();
            prop_assert_eq!(parts, values);
        }

        #[test]
        fn anything_can_be_split(cell in "\\PC{0,30}") {
            prop_assert!(!split(&cell, &[]).is_empty());
        }
    }
}
