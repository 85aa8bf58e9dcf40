//! Rows of gold, predictions, scores, points, released and public texts: any text is read or refused, errors tell none of it,
//! and figures are shares.
#![no_main]

use reticent::attack::{Attack, PublicKnowledge, Scheme, SentenceClassifier, TermRetrieval, read_targets, run};
use reticent::evaluate::{
    Thresholds, WordWeights, frontier, read_originals, read_points, read_released, read_rows, read_tab,
    score_conll, score_spans, sweep, word_utility,
};

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    let Ok(all) = std::str::from_utf8(data) else { return };
    let (one, other) = all.split_once('\0').unwrap_or((all, all));
    let share = |value: f64| assert!((0.0..=1.0).contains(&value), "{value}");
    for (gold, found) in [(read_rows(one, None), read_rows(other, None)), (read_tab(one), read_tab(other))] {
        let (Ok(gold), Ok(found)) = (gold, found) else { continue };
        if let Ok(report) = score_spans(&gold, &found) {
            report.scores.figures().iter().take(6).for_each(|(_, value)| share(*value));
            assert_eq!(report.documents.len(), gold.len());
        }
        if let Ok(sweep) = sweep(&gold, &found, Thresholds { from: -1.0, to: 1.0, step: 0.5 }) {
            assert!(sweep.points.is_sorted_by(|a, b| a.spans >= b.spans));
            sweep.plot("t").svg();
        }
    }
    if let Ok(mut points) = read_points(one, ("utility", "attack")) {
        frontier(&mut points, "t").svg();
    }
    if let Ok(accuracy) = score_conll(one, other) {
        share(accuracy.f1);
    }
    if let (Ok(original), Ok(released)) = (read_originals(one), read_released(other, "text")) {
        let mut weights = WordWeights::default();
        weights.add(one);
        weights.add(other);
        if let Ok(utility) = word_utility(&original, &released, &weights) {
            // Sums are rounded.
            assert!((0.0..=1.000_001).contains(&utility.kept));
        }
    }
    let Ok(public) = PublicKnowledge::read(one) else { return };
    let Ok(targets) = read_targets(other, "text", &public) else { return };
    let classifier = SentenceClassifier::train(&public).expect("few candidates are not too many");
    for attack in [&TermRetrieval::new(&public, Scheme::TfIdf) as &dyn Attack, &classifier] {
        let report = run(attack, &public, &targets, 3).expect("texts can be attacked");
        assert!(report.rows.iter().all(|row| (1..=report.candidates).contains(&row.rank)));
    }
});
