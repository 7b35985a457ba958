//! TODO

pub(super) mod adjust;
pub(super) mod economy;
pub(super) mod entry;
pub(super) mod grounds;
pub(super) mod month;
pub(super) mod season;
pub(super) mod side_drafts;
