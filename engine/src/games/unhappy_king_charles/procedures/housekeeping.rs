//! The Housekeeping Phase: a PC marker of each seat (5.1), and the naval chit (15.0).

use crate::chance::Weighted;
use crate::numbered::Listed;
use crate::vocabulary::*;

use super::super::actions::Action;
use super::super::content::ids::{AreaId, AreaSet, NotableId};
use super::super::content::{AREAS, ROYALIST};
use super::super::state::{Presence, Queen, State};
use super::super::{STREAM_ENVIRONMENT, UnhappyKing, rules};

impl UnhappyKing {
    /// The Areas next to some, by lines of any kind (T3).
    pub(in super::super) fn beside(&self, areas: AreaSet) -> AreaSet {
        areas.iter().fold(AreaSet::EMPTY, |beside, area| {
            beside | rules::MARITIME_ADJACENT.gives(self.content.adjacent[area], self.content.by_land[area])
        })
    }

    /// Where a seat may place the marker of the phase, but for the test of Isolation: neutral, no Fortress, next to an own marker, not next
    /// to an enemy marker, and neither next to nor holding an enemy Army or Local Notable (5.1, T2).
    fn open_to_placement(&self, state: &State, seat: Seat) -> AreaSet {
        let enemy = seat.other();
        let notables: AreaSet = NotableId::all(&self.content)
            .filter(|&notable| {
                state.notables[notable] == Presence::InPlay && self.content.notables[notable].side == enemy
            })
            .map(|notable| self.content.notables[notable].area)
            .collect();
        let held = notables | state.armies(&self.content, enemy);
        let neutral =
            AreaSet::first_of(AREAS) - state.control[0] - state.control[1] - self.fortress_areas(state);
        let near = rules::HOUSEKEEPING_MARKER.gives(self.beside(state.control[seat.index()]), neutral);
        let shunned = self.beside(state.control[enemy.index()]) | held | self.beside(held);
        (neutral & near) - rules::HOUSEKEEPING_MARKER.gives(shunned, AreaSet::EMPTY)
    }

    /// T2: whether a marker in a neutral Area that is no Fortress would make another one Isolated that is not. No own marker: the chains of
    /// its own side go through an empty Area as through one of theirs. An enemy's only if their chains go through the Area.
    fn would_isolate(&self, state: &State, seat: Seat, area: AreaId) -> bool {
        let enemy = seat.other();
        let (sources, passable) = self.chains(state, enemy);
        if !self.joins_chains(sources | passable, area) {
            return false;
        }
        let markers = state.control[enemy.index()] - self.fortress_areas(state);
        let supplied = markers & self.reached(sources, passable);
        !supplied.is_within(self.reached(sources, passable.without(area)))
    }

    /// Returns whether parts of chains could hang together by an Area alone: its neighbours among the Areas of chains are not all neighbours of
    /// each other, one by one.
    fn joins_chains(&self, of_chains: AreaSet, area: AreaId) -> bool {
        let near = self.content.by_land[area] & of_chains;
        let Some(first) = near.first() else { return false };
        let mut joined = AreaSet::one(first);
        loop {
            let wider = joined.iter().fold(joined, |all, one| all | self.content.by_land[one]) & near;
            if wider == joined {
                return joined != near;
            }
            joined = wider;
        }
    }

    /// T4: a seat without an Area to place it in is passed over.
    pub(in super::super) fn advance_placement(&self, state: &mut State, seat: Seat) -> bool {
        let may = |area: AreaId| rules::HOUSEKEEPING_MARKER.allows(!self.would_isolate(state, seat, area));
        let none = !self.open_to_placement(state, seat).iter().any(may);
        if none {
            state.frames.close();
        }
        none
    }

    /// Every Area that looks open. To place none is no choice (T4).
    pub(in super::super) fn offer_placement(
        &self,
        state: &State,
        seat: Seat,
        offer: &mut impl FnMut(Action),
    ) {
        self.open_to_placement(state, seat).iter().map(Action::At).for_each(offer);
    }

    /// 5.1, T2: see [`UnhappyKing::open_to_placement`] and [`UnhappyKing::would_isolate`].
    pub(in super::super) fn examine_placement(
        &self,
        state: &State,
        seat: Seat,
        action: Action,
        why: &mut Why,
    ) -> ControlFlow<()> {
        let area = match action {
            Action::At(area) => area,
            Action::Pass => return why.require(false, rules::HOUSEKEEPING_COMPULSORY, "MARKER_DUE", &[]),
            _ => return why.refuse(CONTRACT, "NOT_NOW"),
        };
        let open = self.open_to_placement(state, seat).contains(area);
        why.demand(open, rules::HOUSEKEEPING_MARKER, "NOT_OPEN_TO_PLACEMENT", &[area.into()])?;
        let isolates = self.would_isolate(state, seat, area);
        why.require(!isolates, rules::HOUSEKEEPING_MARKER, "WOULD_ISOLATE", &[area.into()])
    }

    pub(in super::super) fn apply_placement(
        &self,
        state: &mut State,
        seat: Seat,
        action: Action,
        out: &mut Events,
    ) {
        state.frames.close();
        let Action::At(area) = action else { return };
        self.place_marker(state, seat, area, rules::HOUSEKEEPING, out);
    }

    /// The naval chits that are still to come, by their values: those of one value are alike.
    pub(in super::super) fn chit_chance(&self, state: &State) -> Chance {
        let mut options: Vec<Weighted> = Vec::new();
        for value in self.chits_left(state).map(|(_, value)| Ref::Number(value.into())) {
            match options.iter_mut().find(|option| option.what == value) {
                Some(option) => option.weight += 1,
                None => options.push(Weighted { what: value, weight: 1 }),
            }
        }
        Chance::Choice { stream: STREAM_ENVIRONMENT, options }
    }

    fn chits_left(&self, state: &State) -> impl Iterator<Item = (usize, i8)> {
        let chits = self.content.numbers.naval.chits.iter().copied().enumerate();
        chits.filter(move |&(index, _)| state.chits >> index & 1 == 0)
    }

    /// 15.0: without a chit left nothing is drawn.
    pub(in super::super) fn advance_chit(&self, state: &mut State) -> bool {
        let none = self.chits_left(state).next().is_none();
        if none {
            state.frames.close();
        }
        none
    }

    /// 15.0: a chit comes, and does not come back.
    pub(in super::super) fn draw_chit(&self, state: &mut State, value: i32, out: &mut Events) {
        let drawn = self.chits_left(state).find(|&(_, chit)| i32::from(chit) == value);
        let (index, _) = drawn.expect("an outcome that the chance event admits");
        let scene = Scene::open(self, state, 2, out);
        state.chits |= 1 << index;
        state.frames.close();
        let status = self.naval_status(state);
        scene.publish(self, state, out, || {
            Event::new("chit", rules::NAVAL_STATUS, &[Ref::Number(value), Ref::Number(status.into())])
        });
    }

    /// The Naval Status: chits, events, the Queen, and what the Royalist holds (15.0 to 15.2, N1). Above 0 it is for Parliament.
    #[must_use]
    pub(in super::super) fn naval_status(&self, state: &State) -> i16 {
        let naval = &self.content.numbers.naval;
        let chits = naval.chits.iter().enumerate().filter(|&(index, _)| state.chits >> index & 1 != 0);
        let chits: i16 = chits.map(|(_, &chit)| i16::from(chit)).sum();
        let held = rules::NAVAL_SUM.applies(naval.ports.meets(state.control[ROYALIST.index()]));
        let queen = match state.queen {
            Queen::Left => rules::NAVAL_SUM.gives(naval.queen_left, 0),
            Queen::Captured => rules::NAVAL_SUM.gives(naval.queen_captured, 0),
            _ => 0,
        };
        chits + i16::from(state.fleet) + i16::from(queen) + if held { i16::from(naval.held) } else { 0 }
    }
}
