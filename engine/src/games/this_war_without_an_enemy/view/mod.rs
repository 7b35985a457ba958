//! Views of each observer: own blocks and backs of the others, faces that are up, cards, control, Sieges,
//! borders crossed; and the path of procedures, complete enough to rebuild them.

pub(super) mod announced;
pub(super) mod bags;

use std::collections::BTreeMap;

use crate::deck::CardSet;
use crate::numbered::Listed;
use crate::reference::{Location, Ref, Refs};
use crate::seat::{Observer, Seat};
use crate::view::{Arrow, ArrowKey, Board, CardPile, HiddenSet, Marker, Phrase, Piece, PieceGroup};

use self::bags::ViewTracker;
use super::catalogue::{
    BACK, BESIEGED, CONTROL, CROSSED, DECK, DISCARDS, ENTERED, FACE, FIRST, GAINED, HALF, HAND, LOST, MARKER,
    MINING_LEFT, PLAYED, POOL_MAT, QUARTERMASTER_LEFT, REMOVED, RESOLVED, SHOWN_CARD, STRENGTH, TACTIC, TURN,
    TURN_TRACK, VICTORY, VICTORY_TRACK, WALLS,
};
use super::content::things::{AreaId, BlockId, BlockSet, CityId, Place};
use super::procedures::control::Control;
use super::state::{Flags, State, UNMARKED};
use super::{ThisWar, both};

/// Returns where a place is for everybody.
pub(super) fn place(at: Place, side: Seat) -> Location {
    if at == Place::POOL { Location::Mat(POOL_MAT + side.index() as u16) } else { at.location() }
}

fn back_group(sight: ViewTracker, side: Seat) -> PieceGroup {
    PieceGroup {
        at: place(sight.at, side),
        owner: Some(side),
        kind: BACK + side.index() as u16,
        flags: sight.flags.bits().into(),
        from: sight.by.map(|by| Place::from(by).location()),
    }
}

pub(super) fn board(game: &ThisWar, state: &State, observer: Observer) -> Board {
    let content = &game.content;
    let mut board = Board::default();
    for id in BlockId::all(content) {
        let (def, block) = (&content.blocks[id], state.blocks[id]);
        let own = observer.is(def.side);
        if !own && !block.flags.contains(Flags::SHOWN) {
            board.add_to_group(back_group(block.sight(), def.side), 1);
            continue;
        }
        let flags = if own { block.flags } else { block.flags - Flags::TAKEN };
        let from = block.by.map(|by| Place::from(by).location());
        let at = place(block.at, def.side);
        let kind = FACE + def.class as u16;
        let index = id.index() as u16;
        let flags = flags.bits().into();
        board.pieces.insert(index, Piece { kind, owner: Some(def.side), at, flags, from });
        if block.at != Place::POOL {
            let marker = Marker { at: Location::Piece(index), kind: STRENGTH };
            board.markers.insert(marker, block.strength.into());
        }
        if state.fight.is_some_and(|fight| fight.halves.contains(id)) {
            board.markers.insert(Marker { at: Location::Piece(index), kind: HALF }, 1);
        }
    }
    piles(state, observer, &mut board);
    markers(game, state, &mut board);
    for (crossing, &(from, to)) in content.crossings.iter().enumerate() {
        let (crossed, entered) = (state.crossed[crossing], state.entered[crossing]);
        let crossed = (crossed > 0).then(|| (CROSSED, Ref::Number(crossed.into())));
        let entered = (entered > 0).then(|| (ENTERED, Ref::Seat(Seat::new(entered - 1))));
        for (kind, what) in crossed.into_iter().chain(entered) {
            let [from, to] = [from, to].map(|area| Place::from(area).location());
            let key = ArrowKey { from, to, of: None, kind, seat: None, ordinal: 0 };
            board.arrows.insert(key, Arrow { result: None, refs: Refs::from_slice(&[what]) });
        }
    }
    board
}

fn piles(state: &State, observer: Observer, board: &mut Board) {
    for seat in both().iter() {
        let side = seat.index();
        let mut pile = |id: u16, cards: CardSet, seen: bool| {
            let shown = if seen { cards.iter().collect() } else { Vec::new() };
            board.piles.insert(id + side as u16, CardPile { count: cards.len() as u16, cards: shown });
        };
        let own = observer.is(seat);
        pile(HAND, state.hands[side], own);
        pile(SHOWN_CARD, CardSet::of(state.cards[side]), true);
        pile(DECK, state.decks[side], false);
        pile(DISCARDS, state.discards[side], own);
        pile(PLAYED, state.played[side], true);
        pile(REMOVED, state.removed[side], true);
    }
}

fn markers(game: &ThisWar, state: &State, board: &mut Board) {
    let content = &game.content;
    let mut put = |at: Location, kind: u16, number: i32| {
        board.markers.insert(Marker { at, kind }, number);
    };
    put(Location::Track(TURN_TRACK), TURN, state.turn.into());
    put(Location::Track(VICTORY_TRACK), VICTORY, state.points(content));
    put(Location::Seat(state.player1), FIRST, 1);
    if let Some((place, up)) = state.last {
        put(place.location(), if up { GAINED } else { LOST }, 1);
    }
    for area in AreaId::all(content) {
        let control = match state.control(content, area) {
            Control::Neutral => 0,
            Control::Of(seat) => seat.index() as i32 + 1,
            Control::Contested => 3,
        };
        put(Place::from(area).location(), CONTROL, control);
    }
    for city in CityId::all(content) {
        let def = &content.cities[city];
        let at = content.city_place(city).location();
        if def.points > 0 {
            let holder = state.holder(content, city);
            put(at, CONTROL, holder.map_or(0, |holder| holder.index() as i32 + 1));
        }
        if state.siege[city] >= UNMARKED {
            put(at, BESIEGED, 1);
        }
        if state.siege[city] > UNMARKED {
            put(at, MARKER, state.siege[city].into());
        }
        if state.resolved.contains(city) {
            put(at, RESOLVED, 1);
        }
        if def.incomplete && state.walls {
            put(at, WALLS, 1);
        }
    }
    for seat in both().iter() {
        let side = seat.index();
        if let Some(area) = state.tactic[side] {
            put(Place::from(area).location(), TACTIC + side as u16, 1);
        }
        if state.mining[side] {
            put(Location::Seat(seat), MINING_LEFT, 1);
        }
        if state.exempt[side] > 0 {
            put(Location::Seat(seat), QUARTERMASTER_LEFT, state.exempt[side].into());
        }
    }
}

/// Common to everybody: the bags of each side, and the cards of each side that nobody has seen played.
pub(super) fn known(game: &ThisWar, state: &State) -> Vec<HiddenSet> {
    let content = &game.content;
    let mut sets = Vec::new();
    for side in both().iter() {
        let upright =
            content.of_side[side.index()] - state.flagged(content.of_side[side.index()], Flags::SHOWN);
        let mut left = upright;
        // Bags that are whole at one place, with nothing open, are told together.
        let mut plain: BTreeMap<ViewTracker, BlockSet> = BTreeMap::new();
        let mut bags: Vec<(BlockSet, [u8; 2])> = Vec::new();
        while let Some(first) = left.first() {
            let bag = state.blocks[first].bag;
            let members = left.that(|block| state.blocks[block].bag == bag);
            left -= members;
            let sight = state.blocks[first].sight();
            let stir = state.stir[bag];
            if stir == [0; 2] && members.iter().all(|block| state.blocks[block].sight() == sight) {
                *plain.entry(sight).or_default() |= members;
            } else {
                bags.push((members, stir));
            }
        }
        bags.extend(plain.into_values().map(|members| (members, [0; 2])));
        for (members, stir) in bags {
            let faces = members.iter().map(|b| (Ref::from(b), Some(state.blocks[b].seen.into()))).collect();
            let mut places: BTreeMap<PieceGroup, u16> = BTreeMap::new();
            members
                .iter()
                .for_each(|b| *places.entry(back_group(state.blocks[b].sight(), side)).or_default() += 1);
            let fact = |(code, number): (&'static str, u8)| {
                (number > 0).then(|| Phrase::new(code, &[Ref::Number(number.into())]))
            };
            let facts = [("gained", stir[0]), ("lost", stir[1])].into_iter().filter_map(fact).collect();
            let places = places.into_iter().collect();
            sets.push(HiddenSet { owner: Some(side), by: None, faces, places, facts });
        }
        let unseen =
            state.hands[side.index()].0 | state.decks[side.index()].0 | state.discards[side.index()].0;
        let faces: Vec<(Ref, Option<i32>)> =
            CardSet(unseen).iter().map(|card| (Ref::Card(card), None)).collect();
        let pile = |id: u16, cards: CardSet| {
            let at = Location::Pile(id + side.index() as u16);
            let kind = super::catalogue::CARD_BACK + side.index() as u16;
            (PieceGroup { at, owner: Some(side), kind, flags: 0, from: None }, cards.len() as u16)
        };
        let mut places = vec![
            pile(HAND, state.hands[side.index()]),
            pile(DECK, state.decks[side.index()]),
            pile(DISCARDS, state.discards[side.index()]),
        ];
        places.retain(|&(_, count)| count > 0);
        places.sort_unstable();
        sets.push(HiddenSet { owner: Some(side), by: None, faces, places, facts: Vec::new() });
    }
    sets.sort_by(|a, b| (a.owner.map(Seat::index), &a.faces).cmp(&(b.owner.map(Seat::index), &b.faces)));
    sets
}
