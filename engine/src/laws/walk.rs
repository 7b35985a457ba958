//! A run under watch: every call is made on a match and checked against the laws ([`Walk`]).

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use rand_chacha::ChaCha8Rng;
use rand_core::SeedableRng;

use crate::game::{Game, Node};
use crate::seat::{Observer, Seat, SeatSet};
use crate::table::{LogEntry, Refusal, Table};

use super::choices::{ChoiceSource, Habits, next_call};
use super::failure::{broken, ensure, same};
use super::folding::FoldedViews;
use super::look::Look;
use super::refused::Trace;
use super::replay::{Mark, replay};
use super::streams::Streams;
use super::turns::MatchTurns;
use super::undo::Ring;
use super::{Breach, Failure, Law, LawResult, Laws, MatchCall, Run, RunDice, Tally, TurnTrack};
use super::{encodings, saved};

/// The frequency with which the laws are looked at.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Care {
    /// Cheap laws at every node, the others now and then: for many playouts.
    Sampled,
    /// All laws at every node: for replays, fixtures and shrinking.
    Every,
}

/// One run of a game, watched.
#[derive(Debug)]
pub struct Walk<G: Game> {
    game: Arc<G>,
    table: Table<G>,
    start: G::State,
    run: Run,
    laws: Laws,
    care: Care,
    seed: u64,
    folded: FoldedViews,
    ring: Ring<G>,
    /// A restored copy of the match, and how much was published to each observer when it was restored.
    shadow: Option<(Table<G>, Vec<usize>)>,
    marks: Vec<Mark>,
    muddled: SeatSet,
    /// Actions and outcomes in the log so far, and how many entries that was.
    length: (usize, usize),
    /// Outcomes in the log so far.
    outcomes: usize,
    streams: Streams,
    /// The turns of the match, if they are counted.
    turns: Option<MatchTurns>,
    tally: Tally,
}

impl<G: Game> Walk<G> {
    /// Opens a match and checks its first node.
    ///
    /// # Errors
    /// If a law is broken already.
    pub fn open(game: &Arc<G>, run: Run, seed: u64, laws: Laws, care: Care) -> Result<Self, Box<Failure>> {
        let run = Run { calls: Vec::new(), ..run };
        let failure = |run: &Run, breach: Box<Breach>| Box::new(Failure::of(*breach, seed, run));
        let opened = guarded(Law::Panic, || {
            let start = game.start(&run.setup);
            let chance_source = run.luck.chance_source();
            let table =
                Table::from_state(Arc::clone(game), run.setup.clone(), None, start.clone(), chance_source);
            let folded = FoldedViews::at(game.as_ref(), &start, table.seats());
            Ok((start, table, folded))
        });
        let (start, table, folded) = opened.map_err(|breach| failure(&run, breach))?;
        let mut walk = Self {
            game: Arc::clone(game),
            ring: Ring::new(table.seats()),
            table,
            start,
            run,
            laws,
            care,
            seed,
            folded,
            shadow: None,
            marks: Vec::new(),
            muddled: SeatSet::EMPTY,
            length: (0, 0),
            outcomes: 0,
            streams: Streams::default(),
            turns: None,
            tally: Tally::default(),
        };
        walk.once().and_then(|()| walk.after_call()).map_err(|breach| failure(&walk.run, breach))?;
        Ok(walk)
    }

    /// The match.
    #[must_use]
    pub const fn table(&self) -> &Table<G> {
        &self.table
    }

    /// The run so far.
    #[must_use]
    pub const fn run(&self) -> &Run {
        &self.run
    }

    /// Returns what was checked so far.
    #[must_use]
    pub const fn tally(&self) -> &Tally {
        &self.tally
    }

    /// Makes a call and checks what came of it. A call that the match refuses is no failure.
    ///
    /// # Errors
    /// If a law is broken.
    pub fn call(&mut self, call: MatchCall) -> Result<Result<(), Refusal>, Box<Failure>> {
        self.run.calls.push(call.clone());
        self.tally.calls += 1;
        let made = self.make(&call);
        made.map_err(|breach| Box::new(Failure::of(*breach, self.seed, &self.run)))
    }

    /// Counts the nodes by turns from now on, this one and those that are to come; the match is in its first turn.
    ///
    /// # Errors
    /// If no such marker stands on a track.
    pub fn count_turns(&mut self, track: TurnTrack) -> Result<(), Box<Failure>> {
        let turns = MatchTurns::of(track, &self.table);
        let noted = turns.and_then(|turns| {
            self.turns = Some(turns);
            turns.note(&self.table, &mut self.tally.turns)
        });
        noted.map_err(|breach| Box::new(Failure::of(*breach, self.seed, &self.run)))
    }

    /// Makes a call and checks nothing after it but that it does not panic: [`Walk::look`] does, when it is time to.
    ///
    /// # Errors
    /// If the call panics.
    pub fn pass_over(&mut self, call: MatchCall) -> Result<Result<(), Refusal>, Box<Failure>> {
        self.run.calls.push(call.clone());
        self.tally.calls += 1;
        // The restored copy would have to make it, too.
        self.shadow = None;
        let made = guarded(Law::Panic, || Ok(call.make(&mut self.table)));
        let made = made.map_err(|breach| Box::new(Failure::of(*breach, self.seed, &self.run)))?;
        if made.is_ok() {
            self.muddle(&call);
        }
        Ok(made)
    }

    /// Checks the node at which the match stands, after calls that were passed over.
    ///
    /// # Errors
    /// If a law is broken.
    pub fn look(&mut self) -> Result<(), Box<Failure>> {
        let looked = guarded(Law::Panic, || self.after_call());
        looked.map_err(|breach| Box::new(Failure::of(*breach, self.seed, &self.run)))
    }

    /// Returns what a player of these habits does next; `None` if the match is over or the source has nothing
    /// more to say.
    ///
    /// # Errors
    /// If looking ahead panics.
    pub fn next(
        &self,
        habits: &Habits,
        source: &mut impl ChoiceSource,
    ) -> Result<Option<MatchCall>, Box<Failure>> {
        let next = guarded(Law::Panic, || Ok(next_call(&self.table, habits, source)));
        next.map_err(|breach| Box::new(Failure::of(*breach, self.seed, &self.run)))
    }

    /// Ends the run: what holds of it as a whole.
    ///
    /// # Errors
    /// If a law is broken.
    pub fn finish(mut self) -> Result<(Run, Tally), Box<Failure>> {
        let held = self.replayed();
        held.map_err(|breach| Box::new(Failure::of(*breach, self.seed, &self.run)))?;
        self.tally.runs += 1;
        self.tally.over += u64::from(self.table.node() == Node::Over);
        Ok((self.run, self.tally))
    }

    fn make(&mut self, call: &MatchCall) -> LawResult<Result<(), Refusal>> {
        let due = self.care.is_due(self.laws, Law::Refused, 8, self.turn());
        let before = due.then(|| Trace::of(&self.table));
        let result = guarded(Law::Panic, || Ok(call.make(&mut self.table)))?;
        match (&result, before) {
            (Err(_), Some(before)) => before.still(&self.table)?,
            (Err(_), None) => {}
            (Ok(()), _) => self.muddle(call),
        }
        self.follow(call, &result)?;
        if let (Ok(()), MatchCall::Undo { seat, .. }) = (&result, call)
            && self.laws.contains(Law::Undo)
        {
            self.ring.restored(&self.table, *seat)?;
        }
        guarded(Law::Panic, || self.after_call())?;
        Ok(result)
    }

    /// Notes whose own stream a replay need not repeat in full.
    fn muddle(&mut self, call: &MatchCall) {
        let all = SeatSet::first(self.table.seats());
        let sealed = matches!(self.game.node(self.table.released()), Node::Sealed(_));
        match call {
            _ if sealed => self.muddled = all,
            MatchCall::Undo { seat, .. } | MatchCall::Revise { seat, .. } => {
                self.muddled = self.muddled.with(*seat)
            }
            MatchCall::Resign(_) | MatchCall::Accept(_) => self.muddled = all,
            _ => {}
        }
    }

    /// Makes the call on the restored copy, too.
    fn follow(&mut self, call: &MatchCall, result: &Result<(), Refusal>) -> LawResult {
        let Some((shadow, published)) = &mut self.shadow else { return Ok(()) };
        let followed = guarded(Law::Saved, || Ok(call.make(shadow)))?;
        same(Law::Saved, None, "a call on the restored match ends differently", result, &followed)?;
        saved::equal(&self.table, shadow)?;
        for (observer, from) in Observer::all(self.table.seats()).zip(published) {
            let (published, again) =
                (self.table.published(observer, *from), shadow.published(observer, *from));
            same(
                Law::Saved,
                Some(observer),
                "the restored match publishes something else",
                published,
                again,
            )?;
        }
        Ok(())
    }

    /// Checks what holds of the game, whatever is played.
    fn once(&mut self) -> LawResult {
        if self.care == Care::Every && self.counted(Law::Encodings) {
            encodings::encodings(self.game.as_ref())?;
        }
        Ok(())
    }

    fn after_call(&mut self) -> LawResult {
        self.tally.nodes += 1;
        self.measure()?;
        if let Some(turns) = self.turns {
            turns.note(&self.table, &mut self.tally.turns)?;
        }
        self.tally.look_at(&self.game.turn_state(self.table.released(), Observer::Spectator));
        if self.laws.contains(Law::Folding) || self.laws.contains(Law::Phrases) {
            self.folded.follow(&self.table, self.laws)?;
            self.tally.count(Law::Folding, 1);
            self.tally.count(Law::Phrases, 1);
        }
        if self.laws.contains(Law::Undo) {
            self.ring.note(&self.table);
        }
        if matches!(self.game.node(self.table.released()), Node::Sealed(_)) {
            self.muddled = SeatSet::first(self.table.seats());
        }
        if self.laws.contains(Law::Replay) {
            let released = self.game.encoded(self.table.released());
            self.marks.push(Mark { entries: self.table.log().len(), released });
        }
        if self.laws.contains(Law::Chance) && self.table.node() == Node::Chance {
            self.streams.note(&self.game.chance(self.table.state()), self.outcomes)?;
        }
        let turn = self.turn();
        let choices = self.choices();
        Look {
            probe: &self.table.branch(),
            ring: &self.ring,
            laws: self.laws,
            care: self.care,
            turn,
            choices: choices.clone(),
            tally: &mut self.tally,
        }
        .all()?;
        self.save_and_restore(choices)
    }

    /// The checks' own choices at this node: a function of seed and state, so that a shorter run to the same state makes the
    /// same ones.
    fn choices(&self) -> ChaCha8Rng {
        let mut hash = blake3::Hasher::new();
        hash.update(&self.seed.to_le_bytes());
        hash.update(&self.game.encoded(self.table.state()));
        ChaCha8Rng::from_seed(*hash.finalize().as_bytes())
    }

    /// The length of the match so far, drafts included, is within its bound.
    fn measure(&mut self) -> LawResult {
        let (mut length, entries) = self.length;
        for entry in &self.table.log()[entries..] {
            length += match entry {
                LogEntry::Commit { actions, .. } => actions.len(),
                LogEntry::Chance { .. } => 1,
                LogEntry::Resigned(_) | LogEntry::Agreed => 0,
            };
            self.outcomes += usize::from(matches!(entry, LogEntry::Chance { .. }));
        }
        self.length = (length, self.table.log().len());
        let uncommitted = |seat: &Seat| !self.table.committed(*seat);
        let drafts = SeatSet::first(self.table.seats()).iter().filter(uncommitted);
        let length = length + drafts.map(|seat| self.table.draft(seat).len()).sum::<usize>();
        let bound = self.game.bound(self.table.setup()) as usize;
        self.tally.longest = self.tally.longest.max(length as u64);
        self.tally.count(Law::Length, 1);
        ensure(!self.laws.contains(Law::Length) || length <= bound, Law::Length, || {
            format!("{length} actions and outcomes; the bound is {bound}")
        })
    }

    /// Counts the calls, from another number in each run.
    const fn turn(&self) -> u64 {
        self.tally.calls.wrapping_add(self.seed)
    }

    fn counted(&mut self, law: Law) -> bool {
        let contains = self.laws.contains(law);
        self.tally.count(law, u64::from(contains));
        contains
    }

    fn save_and_restore(&mut self, mut choices: ChaCha8Rng) -> LawResult {
        if self.care.is_due(self.laws, Law::Saved, 16, self.turn()) {
            let restored = guarded(Law::Saved, || saved::saved(&self.table, &mut choices))?;
            let observers = Observer::all(self.table.seats());
            let published = observers.map(|observer| self.table.published_count(observer)).collect();
            self.shadow = Some((restored, published));
            self.tally.count(Law::Saved, 1);
        }
        Ok(())
    }

    fn replayed(&mut self) -> LawResult {
        if self.counted(Law::Replay) {
            guarded(Law::Replay, || replay(&self.start, &self.table, &self.marks, self.muddled))?;
        }
        Ok(())
    }
}

impl Failure {
    pub(super) fn of(breach: Breach, seed: u64, run: &Run) -> Self {
        let Breach { law, observer, detail } = breach;
        Self { law, seed, observer, action: run.calls.len(), detail, run: run.clone() }
    }
}

/// Does something; a panic in it is a breach of `law`.
pub(super) fn guarded<T>(law: Law, act: impl FnOnce() -> LawResult<T>) -> LawResult<T> {
    match catch_unwind(AssertUnwindSafe(act)) {
        Ok(held) => held,
        Err(panic) => {
            let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
            let text = text.or_else(|| panic.downcast_ref::<String>().cloned());
            broken(law, format!("a panic: {}", text.unwrap_or_default()))
        }
    }
}

/// Makes the calls of a run again, watched at every node.
///
/// # Errors
/// If a law is broken.
pub fn rerun<G: Game>(game: &Arc<G>, run: &Run, seed: u64, laws: Laws) -> Result<Tally, Box<Failure>> {
    let mut walk = Walk::open(game, run.clone(), seed, laws, Care::Every)?;
    for call in &run.calls {
        // A shortened run may come to calls that make no sense any more; they are refused.
        let _ = walk.call(call.clone())?;
    }
    walk.finish().map(|(_, tally)| tally)
}

/// The same run with every outcome written down: it does not change when calls are taken out of it.
#[must_use]
pub fn written_out<G: Game>(game: &Arc<G>, run: &Run) -> Run {
    let open = |luck: RunDice| {
        Table::from_state(
            Arc::clone(game),
            run.setup.clone(),
            None,
            game.start(&run.setup),
            luck.chance_source(),
        )
    };
    let mut table = open(run.luck);
    let mut written = Run::new(run.setup.clone(), RunDice::Entered);
    let mut entries = 0;
    let mut outcomes = |table: &Table<G>, written: &mut Run| {
        for entry in &table.log()[entries..] {
            if let LogEntry::Chance { outcome, .. } = entry {
                written.calls.push(MatchCall::Enter(outcome.clone()));
            }
        }
        entries = table.log().len();
    };
    outcomes(&table, &mut written);
    for call in &run.calls {
        // An outcome that was entered is written down from the log, and one that was refused says nothing.
        if !matches!(call, MatchCall::Enter(_)) {
            written.calls.push(call.clone());
        }
        let _ = call.make(&mut table);
        outcomes(&table, &mut written);
    }
    written
}
