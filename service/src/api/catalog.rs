//! `CatalogService` ([`Catalog`]): everything that a client asks for once.
//!
//! Nothing here changes while the server runs, so all answers are made when it starts; a call copies what it asks for.

use std::collections::BTreeMap;
use std::sync::Arc;

use edgehill_convert::messages::{action, game};
use edgehill_engine::registry::{AnyGame, Registry};
use edgehill_engine::signing::VerifyingKey;
use edgehill_proto::v1;
use edgehill_proto::v1::catalog_service_server::CatalogService;
use tonic::{Request, Response, Status};

use super::field;
use crate::limits::{CurrentLimits, PAGE_GAMES_MAX};
use crate::wire::Refused;

/// The games that the server plays, its limits and its public key. Cloning it is cheap: clones share their answers.
#[derive(Clone, Debug)]
pub struct Catalog {
    answers: Arc<Answers>,
}

#[derive(Debug)]
struct Answers {
    registry: Registry,
    /// By id, in the order in which they are shown.
    order: Vec<String>,
    games: BTreeMap<String, Parts>,
    /// Games with contents of before, by id and hash of the content.
    former: BTreeMap<(String, Vec<u8>), Parts>,
    limits: CurrentLimits,
    signing_key: v1::GetSigningKeyResponse,
}

/// A game's answer in the parts that calls ask for.
#[derive(Debug)]
struct Parts {
    rest: v1::Game,
    actions: Vec<v1::ActionDef>,
    rules: Vec<v1::Rule>,
}

impl Parts {
    fn of(game: &dyn AnyGame) -> Self {
        let mut rest = game::of(game);
        let rules = std::mem::take(&mut rest.rules);
        Self { rest, actions: action::defs(&game.catalogue().actions), rules }
    }
}

impl Catalog {
    /// The answers about these games and limits, and the public key of what the server signs. `former` are games with contents that
    /// new matches are not made with; `former_keys` what the server has signed with before, each key with the moment since which it
    /// does not, in milliseconds since 1970.
    #[must_use]
    pub fn new<'a>(
        registry: &Registry,
        former: impl IntoIterator<Item = &'a Arc<dyn AnyGame>>,
        limits: CurrentLimits,
        signing_key: VerifyingKey,
        former_keys: &[(VerifyingKey, u64)],
    ) -> Self {
        let (mut order, mut games) = (Vec::new(), BTreeMap::new());
        for any in registry.games() {
            let id = any.catalogue().id.to_owned();
            order.push(id.clone());
            games.insert(id, Parts::of(&**any));
        }
        let of_former = |any: &Arc<dyn AnyGame>| {
            let catalogue = any.catalogue();
            ((catalogue.id.to_owned(), catalogue.content.as_bytes().to_vec()), Parts::of(&**any))
        };
        let former = former.into_iter().map(of_former).collect();
        let former_signing_keys = former_keys.iter().map(|(key, replaced_ms)| v1::FormerSigningKey {
            signing_key: key.as_bytes().to_vec(),
            replace_time: Some(field::timestamp(*replaced_ms)),
        });
        let signing_key = v1::GetSigningKeyResponse {
            signing_key: signing_key.as_bytes().to_vec(),
            former_signing_keys: former_signing_keys.collect(),
        };
        let registry = registry.clone();
        Self { answers: Arc::new(Answers { registry, order, games, former, limits, signing_key }) }
    }

    /// The games of a page.
    ///
    /// # Errors
    /// INVALID_FIELD for a page that the list does not have.
    pub fn list(&self, request: &v1::ListGamesRequest) -> Result<v1::ListGamesResponse, Refused> {
        let Answers { order, games, .. } = &*self.answers;
        let (from, size) = page(request.page_size, PAGE_GAMES_MAX, &request.page_token, order.len())?;
        let ids = &order[from..(from + size).min(order.len())];
        Ok(v1::ListGamesResponse {
            games: ids.iter().filter_map(|id| games.get(id)?.rest.summary.clone()).collect(),
            next_page_token: next(from + size, order.len()),
        })
    }

    /// A game, as `request` asks for it.
    ///
    /// # Errors
    /// UNKNOWN_GAME; UNPLAYABLE for a content that is not there.
    pub fn game(&self, request: &v1::GetGameRequest) -> Result<v1::Game, Refused> {
        let Parts { rest, rules, .. } = self.parts(&request.game, &request.content_hash)?;
        let mut game = rest.clone();
        if request.include_rules {
            game.rules.clone_from(rules);
        }
        Ok(game)
    }

    /// The entries of a page of a game's action table.
    ///
    /// # Errors
    /// UNKNOWN_GAME; UNPLAYABLE for a content that is not there; INVALID_FIELD for a page that the table does not have.
    pub fn action_defs(
        &self,
        request: &v1::ListActionDefsRequest,
    ) -> Result<v1::ListActionDefsResponse, Refused> {
        let Parts { actions, .. } = self.parts(&request.game, &request.content_hash)?;
        let max = edgehill_engine::action::ActionTable::MAX;
        let (from, size) = page(request.page_size, max, &request.page_token, actions.len())?;
        Ok(v1::ListActionDefsResponse {
            action_defs: actions[from..(from + size).min(actions.len())].to_vec(),
            next_page_token: next(from + size, actions.len()),
        })
    }

    fn parts(&self, id: &str, content_hash: &[u8]) -> Result<&Parts, Refused> {
        let Answers { registry, games, former, .. } = &*self.answers;
        let current = registry.game(id)?.catalogue().content;
        let parts = if content_hash.is_empty() || content_hash == current.as_bytes() {
            games.get(id)
        } else {
            former.get(&(id.to_owned(), content_hash.to_vec()))
        };
        parts.ok_or_else(|| {
            let what = format!("played here with others, among them, in hex: {current}");
            Refused::of(v1::ErrorReason::Unplayable).violation("content_hash", what)
        })
    }
}

/// Reads where a page begins among `count` things, and how many it has.
fn page(size: i32, max: usize, token: &str, count: usize) -> Result<(usize, usize), Refused> {
    let size = field::page_size(size, max)?;
    let from = match token {
        "" => Some(0),
        token => token.parse().ok().filter(|&from: &usize| from < count && from.to_string() == token),
    };
    let bad = || Refused::field("page_token", "expected `next_page_token` of the page before, or nothing");
    Ok((from.ok_or_else(bad)?, size))
}

/// Returns the token of the page that begins at `from`, if there is one.
fn next(from: usize, count: usize) -> String {
    if from < count { from.to_string() } else { String::new() }
}

#[tonic::async_trait]
impl CatalogService for Catalog {
    async fn list_games(
        &self,
        request: Request<v1::ListGamesRequest>,
    ) -> Result<Response<v1::ListGamesResponse>, Status> {
        Ok(Response::new(self.list(request.get_ref())?))
    }

    async fn get_game(
        &self,
        request: Request<v1::GetGameRequest>,
    ) -> Result<Response<v1::GetGameResponse>, Status> {
        let game = self.game(request.get_ref())?;
        Ok(Response::new(v1::GetGameResponse { game: Some(game) }))
    }

    async fn list_action_defs(
        &self,
        request: Request<v1::ListActionDefsRequest>,
    ) -> Result<Response<v1::ListActionDefsResponse>, Status> {
        Ok(Response::new(self.action_defs(request.get_ref())?))
    }

    async fn get_limits(
        &self,
        _request: Request<v1::GetLimitsRequest>,
    ) -> Result<Response<v1::GetLimitsResponse>, Status> {
        Ok(Response::new(v1::GetLimitsResponse { limits: self.answers.limits.now().all() }))
    }

    async fn get_signing_key(
        &self,
        _request: Request<v1::GetSigningKeyRequest>,
    ) -> Result<Response<v1::GetSigningKeyResponse>, Status> {
        Ok(Response::new(self.answers.signing_key.clone()))
    }
}
