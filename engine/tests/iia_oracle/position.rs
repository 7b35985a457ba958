//! A position with orders, in a form that can be printed, pasted into the regressions file, and read again.

use std::fmt;

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

    /// Reads what `Display` writes.
    pub(crate) fn parse(text: &str) -> Self {
        let mut case = Self::default();
        for line in text.lines().filter(|line| !line.trim().is_empty()) {
            let mut words = line.split_whitespace();
            let verb = words.next().expect("a line has a first word");
            let rest: Vec<&str> = words.collect();
            let number = |word: &str| word.parse().unwrap_or_else(|_| panic!("a number in: {line}"));
            let numbers = |words: &[&str]| words.iter().map(|word| number(word)).collect::<Vec<usize>>();
            match (verb, rest.as_slice()) {
                ("board", [spaces, links @ ..]) => {
                    case.spaces = number(spaces);
                    let link =
                        |text: &&str| text.split_once('-').map(|(one, other)| (number(one), number(other)));
                    case.links = links.iter().map(|text| link(text).expect("a link")).collect();
                }
                ("cut_all", []) => case.cut_all = true,
                ("strong", leaders) => case.strong = numbers(leaders),
                ("enemy_of", [side, spaces @ ..]) => case.enemy_ground[number(side)] = numbers(spaces),
                ("stack", [at, side, armies, leaders @ ..]) => case.stacks.push(StackOf {
                    at: number(at),
                    side: number(side),
                    armies: number(armies),
                    leaders: numbers(leaders),
                }),
                ("order", [at, order, targets, armies, leaders @ ..]) => {
                    let targets: Vec<Space> =
                        targets.split('-').map(|target| space(number(target))).collect();
                    let order = match (*order, targets.as_slice()) {
                        ("move", [to]) => Order::Move(*to),
                        ("merge", [to]) => Order::Merge(*to),
                        ("support", [at]) => Order::SupportHold(*at),
                        ("support", [from, to]) => Order::SupportMove { from: *from, to: *to },
                        _ => panic!("no order: {line}"),
                    };
                    let (at, armies, leaders) = (number(at), number(armies), numbers(leaders));
                    case.orders.push(ToldTo { at, armies, leaders, order });
                }
                _ => panic!("no line of a position: {line}"),
            }
        }
        case
    }
}

impl fmt::Display for Case {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let list = |numbers: &[usize]| numbers.iter().map(|number| format!(" {number}")).collect::<String>();
        write!(f, "board {}", self.spaces)?;
        for (one, other) in &self.links {
            write!(f, " {one}-{other}")?;
        }
        writeln!(f, "{}", if self.cut_all { "\ncut_all" } else { "" })?;
        writeln!(f, "strong{}", list(&self.strong))?;
        for (side, ground) in self.enemy_ground.iter().enumerate() {
            writeln!(f, "enemy_of {side}{}", list(ground))?;
        }
        for StackOf { at, side, armies, leaders } in &self.stacks {
            writeln!(f, "stack {at} {side} {armies}{}", list(leaders))?;
        }
        for ToldTo { at, armies, leaders, order } in &self.orders {
            let (verb, targets) = match order {
                Order::Move(to) => ("move", to.index().to_string()),
                Order::Merge(to) => ("merge", to.index().to_string()),
                Order::SupportHold(at) => ("support", at.index().to_string()),
                Order::SupportMove { from, to } => ("support", format!("{}-{}", from.index(), to.index())),
                Order::Hold => continue,
            };
            writeln!(f, "order {at} {verb} {targets} {armies}{}", list(leaders))?;
        }
        Ok(())
    }
}
