//! Matches as they were at each of their revisions ([`Truth`]), and what is served of them held against that.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use edgehill_convert::messages::{self, TextMode};
use edgehill_engine::registry::Registry;
use edgehill_engine::seat::{Observer, Seat};
use edgehill_engine::setup::Setup;
use edgehill_proto::v1;
use edgehill_service::clock::SystemClock;
use edgehill_service::entropy::{SeededEntropy, SystemEntropy};
use edgehill_service::host::{
    Content, CreateMatch, Creator, Error, Host, HostCapacity, JoinMatch, MatchPlan, Parts, SeatCall,
    SeedWanted,
};
use edgehill_service::identity::{CallerKey, CurrentAccounts, SeatToken, ServerKey};
use edgehill_service::limits::Limits;
use edgehill_service::matches::{Ask, Call, EntropyMode, Phase, SeatConfig};
use edgehill_service::store::{
    AccountId, BodyHash, MatchId, Options, RequestId, ShardSet, SqliteStore, Store,
};
use edgehill_service::telemetry::Metrics;
use edgehill_service::wire;
use prost::Message;

use crate::random::Random;

/// The files of a store, in the server's folder.
pub(crate) const FILE: &str = "edgehill.sqlite";
pub(crate) const WAL: &str = "edgehill.sqlite-wal";
pub(crate) const KEY: &str = "server.key";

/// The visible state of a match at one revision: the length of each observer's sequence, and their view.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Moment {
    pub(crate) lengths: Vec<u64>,
    /// Empty before the match begins.
    pub(crate) views: Vec<Vec<u8>>,
}

/// A match, at every revision.
#[derive(Debug)]
pub(crate) struct Match {
    pub(crate) tokens: Vec<SeatToken>,
    /// By revision.
    pub(crate) moments: Vec<Moment>,
    /// All events of each observer, the seats in order and then the spectators.
    pub(crate) events: Vec<Vec<v1::Event>>,
}

/// Matches of both games, some over and some not, and the files that hold them.
#[derive(Debug)]
pub(crate) struct Truth {
    pub(crate) matches: BTreeMap<MatchId, Match>,
    /// The files as `kill -9` would leave them, part of all in the write-ahead log; then as a clean stop does.
    pub(crate) crashed: BTreeMap<&'static str, Vec<u8>>,
    pub(crate) closed: BTreeMap<&'static str, Vec<u8>>,
}

/// A host of the matches in a folder, whose own randomness follows from `seed`.
pub(crate) async fn open(folder: &Path, seed: u64) -> Result<Host, Error> {
    let path = folder.join(FILE);
    let store = tokio::task::block_in_place(|| SqliteStore::open(path, &Options::default()))?;
    let key = ServerKey::read_or_make(&folder.join(KEY), &SystemEntropy).unwrap();
    let parts = Parts {
        registry: Registry::built_in().unwrap(),
        store: Arc::new(key.seal_store(Arc::new(store))) as Arc<dyn Store>,
        key,
        clock: Arc::new(SystemClock::new()),
        entropy: Arc::new(SeededEntropy::new(seed)),
        accounts: CurrentAccounts::default(),
        limits: Limits::default().into(),
        capacity: HostCapacity { loaded_matches: 100, ..HostCapacity::default() },
        metrics: Metrics::nowhere(),
        shards: ShardSet::ALL,
    };
    Host::open(parts).await
}

impl Moment {
    pub(crate) fn of(content: &Content) -> Self {
        let course = content.course();
        let observers = || Observer::all(course.seats().len());
        let lengths = observers().map(|observer| course.length(observer)).collect();
        let table = content.live().ok().and_then(|live| live.table());
        let views = table.map(|table| {
            observers()
                .map(|one| messages::view::of(&table.view(one), TextMode::OFF).encode_to_vec())
                .collect()
        });
        Self { lengths, views: views.unwrap_or_default() }
    }
}

/// All events of each observer.
pub(crate) fn events(content: &Content) -> Vec<Vec<v1::Event>> {
    let observers = Observer::all(content.course().seats().len());
    let published = match content {
        Content::Closed(closed) => closed.published(),
        Content::Live(live) => live.published(),
    };
    let of = |observer| {
        let events = published.since(observer, 0);
        events.map(|one| wire::encoder::event(&one, TextMode::OFF)).collect()
    };
    observers.map(of).collect()
}

/// A call that no other is.
pub(crate) fn ask(number: usize) -> Ask {
    let name = format!("r{number}");
    Ask { id: RequestId::new(&*name).unwrap(), body: BodyHash::of(name.as_bytes()) }
}

async fn create(host: &Host, number: usize, game: &str, options: &BTreeMap<String, String>) -> MatchId {
    let game = Arc::clone(host.registry().game(game).unwrap());
    let setup = Setup::new(game.catalogue(), None, options).unwrap();
    let seats = vec![SeatConfig::Open; game.catalogue().seats_of(&setup)];
    let wanted = CreateMatch {
        creator: Creator {
            account: AccountId::new("anonymous").unwrap(),
            secret: None,
            counted_as: CallerKey::Account(AccountId::new("anonymous").unwrap()),
        },
        ask: ask(number),
        plan: MatchPlan {
            game,
            setup,
            position: None,
            seats,
            entropy_mode: EntropyMode::Open,
            clock: None,
            spectator_delay: None,
            conduct: None,
        },
        seed: SeedWanted::Server,
    };
    host.create(wanted).await.unwrap().id
}

async fn join(host: &Host, id: MatchId, seat: u32) -> SeatToken {
    let wanted = JoinMatch {
        id,
        account: AccountId::new("anonymous").unwrap(),
        secret: None,
        ask: ask(seat as usize),
        seat: Some(seat),
        invitation: None,
        entropy: Some([seat as u8 + 1; 32]),
        commitment: None,
        player: String::new(),
    };
    host.join(wanted, |_, _| Ok(())).await.unwrap().token
}

/// An action that a seat of a match may take now.
pub(crate) fn action(content: &Content, random: &mut Random) -> Option<(Seat, Call)> {
    let live = content.live().ok()?;
    let table = live.table()?;
    let to_act: Vec<Seat> = live.to_act().iter().collect();
    let seat = *random.pick(&to_act)?;
    Some((seat, Call::actions(&[*random.pick(&table.legal(seat))?])))
}

/// Takes an action in a match, if it is not over.
async fn go_on(host: &Host, id: MatchId, truth: &mut Match, random: &mut Random) {
    let next = host.read(id, |content| Ok(action(content, random))).await.unwrap();
    let Some((seat, call)) = next else { return };
    let call = SeatCall { call, ask: ask(truth.moments.len()), expected: None };
    host.execute(host.hold(id), &truth.tokens[seat.index()], call, |_, _| Ok(())).await.unwrap();
    truth.note(host, id).await;
}

impl Match {
    async fn note(&mut self, host: &Host, id: MatchId) {
        let seen = host.read(id, |content| {
            let revision = content.course().revision();
            Ok((revision, Moment::of(content), events(content)))
        });
        let (revision, moment, events) = seen.await.unwrap();
        assert_eq!(revision, self.moments.len() as u64);
        self.moments.push(moment);
        self.events = events;
    }

    /// Asserts that what is served of it is what was there at some revision, and returns which one.
    pub(crate) fn hold(&self, content: &Content, what: &str) -> u64 {
        let revision = content.course().revision();
        let there = self.moments.get(revision as usize).unwrap_or_else(|| {
            panic!("{what}: revision {revision} is served, of {}", self.moments.len() - 1);
        });
        let served = Moment::of(content);
        assert_eq!(
            served.lengths, there.lengths,
            "{what}: the sequences are not those of revision {revision}"
        );
        if content.live().is_ok() {
            assert_eq!(served.views, there.views, "{what}: the views are not those of revision {revision}");
        }
        for ((told, all), &length) in events(content).iter().zip(&self.events).zip(&there.lengths) {
            assert_eq!(told, &all[..length as usize], "{what}: the events are torn or out of order");
        }
        revision
    }
}

/// Plays all matches `rounds` rounds on, one action of each at a time.
async fn play(host: &Host, matches: &mut BTreeMap<MatchId, Match>, rounds: usize, random: &mut Random) {
    for round in 0..rounds {
        for (index, (&id, truth)) in matches.iter_mut().enumerate() {
            if truth.tokens.len() == 2 && (index % 2 == 0 || round < 30) {
                go_on(host, id, truth, random).await;
            }
        }
    }
}

fn read(folder: &Path, names: &[&'static str]) -> BTreeMap<&'static str, Vec<u8>> {
    names.iter().map(|&name| (name, std::fs::read(folder.join(name)).unwrap())).collect()
}

impl Truth {
    /// Plays matches of both games: of each one until it is over, one for a while, one with an empty seat.
    pub(crate) async fn make() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let mut random = Random::new(7);
        let host = open(folder.path(), 1).await.unwrap();
        let mut matches = BTreeMap::new();
        let plain = BTreeMap::new();
        let short = BTreeMap::from([("max_seasons".to_owned(), "1".to_owned())]);
        let wanted = [
            ("english-civil-war-iia", &short, 2),
            ("english-civil-war-iia", &plain, 2),
            ("skirmish", &plain, 2),
            ("skirmish", &plain, 2),
            ("skirmish", &plain, 1),
            ("english-civil-war-iia", &plain, 0),
        ];
        for (number, (game, options, seats)) in wanted.into_iter().enumerate() {
            let id = create(&host, 1_000 + number, game, options).await;
            let mut truth = Match { tokens: Vec::new(), moments: Vec::new(), events: Vec::new() };
            truth.note(&host, id).await;
            for seat in 0..seats {
                truth.tokens.push(join(&host, id, seat).await);
                truth.note(&host, id).await;
            }
            matches.insert(id, truth);
        }
        play(&host, &mut matches, 30, &mut random).await;
        host.close().await;
        drop(host);
        let host = open(folder.path(), 2).await.unwrap();
        play(&host, &mut matches, 400, &mut random).await;
        // Nothing is being written: the files are what they would be after `kill -9` here.
        let crashed = read(folder.path(), &[FILE, WAL, KEY]);
        let mut phases = Vec::new();
        for &id in matches.keys() {
            phases.push(host.read(id, |content| Ok(content.course().phase())).await.unwrap());
        }
        let count = |wanted| phases.iter().filter(|phase| **phase == wanted).count();
        assert!(count(Phase::Over) > 1 && count(Phase::Running) > 0 && count(Phase::Waiting) == 2);
        host.close().await;
        let closed = read(folder.path(), &[FILE, KEY]);
        Self { matches, crashed, closed }
    }

    /// Writes the files that `kill -9` left into `folder`.
    pub(crate) fn lay_out(&self, folder: &Path) {
        self.crashed.iter().for_each(|(name, bytes)| write_file(&folder.join(name), bytes));
    }

    /// Writes its files into `folder`, with `change` made to one of them: which one, and what was made of it.
    pub(crate) fn write(
        &self,
        folder: &Path,
        random: &mut Random,
        change: impl FnOnce(&mut Vec<u8>, &mut Random) -> String,
    ) -> (PathBuf, String) {
        let (files, state) =
            if random.percent(60) { (&self.crashed, "killed") } else { (&self.closed, "closed") };
        // The key is small, and damaged now and then.
        let names: Vec<&str> = files.keys().copied().filter(|name| *name != KEY).collect();
        let damaged = if random.percent(4) { KEY } else { random.pick(&names).copied().unwrap() };
        let mut what = String::new();
        let mut change = Some(change);
        for (&name, bytes) in files {
            let mut bytes = bytes.clone();
            if name == damaged
                && let Some(change) = change.take()
            {
                what = format!("{name} of a {state} store, {}", change(&mut bytes, random));
            }
            write_file(&folder.join(name), &bytes);
        }
        (folder.join(damaged), what)
    }
}

/// Writes a file that nobody else may read.
pub(crate) fn write_file(path: &Path, bytes: &[u8]) {
    std::fs::write(path, bytes).unwrap();
    let own = std::os::unix::fs::PermissionsExt::from_mode(0o600);
    std::fs::set_permissions(path, own).unwrap();
}
