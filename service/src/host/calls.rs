//! Reading matches, and the calls of seats.

use std::sync::Arc;

use edgehill_engine::registry::AnyGame;
use edgehill_engine::seat::Seat;

use super::Host;
use super::error::Error;
use super::slot::{Content, Locked, Slot};
use crate::identity::{SeatToken, TokenHash};
use crate::matches::{Ask, Call, Change, LiveMatch, MatchError, Outcome};
use crate::store::MatchId;

/// A call of a seat.
#[derive(Clone, Debug)]
pub struct SeatCall {
    /// What it asks.
    pub call: Call,
    /// The request's id and the hash of what it asks for.
    pub ask: Ask,
    /// The length of its own sequence that the caller has seen.
    pub expected: Option<u64>,
}

impl Host {
    /// Shows a match to `show`, and returns what it says once all of it is durable.
    ///
    /// # Errors
    /// If there is no such match, and what `show` refuses.
    pub async fn read<T>(
        &self,
        id: MatchId,
        show: impl FnOnce(&Content) -> Result<T, Error>,
    ) -> Result<T, Error> {
        let slot = self.0.slots.of(id);
        let locked = self.lock(&slot).await?;
        let (generation, revision) = (locked.generation, locked.revision());
        let shown = show(locked.content()?);
        drop(locked);
        slot.durable(generation, revision).await?;
        shown
    }

    /// Carries a call of a seat out, and returns what `show` says of the match then, once it is durable. A request that was
    /// carried out before is not carried out again: `show` is given its outcome, and the match as it is now.
    ///
    /// # Errors
    /// If the token is not the seat's, if the call is refused, and what `show` refuses.
    pub async fn call<T>(
        &self,
        token: &SeatToken,
        call: SeatCall,
        show: impl FnOnce(&LiveMatch, &Outcome) -> Result<T, Error>,
    ) -> Result<T, Error> {
        self.call_of(token, show, |live, seat, now_ms| {
            let SeatCall { call, ask, expected } = call;
            live.call(seat, call, Some(ask), expected, now_ms).map(|done| (done.outcome, done.change))
        })
        .await
    }

    /// A seat reveals its entropy: as [`Host::call`].
    ///
    /// # Errors
    /// As [`Host::call`].
    pub async fn reveal<T>(
        &self,
        token: &SeatToken,
        entropy: [u8; 32],
        ask: Ask,
        show: impl FnOnce(&LiveMatch, &Outcome) -> Result<T, Error>,
    ) -> Result<T, Error> {
        self.call_of(token, show, |live, seat, now_ms| {
            live.reveal(seat, entropy, ask, now_ms).map(|done| (done.outcome, done.change))
        })
        .await
    }

    async fn call_of<T>(
        &self,
        token: &SeatToken,
        show: impl FnOnce(&LiveMatch, &Outcome) -> Result<T, Error>,
        act: impl FnOnce(&mut LiveMatch, Seat, u64) -> Result<(Outcome, Option<Change>), MatchError>,
    ) -> Result<T, Error> {
        let slot = self.0.slots.of(token.match_id());
        self.call_on(&slot, token, show, act).await.1
    }

    /// Carries a call out on a slot; beside what is shown, the generation and the revision at which it was.
    pub(super) async fn call_on<T>(
        &self,
        slot: &Arc<Slot>,
        token: &SeatToken,
        show: impl FnOnce(&LiveMatch, &Outcome) -> Result<T, Error>,
        act: impl FnOnce(&mut LiveMatch, Seat, u64) -> Result<(Outcome, Option<Change>), MatchError>,
    ) -> ((u64, u64), Result<T, Error>) {
        let mut locked = match self.lock(slot).await {
            Ok(locked) => locked,
            Err(error) => return ((0, 0), Err(error)),
        };
        let (seat, now_ms) = (token.seat(), self.now_ms());
        let was_over = is_over(&locked);
        let acted = match self.check_seat(&locked, token) {
            Ok(()) => self.carry_out(&mut locked, |live| act(live, seat, now_ms)).await,
            Err(error) => Err(error),
        };
        let (generation, revision) = (locked.generation, locked.revision());
        let shown = match acted {
            Ok(outcome) => locked.content().and_then(|content| show(content.live()?, &outcome)),
            Err(error) => Err(error),
        };
        self.note_end(&locked, was_over);
        drop(locked);
        let durable = slot.durable(generation, revision).await;
        let shown = match shown {
            // The store's own words say more than that it is not durable.
            Err(Error::Store(error)) => Err(error.into()),
            shown => durable.and(shown),
        };
        ((generation, revision), shown)
    }

    /// The game of a match.
    ///
    /// # Errors
    /// If there is no such match, or its rules are not there.
    pub async fn game(&self, id: MatchId) -> Result<Arc<dyn AnyGame>, Error> {
        let slot = self.0.slots.of(id);
        if let Some(game) = slot.game.get() {
            return Ok(Arc::clone(game));
        }
        let locked = self.lock(&slot).await?;
        let game = Arc::clone(locked.content()?.live()?.game());
        Ok(Arc::clone(slot.game.get_or_init(|| game)))
    }

    /// Checks that the token is the seat's, and that the match can be played.
    pub(super) fn check_seat(&self, locked: &Locked<'_>, token: &SeatToken) -> Result<(), Error> {
        let content = locked.content()?;
        let hash = self.key().hash_seat_token(token);
        check_token(content, token.seat(), &hash)?;
        content.live()?;
        Ok(())
    }

    /// Whether the token is that of a seat of the match.
    ///
    /// # Errors
    /// If it is not.
    pub fn check_token(&self, content: &Content, token: &SeatToken) -> Result<Seat, Error> {
        let hash = self.key().hash_seat_token(token);
        check_token(content, token.seat(), &hash)?;
        Ok(token.seat())
    }

    /// An open match less, if it has just ended.
    pub(super) fn note_end(&self, locked: &Locked<'_>, was_over: bool) {
        if !was_over
            && is_over(locked)
            && let Ok(content) = locked.content()
        {
            self.0.open_matches.less(&content.course().header().creator);
        }
    }
}

fn is_over(locked: &Locked<'_>) -> bool {
    locked.content().is_ok_and(|content| content.course().ending().is_some())
}

fn check_token(content: &Content, seat: Seat, hash: &TokenHash) -> Result<(), MatchError> {
    let entry = content.course().seats().get(seat.index());
    let join = entry.and_then(|entry| entry.join.as_ref());
    if join.is_some_and(|join| TokenHash(join.token) == *hash) { Ok(()) } else { Err(MatchError::BadToken) }
}
