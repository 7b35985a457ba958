//! Reasons: each with its status code and a sentence that holds wherever it is given.

use edgehill_proto::v1::ErrorReason;
use tonic::Code;

/// The gRPC status code that a reason comes with.
#[must_use]
pub const fn code(reason: ErrorReason) -> Code {
    entry(reason).0
}

/// Returns the sentence of a reason where nothing more is known.
#[must_use]
pub const fn sentence(reason: ErrorReason) -> &'static str {
    entry(reason).1
}

/// The name without the prefix, such as `UNKNOWN_GAME`: what `google.rpc.ErrorInfo` has.
#[must_use]
pub fn name(reason: ErrorReason) -> &'static str {
    let name = reason.as_str_name();
    name.strip_prefix("ERROR_REASON_").unwrap_or(name)
}

/// The one table of codes.
const fn entry(reason: ErrorReason) -> (Code, &'static str) {
    use Code::{
        Aborted, AlreadyExists, DeadlineExceeded, FailedPrecondition, Internal, InvalidArgument, NotFound,
        OutOfRange, PermissionDenied, ResourceExhausted, Unauthenticated, Unavailable,
    };
    match reason {
        // Never given; code that gives it has forgotten what it wanted to say.
        ErrorReason::Unspecified => (Internal, "the call is refused"),

        ErrorReason::InvalidField => (InvalidArgument, "a field of the request is at fault"),
        ErrorReason::UnknownScenario => (InvalidArgument, "the game has no such scenario"),
        ErrorReason::UnknownOption => (InvalidArgument, "the game has no such option"),
        ErrorReason::BadOptionValue => (InvalidArgument, "the option does not take this value"),
        ErrorReason::BadPosition => (InvalidArgument, "the game does not accept this position"),
        ErrorReason::UnknownBot => (InvalidArgument, "the game has no such house bot"),
        ErrorReason::EmptyList => (InvalidArgument, "the list has no actions"),
        ErrorReason::ListTooLong => (InvalidArgument, "the list has too many actions"),
        ErrorReason::LineTooLong => (InvalidArgument, "the line has too many bytes"),
        ErrorReason::UnreadableLine => (InvalidArgument, "the line can't be read"),
        ErrorReason::UnknownAction => (InvalidArgument, "the game's table has no such action"),

        ErrorReason::UnsupportedMoment => {
            (InvalidArgument, "only the present and the beginning (at_seq 0) can be viewed")
        }

        ErrorReason::UnknownGame => (NotFound, "this server has no such game"),
        ErrorReason::UnknownMatch => (NotFound, "this server has no such match"),
        ErrorReason::UnknownSeat => (NotFound, "this match has no such seat"),
        ErrorReason::UnknownGroup => (NotFound, "this server has no such seed group of yours"),
        ErrorReason::UnknownAccount => (NotFound, "this server knows no account of this id"),
        ErrorReason::UnknownAccountKey => {
            (NotFound, "the account has no key of this number, or it has ended")
        }

        ErrorReason::BadToken => {
            (Unauthenticated, "the call needs a key or a seat token that this server gave out")
        }
        ErrorReason::NotAllowed => (PermissionDenied, "the key or token is not good for this"),
        ErrorReason::UnknownCompetition => (NotFound, "this server has no such competition"),
        ErrorReason::UnknownEntrant => (NotFound, "the competition has no such entrant"),
        ErrorReason::CallWithheld => {
            (PermissionDenied, "the terms of the match keep its seats from this call")
        }
        ErrorReason::NotPublished => (
            PermissionDenied,
            "the competition has not published this match yet: its players and referees alone may see it",
        ),
        ErrorReason::CompetitionPhase => (FailedPrecondition, "the competition is in another phase"),
        ErrorReason::EntrantNameTaken => (AlreadyExists, "another entrant has this name"),
        ErrorReason::AlreadyEnrolled => (AlreadyExists, "the account is an entrant of the competition"),
        ErrorReason::EntrantLeft => (FailedPrecondition, "the entrant has left"),
        ErrorReason::TooFewEntrants => (FailedPrecondition, "the format needs more entrants, or others"),
        ErrorReason::NotVoidable => (FailedPrecondition, "the match can't be taken back"),

        ErrorReason::BadInvitation => (PermissionDenied, "the seat needs its invitation"),

        ErrorReason::IllegalAction => (FailedPrecondition, "the rules do not allow the action"),
        ErrorReason::NotYourTurn => (FailedPrecondition, "the seat is not to act"),
        ErrorReason::ChancePending => (FailedPrecondition, "dice or a draw are due first"),
        ErrorReason::ListCrossesReveal => {
            (FailedPrecondition, "the list goes on after something is revealed")
        }
        ErrorReason::DraftTooLong => (FailedPrecondition, "the draft would have too many actions"),
        ErrorReason::NothingToUndo => (FailedPrecondition, "there is nothing that can be taken back"),
        ErrorReason::NoSuchDraftAction => (FailedPrecondition, "the draft has fewer actions"),
        ErrorReason::Committed => (FailedPrecondition, "a commitment is final"),
        ErrorReason::NoOffer => (FailedPrecondition, "nothing of the kind is offered"),
        ErrorReason::NoOpponent => (FailedPrecondition, "there is no other seat"),
        ErrorReason::MatchNotStarted => (FailedPrecondition, "the match has not begun"),
        ErrorReason::MatchFinished => (FailedPrecondition, "the match is finished"),
        ErrorReason::MatchRunning => (FailedPrecondition, "the match is not finished"),
        ErrorReason::Unplayable => {
            (FailedPrecondition, "this server does not have the rules or the content of the match")
        }
        ErrorReason::Quarantined => {
            (FailedPrecondition, "the match is stopped until an operator has looked at it")
        }
        ErrorReason::RulesChanged => (FailedPrecondition, "the game is played here by other rules"),
        ErrorReason::SeatTaken => (FailedPrecondition, "the seat is taken"),
        ErrorReason::NoOpenSeat => (FailedPrecondition, "no open seat is left"),
        ErrorReason::NotRevealing => (FailedPrecondition, "the match does not wait for entropy"),
        ErrorReason::EntropyMismatch => (FailedPrecondition, "the entropy is not what was committed to"),
        ErrorReason::GroupMismatch => (FailedPrecondition, "the match does not fit its seed group"),
        ErrorReason::MatchStarted => (FailedPrecondition, "the match has begun"),
        ErrorReason::MatchAborted => (FailedPrecondition, "the match was aborted before it began"),
        ErrorReason::MatchExpired => (FailedPrecondition, "the seats of the match were not taken in time"),
        ErrorReason::AccountInFile => {
            (FailedPrecondition, "the account stands in the accounts file, where alone it can be changed")
        }
        ErrorReason::AccountNotDeleted => (FailedPrecondition, "the account was not deleted"),
        ErrorReason::NoAccounts => (
            FailedPrecondition,
            "this server has no accounts: matches are followed one by one, with `WatchMatch`",
        ),
        ErrorReason::NoClocks => (FailedPrecondition, "the match has no clocks"),
        ErrorReason::Adjourned => (FailedPrecondition, "the match is adjourned"),
        ErrorReason::NotAdjourned => (FailedPrecondition, "the match is not adjourned"),
        ErrorReason::UnknownChannel => (FailedPrecondition, "no seat is open in this channel"),

        ErrorReason::StaleSequence => (Aborted, "events that were not seen came first"),
        ErrorReason::OpenedElsewhere => (Aborted, "the seat was opened elsewhere"),
        ErrorReason::RequestIdReused => {
            (AlreadyExists, "the request id belongs to a call that said something else")
        }
        ErrorReason::AccountExists => (AlreadyExists, "there is an account of this id, or was one"),
        ErrorReason::ChannelInUse => (AlreadyExists, "the channel is open already"),
        ErrorReason::SeekExpired => (DeadlineExceeded, "nobody who fits has come in time"),
        ErrorReason::CursorAhead => (OutOfRange, "the sequence is not that long"),

        ErrorReason::RateLimited => (ResourceExhausted, "too many calls"),
        ErrorReason::LimitReached => (ResourceExhausted, "a limit of this server is reached"),

        ErrorReason::StoreUnavailable => {
            (Unavailable, "it is not known whether the call was made durable; repeat it as it was")
        }
        ErrorReason::Draining => {
            (Unavailable, "the server is about to stop; connect again and repeat the call as it was")
        }
        ErrorReason::InternalFault => (Internal, "a fault of the server, which has logged it"),
    }
}
