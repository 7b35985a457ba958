//! Single rulings of English Civil War IIa on the game's board, each with its code, cause and rule; retreats,
//! removals, and what the constructors refuse.

use super::land::{Land, Told, leaders, side};
use edgehill_engine::games::english_civil_war_iia::adjudicator::*;

/// Adjudicates a month of lines.
fn month(units: [&[&str]; 2], lines: &[&str]) -> (Land, Orders, Adjudication) {
    let land = Land::new();
    let position = land.position(units);
    let orders = land.orders(&position, lines.iter().copied());
    let adjudication = land.month(Rules::default()).adjudicate(&orders);
    (land, orders, adjudication)
}

/// Adjudicates a month and compares the results of some lines: code, cause, rule, and for a bounce by strength, the
/// strengths.
#[track_caller]
fn check(units: [&[&str]; 2], lines: &[&str], expected: &[(&str, &str)]) -> Adjudication {
    let (land, orders, adjudication) = month(units, lines);
    for (line, wanted) in expected {
        let super::land::Line { space, leaders, told, .. } = land.line(line);
        let is_it = |part: &Part| {
            part.space == space && Told::Order(part.order) == told && part.leaders.contains_all(leaders)
        };
        let index = orders.parts().iter().position(is_it).unwrap_or_else(|| panic!("no part {line}"));
        let result = adjudication.results[index];
        let mut words = vec![result.to_string()];
        words.extend(result.outcome.cause().map(str::to_string));
        words.push(result.outcome.rule().to_string());
        if let Outcome::Bounced { attack, against, .. } = result.outcome
            && against > 0
        {
            words.push(format!("{attack}:{against}"));
        }
        assert_eq!(words.join(" "), *wanted, "{line}");
    }
    adjudication
}

#[test]
fn own_armies_do_not_exchange_places() {
    check(
        [&["A OXF", "A BRK", "A GLO"], &[]],
        &["A OXF MERGE BRK", "A GLO MERGE BRK", "A BRK-OXF"],
        &[
            ("A OXF MERGE BRK", "bounced own_unit M29"),
            ("A GLO MERGE BRK", "bounced own_unit M29"),
            ("A BRK-OXF", "bounced own_unit M12"),
        ],
    );
    check(
        [&["L Charles OXF", "A BRK"], &[]],
        &["L Charles OXF-BRK", "A BRK-OXF"],
        &[("L Charles OXF-BRK", "moved r0"), ("A BRK-OXF", "moved r0")],
    );
}

#[test]
fn moves_join_own_units_or_are_stopped_by_them() {
    check([&["A OXF", "L Rupert BRK"], &[]], &["L Rupert BRK-OXF"], &[("L Rupert BRK-OXF", "joined L7")]);
    check([&["A OXF", "L Rupert BRK"], &[]], &["A OXF-BRK"], &[("A OXF-BRK", "joined L13")]);
    check([&["A OXF", "A BRK"], &[]], &["A OXF-BRK"], &[("A OXF-BRK", "bounced own_unit M12")]);
    check([&["A OXF", "A BRK"], &[]], &["A OXF MERGE BRK"], &[("A OXF MERGE BRK", "merged M4")]);
}

#[test]
fn own_moves_to_one_space_stand_each_other_off() {
    let adjudication = check(
        [&["2A OXF", "A BRK"], &["A LON"]],
        &["2A OXF-BUC", "A BRK-BUC", "A LON-BUC"],
        &[
            ("2A OXF-BUC", "moved r0"),
            ("A BRK-BUC", "bounced standoff M5 1:2"),
            ("A LON-BUC", "bounced standoff r0 1:2"),
        ],
    );
    assert!(adjudication.standoffs.is_empty());
}

#[test]
fn three_leaders_are_too_many_by_order_and_by_outcome() {
    check(
        [&["2A+Charles+Rupert OXF", "A+Hopton BRK"], &[]],
        &["A+Hopton BRK MERGE OXF"],
        &[("A+Hopton BRK MERGE OXF", "void three_leaders L16")],
    );
    check(
        [&["2A+Charles+Rupert OXF", "A+Hopton BRK"], &["5A BUC"]],
        &["A+Charles+Rupert OXF-BUC", "A+Hopton BRK MERGE OXF"],
        &[
            ("A+Charles+Rupert OXF-BUC", "bounced strength M10 3:5"),
            ("A+Hopton BRK MERGE OXF", "bounced limit L17"),
        ],
    );
    check(
        [&["A+Charles OXF", "L Rupert BRK", "L Hopton BUC"], &[]],
        &["L Rupert BRK-OXF", "L Hopton BUC-OXF"],
        &[("L Rupert BRK-OXF", "bounced limit L17"), ("L Hopton BUC-OXF", "bounced limit L17")],
    );
}

#[test]
fn strength_0_gives_way() {
    let rupert = "L Rupert BRK-WIL";
    check([&["L Rupert BRK"], &[]], &[rupert], &[(rupert, "moved r0")]);
    check(
        [&["L Rupert BRK"], &["A HAM"]],
        &[rupert, "A HAM-WIL"],
        &[(rupert, "bounced contested L19"), ("A HAM-WIL", "moved r0")],
    );
    check(
        [&["L Rupert BRK", "A GLO"], &[]],
        &[rupert, "A GLO-WIL"],
        &[(rupert, "bounced contested L19"), ("A GLO-WIL", "moved r0")],
    );
    check(
        [&["L Rupert BRK"], &["L Essex WIL"]],
        &[rupert, "L Essex WIL-BRK"],
        &[(rupert, "bounced contested L19"), ("L Essex WIL-BRK", "bounced contested L19")],
    );
    check(
        [&["L Rupert BRK"], &["A HAM"]],
        &["L Rupert BRK-HAM", "A HAM-BRK"],
        &[("L Rupert BRK-HAM", "bounced, dislodged contested L19"), ("A HAM-BRK", "moved r0")],
    );
    check(
        [&["L Rupert BRK"], &["A HAM"]],
        &["L Rupert BRK S HAM"],
        &[("L Rupert BRK S HAM", "void illegal r0")],
    );
}

#[test]
fn supports_make_a_hold_of_strength_0() {
    check(
        [&["L Rupert BRK", "A OXF"], &["A HAM"]],
        &["A OXF S BRK", "A HAM-BRK"],
        &[("A OXF S BRK", "given M7"), ("A HAM-BRK", "bounced strength M10 1:1")],
    );
}

#[test]
fn two_leaders_alone_count_two_in_their_own_ground() {
    check(
        [&["L Charles+Rupert OXF"], &["A BUC"]],
        &["L Charles+Rupert OXF-BUC"],
        &[("L Charles+Rupert OXF-BUC", "moved r0")],
    );
    check(
        [&["L Charles+Rupert OXF"], &["A BUC"]],
        &["L Charles OXF-BUC", "L Rupert OXF S OXF-BUC"],
        &[
            ("L Charles OXF-BUC", "moved r0"),
            ("L Rupert OXF S OXF-BUC", "given M7"),
            ("A BUC H", "dislodged r0"),
        ],
    );
}

#[test]
fn control_decides_what_a_leader_counts_alone() {
    let mut land = Land::new();
    assert_eq!(land.position([&["L Charles OXF"], &[]]).strong_alone(), leaders("Charles"));
    land.rate(&serde_json::json!({ "OXF": 0 }));
    let position = land.position([&["L Charles OXF"], &["A BUC"]]);
    assert_eq!(position.strong_alone(), LeaderSet::EMPTY);
    let orders = land.orders(&position, ["A BUC-OXF"]);
    assert_eq!(orders.parts().iter().map(|part| part.strength).collect::<Vec<_>>(), [1, 0]);
    assert_eq!(land.month(Rules::default()).adjudicate(&orders).dislodged.len(), 1);
}

#[test]
fn groups_that_come_the_other_way_are_met_with_all_that_stays() {
    check(
        [&["2A OXF"], &["2A BUC"]],
        &["2A OXF-BUC", "A BUC-OXF"],
        &[("2A OXF-BUC", "bounced head_to_head M11 2:2"), ("A BUC-OXF", "bounced head_to_head M11 1:2")],
    );
}

#[test]
fn a_merge_beaten_head_to_head_stops_nobody() {
    check(
        [&["3A OXF", "A GLO"], &["A WAR", "A BUC"]],
        &["3A OXF-BUC", "A GLO-OXF", "A WAR MERGE OXF", "A BUC MERGE OXF"],
        &[
            ("3A OXF-BUC", "moved r0"),
            ("A GLO-OXF", "moved r0"),
            ("A WAR MERGE OXF", "bounced head_to_head M11 2:3"),
            ("A BUC MERGE OXF", "bounced, dislodged head_to_head M11 2:3"),
        ],
    );
}

#[test]
fn void_orders_hold_and_can_be_supported() {
    check(
        [&["A OXF", "A BRK"], &["A BUC", "A LON"]],
        &["A OXF-BUC", "A BRK S OXF-BUC", "A BUC MERGE SRY", "A LON S BUC"],
        &[
            ("A BUC MERGE SRY", "void merge_of_one M19"),
            ("A LON S BUC", "given M7"),
            ("A OXF-BUC", "bounced strength M10 2:2"),
        ],
    );
    check(
        [&["A OXF"], &["A BUC", "A LON"]],
        &["A BUC-HRT", "A LON S BUC", "A OXF-LON"],
        &[("A LON S BUC", "void unmatched M20"), ("A OXF-LON", "void illegal r0")],
    );
}

#[test]
fn merges_are_judged_on_the_orders_as_written() {
    // The army in OXF was told to go, so nothing stays there for BRK to merge with; each is a merge of one.
    check(
        [&["A BRK", "A OXF"], &[]],
        &["A BRK MERGE OXF", "A OXF MERGE WAR"],
        &[("A BRK MERGE OXF", "void merge_of_one M19"), ("A OXF MERGE WAR", "void merge_of_one M19")],
    );
    check(
        [&["A BRK", "A OXF"], &[]],
        &["A BRK MERGE OXF", "A OXF MERGE BRK"],
        &[("A BRK MERGE OXF", "void merge_of_one M19"), ("A OXF MERGE BRK", "void merge_of_one M19")],
    );
}

#[test]
fn attacks_cut_by_strength_largest_first_and_not_where_they_are_aimed_at() {
    let units =
        |attackers: &'static str| [vec!["3A OXF", "A BRK", "A GLO"], vec![attackers, "A BUC", "A WAR"]];
    let lines = ["2A OXF S BRK-BUC", "A OXF S GLO-WAR", "A BRK-BUC", "A GLO-WAR"];
    let [royal, parliament] = units("2A NHP");
    check(
        [&royal, &parliament],
        &[&lines[..], &["2A NHP-OXF"]].concat(),
        &[(lines[0], "cut M6"), (lines[1], "given M7")],
    );
    let [royal, parliament] = units("3A NHP");
    check(
        [&royal, &parliament],
        &[&lines[..], &["3A NHP-OXF"]].concat(),
        &[(lines[0], "cut M6"), (lines[1], "cut M6")],
    );
    check(
        [&["A OXF"], &["2A BUC"]],
        &["A OXF S BUC", "A BUC-OXF"],
        &[("A OXF S BUC", "given M7"), ("A BUC-OXF", "bounced strength M10 1:1")],
    );
}

#[test]
fn a_support_helps_all_that_are_ordered_so() {
    check(
        [&["2A OXF", "A BRK", "A NHP"], &[]],
        &["A OXF-BUC", "A OXF MERGE BUC", "A BRK MERGE BUC", "A NHP S OXF-BUC"],
        &[
            ("A OXF-BUC", "bounced standoff M5 2:3"),
            ("A OXF MERGE BUC", "merged M4"),
            ("A NHP S OXF-BUC", "given M7"),
        ],
    );
    check(
        [&[], &["A BUC", "A LON"]],
        &["A BUC MERGE SRY", "A LON S BUC-SRY"],
        &[("A BUC MERGE SRY", "void merge_of_one M19"), ("A LON S BUC-SRY", "void unmatched M20")],
    );
}

#[test]
fn a_leader_of_strength_0_who_merges_has_the_strength_of_the_pool() {
    check(
        [&["A BRK", "L Rupert WIL"], &["A HAM"]],
        &["L Rupert WIL MERGE BRK", "A HAM-BRK"],
        &[("L Rupert WIL MERGE BRK", "bounced standoff r0 1:1"), ("A HAM-BRK", "bounced strength M10 1:1")],
    );
    check(
        [&["A BRK", "L Rupert WIL", "A OXF"], &["A HAM"]],
        &["L Rupert WIL MERGE BRK", "A OXF S BRK", "A HAM-BRK"],
        &[("L Rupert WIL MERGE BRK", "merged M4"), ("A HAM-BRK", "bounced strength M10 1:2")],
    );
}

#[test]
fn leaders_of_strength_0_count_together_wherever_they_are_stopped() {
    check(
        [&["L Rupert+Hopton BRK", "L Newcastle WIL"], &["A GLO"]],
        &["L Rupert+Hopton BRK-GLO", "L Newcastle WIL-GLO", "A GLO-BRK"],
        &[
            ("L Rupert+Hopton BRK-GLO", "bounced, dislodged limit L17"),
            ("L Newcastle WIL-GLO", "bounced limit L17"),
            ("A GLO-BRK", "moved r0"),
        ],
    );
}

#[test]
fn a_knot_of_moves_fails() {
    // If the army leaves OXF, the two that stay are dislodged and their support is lost; if not, all three hold.
    check(
        [&["3A OXF"], &["A BRK", "A BUC", "2A WAR"]],
        &["A OXF-BRK", "2A OXF S OXF-BRK", "A BUC-OXF", "2A WAR S BUC-OXF"],
        &[
            ("A OXF-BRK", "bounced knot M30"),
            ("2A OXF S OXF-BRK", "cut to 1 of 2 M6"),
            ("A BUC-OXF", "bounced strength M10 3:3"),
            ("A BRK H", "held r0"),
        ],
    );
}

/// The retreats of the stacks that three armies each dislodge in OXF and BRK.
fn retreats_from_oxford_and_berkshire(orders: &[&str]) -> Vec<String> {
    let (land, _, adjudication) = month(
        [&["2A+Charles OXF", "A+Rupert+Hopton BRK"], &["5A WAR", "4A HAM"]],
        &["5A WAR-OXF", "4A HAM-BRK"],
    );
    let orders: Vec<RetreatOrder> = orders
        .iter()
        .map(|line| match land.line(line) {
            super::land::Line { space, armies, leaders, told: Told::Retreat(to) } => {
                RetreatOrder { space, armies, leaders, to }
            }
            _ => panic!("no retreat: {line}"),
        })
        .collect();
    let retreats =
        resolve_retreats(&adjudication, &orders, Rules::default()).expect("the units are dislodged");
    let words = |part: &RetreatPart| {
        let capture = part
            .capture
            .map_or(String::new(), |capture| format!(" {} {}", capture.code(), part.captured.len()));
        format!("{}{capture} {}", part.outcome.code(), part.outcome.rule())
    };
    retreats.parts.iter().map(words).collect()
}

#[test]
fn retreats_join_divide_and_lose() {
    let retreats = retreats_from_oxford_and_berkshire;
    assert_eq!(
        retreats(&["2A+Charles OXF R BUC", "A+Rupert+Hopton BRK R BUC"]),
        ["retreated M14", "retreated third 1 M14"]
    );
    assert_eq!(
        retreats(&["A OXF R BUC", "A+Charles OXF R NHP", "A BRK D", "L Rupert+Hopton BRK R WIL"]),
        ["retreated M14", "retreated M14", "disbanded M27", "retreated M14"]
    );
    // HAM is where the attack came from, BUC the enemy's, and of what has no order nothing is left.
    assert_eq!(
        retreats(&["A OXF R WAR", "A BRK R HAM", "L Rupert BRK R BUC"]),
        [
            "disbanded M27",
            "disbanded no_retreat 1 M27",
            "disbanded M27",
            "captured no_retreat 1 L9",
            "captured no_retreat 1 L9"
        ]
    );
    // Equal orders of one space add up: the leader goes with the army.
    assert_eq!(
        retreats(&["A BRK R BUC", "L Rupert BRK R BUC", "L Hopton BRK R BUC"]),
        ["disbanded no_retreat 1 M27", "retreated M14"]
    );
}

#[test]
fn retreat_orders_name_dislodged_units() {
    let (land, _, adjudication) = month([&["2A OXF"], &["5A WAR"]], &["5A WAR-OXF"]);
    let order = |space: &str, armies| RetreatOrder {
        space: land.space(space),
        armies,
        leaders: LeaderSet::EMPTY,
        to: None,
    };
    let resolve =
        |orders: &[RetreatOrder]| resolve_retreats(&adjudication, orders, Rules::default()).map(|_| ());
    assert_eq!(resolve(&[order("OXF", 2)]), Ok(()));
    assert_eq!(resolve(&[order("OXF", 3)]), Err(RetreatError::UnitsMissing(land.space("OXF"))));
    assert_eq!(resolve(&[order("OXF", 0)]), Err(RetreatError::NoUnits(land.space("OXF"))));
    assert_eq!(resolve(&[order("WAR", 1)]), Err(RetreatError::UnitsMissing(land.space("WAR"))));
}

#[test]
fn nobody_retreats_onto_others_whatever_list_is_given() {
    let (land, _, mut adjudication) = month([&["A OXF"], &["2A WAR", "A BUC"]], &["2A WAR-OXF"]);
    let to = land.space("BUC");
    adjudication.dislodged[0].retreats.insert(to);
    let order = RetreatOrder { space: land.space("OXF"), armies: 1, leaders: LeaderSet::EMPTY, to: Some(to) };
    let retreats =
        resolve_retreats(&adjudication, &[order], Rules::default()).expect("the army is dislodged");
    assert_eq!(retreats.parts[0].outcome, RetreatOutcome::Disbanded);
    assert_eq!(retreats.after, adjudication.after);
}

#[test]
fn removals_by_default_go_by_distance_then_name() {
    // Cumberland and Durham are both four spaces from Norfolk, and Cumberland comes first by name.
    let land = Land::new();
    let position = land.position([&[], &["2A CUM", "A DUR", "A KEN"]]);
    let centres = ["NFK", "KEN"].map(|id| land.space(id)).into_iter().collect();
    let rank: Vec<u8> = (0..44).map(|index| if index == land.space("CUM").index() { 0 } else { 1 }).collect();
    let removed = |owed| {
        let mut removals = Removals::new(&position, side(1), owed);
        let removed = removals.by_default(&land.board, centres, &rank);
        (
            removed
                .iter()
                .map(|(at, armies)| (land.names(SpaceSet::single(*at))[0].to_string(), *armies))
                .collect::<Vec<_>>(),
            removals.owed(),
        )
    };
    let of = |spaces: &[(&str, u8)]| {
        spaces.iter().map(|(id, armies)| (id.to_string(), *armies)).collect::<Vec<_>>()
    };
    assert_eq!(removed(1), (of(&[("CUM", 1)]), 0));
    assert_eq!(removed(3), (of(&[("CUM", 2), ("DUR", 1)]), 0));
    assert_eq!(removed(9), (of(&[("CUM", 2), ("DUR", 1), ("KEN", 1)]), 5));
}

#[test]
fn constructors_refuse_what_can_not_be() {
    let [here, there] = [0, 1].map(|index| Space::new(index).expect("a space"));
    assert_eq!(Space::new(80), None);
    assert_eq!(Board::new(81, []), Err(BoardError::TooManySpaces));
    assert_eq!(Board::new(1, [(here, there)]), Err(BoardError::UnknownSpace(there)));
    assert_eq!(Board::new(2, [(here, here)]), Err(BoardError::Loop(here)));

    let mut position = Position::default();
    assert_eq!(position.place(here, side(0), 0, LeaderSet::EMPTY), Err(PlaceError::NoUnits));
    assert_eq!(
        position.place(here, side(0), 1, leaders("Charles+Rupert+Hopton")),
        Err(PlaceError::TooManyLeaders)
    );
    assert_eq!(position.place(here, side(0), 200, leaders("Charles")), Ok(()));
    assert_eq!(position.place(here, side(0), 1, LeaderSet::EMPTY), Err(PlaceError::Occupied));
    assert_eq!(position.place(there, side(0), 1, leaders("Charles")), Err(PlaceError::LeaderPlaced));
    assert_eq!(position.place(there, side(0), 56, LeaderSet::EMPTY), Err(PlaceError::TooManyArmies));

    let mut sheet = OrderSheet::new(&position);
    assert_eq!(sheet.give(here, 0, LeaderSet::EMPTY, Order::Hold), Err(OrderError::NoUnits(here)));
    assert_eq!(sheet.give(there, 1, LeaderSet::EMPTY, Order::Hold), Err(OrderError::UnitsMissing(there)));
    assert_eq!(
        sheet.give(here, 201, LeaderSet::EMPTY, Order::Move(there)),
        Err(OrderError::UnitsMissing(here))
    );
    assert_eq!(sheet.give(here, 200, LeaderSet::EMPTY, Order::Move(there)), Ok(()));
    assert_eq!(
        sheet.give(here, 1, LeaderSet::EMPTY, Order::Move(there)),
        Err(OrderError::UnitsMissing(here))
    );
}

#[test]
fn the_fullest_sheet_is_adjudicated_and_a_fuller_one_refused() {
    let spaces: Vec<Space> = (0..MAX_SPACES as u8).filter_map(Space::new).collect();
    let pairs = spaces.iter().flat_map(|one| spaces.iter().map(|other| (*one, *other)));
    let board = Board::new(MAX_SPACES, pairs.filter(|(one, other)| one < other)).expect("all spaces touch");
    let mut position = Position::default();
    for (index, space) in spaces.iter().enumerate() {
        position.place(*space, side(index % 7), 3, LeaderSet::EMPTY).expect("240 armies fit");
    }
    let mut sheet = OrderSheet::new(&position);
    // 48 spaces send one army on and keep two, the others hold: 128 parts.
    for (index, space) in spaces.iter().take(48).enumerate() {
        let to = spaces[(index * 7 + 1) % MAX_SPACES];
        let order = if index % 3 == 0 { Order::SupportHold(to) } else { Order::Move(to) };
        sheet.give(*space, 1, LeaderSet::EMPTY, order).expect("there is room");
    }
    let orders = sheet.clone().finish().expect("128 parts fit");
    assert_eq!(orders.parts().len(), MAX_PARTS);
    let adjudication = Month::new(&board, Rules::default()).adjudicate(&orders);
    assert_eq!(adjudication.results.len(), MAX_PARTS);

    sheet.give(spaces[60], 1, LeaderSet::EMPTY, Order::Move(spaces[0])).expect("there is room yet");
    assert_eq!(sheet.finish(), Err(OrderError::TooManyParts));
}

#[test]
fn units_off_the_board_stay_where_they_are() {
    let board = Board::new(1, []).expect("one space is a board");
    let far = Space::new(79).expect("a space");
    let mut position = Position::default();
    position.place(far, side(0), 1, LeaderSet::EMPTY).expect("there is room");
    let mut sheet = OrderSheet::new(&position);
    sheet
        .give(far, 1, LeaderSet::EMPTY, Order::Move(Space::new(0).expect("a space")))
        .expect("the army is there");
    let orders = sheet.finish().expect("one part");
    let adjudication = Month::new(&board, Rules::default()).adjudicate(&orders);
    assert_eq!(adjudication.results[0].outcome, Outcome::Void(Void::Illegal));
    assert_eq!(adjudication.after, position);
}
