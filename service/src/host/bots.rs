//! House bots: players of the server, asked whenever one of their seats is to act.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use edgehill_engine::action::ActionId;
use edgehill_engine::bot::Bot;
use edgehill_engine::registry::AnyGame;
use edgehill_engine::seat::{Observer, Seat};
use edgehill_engine::view::View;

use super::Host;
use super::error::Error;
use super::slot::{Locked, Slot};
use crate::matches::{Call, LiveMatch, SeedSource};
use crate::store::{self, MatchId};

/// The question to a bot.
struct Turn {
    seat: Seat,
    bot: String,
    view: View,
    legal: Vec<ActionId>,
    game: Arc<dyn AnyGame>,
    seed: u64,
}

/// House bots are being asked, until this is dropped.
struct Busy<'a>(&'a Slot);

impl Drop for Busy<'_> {
    fn drop(&mut self) {
        self.0.bots_busy.store(false, Ordering::Release);
    }
}

impl Host {
    /// Asks the house bots of a match, unless they are being asked.
    pub(super) fn wake_bots(&self, slot: &Arc<Slot>) {
        if self.0.closing.is_cancelled() || slot.bots_busy.swap(true, Ordering::AcqRel) {
            return;
        }
        let (host, slot) = (self.clone(), Arc::clone(slot));
        self.0.tasks.spawn(async move {
            let busy = Busy(&slot);
            let Err(error) = host.ask_bots(&slot, busy).await else { return };
            tracing::warn!(target: "edgehill::host", match_id = %slot.id, %error, "house bots wait");
            let passes = matches!(error, Error::Unavailable | Error::Store(store::Error::Unavailable { .. }));
            if passes && host.wait_to_repeat().await {
                host.wake_bots(&slot);
            }
        });
    }

    async fn ask_bots(&self, slot: &Arc<Slot>, busy: Busy<'_>) -> Result<(), Error> {
        let mut bots: BTreeMap<Seat, Box<dyn Bot>> = BTreeMap::new();
        loop {
            let locked = self.lock(slot).await?;
            let turn = if self.0.closing.is_cancelled() { None } else { next_turn(&locked, slot.id) };
            let Some(turn) = turn else {
                // Under the lock, so that the next change of the match finds them idle.
                drop(busy);
                return Ok(());
            };
            let mark = locked.mark();
            drop(locked);
            // A bot is a player like any other: what is not durable is not seen.
            slot.durable(mark).await?;
            let seat = turn.seat;
            // A plan lasts as long as a draft, so that how a bot plays does not hang on when it is asked.
            let bot = match bots.remove(&seat).filter(|_| !turn.view.draft.is_empty()) {
                Some(bot) => bot,
                None => {
                    let bot = turn.game.bot(&turn.bot, seat, turn.seed);
                    bot.ok_or_else(|| Error::Fault(format!("the game has no house bot {}", turn.bot)))?
                }
            };
            let (bot, action) = think(bot, turn).await;
            bots.extend(bot.map(|bot| (seat, bot)));
            let mut locked = self.lock(slot).await?;
            let now_ms = self.now_ms();
            let played = self
                .carry_out(&mut locked, |live| {
                    live.call(seat, Call::actions(&[action]), None, None, now_ms)
                        .map(|done| ((), done.change))
                })
                .await;
            match played {
                // Refused, if something else came first: then there is another turn, or none.
                Ok(()) | Err(Error::Match(_)) => {}
                Err(error) => return Err(error),
            }
        }
    }
}

/// Lets a bot choose. One that fails, or chooses what is not on its list, is not asked again, and the first legal action is
/// taken in its place.
async fn think(mut bot: Box<dyn Bot>, turn: Turn) -> (Option<Box<dyn Bot>>, ActionId) {
    let first = turn.legal.first().copied().unwrap_or(ActionId(0));
    let name = turn.bot.clone();
    let chosen = tokio::task::spawn_blocking(move || {
        let action = bot.choose(&turn.view, &turn.legal);
        turn.legal.contains(&action).then_some((bot, action))
    });
    match chosen.await {
        Ok(Some((bot, action))) => (Some(bot), action),
        Ok(None) => {
            tracing::error!(target: "edgehill::host", bot = name, "a house bot chose an action that is not legal");
            (None, first)
        }
        Err(error) => {
            tracing::error!(target: "edgehill::host", bot = name, %error, "a house bot failed");
            (None, first)
        }
    }
}

/// The next turn of a house bot.
fn next_turn(locked: &Locked<'_>, id: MatchId) -> Option<Turn> {
    let live = locked.content().ok()?.live().ok()?;
    let table = live.table()?;
    let bots = live.course().bot_seats();
    let seat = live.to_act().iter().find(|&seat| bots.contains(seat))?;
    let bot = live.course().seats().get(seat.index())?.bot.clone()?;
    let legal = table.legal(seat);
    if legal.is_empty() {
        return None;
    }
    let view = table.view(Observer::Seat(seat));
    Some(Turn { seat, bot, view, legal, game: Arc::clone(live.game()), seed: bot_seed(live, id, seat) })
}

/// The seed of a bot's choices from here on. It follows from the match's secret and from how much the seat has heard, so that
/// nobody can foresee them, and so that a match whose seed was chosen goes alike every time.
fn bot_seed(live: &LiveMatch, id: MatchId, seat: Seat) -> u64 {
    let mut hash = blake3::Hasher::new_derive_key("edgehill house bot 1");
    match &live.dice_secret().source {
        SeedSource::Server(seed) => {
            hash.update(seed.as_bytes());
            hash.update(id.as_bytes());
        }
        SeedSource::Chosen(seed) => {
            hash.update(seed.as_bytes());
        }
    }
    hash.update(&[seat.index() as u8]);
    hash.update(&live.course().length(Observer::Seat(seat)).to_le_bytes());
    let mut bytes = [0; 8];
    bytes.copy_from_slice(&hash.finalize().as_bytes()[..8]);
    u64::from_le_bytes(bytes)
}
