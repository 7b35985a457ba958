//! Runs that a house bot leads: they come where they should, are counted there, and what fails on the way is on record.

use std::sync::Arc;

use edgehill_engine::action::ActionId;
use edgehill_engine::bot::{Bot, HouseBot, random};
use edgehill_engine::catalogue::Catalogue;
use edgehill_engine::laws::{
    Care, Failure, Law, Laws, Leads, Tally, TurnTrack, Volume, conform, conform_led, rerun,
};
use edgehill_engine::setup::Setup;
use edgehill_engine::view::View;

use super::fault::{Fault, Healthy, Mutant};
use super::flow;

/// The last turn of a match, if the game's own track does not say it.
type Last = Option<fn(&Catalogue, &Setup) -> i32>;

const VOLUME: Volume = Volume { nodes: 2_000, runs: 20, seed: 1642 };

fn led(
    game: &Arc<Mutant>,
    laws: Laws,
    bot: HouseBot<Mutant>,
    marker: &'static str,
    last: Last,
) -> Result<Tally, Box<Failure>> {
    let leads = Leads { bots: vec![bot], turns: TurnTrack { marker, last } };
    conform_led(game, VOLUME, laws, Care::Sampled, &leads)
}

fn healthy() -> Arc<Mutant> {
    Arc::new(Mutant::new(Healthy))
}

#[test]
fn led_runs_are_looked_at_from_where_they_were_led() {
    let game = healthy();
    let tally = led(&game, Laws::CHEAP, random(), "turn", None).expect("the specimen keeps the laws");
    assert_eq!(tally.turns.all(), tally.nodes, "each node that is looked at is counted");
    assert!(tally.calls > tally.nodes + tally.nodes / 4, "the calls of the bots are not looked at: {tally}");
    let by_chance = conform(&game, VOLUME, Laws::CHEAP, Care::Sampled).expect("the specimen keeps the laws");
    assert!(
        by_chance.calls < by_chance.nodes,
        "without them there is a node before the first call: {by_chance}"
    );
    assert_eq!(by_chance.turns.all(), 0, "nobody has said what counts its turns");
    assert_eq!(Ok(tally), led(&game, Laws::CHEAP, random(), "turn", None), "the seed decides all of it");
}

#[test]
fn the_last_third_is_of_the_turns_that_a_match_can_have() {
    let late = |last: Last| {
        let tally =
            led(&healthy(), Laws::CHEAP, random(), "turn", last).expect("the specimen keeps the laws");
        let turns = tally.turns.iter().map(|(turn, all, late)| (turn, all > 0, late == all, late == 0));
        assert!(tally.turns.iter().all(|(_, all, late)| late == all || late == 0));
        turns.filter(|turn| turn.2).map(|(turn, ..)| turn).collect::<Vec<_>>()
    };
    assert_eq!(late(None), [3, 4], "of the four on its track");
    assert_eq!(late(Some(|_, _| 3)), [3, 4]);
    assert_eq!(late(Some(|_, _| 5)), [4]);
    assert_eq!(late(Some(|_, _| 11)), [] as [i32; 0], "of eleven the last four");
    assert_eq!(late(Some(|_, _| 1)), [1, 2, 3, 4]);
}

#[test]
fn a_table_names_each_turn_and_what_is_late() {
    let tally = led(&healthy(), Laws::CHEAP, random(), "turn", None).expect("the specimen keeps the laws");
    let table = tally.turns.to_string();
    let lines: Vec<&str> = table.lines().collect();
    let firsts: Vec<&str> = lines.iter().filter_map(|line| line.split_whitespace().next()).collect();
    assert_eq!(firsts[..5], ["turn", "1", "2", "3", "4"], "{table}");
    let sum = format!("{} of {} nodes", tally.turns.late(), tally.turns.all());
    assert!(lines[5].starts_with(&sum), "{table}");
}

#[test]
fn a_marker_that_nobody_sees_counts_no_turns() {
    let failure =
        led(&healthy(), Laws::CHEAP, random(), "no-such", None).expect_err("no such marker is there");
    assert_eq!((failure.law, failure.action), (Law::Views, 0));
    assert!(failure.detail.contains("`no-such`"), "{failure}");
}

/// Takes the first action of the table, whatever is legal.
struct Stubborn;

impl Bot for Stubborn {
    fn choose(&mut self, _: &View, _: &[ActionId]) -> ActionId {
        ActionId(0)
    }
}

#[test]
fn a_bot_that_chooses_what_is_refused_is_named() {
    let stubborn = HouseBot { name: "stubborn", about: "", make: |_, _, _| Box::new(Stubborn) };
    let failure =
        led(&healthy(), Laws::CHEAP, stubborn, "turn", None).expect_err("its first choice is refused");
    assert_eq!(failure.law, Law::Listed);
    assert!(failure.detail.contains("`stubborn`"), "{failure}");
}

/// The run of a failure fails again, whoever made its calls.
fn fails_again(fault: impl Fault, law: Law) {
    let game = Arc::new(Mutant::new(fault));
    let failure = led(&game, Laws::from(law), random(), "turn", None).expect_err("the fault shows");
    assert_eq!(failure.law, law);
    let again = rerun(&game, &failure.run, failure.seed, Laws::from(law)).expect_err("it shows again");
    assert_eq!(again.law, law);
}

#[test]
fn what_fails_while_a_bot_leads_is_on_record() {
    fails_again(flow::Brittle, Law::Panic);
}
