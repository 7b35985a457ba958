//! Procedures with their stages, and the roles in them, as [`super::sight`] names them.

use crate::catalogue::{ProcedureDef, RoleDef};

/// The procedures.
pub(super) fn procedures() -> Vec<ProcedureDef> {
    vec![
        ProcedureDef::new("deal", "Deal"),
        ProcedureDef::new("choose", "Choice of cards"),
        ProcedureDef::new("act", "Turn").counting("seats that have acted"),
        ProcedureDef::new("activation", "Activation"),
        ProcedureDef::new("march", "March"),
        ProcedureDef::new("interception", "Interception").with_stages(&["offered", "tried"]),
        ProcedureDef::new("battle", "Battle").with_stages(&["fight", "retreat"]),
        ProcedureDef::new("bonus", "Bonus card").with_stages(&["to be drawn", "drawn"]),
        ProcedureDef::new("scouting", "Scouting"),
    ]
}

/// The roles.
pub(super) fn roles() -> Vec<RoleDef> {
    vec![
        RoleDef::new("left", "Still to be dealt").unit("cards"),
        RoleDef::new("active", "Acting seat"),
        RoleDef::new("marches", "Marches left").unit("marches"),
        RoleDef::new("from", "From"),
        RoleDef::new("to", "To"),
        RoleDef::new("taken", "Goes along"),
        RoleDef::new("asked", "May intercept"),
        RoleDef::new("by", "Intercepts from"),
        RoleDef::new("at", "At"),
        RoleDef::new("attacker", "Attacker"),
        RoleDef::new("beaten", "Beaten"),
        RoleDef::new("back", "Back of the bonus card"),
        RoleDef::new("card", "Bonus card"),
        RoleDef::new("block", "Block"),
    ]
}
