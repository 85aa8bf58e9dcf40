//! The rank of the true subject, by several attacks.

use super::{Attack, PublicKnowledge, Target};
use crate::Error;
use crate::evaluate::share;

/// Scores that differ by no more are equal: sums of floats depend on their order.
const EQUAL: f64 = 1e-12;

/// Where true subjects rank among all candidates, for one attack.
///
/// A candidate with the same score as the true subject counts half a rank: an adversary who cannot tell them apart guesses.
#[derive(Clone, Debug, PartialEq)]
pub struct MethodRanks {
    /// Its name.
    pub method: &'static str,
    /// The rank of the true subject of each text, from 1.
    pub ranks: Vec<f64>,
}

impl MethodRanks {
    /// The share of texts whose subject is among the first so many candidates.
    pub fn at(&self, most: u32) -> f64 {
        share(self.ranks.iter().filter(|rank| **rank <= f64::from(most)).count(), self.ranks.len())
    }

    /// The median rank (of two in the middle, the higher).
    pub fn median(&self) -> f64 {
        let mut ranks = self.ranks.clone();
        ranks.sort_by(f64::total_cmp);
        ranks.get(ranks.len() / 2).copied().unwrap_or(0.0)
    }
}

/// Ranks by several attacks on the same texts.
#[derive(Clone, Debug, PartialEq)]
pub struct RankReport {
    /// Number of released texts.
    pub documents: usize,
    /// Number of candidates.
    pub candidates: usize,
    /// Ranks by each attack, in the order given.
    pub methods: Vec<MethodRanks>,
    /// The share of texts whose subject at least one attack ranks first, alone.
    pub any: f64,
}

/// Ranks the true subject of each released text by each attack.
pub fn rank(
    attacks: &[&dyn Attack],
    public: &PublicKnowledge,
    targets: &[Target],
) -> Result<RankReport, Error> {
    let mut methods = Vec::with_capacity(attacks.len());
    for attack in attacks {
        let mut ranks = Vec::with_capacity(targets.len());
        for target in targets {
            let scores = attack
                .scores(&target.text)
                .map_err(|error| error.in_document(format!("row {}", target.row)))?;
            ranks.push(rank_of(&scores, target.candidate));
        }
        methods.push(MethodRanks { method: attack.name(), ranks });
    }
    let is_first = |at: usize| methods.iter().any(|method| method.ranks[at] <= 1.0);
    let any = share((0..targets.len()).filter(|at| is_first(*at)).count(), targets.len());
    Ok(RankReport { documents: targets.len(), candidates: public.candidates().len(), methods, any })
}

/// The rank of one candidate; others with the same score count half.
fn rank_of(scores: &[f64], candidate: usize) -> f64 {
    let own = scores[candidate];
    let ahead = scores.iter().filter(|score| **score > own + EQUAL).count();
    let equal = scores.iter().filter(|score| (*score - own).abs() <= EQUAL).count();
    1.0 + ahead as f64 + (equal as f64 - 1.0) / 2.0
}

#[cfg(test)]
#[allow(clippy::float_cmp)]
mod tests {
    use super::super::{Scheme, TermRetrieval, read_targets};
    use super::*;

    #[test]
    fn equal_candidates_count_half_a_rank() {
        assert_eq!(rank_of(&[3.0, 2.0, 2.0, 2.0, 1.0], 0), 1.0);
        assert_eq!(rank_of(&[3.0, 2.0, 2.0, 2.0, 1.0], 2), 3.0);
        assert_eq!(rank_of(&[3.0, 2.0, 2.0 + 1e-13, 1.0], 1), 2.5);
        assert_eq!(rank_of(&[3.0, 2.0, 2.0 + 1e-11, 1.0], 1), 3.0);
        assert_eq!(rank_of(&[0.0; 4], 3), 2.5);
    }

    #[test]
    fn any_attack_that_ranks_the_subject_first_counts() {
        let public = PublicKnowledge::read(
            "{\"entity\":\"Ana\",\"text\":\"violinist Metz\"}\n{\"entity\":\"Ben\",\"text\":\"baker Cork\"}\n{\"entity\":\"Eve\",\"text\":\"chess Rome\"}",
        )
        .unwrap();
        let released = "{\"entity\":\"Ana\",\"text\":\"violinists\"}\n{\"entity\":\"Ben\",\"text\":\"[CORK] xyz\"}\n{\"entity\":\"Eve\",\"text\":\"Rome\"}";
        let targets = read_targets(released, "text", &public).unwrap();
        let (words, letters) =
            (TermRetrieval::new(&public, Scheme::Words), TermRetrieval::new(&public, Scheme::Letters));
        let report = rank(&[&words, &letters], &public, &targets).unwrap();
        assert_eq!((report.documents, report.candidates, report.any), (3, 3, 2.0 / 3.0));
        let [words, letters] = &report.methods[..] else { panic!("two methods") };
        assert_eq!((words.method, &words.ranks[..]), ("words", &[2.0, 2.0, 1.0][..]));
        assert_eq!((letters.method, &letters.ranks[..]), ("letters", &[1.0, 2.0, 1.0][..]));
        assert_eq!((words.at(1), words.at(5), words.median(), letters.median()), (1.0 / 3.0, 1.0, 2.0, 1.0));
    }
}
