//! The values that may differ between two servers ([`Mask`]): ids of matches, and times. Both have a fixed width.

use std::collections::HashMap;

/// Replaces what may differ by something of the same length.
#[derive(Clone, Default, Debug)]
pub(crate) struct Mask {
    replaced: Vec<(Vec<u8>, Vec<u8>)>,
    /// Those of them that begin with these two bytes.
    begins: HashMap<[u8; 2], Vec<usize>>,
}

impl Mask {
    /// The match's id, as text.
    pub(crate) fn id(&mut self, id: &str) {
        let number = self.replaced.len();
        self.replace(id.as_bytes().to_vec(), format!("{number:0>36}").into_bytes());
    }

    /// A time, as the wire has it.
    pub(crate) fn time(&mut self, unix_micros: u64) {
        let number = self.replaced.len() as u64;
        if unix_micros > 0 {
            self.replace(unix_micros.to_le_bytes().to_vec(), number.to_le_bytes().to_vec());
        }
    }

    fn replace(&mut self, from: Vec<u8>, to: Vec<u8>) {
        self.begins.entry([from[0], from[1]]).or_default().push(self.replaced.len());
        self.replaced.push((from, to));
    }

    pub(crate) fn apply(&self, bytes: &[u8]) -> Vec<u8> {
        let mut masked = bytes.to_vec();
        for (at, pair) in bytes.windows(2).enumerate() {
            for &index in self.begins.get(pair).into_iter().flatten() {
                let (from, to) = &self.replaced[index];
                if bytes[at..].starts_with(from) {
                    masked[at..at + from.len()].copy_from_slice(to);
                }
            }
        }
        masked
    }
}

pub(crate) fn find(bytes: &[u8], wanted: &[u8]) -> Option<usize> {
    bytes.windows(wanted.len()).position(|window| window == wanted)
}
