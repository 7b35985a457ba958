//! Brigades that a Battle costs, one by one, for good; and Generals whom it leaves without any (10.2, 10.4, B6 to B8).

use crate::vocabulary::*;

use super::super::actions::Action;
use super::super::content::ids::CounterId;
use super::super::frames::Frame;
use super::super::state::{BattleKind, Holder, Margin, State};
use super::super::{UnhappyKing, catalogue, rules};
use super::battle::stages;
use super::brigade_choice::{BrigadeChoice, ChoiceStep};
use super::consequences::Cause;

impl UnhappyKing {
    /// The side that has the next loss to take: in a draw the attacker comes first (B11).
    fn next_loser(&self, state: &State) -> Option<Seat> {
        let battle = state.ongoing_battle();
        let [first, second] = [battle.attacker, battle.attacker.other()];
        let order = rules::BATTLE_AFTERMATH.gives([first, second], [second, first]);
        let owes = |&side: &Seat| battle.losses[side.index()] > 0 && !self.fighters(state, side).is_empty();
        order.into_iter().find(owes)
    }

    /// The next loss: in draws and Decisive Victories Veterans go first, else Militia. Once all are taken, lone Generals Surrender.
    pub(in super::super) fn battle_losses(&self, state: &mut State, out: &mut Events) {
        let Some(seat) = self.next_loser(state) else {
            if let Some(Frame::Battle { stage }) = state.frames.top_mut() {
                *stage = stages::RETREAT;
            }
            let battle = state.ongoing_battle();
            let mut held = self.held_under_siege(state);
            if battle.kind == BattleKind::Sortie {
                // It may have cost a Besieged Fortress the last Brigade of its garrison.
                held.insert(battle.area);
            }
            self.consequences(state, held, Cause::Battle, out);
            return;
        };
        let choice = self.loss_choice(state, seat, None);
        match self.only_face(state, choice) {
            Some(counter) => self.take_loss(state, seat, counter, out),
            None => {
                let from = self.only_holder(state, choice.allowed);
                state.frames.open(Frame::BattleLoss { seat, from });
            }
        }
    }

    fn loss_choice(&self, state: &State, seat: Seat, from: Option<Holder>) -> BrigadeChoice {
        let among = self.fighters(state, seat);
        let margin = state.ongoing_battle().margin;
        let veterans = among.that(|counter| self.content.faces[self.content.face_of[counter]].is_veteran());
        let dear = matches!(margin, Some(Margin::Drawn | Margin::Decisive));
        let first = if dear { veterans } else { among - veterans };
        let allowed = if first.is_empty() { among } else { first };
        let rule = if margin == Some(Margin::Drawn) { rules::DRAWN_BATTLE } else { rules::LOSSES };
        BrigadeChoice { among, allowed: rule.gives(allowed, among), from, rule }
    }

    pub(in super::super) fn offer_battle_loss(
        &self,
        state: &State,
        seat: Seat,
        from: Option<Holder>,
        offer: &mut impl FnMut(Action),
    ) {
        self.offer_brigades(state, self.loss_choice(state, seat, from), offer);
    }

    /// 10.2, B6: the owner picks among those of the value that goes first.
    pub(in super::super) fn examine_battle_loss(
        &self,
        state: &State,
        seat: Seat,
        from: Option<Holder>,
        action: Action,
        why: &mut Why,
    ) -> ControlFlow<()> {
        self.examine_brigades(state, self.loss_choice(state, seat, from), action, why)
    }

    pub(in super::super) fn apply_battle_loss(
        &self,
        state: &mut State,
        seat: Seat,
        from: Option<Holder>,
        action: Action,
        out: &mut Events,
    ) {
        let choice = self.loss_choice(state, seat, from);
        let counter = match self.choice_step(state, choice, action) {
            ChoiceStep::Brigade(counter) => Some(counter),
            ChoiceStep::Place(holder) => {
                if let Some(Frame::BattleLoss { from, .. }) = state.frames.top_mut() {
                    *from = Some(holder);
                }
                self.only_face(state, BrigadeChoice { from: Some(holder), ..choice })
            }
        };
        if let Some(counter) = counter {
            state.frames.close();
            self.take_loss(state, seat, counter, out);
        }
    }

    fn take_loss(&self, state: &mut State, seat: Seat, counter: CounterId, out: &mut Events) {
        let (face, from) = (self.content.face_of[counter], state.brigades.get(counter).at);
        let scene = Scene::open(self, state, 2, out);
        self.fall(state, counter);
        state.ongoing_battle_mut().losses[seat.index()] -= 1;
        let refs = [Ref::Seat(seat), Ref::from(face), Ref::from(catalogue::location(&self.content, from))];
        scene.publish(self, state, out, || Event::new("battle_loss", rules::LOSSES, &refs));
    }
}
