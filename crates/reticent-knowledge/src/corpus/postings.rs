//! Where a word stands: in which units, and at which places there.
//!
//! ```text
//! units u | length of the stream of units | stream of units | stream of places
//! unit: (distance from the one before) * 2 + 1 if it stands there once; else * 2, then how often
//! place: the first, then distances
//! ```
//! All numbers are of [`coding`](super::coding). A place is 2 more than that of the word before, or 3 more
//! where the two are apart: so neighbours in a term differ by 2, and a word between makes it 4 or more.

use super::coding::{Reader, put};

/// How far the next word is.
pub(super) const NEXT: u32 = 2;
/// How far it is if a comma or the like stands between.
pub(super) const APART: u32 = 3;

/// The postings of one word, being written. Units and places come in order.
#[derive(Default)]
pub(super) struct Writer {
    units: u64,
    /// The last unit that was ended or begun.
    last: u32,
    /// How often the word stands in it so far.
    times: u64,
    place: u32,
    /// The unit before the last one.
    before: u32,
    unit_bytes: Vec<u8>,
    place_bytes: Vec<u8>,
}

impl Writer {
    pub(super) fn push(&mut self, unit: u32, place: u32) {
        if self.times == 0 || unit != self.last {
            self.end_unit();
            self.before = if self.units == 0 { 0 } else { self.last };
            self.last = unit;
            self.units += 1;
            self.place = 0;
        }
        put(u64::from(place - self.place), &mut self.place_bytes);
        self.place = place;
        self.times += 1;
    }

    fn end_unit(&mut self) {
        if self.times > 0 {
            put_unit(self.last - self.before, self.times, &mut self.unit_bytes);
            self.times = 0;
        }
    }

    /// Hands over what was written, and is as new.
    pub(super) fn finish(&mut self, into: &mut Vec<u8>) {
        self.end_unit();
        let part = Part {
            units: self.units,
            last: self.last,
            unit_bytes: &self.unit_bytes,
            place_bytes: &self.place_bytes,
        };
        part.write(into);
        self.unit_bytes.clear();
        self.place_bytes.clear();
        (self.units, self.last, self.before, self.place) = (0, 0, 0, 0);
    }
}

fn put_unit(distance: u32, times: u64, into: &mut Vec<u8>) {
    put(u64::from(distance) << 1 | u64::from(times == 1), into);
    if times != 1 {
        put(times, into);
    }
}

/// The postings of a word in a segment, whose units are numbered from 0.
#[derive(Clone, Copy)]
pub(super) struct Part<'b> {
    pub(super) units: u64,
    pub(super) last: u32,
    pub(super) unit_bytes: &'b [u8],
    pub(super) place_bytes: &'b [u8],
}

impl<'b> Part<'b> {
    fn write(&self, into: &mut Vec<u8>) {
        put(self.units, into);
        put(u64::from(self.last), into);
        put(self.unit_bytes.len() as u64, into);
        put(self.place_bytes.len() as u64, into);
        into.extend_from_slice(self.unit_bytes);
        into.extend_from_slice(self.place_bytes);
    }

    pub(super) fn read(reader: &mut Reader<'b>) -> Option<Self> {
        let (units, last) = (reader.number()?, reader.small()?);
        let unit_length = reader.number()?.try_into().ok()?;
        let place_length = reader.number()?.try_into().ok()?;
        let unit_bytes = reader.take(unit_length)?;
        Some(Self { units, last, unit_bytes, place_bytes: reader.take(place_length)? })
    }
}

/// Joins parts, each with the number that its unit 0 has in the whole, into the postings of an index.
pub(super) fn join(parts: &[(u32, Part<'_>)], into: &mut Vec<u8>) -> Option<()> {
    let mut unit_bytes = Vec::with_capacity(parts.iter().map(|(_, part)| part.unit_bytes.len() + 4).sum());
    let mut before = 0;
    for (base, part) in parts {
        // Only the first distance changes.
        let mut reader = Reader::new(part.unit_bytes);
        let first = reader.number()?;
        let unit = u64::from(*base) + (first >> 1);
        put(unit.checked_sub(before)? << 1 | (first & 1), &mut unit_bytes);
        unit_bytes.extend_from_slice(reader.rest());
        before = u64::from(*base) + u64::from(part.last);
    }
    let units = parts.iter().try_fold(0u64, |sum, (_, part)| sum.checked_add(part.units))?;
    put(units, into);
    put(unit_bytes.len() as u64, into);
    into.extend_from_slice(&unit_bytes);
    for (_, part) in parts {
        into.extend_from_slice(part.place_bytes);
    }
    Some(())
}

/// The postings of a word in an index. `None` from any of its functions means that they are damaged.
#[derive(Clone, Copy)]
pub(super) struct Postings<'b> {
    units: u64,
    unit_bytes: &'b [u8],
    place_bytes: &'b [u8],
}

impl<'b> Postings<'b> {
    pub(super) fn read(bytes: &'b [u8]) -> Option<Self> {
        let mut reader = Reader::new(bytes);
        let units = reader.number()?;
        let unit_bytes = reader.bytes()?;
        Some(Self { units, unit_bytes, place_bytes: reader.rest() })
    }

    /// In how many units the word stands.
    pub(super) fn units(&self) -> u64 {
        self.units
    }

    /// As a part of a larger whole.
    pub(super) fn as_part(&self) -> Option<Part<'b>> {
        let last = self.walk().last()??.0;
        Some(Part { units: self.units, last, unit_bytes: self.unit_bytes, place_bytes: self.place_bytes })
    }

    /// Each unit, with how often the word stands in it.
    pub(super) fn walk(&self) -> impl Iterator<Item = Option<(u32, u64)>> {
        let mut reader = Reader::new(self.unit_bytes);
        let mut last: Option<u32> = None;
        std::iter::from_fn(move || {
            if reader.is_empty() {
                return None;
            }
            let mut next = || {
                let number = reader.number()?;
                let distance = u32::try_from(number >> 1).ok()?;
                let unit = match last {
                    Some(_) if distance == 0 => return None,
                    Some(last) => last.checked_add(distance)?,
                    None => distance,
                };
                let times = if number & 1 == 1 { 1 } else { reader.number()? };
                last = Some(unit);
                Some((unit, times))
            };
            let step = next();
            if step.is_none() {
                reader = Reader::new(&[]);
            }
            Some(step)
        })
    }

    /// The units, in order.
    pub(super) fn list(&self) -> Option<Vec<u32>> {
        let units: Vec<u32> = self.walk().map(|step| Some(step?.0)).collect::<Option<_>>()?;
        (units.len() as u64 == self.units).then_some(units)
    }

    /// The places in those of its units that are `wanted`; both are in order.
    pub(super) fn places(&self, wanted: &[u32]) -> Option<Places> {
        let mut places = Places::default();
        let mut reader = Reader::new(self.place_bytes);
        let mut wanted = wanted.iter().peekable();
        for step in self.walk() {
            let (unit, times) = step?;
            let Some(&&next) = wanted.peek() else { break };
            if unit != next {
                reader.skip(times)?;
                continue;
            }
            wanted.next();
            let mut place = 0u32;
            for _ in 0..times {
                place = place.checked_add(reader.small()?)?;
                places.all.push(place);
            }
            places.ends.push(places.all.len());
        }
        wanted.peek().is_none().then_some(places)
    }
}

/// Places in several units.
#[derive(Default)]
pub(super) struct Places {
    all: Vec<u32>,
    ends: Vec<usize>,
}

impl Places {
    /// Those in the unit at this position of the wanted ones.
    pub(super) fn of(&self, at: usize) -> &[u32] {
        let start = if at == 0 { 0 } else { self.ends[at - 1] };
        &self.all[start..self.ends[at]]
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::prelude::*;

    use super::*;

    type Map = BTreeMap<u32, Vec<u32>>;

    fn map() -> impl Strategy<Value = Map> {
        let places = prop::collection::btree_set(0u32..5000, 1..6);
        prop::collection::btree_map(0u32..300, places.prop_map(|set| set.into_iter().collect()), 1..20)
    }

    fn part(map: &Map) -> Vec<u8> {
        let mut writer = Writer::default();
        for (unit, places) in map {
            for place in places {
                writer.push(*unit, *place);
            }
        }
        let mut bytes = Vec::new();
        writer.finish(&mut bytes);
        bytes
    }

    proptest! {
        #[test]
        fn what_was_written_is_read_however_it_was_split(one in map(), two in map(), split in 300u32..1000) {
            let mut whole = one.clone();
            whole.extend(two.iter().map(|(unit, places)| (unit + split, places.clone())));
            let (one, two, all) = (part(&one), part(&two), part(&whole));
            let read = |bytes| Part::read(&mut Reader::new(bytes)).unwrap();
            let (mut joined, mut at_once) = (Vec::new(), Vec::new());
            join(&[(0, read(&one)), (split, read(&two))], &mut joined).unwrap();
            join(&[(0, read(&all))], &mut at_once).unwrap();
            prop_assert_eq!(&joined, &at_once);

            let postings = Postings::read(&joined).unwrap();
            let units: Vec<u32> = whole.keys().copied().collect();
            prop_assert_eq!(postings.list().unwrap(), units.clone());
            prop_assert_eq!(postings.as_part().unwrap().last, *units.last().unwrap());
            let wanted: Vec<u32> = units.iter().copied().step_by(2).collect();
            let places = postings.places(&wanted).unwrap();
            for (at, unit) in wanted.iter().enumerate() {
                prop_assert_eq!(places.of(at), &whole[unit]);
            }
        }

        #[test]
        fn any_bytes_are_read_or_refused(bytes in any::<Vec<u8>>(), wanted in prop::collection::btree_set(any::<u32>(), 0..4)) {
            if let Some(postings) = Postings::read(&bytes) {
                let _ = (postings.list(), postings.as_part().is_some());
                let _ = postings.places(&wanted.into_iter().collect::<Vec<_>>());
            }
        }
    }
}
