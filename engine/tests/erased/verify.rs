//! Checking records: each thing that can be wrong is found, at its line.

use edgehill_engine::content::ContentHash;
use edgehill_engine::dice::{
    Commitment, Entropy, EntropyCommitment, Error, OptionsSalt, Seed, ServerSeed, Terms,
};
use edgehill_engine::record::{
    ChosenSeed, Dice, DiceCheck, HostSecrets, Origin, Record, RecordError, RulesPin, SeatEntropy,
    options_hash, verify,
};
use edgehill_engine::registry::AnyGame;

use super::{committed, finished, game, setup};

/// The findings for a match with other dice in its header: line by its first word, and code.
fn findings(game: &dyn AnyGame, change: impl FnOnce(&mut Origin)) -> Vec<(String, &'static str)> {
    let (table, mut origin) = committed(game, setup(game, "pair", 2), 4, 1_000);
    change(&mut origin);
    let record = Record::of(&*table, &origin).expect("it can be written");
    let text = record.to_text();
    let first_word = |line: usize| text.lines().nth(line - 1).and_then(|line| line.split(' ').next());
    let report = verify(game, &record, &[]);
    let found = report.findings.iter();
    found.map(|one| (first_word(one.line).unwrap_or("").to_owned(), one.fault.code())).collect()
}

fn parts(origin: &mut Origin) -> (&mut Commitment, &mut Option<HostSecrets>, &mut Vec<SeatEntropy>) {
    match &mut origin.dice {
        Dice::Committed { commitment, secrets, entropies, .. } => (commitment, secrets, entropies),
        _ => panic!("committed"),
    }
}

#[test]
fn a_record_in_order_has_no_findings() {
    let game = game();
    assert_eq!(findings(&*game, |_| {}), []);
    let (table, origin) = committed(&*game, setup(&*game, "pair", 2), 4, 1_000);
    let report = verify(&*game, &Record::of(&*table, &origin).expect("a match"), &[]);
    assert_eq!(report.dice, DiceCheck::Committed);
    assert!(report.outcomes > 3 && report.outcomes < report.entries.0);
}

#[test]
fn another_commitment_is_found() {
    let other = |origin: &mut Origin| *parts(origin).0 = Commitment::from_bytes([1; 32]);
    assert_eq!(findings(&*game(), other), [("commitment".to_owned(), "COMMITMENT_MISMATCH")]);
}

#[test]
fn another_match_id_is_found() {
    let codes: Vec<&str> =
        findings(&*game(), |origin| origin.match_id.push('x')).iter().map(|(_, code)| *code).collect();
    assert!(
        codes.starts_with(&["COMMITMENT_MISMATCH", "ENTROPY_COMMITMENT_MISMATCH"])
            && codes.contains(&"OTHER_OUTCOME"),
        "{codes:?}"
    );
    let (table, mut origin) = committed(&*game(), setup(&*game(), "pair", 2), 4, 1_000);
    origin.match_id.clear();
    assert!(matches!(Record::of(&*table, &origin), Err(RecordError::Dice(Error::TextLength { .. }))));
}

/// A match that was begun under other rules, which had led where these lead.
#[test]
fn a_match_that_was_taken_up_is_bound_to_the_rules_that_it_was_begun_under() {
    let game = game();
    let other = RulesPin { rules_version: 2, content: ContentHash::from_bytes([1; 32]) };
    let now = findings(&*game, |origin| origin.begun_under = Some(other));
    assert_eq!(now, [("commitment".to_owned(), "COMMITMENT_MISMATCH")]);
    let (table, mut origin) = committed(&*game, setup(&*game, "pair", 2), 4, 1_000);
    let secrets = parts(&mut origin).1.clone().expect("revealed");
    let terms = Terms {
        id: &origin.match_id.clone(),
        game: "prize",
        rules_version: "2",
        content_hash: [1; 32],
        options_hash: options_hash(game.catalogue(), table.setup(), None, &secrets.salt),
    };
    *parts(&mut origin).0 = secrets.server_seed.commit(&terms).expect("short texts");
    origin.begun_under = Some(other);
    let record = Record::of(&*table, &origin).expect("a match");
    let report = verify(&*game, &record, &[]);
    assert!(report.is_consistent() && report.dice == DiceCheck::Committed, "{report}");
    let text = record.to_text();
    let pins: Vec<&str> = text.lines().skip(2).take(3).map(|line| &line[..line.len().min(12)]).collect();
    assert_eq!(pins, ["rules 2", "content 0101", "repinned 3 0"]);
    assert_eq!(Record::parse(&text).expect("its own text").header(), record.header());
    // By the rules of a third version it is not.
    let third = text.replacen("repinned 3", "repinned 4", 1);
    let report = verify(&*game, &Record::parse_damaged(&third).expect("a record"), &[]);
    assert_eq!((report.findings[0].line, report.findings[0].fault.code()), (5, "OTHER_GAME"));
    for wrong in ["repinned 3", "repinned x 09", "repinned 3 09"] {
        let text = text.replacen("\nrepinned 3 ", &format!("\n{wrong}\nscenario "), 1);
        let error = Record::parse(&text).expect_err(wrong).to_string();
        assert!(error.contains("`repinned`, a rules version"), "{error}");
    }
}

#[test]
fn another_server_seed_is_found_at_the_commitment_and_at_the_outcomes() {
    let found = findings(&*game(), |origin| {
        let secrets = parts(origin).1.as_mut().expect("revealed");
        secrets.server_seed = ServerSeed::from_bytes([77; 32]);
    });
    assert_eq!(found[0], ("commitment".to_owned(), "COMMITMENT_MISMATCH"));
    assert!(found.iter().any(|(line, code)| line == "draw" && *code == "OTHER_OUTCOME"), "{found:?}");
}

#[test]
fn another_salt_is_found_at_the_commitment_alone() {
    let found = findings(&*game(), |origin| {
        parts(origin).1.as_mut().expect("revealed").salt = OptionsSalt::from_bytes([77; 32]);
    });
    assert_eq!(found, [("commitment".to_owned(), "COMMITMENT_MISMATCH")]);
}

#[test]
fn an_entropy_that_was_left_out_or_replaced_is_found() {
    let found = findings(&*game(), |origin| {
        parts(origin).2.pop();
    });
    assert_eq!(found[0], ("server-seed".to_owned(), "ENTROPY_COUNT"));
    let found = findings(&*game(), |origin| parts(origin).2[0].entropy = Entropy::from_bytes([1; 32]));
    assert_eq!(found[0], ("entropy".to_owned(), "ENTROPY_COMMITMENT_MISMATCH"));
    assert!(found.iter().any(|(_, code)| *code == "OTHER_OUTCOME"), "{found:?}");
    let found = findings(&*game(), |origin| {
        parts(origin).2[1].commitment = Some(EntropyCommitment::from_bytes([5; 32]));
    });
    assert_eq!(found, [("entropy".to_owned(), "ENTROPY_COMMITMENT_MISMATCH")]);
}

#[test]
fn how_far_the_dice_were_checked_is_said() {
    let game = game();
    let (table, origin) = committed(&*game, setup(&*game, "pair", 2), 4, 1_000);
    let check = |dice| {
        let record = Record::of(&*table, &Origin { dice, ..origin.clone() }).expect("a match");
        let report = verify(&*game, &record, &[]);
        assert!(report.is_consistent(), "{report}");
        report.dice
    };
    let mut running = origin.clone();
    *parts(&mut running).1 = None;
    assert_eq!(check(running.dice), DiceCheck::Withheld);
    assert_eq!(check(Dice::Chosen(None)), DiceCheck::Withheld);
    assert_eq!(check(Dice::of(table.chance_source())), DiceCheck::Chosen);
    assert_eq!(check(Dice::Entered), DiceCheck::NoSeed);
    let other = Dice::Chosen(Some(ChosenSeed { seed: Seed::from_bytes([1; 32]), salt: None }));
    let record = Record::of(&*table, &Origin { dice: other, ..origin.clone() }).expect("a match");
    assert_eq!(verify(&*game, &record, &[]).findings[0].fault.code(), "OTHER_OUTCOME");
}

/// One change in a record's text, and what is found first.
#[test]
fn each_fault_has_its_code_and_its_words() {
    let game = game();
    let (table, origin) = committed(&*game, setup(&*game, "pair", 2), 4, 1_000);
    let text = Record::of(&*table, &origin).expect("a match").to_text();
    let position = "position {\"scores\":[1]}\ndice committed";
    let place = text.find("\ndraw 3/1: ").expect("the second luck") + 1;
    let luck = if text[place + 10..].starts_with('1') {
        ("draw 3/1: 1", "draw 3/1: 2")
    } else {
        ("draw 3/1: 2", "draw 3/1: 1")
    };
    let other_hash = "0".repeat(64);
    for (from, to, code) in [
        ("game prize", "game chess", "OTHER_GAME"),
        ("rules 3", "rules 4", "OTHER_GAME"),
        (&"09".repeat(32), &other_hash, "OTHER_GAME"),
        ("option lucky false\n", "", "OTHER_GAME"),
        ("option lucky false", "option lucky maybe", "UNKNOWN_SETUP"),
        ("scenario pair", "scenario three", "UNKNOWN_SETUP"),
        ("seat south", "seat west", "OTHER_GAME"),
        ("seat north", "seat west", "OTHER_GAME"),
        ("dice committed", position, "UNFIT_POSITION"),
        ("draw 3/1: ", "draw 3/2: ", "OTHER_DRAW"),
        ("draw 3/1: ", "draw 2/1: ", "OTHER_DRAW"),
        (luck.0, luck.1, "OTHER_OUTCOME"),
        (luck.0, "draw 3/1: 3", "NOT_DUE"),
        (luck.0, "dice 3/1: 3", "UNFIT_OUTCOME"),
        (luck.0, "north: bid 1", "ILLEGAL_ACTION"),
        (luck.0, "west: bid 1", "NOT_DUE"),
        ("; done", "; dance", "UNREADABLE_LINE"),
        ("; done", "; take", "ILLEGAL_ACTION"),
        ("; done", "", "OTHER_DIGEST"),
    ] {
        let damaged = Record::parse_damaged(&text.replacen(from, to, 1)).expect(to);
        let report = verify(&*game, &damaged, &[]);
        assert_eq!(report.findings[0].fault.code(), code, "{to}: {report}");
        let same = text.lines().zip(damaged.to_text().lines()).take_while(|(a, b)| a == b).count();
        assert_eq!(report.findings[0].line, same + 1, "{to}: {report}");
    }
}

#[test]
fn a_group_has_an_id_of_its_own() {
    let game = game();
    let (table, mut origin) = committed(&*game, setup(&*game, "pair", 2), 4, 1_000);
    let id = std::mem::replace(&mut origin.match_id, "second of the pair".to_owned());
    if let Dice::Committed { group, .. } = &mut origin.dice {
        *group = Some(id);
    }
    let report = verify(&*game, &Record::of(&*table, &origin).expect("a match"), &[]);
    assert!(report.is_consistent(), "{report}");
}

#[test]
fn the_report_reads_well() {
    let game = game();
    let table = finished(&*game, "pair", 5);
    let record = Record::of(&*table, &Origin::local(table.chance_source())).expect("a match");
    let text = record.to_text().replacen("rules 3", "rules 2", 1);
    let damaged = Record::parse_damaged(&text).expect("a record");
    let report = verify(&*game, &damaged, &[]).to_string();
    let lines: Vec<&str> = report.lines().collect();
    assert_eq!(lines[0], "line 3: rules 3 expected, 2 found");
    assert!(lines[1].contains(": the lines above have digest "), "{report}");
    assert_eq!(
        lines[2..6],
        [
            "unchecked: seed: there is none: outcomes can be any",
            "unchecked: end: it is not signed",
            "unchecked: names: it is not signed",
            "unchecked: host's word: it is not signed",
        ]
    );
    let count = table.log().len();
    let outcomes = lines[6].split("replayed; ").nth(1).and_then(|rest| rest.split(' ').next());
    let outcomes = outcomes.expect("a number");
    let played = format!("{count} of {count} entries replayed; {outcomes} outcomes");
    assert_eq!(lines[6], format!("{played} not checked: there is no seed; not signed"));
    assert_eq!(lines[7], "the record is not in order");
}
