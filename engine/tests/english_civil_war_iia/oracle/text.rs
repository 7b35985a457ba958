//! Positions as text, to be printed, pasted into the regressions file, and read again.

use std::fmt;

use edgehill_engine::games::english_civil_war_iia::adjudicator::*;

use super::position::{Case, StackOf, ToldTo, space};

impl Case {
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
