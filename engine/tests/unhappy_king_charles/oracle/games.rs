//! Whole games at random, with any optional rules, in which the model takes over wherever something of its sections begins: markers of the
//! Housekeeping Phase, cards that Activate, Bombard or Raid, Desertion.

use std::collections::BTreeMap;

use edgehill_engine::chance_source::sampled;
use edgehill_engine::event::Events;
use edgehill_engine::game::{Game, Node};
use edgehill_engine::reference::Ref;
use edgehill_engine::seat::Observer;
use edgehill_engine::view::Procedure;
use rand_chacha::ChaCha8Rng;
use rand_core::SeedableRng;

use super::model::Model;
use super::random::Random;
use super::reading::read;
use super::umpire::{Halt, Play, Umpire};
use super::world::World;
use super::{ATLAS, GAME, generate, setup};
use crate::volume::volume;

/// Games in full.
const GAMES: usize = 2_000;

/// The innermost procedure.
fn innermost(umpire: &Umpire<'_>) -> Option<Procedure> {
    let turn_state = GAME.turn_state(&umpire.state, Observer::Spectator);
    turn_state.procedures.last().cloned()
}

fn number(of: &Procedure, role: &str) -> i32 {
    match of.role(role) {
        Some(Ref::Number(number)) => number,
        _ => 0,
    }
}

/// Game and model do together what begins at this node; `false` if it is no matter of the model's.
fn together(umpire: &mut Umpire<'_>, of: &Procedure, side: usize, world: World<'static>) -> Play<bool> {
    let phase = umpire.phase();
    let mut model = Model::new(world, umpire);
    match of.frame {
        "placement" => {
            let areas = model.world.housekeeping(side);
            let words: Vec<String> = areas.iter().map(|&area| model.area_word("at", area)).collect();
            let place = model.ask_place(side, &words)?;
            let area = *areas.iter().nth(place).expect("it was offered");
            model.world.set_control(area, side);
        }
        "commission" => {
            let (value, bombards) = (number(of, "value"), number(of, "bombards") != 0);
            if bombards { model.bombard_by(side, value)? } else { model.activate_by(side, value)? }
        }
        "campaigning" => {
            if of.roles("used").next().is_some() || of.roles("raided").next().is_some() {
                return Ok(false);
            }
            model.campaign(side, number(of, "left") as usize)?;
        }
        "raids" if of.roles("used").next().is_none() => model.raids(side, number(of, "left") as usize)?,
        // 18.2: with Random Desertion it begins with a die.
        "deserters" if !model.world.option("random-desertion") => model.desertion_phase()?,
        "desertion" if model.umpire.is_rolling() => model.desertion_phase()?,
        _ => return Ok(false),
    }
    let Model { world, .. } = model;
    umpire.compare_after(&world, phase)?;
    Ok(true)
}

fn step(umpire: &mut Umpire<'_>) -> bool {
    match GAME.node(&umpire.state) {
        Node::Over => return false,
        Node::Chance => {
            let mut rng = ChaCha8Rng::seed_from_u64(umpire.random.next());
            let outcome = sampled(&GAME.chance(&umpire.state), &mut rng);
            GAME.resolve(&mut umpire.state, &outcome, &mut Events::silent());
        }
        node => {
            let side = node.to_act().iter().next().expect("somebody is to act").index();
            let offered = umpire.offered(side);
            let word = umpire.random.pick(&offered).expect("there is no dead end").clone();
            umpire.act(side, &word);
        }
    }
    true
}

#[test]
fn whole_games_are_played_as_the_model_plays_them() {
    let volume = volume(GAMES);
    let mut seeds = Random::new(volume.seed);
    let mut taken_over = BTreeMap::<&'static str, usize>::new();
    let (mut faults, mut compared, mut turns) = (Vec::new(), 0, BTreeMap::<usize, usize>::new());
    for number in 0..volume.cases {
        let mut random = Random::new(seeds.next());
        let options = generate::options(&mut random);
        let mut umpire = Umpire::new(&GAME, GAME.start(&setup(&options)), random);
        GAME.open(&mut umpire.state, &mut Events::silent());
        loop {
            let side = GAME.node(&umpire.state).to_act().iter().next().map_or(0, |seat| seat.index());
            if let Some(of) = innermost(&umpire) {
                let world = World { options: options.clone(), ..read(&GAME, &ATLAS, &umpire.state) };
                let turn = world.turn;
                umpire.told.clear();
                match together(&mut umpire, &of, side, world) {
                    Ok(false) => {}
                    Ok(true) => {
                        *taken_over.entry(of.frame).or_default() += 1;
                        *turns.entry(turn).or_default() += 1;
                        continue;
                    }
                    Err(Halt::Beyond) => continue,
                    Err(Halt::Over) if GAME.node(&umpire.state) == Node::Over => break,
                    Err(halt) => {
                        faults.push(format!(
                            "{of:?}: {halt:?}\nafter {}\nin game {number} with {options:?}",
                            umpire.told.join("; ")
                        ));
                        break;
                    }
                }
            }
            if !step(&mut umpire) {
                break;
            }
        }
        compared += umpire.compared;
    }
    println!("{compared} nodes compared; procedures {taken_over:?}; by turn {turns:?}");
    faults.sort_by_key(String::len);
    for fault in faults.iter().take(6) {
        println!("{fault}\n");
    }
    assert!(faults.is_empty(), "{} of {} games differ, for one:\n{}", faults.len(), volume.cases, faults[0]);
}
