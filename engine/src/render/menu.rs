//! Menus: legal actions by verb, each with its number, its notation and its words.

use super::words;
use crate::action::ActionId;
use crate::catalogue::Catalogue;

/// Legal actions grouped by verb in order of first mention. An action's number is its place in `actions`, from 1.
#[must_use]
pub fn menu(catalogue: &Catalogue, actions: &[ActionId]) -> String {
    let notation = |&action: &ActionId| catalogue.actions.notation(action);
    let widest = actions.iter().map(|action| notation(action).chars().count()).max().unwrap_or(0);
    let digits = actions.len().to_string().len();
    let mut text = String::new();
    for (verb, numbers) in by_verb(catalogue, actions) {
        text.push_str(&self::verb(catalogue, verb));
        text.push('\n');
        for number in numbers {
            let action = actions[number - 1];
            let words = refs(catalogue, action);
            let line = format!("  {number:>digits$}  {:<widest$}  {words}", notation(&action));
            text.push_str(line.trim_end());
            text.push('\n');
        }
    }
    text
}

/// Numbers of actions, their places in `actions` from 1, by verb in order of first mention.
#[must_use]
pub fn by_verb(catalogue: &Catalogue, actions: &[ActionId]) -> Vec<(Option<u8>, Vec<usize>)> {
    let mut groups: Vec<(Option<u8>, Vec<usize>)> = Vec::new();
    for (index, &action) in actions.iter().enumerate() {
        let verb = catalogue.actions.get(action).map(|def| def.verb);
        match groups.iter_mut().find(|(group, _)| *group == verb) {
            Some((_, numbers)) => numbers.push(index + 1),
            None => groups.push((verb, vec![index + 1])),
        }
    }
    groups
}

/// An action in words: what its verb means, and what it is about.
#[must_use]
pub fn action(catalogue: &Catalogue, action: ActionId) -> String {
    let title = catalogue.actions.verb_of(action).map_or("no action of this game", |verb| verb.title);
    let refs = refs(catalogue, action);
    if refs.is_empty() { title.to_owned() } else { format!("{title}: {refs}") }
}

/// A verb as the heading of its actions: its id and its title.
#[must_use]
pub fn verb(catalogue: &Catalogue, verb: Option<u8>) -> String {
    match verb.and_then(|verb| catalogue.actions.verbs().get(usize::from(verb))) {
        Some(verb) => format!("{}: {}", verb.id, verb.title),
        None => "no action of this game".to_owned(),
    }
}

fn refs(catalogue: &Catalogue, action: ActionId) -> String {
    catalogue.actions.get(action).map_or_else(String::new, |def| words::names(catalogue, &def.refs))
}
