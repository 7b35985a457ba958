//! The score: what gives how much, at any time (5.0, V5, V6).

use crate::numbered::Listed;

use super::content::{ArmyId, Content, FortId, REVOLTS, RevoltId, RewardEffect, RewardId, TrackId};
use super::rules;
use super::state::State;

/// Returns the points of a track marker where it stands.
pub(super) fn of_track(content: &Content, state: &State, track: TrackId) -> i32 {
    content.tracks[track].vp[usize::from(state.tracks[track])].into()
}

/// Returns the points of an Army: its rear areas, its Disorder, the King with it.
pub(super) fn of_army(content: &Content, state: &State, army: ArmyId) -> i32 {
    let (unit, score) = (&state.armies[army], &content.numbers.score);
    let rear = if unit.area >= 4 { score.rear_area } else { 0 };
    let disordered = if unit.disordered { score.disordered } else { 0 };
    i32::from(rear) + i32::from(disordered) + i32::from(content.counters[unit.counter].vp)
}

/// Returns the points of a fortress for or against Parliament.
pub(super) fn of_fort(content: &Content, state: &State, fort: FortId) -> i32 {
    let vp = i32::from(content.forts[fort].vp);
    if state.forts[fort].royalist { -vp } else { vp }
}

/// Returns the points of a Deviltry marker on the map.
pub(super) fn of_deviltry(content: &Content) -> i32 {
    content.numbers.score.deviltry.into()
}

/// Returns the points of a revolt marker on the map.
pub(super) fn of_revolt(content: &Content) -> i32 {
    content.numbers.score.revolt.into()
}

/// Returns the points of the rewards that were found.
pub(super) fn of_rewards(content: &Content, state: &State) -> i32 {
    let vp = |reward: RewardId| match content.numbers.rewards[reward].effect {
        RewardEffect::Vp(vp) => i32::from(vp),
        _ => 0,
    };
    state.found.iter().map(vp).sum()
}

/// Returns the points of the Victory Point pile.
pub(super) fn of_achievements(content: &Content, state: &State) -> i32 {
    let scored = content.achievements.iter().filter(|achievement| state.scored.contains(achievement.card));
    scored.map(|achievement| i32::from(achievement.vp)).sum()
}

/// The least and the greatest score that the board admits, whatever comes together.
pub(super) fn bounds(content: &Content) -> (i32, i32) {
    let score = &content.numbers.score;
    // Of each thing the least and the most that it can count; nothing, where it need not be there.
    let mut parts: Vec<Vec<i8>> = content.tracks.iter().map(|track| track.vp.to_vec()).collect();
    parts.extend(ArmyId::all(content).map(|army| {
        let counters = content.counters.iter().filter(|counter| counter.army == army);
        counters.map(|counter| counter.vp).collect()
    }));
    parts.extend(ArmyId::all(content).flat_map(|_| [vec![0, score.rear_area], vec![0, score.disordered]]));
    parts.extend(content.forts.iter().map(|fort| vec![fort.vp, -fort.vp]));
    parts.extend((0..REVOLTS).map(RevoltId::new).map(|_| vec![0, score.revolt]));
    parts.extend(content.numbers.deviltry.iter().map(|_| vec![0, score.deviltry]));
    parts.extend(content.numbers.rewards.iter().filter_map(|reward| match reward.effect {
        RewardEffect::Vp(vp) => Some(vec![0, vp]),
        _ => None,
    }));
    parts.extend(content.achievements.iter().map(|achievement| vec![0, achievement.vp]));
    let sum = |of: fn(&Vec<i8>) -> Option<i8>| parts.iter().filter_map(of).map(i32::from).sum();
    (sum(|part| part.iter().copied().min()), sum(|part| part.iter().copied().max()))
}

/// All of it.
pub(super) fn score(content: &Content, state: &State) -> i32 {
    let tracks: i32 = TrackId::all(content).map(|track| of_track(content, state, track)).sum();
    let armies: i32 = ArmyId::all(content).map(|army| of_army(content, state, army)).sum();
    let forts: i32 = FortId::all(content).map(|fort| of_fort(content, state, fort)).sum();
    let revolts = state.revolts.iter().flatten().count() as i32;
    let deviltry = state.deviltry.count() as i32;
    let all = tracks
        + armies
        + forts
        + revolts * of_revolt(content)
        + deviltry * of_deviltry(content)
        + of_rewards(content, state)
        + of_achievements(content, state);
    rules::SCORE.gives(rules::WHAT_COUNTS.gives(all, 0), 0)
}
