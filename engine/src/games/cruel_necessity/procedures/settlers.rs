//! English settlers are sent to Ireland and Scotland (12.4).

use std::ops::ControlFlow;

use crate::event::{Event, Events};
use crate::reference::Ref;
use crate::refusal::Why;

use super::super::actions::{Action, Target};
use super::super::content::{IRELAND, SCOTLAND, T_IRELAND, T_PARLIAMENT, T_PURITANISM, T_SCOTLAND, TRACKS};
use super::super::frames::Frame;
use super::super::state::{SETTLED, State, TOP};
use super::super::{CruelNecessity, rules};

/// The Armies whose lands the settlers go to.
const SETTLED_LANDS: [usize; 2] = [IRELAND, SCOTLAND];

impl CruelNecessity {
    /// Returns whether English settlers can be sent anywhere (12.4, O8).
    pub(in super::super) fn may_settle(&self, state: &State) -> bool {
        (0..2).any(|which| self.settlers_wait(state, which))
    }

    /// Returns whether the Army of Ireland (0) or Scotland (1) stands in its area 5 and no settlers were sent
    /// there yet.
    fn settlers_wait(&self, state: &State, which: usize) -> bool {
        let army = [IRELAND, SCOTLAND][which];
        state.armies[army].area == 5 && !rules::SETTLERS_ONCE.applies(state.has(SETTLED[which]))
    }

    /// To Ireland, to Scotland, or none.
    pub(in super::super) fn offer_settle(&self, offer: &mut impl FnMut(Action)) {
        (0..2).for_each(|which| offer(Action::Settle(which)));
        offer(Action::Pass);
    }

    pub(in super::super) fn examine_settle(
        &self,
        state: &State,
        action: Action,
        why: &mut Why,
    ) -> ControlFlow<()> {
        match action {
            Action::Settle(which) => {
                let army = SETTLED_LANDS[usize::from(which)];
                let waits = self.settlers_wait(state, usize::from(which));
                let refs = [Target::Army(army as u8).reference()];
                why.require(waits, rules::SETTLERS, "NO_SETTLERS", &refs)
            }
            Action::Pass => ControlFlow::Continue(()),
            _ => why.refuse(rules::SEQUENCE, "NOT_NOW"),
        }
    }

    pub(in super::super) fn apply_settle(&self, state: &mut State, action: Action, out: &mut Events) {
        let Action::Settle(which) = action else {
            state.frames.close();
            out.emit(|| Event::new("declines", rules::SETTLERS, &[]));
            return;
        };
        let which = usize::from(which);
        let scene = self.scene(state, out);
        state.set(SETTLED[which], true);
        let refs = [Target::Army(SETTLED_LANDS[which] as u8).reference()];
        scene.publish(self, state, out, || Event::new("settlers", rules::SETTLERS, &refs));
        self.change_zeal(state, self.content.numbers.zeal.settlers as i8, rules::SETTLERS, out);
        state.frames.open(Frame::SettlersTrack);
    }

    /// Tracks on which the settlers may roll: Scotland, Ireland, Puritanism, Parliament, below the top (12.4, O9), as bits.
    fn settlers_tracks(&self, state: &State) -> u8 {
        let open = [T_IRELAND, T_SCOTLAND, T_PARLIAMENT, T_PURITANISM];
        open.into_iter().filter(|&track| state.tracks[track] != TOP).fold(0, |set, track| set | 1 << track)
    }

    /// Rolls on a track that nobody has to pick, or not at all; returns whether it did.
    pub(in super::super) fn only_settlers_track(&self, state: &mut State, out: &mut Events) -> bool {
        let open = self.settlers_tracks(state);
        match open.count_ones() {
            0 => {
                state.frames.close();
                out.emit(|| Event::new("no_settlers_track", rules::SETTLERS_ROLL, &[]));
            }
            1 => self.settlers_roll(state, open.trailing_zeros() as u8),
            _ => return false,
        }
        true
    }

    pub(in super::super) fn offer_settlers_track(&self, offer: &mut impl FnMut(Action)) {
        (0..TRACKS as u8).for_each(|track| offer(Action::RollOn(track)));
    }

    pub(in super::super) fn examine_settlers_track(
        &self,
        state: &State,
        action: Action,
        why: &mut Why,
    ) -> ControlFlow<()> {
        let Action::RollOn(track) = action else { return why.refuse(rules::SEQUENCE, "NOT_NOW") };
        let open = self.settlers_tracks(state) & 1 << track != 0;
        why.require(open, rules::SETTLERS_ROLL, "NOT_A_TARGET", &[Ref::Track(track.into())])
    }

    pub(in super::super) fn apply_settlers_track(&self, state: &mut State, action: Action) {
        let Action::RollOn(track) = action else { unreachable!("{action:?} is not legal") };
        self.settlers_roll(state, track);
    }

    fn settlers_roll(&self, state: &mut State, track: u8) {
        state.replace(Frame::Politics { track, settlers: true });
    }
}
