//! Law `lists`: a list is its steps one by one, and none runs across a point where something is learnt.

use rand_chacha::ChaCha8Rng;

use crate::game::{Game, Node};
use crate::seat::{Observer, Seat};
use crate::step::StepId;
use crate::table::{Entry, ListMode, Refusal, Table};

use super::facts::facts;
use super::failure::{broken, ensure, same};
use super::refused::Trace;
use super::segment::{pick, stretch};
use super::{Held, Law};

/// The longest list tried.
const LIST_STEPS: usize = 6;

/// A random list of each owing seat, applied as one, step by step, and with more behind it.
///
/// # Errors
/// If these do not agree as they should.
pub fn lists<G: Game>(table: &Table<G>, rng: &mut ChaCha8Rng) -> Held {
    let game = table.game().as_ref();
    for seat in table.node().owing().iter() {
        let walk = stretch(game, table.state(), seat, 1 + pick(LIST_STEPS, rng), rng);
        if walk.steps.is_empty() {
            continue;
        }
        let whole = taken(table, seat, &walk.steps, ListMode::Whole)?;
        let mut single = table.clone();
        for (index, step) in walk.steps.iter().enumerate() {
            if let Err(refusal) = single.apply(seat, &[*step], ListMode::Whole) {
                return broken(
                    Law::Lists,
                    format!("{:?} is taken as a list; alone, step {index} gives {refusal:?}", walk.steps),
                );
            }
        }
        alike(&whole, &single)?;
        if walk.ended {
            final_after(&whole, seat, walk.released)?;
            let outside = StepId(pick(game.catalogue().steps.len() + 1, rng) as u16);
            let longer: Vec<StepId> = walk.steps.iter().copied().chain([outside]).collect();
            crossing(table, seat, &longer)?;
            let cut = taken(table, seat, &longer, ListMode::UntilReveal)?;
            same(Law::Lists, None, "the prefix leads elsewhere", whole.state(), cut.state())?;
            alike(&whole, &cut)?;
        } else {
            alike(&whole, &taken(table, seat, &walk.steps, ListMode::UntilReveal)?)?;
            revised(table, &whole, seat, &walk.steps, rng)?;
        }
    }
    Ok(())
}

/// The match after `steps`, of which all are taken but, in mode `UntilReveal`, the last may be left.
fn taken<G: Game>(
    table: &Table<G>,
    seat: Seat,
    steps: &[StepId],
    mode: ListMode,
) -> Result<Table<G>, Box<super::Breach>> {
    let mut after = table.clone();
    let result = after.apply(seat, steps, mode);
    let crosses = mode == ListMode::UntilReveal;
    let right = |count: usize| count == steps.len() || (crosses && count + 1 == steps.len());
    match result {
        Ok(applied) if right(applied.steps) => Ok(after),
        other => broken(Law::Lists, format!("the list {steps:?} of {seat} ({mode:?}) gives {other:?}")),
    }
}

/// A list that goes on after a reveal is refused as a whole.
fn crossing<G: Game>(table: &Table<G>, seat: Seat, longer: &[StepId]) -> Held {
    let before = Trace::of(table);
    let mut probe = table.clone();
    let refusal = probe.apply(seat, longer, ListMode::Whole);
    let index = longer.len() - 1;
    ensure(refusal == Err(Refusal::ListCrossesReveal { index }), Law::Lists, || {
        format!("step {index} of {longer:?} comes after something is learnt; the list gives {refusal:?}")
    })?;
    before.still(&probe).map_err(|breach| Box::new(super::Breach { law: Law::Lists, ..*breach }))
}

/// Another draft over an earlier part of the present one is an undo and a list; refused, it changes nothing.
fn revised<G: Game>(
    table: &Table<G>,
    whole: &Table<G>,
    seat: Seat,
    steps: &[StepId],
    rng: &mut ChaCha8Rng,
) -> Held {
    if whole.draft(seat).len() < steps.len() {
        return Ok(());
    }
    let keep = whole.draft(seat).len() - 1 - pick(steps.len(), rng);
    let before = Trace::of(whole);
    let mut back = whole.clone();
    let outside = StepId(table.game().catalogue().steps.len() as u16);
    let refusal = back.revise(seat, keep, &[outside], ListMode::Whole);
    ensure(refusal.is_err(), Law::Lists, || "a draft is revised by an unknown step".to_owned())?;
    before.still(&back).map_err(|breach| Box::new(super::Breach { law: Law::Lists, ..*breach }))?;
    let again = whole.draft(seat)[keep..].to_vec();
    if let Err(refusal) = back.revise(seat, keep, &again, ListMode::Whole) {
        return broken(Law::Lists, format!("a draft revised by its own steps is refused: {refusal:?}"));
    }
    same(Law::Lists, None, "a draft revised by its own steps leads elsewhere", whole.state(), back.state())?;
    for observer in Observer::all(table.seats()) {
        let views = (whole.view(observer), back.view(observer));
        same(Law::Lists, Some(observer), "a draft revised by its own steps shows", &views.0, &views.1)?;
    }
    Ok(())
}

/// When a segment has ended nothing of it can be taken back, unless dice are due that nobody has rolled.
fn final_after<G: Game>(table: &Table<G>, seat: Seat, released: bool) -> Held {
    let open = table.node() == Node::Chance && !released;
    let undone = table.clone().undo(seat, 0);
    let gone = table.draft(seat).is_empty() || table.committed(seat);
    ensure(open || (gone && undone.is_err()), Law::Lists, || {
        format!("the segment of {seat} is over, and {:?} can still be taken back", table.draft(seat))
    })
}

/// Nothing tells how the steps were cut into lists.
fn alike<G: Game>(left: &Table<G>, right: &Table<G>) -> Held {
    let law = Law::Lists;
    same(law, None, "a list leads elsewhere than its steps", left.state(), right.state())?;
    same(law, None, "a list releases other states than its steps", left.released(), right.released())?;
    same(law, None, "a list is logged differently", &joined(left.log()), &joined(right.log()))?;
    for observer in Observer::all(left.seats()) {
        let views = (left.view(observer), right.view(observer));
        same(law, Some(observer), "a list shows something else than its steps", &views.0, &views.1)?;
        let told = (facts(left.heard(observer, 0)), facts(right.heard(observer, 0)));
        same(law, Some(observer), "a list tells something else than its steps", &told.0, &told.1)?;
    }
    Ok(())
}

/// The log with neighbouring commits of one seat joined.
fn joined(log: &[Entry]) -> Vec<Entry> {
    let mut joined: Vec<Entry> = Vec::new();
    for entry in log {
        match (joined.last_mut(), entry) {
            (Some(Entry::Commit { seat: last, steps: line }), Entry::Commit { seat, steps })
                if last == seat =>
            {
                line.extend_from_slice(steps);
            }
            _ => joined.push(entry.clone()),
        }
    }
    joined
}
