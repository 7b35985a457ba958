//! The oracle: all results that the rulings admit, found by trying every one, and of those the one that contains
//! the others.
//!
//! It is written from the rulings in plain lists, and has nothing of the adjudicator but the names of orders and
//! spaces. What it finds is compared word for word, so it says its results in the same codes.

use edgehill_engine::games::english_civil_war_iia::adjudicator::{Order, Space};

use super::position::Case;
use super::world::{Verdict, World};

#[derive(Debug)]
pub(crate) struct Unit {
    pub(crate) at: usize,
    pub(crate) side: usize,
    pub(crate) armies: usize,
    pub(crate) leaders: Vec<usize>,
    pub(crate) order: Order,
    pub(crate) strength: usize,
    pub(crate) void: Option<&'static str>,
    /// The joint move that it belongs to.
    pub(crate) goes: Option<usize>,
    /// The part of its support that attacks leave.
    pub(crate) points: usize,
}

/// A move, or a whole merge.
#[derive(Debug)]
pub(crate) struct Joint {
    pub(crate) side: usize,
    pub(crate) to: usize,
    pub(crate) merge: bool,
    pub(crate) units: Vec<usize>,
}

pub(crate) struct Oracle<'a> {
    pub(crate) case: &'a Case,
    pub(crate) units: Vec<Unit>,
    pub(crate) joints: Vec<Joint>,
}

pub(crate) fn place(space: Space) -> usize {
    space.index()
}

fn destination(order: Order) -> Option<usize> {
    match order {
        Order::Move(to) | Order::Merge(to) => Some(place(to)),
        _ => None,
    }
}

fn aim(order: Order) -> Option<usize> {
    match order {
        Order::SupportHold(at) => Some(place(at)),
        Order::SupportMove { to, .. } => Some(place(to)),
        _ => None,
    }
}

impl<'a> Oracle<'a> {
    pub(crate) fn new(case: &'a Case) -> Self {
        let mut oracle = Self { case, units: Vec::new(), joints: Vec::new() };
        oracle.muster();
        oracle.void_illegal();
        oracle.void_merges();
        oracle.join_up();
        oracle.void_unmatched();
        oracle.cut();
        oracle
    }

    /// Returns the number of joint moves: the oracle's work doubles with each.
    pub(crate) fn size(&self) -> usize {
        self.joints.len()
    }

    /// The parts: as ordered, and one of what holds (M23, L20).
    fn muster(&mut self) {
        for stack in &self.case.stacks {
            let (mut armies, mut leaders) = (stack.armies, stack.leaders.clone());
            let mut parts = Vec::new();
            for told in self.case.orders.iter().filter(|told| told.at == stack.at) {
                armies -= told.armies;
                leaders.retain(|leader| !told.leaders.contains(leader));
                parts.push((told.armies, told.leaders.clone(), told.order));
            }
            if armies > 0 || !leaders.is_empty() {
                parts.push((armies, leaders, Order::Hold));
            }
            for (armies, leaders, order) in parts {
                let alone = leaders.iter().filter(|leader| self.case.strong.contains(leader)).count();
                let strength = if armies > 0 { armies + leaders.len() } else { alone };
                let (at, side) = (stack.at, stack.side);
                self.units.push(Unit {
                    at,
                    side,
                    armies,
                    leaders,
                    order,
                    strength,
                    void: None,
                    goes: None,
                    points: 0,
                });
            }
        }
        self.units.sort_by_key(|unit| (unit.at, unit.order));
    }

    pub(crate) fn touch(&self, one: usize, other: usize) -> bool {
        self.case.links.contains(&(one, other)) || self.case.links.contains(&(other, one))
    }

    fn void_illegal(&mut self) {
        for index in 0..self.units.len() {
            let unit = &self.units[index];
            let peopled = |at: Space| self.units.iter().any(|other| other.at == place(at));
            let legal = match unit.order {
                Order::Hold => true,
                Order::Move(to) | Order::Merge(to) => self.touch(unit.at, place(to)),
                Order::SupportHold(at) => unit.strength > 0 && self.touch(unit.at, place(at)) && peopled(at),
                Order::SupportMove { from, to } => {
                    unit.strength > 0
                        && self.touch(unit.at, place(to))
                        && self.touch(place(from), place(to))
                        && peopled(from)
                }
            };
            if !legal {
                self.units[index].void = Some("void illegal");
            }
        }
    }

    /// M19, L16, on the orders as written.
    fn void_merges(&mut self) {
        let merges = |unit: &Unit, to: usize, side: usize| {
            unit.void != Some("void illegal")
                && unit.side == side
                && matches!(unit.order, Order::Merge(z) if place(z) == to)
        };
        let stays = |unit: &Unit, at: usize, side: usize| {
            unit.at == at
                && unit.side == side
                && (destination(unit.order).is_none() || unit.void == Some("void illegal"))
        };
        let mut voids = Vec::new();
        for unit in &self.units {
            let Order::Merge(to) = unit.order else {
                voids.push(unit.void);
                continue;
            };
            if unit.void.is_some() {
                voids.push(unit.void);
                continue;
            }
            let merging: Vec<&Unit> =
                self.units.iter().filter(|other| merges(other, place(to), unit.side)).collect();
            let staying: Vec<&Unit> =
                self.units.iter().filter(|other| stays(other, place(to), unit.side)).collect();
            let leaders: usize = merging.iter().chain(&staying).map(|other| other.leaders.len()).sum();
            voids.push(if leaders > 2 {
                Some("void three_leaders")
            } else if merging.len() == 1 && staying.is_empty() {
                Some("void merge_of_one")
            } else {
                None
            });
        }
        for (unit, void) in self.units.iter_mut().zip(voids) {
            unit.void = void;
        }
    }

    fn join_up(&mut self) {
        for index in 0..self.units.len() {
            let unit = &self.units[index];
            let (Some(to), None) = (destination(unit.order), unit.void) else { continue };
            let (side, merge) = (unit.side, matches!(unit.order, Order::Merge(_)));
            let known = self
                .joints
                .iter()
                .position(|joint| merge && joint.merge && joint.side == side && joint.to == to);
            let joint = known.unwrap_or_else(|| {
                self.joints.push(Joint { side, to, merge, units: Vec::new() });
                self.joints.len() - 1
            });
            self.joints[joint].units.push(index);
            self.units[index].goes = Some(joint);
        }
    }

    /// M20.
    fn void_unmatched(&mut self) {
        for index in 0..self.units.len() {
            if self.units[index].void.is_some() {
                continue;
            }
            let matched = match self.units[index].order {
                Order::SupportHold(at) => {
                    self.units.iter().any(|other| other.at == place(at) && other.goes.is_none())
                }
                Order::SupportMove { from, to } => self.units.iter().any(|other| {
                    other.at == place(from)
                        && other.goes.is_some()
                        && destination(other.order) == Some(place(to))
                }),
                _ => continue,
            };
            if matched {
                self.units[index].points = self.units[index].strength;
            } else {
                self.units[index].void = Some("void unmatched");
            }
        }
    }

    /// M6, but for dislodgement.
    fn cut(&mut self) {
        for at in 0..self.case.spaces {
            let mut supporting: Vec<usize> = (0..self.units.len())
                .filter(|unit| self.units[*unit].at == at && aim(self.units[*unit].order).is_some())
                .filter(|unit| self.units[*unit].void.is_none())
                .collect();
            supporting.sort_by_key(|unit| std::cmp::Reverse(self.units[*unit].strength));
            let Some(first) = supporting.first() else { continue };
            let side = self.units[*first].side;
            let mut attackers: Vec<(usize, usize)> = self
                .units
                .iter()
                .filter(|unit| {
                    unit.side != side && unit.goes.is_some() && destination(unit.order) == Some(at)
                })
                .map(|unit| (unit.at, unit.strength))
                .collect();
            let aimed_at =
                |from: usize| supporting.iter().any(|unit| aim(self.units[*unit].order) == Some(from));
            attackers.sort_by_key(|(from, _)| (!aimed_at(*from), *from));
            for (from, strength) in attackers {
                let mut left = strength;
                for unit in supporting.iter().copied() {
                    if strength > 0 && aim(self.units[unit].order) != Some(from) {
                        let points = self.units[unit].points;
                        let lost = if self.case.cut_all { points } else { points.min(left) };
                        self.units[unit].points -= lost;
                        left = left.saturating_sub(lost);
                    }
                }
            }
        }
    }

    /// The joint move of the part with this order.
    pub(crate) fn joint(&self, at: usize, order: Order) -> Option<usize> {
        self.units.iter().find(|unit| (unit.at, unit.order) == (at, order)).and_then(|unit| unit.goes)
    }

    /// Tries every result in which the joint moves of `knot` fail, whatever the rulings say of them.
    pub(crate) fn verdict(&self, knot: &[usize]) -> Result<Verdict, Verdictless> {
        let mut consistent: Vec<Vec<bool>> = Vec::new();
        for bits in 0..1u64 << self.joints.len() {
            let success: Vec<bool> = (0..self.joints.len()).map(|joint| bits >> joint & 1 == 1).collect();
            let world = World { oracle: self, success: &success };
            let fits = |joint: usize| match knot.contains(&joint) {
                true => !success[joint],
                false => world.stopped(joint).is_none() == success[joint],
            };
            if (0..self.joints.len()).all(fits) {
                consistent.push(success);
            }
        }
        let contains =
            |one: &[bool], other: &[bool]| one.iter().zip(other).all(|(one, other)| *one || !other);
        let largest = consistent.iter().find(|one| consistent.iter().all(|other| contains(one, other)));
        match largest {
            Some(success) => Ok(World { oracle: self, success }.verdict(consistent.len())),
            None if consistent.is_empty() => Err(Verdictless::NoResult),
            None => Err(Verdictless::NoLargest(consistent)),
        }
    }
}

/// The reason that there is no verdict.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Verdictless {
    /// No result is consistent: there is a knot.
    NoResult,
    /// Several results are consistent, and none contains the others.
    NoLargest(Vec<Vec<bool>>),
}
