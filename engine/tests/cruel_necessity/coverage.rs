//! Whatever the rules name comes up: in matches by bots over all scenarios and pairs of options, or in the test that is named.
//! The test prints what was met how often as a table.

use std::collections::BTreeMap;

use edgehill_engine::bot::{Bot, random};
use edgehill_engine::fate::Fate;
use edgehill_engine::game::{Game, Node};
use edgehill_engine::games::cruel_necessity::ironside;
use edgehill_engine::laws::{Care, Habits, Law, Laws, Luck, Run, Walk};
use edgehill_engine::reference::Ref;
use edgehill_engine::seat::Observer;
use edgehill_engine::setup::Setup;
use edgehill_engine::table::{ListMode, Table};
use rand_chacha::ChaCha8Rng;
use rand_core::SeedableRng;

use crate::play::{PLAYER, game, setup};

const OPTIONS: [(&str, [&str; 2]); 8] = [
    ("numerical-order", ["false", "true"]),
    ("licensing-cost", ["2", "3"]),
    ("fortify-limit", ["false", "true"]),
    ("limited-reconnaissance", ["false", "true"]),
    ("catholic-league", ["false", "true"]),
    ("quick-combat", ["false", "true"]),
    ("english-settlers", ["false", "true"]),
    ("hot-iron", ["false", "true"]),
];
const SCENARIOS: [&str; 6] = ["whole-war", "first", "second", "third", "first-second", "second-third"];

/// Rows in which each two options take each of their four pairs of values (an orthogonal array of strength 2).
fn pairwise() -> Vec<u8> {
    let bit = |row: u8, column: u8| -> u8 {
        (0..4).map(|k| (row >> k & 1) & (column >> k & 1)).fold(0, |a, b| a ^ b)
    };
    (0..16).map(|row| (0..8).fold(0, |set, option| set | bit(row, option + 1) << option)).collect()
}

fn with_options(scenario: &str, row: u8) -> Setup {
    let chosen: Vec<(&str, &str)> = OPTIONS
        .iter()
        .enumerate()
        .map(|(index, (id, values))| (*id, values[usize::from(row >> index & 1)]))
        .collect();
    setup(scenario, &chosen)
}

#[test]
fn the_rows_have_every_pair() {
    let rows = pairwise();
    for one in 0..8 {
        for other in 0..one {
            for pair in 0..4u8 {
                let has = |row: &u8| (row >> one & 1) * 2 + (row >> other & 1) == pair;
                assert!(rows.iter().any(has), "options {one} and {other}, pair {pair}");
            }
        }
    }
}

/// Every scenario with every pair of options keeps the laws.
#[test]
fn every_scenario_and_pair_of_options_keeps_the_laws() {
    let laws = Laws::ALL.without(Law::Golden);
    for (index, scenario) in SCENARIOS.into_iter().enumerate() {
        for (place, row) in pairwise().into_iter().enumerate() {
            // All rows with two scenarios, half of them with the others.
            if index > 1 && place % 2 != index % 2 {
                continue;
            }
            let seed = (index * 16 + place) as u64;
            let mut source = ChaCha8Rng::seed_from_u64(seed);
            let run = Run::new(with_options(scenario, row), Luck::Dice(seed));
            let mut walk = Walk::open(&game(), run, seed, laws, Care::Sampled)
                .unwrap_or_else(|failure| panic!("{}", failure.report(game().catalogue())));
            let habits = Habits::draw(&mut source).expect("a generator never ends");
            loop {
                let next = walk
                    .next(&habits, &mut source)
                    .unwrap_or_else(|failure| panic!("{}", failure.report(game().catalogue())));
                let Some(call) = next else { break };
                if let Err(failure) = walk.call(call) {
                    panic!("{}", failure.report(game().catalogue()));
                }
            }
            walk.finish().unwrap_or_else(|failure| panic!("{}", failure.report(game().catalogue())));
        }
    }
}

/// What was told in many matches: code and first references, with how often.
fn met() -> BTreeMap<String, u32> {
    let mut met = BTreeMap::new();
    let game = game();
    for seed in 0..96u64 {
        let row = pairwise()[(seed % 16) as usize];
        let scenario = SCENARIOS[(seed / 16 % 6) as usize];
        let mut table = Table::open(game.clone(), with_options(scenario, row), Fate::playout(seed));
        let house = if seed % 4 == 0 { random() } else { ironside() };
        let mut bot: Box<dyn Bot> = (house.make)(&game, PLAYER, seed);
        while table.node() != Node::Over {
            let legal = table.legal(PLAYER);
            let step = bot.choose(&table.view(Observer::Seat(PLAYER)), &legal);
            *met.entry(format!("step {}", game.catalogue().steps.notation(step))).or_default() += 1;
            table.apply(PLAYER, &[step], ListMode::Whole).expect("a legal step");
        }
        for seen in table.heard(Observer::Spectator, 0) {
            let refs: Vec<String> = seen.form.refs.iter().map(|&what| game.catalogue().id_of(what)).collect();
            *met.entry(format!("{} {}", seen.code, refs.join(" "))).or_default() += 1;
            if let Some(Ref::Card(_)) = seen.form.refs.first() {
                *met.entry(seen.code.to_owned()).or_default() += 1;
            }
        }
        let over = table.ending().expect("the match is over");
        *met.entry(format!("ending {} {}", over.code, over.grade)).or_default() += 1;
    }
    met
}

/// What the matches are looked through for: a group, and what the facts begin with.
fn checklist() -> Vec<(&'static str, String)> {
    let mut list: Vec<(&'static str, String)> = Vec::new();
    let mut add = |group: &'static str, facts: &[&str]| {
        list.extend(facts.iter().map(|fact| (group, (*fact).to_owned())))
    };
    add(
        "card operations",
        &[
            "activates north 1",
            "activates north 2",
            "activates west 1",
            "activates west 2",
            "activates scotland 1",
            "activates scotland 2",
            "activates ireland 1",
            "activates ireland 2",
            "strength_marker north 1",
            "strength_marker scotland 1",
            "strength_marker scotland -1",
            "strength_marker ireland -1",
            "battle ",
            "track_drm puritanism 1",
            "track_drm puritanism -1",
            "unrest london",
            "political_reaction",
            "religious_reaction",
            "deviltry deviltry-24",
            "revolt uprising",
            "revolt revolt",
            "revolt clubmen-1",
            "no_revolt",
            "revolt_region",
            "oxford_permitted",
            "option 22 1",
            "option 37 1",
            "option 45 1",
            "new_counter scotland",
            "named_unit cromwell",
            "watched",
            "purchased",
            "item",
        ][..32],
    );
    add(
        "activation",
        &[
            "recovers north",
            "recovers west",
            "recovers scotland",
            "recovers ireland",
            "siege hull",
            "siege bristol",
            "siege edinburgh",
            "siege london",
            "siege_success",
            "siege_failure",
            "captured hull",
            "captured bristol",
            "captured london",
            "advances north chester",
            "advances north york",
            "advances north stafford",
            "advances north nottingham",
            "advances north london-under-siege",
            "advances west london-under-siege",
            "advances scotland northumberland",
            "advances ireland irish-troubles",
            "scots_push",
            "strengthened dublin",
            "irish_troubles",
            "troubles_move scotland",
            "troubles_move parliament",
            "troubles_move puritanism",
            "step pass",
        ],
    );
    add(
        "tracks",
        &[
            "track_up ireland",
            "track_up monarchy",
            "track_up catholicism",
            "track_up scotland",
            "track_up parliament",
            "track_up puritanism",
            "track_down ireland F",
            "track_down monarchy F",
            "track_down catholicism F",
            "track_down scotland F",
            "track_down parliament F",
            "track_down puritanism F",
            "redirected scotland ireland",
            "redirected monarchy parliament",
            "redirected parliament monarchy",
            "redirected puritanism catholicism",
            "track_up ireland A",
        ],
    );
    add(
        "actions",
        &[
            "step infuse",
            "step purchase",
            "step campaign north",
            "step campaign west",
            "step campaign scotland",
            "step campaign ireland",
            "step campaign deviltry",
            "step besiege oxford",
            "step besiege edinburgh",
            "step besiege dublin",
            "step besiege uprising",
            "step fortify london",
            "step fortify hull",
            "step fortify bristol",
            "step politics ireland",
            "step politics monarchy",
            "step politics catholicism",
            "step politics scotland",
            "step politics parliament",
            "step politics puritanism",
            "step desperate parliament",
            "step desperate puritanism",
            "step use",
            "step strike",
            "step settle ireland",
            "step settle scotland",
            "step roll-on",
            "step drop",
            "retreats north",
            "retreats west",
            "disordered north",
            "disordered ireland",
            "found ",
            "not_found",
            "reward_found",
        ],
    );
    add(
        "battles",
        &[
            "sector_won 1",
            "sector_won 2",
            "sector_won 3",
            "sector_won 4",
            "sector_drawn 1",
            "sector_drawn 2",
            "sector_drawn 3",
            "sector_drawn 4",
            "sector_lost 1",
            "sector_lost 2",
            "sector_lost 3",
            "sector_lost 4",
            "battle_won north",
            "battle_lost",
            "battle_drawn",
            "salvaged",
            "points",
            "benefit",
            "unit_lost",
            "unit_recovers",
            "unit_returns",
            "quick_dice",
            "inspired",
            "committed_unit cromwell",
            "reshuffled",
        ],
    );
    add(
        "ends",
        &[
            "interim",
            "ending london_lost Crushing Defeat",
            "ending london_lost Decisive Defeat",
            "ending finished",
            "league",
        ],
    );
    let events = (1..=60).filter(|number| ![3, 5, 9, 17, 21, 23, 36, 38, 44, 53, 58, 59].contains(number));
    list.extend(events.map(|number| ("events", format!("event {number}"))));
    list.extend(
        [3, 5, 9, 17, 21, 23, 36, 38, 44, 53, 58, 59]
            .map(|number| ("achievements", format!("achievement {number}"))),
    );
    for card in &game().catalogue().cards[60..] {
        list.push(("battle cards", format!("battle_card {}", card.id)));
    }
    for reward in &game().catalogue().markers[30..] {
        list.push(("rewards", format!("reward_found deviltry {}", reward.id)));
    }
    list
}

/// What matches meet too seldom, and the test that meets it.
const BY_TEST: [(&str, &str); 2] = [
    // The first card is turned up before anybody looks.
    ("event 1", "cards::rule_3_0"),
    ("recovers scotland", "activation::rule_6_2_2"),
];

#[test]
fn everything_on_the_checklist_comes_up() {
    let met = met();
    let count = |fact: &str| -> u32 {
        if let Some(reward) = fact.strip_prefix("reward_found deviltry ") {
            let found =
                |told: &&String| told.starts_with("reward_found ") && told.ends_with(&format!(" {reward}"));
            return met.iter().filter(|(told, _)| found(told)).map(|(_, times)| times).sum();
        }
        let whole = |told: &&String| {
            told.strip_prefix(fact).is_some_and(|rest| {
                rest.is_empty()
                    || rest.starts_with(' ')
                    || fact.ends_with(' ')
                    || rest.starts_with('-')
                    || rest.starts_with('_')
            })
        };
        met.iter().filter(|(told, _)| whole(told)).map(|(_, times)| times).sum()
    };
    let mut missing = Vec::new();
    println!("{:<18} {:<44} {:>7}", "group", "what", "times");
    for (group, fact) in checklist() {
        let times = count(&fact);
        let by = BY_TEST.iter().find(|(known, _)| *known == fact).map(|&(_, test)| test);
        println!("{group:<18} {fact:<44} {times:>7} {}", by.unwrap_or_default());
        if times == 0 && by.is_none() {
            missing.push(fact);
        }
    }
    assert!(missing.is_empty(), "never met: {missing:#?}");
}
