//! Turn state of a match: the node, the prompt, the path of procedures, what the card still asks.

use crate::game::{Game, Node};
use crate::ledger::Rule;
use crate::numbered::{Listed, SetOf};
use crate::reference::Ref;
use crate::seat::Observer;
use crate::view::{Entitlement, NodeView, Phrase, Procedure, TurnState};

use super::actions::Target;
use super::catalogue::names;
use super::content::{ArmyId, Content, FormationId, FortId, ListId, Op, TrackId};
use super::frames::Frame;
use super::procedures::battle::{battle_context, battle_prompt, battle_refs};
use super::procedures::items::zeal_rule;
use super::procedures::royal_siege::siege_rule;
use super::score::score;
use super::state::State;
use super::{CruelNecessity, PLAYER, rules};

pub(super) fn turn_state(game: &CruelNecessity, state: &State) -> TurnState {
    let node = match (game.node(state), game.ending_of(state)) {
        (Node::Over, Some(result)) => NodeView::Over(result),
        (Node::Decision(seat), _) => NodeView::Decision(seat),
        _ => NodeView::Chance,
    };
    TurnState {
        node,
        prompt: prompt(game, state),
        procedures: state.frames.iter().map(|&frame| procedure(game, state, frame)).collect(),
        window: None,
        entitlements: owed(&game.content, state),
        warnings: Vec::new(),
    }
}

fn prompt(game: &CruelNecessity, state: &State) -> Phrase {
    let score = score(&game.content, state);
    let points = Ref::Number(score);
    let zeal = Ref::Number(state.zeal.into());
    let army = |army: ArmyId| Target::Army(army).reference();
    match state.frames.top().copied() {
        None if state.verdict.is_none() => Phrase::new("turn_due", &[]),
        None => Phrase::new("match_over", &[points]),
        Some(Frame::Actions) => {
            let number = |grade: usize| Ref::Number(names::grade_number(grade));
            let grade = number(game.grade(state.last, score));
            match game.next_grade(state.last, score) {
                Some((next, least)) => {
                    Phrase::new("act", &[zeal, points, grade, number(next), Ref::Number(least)])
                }
                None => Phrase::new("act_best", &[zeal, points, grade]),
            }
        }
        Some(Frame::Displace { card }) => Phrase::new("drop_which", &[names::card_ref(card)]),
        Some(Frame::Track { track, up, .. }) => {
            Phrase::new(if up { "shift_up" } else { "shift_down" }, &[Target::Track(track).reference()])
        }
        Some(Frame::Reaction) => Phrase::new("reaction_asked", &[]),
        Some(Frame::Choice { choice }) => {
            let card = game.content.choices[choice].card;
            Phrase::new("choose_option", &[names::card_ref(card)])
        }
        Some(Frame::PlaceMarker) => Phrase::new("place_marker", &[]),
        Some(Frame::Settle) => Phrase::new("settle_asked", &[]),
        Some(Frame::SettlersTrack) => Phrase::new("settlers_track", &[]),
        Some(Frame::Reveal) => Phrase::new("card_due", &[]),
        Some(Frame::Reward { .. }) => Phrase::new("reward_due", &[]),
        Some(Frame::Battle) => Phrase::new(battle_prompt(state.battle.stage), &battle_refs(state)),
        Some(Frame::Siege { fort, .. }) => Phrase::new("siege_due", &[Target::Fort(fort).reference()]),
        Some(Frame::Search { army: sought, .. }) => Phrase::new("search_due", &[army(sought)]),
        Some(Frame::Campaign { army: foe, .. }) => Phrase::new("die_due", &[army(foe)]),
        Some(Frame::Exorcise { marker }) => Phrase::new("die_due", &[Target::Deviltry(marker).reference()]),
        Some(Frame::Besiege { fort }) => Phrase::new("die_due", &[Target::Fort(fort).reference()]),
        Some(Frame::Crush { revolt } | Frame::Clubmen { revolt, .. }) => {
            Phrase::new("die_due", &[Target::Revolt(revolt).reference()])
        }
        Some(Frame::Politics { track, .. }) => Phrase::new("die_due", &[Target::Track(track).reference()]),
        Some(Frame::Revolt { revolt, .. }) => {
            Phrase::new("revolt_due", &[Target::Revolt(revolt).reference()])
        }
        Some(Frame::League) => Phrase::new("league_due", &[]),
        Some(Frame::Turn { .. } | Frame::Items { .. } | Frame::Activate { .. }) => {
            Phrase::new("goes_on", &[])
        }
    }
}

/// A procedure in public words; [`super::resample`] reads it back.
fn procedure(game: &CruelNecessity, state: &State, frame: Frame) -> Procedure {
    let mut procedure = frame.procedure(&game.content, Observer::Seat(PLAYER));
    match frame {
        Frame::Turn { .. } => {
            procedure.roles.extend(state.current.map(|card| ("card", names::card_ref(card))));
        }
        Frame::Siege { unrest, .. } => procedure.rule = siege_rule(state, unrest),
        Frame::Revolt { region: None, north, .. } => {
            procedure.roles.push(("north", Ref::Number(north.into())));
        }
        Frame::Battle => return battle_context(game, state),
        _ => {}
    }
    procedure
}

/// Lists what the lists under way still ask, the innermost first: the rest of the card in plain words.
fn owed(content: &Content, state: &State) -> Vec<Entitlement> {
    let mut owed = Vec::new();
    let frames: Vec<Frame> = state.frames.iter().copied().collect();
    for frame in frames.into_iter().rev() {
        let Frame::Items { list, next } = frame else { continue };
        for &op in content.lists[list].iter().skip(usize::from(next)) {
            let (what, rule) = item(content, list, op);
            owed.push(Entitlement { seat: PLAYER, what, rule });
        }
    }
    owed
}

/// Kinds of formations.
fn formations(content: &Content, units: SetOf<FormationId>) -> Vec<Ref> {
    units.iter().map(|kind| names::formation_ref(content, kind)).collect()
}

/// An activation in words: how often, and with which Strength marker, only where that says something.
fn activation(army: ArmyId, times: u8, strength: i8) -> (&'static str, Vec<Ref>, Rule) {
    let army = Target::Army(army).reference();
    let (times, marker) = (Ref::Number(times.into()), Ref::Number(strength.into()));
    match (times, strength) {
        (Ref::Number(1), 0) => ("item_activate", vec![army], rules::ACTIVATION),
        (_, 0) => ("item_activate_times", vec![army, times], rules::ACTIVATION),
        (Ref::Number(1), _) => ("item_activate_marked", vec![army, marker], rules::STRENGTH_MARKERS),
        _ => ("item_activate_times_marked", vec![army, times, marker], rules::STRENGTH_MARKERS),
    }
}

/// An operation of a list in words.
pub(super) fn item(content: &Content, list: ListId, op: Op) -> (Phrase, Rule) {
    let army = |army: ArmyId| Target::Army(army).reference();
    let fort = |fort: FortId| Target::Fort(fort).reference();
    let number = |number: i8| Ref::Number(number.into());
    let track = |track: TrackId| Target::Track(track).reference();
    let (code, refs, rule): (&'static str, Vec<Ref>, Rule) = match op {
        Op::Battle => ("item_battle", vec![], rules::BATTLE_FIRST),
        Op::Activate { army: who, times, strength } => activation(who, times, strength),
        Op::Track { track: which, arrows } if arrows > 0 => {
            ("item_up", vec![track(which), number(arrows)], rules::TRACK)
        }
        Op::Track { track: which, arrows } => {
            ("item_down", vec![track(which), number(-arrows)], rules::TRACK)
        }
        Op::TrackDrm { track: which, drm } => ("item_drm", vec![track(which), number(drm)], rules::TRACK_DRM),
        Op::BesiegeOrFortify { fort: which } => {
            ("item_besiege", vec![fort(which)], rules::BESIEGE_OR_FORTIFY)
        }
        Op::Unrest => ("item_unrest", vec![], rules::UNREST),
        Op::PoliticalReaction => ("item_political", vec![], rules::REACTIONS),
        Op::ReligiousReaction => ("item_religious", vec![], rules::REACTIONS),
        Op::Deviltry { marker } => {
            ("item_deviltry", vec![Target::Deviltry(marker).reference()], rules::DEVILTRY)
        }
        Op::Revolt { kind, region } => {
            ("item_revolt", vec![Ref::Kind(names::kind_revolt(content, kind)), army(region)], rules::REVOLT)
        }
        Op::ClubmenSpecial { kind, .. } => {
            ("item_clubmen", vec![Ref::Kind(names::kind_revolt(content, kind))], rules::CLUBMEN_REGION)
        }
        Op::PermitOxford => ("item_oxford", vec![], rules::OXFORD),
        Op::Fortify { fort: which } => ("item_fortify", vec![fort(which)], rules::EVENT_FORTIFY),
        Op::Disorder { army: who } => ("item_disorder", vec![army(who)], rules::DISORDER),
        Op::DisorderIfStillThere { army: who, area } => {
            ("item_watch", vec![army(who), Ref::Number(area.into())], rules::WHEN_THE_TURN_ENDS)
        }
        Op::Choice { choice } => {
            let card = content.choices[choice].card;
            ("item_choice", vec![names::card_ref(card)], rules::BLUE_TEXT)
        }
        Op::SwapArmy { counter } => ("item_swap", vec![counter.reference(content)], rules::COUNTER_SWAP),
        Op::AddNamedUnits { units } => {
            let refs = formations(content, units);
            (if refs.len() == 2 { "item_named_two" } else { "item_named" }, refs, rules::NAMED_UNITS_JOIN)
        }
        Op::RemoveUnits { units } => ("item_remove", formations(content, units), rules::PURCHASE),
        Op::Zeal { zeal } => {
            let code = if zeal < 0 { "item_zeal_less" } else { "item_zeal" };
            (code, vec![number(zeal.saturating_abs())], zeal_rule(content, list))
        }
        Op::ZealMarker => ("item_marker", vec![], rules::FREE_MARKER_NOW),
        Op::FreeCampaign { army: who } => ("item_campaign", vec![army(who)], rules::FREE_CAMPAIGN),
        Op::ReactionImmunity => ("item_immunity", vec![], rules::TOLERANCE),
        Op::RemoveBattleCard { card } => {
            ("item_card_out", vec![names::battle_card_ref(card)], rules::LEVELLER_MUTINIES)
        }
    };
    (Phrase::new(code, &refs), rule)
}
