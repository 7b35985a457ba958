//! The last turn of a match, for games of which the setup decides it: the number that the marker of turns then has.

use edgehill_engine::catalogue::{AttributeValue, Catalogue};
use edgehill_engine::games::english_civil_war_iia::EnglishCivilWar;
use edgehill_engine::reference::Ref;
use edgehill_engine::setup::Setup;

/// Cruel Necessity: each Event card of the scenario's Civil Wars is a turn (4.0).
pub(crate) fn events_of_the_wars(catalogue: &Catalogue, setup: &Setup) -> i32 {
    let wars = match catalogue.scenarios[setup.scenario()].id {
        "whole-war" => 1..=3,
        "first" => 1..=1,
        "second" => 2..=2,
        "third" => 3..=3,
        "first-second" => 1..=2,
        "second-third" => 2..=3,
        other => panic!("scenario `{other}`: which wars is it about?"),
    };
    let fact = |card: u16, id: &str| catalogue.attribute(Ref::Card(card), id).map(|fact| &fact.values[..]);
    let is_turn = |card: u16| {
        let event = fact(card, "kind") == Some(&[AttributeValue::Text("event".to_owned())]);
        let war = matches!(fact(card, "war"), Some(&[AttributeValue::Number(war)]) if wars.contains(&war));
        event && war
    };
    let cards = 0..catalogue.cards.len() as u16;
    cards.filter(|&card| is_turn(card)).count() as i32
}

/// English Civil War IIa: the month of the last points/build season, with which it ends (V9); a season comes every fourth month.
pub(crate) fn month_of_the_last_season(_: &Catalogue, setup: &Setup) -> i32 {
    4 * (setup.option(EnglishCivilWar::MAX_SEASONS) - 1)
}
