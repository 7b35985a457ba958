//! Mandatory cards of boards that were set at random: the New Model Army (6.5), in game and model.

use edgehill_engine::event::Events;
use edgehill_engine::game::{Game, Node};
use serde_json::{Value, json};

use super::atlas::SIDES;
use super::model::Model;
use super::random::Random;
use super::reading::read;
use super::survey::{Played, Survey, survey};
use super::umpire::{Halt, Umpire};
use super::world::Options;
use super::{ATLAS, GAME, described, generate, position};

/// Positions in full.
const POSITIONS: usize = 20_000;

/// A board at the play of the card, by either side.
fn at_the_card(random: &mut Random) -> (Value, Options, usize) {
    let world = generate::before_new_model(&ATLAS, random);
    let side = random.below(2);
    let mut hands = [vec!["C01", "C02", "E13", "E14"], vec!["C03", "C04", "E15", "E16"]];
    hands[side].push("X03");
    let mut described = described::position(&world, "campaign");
    described["late_war"] = json!(true);
    described["hands"] = json!({ "royalist": hands[0], "parliament": hands[1] });
    described["on_turn"] = json!(SIDES[side]);
    (described, world.options, side)
}

/// Plays the card in both; none if the board can't stand so.
fn play(described: &Value, options: &Options, side: usize, random: Random) -> Played {
    let Ok(state) = position(described, options) else { return Ok(None) };
    let mut umpire = Umpire::new(&GAME, state, random);
    GAME.open(&mut umpire.state, &mut Events::silent());
    let mut world = read(&GAME, &ATLAS, &umpire.state);
    world.options.clone_from(options);
    umpire.act(side, "card X03");
    umpire.act(side, "use event");
    let mut model = Model::new(world, &mut umpire);
    let played = model.new_model();
    let world = model.world;
    let after = umpire.told.join("; ");
    match played {
        Err(Halt::Over) if GAME.node(&umpire.state) == Node::Over => return Ok(Some(umpire.told)),
        Err(halt) => return Err(format!("{halt:?}\nafter {after}")),
        Ok(()) => {}
    }
    if !["play", "queue"].contains(&umpire.innermost()) {
        let offered = [0, 1].map(|side| umpire.offered(side));
        return Err(format!(
            "the model is done, the game in {}: {offered:?}\nafter {after}",
            umpire.innermost()
        ));
    }
    match umpire.compare(&world) {
        Err(halt) => Err(format!("at the end: {halt:?}\nafter {after}")),
        Ok(()) => Ok(Some(umpire.told)),
    }
}

#[test]
fn the_new_model_army_is_formed_as_the_model_forms_it() {
    let Survey { played, verbs } = survey(POSITIONS, at_the_card, play);
    assert!(verbs["roll"] * 100 > played, "Battles are fought: {verbs:?}");
}
