//! Laws `listed` and `refused`: exactly the listed steps are accepted, and what is refused leaves no trace.

use rand_chacha::ChaCha8Rng;

use crate::catalogue::LIST_STEPS_MAX;
use crate::chance::Outcome;
use crate::fate::Fate;
use crate::game::{Game, Node};
use crate::reference::Ref;
use crate::seat::Seat;
use crate::step::StepId;
use crate::table::{ListMode, Refusal, Table};

use super::failure::{broken, ensure, same};
use super::segment::pick;
use super::{Held, Law};

/// How many ids are tried at a node where the whole table is not.
const RANDOM_IDS: usize = 16;
/// How many listed steps are taken on a copy of the match.
const TAKEN: usize = 4;

/// Every listed step is accepted, and listed once.
///
/// # Errors
/// If a step is refused or listed twice.
pub fn listed<G: Game>(table: &Table<G>, rng: &mut ChaCha8Rng) -> Held {
    for seat in table.node().owing().iter() {
        let legal = table.legal(seat);
        let mut sorted = legal.clone();
        sorted.sort_unstable();
        let twice = sorted.windows(2).find(|pair| pair[0] == pair[1]);
        ensure(twice.is_none(), Law::Listed, || {
            format!(
                "`{}` is listed twice for {seat}",
                notation(table, twice.map_or(StepId(0), |pair| pair[0]))
            )
        })?;
        for &step in &legal {
            let reasons = table.game().reasons(table.state(), seat, step);
            ensure(reasons.is_empty(), Law::Listed, || {
                format!("`{}` is listed for {seat} and refused: {reasons:?}", notation(table, step))
            })?;
        }
        for _ in 0..TAKEN.min(legal.len()) {
            let step = legal[pick(legal.len(), rng)];
            let taken = table.clone().apply(seat, &[step], ListMode::Whole);
            let accepted = matches!(&taken, Ok(applied) if applied.steps == 1);
            ensure(accepted, Law::Listed, || {
                format!("`{}` is listed for {seat}, and taking it gives {taken:?}", notation(table, step))
            })?;
        }
    }
    Ok(())
}

/// What is not listed is refused, with a reason and without a trace. `whole`: every id of the step table is asked.
///
/// # Errors
/// If something is accepted, refused without a reason or for the wrong one, or leaves a trace.
pub fn refused<G: Game>(table: &Table<G>, rng: &mut ChaCha8Rng, whole: bool) -> Held {
    let game = table.game();
    let before = Trace::of(table);
    let mut probe = table.clone();
    for index in 0..table.seats() {
        let seat = Seat::new(index as u8);
        let legal = table.legal(seat);
        if whole && table.ending().is_none() {
            for step in game.catalogue().steps.ids() {
                let reasons = game.reasons(table.state(), seat, step);
                ensure(reasons.is_empty() == legal.contains(&step), Law::Refused, || {
                    let listed = if legal.contains(&step) { "listed" } else { "not listed" };
                    format!(
                        "`{}` is {listed} for {seat}; grounds against it: {reasons:?}",
                        notation(table, step)
                    )
                })?;
            }
        }
        unlisted_steps(&mut probe, seat, &legal, rng)?;
        unfit_lists(&mut probe, seat, &legal, rng)?;
        unfit_undo(&mut probe, seat)?;
    }
    other_calls(&mut probe, rng)?;
    before.still(&probe)
}

fn unlisted_steps<G: Game>(probe: &mut Table<G>, seat: Seat, legal: &[StepId], rng: &mut ChaCha8Rng) -> Held {
    let size = probe.game().catalogue().steps.len();
    let inside = (0..RANDOM_IDS).map(|_| StepId(pick(size.max(1), rng) as u16)).collect::<Vec<_>>();
    let outside = [StepId(size as u16), StepId(u16::MAX)];
    for step in inside.into_iter().chain(outside).filter(|step| !legal.contains(step)) {
        let mode = if pick(2, rng) == 0 { ListMode::Whole } else { ListMode::UntilReveal };
        match probe.apply(seat, &[step], mode) {
            Err(Refusal::Step { index: 0, step: named, reasons }) if named == step && !reasons.is_empty() => {
            }
            Err(Refusal::MatchOver) if probe.ending().is_some() => {}
            other => {
                let name = notation(probe, step);
                return broken(
                    Law::Refused,
                    format!("`{name}` is not listed for {seat}; asked, it gives {other:?}"),
                );
            }
        }
    }
    Ok(())
}

/// Lists without steps, with too many, and with one that is not legal at its end.
fn unfit_lists<G: Game>(probe: &mut Table<G>, seat: Seat, legal: &[StepId], rng: &mut ChaCha8Rng) -> Held {
    let closed = probe.ending().is_some();
    let outside = StepId(probe.game().catalogue().steps.len() as u16);
    let empty = probe.apply(seat, &[], ListMode::UntilReveal);
    ensure(empty.is_err(), Law::Refused, || "a list without steps is accepted".to_owned())?;
    let long = probe.apply(seat, &[outside; LIST_STEPS_MAX + 1], ListMode::UntilReveal);
    ensure(matches!(long, Err(Refusal::ListTooLong | Refusal::MatchOver)), Law::Refused, || {
        format!("a list of {} steps gives {long:?}", LIST_STEPS_MAX + 1)
    })?;
    if legal.is_empty() || closed {
        return Ok(());
    }
    let step = legal[pick(legal.len(), rng)];
    let refusal = probe.apply(seat, &[step, outside], ListMode::Whole);
    let second =
        matches!(refusal, Err(Refusal::Step { index: 1, .. } | Refusal::ListCrossesReveal { index: 1 }));
    ensure(second, Law::Refused, || {
        format!("a list with an unknown step in the second place gives {refusal:?}")
    })
}

fn unfit_undo<G: Game>(probe: &mut Table<G>, seat: Seat) -> Held {
    let draft = probe.draft(seat).len();
    let refusal = probe.undo(seat, draft);
    let expected = if probe.committed(seat) {
        "COMMITTED"
    } else if draft > 0 {
        "NO_SUCH_DRAFT_STEP"
    } else {
        "NOTHING_TO_UNDO"
    };
    let code = refusal.as_ref().err().map(Refusal::code);
    let fits = code == Some(expected) || (code == Some("MATCH_OVER") && probe.ending().is_some());
    ensure(fits, Law::Refused, || {
        format!("keeping {draft} of {draft} steps: {refusal:?}, where {expected} is right")
    })
}

/// A seat that is not at the table, a line of nonsense, outcomes that do not fit.
fn other_calls<G: Game>(probe: &mut Table<G>, rng: &mut ChaCha8Rng) -> Held {
    let outside = StepId(probe.game().catalogue().steps.len() as u16);
    if probe.seats() < Seat::MAX {
        let stranger = Seat::new(probe.seats() as u8);
        let calls = [
            ("a step", probe.apply(stranger, &[outside], ListMode::Whole).err()),
            ("undo", probe.undo(stranger, 0).err()),
            ("resigning", probe.resign(stranger).err()),
        ];
        for (what, refusal) in calls {
            ensure(refusal == Some(Refusal::UnknownSeat), Law::Refused, || {
                format!("{what} by a seat that is not at the table gives {refusal:?}")
            })?;
        }
    }
    for line in ["", ";;", "no such words", "\u{1f0cf} \u{0}", &"x".repeat(1 + pick(400, rng))] {
        let seat = Seat::new(pick(probe.seats(), rng) as u8);
        let read = probe.apply_line(seat, line, ListMode::Whole);
        ensure(read.is_err(), Law::Refused, || format!("the line {line:?} is accepted: {read:?}"))?;
    }
    for outcome in [Outcome::Pick(Ref::Number(i32::MIN)), Outcome::Roll([0].into_iter().collect())] {
        let entered = probe.enter(&outcome);
        let fits = match probe.node() {
            Node::Chance => matches!(entered, Err(Refusal::Outcome(_))),
            _ => entered == Err(Refusal::NoChance),
        };
        ensure(fits, Law::Refused, || format!("entering {outcome:?} gives {entered:?}"))?;
    }
    Ok(())
}

fn notation<G: Game>(table: &Table<G>, step: StepId) -> String {
    table.game().catalogue().steps.notation(step)
}

/// Everything of a match that a refused call must leave as it was.
#[derive(Debug)]
pub struct Trace<G: Game> {
    state: G::State,
    saved: Vec<u8>,
    fate: Fate,
}

impl<G: Game> Trace<G> {
    /// The match as it is.
    #[must_use]
    pub fn of(table: &Table<G>) -> Self {
        Self { state: table.state().clone(), saved: table.save().0, fate: table.fate().clone() }
    }

    /// Nothing has changed since.
    ///
    /// # Errors
    /// Says what has.
    pub fn still(&self, table: &Table<G>) -> Held {
        same(Law::Refused, None, "a refused call has changed the state", &self.state, table.state())?;
        ensure(self.saved == table.save().0, Law::Refused, || {
            "a refused call has changed counters, drafts, log or sequences".to_owned()
        })?;
        let asked = match (&self.fate, table.fate()) {
            (Fate::Playout(before), Fate::Playout(after)) => before != after,
            (Fate::Scripted(before), Fate::Scripted(after)) => before != after,
            _ => false,
        };
        ensure(!asked, Law::Refused, || "a refused call has asked for a die".to_owned())
    }
}
