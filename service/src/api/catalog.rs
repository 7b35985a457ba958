//! `CatalogService` ([`Catalog`]): everything that a client asks for once.
//!
//! Nothing here changes while the server runs, so all answers are made when it starts; a call copies what it asks for.

use std::collections::BTreeMap;
use std::sync::Arc;

use edgehill_engine::registry::Registry;
use edgehill_proto::v1::catalog_service_server::CatalogService;
use edgehill_proto::v1::{self, GamePart};
use tonic::{Request, Response, Status};

use crate::limits::Limits;
use crate::wire::{Refused, game};

/// The games that the server plays, and its limits. Cloning it is cheap: clones share their answers.
#[derive(Clone, Debug)]
pub struct Catalog {
    answers: Arc<Answers>,
}

#[derive(Debug)]
struct Answers {
    registry: Registry,
    games: BTreeMap<String, Parts>,
    list: v1::ListGamesResponse,
    limits: v1::GetLimitsResponse,
}

/// A game's answer in the parts that can be left out.
#[derive(Debug)]
struct Parts {
    rest: v1::Game,
    actions: v1::ActionTable,
    rules: Vec<v1::Rule>,
}

impl Catalog {
    /// The answers about these games and limits.
    #[must_use]
    pub fn new(registry: &Registry, limits: &Limits) -> Self {
        let mut games = BTreeMap::new();
        let mut list = v1::ListGamesResponse::default();
        for any in registry.games() {
            let mut rest = game::of(&**any);
            let actions = rest.actions.take().unwrap_or_default();
            let rules = std::mem::take(&mut rest.rules);
            list.games.extend(rest.summary.clone());
            games.insert(any.catalogue().id.to_owned(), Parts { rest, actions, rules });
        }
        let limits = v1::GetLimitsResponse { limits: limits.all() };
        Self { answers: Arc::new(Answers { registry: registry.clone(), games, list, limits }) }
    }

    /// A game, as `request` asks for it.
    ///
    /// # Errors
    /// UNKNOWN_GAME; INVALID_FIELD for a part that is none, and for a page that the action table does not have.
    pub fn game(&self, request: &v1::GetGameRequest) -> Result<v1::Game, Refused> {
        let id = &*request.game;
        let Some(Parts { rest, actions, rules }) = self.answers.games.get(id) else {
            return Err(self
                .answers
                .registry
                .game(id)
                .err()
                .map_or_else(|| Refused::of(v1::ErrorReason::UnknownGame), Refused::from));
        };
        let parts = read_parts(&request.parts)?;
        let mut game = rest.clone();
        if parts.contains(&GamePart::Actions) {
            game.actions = Some(page(actions, request)?);
        } else if request.first_action != 0 || request.max_actions != 0 {
            let field = if request.first_action != 0 { "first_action" } else { "max_actions" };
            return Err(Refused::field(field, "expected 0: only GAME_PART_ACTIONS has pages"));
        }
        if parts.contains(&GamePart::Rules) {
            game.rules.clone_from(rules);
        }
        Ok(game)
    }
}

fn read_parts(parts: &[i32]) -> Result<Vec<GamePart>, Refused> {
    let read = |(index, &part): (usize, &i32)| match GamePart::try_from(part) {
        Ok(part @ (GamePart::Actions | GamePart::Rules)) => Ok(part),
        Ok(GamePart::Unspecified) | Err(_) => {
            Err(Refused::field(format!("parts[{index}]"), "expected GAME_PART_ACTIONS or GAME_PART_RULES"))
        }
    };
    parts.iter().enumerate().map(read).collect()
}

/// The actions from `first_action` on, `max_actions` at most; one past the last is an empty page.
fn page(table: &v1::ActionTable, request: &v1::GetGameRequest) -> Result<v1::ActionTable, Refused> {
    let first = request.first_action;
    let Some(from) = usize::try_from(first).ok().and_then(|first| table.actions.get(first..)) else {
        return Err(Refused::field(
            "first_action",
            format!("expected at most {}, the actions of the table", table.total),
        ));
    };
    let most = match request.max_actions {
        0 => from.len(),
        most => usize::try_from(most).unwrap_or(usize::MAX),
    };
    Ok(v1::ActionTable {
        verbs: table.verbs.clone(),
        actions: from.iter().take(most).cloned().collect(),
        first_id: first,
        total: table.total,
    })
}

#[tonic::async_trait]
impl CatalogService for Catalog {
    async fn list_games(
        &self,
        _request: Request<v1::ListGamesRequest>,
    ) -> Result<Response<v1::ListGamesResponse>, Status> {
        Ok(Response::new(self.answers.list.clone()))
    }

    async fn get_game(
        &self,
        request: Request<v1::GetGameRequest>,
    ) -> Result<Response<v1::GetGameResponse>, Status> {
        let game = self.game(request.get_ref())?;
        Ok(Response::new(v1::GetGameResponse { game: Some(game) }))
    }

    async fn get_limits(
        &self,
        _request: Request<v1::GetLimitsRequest>,
    ) -> Result<Response<v1::GetLimitsResponse>, Status> {
        Ok(Response::new(self.answers.limits.clone()))
    }
}
