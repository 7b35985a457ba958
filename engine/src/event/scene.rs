//! Events by comparison: what changed on each observer's board between two moments ([`Scene`]).

use std::sync::Arc;

use crate::game::Game;
use crate::seat::{Observer, SeatSet};
use crate::view::Board;

use super::{Event, Events, Form};

/// The boards of all observers before a fact, kept only while somebody listens.
///
/// For facts that touch much of the board, or where what each observer sees of them is subtle. It draws two boards an
/// observer, so facts that touch one piece are better published by hand.
#[derive(Debug)]
pub(crate) struct Scene(Option<Vec<Board>>);

impl Scene {
    /// Looks at `state` before the fact.
    #[must_use]
    pub(crate) fn open<G: Game>(game: &G, state: &G::State, seats: usize, out: &Events) -> Self {
        let boards = || Observer::all(seats).map(|observer| game.board(state, observer)).collect();
        Self(out.is_recording().then(boards))
    }

    /// Emits `event` with the changes that each observer sees since; a seat whose changes differ from the spectator's gets a
    /// form of its own.
    pub(crate) fn publish<G: Game>(
        self,
        game: &G,
        state: &G::State,
        out: &mut Events,
        event: impl FnOnce() -> Event,
    ) {
        let Some(boards) = self.0 else { return };
        let seats = boards.len() - 1;
        let changes =
            |observer: Observer| boards[observer.index(seats)].changes_to(&game.board(state, observer));
        let mut event = event();
        let public = changes(Observer::Spectator);
        for seat in SeatSet::first(seats).iter() {
            let own = changes(Observer::Seat(seat));
            match event.private.iter_mut().find(|(reader, _)| *reader == seat) {
                Some((_, form)) => Arc::make_mut(form).changes.extend(own),
                None => match &event.public {
                    Some(form) if own != public => {
                        let form = Form { refs: form.refs.clone(), changes: own.into() };
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
