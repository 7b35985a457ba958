//! The board of a described position: control, Leaders, Brigades, Sieges, the Naval Status, what has happened.

use serde::Deserialize;

use crate::numbered::Listed;
use crate::position::{PositionError, among, by_seat, within};

use super::super::UnhappyKing;
use super::super::catalogue::HAPPENED;
use super::super::content::ids::{AreaId, CounterId, CounterSet, FortressId, GeneralId, NotableId};
use super::super::content::leaders::Arrival;
use super::super::content::{Content, SEATS};
use super::super::state::{
    Brigades, Happened, Holder, Marks, Post, Presence, Queen, Siege, SiegeMarker, State, Train,
};
use super::{Described, Result, area_of, general_of, place};

/// A Brigade: its face, or that and what else there is to say of it.
#[derive(Deserialize)]
#[serde(untagged)]
pub(super) enum DescribedBrigade {
    Face(String),
    Counter(DescribedCounter),
}

/// A Brigade counter.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct DescribedCounter {
    face: String,
    #[serde(default)]
    known: Known,
    #[serde(default)]
    moved: bool,
    #[serde(default)]
    turncoat: bool,
}

/// Those who know a Brigade beside its own side.
#[derive(Copy, Clone, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Known {
    #[default]
    Nobody,
    Enemy,
    Everybody,
}

/// A Siege.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct DescribedSiege {
    marker: DescribedMarker,
    #[serde(default)]
    value: i64,
    #[serde(default)]
    bonus: i64,
}

/// The marker of a Siege.
#[derive(Copy, Clone, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum DescribedMarker {
    Siege,
    Blockade,
}

pub(super) fn read(game: &UnhappyKing, state: &mut State, described: &Described) -> Result<()> {
    let content = &game.content;
    if !described.setup {
        clear(content, state);
    }
    control(game, state, described)?;
    generals(content, state, described)?;
    notables(content, state, described)?;
    brigades(content, state, described)?;
    sieges(content, state, described)?;
    belongings(game, state, described)?;
    status(game, state, described)
}

/// Without the set-up the map is bare: Generals on it are unemployed, Local Notables have not come, Brigades are where they are recruited.
fn clear(content: &Content, state: &mut State) {
    state.control = Default::default();
    for general in GeneralId::all(content) {
        if let Arrival::Area(_) = content.generals[general].arrival {
            state.generals.place(general, Post::Unemployed);
        }
    }
    state.notables = [Presence::Waiting; super::super::content::NOTABLES];
    let mut counters = *state.brigades.counters();
    for counter in CounterId::all(content) {
        if counters[counter].at.is_of_map() {
            let side = content.faces[content.face_of[counter]].faction.seat();
            counters[counter].at = Holder::pool(side);
        }
        if counters[counter].at != Holder::AWAY {
            counters[counter].marks = Marks::empty();
        }
    }
    state.brigades = Brigades::of(content, counters);
}

fn control(game: &UnhappyKing, state: &mut State, described: &Described) -> Result<()> {
    let Some(control) = &described.control else { return Ok(()) };
    state.control = Default::default();
    for (seat, path, areas) in by_seat(&game.catalogue, "control", control)? {
        for (index, id) in areas.iter().enumerate() {
            let path = format!("{path}[{index}]");
            let area = area_of(&game.content, &path, id)?;
            if state.controller(area) == Some(seat.other()) {
                return Err(PositionError::new(path, "an Area has one marker"));
            }
            state.control[seat.index()].insert(area);
        }
    }
    Ok(())
}

fn generals(content: &Content, state: &mut State, described: &Described) -> Result<()> {
    for (id, at) in &described.generals {
        let path = format!("generals.{id}");
        let general = general_of(content, &path, id)?;
        state.generals.place(general, post(content, &path, at)?);
    }
    for (index, id) in described.may_not_assault.iter().enumerate() {
        let general = general_of(content, &format!("may_not_assault[{index}]"), id)?;
        state.generals.bar_from_assault(general);
    }
    Ok(())
}

/// The place of a General.
fn post(content: &Content, path: &str, at: &str) -> Result<Post> {
    Ok(match at {
        "reinforcements" => Post::Reinforcements,
        "unemployed" => Post::Unemployed,
        "waiting" => Post::Waiting,
        "off-map" => Post::Scotland,
        "out" => Post::Out,
        _ if at.starts_with("inside-") => {
            Post::Inside(content.fortresses[fortress_of(content, path, at)?].area)
        }
        // An Area and a General may share their id.
        _ => match at.strip_prefix("under-") {
            Some(commander) => Post::Under(general_of(content, path, commander)?),
            None => Post::Area(area_of(content, path, at)?),
        },
    })
}

/// The printed Fortress of `inside-` an Area.
fn fortress_of(content: &Content, path: &str, at: &str) -> Result<FortressId> {
    let area = area_of(content, path, at.strip_prefix("inside-").unwrap_or(at))?;
    let printed = content.areas[area].fortress.filter(|&one| content.fortresses[one].notable.is_none());
    printed.ok_or_else(|| PositionError::new(path, "the Area of a Fortress is expected"))
}

fn notables(content: &Content, state: &mut State, described: &Described) -> Result<()> {
    for (id, presence) in &described.notables {
        let path = format!("notables.{id}");
        let ids = content.notables.iter().map(|one| one.named.id.as_str());
        let notable = NotableId::new(place(ids, &path, id, "the id of a Local Notable")?);
        let words = ["waiting", "in-play", "out"];
        let word = among(words, &path, presence, "waiting, in-play or out")?;
        state.notables[notable] = [Presence::Waiting, Presence::InPlay, Presence::Out][word];
    }
    Ok(())
}

/// The place of Brigades that a word names.
fn holder_of(content: &Content, path: &str, at: &str) -> Result<Holder> {
    let sided = |prefix: &str| {
        let side = at.strip_prefix(prefix)?;
        SEATS.into_iter().zip(["royalist", "parliament"]).find(|(_, id)| *id == side).map(|(seat, _)| seat)
    };
    if let Some(seat) = sided("pool-") {
        return Ok(Holder::pool(seat));
    }
    if let Some(seat) = sided("unemployed-") {
        return Ok(Holder::unemployed(seat));
    }
    if let Some(general) = content.generals.iter().position(|one| one.named.id == at) {
        return Ok(GeneralId::new(general).into());
    }
    if let Some(notable) = content.notables.iter().position(|one| one.named.id == at) {
        return Ok(NotableId::new(notable).into());
    }
    Ok(match at {
        "away" => Holder::AWAY,
        "lost" => Holder::LOST,
        "out" => Holder::OUT,
        _ if at.starts_with("inside-") => Holder::inside(fortress_of(content, path, at)?),
        _ => Holder::outside(area_of(content, path, at.strip_prefix("unled-").unwrap_or(at))?),
    })
}

/// Brigades that are named: each takes a counter from where its face has one that is named nowhere, pools and boxes first.
fn brigades(content: &Content, state: &mut State, described: &Described) -> Result<()> {
    let mut counters = *state.brigades.counters();
    let mut named = CounterSet::EMPTY;
    for (word, brigades) in &described.brigades {
        let at = holder_of(content, &format!("brigades.{word}"), word)?;
        for (index, brigade) in brigades.iter().enumerate() {
            let path = format!("brigades.{word}[{index}]");
            let plain = |face: &String| DescribedCounter {
                face: face.clone(),
                known: Known::Nobody,
                moved: false,
                turncoat: false,
            };
            let given;
            let one = match brigade {
                DescribedBrigade::Counter(one) => one,
                DescribedBrigade::Face(face) => {
                    given = plain(face);
                    &given
                }
            };
            let ids = content.faces.iter().map(|face| face.named.id.as_str());
            let face = place(ids, &path, &one.face, "the id of a face of Brigades")?;
            let free = content.faces[face].counters() - named;
            let on_map = |counter: CounterId| counters[counter].at.is_of_map();
            let counter = free.iter().find(|&counter| !on_map(counter)).or(free.first());
            let counter = counter
                .ok_or_else(|| PositionError::new(&path, "there are no more counters of this face"))?;
            named.insert(counter);
            // Whoever is off the map for good is there for all to see.
            let public = matches!(at, Holder::AWAY | Holder::LOST | Holder::OUT);
            let mut marks = match one.known {
                _ if public => Marks::KNOWLEDGE,
                Known::Nobody => Marks::empty(),
                Known::Enemy => Marks::KNOWN,
                Known::Everybody => Marks::KNOWLEDGE,
            };
            marks.set(Marks::MOVED, one.moved);
            marks.set(Marks::TURNED, one.turncoat);
            (counters[counter].at, counters[counter].marks) = (at, marks);
        }
    }
    state.brigades = Brigades::of(content, counters);
    Ok(())
}

fn sieges(content: &Content, state: &mut State, described: &Described) -> Result<()> {
    for (id, siege) in &described.sieges {
        let path = format!("sieges.{id}");
        let area = area_of(content, &path, id)?;
        let fortress = state.fortress(content, area);
        let fortress =
            fortress.ok_or_else(|| PositionError::new(&path, "the Area of a Fortress is expected"))?;
        if state.controller(area).is_none_or(|seat| state.commander_at(content, seat.other(), area).is_none())
        {
            return Err(PositionError::new(path, "an Army beside an enemy Fortress is expected"));
        }
        let marker = match siege.marker {
            DescribedMarker::Siege => SiegeMarker::Siege,
            DescribedMarker::Blockade => SiegeMarker::Blockade,
        };
        let number = |field: &str, number: i64| within(0..=99, &format!("{path}.{field}"), number);
        let (value, bonus) = (number("value", siege.value)? as u8, number("bonus", siege.bonus)? as u8);
        state.sieges[fortress] = Siege { marker, value, bonus };
    }
    Ok(())
}

/// The Siege Trains and the Queen.
fn belongings(game: &UnhappyKing, state: &mut State, described: &Described) -> Result<()> {
    let content = &game.content;
    let general = |at: &str| {
        let id = at.strip_prefix("with-")?;
        content.generals.iter().position(|one| one.named.id == id).map(GeneralId::new)
    };
    for (seat, path, at) in by_seat(&game.catalogue, "trains", &described.trains)? {
        state.trains[seat.index()] = match (at.as_str(), general(at)) {
            ("available", _) => Train::Available,
            ("resting", _) => Train::Resting,
            ("out", _) => Train::Out,
            (_, Some(general)) if content.generals[general].side == seat => Train::With(general),
            (_, Some(_)) => return Err(PositionError::new(path, "a General of that side is expected")),
            _ => Train::In(area_of(content, &path, at)?),
        };
    }
    if let Some(at) = &described.queen {
        state.queen = match (at.as_str(), general(at)) {
            ("abroad", _) => Queen::Abroad,
            ("left", _) => Queen::Left,
            ("captured", _) => Queen::Captured,
            (_, Some(general)) if content.generals[general].side == SEATS[0] => Queen::With(general),
            (_, Some(_)) => return Err(PositionError::new("queen", "a Royalist General is expected")),
            _ => Queen::In(area_of(content, "queen", at)?),
        };
    }
    Ok(())
}

/// The Naval Status, and what has happened.
fn status(game: &UnhappyKing, state: &mut State, described: &Described) -> Result<()> {
    for (index, &value) in described.chits.iter().enumerate() {
        let chits = game.content.numbers.naval.chits.iter();
        let free = |(at, chit): (usize, &i8)| {
            (i64::from(*chit) == value && state.chits >> at & 1 == 0).then_some(at)
        };
        let chit = chits.enumerate().find_map(free);
        let path = format!("chits[{index}]");
        let chit =
            chit.ok_or_else(|| PositionError::new(path, "the value of a chit that is left is expected"))?;
        state.chits |= 1 << chit;
    }
    state.fleet = within(-99..=99, "fleet", described.fleet)? as i8;
    for (index, id) in described.happened.iter().enumerate() {
        let kinds = game.catalogue.markers.iter().skip(HAPPENED.into()).map(|kind| kind.entry.id.as_str());
        let bit = among(kinds, &format!("happened[{index}]"), id, "the id of a marker of what has happened")?;
        state.happened |= Happened::all().iter().nth(bit).unwrap_or(Happened::empty());
    }
    Ok(())
}

/// Refuses what the rules never let stand: Generals without Brigades on the map, both sides' Brigades outside in an Area, more inside than
/// there is room, Brigades on displays of Leaders who are not in play.
pub(super) fn check(game: &UnhappyKing, state: &State) -> Result<()> {
    let content = &game.content;
    for general in GeneralId::all(content) {
        let path = format!("generals.{}", content.generals[general].named.id);
        let on_map = state.area_of(general).is_some();
        let brigades = state.brigades.count(general);
        match state.generals[general].post {
            Post::Under(commander)
                if !state.commands(commander)
                    || content.generals[commander].side != content.generals[general].side =>
            {
                return Err(PositionError::new(path, "a commander of their side on the map is expected"));
            }
            Post::Under(_) if brigades == 0 => {
                return Err(PositionError::new(path, "a Brigade of theirs is expected"));
            }
            Post::Area(_) | Post::Inside(_) if state.size(general) == 0 => {
                return Err(PositionError::new(
                    path,
                    "an Army is expected: a General on the map has Brigades",
                ));
            }
            Post::Inside(area) if state.controller(area) != Some(content.generals[general].side) => {
                return Err(PositionError::new(path, "an own Fortress is expected"));
            }
            Post::Scotland => {}
            _ if !on_map && brigades > 0 => {
                return Err(PositionError::new(path, "Brigades are on displays of Leaders who are in play"));
            }
            _ => {}
        }
    }
    for notable in NotableId::all(content) {
        let one = &content.notables[notable];
        let in_play = state.notables[notable] == Presence::InPlay;
        if !in_play && state.brigades.count(notable) > 0
            || in_play && state.controller(one.area) != Some(one.side)
        {
            let path = format!("notables.{}", one.named.id);
            return Err(PositionError::new(path, "in play with an own marker, or without Brigades"));
        }
    }
    for area in AreaId::all(content) {
        let both = SEATS.iter().all(|&seat| !state.stack(content, seat, area).is_empty());
        if both {
            let id = &content.areas[area].named.id;
            return Err(PositionError::new("brigades", format!("both sides stand outside in {id}")));
        }
    }
    Ok(())
}
