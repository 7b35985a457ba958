//! Ladders: neighbours challenge each other, in every other round shifted by one place.

use super::history::History;
use super::{LadderOrder, PairingInput, sides};
use crate::encounter::{Encounter, EncounterResult, EntrantId};
use crate::rating::RatingSystem;
use crate::settings::CompetitionSettings;
use crate::standings::rated;

pub(super) fn pair(rounds: u16, order: LadderOrder, input: &PairingInput<'_>) -> Option<Vec<Encounter>> {
    if input.rounds.len() >= usize::from(rounds) {
        return None;
    }
    let mut ladder = positions(order, input.seeding, input.rounds, input.settings);
    ladder.retain(|entrant| input.active.contains(entrant));
    let history = History::of(input.rounds);
    // Two have no other neighbours.
    let shift = if ladder.len() > 2 { input.rounds.len() % 2 } else { 0 };
    let encounters = ladder[shift..].chunks_exact(2).enumerate().map(|(index, neighbours)| {
        sides::assign(neighbours[0], neighbours[1], &history, (index + input.rounds.len()).is_multiple_of(2))
    });
    Some(encounters.collect())
}

/// The places on the ladder after these rounds, the highest first, of all who were there at the start.
pub(crate) fn positions(
    order: LadderOrder,
    seeding: &[EntrantId],
    rounds: &[Vec<EncounterResult>],
    settings: &CompetitionSettings,
) -> Vec<EntrantId> {
    let mut ladder = seeding.to_vec();
    match order {
        LadderOrder::Swap => {
            for result in rounds.iter().flatten().filter(|result| result.is_over) {
                swap(&mut ladder, result);
            }
        }
        LadderOrder::Rating => {
            let pool = rated::pool(RatingSystem::Glicko2, rounds, settings);
            let rating = |entrant: &EntrantId| {
                pool.rating(&entrant.to_string()).map_or(NEWCOMER_RATING, |rating| rating.rating.value)
            };
            // Sorting keeps the seeding where ratings are equal.
            ladder.sort_by(|one, other| rating(other).total_cmp(&rating(one)));
        }
    }
    ladder
}

/// The rating of those who have had no result: Glicko-2's.
const NEWCOMER_RATING: f64 = 1500.0;

/// Changes the places of two if the lower one has won.
fn swap(ladder: &mut [EntrantId], result: &EncounterResult) {
    let Some(winner) = result.leader() else { return };
    let loser = result.encounter.opponent_of(winner).expect("a leader has met somebody");
    let place = |entrant| ladder.iter().position(|&one| one == entrant);
    let (winner, loser) = (place(winner), place(loser));
    let (winner, loser) = winner.zip(loser).expect("those who meet were there at the start");
    if winner > loser {
        ladder.swap(winner, loser);
    }
}
