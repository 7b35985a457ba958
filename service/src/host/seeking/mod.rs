//! Seeks: callers who want to play, each for as long as somebody waits for the outcome ([`Seek`]), and are brought together
//! ([`pairing`]).
//!
//! Open seeks are in memory alone: who sought when the server stopped seeks again. A pairing is durable before anybody hears of it, as
//! the creation of a match that answers the requests of all whom it seats: so each of them gets the same seat again, however often
//! they ask, and nobody is seated twice by one request.

mod pairing;
mod pool;

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use edgehill_engine::seat::Seat;
use serde::Serialize;
use tokio::sync::oneshot;

pub use self::pool::SeekCount;
use self::pool::{OpenSeek, Pool, TakenOver};
use super::Host;
use super::create::{Creator, MatchPlan};
use super::error::Error;
use crate::identity::{ANONYMOUS_ID, CallerKey, HOUSE_ID};
use crate::matches::{Ask, ClockTerms, EntropyMode, MatchError, PairedOutcome, SeatConfig, written_options};
use crate::store::{AccountId, BodyHash, MatchId, RequestId, RequestScope};

/// A seek to open.
#[derive(Clone)]
pub struct SeekMatch {
    /// The caller that asks.
    pub creator: Creator,
    /// The request's id and the hash of what it asks for.
    pub ask: Ask,
    /// The terms on which the caller plays. Its seats and its position are not looked at.
    pub plan: MatchPlan,
    /// The seat that they want; `None`: any.
    pub seat: Option<Seat>,
    /// The longest time to seek.
    pub wait: Duration,
}

/// The seat of one who was paired, in the match that was made.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct PairedSeat {
    /// The match.
    pub id: MatchId,
    /// The seat.
    pub seat: Seat,
}

/// A seek that is open. It is taken back when this is dropped.
#[derive(Debug)]
pub struct Seek {
    host: Host,
    name: RequestId,
    opening: u64,
    outcome: oneshot::Receiver<Result<PairedSeat, Error>>,
    /// The number of seeks when it was opened, until that was told.
    first_count: Option<SeekCount>,
    /// The moments of the clock at which it was to be paired, and at which it is told again how many seek.
    expires_at: Duration,
    count_at: Duration,
}

/// The news of a seek.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum SeekNews {
    /// It goes on, and so many seek.
    Count(SeekCount),
    /// It was paired, and the match is durable.
    Paired(PairedSeat),
    /// Nobody who fits has come in time, and it is not open any more.
    Expired,
}

/// The time after which a caller is told again how many seek: less than proxies wait for a stream on which nothing comes.
const COUNT_AFTER: Duration = Duration::from_secs(15);

/// All seeks of a server.
#[derive(Default)]
pub(super) struct Seeks(Mutex<Pool>);

impl Seeks {
    fn pool(&self) -> MutexGuard<'_, Pool> {
        // Its parts go together between any two statements.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The terms that seeks have in common which fit each other, in the form in which they are compared.
#[derive(Serialize)]
struct Terms<'a> {
    game: &'a str,
    scenario: usize,
    options: Vec<(String, String)>,
    entropy_mode: EntropyMode,
    clock: Option<ClockTerms>,
}

impl Host {
    /// The seat that a seek of this caller was paired for before, if it was.
    ///
    /// # Errors
    /// If the request id was used for another seek.
    pub async fn paired_before(&self, creator: &Creator, ask: &Ask) -> Result<Option<PairedSeat>, Error> {
        self.paired_by(&self.seek_name(creator, &ask.id)?, ask.body, &ask.id).await
    }

    /// The seat that the seek of this name was paired for.
    async fn paired_by(
        &self,
        name: &RequestId,
        body: BodyHash,
        id: &RequestId,
    ) -> Result<Option<PairedSeat>, Error> {
        let scope = RequestScope::Account(AccountId::new(HOUSE_ID)?);
        let Some(stored) = self.store().request(scope, name.clone()).await? else { return Ok(None) };
        let Ok(outcome) = stored.outcome_for(&body) else {
            return Err(MatchError::RequestReused { id: id.clone(), method: "SeekMatch" }.into());
        };
        let outcome = PairedOutcome::from_bytes(outcome)
            .map_err(|error| Error::Fault(format!("the outcome of a pairing: {error}")))?;
        Ok(Some(PairedSeat { id: stored.id, seat: Seat::new(outcome.seat) }))
    }

    /// Opens a seek, or takes over the one that the same request has opened. Those whom it can be paired with are.
    ///
    /// # Errors
    /// If the caller or the server has as many seeks or matches as may be, or the request id is that of another seek.
    pub async fn seek(&self, wanted: SeekMatch) -> Result<Seek, Error> {
        let name = self.seek_name(&wanted.creator, &wanted.ask.id)?;
        let mut seek = self.enter(&wanted, name)?;
        // Between a look at the store and the entry it may have been paired in another stream: it must not be once more.
        if let Some(paired) = self.paired_before(&wanted.creator, &wanted.ask).await? {
            let (said, outcome) = oneshot::channel();
            let _ = said.send(Ok(paired));
            (seek.outcome, seek.first_count) = (outcome, None);
        }
        Ok(seek)
    }

    fn enter(&self, wanted: &SeekMatch, name: RequestId) -> Result<Seek, Error> {
        let SeekMatch { creator, ask, plan, seat, wait } = wanted;
        let (said, outcome) = oneshot::channel();
        let now = self.0.parts.clock.elapsed();
        let expires_at = now.saturating_add(*wait);
        let count_at = now.saturating_add(COUNT_AFTER);
        let seek = |name, opening, count| {
            let (host, first_count) = (self.clone(), Some(count));
            Seek { host, name, opening, outcome, first_count, expires_at, count_at }
        };
        let mut pool = self.0.seeks.pool();
        let said = match pool.take_over(&name, ask.body, said) {
            TakenOver::Nothing(said) => said,
            TakenOver::Opening(opening) => {
                let count = pool.count(&name);
                return Ok(seek(name, opening, count));
            }
            TakenOver::Other => {
                let id = ask.id.clone();
                return Err(MatchError::RequestReused { id, method: "SeekMatch" }.into());
            }
        };
        let mut plan = plan.clone();
        (plan.seats, plan.position) = (vec![SeatConfig::Invited; plan.seats.len()], None);
        // It counts with the matches of whoever has sought for longest.
        let reserved = self.reserve(creator, [&plan])?;
        let open = OpenSeek {
            name: name.clone(),
            ask: ask.clone(),
            party: self.seeking_party(creator),
            terms: terms_of(&plan),
            plan,
            seat: *seat,
            counted_as: creator.counted_as.clone(),
            said,
            reserved,
        };
        let (opening, partners) = pool.enter(open, &self.limits())?;
        let count = pool.count(&name);
        drop(pool);
        if let Some(partners) = partners {
            let host = self.clone();
            self.0.tasks.spawn(async move { host.pair(partners).await });
        }
        Ok(seek(name, opening, count))
    }

    /// The name under which a seek is kept once it was paired.
    fn seek_name(&self, creator: &Creator, id: &RequestId) -> Result<RequestId, Error> {
        let name = self.key().seek(&creator.account, creator.secret.as_ref(), id);
        name.ok_or_else(|| Error::Fault("a hash is no request's id".to_owned()))
    }

    /// The name of the one who seeks, who is not paired with themselves: an account or, without one, whoever has this secret.
    fn seeking_party(&self, creator: &Creator) -> Vec<u8> {
        match creator.account.as_bytes() == ANONYMOUS_ID.as_bytes() {
            true => self.key().seeking_party(creator.secret.as_ref()).0.to_vec(),
            false => creator.account.as_bytes().to_vec(),
        }
    }
}

impl Seek {
    /// The next news: at first how many seek. Nothing comes after that it was paired, or was not.
    ///
    /// # Errors
    /// [`Error::SeekTakenOver`] if the same request seeks elsewhere now; if the match can't be made.
    pub async fn next(&mut self) -> Result<SeekNews, Error> {
        let Self { host, name, opening, outcome, first_count, expires_at, count_at } = self;
        if let Some(count) = first_count.take() {
            return Ok(SeekNews::Count(count));
        }
        let clock = &host.0.parts.clock;
        let seeks = &host.0.seeks;
        tokio::select! {
            biased;
            told = &mut *outcome => return paired(told),
            () = clock.reach(*expires_at) => {}
            () = clock.reach(*count_at) => {
                *count_at = clock.elapsed().saturating_add(COUNT_AFTER);
                return Ok(SeekNews::Count(seeks.pool().count(name)));
            }
        }
        if seeks.pool().leave(name, *opening) {
            return Ok(SeekNews::Expired);
        }
        // It is being paired, or was taken over.
        paired(outcome.await)
    }
}

fn paired(told: Result<Result<PairedSeat, Error>, oneshot::error::RecvError>) -> Result<SeekNews, Error> {
    told.unwrap_or(Err(Error::SeekTakenOver)).map(SeekNews::Paired)
}

impl Drop for Seek {
    fn drop(&mut self) {
        self.host.0.seeks.pool().leave(&self.name, self.opening);
    }
}

/// The callers with whom a seek counts: an account, or an address.
fn counted_with(caller: &CallerKey) -> String {
    match caller {
        CallerKey::Account(_) => format!("account {caller}"),
        CallerKey::Address(_) => format!("address {caller}"),
    }
}

fn terms_of(plan: &MatchPlan) -> Vec<u8> {
    let catalogue = plan.game.catalogue();
    let terms = Terms {
        game: catalogue.id,
        scenario: plan.setup.scenario(),
        options: written_options(catalogue, &plan.setup),
        entropy_mode: plan.entropy_mode,
        clock: plan.clock,
    };
    postcard::to_stdvec(&terms).expect("terms know their lengths")
}
