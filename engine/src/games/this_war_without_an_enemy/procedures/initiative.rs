//! The cards of a Turn: the deal, the discards of 1642, the sealed choice, the Initiative (2).

use std::ops::ControlFlow;

use crate::deck::CardSet;
use crate::event::{Event, Events, Scene};
use crate::game::CONTRACT;
use crate::reference::Ref;
use crate::refusal::Why;
use crate::seat::{Seat, SeatSet};

use super::super::actions::Action;
use super::super::content::CardEvent;
use super::super::frames::Frame;
use super::super::state::{Choosing, State};
use super::super::{ThisWar, rules};

impl ThisWar {
    /// The cards of the hand, then to commit; of a tie the two seats.
    pub(in super::super) fn offer_cards(
        &self,
        state: &State,
        seat: Seat,
        frame: Frame,
        offer: &mut impl FnMut(Action),
    ) {
        let make = match frame {
            Frame::Tie => return [0, 1].map(Seat::new).map(Action::First).into_iter().for_each(offer),
            Frame::Discards => Action::Discard,
            _ => Action::Play,
        };
        state.hands[seat.index()].iter().map(make).for_each(&mut *offer);
        offer(Action::Done);
    }

    /// 2.1, 2.31: cards of the hand, as many as are wanted.
    pub(in super::super) fn examine_cards(
        &self,
        state: &State,
        seat: Seat,
        frame: Frame,
        action: Action,
        why: &mut Why,
    ) -> ControlFlow<()> {
        match (frame, action) {
            (Frame::Discards, Action::Discard(_) | Action::Done) => {
                self.examine_card(state, seat, action, rules::DISCARD, why)
            }
            (Frame::Initiative, Action::Play(_) | Action::Done) => {
                self.examine_card(state, seat, action, rules::CHOICE, why)
            }
            (Frame::Tie, Action::First(_)) => ControlFlow::Continue(()),
            _ => why.refuse(CONTRACT, "NOT_NOW"),
        }
    }

    pub(in super::super) fn apply_cards(
        &self,
        state: &mut State,
        seat: Seat,
        _: Frame,
        action: Action,
        out: &mut Events,
    ) {
        match action {
            Action::First(first) => self.set_first(state, first, out),
            _ => self.pick_card(state, seat, action, out),
        }
    }

    /// Returns the seats that still have to commit a card.
    pub(in super::super) fn to_act(state: &State) -> SeatSet {
        [0, 1].map(Seat::new).into_iter().filter(|seat| !state.choosing[seat.index()].committed).collect()
    }

    /// 2.1: whose cards are dealt while so many are left: the Royalist's first.
    pub(in super::super) fn dealing(&self, left: u8) -> usize {
        let (first, second) = (left > self.content.deal, left <= self.content.deal);
        usize::from(rules::DEAL.gives(second, first))
    }

    /// 2.31: whether the cards of the Turn are turned up: once both are chosen.
    pub(in super::super) fn chosen(state: &State) -> bool {
        let mut committed = state.choosing.iter().map(|choosing| choosing.committed);
        rules::CHOICE.gives(committed.all(|done| done), committed.any(|done| done))
    }

    /// Returns the number of cards that a seat lays aside, or chooses.
    pub(in super::super) fn wanted(&self, state: &State) -> usize {
        let discards = matches!(state.frames.top(), Some(Frame::Discards));
        if discards { usize::from(self.content.discards) } else { 1 }
    }

    /// 2.1: a card is dealt.
    pub(in super::super) fn dealt(&self, state: &mut State, card: u16, left: u8, out: &mut Events) {
        let scene = Scene::open(self, state, 2, out);
        let seat = self.content.card(card).side;
        state.decks[seat.index()].remove(card);
        state.hands[seat.index()].insert(card);
        self.replace(state, Frame::Deal { left: left - 1 });
        let who = Ref::Seat(seat);
        let back = Ref::Kind(super::super::catalogue::CARD_BACK + seat.index() as u16);
        scene.publish(self, state, out, || {
            Event::new("dealt", rules::DEAL, &[who, back]).private(seat, &[who, Ref::Card(card)], [])
        });
    }

    pub(in super::super) fn examine_card(
        &self,
        state: &State,
        seat: Seat,
        action: Action,
        rule: crate::ledger::Rule,
        why: &mut Why,
    ) -> ControlFlow<()> {
        let picks = state.choosing[seat.index()].picks;
        match action {
            Action::Play(card) | Action::Discard(card) => {
                let free = state.hands[seat.index()].contains(card) && !picks.contains(card);
                why.demand(free, rule, "NOT_IN_HAND", &[Ref::Card(card)])?;
                why.require(picks.len() < self.wanted(state), rule, "PICKED_ALREADY", &[])
            }
            _ => {
                let wanted = self.wanted(state).min(state.hands[seat.index()].len());
                why.require(picks.len() == wanted, rule, "NOT_PICKED_YET", &[])
            }
        }
    }

    /// A card is picked in secret, or the picks are final.
    pub(in super::super) fn pick_card(
        &self,
        state: &mut State,
        seat: Seat,
        action: Action,
        out: &mut Events,
    ) {
        match action {
            Action::Play(card) | Action::Discard(card) => {
                state.choosing[seat.index()].picks.insert(card);
                let refs = [Ref::Seat(seat), Ref::Card(card)];
                let rule = if matches!(action, Action::Discard(_)) { rules::DISCARD } else { rules::CHOICE };
                out.emit(|| Event::only(seat, "picked", rule, &refs));
            }
            _ => state.choosing[seat.index()].committed = true,
        }
    }

    /// 2.1: the discards of 1642 go face down.
    pub(in super::super) fn lay_aside(&self, state: &mut State, out: &mut Events) {
        for side in 0..2 {
            let scene = Scene::open(self, state, 2, out);
            let Choosing { picks, .. } = std::mem::take(&mut state.choosing[side]);
            let laid = rules::DISCARD.gives(picks, CardSet::default());
            state.discards[side].0 |= laid.0;
            state.hands[side].0 &= !laid.0;
            let seat = Ref::Seat(Seat::new(side as u8));
            scene.publish(self, state, out, || {
                Event::new("discarded", rules::DISCARD, &[seat, Ref::Number(picks.len() as i32)])
            });
        }
        self.replace(state, Frame::Initiative);
    }

    /// 2.31: the cards are turned up.
    pub(in super::super) fn turn_up(&self, state: &mut State, out: &mut Events) {
        for side in 0..2 {
            let scene = Scene::open(self, state, 2, out);
            let Choosing { picks, .. } = std::mem::take(&mut state.choosing[side]);
            let card = picks.iter().next();
            state.hands[side].0 &= !picks.0;
            state.cards[side] = card;
            let event = card.and_then(|card| self.content.card(card).event);
            state.mining[side] = rules::MINING.applies(event == Some(CardEvent::Mining));
            let amount = card.map_or(0, |card| self.content.card(card).amount);
            state.exempt[side] = match event {
                Some(CardEvent::QuartermasterGeneral) => rules::QUARTERMASTER.gives(amount, 0),
                _ => 0,
            };
            let refs = [Ref::Seat(Seat::new(side as u8)), Ref::Card(card.unwrap_or(0))];
            scene.publish(self, state, out, || Event::new("shown", rules::CHOICE, &refs));
        }
        let points = [0, 1].map(|side| self.points_of(state, Seat::new(side)));
        if rules::TIE.applies(points[0] == points[1]) {
            self.replace(state, Frame::Tie);
        } else {
            let royalist = rules::INITIATIVE.allows(points[0] > points[1]);
            self.set_first(state, Seat::new(u8::from(!royalist)), out);
        }
    }

    /// 2.31: Player 1 for the whole Turn.
    pub(in super::super) fn set_first(&self, state: &mut State, first: Seat, out: &mut Events) {
        let scene = Scene::open(self, state, 2, out);
        state.player1 = first;
        self.replace(state, Frame::OpEvents { done: 0 });
        scene.publish(self, state, out, || Event::new("player_1", rules::INITIATIVE, &[Ref::Seat(first)]));
    }

    pub(in super::super) fn points_of(&self, state: &State, seat: Seat) -> u8 {
        state.cards[seat.index()].map_or(0, |card| self.content.card(card).points)
    }

    /// 11.4: the decks of the next year.
    pub(in super::super) fn shuffle_decks(&self, state: &mut State) {
        for side in 0..2 {
            let back = state.played[side].0 | state.discards[side].0;
            let back = rules::DECKS.gives(back | self.content.second_deck[side].0, back);
            state.decks[side] = CardSet(state.decks[side].0 | state.hands[side].0 | back);
            (state.played[side], state.discards[side]) = (CardSet::default(), CardSet::default());
            state.hands[side] = CardSet::default();
        }
    }
}
