//! Plays a match of a server: the bot that takes any action against a house bot, or at a seat that others wait for.
//!
//! ```sh
//! cargo run -p edgehill-client --example random_bot -- http://127.0.0.1:7400 skirmish
//! cargo run -p edgehill-client --example random_bot -- http://127.0.0.1:7400 skirmish MATCH_ID
//! ```

use std::env;
use std::process::ExitCode;

use edgehill_client::bot::{RandomBot, run_bot};
use edgehill_client::{Client, Error, GameCatalog, JoinRequest, NewMatch, entropy, seat_config};

#[tokio::main(flavor = "current_thread")]
async fn main() -> ExitCode {
    let args: Vec<String> = env::args().skip(1).collect();
    let [url, game, rest @ ..] = args.as_slice() else {
        eprintln!("usage: random_bot URL GAME [MATCH_ID]");
        return ExitCode::from(2);
    };
    match play(url, game, rest.first()).await {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("random_bot: {error}");
            ExitCode::FAILURE
        }
    }
}

async fn play(url: &str, game: &str, match_id: Option<&String>) -> Result<(), Error> {
    let client = Client::connect(url).await?;
    let game = client.catalog().game(game).await?;
    let match_id = match match_id {
        Some(id) => id.clone(),
        None => against_house_bots(&client, &game).await?,
    };
    let join = JoinRequest::of(&match_id).player("random_bot").entropy(entropy::fresh()?);
    let joined = client.matches().join(join).await?;
    let seat = joined.response.seat;
    println!("match {match_id}, seat {seat}");

    let report = run_bot(&client, joined.handle.token(), RandomBot::new(&game, seat, 1642)).await?;
    let returns = report.result.map_or_else(Vec::new, |result| result.returns);
    println!("{}: {} actions, returns {returns:?}", report.status.as_str_name(), report.actions);
    Ok(())
}

/// A match of the game's first scenario whose first seat is free.
async fn against_house_bots(client: &Client, game: &GameCatalog) -> Result<String, Error> {
    let seats = game.game.scenarios.first().map_or(1, |scenario| scenario.seats);
    let others = (1..seats).map(|_| seat_config::house_bot("random"));
    let new = NewMatch::of(game.id()).seats(std::iter::once(seat_config::open()).chain(others));
    Ok(client.matches().create(new).await?.match_id().to_owned())
}
