//! Map, blocks and cards as plain data, read from the content by the tests themselves.

use toml::Value;

const AREAS: &str = include_str!("../../../content/this-war-without-an-enemy/areas.toml");
const BORDERS: &str = include_str!("../../../content/this-war-without-an-enemy/borders.toml");
const CITIES: &str = include_str!("../../../content/this-war-without-an-enemy/cities.toml");
const BLOCKS: &str = include_str!("../../../content/this-war-without-an-enemy/blocks.toml");
const CARDS: &str = include_str!("../../../content/this-war-without-an-enemy/cards.toml");

pub(crate) const SIDES: [&str; 2] = ["royalist", "parliament"];

#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) enum Class {
    Infantry,
    Cavalry,
    Artillery,
}

#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    Leader,
    RegionalLeader,
    Regional,
    Artillery,
}

#[derive(Debug)]
pub(crate) struct Area {
    pub(crate) id: String,
    pub(crate) region: String,
    pub(crate) mountain: bool,
    pub(crate) loyal: Option<usize>,
    /// Neighbours, each with the limit of the border (6.13).
    pub(crate) next: Vec<(usize, usize)>,
}

#[derive(Debug)]
pub(crate) struct City {
    pub(crate) id: String,
    pub(crate) class: String,
    pub(crate) size: usize,
    pub(crate) area: usize,
    pub(crate) points: i32,
    pub(crate) sympathy: Option<usize>,
    pub(crate) fortified: bool,
    pub(crate) port: bool,
}

#[derive(Debug)]
pub(crate) struct Block {
    pub(crate) id: String,
    pub(crate) side: usize,
    pub(crate) class: Class,
    pub(crate) kind: Kind,
    pub(crate) home: String,
    pub(crate) strength: u8,
    pub(crate) effectiveness: i32,
}

#[derive(Debug)]
pub(crate) struct Card {
    pub(crate) id: String,
    pub(crate) side: usize,
    pub(crate) event: String,
}

#[derive(Debug)]
pub(crate) struct Atlas {
    pub(crate) areas: Vec<Area>,
    pub(crate) cities: Vec<City>,
    pub(crate) blocks: Vec<Block>,
    /// Those that the introductory game uses.
    pub(crate) cards: Vec<Card>,
}

fn table(text: &str, name: &str) -> Vec<Value> {
    let value: Value = toml::from_str(text).expect("content is TOML");
    value[name].as_array().expect("a list of tables").clone()
}

fn text(record: &Value, field: &str) -> String {
    record.get(field).and_then(Value::as_str).unwrap_or("").to_owned()
}

fn number(record: &Value, field: &str) -> i64 {
    record.get(field).and_then(Value::as_integer).unwrap_or(0)
}

fn flag(record: &Value, field: &str) -> bool {
    record.get(field).and_then(Value::as_bool).unwrap_or(false)
}

fn side(name: &str) -> Option<usize> {
    SIDES.iter().position(|side| *side == name)
}

impl Atlas {
    pub(crate) fn load() -> Self {
        let area = |record: &Value| Area {
            id: text(record, "id"),
            region: text(record, "region"),
            mountain: flag(record, "mountain"),
            loyal: side(&text(record, "loyal")),
            next: Vec::new(),
        };
        let mut areas: Vec<Area> = table(AREAS, "area").iter().map(area).collect();
        for border in table(BORDERS, "border") {
            let ends = border["between"].as_array().expect("two Areas");
            let ends = [0, 1].map(|end| {
                let id = ends[end].as_str().expect("an id");
                areas.iter().position(|area| area.id == id).expect("an Area")
            });
            let limit = match text(&border, "kind").as_str() {
                "river" => 4,
                "mountain" => 2,
                _ => 99,
            };
            areas[ends[0]].next.push((ends[1], limit));
            areas[ends[1]].next.push((ends[0], limit));
        }
        let city = |record: &Value| City {
            id: text(record, "id"),
            class: text(record, "class"),
            size: number(record, "size") as usize,
            area: areas.iter().position(|area| area.id == text(record, "area")).expect("an Area"),
            points: number(record, "points") as i32,
            sympathy: side(&text(record, "sympathy")),
            fortified: flag(record, "fortified"),
            port: flag(record, "port"),
        };
        let block = |record: &Value| Block {
            id: text(record, "id"),
            side: side(&text(record, "side")).expect("a side"),
            class: match text(record, "class").as_str() {
                "infantry" => Class::Infantry,
                "cavalry" => Class::Cavalry,
                _ => Class::Artillery,
            },
            kind: match text(record, "kind").as_str() {
                "leader" => Kind::Leader,
                "regional-leader" => Kind::RegionalLeader,
                "regional" => Kind::Regional,
                _ => Kind::Artillery,
            },
            home: text(record, "home"),
            strength: number(record, "strength") as u8,
            effectiveness: number(record, "effectiveness") as i32,
        };
        let card = |record: &Value| Card {
            id: text(record, "id"),
            side: side(&text(record, "side")).expect("a side"),
            event: text(record, "event"),
        };
        let used = |record: &&Value| text(record, "stage") != "out";
        Self {
            cities: table(CITIES, "city").iter().map(city).collect(),
            blocks: table(BLOCKS, "block").iter().map(block).collect(),
            cards: table(CARDS, "card").iter().filter(used).map(card).collect(),
            areas,
        }
    }

    pub(crate) fn area(&self, id: &str) -> usize {
        self.areas.iter().position(|area| area.id == id).expect("an Area")
    }

    /// The Fortified City of an Area.
    pub(crate) fn fortress(&self, area: usize) -> Option<usize> {
        self.cities.iter().position(|city| city.fortified && city.area == area)
    }

    pub(crate) fn is_field(&self, block: usize) -> bool {
        self.blocks[block].class != Class::Artillery
    }

    pub(crate) fn is_horse(&self, block: usize) -> bool {
        self.blocks[block].class == Class::Cavalry
    }

    pub(crate) fn is_foot(&self, block: usize) -> bool {
        self.blocks[block].class == Class::Infantry
    }

    pub(crate) fn is_gun(&self, block: usize) -> bool {
        self.blocks[block].class == Class::Artillery
    }

    /// 3.3, 6.16: whether an Area is in a block's Home Region; London's is its Area with the neighbours.
    pub(crate) fn is_home(&self, block: usize, area: usize) -> bool {
        let home = &self.blocks[block].home;
        if home != "london" {
            return self.areas[area].region == *home;
        }
        let london = self.cities.iter().find(|city| city.class == "london").expect("London").area;
        area == london || self.areas[london].next.iter().any(|&(next, _)| next == area)
    }

    /// 3.3, E3: whether a block is one that a Regional block may stand with.
    pub(crate) fn chaperones(&self, leader: usize, block: usize) -> bool {
        let (leader, block) = (&self.blocks[leader], &self.blocks[block]);
        if leader.side != block.side {
            return false;
        }
        match leader.kind {
            Kind::Leader => true,
            Kind::RegionalLeader => leader.home == block.home,
            _ => false,
        }
    }
}
