//! What is played for a side that has not committed in time (S7, S8).

use crate::event::Events;
use crate::game::{Absence, Game};
use crate::seat::Seat;
use crate::step::StepId;

use super::EnglishCivilWar;
use super::draft::{Adjust, Draft, Stage};
use super::realm::roster;
use super::rules;
use super::state::{Phase, State};
use super::steps::Act;

/// Orders and retreats: what is complete stays, a space being written holds or disbands. Influence: what is written stays,
/// the rest is saved. Adjustment: nothing stays, since default removals may come before what was written.
pub(super) fn absent(game: &EnglishCivilWar, released: &State, seat: Seat, draft: &[StepId]) -> Absence {
    if !rules::MISSING.on() {
        return Absence { keep: draft.len(), steps: Vec::new() };
    }
    let mut absence = match &released.desks[seat.index()].draft {
        Draft::Nothing => return Absence { keep: draft.len(), steps: Vec::new() },
        Draft::Influence(_) => Absence { keep: draft.len(), steps: Vec::new() },
        Draft::Adjustment(adjust) => Absence { keep: 0, steps: adjustment(game, released, seat, adjust) },
        Draft::Parts(_) => parts(game, released, seat, draft),
    };
    absence.steps.push(game.steps().id(Act::Done));
    absence
}

fn parts(game: &EnglishCivilWar, released: &State, seat: Seat, draft: &[StepId]) -> Absence {
    let mut state = *released;
    let open = |state: &State| match &state.desks[seat.index()].draft {
        Draft::Parts(entry) => entry.open,
        _ => super::adjudicator::SpaceSet::EMPTY,
    };
    let (mut keep, mut kept) = (0, state);
    for (index, &step) in draft.iter().enumerate() {
        let before = open(&state);
        game.apply(&mut state, seat, step, &mut Events::silent());
        if open(&state) != before {
            (keep, kept) = (index + 1, state);
        }
    }
    let rest = if released.phase == Phase::Retreats { Act::Disband } else { Act::Hold };
    let steps = open(&kept).iter().map(|_| game.steps().id(rest)).collect();
    debug_assert!(
        !matches!(&kept.desks[seat.index()].draft, Draft::Parts(entry) if entry.stage() == Stage::Order)
    );
    Absence { keep, steps }
}

/// Default removals in board order, no builds, and each leader in the first home centre that will have him.
fn adjustment(game: &EnglishCivilWar, released: &State, seat: Seat, adjust: &Adjust) -> Vec<StepId> {
    let mut state = *released;
    let mut steps = Vec::new();
    let mut take = |state: &mut State, act: Act| {
        let step = game.steps().id(act);
        game.apply(state, seat, step, &mut Events::silent());
        steps.push(step);
    };
    let removals = released.default_removals(game.realm(), seat, adjust.owed);
    for space in game.realm().spaces() {
        (0..removals[space.index()]).for_each(|_| take(&mut state, Act::Remove(space)));
    }
    for _ in roster(seat).take(usize::from(adjust.to_place)) {
        let homes = game.realm().homes[seat.index()];
        let open = homes.iter().find(|&home| game.permits(&state, seat, game.steps().id(Act::Place(home))));
        if let Some(home) = open {
            take(&mut state, Act::Place(home));
        }
    }
    steps
}
