use super::super::lattice::best;
use super::*;

/// Tokens that show a number; 1 begins kind 0, and 2 after it goes on.
fn toy() -> Vec<Sequence> {
    let of = |shown: &[u64], states: &[u8]| Sequence {
        features: shown.to_vec(),
        ends: (1..=u32::try_from(shown.len()).unwrap()).collect(),
        states: states.to_vec(),
    };
    vec![of(&[9, 1, 2, 9], &[0, 1, 2, 0]), of(&[1, 9, 2], &[1, 0, 0]), of(&[2, 9, 1, 2, 2], &[0, 0, 1, 2, 2])]
}

fn predict(weights: &Weights, sequence: &Sequence) -> Vec<u8> {
    let mut scores = Vec::new();
    for hash in &sequence.features {
        let mut row = vec![0.0; weights.states];
        if let Ok(at) = weights.features.binary_search_by_key(hash, |(hash, _)| *hash) {
            weights.features[at].1.iter().for_each(|(state, weight)| row[usize::from(*state)] += weight);
        }
        scores.extend(row);
    }
    best(&scores, &Transitions::new(weights.states, &weights.transitions))
}

#[test]
fn learns_what_only_the_order_tells() {
    let scheme = Scheme::new(["NAME".to_owned()]).unwrap();
    for (l1, start) in [(0.0, 0), (0.0, 3), (0.01, 0)] {
        let options = Options { l1, l2: 0.01, start, ..Options::default() };
        let weights = train(&toy(), &scheme, &options, |_, _| {});
        for sequence in toy() {
            assert_eq!(predict(&weights, &sequence), sequence.states);
        }
    }
}

#[test]
fn features_that_show_together_learn_as_if_alone() {
    // Every number shows with a twin, and one with two.
    let twins = |sequence: &Sequence| Sequence {
        features: sequence
            .features
            .iter()
            .flat_map(|f| [*f, f + 100, if *f == 1 { 201 } else { 0 }])
            .collect(),
        ends: sequence.ends.iter().map(|end| end * 3).collect(),
        states: sequence.states.clone(),
    };
    let sequences: Vec<Sequence> = toy().iter().map(twins).collect();
    let options =
        Options { stop: Stop { iterations: 400, period: 10, tolerance: 1e-12 }, ..Options::default() };
    let solve = |together| {
        let data = Data::new(&sequences, 3, 1, together);
        let parts = parts(&data);
        let slots: Vec<_> = (0..PARTS).map(|_| Mutex::new(Part::new(&data))).collect();
        let mut x = start(&data, 0);
        minimize(&mut x, 0.0, options.stop, |x, g| value(&data, &parts, &slots, x, g, &options), |_, _| {});
        (data.hashes.len(), weights(&data, &x))
    };
    let ((few, one), (many, other)) = (solve(true), solve(false));
    assert!(few < many);
    for ((hash, own), (other_hash, other)) in one.features.iter().zip(&other.features) {
        assert_eq!(hash, other_hash);
        for ((state, weight), (other_state, other)) in own.iter().zip(other) {
            assert!(state == other_state && (weight - other).abs() < 1e-2, "{hash} {weight} {other}");
        }
    }
}

#[test]
fn a_repeated_feature_learns_as_its_copies_would() {
    let shown = |others: [u64; 2]| -> Vec<Sequence> {
        let of = |sequence: &Sequence| Sequence {
            features: sequence
                .features
                .iter()
                .flat_map(|f| [f + 300, *f, f + others[0], f + others[1]])
                .collect(),
            ends: sequence.ends.iter().map(|end| end * 4).collect(),
            states: sequence.states.clone(),
        };
        toy().iter().map(of).collect()
    };
    let scheme = Scheme::new(["NAME".to_owned()]).unwrap();
    let options =
        Options { stop: Stop { iterations: 400, period: 10, tolerance: 1e-12 }, ..Options::default() };
    let (repeated, copied) = (shown([0, 0]), shown([100, 200]));
    let [repeated, copied] = [&repeated, &copied].map(|data| train(data, &scheme, &options, |_, _| {}));
    let weight = |weights: &Weights, feature: u64| -> f32 {
        let at = weights.features.binary_search_by_key(&feature, |(hash, _)| *hash).unwrap();
        weights.features[at].1.iter().find(|(state, _)| *state == 1).unwrap().1
    };
    let together: f32 = [1, 101, 201].map(|copy| weight(&copied, copy)).iter().sum();
    assert!((weight(&repeated, 1) - together).abs() < 1e-2, "{} {together}", weight(&repeated, 1));
    assert!(weight(&repeated, 1) > 2.0 * weight(&repeated, 301));
}

#[test]
fn threads_do_not_change_the_result() {
    let scheme = Scheme::new(["NAME".to_owned()]).unwrap();
    let learn = |threads| train(&toy(), &scheme, &Options { threads, ..Options::default() }, |_, _| {});
    assert_eq!(learn(1).transitions, learn(4).transitions);
    assert_eq!(learn(1).features, learn(4).features);
}

#[test]
fn the_gradient_is_that_of_the_value() {
    let data = Data::new(&toy(), 3, 1, true);
    let parts = parts(&data);
    let slots: Vec<_> = (0..PARTS).map(|_| Mutex::new(Part::new(&data))).collect();
    let options = Options::default();
    let x: Vec<f64> = (0..data.size()).map(|at| (at as f64 * 0.37).sin()).collect();
    let mut gradient = vec![0.0; data.size()];
    value(&data, &parts, &slots, &x, &mut gradient, &options);
    for at in 0..data.size() {
        let at_side = |by: f64| {
            let mut x = x.clone();
            x[at] += by;
            value(&data, &parts, &slots, &x, &mut vec![0.0; data.size()], &options)
        };
        let slope = (at_side(1e-2) - at_side(-1e-2)) / 2e-2;
        assert!((slope - gradient[at]).abs() < 2e-3, "{at}: {slope} {}", gradient[at]);
    }
}
