//! Byte strings one after another in one piece of memory ([`Packed`]).

use std::ops::Range;

/// Byte strings, each found by its number. A match keeps as many as its log has events: one allocation for each of them
/// would cost more than what is in them.
///
/// Bounds: what a match keeps here is in its log as well, which the store holds to 64 MiB
/// ([`crate::store::limits::LOG_BYTES_MAX`]).
#[derive(Clone, Default, Debug)]
pub(super) struct Packed {
    bytes: Vec<u8>,
    /// The offsets at which each ends, and the next begins.
    ends: Vec<u32>,
}

impl Packed {
    /// Returns the number that there are.
    pub(super) const fn len(&self) -> usize {
        self.ends.len()
    }

    /// Returns the number of bytes that it has in memory beside itself.
    pub(super) const fn memory_bytes(&self) -> usize {
        self.bytes.capacity() + self.ends.capacity() * size_of::<u32>()
    }

    /// The string of this number, if there is one.
    pub(super) fn get(&self, index: usize) -> Option<&[u8]> {
        let end = *self.ends.get(index)? as usize;
        self.bytes.get(self.start(index)..end)
    }

    /// Those of these numbers, in order.
    pub(super) fn range(&self, numbers: Range<usize>) -> impl ExactSizeIterator<Item = &[u8]> {
        numbers.map(|index| self.get(index).expect("the numbers are of strings that there are"))
    }

    /// Returns the number of bytes that those of these numbers have.
    pub(super) fn bytes_of(&self, numbers: Range<usize>) -> usize {
        self.start(numbers.end) - self.start(numbers.start)
    }

    /// Adds the string that `write` puts at the end of what it is given.
    pub(super) fn push(&mut self, write: impl FnOnce(&mut Vec<u8>)) {
        write(&mut self.bytes);
        self.ends.push(self.bytes.len() as u32);
    }

    /// Takes back all but the first `len`.
    pub(super) fn truncate(&mut self, len: usize) {
        self.bytes.truncate(self.start(len));
        self.ends.truncate(len);
    }

    fn start(&self, index: usize) -> usize {
        index
            .checked_sub(1)
            .map_or(0, |before| self.ends.get(before).map_or(self.bytes.len(), |&end| end as usize))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_pushed_is_found_by_its_number() {
        let mut packed = Packed::default();
        let strings = [&b"one"[..], b"", b"three", &[0; 300]];
        for string in strings {
            packed.push(|bytes| bytes.extend_from_slice(string));
        }
        assert_eq!(packed.len(), 4);
        assert_eq!(packed.range(0..4).collect::<Vec<_>>(), strings);
        assert_eq!(packed.range(1..3).collect::<Vec<_>>(), strings[1..3]);
        assert_eq!((packed.bytes_of(0..4), packed.bytes_of(1..3), packed.bytes_of(4..4)), (308, 5, 0));
        assert_eq!((packed.get(3), packed.get(4)), (Some(strings[3]), None));
        packed.truncate(2);
        assert_eq!((packed.len(), packed.get(1), packed.get(2)), (2, Some(strings[1]), None));
        packed.push(|bytes| bytes.extend_from_slice(strings[2]));
        assert_eq!(packed.range(0..3).collect::<Vec<_>>(), strings[..3]);
    }
}
