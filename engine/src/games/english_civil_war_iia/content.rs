//! The content of the game, typed and checked: board, borders, leaders, numbers ([`load`]).

use serde::Deserialize;

use crate::builtin_content;
use crate::content::{
    Confidence, ContentError, ContentErrors, ContentFiles, ContentRecord, Levels, Loader, Records,
};
use crate::seat::Seat;

use super::adjudicator::{Board, Space, SpaceSet};
use super::realm::{
    ARMIES_MAX, County, LEADERS_A_SIDE, Leader, PARLIAMENT, ROYALIST, Realm, SIDES, SPACES_MAX,
};

/// The files of a content set.
pub(super) fn builtin() -> ContentFiles {
    builtin_content!(
        "english-civil-war-iia": "spaces.toml", "borders.toml", "leaders.toml", "game.toml", "rules.toml"
    )
}

#[derive(Deserialize, Clone, Copy)]
#[serde(rename_all = "kebab-case")]
enum Side {
    Royalist,
    Parliament,
}

impl Side {
    const fn seat(self) -> Seat {
        match self {
            Self::Royalist => ROYALIST,
            Self::Parliament => PARLIAMENT,
        }
    }
}

#[derive(Deserialize)]
struct SpaceRecord {
    id: String,
    name: String,
    counties: Vec<String>,
    label: Label,
    weight: u8,
    counts_as_county: bool,
    bias: i16,
    home: Option<Side>,
    regular_armies: u8,
    start_armies: u8,
}

#[derive(Deserialize, Clone, Copy)]
struct Label {
    lon: i32,
    lat: i32,
}

#[derive(Deserialize)]
struct BorderRecord {
    id: String,
    #[expect(dead_code, reason = "how long a border is makes no difference to play")]
    km: Option<u32>,
}

#[derive(Deserialize)]
struct LeaderRecord {
    id: String,
    name: String,
    side: Side,
    victory: bool,
}

#[derive(Deserialize)]
struct BoardRecord {
    spaces: usize,
    counties: u32,
    home_centres: usize,
}

#[derive(Deserialize)]
struct CalendarRecord {
    first_year: u16,
    first_month: u8,
    movement_months: u8,
}

#[derive(Deserialize)]
struct InfluenceRecord {
    counties_per_point: u16,
    first_income: u16,
}

#[derive(Deserialize)]
struct OccupationRecord {
    points_per_month: u8,
}

#[derive(Deserialize)]
struct ArmyRecord {
    strength: u8,
    per_home_centre: u8,
}

#[derive(Deserialize)]
struct BuildRecord {
    per_centre_max: u8,
}

#[derive(Deserialize)]
struct LeaderNumbers {
    strength_at_home: u8,
    strength_elsewhere: u8,
    strength_with_army: u8,
    per_space_max: u8,
    months_for_a_centre: u8,
}

#[derive(Deserialize)]
struct VictoryRecord {
    unit_ratio: u8,
}

#[derive(Deserialize)]
struct SeasonLimitRecord {
    min: u8,
    max: u8,
    default: u8,
}

/// The numbers of the rules that the content may set.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Numbers {
    /// Year of the first points/build season.
    pub first_year: u16,
    /// Its month, from 1.
    pub first_month: u8,
    /// Movement months between two seasons.
    pub movement_months: u8,
    /// Counties for a point of influence.
    pub counties_per_point: u16,
    /// Number by which a month of occupation moves a rating.
    pub occupation: i16,
    /// Months that a leader stands to make a centre.
    pub months_for_a_centre: u8,
    /// Multiple of the enemy's units that wins.
    pub unit_ratio: u8,
    /// Least, greatest and usual number of seasons.
    pub seasons: [u8; 3],
}

/// The strengths of armies and leaders, which the procedures are written for.
#[derive(Clone, Copy, Debug)]
pub(super) struct Strengths {
    pub(super) army: u8,
    pub(super) at_home: u8,
    pub(super) elsewhere: u8,
    pub(super) with_army: u8,
    pub(super) leaders_a_space: u8,
}

/// The content that the catalogue tells beyond what play needs, and how sure all of it is.
#[derive(Debug)]
pub(super) struct Printed {
    pub(super) spaces: Vec<Levels>,
    /// The historic counties that each space stands for.
    pub(super) counties: Vec<Vec<String>>,
    pub(super) leaders: Vec<Levels>,
    /// How sure each border is.
    borders: Vec<(usize, usize, Confidence)>,
    pub(super) figures: Figures,
}

/// The numbers of the rules that the catalogue alone tells, and how sure all of them are.
#[derive(Debug)]
pub(super) struct Figures {
    pub(super) strengths: Strengths,
    pub(super) calendar: Levels,
    pub(super) influence: Levels,
    pub(super) occupation: Levels,
    pub(super) army: Levels,
    pub(super) leader: Levels,
    pub(super) victory: Levels,
    pub(super) limit: Levels,
}

impl Printed {
    /// How sure it is that two spaces touch.
    pub(super) fn border(&self, one: usize, other: usize) -> Confidence {
        let found = self.borders.iter().find(|&&(a, b, _)| (a, b) == (one, other) || (b, a) == (one, other));
        found.map_or(Confidence::Reconstructed, |&(_, _, level)| level)
    }
}

/// Reads and checks a content set.
///
/// # Errors
/// Every fault found, by file, record and field.
pub(super) fn load(files: &ContentFiles) -> Result<(Realm, Numbers, Printed), ContentErrors> {
    let mut loader = Loader::new(files);
    let spaces = loader.records::<SpaceRecord>("spaces.toml", "space");
    let borders = loader.records::<BorderRecord>("borders.toml", "border");
    let leaders = loader.records::<LeaderRecord>("leaders.toml", "leader");
    let board = loader.record::<BoardRecord>("game.toml", "board");
    let numbers = read_numbers(&mut loader);

    let links = read_links(&mut loader, &borders, &spaces);
    check_spaces(&mut loader, &spaces);
    check_leaders(&mut loader, &leaders);
    if loader.is_builtin()
        && let (Some(board), Some((numbers, income, _))) = (&board, &numbers)
    {
        check_totals(&mut loader, board, &spaces, numbers, *income);
    }
    let graph = Board::new(spaces.len().min(SPACES_MAX), links).ok();
    if let Some(graph) = &graph {
        check_links(&mut loader, &spaces, graph);
    } else {
        loader.report(ContentError::file("borders.toml", "the borders don't make a board"));
    }
    let level = |border: &ContentRecord<BorderRecord>| {
        let (one, other) = border.value.id.split_once('-')?;
        Some((spaces.position(one)?, spaces.position(other)?, border.levels().of("id")))
    };
    let borders = borders.iter().filter_map(level).collect();
    loader.finish(|| {
        let (numbers, _, figures) = numbers?;
        let printed = Printed {
            spaces: spaces.iter().map(ContentRecord::levels).collect(),
            counties: spaces.iter().map(|space| space.counties.clone()).collect(),
            leaders: leaders.iter().map(ContentRecord::levels).collect(),
            borders,
            figures,
        };
        let counties = spaces.into_vec().into_iter().map(county).collect();
        let leaders = leaders.into_vec().into_iter().map(leader).collect();
        Some((Realm::new(counties, leaders, graph?), numbers, printed))
    })
}

fn county(record: ContentRecord<SpaceRecord>) -> County {
    let confidence = record.weakest();
    let SpaceRecord {
        id,
        name,
        label,
        weight,
        counts_as_county,
        bias,
        home,
        regular_armies,
        start_armies,
        ..
    } = record.value;
    County {
        id,
        name,
        confidence,
        weight: if counts_as_county { weight } else { 0 },
        bias,
        home: home.map(Side::seat),
        regular: regular_armies,
        armies: start_armies,
        label: (label.lon, -label.lat),
    }
}

fn leader(record: ContentRecord<LeaderRecord>) -> Leader {
    let confidence = record.weakest();
    let LeaderRecord { id, name, victory, .. } = record.value;
    let mut letters = id.chars();
    let id = letters
        .next()
        .map_or_else(String::new, |first| first.to_ascii_uppercase().to_string() + letters.as_str());
    Leader { id, name, confidence, decisive: victory }
}

fn read_numbers(loader: &mut Loader<'_>) -> Option<(Numbers, u16, Figures)> {
    const FILE: &str = "game.toml";
    let calendar = loader.record::<CalendarRecord>(FILE, "calendar");
    let influence = loader.record::<InfluenceRecord>(FILE, "influence");
    let occupation = loader.record::<OccupationRecord>(FILE, "occupation");
    let army = loader.record::<ArmyRecord>(FILE, "army");
    let build = loader.record::<BuildRecord>(FILE, "build");
    let leader = loader.record::<LeaderNumbers>(FILE, "leader");
    let victory = loader.record::<VictoryRecord>(FILE, "victory");
    let limit = loader.record::<SeasonLimitRecord>(FILE, "season_limit");
    let (calendar, influence, occupation) = (calendar?, influence?, occupation?);
    let (army, build, leader, victory, limit) = (army?, build?, leader?, victory?, limit?);
    let mut within = |table: &str, field: &str, value: u16, low: u16, high: u16| {
        if !(low..=high).contains(&value) {
            let range = if low == high { low.to_string() } else { format!("{low} to {high}") };
            let what = format!("the procedures are written for {range}, not {value}");
            loader.report(ContentError::field(FILE, table, field, what));
        }
    };
    within("calendar", "first_month", calendar.first_month.into(), 1, 12);
    within("calendar", "movement_months", calendar.movement_months.into(), 1, 6);
    within("influence", "counties_per_point", influence.counties_per_point, 1, 48);
    within("occupation", "points_per_month", occupation.points_per_month.into(), 1, 1);
    within("army", "strength", army.strength.into(), 1, 1);
    within("army", "per_home_centre", army.per_home_centre.into(), 1, 1);
    within("build", "per_centre_max", build.per_centre_max.into(), 1, 1);
    within("leader", "strength_at_home", leader.strength_at_home.into(), 1, 1);
    within("leader", "strength_elsewhere", leader.strength_elsewhere.into(), 0, 0);
    within("leader", "strength_with_army", leader.strength_with_army.into(), 1, 1);
    within("leader", "per_space_max", leader.per_space_max.into(), 2, 2);
    within("leader", "months_for_a_centre", leader.months_for_a_centre.into(), 1, 12);
    within("victory", "unit_ratio", victory.unit_ratio.into(), 2, 10);
    within("season_limit", "max", limit.max.into(), 1, 40);
    within("season_limit", "min", limit.min.into(), 1, limit.max.into());
    within("season_limit", "default", limit.default.into(), limit.min.into(), limit.max.into());
    let numbers = Numbers {
        first_year: calendar.first_year,
        first_month: calendar.first_month,
        movement_months: calendar.movement_months,
        counties_per_point: influence.counties_per_point,
        occupation: i16::from(occupation.points_per_month),
        months_for_a_centre: leader.months_for_a_centre,
        unit_ratio: victory.unit_ratio,
        seasons: [limit.min, limit.max, limit.default],
    };
    let figures = Figures {
        strengths: Strengths {
            army: army.strength,
            at_home: leader.strength_at_home,
            elsewhere: leader.strength_elsewhere,
            with_army: leader.strength_with_army,
            leaders_a_space: leader.per_space_max,
        },
        calendar: calendar.levels(),
        influence: influence.levels(),
        occupation: occupation.levels(),
        army: army.levels(),
        leader: leader.levels(),
        victory: victory.levels(),
        limit: limit.levels(),
    };
    Some((numbers, influence.first_income, figures))
}

fn read_links(
    loader: &mut Loader<'_>,
    borders: &Records<BorderRecord>,
    spaces: &Records<SpaceRecord>,
) -> Vec<(Space, Space)> {
    let mut links = Vec::new();
    for border in borders {
        let ends = border.value.id.split_once('-').map(|(one, other)| [one, other]);
        let places = ends.map(|ends| ends.map(|id| spaces.position(id)));
        if let Some([Some(one), Some(other)]) = places
            && one != other
            && let (Some(one), Some(other)) = (Space::new(one as u8), Space::new(other as u8))
        {
            links.push((one, other));
        } else {
            let what = "expected the ids of two spaces with a hyphen between them";
            loader.report(ContentError::field(borders.file(), &borders.name_of(&border.id), "id", what));
        }
    }
    links
}

fn check_spaces(loader: &mut Loader<'_>, spaces: &Records<SpaceRecord>) {
    const FILE: &str = "spaces.toml";
    if !(1..=SPACES_MAX).contains(&spaces.len()) {
        loader.report(ContentError::file(FILE, format!("expected 1 to {SPACES_MAX} spaces")));
    }
    let extra: u32 = spaces.iter().map(|space| u32::from(space.regular_armies)).sum();
    if spaces.len() as u32 + extra > u32::from(ARMIES_MAX) {
        let what = format!("spaces and regular centres support more than {ARMIES_MAX} armies");
        loader.report(ContentError::file(FILE, what));
    }
    let start: u32 = spaces.iter().map(|space| u32::from(space.start_armies)).sum();
    if start > u32::from(ARMIES_MAX) {
        loader.report(ContentError::file(FILE, format!("more than {ARMIES_MAX} armies at the start")));
    }
    for space in spaces {
        let mut fault = |field: &str, what: &str| {
            loader.report(ContentError::field(FILE, &spaces.name_of(&space.id), field, what));
        };
        if space.value.id.is_empty() || !space.value.id.bytes().all(|byte| byte.is_ascii_alphanumeric()) {
            fault("id", "expected letters and digits");
        }
        if !(-1_000..=1_000).contains(&space.bias) {
            fault("bias", "expected -1000 to 1000");
        }
        if space.weight > 20 {
            fault("weight", "expected 0 to 20");
        }
        if space.start_armies > 0 && space.home.is_none() {
            fault("start_armies", "armies start in home centres");
        }
        if space.regular_armies > 0 && space.home.is_none() {
            fault("regular_armies", "regular centres are home centres of the side that starts with them");
        }
    }
    for seat in SIDES {
        let homes = spaces.iter().filter(|space| space.home.is_some_and(|home| home.seat() == seat));
        if homes.count() < LEADERS_A_SIDE {
            loader.report(ContentError::file(FILE, "each side needs at least four home centres"));
        }
    }
}

fn check_links(loader: &mut Loader<'_>, spaces: &Records<SpaceRecord>, graph: &Board) {
    let all: SpaceSet = (0..graph.spaces() as u8).filter_map(Space::new).collect();
    let apart = all.iter().find(|&space| graph.neighbours(space).is_empty());
    if let Some(space) = apart {
        let name = spaces.name_of(&spaces[space.index()].id);
        loader.report(ContentError::record("spaces.toml", &name, "no border leads here"));
    }
}

fn check_leaders(loader: &mut Loader<'_>, leaders: &Records<LeaderRecord>) {
    const FILE: &str = "leaders.toml";
    if leaders.len() != 2 * LEADERS_A_SIDE {
        loader.report(ContentError::file(FILE, "expected four leaders a side"));
    }
    for (index, leader) in leaders.iter().enumerate() {
        let name = leaders.name_of(&leader.id);
        if leader.side.seat() != SIDES[(index / LEADERS_A_SIDE).min(1)] {
            loader.report(ContentError::field(FILE, &name, "side", "the four Royalists come first"));
        }
        if leader.value.id.is_empty() || !leader.value.id.bytes().all(|byte| byte.is_ascii_alphanumeric()) {
            loader.report(ContentError::field(FILE, &name, "id", "expected letters and digits"));
        }
    }
    for seat in SIDES {
        let decisive = leaders.iter().filter(|leader| leader.side.seat() == seat && leader.victory);
        if decisive.count() != 1 {
            loader.report(ContentError::file(FILE, "expected one leader a side with `victory = true`"));
        }
    }
}

/// Checks what the page says of its own board.
fn check_totals(
    loader: &mut Loader<'_>,
    board: &ContentRecord<BoardRecord>,
    spaces: &Records<SpaceRecord>,
    numbers: &Numbers,
    first_income: u16,
) {
    let weight = |of: &dyn Fn(&SpaceRecord) -> bool| -> u32 {
        let counted = spaces.iter().filter(|space| space.counts_as_county && of(space));
        counted.map(|space| u32::from(space.weight)).sum()
    };
    let mut totals = vec![("spaces", spaces.len(), board.spaces)];
    totals.push(("counties", weight(&|_| true) as usize, board.counties as usize));
    for seat in SIDES {
        let homes = spaces.iter().filter(|space| space.home.is_some_and(|home| home.seat() == seat)).count();
        totals.push(("home_centres", homes, board.home_centres));
        let own = weight(&|space| space.bias.signum() == super::realm::sign(seat));
        let income = own.div_ceil(u32::from(numbers.counties_per_point));
        totals.push(("first_income", income as usize, usize::from(first_income)));
    }
    for (field, found, stated) in totals {
        if found != stated {
            let what = format!("the spaces make {found}, the page says {stated}");
            loader.report(ContentError::field("game.toml", "board", field, what));
        }
    }
}

/// Ids of the content that read alike in actions.
pub(super) fn action_table_error(error: crate::action::ActionTableError) -> ContentErrors {
    let errors = vec![ContentError::file("spaces.toml", error.to_string())];
    match ContentErrors::none_of(errors) {
        Err(errors) => errors,
        Ok(()) => unreachable!("one error is not none"),
    }
}
