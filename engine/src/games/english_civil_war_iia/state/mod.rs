//! Everything that the rules remember of a match ([`State`]): flat, without pointers, copied as memory.

pub(super) mod draft;
pub(super) mod list;

use crate::seat::{Seat, SeatSet};

use self::draft::SideDraft;
use self::list::List;
use super::adjudicator::{LeaderId, LeaderSet, Order, Space, SpaceSet};
use super::realm::{LEADERS, Realm, SIDES, SPACES_MAX, all_leaders, roster, side_of, sign};
use super::rules;

/// The most lines of a report: every unit in a part of its own, and every second one dislodged and listed again.
pub(super) const REPORT_MAX: usize = 96;
/// The most stacks that can be dislodged in a month: each takes at least three units, or two where a leader without strength
/// is driven out, and there are at most 58.
pub(super) const DISLODGED_MAX: usize = 24;

/// The place of a leader.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Place {
    /// Not on the board yet.
    Unplaced,
    /// In a space.
    At(Space),
    /// Dislodged from a space, and not retreated yet.
    Dislodged(Space),
    /// Captured.
    Lost,
}

/// When it is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Date {
    /// Points/build seasons so far, from 1: December 1642.
    pub season: u8,
    /// 0 in the season itself, 1 to 3 in the movement months after it.
    pub month: u8,
}

/// The procedure that is under way; with the date and the seats' drafts it is the whole flow.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Phase {
    /// Both sides write influence.
    Influence,
    /// Both sides write removals, builds and the placing of leaders.
    Adjustment,
    /// Both sides write orders.
    Orders,
    /// Dislodged stacks retreat.
    Retreats,
    /// The match has ended.
    Over(Verdict),
}

/// The way the match ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Verdict {
    /// The winner; `None`: nobody.
    pub winner: Option<Seat>,
    /// By which clause.
    pub clause: Clause,
}

crate::coded_variants! {
    /// A way for a match to end.
    pub(super) enum Clause "a clause" {
        /// At least twice the enemy's units (V1).
        TwiceUnits,
        /// More units, and the enemy's victory leader is lost (V3).
        LeaderLost,
        /// More units after the last season (V9).
        OnUnits,
        /// As many units, and more counties (V9).
        OnWeight,
        /// Equal in all, or nobody is left (V4, V9).
        Drawn,
    }
}

/// The result of a part, for the arrows that stay until the next month opens.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct ReportLine {
    /// Seat that the part belongs to.
    pub seat: Seat,
    /// Space where it stood.
    pub space: Space,
    /// Its armies.
    pub armies: u8,
    /// Its leaders.
    pub leaders: LeaderSet,
    /// Its order; in a retreat a move, or a hold for what disbands.
    pub order: Order,
    /// True if it is the retreat of a dislodged part.
    pub retreat: bool,
    /// Its result: an index into [`super::codes::CODES`].
    pub code: u8,
    /// The strength it acted with.
    pub strength: u8,
    /// Strength that was left of a support.
    pub left: u8,
    /// True if it stayed and was dislodged.
    pub dislodged: bool,
}

impl Default for ReportLine {
    fn default() -> Self {
        Self {
            seat: SIDES[0],
            space: NOWHERE,
            armies: 0,
            leaders: LeaderSet::EMPTY,
            order: Order::Hold,
            retreat: false,
            code: 0,
            strength: 0,
            left: 0,
            dislodged: false,
        }
    }
}

/// A dislodged stack that has not retreated yet.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Driven {
    /// Space where it was.
    pub space: Space,
    /// Seat that it belongs to.
    pub seat: Seat,
    /// Its armies.
    pub armies: u8,
    /// Its leaders.
    pub leaders: LeaderSet,
    /// Spaces to which a part with an army may go.
    pub to: SpaceSet,
    /// Spaces to which leaders without an army may go.
    pub alone_to: SpaceSet,
}

impl Default for Driven {
    fn default() -> Self {
        let (seat, to) = (SIDES[0], SpaceSet::EMPTY);
        Self { space: NOWHERE, seat, armies: 0, leaders: LeaderSet::EMPTY, to, alone_to: to }
    }
}

impl Driven {
    /// Returns whether it has anything to decide (M27).
    pub(super) const fn can_retreat(&self) -> bool {
        (self.armies > 0 && !self.to.is_empty()) || (!self.leaders.is_empty() && !self.alone_to.is_empty())
    }
}

/// A filler for unused places.
pub(super) const NOWHERE: Space = match Space::new(0) {
    Some(space) => space,
    None => panic!("a board has a first space"),
};

/// A match between two actions. Only the rules make one, so its fields keep to each other.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct State {
    /// Option `max_seasons`.
    pub(super) max_seasons: u8,
    /// Option `cut_all`.
    pub(super) cut_all: bool,
    pub(super) date: Date,
    pub(super) phase: Phase,
    /// Ratings by space.
    pub(super) bias: [i16; SPACES_MAX],
    /// Armies by space; whose they are, [`State::stands`] knows.
    pub(super) armies: [u8; SPACES_MAX],
    /// The spaces where each side has units.
    pub(super) stands: [SpaceSet; 2],
    pub(super) leaders: [Place; LEADERS],
    /// Months that each leader has stood.
    pub(super) clocks: [u8; LEADERS],
    /// The regular centres of each side.
    pub(super) regular: [SpaceSet; 2],
    /// The centres that leaders of each side have made.
    pub(super) founded: [SpaceSet; 2],
    /// Saved points of influence.
    pub(super) points: [u16; 2],
    /// Retreats only: the dislodged stacks, in board order.
    pub(super) driven: List<Driven, DISLODGED_MAX>,
    /// Results of the month; empty while orders are written.
    pub(super) report: List<ReportLine, REPORT_MAX>,
    /// The drafts of both sides.
    pub(super) side_drafts: [SideDraft; 2],
}

impl State {
    /// The bare board of a content set: ratings and owners of the start, no units, December 1642.
    pub(super) fn bare(realm: &Realm, max_seasons: u8, cut_all: bool) -> Self {
        let mut bias = [0; SPACES_MAX];
        for (rating, county) in bias.iter_mut().zip(&realm.counties) {
            *rating = county.bias;
        }
        let regular = SIDES.map(|seat| realm.regular & realm.homes[seat.index()]);
        Self {
            max_seasons,
            cut_all,
            date: Date { season: 1, month: 0 },
            phase: Phase::Influence,
            bias,
            armies: [0; SPACES_MAX],
            stands: [SpaceSet::EMPTY; 2],
            leaders: [Place::Unplaced; LEADERS],
            clocks: [0; LEADERS],
            regular,
            founded: [SpaceSet::EMPTY; 2],
            points: [0; 2],
            driven: List::default(),
            report: List::default(),
            side_drafts: [SideDraft::default(); 2],
        }
    }

    /// The rating of a space as control goes by it (I1).
    fn rating(&self, space: Space) -> i16 {
        let bias = self.bias[space.index()];
        // Saved bytes may hold ratings that no match comes to.
        rules::CONTROL.gives(bias, bias.saturating_mul(2).saturating_add(1))
    }

    /// Returns who controls a space (I1).
    pub(super) fn control(&self, space: Space) -> Option<Seat> {
        match self.rating(space) {
            0 => None,
            1.. => Some(SIDES[0]),
            _ => Some(SIDES[1]),
        }
    }

    /// Returns whether `seat` controls a space.
    pub(super) fn controls(&self, seat: Seat, space: Space) -> bool {
        self.rating(space) * sign(seat) > 0
    }

    /// Returns whether the other side controls a space.
    pub(super) fn enemy_controls(&self, seat: Seat, space: Space) -> bool {
        self.rating(space) * sign(seat) < 0
    }

    /// Returns the side whose units stand in a space.
    pub(super) fn side_in(&self, space: Space) -> Option<Seat> {
        SIDES.into_iter().find(|seat| self.stands[seat.index()].contains(space))
    }

    /// The armies of `seat` in a space.
    pub(super) const fn armies_of(&self, seat: Seat, space: Space) -> u8 {
        if self.stands[seat.index()].contains(space) { self.armies[space.index()] } else { 0 }
    }

    /// All spaces with units.
    pub(super) fn occupied(&self) -> SpaceSet {
        self.stands[0] | self.stands[1]
    }

    /// The leaders in a space, dislodged ones left out.
    pub(super) fn leaders_in(&self, space: Space) -> LeaderSet {
        let here = |leader: &LeaderId| self.leaders[leader.index()] == Place::At(space);
        all_leaders().filter(here).collect()
    }

    /// Returns the number of armies of `seat` on the board.
    pub(super) fn army_count(&self, seat: Seat) -> u8 {
        self.stands[seat.index()].iter().map(|space| self.armies[space.index()]).sum()
    }

    /// Returns the number of leaders of `seat` on the board.
    pub(super) fn leader_count(&self, seat: Seat) -> u8 {
        roster(seat).filter(|leader| matches!(self.leaders[leader.index()], Place::At(_))).count() as u8
    }

    /// Sets the armies of `seat` in a space that the other side does not stand in.
    pub(super) fn set_armies(&mut self, seat: Seat, space: Space, armies: u8) {
        self.armies[space.index()] = armies;
        self.restand(seat, space);
    }

    /// Puts a leader somewhere, or takes them off.
    pub(super) fn set_leader(&mut self, leader: LeaderId, place: Place) {
        let before = std::mem::replace(&mut self.leaders[leader.index()], place);
        for place in [before, place] {
            if let Place::At(space) = place {
                self.restand(side_of(leader), space);
            }
        }
    }

    /// Looks again whether `seat` stands in `space`.
    fn restand(&mut self, seat: Seat, space: Space) {
        let armed = self.armies[space.index()] > 0 && !self.stands[seat.other().index()].contains(space);
        let led = roster(seat).any(|leader| self.leaders[leader.index()] == Place::At(space));
        let stands = &mut self.stands[seat.index()];
        if armed || led {
            stands.insert(space);
        } else {
            stands.remove(space);
        }
    }

    /// Returns the seats that are still to act: those that were asked and have not committed.
    pub(super) fn to_act(&self) -> SeatSet {
        SIDES.into_iter().filter(|seat| self.side_drafts[seat.index()].is_to_act()).collect()
    }
}
