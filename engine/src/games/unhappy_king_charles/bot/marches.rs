//! Marches of one Activation: where an Army had best go with its Movement Points, and what it does on the way ([`Marcher`]).

use std::cell::Cell;

use super::super::actions::{Action, Goal, QueenChoice, SiegeChoice, TrainChoice};
use super::super::content::AREAS;
use super::super::content::ids::{AreaId, AreaSet, GeneralId};
use super::super::content::map::LineKind;
use super::super::state::{Holder, Holding};
use super::Sight;
use super::odds::BRIGADE;
use super::sight::{Force, TENTHS};

/// The worth of a Brigade that is taken up on the way, of a garrison that is left, of a place to stay out of one's Regions, of an Army that
/// deserts for its size, of one among enemy markers.
const TAKEN_UP: i32 = 90;
const GARRISON: i32 = 60;
const ABROAD: i32 = 50;
const LARGE: i32 = 40;
const CROWDED: i32 = 90;
const HOSTILE: i32 = 15;
/// Two Armies that can't stay in one Area.
const BARRED: i32 = 800;
/// No way.
const NEVER: i32 = i32::MIN / 4;

/// An Army as it marches.
pub(super) struct Marcher<'s> {
    sight: &'s Sight<'s>,
    general: GeneralId,
    force: Force,
    /// Its Area when the decision is made.
    start: AreaId,
    /// Its Siege marker is there.
    besieging: bool,
    /// The worth of staying in each Area, where it was asked.
    stays: [Cell<i32>; AREAS],
    /// The risk of stepping there, where it was asked.
    risks: [Cell<i32>; AREAS],
    /// The worth of attacking there, where it was asked.
    attacks: [Cell<i32>; AREAS],
    /// The mean loss by a Battle with each enemy Army.
    losses: Vec<i32>,
}

impl<'s> Marcher<'s> {
    pub(super) fn new(sight: &'s Sight<'s>, general: GeneralId, start: AreaId) -> Self {
        let force =
            if sight.state.commands(general) { sight.army(general) } else { sight.subordinate(general) };
        Self {
            sight,
            general,
            force,
            start,
            besieging: sight.game.has_siege_marker(&sight.state, general),
            stays: std::array::from_fn(|_| Cell::new(NEVER)),
            risks: std::array::from_fn(|_| Cell::new(NEVER)),
            attacks: std::array::from_fn(|_| Cell::new(NEVER)),
            losses: sight.losses(force),
        }
    }

    /// Movement Points of a fresh Activation, less that of a Siege marker that is taken off.
    fn points(&self) -> u8 {
        let allowance = self.sight.content.numbers.allowance(self.force.size).points;
        allowance.saturating_sub(if self.besieging {
            self.sight.content.numbers.movement.lift_siege
        } else {
            0
        })
    }

    /// The worth of an Activation, beside that of staying.
    pub(super) fn activation(&self) -> i32 {
        let staying = self.stay(self.start, AreaSet::EMPTY);
        self.best(self.start, self.points(), AreaSet::EMPTY, self.start) - staying
    }

    /// The worth of the best that can be done from an Area with so many Movement Points; markers were placed in the Areas `done`.
    fn best(&self, area: AreaId, points: u8, done: AreaSet, from: AreaId) -> i32 {
        let mut best = self.stay(area, done);
        if points == 0 {
            return best;
        }
        let content = self.sight.content;
        if self.may_mark(area) && !done.contains(area) {
            let marked = self.best(area, points - 1, done.with(area), area);
            best = best.max(self.sight.gains[area] + marked);
        }
        for kind in LineKind::ALL {
            let cost = content.numbers.movement.lines[kind as usize];
            if cost > points
                || kind == LineKind::Maritime && self.force.size > content.numbers.movement.maritime_brigades
            {
                continue;
            }
            for to in content.near[kind as usize][area].without(from) {
                best = best.max(self.step(area, to, kind, points - cost, done));
            }
        }
        best
    }

    /// The worth of a step, and of all that can be done behind it.
    fn step(&self, area: AreaId, to: AreaId, kind: LineKind, left: u8, done: AreaSet) -> i32 {
        let sight = self.sight;
        if sight.against[to] > 0 {
            let cell = &self.attacks[to];
            if cell.get() == NEVER {
                cell.set(sight.attack(self.general, self.force, to, kind));
            }
            let worth = cell.get();
            return if sight.is_war() { worth + self.stay(to, done).min(0) / 2 } else { NEVER };
        }
        if !sight.is_war() && sight.held.contains(to) {
            return NEVER;
        }
        let risk = self.risk(to);
        self.best(to, left, done, area) - risk
    }

    fn risk(&self, area: AreaId) -> i32 {
        let cell = &self.risks[area];
        if cell.get() == NEVER {
            cell.set(self.sight.ambush(self.general, &self.losses, area));
        }
        cell.get()
    }

    /// Returns whether the Army may place a marker in an Area for a Movement Point (9.6, MC1).
    fn may_mark(&self, area: AreaId) -> bool {
        let sight = self.sight;
        sight.gains[area] > 0
            && !sight.fortresses.contains(area)
            && (sight.is_war() || !sight.state.control[sight.foe.index()].contains(area))
    }

    /// The worth of staying in an Area at the end; its marker was placed if it is among `done`.
    fn stay(&self, area: AreaId, done: AreaSet) -> i32 {
        let cell = &self.stays[area];
        if cell.get() == NEVER {
            cell.set(self.stay_anew(area));
        }
        let sight = self.sight;
        // 11.2: a marker comes of itself where an Army stands when the next Turn begins.
        let coming =
            if sight.fortresses.contains(area) || done.contains(area) { 0 } else { sight.gains[area] / 3 };
        cell.get() + coming
    }

    fn stay_anew(&self, area: AreaId) -> i32 {
        let sight = self.sight;
        let content = sight.content;
        let of = &content.generals[self.general];
        let mut worth =
            self.siege(area) + self.company(area) + self.calling(area) - sight.danger(&self.losses, area);
        if of.is_regional() && !of.regions.contains(content.areas[area].region) {
            worth -= ABROAD;
        }
        if self.force.size >= content.numbers.desertion.large_army {
            worth -= LARGE;
        }
        if sight.state.control[sight.foe.index()].contains(area) {
            worth -= HOSTILE;
        }
        worth
    }

    /// The worth of standing at an enemy Fortress: a Siege, or a Mask.
    fn siege(&self, area: AreaId) -> i32 {
        let sight = self.sight;
        let state = &sight.state;
        let Some(target) = sight.targets.iter().find(|target| target.area == area).filter(|_| sight.is_war())
        else {
            return 0;
        };
        let worth = target.worth;
        if self.force.size < target.need {
            return worth / 12;
        }
        let fortress = state.fortress(sight.content, area).expect("it is among the Fortresses");
        let surrender = i32::from(sight.content.fortresses[fortress].surrender).max(1);
        let amassed = if area == self.start { i32::from(state.sieges[fortress].value) } else { 0 };
        let shots = 6 * (surrender - amassed).max(1) / sight.shot(self.general, area).max(1);
        worth * 10 / (14 + 6 * shots) + worth * amassed / surrender / 2
    }

    /// The worth of those who stand there: Brigades to be taken up, and an Army that can't be joined.
    fn company(&self, area: AreaId) -> i32 {
        let sight = self.sight;
        let state = &sight.state;
        let mut worth = 0;
        let unled = state.unled(sight.content, sight.me, area).count() as i32;
        let room = i32::from(sight.game.limit_of(state, self.general).min(5)) - i32::from(self.force.size);
        worth += TAKEN_UP * unled.min(room.max(0));
        let other = state
            .commander_at(sight.content, sight.me, area)
            .filter(|&other| state.commander(self.general) != other);
        if let Some(other) = other {
            let size = state.size(other) + self.force.size;
            let joined = sight.game.could_join(state, (self.general, other), size);
            worth -= if !joined {
                BARRED
            } else if size >= sight.content.numbers.desertion.attrition {
                CROWDED
            } else {
                0
            };
        }
        worth
    }

    /// The worth of what is near, though out of reach: Fortresses that this Army could take, ground that it could win.
    fn calling(&self, area: AreaId) -> i32 {
        let sight = self.sight;
        let mut best = 0;
        for target in sight.targets.iter().filter(|target| self.force.size >= target.need) {
            let lines = sight.lines(area, target.area);
            if lines <= 6 {
                best = best.max(target.worth * (7 - lines) / 40);
            }
        }
        let near = sight.content.adjacent[area]
            .iter()
            .filter(|&near| !sight.fortresses.contains(near) && sight.against[near] == 0);
        let ground: i32 = near.map(|near| sight.gains[near]).sum();
        best + ground / 16
    }
}

impl Sight<'_> {
    /// A General with their own Brigades alone.
    pub(super) fn subordinate(&self, general: GeneralId) -> Force {
        let brigades = self.state.brigades.at(general);
        Force {
            strength: self.value(brigades) + TENTHS * i32::from(self.content.generals[general].battle),
            size: brigades.count() as u8,
            king: general == self.content.people.king,
        }
    }

    /// The worth of an Activation of a General.
    pub(super) fn activation_worth(&self, general: GeneralId) -> i32 {
        let cell = &self.marches[general];
        if cell.get().is_none() {
            cell.set(Some(self.activation_anew(general)));
        }
        cell.get().unwrap_or(0)
    }

    /// As [`Sight::activation_worth`]; who comes from off the map is worth their Brigades.
    fn activation_anew(&self, general: GeneralId) -> i32 {
        let Some(area) = self.state.area_of(general) else {
            return 120 + 40 * i32::from(self.content.generals[general].battle);
        };
        if self.game.is_masked_inside(&self.state, self.state.commander(general)) {
            let theirs = self.stack(self.foe, area);
            return self.battle(self.army(self.state.commander(general)), theirs, self.fortress_relief(area));
        }
        let march = Marcher::new(self, general, area).activation();
        // A Subordinate who leaves a good Army had better stay.
        if self.state.commands(general) { march } else { march - 60 }
    }

    /// The worth of a Fortress of one's own that is relieved.
    fn fortress_relief(&self, area: AreaId) -> i32 {
        let amassed = self.state.siege(self.content, area).value;
        40 * i32::from(amassed)
    }

    /// The worth of an order by a card: a General, a Bombardment, a Raid.
    pub(super) fn order_worth(&self, action: Action) -> i32 {
        match action {
            Action::Activate(general) => self.activation_worth(general),
            Action::Bombard(general) => self.bombardment(general),
            Action::Raid(notable) => self
                .game
                .raided_by(&self.state, notable)
                .iter()
                .map(|area| self.gains[area])
                .max()
                .unwrap_or(0),
            _ => 0,
        }
    }

    /// The worth of what the active Army does next.
    pub(super) fn step_worth(&self, picking: bool, action: Action) -> i32 {
        let activation = self.state.ongoing_activation();
        let general = activation.general;
        let Some(area) = self.state.area_of(general) else { return 0 };
        if picking {
            return self.picked_worth(action);
        }
        let march = Marcher::new(self, general, area);
        let staying = march.stay(area, AreaSet::EMPTY);
        let points = self.game.march_of(&self.state).left();
        let fee = if activation.fee { self.content.numbers.movement.leave_battle } else { 0 };
        match action {
            Action::Move(Goal(Some(to))) => {
                let Some(kind) = self.game.line_kind(area, to) else { return NEVER };
                let cost = self.content.numbers.movement.lines[kind as usize] + fee;
                march.step(area, to, kind, points.saturating_sub(cost), AreaSet::EMPTY) - staying
            }
            // Nobody who could fight goes home.
            Action::Move(Goal(None)) => -2_000,
            Action::Marker => {
                let done = AreaSet::one(area);
                self.marker_at(area) + march.best(area, points.saturating_sub(1), done, area) - staying
            }
            Action::Siege(SiegeChoice::Lift) => {
                march.best(area, points.saturating_sub(1), AreaSet::EMPTY, area) - staying - 20
            }
            // The marker is laid where the Army means to stay.
            Action::Siege(_) => {
                let elsewhere = march.best(area, points, AreaSet::EMPTY, area);
                if elsewhere > staying { -20 } else { 30 }
            }
            Action::From(holder) => self.source_worth(general, holder),
            Action::Train(TrainChoice::Take) => 150,
            Action::Train(_) => -500,
            Action::Join(other) => self.joining_worth(general, other, area),
            Action::Leave(_) => -150,
            Action::Inside => self.inside_worth(&march, area),
            Action::Queen(QueenChoice::Take) => -30,
            Action::Queen(_) => 10,
            _ => 0,
        }
    }

    /// The worth of taking up a Brigade from a place, or of putting one down.
    fn source_worth(&self, general: GeneralId, holder: Holder) -> i32 {
        let size = i32::from(self.state.size(self.state.commander(general)));
        let full = size - 3;
        match holder.holding() {
            Holding::Outside(_) => 250 - 80 * full.max(0),
            Holding::Inside(fortress) => {
                let area = self.content.fortresses[fortress].area;
                let threatened = self.enemies.iter().any(|enemy| self.lines(enemy.area, area) <= 3);
                if threatened || size >= 4 { -GARRISON } else { TAKEN_UP }
            }
            Holding::Notable(notable) => {
                let area = self.content.notables[notable].area;
                let threatened = self.enemies.iter().any(|enemy| self.lines(enemy.area, area) <= 2);
                let left = self.state.brigades.count(holder);
                if size >= 4 || threatened && left < 2 { -GARRISON } else { TAKEN_UP }
            }
            _ => -200,
        }
    }

    /// The worth of a Brigade, or of its General, while one is taken up.
    pub(super) fn picked_worth(&self, action: Action) -> i32 {
        match action {
            Action::Brigade(face) => BRIGADE * i32::from(self.content.faces[face].value),
            Action::To(holder) => match holder.holding() {
                // A Regional General keeps what is of their Region; all else is for the best commander.
                Holding::General(general) => 10 * i32::from(self.content.generals[general].battle),
                _ => 0,
            },
            _ => 0,
        }
    }

    /// The worth of two Armies becoming one: for a Siege that neither could keep up.
    fn joining_worth(&self, general: GeneralId, other: GeneralId, area: AreaId) -> i32 {
        let (own, others) =
            (self.state.size(self.state.commander(general)), self.state.size(self.state.commander(other)));
        let enemy = self.state.controller(area) == Some(self.foe) && self.fortresses.contains(area);
        if enemy && self.is_war() {
            let need = self.game.siege_need(&self.state, area);
            if own.max(others) < need && own + others >= need {
                return self.fortress_worth(area) / 3;
            }
        }
        if own + others >= self.content.numbers.desertion.attrition { -CROWDED } else { -30 }
    }

    /// The worth of going inside: what the danger outside costs, less what a Siege might.
    fn inside_worth(&self, march: &Marcher<'_>, area: AreaId) -> i32 {
        let danger = self.danger(&march.losses, area);
        if self.fears_for_the_king(march.force) { danger / 2 - 40 } else { danger - 80 }
    }
}
