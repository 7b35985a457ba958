//! The sequence of play: what follows of itself once both sides have committed ([`Umpire`]).
//!
//! A points/build season is in `procedures/season.rs`, a movement month in `procedures/month.rs`; here is what both need.

use crate::event::{Event, Events};
use crate::ledger::Rule;
use crate::reference::{Location, Ref};
use crate::seat::Seat;
use crate::view::{Change, Changes, Marker};

use super::actions::{Actions, leader_ref, space_ref};
use super::adjudicator::{LeaderId, LeaderSet, Position, Side, Space};
use super::codes;
use super::content::Numbers;
use super::procedures::side_drafts;
use super::realm::{Realm, SIDES, all_leaders, side_of};
use super::rules;
use super::state::draft::SideDraft;
use super::state::{Clause, Phase, Place, State, Verdict};
use super::view;

/// Carries the rules out on a state, and tells what happens.
pub(super) struct Umpire<'a> {
    pub(super) realm: &'a Realm,
    pub(super) numbers: &'a Numbers,
    pub(super) actions: &'a Actions,
    pub(super) state: &'a mut State,
    pub(super) out: &'a mut Events,
}

/// A thing that an event changes on the board: published as it is now.
#[derive(Clone, Copy)]
pub(super) enum Touch {
    /// Units, rating, centre and owner of a space.
    Space(Space),
    /// A leader and their clock.
    Leader(LeaderId),
    /// The saved points of a side.
    Points(Seat),
    /// The date.
    Calendar,
    /// All arrows are gone.
    Arrows,
    /// A private marker of a space is no longer needed.
    Clear(Space, u16),
}

impl Touch {
    /// Returns the number of changes that it makes.
    const fn changes(&self) -> usize {
        match self {
            Self::Space(_) => view::SPACE_CHANGES,
            Self::Leader(_) => 2,
            Self::Points(_) | Self::Calendar | Self::Arrows | Self::Clear(..) => 1,
        }
    }
}

impl Umpire<'_> {
    /// Publishes a fact to everybody with what it touches; the work is done only if somebody listens.
    pub(super) fn publish(&mut self, code: &'static str, rule: Rule, refs: &[Ref], touched: &[Touch]) {
        if self.out.is_recording() {
            let changes = self.changes(touched, 0);
            self.publish_with(code, rule, refs, changes);
        }
    }

    /// Publishes a fact to everybody with these changes.
    pub(super) fn publish_with(&mut self, code: &'static str, rule: Rule, refs: &[Ref], changes: Changes) {
        self.out.emit(|| Event::with_changes(code, rule, refs, changes));
    }

    /// Returns what is touched as it is now, with room for so many changes `more`.
    pub(super) fn changes(&self, touched: &[Touch], more: usize) -> Changes {
        let noted = touched.iter().map(Touch::changes).sum::<usize>();
        let mut changes = Changes::with_capacity(noted + more + view::UNIT_CHANGES);
        for touch in touched {
            match *touch {
                Touch::Space(space) => {
                    view::space_changes(self.realm, self.state, space, |change| changes.push(change));
                }
                Touch::Leader(leader) => changes.extend(view::leader_changes(self.state, leader)),
                Touch::Points(seat) => changes.push(view::points_change(self.state, seat)),
                Touch::Calendar => changes.push(view::calendar_change(self.numbers, self.state)),
                Touch::Arrows => changes.push(Change::ArrowsCleared),
                Touch::Clear(space, kind) => {
                    let at = Location::Space(space.index() as u16);
                    changes.push(Change::Marker(Marker { at, kind }, None));
                }
            }
        }
        if touched.iter().any(|touch| matches!(touch, Touch::Space(_) | Touch::Leader(_))) {
            view::unit_changes(self.realm, self.numbers, self.state, |change| changes.push(change));
        }
        changes
    }

    /// Goes on if nobody owes anything in the node that is open.
    pub(super) fn go_on(&mut self) {
        if !self.state.to_act().is_empty() {
            return;
        }
        let side_drafts = std::mem::take(&mut self.state.side_drafts);
        match self.state.phase {
            Phase::Influence => self.settle_influence(&side_drafts),
            Phase::Adjustment => self.settle_adjustment(&side_drafts),
            Phase::Orders => self.settle_orders(&side_drafts),
            Phase::Retreats => self.settle_retreats(&side_drafts),
            Phase::Over(_) => {}
        }
    }

    /// Opens a node, and goes on at once if nobody is asked in it (S10).
    pub(super) fn open(&mut self, phase: Phase) {
        self.state.phase = phase;
        self.state.side_drafts = side_drafts::fresh(self.realm, self.actions, self.state);
        self.go_on();
    }

    /// As [`Umpire::open`]; who is asked for what follows from an earlier state.
    pub(super) fn open_by(&mut self, phase: Phase, mut earlier: State) {
        self.state.phase = phase;
        earlier.phase = phase;
        self.state.side_drafts = side_drafts::fresh(self.realm, self.actions, &earlier);
        self.go_on();
    }

    /// Changes a rating, and says whether control passed.
    pub(super) fn rate(&mut self, space: Space, by: i16) -> bool {
        let before = self.state.control(space);
        self.state.bias[space.index()] += by;
        self.state.control(space) != before
    }

    /// Tells that control of a space has passed; with it go the centres that count by it.
    pub(super) fn publish_control(&mut self, space: Space) {
        let at = space_ref(space);
        match self.state.control(space) {
            Some(seat) => {
                self.publish("control", rules::CONTROL, &[at, Ref::Seat(seat)], &[Touch::Space(space)])
            }
            None => self.publish("control_lost", rules::CONTROL, &[at], &[Touch::Space(space)]),
        }
    }

    /// Leaders without an army in enemy ground are captured (L8, L11).
    pub(super) fn capture(&mut self, code: &'static str, rule: Rule) {
        for leader in all_leaders() {
            let Place::At(space) = self.state.leaders[leader.index()] else { continue };
            let seat = side_of(leader);
            let alone = self.state.armies_of(seat, space) == 0 && self.state.enemy_controls(seat, space);
            if rules::CAPTURE.applies(rules::LEADERS.applies(alone)) {
                self.lose(leader, space, code, rule);
            }
        }
    }

    /// A leader is out of play, for good (L12).
    pub(super) fn lose(&mut self, leader: LeaderId, space: Space, code: &'static str, rule: Rule) {
        let gone = rules::LOST.gives(Place::Lost, Place::Unplaced);
        self.state.set_leader(leader, gone);
        self.state.clocks[leader.index()] = 0;
        let refs = [leader_ref(leader), space_ref(space)];
        self.publish(code, rule, &refs, &[Touch::Leader(leader), Touch::Space(space)]);
    }

    /// Sets a clock, and tells of it if it changes.
    pub(super) fn set_clock(&mut self, leader: LeaderId, months: u8, rule: Rule) {
        if self.state.clocks[leader.index()] != months {
            self.state.clocks[leader.index()] = months;
            let refs = [leader_ref(leader), Ref::Number(i32::from(months))];
            self.publish("clock", rule, &refs, &[Touch::Leader(leader)]);
        }
    }

    /// Ends the match if a clause of victory is met (V2); says whether it did.
    pub(super) fn check_victory(&mut self) -> bool {
        match rules::CHECKED.gives(self.state.verdict(self.realm, self.numbers), None) {
            Some(verdict) => {
                self.end(verdict);
                true
            }
            None => false,
        }
    }

    /// Ends the match.
    pub(super) fn end(&mut self, verdict: Verdict) {
        self.state.phase = Phase::Over(verdict);
        self.state.side_drafts = [SideDraft::default(); 2];
        let refs: Vec<Ref> = verdict.winner.map(Ref::Seat).into_iter().collect();
        self.publish(verdict.clause.code(), verdict.clause.rule(), &refs, &[]);
    }
}

impl State {
    /// The clause of victory that is met now, if one is (V1, V3, V4, V5).
    pub(super) fn verdict(&self, realm: &Realm, numbers: &Numbers) -> Option<Verdict> {
        let units = SIDES.map(|seat| self.counted(seat));
        if rules::NOBODY.applies(units == [0, 0]) {
            return Some(Verdict { winner: None, clause: Clause::Drawn });
        }
        let twice = |seat: &Seat| {
            let (own, enemy) = (units[seat.index()], units[seat.other().index()]);
            let ratio = u16::from(numbers.unit_ratio);
            let ratio = rules::RATIO.gives(ratio, ratio + 1);
            own > 0 && own >= ratio * enemy
        };
        let beheaded = |seat: &Seat| {
            let enemy = seat.other();
            let lost =
                realm.decisive(enemy).is_some_and(|leader| self.leaders[leader.index()] == Place::Lost);
            let more = units[seat.index()] > units[enemy.index()];
            lost && rules::BOTH_LOST.allows(more)
        };
        let won = |clause| move |seat| Verdict { winner: Some(seat), clause };
        let by_units =
            SIDES.into_iter().find(|seat| rules::TWICE.applies(twice(seat))).map(won(Clause::TwiceUnits));
        let by_leader = SIDES
            .into_iter()
            .find(|seat| rules::LEADER_LOST.applies(beheaded(seat)))
            .map(won(Clause::LeaderLost));
        let by_clause = rules::FIRST_CLAUSE.gives(by_units.or(by_leader), by_leader.or(by_units));
        rules::VICTORY.gives(by_clause, None)
    }

    /// Units that count for victory: those on the board, each army and each leader as one (M16, V12).
    pub(super) fn counted(&self, seat: Seat) -> u16 {
        let leaders = rules::UNITS.gives(self.leader_count(seat), 0);
        let units = u16::from(self.army_count(seat)) + u16::from(leaders);
        if rules::COUNTED.applies(true) {
            return units;
        }
        let lost = self.report.iter().filter(|line| line.seat == seat && codes::lost(line.code));
        units + lost.map(|line| u16::from(line.armies)).sum::<u16>()
    }

    /// The units with which a side would have won now: twice the other side's, or one more than these once its great leader is
    /// lost (V1, V3).
    pub(super) fn units_to_win(&self, realm: &Realm, numbers: &Numbers, seat: Seat) -> u16 {
        let enemy = self.counted(seat.other());
        let twice = u16::from(numbers.unit_ratio) * enemy;
        let lost = |leader: LeaderId| self.leaders[leader.index()] == Place::Lost;
        let least = if realm.decisive(seat.other()).is_some_and(lost) { enemy + 1 } else { twice };
        least.min(twice).max(1)
    }

    /// Returns how the match ends after its last season, if no clause of victory is met (V9).
    pub(super) fn last_verdict(&self, realm: &Realm) -> Verdict {
        let by = |counts: [u16; 2]| match counts[0].cmp(&counts[1]) {
            std::cmp::Ordering::Greater => Some(SIDES[0]),
            std::cmp::Ordering::Less => Some(SIDES[1]),
            std::cmp::Ordering::Equal => None,
        };
        let units = by(SIDES.map(|seat| self.counted(seat)));
        let weight = by(SIDES.map(|seat| self.weight(realm, seat)));
        match (units, weight) {
            (Some(_), _) => Verdict { winner: units, clause: Clause::OnUnits },
            (None, Some(_)) => Verdict { winner: weight, clause: Clause::OnWeight },
            (None, None) => Verdict { winner: None, clause: Clause::Drawn },
        }
    }
}

impl Clause {
    /// The code of the ending, which is its grade too.
    pub(super) const fn code(self) -> &'static str {
        match self {
            Self::TwiceUnits => "twice_units",
            Self::LeaderLost => "leader_lost",
            Self::OnUnits => "on_units",
            Self::OnWeight => "on_weight",
            Self::Drawn => "drawn",
        }
    }

    /// The rule that it is.
    pub(super) const fn rule(self) -> Rule {
        match self {
            Self::TwiceUnits => rules::TWICE,
            Self::LeaderLost => rules::LEADER_LOST,
            Self::OnUnits | Self::OnWeight | Self::Drawn => rules::LAST_SEASON,
        }
    }
}

/// A seat as the adjudicator knows it.
pub(super) fn side(seat: Seat) -> Side {
    Side::new(seat.index() as u8)
        .unwrap_or_else(|| unreachable!("two sides are fewer than the adjudicator's eight"))
}

/// The units as the adjudicator knows them, with the leaders who count by themselves (L1).
pub(super) fn position_of(state: &State, realm: &Realm) -> Position {
    let mut position = Position::default();
    let mut led = [LeaderSet::EMPTY; super::realm::SPACES_MAX];
    let mut strong = LeaderSet::EMPTY;
    for leader in all_leaders() {
        if let Place::At(space) = state.leaders[leader.index()] {
            let alone = LeaderSet::single(leader);
            led[space.index()] = led[space.index()] | alone;
            if rules::LONE_STRENGTH.applies(state.controls(side_of(leader), space)) {
                strong = strong | alone;
            }
        }
    }
    for seat in SIDES {
        for space in state.stands[seat.index()] {
            debug_assert!(space.index() < realm.counties.len());
            let (armies, leaders) = (state.armies[space.index()], led[space.index()]);
            let placed = position.place(space, side(seat), armies, leaders);
            debug_assert!(placed.is_ok(), "{placed:?}");
        }
    }
    position.set_strong_alone(strong);
    position
}
