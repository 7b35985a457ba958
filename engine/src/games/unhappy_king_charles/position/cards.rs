//! The cards of a described position.

use serde::Deserialize;

use crate::deck::CardSet;
use crate::position::{ById, PositionError, by_seat, seat_of};
use crate::vocabulary::*;

use super::super::UnhappyKing;
use super::super::content::cards::Deck;
use super::super::content::deck::{EARLY, FIRST_DEAL, LATE, LEAGUE, MID, SEGMENTS};
use super::super::content::ids::CardId;
use super::super::content::numbers::Numbers;
use super::super::content::{Content, PARLIAMENT, ROYALIST};
use super::super::state::{BonusSet, SETS, State};
use super::{Described, Result, place};

/// A bonus set that is owed.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct DescribedSet {
    seat: String,
    cards: Vec<String>,
    /// Parliament's: what lay in the discard pile when it was drawn; if it is left out, what lies there and the set itself.
    among: Option<Vec<String>>,
}

/// The cards that are named, each once.
struct Named<'a> {
    content: &'a Content,
    all: CardSet,
}

impl Named<'_> {
    fn card(&self, path: &str, id: &str) -> Result<u16> {
        let ids = self.content.cards.iter().map(|card| card.named.id.as_str());
        place(ids, path, id, "the id of a card").map(|card| card as u16)
    }

    fn set(&mut self, path: &str, ids: &[String]) -> Result<CardSet> {
        let mut set = CardSet::default();
        for (index, id) in ids.iter().enumerate() {
            let path = format!("{path}[{index}]");
            let card = self.card(&path, id)?;
            if self.all.contains(card) {
                return Err(PositionError::new(
                    path,
                    format!("`{id}`: a card that lies nowhere else is expected"),
                ));
            }
            self.all.insert(card);
            set.insert(card);
        }
        Ok(set)
    }
}

pub(super) fn read(game: &UnhappyKing, state: &mut State, described: &Described) -> Result<()> {
    let content = &game.content;
    let mut named = Named { content, all: CardSet::default() };
    let mut sided = |field: &str, lists: &ById<Vec<String>>| -> Result<[CardSet; 2]> {
        let mut sets = [CardSet::default(); 2];
        for (seat, path, ids) in by_seat(&game.catalogue, field, lists)? {
            sets[seat.index()] = named.set(&path, ids)?;
        }
        Ok(sets)
    };
    state.cards.hands = sided("hands", &described.hands)?;
    state.cards.stores = sided("stores", &described.stores)?;
    state.cards.recruitment = sided("recruitment", &described.recruitment)?;
    for (seat, store) in [ROYALIST, PARLIAMENT].into_iter().zip(state.cards.stores) {
        if let Some(card) =
            store.iter().find(|&card| content.cards[CardId::new(card.into())].is_never_stored())
        {
            let path = format!("stores.{}", game.catalogue.id_of(Ref::Seat(seat)));
            let id = &content.cards[CardId::new(card.into())].named.id;
            return Err(PositionError::new(path, format!("`{id}`: a card that can be stored is expected")));
        }
    }
    state.cards.aside = named.set("aside", &described.aside)?;
    state.cards.discard = named.set("discard", &described.discard)?;
    state.cards.removed = named.set("removed", &described.removed)?;
    sets(game, state, described, &mut named)?;
    for (index, id) in described.spent.iter().enumerate() {
        state.spent.insert(named.card(&format!("spent[{index}]"), id)?);
    }
    core(content, state, &mut named);
    mandatory(content, state, described, &mut named);
    with_mid(state, described, &named)?;
    deck(content, state, described, named.all)?;
    if let Some(id) = &described.exchanged {
        let card = CardId::new(named.card("exchanged", id)?.into());
        if !state.cards.holds(ROYALIST, card) {
            return Err(PositionError::new("exchanged", "a card that the Royalist holds is expected"));
        }
        state.cards.exchanged = Some(card);
    }
    Ok(())
}

/// The bonus sets, in their order.
fn sets(game: &UnhappyKing, state: &mut State, described: &Described, named: &mut Named<'_>) -> Result<()> {
    if described.sets.len() > SETS {
        return Err(PositionError::new("sets", format!("at most {SETS} sets are expected")));
    }
    for (index, set) in described.sets.iter().enumerate() {
        let path = format!("sets[{index}]");
        let seat = seat_of(&game.catalogue, &format!("{path}.seat"), &set.seat)?;
        let cards = named.set(&format!("{path}.cards"), &set.cards)?;
        if cards.is_empty() {
            return Err(PositionError::new(format!("{path}.cards"), "a card at least is expected"));
        }
        let among = match &set.among {
            _ if seat == ROYALIST => CardSet::default(),
            None => state.cards.discard | cards,
            Some(ids) => {
                let mut among = cards;
                for (at, id) in ids.iter().enumerate() {
                    among.insert(named.card(&format!("{path}.among[{at}]"), id)?);
                }
                let later = state.cards.discard | cards;
                if !(among - later).is_empty() {
                    let what = "cards of the discard pile, and of the set, are expected";
                    return Err(PositionError::new(format!("{path}.among"), what));
                }
                among
            }
        };
        state.cards.sets.push(BonusSet { seat, cards, due: 0, among });
    }
    Ok(())
}

/// Core Cards that are named nowhere are in their owners' hands.
fn core(content: &Content, state: &mut State, named: &mut Named<'_>) {
    for card in (content.decks[Deck::Core as usize] - named.all).iter() {
        let owner = content.cards[CardId::new(card.into())].side.unwrap_or(ROYALIST);
        state.cards.hands[owner.index()].insert(card);
        named.all.insert(card);
    }
}

/// The Standard has come, and is out of the game if it is named nowhere; the New Model Army waits until the Late War.
fn mandatory(content: &Content, state: &mut State, described: &Described, named: &mut Named<'_>) {
    let standard = content.deck.cards(FIRST_DEAL);
    let league = content.deck.cards(LEAGUE);
    state.cards.waiting = CardSet::default();
    for card in (content.decks[Deck::Mandatory as usize] - named.all - league).iter() {
        if standard.contains(card) || described.late_war {
            state.cards.removed.insert(card);
        } else {
            state.cards.waiting.insert(card);
        }
        named.all.insert(card);
    }
}

/// Alt-Hist cards that came with the Mid ones.
fn with_mid(state: &mut State, described: &Described, named: &Named<'_>) -> Result<()> {
    state.cards.with_mid = CardSet::default();
    for (index, id) in described.with_mid.iter().enumerate() {
        let path = format!("with_mid[{index}]");
        let card = named.card(&path, id)?;
        let alt_hist = named.content.decks[Deck::AltHist as usize].contains(card);
        if !alt_hist || !named.all.contains(card) {
            return Err(PositionError::new(path, "an Alt-Hist card that has come is expected"));
        }
        state.cards.with_mid.insert(card);
    }
    Ok(())
}

/// The deck: what has come is taken out of its parts; those above the last of these are used up.
fn deck(content: &Content, state: &mut State, described: &Described, named: CardSet) -> Result<()> {
    let plan = &content.deck;
    let laid = if described.late_war {
        SEGMENTS
    } else if state.turn >= Numbers::turn(content.numbers.hand.mid_war) {
        LATE
    } else {
        LEAGUE
    };
    let mut deck = plan.deck(laid);
    let mut lowest = FIRST_DEAL;
    for card in named.iter() {
        let one = CardId::new(card.into());
        let segment = match content.cards[one].deck {
            Deck::Core => continue,
            Deck::Mandatory if plan.cards(FIRST_DEAL).contains(card) => FIRST_DEAL,
            Deck::Mandatory if plan.cards(LEAGUE).contains(card) => LEAGUE,
            Deck::Mandatory => continue,
            Deck::Early if deck.tokens(FIRST_DEAL) > 0 => FIRST_DEAL,
            Deck::Early => EARLY,
            Deck::Mid => MID,
            Deck::Late => LATE,
            Deck::AltHist if state.cards.with_mid.contains(card) => MID,
            Deck::AltHist => LATE,
        };
        if segment >= laid || !deck.can_come(plan, segment).contains(card) {
            let id = &content.cards[one].named.id;
            return Err(PositionError::new(
                "",
                format!("`{id}` can't have come yet, or too many of its kind have"),
            ));
        }
        deck.take_from(plan, segment, card);
        lowest = lowest.max(segment);
    }
    for segment in FIRST_DEAL..lowest {
        while let Some(card) =
            deck.can_come(plan, segment).iter().next().filter(|_| deck.count_of(plan, segment) > 0)
        {
            deck.take_from(plan, segment, card);
            if plan.cards(LEAGUE).contains(card) {
                state.cards.removed.insert(card);
            } else {
                state.cards.discard.insert(card);
            }
            if segment == MID && !plan.cards(MID).contains(card) {
                state.cards.with_mid.insert(card);
            }
        }
    }
    state.cards.deck = deck;
    Ok(())
}
