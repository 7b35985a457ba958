//! The built-in content of English Civil War IIa: it loads, and the board meets all that the page says of it.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use edgehill_engine::builtin_content;
use edgehill_engine::content::{Confidence, ContentErrors, ContentFiles, ContentRecord, Loader, Records};
use edgehill_engine::ledger::{Ledger, RuleStatus};
use serde::Deserialize;

#[derive(Deserialize, Clone, Copy, PartialEq, Eq, Debug)]
#[serde(rename_all = "kebab-case")]
enum Side {
    Royalist,
    Parliament,
}

const SIDES: [Side; 2] = [Side::Royalist, Side::Parliament];

#[derive(Deserialize)]
struct Space {
    name: String,
    counties: Vec<String>,
    label: Label,
    weight: u32,
    counts_as_county: bool,
    bias: i32,
    home: Option<Side>,
    regular_armies: u32,
    start_armies: u32,
}

impl Space {
    fn control(&self) -> Option<Side> {
        match self.bias.signum() {
            1 => Some(Side::Royalist),
            -1 => Some(Side::Parliament),
            _ => None,
        }
    }
}

/// Hundredths of a degree.
#[derive(Deserialize, Clone, Copy, PartialEq, Eq)]
struct Label {
    lon: i64,
    lat: i64,
}

#[derive(Deserialize)]
struct Border {
    id: String,
    km: Option<u32>,
}

impl Border {
    fn ends(&self) -> impl Iterator<Item = &str> {
        self.id.split('-')
    }
}

#[derive(Deserialize)]
struct Leader {
    name: String,
    side: Side,
    victory: bool,
}

#[derive(Deserialize, Debug, PartialEq)]
struct Board {
    spaces: usize,
    counties: u32,
    home_centres: usize,
}

#[derive(Deserialize, Debug, PartialEq)]
struct Calendar {
    first_year: u16,
    first_month: u8,
    movement_months: u8,
}

#[derive(Deserialize, Debug, PartialEq)]
struct Influence {
    counties_per_point: u32,
    first_income: u32,
}

#[derive(Deserialize, Debug, PartialEq)]
struct Occupation {
    points_per_month: u8,
}

#[derive(Deserialize, Debug, PartialEq)]
struct Army {
    strength: u8,
    per_home_centre: u32,
}

#[derive(Deserialize, Debug, PartialEq)]
struct Build {
    per_centre_max: u8,
}

#[derive(Deserialize, Debug, PartialEq)]
struct LeaderNumbers {
    strength_at_home: u8,
    strength_elsewhere: u8,
    strength_with_army: u8,
    per_space_max: u8,
    months_for_a_centre: u8,
}

#[derive(Deserialize, Debug, PartialEq)]
struct Victory {
    unit_ratio: u8,
}

#[derive(Deserialize, Debug, PartialEq)]
struct SeasonLimit {
    min: u8,
    max: u8,
    default: u8,
}

struct Content {
    spaces: Records<Space>,
    borders: Records<Border>,
    leaders: Records<Leader>,
    board: ContentRecord<Board>,
    calendar: ContentRecord<Calendar>,
    influence: ContentRecord<Influence>,
    occupation: ContentRecord<Occupation>,
    army: ContentRecord<Army>,
    build: ContentRecord<Build>,
    leader: ContentRecord<LeaderNumbers>,
    victory: ContentRecord<Victory>,
    season_limit: ContentRecord<SeasonLimit>,
}

fn files() -> ContentFiles {
    builtin_content!(
        "english-civil-war-iia":
        "spaces.toml", "borders.toml", "leaders.toml", "game.toml", "rules.toml",
    )
}

fn load(files: &ContentFiles) -> Result<Content, ContentErrors> {
    let mut load = Loader::new(files);
    let spaces = load.records("spaces.toml", "space");
    let borders = load.records("borders.toml", "border");
    load.check_references(&borders, "id", &spaces, Border::ends);
    let leaders = load.records("leaders.toml", "leader");
    let board = load.record("game.toml", "board");
    let calendar = load.record("game.toml", "calendar");
    let influence = load.record("game.toml", "influence");
    let occupation = load.record("game.toml", "occupation");
    let army = load.record("game.toml", "army");
    let build = load.record("game.toml", "build");
    let leader = load.record("game.toml", "leader");
    let victory = load.record("game.toml", "victory");
    let season_limit = load.record("game.toml", "season_limit");
    load.finish(|| {
        Some(Content {
            spaces,
            borders,
            leaders,
            board: board?,
            calendar: calendar?,
            influence: influence?,
            occupation: occupation?,
            army: army?,
            build: build?,
            leader: leader?,
            victory: victory?,
            season_limit: season_limit?,
        })
    })
}

fn content() -> Content {
    load(&files()).unwrap_or_else(|errors| panic!("{errors}"))
}

impl Content {
    fn space(&self, id: &str) -> &ContentRecord<Space> {
        self.spaces.get(id).expect("a space of the board")
    }

    fn homes(&self, side: Side) -> impl Iterator<Item = &ContentRecord<Space>> {
        self.spaces.iter().filter(move |space| space.home == Some(side))
    }

    /// The weight of the spaces that a side, or nobody, controls: London left out, and with it.
    fn weights(&self, side: Option<Side>) -> (u32, u32) {
        let controlled = || self.spaces.iter().filter(|space| space.control() == side);
        let counties = controlled().filter(|space| space.counts_as_county).map(|space| space.weight).sum();
        (counties, controlled().map(|space| space.weight).sum())
    }

    fn neighbours(&self) -> BTreeMap<&str, BTreeSet<&str>> {
        let mut neighbours: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
        for border in &self.borders {
            let [a, b] = ends(border);
            neighbours.entry(a).or_default().insert(b);
            neighbours.entry(b).or_default().insert(a);
        }
        neighbours
    }
}

fn ends(border: &Border) -> [&str; 2] {
    border.ends().collect::<Vec<_>>().try_into().expect("a border has two ends")
}

/// The actions from a space to each that can be reached from it without passing `closed`.
fn distances<'a>(
    neighbours: &BTreeMap<&'a str, BTreeSet<&'a str>>,
    from: &'a str,
    closed: Option<&str>,
) -> BTreeMap<&'a str, u32> {
    let mut actions = BTreeMap::from([(from, 0)]);
    let mut queue = VecDeque::from([from]);
    while let Some(space) = queue.pop_front() {
        let next = actions[space] + 1;
        for &neighbour in neighbours[space].iter().filter(|&&neighbour| Some(neighbour) != closed) {
            actions.entry(neighbour).or_insert_with(|| {
                queue.push_back(neighbour);
                next
            });
        }
    }
    actions
}

#[test]
fn rule_3_the_board_has_as_many_spaces_and_counties_as_the_page_says() {
    let content = content();
    assert_eq!(content.board.value, Board { spaces: 44, counties: 48, home_centres: 12 });
    assert_eq!(content.spaces.len(), content.board.spaces);
    let counties = content.spaces.iter().filter(|space| space.counts_as_county);
    assert_eq!(counties.clone().map(|space| space.weight).sum::<u32>(), content.board.counties);
    assert_eq!(counties.filter(|space| space.weight == 1).count(), 40);

    let blocks = content.spaces.iter().filter(|space| space.weight > 1);
    let blocks: Vec<_> = blocks.map(|space| (space.name.as_str(), space.weight)).collect();
    assert_eq!(blocks, [("South Wales", 3), ("Mid Wales", 3), ("North Wales", 2)]);
}

#[test]
fn no_name_county_or_label_comes_twice() {
    let content = content();
    let names: BTreeSet<_> = content.spaces.iter().map(|space| &space.name).collect();
    assert_eq!(names.len(), content.spaces.len());
    let counties: Vec<_> = content.spaces.iter().flat_map(|space| &space.counties).collect();
    assert_eq!(counties.iter().collect::<BTreeSet<_>>().len(), counties.len());
    let labels: BTreeSet<_> = content.spaces.iter().map(|space| (space.label.lon, space.label.lat)).collect();
    assert_eq!(labels.len(), content.spaces.len());
    // The 39 historic counties of England, Yorkshire as its three Ridings, and the 13 of Wales.
    assert_eq!(counties.len(), 38 + 3 + 13);
}

#[test]
fn ratings_and_income_are_those_of_december_1642() {
    let content = content();
    assert_eq!(content.weights(Some(Side::Royalist)), (22, 22));
    assert_eq!(content.weights(Some(Side::Parliament)), (22, 23));
    assert_eq!(content.weights(None), (4, 4));
    for side in SIDES {
        // Both without London and with it.
        let (counties, with_london) = content.weights(Some(side));
        for weight in [counties, with_london] {
            assert_eq!(weight.div_ceil(content.influence.counties_per_point), content.influence.first_income);
        }
    }
}

#[test]
fn rule_c1_pembrokeshire_is_a_parliamentarian_space_of_its_own() {
    let content = content();
    let pembroke = content.space("PEM");
    assert_eq!((pembroke.bias, pembroke.home, pembroke.weight), (-3, Some(Side::Parliament), 1));
    for field in ["name", "bias", "home"] {
        assert_eq!(pembroke.confidence(field), Some(Confidence::Official));
    }
}

#[test]
fn centres_lie_in_own_ground_and_support_fifteen_armies_a_side() {
    let content = content();
    for side in SIDES {
        assert_eq!(content.homes(side).count(), content.board.home_centres);
        assert!(content.homes(side).all(|space| space.control() == Some(side)));
        let capacity: u32 =
            content.homes(side).map(|space| content.army.per_home_centre + space.regular_armies).sum();
        assert_eq!(capacity, 15);
    }
    let regular = content.spaces.iter().filter(|space| space.regular_armies > 0);
    let regular: Vec<_> = regular.map(|space| (space.id.as_str(), space.regular_armies)).collect();
    assert_eq!(regular, [("NRY", 1), ("OXF", 1), ("GLO", 1), ("LON", 2), ("MWA", 1)]);
    assert!(content.spaces.iter().all(|space| space.regular_armies == 0 || space.home.is_some()));
}

#[test]
fn rule_c2_a_home_centre_starts_with_one_army_or_as_one_of_the_five_with_two() {
    for space in &content().spaces {
        let armies = match (space.home, space.regular_armies) {
            (None, _) => 0,
            (Some(_), 0) => 1,
            (Some(_), _) => 2,
        };
        assert_eq!(space.start_armies, armies, "{}", space.id);
    }
}

#[test]
fn rule_c3_parliament_starts_one_army_below_its_capacity() {
    let content = content();
    let armies = |side| content.homes(side).map(|space| space.start_armies).sum::<u32>();
    assert_eq!((armies(Side::Royalist), armies(Side::Parliament)), (15, 14));
    let london = content.space("LON");
    assert_eq!((london.start_armies, content.army.per_home_centre + london.regular_armies), (2, 3));
}

#[test]
fn rule_c5_what_the_page_does_not_say_is_marked_as_reconstructed() {
    let content = content();
    let official: Vec<String> = content
        .spaces
        .iter()
        .map(|space| {
            let fields = space.fields().filter(|&(_, level)| level == Confidence::Official);
            let fields = fields.map(|(field, _)| field).filter(|&field| field != "regular_armies");
            format!("{} {}", space.id, fields.collect::<Vec<_>>().join(" "))
        })
        .filter(|line| !line.ends_with(' '))
        .collect();
    assert_eq!(
        official,
        [
            "NRY name start_armies",
            "OXF name start_armies",
            "GLO name start_armies",
            "PEM name bias home start_armies",
            "LON name start_armies",
            "SWA name weight",
            "MWA name weight start_armies",
            "NWA name weight",
        ]
    );
    for space in &content.spaces {
        assert_eq!(space.weakest(), Confidence::Reconstructed);
        assert_eq!(space.confidence("regular_armies"), Some(Confidence::Official));
        assert_eq!(space.confidence("label"), Some(Confidence::Inferred));
        assert_eq!(space.confidence("counts_as_county"), Some(Confidence::Inferred));
    }
    assert!(content.borders.iter().all(|border| border.weakest() == Confidence::Inferred));
    assert!(content.leaders.iter().all(|leader| leader.weakest() == Confidence::Official));
}

#[test]
fn rule_s13_spaces_and_leaders_stand_in_their_binding_order() {
    let content = content();
    let spaces = "NLD DUR CUM WML NRY WRY ERY LAN CHE DBY NOT LIN LEI STF SAL HEF WOR WAR NHP HUN CAM NFK SFK ESX \
                  HRT BED BUC OXF GLO BRK WIL HAM SRY SSX KEN SOM DOR DEV CON PEM LON SWA MWA NWA";
    assert_eq!(content.spaces.iter().map(|space| space.id.as_str()).collect::<Vec<_>>().join(" "), spaces);
    let leaders = "charles rupert hopton newcastle cromwell fairfax essex waller";
    assert_eq!(
        content.leaders.iter().map(|leader| leader.id.as_str()).collect::<Vec<_>>().join(" "),
        leaders
    );
}

#[test]
fn each_side_has_four_leaders_and_one_whose_loss_decides() {
    let content = content();
    for (side, great) in [(Side::Royalist, "King Charles I"), (Side::Parliament, "Oliver Cromwell")] {
        let leaders = || content.leaders.iter().filter(|leader| leader.side == side);
        assert_eq!(leaders().count(), 4);
        let decisive = leaders().filter(|leader| leader.victory).map(|leader| leader.name.as_str());
        assert_eq!(decisive.collect::<Vec<_>>(), [great]);
    }
}

#[test]
fn borders_are_listed_once_and_in_board_order() {
    let content = content();
    let places: Vec<[usize; 2]> = content
        .borders
        .iter()
        .map(|border| ends(border).map(|end| content.spaces.position(end).expect("a space")))
        .collect();
    assert_eq!(places.len(), 103);
    assert!(places.iter().all(|[a, b]| a < b));
    assert!(places.is_sorted());
    // Lengths were measured on polygons, which the Ridings don't have.
    for border in &content.borders {
        let measured = border.source[0].key == "polygons";
        assert_eq!(border.km.is_some(), measured, "{}", border.id);
    }
    assert_eq!(content.borders.iter().filter(|border| border.km.is_none()).count(), 11);
}

#[test]
fn the_board_hangs_together() {
    let content = content();
    let neighbours = content.neighbours();
    let dead_ends = neighbours.iter().filter(|(_, near)| near.len() == 1);
    assert_eq!(dead_ends.map(|(&space, _)| space).collect::<Vec<_>>(), ["CON"]);
    let widest = neighbours.iter().max_by_key(|(_, near)| near.len()).expect("spaces");
    assert_eq!((*widest.0, widest.1.len()), ("WRY", 8));

    let mut diameter = 0;
    let mut cut_spaces = Vec::new();
    for &space in neighbours.keys() {
        let actions = distances(&neighbours, space, None);
        assert_eq!(actions.len(), content.spaces.len(), "everything is reached from {space}");
        diameter = diameter.max(actions.into_values().max().unwrap_or(0));

        let other = neighbours.keys().find(|&&other| other != space).expect("another space");
        if distances(&neighbours, other, Some(space)).len() < content.spaces.len() - 1 {
            cut_spaces.push(space);
        }
    }
    assert_eq!((diameter, cut_spaces), (9, vec!["DEV"]));
}

#[test]
fn spaces_that_only_water_joins_are_no_neighbours() {
    let content = content();
    let neighbours = content.neighbours();
    for [a, b] in [["ESX", "KEN"], ["ERY", "LIN"]] {
        assert!(!neighbours[a].contains(b), "{a}-{b}");
    }
}

/// Drawn straight from label to label, so that a map of the board is plane as it stands.
#[test]
fn no_two_borders_cross() {
    let content = content();
    let lines: Vec<[Label; 2]> =
        content.borders.iter().map(|border| ends(border).map(|end| content.space(end).label)).collect();
    for (index, &[a, b]) in lines.iter().enumerate() {
        for &[c, d] in &lines[index + 1..] {
            let shared = a == c || a == d || b == c || b == d;
            let crossed = turn(a, b, c) != turn(a, b, d) && turn(c, d, a) != turn(c, d, b);
            assert!(shared || !crossed);
        }
    }
}

/// Returns the turn of a path through three points: 1, -1, or 0 straight on.
fn turn(a: Label, b: Label, c: Label) -> i64 {
    ((b.lon - a.lon) * (c.lat - a.lat) - (b.lat - a.lat) * (c.lon - a.lon)).signum()
}

#[test]
fn the_numbers_of_the_rules_are_those_of_the_page_and_the_rulings() {
    let content = content();
    assert_eq!(content.calendar.value, Calendar { first_year: 1642, first_month: 12, movement_months: 3 });
    assert_eq!(content.influence.value, Influence { counties_per_point: 3, first_income: 8 });
    assert_eq!(content.occupation.value, Occupation { points_per_month: 1 });
    assert_eq!(content.army.value, Army { strength: 1, per_home_centre: 1 });
    assert_eq!(content.build.value, Build { per_centre_max: 1 });
    let leader = LeaderNumbers {
        strength_at_home: 1,
        strength_elsewhere: 0,
        strength_with_army: 1,
        per_space_max: 2,
        months_for_a_centre: 3,
    };
    assert_eq!(content.leader.value, leader);
    assert_eq!(content.victory.value, Victory { unit_ratio: 2 });

    let official = [
        content.board.weakest(),
        content.calendar.weakest(),
        content.influence.weakest(),
        content.occupation.weakest(),
        content.army.weakest(),
        content.victory.weakest(),
    ];
    assert_eq!(official, [Confidence::Official; 6]);
    assert_eq!(content.build.weakest(), Confidence::Inferred);
    assert_eq!(content.leader.weakest(), Confidence::Inferred);
    assert_eq!(content.leader.confidence("months_for_a_centre"), Some(Confidence::Official));
}

#[test]
fn rule_v6_a_game_is_limited_by_default_to_the_end_of_the_war() {
    let content = content();
    assert_eq!(content.season_limit.value, SeasonLimit { min: 1, max: 40, default: 12 });
    assert_eq!(content.season_limit.weakest(), Confidence::House);
    // The twelfth points/build season, four months after the eleventh, and so on from the first.
    let calendar = &content.calendar;
    let months = u16::from(content.season_limit.default - 1) * u16::from(calendar.movement_months + 1);
    let month = u16::from(calendar.first_month) - 1 + months;
    assert_eq!((calendar.first_year + month / 12, month % 12 + 1), (1646, 8));
}

#[test]
fn the_ledger_has_every_section_and_every_ruling() {
    let ledger = Ledger::load(&files()).unwrap_or_else(|errors| panic!("{errors}"));
    let sections = (0..=11).map(|section| section.to_string());
    let rulings = [("C", 12), ("S", 13), ("I", 14), ("B", 14), ("L", 23), ("M", 30), ("V", 13)];
    let rulings = rulings
        .into_iter()
        .flat_map(|(letter, last)| (1..=last).map(move |ruling| format!("{letter}{ruling}")));
    let expected: Vec<String> = sections.chain(rulings).collect();
    assert_eq!(ledger.iter().map(|rule| rule.id.as_str()).collect::<Vec<_>>(), expected);

    let kept: Vec<_> = ledger.iter().filter(|rule| rule.status == RuleStatus::Content).collect();
    assert_eq!(
        kept.iter().map(|rule| rule.id.as_str()).collect::<Vec<_>>(),
        ["3", "C1", "C2", "C3", "C5", "S13", "V6"]
    );
}

#[test]
fn another_board_is_held_to_its_references() {
    let files = files();
    let spaces = String::from_utf8(files.get("spaces.toml").unwrap().to_vec()).unwrap();
    let layer = [("spaces.toml".to_owned(), spaces.replacen("\"NLD\"", "\"NRT\"", 1).into_bytes())];
    let files = files.overlay(layer).unwrap();
    assert!(!files.is_builtin());
    let errors = load(&files).err().expect("borders of a space that is no more");
    assert_eq!(
        errors.to_string(),
        "borders.toml: border NLD-DUR: id: there is no space NLD\n\
         borders.toml: border NLD-CUM: id: there is no space NLD"
    );
}
