//! Many runs of a game: by playouts ([`conform`]) and from bytes ([`play_from_bytes`]).

use std::sync::Arc;

use rand_chacha::ChaCha8Rng;
use rand_core::SeedableRng;

use crate::event::Events;
use crate::game::Game;
use crate::seat::{Observer, SeatSet};
use crate::setup::Setup;

use super::choices::{self, Bytes, ChoiceSource, Habits};
use super::lead::lead;
use super::walk::guarded;
use super::{Care, Failure, Law, LawResult, Laws, Leads, Run, RunDice, Tally, Walk, encodings, resample};

/// The greatest number of ways of a deal that `distribution` walks.
const DEALT_MAX: usize = 4_096;
/// Number of resampled states, for each world, by which a world's share is estimated.
const DRAWS_PER_WORLD: u32 = 60;
/// The most calls of a run, refused ones included, for each action of the game's bound.
const CALLS_PER_ACTION: usize = 4;

/// The number of led runs at least, if the volume is used up: of one run no more than its share is looked at.
const LED_RUNS: u64 = 16;
/// The number of runs by chance, likewise.
const RUNS_BY_CHANCE: u64 = 2;

/// The amount that is checked.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Volume {
    /// Nodes to look at, at least; runs are played to their end.
    pub nodes: u64,
    /// Runs, at least.
    pub runs: u64,
    /// The first run's seed; the others follow it.
    pub seed: u64,
}

/// Plays a game at random until the volume is reached, through all its scenarios, and checks the laws.
///
/// # Errors
/// The first law that is broken, with the run that shows it.
pub fn conform<G: Game>(
    game: &Arc<G>,
    volume: Volume,
    laws: Laws,
    care: Care,
) -> Result<Tally, Box<Failure>> {
    let mut tally = Tally::default();
    of_the_game(game, volume.seed, laws, &mut tally)?;
    let mut seed = volume.seed;
    while tally.nodes < volume.nodes || tally.runs < volume.runs {
        tally.add(&playout(game, seed, laws, care)?);
        seed = seed.wrapping_add(1);
    }
    Ok(tally)
}

/// As [`conform`], with runs of two kinds: from their start by chance, and led into the match by a house bot, every second one of these
/// into its last third. About as many nodes are looked at in the one kind as in the other, and at most so many of one run that there are
/// several led ones; runs are played to their end all the same. The nodes are counted by their turns ([`Tally::turns`]).
///
/// # Errors
/// The first law that is broken, with the run that shows it.
pub fn conform_led<G: Game>(
    game: &Arc<G>,
    volume: Volume,
    laws: Laws,
    care: Care,
    leads: &Leads<G>,
) -> Result<Tally, Box<Failure>> {
    let (mut by_chance, mut led) = (Tally::default(), Tally::default());
    of_the_game(game, volume.seed, laws, &mut by_chance)?;
    let mut seed = volume.seed;
    while by_chance.nodes + led.nodes < volume.nodes || by_chance.runs + led.runs < volume.runs {
        let is_led = led.nodes <= by_chance.nodes;
        let is_late = led.runs.is_multiple_of(2);
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let nodes = volume.nodes / if is_led { LED_RUNS } else { RUNS_BY_CHANCE };
        let played = play(game, &mut rng, seed, laws, care, nodes, |walk, rng| {
            walk.count_turns(leads.turns)?;
            if is_led { lead(game, walk, &leads.bots, is_late, seed, rng) } else { Ok(()) }
        })?;
        if let Some((_, tally)) = played {
            if is_led { led.add(&tally) } else { by_chance.add(&tally) }
        }
        seed = seed.wrapping_add(1);
    }
    by_chance.add(&led);
    Ok(by_chance)
}

/// Checks what holds of a game whatever is played.
fn of_the_game<G: Game>(game: &Arc<G>, seed: u64, laws: Laws, tally: &mut Tally) -> Result<(), Box<Failure>> {
    let setup = Setup::default_of(game.catalogue());
    let run = Run::new(setup, RunDice::Dice(seed));
    let failure = |breach| Box::new(Failure::of(breach, seed, &run));
    if laws.contains(Law::Encodings) {
        guarded(Law::Encodings, || encodings::encodings(game.as_ref())).map_err(|breach| failure(*breach))?;
        tally.count(Law::Encodings, 1);
    }
    if laws.contains(Law::Distribution) {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let checked = guarded(Law::Distribution, || deals(game.as_ref(), &mut rng))
            .map_err(|breach| failure(*breach))?;
        tally.count(Law::Distribution, checked);
    }
    Ok(())
}

/// Of each scenario: what a seat makes of its first view, if few enough deals lead there. Returns how many were checked.
fn deals<G: Game>(game: &G, rng: &mut ChaCha8Rng) -> LawResult<u64> {
    let catalogue = game.catalogue();
    let mut checked = 0;
    for scenario in &catalogue.scenarios {
        let Ok(setup) = Setup::new(catalogue, Some(scenario.id), &Default::default()) else { continue };
        let mut start = game.start(&setup);
        game.open(&mut start, &mut Events::silent());
        let Some(worlds) = resample::dealt(game, &start, DEALT_MAX) else { continue };
        for seat in SeatSet::first(scenario.seats).iter() {
            let observer = Observer::Seat(seat);
            let true_world = &worlds[super::segment::pick(worlds.len(), rng)].state;
            let view = game.view(true_world, observer);
            let possible: Vec<_> =
                worlds.iter().filter(|world| game.view(&world.state, observer) == view).cloned().collect();
            if possible.len() > 1 {
                let draws = DRAWS_PER_WORLD * possible.len() as u32;
                resample::distribution(game, &setup, &view, &possible, draws, rng)?;
                checked += 1;
            }
        }
    }
    Ok(checked)
}

/// One random run of the game.
///
/// # Errors
/// The first law that is broken.
pub fn playout<G: Game>(game: &Arc<G>, seed: u64, laws: Laws, care: Care) -> Result<Tally, Box<Failure>> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let played = play(game, &mut rng, seed, laws, care, u64::MAX, |_, _| Ok(()))?;
    Ok(played.map(|(_, tally)| tally).unwrap_or_default())
}

/// Maps bytes to a setup and calls, as far as they reach, and checks the cheap laws.
///
/// # Errors
/// The first law that is broken.
pub fn play_from_bytes<G: Game>(game: &Arc<G>, bytes: &[u8]) -> Result<Tally, Box<Failure>> {
    let played = play(game, &mut Bytes(bytes), 0, Laws::CHEAP, Care::Sampled, u64::MAX, |_, _| Ok(()))?;
    Ok(played.map(|(_, tally)| tally).unwrap_or_default())
}

/// A run by the choices of `source`, from where `begin` leaves it; `None` if the source has too few to begin. Once `nodes` were looked at,
/// only the last one is.
fn play<G: Game, S: ChoiceSource>(
    game: &Arc<G>,
    source: &mut S,
    seed: u64,
    laws: Laws,
    care: Care,
    nodes: u64,
    begin: impl FnOnce(&mut Walk<G>, &mut S) -> Result<(), Box<Failure>>,
) -> Result<Option<(Run, Tally)>, Box<Failure>> {
    let Some(setup) = choices::setup(game.catalogue(), source) else { return Ok(None) };
    let (Some(habits), Some(luck)) = (Habits::draw(source), source.pick(2)) else { return Ok(None) };
    let luck = if luck == 0 { RunDice::Entered } else { RunDice::Dice(seed) };
    let mut walk = Walk::open(game, Run::new(setup, luck), seed, laws, care)?;
    begin(&mut walk, source)?;
    let most = CALLS_PER_ACTION * game.bound(walk.table().setup()) as usize;
    let mut is_looked_at = true;
    while walk.run().calls.len() < most
        && let Some(call) = walk.next(&habits, source)?
    {
        is_looked_at = walk.tally().nodes < nodes;
        // Calls that the match refuses belong to a run, too.
        let _ = if is_looked_at { walk.call(call)? } else { walk.pass_over(call)? };
    }
    if !is_looked_at {
        walk.look()?;
    }
    walk.finish().map(Some)
}
