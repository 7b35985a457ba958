//! Lines of several actions ([`actions`], [`in_order`]): counts, and lists that are written in any order.

use edgehill_engine::action::ActionId;
use edgehill_engine::catalogue::{Catalogue, LIST_ACTIONS_MAX};

/// The grounds on which games refuse an action of a list that has gone past its place. On any other ground nothing may be put
/// in order: a sequence may mean something, as when things are placed in turn.
const PAST_ITS_PLACE: [&str; 2] = ["OUT_OF_SEQUENCE", "OUT_OF_ORDER"];

/// True of a ground that goes when a list is put in order.
pub(crate) fn is_past_its_place(code: &str) -> bool {
    PAST_ITS_PLACE.contains(&code)
}

/// True of a game with lists that are in an order.
pub(crate) fn has_lists(catalogue: &Catalogue) -> bool {
    PAST_ITS_PLACE.iter().any(|code| catalogue.phrases.contains_key(code))
}

/// The actions of a line that is made of notations alone, such as `fund OXF x3; done`; a number behind a notation repeats it.
pub(crate) fn actions(catalogue: &Catalogue, line: &str) -> Option<Vec<ActionId>> {
    let mut actions = Vec::new();
    for item in line.split(';').map(str::trim).filter(|item| !item.is_empty()) {
        let (action, count) = repeated(catalogue, item)?;
        actions.extend(std::iter::repeat_n(action, count));
    }
    (!actions.is_empty() && actions.len() <= LIST_ACTIONS_MAX).then_some(actions)
}

fn repeated(catalogue: &Catalogue, item: &str) -> Option<(ActionId, usize)> {
    if let Some(action) = catalogue.actions.parse(item) {
        return Some((action, 1));
    }
    let (notation, count) = item.rsplit_once(char::is_whitespace)?;
    let count = count.strip_prefix(['x', 'X']).unwrap_or(count).parse().ok()?;
    let action = catalogue.actions.parse(notation.trim())?;
    (1..=LIST_ACTIONS_MAX).contains(&count).then_some((action, count))
}

/// The first action of the draft that `verb`'s run at its end has.
pub(crate) fn run_start(catalogue: &Catalogue, draft: &[ActionId], verb: u8) -> usize {
    let is_other = |&action: &ActionId| verb_of(catalogue, action) != Some(verb);
    draft.iter().rposition(is_other).map_or(0, |last| last + 1)
}

/// The draft's number of actions that stay, and those that follow, where a line is put in order with what is written
/// already; `None` if it is no list of one verb.
pub(crate) fn in_order(
    catalogue: &Catalogue,
    draft: &[ActionId],
    line: &[ActionId],
) -> Option<(usize, Vec<ActionId>)> {
    let verb = verb_of(catalogue, *line.first()?)?;
    let keep = run_start(catalogue, draft, verb);
    let same = line.iter().take_while(|&&action| verb_of(catalogue, action) == Some(verb)).count();
    let (list, rest) = line.split_at(same);
    let mut run: Vec<ActionId> = draft[keep..].iter().chain(list).copied().collect();
    run.sort();
    run.extend(rest);
    Some((keep, run))
}

/// The number of actions with which two drafts begin alike.
pub(crate) fn alike(one: &[ActionId], other: &[ActionId]) -> usize {
    one.iter().zip(other).take_while(|(one, other)| one == other).count()
}

/// The verb of an action.
pub(crate) fn verb_of(catalogue: &Catalogue, action: ActionId) -> Option<u8> {
    catalogue.actions.get(action).map(|def| def.verb)
}
