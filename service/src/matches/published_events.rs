//! The events published to the observers of a match ([`Heard`]), as they are sent.

use edgehill_engine::registry::AnyTable;
use edgehill_engine::seat::{Observer, Seat};
use edgehill_engine::table::ObservedEvent;
use edgehill_proto::v1;
use smallvec::SmallVec;

use super::packed::Packed;
use super::published::{Events, Places, Published, Publishing};
use crate::wire::{self, Words};

/// The events of a match in the bytes in which they are published (`edgehill.v1`, without numbers and words), each once, and
/// which of them each observer heard. The table forgets what is here.
#[derive(Clone, Debug)]
pub struct Heard {
    events: Packed,
    /// By observer, the seats in order and then the spectators: places among the events.
    by: Vec<Vec<u32>>,
}

/// The amount of it that there was at some moment.
#[derive(Copy, Clone, PartialEq, Eq, Default, Debug)]
pub(super) struct Mark {
    events: usize,
    by: [usize; Seat::MAX + 1],
}

impl Heard {
    /// Nothing yet, in a match of so many seats.
    pub(super) fn new(seats: usize) -> Self {
        Self { events: Packed::default(), by: vec![Vec::new(); seats + 1] }
    }

    /// Returns the amount that there is.
    pub(super) fn mark(&self) -> Mark {
        let mut mark = Mark { events: self.events.len(), ..Mark::default() };
        for (length, published) in mark.by.iter_mut().zip(&self.by) {
            *length = published.len();
        }
        mark
    }

    /// Returns the events that came after `mark`, for an entry.
    pub(super) fn publishing(&self, mark: &Mark) -> Publishing<'_> {
        let first = mark.events as u32;
        let published = self.by.iter().zip(&mark.by).map(|(by, &from)| Places { places: &by[from..], first });
        let events = Events { from: Some(&self.events), first: mark.events };
        Publishing { events, published: published.collect(), starts: Vec::new() }
    }

    /// Takes over from a table what its observers heard.
    pub(super) fn take_from(&mut self, table: &mut dyn AnyTable) {
        let first = self.events.len();
        let mut known: SmallVec<[&ObservedEvent; 8]> = SmallVec::new();
        for (observer, by) in Observer::all(table.seats()).zip(&mut self.by) {
            // Most of what one observer heard all hear, in the same order.
            let mut next = 0;
            for seen in table.published(observer, by.len()) {
                let (passed, ahead) = known.split_at(next);
                let again = ahead.iter().position(|other| *other == seen).map(|index| index + passed.len());
                let index = again.or_else(|| passed.iter().position(|other| *other == seen));
                let index = index.unwrap_or_else(|| {
                    known.push(seen);
                    self.events.push(|bytes| wire::written::event(seen, bytes));
                    known.len() - 1
                });
                next = index + 1;
                by.push((first + index) as u32);
            }
        }
        drop(known);
        table.forget_published();
    }

    /// Takes over what an entry has published.
    ///
    /// # Errors
    /// Says what of it can't be read.
    pub(super) fn take_published(&mut self, published: Published) -> Result<(), String> {
        let Published { events, published, .. } = published;
        let first = self.events.len() as u32;
        if published.iter().flatten().any(|&index| usize::from(index) >= events.len()) {
            return Err("an observer heard an event that is not there".to_owned());
        }
        for (by, published) in self.by.iter_mut().zip(&published) {
            by.extend(published.iter().map(|&index| first + u32::from(index)));
        }
        for event in events {
            wire::event::read(&event, 0, Words::OFF).map_err(|error| error.to_string())?;
            self.events.push(|bytes| bytes.extend_from_slice(&event));
        }
        Ok(())
    }

    /// Returns the events published to `observer` after number `after` of their sequence, in order.
    pub fn since<'a>(
        &'a self,
        observer: Observer,
        after: u64,
        words: Words<'a>,
    ) -> impl ExactSizeIterator<Item = v1::Event> + 'a {
        let published = self.by.get(observer.index(self.by.len() - 1)).map_or(&[][..], Vec::as_slice);
        let after = usize::try_from(after).unwrap_or(usize::MAX).min(published.len());
        published[after..].iter().enumerate().map(move |(index, &event)| {
            let seq = (after + index + 1) as u64;
            // They were written here, or read before.
            self.events
                .get(event as usize)
                .and_then(|bytes| wire::event::read(bytes, seq, words).ok())
                .unwrap_or_default()
        })
    }
}
