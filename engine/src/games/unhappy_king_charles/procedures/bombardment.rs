//! Bombardment of a Fortress by an Army in its Area (6.1, 14.2, 14.3, F6 to F8), in an Activation or, for free, in the Blockade Phase.

use num_bigint::BigUint;

use crate::vocabulary::*;

use super::super::actions::Action;
use super::super::content::PARLIAMENT;
use super::super::content::brigades::Faction;
use super::super::content::ids::{AreaId, CounterSet, FortressId, GeneralId};
use super::super::frames::Frame;
use super::super::state::{Happened, Marks, Post, Siege, SiegeMarker, State, Train, Warrant};
use super::super::{STREAM_DICE, UnhappyKing, rules};

/// The stages of a Bombardment.
pub(in super::super) mod stages {
    /// The Siege marker is to be placed, if there is none.
    pub(in super::super::super) const BEGIN: u8 = 0;
    /// The die of the Bombardment is due.
    pub(in super::super::super) const ROLL: u8 = 1;
    /// The Army may Assault.
    pub(in super::super::super) const ASSAULT: u8 = 2;
    /// The dice of the Assault are due.
    pub(in super::super::super) const ASSAULT_ROLL: u8 = 3;
    /// It has failed, and its loss is taken.
    pub(in super::super::super) const REPULSED: u8 = 4;
    /// It is over.
    pub(in super::super::super) const END: u8 = 5;
}

impl UnhappyKing {
    /// The Fortress that a General's Army may Bombard, outside it in its Area.
    pub(in super::super) fn bombarded_by(&self, state: &State, general: GeneralId) -> Option<FortressId> {
        let Post::Area(area) = state.generals[general].post else { return None };
        let enemy = self.content.generals[general].side.other();
        state.fortress(&self.content, area).filter(|_| state.controller(area) == Some(enemy))
    }

    /// Returns whether a General may Bombard by such a card: see [`UnhappyKing::examine_bombard`].
    #[must_use]
    pub(in super::super) fn may_bombard(
        &self,
        state: &State,
        seat: Seat,
        general: GeneralId,
        warrant: Warrant,
    ) -> bool {
        self.examine_bombard(state, seat, general, warrant, &mut Why::quiet()).is_continue()
    }

    /// F6: the commander of an Army that could Besiege the enemy Fortress of its Area, by a card that would move it, not before the Standard.
    pub(in super::super) fn examine_bombard(
        &self,
        state: &State,
        seat: Seat,
        general: GeneralId,
        warrant: Warrant,
        why: &mut Why,
    ) -> ControlFlow<()> {
        let refs = [Ref::from(general)];
        let of = &self.content.generals[general];
        why.demand(of.side == seat && state.commands(general), CONTRACT, "COMMANDS_NO_ARMY", &refs)?;
        let fortress = self.bombarded_by(state, general);
        why.demand(fortress.is_some(), CONTRACT, "NO_ENEMY_FORTRESS", &refs)?;
        why.require(state.has(Happened::STANDARD), rules::BEFORE_THE_STANDARD, "STANDARD_NOT_RAISED", &[])?;
        why.require(of.activation <= warrant.rating(), rules::BOMBARDMENT, "RATING_TOO_HIGH", &refs)?;
        let size = state.size(general);
        let minor = size < self.content.numbers.movement.major_army;
        why.require(minor || warrant.moves_major_armies(), rules::BOMBARDMENT, "MAJOR_ARMY", &refs)?;
        let area = state.area_of(general).expect("a commander is in an Area");
        why.require(size >= self.siege_need(state, area), rules::SIEGE_STRENGTH, "TOO_WEAK_TO_BESIEGE", &refs)
    }

    /// A General's Army Bombards by a card.
    pub(in super::super) fn open_bombardment(&self, state: &mut State, seat: Seat, general: GeneralId) {
        state.frames.open(Frame::Bombardment { seat, general, free: false, stage: stages::BEGIN });
    }

    /// F3, Y3: a Siege marker of either kind is placed, or takes another's place; its owner looks at the garrison.
    pub(in super::super) fn lay_siege(
        &self,
        state: &mut State,
        seat: Seat,
        fortress: FortressId,
        marker: SiegeMarker,
        out: &mut Events,
    ) {
        let area = self.content.fortresses[fortress].area;
        let garrison = state.garrison(&self.content, area);
        let scene = Scene::open(self, state, 2, out);
        state.sieges[fortress].marker = marker;
        if rules::GARRISON_LOOK.applies(true) {
            state.brigades.mark(&self.content, garrison, Marks::KNOWN);
        }
        let refs = [Ref::Seat(seat), Ref::from(area)];
        let code = if marker == SiegeMarker::Blockade { "blockade_laid" } else { "siege_laid" };
        scene.publish(self, state, out, || Event::new(code, rules::SIEGE_MARKER, &refs));
        if !garrison.is_empty() {
            out.revealed();
        }
    }

    pub(in super::super) fn set_bombardment_stage(&self, state: &mut State, to: u8) {
        let Some(Frame::Bombardment { stage, .. }) = state.frames.top_mut() else {
            unreachable!("a Bombardment is the innermost procedure when it goes on");
        };
        *stage = to;
    }

    /// One step further of a Bombardment; `false` if somebody or the dice are asked.
    pub(in super::super) fn advance_bombardment(
        &self,
        state: &mut State,
        (seat, general): (Seat, GeneralId),
        stage: u8,
        out: &mut Events,
    ) -> bool {
        match stage {
            stages::BEGIN => {
                let fortress = self.fortress_of(state, general);
                self.set_bombardment_stage(state, stages::ROLL);
                if state.sieges[fortress].marker == SiegeMarker::None {
                    self.lay_siege(state, seat, fortress, SiegeMarker::Siege, out);
                }
            }
            stages::ROLL | stages::ASSAULT | stages::ASSAULT_ROLL => return false,
            stages::REPULSED => {
                self.set_bombardment_stage(state, stages::END);
                self.repulsed(state, general, out);
            }
            _ => {
                state.frames.close();
            }
        }
        true
    }

    /// The New Model Army Brigades of an Army that do as a Siege Train, if there is no Train with it (F7).
    fn new_model_guns(&self, state: &State, general: GeneralId) -> CounterSet {
        let army = state.army(general);
        let seat = self.content.generals[general].side;
        if army.iter().any(|general| state.trains[seat.index()] == Train::With(general)) {
            return CounterSet::EMPTY;
        }
        let new_model = state.led_by(army) & self.content.band(Faction::NewModel);
        let enough = usize::from(self.content.numbers.siege.new_model);
        if (new_model.count() as usize) < enough || enough == 0 {
            return CounterSet::EMPTY;
        }
        new_model.iter().take(enough).collect()
    }

    /// Returns what is added to the die of a Bombardment (F7, F8).
    fn bombardment_modifier(&self, state: &State, general: GeneralId, fortress: FortressId) -> i16 {
        let siege = self.content.numbers.siege;
        let seat = self.content.generals[general].side;
        let (area, notable) =
            (self.content.fortresses[fortress].area, self.content.fortresses[fortress].notable.is_some());
        let train =
            state.army(general).iter().any(|general| state.trains[seat.index()] == Train::With(general));
        let guns = train || !self.new_model_guns(state, general).is_empty();
        let status = self.naval_status(state);
        let besieged = if seat == PARLIAMENT { -status } else { status };
        let by_sea = !notable
            && self.content.areas[area].port
            && rules::NAVAL_SIEGE.applies(besieged >= i16::from(self.content.numbers.naval.siege).max(1));
        let mut sum = i16::from(state.sieges[fortress].bonus);
        for (applies, modifier) in [(guns, siege.train), (by_sea, siege.port), (notable, siege.notable)] {
            sum += if rules::BOMBARDMENT_ROLL.applies(applies) { i16::from(modifier) } else { 0 };
        }
        sum
    }

    fn fortress_of(&self, state: &State, general: GeneralId) -> FortressId {
        self.bombarded_by(state, general).expect("an Army that Bombards stands at an enemy Fortress")
    }

    /// Returns what a die adds to the Bombardment Value: only a positive result counts (14.3).
    fn bombards(&self, state: &State, general: GeneralId, die: u8) -> u8 {
        let sum =
            i16::from(die) + self.bombardment_modifier(state, general, self.fortress_of(state, general));
        sum.clamp(0, u8::MAX.into()) as u8
    }

    /// The faces of the die by which the Fortress that an Army Bombards surrenders.
    #[must_use]
    pub(in super::super) fn bombardment_ways(&self, state: &State, general: GeneralId) -> u8 {
        let fortress = self.fortress_of(state, general);
        let falls = self.content.fortresses[fortress].surrender;
        let value = |die: u8| state.sieges[fortress].value.saturating_add(self.bombards(state, general, die));
        (1..=6).filter(|&die| value(die) >= falls).count() as u8
    }

    /// The die of a Bombardment, or the dice of the Assault behind it.
    pub(in super::super) fn bombardment_chance(&self, seat: Seat, stage: u8) -> Chance {
        let dice = if stage == stages::ROLL { 1 } else { 2 };
        Chance::Roll { stream: STREAM_DICE + seat.index() as u32, dice, sides: 6 }
    }

    /// A die by what it adds; all that make the Fortress surrender are alike, unless a garrison is in it: the Value then stands until the
    /// honours of war are rolled (F9).
    pub(in super::super) fn bombardment_classes(&self, state: &State, general: GeneralId) -> Vec<Class> {
        let fortress = self.fortress_of(state, general);
        let value = state.sieges[fortress].value;
        let garrison = state.garrison(&self.content, self.content.fortresses[fortress].area);
        let most = if rules::NO_HONOURS.allows(!garrison.is_empty()) {
            u8::MAX
        } else {
            self.content.fortresses[fortress].surrender.max(value)
        };
        let mut classes: Vec<(u8, Class)> = Vec::new();
        for die in 1..=6 {
            let sum = value.saturating_add(self.bombards(state, general, die)).min(most);
            match classes.iter_mut().find(|(of, _)| *of == sum) {
                Some((_, class)) => class.weight += 1u8,
                None => {
                    let outcome = Outcome::Roll([die].into_iter().collect());
                    classes.push((sum, Class { outcome, weight: BigUint::from(1u8) }));
                }
            }
        }
        classes.into_iter().map(|(_, class)| class).collect()
    }

    /// 14.3, 14.4: the die has fallen. The Fortress surrenders, or the Army may Assault (F11, T20).
    pub(in super::super) fn bombard(
        &self,
        state: &mut State,
        (seat, general, free): (Seat, GeneralId, bool),
        die: u8,
        out: &mut Events,
    ) {
        let fortress = self.fortress_of(state, general);
        let area = self.content.fortresses[fortress].area;
        let added = self.bombards(state, general, die);
        let guns = self.new_model_guns(state, general);
        let scene = Scene::open(self, state, 2, out);
        // Y4: that New Model Army Brigades did as a Train shows that they are there.
        state.brigades.mark(&self.content, guns, Marks::KNOWLEDGE);
        let Siege { marker, value, .. } = state.sieges[fortress];
        let value = value.saturating_add(added);
        state.sieges[fortress] = Siege { marker, value, bonus: 0 };
        let numbers = [die, added, value].map(|number| Ref::Number(number.into()));
        let refs = [Ref::Seat(seat), Ref::from(area), numbers[0], numbers[1], numbers[2]];
        scene.publish(self, state, out, || Event::new("bombarded", rules::BOMBARDMENT_ROLL, &refs));
        let falls = value >= self.content.fortresses[fortress].surrender;
        if rules::FORTRESS_SURRENDERS.applies(falls) {
            self.set_bombardment_stage(state, stages::END);
            state.frames.open(Frame::Surrender { seat, area, stage: 0 });
        } else if rules::BLOCKADE_WITHOUT_ASSAULT.allows(!free) && self.may_assault(state, general) {
            self.set_bombardment_stage(state, stages::ASSAULT);
        } else {
            self.set_bombardment_stage(state, stages::END);
        }
    }

    /// The Area of the Fortress that an Army Bombards.
    pub(in super::super) fn bombarded_area(&self, state: &State, general: GeneralId) -> AreaId {
        self.content.fortresses[self.fortress_of(state, general)].area
    }

    /// To Assault, or not.
    pub(in super::super) fn offer_bombardment(&self, _: &State, _: Seat, offer: &mut impl FnMut(Action)) {
        offer(Action::Assault);
        offer(Action::Pass);
    }

    pub(in super::super) fn examine_bombardment(
        &self,
        _: &State,
        _: Seat,
        action: Action,
        why: &mut Why,
    ) -> ControlFlow<()> {
        match action {
            Action::Assault | Action::Pass => ControlFlow::Continue(()),
            _ => why.refuse(CONTRACT, "NOT_NOW"),
        }
    }

    pub(in super::super) fn apply_bombardment(
        &self,
        state: &mut State,
        seat: Seat,
        action: Action,
        out: &mut Events,
    ) {
        if action == Action::Assault {
            self.set_bombardment_stage(state, stages::ASSAULT_ROLL);
            out.emit(|| Event::new("assault", rules::ASSAULT, &[Ref::Seat(seat)]));
        } else {
            self.set_bombardment_stage(state, stages::END);
        }
    }
}
