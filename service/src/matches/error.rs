//! The reasons for which a match refuses a call ([`MatchError`]).

use edgehill_engine::seat::{Seat, SeatSet};
use edgehill_engine::table::Refusal;
use thiserror::Error;

use crate::identity::date;
use crate::store::RequestId;

/// The reason for which a call on a match is refused. Nothing has changed, but for [`MatchError::Fault`] and
/// [`MatchError::Unreplayable`], after which the match in memory is of no use.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum MatchError {
    /// The rules refuse it.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// The rules refuse it, since another seat is to act.
    #[error("it is not the turn of {seat}")]
    NotYourTurn {
        /// The seat that called.
        seat: Seat,
        /// The seats that are to act.
        to_act: SeatSet,
        /// The refusal.
        refusal: Refusal,
    },
    /// The terms of the match keep its seats from the call.
    #[error("the terms of this match withhold {0} from its seats")]
    CallWithheld(&'static str),
    /// The line has more than the limit of bytes.
    #[error("a line has at most {max} bytes, this one {given}")]
    LineTooLong {
        /// Its bytes.
        given: usize,
        /// The limit.
        max: usize,
    },
    /// It has not begun.
    #[error("the match has not begun: {waits_for}")]
    NotStarted {
        /// The seats that it waits for, or what else, in words.
        waits_for: String,
    },
    /// It has begun, or all seats are taken and bound.
    #[error("the match has begun")]
    Started,
    /// The caller has not made it.
    #[error(
        "only the creator of the match may take it back: with their account's key or the `creator_token`"
    )]
    NotTheCreator,
    /// It was taken back before it began.
    #[error("the match was aborted before it began")]
    Aborted,
    /// Its seats were not taken in time.
    #[error("the seats of the match were not taken in time")]
    Expired,
    /// It does not wait for entropy: not all have joined, all have revealed, or the time for it is over.
    #[error("the match is not waiting for entropy to be revealed")]
    NotRevealing,
    /// The seat has somebody.
    #[error("seat {0} is taken")]
    SeatTaken(u8),
    /// There is no such seat.
    #[error("the match has {seats} seats, from 0; there is no seat {given}")]
    UnknownSeat {
        /// As it was given.
        given: u32,
        /// Number of seats that there are.
        seats: usize,
    },
    /// No seat is left that anybody may take.
    #[error("no open seat is left")]
    NoOpenSeat,
    /// The seat needs its invitation, and it was not given or is another's.
    #[error("seat {0} needs its invitation")]
    BadInvitation(u8),
    /// The entropy is not what was committed to, or not what the entrant gave before.
    #[error("the entropy is not the one that {0}")]
    EntropyMismatch(&'static str),
    /// A field of a join does not go with the match's terms.
    #[error("{field}: {why}")]
    Field {
        /// The field.
        field: &'static str,
        /// The values that would be accepted.
        why: &'static str,
    },
    /// The token is not the seat's.
    #[error("the token was not given out for a seat of this match")]
    BadToken,
    /// The caller has not seen the last events.
    #[error("the seat's sequence is at {seq}, not at {expected}")]
    StaleSequence {
        /// The number that the caller expected.
        expected: u64,
        /// The number that the sequence is at.
        seq: u64,
    },
    /// The caller has seen events that there are not.
    #[error("`expected_seq` is {expected}, and the seat's sequence is at {seq}")]
    SequenceAhead {
        /// The number that the caller expected.
        expected: u64,
        /// The number that the sequence is at.
        seq: u64,
    },
    /// The request id was used for another call.
    #[error("the request id `{}` was used for another call, {method}", String::from_utf8_lossy(id.as_bytes()).escape_debug())]
    RequestReused {
        /// The request id.
        id: RequestId,
        /// The method of the call that had it.
        method: &'static str,
    },
    /// It runs under rules that this build does not have.
    #[error("the match runs under rules {version} of {game}, which this server does not play")]
    Unplayable {
        /// The game's id.
        game: String,
        /// Its rules version.
        version: u32,
    },
    /// It is played with content that this server does not have.
    #[error(
        "the match is played with the content {} of {game}, which this server does not have",
        hex::encode(content)
    )]
    ContentMissing {
        /// The game's id.
        game: String,
        /// The hash of the content.
        content: [u8; 32],
    },
    /// It is in quarantine.
    #[error("the server has stopped this match until an operator has looked ({reason})")]
    Stopped {
        /// The stable name of the reason.
        reason: String,
    },
    /// The seat has changed its mind too often since an action of it became final.
    #[error("the seat has changed its mind {max} times since an action of it became final")]
    TooManyChanges {
        /// The limit.
        max: u64,
    },
    /// The match's log has no room for this.
    #[error("the log of the match has no room for this; {max} bytes are all that it may have")]
    LogFull {
        /// The most bytes of a log.
        max: u64,
    },
    /// The match was about to end for want of room in its log, and has room.
    #[error("the log of the match has room")]
    LogNotFull,
    /// The time of a seat was about to run out, and it is asked nothing for which there is a time.
    #[error("no time of the seat runs out")]
    NoTimeRunsOut,
    /// It is not over.
    #[error("the match is not finished")]
    NotOver,
    /// It has no clocks.
    #[error("the match has no clocks: nobody's time runs out")]
    NoClocks,
    /// It is adjourned.
    #[error("{}", adjourned(*until_ms, *by_referee))]
    Adjourned {
        /// When that ends of itself, at least, in milliseconds since 1970.
        until_ms: u64,
        /// True if a referee has adjourned it.
        by_referee: bool,
    },
    /// It is not adjourned.
    #[error("the match is not adjourned")]
    NotAdjourned,
    /// There is no adjournment to accept, or to decline.
    #[error("there is no offer to adjourn the match that the seat could answer so")]
    NoAdjournmentOffer,
    /// Referees have acted on it as often as they may.
    #[error("a match takes {max} acts of referees")]
    TooManyRefereeActs {
        /// The limit.
        max: usize,
    },
    /// The rules or the dice have a fault: the match has to be stopped.
    #[error("{0}")]
    Fault(String),
    /// The log does not lead where it says.
    #[error("entry {revision} of the log does not replay: {why}")]
    Unreplayable {
        /// The entry's number, from 1.
        revision: u64,
        /// The fault, in words.
        why: String,
    },
}

/// The words for a match that is adjourned: until when, and what ends it.
fn adjourned(until_ms: u64, by_referee: bool) -> String {
    let until = date(until_ms);
    match by_referee {
        true => format!(
            "a referee has adjourned the match until {until}, unless `EndAdjournment` ends that before"
        ),
        false => format!("the match is adjourned until {until}, unless all seats call `ResumeMatch` before"),
    }
}
