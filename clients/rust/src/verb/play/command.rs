//! The lines that a player types ([`Command`]).

use std::io::{self, Write};

use edgehill_engine::action::ActionId;
use edgehill_engine::catalogue::Catalogue;
use edgehill_engine::render;

/// The command of a player.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(in crate::verb) enum Command {
    /// An action of the menu.
    Action(ActionId),
    /// A number that the menu does not have.
    NoSuchNumber(usize),
    /// A line in the game's notation.
    Line(String),
    /// Dice or draws that are due.
    Dice(String),
    Undo(Undo),
    Show,
    Full,
    Legal,
    Events,
    Why(String),
    Rule(String),
    About(String),
    Resign,
    Help,
    Quit,
    Nothing,
}

/// The number of actions to take back.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(in crate::verb) enum Undo {
    Last(usize),
    All,
}

/// The text that `help` prints.
pub(in crate::verb) const HELP: &str = "  3            take action 3 of the menu
  march oxf    take an action by its notation; actions after one another are separated by `;`
  undo [N]     take back your last action, or your last N; `undo all`: all that can be
  show         the board in short; `full`: everything, with rules
  legal        the menu again
  events       what happened so far
  why ACTION     whether an action is legal, and if not, why not, with the rules
  rule ID      what a rule says; `about CARD`: what a card does
  resign       give up
  quit         leave the match";

/// Reads a line. A legal action's own notation goes before a command of the same name.
///
/// `dice_due`: dice or draws wait for the player to enter them.
pub(in crate::verb) fn read(text: &str, catalogue: &Catalogue, menu: &[ActionId], dice_due: bool) -> Command {
    let text = text.trim();
    if text.is_empty() || text.starts_with('#') {
        return Command::Nothing;
    }
    if dice_due && text.chars().all(|c| c.is_ascii_digit() || ", ".contains(c)) {
        return Command::Dice(text.to_owned());
    }
    if let Ok(number) = text.parse::<usize>() {
        let action = number.checked_sub(1).and_then(|index| menu.get(index));
        return action.map_or(Command::NoSuchNumber(number), |&action| Command::Action(action));
    }
    if let Some(action) = catalogue.actions.parse(text)
        && menu.contains(&action)
    {
        return Command::Action(action);
    }
    word(text).unwrap_or_else(|| {
        if dice_due { Command::Dice(text.to_owned()) } else { Command::Line(text.to_owned()) }
    })
}

fn word(text: &str) -> Option<Command> {
    let (first, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
    let rest = rest.trim();
    Some(match (first.to_ascii_lowercase().as_str(), rest) {
        ("undo", "") => Command::Undo(Undo::Last(1)),
        ("undo", "all") => Command::Undo(Undo::All),
        ("undo", count) => Command::Undo(Undo::Last(count.parse().ok()?)),
        ("show" | "board", "") => Command::Show,
        ("full", "") => Command::Full,
        ("legal" | "menu", "") => Command::Legal,
        ("events", "") => Command::Events,
        ("why", action) => Command::Why(action.to_owned()),
        ("rule", id) => Command::Rule(id.to_owned()),
        ("about", id) => Command::About(id.to_owned()),
        ("resign", "") => Command::Resign,
        ("help" | "?", "") => Command::Help,
        ("quit" | "exit", "") => Command::Quit,
        _ => return None,
    })
}

/// Answers `about`: what a card does, or which cards there are.
pub(in crate::verb) fn about(catalogue: &Catalogue, id: &str, out: &mut dyn Write) -> io::Result<()> {
    match render::card(catalogue, id) {
        Some(text) => write!(out, "{text}"),
        None => {
            let ids: Vec<&str> = catalogue.cards.iter().map(|card| card.id.as_str()).collect();
            writeln!(out, "There is no card `{id}`; there are {}.", ids.join(", "))
        }
    }
}
