//! Rematches: a match with the terms of one that is finished, whose players have their sides swapped.
//!
//! Invariant: a match has one rematch. The request under which its creation is kept has a name that follows from the match that is
//! finished and from the server's key, whoever asks. Nothing is written to the match that is finished, so that one which is archived,
//! or whose rules this build does not have, can be followed by another as well.

use std::collections::BTreeMap;
use std::sync::Arc;

use edgehill_engine::seat::Seat;
use edgehill_engine::setup::Setup;

use super::Host;
use super::create::{Creator, MatchPlan};
use super::error::Error;
use super::shards::NewPlace;
use super::slot::Content;
use crate::identity::{ANONYMOUS_ID, CallerKey, HOUSE_ID, SeatToken};
use crate::matches::{MatchError, MatchHeader, SeatConfig, SeedTerms};
use crate::store::{AccountId, BodyHash, MatchId, Request, RequestScope, Shard};

/// The rematch of a match, and the seat that a player of that match may take in it.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct RematchSeat {
    /// The new match.
    pub id: MatchId,
    /// The seat.
    pub seat: Seat,
}

impl Host {
    /// Makes the rematch of the match of this seat, unless it was made before. It is durable when this returns. Callers without an
    /// account are `counted_as` given.
    ///
    /// # Errors
    /// If the token is not the seat's, the match is not finished or has no result, or no such match can be made any more.
    pub async fn rematch(&self, token: &SeatToken, counted_as: CallerKey) -> Result<RematchSeat, Error> {
        let over = token.match_id();
        let (header, seat, account) = self.read(over, |content| self.finished(content, token)).await?;
        let name = self.key().rematch(&over);
        let name = name.ok_or_else(|| Error::Fault("a hash is no request's id".to_owned()))?;
        // Of no account, since each of the players may be the first to ask.
        let house = AccountId::new(HOUSE_ID)?;
        let body = BodyHash::of(over.as_bytes());
        let made = self.store().request(RequestScope::Account(house.clone()), name.clone()).await?;
        let id = match made {
            Some(made) => made.id,
            None => {
                let request = (house, Request { id: name, body, outcome: Vec::new() });
                self.make_rematch((over, &header), account, counted_as, request).await?
            }
        };
        // Read once, so that a match that begins at once does so.
        self.read(id, |_| Ok(())).await?;
        Ok(RematchSeat { id, seat: rotated(seat, header.seats.len()) })
    }

    /// The terms of a match that is finished, with the seat of this token and the account that has taken it.
    fn finished(
        &self,
        content: &Content,
        token: &SeatToken,
    ) -> Result<(MatchHeader, Seat, AccountId), Error> {
        let course = content.course();
        let seat = self.check_token(course, token)?;
        if let Content::Closed(closed) = content
            && !closed.why().is_unplayable()
        {
            return Err(closed.refusal().into());
        }
        match course.result() {
            Some((result, _)) if result.ended_by.has_result() => {}
            Some(_) => return Err(course.over_error().into()),
            None if course.has_begun() => return Err(Error::NotOver),
            None => return Err(course.not_started().into()),
        }
        let join = course.seats().get(seat.index()).and_then(|seat| seat.join.as_ref());
        let account = join.ok_or(MatchError::BadToken)?.account.as_slice();
        Ok((course.header().clone(), seat, AccountId::new(account)?))
    }

    async fn make_rematch(
        &self,
        (over, header): (MatchId, &MatchHeader),
        account: AccountId,
        counted_as: CallerKey,
        request: (AccountId, Request),
    ) -> Result<MatchId, Error> {
        let counted_as = match account.as_bytes() == ANONYMOUS_ID.as_bytes() {
            true => counted_as,
            false => CallerKey::Account(account.clone()),
        };
        let creator = Creator { account, secret: None, counted_as };
        let plan = self.rematch_plan(header).ok_or_else(|| MatchError::Unplayable {
            game: header.game.clone(),
            version: header.played_by().rules_version,
        })?;
        let placing = self.placing().await;
        let reserved = self.reserve(&creator, [&plan])?;
        let id = self.new_id(NewPlace::In(Shard::of(over)))?;
        let settled = self.settle_alone(id, &plan, SeedTerms::Server, None)?;
        self.store_match((&creator, request), &plan, settled, (placing, reserved)).await
    }

    /// The same match by the rules of now, each seat one further; `None` if these have no such match.
    fn rematch_plan(&self, header: &MatchHeader) -> Option<MatchPlan> {
        let game = self.registry().game(&header.game).ok().map(Arc::clone)?;
        let options: BTreeMap<String, String> = header.options.iter().cloned().collect();
        let setup = Setup::new(game.catalogue(), Some(&header.scenario), &options).ok()?;
        let count = header.seats.len();
        let has_bot = |name: &str| game.bots().iter().any(|bot| bot.name == name);
        let mut seats = vec![SeatConfig::Invited; count];
        for (index, seat) in header.seats.iter().enumerate() {
            if let SeatConfig::Bot(name) = seat {
                has_bot(name).then_some(())?;
                *seats.get_mut((index + 1) % count)? = SeatConfig::Bot(name.clone());
            }
        }
        let position = header.position.as_deref().map(serde_json::from_str).transpose().ok()?;
        (game.catalogue().seats_of(&setup) == count).then_some(())?;
        let (entropy_mode, clock, spectator_delay) =
            (header.entropy_mode, header.clock, header.spectator_delay);
        let conduct = None;
        let plan = MatchPlan { game, setup, position, seats, entropy_mode, clock, spectator_delay, conduct };
        Self::check(&plan).ok().map(|()| plan)
    }
}

/// The seat that the player of a seat has in the rematch.
fn rotated(seat: Seat, seats: usize) -> Seat {
    // A match has few seats.
    Seat::new(((seat.index() + 1) % seats.max(1)) as u8)
}
