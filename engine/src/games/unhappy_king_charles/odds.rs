//! The exact odds of the next dice, for people: parts of the context of a view.
//!
//! Invariant: they follow from what the observer sees; what is hidden from them has no part in the odds. They hold up to the next
//! decision: a card that is still to be played, and the Earl of Brentford, change them.

use crate::vocabulary::*;

use super::UnhappyKing;
use super::content::ids::GeneralId;
use super::frames::Frame;
use super::procedures::interception::{self, Try};
use super::procedures::{battle, bombardment, evasion};
use super::state::State;

/// Roles with their references, as a procedure tells them.
type Told = Vec<(&'static str, Ref)>;

/// Faces of two dice.
const TWO_DICE: i32 = 36;

/// Results of a Battle, the attacker's and the defender's from the least margin to the greatest.
const RESULTS: [[&str; 4]; 2] = [
    ["attacker-drawn", "attacker-indecisive", "attacker-major", "attacker-decisive"],
    ["defender-drawn", "defender-indecisive", "defender-major", "defender-decisive"],
];

fn number(number: impl Into<i32>) -> Ref {
    Ref::Number(number.into())
}

impl UnhappyKing {
    /// Returns what the next dice of the innermost procedure can bring, if an observer can know it: ways in six of one die, in 36 of two.
    pub(super) fn odds(&self, state: &State, observer: Observer) -> Told {
        let Some(&frame) = state.frames.top() else { return Told::new() };
        match frame {
            Frame::Interception { seat, general, added, stage, leaving } => {
                self.interception_odds(state, seat, Try { general, leaving, added, stage })
            }
            Frame::Evasion { general, stage: evasion::stages::OFFER | evasion::stages::DIE, .. } => {
                vec![("evades-in-6", number(self.evasion_ways(state, general)))]
            }
            Frame::CombatCard { .. } | Frame::Battle { stage: battle::stages::DICE } => {
                self.battle_odds(state)
            }
            Frame::Bombardment { seat, general, stage, .. } => match stage {
                bombardment::stages::ROLL => self.bombardment_odds(state, (seat, general), observer),
                bombardment::stages::ASSAULT | bombardment::stages::ASSAULT_ROLL => {
                    vec![("storms-in-36", number(self.assault_ways(state, general)))]
                }
                _ => Told::new(),
            },
            Frame::Blockade { seat, done } => {
                let of = |general: GeneralId| {
                    let odds = self.bombardment_odds(state, (seat, general), observer);
                    odds.into_iter().flat_map(move |one| [("may-bombard", Ref::from(general)), one])
                };
                self.blockaders(state, seat, done).flat_map(of).collect()
            }
            Frame::Play { seat, card: Some(card), .. }
                if observer.is(seat) && self.may_raise_london(state, seat, card) =>
            {
                vec![("rises-in-6", number(self.rising_ways(state)))]
            }
            Frame::Special { card, stage, .. } if self.awaits_rising(self.paragraph(card), stage) => {
                vec![("rises-in-6", number(self.rising_ways(state)))]
            }
            _ => Told::new(),
        }
    }

    /// 9.7.2: of each commander who may try, or of the one who does.
    fn interception_odds(&self, state: &State, seat: Seat, attempt: Try) -> Told {
        let ways = |general: GeneralId| {
            let attempt = Try { general: Some(general), ..attempt };
            ("intercepts-in-6", number(self.interception_ways(state, attempt)))
        };
        if attempt.stage != interception::stages::DECLARATION {
            return attempt.general.map(ways).into_iter().collect();
        }
        let able = self.able_interceptors(state, seat);
        able.flat_map(|general| [("may-intercept", Ref::from(general)), ways(general)]).collect()
    }

    /// 10.2: of the 36 ways those with each result, once no further Combat Card may come but the one that is asked for.
    fn battle_odds(&self, state: &State) -> Told {
        if self.awaits_second_card(state) {
            return Told::new();
        }
        let attacker = state.ongoing_battle().attacker;
        let mut ways = [[0; 4]; 2];
        for first in 1..=6 {
            for second in 1..=6 {
                let (winner, margin) = self.battle_result(state, [first, second]);
                ways[usize::from(winner != attacker)][margin as usize] += 1;
            }
        }
        let of_results = RESULTS.into_iter().flatten().zip(ways.into_iter().flatten());
        let told = of_results.filter(|&(_, ways)| ways > 0).map(|(role, ways)| (role, Ref::Number(ways)));
        [("battle-ways", Ref::Number(TWO_DICE))].into_iter().chain(told).collect()
    }

    /// 14.3, 14.4: faces by which the Fortress surrenders; to its own side alone, since the New Model Army's Brigades in an Army are hidden
    /// till they serve (Y4).
    fn bombardment_odds(
        &self,
        state: &State,
        (seat, general): (Seat, GeneralId),
        observer: Observer,
    ) -> Told {
        if !observer.is(seat) {
            return Told::new();
        }
        vec![("surrenders-in-6", number(self.bombardment_ways(state, general)))]
    }
}
