//! The calls of seats, as they come in: what each asks of its match.

use edgehill_engine::catalogue::Catalogue;
use edgehill_proto::prost_types::Duration as Span;
use edgehill_proto::v1;

use super::clock;
use crate::matches::{Call, Pass, Wanted};
use crate::wire::{self, Refused};
use edgehill_engine::table::ApplyMode;

/// Reads actions to take.
///
/// # Errors
/// The fault of the actions, before any state is looked at.
pub(super) fn read_batch(catalogue: &Catalogue, given: v1::ActionBatch) -> Result<Call, Refused> {
    let actions = match wire::action_list::read(catalogue, given.actions.as_ref())? {
        wire::action_list::Actions::Ids(ids) => Wanted::Ids(ids.into_iter().map(|id| id.0).collect()),
        wire::action_list::Actions::Line(line) => Wanted::Line(line),
    };
    let until_reveal = wire::action_list::mode(given.mode)? == ApplyMode::UntilReveal;
    Ok(Call::Apply { keep: given.keep_draft_actions, actions, until_reveal })
}

/// Reads standing passes.
///
/// # Errors
/// The fault of the standing passes.
pub(super) fn read_passes(given: &[v1::StandingPass]) -> Result<Call, Refused> {
    let passes = wire::standing::read(given)?;
    Ok(Call::Stand(passes.iter().map(Pass::from).collect()))
}

/// Reads the offer of an adjournment, `adjourn_for`.
///
/// # Errors
/// INVALID_FIELD for none, and for a time for which no match is adjourned.
pub(super) fn read_adjournment_offer(adjourn_for: Option<&Span>) -> Result<Call, Refused> {
    Ok(Call::OfferAdjournment { longest_ms: clock::adjourn_for_given(adjourn_for)? })
}

/// Reads the acceptance of an adjournment, `adjourn_for`.
///
/// # Errors
/// INVALID_FIELD for a time for which no match is adjourned.
pub(super) fn read_adjournment_answer(adjourn_for: Option<&Span>) -> Result<Call, Refused> {
    Ok(Call::AcceptAdjournment { longest_ms: clock::adjourn_for(adjourn_for)? })
}
