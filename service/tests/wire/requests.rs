//! Set-ups, positions, rules versions, seats, observers, filters and standing passes, as callers send them.

use edgehill_convert::messages;
use edgehill_engine::catalogue::STANDING_PASSES_MAX;
use edgehill_engine::seat::{Observer, Seat};
use edgehill_engine::setup::Setup;
use edgehill_engine::view::{PassScope, StandingPass};
use edgehill_proto::v1;
use edgehill_service::wire::legal::LegalFilter;
use edgehill_service::wire::{observer, position, rules_version, seat, setup, standing};
use v1::r#ref::What;

use crate::{game, refused};

fn at(reason: &str, fields: &[&str]) -> (String, Vec<String>, Option<u32>) {
    (reason.to_owned(), fields.iter().map(|&field| field.to_owned()).collect(), None)
}

fn options(options: &[(&str, &str)]) -> Vec<v1::OptionValue> {
    options
        .iter()
        .map(|&(id, value)| v1::OptionValue { id: id.to_owned(), value: value.to_owned() })
        .collect()
}

#[test]
fn a_setup_is_read_as_it_is_said() {
    let war = game("english-civil-war-iia");
    let catalogue = war.catalogue();
    let read = |scenario, given: &[(&str, &str)]| setup::read(catalogue, scenario, &options(given));
    assert_eq!(read("", &[]), Ok(Setup::default_of(catalogue)));
    let chosen = read("war", &[("cut_all", "true")]).expect("an option of the game");
    assert_eq!(setup::scenario(catalogue, &chosen), "war");
    let said = setup::options(catalogue, &chosen);
    let ids: Vec<&str> = said.iter().map(|option| &*option.id).collect();
    assert_eq!(ids, ["max_seasons", "cut_all"], "in the catalogue's order");
    assert_eq!(said[1].value, "true");
    assert_eq!(setup::read(catalogue, "war", &said), Ok(chosen));
}

#[test]
fn a_setup_that_the_game_does_not_have_is_refused_at_its_fields() {
    let war = game("english-civil-war-iia");
    let read =
        |scenario, given: &[(&str, &str)]| refused(setup::read(war.catalogue(), scenario, &options(given)));
    assert_eq!(read("naseby", &[]), at("UNKNOWN_SCENARIO", &["scenario"]));
    assert_eq!(read("", &[("cut_all", "true"), ("fog", "true")]), at("UNKNOWN_OPTION", &["options[1].id"]));
    for bad in ["TRUE", "1", "", "maybe"] {
        assert_eq!(read("", &[("cut_all", bad)]), at("BAD_OPTION_VALUE", &["options[0].value"]));
    }
    for bad in ["0", "-3", "999999999999", "six", "6.0"] {
        let given = [("cut_all", "false"), ("max_seasons", bad)];
        assert_eq!(read("", &given), at("BAD_OPTION_VALUE", &["options[1].value"]), "{bad}");
    }
    let all = [("max_seasons", "none"), ("cut_all", "true"), ("fog", "thick")];
    assert_eq!(read("", &all), at("BAD_OPTION_VALUE", &["options[0].value", "options[2].id"]), "all at once");
    let twice = [("cut_all", "true"), ("max_seasons", "6"), ("cut_all", "true")];
    assert_eq!(read("", &twice), at("INVALID_FIELD", &["options[2].id"]));
    let said = setup::read(war.catalogue(), "", &options(&[("fog", "true")])).expect_err("no such option");
    let description = &said.refusal().field_violations[0].description;
    assert!(description.contains("max_seasons, cut_all"), "it lists those that there are: {description}");
}

#[test]
fn a_position_is_json_of_a_size() {
    let read = |text: &str| position::read(text, 64);
    assert_eq!(read(""), Ok(None));
    assert_eq!(read(r#"{"turn": 2}"#), Ok(Some(serde_json::json!({ "turn": 2 }))));
    let fits = format!("\"{}\"", "x".repeat(62));
    assert!(read(&fits).is_ok());
    for bad in [&*format!("{fits} "), "{", "turn 2", "{} {}", "1e999", " "] {
        assert_eq!(refused(read(bad)), at("INVALID_FIELD", &["position_json"]), "{bad}");
    }
    let deep = format!("{}{}", "[".repeat(10_000), "]".repeat(10_000));
    assert_eq!(refused(position::read(&deep, 32_768)), at("INVALID_FIELD", &["position_json"]));
}

#[test]
fn a_rules_version_is_checked_in_the_parts_that_it_has() {
    let game = game("skirmish");
    let catalogue = game.catalogue();
    let ours = messages::rules_version::of(catalogue);
    assert_eq!(ours.content_hash.len(), 32);
    let check = |given: Option<v1::RulesVersion>| rules_version::check(catalogue, given.as_ref());
    assert_eq!(check(None), Ok(()));
    assert_eq!(check(Some(v1::RulesVersion::default())), Ok(()));
    assert_eq!(check(Some(ours.clone())), Ok(()));
    assert_eq!(check(Some(v1::RulesVersion { number: 0, ..ours.clone() })), Ok(()));
    assert_eq!(check(Some(v1::RulesVersion { content_hash: Vec::new(), ..ours.clone() })), Ok(()));
    let version = v1::RulesVersion { number: ours.number + 1, ..ours.clone() };
    assert_eq!(refused(check(Some(version))), at("RULES_CHANGED", &["rules.number"]));
    let content = v1::RulesVersion { content_hash: vec![7; 32], ..ours.clone() };
    assert_eq!(refused(check(Some(content))), at("RULES_CHANGED", &["rules.content_hash"]));
    let short = v1::RulesVersion { content_hash: vec![7; 31], ..ours };
    assert_eq!(refused(check(Some(short))), at("INVALID_FIELD", &["rules.content_hash"]));
}

#[test]
fn seats_and_observers_are_those_of_the_match() {
    for seats in 1..=Seat::MAX {
        for number in 0..seats {
            assert_eq!(seat::read(number as u32, seats).map(Seat::index), Ok(number));
        }
    }
    for number in [2, 7, 8, 200, 255, 256, u32::MAX] {
        assert_eq!(refused(seat::read(number, 2)), at("UNKNOWN_SEAT", &[]), "{number}");
        let given = v1::Observer { seat: Some(number) };
        assert_eq!(refused(observer::read(Some(&given), 2)), at("UNKNOWN_SEAT", &[]), "{number}");
    }
    assert_eq!(refused(seat::read(8, 1_000)), at("UNKNOWN_SEAT", &[]), "no game has so many");
    let read = |given: Option<v1::Observer>| observer::read(given.as_ref(), 2).expect("it is there");
    assert_eq!(read(None), None);
    assert_eq!(read(Some(v1::Observer { seat: None })), Some(Observer::Spectator));
    for observer in Observer::all(2) {
        assert_eq!(read(Some(messages::observer::of(observer))), Some(observer));
    }
}

#[test]
fn filters_name_things_of_the_game() {
    let game = game("skirmish");
    let read = |verbs: &[&str], refs: &[Option<What>]| {
        let verbs: Vec<String> = verbs.iter().map(|&verb| verb.to_owned()).collect();
        let refs: Vec<v1::Ref> = refs.iter().map(|&what| v1::Ref { what }).collect();
        LegalFilter::read(game.catalogue(), &verbs, &refs)
    };
    assert_eq!(refused(read(&["march", "charge"], &[])), at("INVALID_FIELD", &["verbs[1]"]));
    let spaces = game.catalogue().spaces.len() as u32;
    let last = Some(What::Space(spaces - 1));
    assert!(read(&[], &[last, Some(What::Number(-9))]).is_ok());
    for bad in [
        None,
        Some(What::Space(spaces)),
        Some(What::Space(u32::MAX)),
        Some(What::Track(1)),
        Some(What::Seat(2)),
        Some(What::Seat(200)),
    ] {
        assert_eq!(refused(read(&[], &[last, bad])), at("INVALID_FIELD", &["refs[1]"]), "{bad:?}");
    }
    assert_eq!(refused(read(&[], &[last; 3])), at("INVALID_FIELD", &["refs"]));
}

#[test]
fn standing_passes_are_read_as_they_are_said() {
    let window = Some("interception".to_owned());
    let passes = [
        StandingPass { window: None, scope: PassScope::Always },
        StandingPass { window: window.clone(), scope: PassScope::UntilAttacked },
        StandingPass { window: window.clone(), scope: PassScope::Procedure(0) },
        StandingPass { window, scope: PassScope::Procedure(7) },
    ];
    let said: Vec<v1::StandingPass> = passes.iter().map(messages::standing::of).collect();
    assert_eq!(standing::read(&said), Ok(passes.to_vec()));
    let full = vec![said[0].clone(); STANDING_PASSES_MAX];
    assert!(standing::read(&full).is_ok());
    assert_eq!(
        refused(standing::read(&[&full[..], &said[..1]].concat())),
        at("INVALID_FIELD", &["standing_passes"])
    );
    let bad = |pass| refused(standing::read(&[said[0].clone(), pass]));
    for scope in [0, 4, -1] {
        let pass = v1::StandingPass { scope, ..said[0].clone() };
        assert_eq!(bad(pass), at("INVALID_FIELD", &["standing_passes[1].scope"]));
    }
    let elsewhere = v1::StandingPass { procedure: 3, ..said[1].clone() };
    assert_eq!(bad(elsewhere), at("INVALID_FIELD", &["standing_passes[1].procedure"]));
    let long = v1::StandingPass { window: "w".repeat(65), ..said[0].clone() };
    assert_eq!(bad(long), at("INVALID_FIELD", &["standing_passes[1].window"]));
}
