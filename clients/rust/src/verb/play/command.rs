//! The lines that a player types ([`Command`]).

use std::time::Duration;

use edgehill_engine::action::ActionId;
use edgehill_engine::catalogue::Catalogue;

use crate::clock_text;

/// The command of a player.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Command {
    /// A number of the menu.
    Number(usize),
    /// A legal action by its notation.
    Action(ActionId),
    /// A line in the game's notation.
    Line(String),
    /// Dice or draws that are due.
    Dice(String),
    Undo(Undo),
    Ask(Ask),
    Events,
    Why(String),
    Draw(Draw),
    Adjourn(Adjourn),
    Resign,
    Quit,
    Nothing,
}

/// A question about the game or the board, which the catalogue and the view answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Ask {
    Board,
    Full,
    Legal,
    Menu,
    Map,
    Score,
    About(String),
    Near(String),
    Rule(String),
    Rules(String),
    Help,
}

/// A call about a draw.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) enum Draw {
    Offer,
    Accept,
    Decline,
}

/// A call about an adjournment.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) enum Adjourn {
    /// For at most so long.
    Offer(Duration),
    /// For at most so long, if that is said.
    Accept(Option<Duration>),
    Decline,
    Resume,
}

/// The number of actions to take back.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) enum Undo {
    /// Those of the last line.
    Line,
    Last(usize),
    All,
}

/// The text that `help` prints.
pub(crate) const HELP: &str = "  3            take action 3 of the menu
  march oxf    take an action by its notation, or several with `;` between them
  fund oxf x3  take it three times; lists may be written in any order
  undo         take back your last line; `undo N`: your last N actions; `undo all`: all that can be
  map          the board drawn; `board`: what lies where, in short; `full`: everything, with rules
  about NAME   all of a card, piece, space, track, chart ...; `about` alone: what there is
  near PLACE   its neighbours, and what lies there
  score        the score by its parts
  legal        the question and the menu again; `menu`: each action with its strengths and odds
  events       what happened so far
  why ACTION   whether an action is legal, and if not, why not, with the rules
  rule ID      what a rule says; `rules WORDS`: the rules that have the words
  offer-draw   offer a draw; `accept-draw`, `decline-draw`: answer an offer
  adjourn 2h   put a match with clocks off; `accept-adjournment`, `decline-adjournment`, `resume`
  resign       give up
  quit         leave the match";

/// Reads a line. A legal action's own notation goes before a command of the same name.
///
/// `dice_due`: dice or draws wait for the player to enter them.
pub(crate) fn read(text: &str, catalogue: &Catalogue, menu: &[ActionId], dice_due: bool) -> Command {
    let text = text.trim();
    if text.is_empty() || text.starts_with('#') {
        return Command::Nothing;
    }
    if dice_due && text.chars().all(|c| c.is_ascii_digit() || ", ".contains(c)) {
        return Command::Dice(text.to_owned());
    }
    if let Ok(number) = text.parse::<usize>() {
        return Command::Number(number);
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
    let words = || rest.to_owned();
    Some(match (first.to_ascii_lowercase().as_str(), rest) {
        ("undo", "") => Command::Undo(Undo::Line),
        ("undo", "all") => Command::Undo(Undo::All),
        ("undo", count) => Command::Undo(Undo::Last(count.parse().ok()?)),
        ("show" | "board", "") => Command::Ask(Ask::Board),
        ("full", "") => Command::Ask(Ask::Full),
        ("menu", "") => Command::Ask(Ask::Menu),
        ("legal", "") => Command::Ask(Ask::Legal),
        ("map", "") => Command::Ask(Ask::Map),
        ("score", "") => Command::Ask(Ask::Score),
        ("about", _) => Command::Ask(Ask::About(words())),
        ("near", _) => Command::Ask(Ask::Near(words())),
        ("rule", _) => Command::Ask(Ask::Rule(words())),
        ("rules", _) => Command::Ask(Ask::Rules(words())),
        ("help" | "?", "") => Command::Ask(Ask::Help),
        ("events", "") => Command::Events,
        ("why", _) => Command::Why(words()),
        ("offer-draw", "") => Command::Draw(Draw::Offer),
        ("accept-draw", "") => Command::Draw(Draw::Accept),
        ("decline-draw", "") => Command::Draw(Draw::Decline),
        ("adjourn", time) => Command::Adjourn(Adjourn::Offer(clock_text::time(time).ok()?)),
        ("accept-adjournment", "") => Command::Adjourn(Adjourn::Accept(None)),
        ("accept-adjournment", time) => Command::Adjourn(Adjourn::Accept(Some(clock_text::time(time).ok()?))),
        ("decline-adjournment", "") => Command::Adjourn(Adjourn::Decline),
        ("resume", "") => Command::Adjourn(Adjourn::Resume),
        ("resign", "") => Command::Resign,
        ("quit" | "exit", "") => Command::Quit,
        _ => return None,
    })
}
