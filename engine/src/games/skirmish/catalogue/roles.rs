//! Procedures with their stages, and the roles in them, as [`super::super::turn_state`] names them.

use crate::catalogue::{ProcedureDef, RoleDef};

use super::super::frames::Frame;

/// The procedures.
pub(in super::super) fn procedures() -> Vec<ProcedureDef> {
    let staged = |&(name, label): &(&'static str, &'static str)| {
        let def = ProcedureDef::new(name, label);
        match name {
            "act" => def.counting("seats that have acted"),
            "interception" => def.with_stages(&["offered", "tried"]),
            "battle" => def.with_stages(&["fight", "retreat"]),
            "bonus" => def.with_stages(&["to be drawn", "drawn"]),
            _ => def,
        }
    };
    Frame::NAMES.iter().map(staged).collect()
}

/// The roles.
pub(in super::super) fn roles() -> Vec<RoleDef> {
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
