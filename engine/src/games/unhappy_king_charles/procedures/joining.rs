//! Armies of a side that meet: who may command whom, and who takes whom in (8.4, 9.5).

use crate::vocabulary::*;

use super::super::content::brigades::Faction;
use super::super::content::ids::{AreaId, GeneralId};
use super::super::frames::Frame;
use super::super::state::{Happened, Post, State};
use super::super::{UnhappyKing, rules};
use super::consequences::Cause;

impl UnhappyKing {
    /// The level of a General, 1 being the highest: Rupert's rises when he is Lieutenant General (9.5, 6.6).
    #[must_use]
    pub(in super::super) fn level_of(&self, state: &State, general: GeneralId) -> u8 {
        if general == self.content.people.rupert && state.has(Happened::LIEUTENANT_GENERAL) {
            return self.content.numbers.promotion.level;
        }
        self.content.generals[general].level
    }

    /// The most Brigades of an Army under a General (8.4).
    #[must_use]
    pub(in super::super) fn limit_of(&self, state: &State, general: GeneralId) -> u8 {
        if general == self.content.people.rupert && state.has(Happened::LIEUTENANT_GENERAL) {
            return self.content.numbers.promotion.limit;
        }
        self.content.generals[general].limit
    }

    /// Returns whether a General may be the Subordinate of another: of a lower level, without rivalry, and no foreigner under a native (S2, S9, S10).
    #[must_use]
    pub(in super::super) fn may_serve(
        &self,
        state: &State,
        subordinate: GeneralId,
        commander: GeneralId,
    ) -> bool {
        let people = &self.content.people;
        let lower = self.level_of(state, subordinate) > self.level_of(state, commander);
        let rivals = subordinate == people.waller && commander == people.essex;
        let faction = self.content.generals[subordinate].faction;
        let at_home = faction != Faction::Lorrainer
            && (faction != Faction::Covenanter || self.content.generals[commander].faction == faction);
        rules::LEVELS.allows(lower)
            && rules::RIVALRY.allows(!rivals || state.has(Happened::JOINT_VENTURE))
            && rules::FOREIGN_COMMAND.allows(at_home)
    }

    /// The commander under whom an Army that comes to an Area may join the one there, `brigades` in all; none if they can't (S2 to S4). A
    /// Siege marker on the one there keeps it from becoming a Subordinate: nobody takes it off here. The newcomer has left its own.
    #[must_use]
    pub(in super::super) fn joint_commander(
        &self,
        state: &State,
        (newcomer, there): (GeneralId, GeneralId),
        brigades: u8,
    ) -> Option<GeneralId> {
        let under = |commander: GeneralId, other: GeneralId| {
            state.army(other).iter().all(|general| self.may_serve(state, general, commander))
                && rules::JOINT_LIMIT.allows(brigades <= self.limit_of(state, commander))
        };
        let besieging = state.area_of(there).is_some_and(|area| self.besieges(state, there, area));
        if under(there, newcomer) {
            Some(there)
        } else {
            let free = rules::UNDER_SIEGE_MARKER.allows(!besieging);
            (free && under(newcomer, there)).then_some(newcomer)
        }
    }

    /// Returns whether the Army of a commander outside has a Siege marker in its Area (14.2).
    #[must_use]
    pub(in super::super) fn besieges(&self, state: &State, commander: GeneralId, area: AreaId) -> bool {
        state.generals[commander].post == Post::Area(area)
            && state.besieged(&self.content, area)
            && state.controller(area) == Some(self.content.generals[commander].side.other())
    }

    /// The other Armies of a side in an Area that one there must join: those outside, and one inside a Fortress that no enemy Masks or
    /// Besieges; while one does, who is inside joins those inside (S1, S8, AC14).
    pub(in super::super) fn companions<'s>(
        &'s self,
        state: &'s State,
        seat: Seat,
        area: AreaId,
        newcomer: GeneralId,
    ) -> impl Iterator<Item = GeneralId> + use<'s> {
        let is_inside = state.generals[newcomer].post == Post::Inside(area);
        let apart = state.invests(&self.content, seat.other(), area);
        let inside = state.commander_inside(&self.content, seat, area).filter(|_| is_inside || !apart);
        let outside = state.commanders_at(&self.content, seat, area).filter(move |_| !is_inside || !apart);
        outside.chain(inside).filter(move |&commander| commander != newcomer)
    }

    /// S1: an Army that has come to its Area joins the one there; what can't join is an illegal position (S7).
    pub(in super::super) fn join_companions(
        &self,
        state: &mut State,
        seat: Seat,
        newcomer: GeneralId,
        out: &mut Events,
    ) {
        let Some(area) = state.area_of(newcomer) else { return };
        let Some(other) = self.companions(state, seat, area, newcomer).next() else { return };
        let brigades = state.size(newcomer) + state.size(other);
        let commander = self.joint_commander(state, (newcomer, other), brigades);
        let Some(commander) = commander.filter(|_| rules::SUBORDINATION.applies(true)) else {
            state.frames.open(Frame::Illegal { seat, stage: 0 });
            return;
        };
        let lower = if commander == other { newcomer } else { other };
        // Whoever takes an Army in stands outside, unless both are inside.
        let outside = [newcomer, other].iter().any(|&one| state.generals[one].post == Post::Area(area));
        let held = self.held_under_siege(state);
        let scene = Scene::open(self, state, 2, out);
        for general in state.army(lower).iter() {
            state.generals.place(general, Post::Under(commander));
        }
        if outside {
            state.generals.place(commander, Post::Area(area));
        }
        let refs = [Ref::from(lower), Ref::from(commander), Ref::from(area)];
        scene.publish(self, state, out, || Event::new("joins", rules::SUBORDINATION, &refs));
        // G1: a commander who had only Subordinates' Brigades leaves as a Subordinate.
        self.consequences(state, held, Cause::Other, out);
    }
}
