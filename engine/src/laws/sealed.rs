//! Law `sealed`: while seats choose in secret, nothing of the others is published but that they have committed.

use rand_chacha::ChaCha8Rng;

use crate::action::ActionId;
use crate::catalogue::LIST_ACTIONS_MAX;
use crate::event::Events;
use crate::game::{Game, Node};
use crate::seat::{Observer, Seat};
use crate::table::{ApplyMode, LogEntry, Table};

use super::facts::facts;
use super::failure::{broken, same, same_list, same_view};
use super::segment::{advance, pick, stretch, to_segment_end};
use super::{Law, LawResult};

/// The longest draft that is entered in part.
const HALF: usize = 5;
/// The most actions of a draft that wanders before it hurries to its end.
const LEISURE: usize = 12;

/// At a sealed node: drafts show to nobody else, different commitments look the same, and their order makes no difference.
/// Returns how many pairs were compared.
///
/// # Errors
/// If something of a draft shows.
pub fn sealed<G: Game>(table: &Table<G>, rng: &mut ChaCha8Rng) -> LawResult<u32> {
    let Node::Sealed(to_act) = table.node() else { return Ok(0) };
    let mut pairs = 0;
    for drafter in to_act.iter() {
        published_to_nobody_else(table, drafter, rng)?;
        let half = entered_in_part(table, drafter, rng)?;
        let mut taken_back = half.clone();
        // Of a draft without an action, since every way through it ended at once, there is nothing to take back.
        if !half.draft(drafter).is_empty() && taken_back.undo(drafter, 0).is_err() {
            return broken(Law::Sealed, format!("{drafter} can't take back a draft that is not committed"));
        }
        pairs += others_observe_alike(table, &half, drafter, "a draft shows to another seat")?;
        pairs += others_observe_alike(table, &taken_back, drafter, "a takeback shows to another seat")?;
        if to_act.len() > 1 {
            let plain = committed(table.clone(), drafter, rng)?;
            let other = committed(table.clone(), drafter, rng)?;
            let wavered = committed(taken_back, drafter, rng)?;
            pairs +=
                others_observe_alike(&plain, &other, drafter, "what was committed shows before the reveal")?;
            pairs += others_observe_alike(&plain, &wavered, drafter, "a takeback before a commitment shows")?;
        }
    }
    let to_act: Vec<Seat> = to_act.iter().collect();
    if let [first, second, ..] = to_act.as_slice() {
        commute(table, *first, *second, rng)?;
        pairs += 1;
    }
    Ok(pairs)
}

/// An action of an unfinished draft is published to its own seat, if to anybody.
fn published_to_nobody_else<G: Game>(table: &Table<G>, seat: Seat, rng: &mut ChaCha8Rng) -> LawResult {
    let game = table.game().as_ref();
    let legal = table.legal(seat);
    for _ in 0..HALF.min(legal.len()) {
        let action = legal[pick(legal.len(), rng)];
        let mut out = Events::recording();
        if !advance(game, &mut table.state().clone(), seat, action, &mut out) {
            for event in out.into_list() {
                let others =
                    event.public.is_some() || event.private.iter().any(|&(reader, _)| reader != seat);
                if others {
                    let notation = game.catalogue().actions.notation(action);
                    return broken(
                        Law::Sealed,
                        format!("`{notation}` of {seat} makes event `{}`, for others too", event.code),
                    );
                }
            }
        }
    }
    Ok(())
}

/// `seat` enters some actions, without committing.
fn entered_in_part<G: Game>(table: &Table<G>, seat: Seat, rng: &mut ChaCha8Rng) -> LawResult<Table<G>> {
    let mut actions = Vec::new();
    for _ in 0..HALF {
        let walk = stretch(table.game().as_ref(), table.state(), seat, 1 + pick(HALF, rng), rng);
        actions = walk.actions;
        if walk.ended {
            actions.pop();
        }
        if !actions.is_empty() {
            break;
        }
    }
    let mut half = table.clone();
    if actions.is_empty() {
        // Every way ends at once here: the draft so far, if there is one, is all there is to look at.
        return Ok(half);
    }
    commit(&mut half, seat, &actions)?;
    Ok(half)
}

/// `seat` finishes its draft and commits it.
fn committed<G: Game>(mut table: Table<G>, seat: Seat, rng: &mut ChaCha8Rng) -> LawResult<Table<G>> {
    let actions = to_commitment(&table, seat, rng)?;
    commit(&mut table, seat, &actions)?;
    Ok(table)
}

fn to_commitment<G: Game>(table: &Table<G>, seat: Seat, rng: &mut ChaCha8Rng) -> LawResult<Vec<ActionId>> {
    let game = table.game().as_ref();
    let limit = game.bound(table.setup()) as usize;
    let walk = to_segment_end(game, table.state(), seat, pick(LEISURE, rng), limit, rng);
    if walk.ended { Ok(walk.actions) } else { broken(Law::Sealed, format!("{seat} finds no way to commit")) }
}

fn commit<G: Game>(table: &mut Table<G>, seat: Seat, actions: &[ActionId]) -> LawResult {
    for list in actions.chunks(LIST_ACTIONS_MAX) {
        if let Err(refusal) = table.apply(seat, list, ApplyMode::Atomic) {
            let line = table.game().print_line(table.state(), seat, list);
            return broken(Law::Sealed, format!("`{line}` of {seat} is legal and refused: {refusal}"));
        }
    }
    Ok(())
}

/// The same was published to everybody but `drafter` in both, and they see the same.
fn others_observe_alike<G: Game>(
    left: &Table<G>,
    right: &Table<G>,
    drafter: Seat,
    what: &str,
) -> LawResult<u32> {
    for observer in Observer::all(left.seats()).filter(|observer| !observer.is(drafter)) {
        let law = Law::Sealed;
        same(law, Some(observer), what, left.published(observer, 0), right.published(observer, 0))?;
        let catalogue = left.game().catalogue();
        same_view(law, what, catalogue, &left.view(observer), &right.view(observer))?;
        if let Observer::Seat(seat) = observer {
            same_list(law, observer, what, catalogue, &left.legal(seat), &right.legal(seat))?;
        }
    }
    Ok(u32::from(left.state() != right.state()))
}

/// Two seats' drafts, entered in either order or mixed, give the same match.
fn commute<G: Game>(table: &Table<G>, first: Seat, second: Seat, rng: &mut ChaCha8Rng) -> LawResult {
    let (of_first, of_second) = (to_commitment(table, first, rng)?, to_commitment(table, second, rng)?);
    let (mut left, mut right, mut mixed) = (table.clone(), table.clone(), table.clone());
    commit(&mut left, first, &of_first)?;
    commit(&mut left, second, &of_second)?;
    commit(&mut right, second, &of_second)?;
    commit(&mut right, first, &of_first)?;
    let (begun, rest) = of_first.split_at(of_first.len() / 2);
    commit(&mut mixed, first, begun)?;
    commit(&mut mixed, second, &of_second)?;
    commit(&mut mixed, first, rest)?;
    for other in [&right, &mixed] {
        let law = Law::Sealed;
        same(law, None, "who commits last makes a difference", left.state(), other.state())?;
        same(law, None, "who commits last makes a difference", left.released(), other.released())?;
        same(law, None, "who commits last changes the log", &sorted(left.log()), &sorted(other.log()))?;
        for observer in Observer::all(left.seats()) {
            let views = (left.view(observer), other.view(observer));
            same_view(law, "who commits last shows", left.game().catalogue(), &views.0, &views.1)?;
        }
        let published = |table: &Table<G>| {
            let mut facts: Vec<String> = facts(table.published(Observer::Spectator, 0))
                .iter()
                .map(|fact| format!("{fact:?}"))
                .collect();
            facts.sort();
            facts
        };
        same(
            law,
            Some(Observer::Spectator),
            "who commits last changes the reveal",
            &published(&left),
            &published(other),
        )?;
    }
    Ok(())
}

fn sorted(log: &[LogEntry]) -> Vec<String> {
    let mut entries: Vec<String> = log.iter().map(|entry| format!("{entry:?}")).collect();
    entries.sort();
    entries
}
