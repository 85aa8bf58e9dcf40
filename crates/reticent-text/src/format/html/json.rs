//! JSON in a page (structured data for search engines): each string by itself.

use crate::Escape;
use crate::format::builder::Block;
use crate::format::rows::jsonl;

/// The strings and numbers of a JSON text that stands at `base` of the source, each with its name;
/// nothing if it is not JSON.
pub(super) fn blocks(text: &str, base: usize) -> Option<Vec<(Block, &'static str)>> {
    serde_json::from_str::<serde::de::IgnoredAny>(text).ok()?;
    let bytes = text.as_bytes();
    let (mut blocks, mut at) = (Vec::new(), 0);
    while at < bytes.len() {
        let mut block = Block::default();
        match bytes[at] {
            b'"' => {
                let end = string_end(bytes, at + 1)?;
                let is_key = text[end + 1..].trim_start().starts_with(':');
                jsonl::string(text, at + 1..end, base, Escape::Script, &mut block)?;
                if !is_vocabulary(block.text()) {
                    blocks.push((block, if is_key { "key" } else { "json" }));
                }
                at = end + 1;
            }
            b'-' | b'0'..=b'9' => {
                let digits = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'+' | b'.');
                let len = bytes[at..].iter().take_while(|byte| digits(byte)).count();
                block.push_atomic(0, base + at..base + at + len, &text[at..at + len], Escape::Number);
                blocks.push((block, "json"));
                at += len;
            }
            _ => at += 1,
        }
    }
    Some(blocks)
}

/// Where the string that begins here ends.
fn string_end(bytes: &[u8], mut at: usize) -> Option<usize> {
    loop {
        at += memchr::memchr2(b'"', b'\\', bytes.get(at..)?)?;
        if bytes[at] == b'"' {
            return Some(at);
        }
        at += 2;
    }
}

/// Whether a string is a word of JSON-LD itself, or the address of the usual vocabulary.
fn is_vocabulary(text: &str) -> bool {
    matches!(
        text,
        "@context"
            | "@type"
            | "@id"
            | "@graph"
            | "@value"
            | "@language"
            | "@list"
            | "@set"
            | "@reverse"
            | "@index"
            | "@base"
            | "@vocab"
            | "@container"
            | "@none"
            | "@version"
            | "https://schema.org"
            | "https://schema.org/"
            | "http://schema.org"
            | "http://schema.org/"
    )
}
