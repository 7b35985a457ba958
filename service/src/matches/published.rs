//! What each observer heard of an entry ([`Published`]), so that a match can be read without its rules.

use serde::{Deserialize, Serialize, Serializer};
use serde_bytes::{ByteBuf, Bytes};

/// Events and views as they are sent (`edgehill.v1`), without numbers and words.
#[derive(Clone, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
pub struct Published {
    /// The events, each once.
    pub events: Vec<ByteBuf>,
    /// For each observer, the seats in order and then the spectators, which of the events he heard, in order.
    pub heard: Vec<Vec<u16>>,
    /// The views at the beginning, for each observer; only in the entry with which the match began.
    pub starts: Vec<ByteBuf>,
}

/// The same, as it is written: from where it is kept.
#[derive(Debug, Default, Serialize)]
pub(super) struct Publishing<'a> {
    #[serde(serialize_with = "events")]
    pub(super) events: &'a [Box<[u8]>],
    pub(super) heard: Vec<Places<'a>>,
    pub(super) starts: Vec<ByteBuf>,
}

/// Places among a match's events, written as places among an entry's.
#[derive(Debug)]
pub(super) struct Places<'a> {
    pub(super) places: &'a [u32],
    /// Where the entry's events begin.
    pub(super) first: u32,
}

impl Serialize for Places<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_seq(self.places.iter().map(|place| (place - self.first) as u16))
    }
}

fn events<S: Serializer>(events: &[Box<[u8]>], to: S) -> Result<S::Ok, S::Error> {
    to.collect_seq(events.iter().map(|event| Bytes::new(event)))
}
