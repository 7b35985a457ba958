//! Every game keeps every law. A game joins by one line: `joins!`.

#[path = "conformance/fixtures.rs"]
mod fixtures;
#[path = "conformance/goldens.rs"]
mod goldens;
#[path = "conformance/turns.rs"]
mod turns;
#[path = "support/volume.rs"]
mod volume;

use std::sync::Arc;

use edgehill_engine::bot;
use edgehill_engine::catalogue::Catalogue;
use edgehill_engine::chance_source::ChanceSource;
use edgehill_engine::game::Game;
use edgehill_engine::laws::{
    Care, GoldenLine, Law, Laws, Leads, TurnTrack, Volume, conform_led, shrink_failure, small_worlds,
    words_of,
};
use edgehill_engine::registry;
use edgehill_engine::setup::Setup;
use edgehill_engine::table::Table;
use rand_chacha::ChaCha8Rng;
use rand_core::SeedableRng;
use volume::volume;

/// Nodes that are looked at in full.
const NODES: usize = 400_000;
/// One run at least for so many nodes.
const NODES_PER_RUN: usize = 1_000;

/// Of so many nodes one at least is in the last third of its match's turns.
const LATE_NODES_ONE_IN: u64 = 10;

/// Random runs of each scenario whose every word is read.
const WORDY_RUNS: usize = 1_000;

/// Runs by chance, from the start and from where a house bot has led them, keep all laws, and put each of them to the test but those that
/// are `idle` in this game; it depends on the seed for those that come up but `rare`ly. A game whose nodes cost more than others' has
/// fewer of them looked at. Enough of them are late in their match.
fn keeps_the_laws<G: Game>(game: &Arc<G>, share: usize, leads: &Leads<G>, idle: &[Law], rare: &[Law]) {
    let volume = volume(NODES / share);
    let volume =
        Volume { nodes: volume.cases as u64, runs: (volume.cases / NODES_PER_RUN) as u64, seed: volume.seed };
    let laws = Laws::ALL.without(Law::Golden);
    match conform_led(game, volume, laws, Care::Sampled, leads) {
        Ok(tally) => {
            println!("{tally}\n{}", tally.turns);
            let is_late_often = LATE_NODES_ONE_IN * tally.turns.late() >= tally.turns.all();
            assert!(is_late_often, "too few nodes are late in their match:\n{}", tally.turns);
            // No panic is no count.
            let untried: Vec<Law> = tally.untried(laws.without(Law::Panic)).collect();
            let untried: Vec<Law> = untried.into_iter().filter(|law| !rare.contains(law)).collect();
            assert_eq!(untried, idle, "{tally}");
        }
        Err(failure) => {
            // The search for a shorter run takes its time.
            println!("{}", failure.report(game.catalogue()));
            let least = shrink_failure(game, &failure);
            let advice =
                "once this is mended, keep its run under tests/fixtures, so that it never comes back";
            panic!("{}\n({advice})", least.report(game.catalogue()));
        }
    }
}

/// Everything that random play says, in every scenario, is a sentence by a rule of the ledger.
fn says_everything_in_words<G: Game>(game: &Arc<G>) {
    let volume = volume(WORDY_RUNS);
    for scenario in &game.catalogue().scenarios {
        let played = words_of(game, scenario.id, volume.cases as u64, volume.seed);
        if let Err(failure) = played {
            panic!("{}", failure.report(game.catalogue()));
        }
    }
}

/// From small positions, where a seat thinks few worlds possible, `resample` draws them all alike.
fn draws_small_worlds_alike<G: Game>(game: &Arc<G>, positions: &[&str]) {
    for position in positions {
        let setup = Setup::default_of(game.catalogue());
        let described = serde_json::from_str(position).expect("a small position is JSON");
        let table = Table::open_position(Arc::clone(game), setup, described, ChanceSource::Manual)
            .unwrap_or_else(|error| panic!("{position}: {error}"));
        let counted = small_worlds(&table, &mut ChaCha8Rng::seed_from_u64(1642));
        let counted = counted.unwrap_or_else(|breach| panic!("{position}: {}", breach.detail));
        assert!(counted > 0, "no seat thinks few worlds possible: {position}");
    }
}

macro_rules! joins {
    ($($module:ident::$game:ident, share: $share:literal,
        turns: $turn:literal $(to $last:path)?, led: $($($lead:ident)::+)+ $(, idle: $($law:ident)+)? $(, rare: $($seldom:ident)+)?,
        golden: $scenario:literal by $bot:literal from $seed:literal, bytes: $bytes:literal
        $(, digest: $($in:literal by $beside:literal from $its:literal)+)?
        $(, line: $name:literal from $place:literal with $chance:literal by $actions:literal)?
        $(, options: $($id:literal = $value:literal)+)?
        $(, small: $($position:literal)+)?;)+) => {
        $(mod $module {
            use super::*;
            use edgehill_engine::games::$module::$game;

            fn game() -> Arc<$game> {
                Arc::new($game::load(&$game::builtin()).expect("the built-in content is sound"))
            }

            #[test]
            fn keeps_the_laws() {
                #[allow(unused_imports, reason = "the bot that every game has is not among them")]
                use edgehill_engine::games::$module::*;
                let last: &[fn(&Catalogue, &Setup) -> i32] = &[$($last)?];
                let turns = TurnTrack { marker: $turn, last: last.first().copied() };
                let leads = Leads { bots: vec![$($($lead)::+()),+], turns };
                super::keeps_the_laws(&game(), $share, &leads, &[$($(Law::$law),+)?], &[$($(Law::$seldom),+)?]);
            }

            #[test]
            fn says_everything_in_words() {
                super::says_everything_in_words(&game());
            }

            #[test]
            fn looks_as_it_did() {
                goldens::are_kept($game::ID, &goldens::Kept {
                    options: &[$($(($id, $value)),+)?],
                    in_words: goldens::Playout { scenario: $scenario, by: $bot, seed: $seed },
                    in_digest: &[$($(goldens::Playout { scenario: $in, by: $beside, seed: $its }),+)?],
                    lines: &[$(($name, GoldenLine { position: $place, chance: $chance, actions: $actions }))?],
                    bytes_max: $bytes,
                });
            }

            #[test]
            fn draws_small_worlds_alike() {
                super::draws_small_worlds_alike(&game(), &[$($($position),+)?]);
            }

            #[test]
            fn has_not_failed_again() {
                fixtures::hold(&game());
            }
        })+

        const JOINED: &[&str] = &[$(edgehill_engine::games::$module::$game::ID),+];
        const GOLDEN_BYTES: &[(&str, usize)] = &[$((edgehill_engine::games::$module::$game::ID, $bytes)),+];
    };
}

// A game without dice, windows or secrets has nothing to try these laws on, and one whose seats choose orders in secret no small number
// of worlds; a game of a thousand actions is looked at less often, and its known playouts are short ones. Chance alone comes
// through no more than one war: what is read is played by a house bot.
// A game of few turns, which chance alone comes through, has no house bot of its own: the engine's leads it.
joins! {
    cruel_necessity::CruelNecessity, share: 8, turns: "turn" to turns::events_of_the_wars, led: ironside,
        idle: Windows Spectator Secrecy Course Sealed Resample Distribution,
        golden: "first" by "ironside" from 1642, bytes: 400_000,
        digest: "whole-war" by "ironside" from 1642 "first-second" by "ironside" from 1648 "second-third" by "ironside" from 1651;
    english_civil_war_iia::EnglishCivilWar, share: 12, turns: "calendar" to turns::month_of_the_last_season,
        led: bots::steward bots::marshal, idle: Chance Windows Distribution, rare: Course,
        golden: "war" by "marshal" from 1642, bytes: 270_000,
        digest: "war" by "steward" from 1642,
        options: "max_seasons" = "2";
    skirmish::Skirmish, share: 1, turns: "turn", led: bot::random,
        golden: "skirmish" by "random" from 1642, bytes: 60_000;
    this_war_without_an_enemy::ThisWarWithoutAnEnemy, share: 8, turns: "turn", led: captain, rare: Distribution,
        golden: "early-war" by "captain" from 1191, bytes: 770_000,
        digest: "early-war" by "captain" from 1954,
        small: r#"{ "turn": "1643-i", "phase": "operations", "player_1": "royalist",
            "cards": { "royalist": "r-ap4-1", "parliament": "p-ap4-1" },
            "hands": { "royalist": ["r-ap4-2"], "parliament": ["p-ap4-2"] },
            "decks": { "royalist": ["r-ap4-3", "r-ap4-4"], "parliament": ["p-ap4-3", "p-ap4-4"] },
            "blocks": { "r-hopton": { "at": "cornwall" }, "p-waller": { "at": "kent" } } }"#;
    unhappy_king_charles::UnhappyKing, share: 20, turns: "turn", led: colonel, idle: Sealed, rare: Distribution,
        golden: "civil-war" by "random" from 316, bytes: 300_000,
        digest: "civil-war" by "colonel" from 27 "civil-war" by "colonel" from 163 "civil-war" by "random" from 62,
        // Two Major Victories by different sides in one Activation, and a third in the Battle that the first set's Campaign card brings.
        line: "nested-sets" from r#"{ "turn": "early-1643", "phase": "campaign", "on_turn": "royalist", "happened": ["standard"],
            "activation": { "general": "hopton", "card": 3 }, "discard": ["E20", "E21"],
            "generals": { "byron": "chester", "hopton": "newbury", "waller": "winchester" },
            "brigades": { "byron": ["byrons", "tyldesleys"], "hopton": ["grenviles-cornish", "ruperts-lifeguard"],
                "unled-preston": ["hothams"], "unled-salisbury": ["pophams"],
                "waller": ["ironsides", "ironsides", "skippons"] } }"# with "6,1 e10 4 1,6 e21 6,1 e11" by
            "move salisbury; stand; stand; pass; move poole; intercept waller; stand; stand; brigade ruperts-lifeguard; pass; \
            card E10; use campaign; activate byron; move preston; stand; stand; pass; done; card E21; use discard; card E11; use discard",
        // Mid cards in hands, with one of the Alt-Hist cards that were shuffled among them.
        small: r#"{ "turn": "early-1644", "on_turn": "royalist", "happened": ["standard"], "with_mid": ["A01", "A02"],
            "hands": { "royalist": ["M01"], "parliament": ["A01"] },
            "discard": ["M03", "M04", "M05", "M06", "M07", "M08", "M09", "M10", "M11", "M12", "M13", "M14",
                "M15", "M16", "M17", "M18", "M19", "M20", "M21", "M22", "M23", "M24", "M25", "M26", "M27",
                "A02"],
            "removed": ["X02"] }"#
            // In which of two Armies the Irish are, and whom Essex and Waller lead.
            r#"{ "turn": "early-1643", "setup": true, "on_turn": "parliament", "happened": ["standard"],
            "generals": { "byron": "chester", "hopton": "bath", "essex": "london", "waller": "salisbury" },
            "brigades": { "byron": ["irish", "tyldesleys"], "hopton": ["stawells"],
                "essex": ["ironsides", "gells"], "waller": ["pophams", "fiennes"] } }"#;
}

#[test]
fn every_game_has_joined() {
    let listed: Vec<&str> = registry::games().iter().map(|game| game.id).collect();
    assert_eq!(listed, JOINED);
}

#[test]
fn goldens_are_within_their_budget() {
    goldens::are_within_their_budget(GOLDEN_BYTES);
}
