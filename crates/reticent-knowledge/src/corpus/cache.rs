//! Sets of units that were looked up before, by term.

use std::hash::BuildHasher;
use std::sync::{Arc, PoisonError, RwLock};

use roaring::RoaringBitmap;
use rustc_hash::{FxBuildHasher, FxHashMap};

const SHARDS: usize = 16;
/// How much a shard may hold before it is emptied: 256 MB in all.
const MOST_BYTES: usize = (256 << 20) / SHARDS;
/// Longer terms are asked for once if at all.
const LONGEST: usize = 256;
/// What an entry costs beside its set and its term.
const OVERHEAD: usize = 128;

/// Remembers sets, up to a limit, for many threads at once.
#[derive(Default)]
pub(super) struct Cache {
    shards: [RwLock<Shard>; SHARDS],
}

#[derive(Default)]
struct Shard {
    sets: FxHashMap<Box<str>, Arc<RoaringBitmap>>,
    bytes: usize,
}

impl Cache {
    pub(super) fn get(&self, term: &str) -> Option<Arc<RoaringBitmap>> {
        let shard = self.shard(term).read().unwrap_or_else(PoisonError::into_inner);
        shard.sets.get(term).cloned()
    }

    pub(super) fn put(&self, term: &str, set: &Arc<RoaringBitmap>) {
        let bytes = set.serialized_size() + term.len() + OVERHEAD;
        if term.len() > LONGEST || bytes > MOST_BYTES {
            return;
        }
        let mut shard = self.shard(term).write().unwrap_or_else(PoisonError::into_inner);
        if shard.bytes + bytes > MOST_BYTES {
            *shard = Shard::default();
        }
        if shard.sets.insert(term.into(), Arc::clone(set)).is_none() {
            shard.bytes += bytes;
        }
    }

    fn shard(&self, term: &str) -> &RwLock<Shard> {
        // The high bits: the low ones choose the place within the shard.
        &self.shards[(FxBuildHasher.hash_one(term) >> 60) as usize % SHARDS]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn remembers_and_stays_within_its_limit() {
        let cache = Cache::default();
        let set = Arc::new((0..50_000).step_by(2).collect::<RoaringBitmap>());
        cache.put("first", &set);
        assert_eq!(cache.get("first").as_deref(), Some(&*set));
        assert!(cache.get("second").is_none());
        cache.put(&"x".repeat(10_000), &set);
        assert!(cache.get(&"x".repeat(10_000)).is_none());
        let most = MOST_BYTES * SHARDS / set.serialized_size();
        for number in 0..2 * most {
            cache.put(&format!("term {number}"), &set);
        }
        let held: usize = cache.shards.iter().map(|shard| shard.read().unwrap().sets.len()).sum();
        assert!(held > 0 && held <= most);
    }
}
