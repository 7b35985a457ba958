//! Revolts: they break out (6.9), bar what is behind them, and are crushed by the player (8.5) or by an Army on Clubmen (6.2.3).

use std::ops::ControlFlow;

use crate::event::{Event, Events};
use crate::ledger::Rule;
use crate::numbered::Listed;
use crate::reference::Ref;
use crate::refusal::Why;

use super::super::actions::Target;
use super::super::catalogue::names;
use super::super::content::{ArmyId, Content, NORTH, REVOLTS, RevoltId, RevoltKindId, WEST};
use super::super::frames::Frame;
use super::super::state::{RevoltArea, State};
use super::super::{CruelNecessity, rules};
use super::tracks::zenith;

/// The strength of a revolt marker.
pub(in super::super) fn revolt_strength(content: &Content, state: &State, revolt: RevoltId) -> i8 {
    content.numbers.revolts[revolt].strength + zenith(content, state)
}

/// Returns whether a revolt marker is in front of the enemy Army of its region (8.5, P15).
fn eligible_revolt(state: &State, revolt: RevoltId) -> bool {
    state.revolts[revolt]
        .is_some_and(|at| rules::REVOLTS_IN_REACH.allows(at.area < state.armies[at.region].area))
}

/// Returns whether eligible revolts bar Campaigns, Besieging and Fortifying in a region (8.5, P16).
pub(in super::super) fn barred_by_revolt(state: &State, region: ArmyId) -> bool {
    let here = |revolt: RevoltId| state.revolts[revolt].is_some_and(|at| at.region == region);
    let eligible =
        (0..REVOLTS).map(RevoltId::new).any(|revolt| here(revolt) && eligible_revolt(state, revolt));
    rules::REVOLTS.applies(rules::BARRED_BY_REVOLTS.applies(eligible))
}

impl CruelNecessity {
    /// A revolt marker of this kind that is in the pool looks for its area (6.9, R1, R3).
    pub(in super::super) fn open_revolt(
        &self,
        state: &mut State,
        (kind, region, north): (RevoltKindId, Option<ArmyId>, u8),
        out: &mut Events,
    ) {
        let free = |&revolt: &RevoltId| {
            let ours = self.content.numbers.revolts[revolt].kind == kind;
            rules::REVOLT.applies(ours && rules::REVOLT_IN_THE_POOL.allows(state.revolts[revolt].is_none()))
        };
        if let Some(revolt) = RevoltId::all(&self.content).find(free) {
            let region = region.or(rules::CLUBMEN_REGION.gives(None, Some(NORTH)));
            let north = if region.is_none() { north } else { 0 };
            state.frames.open(Frame::Revolt { revolt, region, north });
        } else {
            let marker = [Ref::Kind(names::kind_revolt(&self.content, kind))];
            out.emit(|| Event::new("none_in_the_pool", rules::REVOLT_IN_THE_POOL, &marker));
        }
    }

    /// A die for the region of a revolt, or for its area; the frame has been closed.
    pub(in super::super) fn revolt_roll(
        &self,
        state: &mut State,
        (revolt, region, north): (RevoltId, Option<ArmyId>, u8),
        die: u8,
        out: &mut Events,
    ) {
        let piece = Target::Revolt(revolt).reference();
        let Some(region) = region else {
            let region = if north & 1 << die == 0 { WEST } else { NORTH };
            let refs = [piece, Target::Army(region).reference()];
            out.emit(|| Event::new("revolt_region", rules::CLUBMEN_REGION, &refs));
            state.frames.open(Frame::Revolt { revolt, region: Some(region), north: 0 });
            return;
        };
        if rules::REVOLT_AREA.applies(die == 6) {
            out.emit(|| Event::new("no_revolt", rules::REVOLT, &[piece]));
        } else {
            let scene = self.scene(state, out);
            let area = die.min(5);
            state.revolts[revolt] = Some(RevoltArea { region, area });
            let refs = [piece, Ref::Space(names::area_space(region, area))];
            scene.publish(self, state, out, || Event::new("revolt", rules::REVOLT, &refs));
        }
    }

    pub(in super::super) fn examine_crush(
        &self,
        state: &State,
        revolt: RevoltId,
        why: &mut Why,
    ) -> ControlFlow<()> {
        let refs = [Target::Revolt(revolt).reference()];
        let there = state.revolts[revolt].is_some();
        why.demand(there, rules::REVOLTS, "NOT_ON_THE_MAP", &refs)?;
        let eligible = eligible_revolt(state, revolt);
        why.require(eligible, rules::REVOLTS_IN_REACH, "BEHIND_THE_LINES", &refs)?;
        self.pays(state, why)
    }

    pub(in super::super) fn apply_crush(&self, state: &mut State, revolt: RevoltId, out: &mut Events) {
        self.pay(state, 1, out);
        state.frames.open(Frame::Crush { revolt });
    }

    /// The player, or an Army on Clubmen, crushes a revolt (6.2.3, 8.5, A6, P19).
    pub(in super::super) fn crush_roll(
        &self,
        state: &mut State,
        revolt: RevoltId,
        own: bool,
        die: u8,
        out: &mut Events,
    ) {
        let target = Target::Revolt(revolt);
        let drm = if own { self.zeal_drm(state, target) } else { 0 };
        let strength = revolt_strength(&self.content, state, revolt);
        let rule = if own { rules::REVOLTS } else { rules::CLUBMEN };
        let won = self.rolled(target, (die, drm, strength), rule, out);
        let won = if own { won } else { rules::CLUBMEN_STRENGTH.applies(won) };
        if rules::REVOLT_CRUSHED.applies(won) {
            self.remove_revolt(state, revolt, rule, out);
        }
    }

    /// A revolt marker goes back to the pool (R4).
    fn remove_revolt(&self, state: &mut State, revolt: RevoltId, rule: Rule, out: &mut Events) {
        let scene = self.scene(state, out);
        state.revolts[revolt] = None;
        state.zeal_on = state.zeal_on.filter(|&target| target != Target::Revolt(revolt));
        let refs = [Target::Revolt(revolt).reference()];
        scene.publish(self, state, out, || Event::new("revolt_crushed", rule, &refs));
    }
}
