//! The protocol by which servers share a database, searched through whole: every order in which two servers, a database with standbys,
//! two requests and a watcher can go on, with a crash, a connection cut in the midst of a commit, a failover, leases that run out, a match
//! that is handed over, and answers that are lost (docs/operations-cluster.md, docs/store.md).
//!
//! A call is answered by the real machine of a match, and so is a retry. Time is no part of it: a server's own lease may run out at any
//! moment, and the database's only after it, which is all that the two clocks promise.

#![expect(clippy::unwrap_used, reason = "helpers of tests fail as tests do")]

mod cluster;
mod flaw;
mod machine;
mod promises;

use cluster::Cluster;
use flaw::Flaw;
use stateright::{Checker, HasDiscoveries, Model};

/// The promises that hold in every state.
const PROMISES: [&str; 6] = [
    "acknowledged is in the log of the quorum",
    "each request is in the log once",
    "a retry has the same outcome",
    "an epoch has one owner",
    "who answers knows all that was acknowledged",
    "a watcher is never ahead of the quorum",
];

/// The number of states of a search, in CI and at full volume. It is always the same, and a change of the model changes it:
/// docs/operations-cluster.md has the numbers as well.
struct States {
    ci: usize,
    full: usize,
}

const STATES: States = States { ci: 774_888, full: 4_637_028 };
const STATES_HANDED_OVER: States = States { ci: 994_928, full: 12_726_266 };
const STATES_SENT_AGAIN: States = States { ci: 35_540, full: 1_752_544 };

/// As much as is searched: all three faults and a retry of each request at full volume; without it two faults, and a retry of one.
fn cluster(flaw: Option<Flaw>) -> Cluster {
    match is_full() {
        true => Cluster { flaw, faults: 3, handovers: 0, tries: [2, 2] },
        false => Cluster { flaw, faults: 2, handovers: 0, tries: [2, 1] },
    }
}

/// The same of a match that is handed over, with so many faults and no retry.
fn handed_over(flaw: Option<Flaw>, faults: u8) -> Cluster {
    Cluster { flaw, faults, handovers: 1, tries: [1, 1] }
}

/// The same with a retry of one request.
fn sent_again(flaw: Option<Flaw>, faults: u8) -> Cluster {
    Cluster { tries: [2, 1], ..handed_over(flaw, faults) }
}

fn is_full() -> bool {
    std::env::var("EDGEHILL_VOLUME").is_ok_and(|volume| volume == "full")
}

/// Searches through all states; the promises hold in each.
fn search(cluster: Cluster, possible: &[&'static str], states: &States) {
    let checked = cluster.checker().threads(2).spawn_bfs().join();
    println!("{} states, {} in all", checked.unique_state_count(), checked.state_count());
    for promise in PROMISES {
        checked.assert_no_discovery(promise);
    }
    for &possible in possible {
        checked.assert_any_discovery(possible);
    }
    let states = if is_full() { states.full } else { states.ci };
    assert_eq!(checked.unique_state_count(), states);
}

#[test]
fn every_order_keeps_the_promises() {
    search(cluster(None), &promises::POSSIBLE, &STATES);
}

#[test]
fn every_order_keeps_the_promises_where_the_match_is_handed_over() {
    let faults = if is_full() { 2 } else { 1 };
    search(handed_over(None, faults), &[promises::HANDED_OVER], &STATES_HANDED_OVER);
}

#[test]
fn every_order_keeps_the_promises_where_a_request_of_a_match_that_is_handed_over_is_sent_again() {
    let faults = u8::from(is_full());
    search(sent_again(None, faults), &[promises::HANDED_OVER], &STATES_SENT_AGAIN);
}

#[test]
fn the_page_has_the_numbers_of_states() {
    let page = include_str!("../../../docs/operations-cluster.md").replace(',', "");
    for States { ci, full } in [STATES, STATES_HANDED_OVER, STATES_SENT_AGAIN] {
        for number in [ci, full] {
            let mut numbers = page.split(|one: char| !one.is_ascii_digit());
            assert!(numbers.any(|one| one == number.to_string()), "the page does not have {number}");
        }
    }
}

/// The promise that is broken where a part of the protocol is left out.
fn broken(flaw: Flaw) -> Option<&'static str> {
    broken_in(cluster(Some(flaw)))
}

fn broken_in(cluster: Cluster) -> Option<&'static str> {
    let searching = cluster.checker().threads(2).finish_when(HasDiscoveries::AnyFailures);
    let checked = searching.spawn_bfs().join();
    PROMISES.into_iter().find(|promise| checked.discovery(promise).is_some())
}

#[test]
fn without_the_fence_an_owner_of_before_writes_on() {
    assert_eq!(broken(Flaw::NoFence), Some(PROMISES[4]));
}

/// `FOR KEY SHARE` does not keep an epoch from being raised.
#[test]
fn a_lock_that_lets_the_epoch_be_raised_is_no_fence() {
    let broken = broken(Flaw::KeyShare);
    assert!([PROMISES[0], PROMISES[4]].map(Some).contains(&broken), "{broken:?}");
}

#[test]
fn an_answer_before_the_quorum_has_it_may_be_lost() {
    assert_eq!(broken(Flaw::AnswerBeforeQuorum), Some(PROMISES[0]));
}

#[test]
fn what_is_read_after_a_commit_without_an_answer_may_vanish() {
    let broken = broken(Flaw::ReadUnsettled);
    assert!([PROMISES[0], PROMISES[5]].map(Some).contains(&broken), "{broken:?}");
}

#[test]
fn an_owner_without_a_lease_answers_of_the_past() {
    assert_eq!(broken(Flaw::NoLease), Some(PROMISES[4]));
}

#[test]
fn a_lease_that_is_renewed_while_another_server_takes_over_is_none() {
    assert_eq!(broken(Flaw::RenewsMeanwhile), Some(PROMISES[4]));
}

#[test]
fn an_owner_that_answers_while_it_hands_over_answers_of_the_past() {
    assert_eq!(broken_in(handed_over(Some(Flaw::AnswersWhileHandingOver), 0)), Some(PROMISES[4]));
}

/// A match that was handed over may be the other's again after a failover, as long as nothing behind that was committed.
#[test]
fn who_takes_up_before_a_commit_of_its_own_may_be_one_of_two_owners() {
    let broken = broken_in(handed_over(Some(Flaw::TakesUpUnsettled), 2));
    assert!([PROMISES[3], PROMISES[4], PROMISES[5]].map(Some).contains(&broken), "{broken:?}");
}

#[test]
fn a_retry_that_is_not_looked_up_is_done_twice() {
    assert_eq!(broken(Flaw::ForgetsRequests), Some(PROMISES[1]));
}

/// Its first try was answered by nobody, as its server had let go of the match: no fault is needed for that.
#[test]
fn a_retry_at_the_server_that_was_handed_the_match_is_done_twice_if_it_is_not_looked_up() {
    assert_eq!(broken_in(sent_again(Some(Flaw::ForgetsRequests), 0)), Some(PROMISES[1]));
}

/// The promises of which each is broken before all others in some order, with one fault and a retry of one request.
fn broken_first(flaw: Flaw) -> Vec<&'static str> {
    let cluster = Cluster { flaw: Some(flaw), faults: 1, handovers: 0, tries: [2, 1] };
    let checked = cluster.checker().threads(2).spawn_bfs().join();
    PROMISES.into_iter().filter(|promise| checked.discovery(promise).is_some()).collect()
}

#[test]
fn a_retry_that_is_answered_by_the_present_log_has_another_outcome() {
    assert_eq!(broken_first(Flaw::AnswersRetriesAnew), [PROMISES[2]]);
}

#[test]
fn a_claim_that_does_not_raise_the_epoch_gives_it_two_owners() {
    assert_eq!(broken_first(Flaw::ClaimsWithoutRaising), [PROMISES[3]]);
}

#[test]
fn a_watcher_who_is_shown_an_entry_before_the_quorum_has_it_is_ahead() {
    assert_eq!(broken_first(Flaw::ShowsBeforeQuorum), [PROMISES[5]]);
}
