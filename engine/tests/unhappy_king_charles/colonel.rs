//! The house bot `colonel`: far better than chance, and nothing but its view and its generator.

use std::collections::BTreeMap;
use std::sync::Arc;

use edgehill_engine::bot::{Bot, HouseBot, random};
use edgehill_engine::chance_source::{ChanceSource, sampled};
use edgehill_engine::event::Events;
use edgehill_engine::game::{Game, Node};
use edgehill_engine::games::unhappy_king_charles::{UnhappyKing, colonel};
use edgehill_engine::reference::Ref;
use edgehill_engine::seat::{Observer, Seat};
use edgehill_engine::setup::Setup;
use edgehill_engine::table::{ApplyMode, Table};
use rand_chacha::ChaCha8Rng;
use rand_core::{Rng, SeedableRng};

use super::volume::volume;

/// Pairs of matches between the colonel and chance, each with both sides changed.
const PAIRS: usize = 200;
/// Matches of the colonel with itself.
const MATCHES: usize = 500;
/// Matches by chance at whose nodes the colonel is asked.
const WALKS: usize = 100;

fn game() -> Arc<UnhappyKing> {
    Arc::new(UnhappyKing::load(&UnhappyKing::builtin()).expect("the built-in content is sound"))
}

/// A match between two bots to its end.
fn played(game: &Arc<UnhappyKing>, houses: [&HouseBot<UnhappyKing>; 2], seed: u64) -> Table<UnhappyKing> {
    let setup = Setup::default_of(game.catalogue());
    let mut table = Table::open(Arc::clone(game), setup, ChanceSource::playout(seed));
    let mut bots = [0u8, 1].map(|seat| (houses[usize::from(seat)].make)(game, Seat::new(seat), seed));
    while table.node() != Node::Over {
        let seat = table.node().to_act().iter().next().expect("somebody is to act");
        let action = bots[seat.index()].choose(&table.view(Observer::Seat(seat)), &table.legal(seat));
        table.apply(seat, &[action], ApplyMode::Atomic).expect("a legal action");
    }
    table
}

/// The number of the Turn that a match has come to.
fn turn(table: &Table<UnhappyKing>) -> i32 {
    let view = table.view(Observer::Spectator);
    let catalogue = table.game().catalogue();
    let turn = |kind: u16| catalogue.id_of(Ref::Marker(kind)) == "turn";
    let found = view.board.markers.iter().find(|(marker, _)| turn(marker.kind));
    found.map_or(0, |(_, &number)| number)
}

#[test]
fn the_colonel_beats_chance() {
    let (game, volume) = (game(), volume(PAIRS));
    let (ours, chance) = (colonel(), random());
    // Returns are -1, 0 and 1: half points are counted by twos.
    let mut points = 0;
    for seed in 0..volume.cases as u64 {
        let seed = volume.seed.wrapping_add(seed);
        for (side, houses) in [[&ours, &chance], [&chance, &ours]].into_iter().enumerate() {
            let result = played(&game, houses, seed).result().expect("the match is over");
            points += result.returns[side] + 1;
        }
    }
    let most = 4 * volume.cases as i32;
    println!("the colonel scored {points} of {most}");
    assert!(10 * points >= 9 * most, "the colonel scored {points} of {most}");
}

/// The balance of docs/games/unhappy-king-charles.md: endings by side and Turn, printed; most of the wars are long.
#[test]
fn wars_between_colonels_are_long() {
    let (game, volume) = (game(), volume(MATCHES));
    let ours = colonel();
    let mut endings: BTreeMap<(&str, &str, i32), u32> = BTreeMap::new();
    let mut late = 0;
    for seed in 0..volume.cases as u64 {
        let table = played(&game, [&ours; 2], volume.seed.wrapping_add(seed));
        let result = table.result().expect("the match is over");
        let winner = result.returns.iter().position(|&value| value > 0);
        let winner = winner.map_or("nobody", |seat| game.catalogue().seats[seat].id);
        let turn = turn(&table);
        late += usize::from(turn >= 7);
        *endings.entry((result.code, winner, turn)).or_default() += 1;
    }
    for ((code, winner, turn), count) in &endings {
        println!("{code:<16} {winner:<12} turn {turn:>2}: {count}");
    }
    assert!(2 * late >= volume.cases, "{late} of {} came to the last third", volume.cases);
}

/// A match by chance, with these optional rules; `look` is shown each node's view, its legal actions, and the seat that is asked.
fn walk(
    game: &Arc<UnhappyKing>,
    setup: &Setup,
    seed: u64,
    mut look: impl FnMut(&edgehill_engine::view::View, &[edgehill_engine::action::ActionId], Seat),
) {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut table = Table::open(Arc::clone(game), setup.clone(), ChanceSource::playout(seed));
    while table.node() != Node::Over {
        let seat = table.node().to_act().iter().next().expect("somebody is to act");
        let legal = table.legal(seat);
        look(&table.view(Observer::Seat(seat)), &legal, seat);
        let action = legal[(rng.next_u64() % legal.len() as u64) as usize];
        table.apply(seat, &[action], ApplyMode::Atomic).expect("a legal action");
    }
}

#[test]
fn any_node_is_answered_alike_by_alike() {
    let (game, volume) = (game(), volume(WALKS));
    let options: Vec<&str> = game.catalogue().options.iter().map(|option| option.id).collect();
    for seed in 0..volume.cases as u64 {
        let seed = volume.seed.wrapping_add(seed);
        let on = |(bit, &id): (usize, &&str)| (id.to_owned(), (seed >> bit & 1 != 0).to_string());
        let chosen = options.iter().enumerate().map(on).collect();
        let setup = Setup::new(game.catalogue(), None, &chosen).expect("options of the game");
        let make = |seat: u8| (colonel().make)(&game, Seat::new(seat), seed);
        let mut twins: [[Box<dyn Bot>; 2]; 2] = [[make(0), make(0)], [make(1), make(1)]];
        walk(&game, &setup, seed, |view, legal, seat| {
            let [one, other] = &mut twins[seat.index()];
            let choice = one.choose(view, legal);
            assert!(legal.contains(&choice), "what is not legal was chosen, seed {seed}");
            assert_eq!(choice, other.choose(view, legal), "the same view and generator, seed {seed}");
        });
    }
}

#[test]
fn hidden_things_change_no_choice() {
    let (game, volume) = (game(), volume(WALKS));
    let setup = Setup::default_of(game.catalogue());
    for seed in 0..volume.cases as u64 {
        let seed = volume.seed.wrapping_add(seed);
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let mut state = game.start(&setup);
        game.open(&mut state, &mut Events::silent());
        let mut legal = Vec::new();
        loop {
            match game.node(&state) {
                Node::Over => break,
                Node::Chance => {
                    let outcome = sampled(&game.chance(&state), &mut rng);
                    game.resolve(&mut state, &outcome, &mut Events::silent());
                }
                node => {
                    let seat = node.to_act().iter().next().expect("somebody is to act");
                    game.legal(&state, seat, &mut legal);
                    if rng.next_u64().is_multiple_of(16) {
                        let twin = game.scramble(&state, seat, &mut rng);
                        let choice = |state| {
                            let view = game.view(state, Observer::Seat(seat));
                            (colonel().make)(&game, seat, seed).choose(&view, &legal)
                        };
                        assert_eq!(choice(&state), choice(&twin), "the same match to {seat}, seed {seed}");
                    }
                    let action = legal[(rng.next_u64() % legal.len() as u64) as usize];
                    game.apply(&mut state, seat, action, &mut Events::silent());
                }
            }
        }
    }
}
