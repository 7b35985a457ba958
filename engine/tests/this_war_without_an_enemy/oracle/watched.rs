//! Whole games, at random and against the bot, under the eyes of an [`Onlooker`].

use std::collections::BTreeMap;
use std::sync::Arc;

use edgehill_engine::action::ActionId;
use edgehill_engine::game::Game;
use edgehill_engine::games::this_war_without_an_enemy::{State, ThisWarWithoutAnEnemy as ThisWar, captain};
use edgehill_engine::seat::{Observer, Seat};
use edgehill_engine::setup::Setup;
use rand_chacha::ChaCha8Rng;
use rand_core::SeedableRng;

use super::atlas::Atlas;
use super::onlooker::Onlooker;
use super::random::Random;
use super::umpire::Play;
use super::walk::go_on;
use crate::volume::volume;

/// Games in full.
const GAMES: usize = 2_000;

type Seen = BTreeMap<&'static str, usize>;

/// One side of every second game is the bot's, who attacks with a purpose.
pub(crate) fn watch(game: &Arc<ThisWar>, atlas: &Atlas, seed: u64) -> Play<Seen> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut random = Random::new(seed);
    let bot = Seat::new((seed >> 1 & 1) as u8);
    let mut captain = (captain().make)(game, bot, seed);
    let mut state = game.start(&Setup::default_of(game.catalogue()));
    let mut onlooker = Onlooker::new(game, atlas, &state);
    loop {
        let choose = |_: &mut ChaCha8Rng, state: &State, seat: Seat, legal: &[ActionId]| {
            if seed & 1 != 0 && seat == bot {
                captain.choose(&game.view(state, Observer::Seat(seat)), legal)
            } else {
                *random.pick(legal).expect("a legal action")
            }
        };
        if !go_on(game, &mut state, &mut rng, choose) {
            return Ok(onlooker.seen);
        }
        onlooker.look(game, &state)?;
    }
}

#[test]
fn limits_and_control_hold_after_every_action() {
    let (game, atlas) = (Arc::new(super::game()), Atlas::load());
    let volume = volume(GAMES);
    let mut seeds = Random::new(volume.seed);
    let mut seen = Seen::new();
    for _ in 0..volume.cases {
        let seed = seeds.next();
        for (what, count) in watch(&game, &atlas, seed).unwrap_or_else(|fault| panic!("{fault}\nseed {seed}"))
        {
            *seen.entry(what).or_default() += count;
        }
    }
    println!("{seen:?}");
    let expected =
        ["attack", "border", "contested", "full border", "pinned", "regional move", "short", "siege"];
    assert!(seen.keys().eq(expected.iter()), "each check had something to look at: {seen:?}");
}
