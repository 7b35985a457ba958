//! All that the active Army does in its Activation, one thing after another (9.2 to 9.6, 14.2, Flow): steps, Subordinates, pick-ups, PC and
//! Siege markers, Siege Train, Queen, going inside.

use crate::vocabulary::*;

use super::super::actions::{Action, Goal, QueenChoice, SiegeChoice, TrainChoice};
use super::super::content::ROYALIST;
use super::super::content::ids::{AreaId, BrigadeFace, GeneralId};
use super::super::frames::Frame;
use super::super::state::{Happened, Holder, Post, Queen, SiegeMarker, State, Train};
use super::super::{UnhappyKing, rules};
use super::activation::stages;
use super::pick_up::Pick;

/// All that an Activation asks: its stage, and the Brigade that is being taken up.
pub(in super::super) type Asked = (u8, Option<Holder>, Option<BrigadeFace>);

impl UnhappyKing {
    /// Neighbours, Subordinates, Armies there, places of Brigades, markers, then to be done; of a General from off the map the Areas.
    pub(in super::super) fn offer_activation(
        &self,
        state: &State,
        _: Seat,
        (stage, from, face): Asked,
        offer: &mut impl FnMut(Action),
    ) {
        let activation = state.ongoing_activation();
        let general = activation.general;
        if stage == stages::ARRIVAL {
            self.arrivals(state, general, activation.warrant).map(Action::At).for_each(offer);
            return;
        }
        let pick = Pick { commander: general, from, face };
        if stage == stages::FIRST_BRIGADE || pick.is_begun() {
            self.offer_pick(state, pick, offer);
            return;
        }
        let area = state.area_of(general).expect("an active Army that goes on stands on the map");
        self.content.adjacent[area].iter().map(|to| Action::Move(Goal(Some(to)))).for_each(&mut *offer);
        if self.content.numbers.league.entries.contains(area) {
            offer(Action::Move(Goal(None)));
        }
        let army = state.army(general);
        army.iter().filter(|&under| under != general).map(Action::Leave).for_each(&mut *offer);
        self.company(state, general, area).iter().map(Action::Join).for_each(&mut *offer);
        self.offer_pick(state, pick, offer);
        self.droppers(state, general)
            .iter()
            .map(|general| Action::From(general.into()))
            .for_each(&mut *offer);
        offer(Action::Marker);
        offer(Action::Siege(SiegeChoice::Place));
        offer(Action::Siege(SiegeChoice::Lift));
        offer(Action::Train(TrainChoice::Take));
        offer(Action::Queen(QueenChoice::Take));
        offer(Action::Queen(QueenChoice::Leave));
        offer(Action::Inside);
        offer(Action::Done);
    }

    pub(in super::super) fn examine_activation(
        &self,
        state: &State,
        seat: Seat,
        (stage, from, face): Asked,
        action: Action,
        why: &mut Why,
    ) -> ControlFlow<()> {
        let general = state.ongoing_activation().general;
        let pick = Pick { commander: general, from, face };
        if stage == stages::ARRIVAL {
            return self.examine_arrival(state, general, action, why);
        }
        if stage == stages::FIRST_BRIGADE || pick.is_begun() {
            return self.examine_active_pick(state, pick, action, why);
        }
        match action {
            Action::Move(Goal(Some(to))) => self.examine_march(state, to, why),
            Action::Move(Goal(None)) => self.examine_leaving_map(state, why),
            Action::Leave(under) => self.examine_leave(state, general, under, why),
            Action::Join(other) => self.examine_join(state, other, why),
            Action::From(_) => self.examine_active_pick(state, pick, action, why),
            Action::Marker => self.examine_marker(state, seat, why),
            Action::Siege(choice) => self.examine_siege_marker(state, choice, why),
            Action::Train(choice) => self.examine_train(state, seat, choice, why),
            Action::Queen(choice) => self.examine_queen(state, seat, choice, why),
            Action::Inside => self.examine_inside(state, seat, why),
            Action::Done => self.examine_done(state, why),
            _ => why.refuse(CONTRACT, "NOT_NOW"),
        }
    }

    pub(in super::super) fn apply_activation(
        &self,
        state: &mut State,
        seat: Seat,
        (stage, from, face): Asked,
        action: Action,
        out: &mut Events,
    ) {
        let general = state.ongoing_activation().general;
        match action {
            Action::At(area) => self.arrive(state, (seat, general), area, out),
            Action::From(_) | Action::Brigade(_) | Action::To(_) => {
                let pick = Pick { commander: general, from, face };
                self.go_on_picking(state, stage, pick, action, out);
            }
            Action::Move(Goal(Some(to))) => self.take_step(state, to, out),
            Action::Move(Goal(None)) => self.leave_map(state, out),
            Action::Leave(under) => {
                state.ongoing_activation_mut().parted.insert(under);
                self.leave_behind(state, general, under, out);
            }
            Action::Join(other) => self.join(state, other, out),
            Action::Marker => {
                let area = state.area_of(general).expect("an active Army stands on the map");
                state.ongoing_activation_mut().spent += self.content.numbers.movement.marker;
                self.place_marker(state, seat, area, rules::MARKER_BY_MP, out);
            }
            Action::Siege(SiegeChoice::Place) => self.place_siege_marker(state, general, out),
            Action::Siege(_) => self.take_siege_marker_off(state, out),
            Action::Train(_) => self.take_train(state, seat, general, out),
            Action::Queen(choice) => self.move_queen(state, general, choice, out),
            Action::Inside => self.go_inside(state, general, out),
            _ => {
                self.set_activation_stage(state, stages::END);
                let refs = [Ref::Seat(seat), Ref::from(general)];
                out.emit(|| Event::new("activation_done", rules::ACTIVATION, &refs));
            }
        }
    }

    /// S1 to S4, G10: another Army there becomes one with the active one, which has left none of it behind.
    fn examine_join(&self, state: &State, other: GeneralId, why: &mut Why) -> ControlFlow<()> {
        let march = self.march_of(state);
        let activation = state.ongoing_activation();
        let area = state.area_of(activation.general).expect("an active Army stands on the map");
        let who = [Ref::from(activation.general), Ref::from(other)];
        let there = self.company(state, activation.general, area).contains(other);
        why.demand(there, rules::SUBORDINATION, "NO_ARMY_THERE", &who)?;
        let parted = state.army(other).meets(activation.parted);
        why.require(!parted, rules::LEFT_BEHIND, "LEFT_BEHIND", &who)?;
        let meeting = self.meeting(state, activation.general, other);
        why.demand(meeting.is_some(), rules::SUBORDINATION, "CANT_COMMAND", &who)?;
        let Some(meeting) = meeting else { return ControlFlow::Break(()) };
        let size = state.size(activation.general) + state.size(other);
        let fits = meeting.under == activation.general || self.fits_card(state, size);
        why.require(fits, rules::MAJOR_BY_PICK_UP, "MAJOR_ARMY", &[who[1], Ref::Number(size.into())])?;
        let points = [who[1], Ref::Number(meeting.cost.into()), Ref::Number(march.left().into())];
        why.require(march.can_pay(meeting.cost), rules::JOINT_LIMIT, "TOO_FEW_POINTS", &points)
    }

    /// S2: an active General who becomes a Subordinate ends the Activation.
    fn join(&self, state: &mut State, other: GeneralId, out: &mut Events) {
        let general = state.ongoing_activation().general;
        let meeting = self.meeting(state, general, other).expect("Armies that can't join were refused");
        let activation = state.ongoing_activation_mut();
        activation.spent += meeting.cost;
        if meeting.under == general {
            activation.over = true;
            activation.besieging = false;
        }
        self.unite(state, meeting, out);
    }

    /// 9.6, AC9, MC1: the Area of the Army, no Fortress, in place of the enemy's marker once the Standard is raised.
    fn examine_marker(&self, state: &State, seat: Seat, why: &mut Why) -> ControlFlow<()> {
        let march = self.march_of(state);
        let area =
            state.area_of(state.ongoing_activation().general).expect("an active Army stands on the map");
        let there = [Ref::from(area)];
        let fortress = state.fortress(&self.content, area).is_some();
        why.require(!fortress, rules::FORTRESS_CONTROL, "IS_A_FORTRESS", &there)?;
        why.require(!fortress, rules::MARKER_ALONE, "FORTRESS", &there)?;
        let controller = state.controller(area);
        why.require(controller != Some(seat), rules::MARKER_BY_MP, "OWN_MARKER_THERE", &there)?;
        let enemy = controller == Some(seat.other()) && !state.has(Happened::STANDARD);
        why.require(!enemy, rules::BEFORE_THE_STANDARD, "NEUTRAL_BEFORE_STANDARD", &there)?;
        let cost = self.content.numbers.movement.marker;
        let points = [there[0], Ref::Number(cost.into()), Ref::Number(march.left().into())];
        why.require(march.can_pay(cost), rules::MARKER_BY_MP, "TOO_FEW_POINTS", &points)
    }

    /// 14.2, F3, F4: a marker on an enemy Fortress by an Army that is strong enough and alone there; off for a Movement Point.
    fn examine_siege_marker(&self, state: &State, choice: SiegeChoice, why: &mut Why) -> ControlFlow<()> {
        let activation = state.ongoing_activation();
        let (general, seat) = (activation.general, activation.seat);
        let area = state.area_of(general).expect("an active Army stands on the map");
        let there = [Ref::from(area)];
        match choice {
            SiegeChoice::Place => {
                let enemy = state.fortress(&self.content, area).is_some()
                    && state.controller(area) == Some(seat.other())
                    && state.generals[general].post == Post::Area(area);
                why.demand(enemy, rules::SIEGE_MARKER, "NO_ENEMY_FORTRESS", &there)?;
                let free = !state.besieged(&self.content, area);
                why.require(free, rules::SIEGE_MARKER, "HAS_SIEGE_MARKER", &there)?;
                let alone = self.company(state, general, area).is_empty();
                why.require(alone, rules::SIEGE_MARKER, "OTHER_ARMY_THERE", &there)?;
                let (need, size) = (self.siege_need(state, area), state.size(general));
                let numbers = [there[0], Ref::Number(need.into()), Ref::Number(size.into())];
                why.require(size >= need, rules::SIEGE_STRENGTH, "TOO_WEAK_TO_BESIEGE", &numbers)
            }
            SiegeChoice::Lift => {
                why.demand(activation.besieging, rules::UNDER_SIEGE_MARKER, "NO_SIEGE_MARKER", &there)?;
                let (march, cost) = (self.march_of(state), self.content.numbers.movement.lift_siege);
                let points = [there[0], Ref::Number(cost.into()), Ref::Number(march.left().into())];
                why.require(march.can_pay(cost), rules::UNDER_SIEGE_MARKER, "TOO_FEW_POINTS", &points)
            }
            SiegeChoice::Blockade => why.refuse(CONTRACT, "NOT_NOW"),
        }
    }

    /// F3: the marker is on, and is this Army's.
    fn place_siege_marker(&self, state: &mut State, general: GeneralId, out: &mut Events) {
        let area = state.area_of(general).expect("an active Army stands on the map");
        let fortress = state.fortress(&self.content, area).expect("a Siege is of a Fortress");
        let activation = state.ongoing_activation_mut();
        activation.besieging = true;
        let seat = activation.seat;
        self.lay_siege(state, seat, fortress, SiegeMarker::Siege, out);
    }

    /// 9.2: the siege lines are broken up.
    fn take_siege_marker_off(&self, state: &mut State, out: &mut Events) {
        let activation = state.ongoing_activation_mut();
        activation.spent += self.content.numbers.movement.lift_siege;
        activation.besieging = false;
        let area =
            state.area_of(state.ongoing_activation().general).expect("an active Army stands on the map");
        if let Some(fortress) = state.fortress(&self.content, area) {
            self.lift_siege(state, fortress, out);
        }
    }

    /// 7.1.4, R21: a Siege Train that waits in the Fortress there.
    fn examine_train(
        &self,
        state: &State,
        seat: Seat,
        choice: TrainChoice,
        why: &mut Why,
    ) -> ControlFlow<()> {
        if choice != TrainChoice::Take {
            return why.refuse(CONTRACT, "NOT_NOW");
        }
        let area =
            state.area_of(state.ongoing_activation().general).expect("an active Army stands on the map");
        let there = state.trains[seat.index()] == Train::In(area);
        why.require(there, rules::SIEGE_TRAIN, "NO_TRAIN_THERE", &[Ref::from(area)])
    }

    fn take_train(&self, state: &mut State, seat: Seat, general: GeneralId, out: &mut Events) {
        let scene = Scene::open(self, state, 2, out);
        state.trains[seat.index()] = Train::With(general);
        let refs = [Ref::Seat(seat), Ref::from(general)];
        scene.publish(self, state, out, || Event::new("takes_train", rules::SIEGE_TRAIN, &refs));
    }

    /// V8, G10: the Queen joins a Royalist Army in her Area, or stays behind; in the Turn in which she isn't moved none takes her along.
    fn examine_queen(
        &self,
        state: &State,
        seat: Seat,
        choice: QueenChoice,
        why: &mut Why,
    ) -> ControlFlow<()> {
        let activation = state.ongoing_activation();
        let area = state.area_of(activation.general).expect("an active Army stands on the map");
        let there = [Ref::from(area)];
        match choice {
            QueenChoice::Take => {
                let here = seat == ROYALIST && state.queen == Queen::In(area);
                why.demand(here, rules::QUEEN, "QUEEN_NOT_THERE", &there)?;
                let stays = state.turn.number() == self.content.numbers.queen.stays;
                why.require(!stays, rules::QUEEN, "QUEEN_STAYS", &[])?;
                why.require(!activation.queen_left, rules::LEFT_BEHIND, "LEFT_BEHIND", &there)
            }
            QueenChoice::Leave => {
                let army = state.army(activation.general);
                let here = matches!(state.queen, Queen::With(escort) if army.contains(escort));
                why.require(here, rules::QUEEN, "QUEEN_NOT_THERE", &there)
            }
            QueenChoice::Ship => why.refuse(CONTRACT, "NOT_NOW"),
        }
    }

    fn move_queen(&self, state: &mut State, general: GeneralId, choice: QueenChoice, out: &mut Events) {
        let area = state.area_of(general).expect("an active Army stands on the map");
        let scene = Scene::open(self, state, 2, out);
        let takes = choice == QueenChoice::Take;
        state.queen = if takes { Queen::With(general) } else { Queen::In(area) };
        state.ongoing_activation_mut().queen_left |= !takes;
        let code = if takes { "takes_queen" } else { "leaves_queen" };
        let refs = [Ref::from(general), Ref::from(area)];
        scene.publish(self, state, out, || Event::new(code, rules::QUEEN, &refs));
    }

    /// AC13, F1: the whole Army, at the end of its movement, into a Fortress of its side that has room; a Local Notable's takes none.
    fn examine_inside(&self, state: &State, seat: Seat, why: &mut Why) -> ControlFlow<()> {
        let general = state.ongoing_activation().general;
        let area = state.area_of(general).expect("an active Army stands on the map");
        let there = [Ref::from(area)];
        let own = self.shelter(state, seat, area);
        why.demand(own.is_some(), rules::GOING_INSIDE, "NO_OWN_FORTRESS", &there)?;
        let outside = state.generals[general].post == Post::Area(area);
        why.require(outside, rules::GOING_INSIDE, "INSIDE_ALREADY", &there)?;
        let alone = self.company(state, general, area).is_empty();
        why.require(alone, rules::SUBORDINATION, "OTHER_ARMY_THERE", &there)?;
        let (room, size) = (own.unwrap_or(0), state.size(general));
        let numbers = [there[0], Ref::Number(size.into()), Ref::Number(room.into())];
        why.require(size <= room, rules::ROOM_INSIDE, "NO_ROOM_INSIDE", &numbers)
    }

    fn go_inside(&self, state: &mut State, general: GeneralId, out: &mut Events) {
        self.set_activation_stage(state, stages::END);
        let area = state.area_of(general).expect("an active Army stands on the map");
        let scene = Scene::open(self, state, 2, out);
        state.generals.place(general, Post::Inside(area));
        let refs = [Ref::from(general), Ref::from(area)];
        scene.publish(self, state, out, || Event::new("goes_inside", rules::GOING_INSIDE, &refs));
    }

    /// The Brigades for which a printed Fortress of a side in an Area has room left; none where there is no such Fortress (14.1).
    #[must_use]
    pub(in super::super) fn shelter(&self, state: &State, seat: Seat, area: AreaId) -> Option<u8> {
        let fortress =
            state.fortress(&self.content, area).filter(|_| state.controller(area) == Some(seat))?;
        let fortress = &self.content.fortresses[fortress];
        let inside = state.garrison(&self.content, area).count() as u8;
        fortress.notable.is_none().then(|| fortress.room.saturating_sub(inside))
    }

    /// 9.5, AC11, AC12: the Army may stay, or can't reach any Area where it might.
    fn examine_done(&self, state: &State, why: &mut Why) -> ControlFlow<()> {
        let march = self.march_of(state);
        let general = state.ongoing_activation().general;
        if self.can_stop_here(state) || !self.can_set_out(state) {
            return ControlFlow::Continue(());
        }
        let stuck = !self.can_go_on(state, march);
        why.require(stuck, rules::NO_CORNER, "CANT_STAY", &[Ref::from(general)])
    }

    /// Returns whether the active Army may end its movement where it is: nobody is there, or it becomes one with who is (S1).
    fn can_stop_here(&self, state: &State) -> bool {
        let march = self.march_of(state);
        let general = state.ongoing_activation().general;
        let area = state.area_of(general).expect("an active Army stands on the map");
        let company = self.company(state, general, area);
        company.count() < 2
            && company.iter().all(|other| self.affordable_meeting(state, march, other).is_some())
    }

    /// Returns whether nothing keeps the active Army from a step.
    fn can_set_out(&self, state: &State) -> bool {
        let mut why = Why::quiet();
        let _ = self.examine_setting_out(state, &mut why);
        !why.refused()
    }

    /// A Brigade is taken up in steps; the first one of a General who was just placed makes an Army of them (R13).
    fn go_on_picking(&self, state: &mut State, stage: u8, pick: Pick, action: Action, out: &mut Events) {
        let next = self.pick_step(state, pick, action, out);
        let Some(Frame::Activation { from, face, .. }) = state.frames.top_mut() else {
            unreachable!("Brigades are taken up within an Activation");
        };
        (*from, *face) = (next.from, next.face);
        if stage == stages::FIRST_BRIGADE && !next.is_begun() {
            // AC18: the window of the start comes behind the placement.
            self.set_activation_stage(state, rules::PLACEMENT_WINDOW.gives(stages::START, stages::STEPS));
        }
    }
}
