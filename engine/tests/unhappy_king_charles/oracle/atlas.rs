//! Map, leaders, Brigades, Turns and cards as plain data, read from the content by the tests themselves.

use std::collections::{BTreeMap, BTreeSet};

use toml::Value;

const AREAS: &str = include_str!("../../../content/unhappy-king-charles/areas.toml");
const LINES: &str = include_str!("../../../content/unhappy-king-charles/lines.toml");
const LEADERS: &str = include_str!("../../../content/unhappy-king-charles/leaders.toml");
const BRIGADES: &str = include_str!("../../../content/unhappy-king-charles/brigades.toml");
const TURNS: &str = include_str!("../../../content/unhappy-king-charles/turns.toml");
const CARDS: &str = include_str!("../../../content/unhappy-king-charles/cards.toml");

/// The sides, by seat.
pub(crate) const SIDES: [&str; 2] = ["royalist", "parliament"];

pub(crate) const ROYALIST: usize = 0;
pub(crate) const PARLIAMENT: usize = 1;

#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) enum Line {
    Road,
    Mountain,
    Maritime,
}

#[derive(Debug)]
pub(crate) struct Area {
    pub(crate) id: String,
    pub(crate) region: String,
    /// The number of Brigades that a printed Fortress holds (14.1), and its class; none without one.
    pub(crate) printed: Option<(usize, usize)>,
    pub(crate) supply: bool,
    /// The Bombardment Value that takes a printed Fortress (14.4).
    pub(crate) surrender: usize,
    pub(crate) port: bool,
    /// By side the Regions whose Brigades are recruited there (7.2).
    pub(crate) drummers: [Vec<String>; 2],
    pub(crate) start: Option<usize>,
    /// Neighbours by lines.
    pub(crate) next: Vec<(usize, Line)>,
}

#[derive(Debug)]
pub(crate) struct General {
    pub(crate) id: String,
    pub(crate) side: usize,
    pub(crate) faction: String,
    pub(crate) activation: i32,
    pub(crate) strategy: i32,
    pub(crate) battle: i32,
    pub(crate) regions: Vec<String>,
    pub(crate) level: i32,
    pub(crate) limit: usize,
    pub(crate) assaults: bool,
}

#[derive(Debug)]
pub(crate) struct Notable {
    pub(crate) id: String,
    pub(crate) side: usize,
    pub(crate) area: usize,
    pub(crate) limit: usize,
}

#[derive(Debug)]
pub(crate) struct Face {
    pub(crate) id: String,
    pub(crate) faction: String,
    pub(crate) region: Option<String>,
    pub(crate) value: i32,
    pub(crate) count: usize,
}

impl Face {
    /// The side that the face is of.
    pub(crate) fn side(&self) -> usize {
        usize::from(matches!(&*self.faction, "parliament" | "new-model" | "covenanter"))
    }

    /// Covenanters and Lorrainers (Y1).
    pub(crate) fn is_foreign(&self) -> bool {
        matches!(&*self.faction, "covenanter" | "lorrainer")
    }
}

#[derive(Debug)]
pub(crate) struct Turn {
    pub(crate) id: String,
    pub(crate) desertion: usize,
    pub(crate) recruits: usize,
    pub(crate) turncoats: bool,
    pub(crate) powicke: bool,
}

/// A Combat Card: what it adds, whether it makes a Major Victory Decisive, whom it serves.
#[derive(Debug)]
pub(crate) struct Combat {
    pub(crate) modifier: i32,
    pub(crate) decisive: bool,
    /// The one side that may play it.
    side: Option<usize>,
    /// It serves a defender alone.
    defender: bool,
}

#[derive(Debug)]
pub(crate) struct Atlas {
    pub(crate) areas: Vec<Area>,
    pub(crate) generals: Vec<General>,
    pub(crate) notables: Vec<Notable>,
    pub(crate) faces: Vec<Face>,
    pub(crate) turns: Vec<Turn>,
    pub(crate) combat: BTreeMap<String, Combat>,
    /// Operations cards with their value, Campaign cards with their Activations (6.1).
    pub(crate) operations: BTreeMap<String, i32>,
    /// Cards of which all know who holds them: Core Cards, and Mandatory cards but for the Standard.
    open: BTreeSet<String>,
}

fn tables(text: &str, name: &str) -> Vec<Value> {
    let value: Value = toml::from_str(text).expect("content is TOML");
    value[name].as_array().expect("a list of tables").clone()
}

fn word(table: &Value, key: &str) -> String {
    table[key].as_str().unwrap_or_else(|| panic!("{key} is a word in {table}")).to_owned()
}

fn number(table: &Value, key: &str) -> i32 {
    table.get(key).and_then(Value::as_integer).unwrap_or(0) as i32
}

fn is_set(table: &Value, key: &str) -> bool {
    table.get(key).and_then(Value::as_bool).unwrap_or(false)
}

fn words(table: Option<&Value>) -> Vec<String> {
    let list = table.and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    list.iter().map(|one| one.as_str().expect("a word").to_owned()).collect()
}

fn side(table: &Value, key: &str) -> Option<usize> {
    let id = table.get(key)?.as_str()?;
    SIDES.iter().position(|side| *side == id)
}

fn area(table: &Value) -> Area {
    let shape = word(table, "shape");
    let class = number(table, "class") as usize;
    let printed = match &*shape {
        "supply-fortress" => Some((class, class)),
        "limited-fortress" => Some((1, class)),
        _ => None,
    };
    let drummers = |side: &str| words(table.get("drummers").and_then(|all| all.get(side)));
    Area {
        id: word(table, "id"),
        region: word(table, "region"),
        printed,
        supply: shape == "supply-fortress",
        surrender: number(table, "surrender") as usize,
        port: is_set(table, "port"),
        drummers: SIDES.map(drummers),
        start: side(table, "start"),
        next: Vec::new(),
    }
}

fn general(table: &Value) -> General {
    General {
        id: word(table, "id"),
        side: side(table, "side").expect("a side"),
        faction: word(table, "faction"),
        activation: number(table, "activation"),
        strategy: number(table, "strategy"),
        battle: number(table, "battle"),
        regions: words(table.get("regions")),
        level: number(table, "level"),
        limit: number(table, "limit") as usize,
        assaults: is_set(table, "assaults"),
    }
}

fn face(table: &Value) -> Face {
    Face {
        id: word(table, "id"),
        faction: word(table, "faction"),
        region: table.get("region").and_then(Value::as_str).map(str::to_owned),
        value: number(table, "value"),
        count: number(table, "count") as usize,
    }
}

fn turn(table: &Value) -> Turn {
    Turn {
        id: word(table, "id"),
        desertion: number(table, "desertion") as usize,
        recruits: number(table, "recruits") as usize,
        turncoats: is_set(table, "turncoats"),
        powicke: is_set(table, "powicke"),
    }
}

impl Atlas {
    pub(crate) fn load() -> Self {
        let mut areas: Vec<Area> = tables(AREAS, "area").iter().map(area).collect();
        let place = |areas: &[Area], id: &str| {
            areas.iter().position(|area| area.id == id).unwrap_or_else(|| panic!("there is no Area {id}"))
        };
        for line in tables(LINES, "line") {
            let ends = words(line.get("between"));
            let kind = match line["kind"].as_str() {
                Some("road") => Line::Road,
                Some("mountain") => Line::Mountain,
                _ => Line::Maritime,
            };
            let [one, other] = [&ends[0], &ends[1]].map(|id| place(&areas, id));
            areas[one].next.push((other, kind));
            areas[other].next.push((one, kind));
        }
        let notable = |table: &Value| Notable {
            id: word(table, "id"),
            side: side(table, "side").expect("a side"),
            area: place(&areas, &word(table, "area")),
            limit: number(table, "limit") as usize,
        };
        let notables = tables(LEADERS, "notable").iter().map(notable).collect();
        let cards = tables(CARDS, "card");
        let mut combat = BTreeMap::new();
        for card in cards.iter().filter(|card| card["kind"].as_str() == Some("combat")) {
            let operation = &card["operations"][0];
            let (modifier, decisive) = (number(operation, "modifier"), is_set(operation, "decisive"));
            let (side, defender) = (side(card, "side"), is_set(operation, "defender"));
            combat.insert(word(card, "id"), Combat { modifier, decisive, side, defender });
        }
        let mut operations = BTreeMap::new();
        for card in &cards {
            let operation = &card["operations"][0];
            let key = match card["kind"].as_str() {
                Some("operations") => "value",
                Some("campaign") => "activations",
                _ => continue,
            };
            operations.insert(word(card, "id"), number(operation, key));
        }
        let standard =
            |card: &Value| card["operations"][0].get("paragraph").and_then(Value::as_str) == Some("standard");
        let open = |card: &&Value| match card["deck"].as_str() {
            Some("core") => true,
            Some("mandatory") => !standard(card),
            _ => false,
        };
        let open = cards.iter().filter(open).map(|card| word(card, "id")).collect();
        Self {
            generals: tables(LEADERS, "general").iter().map(general).collect(),
            notables,
            faces: tables(BRIGADES, "brigade").iter().map(face).collect(),
            turns: tables(TURNS, "turn").iter().map(turn).collect(),
            combat,
            operations,
            open,
            areas,
        }
    }

    pub(crate) fn area(&self, id: &str) -> usize {
        self.areas.iter().position(|area| area.id == id).unwrap_or_else(|| panic!("there is no Area {id}"))
    }

    pub(crate) fn general(&self, id: &str) -> usize {
        let found = self.generals.iter().position(|general| general.id == id);
        found.unwrap_or_else(|| panic!("there is no General {id}"))
    }

    pub(crate) fn notable(&self, id: &str) -> usize {
        let found = self.notables.iter().position(|notable| notable.id == id);
        found.unwrap_or_else(|| panic!("there is no General {id}"))
    }

    /// X3: whether a card in somebody's hand might be a Combat Card, for all that a spectator knows.
    pub(crate) fn might_be_combat(&self, card: &str) -> bool {
        !self.open.contains(card)
    }

    /// 10.2: whether a card is a Combat Card that serves a side in a Battle.
    pub(crate) fn serves(&self, card: &str, side: usize, defends: bool) -> bool {
        let fits = |of: &Combat| of.side.is_none_or(|of| of == side) && (defends || !of.defender);
        self.combat.get(card).is_some_and(fits)
    }

    /// The Local Notable whose Area it is.
    pub(crate) fn notable_of(&self, area: usize) -> Option<usize> {
        self.notables.iter().position(|notable| notable.area == area)
    }
}
