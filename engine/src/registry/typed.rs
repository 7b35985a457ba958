//! [`Table`] as a match without its game's type.
//!
//! Each call is the table's own of the same name.

// A call that the table has lost would call itself for ever.
#![deny(unconditional_recursion)]

use rand_chacha::ChaCha8Rng;
use rand_core::{Rng, SeedableRng};
use serde_json::Value;

use crate::action::ActionId;
use crate::catalogue::{Catalogue, LIST_ACTIONS_MAX};
use crate::chance::{Class, Outcome};
use crate::chance_source::{ChanceSource, ChanceSourceError};
use crate::game::{Game, LineError, MatchResult, Node};
use crate::position::PositionError;
use crate::refusal::RuleViolation;
use crate::seat::{Observer, Seat, SeatSet};
use crate::setup::Setup;
use crate::table::{Applied, ApplyMode, FollowedView, LogEntry, ObservedEvent, Refusal, Saved, Table};
use crate::view::{StandingPass, View, Window};

use super::{AnyTable, DueChance};

/// The observer that a match of `seats` seats takes `observer` for.
fn present(observer: Observer, seats: usize) -> Observer {
    match observer {
        Observer::Seat(seat) if seat.index() >= seats => Observer::Spectator,
        observer => observer,
    }
}

impl<G: Game> AnyTable for Table<G> {
    fn catalogue(&self) -> &Catalogue {
        self.game().catalogue()
    }

    fn setup(&self) -> &Setup {
        self.setup()
    }

    fn position(&self) -> Option<&Value> {
        self.position()
    }

    fn seats(&self) -> usize {
        self.seats()
    }

    fn node(&self) -> Node {
        self.node()
    }

    fn result(&self) -> Option<MatchResult> {
        self.result()
    }

    fn legal(&self, seat: Seat) -> Vec<ActionId> {
        self.legal(seat)
    }

    fn rule_violations(&self, seat: Seat, action: ActionId) -> Vec<RuleViolation> {
        if self.node() == Node::Over {
            // Also where a seat resigned, which the state knows nothing of.
            return vec![RuleViolation {
                code: "MATCH_FINISHED",
                rule: crate::game::CONTRACT,
                refs: Vec::new(),
            }];
        }
        self.game().rule_violations(self.state(), seat, action)
    }

    fn apply(&mut self, seat: Seat, actions: &[ActionId], mode: ApplyMode) -> Result<Applied, Refusal> {
        self.apply(seat, actions, mode)
    }

    fn revise(
        &mut self,
        seat: Seat,
        keep: usize,
        actions: &[ActionId],
        mode: ApplyMode,
    ) -> Result<Applied, Refusal> {
        self.revise(seat, keep, actions, mode)
    }

    fn apply_line(&mut self, seat: Seat, line: &str, mode: ApplyMode) -> Result<Applied, Refusal> {
        self.apply_line(seat, line, mode)
    }

    fn parse_line(&self, seat: Seat, line: &str) -> Result<Vec<ActionId>, LineError> {
        if seat.index() >= self.seats() {
            // A game's own grammar reads the state by seat.
            let item = line.split([';', '\n']).next().unwrap_or_default().trim().to_owned();
            return Err(LineError { index: 0, item, expected: "a seat of this match".to_owned() });
        }
        self.game().parse_line(self.state(), seat, line)
    }

    fn print_line(&self, seat: Seat, actions: &[ActionId]) -> String {
        if seat.index() >= self.seats() {
            let table = &self.game().catalogue().actions;
            return actions.iter().map(|&action| table.notation(action)).collect::<Vec<_>>().join("; ");
        }
        self.game().print_line(self.state(), seat, actions)
    }

    fn draft(&self, seat: Seat) -> &[ActionId] {
        self.draft(seat)
    }

    fn committed(&self, seat: Seat) -> bool {
        self.committed(seat)
    }

    fn undo(&mut self, seat: Seat, keep: usize) -> Result<(), Refusal> {
        self.undo(seat, keep)
    }

    fn chance(&self) -> Option<DueChance> {
        if self.node() != Node::Chance {
            return None;
        }
        let chance = self.game().chance(self.state());
        let chance_ref = self.stamp_of(&chance);
        Some(DueChance { chance, chance_ref })
    }

    fn classes(&self) -> Vec<Class> {
        if self.node() == Node::Chance { self.game().classes(self.state()) } else { Vec::new() }
    }

    fn enter(&mut self, outcome: &Outcome) -> Result<(), Refusal> {
        self.enter(outcome)
    }

    fn chance_source(&self) -> &ChanceSource {
        self.chance_source()
    }

    fn chance_source_error(&self) -> Option<&ChanceSourceError> {
        self.chance_source_error()
    }

    fn view(&self, observer: Observer) -> View {
        self.view(present(observer, self.seats()))
    }

    fn window(&self, seat: Seat) -> Option<Window> {
        let observer = present(Observer::Seat(seat), self.seats());
        self.game().turn_state(self.state(), observer).window.filter(|window| window.seat == seat)
    }

    fn followed(&self, observer: Observer) -> FollowedView {
        self.followed(present(observer, self.seats()))
    }

    fn follow(&self, followed: &mut FollowedView) {
        self.follow(followed);
    }

    fn first_view(&self, observer: Observer) -> Result<View, PositionError> {
        self.first_view(present(observer, self.seats()))
    }

    fn published(&self, observer: Observer, from: usize) -> &[ObservedEvent] {
        self.published(present(observer, self.seats()), from)
    }

    fn forget_published(&mut self) {
        self.forget_published();
    }

    fn go_on_from(&mut self, lengths: &[usize]) {
        self.go_on_from(lengths);
    }

    fn published_count(&self, observer: Observer) -> usize {
        self.published_count(present(observer, self.seats()))
    }

    fn stand(&mut self, seat: Seat, passes: Vec<StandingPass>) -> Result<(), Refusal> {
        self.stand(seat, passes)
    }

    fn standing(&self, seat: Seat) -> &[StandingPass] {
        self.standing(seat)
    }

    fn resign(&mut self, seat: Seat) -> Result<(), Refusal> {
        self.resign(seat)
    }

    fn offer_draw(&mut self, seat: Seat) -> Result<(), Refusal> {
        self.offer_draw(seat)
    }

    fn decline_draw(&mut self, seat: Seat) -> Result<(), Refusal> {
        self.decline_draw(seat)
    }

    fn accept_draw(&mut self, seat: Seat) -> Result<(), Refusal> {
        self.accept_draw(seat)
    }

    fn offers(&self) -> SeatSet {
        self.offers()
    }

    fn default_action(&mut self, seat: Seat) -> Result<Applied, Refusal> {
        let refused = match self.node() {
            Node::Over => Some(Refusal::MatchFinished),
            _ if seat.index() >= self.seats() => Some(Refusal::UnknownSeat),
            node if !node.to_act().contains(seat) => {
                // The same words as for an action that comes out of turn.
                let action = ActionId(0);
                let rule_violations = self.game().rule_violations(self.state(), seat, action);
                Some(Refusal::Action { index: 0, action, rule_violations })
            }
            _ => None,
        };
        if let Some(refused) = refused {
            return Err(refused);
        }
        let default_action = self.game().default_action(self.released(), seat, self.draft(seat));
        // On a copy first: the whole is one call, refused or taken as one.
        let mut after = self.clone();
        if default_action.keep < after.draft(seat).len() {
            after.undo(seat, default_action.keep)?;
        }
        let mut actions = 0;
        for list in default_action.actions.chunks(LIST_ACTIONS_MAX) {
            actions += after.apply(seat, list, ApplyMode::Atomic)?.actions;
        }
        *self = after;
        Ok(Applied { actions })
    }

    fn save(&self) -> Saved {
        self.save()
    }

    fn log(&self) -> &[LogEntry] {
        self.log()
    }

    fn encoded(&self) -> Vec<u8> {
        self.game().encoded(self.state())
    }

    fn anew(&self, chance_source: ChanceSource) -> Result<Box<dyn AnyTable>, PositionError> {
        let (game, setup) = (self.game().clone(), self.setup().clone());
        Ok(match self.position() {
            None => Box::new(Self::open(game, setup, chance_source)),
            Some(position) => Box::new(Self::open_position(game, setup, position.clone(), chance_source)?),
        })
    }

    fn determinize(&self, view: &View, rng: &mut dyn Rng) -> Box<dyn AnyTable> {
        let state = self.game().resample(self.setup(), view, rng);
        let chance_source = ChanceSource::Playout(Box::new(ChaCha8Rng::seed_from_u64(rng.next_u64())));
        Box::new(Self::from_state(self.game().clone(), self.setup().clone(), None, state, chance_source))
    }

    fn state_bytes(&self) -> usize {
        self.states_kept() * size_of::<G::State>()
    }

    fn clone_box(&self) -> Box<dyn AnyTable> {
        Box::new(self.clone())
    }
}
