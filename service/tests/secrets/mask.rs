//! What may differ between two servers ([`Mask`]): ids of matches, and times. Both have a fixed width.

/// Replaces what may differ by something of the same length.
#[derive(Clone, Default, Debug)]
pub(crate) struct Mask(Vec<(Vec<u8>, Vec<u8>)>);

impl Mask {
    /// The match's id, as text.
    pub(crate) fn id(&mut self, id: &str) {
        let number = self.0.len();
        self.0.push((id.as_bytes().to_vec(), format!("{number:0>36}").into_bytes()));
    }

    /// A time, as the wire has it.
    pub(crate) fn time(&mut self, unix_micros: u64) {
        let number = self.0.len() as u64;
        if unix_micros > 0 {
            self.0.push((unix_micros.to_le_bytes().to_vec(), number.to_le_bytes().to_vec()));
        }
    }

    pub(crate) fn apply(&self, bytes: &[u8]) -> Vec<u8> {
        let mut masked = bytes.to_vec();
        for (from, to) in &self.0 {
            let mut at = 0;
            while let Some(found) = find(&masked[at..], from) {
                masked[at + found..at + found + from.len()].copy_from_slice(to);
                at += found + from.len();
            }
        }
        masked
    }
}

pub(crate) fn find(bytes: &[u8], wanted: &[u8]) -> Option<usize> {
    bytes.windows(wanted.len()).position(|window| window == wanted)
}
