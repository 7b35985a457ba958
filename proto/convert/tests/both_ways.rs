//! Values that become messages and then values again are the same, in every game.

use edgehill_convert::messages::{self, TextMode};
use edgehill_convert::values::{self, Beside};
use edgehill_engine::catalogue::Catalogue;
use edgehill_engine::chance_source::ChanceSource;
use edgehill_engine::registry::Registry;
use edgehill_engine::seat::Observer;
use edgehill_engine::setup::Setup;
use edgehill_engine::table::ApplyMode;
use edgehill_engine::view::{Calls, Change, View};
use edgehill_proto::v1;

/// Actions of a match.
const ACTIONS: usize = 500;

#[test]
fn a_catalogue_is_the_same() {
    for game in Registry::built_in().expect("the games are there").games() {
        let catalogue = game.catalogue();
        let message = messages::game::of(&**game);
        let defs = messages::action::defs(&catalogue.actions);
        let back = values::catalogue(&message, &defs).expect("a message that a server sends");
        // The words of the driver go with the game's own, so that a client has all of them.
        assert!(catalogue.phrases.keys().all(|code| back.phrases.get(code) == catalogue.phrases.get(code)));
        let expected = Catalogue { phrases: back.phrases.clone(), ..catalogue.clone() };
        assert!(format!("{back:?}") == format!("{expected:?}"), "{} has changed on its way", catalogue.id);
    }
}

#[test]
fn views_and_events_are_the_same() {
    for game in Registry::built_in().expect("the games are there").games() {
        let mut table = game.open(Setup::default_of(game.catalogue()), ChanceSource::playout(7));
        for number in 0..ACTIONS {
            let to_act = table.node().to_act();
            let Some(seat) = to_act.iter().find(|&seat| !table.committed(seat)) else { break };
            let legal = table.legal(seat);
            table.apply(seat, &[legal[number * 7 % legal.len()]], ApplyMode::Atomic).expect("it is legal");
            if number % 25 == 0 {
                Observer::all(table.seats()).for_each(|observer| hold(&table.view(observer)));
            }
        }
        for observer in Observer::all(table.seats()) {
            for seen in table.published(observer, 0) {
                let mut bytes = Vec::new();
                messages::written::event(seen, &mut bytes);
                let message = messages::event::read(&bytes, 1, TextMode::OFF).expect("it was just written");
                let back = values::event(&message).expect("a message that a server sends");
                assert_eq!((back.code, back.rule, back.chance_ref), (seen.code, seen.rule, seen.chance_ref));
                assert_eq!(back.form.refs, seen.form.refs);
                // Calls stand beside the game, and in no event of the wire.
                let sent = seen.form.changes.iter().filter(|change| !matches!(change, Change::Calls(_)));
                assert!(back.form.changes.iter().eq(sent), "{seen:?}");
            }
        }
    }
}

fn hold(view: &View) {
    let message = messages::view::of(view, TextMode::OFF);
    let standing: Vec<v1::StandingPass> = view.calls.standing.iter().map(messages::standing::of).collect();
    let draw_offers = messages::seat::all(view.calls.draw_offers);
    let beside = Beside { draw_offers: &draw_offers, standing_passes: &standing };
    let back = values::view(&message, beside).expect("a message that a server sends");
    let undoable = Calls { undoable: view.calls.undoable, ..back.calls.clone() };
    assert_eq!(&View { calls: undoable, ..back }, view);
}
