//! The house bot: it plays to survive, arms first, then politics ([`ironside`]).
//!
//! Each action has a worth: the chance that it succeeds times what a success is worth where things stand. It takes the best one,
//! and passes when nothing is worth a Zeal Point. What it reads is the view, from which the whole state follows.

use std::sync::Arc;

use rand_chacha::ChaCha8Rng;
use rand_core::SeedableRng;

use crate::bot::{Bot, HouseBot};
use crate::game::Game;
use crate::setup::Setup;
use crate::step::StepId;
use crate::view::View;

use super::content::{IRELAND, LONDON, NORTH, SCOTLAND, T_CATHOLICISM, T_MONARCHY, T_PARLIAMENT, T_PURITANISM, WEST};
use super::frame::Frame;
use super::state::{BOTTOM, State};
use super::steps::{Step, Target};
use super::tracks::f_grades;
use super::{CruelNecessity, armies};

/// What a retreat of an Army from each area is worth, from London Under Siege to its area 5 (where it is disordered).
const NORTH_WEST: [i32; 6] = [1_400, 900, 650, 560, 450, 330];
const FAR_ARMIES: [i32; 6] = [0, 420, 330, 300, 260, 190];
/// What a box up is worth, from the box under the top to the bottom.
const TRACK_UP: [i32; 6] = [0, 210, 180, 200, 300, 520];
/// Worth that makes an action a matter of survival.
const DIRE: i32 = 5_000;
/// An action below this worth is not worth a Zeal Point.
const IDLE: i32 = 60;

/// Plays to survive: it drives the Armies back, keeps London, and mends its politics with what is left.
#[must_use]
pub fn ironside() -> HouseBot<CruelNecessity> {
    HouseBot {
        name: "ironside",
        about: "Drives the Armies back, keeps London, and mends politics with what Zeal is left.",
        make: |game, _, seed| Box::new(Ironside { game: Arc::clone(game), rng: ChaCha8Rng::seed_from_u64(seed) }),
    }
}

struct Ironside {
    game: Arc<CruelNecessity>,
    /// Asked for by [`Game::resample`]; nothing is drawn from it.
    rng: ChaCha8Rng,
}

impl Bot for Ironside {
    fn choose(&mut self, view: &View, legal: &[StepId]) -> StepId {
        // Scenario and options are in no view; they make no difference to what is weighed here.
        let setup = Setup::default_of(self.game.catalogue());
        let state = self.game.resample(&setup, view, &mut self.rng);
        self.game.prefer(&state, legal)
    }
}

impl CruelNecessity {
    /// The step that the house bot takes: the one of greatest worth, the first of several.
    pub(super) fn prefer(&self, state: &State, legal: &[StepId]) -> StepId {
        let mut best = (i32::MIN, legal[0]);
        for &id in legal {
            let worth = self.worth(state, self.steps.get(id));
            if worth > best.0 {
                best = (worth, id);
            }
        }
        best.1
    }

    fn worth(&self, state: &State, step: Step) -> i32 {
        if state.frames.top() == Some(&Frame::Actions) {
            return self.worth_of_action(state, step);
        }
        match step {
            // Of Achievements the cheapest is kept longest.
            Step::Drop(index) => {
                let achievement = &self.content.achievements[usize::from(index)];
                let far: u8 = achievement.grades.iter().map(|grade| 4 - grade).sum();
                i32::from(achievement.cost) * 10 + i32::from(far) * 10 - i32::from(achievement.vp)
            }
            Step::Full => 1,
            Step::Army(army) => 10 * (6 - i32::from(state.armies[usize::from(army)].area)) + i32::from(army == 0),
            Step::Commit(..) => 2,
            Step::Done => 1,
            Step::Play(_) => 3,
            Step::On(slot) => self.worth_of_target(state, usize::from(slot)),
            Step::Inspire(_) | Step::Ignore => 0,
            Step::Pass => 1,
            Step::Salvage | Step::Apply => 2,
            Step::BenefitZeal => 150,
            Step::BenefitTrack(track) => self.worth_of_track(state, usize::from(track)) / 2 + 60,
            Step::BenefitFort(fort) if state.forts[usize::from(fort)].royalist => 80,
            Step::BenefitFort(fort) => self.worth_of_click(state, usize::from(fort)) / 2,
            Step::BenefitWeaken(_) => 90,
            Step::Shift(track) => -self.worth_of_fall(state, usize::from(track)),
            Step::Choose(option) => self.worth_of_option(state, option),
            Step::InfuseFree(target) => self.worth_of_marker(state, target),
            Step::Settle(_) => 5,
            Step::RollOn(track) => self.worth_of_track(state, usize::from(track)),
            _ => 0,
        }
    }

    /// A place for the card in play: weak foot is replaced, strong horse is harassed.
    fn worth_of_target(&self, state: &State, slot: usize) -> i32 {
        let strength = i32::from(self.strength_at(state, slot));
        if slot < super::line::OWN { 20 - strength } else { strength }
    }

    fn worth_of_action(&self, state: &State, step: Step) -> i32 {
        let faces = |target: Target| i32::from(self.odds(state, target).unwrap_or(0));
        match step {
            Step::Pass => IDLE,
            Step::Campaign(target @ Target::Army(army)) => {
                self.worth_of_retreat(state, usize::from(army)) * faces(target) / 36
            }
            Step::Campaign(target) => 260 * faces(target) / 36,
            Step::Besiege(target @ Target::Fort(fort)) => self.worth_of_siege(state, usize::from(fort)) * faces(target) / 36,
            Step::Besiege(target) => 420 * faces(target) / 36,
            Step::Fortify(fort) => self.worth_of_click(state, usize::from(fort)),
            Step::Politics(track) => {
                self.worth_of_track(state, usize::from(track)) * faces(Target::Track(track)) / 36
            }
            Step::UsePolitics(_) => 900,
            Step::UseSiege(..) => 890,
            Step::Strike(army) => {
                if state.armies[usize::from(army)].disordered { 0 } else { 950 + i32::from(army) }
            }
            Step::Purchase(index) => {
                let achievement = &self.content.achievements[usize::from(index)];
                let left = i32::from(state.zeal) - i32::from(self.price(state, usize::from(index)));
                let calm = self.threat(state) < 3;
                if calm && left >= 0 { 300 + 40 * i32::from(achievement.vp) } else { 0 }
            }
            Step::Desperate(which) => self.worth_of_despair(state, usize::from(which)),
            Step::InfuseFree(target) => 700 + self.worth_of_marker(state, target),
            Step::Infuse(target) => {
                // Worth it for a run of Campaigns against one strong Army.
                let many = state.zeal >= 5;
                if many && self.threat(state) >= 3 { self.worth_of_marker(state, target) } else { 0 }
            }
            _ => 0,
        }
    }

    /// How near the two English Armies are.
    fn threat(&self, state: &State) -> i32 {
        [NORTH, WEST].iter().map(|&army| (3 - i32::from(state.armies[army].area)).max(0)).sum()
    }

    fn worth_of_retreat(&self, state: &State, army: usize) -> i32 {
        let unit = &state.armies[army];
        let table = if army == NORTH || army == WEST { NORTH_WEST } else { FAR_ARMIES };
        let worth = table[usize::from(unit.area)];
        // London in Royalist hands can be besieged only when both are out of area 0.
        let dire = state.forts[LONDON].royalist && unit.area == 0;
        let worth = if unit.disordered { worth * 2 / 3 } else { worth };
        if dire { DIRE } else { worth }
    }

    fn worth_of_siege(&self, state: &State, fort: usize) -> i32 {
        let near_to_fall = 6 - i32::from(state.forts[fort].click);
        match fort {
            LONDON => 2 * DIRE,
            1..=3 => 120 + 60 * near_to_fall,
            _ => 70 + 45 * near_to_fall,
        }
    }

    /// What a click up is worth: more, the weaker the fortress and the nearer the Army.
    fn worth_of_click(&self, state: &State, fort: usize) -> i32 {
        let weak = 4 - i32::from(state.forts[fort].click);
        if weak <= 0 {
            return 0;
        }
        let near = armies::lies_in(&self.content, fort)
            .map(|(region, area)| i32::from(state.armies[region].area) - i32::from(area))
            .min()
            .unwrap_or(5);
        let worth = match fort {
            LONDON => 110,
            1..=3 => 70,
            _ => 35,
        };
        worth * weak / near.max(1)
    }

    fn worth_of_track(&self, state: &State, track: usize) -> i32 {
        let index = usize::from(state.tracks[track]);
        let grades = f_grades(&self.content, state);
        let in_f = state.tracks[track] == BOTTOM;
        let worth = TRACK_UP[index] + if in_f { 220 * i32::from(grades) } else { 0 };
        let worth = if in_f && grades >= self.content.numbers.f_grades { DIRE } else { worth };
        match track {
            T_PARLIAMENT | T_PURITANISM | T_MONARCHY | T_CATHOLICISM => worth + 60,
            _ => worth,
        }
    }

    /// What is lost when a marker goes down.
    fn worth_of_fall(&self, state: &State, track: usize) -> i32 {
        if state.tracks[track] + 1 == BOTTOM { 1_000 } else { i32::from(state.tracks[track]) * 10 }
    }

    fn worth_of_option(&self, state: &State, option: u8) -> i32 {
        let list = self.content.options[usize::from(option)].1;
        let mut worth = 0;
        for op in &self.content.lists[usize::from(list)] {
            worth += match *op {
                super::content::Op::Track { track, arrows } if arrows > 0 => {
                    self.worth_of_track(state, usize::from(track)) * i32::from(arrows)
                }
                super::content::Op::Track { track, arrows } => {
                    (200 + self.worth_of_fall(state, usize::from(track))) * i32::from(arrows)
                }
                super::content::Op::Zeal { zeal } => 150 * i32::from(zeal),
                super::content::Op::SwapArmy { .. } => -100,
                _ => 0,
            };
        }
        worth
    }

    /// A Desperate Act is for the moment in which a defeat can still be averted.
    fn worth_of_despair(&self, state: &State, which: usize) -> i32 {
        let track = super::actions::DESPERATE_TRACKS[which];
        let grades = f_grades(&self.content, state);
        let falls = state.tracks[track] + 1 == BOTTOM;
        let dire = state.forts[LONDON].royalist || grades >= self.content.numbers.f_grades;
        let harmless = !falls || grades + 1 < self.content.numbers.f_grades;
        if dire && state.zeal == 0 && harmless { DIRE / 2 } else { 0 }
    }

    /// The Zeal marker goes where most rolls will be made.
    fn worth_of_marker(&self, state: &State, target: Target) -> i32 {
        match target {
            Target::Army(army) => {
                let army = usize::from(army);
                let far = army == SCOTLAND || army == IRELAND;
                let settled = state.armies[army].disordered && state.armies[army].area == 5;
                if settled { 0 } else { self.worth_of_retreat(state, army) / if far { 3 } else { 2 } }
            }
            Target::Fort(fort) if usize::from(fort) == LONDON => DIRE,
            _ => 10,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::event::Events;
    use crate::fate::sampled;
    use crate::game::Node;
    use crate::seat::Seat;

    /// How many of `games` whole wars the bot brings to their last card.
    #[test]
    #[ignore = "a measurement: cargo test --release -- --ignored --nocapture"]
    fn how_often_it_survives() {
        let game = CruelNecessity::load(&CruelNecessity::builtin()).expect("built-in content loads");
        for (scenario, def) in super::super::setup::SCENARIOS.iter().enumerate() {
            let setup = Setup::new(game.catalogue(), Some(def.0), &Default::default()).expect("a scenario");
            assert_eq!(setup.scenario(), scenario);
            let (mut finished, mut points, mut turns) = (0, Vec::new(), 0u32);
            for seed in 0..1_000 {
                let mut rng = ChaCha8Rng::seed_from_u64(seed);
                let mut state = game.start(&setup);
                let mut legal = Vec::new();
                loop {
                    match game.node(&state) {
                        Node::Over => break,
                        Node::Chance => {
                            let outcome = sampled(&game.chance(&state), &mut rng);
                            game.resolve(&mut state, &outcome, &mut Events::silent());
                        }
                        _ => {
                            game.legal(&state, Seat::new(0), &mut legal);
                            let step = game.prefer(&state, &legal);
                            game.apply(&mut state, Seat::new(0), step, &mut Events::silent());
                        }
                    }
                }
                turns += u32::from(state.turn);
                if state.verdict == Some(super::super::state::Verdict::Finished) {
                    finished += 1;
                    points.push(game.score(&state));
                } else if scenario == 0 && seed < 30 {
                    println!("  {:?} in turn {} war {}", state.verdict, state.turn, state.war + 1);
                }
            }
            points.sort_unstable();
            let at = |part: usize| points.get(points.len() * part / 10).copied().unwrap_or(-99);
            println!("{}: {finished} of 1000, points 10% {} 50% {} 90% {}, turns {turns}", def.0, at(1), at(5), at(9));
        }
    }
}
