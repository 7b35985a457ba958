//! The real machine of a match, which answers each request after each log.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use edgehill_engine::dice::{OptionsSalt, Seed};
use edgehill_engine::registry::{AnyGame, Registry};
use edgehill_engine::seat::{Observer, Seat};
use edgehill_engine::setup::Setup;
use edgehill_service::matches::{
    Ask, Call, CallOutcome, Course, DiceSecret, Done, EntropyMode, Join, LiveMatch, LogLimits, MatchError,
    MatchHeader, SeatConfig, SeedSource, SeedTerms, SpentTimes,
};
use edgehill_service::store::{
    Append, At, BodyHash, MatchId, MatchLog, Position, RequestId, StoredHeader, StoredRecord,
};
use edgehill_service::wire::encoder::MessageEncoder;

/// A request of the model: 0 takes all actions that a seat can take at first, 1 offers a draw for the other one. Either publishes something
/// to both, so that the outcome of each depends on which is acted on first.
pub(crate) type RequestIndex = u8;

/// Number of requests.
pub(crate) const REQUESTS: usize = 2;

const ACTING: Seat = Seat::new(0);
const OFFERING: Seat = Seat::new(1);

const LIMITS: LogLimits = LogLimits { bytes_max: 1 << 26, changes_max: 64 };

/// The answer of the match to a request.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Answer {
    pub(crate) outcome: CallOutcome,
    /// The revision that its change asks for; `None`: the match has acted on the request before.
    pub(crate) expected: Option<u64>,
    /// The length of its sender's sequence when it was asked.
    length: u64,
}

impl Answer {
    /// The outcome as it would be if the match did not keep it, and read it from what it is now.
    pub(crate) fn made_anew(self) -> CallOutcome {
        CallOutcome { before: self.length, ..self.outcome }
    }
}

/// Asks a match that has these, in this order, for a request.
///
/// A server that takes over reads a log and acts on what comes after it. The model does not keep where the one ended and the other began:
/// the match answers alike wherever that was.
pub(crate) fn ask(log: &[RequestIndex], request: RequestIndex) -> Answer {
    type Answers = HashMap<(Vec<RequestIndex>, RequestIndex), Answer>;
    static ANSWERS: OnceLock<Mutex<Answers>> = OnceLock::new();
    let mut answers = ANSWERS.get_or_init(Mutex::default).lock().unwrap_or_else(PoisonError::into_inner);
    let answer = answers.entry((log.to_vec(), request)).or_insert_with(|| {
        let mut answers = (0..=log.len()).map(|read| {
            let (mut live, _) = after(log, read);
            let length = live.course().length(Observer::Seat(call(request).0));
            let Done { outcome, change } = act(&mut live, request, request).unwrap();
            Answer { outcome, expected: change.map(|change| change.append.expected), length }
        });
        let answer = answers.next().unwrap();
        assert!(answers.all(|other| other == answer), "a log that was read is the one that was written");
        answer
    });
    answer.clone()
}

/// The match of a server that has read the first of these requests in the log and acted on the others itself, and the answers to all.
fn after(log: &[RequestIndex], read: usize) -> (LiveMatch, Vec<CallOutcome>) {
    let (mut writer, mut appends) = begun();
    let (read, acted) = log.split_at(read);
    let mut outcomes = Vec::new();
    for &request in read {
        let done = act(&mut writer, request, request).unwrap();
        appends.push(done.change.expect("it acts on each request once").append);
        outcomes.push(done.outcome);
    }
    let mut live = replayed(&writer, appends);
    for &request in acted {
        let done = act(&mut live, request, request).unwrap();
        assert!(done.change.is_some(), "it acts on each request once");
        outcomes.push(done.outcome);
    }
    (live, outcomes)
}

/// Lets a match act on a request, which says that its body is this one.
fn act(live: &mut LiveMatch, request: RequestIndex, body: u8) -> Result<Done, MatchError> {
    let (seat, call) = call(request);
    let ask = Ask { id: RequestId::new(format!("r{request}")).unwrap(), body: BodyHash::of(&[body]) };
    live.act(seat, call, Some(ask), None, 1, SpentTimes::default())
}

/// The call of a request, and the seat that makes it.
fn call(request: RequestIndex) -> (Seat, Call) {
    match request {
        0 => {
            let (mut live, _) = begun();
            let mut actions = Vec::new();
            while let Some(&action) = live.table().unwrap().legal(ACTING).first() {
                live.act(ACTING, Call::actions(&[action]), None, None, 1, SpentTimes::default()).unwrap();
                actions.push(action);
            }
            (ACTING, Call::actions(&actions))
        }
        _ => (OFFERING, Call::OfferDraw),
    }
}

/// The match that a server reads, which another one has written by these appends.
fn replayed(writer: &LiveMatch, appends: Vec<Append>) -> LiveMatch {
    let (course, game, secret) = created();
    let at = |revision| At { revision, position: Position(revision) };
    let header = StoredHeader {
        id: course.id(),
        at: at(0),
        game: course.header().game.clone(),
        scenario: course.header().scenario.clone(),
        bytes: Vec::new(),
        requests: Vec::new(),
        summary: course.summary(),
    };
    let record = |append: Append| StoredRecord {
        at: at(append.expected + 1),
        entry: append.entry,
        requests: append.requests,
        summary: append.summary,
    };
    let records: Vec<StoredRecord> = appends.into_iter().map(record).collect();
    let log = MatchLog { header, revision: writer.course().revision(), records, header_bytes: 0 };
    LiveMatch::replay(course, game, secret, &log, LIMITS, &MessageEncoder).unwrap()
}

/// A match as it is created.
fn created() -> (Course, Arc<dyn AnyGame>, DiceSecret) {
    let registry = Registry::built_in().unwrap();
    let game = registry.game("skirmish").unwrap();
    let catalogue = game.catalogue();
    let setup = Setup::default_of(catalogue);
    let header = MatchHeader {
        game: catalogue.id.to_owned(),
        rules_version: catalogue.rules_version,
        content: *catalogue.content.as_bytes(),
        scenario: catalogue.scenarios[setup.scenario()].id.to_owned(),
        options: setup.written(catalogue).into_iter().collect(),
        options_hash: [0; 32],
        position: None,
        seats: vec![SeatConfig::Open; 2],
        entropy_mode: EntropyMode::Open,
        seed: SeedTerms::Chosen,
        commitment: None,
        created_ms: 0,
        creator: Vec::new(),
        counted_as: Vec::new(),
        clock: None,
        repinned: None,
        spectator_delay: None,
        conduct: None,
    };
    let source = SeedSource::Chosen(Seed::from_bytes([7; 32]));
    let secret = DiceSecret { source, salt: OptionsSalt::from_bytes([8; 32]) };
    let course = Course::new(MatchId::from_bytes([9; 16]), header, &[None, None]);
    (course, Arc::clone(game), secret)
}

/// A match whose players have just sat down, and what is in its log.
fn begun() -> (LiveMatch, Vec<Append>) {
    let (course, game, secret) = created();
    let mut live = LiveMatch::new(course, game, secret, LIMITS, &MessageEncoder).unwrap();
    let mut appends = Vec::new();
    for seat in 0..2 {
        let join = Join {
            seat,
            player: String::new(),
            account: Vec::new(),
            request: vec![seat],
            secret: [0; 32],
            body: [0; 32],
            token: [seat; 32],
            entropy: None,
            commitment: None,
        };
        appends.push(live.join(join, 1).unwrap().append);
    }
    (live, appends)
}

/// The logs that the model can have.
const LOGS: [&[RequestIndex]; 5] = [&[], &[0], &[1], &[0, 1], &[1, 0]];

/// The table of answered requests is the match's own, and is the same whether the server has acted on them or read them in the log.
#[test]
fn a_retry_is_answered_as_its_request_was() {
    for log in LOGS {
        for read in 0..=log.len() {
            let (mut live, outcomes) = after(log, read);
            for (&request, outcome) in log.iter().zip(outcomes) {
                let revision = live.course().revision();
                let done = act(&mut live, request, request).unwrap();
                assert_eq!(
                    done,
                    Done { outcome, change: None },
                    "{request} again after {log:?}, {read} of it read"
                );
                assert_eq!(live.course().revision(), revision, "a retry changes nothing");
            }
        }
    }
}

#[test]
fn an_id_that_comes_again_with_another_body_is_refused() {
    for log in LOGS {
        for read in 0..=log.len() {
            let (mut live, outcomes) = after(log, read);
            for (&request, outcome) in log.iter().zip(outcomes) {
                let refused = act(&mut live, request, request + 100).unwrap_err();
                assert!(matches!(refused, MatchError::RequestReused { .. }), "{refused:?} after {log:?}");
                let done = act(&mut live, request, request).unwrap();
                assert_eq!(done.outcome, outcome, "the one that was answered is still known");
            }
        }
    }
}

/// An outcome of one value for all orders would keep the promise about retries whatever the match did.
#[test]
fn the_outcome_of_a_request_depends_on_what_came_before() {
    assert_ne!(ask(&[], 0).outcome, ask(&[1], 0).outcome);
    assert_ne!(ask(&[], 1).outcome, ask(&[0], 1).outcome);
}
