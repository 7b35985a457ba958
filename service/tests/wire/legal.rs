//! Legal lists in each detail, and the way back from each encoding to the same action.

use edgehill_convert::messages;
use edgehill_engine::action::ActionId;
use edgehill_engine::catalogue::Catalogue;
use edgehill_engine::reference::Ref;
use edgehill_engine::registry::AnyTable;
use edgehill_engine::seat::Seat;
use edgehill_engine::table::ApplyMode;
use edgehill_proto::v1::{self, LegalDetail};
use edgehill_service::wire::action_list::Actions;
use edgehill_service::wire::legal::LegalFilter;
use edgehill_service::wire::{action, action_list, legal};
use v1::action::Encoding;

use crate::{SEEDS, below, game, matches, message, open, play, registry};

fn list(catalogue: &Catalogue, legal: &[ActionId], detail: LegalDetail) -> v1::LegalActions {
    messages::legal::of(catalogue, legal, detail).expect("a detail that tells something")
}

fn structure(action: &v1::LegalAction) -> v1::ActionStructure {
    v1::ActionStructure { verb: action.verb.clone(), refs: action.refs.clone() }
}

/// The same actions sent in each of the three encodings.
fn sent(full: &v1::LegalActions) -> [v1::ActionList; 3] {
    [
        message::ids(&full.ids),
        message::structures(full.actions.iter().map(structure).collect()),
        message::notations(&full.actions.iter().map(|action| &*action.notation).collect::<Vec<_>>()),
    ]
}

#[test]
fn what_is_listed_comes_back_as_the_same_actions_in_every_encoding() {
    for seed in SEEDS {
        for mut table in matches(seed) {
            play(&mut *table, seed, |table, rng| {
                let catalogue = table.catalogue();
                for seat in table.node().to_act().iter() {
                    let legal = table.legal(seat);
                    let full = list(catalogue, &legal, LegalDetail::Full);
                    assert_eq!(full.ids, messages::action::ids(&legal));
                    assert!(full.notations.is_empty());
                    let notation = list(catalogue, &legal, LegalDetail::Notation);
                    assert!(notation.ids == full.ids && notation.actions.is_empty());
                    assert!(notation.notations.iter().eq(full.actions.iter().map(|action| &action.notation)));
                    let ids = list(catalogue, &legal, LegalDetail::Ids);
                    assert!(ids.ids == full.ids && ids.actions.is_empty() && ids.notations.is_empty());
                    for sent in sent(&full) {
                        assert_eq!(
                            action_list::read(catalogue, Some(&sent)),
                            Ok(Actions::Ids(legal.clone()))
                        );
                    }
                    line_comes_back(table, seat, legal[below(legal.len(), rng)]);
                }
            });
        }
    }
}

/// An action as the game writes it leads where the action does: a game may write a run of actions in its own way.
fn line_comes_back(table: &dyn AnyTable, seat: Seat, action: ActionId) {
    let line = table.print_line(seat, &[action]);
    let sent = message::line(&line);
    let read = action_list::read(table.catalogue(), Some(&sent)).expect("a line of the game");
    assert_eq!(read, Actions::Line(line.clone()));
    let parsed = table.parse_line(seat, &line).expect("what is printed can be read");
    let after = |actions: &[ActionId]| {
        let mut table = table.clone_box();
        table.apply(seat, actions, ApplyMode::Atomic).map(|_| table.encoded())
    };
    assert_eq!(after(&parsed), after(&[action]), "{line}");
}

#[test]
fn the_three_encodings_are_bijective_over_the_whole_table() {
    for game in registry().games() {
        let catalogue = game.catalogue();
        for id in catalogue.actions.ids() {
            let full = messages::legal::full(catalogue, id);
            let shouted = format!("  {} ", full.notation.to_uppercase().replace(' ', "   "));
            let encodings = [
                Encoding::Id(full.id),
                Encoding::Structure(structure(&full)),
                Encoding::Notation(full.notation),
                Encoding::Notation(shouted),
            ];
            for encoding in encodings {
                let given = v1::Action { encoding: Some(encoding) };
                assert_eq!(action::read(catalogue, Some(&given)), Ok(id));
            }
        }
    }
}

#[test]
fn a_legal_action_says_what_the_table_says() {
    let game = game("skirmish");
    let catalogue = game.catalogue();
    let march = catalogue.actions.parse("march north-camp ford").expect("an action of the game");
    let full = messages::legal::full(catalogue, march);
    assert_eq!((&*full.verb, full.kind()), ("march", v1::VerbKind::Play));
    assert_eq!(full.refs, messages::reference::all(&catalogue.actions.get(march).expect("it is there").refs));
    assert!(full.text.contains("North Camp"), "{}", full.text);
    assert_eq!(messages::legal::of(catalogue, &[march], LegalDetail::None), None);
    let outside = messages::legal::full(catalogue, ActionId(u16::MAX));
    assert_eq!((outside.kind(), &*outside.notation), (v1::VerbKind::Unspecified, "#65535"));
}

#[test]
fn filters_leave_what_has_all_that_they_name() {
    let game = game("skirmish");
    let catalogue = game.catalogue();
    let of = |verbs: &[&str], refs: &[Ref]| -> Vec<String> {
        let verbs: Vec<String> = verbs.iter().map(|&verb| verb.to_owned()).collect();
        let filter = LegalFilter::read(catalogue, &verbs, &messages::reference::all(refs))
            .expect("things of the game");
        let admitted = catalogue.actions.ids().filter(|&action| filter.admits(catalogue, action));
        admitted.map(|action| catalogue.actions.notation(action)).collect()
    };
    assert_eq!(of(&[], &[]).len(), catalogue.actions.len());
    assert_eq!(of(&["pass", "done"], &[]), ["pass", "done"]);
    let marches = of(&["march"], &[Ref::Space(0)]);
    assert!(
        marches.len() > 1
            && marches.iter().all(|one| one.starts_with("march ") && one.contains("north-camp"))
    );
    let both = of(&["march"], &[Ref::Space(0), Ref::Space(1)]);
    assert_eq!(both.len(), 2, "there and back: {both:?}");
    assert!(of(&["done"], &[Ref::Space(0)]).is_empty());
    assert!(!LegalFilter::default().admits(catalogue, ActionId(u16::MAX)), "the table does not have it");
}

#[test]
fn details_are_read_with_the_default_of_their_field() {
    let detail = |given| legal::detail(given, LegalDetail::Ids, "detail");
    assert_eq!(detail(0), Ok(LegalDetail::Ids));
    assert_eq!(detail(1), Ok(LegalDetail::None));
    assert_eq!(detail(4), Ok(LegalDetail::Full));
    assert_eq!(crate::refused(detail(5)).1, ["detail"]);
    let table = open(&*game("skirmish"));
    assert!(table.legal(Seat::new(7)).is_empty());
}
