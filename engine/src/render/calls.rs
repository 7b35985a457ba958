//! Calls that stand on the match beside the game: offers and standing passes.

use super::outline::Outline;
use super::words;
use crate::catalogue::Catalogue;
use crate::view::{Calls, PassScope, StandingPass};

/// Offers and standing passes; what can be undone stands with the draft.
pub(super) fn section(catalogue: &Catalogue, calls: &Calls) -> Option<Outline> {
    Outline::unless_empty("Calls", lines(catalogue, calls).into_iter().map(Outline::leaf).collect())
}

/// One line an offer or pass.
pub(super) fn lines(catalogue: &Catalogue, calls: &Calls) -> Vec<String> {
    let offers = (!calls.draw_offers.is_empty())
        .then(|| format!("A draw is offered by {}", words::seats(catalogue, calls.draw_offers)));
    offers.into_iter().chain(calls.standing.iter().map(|pass| standing(catalogue, pass))).collect()
}

fn standing(catalogue: &Catalogue, pass: &StandingPass) -> String {
    let windows = match &pass.window {
        None => "all windows".to_owned(),
        Some(code) => format!("windows `{}`", words::template(catalogue, code).unwrap_or(code)),
    };
    let scope = match pass.scope {
        PassScope::Always => "always".to_owned(),
        PassScope::Procedure(number) => format!("in procedure {number}"),
        PassScope::UntilAttacked => "until own things are attacked".to_owned(),
    };
    format!("Standing pass: {windows}, {scope}")
}
