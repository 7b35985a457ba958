//! Track markers: movement, the edge, the middle ground (6.6 to 6.6.2), flips (6.6.3).

use std::ops::ControlFlow;

use crate::event::{Event, Events};
use crate::ledger::Rule;
use crate::numbered::{Listed, SetOf};
use crate::reference::Ref;
use crate::refusal::Why;

use super::super::actions::{Action, Target};
use super::super::catalogue::names;
use super::super::content::{
    ArmyId, Content, IRELAND, SCOTLAND, T_CATHOLICISM, T_IRELAND, T_MONARCHY, T_PARLIAMENT, T_PURITANISM,
    T_SCOTLAND, TrackId,
};
use super::super::frames::Frame;
use super::super::state::{BOTTOM, State, TOP};
use super::super::{CruelNecessity, rules};

/// The effect of one arrow.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) enum Arrow {
    /// This marker moves.
    Moves(TrackId),
    /// The marker and its opposite are both jammed.
    Jammed,
}

/// Returns whether a marker stands at the end of its track in this direction.
fn at_end(state: &State, track: TrackId, up: bool) -> bool {
    state.tracks[track] == if up { TOP } else { BOTTOM }
}

/// Returns whether the next box of a marker is a middle box in which its opposite stands (6.6.2).
fn middle_taken(content: &Content, state: &State, track: TrackId, up: bool) -> bool {
    let def = &content.tracks[track];
    let enters =
        if up { def.godly && state.tracks[track] == 1 } else { !def.godly && state.tracks[track] == 4 };
    let there = if def.godly { BOTTOM } else { TOP };
    def.shared && enters && state.tracks[def.opposite] == there
}

/// The box next to a marker's in this direction; the marker is not at its end.
fn next_box(state: &State, track: TrackId, up: bool) -> u8 {
    if up { state.tracks[track] - 1 } else { state.tracks[track] + 1 }
}

/// Returns whether a marker can itself move one box (T3, T5).
fn can_move(content: &Content, state: &State, track: TrackId, up: bool) -> bool {
    !at_end(state, track, up)
        && rules::NOT_BEFORE_A_TAKEN_MIDDLE.allows(!middle_taken(content, state, track, up))
}

/// Returns the effect of an arrow.
pub(super) fn arrow(content: &Content, state: &State, track: TrackId, up: bool) -> Arrow {
    let opposite = content.tracks[track].opposite;
    if at_end(state, track, up) {
        let handed_on = rules::HANDED_ON.applies(!at_end(state, opposite, up));
        return if rules::OFF_THE_EDGE.applies(handed_on) { Arrow::Moves(opposite) } else { Arrow::Jammed };
    }
    if rules::MIDDLE.applies(rules::MIDDLE_TAKEN.applies(middle_taken(content, state, track, up))) {
        return Arrow::Moves(opposite);
    }
    Arrow::Moves(track)
}

/// The markers among which the player picks when an arrow has nowhere to go: the other four that can move (T3).
fn shiftable(content: &Content, state: &State, track: TrackId, up: bool) -> SetOf<TrackId> {
    let opposite = content.tracks[track].opposite;
    let others = TrackId::all(content).filter(|&other| other != track && other != opposite);
    others.filter(|&other| can_move(content, state, other, up)).collect()
}

/// Returns whether an arrow waits for the player's pick.
fn picks(content: &Content, state: &State, track: TrackId, up: bool) -> bool {
    let jammed = arrow(content, state, track, up) == Arrow::Jammed;
    rules::OFF_THE_EDGE.applies(rules::BOTH_JAMMED.applies(jammed))
        && shiftable(content, state, track, up).count() > 1
}

/// The grade of a marker's box: 0 is A, 4 is F.
pub(in super::super) fn grade(content: &Content, state: &State, track: TrackId) -> u8 {
    content.tracks[track].grades[usize::from(state.tracks[track])]
}

/// Returns the number of markers in F boxes.
pub(in super::super) fn f_grades(content: &Content, state: &State) -> u8 {
    TrackId::all(content).filter(|&track| grade(content, state, track) == 4).count() as u8
}

/// Returns the effect of the flip boxes of Ireland or Scotland on its Army's strength (6.6.3).
pub(in super::super) fn morale(content: &Content, state: &State, army: ArmyId) -> i8 {
    let track = match army {
        IRELAND => T_IRELAND,
        // 6.6.3 names Ireland's marker here; it is Scotland's own (T11).
        army if rules::SCOTLANDS_OWN_ARMY.applies(army == SCOTLAND) => T_SCOTLAND,
        _ => return 0,
    };
    let morale = match state.tracks[track] {
        TOP => -content.numbers.flip.morale,
        BOTTOM => content.numbers.flip.morale,
        _ => 0,
    };
    rules::FLIPS.gives(rules::WHILE_THERE.gives(morale, 0), 0)
}

/// Returns the number that the King's zenith adds to the strength of revolts and Deviltry (6.6.3, T12).
pub(in super::super) fn zenith(content: &Content, state: &State) -> i8 {
    let on = rules::FLIPS.applies(rules::ZENITH_OF_THE_KING.applies(state.tracks[T_MONARCHY] == BOTTOM));
    if on { content.numbers.flip.monarchy_bottom } else { 0 }
}

/// Returns whether London can't be fortified because Parliament is at its nadir (6.6.3, T13).
pub(in super::super) fn london_barred(state: &State) -> bool {
    rules::FLIPS.applies(rules::NADIR_OF_PARLIAMENT.applies(state.tracks[T_PARLIAMENT] == BOTTOM))
}

/// Returns the number that the flip boxes of Catholicism and Puritanism add to the income.
pub(in super::super) fn flip_income(content: &Content, state: &State) -> i8 {
    let zeal = &content.numbers.zeal;
    let top = rules::FLIPS.applies(state.tracks[T_CATHOLICISM] == TOP);
    let bottom = rules::FLIPS.applies(state.tracks[T_PURITANISM] == BOTTOM);
    i8::from(top) * zeal.catholicism_top + i8::from(bottom) * zeal.puritanism_bottom
}

impl CruelNecessity {
    /// Opens the movement of a marker by arrows (6.6).
    pub(in super::super) fn open_track(&self, state: &mut State, track: TrackId, arrows: i8) {
        let left = arrows.unsigned_abs();
        if rules::TRACK.applies(left > 0) {
            state.frames.open(Frame::Track { track, up: arrows > 0, left });
        }
    }

    /// Carries out arrows until the player has to pick, or all are done; the frame is the innermost. Returns whether nobody has to
    /// pick.
    pub(in super::super) fn move_track(
        &self,
        state: &mut State,
        (track, up, left): (TrackId, bool, u8),
        out: &mut Events,
    ) -> bool {
        let mut left = left;
        while left > 0 {
            if picks(&self.content, state, track, up) {
                state.replace(Frame::Track { track, up, left });
                return false;
            }
            // Each arrow is a movement of its own (T1); one that has nowhere to go is the only other marker's that can move (T3).
            let moved = match arrow(&self.content, state, track, up) {
                Arrow::Moves(moved) => Some(moved),
                Arrow::Jammed => {
                    let other = shiftable(&self.content, state, track, up).first();
                    other.filter(|_| rules::OFF_THE_EDGE.applies(rules::BOTH_JAMMED.applies(true)))
                }
            };
            let Some(moved) = moved else {
                out.emit(|| Event::new("jammed", rules::OFF_THE_EDGE, &[Target::Track(track).reference()]));
                left -= 1;
                continue;
            };
            if moved != track {
                let refs = [Target::Track(track).reference(), Target::Track(moved).reference()];
                // At its end a marker hands the arrow on; before an occupied middle box it pushes whoever is there.
                let rule = if at_end(state, track, up) { rules::OFF_THE_EDGE } else { rules::MIDDLE };
                out.emit(|| Event::new("redirected", rule, &refs));
            }
            self.action_marker(state, moved, up, rules::TRACK, out);
            left = rules::EACH_ARROW.gives(left - 1, 0);
        }
        state.frames.close();
        true
    }

    /// The other markers that can take the movement (6.6.1).
    pub(in super::super) fn offer_shift(
        &self,
        state: &State,
        (track, up, _): (TrackId, bool, u8),
        offer: &mut impl FnMut(Action),
    ) {
        shiftable(&self.content, state, track, up).iter().for_each(|other| offer(Action::Shift(other)));
    }

    pub(in super::super) fn examine_shift(
        &self,
        state: &State,
        (track, up, _): (TrackId, bool, u8),
        action: Action,
        why: &mut Why,
    ) -> ControlFlow<()> {
        match action {
            Action::Shift(other) => {
                let eligible = shiftable(&self.content, state, track, up).contains(other);
                why.require(eligible, rules::OFF_THE_EDGE, "CAN_T_MOVE", &[Target::Track(other).reference()])
            }
            _ => why.refuse(rules::SEQUENCE, "NOT_NOW"),
        }
    }

    pub(in super::super) fn apply_shift(
        &self,
        state: &mut State,
        (track, up, left): (TrackId, bool, u8),
        action: Action,
        out: &mut Events,
    ) {
        let Action::Shift(other) = action else { unreachable!("{action:?} is not legal") };
        let refs = [Target::Track(track).reference(), Target::Track(other).reference()];
        out.emit(|| Event::new("redirected", rules::OFF_THE_EDGE, &refs));
        self.action_marker(state, other, up, rules::TRACK, out);
        state.frames.close();
        if left > 1 {
            state.frames.open(Frame::Track { track, up, left: left - 1 });
        }
    }

    /// Moves one marker one box, by the rule that asks for it.
    pub(in super::super) fn action_marker(
        &self,
        state: &mut State,
        track: TrackId,
        up: bool,
        rule: Rule,
        out: &mut Events,
    ) {
        let scene = self.scene(state, out);
        state.tracks[track] = next_box(state, track, up);
        let code = if up { "track_up" } else { "track_down" };
        let there = Ref::Marker(names::M_GRADE + u16::from(grade(&self.content, state, track)));
        let refs = [Target::Track(track).reference(), there];
        scene.publish(self, state, out, || Event::new(code, rule, &refs));
    }

    /// A success of Politics or a benefit: the marker goes up, or its opposite out of the middle box (T4).
    pub(in super::super) fn raise(&self, state: &mut State, track: TrackId, rule: Rule, out: &mut Events) {
        if let Arrow::Moves(moved) = arrow(&self.content, state, track, true) {
            if moved != track {
                let refs = [Target::Track(track).reference(), Target::Track(moved).reference()];
                out.emit(|| Event::new("redirected", rules::MIDDLE, &refs));
            }
            self.action_marker(state, moved, true, rule, out);
        }
    }
}
