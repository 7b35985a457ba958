//! Competitions that a server goes on with: after a stop at any moment, with a store that fails, when an account is erased.

use std::sync::Arc;

use edgehill_competition::Competition;
use edgehill_proto::v1::{self, CompetitionPhase};
use edgehill_service::competitions::LoggedEvent;
use edgehill_service::identity::AccountAct;
use edgehill_service::store::{CompetitionId, Options, SqliteStore, Store};

use crate::erasing::{self, start};
use crate::kit::{by, soon};
use crate::league::{League, points, round_robin, settings};
use crate::running::File;
use crate::trouble::Flaky;

/// All events of a competition, as the store keeps them.
async fn log(store: &Arc<dyn Store>, id: &str) -> Vec<LoggedEvent> {
    let id: CompetitionId = id.parse().unwrap();
    let kept = store.kept_events(id, 0, 1_000).await.unwrap();
    kept.iter().map(|event| LoggedEvent::read(event).unwrap()).collect()
}

#[tokio::test]
async fn a_server_that_is_stopped_goes_on_where_the_competition_stood() {
    let file = File::new();
    let swiss = v1::competition_format::Format::Swiss(v1::SwissFormat { rounds: 3 });
    let (mut id, mut people) = (String::new(), None);
    // Stopped before the start, in each round with a match played and the others not, and after the end.
    for life in 0..8 {
        let running = start(file.open()).run().await;
        let mut league = match people.take() {
            None => League::new(&running, settings(swiss), 6).await,
            Some((umpire, keys)) => League { id: id.clone(), ..League::on(&running, umpire, keys).await },
        };
        id.clone_from(&league.id);
        if life == 1 {
            league.start().await.unwrap();
        }
        let encounters = league.encounters().await;
        let open = encounters.iter().flat_map(|encounter| &encounter.matches);
        let open = open.filter(|one| one.verdict.is_none()).map(|one| one.slot.clone());
        for slot in open.take(2).collect::<Vec<_>>() {
            let one = league.begun(&slot).await;
            league.decide(&one).await;
            league.verdict(&slot).await;
        }
        people = Some((league.umpire.clone(), league.keys.clone()));
        running.close().await;
    }
    let running = start(file.open()).run().await;
    let (umpire, keys) = people.unwrap();
    let mut league = League { id: id.clone(), ..League::on(&running, umpire, keys).await };
    league.play_all().await;
    let rows = league.standings().await;
    assert_eq!(rows[0].name, "bot-1");
    assert_eq!(points(&rows).values().sum::<u32>(), 18);
    // The log is what it is made of: it leads there again, and no match was made twice.
    let log = log(&running.store, &id).await;
    let again = Competition::replay(log.iter().map(|logged| &logged.event)).unwrap();
    let now: Vec<u32> = again.standings().rows.iter().map(|row| row.points.halves()).collect();
    assert_eq!(now, rows.iter().map(|row| row.point_halves).collect::<Vec<_>>());
    let listed = v1::ListMatchesRequest { page_size: 100, ..v1::ListMatchesRequest::default() };
    let listed = league.client.list_matches(by(&league.umpire, listed)).await.unwrap().into_inner();
    assert_eq!(listed.matches.len(), 9);
}

#[tokio::test]
async fn a_competition_outlives_a_store_that_fails_now_and_then() {
    let folder = tempfile::tempdir().unwrap();
    let flaky = Flaky::new(7);
    let options = Options { faults: flaky.clone(), ..Options::default() };
    let store: Arc<dyn Store> =
        Arc::new(SqliteStore::open(folder.path().join("matches.db"), &options).unwrap());
    let running = start(store).run().await;
    let mut league = League::new(&running, round_robin(), 0).await;
    for bot in ["first", "second", "third", "fourth"] {
        league.enrol_bot("random", bot).await.unwrap();
    }
    league.start().await.unwrap();
    flaky.set(true);
    soon(async {
        while flaky.failed.load(std::sync::atomic::Ordering::SeqCst) < 3 {
            tokio::task::yield_now().await;
        }
    })
    .await;
    flaky.set(false);
    soon(async {
        while league.competition().await.phase() != CompetitionPhase::Finished {
            tokio::task::yield_now().await;
        }
    })
    .await;
    assert_eq!(points(&league.standings().await).values().sum::<u32>(), 12);
    let log = log(&running.store, &league.id).await;
    assert_eq!(
        log.iter().map(|logged| logged.number).collect::<Vec<_>>(),
        (1..=log.len() as u64).collect::<Vec<_>>()
    );
}

#[tokio::test]
async fn an_erased_account_is_named_in_no_competition_and_its_results_stay() {
    let file = File::new();
    let running = start(file.open()).run().await;
    let mut league = League::new(&running, round_robin(), 2).await;
    league.start().await.unwrap();
    league.play_all().await;
    let before = league.standings().await;
    let id = |name: &str| edgehill_service::store::AccountId::new(name).unwrap();
    let delete = AccountAct::Delete { account: id("bot-2") };
    erasing::perform(&running, "delete", delete).await.unwrap();
    let pseudonym = crate::running::KEY.pseudonym(&id("bot-2"));
    assert_eq!(running.competitions.erase(&pseudonym).await.unwrap(), 1);
    assert_eq!(running.competitions.erase(&pseudonym).await.unwrap(), 0, "nothing is left");
    let name = String::from_utf8(pseudonym.as_bytes().to_vec()).unwrap();
    let after = league.standings().await;
    let named = |rows: &[v1::StandingRow]| rows.iter().map(|row| row.name.clone()).collect::<Vec<_>>();
    assert_eq!(named(&after), ["bot-1".to_owned(), name.clone()]);
    let points = |rows: &[v1::StandingRow]| rows.iter().map(|row| row.point_halves).collect::<Vec<_>>();
    assert_eq!(points(&after), points(&before));
    let kept = running.store.kept_events(league.id.parse().unwrap(), 0, 1_000).await.unwrap();
    let bytes: Vec<u8> = kept.into_iter().flat_map(|event| event.bytes).collect();
    assert!(!bytes.windows(5).any(|window| window == b"bot-2"));
    running.close().await;
    let running = start(file.open()).run().await;
    let mut league = league.again(&running).await;
    assert_eq!(league.standings().await, after);
}
