//! House bots: players of the server, asked whenever one of their seats is to act. They think on threads of their own
//! ([`super::bot_pool`]), a turn at a time, and a turn is one call: what it drafts on the way is nobody else's business, and not
//! worth an entry of the log for each step.

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::Ordering;

use edgehill_engine::action::ActionId;
use edgehill_engine::bot::Bot;
use edgehill_engine::catalogue::LIST_ACTIONS_MAX;
use edgehill_engine::registry::{AnyGame, AnyTable};
use edgehill_engine::seat::{Observer, Seat};
use edgehill_engine::table::ApplyMode;
use edgehill_engine::view::View;
use tracing::{Instrument, Span};

use super::Host;
use super::bot_pool::Share;
use super::error::Error;
use super::slot::{Locked, Slot};
use crate::matches::{Call, LiveMatch, MatchError, SeedSource, SpentTimes};
use crate::store::{self, MatchId};
use crate::telemetry::spans;

/// The question to a bot.
struct Turn {
    seat: Seat,
    bot: String,
    /// The match on which it plans; what it does to it happens to nobody.
    table: Box<dyn AnyTable>,
    game: Arc<dyn AnyGame>,
    seed: u64,
    /// The number of the seat's last event: the plan holds as long as there is no other.
    seq: u64,
    share: Share,
}

/// The answer: actions that are legal one after the other, and the bot, unless it is not to be asked again.
struct Plan {
    actions: Vec<ActionId>,
    bot: Option<Box<dyn Bot>>,
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
        let (host, slot, cause) = (self.clone(), Arc::clone(slot), Span::current());
        self.0.tasks.spawn(async move {
            let busy = Busy(&slot);
            let Err(error) = host.ask_bots(&slot, busy, cause).await else { return };
            if matches!(error, Error::Elsewhere(_)) {
                return;
            }
            // Where the store fails, it says so itself.
            let passes = error.passes();
            if passes {
                tracing::debug!(match_id = %slot.id, %error, "house bots wait");
            } else {
                tracing::warn!(match_id = %slot.id, %error, "house bots wait");
            }
            // The match in memory was behind the log: it is read again.
            let is_behind = matches!(error, Error::Store(store::Error::Conflict { .. }));
            if (passes || is_behind) && host.wait_to_repeat().await {
                host.wake_bots(&slot);
            }
        });
    }

    /// Asks them until none is to act. `cause`: the span in which the first was found to be.
    async fn ask_bots(&self, slot: &Arc<Slot>, busy: Busy<'_>, cause: Span) -> Result<(), Error> {
        let mut cause = Some(cause);
        let mut bots: BTreeMap<Seat, Box<dyn Bot>> = BTreeMap::new();
        let mut actions_max = LIST_ACTIONS_MAX;
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
            let (seat, seq) = (turn.seat, turn.seq);
            // A plan lasts as long as a draft, so that how a bot plays does not hang on when it is asked.
            let bot = match bots.remove(&seat).filter(|_| !turn.table.draft(seat).is_empty()) {
                Some(bot) => bot,
                None => {
                    let bot = turn.game.bot(&turn.bot, seat, turn.seed);
                    bot.ok_or_else(|| Error::Fault(format!("the game has no house bot {}", turn.bot)))?
                }
            };
            let (share, clock, metrics) =
                (turn.share.clone(), Arc::clone(&self.0.parts.clock), self.metrics().clone());
            let thinks = move || {
                let (game, begun) = (Arc::clone(&turn.game), clock.elapsed());
                let plan = plan(turn, bot, actions_max);
                metrics.bot_turn(game.catalogue().id, clock.elapsed().saturating_sub(begun));
                plan
            };
            let span = spans::bot_turn(&cause.take().unwrap_or_else(Span::none));
            let planned = async {
                if share.alone {
                    self.0.bot_pace.turn(&*self.0.parts.clock).await;
                }
                self.0.bots.run(share, thinks).await
            };
            let planned = tokio::select! {
                planned = planned.instrument(span.clone()) => planned,
                // The next look at the match finds that out, and ends.
                () = self.0.closing.cancelled() => continue,
            };
            let Plan { actions, bot } =
                planned.ok_or_else(|| Error::Fault("the rules failed under a house bot".to_owned()))?;
            bots.extend(bot.map(|bot| (seat, bot)));
            let mut locked = self.lock(slot).await?;
            let now_ms = self.now_ms();
            let played = self
                .commit(&mut locked, |live| {
                    live.act(seat, Call::actions(&actions), None, Some(seq), now_ms, SpentTimes::default())
                        .map(|done| ((), done.change))
                })
                .instrument(span)
                .await;
            match played {
                Ok(()) => actions_max = LIST_ACTIONS_MAX,
                // Something else came first: then there is another turn, or none.
                Err(Error::Match(MatchError::StaleSequence { .. } | MatchError::Adjourned { .. })) => {}
                // The rules take them one by one only.
                Err(Error::Match(_)) if actions.len() > 1 => actions_max = 1,
                Err(error) => return Err(error),
            }
        }
    }

    /// Lets these matches go on, in which a house bot is to act: no call would wake it after a start.
    pub(super) fn resume_bots(&self, ids: Vec<MatchId>) {
        let host = self.clone();
        self.0.tasks.spawn(async move {
            for id in ids {
                let slot = host.0.slots.of(id);
                if let Err(error) = host.insist(|| host.wake(&slot)).await {
                    tracing::warn!(match_id = %id, %error, "house bots wait");
                }
                if host.0.closing.is_cancelled() {
                    return;
                }
            }
        });
    }

    /// Reads a match, whose house bots think from then on if it is their turn.
    async fn wake(&self, slot: &Arc<Slot>) -> Result<(), Error> {
        self.lock(slot).await.map(drop)
    }
}

/// Lets a bot plan its turn: up to and with the first action that is not only drafted, since what comes after it rests on
/// dice and on others; or until there are `actions_max`.
fn plan(turn: Turn, mut bot: Box<dyn Bot>, actions_max: usize) -> Plan {
    let Turn { seat, mut table, .. } = turn;
    let mut actions = Vec::new();
    let mut seen = table.followed(Observer::Seat(seat));
    loop {
        let legal = table.legal(seat);
        let Some(&first) = legal.first() else { break };
        table.follow(&mut seen);
        let Some(action) = choose(&mut *bot, &turn.bot, seen.view(), &legal) else {
            actions.push(first);
            return Plan { actions, bot: None };
        };
        actions.push(action);
        let drafted = table.draft(seat).len();
        let is_taken = table.apply(seat, &[action], ApplyMode::Atomic).is_ok();
        let goes_on = is_taken && table.draft(seat).len() > drafted && !table.committed(seat);
        if !goes_on || actions.len() >= actions_max {
            break;
        }
    }
    Plan { actions, bot: Some(bot) }
}

/// Lets a bot choose. One that fails, or chooses what is not on its list, is not asked again, and the first legal action is
/// taken in its place.
fn choose(bot: &mut dyn Bot, name: &str, view: &View, legal: &[ActionId]) -> Option<ActionId> {
    match catch_unwind(AssertUnwindSafe(|| bot.choose(view, legal))) {
        Ok(action) if legal.contains(&action) => Some(action),
        Ok(_) => {
            tracing::error!(bot = name, "a house bot chose an action that is not legal");
            None
        }
        Err(_) => {
            tracing::error!(bot = name, "a house bot failed");
            None
        }
    }
}

/// The next turn of a house bot.
fn next_turn(locked: &Locked<'_>, id: MatchId) -> Option<Turn> {
    let live = locked.content().ok()?.live().ok()?;
    let table = live.table()?;
    let course = live.course();
    let bots = course.bot_seats();
    let seat = live.to_act().iter().find(|&seat| bots.contains(seat))?;
    let bot = course.seats().get(seat.index())?.bot.clone()?;
    if table.legal(seat).is_empty() {
        return None;
    }
    Some(Turn {
        seat,
        bot,
        table: table.clone_box(),
        game: Arc::clone(live.game()),
        seed: bot_seed(live, id, seat),
        seq: course.length(Observer::Seat(seat)),
        share: Share { alone: course.header().is_of_bots(), counted_as: course.header().counted_as.clone() },
    })
}

/// The seed of a bot's choices from here on. It follows from the match's secret and from how much was published to the seat, so that
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
