//! t-closeness (Li et al.).

use super::{Class, PrivacyModel};
use crate::Error;
use crate::table::person::{People, Sensitive, error};

/// How the values of a sensitive column are distributed in a class differs from the whole table by at most t:
/// by the earth mover's distance, over the line of the values if they have an order, else with all values
/// equally far from each other.
pub struct TCloseness {
    name: String,
    column: usize,
    ordered: bool,
    whole: Vec<f64>,
    t: f64,
}

impl TCloseness {
    pub(crate) fn new(
        name: &str,
        column: usize,
        values: &Sensitive,
        people: &People,
        t: f64,
    ) -> Result<Self, Error> {
        if !(0.0..=1.0).contains(&t) {
            return Err(error("t must be between 0 and 1"));
        }
        let everyone: Vec<u32> = (0..).take(people.count()).collect();
        let whole = shares(&Class::new(people, &everyone).counts(column));
        Ok(Self { name: name.to_owned(), column, ordered: values.ordered, whole, t })
    }
}

impl PrivacyModel for TCloseness {
    fn name(&self) -> String {
        format!("{}-closeness of `{}`", self.t, self.name)
    }

    fn allows(&self, class: &Class<'_>) -> bool {
        let counts = class.counts(self.column);
        // Nobody in the class has a value: nothing is told of them.
        if counts.iter().all(|count| *count == 0) {
            return true;
        }
        distance(&shares(&counts), &self.whole, self.ordered) <= self.t + 1e-9
    }
}

fn shares(counts: &[usize]) -> Vec<f64> {
    let all = counts.iter().sum::<usize>().max(1) as f64;
    counts.iter().map(|count| *count as f64 / all).collect()
}

fn distance(class: &[f64], whole: &[f64], ordered: bool) -> f64 {
    let differences = class.iter().zip(whole).map(|(one, other)| one - other);
    if !ordered {
        return differences.map(f64::abs).sum::<f64>() / 2.0;
    }
    let (mut moved, mut work) = (0.0, 0.0f64);
    for difference in differences {
        moved += difference;
        work += f64::abs(moved);
    }
    work / (class.len().max(2) - 1) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn earth_movers_distance_as_in_the_paper() {
        // Li et al., salaries 3k to 11k: {3k,4k,5k} is .375 away, {6k,8k,11k} .167.
        let whole = [1.0 / 9.0; 9];
        let class = |values: [usize; 3]| {
            let mut shares = [0.0; 9];
            for value in values {
                shares[value - 3] = 1.0 / 3.0;
            }
            shares
        };
        assert!((distance(&class([3, 4, 5]), &whole, true) - 0.375).abs() < 1e-3);
        assert!((distance(&class([6, 8, 11]), &whole, true) - 0.167).abs() < 1e-3);
        assert!((distance(&[1.0, 0.0], &[0.5, 0.5], false) - 0.5).abs() < 1e-12);
        assert!(distance(&whole, &whole, true) < 1e-12);
    }
}
