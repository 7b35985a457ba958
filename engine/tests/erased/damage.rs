//! Damaged records are refused, with the line of the damage, whatever was done to them.

use std::sync::Arc;

use edgehill_engine::record::{Record, RecordReport, verify};
use edgehill_engine::registry::AnyGame;
use edgehill_engine::setup::Setup;
use proptest::prelude::*;

use super::volume::is_full;
use super::{all_games, committed, game, setup};

/// Records of finished matches with committed dice. Their lines are short, so a line of text is a line of the record, but for
/// entropies with commitments.
fn records(seeds: &[u8]) -> Vec<(Arc<dyn AnyGame>, String)> {
    let mut records = Vec::new();
    for game in all_games() {
        for &seed in seeds {
            let (table, origin) = committed(&*game, Setup::default_of(game.catalogue()), seed, 10_000);
            records.push((game.clone(), Record::of(&*table, &origin).expect("a match").to_text()));
        }
    }
    records
}

/// The first line of text at which a damaged record is found to be wrong; `None`: nothing is.
fn first_fault(game: &dyn AnyGame, lines: &[String]) -> Option<usize> {
    let text = lines.join("\n");
    assert!(Record::parse(&text).is_err(), "the last line's digest does not notice\n{text}");
    match Record::parse_damaged(&text) {
        Err(error) => Some(error.line),
        Ok(record) => {
            let report: RecordReport = verify(game, &record, &[]);
            assert!(report.findings.last().is_some_and(|last| last.fault.code() == "TEXT_CHANGED"));
            report.findings.first().map(|finding| finding.line)
        }
    }
}

/// The lines of a record, and the places of the first entry and the last.
fn lines_of(text: &str) -> (Vec<String>, usize, usize) {
    let lines: Vec<String> = text.lines().map(str::to_owned).collect();
    let start = lines.iter().position(|line| line.starts_with("start ")).expect("a start");
    let result = lines.iter().position(|line| line.starts_with("result ")).expect("a result");
    (lines, start + 1, result - 1)
}

/// The number of places of a record at which ordinary runs damage it: each costs the replay of a match, and long ones have a thousand.
const PLACES: usize = 60;

/// All of these places in full, otherwise [`PLACES`] of them from the first to the last.
fn some_of<P: Copy>(places: impl Iterator<Item = P>) -> Vec<P> {
    let all: Vec<P> = places.collect();
    if is_full() || all.len() <= PLACES {
        return all;
    }
    (0..PLACES).map(|part| all[part * (all.len() - 1) / (PLACES - 1)]).collect()
}

/// Entries that fill more than one line of text begin at the first of them.
fn is_further(line: &str) -> bool {
    line.starts_with("  ")
}

#[test]
fn a_dropped_line_is_noticed_where_it_stood() {
    for (game, text) in records(&[1, 2, 3]) {
        let (lines, entry, _) = lines_of(&text);
        for at in (0..entry).chain(some_of(entry..lines.len())) {
            let mut damaged = lines.clone();
            damaged.remove(at);
            let fault = first_fault(&*game, &damaged).expect("a fault");
            let (mut first, mut last) = (at + 1, at + 1);
            if is_further(&lines[at]) || damaged.get(at).is_some_and(|line| is_further(line)) {
                // The rest is joined to the line above, or misses its end.
                first = (0..at).rev().find(|&line| !is_further(&lines[line])).map_or(1, |line| line + 1);
                last += 1;
            }
            // A name or an option is known to be missing only when the header is complete.
            let header =
                lines.iter().position(|line| line.starts_with("start ")).is_some_and(|start| at < start);
            assert!(
                (first..=last).contains(&fault) || (header && fault < at + 3),
                "line {} dropped, line {fault} blamed\n{text}",
                at + 1
            );
        }
    }
}

#[test]
fn swapped_entries_are_noticed_at_the_first_of_them() {
    for (game, text) in records(&[1, 2, 3]) {
        let (lines, first, last) = lines_of(&text);
        let are_whole =
            |at: &usize| (*at..*at + 3).all(|at| lines.get(at).is_none_or(|line| !is_further(line)));
        for at in some_of((first..last).filter(are_whole)) {
            let mut damaged = lines.clone();
            damaged.swap(at, at + 1);
            assert_eq!(
                first_fault(&*game, &damaged),
                Some(at + 1),
                "lines {} and {}\n{text}",
                at + 1,
                at + 2
            );
        }
    }
}

#[test]
fn a_repeated_entry_is_noticed_at_the_repetition() {
    for (game, text) in records(&[1, 2, 3]) {
        let (lines, first, last) = lines_of(&text);
        for at in some_of((first..=last).filter(|&at| !is_further(&lines[at]) && !is_further(&lines[at + 1])))
        {
            let mut damaged = lines.clone();
            damaged.insert(at, lines[at].clone());
            assert_eq!(first_fault(&*game, &damaged), Some(at + 2), "line {}\n{text}", at + 1);
        }
    }
}

/// Each digit is another one, and in full each other one: the replay of a whole match for each.
#[test]
fn every_changed_digit_of_an_outcome_is_noticed_in_its_line() {
    let others = if is_full() { 9 } else { 1 };
    for (game, text) in records(&[2]) {
        let (lines, first, last) = lines_of(&text);
        let is_outcome = |at: &usize| lines[*at].starts_with("dice ") || lines[*at].starts_with("draw ");
        let digits = (first..=last).filter(is_outcome).flat_map(|at| {
            let digits = lines[at].char_indices().filter(|(_, c)| c.is_ascii_digit());
            digits.map(move |(place, digit)| (at, place, digit))
        });
        for (at, place, digit) in some_of(digits) {
            for other in ('0'..='9').cycle().skip_while(|&other| other != digit).skip(1).take(others) {
                let mut damaged = lines.clone();
                damaged[at].replace_range(place..=place, &other.to_string());
                let fault = first_fault(&*game, &damaged);
                assert_eq!(fault, Some(at + 1), "{} for {}", damaged[at], lines[at]);
            }
        }
    }
}

#[test]
fn every_changed_digest_is_noticed_in_its_line() {
    let (game, text) = records(&[1]).swap_remove(0);
    let (lines, first, last) = lines_of(&text);
    for at in first - 1..=last {
        let mut damaged = lines.clone();
        let place = lines[at].rfind('[').expect("a digest") + 1;
        let other = if lines[at][place..].starts_with('0') { "1" } else { "0" };
        damaged[at].replace_range(place..=place, other);
        assert_eq!(first_fault(&*game, &damaged), Some(at + 1));
    }
}

#[test]
fn another_result_is_noticed() {
    let (game, text) = records(&[1]).swap_remove(0);
    let (mut lines, _, last) = lines_of(&text);
    lines[last + 1] = "result none".to_owned();
    assert_eq!(first_fault(&*game, &lines), Some(last + 2));
}

#[test]
fn what_is_no_record_is_refused_with_its_line() {
    let game = game();
    let (table, origin) = committed(&*game, setup(&*game, "pair", 1), 1, 1_000);
    let text = Record::of(&*table, &origin).expect("a match").to_text();
    let refusal = |text: &str| Record::parse(text).expect_err("no record").to_string();
    let with = |from: &str, to: &str| refusal(&text.replacen(from, to, 1));
    assert_eq!(refusal(""), "line 1: a line of a record expected, `` found");
    assert_eq!(refusal("a\tb"), "line 1: printable ASCII expected, `byte 0x09 at 2` found");
    assert_eq!(
        with("record 2", "record 1"),
        "line 1: `edgehill record 2`, the only format that this build reads, expected, `edgehill record 1` found"
    );
    assert_eq!(with("rules 3", "rules 03"), "line 3: `rules 3` expected, `rules 03` found");
    assert_eq!(with("rules 3", "rules x"), "line 3: `rules` and a rules version expected, `rules x` found");
    assert_eq!(
        with("option rounds", "option lucky"),
        "line 7: each option once, not `lucky` twice, expected, `option lucky 1` found"
    );
    assert_eq!(with("seat south", "seat north").split(':').next(), Some("line 10"));
    assert!(with("dice committed", "dice loaded").starts_with("line 11: `dice` and where"));
    let seatless: String =
        text.lines().filter(|line| !line.starts_with("seat ")).map(|l| format!("{l}\n")).collect();
    assert!(refusal(&seatless).starts_with("line 9: `seat` and a seat's id"));
    let cut: String = text.lines().take(20).map(|line| format!("{line}\n")).collect();
    assert_eq!(refusal(&cut), "line 21: an entry or `result` expected, `the end of the text` found");
    assert!(
        refusal(&(text.clone() + "more\n"))
            .contains("nothing after `end` but `signer` and `signature` expected")
    );
    let wide = text.replacen("seat north", &("x".repeat(100) + " north"), 1);
    assert!(refusal(&wide).contains("a line of at most 100 bytes expected, `112 bytes` found"));
}

proptest! {
    /// No bytes make the reader or the check panic, and a changed record is never taken for one in order.
    #[test]
    fn mutated_records_are_refused_in_order(
        edits in proptest::collection::vec((any::<prop::sample::Index>(), any::<u8>(), 0..3_u8), 1..4)
    ) {
        let game = game();
        let (table, origin) = committed(&*game, setup(&*game, "pair", 2), 1, 1_000);
        let text = Record::of(&*table, &origin).expect("a match").to_text();
        let mut bytes = text.clone().into_bytes();
        for (place, byte, kind) in edits {
            let at = place.index(bytes.len());
            match kind {
                0 => bytes[at] = b' ' + byte % 95,
                1 => bytes.insert(at, byte),
                _ => { bytes.remove(at); }
            }
        }
        let damaged = String::from_utf8_lossy(&bytes);
        if let Ok(record) = Record::parse_damaged(&damaged) {
            let same = record.to_text() == text;
            prop_assert_eq!(verify(&*game, &record, &[]).is_consistent(), same, "{}", damaged);
        }
    }
}
