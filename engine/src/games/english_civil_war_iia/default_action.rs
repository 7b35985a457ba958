//! Play for a side that has not committed in time (S7, S8).

use crate::action::ActionId;
use crate::event::Events;
use crate::game::{DefaultAction, Game};
use crate::seat::Seat;

use super::EnglishCivilWar;
use super::actions::Action;
use super::realm::roster;
use super::rules;
use super::state::draft::{Adjust, Draft, Stage};
use super::state::{Phase, State};

/// Orders and retreats: what is complete stays, a space being written holds or disbands. Influence: what is written stays,
/// the rest is saved. Adjustment: nothing stays, since default removals may come before what was written.
pub(super) fn default_action(
    game: &EnglishCivilWar,
    released: &State,
    seat: Seat,
    draft: &[ActionId],
) -> DefaultAction {
    if rules::MISSING.allows(false) {
        return DefaultAction { keep: draft.len(), actions: Vec::new() };
    }
    let mut default_action = match &released.side_drafts[seat.index()].draft {
        Draft::Nothing => return DefaultAction { keep: draft.len(), actions: Vec::new() },
        Draft::Influence(_) => DefaultAction { keep: draft.len(), actions: Vec::new() },
        Draft::Adjustment(adjust) => {
            DefaultAction { keep: 0, actions: adjustment(game, released, seat, adjust) }
        }
        Draft::Parts(_) => parts(game, released, seat, draft),
    };
    default_action.actions.push(game.actions().id(Action::Done));
    default_action
}

fn parts(game: &EnglishCivilWar, released: &State, seat: Seat, draft: &[ActionId]) -> DefaultAction {
    let mut state = *released;
    let open = |state: &State| match &state.side_drafts[seat.index()].draft {
        Draft::Parts(entry) => entry.open,
        _ => super::adjudicator::SpaceSet::EMPTY,
    };
    let (mut keep, mut kept) = (0, state);
    for (index, &action) in draft.iter().enumerate() {
        let before = open(&state);
        game.apply(&mut state, seat, action, &mut Events::silent());
        if open(&state) != before {
            (keep, kept) = (index + 1, state);
        }
    }
    let rest = if released.phase == Phase::Retreats { Action::Disband } else { Action::Hold };
    let actions = open(&kept).iter().map(|_| game.actions().id(rest)).collect();
    debug_assert!(
        !matches!(&kept.side_drafts[seat.index()].draft, Draft::Parts(entry) if entry.stage() == Stage::Order)
    );
    DefaultAction { keep, actions }
}

/// Default removals in board order, no builds, and each leader in the first home centre that takes them.
fn adjustment(game: &EnglishCivilWar, released: &State, seat: Seat, adjust: &Adjust) -> Vec<ActionId> {
    let mut state = *released;
    let mut actions = Vec::new();
    let mut take = |state: &mut State, act: Action| {
        let action = game.actions().id(act);
        game.apply(state, seat, action, &mut Events::silent());
        actions.push(action);
    };
    let removals = released.default_removals(game.realm(), seat, adjust.owed);
    for space in game.realm().spaces() {
        (0..removals[space.index()]).for_each(|_| take(&mut state, Action::Remove(space)));
    }
    for _ in roster(seat).take(usize::from(adjust.to_place)) {
        let homes = game.realm().homes[seat.index()];
        let open =
            homes.iter().find(|&home| game.permits(&state, seat, game.actions().id(Action::Place(home))));
        if let Some(home) = open {
            take(&mut state, Action::Place(home));
        }
    }
    actions
}
