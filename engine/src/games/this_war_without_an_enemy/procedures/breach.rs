//! Breaches: mines and bombardments before a Storming (7.93, 8.3).

use std::ops::ControlFlow;

use crate::event::{Event, Events, Scene};
use crate::game::CONTRACT;
use crate::reference::Ref;
use crate::refusal::Why;
use crate::seat::Seat;

use super::super::actions::Action;
use super::super::content::things::BlockSet;
use super::super::state::{Fight, Flags, Stage, State};
use super::super::{ThisWar, rules};

impl ThisWar {
    /// To mine, and to bombard, or not.
    pub(in super::super) fn offer_breach(
        &self,
        _: &State,
        _: Seat,
        fight: &Fight,
        offer: &mut impl FnMut(Action),
    ) {
        offer(if fight.stage == Stage::Mine { Action::Mine } else { Action::Bombard });
        offer(Action::Pass);
    }

    /// 8.3: a bombardment needs enough Artillery.
    pub(in super::super) fn examine_breach(
        &self,
        state: &State,
        _: Seat,
        fight: &Fight,
        action: Action,
        why: &mut Why,
    ) -> ControlFlow<()> {
        match (fight.stage, action) {
            (Stage::Mine, Action::Mine | Action::Pass) | (Stage::Bombard, Action::Pass) => {
                ControlFlow::Continue(())
            }
            (Stage::Bombard, Action::Bombard) => {
                let guns = self.besieging_guns(state, fight);
                let enough = self.content.breach(state.strength(guns)).is_some();
                why.require(enough, rules::BOMBARDMENT, "TOO_LITTLE_ARTILLERY", &[])
            }
            _ => why.refuse(CONTRACT, "NOT_NOW"),
        }
    }

    pub(in super::super) fn apply_breach(
        &self,
        state: &mut State,
        seat: Seat,
        fight: &Fight,
        action: Action,
        out: &mut Events,
    ) {
        let (who, mut fight) = (Ref::Seat(seat), *fight);
        match (fight.stage, action) {
            (Stage::Mine, Action::Mine) => {
                let scene = Scene::open(self, state, 2, out);
                state.mining[seat.index()] = false;
                fight.stage = Stage::MineRoll;
                state.fight = Some(fight);
                scene.publish(self, state, out, || Event::new("mines", rules::MINING, &[who]));
            }
            (Stage::Mine, Action::Pass) => {
                fight.stage = Stage::Bombard;
                Self::go_on(state, fight, ("no_mining", rules::MINING), &[who], out);
            }
            (Stage::Bombard, Action::Bombard) => {
                fight.stage = Stage::BombardRoll;
                let total = state.strength(self.besieging_guns(state, &fight));
                fight.owed = total.min(255) as u8;
                let refs = [who, Ref::Number(total as i32)];
                Self::go_on(state, fight, ("bombardment", rules::BOMBARDMENT), &refs, out);
                out.revealed();
            }
            (Stage::Bombard, Action::Pass) => {
                fight.stage = Stage::StormPick;
                Self::go_on(state, fight, ("no_bombardment", rules::BOMBARDMENT), &[who], out);
            }
            _ => unreachable!("an illegal action of a fight"),
        }
    }

    /// 7.93, 8.3: the least roll of a mine, or of a bombardment, that makes a breach.
    pub(in super::super) fn breach_at(&self, state: &State) -> u8 {
        let fight = state.ongoing_fight();
        if fight.stage == Stage::MineRoll {
            let card = state.cards[fight.attacker.index()];
            return card.map_or(7, |card| self.content.card(card).amount);
        }
        self.content.breach(fight.owed.into()).unwrap_or(7)
    }

    /// 7.93, 8.3: the die of a mine, or of a bombardment.
    pub(in super::super) fn breach_rolled(&self, state: &mut State, die: u8, out: &mut Events) {
        let breach = die >= self.breach_at(state);
        let fight = state.ongoing_fight_mut();
        let mining = fight.stage == Stage::MineRoll;
        let rule = if mining { rules::MINING } else { rules::BOMBARDMENT };
        // London without its walls stays breached, whatever the die says.
        fight.breach |= rule.applies(breach);
        fight.owed = 0;
        fight.stage = if mining { Stage::Bombard } else { Stage::StormPick };
        let refs = [Ref::Seat(fight.attacker), Ref::Number(die.into())];
        let code = if breach { "breach" } else { "no_breach" };
        out.emit(|| Event::new(code, rule, &refs));
    }

    /// 8.3: the besieger's Artillery that can bombard.
    pub(in super::super) fn besieging_guns(&self, state: &State, fight: &Fight) -> BlockSet {
        let own = state.out(&self.content, fight.area, fight.attacker) & self.content.guns;
        own - state.flagged(own, Flags::TIRED)
    }
}
