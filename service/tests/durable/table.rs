//! A table at which one match is played after the other, by clients of one kind; and one at which nobody stays.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use edgehill_proto::v1;
use tokio::task::JoinSet;

use crate::history::Answer;
use crate::journal::{Acknowledged, Did, Journal, Made, Sat};
use crate::line::Line;
use crate::message::HasMatch;
use crate::process::by;
use crate::random::Random;
use crate::seat::{Published, Seat};
use crate::world::{Played, PlayedSeat, World};
use crate::{stream, unary, watcher};

/// The games that are played, with options that make them short.
const GAMES: [(&str, &[(&str, &str)]); 2] =
    [("english-civil-war-iia", &[("max_seasons", "1")]), ("skirmish", &[])];

/// Plays match after match until the world stops.
pub(crate) async fn play(world: Arc<World>, number: usize, seed: u64) {
    let mut random = Random::new(seed ^ (number as u64) << 32);
    let mut line = world.line();
    let mut journal = Journal::open(world.new_file());
    for round in 0.. {
        if world.is_stopping() {
            return;
        }
        let request = format!("table {number}, match {round}");
        let (played, seats) = begin(&world, &mut line, &mut journal, &request, number, &mut random).await;
        let [one, two]: [Seat; 2] = seats.try_into().unwrap();
        let mut watchers = JoinSet::new();
        for number in 0..world.watchers {
            watchers.spawn(watcher::watch(Arc::clone(&world), Arc::clone(&played), number, world.line()));
        }
        let (lines, repeats) = ((world.line(), world.line()), number.is_multiple_of(8));
        match number / GAMES.len() % 4 {
            0 => drop(tokio::join!(unary::play(one, lines.0, repeats), unary::play(two, lines.1, !repeats))),
            1 => drop(tokio::join!(stream::play(vec![one], lines.0), stream::play(vec![two], lines.1))),
            2 => stream::play(vec![one, two], lines.0).await,
            _ => drop(tokio::join!(unary::play(one, lines.0, true), stream::play(vec![two], lines.1))),
        }
        while let Some(watched) = watchers.join_next().await {
            watched.unwrap();
        }
        played.done.store(true, Ordering::Relaxed);
    }
}

/// Makes matches, sits down in them and gives up, so that kills fall there.
pub(crate) async fn come_and_go(world: Arc<World>, number: usize, seed: u64) {
    let mut random = Random::new(seed ^ (number as u64) << 32);
    let mut line = world.line();
    let mut journal = Journal::open(world.new_file());
    for round in 0.. {
        if world.is_stopping() {
            return;
        }
        let request = format!("corner {number}, match {round}");
        let (played, seats) = begin(&world, &mut line, &mut journal, &request, number, &mut random).await;
        let mut seat = seats.into_iter().nth(random.below(2)).unwrap();
        let resign = v1::ResignMatchRequest {
            match_id: seat.match_id.clone(),
            request_id: "enough".to_owned(),
            ..v1::ResignMatchRequest::default()
        };
        for _ in 0..1 + random.below(2) {
            let resigned = line.insist_noting(
                |mut client| {
                    let request = by(&seat.token, resign.clone());
                    async move { client.resign_match(request).await }
                },
                |begin| seat.resigned(&resign.request_id, begin, Answer::Unknown),
            );
            let (begin, resigned) = resigned.await;
            let update = resigned.unwrap().into_inner().update.unwrap();
            seat.resigned(&resign.request_id, begin, Answer::Done { count: 0, seq: update.seq, seen: None });
            assert_eq!(update.status(), v1::MatchStatus::Finished);
            let line = Acknowledged {
                request: "enough".to_owned(),
                match_id: seat.match_id.clone(),
                seat: seat.number,
                seq: update.seq,
                did: Did::Resigned,
            };
            seat.journal.note(&line);
            world.acknowledged();
        }
        played.done.store(true, Ordering::Relaxed);
    }
}

/// Makes a match and takes its seats, all of it now and then twice.
async fn begin(
    world: &Arc<World>,
    line: &mut Line,
    journal: &mut Journal,
    request: &str,
    number: usize,
    random: &mut Random,
) -> (Arc<Played>, Vec<Seat>) {
    let (game, options) = GAMES[number % GAMES.len()];
    let options = options.iter().map(|&(id, value)| v1::OptionValue { id: id.into(), value: value.into() });
    let create = v1::CreateMatchRequest {
        request_id: request.to_owned(),
        game: game.to_owned(),
        options: options.collect(),
        seats: vec![
            v1::SeatConfig {
                kind: v1::SeatKind::Invited.into(),
                bot: String::new(),
                ..v1::SeatConfig::default()
            };
            2
        ],
        client_secret: vec![7; 32],
        ..v1::CreateMatchRequest::default()
    };
    let mut invitations = Vec::new();
    let mut made: Option<Made> = None;
    for _ in 0..1 + random.below(2) {
        let created = line.insist_noting(
            |mut client| {
                let request = create.clone();
                async move { client.create_match(request).await }
            },
            |begin| world.once(request, begin, None),
        );
        let (tried, created) = created.await;
        let created = created.unwrap().into_inner();
        let config = created.config();
        world.once(request, tried, Some(&config.match_id));
        let invited = created.invitations;
        assert!(invitations.is_empty() || invitations == invited, "others are invited for the same request");
        invitations = invited;
        let again = Made {
            request: request.to_owned(),
            game: game.to_owned(),
            match_id: config.match_id,
            commitment: config.dice.unwrap().commitment,
        };
        assert!(made.is_none_or(|made| made == again), "another match for the same request");
        journal.note(&again);
        world.acknowledged();
        made = Some(again);
    }
    let made = made.unwrap();
    let (mut seats, mut sats) = (Vec::new(), Vec::new());
    for invitation in invitations {
        let (sat, seat) = sit_down(world, line, journal, &made.match_id, invitation, random).await;
        sats.push(PlayedSeat {
            sat,
            published: Arc::clone(&seat.published),
            journal: seat.journal.path.clone(),
        });
        seats.push(seat);
    }
    let (public, watched, done) = (Mutex::default(), Mutex::default(), AtomicBool::new(false));
    let played = Played { made, seats: sats, public, watched, done };
    let played = Arc::new(played);
    world.played.lock().unwrap().push(Arc::clone(&played));
    (played, seats)
}

async fn sit_down(
    world: &Arc<World>,
    line: &mut Line,
    journal: &mut Journal,
    match_id: &str,
    invitation: v1::Invitation,
    random: &mut Random,
) -> (Sat, Seat) {
    let number = invitation.seat;
    let join = v1::JoinMatchRequest {
        match_id: match_id.to_owned(),
        request_id: format!("seat {number}"),
        invitation: invitation.invitation,
        entropy: vec![random.below(255) as u8 + 1; 32],
        client_secret: vec![7; 32],
        ..v1::JoinMatchRequest::default()
    };
    let mut sat: Option<Sat> = None;
    for _ in 0..1 + random.below(2) {
        let request = format!("{match_id}, {}", join.request_id);
        let joined = line.insist_noting(
            |mut client| {
                let request = join.clone();
                async move { client.join_match(request).await }
            },
            |begin| world.once(&request, begin, None),
        );
        let (tried, joined) = joined.await;
        let joined = joined.unwrap().into_inner();
        world.once(&request, tried, Some(&joined.seat_token));
        let again = Sat {
            request: join.request_id.clone(),
            match_id: match_id.to_owned(),
            seat: joined.seat,
            token: joined.seat_token,
        };
        assert_eq!(again.seat, number, "the one that was invited to");
        assert!(sat.is_none_or(|sat| sat == again), "another seat for the same request");
        journal.note(&again);
        world.acknowledged();
        sat = Some(again);
    }
    let sat = sat.unwrap();
    let seat = Seat {
        match_id: match_id.to_owned(),
        number,
        token: sat.token.clone(),
        published: Arc::new(Mutex::new(Published::default())),
        random: Random::new(random.next()),
        world: Arc::clone(world),
        journal: Journal::open(world.new_file()),
        asked: 0,
        last: None,
    };
    (sat, seat)
}
