//! A parser model: opened, or refused with an error, and what is opened parses.
#![no_main]

use libfuzzer_sys::fuzz_target;
use reticent_text::parse::Parser;

fuzz_target!(|bytes: &[u8]| {
    if let Ok(parser) = Parser::read(bytes) {
        let tree = parser.parse_words("Ana Ruiz was not in Lugo, nor were we.", reticent_text::Language::English);
        assert_eq!(tree.words().iter().filter(|word| word.head.is_none()).count(), 1);
    }
});
