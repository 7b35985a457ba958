//! Faults of lists, refusals and progress.

use std::ops::ControlFlow;

use edgehill_engine::game::{CONTRACT, Ending, Game};
use edgehill_engine::games::skirmish::{Skirmish, State};
use edgehill_engine::refusal::{Reason, Why};
use edgehill_engine::seat::{Observer, Seat};
use edgehill_engine::setup::Setup;
use edgehill_engine::step::StepId;

use super::fault::Fault;
use super::tools::verb;

/// The first step of every list stands in it twice.
pub(crate) struct ListedTwice;

impl Fault for ListedTwice {
    fn candidates(&self, game: &Skirmish, state: &State, seat: Seat, into: &mut Vec<StepId>) {
        game.legal(state, seat, into);
        into.extend_from_within(..1);
    }
}

/// The last step of a long list is missing from it, and accepted all the same.
pub(crate) struct Unlisted;

impl Fault for Unlisted {
    fn candidates(&self, game: &Skirmish, state: &State, seat: Seat, into: &mut Vec<StepId>) {
        game.legal(state, seat, into);
        if into.len() > 2 {
            into.pop();
        }
    }
}

/// A refusal without a reason: to whoever asks why, the step seems legal.
pub(crate) struct Speechless;

impl Fault for Speechless {
    fn reasons(&self, healthy: Vec<Reason>) -> Vec<Reason> {
        healthy.into_iter().filter(|reason| reason.code != "NO_BACKS").collect()
    }
}

/// A line of nonsense is read as the first legal step.
pub(crate) struct Credulous;

impl Fault for Credulous {
    fn parse_line(
        &self,
        game: &Skirmish,
        state: &State,
        seat: Seat,
        line: &str,
    ) -> Result<Vec<StepId>, edgehill_engine::game::LineError> {
        game.parse_line(state, seat, line).or_else(|_| {
            let mut legal = Vec::new();
            game.legal(state, seat, &mut legal);
            Ok(legal.into_iter().take(1).collect())
        })
    }
}

/// Who has no marches left may not end his activation.
pub(crate) struct NoWayToRest;

impl Fault for NoWayToRest {
    fn examine(
        &self,
        game: &Skirmish,
        state: &State,
        seat: Seat,
        step: StepId,
        why: &mut Why,
    ) -> ControlFlow<()> {
        let mut legal = Vec::new();
        game.legal(state, seat, &mut legal);
        let tired = game.head(state, Observer::Spectator).prompt.code == "act" && legal == [step];
        why.require(!tired, CONTRACT, "TIRED", &[])?;
        game.examine(state, seat, step, why)
    }
}

/// Both sides win at nightfall.
pub(crate) struct EverybodyWins;

impl Fault for EverybodyWins {
    fn ending(&self, game: &Skirmish, state: &State) -> Option<Ending> {
        let ending = game.ending(state)?;
        Some(Ending { returns: vec![1; ending.returns.len()], ..ending })
    }
}

/// Once a card is picked it can be picked again and again, and never committed.
pub(crate) struct SecondThoughts;

impl Fault for SecondThoughts {
    fn examine(
        &self,
        game: &Skirmish,
        state: &State,
        seat: Seat,
        step: StepId,
        why: &mut Why,
    ) -> ControlFlow<()> {
        let choosing = game.head(state, Observer::Spectator).prompt.code == "choose";
        let done = game.catalogue().steps.find("done", &[]).expect("there is such a step");
        let picked = choosing && game.permits(state, seat, done);
        match verb(game, step) {
            "done" if picked => why.require(false, CONTRACT, "THINK_AGAIN", &[]),
            "card" if picked => {
                let reasons = game.reasons(state, seat, step);
                let held = reasons.iter().all(|reason| reason.code == "CARD_PICKED");
                why.require(held, CONTRACT, "NOT_IN_HAND", &[])
            }
            _ => game.examine(state, seat, step, why),
        }
    }
}

/// Matches are longer than the game says.
pub(crate) struct Overrun;

impl Fault for Overrun {
    fn bound(&self, _game: &Skirmish, _setup: &Setup) -> u32 {
        40
    }
}
