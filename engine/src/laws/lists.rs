//! Law `lists`: a list is its actions one by one, and none runs across a point where something is revealed.

use rand_chacha::ChaCha8Rng;

use crate::action::ActionId;
use crate::game::{Game, Node};
use crate::seat::{Observer, Seat};
use crate::table::{ApplyMode, LogEntry, Refusal, Table};

use super::facts::facts;
use super::failure::{broken, ensure, same};
use super::refused::Trace;
use super::segment::{pick, stretch};
use super::{Law, LawResult};

/// The longest list tried.
const LIST_ACTIONS: usize = 6;

/// A random list of each to_act seat, applied as one, step by step, and with more behind it.
///
/// # Errors
/// If these do not agree as they should.
pub fn lists<G: Game>(table: &Table<G>, rng: &mut ChaCha8Rng) -> LawResult {
    let game = table.game().as_ref();
    for seat in table.node().to_act().iter() {
        let walk = stretch(game, table.state(), seat, 1 + pick(LIST_ACTIONS, rng), rng);
        if walk.actions.is_empty() {
            continue;
        }
        let whole = taken(table, seat, &walk.actions, ApplyMode::Atomic)?;
        let mut single = table.clone();
        for (index, action) in walk.actions.iter().enumerate() {
            if let Err(refusal) = single.apply(seat, &[*action], ApplyMode::Atomic) {
                return broken(
                    Law::Lists,
                    format!("{:?} is taken as a list; alone, action {index} gives {refusal:?}", walk.actions),
                );
            }
        }
        alike(&whole, &single)?;
        if walk.ended {
            final_after(&whole, seat, walk.released)?;
            let outside = ActionId(pick(game.catalogue().actions.len() + 1, rng) as u16);
            let longer: Vec<ActionId> = walk.actions.iter().copied().chain([outside]).collect();
            crossing(table, seat, &longer)?;
            let cut = taken(table, seat, &longer, ApplyMode::UntilReveal)?;
            same(Law::Lists, None, "the prefix leads elsewhere", whole.state(), cut.state())?;
            alike(&whole, &cut)?;
        } else {
            alike(&whole, &taken(table, seat, &walk.actions, ApplyMode::UntilReveal)?)?;
            revised(table, &whole, seat, &walk.actions, rng)?;
        }
    }
    Ok(())
}

/// The match after `actions`, of which all are taken but, in mode `UntilReveal`, the last may be left.
fn taken<G: Game>(
    table: &Table<G>,
    seat: Seat,
    actions: &[ActionId],
    mode: ApplyMode,
) -> Result<Table<G>, Box<super::Breach>> {
    let mut after = table.clone();
    let result = after.apply(seat, actions, mode);
    let crosses = mode == ApplyMode::UntilReveal;
    let right = |count: usize| count == actions.len() || (crosses && count + 1 == actions.len());
    match result {
        Ok(applied) if right(applied.actions) => Ok(after),
        other => broken(Law::Lists, format!("the list {actions:?} of {seat} ({mode:?}) gives {other:?}")),
    }
}

/// A list that goes on after a reveal is refused as a whole.
fn crossing<G: Game>(table: &Table<G>, seat: Seat, longer: &[ActionId]) -> LawResult {
    let before = Trace::of(table);
    let mut probe = table.clone();
    let refusal = probe.apply(seat, longer, ApplyMode::Atomic);
    let index = longer.len() - 1;
    ensure(refusal == Err(Refusal::ListCrossesReveal { index }), Law::Lists, || {
        format!("action {index} of {longer:?} comes after something is revealed; the list gives {refusal:?}")
    })?;
    before.still(&probe).map_err(|breach| Box::new(super::Breach { law: Law::Lists, ..*breach }))
}

/// Another draft over an earlier part of the present one is an undo and a list; refused, it changes nothing.
fn revised<G: Game>(
    table: &Table<G>,
    whole: &Table<G>,
    seat: Seat,
    actions: &[ActionId],
    rng: &mut ChaCha8Rng,
) -> LawResult {
    if whole.draft(seat).len() < actions.len() {
        return Ok(());
    }
    let keep = whole.draft(seat).len() - 1 - pick(actions.len(), rng);
    let before = Trace::of(whole);
    let mut back = whole.clone();
    let outside = ActionId(table.game().catalogue().actions.len() as u16);
    let refusal = back.revise(seat, keep, &[outside], ApplyMode::Atomic);
    ensure(refusal.is_err(), Law::Lists, || "a draft is revised by an unknown action".to_owned())?;
    before.still(&back).map_err(|breach| Box::new(super::Breach { law: Law::Lists, ..*breach }))?;
    let again = whole.draft(seat)[keep..].to_vec();
    if let Err(refusal) = back.revise(seat, keep, &again, ApplyMode::Atomic) {
        return broken(Law::Lists, format!("a draft revised by its own actions is refused: {refusal:?}"));
    }
    same(
        Law::Lists,
        None,
        "a draft revised by its own actions leads elsewhere",
        whole.state(),
        back.state(),
    )?;
    for observer in Observer::all(table.seats()) {
        let views = (whole.view(observer), back.view(observer));
        same(Law::Lists, Some(observer), "a draft revised by its own actions shows", &views.0, &views.1)?;
    }
    Ok(())
}

/// When a segment has ended nothing of it can be taken back, unless dice are due that nobody has rolled.
fn final_after<G: Game>(table: &Table<G>, seat: Seat, released: bool) -> LawResult {
    let open = table.node() == Node::Chance && !released;
    let undone = table.clone().undo(seat, 0);
    let gone = table.draft(seat).is_empty() || table.committed(seat);
    ensure(open || (gone && undone.is_err()), Law::Lists, || {
        format!("the segment of {seat} is over, and {:?} can still be taken back", table.draft(seat))
    })
}

/// Nothing shows how the actions were cut into lists.
fn alike<G: Game>(left: &Table<G>, right: &Table<G>) -> LawResult {
    let law = Law::Lists;
    same(law, None, "a list leads elsewhere than its actions", left.state(), right.state())?;
    same(law, None, "a list releases other states than its actions", left.released(), right.released())?;
    same(law, None, "a list is logged differently", &joined(left.log()), &joined(right.log()))?;
    for observer in Observer::all(left.seats()) {
        let views = (left.view(observer), right.view(observer));
        same(law, Some(observer), "a list shows something else than its actions", &views.0, &views.1)?;
        let published = (facts(left.published(observer, 0)), facts(right.published(observer, 0)));
        same(
            law,
            Some(observer),
            "a list publishes something else than its actions",
            &published.0,
            &published.1,
        )?;
    }
    Ok(())
}

/// The log with neighbouring commits of one seat joined.
fn joined(log: &[LogEntry]) -> Vec<LogEntry> {
    let mut joined: Vec<LogEntry> = Vec::new();
    for entry in log {
        match (joined.last_mut(), entry) {
            (Some(LogEntry::Commit { seat: last, actions: line }), LogEntry::Commit { seat, actions })
                if last == seat =>
            {
                line.extend_from_slice(actions);
            }
            _ => joined.push(entry.clone()),
        }
    }
    joined
}
