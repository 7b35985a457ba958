//! The progress of a match, as everybody sees it.

use edgehill_convert::messages;
use edgehill_engine::seat::{Observer, Seat};
use edgehill_proto::v1;
use prost::Message;

use super::field::timestamp;
use super::{clock, match_config};
use crate::host::{Content, Host, ListedCourse};
use crate::matches::{
    Course, DiceSecret, EndedBy, EntropyMode, LiveMatch, Phase, RefereeAct, RefereeActDone, ResultNote,
    SeatConfig, SeatEntry, SeedSource, SeedTerms, WhyClosed,
};

/// A match's status; `why` it can only be read, if it can't be played.
fn status(course: &Course, why: Option<&WhyClosed>) -> v1::MatchStatus {
    match why {
        Some(WhyClosed::Stopped { .. }) => v1::MatchStatus::Quarantined,
        Some(why) if why.is_unplayable() && course.phase() != Phase::Over => v1::MatchStatus::Unplayable,
        _ => status_of(course),
    }
}

/// The status of a match that can be played.
pub(super) fn status_of(course: &Course) -> v1::MatchStatus {
    match (course.phase(), course.result().map(|(result, _)| result.ended_by)) {
        (Phase::Waiting, _) => v1::MatchStatus::Waiting,
        (Phase::Revealing, _) => v1::MatchStatus::Revealing,
        (Phase::Running, _) => v1::MatchStatus::Running,
        (Phase::Over, Some(EndedBy::Abort)) => v1::MatchStatus::Aborted,
        (Phase::Over, Some(EndedBy::Expiry)) => v1::MatchStatus::Expired,
        (Phase::Over, _) => v1::MatchStatus::Finished,
    }
}

/// A match's state, as `observer` may see it.
pub(super) fn of(host: &Host, content: &Content, observer: Observer) -> v1::MatchState {
    let state = of_all(host, content);
    if is_behind(content.course(), observer) { withheld(state) } else { state }
}

/// A match's state, all of it.
fn of_all(host: &Host, content: &Content) -> v1::MatchState {
    let status = status(content.course(), content.why_closed());
    let secret = match content {
        Content::Live(live) => Some(live.dice_secret()),
        Content::Closed(closed) => closed.dice_secret(),
    };
    with(host, content.course(), status, secret)
}

/// A match, as `observer` may see it, with the last number of their sequence.
pub(super) fn whole(host: &Host, content: &Content, observer: Observer) -> v1::Match {
    v1::Match {
        config: Some(match_config::of(content.course())),
        state: Some(of(host, content, observer)),
        seq: host.sight(content.course(), observer).seq,
    }
}

/// A match, as those may see it who are told everything of it but what seats hide: with the last number of the spectators' sequence.
pub(super) fn whole_of_all(host: &Host, content: &Content) -> v1::Match {
    v1::Match { state: Some(of_all(host, content)), ..whole(host, content, Observer::Spectator) }
}

/// A match in a list, as `observer` may see it, with the last number of their sequence; `insider`: one who is told everything of it but
/// what seats hide.
pub(super) fn listed(host: &Host, listed: &ListedCourse, observer: Observer, insider: bool) -> v1::Match {
    let course = listed.course();
    let status = status(course, listed.why_closed());
    let state = with(host, course, status, listed.dice_secret());
    let config = Some(match_config::of(course));
    if is_behind(course, observer) {
        // No row tells how far they see.
        return v1::Match { config, state: Some(if insider { state } else { withheld(state) }), seq: 0 };
    }
    v1::Match { config, state: Some(state), seq: course.length(observer) }
}

/// Returns whether an observer sees a match with a delay now.
fn is_behind(course: &Course, observer: Observer) -> bool {
    observer == Observer::Spectator && course.spectator_delay().is_some()
}

/// A state without what tells of the moves of now.
fn withheld(state: v1::MatchState) -> v1::MatchState {
    v1::MatchState {
        draw_offers: Vec::new(),
        clocks: Vec::new(),
        adjournment: None,
        adjournment_offers: Vec::new(),
        ..state
    }
}

/// The same of a match that can be played.
pub(super) fn whole_live(host: &Host, live: &LiveMatch, observer: Observer) -> v1::Match {
    v1::Match {
        config: Some(match_config::of(live.course())),
        state: Some(of_live(host, live)),
        seq: live.course().length(observer),
    }
}

/// The state of a match that can be played.
pub(super) fn of_live(host: &Host, live: &LiveMatch) -> v1::MatchState {
    with(host, live.course(), status_of(live.course()), Some(live.dice_secret()))
}

/// The state of a match; `secret` of its dice, if it is at hand, is shown where everybody may see it.
fn with(
    host: &Host,
    course: &Course,
    status: v1::MatchStatus,
    secret: Option<&DiceSecret>,
) -> v1::MatchState {
    let revealing = course.phase() == Phase::Revealing;
    let result = course.result().map(|(result, _)| result).filter(|result| result.ended_by.has_result());
    v1::MatchState {
        status: status.into(),
        seats: (0..course.seats().len()).map(|index| seat(course, index)).collect(),
        draw_offers: messages::seat::all(course.offers()),
        reveal_deadline: host.reveal_by_ms(course).filter(|_| revealing).map(timestamp),
        result: result.map(match_result),
        end_time: course.result().map(|(_, at_ms)| timestamp(at_ms)),
        expire_time: host.expire_ms(course).map(timestamp),
        reveal: secret.filter(|_| host.reveals(course)).and_then(|secret| reveal(course, secret)),
        clocks: clock::of_seats(host, course),
        referee_acts: course.referee_acts().iter().map(referee_act).collect(),
        corrected_returns: course.corrected_returns().map(<[i32]>::to_vec).unwrap_or_default(),
        adjournment: adjournment(host, course),
        adjournment_offers: adjournment_offers(course),
    }
}

/// The adjournment of a match, if it is adjourned.
fn adjournment(host: &Host, course: &Course) -> Option<v1::Adjournment> {
    let adjournment = course.adjournment()?;
    let seats = (0..course.seats().len()).filter(|&index| adjournment.resumes(Seat::new(index as u8)));
    Some(v1::Adjournment {
        adjourn_time: Some(timestamp(adjournment.at_ms)),
        resume_time: host.resume_ms(course).map(timestamp),
        by_referee: adjournment.by_referee,
        resume_requests: seats.map(|index| index as u32).collect(),
    })
}

fn adjournment_offers(course: &Course) -> Vec<v1::AdjournmentOffer> {
    let offers = course.adjourning().offers.iter();
    offers
        .map(|(&seat, &longest_ms)| v1::AdjournmentOffer {
            seat: seat.into(),
            adjourn_for: clock::span(longest_ms),
        })
        .collect()
}

/// An act of a referee, without who did it.
fn referee_act(done: &RefereeActDone) -> v1::RefereeAct {
    let shown = v1::RefereeAct {
        act_time: Some(timestamp(done.at_ms)),
        reason: done.note.reason.clone(),
        ..v1::RefereeAct::default()
    };
    match &done.note.act {
        RefereeAct::AddTime { seat, added_ms } => v1::RefereeAct {
            kind: v1::RefereeActKind::TimeAdded.into(),
            seat: Some(u32::from(*seat)),
            added: clock::span(*added_ms),
            ..shown
        },
        RefereeAct::ReplacePlayer { seat, former, .. } => v1::RefereeAct {
            kind: v1::RefereeActKind::PlayerReplaced.into(),
            seat: Some(u32::from(*seat)),
            former_player: former.clone(),
            ..shown
        },
        RefereeAct::Void => v1::RefereeAct { kind: v1::RefereeActKind::MatchVoided.into(), ..shown },
        RefereeAct::CorrectResult { returns } => v1::RefereeAct {
            kind: v1::RefereeActKind::ResultCorrected.into(),
            returns: returns.clone(),
            ..shown
        },
        RefereeAct::Adjourn { longest_ms } => v1::RefereeAct {
            kind: v1::RefereeActKind::MatchAdjourned.into(),
            adjourn_for: clock::span(*longest_ms),
            ..shown
        },
        RefereeAct::EndAdjournment => {
            v1::RefereeAct { kind: v1::RefereeActKind::AdjournmentEnded.into(), ..shown }
        }
    }
}

fn seat(course: &Course, index: usize) -> v1::SeatState {
    let header = course.header();
    let kind = match header.seats.get(index) {
        Some(SeatConfig::Invited | SeatConfig::Account(_)) => v1::SeatKind::Invited,
        Some(SeatConfig::Bot(_)) => v1::SeatKind::HouseBot,
        Some(SeatConfig::Open) | None => v1::SeatKind::Open,
    };
    let (seat, of) = (&course.seats()[index], Seat::new(index as u8));
    let player = match (&seat.join, &seat.bot) {
        (Some(join), _) => join.player.clone(),
        (None, Some(bot)) => bot.clone(),
        (None, None) => String::new(),
    };
    v1::SeatState {
        kind: kind.into(),
        joined: seat.is_taken() && !course.vacant().contains(of),
        player,
        entropy: entropy(course, seat).into(),
        entropy_commitment: seat.commitment().map(Vec::from).unwrap_or_default(),
        // Not for everybody.
        invited_account_id: String::new(),
        illegal_actions: course.illegal_actions(of).map_or(0, |actions| actions.count.into()),
    }
}

fn entropy(course: &Course, seat: &SeatEntry) -> v1::EntropyState {
    let reveals = course.header().entropy_mode == EntropyMode::CommitReveal;
    let given = seat.entropy().filter(|entropy| *entropy != [0; 32]);
    match () {
        () if !seat.is_taken() => v1::EntropyState::Unspecified,
        () if reveals && seat.revealed.is_some() => v1::EntropyState::Revealed,
        // A house bot reveals as soon as all are bound.
        () if reveals && seat.bot.is_some() && course.is_full() => v1::EntropyState::Revealed,
        () if reveals => v1::EntropyState::Committed,
        () if given.is_some() => v1::EntropyState::Given,
        () => v1::EntropyState::Absent,
    }
}

fn match_result(result: &ResultNote) -> v1::MatchResult {
    let termination = match result.ended_by {
        EndedBy::Victory => v1::Termination::Victory,
        EndedBy::Resignation => v1::Termination::Resignation,
        EndedBy::Agreement => v1::Termination::Agreement,
        EndedBy::Absence => v1::Termination::Absence,
        EndedBy::LogFull | EndedBy::Idle | EndedBy::Voided => v1::Termination::Void,
        EndedBy::Time => v1::Termination::Time,
        EndedBy::IllegalActions => v1::Termination::Illegal,
        // A match that ends so has no result.
        EndedBy::Abort | EndedBy::Expiry => v1::Termination::Void,
    };
    v1::MatchResult {
        returns: result.returns.clone(),
        code: result.code.clone(),
        // This server can read what it has written.
        refs: result.refs.iter().filter_map(|what| v1::Ref::decode(&***what).ok()).collect(),
        rule: result.rule.clone(),
        grade: result.grade.clone(),
        termination: termination.into(),
    }
}

fn reveal(course: &Course, secret: &DiceSecret) -> Option<v1::DiceReveal> {
    // Nothing was drawn for a match that never began.
    if !course.has_begun() {
        return None;
    }
    let seed = secret.seed(&course.dice_id(), &course.entropies()).ok()?;
    let chosen = course.header().seed == SeedTerms::Chosen;
    Some(v1::DiceReveal {
        server_seed: match &secret.source {
            SeedSource::Server(seed) => seed.as_bytes().to_vec(),
            SeedSource::Chosen(_) => Vec::new(),
        },
        entropies: if chosen { Vec::new() } else { course.entropies().into_iter().map(Vec::from).collect() },
        seed: seed.as_bytes().to_vec(),
        options_salt: secret.salt.as_bytes().to_vec(),
        group_id: course.header().group().map(|group| group.id.clone()).unwrap_or_default(),
    })
}
