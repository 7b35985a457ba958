//! The built-in content holds all that the rulebook, reports and the set-up fix: the checks of the research, one a test.

use std::collections::BTreeSet;

use edgehill_engine::content::Confidence;
use edgehill_engine::games::unhappy_king_charles::content::brigades::Faction;
use edgehill_engine::games::unhappy_king_charles::content::cards::{CardKind, Deck};
use edgehill_engine::games::unhappy_king_charles::content::ids::{AreaId, AreaSet, FaceSet, RegionId};
use edgehill_engine::games::unhappy_king_charles::content::leaders::Arrival;
use edgehill_engine::games::unhappy_king_charles::content::map::{AreaShape, LineKind};
use edgehill_engine::games::unhappy_king_charles::content::{AREAS, Content, PARLIAMENT, ROYALIST, SEATS};
use edgehill_engine::seat::Seat;

use crate::built_in::{area, areas, card, content, distance, general, line, reach};

const LAND: [LineKind; 2] = [LineKind::Road, LineKind::Mountain];

fn names(set: AreaSet) -> Vec<&'static str> {
    set.iter().map(|area| content().areas[area].named.name.as_str()).collect()
}

fn of_region(id: &str) -> RegionId {
    content().areas[area(id)].region
}

#[test]
fn counts_of_all_kinds() {
    let content = content();
    let counts = [
        content.areas.len(),
        content.lines.len(),
        content.fortresses.len(),
        content.infrastructures.len(),
        content.generals.len(),
        content.notables.len(),
        content.faces.len(),
        content.face_of.len(),
        content.cards.len(),
        content.turns.len(),
    ];
    assert_eq!(counts, [75, 149, 25, 9, 23, 9, 46, 68, 110, 11]);
}

#[test]
fn ids_come_once() {
    let content = content();
    let areas = content.areas.iter().map(|one| &one.named);
    let leaders =
        content.generals.iter().map(|one| &one.named).chain(content.notables.iter().map(|one| &one.named));
    let faces = content.faces.iter().map(|one| &one.named);
    let cards = content.cards.iter().map(|one| &one.named);
    let kinds: [Vec<_>; 4] = [areas.collect(), leaders.collect(), faces.collect(), cards.collect()];
    for kind in kinds {
        let ids: BTreeSet<&str> = kind.iter().map(|named| named.id.as_str()).collect();
        assert_eq!(ids.len(), kind.len());
    }
    let names: BTreeSet<&str> = content.areas.iter().map(|one| one.named.name.as_str()).collect();
    assert_eq!(names.len(), AREAS);
}

/// 17.3: Areas of each Region, and the majority of them.
#[test]
fn rule_2_1_regions_have_21_13_9_17_and_15_areas() {
    let numbers = content().regions.iter().map(|region| (region.areas.count(), region.majority));
    assert_eq!(numbers.collect::<Vec<_>>(), [(21, 11), (13, 7), (9, 5), (17, 9), (15, 8)]);
}

#[test]
fn each_region_is_one_piece() {
    for region in &content().regions {
        let first = AreaSet::one(region.areas.first().expect("a Region has Areas"));
        let all = AreaSet::first_of(AREAS);
        assert_eq!(reach(first, &LineKind::ALL, all - region.areas), region.areas, "{}", region.named.name);
    }
}

#[test]
fn the_map_is_one_piece_without_the_maritime_line_too() {
    let london = AreaSet::one(area("london"));
    for kinds in [&LineKind::ALL[..], &LAND[..]] {
        assert_eq!(reach(london, kinds, AreaSet::EMPTY).count(), 75);
    }
    assert!(content().distances.iter().flatten().all(|&lines| lines < 75));
}

#[test]
fn neighbours_and_distances_fit_the_lines() {
    let content = content();
    for (index, line) in content.lines.iter().enumerate() {
        let [from, to] = line.between;
        assert!(content.near[line.kind as usize][from].contains(to), "{}", line.id);
        assert!(content.near[line.kind as usize][to].contains(from), "{}", line.id);
        assert_eq!(content.distances[from][to], 1, "{}", line.id);
        assert_eq!(content.line_between(to, from).map(|line| line.index()), Some(index), "{}", line.id);
    }
    let ends: u32 = content.adjacent.iter().map(|near| near.count()).sum();
    assert_eq!(ends as usize, 2 * content.lines.len());
    assert_eq!(content.within(area("truro"), 1), areas(&["truro", "st-austell"]));
}

#[test]
fn rule_2_1_lines_are_130_roads_18_mountains_and_one_maritime_line() {
    let count = |kind| content().lines.iter().filter(|line| line.kind == kind).count();
    assert_eq!(LineKind::ALL.map(count), [130, 18, 1]);
}

#[test]
fn k01_one_maritime_line_from_hull_to_gainsborough() {
    assert_eq!(line("hull", "gainsborough"), Some(LineKind::Maritime));
}

#[test]
fn k02_k03_chains_of_infrastructures() {
    for (from, to) in [("salisbury", "newbury"), ("newbury", "reading"), ("northampton", "bedford")] {
        assert!(line(from, to).is_some(), "{from}, {to}");
    }
}

#[test]
fn k04_wakefield_and_its_distances() {
    assert!(line("york", "wakefield").is_some());
    assert!(distance("wakefield", "preston") <= 2);
    assert!(distance("wakefield", "shrewsbury") > 2);
}

#[test]
fn k05_one_area_touches_exeter_barnstaple_and_bath_by_land() {
    let by_land = |of: &str| {
        LAND.iter().fold(AreaSet::EMPTY, |all, &kind| all | content().near[kind as usize][area(of)])
    };
    assert_eq!(names(by_land("exeter") & by_land("barnstaple") & by_land("bath")), ["Taunton"]);
}

#[test]
fn k06_london_has_six_neighbours_and_k18_oxford_is_none_of_them() {
    assert_eq!(content().adjacent[area("london")].count(), 6);
    assert_eq!(line("london", "oxford"), None);
}

#[test]
fn k07_gloucester_raids_the_forest_of_dean() {
    assert!(distance("gloucester", "forest-of-dean") <= 2);
    assert_eq!(of_region("gloucester"), of_region("forest-of-dean"));
}

#[test]
fn k08_what_willoughby_can_and_cannot_raid() {
    for near in ["newark", "boston", "kings-lynn"] {
        assert!(distance("peterborough", near) <= 2, "{near}");
        assert_eq!(of_region(near), RegionId::EAST, "{near}");
    }
    assert!(distance("peterborough", "leicester") <= 2);
    assert_eq!((of_region("peterborough"), of_region("leicester")), (RegionId::EAST, RegionId::MIDLANDS));
}

#[test]
fn k09_the_cornish_group_can_be_walled_off() {
    assert!(line("truro", "st-austell").is_some() && line("st-austell", "barnstaple").is_some());
    let group = areas(&["truro", "st-austell", "barnstaple"]);
    let around = group.iter().fold(AreaSet::EMPTY, |all, one| all | content().adjacent[one]) - group;
    assert_eq!(reach(group, &LineKind::ALL, around), group);
}

#[test]
fn k10_to_k15_distances_of_reports() {
    assert!(distance("york", "hull") <= 2);
    assert!(movement_points("hull", "sheffield") <= 4);
    assert_eq!(line("thirsk", "kendal"), Some(LineKind::Mountain));
    assert!(line("harlech", "aberystwyth").is_some());
    assert_eq!(line("aberystwyth", "radnor"), Some(LineKind::Mountain));
    assert!(distance("pembroke", "aberystwyth") <= 2);
    assert!(content().within(area("preston"), 2).meets(content().regions[RegionId::NORTH].areas));
}

/// The least Movement Points between two Areas.
fn movement_points(from: &str, to: &str) -> u8 {
    let costs = content().numbers.movement.lines;
    let mut spent = [u8::MAX; AREAS];
    spent[area(from)] = 0;
    for _ in 0..AREAS {
        for line in &content().lines {
            for [a, b] in [line.between, [line.between[1], line.between[0]]] {
                spent[b] = spent[b].min(spent[a].saturating_add(costs[line.kind as usize]));
            }
        }
    }
    spent[area(to)]
}

#[test]
fn k16_london_alone_supplies_east_and_south_east() {
    let supplies = content().fortresses.iter().filter(|fortress| fortress.supplies);
    let supplies: AreaSet = supplies.map(|fortress| fortress.area).collect();
    assert_eq!(names(supplies & content().regions[RegionId::EAST].areas), ["London"]);
    assert!(!supplies.meets(areas(&["dover", "portsmouth"])));
}

#[test]
fn k17_k19_st_austell_is_far_from_london_and_pembroke_has_few_neighbours() {
    assert!(distance("london", "st-austell") >= content().numbers.optional.lostwithiel);
    assert_eq!(content().adjacent[area("pembroke")].count(), 2);
}

/// Dead ends, at which an Army that is attacked cannot Retreat.
#[test]
fn three_areas_have_one_line() {
    let ends = (0..AREAS).map(AreaId::new).filter(|&one| content().adjacent[one].count() == 1);
    assert_eq!(names(ends.collect()), ["Truro", "Dover", "Berwick"]);
}

/// 14.4: class and Surrender Value.
#[test]
fn rule_2_1_sixteen_fortresses_of_three_classes() {
    let lists: [&[&str]; 3] = [
        &["shrewsbury", "reading", "chester", "nottingham", "worcester", "scarborough"],
        &["newcastle", "oxford", "bristol", "carlisle"],
        &["york", "hull", "london", "plymouth", "dover", "portsmouth"],
    ];
    assert_eq!(content().fortified, lists.iter().fold(AreaSet::EMPTY, |all, list| all | areas(list)));
    for ((list, class), surrender) in lists.into_iter().zip(1..).zip([4, 7, 11]) {
        for id in list {
            let fortress = content().areas[area(id)].fortress.expect("a Fortress");
            let fortress = &content().fortresses[fortress];
            assert_eq!(
                (fortress.area, fortress.class, fortress.surrender),
                (area(id), class, surrender),
                "{id}"
            );
            let limited = content().areas[area(id)].shape == AreaShape::LimitedFortress;
            assert_eq!(
                (fortress.room, fortress.supplies),
                if limited { (1, false) } else { (class, true) },
                "{id}"
            );
        }
    }
}

/// 13.0, 14.2: their Areas, of class 0 and Surrender Value 4.
#[test]
fn nine_areas_of_local_notables() {
    let expected = [
        ("massey", PARLIAMENT, "gloucester", true),
        ("brereton", PARLIAMENT, "macclesfield", true),
        ("willoughby", PARLIAMENT, "peterborough", true),
        ("laugharne", PARLIAMENT, "pembroke", false),
        ("blake", PARLIAMENT, "lyme", false),
        ("lord-herbert", ROYALIST, "cardiff", true),
        ("earl-of-derby", ROYALIST, "preston", true),
        ("newark-garrison", ROYALIST, "newark", false),
        ("aimez-loyaute", ROYALIST, "basing-house", false),
    ];
    let content = content();
    assert_eq!(content.notables.len(), expected.len());
    for (notable, (id, side, at, at_start)) in content.notables.iter().zip(expected) {
        assert_eq!(notable.named.id, id);
        assert_eq!(
            (notable.side, notable.area, notable.at_start, notable.limit),
            (side, area(at), at_start, 4)
        );
        let fortress = &content.fortresses[notable.fortress];
        assert_eq!(
            (fortress.area, fortress.class, fortress.surrender, fortress.room),
            (notable.area, 0, 4, 4)
        );
        assert_eq!(content.areas[notable.area].shape, AreaShape::LocalNotable);
        assert_eq!(content.areas[notable.area].fortress, Some(notable.fortress));
        assert_eq!(fortress.notable, content.areas[notable.area].notable);
    }
}

/// 17.3.
#[test]
fn nine_infrastructures_of_twelve_areas() {
    let found = content().infrastructures.iter().map(|one| (one.number, names(one.areas)));
    let expected: [(u8, Vec<&str>); 9] = [
        (1, vec!["Newcastle"]),
        (2, vec!["Sheffield"]),
        (3, vec!["Bedford", "Northampton"]),
        (4, vec!["Forest of Dean"]),
        (5, vec!["Bristol"]),
        (6, vec!["London"]),
        (7, vec!["Salisbury", "Newbury", "Reading"]),
        (8, vec!["Reigate"]),
        (9, vec!["Truro"]),
    ];
    assert!(found.eq(expected));
}

#[test]
fn rule_4_3_both_sides_begin_with_markers_for_the_first_power_base() {
    let markers = content().start.map(|areas| areas.count());
    assert_eq!(markers, [21, 23]);
    assert!(markers.iter().all(|&count| count >= u32::from(content().turns[0].power_base)));
}

/// 11.3, at the set-up.
#[test]
fn nothing_is_isolated_at_the_set_up() {
    let content = content();
    for seat in SEATS {
        let own = content.start[seat.index()];
        let supplies = content.fortresses.iter().filter(|one| one.supplies && own.contains(one.area));
        let notables = content.set_up.notables.iter().map(|notable| &content.notables[notable]);
        let armies =
            content.set_up.stacks.iter().filter(|stack| stack.leader.is_some() && stack.side == seat);
        let ends: AreaSet = supplies
            .map(|one| one.area)
            .chain(notables.filter(|notable| notable.side == seat).map(|notable| notable.area))
            .chain(armies.map(|stack| stack.area))
            .collect();
        let reached = reach(ends, &LAND, content.start[seat.other().index()]);
        assert_eq!(names(own - reached - content.fortified), [""; 0], "{seat:?}");
    }
}

/// 5.1: neutral Areas next to an own marker and to none of the enemy's.
#[test]
fn both_sides_can_place_a_marker_in_the_first_turn() {
    let content = content();
    let free = |seat: Seat| -> AreaSet {
        let [own, enemy] = [seat, seat.other()].map(|seat| content.start[seat.index()]);
        let fits = |one: &AreaId| {
            let near = content.adjacent[*one];
            !own.contains(*one) && !enemy.contains(*one) && near.meets(own) && !near.meets(enemy)
        };
        (0..AREAS).map(AreaId::new).filter(fits).collect()
    };
    for seat in SEATS {
        assert!(!free(seat).is_empty(), "{seat:?}");
    }
}

#[test]
fn recruitment_areas_of_both_sides() {
    let drummers = |seat: Seat, region: RegionId| content().drummers[seat.index()][region.index()];
    for (seat, region) in [
        (PARLIAMENT, RegionId::SOUTH),
        (PARLIAMENT, RegionId::EAST),
        (PARLIAMENT, RegionId::NORTH),
        (PARLIAMENT, RegionId::MIDLANDS),
        (ROYALIST, RegionId::WALES),
        (ROYALIST, RegionId::MIDLANDS),
        (ROYALIST, RegionId::SOUTH),
        (ROYALIST, RegionId::NORTH),
    ] {
        assert!(!drummers(seat, region).is_empty(), "{seat:?}, {region:?}");
    }
    // 2.1, 7.2.1, 18.1, 18.3.
    assert_eq!(names(drummers(ROYALIST, RegionId::SOUTH)), ["Truro", "Bath"]);
    assert!(drummers(ROYALIST, RegionId::WALES).contains(area("shrewsbury")));
    assert!(drummers(ROYALIST, RegionId::MIDLANDS).contains(area("chester")));
    assert!(drummers(PARLIAMENT, RegionId::SOUTH).contains(area("london")));
    assert!(drummers(PARLIAMENT, RegionId::EAST).contains(area("london")));
    assert!(drummers(PARLIAMENT, RegionId::EAST).contains(area("cambridge")));
}

#[test]
fn rule_4_1_decks_of_4_3_38_27_28_and_10() {
    assert_eq!(content().decks.map(|deck| deck.len()), [4, 3, 38, 27, 28, 10]);
    // Nine cards of the first deal and eight a turn last until Winter 1643 (6.7).
    let hand = &content().numbers.hand;
    let needed = usize::from(hand.first_deal) + 2 * usize::from(hand.dealt) * usize::from(hand.mid_war - 2);
    assert!(content().decks[Deck::Early as usize].len() >= needed);
}

#[test]
fn two_responses_and_three_mandatory_cards() {
    let content = content();
    let ids = |holds: &dyn Fn(usize) -> bool| -> Vec<&str> {
        let found = (0..content.cards.len()).filter(|&index| holds(index));
        found.map(|index| content.cards[index].named.id.as_str()).collect()
    };
    assert_eq!(ids(&|index| content.cards[index].response), ["E28", "M19"]);
    assert_eq!(ids(&|index| content.cards[index].kind == CardKind::Mandatory), ["X01", "X02", "X03"]);
    assert_eq!(ids(&|index| content.cards[index].deck == Deck::Core), ["C01", "C02", "C03", "C04"]);
    assert_eq!(content.cards[card("M19")].side, Some(ROYALIST));
    assert_eq!(content.cards[card("E28")].side, Some(PARLIAMENT));
}

/// 6.4: of each side, and of either.
#[test]
fn events_by_side() {
    let events =
        || content().cards.iter().filter(|card| matches!(card.kind, CardKind::Event | CardKind::Response));
    let of = |side: Option<Seat>| events().filter(|card| card.side == side).count();
    assert_eq!([of(Some(ROYALIST)), of(Some(PARLIAMENT)), of(None)], [30, 31, 2]);
}

/// 8.4: Rupert leads as many only once he is Lieutenant-General.
#[test]
fn six_generals_lead_nine_brigades() {
    let nine = content().generals.iter().filter(|general| general.limit == 9);
    let nine: Vec<&str> = nine.map(|general| general.named.id.as_str()).collect();
    let expected =
        ["king-charles-i", "newcastle", "charles-of-lorraine", "essex", "lord-general-tom-fairfax", "leven"];
    assert_eq!(nine, expected);
    assert!(content().generals.iter().all(|general| general.limit == 4 || general.limit == 9));
    assert_eq!(content().numbers.promotion.limit, 9);
}

/// 9.5: the table of levels.
#[test]
fn levels_of_subordination() {
    let levels: [&[&str]; 4] = [
        &["king-charles-i", "charles-of-lorraine", "essex", "lord-general-tom-fairfax", "leven"],
        &["newcastle", "goring", "waller", "manchester", "cromwell"],
        &["prince-rupert", "prince-maurice", "tom-fairfax-north"],
        &[
            "hopton",
            "byron",
            "langdale",
            "gerard",
            "bedford",
            "lord-fairfax",
            "poyntz",
            "general-massey",
            "general-brereton",
            "callander",
        ],
    ];
    for (level, ids) in (1..).zip(levels) {
        let of_level = content().generals.iter().filter(|general| general.level == level);
        let of_level: Vec<&str> = of_level.map(|general| general.named.id.as_str()).collect();
        assert_eq!(of_level, ids, "{level}");
    }
    assert_eq!(content().numbers.promotion.level, 1);
}

/// 14.5.
#[test]
fn five_generals_may_assault_at_once() {
    let assaults = content().generals.iter().filter(|general| general.assaults);
    let assaults: Vec<&str> = assaults.map(|general| general.named.id.as_str()).collect();
    let expected =
        ["prince-rupert", "prince-maurice", "tom-fairfax-north", "lord-general-tom-fairfax", "cromwell"];
    assert_eq!(assaults, expected);
}

/// 2.2.
#[test]
fn rule_2_2_field_and_regional_generals_of_the_rulebook() {
    assert!(!content().generals[general("prince-rupert")].is_regional());
    let regions = |id: &str| content().generals[general(id)].regions.iter().collect::<Vec<_>>();
    assert_eq!(regions("newcastle"), [RegionId::NORTH]);
    assert_eq!(regions("waller"), [RegionId::SOUTH, RegionId::MIDLANDS]);
    // 2.2: a General of 2/3* counts as 2 against cards alone.
    let split = content().generals.iter().filter(|general| general.strategy != general.activation);
    assert!(split.clone().all(|general| (general.activation, general.strategy) == (2, 3)));
    assert!(split.count() >= 1);
}

#[test]
fn rule_2_2_brigades_of_each_faction() {
    let count = |faction: Faction| {
        let faces = content().faces.iter().filter(|face| face.faction == faction);
        faces.map(|face| face.count).sum::<u8>()
    };
    assert_eq!(Faction::ALL.map(count), [23, 3, 4, 26, 5, 7]);
    // 6.5: five with Leven and two with Callander, two with Cromwell and three with the Lord General.
    let numbers = &content().numbers;
    let counters = |faces: FaceSet| faces.iter().map(|face| content().faces[face].count).sum::<u8>();
    let covenanters = numbers.league.brigades.iter().map(|&(general, faces)| (general, counters(faces)));
    assert!(covenanters.eq([(general("leven"), 5), (general("callander"), 2)]));
    assert_eq!((numbers.new_model.cromwell, numbers.new_model.lord_general), (2, 3));
}

#[test]
fn counters_of_a_face_follow_each_other() {
    let content = content();
    for (index, face) in content.faces.iter().enumerate() {
        for counter in face.counters() {
            assert_eq!(content.face_of[counter].index(), index);
        }
        assert_eq!(face.counters().count(), u32::from(face.count));
        assert_eq!(face.counters().first(), Some(face.first));
    }
}

#[test]
fn rule_7_2_2_recruits_of_each_turn() {
    let turns = &content().turns;
    let recruits: Vec<u8> = (0..turns.len()).map(|turn| turns[turn].recruits).collect();
    assert_eq!(recruits, [1, 3, 2, 2, 2, 2, 2, 2, 1, 1, 1]);
    assert!(turns.iter().all(|turn| (turn.card_recruits, turn.discard_recruits) == (2, 1)));
}

/// 5.1, 5.2, 5.4, 6.0, 7.1.2, 10.6, 12.4, 17.2.
#[test]
fn the_turn_record_track() {
    let turns = &content().turns;
    let list = |of: &dyn Fn(usize) -> u8| (0..turns.len()).map(of).collect::<Vec<u8>>();
    assert_eq!(list(&|turn| turns[turn].power_base), (14..=24).collect::<Vec<u8>>());
    let those =
        |holds: &dyn Fn(usize) -> bool| (1..=turns.len()).filter(|&turn| holds(turn - 1)).collect::<Vec<_>>();
    assert_eq!(those(&|turn| turns[turn].naval_chit), [1, 4, 7, 10]);
    assert_eq!(those(&|turn| !turns[turn].draw), [1]);
    assert_eq!(those(&|turn| !turns[turn].political_control), [1]);
    assert_eq!(those(&|turn| turns[turn].powicke), [1, 2]);
    assert_eq!(those(&|turn| turns[turn].turncoats), [6, 7, 8, 9, 10, 11]);
    assert_eq!(those(&|turn| !turns[turn].stored_cards), [11]);
    assert_eq!(turns[6].desertion, 3);
}

#[test]
fn rule_4_2_the_set_up() {
    let content = content();
    let stacks = content.set_up.stacks.iter().map(|stack| {
        let leader = stack.leader.map_or("", |leader| content.leader(leader).id.as_str());
        let brigades = stack.brigades.iter().map(|&face| content.faces[face].named.id.as_str());
        (content.areas[stack.area].named.id.as_str(), stack.inside, leader, brigades.collect::<Vec<_>>())
    });
    let expected = [
        ("wakefield", false, "lord-fairfax", vec!["cloth-towns-militias"]),
        ("london", false, "essex", vec!["eastern-association", "eastern-association", "fiennes", "assheton"]),
        ("london", true, "", vec!["london-trained-bands"]),
        ("exeter", false, "bedford", vec!["hesilriggs-lobsters", "pophams"]),
        ("portsmouth", false, "waller", vec!["western-association"]),
        ("york", false, "king-charles-i", vec!["kings-lifeguard", "ruperts-lifeguard"]),
        ("newcastle", false, "newcastle", vec!["whitecoats"]),
        ("st-austell", false, "hopton", vec!["grenviles-cornish"]),
        ("shrewsbury", false, "", vec!["lord-herberts", "wilmots", "northern-levies"]),
    ];
    assert!(stacks.eq(expected));
    let in_box: Vec<&str> =
        content.set_up.reinforcements[0].iter().map(|one| content.generals[one].named.id.as_str()).collect();
    assert_eq!(in_box, ["prince-rupert", "prince-maurice", "byron"]);
    assert!(content.set_up.reinforcements[1].is_empty());
    assert_eq!(content.generals[general("essex")].arrival, Arrival::Area(area("london")));
}

#[test]
fn rule_4_4_generals_come_as_the_set_up_the_track_and_events_say() {
    let mut ways = [0; 4];
    for general in &content().generals {
        match general.arrival {
            Arrival::Area(_) => ways[0] += 1,
            Arrival::Reinforcements => ways[1] += 1,
            Arrival::Turn(turn) => {
                ways[2] += 1;
                let index = content().generals.iter().position(|one| one.named.id == general.named.id);
                let arrivals = content().turns[turn.index()].arrivals;
                assert!(arrivals.iter().any(|one| Some(one.index()) == index));
            }
            Arrival::Event => ways[3] += 1,
        }
    }
    assert_eq!(ways, [7, 3, 4, 9]);
}

/// Every name that is said to stand in the rulebook does; all of these are there.
#[test]
fn forty_four_areas_are_named_by_the_rulebook() {
    let named = "Truro;St Austell;Barnstaple;Plymouth;Exeter;Lyme;Bath;Bristol;Salisbury;Newbury;Reading;Basing House;\
        Portsmouth;Reigate;Dover;London;Bedford;Cambridge;King's Lynn;Peterborough;Boston;Newark;Gainsborough;Cardiff;\
        Pembroke;Gloucester;Forest of Dean;Worcester;Shrewsbury;Chester;Macclesfield;Preston;Nottingham;Leicester;\
        Northampton;Oxford;Berwick;Newcastle;Carlisle;Scarborough;York;Hull;Wakefield;Sheffield";
    let named: BTreeSet<&str> = named.split(';').collect();
    let official = content().areas.iter().filter(|one| one.named.levels.of("name") == Confidence::Official);
    let official: BTreeSet<&str> = official.map(|one| one.named.name.as_str()).collect();
    assert_eq!(official, named);
}

/// 15.0: five chits, which favour Parliament.
#[test]
fn rule_4_4_five_naval_chits_for_parliament() {
    let chits = &content().numbers.naval.chits;
    assert_eq!(chits.len(), 5);
    assert!(chits.iter().map(|&chit| i32::from(chit)).sum::<i32>() > 0);
}

/// 9.2, 9.3, 10.2, 12, 14.3, 14.5, 15.3, 17.3: the numbers that stand in the rulebook.
#[test]
fn numbers_of_the_rulebook() {
    let Content { numbers, .. } = content();
    let rows = [1, 3, 4, 6, 7, 9].map(|size| (numbers.allowance(size).points, numbers.allowance(size).areas));
    assert_eq!(rows, [(4, 2), (4, 2), (3, 1), (3, 1), (2, 1), (2, 1)]);
    assert_eq!(numbers.movement.lines, [1, 2, 2]);
    assert_eq!((numbers.battle.drawn, numbers.battle.major), (1, 5));
    assert_eq!((numbers.siege.assault, numbers.siege.classes), (10, [0, 1, 0, -2]));
    assert_eq!((numbers.naval.siege, numbers.naval.veteran, numbers.naval.extra), (1, 3, 5));
    assert_eq!((numbers.victory.regions, numbers.victory.points), (3, 12));
    assert_eq!(numbers.naval.ports, areas(&["london", "bristol"]));
}
