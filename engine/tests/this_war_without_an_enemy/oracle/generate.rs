//! Random described positions of Battles and Sieges.

use std::collections::BTreeSet;

use serde_json::{Map, Value, json};

use super::atlas::{Atlas, SIDES};
use super::random::Random;
use super::world::{Place, World};

const TURNS: [&str; 8] =
    ["1642-v", "1642-vi", "1643-i", "1643-ii", "1643-iii", "1643-iv", "1643-v", "1643-winter"];

struct Table<'a, 'r> {
    world: World<'a>,
    random: &'r mut Random,
    pools: [Vec<usize>; 2],
    used: BTreeSet<usize>,
}

impl Table<'_, '_> {
    /// Takes a block from a pool to a place; `from` a neighbour, if it came this Turn.
    fn place(&mut self, side: usize, place: Place, from: Option<usize>) -> bool {
        let Some(block) = self.pools[side].pop() else { return false };
        let most = usize::from(self.world.atlas.blocks[block].strength);
        let piece = &mut self.world.pieces[block];
        piece.place = place;
        piece.strength = if self.random.percent(40) { most } else { 1 + self.random.below(most) } as u8;
        piece.from = from;
        if let (Some(from), Place::Area(area)) = (from, place) {
            self.world.crossed.push((from, area, side));
        }
        true
    }

    fn place_some(&mut self, side: usize, place: Place, most: usize, froms: &[usize]) {
        for _ in 0..=self.random.below(most) {
            let from = self.random.pick(froms).copied();
            self.place(side, place, from);
        }
    }

    /// Some neighbours, 1 to 3.
    fn borders(&mut self, area: usize) -> Vec<usize> {
        let next = &self.world.atlas.areas[area].next;
        (0..=self.random.below(3)).map(|_| next[self.random.below(next.len())].0).collect()
    }

    /// Up to the City's Size of field blocks, and perhaps guns.
    fn garrison(&mut self, city: usize, side: usize) {
        let size = self.world.atlas.cities[city].size;
        let mut field = 1 + self.random.below(size);
        let pool = std::mem::take(&mut self.pools[side]);
        let mut rest = Vec::new();
        for block in pool.into_iter().rev() {
            let gun = self.world.atlas.is_gun(block);
            if (gun && self.random.percent(40)) || (!gun && field > 0) {
                field -= usize::from(!gun);
                self.pools[side] = vec![block];
                self.place(side, Place::City(city), None);
            } else {
                rest.push(block);
            }
        }
        rest.reverse();
        self.pools[side] = rest;
    }

    /// A Battle; in an Area with a Fortified City some may have withdrawn into it.
    fn battle(&mut self, area: usize) {
        let attacker = self.random.below(2);
        let borders = self.borders(area);
        self.place_some(1 - attacker, Place::Area(area), 4, &[]);
        self.place_some(attacker, Place::Area(area), 5, &borders);
        // Player 2 alone can reinforce.
        if self.random.percent(30) && attacker == self.world.first {
            let borders = self.borders(area);
            self.place_some(1 - attacker, Place::Area(area), 2, &borders);
        }
        if let Some(city) = self.world.atlas.fortress(area)
            && self.random.percent(30)
        {
            self.garrison(city, 1 - attacker);
        }
        self.world.defender[area] = Some(1 - attacker);
    }

    fn siege(&mut self, city: usize) {
        let area = self.world.atlas.cities[city].area;
        let besieged = self.random.below(2);
        self.garrison(city, besieged);
        self.place_some(1 - besieged, Place::Area(area), 5, &[]);
        self.world.besieged[city] = true;
        if self.random.percent(40) {
            let borders = self.borders(area);
            self.place_some(besieged, Place::Area(area), 4, &borders);
            if self.random.percent(30) && besieged == self.world.first {
                let borders = self.borders(area);
                self.place_some(1 - besieged, Place::Area(area), 2, &borders);
            }
            self.world.defender[area] = Some(1 - besieged);
        }
    }
}

/// A position at the Tactical events of a Turn.
pub(crate) fn position(atlas: &Atlas, random: &mut Random) -> Value {
    let mut world = World::new(atlas);
    world.first = random.below(2);
    world.walls = random.percent(50);
    let pools = [0, 1].map(|side| {
        let own = |block: &usize| atlas.blocks[*block].side == side;
        let mut pool: Vec<usize> = (0..atlas.blocks.len()).filter(own).collect();
        for last in (1..pool.len()).rev() {
            pool.swap(last, random.below(last + 1));
        }
        pool
    });
    let mut table = Table { world, random, pools, used: BTreeSet::new() };
    let fortresses: Vec<usize> =
        (0..atlas.cities.len()).filter(|&city| atlas.cities[city].fortified).collect();
    for _ in 0..=table.random.below(3) {
        let siege = table.random.percent(55);
        let city = *table.random.pick(&fortresses).expect("there are Fortified Cities");
        let area = if siege || table.random.percent(20) {
            atlas.cities[city].area
        } else {
            table.random.below(atlas.areas.len())
        };
        if !table.used.insert(area) {
            continue;
        }
        if siege { table.siege(city) } else { table.battle(area) }
    }
    // Others, where nothing is fought.
    for _ in 0..table.random.below(14) {
        let area = table.random.below(atlas.areas.len());
        let side = table.random.below(2);
        if !table.used.contains(&area) && table.world.outside(area, 1 - side).is_empty() {
            table.place(side, Place::Area(area), None);
        }
    }
    let Table { mut world, .. } = table;
    world.settle();
    let cards = cards(atlas, random);
    describe(&world, random, cards)
}

/// A card of each side, mostly one with an event that matters here.
fn cards(atlas: &Atlas, random: &mut Random) -> [String; 2] {
    [0, 1].map(|side| {
        let matters = |event: &str| {
            ["terrain", "stand", "mining", "artillery", "quartermaster"]
                .iter()
                .any(|word| event.contains(word))
                && event != "recruitment-artillery"
        };
        let event = random.percent(60);
        let cards: Vec<&str> = atlas
            .cards
            .iter()
            .filter(|card| card.side == side && matters(&card.event) == event)
            .map(|card| card.id.as_str())
            .collect();
        (*random.pick(&cards).expect("there are such cards")).to_owned()
    })
}

fn describe(world: &World<'_>, random: &mut Random, cards: [String; 2]) -> Value {
    let atlas = world.atlas;
    let mut blocks = Map::new();
    for (block, piece) in world.pieces.iter().enumerate() {
        let at = match piece.place {
            Place::Pool => continue,
            Place::Area(area) => &atlas.areas[area].id,
            Place::City(city) => &atlas.cities[city].id,
        };
        let mut entry = json!({ "at": at, "strength": piece.strength });
        if let Some(from) = piece.from {
            entry["by"] = json!(atlas.areas[from].id);
        }
        blocks.insert(atlas.blocks[block].id.clone(), entry);
    }
    let mut sieges = Map::new();
    for city in 0..atlas.cities.len() {
        if world.marker[city].is_some() {
            sieges.insert(atlas.cities[city].id.clone(), json!(random.below(6)));
        }
    }
    let hands = [0, 1].map(|side| {
        let other =
            |card: &&super::atlas::Card| card.side == side && card.id != cards[side] && card.event.is_empty();
        atlas.cards.iter().find(other).expect("another card").id.clone()
    });
    json!({ "turn": random.pick(&TURNS).expect("a Turn"), "phase": "tactics", "player_1": SIDES[world.first],
        "cards": { "royalist": cards[0], "parliament": cards[1] },
        "hands": { "royalist": [hands[0]], "parliament": [hands[1]] },
        "walls": world.walls, "blocks": blocks, "sieges": sieges })
}
