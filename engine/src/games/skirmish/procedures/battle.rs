//! Battles: faces are turned up, dice fall, somebody holds the field, the beaten retreat (5.1 to 5.4, 9.1, 9.2).

use num_bigint::BigUint;

use crate::vocabulary::*;

use super::super::actions::Action;
use super::super::frames::Frame;
use super::super::state::{LOST, SIDE, State, Verdict};
use super::super::{Skirmish, rules};

impl Skirmish {
    /// 5.1, 7.1: both sides are turned up.
    pub(in super::super) fn open_battle(
        &self,
        state: &mut State,
        at: u8,
        from: u8,
        attacker: Seat,
        out: &mut Events,
    ) {
        state.frames.open(Frame::Battle { at, from, attacker, beaten: None });
        let scene = Scene::open(self, state, state.seats(), out);
        for block in state.fighters(at, attacker) {
            state.blocks[block].seen = state.blocks[block].face > 0;
        }
        let refs = [Ref::Space(at.into()), Ref::Seat(attacker)];
        scene.publish(self, state, out, || Event::new("battle", rules::BATTLE, &refs));
        out.revealed();
    }

    /// 9.1: the face of a block of the garrison is drawn before it fights.
    pub(in super::super) fn draw_face(&self, state: &mut State, at: u8, face: u16, out: &mut Events) {
        let Some(block) = state.undrawn(at) else {
            return debug_assert!(false, "the block was found before its face was drawn");
        };
        let scene = Scene::open(self, state, state.seats(), out);
        state.blocks[block].face = face as u8;
        state.blocks[block].seen = true;
        let refs = [Ref::Kind(face), Ref::Space(at.into())];
        scene.publish(self, state, out, || Event::new("drawn", rules::DRILL, &refs));
    }

    /// 5.1 to 5.3: dice, losses, and who holds the field.
    pub(in super::super) fn fight(
        &self,
        state: &mut State,
        at: u8,
        from: u8,
        attacker: Seat,
        dice: &[u8],
        out: &mut Events,
    ) {
        let defender = attacker.other();
        let fighters = state.fighters(at, attacker);
        let first = state.stack(attacker, at).len();
        let hit = |&index: &usize| rules::BATTLE.applies(dice[index] <= state.blocks[fighters[index]].face);
        let hits = [(0..first).filter(hit).count(), (first..fighters.len()).filter(hit).count()];
        let faces: Vec<Ref> = dice.iter().map(|&die| Ref::Number(die.into())).collect();
        out.emit(|| Event::new("rolled", rules::BATTLE, &[&[Ref::Space(at.into())], &faces[..]].concat()));
        for (side, hits) in [(defender, hits[0]), (attacker, hits[1])] {
            let count = rules::LOSSES.gives(hits.min(state.stack(side, at).len()), 0);
            let weakest = state.stack(side, at).into_iter().take(count).collect::<Vec<_>>();
            self.lose(state, side, &weakest, out);
        }
        if rules::LAST_BLOCK.applies(SeatSet::first(2).iter().any(|side| state.living(side) == 0)) {
            let winner = SeatSet::first(2).iter().find(|&side| state.living(side) > 0);
            state.result = Some(Verdict { kind: 1, winner });
            return;
        }
        let left = [state.stack(attacker, at).len(), state.stack(defender, at).len()];
        if left == [0, 0] {
            out.emit(|| Event::new("deserted", rules::FIELD, &[Ref::Space(at.into())]));
            return;
        }
        let attacker_holds = rules::FIELD.allows(left[0] > left[1]);
        let (holder, beaten) = if attacker_holds { (attacker, defender) } else { (defender, attacker) };
        out.emit(|| Event::new("holds", rules::FIELD, &[Ref::Seat(holder), Ref::Space(at.into())]));
        if rules::BONUS.applies(holder.index() < state.seats()) {
            state.agenda.owe(holder);
        }
        if rules::RETREAT.applies(!state.stack(beaten, at).is_empty()) {
            let ways: Vec<u8> = self.ways_out(state, beaten, attacker, at, from).collect();
            if ways.len() > 1 {
                state.frames.open(Frame::Battle { at, from, attacker, beaten: Some(beaten) });
            } else {
                self.retreat(state, beaten, at, ways.first().copied(), out);
            }
        }
    }

    /// 5.4, 9.2: where a beaten side may go.
    pub(in super::super) fn ways_out(
        &self,
        state: &State,
        beaten: Seat,
        attacker: Seat,
        at: u8,
        from: u8,
    ) -> impl Iterator<Item = u8> {
        let attacks = attacker == beaten;
        let garrison = rules::GARRISON.applies(state.drill && beaten.index() == 1);
        let free = move |space: &u8| state.stack(beaten.other(), *space).is_empty();
        let roads = self.content.roads[usize::from(at)].iter().copied();
        roads.filter(move |space| !garrison && attacks == (*space == from) && free(space))
    }

    /// The roads out of the field.
    pub(in super::super) fn offer_retreat(
        &self,
        _: &State,
        _: Seat,
        (at, ..): (u8, u8, Seat),
        offer: &mut impl FnMut(Action),
    ) {
        self.content.roads[usize::from(at)].iter().copied().map(Action::Retreat).for_each(offer);
    }

    pub(in super::super) fn examine_retreat(
        &self,
        state: &State,
        seat: Seat,
        (at, from, attacker): (u8, u8, Seat),
        action: Action,
        why: &mut Why,
    ) -> ControlFlow<()> {
        let Action::Retreat(to) = action else { return why.refuse(CONTRACT, "NOT_NOW") };
        let open = self.ways_out(state, seat, attacker, at, from).any(|way| way == to);
        why.require(open, rules::RETREAT, "NOT_A_WAY_OUT", &[Ref::Space(to.into()), Ref::Space(at.into())])
    }

    pub(in super::super) fn apply_retreat(
        &self,
        state: &mut State,
        seat: Seat,
        (at, ..): (u8, u8, Seat),
        action: Action,
        out: &mut Events,
    ) {
        let Action::Retreat(to) = action else { unreachable!("an illegal action was applied") };
        state.frames.close();
        self.retreat(state, seat, at, Some(to), out);
    }

    /// 5.4: the beaten side goes, or is lost.
    pub(in super::super) fn retreat(
        &self,
        state: &mut State,
        seat: Seat,
        at: u8,
        to: Option<u8>,
        out: &mut Events,
    ) {
        let stack = state.stack(seat, at);
        let Some(to) = to else {
            out.emit(|| Event::new("nowhere", rules::RETREAT, &[Ref::Seat(seat)]));
            self.lose(state, seat, &stack, out);
            if rules::LAST_BLOCK.applies(state.living(seat) == 0) {
                state.result = Some(Verdict { kind: 1, winner: Some(seat.other()) });
            }
            return;
        };
        let scene = Scene::open(self, state, state.seats(), out);
        for block in stack {
            state.blocks[block].at = to;
        }
        let refs = [Ref::Seat(seat), Ref::Space(to.into())];
        scene.publish(self, state, out, || Event::new("retreated", rules::RETREAT, &refs));
    }

    /// 5.2: blocks leave the board, face up.
    fn lose(&self, state: &mut State, side: Seat, blocks: &[usize], out: &mut Events) {
        if blocks.is_empty() {
            return;
        }
        let scene = Scene::open(self, state, state.seats(), out);
        for &block in blocks {
            state.blocks[block].at = LOST;
            state.blocks[block].seen = true;
        }
        let refs = [Ref::Seat(side), Ref::Number(blocks.len() as i32)];
        scene.publish(self, state, out, || Event::new("lost", rules::LOSSES, &refs));
    }
}

/// 5.1, 5.2: so many hits that count for the attacker, and for the defender.
pub(in super::super) fn battle_classes(state: &State, at: u8, attacker: Seat) -> Vec<Class> {
    let fighters = state.fighters(at, attacker);
    let first = state.stack(attacker, at).len();
    let sides = [&fighters[..first], &fighters[first..]];
    let counts = sides.map(|side| hit_weights(side.iter().map(|&block| state.blocks[block].face)));
    let mut classes = Vec::new();
    for (attacks, attack_weight) in capped(&counts[0], sides[1].len()).into_iter().enumerate() {
        for (defends, defence_weight) in capped(&counts[1], sides[0].len()).into_iter().enumerate() {
            // A 1 hits whatever the strength, a 6 never does.
            let face = |index: usize| if index < first { index < attacks } else { index - first < defends };
            let dice = (0..fighters.len()).map(|index| if face(index) { 1 } else { 6 }).collect();
            classes.push(Class { outcome: Outcome::Roll(dice), weight: &attack_weight * &defence_weight });
        }
    }
    classes
}

/// Returns how many of 6^n rolls give each number of hits.
fn hit_weights(strengths: impl Iterator<Item = u8>) -> Vec<BigUint> {
    let mut weights = vec![BigUint::from(1u8)];
    for strength in strengths {
        let mut next = vec![BigUint::ZERO; weights.len() + 1];
        for (hits, weight) in weights.iter().enumerate() {
            next[hits] += weight * (6 - strength);
            next[hits + 1] += weight * strength;
        }
        weights = next;
    }
    weights
}

/// Hits beyond `most` make no difference.
fn capped(weights: &[BigUint], most: usize) -> Vec<BigUint> {
    let most = most.min(weights.len() - 1).min(SIDE);
    let mut capped = weights[..=most].to_vec();
    for rest in &weights[most + 1..] {
        capped[most] += rest;
    }
    capped
}
