//! The games that a server plays, and its limits ([`Catalog`]).

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use edgehill_proto::v1::{
    Game, GamePart, GameSummary, GetGameRequest, GetLimitsRequest, Limit, LimitName, ListGamesRequest,
    MatchConfig,
};

use crate::client::Client;
use crate::error::Error;
use crate::retry::until_answered;

/// Games that were asked for, by id.
#[derive(Debug, Default)]
pub(crate) struct Games(Mutex<BTreeMap<String, Arc<Game>>>);

impl Games {
    fn get(&self, id: &str) -> Option<Arc<Game>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).get(id).cloned()
    }

    fn put(&self, id: &str, game: Arc<Game>) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).insert(id.to_owned(), game);
    }
}

/// The games and limits of a server.
#[derive(Copy, Clone, Debug)]
pub struct Catalog<'a> {
    client: &'a Client,
}

impl<'a> Catalog<'a> {
    pub(crate) const fn of(client: &'a Client) -> Self {
        Self { client }
    }

    /// The games, in the order in which they are shown.
    ///
    /// # Errors
    /// If the server does not answer.
    pub async fn games(&self) -> Result<Vec<GameSummary>, Error> {
        let wire = self.client.catalog_wire()?;
        let answer = until_answered(self.client.retry_policy(), || {
            let mut wire = wire.clone();
            async move { wire.list_games(ListGamesRequest {}).await }
        });
        Ok(answer.await?.games)
    }

    /// One game in full, with its action table and its rules ledger. It is asked for once and kept.
    ///
    /// # Errors
    /// If the server has no such game, or does not answer.
    pub async fn game(&self, id: &str) -> Result<Arc<Game>, Error> {
        match self.client.games().get(id) {
            Some(game) => Ok(game),
            None => self.fetch(id).await,
        }
    }

    /// The game of a match, with the rules of the match: the numbers in its views and actions are indices into this one.
    ///
    /// # Errors
    /// [`Error::OtherRules`] if the server plays others by now; and as [`Catalog::game`].
    pub async fn game_of(&self, terms: &MatchConfig) -> Result<Arc<Game>, Error> {
        let fits = |game: &Game| {
            let pin = game.summary.as_ref().and_then(|summary| summary.rules.as_ref());
            terms.rules.is_none() || pin == terms.rules.as_ref()
        };
        let game = self.game(&terms.game).await?;
        if fits(&game) {
            return Ok(game);
        }
        // It may be another server by now than the one that the kept game came from.
        let game = self.fetch(&terms.game).await?;
        if fits(&game) { Ok(game) } else { Err(Error::OtherRules { game: terms.game.clone() }) }
    }

    /// Every limit of the server.
    ///
    /// # Errors
    /// If the server does not answer.
    pub async fn limits(&self) -> Result<Vec<Limit>, Error> {
        let wire = self.client.catalog_wire()?;
        let answer = until_answered(self.client.retry_policy(), || {
            let mut wire = wire.clone();
            async move { wire.get_limits(GetLimitsRequest {}).await }
        });
        Ok(answer.await?.limits)
    }

    /// Returns the value of one limit; `None` if the server does not have it.
    ///
    /// # Errors
    /// If the server does not answer.
    pub async fn limit(&self, name: LimitName) -> Result<Option<u64>, Error> {
        let limits = self.limits().await?;
        Ok(limits.iter().find(|limit| limit.name() == name).map(|limit| limit.value))
    }

    async fn fetch(&self, id: &str) -> Result<Arc<Game>, Error> {
        let wire = self.client.catalog_wire()?;
        let request = GetGameRequest {
            game: id.to_owned(),
            parts: vec![GamePart::Actions.into(), GamePart::Rules.into()],
            ..GetGameRequest::default()
        };
        let answer = until_answered(self.client.retry_policy(), || {
            let (mut wire, request) = (wire.clone(), request.clone());
            async move { wire.get_game(request).await }
        });
        let game = answer.await?.game.ok_or_else(|| Error::Protocol("GetGame without a game".to_owned()))?;
        let game = Arc::new(game);
        self.client.games().put(id, Arc::clone(&game));
        Ok(game)
    }
}
