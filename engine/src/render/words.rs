//! Names and phrases: how the renderer says a reference, a seat, flags, a rule, an ending.

use crate::catalogue::{CatalogEntry, Catalogue, Filled};
use crate::game::MatchResult;
use crate::ledger::Rule;
use crate::reference::Ref;
use crate::seat::{Seat, SeatSet};
use crate::view::Phrase;

/// The way in which things other than seats are called.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) enum Naming {
    /// As players call them.
    Names,
    /// As notation does: short.
    Ids,
}

impl Naming {
    /// Names what a reference stands for.
    pub(super) fn of(self, catalogue: &Catalogue, what: Ref) -> String {
        match self {
            Self::Names => catalogue.name_of(what),
            Self::Ids => catalogue.id_of(what),
        }
    }

    /// The same with both where both are wanted: id and name, if they differ.
    pub(super) fn heading(self, catalogue: &Catalogue, what: Ref) -> String {
        match self {
            Self::Names => heading(catalogue, what),
            Self::Ids => catalogue.id_of(what),
        }
    }
}

/// Returns the players' name for a seat.
pub(super) fn seat(catalogue: &Catalogue, seat: Seat) -> String {
    catalogue.name_of(Ref::Seat(seat))
}

/// Seats, lowest first; `nobody` if there are none.
pub(super) fn seats(catalogue: &Catalogue, seats: SeatSet) -> String {
    let names: Vec<String> = seats.iter().map(|one| seat(catalogue, one)).collect();
    if names.is_empty() { "nobody".to_owned() } else { names.join(", ") }
}

/// Names of references, in order.
pub(super) fn names(catalogue: &Catalogue, refs: &[Ref]) -> String {
    let names: Vec<String> = refs.iter().map(|&what| catalogue.name_of(what)).collect();
    names.join(", ")
}

/// Id and name, or the name alone where it tells the id: what a heading needs, since notation is made of ids.
#[must_use]
pub fn heading(catalogue: &Catalogue, what: Ref) -> String {
    id_and_name(&catalogue.id_of(what), &catalogue.name_of(what))
}

/// An id and a name, or the name alone where it tells the id: cards of a numbered deck are called `46. ...`.
pub(super) fn id_and_name(id: &str, name: &str) -> String {
    let is_told =
        id.eq_ignore_ascii_case(name) || name.strip_prefix(id).is_some_and(|it| it.starts_with(". "));
    if is_told { name.to_owned() } else { format!("{id} {name}") }
}

/// The name of an entry of a list; an index that the list does not have is said as such.
pub(super) fn entry_name(entries: &[CatalogEntry], index: u16, noun: &str) -> String {
    entries.get(usize::from(index)).map_or_else(|| format!("{noun} {index}"), |entry| entry.name.clone())
}

/// The set bits of `flags`, by the catalogue's names.
pub(super) fn flags(catalogue: &Catalogue, flags: u32) -> Vec<String> {
    let name = |bit: u32| {
        catalogue.flags.get(bit as usize).map_or_else(|| format!("flag {bit}"), |name| (*name).to_owned())
    };
    (0..u32::BITS).filter(|bit| flags & 1 << bit != 0).map(name).collect()
}

/// ` (a; b)`, or nothing where there are no parts.
pub(super) fn parenthesis(parts: &[String]) -> String {
    if parts.is_empty() { String::new() } else { format!(" ({})", parts.join("; ")) }
}

/// `rule 8.2`; the engine's own contract is named as such.
pub(super) fn rule(rule: Rule) -> String {
    if rule.id() == crate::game::CONTRACT.id() {
        "the engine's contract".to_owned()
    } else {
        format!("rule {}", rule.id())
    }
}

/// As [`rule`], with the rule's title where the ledger has it.
pub(super) fn rule_by_title(catalogue: &Catalogue, cited: Rule) -> String {
    match catalogue.ledger.get(cited.id()) {
        Some(entry) => format!("{}, {}", rule(cited), entry.title),
        None => rule(cited),
    }
}

/// A phrase in words: the catalogue's template filled in, the engine's own words, or the code where there is neither;
/// references that the template does not name follow in brackets, so that nothing is left out.
#[must_use]
pub fn say(catalogue: &Catalogue, code: &str, refs: &[Ref]) -> String {
    let template = template(catalogue, code).unwrap_or(code);
    let Filled { text, unnamed, .. } = catalogue.fill(template, refs);
    let unnamed: Vec<Ref> = unnamed.into_iter().map(|index| refs[index]).collect();
    if unnamed.is_empty() { text } else { format!("{text} [{}]", names(catalogue, &unnamed)) }
}

/// The driver's own phrases, by code: what it says where a game has no words of its own. Codes in capitals are grounds.
pub const OWN_PHRASES: [(&str, &str); 15] = [
    ("prompt", "what is going on has changed"),
    ("undo", "actions are taken back"),
    ("committed", "{0} has committed"),
    ("draw_declined", "{0} declines the draw"),
    ("draw_offered", "{0} offers a draw"),
    ("resigned", "{0} gave up"),
    ("agreed", "a draw is agreed"),
    ("forfeited", "not every seat gave its part of the dice in time"),
    ("log_full", "the match could not go on, and does not count"),
    ("voided", "a referee has ended the match, and it does not count"),
    ("idle", "nobody has played for long, and the match does not count"),
    ("MATCH_FINISHED", "the match is over"),
    ("CHANCE_PENDING", "dice or a draw are due first"),
    ("NOT_YOUR_TURN", "another seat is to act"),
    ("UNKNOWN_ACTION", "the action table has no such action"),
];

/// The catalogue's template of a code, or the driver's for its own codes.
pub(crate) fn template(catalogue: &Catalogue, code: &str) -> Option<&'static str> {
    let own = || OWN_PHRASES.iter().find(|(own, _)| *own == code).map(|&(_, template)| template);
    catalogue.phrases.get(code).copied().or_else(own)
}

/// A phrase in words, as [`say`].
pub(super) fn phrase(catalogue: &Catalogue, phrase: &Phrase) -> String {
    say(catalogue, phrase.code, &phrase.refs)
}

/// Writes how a match ended: the [`victory`], what each seat gets, the rule.
#[must_use]
pub fn result(catalogue: &Catalogue, result: &MatchResult) -> String {
    let returns: Vec<String> = result
        .returns
        .iter()
        .enumerate()
        .map(|(index, returned)| {
            let name =
                catalogue.seats.get(index).map_or_else(|| format!("seat {index}"), |s| s.name.to_owned());
            format!("{name} {returned:+}")
        })
        .collect();
    format!("{}: {} ({})", victory(catalogue, result), returns.join(", "), rule(result.rule))
}

/// Writes how a match ended and the grade of the victory, unless the grade is a code, which the victory says in words.
#[must_use]
pub fn victory(catalogue: &Catalogue, result: &MatchResult) -> String {
    let is_code = result.grade.chars().all(|it| it.is_ascii_lowercase() || it == '_');
    let grade = if is_code { String::new() } else { format!(", {}", result.grade) };
    format!("{}{grade}", say(catalogue, result.code, &result.refs))
}
