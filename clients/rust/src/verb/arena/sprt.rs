//! The sequential test of a series ([`SprtArgs`]).

use edgehill_competition::{NELO_MAX, Sprt};

use crate::error::Error;

/// The arguments of a sequential test.
#[derive(Debug, clap::Args)]
pub(crate) struct SprtArgs {
    /// Stop as soon as the pairs decide whether the first bot is nearer to ELO0 or to ELO1, in normalized Elo above the second; --games is
    /// then the most that is played
    #[arg(long, value_name = "ELO0,ELO1", value_parser = bounds, allow_hyphen_values = true)]
    sprt: Option<(f64, f64)>,
    /// Probability of deciding for ELO1 where ELO0 is true
    #[arg(long, value_name = "P", default_value_t = 0.05, requires = "sprt")]
    alpha: f64,
    /// Probability of deciding for ELO0 where ELO1 is true
    #[arg(long, value_name = "P", default_value_t = 0.05, requires = "sprt")]
    beta: f64,
}

impl SprtArgs {
    /// Returns the test that is asked for, of a series of bots in this many seats.
    pub(super) fn test(&self, seats: usize) -> Result<Option<Sprt>, Error> {
        let Some((nelo0, nelo1)) = self.sprt else { return Ok(None) };
        if seats != 2 {
            let why = format!("--sprt is for games between two, and this scenario has {seats} seats");
            return Err(Error::Usage(why));
        }
        let test = Sprt::new(nelo0, nelo1, self.alpha, self.beta);
        test.map(Some).map_err(|error| Error::Usage(format!("--sprt: {error}")))
    }
}

/// Reads both bounds.
fn bounds(text: &str) -> Result<(f64, f64), String> {
    let number = |text: &str| text.trim().parse::<f64>().ok();
    let both = text.split_once(',').and_then(|(one, other)| Some((number(one)?, number(other)?)));
    both.ok_or_else(|| {
        format!(
            "two numbers of normalized Elo from -{NELO_MAX} to {NELO_MAX}, separated by a comma, such as 0,20"
        )
    })
}
