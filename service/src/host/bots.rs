//! House bots: players of the server, asked whenever one of their seats owes a step.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use edgehill_engine::bot::Bot;
use edgehill_engine::registry::AnyGame;
use edgehill_engine::seat::{Observer, Seat};
use edgehill_engine::step::StepId;
use edgehill_engine::view::View;

use super::Host;
use super::error::Error;
use super::slot::{Locked, Slot};
use crate::matches::{Call, LiveMatch, Luck};
use crate::store::MatchId;

/// What a bot is asked.
struct Turn {
    seat: Seat,
    bot: String,
    view: View,
    legal: Vec<StepId>,
    game: Arc<dyn AnyGame>,
    seed: u64,
}

impl Host {
    /// Asks the house bots of a match, unless they are being asked.
    pub(super) fn wake_bots(&self, slot: &Arc<Slot>) {
        if self.0.closing.is_cancelled() || slot.bots_busy.swap(true, Ordering::AcqRel) {
            return;
        }
        let (host, slot) = (self.clone(), Arc::clone(slot));
        self.0.tasks.spawn(async move {
            if let Err(error) = host.ask_bots(&slot).await {
                tracing::warn!(target: "edgehill::host", match_id = %slot.id, %error, "house bots stop");
                slot.bots_busy.store(false, Ordering::Release);
            }
        });
    }

    async fn ask_bots(&self, slot: &Arc<Slot>) -> Result<(), Error> {
        let mut bots: BTreeMap<Seat, Box<dyn Bot>> = BTreeMap::new();
        loop {
            let locked = self.lock(slot).await?;
            let turn = if self.0.closing.is_cancelled() { None } else { next_turn(&locked, slot.id) };
            let Some(turn) = turn else {
                // Under the lock, so that whoever changes the match next finds them idle.
                slot.bots_busy.store(false, Ordering::Release);
                return Ok(());
            };
            let (generation, revision) = (locked.generation, locked.revision());
            drop(locked);
            // A bot is a player like any other: what is not durable is not seen.
            slot.durable(generation, revision).await?;
            let seat = turn.seat;
            let bot = match bots.remove(&seat) {
                Some(bot) => bot,
                None => {
                    let bot = turn.game.bot(&turn.bot, seat, turn.seed);
                    bot.ok_or_else(|| Error::Fault(format!("the game has no house bot {}", turn.bot)))?
                }
            };
            let (bot, step) = think(bot, turn).await;
            bots.extend(bot.map(|bot| (seat, bot)));
            let mut locked = self.lock(slot).await?;
            let now_ms = self.now_ms();
            let was_over = locked.content()?.course().ending().is_some();
            let played = self
                .carry_out(&mut locked, |live| {
                    live.call(seat, Call::steps(&[step]), None, None, now_ms).map(|done| ((), done.change))
                })
                .await;
            self.note_end(&locked, was_over);
            match played {
                // Refused, if something else came first: then there is another turn, or none.
                Ok(()) | Err(Error::Match(_)) => {}
                Err(error) => return Err(error),
            }
        }
    }
}

/// Lets a bot choose. One that fails is not asked again, and the first legal step is taken in its place.
async fn think(mut bot: Box<dyn Bot>, turn: Turn) -> (Option<Box<dyn Bot>>, StepId) {
    let first = turn.legal.first().copied().unwrap_or(StepId(0));
    let chosen = tokio::task::spawn_blocking(move || {
        let step = bot.choose(&turn.view, &turn.legal);
        (bot, step)
    });
    match chosen.await {
        Ok((bot, step)) => (Some(bot), step),
        Err(error) => {
            tracing::error!(target: "edgehill::host", %error, "a house bot failed");
            (None, first)
        }
    }
}

/// The next turn of a house bot.
fn next_turn(locked: &Locked<'_>, id: MatchId) -> Option<Turn> {
    let live = locked.content().ok()?.live().ok()?;
    let table = live.table()?;
    let bots = live.course().bot_seats();
    let seat = live.owing().iter().find(|&seat| bots.contains(seat))?;
    let bot = live.course().seats().get(seat.index())?.bot.clone()?;
    let legal = table.legal(seat);
    if legal.is_empty() {
        return None;
    }
    let view = table.view(Observer::Seat(seat));
    Some(Turn { seat, bot, view, legal, game: Arc::clone(live.game()), seed: bot_seed(live, id, seat) })
}

/// The seed of a bot's own choices. It follows from the match's secret, so that nobody can foresee them, and so that a match
/// whose seed was chosen goes alike every time.
fn bot_seed(live: &LiveMatch, id: MatchId, seat: Seat) -> u64 {
    let mut hash = blake3::Hasher::new_derive_key("edgehill house bot 1");
    match live.luck() {
        Luck::Server(seed) => {
            hash.update(seed.as_bytes());
            hash.update(id.as_bytes());
        }
        Luck::Chosen(seed) => {
            hash.update(seed.as_bytes());
        }
    }
    hash.update(&[seat.index() as u8]);
    let mut bytes = [0; 8];
    bytes.copy_from_slice(&hash.finalize().as_bytes()[..8]);
    u64::from_le_bytes(bytes)
}
