//! Law `phrases`: everything that is said to an observer is a sentence, by a rule that the game has.
//!
//! Invariant: what is looked at is the sentence as it is read, not its template alone: a word that does not agree with its
//! number is found in play.

use std::collections::BTreeSet;
use std::sync::Arc;

use rand_chacha::ChaCha8Rng;
use rand_core::SeedableRng;

use crate::catalogue::Catalogue;
use crate::game::{CONTRACT, Game, MatchResult};
use crate::ledger::Rule;
use crate::reference::Ref;
use crate::render;
use crate::seat::Observer;
use crate::table::{ObservedEvent, Table};
use crate::view::{NodeView, View};

use super::choices::{self, Habits, next_call};
use super::failure::broken_for;
use super::{Breach, Failure, Law, LawResult, Run, RunDice};

/// An event has words and a rule.
pub(super) fn event_has_words(catalogue: &Catalogue, observer: Observer, seen: &ObservedEvent) -> LawResult {
    let said = Said { catalogue, observer };
    said.cites(seen.code, seen.rule)?;
    said.sentence(seen.code, &seen.form.refs)
}

/// Prompt, result, entitlements, warnings, odds and what is known have words; what takes a part has a name.
pub(super) fn view_has_words(catalogue: &Catalogue, view: &View) -> LawResult {
    let said = Said { catalogue, observer: view.observer };
    let turn_state = &view.turn_state;
    said.sentence(turn_state.prompt.code, &turn_state.prompt.refs)?;
    if let NodeView::Over(result) = &turn_state.node {
        said.result(result)?;
    }
    for owed in &turn_state.entitlements {
        said.cites(owed.what.code, owed.rule)?;
        said.sentence(owed.what.code, &owed.what.refs)?;
    }
    for procedure in &turn_state.procedures {
        said.cites(procedure.frame, procedure.rule)?;
        for (role, what) in &procedure.roles {
            said.named(*what)?;
            let odds = format!("odds.{role}");
            if let Some((code, _)) = said.catalogue.phrases.get_key_value(odds.as_str()) {
                said.sentence(code, &[*what])?;
            }
        }
    }
    if let Some(window) = &turn_state.window {
        said.cites(window.code, window.rule)?;
        said.sentence(window.code, &[])?;
    }
    for arrow in view.board.arrows.values() {
        if let Some(code) = arrow.result {
            said.sentence(render::arrow_code(said.catalogue, code), &arrow.refs)?;
        }
    }
    let facts = view.known.iter().flat_map(|known| &known.facts);
    for phrase in turn_state.warnings.iter().chain(facts) {
        said.sentence(phrase.code, &phrase.refs)?;
    }
    let faces = view.known.iter().flat_map(|known| &known.faces);
    faces.into_iter().try_for_each(|&(what, _)| said.named(what))
}

/// Every ground against every action has words and a rule.
///
/// # Errors
/// Names the one that has not.
pub fn reasons_have_words<G: Game>(table: &Table<G>) -> LawResult {
    let catalogue = table.game().catalogue();
    for seat in table.node().to_act().iter() {
        let said = Said { catalogue, observer: Observer::Seat(seat) };
        let mut told = BTreeSet::new();
        for action in catalogue.actions.ids() {
            for reason in table.game().rule_violations(table.state(), seat, action) {
                if told.insert((reason.code, reason.rule, reason.refs.clone())) {
                    said.cites(reason.code, reason.rule)?;
                    said.sentence(reason.code, &reason.refs)?;
                }
            }
        }
    }
    Ok(())
}

/// Plays `runs` random matches of a scenario, half of them with other than the default options, and reads everything that is
/// said in them to anybody.
///
/// # Errors
/// Names the first thing that is no sentence, with the run that comes to it.
pub fn words_of<G: Game>(
    game: &Arc<G>,
    scenario: &'static str,
    runs: u64,
    seed: u64,
) -> Result<(), Box<Failure>> {
    for seed in (0..runs).map(|run| seed.wrapping_add(run)) {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let Some(setup) = choices::setup_of(game.catalogue(), scenario, &mut rng) else { continue };
        // Half of the runs have their dice entered one by one: so the prompts for them are read, too.
        let luck = if seed.is_multiple_of(2) { RunDice::Dice(seed) } else { RunDice::Entered };
        let mut run = Run::new(setup, luck);
        let failure = |run: &Run, breach: Box<Breach>| Box::new(Failure::of(*breach, seed, run));
        let mut table = Table::open(Arc::clone(game), run.setup.clone(), run.luck.chance_source());
        everything_has_words(&mut table, true).map_err(|breach| failure(&run, breach))?;
        while let Some(call) = next_call(&table, &Habits::plain(), &mut rng) {
            run.calls.push(call.clone());
            let refused = call.make(&mut table).is_err();
            let asked = !refused && run.calls.len() as u64 % REASONS_EVERY == seed % REASONS_EVERY;
            everything_has_words(&mut table, asked).map_err(|breach| failure(&run, breach))?;
        }
    }
    Ok(())
}

/// At one node in so many every refusal is read as well: they are as many as there are actions.
const REASONS_EVERY: u64 = 64;

/// Reads what was said since to each observer, and lets it go; `reasons`: and why each action is refused.
fn everything_has_words<G: Game>(table: &mut Table<G>, reasons: bool) -> LawResult {
    let catalogue = table.game().catalogue();
    for observer in Observer::all(table.seats()) {
        let news = table.published(observer, 0);
        if !news.is_empty() || reasons {
            news.iter().try_for_each(|seen| event_has_words(catalogue, observer, seen))?;
            view_has_words(catalogue, &table.view(observer))?;
        }
    }
    table.forget_published();
    if reasons { reasons_have_words(table) } else { Ok(()) }
}

/// The words that one observer hears, by a catalogue.
struct Said<'a> {
    catalogue: &'a Catalogue,
    observer: Observer,
}

impl Said<'_> {
    fn broken(&self, detail: String) -> LawResult {
        broken_for(Law::Phrases, self.observer, detail)
    }

    fn result(&self, result: &MatchResult) -> LawResult {
        self.cites(result.code, result.rule)?;
        self.sentence(result.code, &result.refs)
    }

    /// A rule that is cited is in the ledger, or is the engine's contract.
    fn cites(&self, code: &str, rule: Rule) -> LawResult {
        if rule == CONTRACT || self.catalogue.ledger.get(rule.id()).is_some() {
            return Ok(());
        }
        self.broken(format!("`{code}` cites rule {rule}, which the ledger does not have"))
    }

    fn named(&self, what: Ref) -> LawResult {
        if self.catalogue.id_of(what) == format!("{what:?}") {
            return self.broken(format!("{what:?} is shown, and the catalogue does not have it"));
        }
        Ok(())
    }

    /// A code about `refs` reads as a sentence.
    fn sentence(&self, code: &str, refs: &[Ref]) -> LawResult {
        refs.iter().try_for_each(|&what| self.named(what))?;
        let Some(template) = render::template(self.catalogue, code) else {
            return self.broken(format!("`{code}` is said, and the catalogue has no template for it"));
        };
        let filled = self.catalogue.fill(template, refs);
        let about = || format!("`{code}` (\"{template}\") is said about {refs:?}: \"{}\"", filled.text);
        if let Some(place) = filled.unfilled.first() {
            return self.broken(format!("{}, place `{place}` is not filled", about()));
        }
        if let Some(place) = filled.unnamed.first() {
            return self.broken(format!("{}, which does not say what stands at place {place}", about()));
        }
        match sentence_fault(self.catalogue, template, refs, &filled.text) {
            Some(fault) => self.broken(format!("{}, {fault}", about())),
            None => Ok(()),
        }
    }
}

/// Words after which a number alone stands for a thing that should be named.
const NAMES_FOLLOW: [&str; 4] = ["by", "from", "in", "into"];

/// Returns why `text`, a template filled with references, does not read as a sentence.
#[must_use]
pub fn sentence_fault(catalogue: &Catalogue, template: &str, refs: &[Ref], text: &str) -> Option<String> {
    if text.chars().filter(|letter| letter.is_alphabetic()).count() < 2 {
        return Some("which has no words".to_owned());
    }
    if text.contains(['{', '}', '[', ']', '|']) || text.contains("  ") || text.trim() != text {
        return Some("in which the template shows".to_owned());
    }
    if let Some(index) = refs.iter().enumerate().position(|(place, what)| {
        matches!(what, Ref::Number(_)) && stands_for_a_name(template, &format!("{{{place}}}"))
    }) {
        return Some(format!("where place {index} should name something, and is a number"));
    }
    let words: Vec<&str> = text.split_whitespace().collect();
    words.windows(2).find_map(|pair| disagreement(catalogue, pair[0], pair[1]))
}

/// Returns whether `place` comes last, or before a stop, after a word that a name follows.
fn stands_for_a_name(template: &str, place: &str) -> bool {
    template.match_indices(place).any(|(at, _)| {
        let before = template[..at].split_whitespace().next_back().unwrap_or_default();
        let after = template[at + place.len()..].chars().next();
        NAMES_FOLLOW.contains(&before) && after.is_none_or(|next| ",;:.?".contains(next))
    })
}

/// Returns why `next` can't follow a number or a seat's name as `first`.
fn disagreement(catalogue: &Catalogue, first: &str, next: &str) -> Option<String> {
    let bare = next.trim_end_matches([',', ';', ':', '.', '?', ')']);
    let plural = bare.len() > 3 && bare.ends_with('s') && !bare.ends_with("ss");
    let number = first.trim_start_matches(['(', '-', '+']).parse::<u32>().ok();
    if let Some(number) = number {
        let lower = bare.chars().all(|letter| letter.is_ascii_lowercase());
        let wrong = match number {
            1 => lower && plural && is_counted(bare.trim_end_matches('s')),
            _ => lower && is_counted(bare),
        };
        return wrong.then(|| format!("in which \"{first} {next}\" has the wrong number"));
    }
    let seat = catalogue.seats.iter().find(|seat| seat.name.split_whitespace().next_back() == Some(first))?;
    let wrong = seat.name.ends_with('s') && SINGULAR.contains(&bare);
    wrong.then(|| format!("in which \"{first} {next}\" has the wrong number"))
}

/// Verbs that don't go with several, in the words that games use of seats.
const SINGULAR: [&str; 18] = [
    "is", "was", "has", "does", "acts", "attacks", "builds", "chooses", "declines", "goes", "holds",
    "leaves", "loses", "offers", "plays", "starts", "takes", "wins",
];

/// Returns whether a word in the singular is of a thing that games count.
fn is_counted(word: &str) -> bool {
    const COUNTED: [&str; 24] = [
        "action",
        "arm",
        "army",
        "block",
        "box",
        "card",
        "center",
        "centre",
        "click",
        "county",
        "die",
        "formation",
        "hit",
        "leader",
        "loss",
        "march",
        "marker",
        "month",
        "point",
        "roll",
        "season",
        "space",
        "time",
        "unit",
    ];
    COUNTED.contains(&word) || ["armie", "boxe", "lose", "marche", "losse", "countie"].contains(&word)
}
