//! `edgehill new` on a server: a match is made, one's own seats are taken, their tokens go into a file.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::Path;

use edgehill_client::v1::{ClockConfig, SeatConfig, SeedOrigin, SpectatorDelay};
use edgehill_client::{CreatedMatch, NewMatch, seat_config};
use edgehill_engine::catalogue::Catalogue;
use edgehill_engine::seat::Observer;

use super::link::Link;
use super::status;
use crate::chance_source::{self, ChanceSourceArgs};
use crate::clock_text;
use crate::error::Error;
use crate::people;
use crate::seating::{self, Wanted};
use crate::seats_file::SeatsFile;
use crate::spectator_delay;
use crate::verb::new::{New, StartArgs};

/// The player who takes a seat of a new match.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Who {
    /// The match's creator.
    Own,
    /// Open to anyone: the first who comes has it.
    Open,
    /// The holder of the invitation.
    Invited,
    /// The holder of the key of this account.
    Account(String),
    /// The house bot of this name.
    Bot(String),
}

impl Who {
    /// Reads a player as people write them; `None` for none.
    pub(super) fn read(text: &str) -> Option<Self> {
        match text.split_once(':') {
            Some(("bot", name)) if !name.is_empty() => Some(Self::Bot(name.to_owned())),
            Some(("account", id)) if !id.is_empty() => Some(Self::Account(id.to_owned())),
            None if text == "own" => Some(Self::Own),
            None if text == "open" => Some(Self::Open),
            None if text == "invited" => Some(Self::Invited),
            _ => None,
        }
    }

    pub(super) fn config(&self) -> SeatConfig {
        match self {
            // So that nobody else takes it in between.
            Self::Own | Self::Invited => seat_config::invited(),
            Self::Open => seat_config::open(),
            Self::Account(id) => seat_config::account(id),
            Self::Bot(name) => seat_config::house_bot(name),
        }
    }
}

/// A match to be made.
pub(super) struct Wish<'a> {
    pub game: &'a str,
    pub start: &'a StartArgs,
    pub chance_source: &'a ChanceSourceArgs,
    /// In seat order.
    pub seats: Vec<Who>,
    pub player: Option<&'a str>,
    pub commit_reveal: bool,
    pub clock: Option<ClockConfig>,
    pub spectator_delay: Option<SpectatorDelay>,
    /// The file for the tokens.
    pub out: &'a Path,
}

/// A match that was made, with one's seats in a file.
pub(super) struct Made {
    pub file: SeatsFile,
    pub created: CreatedMatch,
}

pub(super) async fn run(verb: &New, link: &Link, out: &mut dyn Write) -> Result<(), Error> {
    if verb.out.exists() && !verb.force {
        return Err(Error::Exists { path: verb.out.clone() });
    }
    let (_, catalogue) = link.game(&verb.game).await?;
    let wish = Wish {
        game: &verb.game,
        start: &verb.start,
        chance_source: &verb.chance_source,
        seats: who(&catalogue, &verb.start, &verb.server.seats)?,
        player: verb.server.player.as_deref(),
        commit_reveal: verb.server.commit_reveal,
        clock: verb.server.clock.as_deref().map(clock_text::read).transpose()?,
        spectator_delay: verb.server.spectator_delay.as_deref().map(spectator_delay::read).transpose()?,
        out: &verb.out,
    };
    let made = make(link, &catalogue, &wish).await?;
    let scenario = &catalogue.scenarios[verb.start.setup(&catalogue)?.scenario()];
    writeln!(out, "{}, {}: {}", catalogue.title, scenario.title, made.file.path().display())?;
    write_made(&catalogue, &made, out)?;
    let table = link.table(&verb.out).await?;
    let own = table.own().first().copied().map_or(Observer::Spectator, Observer::Seat);
    let view = if table.has_begun() { Some(table.view(own).await?) } else { None };
    status::write(&table, view.as_ref().map(|view| &view.turn_state.node), out)
}

/// Makes a match and takes one's own seats.
pub(super) async fn make(link: &Link, catalogue: &Catalogue, wish: &Wish<'_>) -> Result<Made, Error> {
    let mut new = NewMatch::of(wish.game).seats(wish.seats.iter().map(Who::config));
    if let Some(scenario) = wish.start.scenario() {
        new = new.scenario(scenario);
    }
    for (id, value) in wish.start.setup(catalogue)?.written(catalogue) {
        new = new.option(id, value);
    }
    if let Some(position) = wish.start.position()? {
        new = new.position(position.to_string());
    }
    if wish.commit_reveal {
        new = new.commit_reveal();
    }
    if let Some(clock) = wish.clock {
        new = new.clock(clock);
    }
    if let Some(delay) = wish.spectator_delay {
        new = new.spectator_delay(delay);
    }
    match (&wish.chance_source.dice, &wish.chance_source.seed) {
        (Some(_), _) => {
            let why = "a server rolls its own dice; --seed chooses what they follow from";
            return Err(Error::NotOnServer { verb: "--dice", why });
        }
        (None, Some(seed)) => new = new.chosen_seed(*chance_source::seed(seed)?.as_bytes()),
        (None, None) => {}
    }
    let created = link.client.matches().create(new).await?;
    let config = &created.config;
    let commitment = config.dice.as_ref().map_or(&[][..], |dice| &dice.commitment);
    let mut file = SeatsFile::new(wish.out, link.client.url(), &config.match_id, wish.game, commitment);
    file.keep_creator_token(&created.creator_token);
    // Before the first seat is taken: what was made can be found again.
    file.save()?;
    for (index, _) in wish.seats.iter().enumerate().filter(|(_, who)| **who == Who::Own) {
        let seat = index as u32;
        let wanted = Wanted {
            seat: Some(seat),
            invitation: created.invitation(seat).map(str::to_owned),
            player: wish.player.map(str::to_owned),
            goes_on: false,
            ..Wanted::default()
        };
        seating::take(&link.client, config, wanted, &mut file).await?;
    }
    seating::reveal(&link.client, &file).await?;
    Ok(Made { file, created })
}

/// Writes the match's id, the source of its dice, and the invitations for others.
pub(super) fn write_made(catalogue: &Catalogue, made: &Made, out: &mut dyn Write) -> Result<(), Error> {
    let dice = made.created.config.dice.clone().unwrap_or_default();
    writeln!(out, "Match: {}", made.created.match_id())?;
    match dice.origin() {
        SeedOrigin::Chosen => writeln!(out, "Dice: a seed that was chosen, as the match says to everybody")?,
        _ => writeln!(out, "Dice: the server's seed, bound by {}", hex::encode(&dice.commitment))?,
    }
    let own = made.file.seats();
    for one in made.created.invitations.iter().filter(|one| !own.iter().any(|own| own.seat == one.seat)) {
        let name = catalogue.seats.get(one.seat as usize).map_or("?", |seat| seat.id);
        writeln!(out, "Invitation for {name}: {}", one.invitation)?;
    }
    Ok(())
}

/// The players of the seats, as `--seat SEAT=WHO` says; one's own are those that are not named.
fn who(catalogue: &Catalogue, start: &StartArgs, named: &[String]) -> Result<Vec<Who>, Error> {
    let seats = catalogue.seats_of(&start.setup(catalogue)?);
    let mut by_seat = BTreeMap::new();
    for text in named {
        let form =
            || Error::Usage(format!("seat `{text}`: write SEAT=own, open, invited, account:ID or bot:NAME"));
        let (seat, who) = text.split_once('=').ok_or_else(form)?;
        let seat = people::seat(catalogue, seats, seat)?;
        by_seat.insert(seat.index(), Who::read(who).ok_or_else(form)?);
    }
    Ok((0..seats).map(|seat| by_seat.remove(&seat).unwrap_or(Who::Own)).collect())
}
