//! After the sectors of a Battle: salvage, outcome, return, Deadly Outcomes (7.0 steps 6 and 7).

use crate::event::{Event, Events};
use crate::reference::Ref;

use super::super::actions::Target;
use super::super::catalogue::names;
use super::super::content::{SlotId, T_MONARCHY};
use super::super::state::line::{Outcome, Place, Stage, Standing, own_slots, slots};
use super::super::state::{Flags, State};
use super::super::{CruelNecessity, rules};

impl CruelNecessity {
    /// All that is in the Victory box goes down to Draw (B22).
    pub(in super::super) fn salvage(&self, state: &mut State, out: &mut Events) {
        let scene = self.scene(state, out);
        for slot in own_slots() {
            if state.battle.line[slot].place == Place::Victory {
                state.battle.line[slot].place = Place::Draw;
            }
        }
        state.battle.outcome = Outcome::Draw;
        state.battle.salvaged = true;
        state.battle.stage = Stage::Aftermath;
        scene.publish(self, state, out, || Event::new("salvaged", rules::SALVAGE, &[]));
    }

    /// Step 7A: the outcome takes effect on the Army that was named (B24).
    pub(in super::super) fn apply_outcome(&self, state: &mut State, out: &mut Events) {
        let outcome = state.battle.outcome;
        let code = match outcome {
            Outcome::Victory => "battle_won",
            Outcome::Defeat => "battle_lost",
            Outcome::Draw | Outcome::Open => "battle_drawn",
        };
        let scene = self.scene(state, out);
        state.battle.stage = Stage::Return;
        let army = state.battle.foe();
        state.set(
            Flags::WON_NOW,
            rules::OUTCOME.applies(rules::BATTLE_WON.applies(outcome == Outcome::Victory)),
        );
        scene.publish(self, state, out, || {
            Event::new(code, rules::OUTCOME, &[Target::Army(army).reference()])
        });
        match rules::OUTCOME.gives(Some(outcome), None) {
            Some(Outcome::Victory) => {
                self.disorder(state, army, out);
                state.battle.stage = Stage::Benefits;
            }
            Some(Outcome::Defeat) => self.open_track(state, T_MONARCHY, -1),
            Some(Outcome::Draw | Outcome::Open) if state.battle.salvaged && !state.battle.trusted => {
                let lost = self.content.numbers.battle.salvage as i8;
                self.change_zeal(state, -lost, rules::SALVAGE, out);
            }
            Some(Outcome::Draw | Outcome::Open) | None => {}
        }
    }

    /// Step 7B: markers go, formations go back, the Recovery box is emptied; Named units in Defeat wait (B28, B30).
    pub(in super::super) fn return_units(&self, state: &mut State, out: &mut Events) {
        let scene = self.scene(state, out);
        for slot in slots() {
            state.battle.unmark(slot);
            let Some(kind) = state.battle.line[slot].kind else { continue };
            let formation = &self.content.formations[kind];
            let beaten = formation.is_named && state.battle.line[slot].place == Place::Defeat;
            let waits = rules::DEADLY_OUTCOMES.applies(beaten);
            if !waits {
                state.pool[kind] += 1;
                state.battle.line[slot] = Standing::default();
            }
        }
        let quick = state.battle.quick;
        if rules::UNITS_RETURN.applies(!quick || rules::RECOVERY_OVER.applies(quick)) {
            for kind in std::mem::take(&mut state.recovery) {
                state.pool[kind] += 1;
            }
        }
        state.battle.stage = Stage::Deadly;
        scene.publish(self, state, out, || Event::new("units_return", rules::UNITS_RETURN, &[]));
    }

    /// The next Named unit that is rolled for: Parliament's first, by sector and place (B29).
    pub(in super::super) fn next_deadly(&self, state: &State) -> Option<SlotId> {
        slots().find(|&slot| state.battle.line[slot].kind.is_some())
    }

    /// Step 7C: a Deadly Outcome.
    pub(in super::super) fn deadly_roll(&self, state: &mut State, die: u8, out: &mut Events) {
        let slot = self.next_deadly(state).expect("a die is due for a unit in Defeat");
        let scene = self.scene(state, out);
        let kind = state.battle.kind(slot);
        state.battle.line[slot] = Standing::default();
        let code = match die {
            1 | 2 => "unit_lost",
            3 | 4 => {
                state.recovery.insert(kind);
                "unit_recovers"
            }
            _ => {
                state.pool[kind] += 1;
                "unit_returns"
            }
        };
        let refs = [names::formation_ref(&self.content, kind), Ref::Number(die.into())];
        scene.publish(self, state, out, || Event::new(code, rules::DEADLY_OUTCOMES, &refs));
    }
}
