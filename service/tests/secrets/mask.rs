//! The values that may differ between two servers ([`Mask`]): ids of matches, salted hashes, and times.

use std::collections::HashMap;

use edgehill_proto::prost_types::Timestamp;
use prost::Message;
use prost::encoding::{WireType, decode_key, decode_varint, encode_key, encode_varint};

/// Replaces what may differ: an id by something of the same length, a time by one that is the same everywhere.
#[derive(Clone, Default, Debug)]
pub(crate) struct Mask {
    /// The times, as the wire has them. How many bytes one takes depends on its fraction of a second.
    times: Vec<Vec<u8>>,
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

    /// A hash with a salt of its own, or that salt.
    pub(crate) fn salted(&mut self, bytes: &[u8]) {
        let number = self.replaced.len();
        self.replace(bytes.to_vec(), format!("{number:0>len$}", len = bytes.len()).into_bytes());
    }

    /// A time.
    pub(crate) fn time(&mut self, time: Timestamp) {
        self.times.push(time.encode_to_vec());
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
        self.without_times(&masked).unwrap_or(masked)
    }

    /// The same message with no time in it, nor in the messages within; `None`: it is no message.
    fn without_times(&self, mut message: &[u8]) -> Option<Vec<u8>> {
        let (mut without, rest) = (Vec::new(), &mut message);
        while !rest.is_empty() {
            let (field, kind) = decode_key(rest).ok()?;
            encode_key(field, kind, &mut without);
            let len = match kind {
                WireType::Varint => {
                    encode_varint(decode_varint(rest).ok()?, &mut without);
                    continue;
                }
                WireType::SixtyFourBit => 8,
                WireType::ThirtyTwoBit => 4,
                WireType::LengthDelimited => decode_varint(rest).ok()? as usize,
                WireType::StartGroup | WireType::EndGroup => return None,
            };
            let value = rest.split_off(..len)?;
            if kind == WireType::LengthDelimited {
                // A time of a whole second is the beginning of others within that second.
                let (is_time, has_time) = (
                    self.times.iter().any(|time| time == value),
                    self.times.iter().any(|time| find(value, time).is_some()),
                );
                let value = match (is_time, has_time) {
                    (true, _) => Vec::new(),
                    (false, true) => self.without_times(value).unwrap_or_else(|| value.to_vec()),
                    (false, false) => value.to_vec(),
                };
                encode_varint(value.len() as u64, &mut without);
                without.extend(value);
            } else {
                without.extend(value);
            }
        }
        Some(without)
    }
}

pub(crate) fn find(bytes: &[u8], wanted: &[u8]) -> Option<usize> {
    bytes.windows(wanted.len()).position(|window| window == wanted)
}
