//! The checklist of the rules: whatever they tell apart comes up, in matches by bots or in the test that is named. The test
//! prints what was met how often as a table.

use std::collections::BTreeMap;

use edgehill_engine::bot::{Bot, random};
use edgehill_engine::chance_source::ChanceSource;
use edgehill_engine::game::{Game, Node};
use edgehill_engine::games::this_war_without_an_enemy::captain;
use edgehill_engine::seat::{Observer, Seat};
use edgehill_engine::setup::Setup;
use edgehill_engine::table::{ApplyMode, Table};

use crate::play::{game, published_here};
use crate::{
    attempts, battles, content, control, moves, recruits, retreats, sieges, storms, supply, tactics, turns,
    year,
};

/// The way in which an item of the checklist is met.
enum By {
    /// Facts that matches published: what they begin with, as code and references.
    Published(&'static str),
    /// A test that plays it.
    Test(fn()),
}

use By::{Published, Test};

type Item = (&'static str, &'static str, By);

/// The checklist: a section, an item, and how it is met.
const ITEMS: &[Item] = &[
    ("2.31", "the Royalist is Player 1", Published("player_1 royalist")),
    ("2.31", "Parliament is Player 1", Published("player_1 parliament")),
    ("2.31", "a tie, named either way", Test(turns::rule_a5_the_royalist_names_player_1_of_equals)),
    ("2.31", "an event is used", Published("event_used")),
    ("2.31", "an event is declined", Published("declines")),
    ("2.31", "an event is impossible", Test(turns::rule_6_01_player_1_has_his_event_first_and_nobody_must)),
    ("2.1", "decks of 17 and 16", Test(content::rule_12_22_decks_of_17_and_16_and_two_more_each)),
    (
        "11.4",
        "decks of the next year, less the Fortification",
        Test(year::rule_11_4_played_and_discarded_cards_come_back_with_those_of_1643),
    ),
    ("11.4", "the decks are shuffled", Published("decks")),
    (
        "6.16",
        "out and home, through a foreign Area",
        Test(moves::rule_6_16_a_chaperone_brings_a_block_next_to_its_home),
    ),
    (
        "6.16",
        "between two foreign Areas, left behind",
        Test(moves::rule_6_16_a_chaperone_takes_his_blocks_on_together),
    ),
    ("6.16", "blocked by a limit", Test(moves::rule_6_16_no_border_is_promised_to_more_than_may_cross_it)),
    ("6.16", "Muster, London's blocks", Test(moves::rule_6_16_in_a_muster_the_chaperone_goes_first)),
    ("4.15", "all four states, vacant and Loyal", Test(control::rule_4_15_friendly_enemy_neutral_contested)),
    (
        "4.21",
        "each of the nine Cities both ways",
        Test(control::rule_4_21_cities_follow_their_areas_and_sympathy_where_these_are_neutral),
    ),
    (
        "4.51",
        "every City's points, London's two",
        Test(control::rule_4_51_each_change_of_hands_moves_the_marker_at_once),
    ),
    ("6.11", "a Group Move", Published("group_move")),
    ("6.11", "a party stops", Published("stops")),
    (
        "6.11",
        "splitting, two actions, stop",
        Test(moves::rule_6_11_parties_go_where_they_like_up_to_two_areas),
    ),
    ("6.12", "a Muster", Published("musters")),
    (
        "6.12",
        "through a Siege",
        Test(moves::rule_6_12_a_muster_goes_through_a_siege_but_not_through_a_battle),
    ),
    (
        "6.13",
        "rivers, mountains, parties that add up",
        Test(moves::rule_6_13_rivers_and_mountains_limit_who_crosses_into_an_attack),
    ),
    ("6.14", "more, and as many", Test(moves::rule_6_14_as_many_blocks_are_pinned_as_attack)),
    ("6.15", "a withdrawal", Published("withdraws")),
    ("6.15", "all, then on", Test(moves::rule_6_15_a_garrison_withdraws_and_comes_out_again)),
    (
        "6.15",
        "some, none, Artillery besides",
        Test(moves::rule_6_15_the_city_holds_its_size_and_artillery_besides),
    ),
    ("6.17", "no attack in Winter", Test(moves::rule_6_17_nobody_attacks_in_winter)),
    ("6.18", "Yorkshire", Test(moves::rule_6_18_yorkshire_is_neutral_in_the_first_turn)),
    ("6.3", "strength", Published("raises")),
    ("6.3", "a deployment", Published("deploys")),
    ("6.3", "every refusal of strength", Test(recruits::rule_6_3_strength_for_whom)),
    ("6.3", "no strength in a Contested Area", Test(recruits::rule_6_3_no_strength_in_a_contested_area)),
    ("6.3", "every refusal of a deployment", Test(recruits::rule_f3_where_blocks_are_deployed)),
    ("6.42", "two blocks", Test(recruits::rule_6_42_camp_fever_weakens_two_blocks)),
    ("6.42", "one block, none", Test(recruits::rule_6_42_camp_fever_spares_artillery)),
    ("6.42", "in a match", Published("fever")),
    ("6.44", "to a Friendly Area", Test(recruits::rule_6_44_a_deserter_goes_home)),
    (
        "6.44",
        "to a Neutral one, to the pool, nobody abroad",
        Test(recruits::rule_6_44_to_neutral_areas_to_the_pool_or_any_block),
    ),
    ("6.45", "London before and after", Test(storms::rule_g16a_london_is_open_until_it_is_fortified)),
    ("6.46", "two free points, and fewer", Test(recruits::rule_6_46_two_free_points_before_the_next_event)),
    ("6.47", "Artillery", Test(recruits::rule_6_47_supplies_from_the_continent_arm_artillery_too)),
    ("7.1", "a Main Attack is named", Published("main_attack")),
    ("7.1", "Reserve of the Attacker", Test(battles::rule_7_1_reserves_are_silent_in_round_1)),
    ("7.1", "Reserve of the Defender", Test(battles::rule_t6_who_comes_to_a_battle_later_enters_in_round_2)),
    ("7.1", "the roles swap", Test(battles::rule_t20_the_roles_swap_when_the_defence_dies_in_round_1)),
    ("7.2", "an attempt", Published("announces")),
    ("7.2", "six results", Test(attempts::rule_7_2_the_column_of_the_table)),
    ("7.2", "modifiers", Test(attempts::rule_t8_cavalry_artillery_and_their_numbers_modify_the_die)),
    ("7.2", "both automatics", Test(attempts::rule_t9_cavalry_on_one_side_alone_needs_no_die)),
    ("7.2", "losses, Artillery alone", Test(attempts::rule_t10_cavalry_takes_the_losses_while_there_is_any)),
    (
        "7.2",
        "Cavalry alone fails",
        Test(attempts::rule_t11_the_attackers_infantry_waits_when_cavalry_alone_fails_to_withdraw),
    ),
    ("7.4", "a choice between equals", Test(battles::rule_7_4_hits_fall_on_the_strongest_at_that_moment)),
    (
        "7.41",
        "targets, hits that are lost",
        Test(battles::rule_7_41_artillery_declares_and_hits_beyond_the_class_are_lost),
    ),
    ("7.42", "no spill", Test(battles::rule_7_42_cavalry_hits_do_not_spill_over)),
    ("7.44", "spill", Test(battles::rule_t15_hits_of_infantry_go_on_to_cavalry)),
    ("7.5", "withdrawn", Test(attempts::rule_7_2_a_withdrawal_that_succeeds_at_a_price)),
    ("7.5", "wiped out, and the third Round", Test(battles::rule_7_3_three_rounds_the_defender_first)),
    ("7.5", "equals and fewer", Test(battles::rule_7_5_fewer_blocks_lose_and_of_equals_the_attacker)),
    (
        "7.5",
        "the Loser's Artillery",
        Test(battles::rule_t29_the_losers_artillery_dies_without_infantry_or_cavalry),
    ),
    ("7.6", "a Retreat", Published("retreats")),
    ("7.6", "nowhere to go", Test(retreats::rule_7_6_who_cannot_retreat_is_lost)),
    ("7.6", "into the City", Test(retreats::rule_v2_the_defender_shelters_in_his_city)),
    ("7.6", "a full border", Test(retreats::rule_v3_no_more_cross_a_border_than_its_limit)),
    ("7.6", "a closed border", Test(retreats::rule_v4_no_way_out_where_the_enemy_came_in_last)),
    (
        "7.62",
        "home or to a chaperone",
        Test(retreats::rule_7_62_regional_blocks_retreat_home_or_to_a_chaperone),
    ),
    ("7.7", "a Regroup", Published("regroups")),
    ("7.71", "with a chaperone", Test(retreats::rule_7_71_regional_blocks_regroup_abroad_with_a_chaperone)),
    (
        "7.82",
        "stranded after a Battle",
        Test(retreats::rule_7_82_regional_blocks_without_a_chaperone_are_stranded),
    ),
    ("7.82", "stranded after a Siege", Test(supply::rule_7_82_a_leader_who_starves_leaves_stranded_blocks)),
    ("7.91", "halves at the end", Test(tactics::rule_7_91_advantageous_terrain_rounds_halves_down)),
    ("7.91", "Reserves have no part", Test(tactics::rule_t24_reserves_have_no_part_in_the_terrain)),
    ("7.92", "a Last Stand", Test(tactics::rule_7_92_a_determined_last_stand_takes_two_hits_a_strength)),
    ("7.93", "hit, miss, declined", Test(tactics::rule_7_93_a_mine_makes_a_breach_with_four_or_more)),
    ("7.95", "less effectiveness", Test(tactics::rule_7_95_all_cavalry_has_one_less)),
    ("7.97", "a gun in Rounds 2 and 3", Test(tactics::rule_7_97_one_gun_fires_on_in_rounds_2_and_3)),
    ("8.01", "rise, fall, a new 0", Test(sieges::rule_8_01_the_marker_follows_the_number_of_besiegers)),
    ("8.1", "maintained and lost", Test(sieges::rule_8_1_a_relief_that_wins_ends_the_siege)),
    ("8.1", "maintained and won", Test(sieges::rule_8_1_a_siege_is_maintained_with_as_many_as_the_size)),
    ("8.1", "broken off above 0 and at 0", Test(sieges::rule_g6_breaking_off_lowers_the_marker_for_now)),
    ("8.1", "joined, and not", Test(sieges::rule_g8_the_besieged_join_as_reserves)),
    ("8.2", "a sally", Published("sally")),
    ("8.2", "with a marker", Test(sieges::rule_8_2_a_sally_against_a_marker)),
    ("8.2", "without one", Test(sieges::rule_8_2_without_a_marker_a_sally_is_a_battle)),
    ("8.2", "guns of the City", Test(sieges::rule_g12_guns_of_the_city_fire_at_backs)),
    ("8.2", "overrun", Test(sieges::rule_g13a_guns_are_overrun_where_nobody_guards_them)),
    ("8.3", "a Storming", Published("storms")),
    ("8.3", "twice the Size, Hull", Test(storms::rule_g17_how_many_blocks_storm)),
    ("8.3", "a breach by bombardment", Test(storms::rule_g16_artillery_breaches_the_walls)),
    ("8.3", "exchange", Test(storms::rule_g17a_others_take_their_place_in_the_next_round)),
    ("8.3", "stop", Test(sieges::rule_g24_the_attacker_goes_on_or_stops_after_each_round)),
    (
        "8.3",
        "Artillery alone in the City",
        Test(storms::rule_g22_the_city_falls_with_its_last_infantry_or_cavalry),
    ),
    ("8.31", "half-hits", Test(storms::rule_8_31_a_storming_without_a_breach)),
    ("8.31", "recovered", Test(storms::rule_8_31_half_hits_are_recovered_at_the_end)),
    ("9.11", "each base and bonus", Test(supply::rule_9_11_what_areas_and_cities_supply)),
    ("9.12", "the rulebook's example", Test(supply::rule_9_12_a_horse_too_many_goes_short)),
    ("9.12", "the Quartermaster General", Test(supply::rule_h5_the_quartermaster_general_supplies_two)),
    ("9.21", "every cell, with horse and Port", Test(supply::rule_9_21_every_cell_of_the_table)),
    ("9.22", "adjacent", Test(supply::rule_9_22_attrition_and_surrender)),
    ("9.22", "far", Test(supply::rule_9_22_far_from_friends_each_loses_one_and_goes_to_the_nearest)),
    ("9.22", "Regional, and none", Test(supply::rule_h11_regional_blocks_go_home_or_are_lost)),
    ("9.22", "in a match", Published("surrenders")),
    ("9.3", "markers rise", Test(supply::rule_9_3_markers_rise_to_five)),
    (
        "10.0",
        "both Majors, both Minors, Winter",
        Test(turns::rule_10_0_three_points_win_and_after_winter_less_does),
    ),
    ("10.0", "nobody in 1642", Test(turns::rule_a10_nobody_wins_in_1642)),
    ("10.0", "a Major Victory in a match", Published("ending major_victory")),
    ("10.0", "a Minor Victory in a match", Published("ending minor_victory")),
    ("11.2", "the rulebook's examples", Test(year::rule_11_2_points_by_region)),
    ("11.22", "London", Test(year::rule_11_22_londons_two_points_arm_its_neighbourhood)),
    ("11.3", "who returns", Test(year::rule_11_3_regional_blocks_and_leaders_return_home)),
    ("11.3", "no room, London's blocks", Test(year::rule_11_3_londons_blocks_and_who_finds_no_room)),
];

/// Every code of an event that the rules publish.
const CODES: &[&str] = &[
    "dealt",
    "picked",
    "committed",
    "discarded",
    "shown",
    "player_1",
    "event_used",
    "declines",
    "fever",
    "loses",
    "deserts",
    "leaves",
    "returns",
    "retreats",
    "marches_out",
    "picked_block",
    "operations",
    "group_move",
    "muster",
    "enters",
    "stops",
    "musters",
    "action_over",
    "acted",
    "withdraws",
    "withdrawal_over",
    "raises",
    "deploys",
    "tactical_phase",
    "tactic",
    "battle",
    "breaks_off",
    "maintains",
    "held",
    "holds_back",
    "main_attack",
    "announces",
    "withdrawal",
    "no_withdrawal",
    "sure_withdrawal",
    "sure_failure",
    "stands",
    "nobody_to_lose",
    "has_withdrawn",
    "must_fight",
    "joins",
    "joined",
    "round",
    "last_stand",
    "well_placed",
    "passes",
    "at_horse",
    "at_foot",
    "rolled",
    "hit",
    "half_hit",
    "rounded_down",
    "rounded_up",
    "overrun",
    "city_taken",
    "city_lost",
    "points",
    "stranded",
    "guns_lost",
    "surrender_loss",
    "round_over",
    "battle_ends",
    "fight_ends",
    "retreat_over",
    "regroup_goal",
    "regroups",
    "no_regroup",
    "fight_over",
    "siege_combat",
    "fires",
    "target",
    "bombards",
    "guns_rest",
    "sallies",
    "sally",
    "drawn",
    "mines",
    "no_mining",
    "bombardment",
    "no_bombardment",
    "breach",
    "no_breach",
    "storms",
    "goes_on",
    "halts",
    "supply_phase",
    "supply",
    "supplies",
    "siege_die",
    "surrenders",
    "marched_out",
    "emptied",
    "holds_on",
    "sieges_progress",
    "turn_begins",
    "year_end",
    "recruits",
    "recruited",
    "at_home",
    "decks",
];

/// Returns the events published in matches between bots: code and references, with the number of times.
fn met() -> BTreeMap<String, u32> {
    let mut met = BTreeMap::new();
    let game = game();
    for seed in 0..24u64 {
        let setup = Setup::default_of(game.catalogue());
        let mut table = Table::open(game.clone(), setup, ChanceSource::playout(seed));
        let mut bots: Vec<Box<dyn Bot>> = [0u8, 1]
            .map(|seat| {
                let house = if seed % 3 == u64::from(seat) { random() } else { captain() };
                (house.make)(&game, Seat::new(seat), seed)
            })
            .into();
        while table.node() != Node::Over {
            let seat = table.node().to_act().iter().next().expect("somebody is to act");
            let action = bots[seat.index()].choose(&table.view(Observer::Seat(seat)), &table.legal(seat));
            table.apply(seat, &[action], ApplyMode::Atomic).expect("a legal action");
        }
        for seat in [0, 1].map(Seat::new) {
            for seen in table.published(Observer::Seat(seat), 0) {
                let refs: Vec<String> =
                    seen.form.refs.iter().map(|&what| game.catalogue().id_of(what)).collect();
                *met.entry(format!("{} {}", seen.code, refs.join(" "))).or_default() += 1;
            }
        }
        let over = table.result().expect("the match is over");
        *met.entry(format!("ending {}", over.code)).or_default() += 1;
    }
    met
}

#[test]
fn everything_on_the_checklist_comes_up() {
    let met = met();
    let count = |fact: &str| -> u32 {
        let of = |met_fact: &str| {
            met_fact == fact || met_fact.strip_prefix(fact).is_some_and(|rest| rest.starts_with(' '))
        };
        met.iter().filter(|(met_fact, _)| of(met_fact)).map(|(_, times)| times).sum()
    };
    let mut missing = Vec::new();
    println!("{:<7}{:<50}met", "rule", "what");
    for (rule, what, by) in ITEMS {
        let times = match by {
            Published(fact) => count(fact).to_string(),
            Test(body) => {
                body();
                "by test".to_owned()
            }
        };
        println!("{rule:<7}{what:<50}{times}");
        if times == "0" {
            missing.push(format!("{rule} {what}"));
        }
    }
    assert!(missing.is_empty(), "never met: {missing:?}");
}

/// Every event is published, in matches or by the tests of the checklist, and none that isn't in the table.
#[test]
fn every_event_is_published() {
    let met = met();
    for (.., by) in ITEMS {
        if let Test(body) = by {
            body();
        }
    }
    let by_tests = published_here();
    let mut missing = Vec::new();
    println!("{:<18}{:>8}{:>8}", "event", "matches", "tests");
    for &code in CODES {
        let of = |fact: &str| fact.split(' ').next() == Some(code);
        let times: u32 = met.iter().filter(|(fact, _)| of(fact)).map(|(_, times)| times).sum();
        let tests = by_tests.get(code).copied().unwrap_or(0);
        println!("{code:<18}{times:>8}{tests:>8}");
        if times + tests == 0 {
            missing.push(code);
        }
    }
    assert!(missing.is_empty(), "never published: {missing:?}");
    let known = |code: &&str| CODES.contains(code) || ["prompt", "undo", "ending"].contains(code);
    let published = met.keys().filter_map(|fact| fact.split(' ').next()).chain(by_tests.keys().copied());
    let unknown: Vec<&str> = published.filter(|code| !known(code)).collect();
    assert!(unknown.is_empty(), "not in the table: {unknown:?}");
}
