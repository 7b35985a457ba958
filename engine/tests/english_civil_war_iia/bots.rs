//! The house bots against random play.

use std::sync::Arc;

use edgehill_engine::bot::{self, HouseBot};
use edgehill_engine::chance_source::ChanceSource;
use edgehill_engine::games::english_civil_war_iia::{EnglishCivilWar, bots};
use edgehill_engine::seat::Observer;
use edgehill_engine::table::{ApplyMode, Table};

use crate::play::{SIDES, game, setup};
use crate::volume::{Volume, volume};

/// Pairs of games in full; each is played from both sides.
const PAIRS: usize = 100;

/// Half points of `bot` against random play over pairs of games, and how many there were to win.
fn against_random(bot: &HouseBot<EnglishCivilWar>) -> (i32, i32) {
    let random = bot::random::<EnglishCivilWar>();
    let Volume { cases: pairs, seed } = volume(PAIRS);
    let mut points = 0;
    for pair in 0..pairs as u64 {
        for own in SIDES {
            let mut players = SIDES.map(|seat| {
                let kind = if seat == own { bot } else { &random };
                (kind.make)(game(), seat, seed.wrapping_add(pair * 2 + seat.index() as u64))
            });
            let mut table = Table::open(Arc::clone(game()), setup(&[]), ChanceSource::Manual);
            while table.result().is_none() {
                let seat = table.node().to_act().iter().next().expect("somebody owes");
                let view = table.view(Observer::Seat(seat));
                let action = players[seat.index()].choose(&view, &table.legal(seat));
                table.apply(seat, &[action], ApplyMode::Atomic).expect("a legal action");
            }
            points += 1 + table.result().expect("it is over").returns[own.index()];
        }
    }
    (points, 4 * pairs as i32)
}

#[test]
fn the_marshal_beats_random_play() {
    let (points, all) = against_random(&bots::marshal());
    println!("marshal: {points} of {all} half points");
    assert!(points * 100 >= all * 95, "{points} of {all} half points");
}

#[test]
fn the_steward_is_better_than_random_play() {
    let (points, all) = against_random(&bots::steward());
    println!("steward: {points} of {all} half points");
    assert!(points * 4 > all * 3, "{points} of {all} half points");
}
