//! Papers that a side writes in a sealed node, before they are shown: its private frames ([`SideDraft`], [`Draft`]).
//!
//! Invariant: a draft holds what has been written, not the actions by which it was; equal papers are equal values.

use super::super::adjudicator::{LeaderSet, Order, Space, SpaceSet};
use super::super::realm::{LEADERS_A_SIDE, SPACES_MAX};
use super::NOWHERE;
use super::list::List;

/// The most parts that a side can have: each of its units by itself.
pub(in super::super) const PARTS_MAX: usize = 54;

/// The draft of a side, and whether it is committed.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub(in super::super) struct SideDraft {
    /// The draft that is written.
    pub(in super::super) draft: Draft,
    /// True if it is committed.
    pub(in super::super) committed: bool,
}

impl SideDraft {
    /// Returns whether the side was asked and has not committed.
    pub(in super::super) const fn is_to_act(&self) -> bool {
        !self.committed && !matches!(self.draft, Draft::Nothing)
    }

    /// Returns whether the side was asked.
    pub(in super::super) const fn asked(&self) -> bool {
        !matches!(self.draft, Draft::Nothing)
    }

    /// A fresh draft, not committed.
    pub(in super::super) const fn with(draft: Draft) -> Self {
        Self { draft, committed: false }
    }
}

/// The writing of a side.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
#[expect(clippy::large_enum_variant, reason = "a state is copied as memory, so nothing in it may be boxed")]
pub(in super::super) enum Draft {
    /// The side is not asked (S10).
    #[default]
    Nothing,
    /// Points of influence.
    Influence(Fund),
    /// Removals or builds, and the placing of leaders.
    Adjustment(Adjust),
    /// Orders, or retreats.
    Parts(Entry),
}

/// Points of influence being written, in any order.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(in super::super) struct Fund {
    /// Points by space.
    pub(in super::super) points: [u16; SPACES_MAX],
    /// Points that are not spent.
    pub(in super::super) left: u16,
}

impl Fund {
    /// Nothing spent of `points`.
    pub(in super::super) const fn new(points: u16) -> Self {
        Self { points: [0; SPACES_MAX], left: points }
    }
}

/// Removals, builds and placing being written.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(in super::super) struct Adjust {
    /// Removals still owed.
    pub(in super::super) owed: u8,
    /// Builds still possible.
    pub(in super::super) room: u8,
    /// Spaces where builds are still possible, earlier spaces included.
    pub(in super::super) sites: SpaceSet,
    /// Armies taken off, by space.
    pub(in super::super) removed: [u8; SPACES_MAX],
    /// Spaces where armies are built.
    pub(in super::super) built: SpaceSet,
    /// Number of leaders to be placed: all four, or none.
    pub(in super::super) to_place: u8,
    /// Spaces where the leaders placed so far start, in roster order.
    pub(in super::super) placed: List<Spot, LEADERS_A_SIDE>,
}

/// A space in a list; the default fills unused places.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in super::super) struct Spot(pub(in super::super) Space);

impl Default for Spot {
    fn default() -> Self {
        Self(NOWHERE)
    }
}

impl Adjust {
    /// Nothing written of what is owed and possible.
    pub(in super::super) fn new(owed: u8, room: u8, sites: SpaceSet, to_place: u8) -> Self {
        let (removed, placed) = ([0; SPACES_MAX], List::default());
        Self { owed, room, sites, removed, built: SpaceSet::EMPTY, to_place, placed }
    }
}

/// A part under one order (M23).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in super::super) struct Written {
    /// Space where it stands.
    pub(in super::super) space: Space,
    /// Its armies.
    pub(in super::super) armies: u8,
    /// Its leaders.
    pub(in super::super) leaders: LeaderSet,
    /// Its order; a retreat is a move.
    pub(in super::super) order: Order,
}

impl Default for Written {
    fn default() -> Self {
        Self { space: NOWHERE, armies: 0, leaders: LeaderSet::EMPTY, order: Order::Hold }
    }
}

/// A part whose leaders or order are still asked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in super::super) struct Making {
    /// Its armies.
    pub(in super::super) armies: u8,
    /// Its leaders so far.
    pub(in super::super) leaders: LeaderSet,
    /// The leaders who are still asked about.
    pub(in super::super) ask: LeaderSet,
}

/// Orders or retreats being written, space by space.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(in super::super) struct Entry {
    /// Spaces that are not closed.
    pub(in super::super) open: SpaceSet,
    /// The one of them that is being written; meaningless if there is none.
    pub(in super::super) at: Space,
    /// True if it was picked.
    pub(in super::super) picked: bool,
    /// Its armies that are in no part.
    pub(in super::super) armies: u8,
    /// Its leaders who are in no part.
    pub(in super::super) leaders: LeaderSet,
    /// The order of its last part.
    pub(in super::super) last: Option<Order>,
    /// The part under construction.
    pub(in super::super) part: Option<Making>,
    /// The parts so far, by space and then order.
    pub(in super::super) parts: List<Written, PARTS_MAX>,
}

/// The thing that an [`Entry`] asks for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in super::super) enum Stage {
    /// A space with several units: a part, or that the rest holds.
    What,
    /// The next leader of a part.
    Leaders,
    /// The order of a part.
    Order,
    /// A space with one unit: its order, or that it holds.
    Whole,
    /// All spaces are closed.
    Commit,
}

impl Entry {
    /// Returns what is asked for.
    pub(in super::super) fn stage(&self) -> Stage {
        match self.part {
            _ if self.open.is_empty() => Stage::Commit,
            Some(part) if !part.ask.is_empty() => Stage::Leaders,
            Some(_) => Stage::Order,
            None if self.last.is_none() && usize::from(self.armies) + self.leaders.len() == 1 => Stage::Whole,
            None => Stage::What,
        }
    }

    /// Returns whether the space has no part yet.
    pub(in super::super) const fn untouched(&self) -> bool {
        self.last.is_none() && self.part.is_none()
    }

    /// The part that an order would go to: the one under construction, or the only unit of the space.
    pub(in super::super) fn subject(&self) -> Making {
        self.part.unwrap_or(Making { armies: self.armies, leaders: self.leaders, ask: LeaderSet::EMPTY })
    }

    /// Returns whether the subject is all that stands in the space.
    pub(in super::super) fn is_whole(&self) -> bool {
        let subject = self.subject();
        self.last.is_none() && subject.armies == self.armies && subject.leaders == self.leaders
    }

    /// Puts the subject under `order`.
    pub(in super::super) fn write(&mut self, order: Order) {
        let Making { armies, leaders, .. } = self.subject();
        let at = self.parts.partition_point(|part| (part.space, part.order) < (self.at, order));
        self.parts.insert(at, Written { space: self.at, armies, leaders, order });
        self.armies -= armies;
        self.leaders = self.leaders - leaders;
        self.part = None;
        self.last = Some(order);
    }

    /// Returns whether all units of the space are in parts.
    pub(in super::super) const fn used_up(&self) -> bool {
        self.armies == 0 && self.leaders.is_empty()
    }
}
