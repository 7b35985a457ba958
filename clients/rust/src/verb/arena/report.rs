//! The results of a series ([`Report`]).

use std::collections::BTreeMap;
use std::io::Write;
use std::ops::RangeInclusive;

use edgehill_competition::{Sample, Sprt};
use serde_json::{Value, json};

use super::pair_report::{PairReport, estimate};
use crate::error::Error;

/// The result of one game.
#[derive(Clone, Debug)]
pub(in crate::verb) struct Score {
    /// The game's round, from 0.
    pub round: u32,
    /// The entrant (index into the series' bots) at each seat.
    pub entrants: Vec<usize>,
    /// The return of each seat.
    pub returns: Vec<i32>,
    /// Of the last state.
    pub digest: [u8; 32],
}

/// Counts what each entrant got.
pub(in crate::verb) struct Report {
    entrants: Vec<Entrant>,
    /// By round: what each entrant has got in it.
    rounds: BTreeMap<u32, Vec<i64>>,
    /// By digest of the last state: numbers of games.
    ends: BTreeMap<[u8; 32], u32>,
    games: u32,
    statistics: Statistics,
}

/// The statistics that go with a number of seats.
enum Statistics {
    /// Returns of one seat, a seed each.
    Alone(Sample),
    Pairs(PairReport),
    None,
}

#[derive(Clone, Default)]
struct Entrant {
    name: String,
    /// Sum of the returns.
    points: i64,
    won: u32,
    drawn: u32,
    lost: u32,
}

impl Report {
    /// No game yet, of these bots; of a game for one, whose returns are in this range, or for two, who may be tested.
    pub(in crate::verb) fn new(bots: &[String], returns: RangeInclusive<i32>, test: Option<Sprt>) -> Self {
        let name = |(index, bot): (usize, &String)| {
            let twice = bots.iter().filter(|other| *other == bot).count() > 1;
            if twice { format!("{bot} ({})", index + 1) } else { bot.clone() }
        };
        let entrants =
            bots.iter().enumerate().map(name).map(|name| Entrant { name, ..Entrant::default() }).collect();
        let statistics = match bots.len() {
            1 => Statistics::Alone(Sample::new(returns)),
            2 => Statistics::Pairs(PairReport::new(test)),
            _ => Statistics::None,
        };
        Self { entrants, rounds: BTreeMap::new(), ends: BTreeMap::new(), games: 0, statistics }
    }

    /// Adds a game.
    ///
    /// # Errors
    /// If it is none of the series.
    pub(in crate::verb) fn add(&mut self, score: &Score) -> Result<(), Error> {
        match (&mut self.statistics, &score.returns[..]) {
            (Statistics::Alone(sample), &[returned]) => {
                sample.add(returned).map_err(|error| Error::Fault(format!("a return: {error}")))?;
            }
            (Statistics::Pairs(pairs), _) => pairs.add(score)?,
            _ => {}
        }
        let round = self.rounds.entry(score.round).or_insert_with(|| vec![0; self.entrants.len()]);
        let returns = &score.returns;
        let best = returns.iter().max();
        let shared = returns.iter().filter(|&returned| Some(returned) == best).count() > 1;
        for (&entrant, &returned) in score.entrants.iter().zip(returns) {
            round[entrant] += i64::from(returned);
            let entrant = &mut self.entrants[entrant];
            entrant.points += i64::from(returned);
            if returns.len() > 1 {
                match (Some(&returned) == best, shared) {
                    (true, false) => entrant.won += 1,
                    (true, true) => entrant.drawn += 1,
                    (false, _) => entrant.lost += 1,
                }
            }
        }
        *self.ends.entry(score.digest).or_default() += 1;
        self.games += 1;
        Ok(())
    }

    /// True once a test has decided the series.
    pub(in crate::verb) fn is_decided(&self) -> bool {
        matches!(&self.statistics, Statistics::Pairs(pairs) if pairs.is_decided())
    }

    /// Returns the number of games that it has.
    pub(in crate::verb) const fn games(&self) -> u32 {
        self.games
    }

    pub(in crate::verb) fn write(&self, out: &mut dyn Write) -> Result<(), Error> {
        let widest = self.entrants.iter().map(|entrant| entrant.name.len()).max().unwrap_or(0).max(3);
        if self.entrants.len() == 1 {
            let only = &self.entrants[0];
            writeln!(out, "{}: points {} (sum of the returns)", only.name, only.points)?;
        } else {
            let round = if self.entrants.len() == 2 { "pairs" } else { "rounds" };
            writeln!(out, "{:widest$}  points   won drawn  lost   {round} won drawn  lost", "bot")?;
            for (index, one) in self.entrants.iter().enumerate() {
                let (won, drawn, lost) = self.rounds_of(index);
                let Entrant { name, points, .. } = one;
                writeln!(
                    out,
                    "{name:widest$}  {points:>+6} {:>5} {:>5} {:>5}   {:>w$} {drawn:>5} {lost:>5}",
                    one.won,
                    one.drawn,
                    one.lost,
                    won,
                    w = round.len() + 4,
                )?;
            }
            writeln!(out, "points: sum of the returns; {round}: the same dice, each bot at each seat once")?;
        }
        match &self.statistics {
            Statistics::Alone(sample) => {
                if let Some(mean) = sample.estimate() {
                    let error = sample.standard_error();
                    let error =
                        error.map_or_else(String::new, |error| format!(", standard error {error:.4}"));
                    writeln!(
                        out,
                        "mean {:+.4} [{:+.4}, {:+.4}] (95 %){error}",
                        mean.value, mean.low, mean.high
                    )?;
                }
            }
            Statistics::Pairs(pairs) => pairs.write(&self.entrants[0].name, out)?,
            Statistics::None => {}
        }
        self.write_repeats(out)
    }

    /// Returns it for a program.
    pub(in crate::verb) fn json(&self) -> Value {
        let bot = |(index, one): (usize, &Entrant)| {
            let Entrant { name, points, won, drawn, lost } = one;
            if self.entrants.len() == 1 {
                return json!({ "name": name, "points": points });
            }
            let (rounds_won, rounds_drawn, rounds_lost) = self.rounds_of(index);
            json!({
                "name": name,
                "points": points,
                "won": won,
                "drawn": drawn,
                "lost": lost,
                "rounds": { "won": rounds_won, "drawn": rounds_drawn, "lost": rounds_lost },
            })
        };
        let bots: Vec<Value> = self.entrants.iter().enumerate().map(bot).collect();
        let mut report = json!({ "games": self.games, "distinct_games": self.ends.len(), "bots": bots });
        match &self.statistics {
            Statistics::Alone(sample) => {
                report["mean"] = json!(sample.estimate().map(estimate));
                report["variance"] = json!(sample.variance());
                report["standard_error"] = json!(sample.standard_error());
            }
            Statistics::Pairs(pairs) => {
                report["pairs"] = pairs.pairs_json();
                if let Some(test) = pairs.test_json() {
                    report["sprt"] = test;
                }
            }
            Statistics::None => {}
        }
        report
    }

    /// Returns the numbers of rounds that an entrant won, shared and lost.
    fn rounds_of(&self, entrant: usize) -> (u32, u32, u32) {
        let (mut won, mut drawn, mut lost) = (0, 0, 0);
        for points in self.rounds.values() {
            let best = points.iter().max();
            let shared = points.iter().filter(|&one| Some(one) == best).count() > 1;
            match (Some(&points[entrant]) == best, shared) {
                (true, false) => won += 1,
                (true, true) => drawn += 1,
                (false, _) => lost += 1,
            }
        }
        (won, drawn, lost)
    }

    fn write_repeats(&self, out: &mut dyn Write) -> Result<(), Error> {
        let distinct = self.ends.len();
        writeln!(out, "distinct games: {distinct} of {} (by digest of the last state)", self.games)?;
        if distinct < self.games as usize {
            let most = self.ends.values().max().copied().unwrap_or(0);
            writeln!(
                out,
                "WARNING: games repeat (one end came {most} times): the series says less than its length. Bots that choose \
                 without chance need games with chance."
            )?;
        }
        Ok(())
    }
}
