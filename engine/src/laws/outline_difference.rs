//! Differences of two texts whose lines are nested by two blanks a level, such as views in words ([`outline_difference`]).
//!
//! Invariant: lines are compared under the line that they stand under, so that what has moved is told where it was and where it
//! is. Two texts of the same lines in another order have no difference.

use std::fmt::Write as _;

/// A line, and what stands under it.
struct Item<'a> {
    line: &'a str,
    under: Vec<Item<'a>>,
}

/// Writes what `now` has no more (`-`), what it has besides (`+`) and what it has instead (`~`: a line that begins as one did
/// before), each under the lines that it stands under.
#[must_use]
pub fn outline_difference(before: &str, now: &str) -> String {
    let mut text = String::new();
    compare(&outline(before), &outline(now), 0, &mut text);
    text
}

fn outline(text: &str) -> Vec<Item<'_>> {
    items(&mut text.lines().peekable(), 0)
}

fn items<'a>(lines: &mut std::iter::Peekable<std::str::Lines<'a>>, depth: usize) -> Vec<Item<'a>> {
    let mut items = Vec::new();
    while let Some(line) = lines.next_if(|line| level(line) >= depth) {
        items.push(Item { line: line.trim_start(), under: self::items(lines, depth + 1) });
    }
    items
}

fn level(line: &str) -> usize {
    (line.len() - line.trim_start().len()) / 2
}

fn compare(before: &[Item<'_>], now: &[Item<'_>], depth: usize, to: &mut String) {
    let mut gone: Vec<&Item<'_>> = before.iter().collect();
    let mut same: Vec<Option<&Item<'_>>> = Vec::with_capacity(now.len());
    for item in now {
        let index = gone.iter().position(|other| other.line == item.line);
        same.push(index.map(|index| gone.remove(index)));
    }
    let mut rest = String::new();
    let new = |beginning: &str| {
        let new = now.iter().zip(&same).filter(|(_, same)| same.is_none());
        new.filter(|(item, _)| self::beginning(item.line) == Some(beginning)).count()
    };
    for (item, same) in now.iter().zip(&same) {
        let (sign, other) = match same {
            Some(other) => (' ', Some(*other)),
            None => match instead(&mut gone, item, &new) {
                Some(other) => ('~', Some(other)),
                None => ('+', None),
            },
        };
        let Some(other) = other else {
            write(item, sign, depth, &mut rest);
            continue;
        };
        let mut under = String::new();
        compare(&other.under, &item.under, depth + 1, &mut under);
        if sign == '~' || !under.is_empty() {
            let _ = writeln!(rest, "{}{sign} {}", "  ".repeat(depth), item.line);
            rest.push_str(&under);
        }
    }
    gone.into_iter().for_each(|item| write(item, '-', depth, to));
    to.push_str(&rest);
}

/// Takes the line that `item` stands for now: the only one that begins alike, if `item` is the only new one that does.
fn instead<'a, 'b>(
    gone: &mut Vec<&'a Item<'b>>,
    item: &Item<'_>,
    new: &impl Fn(&str) -> usize,
) -> Option<&'a Item<'b>> {
    let beginning = beginning(item.line)?;
    let alike = |other: &&Item<'_>| self::beginning(other.line) == Some(beginning);
    if new(beginning) > 1 || gone.iter().filter(|other| alike(other)).count() > 1 {
        return None;
    }
    gone.iter().position(alike).map(|index| gone.remove(index))
}

/// The part of a line that says what it is about.
fn beginning(line: &str) -> Option<&str> {
    let end = [" = ", " (", ": "].iter().filter_map(|end| line.find(end)).min()?;
    Some(&line[..end])
}

fn write(item: &Item<'_>, sign: char, depth: usize, to: &mut String) {
    let _ = writeln!(to, "{}{sign} {}", "  ".repeat(depth), item.line);
    item.under.iter().for_each(|under| write(under, sign, depth + 1, to));
}
