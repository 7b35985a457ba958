//! What each observer heard of an entry ([`Published`]), so that a match can be read without its rules.

use std::collections::HashMap;

use edgehill_engine::registry::AnyTable;
use edgehill_engine::seat::Observer;
use prost::Message;
use serde::{Deserialize, Serialize};

use crate::wire::{self, Words};

/// Events and views as they are sent (`edgehill.v1`), without numbers and words.
#[derive(Clone, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
pub struct Published {
    /// The events, each once.
    pub events: Vec<Vec<u8>>,
    /// For each observer, the seats in order and then the spectators, which of the events he heard, in order.
    pub heard: Vec<Vec<u16>>,
    /// The views at the beginning, for each observer; only in the entry with which the match began.
    pub starts: Vec<Vec<u8>>,
}

impl Published {
    /// What is new at a table for each observer beyond what he was `told`. `begins`: with the views of the beginning.
    pub(super) fn of(table: &dyn AnyTable, told: &[usize], begins: bool) -> Self {
        let mut published = Self::default();
        let mut known: HashMap<Vec<u8>, u16> = HashMap::new();
        for (observer, &from) in Observer::all(table.seats()).zip(told) {
            let mut heard = Vec::new();
            for seen in table.heard(observer, from) {
                let bytes = wire::event::of(seen, 0, Words::OFF).encode_to_vec();
                let next = known.len() as u16;
                let index = *known.entry(bytes).or_insert_with_key(|bytes| {
                    published.events.push(bytes.clone());
                    next
                });
                heard.push(index);
            }
            published.heard.push(heard);
        }
        if begins && let Ok(start) = super::opening::start(table) {
            for observer in Observer::all(table.seats()) {
                let view = wire::view::of(&start.view(observer), Words::OFF);
                published.starts.push(view.encode_to_vec());
            }
        }
        published
    }

    /// The events that the observer at this place heard.
    pub fn heard_by(&self, observer: usize) -> impl Iterator<Item = &[u8]> {
        let heard = self.heard.get(observer).map_or(&[][..], Vec::as_slice);
        heard.iter().filter_map(|&index| self.events.get(usize::from(index)).map(Vec::as_slice))
    }
}
