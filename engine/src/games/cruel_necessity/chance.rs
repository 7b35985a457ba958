//! Chance: what is rolled or drawn where, and which results of a roll differ.

use num_bigint::BigUint;

use crate::chance::{Bag, Chance, Class, Weighted, all_rolls};
use crate::event::Events;
use crate::reference::Ref;

use super::CruelNecessity;
use super::catalogue::names;
use super::frames::Frame;
use super::state::State;

/// All dice.
pub(super) const STREAM_DICE: u32 = 0;
/// The decks of the three wars; the epoch is the war.
pub(super) const STREAM_EVENTS: u32 = 1;
/// The Battle Events Draw Pile; the epoch counts its shuffles.
pub(super) const STREAM_BATTLE: u32 = 2;
/// Formations of the pools, and places of the line.
pub(super) const STREAM_UNITS: u32 = 3;
/// Backs of Deviltry markers.
pub(super) const STREAM_DEVILTRY: u32 = 4;

/// A roll of so many dice.
pub(super) const fn dice(dice: u8) -> Chance {
    Chance::Roll { stream: STREAM_DICE, dice, sides: 6 }
}

/// One of several that are drawn with the same odds.
pub(super) const fn evenly(what: Ref) -> Weighted {
    Weighted { what, weight: 1 }
}

impl CruelNecessity {
    pub(super) fn chance_of(&self, state: &State) -> Chance {
        match state.frames.top() {
            Some(Frame::Reveal) => {
                let drawable = self.drawable(state);
                let cards = drawable.iter().map(|card| card.index() as u16).collect();
                let epoch = state.war.index() as u32;
                Chance::Bag(Bag { stream: STREAM_EVENTS, epoch, cards, tokens: Vec::new() })
            }
            Some(Frame::Reward { .. }) => {
                let options =
                    self.hidden_rewards(state).iter().map(|reward| evenly(names::reward_ref(reward)));
                Chance::Choice { stream: STREAM_DEVILTRY, options: options.collect() }
            }
            Some(Frame::Battle) => self.battle_chance(state),
            _ => dice(1),
        }
    }

    /// The results of a roll that the rules distinguish: rolls that lead to one state are one.
    pub(super) fn roll_results(&self, state: &State) -> Vec<Class> {
        let Chance::Roll { dice, sides, .. } = self.chance_of(state) else {
            unreachable!("classes are asked of rolls alone");
        };
        let mut results: Vec<(State, Class)> = Vec::new();
        for outcome in all_rolls(dice, sides, usize::MAX).unwrap_or_default() {
            let mut after = state.clone();
            let mut out = Events::silent();
            self.resolve_outcome(&mut after, &outcome, &mut out);
            self.settle(&mut after, &mut out);
            match results.iter_mut().find(|(known, _)| *known == after) {
                Some((_, class)) => class.weight += 1u32,
                None => results.push((after, Class { outcome, weight: BigUint::from(1u32) })),
            }
        }
        results.into_iter().map(|(_, class)| class).collect()
    }
}
