//! Procedures with their stages, the results of orders, and the roles in procedures, as [`super::super::turn_state`] names them, and of actions.

use crate::catalogue::{CodeDef, ProcedureDef, RoleDef};

use super::super::codes;
use super::super::view::{FOR_ALL, FOR_ARMIES};

/// The procedures.
pub(in super::super) fn procedures() -> Vec<ProcedureDef> {
    vec![
        ProcedureDef::new("Season", "Points/build season"),
        ProcedureDef::new("Month", "Month").counting("months since the season"),
        ProcedureDef::new("Influence", "Influence is placed"),
        ProcedureDef::new("Adjustment", "Armies are removed and built"),
        ProcedureDef::new("Orders", "Orders are written"),
        ProcedureDef::new("Retreats", "Retreats are written"),
        ProcedureDef::new("Over", "The end"),
        ProcedureDef::new("Fund", "Influence of one side"),
        ProcedureDef::new("Adjust", "Removals and builds of one side").counting("spaces done"),
        ProcedureDef::new("Entry", "Orders of one side").with_stages(&[
            "a part of the units",
            "a leader for the part",
            "the order of the part",
            "the order of the only unit",
            "all is written",
        ]),
    ]
}

/// The results of orders and retreats, as arrows have them.
pub(in super::super) fn results() -> Vec<CodeDef> {
    [
        (codes::DRAFT, "not final"),
        (FOR_ALL, "open to leaders alone, too"),
        (FOR_ARMIES, "open to a part with an army"),
        ("ordered", "ordered"),
        ("held", "held"),
        ("dislodged", "dislodged"),
        ("moved", "moved"),
        ("joined", "joined own units"),
        ("merged", "merged"),
        ("bounced.own_unit", "bounced off an own army"),
        ("bounced.limit", "bounced by the limit of two leaders"),
        ("bounced.contested", "bounced, giving way to others"),
        ("bounced.head_to_head", "bounced head to head"),
        ("bounced.strength", "bounced off the holders"),
        ("bounced.standoff", "bounced in a stand-off"),
        ("bounced.knot", "bounced in a knot of moves"),
        ("given", "support given"),
        ("cut_to", "support cut in part"),
        ("cut", "support cut"),
        ("void.merge_of_one", "void merge of one"),
        ("void.three_leaders", "void merge of three leaders"),
        ("void.unmatched", "void support, which matches no order"),
        ("void.illegal", "void order"),
        ("retreated", "retreated"),
        ("disbanded", "disbanded"),
        ("clash", "lost in a clash of retreats"),
        ("captured", "captured"),
    ]
    .map(|(id, name)| CodeDef { id, name })
    .into()
}

/// The roles.
pub(in super::super) fn roles() -> Vec<RoleDef> {
    vec![
        RoleDef::new("season", "Season"),
        RoleDef::new("year", "Year"),
        RoleDef::new("month", "Month of the year"),
        RoleDef::new("royalist_armies", "Armies of the Royalists").unit("armies"),
        RoleDef::new("royalist_capacity", "Armies that the Royalists can keep").unit("armies"),
        RoleDef::new("parliament_armies", "Armies of Parliament").unit("armies"),
        RoleDef::new("parliament_capacity", "Armies that Parliament can keep").unit("armies"),
        RoleDef::new("asked", "Asked"),
        RoleDef::new("royalist_owed", "Removals that the Royalists owe").unit("armies"),
        RoleDef::new("royalist_room", "Room that the Royalists have").unit("armies"),
        RoleDef::new("parliament_owed", "Removals that Parliament owes").unit("armies"),
        RoleDef::new("parliament_room", "Room that Parliament has").unit("armies"),
        RoleDef::new("left", "Influence left").unit("points"),
        RoleDef::new("owed", "Removals still owed").unit("armies"),
        RoleDef::new("room", "Room left for builds").unit("armies"),
        RoleDef::new("at", "Orders are written in"),
        RoleDef::new("armies", "Armies").unit("armies"),
        RoleDef::new("leader", "Leader"),
        RoleDef::new("part_armies", "Armies of the part").unit("armies"),
        RoleDef::new("part_leader", "Leader with the part"),
        RoleDef::new("space", "Space"),
        RoleDef::new("supported", "Supported space"),
        RoleDef::new("to", "To"),
    ]
}
