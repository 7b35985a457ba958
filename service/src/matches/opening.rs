//! The beginning of a match: who may sit down with what, what has to be revealed, and the table that it is
//! opened with.

use edgehill_engine::chance_source::ChanceSource;
use edgehill_engine::dice::{Entropy, EntropyCommitment};
use edgehill_engine::reference::Ref;
use edgehill_engine::registry::{AnyGame, AnyTable};
use edgehill_engine::seat::{Observer, Seat};
use edgehill_engine::setup::Setup;
use edgehill_engine::view::View;
use serde_bytes::ByteBuf;

use super::course::{Course, Phase};
use super::dice_secret::DiceSecret;
use super::encoder::Encoder;
use super::entry::{EndedBy, ResultNote};
use super::error::MatchError;
use super::header::{EntropyMode, MatchHeader, SeedTerms};
use super::seats::Join;

/// Scenario and options of a header.
///
/// # Errors
/// If this build's game does not have them.
pub(super) fn setup(game: &dyn AnyGame, header: &MatchHeader) -> Result<Setup, MatchError> {
    let options = header.options.iter().cloned().collect();
    Setup::new(game.catalogue(), Some(&header.scenario), &options)
        .map_err(|error| MatchError::Fault(format!("the match's setup: {error}")))
}

/// Opens the table of a match that has its seed.
pub(super) fn open(
    game: &dyn AnyGame,
    setup: &Setup,
    course: &Course,
    dice_secret: &DiceSecret,
) -> Result<Box<dyn AnyTable>, MatchError> {
    let seed = dice_secret.seed(&course.dice_id(), &course.entropies());
    let chance_source =
        ChanceSource::Seeded(seed.map_err(|error| MatchError::Fault(format!("the seed: {error}")))?);
    match &course.header().position {
        None => Ok(game.open(setup.clone(), chance_source)),
        Some(text) => {
            let position = serde_json::from_str(text)
                .map_err(|error| MatchError::Fault(format!("the described position: {error}")))?;
            game.open_position(setup.clone(), position, chance_source)
                .map_err(|error| MatchError::Fault(format!("the described position: {error}")))
        }
    }
}

/// Returns what `observer` saw before anything was published.
pub(super) fn first_view(table: &dyn AnyTable, observer: Observer) -> Result<View, MatchError> {
    table.first_view(observer).map_err(|error| MatchError::Fault(format!("the described position: {error}")))
}

/// Returns the view of each observer at the beginning, as it is sent.
pub(super) fn views(table: &dyn AnyTable, encoder: &dyn Encoder) -> Vec<ByteBuf> {
    // A table that was opened once can be opened again: all of them are there, or none.
    let view = |observer| first_view(table, observer).ok().map(|view| ByteBuf::from(encoder.view(&view)));
    Observer::all(table.seats()).map(view).collect::<Option<Vec<_>>>().unwrap_or_default()
}

/// Returns the result of a match in which `seats` did not reveal in time: they lose to those who did. If
/// several seats play and none did, nobody wins.
pub(super) fn forfeited(count: usize, seats: &[u8], encoder: &dyn Encoder) -> ResultNote {
    let nobody = count > 1 && seats.len() == count;
    let returns = (0..count).map(|index| match () {
        () if nobody => 0,
        () if seats.contains(&(index as u8)) => -1,
        () => 1,
    });
    let refs = seats.iter().map(|&seat| ByteBuf::from(encoder.reference(Ref::Seat(Seat::new(seat)))));
    ResultNote {
        returns: returns.collect(),
        code: "forfeited".to_owned(),
        refs: refs.collect(),
        rule: "contract".to_owned(),
        grade: String::new(),
        ended_by: EndedBy::Absence,
    }
}

/// Checks that a join goes with the terms; a caller who needs an invitation has shown it.
pub(super) fn check_join(course: &Course, join: &Join) -> Result<(), MatchError> {
    let seat = course.seat(u32::from(join.seat))?;
    if course.vacant().contains(seat) {
        return check_going_on(join);
    }
    if course.seats()[seat.index()].is_taken() {
        return Err(MatchError::SeatTaken(join.seat));
    }
    let field = |field, why| Err(MatchError::Field { field, why });
    match (course.header().entropy_mode, &join.entropy, &join.commitment) {
        (EntropyMode::Open, _, Some(_)) => {
            field("entropy_commitment", "only a match with ENTROPY_MODE_COMMIT_REVEAL takes one")
        }
        (EntropyMode::CommitReveal, Some(_), _) => {
            field("entropy", "with ENTROPY_MODE_COMMIT_REVEAL it comes later, by RevealEntropy")
        }
        (EntropyMode::CommitReveal, None, None) => {
            field("entropy_commitment", "ENTROPY_MODE_COMMIT_REVEAL asks for 32 bytes")
        }
        (EntropyMode::CommitReveal, None, Some(given)) if *given == zeros(course, seat) => {
            field("entropy_commitment", "it commits to zeros, which are no entropy")
        }
        (EntropyMode::Open, Some(_), None) if course.header().seed == SeedTerms::Chosen => {
            field("entropy", "a chosen seed has no use for it")
        }
        _ => Ok(()),
    }
}

/// Checks the join of a player who goes on with another's seat, whose part in the dice stays.
fn check_going_on(join: &Join) -> Result<(), MatchError> {
    let why = "the match has begun: the dice are settled";
    match (&join.entropy, &join.commitment) {
        (Some(_), _) => Err(MatchError::Field { field: "entropy", why }),
        (None, Some(_)) => Err(MatchError::Field { field: "entropy_commitment", why }),
        (None, None) => Ok(()),
    }
}

/// Returns the commitment that a seat would make that gives nothing.
fn zeros(course: &Course, seat: Seat) -> [u8; 32] {
    let commitment = Entropy::ABSENT.commit(&course.dice_id(), seat.index() as u32);
    commitment.map(|commitment| *commitment.as_bytes()).unwrap_or_default()
}

/// Checks that a seat may reveal this entropy now.
pub(super) fn check_reveal(course: &Course, seat: Seat, entropy: [u8; 32]) -> Result<(), MatchError> {
    let entry = &course.seats()[seat.index()];
    if course.phase() != Phase::Revealing || entry.revealed.is_some() {
        return Err(MatchError::NotRevealing);
    }
    let mismatch = MatchError::EntropyMismatch("the seat has committed to");
    let commitment = entry.commitment().map(EntropyCommitment::from_bytes).ok_or_else(|| mismatch.clone())?;
    let entropy = Entropy::from_bytes(entropy);
    let opened = commitment.verify(&course.dice_id(), seat.index() as u32, &entropy);
    opened.map_err(|_| mismatch)
}
