//! Reasons: each with its status code and a sentence that holds wherever it is given.

use edgehill_proto::v1::Reason;
use tonic::Code;

/// The gRPC status code that a reason comes with.
#[must_use]
pub const fn code(reason: Reason) -> Code {
    entry(reason).0
}

/// What a reason says where nothing more is known.
#[must_use]
pub const fn sentence(reason: Reason) -> &'static str {
    entry(reason).1
}

/// The name without the prefix, such as `UNKNOWN_GAME`: what `google.rpc.ErrorInfo` has.
#[must_use]
pub fn name(reason: Reason) -> &'static str {
    let name = reason.as_str_name();
    name.strip_prefix("REASON_").unwrap_or(name)
}

/// The one table of codes.
const fn entry(reason: Reason) -> (Code, &'static str) {
    use Code::{
        Aborted, AlreadyExists, FailedPrecondition, Internal, InvalidArgument, NotFound, OutOfRange,
        PermissionDenied, ResourceExhausted, Unauthenticated, Unavailable,
    };
    match reason {
        // Never given; whoever gives it has forgotten what he wanted to say.
        Reason::Unspecified => (Internal, "the call is refused"),

        Reason::InvalidField => (InvalidArgument, "a field of the request is at fault"),
        Reason::UnknownScenario => (InvalidArgument, "the game has no such scenario"),
        Reason::UnknownOption => (InvalidArgument, "the game has no such option"),
        Reason::BadOptionValue => (InvalidArgument, "the option does not take this value"),
        Reason::BadPosition => (InvalidArgument, "the game does not accept this position"),
        Reason::UnknownBot => (InvalidArgument, "the game has no such house bot"),
        Reason::EmptyList => (InvalidArgument, "the list has no steps"),
        Reason::ListTooLong => (InvalidArgument, "the list has too many steps"),
        Reason::LineTooLong => (InvalidArgument, "the line has too many bytes"),
        Reason::UnreadableLine => (InvalidArgument, "the line can't be read"),
        Reason::UnknownStep => (InvalidArgument, "the game's table has no such step"),

        Reason::UnknownGame => (NotFound, "this server has no such game"),
        Reason::UnknownMatch => (NotFound, "this server has no such match"),
        Reason::UnknownSeat => (NotFound, "this match has no such seat"),
        Reason::UnknownGroup => (NotFound, "this server has no such seed group of yours"),

        Reason::BadToken => {
            (Unauthenticated, "the call needs a key or a seat token that this server gave out")
        }
        Reason::NotAllowed => (PermissionDenied, "the key or token is not good for this"),
        Reason::BadInvitation => (PermissionDenied, "the seat needs its invitation"),

        Reason::IllegalStep => (FailedPrecondition, "the rules do not allow the step"),
        Reason::NotYourStep => (FailedPrecondition, "the seat owes no step"),
        Reason::ChancePending => (FailedPrecondition, "dice or a draw are due first"),
        Reason::ListCrossesReveal => (FailedPrecondition, "the list goes on after something is learnt"),
        Reason::DraftTooLong => (FailedPrecondition, "the draft would have too many steps"),
        Reason::NothingToUndo => (FailedPrecondition, "there is nothing that can be taken back"),
        Reason::NoSuchDraftStep => (FailedPrecondition, "the draft has fewer steps"),
        Reason::Committed => (FailedPrecondition, "a commitment is final"),
        Reason::NoOffer => (FailedPrecondition, "no draw is offered"),
        Reason::NoOpponent => (FailedPrecondition, "a draw takes two seats"),
        Reason::MatchNotStarted => (FailedPrecondition, "the match has not begun"),
        Reason::MatchOver => (FailedPrecondition, "the match is over"),
        Reason::MatchRunning => (FailedPrecondition, "the match is not over"),
        Reason::Unplayable => {
            (FailedPrecondition, "this server does not have the rules that the match runs under")
        }
        Reason::Quarantined => {
            (FailedPrecondition, "the match is stopped until an operator has looked at it")
        }
        Reason::RulesChanged => (FailedPrecondition, "the game is played here by other rules"),
        Reason::SeatTaken => (FailedPrecondition, "someone sits there"),
        Reason::NoOpenSeat => (FailedPrecondition, "no open seat is left"),
        Reason::NotRevealing => (FailedPrecondition, "the match does not wait for entropy"),
        Reason::EntropyMismatch => (FailedPrecondition, "the entropy is not what was committed to"),
        Reason::GroupMismatch => (FailedPrecondition, "the match does not fit its seed group"),
        Reason::UnknownChannel => (FailedPrecondition, "no seat is open in this channel"),

        Reason::StaleSequence => (Aborted, "events that were not seen came first"),
        Reason::OpenedElsewhere => (Aborted, "the seat was opened elsewhere"),
        Reason::RequestIdReused => {
            (AlreadyExists, "the request id belongs to a call that said something else")
        }
        Reason::ChannelInUse => (AlreadyExists, "the channel is open already"),
        Reason::CursorAhead => (OutOfRange, "the sequence is not that long"),

        Reason::RateLimited => (ResourceExhausted, "too many calls"),
        Reason::LimitReached => (ResourceExhausted, "a limit of this server is reached"),

        Reason::StoreUnavailable => (Unavailable, "the call could not be made durable; repeat it as it was"),
        Reason::Draining => {
            (Unavailable, "the server is about to stop; connect again and repeat the call as it was")
        }
        Reason::InternalFault => (Internal, "a fault of the server, which has logged it"),
    }
}
