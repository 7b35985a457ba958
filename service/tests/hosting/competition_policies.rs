//! The policies of competitions: calls that are withheld, illegal actions, publication, the secrecy of a series.

use std::sync::Arc;

use edgehill_proto::v1::{
    self, CompetitionPhase, ErrorReason, ForfeitReason, Termination, VerdictKind, WithheldCall,
    competition_format,
};
use edgehill_service::identity::Role;
use edgehill_service::store::{MemoryStore, Store};

use crate::erasing::{account, start};
use crate::kit::{HasMatch, by, exported, ids, reason, refusal, resign, soon, watch};
use crate::league::{League, round_robin, settings};
use crate::running::Running;
use crate::stage::Stage;

async fn running() -> Running {
    start(Arc::new(MemoryStore::new()) as Arc<dyn Store>).run().await
}

fn with_policy(change: impl FnOnce(&mut v1::CompetitionPolicy)) -> v1::CompetitionSettings {
    let mut settings = round_robin();
    change(settings.policy.as_mut().unwrap());
    settings
}

/// A match that runs, with the tokens of its seats.
async fn running_match(league: &mut League) -> (v1::CompetitionMatch, Vec<String>) {
    league.start().await.unwrap();
    let one = league.begun("1.1.1").await;
    let tokens = league.seat_all(&one).await;
    (one, tokens)
}

async fn state(league: &mut League, match_id: &str) -> v1::MatchState {
    let get = v1::GetMatchRequest { match_id: match_id.into() };
    league.client.get_match(by(&league.umpire, get)).await.unwrap().into_inner().state()
}

fn batch(actions: &[u32]) -> v1::ActionBatch {
    v1::ActionBatch { actions: Some(ids(actions)), ..v1::ActionBatch::default() }
}

fn apply(match_id: &str, request: &str, actions: &[u32]) -> v1::ApplyActionsRequest {
    v1::ApplyActionsRequest {
        match_id: match_id.into(),
        request_id: request.into(),
        batch: Some(batch(actions)),
        ..v1::ApplyActionsRequest::default()
    }
}

/// The legal actions of a seat, and one of the table that is none of them.
async fn legal_and_illegal(league: &mut League, match_id: &str, token: &str) -> (Vec<u32>, u32) {
    let list = v1::ListLegalActionsRequest { match_id: match_id.into(), ..Default::default() };
    let listed = league.client.list_legal_actions(by(token, list)).await.unwrap().into_inner();
    let legal = listed.legal_actions.unwrap_or_default().ids;
    let illegal = (0..).find(|id| !legal.contains(id)).unwrap();
    (legal, illegal)
}

#[tokio::test]
async fn illegal_actions_are_counted_once_each_and_forfeit_the_match_with_the_last() {
    let running = running().await;
    let mut league = League::new(&running, with_policy(|policy| policy.illegal_actions_max = 3), 2).await;
    let (one, tokens) = running_match(&mut league).await;
    let id = one.match_id.clone();
    let (_, illegal) = legal_and_illegal(&mut league, &id, &tokens[0]).await;
    let config = {
        let get = v1::GetMatchRequest { match_id: id.clone() };
        league.client.get_match(by(&league.umpire, get)).await.unwrap().into_inner().config()
    };
    assert_eq!(config.illegal_actions_max, 3);
    // The same request is the same action, and a seat's are its own.
    for request in ["a", "a", "b"] {
        let refused = league.client.apply_actions(by(&tokens[0], apply(&id, request, &[illegal]))).await;
        assert_eq!(reason(refused), ErrorReason::IllegalAction);
    }
    let counts: Vec<u32> =
        state(&mut league, &id).await.seats.iter().map(|seat| seat.illegal_actions).collect();
    assert_eq!(counts, [2, 0]);
    let last = league.client.apply_actions(by(&tokens[0], apply(&id, "c", &[illegal]))).await;
    assert_eq!(reason(last), ErrorReason::IllegalAction);
    let over = state(&mut league, &id).await;
    let result = over.result.unwrap();
    assert_eq!((result.termination(), &result.returns[..]), (Termination::Illegal, &[-1, 1][..]));
    let verdict = league.verdict("1.1.1").await;
    assert_eq!((verdict.kind(), verdict.reason()), (VerdictKind::Forfeit, ForfeitReason::IllegalActions));
    assert_eq!((verdict.entrant, &*verdict.evidence), (one.seats[0], "3 illegal actions"));
    // The record replays, and ends as if they had resigned.
    let record = v1::ExportRecordRequest { match_id: id.clone() };
    let record = exported(league.client.export_record(by(&tokens[0], record)).await).await.unwrap();
    let registry = edgehill_engine::registry::Registry::built_in().unwrap();
    let parsed = edgehill_engine::record::Record::parse(&record.text).unwrap();
    let report = edgehill_engine::record::verify(&**registry.game("skirmish").unwrap(), &parsed, &[]);
    assert!(report.is_consistent(), "{report}");
}

#[tokio::test]
async fn illegal_actions_count_through_streams_and_after_a_restart() {
    let file = crate::running::File::new();
    let server = start(file.open()).run().await;
    let mut league = League::new(&server, with_policy(|policy| policy.illegal_actions_max = 2), 2).await;
    let (one, tokens) = running_match(&mut league).await;
    let (_, illegal) = legal_and_illegal(&mut league, &one.match_id, &tokens[0]).await;
    let mut stage = Stage::new(&mut league.client).await;
    stage.open(0, crate::stage::open(&tokens[0]));
    stage.opened(0).await;
    stage.update(0, "").await;
    stage.say(0, "s1", v1::play_seats_request::Call::Apply(batch(&[illegal])));
    assert_eq!(stage.refusal(0, "s1").await, ErrorReason::IllegalAction);
    drop(stage);
    server.close().await;
    let server = start(file.open()).run().await;
    let mut league = league.again(&server).await;
    let refused = league.client.apply_actions(by(&tokens[0], apply(&one.match_id, "x", &[illegal]))).await;
    assert_eq!(reason(refused), ErrorReason::IllegalAction);
    assert_eq!(league.verdict("1.1.1").await.reason(), ForfeitReason::IllegalActions);
}

#[tokio::test]
async fn calls_that_a_policy_withholds_are_refused_and_streams_have_no_lists() {
    let running = running().await;
    let withheld =
        [WithheldCall::LegalActions, WithheldCall::Explanations, WithheldCall::Undo].map(i32::from);
    let settings = with_policy(|policy| policy.withheld_calls = withheld.to_vec());
    let mut league = League::new(&running, settings, 2).await;
    let (one, tokens) = running_match(&mut league).await;
    let id = one.match_id.clone();
    let get = v1::GetMatchRequest { match_id: id.clone() };
    let config = league.client.get_match(by(&league.umpire, get)).await.unwrap().into_inner().config();
    assert_eq!(config.withheld_calls, withheld);
    let list = v1::ListLegalActionsRequest { match_id: id.clone(), ..Default::default() };
    let refused = league.client.list_legal_actions(by(&tokens[0], list)).await;
    assert_eq!(reason(refused), ErrorReason::CallWithheld);
    let explain = v1::ExplainActionRequest { match_id: id.clone(), ..Default::default() };
    let refused = league.client.explain_action(by(&tokens[0], explain)).await;
    assert_eq!(reason(refused), ErrorReason::CallWithheld);
    let undo = v1::UndoActionsRequest { match_id: id.clone(), request_id: "u".into(), ..Default::default() };
    let refused = league.client.undo_actions(by(&tokens[0], undo)).await;
    assert_eq!(reason(refused), ErrorReason::CallWithheld);
    // A refusal by the rules does not name them.
    let table = edgehill_engine::registry::Registry::built_in().unwrap();
    let actions = table.game("skirmish").unwrap().catalogue().actions.len() as u32;
    let mut told = None;
    // Whoever is to act, and whatever they may do.
    for (action, token) in (0..actions).flat_map(|action| tokens.iter().map(move |token| (action, token))) {
        let request = apply(&id, &format!("try {action}"), &[action]);
        let refused = league.client.apply_actions(by(token, request)).await.map(drop).err();
        let refused = refused.map(|status| refusal::<()>(Err(status)));
        told = refused.filter(|refused| refused.reason() == ErrorReason::IllegalAction);
        if told.is_some() {
            break;
        }
    }
    let codes: Vec<String> = told.unwrap().rule_violations.into_iter().map(|one| one.code).collect();
    assert_eq!(codes, ["WITHHELD"]);
    // A prompt comes without a list.
    let mut stage = Stage::new(&mut league.client).await;
    let open = v1::play_seats_request::Open {
        legal: v1::LegalDetail::Full.into(),
        ..crate::stage::open(&tokens[0])
    };
    stage.open(0, open);
    stage.opened(0).await;
    let update = stage.update(0, "").await;
    assert!(update.legal_actions.is_none_or(|legal| legal.ids.is_empty() && legal.actions.is_empty()));
}

async fn record(league: &mut League, key: &str, match_id: &str) -> Result<String, ErrorReason> {
    let ask = v1::ExportRecordRequest { match_id: match_id.into() };
    let got = exported(league.client.export_record(by(key, ask)).await).await;
    got.map(|record| record.text).map_err(|status| refusal::<()>(Err(status)).reason())
}

#[tokio::test]
async fn records_and_seeds_are_the_players_own_until_they_are_published() {
    for publication in [v1::Publication::AfterEachRound, v1::Publication::AtTheEnd, v1::Publication::Never] {
        let server = running().await;
        let settings = with_policy(|policy| policy.publication = publication.into());
        let mut league = League::new(&server, settings, 3).await;
        league.start().await.unwrap();
        let first = league.begun_in(1).await;
        league.decide(&first).await;
        league.verdict(&first.slot).await;
        let own = league.key(first.seats[0] as usize).to_owned();
        let resting = (1..=3).find(|number| !first.seats.contains(number)).unwrap();
        let other = league.key(resting as usize).to_owned();
        let is_open = publication == v1::Publication::AfterEachRound;
        league.begun_in(2).await;
        let text = record(&mut league, &own, &first.match_id).await.unwrap();
        assert!(text.contains("server-seed"), "players have all of their own");
        let expected = if is_open { Ok(text.clone()) } else { Err(ErrorReason::NotPublished) };
        assert_eq!(record(&mut league, &other, &first.match_id).await, expected, "{publication:?}");
        assert_eq!(state(&mut league, &first.match_id).await.reveal.is_some(), is_open);
        for round in [2, 3] {
            let one = league.begun_in(round).await;
            league.decide(&one).await;
            league.verdict(&one.slot).await;
        }
        soon(async {
            while league.competition().await.phase() != CompetitionPhase::Finished {
                tokio::task::yield_now().await;
            }
        })
        .await;
        let is_open = publication != v1::Publication::Never;
        let expected = if is_open { Ok(text) } else { Err(ErrorReason::NotPublished) };
        assert_eq!(record(&mut league, &other, &first.match_id).await, expected, "{publication:?}");
        assert_eq!(state(&mut league, &first.match_id).await.reveal.is_some(), is_open);
    }
}

#[tokio::test]
async fn all_play_the_same_dice_in_a_series_and_nobody_looks_on_before_the_round_is_over() {
    let server = running().await;
    let series =
        competition_format::Format::Series(v1::SeriesFormat { seeds: 2, least: -1_000, most: 1_000 });
    let mut settings = v1::CompetitionSettings { game: "cruel-necessity".into(), ..settings(series) };
    settings.policy.as_mut().unwrap().publication = v1::Publication::AfterEachRound.into();
    let mut league = League::new(&server, settings, 1).await;
    for bot in ["first", "second"] {
        league.enrol_bot("random", bot).await.unwrap();
    }
    league.start().await.unwrap();
    let (own, bot) = (league.begun("1.1.1").await, league.begun("1.2.1").await);
    let eve = account(&server, "eve", Role::Player).await;
    let player = league.key(1).to_owned();
    for key in [&eve, &player] {
        let view = v1::GetViewRequest { match_id: bot.match_id.clone(), ..Default::default() };
        assert_eq!(reason(league.client.get_view(by(key, view)).await), ErrorReason::NotPublished);
        let refused = league.client.watch_match(by(key, watch(&bot.match_id, None))).await;
        assert_eq!(reason(refused), ErrorReason::NotPublished);
        let receipt = v1::GetReceiptRequest { match_id: bot.match_id.clone(), ..Default::default() };
        assert_eq!(reason(league.client.get_receipt(by(key, receipt)).await), ErrorReason::NotPublished);
    }
    // Each match begins by itself, without anybody's entropy.
    let token = league.sit(1, &own.match_id).await.unwrap();
    let begun = state(&mut league, &own.match_id).await;
    assert_eq!(
        (begun.status(), begun.seats[0].entropy()),
        (v1::MatchStatus::Running, v1::EntropyState::Absent)
    );
    let verdict = league.verdict("1.2.1").await;
    assert_eq!(verdict.kind(), VerdictKind::Score);
    assert_eq!(record(&mut league, &eve, &bot.match_id).await, Err(ErrorReason::NotPublished));
    assert!(state(&mut league, &bot.match_id).await.reveal.is_none(), "others play the same dice still");
    league.client.resign_match(by(&token, resign(&own.match_id, "r"))).await.unwrap();
    let given_up = league.verdict("1.1.1").await;
    assert_eq!((given_up.kind(), given_up.score), (VerdictKind::Score, -1_000));
    league.verdict("1.3.1").await;
    let next = league.begun("2.1.1").await;
    let mut seeds = Vec::new();
    for slot in ["1.1.1", "1.2.1", "1.3.1"] {
        let match_id = league.slot(slot).await.match_id;
        let reveal = state(&mut league, &match_id).await.reveal.unwrap();
        assert_eq!(reveal.entropies, Vec::<Vec<u8>>::new());
        seeds.push(reveal.seed);
        let text = record(&mut league, &eve, &match_id).await.unwrap();
        let parsed = edgehill_engine::record::Record::parse(&text).unwrap();
        let registry = edgehill_engine::registry::Registry::built_in().unwrap();
        let report =
            edgehill_engine::record::verify(&**registry.game("cruel-necessity").unwrap(), &parsed, &[]);
        assert!(report.is_consistent(), "{report}");
    }
    assert!(seeds.windows(2).all(|pair| pair[0] == pair[1]));
    // Of the next round nothing is told.
    assert!(state(&mut league, &next.match_id).await.reveal.is_none());
    let token = league.sit(1, &next.match_id).await.unwrap();
    league.client.resign_match(by(&token, resign(&next.match_id, "r"))).await.unwrap();
    soon(async {
        while league.competition().await.phase() != CompetitionPhase::Finished {
            tokio::task::yield_now().await;
        }
    })
    .await;
    let rows = league.standings().await;
    assert_eq!(rows.last().unwrap().name, "bot-1");
    assert!(rows.iter().all(|row| row.score.is_some()));
}
