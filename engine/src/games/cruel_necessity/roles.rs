//! Roles of procedures, as [`super::head`] names them, and of actions.

use crate::catalogue::RoleDef;

pub(super) const ROLES: &[RoleDef] = &[
    RoleDef::new("card", "Card"),
    RoleDef::new("option", "Option of the card, counted over all cards"),
    RoleDef::new("choice", "Choice of the card, counted over all cards"),
    RoleDef::new("army", "Army"),
    RoleDef::new("fortress", "Fortress"),
    RoleDef::new("revolt", "Revolt"),
    RoleDef::new("deviltry", "Deviltry"),
    RoleDef::new("track", "Track"),
    RoleDef::new("left", "Still to come"),
    RoleDef::new("north", "Faces that mean the North, as bits"),
    // A Battle.
    RoleDef::new("at", "Place of the line"),
    RoleDef::new("sector", "Sector"),
    RoleDef::new("sectors", "Sectors begun").unit("sectors"),
    RoleDef::new("die", "Die: Parliament's, then the Royalists'"),
    RoleDef::new("quick", "Resolved quickly (1)"),
    RoleDef::new("extra", "Added for Parliament in the sector by cards"),
    RoleDef::new("draws", "Battle Event cards still to be drawn").unit("cards"),
    RoleDef::new("outcome", "Outcome, by number"),
    RoleDef::new("salvaged", "A Draw was salvaged (1)"),
    RoleDef::new("trusted", "A card takes the cost of a salvaged Draw (1)"),
    RoleDef::new("points", "Benefit Points").unit("points"),
    // Actions.
    RoleDef::new("target", "Target"),
    RoleDef::new("unit", "Formation"),
    RoleDef::new("wing", "Wing: right (0) or left (1)"),
    RoleDef::new("slot", "Place of the line"),
    RoleDef::new(
        "benefit",
        "Benefit: the Zeal track, a track, a fortress, or by how much the Army is weaker",
    ),
    RoleDef::new("reward", "Reward"),
];
