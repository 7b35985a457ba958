//! Faults of words: templates that don't read as sentences, events that say or cite what can't be.

use std::sync::Arc;

use edgehill_engine::action::ActionId;
use edgehill_engine::catalogue::Catalogue;
use edgehill_engine::event::{Event, Events};
use edgehill_engine::game::Game;
use edgehill_engine::games::skirmish::{Skirmish, State};
use edgehill_engine::ledger::Rule;
use edgehill_engine::reference::Ref;
use edgehill_engine::seat::Seat;

use super::fault::Fault;
use super::tools::republished;

/// A code has another template.
pub(crate) struct Template(pub(crate) &'static str, pub(crate) &'static str);

impl Fault for Template {
    fn catalogue(&self, game: &Skirmish) -> Catalogue {
        let mut catalogue = game.catalogue().clone();
        let Self(code, template) = *self;
        catalogue.phrases.insert(code, template);
        catalogue
    }
}

/// The end of a turn is told with an index for the name of its seat.
pub(crate) struct Numbered;

impl Fault for Numbered {
    fn catalogue(&self, game: &Skirmish) -> Catalogue {
        let mut catalogue = game.catalogue().clone();
        catalogue.phrases.insert("rests", "It is over, ended by {0}");
        catalogue
    }

    fn apply(&self, game: &Skirmish, state: &mut State, seat: Seat, action: ActionId, out: &mut Events) {
        republished(
            state,
            out,
            |state, out| game.apply(state, seat, action, out),
            |_, mut event| {
                if let Some(form) = event.public.as_mut().filter(|_| event.code == "rests") {
                    let form = Arc::make_mut(form);
                    form.refs.iter_mut().for_each(|what| *what = Ref::Number(1));
                }
                Some(event)
            },
        );
    }
}

/// An event cites a rule that the game does not have.
pub(crate) struct Lawless;

impl Fault for Lawless {
    fn apply(&self, game: &Skirmish, state: &mut State, seat: Seat, action: ActionId, out: &mut Events) {
        republished(
            state,
            out,
            |state, out| game.apply(state, seat, action, out),
            |_, event| {
                let rests = event.code == "rests";
                Some(if rests { Event { rule: Rule::new("99.9"), ..event } } else { event })
            },
        );
    }
}
