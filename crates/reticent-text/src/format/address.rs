//! Addresses: `mailto:ana@x.org?subject=Ana%20Ruiz` says Ana Ruiz.

use super::builder::Block;
use crate::Escape;

/// Adds an address to a block, its percent signs read as what they stand for. An address with a host
/// stays as it is: it is looked at as a whole, and a blank within would cut it in two.
pub(crate) fn push(block: &mut Block, part: usize, at: usize, address: &str, whole: &str, escape: Escape) {
    if whole.contains("://") {
        block.push(part, at, address, escape);
        return;
    }
    let mut from = 0;
    let mut done = 0;
    while let Some(found) = memchr::memchr(b'%', &address.as_bytes()[from..]) {
        let start = from + found;
        let Some((c, len)) = character(&address.as_bytes()[start..]) else {
            from = start + 1;
            continue;
        };
        block.push(part, at + done, &address[done..start], escape);
        block.push_atomic(part, at + start..at + start + len, c.encode_utf8(&mut [0; 4]), escape);
        (from, done) = (start + len, start + len);
    }
    block.push(part, at + done, &address[done..], escape);
}

/// The character that percent signs stand for here, and how many bytes they take.
fn character(bytes: &[u8]) -> Option<(char, usize)> {
    let mut raw = [0; 4];
    for count in 0..raw.len() {
        let digits = bytes.get(count * 3..count * 3 + 3)?.strip_prefix(b"%")?;
        let digits = std::str::from_utf8(digits).ok().filter(|d| d.bytes().all(|b| b.is_ascii_hexdigit()))?;
        raw[count] = u8::from_str_radix(digits, 16).ok()?;
        if let Ok(text) = std::str::from_utf8(&raw[..=count]) {
            let c = text.chars().next().filter(|c| !c.is_control())?;
            return Some((c, (count + 1) * 3));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(address: &str) -> String {
        let mut block = Block::default();
        push(&mut block, 0, 0, address, address, Escape::None);
        block.text().to_owned()
    }

    #[test]
    fn reads_percent_signs() {
        assert_eq!(read("mailto:a@x.org?subject=Ana%20Ru%C3%ADz"), "mailto:a@x.org?subject=Ana Ruíz");
        assert_eq!(read("%F0%9F%98%80%41"), "😀A");
    }

    #[test]
    fn leaves_alone_what_stands_for_no_character() {
        for address in
            ["100%", "%2", "%zz", "%+1", "%C3", "%C3%28x", "%00", "%é", "https://x.org/Ana%20Ruiz", ""]
        {
            let expected = address.replace("%28", "(");
            assert_eq!(read(address), expected);
        }
    }
}
