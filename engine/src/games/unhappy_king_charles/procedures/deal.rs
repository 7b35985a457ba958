//! Cards that are dealt and drawn (4.1, 5.4, 6.7, 6.8, 10.7).

use crate::chance::Bag;
use crate::deck::CardSet;
use crate::vocabulary::*;

use super::super::content::deck::{LATE, MID};
use super::super::content::ids::CardId;
use super::super::content::{PARLIAMENT, ROYALIST};
use super::super::frames::Frame;
use super::super::state::{BonusSet, SETS, State};
use super::super::{STREAM_DISCARD, UnhappyKing, rules};

impl UnhappyKing {
    /// D2: the seat that the next card of a deal goes to: the Royalist's is the first one.
    pub(in super::super) fn dealt_seat(&self, state: &State, left: u8) -> Seat {
        let hand = self.content.numbers.hand;
        let all = if state.turn.index() == 0 { hand.first_deal + 1 } else { 2 * hand.dealt };
        if (all - left).is_multiple_of(2) { ROYALIST } else { PARLIAMENT }
    }

    /// Returns whether the Late cards are to be added: the Mid ones lie in the deck, and it is used up (6.8, D5).
    fn needs_late_war(&self, state: &State) -> bool {
        state.cards.deck.laid() == MID + 1 && state.cards.deck.top(&self.content.deck).is_none()
    }

    /// A deal goes on by itself: it ends, the Late cards are added, the New Model Army is handed over. Returns `false` if a card is due.
    pub(in super::super) fn advance_deal(&self, state: &mut State, left: u8, out: &mut Events) -> bool {
        if left == 0 {
            state.frames.close();
            return true;
        }
        if rules::SECOND_DECK.applies(self.needs_late_war(state)) {
            self.lay_late_war(state, out);
        }
        let handed = state.cards.deck.laid() > LATE && !state.cards.waiting.is_empty();
        // Nothing of this deal was in the old deck if the new one has given all of its cards.
        let dealt = (2 * self.content.numbers.hand.dealt).saturating_sub(left);
        let first = state.cards.deck.drawn_of(&self.content.deck, LATE) == dealt;
        let rule = if first { rules::NEW_MODEL_FIRST } else { rules::NEW_MODEL_DEALT };
        if handed && rule.applies(self.dealt_seat(state, left) == PARLIAMENT) {
            // Parliament's due card is the New Model Army.
            self.hand_over_new_model(state, None, out);
            self.dealt_one(state);
            return true;
        }
        if state.cards.deck.top(&self.content.deck).is_none() {
            // D9: no more cards: the Royalist, who is dealt first, has one more if their number is odd.
            state.frames.close();
            return true;
        }
        false
    }

    /// 6.8: the second deck has been drawn, and the third one is laid.
    fn lay_late_war(&self, state: &mut State, out: &mut Events) {
        let scene = Scene::open(self, state, 2, out);
        state.cards.deck.lay();
        scene.publish(self, state, out, || Event::new("late_war", rules::SECOND_DECK, &[]));
    }

    fn dealt_one(&self, state: &mut State) {
        if let Some(Frame::Deal { left }) = state.frames.top_mut() {
            *left -= 1;
        }
    }

    /// 6.8: the New Model Army comes to Parliament, who hand a card over to the Royalist for it, if it is one that they were just dealt.
    fn hand_over_new_model(&self, state: &mut State, exchanged: Option<CardId>, out: &mut Events) {
        let scene = Scene::open(self, state, 2, out);
        let new_model = std::mem::take(&mut state.cards.waiting);
        let cards = &mut state.cards.hands;
        cards[PARLIAMENT.index()] = cards[PARLIAMENT.index()] | new_model;
        if let Some(card) = exchanged {
            cards[PARLIAMENT.index()].remove(card.index() as u16);
            cards[ROYALIST.index()].insert(card.index() as u16);
            state.cards.exchanged = Some(card);
        }
        let named: Vec<Ref> = new_model.iter().map(Ref::Card).collect();
        scene.publish(self, state, out, || {
            let event = Event::new("new_model_handed_over", rules::SECOND_DECK, &named);
            match exchanged {
                None => event,
                Some(card) => {
                    let told: Vec<Ref> = named.iter().copied().chain([Ref::from(card)]).collect();
                    event.private(ROYALIST, &told, []).private(PARLIAMENT, &told, [])
                }
            }
        });
    }

    /// A card is dealt.
    pub(in super::super) fn deal(&self, state: &mut State, left: u8, card: CardId, out: &mut Events) {
        let seat = self.dealt_seat(state, left);
        let scene = Scene::open(self, state, 2, out);
        self.take_from_deck(state, card);
        state.cards.hands[seat.index()].insert(card.index() as u16);
        self.dealt_one(state);
        scene.publish(self, state, out, || {
            let who = Ref::Seat(seat);
            Event::new("dealt", rules::DEAL, &[who]).private(seat, &[who, Ref::from(card)], [])
        });
        if left > 1 && seat == PARLIAMENT && rules::NEW_MODEL_EXCHANGED.applies(self.needs_late_war(state)) {
            // D7: the last card of the second deck went to Parliament. It becomes the Royalist's due card.
            self.lay_late_war(state, out);
            self.hand_over_new_model(state, Some(card), out);
            self.dealt_one(state);
        }
    }

    /// Takes a card out of the deck, and notes which segment an Alt-Hist card came with (D14).
    fn take_from_deck(&self, state: &mut State, card: CardId) {
        let number = card.index() as u16;
        let segment = state.cards.deck.take(&self.content.deck, number).expect("a card was due");
        if segment == MID && !self.content.deck.cards(MID).contains(number) {
            state.cards.with_mid.insert(number);
        }
    }

    /// The draw of the next card of a deal.
    pub(in super::super) fn deal_chance(&self, state: &State) -> Chance {
        let draw = state.cards.deck.draw(&self.content.deck).expect("a deal stands only while a card is due");
        match draw {
            Chance::Bag(bag) => Chance::Bag(Bag { epoch: rules::DRAW_EPOCHS.gives(bag.epoch, 0), ..bag }),
            one => one,
        }
    }

    /// Returns whether a draw of a seat has a card to come: Parliament's bonus cards come from the discard pile (10.7), all others from the deck.
    fn has_card(&self, state: &State, seat: Seat, bonus: bool) -> bool {
        if rules::BONUS_CARDS.applies(bonus && seat == PARLIAMENT) {
            !self.bonus_pile(state).is_empty()
        } else {
            state.cards.deck.top(&self.content.deck).is_some()
        }
    }

    /// The cards that Parliament's bonus draw may bring: all that lies in the discard pile by now, and nothing else.
    fn bonus_pile(&self, state: &State) -> CardSet {
        rules::DISCARD_PILE.gives(state.cards.discard, state.cards.aside)
    }

    /// A draw goes on by itself: it ends, or what is lacking is lost (10.7, D5). Returns `false` if a card is due.
    pub(in super::super) fn advance_draw(
        &self,
        state: &mut State,
        seat: Seat,
        left: u8,
        bonus: bool,
        out: &mut Events,
    ) -> bool {
        if left > 0 && self.has_card(state, seat, bonus) {
            return false;
        }
        state.frames.close();
        if let Some(set) = state.cards.sets.last_mut() {
            set.due = 0;
        }
        if left > 0 {
            let refs = [Ref::Seat(seat), Ref::Number(left.into())];
            out.emit(|| Event::new("draw_lost", rules::BONUS_CARDS, &refs));
        }
        true
    }

    /// The draw of the next card of a draw.
    pub(in super::super) fn draw_chance(&self, state: &State, seat: Seat, bonus: bool) -> Chance {
        if rules::BONUS_CARDS.applies(bonus && seat == PARLIAMENT) {
            let cards = self.bonus_pile(state).iter().collect();
            let epoch = state.cards.pile_draws.into();
            return Chance::Bag(Bag { stream: STREAM_DISCARD, epoch, cards, tokens: Vec::new() });
        }
        self.deal_chance(state)
    }

    /// A card is drawn.
    pub(in super::super) fn draw(
        &self,
        state: &mut State,
        (seat, left, bonus): (Seat, u8, bool),
        card: CardId,
        out: &mut Events,
    ) {
        let scene = Scene::open(self, state, 2, out);
        let number = card.index() as u16;
        let mut among = CardSet::default();
        if rules::BONUS_CARDS.applies(bonus && seat == PARLIAMENT) {
            among = state.cards.discard;
            state.cards.discard.remove(number);
            state.cards.pile_draws = state.cards.pile_draws.wrapping_add(1);
        } else {
            self.take_from_deck(state, card);
        }
        if bonus {
            match state.cards.sets.last_mut().filter(|set| set.seat == seat && set.due > 0) {
                Some(set) => {
                    set.cards.insert(number);
                    set.due -= 1;
                    set.among = set.among | among;
                }
                None => {
                    assert!(state.cards.sets.len() < SETS, "more bonus sets are owed than B21 declares");
                    state.cards.sets.push(BonusSet {
                        seat,
                        cards: CardSet::of([number]),
                        due: left - 1,
                        among,
                    });
                }
            }
        } else {
            state.cards.hands[seat.index()].insert(number);
        }
        state.frames.close();
        state.frames.open(Frame::Draw { seat, left: left - 1, bonus });
        scene.publish(self, state, out, || {
            let who = Ref::Seat(seat);
            Event::new("drawn", rules::BONUS_CARDS, &[who]).private(seat, &[who, Ref::from(card)], [])
        });
    }
}
