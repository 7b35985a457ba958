//! Campaigns against Armies (8.3): paid for, given by a card, or the strike of 12.5; with 12.1 an Army has to be found first.

use std::ops::ControlFlow;

use crate::event::{Event, Events};
use crate::numbered::Listed;
use crate::reference::Ref;
use crate::refusal::Why;

use super::super::actions::{Action, Target};
use super::super::content::{ArmyId, Content, SCOTLAND};
use super::super::frames::{Cost, Frame};
use super::super::state::{Flags, Options, State};
use super::super::{CruelNecessity, rules};
use super::revolts::barred_by_revolt;
use super::tracks::morale;

/// The strength of an Army with all markers (G3).
pub(in super::super) fn army_strength(content: &Content, state: &State, army: ArmyId) -> i8 {
    let unit = &state.armies[army];
    let printed = content.counters[unit.counter].strength;
    let markers = rules::MARKERS_ADD_UP.gives(unit.markers, 0);
    printed.saturating_add(morale(content, state, army)).saturating_add(markers)
}

impl CruelNecessity {
    /// Returns whether an Army is found: on any die but a 1, with Scotland and Ireland but a 1 or 2 (12.1).
    pub(in super::super) fn is_found(army: ArmyId, die: u8) -> bool {
        die > if army >= SCOTLAND { 2 } else { 1 }
    }

    /// Returns whether a Campaign against an Army is not barred and could change something (G4, P9, P16).
    fn campaign_makes_sense(&self, state: &State, army: ArmyId) -> bool {
        let unit = &state.armies[army];
        let settled = unit.disordered && unit.area == 5;
        !settled && !barred_by_revolt(state, army)
    }

    /// Returns why a Campaign against an Army is not legal (8.3, 8.5, G4).
    pub(in super::super) fn examine_campaign(
        &self,
        state: &State,
        army: ArmyId,
        why: &mut Why,
    ) -> ControlFlow<()> {
        let refs = [Target::Army(army).reference()];
        self.pays(state, why)?;
        let unit = &state.armies[army];
        let changes = !(unit.disordered && unit.area == 5);
        why.require(changes, rules::NOT_IDLE, "NOTHING_TO_WIN", &refs)?;
        why.require(!barred_by_revolt(state, army), rules::REVOLTS, "REVOLT_FIRST", &refs)
    }

    pub(in super::super) fn apply_campaign(&self, state: &mut State, army: ArmyId, out: &mut Events) {
        self.pay(state, 1, out);
        self.open_campaign(state, army, Cost::Zeal, out);
    }

    /// A card gives a Campaign, or it is lost (P9).
    pub(in super::super) fn open_free_campaign(&self, state: &mut State, army: ArmyId, out: &mut Events) {
        if rules::FREE_CAMPAIGN.applies(self.campaign_makes_sense(state, army)) {
            self.open_campaign(state, army, Cost::Card, out);
        } else {
            out.emit(|| Event::new("no_campaign", rules::FREE_CAMPAIGN, &[Target::Army(army).reference()]));
        }
    }

    pub(in super::super) fn offer_strikes(&self, state: &State, offer: &mut impl FnMut(Action)) {
        if state.opted(Options::STRIKE) && !state.has(Flags::STRUCK) {
            ArmyId::all(&self.content).for_each(|army| offer(Action::Strike(army)));
        }
    }

    /// Returns why a strike at an Army is not legal (12.5, O10).
    pub(in super::super) fn examine_strike(
        &self,
        state: &State,
        army: ArmyId,
        why: &mut Why,
    ) -> ControlFlow<()> {
        why.demand(state.opted(Options::STRIKE), rules::STRIKE_TARGETS, "OPTION_OFF", &[])?;
        why.require(!state.has(Flags::STRUCK), rules::STRIKE, "STRUCK_ALREADY", &[])?;
        let refs = [Target::Army(army).reference()];
        why.require(state.armies[army].area == 5, rules::STRIKE, "NOT_IN_AREA_5", &refs)?;
        why.require(!barred_by_revolt(state, army), rules::STRIKE_TARGETS, "REVOLT_FIRST", &refs)
    }

    pub(in super::super) fn apply_strike(&self, state: &mut State, army: ArmyId, out: &mut Events) {
        self.note(state, Flags::STRUCK, true, rules::STRIKE, out);
        self.open_campaign(state, army, Cost::Strike, out);
    }

    /// Opens a Campaign against an Army; with 12.1 it has to be found first (O5).
    fn open_campaign(&self, state: &mut State, army: ArmyId, cost: Cost, out: &mut Events) {
        let refs = [Target::Army(army).reference()];
        out.emit(|| Event::new("campaign", rules::CAMPAIGN, &refs));
        let searched = rules::RECONNAISSANCE.applies(state.opted(Options::RECONNAISSANCE));
        let searched = searched && (cost == Cost::Zeal || rules::FREE_SEARCHES.applies(cost != Cost::Zeal));
        state.frames.open(if searched {
            Frame::Search { army, cost }
        } else {
            Frame::Campaign { army, cost }
        });
    }

    /// A search for an Army (12.1).
    pub(in super::super) fn search_roll(
        &self,
        state: &mut State,
        army: ArmyId,
        cost: Cost,
        die: u8,
        out: &mut Events,
    ) {
        let found = Self::is_found(army, die);
        let refs = [Target::Army(army).reference(), Ref::Number(die.into())];
        let code = if found { "found" } else { "not_found" };
        out.emit(|| Event::new(code, rules::RECONNAISSANCE, &refs));
        if found {
            state.frames.open(Frame::Campaign { army, cost });
        } else if cost == Cost::Strike {
            self.change_zeal(state, self.content.numbers.zeal.strike_lost as i8, rules::FREE_SEARCHES, out);
        }
    }

    /// A Campaign against an Army (8.3, 12.5).
    pub(in super::super) fn campaign_roll(
        &self,
        state: &mut State,
        army: ArmyId,
        cost: Cost,
        die: u8,
        out: &mut Events,
    ) {
        let target = Target::Army(army);
        let drm = self.zeal_drm(state, target);
        let strength = army_strength(&self.content, state, army);
        let won = self.rolled(target, (die, drm, strength), rules::CAMPAIGN, out);
        if rules::CAMPAIGN.applies(won) {
            self.beaten(state, army, out);
        }
        if rules::STRIKE.applies(cost == Cost::Strike) {
            let zeal = &self.content.numbers.zeal;
            let gained = if won { zeal.strike_won } else { zeal.strike_lost };
            self.change_zeal(state, gained as i8, rules::STRIKE, out);
        }
    }
}
