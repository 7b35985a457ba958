//! Turn state for one observer: node, prompt, the path of procedures, warnings.

use crate::game::{MatchResult, Termination};
use crate::ledger::Rule;
use crate::reference::{Ref, Refs};
use crate::seat::{Observer, Seat, SeatSet};
use crate::view::{NodeView, Path, Phrase, Procedure, Roles, TurnState};

use super::EnglishCivilWar;
use super::actions::{leader_ref, space_ref};
use super::realm::SIDES;
use super::rules;
use super::state::draft::{Draft, Entry, Stage};
use super::state::{Phase, State, Verdict};
use super::view;
use super::warnings::warnings;

/// The name of a node's procedure, and its rule.
pub(super) const fn procedure(phase: Phase) -> (&'static str, Rule) {
    match phase {
        Phase::Influence => ("Influence", rules::INFLUENCE),
        Phase::Adjustment => ("Adjustment", rules::ADJUSTMENT),
        Phase::Orders => ("Orders", rules::MULTIPLE_UNITS),
        Phase::Retreats => ("Retreats", rules::RETREAT),
        Phase::Over(_) => ("Over", rules::VICTORY),
    }
}

/// A verdict as the contract has it.
pub(super) fn result(verdict: Verdict) -> MatchResult {
    let returns = SIDES.map(|seat| verdict.winner.map_or(0, |winner| if winner == seat { 1 } else { -1 }));
    let code = verdict.clause.code();
    MatchResult {
        returns: returns.to_vec(),
        code,
        refs: verdict.winner.map(Ref::Seat).into_iter().collect(),
        rule: verdict.clause.rule(),
        grade: code,
        termination: Termination::Victory,
    }
}

/// Describes the situation for `observer`.
pub(super) fn turn_state(game: &EnglishCivilWar, state: &State, observer: Observer) -> TurnState {
    let own = match observer {
        Observer::Seat(seat) => Some(seat),
        Observer::Spectator => None,
    };
    TurnState {
        node: node(state),
        prompt: prompt(game, state, own),
        procedures: procedures(game, state, own),
        window: None,
        entitlements: Vec::new(),
        warnings: own.map(|seat| warnings(state, seat)).unwrap_or_default(),
    }
}

fn node(state: &State) -> NodeView {
    if let Phase::Over(verdict) = state.phase {
        return NodeView::Over(result(verdict));
    }
    let to_act = state.to_act();
    let committed: SeatSet =
        SIDES.into_iter().filter(|seat| state.side_drafts[seat.index()].committed).collect();
    NodeView::Sealed { to_act, committed }
}

fn prompt(game: &EnglishCivilWar, state: &State, own: Option<Seat>) -> Phrase {
    if let Phase::Over(verdict) = state.phase {
        return Phrase {
            code: verdict.clause.code(),
            refs: verdict.winner.map(Ref::Seat).into_iter().collect(),
        };
    }
    match own.filter(|seat| state.to_act().contains(*seat)) {
        Some(seat) => own_prompt(game, state, seat),
        None => Phrase { code: "waiting", refs: state.to_act().iter().map(Ref::Seat).collect() },
    }
}

fn own_prompt(game: &EnglishCivilWar, state: &State, seat: Seat) -> Phrase {
    let number = |count: usize| Ref::Number(count as i32);
    match &state.side_drafts[seat.index()].draft {
        Draft::Nothing => Phrase::new("waiting", &[]),
        Draft::Influence(fund) => Phrase::new("fund", &[number(usize::from(fund.left))]),
        Draft::Adjustment(adjust) if adjust.owed > 0 => {
            let (armies, kept) = (state.army_count(seat), state.capacity(&game.realm, seat));
            Phrase::new("remove", &[adjust.owed, armies, kept].map(|count| number(usize::from(count))))
        }
        Draft::Adjustment(adjust) => {
            let leader = super::realm::roster(seat).nth(adjust.placed.len());
            match leader.filter(|_| adjust.placed.len() < usize::from(adjust.to_place)) {
                Some(leader) => Phrase::new("place", &[leader_ref(leader)]),
                None => Phrase::new("build", &[number(usize::from(adjust.room))]),
            }
        }
        Draft::Parts(entry) => entry_prompt(entry, state.phase == Phase::Retreats),
    }
}

fn entry_prompt(entry: &Entry, retreats: bool) -> Phrase {
    let at = space_ref(entry.at);
    let subject = Ref::Number(i32::from(entry.subject().armies));
    match (entry.stage(), retreats) {
        (Stage::What, false) => Phrase::new("order_what", &[at, Ref::Number(i32::from(entry.armies))]),
        (Stage::What, true) => Phrase::new("retreat_what", &[at, Ref::Number(i32::from(entry.armies))]),
        (Stage::Leaders, _) => {
            let ask = entry.part.and_then(|part| part.ask.iter().next());
            let mut refs = Refs::from_slice(&[at, subject]);
            refs.extend(ask.map(leader_ref));
            Phrase { code: "order_leader", refs }
        }
        (Stage::Order | Stage::Whole, false) => Phrase::new("order", &[at, subject]),
        (Stage::Order | Stage::Whole, true) => Phrase::new("retreat", &[at, subject]),
        (Stage::Commit, _) => Phrase::new("commit", &[]),
    }
}

/// Roles of a side's armies, and of the armies that it can keep.
const STRENGTHS: [[&str; 2]; 2] =
    [["royalist_armies", "royalist_capacity"], ["parliament_armies", "parliament_capacity"]];

fn procedures(game: &EnglishCivilWar, state: &State, own: Option<Seat>) -> Path {
    let (year, month) = view::calendar(&game.numbers, state.date);
    let (frame, rule) =
        if state.date.month == 0 { ("Season", rules::SEASON) } else { ("Month", rules::MONTH) };
    let date = [("season", i32::from(state.date.season)), ("year", year), ("month", month)];
    let mut roles = Roles::with_capacity(date.len() + STRENGTHS.as_flattened().len());
    roles.extend(date.map(|(role, number)| (role, Ref::Number(number))));
    // Armies against capacity, all the time: what a side may lose or build follows from them (B1).
    for (seat, [armies, capacity]) in SIDES.into_iter().zip(STRENGTHS) {
        roles.push((armies, Ref::Number(i32::from(state.army_count(seat)))));
        roles.push((capacity, Ref::Number(i32::from(state.capacity(&game.realm, seat)))));
    }
    let mut path = Path::new();
    path.push(Procedure { frame, rule, stage: state.date.month, roles });
    let (frame, rule) = procedure(state.phase);
    path.push(Procedure { frame, rule, stage: 0, roles: public_roles(game, state) });
    path.extend(own.and_then(|seat| own_context(state, seat)));
    path
}

/// Returns the roles that a node rests on and everybody knows.
fn public_roles(game: &EnglishCivilWar, state: &State) -> Roles {
    let mut roles = Roles::new();
    for seat in SIDES.into_iter().filter(|seat| state.side_drafts[seat.index()].asked()) {
        roles.push(("asked", Ref::Seat(seat)));
    }
    if state.phase == Phase::Adjustment {
        let names = [["royalist_owed", "royalist_room"], ["parliament_owed", "parliament_room"]];
        for (seat, [owed_role, room_role]) in SIDES.into_iter().zip(names) {
            let (owed, room) = state.owed_and_room(&game.realm, seat);
            roles.push((owed_role, Ref::Number(i32::from(owed))));
            roles.push((room_role, Ref::Number(i32::from(room))));
        }
    }
    roles
}

/// An unfinished choice of the observer's own.
fn own_context(state: &State, seat: Seat) -> Option<Procedure> {
    let number = |count: u16| Ref::Number(i32::from(count));
    let (frame, rule, stage, roles) = match &state.side_drafts[seat.index()].draft {
        Draft::Nothing => return None,
        Draft::Influence(fund) => {
            let roles = Roles::from_slice(&[("left", number(fund.left))]);
            ("Fund", rules::SAVING, 0, roles)
        }
        Draft::Adjustment(adjust) => {
            let numbers = [("owed", adjust.owed), ("room", adjust.room)];
            let roles = Roles::from_slice(&numbers.map(|(role, count)| (role, number(count.into()))));
            ("Adjust", rules::ADJUSTMENT, adjust.placed.len() as u8, roles)
        }
        Draft::Parts(entry) => ("Entry", rules::PARTS, entry.stage() as u8, entry_roles(entry)),
    };
    Some(Procedure { frame, rule, stage, roles })
}

fn entry_roles(entry: &Entry) -> Roles {
    let mut roles = Roles::new();
    if !entry.open.is_empty() {
        roles.push(("at", space_ref(entry.at)));
        roles.push(("armies", Ref::Number(i32::from(entry.armies))));
        roles.extend(entry.leaders.iter().map(|leader| ("leader", leader_ref(leader))));
    }
    if let Some(part) = entry.part {
        roles.push(("part_armies", Ref::Number(i32::from(part.armies))));
        roles.extend(part.leaders.iter().map(|leader| ("part_leader", leader_ref(leader))));
    }
    roles
}
