//! Chance: what is rolled or drawn where, and what comes of it.

use num_bigint::BigUint;

use crate::chance::{Bag, Chance, Class, Outcome, Weighted, all_rolls};
use crate::event::Events;
use crate::reference::Ref;

use super::CruelNecessity;
use super::catalogue::names;
use super::content::{CARDS, FormationId, SLOTS};
use super::frames::Frame;
use super::state::State;
use super::state::line::{OWN, Stage};

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

impl CruelNecessity {
    pub(super) fn chance_of(&self, state: &State) -> Chance {
        let dice = |dice: u8| Chance::Roll { stream: STREAM_DICE, dice, sides: 6 };
        let even = |what: Ref| Weighted { what, weight: 1 };
        match state.frames.top() {
            Some(Frame::Reveal) => {
                let drawable = self.drawable(state);
                let cards = drawable.iter().map(|card| card.index() as u16).collect();
                let epoch = state.war.index() as u32;
                Chance::Bag(Bag { stream: STREAM_EVENTS, epoch, cards, tokens: Vec::new() })
            }
            Some(Frame::Reward { .. }) => {
                let options = self.hidden_rewards(state).iter().map(|reward| even(names::reward_ref(reward)));
                Chance::Choice { stream: STREAM_DEVILTRY, options: options.collect() }
            }
            Some(Frame::Battle) => match state.battle.stage {
                Stage::Fill | Stage::Redraw => {
                    let slot = match state.battle.stage {
                        Stage::Fill => self.empty_slot(state).expect("a place is empty"),
                        _ => state.battle.slot.expect("a place is drawn for again"),
                    };
                    let kinds = self.pool_kinds(state, slot);
                    let options = kinds.iter().map(|kind| Weighted {
                        what: names::formation_ref(&self.content, kind),
                        weight: state.pool[kind].into(),
                    });
                    Chance::Choice { stream: STREAM_UNITS, options: options.collect() }
                }
                Stage::Events => {
                    let cards = state.battle_deck.iter().map(|card| (CARDS + card.index()) as u16);
                    let (epoch, cards) = (state.shuffles.into(), cards.collect());
                    Chance::Bag(Bag { stream: STREAM_BATTLE, epoch, cards, tokens: Vec::new() })
                }
                Stage::RandomUnit => {
                    let options = self.aimed(state).iter().map(|slot| even(names::slot_ref(slot))).collect();
                    Chance::Choice { stream: STREAM_UNITS, options }
                }
                Stage::Deadly => dice(1),
                Stage::Reroll => dice(self.reroll_dice(state)),
                _ => dice(2),
            },
            _ => dice(1),
        }
    }

    /// Goes on with an outcome.
    pub(super) fn resolve_outcome(&self, state: &mut State, outcome: &Outcome, out: &mut Events) {
        // Before the first turn nothing is under way, and nothing comes of it.
        let Some(frame) = state.frames.top().copied() else { return };
        match *outcome {
            Outcome::Pick(what) if frame == Frame::Reveal => {
                let card = names::card_of(&self.content, what).expect("a card of the decks is drawn");
                self.reveal(state, card, out);
            }
            Outcome::Pick(what) => self.resolve_pick(state, frame, what, out),
            Outcome::Roll(ref dice) if frame == Frame::Battle => self.resolve_battle_roll(state, dice, out),
            Outcome::Roll(ref dice) => {
                state.frames.close();
                self.resolve_die(state, frame, dice[0], out);
            }
        }
    }

    fn resolve_pick(&self, state: &mut State, frame: Frame, what: Ref, out: &mut Events) {
        match (frame, state.battle.stage) {
            (Frame::Reward { marker }, _) => {
                state.frames.close();
                let reward = names::reward_of(what).expect("a reward is drawn");
                self.reward_found(state, marker, reward, out);
            }
            (Frame::Battle, Stage::Fill) => {
                self.fill(state, self.drawn(what), out);
            }
            (Frame::Battle, Stage::Redraw) => {
                self.replaced(state, self.drawn(what), out);
            }
            (Frame::Battle, Stage::Events) => {
                let card = names::battle_card_of(&self.content, what).expect("a Battle Event card is drawn");
                self.battle_card_drawn(state, card, out);
            }
            (Frame::Battle, Stage::RandomUnit) => {
                self.hit(state, names::slot_of(what).expect("a place of the line is drawn"), out);
            }
            _ => unreachable!("an outcome that the chance event does not admit"),
        }
    }

    /// The formation that was drawn.
    fn drawn(&self, what: Ref) -> FormationId {
        names::formation_of(&self.content, what).expect("a formation is drawn")
    }

    fn resolve_battle_roll(&self, state: &mut State, dice: &[u8], out: &mut Events) {
        match state.battle.stage {
            Stage::QuickRoll => self.quick_roll(state, [dice[0], dice[1]], out),
            Stage::Roll => self.sector_roll(state, [dice[0], dice[1]], out),
            Stage::Reroll => self.rerolled(state, dice, out),
            _ => self.deadly_roll(state, dice[0], out),
        }
    }

    /// A single die; the frame that asked for it has been closed.
    fn resolve_die(&self, state: &mut State, frame: Frame, die: u8, out: &mut Events) {
        match frame {
            Frame::Clubmen { revolt, .. } => self.crush_roll(state, revolt, false, die, out),
            Frame::Siege { fort, left, unrest } => self.siege_roll(state, (fort, left, unrest), die, out),
            Frame::Revolt { revolt, region, north } => {
                self.revolt_roll(state, (revolt, region, north), die, out);
            }
            Frame::League => self.league_roll(state, die, out),
            Frame::Search { army, cost } => self.search_roll(state, army, cost, die, out),
            Frame::Campaign { army, cost } => self.campaign_roll(state, army, cost, die, out),
            Frame::Exorcise { marker } => self.exorcise_roll(state, marker, die, out),
            Frame::Besiege { fort } => self.besiege_roll(state, fort, die, out),
            Frame::Crush { revolt } => self.crush_roll(state, revolt, true, die, out),
            Frame::Politics { track, settlers } => self.politics_roll(state, track, settlers, die, out),
            _ => unreachable!("an outcome that the chance event does not admit"),
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

const _: () = assert!(OWN * 2 == SLOTS, "two lines of equal length");
