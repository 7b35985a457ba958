//! Armies of a side in one Area: who takes whom in, at what cost, and who stays behind (8.4, 9.5, 14.2).

use crate::vocabulary::*;

use super::super::content::ids::{AreaId, GeneralId, GeneralSet};
use super::super::state::{Post, State};
use super::super::{UnhappyKing, rules};
use super::consequences::Cause;

/// Two Armies that can become one.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(in super::super) struct Meeting {
    /// The General who commands from then on.
    pub(in super::super) commander: GeneralId,
    /// The General who becomes their Subordinate, with all of theirs.
    pub(in super::super) under: GeneralId,
    /// Movement Points for taking a Siege marker off the Army that is taken in (S4).
    pub(in super::super) cost: u8,
    /// The Army that is taken in has a Siege marker, which comes off.
    lifts: bool,
}

impl UnhappyKing {
    /// Returns whether a commander with an Army of `brigades` in all, these Generals' among them, may have them under command (S2, S3, S4).
    #[must_use]
    fn takes_in(&self, state: &State, commander: GeneralId, under: GeneralSet, brigades: u8) -> bool {
        under.iter().all(|general| self.may_serve(state, general, commander))
            && rules::JOINT_LIMIT.allows(brigades <= self.limit_of(state, commander))
    }

    /// Which of two commanders takes the other's Army in, so many Brigades in all: the lower level goes under the higher, whoever came (S2).
    /// Gives who commands, then who goes under them; `None` if they can't become one.
    #[must_use]
    pub(in super::super) fn taken_in(
        &self,
        state: &State,
        (one, other): (GeneralId, GeneralId),
        brigades: u8,
    ) -> Option<(GeneralId, GeneralId)> {
        let pairs = [(one, other), (other, one)];
        pairs
            .into_iter()
            .find(|&(commander, under)| self.takes_in(state, commander, state.army(under), brigades))
    }

    /// Returns whether an Army that comes to the one there could become one with it, so many Brigades in all, where nobody can take a Siege
    /// marker off that one (F4).
    #[must_use]
    pub(in super::super) fn could_join(
        &self,
        state: &State,
        (newcomer, there): (GeneralId, GeneralId),
        brigades: u8,
    ) -> bool {
        let free = || rules::UNDER_SIEGE_MARKER.allows(!self.has_siege_marker(state, there));
        self.taken_in(state, (newcomer, there), brigades)
            .is_some_and(|(_, under)| under == newcomer || free())
    }

    /// How two Armies of a side become one: the lower level goes under the higher, whoever came (S2); none if they can't.
    #[must_use]
    pub(in super::super) fn meeting(
        &self,
        state: &State,
        one: GeneralId,
        other: GeneralId,
    ) -> Option<Meeting> {
        self.meeting_of(state, (one, other), |under| self.has_siege_marker(state, under))
    }

    /// As [`meeting`](Self::meeting), of an Army that is not active and comes to the one there: a Siege marker of the Area is not the
    /// newcomer's, even when they stand in it.
    #[must_use]
    pub(in super::super) fn coming(
        &self,
        state: &State,
        newcomer: GeneralId,
        there: GeneralId,
    ) -> Option<Meeting> {
        self.meeting_of(state, (newcomer, there), |under| {
            under == there && self.has_siege_marker(state, there)
        })
    }

    fn meeting_of(
        &self,
        state: &State,
        (one, other): (GeneralId, GeneralId),
        has_marker: impl Fn(GeneralId) -> bool,
    ) -> Option<Meeting> {
        let brigades = state.size(one) + state.size(other);
        self.taken_in(state, (one, other), brigades).map(|(commander, under)| {
            let lifts = has_marker(under);
            let cost = if lifts { self.content.numbers.movement.lift_siege } else { 0 };
            Meeting { commander, under, cost: rules::JOINT_LIMIT.gives(cost, 0), lifts }
        })
    }

    /// Returns whether the Siege marker of an Area is that of this commander's Army: while an active Army is in the Area of another one of its
    /// side, it has the marker only if it had it before, or placed it (14.2).
    #[must_use]
    pub(in super::super) fn has_siege_marker(&self, state: &State, commander: GeneralId) -> bool {
        let Post::Area(area) = state.generals[commander].post else { return false };
        let side = self.content.generals[commander].side;
        if !state.besieged(&self.content, area) || state.controller(area) != Some(side.other()) {
            return false;
        }
        let active = state.activation.as_ref().filter(|activation| {
            activation.seat == side && state.generals[activation.general].post == Post::Area(area)
        });
        active.is_none_or(|activation| activation.besieging == (activation.general == commander))
    }

    /// The other commanders of a side that an Army there has to join, outside and inside a Fortress that is not Masked; those inside one that
    /// is have to join each other alone (S1, S8, AC14).
    #[must_use]
    pub(in super::super) fn company(&self, state: &State, general: GeneralId, area: AreaId) -> GeneralSet {
        let seat = self.content.generals[general].side;
        if !(state.generals.outside() | state.generals.inside()).contains(area) {
            return GeneralSet::EMPTY;
        }
        let masked = state.invests(&self.content, seat.other(), area);
        let inside = state.generals[general].post == Post::Inside(area);
        state.commanders_of(&self.content, seat).that(|other| {
            let post = state.generals[other].post;
            other != general
                && (post == Post::Area(area) && !(masked && inside)
                    || post == Post::Inside(area) && (rules::INSIDE_UNMASKED.applies(!masked) || inside))
        })
    }

    /// S1: an Army that has come to its Area joins the one there, where nobody can take a Siege marker off that one (F4). Returns `false` if
    /// they stand together and can't become one (S7).
    pub(in super::super) fn join_company(
        &self,
        state: &mut State,
        newcomer: GeneralId,
        out: &mut Events,
    ) -> bool {
        let Some(area) = state.area_of(newcomer) else { return true };
        let Some(other) = self.company(state, newcomer, area).first() else { return true };
        let meeting = self
            .coming(state, newcomer, other)
            .filter(|meeting| rules::SUBORDINATION.applies(true) && meeting.cost == 0);
        let joins = meeting.is_some();
        if let Some(meeting) = meeting {
            self.unite(state, meeting, out);
        }
        joins
    }

    /// Two Armies become one, outside the Fortress unless both are inside: who takes an Army in meets it there.
    pub(in super::super) fn unite(&self, state: &mut State, meeting: Meeting, out: &mut Events) {
        let Meeting { commander, under, lifts, .. } = meeting;
        let area = state.area_of(commander).expect("Armies join on the map");
        let held = self.held_under_siege(state);
        if let Some(fortress) = state.fortress(&self.content, area).filter(|_| lifts) {
            self.lift_siege(state, fortress, out);
        }
        let scene = Scene::open(self, state, 2, out);
        if state.generals[under].post == Post::Area(area) {
            state.generals.place(commander, Post::Area(area));
        }
        let newcomers = rules::SUBORDINATES_OF_A_SUBORDINATE.gives(state.army(under), GeneralSet::one(under));
        for general in newcomers {
            state.generals.place(general, Post::Under(commander));
        }
        let refs = [Ref::from(under), Ref::from(commander), Ref::from(area)];
        scene.publish(self, state, out, || Event::new("joins", rules::SUBORDINATION, &refs));
        self.consequences(state, held, Cause::Other, out);
    }

    /// Returns whether Generals who are left behind together form one legal stack: one commands, and may take the others in (S5).
    #[must_use]
    pub(in super::super) fn left_commander(&self, state: &State, left: GeneralSet) -> Option<GeneralId> {
        let brigades = state.led_by(left).count() as u8;
        left.iter().find(|&commander| {
            let under = left.iter().filter(|&general| general != commander).collect();
            self.takes_in(state, commander, under, brigades)
        })
    }

    /// S5: Subordinates who may be left together; with `staying` behind them already: an Army with Brigades, of which the commander
    /// keeps at least one.
    pub(in super::super) fn examine_left(
        &self,
        state: &State,
        commander: GeneralId,
        (general, staying): (GeneralId, GeneralSet),
        why: &mut Why,
    ) -> ControlFlow<()> {
        let who = [Ref::from(general)];
        let under = state.generals[general].post == Post::Under(commander) && !staying.contains(general);
        why.demand(under, rules::SUBORDINATES_LEFT, "NOT_A_SUBORDINATE", &who)?;
        let mut left = staying;
        left.insert(general);
        let kept =
            state.size(commander) - (state.led_by(left) & state.led_by(state.army(commander))).count() as u8;
        why.require(kept > 0, rules::SUBORDINATES_LEFT, "KEEPS_NO_BRIGADE", &[Ref::from(commander)])?;
        let stack = self.left_commander(state, left).is_some();
        why.require(stack, rules::SUBORDINATES_LEFT, "LEFT_IN_NO_STACK", &who)
    }

    /// Generals stay behind under the highest of them, who gets this post.
    pub(in super::super) fn leave_together(&self, state: &mut State, left: GeneralSet, post: Post) {
        let Some(commander) = self.left_commander(state, left) else { return };
        for general in left {
            state.generals.place(general, Post::Under(commander));
        }
        state.generals.place(commander, post);
    }

    /// S5: a Subordinate of an Army that is about to go may be left behind, with those whom it left before and any other Army there.
    pub(in super::super) fn examine_leave(
        &self,
        state: &State,
        commander: GeneralId,
        general: GeneralId,
        why: &mut Why,
    ) -> ControlFlow<()> {
        let area = state.area_of(commander).expect("an Army that may go stands in an Area");
        let others = self.company(state, commander, area);
        let staying = others.iter().fold(GeneralSet::EMPTY, |all, other| all | state.army(other));
        self.examine_left(state, commander, (general, staying), why)?;
        // A Siege marker stays only with an Army that goes on to command.
        let marked = others.iter().find(|&other| self.has_siege_marker(state, other));
        let keeps = marked.is_none_or(|marked| {
            let mut left = staying;
            left.insert(general);
            self.left_commander(state, left) == Some(marked)
        });
        why.require(keeps, rules::JOINT_LIMIT, "SIEGE_MARKER_THERE", &[Ref::from(general)])
    }

    /// A Subordinate is left behind (S5).
    pub(in super::super) fn leave_behind(
        &self,
        state: &mut State,
        commander: GeneralId,
        general: GeneralId,
        out: &mut Events,
    ) {
        let area = state.area_of(commander).expect("an Army that goes stands in an Area");
        let others = self.company(state, commander, area);
        let mut left = others.iter().fold(GeneralSet::EMPTY, |all, other| all | state.army(other));
        left.insert(general);
        // Whoever is left inside a Fortress stays inside, unless there is an Army outside.
        let post = if others.is_empty() { state.generals[commander].post } else { Post::Area(area) };
        let held = self.held_under_siege(state);
        let scene = Scene::open(self, state, 2, out);
        self.leave_together(state, left, post);
        let refs = [Ref::from(general), Ref::from(commander), Ref::from(area)];
        scene.publish(self, state, out, || Event::new("left_behind", rules::SUBORDINATES_LEFT, &refs));
        self.consequences(state, held, Cause::Other, out);
    }
}
