//! Views of each observer: own blocks and backs of the others, faces that are up, cards, control, Sieges,
//! borders crossed; and the path of procedures, complete enough to rebuild them.

pub(super) mod announced;
pub(super) mod bags;
mod part;

use crate::deck::CardSet;
use crate::reference::{Location, Ref, Refs};
use crate::seat::{Observer, Seat};
use crate::view::{Arrow, ArrowKey, Board, BoardChanges, CardPile, HiddenSet, Marker, Piece, PieceGroup};

use self::bags::Sight;
use self::part::Part;
use super::catalogue::{
    BACK, BESIEGED, CONTROL, CROSSED, DECK, DISCARDS, ENTERED, FACE, FIRST, GAINED, HALF, HAND, LOST, MARKER,
    MINING_LEFT, PLAYED, POOL_MAT, QUARTERMASTER_LEFT, REMOVED, RESOLVED, SHOWN_CARD, STRENGTH, TACTIC, TURN,
    TURN_TRACK, VICTORY, VICTORY_TRACK, WALLS,
};
use super::content::things::{CityId, Place};
use super::procedures::control::Control;
use super::state::{Block, Flags, State, UNMARKED};
use super::{ThisWar, both};

/// Returns where a place is for everybody.
pub(super) fn place(at: Place, side: Seat) -> Location {
    if at == Place::POOL { Location::Mat(POOL_MAT + side.index() as u16) } else { at.location() }
}

fn back_group(sight: Sight, side: Seat) -> PieceGroup {
    PieceGroup {
        at: place(sight.at, side),
        owner: Some(side),
        kind: BACK + side.index() as u16,
        flags: sight.flags.bits().into(),
        from: sight.by.map(|by| Place::from(by).location()),
    }
}

pub(super) fn board(game: &ThisWar, state: &State, observer: Observer) -> Board {
    let part = Part::all(&game.content);
    let mut board = draw_map(game, state, &part);
    draw_own(game, state, observer, &part, &mut board);
    board
}

/// How the boards that observers see have changed.
pub(super) fn board_changes(
    game: &ThisWar,
    before: &State,
    after: &State,
    observers: &[Observer],
) -> BoardChanges {
    let part = Part::differing(&game.content, before, after);
    let [before_map, after_map] = [before, after].map(|state| draw_map(game, state, &part));
    let changes = |&observer| {
        let (mut old, mut new) = (before_map.clone(), after_map.clone());
        draw_own(game, before, observer, &part, &mut old);
        draw_own(game, after, observer, &part, &mut new);
        old.changes_to(&new)
    };
    observers.iter().map(changes).collect()
}

/// The part of the board that looks alike to everybody.
fn draw_map(game: &ThisWar, state: &State, part: &Part) -> Board {
    let mut board = Board::default();
    for area in part.areas {
        let control = match state.control(&game.content, area) {
            Control::Neutral => 0,
            Control::Of(seat) => seat.index() as i32 + 1,
            Control::Contested => 3,
        };
        board.markers.insert(Marker { at: Place::from(area).location(), kind: CONTROL }, control);
    }
    for city in part.cities {
        draw_city(game, state, city, &mut board);
    }
    if part.points {
        let at = Location::Track(VICTORY_TRACK);
        board.markers.insert(Marker { at, kind: VICTORY }, state.points(&game.content));
    }
    if part.turn {
        draw_turn(state, &mut board);
    }
    if part.borders {
        draw_borders(game, state, &mut board);
    }
    board
}

/// Draws the blocks and cards of the part, as an observer sees them.
fn draw_own(game: &ThisWar, state: &State, observer: Observer, part: &Part, board: &mut Board) {
    let content = &game.content;
    // A piece has a marker.
    let pieces = part.blocks.count() as usize;
    board.pieces.reserve(pieces);
    board.markers.reserve(pieces);
    for id in part.alike {
        let (def, block) = (&content.blocks[id], state.blocks[id]);
        let own = observer.is(def.side);
        if !own && !block.flags.contains(Flags::SHOWN) {
            board.add_to_group(back_group(block.sight(), def.side), 1);
            continue;
        }
        if !part.blocks.contains(id) {
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
    if part.cards {
        piles(state, observer, board);
    }
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

/// A City's holder, if it is worth points, and its Siege.
fn draw_city(game: &ThisWar, state: &State, city: CityId, board: &mut Board) {
    let content = &game.content;
    let def = &content.cities[city];
    let at = content.city_place(city).location();
    let mut put = |kind: u16, number: i32| {
        board.markers.insert(Marker { at, kind }, number);
    };
    if def.points > 0 {
        let holder = state.holder(content, city);
        put(CONTROL, holder.map_or(0, |holder| holder.index() as i32 + 1));
    }
    if state.siege[city] >= UNMARKED {
        put(BESIEGED, 1);
    }
    if state.siege[city] > UNMARKED {
        put(MARKER, state.siege[city].into());
    }
    if state.resolved.contains(city) {
        put(RESOLVED, 1);
    }
    if def.incomplete && state.walls {
        put(WALLS, 1);
    }
}

/// The Turn, who is first in it, and what its events left.
fn draw_turn(state: &State, board: &mut Board) {
    let mut put = |at: Location, kind: u16, number: i32| {
        board.markers.insert(Marker { at, kind }, number);
    };
    put(Location::Track(TURN_TRACK), TURN, state.turn.into());
    put(Location::Seat(state.player1), FIRST, 1);
    if let Some((place, up)) = state.last {
        put(place.location(), if up { GAINED } else { LOST }, 1);
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

/// Borders that were crossed in the action under way, and those that a side stopped behind.
fn draw_borders(game: &ThisWar, state: &State, board: &mut Board) {
    for (crossing, &(from, to)) in game.content.crossings.iter().enumerate() {
        let (crossed, entered) = (state.crossed[crossing], state.entered[crossing]);
        let crossed = (crossed > 0).then(|| (CROSSED, Ref::Number(crossed.into())));
        let entered = (entered > 0).then(|| (ENTERED, Ref::Seat(Seat::new(entered - 1))));
        for (kind, what) in crossed.into_iter().chain(entered) {
            let [from, to] = [from, to].map(|area| Place::from(area).location());
            let key = ArrowKey { from, to, of: None, kind, seat: None, ordinal: 0 };
            board.arrows.insert(key, Arrow { result: None, refs: Refs::from_slice(&[what]) });
        }
    }
}

/// Returns whether [`known`] may differ between two states.
pub(super) fn known_may_differ(game: &ThisWar, before: &State, after: &State) -> bool {
    let cards = |state: &State| (state.hands, state.decks, state.discards);
    let upright =
        |block: &Block| (!block.flags.contains(Flags::SHOWN)).then(|| (block.sight(), block.seen, block.bag));
    let mut blocks = before.blocks.iter().zip(&after.blocks).take(game.content.blocks.len());
    cards(before) != cards(after)
        || before.stir != after.stir
        || blocks.any(|(before, after)| upright(before) != upright(after))
}

/// Common to everybody: the bags of each side, and the cards of each side that nobody has seen played.
pub(super) fn known(game: &ThisWar, state: &State) -> Vec<HiddenSet> {
    let mut sets = Vec::new();
    for side in both().iter() {
        bags::tell(&game.content, state, side, &mut sets);
        sets.push(unseen_cards(state, side));
    }
    sets.sort_by(|a, b| (a.owner.map(Seat::index), &a.faces).cmp(&(b.owner.map(Seat::index), &b.faces)));
    sets
}

/// The cards of a side that nobody has seen played, over its hand, its deck and its discards.
fn unseen_cards(state: &State, side: Seat) -> HiddenSet {
    let index = side.index();
    let piles = [(HAND, state.hands[index]), (DECK, state.decks[index]), (DISCARDS, state.discards[index])];
    let unseen = piles.iter().fold(CardSet::default(), |unseen, &(_, cards)| unseen | cards);
    let kind = super::catalogue::CARD_BACK + index as u16;
    let place = |&(pile, cards): &(u16, CardSet)| {
        let at = Location::Pile(pile + index as u16);
        (PieceGroup { at, owner: Some(side), kind, flags: 0, from: None }, cards.len() as u16)
    };
    let mut places: Vec<(PieceGroup, u16)> =
        piles.iter().map(place).filter(|&(_, count)| count > 0).collect();
    places.sort_unstable();
    let faces = unseen.iter().map(|card| (Ref::Card(card), None)).collect();
    HiddenSet { owner: Some(side), by: None, faces, places, facts: Vec::new() }
}
