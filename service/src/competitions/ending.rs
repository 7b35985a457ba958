//! The ends of matches as competitions count them: [`Ending`].

use edgehill_competition::{EntrantId, ForfeitReason, Verdict};

use crate::matches::{Course, EndedBy, ResultNote};

/// The range of scores of a series: from, to.
pub(super) type ScoreRange = Option<(i32, i32)>;

/// The way in which a match has ended for its competition.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Ending {
    /// It counts so, on these grounds.
    Verdict(Verdict, String),
    /// It is void, on these grounds; and is played again or not.
    Void { replay: bool, evidence: String },
    /// It did not begin although all seats were taken: somebody is missing in another match of its pair.
    Unbegun,
}

impl Ending {
    /// The end of a match between these, in the order of its seats; `None` while it is not over.
    pub(super) fn of(course: &Course, seats: &[EntrantId], range: ScoreRange) -> Option<Self> {
        let (note, _) = course.result()?;
        if let Some(returns) = course.corrected_returns() {
            return Some(by_returns(seats, returns, range, "corrected by a referee"));
        }
        let loser = || loser(seats, &note.returns);
        Some(match note.ended_by {
            EndedBy::Victory => by_returns(seats, &note.returns, range, &note.code),
            EndedBy::Agreement => by_returns(seats, &note.returns, range, "a draw was agreed on"),
            EndedBy::Resignation => match (range, seats) {
                (Some((least, _)), &[entrant]) => Self::Verdict(
                    Verdict::Score { entrant, score: least },
                    "gave up, which counts as the least score".to_owned(),
                ),
                _ => Self::lost(loser(), Verdict::Loss, "gave up"),
            },
            EndedBy::Time => Self::forfeit(loser(), ForfeitReason::Time, "time ran out".to_owned()),
            EndedBy::IllegalActions => {
                let seat = loser().and_then(|loser| seats.iter().position(|seat| *seat == loser));
                let count = seat
                    .and_then(|seat| course.seat(seat as u32).ok())
                    .and_then(|seat| course.illegal_actions(seat))
                    .map_or(0, |actions| actions.count);
                Self::forfeit(loser(), ForfeitReason::IllegalActions, format!("{count} illegal actions"))
            }
            EndedBy::Absence => absent(&losers(seats, note), "did not reveal the entropy in time"),
            EndedBy::Expiry => match &missing(course, seats)[..] {
                [] => Self::Unbegun,
                missing => absent(missing, "did not take the seat in time"),
            },
            EndedBy::Abort => Self::void("taken back before it began"),
            EndedBy::Voided => Self::void("voided by a referee"),
            EndedBy::Idle => Self::void("nothing happened in it for too long"),
            EndedBy::LogFull => Self::void("its log had no room left"),
        })
    }

    /// The end of one that did not begin, when these are missing in another match of its pair.
    pub(super) fn without(missing: &[EntrantId]) -> Self {
        match missing {
            [] => Self::Void { replay: true, evidence: "the pair could not begin in time".to_owned() },
            missing => absent(missing, "did not take the seat of the other match of the pair in time"),
        }
    }

    fn void(evidence: &str) -> Self {
        Self::Void { replay: false, evidence: evidence.to_owned() }
    }

    fn lost(loser: Option<EntrantId>, verdict: impl Fn(EntrantId) -> Verdict, evidence: &str) -> Self {
        loser.map_or_else(
            || Self::void("nobody knows who lost"),
            |loser| Self::Verdict(verdict(loser), evidence.to_owned()),
        )
    }

    fn forfeit(loser: Option<EntrantId>, reason: ForfeitReason, evidence: String) -> Self {
        Self::lost(loser, |entrant| Verdict::Forfeit { entrant, reason }, &evidence)
    }
}

/// Those who have not taken their seats.
pub(super) fn missing(course: &Course, seats: &[EntrantId]) -> Vec<EntrantId> {
    let entries = course.seats().iter().zip(seats);
    entries.filter(|(seat, _)| !seat.is_taken()).map(|(_, entrant)| *entrant).collect()
}

fn by_returns(seats: &[EntrantId], returns: &[i32], range: ScoreRange, evidence: &str) -> Ending {
    match Verdict::of_returns(seats, returns) {
        Some(Verdict::Score { score, .. })
            if range.is_some_and(|(least, most)| !(least..=most).contains(&score)) =>
        {
            let evidence = format!("the score {score} is outside of the range of the series");
            Ending::Void { replay: false, evidence }
        }
        Some(verdict) => Ending::Verdict(verdict, evidence.to_owned()),
        None => Ending::void("the result does not fit the seats"),
    }
}

/// The one whose return is the least.
fn loser(seats: &[EntrantId], returns: &[i32]) -> Option<EntrantId> {
    let least = returns.iter().min()?;
    let index = returns.iter().position(|one| one == least)?;
    seats.get(index).copied()
}

/// Those who lost; all, if nobody won.
fn losers(seats: &[EntrantId], note: &ResultNote) -> Vec<EntrantId> {
    let pairs = seats.iter().zip(&note.returns);
    pairs.filter(|(_, one)| **one <= 0).map(|(entrant, _)| *entrant).collect()
}

fn absent(who: &[EntrantId], evidence: &str) -> Ending {
    let reason = ForfeitReason::Absence;
    let verdict = match *who {
        [] => return Ending::void("nobody is missing"),
        [entrant] => Verdict::Forfeit { entrant, reason },
        [..] => Verdict::BothForfeit(reason),
    };
    Ending::Verdict(verdict, evidence.to_owned())
}
