//! The turns of a game: what counts them ([`TurnTrack`]), and how many nodes of each were looked at ([`NodesByTurn`]).

use std::collections::BTreeMap;
use std::fmt;

use crate::catalogue::Catalogue;
use crate::game::Game;
use crate::reference::Location;
use crate::seat::Observer;
use crate::setup::Setup;
use crate::table::Table;

use super::failure::broken_for;
use super::{Law, LawResult};

/// The count of a game's turns, where everybody sees it: a marker on a track.
#[derive(Copy, Clone, Debug)]
pub struct TurnTrack {
    /// Id of the kind of marker.
    pub marker: &'static str,
    /// The marker's number in the last turn of a match of a setup that nothing ends before its time; `None`: that of the last box
    /// of the track, whatever the setup.
    pub last: Option<fn(&Catalogue, &Setup) -> i32>,
}

impl TurnTrack {
    /// The number of the marker now, and the track that it stands on.
    ///
    /// # Errors
    /// If no such marker stands on a track (law `views`): then nobody can see which turn it is.
    fn now<G: Game>(self, table: &Table<G>) -> LawResult<(i32, u16)> {
        let game = table.game();
        let board = game.board(table.released(), Observer::Spectator);
        let found = board.markers.iter().find_map(|(marker, &number)| {
            let Location::Track(track) = marker.at else { return None };
            let def = game.catalogue().markers.get(usize::from(marker.kind))?;
            (def.entry.id == self.marker).then_some((number, track))
        });
        match found {
            Some(found) => Ok(found),
            None => {
                let detail = format!("no marker `{}` stands on a track", self.marker);
                broken_for(Law::Views, Observer::Spectator, detail)
            }
        }
    }

    fn last<G: Game>(self, table: &Table<G>, track: u16) -> i32 {
        let catalogue = table.game().catalogue();
        if let Some(last) = self.last {
            return last(catalogue, table.setup());
        }
        let boxes = catalogue.tracks.get(usize::from(track)).map(|track| &track.boxes);
        boxes.and_then(|boxes| boxes.iter().map(|one| one.number).max()).unwrap_or(0)
    }
}

/// The turns of one match, from the one in which it began.
#[derive(Copy, Clone, Debug)]
pub(super) struct MatchTurns {
    track: TurnTrack,
    first: i32,
    last: i32,
}

impl MatchTurns {
    /// Those of a match that is in its first turn.
    pub(super) fn of<G: Game>(track: TurnTrack, table: &Table<G>) -> LawResult<Self> {
        let (first, place) = track.now(table)?;
        Ok(Self { track, first, last: track.last(table, place) })
    }

    /// Counts the node at which the match stands.
    pub(super) fn note<G: Game>(&self, table: &Table<G>, counts: &mut NodesByTurn) -> LawResult {
        let (turn, _) = self.track.now(table)?;
        let [all, late] = counts.0.entry(turn).or_default();
        *all += 1;
        *late += u64::from(self.is_late(turn));
        Ok(())
    }

    /// Returns whether a turn ends in the last third of the match: of eleven turns the last four do.
    const fn is_late(&self, turn: i32) -> bool {
        3 * (turn - self.first + 1) > 2 * (self.last - self.first + 1)
    }
}

/// Counts of nodes that were looked at, by the turn. A node is late if it is in the last third of the turns that its match can have.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct NodesByTurn(BTreeMap<i32, [u64; 2]>);

impl NodesByTurn {
    /// Returns the number of nodes.
    #[must_use]
    pub fn all(&self) -> u64 {
        self.iter().map(|(_, all, _)| all).sum()
    }

    /// Returns the number of nodes that are late.
    #[must_use]
    pub fn late(&self) -> u64 {
        self.iter().map(|(.., late)| late).sum()
    }

    /// Returns the turns in their order, each with its number, its nodes, and those of them that are late.
    pub fn iter(&self) -> impl Iterator<Item = (i32, u64, u64)> {
        self.0.iter().map(|(&turn, &[all, late])| (turn, all, late))
    }

    pub(super) fn add(&mut self, other: &Self) {
        for (&turn, counts) in &other.0 {
            let mine = self.0.entry(turn).or_default();
            mine.iter_mut().zip(counts).for_each(|(mine, theirs)| *mine += theirs);
        }
    }
}

/// A table: a line a turn.
impl fmt::Display for NodesByTurn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "turn    nodes     late")?;
        for (turn, all, late) in self.iter() {
            writeln!(f, "{turn:4} {all:8} {late:8}")?;
        }
        write!(f, "{} of {} nodes are in the last third of their match", self.late(), self.all())
    }
}
