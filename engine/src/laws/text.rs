//! The text form of a run, for fixtures and reports: a head of `scenario`, `option` and `dice` lines, then a call a line.
//!
//! ```text
//! scenario duel
//! dice 7
//! royalist: march camp ford; block 2; done
//! royalist undo 1
//! enter roll 3 5
//! ```

use std::collections::BTreeMap;
use std::fmt::Write as _;

use thiserror::Error;

use crate::action::ActionId;
use crate::catalogue::Catalogue;
use crate::chance::Outcome;
use crate::reference::Ref;
use crate::seat::Seat;
use crate::setup::Setup;
use crate::table::ApplyMode;
use crate::view::{PassScope, StandingPass};

use super::{MatchCall, Run, RunDice};

/// The error of a text that is not a run of this game.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("line {line}: {expected} expected")]
pub struct RunError {
    /// Number of the line, from 1.
    pub line: usize,
    /// Description of what would be accepted.
    pub expected: String,
}

impl Run {
    /// The text form.
    #[must_use]
    pub fn print(&self, catalogue: &Catalogue) -> String {
        let scenario = catalogue.scenarios.get(self.setup.scenario()).map_or("?", |scenario| scenario.id);
        let mut text = format!("scenario {scenario}\n");
        for (id, value) in self.setup.written(catalogue) {
            let _ = writeln!(text, "option {id} {value}");
        }
        if let RunDice::Dice(seed) = self.luck {
            let _ = writeln!(text, "dice {seed}");
        }
        for call in &self.calls {
            text.push_str(&call.print(catalogue));
            text.push('\n');
        }
        text
    }

    /// Reads the text form; empty lines and those that begin with `#` say nothing.
    ///
    /// # Errors
    /// Names the line and what would be accepted.
    pub fn parse(catalogue: &Catalogue, text: &str) -> Result<Self, RunError> {
        let mut scenario = None;
        let mut options = BTreeMap::new();
        let mut luck = RunDice::Entered;
        let mut calls = Vec::new();
        let mut last = 0;
        for (index, line) in text.lines().enumerate() {
            last = index + 1;
            let error = |expected: &str| RunError { line: index + 1, expected: expected.to_owned() };
            let words: Vec<&str> = line.split_whitespace().collect();
            match words.as_slice() {
                [] => {}
                [first, ..] if first.starts_with('#') => {}
                ["scenario", id] => scenario = Some((*id).to_owned()),
                ["option", id, value] => {
                    options.insert((*id).to_owned(), (*value).to_owned());
                }
                ["dice", seed] => luck = RunDice::Dice(seed.parse().map_err(|_| error("a number"))?),
                _ => calls.push(MatchCall::parse(catalogue, line.trim()).ok_or_else(|| error("a call"))?),
            }
        }
        let setup = Setup::new(catalogue, scenario.as_deref(), &options)
            .map_err(|fault| RunError { line: last, expected: fault.to_string() })?;
        Ok(Self { setup, luck, calls })
    }
}

impl MatchCall {
    /// One line of the text form.
    #[must_use]
    pub fn print(&self, catalogue: &Catalogue) -> String {
        let id = |seat: &Seat| seat_id(catalogue, *seat);
        match self {
            Self::Actions { seat, actions, mode } => {
                format!("{}{}: {}", id(seat), print_mode(*mode), print_actions(catalogue, actions))
            }
            Self::Line { seat, line } => format!("{} writes {}", id(seat), serde_json::json!(line)),
            Self::Undo { seat, keep } => format!("{} undo {keep}", id(seat)),
            Self::Revise { seat, keep, actions, mode } => {
                format!(
                    "{} revise {keep}{}: {}",
                    id(seat),
                    print_mode(*mode),
                    print_actions(catalogue, actions)
                )
            }
            Self::Enter(outcome) => format!("enter {}", print_outcome(catalogue, outcome)),
            Self::Stand { seat, passes } => {
                let passes: Vec<String> = passes.iter().map(print_pass).collect();
                format!("{} stands {}", id(seat), passes.join("; ")).trim_end().to_owned()
            }
            Self::Offer(seat) => format!("{} offers", id(seat)),
            Self::Accept(seat) => format!("{} accepts", id(seat)),
            Self::Decline(seat) => format!("{} declines", id(seat)),
            Self::Resign(seat) => format!("{} resigns", id(seat)),
        }
    }

    /// Reads one line of the text form.
    #[must_use]
    pub fn parse(catalogue: &Catalogue, line: &str) -> Option<Self> {
        if let Some(outcome) = line.strip_prefix("enter ") {
            return parse_outcome(catalogue, outcome).map(Self::Enter);
        }
        let end = line.find([':', ' ']).unwrap_or(line.len());
        let seat = parse_seat(catalogue, &line[..end])?;
        let rest = line[end..].trim_start();
        if rest.starts_with("until-reveal:") || rest.starts_with(':') {
            return parse_list(catalogue, rest).map(|(mode, actions)| Self::Actions { seat, actions, mode });
        }
        let (verb, tail) = rest.split_once(' ').unwrap_or((rest, ""));
        match verb {
            "writes" => serde_json::from_str(tail).ok().map(|line| Self::Line { seat, line }),
            "undo" => tail.parse().ok().map(|keep| Self::Undo { seat, keep }),
            "revise" => {
                let (keep, list) = tail.split_at(tail.find([' ', ':'])?);
                let (mode, actions) = parse_list(catalogue, list.trim_start())?;
                keep.parse().ok().map(|keep| Self::Revise { seat, keep, actions, mode })
            }
            "stands" => {
                let passes = tail.split(';').map(str::trim).filter(|pass| !pass.is_empty());
                passes.map(parse_pass).collect::<Option<_>>().map(|passes| Self::Stand { seat, passes })
            }
            "offers" => Some(Self::Offer(seat)),
            "accepts" => Some(Self::Accept(seat)),
            "declines" => Some(Self::Decline(seat)),
            "resigns" => Some(Self::Resign(seat)),
            _ => None,
        }
    }
}

/// A seat by id, or by `@` and its index where the game has no such seat.
fn seat_id(catalogue: &Catalogue, seat: Seat) -> String {
    catalogue.seats.get(seat.index()).map_or_else(|| format!("@{}", seat.index()), |def| def.id.to_owned())
}

fn parse_seat(catalogue: &Catalogue, text: &str) -> Option<Seat> {
    let index = match text.strip_prefix('@') {
        Some(index) => index.parse().ok().filter(|&index| index < Seat::MAX)?,
        None => catalogue.seats.iter().position(|seat| seat.id == text)?,
    };
    Some(Seat::new(index as u8))
}

const fn print_mode(mode: ApplyMode) -> &'static str {
    match mode {
        ApplyMode::Atomic => "",
        ApplyMode::UntilReveal => " until-reveal",
    }
}

fn print_actions(catalogue: &Catalogue, actions: &[ActionId]) -> String {
    let actions: Vec<String> = actions.iter().map(|&action| catalogue.actions.notation(action)).collect();
    actions.join("; ")
}

/// A list behind its colon, with its mode before that.
fn parse_list(catalogue: &Catalogue, text: &str) -> Option<(ApplyMode, Vec<ActionId>)> {
    let (mode, actions) = text.split_once(':')?;
    let mode = match mode {
        "" => ApplyMode::Atomic,
        "until-reveal" => ApplyMode::UntilReveal,
        _ => return None,
    };
    parse_actions(catalogue, actions).map(|actions| (mode, actions))
}

fn parse_actions(catalogue: &Catalogue, text: &str) -> Option<Vec<ActionId>> {
    let parse = |item: &str| match item.strip_prefix('#') {
        Some(number) => number.parse().ok().map(ActionId),
        None => catalogue.actions.parse(item),
    };
    text.split(';').map(str::trim).filter(|item| !item.is_empty()).map(parse).collect()
}

fn print_outcome(catalogue: &Catalogue, outcome: &Outcome) -> String {
    match outcome {
        Outcome::Roll(faces) => {
            let faces: Vec<String> = faces.iter().map(ToString::to_string).collect();
            format!("roll {}", faces.join(" ")).trim_end().to_owned()
        }
        Outcome::Pick(what) => format!("{} {}", kind_of(*what), catalogue.id_of(*what)),
    }
}

fn parse_outcome(catalogue: &Catalogue, text: &str) -> Option<Outcome> {
    let (kind, id) = text.split_once(' ').unwrap_or((text, ""));
    if kind == "roll" {
        let faces: Option<Vec<u8>> = id.split_whitespace().map(|face| face.parse().ok()).collect();
        let faces = faces.filter(|faces| faces.len() <= crate::chance::ROLL_DICE_MAX)?;
        return Some(Outcome::Roll(faces.into_iter().collect()));
    }
    if kind == "number" {
        return id.parse().ok().map(|number| Outcome::Pick(Ref::Number(number)));
    }
    if kind == "seat" {
        return parse_seat(catalogue, id).map(|seat| Outcome::Pick(Ref::Seat(seat)));
    }
    let make = |index: u16| match kind {
        "space" => Some(Ref::Space(index)),
        "mat" => Some(Ref::Mat(index)),
        "track" => Some(Ref::Track(index)),
        "pile" => Some(Ref::Pile(index)),
        "piece" => Some(Ref::Piece(index)),
        "kind" => Some(Ref::Kind(index)),
        "card" => Some(Ref::Card(index)),
        "marker" => Some(Ref::Marker(index)),
        _ => None,
    };
    let known = |what: &Ref| catalogue.id_of(*what) != format!("{what:?}");
    let named =
        (0..u16::MAX).map_while(|index| make(index).filter(known)).find(|&what| catalogue.id_of(what) == id);
    named.map(Outcome::Pick)
}

const fn kind_of(what: Ref) -> &'static str {
    match what {
        Ref::Space(_) => "space",
        Ref::Mat(_) => "mat",
        Ref::Track(_) => "track",
        Ref::Pile(_) => "pile",
        Ref::Piece(_) => "piece",
        Ref::Kind(_) => "kind",
        Ref::Card(_) => "card",
        Ref::Marker(_) => "marker",
        Ref::Seat(_) => "seat",
        Ref::Number(_) => "number",
    }
}

fn print_pass(pass: &StandingPass) -> String {
    let scope = match pass.scope {
        PassScope::Always => "always".to_owned(),
        PassScope::Procedure(procedure) => format!("procedure-{procedure}"),
        PassScope::UntilAttacked => "until-attacked".to_owned(),
    };
    pass.window.as_ref().map_or_else(|| scope.clone(), |window| format!("{scope} {window}"))
}

fn parse_pass(text: &str) -> Option<StandingPass> {
    let (scope, window) = text.split_once(' ').map_or((text, None), |(scope, window)| (scope, Some(window)));
    let scope = match scope {
        "always" => PassScope::Always,
        "until-attacked" => PassScope::UntilAttacked,
        other => PassScope::Procedure(other.strip_prefix("procedure-")?.parse().ok()?),
    };
    Some(StandingPass { window: window.map(str::to_owned), scope })
}
