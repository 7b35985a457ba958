//! Brigades that an event lets go from one General to another (6.4; 8.3 forbids it without one).

use crate::vocabulary::*;

use super::super::actions::Action;
use super::super::content::brigades::Faction;
use super::super::content::ids::{BrigadeFace, FaceSet, GeneralId};
use super::super::content::operations::Operation;
use super::super::frames::Frame;
use super::super::state::{Holder, Holding, State, Told};
use super::super::{UnhappyKing, rules};
use super::consequences::Cause;

/// The two Generals of a transfer, as far as they are chosen.
pub(in super::super) type Pair = (Option<GeneralId>, Option<GeneralId>);

impl UnhappyKing {
    /// Returns whether Brigades can go from one General to another: both at large and no foreigners, near enough; the giver keeps one, and the
    /// Army of the other has room.
    fn may_transfer(
        &self,
        state: &State,
        seat: Seat,
        (giver, taker): (GeneralId, GeneralId),
        distance: u8,
    ) -> bool {
        let native = |general: GeneralId| {
            let def = &self.content.generals[general];
            def.side == seat && !def.faction.is_foreign() && self.is_at_large(state, general)
        };
        let (Some(from), Some(to)) = (state.area_of(giver), state.area_of(taker)) else { return false };
        let commander = state.commander(taker);
        let together = commander == state.commander(giver);
        giver != taker
            && native(giver)
            && native(taker)
            && self.content.distances[from][to] <= distance
            && state.brigades.at(giver).count() > 1
            && !self.transferred(state, giver).is_empty()
            && (together || state.size(commander) < self.limit_of(state, commander))
            && (!state.is_inside(taker) || state.is_inside(giver) && from == to || self.has_room(state, to))
    }

    /// Returns whether the printed Fortress of an Area has room for one Brigade more (14.1).
    fn has_room(&self, state: &State, area: super::super::content::ids::AreaId) -> bool {
        state.fortress(&self.content, area).is_some_and(|fortress| {
            state.garrison(&self.content, area).count() < self.content.fortresses[fortress].room.into()
        })
    }

    /// The faces that a General could give.
    fn transferred(&self, state: &State, giver: GeneralId) -> FaceSet {
        let faces = state.brigades.faces(&self.content, state.brigades.at(giver));
        faces.that(|face| {
            !matches!(self.content.faces[face].faction, Faction::Lorrainer | Faction::Covenanter)
        })
    }

    /// Returns whether a pair of Generals fits (K19).
    pub(in super::super) fn can_transfer(&self, state: &State, seat: Seat, distance: u8) -> bool {
        State::generals_of(&self.content, seat).any(|giver| self.can_give(state, seat, giver, distance))
    }

    fn can_give(&self, state: &State, seat: Seat, giver: GeneralId, distance: u8) -> bool {
        state.brigades.at(giver).count() > 1
            && State::generals_of(&self.content, seat)
                .any(|taker| self.may_transfer(state, seat, (giver, taker), distance))
    }

    fn transfer_distance(&self, state: &State) -> u8 {
        if let Operation::Transfer { distance, .. } = self.event_operation(state) { distance } else { 0 }
    }

    /// The event goes on once its Brigades have gone, or none can.
    pub(in super::super) fn advance_transfer(
        &self,
        state: &mut State,
        (seat, left): (Seat, u8),
        pair: Pair,
    ) -> bool {
        let distance = self.transfer_distance(state);
        let goes_on = left > 0
            && match pair {
                (Some(giver), Some(taker)) => self.may_transfer(state, seat, (giver, taker), distance),
                (Some(_), None) => true,
                _ => self.can_transfer(state, seat, distance),
            };
        if !goes_on {
            state.frames.close();
        }
        !goes_on
    }

    /// Whoever gives, who takes, then faces, and to be done.
    pub(in super::super) fn offer_transfer(
        &self,
        state: &State,
        seat: Seat,
        (pair, _): (Pair, bool),
        offer: &mut impl FnMut(Action),
    ) {
        let generals = || State::generals_of(&self.content, seat).map(Holder::from);
        match pair {
            (None, _) => generals().map(Action::From).for_each(offer),
            (Some(_), None) => generals().map(Action::To).for_each(offer),
            (Some(giver), Some(_)) => {
                self.transferred(state, giver).iter().map(Action::Brigade).for_each(&mut *offer);
                offer(Action::Done);
            }
        }
    }

    /// One direction, one pair, one Brigade at least.
    pub(in super::super) fn examine_transfer(
        &self,
        state: &State,
        seat: Seat,
        (pair, moved): (Pair, bool),
        action: Action,
        why: &mut Why,
    ) -> ControlFlow<()> {
        let distance = self.transfer_distance(state);
        match (pair, action) {
            ((None, _), Action::From(holder)) => {
                let Holding::General(giver) = holder.holding() else {
                    return why.refuse(rules::NO_TRANSFER, "NO_GENERAL");
                };
                let can = self.can_give(state, seat, giver, distance);
                why.require(can, rules::NO_TRANSFER, "CANNOT_GIVE", &[giver.into()])
            }
            ((Some(giver), None), Action::To(holder)) => {
                let Holding::General(taker) = holder.holding() else {
                    return why.refuse(rules::NO_TRANSFER, "NO_GENERAL");
                };
                let can = self.may_transfer(state, seat, (giver, taker), distance);
                why.require(can, rules::NO_TRANSFER, "CANNOT_TAKE", &[giver.into(), taker.into()])
            }
            ((Some(giver), Some(_)), Action::Brigade(face)) => {
                let there = self.transferred(state, giver).contains(face);
                why.require(there, rules::NO_TRANSFER, "BRIGADE_NOT_THERE", &[face.into(), giver.into()])
            }
            ((Some(_), Some(_)), Action::Done) => {
                why.require(moved, rules::AT_LEAST_ONE, "NOTHING_TRANSFERRED", &[])
            }
            _ => why.refuse(CONTRACT, "NOT_NOW"),
        }
    }

    pub(in super::super) fn apply_transfer(
        &self,
        state: &mut State,
        seat: Seat,
        (pair, _): (Pair, bool),
        action: Action,
        out: &mut Events,
    ) {
        let Some(Frame::Transfer { left, moved, giver, taker, .. }) = state.frames.top_mut() else {
            unreachable!("Brigades are transferred within the event that says so");
        };
        let general = |holder: Holder| {
            if let Holding::General(general) = holder.holding() { Some(general) } else { None }
        };
        match (pair, action) {
            (_, Action::From(holder)) => *giver = general(holder),
            (_, Action::To(holder)) => *taker = general(holder),
            ((Some(from), Some(to)), Action::Brigade(face)) => {
                (*left, *moved) = (*left - 1, true);
                self.event_did(state);
                self.hand_over(state, seat, (from, to), face, out);
            }
            _ => {
                state.frames.close();
            }
        }
    }

    fn hand_over(
        &self,
        state: &mut State,
        seat: Seat,
        (giver, taker): (GeneralId, GeneralId),
        face: BrigadeFace,
        out: &mut Events,
    ) {
        let held = self.held_under_siege(state);
        let counter = state.brigades.of_face(&self.content, state.brigades.at(giver), face);
        let scene = Scene::open(self, state, 2, out);
        let counter = counter.expect("a Brigade of the face was offered");
        state.brigades.put(&self.content, counter, taker.into(), Told::Hidden);
        let refs = [Ref::from(giver), Ref::from(taker), Ref::from(face)];
        scene.publish(self, state, out, || {
            Event::new("brigade_transferred", rules::NO_TRANSFER, &refs[..2]).private(seat, &refs, [])
        });
        self.consequences(state, held, Cause::Other, out);
    }
}
