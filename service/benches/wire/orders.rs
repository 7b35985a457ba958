//! Months of orders, each sent as one list: as bots do that know the rules.

use std::net::SocketAddr;

use edgehill_engine::bot::{Bot, random};
use edgehill_engine::chance_source::ChanceSource;
use edgehill_engine::game::Game;
use edgehill_engine::game::Node;
use edgehill_engine::games::english_civil_war_iia::EnglishCivilWar;
use edgehill_engine::seat::{Observer, Seat, SeatSet};
use edgehill_engine::setup::Setup;
use edgehill_engine::table::{ApplyMode, Table as Played};
use edgehill_proto::v1;
use edgehill_proto::v1::match_service_client::MatchServiceClient;
use std::sync::Arc;

use crate::load::{self, Line, Until};
use crate::message::{batch, ids};
use crate::unary::{Table, by};

/// Calls and order lines.
#[derive(Copy, Clone, Default, Debug)]
pub(crate) struct Sent {
    pub(crate) calls: u64,
    pub(crate) lines: u64,
}

/// Plays until the round is over; each call is all that a side orders in a phase.
pub(crate) async fn play(address: &SocketAddr, line: Line) -> Sent {
    let game = Arc::new(EnglishCivilWar::standard());
    let all = load::all(*address, line, move |index, channel, until: Until| {
        let game = Arc::clone(&game);
        async move {
            let mut client = MatchServiceClient::new(channel);
            let run: u64 = rand_core::Rng::next_u64(&mut crate::play::fresh());
            let (mut sent, mut games) = (Sent::default(), 0);
            while !until.is_past() {
                let table = Table::open(&mut client, &format!("o{run}-{index}-{games}")).await;
                games += 1;
                let setup = Setup::default_of(game.catalogue());
                // The game has no dice: the same orders lead to the same state here.
                let mut played = Played::open(Arc::clone(&game), setup, ChanceSource::playout(1));
                let seats = SeatSet::first(2);
                let bot = |seat: Seat| (random::<EnglishCivilWar>().make)(&game, seat, run + games);
                let mut bots: Vec<Box<dyn Bot>> = seats.iter().map(bot).collect();
                while !until.is_past() && played.node() != Node::Over {
                    for seat in played.node().to_act().iter() {
                        let orders = orders(&mut played, seat, &mut *bots[seat.index()]);
                        sent.calls += 1;
                        sent.lines += orders.len() as u64;
                        let request = v1::ApplyActionsRequest {
                            match_id: table.id.clone(),
                            request_id: sent.calls.to_string(),
                            batch: Some(batch(ids(&orders))),
                            response_options: None,
                        };
                        let request = by(&table.tokens[seat.index()], request);
                        client.apply_actions(request).await.expect("legal orders");
                    }
                }
            }
            sent
        }
    });
    let sent = all.await.0;
    sent.into_iter()
        .fold(Sent::default(), |sum, one| Sent { calls: sum.calls + one.calls, lines: sum.lines + one.lines })
}

/// All that a side orders in a phase, up to and with the action that commits it.
fn orders(played: &mut Played<EnglishCivilWar>, seat: Seat, bot: &mut dyn Bot) -> Vec<u32> {
    let mut orders = Vec::new();
    let view = played.view(Observer::Seat(seat));
    while !played.committed(seat) && played.node().to_act().contains(seat) {
        let legal = played.legal(seat);
        let action = bot.choose(&view, &legal);
        played.apply(seat, &[action], ApplyMode::Atomic).expect("what is listed is accepted");
        orders.push(action.0.into());
        // The last seat's commit ends the phase, after which it may be to act again.
        if played.draft(seat).is_empty() {
            break;
        }
    }
    orders
}
