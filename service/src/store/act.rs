//! Acts of administration as the store keeps them ([`KeptAct`]): a log of their own, of which nothing is ever taken back.

use super::error::Error;
use super::limits::ACT_BYTES_MAX;

/// An act of administration, in the service's own form.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct KeptAct {
    /// Its number, from 1 on without a gap.
    pub number: u64,
    /// The act.
    pub bytes: Vec<u8>,
}

impl KeptAct {
    pub(super) fn check(&self) -> Result<(), Error> {
        Error::bound("an act of administration", self.bytes.len(), ACT_BYTES_MAX)
    }
}
