//! Roles of procedures, as [`super::sight`] names them.

use crate::catalogue::RoleDef;

pub(super) const ROLES: [RoleDef; 14] = [
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
];
