//! The end of a match in words ([`told`]): how it ended, by which rule, and the points of each seat.

use edgehill_engine::catalogue::Catalogue;
use edgehill_engine::game::{CONTRACT, MatchResult, Termination};
use edgehill_engine::render;

/// The victory and its grade, the way in which it came about, and what each seat gets.
pub(crate) fn told(catalogue: &Catalogue, result: &MatchResult) -> String {
    let how = match result.termination {
        Termination::Victory => "by the rules of the game",
        Termination::Resignation => "a seat gave up",
        Termination::Agreement => "the seats agreed on a draw",
    };
    let rule = catalogue.ledger.get(result.rule.id()).filter(|_| result.rule.id() != CONTRACT.id());
    let why = rule.map_or_else(String::new, |rule| {
        format!("\n  Rule {}, {}: {}", rule.id, rule.title, rule.text.trim())
    });
    let returns = result.returns.iter().zip(&catalogue.seats);
    let returns: Vec<String> = returns.map(|(points, seat)| format!("{} {points:+}", seat.name)).collect();
    let victory = render::victory(catalogue, result);
    format!("Over: {victory}\nHow: {how}{why}\nPoints: {}\n", returns.join(", "))
}
