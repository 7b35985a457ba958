//! What each observer heard of an entry ([`Published`]), so that a match can be read without its rules.

use edgehill_engine::registry::AnyTable;
use edgehill_engine::seat::Observer;
use edgehill_engine::table::Seen;
use prost::Message;
use serde::{Deserialize, Serialize};
use serde_bytes::ByteBuf;

use crate::wire::{self, Words};

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

impl Published {
    /// What is new at a table for each observer beyond what he was `told`. `begins`: with the views of the beginning.
    pub(super) fn of(table: &dyn AnyTable, told: &[usize], begins: bool) -> Self {
        let mut published = Self::default();
        let mut known: Vec<&Seen> = Vec::new();
        for (observer, &from) in Observer::all(table.seats()).zip(told) {
            // Most of what one observer heard all hear, in the same order.
            let mut next = 0;
            let heard = table.heard(observer, from).iter().map(|seen| {
                let (passed, ahead) = known.split_at(next);
                let again = ahead.iter().position(|other| *other == seen).map(|index| index + passed.len());
                let index = again.or_else(|| passed.iter().position(|other| *other == seen));
                let index = index.unwrap_or_else(|| {
                    known.push(seen);
                    published.events.push(ByteBuf::from(wire::written::event(seen)));
                    known.len() - 1
                });
                next = index + 1;
                index as u16
            });
            published.heard.push(heard.collect());
        }
        if begins && let Ok(start) = super::opening::start(table) {
            for observer in Observer::all(table.seats()) {
                let view = wire::view::of(&start.view(observer), Words::OFF);
                published.starts.push(ByteBuf::from(view.encode_to_vec()));
            }
        }
        published
    }

    /// The events that the observer at this place heard.
    pub fn heard_by(&self, observer: usize) -> impl Iterator<Item = &[u8]> {
        let heard = self.heard.get(observer).map_or(&[][..], Vec::as_slice);
        heard.iter().filter_map(|&index| self.events.get(usize::from(index)).map(|event| event.as_slice()))
    }
}
