//! Law `course`, at a chance event: outcomes that an observer can't tell apart are told to that observer alike.
//!
//! Two outcomes that lead to different states, and that leave the same view, differ in what is hidden from the observer. An event
//! that says more of one than of the other gives it away, whatever the view shows.

use rand_chacha::ChaCha8Rng;

use crate::chance::{Chance, Outcome};
use crate::chance_source::sampled;
use crate::event::{ChanceRef, EventList, Events};
use crate::game::{Game, Node};
use crate::render;
use crate::seat::Observer;
use crate::table::Table;
use crate::view::View;

use super::failure::broken_for;
use super::segment::pick;
use super::{Law, LawResult};

/// Number of outcomes that are compared with each other.
const COMPARED: usize = 6;

/// An outcome, and what came of it.
struct Resolved<S> {
    outcome: Outcome,
    after: S,
    events: EventList,
}

/// Resolves several outcomes of the chance event that is due, and compares what each observer is told. Returns how many pairs no view tells apart.
///
/// # Errors
/// If an event does.
pub fn outcomes<G: Game>(table: &Table<G>, rng: &mut ChaCha8Rng) -> LawResult<u32> {
    let (game, state) = (table.game().as_ref(), table.state());
    if table.node() != Node::Chance {
        return Ok(0);
    }
    let chance = game.chance(state);
    let resolved: Vec<_> =
        some_of(&chance, rng).into_iter().map(|outcome| resolve(game, state, &chance, outcome)).collect();
    let mut pairs = 0;
    for observer in Observer::all(table.seats()) {
        let views: Vec<View> = resolved.iter().map(|one| game.view(&one.after, observer)).collect();
        for (index, left) in resolved.iter().enumerate() {
            for (beyond, right) in resolved.iter().enumerate().skip(index + 1) {
                if left.after != right.after && views[index] == views[beyond] {
                    told_alike(game, observer, left, right)?;
                    pairs += 1;
                }
            }
        }
    }
    Ok(pairs)
}

fn some_of(chance: &Chance, rng: &mut ChaCha8Rng) -> Vec<Outcome> {
    let mut some: Vec<Outcome> = match chance {
        Chance::Roll { .. } => (0..COMPARED).map(|_| sampled(chance, rng)).collect(),
        _ => {
            let mut options = chance.options();
            let count = COMPARED.min(options.len());
            (0..count).map(|_| Outcome::Pick(options.swap_remove(pick(options.len(), rng)).0)).collect()
        }
    };
    some.dedup();
    some
}

fn resolve<G: Game>(game: &G, state: &G::State, chance: &Chance, outcome: Outcome) -> Resolved<G::State> {
    let mut out = Events::recording_draw(ChanceRef { stream: chance.stream(), n: 0 });
    let mut after = state.clone();
    game.resolve(&mut after, &outcome, &mut out);
    Resolved { outcome, after, events: out.into_list() }
}

fn told_alike<G: Game>(
    game: &G,
    observer: Observer,
    left: &Resolved<G::State>,
    right: &Resolved<G::State>,
) -> LawResult {
    let catalogue = game.catalogue();
    let told = |one: &Resolved<G::State>| -> Vec<(&'static str, String, String)> {
        let form = |event: &crate::event::Event| {
            let form = event.form(observer)?;
            let about: Vec<String> = form.refs.iter().map(|&what| catalogue.id_of(what)).collect();
            Some((event.code, about.join(", "), render::changes(catalogue, &form.changes)))
        };
        one.events.iter().filter_map(form).collect()
    };
    let (of_left, of_right) = (told(left), told(right));
    let broken = |what: String| {
        broken_for(
            Law::Course,
            observer,
            format!("outcomes {:?} and {:?} leave the same view, and {what}", left.outcome, right.outcome),
        )
    };
    for ((code, about, changes), (other_code, other_about, other_changes)) in of_left.iter().zip(&of_right) {
        if code != other_code {
            return broken(format!("the one is told by event `{code}`, the other by `{other_code}`"));
        }
        if about != other_about {
            return broken(format!(
                "event `{code}` tells them apart: its refs are {about} after the one, {other_about} after the other"
            ));
        }
        if changes != other_changes {
            return broken(format!(
                "event `{code}` tells them apart by its changes:\n- {changes}+ {other_changes}"
            ));
        }
    }
    if of_left.len() != of_right.len() {
        return broken(format!(
            "the one is told by {} events, the other by {}",
            of_left.len(),
            of_right.len()
        ));
    }
    Ok(())
}
