//! Decisions: which actions are legal, and what each does.

use std::ops::ControlFlow;

use crate::action::ActionId;
use crate::event::{Event, Events, Scene};
use crate::game::CONTRACT;
use crate::reference::Ref;
use crate::refusal::Why;
use crate::seat::Seat;

use super::catalogue::Action;
use super::state::{BLOCKS, Frame, SIDE, State};
use super::{Skirmish, rules};

impl Skirmish {
    pub(super) fn list_candidates(&self, state: &State, seat: Seat, into: &mut Vec<ActionId>) {
        let mut offer = |action: Action| into.push(self.actions.id(action));
        let roads = |at: u8| self.content.roads[usize::from(at)].iter().copied();
        match state.frames.top() {
            Some(Frame::Choose) => {
                state.hands[seat.index()].iter().map(Action::Card).for_each(&mut offer);
                offer(Action::Done);
            }
            Some(Frame::Activation { .. }) => {
                for from in 0..self.content.roads.len() as u8 {
                    roads(from).for_each(|to| offer(Action::March(from, to)));
                }
                offer(Action::Done);
            }
            Some(Frame::March { .. }) => {
                (0..BLOCKS as u8).map(Action::Take).for_each(&mut offer);
                offer(Action::Go);
            }
            Some(&Frame::Interception { to, .. }) => {
                roads(to).map(Action::Intercept).for_each(&mut offer);
                offer(Action::Pass);
            }
            Some(&Frame::Battle { at, .. }) => roads(at).map(Action::Retreat).for_each(offer),
            Some(Frame::Bonus { .. }) => {
                (0..self.content.roads.len() as u8).map(Action::Scout).for_each(&mut offer);
                offer(Action::Keep);
            }
            _ => {}
        }
    }

    pub(super) fn examine_action(
        &self,
        state: &State,
        seat: Seat,
        action: Action,
        why: &mut Why,
    ) -> ControlFlow<()> {
        match (state.frames.top(), action) {
            (Some(Frame::Choose), Action::Card(card)) => {
                let picked = state.choosing[seat.index()].picked;
                why.require(picked.is_none(), rules::CHOICE, "CARD_PICKED", &[])?;
                let held = state.hands[seat.index()].contains(card);
                why.require(held, rules::CHOICE, "NOT_IN_HAND", &[Ref::Card(card)])
            }
            (Some(Frame::Choose), Action::Done) => {
                let picked = state.choosing[seat.index()].picked;
                why.require(picked.is_some(), rules::CHOICE, "NO_CARD_PICKED", &[])
            }
            (Some(&Frame::Activation { marches, .. }), Action::March(from, _)) => {
                why.require(marches > 0, rules::MARCHES, "NO_MARCHES_LEFT", &[])?;
                let ready = state.stack(seat, from).iter().any(|&block| !state.blocks[block].marched);
                why.require(ready, rules::MARCHES, "NOBODY_TO_MARCH", &[Ref::Space(from.into())])
            }
            (Some(Frame::Activation { .. }), Action::Done) => ControlFlow::Continue(()),
            (Some(&Frame::March { from, taken, .. }), Action::Take(block)) => {
                let (piece, index) = (Ref::Piece(block.into()), usize::from(block));
                let here = index / SIDE == seat.index() && state.blocks[index].at == from;
                why.demand(here, rules::MARCHERS, "NOT_HERE", &[piece, Ref::Space(from.into())])?;
                why.require(!state.blocks[index].marched, rules::MARCHES, "HAS_MARCHED", &[piece])?;
                why.require(taken >> block == 0, rules::MARCHERS, "OUT_OF_ORDER", &[])
            }
            (Some(&Frame::March { taken, .. }), Action::Go) => {
                why.require(taken != 0, rules::MARCHERS, "NOBODY_TAKEN", &[])
            }
            (Some(&Frame::Interception { to, .. }), Action::Intercept(by)) => {
                let near =
                    self.content.roads[usize::from(to)].contains(&by) && !state.stack(seat, by).is_empty();
                let refs = [Ref::Space(by.into()), Ref::Space(to.into())];
                why.require(near, rules::INTERCEPTION, "NO_STACK", &refs)
            }
            (Some(Frame::Interception { .. }), Action::Pass) => ControlFlow::Continue(()),
            (Some(&Frame::Battle { at, from, attacker, .. }), Action::Retreat(to)) => {
                let open = self.ways_out(state, seat, attacker, at, from).any(|way| way == to);
                why.require(
                    open,
                    rules::RETREAT,
                    "NOT_A_WAY_OUT",
                    &[Ref::Space(to.into()), Ref::Space(at.into())],
                )
            }
            (Some(Frame::Bonus { .. }), Action::Scout(at)) => {
                let backs = state.backs(seat.other(), at).next().is_some();
                why.require(backs, rules::SCOUTING, "NO_BACKS", &[Ref::Space(at.into())])
            }
            (Some(Frame::Bonus { .. }), Action::Keep) => ControlFlow::Continue(()),
            _ => why.refuse(CONTRACT, "NOT_NOW"),
        }
    }

    pub(super) fn apply_action(&self, state: &mut State, seat: Seat, action: Action, out: &mut Events) {
        let who = Ref::Seat(seat);
        match (action, state.frames.top_mut()) {
            (Action::Card(card), _) => {
                state.choosing[seat.index()].picked = Some(card);
                out.emit(|| Event::only(seat, "picked", rules::CHOICE, &[who, Ref::Card(card)]));
            }
            (Action::Done, Some(Frame::Choose)) => state.choosing[seat.index()].committed = true,
            (Action::March(from, to), Some(Frame::Activation { marches, .. })) => {
                *marches = marches.saturating_sub(1);
                state.frames.open(Frame::March { seat, from, to, taken: 0 });
            }
            (Action::Take(block), Some(Frame::March { taken, .. })) => {
                *taken |= 1 << block;
                out.emit(|| Event::only(seat, "takes", rules::MARCHERS, &[who, Ref::Piece(block.into())]));
            }
            (Action::Go, Some(&mut Frame::March { from, to, taken, .. })) => {
                self.march(state, seat, from, to, taken, out)
            }
            (Action::Intercept(stack), Some(Frame::Interception { by, to, .. })) => {
                let refs = [who, Ref::Space(stack.into()), Ref::Space((*to).into())];
                *by = Some(stack);
                out.emit(|| Event::new("intercepts", rules::INTERCEPTION, &refs));
            }
            (Action::Retreat(to), Some(&mut Frame::Battle { at, .. })) => {
                state.frames.close();
                self.retreat(state, seat, at, Some(to), out);
            }
            (Action::Scout(at), Some(&mut Frame::Bonus { card: Some(card), .. })) => {
                let scene = Scene::open(self, state, state.seats(), out);
                state.frames.close();
                state.hands[seat.index()].remove(card);
                state.discard.insert(card);
                state.frames.open(Frame::Scout { seat, at });
                let refs = [who, Ref::Space(at.into()), Ref::Card(card)];
                scene.publish(self, state, out, || Event::new("scouts", rules::SCOUTING, &refs));
            }
            (Action::Keep, _) => {
                state.frames.close();
                out.emit(|| Event::new("kept", rules::SCOUTING, &[who]));
            }
            (Action::Done, _) => {
                state.frames.close();
                out.emit(|| Event::new("rests", rules::MARCHES, &[who]));
                self.check_camp(state, seat);
            }
            (Action::Pass, _) => {
                state.frames.close();
                out.emit(|| Event::new("lets_pass", rules::INTERCEPTION, &[who]));
            }
            _ => debug_assert!(false, "an illegal action was applied"),
        }
    }

    /// 3.2, 7.1: blocks leave a space for another; faces seen are mixed up unless all go.
    fn march(&self, state: &mut State, seat: Seat, from: u8, to: u8, taken: u8, out: &mut Events) {
        let scene = Scene::open(self, state, state.seats(), out);
        state.frames.close();
        let all = state.stack(seat, from).iter().all(|&block| taken & 1 << block != 0);
        for block in state.stack(seat, from) {
            if !all && rules::SEEN.on() {
                state.blocks[block].seen = false;
            }
            if taken & 1 << block != 0 {
                state.blocks[block].at = to;
                state.blocks[block].marched = rules::MARCHES.on();
            }
        }
        let number = Ref::Number(taken.count_ones() as i32);
        let refs = [Ref::Seat(seat), Ref::Space(from.into()), Ref::Space(to.into()), number];
        scene.publish(self, state, out, || Event::new("marched", rules::MARCHERS, &refs));
        if !state.stack(seat.other(), to).is_empty() {
            self.open_battle(state, to, from, seat, out);
        } else if !state.drill && rules::INTERCEPTION.on() {
            let near = |space: &u8| !state.stack(seat.other(), *space).is_empty();
            if self.content.roads[usize::from(to)].iter().any(near) {
                state.frames.open(Frame::Interception { asked: seat.other(), by: None, from, to });
            }
        }
    }

    pub(super) fn open_battle(&self, state: &mut State, at: u8, from: u8, attacker: Seat, out: &mut Events) {
        state.frames.open(Frame::Battle { at, from, attacker, beaten: None });
        let scene = Scene::open(self, state, state.seats(), out);
        for block in state.fighters(at, attacker) {
            state.blocks[block].seen = state.blocks[block].face > 0;
        }
        let refs = [Ref::Space(at.into()), Ref::Seat(attacker)];
        scene.publish(self, state, out, || Event::new("battle", rules::BATTLE, &refs));
        out.revealed();
    }
}
