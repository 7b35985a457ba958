//! The server that a verb works on ([`Link`]), and a match of it ([`Table`]).

use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use edgehill_client::v1::{self, ErrorReason, Match, MatchConfig, MatchState, MatchStatus};
use edgehill_client::{Client, GameCatalog, Options, RetryPolicy, SeatHandle, ViewOptions};
use edgehill_convert::values::{self, Beside, Garbled};
use edgehill_engine::catalogue::Catalogue;
use edgehill_engine::render;
use edgehill_engine::seat::{Observer, Seat};
use edgehill_engine::signing::VerifyingKey;
use edgehill_engine::view::View;

use crate::args::{Args, Verb};
use crate::error::Error;
use crate::people;
use crate::seats_file::SeatsFile;

/// The retry policy's deadline where a person waits for a server that is away.
const DEADLINE: Duration = Duration::from_secs(10);
/// The same where bots play on while nobody looks: a server that is started anew is waited for.
#[cfg(unix)]
const DEADLINE_OF_BOTS: Duration = Duration::from_secs(60);

/// The options of a client of the server at `url`, with the account's key and certificates if they are given.
pub(super) fn options(url: &str, args: &Args) -> Result<Options, Error> {
    let mut options = Options::new(url);
    if let Some(key) = &args.key {
        options = options.key(key)?;
    }
    if let Some(path) = &args.ca {
        options = options.ca(read(path)?)?;
    }
    match (&args.cert, &args.cert_key) {
        (Some(certificate), Some(key)) => Ok(options.client_certificate(read(certificate)?, read(key)?)?),
        (None, None) => Ok(options),
        _ => Err(Error::Usage("a certificate goes with its key: --cert FILE --cert-key FILE".to_owned())),
    }
}

/// A server.
pub(super) struct Link {
    pub client: Client,
}

impl Link {
    /// Connects to the server at `url`, with the account's key and certificates if they are given.
    pub(super) async fn to(url: &str, args: &Args) -> Result<Self, Error> {
        // At a wrong port the command fails at once.
        let first_connection = Duration::ZERO;
        let deadline = match &args.verb {
            #[cfg(unix)]
            Verb::RunBot(_) => DEADLINE_OF_BOTS,
            // A load is there to see what is not answered.
            Verb::Load(_) => Duration::ZERO,
            _ => DEADLINE,
        };
        let retry_policy = RetryPolicy { first_connection, deadline, ..RetryPolicy::default() };
        let mut options = options(url, args)?.retry_policy(retry_policy);
        if let Verb::Load(load) = &args.verb {
            options = options.channels(load.connections.into());
        }
        Ok(Self { client: Client::open(options).await? })
    }

    /// The public keys of what the server signs and has signed.
    pub(super) async fn signing_keys(&self) -> Result<Vec<VerifyingKey>, Error> {
        let keys = self.client.catalog().signing_keys().await?;
        let garbled = |error| Garbled::new(format!("its key: {error}")).into();
        keys.iter().map(|bytes| VerifyingKey::from_bytes(bytes).map_err(garbled)).collect()
    }

    /// The game of this id, as the server has it.
    pub(super) async fn game(&self, id: &str) -> Result<(Arc<GameCatalog>, Catalogue), Error> {
        let game = self.client.catalog().game(id).await?;
        let catalogue = values::catalogue(&game.game, &game.action_defs)?;
        Ok((game, catalogue))
    }

    /// The match that is meant by `text`: a file with seats of it, or its id.
    pub(super) async fn table(&self, text: &Path) -> Result<Table, Error> {
        if !text.exists() {
            return self.by_id(&text.to_string_lossy(), None).await;
        }
        let file = SeatsFile::open(text)?;
        let trimmed = |url: &str| url.trim_end_matches('/').to_owned();
        if trimmed(file.server()) != trimmed(self.client.url()) {
            // Its tokens are for that server's eyes only.
            let why = format!("{} is a match of the server {}", text.display(), file.server());
            return Err(Error::Usage(why));
        }
        let id = file.match_id().to_owned();
        self.by_id(&id, Some(file)).await
    }

    /// A match as one of one's seats is told of it: spectators may be behind it.
    async fn get(&self, id: &str, file: Option<&SeatsFile>) -> Result<Match, Error> {
        let Some(own) = file.and_then(|file| file.seats().first()) else {
            return Ok(self.client.matches().get(id).await?);
        };
        match self.client.seat(id, &own.token).get().await {
            // It is somebody else's by now.
            Err(error)
                if error.refusal().is_some_and(|refusal| refusal.reason() == ErrorReason::BadToken) =>
            {
                Ok(self.client.matches().get(id).await?)
            }
            answer => Ok(answer?),
        }
    }

    /// The match of this id.
    pub(super) async fn by_id(&self, id: &str, file: Option<SeatsFile>) -> Result<Table, Error> {
        let answer = self.get(id, file.as_ref()).await?;
        let config = answer.config.unwrap_or_default();
        let game = self.client.catalog().game_of(&config).await?;
        let catalogue = values::catalogue(&game.game, &game.action_defs)?;
        let state = answer.state.unwrap_or_default();
        let seats = state.seats.len();
        if seats == 0 || seats > Seat::MAX || seats > catalogue.seats.len() {
            return Err(Error::Fault(format!("the server has a match with {seats} seats")));
        }
        Ok(Table { client: self.client.clone(), config, state, game, catalogue, file })
    }
}

fn read(path: &Path) -> Result<Vec<u8>, Error> {
    fs::read(path).map_err(|error| Error::Read { path: path.to_owned(), error })
}

/// A match of a server, as far as it was when it was asked for.
pub(super) struct Table {
    pub client: Client,
    pub config: MatchConfig,
    pub state: MatchState,
    pub game: Arc<GameCatalog>,
    pub catalogue: Catalogue,
    /// The seats that one has.
    pub file: Option<SeatsFile>,
}

impl Table {
    pub(super) fn seats(&self) -> usize {
        self.state.seats.len()
    }

    /// The seat of this id, name or number.
    pub(super) fn seat(&self, text: &str) -> Result<Seat, Error> {
        people::seat(&self.catalogue, self.seats(), text)
    }

    /// A seat, or `spectator`.
    pub(super) fn observer(&self, text: &str) -> Result<Observer, Error> {
        people::observer(&self.catalogue, self.seats(), text)
    }

    /// The seats that one has, lowest first.
    pub(super) fn own(&self) -> Vec<Seat> {
        let own = self.file.iter().flat_map(SeatsFile::seats);
        own.filter_map(|own| values::seat(own.seat).ok()).filter(|seat| seat.index() < self.seats()).collect()
    }

    /// A seat, to be played.
    pub(super) fn played(&self, seat: Seat) -> Result<SeatHandle, Error> {
        let own = self.file.iter().flat_map(SeatsFile::seats);
        let token = own.filter(|own| own.seat as usize == seat.index()).map(|own| &own.token).next();
        match token {
            Some(token) => Ok(self.client.seat(&self.config.match_id, token)),
            None => {
                let name = render::observer(&self.catalogue, Observer::Seat(seat));
                let place = match &self.file {
                    Some(file) => format!("{} has no token for {name}", file.path().display()),
                    None => format!("a match's id has no token for {name}"),
                };
                Err(Error::Usage(format!(
                    "{place}: `edgehill join` takes a seat and keeps its token in a file"
                )))
            }
        }
    }

    /// Returns the present view of an observer.
    pub(super) async fn view(&self, observer: Observer) -> Result<View, Error> {
        let answer = match observer {
            Observer::Seat(seat) => self.played(seat)?.view(ViewOptions::default()).await?,
            Observer::Spectator => {
                let observer = Some(v1::Observer { seat: None });
                let options = ViewOptions { observer, ..ViewOptions::default() };
                self.client.matches().view(&self.config.match_id, options).await?
            }
        };
        let state = answer.r#match.and_then(|of| of.state).unwrap_or_default();
        let beside = Beside { draw_offers: &state.draw_offers, standing_passes: &answer.standing_passes };
        let view = answer.view.ok_or_else(|| Error::Fault("the server sent no view".to_owned()))?;
        Ok(values::view(&view, beside)?)
    }

    /// True if there is something to see: the match has begun.
    pub(super) fn has_begun(&self) -> bool {
        use MatchStatus::{Aborted, Expired, Revealing, Waiting};
        !matches!(self.state.status(), Waiting | Revealing | Aborted | Expired)
    }
}
