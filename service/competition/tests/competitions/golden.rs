//! Examples that were reckoned by hand.

use edgehill_competition::{
    CompetitionEvent, Due, Encounter, EntrantId, Format, TieBreak, TieBreakValue, Verdict,
};

use crate::driver::{Driver, Trouble, entrant};
use crate::settings::settings;

fn pair(first: u16, second: u16) -> Encounter {
    Encounter::Pair { first: entrant(first), second: entrant(second) }
}

/// Plays rounds of these encounters, whose verdicts are the winner's number, or 0 for a draw; a bye has the second entrant 0.
fn play(format: Format, entrants: u16, tie_breaks: &[TieBreak], rounds: &[&[(u16, u16, u16)]]) -> Driver {
    let mut settings = settings(format);
    settings.tie_breaks = tie_breaks.to_vec();
    let mut driver = Driver::start(&settings, entrants, 1, Trouble::NONE);
    for &matches in rounds {
        let Some(Due::Pair { round, .. }) = driver.competition.due().into_iter().next() else {
            panic!("a round is due")
        };
        let encounter = |&(first, second, _): &(u16, u16, u16)| match second {
            0 => Encounter::Bye(entrant(first)),
            _ => pair(first, second),
        };
        driver.write(CompetitionEvent::RoundPaired {
            round,
            encounters: matches.iter().map(encounter).collect(),
        });
        driver.play_round(|encounter| {
            let of = |&&(first, second, _): &&(u16, u16, u16)| second > 0 && encounter == pair(first, second);
            let &(_, _, winner) = matches.iter().find(of).unwrap();
            EntrantId::new(winner).map_or(Verdict::Draw, Verdict::Win)
        });
    }
    driver
}

/// Entrant, rank, points, and the tie-breaks in their order.
fn told(driver: &Driver) -> Vec<(u16, u32, String, Vec<String>)> {
    let value = |value: Option<TieBreakValue>| value.map_or("-".to_owned(), |value| value.to_string());
    let standings = driver.competition.standings();
    let row = |row: &edgehill_competition::StandingRow| {
        let tie_breaks = row.tie_breaks.iter().map(|&(_, of)| value(of)).collect();
        (row.entrant.number(), row.rank.unwrap(), row.points.to_string(), tie_breaks)
    };
    standings.rows.iter().map(row).collect()
}

fn expect(driver: &Driver, rows: &[(u16, u32, &str, &[&str])]) {
    let rows: Vec<_> = rows
        .iter()
        .map(|&(entrant, rank, points, values)| {
            (
                entrant,
                rank,
                points.to_owned(),
                values.iter().map(|&value| value.to_owned()).collect::<Vec<_>>(),
            )
        })
        .collect();
    assert_eq!(told(driver), rows);
}

/// 1 and 2 draw, 1 beats 3, 4 beats 1, 2 beats 3, 2 and 4 draw, 3 beats 4. Points: 2 has 2, 1 and 4 have 1.5, 3 has 1.
const ROBIN: [&[(u16, u16, u16)]; 3] =
    [&[(1, 4, 4), (2, 3, 2)], &[(4, 3, 3), (1, 2, 0)], &[(2, 4, 0), (3, 1, 1)]];

/// Sonneborn-Berger: 1 has half of 2 and all of 1 (1 + 1), 2 half of 1.5 twice and all of 1 (0.75 + 0.75 + 1), 3 all of 1.5, and 4 all of 1.5 and half of
/// 2 (1.5 + 1).
#[test]
fn a_round_robin_by_sonneborn_berger() {
    let tie_breaks = [TieBreak::SonnebornBerger, TieBreak::Wins];
    let driver = play(Format::RoundRobin { cycles: 1 }, 4, &tie_breaks, &ROBIN);
    expect(
        &driver,
        &[
            (2, 1, "2", &["2.5", "1"]),
            (4, 2, "1.5", &["2.5", "1"]),
            (1, 3, "1.5", &["2", "1"]),
            (3, 4, "1", &["1.5", "1"]),
        ],
    );
}

/// 4 has beaten 1. Nobody else is tied, and has no direct encounter.
#[test]
fn a_round_robin_by_direct_encounter() {
    let driver = play(Format::RoundRobin { cycles: 1 }, 4, &[TieBreak::DirectEncounter], &ROBIN);
    expect(
        &driver,
        &[(2, 1, "2", &["-"]), (4, 2, "1.5", &["1"]), (1, 3, "1.5", &["0"]), (3, 4, "1", &["-"])],
    );
}

/// In a round robin the opponents of two who are tied have as many points: those of all less their own. They stay tied, unless seeding tells.
#[test]
fn a_round_robin_by_buchholz_leaves_a_tie() {
    let driver = play(Format::RoundRobin { cycles: 1 }, 4, &[TieBreak::Buchholz], &ROBIN);
    expect(
        &driver,
        &[(2, 1, "2", &["4"]), (1, 2, "1.5", &["4.5"]), (4, 2, "1.5", &["4.5"]), (3, 4, "1", &["5"])],
    );
    let tie_breaks = [TieBreak::Buchholz, TieBreak::Seeding];
    let driver = play(Format::RoundRobin { cycles: 1 }, 4, &tie_breaks, &ROBIN);
    let ranks: Vec<_> = told(&driver).into_iter().map(|(number, rank, _, _)| (number, rank)).collect();
    assert_eq!(ranks, [(2, 1), (1, 2), (4, 3), (3, 4)]);
}

/// Three who beat each other in a circle: nothing tells them apart.
#[test]
fn a_circle_is_a_tie() {
    let rounds: [&[(u16, u16, u16)]; 3] =
        [&[(1, 2, 1), (3, 0, 0)], &[(2, 3, 2), (1, 0, 0)], &[(3, 1, 3), (2, 0, 0)]];
    let tie_breaks =
        [TieBreak::DirectEncounter, TieBreak::Buchholz, TieBreak::SonnebornBerger, TieBreak::Wins];
    let driver = play(Format::RoundRobin { cycles: 1 }, 3, &tie_breaks, &rounds);
    // A rest in a round robin gives no point, and is no opponent.
    let values: &[&str] = &["1", "2", "1", "1"];
    expect(&driver, &[(1, 1, "1", values), (2, 1, "1", values), (3, 1, "1", values)]);
}

/// Five in three rounds, with a bye in each:
///
/// | | 1 | 2 | 3 | points |
/// | --- | --- | --- | --- | --- |
/// | 1 | beats 3 | draws 5 | beats 2 | 2.5 |
/// | 2 | draws 4 | beats 3 | loses to 1 | 1.5 |
/// | 3 | loses to 1 | loses to 2 | bye | 1 |
/// | 4 | draws 2 | bye | beats 5 | 2.5 |
/// | 5 | bye | draws 1 | loses to 4 | 1.5 |
const SWISS: [&[(u16, u16, u16)]; 3] = [
    &[(1, 3, 1), (2, 4, 0), (5, 0, 0)],
    &[(5, 1, 0), (3, 2, 2), (4, 0, 0)],
    &[(1, 2, 1), (4, 5, 4), (3, 0, 0)],
];

/// Buchholz, a bye counting as an opponent with one's own points: 1 has 1 + 1.5 + 1.5, 2 has 2.5 + 1 + 2.5, 3 has 2.5 + 1.5 + 1, 4 has 1.5 + 2.5 + 1.5, and 5 has 1.5 + 2.5
/// + 2.5. Without the least: 3, 5, 4, 4, 5.
#[test]
fn a_swiss_by_buchholz() {
    let tie_breaks = [TieBreak::BuchholzCut1, TieBreak::Buchholz];
    let driver = play(Format::Swiss { rounds: 3 }, 5, &tie_breaks, &SWISS);
    expect(
        &driver,
        &[
            (4, 1, "2.5", &["4", "5.5"]),
            (1, 2, "2.5", &["3", "4"]),
            (5, 3, "1.5", &["5", "6.5"]),
            (2, 4, "1.5", &["5", "6"]),
            (3, 5, "1", &["4", "5"]),
        ],
    );
    // The first of them alone leaves 2 and 5 tied.
    let driver = play(Format::Swiss { rounds: 3 }, 5, &tie_breaks[..1], &SWISS);
    let ranks: Vec<_> = told(&driver).into_iter().map(|(number, rank, _, _)| (number, rank)).collect();
    assert_eq!(ranks, [(4, 1), (1, 2), (2, 3), (5, 3), (3, 5)]);
}

/// Sonneborn-Berger, a bye as a win against one's own points: 1 has 1 + 0.75 + 1.5, 2 has 1.25 + 1, 3 has 1, 4 has 0.75 + 2.5 + 1.5, 5 has 1.5 + 1.25. 1 and 4 have
/// not met, and neither have 2 and 5.
#[test]
fn a_swiss_by_sonneborn_berger() {
    let tie_breaks = [TieBreak::DirectEncounter, TieBreak::SonnebornBerger];
    let driver = play(Format::Swiss { rounds: 3 }, 5, &tie_breaks, &SWISS);
    expect(
        &driver,
        &[
            (4, 1, "2.5", &["-", "4.75"]),
            (1, 2, "2.5", &["-", "3.25"]),
            (5, 3, "1.5", &["-", "2.75"]),
            (2, 4, "1.5", &["-", "2.25"]),
            (3, 5, "1", &["-", "1"]),
        ],
    );
}
