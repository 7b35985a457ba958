//! Board and cards, read from content and checked.

use serde::Deserialize;

use crate::cards::CardBack;
use crate::content::{
    Confidence, ContentError, ContentErrors, ContentFiles, ContentRecord, Levels, Loader, Records,
};
use crate::deck::CardSet;

use super::catalogue::{CARD_BACK, STRETCH};

#[derive(Deserialize)]
struct SpaceRecord {
    name: String,
    x: i32,
    y: i32,
    roads: Vec<String>,
}

#[derive(Deserialize)]
struct GameRecord {
    camps: [String; 2],
    drill_garrison: [String; 4],
    turns: u8,
    first_deal: u8,
    interception_at_least: u8,
}

#[derive(Deserialize)]
struct StretchRecord {
    name: String,
    slots: u8,
}

#[derive(Deserialize)]
struct CardRecord {
    name: String,
    stretch: String,
    number: u8,
    marches: u8,
}

/// Something with an id, a name and a confidence; how sure each field of its record is.
#[derive(Debug)]
pub(super) struct Named {
    pub(super) id: String,
    pub(super) name: String,
    pub(super) confidence: Confidence,
    pub(super) levels: Levels,
}

impl Named {
    fn of<T>(record: &ContentRecord<T>, name: &str) -> Self {
        let (id, name) = (record.id.clone(), name.to_owned());
        Self { id, name, confidence: record.weakest(), levels: record.levels() }
    }
}

/// A card's numbers.
#[derive(Copy, Clone, Debug)]
pub(super) struct Card {
    pub(super) stretch: u8,
    pub(super) number: u8,
    pub(super) marches: u8,
}

/// The game's numbers, and what they are called.
#[derive(Debug)]
pub(super) struct Content {
    pub(super) spaces: Vec<Named>,
    pub(super) labels: Vec<(i32, i32)>,
    pub(super) roads: Vec<Vec<u8>>,
    pub(super) camps: [u8; 2],
    pub(super) garrison: [u8; 4],
    pub(super) turns: u8,
    pub(super) first_deal: u8,
    pub(super) interception_at_least: u8,
    pub(super) stretches: Vec<(String, u8)>,
    /// How sure the game's numbers and each stretch's are.
    pub(super) levels: Levels,
    pub(super) stretch_levels: Vec<Levels>,
    pub(super) card_names: Vec<Named>,
    pub(super) cards: Vec<Card>,
}

const BOARD: &str = "board.toml";
const CARDS: &str = "cards.toml";
/// The most spaces and cards: bounds of the encoding.
const SPACES_MAX: usize = 32;
const CARDS_MAX: usize = 64;

impl Content {
    pub(super) fn load(files: &ContentFiles) -> Result<Self, ContentErrors> {
        let mut load = Loader::new(files);
        let spaces = load.records::<SpaceRecord>(BOARD, "space");
        let game = load.record::<GameRecord>(BOARD, "game");
        let stretches = load.records::<StretchRecord>(CARDS, "stretch");
        let cards = load.records::<CardRecord>(CARDS, "card");
        load.check_references(&spaces, "roads", &spaces, |space| space.roads.iter().map(String::as_str));
        load.check_references(&cards, "stretch", &stretches, |card| [card.stretch.as_str()]);
        for space in spaces.iter() {
            let back =
                |road: &&String| spaces.get(road).is_some_and(|other| !other.roads.contains(&space.id));
            for road in space.roads.iter().filter(back) {
                let what = format!("the road to {road} does not lead back");
                load.report(ContentError::field(BOARD, &spaces.name_of(&space.id), "roads", what));
            }
        }
        if !(2..=SPACES_MAX).contains(&spaces.len()) || cards.len() > CARDS_MAX || stretches.len() != 2 {
            let what =
                format!("2 to {SPACES_MAX} spaces, at most {CARDS_MAX} cards and two stretches are needed");
            load.report(ContentError::file(BOARD, what));
        }
        let index = |id: &String| spaces.position(id).map(|index| index as u8);
        let camps: Vec<u8> = game.iter().flat_map(|game| &game.camps).filter_map(index).collect();
        let garrison: Vec<u8> = game.iter().flat_map(|game| &game.drill_garrison).filter_map(index).collect();
        if let Some(game) = &game {
            if camps.len() != 2 || garrison.len() != 4 {
                load.report(ContentError::record(BOARD, "game", "camps and drill_garrison must name spaces"));
            }
            if camps.first() == camps.last() || garrison.iter().any(|post| camps.first() == Some(post)) {
                let what = "the sides must begin in different spaces";
                load.report(ContentError::record(BOARD, "game", what));
            }
            if !(1..=12).contains(&game.turns)
                || game.first_deal > 6
                || !(2..=6).contains(&game.interception_at_least)
            {
                let what = "turns 1 to 12, first_deal up to 6, interception_at_least 2 to 6";
                load.report(ContentError::record(BOARD, "game", what));
            }
        }
        load.finish(|| Self::assemble(spaces, &game?, stretches, cards, &camps, &garrison))
    }

    fn assemble(
        spaces: Records<SpaceRecord>,
        game: &ContentRecord<GameRecord>,
        stretches: Records<StretchRecord>,
        cards: Records<CardRecord>,
        camps: &[u8],
        garrison: &[u8],
    ) -> Option<Self> {
        let road = |id: &String| spaces.position(id).map(|index| index as u8);
        Some(Self {
            spaces: spaces.iter().map(|space| Named::of(space, &space.name)).collect(),
            labels: spaces.iter().map(|space| (space.x, space.y)).collect(),
            roads: spaces.iter().map(|space| space.roads.iter().filter_map(road).collect()).collect(),
            camps: camps.try_into().ok()?,
            garrison: garrison.try_into().ok()?,
            turns: game.turns,
            first_deal: game.first_deal,
            interception_at_least: game.interception_at_least,
            card_names: cards.iter().map(|card| Named::of(card, &card.name)).collect(),
            cards: cards
                .iter()
                .map(|card| Card {
                    stretch: stretches.position(&card.stretch).unwrap_or(0) as u8,
                    number: card.number,
                    marches: card.marches,
                })
                .collect(),
            levels: game.levels(),
            stretch_levels: stretches.iter().map(ContentRecord::levels).collect(),
            stretches: stretches.iter().map(|stretch| (stretch.name.clone(), stretch.slots)).collect(),
        })
    }

    /// The roads, each from both ends.
    pub(super) fn roads(&self) -> impl Iterator<Item = (u8, u8)> {
        (0..).zip(&self.roads).flat_map(|(from, roads)| roads.iter().map(move |&to| (from, to)))
    }

    /// 2.1: the backs of cards, by stretch.
    pub(super) fn backs(&self) -> Vec<CardBack> {
        let back = |stretch: u16| CardBack {
            kind: CARD_BACK + stretch,
            owner: None,
            cards: self.stretch(stretch.into()),
            deck: STRETCH + stretch,
        };
        (0..2).map(back).collect()
    }

    /// The kind of a card's back, which tells its stretch.
    pub(super) fn back(&self, card: u16) -> u16 {
        CARD_BACK + u16::from(self.cards[usize::from(card)].stretch)
    }

    /// The cards of a stretch.
    pub(super) fn stretch(&self, stretch: usize) -> CardSet {
        let cards = self.cards.iter().enumerate();
        CardSet::of(
            cards.filter(|(_, card)| usize::from(card.stretch) == stretch).map(|(index, _)| index as u16),
        )
    }

    /// Returns the number of cards of a stretch that come.
    pub(super) fn slots(&self, stretch: usize) -> u8 {
        self.stretches[stretch].1.min(self.stretch(stretch).len() as u8)
    }
}
