//! The head of a view: who is to act, and the path of procedures, complete enough to rebuild them.

use crate::game::Game;
use crate::numbered::Listed;
use crate::reference::Ref;
use crate::seat::{Observer, Seat, SeatSet};
use crate::view::{NodeView, Path, Phrase, Procedure, TurnState, Window};

use super::actions::Action;
use super::content::things::AreaId;
use super::frames::Frame;
use super::procedures::stages::{fight_prompt, fight_rule};
use super::state::{Fight, FightKind, Goal, State};
use super::{ThisWar, both, rules};

pub(super) fn turn_state(game: &ThisWar, state: &State, observer: Observer) -> TurnState {
    let node = match game.node(state) {
        crate::game::Node::Decision(seat) => NodeView::Decision(seat),
        crate::game::Node::Sealed(to_act) => {
            let committed: SeatSet =
                both().iter().filter(|seat| state.choosing[seat.index()].committed).collect();
            NodeView::Sealed { to_act, committed }
        }
        crate::game::Node::Chance => NodeView::Chance,
        crate::game::Node::Over => match game.result(state) {
            Some(result) => NodeView::Over(result),
            None => NodeView::Chance,
        },
    };
    let mut procedures: Path =
        state.frames.iter().map(|frame| frame_context(game, state, frame, observer)).collect();
    if let (Some(fight), Some(at)) =
        (&state.fight, state.frames.iter().position(|frame| matches!(frame, Frame::Fight)))
    {
        procedures[at] = fight_context(game, state, fight, observer);
    }
    TurnState {
        node,
        prompt: prompt(game, state),
        procedures,
        window: window(game, state),
        entitlements: Vec::new(),
        warnings: Vec::new(),
    }
}

fn window(game: &ThisWar, state: &State) -> Option<Window> {
    let &Frame::Window { seat, .. } = state.frames.top()? else { return None };
    let acted = state.frames.iter().find_map(|frame| match frame {
        Frame::Operations { done } => Some(u32::from(*done)),
        _ => None,
    });
    Some(Window {
        code: "into_city",
        rule: rules::CITY_WITHDRAWAL,
        seat,
        procedure: 4 * u32::from(state.turn) + acted.unwrap_or(0),
        attacked: true,
        pass_action: game.actions.id(Action::Done),
    })
}

/// A procedure: public facts, and to its own seat the block that it is about.
fn frame_context(game: &ThisWar, state: &State, frame: &Frame, observer: Observer) -> Procedure {
    let mut procedure = frame.procedure(&game.content, observer);
    match *frame {
        Frame::GroupMove { seat, .. } | Frame::Muster { seat, .. } => {
            procedure.roles.extend(traces(game, state, seat, observer));
        }
        Frame::Supply { area, .. } => {
            for (area, short) in state.announced_short(area) {
                procedure.roles.extend([("area", Ref::from(area)), ("short", Ref::Number(short.into()))]);
            }
        }
        _ => {}
    }
    procedure
}

/// Lists where one's own blocks of the action under way came from and by: for its seat alone.
fn traces(game: &ThisWar, state: &State, seat: Seat, observer: Observer) -> Vec<(&'static str, Ref)> {
    let mut roles = Vec::new();
    if observer.is(seat) {
        for block in game.content.of_side[seat.index()] {
            let entry = &state.blocks[block];
            let Some(via) = entry.via else { continue };
            roles.push(("went", Ref::from(block)));
            // A Group Move begins where its procedure says.
            roles.extend(entry.began.map(|began| ("began", began.into())));
            roles.push(("via", via.into()));
        }
    }
    roles
}

/// The fight under way: all of it is public, but for what a seat's own blocks tell it of the odds. What is as at the start of a fight
/// is left out.
fn fight_context(game: &ThisWar, state: &State, fight: &Fight, observer: Observer) -> Procedure {
    let mut roles = vec![
        ("area", Ref::from(fight.area)),
        ("attacker", Ref::Seat(fight.attacker)),
        ("round", Ref::Number(fight.round.into())),
    ];
    roles.extend(fight.city.map(|city| ("city", city.reference(&game.content))));
    roles.extend(fight.main.map(|main| ("main", main.into())));
    roles.extend(fight.loser.map(|seat| ("loser", Ref::Seat(seat))));
    let numbers = [
        ("kind", fight.kind as u8),
        ("swapped", fight.swapped.into()),
        ("relief", fight.relief as u8),
        ("tried", fight.tried.into()),
        ("defending-horse", fight.horse[0]),
        ("attacking-horse", fight.horse[1]),
        ("guns", fight.guns.into()),
        ("horse-only", fight.horse_only.into()),
        ("withdrawn", fight.withdrawn.into()),
        ("waits", fight.waits.into()),
        ("owed", fight.owed),
        ("force", fight.force),
        ("breach", fight.breach.into()),
        ("ask", fight.ask.iter().fold(0, |bits, seat| bits | 1 << seat.index())),
        ("hits-horse", fight.hits[0]),
        ("hits-foot", fight.hits[1]),
        ("hits-any", fight.hits[2]),
        ("spill", fight.spill.into()),
    ];
    let shown = numbers.into_iter().filter(|&(_, number)| number > 0);
    roles.extend(shown.map(|(role, number)| (role, Ref::Number(number.into()))));
    if fight.struck != fight.attacker {
        roles.push(("struck", Ref::Seat(fight.struck)));
    }
    if fight.goal != Goal::NONE {
        roles.push(match fight.kind {
            FightKind::Sally => ("firing", fight.goal.gun().into()),
            _ => ("regroup-to", fight.goal.area().into()),
        });
    }
    let named = [
        ("stand-royalist", fight.stand[0]),
        ("stand-parliament", fight.stand[1]),
        ("well-royalist", fight.well[0]),
        ("well-parliament", fight.well[1]),
    ];
    roles.extend(named.into_iter().filter_map(|(role, block)| Some((role, block?.into()))));
    for (role, set) in [("half", fight.halves), ("declared", fight.declared), ("at-horse", fight.at_horse)] {
        roles.extend(set.iter().map(|block| (role, Ref::from(block))));
    }
    roles.extend(fight.touched.iter().map(|area| ("touched", Ref::from(area))));
    roles.extend(game.odds(state, fight, observer));
    Procedure { frame: "fight", rule: fight_rule(fight.stage), stage: fight.stage as u8, roles: roles.into() }
}

fn prompt(game: &ThisWar, state: &State) -> Phrase {
    let number = |n: u8| Ref::Number(n.into());
    let space = |area: AreaId| Ref::from(area);
    let who = game.asked_seat(state).unwrap_or(state.player1);
    let seat = Ref::Seat(who);
    let code = match state.frames.top() {
        None => return Phrase::new("over", &[]),
        Some(Frame::Deal { .. }) => return Phrase::new("card_due", &[]),
        Some(Frame::Discards) => return Phrase::new("discard", &[]),
        Some(Frame::Initiative) => {
            return Phrase::new("choose", &[state.turn + 1, state.turn].map(|turn| Ref::Number(turn.into())));
        }
        Some(&Frame::Actions { points, .. }) => return Phrase::new("act", &[seat, number(points)]),
        Some(&Frame::FeverLoss { area, left, .. }) => {
            return Phrase::new("lose_there", &[seat, number(left), space(area)]);
        }
        Some(&Frame::Short { area, left, .. }) => {
            return Phrase::new("short", &[seat, number(left), space(area)]);
        }
        Some(&Frame::Attrition { city, left, .. }) => {
            return Phrase::new("lose_there", &[seat, number(left), city.reference(&game.content)]);
        }
        Some(&Frame::Free { left, .. }) => return Phrase::new("recruit_free", &[seat, number(left)]),
        Some(Frame::Recruit { left, .. }) => {
            let refs: Vec<Ref> = [seat].into_iter().chain(left.map(number)).collect();
            return Phrase::new("recruit", &refs);
        }
        Some(&Frame::Region { region, .. }) => {
            return Phrase::new("recruit_in", &[seat, region.reference(&game.content)]);
        }
        Some(&Frame::Window { area, .. }) => return Phrase::new("withdraw_city", &[seat, space(area)]),
        Some(Frame::Fight) => return fight_prompt(game, state, seat),
        Some(Frame::Tie) => "tie",
        Some(Frame::Offer { .. }) => "event_offer",
        Some(Frame::Fever { .. }) => "fever_area",
        Some(Frame::Desertion { .. }) => "deserter",
        Some(&Frame::GroupMove { from, .. }) => return Phrase::new("moves", &[seat, space(from)]),
        Some(&Frame::Muster { to, .. }) => return Phrase::new("muster_at", &[seat, space(to)]),
        Some(Frame::Tactic { .. }) => "tactic_area",
        Some(Frame::Battles) => "next_battle",
        Some(Frame::Sieges) => "next_siege",
        Some(Frame::Surrender { .. }) => "march_out",
        Some(Frame::Return { .. }) => "return_home",
        Some(Frame::Resolution { .. }) => "siege_roll",
        Some(_) => "where_to",
    };
    Phrase::new(code, &[seat])
}
