//! The set-up (4.0): the state before the first card is dealt.

use crate::deck::CardSet;
use crate::flow::Frames;
use crate::numbered::Listed;

use super::super::content::brigades::Faction;
use super::super::content::cards::Deck;
use super::super::content::ids::{AreaSet, CardId, CounterId, CounterSet, GeneralId, NotableId, TurnId};
use super::super::content::leaders::Arrival;
use super::super::content::operations::{Operation, Paragraph};
use super::super::content::{COUNTERS, Content, FORTRESSES, OPTIONS, ROYALIST, SEATS};
use super::super::frames::{Frame, Phase};
use super::{
    Brigades, Cards, Counter, GeneralStatus, Generals, Happened, Holder, Marks, Post, Presence, Queen, Siege,
    State, Train,
};

impl State {
    /// 4.1 to 4.4: the set-up with these optional rules, before the first card.
    #[must_use]
    pub(in super::super) fn new(content: &Content, options: [bool; OPTIONS]) -> Self {
        let mut frames = Frames::default();
        frames.open(Frame::Turn { phase: Phase::Start, step: 0 });
        let general = |general: GeneralId| {
            let post = match content.generals[general].arrival {
                Arrival::Area(area) => Post::Area(area),
                Arrival::Reinforcements => Post::Reinforcements,
                Arrival::Turn(_) | Arrival::Event => Post::Waiting,
            };
            GeneralStatus { post, may_not_assault: false }
        };
        let notable = |notable: NotableId| {
            if content.notables[notable].at_start { Presence::InPlay } else { Presence::Waiting }
        };
        let mut control = [AreaSet::EMPTY; 2];
        control.clone_from(&content.start);
        Self {
            options,
            turn: TurnId::new(0),
            brigades: brigades(content),
            generals: Generals::of(std::array::from_fn(|index| general(GeneralId::new(index)))),
            notables: std::array::from_fn(|index| notable(NotableId::new(index))),
            control,
            sieges: [Siege::NONE; FORTRESSES],
            trains: [Train::Available; 2],
            queen: Queen::Abroad,
            chits: 0,
            fleet: 0,
            happened: Happened::empty(),
            spent: CardSet::default(),
            cards: cards(content),
            ascendancy: 0,
            claim: None,
            first: ROYALIST,
            plays: [0; 2],
            passed: [false; 2],
            procedures: 0,
            recruiting: None,
            activation: None,
            battle: None,
            frames,
            result: None,
        }
    }
}

/// 4.2: Brigades of the set-up at their places, those that can be recruited in the pools, the others away. Everybody knows all of them
/// (Y7).
fn brigades(content: &Content) -> Brigades {
    let mut counters = [Counter { at: Holder::OUT, marks: Marks::empty() }; COUNTERS];
    for counter in CounterId::all(content) {
        let faction = content.faces[content.face_of[counter]].faction;
        let pooled = faction.is_recruited() && faction != Faction::NewModel;
        let at = if pooled { Holder::pool(faction.seat()) } else { Holder::AWAY };
        counters[counter] = Counter { at, marks: Marks::KNOWLEDGE };
    }
    let mut placed = CounterSet::EMPTY;
    for stack in &content.set_up.stacks {
        let holder = match stack.leader {
            Some(leader) => Holder::from(leader),
            None if stack.inside => {
                content.areas[stack.area].fortress.map_or(Holder::outside(stack.area), Holder::inside)
            }
            None => Holder::outside(stack.area),
        };
        for &face in &stack.brigades {
            if let Some(counter) = (content.faces[face].counters() - placed).first() {
                placed.insert(counter);
                counters[counter].at = holder;
            }
        }
    }
    Brigades::of(content, counters)
}

/// 4.1: each player has their Core Cards; the New Model Army waits; the first ten cards and the rest of the Early ones are the deck.
fn cards(content: &Content) -> Cards {
    let core = content.decks[Deck::Core as usize];
    let of =
        |seat| CardSet::of(core.iter().filter(|&card| content.cards[CardId::new(card.into())].is_for(seat)));
    let waits = |&card: &CardId| {
        let operations = &content.lists[content.cards[card].list];
        operations.iter().any(|step| step.operation == Operation::Paragraph(Paragraph::NewModelArmy))
    };
    let waiting = CardId::all(content).filter(waits).map(|card| card.index() as u16);
    Cards {
        hands: SEATS.map(of),
        stores: [CardSet::default(); 2],
        aside: CardSet::default(),
        discard: CardSet::default(),
        recruitment: [CardSet::default(); 2],
        removed: CardSet::default(),
        waiting: CardSet::of(waiting),
        sets: Vec::new(),
        deck: content.deck.deck(2),
        with_mid: CardSet::default(),
        pile_draws: 0,
        exchanged: None,
    }
}
