//! Events by comparison: what changed on each observer's board between two moments ([`Scene`]).

use std::sync::Arc;

use smallvec::SmallVec;

use crate::game::Game;
use crate::seat::{Observer, SeatSet};

use super::{Event, Events, Form};

/// The state before a fact, kept only while somebody listens.
///
/// What a fact moves is found by the game ([`Game::board_changes`]), so that no rule can forget what hangs on it: control, points, the
/// chances of the next roll.
#[derive(Debug)]
pub(crate) struct Scene<S> {
    /// Boxed, since a scene is moved whole even while nobody listens, and states have thousands of bytes.
    before: Option<Box<S>>,
    seats: usize,
}

impl<S: Clone> Scene<S> {
    /// Remembers `state`, before the fact.
    #[must_use]
    pub(crate) fn open<G: Game<State = S>>(_: &G, state: &S, seats: usize, out: &Events) -> Self {
        Self { before: out.is_recording().then(|| Box::new(state.clone())), seats }
    }

    /// Emits `event` with the changes that each observer sees since; a seat whose changes differ from the spectator's gets a
    /// form of its own.
    pub(crate) fn publish<G: Game<State = S>>(
        self,
        game: &G,
        state: &S,
        out: &mut Events,
        event: impl FnOnce() -> Event,
    ) {
        let Some(before) = self.before else { return };
        let observers: SmallVec<[Observer; 3]> = Observer::all(self.seats).collect();
        let mut changes = game.board_changes(&before, state, &observers);
        debug_assert!(
            observers.iter().zip(&changes).all(|(&observer, changes)| {
                *changes == game.board(&before, observer).changes_to(&game.board(state, observer))
            }),
            "the changes that are told are those of the boards: {changes:?}"
        );
        let mut event = event();
        let public = std::mem::take(&mut changes[Observer::Spectator.index(self.seats)]);
        for seat in SeatSet::first(self.seats).iter() {
            let own = std::mem::take(&mut changes[seat.index()]);
            match event.private.iter_mut().find(|(reader, _)| *reader == seat) {
                Some((_, form)) => Arc::make_mut(form).changes.extend(own),
                None => match &event.public {
                    Some(form) if own != public => {
                        let form = Form { refs: form.refs.clone(), changes: own };
                        event.private.push((seat, Arc::new(form)));
                    }
                    _ => {}
                },
            }
        }
        if let Some(form) = &mut event.public {
            Arc::make_mut(form).changes.extend(public);
        }
        out.emit(|| event);
    }
}
