//! English settlers are sent to Ireland and Scotland (12.4).

use std::ops::ControlFlow;

use crate::event::{Event, Events};
use crate::numbered::{Listed, SetOf};
use crate::refusal::Why;

use super::super::actions::{Action, Target};
use super::super::content::{
    ArmyId, IRELAND, SCOTLAND, T_IRELAND, T_PARLIAMENT, T_PURITANISM, T_SCOTLAND, TrackId,
};
use super::super::frames::Frame;
use super::super::state::{Flags, State, TOP};
use super::super::{CruelNecessity, rules};

/// The Armies whose lands the settlers go to.
pub(in super::super) const SETTLED_LANDS: [ArmyId; 2] = [IRELAND, SCOTLAND];

impl CruelNecessity {
    /// Returns whether English settlers can be sent anywhere (12.4, O8).
    pub(in super::super) fn may_settle(&self, state: &State) -> bool {
        SETTLED_LANDS.into_iter().any(|army| self.settlers_wait(state, army))
    }

    /// Returns whether the Army of Ireland or Scotland stands in its area 5 and no settlers were sent there yet.
    fn settlers_wait(&self, state: &State, army: ArmyId) -> bool {
        state.armies[army].area == 5 && !rules::SETTLERS_ONCE.applies(state.has(Flags::settled(army)))
    }

    /// To Ireland, to Scotland, or none.
    pub(in super::super) fn offer_settle(&self, _: &State, offer: &mut impl FnMut(Action)) {
        SETTLED_LANDS.into_iter().for_each(|army| offer(Action::Settle(army)));
        offer(Action::Pass);
    }

    pub(in super::super) fn examine_settle(
        &self,
        state: &State,
        action: Action,
        why: &mut Why,
    ) -> ControlFlow<()> {
        match action {
            Action::Settle(army) => {
                let waits = self.settlers_wait(state, army);
                let refs = [Target::Army(army).reference()];
                why.require(waits, rules::SETTLERS, "NO_SETTLERS", &refs)
            }
            Action::Pass => ControlFlow::Continue(()),
            _ => why.refuse(rules::SEQUENCE, "NOT_NOW"),
        }
    }

    pub(in super::super) fn apply_settle(&self, state: &mut State, action: Action, out: &mut Events) {
        let Action::Settle(army) = action else {
            state.frames.close();
            out.emit(|| Event::new("declines", rules::SETTLERS, &[]));
            return;
        };
        let scene = self.scene(state, out);
        state.set(Flags::settled(army), true);
        let refs = [Target::Army(army).reference()];
        scene.publish(self, state, out, || Event::new("settlers", rules::SETTLERS, &refs));
        self.change_zeal(state, self.content.numbers.zeal.settlers as i8, rules::SETTLERS, out);
        state.frames.open(Frame::SettlersTrack);
    }

    /// Tracks on which the settlers may roll: Scotland, Ireland, Puritanism, Parliament, below the top (12.4, O9).
    fn settlers_tracks(&self, state: &State) -> SetOf<TrackId> {
        let open = [T_IRELAND, T_SCOTLAND, T_PARLIAMENT, T_PURITANISM];
        open.into_iter().filter(|&track| state.tracks[track] != TOP).collect()
    }

    /// Rolls on a track that nobody has to pick, or not at all; returns whether it did.
    pub(in super::super) fn only_settlers_track(&self, state: &mut State, out: &mut Events) -> bool {
        let open = self.settlers_tracks(state);
        match open.first() {
            None => {
                state.frames.close();
                out.emit(|| Event::new("no_settlers_track", rules::SETTLERS_ROLL, &[]));
            }
            Some(track) if open.count() == 1 => self.settlers_roll(state, track),
            Some(_) => return false,
        }
        true
    }

    pub(in super::super) fn offer_settlers_track(&self, _: &State, offer: &mut impl FnMut(Action)) {
        TrackId::all(&self.content).for_each(|track| offer(Action::RollOn(track)));
    }

    pub(in super::super) fn examine_settlers_track(
        &self,
        state: &State,
        action: Action,
        why: &mut Why,
    ) -> ControlFlow<()> {
        match action {
            Action::RollOn(track) => {
                let open = self.settlers_tracks(state).contains(track);
                why.require(open, rules::SETTLERS_ROLL, "NOT_A_TARGET", &[Target::Track(track).reference()])
            }
            _ => why.refuse(rules::SEQUENCE, "NOT_NOW"),
        }
    }

    pub(in super::super) fn apply_settlers_track(&self, state: &mut State, action: Action, _: &mut Events) {
        let Action::RollOn(track) = action else { unreachable!("{action:?} is not legal") };
        self.settlers_roll(state, track);
    }

    fn settlers_roll(&self, state: &mut State, track: TrackId) {
        state.replace(Frame::Politics { track, settlers: true });
    }
}
