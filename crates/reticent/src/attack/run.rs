//! An attack carried out on all released texts.

use std::cmp::Ordering;

use super::{Attack, Clue, PublicKnowledge, Target};
use crate::Error;
use crate::evaluate::{mean, share};

/// The result of an attack.
#[derive(Clone, Debug, PartialEq)]
pub struct AttackReport {
    /// Its name.
    pub method: &'static str,
    /// The number of attacked texts.
    pub documents: usize,
    /// Among how many candidates.
    pub candidates: usize,
    /// The share of texts whose subject ranks first.
    pub reidentified: f64,
    /// The rank of the true subject in the middle (of two middles, the worse).
    pub median_rank: usize,
    /// The mean of those ranks.
    pub mean_rank: f64,
    /// Each text, in the order given.
    pub rows: Vec<Attacked>,
}

/// One released text after an attack.
#[derive(Clone, Debug, PartialEq)]
pub struct Attacked {
    /// In which row it stands.
    pub row: usize,
    /// Whom it is about.
    pub entity: String,
    /// Whom the attack takes it for.
    pub guess: String,
    /// The rank of the true subject, from 1.
    pub rank: usize,
    /// The score margin of the true subject over the best other candidate; negative if it is behind.
    pub lead: f64,
    /// The words with the highest weight for the true subject, against the best other candidate.
    pub clues: Vec<Clue>,
}

/// Lets an attack guess whom each text is about. At most so many clues are given for each.
///
/// Of candidates with the same score, the one whose name comes last in the alphabet ranks first, as in the
/// reference scorer.
pub fn run(
    attack: &dyn Attack,
    public: &PublicKnowledge,
    targets: &[Target],
    clues: usize,
) -> Result<AttackReport, Error> {
    let candidates = public.candidates();
    let mut rows = Vec::with_capacity(targets.len());
    for target in targets {
        let at = |error: Error| error.in_document(format!("row {}", target.row));
        let scores = attack.scores(&target.text).map_err(at)?;
        let better = |a: usize, b: usize| -> Ordering {
            scores[b].total_cmp(&scores[a]).then_with(|| candidates[b].name.cmp(&candidates[a].name))
        };
        let truth = target.candidate;
        let ahead = (0..candidates.len()).filter(|&other| better(other, truth) == Ordering::Less).count();
        let others = (0..candidates.len()).filter(|&other| other != truth);
        let other = others.min_by(|&a, &b| better(a, b)).unwrap_or(truth);
        let mut telling = attack.clues(&target.text, truth, other).map_err(at)?;
        telling.truncate(clues);
        rows.push(Attacked {
            row: target.row,
            entity: candidates[truth].name.clone(),
            guess: candidates[if ahead == 0 { truth } else { other }].name.clone(),
            rank: ahead + 1,
            lead: scores[truth] - scores[other],
            clues: telling,
        });
    }
    let mut ranks: Vec<usize> = rows.iter().map(|row| row.rank).collect();
    ranks.sort_unstable();
    let right = ranks.iter().filter(|rank| **rank == 1).count();
    Ok(AttackReport {
        method: attack.name(),
        documents: rows.len(),
        candidates: candidates.len(),
        reidentified: share(right, rows.len()),
        median_rank: ranks.get(ranks.len() / 2).copied().unwrap_or(0),
        mean_rank: mean(&ranks.iter().map(|rank| *rank as f64).collect::<Vec<f64>>()),
        rows,
    })
}

#[cfg(test)]
#[allow(clippy::float_cmp)]
mod tests {
    use super::super::{Scheme, TermRetrieval, read_targets};
    use super::*;

    #[test]
    fn ranks_and_ties_are_those_of_the_reference() {
        let public = PublicKnowledge::read(
            "{\"entity\":\"Ana\",\"text\":\"violin Metz\"}\n{\"entity\":\"Ben\",\"text\":\"bread Cork\"}\n{\"entity\":\"Eve\",\"text\":\"chess Rome\"}",
        )
        .unwrap();
        let released = "{\"entity\":\"Ana\",\"text\":\"plays the violin\"}\n{\"entity\":\"Ben\",\"text\":\"nothing\"}\n{\"entity\":\"Eve\",\"text\":\"nothing\"}\n{\"entity\":\"Eve\",\"text\":\"bread in Rome, bread\"}";
        let targets = read_targets(released, "text", &public).unwrap();
        let report = run(&TermRetrieval::new(&public, Scheme::TfIdf), &public, &targets, 1).unwrap();
        let ranks: Vec<usize> = report.rows.iter().map(|row| row.rank).collect();
        // Nobody is known by the second and third text: the last name of the alphabet is guessed.
        assert_eq!(ranks, [1, 2, 1, 2]);
        assert_eq!((report.reidentified, report.median_rank, report.mean_rank), (0.5, 2, 1.5));
        assert_eq!((report.rows[1].guess.as_str(), report.rows[1].lead), ("Eve", 0.0));
        assert_eq!((report.rows[3].guess.as_str(), report.rows[3].clues[0].words.as_str()), ("Ben", "rome"));
        assert!(report.rows[0].clues.len() == 1 && report.rows[1].clues.is_empty());
    }
}
