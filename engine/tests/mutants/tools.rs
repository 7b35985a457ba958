//! The parts that faults are made of: a look at the other side's secrets, and events published otherwise.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use edgehill_engine::action::ActionId;
use edgehill_engine::event::{Event, Events};
use edgehill_engine::game::Game;
use edgehill_engine::games::skirmish::{Skirmish, State};
use edgehill_engine::reference::{Location, Ref};
use edgehill_engine::seat::{Observer, Seat};

/// The verb of an action.
pub(crate) fn verb(game: &Skirmish, action: ActionId) -> &'static str {
    game.catalogue().actions.verb_of(action).map_or("", |verb| verb.id)
}

/// Returns the secret that the owner of a side sees and the enemy does not: the faces of its hidden blocks
/// with their places, as one number.
pub(crate) fn secret_of(game: &Skirmish, state: &State, side: Seat) -> u64 {
    let open = game.board(state, Observer::Spectator);
    let own = game.board(state, Observer::Seat(side));
    let hidden = own.pieces.iter().filter(|(index, _)| !open.pieces.contains_key(index));
    hidden.fold(17, |number: u64, (index, piece)| {
        let Location::Space(at) = piece.at else { return number };
        let one = u64::from(*index) << 16 | u64::from(piece.kind) << 8 | u64::from(at);
        (number ^ one).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29)
    }) >> 40
}

/// The enemy's cards, as their owner sees them.
pub(crate) fn cards_of(game: &Skirmish, state: &State, side: Seat) -> Vec<u16> {
    let board = game.board(state, Observer::Seat(side));
    board.piles.get(&(side.index() as u16)).map(|hand| hand.cards.clone()).unwrap_or_default()
}

/// Does something, and publishes its events otherwise; flags are passed on.
pub(crate) fn republished(
    state: &mut State,
    out: &mut Events,
    act: impl FnOnce(&mut State, &mut Events),
    publish: impl Fn(&State, Event) -> Option<Event>,
) {
    let mut inner = Events::recording();
    act(state, &mut inner);
    if inner.has_revealed() {
        out.revealed();
    }
    if inner.has_released() {
        out.release();
    }
    for event in inner.into_list() {
        if let Some(event) = publish(state, event) {
            out.emit(|| event);
        }
    }
}

/// The same event with one more reference in its public form.
pub(crate) fn with_ref(mut event: Event, what: Ref) -> Event {
    if let Some(form) = &mut event.public {
        Arc::make_mut(form).refs.push(what);
    }
    event
}

/// A number that is another one each time it is asked for: what rules must not rest on.
#[derive(Default)]
pub(crate) struct Clock(AtomicU64);

impl Clock {
    pub(crate) fn tick(&self) -> u64 {
        self.0.fetch_add(1, Ordering::Relaxed)
    }
}
