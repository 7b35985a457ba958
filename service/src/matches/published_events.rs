//! The events published to the observers of a match ([`PublishedEvents`]), as they are sent.

use edgehill_engine::registry::AnyTable;
use edgehill_engine::seat::{Observer, Seat};
use edgehill_engine::table::ObservedEvent;
use edgehill_proto::v1;
use smallvec::SmallVec;

use super::packed::Packed;
use super::published::{Events, Places, Published, Publishing};
use crate::wire::{self, TextMode};

/// The events of a match in the bytes in which they are published (`edgehill.v1`, without numbers and words), each once, and
/// which of them were published to each observer. The table forgets what is here.
#[derive(Clone, Debug)]
pub struct PublishedEvents {
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

impl PublishedEvents {
    /// Nothing yet, in a match of so many seats.
    pub(super) fn new(seats: usize) -> Self {
        Self { events: Packed::default(), by: vec![Vec::new(); seats + 1] }
    }

    /// Returns the number of bytes that it has in memory beside itself.
    pub(super) fn memory_bytes(&self) -> usize {
        let places: usize = self.by.iter().map(|by| size_of_val(by) + by.capacity() * size_of::<u32>()).sum();
        self.events.memory_bytes() + places
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
        let observed = self.by.iter().zip(&mark.by).map(|(by, &from)| Places { places: &by[from..], first });
        let events = Events { from: Some(&self.events), first: mark.events };
        Publishing { events, observed: observed.collect(), starts: Vec::new() }
    }

    /// Takes over from a table the events published to its observers.
    pub(super) fn take_from(&mut self, table: &mut dyn AnyTable) {
        let first = self.events.len();
        let mut known: SmallVec<[&ObservedEvent; 8]> = SmallVec::new();
        for (observer, by) in Observer::all(table.seats()).zip(&mut self.by) {
            // Most events of one observer are published to all, in the same order.
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
        let Published { events, observed, .. } = published;
        let first = self.events.len() as u32;
        if observed.iter().flatten().any(|&index| usize::from(index) >= events.len()) {
            return Err("an observer has an event that is not there".to_owned());
        }
        for (by, observed) in self.by.iter_mut().zip(&observed) {
            by.extend(observed.iter().map(|&index| first + u32::from(index)));
        }
        for event in events {
            wire::event::read(&event, 0, TextMode::OFF).map_err(|error| error.to_string())?;
            self.events.push(|bytes| bytes.extend_from_slice(&event));
        }
        Ok(())
    }

    /// Returns the events published to `observer` after number `after` of their sequence, in order.
    pub fn since<'a>(
        &'a self,
        observer: Observer,
        after: u64,
        words: TextMode<'a>,
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
