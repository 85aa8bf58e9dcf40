//! Chance and tables: random numbers, terms drawn by frequency, the sigmoid.

/// Random numbers that are the same for the same seed (`SplitMix64`).
#[derive(Clone)]
pub(in crate::embedding) struct Random(u64);

impl Random {
    pub(in crate::embedding) fn new(seed: u64) -> Self {
        Self(seed)
    }

    pub(in crate::embedding) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// From zero up to, but not, `bound`.
    pub(in crate::embedding) fn below(&mut self, bound: u32) -> u32 {
        #[allow(clippy::cast_possible_truncation)]
        let number = (((self.next() >> 32) * u64::from(bound)) >> 32) as u32;
        number
    }

    /// From zero up to, but not, one.
    pub(in crate::embedding) fn unit(&mut self) -> f32 {
        (self.next() >> 40) as f32 / (1u32 << 24) as f32
    }
}

/// Draws terms as often as their count to the power of 3/4 (Vose's alias method: one look for each).
pub(in crate::embedding) struct Sampler {
    /// For each place: how likely it stands for itself, and for whom else.
    places: Vec<(f32, u32)>,
}

impl Sampler {
    pub(in crate::embedding) fn new(counts: &[u64]) -> Self {
        let weights: Vec<f64> = counts.iter().map(|count| (*count as f64).powf(0.75)).collect();
        let mean = weights.iter().sum::<f64>() / weights.len().max(1) as f64;
        let mean = if mean > 0.0 { mean } else { 1.0 };
        let mut shares: Vec<f64> = weights.iter().map(|weight| weight / mean).collect();
        let (mut small, mut large): (Vec<u32>, Vec<u32>) =
            (0u32..).take(shares.len()).partition(|at| shares[*at as usize] < 1.0);
        let mut places: Vec<(f32, u32)> = (0u32..).take(shares.len()).map(|at| (1.0, at)).collect();
        while let (Some(few), Some(&many)) = (small.pop(), large.last()) {
            #[allow(clippy::cast_possible_truncation)]
            let share = shares[few as usize] as f32;
            places[few as usize] = (share, many);
            shares[many as usize] -= 1.0 - shares[few as usize];
            if shares[many as usize] < 1.0 {
                large.pop();
                small.push(many);
            }
        }
        Self { places }
    }

    /// A term, drawn by chance. There must be one.
    pub(in crate::embedding) fn draw(&self, random: &mut Random) -> u32 {
        #[allow(clippy::cast_possible_truncation)]
        let at = random.below(self.places.len() as u32);
        let (itself, other) = self.places[at as usize];
        if random.unit() < itself { at } else { other }
    }
}

const LIMIT: f32 = 6.0;
const STEPS: usize = 1024;

/// 1 / (1 + e^-x), from a table between -6 and 6 and flat outside, as word2vec has it.
pub(in crate::embedding) struct Sigmoid(Vec<f32>);

impl Sigmoid {
    pub(in crate::embedding) fn new() -> Self {
        let at = |step: usize| ((step as f32 + 0.5) / STEPS as f32 * 2.0 - 1.0) * LIMIT;
        Self((0..STEPS).map(|step| 1.0 / (1.0 + (-at(step)).exp())).collect())
    }

    #[inline]
    pub(in crate::embedding) fn at(&self, x: f32) -> f32 {
        if x >= LIMIT {
            return 1.0;
        }
        if x <= -LIMIT {
            return 0.0;
        }
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
        let step = ((x + LIMIT) * (STEPS as f32 / LIMIT / 2.0)) as usize;
        self.0[step.min(STEPS - 1)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn draws_by_frequency() {
        let counts = [81, 16, 1, 0];
        let sampler = Sampler::new(&counts);
        let mut random = Random::new(1);
        let mut drawn = [0u32; 4];
        for _ in 0..36_000 {
            drawn[sampler.draw(&mut random) as usize] += 1;
        }
        for (drawn, expected) in drawn.into_iter().zip([27_000, 8_000, 1_000, 0u32]) {
            assert!(drawn.abs_diff(expected) <= expected / 10, "{drawn} {expected}");
        }
    }

    #[test]
    fn the_sigmoid_is_near() {
        let sigmoid = Sigmoid::new();
        for step in -80i16..=80 {
            let x = f32::from(step) / 10.0;
            assert!((sigmoid.at(x) - 1.0 / (1.0 + (-x).exp())).abs() < 4e-3, "{x}");
        }
        assert!((0.0..=1.0).contains(&sigmoid.at(f32::NAN)));
    }

    #[test]
    fn random_numbers_stay_below() {
        let mut random = Random::new(7);
        assert!((0..1000).all(|_| random.below(10) < 10 && (0.0..1.0).contains(&random.unit())));
    }
}
