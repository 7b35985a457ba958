//! Procedures of the rules, a file each: a season and its points, a month and its retreats; what sides write.

pub(super) mod adjust;
pub(super) mod economy;
pub(super) mod entry;
pub(super) mod grounds;
pub(super) mod month;
pub(super) mod retreats;
pub(super) mod season;
pub(super) mod side_drafts;
