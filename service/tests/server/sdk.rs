//! The SDK with several servers: its clients call one that stays, while the one that has their match is killed.

use std::sync::{Arc, Mutex};

use edgehill_client::bot::{ClientBot, RandomBot, Turn, run_bots};
use edgehill_client::{Client, JoinRequest, NewMatch, entropy, seat_config};
use edgehill_service::store::{MatchId, Shard};
use tokio::sync::oneshot;

use crate::process::{Running, soon};
use crate::real_postgres::postgres;
use crate::shared::Shared;

/// The server that is to be killed, and who is told of that.
type Doomed = Arc<Mutex<Option<(Running, oneshot::Sender<()>)>>>;

/// A bot that kills the server before one of its choices.
struct Killing {
    bot: RandomBot,
    choices: u32,
    doomed: Doomed,
}

/// The choice of each bot before which the server is killed, if it was not by the other: both have made some by then, and more are to come.
const LAST_BEFORE: u32 = 5;

impl ClientBot for Killing {
    fn choose(&mut self, turn: &Turn<'_>) -> Vec<u32> {
        self.choices += 1;
        if self.choices == LAST_BEFORE
            && let Some((server, told)) = self.doomed.lock().unwrap().take()
        {
            drop(server);
            told.send(()).unwrap();
        }
        self.bot.choose(turn)
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn bots_of_the_sdk_play_to_the_end_when_the_owner_of_their_match_is_killed() {
    let home = tempfile::tempdir().unwrap();
    let Some(shared) = Shared::new(home.path(), 2) else { return };
    let [owner, staying] = [shared.start().await, shared.start().await];
    shared.shared_by(2).await;
    let connect =
        async |server: &Running| Client::connect(&format!("http://{}", server.address)).await.unwrap();
    // It is made where it is asked for.
    let seats = [seat_config::open(), seat_config::open()];
    let created =
        connect(&owner).await.matches().create(NewMatch::of("skirmish").seats(seats)).await.unwrap();
    let id = created.match_id().to_owned();
    let shard = Shard::of(id.parse::<MatchId>().unwrap()).number();
    let owns = format!(
        "SELECT servers.address FROM shards JOIN servers ON servers.id = shards.server WHERE shard = {shard}"
    );
    let found = postgres().unwrap().text(&shared.variables[0].1, &owns);
    assert_eq!(found, Some(format!("http://{}", owner.address)));

    let client = connect(&staying).await;
    let game = client.catalog().game("skirmish").await.unwrap();
    let (told, killed) = oneshot::channel();
    let doomed = Doomed::new(Mutex::new(Some((owner, told))));
    let mut bots = Vec::new();
    for seat in 0..2 {
        let join = JoinRequest::of(&id).seat(seat).entropy(entropy::fresh().unwrap());
        let joined = client.matches().join(join).await.unwrap();
        let bot = RandomBot::new(&game, seat, 1642);
        let bot = Killing { bot, choices: 0, doomed: Arc::clone(&doomed) };
        bots.push((joined.handle.token().to_owned(), bot));
    }
    let asking = async {
        killed.await.unwrap();
        // A single call, too, has its answer when somebody else has the match.
        client.matches().get(&id).await.unwrap()
    };
    let (reports, _) = soon(async { tokio::join!(run_bots(&client, bots), asking) }).await;
    let [one, two] = <[_; 2]>::try_from(reports.unwrap()).unwrap();
    assert!(one.result.is_some() && one.result == two.result, "{one:?}, {two:?}");
    for report in [one, two] {
        assert!(report.actions > u64::from(LAST_BEFORE), "{report:?}");
    }
    assert_eq!(staying.stop().code, Some(0));
}
