//! The reason that a caller is refused ([`Refused`]): the service's one error towards callers.

use std::fmt;
use std::time::Duration;

use edgehill_engine::game::LineError;
use edgehill_engine::position::PositionError;
use edgehill_engine::registry::UnknownGame;
use edgehill_engine::seat::Seat;
use edgehill_proto::v1;
use tonic::Code;
use v1::{ErrorReason, LimitName, QuotaSubject};

use super::{error_reason, quota_subject};
use crate::store::MatchId;

/// The most bytes of a message. What a caller sent stands in it, twice with the field at fault, and some clients take no more
/// than 8 KiB of trailers.
pub const MESSAGE_BYTES_MAX: usize = 384;
/// The most bytes of a field's path.
pub const FIELD_BYTES_MAX: usize = 128;
/// The most bytes of what is said of a field.
pub const DESCRIPTION_BYTES_MAX: usize = 384;
/// The most violations of one refusal; what is wrong besides is told when these are mended.
pub const VIOLATIONS_MAX: usize = 4;
/// The most bytes that are shown of a word that a caller sent.
const SHOWN_BYTES_MAX: usize = 64;

/// A refusal on its way to its caller: a [`v1::Refusal`] that always has a reason, that reason's code, and a message.
///
/// ```
/// use edgehill_proto::v1::ErrorReason;
/// use edgehill_service::wire::Refused;
///
/// let refused = Refused::new(ErrorReason::UnknownMatch, "match `m-1`: this server has no such match");
/// assert_eq!(refused.code(), tonic::Code::NotFound);
/// let status = tonic::Status::from(refused);
/// assert_eq!(status.message(), "match `m-1`: this server has no such match");
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct Refused {
    refusal: Box<v1::Refusal>,
    /// The match of which the call is, if another server has it.
    elsewhere: Option<Box<MatchId>>,
}

impl Refused {
    /// Refused for `reason`, in the words that always hold.
    #[must_use]
    pub fn of(reason: ErrorReason) -> Self {
        Self::new(reason, error_reason::sentence(reason))
    }

    /// Refused for `reason`, in words for people. Nothing may stand in them that the caller may not know.
    #[must_use]
    pub fn new(reason: ErrorReason, message: impl Into<String>) -> Self {
        let exhausted = matches!(reason, ErrorReason::RateLimited | ErrorReason::LimitReached);
        let subject = if exhausted { QuotaSubject::Caller } else { QuotaSubject::Unspecified };
        let refusal = v1::Refusal {
            reason: reason.into(),
            // Codes are 0 to 16.
            code: error_reason::code(reason) as i32,
            message: clipped(message.into(), MESSAGE_BYTES_MAX),
            quota_subject: subject.into(),
            ..v1::Refusal::default()
        };
        Self { refusal: Box::new(refusal), elsewhere: None }
    }

    /// A refusal as another server has told it.
    #[must_use]
    pub(crate) fn told(refusal: v1::Refusal) -> Self {
        Self { refusal: Box::new(refusal), elsewhere: None }
    }

    /// STORE_UNAVAILABLE to a caller; to the server that has handed the call in, that another one has this match.
    #[must_use]
    pub fn elsewhere(id: MatchId, retry_after: Duration) -> Self {
        Self { elsewhere: Some(Box::new(id)), ..Self::store_unavailable(retry_after) }
    }

    /// The match of which the call is, if another server has it.
    pub(crate) fn is_elsewhere(&self) -> Option<MatchId> {
        self.elsewhere.as_deref().copied()
    }

    /// INVALID_FIELD: the field at `path` is not as `description` says.
    #[must_use]
    pub fn field(path: impl Into<String>, description: impl Into<String>) -> Self {
        let (path, description) = (path.into(), description.into());
        Self::new(ErrorReason::InvalidField, format!("{path}: {description}")).violation(path, description)
    }

    /// STALE_SEQUENCE: the caller's own sequence, `seat`'s, is at `seq` already, and not at `expected`.
    #[must_use]
    pub fn stale(seat: Seat, expected: u64, seq: u64) -> Self {
        let message = format!("the sequence of {seat} is at {seq}, and `expected_seq` is {expected}");
        let what = format!("expected {seq}, the number of the seat's last event");
        Self::new(ErrorReason::StaleSequence, message).with_seq(seq).violation("expected_seq", what)
    }

    /// LIMIT_REACHED: `limit`, which is set to `value` here.
    #[must_use]
    pub fn limit_reached(limit: LimitName, value: u64) -> Self {
        let name = limit.as_str_name();
        let message = format!("a limit of this server is reached: {name}, {value}");
        Self::new(ErrorReason::LimitReached, message).of_limit(limit)
    }

    /// RATE_LIMITED: the same call makes sense again after `wait`.
    #[must_use]
    pub fn rate_limited(wait: Duration) -> Self {
        Self::of(ErrorReason::RateLimited).retry_after(wait)
    }

    /// STORE_UNAVAILABLE: nobody knows whether the call was made durable, and it is safe to repeat after `wait`.
    #[must_use]
    pub fn store_unavailable(wait: Duration) -> Self {
        Self::of(ErrorReason::StoreUnavailable).retry_after(wait)
    }

    /// DRAINING: the server is about to stop; another one may be there after `wait`.
    #[must_use]
    pub fn draining(wait: Duration) -> Self {
        Self::of(ErrorReason::Draining).retry_after(wait)
    }

    /// The same in other words for people.
    #[must_use]
    pub(super) fn saying(mut self, message: String) -> Self {
        self.refusal.message = clipped(message, MESSAGE_BYTES_MAX);
        self
    }

    /// The same, the quota being that of `subject` and not the caller's.
    #[must_use]
    pub fn of_quota(mut self, subject: QuotaSubject) -> Self {
        self.refusal.quota_subject = subject.into();
        self
    }

    /// The same, this limit being reached, and the quota that of the one whom it limits.
    #[must_use]
    pub fn of_limit(mut self, limit: LimitName) -> Self {
        self.refusal.limit = limit.into();
        self.of_quota(quota_subject::of(limit))
    }

    /// Adds the place of the action at fault, from 0.
    #[must_use]
    pub fn at(mut self, index: usize) -> Self {
        self.refusal.index = u32::try_from(index).ok();
        self
    }

    /// Adds rules that this action would violate.
    #[must_use]
    pub fn rule_violations(mut self, violations: impl IntoIterator<Item = v1::RuleViolation>) -> Self {
        self.refusal.rule_violations.extend(violations);
        self
    }

    /// Adds a field at fault. After [`VIOLATIONS_MAX`] nothing is added.
    #[must_use]
    pub fn violation(mut self, path: impl Into<String>, description: impl Into<String>) -> Self {
        let field = clipped(path.into(), FIELD_BYTES_MAX);
        let description = clipped(description.into(), DESCRIPTION_BYTES_MAX);
        self.add(v1::FieldViolation { field, description });
        self
    }

    /// Adds the last number of the caller's own sequence.
    #[must_use]
    pub fn with_seq(mut self, seq: u64) -> Self {
        self.refusal.seq = Some(seq);
        self
    }

    /// Says that the same call makes sense again after `wait`.
    #[must_use]
    pub fn retry_after(mut self, wait: Duration) -> Self {
        self.refusal.retry_after = prost_types::Duration::try_from(wait).ok();
        self
    }

    /// Adds the fields that another refusal of the same request found.
    #[must_use]
    pub fn and(mut self, other: Self) -> Self {
        other.refusal.field_violations.into_iter().for_each(|violation| self.add(violation));
        self
    }

    /// The same, the request being the message in the field `field` of another: paths of fields begin there.
    #[must_use]
    pub fn within(mut self, field: &str) -> Self {
        for violation in &mut self.refusal.field_violations {
            violation.field = clipped(format!("{field}.{}", violation.field), FIELD_BYTES_MAX);
        }
        self
    }

    /// The same, the request being an item of the list `list` of another: its message names the item, and so do the paths of
    /// fields or, where there are none, one for the item itself.
    #[must_use]
    pub fn of_item(self, list: &str, index: usize) -> Self {
        let item = format!("{list}[{index}]");
        let what = self.refusal.message.clone();
        let message = format!("{item}: {what}");
        let named = match self.refusal.field_violations.is_empty() {
            true => self.violation(item, what),
            false => self.within(&item),
        };
        named.saying(message)
    }

    /// The reason.
    #[must_use]
    pub fn reason(&self) -> ErrorReason {
        self.refusal.reason()
    }

    /// The gRPC status code.
    #[must_use]
    pub fn code(&self) -> Code {
        error_reason::code(self.reason())
    }

    /// The limit that is reached, with LIMIT_REACHED.
    #[must_use]
    pub fn limit(&self) -> Option<LimitName> {
        Some(self.refusal.limit()).filter(|&limit| limit != LimitName::Unspecified)
    }

    /// The message for a `PlaySeats` stream.
    #[must_use]
    pub fn into_refusal(self) -> v1::Refusal {
        *self.refusal
    }

    /// The message, to look at.
    #[must_use]
    pub const fn refusal(&self) -> &v1::Refusal {
        &self.refusal
    }

    fn add(&mut self, violation: v1::FieldViolation) {
        if self.refusal.field_violations.len() < VIOLATIONS_MAX {
            self.refusal.field_violations.push(violation);
        }
    }
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", error_reason::name(self.reason()), self.refusal.message)
    }
}

impl std::error::Error for Refused {}

impl From<UnknownGame> for Refused {
    fn from(unknown: UnknownGame) -> Self {
        let UnknownGame { given, known } = unknown;
        Self::new(ErrorReason::UnknownGame, format!("game `{}`: this server has {known}", shown(&given)))
    }
}

impl From<LineError> for Refused {
    fn from(error: LineError) -> Self {
        let description = format!("`{}`: expected {}", shown(&error.item), error.expected);
        Self::new(ErrorReason::UnreadableLine, format!("item {} of the line, {description}", error.index + 1))
            .at(error.index)
            .violation("actions.line", description)
    }
}

impl From<PositionError> for Refused {
    fn from(error: PositionError) -> Self {
        let PositionError { field, expected } = error;
        let path = match &*field {
            "" => "position_json".to_owned(),
            field => format!("position_json.{field}"),
        };
        Self::new(ErrorReason::BadPosition, format!("{path}: {expected}")).violation(path, expected)
    }
}

/// The beginning of a word that a caller sent.
pub(super) fn shown(word: &str) -> String {
    clipped(word.to_owned(), SHOWN_BYTES_MAX)
}

/// A text of at most `bytes_max` bytes; one that is cut ends with dots.
fn clipped(mut text: String, bytes_max: usize) -> String {
    const DOTS: &str = "...";
    if text.len() > bytes_max {
        let fits = bytes_max.saturating_sub(DOTS.len());
        let end = (0..=fits).rev().find(|&end| text.is_char_boundary(end)).unwrap_or(0);
        text.truncate(end);
        text.push_str(DOTS);
    }
    text
}
