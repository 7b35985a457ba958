//! Breaches: mines and bombardments before a Storming (7.93, 8.3).

use crate::event::{Event, Events};
use crate::reference::Ref;

use super::super::state::{Stage, State};
use super::super::{ThisWar, rules};

impl ThisWar {
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
}
