//! Runs that a house bot leads, so that late turns are looked at ([`Leads`]): chance alone seldom comes there.
//!
//! A led run makes the first so many calls of a match that a house bot has played at all seats, and only the node that they lead to is
//! looked at; from there on it goes as other runs do.

use std::fmt;
use std::sync::Arc;

use crate::bot::{Bot, HouseBot};
use crate::game::{Game, Node};
use crate::seat::{Observer, Seat};
use crate::table::{ApplyMode, Table};

use super::choices::{self, ChoiceSource};
use super::failure::broken;
use super::walk::guarded;
use super::{Breach, Failure, Law, LawResult, MatchCall, Run, TurnTrack, Walk};

/// The ways into a game's late turns, and the count of its turns.
pub struct Leads<G: Game> {
    /// The house bots that lead; each led run has one of them at all seats.
    pub bots: Vec<HouseBot<G>>,
    /// The count of the turns.
    pub turns: TurnTrack,
}

impl<G: Game> fmt::Debug for Leads<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Leads").field("bots", &self.bots).field("turns", &self.turns).finish()
    }
}

/// Leads a run that has only begun: it makes as many calls of a match by one of `bots` as the source says, from none to all but the last;
/// `late`: from two thirds of them on.
///
/// # Errors
/// If a listed action is refused or a call panics, with the bots' match as the run that shows it; if a law is broken at the node that the
/// calls lead to.
pub(super) fn lead<G: Game>(
    game: &Arc<G>,
    walk: &mut Walk<G>,
    bots: &[HouseBot<G>],
    late: bool,
    seed: u64,
    source: &mut impl ChoiceSource,
) -> Result<(), Box<Failure>> {
    let Some(bot) = source.pick(bots.len().max(1)).and_then(|index| bots.get(index)) else { return Ok(()) };
    let mut whole = walk.run().clone();
    let played = guarded(Law::Panic, || play(game, &mut whole, bot, seed, source));
    played.map_err(|breach| failure(*breach, seed, &whole))?;
    let calls = whole.calls;
    let first = if late { 2 * calls.len() / 3 } else { 0 };
    let many = first + source.pick((calls.len() - first).max(1)).unwrap_or(0);
    if many == 0 {
        return Ok(());
    }
    for call in calls.into_iter().take(many) {
        if let Err(refusal) = walk.pass_over(call)? {
            let detail = format!("a call that was made before is refused: {refusal}");
            let breach = Breach { law: Law::Replay, observer: None, detail };
            return Err(failure(breach, seed, walk.run()));
        }
    }
    walk.look()
}

fn failure(breach: Breach, seed: u64, run: &Run) -> Box<Failure> {
    Box::new(Failure::of(breach, seed, run))
}

/// A whole match with the bot at all seats; its calls are put behind those of `run`.
fn play<G: Game>(
    game: &Arc<G>,
    run: &mut Run,
    bot: &HouseBot<G>,
    seed: u64,
    source: &mut impl ChoiceSource,
) -> LawResult {
    let (setup, start) = (run.setup.clone(), game.start(&run.setup));
    let mut table = Table::from_state(Arc::clone(game), setup, None, start, run.luck.chance_source());
    let seats = (0..table.seats()).map(|seat| Seat::new(seat as u8));
    let mut bots: Vec<Box<dyn Bot>> = seats.map(|seat| (bot.make)(game, seat, seed)).collect();
    // Bots take nothing back, so no match of theirs has more calls.
    let most = game.bound(table.setup()) as usize;
    while run.calls.len() < most
        && let Some(call) = next(&table, &mut bots, source)
    {
        run.calls.push(call.clone());
        if let Err(refusal) = call.make(&mut table) {
            return broken(Law::Listed, format!("the bot `{}` chose what is refused: {refusal}", bot.name));
        }
    }
    Ok(())
}

/// The action of the bot at the lowest seat that is to act, or an outcome that is due; `None` at the end.
fn next<G: Game>(
    table: &Table<G>,
    bots: &mut [Box<dyn Bot>],
    source: &mut impl ChoiceSource,
) -> Option<MatchCall> {
    if table.node() == Node::Chance {
        return choices::outcome(&table.game().chance(table.state()), source).map(MatchCall::Enter);
    }
    let seat = table.node().to_act().iter().next()?;
    let action = bots[seat.index()].choose(&table.view(Observer::Seat(seat)), &table.legal(seat));
    Some(MatchCall::Actions { seat, actions: vec![action], mode: ApplyMode::Atomic })
}
