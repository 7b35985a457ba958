//! Lists of matches, newest first: [`StoreFilter`], [`Page`], [`Listing`].

use edgehill_engine::seat::SeatSet;

use super::chain::Head;
use super::entry::{StoredStatus, Summary};
use super::limits::PAGE_MATCHES_MAX;
use super::names::MatchId;
use super::quarantine::{Quarantine, StoreFault};
use super::shards::ShardSet;

/// The matches to list; an empty filter is all of them.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct StoreFilter {
    /// Only of this game.
    pub game: Option<String>,
    /// Only of this scenario.
    pub scenario: Option<String>,
    /// Only those that are so far.
    pub status: Option<StoredStatus>,
    /// Only those with a seat that can be taken.
    pub with_open_seats: bool,
    /// Only those of this seed group.
    pub group: Option<String>,
    /// Only those of these shards.
    pub shards: Option<ShardSet>,
}

/// The part of the list.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Page {
    /// Only matches older than this one: the last page's [`Listing::next`].
    pub before: Option<MatchId>,
    /// Number of matches at most; taken as 1 to [`PAGE_MATCHES_MAX`].
    pub limit: usize,
}

impl Page {
    /// The newest matches, as many as one page takes.
    pub const FIRST: Self = Self { before: None, limit: PAGE_MATCHES_MAX };

    pub(super) fn size(self) -> usize {
        self.limit.clamp(1, PAGE_MATCHES_MAX)
    }
}

/// A match in a list.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ListedMatch {
    /// Its name.
    pub id: MatchId,
    /// The game's id.
    pub game: String,
    /// The scenario's id.
    pub scenario: String,
    /// The revision at which it stands.
    pub revision: u64,
    /// As of its last append.
    pub summary: Summary,
    /// All that lists show of it besides, as it was given last.
    pub overview: Vec<u8>,
    /// The reason that it is closed to play, if it is. If the reason is `ROW_DAMAGED`, the other fields mean nothing.
    pub quarantine: Option<Quarantine>,
}

impl ListedMatch {
    /// The line of a match.
    pub(super) fn of(head: Head, overview: Vec<u8>, quarantine: Option<Quarantine>) -> Self {
        let Head { id, game, scenario, at, summary, .. } = head;
        Self { id, game, scenario, revision: at.revision, summary, overview, quarantine }
    }

    /// The line of a match whose row is damaged, which may be noted already.
    pub(super) fn damaged(id: MatchId, fault: &StoreFault, noted: Option<&Quarantine>) -> Self {
        Self {
            id,
            game: String::new(),
            scenario: String::new(),
            revision: 0,
            summary: Summary {
                status: StoredStatus::Abandoned,
                open_seats: SeatSet::EMPTY,
                lengths: Vec::new(),
            },
            overview: Vec::new(),
            quarantine: Some(Quarantine::of(fault, noted.map_or(0, |noted| noted.since_ms))),
        }
    }
}

/// A page of a list.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Listing {
    /// By name, last made first.
    pub matches: Vec<ListedMatch>,
    /// The match at which the next page starts, if there is one.
    pub next: Option<MatchId>,
}

impl Listing {
    /// Cuts `matches`, which has one more than a page if there is a next one.
    pub(super) fn of(mut matches: Vec<ListedMatch>, page: Page) -> Self {
        let more = matches.len() > page.size();
        matches.truncate(page.size());
        let next = if more { matches.last().map(|last| last.id) } else { None };
        Self { matches, next }
    }
}

impl StoreFilter {
    pub(super) fn admits(&self, head: &Head) -> bool {
        self.game.as_deref().is_none_or(|game| game == head.game)
            && self.scenario.as_deref().is_none_or(|scenario| scenario == head.scenario)
            && self.status.is_none_or(|status| status == head.summary.status)
            && (!self.with_open_seats || !head.summary.open_seats.is_empty())
            && self.group.as_deref().is_none_or(|group| head.group.as_deref() == Some(group))
            && self.shards.is_none_or(|shards| shards.has(head.id))
    }
}
