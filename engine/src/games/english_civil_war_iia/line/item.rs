//! One item of a line, read against the names of the board ([`Item`]).

use super::super::adjudicator::{LeaderId, LeaderSet, Order, Space};
use super::super::realm::Realm;

/// The content of an item.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Item {
    /// Units of a space under an order.
    Order { units: Units, order: Order },
    /// Dislodged units of a space go there, or disband.
    Retreat { units: Units, to: Option<Space> },
    /// Points into a space.
    Influence { space: Space, points: u16 },
    /// A build.
    Build(Space),
    /// Removals.
    Remove { space: Space, armies: u16 },
    /// A leader's start.
    Place { leader: LeaderId, space: Space },
}

/// Units of a space.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Units {
    pub(super) space: Space,
    pub(super) armies: u8,
    pub(super) leaders: LeaderSet,
}

/// Reads an item. The error says what was expected.
pub(super) fn read(realm: &Realm, text: &str) -> Result<Item, String> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let names = Names { realm };
    match words.as_slice() {
        [key, space] if is(key, "I") => Ok(Item::Influence { space: names.space(space)?, points: 1 }),
        [key, space, n] if is(key, "I") => {
            Ok(Item::Influence { space: names.space(space)?, points: number(n)? })
        }
        [key, space] if is(key, "X") => Ok(Item::Remove { space: names.space(space)?, armies: 1 }),
        [key, space, n] if is(key, "X") => {
            Ok(Item::Remove { space: names.space(space)?, armies: number(n)? })
        }
        [key, space] if is(key, "B") => Ok(Item::Build(names.space(space)?)),
        [key, leader, space] if is(key, "P") => {
            Ok(Item::Place { leader: names.leader(leader)?, space: names.space(space)? })
        }
        [key, leaders, rest @ ..] if is(key, "L") => names.ordered(0, names.leaders(leaders)?, rest),
        [units, rest @ ..] => {
            let (armies, leaders) = names.units(units)?;
            names.ordered(armies, leaders, rest)
        }
        [] => Err("an order".to_owned()),
    }
}

fn is(word: &str, key: &str) -> bool {
    word.eq_ignore_ascii_case(key)
}

/// A number as the grammar writes it: from 1, without leading zeros.
fn number(word: &str) -> Result<u16, String> {
    let plain = word.bytes().all(|byte| byte.is_ascii_digit()) && !word.starts_with('0');
    word.parse().ok().filter(|_| plain).ok_or_else(|| format!("a number instead of `{word}`"))
}

struct Names<'a> {
    realm: &'a Realm,
}

impl Names<'_> {
    fn space(&self, word: &str) -> Result<Space, String> {
        self.realm.space(word).ok_or_else(|| format!("the id of a space, such as KEN, instead of `{word}`"))
    }

    fn leader(&self, word: &str) -> Result<LeaderId, String> {
        self.realm.leader(word).ok_or_else(|| {
            let names: Vec<&str> = self.realm.leaders.iter().map(|leader| leader.id.as_str()).collect();
            format!("a leader ({}) instead of `{word}`", names.join(", "))
        })
    }

    /// `Charles+Rupert`.
    fn leaders(&self, word: &str) -> Result<LeaderSet, String> {
        let mut set = LeaderSet::EMPTY;
        for name in word.split('+') {
            let leader = self.leader(name)?;
            if set.contains(leader) {
                return Err(format!("`{name}` once"));
            }
            set = set | LeaderSet::single(leader);
        }
        Ok(set)
    }

    /// `A`, `2A`, `2A+Rupert`.
    fn units(&self, word: &str) -> Result<(u8, LeaderSet), String> {
        let (armies, leaders) =
            word.split_once('+').map_or((word, None), |(armies, rest)| (armies, Some(rest)));
        let expected = || format!("units, such as A, 2A+Rupert or L Rupert, instead of `{word}`");
        let count = armies.strip_suffix(['A', 'a']).ok_or_else(expected)?;
        let armies = if count.is_empty() { 1 } else { number(count).map_err(|_| expected())? };
        let armies = u8::try_from(armies).map_err(|_| expected())?;
        let leaders = leaders.map_or(Ok(LeaderSet::EMPTY), |names| self.leaders(names))?;
        Ok((armies, leaders))
    }

    /// Reads what follows the units: their space, and an act.
    fn ordered(&self, armies: u8, leaders: LeaderSet, words: &[&str]) -> Result<Item, String> {
        let order = |space: Space, order| Ok(Item::Order { units: Units { space, armies, leaders }, order });
        let retreat = |space: Space, to| Ok(Item::Retreat { units: Units { space, armies, leaders }, to });
        match *words {
            [from] => match from.split_once('-') {
                Some((from, to)) => order(self.space(from)?, Order::Move(self.space(to)?)),
                None => order(self.space(from)?, Order::Hold),
            },
            [at, act] if is(act, "H") => order(self.space(at)?, Order::Hold),
            [at, act] if is(act, "D") => retreat(self.space(at)?, None),
            [at, act, to] if is(act, "R") => retreat(self.space(at)?, Some(self.space(to)?)),
            [at, act, to] if is(act, "MERGE") => order(self.space(at)?, Order::Merge(self.space(to)?)),
            [at, act, what] if is(act, "S") => {
                let at = self.space(at)?;
                match what.split_once('-') {
                    Some((from, to)) => {
                        order(at, Order::SupportMove { from: self.space(from)?, to: self.space(to)? })
                    }
                    None => order(at, Order::SupportHold(self.space(what)?)),
                }
            }
            _ => Err("a space and H, -SPACE, MERGE SPACE, S SPACE, S SPACE-SPACE, R SPACE or D".to_owned()),
        }
    }
}
