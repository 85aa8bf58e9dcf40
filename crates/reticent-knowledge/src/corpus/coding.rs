//! Numbers and strings as bytes: seven bits at a time, the last byte below 128.

/// Appends a number.
pub(super) fn put(mut number: u64, into: &mut Vec<u8>) {
    while number >= 0x80 {
        into.push((number & 0x7f) as u8 | 0x80);
        number >>= 7;
    }
    into.push((number & 0x7f) as u8);
}

/// Appends a length and bytes.
pub(super) fn put_bytes(bytes: &[u8], into: &mut Vec<u8>) {
    put(bytes.len() as u64, into);
    into.extend_from_slice(bytes);
}

/// Reads what [`put`] wrote. Nothing is read past the end: `None` means that the bytes are damaged.
#[derive(Clone, Copy)]
pub(super) struct Reader<'b> {
    rest: &'b [u8],
}

impl<'b> Reader<'b> {
    pub(super) fn new(bytes: &'b [u8]) -> Self {
        Self { rest: bytes }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.rest.is_empty()
    }

    pub(super) fn rest(&self) -> &'b [u8] {
        self.rest
    }

    #[inline]
    pub(super) fn number(&mut self) -> Option<u64> {
        let (&first, rest) = self.rest.split_first()?;
        if first < 0x80 {
            self.rest = rest;
            return Some(u64::from(first));
        }
        self.long_number()
    }

    fn long_number(&mut self) -> Option<u64> {
        let mut number = 0;
        for (at, &byte) in self.rest.iter().enumerate().take(10) {
            let bits = u64::from(byte & 0x7f);
            number |= bits.checked_shl(7 * u32::try_from(at).ok()?)?;
            if byte < 0x80 {
                self.rest = &self.rest[at + 1..];
                // The tenth byte has room for one bit.
                return (at < 9 || byte <= 1).then_some(number);
            }
        }
        None
    }

    pub(super) fn small(&mut self) -> Option<u32> {
        self.number()?.try_into().ok()
    }

    /// Goes past so many numbers.
    pub(super) fn skip(&mut self, numbers: u64) -> Option<()> {
        if numbers == 0 {
            return Some(());
        }
        let mut left = numbers;
        for (at, byte) in self.rest.iter().enumerate() {
            left -= u64::from(*byte < 0x80);
            if left == 0 {
                self.rest = &self.rest[at + 1..];
                return Some(());
            }
        }
        None
    }

    pub(super) fn take(&mut self, length: usize) -> Option<&'b [u8]> {
        let (taken, rest) = self.rest.split_at_checked(length)?;
        self.rest = rest;
        Some(taken)
    }

    pub(super) fn bytes(&mut self) -> Option<&'b [u8]> {
        let length = self.number()?.try_into().ok()?;
        self.take(length)
    }

    pub(super) fn string(&mut self) -> Option<&'b str> {
        std::str::from_utf8(self.bytes()?).ok()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn reads_what_was_put(numbers in prop::collection::vec(any::<u64>(), 0..20), skipped in 0usize..20) {
            let mut bytes = Vec::new();
            for number in &numbers {
                put(*number, &mut bytes);
            }
            let mut reader = Reader::new(&bytes);
            for number in &numbers {
                prop_assert_eq!(reader.number(), Some(*number));
            }
            prop_assert!(reader.is_empty() && reader.number().is_none());
            let mut reader = Reader::new(&bytes);
            prop_assert_eq!(reader.skip(skipped as u64).is_some(), skipped <= numbers.len());
            if skipped < numbers.len() {
                prop_assert_eq!(reader.number(), Some(numbers[skipped]));
            }
        }

        #[test]
        fn any_bytes_are_read_or_refused(bytes in any::<Vec<u8>>()) {
            let mut reader = Reader::new(&bytes);
            while reader.number().is_some() {}
            let _ = Reader::new(&bytes).string();
        }
    }
}
