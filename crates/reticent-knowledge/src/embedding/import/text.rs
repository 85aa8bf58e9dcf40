//! Vectors as text: word2vec and fastText `.vec` with a header, `GloVe` without.

use std::io::BufRead;

use super::{Builder, LONGEST, MOST_DIMENSIONS, header};
use crate::{Error, ErrorKind};

/// No line is longer: a word and as many numbers as there can be.
const LONGEST_LINE: u64 = (LONGEST + MOST_DIMENSIONS * 32) as u64;

pub(super) fn read(mut from: impl BufRead, has_header: bool, builder: &mut Builder) -> Result<(), Error> {
    let mut bytes = Vec::new();
    let mut vector = Vec::new();
    let mut promised = None;
    for number in 1.. {
        bytes.clear();
        std::io::Read::take(&mut from, LONGEST_LINE).read_until(b'\n', &mut bytes)?;
        if bytes.is_empty() {
            break;
        }
        if bytes.len() as u64 == LONGEST_LINE {
            return Err(Error::new(ErrorKind::Limit, "a line is too long for a vector").at_line(number));
        }
        while bytes.last().is_some_and(u8::is_ascii_whitespace) {
            bytes.pop();
        }
        if has_header && number == 1 {
            let line = std::str::from_utf8(&bytes).ok().and_then(header);
            let (count, dimension) = line.ok_or_else(|| {
                Error::new(ErrorKind::Malformed, "the first line does not contain the number of vectors")
                    .at_line(1)
                    .with_hint("use --from glove for a file without this line")
            })?;
            builder.set_dimension(dimension).map_err(|error| error.at_line(1))?;
            promised = Some(count);
            continue;
        }
        if bytes.is_empty() {
            continue;
        }
        let word = split(&bytes, builder, &mut vector).map_err(|error| error.at_line(number))?;
        builder.add(word.as_deref(), &vector).map_err(|error| error.at_line(number))?;
    }
    let found = builder.table.terms.len() as u64 + builder.left_out;
    if let Some(promised) = promised.filter(|promised| *promised != found) {
        return Err(Error::new(
            ErrorKind::Malformed,
            format!("the first line declares {promised} vectors, but the file has {found}"),
        )
        .with_hint("the file is incomplete: obtain a new copy"));
    }
    Ok(())
}

/// The word of a line, unless it is not UTF-8; its numbers go to `vector`.
fn split(line: &[u8], builder: &mut Builder, vector: &mut Vec<f32>) -> Result<Option<String>, Error> {
    let mut fields: Vec<&[u8]> = line.split(|byte| matches!(byte, b' ' | b'\t')).collect();
    if builder.table.dimension == 0 {
        builder.set_dimension(fields.len() - 1)?;
    }
    let dimension = builder.table.dimension;
    let read = |field: &[u8]| std::str::from_utf8(field).ok().and_then(|field| field.parse::<f32>().ok());
    // A word may have spaces in it (GloVe has some), but no numbers after its first part.
    let words = fields.len().saturating_sub(dimension);
    if words == 0 || fields[1..words].iter().any(|field| read(field).is_some()) {
        return Err(Error::new(
            ErrorKind::Inconsistent,
            format!("a vector has {} dimensions, others have {dimension}", fields.len() - 1),
        )
        .with_hint("all vectors of a file must have the same dimension"));
    }
    vector.clear();
    for field in fields.drain(words..) {
        let number = read(field).ok_or_else(|| {
            Error::new(ErrorKind::Malformed, "a vector has a component that is not a number")
        })?;
        vector.push(number);
    }
    let length = fields.iter().map(|field| field.len() + 1).sum::<usize>() - 1;
    Ok(std::str::from_utf8(&line[..length]).ok().map(str::to_owned))
}
