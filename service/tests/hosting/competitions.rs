//! Competitions over the wire: who may do what, and how they are played to their end.

use std::sync::Arc;
use std::time::Duration;

use edgehill_proto::v1::{
    self, CompetitionEventKind, CompetitionPhase, EntrantStatus, ErrorReason, ForfeitReason, MatchStatus,
    VerdictKind, competition_format,
};
use edgehill_service::clock::{Clock, ManualClock};
use edgehill_service::identity::{AccountAct, AccountQuota, Role};
use edgehill_service::store::{AccountId, MemoryStore, Store};

use crate::erasing::{account, perform, start};
use crate::kit::{HasMatch, assert_field, by, reason, soon};
use crate::league::{League, name, points, round_robin, settings};
use crate::running::{Running, Start};

fn store() -> Arc<dyn Store> {
    Arc::new(MemoryStore::new())
}

async fn running() -> Running {
    start(store()).run().await
}

async fn status(league: &mut League, match_id: &str) -> MatchStatus {
    let get = v1::GetMatchRequest { match_id: match_id.into() };
    let got = league.client.get_match(by(&league.umpire, get)).await.unwrap();
    got.into_inner().state().status()
}

#[tokio::test]
async fn a_swiss_is_played_to_its_end_and_its_standings_follow_from_its_log() {
    let running = running().await;
    let swiss = competition_format::Format::Swiss(v1::SwissFormat { rounds: 3 });
    let settings = v1::CompetitionSettings {
        tie_breaks: vec![v1::TieBreak::Buchholz.into()],
        rating_system: v1::RatingSystem::Glicko2.into(),
        ..settings(swiss)
    };
    let mut league = League::new(&running, settings.clone(), 5).await;
    let before = league.competition().await;
    assert_eq!((before.phase(), before.entrant_count, before.round), (CompetitionPhase::Enrolling, 5, 0));
    assert!(before.is_mine && before.start_time.is_none());
    let started = league.start().await.unwrap();
    assert_eq!(started.phase(), CompetitionPhase::Running);
    // Once: the same call has the same outcome.
    assert_eq!(league.start().await.unwrap().id, started.id);
    assert_eq!(running.competitions.running(), 1);
    let played = league.play_all().await;
    assert_eq!(played.len(), 6, "two in each round, and a bye");
    assert_eq!((running.competitions.running(), running.competitions.hindered()), (0, 0));
    let verdicts = [("decided", 6), ("draw", 0), ("forfeit", 0), ("score", 0), ("void", 0)];
    assert_eq!(running.competitions.verdicts(), verdicts);

    let encounters = league.encounters().await;
    assert_eq!(encounters.iter().filter(|one| one.is_bye).count(), 3);
    assert!(encounters.iter().all(|one| one.is_over));
    for one in encounters.iter().flat_map(|encounter| &encounter.matches) {
        let verdict = one.verdict.as_ref().unwrap();
        let loser = *one.seats.iter().max().unwrap();
        assert_eq!((verdict.kind(), verdict.entrant), (VerdictKind::Loss, loser), "{one:?}");
        assert_eq!(verdict.evidence, "gave up");
    }
    let rows = league.standings().await;
    assert_eq!((rows[0].name.as_str(), rows[0].rank, rows[0].point_halves), ("bot-1", 1, 6));
    assert!(rows.iter().all(|row| row.rating.is_some() && row.is_provisional && row.tie_breaks.len() == 1));
    assert_eq!(rows.iter().map(|row| row.point_halves).sum::<u32>(), 18, "a point each match and each bye");

    // The log, from any cursor, without a gap; and it ends with the competition.
    for after in [0, 4] {
        let mut news = league.watch(after).await;
        let mut numbers = Vec::new();
        while let Some(message) = soon(news.message()).await.unwrap() {
            numbers.extend(message.events.iter().map(|event| event.number));
        }
        let last = league.competition().await.last_event;
        assert_eq!(numbers, (after + 1..=last).collect::<Vec<_>>());
    }
    // And what it leads to stands in every export.
    let document = league.export(v1::CompetitionExport::Json).await;
    let document: serde_json::Value = serde_json::from_str(&document).unwrap();
    assert_eq!(document["standings"][0]["name"], "bot-1");
    let page = league.export(v1::CompetitionExport::Html).await;
    assert!(page.starts_with("<!doctype html>") && page.contains("Spring cup"));
    assert_eq!(league.export(v1::CompetitionExport::MatchLines).await.lines().count(), 6);
    assert_eq!(league.export(v1::CompetitionExport::StandingsCsv).await.lines().count(), 6);
    let get = v1::GetStandingsRequest { competition_id: league.id.clone(), cross_table_of: 1 };
    let cells = league.calls.get_standings(by(&league.umpire, get)).await.unwrap().into_inner().cross_table;
    assert!(!cells.is_empty() && cells.iter().all(|cell| cell.tally.unwrap().losses == 0));
}

#[tokio::test]
async fn matches_are_the_servers_own_kept_for_their_entrants_and_told_to_be_of_the_competition() {
    let running = running().await;
    let settings = v1::CompetitionSettings {
        clock: Some(v1::ClockConfig {
            bank: Some(edgehill_proto::prost_types::Duration { seconds: 600, nanos: 0 }),
            strikes: 3,
            ..v1::ClockConfig::default()
        }),
        ..round_robin()
    };
    let mut league = League::new(&running, settings.clone(), 2).await;
    league.start().await.unwrap();
    let one = league.begun("1.1.1").await;
    let get = v1::GetMatchRequest { match_id: one.match_id.clone() };
    let config = league.client.get_match(by(league.key(1), get)).await.unwrap().into_inner().config();
    let place = config.competition.unwrap();
    assert_eq!((place.competition_id, place.slot, place.round), (league.id.clone(), "1.1.1".into(), 1));
    assert_eq!(
        config.clock,
        settings
            .clock
            .map(|clock| v1::ClockConfig { at_end: v1::TimeoutRule::DefaultAction.into(), ..clock })
    );
    // Nobody else sits there, and no entrant takes the match back.
    let eve = account(&running, "eve", Role::Player).await;
    let join = v1::JoinMatchRequest {
        match_id: one.match_id.clone(),
        request_id: "j".into(),
        seat: Some(0),
        ..v1::JoinMatchRequest::default()
    };
    assert_eq!(reason(league.client.join_match(by(&eve, join)).await), ErrorReason::BadInvitation);
    let abort = v1::AbortMatchRequest {
        match_id: one.match_id.clone(),
        request_id: "a".into(),
        ..v1::AbortMatchRequest::default()
    };
    let key = league.key(1).to_owned();
    assert_eq!(reason(league.client.abort_match(by(&key, abort)).await), ErrorReason::NotAllowed);
    league.decide(&one).await;
    assert_eq!(league.verdict("1.1.1").await.entrant, 2);
}

/// Lets the organizer have so many open matches.
async fn allow(running: &Running, open_matches: u32) {
    let quota = AccountQuota { open_matches: Some(open_matches), ..AccountQuota::default() };
    let act = AccountAct::SetQuota { account: AccountId::new("umpire").unwrap(), quota };
    perform(running, &format!("allow {open_matches}"), act).await.unwrap();
}

#[tokio::test]
async fn what_hinders_a_competition_is_told_until_it_is_gone() {
    let running = running().await;
    let mut league = League::new(&running, round_robin(), 4).await;
    allow(&running, 1).await;
    league.start().await.unwrap();
    let trouble = soon(async {
        loop {
            let trouble = league.competition().await.trouble;
            if !trouble.is_empty() {
                return trouble;
            }
            tokio::task::yield_now().await;
        }
    });
    let trouble = trouble.await;
    assert!(trouble.starts_with("match 1.2.1 can't be made: "), "{trouble}");
    assert_eq!((running.competitions.running(), running.competitions.hindered()), (1, 1));
    assert!(
        league.slot("1.2.1").await.match_id.is_empty() && !league.slot("1.1.1").await.match_id.is_empty()
    );
    allow(&running, 2).await;
    league.begun("1.2.1").await;
    soon(async {
        while running.competitions.hindered() > 0 {
            tokio::task::yield_now().await;
        }
    })
    .await;
    assert_eq!(league.competition().await.trouble, "");
}

#[tokio::test]
async fn who_does_not_come_in_time_forfeits_by_absence() {
    let clock = Arc::new(ManualClock::new(1_000_000));
    let start = Start { clock: Arc::clone(&clock) as Arc<dyn Clock>, ..start(store()) };
    let running = start.run().await;
    let mut settings = round_robin();
    let limit = edgehill_proto::prost_types::Duration { seconds: 60, nanos: 0 };
    settings.policy.as_mut().unwrap().absence_limit = Some(limit);
    let mut league = League::new(&running, settings, 3).await;
    league.start().await.unwrap();
    // Of three one rests in each round: in the first one comes, in the second nobody, in the third both.
    let one = league.begun_in(1).await;
    let (present, absent) = (one.seats[0], one.seats[1]);
    league.sit(present as usize, &one.match_id).await.unwrap();
    clock.advance(Duration::from_secs(59));
    assert_eq!(status(&mut league, &one.match_id).await, MatchStatus::Waiting);
    clock.advance(Duration::from_secs(2));
    let verdict = league.verdict(&one.slot).await;
    assert_eq!((verdict.kind(), verdict.reason()), (VerdictKind::Forfeit, ForfeitReason::Absence));
    assert_eq!(verdict.entrant, absent);
    assert_eq!(status(&mut league, &one.match_id).await, MatchStatus::Expired);
    let second = league.begun_in(2).await;
    clock.advance(Duration::from_secs(61));
    let verdict = league.verdict(&second.slot).await;
    assert_eq!((verdict.kind(), verdict.reason()), (VerdictKind::BothForfeit, ForfeitReason::Absence));
    let third = league.begun_in(3).await;
    league.decide(&third).await;
    league.verdict(&third.slot).await;
    let rows = league.standings().await;
    assert_eq!(rows.iter().map(|row| row.tally.unwrap().forfeits).sum::<u32>(), 3, "{rows:?}");
}

/// The other match of a mirrored pair.
fn mirror_of(slot: &str) -> String {
    format!("{}.2", slot.strip_suffix(".1").unwrap())
}

#[tokio::test]
async fn mirrored_pairs_share_their_dice_and_who_is_missing_in_one_forfeits_both() {
    let clock = Arc::new(ManualClock::new(1_000_000));
    let start = Start { clock: Arc::clone(&clock) as Arc<dyn Clock>, ..start(store()) };
    let running = start.run().await;
    let mirrored = Some(v1::EncounterTerms { matches: 2, mirrored: true, ..v1::EncounterTerms::default() });
    let settings = v1::CompetitionSettings { encounter: mirrored, ..round_robin() };
    let mut league = League::new(&running, settings, 3).await;
    league.start().await.unwrap();
    let first = league.begun_in(1).await;
    let second = league.begun(&mirror_of(&first.slot)).await;
    assert_eq!(first.seats, second.seats.iter().rev().copied().collect::<Vec<_>>());
    // Nothing is drawn before all seats of both are taken.
    let tokens = league.seat_all(&first).await;
    assert_eq!(status(&mut league, &first.match_id).await, MatchStatus::Waiting);
    let others = league.seat_all(&second).await;
    let resign = crate::kit::resign;
    league.client.resign_match(by(&tokens[1], resign(&first.match_id, "r"))).await.unwrap();
    league.client.resign_match(by(&others[1], resign(&second.match_id, "r"))).await.unwrap();
    assert_eq!(league.verdict(&first.slot).await.entrant, first.seats[1]);
    assert_eq!(league.verdict(&second.slot).await.entrant, first.seats[0]);

    // In the next round one comes to one match alone.
    let first = league.begun_in(2).await;
    let second = league.begun(&mirror_of(&first.slot)).await;
    league.seat_all(&first).await;
    let missing = second.seats[1];
    league.sit(second.seats[0] as usize, &second.match_id).await.unwrap();
    clock.advance(Duration::from_secs(601));
    for slot in [&first.slot, &second.slot] {
        let verdict = league.verdict(slot).await;
        assert_eq!((verdict.kind(), verdict.entrant), (VerdictKind::Forfeit, missing), "{slot}: {verdict:?}");
    }
}

#[tokio::test]
async fn house_bots_play_by_themselves_where_the_policy_lets_them_in() {
    let running = running().await;
    let mut league = League::new(&running, round_robin(), 0).await;
    for bot in ["first", "second", "third"] {
        let entrant = league.enrol_bot("random", bot).await.unwrap();
        assert_eq!((entrant.house_bot.as_str(), entrant.name.as_str()), ("random", bot));
    }
    assert_eq!(reason(league.enrol_bot("nobody", "x").await), ErrorReason::UnknownBot);
    league.start().await.unwrap();
    league.play_all().await;
    assert_eq!(points(&league.standings().await).values().sum::<u32>(), 6);

    let closed = v1::CompetitionSettings { policy: None, name: "People's cup".into(), ..round_robin() };
    let create = v1::CreateCompetitionRequest { request_id: "d".into(), settings: Some(closed) };
    let made = league.calls.create_competition(by(&league.umpire, create)).await.unwrap().into_inner();
    league.id = made.competition.unwrap().id;
    assert_field(league.enrol_bot("random", "first").await, ErrorReason::InvalidField, "house_bot");
}

#[tokio::test]
async fn a_match_that_is_voided_is_ended_and_played_again_or_counts_for_nothing() {
    let running = running().await;
    let mut league = League::new(&running, round_robin(), 2).await;
    assert_eq!(reason(league.void("1.1.1", true).await), ErrorReason::NotVoidable);
    league.start().await.unwrap();
    let first = league.begun("1.1.1").await;
    league.seat_all(&first).await;
    league.void("1.1.1", true).await.unwrap();
    let again = league.begun("1.1.1/2").await;
    assert_ne!(again.match_id, first.match_id);
    soon(async {
        while status(&mut league, &first.match_id).await != MatchStatus::Finished {
            tokio::task::yield_now().await;
        }
    })
    .await;
    assert_field_less(league.void("1.1.1", false).await);
    league.void("1.1.1/2", false).await.unwrap();
    soon(async {
        while league.competition().await.phase() != CompetitionPhase::Finished {
            tokio::task::yield_now().await;
        }
    })
    .await;
    assert_eq!(points(&league.standings().await).values().sum::<u32>(), 0);
    // It had not begun.
    soon(async {
        while status(&mut league, &again.match_id).await != MatchStatus::Aborted {
            tokio::task::yield_now().await;
        }
    })
    .await;
}

#[track_caller]
fn assert_field_less<T: std::fmt::Debug>(answer: Result<T, tonic::Status>) {
    assert_eq!(reason(answer), ErrorReason::NotVoidable);
}

#[tokio::test]
async fn a_competition_that_is_called_off_ends_its_matches() {
    let running = running().await;
    let mut league = League::new(&running, round_robin(), 4).await;
    league.start().await.unwrap();
    let (played, waiting) = (league.begun("1.1.1").await, league.begun("1.2.1").await);
    league.seat_all(&played).await;
    let cancel = v1::CancelCompetitionRequest {
        request_id: "x".into(),
        competition_id: league.id.clone(),
        reason: "rain".into(),
    };
    let cancelled = league.calls.cancel_competition(by(&league.umpire, cancel)).await.unwrap().into_inner();
    let cancelled = cancelled.competition.unwrap();
    assert_eq!((cancelled.phase(), &*cancelled.cancel_reason), (CompetitionPhase::Cancelled, "rain"));
    soon(async {
        while status(&mut league, &played.match_id).await != MatchStatus::Finished
            || status(&mut league, &waiting.match_id).await != MatchStatus::Aborted
        {
            tokio::task::yield_now().await;
        }
    })
    .await;
    let start = v1::StartCompetitionRequest { request_id: "t".into(), competition_id: league.id.clone() };
    let refused = league.calls.start_competition(by(&league.umpire, start)).await;
    assert_eq!(reason(refused), ErrorReason::CompetitionPhase);
}

#[tokio::test]
async fn entrants_leave_and_are_sent_away() {
    let running = running().await;
    let mut league = League::new(&running, round_robin(), 3).await;
    league.start().await.unwrap();
    let withdraw = |id: &str, entrant| v1::WithdrawEntrantRequest {
        request_id: format!("w{entrant}"),
        competition_id: id.into(),
        entrant,
    };
    // By the entrant's own account or the organizer's, and by nobody else's.
    let (id, other) = (league.id.clone(), league.key(2).to_owned());
    let refused = league.calls.withdraw_entrant(by(&other, withdraw(&id, 1))).await;
    assert_eq!(reason(refused), ErrorReason::NotAllowed);
    let own = league.key(1).to_owned();
    let left = league.calls.withdraw_entrant(by(&own, withdraw(&id, 1))).await.unwrap().into_inner();
    assert_eq!(left.entrant.unwrap().status(), EntrantStatus::Withdrawn);
    let again = league.calls.withdraw_entrant(by(&other, withdraw(&id, 7))).await;
    assert_eq!(reason(again), ErrorReason::UnknownEntrant);
    let disqualify = |evidence: &str| v1::DisqualifyEntrantRequest {
        request_id: "d".into(),
        competition_id: id.clone(),
        entrant: 2,
        evidence: evidence.into(),
    };
    let refused = league.calls.disqualify_entrant(by(&league.umpire, disqualify(""))).await;
    assert_field(refused, ErrorReason::InvalidField, "evidence");
    let away = league.calls.disqualify_entrant(by(&league.umpire, disqualify("two heads"))).await;
    let away = away.unwrap().into_inner().entrant.unwrap();
    assert_eq!((away.status(), &*away.evidence), (EntrantStatus::Disqualified, "two heads"));
    soon(async {
        while league.competition().await.phase() != CompetitionPhase::Finished {
            // Matches that had begun are watched to their end.
            let open: Vec<_> = league.encounters().await.into_iter().flat_map(|one| one.matches).collect();
            for one in open.iter().filter(|one| one.verdict.is_none() && !one.match_id.is_empty()) {
                if one.seats.len() == 2 && status(&mut league, &one.match_id).await == MatchStatus::Waiting {
                    league.decide(one).await;
                }
            }
            tokio::task::yield_now().await;
        }
    })
    .await;
    let rows = league.standings().await;
    let ranks: Vec<(u32, u32)> = rows.iter().map(|row| (row.entrant, row.rank)).collect();
    assert_eq!(ranks.last(), Some(&(2, 0)), "{ranks:?}");
}

#[tokio::test]
async fn each_call_is_for_those_whom_it_is_for() {
    let running = running().await;
    let mut league = League::new(&running, round_robin(), 2).await;
    let (id, player) = (league.id.clone(), league.key(1).to_owned());
    let create = v1::CreateCompetitionRequest { request_id: "p".into(), settings: Some(round_robin()) };
    let refused = league.calls.create_competition(by(&player, create.clone())).await;
    assert_eq!(reason(refused), ErrorReason::NotAllowed);
    // The same request makes one, and another one makes another.
    let made = league.calls.create_competition(by(&league.umpire, create.clone())).await.unwrap();
    let again = league.calls.create_competition(by(&league.umpire, create.clone())).await.unwrap();
    assert_eq!(made.into_inner(), again.into_inner());
    let other = v1::CreateCompetitionRequest {
        settings: Some(v1::CompetitionSettings { name: "Autumn cup".into(), ..round_robin() }),
        ..create
    };
    let reused = league.calls.create_competition(by(&league.umpire, other)).await;
    assert_eq!(reason(reused), ErrorReason::RequestIdReused);

    let start = v1::StartCompetitionRequest { request_id: "s".into(), competition_id: id.clone() };
    assert_eq!(reason(league.calls.start_competition(by(&player, start)).await), ErrorReason::NotAllowed);
    assert_eq!(league.enrol(1).await.unwrap().number, 1, "the same request");
    let twice = v1::EnrolEntrantRequest {
        request_id: "twice".into(),
        competition_id: id.clone(),
        name: "another".into(),
        ..v1::EnrolEntrantRequest::default()
    };
    let refused = league.calls.enrol_entrant(by(&player, twice.clone())).await;
    assert_eq!(reason(refused), ErrorReason::AlreadyEnrolled);
    let taken = v1::EnrolEntrantRequest { name: name(1), account_id: "umpire".into(), ..twice.clone() };
    assert_eq!(
        reason(league.calls.enrol_entrant(by(&league.umpire, taken)).await),
        ErrorReason::UnknownAccount
    );
    let eve = account(&running, "eve", Role::Player).await;
    let taken = v1::EnrolEntrantRequest { name: name(1), ..twice.clone() };
    assert_eq!(reason(league.calls.enrol_entrant(by(&eve, taken)).await), ErrorReason::EntrantNameTaken);
    for (field, wrong) in [
        ("account_id", v1::EnrolEntrantRequest { account_id: "bot-2".into(), ..twice.clone() }),
        ("house_bot", v1::EnrolEntrantRequest { house_bot: "random".into(), ..twice.clone() }),
        ("rating", v1::EnrolEntrantRequest { rating: Some(3_000), ..twice.clone() }),
    ] {
        assert_field(league.calls.enrol_entrant(by(&eve, wrong)).await, ErrorReason::NotAllowed, field);
    }
    // An account is told to itself and to the organizer.
    let get = || v1::GetCompetitionRequest { competition_id: id.clone() };
    for (key, told) in [(&league.umpire, 2), (&player, 1), (&eve, 0)] {
        let got = league.calls.get_competition(by(key, get())).await.unwrap().into_inner();
        let known = got.entrants.iter().filter(|entrant| !entrant.account_id.is_empty()).count();
        assert_eq!((known, got.competition.unwrap().is_mine), (told, told == 2));
    }
    for (wrong, expected) in [
        ("x", ErrorReason::InvalidField),
        ("00000000-0000-8000-8000-000000000000", ErrorReason::UnknownCompetition),
    ] {
        let get = v1::GetCompetitionRequest { competition_id: wrong.into() };
        assert_eq!(reason(league.calls.get_competition(by(&eve, get)).await), expected);
    }
    let ahead = v1::WatchCompetitionRequest { competition_id: id.clone(), after_event: 99 };
    assert_eq!(reason(league.calls.watch_competition(by(&eve, ahead)).await), ErrorReason::CursorAhead);
    let nobody = league.calls.get_competition(get()).await;
    assert_eq!(reason(nobody), ErrorReason::NotAllowed);

    // A page after another, last made first.
    let list = |page_token: String| v1::ListCompetitionsRequest {
        page_size: 1,
        page_token,
        ..v1::ListCompetitionsRequest::default()
    };
    let first = league.calls.list_competitions(by(&eve, list(String::new()))).await.unwrap().into_inner();
    let second = league.calls.list_competitions(by(&eve, list(first.next_page_token))).await.unwrap();
    let second = second.into_inner();
    assert_eq!((first.competitions.len(), second.competitions.len()), (1, 1));
    assert!(second.next_page_token.is_empty() && first.competitions[0].id != second.competitions[0].id);
}

#[tokio::test]
async fn settings_that_can_not_be_played_are_refused_by_field() {
    let running = running().await;
    let mut league = League::new(&running, round_robin(), 0).await;
    let series = |least, most| competition_format::Format::Series(v1::SeriesFormat { seeds: 1, least, most });
    let with = |change: fn(&mut v1::CompetitionSettings)| {
        let mut settings = round_robin();
        change(&mut settings);
        settings
    };
    let cases = [
        (with(|of| of.name.clear()), ErrorReason::InvalidField, "settings.name"),
        (with(|of| of.format = None), ErrorReason::InvalidField, "settings.format"),
        (settings(series(0, 1)), ErrorReason::InvalidField, "settings.format"),
        (with(|of| of.scenario = "x".into()), ErrorReason::UnknownScenario, "settings.scenario"),
        (
            with(|of| of.options = vec![v1::OptionValue { id: "x".into(), value: "y".into() }]),
            ErrorReason::UnknownOption,
            "settings.options[0].id",
        ),
        (
            with(|of| of.clock = Some(v1::ClockConfig::default())),
            ErrorReason::InvalidField,
            "settings.terms.clock",
        ),
    ];
    for (index, (settings, expected, field)) in cases.into_iter().enumerate() {
        let create =
            v1::CreateCompetitionRequest { request_id: format!("{index}"), settings: Some(settings) };
        let refused = league.calls.create_competition(by(&league.umpire, create)).await;
        assert_field(refused, expected, field);
    }
    let unknown = v1::CompetitionSettings { game: "chess".into(), ..round_robin() };
    let create = v1::CreateCompetitionRequest { request_id: "g".into(), settings: Some(unknown) };
    let refused = league.calls.create_competition(by(&league.umpire, create)).await;
    assert_eq!(reason(refused), ErrorReason::UnknownGame);
    assert_eq!(reason(league.start().await), ErrorReason::TooFewEntrants);
}

#[tokio::test]
async fn a_server_without_accounts_has_no_competitions() {
    let running = Start::default().run().await;
    let mut calls = running.league().await;
    let list = calls.list_competitions(v1::ListCompetitionsRequest::default()).await;
    assert_eq!(reason(list), ErrorReason::NoAccounts);
    let create = v1::CreateCompetitionRequest { request_id: "c".into(), settings: Some(round_robin()) };
    assert_eq!(reason(calls.create_competition(create).await), ErrorReason::NoAccounts);
}

#[tokio::test]
async fn events_tell_what_has_happened() {
    let running = running().await;
    let mut league = League::new(&running, round_robin(), 2).await;
    league.start().await.unwrap();
    league.play_all().await;
    let mut news = league.watch(0).await;
    let mut kinds = Vec::new();
    while let Some(message) = soon(news.message()).await.unwrap() {
        kinds.extend(message.events.iter().map(v1::CompetitionEvent::kind));
    }
    use CompetitionEventKind as Kind;
    let expected = [
        Kind::Created,
        Kind::Enrolled,
        Kind::Enrolled,
        Kind::Started,
        Kind::RoundPaired,
        Kind::MatchBegun,
        Kind::MatchEnded,
        Kind::Finished,
    ];
    assert_eq!(kinds, expected);
}
