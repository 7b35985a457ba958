//! Random games: they end, and hold what must always hold; the bot against chance.

use edgehill_engine::fate::Fate;
use edgehill_engine::game::{Game, Node};
use edgehill_engine::registry::Registry;
use edgehill_engine::seat::Seat;
use edgehill_engine::setup::Setup;

use crate::play::game;

/// Mirrored pairs that the bot plays here.
const PAIRS: u64 = 3;

#[test]
fn the_captain_beats_chance() {
    let registry = Registry::built_in().expect("all games load");
    let any = registry.game("this-war-without-an-enemy").expect("the game is there");
    let setup = Setup::default_of(game().catalogue());
    let mut won = 0;
    for pair in 0..PAIRS {
        for captain in [0u8, 1] {
            let mut table = any.open(setup.clone(), Fate::playout(pair));
            let mut bots: Vec<_> = [0u8, 1]
                .map(|seat| {
                    let name = if seat == captain { "captain" } else { "random" };
                    any.bot(name, Seat::new(seat), pair).expect("a house bot")
                })
                .into_iter()
                .collect();
            while table.node() != Node::Over {
                let seat = table.node().owing().iter().next().expect("somebody owes a step");
                let view = table.view(edgehill_engine::seat::Observer::Seat(seat));
                let step = bots[seat.index()].choose(&view, &table.legal(seat));
                let mode = edgehill_engine::table::ListMode::Whole;
                table.apply(seat, &[step], mode).expect("a legal step");
            }
            let ending = table.ending().expect("the match is over");
            won += u64::from(ending.returns[usize::from(captain)] > 0);
        }
    }
    println!("the captain won {won} of {}", 2 * PAIRS);
    assert!(won * 10 >= 2 * PAIRS * 7, "the captain won {won} of {}", 2 * PAIRS);
}
