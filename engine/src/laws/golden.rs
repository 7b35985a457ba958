//! Law `golden`: a playout as one observer saw it, in text, to be compared byte for byte with the one that was kept.

use std::fmt::Write as _;
use std::sync::Arc;

use rand_chacha::ChaCha8Rng;
use rand_core::SeedableRng;

use crate::bot::{Bot, HouseBot};
use crate::chance_source::ChanceSource;
use crate::game::{Game, Node};
use crate::render;
use crate::seat::{Observer, Seat};
use crate::setup::Setup;
use crate::table::{ApplyMode, ObservedEvent, Table};
use crate::view::View;

use super::LawResult;
use super::choices::{Habits, next_call};
use super::phrases::{event_has_words, view_has_words};

/// The most bytes of a golden.
pub const GOLDEN_BYTES_MAX: usize = 1 << 20;

/// A playout of `setup` by plain random choices from `seed`, as each observer saw it: at every node the events and a hash of the
/// view, the whole view at the first node, at each end of a phase, and at the last node.
///
/// # Errors
/// If something is said that is no sentence (law `phrases`).
pub fn golden<G: Game>(game: &Arc<G>, setup: &Setup, seed: u64) -> LawResult<Vec<(Observer, String)>> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    witnessed(game, setup, seed, |table| {
        let call = next_call(table, &Habits::plain(), &mut rng)?;
        call.make(table).ok()
    })
}

/// A playout like that of [`golden`], with a house bot at each seat: it comes further than chance does.
///
/// # Errors
/// As [`golden`].
pub fn golden_of<G: Game>(
    game: &Arc<G>,
    setup: &Setup,
    bot: &HouseBot<G>,
    seed: u64,
) -> LawResult<Vec<(Observer, String)>> {
    let seats = game.catalogue().seats.len() as u8;
    let mut bots: Vec<Box<dyn Bot>> =
        (0..seats).map(|seat| (bot.make)(game, Seat::new(seat), seed)).collect();
    witnessed(game, setup, seed, |table| {
        let seat = table.node().to_act().iter().next()?;
        let view = table.view(Observer::Seat(seat));
        let action = bots[seat.index()].choose(&view, &table.legal(seat));
        table.apply(seat, &[action], ApplyMode::Atomic).ok().map(drop)
    })
}

/// A match as each observer saw it; `play` goes on with it, and says that nothing more comes by `None`.
fn witnessed<G: Game>(
    game: &Arc<G>,
    setup: &Setup,
    seed: u64,
    mut play: impl FnMut(&mut Table<G>) -> Option<()>,
) -> LawResult<Vec<(Observer, String)>> {
    let mut table = Table::open(Arc::clone(game), setup.clone(), ChanceSource::playout(seed));
    let mut texts: Vec<Witness> = Observer::all(table.seats()).map(Witness::new).collect();
    texts.iter_mut().try_for_each(|text| text.look(&table))?;
    while play(&mut table).is_some() {
        texts.iter_mut().try_for_each(|text| text.look(&table))?;
    }
    Ok(texts.into_iter().map(|witness| (witness.observer, witness.text)).collect())
}

/// The record of what one observer saw, so far.
struct Witness {
    observer: Observer,
    published: usize,
    text: String,
}

impl Witness {
    fn new(observer: Observer) -> Self {
        Self { observer, published: 0, text: String::new() }
    }

    fn look<G: Game>(&mut self, table: &Table<G>) -> LawResult {
        let first = self.text.is_empty();
        let news = table.published(self.observer, self.published);
        if news.is_empty() && !first {
            return Ok(());
        }
        self.published += news.len();
        view_has_words(table, &table.view(self.observer))?;
        for seen in news {
            event_has_words(table, self.observer, seen)?;
            self.text.push_str(&event_text(table, seen));
        }
        let view = view_text(table, &table.view(self.observer));
        let hash = blake3::hash(view.as_bytes()).to_hex();
        let legal = match self.observer {
            Observer::Seat(seat) => table.legal(seat).len(),
            Observer::Spectator => 0,
        };
        let _ = writeln!(self.text, "= {} published, {legal} legal, view {}", self.published, &hash[..16]);
        let catalogue = table.game().catalogue();
        let phase_over = news.iter().any(|seen| catalogue.phase_ends.contains(&seen.code));
        if first || phase_over || table.node() == Node::Over {
            self.text.push_str(&view);
        }
        Ok(())
    }
}

/// An event and what it changes, in words.
fn event_text<G: Game>(table: &Table<G>, seen: &ObservedEvent) -> String {
    let catalogue = table.game().catalogue();
    let mut text = format!("- {}\n", render::event(catalogue, seen));
    for line in render::changes(catalogue, &seen.form.changes).lines() {
        let _ = writeln!(text, "  {line}");
    }
    text
}

/// A view in words.
fn view_text<G: Game>(table: &Table<G>, view: &View) -> String {
    render::view(table.game().catalogue(), view)
}
