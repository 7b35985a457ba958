//! Faults of lists, refusals and progress.

use std::ops::ControlFlow;

use edgehill_engine::action::ActionId;
use edgehill_engine::game::{CONTRACT, Game, MatchResult};
use edgehill_engine::games::skirmish::{Skirmish, State};
use edgehill_engine::refusal::{RuleViolation, Why};
use edgehill_engine::seat::{Observer, Seat};
use edgehill_engine::setup::Setup;

use super::fault::Fault;
use super::tools::verb;

/// The first action of every list stands in it twice.
pub(crate) struct ListedTwice;

impl Fault for ListedTwice {
    fn candidates(&self, game: &Skirmish, state: &State, seat: Seat, into: &mut Vec<ActionId>) {
        game.legal(state, seat, into);
        into.extend_from_within(..1);
    }
}

/// The last action of a long list is missing from it, and accepted all the same.
pub(crate) struct Unlisted;

impl Fault for Unlisted {
    fn candidates(&self, game: &Skirmish, state: &State, seat: Seat, into: &mut Vec<ActionId>) {
        game.legal(state, seat, into);
        if into.len() > 2 {
            into.pop();
        }
    }
}

/// A refusal without a reason: to a caller who asks why, the action seems legal.
pub(crate) struct Speechless;

impl Fault for Speechless {
    fn rule_violations(&self, healthy: Vec<RuleViolation>) -> Vec<RuleViolation> {
        healthy.into_iter().filter(|reason| reason.code != "NO_BACKS").collect()
    }
}

/// A line of nonsense is read as the first legal action.
pub(crate) struct Credulous;

impl Fault for Credulous {
    fn parse_line(
        &self,
        game: &Skirmish,
        state: &State,
        seat: Seat,
        line: &str,
    ) -> Result<Vec<ActionId>, edgehill_engine::game::LineError> {
        game.parse_line(state, seat, line).or_else(|_| {
            let mut legal = Vec::new();
            game.legal(state, seat, &mut legal);
            Ok(legal.into_iter().take(1).collect())
        })
    }
}

/// A player with no marches left may not end their activation.
pub(crate) struct NoWayToRest;

impl Fault for NoWayToRest {
    fn examine(
        &self,
        game: &Skirmish,
        state: &State,
        seat: Seat,
        action: ActionId,
        why: &mut Why,
    ) -> ControlFlow<()> {
        let mut legal = Vec::new();
        game.legal(state, seat, &mut legal);
        let tired = game.turn_state(state, Observer::Spectator).prompt.code == "act" && legal == [action];
        why.require(!tired, CONTRACT, "TIRED", &[])?;
        game.examine(state, seat, action, why)
    }
}

/// Both sides win at nightfall.
pub(crate) struct EverybodyWins;

impl Fault for EverybodyWins {
    fn result(&self, game: &Skirmish, state: &State) -> Option<MatchResult> {
        let result = game.result(state)?;
        Some(MatchResult { returns: vec![1; result.returns.len()], ..result })
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
        action: ActionId,
        why: &mut Why,
    ) -> ControlFlow<()> {
        let choosing = game.turn_state(state, Observer::Spectator).prompt.code == "choose";
        let done = game.catalogue().actions.find("done", &[]).expect("there is such an action");
        let picked = choosing && game.permits(state, seat, done);
        match verb(game, action) {
            "done" if picked => why.require(false, CONTRACT, "THINK_AGAIN", &[]),
            "card" if picked => {
                let rule_violations = game.rule_violations(state, seat, action);
                let held = rule_violations.iter().all(|reason| reason.code == "CARD_PICKED");
                why.require(held, CONTRACT, "NOT_IN_HAND", &[])
            }
            _ => game.examine(state, seat, action, why),
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
