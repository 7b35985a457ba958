//! [`Table`] as a match without its game's type.
//!
//! Each call is the table's own of the same name.

// A call that the table has lost would call itself for ever.
#![deny(unconditional_recursion)]

use rand_chacha::ChaCha8Rng;
use rand_core::{Rng, SeedableRng};
use serde_json::Value;

use crate::catalogue::{Catalogue, LIST_STEPS_MAX};
use crate::chance::{Class, Outcome};
use crate::fate::{Fate, FateError};
use crate::game::{Ending, Game, LineError, Node};
use crate::position::PositionError;
use crate::refusal::Reason;
use crate::seat::{Observer, Seat, SeatSet};
use crate::setup::Setup;
use crate::step::StepId;
use crate::table::{Applied, Entry, ListMode, Refusal, Saved, Seen, Table};
use crate::view::{StandingPass, View};

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

    fn ending(&self) -> Option<Ending> {
        self.ending()
    }

    fn legal(&self, seat: Seat) -> Vec<StepId> {
        self.legal(seat)
    }

    fn reasons(&self, seat: Seat, step: StepId) -> Vec<Reason> {
        if self.node() == Node::Over {
            // Also where a seat resigned, which the state knows nothing of.
            return vec![Reason { code: "MATCH_OVER", rule: crate::game::CONTRACT, refs: Vec::new() }];
        }
        self.game().reasons(self.state(), seat, step)
    }

    fn apply(&mut self, seat: Seat, steps: &[StepId], mode: ListMode) -> Result<Applied, Refusal> {
        self.apply(seat, steps, mode)
    }

    fn revise(
        &mut self,
        seat: Seat,
        keep: usize,
        steps: &[StepId],
        mode: ListMode,
    ) -> Result<Applied, Refusal> {
        self.revise(seat, keep, steps, mode)
    }

    fn apply_line(&mut self, seat: Seat, line: &str, mode: ListMode) -> Result<Applied, Refusal> {
        self.apply_line(seat, line, mode)
    }

    fn parse_line(&self, seat: Seat, line: &str) -> Result<Vec<StepId>, LineError> {
        if seat.index() >= self.seats() {
            // A game's own grammar reads the state by seat.
            let item = line.split([';', '\n']).next().unwrap_or_default().trim().to_owned();
            return Err(LineError { index: 0, item, expected: "a seat of this match".to_owned() });
        }
        self.game().parse_line(self.state(), seat, line)
    }

    fn print_line(&self, seat: Seat, steps: &[StepId]) -> String {
        if seat.index() >= self.seats() {
            let table = &self.game().catalogue().steps;
            return steps.iter().map(|&step| table.notation(step)).collect::<Vec<_>>().join("; ");
        }
        self.game().print_line(self.state(), seat, steps)
    }

    fn draft(&self, seat: Seat) -> &[StepId] {
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
        let stamp = self.stamp_of(&chance);
        Some(DueChance { chance, stamp })
    }

    fn classes(&self) -> Vec<Class> {
        if self.node() == Node::Chance { self.game().classes(self.state()) } else { Vec::new() }
    }

    fn enter(&mut self, outcome: &Outcome) -> Result<(), Refusal> {
        self.enter(outcome)
    }

    fn fate(&self) -> &Fate {
        self.fate()
    }

    fn fate_error(&self) -> Option<&FateError> {
        self.fate_error()
    }

    fn view(&self, observer: Observer) -> View {
        self.view(present(observer, self.seats()))
    }

    fn heard(&self, observer: Observer, from: usize) -> &[Seen] {
        self.heard(present(observer, self.seats()), from)
    }

    fn forget_heard(&mut self) {
        self.forget_heard();
    }

    fn heard_count(&self, observer: Observer) -> usize {
        self.heard_count(present(observer, self.seats()))
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

    fn accept_draw(&mut self, seat: Seat) -> Result<(), Refusal> {
        self.accept_draw(seat)
    }

    fn offers(&self) -> SeatSet {
        self.offers()
    }

    fn absent(&mut self, seat: Seat) -> Result<Applied, Refusal> {
        let refused = match self.node() {
            Node::Over => Some(Refusal::MatchOver),
            _ if seat.index() >= self.seats() => Some(Refusal::UnknownSeat),
            node if !node.owing().contains(seat) => {
                // The same words as for a step that comes out of turn.
                let step = StepId(0);
                let reasons = self.game().reasons(self.state(), seat, step);
                Some(Refusal::Step { index: 0, step, reasons })
            }
            _ => None,
        };
        if let Some(refused) = refused {
            return Err(refused);
        }
        let absence = self.game().absent(self.released(), seat, self.draft(seat));
        // On a copy first: the whole is one call, refused or taken as one.
        let mut after = self.clone();
        if absence.keep < after.draft(seat).len() {
            after.undo(seat, absence.keep)?;
        }
        let mut steps = 0;
        for list in absence.steps.chunks(LIST_STEPS_MAX) {
            steps += after.apply(seat, list, ListMode::Whole)?.steps;
        }
        *self = after;
        Ok(Applied { steps })
    }

    fn save(&self) -> Saved {
        self.save()
    }

    fn log(&self) -> &[Entry] {
        self.log()
    }

    fn encoded(&self) -> Vec<u8> {
        self.game().encoded(self.state())
    }

    fn anew(&self, fate: Fate) -> Result<Box<dyn AnyTable>, PositionError> {
        let (game, setup) = (self.game().clone(), self.setup().clone());
        Ok(match self.position() {
            None => Box::new(Self::open(game, setup, fate)),
            Some(position) => Box::new(Self::open_position(game, setup, position.clone(), fate)?),
        })
    }

    fn imagine(&self, view: &View, rng: &mut dyn Rng) -> Box<dyn AnyTable> {
        let state = self.game().resample(self.setup(), view, rng);
        let fate = Fate::Playout(Box::new(ChaCha8Rng::seed_from_u64(rng.next_u64())));
        Box::new(Self::from_state(self.game().clone(), self.setup().clone(), None, state, fate))
    }

    fn clone_box(&self) -> Box<dyn AnyTable> {
        Box::new(self.clone())
    }
}
