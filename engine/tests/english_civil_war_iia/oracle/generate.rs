//! Random positions, made so that much meets: few spaces, many moves to few targets, supports of what was ordered.

use edgehill_engine::games::english_civil_war_iia::adjudicator::*;

use super::position::{Case, StackOf, ToldTo, space};
use super::random::Random;

/// The measures of the cases to make.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Scale {
    /// Spaces of the board: at least the first, at most the second.
    pub(crate) spaces: (usize, usize),
    /// The share of spaces with units, in percent.
    pub(crate) crowded: usize,
    /// Leaders on the board, at most.
    pub(crate) leaders: usize,
}

pub(crate) fn position(random: &mut Random, scale: Scale) -> Case {
    let spaces = scale.spaces.0 + random.below(scale.spaces.1 - scale.spaces.0 + 1);
    let mut case =
        Case { spaces, links: links(random, spaces), cut_all: random.percent(33), ..Case::default() };
    place(random, &mut case, scale);
    Orderer { random, case: &mut case }.order_all();
    case
}

/// A connected board: a tree and some links more, mostly between near indices, so that there are triangles.
fn links(random: &mut Random, spaces: usize) -> Vec<(usize, usize)> {
    let mut links = Vec::new();
    for at in 1..spaces {
        links.push((at - 1 - random.below(at.min(3)), at));
    }
    for _ in 0..spaces + random.below(spaces) {
        let one = random.below(spaces);
        let other = if random.percent(80) { one + 1 + random.below(4) } else { random.below(spaces) };
        let link = (one.min(other), one.max(other));
        if link.0 != link.1 && link.1 < spaces && !links.contains(&link) {
            links.push(link);
        }
    }
    links
}

fn place(random: &mut Random, case: &mut Case, scale: Scale) {
    let sides = if random.percent(15) { 3 } else { 2 };
    let mut leader = 0;
    for at in 0..case.spaces {
        // The side whose ground it is: one of the sides, or nobody's.
        let owner = random.below(sides + 1);
        for side in (0..sides).filter(|side| owner < sides && owner != *side) {
            case.enemy_ground[side].push(at);
        }
        if !random.percent(scale.crowded) {
            continue;
        }
        let side = random.below(sides);
        let most = if random.percent(40) { 2 } else { random.below(2) };
        let leaders: Vec<usize> = (leader..scale.leaders).take(most).collect();
        let armies = match random.below(10) {
            0..=1 if !leaders.is_empty() => 0,
            0..=5 => 1,
            6..=8 => 2,
            _ => 3,
        };
        leader += leaders.len();
        if owner == side {
            case.strong.extend(&leaders);
        }
        case.stacks.push(StackOf { at, side, armies, leaders });
    }
}

struct Orderer<'a> {
    random: &'a mut Random,
    case: &'a mut Case,
}

impl Orderer<'_> {
    fn order_all(&mut self) {
        // Moves first, then supports that mostly fit them.
        let stacks = self.case.stacks.clone();
        if self.random.percent(20) {
            self.ring(&stacks);
        }
        let mut later = Vec::new();
        let hot: Vec<usize> =
            (0..2 + self.case.spaces / 6).map(|_| self.random.below(self.case.spaces)).collect();
        for stack in &stacks {
            for (armies, leaders) in self.split(stack) {
                match self.random.below(100) {
                    0..=54 => self.go(stack, armies, leaders, &hot),
                    55..=84 => later.push((stack.at, armies, leaders)),
                    _ => {}
                }
            }
        }
        for (at, armies, leaders) in later {
            if let Some(order) = self.support(at) {
                self.tell(at, armies, leaders, order);
            }
        }
    }

    /// A ring of moves, where there are three or four spaces for one.
    fn ring(&mut self, stacks: &[StackOf]) {
        let Some(first) = self.random.pick(stacks).map(|stack| stack.at) else { return };
        let mut path = vec![first];
        while path.len() < 5 {
            let at = path[path.len() - 1];
            let near = self.neighbours(at);
            if path.len() > 2 && near.contains(&first) {
                for (index, at) in path.iter().enumerate() {
                    let to = space(path[(index + 1) % path.len()]);
                    let merge = self.random.percent(15);
                    self.tell(*at, 1, Vec::new(), if merge { Order::Merge(to) } else { Order::Move(to) });
                }
                return;
            }
            let armed = |at: &usize| stacks.iter().any(|stack| stack.at == *at && stack.armies > 0);
            let next: Vec<usize> = near.into_iter().filter(|at| armed(at) && !path.contains(at)).collect();
            let Some(next) = self.random.pick(&next) else { return };
            path.push(*next);
        }
    }

    /// The units of a stack in parts: each army and each leader falls to one of up to three.
    fn split(&mut self, stack: &StackOf) -> Vec<(usize, Vec<usize>)> {
        let most = 1 + self.random.below(3);
        let mut parts = vec![(0, Vec::new()); most];
        for _ in 0..stack.armies {
            parts[self.random.below(most)].0 += 1;
        }
        for leader in &stack.leaders {
            parts[self.random.below(most)].1.push(*leader);
        }
        parts.retain(|(armies, leaders)| *armies > 0 || !leaders.is_empty());
        parts
    }

    fn neighbours(&self, at: usize) -> Vec<usize> {
        let links = self.case.links.iter();
        links
            .filter_map(|(one, other)| {
                if *one == at {
                    Some(*other)
                } else if *other == at {
                    Some(*one)
                } else {
                    None
                }
            })
            .collect()
    }

    /// A move or merge, often to a space where much goes, or where own units stand or go.
    fn go(&mut self, stack: &StackOf, armies: usize, leaders: Vec<usize>, hot: &[usize]) {
        let neighbours = self.neighbours(stack.at);
        let mut to = self.random.pick(&neighbours).copied().unwrap_or(stack.at);
        if self.random.percent(50) {
            let near: Vec<usize> = neighbours.iter().copied().filter(|at| hot.contains(at)).collect();
            to = self.random.pick(&near).copied().unwrap_or(to);
        }
        if self.random.percent(2) {
            to = self.random.below(self.case.spaces);
        }
        // A merge is worth little alone: it needs own units there, or others that come too.
        let near = self.neighbours(to);
        let own = |other: &&StackOf| other.side == stack.side && other.at != stack.at;
        let partners: Vec<StackOf> = (self.case.stacks.iter().filter(own))
            .filter(|other| other.at == to || (near.contains(&other.at) && other.armies > 0))
            .cloned()
            .collect();
        let merge = self.random.percent(if partners.is_empty() { 2 } else { 35 });
        let order = if merge { Order::Merge(space(to)) } else { Order::Move(space(to)) };
        self.tell(stack.at, armies, leaders, order);
        let partner = self.random.pick(&partners).map_or(to, |partner| partner.at);
        if merge && partner != to && self.random.percent(70) {
            self.tell(partner, 1, Vec::new(), order);
        }
    }

    /// A support of something near; of nothing if there is nothing, or now and then of anything at all.
    fn support(&mut self, at: usize) -> Option<Order> {
        let near = self.neighbours(at);
        let peopled = |at: &usize| self.case.stacks.iter().any(|stack| stack.at == *at);
        let holds: Vec<Order> =
            near.iter().copied().filter(peopled).map(|at| Order::SupportHold(space(at))).collect();
        let moves: Vec<Order> = (self.case.orders.iter())
            .filter_map(|told| match told.order {
                Order::Move(to) | Order::Merge(to) if near.contains(&to.index()) => {
                    Some(Order::SupportMove { from: space(told.at), to })
                }
                _ => None,
            })
            .collect();
        let anywhere = [(); 2].map(|()| space(self.random.below(self.case.spaces)));
        match self.random.below(20) {
            0 => Some(Order::SupportMove { from: anywhere[0], to: anywhere[1] }),
            1..=5 => self.random.pick(&holds).copied(),
            _ => self.random.pick(&moves).copied(),
        }
    }

    /// Writes an order, if the units have none yet.
    fn tell(&mut self, at: usize, armies: usize, leaders: Vec<usize>, order: Order) {
        let Some(stack) = self.case.stacks.iter().find(|stack| stack.at == at) else { return };
        let told: Vec<&ToldTo> = self.case.orders.iter().filter(|told| told.at == at).collect();
        let used: usize = told.iter().map(|told| told.armies).sum();
        let taken = told.iter().any(|told| told.leaders.iter().any(|leader| leaders.contains(leader)));
        if used + armies > stack.armies || taken {
            return;
        }
        match self.case.orders.iter_mut().find(|told| told.at == at && told.order == order) {
            Some(same) => {
                same.armies += armies;
                same.leaders.extend(leaders);
            }
            None => self.case.orders.push(ToldTo { at, armies, leaders, order }),
        }
    }
}
