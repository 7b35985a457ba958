//! Laws `folding` and `phrases`: the events published to an observer make their view, and everything in it
//! has words ([`Ears`]).

use crate::game::{CONTRACT, Game};
use crate::ledger::Rule;
use crate::reference::Ref;
use crate::seat::Observer;
use crate::table::{ObservedEvent, Table};
use crate::view::{NodeView, View};

use super::failure::{broken_for, same};
use super::{Law, LawResult, Laws};

/// Each observer's first view with all events that were published to them folded over it.
#[derive(Clone, Debug)]
pub struct Ears(Vec<Ear>);

#[derive(Clone, Debug)]
struct Ear {
    observer: Observer,
    view: View,
    published: usize,
}

impl Ears {
    /// The first views of `start`, before anything was heard.
    #[must_use]
    pub fn at<G: Game>(game: &G, start: &G::State, seats: usize) -> Self {
        let ear = |observer| Ear { observer, view: game.view(start, observer), published: 0 };
        Self(Observer::all(seats).map(ear).collect())
    }

    /// Folds what was heard since and compares with what each observer sees.
    ///
    /// # Errors
    /// If a folded view differs, or something is shown that the catalogue has no words for.
    pub fn listen<G: Game>(&mut self, table: &Table<G>, laws: Laws) -> LawResult {
        for ear in &mut self.0 {
            let news = table.published(ear.observer, ear.published);
            ear.published += news.len();
            for seen in news {
                seen.form.changes.iter().for_each(|change| ear.view.fold(change));
            }
            let view = table.view(ear.observer);
            if laws.contains(Law::Folding) {
                let what = "the events folded over the first view (-) do not give the view (+)";
                same(Law::Folding, Some(ear.observer), what, &ear.view, &view)?;
            }
            if laws.contains(Law::Phrases) {
                news.iter().try_for_each(|seen| event_has_words(table, ear.observer, seen))?;
                view_has_words(table, &view)?;
            }
        }
        Ok(())
    }
}

fn event_has_words<G: Game>(table: &Table<G>, observer: Observer, seen: &ObservedEvent) -> LawResult {
    has_words(table, observer, seen.code, seen.rule, &seen.form.refs)
}

fn view_has_words<G: Game>(table: &Table<G>, view: &View) -> LawResult {
    let rule_of_prompt = if table.node() == crate::game::Node::Over { CONTRACT } else { Rule::new("prompt") };
    let turn_state = &view.turn_state;
    has_words(table, view.observer, turn_state.prompt.code, rule_of_prompt, &turn_state.prompt.refs)?;
    if let NodeView::Over(result) = &turn_state.node {
        has_words(table, view.observer, result.code, result.rule, &result.refs)?;
    }
    for owed in &turn_state.entitlements {
        has_words(table, view.observer, owed.what.code, owed.rule, &owed.what.refs)?;
    }
    let facts = view.known.iter().flat_map(|known| &known.facts);
    for phrase in turn_state.warnings.iter().chain(facts) {
        has_words(table, view.observer, phrase.code, Rule::new("warning"), &phrase.refs)?;
    }
    let roles = turn_state.procedures.iter().flat_map(|procedure| &procedure.roles).map(|&(_, what)| what);
    let faces = view.known.iter().flat_map(|known| &known.faces).map(|&(what, _)| what);
    roles.chain(faces).try_for_each(|what| is_named(table, view.observer, what))
}

/// Every ground against every action has words.
///
/// # Errors
/// Names the one that has not.
pub fn reasons_have_words<G: Game>(table: &Table<G>) -> LawResult {
    for seat in table.node().to_act().iter() {
        for action in table.game().catalogue().actions.ids() {
            for reason in table.game().rule_violations(table.state(), seat, action) {
                has_words(table, Observer::Seat(seat), reason.code, reason.rule, &reason.refs)?;
            }
        }
    }
    Ok(())
}

/// A code has a template whose places the references fill; the driver's own codes need none.
fn has_words<G: Game>(
    table: &Table<G>,
    observer: Observer,
    code: &str,
    rule: Rule,
    refs: &[Ref],
) -> LawResult {
    refs.iter().try_for_each(|&what| is_named(table, observer, what))?;
    let Some(template) = table.game().catalogue().phrases.get(code) else {
        if rule == CONTRACT {
            return Ok(());
        }
        return broken_for(
            Law::Phrases,
            observer,
            format!("`{code}` is said, and the catalogue has no template for it"),
        );
    };
    let unfilled = (refs.len()..10).find(|place| template.contains(&format!("{{{place}}}")));
    match unfilled {
        None => Ok(()),
        Some(place) => broken_for(
            Law::Phrases,
            observer,
            format!("`{code}` (\"{template}\") is said about {refs:?}, which do not fill place {place}"),
        ),
    }
}

fn is_named<G: Game>(table: &Table<G>, observer: Observer, what: Ref) -> LawResult {
    if table.game().catalogue().id_of(what) == format!("{what:?}") {
        return broken_for(
            Law::Phrases,
            observer,
            format!("{what:?} is shown, and the catalogue does not have it"),
        );
    }
    Ok(())
}
