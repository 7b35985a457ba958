//! Meaning of the orders before anything is resolved: which are void, which parts move together, who stays,
//! who supports whom with how much, and which groups meet. All of it follows from the orders alone.

use arrayvec::ArrayVec;

use super::super::rules;
use super::Rules;
use super::bits::{bit, ones};
use super::board::{Board, MAX_SPACES, Space, SpaceSet};
use super::cut;
use super::order::{MAX_PARTS, Order, Part};
use super::outcome::Void;
use super::position::{MAX_STACK_LEADERS, Side};

/// A set of parts, by their place in the sheet.
pub(super) type PartSet = u128;
/// A set of groups, by their place in [`Plan::groups`].
pub(super) type GroupSet = u128;

/// A thing that moves as one: a move, or all parts of one side that merge into one space (M9).
#[derive(Clone, Debug)]
pub(super) struct Group {
    pub side: Side,
    pub target: Space,
    pub merge: bool,
    pub members: PartSet,
    /// Spaces that its members come from.
    pub origins: SpaceSet,
    /// The strength of its members.
    pub base: u16,
    /// The leaders of its members; of a group of strength 0, of all such groups of its side with its target (L17).
    pub leaders: usize,
    /// True if any member has an army.
    pub army: bool,
    /// The parts that support a member into the target.
    pub supporters: PartSet,
    /// The other groups with its target.
    pub rivals: GroupSet,
    /// The enemy groups that come the other way (M11).
    pub opponents: GroupSet,
    /// A merge into a space where own parts stay: they are in its pool (M17).
    pub pool: bool,
    /// True if it has any strength, its pool included. Without, it neither prevents nor gains by support (L2, L14).
    pub live: bool,
    /// Of strength 0, and something else is ordered to the space (the ordered half of L19).
    pub contested: bool,
    /// An own army comes the other way (M29).
    pub exchange: bool,
}

/// The orders about one space.
#[derive(Clone, Copy, Debug)]
pub(super) struct RuleViolation {
    /// Side whose units are in it.
    pub side: Option<Side>,
    /// Parts that were told to stay: holds, supports and illegal orders.
    pub told_to_stay: PartSet,
    /// Parts that were told to merge here, void ones included.
    pub merging: PartSet,
    /// Parts that stay, all void ones included.
    pub staying: PartSet,
    /// Parts that are members of a group.
    pub leaving: PartSet,
    /// Groups with this target.
    pub entering: GroupSet,
    /// Those of them that are not of the side that has units here.
    pub enemies: GroupSet,
    /// The parts that support its hold.
    pub supporters: PartSet,
    /// The parts in it that support anything.
    pub supporting: PartSet,
    /// The strength of the parts that stay.
    pub strength: u16,
    /// The leaders of the parts that stay.
    pub leaders: usize,
    /// True if a part that stays has an army.
    pub army: bool,
    /// The own merge whose pool the staying parts are in (M17).
    pub pool: Option<u8>,
}

impl RuleViolation {
    const NONE: Self = Self {
        side: None,
        told_to_stay: 0,
        merging: 0,
        staying: 0,
        leaving: 0,
        entering: 0,
        enemies: 0,
        supporters: 0,
        supporting: 0,
        strength: 0,
        leaders: 0,
        army: false,
        pool: None,
    };
}

/// The reading of an order sheet.
pub(super) struct Plan<'a> {
    pub parts: &'a [Part],
    pub groups: ArrayVec<Group, MAX_PARTS>,
    pub grounds: [RuleViolation; MAX_SPACES],
    /// Cause for which a part's order is void, by part.
    pub voids: [Option<Void>; MAX_PARTS],
    /// The group of each part that is in one.
    pub group_of: [u8; MAX_PARTS],
    /// Points that attacks leave of each part's support (M6); 0 for parts that support nothing.
    pub points: [u8; MAX_PARTS],
}

impl<'a> Plan<'a> {
    pub(super) fn new(board: &Board, rules: Rules, parts: &'a [Part]) -> Self {
        let mut plan = Self {
            parts,
            groups: ArrayVec::new(),
            grounds: [RuleViolation::NONE; MAX_SPACES],
            voids: [None; MAX_PARTS],
            group_of: [u8::MAX; MAX_PARTS],
            points: [0; MAX_PARTS],
        };
        plan.read_orders(board);
        plan.find_void_merges();
        plan.form_groups();
        plan.match_supports();
        plan.relate_groups();
        cut::cut_supports(&mut plan, rules.cut_all);
        plan
    }

    /// Returns what the orders say about `space`.
    #[inline]
    pub(super) fn ground(&self, space: Space) -> &RuleViolation {
        &self.grounds[space.index()]
    }

    fn ground_mut(&mut self, space: Space) -> &mut RuleViolation {
        &mut self.grounds[space.index()]
    }

    /// Marks the orders that the position does not allow, and notes who was told to stay and who to merge.
    fn read_orders(&mut self, board: &Board) {
        for part in self.parts {
            self.ground_mut(part.space).side = Some(part.side);
        }
        for (index, part) in self.parts.iter().enumerate() {
            let here = part.space;
            let peopled = |space: Space| self.ground(space).side.is_some();
            let legal = match part.order {
                Order::Hold => true,
                Order::Move(to) => board.adjacent(here, to),
                Order::Merge(to) => rules::MULTIPLE_UNITS.applies(board.adjacent(here, to)),
                Order::SupportHold(at) => part.strength > 0 && board.adjacent(here, at) && peopled(at),
                Order::SupportMove { from, to } => {
                    let near = board.adjacent(here, to) && board.adjacent(from, to);
                    part.strength > 0 && near && peopled(from) && rules::OWN_STACK.gives(true, from != here)
                }
            };
            if !legal {
                self.voids[index] = Some(Void::Illegal);
            }
            match part.order {
                Order::Move(_) if legal => {}
                Order::Merge(to) if legal => self.ground_mut(to).merging |= bit(index),
                _ => self.ground_mut(here).told_to_stay |= bit(index),
            }
        }
    }

    /// M19 and L16. Both are judged on the orders as written: a part that was told to merge elsewhere does not
    /// stay, even if that merge is void too.
    fn find_void_merges(&mut self) {
        for (index, part) in self.parts.iter().enumerate() {
            if let (Order::Merge(to), None) = (part.order, self.voids[index]) {
                self.voids[index] = self.judge_merge(part.side, to);
            }
        }
    }

    /// Returns why the merge of `side` into `target` is void, if it is.
    fn judge_merge(&self, side: Side, target: Space) -> Option<Void> {
        let ground = self.ground(target);
        let own = |part: &usize| self.parts[*part].side == side;
        let leaders = |part: usize| self.parts[part].leaders.len();
        let members = ones(ground.merging).filter(own).count();
        let stay = ones(ground.told_to_stay).any(|part| own(&part));
        let together = ones(ground.merging | ground.told_to_stay).filter(own).map(leaders).sum::<usize>();
        if rules::MERGE_LEADERS.applies(together > MAX_STACK_LEADERS) {
            Some(Void::ThreeLeaders)
        } else if rules::MERGE_OF_ONE.applies(members == 1 && !stay) {
            Some(Void::MergeOfOne)
        } else {
            None
        }
    }

    /// Sorts the parts into those that stay and those that are in a group.
    fn form_groups(&mut self) {
        for (index, part) in self.parts.iter().enumerate() {
            let (target, merge) = match (part.order, self.voids[index]) {
                (Order::Move(to), None) => (to, false),
                (Order::Merge(to), None) => (to, true),
                _ => {
                    let ground = self.ground_mut(part.space);
                    ground.staying |= bit(index);
                    ground.strength += u16::from(part.strength);
                    ground.leaders += part.leaders.len();
                    ground.army |= part.armies > 0;
                    continue;
                }
            };
            let group = self.group_for(part.side, target, merge);
            self.group_of[index] = group as u8;
            self.ground_mut(part.space).leaving |= bit(index);
            self.ground_mut(target).entering |= bit(group);
            let group = &mut self.groups[group];
            group.members |= bit(index);
            group.origins.insert(part.space);
            group.base += u16::from(part.strength);
            group.leaders += part.leaders.len();
            group.army |= part.armies > 0;
        }
    }

    /// The group that a part of `side` belongs to: a merge's parts share one, a move has its own.
    fn group_for(&mut self, side: Side, target: Space, merge: bool) -> usize {
        if rules::MERGE.applies(merge) {
            for other in ones(self.ground(target).entering) {
                if self.groups[other].merge && self.groups[other].side == side {
                    return other;
                }
            }
        }
        self.groups.push(Group {
            side,
            target,
            merge,
            members: 0,
            origins: SpaceSet::EMPTY,
            base: 0,
            leaders: 0,
            army: false,
            supporters: 0,
            rivals: 0,
            opponents: 0,
            pool: false,
            live: false,
            contested: false,
            exchange: false,
        });
        self.groups.len() - 1
    }

    /// Gives each support to what it supports; without that it is void (M20). A support of a move helps every
    /// part that is ordered so, whether by move or by merge.
    fn match_supports(&mut self) {
        for (index, part) in self.parts.iter().enumerate() {
            if self.voids[index].is_some() {
                continue;
            }
            let matched = match part.order {
                Order::SupportHold(at) => {
                    let ground = self.ground_mut(at);
                    ground.supporters |= bit(index);
                    ground.staying != 0
                }
                Order::SupportMove { from, to } => {
                    let mut matched = false;
                    for group in ones(self.ground(to).entering) {
                        let unsupported = rules::MERGE_SUPPORT.gives(false, self.groups[group].merge);
                        if self.groups[group].origins.contains(from) && !unsupported {
                            self.groups[group].supporters |= bit(index);
                            matched = true;
                        }
                    }
                    matched
                }
                _ => continue,
            };
            let divided = rules::DIVIDED.gives(true, self.ground(part.space).supporting == 0);
            if rules::UNMATCHED.allows(matched) && divided {
                self.ground_mut(part.space).supporting |= bit(index);
                let whole = rules::ONE_SUPPORT.gives(true, part.armies == 0);
                self.points[index] = if whole { part.strength } else { part.armies };
            } else {
                self.voids[index] = Some(Void::Unmatched);
            }
        }
    }

    /// Works out which groups meet, and how.
    fn relate_groups(&mut self) {
        for index in 0..self.groups.len() {
            let Group { side, target, merge, origins, base, .. } = self.groups[index];
            let ground = self.grounds[target.index()];
            let own_ground = ground.side == Some(side);
            let pool = rules::POOL.applies(merge && own_ground && ground.staying != 0);
            if !own_ground && ground.side.is_some() {
                self.grounds[target.index()].enemies |= bit(index);
            }
            if pool {
                self.grounds[target.index()].pool = Some(index as u8);
            }
            let carried = rules::WEAK_SUPPORTED.gives(false, self.groups[index].supporters != 0);
            let live = base > 0 || (pool && ground.strength > 0) || carried;
            let rivals = ground.entering & !bit(index);

            let (mut opponents, mut exchange) = (0, false);
            for part in ones(ground.leaving) {
                let other = usize::from(self.group_of[part]);
                let back = self.groups[other].target;
                if origins.contains(back) {
                    if own_ground {
                        exchange |= self.parts[part].armies > 0 && self.brings_army(index, back);
                    } else if rules::HEAD_TO_HEAD.applies(true) {
                        opponents |= bit(other);
                    }
                }
            }

            let (mut contested, mut feeble_leaders) = (false, 0);
            if base == 0 {
                contested = opponents != 0;
                for rival in ones(ground.entering) {
                    let rival = &self.groups[rival];
                    contested |= rival.side != side || rival.base > 0;
                    if rival.side == side && rival.base == 0 {
                        feeble_leaders +=
                            ones(rival.members).map(|part| self.parts[part].leaders.len()).sum::<usize>();
                    }
                }
            }

            let group = &mut self.groups[index];
            group.rivals = rivals;
            group.opponents = opponents;
            group.pool = pool;
            group.live = live;
            group.exchange = exchange;
            group.contested = contested;
            if base == 0 {
                group.leaders = feeble_leaders;
            }
        }
    }

    /// The groups whose success the equations of `group` read: those that may leave its target, and those that
    /// may dislodge a supporter of anything that goes to or comes from there.
    pub(super) fn reads(&self, group: usize) -> GroupSet {
        let group = &self.groups[group];
        let ground = self.ground(group.target);
        let mut supporters = ground.supporters;
        for other in ones(ground.entering | group.opponents) {
            supporters |= self.groups[other].supporters;
        }
        let leaving = ones(ground.leaving).fold(0, |set, part| set | bit(usize::from(self.group_of[part])));
        ones(supporters)
            .filter(|part| self.points[*part] > 0)
            .fold(leaving, |set, part| set | self.ground(self.parts[part].space).enemies)
    }

    /// Returns whether a member of `group` that comes from `origin` has an army.
    fn brings_army(&self, group: usize, origin: Space) -> bool {
        ones(self.groups[group].members)
            .any(|part| self.parts[part].space == origin && self.parts[part].armies > 0)
    }
}
