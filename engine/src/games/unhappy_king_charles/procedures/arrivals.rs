//! Generals who come from off the map by a card: placed with Brigades there (7.2.3, 8.1, R13 to R15), or Covenanters who enter (6.5).

use crate::vocabulary::*;

use super::super::actions::Action;
use super::super::content::ids::{AreaId, AreaSet, GeneralId};
use super::super::frames::Frame;
use super::super::state::{Happened, Holder, Post, State, Warrant};
use super::super::{UnhappyKing, rules};
use super::activation::stages;
use super::entry::stages as entering;

impl UnhappyKing {
    /// The Brigades of a General who can be Activated from off the map: of a Covenanter those on the display, or that come with them; of
    /// one in the Reinforcements Box none yet. None of others.
    #[must_use]
    pub(in super::super) fn arriving_size(&self, state: &State, general: GeneralId) -> Option<u8> {
        match state.generals[general].post {
            Post::Reinforcements => Some(0),
            Post::Scotland => Some(state.brigades.count(general)),
            Post::Waiting if self.callander_may_come(state, general) => {
                Some(self.waiting_covenanters(state, general))
            }
            _ => None,
        }
    }

    /// MC8: Callander comes from Late 1644 on, if the Solemn League was called.
    fn callander_may_come(&self, state: &State, general: GeneralId) -> bool {
        let due =
            state.turn.number() >= self.content.numbers.league.callander_from && state.has(Happened::LEAGUE);
        general == self.content.people.callander
            && rules::CALLANDER.allows(due)
            && self.waiting_covenanters(state, general) > 0
    }

    /// The Brigades that come with a Covenanter General and are not in the game yet.
    fn waiting_covenanters(&self, state: &State, general: GeneralId) -> u8 {
        let brigades = &self.content.numbers.league.brigades;
        let faces =
            brigades.iter().find(|(who, _)| *who == general).map(|&(_, faces)| faces).unwrap_or_default();
        let away = state.brigades.at(Holder::AWAY);
        away.that(|counter| faces.contains(self.content.face_of[counter])).count() as u8
    }

    /// The Areas to which a General may come from off the map, in order.
    pub(in super::super) fn arrivals<'s>(
        &'s self,
        state: &'s State,
        general: GeneralId,
        warrant: Warrant,
    ) -> impl Iterator<Item = AreaId> + use<'s> {
        let post = state.generals[general].post;
        let areas = match post {
            Post::Reinforcements => self.placement_areas(state, general),
            Post::Scotland | Post::Waiting => self.content.numbers.league.entries,
            _ => AreaSet::EMPTY,
        };
        areas.iter().filter(move |&area| match post {
            Post::Reinforcements => self.fits_placement(state, general, area, warrant),
            _ => self.may_come_in(state, general, area),
        })
    }

    /// MC5, MC27, MC1: an Area of entry, unless an own Army stands there that the General could not join.
    fn may_come_in(&self, state: &State, general: GeneralId, area: AreaId) -> bool {
        let seat = self.content.generals[general].side;
        if !self.content.numbers.league.entries.contains(area) {
            return false;
        }
        let Some(size) = self.arriving_size(state, general).filter(|&size| size > 0) else { return false };
        let enemies = !state.brigades_in(&self.content, seat.other(), area).is_empty();
        let peace = enemies && !state.has(Happened::STANDARD);
        let stands = self.stands_with_all(state, general, area, size);
        rules::BEFORE_THE_STANDARD.allows(!peace) && rules::ENTRY_BARRED.allows(stands)
    }

    /// Returns whether no Army of the General's side is in an Area, or one with which they could become one, with so many Brigades of theirs:
    /// by levels and limits alone, since they can pay for a Siege marker that has to come off (S4).
    #[must_use]
    pub(in super::super) fn stands_with_all(
        &self,
        state: &State,
        general: GeneralId,
        area: AreaId,
        brigades: u8,
    ) -> bool {
        let company = self.company(state, general, area);
        let joins = |other| self.taken_in(state, (general, other), state.size(other) + brigades).is_some();
        company.count() < 2 && company.iter().all(joins)
    }

    /// R13 to R15: an Area where a General may be placed, and an Army there only if they may join it.
    fn fits_placement(&self, state: &State, general: GeneralId, area: AreaId, warrant: Warrant) -> bool {
        let minor = 1 < self.content.numbers.movement.major_army || warrant.moves_major_armies();
        minor
            && self.may_be_placed(state, general, area)
            && rules::PLACED_WITH_ARMY.allows(self.stands_with_all(state, general, area, 1))
    }

    /// An Area where the General may come.
    pub(in super::super) fn examine_arrival(
        &self,
        state: &State,
        general: GeneralId,
        action: Action,
        why: &mut Why,
    ) -> ControlFlow<()> {
        let Action::At(area) = action else { return why.refuse(CONTRACT, "NOT_NOW") };
        let refs = [Ref::from(general), Ref::from(area)];
        match state.generals[general].post {
            Post::Reinforcements => {
                let warrant = state.ongoing_activation().warrant;
                let free = self.fits_placement(state, general, area, warrant);
                why.require(free, rules::PLACED_BY_CARD, "NOT_PLACED_THERE", &refs)
            }
            _ => why.require(self.may_come_in(state, general, area), rules::LEAGUE, "NO_ENTRY_THERE", &refs),
        }
    }

    /// The General is there: a Covenanter enters with their Army (MC5), another one takes a Brigade first (R15).
    pub(in super::super) fn arrive(
        &self,
        state: &mut State,
        (seat, general): (Seat, GeneralId),
        area: AreaId,
        out: &mut Events,
    ) {
        let enters = state.generals[general].post == Post::Scotland;
        let scene = Scene::open(self, state, 2, out);
        state.generals.place(general, Post::Area(area));
        state.ongoing_activation_mut().path.push(area);
        let refs = [Ref::from(general), Ref::from(area)];
        if enters {
            self.set_activation_stage(state, stages::STEPS);
            state.frames.open(Frame::Entry { seat, stage: entering::ENTERED, surplus: false, lifted: false });
            scene.publish(self, state, out, || Event::new("enters_map", rules::LEAGUE, &refs));
        } else {
            self.set_activation_stage(state, stages::FIRST_BRIGADE);
            scene.publish(self, state, out, || Event::new("general_placed", rules::PLACED_BY_CARD, &refs));
        }
    }
}
