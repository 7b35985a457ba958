//! Cards of boards that were set at random: Activations with all that comes of them, Bombardments, Raids, Campaigns.

use edgehill_engine::event::Events;
use edgehill_engine::game::{Game, Node};
use serde_json::{Value, json};

use super::model::Model;
use super::random::Random;
use super::reading::read;
use super::recruit::Occasion;
use super::survey::{Played, survey};
use super::umpire::{Cases, Halt, Play, Umpire};
use super::world::{Options, other};
use super::{ATLAS, GAME, described, generate, position};

/// Positions in full.
const POSITIONS: usize = 100_000;

/// Cards of either side: Core Cards, Operations of 3, Campaigns, Combat Cards; Turnham Green has been seen.
const HANDS: [[&str; 6]; 2] =
    [["C01", "C02", "E06", "E10", "E13", "E14"], ["C03", "C04", "E07", "E12", "E15", "E16"]];

/// The uses that a card of those hands has, and its value or number.
const USES: [[(&str, &str, i32); 10]; 2] = [
    [
        ("C01", "activate", 1),
        ("C02", "activate", 2),
        ("E06", "activate", 3),
        ("C02", "bombard", 2),
        ("E06", "bombard", 3),
        ("C02", "raid", 2),
        ("E06", "raid", 3),
        ("E10", "campaign", 2),
        ("C01", "recruit", 2),
        ("E13", "recruit", 1),
    ],
    [
        ("C03", "activate", 1),
        ("C04", "activate", 2),
        ("E07", "activate", 3),
        ("C04", "bombard", 2),
        ("E07", "bombard", 3),
        ("C04", "raid", 2),
        ("E07", "raid", 3),
        ("E12", "campaign", 3),
        ("C03", "recruit", 2),
        ("E15", "recruit", 1),
    ],
];

/// A board at a card play; with Combat Cards in hand or without, or with bonus sets that are to be played first.
fn at_a_play(random: &mut Random) -> (Value, Options, usize) {
    let world = generate::board(&ATLAS, random);
    let unmasked: Vec<usize> = world.unmasked().into_iter().map(|(side, _)| side).collect();
    // A side that stands inside beside enemies is on turn more often.
    let at_hand = if random.percent(75) { random.pick(&unmasked).copied() } else { None };
    let side = at_hand.unwrap_or_else(|| random.below(2));
    let combat = random.percent(50);
    let kept = |hand: [&'static str; 6]| if combat { hand.to_vec() } else { hand[..4].to_vec() };
    let mut described = described::position(&world, "campaign");
    described["hands"] = json!({ "royalist": kept(HANDS[0]), "parliament": kept(HANDS[1]) });
    // Parliament's bonus cards are drawn from them; Combat Cards that are neither in hand nor in a set are among them.
    let mut discards = vec!["E28", "E03", "E08", "E11"];
    if !combat && random.percent(40) {
        let set =
            |side: usize, cards: [&str; 3]| json!({ "seat": super::atlas::SIDES[side], "cards": cards });
        let sets = [set(side, ["E09", "E13", "E14"]), set(other(side), ["E05", "E15", "E16"])];
        described["sets"] = json!(sets);
    } else if !combat {
        discards.extend(["E13", "E14", "E15", "E16"]);
    }
    described["discard"] = json!(discards);
    described["on_turn"] = json!(super::atlas::SIDES[side]);
    (described, world.options, side)
}

/// Plays a card in both; none if the board can't stand so, or nothing can be done with a card.
fn play(described: &Value, options: &Options, side: usize, random: Random) -> Played {
    let Ok(state) = position(described, options) else { return Ok(None) };
    let mut umpire = Umpire::new(&GAME, state, random);
    GAME.open(&mut umpire.state, &mut Events::silent());
    if umpire.plays_sets() {
        favour(&mut umpire, side);
        return together(&mut umpire, options, side, |model| model.play_sets()).map(Some);
    }
    let before = umpire.state.clone();
    let mut uses = USES[side].to_vec();
    while !uses.is_empty() {
        // To move is what there is most to.
        let last = uses.len();
        let at = if umpire.random.percent(60) {
            umpire.random.below(last.min(3))
        } else {
            umpire.random.below(last)
        };
        let (card, way, number) = uses.remove(at);
        umpire.state = before.clone();
        umpire.told.clear();
        let word = format!("card {card}");
        if !umpire.offered(side).contains(&word) {
            continue;
        }
        umpire.act(side, &word);
        let word = format!("use {way}");
        if !umpire.offered(side).contains(&word) {
            continue;
        }
        umpire.act(side, &word);
        favour(&mut umpire, side);
        return play_card(&mut umpire, options, side, (way, number)).map(Some);
    }
    Ok(None)
}

/// A General of an Army inside beside enemies is Activated more often.
fn favour(umpire: &mut Umpire<'_>, side: usize) {
    let world = read(&GAME, &ATLAS, &umpire.state);
    let unmasked = world.unmasked();
    if !unmasked.is_empty() {
        umpire.saw("a board with an Army inside beside enemies");
    }
    let own = unmasked.into_iter().filter(|&(of, _)| of == side);
    let commanders = own.filter_map(|(_, area)| world.inside(side, area));
    let generals = commanders.flat_map(|one| world.army(one));
    umpire.favoured = generals.map(|one| format!("activate {}", ATLAS.generals[one].id)).collect();
}

fn play_card(
    umpire: &mut Umpire<'_>,
    options: &Options,
    side: usize,
    (way, number): (&str, i32),
) -> Result<(Vec<String>, Cases), String> {
    together(umpire, options, side, |model| {
        match way {
            "activate" => model.activate_by(side, number)?,
            "bombard" => model.bombard_by(side, number)?,
            "raid" => model.raids(side, number as usize)?,
            "recruit" => model.recruits(side, Occasion::Card, number as usize)?,
            _ => model.campaign(side, number as usize)?,
        }
        model.play_sets()
    })
}

/// Game and model do the same, up to the next card of the Turn.
fn together(
    umpire: &mut Umpire<'_>,
    options: &Options,
    side: usize,
    play: impl FnOnce(&mut Model<'_, '_>) -> Play<()>,
) -> Result<(Vec<String>, Cases), String> {
    let mut world = read(&GAME, &ATLAS, &umpire.state);
    world.options.clone_from(options);
    let turn = world.turn;
    let mut model = Model::new(world, umpire);
    let played = play(&mut model);
    let world = model.world;
    let told = |umpire: &Umpire<'_>| umpire.told.join("; ");
    match played {
        Ok(()) => {}
        Err(Halt::Fault(fault)) => return Err(format!("{fault}\nafter {}", told(umpire))),
        Err(Halt::Beyond) => return Ok(umpire.telling()),
        Err(Halt::Over) if GAME.node(&umpire.state) == Node::Over => return Ok(umpire.telling()),
        Err(Halt::Over) => {
            return Err(format!("the King is taken in the model alone\nafter {}", told(umpire)));
        }
    }
    let asked = umpire.innermost() == "play" && !umpire.plays_sets();
    if read(&GAME, &ATLAS, &umpire.state).turn != turn || !asked {
        let (frame, offered) = (umpire.innermost(), umpire.offered(side));
        let enemy = umpire.offered(other(side));
        return Err(format!(
            "the model is done, the game is in {frame}: {offered:?} {enemy:?}\nafter {}",
            told(umpire)
        ));
    }
    match umpire.compare(&world) {
        Err(Halt::Fault(fault)) => Err(format!("at the end: {fault}\nafter {}", told(umpire))),
        _ => Ok(umpire.telling()),
    }
}

#[test]
fn cards_are_played_as_the_model_plays_them() {
    survey(POSITIONS, at_a_play, play).reaches(&[
        ("a board with an Army inside beside enemies", 1_500),
        ("an Army inside beside enemies", 800),
        ("a Subordinate of one", 15),
        ("an Army back inside past enemies after a draw", 5),
        ("a bonus card", 200),
        ("a Combat Card of a bonus set", 20),
        ("a bonus set within a Campaign card", 15),
        ("several bonus sets", 5),
    ]);
}
