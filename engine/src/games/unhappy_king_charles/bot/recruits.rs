//! Recruits and their places (7.0).

use crate::numbered::Listed;

use super::super::actions::{Action, TrainChoice};
use super::super::content::ids::{AreaId, BrigadeFace, GeneralId};
use super::super::frames::Frame;
use super::super::state::{Holder, Holding, State};
use super::Sight;

/// The Brigades of a full Army: one more would desert for its size (12.2).
const FULL: i32 = 4;

impl Sight<'_> {
    /// The worth of an answer in a recruitment, or where an event brings Brigades.
    pub(super) fn recruit_worth(&self, frame: Frame, action: Action) -> i32 {
        match action {
            Action::From(holder) if matches!(frame, Frame::Recruitment { .. }) => {
                // Dispersed ones first: they cost nothing.
                if holder == Holder::unemployed(self.me) { 600 } else { 500 }
            }
            Action::From(holder) => self.enlist_worth(frame, holder),
            Action::Train(TrainChoice::Recruit) => self.train_worth(),
            Action::Leader(leader) => leader.general().map_or(0, |general| self.general_worth(general)),
            Action::Brigade(face) => 10 * i32::from(self.content.faces[face].value) + self.region_need(face),
            Action::To(holder) => self.place_worth(holder),
            Action::At(area) => self.arrival_worth(frame, area),
            _ => 0,
        }
    }

    /// The worth of a Brigade that a new General takes up.
    fn enlist_worth(&self, frame: Frame, holder: Holder) -> i32 {
        let Frame::Enlist { general, .. } = frame else { return 0 };
        let size = i32::from(self.state.size(self.state.commander(general)));
        if size >= FULL {
            return -10;
        }
        match holder.holding() {
            Holding::Outside(_) => 100,
            Holding::Notable(_) => 60,
            _ => 20,
        }
    }

    /// The worth of the Siege Train: an Army that can take it along, and has something to Besiege.
    fn train_worth(&self) -> i32 {
        if !self.is_war() || self.train_place().is_none() { -1 } else { 550 }
    }

    /// An Area of a Fortress of one's own with an Army that goes on Sieges.
    fn train_place(&self) -> Option<AreaId> {
        let fits = |general: &GeneralId| {
            let area = self.state.area_of(*general);
            self.state.commands(*general)
                && self.state.size(*general) >= 3
                && area.is_some_and(|area| {
                    self.fortresses.contains(area) && self.state.controller(area) == Some(self.me)
                })
        };
        State::generals_of(self.content, self.me).find(fits).and_then(|general| self.state.area_of(general))
    }

    /// The worth of a General who is placed: their ratings, if they find Brigades without one.
    fn general_worth(&self, general: GeneralId) -> i32 {
        let of = &self.content.generals[general];
        let unled = AreaId::all(self.content)
            .filter(|&area| self.state.commander_at(self.content, self.me, area).is_none())
            .map(|area| self.state.unled(self.content, self.me, area).count())
            .max();
        let unled = unled.unwrap_or(0) as i32;
        if unled == 0 && of.battle < 2 {
            return -10;
        }
        100 + 60 * unled.min(3) + 30 * i32::from(of.battle) - 20 * i32::from(of.activation)
    }

    /// The worth of a Brigade's Region: where few of this side stand.
    fn region_need(&self, face: BrigadeFace) -> i32 {
        let Some(region) = self.content.faces[face].region else { return 5 };
        let areas = self.content.regions[region].areas;
        let own = (self.state.control[self.me.index()] & areas).count() as i32;
        let theirs = (self.state.control[self.foe.index()] & areas).count() as i32;
        (theirs - own).clamp(-4, 4)
    }

    /// The worth of a place for a Brigade.
    fn place_worth(&self, holder: Holder) -> i32 {
        let Some(area) = self.state.area_of_holder(self.content, holder) else { return 0 };
        let threatened = self.enemies.iter().any(|enemy| self.lines(enemy.area, area) <= 2);
        match holder.holding() {
            Holding::General(general) => {
                let of = &self.content.generals[general];
                let size = i32::from(self.state.size(self.state.commander(general)));
                let room = if size < FULL { 60 } else { 10 };
                room + 15 * i32::from(of.battle) - 10 * i32::from(of.activation)
            }
            Holding::Notable(_) => {
                if threatened {
                    45
                } else {
                    25
                }
            }
            Holding::Inside(_) => {
                if threatened {
                    50
                } else {
                    15
                }
            }
            _ => {
                if threatened {
                    10
                } else {
                    35
                }
            }
        }
    }

    /// The worth of an Area: of a General who is placed, of a landing, of the Siege Train, of a Siege that is kept up.
    fn arrival_worth(&self, frame: Frame, area: AreaId) -> i32 {
        let unled = self.state.unled(self.content, self.me, area).count() as i32;
        match frame {
            Frame::TrainPlace { .. } => i32::from(self.train_place() == Some(area)),
            Frame::Arrival { general, .. } => {
                let of = &self.content.generals[general];
                let home = !of.is_regional() || of.regions.contains(self.content.areas[area].region);
                let led = self.state.commander_at(self.content, self.me, area).is_some();
                60 * unled.min(FULL) + if home { 30 } else { 0 } - if led { 50 } else { 0 }
            }
            // A Blockade & Siege marker costs nothing and Bombards for free.
            _ => 50,
        }
    }
}
