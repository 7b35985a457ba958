//! Games in play: at the end of each Operational Phase the model takes over a copy, while the game goes on as it would.

use std::sync::Arc;

use edgehill_engine::action::ActionId;
use edgehill_engine::game::Game;
use edgehill_engine::games::this_war_without_an_enemy::{State, ThisWarWithoutAnEnemy as ThisWar, captain};
use edgehill_engine::seat::{Observer, Seat};
use edgehill_engine::setup::Setup;
use rand_chacha::ChaCha8Rng;
use rand_core::SeedableRng;

use super::atlas::Atlas;
use super::chronicle::{Segment, check_arrows, follow, read, segment};
use super::fight::Model;
use super::random::Random;
use super::umpire::{Play, Umpire};
use super::walk::go_on;
use super::world::World;
use crate::volume::volume;

/// Games in full: eight Turns each at most.
const GAMES: usize = 2_000;

/// Plays a game, one side of it by the bot `captain` if it is odd; how many Tactical Phases the model played.
fn play(game: &Arc<ThisWar>, atlas: &Atlas, seed: u64) -> Play<usize> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut random = Random::new(seed);
    let mut captain = (captain().make)(game, Seat::new((seed >> 1 & 1) as u8), seed);
    let mut state = game.start(&Setup::default_of(game.catalogue()));
    let mut world: Option<World<'_>> = None;
    let mut phases = 0;
    loop {
        let before = segment(game, &state);
        let choose = |_: &mut ChaCha8Rng, state: &State, seat: Seat, legal: &[ActionId]| {
            let by_captain = seed & 1 != 0 && seat.index() as u64 == seed >> 1 & 1;
            if by_captain {
                captain.choose(&game.view(state, Observer::Seat(seat)), legal)
            } else {
                *random.pick(legal).expect("a legal action")
            }
        };
        if !go_on(game, &mut state, &mut rng, choose) {
            return Ok(phases);
        }
        match (before, segment(game, &state)) {
            (None, Some(_)) => world = Some(read(game, atlas, &state)),
            (Some(part), Some(_)) => {
                let world = world.as_mut().expect("the phase was seen from its start");
                follow(game, world, &state, part == Segment::Actions)?;
            }
            (Some(_), None) => {
                let world = world.take().expect("the phase was seen from its start");
                take_over(game, atlas, world, &state, random.next())?;
                phases += 1;
            }
            (None, None) => {}
        }
    }
}

fn take_over(game: &ThisWar, atlas: &Atlas, world: World<'_>, state: &State, seed: u64) -> Play<()> {
    check_arrows(&world)?;
    let umpire = Umpire::new(game, state.clone(), Random::new(seed));
    let mut model = Model { atlas, world: world.clone(), umpire };
    model.play().map_err(|fault| format!("{fault}\nafter {}\nfrom {world:?}", model.umpire.told.join("; ")))
}

#[test]
fn games_in_play_are_carried_on_as_the_model_does_it() {
    let (game, atlas) = (Arc::new(super::game()), Atlas::load());
    let volume = volume(GAMES);
    let mut seeds = Random::new(volume.seed);
    let mut phases = 0;
    let mut faults = Vec::new();
    for _ in 0..volume.cases {
        let seed = seeds.next();
        match play(&game, &atlas, seed) {
            Ok(played) => phases += played,
            Err(fault) => faults.push(format!("{fault}\nseed {seed}")),
        }
    }
    println!("{phases} Tactical Phases");
    assert!(faults.is_empty(), "{} of {} differ, for one:\n{}", faults.len(), volume.cases, faults[0]);
}
