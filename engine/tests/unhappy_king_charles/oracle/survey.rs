//! One card on each of many boards, played in game and model.

use std::collections::BTreeMap;

use serde_json::Value;

use super::random::Random;
use super::umpire::Cases;
use super::world::Options;
use crate::volume::volume;

/// The words of the choices and rolls of a card, and what it came upon; none where the board can't stand so, or a fault.
pub(crate) type Played = Result<Option<(Vec<String>, Cases)>, String>;

/// The cards that were played.
pub(crate) struct Survey {
    pub(crate) played: usize,
    /// By verb the number of choices; of rolls, too.
    pub(crate) verbs: BTreeMap<String, usize>,
    pub(crate) cases: Cases,
}

/// Sets so many boards, in full, and plays a card of each: all of them have to agree, and most have to be played.
pub(crate) fn survey(
    positions: usize,
    set: impl Fn(&mut Random) -> (Value, Options, usize),
    play: impl Fn(&Value, &Options, usize, Random) -> Played,
) -> Survey {
    let volume = volume(positions);
    let mut seeds = Random::new(volume.seed);
    let (mut faults, mut survey) =
        (Vec::new(), Survey { played: 0, verbs: BTreeMap::new(), cases: Cases::new() });
    for _ in 0..volume.cases {
        let mut random = Random::new(seeds.next());
        let (described, options, side) = set(&mut random);
        match play(&described, &options, side, random) {
            Ok(None) => {}
            Ok(Some((told, cases))) => survey.add(&told, &cases),
            Err(fault) => faults.push(format!("{fault}\nwith {options:?}\nfrom {described}")),
        }
    }
    println!("{} cards, {} steps: {:?}", survey.played, survey.verbs.values().sum::<usize>(), survey.verbs);
    println!("among them {:?}", survey.cases);
    faults.sort_by_key(String::len);
    let shown: Vec<&str> =
        faults.iter().take(6).map(|fault| fault.split("\nfrom").next().unwrap_or("")).collect();
    println!("{}", shown.join("\n\n"));
    assert!(faults.is_empty(), "{} of {} differ, for one:\n{}", faults.len(), volume.cases, faults[0]);
    assert!(
        survey.played * 10 > volume.cases * 7,
        "{} of {} boards were played",
        survey.played,
        volume.cases
    );
    survey
}

impl Survey {
    /// Asserts that each of some cases was come upon so often.
    pub(crate) fn reaches(&self, least: &[(&str, usize)]) {
        for &(case, least) in least {
            let found = self.cases.get(case).copied().unwrap_or(0);
            assert!(found >= least, "{case}: {found} times, {least} at least");
        }
    }

    fn add(&mut self, told: &[String], cases: &Cases) {
        self.played += 1;
        for (&case, &times) in cases {
            *self.cases.entry(case).or_default() += times;
        }
        for words in told {
            let verb = if words.starts_with('[') { "roll" } else { words.split(' ').next().unwrap_or("") };
            *self.verbs.entry(verb.to_owned()).or_default() += 1;
        }
    }
}
