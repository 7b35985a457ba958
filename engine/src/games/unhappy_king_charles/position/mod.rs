//! A state from a described position: at the start of a phase, at a card play, or within an Activation.
//!
//! ```json
//! { "turn": "late-1643", "phase": "campaign", "setup": true,
//!   "control": { "royalist": ["oxford"], "parliament": ["london"] },
//!   "generals": { "hopton": "truro", "byron": "under-king-charles-i", "waller": "inside-bristol" },
//!   "may_not_assault": ["hopton"], "notables": { "massey": "in-play" },
//!   "brigades": { "hopton": ["grenviles-cornish", { "face": "slannings-cornish", "known": "enemy" }], "pool-royalist": [] },
//!   "sieges": { "gloucester": { "marker": "siege", "value": 3 } },
//!   "trains": { "royalist": "oxford" }, "queen": "abroad", "chits": [2], "fleet": 0,
//!   "happened": ["standard"], "spent": ["E21"], "hands": { "royalist": ["C01", "E10"] }, "stores": {},
//!   "recruitment": {}, "aside": [], "discard": [], "removed": [], "with_mid": [], "late_war": false,
//!   "sets": [{ "seat": "parliament", "cards": ["E05"] }], "exchanged": "E06",
//!   "first": "royalist", "on_turn": "parliament", "plays": { "royalist": 2 }, "passed": ["royalist"],
//!   "activation": { "general": "hopton", "card": 3, "spent": 1, "path": ["truro"], "tried": [] } }
//! ```
//! `phase` is housekeeping, political-control, recruitment, draw, first-play, campaign, blockade, desertion, power-base or end. With
//! `setup` what is not named is as at the set-up; without it there are no markers, and Generals who begin on the map are unemployed. Places
//! of Brigades are Leaders, `unled-` and `inside-` an Area, `pool-` and `unemployed-` a side, `away`, `lost` and `out`; those of Generals
//! Areas, `inside-` an Area, `under-` a General, `reinforcements`, `unemployed`, `waiting`, `off-map` and `out`; of Siege Trains and the
//! Queen Areas and `with-` a General, `available`, `resting` and `out`, or `abroad`, `left` and `captured`. Brigades that are named leave where they were; `known` is nobody, enemy or everybody, and if it is
//! left out everybody for the set-up and nobody else. Cards that are named nowhere are still to come, and those above a card that has come
//! lie in the discard pile.

mod board;
mod cards;

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::Value;

use crate::flow::Frames;
use crate::position::{ById, PositionError, among, by_seat, fields, seat_of, within};
use crate::vocabulary::*;

use self::board::{DescribedBrigade, DescribedSiege};
use self::cards::DescribedSet;
use super::content::Content;
use super::content::ids::{AreaId, GeneralId, TurnId};
use super::frames::{Frame, Phase};
use super::procedures::activation::stages;
use super::state::{Activation, PATH, State, Warrant};
use super::{UnhappyKing, codec};

type Result<T> = std::result::Result<T, PositionError>;

/// The fields of a position.
#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields, default)]
struct Described {
    turn: Option<String>,
    phase: DescribedPhase,
    setup: bool,
    control: Option<ById<Vec<String>>>,
    generals: ById<String>,
    may_not_assault: Vec<String>,
    notables: ById<String>,
    brigades: BTreeMap<String, Vec<DescribedBrigade>>,
    sieges: ById<DescribedSiege>,
    trains: ById<String>,
    queen: Option<String>,
    chits: Vec<i64>,
    fleet: i64,
    happened: Vec<String>,
    spent: Vec<String>,
    hands: ById<Vec<String>>,
    stores: ById<Vec<String>>,
    recruitment: ById<Vec<String>>,
    aside: Vec<String>,
    discard: Vec<String>,
    removed: Vec<String>,
    with_mid: Vec<String>,
    late_war: bool,
    sets: Vec<DescribedSet>,
    exchanged: Option<String>,
    ascendancy: i64,
    first: Option<String>,
    on_turn: Option<String>,
    plays: ById<i64>,
    passed: Vec<String>,
    activation: Option<DescribedActivation>,
}

/// The phase that a position stands at the start of; `campaign` at a card play.
#[derive(Copy, Clone, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum DescribedPhase {
    Housekeeping,
    PoliticalControl,
    Recruitment,
    Draw,
    FirstPlay,
    #[default]
    Campaign,
    Blockade,
    Desertion,
    PowerBase,
    End,
}

/// The value of a card, or `any` for one that Activates any General.
#[derive(Deserialize)]
#[serde(untagged)]
enum DescribedWarrant {
    Value(i64),
    Word(String),
}

/// An Activation under way.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct DescribedActivation {
    general: String,
    card: DescribedWarrant,
    #[serde(default)]
    spent: i64,
    #[serde(default)]
    fee: bool,
    #[serde(default)]
    path: Vec<String>,
    #[serde(default)]
    tried: Vec<String>,
}

pub(super) fn read(game: &UnhappyKing, setup: &Setup, position: &Value) -> Result<State> {
    let described: Described = fields(position)?;
    let mut state = State::new(&game.content, UnhappyKing::options(setup));
    state.frames = Frames::default();
    turn(game, &mut state, &described)?;
    board::read(game, &mut state, &described)?;
    cards::read(game, &mut state, &described)?;
    course(game, &mut state, &described)?;
    begin(game, &mut state, &described)?;
    board::check(game, &state)?;
    // All that it leads to of itself is the match's, which publishes it; here it is tried.
    let mut tried = state.clone();
    game.settle(&mut tried, &mut crate::event::Events::silent());
    codec::check(game, &tried)
        .map_err(|expected| PositionError::new("", format!("{expected} are expected")))?;
    Ok(state)
}

/// The place of an id among things with ids.
fn place<'a>(ids: impl Iterator<Item = &'a str>, path: &str, id: &str, expected: &str) -> Result<usize> {
    among(ids, path, id, expected)
}

fn area_of(content: &Content, path: &str, id: &str) -> Result<AreaId> {
    place(content.areas.iter().map(|one| one.named.id.as_str()), path, id, "the id of an Area")
        .map(AreaId::new)
}

fn general_of(content: &Content, path: &str, id: &str) -> Result<GeneralId> {
    let ids = content.generals.iter().map(|one| one.named.id.as_str());
    place(ids, path, id, "the id of a General").map(GeneralId::new)
}

fn turn(game: &UnhappyKing, state: &mut State, described: &Described) -> Result<()> {
    if let Some(turn) = &described.turn {
        let ids = game.content.turns.iter().map(|one| one.named.id.as_str());
        state.turn = TurnId::new(place(ids, "turn", turn, "the id of a Turn")?);
    }
    Ok(())
}

/// The course of the Turn: who plays first, plays, who has passed.
fn course(game: &UnhappyKing, state: &mut State, described: &Described) -> Result<()> {
    let catalogue = &game.catalogue;
    state.ascendancy = within(0..=i64::from(u8::MAX), "ascendancy", described.ascendancy)? as u8;
    if let Some(first) = &described.first {
        state.first = seat_of(catalogue, "first", first)?;
    }
    for (seat, path, &plays) in by_seat(catalogue, "plays", &described.plays)? {
        state.plays[seat.index()] = within(0..=i64::from(u8::MAX), &path, plays)? as u8;
    }
    for (index, id) in described.passed.iter().enumerate() {
        state.passed[seat_of(catalogue, &format!("passed[{index}]"), id)?.index()] = true;
    }
    Ok(())
}

/// Opens the procedures of the phase; a card play is within the Campaign Phase, whose end comes behind it.
fn begin(game: &UnhappyKing, state: &mut State, described: &Described) -> Result<()> {
    let phase = match described.phase {
        DescribedPhase::Housekeeping => Phase::Housekeeping,
        DescribedPhase::PoliticalControl => Phase::PoliticalControl,
        DescribedPhase::Recruitment => Phase::Recruitment,
        DescribedPhase::Draw => Phase::Draw,
        DescribedPhase::FirstPlay => Phase::FirstPlay,
        DescribedPhase::Campaign | DescribedPhase::Blockade => Phase::Blockade,
        DescribedPhase::Desertion => Phase::Desertion,
        DescribedPhase::PowerBase => Phase::PowerBase,
        DescribedPhase::End => Phase::End,
    };
    state.frames.open(Frame::Turn { phase, step: 0 });
    if described.phase != DescribedPhase::Campaign {
        let stray = [
            ("on_turn", described.on_turn.is_some()),
            ("activation", described.activation.is_some()),
            ("sets", !described.sets.is_empty()),
        ];
        return match stray.iter().find(|(_, given)| *given) {
            None => Ok(()),
            Some((field, _)) => Err(PositionError::new(*field, "only in the Campaign Phase")),
        };
    }
    let on_turn = match &described.on_turn {
        Some(id) => seat_of(&game.catalogue, "on_turn", id)?,
        None => state.first,
    };
    if let Some(activation) = &described.activation {
        let activation = activate(game, state, activation)?;
        state.frames.open(Frame::Campaign { seat: on_turn.other() });
        // B16: the card's sets are played behind it, those that are still to be won among them.
        state.frames.open(Frame::Bonus);
        let begun = activation.spent > 0 || activation.path.len() > 1;
        let stage = if begun { stages::STEPS } else { stages::START };
        state.frames.open(Frame::Activation { seat: activation.seat, stage, from: None, face: None });
        state.activation = Some(activation);
        return Ok(());
    }
    state.frames.open(Frame::Campaign { seat: on_turn });
    if !state.cards.sets.is_empty() {
        state.frames.open(Frame::Bonus);
    }
    Ok(())
}

/// The Activation under way: of a General on the map, whose path leads from Area to Area to where they are.
fn activate(game: &UnhappyKing, state: &State, described: &DescribedActivation) -> Result<Activation> {
    let content = &game.content;
    let general = general_of(content, "activation.general", &described.general)?;
    let area = state.area_of(general);
    let area =
        area.ok_or_else(|| PositionError::new("activation.general", "a General on the map is expected"))?;
    let warrant = match &described.card {
        DescribedWarrant::Value(value) => {
            Warrant::Operations(within(1..=3, "activation.card", *value)? as u8)
        }
        DescribedWarrant::Word(word) if word == "any" => Warrant::Any,
        DescribedWarrant::Word(_) => {
            return Err(PositionError::new("activation.card", "1, 2, 3 or any is expected"));
        }
    };
    let seat = content.generals[general].side;
    let mut activation = Activation::new(seat, general, warrant, Some(area));
    activation.besieging = game.has_siege_marker(state, general);
    activation.spent = within(0..=i64::from(u8::MAX), "activation.spent", described.spent)? as u8;
    activation.fee = described.fee;
    activation.besieging = game.has_siege_marker(state, general);
    if !described.path.is_empty() {
        if described.path.len() > PATH {
            return Err(PositionError::new("activation.path", format!("at most {PATH} Areas are expected")));
        }
        activation.path.clear();
        for (index, id) in described.path.iter().enumerate() {
            let path = format!("activation.path[{index}]");
            let next = area_of(content, &path, id)?;
            let line = match activation.path.last() {
                None => None,
                Some(&last) => Some(content.line_between(last, next).ok_or_else(|| {
                    PositionError::new(&path, "a neighbour of the Area before it is expected")
                })?),
            };
            activation.line = line.map(|line| content.lines[line.index()].kind);
            activation.path.push(next);
        }
        if activation.path.last() != Some(&area) {
            return Err(PositionError::new(
                "activation.path",
                "a path that ends where the General is is expected",
            ));
        }
    }
    for (index, id) in described.tried.iter().enumerate() {
        let path = format!("activation.tried[{index}]");
        let tried = general_of(content, &path, id)?;
        if content.generals[tried].side == seat {
            return Err(PositionError::new(path, "a General of the enemy is expected"));
        }
        activation.tried.insert(tried);
    }
    Ok(activation)
}
