//! The dice of a Round: who rolls what at whom, and who takes the hits (7.4, 8.3).

use num_bigint::BigUint;

use crate::chance::{Class, Outcome};
use crate::event::{Event, Events};
use crate::reference::Ref;
use crate::seat::Seat;

use super::super::content::things::BlockId;
use super::super::state::{Fight, FightKind, Flags, Stage, State};
use super::super::{ThisWar, rules};
use super::fight::after_roll;

/// The class that a die hits: Cavalry, Infantry (and then Cavalry, if there is spill), any.
pub(in super::super) const ON_HORSE: usize = 0;
pub(in super::super) const ON_FOOT: usize = 1;
pub(in super::super) const ON_ANY: usize = 2;

/// The dice of a block: how many, what each may show at most to hit, and whom they hit.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(in super::super) struct Dice {
    pub(in super::super) block: BlockId,
    pub(in super::super) count: u8,
    pub(in super::super) at_most: u8,
    pub(in super::super) on: usize,
}

type Rolls = arrayvec::ArrayVec<Dice, 48>;

impl ThisWar {
    /// The classes of the roll that a fight has stopped for.
    pub(in super::super) fn fight_classes(&self, state: &State, fight: &Fight) -> Vec<Class> {
        match fight.stage {
            Stage::GunRoll => {
                let gun = fight.goal.gun();
                let target = self.fighters(state, fight, fight.defender(), Flags::DRAWN);
                let most = state.strength(target) as usize;
                let at_most = self.city_gun_aim(fight);
                let dice = state.blocks[gun].strength.max(1);
                let mut weights = vec![BigUint::from(1u8)];
                for _ in 0..dice {
                    weights = one_more(&weights, at_most);
                }
                let class = |(hits, weight): (usize, BigUint)| {
                    // A gun hits with a 1, if it can hit at all, and never with a 6.
                    let faces = (0..usize::from(dice)).map(|die| if die < hits { 1 } else { 6 }).collect();
                    Class { outcome: Outcome::Roll(faces), weight }
                };
                reachable(&weights, most).into_iter().map(class).collect()
            }
            Stage::WithdrawRoll | Stage::MineRoll | Stage::BombardRoll => one_die(),
            _ => self.round_classes(state),
        }
    }

    /// Returns the seat that rolls in a stage of a Round.
    pub(in super::super) const fn roller(fight: &Fight) -> Seat {
        match fight.stage {
            Stage::GunsSecondRoll | Stage::HorseSecond | Stage::FootSecond => fight.attacker,
            _ => fight.defender(),
        }
    }

    /// The dice of the present stage, by block; none if nothing can be hit.
    pub(in super::super) fn dice(&self, state: &State, fight: &Fight) -> Rolls {
        let mut rolls = Rolls::new();
        let side = Self::roller(fight);
        let content = &self.content;
        let own = self.fighters(state, fight, side, Flags::FIGHTING);
        let enemies = self.fighters(state, fight, side.other(), Flags::FIGHTING);
        let (horse, foot) = (enemies & content.horse, enemies & content.foot);
        let storm = fight.kind == FightKind::Storm;
        let disfavour = u8::from(fight.force & Fight::DISFAVOUR != 0);
        let mut add = |block: BlockId, bonus: u8, malus: u8, on: usize| {
            let def = &content.blocks[block];
            let count = self.count(state, fight, block);
            let effective = (def.effectiveness + bonus).saturating_sub(malus).min(6);
            let at_most = rules::EFFECTIVENESS.gives(effective, 6);
            if count > 0 {
                let _ = rolls.try_push(Dice { block, count, at_most, on });
            }
        };
        if (horse | foot).is_empty() {
            return rolls;
        }
        match fight.stage {
            Stage::GunsFirstRoll | Stage::GunsSecondRoll => {
                for gun in self.firing(state, fight, side) {
                    let at_horse = fight.at_horse.contains(gun);
                    match (storm, at_horse) {
                        (true, _) => add(gun, 0, 0, ON_ANY),
                        // 8.2: the besieger's guns are worse at whatever they fire at.
                        (false, true) if !horse.is_empty() => {
                            add(gun, 0, rules::GUN_TARGETS.gives(1, 0), ON_HORSE);
                        }
                        (false, false) if !foot.is_empty() => {
                            let sally = rules::SALLY_GUNS.applies(fight.kind == FightKind::Sally);
                            add(gun, 0, u8::from(sally), ON_FOOT);
                        }
                        _ => {}
                    }
                }
            }
            Stage::HorseFirst | Stage::HorseSecond if rules::CAVALRY.applies(!storm) => {
                for block in own & content.horse {
                    if !horse.is_empty() {
                        add(block, 0, disfavour, ON_HORSE);
                    } else {
                        add(block, 1, disfavour, ON_FOOT);
                    }
                }
            }
            Stage::FootFirst | Stage::FootSecond if storm => {
                for block in own & content.field() {
                    let mounted = content.horse.contains(block);
                    let defends = rules::STORM_DEFENCE.applies(side == fight.defender());
                    add(block, u8::from(!mounted && defends), if mounted { disfavour } else { 0 }, ON_ANY);
                }
            }
            Stage::FootFirst | Stage::FootSecond if rules::INFANTRY.applies(!storm) => {
                for block in own & content.foot {
                    add(block, 0, 0, if foot.is_empty() { ON_HORSE } else { ON_FOOT });
                }
            }
            _ => {}
        }
        rolls
    }

    /// 7.4, 7.91, 8.31: how many dice a block rolls: its strength, halves rounded.
    fn count(&self, state: &State, fight: &Fight, block: BlockId) -> u8 {
        let half = fight.halves.contains(block) && !self.rounds_up(state, fight, block);
        state.blocks[block].strength - u8::from(half)
    }

    /// A roll of a Round: hits by kind, so many as can be taken.
    fn hits(&self, state: &State, fight: &Fight, rolls: &Rolls, dice: &[u8]) -> [u8; 3] {
        let mut hits = [0u32; 3];
        let mut dice = dice.iter();
        for roll in rolls {
            let hit = dice.by_ref().take(usize::from(roll.count)).filter(|die| **die <= roll.at_most);
            hits[roll.on] += hit.count() as u32;
        }
        let capped = |on: usize| hits[on].min(self.capacity(state, fight, on)) as u8;
        [capped(ON_HORSE), capped(ON_FOOT), capped(ON_ANY)]
    }

    /// A roll of a Round has come.
    pub(in super::super) fn rolled(&self, state: &mut State, dice: &[u8], out: &mut Events) {
        let mut fight = state.ongoing_fight();
        let rolls = self.dice(state, &fight);
        let side = Self::roller(&fight);
        fight.struck = side.other();
        fight.spill = rules::SPILL.applies(matches!(fight.stage, Stage::FootFirst | Stage::FootSecond));
        fight.hits = self.hits(state, &fight, &rolls, dice);
        let total: i32 = fight.hits.iter().map(|&hits| i32::from(hits)).sum();
        let rule = match fight.stage {
            Stage::GunsFirstRoll | Stage::GunsSecondRoll => rules::GUNS,
            Stage::HorseFirst | Stage::HorseSecond => rules::CAVALRY,
            _ => rules::INFANTRY,
        };
        fight.stage = after_roll(fight.stage);
        state.fight = Some(fight);
        out.emit(|| {
            let mut refs = vec![Ref::Seat(side), Ref::Number(total)];
            refs.extend(dice.iter().map(|&die| Ref::Number(die.into())));
            Event::new("rolled", rule, &refs)
        });
    }

    /// The results of a roll of a Round that make a difference, with their weights.
    fn round_classes(&self, state: &State) -> Vec<Class> {
        let mut fight = state.ongoing_fight();
        let rolls = self.dice(state, &fight);
        fight.struck = Self::roller(&fight).other();
        fight.spill = rules::SPILL.applies(matches!(fight.stage, Stage::FootFirst | Stage::FootSecond));
        let mut weights: [Vec<BigUint>; 3] = std::array::from_fn(|_| vec![BigUint::from(1u8)]);
        for roll in &rolls {
            for _ in 0..roll.count {
                weights[roll.on] = one_more(&weights[roll.on], roll.at_most);
            }
        }
        let caps = [0, 1, 2].map(|on| self.capacity(state, &fight, on) as usize);
        let capped: Vec<Vec<(usize, BigUint)>> = (0..3).map(|on| reachable(&weights[on], caps[on])).collect();
        let mut classes = Vec::new();
        for (horse, w0) in &capped[ON_HORSE] {
            for (foot, w1) in &capped[ON_FOOT] {
                for (any, w2) in &capped[ON_ANY] {
                    let outcome = Outcome::Roll(faces(&rolls, [*horse, *foot, *any]));
                    classes.push(Class { outcome, weight: w0 * w1 * w2 });
                }
            }
        }
        classes
    }
}

/// One die more.
pub(in super::super) fn one_more(weights: &[BigUint], at_most: u8) -> Vec<BigUint> {
    let mut next = vec![BigUint::ZERO; weights.len() + 1];
    for (hits, weight) in weights.iter().enumerate() {
        next[hits] += weight * (6 - at_most);
        next[hits + 1] += weight * at_most;
    }
    next
}

/// Numbers of hits that can come, those beyond `most` making no difference.
pub(in super::super) fn reachable(weights: &[BigUint], most: usize) -> Vec<(usize, BigUint)> {
    let mut capped: Vec<BigUint> = weights.iter().take(most + 1).cloned().collect();
    for rest in weights.iter().skip(most + 1) {
        if let Some(last) = capped.last_mut() {
            *last += rest;
        }
    }
    capped.into_iter().enumerate().filter(|(_, weight)| *weight != BigUint::ZERO).collect()
}

/// Dice that give these hits: a die that can't hit, or can't miss, shows what it must.
fn faces(rolls: &Rolls, mut hits: [usize; 3]) -> arrayvec::ArrayVec<u8, { crate::chance::ROLL_DICE_MAX }> {
    // Dice that always hit are hits already.
    for roll in rolls.iter().filter(|roll| roll.at_most >= 6) {
        hits[roll.on] = hits[roll.on].saturating_sub(roll.count.into());
    }
    let mut faces = arrayvec::ArrayVec::new();
    for roll in rolls {
        for _ in 0..roll.count {
            let hit = roll.at_most > 0 && roll.at_most < 6 && hits[roll.on] > 0;
            hits[roll.on] -= usize::from(hit);
            let _ = faces.try_push(if hit { 1 } else { 6 });
        }
    }
    faces
}

/// A class for each face of one die.
pub(in super::super) fn one_die() -> Vec<Class> {
    let class =
        |face: u8| Class { outcome: Outcome::Roll([face].into_iter().collect()), weight: BigUint::from(1u8) };
    (1..=6).map(class).collect()
}
