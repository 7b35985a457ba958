//! States that differ from the true one in what a seat may not know ([`scramble`]): what the other side is writing.

use rand_core::Rng;

use crate::action::{ActionId, VerbKind};
use crate::chance_source::below;
use crate::event::Events;
use crate::game::Game;
use crate::seat::Seat;

use super::EnglishCivilWar;
use super::procedures::side_drafts;
use super::state::State;

/// Changes what the other side is writing, if it has begun: nothing else is hidden from `seat`.
pub(super) fn scramble(game: &EnglishCivilWar, state: &State, seat: Seat, rng: &mut dyn Rng) -> State {
    let mut changed = *state;
    let other = seat.other();
    let side_draft = state.side_drafts[other.index()];
    let fresh = side_drafts::fresh(&game.realm, &game.actions, state)[other.index()];
    if side_draft == fresh {
        return changed;
    }
    changed.side_drafts[other.index()] = fresh;
    let actions = if side_draft.committed { u64::MAX } else { below(60, rng) };
    let mut legal = Vec::new();
    for _ in 0..actions {
        game.legal(&changed, other, &mut legal);
        let done = |action: &ActionId| {
            game.catalogue().actions.verb_of(*action).is_some_and(|verb| verb.kind == VerbKind::Done)
        };
        let ready = legal.iter().any(done);
        legal.retain(|action| !done(action));
        // A draft that could be committed is, sooner or later; one with points left to spend need not spend them all.
        if legal.is_empty() || (ready && below(4, rng) == 0) {
            break;
        }
        let action = legal[below(legal.len() as u64, rng) as usize];
        game.apply(&mut changed, other, action, &mut Events::silent());
    }
    changed.side_drafts[other.index()].committed = side_draft.committed;
    changed
}
