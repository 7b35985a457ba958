//! Laws `listed` and `refused`: exactly the listed actions are accepted, and what is refused leaves no trace.

use rand_chacha::ChaCha8Rng;

use crate::action::ActionId;
use crate::catalogue::LIST_ACTIONS_MAX;
use crate::chance::Outcome;
use crate::chance_source::ChanceSource;
use crate::game::{Game, Node};
use crate::reference::Ref;
use crate::seat::Seat;
use crate::table::{ApplyMode, Refusal, Table};

use super::failure::{broken, ensure, same};
use super::segment::pick;
use super::{Law, LawResult};

/// Number of ids that are tried at a node where the whole table is not.
const RANDOM_IDS: usize = 16;
/// Number of listed actions that are taken on a copy of the match.
const TAKEN: usize = 4;

/// Every listed action is accepted, and listed once.
///
/// # Errors
/// If an action is refused or listed twice.
pub fn listed<G: Game>(table: &Table<G>, rng: &mut ChaCha8Rng) -> LawResult {
    for seat in table.node().to_act().iter() {
        let legal = table.legal(seat);
        let mut sorted = legal.clone();
        sorted.sort_unstable();
        let twice = sorted.windows(2).find(|pair| pair[0] == pair[1]);
        ensure(twice.is_none(), Law::Listed, || {
            format!(
                "`{}` is listed twice for {seat}",
                notation(table, twice.map_or(ActionId(0), |pair| pair[0]))
            )
        })?;
        for &action in &legal {
            let rule_violations = table.game().rule_violations(table.state(), seat, action);
            ensure(rule_violations.is_empty(), Law::Listed, || {
                format!("`{}` is listed for {seat} and refused: {rule_violations:?}", notation(table, action))
            })?;
        }
        for _ in 0..TAKEN.min(legal.len()) {
            let action = legal[pick(legal.len(), rng)];
            let taken = table.clone().apply(seat, &[action], ApplyMode::Atomic);
            let accepted = matches!(&taken, Ok(applied) if applied.actions == 1);
            ensure(accepted, Law::Listed, || {
                format!("`{}` is listed for {seat}, and taking it gives {taken:?}", notation(table, action))
            })?;
        }
    }
    Ok(())
}

/// Checks that what is not listed is refused, with a reason and without a trace. `whole`: every id of the
/// action table is asked.
///
/// # Errors
/// If something is accepted, refused without a reason or for the wrong one, or leaves a trace.
pub fn refused<G: Game>(table: &Table<G>, rng: &mut ChaCha8Rng, whole: bool) -> LawResult {
    let game = table.game();
    let before = Trace::of(table);
    let mut probe = table.clone();
    for index in 0..table.seats() {
        let seat = Seat::new(index as u8);
        let legal = table.legal(seat);
        if whole && table.result().is_none() {
            for action in game.catalogue().actions.ids() {
                let rule_violations = game.rule_violations(table.state(), seat, action);
                ensure(rule_violations.is_empty() == legal.contains(&action), Law::Refused, || {
                    let listed = if legal.contains(&action) { "listed" } else { "not listed" };
                    format!(
                        "`{}` is {listed} for {seat}; grounds against it: {rule_violations:?}",
                        notation(table, action)
                    )
                })?;
            }
        }
        unlisted_actions(&mut probe, seat, &legal, rng)?;
        unfit_lists(&mut probe, seat, &legal, rng)?;
        unfit_undo(&mut probe, seat)?;
    }
    other_calls(&mut probe, rng)?;
    before.still(&probe)
}

fn unlisted_actions<G: Game>(
    probe: &mut Table<G>,
    seat: Seat,
    legal: &[ActionId],
    rng: &mut ChaCha8Rng,
) -> LawResult {
    let size = probe.game().catalogue().actions.len();
    let inside = (0..RANDOM_IDS).map(|_| ActionId(pick(size.max(1), rng) as u16)).collect::<Vec<_>>();
    let outside = [ActionId(size as u16), ActionId(u16::MAX)];
    for action in inside.into_iter().chain(outside).filter(|action| !legal.contains(action)) {
        let mode = if pick(2, rng) == 0 { ApplyMode::Atomic } else { ApplyMode::UntilReveal };
        match probe.apply(seat, &[action], mode) {
            Err(Refusal::Action { index: 0, action: named, rule_violations })
                if named == action && !rule_violations.is_empty() => {}
            Err(Refusal::MatchFinished) if probe.result().is_some() => {}
            other => {
                let name = notation(probe, action);
                return broken(
                    Law::Refused,
                    format!("`{name}` is not listed for {seat}; asked, it gives {other:?}"),
                );
            }
        }
    }
    Ok(())
}

/// Lists without actions, with too many, and with one that is not legal at its end.
fn unfit_lists<G: Game>(
    probe: &mut Table<G>,
    seat: Seat,
    legal: &[ActionId],
    rng: &mut ChaCha8Rng,
) -> LawResult {
    let closed = probe.result().is_some();
    let outside = ActionId(probe.game().catalogue().actions.len() as u16);
    let empty = probe.apply(seat, &[], ApplyMode::UntilReveal);
    ensure(empty.is_err(), Law::Refused, || "a list without actions is accepted".to_owned())?;
    let long = probe.apply(seat, &[outside; LIST_ACTIONS_MAX + 1], ApplyMode::UntilReveal);
    ensure(matches!(long, Err(Refusal::ListTooLong | Refusal::MatchFinished)), Law::Refused, || {
        format!("a list of {} actions gives {long:?}", LIST_ACTIONS_MAX + 1)
    })?;
    if legal.is_empty() || closed {
        return Ok(());
    }
    let action = legal[pick(legal.len(), rng)];
    let refusal = probe.apply(seat, &[action, outside], ApplyMode::Atomic);
    let second =
        matches!(refusal, Err(Refusal::Action { index: 1, .. } | Refusal::ListCrossesReveal { index: 1 }));
    ensure(second, Law::Refused, || {
        format!("a list with an unknown action in the second place gives {refusal:?}")
    })
}

fn unfit_undo<G: Game>(probe: &mut Table<G>, seat: Seat) -> LawResult {
    let draft = probe.draft(seat).len();
    let refusal = probe.undo(seat, draft);
    let expected = if probe.committed(seat) {
        "COMMITTED"
    } else if draft > 0 {
        "NO_SUCH_DRAFT_ACTION"
    } else {
        "NOTHING_TO_UNDO"
    };
    let code = refusal.as_ref().err().map(Refusal::code);
    let fits = code == Some(expected) || (code == Some("MATCH_FINISHED") && probe.result().is_some());
    ensure(fits, Law::Refused, || {
        format!("keeping {draft} of {draft} actions: {refusal:?}, where {expected} is right")
    })
}

/// A seat that is not at the table, a line of nonsense, outcomes that do not fit.
fn other_calls<G: Game>(probe: &mut Table<G>, rng: &mut ChaCha8Rng) -> LawResult {
    let outside = ActionId(probe.game().catalogue().actions.len() as u16);
    if probe.seats() < Seat::MAX {
        let stranger = Seat::new(probe.seats() as u8);
        let calls = [
            ("an action", probe.apply(stranger, &[outside], ApplyMode::Atomic).err()),
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
        let read = probe.apply_line(seat, line, ApplyMode::Atomic);
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

fn notation<G: Game>(table: &Table<G>, action: ActionId) -> String {
    table.game().catalogue().actions.notation(action)
}

/// Everything of a match that a refused call must leave as it was.
#[derive(Debug)]
pub struct Trace<G: Game> {
    state: G::State,
    saved: Vec<u8>,
    chance_source: ChanceSource,
}

impl<G: Game> Trace<G> {
    /// The match as it is.
    #[must_use]
    pub fn of(table: &Table<G>) -> Self {
        Self {
            state: table.state().clone(),
            saved: table.save().0,
            chance_source: table.chance_source().clone(),
        }
    }

    /// Nothing has changed since.
    ///
    /// # Errors
    /// Says what has.
    pub fn still(&self, table: &Table<G>) -> LawResult {
        same(Law::Refused, None, "a refused call has changed the state", &self.state, table.state())?;
        ensure(self.saved == table.save().0, Law::Refused, || {
            "a refused call has changed counters, drafts, log or sequences".to_owned()
        })?;
        let asked = match (&self.chance_source, table.chance_source()) {
            (ChanceSource::Playout(before), ChanceSource::Playout(after)) => before != after,
            (ChanceSource::Scripted(before), ChanceSource::Scripted(after)) => before != after,
            _ => false,
        };
        ensure(!asked, Law::Refused, || "a refused call has asked for a die".to_owned())
    }
}
