//! Menus: legal steps by verb, each with its number, its notation and its words.

use super::words;
use crate::catalogue::Catalogue;
use crate::step::StepId;

/// Where a brief menu begins a new line.
const BRIEF_LINE_CHARS: usize = 100;

/// Legal steps grouped by verb in order of first mention. A step's number is its place in `steps`, from 1.
#[must_use]
pub fn menu(catalogue: &Catalogue, steps: &[StepId]) -> String {
    let notation = |&step: &StepId| catalogue.steps.notation(step);
    let widest = steps.iter().map(|step| notation(step).chars().count()).max().unwrap_or(0);
    let digits = steps.len().to_string().len();
    let mut text = String::new();
    for (verb, numbers) in by_verb(catalogue, steps) {
        text.push_str(&heading(catalogue, verb));
        text.push('\n');
        for number in numbers {
            let step = steps[number - 1];
            let words = refs(catalogue, step);
            let line = format!("  {number:>digits$}  {:<widest$}  {words}", notation(&step));
            text.push_str(line.trim_end());
            text.push('\n');
        }
    }
    text
}

/// The same for long lists: numbers and notations, several on a line.
#[must_use]
pub fn brief_menu(catalogue: &Catalogue, steps: &[StepId]) -> String {
    let mut text = String::new();
    for (verb, numbers) in by_verb(catalogue, steps) {
        text.push_str(&heading(catalogue, verb));
        let mut line = String::new();
        for number in numbers {
            let item = format!("  {number} {}", catalogue.steps.notation(steps[number - 1]));
            if line.is_empty() || line.chars().count() + item.chars().count() > BRIEF_LINE_CHARS {
                text.push_str(&line);
                line = "\n".to_owned();
            }
            line.push_str(&item);
        }
        text.push_str(&line);
        text.push('\n');
    }
    text
}

/// Places in `steps`, from 1, by verb in order of first mention.
fn by_verb(catalogue: &Catalogue, steps: &[StepId]) -> Vec<(Option<u8>, Vec<usize>)> {
    let mut groups: Vec<(Option<u8>, Vec<usize>)> = Vec::new();
    for (index, &step) in steps.iter().enumerate() {
        let verb = catalogue.steps.get(step).map(|def| def.verb);
        match groups.iter_mut().find(|(group, _)| *group == verb) {
            Some((_, numbers)) => numbers.push(index + 1),
            None => groups.push((verb, vec![index + 1])),
        }
    }
    groups
}

/// A step in words: what its verb means, and what it is about.
#[must_use]
pub fn step(catalogue: &Catalogue, step: StepId) -> String {
    let title = catalogue.steps.verb_of(step).map_or("no step of this game", |verb| verb.title);
    let refs = refs(catalogue, step);
    if refs.is_empty() { title.to_owned() } else { format!("{title}: {refs}") }
}

fn heading(catalogue: &Catalogue, verb: Option<u8>) -> String {
    match verb.and_then(|verb| catalogue.steps.verbs().get(usize::from(verb))) {
        Some(verb) => format!("{}: {}", verb.id, verb.title),
        None => "no step of this game".to_owned(),
    }
}

fn refs(catalogue: &Catalogue, step: StepId) -> String {
    catalogue.steps.get(step).map_or_else(String::new, |def| words::names(catalogue, &def.refs))
}
