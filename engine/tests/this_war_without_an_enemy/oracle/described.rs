//! A described position, as the model starts from it.

use serde_json::Value;

use super::atlas::{Atlas, SIDES};
use super::world::{Place, World};

/// The world of a position at the Tactical events. Its blocks with `by` came this Turn; who has others in a Contested Area was
/// there first.
pub(crate) fn world<'a>(atlas: &'a Atlas, position: &Value) -> World<'a> {
    let mut world = World::new(atlas);
    world.first = SIDES.iter().position(|side| position["player_1"] == **side).expect("a side");
    world.walls = position["walls"] == true;
    for (side, name) in SIDES.iter().enumerate() {
        let card = atlas.cards.iter().find(|card| position["cards"][name] == card.id).expect("a card");
        world.event[side] = card.event.clone();
        world.mining[side] = card.event == "mining";
        world.exempt[side] = if card.event == "quartermaster-general" { 2 } else { 0 };
    }
    for (id, fields) in position["blocks"].as_object().expect("blocks") {
        let block = atlas.blocks.iter().position(|block| block.id == *id).expect("a block");
        let at = fields["at"].as_str().expect("a place");
        let area = atlas.areas.iter().position(|area| area.id == at);
        let city = atlas.cities.iter().position(|city| city.id == at);
        let piece = &mut world.pieces[block];
        piece.place = area.map(Place::Area).or(city.map(Place::City)).expect("a place");
        piece.strength = fields["strength"].as_u64().expect("a strength") as u8;
        piece.from = fields["by"].as_str().map(|by| atlas.area(by));
        if let (Some(area), Some(from)) = (area, piece.from) {
            world.crossed.push((from, area, atlas.blocks[block].side));
        }
    }
    for area in 0..atlas.areas.len() {
        let stayed = |world: &World<'_>, side| {
            world.outside(area, side).iter().any(|&block| world.pieces[block].from.is_none())
        };
        if world.is_contested(area) {
            let first = (0..2).find(|&side| stayed(&world, side)).expect("somebody was there first");
            world.defender[area] = Some(first);
            for block in world.outside(area, first) {
                world.pieces[block].reserve = world.pieces[block].from.is_some();
            }
        }
    }
    // A relief has all come this Turn; with others of its side outside, the City is not Besieged.
    for city in 0..atlas.cities.len() {
        if let Some(side) = world.garrison(city) {
            world.besieged[city] = world.defender[atlas.cities[city].area] == Some(1 - side);
        }
    }
    world.settle();
    for (id, value) in position["sieges"].as_object().expect("sieges") {
        let city = atlas.cities.iter().position(|city| city.id == *id).expect("a City");
        world.marker[city] = value.as_u64().map(|value| value as u8);
    }
    world
}
