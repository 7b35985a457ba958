//! The part of a board that two states of a match may show differently ([`Part`]).

use crate::numbered::{Listed, SetOf};

use super::super::content::Content;
use super::super::content::things::{AreaSet, BlockId, BlockSet, CityId, CitySet};
use super::super::state::State;

/// A part of the board.
pub(super) struct Part {
    pub(super) blocks: BlockSet,
    /// These blocks, and others that may be of one group of backs with them: of each group all members, or none.
    pub(super) alike: BlockSet,
    pub(super) areas: AreaSet,
    pub(super) cities: CitySet,
    pub(super) cards: bool,
    pub(super) points: bool,
    pub(super) turn: bool,
    pub(super) borders: bool,
}

impl Part {
    /// The whole board.
    pub(super) fn all(content: &Content) -> Self {
        Self {
            blocks: SetOf::first_of(content.blocks.len()),
            alike: SetOf::first_of(content.blocks.len()),
            areas: SetOf::first_of(content.areas.len()),
            cities: SetOf::first_of(content.cities.len()),
            cards: true,
            points: true,
            turn: true,
            borders: true,
        }
    }

    /// The part that differs between two states, if anything does.
    pub(super) fn differing(content: &Content, before: &State, after: &State) -> Self {
        let whole = Self::all(content);
        let [fought, fights] = [before, after].map(|state| state.fight.as_ref());
        let halves = [fought, fights].map(|fight| fight.map_or(BlockSet::EMPTY, |fight| fight.halves));
        let halved = (halves[0] | halves[1]) - (halves[0] & halves[1]);
        let differs =
            |&block: &BlockId| before.blocks[block] != after.blocks[block] || halved.contains(block);
        let blocks: BlockSet = BlockId::all(content).filter(differs).collect();
        let mut areas: AreaSet = blocks
            .iter()
            .flat_map(|block| [before, after].map(|state| content.area_of(state.blocks[block].at)))
            .flatten()
            .collect();
        // 6.14: who attacks in a Contested Area, and so who holds its City.
        let roles = [fought, fights].map(|fight| fight.map(|fight| (fight.area, fight.attacker)));
        if roles[0] != roles[1] {
            areas.extend(roles.into_iter().flatten().map(|(area, _)| area));
        }
        if before.player1 != after.player1 {
            areas = whole.areas;
        }
        let besieged = |city: CityId| before.siege[city] != after.siege[city];
        let beside = |city: CityId| areas.contains(content.cities[city].area);
        let resolved = (before.resolved | after.resolved) - (before.resolved & after.resolved);
        let cities = if before.walls == after.walls {
            resolved | whole.cities.that(|city| besieged(city) || beside(city))
        } else {
            whole.cities
        };
        let piles = |state: &State| {
            (state.hands, state.cards, state.decks, state.discards, state.played, state.removed)
        };
        let turn =
            |state: &State| (state.turn, state.player1, state.last, state.tactic, state.mining, state.exempt);
        Self {
            blocks,
            alike: Self::alike(content, [before, after], blocks),
            areas,
            cities,
            cards: piles(before) != piles(after),
            points: !areas.is_empty(),
            turn: turn(before) != turn(after),
            borders: before.crossed != after.crossed || before.entered != after.entered,
        }
    }

    /// Blocks, and all of their side where they are and were: those that stand upright there may be of one group with them.
    fn alike(content: &Content, states: [&State; 2], blocks: BlockSet) -> BlockSet {
        let mut alike = blocks;
        for block in blocks {
            let side = content.of_side[content.blocks[block].side.index()];
            for place in states.map(|state| state.blocks[block].at) {
                alike |= (states[0].at(place) | states[1].at(place)) & side;
            }
        }
        alike
    }
}
