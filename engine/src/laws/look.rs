//! The laws at one node, one after the other ([`Look`]).

use rand_chacha::ChaCha8Rng;

use crate::game::{Game, Node};
use crate::seat::SeatSet;
use crate::table::Table;

use super::segment::pick;
use super::undo::Ring;
use super::walk::guarded;
use super::{Care, Law, LawResult, Laws, Tally};
use super::{
    chance, course, encodings, lists, outcomes, phrases, progress, pure, refused, resample, saved, sealed,
    secrecy,
};
use super::{undo, views, worlds};

/// A look at a match at one node.
#[derive(Debug)]
pub(super) struct Look<'a, G: Game> {
    /// The match, what was published so far left behind: that is no law's business here, and makes every try dearer.
    pub(super) probe: &'a Table<G>,
    pub(super) ring: &'a Ring<G>,
    pub(super) laws: Laws,
    pub(super) care: Care,
    /// Counts the nodes: a law that is due one time in n is due where n divides it.
    pub(super) turn: u64,
    /// The choices of the checks at this node; each law has a stream of its own, so that it makes the same ones alone.
    pub(super) choices: ChaCha8Rng,
    pub(super) tally: &'a mut Tally,
}

impl<G: Game> Look<'_, G> {
    /// All laws that are due, those first that the others rest on.
    pub(super) fn all(&mut self) -> LawResult {
        let game = self.probe.game().as_ref();
        let every = self.care == Care::Every;
        let mut choices = self.choices.clone();
        let whole = every || pick(64, &mut choices) == 0;
        let to_the_end = every || pick(4, &mut choices) == 0;
        self.check(Law::Refused, 1, |table, rng| refused::refused(table, rng, whole).map(|()| 1))?;
        let closed = self.probe.result().is_some() && game.result(self.probe.state()).is_none();
        if closed {
            // Resigned or agreed: the state stands where it stood, and nobody plays on.
            return Ok(());
        }
        self.check(Law::DeadEnd, 1, |table, rng| progress::dead_end(table, rng).map(|()| 1))?;
        self.check(Law::Listed, 1, |table, rng| refused::listed(table, rng).map(|()| 1))?;
        self.check(Law::Views, 2, |table, _| views::views(table).map(|()| 1))?;
        self.check(Law::Windows, 1, |table, _| views::windows(table))?;
        self.check(Law::Phrases, 16, |table, _| phrases::reasons_have_words(table).map(|()| 1))?;
        self.check(Law::Corner, 4, |table, rng| progress::corner(table, rng).map(|()| 1))?;
        self.check(Law::Lines, 4, |table, rng| encodings::lines(table, rng).map(|()| 1))?;
        self.check(Law::Codec, 4, |table, rng| saved::codec(game, table.state(), rng).map(|()| 1))?;
        self.check(Law::Pure, 4, |table, rng| pure::pure(table, rng).map(|()| 1))?;
        self.check(Law::DefaultAction, 4, |table, _| pure::default_action(table).map(|()| 1))?;
        self.check(Law::Chance, 1, |table, rng| {
            let at_chance = u32::from(table.node() == Node::Chance);
            chance::chance(game, table.state(), rng).map(|()| at_chance)
        })?;
        self.undo()?;
        self.check(Law::Lists, 4, |table, rng| lists::lists(table, rng).map(|()| 1))?;
        self.check(Law::Spectator, 2, |table, rng| secrecy::spectator(table, rng))?;
        self.check(Law::Secrecy, 2, |table, rng| secrecy::secrecy(table, rng, whole))?;
        self.check(Law::Sealed, 4, |table, rng| sealed::sealed(table, rng))?;
        self.check(Law::Course, 16, |table, rng| course::course(table, rng))?;
        self.check(Law::Course, 4, |table, rng| outcomes::outcomes(table, rng))?;
        self.check(Law::Distribution, 32, |table, rng| worlds::small_worlds(table, rng))?;
        self.check(Law::Resample, 8, |table, rng| resample::resample(table, rng, to_the_end))
    }

    fn undo(&mut self) -> LawResult {
        let ring = self.ring;
        self.check(Law::Undo, 2, |table, rng| {
            undo::barred(table)?;
            ring.undo(table, rng)?;
            undo::teaches_nothing(table, rng)?;
            let seats = SeatSet::first(table.seats());
            Ok(seats.iter().filter(|&seat| !table.draft(seat).is_empty()).count() as u32)
        })
    }

    /// One law, if it is due; a panic within is a breach of it.
    fn check(
        &mut self,
        law: Law,
        period: u64,
        held: impl FnOnce(&Table<G>, &mut ChaCha8Rng) -> LawResult<u32>,
    ) -> LawResult {
        if self.care.is_due(self.laws, law, period, self.turn) {
            let mut rng = self.choices.clone();
            rng.set_stream(1 + law as u64);
            let count = guarded(law, || held(self.probe, &mut rng))?;
            self.tally.count(law, u64::from(count));
        }
        Ok(())
    }
}

impl Care {
    /// Returns whether a law is looked at, that is looked at one time in `period` on the whole.
    pub(super) fn is_due(self, laws: Laws, law: Law, period: u64, turn: u64) -> bool {
        laws.contains(law) && (self == Self::Every || turn.is_multiple_of(period))
    }
}
