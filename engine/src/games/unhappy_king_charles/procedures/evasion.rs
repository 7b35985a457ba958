//! Evasion (10.1, EV1 to EV7, EV14): an Army that is attacked slips away, step by step.

use crate::vocabulary::*;

use super::super::actions::{Action, Goal};
use super::super::content::ids::{AreaId, AreaSet, GeneralId};
use super::super::content::map::LineKind;
use super::super::frames::Frame;
use super::super::state::{Post, State};
use super::super::{UnhappyKing, rules};
use super::consequences::Cause;
use super::entry::stages as entering;

/// The stages of an Evasion.
pub(in super::super) mod stages {
    /// The attempt is offered.
    pub(in super::super::super) const OFFER: u8 = 0;
    /// The die is due.
    pub(in super::super::super) const DIE: u8 = 1;
    /// The Army is about to go: Subordinates may be left.
    pub(in super::super::super) const SETTING_OUT: u8 = 2;
    /// It is on its way.
    pub(in super::super::super) const ON_THE_WAY: u8 = 3;
}

/// All that is asked of an evader: the General, the stage, the Areas that are left.
pub(in super::super) type EvasionAsked = (GeneralId, u8, u8);

impl UnhappyKing {
    /// EV1, EV4: an Army outside is asked whether it tries, if it has a way to go.
    pub(in super::super) fn open_evasion(&self, state: &mut State, general: GeneralId) {
        let left = self.evasion_areas(state, general);
        let area = state.area_of(general).expect("an Army that is attacked stands on the map");
        if rules::EVADER.applies(self.way_ends(state, general, area, left)) {
            let seat = self.content.generals[general].side;
            state.frames.open(Frame::Evasion { seat, general, left, stage: stages::OFFER });
        }
    }

    /// The Areas that an Army may Evade, by its size (9.2).
    fn evasion_areas(&self, state: &State, general: GeneralId) -> u8 {
        self.content.numbers.allowance(state.size(general)).areas
    }

    /// The Areas to which an evader may step from one: no enemy Brigades there, garrisons among them, not the Area from which the enemy
    /// came, and by sea only a few (EV4).
    fn evasion_steps(&self, state: &State, general: GeneralId, from: AreaId) -> AreaSet {
        let enemy = self.content.generals[general].side.other();
        let barred = state.ongoing_activation().previous();
        let few = state.size(general) <= self.content.numbers.movement.maritime_brigades;
        let by_sea = if rules::EVASION_WAY.allows(few) {
            self.content.near[LineKind::Maritime as usize][from]
        } else {
            AreaSet::EMPTY
        };
        let near = self.content.by_land[from] | by_sea;
        near.that(|to| {
            rules::EVASION_WAY.allows(Some(to) != barred)
                && state.brigades_in(&self.content, enemy, to).is_empty()
        })
    }

    /// Returns whether an evader may end in an Area: nobody of its own is there, or they become one at no cost (S1, EV14).
    fn may_end_in(&self, state: &State, general: GeneralId, area: AreaId) -> bool {
        let company = self.company(state, general, area);
        company.count() < 2
            && company
                .iter()
                .all(|other| self.coming(state, general, other).is_some_and(|meeting| meeting.cost == 0))
    }

    /// Returns whether a legal end can be reached from an Area in so many steps, at least one (EV14).
    fn way_ends(&self, state: &State, general: GeneralId, from: AreaId, left: u8) -> bool {
        let mut reached = AreaSet::one(from);
        let mut edge = reached;
        for _ in 0..left {
            let next =
                edge.iter().fold(AreaSet::EMPTY, |all, area| all | self.evasion_steps(state, general, area));
            edge = next - reached;
            if edge.iter().any(|area| self.may_end_in(state, general, area)) {
                return true;
            }
            reached |= edge;
        }
        false
    }

    /// To try, or to stand; then Subordinates to leave, Areas, and to be done.
    pub(in super::super) fn offer_evasion(
        &self,
        state: &State,
        _: Seat,
        (general, stage, _): EvasionAsked,
        offer: &mut impl FnMut(Action),
    ) {
        if stage == stages::OFFER {
            offer(Action::Evade);
            return offer(Action::Stand);
        }
        let area = state.area_of(general).expect("an evader stands on the map");
        self.content.adjacent[area].iter().map(|to| Action::Move(Goal(Some(to)))).for_each(&mut *offer);
        if stage == stages::SETTING_OUT {
            let under = state.army(general).iter().filter(|&under| under != general);
            under.map(Action::Leave).for_each(&mut *offer);
        } else {
            offer(Action::Done);
        }
    }

    pub(in super::super) fn examine_evasion(
        &self,
        state: &State,
        _: Seat,
        (general, stage, left): EvasionAsked,
        action: Action,
        why: &mut Why,
    ) -> ControlFlow<()> {
        match (stage, action) {
            (stages::OFFER, Action::Evade | Action::Stand) => ControlFlow::Continue(()),
            (stages::SETTING_OUT, Action::Leave(under)) => self.examine_leave(state, general, under, why),
            (stages::SETTING_OUT | stages::ON_THE_WAY, Action::Move(Goal(Some(to)))) => {
                let area = state.area_of(general).expect("an evader stands on the map");
                let there = [Ref::from(to)];
                let near = self.content.adjacent[area].contains(to);
                why.demand(near, rules::EVASION_WAY, "NOT_ADJACENT", &there)?;
                let open = self.evasion_steps(state, general, area).contains(to);
                why.require(open, rules::EVASION_WAY, "NO_WAY_THERE", &there)?;
                let left =
                    if stage == stages::SETTING_OUT { self.evasion_areas(state, general) } else { left };
                let ends = self.may_end_in(state, general, to)
                    || self.way_ends(state, general, to, left.saturating_sub(1));
                why.require(ends, rules::NO_DEAD_WAY, "NOWHERE_TO_STOP", &there)
            }
            (stages::ON_THE_WAY, Action::Done) => {
                let area = state.area_of(general).expect("an evader stands on the map");
                let ends = self.may_end_in(state, general, area);
                why.require(ends, rules::NO_DEAD_WAY, "CANT_STAY", &[Ref::from(general)])
            }
            _ => why.refuse(CONTRACT, "NOT_NOW"),
        }
    }

    pub(in super::super) fn apply_evasion(
        &self,
        state: &mut State,
        _: Seat,
        (general, stage, left): EvasionAsked,
        action: Action,
        out: &mut Events,
    ) {
        match action {
            Action::Evade => {
                self.set_evasion(state, stages::DIE, left);
                out.emit(|| Event::new("tries_to_evade", rules::EVADER, &[Ref::from(general)]));
            }
            Action::Stand => {
                state.frames.close();
                out.emit(|| Event::new("stands", rules::EVADER, &[Ref::from(general)]));
            }
            Action::Leave(under) => self.leave_behind(state, general, under, out),
            Action::Move(Goal(Some(to))) => {
                let areas =
                    if stage == stages::SETTING_OUT { self.evasion_areas(state, general) } else { left };
                self.evade_to(state, (general, to), areas.saturating_sub(1), out);
            }
            _ => self.end_evasion(state, general, out),
        }
    }

    fn set_evasion(&self, state: &mut State, to: u8, areas: u8) {
        let Some(Frame::Evasion { stage, left, .. }) = state.frames.top_mut() else {
            unreachable!("an Evasion is answered within it");
        };
        (*stage, *left) = (to, areas);
    }

    /// Returns what is added to the die: by the ratings, and by the line by which the enemy came (EV3).
    fn evasion_added(&self, state: &State, general: GeneralId) -> i8 {
        let activation = state.ongoing_activation();
        let pair = [general, activation.general];
        let added = self.attempt_modifier(self.content.numbers.evasion, pair, activation.line);
        rules::EVASION_ROLL.gives(added, 0)
    }

    /// The faces of the die that bring an Evasion off.
    #[must_use]
    pub(in super::super) fn evasion_ways(&self, state: &State, general: GeneralId) -> u8 {
        Self::attempt_ways(self.content.numbers.evasion, self.evasion_added(state, general))
    }

    /// A failure and a success.
    pub(in super::super) fn evasion_classes(&self, state: &State, general: GeneralId) -> Vec<Class> {
        self.attempt_classes(self.content.numbers.evasion, self.evasion_added(state, general))
    }

    /// EV3: the die has fallen.
    pub(in super::super) fn resolve_evasion(
        &self,
        state: &mut State,
        (general, left): (GeneralId, u8),
        die: u8,
        out: &mut Events,
    ) {
        let score = i32::from(die) + i32::from(self.evasion_added(state, general));
        let success = score >= i32::from(self.content.numbers.evasion.at_least);
        let code = if success { "evasion_succeeds" } else { "evasion_fails" };
        let refs = [Ref::from(general), Ref::Number(die.into()), Ref::Number(score)];
        out.emit(|| Event::new(code, rules::EVASION_ROLL, &refs));
        if success {
            self.set_evasion(state, stages::SETTING_OUT, left);
        } else {
            state.frames.close();
        }
    }

    /// EV5: a step of the way.
    fn evade_to(&self, state: &mut State, (general, to): (GeneralId, AreaId), left: u8, out: &mut Events) {
        let from = state.area_of(general).expect("an evader stands on the map");
        let scene = Scene::open(self, state, 2, out);
        state.generals.place(general, Post::Area(to));
        self.set_evasion(state, stages::ON_THE_WAY, left);
        let refs = [Ref::from(general), Ref::from(from), Ref::from(to)];
        scene.publish(self, state, out, || Event::new("evades", rules::EVASION_WAY, &refs));
        if left == 0 {
            self.end_evasion(state, general, out);
        }
    }

    /// EV4, S1: the way is at its end; an Army there and the evader become one.
    fn end_evasion(&self, state: &mut State, general: GeneralId, out: &mut Events) {
        state.frames.close();
        // EV6: unled Brigades that were left behind are fought at once.
        self.set_entry_stage(state, rules::AFTER_EVASION.gives(entering::WITHDRAWAL, entering::END));
        let held = self.held_under_siege(state);
        self.consequences(state, held, Cause::Other, out);
        self.join_company(state, general, out);
    }
}
