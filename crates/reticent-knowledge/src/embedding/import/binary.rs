//! word2vec's binary files: a line with two numbers, then words, each followed by raw numbers.

use std::io::{BufRead, Read};

use super::{Builder, LONGEST, header};
use crate::{Error, ErrorKind};

pub(super) fn read(mut from: impl BufRead, builder: &mut Builder) -> Result<(), Error> {
    let mut line = Vec::new();
    Read::take(&mut from, 64).read_until(b'\n', &mut line)?;
    let (count, dimension) =
        std::str::from_utf8(&line).ok().filter(|line| line.ends_with('\n')).and_then(header).ok_or_else(
            || Error::new(ErrorKind::Malformed, "the file does not start with the number of vectors"),
        )?;
    builder.set_dimension(dimension)?;
    let mut word = Vec::new();
    let mut bytes = vec![0; dimension * 4];
    let mut vector = Vec::with_capacity(dimension);
    for at in 0..count {
        let ended = || {
            Error::new(ErrorKind::Malformed, format!("the file declares {count} vectors but ends after {at}"))
                .with_hint("the file is incomplete: obtain a new copy")
        };
        word.clear();
        Read::take(&mut from, LONGEST as u64 + 2).read_until(b' ', &mut word)?;
        match word.pop() {
            Some(b' ') => {}
            Some(_) if word.len() > LONGEST => {
                return Err(Error::new(ErrorKind::Limit, format!("a word is longer than {LONGEST} bytes"))
                    .with_hint("the file is damaged, or its vectors do not have the declared dimension"));
            }
            _ => return Err(ended()),
        }
        from.read_exact(&mut bytes).map_err(|_| ended())?;
        vector.clear();
        vector.extend(bytes.as_chunks::<4>().0.iter().map(|number| f32::from_le_bytes(*number)));
        // Some writers end a vector with a new line, others do not.
        let start = word.iter().position(|byte| *byte != b'\n').unwrap_or(word.len());
        builder.add(std::str::from_utf8(&word[start..]).ok(), &vector)?;
    }
    // The dimension was wrong if anything is left but the last new line.
    let mut rest = Vec::new();
    Read::take(&mut from, 2).read_to_end(&mut rest)?;
    if rest.iter().any(|byte| !byte.is_ascii_whitespace()) {
        return Err(Error::new(
            ErrorKind::Inconsistent,
            "the file contains more vectors than its first line declares",
        )
        .with_hint("the file is damaged, or its vectors do not have the declared dimension"));
    }
    Ok(())
}
