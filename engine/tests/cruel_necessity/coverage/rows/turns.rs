//! Activation, rewards of Deviltry, tracks.

use super::{Rows, shown};

pub(super) fn rows(rows: &mut Rows) {
    activation(rows);
    sieges(rows);
    tracks(rows);
    rewards(rows);
}

fn activation(rows: &mut Rows) {
    let group = "activation";
    rows.each(group, "{} recovers", "recovers {}", &["north", "west", "ireland"]);
    for (army, areas) in [
        ("north", &["chester", "york", "stafford", "nottingham", "london-under-siege"][..]),
        ("west", &["devon", "somerset", "sussex", "hampshire", "london-under-siege"]),
        ("scotland", &["perth", "lowlands", "borders", "northumberland"]),
        ("ireland", &["ulster", "leinster", "munster", "irish-troubles"]),
    ] {
        rows.each(group, &format!("{army} advances to {{}}"), &format!("advances {army} {{}}"), areas);
    }
    rows.facts(
        group,
        &[
            ("Clubmen in the own area, won", "royalists on clubmen here won"),
            ("Clubmen in the own area, lost", "royalists on clubmen here lost"),
            ("Clubmen behind, won", "royalists on clubmen behind won"),
            ("Clubmen behind, lost", "royalists on clubmen behind lost"),
            ("Clubmen of strength 1", "royalists on clubmen of strength 1"),
            ("Clubmen of strength 2", "royalists on clubmen of strength 2"),
            ("London Royalist, nothing behind (A10)", "idle north|idle west"),
            ("the push: North recovers", "scots_push  > recovers north"),
            ("the push: North besieges", "scots_push  > siege hull"),
            ("the push: North advances", "scots_push  > advances north"),
            ("Dublin goes up a click", "activates ireland > strengthened dublin"),
            ("Irish Troubles under Scotland", "irish_troubles scotland"),
            ("Irish Troubles under Parliament", "irish_troubles parliament"),
            ("Irish Troubles under Puritanism", "irish_troubles puritanism"),
            ("Irish Troubles, redirected", "irish_troubles scotland > redirected scotland"),
        ],
    );
    shown!(rows, "activation":
        "Scotland recovers" => activation::rule_6_2_2_a_disordered_army_recovers_instead,
        "recovers, then acts with x2" => activation::rule_a1_the_second_activation_acts_after_the_recovery,
        "the push: North on Clubmen, and each item" => activation::rule_a11_the_push_runs_through_the_norths_own_list,
        "several Clubmen" => activation::rule_a3_clubmen_in_the_own_area_come_first_then_the_nearest,
        "Clubmen ahead" => activation::rule_a4_clubmen_ahead_do_not_stop_an_army,
        "uprisings ignored" => activation::rule_a5_armies_ignore_uprisings_and_revolts,
        "Dublin of Parliament, Dublin full" => activation::rule_a12_dublin_comes_before_troubles_and_parliaments_dublin_before_both,
        "disorder of a Disordered Army, in 5" => activation::rule_a18_a_disordered_army_goes_back_but_not_out_of_its_area_5,
        "London before what is behind" => activation::rule_a9_before_london_london_comes_first,
    );
}

fn sieges(rows: &mut Rows) {
    let group = "royalist sieges";
    let forts = ["london", "hull", "bristol", "oxford", "edinburgh", "dublin"];
    rows.each(group, "siege of {}", "siege {}", &forts);
    rows.each(group, "{} falls", "{} taken from parliament-held", &forts);
    rows.facts(
        group,
        &[
            ("no success", "siege with 0 successes"),
            ("one success", "siege with 1 successes"),
            ("two successes", "siege with 2 successes"),
            ("falls by the first die", "falls by the first die"),
            ("falls by the second die", "falls by the second die"),
            ("London by one Army", "siege of london by 1"),
            ("London by two Armies", "siege of london by 2"),
            ("unrest at the last click costs Zeal", "siege_success london > zeal_lost"),
        ],
    );
    shown!(rows, "royalist sieges":
        "unrest, London Royalist: no roll; at Zeal 0" => activation::rule_a17_at_its_last_click_london_pays_with_zeal,
    );
}

fn tracks(rows: &mut Rows) {
    let group = "tracks";
    for flip in [
        "ireland top",
        "ireland bottom",
        "scotland top",
        "scotland bottom",
        "monarchy bottom",
        "parliament bottom",
        "catholicism top",
        "puritanism bottom",
    ] {
        rows.facts(
            group,
            &[
                (&format!("flip on, {flip}"), &format!("flip on {flip}")),
                (&format!("flip off, {flip}"), &format!("flip off {flip}")),
            ],
        );
    }
    for (above, below) in [("ireland", "scotland"), ("monarchy", "parliament"), ("catholicism", "puritanism")]
    {
        for way in ["up", "down"] {
            for (from, to) in [(above, below), (below, above)] {
                // No card of the built-in content orders Ireland up.
                if (way, from) == ("up", "ireland") {
                    continue;
                }
                let what = format!("off the edge {way}, {from} to {to} (T2)");
                rows.facts(group, &[(&what, &format!("off the edge {way} {from} {to}"))]);
            }
        }
    }
    rows.facts(
        group,
        &[
            ("one alone can move (T3)", "jammed, one can move"),
            ("several can move (T3)", "jammed, the player picks"),
            ("down into a taken middle box, monarchy (T4)", "middle ground down monarchy parliament"),
            ("down into a taken middle box, catholicism (T4)", "middle ground down catholicism puritanism"),
            ("up into a taken middle box, parliament (T4)", "middle ground up parliament monarchy"),
            ("up into a taken middle box, puritanism (T4)", "middle ground up puritanism catholicism"),
        ],
    );
    for grade in ["A", "B", "C", "D", "F"] {
        rows.each(
            group,
            &format!("{{}} reaction from {grade}"),
            &format!("{{}} reaction from {grade}"),
            &["political", "religious"],
        );
    }
    shown!(rows, "tracks":
        "off the edge up, ireland to scotland (T2)" => tracks::irelands_arrow_up_goes_to_scotland_at_its_top,
        "none can move: ignored (T3)" => tracks::an_arrow_without_any_marker_to_move_is_ignored,
        "before a taken middle box: not offered (T5)" => tracks::rule_t5_a_marker_before_a_taken_middle_box_is_not_offered,
        "two arrows, the second handed on (T1)" => tracks::rule_t1_two_arrows_are_two_movements,
    );
}

fn rewards(rows: &mut Rows) {
    let group = "rewards";
    let all = [
        "politics-parliament",
        "politics-puritanism",
        "politics-monarchy",
        "politics-catholicism",
        "siege",
        "next-turn-north",
        "next-turn-west",
        "triangle",
    ];
    for reward in all {
        let facts: Vec<String> = ["24", "29", "34", "39", "43", "46", "50", "56"]
            .iter()
            .map(|marker| format!("reward_found deviltry-{marker} {reward}"))
            .collect();
        rows.facts(group, &[(&format!("{reward} found"), &facts.join("|"))]);
    }
    rows.each(group, "{} used", "reward_used {}", &all[..7]);
    rows.facts(
        group,
        &[
            ("siege of Oxford", "action use siege oxford"),
            ("next turn North: ready", "north disordered by reward: ready"),
            ("next turn North: Disordered", "north disordered by reward: disordered"),
            ("Deviltry of strength 2", "deviltry of strength 2 won"),
            ("Deviltry of strength 3", "deviltry of strength 3 won"),
            ("drawn of two", "reward after 6 others"),
            ("drawn of one", "reward after 7 others"),
        ],
    );
    shown!(rows, "rewards":
        "siege of Bristol" => actions::rule_p23_free_rolls_wait_until_they_are_used,
        "next turn North: Disordered in 5" => activation::the_reward_finds_the_north_disordered_in_area_5,
        "next turn West: for that turn" => actions::rule_p25_rewards_of_the_next_turn_act_before_its_card,
    );
}
