//! Rounds as they are written into the log, checked ([`check`]).

use std::collections::BTreeSet;

use super::{CompetitionRefusal, PairingFault};
use crate::encounter::{Encounter, EntrantId};
use crate::format::Format;

/// Checks that a round of these encounters can be played: everybody in it is there, and once. Whether it is the best pairing is not looked at,
/// so that logs outlive the builds that paired them.
pub(super) fn check(
    encounters: &[Encounter],
    format: Format,
    present: &BTreeSet<EntrantId>,
) -> Result<(), CompetitionRefusal> {
    let mut seen = BTreeSet::new();
    for (index, &encounter) in encounters.iter().enumerate() {
        let refuse = |fault| Err(CompetitionRefusal::Pairing { index, fault });
        if matches!(encounter, Encounter::Solo(_)) != format.is_solitaire() {
            return refuse(PairingFault::Kind);
        }
        match encounter {
            Encounter::Pair { first, second } if first == second => {
                return refuse(PairingFault::Alone(first));
            }
            _ => {}
        }
        for entrant in encounter.entrants() {
            if !present.contains(&entrant) {
                return refuse(PairingFault::Absent(entrant));
            }
            if !seen.insert(entrant) {
                return refuse(PairingFault::Twice(entrant));
            }
        }
    }
    Ok(())
}
