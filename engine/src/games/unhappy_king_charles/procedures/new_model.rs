//! The New Model Army (6.5): its eight steps in order, all of them Parliament's, whoever played the card (MC13). Losses and Battles are
//! here; arrivals, Brigades that are gathered, and Armies that part have files of their own.

use crate::vocabulary::*;

use super::super::actions::Action;
use super::super::content::brigades::Faction;
use super::super::content::ids::{
    AreaId, AreaSet, CounterId, CounterSet, GeneralId, GeneralSet, LeaderId, LeaderSet, NotableId,
};
use super::super::content::{PARLIAMENT, ROYALIST};
use super::super::frames::Frame;
use super::super::state::{Battle, BattleKind, Happened, Holder, Marks, Post, Presence, Siege, State, Train};
use super::super::{UnhappyKing, rules};
use super::brigade_choice::BrigadeChoice;
use super::consequences::Cause;

/// The steps as stages, in their order (6.5).
mod stages {
    /// Step 1: the Lords go.
    pub(super) const LORDS: u8 = 0;
    /// Step 2: Brigades are given up.
    pub(super) const LOSSES: u8 = 1;
    /// Step 3: Generals take the places of others.
    pub(super) const EXCHANGES: u8 = 2;
    /// Step 3: those who were besieged fight.
    pub(super) const SIEGES: u8 = 3;
    /// Step 4: Cromwell comes.
    pub(super) const CROMWELL: u8 = 4;
    /// Step 4: the Lord General gets his Brigades.
    pub(super) const LORD_GENERAL: u8 = 5;
    /// Step 5: Poyntz comes.
    pub(super) const POYNTZ: u8 = 6;
    /// Step 6: Brigades are gathered.
    pub(super) const MOVES: u8 = 7;
    /// Step 7: Armies part.
    pub(super) const STACKS: u8 = 8;
}

impl UnhappyKing {
    /// The New Model Army, then the bonus sets of its Battles (MC26, B18).
    pub(in super::super) fn form_new_model(&self, state: &mut State, stage: u8, out: &mut Events) {
        match stage {
            0 => {
                let scene = Scene::open(self, state, 2, out);
                state.happened |= Happened::NEW_MODEL;
                scene.publish(self, state, out, || Event::new("new_model_formed", rules::NEW_MODEL, &[]));
                let (left, vacated) = (LeaderSet::EMPTY, AreaSet::EMPTY);
                state.frames.open(Frame::NewModel { stage: stages::LORDS, left, vacated });
            }
            1 if rules::BONUS_OUTSIDE_ACTIVATION.applies(true) => state.frames.open(Frame::Bonus),
            _ => {
                state.frames.close();
            }
        }
    }

    /// The next step; its procedures are opened over it.
    pub(in super::super) fn advance_new_model(
        &self,
        state: &mut State,
        (stage, left, vacated): (u8, LeaderSet, AreaSet),
        out: &mut Events,
    ) {
        let seat = rules::NEW_MODEL.gives(PARLIAMENT, ROYALIST);
        if let Some(Frame::NewModel { stage, .. }) = state.frames.top_mut() {
            *stage += 1;
        }
        let numbers = &self.content.numbers.new_model;
        match stage {
            stages::LORDS => self.remove_lords(state, out),
            stages::LOSSES => state.frames.open(Frame::ModelLosses { seat, left: numbers.lost, from: None }),
            stages::EXCHANGES => self.exchange_leaders(state, out),
            stages::SIEGES => match (self.in_battle(state, left), left.count(), left.first()) {
                (Some(leader), ..) | (None, 1, Some(leader)) => self.relieve(state, leader, out),
                (None, 0, _) => {}
                _ => {
                    self.back_to_sieges(state, LeaderSet::EMPTY);
                    state.frames.open(Frame::ModelSieges { seat, left });
                }
            },
            stages::CROMWELL => self.call_to_arms(state, self.content.people.cromwell, out),
            stages::LORD_GENERAL => {
                let general = self.content.people.lord_general;
                match state.area_of(general) {
                    Some(_) => self.raise_new_model(state, general, None, out),
                    None => self.call_to_arms(state, general, out),
                }
            }
            stages::POYNTZ => self.call_poyntz(state, out),
            stages::MOVES => {
                self.forget_moves(state, out);
                state.frames.open(Frame::ModelMoves { seat, train: 0, from: None, face: None, vacated });
            }
            stages::STACKS => {
                self.forget_moves(state, out);
                state.frames.open(Frame::Relocation { seat, general: None });
            }
            _ => {
                // Step 8, MC26: from here on who is alone goes. Gerard may stand where another Royalist Army does.
                let held = self.held_under_siege(state);
                state.frames.close();
                if rules::NEW_MODEL_DONE.applies(true) {
                    self.consequences(state, held, Cause::Other, out);
                }
                self.settle_stacks(state, ROYALIST);
            }
        }
    }

    /// MC24: no Brigade of Parliament's has been moved.
    fn forget_moves(&self, state: &mut State, out: &mut Events) {
        let moved = state.brigades.of_side(&self.content, self.all_moved(state, Marks::MOVED), PARLIAMENT);
        if moved.is_empty() {
            return;
        }
        let scene = Scene::open(self, state, 2, out);
        state.brigades.unmark(&self.content, moved, Marks::MOVED);
        scene.publish(self, state, out, || {
            Event::new("moves_forgotten", rules::NEW_MODEL_MOVES, &[Ref::Seat(PARLIAMENT)])
        });
    }

    /// Step 1, MC14: the Lords leave the game, and their Brigades and Subordinates stay.
    fn remove_lords(&self, state: &mut State, out: &mut Events) {
        let lords = rules::LORDS_REMOVED.gives(self.content.numbers.new_model.lords, LeaderSet::EMPTY);
        let held = self.held_under_siege(state);
        let scene = Scene::open(self, state, 2, out);
        let (mut left, mut vacated) = (LeaderSet::EMPTY, AreaSet::EMPTY);
        for lord in lords {
            let gone = match (lord.general(), lord.notable()) {
                (Some(general), _) => self.remove_lord(state, general),
                (None, Some(notable)) => {
                    let area = self.remove_notable(state, notable);
                    if let Some(area) = area {
                        state.brigades.put_all(&self.content, Holder::from(notable), Holder::outside(area));
                        if self.is_faced(state, PARLIAMENT, area) {
                            left.insert(lord);
                        }
                    }
                    area
                }
                (None, None) => unreachable!("a Leader is a General or a Local Notable"),
            };
            vacated.extend(gone);
        }
        if let Some(Frame::NewModel { left: kept, vacated: areas, .. }) = state.frames.top_mut() {
            (*kept, *areas) = (left, vacated);
        }
        let refs: Vec<Ref> = lords.iter().map(Ref::from).collect();
        scene.publish(self, state, out, || Event::new("lords_removed", rules::LORDS_REMOVED, &refs));
        self.consequences(state, held, Cause::Other, out);
    }

    /// A Lord who is a General; a Siege Train that they had waits where they stood, until the end (6.5).
    fn remove_lord(&self, state: &mut State, general: GeneralId) -> Option<AreaId> {
        let seat = self.content.generals[general].side;
        let area = self.dismiss(state, general, Post::Out);
        if let Some(area) = area.filter(|_| state.trains[seat.index()] == Train::With(general)) {
            state.trains[seat.index()] = Train::In(area);
        }
        area
    }

    /// A Local Notable leaves the game: their Area, if they were in play, is a normal one again, without a Siege.
    fn remove_notable(&self, state: &mut State, notable: NotableId) -> Option<AreaId> {
        let was = std::mem::replace(&mut state.notables[notable], Presence::Out);
        let of = &self.content.notables[notable];
        (was == Presence::InPlay).then(|| {
            state.sieges[of.fortress] = Siege::NONE;
            of.area
        })
    }

    /// Returns whether Brigades of a side and of its enemy stand outside in one Area.
    fn is_faced(&self, state: &State, seat: Seat, area: AreaId) -> bool {
        !state.stack(&self.content, seat, area).is_empty()
            && !state.stack(&self.content, seat.other(), area).is_empty()
    }

    /// Step 2, MC15: the Brigades of Parliament that are left to choose from, no Covenanters: those on the map, else Veterans in the pool;
    /// and those of them that come first.
    fn losable(&self, state: &State, from: Option<Holder>) -> BrigadeChoice {
        let veterans = |counters: CounterSet| counters.that(|counter| self.is_veteran(counter));
        let on_map = state.on_map(&self.content, PARLIAMENT) - self.content.band(Faction::Covenanter);
        let rule = rules::VETERANS_REMOVED;
        if on_map.is_empty() {
            let pool = veterans(state.brigades.at(Holder::pool(PARLIAMENT)));
            return BrigadeChoice { among: pool, allowed: pool, from, rule };
        }
        let first = veterans(on_map);
        BrigadeChoice { among: on_map, allowed: if first.is_empty() { on_map } else { first }, from, rule }
    }

    fn is_veteran(&self, counter: CounterId) -> bool {
        self.content.faces[self.content.face_of[counter]].is_veteran()
    }

    /// The step ends with the last one, or where none is left.
    pub(in super::super) fn advance_model_losses(&self, state: &mut State, left: u8) -> bool {
        let wanted = rules::VETERANS_REMOVED.gives(left, 0);
        let ends = wanted == 0 || self.losable(state, None).among.is_empty();
        if ends {
            state.frames.close();
        }
        ends
    }

    pub(in super::super) fn offer_model_losses(
        &self,
        state: &State,
        _: Seat,
        from: Option<Holder>,
        offer: &mut impl FnMut(Action),
    ) {
        self.offer_brigades(state, self.losable(state, from), offer);
    }

    /// MC15: see [`UnhappyKing::losable`].
    pub(in super::super) fn examine_model_losses(
        &self,
        state: &State,
        _: Seat,
        from: Option<Holder>,
        action: Action,
        why: &mut Why,
    ) -> ControlFlow<()> {
        self.examine_brigades(state, self.losable(state, from), action, why)
    }

    pub(in super::super) fn apply_model_losses(
        &self,
        state: &mut State,
        seat: Seat,
        chosen: Option<Holder>,
        action: Action,
        out: &mut Events,
    ) {
        self.apply_given_up(state, seat, self.losable(state, chosen), action, out);
    }

    /// Step 3, MC16, MC17: Tom Fairfax becomes the Lord General, and Local Notables in play become Generals where they are.
    fn exchange_leaders(&self, state: &mut State, out: &mut Events) {
        let held = self.held_under_siege(state);
        let (tom, lord) = (self.content.people.tom_fairfax, self.content.people.lord_general);
        if rules::LORD_GENERAL.applies(true) {
            let scene = Scene::open(self, state, 2, out);
            if state.area_of(tom).is_some() {
                self.succeed(state, tom, lord);
            }
            if state.generals[tom].may_not_assault {
                state.generals.bar_from_assault(lord);
            }
            state.generals.place(tom, Post::Out);
            if state.trains[PARLIAMENT.index()] == Train::With(tom) {
                state.trains[PARLIAMENT.index()] = Train::With(lord);
            }
            let refs = [Ref::from(tom), Ref::from(lord)];
            scene.publish(self, state, out, || Event::new("general_replaced", rules::LORD_GENERAL, &refs));
        }
        for &(notable, general) in &self.content.numbers.new_model.exchanges {
            if rules::NOTABLES_EXCHANGED.applies(state.notables[notable] == Presence::InPlay) {
                self.exchange_notable(state, notable, general, out);
            }
        }
        self.consequences(state, held, Cause::Other, out);
    }

    fn exchange_notable(&self, state: &mut State, notable: NotableId, general: GeneralId, out: &mut Events) {
        let scene = Scene::open(self, state, 2, out);
        let Some(area) = self.remove_notable(state, notable) else { return };
        let seat = rules::GERARD.gives(self.content.generals[general].side, PARLIAMENT);
        state.brigades.put_all(&self.content, Holder::from(notable), Holder::from(general));
        let enemies = !state.stack(&self.content, seat.other(), area).is_empty();
        // MC18: without a Brigade they can't fight.
        let gone = enemies && state.brigades.at(general).is_empty();
        state.generals.place(general, if gone { Post::Unemployed } else { Post::Area(area) });
        if enemies
            && !gone
            && let Some(Frame::NewModel { left, .. }) = state.frames.top_mut()
        {
            left.insert(LeaderId::from(general));
        }
        let refs = [Ref::from(notable), Ref::from(general), Ref::from(area)];
        scene.publish(self, state, out, || Event::new("notable_replaced", rules::NOTABLES_EXCHANGED, &refs));
    }

    /// The Battles of step 3 go on with one fewer.
    fn back_to_sieges(&self, state: &mut State, without: LeaderSet) {
        if let Some(Frame::NewModel { stage, left, .. }) = state.frames.top_mut() {
            *stage = stages::SIEGES;
            *left -= without;
        }
    }

    /// MC28: the order of those who are left.
    pub(in super::super) fn offer_model_sieges(
        &self,
        _: &State,
        _: Seat,
        left: LeaderSet,
        offer: &mut impl FnMut(Action),
    ) {
        left.iter().map(Action::Leader).for_each(offer);
    }

    pub(in super::super) fn examine_model_sieges(
        &self,
        _: &State,
        _: Seat,
        left: LeaderSet,
        action: Action,
        why: &mut Why,
    ) -> ControlFlow<()> {
        let Action::Leader(leader) = action else { return why.refuse(CONTRACT, "NOT_NOW") };
        why.require(left.contains(leader), rules::NOTABLES_ORDER, "HAS_NO_BATTLE", &[leader.into()])
    }

    pub(in super::super) fn apply_model_sieges(
        &self,
        state: &mut State,
        _: Seat,
        _: LeaderSet,
        action: Action,
        out: &mut Events,
    ) {
        let Action::Leader(leader) = action else { unreachable!("an illegal action was applied") };
        state.frames.close();
        self.relieve(state, leader, out);
    }

    /// The Area of a Leader who has lost their Fortress, and their side, while enemies stand there outside with them.
    fn beset(&self, state: &State, leader: LeaderId) -> Option<(AreaId, Seat)> {
        let (area, seat) = match (leader.general(), leader.notable()) {
            (Some(general), _) => {
                let side = self.content.generals[general].side;
                (state.area_of(general)?, rules::GERARD.gives(side, PARLIAMENT))
            }
            (None, Some(notable)) => {
                let of = &self.content.notables[notable];
                (of.area, of.side)
            }
            (None, None) => unreachable!("a Leader is a General or a Local Notable"),
        };
        rules::NOTABLES_RELIEVED.applies(self.is_faced(state, seat, area)).then_some((area, seat))
    }

    /// MC28: the Leader who has begun to fight, and is not done: of several enemy Armies one after the other attacks.
    fn in_battle(&self, state: &State, left: LeaderSet) -> Option<LeaderId> {
        let numbers = &self.content.numbers.new_model;
        let exchanged = numbers.exchanges.iter().map(|&(_, general)| LeaderId::from(general));
        let mut begun = numbers.lords.iter().filter(|lord| lord.notable().is_some()).chain(exchanged);
        begun.find(|&leader| !left.contains(leader) && self.beset(state, leader).is_some())
    }

    /// MC18: the enemy in the Area of a Leader who has lost their Fortress attacks them at once; they may Disperse in that Battle. Armies
    /// that a Lord has left there become one if they can (S1); else each fights with its own Brigades, the first with the unled ones, too.
    /// Enemies without a General attack nobody: they are attacked, and where neither side has a General, those who lost the Fortress scatter.
    fn relieve(&self, state: &mut State, leader: LeaderId, out: &mut Events) {
        self.back_to_sieges(state, LeaderSet::one(leader));
        let Some((area, seat)) = self.beset(state, leader) else { return };
        let besiegers =
            |state: &State| state.commanders_at(&self.content, seat.other(), area).collect::<GeneralSet>();
        while besiegers(state).count() > 1 && self.join_crowd(state, besiegers(state), out) {}
        let commanders = [ROYALIST, PARLIAMENT].map(|side| {
            let armies = || state.commanders_at(&self.content, side, area);
            armies().find(|&general| state.size(general) > 0).or_else(|| armies().next())
        });
        let attacker = match (commanders[seat.other().index()], commanders[seat.index()]) {
            (Some(_), _) => seat.other(),
            (None, Some(_)) => seat,
            (None, None) => {
                let going = state.unled(&self.content, seat, area);
                return self.disperse(state, seat, (area, GeneralSet::EMPTY, going), out);
            }
        };
        state.battle = Some(Battle::new(area, BattleKind::Model, attacker, commanders));
        state.frames.open(Frame::Battle { stage: 0 });
    }
}
