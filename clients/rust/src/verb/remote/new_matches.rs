//! `edgehill new-matches`: the matches of a plan, made together.

use std::collections::BTreeMap;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use edgehill_client::v1::SeatConfig;
use edgehill_client::{CreatedMatch, NewMatch, NewMatches, seat_config};
use edgehill_engine::catalogue::Catalogue;
use edgehill_engine::setup::Setup;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::link::Link;
use super::new::Who;
use crate::chance_source;
use crate::clock_text;
use crate::error::Error;
use crate::match_file::{Readers, replace};
use crate::people;

/// Make several matches on a server: all of them, or none.
#[derive(Debug, clap::Args)]
pub(crate) struct NewMatchesArgs {
    /// The plan, in JSON: `matches`, and `groups` with the number of entrants of each (docs/command.md)
    plan: PathBuf,
    /// File for what was made, with its invitations and creator tokens: they are secrets
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
}

/// A plan, as its file has it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Plan {
    matches: Vec<PlannedMatch>,
    /// The number of entrants of each seed group, by its name in the plan.
    #[serde(default)]
    groups: BTreeMap<String, u32>,
}

/// One match of a plan.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PlannedMatch {
    game: String,
    scenario: Option<String>,
    #[serde(default)]
    options: BTreeMap<String, Value>,
    /// The player of each seat by its id: `open`, `invited`, `account:ID` or `bot:NAME`; seats that are not named are open.
    #[serde(default)]
    seats: BTreeMap<String, String>,
    position: Option<Value>,
    #[serde(default)]
    commit_reveal: bool,
    clock: Option<String>,
    seed: Option<String>,
    /// The name of its seed group, with the entrant of each seat.
    group: Option<String>,
    #[serde(default)]
    entrants: Vec<u32>,
}

/// A match that was made, as the file has it.
#[derive(Serialize)]
struct Made {
    match_id: String,
    game: String,
    /// In hexadecimal digits; empty for a chosen seed.
    commitment: String,
    creator_token: String,
    /// By the seat's id.
    invitations: BTreeMap<String, String>,
    #[serde(skip_serializing_if = "String::is_empty")]
    group_id: String,
}

/// A match of the plan that was read.
struct Read {
    new: NewMatch,
    group: Option<String>,
    entrants: Vec<u32>,
    catalogue: Catalogue,
}

pub(super) async fn run(verb: &NewMatchesArgs, link: &Link, out: &mut dyn Write) -> Result<(), Error> {
    if verb.out.exists() {
        return Err(Error::Exists { path: verb.out.clone() });
    }
    let plan = read(&verb.plan)?;
    let mut matches = Vec::with_capacity(plan.matches.len());
    for (index, one) in plan.matches.into_iter().enumerate() {
        matches.push(one.read(link, index, &plan.groups).await?);
    }
    // Those without a group come first in the call, and the places tell where each stands in the plan.
    let mut places: Vec<usize> = of_group(&matches, None).collect();
    let mut new = NewMatches::of(places.iter().map(|&index| matches[index].new.clone()));
    for (name, &entrants) in &plan.groups {
        let members: Vec<usize> = of_group(&matches, Some(name)).collect();
        let member = |&index: &usize| (matches[index].new.clone(), matches[index].entrants.clone());
        new = new.group(entrants, members.iter().map(member).collect::<Vec<_>>());
        places.extend(members);
    }
    let created = link.client.matches().create_all(new).await?;
    let mut made: Vec<(usize, Made)> = places
        .into_iter()
        .zip(created)
        .map(|(index, created)| (index, made(&matches[index].catalogue, created)))
        .collect();
    made.sort_by_key(|(index, _)| *index);
    let made: Vec<Made> = made.into_iter().map(|(_, made)| made).collect();
    let text = serde_json::to_string_pretty(&serde_json::json!({ "matches": made }));
    let text = text.map_err(|error| Error::Fault(format!("what was made can't be written: {error}")))?;
    replace(&verb.out, format!("{text}\n").as_bytes(), Readers::Owner)?;
    for one in &made {
        writeln!(out, "{}  {}", one.match_id, one.game)?;
    }
    writeln!(out, "Made: {}, with invitations and creator tokens in {}", made.len(), verb.out.display())?;
    Ok(())
}

/// The places in the plan of the matches of a group, or of those of none.
fn of_group(matches: &[Read], name: Option<&str>) -> impl Iterator<Item = usize> {
    let of = move |(_, one): &(usize, &Read)| one.group.as_deref() == name;
    matches.iter().enumerate().filter(of).map(|(index, _)| index)
}

fn read(path: &Path) -> Result<Plan, Error> {
    let text = fs::read_to_string(path).map_err(|error| Error::Read { path: path.to_owned(), error })?;
    serde_json::from_str(&text)
        .map_err(|error| Error::Usage(format!("{} is not a plan: {error}", path.display())))
}

impl PlannedMatch {
    async fn read(self, link: &Link, index: usize, groups: &BTreeMap<String, u32>) -> Result<Read, Error> {
        let at = |what: &str| Error::Usage(format!("matches[{index}].{what}"));
        let (_, catalogue) = link.game(&self.game).await?;
        let options = self.options.into_iter().map(|(id, value)| match value {
            Value::String(text) => (id, text),
            other => (id, other.to_string()),
        });
        let setup = Setup::new(&catalogue, self.scenario.as_deref(), &options.collect())
            .map_err(|error| at(&format!("options: {error}")))?;
        let count = catalogue.seats_of(&setup);
        let mut seats = vec![seat_config::open(); count];
        for (name, text) in &self.seats {
            let seat =
                people::seat(&catalogue, count, name).map_err(|error| at(&format!("seats: {error}")))?;
            let who = who(text);
            seats[seat.index()] = who.ok_or_else(|| {
                at(&format!("seats.{name}: expected open, invited, account:ID or bot:NAME, found `{text}`"))
            })?;
        }
        let mut new = NewMatch::of(&self.game).seats(seats);
        new = new.scenario(catalogue.scenarios[setup.scenario()].id);
        for (id, value) in setup.written(&catalogue) {
            new = new.option(id, value);
        }
        if let Some(position) = self.position {
            new = new.position(position.to_string());
        }
        if self.commit_reveal {
            new = new.commit_reveal();
        }
        if let Some(clock) = &self.clock {
            new = new.clock(clock_text::read(clock)?);
        }
        match (&self.group, &self.seed) {
            (Some(_), Some(_)) => return Err(at("seed: a match of a group has the group's")),
            (Some(name), None) if !groups.contains_key(name) => {
                return Err(at(&format!("group: `groups` has no `{name}`, with the number of its entrants")));
            }
            (None, _) if !self.entrants.is_empty() => {
                return Err(at("entrants: they go with a `group` alone"));
            }
            (None, Some(seed)) => new = new.chosen_seed(*chance_source::seed(seed)?.as_bytes()),
            _ => {}
        }
        Ok(Read { new, group: self.group, entrants: self.entrants, catalogue })
    }
}

/// The player of a seat, but for one's own; `None` if the text names none.
fn who(text: &str) -> Option<SeatConfig> {
    Who::read(text).filter(|who| *who != Who::Own).map(|who| who.config())
}

fn made(catalogue: &Catalogue, created: CreatedMatch) -> Made {
    let dice = created.config.dice.clone().unwrap_or_default();
    let named = |seat: u32| catalogue.seats.get(seat as usize).map_or("?", |seat| seat.id).to_owned();
    let invitations = created.invitations.iter().map(|one| (named(one.seat), one.invitation.clone()));
    Made {
        match_id: created.match_id().to_owned(),
        game: created.config.game.clone(),
        commitment: hex::encode(&dice.commitment),
        creator_token: created.creator_token.clone(),
        invitations: invitations.collect(),
        group_id: dice.group.map(|group| group.group_id).unwrap_or_default(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_plan_of_the_manual_is_read() {
        let manual = include_str!("../../../../../docs/command.md");
        let block =
            manual.split("```json\n").nth(1).and_then(|rest| rest.split("```").next()).expect("a plan");
        let plan: Plan = serde_json::from_str(block).expect("it is read");
        assert_eq!((plan.matches.len(), plan.groups["r1"]), (3, 2));
    }
}
