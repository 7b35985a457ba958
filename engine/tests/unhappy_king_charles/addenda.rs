//! The rulings' corrections of the data, by number; the conditions of being offered; what is reconstructed.

use edgehill_engine::content::Confidence;
use edgehill_engine::games::unhappy_king_charles::content::numbers::Numbers;
use edgehill_engine::games::unhappy_king_charles::content::operations::{
    CardUse, Condition, FortressChange, Operation, Paragraph, Placed, Places, Standing, Weakness, Whose,
};
use edgehill_engine::games::unhappy_king_charles::content::{PARLIAMENT, ROYALIST};

use crate::built_in::{area, areas, card, content, general, operations, steps, tally};

fn all_ids() -> impl Iterator<Item = &'static str> {
    content().cards.iter().map(|card| card.named.id.as_str())
}

/// The cards with an operation that fits.
fn with(fits: impl Fn(&Operation) -> bool) -> Vec<&'static str> {
    all_ids().filter(|id| operations(id).iter().any(&fits)).collect()
}

/// A Campaign card may be the Recruitment Card of the turn, but places no markers.
#[test]
fn x2_campaign_cards_recruit() {
    let campaigns = ["E10", "E11", "E12", "M08", "M09", "L08", "L09"];
    assert_eq!(with(|one| matches!(one, Operation::Campaign { .. })), campaigns);
    for id in campaigns {
        let [Operation::Campaign { activations, uses }] = operations(id)[..] else { panic!("{id}") };
        let expected = [CardUse::Recruit, CardUse::Bombard, CardUse::Raid, CardUse::Activate];
        assert_eq!(uses.iter().collect::<Vec<_>>(), expected, "{id}");
        let major = content().cards[card(id)].named.name.starts_with("Major");
        assert_eq!(activations, if major { 3 } else { 2 }, "{id}");
    }
}

#[test]
fn rule_x13_an_irish_brigade_must_be_off_the_map() {
    for id in ["A06", "L14"] {
        let offered = &content().cards[card(id)].offered;
        assert!(offered.all.contains(&Condition::IrishOffMap), "{id}");
        assert_eq!(offered.all.contains(&Condition::Cessation), id == "L14");
    }
}

#[test]
fn rule_x14_the_apprentices_need_a_brigade() {
    assert_eq!(content().cards[card("E34")].offered.all, [Condition::BrigadePlace]);
    let [Operation::PlaceBrigades { places, .. }] = operations("E34")[..] else { panic!("E34") };
    assert_eq!(places, Places::Area(area("london")));
}

#[test]
fn x15_the_marker_after_a_brigade_may_be_left_out() {
    for id in ["E26", "E27", "E33", "M25"] {
        let [Operation::PlaceBrigades { .. }, Operation::Markers { most: 1, follows: true, .. }] =
            operations(id)[..]
        else {
            panic!("{id}")
        };
    }
    let alone = |one: &Operation| matches!(one, Operation::Markers { follows: true, .. });
    assert_eq!(with(alone), ["E26", "E27", "E33", "M25"]);
}

#[test]
fn x16_what_is_done_instead() {
    let instead = |id: &&str| steps(id).iter().any(|step| step.otherwise.is_some());
    assert_eq!(all_ids().filter(instead).collect::<Vec<_>>(), ["E20", "M26", "L25"]);
    let list = steps("E20")[0].otherwise.expect("E20 has it");
    let parliament = Whose::Seat(PARLIAMENT);
    assert_eq!(content().lists[list][0].operation, Operation::RemoveCards { from: parliament, count: 1 });
}

#[test]
fn rule_x18_ids_are_names_in_lower_case() {
    let content = content();
    let ids = content.areas.iter().map(|one| &one.named.id);
    let ids = ids.chain(content.faces.iter().map(|one| &one.named.id));
    for id in ids.chain(content.generals.iter().map(|one| &one.named.id)) {
        let allowed = |byte: u8| byte.is_ascii_lowercase() || byte == b'-';
        assert!(id.bytes().all(allowed) && !id.starts_with('-') && !id.ends_with('-'), "{id}");
    }
    for id in ["general-massey", "general-brereton"] {
        assert_eq!(content.generals[general(id)].regions.count(), 1, "{id}");
    }
}

/// The table of conditions, each card once.
#[test]
fn rule_k19_conditions_of_being_offered() {
    use Condition as C;
    let both = |id: &str, all: &[Condition], any: &[Condition]| {
        let offered = &content().cards[card(id)].offered;
        assert_eq!((&offered.all[..], &offered.any[..]), (all, any), "{id}");
    };
    let mut said = Vec::new();
    let mut those = |ids: &str, all: &[Condition], any: &[Condition]| {
        for id in ids.split(' ') {
            both(id, all, any);
            said.push(id.to_owned());
        }
    };
    let rupert = C::InGame(general("prince-rupert"));
    let last = Numbers::turn(content().numbers.brentford.until);
    let joint = [general("essex"), general("waller")].into_iter().collect();
    those("E31 L28 A04 A07", &[], &[]);
    those("E17 E25 E30 E32 E37 M18 M24 L16 L17 L23 L24", &[C::MarkerPlace], &[]);
    those("L18", &[C::Controls(ROYALIST, area("newark")), C::MarkerPlace], &[]);
    those("E26 E27 E33 M25", &[], &[C::BrigadePlace, C::MarkerPlace]);
    those("E36 L19 L21 A05 A08", &[C::EnemyCard], &[]);
    those("E18 E20 M22", &[], &[C::EnemyCard, C::Fortress]);
    those("E24 E35 M16 M27 A10", &[C::DeckCard], &[]);
    those("E19 M21", &[C::Fortress], &[]);
    those("E23 E29 E38", &[C::Notable], &[]);
    those("E34 L25", &[C::BrigadePlace], &[]);
    those("A06", &[C::IrishOffMap, C::BrigadePlace], &[]);
    those("L14", &[C::Cessation, C::IrishOffMap, C::BrigadePlace], &[]);
    those("M17 L13 L15 L22 A09", &[C::Brigade], &[]);
    those("M26 L27", &[C::AnyBrigade], &[]);
    those("M15 M23", &[C::GeneralPair], &[]);
    those("L26", &[C::SiegeMarker], &[]);
    those("E21", &[C::QueenPlace], &[]);
    those("E22", &[C::UpTo(last), C::InGame(general("king-charles-i"))], &[]);
    those("E28", &[C::ArmyBeside(ROYALIST, area("london"))], &[]);
    those("M13", &[C::LandingPort], &[]);
    those("M14 L20", &[rupert], &[]);
    those("M19", &[C::Interception], &[]);
    those("M20", &[C::OnMap(joint)], &[]);
    those("A01", &[C::Covenanters], &[]);
    those("A02", &[C::LorrainePlace], &[]);
    those("A03", &[C::Controls(PARLIAMENT, area("london"))], &[]);
    assert_eq!(said.len(), 63, "events and Responses");
    for id in all_ids().filter(|id| !said.iter().any(|one| one == id)) {
        both(id, &[], &[]);
    }
}

/// The rulings' list of effects: each card is among those of its kind.
#[test]
fn the_coverage_of_110_cards() {
    type Fits = fn(&Operation) -> bool;
    let kinds: [(&str, Fits); 20] = [
        ("C01 C03 E01 E02 M01 L01", |one| matches!(one, Operation::Operations { value: 1, .. })),
        ("C02 C04 E03 E04 E05 M02 M03 M04 L02 L03 L04", |one| {
            matches!(one, Operation::Operations { value: 2, .. })
        }),
        ("E06 E07 E08 E09 M05 M06 M07 L05 L06 L07", |one| {
            matches!(one, Operation::Operations { value: 3, .. })
        }),
        ("E10 E11 E12 M08 M09 L08 L09", |one| matches!(one, Operation::Campaign { .. })),
        ("E13 E14 E15 M10 M11 L10 L11 L12", |one| matches!(one, Operation::Combat { defender: false, .. })),
        ("E16 M12", |one| matches!(one, Operation::Combat { defender: true, .. })),
        ("E13 M11 L11 L12", |one| matches!(one, Operation::Combat { decisive: true, .. })),
        ("M19", |one| matches!(one, Operation::InterceptModifier { modifier: 2 })),
        ("E17 E25 E26 E27 E30 E32 E33 E37 M18 M24 M25 L16 L17 L18 L23 L24", |one| {
            matches!(one, Operation::Markers { .. })
        }),
        ("E26 E27 E33 E34 M25 L14 L25 A06", |one| matches!(one, Operation::PlaceBrigades { .. })),
        ("M17 M26 L13 L15 L22 L27 A09", |one| matches!(one, Operation::RemoveBrigades { .. })),
        ("E18 E20 E36 M22 L19 L21 A05 A08", |one| matches!(one, Operation::RemoveCards { .. })),
        ("E24 E35 M16 M27 A10", |one| matches!(one, Operation::Draw { .. })),
        ("E18 E19 E20 M21 M22", |one| matches!(one, Operation::TakeFortress { .. })),
        ("E31 L28 A04 A07", |one| matches!(one, Operation::Naval { .. })),
        ("E23 E29 E38", |one| matches!(one, Operation::PlaceNotable { .. })),
        ("M15 M23", |one| matches!(one, Operation::Transfer { most: 2, distance: 2 })),
        ("M20", |one| matches!(one, Operation::Activate { lifts_rivalry: true, .. })),
        ("L26", |one| matches!(one, Operation::BombardModifier { modifier: 2 })),
        ("X01 X02 X03 E21 E22 E28 M13 M14 L20 A01 A02 A03", |one| matches!(one, Operation::Paragraph(_))),
    ];
    for (ids, fits) in kinds {
        assert_eq!(with(fits), ids.split(' ').collect::<Vec<_>>());
    }
    let covered = all_ids().filter(|id| kinds.iter().any(|(ids, _)| ids.split(' ').any(|one| one == *id)));
    assert_eq!(covered.count(), 110);
}

#[test]
fn each_paragraph_has_its_card() {
    let cards = ["X01", "X02", "X03", "E21", "E22", "E28", "M13", "M14", "L20", "A01", "A02", "A03"];
    for (paragraph, id) in Paragraph::ALL.into_iter().zip(cards) {
        assert_eq!(operations(id), [Operation::Paragraph(paragraph)]);
        assert_eq!(content().paragraph_card(paragraph), Some(card(id)));
        assert_eq!(paragraph.is_mandatory(), id.starts_with('X'));
        assert!(content().cards[card(id)].once, "{id}");
    }
}

/// Words of the data that are tokens now, with what they mean.
#[test]
fn words_of_operations_became_tokens() {
    let standing = |id: &str| match operations(id)[0] {
        Operation::RemoveBrigades { standing, .. } => standing,
        other => panic!("{other:?}"),
    };
    assert_eq!(standing("L13"), Standing::Outside);
    assert_eq!(standing("A09"), Standing::NotBesieged);
    let fortress = |id: &str| {
        let found = operations(id).into_iter().find_map(|one| match one {
            Operation::TakeFortress { among, weakness, change } => Some((among.count(), weakness, change)),
            _ => None,
        });
        found.expect("it takes a Fortress")
    };
    let roll = |at_least, less_inside| FortressChange::Roll { at_least, less_inside };
    assert_eq!(fortress("E18"), (2, Weakness::Unoccupied, roll(6, false)));
    assert_eq!(fortress("E19"), (2, Weakness::None, roll(5, true)));
    assert_eq!(fortress("E20"), (1, Weakness::None, roll(6, true)));
    assert_eq!(fortress("M21"), (6, Weakness::BesiegedOrUnoccupied, FortressChange::Surrender));
    assert_eq!(fortress("M22"), (6, Weakness::None, roll(5, true)));
    let ports = operations("A06").into_iter().chain(operations("L14"));
    assert!(ports.into_iter().all(|one| matches!(
        one,
        Operation::PlaceBrigades { brigades: Placed::Irish, places: Places::OwnPort(_), .. }
    )));
    let new_model = operations("L25")[0];
    let Operation::PlaceBrigades { brigades, after_new_model, .. } = new_model else { panic!("L25") };
    assert_eq!((brigades, after_new_model), (Placed::NewModel, true));
}

#[test]
fn numbers_of_the_paragraphs() {
    let numbers = &content().numbers;
    assert_eq!(numbers.league.entries, areas(&["carlisle", "berwick"]));
    assert_eq!(numbers.queen.landing, areas(&["york", "berwick", "newcastle", "scarborough", "hull"]));
    assert_eq!(numbers.lorraine.at, areas(&["bristol", "newcastle"]));
    assert_eq!((numbers.turnham_green.at, numbers.turnham_green.distance), (area("london"), 3));
    assert_eq!((numbers.brentford.until, numbers.queen.stays), (7, 7));
    assert_eq!((numbers.hand.mid_war, numbers.league.callander_from), (5, 7));
    let lords: Vec<&str> =
        numbers.new_model.lords.iter().map(|one| content().leader(one).id.as_str()).collect();
    assert_eq!(lords, ["essex", "waller", "lord-fairfax", "manchester", "willoughby"]);
    let exchanges = numbers.new_model.exchanges.iter().map(|&(notable, general)| {
        (content().notables[notable].named.id.as_str(), content().generals[general].named.id.as_str())
    });
    let expected =
        [("massey", "general-massey"), ("brereton", "general-brereton"), ("lord-herbert", "gerard")];
    assert!(exchanges.eq(expected));
}

/// Marks, by field: official, public, inferred, house, reconstructed.
#[test]
fn what_is_reconstructed_of_cards() {
    let of = |field: &str| tally(content().cards.iter().map(|card| card.named.levels.of(field)));
    assert_eq!(of("operations")[4], 54);
    assert_eq!(of("title")[4], 50);
    let unsure = content().cards.iter().filter(|card| card.named.levels.of("deck") != Confidence::Official);
    assert_eq!(unsure.count(), 103);
    let marks = content().cards[card("E24")].marks().map(|(_, level)| level);
    assert_eq!(marks, [Confidence::Reconstructed, Confidence::Reconstructed, Confidence::PublicSecondary]);
    let badges = tally(content().cards.iter().map(|card| card.named.confidence));
    assert_eq!(badges, [4, 0, 9, 0, 97]);
}

#[test]
fn what_is_reconstructed_of_the_rest() {
    let content = content();
    assert_eq!(tally(content.lines.iter().map(|line| line.levels.of("between"))), [1, 0, 9, 0, 139]);
    assert_eq!(tally(content.areas.iter().map(|area| area.named.levels.of("name")))[4], 23);
    let generals =
        |field: &str| tally(content.generals.iter().map(|general| general.named.levels.of(field)))[4];
    assert_eq!(["strategy", "battle", "regions", "arrival"].map(generals), [23, 23, 13, 4]);
    assert_eq!(tally(content.turns.iter().map(|turn| turn.named.levels.of("desertion")))[4], 10);
    let naval = content.numbers.levels.iter().find(|(table, _)| *table == "naval").expect("there is one");
    assert_eq!(naval.1.of("chits"), Confidence::Reconstructed);
}
