//! Armies in few words, Activations that begin at once, and Battles that nobody avoids.

use edgehill_engine::game::Node;
use edgehill_engine::reference::Ref;
use edgehill_engine::seat::Observer;
use serde_json::{Map, Value, json};

use crate::play::{Match, at, merged, position};
use crate::support::Match as Generic;

/// Generals of the Royalist; all others are Parliament's.
const ROYALISTS: [&str; 10] = [
    "king-charles-i",
    "prince-rupert",
    "prince-maurice",
    "newcastle",
    "hopton",
    "byron",
    "goring",
    "langdale",
    "gerard",
    "charles-of-lorraine",
];

/// Generals and Brigades of a position: `hopton@bath hertfords stawells; byron@under-hopton byrons; @exeter pophams; massey gells` are a
/// General in an Area, a Subordinate, unled Brigades, and those of a Local Notable, each with faces of Brigades.
pub(crate) fn armies(text: &str) -> Value {
    let (mut generals, mut brigades) = (Map::new(), Map::new());
    for stack in text.split(';').map(str::trim).filter(|stack| !stack.is_empty()) {
        let mut words = stack.split_whitespace();
        let who = words.next().expect("a stack begins with its place");
        let faces: Value = words.map(Value::from).collect();
        match who.split_once('@') {
            None => brigades.insert(who.to_owned(), faces),
            Some(("", inside)) if inside.starts_with("inside-") => brigades.insert(inside.to_owned(), faces),
            Some(("", area)) => brigades.insert(format!("unled-{area}"), faces),
            Some((general, place)) => {
                generals.insert(general.to_owned(), place.into());
                brigades.insert(general.to_owned(), faces)
            }
        };
    }
    json!({ "generals": generals, "brigades": brigades })
}

/// A position in which a General was just Activated by an Operations card of this value; `more` adds fields.
pub(crate) fn activated(general: &str, card: u8, stacks: &str, more: &Value) -> Value {
    let side = if ROYALISTS.contains(&general) { "royalist" } else { "parliament" };
    let activation = json!({ "activation": { "general": general, "card": card } });
    merged(merged(merged(position("early-1643", side, &json!({})), &armies(stacks)), &activation), more)
}

/// A match in which a General was just Activated, as [`activated`] has it.
pub(crate) fn moving(general: &str, card: u8, stacks: &str, more: &Value, script: &str) -> Match {
    at(activated(general, card, stacks, more), script)
}

/// Returns a match in which one Army comes upon another, which stands, as nobody avoids the Battle; up to the first question behind the dice.
/// The active side is the first stack's, and its goal the Area of the second.
pub(crate) fn battle(general: &str, goal: &str, stacks: &str, more: &Value, script: &str) -> Match {
    let mut table = moving(general, 3, stacks, more, script);
    table.act(&format!("move {goal}")).stand();
    table
}

impl Generic<edgehill_engine::games::unhappy_king_charles::UnhappyKing> {
    /// Declines whatever would keep a Battle off, and Combat Cards, until something else is asked.
    pub(crate) fn stand(&mut self) -> &mut Self {
        loop {
            match self.frame().as_str() {
                "pick-up" | "evasion" | "withdrawal" | "dispersal" => self.act("stand"),
                "combat-card" | "response" | "interception" => self.act("pass"),
                _ => return self,
            };
        }
    }

    /// A number that the Activation under way remembers, as the seat that is to act sees it.
    pub(crate) fn activation_number(&self, role: &str) -> i32 {
        let turn_state = self.view(self.to_act()).turn_state;
        let activation = turn_state.procedures.iter().find(|one| one.frame == "activation");
        match activation.expect("an Activation is under way").role(role) {
            Some(Ref::Number(number)) => number,
            other => panic!("{role} is no number: {other:?}"),
        }
    }

    /// Movement Points that the active Army has spent.
    pub(crate) fn spent(&self) -> i32 {
        self.activation_number("spent")
    }

    /// All that was published to the seat that is to act, as codes and ids.
    pub(crate) fn news(&self) -> Vec<String> {
        let observer = match self.asked() {
            Node::Decision(seat) => Observer::Seat(seat),
            _ => crate::play::SPECTATOR,
        };
        self.facts(observer)
    }

    /// Returns whether something was published, as code and ids.
    pub(crate) fn told(&self, fact: &str) -> bool {
        self.news().iter().any(|one| one == fact)
    }

    /// Returns whether an event of this code was published.
    pub(crate) fn has_told(&self, code: &str) -> bool {
        self.news().iter().any(|one| one.split(' ').next() == Some(code))
    }
}
