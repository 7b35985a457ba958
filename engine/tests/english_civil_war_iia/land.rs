//! The game's board and a reader of order lines, for tests of the adjudicator.

use std::collections::BTreeMap;

use edgehill_engine::games::english_civil_war_iia::adjudicator::*;
use serde_json::Value;

const SPACES: &str = include_str!("../data/english-civil-war-iia/spaces.json");
/// In roster order; the first four are the Royalists'.
pub(crate) const LEADERS: [&str; 8] =
    ["Charles", "Rupert", "Hopton", "Newcastle", "Cromwell", "Fairfax", "Essex", "Waller"];

/// The 44 spaces, their links and ratings.
pub(crate) struct Land {
    pub(crate) board: Board,
    ids: Vec<String>,
    bias: Vec<i64>,
}

/// Some units of a space and what they are told, as a line has it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Line {
    pub(crate) space: Space,
    pub(crate) armies: u8,
    pub(crate) leaders: LeaderSet,
    pub(crate) told: Told,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Told {
    Order(Order),
    Retreat(Option<Space>),
}

impl Land {
    pub(crate) fn new() -> Self {
        let file: Value = serde_json::from_str(SPACES).expect("the map is JSON");
        let spaces = file["spaces"].as_array().expect("the map has spaces");
        let text = |value: &Value| value.as_str().expect("a text").to_string();
        let ids: Vec<String> = spaces.iter().map(|space| text(&space["id"])).collect();
        let place = |id: &Value| {
            let index = ids.iter().position(|other| Some(other.as_str()) == id.as_str());
            Space::new(index.expect("a neighbour is a space") as u8).expect("44 spaces fit")
        };
        let mut links = Vec::new();
        for space in spaces {
            let neighbours = space["neighbours"].as_array().expect("a space has neighbours");
            links.extend(neighbours.iter().map(|other| (place(&space["id"]), place(other))));
        }
        let board = Board::new(ids.len(), links).expect("the map is a board");
        let bias = spaces.iter().map(|space| space["bias_start"].as_i64().expect("a rating")).collect();
        Self { board, ids, bias }
    }

    pub(crate) fn space(&self, id: &str) -> Space {
        let index = self.ids.iter().position(|other| other == id);
        Space::new(index.unwrap_or_else(|| panic!("no space {id}")) as u8).expect("44 spaces fit")
    }

    pub(crate) fn names(&self, spaces: SpaceSet) -> Vec<&str> {
        spaces.iter().map(|space| self.ids[space.index()].as_str()).collect()
    }

    /// Changes ratings.
    pub(crate) fn rate(&mut self, ratings: &Value) {
        for (id, bias) in ratings.as_object().into_iter().flatten() {
            let space = self.space(id);
            self.bias[space.index()] = bias.as_i64().expect("a rating");
        }
    }

    /// The spaces that `side` controls: R is 0, P is 1.
    pub(crate) fn ground(&self, side: usize) -> SpaceSet {
        let sign = if side == 0 { 1 } else { -1 };
        let spaces = (0..self.ids.len() as u8).filter_map(Space::new);
        spaces.filter(|space| self.bias[space.index()] * sign > 0).collect()
    }

    /// Reads `2A+Rupert OXF-BUC` and the like; a position's `2A+Rupert OXF` is a hold.
    pub(crate) fn line(&self, text: &str) -> Line {
        let words: Vec<&str> = text.split(' ').collect();
        let (armies, leaders, rest) = match words[0] {
            "L" => (0, leaders(words[1]), &words[2..]),
            units => {
                let (number, leaders_text) =
                    units.split_once('A').unwrap_or_else(|| panic!("units in {text}"));
                let armies = if number.is_empty() { 1 } else { number.parse().expect("a number of armies") };
                (armies, leaders(leaders_text), &words[1..])
            }
        };
        let (space, told) = match rest {
            [space] | [space, "H"] => match space.split_once('-') {
                Some((from, to)) => (self.space(from), Told::Order(Order::Move(self.space(to)))),
                None => (self.space(space), Told::Order(Order::Hold)),
            },
            [space, "MERGE", to] => (self.space(space), Told::Order(Order::Merge(self.space(to)))),
            [space, "S", what] => {
                let order = match what.split_once('-') {
                    Some((from, to)) => Order::SupportMove { from: self.space(from), to: self.space(to) },
                    None => Order::SupportHold(self.space(what)),
                };
                (self.space(space), Told::Order(order))
            }
            [space, "R", to] => (self.space(space), Told::Retreat(Some(self.space(to)))),
            [space, "D"] => (self.space(space), Told::Retreat(None)),
            _ => panic!("no line: {text}"),
        };
        Line { space, armies, leaders, told }
    }

    /// A position, from the lines of each side.
    pub(crate) fn position(&self, units: [&[&str]; 2]) -> Position {
        let mut stacks: BTreeMap<Space, (usize, u8, LeaderSet)> = BTreeMap::new();
        for (side, lines) in units.into_iter().enumerate() {
            for line in lines.iter().map(|line| self.line(line)) {
                let stack = stacks.entry(line.space).or_insert((side, 0, LeaderSet::EMPTY));
                assert_eq!(stack.0, side, "two sides in one space");
                stack.1 += line.armies;
                stack.2 = stack.2 | line.leaders;
            }
        }
        let mut position = Position::default();
        let mut strong = LeaderSet::EMPTY;
        for (space, (side, armies, leaders)) in stacks {
            position.place(space, self::side(side), armies, leaders).expect("the units fit");
            if self.ground(side).contains(space) {
                strong = strong | leaders;
            }
        }
        position.set_strong_alone(strong);
        position
    }

    /// Orders, from lines of both sides.
    pub(crate) fn orders<'l>(&self, position: &Position, lines: impl IntoIterator<Item = &'l str>) -> Orders {
        let mut sheet = OrderSheet::new(position);
        for text in lines {
            let Line { space, armies, leaders, told: Told::Order(order) } = self.line(text) else {
                panic!("{text} is no order");
            };
            sheet.give(space, armies, leaders, order).unwrap_or_else(|error| panic!("{text}: {error}"));
        }
        sheet.finish().expect("few parts")
    }

    /// A month on this board under these ratings.
    pub(crate) fn month(&self, rules: Rules) -> Month<'_> {
        let month = Month::new(&self.board, rules);
        month.with_enemy_ground(side(0), self.ground(1)).with_enemy_ground(side(1), self.ground(0))
    }
}

/// R is 0, P is 1.
pub(crate) fn side(index: usize) -> Side {
    Side::new(index as u8).expect("two sides fit")
}

/// Leaders by name, joined by `+`.
pub(crate) fn leaders(text: &str) -> LeaderSet {
    let index = |name: &str| {
        LEADERS.iter().position(|other| *other == name).unwrap_or_else(|| panic!("no leader {name}"))
    };
    let names = text.split('+').filter(|name| !name.is_empty());
    names.map(|name| LeaderId::new(index(name) as u8).expect("eight leaders fit")).collect()
}
