//! A position with orders.

use edgehill_engine::games::english_civil_war_iia::adjudicator::*;

/// A board, units, orders, and what else an adjudication depends on. Plain numbers, so that oracle and
/// adjudicator each build their own view of it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Case {
    pub(crate) spaces: usize,
    pub(crate) links: Vec<(usize, usize)>,
    pub(crate) cut_all: bool,
    /// The leaders who count 1 alone.
    pub(crate) strong: Vec<usize>,
    /// By side, the spaces under enemy control.
    pub(crate) enemy_ground: [Vec<usize>; 3],
    pub(crate) stacks: Vec<StackOf>,
    pub(crate) orders: Vec<ToldTo>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct StackOf {
    pub(crate) at: usize,
    pub(crate) side: usize,
    pub(crate) armies: usize,
    pub(crate) leaders: Vec<usize>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ToldTo {
    pub(crate) at: usize,
    pub(crate) armies: usize,
    pub(crate) leaders: Vec<usize>,
    pub(crate) order: Order,
}

pub(crate) fn space(index: usize) -> Space {
    Space::new(index as u8).expect("a small board")
}

pub(crate) fn leader_set(leaders: &[usize]) -> LeaderSet {
    leaders.iter().map(|leader| LeaderId::new(*leader as u8).expect("few leaders")).collect()
}

impl Case {
    pub(crate) fn board(&self) -> Board {
        let links = self.links.iter().map(|(one, other)| (space(*one), space(*other)));
        Board::new(self.spaces, links).expect("the board is sound")
    }

    pub(crate) fn position(&self) -> Position {
        let mut position = Position::default();
        for stack in &self.stacks {
            let side = Side::new(stack.side as u8).expect("few sides");
            let leaders = leader_set(&stack.leaders);
            position.place(space(stack.at), side, stack.armies as u8, leaders).expect("the units fit");
        }
        position.set_strong_alone(leader_set(&self.strong));
        position
    }

    /// The orders, written in the sequence given by `sequence`, which holds each index once.
    pub(crate) fn orders(&self, position: &Position, sequence: &[usize]) -> Orders {
        let mut sheet = OrderSheet::new(position);
        for index in sequence {
            let ToldTo { at, armies, leaders, order } = &self.orders[*index];
            sheet.give(space(*at), *armies as u8, leader_set(leaders), *order).expect("the units are there");
        }
        sheet.finish().expect("few parts")
    }

    pub(crate) fn adjudicate(&self, orders: &Orders) -> Adjudication {
        let board = self.board();
        let mut month = Month::new(&board, Rules { cut_all: self.cut_all, ..Rules::default() });
        for (side, ground) in self.enemy_ground.iter().enumerate() {
            let spaces = ground.iter().map(|at| space(*at)).collect();
            month = month.with_enemy_ground(Side::new(side as u8).expect("few sides"), spaces);
        }
        month.adjudicate(orders)
    }
}
