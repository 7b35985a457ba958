use std::sync::{Arc, Mutex};

use edgehill_client::Error;
use edgehill_client::v1::{
    ActionDef, Game, GameSummary, GetGameRequest, GetGameResponse, ListActionDefsRequest,
    ListActionDefsResponse, ListGamesRequest, ListGamesResponse, MatchConfig, RulesVersion,
};

use crate::fake::{Fake, client, serve};

fn summary(number: u32) -> GameSummary {
    let rules = Some(RulesVersion { number: 1, content_hash: vec![7; 32] });
    GameSummary { id: format!("g{number}"), rules, ..GameSummary::default() }
}

/// A server of five games with seven actions each, at most three of either a page.
fn fake(calls: &Arc<Mutex<Vec<String>>>, action_count: u32) -> Fake {
    let page = |token: &str, all: u32| {
        let first: u32 = token.parse().unwrap_or(0);
        let end = (first + 3).min(all);
        (first..end, if end < all { end.to_string() } else { String::new() })
    };
    let (games, got, defs) = (Arc::clone(calls), Arc::clone(calls), Arc::clone(calls));
    let note = |log: &Mutex<Vec<String>>, call: String| log.lock().unwrap().push(call);
    Fake {
        list_games: Some(Box::new(move |request: ListGamesRequest, _: &_| {
            note(&games, format!("games {}", request.page_token));
            let (numbers, next_page_token) = page(&request.page_token, 5);
            Ok(ListGamesResponse { games: numbers.map(summary).collect(), next_page_token })
        })),
        get_game: Some(Box::new(move |request: GetGameRequest, _: &_| {
            assert!(request.include_rules);
            note(&got, format!("game {}", request.game));
            let game = Game { summary: Some(summary(1)), action_count, ..Game::default() };
            Ok(GetGameResponse { game: Some(game) })
        })),
        list_action_defs: Some(Box::new(move |request: ListActionDefsRequest, _: &_| {
            note(&defs, format!("actions {}", request.page_token));
            let (ids, next_page_token) = page(&request.page_token, 7);
            let action_defs = ids.map(|id| ActionDef { id, ..ActionDef::default() }).collect();
            Ok(ListActionDefsResponse { action_defs, next_page_token })
        })),
        ..Fake::default()
    }
}

#[tokio::test]
async fn all_pages_of_games_and_of_an_action_table_are_fetched_once() {
    let calls = Arc::default();
    let client = client(serve(fake(&calls, 7)).await);
    let games = client.catalog().games().await.expect("games");
    assert_eq!(games, (0..5).map(summary).collect::<Vec<_>>());
    let game = client.catalog().game("g1").await.expect("a game");
    let ids: Vec<u32> = game.action_defs.iter().map(|def| def.id).collect();
    assert_eq!((game.id(), ids), ("g1", (0..7).collect()));
    assert_eq!(client.catalog().game("g1").await.expect("it is kept"), game);
    let asked = calls.lock().unwrap().clone();
    assert_eq!(asked, ["games ", "games 3", "game g1", "actions ", "actions 3", "actions 6"]);
}

#[tokio::test]
async fn a_table_that_is_not_whole_is_refused() {
    let client = client(serve(fake(&Arc::default(), 8)).await);
    let answer = client.catalog().game("g1").await;
    assert!(matches!(&answer, Err(Error::Protocol(why)) if why.contains("7 entries")), "{answer:?}");
}

#[tokio::test]
async fn a_match_of_other_rules_has_no_game() {
    let client = client(serve(fake(&Arc::default(), 7)).await);
    let config = |number| MatchConfig {
        game: "g1".to_owned(),
        rules: Some(RulesVersion { number, content_hash: vec![7; 32] }),
        ..MatchConfig::default()
    };
    client.catalog().game_of(&config(1)).await.expect("its game");
    assert!(matches!(client.catalog().game_of(&config(2)).await, Err(Error::OtherRules { .. })));
}
