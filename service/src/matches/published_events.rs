//! The events published to the observers of a match ([`PublishedEvents`]), as they are sent.

use std::borrow::Cow;

use edgehill_engine::registry::AnyTable;
use edgehill_engine::seat::{Observer, Seat};
use edgehill_engine::table::ObservedEvent;
use serde_bytes::ByteBuf;
use smallvec::SmallVec;

use super::encoder::{Encoder, StreamHashBytes};
use super::packed::Packed;
use super::published::{Events, Places, Published, Publishing};
use super::sequence::{Numbered, Sequence};
use super::stream_hashes::StreamHashes;
use crate::store::MatchId;

/// The events of a match in the bytes in which they are published (without numbers and words), each once, and
/// which of them were published to each observer. The table forgets what is here.
#[derive(Clone, Debug)]
pub struct PublishedEvents {
    encoder: &'static dyn Encoder,
    events: Packed,
    /// By observer, the seats in order and then the spectators.
    by: Vec<Sequence>,
    hashes: StreamHashes,
}

/// An event of an observer's sequence, as it is kept.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PublishedEvent<'a> {
    /// Its number in the sequence: the one published first is number 1.
    pub seq: u64,
    /// The event as its [`Encoder`] has it, without number and words.
    pub bytes: Cow<'a, [u8]>,
}

/// The amount of it that there was at some moment.
#[derive(Copy, Clone, PartialEq, Eq, Default, Debug)]
pub(super) struct Mark {
    events: u32,
    /// By observer, the number of places.
    by: [u32; Seat::MAX + 1],
}

impl PublishedEvents {
    /// Nothing yet, in a match of this id and of so many seats.
    pub(super) fn new(id: MatchId, seats: usize, encoder: &'static dyn Encoder) -> Self {
        let by = vec![Sequence::default(); seats + 1];
        Self { encoder, events: Packed::default(), by, hashes: StreamHashes::new(id, seats) }
    }

    /// Returns the encoding of what is published.
    pub(super) const fn encoder(&self) -> &'static dyn Encoder {
        self.encoder
    }

    /// Returns the number of bytes that it has in memory beside itself.
    pub(super) fn memory_bytes(&self) -> usize {
        let places: usize = self.by.iter().map(|by| size_of_val(by) + by.memory_bytes()).sum();
        self.events.memory_bytes() + places + self.hashes.memory_bytes()
    }

    /// Returns the amount that there is.
    pub(super) fn mark(&self) -> Mark {
        let mut mark = Mark { events: self.events.len() as u32, ..Mark::default() };
        for (length, published) in mark.by.iter_mut().zip(&self.by) {
            *length = published.places().len() as u32;
        }
        mark
    }

    /// Returns the length of an observer's sequence.
    #[must_use]
    pub fn len(&self, observer: Observer) -> usize {
        self.by.get(observer.index(self.by.len() - 1)).map_or(0, Sequence::len)
    }

    /// Returns the events that came after `mark`, for an entry.
    pub(super) fn publishing(&self, mark: &Mark) -> Publishing<'_> {
        let first = mark.events;
        let observed = self
            .by
            .iter()
            .zip(&mark.by)
            .map(|(by, &from)| Places { places: &by.places()[from as usize..], first });
        let events = Events { from: Some(&self.events), first: first as usize };
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
                    self.events.push(|bytes| self.encoder.write_event(seen, bytes));
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
        if observed.len() > self.by.len() {
            return Err("it was published to observers that are not there".to_owned());
        }
        if observed.iter().flatten().any(|&index| usize::from(index) >= events.len()) {
            return Err("an observer has an event that is not there".to_owned());
        }
        for (by, observed) in self.by.iter_mut().zip(&observed) {
            observed.iter().for_each(|&index| by.push(first + u32::from(index)));
        }
        for event in events {
            self.encoder.check_event(&event)?;
            self.events.push(|bytes| bytes.extend_from_slice(&event));
        }
        Ok(())
    }

    /// Takes back all that came after `mark`, and puts one event in the place of each observer's. `drafts` are those of the
    /// seats by now. The events in their place say what the running hashes came to. Returns the count of numbers of each observer whose events are gone, and the events in their place.
    pub(super) fn supersede(&mut self, mark: &Mark, drafts: &[Vec<u16>]) -> (Vec<u64>, Published) {
        let seats = self.by.len() - 1;
        let hashes: Vec<StreamHashBytes> =
            Observer::all(seats).map(|observer| self.stream_hash(observer)).collect();
        let (mut gone, mut one) = (Vec::with_capacity(self.by.len()), Published::default());
        for (index, (by, &places)) in self.by.iter_mut().zip(&mark.by).enumerate() {
            let places = places as usize;
            let events: Vec<&[u8]> =
                by.places()[places..].iter().filter_map(|&place| self.events.get(place as usize)).collect();
            let before = by.len();
            by.truncate(places);
            let count = before - by.len();
            gone.push(count.saturating_sub(1) as u64);
            one.observed.push(Vec::new());
            if count > 0 {
                let draft = drafts.get(index).map_or(&[][..], Vec::as_slice);
                one.observed[index].push(one.events.len() as u16);
                one.events.push(ByteBuf::from(self.encoder.superseding(&events, draft, hashes[index])));
            }
        }
        self.events.truncate(mark.events as usize);
        self.take_superseded(&gone, one.clone()).expect("it was made here, for the same observers");
        (gone, one)
    }

    /// Takes over what [`PublishedEvents::supersede`] has returned.
    ///
    /// # Errors
    /// Says what of it can't be read.
    pub(super) fn take_superseded(&mut self, gone: &[u64], published: Published) -> Result<(), String> {
        if gone.len() != self.by.len() || published.observed.len() != self.by.len() {
            return Err("it was published to observers that are not there".to_owned());
        }
        for ((by, &gone), observed) in self.by.iter_mut().zip(gone).zip(&published.observed) {
            if gone > 0 && observed.is_empty() {
                return Err("nothing takes the place of events that are gone".to_owned());
            }
            by.skip(usize::try_from(gone).map_err(|error| error.to_string())?);
        }
        self.take_published(published)
    }

    /// Returns the running hash of an observer after all that was published to them (docs/record.md, "Receipts").
    #[must_use]
    pub fn stream_hash(&self, observer: Observer) -> StreamHashBytes {
        self.stream_hash_at(observer, u64::MAX)
    }

    /// The same after number `seq`, of an observer of whom nobody has asked for more: they see no more of it yet.
    #[must_use]
    pub fn stream_hash_at(&self, observer: Observer, seq: u64) -> StreamHashBytes {
        let of = (observer, self.by.len() - 1);
        let seen = |after| self.since(observer, after).take_while(move |event| event.seq <= seq);
        self.hashes.after_all(of, self.encoder, seen)
    }

    /// Returns the events published to `observer` after number `after` of their sequence, in order.
    pub fn since(&self, observer: Observer, after: u64) -> impl ExactSizeIterator<Item = PublishedEvent<'_>> {
        let length = self.len(observer);
        let after = usize::try_from(after).unwrap_or(usize::MAX).min(length);
        (after..length).map(move |before| self.event(observer, before + 1))
    }

    /// The event of a number of an observer's sequence.
    fn event(&self, observer: Observer, number: usize) -> PublishedEvent<'_> {
        let numbered = self.by.get(observer.index(self.by.len() - 1)).and_then(|by| by.get(number));
        let bytes = match numbered.expect("the number is of the observer's sequence") {
            Numbered::At(place) => Cow::Borrowed(
                self.events.get(place as usize).expect("events are kept as long as their places"),
            ),
            Numbered::Superseded => Cow::Owned(self.encoder.superseded()),
        };
        PublishedEvent { seq: number as u64, bytes }
    }
}
