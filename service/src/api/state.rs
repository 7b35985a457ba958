//! The progress of a match, as everybody sees it.

use edgehill_proto::v1;

use crate::host::{Content, Host};
use crate::matches::{
    Course, EndingNote, EntropyMode, LiveMatch, DiceSecret, Phase, SeatEntry, SeatConfig, SeedTerms, WhyClosed,
};
use crate::wire;

/// A match's status.
pub(super) fn status(content: &Content) -> v1::MatchStatus {
    match (content, content.course().phase()) {
        (Content::Closed(closed), _) if matches!(closed.why(), WhyClosed::Stopped { .. }) => {
            v1::MatchStatus::Quarantined
        }
        (Content::Closed(_), phase) if phase != Phase::Over => v1::MatchStatus::Unplayable,
        (_, phase) => status_of(phase),
    }
}

/// The status of a match that can be played.
pub(super) const fn status_of(phase: Phase) -> v1::MatchStatus {
    match phase {
        Phase::Waiting => v1::MatchStatus::Waiting,
        Phase::Revealing => v1::MatchStatus::Revealing,
        Phase::Running => v1::MatchStatus::Running,
        Phase::Over => v1::MatchStatus::Finished,
    }
}

/// A match's state.
pub(super) fn of(host: &Host, content: &Content) -> v1::MatchState {
    with(host, content.course(), status(content), content.live().ok())
}

/// The state of a match that can be played.
pub(super) fn of_live(host: &Host, live: &LiveMatch) -> v1::MatchState {
    with(host, live.course(), status_of(live.course().phase()), Some(live))
}

fn with(host: &Host, course: &Course, status: v1::MatchStatus, live: Option<&LiveMatch>) -> v1::MatchState {
    let reveal_by_ms = match course.phase() {
        Phase::Revealing => host.reveal_by_ms(course).unwrap_or(0),
        _ => 0,
    };
    v1::MatchState {
        status: status.into(),
        seats: (0..course.seats().len()).map(|index| seat(course, index)).collect(),
        draw_offers: wire::seat::all(course.offers()),
        reveal_by_unix_micros: reveal_by_ms.saturating_mul(1_000),
        ending: course.ending().map(|(ending, _)| ending_of(ending)),
        ended_unix_micros: course.ending().map_or(0, |(_, at_ms)| at_ms.saturating_mul(1_000)),
        reveal: live.filter(|_| host.reveals(course)).and_then(reveal),
    }
}

fn seat(course: &Course, index: usize) -> v1::SeatState {
    let header = course.header();
    let kind = match header.seats.get(index) {
        Some(SeatConfig::Invited) => v1::SeatKind::Invited,
        Some(SeatConfig::Bot(_)) => v1::SeatKind::HouseBot,
        Some(SeatConfig::Open) | None => v1::SeatKind::Open,
    };
    let seat = &course.seats()[index];
    let player = match (&seat.join, &seat.bot) {
        (Some(join), _) => join.player.clone(),
        (None, Some(bot)) => bot.clone(),
        (None, None) => String::new(),
    };
    v1::SeatState {
        kind: kind.into(),
        joined: seat.is_taken(),
        player,
        entropy: entropy(course, seat).into(),
        entropy_commitment: seat.commitment().map(Vec::from).unwrap_or_default(),
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

fn ending_of(ending: &EndingNote) -> v1::MatchResult {
    v1::MatchResult {
        returns: ending.returns.clone(),
        code: ending.code.clone(),
        rule: ending.rule.clone(),
        grade: ending.grade.clone(),
    }
}

fn reveal(live: &LiveMatch) -> Option<v1::DiceReveal> {
    let course = live.course();
    // Nothing was drawn for a match that never began.
    live.table()?;
    let seed = live.dice_secret().seed(&course.dice_id(), &course.entropies()).ok()?;
    let chosen = course.header().seed == SeedTerms::Chosen;
    Some(v1::DiceReveal {
        server_seed: match live.dice_secret() {
            DiceSecret::Server(seed) => seed.as_bytes().to_vec(),
            DiceSecret::Chosen(_) => Vec::new(),
        },
        entropies: if chosen { Vec::new() } else { course.entropies().into_iter().map(Vec::from).collect() },
        seed: seed.as_bytes().to_vec(),
    })
}
