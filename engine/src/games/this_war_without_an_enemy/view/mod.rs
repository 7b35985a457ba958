//! Views of each observer: own blocks and backs of the others, faces that are up, cards, control, Sieges,
//! borders crossed; and the path of procedures, complete enough to rebuild them.

pub(super) mod announced;
pub(super) mod bags;

use std::collections::BTreeMap;

use crate::deck::CardSet;
use crate::reference::{Location, Ref, Refs};
use crate::seat::{Observer, Seat};
use crate::view::{Arrow, ArrowKey, Board, CardPile, HiddenSet, Marker, Phrase, Piece, PieceGroup};

use self::bags::ViewTracker;
use super::catalogue::{
    BACK, BESIEGED, CONTROL, CROSSED, DECK, DISCARDS, ENTERED, FACE, FIRST, GAINED, HALF, HAND, LOST, MARKER,
    MINING_LEFT, PLAYED, POOL_MAT, QUARTERMASTER_LEFT, REMOVED, RESOLVED, SHOWN_CARD, STRENGTH, TACTIC, TURN,
    TURN_TRACK, VICTORY, VICTORY_TRACK, WALLS,
};
use super::procedures::control::Control;
use super::state::{NONE, POOL, SHOWN, State, TAKEN, UNMARKED, each};
use super::{ThisWar, both};

/// Returns where a place is for everybody.
pub(super) fn place(at: u8, side: Seat) -> Location {
    if at == POOL { Location::Mat(POOL_MAT + side.index() as u16) } else { Location::Space(at.into()) }
}

fn back_group(sight: ViewTracker, side: Seat) -> PieceGroup {
    PieceGroup {
        at: place(sight.at, side),
        owner: Some(side),
        kind: BACK + side.index() as u16,
        flags: sight.flags.into(),
        from: (sight.by != NONE).then_some(Location::Space(sight.by.into())),
    }
}

pub(super) fn board(game: &ThisWar, state: &State, observer: Observer) -> Board {
    let content = &game.content;
    let mut board = Board::default();
    for (index, def) in content.blocks.iter().enumerate() {
        let block = state.blocks[index];
        let own = observer.is(def.side);
        if !own && block.flags & SHOWN == 0 {
            board.add_to_group(back_group(block.sight(), def.side), 1);
            continue;
        }
        let flags = if own { block.flags } else { block.flags & !TAKEN };
        let from = (block.by != NONE).then_some(Location::Space(block.by.into()));
        let at = place(block.at, def.side);
        let kind = FACE + def.class as u16;
        board
            .pieces
            .insert(index as u16, Piece { kind, owner: Some(def.side), at, flags: flags.into(), from });
        if block.at != POOL {
            let marker = Marker { at: Location::Piece(index as u16), kind: STRENGTH };
            board.markers.insert(marker, block.strength.into());
        }
        if state.fight.is_some_and(|fight| fight.halves >> index & 1 != 0) {
            board.markers.insert(Marker { at: Location::Piece(index as u16), kind: HALF }, 1);
        }
    }
    piles(state, observer, &mut board);
    markers(game, state, &mut board);
    for (edge, &(from, to)) in content.edges.iter().enumerate() {
        let (crossed, entered) = (state.crossed[edge], state.entered[edge]);
        let crossed = (crossed > 0).then(|| (CROSSED, Ref::Number(crossed.into())));
        let entered = (entered > 0).then(|| (ENTERED, Ref::Seat(Seat::new(entered - 1))));
        for (kind, what) in crossed.into_iter().chain(entered) {
            let (from, to) = (Location::Space(from.into()), Location::Space(to.into()));
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
        put(Location::Space(place.into()), if up { GAINED } else { LOST }, 1);
    }
    for area in 0..content.areas.len() as u8 {
        let control = match state.control(content, area) {
            Control::Neutral => 0,
            Control::Of(seat) => seat.index() as i32 + 1,
            Control::Contested => 3,
        };
        put(Location::Space(area.into()), CONTROL, control);
    }
    for (city, def) in content.cities.iter().enumerate() {
        let at = Location::Space(content.city_place(city as u8).into());
        if def.points > 0 {
            let holder = state.holder(content, city as u8);
            put(at, CONTROL, holder.map_or(0, |holder| holder.index() as i32 + 1));
        }
        if state.siege[city] >= UNMARKED {
            put(at, BESIEGED, 1);
        }
        if state.siege[city] > UNMARKED {
            put(at, MARKER, state.siege[city].into());
        }
        if state.resolved >> city & 1 != 0 {
            put(at, RESOLVED, 1);
        }
        if def.incomplete && state.walls {
            put(at, WALLS, 1);
        }
    }
    for seat in both().iter() {
        let side = seat.index();
        if state.tactic[side] != NONE {
            put(Location::Space(state.tactic[side].into()), TACTIC + side as u16, 1);
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
        let upright = content.of_side[side.index()] & !state.flagged(content.of_side[side.index()], SHOWN);
        let mut left = upright;
        // Bags that are whole at one place, with nothing open, are told together.
        let mut plain: BTreeMap<ViewTracker, u64> = BTreeMap::new();
        let mut bags: Vec<(u64, [u8; 2])> = Vec::new();
        while left != 0 {
            let first = left.trailing_zeros() as usize;
            let bag = state.blocks[first].bag;
            let members =
                each(left).filter(|&b| state.blocks[b].bag == bag).fold(0u64, |set, b| set | 1 << b);
            left &= !members;
            let sight = state.blocks[first].sight();
            let stir = state.stir[usize::from(bag)];
            if stir == [0; 2] && each(members).all(|block| state.blocks[block].sight() == sight) {
                *plain.entry(sight).or_default() |= members;
            } else {
                bags.push((members, stir));
            }
        }
        bags.extend(plain.into_values().map(|members| (members, [0; 2])));
        for (members, stir) in bags {
            let faces =
                each(members).map(|b| (Ref::Piece(b as u16), Some(state.blocks[b].seen.into()))).collect();
            let mut places: BTreeMap<PieceGroup, u16> = BTreeMap::new();
            each(members)
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
