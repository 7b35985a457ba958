//! Described positions: a JSON object in content ids, checked into a state (docs/games/english-civil-war-iia.md).

use serde::Deserialize;
use serde::de::value::MapAccessDeserializer;
use serde::de::{Deserializer, MapAccess, Visitor};
use serde_json::Value;

use crate::event::Events;
use crate::position::{ById, PositionError, among, fields, within};
use crate::seat::Seat;
use crate::setup::Setup;

use super::EnglishCivilWar;
use super::adjudicator::{LeaderId, Order, Space};
use super::line::{Described as Units, describe};
use super::realm::{ARMIES_MAX, LEADERS, PARLIAMENT, ROYALIST, SIDES, all_leaders, side_of};
use super::state::{Place, State};

type Result<T> = std::result::Result<T, PositionError>;

/// The greatest rating, either way, and the most saved points that a position may have.
const RATING_MAX: i64 = 1_000;

/// The fields of a position.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Described {
    season: i64,
    month: i64,
    units: DescribedUnits,
    lost: Option<Vec<String>>,
    bias: ById<i64>,
    regular: ById<String>,
    founded: ById<String>,
    clocks: ById<Clock>,
    points: ById<i64>,
}

impl Default for Described {
    fn default() -> Self {
        Self {
            season: 1,
            month: 1,
            units: DescribedUnits::Start,
            lost: None,
            bias: ById::new(),
            regular: ById::new(),
            founded: ById::new(),
            clocks: ById::new(),
            points: ById::new(),
        }
    }
}

/// The units on the board.
enum DescribedUnits {
    /// Those of the set-up.
    Start,
    /// Lists by side, an entry a space.
    BySide(ById<Vec<String>>),
}

// By hand: serde's untagged enums lose the path of what is wrong within.
impl<'de> Deserialize<'de> for DescribedUnits {
    fn deserialize<D: Deserializer<'de>>(from: D) -> std::result::Result<Self, D::Error> {
        struct UnitsVisitor;

        impl<'de> Visitor<'de> for UnitsVisitor {
            type Value = DescribedUnits;

            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("`start`, or an object with the lists R and P")
            }

            fn visit_str<E: serde::de::Error>(self, word: &str) -> std::result::Result<DescribedUnits, E> {
                match word {
                    "start" => Ok(DescribedUnits::Start),
                    _ => Err(E::invalid_value(serde::de::Unexpected::Str(word), &self)),
                }
            }

            fn visit_map<A: MapAccess<'de>>(self, map: A) -> std::result::Result<DescribedUnits, A::Error> {
                ById::deserialize(MapAccessDeserializer::new(map)).map(DescribedUnits::BySide)
            }
        }

        from.deserialize_any(UnitsVisitor)
    }
}

/// The space in which a leader stays, and the months there.
#[derive(Deserialize)]
#[serde(expecting = "a space and a number of months, such as [\"HUN\", 2]")]
struct Clock(String, i64);

/// Reads a position and opens its node.
///
/// # Errors
/// Names the field and what would be accepted.
pub(super) fn read(game: &EnglishCivilWar, setup: &Setup, position: &Value) -> Result<State> {
    let described: Described = fields(position)?;
    let (max_seasons, cut_all) = EnglishCivilWar::options(setup);
    let reader = Reader { game, described: &described };
    let mut state = State::bare(game.realm(), max_seasons, cut_all);
    state.date.season = within(1..=max_seasons.into(), "season", described.season)? as u8;
    let month = within(0..=game.numbers.movement_months.into(), "month", described.month)? as u8;
    reader.ratings(&mut state)?;
    reader.owners(&mut state)?;
    reader.founded(&mut state)?;
    reader.units(&mut state)?;
    if reader.names_no_leader(&state) {
        reader.start_leaders(&mut state, month);
    } else {
        reader.lost(&mut state, month)?;
    }
    reader.clocks(&mut state)?;
    reader.points(&mut state)?;
    check(game, &state)?;
    let mut out = Events::silent();
    let mut umpire = game.umpire(&mut state, &mut out);
    if month == 0 {
        umpire.open_season()
    } else {
        umpire.open_month(month)
    }
    Ok(state)
}

fn wrong(field: impl Into<String>, expected: impl Into<String>) -> PositionError {
    PositionError::new(field, expected)
}

/// The side of an id.
fn side(id: &str, field: &str) -> Result<Seat> {
    among(["R", "P"], field, id, "R or P").map(|side| [ROYALIST, PARLIAMENT][side])
}

struct Reader<'a> {
    game: &'a EnglishCivilWar,
    described: &'a Described,
}

impl Reader<'_> {
    fn space(&self, id: &str, field: &str) -> Result<Space> {
        self.game
            .realm()
            .space(id)
            .ok_or_else(|| wrong(field, format!("`{id}` is not the id of a space, such as KEN")))
    }

    fn leader(&self, id: &str, field: &str) -> Result<LeaderId> {
        self.game.realm().leader(id).ok_or_else(|| {
            let names: Vec<&str> =
                self.game.realm().leaders.iter().map(|leader| leader.id.as_str()).collect();
            wrong(field, format!("`{id}` is no leader: there are {}", names.join(", ")))
        })
    }

    fn ratings(&self, state: &mut State) -> Result<()> {
        for (id, &rating) in &self.described.bias {
            let field = format!("bias.{id}");
            let space = self.space(id, &field)?;
            state.bias[space.index()] = within(-RATING_MAX..=RATING_MAX, &field, rating)? as i16;
        }
        Ok(())
    }

    fn owners(&self, state: &mut State) -> Result<()> {
        for (id, owner) in &self.described.regular {
            let field = format!("regular.{id}");
            let space = self.space(id, &field)?;
            if !self.game.realm().regular.contains(space) {
                return Err(wrong(field, "the id of a regular centre"));
            }
            let seat = side(owner, &field)?;
            state.regular[seat.index()].insert(space);
            state.regular[seat.other().index()].remove(space);
        }
        Ok(())
    }

    fn founded(&self, state: &mut State) -> Result<()> {
        for (id, owner) in &self.described.founded {
            let field = format!("founded.{id}");
            let space = self.space(id, &field)?;
            if state.any_centre(self.game.realm()).contains(space) {
                return Err(wrong(field, "the id of a space that is no centre from the start"));
            }
            state.founded[side(owner, &field)?.index()].insert(space);
        }
        Ok(())
    }

    fn units(&self, state: &mut State) -> Result<()> {
        let DescribedUnits::BySide(sides) = &self.described.units else {
            self.game.set_up(state);
            return Ok(());
        };
        state.leaders = [Place::Lost; LEADERS];
        for (id, list) in sides {
            let field = format!("units.{id}");
            let seat = side(id, &field)?;
            for (index, unit) in list.iter().enumerate() {
                self.unit(state, seat, unit, &format!("{field}[{index}]"))?;
            }
        }
        Ok(())
    }

    /// Returns whether a position says nothing about any leader.
    fn names_no_leader(&self, state: &State) -> bool {
        let placed = |place: &Place| matches!(place, Place::At(_));
        self.described.lost.is_none() && !state.leaders.iter().any(placed)
    }

    /// The leaders of the set-up: to be placed where a match begins with that, else where S7 places those that nobody does.
    fn start_leaders(&self, state: &mut State, month: u8) {
        state.leaders = [Place::Unplaced; LEADERS];
        if month == 0 && state.date.season == 1 {
            return;
        }
        for leader in all_leaders() {
            let seat = side_of(leader);
            let homes = self.game.realm().homes[seat.index()];
            let open = |space: &Space| {
                let armed = state.armies_of(seat, *space) > 0;
                let safe = armed || !state.enemy_controls(seat, *space);
                safe && state.armies_of(seat.other(), *space) == 0 && state.leaders_in(*space).len() < 2
            };
            let home = homes.iter().find(open);
            state.set_leader(leader, home.map_or(Place::Lost, Place::At));
        }
    }

    fn unit(&self, state: &mut State, seat: Seat, unit: &str, field: &str) -> Result<()> {
        let Units { space, armies, leaders, order } = describe(self.game.realm(), unit)
            .map_err(|expected| wrong(field, format!("expected {expected}")))?;
        if order != Order::Hold {
            return Err(wrong(field, "units and their space only, such as \"2A+Rupert OXF\""));
        }
        if state.side_in(space).is_some() {
            return Err(wrong(
                field,
                "a space that no other entry names: all units of a space stand in one entry",
            ));
        }
        let total =
            SIDES.map(|seat| u16::from(state.army_count(seat))).iter().sum::<u16>() + u16::from(armies);
        if total > u16::from(ARMIES_MAX) {
            return Err(wrong(field, format!("at most {ARMIES_MAX} armies on the board")));
        }
        if leaders.len() > 2 {
            return Err(wrong(field, "at most two leaders in a space"));
        }
        for leader in leaders.iter() {
            let name = &self.game.realm().leaders[leader.index()].id;
            if side_of(leader) != seat {
                return Err(wrong(field, format!("leaders of this side: {name} is on the other")));
            }
            if state.leaders[leader.index()] != Place::Lost {
                return Err(wrong(field, format!("each leader once: {name} stands elsewhere")));
            }
            state.set_leader(leader, Place::At(space));
        }
        state.set_armies(seat, space, armies);
        Ok(())
    }

    /// Leaders who are not on the board are lost, unless they are still to be placed: at the start only.
    fn lost(&self, state: &mut State, month: u8) -> Result<()> {
        let placing = month == 0 && state.date.season == 1;
        for place in &mut state.leaders {
            if *place == Place::Unplaced && !placing {
                *place = Place::Lost;
            }
        }
        let Some(list) = &self.described.lost else { return Ok(()) };
        for (index, name) in list.iter().enumerate() {
            let field = format!("lost[{index}]");
            let leader = self.leader(name, &field)?;
            match state.leaders[leader.index()] {
                Place::Lost => {}
                _ => return Err(wrong(field, "leaders who are not on the board and not to be placed")),
            }
        }
        let named = |leader: LeaderId| {
            let id = &self.game.realm().leaders[leader.index()].id;
            list.iter().any(|name| name.eq_ignore_ascii_case(id))
        };
        let forgotten =
            all_leaders().find(|leader| state.leaders[leader.index()] == Place::Lost && !named(*leader));
        forgotten.map_or(Ok(()), |leader| {
            let name = &self.game.realm().leaders[leader.index()].id;
            Err(wrong("lost", format!("every leader who is not on the board: {name} is missing")))
        })
    }

    fn clocks(&self, state: &mut State) -> Result<()> {
        let most = i64::from(self.game.numbers.months_for_a_centre) - 1;
        for (id, Clock(space, months)) in &self.described.clocks {
            let field = format!("clocks.{id}");
            let leader = self.leader(id, &field)?;
            let at = format!("{field}[0]");
            if state.leaders[leader.index()] != Place::At(self.space(space, &at)?) {
                return Err(wrong(at, "the space where the leader stands"));
            }
            state.clocks[leader.index()] = within(1..=most, &format!("{field}[1]"), *months)? as u8;
        }
        Ok(())
    }

    fn points(&self, state: &mut State) -> Result<()> {
        for (id, &points) in &self.described.points {
            let field = format!("points.{id}");
            let seat = side(id, &field)?;
            state.points[seat.index()] = within(0..=RATING_MAX, &field, points)? as u16;
        }
        Ok(())
    }
}

/// Refuses what the rules never leave behind, and so a position can't have.
fn check(game: &EnglishCivilWar, state: &State) -> Result<()> {
    for leader in all_leaders() {
        if let Place::At(space) = state.leaders[leader.index()]
            && state.armies[space.index()] == 0
            && state.enemy_controls(side_of(leader), space)
        {
            let (name, id) = (&game.realm().leaders[leader.index()].id, &game.realm().county(space).id);
            let expected = format!("no leader alone in enemy ground: {name} in {id} would be captured");
            return Err(wrong("units", expected));
        }
    }
    Ok(())
}
