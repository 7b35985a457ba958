//! The house bot: it plays to survive, arms first, then politics ([`ironside`]).
//!
//! Each action has a worth: the chance that it succeeds times what a success is worth where things stand. It takes the best one,
//! and passes when nothing is worth a Zeal Point. What it reads is the view, from which the whole state follows.

use std::sync::Arc;

use rand_chacha::ChaCha8Rng;
use rand_core::SeedableRng;

use crate::action::ActionId;
use crate::bot::{Bot, HouseBot};
use crate::game::Game;
use crate::setup::Setup;
use crate::view::View;

use super::CruelNecessity;
use super::actions::{Action, Target};
use super::content::{
    ArmyId, BRISTOL, FortId, HULL, IRELAND, LONDON, NORTH, OXFORD, OptionId, SCOTLAND, SlotId, T_CATHOLICISM,
    T_MONARCHY, T_PARLIAMENT, T_PURITANISM, TrackId, WEST,
};
use super::frames::Frame;
use super::procedures::fortresses::lies_in;
use super::procedures::tracks::f_grades;
use super::state::{BOTTOM, State};

/// The worth of things to the bot, in hundredths of a Zeal Point at even odds.
#[derive(Clone, Debug)]
struct Weights {
    /// A retreat of the North from each area, from London Under Siege to its area 5 (where it is disordered).
    north: [i32; 6],
    west: [i32; 6],
    scotland: [i32; 6],
    ireland: [i32; 6],
    /// A box up, from the top box to the bottom.
    track: [i32; 6],
    /// Worth that an F grade adds for each that there is.
    grade: i32,
    /// A click up of London, of the other English fortresses, of those further away, by how weak and how near they are.
    click: [i32; 3],
    /// A revolt, a Deviltry marker crushed.
    revolt: i32,
    deviltry: i32,
    /// An Achievement, and each of its points.
    achievement: [i32; 2],
    /// Bound on the nearness of the Armies: below it for an Achievement, not below it for the Zeal marker.
    calm: i32,
    /// Below this worth Zeal is kept.
    idle: i32,
    /// Percent of its worth that a retreat has where the Army is Disordered.
    disordered: i32,
}

/// Found by playing: they bring most whole wars to their last card.
const WEIGHTS: Weights = Weights {
    north: [2_845, 922, 1_074, 651, 70, 248],
    west: [6_205, 2_046, 7_655, 428, 39, 10],
    scotland: [0, 98, 538, 330, 157, 285],
    ireland: [0, 38, 274, 264, 192, 192],
    track: [0, 602, 297, 260, 243, 221],
    grade: 75,
    click: [145, 228, 359],
    revolt: 3_998,
    deviltry: 450,
    achievement: [657, 13],
    calm: 1,
    idle: 1,
    disordered: 575,
};
/// Worth that makes an action a matter of survival.
const DIRE: i32 = 5_000;

/// Plays to survive: it drives the Armies back, keeps London, and mends its politics with what is left.
#[must_use]
pub fn ironside() -> HouseBot<CruelNecessity> {
    HouseBot {
        name: "ironside",
        about: "Drives the Armies back, keeps London, and mends politics with what Zeal is left.",
        make: |game, _, seed| {
            Box::new(Ironside { game: Arc::clone(game), rng: ChaCha8Rng::seed_from_u64(seed) })
        },
    }
}

struct Ironside {
    game: Arc<CruelNecessity>,
    /// Asked for by [`Game::resample`]; nothing is drawn from it.
    rng: ChaCha8Rng,
}

impl Bot for Ironside {
    fn choose(&mut self, view: &View, legal: &[ActionId]) -> ActionId {
        // Scenario and options are in no view; they make no difference to what is weighed here.
        let setup = Setup::default_of(self.game.catalogue());
        let state = self.game.resample(&setup, view, &mut self.rng);
        self.game.prefer(&state, legal, &WEIGHTS)
    }
}

impl CruelNecessity {
    /// The action that the house bot takes: the one of greatest worth, the first of several.
    fn prefer(&self, state: &State, legal: &[ActionId], weights: &Weights) -> ActionId {
        let mut best = (i32::MIN, legal[0]);
        for &id in legal {
            let worth = self.worth(state, self.actions.get(id), weights);
            if worth > best.0 {
                best = (worth, id);
            }
        }
        best.1
    }

    fn worth(&self, state: &State, action: Action, weights: &Weights) -> i32 {
        if state.frames.top() == Some(&Frame::Actions) {
            return self.worth_of_action(state, action, weights);
        }
        match action {
            // Of Achievements the cheapest is kept longest.
            Action::Drop(achievement) => {
                let achievement = &self.content.achievements[achievement];
                let far: u8 = achievement.grades.iter().map(|grade| 4 - grade).sum();
                i32::from(achievement.cost) * 10 + i32::from(far) * 10 - i32::from(achievement.vp)
            }
            Action::Full => 1,
            Action::Army(army) => 10 * (6 - i32::from(state.armies[army].area)) + i32::from(army == NORTH),
            Action::Commit(..) => 2,
            Action::Done => 1,
            Action::Play(_) => 3,
            Action::On(slot) => self.worth_of_target(state, slot),
            Action::Inspire(_) | Action::Ignore => 0,
            Action::Pass => 1,
            Action::Salvage | Action::Apply => 2,
            Action::BenefitZeal => 150,
            Action::BenefitTrack(track) => self.worth_of_track(state, track, weights) / 2 + 60,
            Action::BenefitFort(fort) if state.forts[fort].royalist => 80,
            Action::BenefitFort(fort) => self.worth_of_click(state, fort, weights) / 2,
            Action::BenefitWeaken(_) => 90,
            Action::Shift(track) => -self.worth_of_fall(state, track),
            Action::Choose(option) => self.worth_of_option(state, option, weights),
            Action::InfuseFree(target) => self.worth_of_marker(state, target, weights),
            Action::Settle(_) => 5,
            Action::RollOn(track) => self.worth_of_track(state, track, weights),
            _ => 0,
        }
    }

    /// A place for the card in play: weak foot is replaced, strong horse is harassed.
    fn worth_of_target(&self, state: &State, slot: SlotId) -> i32 {
        let strength = i32::from(self.strength_at(state, slot));
        if slot.is_royalist() { strength } else { 20 - strength }
    }

    fn worth_of_action(&self, state: &State, action: Action, weights: &Weights) -> i32 {
        let faces = |target: Target| i32::from(self.odds(state, target).unwrap_or(0));
        match action {
            Action::Pass => weights.idle,
            Action::Campaign(target @ Target::Army(army)) => {
                self.worth_of_retreat(state, army, weights) * faces(target) / 36
            }
            Action::Campaign(target) => weights.deviltry * faces(target) / 36,
            Action::Besiege(target @ Target::Fort(fort)) => {
                self.worth_of_siege(state, fort) * faces(target) / 36
            }
            Action::Besiege(target) => weights.revolt * faces(target) / 36,
            Action::Fortify(fort) => self.worth_of_click(state, fort, weights),
            Action::Politics(track) => {
                self.worth_of_track(state, track, weights) * faces(Target::Track(track)) / 36
            }
            Action::UsePolitics(_) => 900,
            Action::UseSiege(..) => 890,
            Action::Strike(army) => {
                if state.armies[army].disordered {
                    0
                } else {
                    950 + army.index() as i32
                }
            }
            Action::Purchase(id) => {
                let achievement = &self.content.achievements[id];
                let left = i32::from(state.zeal) - i32::from(self.price(state, id));
                let calm = self.threat(state) < weights.calm;
                let [bought, point] = weights.achievement;
                if calm && left >= 0 { bought + point * i32::from(achievement.vp) } else { 0 }
            }
            Action::Desperate(track) => self.worth_of_despair(state, track),
            Action::InfuseFree(target) => 700 + self.worth_of_marker(state, target, weights),
            Action::Infuse(target) => {
                // Worth it for a run of Campaigns against one strong Army.
                let many = state.zeal >= 5;
                if many && self.threat(state) >= weights.calm {
                    self.worth_of_marker(state, target, weights)
                } else {
                    0
                }
            }
            _ => 0,
        }
    }

    /// Returns how near the two English Armies are.
    fn threat(&self, state: &State) -> i32 {
        [NORTH, WEST].iter().map(|&army| (3 - i32::from(state.armies[army].area)).max(0)).sum()
    }

    fn worth_of_retreat(&self, state: &State, army: ArmyId, weights: &Weights) -> i32 {
        let unit = &state.armies[army];
        let table = match army {
            NORTH => weights.north,
            WEST => weights.west,
            SCOTLAND => weights.scotland,
            _ => weights.ireland,
        };
        let worth = table[usize::from(unit.area)];
        // London in Royalist hands can be besieged only when both are out of area 0.
        let dire = state.forts[LONDON].royalist && unit.area == 0;
        let worth = if unit.disordered { worth * weights.disordered / 100 } else { worth };
        if dire { DIRE } else { worth }
    }

    fn worth_of_siege(&self, state: &State, fort: FortId) -> i32 {
        let near_to_fall = 6 - i32::from(state.forts[fort].click);
        match fort {
            LONDON => 2 * DIRE,
            HULL | BRISTOL | OXFORD => 120 + 60 * near_to_fall,
            _ => 70 + 45 * near_to_fall,
        }
    }

    /// Returns the worth of a click up: more, the weaker the fortress and the nearer the Army.
    fn worth_of_click(&self, state: &State, fort: FortId, weights: &Weights) -> i32 {
        let weak = 4 - i32::from(state.forts[fort].click);
        if weak <= 0 {
            return 0;
        }
        let near = lies_in(&self.content, fort)
            .map(|(region, area)| i32::from(state.armies[region].area) - i32::from(area))
            .min()
            .unwrap_or(5);
        let worth = match fort {
            LONDON => weights.click[0],
            HULL | BRISTOL | OXFORD => weights.click[1],
            _ => weights.click[2],
        };
        worth * weak / near.max(1)
    }

    fn worth_of_track(&self, state: &State, track: TrackId, weights: &Weights) -> i32 {
        let index = usize::from(state.tracks[track]);
        let grades = f_grades(&self.content, state);
        let in_f = state.tracks[track] == BOTTOM;
        let worth = weights.track[index] + if in_f { weights.grade * i32::from(grades) } else { 0 };
        let worth = if in_f && grades >= self.content.numbers.f_grades { DIRE } else { worth };
        match track {
            T_PARLIAMENT | T_PURITANISM | T_MONARCHY | T_CATHOLICISM => worth + 60,
            _ => worth,
        }
    }

    /// Returns the loss when a marker goes down.
    fn worth_of_fall(&self, state: &State, track: TrackId) -> i32 {
        if state.tracks[track] + 1 == BOTTOM { 1_000 } else { i32::from(state.tracks[track]) * 10 }
    }

    fn worth_of_option(&self, state: &State, option: OptionId, weights: &Weights) -> i32 {
        let list = self.content.options[option].1;
        let mut worth = 0;
        for op in &self.content.lists[list] {
            worth += match *op {
                super::content::Op::Track { track, arrows } if arrows > 0 => {
                    self.worth_of_track(state, track, weights) * i32::from(arrows)
                }
                super::content::Op::Track { track, arrows } => {
                    (200 + self.worth_of_fall(state, track)) * i32::from(arrows)
                }
                super::content::Op::Zeal { zeal } => 150 * i32::from(zeal),
                super::content::Op::SwapArmy { .. } => -100,
                _ => 0,
            };
        }
        worth
    }

    /// A Desperate Act is for the moment in which a defeat can still be averted.
    fn worth_of_despair(&self, state: &State, track: TrackId) -> i32 {
        let grades = f_grades(&self.content, state);
        let falls = state.tracks[track] + 1 == BOTTOM;
        let dire = state.forts[LONDON].royalist || grades >= self.content.numbers.f_grades;
        let harmless = !falls || grades + 1 < self.content.numbers.f_grades;
        if dire && state.zeal == 0 && harmless { DIRE / 2 } else { 0 }
    }

    /// The Zeal marker goes where most rolls will be made.
    fn worth_of_marker(&self, state: &State, target: Target, weights: &Weights) -> i32 {
        match target {
            Target::Army(army) => {
                let far = army == SCOTLAND || army == IRELAND;
                let settled = state.armies[army].disordered && state.armies[army].area == 5;
                if settled {
                    0
                } else {
                    self.worth_of_retreat(state, army, weights) / if far { 3 } else { 2 }
                }
            }
            Target::Fort(fort) if fort == LONDON => DIRE,
            _ => 10,
        }
    }
}
