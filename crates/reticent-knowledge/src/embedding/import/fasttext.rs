//! fastText's `.bin`: settings, dictionary, the vectors of words and of sequences of letters.

use std::io::{BufRead, Read};

use super::{Builder, LONGEST};
use crate::embedding::Subwords;
use crate::{Error, ErrorKind};

/// How such a file begins.
pub(super) const MAGIC: i32 = 793_712_314;

/// The newest version of the format.
const VERSION: i32 = 12;

/// The model that tells labels, in the settings.
const SUPERVISED: i32 = 3;

/// What the file says of itself.
struct Settings {
    dimension: usize,
    model: i32,
    subwords: Option<Subwords>,
}

pub(super) fn read(mut from: impl BufRead, builder: &mut Builder) -> Result<(), Error> {
    let settings = settings(&mut from)?;
    builder.set_dimension(settings.dimension)?;
    let (words, counts) = dictionary(&mut from, &settings)?;
    if byte(&mut from)? != 0 {
        return Err(Error::new(ErrorKind::Argument, "quantized fastText models are not supported")
            .with_hint("use the .bin from before `fasttext quantize`, or its .vec"));
    }
    let (rows, columns) = (long(&mut from)?, long(&mut from)?);
    let buckets = settings.subwords.map_or(0, |subwords| u64::from(subwords.buckets));
    // Without subwords, some versions keep rows for buckets that nothing uses.
    let fits = columns == settings.dimension as u64
        && if buckets > 0 { rows == words.len() as u64 + buckets } else { rows >= words.len() as u64 };
    if !fits {
        return Err(Error::new(
            ErrorKind::Inconsistent,
            "the vectors of the fastText model do not match its dictionary",
        )
        .with_hint("the file is damaged: obtain a new copy"));
    }
    let dimension = settings.dimension;
    let own = numbers(&mut from, words.len(), dimension)?;
    let buckets = numbers(&mut from, usize::try_from(buckets).map_err(|_| damaged())?, dimension)?;
    if own.iter().chain(&buckets).any(|x| !x.is_finite()) {
        return Err(Error::new(ErrorKind::Malformed, "a vector has a component that is not finite"));
    }
    for (at, word) in words.iter().enumerate() {
        let mut row = own[at * dimension..][..dimension].to_vec();
        let parts = match (&settings.subwords, word) {
            // The end of a sentence has no letters.
            (Some(subwords), Some(word)) if word != "</s>" => subwords.of(word),
            _ => Vec::new(),
        };
        for part in &parts {
            let bucket = &buckets[*part as usize * dimension..][..dimension];
            row.iter_mut().zip(bucket).for_each(|(x, y)| *x += y);
        }
        let count = (parts.len() + 1) as f32;
        for x in &mut row {
            *x /= count;
        }
        let before = builder.table.terms.len();
        builder.add(word.as_deref(), &row)?;
        if builder.table.terms.len() > before {
            builder.table.counts.push(counts[at]);
        }
    }
    builder.table.subwords = settings.subwords;
    builder.table.buckets = buckets;
    Ok(())
}

fn settings(from: &mut impl Read) -> Result<Settings, Error> {
    if int(from)? != MAGIC {
        return Err(Error::new(ErrorKind::Malformed, "the file is not a fastText model"));
    }
    let version = int(from)?;
    if version > VERSION {
        return Err(Error::new(
            ErrorKind::Version,
            format!("the fastText model has version {version}; this program supports up to {VERSION}"),
        ));
    }
    let mut fields = [0; 12];
    for field in &mut fields {
        *field = int(from)?;
    }
    exact::<8>(from)?; // how much frequent words were passed over
    let [dimension, _, _, _, _, _, _, model, buckets, mut shortest, mut longest, _] = fields;
    // Classifiers of version 11 had no subwords, whatever the fields say.
    if version == 11 && model == SUPERVISED {
        (shortest, longest) = (0, 0);
    }
    let number = |field: i32| u32::try_from(field).map_err(|_| damaged());
    let subwords =
        Subwords { shortest: number(shortest)?.max(1), longest: number(longest)?, buckets: number(buckets)? };
    let subwords = (subwords.longest > 0 && subwords.buckets > 0).then_some(subwords);
    if subwords.is_some_and(|subwords| !subwords.is_sound()) {
        return Err(damaged());
    }
    Ok(Settings { dimension: number(dimension)? as usize, model, subwords })
}

/// The words, nothing in place of those that are not UTF-8, and how often each was seen.
fn dictionary(
    from: &mut impl BufRead,
    settings: &Settings,
) -> Result<(Vec<Option<String>>, Vec<u64>), Error> {
    let (size, count, labels) = (int(from)?, int(from)?, int(from)?);
    let _tokens = exact::<8>(from)?;
    let pruned = i64::from_le_bytes(exact(from)?);
    if settings.model == SUPERVISED || labels > 0 {
        return Err(Error::new(ErrorKind::Argument, "the fastText model is a classifier, not word vectors")
            .with_hint("use a model trained with `fasttext skipgram` or `cbow`"));
    }
    if size != count || size < 0 || pruned > 0 {
        return Err(damaged());
    }
    let (mut words, mut counts) = (Vec::new(), Vec::new());
    for _ in 0..size {
        let mut word = Vec::new();
        from.take(LONGEST as u64 + 2).read_until(0, &mut word)?;
        if word.pop() != Some(0) {
            return Err(damaged());
        }
        counts.push(long(from)?);
        byte(from)?; // a word, since there are no labels
        words.push(String::from_utf8(word).ok());
    }
    Ok((words, counts))
}

/// Reads rows of numbers; room is made as they come, whatever the header says.
fn numbers(from: &mut impl Read, rows: usize, dimension: usize) -> Result<Vec<f32>, Error> {
    let mut all = Vec::new();
    let mut bytes = vec![0; dimension * 4];
    for _ in 0..rows {
        from.read_exact(&mut bytes).map_err(|_| damaged())?;
        all.extend(bytes.as_chunks::<4>().0.iter().map(|number| f32::from_le_bytes(*number)));
    }
    Ok(all)
}

fn exact<const N: usize>(from: &mut impl Read) -> Result<[u8; N], Error> {
    let mut bytes = [0; N];
    from.read_exact(&mut bytes).map_err(|_| damaged())?;
    Ok(bytes)
}

fn byte(from: &mut impl Read) -> Result<u8, Error> {
    exact::<1>(from).map(|bytes| bytes[0])
}

fn int(from: &mut impl Read) -> Result<i32, Error> {
    exact(from).map(i32::from_le_bytes)
}

/// Eight bytes that cannot be below zero.
fn long(from: &mut impl Read) -> Result<u64, Error> {
    u64::try_from(i64::from_le_bytes(exact(from)?)).map_err(|_| damaged())
}

fn damaged() -> Error {
    Error::new(ErrorKind::Malformed, "the fastText model is damaged or incomplete")
        .with_hint("obtain a new copy")
}
