//! Events: a card's operations, one after the other (6.4). What can be done must be done; markers alone may stop early.

use crate::vocabulary::*;

use super::super::UnhappyKing;
use super::super::content::ids::{CardId, ListId};
use super::super::content::operations::Operation;
use super::super::frames::Frame;
use super::super::rules;
use super::super::state::{Happened, Presence, State};

impl UnhappyKing {
    /// A card is shown for its event: one that happens once is spent, whatever comes of it (6.6).
    pub(in super::super) fn spend_event(&self, state: &mut State, card: CardId) {
        if rules::ONCE_A_MATCH.applies(self.content.cards[card].once) {
            state.spent.insert(card.index() as u16);
        }
    }

    /// The event of a card begins.
    pub(in super::super) fn open_event(&self, state: &mut State, seat: Seat, card: CardId) {
        self.open_list(state, seat, card, self.content.cards[card].list);
    }

    fn open_list(&self, state: &mut State, seat: Seat, card: CardId, list: ListId) {
        state.frames.open(Frame::Event { seat, card, list, step: 0, begun: false, did: false });
    }

    /// The operation of the event under way that opened the innermost procedure.
    ///
    /// # Panics
    /// If no event is under way: the procedures of events alone ask for it.
    #[must_use]
    pub(in super::super) fn event_operation(&self, state: &State) -> Operation {
        let events = state.frames.iter().rev();
        let step = events.filter_map(|frame| match frame {
            Frame::Event { list, step, .. } => self.content.lists[*list].get(usize::from(*step)),
            _ => None,
        });
        step.map(|step| step.operation).next().expect("an event is under way")
    }

    /// The operation under way has done something (X16).
    pub(in super::super) fn event_did(&self, state: &mut State) {
        let event = state.frames.iter_mut().rev().find_map(|frame| match frame {
            Frame::Event { did, .. } => Some(did),
            _ => None,
        });
        *event.expect("an event is under way") = true;
    }

    /// The next operation of a list, or what stands in the place of one that did nothing (X16).
    pub(in super::super) fn advance_event(
        &self,
        state: &mut State,
        (seat, card, list): (Seat, CardId, ListId),
        (at, was_begun, had_done): (u8, bool, bool),
        out: &mut Events,
    ) {
        let Some(&step) = self.content.lists[list].get(usize::from(at)) else {
            state.frames.close();
            return self.hand_on(state, had_done);
        };
        let Some(Frame::Event { step: next, begun, did, .. }) = state.frames.top_mut() else {
            unreachable!("an event is the innermost procedure when it goes on");
        };
        if was_begun {
            (*next, *begun) = (at + 1, false);
            if let Some(otherwise) = step.otherwise
                && rules::OTHERWISE.allows(!had_done)
            {
                self.open_list(state, seat, card, otherwise);
            }
            return;
        }
        (*begun, *did) = (true, false);
        self.begin_operation(state, (seat, card), step.operation, had_done, out);
    }

    /// A list within a list has done something, and so has the operation that led to it.
    fn hand_on(&self, state: &mut State, did_something: bool) {
        if let Some(Frame::Event { did, .. }) = state.frames.top_mut() {
            *did |= did_something;
        }
    }

    /// An operation begins: it is done at once, or its procedure opens; `placed`: the one before it did something (X15).
    fn begin_operation(
        &self,
        state: &mut State,
        (seat, card): (Seat, CardId),
        operation: Operation,
        placed: bool,
        out: &mut Events,
    ) {
        match operation {
            Operation::Markers { most, follows, .. } => {
                let free = rules::MARKER_AFTER_BRIGADE.applies(follows && placed);
                state.frames.open(Frame::EventMarkers { seat, left: most, free });
            }
            Operation::PlaceBrigades { count, .. } => {
                state.frames.open(Frame::EventBrigades { seat, left: count, face: None });
            }
            Operation::RemoveBrigades { owner, count, .. } => {
                let owner = rules::EVENT_REMOVALS.gives(owner.seat(seat), seat);
                state.frames.open(Frame::EventRemovals { seat: owner, left: count, from: None });
            }
            Operation::RemoveCards { from, count } => {
                let from = from.seat(seat);
                if !state.cards.hands[from.index()].is_empty() {
                    self.event_did(state);
                    state.frames.open(Frame::Removal { seat: from, left: count });
                }
            }
            Operation::Draw { count } => {
                if state.cards.deck.top(&self.content.deck).is_some() {
                    self.event_did(state);
                    state.frames.open(Frame::Draw { seat, left: count, bonus: false });
                }
            }
            Operation::Naval { by } => {
                self.event_did(state);
                let scene = Scene::open(self, state, 2, out);
                state.fleet = state.fleet.saturating_add(by);
                let refs = [Ref::Number(by.into()), Ref::Number(self.naval_status(state).into())];
                scene.publish(self, state, out, || Event::new("naval_shift", rules::NAVAL_STATUS, &refs));
            }
            Operation::PlaceNotable { notable } => {
                if !rules::NOTABLE_EVENTS.allows(state.notables[notable] == Presence::Waiting) {
                    return;
                }
                self.event_did(state);
                let def = &self.content.notables[notable];
                let scene = Scene::open(self, state, 2, out);
                state.notables[notable] = Presence::InPlay;
                let refs = [Ref::from(notable), Ref::from(def.area)];
                scene
                    .publish(self, state, out, || Event::new("notable_placed", rules::NOTABLE_PLACED, &refs));
                if rules::NOTABLE_PLACED.applies(state.controller(def.area) != Some(def.side)) {
                    self.place_marker(state, def.side, def.area, rules::NOTABLE_PLACED, out);
                }
            }
            Operation::TakeFortress { .. }
            | Operation::BombardModifier { .. }
            | Operation::Activate { .. } => {
                if let Operation::Activate { lifts_rivalry: true, .. } = operation {
                    self.event_did(state);
                    let scene = Scene::open(self, state, 2, out);
                    state.happened |= Happened::JOINT_VENTURE;
                    scene.publish(self, state, out, || {
                        Event::new("joint_venture", rules::RIVALRY, &[card.into()])
                    });
                }
                state.frames.open(Frame::Target { seat });
            }
            Operation::Transfer { most, .. } => {
                state.frames.open(Frame::Transfer {
                    seat,
                    left: most,
                    moved: false,
                    giver: None,
                    taker: None,
                });
            }
            Operation::Choice { options: [first, second] } => {
                state.frames.open(Frame::Effect { seat, first, second });
            }
            Operation::BySide { lists } => self.open_list(state, seat, card, lists[seat.index()]),
            Operation::Paragraph(paragraph) => {
                self.event_did(state);
                state.frames.open(if paragraph.is_mandatory() {
                    Frame::Mandatory { seat, card, stage: 0 }
                } else {
                    Frame::Special { seat, card, stage: 0 }
                });
            }
            // These are uses of a card, or windows of another procedure: as part of an event they do nothing.
            Operation::Operations { .. }
            | Operation::Campaign { .. }
            | Operation::Combat { .. }
            | Operation::InterceptModifier { .. } => {}
        }
    }
}
