//! The facts of a transcript beside those of a record that was played again ([`compare`]).

use edgehill_engine::event::ChanceRef;
use edgehill_engine::game::CONTRACT;
use edgehill_engine::ledger::Rule;
use edgehill_engine::reference::Ref;
use edgehill_engine::seat::Observer;
use edgehill_engine::table::ObservedEvent;
use edgehill_engine::view::Change;

use super::report::Fault;

/// An event of the rules, without the driver's part: that shows how a match was cut into calls, which no record says.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Fact {
    pub(super) code: &'static str,
    rule: Rule,
    chance_ref: Option<ChanceRef>,
    refs: Vec<Ref>,
    changes: Vec<Change>,
}

/// The way in which a transcript agrees with a record.
pub(super) struct Told {
    /// Facts that both have.
    pub(super) facts: usize,
    /// Facts of drafts of the observer's own, which no record has.
    pub(super) drafted: usize,
    /// The first fact of the record that the transcript has not come to, by its code.
    pub(super) next: Option<&'static str>,
}

impl Fact {
    /// The fact that an event is; `None` if it is the driver's.
    pub(super) fn of(seen: &ObservedEvent) -> Option<Self> {
        let of_rules = seen.rule != CONTRACT || seen.code == "committed";
        let board = |change: &&Change| {
            !matches!(
                change,
                Change::Known(_) | Change::Draft { .. } | Change::Calls(_) | Change::TurnState(_)
            )
        };
        of_rules.then(|| Self {
            code: seen.code,
            rule: seen.rule,
            chance_ref: seen.chance_ref,
            refs: seen.form.refs.to_vec(),
            changes: seen.form.changes.iter().filter(board).cloned().collect(),
        })
    }
}

/// Compares the facts that were shown, with the numbers of their events, with those that a record tells.
///
/// # Errors
/// The first fact that was shown and does not follow from the record, or that follows from it and was not shown.
pub(super) fn compare(observer: Observer, shown: &[(u64, Fact)], told: &[Fact]) -> Result<Told, Fault> {
    let same = shown.iter().zip(told).take_while(|((_, shown), told)| shown == *told).count();
    if same == shown.len() {
        return Ok(Told { facts: same, drafted: 0, next: told.get(same).map(|fact| fact.code) });
    }
    match observer {
        // A player who takes back what they have drafted has seen more than the record tells, and may have seen it in another order.
        Observer::Seat(_) => with_drafts(shown, told),
        Observer::Spectator => Err(differs(&shown[same], told.get(same))),
    }
}

/// Looks for all that a record tells among what was shown to a seat that has taken back drafts. What is left was in drafts only.
fn with_drafts(shown: &[(u64, Fact)], told: &[Fact]) -> Result<Told, Fault> {
    let mut left: Vec<&(u64, Fact)> = shown.iter().collect();
    let mut take =
        |fact: &Fact| left.iter().position(|(_, shown)| shown == fact).map(|index| left.remove(index));
    let facts = told.iter().take_while(|fact| take(fact).is_some()).count();
    let next = told.get(facts).map(|fact| fact.code);
    // Drafts are the seat's own: nobody rolls or draws for them.
    let Some(wrong) = left.iter().find(|(_, fact)| fact.chance_ref.is_some()) else {
        return Ok(Told { facts, drafted: left.len(), next });
    };
    match next.filter(|_| told[facts..].contains(&wrong.1)) {
        Some(told) => Err(Fault::Missing { told }),
        None => Err(differs(wrong, told.get(facts))),
    }
}

fn differs((seq, shown): &(u64, Fact), told: Option<&Fact>) -> Fault {
    Fault::Fact { seq: *seq, shown: shown.code, told: told.map(|fact| fact.code) }
}
