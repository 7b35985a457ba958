//! Mandatory cards of boards that were set at random (6.5), in game and model.

use edgehill_engine::event::Events;
use edgehill_engine::game::{Game, Node};
use serde_json::{Value, json};

use super::atlas::SIDES;
use super::generate::ToCome;
use super::model::Model;
use super::random::Random;
use super::reading::read;
use super::survey::{Played, Survey, survey};
use super::umpire::{Halt, Umpire};
use super::world::Options;
use super::{ATLAS, GAME, described, generate, position};

/// Positions of the New Model Army and of the Solemn League in full; of the Standard, which asks little.
const POSITIONS: [usize; 2] = [20_000, 4_000];

/// The ids of the cards.
const fn id(card: ToCome) -> &'static str {
    match card {
        ToCome::Standard => "X01",
        ToCome::League => "X02",
        ToCome::NewModel => "X03",
    }
}

/// A board at the play of a card, by either side.
fn before(random: &mut Random, card: ToCome) -> (Value, Options, usize) {
    let world = generate::before(&ATLAS, random, card);
    let side = random.below(2);
    let mut hands = [vec!["C01", "C02", "E13", "E14"], vec!["C03", "C04", "E15", "E16"]];
    hands[side].push(id(card));
    let mut described = described::position(&world, "campaign");
    if card == ToCome::NewModel {
        described["late_war"] = json!(true);
    }
    described["hands"] = json!({ "royalist": hands[0], "parliament": hands[1] });
    if card != ToCome::Standard {
        described["discard"] = json!(["E28", "E03", "E08", "E11", "E20"]);
    }
    described["on_turn"] = json!(SIDES[side]);
    (described, world.options, side)
}

/// Plays the card in both; none if the board can't stand so.
fn play(described: &Value, options: &Options, (card, side): (ToCome, usize), random: Random) -> Played {
    let Ok(state) = position(described, options) else { return Ok(None) };
    let mut umpire = Umpire::new(&GAME, state, random);
    GAME.open(&mut umpire.state, &mut Events::silent());
    let mut world = read(&GAME, &ATLAS, &umpire.state);
    world.options.clone_from(options);
    umpire.act(side, &format!("card {}", id(card)));
    umpire.act(side, "use event");
    let mut model = Model::new(world, &mut umpire);
    let played = match card {
        ToCome::Standard => model.standard(side),
        ToCome::League => model.solemn_league(side),
        // B18: the sets that its Battles won are played behind it.
        ToCome::NewModel => model.new_model().and_then(|()| model.play_sets()),
    };
    let world = model.world;
    let after = umpire.told.join("; ");
    match played {
        Err(Halt::Beyond) => return Ok(Some(umpire.telling())),
        Err(Halt::Over) if GAME.node(&umpire.state) == Node::Over => return Ok(Some(umpire.telling())),
        Err(halt) => return Err(format!("{halt:?}\nafter {after}")),
        Ok(()) => {}
    }
    if umpire.innermost() != "play" || umpire.plays_sets() {
        let offered = [0, 1].map(|side| umpire.offered(side));
        return Err(format!(
            "the model is done, the game in {}: {offered:?}\nafter {after}",
            umpire.innermost()
        ));
    }
    match umpire.compare(&world) {
        Err(halt) => Err(format!("at the end: {halt:?}\nafter {after}")),
        Ok(()) => Ok(Some(umpire.telling())),
    }
}

/// Plays a card on so many boards.
fn survey_of(card: ToCome, positions: usize) -> Survey {
    let set = |random: &mut Random| before(random, card);
    survey(positions, set, |described, options, side, random| play(described, options, (card, side), random))
}

#[test]
fn the_standard_is_raised_as_the_model_raises_it() {
    let survey = survey_of(ToCome::Standard, POSITIONS[1]);
    assert!(survey.verbs["from"] * 10 > survey.played, "Parliament recruits: {:?}", survey.verbs);
}

#[test]
fn the_solemn_league_comes_as_the_model_has_it() {
    let survey = survey_of(ToCome::League, POSITIONS[0]);
    assert!(survey.verbs["roll"] * 4 > survey.played, "Battles are fought: {:?}", survey.verbs);
    assert!(survey.verbs["from"] * 4 > survey.played, "the Royalist recruits: {:?}", survey.verbs);
    survey.reaches(&[("a bonus card", 50), ("several bonus sets", 3)]);
}

#[test]
fn the_new_model_army_is_formed_as_the_model_forms_it() {
    let survey = survey_of(ToCome::NewModel, POSITIONS[0]);
    assert!(survey.verbs["roll"] * 100 > survey.played, "Battles are fought: {:?}", survey.verbs);
    survey.reaches(&[("a bonus card", 3)]);
}
