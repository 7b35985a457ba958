//! Records: text and back, replayed to the same match, in any game and from any dice.

use edgehill_engine::chance::Outcome;
use edgehill_engine::chance_source::ChanceSource;
use edgehill_engine::dice::OptionsSalt;
use edgehill_engine::event::ChanceRef;
use edgehill_engine::game::Node;
use edgehill_engine::record::{
    ChosenSeed, Dice, LINE_WIDTH, NAME_BYTES_MAX, Origin, Record, RecordError, Recorded, options_hash, verify,
};
use edgehill_engine::reference::Ref;
use edgehill_engine::registry::{AnyGame, AnyTable, Registry};
use edgehill_engine::seat::{Observer, Seat};
use edgehill_engine::setup::Setup;
use edgehill_engine::signing::SigningKey;
use edgehill_engine::table::LogEntry;
use expect_test::expect;
use rand_chacha::ChaCha8Rng;
use rand_core::SeedableRng;
use sha2::{Digest, Sha256};

use super::volume::is_full;
use super::{all_games, committed, game, play, setup, take};

const NORTH: Seat = Seat::new(0);
const SOUTH: Seat = Seat::new(1);

/// Text and back, replay, and the replayed match's own record: all the same.
pub(super) fn check(game: &dyn AnyGame, table: &dyn AnyTable, origin: &Origin) -> Record {
    let record = Record::of(table, origin).expect("a match from its start");
    let text = record.to_text();
    let fits = |line: &str| line.len() <= LINE_WIDTH && line.bytes().all(|byte| matches!(byte, b' '..=b'~'));
    assert!(text.lines().all(fits), "{text}");
    assert_eq!(Record::parse(&text).as_ref(), Ok(&record));
    let pasted = text.replace('\n', "  \r\n") + "\r\n\r\n";
    assert_eq!(Record::parse(&pasted).map(|record| record.to_text()).as_ref(), Ok(&text));
    let restored = game.restore(&table.save(), ChanceSource::Manual).expect("its own bytes");
    assert_eq!(Record::of(&*restored, origin).as_ref(), Ok(&record));
    let replayed = game.replay(&record).expect("its own record");
    assert_eq!(replayed.log(), table.log());
    assert_eq!(replayed.result(), table.result());
    assert_eq!(Record::of(&*replayed, origin).as_ref(), Ok(&record));
    let report = verify(game, &record, &[]);
    assert!(report.is_consistent(), "{report}\n{text}");
    assert_eq!(report.entries, (table.log().len(), table.log().len()));
    record
}

#[test]
fn any_match_of_any_game_is_recorded_and_replayed() {
    // Half of them are whole matches.
    let seeds = if is_full() { 40 } else { 12 };
    for game in all_games() {
        let setup = Setup::default_of(game.catalogue());
        for seed in 0..seeds {
            let actions = if seed % 2 == 0 { 10_000 } else { usize::from(seed) * 3 };
            let (table, origin) = committed(&*game, setup.clone(), seed, actions);
            let record = check(&*game, &*table, &origin);
            assert_eq!(record.result().is_some(), table.node() == Node::Over);
            let local = Origin::local(table.chance_source());
            assert!(matches!(local.dice, Dice::Chosen(Some(_))));
            check(&*game, &*table, &local);
        }
    }
}

#[test]
fn matches_without_a_seed_are_recorded_too() {
    let game = game();
    for seed in 0..20 {
        let mut table = game.open(setup(&*game, "alone", 2), ChanceSource::playout(seed));
        play(&mut *table, &*game, seed, 1_000);
        check(&*game, &*table, &Origin::local(table.chance_source()));
    }
    let script = "2,1,prize-4,6,5";
    let mut table = game.open(setup(&*game, "pair", 1), ChanceSource::script(script));
    take(&mut *table, NORTH, "bid 3; done");
    take(&mut *table, SOUTH, "bid 0; done");
    take(&mut *table, NORTH, "boast; take");
    take(&mut *table, SOUTH, "contest");
    assert_eq!((table.node(), table.chance_source().left_over()), (Node::Over, 0));
    check(&*game, &*table, &Origin::local(table.chance_source()));
}

#[test]
fn the_text_is_as_the_page_on_records_has_it() {
    let game = game();
    let mut table = game.open(setup(&*game, "pair", 1), ChanceSource::script("2,1,prize-6,6,5"));
    take(&mut *table, SOUTH, "bid 0; done");
    take(&mut *table, NORTH, "bid 3; done");
    take(&mut *table, NORTH, "boast; peek");
    take(&mut *table, NORTH, "take");
    take(&mut *table, SOUTH, "contest");
    let players = vec!["Ann".to_owned()];
    let origin = Origin { players, dice: Dice::Scripted, ..Origin::local(table.chance_source()) };
    expect![[r#"
        edgehill record 2
        game prize
        rules 3
        content 0909090909090909090909090909090909090909090909090909090909090909
        scenario pair
        option lucky false
        option rounds 1
        match ""
        seat north "Ann"
        seat south ""
        dice scripted
        start [b63c1855557c2963]
        draw 3/0: 2 [0f97507618e0ccc0]
        draw 3/1: 1 [4365db7b55087c8c]
        draw 0/0: prize-6 [f211b369f908587f]
        south: bid 0; done [a4925b093173d91e]
        north: bid 3; done [5bbe45ea807dfc64]
        north: boast [81027c7af16c4f1b]
        north: peek [186bd262fcb033f4]
        north: take [6425a6c4e9fcd39a]
        south: contest [f3a79cffbe52cbee]
        dice 1/0: 6 5 [c8da4643f5b1977a]
        result scored rule P1 returns 1 -1 grade ""
        end fc14913abb118e2d3b0a15501a241bf28efd1ab4e60e79b286bd81291616dd1c
    "#]]
    .assert_eq(&Record::of(&*table, &origin).expect("a match").to_text());
}

/// The example of the page on records.
fn example() -> &'static str {
    let page = include_str!("../../../docs/record.md");
    page.split("```edg\n").nth(1).and_then(|rest| rest.split("```").next()).expect("an example")
}

#[test]
fn the_example_of_the_page_on_records_is_a_record() {
    let record = Record::parse(example()).expect("it is one");
    assert_eq!(record.to_text(), example());
}

#[test]
fn the_example_of_the_page_on_records_is_what_its_match_comes_to() {
    let registry = Registry::built_in().expect("built-in content is accepted");
    let game = registry.game("skirmish").expect("it is there");
    let (mut table, mut origin) = committed(&**game, Setup::default_of(game.catalogue()), 7, 0);
    origin.players = vec!["Ann".to_owned(), "J\u{f6}rg".to_owned()];
    for line in example().lines() {
        let line = line.split(" [").next().unwrap_or(line);
        match (line.strip_prefix("north: "), line.strip_prefix("south: ")) {
            (Some(actions), _) => take(&mut *table, NORTH, actions),
            (_, Some(actions)) => take(&mut *table, SOUTH, actions),
            _ if line == "resigned south" => table.resign(SOUTH).expect("it may"),
            _ => {}
        }
    }
    let record = Record::of(&*table, &origin).expect("a match");
    let text = record.signed_with(&SigningKey::from_bytes(&[8; 32])).to_text();
    assert_eq!(text, example(), "the page has to read\n{text}");
}

#[test]
fn endings_from_outside_the_rules_are_recorded() {
    let game = game();
    let (mut table, origin) = committed(&*game, setup(&*game, "pair", 3), 7, 5);
    let mut drawn = table.clone();
    table.resign(SOUTH).expect("it may");
    let record = check(&*game, &*table, &origin);
    let last = record.entries().last().map(|entry| entry.what.clone());
    assert_eq!(last, Some(Recorded::Resigned { seat: "south".to_owned() }));
    drawn.offer_draw(NORTH).expect("it may");
    drawn.accept_draw(SOUTH).expect("it is offered");
    let record = check(&*game, &*drawn, &origin);
    assert_eq!(record.result().map(|result| result.code.as_str()), Some("agreed"));
}

#[test]
fn what_has_no_words_of_its_own_is_recorded_by_number() {
    let game = game();
    let mut table = game.open(setup(&*game, "alone", 1), ChanceSource::Manual);
    table.enter(&Outcome::Pick(Ref::Number(2))).expect("it fits");
    table.enter(&Outcome::Pick(Ref::Card(7))).expect("it fits");
    take(&mut *table, NORTH, "bid 3; done");
    take(&mut *table, NORTH, "look; pass");
    let record = check(&*game, &*table, &Origin::local(table.chance_source()));
    let chance_ref = ChanceRef { stream: 0, n: 0 };
    assert_eq!(record.entries()[1].what, Recorded::Pick { chance_ref, what: "#7".to_owned() });
    let pass = table.catalogue().actions.parse("pass").expect("an action").0;
    let look = table.catalogue().actions.parse("look").expect("an action").0;
    let (seat, line) = ("north".to_owned(), format!("#{look} #{pass}"));
    assert_eq!(record.entries()[3].what, Recorded::Commit { seat, line });
}

#[test]
fn drafts_are_left_out() {
    let game = game();
    let (mut table, origin) = committed(&*game, setup(&*game, "pair", 1), 3, 0);
    let before = Record::of(&*table, &origin).expect("a match");
    take(&mut *table, NORTH, "bid 2");
    assert_eq!(Record::of(&*table, &origin), Ok(before));
}

#[test]
fn a_described_start_and_long_names_are_wrapped() {
    let game = game();
    let name = "word\\ ".repeat(20) + &"\u{e9}".repeat(60);
    let note = "x".repeat(400) + "   y\n";
    let position = serde_json::json!({ "scores": [4, 7], "note": note });
    let mut table = game
        .open_position(setup(&*game, "pair", 1), position, ChanceSource::playout(1))
        .expect("a position of the toy");
    play(&mut *table, &*game, 1, 1_000);
    let origin = Origin {
        match_id: "m".to_owned(),
        players: vec![name.clone()],
        ..Origin::local(table.chance_source())
    };
    let record = check(&*game, &*table, &origin);
    assert_eq!(record.header().players[0].name, name);
    assert_eq!(record.header().position.as_ref().expect("described")["note"], note.as_str());
}

#[test]
fn what_has_no_record_is_refused() {
    let game = game();
    let (table, origin) = committed(&*game, setup(&*game, "pair", 3), 7, 5);
    let mut determinized =
        table.determinize(&table.view(Observer::Seat(NORTH)), &mut ChaCha8Rng::seed_from_u64(1));
    play(&mut *determinized, &*game, 1, 1_000);
    let local = Origin::local(determinized.chance_source());
    assert!(matches!(Record::of(&*determinized, &local), Err(RecordError::NotFromStart(_))));

    let fresh = table.determinize(&table.view(Observer::Seat(NORTH)), &mut ChaCha8Rng::seed_from_u64(1));
    assert_eq!(Record::of(&*fresh, &local), Err(RecordError::NotFromStart(0)));
    let (over, _) = committed(&*game, setup(&*game, "pair", 1), 7, 1_000);
    let over = over.determinize(&over.view(Observer::Spectator), &mut ChaCha8Rng::seed_from_u64(1));
    assert_eq!(Record::of(&*over, &local), Err(RecordError::NotFromStart(0)));

    let named = |name: String| Origin { players: vec![name], ..origin.clone() };
    assert!(Record::of(&*table, &named("x".repeat(NAME_BYTES_MAX))).is_ok());
    let long = Record::of(&*table, &named("x".repeat(NAME_BYTES_MAX + 1)));
    assert!(matches!(long, Err(RecordError::Unreadable(error)) if error.expected.contains("seat")));

    let restored = game.restore(&table.save(), ChanceSource::Manual).expect("its own bytes");
    assert!(Record::of(&*restored, &origin).is_ok(), "the header has the seed");
    let withheld = Origin { dice: Dice::Chosen(None), ..origin };
    assert_eq!(Record::of(&*restored, &withheld), Err(RecordError::NoSeed));
}

#[test]
fn a_seed_that_is_withheld_is_in_no_byte_of_the_record_and_fits_when_revealed() {
    let game = game();
    let (table, origin) = committed(&*game, setup(&*game, "pair", 2), 9, 6);
    let ChanceSource::Seeded(seed) = table.chance_source() else { panic!("seeded") };
    let running = Origin { dice: Dice::Chosen(None), ..origin.clone() };
    let text = Record::of(&*table, &running).expect("the table has the seed").to_text();
    assert!(!text.contains(&seed.to_hex()));
    let known = Origin { dice: Dice::Chosen(Some(ChosenSeed { seed: seed.clone(), salt: None })), ..origin };
    let revealed = Record::of(&*table, &known).expect("a match").to_text();
    let differ = text.lines().zip(revealed.lines()).filter(|(a, b)| a != b);
    assert_eq!(differ.map(|(a, _)| a.split(' ').next()).collect::<Vec<_>>(), [Some("seed"), Some("end")]);
}

/// The formulas of the page on records, written out: keyed for a match with a seed, plain without, the text as a whole, and
/// the options that a commitment is bound to.
#[test]
fn digests_are_as_the_page_on_records_defines_them() {
    let game = game();
    let (table, origin) = committed(&*game, setup(&*game, "pair", 1), 5, 0);
    let entered = Origin { dice: Dice::Entered, ..origin.clone() };
    let ChanceSource::Seeded(seed) = table.chance_source() else { panic!("seeded") };
    let key = blake3::derive_key("edgehill/digest/1", seed.as_bytes());
    let keyed = |bytes: &[u8]| *blake3::keyed_hash(&key, bytes).as_bytes();
    let plain = |bytes: &[u8]| blake3::derive_key("edgehill/digest/plain/1", bytes);
    check_digests(&*table, &origin, &keyed);
    check_digests(&*table, &entered, &plain);

    let text = Record::of(&*table, &entered).expect("a match").to_text();
    let (lines, end) = text.trim_end().rsplit_once("\nend ").expect("an end");
    let digest = Sha256::digest(format!("edgehill/record/2{lines}\n"));
    assert_eq!(end, hex::encode(digest));

    let mut bytes = b"edgehill/options/2".to_vec();
    bytes.extend([6; 32]);
    for part in ["\u{4}\0\0\0pair", "\u{2}\0\0\0", "\u{5}\0\0\0lucky", "\u{5}\0\0\0false"] {
        bytes.extend(part.bytes());
    }
    for part in ["\u{6}\0\0\0rounds", "\u{1}\0\0\x001", "\u{7}\0\0\0{\"a\":1}"] {
        bytes.extend(part.bytes());
    }
    let position = serde_json::json!({ "a": 1 });
    let salt = OptionsSalt::from_bytes([6; 32]);
    let hash = options_hash(game.catalogue(), &setup(&*game, "pair", 1), Some(&position), &salt);
    assert_eq!(hash, <[u8; 32]>::from(Sha256::digest(&bytes)));
}

fn check_digests(table: &dyn AnyTable, origin: &Origin, hash: &dyn Fn(&[u8]) -> [u8; 32]) {
    let text = Record::of(table, origin).expect("a match").to_text();
    let mut lines = text.lines().skip_while(|line| !line.starts_with("start "));
    let mut again = table.anew(ChanceSource::Manual).expect("a setup");
    let mut before = vec![0; 8];
    for entry in std::iter::once(None).chain(table.log().iter().map(Some)) {
        if let Some(LogEntry::Chance { outcome, .. }) = entry {
            again.enter(outcome).expect("it fits");
        }
        let (words, digest) = lines.next().and_then(|line| line.split_once(" [")).expect("an entry");
        let bytes = [&before[..], words.as_bytes(), b"\n", &again.encoded()].concat();
        before = hash(&bytes)[..8].to_vec();
        assert_eq!(digest, format!("{}]", hex::encode(&before)));
    }
}
