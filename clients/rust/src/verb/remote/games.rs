//! `edgehill games` and `edgehill game` of a server.

use std::io::Write;

use edgehill_engine::render;

use super::link::Link;
use crate::error::Error;
use crate::verb::game::Game;
use crate::verb::games::Games;

pub(super) async fn list(verb: &Games, link: &Link, out: &mut dyn Write) -> Result<(), Error> {
    if let Some(id) = &verb.id {
        return print_catalogue(id, link, out).await;
    }
    for game in link.client.catalog().games().await? {
        if verb.ids {
            writeln!(out, "{}", game.id)?;
        } else {
            writeln!(out, "{}: {}", game.id, game.title)?;
            writeln!(out, "  {}", game.summary)?;
        }
    }
    Ok(())
}

pub(super) async fn one(verb: &Game, link: &Link, out: &mut dyn Write) -> Result<(), Error> {
    print_catalogue(&verb.id, link, out).await
}

async fn print_catalogue(id: &str, link: &Link, out: &mut dyn Write) -> Result<(), Error> {
    let (game, catalogue) = link.game(id).await?;
    write!(out, "{}", render::catalogue(&catalogue))?;
    writeln!(out, "House bots")?;
    for bot in &game.game.house_bots {
        writeln!(out, "  {}: {}", bot.name, bot.about)?;
    }
    Ok(())
}
