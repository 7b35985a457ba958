//! The sequence of one observer of a match ([`Sequence`]): a number for each event that was published to them, and which of a
//! match's events it is.

/// The events published to one observer, by their numbers in the observer's own sequence: from 1, without a gap.
///
/// A run of numbers whose events were superseded is kept as one run, however long it is.
#[derive(Clone, Default, Debug)]
pub(super) struct Sequence {
    /// Places among the match's events, of the numbers that are in no run.
    places: Vec<u32>,
    /// Ascending; each is followed by an event.
    runs: Vec<Run>,
}

/// Numbers whose events were superseded.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
struct Run {
    /// Number of the places before it.
    at: usize,
    /// The number before its first.
    after: usize,
    /// Count of its numbers.
    count: usize,
    /// Count of its numbers and those of all runs before.
    total: usize,
}

/// The event of a number.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) enum Numbered {
    /// The event at this place among the match's events.
    At(u32),
    /// It was superseded, and nothing is left of it but the number.
    Superseded,
}

impl Sequence {
    /// Returns the last number; 0: none yet.
    pub(super) fn len(&self) -> usize {
        self.places.len() + self.runs.last().map_or(0, |run| run.total)
    }

    /// The places of its events that are left, in order.
    pub(super) fn places(&self) -> &[u32] {
        &self.places
    }

    /// Returns the number of bytes that it has in memory beside itself.
    pub(super) fn memory_bytes(&self) -> usize {
        self.places.capacity() * size_of::<u32>() + self.runs.capacity() * size_of::<Run>()
    }

    /// Gives the next number to the event at `place`.
    pub(super) fn push(&mut self, place: u32) {
        self.places.push(place);
    }

    /// Gives the next `count` numbers to events that were superseded. An event has to follow.
    pub(super) fn skip(&mut self, count: usize) {
        if count > 0 {
            let (at, after) = (self.places.len(), self.len());
            self.runs.push(Run { at, after, count, total: after - at + count });
        }
    }

    /// Takes back all that came after the first `places` of its places.
    pub(super) fn truncate(&mut self, places: usize) {
        self.places.truncate(places);
        self.runs.retain(|run| run.at < places);
    }

    /// The event of `number`; `None` if there is no such number yet.
    pub(super) fn get(&self, number: usize) -> Option<Numbered> {
        let runs = self.runs.partition_point(|run| run.after < number);
        let skipped = match runs.checked_sub(1).map(|index| self.runs[index]) {
            Some(run) if number <= run.after + run.count => return Some(Numbered::Superseded),
            Some(run) => run.total,
            None => 0,
        };
        let index = number.checked_sub(skipped + 1)?;
        self.places.get(index).copied().map(Numbered::At)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(sequence: &Sequence) -> Vec<Option<u32>> {
        let place = |number| match sequence.get(number).expect("a number") {
            Numbered::At(place) => Some(place),
            Numbered::Superseded => None,
        };
        (1..=sequence.len()).map(place).collect()
    }

    #[test]
    fn numbers_go_on_over_what_was_superseded() {
        let mut sequence = Sequence::default();
        assert_eq!((sequence.len(), sequence.get(0), sequence.get(1)), (0, None, None));
        sequence.skip(0);
        sequence.skip(2);
        sequence.push(7);
        sequence.push(8);
        sequence.skip(1);
        sequence.push(9);
        let expected = [None, None, Some(7), Some(8), None, Some(9)];
        assert_eq!(all(&sequence), expected);
        assert_eq!((sequence.len(), sequence.places()), (6, &[7, 8, 9][..]));
        assert_eq!((sequence.get(0), sequence.get(7)), (None, None));
    }

    #[test]
    fn what_is_taken_back_takes_its_runs_along() {
        let mut sequence = Sequence::default();
        sequence.push(1);
        sequence.skip(3);
        sequence.push(2);
        sequence.skip(5);
        sequence.push(3);
        sequence.truncate(2);
        assert_eq!(all(&sequence), [Some(1), None, None, None, Some(2)]);
        sequence.truncate(1);
        assert_eq!(all(&sequence), [Some(1)]);
        sequence.skip(1_000_000);
        sequence.push(4);
        assert_eq!((sequence.len(), sequence.get(1_000_002)), (1_000_002, Some(Numbered::At(4))));
    }
}
