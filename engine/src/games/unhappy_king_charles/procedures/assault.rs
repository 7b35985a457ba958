//! Assaults after a Bombardment (14.5, F11, F12).

use num_bigint::BigUint;

use crate::vocabulary::*;

use super::super::actions::Action;
use super::super::content::ids::{CounterId, CounterSet, GeneralId};
use super::super::frames::Frame;
use super::super::state::{Holder, Marks, State};
use super::super::{UnhappyKing, catalogue, rules};
use super::bombardment::stages;
use super::brigade_choice::{BrigadeChoice, ChoiceStep};
use super::consequences::Cause;
use super::surrender;

impl UnhappyKing {
    /// F11: no Local Notable, a commander without the May-Not marker, and a Bombardment Value of five, unless they may Assault at once.
    pub(in super::super) fn may_assault(&self, state: &State, general: GeneralId) -> bool {
        let Some(fortress) = self.bombarded_by(state, general) else { return false };
        let breached = state.sieges[fortress].value >= self.content.numbers.siege.assault_value;
        let may = self.content.fortresses[fortress].notable.is_none()
            && !state.generals[general].may_not_assault
            && (breached || self.content.generals[general].assaults);
        rules::ASSAULT.applies(may)
    }

    /// Returns what is added to the dice of an Assault (F12).
    fn assault_modifier(&self, state: &State, general: GeneralId) -> i16 {
        let siege = self.content.numbers.siege;
        let fortress =
            self.bombarded_by(state, general).expect("an Army that Assaults stands at an enemy Fortress");
        let of = &self.content.fortresses[fortress];
        let early = state.sieges[fortress].value < siege.assault_value;
        let attackers = i16::from(state.size(general).min(siege.attackers));
        let defenders = state.garrison(&self.content, of.area).count() as i16;
        attackers + i16::from(siege.classes[usize::from(of.class)]) - defenders
            + if early { i16::from(siege.early) } else { 0 }
    }

    fn storms(&self, state: &State, general: GeneralId, dice: [u8; 2]) -> bool {
        let sum = dice.iter().map(|&die| i16::from(die)).sum::<i16>();
        let sum = sum + rules::ASSAULT_ROLL.gives(self.assault_modifier(state, general), 0);
        sum >= i16::from(self.content.numbers.siege.assault)
    }

    /// The ways of two dice, of 36, in which an Assault succeeds.
    #[must_use]
    pub(in super::super) fn assault_ways(&self, state: &State, general: GeneralId) -> u8 {
        let dice = (1..=6).flat_map(|first| (1..=6).map(move |second| [first, second]));
        dice.filter(|&dice| self.storms(state, general, dice)).count() as u8
    }

    /// The dice by whether the Assault succeeds.
    pub(in super::super) fn assault_classes(&self, state: &State, general: GeneralId) -> Vec<Class> {
        let mut classes: Vec<(bool, Class)> = Vec::new();
        for first in 1..=6 {
            for second in 1..=6 {
                let storms = self.storms(state, general, [first, second]);
                match classes.iter_mut().find(|(of, _)| *of == storms) {
                    Some((_, class)) => class.weight += 1u8,
                    None => {
                        let outcome = Outcome::Roll([first, second].into_iter().collect());
                        classes.push((storms, Class { outcome, weight: BigUint::from(1u8) }));
                    }
                }
            }
        }
        classes.into_iter().map(|(_, class)| class).collect()
    }

    /// 14.5: the dice have fallen; whatever they say, the best Brigade is lost.
    pub(in super::super) fn assault(
        &self,
        state: &mut State,
        (seat, general): (Seat, GeneralId),
        dice: [u8; 2],
        out: &mut Events,
    ) {
        let storms = self.storms(state, general, dice);
        let area = self.bombarded_area(state, general);
        let numbers = dice.map(|die| Ref::Number(die.into()));
        let code = if storms { "assault_succeeds" } else { "assault_fails" };
        let refs = [Ref::from(general), Ref::from(area), numbers[0], numbers[1]];
        out.emit(|| Event::new(code, rules::ASSAULT_ROLL, &refs));
        if storms {
            // The Fortress surrenders as soon as the loss is taken.
            state.frames.close();
            state.frames.open(Frame::Surrender { seat, area, stage: surrender::STORMED });
        } else {
            self.set_bombardment_stage(state, stages::REPULSED);
        }
        if rules::ASSAULT_ROLL.applies(true) {
            let from = self.only_holder(state, state.led_by(state.army(general)));
            state.frames.open(Frame::AssaultLoss { seat, general, from });
        }
    }

    fn assault_loss_choice(&self, state: &State, general: GeneralId, from: Option<Holder>) -> BrigadeChoice {
        let among = state.led_by(state.army(general));
        let value = |counter: CounterId| self.content.faces[self.content.face_of[counter]].value;
        let best = among.iter().map(value).max().unwrap_or(0);
        let allowed = rules::ASSAULT_ROLL.gives(among.that(|counter| value(counter) == best), among);
        BrigadeChoice { among, allowed, from, rule: rules::ASSAULT_ROLL }
    }

    /// The loss of an Army with one Brigade is no choice.
    pub(in super::super) fn advance_assault_loss(
        &self,
        state: &mut State,
        (seat, general): (Seat, GeneralId),
        out: &mut Events,
    ) -> bool {
        let army = state.led_by(state.army(general));
        let Some(counter) = army.first().filter(|_| army.count() == 1) else { return false };
        self.lose_stormer(state, seat, counter, out);
        true
    }

    pub(in super::super) fn offer_assault_loss(
        &self,
        state: &State,
        _: Seat,
        (general, from): (GeneralId, Option<Holder>),
        offer: &mut impl FnMut(Action),
    ) {
        self.offer_brigades(state, self.assault_loss_choice(state, general, from), offer);
    }

    /// F12: one of the highest Combat Value in the Army, of its owner's choice.
    pub(in super::super) fn examine_assault_loss(
        &self,
        state: &State,
        _: Seat,
        (general, from): (GeneralId, Option<Holder>),
        action: Action,
        why: &mut Why,
    ) -> ControlFlow<()> {
        self.examine_brigades(state, self.assault_loss_choice(state, general, from), action, why)
    }

    pub(in super::super) fn apply_assault_loss(
        &self,
        state: &mut State,
        seat: Seat,
        (general, from): (GeneralId, Option<Holder>),
        action: Action,
        out: &mut Events,
    ) {
        let choice = self.assault_loss_choice(state, general, from);
        let counter = match self.choice_step(state, choice, action) {
            ChoiceStep::Brigade(counter) => counter,
            ChoiceStep::Place(holder) => {
                let there = choice.among & state.brigades.at(holder);
                match there.first().filter(|_| there.count() == 1) {
                    Some(counter) => counter,
                    None => {
                        if let Some(Frame::AssaultLoss { from, .. }) = state.frames.top_mut() {
                            *from = Some(holder);
                        }
                        return;
                    }
                }
            }
        };
        self.lose_stormer(state, seat, counter, out);
    }

    /// 14.5: it is out of the game, before everybody's eyes.
    fn lose_stormer(&self, state: &mut State, seat: Seat, counter: CounterId, out: &mut Events) {
        state.frames.close();
        let held = self.held_under_siege(state);
        let (face, from) = (self.content.face_of[counter], state.brigades.get(counter).at);
        let scene = Scene::open(self, state, 2, out);
        state.brigades.change(&self.content, CounterSet::one(counter), |counter| {
            counter.at = Holder::OUT;
            counter.marks |= Marks::KNOWLEDGE;
        });
        let refs = [Ref::Seat(seat), Ref::from(face), Ref::from(catalogue::location(&self.content, from))];
        scene.publish(self, state, out, || Event::new("assault_loss", rules::ASSAULT_ROLL, &refs));
        self.consequences(state, held, Cause::Other, out);
    }

    /// F12: the commander makes no further Assault; Tom Fairfax's failure binds the Lord General.
    pub(in super::super) fn repulsed(&self, state: &mut State, general: GeneralId, out: &mut Events) {
        let scene = Scene::open(self, state, 2, out);
        if rules::ASSAULT_ROLL.applies(true) {
            state.generals.bar_from_assault(general);
            if general == self.content.people.tom_fairfax {
                state.generals.bar_from_assault(self.content.people.lord_general);
            }
        }
        scene.publish(self, state, out, || {
            Event::new("may_not_assault", rules::ASSAULT_ROLL, &[Ref::from(general)])
        });
    }
}
