//! All that a victory brings: a turncoat, and a PC marker (10.5, 10.6, B12 to B14).

use crate::ledger::Rule;
use crate::vocabulary::*;

use super::super::actions::Action;
use super::super::content::brigades::Faction;
use super::super::content::ids::{BrigadeFace, CounterSet, GeneralId, GeneralSet};
use super::super::frames::Frame;
use super::super::state::{BattleKind, Holder, Margin, Marks, State};
use super::super::{UnhappyKing, rules};

impl UnhappyKing {
    /// The winner's Army in the Area of the Battle, which may take a turncoat and spoils.
    fn winning_army(&self, state: &State, winner: Seat) -> Option<GeneralId> {
        let area = state.ongoing_battle().area;
        self.field_army(state, winner).filter(|&general| state.area_of(general) == Some(area))
    }

    /// B13: the Brigades that the loser lost in the result, and that could change sides: no foreigners and no Irish.
    fn turncoats(&self, state: &State) -> CounterSet {
        let fallen = state.brigades.marked(state.brigades.at(Holder::LOST), Marks::FALLEN);
        fallen & self.content.bands_that(Faction::is_recruited)
    }

    /// 10.6, B13, B14: the General who may take a turncoat now, and by whom the Army is limited.
    fn recruiter(&self, state: &State) -> Option<GeneralId> {
        let winner = self.victor(state)?;
        let battle = state.ongoing_battle();
        let general = self.winning_army(state, winner)?;
        let commander = battle.commanders[winner.index()].unwrap_or(general);
        let foreign = self.content.generals[commander].faction.is_foreign();
        let size = state.size(general);
        let limit = self.limit_of(state, general);
        // AC2: an Army Activated by a 1 or 2 never reaches five.
        let active = battle.kind != BattleKind::Model && winner == battle.attacker;
        let minor = state
            .activation
            .as_ref()
            .is_some_and(|activation| active && !activation.warrant.moves_major_armies());
        let major = minor && size + 1 >= self.content.numbers.movement.major_army;
        let may = battle.margin >= Some(Margin::Major)
            && self.content.turns[state.turn].turncoats
            && rules::OVER_LIMIT.allows(size < limit)
            && rules::MAJOR_BY_PICK_UP.allows(!major)
            && rules::FOREIGN_WINNER.allows(!foreign);
        (rules::TURNCOAT.applies(may) && !self.turncoats(state).is_empty()).then_some(general)
    }

    /// B13: the winner is asked, if there is somebody to take; all of it is public.
    pub(in super::super) fn ask_turncoat(&self, state: &mut State) {
        if let (Some(seat), Some(_)) = (self.victor(state), self.recruiter(state)) {
            state.frames.open(Frame::Turncoat { seat, face: None });
        }
    }

    /// The winning Army's Generals.
    fn recruiters(&self, state: &State, seat: Seat) -> GeneralSet {
        self.winning_army(state, seat).map_or(GeneralSet::EMPTY, |general| state.army(general))
    }

    /// The faces of those who fell, then none; the displays of the Army.
    pub(in super::super) fn offer_turncoat(
        &self,
        state: &State,
        seat: Seat,
        face: Option<BrigadeFace>,
        offer: &mut impl FnMut(Action),
    ) {
        if face.is_some() {
            return self
                .recruiters(state, seat)
                .iter()
                .map(|general| Action::To(general.into()))
                .for_each(offer);
        }
        let faces = state.brigades.faces(&self.content, self.turncoats(state));
        faces.iter().map(Action::Brigade).for_each(&mut *offer);
        offer(Action::Pass);
    }

    pub(in super::super) fn examine_turncoat(
        &self,
        state: &State,
        seat: Seat,
        face: Option<BrigadeFace>,
        action: Action,
        why: &mut Why,
    ) -> ControlFlow<()> {
        match (face, action) {
            (None, Action::Pass) => ControlFlow::Continue(()),
            (None, Action::Brigade(face)) => {
                let fell = state.brigades.of_face(&self.content, self.turncoats(state), face).is_some();
                why.demand(fell, CONTRACT, "NOT_AMONG_THE_FALLEN", &[face.into()])
            }
            (Some(_), Action::To(holder)) => {
                let own = self.recruiters(state, seat).iter().any(|general| Holder::from(general) == holder);
                why.demand(own, CONTRACT, "NOT_IN_THE_ARMY", &[])
            }
            _ => why.refuse(CONTRACT, "NOT_NOW"),
        }
    }

    pub(in super::super) fn apply_turncoat(
        &self,
        state: &mut State,
        seat: Seat,
        face: Option<BrigadeFace>,
        action: Action,
        out: &mut Events,
    ) {
        match (face, action) {
            (None, Action::Brigade(face)) => {
                let army = self.recruiters(state, seat);
                if army.count() > 1 {
                    if let Some(Frame::Turncoat { face: chosen, .. }) = state.frames.top_mut() {
                        *chosen = Some(face);
                    }
                    return;
                }
                let general = army.first().expect("an Army has its commander");
                self.take_turncoat(state, seat, face, general.into(), out);
            }
            (Some(face), Action::To(holder)) => self.take_turncoat(state, seat, face, holder, out),
            _ => {
                state.frames.close();
            }
        }
    }

    /// 10.6: a Brigade changes sides. One that had changed before is back with its own.
    fn take_turncoat(&self, state: &mut State, seat: Seat, face: BrigadeFace, to: Holder, out: &mut Events) {
        state.frames.close();
        let fell = state.brigades.of_face(&self.content, self.turncoats(state), face);
        let counter = fell.expect("the face was among the fallen");
        let scene = Scene::open(self, state, 2, out);
        state.brigades.change(&self.content, CounterSet::one(counter), |counter| {
            counter.at = to;
            counter.marks ^= Marks::TURNED;
            counter.marks -= Marks::FALLEN | Marks::MOVED;
            counter.marks |= Marks::KNOWLEDGE;
        });
        let refs = [Ref::Seat(seat), Ref::from(face)];
        scene.publish(self, state, out, || Event::new("turncoat", rules::TURNCOAT, &refs));
    }

    /// 10.1, 10.5, B12: an Army that has won, or whose enemy has Dispersed, may place a PC marker, not in a Fortress.
    pub(in super::super) fn offer_spoils(&self, state: &mut State, seat: Seat, rule: Rule) {
        let area = state.ongoing_battle().area;
        let open = state.fortress(&self.content, area).is_none() && state.controller(area) != Some(seat);
        if rule.applies(open && self.winning_army(state, seat).is_some()) {
            state.frames.open(Frame::Spoils { seat, area });
        }
    }

    /// A marker, or none.
    pub(in super::super) fn offer_spoil(&self, _: &State, _: Seat, offer: &mut impl FnMut(Action)) {
        offer(Action::Marker);
        offer(Action::Pass);
    }

    pub(in super::super) fn examine_spoil(
        &self,
        _: &State,
        _: Seat,
        action: Action,
        why: &mut Why,
    ) -> ControlFlow<()> {
        match action {
            Action::Marker | Action::Pass => ControlFlow::Continue(()),
            _ => why.refuse(CONTRACT, "NOT_NOW"),
        }
    }

    pub(in super::super) fn apply_spoil(
        &self,
        state: &mut State,
        seat: Seat,
        action: Action,
        out: &mut Events,
    ) {
        let area = state.ongoing_battle().area;
        state.frames.close();
        if action == Action::Marker {
            self.place_marker(state, seat, area, rules::SPOILS, out);
        }
    }
}
