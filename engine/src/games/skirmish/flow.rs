//! Things that follow of themselves: deals, reveals, battles, bonus cards, the end.

use num_bigint::BigUint;

use crate::chance::{Class, Outcome};
use crate::event::{Event, Events, Scene};
use crate::flow::Agenda;
use crate::reference::Ref;
use crate::seat::{Seat, SeatSet};

use super::state::{Choosing, Frame, LOST, SIDE, State, Verdict};
use super::{Skirmish, rules};

impl Skirmish {
    /// Goes on until somebody, or the dice, are asked.
    pub(super) fn settle(&self, state: &mut State, out: &mut Events) {
        while state.result.is_none() {
            match state.frames.top().copied() {
                None if state.turn == self.content.turns => self.nightfall(state),
                None => self.next_turn(state, out),
                Some(Frame::Deal { left }) if left == 0 || state.deck.is_empty() => {
                    state.frames.close();
                }
                Some(Frame::Choose) if state.to_act().is_empty() => self.show_cards(state, out),
                Some(Frame::Act { done }) => match state.agenda.take() {
                    Some(seat) => state.frames.open(Frame::Bonus { seat, card: None }),
                    None => self.next_activation(state, done),
                },
                Some(Frame::Bonus { seat, card: None }) if state.deck.is_empty() => {
                    state.frames.close();
                    out.emit(|| Event::new("no_bonus", rules::BONUS, &[Ref::Seat(seat)]));
                }
                Some(_) => return,
            }
        }
        state.frames.clear();
        state.agenda = Agenda::default();
    }

    fn next_turn(&self, state: &mut State, out: &mut Events) {
        let scene = Scene::open(self, state, state.seats(), out);
        state.turn += 1;
        for seat in 0..2 {
            if let Some(card) = state.shown[seat].take() {
                state.discard.insert(card);
            }
        }
        state.blocks.iter_mut().for_each(|block| block.marched = false);
        let each = if state.turn == 1 { self.content.first_deal } else { 1 };
        state.frames.open(Frame::Choose);
        if rules::DEAL.on() {
            state.frames.open(Frame::Deal { left: each * state.seats() as u8 });
        }
        let turn = Ref::Number(state.turn.into());
        scene.publish(self, state, out, || Event::new("turn_begins", rules::DEAL, &[turn]));
    }

    /// 2.3: the sealed cards are turned up together.
    fn show_cards(&self, state: &mut State, out: &mut Events) {
        state.frames.close();
        state.frames.open(Frame::Act { done: 0 });
        for seat in SeatSet::first(state.seats()).iter() {
            let Choosing { picked: Some(card), .. } = std::mem::take(&mut state.choosing[seat.index()])
            else {
                continue;
            };
            let scene = Scene::open(self, state, state.seats(), out);
            state.hands[seat.index()].remove(card);
            state.shown[seat.index()] = Some(card);
            let refs = [Ref::Seat(seat), Ref::Card(card)];
            scene.publish(self, state, out, || Event::new("shown", rules::CHOICE, &refs));
        }
        out.emit(|| Event::new("all_shown", rules::ORDER, &[]));
    }

    /// 2.4: the next seat in the order of the cards acts.
    fn next_activation(&self, state: &mut State, done: u8) {
        let mut order: Vec<Seat> = SeatSet::first(state.seats()).iter().collect();
        let number = |seat: &Seat| {
            state.shown[seat.index()].map_or(0, |card| self.content.cards[usize::from(card)].number)
        };
        if rules::ORDER.on() {
            order.sort_by_key(|seat| std::cmp::Reverse(number(seat)));
        }
        state.frames.close();
        if let Some(&seat) = order.get(usize::from(done)) {
            let card = state.shown[seat.index()];
            let marches = card.map_or(1, |card| self.content.cards[usize::from(card)].marches);
            state.frames.open(Frame::Act { done: done + 1 });
            state.frames.open(Frame::Activation { seat, marches });
        }
    }

    pub(super) fn resolve_outcome(&self, state: &mut State, outcome: &Outcome, out: &mut Events) {
        let Some(frame) = state.frames.close() else { return };
        match (frame, outcome) {
            (Frame::Deal { left }, &Outcome::Pick(Ref::Card(card))) => {
                state.frames.open(Frame::Deal { left: left - 1 });
                // The first seat is dealt first; `left` counts down over all seats.
                let seat = Seat::new(if state.drill { 0 } else { left % 2 });
                self.draw(state, seat, card, "dealt", out);
            }
            (Frame::Bonus { seat, .. }, &Outcome::Pick(Ref::Card(card))) => {
                state.frames.open(Frame::Bonus { seat, card: Some(card) });
                self.draw(state, seat, card, "bonus_drawn", out);
            }
            (Frame::Scout { seat, at }, &Outcome::Pick(Ref::Piece(block))) => {
                let scene = Scene::open(self, state, state.seats(), out);
                let found = &mut state.blocks[usize::from(block)];
                found.seen = true;
                let refs = [Ref::Kind(found.face.into()), Ref::Space(at.into()), Ref::Seat(seat)];
                scene.publish(self, state, out, || Event::new("scouted", rules::SCOUTING, &refs));
            }
            (Frame::Interception { asked, by: Some(by), from, to }, Outcome::Roll(dice)) => {
                let die = Ref::Number(dice[0].into());
                out.emit(|| Event::new("attempt", rules::ATTEMPT, &[die]));
                if dice[0] >= self.content.interception_at_least || !rules::ATTEMPT.on() {
                    let scene = Scene::open(self, state, state.seats(), out);
                    for block in state.stack(asked, by) {
                        state.blocks[block].at = to;
                    }
                    let refs = [Ref::Seat(asked), Ref::Space(to.into())];
                    scene.publish(self, state, out, || Event::new("met", rules::ATTEMPT, &refs));
                    self.open_battle(state, to, from, asked.other(), out);
                }
            }
            (Frame::Battle { at, .. }, &Outcome::Pick(Ref::Kind(face))) => {
                state.frames.open(frame);
                let Some(block) = state.undrawn(at) else { return };
                let scene = Scene::open(self, state, state.seats(), out);
                state.blocks[block].face = face as u8;
                state.blocks[block].seen = true;
                let refs = [Ref::Kind(face), Ref::Space(at.into())];
                scene.publish(self, state, out, || Event::new("drawn", rules::DRILL, &refs));
            }
            (Frame::Battle { at, from, attacker, .. }, Outcome::Roll(dice)) => {
                self.fight(state, at, from, attacker, dice, out);
            }
            _ => debug_assert!(false, "an outcome that the chance event does not admit"),
        }
    }

    fn draw(&self, state: &mut State, seat: Seat, card: u16, code: &'static str, out: &mut Events) {
        let scene = Scene::open(self, state, state.seats(), out);
        state.deck.take(card);
        state.hands[seat.index()].insert(card);
        let who = Ref::Seat(seat);
        let back = Ref::Kind(self.content.back(card));
        scene.publish(self, state, out, || {
            Event::new(code, rules::DEAL, &[who, back]).private(seat, &[who, Ref::Card(card)], [])
        });
    }

    /// 5.1 to 5.3: dice, losses, and who holds the field.
    fn fight(&self, state: &mut State, at: u8, from: u8, attacker: Seat, dice: &[u8], out: &mut Events) {
        let defender = attacker.other();
        let fighters = state.fighters(at, attacker);
        let first = state.stack(attacker, at).len();
        let hit = |&index: &usize| rules::BATTLE.on() && dice[index] <= state.blocks[fighters[index]].face;
        let hits = [(0..first).filter(hit).count(), (first..fighters.len()).filter(hit).count()];
        let faces: Vec<Ref> = dice.iter().map(|&die| Ref::Number(die.into())).collect();
        out.emit(|| Event::new("rolled", rules::BATTLE, &[&[Ref::Space(at.into())], &faces[..]].concat()));
        for (side, hits) in [(defender, hits[0]), (attacker, hits[1])] {
            let count = if rules::LOSSES.on() { hits.min(state.stack(side, at).len()) } else { 0 };
            let weakest = state.stack(side, at).into_iter().take(count).collect::<Vec<_>>();
            self.lose(state, side, &weakest, out);
        }
        if SeatSet::first(2).iter().any(|side| state.living(side) == 0) && rules::LAST_BLOCK.on() {
            let winner = SeatSet::first(2).iter().find(|&side| state.living(side) > 0);
            state.result = Some(Verdict { kind: 1, winner });
            return;
        }
        let left = [state.stack(attacker, at).len(), state.stack(defender, at).len()];
        if left == [0, 0] {
            out.emit(|| Event::new("deserted", rules::FIELD, &[Ref::Space(at.into())]));
            return;
        }
        let attacker_holds = left[0] > left[1] || !rules::FIELD.on();
        let (holder, beaten) = if attacker_holds { (attacker, defender) } else { (defender, attacker) };
        out.emit(|| Event::new("holds", rules::FIELD, &[Ref::Seat(holder), Ref::Space(at.into())]));
        if holder.index() < state.seats() && rules::BONUS.on() {
            state.agenda.owe(holder);
        }
        if !state.stack(beaten, at).is_empty() && rules::RETREAT.on() {
            let ways: Vec<u8> = self.ways_out(state, beaten, attacker, at, from).collect();
            if ways.len() > 1 {
                state.frames.open(Frame::Battle { at, from, attacker, beaten: Some(beaten) });
            } else {
                self.retreat(state, beaten, at, ways.first().copied(), out);
            }
        }
    }

    /// 5.4, 9.2: where a beaten side may go.
    pub(super) fn ways_out(
        &self,
        state: &State,
        beaten: Seat,
        attacker: Seat,
        at: u8,
        from: u8,
    ) -> impl Iterator<Item = u8> {
        let attacks = attacker == beaten;
        let garrison = state.drill && beaten.index() == 1 && rules::GARRISON.on();
        let free = move |space: &u8| state.stack(beaten.other(), *space).is_empty();
        let roads = self.content.roads[usize::from(at)].iter().copied();
        roads.filter(move |space| !garrison && attacks == (*space == from) && free(space))
    }

    /// 5.4: the beaten side goes, or is lost.
    pub(super) fn retreat(&self, state: &mut State, seat: Seat, at: u8, to: Option<u8>, out: &mut Events) {
        let stack = state.stack(seat, at);
        let Some(to) = to else {
            out.emit(|| Event::new("nowhere", rules::RETREAT, &[Ref::Seat(seat)]));
            self.lose(state, seat, &stack, out);
            if state.living(seat) == 0 && rules::LAST_BLOCK.on() {
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

    /// 8.1: looked at when an activation is over.
    pub(super) fn check_camp(&self, state: &mut State, seat: Seat) {
        let camp = self.content.camps[seat.other().index()];
        if !state.stack(seat, camp).is_empty()
            && state.stack(seat.other(), camp).is_empty()
            && rules::CAMP.on()
        {
            state.result = Some(Verdict { kind: 0, winner: Some(seat) });
        }
    }

    /// 8.3: the turns are used up.
    fn nightfall(&self, state: &mut State) {
        let blocks = [state.living(Seat::new(0)), state.living(Seat::new(1))];
        let winner = match blocks[0].cmp(&blocks[1]) {
            _ if state.drill || !rules::NIGHTFALL.on() => None,
            std::cmp::Ordering::Equal => None,
            std::cmp::Ordering::Greater => Some(Seat::new(0)),
            std::cmp::Ordering::Less => Some(Seat::new(1)),
        };
        state.result = Some(Verdict { kind: 2, winner });
    }
}

/// 5.1, 5.2: so many hits that count for the attacker, and for the defender.
pub(super) fn battle_classes(state: &State, at: u8, attacker: Seat) -> Vec<Class> {
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
