//! Writing influence, removals, builds and the placing of leaders: which actions a draft admits, and what they write.

use std::ops::ControlFlow;

use crate::action::ActionId;
use crate::reference::Ref;
use crate::refusal::Why;
use crate::seat::Seat;

use super::super::actions::{Action, Actions, space_ref};
use super::super::adjudicator::{Space, SpaceSet};
use super::super::realm::Realm;
use super::super::rules;
use super::super::state::State;
use super::super::state::draft::{Adjust, Fund, Spot};

/// The facts that writing needs beside the draft.
#[derive(Clone, Copy)]
pub(in super::super) struct Clerk<'a> {
    pub(in super::super) realm: &'a Realm,
    pub(in super::super) actions: &'a Actions,
    pub(in super::super) state: &'a State,
    pub(in super::super) seat: Seat,
}

impl Clerk<'_> {
    /// The actions that an influence draft may admit, in list order.
    pub(in super::super) fn candidate_funds(self, fund: &Fund, into: &mut Vec<ActionId>) {
        if fund.left > 0 {
            let open = |space: &Space| rules::ANYWHERE.gives(true, self.state.controls(self.seat, *space));
            let spaces = self.realm.spaces().filter(open);
            into.extend(spaces.map(|space| self.actions.id(Action::Fund(space))));
        }
        into.push(self.actions.id(Action::Done));
    }

    /// Puts every ground against `act` to `why`.
    pub(in super::super) fn examine_fund(self, fund: &Fund, act: Action, why: &mut Why) -> ControlFlow<()> {
        match act {
            Action::Done => ControlFlow::Continue(()),
            Action::Fund(_) => why.require(fund.left > 0, rules::SAVING, "NO_POINTS", &[]),
            _ => why.refuse(rules::SEASON, "INFLUENCE_DUE"),
        }
    }

    /// Writes a legal action down.
    pub(in super::super) const fn apply_fund(fund: &mut Fund, act: Action) {
        if let Action::Fund(space) = act {
            fund.points[space.index()] += 1;
            fund.left -= 1;
        }
    }

    /// The actions that an adjustment may admit, in list order.
    pub(in super::super) fn candidate_adjustments(self, adjust: &Adjust, into: &mut Vec<ActionId>) {
        let mut list = |act| into.push(self.actions.id(act));
        if adjust.owed > 0 {
            let armed = self.state.stands[self.seat.index()];
            return armed.iter().for_each(|space| list(Action::Remove(space)));
        }
        if adjust.placed.is_empty() {
            adjust.sites.iter().for_each(|space| list(Action::Build(space)));
        }
        if adjust.placed.len() < usize::from(adjust.to_place) {
            return self.realm.homes[self.seat.index()].iter().for_each(|space| list(Action::Place(space)));
        }
        list(Action::Done);
    }

    /// Puts every ground against `act` to `why`.
    pub(in super::super) fn examine_adjustment(
        self,
        adjust: &Adjust,
        act: Action,
        why: &mut Why,
    ) -> ControlFlow<()> {
        match act {
            Action::Remove(space) => self.examine_removal(adjust, space, why),
            Action::Build(space) => self.examine_build(adjust, space, why),
            Action::Place(space) => self.examine_place(adjust, space, why),
            Action::Done => {
                let owed = [Ref::Number(i32::from(adjust.owed))];
                why.require(adjust.owed == 0, rules::OWED, "REMOVALS_OWED", &owed)?;
                let placed = adjust.placed.len() == usize::from(adjust.to_place);
                why.require(placed, rules::FIRST_SEASON, "LEADERS_TO_PLACE", &[])
            }
            _ => why.refuse(rules::SEASON, "ADJUSTMENT_DUE"),
        }
    }

    fn examine_removal(self, adjust: &Adjust, space: Space, why: &mut Why) -> ControlFlow<()> {
        let refs = [space_ref(space)];
        why.demand(adjust.owed > 0, rules::ADJUSTMENT, "NOTHING_OWED", &refs)?;
        let left = self.state.armies_of(self.seat, space).saturating_sub(adjust.removed[space.index()]);
        why.require(left > 0, rules::ADJUSTMENT, "NO_ARMY", &refs)
    }

    fn examine_build(self, adjust: &Adjust, space: Space, why: &mut Why) -> ControlFlow<()> {
        let refs = [space_ref(space)];
        why.require(adjust.owed == 0, rules::OWED, "REMOVALS_OWED", &refs)?;
        why.require(adjust.placed.is_empty(), rules::FIRST_SEASON, "OUT_OF_SEQUENCE", &refs)?;
        why.require(adjust.room > 0, rules::BUILDS, "NO_ROOM", &refs)?;
        let own = self.state.dedicated(self.realm, self.seat).contains(space);
        why.demand(rules::OWN_SITES.allows(own), rules::ADJUSTMENT, "NOT_OWN_CENTRE", &refs)?;
        why.require(adjust.sites.contains(space), rules::SITES, "NOT_VACANT", &refs)?;
        why.require(!adjust.built.contains(space), rules::ONE_BUILD, "BUILT_ALREADY", &refs)
    }

    fn examine_place(self, adjust: &Adjust, space: Space, why: &mut Why) -> ControlFlow<()> {
        let refs = [space_ref(space)];
        let due = adjust.placed.len() < usize::from(adjust.to_place);
        why.demand(due, rules::SET_UP, "NO_LEADER_TO_PLACE", &refs)?;
        why.require(adjust.owed == 0, rules::FIRST_SEASON, "REMOVALS_OWED", &refs)?;
        let home = self.realm.homes[self.seat.index()].contains(space);
        why.demand(home, rules::SET_UP, "NOT_A_HOME", &refs)?;
        why.require(has_place(adjust, space), rules::TWO_LEADERS, "TWO_LEADERS_ALREADY", &refs)?;
        let open = self.safe_homes(adjust).contains(space);
        why.require(open, rules::PLACEMENT, "NOT_A_SAFE_HOME", &refs)
    }

    /// The home centres where a leader may start: with an army that stays, or not under enemy control (B11). The built-in
    /// board always has one with a place left; if another board has none, every home centre will do.
    pub(in super::super) fn safe_homes(self, adjust: &Adjust) -> SpaceSet {
        let homes = self.realm.homes[self.seat.index()];
        let safe = |space: &Space| {
            let kept = self.state.armies_of(self.seat, *space) > adjust.removed[space.index()];
            kept || !self.state.enemy_controls(self.seat, *space)
        };
        let safe: SpaceSet = homes.iter().filter(safe).collect();
        if safe.iter().any(|space| has_place(adjust, space)) { safe } else { homes }
    }

    /// Writes a legal action down.
    pub(in super::super) fn apply_adjustment(adjust: &mut Adjust, act: Action) {
        match act {
            Action::Remove(space) => {
                adjust.removed[space.index()] += 1;
                adjust.owed -= 1;
            }
            Action::Build(space) => {
                adjust.built.insert(space);
                adjust.room -= 1;
            }
            Action::Place(space) => adjust.placed.push(Spot(space)),
            _ => {}
        }
    }
}

/// Returns whether another leader may be placed in a space (L6).
pub(in super::super) fn has_place(adjust: &Adjust, space: Space) -> bool {
    adjust.placed.iter().filter(|spot| spot.0 == space).count() < 2
}
