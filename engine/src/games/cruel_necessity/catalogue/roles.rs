//! Procedures with their stages, and the roles in them, as [`super::super::turn_state`] names them, and of actions.

use crate::catalogue::{ProcedureDef, RoleDef};

use super::super::frames::Frame;
use super::super::state::line::Stage;

/// Names of the stages of a Battle, in the order of [`Stage`].
const BATTLE_STAGES: [&str; Stage::ALL.len()] = [
    "none",
    "fought out, or resolved quickly",
    "the Army is named",
    "the quick dice",
    "Named units are committed",
    "the lines are filled",
    "Battle Event cards are drawn",
    "a place is drawn for the card",
    "a formation is drawn instead of another",
    "a place is picked for the card",
    "cards before the first sector",
    "the Zeal marker may be committed",
    "cards before the dice",
    "the dice of the sector",
    "cards after the dice",
    "dice are rolled again",
    "a Draw may be salvaged",
    "cards in the aftermath",
    "Benefit Points are spent",
    "formations go back",
    "Deadly Outcomes",
];

/// The procedures.
pub(in super::super) fn procedures() -> Vec<ProcedureDef> {
    let paid = &["paid with Zeal", "given by a card", "the strike at an Army"];
    let staged = |&(name, label): &(&'static str, &'static str)| {
        let def = ProcedureDef::new(name, label);
        match name {
            "turn" => {
                def.with_stages(&["before the actions", "before the End Times", "before the housekeeping"])
            }
            "items" => def.counting("instructions done"),
            "activation" => def.with_stages(&["the Army", "the Army, then the Irish Troubles"]),
            "siege" => def.with_stages(&["from without", "unrest within"]),
            "track" => def.with_stages(&["down", "up"]),
            "search" | "campaign" => def.with_stages(paid),
            "politics" => def.with_stages(&["with all modifiers", "by settlers, without modifiers"]),
            "battle" => def.with_stages(&BATTLE_STAGES),
            _ => def,
        }
    };
    Frame::NAMES.iter().map(staged).collect()
}

/// The roles.
pub(in super::super) fn roles() -> Vec<RoleDef> {
    vec![
        RoleDef::new("card", "Card"),
        RoleDef::new("option", "Option of the card, counted from 1"),
        RoleDef::new("choice", "Choice of the card, counted from 1"),
        RoleDef::new("army", "Army"),
        RoleDef::new("fortress", "Fortress"),
        RoleDef::new("revolt", "Revolt"),
        RoleDef::new("deviltry", "Deviltry"),
        RoleDef::new("track", "Track"),
        RoleDef::new("left", "Still to come"),
        RoleDef::new("north", "Faces that mean the North").bits(&[
            (2, "1"),
            (4, "2"),
            (8, "3"),
            (16, "4"),
            (32, "5"),
            (64, "6"),
        ]),
        // A Battle.
        RoleDef::new("at", "Place of the line"),
        RoleDef::new("sector", "Sector"),
        RoleDef::new("sectors", "Sectors begun").unit("sectors"),
        RoleDef::new("die", "Die: Parliament's, then the Royalists'"),
        RoleDef::new("quick", "Resolved quickly").flag(),
        RoleDef::new("extra", "Added for Parliament in the sector by cards"),
        RoleDef::new("draws", "Battle Event cards still to be drawn").unit("cards"),
        RoleDef::new("outcome", "Outcome").values(&[(0, "open"), (1, "Victory"), (2, "Draw"), (3, "Defeat")]),
        RoleDef::new("salvaged", "A Draw was salvaged").flag(),
        RoleDef::new("trusted", "A card takes the cost of a salvaged Draw").flag(),
        RoleDef::new("points", "Benefit Points").unit("points"),
        RoleDef::new("total-1", "Sector 1: Parliament's total without its die"),
        RoleDef::new("royalist-total-1", "Sector 1: the Royalists' total without their die"),
        RoleDef::new("wins-1", "Sector 1: ways in 36 to win it"),
        RoleDef::new("losses-1", "Sector 1: ways in 36 to lose it"),
        RoleDef::new("total-2", "Sector 2: Parliament's total without its die"),
        RoleDef::new("royalist-total-2", "Sector 2: the Royalists' total without their die"),
        RoleDef::new("wins-2", "Sector 2: ways in 36 to win it"),
        RoleDef::new("losses-2", "Sector 2: ways in 36 to lose it"),
        RoleDef::new("total-3", "Sector 3: Parliament's total without its die"),
        RoleDef::new("royalist-total-3", "Sector 3: the Royalists' total without their die"),
        RoleDef::new("wins-3", "Sector 3: ways in 36 to win it"),
        RoleDef::new("losses-3", "Sector 3: ways in 36 to lose it"),
        RoleDef::new("total-4", "Sector 4: Parliament's total without its die"),
        RoleDef::new("royalist-total-4", "Sector 4: the Royalists' total without their die"),
        RoleDef::new("wins-4", "Sector 4: ways in 36 to win it"),
        RoleDef::new("losses-4", "Sector 4: ways in 36 to lose it"),
        // Actions.
        RoleDef::new("target", "Target"),
        RoleDef::new("unit", "Formation"),
        RoleDef::new("wing", "Wing").values(&[(0, "right"), (1, "left")]),
        RoleDef::new("slot", "Place of the line"),
        RoleDef::new(
            "benefit",
            "Benefit: the Zeal track, a track, a fortress, or by how much the Army is weaker",
        ),
        RoleDef::new("reward", "Reward"),
    ]
}
