//! Sentences that are longer than the model can read, cut into windows that overlap by half; and windows
//! of like length put together.

use std::ops::Range;

/// So many pieces are read at once, the filling of shorter windows included: enough to keep all cores
/// busy, and little memory.
const BATCH: usize = 2_048;

/// Where windows of `room` pieces begin, so that they cover all pieces.
pub(super) fn starts(pieces: usize, room: usize) -> Vec<usize> {
    let last = pieces.saturating_sub(room);
    let mut starts: Vec<usize> = (0..last).step_by((room / 2).max(1)).collect();
    starts.push(last);
    starts
}

/// From which window each piece of a term is read: all from the one in whose middle the term lies best;
/// where the term is too long for that, each piece from the one that suits it.
pub(super) fn places(starts: &[usize], room: usize, term: Range<usize>) -> Vec<(usize, usize)> {
    if let Some(window) = around(starts, room, &term) {
        return term.map(|piece| (window, piece)).collect();
    }
    term.filter_map(|piece| Some((around(starts, room, &(piece..piece + 1))?, piece))).collect()
}

/// The window that holds all of these pieces, with the most even share of words on both sides.
fn around(starts: &[usize], room: usize, term: &Range<usize>) -> Option<usize> {
    let best = usize::midpoint(term.start, term.end).saturating_sub(room / 2);
    let after = starts.partition_point(|start| *start < best);
    let holds =
        |at: &usize| starts.get(*at).is_some_and(|start| *start <= term.start && term.end <= start + room);
    (after.saturating_sub(1)..=after).filter(holds).min_by_key(|at| starts[*at].abs_diff(best))
}

/// Windows by length, in batches that are not too large and in which none is more than twice as long as another; the
/// same for the same lengths.
pub(super) fn batches(lengths: &[usize]) -> Vec<Vec<usize>> {
    let mut order: Vec<usize> = (0..lengths.len()).collect();
    order.sort_by_key(|at| lengths[*at]);
    let mut batches: Vec<Vec<usize>> = Vec::new();
    for at in order {
        let fits = |batch: &Vec<usize>| {
            (batch.len() + 1) * lengths[at] <= BATCH && lengths[at] <= 2 * lengths[batch[0]]
        };
        match batches.last_mut() {
            Some(batch) if fits(batch) => batch.push(at),
            _ => batches.push(vec![at]),
        }
    }
    batches
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn short_sentences_are_not_cut() {
        assert_eq!(starts(0, 10), [0]);
        assert_eq!(starts(10, 10), [0]);
        assert_eq!(starts(11, 10), [0, 1]);
        assert_eq!(starts(23, 10), [0, 5, 10, 13]);
        assert_eq!(places(&[0], 10, 8..10), [(0, 8), (0, 9)]);
        assert_eq!(places(&[0], 10, 4..4), []);
    }

    #[test]
    fn a_term_has_words_around_it() {
        assert_eq!(places(&starts(23, 10), 10, 9..11), [(1, 9), (1, 10)]);
        assert_eq!(places(&starts(23, 10), 10, 22..23), [(3, 22)]);
    }

    #[test]
    fn batches_are_small_and_of_like_length() {
        let batches = batches(&[500, 3, 2_000, 500, 3, 5_000, 500, 500, 500]);
        assert_eq!(batches, [vec![1, 4], vec![0, 3, 6, 7], vec![8], vec![2], vec![5]]);
    }

    proptest! {
        #[test]
        fn no_piece_is_dropped(pieces in 1usize..300, room in 1usize..40, start in 0usize..300, length in 1usize..100) {
            let start = start % pieces;
            let term = start..(start + length).min(pieces);
            let starts = starts(pieces, room);
            prop_assert!(starts.windows(2).all(|pair| pair[0] < pair[1] && pair[1] - pair[0] <= (room / 2).max(1)));
            let places = places(&starts, room, term.clone());
            prop_assert_eq!(places.iter().map(|(_, piece)| *piece).collect::<Vec<_>>(), term.clone().collect::<Vec<_>>());
            for (window, piece) in &places {
                prop_assert!((starts[*window]..starts[*window] + room).contains(piece));
            }
            if term.len() <= room / 2 {
                prop_assert!(places.iter().all(|(window, _)| *window == places[0].0), "one window for a term");
            }
        }

        #[test]
        fn every_window_is_in_one_batch(lengths in prop::collection::vec(1usize..600, 0..80)) {
            let mut all: Vec<usize> = batches(&lengths).concat();
            all.sort_unstable();
            prop_assert_eq!(all, (0..lengths.len()).collect::<Vec<_>>());
        }
    }
}
