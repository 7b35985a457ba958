//! Roles of procedures, as [`super::head`] names them, and of actions.

use crate::catalogue::RoleDef;

pub(super) const ROLES: &[RoleDef] = &[
    RoleDef::new("season", "Season"),
    RoleDef::new("year", "Year"),
    RoleDef::new("month", "Month of the year"),
    RoleDef::new("asked", "Asked"),
    RoleDef::new("royalist_owed", "Removals that the Royalists owe").unit("armies"),
    RoleDef::new("royalist_room", "Room that the Royalists have").unit("armies"),
    RoleDef::new("parliament_owed", "Removals that Parliament owes").unit("armies"),
    RoleDef::new("parliament_room", "Room that Parliament has").unit("armies"),
    RoleDef::new("left", "Influence left").unit("points"),
    RoleDef::new("last", "Space that got the last point"),
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
];
