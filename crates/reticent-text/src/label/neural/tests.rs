//! Derivatives against finite differences, and labellers that learn small data.

use std::sync::Arc;

use candle_core::{Device, Tensor, Var};

use super::batch::Steps;
use super::chain::improbability;
use super::lstm::lstm;
use super::operations::{Neighbours, add_bias, cross_entropy, largest, with_neighbours};
use super::random::Random;
use super::*;
use crate::label::train::Example;
use crate::label::{Labelled, is_neural};
use crate::{Document, Language, Layers, Span};

fn some(count: usize, seed: u64) -> Vec<f32> {
    let mut random = Random::new(seed);
    (0..count).map(|_| random.around(1.0)).collect()
}

/// Sums what an operation gives, weighed by chance, so that every number of it counts.
fn weighed(out: &Tensor) -> Tensor {
    let weights = Tensor::from_vec(some(out.elem_count(), 99), out.shape(), &Device::Cpu).unwrap();
    (out * weights).unwrap().sum_all().unwrap()
}

/// Compares derivatives with what a small change of each number changes.
fn check(shapes: &[&[usize]], operation: impl Fn(&[Tensor]) -> Tensor) {
    let numbers: Vec<Vec<f32>> =
        shapes.iter().zip(1..).map(|(shape, seed)| some(shape.iter().product(), seed)).collect();
    let tensors = |numbers: &[Vec<f32>]| -> Vec<Tensor> {
        let all = numbers.iter().zip(shapes);
        all.map(|(n, shape)| Tensor::from_slice(n, *shape, &Device::Cpu).unwrap()).collect()
    };
    let variables: Vec<Var> = tensors(&numbers).iter().map(|t| Var::from_tensor(t).unwrap()).collect();
    let inner: Vec<Tensor> = variables.iter().map(|v| v.as_tensor().clone()).collect();
    let gradients = weighed(&operation(&inner)).backward().unwrap();
    for (which, tensor) in inner.iter().enumerate() {
        let gradient = gradients.get(tensor).unwrap().flatten_all().unwrap().to_vec1::<f32>().unwrap();
        for (at, gradient) in gradient.iter().enumerate() {
            let value = |change: f32| {
                let mut numbers = numbers.clone();
                numbers[which][at] += change;
                weighed(&operation(&tensors(&numbers))).to_scalar::<f32>().unwrap()
            };
            let measured = (value(5e-3) - value(-5e-3)) / 1e-2;
            let allowed = 4e-3 + 0.02 * gradient.abs();
            assert!((measured - gradient).abs() < allowed, "{which} at {at}: {measured} is not {gradient}");
        }
    }
}

#[test]
fn the_lstm_knows_its_derivatives() {
    let steps = Arc::new(Steps::new(vec![4, 3, 1]));
    check(&[&[8, 24], &[6, 12], &[24]], |t| lstm(&steps, &t[0], &t[1], &t[2]).unwrap());
}

#[test]
fn the_random_field_knows_its_derivatives() {
    let steps = Arc::new(Steps::new(vec![4, 2]));
    let states = Arc::new(vec![1, 0, 2, 3, 0, 3]);
    check(&[&[6, 5], &[5, 5]], |t| improbability(&steps, &t[0], &t[1], states.clone()).unwrap());
}

#[test]
fn small_operations_know_their_derivatives() {
    let neighbours = Arc::new(Neighbours {
        before: vec![None, Some(0), None, Some(2)],
        after: vec![Some(1), None, Some(3), None],
    });
    check(&[&[4, 3]], |t| with_neighbours(&t[0], &neighbours).unwrap());
    let groups = Arc::new(vec![0..3, 3..4]);
    check(&[&[4, 3]], |t| largest(&t[0], &groups).unwrap());
    check(&[&[4, 3], &[3]], |t| add_bias(&t[0], &t[1]).unwrap());
    let truth = Arc::new(vec![true, false, false, true]);
    check(&[&[4, 1]], |t| cross_entropy(&t[0], truth.clone()).unwrap());
}

/// A line gets the same states whatever lines are read with it.
#[test]
fn lines_do_not_see_each_other() {
    let (hidden, width) = (3, 24);
    let rows = some(8 * width, 1);
    let (recurrent, bias) = (some(2 * hidden * 4 * hidden, 2), some(width, 3));
    let run = |lengths: Vec<usize>, rows: Vec<f32>| {
        let steps = Arc::new(Steps::new(lengths));
        let rows = Tensor::from_vec(rows, (steps.count(), width), &Device::Cpu).unwrap();
        let recurrent = Tensor::from_slice(&recurrent, (2 * hidden, 4 * hidden), &Device::Cpu).unwrap();
        let bias = Tensor::from_slice(&bias, width, &Device::Cpu).unwrap();
        lstm(&steps, &rows, &recurrent, &bias).unwrap().to_vec2::<f32>().unwrap()
    };
    let together = run(vec![4, 3, 1], rows.clone());
    let steps = Steps::new(vec![4, 3, 1]);
    for line in 0..3 {
        let own = steps.rows_of(line);
        let alone: Vec<f32> = own.iter().flat_map(|r| &rows[r * width..(r + 1) * width]).copied().collect();
        for (row, alone) in own.iter().zip(run(vec![own.len()], alone)) {
            assert!(together[*row].iter().zip(alone).all(|(a, b)| (a - b).abs() < 1e-5));
        }
    }
}

fn example(name: &str, town: &str) -> Example {
    let text = format!("Nombre: {name}.\nLocalidad: {town}.\n\nSin alergias conocidas, presenta fiebre.\n");
    let place = 8 + name.len() + 2 + "Localidad: ".len();
    let entities = vec![
        (Span::new(8, 8 + name.len()), "NAME".to_owned()),
        (Span::new(place, place + town.len()), "TOWN".to_owned()),
    ];
    Example { document: Document::plain("d", text), layers: Layers::default(), entities }
}

fn notes() -> Vec<Example> {
    let names = ["Ana Ruiz", "Luis Vega", "Eva Soler", "Juan Prats", "Marta Gil", "Pedro Sanz", "Sara Mora"];
    let towns = ["Metz", "Vigo", "Lugo", "Soria", "Teruel", "Murcia", "Huesca"];
    names.iter().zip(towns).map(|(name, town)| example(name, town)).collect()
}

fn small() -> Options {
    let sizes = Sizes {
        word: 12,
        character: 8,
        character_filters: 8,
        hidden: 12,
        layers: 2,
        filters: 12,
        sensitivity: 8,
    };
    Options {
        language: Language::Spanish,
        sizes,
        epochs: 25,
        patience: 25,
        batch: 4,
        rate: 0.01,
        dropout: 0.1,
        ..Options::default()
    }
}

fn told(labeller: &NeuralLabeller, text: &str) -> Vec<(String, String)> {
    let document = Document::plain("d", text);
    let found = labeller.label(&document).unwrap();
    assert!(found.iter().all(|found| (0.0..=1.0).contains(&found.probability)));
    found
        .iter()
        .map(|Labelled { span, kind, .. }| (span.of(text).to_owned(), labeller.kinds()[*kind].clone()))
        .collect()
}

#[test]
fn learns_small_data_and_labels_the_same_when_opened_again() {
    let notes = notes();
    let mut epochs = Vec::new();
    let trained = train(&notes, &notes, &small(), |progress| {
        if let Progress::Epoch(epoch) = progress {
            epochs.push(epoch);
        }
    })
    .unwrap();
    assert_eq!((epochs.len(), trained.left_out), (25, 0));
    assert!(epochs[24].loss < epochs[0].loss / 5.0, "{epochs:?}");
    assert!(epochs.iter().any(|epoch| epoch.f1 == Some(1.0)), "{epochs:?}");
    assert!(is_neural(&trained.bytes));
    let (one, other) =
        (NeuralLabeller::open(&trained.bytes).unwrap(), NeuralLabeller::open(&trained.bytes).unwrap());
    assert_eq!(one.language(), Language::Spanish);
    let pair = |a: &str, b: &str| (a.to_owned(), b.to_owned());
    let unseen = "Nombre: Elena Pons.\nLocalidad: Zamora.\n";
    assert_eq!(told(&one, unseen), [pair("Elena Pons", "NAME"), pair("Zamora", "TOWN")]);
    assert_eq!(told(&one, unseen), told(&other, unseen));
    // What is no name is left alone, as is nothing at all.
    assert!(told(&one, "Sin alergias conocidas, presenta fiebre.\n").is_empty());
    assert!(told(&one, "").is_empty() && told(&one, "\n \n\t\n").is_empty());
    // Many documents at once are labelled as each alone.
    let documents: Vec<&Document> = notes.iter().map(|note| &note.document).collect();
    let together = one.label_all(&documents).unwrap();
    for (document, together) in documents.into_iter().zip(together) {
        let alone = one.label(document).unwrap();
        let same = |(a, b): (&Labelled, &Labelled)| {
            a.span == b.span && a.kind == b.kind && (a.probability - b.probability).abs() < 1e-3
        };
        assert!(alone.len() == together.len() && alone.iter().zip(&together).all(same));
    }
    // Long lines and long words.
    told(&one, &format!("{} {}", "palabra ".repeat(3000), "x".repeat(10_000)));
}

#[test]
fn the_same_seed_gives_the_same_file() {
    let notes = notes();
    let options = Options { epochs: 2, ..small() };
    let bytes = |options: &Options| train(&notes, &[], options, |_| ()).unwrap().bytes;
    assert!(bytes(&options) == bytes(&options));
    assert!(bytes(&options) != bytes(&Options { seed: 2, ..options }));
}

#[test]
fn refuses_what_is_damaged_newer_or_none_of_ours() {
    let bytes = train(&notes(), &[], &Options { epochs: 1, ..small() }, |_| ()).unwrap().bytes;
    let refused = |bytes: &[u8]| NeuralLabeller::open(bytes).unwrap_err().to_string();
    for at in [21, 300, bytes.len() / 2, bytes.len() - 1] {
        let mut broken = bytes.clone();
        broken[at] ^= 1;
        assert!(refused(&broken).contains("damaged"), "{at}");
    }
    assert!(refused(&bytes[..bytes.len() - 4]).contains("damaged"));
    assert!(refused(&bytes[..12]).contains("damaged"));
    let mut newer = bytes.clone();
    newer[8] = 2;
    assert!(refused(&newer).contains("version 2"));
    assert!(refused(b"RETLABEL").contains("not a reticent neural NER model"));
    assert!(refused(b"").contains("not a reticent neural NER model"));
}

/// Whatever is changed, even with a checksum that holds, gives an error or a labeller that works.
#[test]
fn changed_files_are_refused_or_work() {
    let bytes = train(&notes(), &[], &Options { epochs: 1, ..small() }, |_| ()).unwrap().bytes;
    let bad = b"0123456789\",:[]{}\xff\x00\x7f";
    let mut random = Random::new(7);
    for _ in 0..400 {
        let mut changed = bytes.clone();
        // Mostly what the file says of itself, which stands at its beginning.
        let end = if random.below(4) == 0 { bytes.len() } else { 4000.min(bytes.len()) };
        for _ in 0..=random.below(3) {
            changed[20 + random.below(end - 20)] = bad[random.below(bad.len())];
        }
        let checksum = crate::label::table::hash(&changed[20..]).to_le_bytes();
        changed[12..20].copy_from_slice(&checksum);
        if let Ok(labeller) = NeuralLabeller::open(&changed) {
            let _ = labeller.label(&Document::plain("d", "Nombre: Ana Ruiz. \u{1F600}"));
        }
    }
}

#[test]
fn refuses_data_with_nothing_to_learn() {
    let plain = Example { entities: Vec::new(), ..example("Ana", "Metz") };
    assert!(train(&[plain], &[], &small(), |_| ()).is_err());
    assert!(train(&[], &[], &small(), |_| ()).is_err());
    let vectors = WordVectors { words: vec!["a".to_owned()], dimension: 4, rows: vec![0.0; 3] };
    let options = Options { vectors: Some(vectors), ..small() };
    assert!(train(&notes(), &[], &options, |_| ()).is_err());
}

#[test]
fn takes_vectors_as_they_are() {
    let words = ["nombre", "localidad", "Vega", "vega", "fiebre"].map(str::to_owned).to_vec();
    let vectors = WordVectors { dimension: 6, rows: some(30, 5), words };
    let options = Options { vectors: Some(vectors), ..small() };
    let trained = train(&notes(), &[], &options, |_| ()).unwrap();
    let labeller = NeuralLabeller::open(&trained.bytes).unwrap();
    assert_eq!(told(&labeller, "Localidad: Zamora.\n"), [("Zamora".to_owned(), "TOWN".to_owned())]);
}

#[test]
fn long_lines_are_cut_after_sentences() {
    let words: Vec<&str> = "uno dos tres cuatro . Luego".split(' ').cycle().take(600).collect();
    let cut = lines::pieces(&words);
    assert!(cut.iter().all(|piece| piece.len() <= 50), "{cut:?}");
    assert_eq!(cut.iter().map(ExactSizeIterator::len).sum::<usize>(), 600);
    assert!(cut[..cut.len() - 1].iter().all(|piece| words[piece.end - 1] == "."));
    assert_eq!(lines::pieces(&["a"; 450]), [0..200, 200..400, 400..450]);
    assert!(lines::pieces(&[]).is_empty());
    // An abbreviation ends no sentence.
    let names: Vec<&str> = "Dr . Gil".split(' ').cycle().take(120).collect();
    assert_eq!(lines::pieces(&names).len(), 1);
}
