//! Invariants that hold after every node of random games, published in events and shown by the view.

use std::collections::BTreeMap;
use std::sync::Arc;

use edgehill_engine::bot;
use edgehill_engine::chance_source::ChanceSource;
use edgehill_engine::game::Game;
use edgehill_engine::games::english_civil_war_iia::EnglishCivilWar;
use edgehill_engine::reference::Location;
use edgehill_engine::seat::Observer;
use edgehill_engine::table::{ApplyMode, Table};
use edgehill_engine::view::{Change, View};

use crate::play::{SIDES, game, marker, setup};
use crate::volume::{Volume, volume};

/// Random games in full.
const GAMES: usize = 200;

#[test]
fn invariants_hold_after_every_node() {
    let Volume { cases, seed } = volume(GAMES);
    let (mut nodes, mut turned) = (0, 0);
    for seed in (0..cases as u64).map(|case| seed.wrapping_add(case)) {
        let mut table = Table::open(Arc::clone(game()), setup(&[("max_seasons", "4")]), ChanceSource::Manual);
        let mut players = SIDES.map(|seat| (bot::random::<EnglishCivilWar>().make)(game(), seat, seed));
        let (mut ratings, mut read, mut frame) = (start_ratings(), 0, "");
        while table.result().is_none() {
            let seat = table.node().to_act().iter().next().expect("somebody owes");
            let action = players[seat.index()].choose(&table.view(Observer::Seat(seat)), &table.legal(seat));
            table.apply(seat, &[action], ApplyMode::Atomic).expect("a legal action");
            let view = table.view(Observer::Spectator);
            let published = table.published(Observer::Spectator, read);
            read += published.len();
            turned += published.iter().map(|seen| follow(&mut ratings, seen)).sum::<usize>();
            if view.turn_state.procedures.get(1).is_none_or(|procedure| procedure.frame != frame) {
                frame = view.turn_state.procedures.get(1).map_or("", |procedure| procedure.frame);
                stands(&view, frame, seed);
                nodes += 1;
            }
        }
    }
    println!("{nodes} nodes, {turned} ratings changed");
    assert!(nodes > 5 * cases && turned > 10 * cases, "{nodes} nodes, {turned} ratings changed");
}

fn start_ratings() -> BTreeMap<u16, i32> {
    let counties = game().realm().counties.iter().enumerate();
    counties.map(|(index, county)| (index as u16, i32::from(county.bias))).collect()
}

/// Ratings change by influence and occupation only; gives how many did.
fn follow(ratings: &mut BTreeMap<u16, i32>, seen: &edgehill_engine::table::ObservedEvent) -> usize {
    let catalogue = game().catalogue();
    let bias =
        catalogue.markers.iter().position(|kind| kind.entry.id == "bias").expect("a kind of marker") as u16;
    let mut changed = 0;
    for change in &seen.form.changes {
        let Change::Marker(key, Some(number)) = change else { continue };
        let Location::Space(space) = key.at else { continue };
        if key.kind == bias && ratings.insert(space, *number) != Some(*number) {
            assert!(["funded", "occupied"].contains(&seen.code), "{} changes a rating", seen.code);
            changed += 1;
        }
    }
    changed
}

fn stands(view: &View, frame: &str, seed: u64) {
    let board = &view.board;
    for (index, county) in game().realm().counties.iter().enumerate() {
        let at = Location::Space(index as u16);
        let armed = |seat| {
            let here = |key: &&edgehill_engine::view::PieceGroup| {
                key.at == at && key.owner == Some(seat) && key.flags == 0
            };
            board.groups.keys().any(|key| here(&key))
        };
        let led = |seat| {
            let here = |piece: &&edgehill_engine::view::Piece| {
                piece.at == at && piece.owner == Some(seat) && piece.flags == 0
            };
            board.pieces.values().filter(here).count()
        };
        let sides = SIDES.into_iter().filter(|&seat| armed(seat) || led(seat) > 0).count();
        assert!(sides <= 1, "both sides in {}, game {seed}", county.id);
        let rating = marker(view, &county.id, "bias").expect("every space is rated");
        for (seat, sign) in SIDES.into_iter().zip([1, -1]) {
            assert!(led(seat) <= 2, "three leaders in {}, game {seed}", county.id);
            let lone = led(seat) > 0 && !armed(seat);
            let caught = lone && rating * sign < 0 && frame != "Retreats";
            assert!(!caught, "a lone leader in enemy ground in {}, game {seed}", county.id);
        }
    }
    for seat in SIDES {
        assert_eq!(board.pieces.values().filter(|piece| piece.owner == Some(seat)).count(), 4, "leaders");
        assert!(marker(view, game().catalogue().seats[seat.index()].id, "points") >= Some(0), "points");
        if marker(view, "calendar", "calendar").is_some_and(|month| month % 4 == 1) && frame == "Orders" {
            let own = board.groups.iter().filter(|(key, _)| key.owner == Some(seat));
            let armies: i32 = own.map(|(_, &armies)| i32::from(armies)).sum();
            assert!(armies <= capacity(view, seat), "more armies than capacity, game {seed}");
        }
    }
}

/// Returns the number that the view says a side can support.
fn capacity(view: &View, seat: edgehill_engine::seat::Seat) -> i32 {
    let sign = if seat.index() == 0 { 1 } else { -1 };
    let mut capacity = 0;
    for (index, county) in game().realm().counties.iter().enumerate() {
        let is = |kind: &str| marker(view, &county.id, kind) == Some(sign);
        let held = marker(view, &county.id, "bias").is_some_and(|rating| rating * sign > 0);
        let enemy = |owner: Option<edgehill_engine::seat::Seat>, at| {
            owner == Some(seat.other()) && at == Location::Space(index as u16)
        };
        let clear = !view.board.groups.keys().any(|key| enemy(key.owner, key.at))
            && !view.board.pieces.values().any(|piece| enemy(piece.owner, piece.at));
        capacity += i32::from(is("centre") && held && clear);
        capacity += if is("owner") { i32::from(county.regular) } else { 0 };
    }
    capacity
}
