//! Politics rolls (8.7) with their modifiers (6.7), and Desperate Times (8.8).

use std::ops::ControlFlow;

use crate::event::{Event, Events};
use crate::reference::Ref;
use crate::refusal::Why;

use super::super::actions::Target;
use super::super::content::{T_PARLIAMENT, T_PURITANISM, TrackId};
use super::super::frames::Frame;
use super::super::state::{BOTTOM, Flags, State, TOP};
use super::super::{CruelNecessity, rules};

/// The tracks that a Desperate Act lowers.
pub(in super::super) const DESPERATE_TRACKS: [TrackId; 2] = [T_PARLIAMENT, T_PURITANISM];

impl CruelNecessity {
    pub(in super::super) fn place_drm(&self, state: &mut State, track: TrackId, drm: i8, out: &mut Events) {
        if !rules::TRACK_DRM.applies(true) {
            return;
        }
        let scene = self.scene(state, out);
        let there = &mut state.drm[track];
        *there = there.saturating_add(drm);
        let refs = [Target::Track(track).reference(), Ref::Number(drm.into())];
        scene.publish(self, state, out, || Event::new("track_drm", rules::TRACK_DRM, &refs));
    }

    /// The modifier of a Politics roll (6.7, 8.1, T16).
    pub(in super::super) fn politics_drm(&self, state: &State, track: TrackId) -> i8 {
        let card = rules::MODIFIER_OF_THE_TRACK.gives(state.drm[track], 0);
        card.saturating_add(self.zeal_drm(state, Target::Track(track)))
    }

    /// Returns the number that a Politics roll must exceed: that of the next box up (8.7, P21).
    pub(in super::super) fn politics_number(&self, state: &State, track: TrackId) -> i8 {
        let numbers = &self.content.tracks[track].numbers;
        let here = state.tracks[track];
        let box_up = rules::NUMBER_OF_THE_BOX_ABOVE.gives(here.saturating_sub(1), here);
        numbers[usize::from(box_up)] as i8
    }

    pub(in super::super) fn examine_politics(
        &self,
        state: &State,
        track: TrackId,
        why: &mut Why,
    ) -> ControlFlow<()> {
        self.pays(state, why)?;
        self.below_top(state, track, why)
    }

    pub(in super::super) fn below_top(
        &self,
        state: &State,
        track: TrackId,
        why: &mut Why,
    ) -> ControlFlow<()> {
        let room = state.tracks[track] != TOP;
        why.demand(room, rules::POLITICS, "AT_THE_TOP", &[Target::Track(track).reference()])
    }

    pub(in super::super) fn apply_politics(&self, state: &mut State, track: TrackId, out: &mut Events) {
        self.pay(state, 1, out);
        state.frames.open(Frame::Politics { track, settlers: false });
    }

    /// A Politics roll, paid, free, or the settlers' (8.7, 8.3.1, 12.4).
    pub(in super::super) fn politics_roll(
        &self,
        state: &mut State,
        track: TrackId,
        settlers: bool,
        die: u8,
        out: &mut Events,
    ) {
        let drm = if rules::SETTLERS_ROLL.applies(settlers) { 0 } else { self.politics_drm(state, track) };
        let number = self.politics_number(state, track);
        let rule = if settlers { rules::SETTLERS } else { rules::POLITICS };
        let won = self.rolled(Target::Track(track), (die, drm, number), rule, out);
        if rules::POLITICS.applies(won) {
            self.raise(state, track, rule, out);
        }
    }

    /// Returns why a Desperate Act is not legal (8.8, P22, G4).
    pub(in super::super) fn examine_desperate(
        &self,
        state: &State,
        track: TrackId,
        why: &mut Why,
    ) -> ControlFlow<()> {
        let refs = [Target::Track(track).reference()];
        let done = state.has(Flags::desperate(track));
        why.require(!done, rules::DESPERATE_TIMES, "DESPERATE_ALREADY", &refs)?;
        let above = state.tracks[track] != BOTTOM;
        why.require(above, rules::DESPERATE_AT_THE_BOTTOM, "AT_THE_BOTTOM", &refs)?;
        let most = self.content.numbers.zeal.max;
        why.require(state.zeal < most, rules::NOT_IDLE, "ZEAL_FULL", &[])
    }

    pub(in super::super) fn apply_desperate(&self, state: &mut State, track: TrackId, out: &mut Events) {
        let scene = self.scene(state, out);
        state.set(Flags::desperate(track), true);
        let refs = [Target::Track(track).reference()];
        scene.publish(self, state, out, || Event::new("desperate", rules::DESPERATE_TIMES, &refs));
        self.action_marker(state, track, false, rules::DESPERATE_TIMES, out);
        self.change_zeal(state, 1, rules::DESPERATE_TIMES, out);
    }
}
