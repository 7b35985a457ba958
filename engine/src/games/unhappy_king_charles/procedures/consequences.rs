//! All that follows from a loss, a parting or a move at once: Generals without Brigades leave, Sieges without strength end, emptied
//! Fortresses surrender (7.1.4, 8.2, 14.2).

use crate::numbered::Listed;
use crate::vocabulary::*;

use super::super::content::SEATS;
use super::super::content::ids::{AreaId, AreaSet, FortressId, GeneralId};
use super::super::content::turns::RuleOption;
use super::super::frames::Frame;
use super::super::state::{Post, Queen, Siege, SiegeMarker, State, Train, Verdict};
use super::super::{UnhappyKing, rules};

/// The way in which Brigades were lost.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(in super::super) enum Cause {
    /// In the result of a Battle: a General without Brigades Surrenders (10.4).
    Battle,
    /// In any other way: a General without Brigades goes to the Unemployed Generals Box, unless Besieged (8.2, G2, G3).
    Other,
}

impl UnhappyKing {
    /// The Fortresses under a Siege marker with somebody inside: asked before a change, for [`UnhappyKing::consequences`].
    pub(in super::super) fn held_under_siege(&self, state: &State) -> AreaSet {
        FortressId::all(&self.content)
            .filter(|&fortress| state.sieges[fortress].marker != SiegeMarker::None)
            .map(|fortress| self.content.fortresses[fortress].area)
            .filter(|&area| !state.garrison(&self.content, area).is_empty())
            .collect()
    }

    /// All that follows at once from a change of what is where; `held`: what [`UnhappyKing::held_under_siege`] said before it. Fortresses
    /// that surrender are opened as procedures.
    pub(in super::super) fn consequences(
        &self,
        state: &mut State,
        held: AreaSet,
        cause: Cause,
        out: &mut Events,
    ) {
        // Subordinates before those who command them: where they are is where their commander is.
        for subordinates in [true, false] {
            for general in GeneralId::all(&self.content) {
                let serves = matches!(state.generals[general].post, Post::Under(_));
                if serves == subordinates && !self.is_spared(state, general, cause) {
                    self.lone_general(state, general, cause, out);
                }
            }
        }
        if rules::END_AT_ONCE.applies(state.result.is_some()) {
            return;
        }
        self.weak_sieges(state, out);
        if !Self::forms_new_model(state) {
            self.lone_trains(state, out);
        }
        for area in held {
            // 14.2, F17: a garrison that has gone opens the gates; a Fortress that was empty all along does not.
            if state.garrison(&self.content, area).is_empty()
                && rules::GARRISON_EMPTIED.applies(state.besieged(&self.content, area))
            {
                let besieger =
                    state.controller(area).map(Seat::other).expect("a Fortress under Siege is controlled");
                state.frames.open(Frame::Surrender { seat: besieger, area, stage: 0 });
            }
        }
    }

    /// 6.5: the New Model Army is being formed.
    pub(in super::super) fn forms_new_model(state: &State) -> bool {
        state.frames.iter().any(|frame| matches!(frame, Frame::NewModel { .. }))
    }

    /// 6.5: while the New Model Army is being formed nobody goes for want of Brigades, but who has lost them in a Battle.
    fn is_spared(&self, state: &State, general: GeneralId, cause: Cause) -> bool {
        let beaten = cause == Cause::Battle
            && state.battle.as_ref().is_some_and(|battle| state.area_of(general) == Some(battle.area));
        Self::forms_new_model(state) && !beaten
    }

    /// 8.2, G1 to G3: a Subordinate without Brigades of their own leaves, and a commander whose whole Army has none.
    fn lone_general(&self, state: &mut State, general: GeneralId, cause: Cause, out: &mut Events) {
        let alone = match state.generals[general].post {
            Post::Under(_) => {
                rules::SUBORDINATE_WITHOUT_BRIGADES.applies(state.brigades.at(general).is_empty())
            }
            Post::Area(_) | Post::Inside(_) => state.size(general) == 0,
            _ => false,
        };
        if !rules::LONE_GENERAL.applies(alone) {
            return;
        }
        let area = state.area_of(general).expect("they are on the map");
        let besieged = state.is_inside(general) && state.besieged(&self.content, area);
        let scene = Scene::open(self, state, 2, out);
        self.leave_display(state, general, area);
        state.generals.place(general, Post::Unemployed);
        let refs = [Ref::from(general), Ref::from(area)];
        scene.publish(self, state, out, || Event::new("general_leaves", rules::LONE_GENERAL, &refs));
        let in_battle = rules::LAST_BRIGADE_LOST.applies(cause == Cause::Battle);
        let besieged = rules::LONE_AND_BESIEGED.applies(besieged);
        if rules::LONE_NO_SURRENDER.allows(in_battle || besieged) {
            self.general_surrenders(state, general, out);
        }
    }

    /// 17.1: King Charles Surrenders.
    pub(in super::super) fn general_surrenders(
        &self,
        state: &mut State,
        general: GeneralId,
        out: &mut Events,
    ) {
        let king = general == self.content.people.king;
        let spared = rules::KING_SPARED.applies(!state.options[RuleOption::King as usize]);
        if rules::KING_SURRENDERS.applies(king && !spared) {
            out.emit(|| Event::new("king_taken", rules::KING_SURRENDERS, &[Ref::from(general)]));
            state.result = Some(Verdict::King);
        }
    }

    /// R21, V23: the Siege Train and the Queen stay behind where their General goes: the Train to the track unless a friendly Fortress
    /// holds it.
    pub(in super::super) fn leave_display(&self, state: &mut State, general: GeneralId, area: AreaId) {
        let seat = self.content.generals[general].side;
        if state.trains[seat.index()] == Train::With(general) {
            let holds = state.fortress(&self.content, area).is_some() && state.controller(area) == Some(seat);
            state.trains[seat.index()] = if holds { Train::In(area) } else { Train::Resting };
        }
        if rules::QUEEN_GENERAL.applies(state.queen == Queen::With(general)) {
            state.queen = Queen::In(area);
        }
    }

    /// The Brigades that an Army must have to Besiege the Fortress of an Area: its class and what is inside; a Local Notable's as many as
    /// are inside, and one at least (14.2, F2, NB6).
    pub(in super::super) fn siege_need(&self, state: &State, area: AreaId) -> u8 {
        let Some(fortress) = state.fortress(&self.content, area) else { return u8::MAX };
        let inside = state.garrison(&self.content, area).count() as u8;
        (self.content.fortresses[fortress].class + inside).max(rules::NOTABLE_BESIEGED.gives(1, 0))
    }

    /// 14.2, F5: a Siege marker whose Army has gone, or has too few Brigades, is lost with the Bombardment Value.
    fn weak_sieges(&self, state: &mut State, out: &mut Events) {
        for fortress in FortressId::all(&self.content) {
            if state.sieges[fortress].marker == SiegeMarker::None {
                continue;
            }
            let area = self.content.fortresses[fortress].area;
            let besieger = state.controller(area).map(Seat::other);
            let need = self.siege_need(state, area);
            // Another Army may pass through on its retreat, or has just left the besieger's command.
            let strong = besieger.is_some_and(|seat| {
                let mut armies = state.commanders_at(&self.content, seat, area);
                armies.any(|general| state.size(general) >= need && self.has_siege_marker(state, general))
            });
            if rules::SIEGE_LAPSES.applies(!strong) {
                self.lift_siege(state, fortress, out);
            }
        }
    }

    /// The Siege marker and the Bombardment Value of a Fortress go (14.3).
    pub(in super::super) fn lift_siege(&self, state: &mut State, fortress: FortressId, out: &mut Events) {
        let area = self.content.fortresses[fortress].area;
        let scene = Scene::open(self, state, 2, out);
        state.sieges[fortress] = Siege::NONE;
        // F4: nothing holds the active Army there any more, if the marker was its own.
        let general = state.activation.as_ref().map(|activation| activation.general);
        let here = general.and_then(|general| state.area_of(general)) == Some(area);
        if let Some(activation) = state.activation.as_mut().filter(|_| here) {
            activation.besieging = false;
        }
        let refs = [Ref::from(area)];
        scene.publish(self, state, out, || Event::new("siege_lifted", rules::SIEGE_LAPSES, &refs));
    }

    /// 7.1.4: a Siege Train that is neither with an Army nor in a friendly Fortress goes to the Turn Record Track.
    fn lone_trains(&self, state: &mut State, out: &mut Events) {
        for seat in SEATS {
            let lone = match state.trains[seat.index()] {
                Train::In(area) => {
                    state.fortress(&self.content, area).is_none() || state.controller(area) != Some(seat)
                }
                Train::With(general) => state.area_of(general).is_none(),
                _ => false,
            };
            if rules::SIEGE_TRAIN.applies(lone) {
                let scene = Scene::open(self, state, 2, out);
                state.trains[seat.index()] = Train::Resting;
                scene.publish(self, state, out, || {
                    Event::new("train_rests", rules::SIEGE_TRAIN, &[Ref::Seat(seat)])
                });
            }
        }
    }
}
