//! The quickstart of docs/quickstarts.md, word for word.

use edgehill_client::bot::{RandomBot, run_bot};
use edgehill_client::{Client, Error, JoinRequest, NewMatch, entropy, seat_config};

#[tokio::main]
async fn main() -> Result<(), Error> {
    let client = Client::connect("http://127.0.0.1:7400").await?;
    let game = client.catalog().game("skirmish").await?;
    let seats = [seat_config::open(), seat_config::house_bot("random")];
    let created = client.matches().create(NewMatch::of("skirmish").seats(seats)).await?;
    let join = JoinRequest::of(created.match_id()).seat(0).entropy(entropy::fresh()?);
    let joined = client.matches().join(join).await?;
    let report = run_bot(&client, joined.handle.token(), RandomBot::new(&game, 0, 1642)).await?;
    println!("{} actions: {:?}", report.actions, report.result.map(|result| result.code));
    Ok(())
}
