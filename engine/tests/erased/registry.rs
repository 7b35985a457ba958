//! The registry, and that a table without its game's type does what the table does.

use std::collections::BTreeMap;
use std::sync::Arc;

use edgehill_engine::action::ActionId;
use edgehill_engine::chance::Outcome;
use edgehill_engine::chance_source::ChanceSource;
use edgehill_engine::content::ContentFiles;
use edgehill_engine::event::ChanceRef;
use edgehill_engine::game::Node;
use edgehill_engine::reference::Ref;
use edgehill_engine::registry::{Hosted, LoadableGame, Registry, RegistryError};
use edgehill_engine::seat::{Observer, Seat};
use edgehill_engine::setup::Setup;
use edgehill_engine::table::{ApplyMode, LogEntry};
use num_bigint::BigUint;
use rand_chacha::ChaCha8Rng;
use rand_core::SeedableRng;

use super::{action, all_games, finished, game, play, setup, take, toy::Prize};

const NORTH: Seat = Seat::new(0);
const SOUTH: Seat = Seat::new(1);

fn listed() -> LoadableGame {
    LoadableGame {
        id: "prize",
        content: || ContentFiles::builtin(&[]),
        load: |_| Ok(Arc::new(Hosted::new(Prize::new()))),
    }
}

#[test]
fn games_are_found_by_id_and_an_unknown_id_is_answered_with_those_that_exist() {
    let registry = Registry::load(&[listed()], BTreeMap::new()).expect("the toy loads");
    assert_eq!(registry.ids(), ["prize"]);
    assert_eq!(registry.game("prize").expect("it is there").catalogue().title, "Prize");
    let unknown = registry.game("chess").err().expect("it is not there");
    assert_eq!(unknown.to_string(), "game `chess`: this build has prize");
    let empty = Registry::new(Vec::new()).expect("no games are no fault");
    assert_eq!(empty.game("x").err().expect("none").to_string(), "game `x`: this build has none");
}

#[test]
fn loading_names_the_game_at_fault() {
    let files = |name: &str| vec![(name.to_owned(), Vec::new())];
    let load = |overlays| Registry::load(&[listed()], overlays).expect_err("a fault").to_string();
    assert_eq!(
        load(BTreeMap::from([("prize".to_owned(), files("a.toml"))])),
        "content of prize: a.toml: the game has no such content file"
    );
    assert_eq!(
        load(BTreeMap::from([("chess".to_owned(), files("a.toml"))])),
        "content for game `chess`: this build has prize"
    );
    assert!(matches!(Registry::new(vec![game(), game()]), Err(RegistryError::SameId("prize"))));
}

#[test]
fn a_game_is_there_with_two_contents() {
    let registry = Registry::built_in().expect("built-in content is accepted");
    for game in registry.games() {
        let catalogue = game.catalogue();
        let files = registry.content_files(catalogue.id).expect("it is there").expect("it has some");
        let files: Vec<_> = files.iter().map(|(name, bytes)| (name.to_owned(), bytes.to_vec())).collect();
        let again = registry.with_content(catalogue.id, files.clone()).expect("it was accepted before");
        assert_eq!(again.catalogue().content, catalogue.content);
        let unreadable = files.into_iter().map(|(name, _)| (name, b"= 1".to_vec())).collect();
        let error = registry.with_content(catalogue.id, unreadable).err().expect("it can't be read");
        assert!(error.to_string().starts_with(&format!("content of {}: ", catalogue.id)), "{error}");
    }
    let toys = Registry::new(vec![game()]).expect("one game");
    assert!(toys.content_files("prize").expect("it is there").is_none());
    assert!(matches!(toys.with_content("prize", Vec::new()), Err(RegistryError::NoContent("prize"))));
    assert!(toys.with_content("chess", Vec::new()).is_err());
}

#[test]
fn the_built_in_games_load_under_the_ids_of_their_lines() {
    let registry = Registry::built_in().expect("built-in content is accepted");
    let lines: Vec<&str> = edgehill_engine::registry::games().iter().map(|listed| listed.id).collect();
    assert_eq!(registry.ids(), lines);
}

#[test]
fn a_waiting_chance_event_says_what_it_is() {
    let game = game();
    let mut table = game.open(setup(&*game, "pair", 1), ChanceSource::Manual);
    let due = table.chance().expect("luck is drawn first");
    assert_eq!(due.chance_ref, ChanceRef { stream: 3, n: 0 });
    assert_eq!(edgehill_engine::chance_source::describe(&due.chance, table.catalogue()), "one of 1, 2");
    let weights: Vec<BigUint> = table.classes().into_iter().map(|class| class.weight).collect();
    assert_eq!(weights, [BigUint::from(3u8), BigUint::from(1u8)]);
    table.enter(&Outcome::Pick(Ref::Number(2))).expect("it fits");
    assert_eq!(table.chance().expect("the other's").chance_ref, ChanceRef { stream: 3, n: 1 });
    table.enter(&Outcome::Pick(Ref::Number(1))).expect("it fits");
    table.enter(&Outcome::Pick(Ref::Card(4))).expect("it fits");
    assert_eq!(table.chance(), None);
    assert!(table.classes().is_empty());
    assert!(table.enter(&Outcome::Pick(Ref::Card(4))).is_err());
}

#[test]
fn lines_are_read_and_printed_against_the_present_state() {
    let game = game();
    let mut table = game.open(setup(&*game, "pair", 1), ChanceSource::playout(2));
    let actions = table.parse_line(NORTH, " BID 3 ;done").expect("a line");
    assert_eq!(table.print_line(NORTH, &actions), "bid 3; done");
    assert!(table.parse_line(NORTH, "bid 9").is_err());
    assert!(table.rule_violations(NORTH, action(&*table, "bid 2")).is_empty());
    assert_eq!(table.rule_violations(NORTH, action(&*table, "done"))[0].code, "BID_THEN_DONE");
    take(&mut *table, NORTH, "bid 3");
    assert_eq!(table.draft(NORTH), &[actions[0]]);
    table.undo(NORTH, 0).expect("nobody saw it");
    take(&mut *table, NORTH, "bid 1; done");
    assert!(table.committed(NORTH));
    take(&mut *table, SOUTH, "bid 1; done");
    table.resign(SOUTH).expect("it may");
    assert_eq!(table.result().expect("over").returns, [1, -1]);
    assert_eq!(table.rule_violations(NORTH, actions[0])[0].code, "MATCH_FINISHED");
}

#[test]
fn a_draft_is_revised_as_one() {
    let game = game();
    let mut table = game.open(setup(&*game, "pair", 1), ChanceSource::playout(2));
    let [one, three, done] = ["bid 1", "bid 3", "done"].map(|notation| action(&*table, notation));
    take(&mut *table, NORTH, "bid 3");
    let before = table.view(Observer::Seat(NORTH));
    assert!(table.revise(NORTH, 0, &[done], ApplyMode::Atomic).is_err(), "a bid comes first");
    assert_eq!(table.view(Observer::Seat(NORTH)), before);
    let applied = table.revise(NORTH, 0, &[one, done], ApplyMode::Atomic).expect("a bid and its commitment");
    assert_eq!((applied.actions, table.committed(NORTH)), (2, true));
    assert_eq!(table.log().last(), Some(&LogEntry::Commit { seat: NORTH, actions: vec![one, done] }));
    assert!(table.revise(Seat::new(7), 0, &[three], ApplyMode::Atomic).is_err(), "nobody sits there");
}

#[test]
fn an_absent_seat_is_played_to_the_end_of_its_segment() {
    let game = game();
    let mut table = game.open(setup(&*game, "pair", 1), ChanceSource::playout(2));
    take(&mut *table, NORTH, "bid 2");
    assert_eq!(table.default_action(NORTH).expect("it owes").actions, 2, "the toy drops the draft");
    assert!(table.committed(NORTH));
    assert!(table.default_action(NORTH).is_err(), "it is not to act any more");
    assert_eq!(table.default_action(SOUTH).expect("it owes").actions, 2);
    let bids = table.log().iter().rev().take(2).map(|entry| match entry {
        LogEntry::Commit { actions, .. } => table.catalogue().actions.notation(actions[0]),
        other => panic!("{other:?}"),
    });
    assert_eq!(bids.collect::<Vec<_>>(), ["bid 0", "bid 0"]);
    assert_eq!(table.default_action(NORTH).expect("it owes").actions, 1);
    assert_eq!(table.node(), Node::Over);
    assert!(table.default_action(Seat::new(5)).is_err());
}

#[test]
fn a_table_is_saved_copied_and_begun_anew() {
    let game = game();
    let mut table = game.open(setup(&*game, "pair", 3), ChanceSource::playout(4));
    play(&mut *table, &*game, 4, 9);
    let restored = game.restore(&table.save(), ChanceSource::Manual).expect("its own bytes");
    let told = table.published_count(Observer::Spectator);
    assert_eq!(told, table.published(Observer::Spectator, 0).len());
    assert_eq!(restored.published_count(Observer::Spectator), told);
    assert!(restored.published(Observer::Spectator, told).is_empty());
    let mut copy = table.clone();
    for other in [&restored, &copy] {
        assert_eq!(other.encoded(), table.encoded());
        assert_eq!(other.log(), table.log());
        assert_eq!(other.view(Observer::Seat(NORTH)), table.view(Observer::Seat(NORTH)));
    }
    play(&mut *copy, &*game, 5, 1_000);
    assert_ne!(copy.log().len(), table.log().len(), "a copy is a match of its own");
    let anew = table.anew(ChanceSource::Manual).expect("a setup");
    assert_eq!((anew.node(), anew.log().len()), (Node::Chance, 0));
}

#[test]
fn a_described_position_goes_with_its_match() {
    let game = game();
    let position = serde_json::json!({ "scores": [4, 7] });
    let open = |position| game.open_position(setup(&*game, "pair", 1), position, ChanceSource::Manual);
    let table = open(position.clone()).expect("a position of the toy");
    assert_eq!(table.position(), Some(&position));
    assert_eq!(table.anew(ChanceSource::Manual).expect("the same").encoded(), table.encoded());
    let refused = open(serde_json::json!({ "scores": [4] })).err().expect("a number is missing");
    assert_eq!(refused.to_string(), "position, field scores[1]: a number from 0 to 99");
}

#[test]
fn what_if_is_a_function_of_the_view_and_the_generator() {
    let game = game();
    for seed in 0..40 {
        let mut table = game.open(setup(&*game, "pair", 3), ChanceSource::playout(seed));
        play(&mut *table, &*game, seed, seed as usize % 17);
        if table.node() == Node::Over {
            continue;
        }
        for observer in Observer::all(2) {
            let view = table.view(observer);
            let determinize = |from: u64| table.determinize(&view, &mut ChaCha8Rng::seed_from_u64(from));
            let mut determinized = determinize(1);
            assert_eq!(determinized.encoded(), determinize(1).encoded());
            if let Observer::Seat(seat) = observer {
                assert_eq!(determinized.legal(seat), table.legal(seat));
            }
            let (before, length) = (table.encoded(), table.log().len());
            play(&mut *determinized, &*game, 9, 1_000);
            assert_eq!(determinized.node(), Node::Over, "its dice are its own");
            assert_eq!((table.encoded(), table.log().len()), (before, length));
        }
    }
}

#[test]
fn seats_from_outside_are_answered() {
    let game = game();
    let mut table = game.open(setup(&*game, "alone", 1), ChanceSource::playout(4));
    let nobody = Seat::new(7);
    assert!(table.legal(nobody).is_empty() && table.draft(nobody).is_empty());
    assert!(table.standing(nobody).is_empty() && !table.committed(nobody));
    assert!(table.apply(nobody, &[action(&*table, "pass")], ApplyMode::Atomic).is_err());
    assert!(table.stand(nobody, Vec::new()).is_err() && table.resign(nobody).is_err());
    assert!(table.offer_draw(NORTH).is_err(), "there is nobody to agree with");
    assert_eq!(table.view(Observer::Seat(nobody)), table.view(Observer::Spectator));
    assert_eq!(table.published(Observer::Seat(SOUTH), 0), table.published(Observer::Spectator, 0));
    assert_eq!(table.published_count(Observer::Seat(nobody)), table.published(Observer::Spectator, 0).len());
    assert_eq!(finished(&*game, "alone", 1).result().expect("over").returns.len(), 1);
}

#[test]
fn lines_of_a_seat_from_outside_are_answered_before_the_game_reads_them() {
    for game in all_games() {
        let table = game.open(Setup::default_of(game.catalogue()), ChanceSource::playout(1));
        let nobody = Seat::new(7);
        for line in ["", ";", "move 1; A LON-KEN", "I OXF 1"] {
            let error = table.parse_line(nobody, line).expect_err("nobody sits there");
            assert_eq!((error.index, &*error.expected), (0, "a seat of this match"));
        }
        let actions: Vec<ActionId> = game.catalogue().actions.ids().take(3).collect();
        let written: Vec<String> =
            actions.iter().map(|&action| game.catalogue().actions.notation(action)).collect();
        assert_eq!(table.print_line(nobody, &actions), written.join("; "));
        assert_eq!(table.print_line(nobody, &[ActionId(u16::MAX)]), "#65535");
    }
}
