//! Taking seats of a match of a server, and keeping their tokens ([`take`]).

use edgehill_client::v1::{EntropyMode, MatchConfig, MatchStatus, ResponseOptions, SeedOrigin};
use edgehill_client::{Client, ClientSecret, JoinRequest, entropy};

use crate::error::Error;
use crate::seats_file::{OwnSeat, SeatsFile};

/// A seat to be taken.
#[derive(Clone, Debug, Default)]
pub(crate) struct Wanted {
    /// Its number, from 0; `None`: the invitation's, or the first that is open.
    pub seat: Option<u32>,
    /// Its invitation.
    pub invitation: Option<String>,
    /// The player's name for others.
    pub player: Option<String>,
    /// True if the match has begun, so that its dice are settled: the seat was another player's.
    pub goes_on: bool,
    /// The entropy of the seat; `None`: fresh one.
    pub entropy: Option<[u8; 32]>,
    /// The request id with the secret that goes with it, of a caller who has written them down; `None`: fresh ones.
    pub request: Option<(String, ClientSecret)>,
}

/// Takes a seat, adds entropy of its own to the dice where that has a use, keeps its token in `file`, and returns the seat.
pub(crate) async fn take(
    client: &Client,
    config: &MatchConfig,
    wanted: Wanted,
    file: &mut SeatsFile,
) -> Result<u32, Error> {
    let dice = config.dice.clone().unwrap_or_default();
    let mut join = JoinRequest::of(&config.match_id);
    let settled = wanted.goes_on || dice.origin() == SeedOrigin::Chosen;
    let own = match wanted.entropy {
        _ if settled => None,
        Some(own) => Some(own),
        None => Some(entropy::fresh().map_err(Error::Entropy)?),
    };
    match (own, dice.entropy_mode(), wanted.seat) {
        (Some(own), EntropyMode::CommitReveal, Some(seat)) => {
            join = join.entropy_commitment(entropy::commitment(&config.match_id, seat, &own));
        }
        (Some(_), EntropyMode::CommitReveal, None) => {
            let why = "this match binds seats to their entropy: name the seat with --seat";
            return Err(Error::Usage(why.to_owned()));
        }
        (Some(own), ..) => join = join.entropy(own),
        (None, ..) => {}
    }
    if let Some(seat) = wanted.seat {
        join = join.seat(seat);
    }
    if let Some(invitation) = wanted.invitation {
        join = join.invitation(invitation);
    }
    if let Some(player) = wanted.player {
        join = join.player(player);
    }
    if let Some((request_id, secret)) = wanted.request {
        join = join.request_id(request_id).client_secret(&secret);
    }
    let joined = client.matches().join(join).await?;
    let seat = joined.response.seat;
    let own = own.map_or_else(String::new, hex::encode);
    file.add(OwnSeat { seat, token: joined.response.seat_token, entropy: own });
    file.save()?;
    Ok(seat)
}

/// Reveals the entropy of one's seats, if the match waits for it, and returns their number.
pub(crate) async fn reveal(client: &Client, file: &SeatsFile) -> Result<usize, Error> {
    let answer = client.matches().get(file.match_id()).await?;
    if answer.state.unwrap_or_default().status() != MatchStatus::Revealing {
        return Ok(0);
    }
    let mut revealed = 0;
    for own in file.seats() {
        let Some(entropy) = hex::decode(&own.entropy).ok().and_then(|bytes| bytes.try_into().ok()) else {
            continue;
        };
        let seat = client.seat(file.match_id(), &own.token);
        seat.reveal_entropy(entropy, ResponseOptions::default()).await?;
        revealed += 1;
    }
    Ok(revealed)
}
