//! A refused call, with all that a program can act on ([`Refused`]).

use std::fmt;
use std::time::Duration;

use edgehill_proto::v1::{RuleViolation, ErrorReason, Refusal, FieldViolation};
use prost::Message;
use tonic::{Code, Status};

/// The reason that the server refused a call. A refused call has changed nothing.
#[derive(Clone, PartialEq, Debug)]
pub struct Refused(Refusal);

impl Refused {
    /// The refusal in the details of a status; `None` if the status has none: it comes from the transport, or from
    /// something else than a server of this API.
    #[must_use]
    pub fn from_status(status: &Status) -> Option<Self> {
        let details = tonic_types::pb::Status::decode(status.details()).ok()?.details;
        details.iter().find_map(|detail| detail.to_msg::<Refusal>().ok()).map(Self)
    }

    /// The reason; [`Reason::Unspecified`] for one that this version of the wire does not know.
    #[must_use]
    pub fn reason(&self) -> ErrorReason {
        self.0.reason()
    }

    /// The reason's name as docs/errors.md has it, such as `STALE_SEQUENCE`; for one that this version of the wire does
    /// not know, its number.
    #[must_use]
    pub fn reason_name(&self) -> String {
        match ErrorReason::try_from(self.0.reason) {
            Ok(reason) => reason.as_str_name().trim_start_matches("ERROR_REASON_").to_owned(),
            Err(_) => format!("reason {}", self.0.reason),
        }
    }

    /// The gRPC status code.
    #[must_use]
    pub fn code(&self) -> Code {
        i32::try_from(self.0.code).map_or(Code::Unknown, Code::from_i32)
    }

    /// One sentence for people.
    #[must_use]
    pub fn message(&self) -> &str {
        &self.0.message
    }

    /// The place of the action at fault in the list or line that was sent, from 0.
    #[must_use]
    pub fn index(&self) -> Option<u32> {
        self.0.index
    }

    /// Every ground against the action at fault.
    #[must_use]
    pub fn grounds(&self) -> &[RuleViolation] {
        &self.0.grounds
    }

    /// The fields at fault.
    #[must_use]
    pub fn violations(&self) -> &[FieldViolation] {
        &self.0.violations
    }

    /// The last number of the caller's own sequence, with [`Reason::StaleSequence`].
    #[must_use]
    pub fn seq(&self) -> Option<u64> {
        self.0.seq
    }

    /// After which time the same call makes sense again; `None`: never.
    #[must_use]
    pub fn retry_after(&self) -> Option<Duration> {
        self.0.retry_after_micros.map(Duration::from_micros)
    }

    /// The message of the wire.
    #[must_use]
    pub const fn refusal(&self) -> &Refusal {
        &self.0
    }
}

impl From<Refusal> for Refused {
    fn from(refusal: Refusal) -> Self {
        Self(refusal)
    }
}

/// The sentence and the reason, then each ground and each field at fault on a line of its own.
impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({})", self.0.message, self.reason_name())?;
        for ground in &self.0.grounds {
            let words = if ground.words.is_empty() { &ground.code } else { &ground.words };
            write!(f, "\n  {words} ({}, rule {})", ground.code, ground.rule)?;
        }
        for violation in &self.0.violations {
            write!(f, "\n  {}: {}", violation.field, violation.description)?;
        }
        Ok(())
    }
}

impl std::error::Error for Refused {}
