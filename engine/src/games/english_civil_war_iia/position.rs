//! Described positions: a JSON object in content ids, checked into a state (docs/games/english-civil-war-iia.md).

use serde_json::{Map, Value};

use crate::event::Events;
use crate::position::PositionError;
use crate::seat::Seat;
use crate::setup::Setup;

use super::EnglishCivilWar;
use super::adjudicator::{LeaderId, Order, Space};
use super::line::{Described, describe};
use super::realm::{ARMIES_MAX, LEADERS, PARLIAMENT, ROYALIST, SIDES, all_leaders, side_of};
use super::state::{Place, State};

type Result<T> = std::result::Result<T, PositionError>;

/// The fields of a position.
const FIELDS: [&str; 9] =
    ["season", "month", "units", "lost", "bias", "regular", "founded", "clocks", "points"];
/// The greatest rating, either way, and the most saved points that a position may have.
const RATING_MAX: i64 = 1_000;

/// Reads a position and opens its node.
///
/// # Errors
/// Names the field and what would be accepted.
pub(super) fn read(game: &EnglishCivilWar, setup: &Setup, position: &Value) -> Result<State> {
    let (max_seasons, cut_all) = EnglishCivilWar::options(setup);
    let Some(fields) = position.as_object() else { return Err(wrong("", "an object")) };
    if let Some(unknown) = fields.keys().find(|key| !FIELDS.contains(&key.as_str())) {
        return Err(wrong(unknown, format!("no such field; there are {}", FIELDS.join(", "))));
    }
    let reader = Reader { game, fields };
    let mut state = State::bare(game.realm(), max_seasons, cut_all);
    state.date.season = reader.number("season", 1, i64::from(max_seasons), 1)? as u8;
    let month = reader.number("month", 0, i64::from(game.numbers.movement_months), 1)? as u8;
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

struct Reader<'a> {
    game: &'a EnglishCivilWar,
    fields: &'a Map<String, Value>,
}

impl Reader<'_> {
    fn number(&self, field: &str, low: i64, high: i64, default: i64) -> Result<i64> {
        self.fields.get(field).map_or(Ok(default), |value| whole(value, field, low, high))
    }

    /// The entries of an object field; none if it is absent.
    fn object(&self, field: &str) -> Result<Vec<(String, &Value)>> {
        match self.fields.get(field) {
            None => Ok(Vec::new()),
            Some(Value::Object(entries)) => {
                Ok(entries.iter().map(|(key, value)| (key.clone(), value)).collect())
            }
            Some(_) => Err(wrong(field, "an object")),
        }
    }

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
        for (id, value) in self.object("bias")? {
            let field = format!("bias.{id}");
            let space = self.space(&id, &field)?;
            state.bias[space.index()] = whole(value, &field, -RATING_MAX, RATING_MAX)? as i16;
        }
        Ok(())
    }

    fn owners(&self, state: &mut State) -> Result<()> {
        for (id, value) in self.object("regular")? {
            let field = format!("regular.{id}");
            let space = self.space(&id, &field)?;
            if !self.game.realm().regular.contains(space) {
                return Err(wrong(field, "the id of a regular centre"));
            }
            let seat = side(value, &field)?;
            state.regular[seat.index()].insert(space);
            state.regular[seat.other().index()].remove(space);
        }
        Ok(())
    }

    fn founded(&self, state: &mut State) -> Result<()> {
        for (id, value) in self.object("founded")? {
            let field = format!("founded.{id}");
            let space = self.space(&id, &field)?;
            if state.any_centre(self.game.realm()).contains(space) {
                return Err(wrong(field, "the id of a space that is no centre from the start"));
            }
            state.founded[side(value, &field)?.index()].insert(space);
        }
        Ok(())
    }

    fn units(&self, state: &mut State) -> Result<()> {
        let sides = match self.fields.get("units") {
            None => return self.start_units(state),
            Some(Value::String(word)) if word == "start" => return self.start_units(state),
            Some(Value::Object(sides)) => sides,
            Some(_) => return Err(wrong("units", "`start`, or an object with the lists R and P")),
        };
        state.leaders = [Place::Lost; LEADERS];
        for (key, list) in sides {
            let seat = side(&Value::from(key.as_str()), &format!("units.{key}"))?;
            let Some(list) = list.as_array() else {
                return Err(wrong(format!("units.{key}"), "a list of units, such as \"2A+Rupert OXF\""));
            };
            for (index, unit) in list.iter().enumerate() {
                self.unit(state, seat, unit, &format!("units.{key}[{index}]"))?;
            }
        }
        Ok(())
    }

    fn start_units(&self, state: &mut State) -> Result<()> {
        self.game.set_up(state);
        Ok(())
    }

    /// Returns whether a position says nothing about any leader.
    fn names_no_leader(&self, state: &State) -> bool {
        let placed = |place: &Place| matches!(place, Place::At(_));
        !self.fields.contains_key("lost") && !state.leaders.iter().any(placed)
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

    fn unit(&self, state: &mut State, seat: Seat, unit: &Value, field: &str) -> Result<()> {
        let text = unit.as_str().ok_or_else(|| wrong(field, "text, such as \"2A+Rupert OXF\""))?;
        let Described { space, armies, leaders, order } = describe(self.game.realm(), text)
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
        let Some(list) = self.fields.get("lost") else { return Ok(()) };
        let list = list.as_array().ok_or_else(|| wrong("lost", "a list of leaders"))?;
        for (index, name) in list.iter().enumerate() {
            let field = format!("lost[{index}]");
            let leader = self.leader(name.as_str().unwrap_or(""), &field)?;
            match state.leaders[leader.index()] {
                Place::Lost => {}
                _ => return Err(wrong(field, "leaders who are not on the board and not to be placed")),
            }
        }
        let named = |leader: LeaderId| {
            let id = &self.game.realm().leaders[leader.index()].id;
            list.iter().any(|name| name.as_str().is_some_and(|name| name.eq_ignore_ascii_case(id)))
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
        for (id, value) in self.object("clocks")? {
            let field = format!("clocks.{id}");
            let leader = self.leader(&id, &field)?;
            let months = match value.as_array().map(Vec::as_slice) {
                Some([space, months]) => {
                    let space = self.space(space.as_str().unwrap_or(""), &format!("{field}[0]"))?;
                    if state.leaders[leader.index()] != Place::At(space) {
                        return Err(wrong(format!("{field}[0]"), "the space where the leader stands"));
                    }
                    whole(months, &format!("{field}[1]"), 1, most)?
                }
                _ => return Err(wrong(field, "a space and a number of months, such as [\"HUN\", 2]")),
            };
            state.clocks[leader.index()] = months as u8;
        }
        Ok(())
    }

    fn points(&self, state: &mut State) -> Result<()> {
        for (key, value) in self.object("points")? {
            let field = format!("points.{key}");
            let seat = side(&Value::from(key.as_str()), &field)?;
            state.points[seat.index()] = whole(value, &field, 0, RATING_MAX)? as u16;
        }
        Ok(())
    }
}

fn whole(value: &Value, field: &str, low: i64, high: i64) -> Result<i64> {
    let number = value.as_i64().filter(|number| (low..=high).contains(number));
    number.ok_or_else(|| wrong(field, format!("a whole number from {low} to {high}")))
}

fn side(value: &Value, field: &str) -> Result<Seat> {
    match value.as_str() {
        Some("R") => Ok(ROYALIST),
        Some("P") => Ok(PARLIAMENT),
        _ => Err(wrong(field, "R or P")),
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
