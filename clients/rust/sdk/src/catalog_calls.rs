//! Calls on the games that a server plays, on its limits and on its public key ([`CatalogCalls`]).

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use edgehill_proto::v1::{
    ActionDef, ErrorReason, Game, GameSummary, GetGameRequest, GetLimitsRequest, GetSigningKeyRequest, Limit,
    LimitName, ListActionDefsRequest, ListGamesRequest, MatchConfig, RulesVersion,
};

use crate::connection::Connection;
use crate::error::{Error, required};
use crate::pages::next_token;
use crate::retry::until_answered;

/// A game in full: all that never changes in a match.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct GameCatalog {
    /// The game, with its rules ledger.
    pub game: Game,
    /// The action table: the entry of an action is at the place of its id.
    pub action_defs: Vec<ActionDef>,
}

impl GameCatalog {
    /// The game's id.
    #[must_use]
    pub fn id(&self) -> &str {
        self.game.summary.as_ref().map_or("", |summary| &summary.id)
    }

    /// The rules that all its numbers hold for.
    #[must_use]
    pub fn rules(&self) -> Option<&RulesVersion> {
        self.game.summary.as_ref()?.rules.as_ref()
    }
}

/// A game's id, and the hash of its content; empty for that of new matches.
type GameKey = (String, Vec<u8>);

/// Games that were asked for.
#[derive(Debug, Default)]
pub(crate) struct Games(Mutex<BTreeMap<GameKey, Arc<GameCatalog>>>);

impl Games {
    fn get(&self, id: &str, content_hash: &[u8]) -> Option<Arc<GameCatalog>> {
        let games = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        games.get(&(id.to_owned(), content_hash.to_vec())).cloned()
    }

    fn put(&self, id: &str, content_hash: &[u8], game: Arc<GameCatalog>) {
        let mut games = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        games.insert((id.to_owned(), content_hash.to_vec()), game);
    }
}

/// Calls on the games, the limits and the public key of a server.
#[derive(Copy, Clone, Debug)]
pub struct CatalogCalls<'a> {
    connection: &'a Connection,
    games: &'a Games,
}

/// Makes one call until it has an answer.
macro_rules! call {
    ($calls:ident . $method:ident($request:expr)) => {{
        let wire = $calls.connection.catalog_wire()?;
        let request = $request;
        let answer = until_answered($calls.connection.retry_policy(), $calls.connection.contact(), || {
            let (mut wire, request) = (wire.clone(), request.clone());
            async move { wire.$method(request).await }
        });
        answer.await
    }};
}

impl<'a> CatalogCalls<'a> {
    pub(crate) const fn new(connection: &'a Connection, games: &'a Games) -> Self {
        Self { connection, games }
    }

    /// The games, in the order in which they are shown; page after page.
    ///
    /// # Errors
    /// If the server does not answer.
    pub async fn games(&self) -> Result<Vec<GameSummary>, Error> {
        let mut games = Vec::new();
        let mut request = ListGamesRequest::default();
        loop {
            let page = call!(self.list_games(request.clone()))?;
            games.extend(page.games);
            match next_token(&request.page_token, page.next_page_token)? {
                Some(token) => request.page_token = token,
                None => return Ok(games),
            }
        }
    }

    /// One game in full, with its action table and its rules ledger, and with the content of new matches. It is asked for once and
    /// kept.
    ///
    /// # Errors
    /// If the server has no such game, or does not answer.
    pub async fn game(&self, id: &str) -> Result<Arc<GameCatalog>, Error> {
        match self.games.get(id, &[]) {
            Some(game) => Ok(game),
            None => self.fetch(id, &[]).await,
        }
    }

    /// The game of a match, with the rules and the content of the match: the numbers in its views and actions are indices into this
    /// one.
    ///
    /// # Errors
    /// [`Error::OtherRules`] if the server does not have them any more; and as [`CatalogCalls::game`].
    pub async fn game_of(&self, config: &MatchConfig) -> Result<Arc<GameCatalog>, Error> {
        let played_by = config.repinned.as_ref().or(config.rules.as_ref());
        let fits = |game: &GameCatalog| played_by.is_none() || game.rules() == played_by;
        let content_hash = played_by.map_or(&[][..], |rules| &rules.content_hash);
        let kept = [&[][..], content_hash]
            .into_iter()
            .find_map(|hash| self.games.get(&config.game, hash).filter(|game| fits(game)));
        if let Some(game) = kept {
            return Ok(game);
        }
        let other = || Error::OtherRules { game: config.game.clone() };
        match self.fetch(&config.game, content_hash).await {
            Ok(game) if fits(&game) => Ok(game),
            Ok(_) => Err(other()),
            Err(Error::Refused(refusal)) if refusal.reason() == ErrorReason::Unplayable => Err(other()),
            Err(error) => Err(error),
        }
    }

    /// Every limit of the server.
    ///
    /// # Errors
    /// If the server does not answer.
    pub async fn limits(&self) -> Result<Vec<Limit>, Error> {
        Ok(call!(self.get_limits(GetLimitsRequest {}))?.limits)
    }

    /// Returns the value of one limit; `None` if the server does not have it.
    ///
    /// # Errors
    /// If the server does not answer.
    pub async fn limit(&self, name: LimitName) -> Result<Option<u64>, Error> {
        let limits = self.limits().await?;
        Ok(limits.iter().find(|limit| limit.name() == name).map(|limit| limit.value))
    }

    /// The public key (Ed25519, 32 bytes) with which everyone can check what the server has signed, such as records.
    ///
    /// # Errors
    /// If the server does not answer.
    pub async fn signing_key(&self) -> Result<[u8; 32], Error> {
        public_key(call!(self.get_signing_key(GetSigningKeyRequest {}))?.signing_key)
    }

    /// All public keys that the server has signed with and still vouches for: that of now, then those of before, last replaced first.
    /// Whoever checks what was signed a while ago accepts each of them.
    ///
    /// # Errors
    /// If the server does not answer.
    pub async fn signing_keys(&self) -> Result<Vec<[u8; 32]>, Error> {
        let keys = call!(self.get_signing_key(GetSigningKeyRequest {}))?;
        let former = keys.former_signing_keys.into_iter().map(|former| former.signing_key);
        std::iter::once(keys.signing_key).chain(former).map(public_key).collect()
    }

    async fn fetch(&self, id: &str, content_hash: &[u8]) -> Result<Arc<GameCatalog>, Error> {
        let content_hash = content_hash.to_vec();
        let request = GetGameRequest { game: id.to_owned(), include_rules: true, content_hash };
        let game = required(call!(self.get_game(request.clone()))?.game, "game")?;
        let action_defs = self.action_defs(&request, &game).await?;
        let game = Arc::new(GameCatalog { game, action_defs });
        self.games.put(id, &request.content_hash, Arc::clone(&game));
        Ok(game)
    }

    /// The action table of a game, page after page.
    async fn action_defs(&self, of: &GetGameRequest, game: &Game) -> Result<Vec<ActionDef>, Error> {
        let mut action_defs = Vec::new();
        let (game_id, content_hash) = (of.game.clone(), of.content_hash.clone());
        let mut request =
            ListActionDefsRequest { game: game_id, content_hash, ..ListActionDefsRequest::default() };
        loop {
            let page = call!(self.list_action_defs(request.clone()))?;
            action_defs.extend(page.action_defs);
            match next_token(&request.page_token, page.next_page_token)? {
                Some(token) => request.page_token = token,
                None => break,
            }
        }
        let in_order = action_defs.iter().zip(0..).all(|(def, id): (&ActionDef, u32)| def.id == id);
        if action_defs.len() == game.action_count as usize && in_order {
            return Ok(action_defs);
        }
        let (count, sent) = (game.action_count, action_defs.len());
        Err(Error::Protocol(format!(
            "an action table of {sent} entries, not of all {count} in the order of ids"
        )))
    }
}

fn public_key(bytes: Vec<u8>) -> Result<[u8; 32], Error> {
    let refused = |bytes: Vec<u8>| Error::Protocol(format!("a public key of {} bytes", bytes.len()));
    bytes.try_into().map_err(refused)
}
