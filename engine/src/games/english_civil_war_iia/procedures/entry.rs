//! Entering orders and retreats: which actions a side's [`Entry`] admits, and what they write.
//!
//! Every action closes a space, uses up a unit or answers for a leader; `pick` is open once a space, and only before its first
//! part. So entry ends, and it never sticks: `hold` (of retreats: `disband`) is legal wherever a space asks what comes next.

use std::ops::ControlFlow;

use crate::action::ActionId;
use crate::refusal::Why;
use crate::seat::Seat;

use super::super::actions::{Action, Actions, leader_ref, space_ref};
use super::super::adjudicator::{LeaderSet, Order, Space, SpaceSet};
use super::super::realm::{ARMIES_MAX, Realm, all_leaders};
use super::super::rules;
use super::super::state::draft::{Entry, Making, Stage};
use super::super::state::{Driven, Phase, State};

/// The facts that entering needs beside the entry.
#[derive(Clone, Copy)]
pub(in super::super) struct Scribe<'a> {
    pub(in super::super) realm: &'a Realm,
    pub(in super::super) actions: &'a Actions,
    pub(in super::super) state: &'a State,
    pub(in super::super) seat: Seat,
}

/// The demand of an entry, looked at once for all actions that it may admit.
#[derive(Clone, Copy)]
pub(in super::super) struct Asked<'a> {
    entry: &'a Entry,
    stage: Stage,
    /// The units that an order would go to.
    subject: Subject,
}

/// The units that are to get an order.
#[derive(Clone, Copy)]
struct Subject {
    at: Space,
    strength: u8,
    /// Without armies.
    alone: bool,
    /// All that stands in the space.
    whole: bool,
}

impl<'a> Scribe<'a> {
    const fn retreating(self) -> bool {
        matches!(self.state.phase, Phase::Retreats)
    }

    /// Units of the space that the entry goes to next.
    pub(in super::super) fn units_at(self, space: Space) -> (u8, LeaderSet) {
        if self.retreating() {
            return self.driven(space).map_or((0, LeaderSet::EMPTY), |stack| (stack.armies, stack.leaders));
        }
        (self.state.armies_of(self.seat, space), self.state.leaders_in(space))
    }

    fn driven(self, space: Space) -> Option<&'a Driven> {
        self.state.driven.iter().find(|stack| stack.space == space)
    }

    /// A fresh entry for `open`, which has at least one space.
    pub(in super::super) fn begin(self, open: SpaceSet) -> Entry {
        let mut entry = Entry {
            open,
            at: super::super::state::NOWHERE,
            picked: false,
            armies: 0,
            leaders: LeaderSet::EMPTY,
            last: None,
            part: None,
            parts: super::super::state::list::List::default(),
        };
        if let Some(first) = open.iter().next() {
            self.go_to(&mut entry, first);
        }
        entry
    }

    pub(in super::super) fn go_to(self, entry: &mut Entry, space: Space) {
        (entry.armies, entry.leaders) = self.units_at(space);
        entry.at = space;
        entry.last = None;
        entry.part = None;
    }

    fn close(self, entry: &mut Entry) {
        entry.open.remove(entry.at);
        entry.picked = false;
        match entry.open.iter().next() {
            Some(next) => self.go_to(entry, next),
            None => {
                let nothing = SpaceSet::EMPTY;
                *entry = Entry { parts: entry.parts, ..self.begin(nothing) };
            }
        }
    }

    /// The actions that `entry` may admit, in list order.
    pub(in super::super) fn candidates(self, entry: &Entry, into: &mut Vec<ActionId>) {
        let mut list = |act| into.push(self.actions.id(act));
        let rest = if self.retreating() { Action::Disband } else { Action::Hold };
        match entry.stage() {
            Stage::Commit => list(Action::Done),
            Stage::Leaders => {
                let ask = entry.part.and_then(|part| part.ask.iter().next());
                if let Some(leader) = ask {
                    list(Action::With(leader));
                    list(Action::Without(leader));
                }
            }
            Stage::Order => self.candidate_orders(entry, into),
            Stage::What => {
                list(rest);
                if entry.armies > 0 && self.later_order(entry, false) {
                    (1..=entry.armies).for_each(|armies| list(Action::Part(armies)));
                }
                if !entry.leaders.is_empty() {
                    entry.leaders.iter().for_each(|leader| list(Action::Alone(leader)));
                }
                self.candidate_picks(entry, into);
            }
            Stage::Whole => {
                list(rest);
                self.candidate_orders(entry, into);
                self.candidate_picks(entry, into);
            }
        }
    }

    fn candidate_picks(self, entry: &Entry, into: &mut Vec<ActionId>) {
        if entry.untouched() && !entry.picked {
            let others = entry.open.iter().filter(|&space| space != entry.at);
            into.extend(others.map(|space| self.actions.id(Action::Pick(space))));
        }
    }

    fn candidate_orders(self, entry: &Entry, into: &mut Vec<ActionId>) {
        let near = self.realm.near(entry.at);
        let mut list = |order: Order, act: Action| {
            if entry.last < Some(order) {
                into.push(self.actions.id(act));
            }
        };
        if self.retreating() {
            return near.iter().for_each(|to| list(Order::Move(to), Action::Retreat(to)));
        }
        near.iter().for_each(|to| list(Order::Move(to), Action::Move(to)));
        near.iter().for_each(|to| list(Order::Merge(to), Action::Merge(to)));
        if rules::NO_STRENGTH.applies(self.subject(entry).strength == 0) {
            return;
        }
        let occupied = self.state.occupied();
        (near & occupied).iter().for_each(|to| list(Order::SupportHold(to), Action::Support(to)));
        for &(from, to, action) in self.actions.seen_from(entry.at) {
            if occupied.contains(from) && entry.last < Some(Order::SupportMove { from, to }) {
                into.push(action);
            }
        }
    }

    /// Returns what `entry` asks for.
    pub(in super::super) fn asked(self, entry: &Entry) -> Asked<'_> {
        Asked { entry, stage: entry.stage(), subject: self.subject(entry) }
    }

    /// Puts every ground against `act` to `why`.
    pub(in super::super) fn examine(self, asked: Asked<'_>, act: Action, why: &mut Why) -> ControlFlow<()> {
        let Asked { entry, stage, subject } = asked;
        let rest = if self.retreating() { Action::Disband } else { Action::Hold };
        match (stage, act) {
            (Stage::Commit, Action::Done) => ControlFlow::Continue(()),
            (Stage::Commit, _) => why.refuse(rules::SEALED, "ALL_ORDERED"),
            (_, Action::Done) => why.refuse(rules::SEALED, "ORDERS_OPEN"),
            (Stage::Leaders, Action::With(leader) | Action::Without(leader)) => {
                let next = entry.part.and_then(|part| part.ask.iter().next());
                why.require(next == Some(leader), rules::PARTS, "OTHER_LEADER", &[leader_ref(leader)])
            }
            (Stage::Leaders, _) => why.refuse(rules::PARTS, "LEADER_FIRST"),
            (Stage::What | Stage::Whole, act) if act == rest => ControlFlow::Continue(()),
            (Stage::What | Stage::Whole, Action::Pick(space)) => self.examine_pick(entry, space, why),
            (Stage::What, Action::Part(armies)) => self.examine_part(entry, armies, why),
            (Stage::What, Action::Alone(leader)) => {
                let free = entry.leaders.contains(leader);
                why.demand(free, rules::PARTS, "LEADER_NOT_FREE", &[leader_ref(leader)])?;
                let later = self.later_order(&Entry { leaders: LeaderSet::single(leader), ..*entry }, true);
                why.require(later, rules::PARTS, "NO_LATER_ORDER", &[space_ref(entry.at)])
            }
            (Stage::What, _) => why.refuse(rules::PARTS, "PART_FIRST"),
            (Stage::Order, Action::Hold | Action::Disband) => why.refuse(rules::SPLIT, "PART_NEEDS_ORDER"),
            (Stage::Order | Stage::Whole, act) => match self.order(act) {
                Some(order) => self.examine_order(entry, subject, order, why),
                None => why.refuse(rules::PARTS, "ORDER_FIRST"),
            },
        }
    }

    /// The order that an action gives here, if it gives one.
    pub(in super::super) const fn order(self, act: Action) -> Option<Order> {
        match (act, self.retreating()) {
            (Action::Retreat(to), true) | (Action::Move(to), false) => Some(Order::Move(to)),
            (Action::Merge(to), false) => Some(Order::Merge(to)),
            (Action::Support(to), false) => Some(Order::SupportHold(to)),
            (Action::SupportMove { from, to }, false) => Some(Order::SupportMove { from, to }),
            _ => None,
        }
    }

    fn examine_pick(self, entry: &Entry, space: Space, why: &mut Why) -> ControlFlow<()> {
        let refs = [space_ref(space)];
        why.require(entry.open.contains(space), rules::PARTS, "ALREADY_ORDERED", &refs)?;
        why.require(space != entry.at, rules::PARTS, "PICKED_ALREADY", &refs)?;
        why.require(entry.untouched(), rules::PARTS, "IN_A_PART", &[space_ref(entry.at)])?;
        why.require(!entry.picked, rules::PARTS, "PICK_OPEN", &[space_ref(entry.at)])
    }

    fn examine_part(self, entry: &Entry, armies: u8, why: &mut Why) -> ControlFlow<()> {
        let refs = [space_ref(entry.at), crate::reference::Ref::Number(i32::from(entry.armies))];
        why.require(armies <= entry.armies, rules::STACKS, "TOO_FEW_ARMIES", &refs)?;
        let later = entry.armies > 0 && self.later_order(entry, false);
        why.require(later, rules::PARTS, "NO_LATER_ORDER", &[space_ref(entry.at)])
    }

    fn subject(self, entry: &Entry) -> Subject {
        let Making { armies, leaders, .. } = entry.subject();
        self.subject_of(entry, armies, leaders, entry.is_whole())
    }

    fn subject_of(self, entry: &Entry, armies: u8, leaders: LeaderSet, whole: bool) -> Subject {
        let leading =
            if armies > 0 || self.state.controls(self.seat, entry.at) { leaders.len() as u8 } else { 0 };
        Subject { at: entry.at, strength: armies + leading, alone: armies == 0, whole }
    }

    /// Returns whether a part opened now would have an order: later than the last one, and open to its least able form.
    fn later_order(self, entry: &Entry, alone: bool) -> bool {
        if entry.last.is_none() && !self.retreating() {
            return true;
        }
        let (armies, leaders) = if alone { (0, entry.leaders) } else { (1, LeaderSet::EMPTY) };
        let subject = self.subject_of(entry, armies, leaders, false);
        let allows = |order: Order| {
            let mut why = Why::quiet();
            let _ = self.examine_order(entry, subject, order, &mut why);
            !why.refused()
        };
        let near = self.realm.near(entry.at);
        if self.retreating() {
            return near.iter().any(|to| allows(Order::Move(to)));
        }
        // Latest kinds first: they are what is left in most cases.
        let reach = self.actions.seen_from(entry.at).iter().rev();
        reach.map(|&(from, to, _)| Order::SupportMove { from, to }).any(allows)
            || near.iter().any(|to| {
                allows(Order::SupportHold(to)) || allows(Order::Merge(to)) || allows(Order::Move(to))
            })
    }

    fn examine_order(self, entry: &Entry, part: Subject, order: Order, why: &mut Why) -> ControlFlow<()> {
        why.require(entry.last < Some(order), rules::PARTS, "OUT_OF_SEQUENCE", &[space_ref(entry.at)])?;
        let (Order::Move(to) | Order::Merge(to) | Order::SupportHold(to) | Order::SupportMove { to, .. }) =
            order
        else {
            return ControlFlow::Continue(());
        };
        let target = [space_ref(to)];
        why.demand(self.realm.board.adjacent(part.at, to), rules::DIPLOMACY, "NOT_ADJACENT", &target)?;
        if self.retreating() {
            return self.examine_retreat(part, to, why);
        }
        match order {
            Order::Merge(to) => {
                why.require(self.has_partner(part.at, to), rules::MERGE_OF_ONE, "NO_PARTNER", &target)?;
            }
            Order::SupportHold(to) => {
                let units = self.state.occupied().contains(to);
                why.require(units, rules::UNMATCHED, "NOTHING_TO_SUPPORT", &target)?;
            }
            Order::SupportMove { from, to } => {
                why.demand(self.realm.board.adjacent(from, to), rules::DIPLOMACY, "NOT_ADJACENT", &target)?;
                let units = self.state.occupied().contains(from);
                why.require(units, rules::UNMATCHED, "NOTHING_TO_SUPPORT", &[space_ref(from)])?;
                let other = from != part.at || !part.whole;
                why.require(other, rules::OWN_STACK, "SUPPORTS_ITSELF", &[space_ref(from)])?;
            }
            _ => {}
        }
        if matches!(order, Order::SupportHold(_) | Order::SupportMove { .. }) {
            why.require(part.strength > 0, rules::NO_STRENGTH, "NO_STRENGTH", &[space_ref(part.at)])?;
        }
        ControlFlow::Continue(())
    }

    /// Returns whether an order is one of this board, no matter which units get it: what a saved draft is checked by.
    pub(in super::super) fn is_order(self, at: Space, order: Order) -> bool {
        let near = |space| self.realm.board.adjacent(at, space);
        match order {
            Order::Hold => false,
            Order::Move(to) if self.retreating() => {
                self.driven(at).is_some_and(|stack| stack.to.contains(to))
            }
            Order::Move(to) => near(to),
            Order::Merge(to) | Order::SupportHold(to) => near(to) && !self.retreating(),
            Order::SupportMove { from, to } => {
                near(to) && self.realm.board.adjacent(from, to) && !self.retreating()
            }
        }
    }

    /// Returns whether a merge into `to` could have a second part: an own unit there, or in a third space next to it.
    fn has_partner(self, at: Space, to: Space) -> bool {
        let mut near = self.realm.near(to);
        near.remove(at);
        near.insert(to);
        !(near & self.state.stands[self.seat.index()]).is_empty()
    }

    fn examine_retreat(self, part: Subject, to: Space, why: &mut Why) -> ControlFlow<()> {
        let Some(stack) = self.driven(part.at) else { return why.refuse(rules::RETREAT, "NOT_DISLODGED") };
        let target = [space_ref(to)];
        // Of leaders without armies the stack knows only where they may go: elsewhere it is the ground that bars them, not M14.
        let barred_by_ground = stack.armies == 0 && self.state.enemy_controls(self.seat, to);
        why.demand(stack.to.contains(to) || barred_by_ground, rules::RETREAT, "RETREAT_BARRED", &target)?;
        let safe = !part.alone || stack.alone_to.contains(to);
        why.require(safe, rules::LONE_RETREAT, "LEADER_NEEDS_ARMY", &target)
    }

    /// Writes a legal action down.
    pub(in super::super) fn apply(self, entry: &mut Entry, act: Action) {
        match act {
            Action::Hold | Action::Disband => self.close(entry),
            Action::Pick(space) => {
                self.go_to(entry, space);
                entry.picked = true;
            }
            Action::Part(armies) => {
                entry.part = Some(Making { armies, leaders: LeaderSet::EMPTY, ask: entry.leaders });
            }
            Action::Alone(leader) => {
                let later = all_leaders().filter(|other| other.index() > leader.index());
                let ask = entry.leaders & later.collect();
                entry.part = Some(Making { armies: 0, leaders: LeaderSet::single(leader), ask });
            }
            Action::With(leader) | Action::Without(leader) => {
                if let Some(part) = &mut entry.part {
                    part.ask = part.ask - LeaderSet::single(leader);
                    if act == Action::With(leader) {
                        part.leaders = part.leaders | LeaderSet::single(leader);
                    }
                }
            }
            _ => {
                let Some(order) = self.order(act) else { return };
                debug_assert!(entry.armies <= ARMIES_MAX);
                entry.write(order);
                if entry.used_up() {
                    self.close(entry);
                }
            }
        }
    }
}
