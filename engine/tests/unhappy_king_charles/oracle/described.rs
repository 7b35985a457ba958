//! A board as a described position.

use serde_json::{Map, Value, json};

use super::atlas::SIDES;
use super::reading::{holder_word, post_word};
use super::world::{Presence, Stay, World};

/// Words of what has happened that a position may name: the others end with the Turn, or are told elsewhere.
const HAPPENED: [&str; 14] = [
    "standard",
    "league",
    "new-model",
    "cessation",
    "lieutenant-general",
    "brentford",
    "joint-venture",
    "powicke",
    "royalist-benefit",
    "parliament-benefit",
    "royalist-veteran",
    "parliament-veteran",
    "royalist-chance",
    "parliament-chance",
];

/// The position of a board at the start of a phase.
pub(crate) fn position(world: &World<'_>, phase: &str) -> Value {
    let atlas = world.atlas;
    let controlled = |side: usize| -> Vec<&str> {
        let own = world.control.iter().filter(|&(_, &of)| of == side);
        own.map(|(&area, _)| &*atlas.areas[area].id).collect()
    };
    let generals: Map<String, Value> = (0..world.posts.len())
        .map(|general| (atlas.generals[general].id.clone(), json!(post_word(world, world.posts[general]))))
        .collect();
    let word = |presence: Presence| match presence {
        Presence::Waiting => "waiting",
        Presence::InPlay => "in-play",
        Presence::Out => "out",
    };
    let notables: Map<String, Value> = (0..world.notables.len())
        .map(|notable| (atlas.notables[notable].id.clone(), json!(word(world.notables[notable]))))
        .collect();
    let mut brigades = Map::new();
    for one in &world.brigades {
        let described =
            json!({ "face": atlas.faces[one.face].id, "turncoat": one.turned, "moved": one.moved });
        let list = brigades.entry(holder_word(world, one.at)).or_insert_with(|| json!([]));
        list.as_array_mut().expect("a list").push(described);
    }
    let siege = |area: usize| {
        let siege = world.sieges[&area];
        json!({ "marker": if siege.blockade { "blockade" } else { "siege" }, "value": siege.value, "bonus": siege.bonus })
    };
    let sieges: Map<String, Value> =
        world.sieges.keys().map(|&area| (atlas.areas[area].id.clone(), siege(area))).collect();
    let stay = |stay: Stay, off: &str, gone: &str| match stay {
        Stay::Off => off.to_owned(),
        Stay::Resting => "resting".to_owned(),
        Stay::In(area) => atlas.areas[area].id.clone(),
        Stay::With(general) => format!("with-{}", atlas.generals[general].id),
        Stay::Gone => gone.to_owned(),
        Stay::Left => "left".to_owned(),
    };
    let trains: Map<String, Value> = [0, 1]
        .map(|side| (SIDES[side].to_owned(), json!(stay(world.trains[side], "available", "out"))))
        .into_iter()
        .collect();
    // The events' part of the Naval Status is what is left of it.
    let mut bare = world.clone();
    bare.naval = 0;
    let held = i32::from(["london", "bristol"].iter().any(|id| world.controller(atlas.area(id)) == Some(0)));
    let queen = match world.queen {
        Stay::Gone => 2,
        Stay::Left => -1,
        _ => 0,
    };
    let happened: Vec<&&str> = HAPPENED.iter().filter(|id| world.has(id)).collect();
    let may_not: Vec<&String> = world.may_not_assault.iter().map(|&one| &atlas.generals[one].id).collect();
    json!({
        "turn": atlas.turns[world.turn - 1].id, "phase": phase,
        "control": { "royalist": controlled(0), "parliament": controlled(1) },
        "generals": generals, "notables": notables, "brigades": brigades, "sieges": sieges, "trains": trains,
        "queen": stay(world.queen, "abroad", "captured"), "fleet": world.naval + held - queen,
        "happened": happened, "may_not_assault": may_not
    })
}
