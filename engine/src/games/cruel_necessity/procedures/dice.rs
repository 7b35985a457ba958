//! Dice that are compared with a strength or a number: what beats what (8.0), and the chances of the player's next roll.

use crate::event::{Event, Events};
use crate::ledger::Rule;
use crate::reference::Ref;

use super::super::actions::Target;
use super::super::state::{Flags, Options, State, TOP};
use super::super::{CruelNecessity, rules};
use super::campaign::army_strength;
use super::deviltry::deviltry_strength;
use super::fortresses::fort_value;
use super::revolts::revolt_strength;

/// Returns whether a die beats a strength: a natural 1 never does, a natural 6 always (8.0, G1).
pub(in super::super) fn beats(die: u8, drm: i8, strength: i8) -> bool {
    if rules::NATURAL_ROLLS.applies(die == 1 || die == 6) {
        return die == 6;
    }
    (die as i8).saturating_add(drm) > strength
}

/// Returns the number of faces of a die that beat a strength.
fn winning_faces(drm: i8, strength: i8) -> u8 {
    (1..=6).filter(|&die| beats(die, drm, strength)).count() as u8
}

impl CruelNecessity {
    /// Returns whether a die exceeds a strength, and tells it: by the rule of the action, or by the natural 1 or 6 where
    /// that decides (G1).
    pub(in super::super) fn rolled(
        &self,
        target: Target,
        (die, drm, strength): (u8, i8, i8),
        rule: Rule,
        out: &mut Events,
    ) -> bool {
        let won = beats(die, drm, strength);
        let exceeds = (die as i8).saturating_add(drm) > strength;
        let code = if won { "roll_won" } else { "roll_lost" };
        let numbers = [i32::from(die), i32::from(drm), i32::from(strength)].map(Ref::Number);
        let [die, drm, strength] = numbers;
        let rule = if won == exceeds { rule } else { rules::NATURAL_ROLLS };
        out.emit(|| Event::new(code, rule, &[target.reference(), die, drm, strength]));
        won
    }

    /// The ways in 36 that the player's next roll at a target succeeds, with their modifiers of this moment;
    /// none where a success could change nothing, whether the roll may be made now or not.
    pub(in super::super) fn odds(&self, state: &State, target: Target) -> Option<u8> {
        let faces = winning_faces;
        let content = &self.content;
        let drm = self.zeal_drm(state, target);
        let ways = match target {
            Target::Army(army) => {
                // A Disordered Army in its area 5 can't be driven further; a strike against it still gains Zeal (O10).
                let unit = &state.armies[army];
                let strikes = state.opted(Options::STRIKE) && !state.has(Flags::STRUCK);
                if unit.disordered && unit.area == 5 && !strikes {
                    return None;
                }
                let searched = state.opted(Options::RECONNAISSANCE);
                let found =
                    if searched { (1..=6).filter(|&die| Self::is_found(army, die)).count() as u8 } else { 6 };
                found * faces(drm, army_strength(content, state, army))
            }
            Target::Fort(fort) if state.forts[fort].royalist => {
                6 * faces(drm, fort_value(content, state, fort))
            }
            Target::Revolt(revolt) if state.revolts[revolt].is_some() => {
                6 * faces(drm, revolt_strength(content, state, revolt))
            }
            Target::Deviltry(marker) if state.deviltry.contains(marker) => {
                6 * faces(drm, deviltry_strength(content, state))
            }
            Target::Track(track) if state.tracks[track] != TOP => {
                6 * faces(self.politics_drm(state, track), self.politics_number(state, track))
            }
            _ => return None,
        };
        Some(ways)
    }
}
