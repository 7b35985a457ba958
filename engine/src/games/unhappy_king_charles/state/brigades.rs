//! Brigades: where each counter is, who knows its face, and what is derived of that ([`Brigades`]).
//!
//! Invariant: `held` has the bit of a counter at its holder and nowhere else, and `bearing`, `outside` and `inside` follow from the
//! counters; counters of one face stand in the order of their holders and marks, so that equal states encode equally.

use bitflags::bitflags;

use crate::seat::Seat;

use super::super::content::brigades::BrigadeBack;
use super::super::content::ids::{AreaSet, BrigadeFace, CounterId, CounterSet, FaceSet, FortressSet};
use super::super::content::{COUNTERS, Content, SEATS};
use super::holder::{Holder, Holding};

bitflags! {
    /// Marks of a Brigade counter.
    #[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
    pub(in super::super) struct Marks: u16 {
        /// The other side knows its face (16.0).
        const KNOWN = 1;
        /// Everybody knows its face.
        const PUBLIC = 1 << 1;
        /// It was in an Army that took a line by Movement Points in an earlier Activation of the card being played (X6).
        const MOVED = 1 << 2;
        /// A turncoat: it fights for the side that its face does not name (10.6).
        const TURNED = 1 << 3;
        /// Selected for Desertion; it goes when both sides have selected (H15).
        const DESERTING = 1 << 4;
        /// Lost in the result of the Battle under way (B13).
        const FALLEN = 1 << 5;
        /// Of the garrison, or of the besieger's surplus: picked to fight in the Battle under way (F13). Or picked to reform (R11).
        const PICKED = 1 << 6;
        /// It was in an Army that took a line by Movement Points in the Activation under way: from its end on it has moved (X6).
        const MOVING = 1 << 7;
        /// It bore [`Marks::MOVED`] on the Campaign card whose bonus queue is being played (X6, B17).
        const PAUSED = 1 << 8;
    }
}

/// The number of marks.
const MARKS: usize = Marks::all().bits().count_ones() as usize;

impl Marks {
    /// The bits of these marks, in order.
    fn bits_set(self) -> impl Iterator<Item = usize> {
        (0..MARKS).filter(move |bit| self.bits() >> bit & 1 != 0)
    }

    /// All that is known of a face.
    pub(in super::super) const KNOWLEDGE: Self = Self::KNOWN.union(Self::PUBLIC);
}

/// A Brigade counter.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(in super::super) struct Counter {
    /// The place where it is.
    pub(in super::super) at: Holder,
    /// All that is marked on it.
    pub(in super::super) marks: Marks,
}

/// Those who may know the face of a Brigade that goes from one place to another.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(in super::super) enum Told {
    /// Everybody sees the face.
    Public,
    /// All that was known of it stays known: no choice was hidden.
    AsBefore,
    /// Its own side chose it in secret: what was known of it, and of those that it was chosen among, lapses (X9).
    Hidden,
}

/// All Brigade counters.
#[derive(Clone, Debug)]
pub(in super::super) struct Brigades {
    counters: [Counter; COUNTERS],
    held: [CounterSet; Holder::BOUND],
    /// Those that bear each mark, by its bit.
    bearing: [CounterSet; MARKS],
    /// Areas with unled Brigades of each side outside of a Fortress, by seat.
    outside: [AreaSet; 2],
    /// Fortresses with unled Brigades of each side inside, by seat.
    inside: [FortressSet; 2],
}

impl Brigades {
    /// All counters out of the game.
    #[must_use]
    pub(in super::super) fn new() -> Self {
        let mut brigades = Self::nowhere([Counter { at: Holder::OUT, marks: Marks::empty() }; COUNTERS]);
        brigades.held[Holder::OUT] = CounterSet::first_of(COUNTERS);
        brigades
    }

    /// These counters, of which none is at a place.
    const fn nowhere(counters: [Counter; COUNTERS]) -> Self {
        Self {
            counters,
            held: [CounterSet::EMPTY; Holder::BOUND],
            bearing: [CounterSet::EMPTY; MARKS],
            outside: [AreaSet::EMPTY; 2],
            inside: [FortressSet::EMPTY; 2],
        }
    }

    /// Of these counters, in their canonical order.
    #[must_use]
    pub(in super::super) fn of(content: &Content, counters: [Counter; COUNTERS]) -> Self {
        let mut brigades = Self::nowhere(counters);
        brigades.lay(content, FaceSet::first_of(content.faces.len()));
        brigades
    }

    /// The counters, in order.
    #[must_use]
    pub(in super::super) const fn counters(&self) -> &[Counter; COUNTERS] {
        &self.counters
    }

    /// A counter.
    #[must_use]
    pub(in super::super) fn get(&self, counter: CounterId) -> Counter {
        self.counters[counter]
    }

    /// The counters at a place.
    #[must_use]
    pub(in super::super) fn at(&self, holder: impl Into<Holder>) -> CounterSet {
        self.held[holder.into()]
    }

    /// The number of counters at a place.
    #[must_use]
    pub(in super::super) fn count(&self, holder: impl Into<Holder>) -> u8 {
        self.at(holder).count() as u8
    }

    /// The back under which others see a counter: a turncoat is under the first back of the side that it serves (X11).
    #[must_use]
    pub(in super::super) fn back(&self, content: &Content, counter: CounterId) -> BrigadeBack {
        if self.counters[counter].marks.contains(Marks::TURNED) {
            return BrigadeBack::first_of(self.side(content, counter));
        }
        content.faces[content.face_of[counter]].faction.back()
    }

    /// The counters of a side that others see under a back (X11).
    #[must_use]
    pub(in super::super) fn of_back(&self, content: &Content, seat: Seat, back: BrigadeBack) -> CounterSet {
        let own = self.of_side(content, CounterSet::first_of(content.face_of.len()), seat);
        let turned = self.marked(own, Marks::TURNED);
        let bands = content.bands_that(|faction| faction.back() == back);
        (own - turned) & bands | if back == BrigadeBack::first_of(seat) { turned } else { CounterSet::EMPTY }
    }

    /// The side that a counter fights for: its face's, or for a turncoat the other one.
    #[must_use]
    pub(in super::super) fn side(&self, content: &Content, counter: CounterId) -> Seat {
        let printed = content.faces[content.face_of[counter]].faction.seat();
        if self.counters[counter].marks.contains(Marks::TURNED) { printed.other() } else { printed }
    }

    /// Those of a set that fight for a side.
    #[must_use]
    pub(in super::super) fn of_side(
        &self,
        content: &Content,
        counters: CounterSet,
        seat: Seat,
    ) -> CounterSet {
        let printed = content.counters_of[seat.index()];
        let turned = self.marked(counters, Marks::TURNED);
        ((counters & printed) - turned) | (turned - printed)
    }

    /// Areas with unled Brigades of a side, outside of a Fortress.
    #[must_use]
    pub(in super::super) const fn areas_outside(&self, seat: Seat) -> AreaSet {
        self.outside[seat.index()]
    }

    /// Printed Fortresses with unled Brigades of a side inside.
    #[must_use]
    pub(in super::super) const fn fortresses_inside(&self, seat: Seat) -> FortressSet {
        self.inside[seat.index()]
    }

    /// Those of a set that bear any of these marks.
    #[must_use]
    pub(in super::super) fn marked(&self, counters: CounterSet, marks: Marks) -> CounterSet {
        let bearing = marks.bits_set().fold(CounterSet::EMPTY, |all, bit| all | self.bearing[bit]);
        counters & bearing
    }

    /// The sum of Combat Values of a set (10.2).
    #[must_use]
    pub(in super::super) fn value(&self, content: &Content, counters: CounterSet) -> u8 {
        counters.iter().map(|counter| content.faces[content.face_of[counter]].value).sum()
    }

    /// The faces of a set.
    #[must_use]
    pub(in super::super) fn faces(&self, content: &Content, counters: CounterSet) -> FaceSet {
        counters.iter().map(|counter| content.face_of[counter]).collect()
    }

    /// The first counter of a face in a set.
    #[must_use]
    pub(in super::super) fn of_face(
        &self,
        content: &Content,
        counters: CounterSet,
        face: BrigadeFace,
    ) -> Option<CounterId> {
        (counters & content.faces[face].counters()).first()
    }

    /// A counter goes to a place. Counters are numbered anew by it: a number of one with the same face that was kept means another now.
    pub(in super::super) fn put(&mut self, content: &Content, counter: CounterId, to: Holder, told: Told) {
        let before = self.counters[counter];
        let mut lapsing = CounterSet::EMPTY;
        if told == Told::Hidden {
            let back = self.back(content, counter);
            let alike = self.at(before.at).that(|other| self.back(content, other) == back);
            if alike.count() > 1 {
                lapsing = alike;
            }
        }
        let faces = self.faces(content, lapsing) | FaceSet::one(content.face_of[counter]);
        self.lift(content, faces);
        for other in lapsing {
            self.counters[other].marks -= Marks::KNOWLEDGE;
        }
        if told == Told::Public {
            self.counters[counter].marks |= Marks::KNOWLEDGE;
        }
        self.counters[counter].at = to;
        self.lay(content, faces);
    }

    /// All counters of a place go to another, with what is known of them.
    pub(in super::super) fn put_all(&mut self, content: &Content, from: Holder, to: Holder) {
        self.change(content, self.at(from), |counter| counter.at = to);
    }

    /// Changes counters, and puts those with their faces in order.
    pub(in super::super) fn change(
        &mut self,
        content: &Content,
        counters: CounterSet,
        change: impl Fn(&mut Counter),
    ) {
        let faces = self.faces(content, counters);
        self.lift(content, faces);
        for counter in counters {
            change(&mut self.counters[counter]);
        }
        self.lay(content, faces);
    }

    /// Marks counters.
    pub(in super::super) fn mark(&mut self, content: &Content, counters: CounterSet, marks: Marks) {
        self.change(content, counters, |counter| counter.marks |= marks);
    }

    /// Takes marks off counters.
    pub(in super::super) fn unmark(&mut self, content: &Content, counters: CounterSet, marks: Marks) {
        let marked = self.marked(counters, marks);
        self.change(content, marked, |counter| counter.marks -= marks);
    }

    /// Takes counters of these faces from their places, before they change.
    fn lift(&mut self, content: &Content, faces: FaceSet) {
        for counter in faces.iter().flat_map(|face| content.faces[face].counters()) {
            let at = self.counters[counter].at;
            self.held[at].remove(counter);
            self.derive(content, at);
        }
    }

    /// Notes whose unled Brigades are at a place.
    fn derive(&mut self, content: &Content, holder: Holder) {
        let holding = holder.holding();
        if !matches!(holding, Holding::Outside(_) | Holding::Inside(_)) {
            return;
        }
        for seat in SEATS {
            let there = !self.of_side(content, self.held[holder], seat).is_empty();
            match holding {
                Holding::Outside(area) if there => self.outside[seat.index()].insert(area),
                Holding::Outside(area) => self.outside[seat.index()].remove(area),
                Holding::Inside(fortress) if there => self.inside[seat.index()].insert(fortress),
                Holding::Inside(fortress) => self.inside[seat.index()].remove(fortress),
                _ => unreachable!("unled Brigades are outside or inside"),
            }
        }
    }

    /// Puts counters with one face, which nothing tells apart, in the order of their places and marks, and back to their places.
    fn lay(&mut self, content: &Content, faces: FaceSet) {
        for face in faces {
            let alike = content.faces[face].counters();
            self.bearing = self.bearing.map(|bearing| bearing - alike);
            let (Some(first), Some(last)) = (alike.first(), alike.last()) else { continue };
            self.counters[first.index()..=last.index()]
                .sort_unstable_by_key(|counter| (counter.at, counter.marks));
            for counter in alike {
                let Counter { at, marks } = self.counters[counter];
                marks.bits_set().for_each(|bit| self.bearing[bit].insert(counter));
                self.held[at].insert(counter);
                self.derive(content, at);
            }
        }
    }
}

/// Everything else follows from the counters.
impl PartialEq for Brigades {
    fn eq(&self, other: &Self) -> bool {
        self.counters == other.counters
    }
}

impl Eq for Brigades {}

impl Default for Brigades {
    fn default() -> Self {
        Self::new()
    }
}
