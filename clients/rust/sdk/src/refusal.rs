//! The refusal of a call, with all that a program can act on ([`ServerRefusal`]).

use std::fmt;
use std::time::Duration;

use edgehill_proto::v1::{ErrorReason, FieldViolation, Refusal, RuleViolation};
use prost::Message;
use tonic::{Code, Status};

/// The rule that a violation cites where no rule of the game is at issue.
const CONTRACT: &str = "contract";

/// The server's refusal of a call. A refused call has changed nothing.
#[derive(Clone, PartialEq, Debug)]
pub struct ServerRefusal(Refusal);

impl ServerRefusal {
    /// The refusal in the details of a status; `None` if the status has none: it comes from the transport, or from
    /// something else than a server of this API.
    #[must_use]
    pub fn from_status(status: &Status) -> Option<Self> {
        let details = tonic_types::pb::Status::decode(status.details()).ok()?.details;
        details.iter().find_map(|detail| detail.to_msg::<Refusal>().ok()).map(Self)
    }

    /// The reason; [`ErrorReason::Unspecified`] for one that this version of the wire does not know.
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
        Code::from_i32(self.0.code)
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

    /// Every rule that the action at fault would violate.
    #[must_use]
    pub fn rule_violations(&self) -> &[RuleViolation] {
        &self.0.rule_violations
    }

    /// The fields at fault.
    #[must_use]
    pub fn field_violations(&self) -> &[FieldViolation] {
        &self.0.field_violations
    }

    /// The last number of the caller's own sequence, with [`ErrorReason::StaleSequence`].
    #[must_use]
    pub fn seq(&self) -> Option<u64> {
        self.0.seq
    }

    /// Time to wait before the same call makes sense again; `None`: to repeat it is of no use.
    #[must_use]
    pub fn retry_after(&self) -> Option<Duration> {
        // A negative time, which no server sends, is none to wait.
        self.0.retry_after.map(|wait| Duration::try_from(wait).unwrap_or_default())
    }

    /// The message of the wire.
    #[must_use]
    pub const fn refusal(&self) -> &Refusal {
        &self.0
    }

    /// True if a violation says something that the message and the reason do not.
    fn adds(&self, violation: &RuleViolation) -> bool {
        let says_more = !violation.text.is_empty() && violation.text != self.0.message;
        violation.rule != CONTRACT || says_more || violation.code != self.reason_name()
    }
}

impl From<Refusal> for ServerRefusal {
    fn from(refusal: Refusal) -> Self {
        Self(refusal)
    }
}

/// The sentence and the reason, then each rule that is violated and each field at fault on a line of its own.
impl fmt::Display for ServerRefusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({})", self.0.message, self.reason_name())?;
        for violation in self.0.rule_violations.iter().filter(|violation| self.adds(violation)) {
            let RuleViolation { code, rule, text, .. } = violation;
            let text = if text.is_empty() { code } else { text };
            match rule.as_str() {
                CONTRACT => write!(f, "\n  {text} ({code})")?,
                rule => write!(f, "\n  {text} ({code}, rule {rule})")?,
            }
        }
        for violation in &self.0.field_violations {
            write!(f, "\n  {}: {}", violation.field, violation.description)?;
        }
        Ok(())
    }
}

impl std::error::Error for ServerRefusal {}
