//! Plays a match of a server: the bot that takes any action against a house bot, or at a seat that others wait for.
//!
//! ```sh
//! cargo run -p edgehill-client --example random_bot -- http://127.0.0.1:7400 skirmish
//! cargo run -p edgehill-client --example random_bot -- http://127.0.0.1:7400 skirmish MATCH_ID
//! ```

use std::env;

use edgehill_client::bot::{Random, run_bot};
use edgehill_client::{Client, Error, Join, NewMatch, SeatConfig, entropy};

#[tokio::main(flavor = "current_thread")]
async fn main() {
    let args: Vec<String> = env::args().skip(1).collect();
    let [url, game, rest @ ..] = args.as_slice() else {
        eprintln!("usage: random_bot URL GAME [MATCH_ID]");
        std::process::exit(2);
    };
    if let Err(error) = play(url, game, rest.first()).await {
        eprintln!("random_bot: {error}");
        std::process::exit(1);
    }
}

async fn play(url: &str, game: &str, match_id: Option<&String>) -> Result<(), Error> {
    let client = Client::connect(url).await?;
    let game = client.catalog().game(game).await?;
    let match_id = match match_id {
        Some(id) => id.clone(),
        None => against_house_bots(&client, &game).await?,
    };
    let join = Join::of(&match_id).player("random_bot").entropy(entropy::fresh()?);
    let joined = client.matches().join(join).await?;
    let seat = joined.response.seat;
    println!("match {match_id}, seat {seat}");

    let outcome = run_bot(&client, joined.seat.token(), Random::new(&game, seat, 1642)).await?;
    let returns = outcome.ending.map_or_else(Vec::new, |ending| ending.returns);
    println!("{}: {} actions, returns {returns:?}", outcome.status.as_str_name(), outcome.actions);
    Ok(())
}

/// A match of the game's first scenario whose first seat is free.
async fn against_house_bots(client: &Client, game: &edgehill_client::v1::Game) -> Result<String, Error> {
    let seats = game.scenarios.first().map_or(1, |scenario| scenario.seats);
    let others = (1..seats).map(|_| SeatConfig::HouseBot("random".to_owned()));
    let id = game.summary.as_ref().map_or_else(String::new, |summary| summary.id.clone());
    let new = NewMatch::of(id).seats(std::iter::once(SeatConfig::Open).chain(others));
    Ok(client.matches().create(new).await?.terms.unwrap_or_default().match_id)
}
