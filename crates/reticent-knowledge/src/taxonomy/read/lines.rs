//! Lines of a foreign file: numbered, limited, UTF-8.

use std::io::{BufRead, Read};

use crate::{Error, ErrorKind};

/// No format has longer ones.
const LONGEST: usize = 1 << 20;

/// Reads one line after another.
pub(super) struct Lines<R> {
    input: R,
    line: Vec<u8>,
    number: u64,
}

impl<R: BufRead> Lines<R> {
    pub(super) fn new(input: R) -> Self {
        Self { input, line: Vec::new(), number: 0 }
    }

    /// The next line without its end, or `None` after the last.
    pub(super) fn next(&mut self) -> Result<Option<&str>, Error> {
        self.line.clear();
        self.number += 1;
        let read = (&mut self.input).take(LONGEST as u64 + 1).read_until(b'\n', &mut self.line);
        if read? == 0 {
            return Ok(None);
        }
        if self.line.len() > LONGEST {
            let message = format!("a line has more than {LONGEST} bytes");
            return Err(Error::new(ErrorKind::Limit, message).at_line(self.number));
        }
        let line = std::str::from_utf8(&self.line).map_err(|_| {
            Error::new(ErrorKind::Malformed, "a line is not UTF-8")
                .at_line(self.number)
                .with_hint("convert the file to UTF-8, for example with iconv")
        })?;
        let line = if self.number == 1 { line.trim_start_matches('\u{FEFF}') } else { line };
        Ok(Some(line.trim_end_matches(['\n', '\r'])))
    }

    /// The number of the line that was read last, from 1.
    pub(super) fn number(&self) -> u64 {
        self.number
    }
}
