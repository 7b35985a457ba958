//! The coverage checklist of the rulings: every order by every kind of part, and every situation that they name, each
//! played and held to its result. The test prints it as a table, and fails if an item is missing or comes out otherwise.

mod combat;
mod fates;
mod invariants;
mod orders;
mod seasons;

use std::collections::BTreeMap;
use std::panic::catch_unwind;

/// An item of the list: its group, what it is, and a game that comes to it.
pub(crate) type Item = (&'static str, &'static str, fn());

/// The groups, with how many items each has: an item that gets lost is noticed.
const GROUPS: [(&str, usize); 10] = [
    ("merge", 13),
    ("cut", 12),
    ("head-to-head", 7),
    ("leader", 14),
    ("retreat", 11),
    ("occupation", 10),
    ("capture", 8),
    ("clock", 12),
    ("season", 20),
    ("victory", 14),
];

#[test]
fn every_item_of_the_checklist_is_exercised() {
    let lists = [combat::ITEMS, fates::ITEMS, seasons::ITEMS];
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    let mut failed = Vec::new();
    for &(group, what, run) in lists.into_iter().flatten() {
        let passes = catch_unwind(run).is_ok();
        println!("{group:<14}{what:<56}{}", if passes { "exercised" } else { "NOT EXERCISED" });
        *counts.entry(group).or_default() += 1;
        if !passes {
            failed.push(format!("{group}: {what}"));
        }
    }
    assert!(failed.is_empty(), "not exercised:\n{}", failed.join("\n"));
    assert_eq!(counts, BTreeMap::from(GROUPS), "items of the groups");
}

#[test]
fn every_order_is_given_by_every_kind_of_part() {
    let failed = orders::table();
    assert!(failed.is_empty(), "otherwise than expected: {}", failed.join("; "));
}
