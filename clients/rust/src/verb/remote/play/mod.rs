//! `edgehill play` on a server: a person at one seat, house bots or others at the others.

mod lines;
mod session;

use std::io::Write;

use edgehill_engine::catalogue::Catalogue;
use edgehill_engine::seat::{Observer, Seat};

use super::link::{Link, Table};
use super::new::{self, Who, Wish};
use crate::error::Error;
use crate::match_file::{Readers, replace};
use crate::people;
use crate::terminal::screen::Screen;
use crate::terminal::wrap::{self, Wrapped};
use crate::verb::play::Play;
use lines::Lines;
use session::Session;

pub(super) async fn run(verb: &Play, link: &Link, out: &mut dyn Write) -> Result<(), Error> {
    let (table, seat) = match (&verb.match_file, &verb.game) {
        (Some(file), _) => {
            let table = link.table(file).await?;
            let seat =
                match &verb.seat {
                    Some(text) => table.seat(text)?,
                    None => table.own().first().copied().ok_or_else(|| {
                        Error::Usage(format!("{} has no seat of the match", file.display()))
                    })?,
                };
            (table, seat)
        }
        (None, Some(game)) => make(verb, game, link, out).await?,
        (None, None) => return Err(Error::Usage("name a game, or a match with --match".to_owned())),
    };
    let new = verb.match_file.is_none();
    let columns = wrap::columns(verb.columns);
    let out: &mut dyn Write = &mut Wrapped::new(out, columns);
    let mut session = Session::new(table, seat, Lines::of_stdin(), Screen::new(columns))?;
    session.run(new, out).await?;
    match &verb.record {
        Some(path) if session.is_over() => {
            let text = super::record::text(session.table()).await?;
            replace(path, text.as_bytes(), Readers::Usual)?;
            Ok(writeln!(out, "Record: {}", path.display())?)
        }
        Some(_) => Ok(writeln!(out, "No record: the match is not over.")?),
        None => Ok(()),
    }
}

/// Makes a match and takes the seat that is asked for.
async fn make(verb: &Play, game: &str, link: &Link, out: &mut dyn Write) -> Result<(Table, Seat), Error> {
    let (wire, catalogue) = link.game(game).await?;
    let seats = catalogue.seats_of(&verb.start.setup(&catalogue)?);
    let own = match &verb.seat {
        Some(text) => people::seat(&catalogue, seats, text)?,
        None => Seat::new(0),
    };
    let strongest = wire.game.house_bots.last().map(|bot| bot.name.clone()).unwrap_or_default();
    let other = if verb.others { Who::Open } else { Who::Bot(verb.bot.clone().unwrap_or(strongest)) };
    let who = |seat| if seat == own.index() { Who::Own } else { other.clone() };
    // A match that nobody means to come back to has its token in a file that is gone with this call.
    let folder =
        tempfile::tempdir().map_err(|error| Error::Fault(format!("no folder for a token: {error}")))?;
    let path = match &verb.out {
        Some(path) if path.exists() => return Err(Error::Exists { path: path.clone() }),
        Some(path) => path.clone(),
        None => folder.path().join("match.json"),
    };
    let wish = Wish {
        game,
        start: &verb.start,
        chance_source: &verb.chance_source,
        seats: (0..seats).map(who).collect(),
        player: verb.player.as_deref(),
        commit_reveal: false,
        clock: None,
        spectator_delay: None,
        out: &path,
    };
    let made = new::make(link, &catalogue, &wish).await?;
    new::write_made(&catalogue, &made, out)?;
    write_bots(&catalogue, &wish.seats, out)?;
    Ok((link.table(&path).await?, own))
}

fn write_bots(catalogue: &Catalogue, seats: &[Who], out: &mut dyn Write) -> Result<(), Error> {
    for (index, who) in seats.iter().enumerate() {
        if let Who::Bot(name) = who {
            let seat = edgehill_engine::render::observer(catalogue, Observer::Seat(Seat::new(index as u8)));
            writeln!(out, "{seat} is played by the house bot `{name}`.")?;
        }
    }
    Ok(())
}
