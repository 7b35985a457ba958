//! Disorder and retreat of Armies (6.10.4, 8.3).

use crate::event::{Event, Events};
use crate::ledger::Rule;
use crate::reference::Ref;

use super::super::actions::Target;
use super::super::catalogue::names;
use super::super::content::ArmyId;
use super::super::state::State;
use super::super::{CruelNecessity, rules};

impl CruelNecessity {
    /// 6.10.4: an Army is disordered; one that is already goes back (A18).
    pub(in super::super) fn disorder(&self, state: &mut State, army: ArmyId, out: &mut Events) {
        let unit = state.armies[army];
        if rules::DISORDER.applies(!unit.disordered) {
            self.become_disordered(state, army, rules::DISORDER, out);
        } else if rules::DISORDER.applies(rules::DISORDERED_ALREADY.applies(unit.area < 5)) {
            self.retreat(state, army, rules::DISORDER, out);
        } else if rules::DISORDER.applies(unit.area == 5) {
            out.emit(|| {
                Event::new("no_further", rules::DISORDERED_ALREADY, &[Target::Army(army).reference()])
            });
        }
    }

    /// A Campaign is won (8.3, P10): the Army goes back; in its area 5 it is disordered.
    pub(in super::super) fn beaten(&self, state: &mut State, army: ArmyId, out: &mut Events) {
        let unit = state.armies[army];
        if unit.area < 5 {
            self.retreat(state, army, rules::CAMPAIGN, out);
        } else if rules::CAMPAIGN_WON.applies(!unit.disordered) {
            self.become_disordered(state, army, rules::CAMPAIGN, out);
        } else if unit.disordered {
            // A strike is made at such an Army, too: it gains Zeal, and nothing on the map (O10).
            out.emit(|| Event::new("no_further", rules::CAMPAIGN, &[Target::Army(army).reference()]));
        }
    }

    fn become_disordered(&self, state: &mut State, army: ArmyId, rule: Rule, out: &mut Events) {
        let scene = self.scene(state, out);
        state.armies[army].disordered = true;
        let piece = Target::Army(army).reference();
        scene.publish(self, state, out, || Event::new("disordered", rule, &[piece]));
    }

    pub(in super::super) fn retreat(&self, state: &mut State, army: ArmyId, rule: Rule, out: &mut Events) {
        let scene = self.scene(state, out);
        state.armies[army].area += 1;
        let space = Ref::Space(names::area_space(army, state.armies[army].area));
        let refs = [Target::Army(army).reference(), space];
        scene.publish(self, state, out, || Event::new("retreats", rule, &refs));
    }
}
