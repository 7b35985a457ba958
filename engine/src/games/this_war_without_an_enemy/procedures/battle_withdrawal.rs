//! Withdraw Before Battle (7.2): what is announced, the die, the losses.

use std::ops::ControlFlow;

use crate::event::{Event, Events, Scene};
use crate::game::CONTRACT;
use crate::reference::Ref;
use crate::refusal::Why;
use crate::seat::Seat;

use super::super::actions::{Action, offer_each};
use super::super::content::things::{BlockSet, Place};
use super::super::state::{Fight, Flags, Stage, State};
use super::super::{ThisWar, rules};

impl ThisWar {
    /// To attempt it, or to stand; then who takes a loss.
    pub(in super::super) fn offer_battle_withdrawal(
        &self,
        state: &State,
        _: Seat,
        fight: &Fight,
        offer: &mut impl FnMut(Action),
    ) {
        match fight.stage {
            Stage::Withdraw => {
                offer(Action::Retire);
                offer(Action::Fight);
            }
            _ => {
                offer_each(self.attempt_losers(state, fight), Action::Lose, offer);
                offer(Action::Pass);
            }
        }
    }

    /// 7.2: either; a loss falls on Cavalry first.
    pub(in super::super) fn examine_battle_withdrawal(
        &self,
        state: &State,
        _: Seat,
        fight: &Fight,
        action: Action,
        why: &mut Why,
    ) -> ControlFlow<()> {
        match (fight.stage, action) {
            (Stage::Withdraw, Action::Retire | Action::Fight) => ControlFlow::Continue(()),
            (Stage::WithdrawLoss, Action::Lose(block)) => {
                let able = self.attempt_losers(state, fight).contains(block);
                why.require(able, rules::WITHDRAWAL_LOSS, "CAVALRY_FIRST", &[block.into()])
            }
            (Stage::WithdrawLoss, Action::Pass) => {
                let none = self.attempt_losers(state, fight).is_empty();
                why.require(none, rules::WITHDRAWAL_LOSS, "LOSS_OWED", &[])
            }
            _ => why.refuse(CONTRACT, "NOT_NOW"),
        }
    }

    pub(in super::super) fn apply_battle_withdrawal(
        &self,
        state: &mut State,
        seat: Seat,
        fight: &Fight,
        action: Action,
        out: &mut Events,
    ) {
        let (who, mut fight) = (Ref::Seat(seat), *fight);
        match (fight.stage, action) {
            (Stage::Withdraw, Action::Retire) => self.attempt(state, out),
            (Stage::Withdraw, Action::Fight) => {
                fight.stage = Stage::Joining;
                Self::go_on(state, fight, ("stands", rules::BATTLE_WITHDRAWAL), &[who], out);
            }
            (Stage::WithdrawLoss, Action::Lose(block)) => {
                fight.owed -= 1;
                state.fight = Some(fight);
                self.lose_one(state, block, rules::WITHDRAWAL_LOSS, out);
                // Cavalry loses first, so that everybody can tell when one of it is gone.
                let gone = state.blocks[block].at == Place::POOL;
                let fight = state.ongoing_fight_mut();
                fight.horse[0] = fight.horse[0].saturating_sub(gone.into());
            }
            (Stage::WithdrawLoss, Action::Pass) => {
                fight.owed = 0;
                Self::go_on(state, fight, ("nobody_to_lose", rules::WITHDRAWAL_LOSS), &[who], out);
            }
            _ => unreachable!("an illegal action of a fight"),
        }
    }

    /// 7.2: both sides announce, and the attempt is settled or the die is due.
    pub(in super::super) fn attempt(&self, state: &mut State, out: &mut Events) {
        let mut fight = state.ongoing_fight();
        let scene = Scene::open(self, state, 2, out);
        let content = &self.content;
        let (defence, attack) = (self.defence(state, &fight), self.attack(state, &fight));
        let horse = [defence, attack].map(|set| (set & content.horse).count() as u8);
        fight.tried = true;
        fight.horse = horse;
        fight.guns = defence.meets(content.guns);
        fight.horse_only = !defence.is_empty() && (defence - content.horse).is_empty();
        fight.stage = match horse {
            [1..=u8::MAX, 0] if rules::WITHDRAWAL_AUTO.applies(true) => {
                fight.withdrawn = true;
                Stage::WithdrawLoss
            }
            [0, 1..=u8::MAX] if rules::WITHDRAWAL_AUTO.applies(true) => {
                fight.owed = content.withdrawal[0].1;
                Stage::WithdrawLoss
            }
            _ => Stage::WithdrawRoll,
        };
        state.fight = Some(fight);
        let flag = |on: bool| Ref::Number(i32::from(on));
        let number = |n: u8| Ref::Number(n.into());
        let refs = [
            Ref::Seat(fight.defender()),
            number(horse[0]),
            number(horse[1]),
            flag(fight.guns),
            flag(fight.horse_only),
        ];
        scene.publish(self, state, out, || Event::new("announces", rules::BATTLE_WITHDRAWAL, &refs));
        out.revealed();
        // Cavalry on one side alone needs no die.
        match horse {
            _ if fight.stage == Stage::WithdrawRoll => {}
            [_, 0] => {
                out.emit(|| Event::new("sure_withdrawal", rules::WITHDRAWAL_AUTO, &[refs[0]]));
            }
            _ => {
                let owed = number(fight.owed);
                out.emit(|| Event::new("sure_failure", rules::WITHDRAWAL_AUTO, &[refs[0], owed]));
            }
        }
    }

    /// 7.2: the column of the table that a die gives.
    pub(in super::super) fn withdrawal_column(&self, fight: &Fight, die: u8) -> usize {
        let mut value = i32::from(die) + i32::from(fight.horse[0]) - i32::from(fight.horse[1]);
        value += rules::WITHDRAWAL_MODIFIERS.gives(i32::from(fight.horse_only) - i32::from(fight.guns), 0);
        (value.clamp(1, 6) - 1) as usize
    }

    pub(in super::super) fn withdrawal_rolled(&self, state: &mut State, die: u8, out: &mut Events) {
        let fight = state.ongoing_fight_mut();
        let (success, loss) = self.content.withdrawal[self.withdrawal_column(fight, die)];
        fight.withdrawn = success;
        fight.owed = loss;
        fight.stage = Stage::WithdrawLoss;
        let refs = [Ref::Seat(fight.defender()), Ref::Number(die.into()), Ref::Number(loss.into())];
        let code = if success { "withdrawal" } else { "no_withdrawal" };
        out.emit(|| Event::new(code, rules::BATTLE_WITHDRAWAL, &refs));
    }

    /// 7.2: the blocks that can take a loss of the attempt: Cavalry while there is any.
    pub(in super::super) fn attempt_losers(&self, state: &State, fight: &Fight) -> BlockSet {
        let field = self.defence(state, fight) & self.content.field();
        let horse = field & self.content.horse;
        if rules::WITHDRAWAL_LOSS.applies(!horse.is_empty()) { horse } else { field }
    }

    /// 7.2: the attempt is over: the end of the Battle, or its Rounds.
    pub(in super::super) fn after_attempt(&self, state: &mut State, fight: &Fight, out: &mut Events) {
        let scene = Scene::open(self, state, 2, out);
        if fight.withdrawn {
            Self::stage(state, Stage::End);
        } else {
            Self::stage(state, Stage::Joining);
            let defence = self.defence(state, fight);
            if rules::HORSE_ALONE.applies(!defence.is_empty() && (defence - self.content.horse).is_empty()) {
                let foot = self.attack(state, fight) & self.content.foot;
                state.depart(&self.content, foot);
                state.set_flags(foot, Flags::RESERVE | Flags::LATE);
                if let Some(fight) = &mut state.fight {
                    fight.waits = true;
                }
            }
        }
        let code = if fight.withdrawn { "has_withdrawn" } else { "must_fight" };
        let refs = [Ref::Seat(fight.defender()), Ref::from(fight.area)];
        scene.publish(self, state, out, || Event::new(code, rules::BATTLE_WITHDRAWAL, &refs));
    }
}
