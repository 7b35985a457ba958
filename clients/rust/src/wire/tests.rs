//! Messages that no server sends are refused, whatever is in them.

use edgehill_client::v1;
use v1::location::Place;
use v1::change::Entry;

use super::{Beside, action_ids, catalogue, event, seat, view};

fn at(place: Place) -> Option<v1::Location> {
    Some(v1::Location { place: Some(place) })
}

fn refused(entry: Entry) -> String {
    let changes = vec![v1::Change { entry: Some(entry) }];
    let event_of = v1::Event { rule: "2.3".to_owned(), changes, ..v1::Event::default() };
    event(&event_of).expect_err("it can't be").to_string()
}

#[test]
fn numbers_out_of_bounds_are_refused() {
    assert!(seat(7).is_ok());
    assert!(seat(8).is_err() && seat(u32::MAX).is_err());
    assert!(action_ids(&[1, 70_000]).is_err());
    let group = v1::PieceGroup { at: at(Place::Space(0)), count: 1, ..v1::PieceGroup::default() };
    for (wrong, why) in [
        (v1::PieceGroup { count: 70_000, ..group }, "a count of 70000"),
        (v1::PieceGroup { kind: 70_000, ..group }, "index 70000"),
        (v1::PieceGroup { owner: Some(8), ..group }, "seat 8"),
        (v1::PieceGroup { at: at(Place::Card(1 << 20)), ..group }, "index 1048576"),
        (v1::PieceGroup { at: None, ..group }, "without its `at`"),
        (v1::PieceGroup { at: Some(v1::Location { place: None }), ..group }, "without its `at`"),
    ] {
        let said = refused(Entry::Group(wrong));
        assert!(said.contains(why), "`{why}` is not in: {said}");
    }
    let key = v1::ArrowKey {
        start: at(Place::Space(0)),
        end: at(Place::Space(0)),
        ordinal: 256,
        ..v1::ArrowKey::default()
    };
    assert!(refused(Entry::ArrowGone(key)).contains("ordinal 256"));
    assert!(refused(Entry::Marker(v1::Marker::default())).contains("without its `key`"));
    assert!(refused(Entry::TurnState(Box::default())).contains("without its `prompt`"));
}

#[test]
fn rules_are_cited_by_numbers_of_the_ledger() {
    for rule in ["", "a rule", "a-number-of-seventeen", ".5"] {
        let event_of = v1::Event { rule: rule.to_owned(), ..v1::Event::default() };
        assert!(event(&event_of).is_err(), "{rule}");
    }
}

#[test]
fn a_view_without_a_head_and_a_game_without_its_parts_are_refused() {
    assert!(view(&v1::View::default(), Beside::default()).is_err());
    let seats = vec![v1::SeatDef::default()];
    let scenario = |seats| vec![v1::ScenarioDef { seats, ..v1::ScenarioDef::default() }];
    let rules = Some(v1::RulesVersion { rules_version: 1, content_hash: vec![0; 32] });
    let summary = Some(v1::GameSummary { rules: rules.clone(), ..v1::GameSummary::default() });
    let whole = v1::Game {
        summary,
        seats,
        scenarios: scenario(1),
        actions: Some(v1::ActionTable::default()),
        ..v1::Game::default()
    };
    assert!(catalogue(&whole).is_ok());
    let verbs = vec![v1::Verb::default()];
    let action = |verb, refs| v1::ActionDef {
        verb,
        refs: vec![v1::Ref { what: Some(v1::r#ref::What::Space(0)) }; refs],
        notation: "x".to_owned(),
    };
    let table =
        |actions| Some(v1::ActionTable { verbs: verbs.clone(), actions, ..v1::ActionTable::default() });
    let short = v1::RulesVersion { rules_version: 1, content_hash: vec![0; 31] };
    for (wrong, why) in [
        (v1::Game { summary: None, ..whole.clone() }, "`summary`"),
        (
            v1::Game {
                summary: Some(v1::GameSummary { rules: Some(short), ..v1::GameSummary::default() }),
                ..whole.clone()
            },
            "31 bytes",
        ),
        (v1::Game { scenarios: Vec::new(), ..whole.clone() }, "without scenarios"),
        (v1::Game { scenarios: scenario(2), ..whole.clone() }, "2 of 1 seats"),
        (v1::Game { scenarios: scenario(0), ..whole.clone() }, "0 of 1 seats"),
        (v1::Game { actions: None, ..whole.clone() }, "`actions`"),
        (v1::Game { actions: table(vec![action(1, 0)]), ..whole.clone() }, "an action of verb 1"),
        (v1::Game { actions: table(vec![action(0, 3)]), ..whole.clone() }, "about 3 things"),
        (v1::Game { actions: table(vec![action(0, 1), action(0, 1)]), ..whole.clone() }, "twice"),
        (v1::Game { rules: vec![v1::Rule::default()], ..whole.clone() }, "`status`"),
    ] {
        let said = catalogue(&wrong).expect_err(why).to_string();
        assert!(said.contains(why), "`{why}` is not in: {said}");
    }
}
