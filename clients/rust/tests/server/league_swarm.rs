//! Bots in competitions, on a server that crashes: bots that play, that don't come, that run out of time, that break the rules.

use std::collections::{BTreeMap, HashSet};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use edgehill_client::bot::{RandomBot, run_bot};
use edgehill_client::v1::{
    self, AccountRole, CompetitionEventKind, CompetitionExport, CompetitionPhase, CompetitionSettings,
    ErrorReason, ForfeitReason, MatchConfig, VerdictKind, competition_format,
};
use edgehill_client::{
    Batch, Client, Enrolment, GameCatalog, JoinRequest, NewKey, OpenOptions, Options, PlayEvent, PlayMessage,
    RetryPolicy,
};

use crate::TestServer;

/// True where `EDGEHILL_VOLUME=full` asks for the full figures.
fn is_full() -> bool {
    std::env::var("EDGEHILL_VOLUME").is_ok_and(|volume| volume == "full")
}

/// The way in which a bot plays.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
enum Kind {
    /// By the rules.
    Sound,
    /// It never takes a seat.
    Absent,
    /// It takes its seats, and does nothing.
    Idle,
    /// It takes actions that the rules do not allow.
    Unruly,
}

fn kind_of(number: usize) -> Kind {
    match number % 8 {
        3 => Kind::Absent,
        5 => Kind::Idle,
        7 => Kind::Unruly,
        _ => Kind::Sound,
    }
}

fn patient() -> RetryPolicy {
    RetryPolicy { deadline: Duration::from_secs(300), ..RetryPolicy::default() }
}

fn client(url: &str, key: &str) -> Client {
    let options = Options::new(url).key(key).expect("a key").retry_policy(patient());
    Client::with(options).expect("a client")
}

/// The milliseconds that calls have taken.
type Latencies = Arc<Mutex<Vec<f64>>>;

/// One bot: it plays all matches in which a seat is kept for it, as they come.
async fn play_all(client: Client, kind: Kind, game: Arc<GameCatalog>, number: u64, latencies: Latencies) {
    let mut watch = client.matches().watch_account();
    let mut taken = HashSet::new();
    let mut playing = tokio::task::JoinSet::new();
    while let Ok(news) = watch.next().await {
        let Some(told) = news.r#match else { continue };
        let Some(config) = told.r#match.and_then(|of| of.config) else { continue };
        for seat in told.seats.iter().filter(|seat| seat.is_invited) {
            if kind == Kind::Absent || !taken.insert((config.match_id.clone(), seat.seat)) {
                continue;
            }
            let (client, game, latencies) = (client.clone(), game.clone(), Arc::clone(&latencies));
            playing.spawn(play(client, kind, game, config.clone(), seat.seat, number, latencies));
        }
    }
}

async fn play(
    client: Client,
    kind: Kind,
    game: Arc<GameCatalog>,
    config: MatchConfig,
    seat: u32,
    number: u64,
    latencies: Latencies,
) {
    let request = JoinRequest::of(&config.match_id).seat(seat).entropy([number as u8; 32]);
    // The time for it may be over.
    let Ok(joined) = client.matches().join(request).await else { return };
    match kind {
        Kind::Absent | Kind::Idle => {}
        Kind::Sound if latencies.is_measured() => measured(&client, joined.handle.token(), &latencies).await,
        Kind::Sound => {
            // Its match may be ended for it.
            let _ = run_bot(&client, joined.handle.token(), RandomBot::new(&game, seat, number)).await;
        }
        Kind::Unruly => loop {
            let wrong = joined.handle.apply(Batch::ids([0])).await;
            match wrong.as_ref().err().and_then(|error| error.refusal()).map(|refusal| refusal.reason()) {
                Some(ErrorReason::MatchNotStarted) | None if wrong.is_err() => tokio::task::yield_now().await,
                Some(
                    ErrorReason::IllegalAction | ErrorReason::NotYourTurn | ErrorReason::MatchNotStarted,
                ) => {}
                _ => return,
            }
        },
    }
}

trait Measured {
    fn is_measured(&self) -> bool;
}

impl Measured for Latencies {
    /// True if latencies are wanted: a list that has room.
    fn is_measured(&self) -> bool {
        self.lock().expect("no panic").capacity() > 0
    }
}

/// Plays a seat at random, and notes how long each answer took: from the sending of an action to the server's word on it.
async fn measured(client: &Client, token: &str, latencies: &Latencies) {
    let mut session = client.play();
    let channel = session.open(token, OpenOptions { omit_events: true, ..OpenOptions::default() });
    let (mut sent, mut turn) = (None, 0_usize);
    while let Ok(Some(PlayEvent { message, .. })) = session.next().await {
        let PlayMessage::Update { update, .. } = message else { continue };
        if update.apply_result.is_some()
            && let Some(at) = sent.take()
        {
            let at: Instant = at;
            latencies.lock().expect("no panic").push(at.elapsed().as_secs_f64() * 1e3);
        }
        if update.state.as_ref().is_some_and(|state| state.result.is_some()) {
            session.close(channel);
            return;
        }
        if let Some(legal) = update.legal_actions.as_ref().filter(|legal| !legal.ids.is_empty()) {
            turn += 1;
            let choice = legal.ids[turn.wrapping_mul(7_919) % legal.ids.len()];
            sent = Some(Instant::now());
            if session.apply(channel, Batch::ids([choice])).is_err() {
                return;
            }
        }
    }
}

/// A server with an umpire and so many players: their keys.
struct People {
    umpire: Client,
    keys: Vec<String>,
}

async fn people(server: &TestServer, chief: &str, count: usize) -> People {
    let chief = client(server.url(), chief);
    let admin = chief.admin();
    let make = async |id: &str, role: AccountRole| {
        admin.create_account(id, &[role]).await.expect("made");
        admin.create_key(id, NewKey::default()).await.expect("made").key
    };
    let umpire = client(server.url(), &make("umpire", AccountRole::Referee).await);
    let mut keys = Vec::new();
    for number in 1..=count {
        keys.push(make(&format!("bot-{number}"), AccountRole::Player).await);
    }
    People { umpire, keys }
}

fn swiss(rounds: u32) -> CompetitionSettings {
    let time = |seconds| Some(edgehill_client::prost_types::Duration { seconds, nanos: 0 });
    CompetitionSettings {
        name: "Crash cup".to_owned(),
        game: "skirmish".to_owned(),
        format: Some(v1::CompetitionFormat {
            format: Some(competition_format::Format::Swiss(v1::SwissFormat { rounds })),
        }),
        clock: Some(v1::ClockConfig {
            decision_limit: time(3),
            at_end: v1::TimeoutRule::Forfeit.into(),
            ..v1::ClockConfig::default()
        }),
        policy: Some(v1::CompetitionPolicy {
            illegal_actions_max: 3,
            absence_limit: time(5),
            ..v1::CompetitionPolicy::default()
        }),
        ..CompetitionSettings::default()
    }
}

/// Makes a competition of all of them, and begins it.
async fn begin(people: &People, url: &str, settings: CompetitionSettings) -> String {
    let calls = people.umpire.competitions();
    let id = calls.create(settings).await.expect("made").id;
    for key in &people.keys {
        client(url, key).competitions().enrol(&id, Enrolment::default()).await.expect("enrolled");
    }
    calls.start(&id).await.expect("started");
    id
}

/// A Swiss of bots of all kinds, on a server that is killed in each of its rounds, ends with the standings that its log leads to.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn league_swiss_with_crashes_ends_with_the_standings_of_its_replay() {
    let (bots, rounds, crashes) = if is_full() { (64, 6, 12) } else { (8, 3, 3) };
    let (mut server, chief) = TestServer::start_with_operator("chief");
    let people = people(&server, &chief, bots).await;
    let game = people.umpire.catalog().game("skirmish").await.expect("the game");
    let id = begin(&people, server.url(), swiss(rounds)).await;
    let mut playing = tokio::task::JoinSet::new();
    for (index, key) in people.keys.iter().enumerate() {
        let (client, number) = (client(server.url(), key), index + 1);
        playing.spawn(play_all(client, kind_of(number), game.clone(), number as u64, Latencies::default()));
    }
    let matches = bots / 2 * rounds as usize;
    let calls = people.umpire.competitions();
    let mut watch = calls.watch(&id);
    let (mut ended, mut crashed, mut numbers) = (0, 0, Vec::new());
    let mut verdicts: BTreeMap<String, usize> = BTreeMap::new();
    while let Some(news) = watch.next().await.expect("news") {
        for event in news.events {
            numbers.push(event.number);
            if event.kind() != CompetitionEventKind::MatchEnded {
                continue;
            }
            ended += 1;
            let verdict = event.verdict.expect("a verdict");
            *verdicts.entry(format!("{:?} {:?}", verdict.kind(), verdict.reason())).or_default() += 1;
            // Spread over all of it, and right after something was written.
            if crashed < crashes && ended * crashes >= matches * crashed + matches / 2 {
                crashed += 1;
                server.crash();
            }
        }
    }
    playing.abort_all();
    assert_eq!(numbers, (1..=numbers.len() as u64).collect::<Vec<_>>(), "each event once, in order");
    assert_eq!((ended, crashed), (matches, crashes), "{verdicts:?}");
    let forfeits = |reason: ForfeitReason| {
        verdicts.get(&format!("{:?} {reason:?}", VerdictKind::Forfeit)).copied().unwrap_or(0)
    };
    let [absent, late, unruly] =
        [ForfeitReason::Absence, ForfeitReason::Time, ForfeitReason::IllegalActions].map(forfeits);
    // Of a few bots the one that breaks the rules may each time be too slow for that, where much else is done on the machine.
    assert!(absent > 0 && late + unruly > 0 && (unruly > 0 || !is_full()), "{verdicts:?}");
    let before = calls.export(&id, CompetitionExport::Json).await.expect("a document");
    let rows = calls.standings(&id, 0).await.expect("standings");
    // The competition in memory is the one that the log leads to.
    server.crash();
    let calls = people.umpire.competitions();
    assert_eq!(calls.export(&id, CompetitionExport::Json).await.expect("a document"), before);
    assert_eq!(calls.standings(&id, 0).await.expect("standings"), rows);
    let shown = calls.get(&id).await.expect("it is there").competition.expect("it");
    assert_eq!((shown.phase(), shown.trouble.as_str()), (CompetitionPhase::Finished, ""));
    let sound = rows.rows.iter().filter(|row| kind_of(row.entrant as usize) == Kind::Sound);
    let others = rows.rows.iter().filter(|row| kind_of(row.entrant as usize) != Kind::Sound);
    let mean = |rows: Vec<u32>| f64::from(rows.iter().sum::<u32>()) / rows.len() as f64;
    let (sound, others) =
        (sound.map(|row| row.point_halves).collect(), others.map(|row| row.point_halves).collect());
    assert!(mean(sound) > mean(others), "{rows:?}");
    eprintln!("{bots} bots, {rounds} rounds, {crashes} crashes: {verdicts:?}");
}

/// Many bots at the same time, each over a connection of its own: no error, and how long they wait for an answer.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn league_of_many_bots_plays_without_an_error() {
    let (bots, seconds) = if is_full() { (1_000, 600) } else { (40, 0) };
    let env = [
        ("EDGEHILL_CAPACITY__ADDRESS_CONNECTIONS", "4000".to_owned()),
        ("EDGEHILL_CAPACITY__CALLS_PER_SECOND", "1000000".to_owned()),
        ("EDGEHILL_CAPACITY__CALLS_BURST", "1000000".to_owned()),
    ];
    let (server, chief) = TestServer::start_with_operator_and("chief", &env);
    let people = people(&server, &chief, bots).await;
    let game = people.umpire.catalog().game("skirmish").await.expect("the game");
    let latencies: Latencies = Arc::new(Mutex::new(Vec::with_capacity(1)));
    let mut playing = tokio::task::JoinSet::new();
    for (index, key) in people.keys.iter().enumerate() {
        let (client, game) = (client(server.url(), key), game.clone());
        playing.spawn(play_all(client, Kind::Sound, game, index as u64, Arc::clone(&latencies)));
    }
    let begun = Instant::now();
    let (mut competitions, mut matches) = (0, 0);
    loop {
        // Two, since a competition has at most 512 entrants.
        let mut ids = Vec::new();
        for half in people.keys.chunks(500) {
            let of = People { umpire: people.umpire.clone(), keys: half.to_vec() };
            let mut settings = swiss(4);
            settings.clock = None;
            settings.policy = None;
            ids.push(begin(&of, server.url(), settings).await);
        }
        for id in ids {
            let mut watch = people.umpire.competitions().watch(&id);
            while let Some(news) = watch.next().await.expect("news") {
                for event in
                    news.events.iter().filter(|event| event.kind() == CompetitionEventKind::MatchEnded)
                {
                    let verdict = event.verdict.as_ref().expect("a verdict");
                    assert_ne!(verdict.kind(), VerdictKind::Forfeit, "{event:?}");
                    matches += 1;
                }
                let trouble = news.competition.map(|competition| competition.trouble).unwrap_or_default();
                assert_eq!(trouble, "");
            }
            competitions += 1;
        }
        if begun.elapsed() >= Duration::from_secs(seconds) {
            break;
        }
    }
    playing.abort_all();
    let mut took = latencies.lock().expect("no panic").clone();
    took.sort_by(f64::total_cmp);
    let at = |share: f64| took[((took.len() - 1) as f64 * share) as usize];
    assert_eq!(matches, competitions * 4 * bots.min(500) / 2);
    eprintln!(
        "{bots} bots at once, {competitions} competitions, {matches} matches, {} answers in {:.0} s: p50 {:.1} ms, p99 {:.1} ms, \
         longest {:.1} ms",
        took.len(),
        begun.elapsed().as_secs_f64(),
        at(0.5),
        at(0.99),
        at(1.0),
    );
}
