//! The file of an index: any bytes are an index or an error, also where the checksum was made to hold; asking it
//! gives counts or an error.
#![no_main]

use std::sync::LazyLock;

use reticent_knowledge::corpus::{Counts, Index, Item, Options, add, build};
use reticent_knowledge::packed::{Kind, Packed, write};
use reticent_text::Document;

const KIND: Kind = Kind { tag: *b"INDX", name: "index", version: 1 };
const SECTIONS: [&str; 9] =
    ["about", "words", "wordend", "postings", "postend", "docs", "ids", "idend", "idorder"];

static GOOD: LazyLock<Packed> = LazyLock::new(|| {
    let texts = ["blood transfusion and a virus", "the virus of blood, blood of the virus", "a blood transfusion"];
    let items = texts.iter().enumerate().map(|(at, text)| Item::new(0, Document::plain(format!("d{at}"), *text)));
    let mut bytes = Vec::new();
    build(&["texts".to_owned()], items, &Options::default(), &mut bytes).expect("an index");
    Packed::from_bytes(KIND, bytes).expect("a file")
});

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    let _ = Index::from_bytes(data.to_vec());
    // One section of a good index, from some place on, is what the fuzzer says.
    let [section, at, rest @ ..] = data else { return };
    let damaged = usize::from(*section) % SECTIONS.len();
    let sections: Vec<Vec<u8>> = SECTIONS
        .iter()
        .enumerate()
        .map(|(number, name)| {
            let mut bytes = GOOD.section(name).expect("a section").to_vec();
            if number == damaged {
                let at = usize::from(*at).min(bytes.len());
                let keep = bytes.split_off(at);
                bytes.extend_from_slice(rest);
                bytes.extend(keep.iter().skip(rest.len()));
            }
            bytes
        })
        .collect();
    let sections: Vec<(&str, &[u8])> =
        SECTIONS.iter().copied().zip(sections.iter().map(Vec::as_slice)).collect();
    let mut bytes = Vec::new();
    write(KIND, &sections, &mut bytes).expect("written");
    let Ok(index) = Index::from_bytes(bytes) else { return };
    for terms in [&["blood transfusion"][..], &["virus"], &["blood", "virus"], &["blood of the virus"]] {
        let _ = index.count(terms);
    }
    let _ = index.without("d1").map(|view| view.count(&["blood", "virus"]));
    let _ = index.ids().count();
    let more = std::iter::once(Item::new(0, Document::plain("new", "more blood")));
    let _ = add(&index, &["more".to_owned()], more, None, &mut Vec::new());
});
