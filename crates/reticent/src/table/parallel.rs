//! Work on many items, on several threads, with results in order.

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::person::error;
use crate::Error;

/// Does the work on each, on so many threads; what comes of it is in order. The first failure, in order, is that of
/// all of it.
pub(crate) fn in_order<T: Sync, R: Send>(
    items: &[T],
    threads: usize,
    work: impl Fn(&T) -> Result<R, Error> + Sync,
) -> Result<Vec<R>, Error> {
    const BLOCK: usize = 64;
    if threads < 2 || items.len() <= BLOCK {
        return items.iter().map(work).collect();
    }
    let (next, done) = (AtomicUsize::new(0), Mutex::new(BTreeMap::new()));
    let panicked = || error("refused because of an internal error");
    std::thread::scope(|scope| {
        let start = || {
            scope.spawn(|| {
                loop {
                    let block = next.fetch_add(1, Ordering::Relaxed);
                    let Some(rest) = items.get(block * BLOCK..).filter(|rest| !rest.is_empty()) else {
                        break;
                    };
                    let results: Vec<Result<R, Error>> = rest.iter().take(BLOCK).map(&work).collect();
                    if let Ok(mut done) = done.lock() {
                        done.insert(block, results);
                    }
                }
            })
        };
        let threads: Vec<_> = (0..threads).map(|_| start()).collect();
        // A panic refuses the table.
        threads.into_iter().try_for_each(|thread| thread.join().map_err(|_| panicked()))
    })?;
    let done = done.into_inner().map_err(|_| panicked())?;
    done.into_values().flatten().collect()
}
