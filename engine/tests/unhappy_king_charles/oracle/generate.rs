//! Boards set at random: Armies near each other, Sieges, garrisons, Subordinates, markers in patches.

use std::collections::{BTreeMap, BTreeSet};

use super::atlas::Atlas;
use super::placing::ENTRIES;
use super::random::Random;
use super::world::{At, Brigade, Options, Post, Presence, Siege, Stay, World, other};

struct Table<'a, 'r> {
    world: World<'a>,
    random: &'r mut Random,
    /// Brigades of each side that lie in its pool, shuffled, with the General still at hand.
    pools: [Vec<usize>; 2],
    generals: [Vec<usize>; 2],
    theatre: Vec<usize>,
}

/// The Areas so many lines around one.
fn around(atlas: &Atlas, area: usize, lines: usize) -> Vec<usize> {
    let mut near = BTreeSet::from([area]);
    for _ in 0..lines {
        let next: Vec<usize> =
            near.iter().flat_map(|&area| atlas.areas[area].next.iter().map(|&(next, _)| next)).collect();
        near.extend(next);
    }
    near.into_iter().collect()
}

fn shuffle<T>(random: &mut Random, list: &mut [T]) {
    for last in (1..list.len()).rev() {
        list.swap(last, random.below(last + 1));
    }
}

impl Table<'_, '_> {
    fn somewhere(&mut self) -> usize {
        let theatre = self.random.percent(85);
        let area = if theatre { self.random.pick(&self.theatre).copied() } else { None };
        area.unwrap_or_else(|| self.random.below(self.world.atlas.areas.len()))
    }

    /// Takes up to so many Brigades of a side to a place.
    fn put(&mut self, side: usize, at: At, most: usize) -> usize {
        let leads = |faction: &str| match at {
            At::General(general) => {
                let of = &*self.world.atlas.generals[general].faction;
                match faction {
                    "covenanter" => of == "covenanter",
                    "lorrainer" => of == "lorrainer",
                    _ => of != "lorrainer",
                }
            }
            At::Notable(_) => !matches!(faction, "covenanter" | "lorrainer"),
            _ => faction != "lorrainer",
        };
        let mut put = 0;
        let pool = std::mem::take(&mut self.pools[side]);
        for brigade in pool {
            if put < most && leads(self.world.faction(brigade)) {
                self.world.brigades[brigade].at = at;
                put += 1;
            } else {
                self.pools[side].push(brigade);
            }
        }
        put
    }

    /// An Army, perhaps inside, perhaps with Subordinates, perhaps with a Siege marker.
    fn army(&mut self) {
        let side = self.random.below(2);
        let area = self.somewhere();
        let Some(general) = self.generals[side].pop() else { return };
        let world = &self.world;
        let enemy_there = !world.stack(other(side), area).is_empty();
        let own_fort = world.atlas.areas[area].printed.is_some() && world.controller(area) == Some(side);
        let inside = own_fort && (enemy_there || self.random.percent(30));
        let taken = self.world.commanders(side).into_iter().any(|one| self.world.area_of(one) == Some(area));
        let room = self.world.room(area).saturating_sub(self.world.garrison(area).len());
        let barred = if inside {
            room == 0 || taken && !enemy_there || self.world.inside(side, area).is_some()
        } else {
            taken || enemy_there
        };
        if barred {
            return;
        }
        let limit = self.world.limit(general);
        let large = self.random.percent(25);
        let mut most = 1 + self.random.below(if large { limit } else { limit.min(4) });
        if inside {
            most = most.min(room);
        }
        self.world.posts[general] = if inside { Post::Inside(area) } else { Post::Area(area) };
        if self.put(side, At::General(general), most) == 0 {
            self.world.posts[general] = Post::Unemployed;
            return;
        }
        for _ in 0..2 {
            self.subordinate(side, general, if inside { room } else { limit });
        }
        self.siege(side, area, general);
    }

    fn subordinate(&mut self, side: usize, commander: usize, most: usize) {
        if !self.random.percent(35) || self.world.size(commander) >= most {
            return;
        }
        let serves = |world: &World<'_>, one: usize| world.serves(one, commander);
        let Some(place) = self.generals[side].iter().position(|&one| serves(&self.world, one)) else {
            return;
        };
        let general = self.generals[side].remove(place);
        let left = (most - self.world.size(commander)).min(self.world.limit(general));
        let brigades = 1 + self.random.below(left.min(3));
        self.world.posts[general] = Post::Under(commander);
        if self.put(side, At::General(general), brigades) == 0 {
            self.world.posts[general] = Post::Unemployed;
        }
    }

    fn siege(&mut self, side: usize, area: usize, general: usize) {
        let enemy = self.world.is_fortress(area) && self.world.controller(area) == Some(other(side));
        let strong = self.world.size(general) >= self.world.siege_need(area);
        let outside = self.world.posts[general] == Post::Area(area);
        if enemy && strong && outside && self.random.percent(65) {
            let most = if self.world.notable_in(area).is_some() {
                4
            } else {
                self.world.atlas.areas[area].surrender
            };
            let value = self.random.below(most) as i32;
            let siege = Siege { blockade: self.random.percent(30), value, bonus: 0 };
            self.world.sieges.insert(area, siege);
        }
    }

    /// Unled Brigades, outside or inside.
    fn unled(&mut self) {
        let (side, area) = (self.random.below(2), self.somewhere());
        let brigades = 1 + self.random.below(2);
        let own = self.world.controller(area) == Some(side);
        let room = self.world.room(area).saturating_sub(self.world.garrison(area).len());
        match self.world.notable_in(area) {
            Some(notable) if own => {
                self.put(side, At::Notable(notable), brigades.min(room));
            }
            None if own && self.world.is_fortress(area) && self.random.percent(70) => {
                self.put(side, At::Inside(area), brigades.min(room));
            }
            _ if self.world.stack(other(side), area).is_empty() => {
                self.put(side, At::Outside(area), brigades);
            }
            _ => {}
        }
    }

    /// An Army inside its Fortress, and beside it enemy Brigades whom no General leads: they don't Mask it (AC16).
    fn beside_a_fortress(&mut self) {
        let side = self.random.below(2);
        let world = &self.world;
        let empty = |area: usize| {
            let nobody = [0, 1].iter().all(|&side| world.in_area(side, area).is_empty());
            let generals = [0, 1]
                .iter()
                .any(|&side| world.commanders(side).into_iter().any(|one| world.area_of(one) == Some(area)));
            nobody && !generals
        };
        let free = |&area: &usize| {
            world.atlas.areas[area].printed.is_some() && world.controller(area) == Some(side) && empty(area)
        };
        let all: Vec<usize> = (0..world.atlas.areas.len()).filter(free).collect();
        let near: Vec<usize> = all.iter().copied().filter(|area| self.theatre.contains(area)).collect();
        let Some(&area) = self.random.pick(if near.is_empty() { &all } else { &near }) else { return };
        let Some(general) = self.generals[side].pop() else { return };
        let room = self.world.room(area);
        let brigades = 1 + self.random.below(room);
        self.world.posts[general] = Post::Inside(area);
        if self.put(side, At::General(general), brigades) == 0 {
            self.world.posts[general] = Post::Unemployed;
            return;
        }
        self.subordinate(side, general, room);
        let beside = 1 + self.random.below(2);
        self.put(other(side), At::Outside(area), beside);
    }

    /// Generals who are still to come: to the Reinforcements Box, or with Covenanters at the border.
    fn off_map(&mut self) {
        for general in self.generals.concat() {
            let id = &*self.world.atlas.generals[general].id;
            if id == "leven" && self.random.percent(50) {
                let most = 1 + self.random.below(5);
                let scots = |&one: &usize| self.world.faction(one) == "covenanter";
                let coming: Vec<usize> = self.pools[1].iter().copied().filter(scots).take(most).collect();
                self.world.posts[general] = Post::Scotland;
                for one in coming {
                    self.world.brigades[one].at = At::General(general);
                }
            } else if id == "callander" && self.random.percent(50) {
                self.world.posts[general] = Post::Waiting;
                self.world.happened.insert("league".to_owned());
            } else if self.world.atlas.generals[general].faction != "covenanter" && self.random.percent(35) {
                self.world.posts[general] = Post::Reinforcements;
            }
        }
    }
}

/// Optional rules, each a switch; the Laughter of the Court is none of the model's.
pub(crate) fn options(random: &mut Random) -> Options {
    let all = [
        ("king-surrenders", 85),
        ("cornish", 20),
        ("random-desertion", 20),
        ("manchester", 20),
        ("lostwithiel", 30),
    ];
    all.into_iter().filter(|&(_, percent)| random.percent(percent)).map(|(id, _)| id).collect()
}

/// Leaders who come with the New Model Army alone (6.5).
const NEW_MODEL: [&str; 6] =
    ["lord-general-tom-fairfax", "cromwell", "poyntz", "general-massey", "general-brereton", "gerard"];

/// Local Notables whom it changes.
const NOTABLES: [&str; 4] = ["massey", "brereton", "lord-herbert", "willoughby"];

/// Generals who come with the Solemn League, or after it (6.5).
const COVENANTERS: [&str; 2] = ["leven", "callander"];

/// A Mandatory card that is still to come on a board (6.5).
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) enum ToCome {
    Standard,
    League,
    NewModel,
}

impl ToCome {
    /// The Turns in which it may be in hand, as the first and how many.
    const fn turns(self) -> (usize, usize) {
        match self {
            Self::Standard => (1, 4),
            Self::League => (5, 7),
            Self::NewModel => (9, 3),
        }
    }

    const fn happens(self) -> &'static str {
        match self {
            Self::Standard => "standard",
            Self::League => "league",
            Self::NewModel => "new-model",
        }
    }
}

/// A board of any Turn.
pub(crate) fn board<'a>(atlas: &'a Atlas, random: &mut Random) -> World<'a> {
    set(atlas, random, None)
}

/// A board of a Turn in which a Mandatory card may be in hand, on which it is still to come.
pub(crate) fn before<'a>(atlas: &'a Atlas, random: &mut Random, card: ToCome) -> World<'a> {
    let mut world = set(atlas, random, Some(card));
    let (first, turns) = card.turns();
    world.turn = first + random.below(turns);
    if card != ToCome::Standard {
        world.happened.insert("standard".to_owned());
    }
    world
}

/// A board; before a Mandatory card, or with or without any.
fn set<'a>(atlas: &'a Atlas, random: &mut Random, to_come: Option<ToCome>) -> World<'a> {
    let before = to_come == Some(ToCome::NewModel);
    let waits = |faction: &str, id: &str| match to_come {
        Some(ToCome::NewModel) => faction == "new-model" || NEW_MODEL.contains(&id),
        Some(ToCome::League) => faction == "covenanter" || COVENANTERS.contains(&id),
        _ => false,
    };
    let mut brigades = Vec::new();
    for (face, def) in atlas.faces.iter().enumerate() {
        let at = match &*def.faction {
            "royalist" | "parliament" => At::Pool(def.side()),
            _ => At::Away,
        };
        let brigade = Brigade { at, face, turned: false, moved: false, marked: false };
        brigades.extend((0..def.count).map(|_| brigade));
    }
    let mut happened = BTreeSet::new();
    for (word, percent) in [
        ("standard", 93),
        ("lieutenant-general", 30),
        ("brentford", 40),
        ("joint-venture", 15),
        ("new-model", 30),
    ] {
        if random.percent(percent) && to_come.is_none_or(|card| card.happens() != word) {
            happened.insert(word.to_owned());
        }
    }
    let mut world = World {
        atlas,
        turn: 1 + random.below(11),
        control: BTreeMap::new(),
        posts: vec![Post::Unemployed; atlas.generals.len()],
        notables: vec![Presence::Waiting; atlas.notables.len()],
        brigades,
        sieges: BTreeMap::new(),
        trains: [Stay::Off; 2],
        queen: Stay::Off,
        may_not_assault: BTreeSet::new(),
        happened,
        naval: 0,
        options: options(random),
    };
    if world.has("new-model") {
        for one in &mut world.brigades {
            if atlas.faces[one.face].faction == "new-model" {
                one.at = At::Pool(1);
            }
        }
    }
    let neutral = random.below(60);
    let turned = random.below(30);
    for (area, def) in atlas.areas.iter().enumerate() {
        let side = def.start.unwrap_or_else(|| random.below(2));
        let side = if random.percent(turned) { other(side) } else { side };
        if def.printed.is_some() || !random.percent(neutral) {
            world.control.insert(area, side);
        }
    }
    for (number, notable) in atlas.notables.iter().enumerate() {
        if before && NOTABLES.contains(&&*notable.id) || random.percent(60) {
            world.notables[number] = Presence::InPlay;
            world.control.insert(notable.area, notable.side);
        }
    }
    let mut pools = [Vec::new(), Vec::new()];
    for (brigade, one) in world.brigades.iter().enumerate() {
        if !waits(&atlas.faces[one.face].faction, "") {
            pools[atlas.faces[one.face].side()].push(brigade);
        }
    }
    let mut generals = [Vec::new(), Vec::new()];
    for (general, def) in atlas.generals.iter().enumerate() {
        if waits("", &def.id) {
            world.posts[general] = Post::Waiting;
        } else {
            generals[def.side].push(general);
        }
    }
    for list in pools.iter_mut().chain(&mut generals) {
        shuffle(random, list);
    }
    let besieged = NOTABLES.map(|id| atlas.notables[atlas.notable(id)].area);
    let sieges = before && random.percent(75);
    let border = ENTRIES.map(|id| atlas.area(id));
    let entry = to_come == Some(ToCome::League) && random.percent(75);
    let centre = match (sieges, entry) {
        (true, _) => random.pick(&besieged).copied(),
        (false, true) => random.pick(&border).copied(),
        _ => None,
    };
    let centre = centre.unwrap_or_else(|| random.below(atlas.areas.len()));
    let theatre = around(atlas, centre, 1 + random.below(2));
    let mut table = Table { world, random, pools, generals, theatre };
    for _ in 0..2 {
        if table.random.percent(30) {
            table.beside_a_fortress();
        }
    }
    for _ in 0..table.random.below(4) {
        table.unled();
    }
    for _ in 0..3 + table.random.below(7) {
        table.army();
    }
    for _ in 0..table.random.below(5) {
        table.unled();
    }
    for side in 0..2 {
        for _ in 0..table.random.below(4) {
            let brigade = table.pools[side].pop().filter(|&one| !table.world.is_foreign(one));
            if let Some(brigade) = brigade {
                table.world.brigades[brigade].at = At::Unemployed(side);
            }
        }
    }
    table.off_map();
    let Table { mut world, random, .. } = table;
    // The last to come may have strengthened a garrison.
    let weak: Vec<usize> = world
        .sieges
        .keys()
        .copied()
        .filter(|&area| {
            let besieger = other(world.controller(area).expect("Fortresses are controlled"));
            !world.outside(besieger, area).iter().any(|&army| world.size(army) >= world.siege_need(area))
        })
        .collect();
    for area in weak {
        world.sieges.remove(&area);
    }
    belongings(&mut world, random);
    world
}

/// The Queen and the Siege Trains, with Armies or in Fortresses.
fn belongings(world: &mut World<'_>, random: &mut Random) {
    let fortress = |world: &World<'_>, random: &mut Random, side: usize| {
        let own: Vec<usize> = (0..world.atlas.areas.len())
            .filter(|&area| world.is_fortress(area) && world.controller(area) == Some(side))
            .collect();
        random.pick(&own).copied()
    };
    for side in 0..2 {
        let army = random.pick(&world.commanders(side)).copied();
        let there = fortress(world, random, side);
        world.trains[side] = match (random.below(3), army, there) {
            (0, Some(general), _) => Stay::With(general),
            (1, _, Some(area)) => Stay::In(area),
            _ => Stay::Off,
        };
    }
    let army = random.pick(&world.commanders(0)).copied();
    let there = fortress(world, random, 0);
    world.queen = match (random.below(4), army, there) {
        (0, Some(general), _) => Stay::With(general),
        (1, _, Some(area)) => Stay::In(area),
        _ => Stay::Off,
    };
    world.naval = random.below(9) as i32 - 4;
    // 15.1: what the Royalist holds is told with the rest.
    let held = ["london", "bristol"].iter().any(|id| world.controller(world.atlas.area(id)) == Some(0));
    world.naval -= i32::from(held);
}
