//! The phases in which nothing is played by cards, from every board that a random game comes to: Isolation (11.3), Housekeeping's Areas (5.1),
//! Desertion and Attrition (12).

use std::collections::BTreeMap;

use edgehill_engine::chance_source::sampled;
use edgehill_engine::event::Events;
use edgehill_engine::game::{Game, Node};
use edgehill_engine::games::unhappy_king_charles::State;
use rand_chacha::ChaCha8Rng;
use rand_core::{Rng, SeedableRng};

use super::model::Model;
use super::random::Random;
use super::reading::read;
use super::umpire::{Halt, Play, Umpire};
use super::world::World;
use super::{ATLAS, GAME, described, generate, position, setup};
use crate::volume::volume;

/// Boards in full.
const BOARDS: usize = 100_000;

/// Plays a phase in game and model from a board with a seed; false where it can't be played.
type Phase = fn(&World<'_>, u64) -> Result<bool, String>;

/// Game and model from a board, in each of these phases; the number of phases that were played.
pub(crate) fn phases(world: &World<'_>, seed: u64) -> Result<usize, String> {
    let all: [(&str, Phase); 5] = [
        ("Housekeeping", housekeeping),
        ("Political Control", political_control),
        ("Recruitment", recruitment),
        ("Blockade", blockade),
        ("Desertion", desertion),
    ];
    let mut played = 0;
    for (name, phase) in all {
        played += usize::from(phase(world, seed).map_err(|fault| format!("{name}: {fault}"))?);
    }
    Ok(played)
}

/// A state at the start of a phase, and its board; none where that can't stand so between two actions.
fn start(board: &World<'_>, phase: &str) -> Option<(State, World<'static>)> {
    let state = position(&described::position(board, phase), &board.options).ok()?;
    let mut world = read(&GAME, &ATLAS, &state);
    world.options.clone_from(&board.options);
    Some((state, world))
}

fn housekeeping(world: &World<'_>, _: u64) -> Result<bool, String> {
    let Some((state, mut world)) = start(world, "housekeeping") else { return Ok(false) };
    let mut umpire = Umpire::new(&GAME, state, Random::new(world.brigades.len() as u64));
    GAME.open(&mut umpire.state, &mut Events::silent());
    // Generals have come to their boxes before that.
    world.posts = read(&GAME, &ATLAS, &umpire.state).posts;
    for side in [1, 0] {
        let areas = world.housekeeping(side);
        if areas.is_empty() {
            continue;
        }
        let words: Vec<String> = areas.iter().map(|&area| format!("at {}", ATLAS.areas[area].id)).collect();
        match umpire.ask(&world, side, &words) {
            Ok(chosen) => {
                let area = *areas
                    .iter()
                    .find(|&&area| chosen == format!("at {}", ATLAS.areas[area].id))
                    .expect("offered");
                world.set_control(area, side);
            }
            Err(halt) => return Err(format!("{halt:?}")),
        }
    }
    if umpire.innermost() == "placement" {
        return Err(format!("the game asks for {:?}, the model is done", umpire.offered(0)));
    }
    Ok(true)
}

fn political_control(world: &World<'_>, _: u64) -> Result<bool, String> {
    let Some((mut state, mut world)) = start(world, "political-control") else { return Ok(false) };
    if world.turn == 1 {
        return Ok(false);
    }
    GAME.open(&mut state, &mut Events::silent());
    world.political_control();
    // The Recruitment Phase has begun, in which Dispersed Brigades may have left their box.
    let found = read(&GAME, &ATLAS, &state);
    if found.control == world.control && found.naval == world.naval {
        return Ok(true);
    }
    let ids = |areas: &BTreeMap<usize, usize>, other: &BTreeMap<usize, usize>| -> Vec<&str> {
        let own = areas.iter().filter(|&(area, side)| other.get(area) != Some(side));
        own.map(|(&area, _)| &*ATLAS.areas[area].id).collect()
    };
    let (game, model) = (ids(&found.control, &world.control), ids(&world.control, &found.control));
    Err(format!("the game alone has {game:?}, the model alone {model:?}"))
}

fn recruitment(world: &World<'_>, seed: u64) -> Result<bool, String> {
    together(world, ("recruitment", &["recruitment", "reform", "recruit"]), seed, |model| {
        model.recruitment_phase()
    })
}

fn blockade(world: &World<'_>, seed: u64) -> Result<bool, String> {
    together(world, ("blockade", &["blockade", "bombardment"]), seed, |model| model.blockade_phase())
}

fn desertion(world: &World<'_>, seed: u64) -> Result<bool, String> {
    together(world, ("desertion", &["desertion", "deserters", "attrition", "surrender"]), seed, |model| {
        model.desertion_phase()?;
        // If nobody is asked any more, the game has gone on to the next Turn or to its end.
        if GAME.node(&model.umpire.state) == Node::Over { Ok(()) } else { model.ventures_end() }
    })
}

/// Game and model play a phase together, which begins with one of these procedures.
fn together(
    world: &World<'_>,
    (phase, procedures): (&str, &[&str]),
    seed: u64,
    play: impl Fn(&mut Model<'_, '_>) -> Play<()>,
) -> Result<bool, String> {
    let Some((state, world)) = start(world, phase) else { return Ok(false) };
    let mut umpire = Umpire::new(&GAME, state, Random::new(seed));
    GAME.open(&mut umpire.state, &mut Events::silent());
    // The game has gone on, if nobody was asked.
    let asked = procedures.contains(&umpire.innermost());
    let phase = umpire.phase().filter(|_| asked);
    let mut model = Model::new(world, &mut umpire);
    let played = play(&mut model);
    let world = model.world;
    let over = GAME.node(&umpire.state) == Node::Over;
    let played = match played {
        Err(Halt::Over) if over => return Ok(true),
        played => played.and_then(|()| umpire.compare_after(&world, phase)),
    };
    played.map_or_else(|halt| Err(format!("{halt:?}\nafter {}", umpire.told.join("; "))), |()| Ok(true))
}

/// Checks boards of random games, each so many actions apart.
#[test]
fn phases_from_boards_of_random_games() {
    let volume = volume(BOARDS / 2);
    let mut rng = ChaCha8Rng::seed_from_u64(volume.seed);
    let (mut boards, mut played, mut turns) = (0, 0, BTreeMap::<usize, usize>::new());
    while boards < volume.cases {
        let options = generate::options(&mut Random::new(rng.next_u64()));
        let mut state = GAME.start(&setup(&options));
        GAME.open(&mut state, &mut Events::silent());
        let mut legal = Vec::new();
        let mut wait = 1 + rng.next_u64() % 20;
        loop {
            match GAME.node(&state) {
                Node::Over => break,
                Node::Chance => {
                    let outcome = sampled(&GAME.chance(&state), &mut rng);
                    GAME.resolve(&mut state, &outcome, &mut Events::silent());
                }
                node => {
                    let seat = node.to_act().iter().next().expect("somebody is to act");
                    GAME.legal(&state, seat, &mut legal);
                    let action = legal[(rng.next_u64() % legal.len() as u64) as usize];
                    GAME.apply(&mut state, seat, action, &mut Events::silent());
                }
            }
            wait -= 1;
            if wait > 0 {
                continue;
            }
            wait = 1 + rng.next_u64() % 40;
            let world = World { options: options.clone(), ..read(&GAME, &ATLAS, &state) };
            boards += 1;
            *turns.entry(world.turn).or_default() += 1;
            played += phases(&world, rng.next_u64())
                .unwrap_or_else(|fault| panic!("{fault}\nfrom {}", described::position(&world, "desertion")));
        }
    }
    println!("{boards} boards by turn {turns:?}, {played} phases");
    assert!(played > 2 * boards, "{played} phases of {boards} boards");
}

/// And boards set at random: late wars, with Sieges and Areas cut off.
#[test]
fn phases_from_boards_set_at_random() {
    let volume = volume(BOARDS / 2);
    let mut seeds = Random::new(volume.seed);
    let (mut played, mut beside) = (0, 0);
    for _ in 0..volume.cases {
        let mut random = Random::new(seeds.next());
        let world = generate::board(&ATLAS, &mut random);
        beside += usize::from(!world.unmasked().is_empty());
        played += phases(&world, random.next())
            .unwrap_or_else(|fault| panic!("{fault}\nfrom {}", described::position(&world, "desertion")));
    }
    println!("{played} phases; {beside} boards with an Army inside beside enemies");
    assert!(played > 2 * volume.cases, "{played} phases of {} boards", volume.cases);
    assert!(5 * beside > volume.cases, "an Army inside beside enemies: {beside} of {}", volume.cases);
}
