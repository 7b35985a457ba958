//! What several suites share.

pub(crate) mod volume;
