//! Fortresses that change hands by an event (6.4, 11.1): the die, and what becomes of those inside.

use crate::vocabulary::*;

use super::super::content::ids::AreaId;
use super::super::content::operations::{FortressChange, Operation};
use super::super::state::{Holder, Post, Queen, Siege, State, Train};
use super::super::{STREAM_ENVIRONMENT, UnhappyKing, rules};
use super::consequences::Cause;

impl UnhappyKing {
    /// One die.
    pub(in super::super) fn fortress_chance(&self) -> Chance {
        Chance::Roll { stream: STREAM_ENVIRONMENT, dice: 1, sides: 6 }
    }

    /// The least face that succeeds, 7 if none does.
    fn least_face(&self, state: &State, area: AreaId) -> u8 {
        let Operation::TakeFortress { change: FortressChange::Roll { at_least, less_inside }, .. } =
            self.event_operation(state)
        else {
            unreachable!("a die decides about a Fortress by an event that says so");
        };
        let inside = state.garrison(&self.content, area).count() as u8;
        at_least.saturating_add(if less_inside { inside } else { 0 }).clamp(1, 7)
    }

    /// It fails, or it succeeds.
    pub(in super::super) fn fortress_classes(&self, state: &State, area: AreaId) -> Vec<Class> {
        let classes = Class::of_die(self.least_face(state, area));
        classes.into_iter().filter(|class| class.weight != 0u8.into()).collect()
    }

    /// The die has fallen.
    pub(in super::super) fn roll_fortress(
        &self,
        state: &mut State,
        (seat, area): (Seat, AreaId),
        die: u8,
        out: &mut Events,
    ) {
        let succeeds = die >= self.least_face(state, area);
        state.frames.close();
        let refs = [Ref::from(area), Ref::Number(die.into()), Ref::Number(succeeds.into())];
        out.emit(|| Event::new("fortress_roll", rules::EVENT, &refs));
        if succeeds {
            self.event_did(state);
            self.turn_fortress(state, seat, area, out);
        }
    }

    /// Control changes; Brigades inside Disperse, Generals inside go to the Unemployed Generals Box without a Surrender, a Siege Train
    /// inside leaves play, and the Siege ends.
    fn turn_fortress(&self, state: &mut State, seat: Seat, area: AreaId, out: &mut Events) {
        let enemy = seat.other();
        let held = self.held_under_siege(state).without(area);
        let scene = Scene::open(self, state, 2, out);
        let inside = state.commander_inside(&self.content, enemy, area);
        let army = inside.map(|commander| state.army(commander)).unwrap_or_default();
        let train = match state.trains[enemy.index()] {
            Train::In(place) => place == area,
            Train::With(general) => army.contains(general),
            _ => false,
        };
        if train {
            state.trains[enemy.index()] = Train::Out;
        }
        // V9: she is with an Army that Disperses.
        if matches!(state.queen, Queen::With(general) if army.contains(general)) {
            state.queen = Queen::Captured;
        }
        let foreign = self.eliminated(state.garrison(&self.content, area));
        state.brigades.change(&self.content, foreign, |counter| counter.at = Holder::OUT);
        let dispersed = state.garrison(&self.content, area);
        state.brigades.change(&self.content, dispersed, |counter| counter.at = Holder::unemployed(enemy));
        for general in army.iter() {
            state.generals.place(general, Post::Unemployed);
        }
        if let Some(fortress) = state.fortress(&self.content, area) {
            state.sieges[fortress] = Siege::NONE;
        }
        scene.publish(self, state, out, || {
            Event::new("fortress_turns", rules::EVENT, &[Ref::from(area), Ref::Seat(seat)])
        });
        self.place_marker(state, seat, area, rules::FORTRESS_CONTROL, out);
        self.consequences(state, held, Cause::Other, out);
    }
}
