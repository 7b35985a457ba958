//! Applying steps: lists up to the first reveal, releases, and what follows of itself (chance, standing passes).

use smallvec::{SmallVec, smallvec};

use crate::catalogue::{DRAFT_STEPS_MAX, LIST_STEPS_MAX};
use crate::chance::{Chance, Outcome};
use crate::event::{Event, EventList, Events, Stamp};
use crate::game::{CONTRACT, Game, Node};
use crate::reference::Ref;
use crate::seat::{Observer, Seat};
use crate::step::{StepId, VerbKind};

use super::{Entry, Refusal, Table};

/// What to do with a list that goes on after something is learnt.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub enum ListMode {
    /// Refuse all of it.
    #[default]
    Whole,
    /// Apply it up to there.
    UntilReveal,
}

/// What became of an accepted list.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Applied {
    /// How many of its steps were taken.
    pub steps: usize,
}

/// How a step leaves the segment of its seat.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
enum Reach {
    /// The segment goes on.
    On,
    /// The segment goes on, but what was done is final.
    Released,
    /// Dice are due: nothing of this list can come after it, but until they are rolled it is not final.
    Due,
    /// Nothing of this list can come after it, and what was done is final.
    Ended,
}

/// A step that was tried.
struct Tried {
    step: StepId,
    events: EventList,
    reach: Reach,
}

/// Steps that were tried, in order; mostly one.
type Tries = SmallVec<[Tried; 1]>;

/// A list that was tried: its steps, and how many of them were released on the way, with the state then.
struct TriedList<S> {
    steps: Tries,
    released: Option<(usize, Box<S>)>,
}

impl<G: Game> Table<G> {
    /// Takes steps for `seat`, as one.
    ///
    /// # Errors
    /// If a step is not legal, or the list runs past a point where something is learnt ([`ListMode`]).
    pub fn apply(&mut self, seat: Seat, steps: &[StepId], mode: ListMode) -> Result<Applied, Refusal> {
        self.check_list(seat, steps, self.draft(seat).len())?;
        let tried = self.try_list(seat, steps, mode)?;
        let applied = Applied { steps: tried.steps.len() };
        let logged = self.log.len();
        self.streams.begin();
        self.take(seat, tried);
        self.advance();
        // What is final is in the log; what is not is a draft, and nobody else sees anything of it.
        if self.log.len() == logged {
            self.settle_draft(seat)
        } else {
            self.settle()
        }
        Ok(applied)
    }

    /// Takes back to the first `keep` steps of `seat`'s draft and goes on with `steps` from there, as one.
    ///
    /// # Errors
    /// As [`Table::undo`] and [`Table::apply`]; then the draft is as it was.
    pub fn revise(
        &mut self,
        seat: Seat,
        keep: usize,
        steps: &[StepId],
        mode: ListMode,
    ) -> Result<Applied, Refusal> {
        let draft = self.draft(seat).len();
        // More than there is counts for nothing here: it is refused below, for what it is.
        self.check_list(seat, steps, if keep > draft { 0 } else { keep })?;
        if keep == draft {
            return self.apply(seat, steps, mode);
        }
        self.check_undo(seat, keep)?;
        let kept = self.tip_with(seat, keep);
        let tip = std::mem::replace(&mut self.tip, kept);
        let tried = self.try_list(seat, steps, mode);
        self.tip = tip;
        tried?;
        self.undo(seat, keep)?;
        self.apply(seat, steps, mode)
    }

    /// Tries a list on the state at the tip, which is as it was if the list is refused.
    fn try_list(
        &mut self,
        seat: Seat,
        steps: &[StepId],
        mode: ListMode,
    ) -> Result<TriedList<G::State>, Refusal> {
        // One step is examined before it is taken; of several, some are taken when a later one is refused.
        let before = (steps.len() > 1).then(|| Box::new(self.tip.clone()));
        let tried = self.try_steps(seat, steps, mode);
        if let (Err(_), Some(before)) = (&tried, before) {
            self.tip = *before;
        }
        tried
    }

    /// Takes the steps of a list one after another, up to the first that is refused.
    fn try_steps(
        &mut self,
        seat: Seat,
        steps: &[StepId],
        mode: ListMode,
    ) -> Result<TriedList<G::State>, Refusal> {
        let mut tried = TriedList { steps: Tries::with_capacity(steps.len()), released: None };
        for (index, &step) in steps.iter().enumerate() {
            if tried.steps.last().is_some_and(|last| matches!(last.reach, Reach::Due | Reach::Ended)) {
                match mode {
                    ListMode::Whole => return Err(Refusal::ListCrossesReveal { index }),
                    ListMode::UntilReveal => break,
                }
            }
            let reasons = self.game.reasons(&self.tip, seat, step);
            if !reasons.is_empty() {
                return Err(Refusal::Step { index, step, reasons });
            }
            let one = self.try_step(seat, step);
            if one.reach == Reach::Released {
                tried.released = Some((index + 1, Box::new(self.tip.clone())));
            }
            tried.steps.push(one);
        }
        Ok(tried)
    }

    /// Takes a step that is legal.
    fn try_step(&mut self, seat: Seat, step: StepId) -> Tried {
        let mut out = Events::recording();
        self.game.apply(&mut self.tip, seat, step, &mut out);
        let reach = self.reach(seat, step, &out);
        Tried { step, events: out.into_list(), reach }
    }

    /// Reads a line for `seat` and takes its steps.
    ///
    /// # Errors
    /// If the line can't be read, and as [`Table::apply`].
    pub fn apply_line(&mut self, seat: Seat, line: &str, mode: ListMode) -> Result<Applied, Refusal> {
        if seat.index() >= self.seats {
            return Err(Refusal::UnknownSeat);
        }
        if self.closed.is_some() {
            return Err(Refusal::MatchOver);
        }
        let steps = self.game.parse_line(&self.tip, seat, line)?;
        self.apply(seat, &steps, mode)
    }

    /// Enters the outcome of the open chance event, as a person with real dice does.
    ///
    /// # Errors
    /// If no chance event is open, or the outcome does not fit it.
    pub fn enter(&mut self, outcome: &Outcome) -> Result<(), Refusal> {
        if self.node() != Node::Chance {
            return Err(Refusal::NoChance);
        }
        self.game.chance(&self.tip).admits(outcome)?;
        self.streams.begin();
        self.resolve(outcome);
        self.advance();
        self.settle();
        Ok(())
    }

    /// Whether `steps` may be a list of `seat` at all, `kept` steps of its draft staying before them.
    fn check_list(&self, seat: Seat, steps: &[StepId], kept: usize) -> Result<(), Refusal> {
        if seat.index() >= self.seats {
            return Err(Refusal::UnknownSeat);
        }
        if self.closed.is_some() {
            return Err(Refusal::MatchOver);
        }
        match steps.len() {
            0 => Err(Refusal::EmptyList),
            1..=LIST_STEPS_MAX if kept + steps.len() > DRAFT_STEPS_MAX => Err(Refusal::DraftTooLong),
            1..=LIST_STEPS_MAX => Ok(()),
            _ => Err(Refusal::ListTooLong),
        }
    }

    fn commits(&self, step: StepId) -> bool {
        self.game.catalogue().steps.verb_of(step).is_some_and(|verb| verb.kind == VerbKind::Done)
    }

    /// How a step that led to the state at the tip leaves the segment of its seat.
    fn reach(&self, seat: Seat, step: StepId, out: &Events) -> Reach {
        if let Node::Sealed(_) = self.game.node(&self.base) {
            return if self.commits(step) { Reach::Ended } else { Reach::On };
        }
        match self.game.node(&self.tip) {
            Node::Decision(next) if next == seat && !out.has_learnt() => {
                if out.has_released() {
                    Reach::Released
                } else {
                    Reach::On
                }
            }
            Node::Chance if !out.has_released() => Reach::Due,
            _ => Reach::Ended,
        }
    }

    /// Makes tried steps part of the match.
    fn take(&mut self, seat: Seat, tried: TriedList<G::State>) {
        let TriedList { steps: tried, released } = tried;
        if let Node::Sealed(_) = self.game.node(&self.base) {
            self.take_sealed(seat, tried);
            return;
        }
        let already = self.lines[seat.index()].steps.len();
        let ended = tried.last().is_some_and(|last| last.reach == Reach::Ended);
        for one in tried {
            for event in &one.events {
                self.tell(Observer::Seat(seat), event);
            }
            let line = &mut self.lines[seat.index()];
            line.steps.push(one.step);
            line.waiting.push(one.events);
        }
        if let Some((steps, base)) = released {
            self.base = *base;
            self.release(seat, already + steps);
        }
        if ended {
            self.release_all();
        }
    }

    fn take_sealed(&mut self, seat: Seat, tried: Tries) {
        for one in tried {
            let line = &mut self.lines[seat.index()];
            line.steps.push(one.step);
            line.committed = one.reach == Reach::Ended;
            if !self.lines[seat.index()].committed {
                one.events.into_iter().for_each(|event| self.tell_only(Observer::Seat(seat), event));
                continue;
            }
            self.tell_all(&Event::new("committed", CONTRACT, &[Ref::Seat(seat)]));
            self.offers = self.offers.without(seat);
            let steps = self.lines[seat.index()].steps.clone();
            self.log.push(Entry::Commit { seat, steps });
            let owing = self.game.node(&self.base).owing();
            if owing.iter().all(|other| self.lines[other.index()].committed) {
                self.base = self.tip.clone();
                self.lines.fill(super::Line::default());
                one.events.iter().for_each(|event| self.tell_all(event));
            } else {
                one.events.into_iter().for_each(|event| self.tell_only(Observer::Seat(seat), event));
            }
        }
    }

    /// The first `steps` of a seat's line are final: everybody else hears of them.
    fn release(&mut self, seat: Seat, steps: usize) {
        let line = &mut self.lines[seat.index()];
        let taken: Vec<StepId> = line.steps.drain(..steps).collect();
        let events: EventList = line.waiting.drain(..steps).flatten().collect();
        for event in &events {
            for observer in Observer::all(self.seats).filter(|observer| !observer.is(seat)) {
                self.tell(observer, event);
            }
        }
        if !taken.is_empty() {
            self.offers = self.offers.without(seat);
            self.log.push(Entry::Commit { seat, steps: taken });
        }
    }

    /// Everything is final.
    fn release_all(&mut self) {
        self.base = self.tip.clone();
        for index in 0..self.seats {
            let steps = self.lines[index].steps.len();
            self.release(Seat::new(index as u8), steps);
        }
    }

    /// Goes on by itself: resolves chance while the fate can, plays standing passes.
    pub(super) fn advance(&mut self) {
        while self.closed.is_none() {
            match self.game.node(&self.tip) {
                Node::Chance => {
                    let chance = self.game.chance(&self.tip);
                    let stamp = self.stamp_of(&chance);
                    match self.fate.draw(&chance, stamp, self.game.catalogue()) {
                        Ok(Some(outcome)) => self.resolve(&outcome),
                        Ok(None) => return,
                        Err(error) => {
                            self.fate_error = Some(error);
                            return;
                        }
                    }
                }
                Node::Decision(seat) => match self.standing_pass(seat) {
                    Some(pass) => self.play_pass(seat, pass),
                    None => return,
                },
                Node::Sealed(_) | Node::Over => return,
            }
        }
    }

    /// Passes for a seat; the call that led here is told to its end first, as if the seat had been asked.
    fn play_pass(&mut self, seat: Seat, pass: StepId) {
        self.settle();
        self.streams.begin();
        let tried = self.try_step(seat, pass);
        let released = (tried.reach == Reach::Released).then(|| (1, Box::new(self.tip.clone())));
        self.take(seat, TriedList { steps: smallvec![tried], released });
    }

    /// The place of `chance`, the next event, among the match's dice (docs/dice.md): rolls and choices are counted within
    /// their stream; a draw from a bag counts for nothing, and has its epoch.
    #[must_use]
    pub fn stamp_of(&self, chance: &Chance) -> Stamp {
        let stream = chance.stream();
        let n = match chance {
            Chance::Bag(bag) => bag.epoch,
            Chance::Roll { .. } | Chance::Choice { .. } => self.counters.get(&stream).copied().unwrap_or(0),
        };
        Stamp { stream, n }
    }

    fn resolve(&mut self, outcome: &Outcome) {
        self.release_all();
        self.fate_error = None;
        let chance = self.game.chance(&self.tip);
        let stamp = self.stamp_of(&chance);
        if !matches!(chance, Chance::Bag(_)) {
            *self.counters.entry(stamp.stream).or_default() += 1;
        }
        let mut out = Events::recording_draw(stamp);
        self.game.resolve(&mut self.tip, outcome, &mut out);
        for event in out.into_list() {
            self.tell_all(&event);
        }
        self.log.push(Entry::Chance { stamp, outcome: outcome.clone() });
        self.base = self.tip.clone();
    }
}
