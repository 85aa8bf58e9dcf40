//! One small file of each format, and what is wrong with others.

use proptest::prelude::*;

use super::*;
use crate::taxonomy::{PackedTaxonomy, Taxonomy};

fn taxonomy(format: Format, inputs: &[&str]) -> Result<PackedTaxonomy, Error> {
    let mut draft = Draft::new("test");
    for input in inputs {
        from_input(format, input.as_bytes(), &mut draft)?;
    }
    PackedTaxonomy::from_bytes(draft.pack()?.0)
}

/// Each concept as `code label | synonyms < broader; gloss`.
fn told(format: Format, inputs: &[&str]) -> Vec<String> {
    let taxonomy = taxonomy(format, inputs).unwrap();
    let tell = |concept| {
        let broader: Vec<String> =
            taxonomy.broader(concept).iter().map(|broader| taxonomy.code(*broader)).collect();
        let gloss = taxonomy.gloss(concept).map(|gloss| format!("; {gloss}")).unwrap_or_default();
        let words = taxonomy.synonyms(concept).join(" | ");
        format!("{} {words} < {}{gloss}", taxonomy.code(concept), broader.join(", "))
    };
    taxonomy.concepts().map(tell).collect()
}

fn refused(format: Format, input: &str) -> (ErrorKind, String) {
    let error = taxonomy(format, &[input]).unwrap_err();
    (error.kind(), error.to_string())
}

#[test]
fn reads_obo() {
    let obo = "format-version: 1.2\n\n[Term]\nid: D:1\nname: disease\n\n[Term]\nid: D:2\nname: flu ! comment\n\
        def: \"A \\\"viral\\\" disease.\" [url:x]\nsynonym: \"influenza\" EXACT []\nsynonym: \"cold\" RELATED []\n\
        is_a: D:1 ! disease\nis_a: D:9\n\n[Term]\nid: D:3\nname: gone\nis_obsolete: true\n\n[Typedef]\nid: part_of\n";
    assert_eq!(
        told(Format::Obo, &[obo]),
        ["D:1 disease < ", "D:2 flu | influenza < D:1; A \"viral\" disease."]
    );
    assert_eq!(taxonomy(Format::Obo, &[obo]).unwrap().summary().dangling, 1);
}

#[test]
fn reads_turtle_and_triples() {
    let turtle = "@prefix s: <http://www.w3.org/2004/02/skos/core#> .\n@prefix r: <http://www.w3.org/2000/01/rdf-schema#> .\n\
        @prefix e: <http://e/> .\ne:flu a s:Concept; s:prefLabel \"flu\"@en, \"grippe\"@fr; s:altLabel \"influenza\"@en;\n\
        s:broader e:Viral_disease; s:definition \"an illness\" .\ne:Viral_disease r:subClassOf e:Viral_disease, [] .\n\
        e:p a <http://www.w3.org/2002/07/owl#ObjectProperty>; r:label \"causes\" .\ne:joe a e:flu .\n";
    assert_eq!(
        told(Format::Turtle, &[turtle]),
        [
            "http://e/Viral_disease Viral disease < ",
            "http://e/flu flu | influenza < http://e/Viral_disease; an illness",
            "http://e/joe joe < http://e/flu",
        ]
    );
    let triples = "<http://e/a> <http://www.w3.org/2000/01/rdf-schema#subClassOf> <http://e/b> .\n";
    assert_eq!(told(Format::NTriples, &[triples]), ["http://e/a a < http://e/b", "http://e/b b < "]);
}

#[test]
fn reads_snomed() {
    let concepts = "id\teffectiveTime\tactive\tmoduleId\tdefinitionStatusId\n1\t2020\t1\tm\td\n2\t2020\t1\tm\td\n3\t2020\t0\tm\td\n";
    let words = "id\teffectiveTime\tactive\tmoduleId\tconceptId\tlanguageCode\ttypeId\tterm\tcaseSignificanceId\n\
        7\t2020\t1\tm\t1\ten\t900000000000013009\tMI\tc\n8\t2020\t1\tm\t1\ten\t900000000000003001\tHeart attack (disorder)\tc\n\
        9\t2020\t0\tm\t1\ten\t900000000000013009\told\tc\n9\t2020\t1\tm\t2\ten\t900000000000003001\tDisease (disorder)\tc\n";
    let links = "id\teffectiveTime\tactive\tmoduleId\tsourceId\tdestinationId\trelationshipGroup\ttypeId\tcharacteristicTypeId\tmodifierId\n\
        5\t2020\t1\tm\t1\t2\t0\t116680003\tx\tx\n6\t2020\t1\tm\t1\t3\t0\t116680003\tx\tx\n7\t2020\t1\tm\t2\t1\t0\t363698007\tx\tx\n";
    assert_eq!(told(Format::Rf2, &[concepts, words, links]), ["1 Heart attack | MI < 2", "2 Disease < "]);
}

#[test]
fn reads_icd() {
    let nested = "\u{FEFF}<icd_10><item type=\"chapter\"><name>I</name><description>Infectious</description>\
        <item type=\"category\"><name>A00</name><description>Cholera &amp; such</description></item></item></icd_10>";
    assert_eq!(told(Format::Icd10, &[nested]), ["A00 Cholera & such < I", "I Infectious < "]);
    let claml = "<ClaML><Class code=\"A00-A09\" kind=\"block\"><Rubric kind=\"preferred\"><Label>Gut</Label></Rubric></Class>\
        <Class code=\"A00\" kind=\"category\"><SuperClass code=\"A00-A09\"/><Rubric kind=\"inclusion\"><Label>x</Label></Rubric>\
        <Rubric kind=\"preferred\"><Label>Cholera</Label></Rubric></Class></ClaML>";
    assert_eq!(told(Format::Icd10, &[claml]), ["A00 Cholera < A00-A09", "A00-A09 Gut < "]);
    let cm = "<t><chapter><name>1</name><desc>Infectious</desc><section id=\"A00-A09\"><desc>Gut</desc><diag><name>A00</name>\
        <desc>Cholera</desc><inclusionTerm><note>Asiatic cholera</note></inclusionTerm></diag></section></chapter></t>";
    assert_eq!(
        told(Format::Icd10, &[cm]),
        ["1 Infectious < ", "A00 Cholera | Asiatic cholera < A00-A09", "A00-A09 Gut < 1"]
    );
    let table =
        "code,title\nA00-B99,Infectious\nA00-A09,Gut\nA00,Cholera\nA00.1,\"Cholera, eltor\"\nB50,Malaria\n";
    assert_eq!(
        told(Format::Icd10, &[table]),
        [
            "A00 Cholera < A00-A09",
            "A00-A09 Gut < A00-B99",
            "A00-B99 Infectious < ",
            "A00.1 Cholera, eltor < A00",
            "B50 Malaria < A00-B99",
        ]
    );
}

#[test]
fn reads_tables() {
    let named = "parent;child;label;synonyms;count\n;x;thing;;\nx;y;cat;puss|kitty;7\n";
    assert_eq!(told(Format::Parents, &[named]), ["x thing < ", "y cat | puss | kitty < x"]);
    assert_eq!(
        told(Format::Parents, &["cat,animal\ndog,animal\n"]),
        ["animal animal < ", "cat cat < animal", "dog dog < animal"]
    );
}

#[test]
fn tells_formats() {
    let of = |name: &str, start: &str| Format::of(Path::new(name), start.as_bytes());
    assert_eq!(of("a.obo", ""), Some(Format::Obo));
    assert_eq!(of("a.ttl.gz", ""), Some(Format::Turtle));
    assert_eq!(of("a.txt", "id\teffectiveTime\tactive"), Some(Format::Rf2));
    assert_eq!(of("a.csv", "code,title\nA00,x"), Some(Format::Icd10));
    assert_eq!(of("a.csv", "child,parent\nA00,x"), Some(Format::Parents));
    assert_eq!(of("a.csv", "code,title,parent\nA00,x"), Some(Format::Parents));
    assert_eq!(of("a.doc", "plain words"), None);
}

#[test]
fn refuses_nonsense_with_the_line() {
    for (format, input, line) in [
        (Format::Obo, "[Term]\nid: a\nnonsense\n", "(line 3)"),
        (Format::Obo, "[Term]\nname: nameless\n", "(line 1)"),
        (Format::Turtle, "@prefix e: <http://e/> .\ne:a e:b\n", "line"),
        (Format::Rf2, "id\tactive\n", "(line 1)"),
        (Format::Rf2, "id\tactive\tdefinitionStatusId\n1\t1\n", "(line 2)"),
        (Format::Icd10, "<a>\n<item><name>I</name>", "line"),
        (Format::Parents, "child,parent\n,x\n", "(line 2)"),
        (Format::Parents, "child,parent,count\na,x,many\n", "(line 2)"),
    ] {
        let (kind, message) = refused(format, input);
        assert_eq!(kind, ErrorKind::Malformed, "{message}");
        assert!(message.contains(line), "{format:?}: {message}");
    }
}

#[test]
fn refuses_what_is_empty_or_too_much() {
    for format in [Format::Obo, Format::Turtle, Format::NTriples, Format::Rf2, Format::Icd10, Format::Parents]
    {
        assert_eq!(refused(format, "").0, ErrorKind::Empty, "{format:?}");
    }
    let long = "x".repeat(10_000);
    assert_eq!(refused(Format::Parents, &format!("child,parent,label\na,b,{long}\n")).0, ErrorKind::Limit);
    assert_eq!(refused(Format::Obo, &format!("[Term]\nid: a\nname: {long}\n")).0, ErrorKind::Limit);
    let chain: Vec<String> = (0..2_000).map(|n| format!("{n},{}", n + 1)).collect();
    assert_eq!(refused(Format::Parents, &chain.join("\n")).0, ErrorKind::Limit);
    assert_eq!(refused(Format::Obo, "[Term]\nid: a\nis_a: a\n").0, ErrorKind::Inconsistent);
}

/// Small files, one for each reader, from which nonsense is made.
const SEEDS: [(Format, &str); 7] = [
    (
        Format::Obo,
        "[Term]\nid: a\nname: x {m=\"y\"} ! z\ndef: \"d\\n\" []\nsynonym: \"s\" EXACT []\nis_a: b\n[Term]\nid: b\n",
    ),
    (
        Format::Turtle,
        "@prefix s: <http://www.w3.org/2004/02/skos/core#> .\n<http://e/a> s:broader <http://e/b>; s:prefLabel \"a\"@en .\n",
    ),
    (Format::NTriples, "<http://e/a> <http://www.w3.org/2000/01/rdf-schema#subClassOf> <http://e/b> .\n"),
    (Format::Rf2, "id\tactive\tdefinitionStatusId\n1\t1\td\n2\t0\td\n"),
    (
        Format::Icd10,
        "<t><item><name>I</name><description>x &amp; y</description><item><name>A</name></item></item></t>",
    ),
    (Format::Icd10, "code,title\nA00-A09,Gut\nA00,Cholera\nA00.1,x\n"),
    (Format::Parents, "child,parent,label,synonyms,gloss,count\na,b,x,\"y|z\",g,3\nb,,q,,,\n"),
];

proptest! {
    #[test]
    fn anything_is_read_or_refused(
        seed in prop::sample::select(SEEDS.to_vec()),
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>(), 0u8..4), 0..12),
    ) {
        let (format, text) = seed;
        let mut bytes = text.as_bytes().to_vec();
        for (at, byte, how) in changes {
            let at = at.index(bytes.len().max(1)).min(bytes.len().saturating_sub(1));
            match how {
                0 if !bytes.is_empty() => bytes[at] = byte,
                1 if !bytes.is_empty() => drop(bytes.remove(at)),
                2 => bytes.insert(at, byte),
                _ => bytes.extend_from_within(at..),
            }
        }
        let mut draft = Draft::new("any");
        if from_input(format, bytes.as_slice(), &mut draft).is_ok() && let Ok((packed, _)) = draft.pack() {
            let taxonomy = PackedTaxonomy::from_bytes(packed).unwrap();
            for concept in taxonomy.concepts() {
                prop_assert_eq!(taxonomy.concept(&taxonomy.code(concept)), Some(concept));
            }
        }
    }
}
