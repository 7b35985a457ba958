//! Requests of callers that are no list of actions.

use edgehill_engine::action::ActionId;
use edgehill_engine::catalogue::{LINE_BYTES_MAX, LIST_ACTIONS_MAX};
use edgehill_engine::table::ApplyMode;
use edgehill_proto::v1;
use edgehill_service::wire::action_list::Actions;
use edgehill_service::wire::{action, action_list};
use v1::action::Encoding;
use v1::r#ref::What;

use crate::message::{ids, line, notations, structures};
use crate::{game, refused};

fn read(given: v1::ActionList) -> (String, Vec<String>, Option<u32>) {
    refused(action_list::read(game("skirmish").catalogue(), Some(&given)))
}

fn structure(verb: &str, refs: &[Option<What>]) -> v1::ActionStructure {
    v1::ActionStructure { verb: verb.to_owned(), refs: refs.iter().map(|&what| v1::Ref { what }).collect() }
}

fn at(reason: &str, field: &str) -> (String, Vec<String>, Option<u32>) {
    (reason.to_owned(), vec![field.to_owned()], None)
}

fn unknown(index: u32) -> (String, Vec<String>, Option<u32>) {
    ("UNKNOWN_ACTION".to_owned(), Vec::new(), Some(index))
}

#[test]
fn no_actions_are_no_list() {
    assert_eq!(refused(action_list::read(game("skirmish").catalogue(), None)), at("EMPTY_LIST", "actions"));
    assert_eq!(read(v1::ActionList::default()), at("EMPTY_LIST", "actions"));
    assert_eq!(read(ids(&[])), at("EMPTY_LIST", "actions.ids.values"));
    assert_eq!(read(structures(Vec::new())), at("EMPTY_LIST", "actions.structures.values"));
    assert_eq!(read(notations(&[])), at("EMPTY_LIST", "actions.notations.values"));
    assert_eq!(read(line("")), at("EMPTY_LIST", "actions.line"));
    assert_eq!(read(line(" \t\n ")), at("EMPTY_LIST", "actions.line"));
}

#[test]
fn a_list_has_as_many_actions_as_the_limit_says() {
    let game = game("skirmish");
    let read_ids = |count| action_list::read(game.catalogue(), Some(&ids(&vec![1; count])));
    assert_eq!(read_ids(LIST_ACTIONS_MAX), Ok(Actions::Ids(vec![ActionId(1); LIST_ACTIONS_MAX])));
    assert_eq!(refused(read_ids(LIST_ACTIONS_MAX + 1)), at("LIST_TOO_LONG", "actions.ids.values"));
    let done = structure("done", &[]);
    assert_eq!(
        read(structures(vec![done; LIST_ACTIONS_MAX + 1])),
        at("LIST_TOO_LONG", "actions.structures.values")
    );
    assert_eq!(
        read(notations(&["done"; LIST_ACTIONS_MAX + 1])),
        at("LIST_TOO_LONG", "actions.notations.values")
    );
}

#[test]
fn a_line_has_as_many_bytes_as_the_limit_says() {
    let game = game("skirmish");
    let fits = "x".repeat(LINE_BYTES_MAX);
    assert_eq!(action_list::read(game.catalogue(), Some(&line(&fits))), Ok(Actions::Line(fits)));
    assert_eq!(read(line(&"x".repeat(LINE_BYTES_MAX + 1))), at("LINE_TOO_LONG", "actions.line"));
    // Bytes, not letters.
    assert_eq!(read(line(&"é".repeat(LINE_BYTES_MAX / 2 + 1))), at("LINE_TOO_LONG", "actions.line"));
}

#[test]
fn the_first_action_that_the_table_does_not_have_is_named() {
    let count = game("skirmish").catalogue().actions.len() as u32;
    assert_eq!(read(ids(&[0, 1, count, count + 1])), unknown(2));
    assert_eq!(read(ids(&[0, u32::MAX])), unknown(1));
    // An id is not cut down to the table's size.
    assert_eq!(read(ids(&[65_536])), unknown(0));
    assert_eq!(read(notations(&["done", "march", "done"])), unknown(1));
    assert_eq!(read(notations(&[""])), unknown(0));
    let done = structure("done", &[]);
    for bad in [
        structure("charge", &[]),
        structure("", &[]),
        structure("Done", &[]),
        structure("done", &[Some(What::Space(0))]),
        structure("card", &[]),
        structure("card", &[Some(What::Space(0))]),
        structure("card", &[Some(What::Card(6_000))]),
        structure("card", &[Some(What::Card(u32::MAX))]),
        structure("card", &[Some(What::Card(0)), Some(What::Card(1)), Some(What::Card(2))]),
        structure("card", &[Some(What::Seat(200))]),
        structure("march", &[Some(What::Space(1)), Some(What::Space(1))]),
    ] {
        assert_eq!(read(structures(vec![done.clone(), bad.clone()])), unknown(1), "{bad:?}");
    }
}

#[test]
fn a_reference_that_names_nothing_is_a_field_at_fault() {
    let empty = structure("march", &[Some(What::Space(0)), None]);
    let found = read(structures(vec![structure("done", &[]), empty]));
    assert_eq!(
        found,
        ("INVALID_FIELD".to_owned(), vec!["actions.structures.values[1].refs[1]".to_owned()], Some(1))
    );
}

#[test]
fn a_single_action_is_read_alike() {
    let game = game("skirmish");
    let read = |encoding| action::read(game.catalogue(), Some(&v1::Action { encoding }));
    assert_eq!(refused(action::read(game.catalogue(), None)), at("INVALID_FIELD", "action"));
    assert_eq!(refused(read(None)), at("INVALID_FIELD", "action"));
    for encoding in [
        Encoding::Id(9_999),
        Encoding::Notation("charge".to_owned()),
        Encoding::Structure(structure("charge", &[])),
    ] {
        assert_eq!(refused(read(Some(encoding))), ("UNKNOWN_ACTION".to_owned(), Vec::new(), None));
    }
    let unset = Encoding::Structure(structure("card", &[None]));
    assert_eq!(refused(read(Some(unset))), at("INVALID_FIELD", "action.structure.refs[0]"));
}

#[test]
fn modes_are_those_of_the_wire() {
    assert_eq!(action_list::mode(0), Ok(ApplyMode::Atomic));
    assert_eq!(action_list::mode(1), Ok(ApplyMode::Atomic));
    assert_eq!(action_list::mode(2), Ok(ApplyMode::UntilReveal));
    for unknown in [3, -1, i32::MAX] {
        assert_eq!(refused(action_list::mode(unknown)), at("INVALID_FIELD", "mode"));
    }
}
