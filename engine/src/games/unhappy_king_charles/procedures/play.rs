//! Card plays: which card, what for, and what may be done with any play (5.5, 6.1 to 6.4, K18).

use crate::deck::CardSet;
use crate::vocabulary::*;

use super::super::actions::{Action, QueenChoice, TrainChoice, Usage};
use super::super::content::ROYALIST;
use super::super::content::cards::{CardKind, Deck};
use super::super::content::ids::CardId;
use super::super::content::numbers::Numbers;
use super::super::frames::Frame;
use super::super::state::{Cards, Marks, Queen, State, Train};
use super::super::{UnhappyKing, rules};

impl UnhappyKing {
    /// The cards of which a seat plays one: hand and store, or what is left of the bonus set (B16).
    fn cards_to_play(&self, state: &State, seat: Seat, bonus: bool) -> CardSet {
        if !bonus {
            return self.playable_cards(state, seat);
        }
        state.cards.sets.first().filter(|set| set.seat == seat).map_or_else(CardSet::default, |set| set.cards)
    }

    /// The cards, then to pass; of a card the free acts, then its uses.
    pub(in super::super) fn offer_play(
        &self,
        state: &State,
        seat: Seat,
        (bonus, card): (bool, Option<CardId>),
        offer: &mut impl FnMut(Action),
    ) {
        if card.is_some() {
            offer(Action::Train(TrainChoice::Remove));
            offer(Action::Queen(QueenChoice::Ship));
            return Usage::ALL.iter().for_each(|&(way, _)| offer(Action::Use(way)));
        }
        Cards::ids(self.cards_to_play(state, seat, bonus)).map(Action::Card).for_each(&mut *offer);
        if !bonus {
            offer(Action::Pass);
        }
    }

    /// 5.5, T11: a card that they have, or to pass; then what the card can be used for.
    pub(in super::super) fn examine_play(
        &self,
        state: &State,
        seat: Seat,
        (bonus, card): (bool, Option<CardId>),
        action: Action,
        why: &mut Why,
    ) -> ControlFlow<()> {
        match (card, action) {
            (None, Action::Card(card)) => {
                let held = self.cards_to_play(state, seat, bonus).contains(card.index() as u16);
                let rule = if bonus { rules::BONUS_PLAY } else { rules::CAMPAIGN_PHASE };
                why.require(held, rule, "NOT_IN_HAND", &[card.into()])
            }
            (None, Action::Pass) if !bonus => self.examine_pass(state, seat, why),
            (Some(_), Action::Train(TrainChoice::Remove)) if rules::FREE_ACTS.applies(true) => {
                let placed = matches!(state.trains[seat.index()], Train::In(_) | Train::With(_));
                why.require(placed, rules::SIEGE_TRAIN_OFF, "TRAIN_NOT_ON_MAP", &[])
            }
            (Some(_), Action::Queen(QueenChoice::Ship)) if rules::FREE_ACTS.applies(true) => {
                self.examine_ship(state, seat, why)
            }
            (Some(card), Action::Use(way)) => self.examine_use(state, seat, (bonus, card), way, why),
            _ => why.refuse(CONTRACT, "NOT_NOW"),
        }
    }

    /// T11: six plays, and neither a Mandatory nor an unstored Combat Card in hand.
    fn examine_pass(&self, state: &State, seat: Seat, why: &mut Why) -> ControlFlow<()> {
        let plays = self.content.numbers.hand.plays;
        let played = state.plays[seat.index()] >= plays;
        why.require(played, rules::PASS, "PLAYS_OWED", &[Ref::Number(plays.into())])?;
        let hand = state.cards.hands[seat.index()];
        let holds = |kind: CardKind| Cards::ids(hand).any(|card| self.content.cards[card].kind == kind);
        why.require(!holds(CardKind::Mandatory), rules::MANDATORY, "MANDATORY_HELD", &[])?;
        why.require(!holds(CardKind::Combat), rules::PASS, "COMBAT_CARD_HELD", &[])
    }

    /// V11: once she may leave, from a Port under the Royalist's control without a Siege marker.
    fn examine_ship(&self, state: &State, seat: Seat, why: &mut Why) -> ControlFlow<()> {
        let area = match state.queen {
            Queen::In(area) if seat == ROYALIST => Some(area),
            Queen::With(general) if seat == ROYALIST => state.area_of(general),
            _ => None,
        };
        let Some(area) = area else { return why.refuse(rules::QUEEN, "QUEEN_NOT_HERE") };
        let free = state.turn > Numbers::turn(self.content.numbers.queen.stays);
        why.require(free, rules::QUEEN_LEAVES, "QUEEN_STAYS", &[])?;
        let port = self.content.ports.contains(area)
            && state.controller(area) == Some(ROYALIST)
            && !state.besieged(&self.content, area);
        why.require(port, rules::QUEEN_LEAVES, "NO_FREE_PORT", &[area.into()])
    }

    pub(in super::super) fn apply_play(
        &self,
        state: &mut State,
        seat: Seat,
        (bonus, card): (bool, Option<CardId>),
        action: Action,
        out: &mut Events,
    ) {
        match (card, action) {
            (None, Action::Card(chosen)) => {
                let Some(Frame::Play { card, .. }) = state.frames.top_mut() else {
                    unreachable!("a card is chosen within its play");
                };
                *card = Some(chosen);
            }
            (None, _) => {
                let scene = Scene::open(self, state, 2, out);
                state.passed[seat.index()] = true;
                state.frames.close();
                scene.publish(self, state, out, || {
                    Event::new("passes", rules::CAMPAIGN_PHASE, &[Ref::Seat(seat)])
                });
                out.release();
            }
            (Some(_), Action::Train(_)) => {
                let scene = Scene::open(self, state, 2, out);
                state.trains[seat.index()] = Train::Resting;
                scene.publish(self, state, out, || {
                    Event::new("train_removed", rules::SIEGE_TRAIN_OFF, &[Ref::Seat(seat)])
                });
            }
            (Some(_), Action::Queen(_)) => {
                let scene = Scene::open(self, state, 2, out);
                state.queen = Queen::Left;
                let status = Ref::Number(self.naval_status(state).into());
                scene
                    .publish(self, state, out, || Event::new("queen_leaves", rules::QUEEN_LEAVES, &[status]));
            }
            (Some(card), Action::Use(way)) => self.use_card(state, seat, (bonus, card), way, out),
            _ => unreachable!("an illegal action was applied"),
        }
    }

    /// 6.3: a card leaves its seat for the pile where it belongs. Whether it counts as a play is the caller's (T10).
    pub(in super::super) fn lay_card(&self, state: &mut State, seat: Seat, card: CardId, recruits: bool) {
        let number = card.index() as u16;
        state.cards.take(seat, card);
        let def = &self.content.cards[card];
        if recruits {
            state.cards.recruitment[seat.index()].insert(number);
        } else if rules::CARD_PILES.applies(def.deck == Deck::Core) {
            state.cards.aside.insert(number);
        } else if rules::MANDATORY.applies(def.kind == CardKind::Mandatory) {
            state.cards.removed.insert(number);
        } else {
            state.cards.discard.insert(number);
        }
    }

    /// T10: a play counts towards the six.
    pub(in super::super) fn count_play(&self, state: &mut State, seat: Seat) {
        let plays = &mut state.plays[seat.index()];
        *plays = rules::COUNTED_PLAYS.gives(plays.saturating_add(1), *plays);
    }

    /// The card is shown and goes to its pile, and what it is used for begins.
    fn use_card(
        &self,
        state: &mut State,
        seat: Seat,
        (bonus, card): (bool, CardId),
        way: Usage,
        out: &mut Events,
    ) {
        let scene = Scene::open(self, state, 2, out);
        let all = self.all_moved(state, Marks::MOVED);
        state.brigades.unmark(&self.content, all, Marks::MOVED);
        self.lay_card(state, seat, card, way == Usage::Recruit);
        if way == Usage::Event {
            self.spend_event(state, card);
        }
        state.frames.close();
        if !bonus {
            self.count_play(state, seat);
            state.claim = None;
            state.frames.open(Frame::Bonus);
        }
        let refs = [Ref::Seat(seat), Ref::from(card)];
        let (code, rule) = match way {
            Usage::Event => ("plays_event", rules::EVENT),
            Usage::Campaign => ("plays_campaign", rules::CAMPAIGN_CARD),
            Usage::Activate => ("plays_to_activate", rules::OPERATIONS),
            Usage::Bombard => ("plays_to_bombard", rules::OPERATIONS),
            Usage::Raid => ("plays_to_raid", rules::OPERATIONS),
            Usage::Markers => ("plays_for_markers", rules::OPERATIONS),
            Usage::Recruit => ("plays_to_recruit", rules::RECRUITMENT_CARD),
            Usage::Discard => ("discards", rules::DISCARD),
        };
        scene.publish(self, state, out, || Event::new(code, rule, &refs));
        out.revealed();
        self.begin_use(state, seat, card, way);
    }
}
