//! The real machine of a match, which tells the outcome of each request after each log.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use edgehill_engine::dice::{OptionsSalt, Seed};
use edgehill_engine::registry::Registry;
use edgehill_engine::seat::Seat;
use edgehill_engine::setup::Setup;
use edgehill_service::matches::{
    Ask, Call, CallOutcome, Course, DiceSecret, EntropyMode, Join, LiveMatch, LogLimits, MatchHeader,
    SeatConfig, SeedSource, SeedTerms, SpentTimes, Wanted,
};
use edgehill_service::store::{BodyHash, MatchId, RequestId};
use edgehill_service::wire::encoder::MessageEncoder;

/// A request of the model: 0 takes an action for the seat that is to act, 1 offers a draw for the other one.
pub(crate) type RequestIndex = u8;

/// Number of requests.
pub(crate) const REQUESTS: usize = 2;

/// The outcome of a request after these, which the match has acted on in this order; and the revision that it asks for.
pub(crate) fn outcome(log: &[RequestIndex], request: RequestIndex) -> (CallOutcome, u64) {
    type Outcomes = HashMap<(Vec<RequestIndex>, RequestIndex), (CallOutcome, u64)>;
    static OUTCOMES: OnceLock<Mutex<Outcomes>> = OnceLock::new();
    let mut outcomes = OUTCOMES.get_or_init(Mutex::default).lock().unwrap_or_else(PoisonError::into_inner);
    let told = outcomes.entry((log.to_vec(), request)).or_insert_with(|| {
        let mut live = begun();
        for &before in log {
            act(&mut live, before);
        }
        act(&mut live, request)
    });
    told.clone()
}

fn act(live: &mut LiveMatch, request: RequestIndex) -> (CallOutcome, u64) {
    let begun = begun();
    let to_act = begun.to_act().iter().next().unwrap();
    let waits = [0, 1].map(Seat::new).into_iter().find(|&seat| seat != to_act).unwrap();
    let action = begun.table().unwrap().legal(to_act)[0].0;
    let (seat, call) = match request {
        0 => (to_act, Call::Apply { keep: None, actions: Wanted::Ids(vec![action]), until_reveal: false }),
        _ => (waits, Call::OfferDraw),
    };
    let ask = Ask { id: RequestId::new(format!("r{request}")).unwrap(), body: BodyHash::of(&[request]) };
    let done = live.act(seat, call, Some(ask), None, 1, SpentTimes::default()).unwrap();
    let expected = done.change.expect("it acts on each request once").append.expected;
    (done.outcome, expected)
}

/// A match whose players have just sat down.
fn begun() -> LiveMatch {
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
    let limits = LogLimits { bytes_max: 1 << 26, changes_max: 64 };
    let mut live = LiveMatch::new(course, Arc::clone(game), secret, limits, &MessageEncoder).unwrap();
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
        live.join(join, 1).unwrap();
    }
    live
}
