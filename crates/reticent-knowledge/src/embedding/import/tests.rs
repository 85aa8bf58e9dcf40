use proptest::prelude::*;

use super::*;
use crate::embedding::{Found, How, Lookup, Precision, TermVectors, Vectors, export};

fn read(bytes: &[u8]) -> Result<Imported, Error> {
    import(bytes, None, "test", Language::English)
}

fn opened(bytes: &[u8]) -> TermVectors {
    TermVectors::from_table(&read(bytes).unwrap().table, Precision::Full).unwrap()
}

fn binary(count: u64, dimension: usize, rows: &[(&[u8], &[f32])], end: &[u8]) -> Vec<u8> {
    let mut bytes = format!("{count} {dimension}\n").into_bytes();
    for (word, vector) in rows {
        bytes.extend(*word);
        bytes.push(b' ');
        bytes.extend(vector.iter().flat_map(|x| x.to_le_bytes()));
        bytes.extend(end);
    }
    bytes
}

/// A model as fastText writes it: two dimensions, sequences of three letters in four buckets.
fn fasttext(words: &[(&str, u64)], change: impl Fn(&mut Vec<i32>)) -> Vec<u8> {
    let mut head = vec![MAGIC, 12, 2, 5, 5, 1, 5, 1, 2, 2, 4, 3, 3, 100];
    change(&mut head);
    let mut bytes: Vec<u8> = head.iter().flat_map(|x| x.to_le_bytes()).collect();
    bytes.extend(1e-4f64.to_le_bytes());
    let count = i32::try_from(words.len()).unwrap();
    bytes.extend([count, count, 0].iter().flat_map(|x| x.to_le_bytes()));
    bytes.extend([100i64, -1].iter().flat_map(|x| x.to_le_bytes()));
    for (word, count) in words {
        bytes.extend(word.as_bytes());
        bytes.push(0);
        bytes.extend(count.to_le_bytes());
        bytes.push(0);
    }
    bytes.push(0);
    let rows = words.len() as u64 + 4;
    bytes.extend([rows, 2].iter().flat_map(|x| x.to_le_bytes()));
    bytes.extend((0u8..).take(words.len() * 2 + 8).flat_map(|x| f32::from(x + 1).to_le_bytes()));
    bytes
}

const MAGIC: i32 = super::fasttext::MAGIC;

#[test]
fn word2vec_text() {
    let imported = read(b"3 2\nfilm 1 0.5\nNew_York -1e-2 2\n</s> 0 0\n").unwrap();
    assert_eq!(imported.format, Format::Word2vecText);
    assert_eq!(imported.table.terms, ["film", "New_York", "</s>"]);
    assert_eq!(imported.table.rows, [1.0, 0.5, -0.01, 2.0, 0.0, 0.0]);
    // fastText ends each line with a space.
    assert_eq!(read(b"1 2\nfilm 1 0.5 \n").unwrap().table.rows, [1.0, 0.5]);
}

#[test]
fn word2vec_binary() {
    for end in [&b"\n"[..], b""] {
        let bytes = binary(2, 3, &[(b"film", &[1.0, 0.5, -2.0]), (b"star", &[0.0, 3.0, 1e-9])], end);
        let imported = read(&bytes).unwrap();
        assert_eq!(imported.format, Format::Word2vecBinary);
        assert_eq!(imported.table.terms, ["film", "star"]);
        assert_eq!(imported.table.rows, [1.0, 0.5, -2.0, 0.0, 3.0, 1e-9]);
    }
}

#[test]
fn glove_text() {
    let imported = read(b"the 0.1 0.2\n. . 1 2\nfilm -1 1\n").unwrap();
    assert_eq!(imported.format, Format::Glove);
    assert_eq!(imported.table.terms, ["the", ". .", "film"], "a word may have spaces");
}

#[test]
fn fasttext_with_subwords() {
    let bytes = fasttext(&[("</s>", 9), ("cat", 5)], |_| {});
    let imported = read(&bytes).unwrap();
    assert_eq!(imported.format, Format::FastText);
    assert_eq!(imported.table.counts, [9, 5]);
    let subwords = imported.table.subwords.unwrap();
    let parts = subwords.of("cat");
    assert_eq!(parts.len(), 3);
    // Rows count from 1: the words have 1 to 4, the buckets 5 to 12.
    let sum = |column: usize| -> f32 {
        let bucket = |part: &u32| f32::from(u8::try_from(*part as usize * 2 + column).unwrap()) + 5.0;
        (parts.iter().map(bucket).sum::<f32>() + 3.0 + column as f32) / 4.0
    };
    assert_eq!(imported.table.row(1), [sum(0), sum(1)]);
    assert_eq!(imported.table.row(0), [1.0, 2.0], "the end of a sentence has no letters");
    let vectors = TermVectors::from_table(&imported.table, Precision::Full).unwrap();
    let how = |term: &str| match vectors.lookup(term).unwrap() {
        Lookup::Found(Found { how, .. }) => Some(how),
        Lookup::Unknown => None,
    };
    assert_eq!(how("Cat"), Some(How::Whole));
    assert_eq!(how("catfish"), Some(How::Subwords));
    assert_eq!(how("wild catfish"), Some(How::Composed { missing: vec![] }));
    assert_eq!(how(""), None);
}

#[test]
fn fasttext_that_cannot_be_read() {
    let words = [("cat", 5)];
    let refused = |bytes: &[u8]| read(bytes).unwrap_err();
    let mut quantized = fasttext(&words, |_| {});
    let flag = quantized.len() - 4 * 10 - 16 - 1;
    quantized[flag] = 1;
    assert!(refused(&quantized).to_string().contains("quantized"));
    assert_eq!(refused(&fasttext(&words, |head| head[1] = 13)).kind(), ErrorKind::Version);
    assert!(refused(&fasttext(&words, |head| head[9] = 3)).to_string().contains("classifier"));
    assert_eq!(refused(&fasttext(&words, |head| head[2] = 3)).kind(), ErrorKind::Inconsistent);
    assert_eq!(refused(&fasttext(&words, |head| head[10] = i32::MAX)).kind(), ErrorKind::Inconsistent);
    let whole = fasttext(&words, |_| {});
    for length in 4..whole.len() {
        read(&whole[..length]).unwrap_err();
    }
}

#[test]
fn mixed_dimensions_are_refused_with_the_line() {
    for (bytes, line) in [
        (&b"a 1 2 3\nb 1 2 3\nc 1 2\n"[..], "line 3"),
        (b"a 1 2\nb 1 2 3\n", "line 2"),
        (b"2 3\na 1 2 3\nb 1 2\n", "line 3"),
        (b"2 2\na 1 2 3\nb 1 2 3\n", "line 2"),
    ] {
        let error = read(bytes).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Inconsistent);
        assert!(error.to_string().contains(line), "{error}");
    }
    let bytes = binary(2, 2, &[(b"a", &[1.0, 2.0, 3.0]), (b"b", &[1.0, 2.0, 3.0])], b"\n");
    assert!(import(&bytes[..], Some(Format::Word2vecBinary), "", Language::English).is_err());
}

#[test]
fn headers_are_not_believed() {
    for bytes in [
        &b"99999999999999 300\nfilm 1\n"[..],
        b"18446744073709551615 16384\n",
        b"5 4000000000\nfilm 1 2\n",
        b"1 0\nfilm\n",
        b"9 2\nfilm 1 2\n",
    ] {
        read(bytes).unwrap_err();
        import(bytes, Some(Format::Word2vecBinary), "", Language::English).unwrap_err();
    }
}

#[test]
fn refuses_what_is_no_vector() {
    for (bytes, kind) in [
        (&b""[..], ErrorKind::Empty),
        (b"\n\n", ErrorKind::Empty),
        (b"film one two\nstar 1 2\n", ErrorKind::Malformed),
        (b"film 1 nan\n", ErrorKind::Malformed),
        (b"film 1 inf\n", ErrorKind::Malformed),
    ] {
        assert_eq!(read(bytes).unwrap_err().kind(), kind);
    }
    let long = format!("{} 1 2\n", "x".repeat(10_000));
    let error = read(long.as_bytes()).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Limit);
    assert!(!error.to_string().contains("xxx"), "no text in an error");
}

#[test]
fn leaves_out_the_second_of_two_and_what_is_not_utf8() {
    let imported = read(b"film 1 2\nfilm 3 4\n\xff\xfe 5 6\n").unwrap();
    assert_eq!((imported.table.terms.len(), imported.left_out), (1, 2));
    assert_eq!(imported.table.rows, [1.0, 2.0]);
}

#[test]
fn looks_up_as_written_then_lower_then_folded() {
    let vectors = opened(b"Apple 1 0\napple 0 1\nNew_York 1 1\nactor 1 2\nzero 0 0\n");
    let vector = |term: &str| match vectors.lookup(term).unwrap() {
        Lookup::Found(found) => Some(found.vector),
        Lookup::Unknown => None,
    };
    assert_eq!(vector("Apple").unwrap(), [1.0, 0.0]);
    assert_eq!(vector("APPLE").unwrap(), [0.0, 1.0]);
    assert_eq!(vector("New York").unwrap(), [1.0, 1.0]);
    assert_eq!(vector("the actors").unwrap(), [1.0, 2.0]);
    assert_eq!(vector("zero"), None, "a vector of zeros says nothing");
    assert_eq!(vector("pear"), None);
}

proptest! {
    #[test]
    fn what_is_exported_can_be_imported(rows in prop::collection::btree_map("[a-z]{1,5}", prop::array::uniform3(-1e3f32..1e3), 1..9)) {
        let lines: Vec<String> = rows.iter().map(|(word, x)| format!("{word} {} {} {}\n", x[0], x[1], x[2])).collect();
        let text = lines.concat();
        let imported = import(text.as_bytes(), Some(Format::Glove), "", Language::English).unwrap();
        let vectors = TermVectors::from_table(&imported.table, Precision::Full).unwrap();
        let mut file = Vec::new();
        export::word2vec(&vectors, &mut file).unwrap();
        let back = import(&file[..], Some(Format::Word2vecBinary), "", Language::English).unwrap();
        prop_assert_eq!(back.table.rows, imported.table.rows);
        prop_assert_eq!(back.table.terms, imported.table.terms);
    }

    #[test]
    fn anything_is_read_or_refused(bytes in any::<Vec<u8>>(), header in "[0-9]{1,3} [0-9]\n") {
        let with_header = [header.as_bytes(), &bytes].concat();
        let with_magic = [&MAGIC.to_le_bytes(), &bytes[..]].concat();
        for bytes in [&bytes, &with_header, &with_magic] {
            let _ = read(bytes);
            let _ = import(&bytes[..], Some(Format::Word2vecBinary), "", Language::English);
        }
    }
}
