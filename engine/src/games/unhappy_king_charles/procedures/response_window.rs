//! Response cards (6.4): Turnham Green at the start of the enemy's Activation and after each Area entered (V2, V22), and cards that are
//! played with an Interception. A window opens by what a spectator knows (T25).

use crate::deck::CardSet;
use crate::numbered::Listed;
use crate::vocabulary::*;

use super::super::actions::Action;
use super::super::content::cards::Deck;
use super::super::content::deck::FIRST_DEAL;
use super::super::content::ids::CardId;
use super::super::content::operations::Paragraph;
use super::super::content::{PARLIAMENT, ROYALIST};
use super::super::frames::Frame;
use super::super::state::{Cards, State};
use super::super::{UnhappyKing, rules};

/// The decks' stages that a hidden card may be of, as everybody knows of its place (Y8).
#[derive(Copy, Clone, PartialEq, Eq)]
enum StageOf {
    Early,
    Mid,
    Late,
}

impl UnhappyKing {
    /// The stage of the deck with which a hidden card came: public for each card in hand; none of cards that everybody saw coming.
    fn stage_of(&self, state: &State, card: CardId) -> Option<StageOf> {
        match self.content.cards[card].deck {
            Deck::Early => Some(StageOf::Early),
            Deck::Mid => Some(StageOf::Mid),
            Deck::Late => Some(StageOf::Late),
            Deck::AltHist if state.cards.with_mid.contains(card.index() as u16) => Some(StageOf::Mid),
            Deck::AltHist => Some(StageOf::Late),
            // The Standard is dealt among the Early cards; the other Mandatory cards come in sight of all.
            Deck::Mandatory => {
                let first = self.content.deck.cards(FIRST_DEAL).contains(card.index() as u16);
                first.then_some(StageOf::Early)
            }
            Deck::Core => None,
        }
    }

    /// Returns whether a seat might hold a card as far as a spectator knows: it has not been shown, the seat has not passed, and has a hidden card of
    /// its stage among those that it may play (V22, T15, T18).
    #[must_use]
    pub(in super::super) fn might_hold(&self, state: &State, seat: Seat, card: CardId) -> bool {
        if state.passed[seat.index()] || self.was_shown(state, card) {
            return false;
        }
        let came_with = |held: CardId| {
            let stage = self.stage_of(state, held);
            match self.content.cards[card].deck {
                Deck::Early => stage == Some(StageOf::Early),
                Deck::Mid => stage == Some(StageOf::Mid),
                Deck::Late => stage == Some(StageOf::Late),
                // Either stage may hold it.
                Deck::AltHist => matches!(stage, Some(StageOf::Mid | StageOf::Late)),
                Deck::Core | Deck::Mandatory => false,
            }
        };
        self.playable(state, seat).any(came_with)
    }

    /// Returns whether everybody has seen a card: it was played or discarded, or came back to Parliament from the discard pile.
    fn was_shown(&self, state: &State, card: CardId) -> bool {
        let cards = &state.cards;
        let drawn = cards.sets.iter().filter(|set| set.seat == PARLIAMENT);
        let shown = drawn.fold(cards.discard | cards.aside | cards.removed, |shown, set| shown | set.cards);
        let shown = cards.recruitment.iter().fold(shown, |shown, &set| shown | set);
        (shown | state.spent).contains(card.index() as u16)
    }

    /// The cards that may answer the enemy's Activation.
    fn responses(&self) -> impl Iterator<Item = CardId> + '_ {
        CardId::all(&self.content).filter(|&card| self.content.cards[card].response)
    }

    /// V1: the card that is Turnham Green, while its event has not occurred and a Royalist Army stands in a neighbour of London.
    fn turnham_green(&self, state: &State) -> Option<CardId> {
        let near = self.content.adjacent[self.content.numbers.turnham_green.at];
        let card = self.content.paragraph_card(Paragraph::TurnhamGreen)?;
        let open = self.content.cards[card].response && !state.spent.contains(card.index() as u16);
        let fits = open && rules::TURNHAM_GREEN.allows(state.armies(&self.content, ROYALIST).meets(near));
        fits.then_some(card)
    }

    /// V2: Parliament is asked for Turnham Green in a Royalist Activation, if it might hold the card (V22).
    pub(in super::super) fn open_response(&self, state: &mut State, active: Seat) {
        if active != ROYALIST || state.passed[PARLIAMENT.index()] {
            return;
        }
        let card = self.turnham_green(state);
        let asked = card.is_some_and(|card| {
            rules::TURNHAM_GREEN_POSSIBLE.allows(self.might_hold(state, PARLIAMENT, card))
        });
        if rules::TURNHAM_GREEN_WINDOW.applies(asked) {
            state.frames.open(Frame::Response { seat: PARLIAMENT });
        }
    }

    /// The cards that a seat may answer with: those that it may play, and none of a bonus set.
    pub(in super::super) fn answering_cards(&self, state: &State, seat: Seat) -> CardSet {
        let sets = state.cards.sets.iter().filter(|set| set.seat == seat);
        let bonus = sets.fold(CardSet::default(), |all, set| all | set.cards);
        let playable = self.playable_cards(state, seat);
        rules::BONUS_RESPONSE.gives(playable, playable | bonus)
    }

    /// Cards that may be the Response, then to pass.
    pub(in super::super) fn offer_response(&self, state: &State, seat: Seat, offer: &mut impl FnMut(Action)) {
        Cards::ids(self.answering_cards(state, seat))
            .filter(|&card| self.content.cards[card].response)
            .map(Action::Card)
            .for_each(&mut *offer);
        offer(Action::Pass);
    }

    pub(in super::super) fn examine_response(
        &self,
        state: &State,
        seat: Seat,
        action: Action,
        why: &mut Why,
    ) -> ControlFlow<()> {
        match action {
            Action::Pass => ControlFlow::Continue(()),
            Action::Card(card) => {
                let held = self.answering_cards(state, seat).contains(card.index() as u16);
                why.demand(held, rules::EVENT, "NOT_IN_HAND", &[card.into()])?;
                let fits = self.content.cards[card].is_for(seat) && self.turnham_green(state) == Some(card);
                why.require(fits, rules::TURNHAM_GREEN_WINDOW, "NOT_A_RESPONSE", &[card.into()])
            }
            _ => why.refuse(CONTRACT, "NOT_NOW"),
        }
    }

    pub(in super::super) fn apply_response(
        &self,
        state: &mut State,
        seat: Seat,
        action: Action,
        out: &mut Events,
    ) {
        state.frames.close();
        let Action::Card(card) = action else {
            return out.emit(|| Event::new("no_response", rules::TURNHAM_GREEN_WINDOW, &[Ref::Seat(seat)]));
        };
        self.play_response(state, seat, card, out);
        // The Activation goes on where it was.
        state.ongoing_activation_mut().over |= rules::TURNHAM_GREEN_RESUMED.gives(false, true);
        state.frames.open(Frame::Special { seat, card, stage: 0 });
    }

    /// Returns whether a card is one that is played with an Interception (9.7.2).
    #[must_use]
    pub(in super::super) fn reinforces_interception(&self, card: CardId) -> bool {
        self.content.cards[card].response && self.response_modifier(card) > 0
    }

    /// Returns whether a seat might play a card with its Interception, as far as a spectator knows.
    #[must_use]
    pub(in super::super) fn might_reinforce_interception(&self, state: &State, seat: Seat) -> bool {
        self.responses().any(|card| {
            self.content.cards[card].is_for(seat)
                && self.reinforces_interception(card)
                && self.might_hold(state, seat, card)
        })
    }
}
