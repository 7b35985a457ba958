//! Applying actions: lists up to the first reveal, releases, and what follows of itself (chance, standing passes).

use std::sync::Arc;

use smallvec::{SmallVec, smallvec};

use crate::action::{ActionId, VerbKind};
use crate::catalogue::{DRAFT_ACTIONS_MAX, LIST_ACTIONS_MAX};
use crate::chance::{Chance, Outcome};
use crate::event::{ChanceRef, Event, EventList, Events};
use crate::game::{CONTRACT, Game, Node};
use crate::reference::Ref;
use crate::seat::{Observer, Seat};

use super::{LogEntry, Refusal, Table};

/// The treatment of a list that goes on after something is revealed.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub enum ApplyMode {
    /// Refuse all of it.
    #[default]
    Atomic,
    /// Apply it up to there.
    UntilReveal,
}

/// The result of an accepted list.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Applied {
    /// Number of its actions that were taken.
    pub actions: usize,
}

/// The way in which an action leaves the segment of its seat.
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

/// An action that was tried.
struct Tried {
    action: ActionId,
    events: EventList,
    reach: Reach,
}

/// Actions that were tried, in order; mostly one.
type Tries = SmallVec<[Tried; 1]>;

/// A list that was tried: its actions, and how many of them were released on the way, with the state then.
struct TriedList<S> {
    actions: Tries,
    released: Option<(usize, Arc<S>)>,
}

impl<G: Game> Table<G> {
    /// Takes actions for `seat`, as one.
    ///
    /// # Errors
    /// If an action is not legal, or the list runs past a point where something is revealed ([`ApplyMode`]).
    pub fn apply(&mut self, seat: Seat, actions: &[ActionId], mode: ApplyMode) -> Result<Applied, Refusal> {
        self.check_list(seat, actions, self.draft(seat).len())?;
        let tried = self.try_list(seat, actions, mode)?;
        let applied = Applied { actions: tried.actions.len() };
        let logged = self.log.len();
        self.streams.begin();
        self.take(seat, tried);
        self.advance();
        // The log has what is final; what is not is a draft, and nobody else sees anything of it.
        if self.log.len() == logged {
            self.settle_draft(seat)
        } else {
            self.settle()
        }
        Ok(applied)
    }

    /// Takes back to the first `keep` actions of `seat`'s draft and goes on with `actions` from there, as one.
    ///
    /// # Errors
    /// As [`Table::undo`] and [`Table::apply`]; then the draft is as it was.
    pub fn revise(
        &mut self,
        seat: Seat,
        keep: usize,
        actions: &[ActionId],
        mode: ApplyMode,
    ) -> Result<Applied, Refusal> {
        let draft = self.draft(seat).len();
        // More than there is counts for nothing here: it is refused below, for what it is.
        self.check_list(seat, actions, if keep > draft { 0 } else { keep })?;
        if keep == draft {
            return self.apply(seat, actions, mode);
        }
        self.check_undo(seat, keep)?;
        let kept = Arc::new(self.tip_with(seat, keep));
        let tip = std::mem::replace(&mut self.tip, kept);
        let tried = self.try_list(seat, actions, mode);
        self.tip = tip;
        tried?;
        self.undo(seat, keep)?;
        self.apply(seat, actions, mode)
    }

    /// Tries a list on the state at the tip, which is as it was if the list is refused.
    fn try_list(
        &mut self,
        seat: Seat,
        actions: &[ActionId],
        mode: ApplyMode,
    ) -> Result<TriedList<G::State>, Refusal> {
        // One action is examined before it is taken; of several, some are taken when a later one is refused.
        let before = (actions.len() > 1).then(|| Arc::clone(&self.tip));
        let tried = self.try_actions(seat, actions, mode);
        if let (Err(_), Some(before)) = (&tried, before) {
            self.tip = before;
        }
        tried
    }

    /// Takes the actions of a list one after another, up to the first that is refused.
    fn try_actions(
        &mut self,
        seat: Seat,
        actions: &[ActionId],
        mode: ApplyMode,
    ) -> Result<TriedList<G::State>, Refusal> {
        let mut tried = TriedList { actions: Tries::with_capacity(actions.len()), released: None };
        for (index, &action) in actions.iter().enumerate() {
            if tried.actions.last().is_some_and(|last| matches!(last.reach, Reach::Due | Reach::Ended)) {
                match mode {
                    ApplyMode::Atomic => return Err(Refusal::ListCrossesReveal { index }),
                    ApplyMode::UntilReveal => break,
                }
            }
            let rule_violations = self.game.rule_violations(&self.tip, seat, action);
            if !rule_violations.is_empty() {
                return Err(Refusal::Action { index, action, rule_violations });
            }
            let one = self.try_action(seat, action);
            if one.reach == Reach::Released {
                tried.released = Some((index + 1, Arc::clone(&self.tip)));
            }
            tried.actions.push(one);
        }
        Ok(tried)
    }

    /// Takes an action that is legal.
    fn try_action(&mut self, seat: Seat, action: ActionId) -> Tried {
        let mut out = Events::recording();
        self.game.apply(Arc::make_mut(&mut self.tip), seat, action, &mut out);
        let reach = self.reach(seat, action, &out);
        Tried { action, events: out.into_list(), reach }
    }

    /// Reads a line for `seat` and takes its actions.
    ///
    /// # Errors
    /// If the line can't be read, and as [`Table::apply`].
    pub fn apply_line(&mut self, seat: Seat, line: &str, mode: ApplyMode) -> Result<Applied, Refusal> {
        if seat.index() >= self.seats {
            return Err(Refusal::UnknownSeat);
        }
        if self.closed.is_some() {
            return Err(Refusal::MatchFinished);
        }
        let actions = self.game.parse_line(&self.tip, seat, line)?;
        self.apply(seat, &actions, mode)
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

    /// Checks that `actions` may be a list of `seat` at all, `kept` actions of its draft staying before them.
    fn check_list(&self, seat: Seat, actions: &[ActionId], kept: usize) -> Result<(), Refusal> {
        if seat.index() >= self.seats {
            return Err(Refusal::UnknownSeat);
        }
        if self.closed.is_some() {
            return Err(Refusal::MatchFinished);
        }
        match actions.len() {
            0 => Err(Refusal::EmptyList),
            1..=LIST_ACTIONS_MAX if kept + actions.len() > DRAFT_ACTIONS_MAX => Err(Refusal::DraftTooLong),
            1..=LIST_ACTIONS_MAX => Ok(()),
            _ => Err(Refusal::ListTooLong),
        }
    }

    fn commits(&self, action: ActionId) -> bool {
        self.game.catalogue().actions.verb_of(action).is_some_and(|verb| verb.kind == VerbKind::Done)
    }

    /// Returns how an action that led to the state at the tip leaves the segment of its seat.
    fn reach(&self, seat: Seat, action: ActionId, out: &Events) -> Reach {
        if let Node::Sealed(_) = self.game.node(&self.base) {
            return if self.commits(action) { Reach::Ended } else { Reach::On };
        }
        match self.game.node(&self.tip) {
            Node::Decision(next) if next == seat && !out.has_revealed() => {
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

    /// Makes tried actions part of the match.
    fn take(&mut self, seat: Seat, tried: TriedList<G::State>) {
        let TriedList { actions: tried, released } = tried;
        if let Node::Sealed(_) = self.game.node(&self.base) {
            self.take_sealed(seat, tried);
            return;
        }
        let already = self.lines[seat.index()].actions.len();
        let ended = tried.last().is_some_and(|last| last.reach == Reach::Ended);
        for one in tried {
            for event in &one.events {
                self.notify(Observer::Seat(seat), event);
            }
            let line = &mut self.lines[seat.index()];
            line.actions.push(one.action);
            line.waiting.push(one.events);
        }
        if let Some((actions, base)) = released {
            self.base = base;
            self.release(seat, already + actions);
        }
        if ended {
            self.release_all();
        }
    }

    fn take_sealed(&mut self, seat: Seat, tried: Tries) {
        for one in tried {
            let line = &mut self.lines[seat.index()];
            line.actions.push(one.action);
            line.committed = one.reach == Reach::Ended;
            if !self.lines[seat.index()].committed {
                one.events.into_iter().for_each(|event| self.publish_to_one(Observer::Seat(seat), event));
                continue;
            }
            self.publish_to_all(&Event::new("committed", CONTRACT, &[Ref::Seat(seat)]));
            self.offers = self.offers.without(seat);
            let actions = self.lines[seat.index()].actions.clone();
            self.log.push(LogEntry::Commit { seat, actions });
            let to_act = self.game.node(&self.base).to_act();
            if to_act.iter().all(|other| self.lines[other.index()].committed) {
                self.base = Arc::clone(&self.tip);
                self.lines.fill(super::Line::default());
                one.events.iter().for_each(|event| self.publish_to_all(event));
            } else {
                one.events.into_iter().for_each(|event| self.publish_to_one(Observer::Seat(seat), event));
            }
        }
    }

    /// The first `actions` of a seat's line are final: everybody else is notified of them.
    fn release(&mut self, seat: Seat, actions: usize) {
        let line = &mut self.lines[seat.index()];
        let taken: Vec<ActionId> = line.actions.drain(..actions).collect();
        let events: EventList = line.waiting.drain(..actions).flatten().collect();
        for event in &events {
            for observer in Observer::all(self.seats).filter(|observer| !observer.is(seat)) {
                self.notify(observer, event);
            }
        }
        if !taken.is_empty() {
            self.offers = self.offers.without(seat);
            self.log.push(LogEntry::Commit { seat, actions: taken });
        }
    }

    /// Everything is final.
    fn release_all(&mut self) {
        self.base = Arc::clone(&self.tip);
        for index in 0..self.seats {
            let actions = self.lines[index].actions.len();
            self.release(Seat::new(index as u8), actions);
        }
    }

    /// Goes on by itself: resolves chance while the chance_source can, plays standing passes.
    pub(super) fn advance(&mut self) {
        while self.closed.is_none() {
            match self.game.node(&self.tip) {
                Node::Chance => {
                    let chance = self.game.chance(&self.tip);
                    let chance_ref = self.stamp_of(&chance);
                    match self.chance_source.draw(&chance, chance_ref, self.game.catalogue()) {
                        Ok(Some(outcome)) => self.resolve(&outcome),
                        Ok(None) => return,
                        Err(error) => {
                            self.chance_source_error = Some(error);
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

    /// Passes for a seat; the call that led here is published to its end first, as if the seat had been asked.
    fn play_pass(&mut self, seat: Seat, pass: ActionId) {
        self.settle();
        self.streams.begin();
        let tried = self.try_action(seat, pass);
        let released = (tried.reach == Reach::Released).then(|| (1, Arc::clone(&self.tip)));
        self.take(seat, TriedList { actions: smallvec![tried], released });
    }

    /// The place of `chance`, the next event, among the match's dice (docs/dice.md): rolls and choices are counted within
    /// their stream; a draw from a bag counts for nothing, and has its epoch.
    #[must_use]
    pub(crate) fn stamp_of(&self, chance: &Chance) -> ChanceRef {
        let stream = chance.stream();
        let n = match chance {
            Chance::Bag(bag) => bag.epoch,
            Chance::Roll { .. } | Chance::Choice { .. } => self.counters.get(&stream).copied().unwrap_or(0),
        };
        ChanceRef { stream, n }
    }

    fn resolve(&mut self, outcome: &Outcome) {
        self.release_all();
        self.chance_source_error = None;
        let chance = self.game.chance(&self.tip);
        let chance_ref = self.stamp_of(&chance);
        if !matches!(chance, Chance::Bag(_)) {
            *self.counters.entry(chance_ref.stream).or_default() += 1;
        }
        let mut out = Events::recording_draw(chance_ref);
        self.game.resolve(Arc::make_mut(&mut self.tip), outcome, &mut out);
        for event in out.into_list() {
            self.publish_to_all(&event);
        }
        self.log.push(LogEntry::Chance { chance_ref, outcome: outcome.clone() });
        self.base = Arc::clone(&self.tip);
    }
}
