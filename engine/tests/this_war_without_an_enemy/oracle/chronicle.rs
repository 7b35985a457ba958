//! The notes of an onlooker of the Operational Phase of a game in play, so that the model can take over at its end.
//!
//! The onlooker sees both sides' boards: who came by which border, who was in an Area first, who came to reinforce.

use edgehill_engine::game::Game;
use edgehill_engine::games::this_war_without_an_enemy::{State, ThisWarWithoutAnEnemy as ThisWar};
use edgehill_engine::reference::{Location, Ref};
use edgehill_engine::seat::{Observer, Seat};
use edgehill_engine::view::{Board, Marker};

use super::atlas::Atlas;
use super::umpire::{Play, compare, marker_kind, place_of};
use super::world::{Place, World};

pub(crate) fn boards(game: &ThisWar, state: &State) -> [Board; 2] {
    [0, 1].map(|seat| game.board(state, Observer::Seat(Seat::new(seat))))
}

/// The procedures under way, outermost first.
fn frames(game: &ThisWar, state: &State) -> Vec<&'static str> {
    let turn_state = game.turn_state(state, Observer::Spectator);
    turn_state.procedures.iter().map(|procedure| procedure.frame).collect()
}

/// The part of the Operational Phase that is under way.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) enum Segment {
    Events,
    Actions,
}

pub(crate) fn segment(game: &ThisWar, state: &State) -> Option<Segment> {
    frames(game, state).iter().find_map(|&frame| match frame {
        "op-events" => Some(Segment::Events),
        "operations" => Some(Segment::Actions),
        _ => None,
    })
}

/// All that stands on the board; moves of the Turn are not known yet.
pub(crate) fn read<'a>(game: &ThisWar, atlas: &'a Atlas, state: &State) -> World<'a> {
    let boards = boards(game, state);
    let mut world = World::new(atlas);
    let number = |at: Location, id: &str| {
        boards[0].markers.get(&Marker { at, kind: marker_kind(game.catalogue(), id) }).copied()
    };
    for (block, def) in atlas.blocks.iter().enumerate() {
        (world.pieces[block].place, world.pieces[block].strength) =
            place_of(game, atlas, &boards[def.side], block);
    }
    for city in 0..atlas.cities.len() {
        let at = Location::Space((atlas.areas.len() + city) as u16);
        world.besieged[city] = number(at, "besieged").is_some();
        world.marker[city] = number(at, "siege").map(|value| value as u8);
        world.walls |= number(at, "walls").is_some();
    }
    world.first = usize::from(number(Location::Seat(Seat::new(1)), "first").is_some());
    for side in 0..2 {
        let shown = boards[0].piles.get(&(2 + side as u16)).and_then(|pile| pile.cards.first());
        let Some(&card) = shown else { continue };
        let id = &game.catalogue().cards[usize::from(card)].id;
        let card = atlas.cards.iter().find(|card| card.id == *id).expect("a card of the game");
        world.event[side] = card.event.clone();
        world.mining[side] = card.event == "mining";
        world.exempt[side] = if card.event == "quartermaster-general" { 2 } else { 0 };
    }
    world
}

/// Takes up what an action of the Operational Phase has changed, an Action's if blocks may be `moving`, and holds the game to what follows of it at once.
pub(crate) fn follow(game: &ThisWar, world: &mut World<'_>, state: &State, moving: bool) -> Play<()> {
    let boards = boards(game, state);
    let before = world.clone();
    let atlas = world.atlas;
    let walls = Marker {
        at: Location::Space((atlas.areas.len() + fortress_of_london(atlas)) as u16),
        kind: marker_kind(game.catalogue(), "walls"),
    };
    world.walls = boards[0].markers.contains_key(&walls);
    for (block, def) in atlas.blocks.iter().enumerate() {
        let (place, strength) = place_of(game, atlas, &boards[def.side], block);
        let piece = &mut world.pieces[block];
        let from = piece.place;
        piece.place = place;
        piece.strength = strength;
        if from == place {
            continue;
        }
        piece.reserve = false;
        piece.from = None;
        if let (Place::Area(from), Place::Area(to)) = (from, place) {
            // A deserter goes home by no border.
            let next = atlas.areas[from].next.iter().any(|&(next, _)| next == to);
            piece.from = (next && moving).then_some(from);
            piece.reserve = before.is_contested(to) && before.defender[to] == Some(def.side);
        }
    }
    for area in 0..atlas.areas.len() {
        if world.is_contested(area) && !before.is_contested(area) {
            world.defender[area] = (0..2).find(|&side| !before.outside(area, side).is_empty());
        }
    }
    world.settle();
    read_arrows(game, world, &boards[0]);
    compare(game, state, world)
}

fn fortress_of_london(atlas: &Atlas) -> usize {
    atlas.cities.iter().position(|city| city.class == "london").expect("London")
}

/// The borders crossed, as the arrows on the board tell it.
fn read_arrows(game: &ThisWar, world: &mut World<'_>, board: &Board) {
    let entered = game.catalogue().arrows.iter().position(|arrow| arrow.id == "entered").expect("an arrow");
    world.crossed.clear();
    for (key, arrow) in &board.arrows {
        if let (Location::Space(from), Location::Space(to), [Ref::Seat(side)]) =
            (key.from, key.to, arrow.refs.as_slice())
            && usize::from(key.kind) == entered
        {
            world.crossed.push((from.into(), to.into(), side.index()));
        }
    }
}

/// The arrows must know of each move that was seen, and that Player 2 moves last (V4).
pub(crate) fn check_arrows(world: &World<'_>) -> Play<()> {
    for (block, piece) in world.pieces.iter().enumerate() {
        let (Some(from), Place::Area(to)) = (piece.from, piece.place) else { continue };
        let side = world.atlas.blocks[block].side;
        let told = world.crossed.iter().find(|crossed| (crossed.0, crossed.1) == (from, to));
        if told.is_none_or(|crossed| crossed.2 != side && side != world.first) {
            let ids = [from, to].map(|area| &world.atlas.areas[area].id);
            return Err(format!("{} came by {ids:?}, the arrows say {told:?}", world.atlas.blocks[block].id));
        }
    }
    Ok(())
}
