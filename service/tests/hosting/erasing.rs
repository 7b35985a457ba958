//! The erasure of what a server keeps about a deleted account: nothing names it, and whatever is cut short goes on.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use edgehill_engine::record::{Record, verify};
use edgehill_proto::v1::{self, ErrorReason};
use edgehill_service::admin::{self, Act, LoggedAct};
use edgehill_service::clock::{Clock, ManualClock, SystemClock};
use edgehill_service::erasure::{self, ErasedAccount, Erasure};
use edgehill_service::identity::{
    AccountAct, AccountActError, AccountRoles, Accounts, CurrentAccounts, NewAccountKey, Role,
};
use edgehill_service::matches::Ask;
use edgehill_service::store::{
    AccountId, BodyHash, Faults, MatchId, MemoryStore, Moment, Quarantine, RequestId, Store,
};
use tokio_util::sync::CancellationToken;
use tonic::IntoRequest;

use crate::kit::{HasMatch, Seated, by, exported, join, reason, resign, skirmish, soon};
use crate::player::Player;
use crate::receipts::receipt;
use crate::running::{Client, File, KEY, Running, Start};

/// The account that is erased, the name that its holder plays under, and that which they gave a key: chance writes none of them.
const ADA: &str = "ada-augusta-of-lovelace";
const PLAYER: &str = "Countess of Ockham";
const LABEL: &str = "Babbage's engine";

fn id(name: &str) -> AccountId {
    AccountId::new(name).unwrap()
}

fn ask(name: &str) -> Ask {
    Ask { id: RequestId::new(name).unwrap(), body: BodyHash::of(name.as_bytes()) }
}

pub(crate) fn start(store: Arc<dyn Store>) -> Start {
    let accounts = Accounts::anonymous().with_kept(&KEY, Arc::new(SystemClock::new()));
    Start { accounts: CurrentAccounts::new(accounts), ..Start::on(store) }
}

pub(crate) async fn perform(
    running: &Running,
    name: &str,
    act: AccountAct,
) -> Result<LoggedAct, admin::Error> {
    running.administration.perform(id("chief"), ask(name), move |_, _| Ok(Act::Account(act))).await
}

/// Makes an account with a role, and gives it a key.
pub(crate) async fn account(running: &Running, name: &str, role: Role) -> String {
    let roles: AccountRoles = [role].into_iter().collect();
    perform(running, &format!("make {name}"), AccountAct::Create { account: id(name), roles }).await.unwrap();
    let key = KEY.account_key(&id(name), 1);
    let hash = KEY.hash_account_key(&key).0;
    let label = if name == ADA { LABEL } else { "laptop" }.to_owned();
    let key_made = NewAccountKey { number: 1, label, scopes: roles, hash, expires_ms: None };
    let act = AccountAct::CreateKey { account: id(name), key: key_made };
    perform(running, &format!("key of {name}"), act).await.unwrap();
    key.to_string()
}

/// Matches of the account: one is played to its end, one is archived besides, of one it was replaced and gave way to another.
struct Scene {
    ada: String,
    bob: String,
    played: Seated,
    archived: Seated,
    replaced: Seated,
}

async fn seated(client: &mut Client, (name, creator): (&str, &str), keys: [&str; 2]) -> Seated {
    // In one of them the seat was kept for the account.
    let kept = v1::SeatConfig {
        kind: v1::SeatKind::Invited.into(),
        account_id: ADA.into(),
        ..v1::SeatConfig::default()
    };
    let seats = if name == "archived" { vec![kept] } else { Vec::new() };
    let request = v1::CreateMatchRequest { seed: None, seats, ..skirmish(name) };
    let id = client.create_match(by(creator, request)).await.unwrap().into_inner().id();
    let mut tokens = Vec::new();
    for (seat, (key, player)) in keys.into_iter().zip([PLAYER, "Bob"]).enumerate() {
        let request = v1::JoinMatchRequest {
            entropy: vec![seat as u8 + 1; 32],
            player: player.into(),
            ..join(&id, &format!("{player}'s"), seat as u32)
        };
        tokens.push(client.join_match(by(key, request)).await.unwrap().into_inner().seat_token);
    }
    Seated { id, tokens }
}

async fn end(client: &mut Client, seated: &Seated) {
    client.resign_match(by(&seated.tokens[1], resign(&seated.id, "r"))).await.unwrap();
}

impl Scene {
    async fn of(running: &Running) -> Self {
        let ada = account(running, ADA, Role::Player).await;
        let bob = account(running, "bob", Role::Player).await;
        let umpire = account(running, "umpire", Role::Referee).await;
        let mut client = running.client().await;
        let played = seated(&mut client, ("played", &ada), [&ada, &bob]).await;
        Player::new(&played).play(&mut client, 12).await;
        end(&mut client, &played).await;
        let archived = seated(&mut client, ("archived", &bob), [&ada, &bob]).await;
        end(&mut client, &archived).await;
        running.host.archive(archived.id.parse().unwrap()).await.unwrap();
        let replaced = seated(&mut client, ("replaced", &bob), [&ada, &bob]).await;
        let replace = v1::ReplaceMatchPlayerRequest {
            match_id: replaced.id.clone(),
            request_id: "p".into(),
            seat: 0,
            account_id: "bob".into(),
            ..v1::ReplaceMatchPlayerRequest::default()
        };
        running.referee().await.replace_match_player(by(&umpire, replace)).await.unwrap();
        end(&mut client, &replaced).await;
        Self { ada, bob, played, archived, replaced }
    }

    fn all(&self) -> [&Seated; 3] {
        [&self.played, &self.archived, &self.replaced]
    }
}

async fn delete(running: &Running) {
    perform(running, "delete", AccountAct::Delete { account: id(ADA) }).await.unwrap();
}

fn erasure(running: &Running, closing: &CancellationToken) -> Erasure {
    let clock = Arc::new(SystemClock::new());
    let competitions = running.competitions.clone();
    Erasure::start(
        running.host.clone(),
        running.administration.clone(),
        Some(competitions),
        clock,
        closing.clone(),
    )
}

async fn erase(erasure: &Erasure) -> Result<ErasedAccount, erasure::Error> {
    erasure.erase(id("chief"), ask("erase"), id(ADA)).await
}

/// The name of the account afterwards.
fn pseudonym() -> String {
    String::from_utf8(KEY.pseudonym(&id(ADA)).as_bytes().to_vec()).unwrap()
}

/// Returns whether a name of the account stands in these bytes.
fn named_in(bytes: &[u8]) -> bool {
    [ADA, PLAYER, LABEL].iter().any(|name| bytes.windows(name.len()).any(|window| window == name.as_bytes()))
}

/// Returns whether one stands in a store's files, which are not sealed here.
fn named_in_files(file: &File) -> bool {
    let files = fs::read_dir(file.path().parent().unwrap()).unwrap();
    files.into_iter().any(|file| named_in(&fs::read(file.unwrap().path()).unwrap()))
}

async fn record(client: &mut Client, seated: &Seated) -> String {
    let request = v1::ExportRecordRequest { match_id: seated.id.clone() };
    exported(client.export_record(request).await).await.unwrap().text
}

/// The lines of a record before its end, which is hashed and signed over all of them, without the name.
fn nameless(text: &str) -> Vec<String> {
    let (lines, _) = text.split_once("\nend ").unwrap();
    lines.lines().map(|line| line.replace(PLAYER, "").replace(&pseudonym(), "")).collect()
}

/// All that is seen of a match, but for the names of players.
#[derive(PartialEq, Debug)]
struct Sight {
    state: v1::MatchState,
    views: Vec<Option<v1::View>>,
    receipts: Vec<v1::Receipt>,
    record: Vec<String>,
}

async fn sight(client: &mut Client, seated: &Seated) -> Sight {
    let mut state = seated.get(client).await.state();
    state.seats.iter_mut().for_each(|seat| seat.player.clear());
    state.referee_acts.iter_mut().for_each(|act| act.former_player.clear());
    let (mut views, mut receipts) = (Vec::new(), Vec::new());
    // By Bob's token and by none: hers is void.
    for token in [&seated.tokens[1], ""] {
        let request = v1::GetViewRequest { match_id: seated.id.clone(), ..v1::GetViewRequest::default() };
        let request = if token.is_empty() { request.into_request() } else { by(token, request) };
        views.push(client.get_view(request).await.unwrap().into_inner().view);
        receipts.push(receipt(client, &seated.id, token).await);
    }
    Sight { state, views, receipts, record: nameless(&record(client, seated).await) }
}

async fn sights(client: &mut Client, scene: &Scene) -> Vec<Sight> {
    let mut sights = Vec::new();
    for seated in scene.all() {
        sights.push(sight(client, seated).await);
    }
    sights
}

/// That all matches are seen as they were and replay, and that the pseudonym stands where the name stood.
async fn assert_erased(running: &Running, scene: &Scene, seen: &[Sight]) {
    let mut client = running.client().await;
    for (now, then) in sights(&mut client, scene).await.iter().zip(seen) {
        assert_eq!((&now.record, &now.receipts), (&then.record, &then.receipts));
        assert_eq!(now, then);
    }
    let shown = scene.played.get(&mut client).await.state();
    assert_eq!((shown.seats[0].player.as_str(), shown.seats[1].player.as_str()), (&*pseudonym(), "Bob"));
    let shown = scene.replaced.get(&mut client).await.state();
    assert_eq!(shown.referee_acts[0].former_player, pseudonym());
    let listed = client.list_matches(v1::ListMatchesRequest::default()).await.unwrap().into_inner().matches;
    let of_scene = |row: &&v1::Match| scene.all().iter().any(|seated| row.id() == seated.id);
    let listed: Vec<&v1::Match> = listed.iter().filter(of_scene).collect();
    assert!(listed.len() == 3 && !named_in(&format!("{listed:?}").into_bytes()));
    for seated in scene.all() {
        let text = record(&mut client, seated).await;
        assert!(!named_in(text.as_bytes()));
        let game = running.host.registry().game("skirmish").unwrap();
        let report = verify(&**game, &Record::parse(&text).unwrap(), &[KEY.signing().verifying_key()]);
        assert!(report.is_fully_checked(), "{report}");
    }
    let (acts, _) = running.administration.acts(0, None, 100).await.unwrap();
    assert!(!named_in(&format!("{acts:?}").into_bytes()), "{acts:?}");
    let act = AccountAct::Create { account: id(ADA), roles: AccountRoles::default() };
    let again = perform(running, "again", act).await;
    assert_eq!(again.err(), Some(admin::Error::Account(AccountActError::Exists)));
}

#[tokio::test]
async fn an_erased_account_is_named_nowhere_and_its_matches_are_what_they_were() {
    let file = File::new();
    let running = start(file.open()).run().await;
    let scene = Scene::of(&running).await;
    let mut client = running.client().await;
    let going_on = seated(&mut client, ("running", &scene.bob), [&scene.ada, &scene.bob]).await;
    let seen = sights(&mut client, &scene).await;
    let closing = CancellationToken::new();
    let erasing = erasure(&running, &closing);
    // Of an account that is there nothing is erased.
    let refused = erase(&erasing).await.unwrap_err();
    let not_deleted = admin::Error::Account(AccountActError::NotDeleted);
    assert_eq!(refused, erasure::Error::Administration(not_deleted));
    delete(&running).await;
    assert!(named_in_files(&file));

    let erased = erase(&erasing).await.unwrap();
    let expected =
        ErasedAccount { pseudonym: KEY.pseudonym(&id(ADA)), waiting_matches: 1, unreadable_matches: 0 };
    assert_eq!(erased, expected);
    assert_erased(&running, &scene, &seen).await;
    // The match that goes on has her name until it is over, and her token is good for nothing.
    assert!(named_in_files(&file));
    let hers = client.resign_match(by(&going_on.tokens[0], resign(&going_on.id, "hers"))).await;
    assert_eq!(reason(hers), ErrorReason::BadToken);
    running.close().await;
    closing.cancel();
    drop(erasing);

    // It is known after a restart, too.
    let running = start(file.open()).run().await;
    let mut client = running.client().await;
    let erasing = erasure(&running, &CancellationToken::new());
    assert_erased(&running, &scene, &seen).await;
    end(&mut client, &going_on).await;
    assert_eq!(erase(&erasing).await.unwrap(), ErasedAccount { waiting_matches: 0, ..expected });
    assert!(!named_in_files(&file));
    assert_eq!(going_on.get(&mut client).await.state().seats[0].player, pseudonym());
    let last = running.administration.last_act().await.unwrap();
    let (acts, _) = running.administration.acts(last - 1, None, 1).await.unwrap();
    assert!(matches!(acts[0].act, Act::Account(AccountAct::CompleteErasure { .. })), "{acts:?}");
    // Nothing is left to do, and nothing is done.
    erase(&erasing).await.unwrap();
    assert_eq!(running.administration.last_act().await.unwrap(), last);
    running.close().await;
    drop(erasing);
    assert!(!named_in_files(&file));
}

#[tokio::test]
async fn an_erased_account_is_named_nowhere_in_memory() {
    let store = Arc::new(MemoryStore::new());
    let running = start(Arc::clone(&store) as Arc<dyn Store>).run().await;
    let scene = Scene::of(&running).await;
    let seen = sights(&mut running.client().await, &scene).await;
    delete(&running).await;
    // Names stand there as text and as bytes.
    let bytes = |name: &str| format!("{:?}", name.as_bytes()).trim_matches(['[', ']']).to_owned();
    let is_named = || {
        let kept = format!("{store:?}");
        [ADA, PLAYER, LABEL].iter().any(|name| kept.contains(name) || kept.contains(&bytes(name)))
    };
    assert!(is_named());
    let erased = erase(&erasure(&running, &CancellationToken::new())).await.unwrap();
    assert_eq!(erased.waiting_matches, 0);
    assert!(!is_named());
    assert_erased(&running, &scene, &seen).await;
}

fn is_under_way(running: &Running) -> bool {
    running.administration.accounts().kept().erasures_under_way().next().is_some()
}

#[tokio::test]
async fn matches_that_wait_or_are_stopped_are_done_when_they_can_be_without_being_asked_for() {
    let file = File::new();
    let running = start(file.open()).run().await;
    let scene = Scene::of(&running).await;
    let mut client = running.client().await;
    let going_on = seated(&mut client, ("running", &scene.bob), [&scene.ada, &scene.bob]).await;
    let seen = sights(&mut client, &scene).await;
    delete(&running).await;
    let stopped: MatchId = scene.archived.id.parse().unwrap();
    let why = Quarantine { reason: "OPERATOR".into(), detail: String::new(), since_ms: 1 };
    running.store.quarantine(stopped, why).await.unwrap();
    let clock = Arc::new(ManualClock::new(1));
    let (host, administration) = (running.host.clone(), running.administration.clone());
    let (competitions, closing) = (running.competitions.clone(), CancellationToken::new());
    let erasing = Erasure::start(
        host,
        administration,
        Some(competitions),
        Arc::clone(&clock) as Arc<dyn Clock>,
        closing,
    );
    let erased = erase(&erasing).await.unwrap();
    assert_eq!((erased.waiting_matches, erased.unreadable_matches), (1, 1));
    end(&mut client, &going_on).await;
    assert!(is_under_way(&running) && named_in_files(&file));
    running.host.release(stopped).await.unwrap();
    soon(async {
        while is_under_way(&running) {
            clock.advance(Duration::from_secs(60));
            tokio::task::yield_now().await;
        }
    })
    .await;
    assert!(!named_in_files(&file));
    assert_erased(&running, &scene, &seen).await;
}

/// Lets so many writes be done once it is armed, and no more.
#[derive(Default, Debug)]
struct Stopping {
    is_armed: AtomicBool,
    left: AtomicU64,
    at_commit: bool,
}

impl Faults for Stopping {
    fn at(&self, moment: Moment) -> Result<(), String> {
        if !self.is_armed.load(Ordering::SeqCst) || self.at_commit != matches!(moment, Moment::Commit { .. })
        {
            return Ok(());
        }
        let left = self.left.fetch_update(Ordering::SeqCst, Ordering::SeqCst, |left| left.checked_sub(1));
        left.map(|_| ()).map_err(|_| "the disk is gone".to_owned())
    }
}

/// A store from which nothing is erased yet, and what is seen of it.
async fn deleted() -> (File, Scene, Vec<Sight>) {
    let file = File::new();
    let running = start(file.open()).run().await;
    let scene = Scene::of(&running).await;
    let seen = sights(&mut running.client().await, &scene).await;
    delete(&running).await;
    running.close().await;
    (file, scene, seen)
}

/// Has an erasure stop after so many writes; returns whether it was complete by then.
async fn stopped_after(file: &File, writes: u64, at_commit: bool) -> bool {
    let stopping = Arc::new(Stopping { left: AtomicU64::new(writes), at_commit, ..Stopping::default() });
    let running = start(file.open_with(Arc::clone(&stopping) as Arc<dyn Faults>)).run().await;
    let closing = CancellationToken::new();
    let erasing = erasure(&running, &closing);
    stopping.is_armed.store(true, Ordering::SeqCst);
    let is_done = erase(&erasing).await.is_ok();
    closing.cancel();
    running.close().await;
    is_done
}

#[tokio::test]
async fn an_erasure_that_stops_at_any_write_is_completed_when_it_is_asked_for_again() {
    let (whole, scene, seen) = deleted().await;
    for at_commit in [false, true] {
        let mut writes = 0;
        loop {
            let file = whole.copy();
            if stopped_after(&file, writes, at_commit).await {
                break;
            }
            let running = start(file.open()).run().await;
            let erasing = erasure(&running, &CancellationToken::new());
            assert_eq!(erase(&erasing).await.unwrap().waiting_matches, 0, "after {writes} writes");
            assert!(!named_in_files(&file), "after {writes} writes");
            assert_erased(&running, &scene, &seen).await;
            running.close().await;
            writes += 1;
        }
        assert!(writes >= 6, "an act, acts, three matches, an act: {writes}");
    }
}

/// Keeps what a kill at each moment leaves of a store.
#[derive(Debug)]
struct Snapshots {
    path: PathBuf,
    is_armed: AtomicBool,
    taken: Mutex<Vec<File>>,
}

impl Faults for Snapshots {
    fn at(&self, _: Moment) -> Result<(), String> {
        if self.is_armed.load(Ordering::SeqCst) {
            let copy = File::new();
            for ending in ["", "-wal"] {
                let name = |path: &Path| PathBuf::from(format!("{}{ending}", path.display()));
                fs::copy(name(&self.path), name(&copy.path())).unwrap();
            }
            self.taken.lock().unwrap().push(copy);
        }
        Ok(())
    }
}

#[tokio::test]
async fn an_erasure_that_is_killed_at_any_moment_is_completed_when_it_is_asked_for_again() {
    let (file, scene, seen) = deleted().await;
    let snapshots =
        Snapshots { path: file.path(), is_armed: AtomicBool::new(false), taken: Mutex::default() };
    let snapshots = Arc::new(snapshots);
    let running = start(file.open_with(Arc::clone(&snapshots) as Arc<dyn Faults>)).run().await;
    let erasing = erasure(&running, &CancellationToken::new());
    snapshots.is_armed.store(true, Ordering::SeqCst);
    erase(&erasing).await.unwrap();
    snapshots.is_armed.store(false, Ordering::SeqCst);
    running.close().await;
    let taken = std::mem::take(&mut *snapshots.taken.lock().unwrap());
    assert!(
        taken.len() >= 13,
        "six transactions with two moments each, and the file written anew: {}",
        taken.len()
    );
    for (moment, file) in taken.iter().enumerate() {
        let running = start(file.open()).run().await;
        let erasing = erasure(&running, &CancellationToken::new());
        assert_eq!(erase(&erasing).await.unwrap().waiting_matches, 0, "moment {moment}");
        assert!(!named_in_files(file), "moment {moment}");
        assert_erased(&running, &scene, &seen).await;
        running.close().await;
    }
}

#[tokio::test]
async fn an_erasure_that_was_cut_short_goes_on_with_the_next_start() {
    let (whole, scene, seen) = deleted().await;
    for writes in [1, 3] {
        let file = whole.copy();
        assert!(!stopped_after(&file, writes, false).await);
        let running = start(file.open()).run().await;
        let _erasing = erasure(&running, &CancellationToken::new());
        soon(async {
            while is_under_way(&running) {
                tokio::task::yield_now().await;
            }
        })
        .await;
        assert!(!named_in_files(&file));
        assert_erased(&running, &scene, &seen).await;
        running.close().await;
    }
}
