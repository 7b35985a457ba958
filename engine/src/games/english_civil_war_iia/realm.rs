//! The board as the rules need it: spaces, links, centres, leaders ([`Realm`]).
//!
//! Invariant: built once from checked content and never changed; spaces are in board order and leaders in roster order (S13).

use crate::content::Confidence;
use crate::seat::Seat;

use super::adjudicator::{Board, LeaderId, Space, SpaceSet};

/// The most spaces that a content set may have: the page has 44.
pub(super) const SPACES_MAX: usize = 48;
/// Number of leaders of each side.
pub(super) const LEADERS_A_SIDE: usize = 4;
/// Number of leaders.
pub(super) const LEADERS: usize = 2 * LEADERS_A_SIDE;
/// The most armies that both sides can have together: one for each space, and two for each further regular centre's worth.
pub(super) const ARMIES_MAX: u8 = 50;

/// The King's side.
pub const ROYALIST: Seat = Seat::new(0);
/// Parliament's side.
pub const PARLIAMENT: Seat = Seat::new(1);
/// Both sides, in the order in which things are published.
pub(super) const SIDES: [Seat; 2] = [ROYALIST, PARLIAMENT];

/// +1 for the Royalists and -1 for Parliament: the sign of their influence.
pub(super) const fn sign(seat: Seat) -> i16 {
    if seat.index() == 0 { 1 } else { -1 }
}

/// A space of the board.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct County {
    /// Its id, as orders write it.
    pub id: String,
    /// Its name.
    pub name: String,
    /// The weakest field of its record.
    pub confidence: Confidence,
    /// Number of counties that it counts for in income and on weight; 0 for London.
    pub weight: u8,
    /// Its rating at the start: positive Royalist, negative Parliament.
    pub bias: i16,
    /// Seat whose initial supply centre it is.
    pub home: Option<Seat>,
    /// Number of armies that it supports besides, as a regular centre.
    pub regular: u8,
    /// Number of armies that its home side has here at the start.
    pub armies: u8,
    /// Place of its label: eastwards and southwards, in the catalogue's unit.
    pub label: (i32, i32),
}

/// A leader.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Leader {
    /// Id, as orders write it.
    pub id: String,
    /// Name.
    pub name: String,
    /// The weakest field of the leader's record.
    pub confidence: Confidence,
    /// True if the leader's loss counts for victory.
    pub decisive: bool,
}

/// The board, and who may stand on it.
#[derive(Clone, Debug)]
pub struct Realm {
    /// The spaces, in board order.
    pub counties: Vec<County>,
    /// The leaders in roster order: the Royalist ones first.
    pub leaders: Vec<Leader>,
    /// The spaces that touch.
    pub board: Board,
    /// The home centres of each side.
    pub homes: [SpaceSet; 2],
    /// The regular centres.
    pub regular: SpaceSet,
    /// The place of each space in the order of names, for ties (S8, S11).
    pub name_rank: Vec<u8>,
}

impl Realm {
    /// From checked counties, leaders and links.
    #[must_use]
    pub fn new(counties: Vec<County>, leaders: Vec<Leader>, board: Board) -> Self {
        let of = |wanted: &dyn Fn(&County) -> bool| -> SpaceSet {
            let indices = (0..counties.len()).filter(|&index| wanted(&counties[index]));
            indices.filter_map(|index| Space::new(index as u8)).collect()
        };
        let homes = SIDES.map(|seat| of(&|county| county.home == Some(seat)));
        let regular = of(&|county| county.regular > 0);
        let mut by_name: Vec<usize> = (0..counties.len()).collect();
        by_name.sort_by_key(|&index| (&counties[index].name, index));
        let mut name_rank = vec![0; counties.len()];
        for (rank, &index) in by_name.iter().enumerate() {
            name_rank[index] = rank as u8;
        }
        Self { counties, leaders, board, homes, regular, name_rank }
    }

    /// The spaces, in board order.
    pub fn spaces(&self) -> impl Iterator<Item = Space> + use<> {
        (0..self.counties.len() as u8).filter_map(Space::new)
    }

    /// Returns what is printed on a space.
    #[must_use]
    pub fn county(&self, space: Space) -> &County {
        &self.counties[space.index()]
    }

    /// The spaces next to one.
    #[must_use]
    pub const fn near(&self, space: Space) -> SpaceSet {
        self.board.neighbours(space)
    }

    /// The space of this id, in letters of either case.
    #[must_use]
    pub fn space(&self, id: &str) -> Option<Space> {
        let index = self.counties.iter().position(|county| county.id.eq_ignore_ascii_case(id))?;
        Space::new(index as u8)
    }

    /// The leader of this id, in letters of either case.
    #[must_use]
    pub fn leader(&self, id: &str) -> Option<LeaderId> {
        let index = self.leaders.iter().position(|leader| leader.id.eq_ignore_ascii_case(id))?;
        LeaderId::new(index as u8)
    }

    /// The leader whose loss counts against `seat` (r11).
    #[must_use]
    pub fn decisive(&self, seat: Seat) -> Option<LeaderId> {
        roster(seat).find(|leader| self.leaders.get(leader.index()).is_some_and(|leader| leader.decisive))
    }
}

/// The leaders of a side, in roster order.
pub(super) fn roster(seat: Seat) -> impl Iterator<Item = LeaderId> {
    let first = seat.index() * LEADERS_A_SIDE;
    (first..first + LEADERS_A_SIDE).filter_map(|index| LeaderId::new(index as u8))
}

/// All leaders, in roster order.
pub(super) fn all_leaders() -> impl Iterator<Item = LeaderId> {
    (0..LEADERS as u8).filter_map(LeaderId::new)
}

/// Returns the side of a leader.
pub(super) const fn side_of(leader: LeaderId) -> Seat {
    if leader.index() < LEADERS_A_SIDE { ROYALIST } else { PARLIAMENT }
}
