//! Messages that no server sends are refused, whatever is in them.

use edgehill_proto::v1;
use v1::change::Entry;
use v1::location::Place;

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
fn a_view_without_a_turn_state_and_a_game_without_its_parts_are_refused() {
    assert!(view(&v1::View::default(), Beside::default()).is_err());
    let seats = vec![v1::SeatDef::default()];
    let scenario = |seats| vec![v1::ScenarioDef { seats, ..v1::ScenarioDef::default() }];
    let rules = Some(v1::RulesVersion { number: 1, content_hash: vec![0; 32] });
    let summary = Some(v1::GameSummary { rules: rules.clone(), ..v1::GameSummary::default() });
    let game = v1::Game { summary, seats, scenarios: scenario(1), ..v1::Game::default() };
    let whole = (game, Vec::new());
    assert!(catalogue(&whole.0, &whole.1).is_ok());
    let with = |change: &dyn Fn(&mut v1::Game)| {
        let mut changed = whole.clone();
        change(&mut changed.0);
        changed
    };
    let action = |verb, refs| v1::ActionDef {
        verb,
        refs: vec![v1::Ref { what: Some(v1::r#ref::What::Space(0)) }; refs],
        notation: "x".to_owned(),
        ..v1::ActionDef::default()
    };
    let table = |action_defs| {
        let game = v1::Game { verbs: vec![v1::Verb::default()], ..whole.0.clone() };
        (game, action_defs)
    };
    let short = Some(v1::RulesVersion { number: 1, content_hash: vec![0; 31] });
    let entry = Some(v1::CatalogEntry::default());
    let row = v1::ChartRow { cells: vec![v1::AttributeValue::default()], ..v1::ChartRow::default() };
    let chart = |columns: usize| v1::Chart {
        entry: entry.clone(),
        columns: vec![String::new(); columns],
        rows: vec![row.clone()],
    };
    for (wrong, why) in [
        (with(&|game| game.summary = None), "`summary`"),
        (with(&|game| game.summary.as_mut().expect("it is there").rules = short.clone()), "31 bytes"),
        (with(&|game| game.scenarios.clear()), "without scenarios"),
        (with(&|game| game.scenarios = scenario(2)), "2 of 1 seats"),
        (with(&|game| game.scenarios = scenario(0)), "0 of 1 seats"),
        (with(&|game| game.rules = vec![v1::Rule::default()]), "`status`"),
        (with(&|game| game.attributes = vec![v1::AttributeDef::default()]), "`kind`"),
        (with(&|game| game.boards = vec![v1::BoardDef::default()]), "`entry`"),
        (with(&|game| game.charts = vec![chart(2)]), "1 cells in a chart of 2 columns"),
        (with(&|game| game.charts = vec![chart(1)]), "`value`"),
        (
            with(&|game| {
                let within = Some(70_000);
                game.spaces = vec![v1::SpaceDef { entry: entry.clone(), within, ..v1::SpaceDef::default() }];
            }),
            "index 70000",
        ),
        (table(vec![action(1, 0)]), "an action of verb 1"),
        (table(vec![action(0, 3)]), "about 3 things"),
        (table(vec![action(0, 1), action(0, 1)]), "twice"),
    ] {
        let said = catalogue(&wrong.0, &wrong.1).expect_err(why).to_string();
        assert!(said.contains(why), "`{why}` is not in: {said}");
    }
}
