//! Laws `resample` and `distribution`: determinization by the view alone, and with the right odds.

use std::collections::BTreeSet;

use rand_chacha::ChaCha8Rng;
use rand_core::{Rng, SeedableRng};

use crate::event::Events;
use crate::game::{Game, Node};
use crate::render;
use crate::seat::{Observer, Seat};
use crate::setup::Setup;
use crate::table::Table;
use crate::view::{Calls, View};

use super::failure::{broken_for, difference, ensure, same, same_list, same_view};
use super::outline_difference::outline_difference;
use super::segment::{play_out, seen_by};
use super::{Law, LawResult, saved};

/// Resamples for each observer: the same from equal views and generators, not told apart by them, and
/// playable to an end. Returns how many resampled states differ from the true one.
///
/// # Errors
/// If one of these does not hold.
pub fn resample<G: Game>(table: &Table<G>, rng: &mut ChaCha8Rng, to_the_end: bool) -> LawResult<u32> {
    let game = table.game().as_ref();
    if table.node() == Node::Over {
        return Ok(0);
    }
    let mut others = 0;
    for observer in Observer::all(table.seats()) {
        let view = table.view(observer);
        let seed = rng.next_u64();
        let made = sample(game, table.setup(), &view, seed);
        let again = sample(game, table.setup(), &view, seed);
        same(
            Law::Resample,
            Some(observer),
            "equal views and generators give different states",
            &made,
            &again,
        )?;
        let state = seen_by(table, observer);
        let unknown = match observer {
            Observer::Seat(seat) => seat,
            Observer::Spectator => Seat::new(0),
        };
        let twin = game.view(&game.scramble(state, unknown, rng), observer);
        let twin = View { draft: view.draft.clone(), calls: view.calls.clone(), ..twin };
        if twin == view {
            let from_twin = sample(game, table.setup(), &twin, seed);
            same(
                Law::Resample,
                Some(observer),
                "it depends on more than view and generator",
                &made,
                &from_twin,
            )?;
        }
        unchanged(game, table, &made, &view)?;
        shown_to_somebody(table, &made, observer)?;
        saved::codec(game, &made, rng)
            .map_err(|breach| Box::new(super::Breach { law: Law::Resample, ..*breach }))?;
        others += u32::from(made != *state);
        if to_the_end {
            // On a generator of its own: whether it is played on makes no difference to what comes after.
            let length = play_out(game, &made, game.bound(table.setup()), &mut rng.clone());
            ensure(length.is_some(), Law::Resample, || {
                format!(
                    "a state resampled for {observer:?} does not play to an end within the bound\n{made:#?}"
                )
            })?;
        }
    }
    Ok(others)
}

fn sample<G: Game>(game: &G, setup: &Setup, view: &View, seed: u64) -> G::State {
    game.resample(setup, view, &mut ChaCha8Rng::seed_from_u64(seed))
}

/// Checks that the resampled state looks to its observer as the true one does, and allows them the same.
fn unchanged<G: Game>(game: &G, table: &Table<G>, made: &G::State, view: &View) -> LawResult {
    let observer = view.observer;
    let expected = View { draft: Vec::new(), calls: Calls::default(), ..view.clone() };
    let what = "the view (-) is not that of the resampled state (+)";
    same_view(Law::Resample, what, game.catalogue(), &expected, &game.view(made, observer))?;
    let Observer::Seat(seat) = observer else { return Ok(()) };
    let mut legal = Vec::new();
    game.legal(made, seat, &mut legal);
    let what = "the list (-) is not that of the resampled state (+)";
    same_list(Law::Resample, observer, what, game.catalogue(), &table.legal(seat), &legal)
}

/// A state that nobody can tell from the true one is the true one: else there is something that no view shows, and what nobody has
/// seen is not in a state. Drafts are in no view that a game makes.
fn shown_to_somebody<G: Game>(table: &Table<G>, made: &G::State, observer: Observer) -> LawResult {
    let (game, state) = (table.game().as_ref(), table.state());
    let quiet = state == table.released() && !matches!(table.node(), Node::Sealed(_));
    let tells = |who| game.view(made, who) != game.view(state, who);
    if !quiet || made == state || Observer::all(table.seats()).any(tells) {
        return Ok(());
    }
    let what = "a state resampled (+) looks as the true one (-) to all observers, and is another: some fact is on no view";
    same(Law::Resample, Some(observer), what, state, made)
}

/// A world that a seat thinks possible, and how likely it is relative to the others.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct World<S> {
    /// The state.
    pub state: S,
    /// Its weight, at least 1.
    pub weight: u64,
}

/// Every state that chance alone leads to from `start` before the first decision, with its exact weight; `None` if there are
/// more than `limit` ways there, or their weights are too large for exact numbers.
pub fn dealt<G: Game>(game: &G, start: &G::State, limit: usize) -> Option<Vec<World<G::State>>> {
    // Each way with the weight of its outcomes, and the total weight of the events on it.
    let mut ways: Vec<(G::State, u64, u64)> = Vec::new();
    let mut open = vec![(start.clone(), 1u64, 1u64)];
    while let Some((state, weight, total)) = open.pop() {
        if game.node(&state) != Node::Chance {
            ways.push((state, weight, total));
            if ways.len() > limit {
                return None;
            }
            continue;
        }
        let total = total.checked_mul(u64::try_from(game.chance(&state).total()).ok()?)?;
        for class in game.classes(&state) {
            let weight = weight.checked_mul(u64::try_from(&class.weight).ok()?)?;
            let mut after = state.clone();
            game.resolve(&mut after, &class.outcome, &mut Events::silent());
            open.push((after, weight, total));
        }
    }
    // Ways with different events on them are made comparable by the product of their totals' distinct values.
    let totals: BTreeSet<u64> = ways.iter().map(|&(_, _, total)| total).collect();
    let common = totals.iter().try_fold(1u64, |product, &total| product.checked_mul(total))?;
    let mut worlds: Vec<World<G::State>> = Vec::new();
    for (state, weight, total) in ways {
        let weight = weight.checked_mul(common / total)?;
        match worlds.iter_mut().find(|world| world.state == state) {
            Some(world) => world.weight = world.weight.checked_add(weight)?,
            None => worlds.push(World { state, weight }),
        }
    }
    Some(worlds)
}

/// Draws resampled states for `view` and counts them: each is one of `worlds`, and each of these comes up as often as its
/// weight says, within seven standard deviations.
///
/// # Errors
/// If another world comes up, or one comes up too often or too seldom.
pub fn distribution<G: Game>(
    game: &G,
    setup: &Setup,
    view: &View,
    worlds: &[World<G::State>],
    draws: u32,
    rng: &mut ChaCha8Rng,
) -> LawResult {
    let mut counts = vec![0u64; worlds.len()];
    for _ in 0..draws {
        let made = sample(game, setup, view, rng.next_u64());
        match worlds.iter().position(|world| world.state == made) {
            Some(index) => counts[index] += 1,
            None => {
                let told = hidden_difference(game, setup, &worlds[0].state, &made);
                let detail = format!("a world that can't be, beside one that can (-): {told}");
                return broken_for(Law::Distribution, view.observer, detail);
            }
        }
    }
    let total: i128 = worlds.iter().map(|world| i128::from(world.weight)).sum();
    for (world, &count) in worlds.iter().zip(&counts) {
        let (weight, draws) = (i128::from(world.weight), i128::from(draws));
        // The count's mean is draws * weight / total, its variance draws * weight * (total - weight) / total^2.
        let off = i128::from(count) * total - draws * weight;
        let variance = draws * weight * (total - weight);
        if off * off > 49 * variance + total * total {
            let told = hidden_difference(game, setup, &worlds[0].state, &world.state);
            let detail = format!(
                "a world of weight {weight} of {total} comes up {count} times of {draws}, beside another (-): {told}"
            );
            return broken_for(Law::Distribution, view.observer, detail);
        }
    }
    Ok(())
}

/// Tells in words where two worlds differ, by the first observer whose view does; by their fields, if none does.
fn hidden_difference<G: Game>(game: &G, setup: &Setup, left: &G::State, right: &G::State) -> String {
    let catalogue = game.catalogue();
    let text = |state: &G::State, observer| render::view(catalogue, &game.view(state, observer));
    for observer in Observer::all(catalogue.seats_of(setup)) {
        let told = outline_difference(&text(left, observer), &text(right, observer));
        if !told.is_empty() {
            return format!("as {} sees it\n{told}", render::observer(catalogue, observer));
        }
    }
    difference(left, right)
}
