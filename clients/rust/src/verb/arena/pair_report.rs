//! The statistics of a series between two ([`PairReport`]), pair by pair.

use std::io::Write;

use edgehill_competition::{
    Estimate, MatchOutcome, MirroredPairs, PairCounts, PairSide, Sprt, SprtState, SprtVerdict,
};
use serde_json::{Value, json};

use super::report::Score;
use crate::error::Error;

/// The points of a pair, in words.
const POINTS: [&str; 5] = ["0", "1/2", "1", "3/2", "2"];

/// The pairs of a series, as the first of its bots got on in them, and the test that may end it.
pub(super) struct PairReport {
    pairs: MirroredPairs<u32>,
    test: Option<(Sprt, SprtState)>,
}

impl PairReport {
    pub(super) fn new(test: Option<Sprt>) -> Self {
        let test = test.map(|test| (test, test.state(&PairCounts::EMPTY)));
        Self { pairs: MirroredPairs::new(), test }
    }

    /// Adds a game.
    ///
    /// # Errors
    /// If its round has been played.
    pub(super) fn add(&mut self, score: &Score) -> Result<(), Error> {
        let is_first = score.entrants.first() == Some(&0);
        let (own, other, side) = match score.returns[..] {
            [own, other] if is_first => (own, other, PairSide::First),
            [other, own] => (own, other, PairSide::Second),
            _ => return Err(Error::Fault(format!("a game between two has {} returns", score.returns.len()))),
        };
        let pair = self.pairs.add(score.round, side, MatchOutcome::of_returns(own, other));
        let pair = pair.map_err(|error| Error::Fault(format!("round {}: {error}", score.round + 1)))?;
        if let (Some(_), Some((test, state))) = (pair, &mut self.test) {
            *state = test.state(self.pairs.counts());
        }
        Ok(())
    }

    /// True once the test is decided.
    pub(super) fn is_decided(&self) -> bool {
        self.test.is_some_and(|(_, state)| state.verdict != SprtVerdict::Continue)
    }

    /// Writes it in words, of the bot that comes first.
    pub(super) fn write(&self, first: &str, out: &mut dyn Write) -> Result<(), Error> {
        let counts = self.pairs.counts();
        let each: Vec<String> =
            POINTS.iter().zip(counts.each()).map(|(points, count)| format!("{points}: {count}")).collect();
        writeln!(out, "pairs of {first} by points: {}", each.join(", "))?;
        if let (Some(score), Some(elo), Some(nelo)) = (counts.score(), counts.elo(), counts.nelo()) {
            let spread = match (counts.variance(), counts.standard_error()) {
                (Some(variance), Some(error)) => {
                    format!("; variance of a pair {variance:.4}, standard error {error:.4}")
                }
                _ => String::new(),
            };
            writeln!(out, "score {:.4} [{:.4}, {:.4}]{spread}", score.value, score.low, score.high)?;
            writeln!(out, "Elo {:+.1} [{:+.1}, {:+.1}]", elo.value, elo.low, elo.high)?;
            writeln!(out, "nElo {:+.1} [{:+.1}, {:+.1}]", nelo.value, nelo.low, nelo.high)?;
            writeln!(out, "in brackets: 95 %, as of a series whose length was fixed beforehand")?;
        }
        let Some((test, state)) = &self.test else { return Ok(()) };
        let ((nelo0, nelo1), (alpha, beta)) = (test.nelo(), test.errors());
        writeln!(
            out,
            "SPRT of nElo {nelo0:+} (H0) and {nelo1:+} (H1), alpha {alpha}, beta {beta}: LLR {:+.4}, bounds {:+.4} and {:+.4}",
            state.llr, state.lower, state.upper
        )?;
        let verdict = match state.verdict {
            SprtVerdict::AcceptH0 => format!("H0 is accepted, nElo {nelo0:+} rather than {nelo1:+}"),
            SprtVerdict::AcceptH1 => format!("H1 is accepted, nElo {nelo1:+} rather than {nelo0:+}"),
            SprtVerdict::Continue => "undecided".to_owned(),
        };
        writeln!(out, "after {} pairs: {verdict}", counts.total())?;
        Ok(())
    }

    /// Returns the pairs for a program.
    pub(super) fn pairs_json(&self) -> Value {
        let counts = self.pairs.counts();
        json!({
            "played": counts.total(),
            "by_points": counts.each(),
            "score": counts.score().map(estimate),
            "variance": counts.variance(),
            "standard_error": counts.standard_error(),
            "elo": counts.elo().map(estimate),
            "nelo": counts.nelo().map(estimate),
        })
    }

    /// Returns the test for a program, if there is one.
    pub(super) fn test_json(&self) -> Option<Value> {
        let (test, state) = self.test.as_ref()?;
        let verdict = match state.verdict {
            SprtVerdict::Continue => "undecided",
            SprtVerdict::AcceptH0 => "h0",
            SprtVerdict::AcceptH1 => "h1",
        };
        Some(json!({
            "nelo0": test.nelo().0,
            "nelo1": test.nelo().1,
            "alpha": test.errors().0,
            "beta": test.errors().1,
            "llr": state.llr,
            "lower": state.lower,
            "upper": state.upper,
            "verdict": verdict,
        }))
    }
}

/// An estimate for a program. JSON has no infinite number: null stands for an end that there isn't.
pub(super) fn estimate(estimate: Estimate) -> Value {
    json!({ "value": estimate.value, "low": estimate.low, "high": estimate.high })
}
