//! House bots: `random` is uniform over what moves the game, and the same for the same seed.

use std::collections::BTreeMap;
use std::sync::Arc;

use edgehill_engine::action::ActionId;
use edgehill_engine::bot::{Bot, HouseBot};
use edgehill_engine::chance_source::ChanceSource;
use edgehill_engine::registry::{AnyGame, BotInfo, Hosted};
use edgehill_engine::seat::{Observer, Seat};
use edgehill_engine::view::View;

use super::{action, finished, game, setup, take, toy::Prize};

const NORTH: Seat = Seat::new(0);
const SOUTH: Seat = Seat::new(1);

#[test]
fn random_is_uniform_over_the_actions_that_move_the_game() {
    let game = game();
    let mut table = game.open(setup(&*game, "pair", 1), ChanceSource::playout(1));
    take(&mut *table, NORTH, "bid 1; done");
    take(&mut *table, SOUTH, "bid 0; done");
    let (view, legal) = (table.view(Observer::Seat(NORTH)), table.legal(NORTH));
    let look = action(&*table, "look");
    assert!(legal.contains(&look));
    let mut bot = game.bot("random", NORTH, 5).expect("every game has it");
    let mut counts = BTreeMap::<ActionId, u32>::new();
    for _ in 0..4_000 {
        *counts.entry(bot.choose(&view, &legal)).or_default() += 1;
    }
    assert!(!counts.contains_key(&look), "random wanders");
    assert_eq!(counts.len(), legal.len() - 1);
    // 1,000 expected of each of four, standard deviation 27: five of them on either side.
    assert!(counts.values().all(|count| (863..=1_137).contains(count)), "{counts:?}");
    // With nothing else to do, it takes an action that moves the attention alone.
    assert_eq!(bot.choose(&view, &[look]), look);
}

#[test]
fn the_same_seed_and_seat_play_the_same_and_seats_differ() {
    let game = game();
    let table = game.open(setup(&*game, "pair", 1), ChanceSource::playout(1));
    let (view, legal) = (table.view(Observer::Seat(NORTH)), table.legal(NORTH));
    let run = |seat, seed| {
        let mut bot = game.bot("random", seat, seed).expect("every game has it");
        (0..40).map(|_| bot.choose(&view, &legal)).collect::<Vec<_>>()
    };
    assert_eq!(run(NORTH, 7), run(NORTH, 7));
    assert_ne!(run(NORTH, 7), run(NORTH, 8));
    assert_ne!(run(NORTH, 7), run(SOUTH, 7));
    assert_eq!(finished(&*game, "pair", 3).log(), finished(&*game, "pair", 3).log());
}

struct First;

impl Bot for First {
    fn choose(&mut self, _: &View, legal: &[ActionId]) -> ActionId {
        legal[0]
    }
}

#[test]
fn a_game_adds_bots_of_its_own() {
    let about = "Takes the first action of the list.";
    let first = HouseBot { name: "first", about, make: |_, _, _| Box::new(First) };
    let game: Arc<dyn AnyGame> = Arc::new(Hosted::new(Prize::new()).with_bot(first));
    let names: Vec<&str> = game.bots().iter().map(|bot| bot.name).collect();
    assert_eq!(names, ["random", "first"]);
    assert_eq!(game.bots()[1], BotInfo { name: "first", about });
    assert!(game.bot("first", NORTH, 0).is_some());
    assert!(game.bot("second", NORTH, 0).is_none());
}
