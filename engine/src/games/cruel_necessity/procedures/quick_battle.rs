//! Battles that are resolved quickly (12.3).

use crate::event::{Event, Events};
use crate::reference::Ref;

use super::super::state::State;
use super::super::state::line::{Outcome, Stage};
use super::super::{CruelNecessity, rules};

impl CruelNecessity {
    /// The dice of the quick method (12.3, O12, O13).
    pub(in super::super) fn quick_roll(&self, state: &mut State, dice: [u8; 2], out: &mut Events) {
        let quick = &self.content.numbers.quick;
        let revealed = |card| state.revealed(&self.content, card);
        let needed = if revealed(self.content.numbers.new_model_card) {
            quick.victory_new_model
        } else if revealed(self.content.numbers.cromwell_card) {
            quick.victory_cromwell
        } else {
            quick.victory
        };
        let needed = rules::QUICK_THRESHOLDS.gives(needed, quick.victory);
        let ahead = dice[0] as i8 - dice[1] as i8;
        let scene = self.scene(state, out);
        let outcome = if ahead >= needed {
            Outcome::Victory
        } else if -ahead >= quick.defeat {
            Outcome::Defeat
        } else {
            Outcome::Draw
        };
        state.battle.outcome = rules::QUICK_RESULT.gives(outcome, Outcome::Draw);
        let refs = [Ref::Number(dice[0].into()), Ref::Number(dice[1].into())];
        scene.publish(self, state, out, || Event::new("quick_dice", rules::QUICK, &refs));
        // The outcome alone: no points (O13), no cards (12.3.2).
        state.battle.points = rules::QUICK_OUTCOME.gives(0, 1);
        if rules::QUICK_ETC.applies(state.battle.quick) {
            self.apply_outcome(state, out);
        } else {
            state.battle.stage = Stage::Aftermath;
        }
    }
}
