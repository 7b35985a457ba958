//! The sides of an encounter by those that both have had ([`assign`]).

use super::history::History;
use crate::encounter::{Encounter, EntrantId};

/// The encounter of two: the first seat is for the one who has had it less often; then for the one who did not have it last; then for
/// the better one in every other encounter.
pub(super) fn assign(better: EntrantId, other: EntrantId, history: &History, is_even: bool) -> Encounter {
    let (one, two) = (history.sides(better), history.sides(other));
    let order = one.balance.cmp(&two.balance).then(one.last.cmp(&two.last));
    let better_is_first = if order.is_eq() { is_even } else { order.is_lt() };
    let (first, second) = if better_is_first { (better, other) } else { (other, better) };
    Encounter::Pair { first, second }
}
