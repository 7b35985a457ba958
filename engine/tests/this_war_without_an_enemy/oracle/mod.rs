//! This War Without an Enemy beside a slow model of its Tactical and Supply Phases (sections 7 to 9), written from the rulebook:
//! both play the same positions with the same choices and dice, and must be asked the same and show the same board at each action.

mod atlas;
mod battle;
mod chronicle;
mod described;
mod fight;
mod games;
mod generate;
mod onlooker;
mod phases;
mod played;
#[path = "../../support/random.rs"]
mod random;
mod regressions;
mod retreat;
mod rounds;
mod siege;
mod supply;
#[cfg(feature = "rule-switch")]
mod switch;
mod umpire;
mod walk;
mod watched;
mod world;

use std::collections::BTreeMap;

use edgehill_engine::game::Game;
use edgehill_engine::games::this_war_without_an_enemy::ThisWarWithoutAnEnemy as ThisWar;
use edgehill_engine::setup::Setup;
use serde_json::Value;

use crate::volume::volume;
use atlas::Atlas;
use fight::Model;
use random::Random;
use umpire::Umpire;

/// Positions in full.
const POSITIONS: usize = 100_000;

fn game() -> ThisWar {
    ThisWar::load(&ThisWar::builtin()).expect("built-in content loads")
}

#[test]
fn names_are_the_same() {
    let (game, atlas) = (game(), Atlas::load());
    let catalogue = game.catalogue();
    let places = atlas.areas.iter().map(|area| &area.id).chain(atlas.cities.iter().map(|city| &city.id));
    assert!(places.eq(catalogue.spaces.iter().map(|space| &space.entry.id)));
    assert!(atlas.blocks.iter().map(|block| &block.id).eq(catalogue.pieces.iter().map(|piece| &piece.id)));
}

/// Plays a position in both, with these choices first, then at random; what was chosen.
fn play(
    game: &ThisWar,
    atlas: &Atlas,
    position: &Value,
    script: &str,
    random: Random,
) -> Result<Vec<String>, String> {
    let setup = Setup::default_of(game.catalogue());
    let state = match game.position(&setup, position) {
        Ok(state) => state,
        Err(error) => return Err(format!("the position is refused: {error}\n{position}")),
    };
    let mut umpire = Umpire::new(game, state, random);
    umpire.script =
        script.split(';').map(str::trim).filter(|word| !word.is_empty()).map(str::to_owned).collect();
    let mut model = Model { atlas, world: described::world(atlas, position), umpire };
    match model.play() {
        Ok(()) if !model.umpire.script.is_empty() => Err(format!("{:?} is left over", model.umpire.script)),
        Ok(()) => Ok(model.umpire.told),
        Err(fault) => Err(format!("{fault}\nafter {}\nfrom {position}", model.umpire.told.join("; "))),
    }
}

#[test]
fn described_positions_are_played_as_the_model_plays_them() {
    let (game, atlas) = (game(), Atlas::load());
    let volume = volume(POSITIONS);
    let mut seeds = Random::new(volume.seed);
    let mut verbs = BTreeMap::<String, usize>::new();
    let mut faults = Vec::new();
    for _ in 0..volume.cases {
        let mut random = Random::new(seeds.next());
        let position = generate::position(&atlas, &mut random);
        match play(&game, &atlas, &position, "", random) {
            Ok(told) => {
                for words in told {
                    let verb = words.split([' ', ',']).next().unwrap_or_default();
                    let verb = if verb.starts_with('[') { "roll" } else { verb };
                    *verbs.entry(verb.to_owned()).or_default() += 1;
                }
            }
            Err(fault) => faults.push(fault),
        }
    }
    println!("{verbs:?}");
    faults.sort_by_key(String::len);
    assert!(faults.is_empty(), "{} of {} differ, for one:\n{}", faults.len(), volume.cases, faults[0]);
}
