//! A hidden Markov chain over the sentences of one text.

/// How likely a sentence is to be as it is, if it is about one person. Only ratios matter.
pub(super) type Likelihood = f64;

/// How a text goes from sentence to sentence: it stays with a person, or goes to one of the others.
pub(super) struct Chain {
    /// How probable it is to stay.
    stays: f64,
}

/// Steps of expectation and maximization; few numbers are learnt, so that few are needed.
const STEPS: usize = 10;

impl Chain {
    /// Learns from a text how often it stays. Before anything is seen, staying is as probable as going.
    pub(super) fn learn(seen: &[Vec<Likelihood>]) -> Self {
        let mut chain = Self { stays: 0.5 };
        for _ in 0..STEPS {
            let (mut stayed, mut went) = (1.0, 1.0);
            let forward = chain.forward(seen);
            let backward = chain.backward(seen);
            for at in 1..seen.len() {
                let count = seen[at].len();
                let pair = |from: usize, to: usize| {
                    forward[at - 1][from] * chain.step(from, to, count) * seen[at][to] * backward[at][to]
                };
                let all: f64 = (0..count)
                    .flat_map(|from| (0..count).map(move |to| (from, to)))
                    .map(|(a, b)| pair(a, b))
                    .sum();
                let same: f64 = (0..count).map(|person| pair(person, person)).sum();
                if all > 0.0 {
                    stayed += same / all;
                    went += 1.0 - same / all;
                }
            }
            chain.stays = stayed / (stayed + went);
        }
        chain
    }

    /// How probable it is that each sentence is about each person.
    pub(super) fn probabilities(&self, seen: &[Vec<Likelihood>]) -> Vec<Vec<f64>> {
        let (forward, backward) = (self.forward(seen), self.backward(seen));
        forward
            .iter()
            .zip(&backward)
            .map(|(f, b)| scaled(f.iter().zip(b).map(|(f, b)| f * b).collect()))
            .collect()
    }

    /// How likely the whole text is, as a logarithm.
    pub(super) fn log_likelihood(&self, seen: &[Vec<Likelihood>]) -> f64 {
        let mut before: Option<Vec<f64>> = None;
        let mut sum = 0.0;
        for likelihoods in seen {
            let count = likelihoods.len();
            let next: Vec<f64> =
                (0..count).map(|to| self.arrive(before.as_deref(), to, count) * likelihoods[to]).collect();
            sum += next.iter().sum::<f64>().max(f64::MIN_POSITIVE).ln();
            before = Some(scaled(next));
        }
        sum
    }

    /// How probable it is to come to a person, from where the text is.
    fn arrive(&self, before: Option<&[f64]>, to: usize, count: usize) -> f64 {
        match before {
            Some(before) => (0..count).map(|from| before[from] * self.step(from, to, count)).sum(),
            None => 1.0 / count as f64,
        }
    }

    fn step(&self, from: usize, to: usize, count: usize) -> f64 {
        if from == to { self.stays } else { (1.0 - self.stays) / (count - 1).max(1) as f64 }
    }

    fn forward(&self, seen: &[Vec<Likelihood>]) -> Vec<Vec<f64>> {
        let mut out: Vec<Vec<f64>> = Vec::with_capacity(seen.len());
        for likelihoods in seen {
            let count = likelihoods.len();
            let before = out.last().map(Vec::as_slice);
            let next = (0..count).map(|to| self.arrive(before, to, count) * likelihoods[to]).collect();
            out.push(scaled(next));
        }
        out
    }

    fn backward(&self, seen: &[Vec<Likelihood>]) -> Vec<Vec<f64>> {
        let Some(last) = seen.last() else { return Vec::new() };
        let mut out = vec![vec![1.0; last.len()]];
        for likelihoods in seen[1..].iter().rev() {
            let count = likelihoods.len();
            let after = &out[out.len() - 1];
            let next = (0..count).map(|from| {
                (0..count).map(|to| self.step(from, to, count) * likelihoods[to] * after[to]).sum()
            });
            let next = scaled(next.collect());
            out.push(next);
        }
        out.reverse();
        out
    }
}

/// The same so that they sum up to 1; all alike if they are all zero.
fn scaled(mut numbers: Vec<f64>) -> Vec<f64> {
    let sum: f64 = numbers.iter().sum();
    let count = numbers.len() as f64;
    for number in &mut numbers {
        *number = if sum > 0.0 { *number / sum } else { 1.0 / count };
    }
    numbers
}

#[cfg(test)]
mod tests {
    use super::*;

    const FIRST: [f64; 2] = [0.98, 0.02];
    const OTHER: [f64; 2] = [0.02, 0.98];
    const EITHER: [f64; 2] = [0.5, 0.5];

    fn about_other(seen: &[[f64; 2]]) -> Vec<f64> {
        let seen: Vec<Vec<f64>> = seen.iter().map(|x| x.to_vec()).collect();
        Chain::learn(&seen).probabilities(&seen).iter().map(|p| p[1]).collect()
    }

    #[test]
    fn a_text_that_stays_goes_on_about_the_same() {
        let about = about_other(&[FIRST, FIRST, EITHER, FIRST, OTHER, OTHER, EITHER, OTHER]);
        assert!(about[2] < 0.2 && about[6] > 0.8, "{about:?}");
    }

    #[test]
    fn a_text_that_alternates_goes_on_alternating() {
        let about = about_other(&[FIRST, OTHER, FIRST, OTHER, EITHER, OTHER, FIRST, EITHER]);
        assert!(about[4] < 0.2 && about[7] > 0.7, "{about:?}");
    }

    #[test]
    fn without_any_sign_nothing_is_sure() {
        let about = about_other(&[EITHER, EITHER, EITHER]);
        assert!(about.iter().all(|p| (p - 0.5).abs() < 1e-9));
        assert!(about_other(&[]).is_empty());
    }

    #[test]
    fn long_texts_do_not_underflow() {
        let seen: Vec<[f64; 2]> = (0..10_000).map(|at| if at % 7 == 0 { OTHER } else { EITHER }).collect();
        assert!(about_other(&seen).iter().all(|p| p.is_finite() && (0.0..=1.0).contains(p)));
    }
}
