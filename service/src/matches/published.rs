//! The events of an entry published to each observer ([`Published`]), so that a match can be read without its rules.

use serde::ser::SerializeSeq;
use serde::{Deserialize, Serialize, Serializer};
use serde_bytes::{ByteBuf, Bytes};
use smallvec::SmallVec;

use super::packed::Packed;

/// Events and views as they are kept and sent, without numbers and words.
#[derive(Clone, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
pub struct Published {
    /// The events, each once.
    pub events: Vec<ByteBuf>,
    /// For each observer, the seats in order and then the spectators, the events published to them, in order.
    pub observed: Vec<Vec<u16>>,
    /// The views at the beginning, for each observer; only in the entry with which the match began.
    pub starts: Vec<ByteBuf>,
}

/// The same, as it is written: from where it is kept.
#[derive(Debug, Default, Serialize)]
pub(super) struct Publishing<'a> {
    pub(super) events: Events<'a>,
    pub(super) observed: SmallVec<[Places<'a>; 4]>,
    pub(super) starts: Vec<ByteBuf>,
}

/// A match's events from one of them on.
#[derive(Debug, Default)]
pub(super) struct Events<'a> {
    pub(super) from: Option<&'a Packed>,
    pub(super) first: usize,
}

impl<'a> Events<'a> {
    fn iter(&self) -> impl Iterator<Item = &'a [u8]> {
        let first = self.first;
        self.from.into_iter().flat_map(move |from| from.range(first..from.len()))
    }

    /// Returns the number of the events, and of their bytes.
    pub(super) fn size(&self) -> (usize, usize) {
        let range = |from: &Packed| self.first..from.len();
        self.from.map_or((0, 0), |from| (range(from).len(), from.bytes_of(range(from))))
    }
}

impl Serialize for Events<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let mut sequence = to.serialize_seq(Some(self.size().0))?;
        self.iter().try_for_each(|event| sequence.serialize_element(Bytes::new(event)))?;
        sequence.end()
    }
}

/// Places among a match's events, written as places among an entry's.
#[derive(Debug)]
pub(super) struct Places<'a> {
    pub(super) places: &'a [u32],
    /// The index at which the entry's events begin.
    pub(super) first: u32,
}

impl Serialize for Places<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_seq(self.places.iter().map(|place| (place - self.first) as u16))
    }
}
