//! Faults of words: templates that don't read as sentences, events that say or cite what can't be.

use std::sync::Arc;

use edgehill_engine::action::ActionId;
use edgehill_engine::catalogue::Catalogue;
use edgehill_engine::event::{Event, Events};
use edgehill_engine::game::Game;
use edgehill_engine::games::skirmish::{Skirmish, State};
use edgehill_engine::laws::sentence_fault;
use edgehill_engine::ledger::Rule;
use edgehill_engine::reference::Ref;
use edgehill_engine::seat::Seat;
use edgehill_engine::view::Phrase;

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

#[test]
fn numbers_are_no_names() {
    let game = Skirmish::load(&Skirmish::builtin()).expect("the built-in content is sound");
    let for_a_name = |template, refs: &[Ref]| {
        let catalogue = Template("said", template).catalogue(&game);
        let text = catalogue.say(&Phrase::new("said", refs));
        let fault = sentence_fault(&catalogue, template, refs, &text);
        fault.is_some_and(|fault| fault.contains("should name something"))
    };
    let (seat, number) = (Ref::Seat(Seat::new(0)), Ref::Number(3));
    assert!(for_a_name("{0} is now controlled by {1}", &[seat, number]));
    assert!(for_a_name("won by {0}: more", &[number]));
    assert!(!for_a_name("is now controlled by {0}", &[seat]));
    assert!(!for_a_name("at click {0}", &[number]));
    assert!(!for_a_name("in {0} ways", &[number]));
}

#[test]
fn words_agree_with_their_number() {
    let game = Skirmish::load(&Skirmish::builtin()).expect("the built-in content is sound");
    let wrong = |text| sentence_fault(game.catalogue(), text, &[], text).is_some();
    assert!(wrong("1 blocks"));
    assert!(wrong("1 armies, all lost"));
    assert!(wrong("3 block"));
    assert!(wrong("0 army"));
    assert!(!wrong("1 block"));
    assert!(!wrong("2 armies"));
    assert!(!wrong("1 is enough"));
}
