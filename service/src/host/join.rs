//! Taking seats.

use std::sync::Arc;

use edgehill_engine::seat::Seat;

use super::Host;
use super::error::Error;
use super::slot::{Content, Slot};
use crate::identity::{ClientSecret, Invitation, SeatToken, TokenHash};
use crate::matches::{Ask, Course, EntropyMode, Join, MatchError, Phase, SeatConfig};
use crate::store::{AccountId, MatchId};

/// A seat to take.
#[derive(Clone, Debug)]
pub struct JoinMatch {
    /// The match.
    pub id: MatchId,
    /// The account that asks.
    pub account: AccountId,
    /// The secret that tells their requests from others' of the account.
    pub secret: Option<ClientSecret>,
    /// The request's id, scoped to match and account, and the hash of what it asks for.
    pub ask: Ask,
    /// The seat; `None`: the invitation's, or the first that is open.
    pub seat: Option<u32>,
    /// The invitation that lets the caller take a seat that is not open.
    pub invitation: Option<Invitation>,
    /// Entropy for the dice.
    pub entropy: Option<[u8; 32]>,
    /// The commitment to entropy.
    pub commitment: Option<[u8; 32]>,
    /// The player's name.
    pub player: String,
}

/// A seat that was taken, now or before by the same request.
#[derive(Clone, Debug)]
pub struct Joined<T> {
    /// The seat.
    pub seat: Seat,
    /// Its token.
    pub token: SeatToken,
    /// The value that was shown.
    pub shown: T,
}

impl Host {
    /// Takes a seat, unless the request did so before, and shows the match then, once it is durable.
    ///
    /// # Errors
    /// If the seat can't be taken so, and what `show` refuses.
    pub async fn join<T>(
        &self,
        wanted: JoinMatch,
        mut show: impl FnMut(&Content, Seat) -> Result<T, Error>,
    ) -> Result<Joined<T>, Error> {
        let group = self.read(wanted.id, |content| Ok(content.course().header().group().cloned())).await?;
        let slot = self.0.slots.of(wanted.id);
        let seat = match &group {
            None => self.sit_down(&slot, &wanted).await?,
            Some(group) if group.entrants == 0 => {
                let seat = self.sit_down(&slot, &JoinMatch { entropy: None, ..wanted.clone() }).await?;
                self.begin_alone(wanted.id).await?;
                seat
            }
            Some(group) => {
                let lock = self.group_lock(group);
                let held = lock.lock().await;
                let (seat, repeated) =
                    self.read(wanted.id, |content| self.seat_for(content, &wanted)).await?;
                if !repeated {
                    let entrant = group.seat_entrants.get(seat.index()).copied().unwrap_or(0);
                    self.check_entrant(group, entrant, wanted.entropy).await?;
                }
                let seat = self.sit_down(&slot, &wanted).await?;
                drop(held);
                // The seat is taken, whatever hinders the group.
                if let Err(error) = self.begin_group(&group.id).await {
                    tracing::warn!(group = %group.id, %error, "a seed group does not go on");
                }
                seat
            }
        };
        let shown = self
            .read(wanted.id, |content| {
                Ok((show(content, seat)?, self.token_of(content.course(), seat, &wanted)))
            })
            .await?;
        let (shown, token) = shown;
        Ok(Joined { seat, token, shown })
    }

    async fn sit_down(&self, slot: &Arc<Slot>, wanted: &JoinMatch) -> Result<Seat, Error> {
        let mut locked = self.lock(slot).await?;
        let (seat, repeated) = self.seat_for(locked.content()?, wanted)?;
        if !repeated {
            let token = self.token_of(locked.content()?.course(), seat, wanted);
            let join = Join {
                seat: seat.index() as u8,
                player: wanted.player.clone(),
                account: wanted.account.as_bytes().to_vec(),
                request: wanted.ask.id.as_bytes().to_vec(),
                secret: self.client_of(wanted).0,
                body: wanted.ask.body.0,
                token: self.key().hash_seat_token(&token).0,
                entropy: wanted.entropy,
                commitment: wanted.commitment,
            };
            let now_ms = self.now_ms();
            self.commit(&mut locked, |live| live.join(join, now_ms).map(|change| ((), Some(change)))).await?;
        }
        let mark = locked.mark();
        drop(locked);
        slot.durable(mark).await?;
        Ok(seat)
    }

    /// The token of a seat that a join takes: another one each time that the seat was given back before, or its player replaced.
    fn token_of(&self, course: &Course, seat: Seat, wanted: &JoinMatch) -> SeatToken {
        let mut request = self.client_of(wanted).0.to_vec();
        request.extend_from_slice(wanted.ask.id.as_bytes());
        match (course.times_left(seat) + course.replacements(seat).count()) as u64 {
            0 => {}
            times => request.extend_from_slice(&times.to_le_bytes()),
        }
        self.key().seat_token(&wanted.id, seat, &request)
    }

    /// Returns the hash of the secret of the client that asks.
    fn client_of(&self, wanted: &JoinMatch) -> TokenHash {
        self.key().hash_client_secret(&wanted.id, wanted.secret.as_ref())
    }

    /// The seat that a join takes, and whether it has taken it before.
    fn seat_for(&self, content: &Content, wanted: &JoinMatch) -> Result<(Seat, bool), Error> {
        let course = content.course();
        if let Some(seat) = taken_before(course, wanted, self.client_of(wanted))? {
            return Ok((seat, true));
        }
        content.live()?;
        if course.phase() == Phase::Over {
            return Err(course.over_error().into());
        }
        if let Some(seat) = self.vacant_seat_for(course, wanted)? {
            return Ok((seat, false));
        }
        let (invitation, account) = (wanted.invitation.as_ref(), wanted.account.as_bytes());
        let seat = match (wanted.seat, invitation) {
            (Some(seat), _) => course.seat(seat)?,
            (None, _) if course.header().entropy_mode == EntropyMode::CommitReveal => {
                let why = "ENTROPY_MODE_COMMIT_REVEAL asks for the seat, since the commitment is made for it";
                return Err(MatchError::Field { field: "seat", why }.into());
            }
            (None, Some(invitation)) => course.seat(invitation.seat().index() as u32)?,
            (None, None) => {
                let kept = course.header().seats_kept_for(account);
                let mut kept = kept.filter(|seat| course.free_seats().contains(*seat));
                let open = || course.open_seats().iter().next();
                kept.next().or_else(open).ok_or(MatchError::NoOpenSeat)?
            }
        };
        let number = seat.index() as u8;
        if course.seats()[seat.index()].is_taken() {
            return Err(MatchError::SeatTaken(number).into());
        }
        let is_good = match (course.header().seats.get(seat.index()), invitation) {
            // There is no invitation to it, and nobody is told that it is kept for an account.
            (Some(SeatConfig::Account(kept_for)), None) => kept_for == account,
            (Some(SeatConfig::Account(_)), Some(_)) | (Some(SeatConfig::Invited), None) => false,
            (_, Some(given)) => *given == self.key().invitation(&wanted.id, seat),
            (_, None) => true,
        };
        if !is_good {
            return Err(MatchError::BadInvitation(number).into());
        }
        Ok((seat, false))
    }
}

impl Host {
    /// The seat that a join takes in a match that is played: one that a referee has opened for this caller. `None` if it asks for no
    /// such seat.
    fn vacant_seat_for(&self, course: &Course, wanted: &JoinMatch) -> Result<Option<Seat>, Error> {
        let vacant = course.vacant();
        let invitation = wanted.invitation.as_ref();
        let account = wanted.account.as_bytes();
        let named = match (wanted.seat, invitation) {
            (Some(seat), _) => Some(course.seat(seat)?),
            (None, Some(invitation)) => Some(invitation.seat()),
            (None, None) => vacant.iter().find(|&seat| course.replacement_account(seat) == Some(account)),
        };
        let Some(seat) = named.filter(|&seat| vacant.contains(seat)) else { return Ok(None) };
        let good = match course.replacement_account(seat) {
            Some(of) => of == account,
            None => {
                let times = course.replacements(seat).count();
                let expected = self.key().replacement_invitation(&wanted.id, seat, times);
                invitation.is_some_and(|given| *given == expected)
            }
        };
        if good { Ok(Some(seat)) } else { Err(MatchError::BadInvitation(seat.index() as u8).into()) }
    }
}

/// The seat that the same request took before.
fn taken_before(course: &Course, wanted: &JoinMatch, client: TokenHash) -> Result<Option<Seat>, MatchError> {
    let (account, request) = (wanted.account.as_bytes(), wanted.ask.id.as_bytes());
    let mut joins = course.seats().iter().filter_map(|seat| seat.join.as_ref());
    match joins.find(|join| join.account == account && join.request == request) {
        None => Ok(None),
        // Its token is somebody else's, whoever guesses the id.
        Some(join) if TokenHash(join.secret) != client => Err(MatchError::SeatTaken(join.seat)),
        Some(join) if join.body == wanted.ask.body.0 => Ok(Some(Seat::new(join.seat))),
        Some(_) => Err(MatchError::RequestReused { id: wanted.ask.id.clone(), method: "JoinMatch" }),
    }
}
