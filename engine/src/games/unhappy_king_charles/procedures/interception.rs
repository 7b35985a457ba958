//! Interception (9.7, I1 to I13): an Army at one line steps in the way of the active one.

use crate::vocabulary::*;

use super::super::actions::Action;
use super::super::content::ids::{AreaId, GeneralId, GeneralSet};
use super::super::content::map::LineKind;
use super::super::content::numbers::Attempt;
use super::super::frames::Frame;
use super::super::state::{Battle, BattleKind, Cards, Post, State};
use super::super::{STREAM_DICE, UnhappyKing, rules};
use super::consequences::Cause;
use super::entry::stages as entering;

/// An Interception as it stands: who tries, whom they leave, what a card adds, and the stage.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(in super::super) struct Try {
    /// The General who tries; none before one is named.
    pub(in super::super) general: Option<GeneralId>,
    /// Subordinates who stay behind (I6).
    pub(in super::super) leaving: GeneralSet,
    /// All that a card adds to the roll.
    pub(in super::super) added: u8,
    /// See [`stages`].
    pub(in super::super) stage: u8,
}

/// The stages of an Interception.
pub(in super::super) mod stages {
    /// A General is named, or none.
    pub(in super::super::super) const DECLARATION: u8 = 0;
    /// Subordinates are left behind, a card is played.
    pub(in super::super::super) const PREPARATION: u8 = 1;
    /// The die is due.
    pub(in super::super::super) const DIE: u8 = 2;
}

impl UnhappyKing {
    /// Returns what is added to a die of Interception or Evasion: by the Strategy Ratings, and the line (9.7.2, 10.1, G9).
    #[must_use]
    pub(in super::super) fn attempt_modifier(
        &self,
        attempt: Attempt,
        [own, enemy]: [GeneralId; 2],
        line: Option<LineKind>,
    ) -> i8 {
        let rating = |general: GeneralId| self.content.generals[general].strategy;
        let better = match rating(own).cmp(&rating(enemy)) {
            std::cmp::Ordering::Less => attempt.better,
            std::cmp::Ordering::Equal => 0,
            std::cmp::Ordering::Greater => attempt.worse,
        };
        better + line.map_or(0, |kind| attempt.lines[kind as usize])
    }

    /// The least face of a die that succeeds when so much is added to it, 7 if none does.
    fn attempt_least(attempt: Attempt, added: i8) -> u8 {
        (attempt.at_least as i8 - added).clamp(1, 7) as u8
    }

    /// The faces of a die that succeed, when so much is added to it.
    #[must_use]
    pub(in super::super) fn attempt_ways(attempt: Attempt, added: i8) -> u8 {
        7 - Self::attempt_least(attempt, added)
    }

    /// The classes of a die that succeeds with `at_least` or more, when so much is added to it.
    #[must_use]
    pub(in super::super) fn attempt_classes(&self, attempt: Attempt, added: i8) -> Vec<Class> {
        let mut classes = Class::of_die(Self::attempt_least(attempt, added));
        classes.retain(|class| class.weight != num_bigint::BigUint::ZERO);
        classes
    }

    /// The road or mountain line between two Areas: nobody intercepts by sea (9.3, I2).
    fn interception_line(&self, from: AreaId, to: AreaId) -> Option<LineKind> {
        let kind = self.line_kind(from, to)?;
        rules::INTERCEPTOR.allows(kind != LineKind::Maritime).then_some(kind)
    }

    /// The Area of a commander who could intercept at all: outside without a Siege marker, or inside without a Mask (I2).
    fn interceptor_area(&self, state: &State, general: GeneralId) -> Option<AreaId> {
        match state.generals[general].post {
            Post::Area(area) => {
                rules::UNDER_SIEGE_MARKER.allows(!self.has_siege_marker(state, general)).then_some(area)
            }
            Post::Inside(area) => {
                let free = rules::INTERCEPTOR.allows(!self.is_masked_inside(state, general));
                rules::INSIDE_UNMASKED.applies(free).then_some(area)
            }
            _ => None,
        }
    }

    /// I3: into an Area with Brigades of their own side nobody intercepts.
    fn may_be_intercepted(&self, state: &State, seat: Seat, area: AreaId) -> bool {
        rules::INTERCEPTION_BARRED.allows(state.brigades_in(&self.content, seat, area).is_empty())
    }

    /// The commanders of a seat who may try to intercept in an Area (I2 to I4).
    fn interceptors<'s>(
        &'s self,
        state: &'s State,
        seat: Seat,
        area: AreaId,
    ) -> impl Iterator<Item = GeneralId> + use<'s> {
        let tried = state.ongoing_activation().tried;
        State::generals_of(&self.content, seat).filter(move |&general| {
            rules::INTERCEPTOR.allows(!tried.contains(general))
                && self
                    .interceptor_area(state, general)
                    .is_some_and(|from| self.interception_line(from, area).is_some())
        })
    }

    /// I1, I4: the other side is asked, if it has an Army that could.
    pub(in super::super) fn open_interception(&self, state: &mut State, seat: Seat, area: AreaId) {
        let asked = self.may_be_intercepted(state, seat, area)
            && self.interceptors(state, seat, area).next().is_some();
        if rules::INTERCEPTION.applies(asked) {
            let stage = stages::DECLARATION;
            let leaving = GeneralSet::EMPTY;
            state.frames.open(Frame::Interception { seat, general: None, added: 0, stage, leaving });
        }
    }

    /// The Area that the active Army has entered.
    fn entered(&self, state: &State) -> AreaId {
        let general = state.ongoing_activation().general;
        state.area_of(general).expect("an active Army that is intercepted stands on the map")
    }

    /// Commanders near, then to pass; of the one who was named the Subordinates and cards, then to be done.
    pub(in super::super) fn offer_interception(
        &self,
        state: &State,
        seat: Seat,
        attempt: Try,
        offer: &mut impl FnMut(Action),
    ) {
        let Some(general) = attempt.general else {
            self.able_interceptors(state, seat).map(Action::Intercept).for_each(&mut *offer);
            return offer(Action::Pass);
        };
        let under = state.army(general).iter().filter(|&under| under != general);
        under.map(Action::Leave).for_each(&mut *offer);
        Cards::ids(self.answering_cards(state, seat))
            .filter(|&card| self.reinforces_interception(card))
            .map(Action::Card)
            .for_each(&mut *offer);
        offer(Action::Done);
    }

    pub(in super::super) fn examine_interception(
        &self,
        state: &State,
        seat: Seat,
        attempt: Try,
        action: Action,
        why: &mut Why,
    ) -> ControlFlow<()> {
        match (attempt.general, action) {
            (None, Action::Pass) | (Some(_), Action::Done) => ControlFlow::Continue(()),
            (None, Action::Intercept(general)) => self.examine_interceptor(state, seat, general, why),
            (Some(general), Action::Leave(under)) => {
                self.examine_left(state, general, (under, attempt.leaving), why)
            }
            (Some(_), Action::Card(card)) => {
                let held = self.answering_cards(state, seat).contains(card.index() as u16);
                why.demand(held, rules::EVENT, "NOT_IN_HAND", &[card.into()])?;
                let fits = self.content.cards[card].is_for(seat)
                    && !state.passed[seat.index()]
                    && self.reinforces_interception(card);
                why.require(fits, rules::EVENT, "NOT_A_RESPONSE", &[card.into()])?;
                why.require(attempt.added == 0, rules::EVENT, "ONE_CARD", &[card.into()])
            }
            _ => why.refuse(CONTRACT, "NOT_NOW"),
        }
    }

    /// 9.7.1, I2: a commander near, by no Maritime line, free to leave, who has not tried in this Activation.
    fn examine_interceptor(
        &self,
        state: &State,
        seat: Seat,
        general: GeneralId,
        why: &mut Why,
    ) -> ControlFlow<()> {
        let area = self.entered(state);
        let refs = [Ref::from(general), Ref::from(area)];
        let own = self.content.generals[general].side == seat;
        why.demand(own, rules::INTERCEPTOR, "NOT_YOUR_GENERAL", &refs[..1])?;
        let commands = state.commands(general);
        why.demand(commands, rules::SUBORDINATE_ACTS, "COMMANDS_NO_ARMY", &refs)?;
        let from = self.interceptor_area(state, general);
        why.demand(from.is_some(), rules::INTERCEPTOR, "HELD_UP", &refs)?;
        let near = from.is_some_and(|from| self.interception_line(from, area).is_some());
        why.require(near, rules::INTERCEPTION, "NOT_ADJACENT", &refs)?;
        let tried = state.ongoing_activation().tried.contains(general);
        why.require(!tried, rules::INTERCEPTOR, "HAS_TRIED", &refs)
    }

    pub(in super::super) fn apply_interception(
        &self,
        state: &mut State,
        seat: Seat,
        attempt: Try,
        action: Action,
        out: &mut Events,
    ) {
        let area = self.entered(state);
        let mut next = attempt;
        match action {
            Action::Intercept(general) => {
                let scene = Scene::open(self, state, 2, out);
                state.ongoing_activation_mut().tried.insert(general);
                next.general = Some(general);
                next.stage =
                    if self.prepares(state, seat, general) { stages::PREPARATION } else { stages::DIE };
                let refs = [Ref::from(general), Ref::from(area)];
                scene.publish(self, state, out, || Event::new("intercepts", rules::INTERCEPTION, &refs));
            }
            Action::Leave(under) => {
                next.leaving.insert(under);
                let refs = [Ref::from(under), Ref::from(area)];
                out.emit(|| Event::new("stays_behind", rules::SUBORDINATES_LEFT, &refs));
            }
            Action::Card(card) => {
                self.play_response(state, seat, card, out);
                next.added = self.response_modifier(card);
            }
            Action::Done => next.stage = stages::DIE,
            _ => {
                state.frames.close();
                return out
                    .emit(|| Event::new("lets_pass", rules::INTERCEPTION, &[Ref::Seat(seat), area.into()]));
            }
        }
        let Some(Frame::Interception { general, leaving, added, stage, .. }) = state.frames.top_mut() else {
            unreachable!("an Interception is answered within it");
        };
        (*general, *leaving, *added, *stage) = (next.general, next.leaving, next.added, next.stage);
    }

    /// Returns whether there is anything to choose before the die, by what is public: a Subordinate to leave, or a card that may be there.
    fn prepares(&self, state: &State, seat: Seat, general: GeneralId) -> bool {
        let leaves = |under: GeneralId| {
            let mut why = Why::quiet();
            let _ = self.examine_left(state, general, (under, GeneralSet::EMPTY), &mut why);
            !why.refused()
        };
        state.army(general).iter().any(|under| under != general && leaves(under))
            || self.might_reinforce_interception(state, seat)
    }

    /// Returns what is added to the die (I5).
    fn interception_added(&self, state: &State, attempt: Try) -> i8 {
        let general = attempt.general.expect("who intercepts was named");
        let from = state.area_of(general).expect("an interceptor stands on the map");
        let line = self.interception_line(from, self.entered(state));
        let enemy = state.ongoing_activation().general;
        let added = self.attempt_modifier(self.content.numbers.interception, [general, enemy], line);
        rules::INTERCEPTION_ROLL.gives(added, 0) + attempt.added as i8
    }

    /// The die of the side that intercepts.
    pub(in super::super) fn attempt_chance(&self, seat: Seat) -> Chance {
        Chance::Roll { stream: STREAM_DICE + seat.index() as u32, dice: 1, sides: 6 }
    }

    /// The faces of the die that bring an Interception off.
    #[must_use]
    pub(in super::super) fn interception_ways(&self, state: &State, attempt: Try) -> u8 {
        Self::attempt_ways(self.content.numbers.interception, self.interception_added(state, attempt))
    }

    /// The commanders who may try to intercept the active Army where it stands.
    pub(in super::super) fn able_interceptors<'s>(
        &'s self,
        state: &'s State,
        seat: Seat,
    ) -> impl Iterator<Item = GeneralId> + use<'s> {
        self.interceptors(state, seat, self.entered(state))
    }

    /// A failure and a success.
    pub(in super::super) fn interception_classes(&self, state: &State, attempt: Try) -> Vec<Class> {
        self.attempt_classes(self.content.numbers.interception, self.interception_added(state, attempt))
    }

    /// 9.7.2, 9.7.3: the die has fallen; who succeeds steps in the way, and defends.
    pub(in super::super) fn resolve_interception(
        &self,
        state: &mut State,
        seat: Seat,
        attempt: Try,
        die: u8,
        out: &mut Events,
    ) {
        let general = attempt.general.expect("who intercepts was named");
        let score = i32::from(die) + i32::from(self.interception_added(state, attempt));
        let success = score >= i32::from(self.content.numbers.interception.at_least);
        state.frames.close();
        let refs = [Ref::from(general), Ref::Number(die.into()), Ref::Number(score)];
        let code = if success { "interception_succeeds" } else { "interception_fails" };
        out.emit(|| Event::new(code, rules::INTERCEPTION_ROLL, &refs));
        // I4, I11: nobody else tries in this Area, whatever comes of it.
        let once = if success { rules::AFTER_INTERCEPTION } else { rules::ONE_INTERCEPTOR };
        self.set_entry_stage(state, once.gives(entering::INTERCEPTED, entering::INTERCEPTION));
        if success {
            self.intercept(state, seat, (general, attempt.leaving), out);
        }
    }

    /// 9.7.3, 9.7.5, I8, I9: the interceptor moves in; among others of the active side only the two Armies fight.
    fn intercept(
        &self,
        state: &mut State,
        seat: Seat,
        (general, leaving): (GeneralId, GeneralSet),
        out: &mut Events,
    ) {
        let area = self.entered(state);
        let origin = state.area_of(general).expect("an interceptor stands on the map");
        let activation = state.ongoing_activation();
        let (attacker, active, came_from) = (activation.seat, activation.general, activation.previous());
        let others = state.brigades_in(&self.content, attacker, area) - state.led_by(state.army(active));
        let apart = rules::INTERCEPTION_AMONG_ENEMIES.applies(!others.is_empty());
        let kind = if apart { BattleKind::Apart } else { BattleKind::Interception };
        let held = self.held_under_siege(state);
        let from_inside = matches!(state.generals[general].post, Post::Inside(_));
        let scene = Scene::open(self, state, 2, out);
        self.leave_together(state, leaving, state.generals[general].post);
        state.generals.place(general, Post::Area(area));
        let refs = [Ref::from(general), Ref::from(origin), Ref::from(area)];
        scene.publish(self, state, out, || Event::new("in_the_way", rules::INTERCEPTION, &refs));
        let mut commanders = [None; 2];
        (commanders[attacker.index()], commanders[seat.index()]) = (Some(active), Some(general));
        // I8: the active Army attacks, although the interceptor came last.
        let attacking = rules::INTERCEPTION_BATTLE.gives(attacker, seat);
        let mut battle = Battle::new(area, kind, attacking, commanders);
        (battle.origins[attacker.index()], battle.origins[seat.index()]) = (came_from, Some(origin));
        battle.from_inside = from_inside;
        state.battle = Some(battle);
        state.frames.open(Frame::Battle { stage: 0 });
        self.consequences(state, held, Cause::Other, out);
    }
}
