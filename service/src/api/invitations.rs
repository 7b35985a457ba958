//! Seats that are kept for accounts: which of them a caller is told of.

use edgehill_engine::seat::Seat;
use edgehill_proto::v1;

use crate::identity::Caller;
use crate::matches::{Course, MatchHeader};
use crate::store::AccountId;

/// Adds the accounts that seats of a match are kept for, as far as they are for the caller to know: their own, and all of them for the
/// account that made the match.
pub(super) fn show(shown: &mut v1::Match, course: &Course, caller: &Caller) {
    if let Caller::Account { id, .. } = caller {
        show_to(shown, course, id);
    }
}

/// Adds those that this account is to know.
pub(super) fn show_to(shown: &mut v1::Match, course: &Course, account: &AccountId) {
    let account = account.as_bytes();
    let is_creator = course.header().creator == account;
    add(shown, course.header(), |kept_for| is_creator || kept_for == account);
}

/// Adds all of them, for the one who made the match.
pub(super) fn show_all(shown: &mut v1::Match, course: &Course) {
    add(shown, course.header(), |_| true);
}

fn add(shown: &mut v1::Match, header: &MatchHeader, may_know: impl Fn(&[u8]) -> bool) {
    let seats = shown.state.iter_mut().flat_map(|state| &mut state.seats);
    for (index, seat) in seats.enumerate() {
        // A match has at most eight seats.
        if let Some(account) =
            header.invited_account(Seat::new(index as u8)).filter(|account| may_know(account))
        {
            seat.invited_account_id = String::from_utf8_lossy(account).into_owned();
        }
    }
}
