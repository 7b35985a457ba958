//! Activation of an Army, by the list of priorities (6.2).

use crate::event::{Event, Events};
use crate::numbered::Listed;
use crate::reference::Ref;

use super::super::actions::Target;
use super::super::catalogue::names;
use super::super::content::{ArmyId, CLUBMEN, DUBLIN, FortId, IRELAND, LONDON, NORTH, RevoltId, SCOTLAND};
use super::super::frames::Frame;
use super::super::state::{RevoltArea, State};
use super::super::{CruelNecessity, rules};

impl CruelNecessity {
    /// Opens an activation (6.2), with its Strength marker put down first (6.2.1, A14).
    pub(in super::super) fn open_activation(
        &self,
        state: &mut State,
        army: ArmyId,
        times: u8,
        strength: i8,
        out: &mut Events,
    ) {
        let piece = Target::Army(army).reference();
        if rules::STRENGTH_MARKERS.applies(rules::MARKER_FIRST.applies(strength != 0)) {
            let scene = self.scene(state, out);
            let unit = &mut state.armies[army];
            unit.markers = unit.markers.saturating_add(strength);
            let refs = [piece, Ref::Number(strength.into())];
            scene.publish(self, state, out, || Event::new("strength_marker", rules::STRENGTH_MARKERS, &refs));
        }
        let times = rules::TWICE.gives(times, 1);
        if rules::ACTIVATION.applies(times > 0) {
            out.emit(|| match times {
                1 => Event::new("activates", rules::ACTIVATION, &[piece]),
                _ => Event::new("activates_times", rules::ACTIVATION, &[piece, Ref::Number(times.into())]),
            });
            state.frames.open(Frame::Activate { army, left: times, troubles: false });
        }
    }

    pub(in super::super) fn go_on_activating(
        &self,
        state: &mut State,
        army: ArmyId,
        left: u8,
        troubles: bool,
        out: &mut Events,
    ) {
        if troubles {
            state.replace(Frame::Activate { army, left, troubles: false });
            self.troubles_move(state, out);
        } else if left == 0 {
            state.frames.close();
        } else {
            state.replace(Frame::Activate { army, left: left - 1, troubles: false });
            self.activate(state, army, out);
        }
    }

    /// One activation, by the list of priorities; the frame is the innermost, with `left` counted down already.
    pub(in super::super) fn activate(&self, state: &mut State, army: ArmyId, out: &mut Events) {
        let piece = Target::Army(army).reference();
        if rules::RECOVERY.applies(state.armies[army].disordered) {
            let scene = self.scene(state, out);
            state.armies[army].disordered = false;
            scene.publish(self, state, out, || Event::new("recovers", rules::RECOVERY, &[piece]));
            return;
        }
        if let Some(revolt) = self.clubmen_ahead(state, army) {
            state.frames.open(Frame::Clubmen { army, revolt });
            return;
        }
        if let Some(fort) = self.fort_ahead(state, army) {
            let rule = if fort == LONDON { rules::LONDON_BESIEGED } else { rules::ROYAL_SIEGE };
            self.open_siege(state, fort, rule, out);
            return;
        }
        self.advance(state, army, out);
    }

    /// The Clubmen that an Army fights: in its own area first, then the nearest behind it (6.2.3, A2 to A4).
    fn clubmen_ahead(&self, state: &State, army: ArmyId) -> Option<RevoltId> {
        let clubmen = |&revolt: &RevoltId| {
            rules::REVOLTS_IGNORED.allows(self.content.numbers.revolts[revolt].kind == CLUBMEN)
        };
        let behind = |revolt: RevoltId| {
            let RevoltArea { region, area } = state.revolts[revolt]?;
            let behind = rules::CLUBMEN_AHEAD.allows(area >= state.armies[army].area);
            rules::CLUBMEN
                .applies(rules::BOTH_SIDES.applies(region == army && behind))
                .then_some((area, revolt))
        };
        let all = RevoltId::all(&self.content).filter(clubmen).filter_map(behind);
        rules::NEAREST_CLUBMEN.gives(all.clone().min(), all.max()).map(|(_, revolt)| revolt)
    }

    /// The fortress that an Army besieges: in its own area first, then the nearest behind it (6.2.4, 6.2.5, A2, A7 to A9).
    fn fort_ahead(&self, state: &State, army: ArmyId) -> Option<FortId> {
        let behind = |fort: FortId| {
            let (here, area) = (state.armies[army].area, self.content.forts[fort].lies[army]?);
            let stops = !state.forts[fort].royalist
                && (area == here || rules::OWN_AREA_OR_BEHIND.applies(area > here));
            let stops = match fort {
                LONDON => rules::LONDON_BESIEGED.applies(rules::LONDON_STOPS.applies(stops)),
                _ if self.content.forts[fort].permission => rules::OXFORD_STOPS.applies(stops),
                _ => stops,
            };
            rules::ROYAL_SIEGE.applies(stops).then_some((area, fort))
        };
        let all = FortId::all(&self.content).filter_map(behind);
        rules::NEAREST_FORTRESS.gives(all.clone().min(), all.max()).map(|(_, fort)| fort)
    }

    /// The last item of the list: towards London, or what Scotland and Ireland do instead (6.2.5 to 6.2.7).
    fn advance(&self, state: &mut State, army: ArmyId, out: &mut Events) {
        let area = state.armies[army].area;
        let piece = Target::Army(army).reference();
        match (army, area) {
            (SCOTLAND, area) if rules::SCOTS_PUSH.applies(rules::PUSH_OF_THE_NORTH.applies(area == 1)) => {
                out.emit(|| Event::new("scots_push", rules::SCOTS_PUSH, &[]));
                state.frames.open(Frame::Activate { army: NORTH, left: 1, troubles: false });
            }
            (IRELAND, 1) if rules::DUBLIN_FIRST.applies(state.forts[DUBLIN].click < 5) => {
                self.strengthen_dublin(state, out);
            }
            (IRELAND, area) if rules::IRISH_TROUBLES.applies(area == 1) => {
                let track = state.troubled();
                out.emit(|| {
                    Event::new("irish_troubles", rules::IRISH_TROUBLES, &[Target::Track(track).reference()])
                });
                let Some(Frame::Activate { troubles, .. }) = state.frames.top_mut() else {
                    unreachable!("an Army activates");
                };
                *troubles = true;
                self.open_track(state, track, -1);
            }
            (SCOTLAND | IRELAND, 1) => {}
            (_, area) if rules::NOTHING_BEHIND.applies(area == 0) => {
                out.emit(|| Event::new("idle", rules::NOTHING_BEHIND, &[piece]));
            }
            _ if area != 1 || rules::LONDON_BESIEGED.applies(area == 1) => {
                let scene = self.scene(state, out);
                state.armies[army].area = area - 1;
                let space = Ref::Space(names::area_space(army, area - 1));
                let rule = if area == 1 { rules::LONDON_BESIEGED } else { rules::ACTIVATION };
                scene.publish(self, state, out, || Event::new("advances", rule, &[piece, space]));
            }
            _ => {}
        }
    }

    /// In its area 1 the Army of Ireland strengthens Dublin first, while Royalists hold it (6.2.7, A12).
    fn strengthen_dublin(&self, state: &mut State, out: &mut Events) {
        if rules::IRISH_TROUBLES.applies(state.forts[DUBLIN].royalist) {
            self.click_up(state, DUBLIN, rules::IRISH_TROUBLES, out);
        }
    }

    /// After the track has moved, the Irish Troubles marker goes on (A13).
    pub(in super::super) fn troubles_move(&self, state: &mut State, out: &mut Events) {
        let scene = self.scene(state, out);
        state.troubles = rules::TROUBLES_GO_ON.gives((state.troubles + 1) % 3, state.troubles);
        let track = Target::Track(state.troubled()).reference();
        scene.publish(self, state, out, || Event::new("troubles_move", rules::TROUBLES_GO_ON, &[track]));
    }
}
