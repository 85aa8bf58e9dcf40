//! How fast releases are scored and attacked, on the actors in `../shared` (without them: on a few invented rows).

use std::io::Read;
use std::path::Path;
use std::sync::LazyLock;

use divan::Bencher;
use reticent::attack::{
    EmbeddingRetrieval, PublicKnowledge, Scheme, SentenceClassifier, TermRetrieval, read_targets, run,
};
use reticent::evaluate::{Marked, MarkedSpan, score_spans};
use reticent_knowledge::embedding::glove;

fn main() {
    divan::main();
}

fn actors(name: &str) -> Option<String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data/wikiactors").join(name);
    let file = std::fs::File::open(path).ok()?;
    let mut text = String::new();
    if name.ends_with("gz") {
        flate2::read::MultiGzDecoder::new(file).read_to_string(&mut text).ok()?;
        return Some(text);
    }
    std::io::read_to_string(file).ok()
}

const FEW: &str =
    "{\"id\":1,\"entity\":\"Ana\",\"text\":\"She played the violin in Metz.\",\"manual\":\"She played.\"}
{\"id\":2,\"entity\":\"Ben\",\"text\":\"He baked bread in Cork.\",\"manual\":\"He baked.\"}";

/// The 19,603 abstracts, every third word marked; as many found, one word later.
static DOCUMENTS: LazyLock<[Vec<Marked>; 2]> = LazyLock::new(|| {
    let rows = actors("corpus.jsonl.gz").unwrap_or_else(|| FEW.to_owned());
    let marked = |every: usize| {
        let one = |(row, line): (usize, &str)| {
            let text: serde_json::Value = serde_json::from_str(line).expect("a row");
            let text = text["text"].as_str().expect("a text").to_owned();
            let blanks: Vec<usize> =
                text.chars().enumerate().filter(|(_, c)| *c == ' ').map(|(at, _)| at).collect();
            let spans = blanks.windows(2).skip(every).step_by(3);
            let spans = spans.map(|at| MarkedSpan { start: at[0] + 1, end: at[1], kind: None, score: None });
            Marked { id: row.to_string(), row, spans: spans.collect(), text: Some(text) }
        };
        (1..).zip(rows.lines()).map(one).collect()
    };
    [marked(0), marked(1)]
});

static PUBLIC: LazyLock<PublicKnowledge> = LazyLock::new(|| {
    let rows = actors("public-knowledge.jsonl.gz").unwrap_or_else(|| FEW.to_owned());
    PublicKnowledge::read(&rows).expect("public texts")
});

#[divan::bench(sample_count = 5)]
fn spans(bencher: Bencher<'_, '_>) {
    let [gold, found] = &*DOCUMENTS;
    bencher.bench_local(|| score_spans(gold, found));
}

/// Reading what is public, and attacking 25 texts with clues.
#[divan::bench(sample_count = 5, args = ["tfidf", "classifier", "embedding"])]
fn attack(bencher: Bencher<'_, '_>, method: &str) {
    let rows = actors("baselines-dev.jsonl").unwrap_or_else(|| FEW.to_owned());
    let targets = read_targets(&rows, "manual", &PUBLIC).expect("released texts");
    bencher.bench_local(|| match method {
        "tfidf" => run(&TermRetrieval::new(&PUBLIC, Scheme::TfIdf), &PUBLIC, &targets, 5),
        "classifier" => run(&SentenceClassifier::train(&PUBLIC).expect("trains"), &PUBLIC, &targets, 5),
        _ => {
            let texts = targets.iter().map(|target| target.text.as_str());
            let vectors = glove().expect("vectors ship");
            run(&EmbeddingRetrieval::new(&PUBLIC, texts, vectors).expect("reads"), &PUBLIC, &targets, 5)
        }
    });
}
