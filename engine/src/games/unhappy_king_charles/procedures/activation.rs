//! Activations for movement: which Generals can be Activated, how an Activation begins, and how it ends (6.1, 6.2, 9.1, 9.5).

use crate::vocabulary::*;

use super::super::content::ids::{AreaId, CounterSet, GeneralId};
use super::super::content::{PARLIAMENT, SEATS};
use super::super::frames::Frame;
use super::super::state::{Activation, Happened, Marks, Post, State, Warrant};
use super::super::{UnhappyKing, rules};
use super::consequences::Cause;
use super::entry::stages as entering;

/// The stages of an Activation.
pub(in super::super) mod stages {
    /// It begins: a Response may come, and an Army inside a Masked Fortress attacks.
    pub(in super::super::super) const START: u8 = 0;
    /// The active Army does one thing after another.
    pub(in super::super::super) const STEPS: u8 = 1;
    /// A General from off the map is to come to an Area.
    pub(in super::super::super) const ARRIVAL: u8 = 2;
    /// They take their first Brigade there.
    pub(in super::super::super) const FIRST_BRIGADE: u8 = 3;
    /// It ends: Armies in one Area join, or a way is retraced.
    pub(in super::super::super) const END: u8 = 4;
    /// Nothing is left of it.
    pub(in super::super::super) const OVER: u8 = 5;
}

impl UnhappyKing {
    /// Returns whether a General of a seat can be Activated for movement by such a card: see [`UnhappyKing::examine_activating`].
    #[must_use]
    pub(in super::super) fn may_activate(
        &self,
        state: &State,
        seat: Seat,
        general: GeneralId,
        warrant: Warrant,
    ) -> bool {
        let mut why = Why::quiet();
        let _ = self.examine_activating(state, seat, general, warrant, &mut why);
        !why.refused()
    }

    /// 6.1, 6.2, 9.1, AC1 to AC4, K4: a commander, a Subordinate who leaves, or one who comes from off the map (R15, MC6, MC8).
    pub(in super::super) fn examine_activating(
        &self,
        state: &State,
        seat: Seat,
        general: GeneralId,
        warrant: Warrant,
        why: &mut Why,
    ) -> ControlFlow<()> {
        let who = [Ref::from(general)];
        let record = &self.content.generals[general];
        why.demand(record.side == seat, rules::ACTIVATION, "NOT_YOUR_GENERAL", &who)?;
        // G9: against a card a rating of 2/3* is 2.
        let needed = rules::TWO_THREE_RATING.gives(record.activation, record.strategy);
        let rating = [who[0], Ref::Number(needed.into())];
        why.require(warrant.rating() >= needed, rules::STRATEGY_RATING, "RATING_TOO_HIGH", &rating)?;
        let standard = state.has(Happened::STANDARD);
        let held = !standard && self.content.numbers.standard.held.contains(general);
        why.require(!held, rules::WALLER_WAITS, "HELD_UNTIL_STANDARD", &who)?;
        let post = state.generals[general].post;
        let brigades = match post {
            Post::Under(_) => state.brigades.count(general),
            _ => self.arriving_size(state, general).unwrap_or_else(|| state.size(general)),
        };
        let major = brigades >= self.content.numbers.movement.major_army;
        let size = [who[0], Ref::Number(brigades.into())];
        why.require(!major || warrant.moves_major_armies(), rules::MAJOR_ARMY, "MAJOR_ARMY", &size)?;
        match post {
            Post::Under(commander) => {
                let kept = state.size(commander) > brigades;
                why.require(kept, rules::SUBORDINATES_LEFT, "KEEPS_NO_BRIGADE", &[Ref::from(commander)])?;
                let masked = self.is_masked_inside(state, commander);
                why.require(!masked, rules::INSIDE_ACTIVATED, "INSIDE_MASKED_FORTRESS", &who)?;
                self.examine_unmoved(state, general, why)
            }
            Post::Area(_) => self.examine_unmoved(state, general, why),
            Post::Inside(_) => {
                let sortie = !self.is_masked_inside(state, general) || standard;
                why.require(sortie, rules::BEFORE_THE_STANDARD, "NO_FIGHT_BEFORE_STANDARD", &who)?;
                self.examine_unmoved(state, general, why)
            }
            _ => {
                let place = self.arrivals(state, general, warrant).next().is_some();
                why.require(place, rules::PLACED_BY_CARD, "NOT_ON_THE_MAP", &who)
            }
        }
    }

    /// K4: the General's own Brigades have not moved on this card; those of Subordinates can be left behind.
    fn examine_unmoved(&self, state: &State, general: GeneralId, why: &mut Why) -> ControlFlow<()> {
        let moved = state.brigades.marked(state.brigades.at(general), Marks::MOVED);
        why.require(moved.is_empty(), rules::ONCE_A_CARD, "HAS_MOVED", &[Ref::from(general)])
    }

    /// Returns whether an Army is inside a Fortress at which an enemy Army stands (14.0).
    #[must_use]
    pub(in super::super) fn is_masked_inside(&self, state: &State, commander: GeneralId) -> bool {
        let Post::Inside(area) = state.generals[commander].post else { return false };
        state.invests(&self.content, self.content.generals[commander].side.other(), area)
    }

    /// Activates a General for movement; one who is not on the map is placed first (R15), or enters (MC6, MC8).
    pub(in super::super) fn open_activation(
        &self,
        state: &mut State,
        seat: Seat,
        general: GeneralId,
        warrant: Warrant,
        out: &mut Events,
    ) {
        let area = state.area_of(general);
        let post = state.generals[general].post;
        if area.is_none() && general == self.content.people.callander && post == Post::Waiting {
            let scene = Scene::open(self, state, 2, out);
            self.muster_covenanters(state, general);
            scene.publish(self, state, out, || {
                Event::new("callander_comes", rules::CALLANDER, &[general.into()])
            });
        }
        let mut activation = Activation::new(seat, general, warrant, area);
        activation.besieging = self.has_siege_marker(state, general);
        state.activation = Some(activation);
        let stage = if area.is_some() { stages::START } else { stages::ARRIVAL };
        state.frames.open(Frame::Activation { seat, stage, from: None, face: None });
        let refs = [Ref::Seat(seat), Ref::from(general)];
        out.emit(|| Event::new("activated", rules::ACTIVATION, &refs));
        if let (Post::Under(commander), Some(area)) = (post, area) {
            self.part_from_commander(state, general, (commander, area), out);
        }
    }

    /// 6.5, MC5 to MC7: a Covenanter General with Brigades on their display enters by Carlisle or Berwick; without an Area where they
    /// could, the entry waits for a later card (MC27).
    pub(in super::super) fn open_entry_activation(
        &self,
        state: &mut State,
        general: GeneralId,
        out: &mut Events,
    ) {
        if self.arrivals(state, general, Warrant::Any).next().is_none() {
            out.emit(|| Event::new("entry_waits", rules::ENTRY_BARRED, &[Ref::from(general)]));
            return;
        }
        self.open_activation(state, PARLIAMENT, general, Warrant::Any, out);
    }

    /// 9.5, AC13: a Subordinate who is Activated moves out of the Army; beside enemy Brigades nobody stands outside, so that they stay in the
    /// Fortress that their commander is inside.
    fn part_from_commander(
        &self,
        state: &mut State,
        general: GeneralId,
        (commander, area): (GeneralId, AreaId),
        out: &mut Events,
    ) {
        let held = self.held_under_siege(state);
        let enemies = state.brigades.areas_outside(self.content.generals[general].side.other());
        let inside = state.generals[commander].post == Post::Inside(area) && enemies.contains(area);
        let scene = Scene::open(self, state, 2, out);
        state.generals.place(general, if inside { Post::Inside(area) } else { Post::Area(area) });
        let refs = [Ref::from(general), Ref::from(commander), Ref::from(area)];
        scene.publish(self, state, out, || Event::new("leaves_army", rules::SUBORDINATES_LEFT, &refs));
        self.consequences(state, held, Cause::Other, out);
    }

    /// An Activation goes on by itself; `false` if its seat is asked.
    pub(in super::super) fn advance_activation(
        &self,
        state: &mut State,
        (seat, stage): (Seat, u8),
        out: &mut Events,
    ) -> bool {
        match stage {
            stages::START => {
                self.set_activation_stage(state, stages::STEPS);
                let general = state.ongoing_activation().general;
                if rules::SORTIE.applies(self.is_masked_inside(state, general)) {
                    state.frames.open(Frame::Entry {
                        seat,
                        stage: entering::APPROACH,
                        surplus: false,
                        lifted: false,
                    });
                }
                // AC18, V2: the Response comes before anything else.
                self.open_response(state, seat);
            }
            stages::STEPS => {
                let activation = state.ongoing_activation();
                let ends = activation.over || !state.commands(activation.general);
                if ends {
                    self.set_activation_stage(state, stages::END);
                }
                return ends;
            }
            stages::END => {
                self.set_activation_stage(state, stages::OVER);
                self.finish_movement(state, out);
            }
            stages::OVER => {
                state.activation = None;
                state.frames.close();
            }
            _ => return false,
        }
        true
    }

    pub(in super::super) fn set_activation_stage(&self, state: &mut State, to: u8) {
        let Some(Frame::Activation { stage, .. }) = state.frames.top_mut() else {
            unreachable!("an Activation is the innermost procedure when it goes on");
        };
        *stage = to;
    }

    /// S1, AC12, AC17: Armies that stand together join; else the active one retraces its way to where it may stand; else its owner parts
    /// them (S7). What moved can't move again on this card (X6).
    fn finish_movement(&self, state: &mut State, out: &mut Events) {
        let general = state.commander(state.ongoing_activation().general);
        if let Some(area) = state.area_of(general).filter(|_| state.commands(general)) {
            self.come_together(state, (general, area), out);
        }
        let all = CounterSet::first_of(self.content.face_of.len());
        let moving = state.brigades.marked(all, Marks::MOVING);
        if rules::ONCE_A_CARD.applies(!moving.is_empty()) {
            let scene = Scene::open(self, state, 2, out);
            state.brigades.change(&self.content, moving, |counter| {
                counter.marks = counter.marks.difference(Marks::MOVING).union(Marks::MOVED);
            });
            scene.publish(self, state, out, || {
                Event::new("moves_noted", rules::ONCE_A_CARD, &[Ref::from(general)])
            });
        }
        // S12: Parliament's Armies that can't stand together part before the Royalist's.
        for seat in SEATS {
            if self.crowd(state, seat).is_some() {
                state.frames.open(Frame::Illegal { seat, stage: 0 });
            }
        }
    }

    /// S1: the active Army joins the one in its Area, if that is lawful and paid for; else it goes back (AC12).
    fn come_together(&self, state: &mut State, (general, area): (GeneralId, AreaId), out: &mut Events) {
        let company = self.company(state, general, area);
        let Some(other) = company.first().filter(|_| rules::SUBORDINATION.applies(true)) else { return };
        let march = self.march_of(state);
        if let Some(meeting) = self.affordable_meeting(state, march, other) {
            state.ongoing_activation_mut().spent += meeting.cost;
            return self.unite(state, meeting, out);
        }
        if rules::RETRACE.applies(true) {
            self.retrace(state, general, out);
        }
    }

    /// AC12, AC17: back along the path to the last Area where the Army may stand; Areas with enemy Brigades are passed over.
    fn retrace(&self, state: &mut State, general: GeneralId, out: &mut Events) {
        let (seat, here) = (self.content.generals[general].side, state.area_of(general));
        let path = state.ongoing_activation().path.clone();
        let last = path.iter().rposition(|&area| Some(area) == here).unwrap_or(path.len());
        let mut way = path[..last].iter().rev().copied();
        let Some(back) = way.find(|&area| self.may_return_to(state, seat, general, area)) else { return };
        let held = self.held_under_siege(state);
        let scene = Scene::open(self, state, 2, out);
        state.generals.place(general, Post::Area(back));
        let refs = [Ref::from(general), Ref::from(back)];
        scene.publish(self, state, out, || Event::new("retraces", rules::RETRACE, &refs));
        self.consequences(state, held, Cause::Other, out);
        self.join_company(state, general, out);
    }

    /// Returns whether an Army may stand in an Area that it goes back to: no enemy Brigades, and it can join whoever is there at no cost.
    fn may_return_to(&self, state: &State, seat: Seat, general: GeneralId, area: AreaId) -> bool {
        rules::RETRACE_BARRED.allows(state.brigades_in(&self.content, seat.other(), area).is_empty())
            && self.may_part_to(state, general, area)
    }
}
