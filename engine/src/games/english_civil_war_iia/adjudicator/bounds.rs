//! The equations, between bounds: what a group's strengths are at least and at most, and whether it succeeds at
//! best or at worst, given the groups whose success is known. Once all are known the two bounds meet.

use super::super::rules;
use super::bits::{bit, has, ones};
use super::outcome::Bounce;
use super::plan::{Group, GroupSet, PartSet, Plan};
use super::position::{MAX_STACK_LEADERS, Side};

/// The groups that are known to succeed and to fail; the rest is open. No group is in both.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Known {
    pub succeeded: GroupSet,
    pub failed: GroupSet,
}

impl Known {
    /// The groups that are not open.
    pub(super) const fn settled(self) -> GroupSet {
        self.succeeded | self.failed
    }

    /// Adds what became of an open group.
    pub(super) const fn settle(&mut self, group: usize, succeeds: bool) {
        if succeeds {
            self.succeeded |= bit(group);
        } else {
            self.failed |= bit(group);
        }
    }
}

/// An end of the range that the open groups leave.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Bound {
    Least,
    Most,
}

use Bound::{Least, Most};

impl Bound {
    const fn other(self) -> Self {
        match self {
            Least => Most,
            Most => Least,
        }
    }
}

/// The cause for which a group does not succeed, with what it had and what it had to exceed (0 and 0 where
/// that is no matter of strength).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Obstacle {
    pub cause: Bounce,
    pub attack: u16,
    pub against: u16,
}

impl Obstacle {
    const fn rule(cause: Bounce) -> Self {
        Self { cause, attack: 0, against: 0 }
    }
}

/// The equations over one plan and one state of knowledge.
#[derive(Clone, Copy)]
pub(super) struct Bounds<'a> {
    pub plan: &'a Plan<'a>,
    pub known: Known,
}

impl Bounds<'_> {
    /// Returns what stops `group`, the first in the order of [`Bounce`]. With [`Most`] every open group turns
    /// out as the group would like, so an obstacle is certain; with [`Least`] none does, so its default_action is.
    pub(super) fn obstacle(&self, index: usize, bound: Bound) -> Option<Obstacle> {
        let group = &self.plan.groups[index];
        let ground = self.plan.ground(group.target);
        let own_ground = ground.side == Some(group.side);

        let barred = own_ground && !group.merge && rules::JOINING.allows(group.army);
        if rules::OWN_ARMY.applies(barred && self.own_units_bar(group, bound.other())) {
            return Some(Obstacle::rule(Bounce::OwnUnit));
        }
        if rules::EXCHANGE.applies(group.exchange) {
            return Some(Obstacle::rule(Bounce::Exchange));
        }
        let led = rules::LIMIT.applies(group.leaders > 0);
        if led && self.leaders_at_target(group, bound.other()) > MAX_STACK_LEADERS {
            return Some(Obstacle::rule(Bounce::Limit));
        }
        let defended = !own_ground && ground.side.is_some() && self.remains(group, bound.other());
        if !group.live {
            let disputed = rules::UNDISPUTED.allows(group.contested || defended);
            return disputed.then_some(Obstacle::rule(Bounce::Contested));
        }
        self.too_weak(index, defended, bound)
    }

    /// Returns an obstacle if some holder, opponent or rival is not weaker than `group`.
    fn too_weak(&self, index: usize, defended: bool, bound: Bound) -> Option<Obstacle> {
        let group = &self.plan.groups[index];
        // Support by those who would be dislodged does not count (M21).
        let victim = self.plan.ground(group.target).side.filter(|_| rules::FOREIGN_SUPPORT.applies(defended));
        let attack = self.strength(group, victim, bound);
        let stopped_by = |cause, against| (attack <= against).then_some(Obstacle { cause, attack, against });

        for opponent in ones(group.opponents) {
            let defend = self.defend_strength(opponent, group, bound.other());
            if let Some(obstacle) = stopped_by(Bounce::HeadToHead, defend) {
                return Some(obstacle);
            }
        }
        if defended {
            let least = rules::WEAK_ATTACK.gives(0, 1);
            let hold = self.hold_strength(group, None, bound.other()).max(least);
            let won = rules::DIPLOMACY.gives(false, attack == hold);
            if let Some(obstacle) = stopped_by(Bounce::Strength, hold).filter(|_| !won) {
                return Some(obstacle);
            }
        }
        let standoffs = ones(group.rivals).filter_map(|rival| {
            let own = self.plan.groups[rival].side == group.side;
            if rules::OWN_STANDOFF.gives(false, own) {
                return None;
            }
            let cause = if own { Bounce::OwnStandoff } else { Bounce::Standoff };
            stopped_by(cause, self.prevent_strength(rival, bound.other()))
        });
        standoffs.min_by_key(|obstacle| obstacle.cause)
    }

    /// M2, M17: members, pool and supports. Support by `victim` is left out (M21).
    fn strength(&self, group: &Group, victim: Option<Side>, bound: Bound) -> u16 {
        if !group.live {
            return 0;
        }
        let mut strength = group.base + self.support(group.supporters, victim, bound);
        if group.pool {
            let ground = self.plan.ground(group.target);
            strength += ground.strength + self.support(ground.supporters, victim, bound);
        }
        strength
    }

    /// Returns what stops rivals of this group: its strength, unless a group succeeds that comes the other way.
    fn prevent_strength(&self, index: usize, bound: Bound) -> u16 {
        let group = &self.plan.groups[index];
        let beaten = match bound {
            Least => group.opponents & !self.known.failed,
            Most => group.opponents & self.known.succeeded,
        };
        if beaten != 0 { 0 } else { self.strength(group, None, bound) }
    }

    /// Returns what an opponent that comes the other way sets against `group`: its own strength, and what
    /// else is in the space (M11).
    fn defend_strength(&self, opponent: usize, group: &Group, bound: Bound) -> u16 {
        self.strength(&self.plan.groups[opponent], None, bound)
            + self.hold_strength(group, Some(opponent), bound)
    }

    /// Returns what holds the target of `group`: the parts that stay, their supports, a merge that comes to them (M17),
    /// and the parts that could not leave (M10), other than those of the group `without`.
    fn hold_strength(&self, group: &Group, without: Option<usize>, bound: Bound) -> u16 {
        let ground = self.plan.ground(group.target);
        let mut strength = 0;
        if ground.staying != 0 {
            strength += ground.strength + self.support(ground.supporters, None, bound);
            if let Some(pool) = ground.pool {
                let merge = &self.plan.groups[usize::from(pool)];
                if merge.live {
                    strength += merge.base + self.support(merge.supporters, None, bound);
                }
            }
        }
        for part in ones(ground.leaving) {
            let others = without != Some(usize::from(self.plan.group_of[part]));
            if rules::DEFENCE.applies(others && self.stuck(part, bound)) {
                strength += u16::from(self.plan.parts[part].strength);
            }
        }
        strength
    }

    /// Returns the worth of the supports of `supporters`. A dislodged part gives none (M6).
    fn support(&self, supporters: PartSet, victim: Option<Side>, bound: Bound) -> u16 {
        let mut sum = 0;
        for part in ones(supporters) {
            let supporter = &self.plan.parts[part];
            if victim == Some(supporter.side) {
                continue;
            }
            let enemies = self.plan.ground(supporter.space).enemies;
            let dislodged = match bound {
                Least => enemies & !self.known.failed,
                Most => enemies & self.known.succeeded,
            };
            if rules::CUT.allows(dislodged == 0) {
                sum += u16::from(self.plan.points[part]);
            }
        }
        sum
    }

    /// Returns whether `part`, a member of a group, fails to leave: at [`Most`] unless it is known to have left, at
    /// [`Least`] only if it is known not to.
    fn stuck(&self, part: usize, bound: Bound) -> bool {
        let group = usize::from(self.plan.group_of[part]);
        match bound {
            Least => has(self.known.failed, group),
            Most => !has(self.known.succeeded, group),
        }
    }

    /// Returns whether units that were in the target of `group` are still there.
    fn remains(&self, group: &Group, bound: Bound) -> bool {
        let ground = self.plan.ground(group.target);
        ground.staying != 0 || ones(ground.leaving).any(|part| self.stuck(part, bound))
    }

    /// Returns whether own units in the target of `group` are in its way: armies that stay or are stuck
    /// (M12), not leaders alone (L13).
    fn own_units_bar(&self, group: &Group, bound: Bound) -> bool {
        if rules::OWN_LEADERS.applies(true) {
            self.plan.ground(group.target).army || self.army_stuck(group, bound)
        } else {
            self.remains(group, bound)
        }
    }

    /// Returns whether an army that was to leave the target of `group` is still there.
    fn army_stuck(&self, group: &Group, bound: Bound) -> bool {
        ones(self.plan.ground(group.target).leaving)
            .any(|part| self.plan.parts[part].armies > 0 && self.stuck(part, bound))
    }

    /// The leaders that would be together in the target (L17).
    fn leaders_at_target(&self, group: &Group, bound: Bound) -> usize {
        let ground = self.plan.ground(group.target);
        if ground.side != Some(group.side) {
            return group.leaders;
        }
        let stuck = ones(ground.leaving).filter(|part| self.stuck(*part, bound));
        group.leaders + ground.leaders + stuck.map(|part| self.plan.parts[part].leaders.len()).sum::<usize>()
    }
}
