//! The signature of the host that a record is of ([`RecordSignature`]).

use crate::signing::{Signature, SigningKey, VerifyingKey};

use super::Record;

/// The name of what is signed: a record of the version that [`super::write::FIRST_LINE`] has.
pub(super) const SIGNED_KIND: &str = "edgehill record v2";

/// A host's signature of a record: over [`Record::digest`], and so over everything in it.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct RecordSignature {
    /// The key that it was made with. Anybody has one: whose it is stands nowhere in a record.
    pub signer: VerifyingKey,
    /// The signature of `edgehill record v2` and the digest.
    pub signature: Signature,
}

impl Record {
    /// The same record, signed with `key`. A signature that it had is replaced.
    #[must_use]
    pub fn signed_with(mut self, key: &SigningKey) -> Self {
        let signature = key.sign(SIGNED_KIND, self.derived.as_bytes());
        self.signature = Some(RecordSignature { signer: key.verifying_key(), signature });
        self.signature_line = self.end_line + 1;
        self
    }

    /// The host's signature, which only [`super::verify()`] checks; `None` if it is not signed.
    #[must_use]
    pub const fn signature(&self) -> Option<&RecordSignature> {
        self.signature.as_ref()
    }
}
