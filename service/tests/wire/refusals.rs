//! The refusals of the engine, as callers get them.

use std::collections::BTreeSet;

use edgehill_convert::messages::rule_violation;
use edgehill_engine::action::ActionId;
use edgehill_engine::catalogue::Catalogue;
use edgehill_engine::chance::OutcomeError;
use edgehill_engine::game::{CONTRACT, LineError, Node};
use edgehill_engine::ledger::Rule;
use edgehill_engine::position::PositionError;
use edgehill_engine::reference::Ref;
use edgehill_engine::refusal::RuleViolation;
use edgehill_engine::registry::AnyTable;
use edgehill_engine::seat::Seat;
use edgehill_engine::table::{ApplyMode, Refusal};
use edgehill_proto::v1;
use edgehill_service::wire::{Refused, refusal};

use crate::{below, error_reasons, game, matches, open, play};

const NORTH: Seat = Seat::new(0);

fn refuse(catalogue: &Catalogue, refused: Refusal) -> v1::Refusal {
    refusal::of(catalogue, refused).into_refusal()
}

fn name(refusal: &v1::Refusal) -> &'static str {
    refusal.reason().as_str_name().trim_start_matches("ERROR_REASON_")
}

fn violation_of(code: &'static str, rule: Rule) -> RuleViolation {
    RuleViolation { code, rule, refs: Vec::new() }
}

#[test]
fn every_refusal_of_the_engine_has_the_reason_of_the_same_name() {
    let game = game("skirmish");
    let line = || LineError { index: 2, item: "x".to_owned(), expected: "an action".to_owned() };
    let action = |code, rule| Refusal::Action {
        index: 1,
        action: ActionId(0),
        rule_violations: vec![violation_of(code, rule)],
    };
    let refusals = [
        action("NOT_YOUR_TURN", CONTRACT),
        action("CHANCE_PENDING", CONTRACT),
        action("MATCH_FINISHED", CONTRACT),
        action("UNKNOWN_ACTION", CONTRACT),
        Refusal::ListCrossesReveal { index: 3 },
        Refusal::EmptyList,
        Refusal::ListTooLong,
        Refusal::DraftTooLong,
        Refusal::Line(line()),
        Refusal::UnknownSeat,
        Refusal::NothingToUndo,
        Refusal::Committed,
        Refusal::NoSuchDraftAction { draft: 4 },
        Refusal::MatchFinished,
        Refusal::NoOpponent,
        Refusal::NoOffer,
    ];
    for refused in refusals {
        let code = refused.code();
        assert_eq!(name(&refuse(game.catalogue(), refused)), code);
    }
    // A game's own codes are violations, and a game's rule with a code of the engine's is the game's.
    for code in ["CARD_PICKED", "UNKNOWN_ACTION"] {
        let shown = refuse(game.catalogue(), action(code, Rule::new("2.3")));
        assert_eq!((name(&shown), shown.index), ("ILLEGAL_ACTION", Some(1)));
        assert_eq!((&*shown.rule_violations[0].code, &*shown.rule_violations[0].rule), (code, "2.3"));
    }
    // Dice that a person enters, which no call does.
    for refused in [Refusal::NoChance, Refusal::Outcome(OutcomeError::Option(Ref::Number(1)))] {
        let shown = refuse(game.catalogue(), refused);
        assert_eq!(name(&shown), "INTERNAL_FAULT");
        assert!(!shown.message.contains("Number"), "nothing of the dice is told: {}", shown.message);
    }
}

#[test]
fn places_and_fields_are_given() {
    let game = game("skirmish");
    let crosses = refuse(game.catalogue(), Refusal::ListCrossesReveal { index: 3 });
    assert_eq!(crosses.index, Some(3));
    let keep = refuse(game.catalogue(), Refusal::NoSuchDraftAction { draft: 4 });
    assert_eq!(keep.field_violations[0].field, "keep_draft_actions");
    assert!(keep.message.contains('4'));
    let line =
        LineError { index: 2, item: "charge".to_owned(), expected: "the notation of an action".to_owned() };
    let line = Refused::from(line).into_refusal();
    assert_eq!(
        (name(&line), line.index, &*line.field_violations[0].field),
        ("UNREADABLE_LINE", Some(2), "actions.line")
    );
    assert!(line.field_violations[0].description.contains("the notation of an action"));
    for (field, path) in [("", "position_json"), ("units.R[2]", "position_json.units.R[2]")] {
        let position = Refused::from(PositionError::new(field, "an army is expected")).into_refusal();
        assert_eq!((name(&position), &*position.field_violations[0].field), ("BAD_POSITION", path));
        assert_eq!(position.field_violations[0].description, "an army is expected");
    }
}

/// The walk of docs/api.md: North has picked a card and picks another one.
#[test]
fn an_illegal_action_is_refused_as_the_walk_shows_it() {
    let mut table = open(&*game("skirmish"));
    let card = |table: &dyn AnyTable, place: usize| table.legal(NORTH)[place];
    let (first, second) = (card(&*table, 0), card(&*table, 1));
    table.apply(NORTH, &[first], ApplyMode::Atomic).expect("a card of its own");
    let refused = table.apply(NORTH, &[second], ApplyMode::Atomic).expect_err("one is enough");
    let notation = table.catalogue().actions.notation(second);
    let shown = refuse(table.catalogue(), refused);
    assert_eq!((name(&shown), shown.code, shown.index), ("ILLEGAL_ACTION", 9, Some(0)));
    assert_eq!(shown.message, format!("action 1 of the list, {notation}, is not legal"));
    assert_eq!((&*shown.rule_violations[0].code, &*shown.rule_violations[0].rule), ("CARD_PICKED", "2.3"));
    assert!(!shown.rule_violations[0].text.is_empty());
    let explained = rule_violation::with_rule(table.catalogue(), &table.rule_violations(NORTH, second)[0]);
    let rule = table.catalogue().ledger.get("2.3").expect("the ledger has it");
    let (rule_title, rule_text) = (rule.title.clone(), rule.text.clone());
    assert!(!rule_title.is_empty() && !rule_text.is_empty());
    assert_eq!(explained, v1::RuleViolation { rule_title, rule_text, ..shown.rule_violations[0].clone() });
    let contract = rule_violation::with_rule(table.catalogue(), &violation_of("NOT_YOUR_TURN", CONTRACT));
    assert_eq!((&*contract.rule_title, &*contract.rule_text, &*contract.rule), ("", "", "contract"));
}

#[test]
fn whatever_is_refused_in_play_is_said_with_its_violations_in_words() {
    let mut codes = BTreeSet::new();
    for mut table in matches(11) {
        play(&mut *table, 11, |table, rng| {
            let size = table.catalogue().actions.len();
            for seat in [Seat::new(0), Seat::new(1), Seat::new(7)] {
                let actions: Vec<ActionId> = (0..2).map(|_| ActionId(below(size + 1, rng) as u16)).collect();
                let Err(refused) = table.clone_box().apply(seat, &actions, ApplyMode::Atomic) else {
                    continue;
                };
                let shown = refuse(table.catalogue(), refused.clone());
                codes.insert(name(&shown));
                if let Refusal::Action { rule_violations, index, .. } = refused {
                    assert_eq!(shown.index, Some(index as u32));
                    let violations: Vec<v1::RuleViolation> = rule_violations
                        .iter()
                        .map(|one| rule_violation::of(table.catalogue(), one))
                        .collect();
                    assert_eq!(shown.rule_violations, violations);
                    assert!(violations.iter().all(|one| !one.text.is_empty() && !one.text.contains("{0}")));
                }
            }
        });
        let over = table
            .apply(NORTH, &[ActionId(0)], ApplyMode::Atomic)
            .map_err(|refused| refuse(table.catalogue(), refused));
        if table.node() == Node::Over {
            assert_eq!(name(&over.expect_err("it is over")), "MATCH_FINISHED");
        }
    }
    for expected in ["ILLEGAL_ACTION", "NOT_YOUR_TURN", "UNKNOWN_SEAT", "UNKNOWN_ACTION"] {
        assert!(codes.contains(expected), "{expected} was never given: {codes:?}");
    }
    let known: BTreeSet<&str> = error_reasons::all()
        .into_iter()
        .map(|reason| reason.as_str_name().trim_start_matches("ERROR_REASON_"))
        .collect();
    assert!(codes.is_subset(&known));
}
