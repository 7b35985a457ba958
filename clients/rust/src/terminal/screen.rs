//! The screen of a player ([`Screen`]): what was shown to them, what is asked, and the lines that they typed.

use std::io::{self, Write};

use edgehill_engine::action::ActionId;
use edgehill_engine::catalogue::Catalogue;
use edgehill_engine::game::MatchResult;
use edgehill_engine::render;
use edgehill_engine::table::ObservedEvent;
use edgehill_engine::view::{Board, Entitlement, View};

use super::wrap::COLUMNS_UNKNOWN;
use super::{about, changes, ending, line, map, menu, score};
use crate::verb::play::command::{Ask, HELP, Undo};

/// The things that a player has before their eyes.
pub(crate) struct Screen {
    columns: Option<usize>,
    /// The board as it was shown last.
    shown: Option<Board>,
    /// The legal actions.
    menu: Vec<ActionId>,
    /// Those that stood in the menu before.
    menu_before: Vec<ActionId>,
    /// Entitlements as they were told last.
    owed: Vec<Entitlement>,
    /// Actions in front of the list that is being written: legal in its order, and no more behind it.
    earlier: Vec<ActionId>,
    /// The question that was asked with that menu.
    question: String,
    /// The draft before and after each line that can be taken back.
    lines: Vec<(Vec<ActionId>, Vec<ActionId>)>,
    /// Menus by the length of the draft at which they were asked.
    menus: Vec<(usize, Vec<ActionId>)>,
}

impl Screen {
    pub(crate) const fn new(columns: Option<usize>) -> Self {
        Self {
            columns,
            shown: None,
            menu: Vec::new(),
            menu_before: Vec::new(),
            owed: Vec::new(),
            earlier: Vec::new(),
            question: String::new(),
            lines: Vec::new(),
            menus: Vec::new(),
        }
    }

    /// Writes events, a line each; equal ones in a row once, with their number.
    pub(crate) fn write_events(
        catalogue: &Catalogue,
        events: &[ObservedEvent],
        out: &mut dyn Write,
    ) -> io::Result<()> {
        // The line that took something back says so.
        let told = events.iter().filter(|seen| !["prompt", "undo"].contains(&seen.code));
        let told: Vec<String> = told.map(|seen| render::event(catalogue, seen)).collect();
        for run in told.chunk_by(PartialEq::eq) {
            match run.len() {
                1 => writeln!(out, "- {}", run[0])?,
                count => writeln!(out, "- {} ({count} times)", run[0])?,
            }
        }
        Ok(())
    }

    /// Writes the whole board in short, without what is known of hidden things and without the question.
    pub(crate) fn show_board(
        &mut self,
        catalogue: &Catalogue,
        view: &View,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        self.shown = Some(view.board.clone());
        let mut seen = view.clone();
        seen.known = [].into();
        write!(out, "{}", render::brief_board(catalogue, &seen))
    }

    /// Asks what is to be done, with what has changed on the board and a menu, unless just that was asked.
    pub(crate) fn ask(
        &mut self,
        catalogue: &Catalogue,
        view: &View,
        legal: Vec<ActionId>,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        let question = render::at_prompt(catalogue, view) + &render::prompt(catalogue, view);
        if legal == self.menu && question == self.question {
            return Ok(());
        }
        let written = view.draft.len();
        if written == 0 {
            self.lines.clear();
        }
        self.menus.retain(|&(at, _)| at < written);
        self.menus.push((written, legal.clone()));
        self.menu_before = std::mem::replace(&mut self.menu, legal);
        self.question = question;
        self.earlier = self.earlier(catalogue, view);
        write!(out, "{}", self.changes(catalogue, view))?;
        self.write_owed(catalogue, view, out)?;
        self.write_menu(catalogue, view, out)?;
        // It is asked for again to see all of it.
        self.menu_before.clear();
        Ok(())
    }

    /// Writes what is owed, unless just that was told.
    fn write_owed(&mut self, catalogue: &Catalogue, view: &View, out: &mut dyn Write) -> io::Result<()> {
        let owed = &view.turn_state.entitlements;
        if self.owed == *owed {
            return Ok(());
        }
        self.owed.clone_from(owed);
        write!(out, "{}", render::owed(catalogue, view))
    }

    /// Writes the question and the menu again.
    pub(crate) fn write_menu(
        &self,
        catalogue: &Catalogue,
        view: &View,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        let columns = self.columns.unwrap_or(COLUMNS_UNKNOWN);
        write!(
            out,
            "{}{}",
            self.question,
            menu::told(catalogue, view, &self.menu, &self.menu_before, columns)
        )?;
        write!(out, "{}", menu::earlier(catalogue, view, self.menu.len(), &self.earlier, columns))?;
        let undoable = view.calls.undoable.min(view.draft.len());
        if undoable > 0 {
            let left = self.left(view, Undo::Line);
            writeln!(out, "undo: Take back `{}`", words(catalogue, &without(&view.draft, &left)))?;
        }
        Ok(())
    }

    /// Actions of the verb that is being listed which were legal when the list began, and are behind its order now.
    fn earlier(&self, catalogue: &Catalogue, view: &View) -> Vec<ActionId> {
        let last = view.draft.last().and_then(|&action| line::verb_of(catalogue, action));
        let Some(verb) = last.filter(|_| line::has_lists(catalogue)) else {
            return Vec::new();
        };
        let start = line::run_start(catalogue, &view.draft, verb);
        let of_verb = |&action: &ActionId| line::verb_of(catalogue, action) == Some(verb);
        let Some((_, begun)) = self.menus.iter().find(|&&(at, _)| at == start) else { return Vec::new() };
        let mut now = self.menu.iter().copied().filter(of_verb).peekable();
        // Where something else can be chosen than at the beginning, it is no list.
        if now.peek().is_none() || now.any(|action| !begun.contains(&action)) {
            return Vec::new();
        }
        let run = &view.draft[start..];
        let missing = |&action: &ActionId| {
            !self.menu.contains(&action) && !run.contains(&action) && Some(&action) < run.last()
        };
        begun.iter().copied().filter(of_verb).filter(missing).collect()
    }

    /// Tells what has changed on the board since it was shown, but for what the question says.
    fn changes(&mut self, catalogue: &Catalogue, view: &View) -> String {
        let Some(before) = self.shown.replace(view.board.clone()) else { return String::new() };
        changes::told(catalogue, &before, &view.board, &self.question)
    }

    /// The action of this number in the menu, from 1.
    pub(crate) fn numbered(&self, number: usize) -> Option<ActionId> {
        self.menu.iter().chain(&self.earlier).nth(number.checked_sub(1)?).copied()
    }

    /// The legal actions that were asked for.
    pub(crate) fn menu(&self) -> &[ActionId] {
        &self.menu
    }

    /// The answer to a number that the menu does not have.
    pub(crate) fn no_such_number(&self, number: usize) -> String {
        let last = self.menu.len() + self.earlier.len();
        format!("The menu has no action {number}: it goes from 1 to {last}.")
    }

    /// Notes that a line was accepted: the draft before it, and after it.
    pub(crate) fn note_line(&mut self, before: Vec<ActionId>, after: Vec<ActionId>) {
        self.lines.push((before, after));
    }

    /// The draft that an `undo` leaves.
    pub(crate) fn left(&self, view: &View, undo: Undo) -> Vec<ActionId> {
        let written = view.draft.len();
        let first = written - view.calls.undoable.min(written);
        let keep = match undo {
            Undo::Line => match self.lines.iter().rfind(|(_, after)| *after == view.draft) {
                Some((before, _)) if before.starts_with(&view.draft[..first]) => return before.clone(),
                _ => written.saturating_sub(1),
            },
            Undo::Last(count) => written.saturating_sub(count),
            Undo::All => first,
        };
        view.draft[..keep].to_vec()
    }

    /// Tells what is taken back: what the draft has and `left` has not.
    pub(crate) fn taken_back(catalogue: &Catalogue, draft: &[ActionId], left: &[ActionId]) -> String {
        format!("- Taken back: `{}`", words(catalogue, &without(draft, left)))
    }

    /// The actions of a line that were not taken, since something is shown or somebody else is asked before them.
    pub(crate) fn left_out(catalogue: &Catalogue, left: &[ActionId]) -> String {
        let left = words(catalogue, left);
        format!("- Taken up to where something is shown or somebody else is asked; not taken: `{left}`")
    }

    /// Answers a question about the game or the board.
    pub(crate) fn answer(
        &mut self,
        ask: &Ask,
        catalogue: &Catalogue,
        view: &View,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        match ask {
            Ask::Board => {
                self.shown = Some(view.board.clone());
                write!(out, "{}", render::brief(catalogue, view))
            }
            Ask::Full => write!(out, "{}", render::view(catalogue, view)),
            Ask::Legal => self.write_menu(catalogue, view, out),
            Ask::Menu => write!(out, "{}", menu::whole(catalogue, view, &self.menu)),
            Ask::Map => {
                let columns = self.columns.unwrap_or(COLUMNS_UNKNOWN);
                write!(out, "{}", map::draw(catalogue, view, columns))
            }
            Ask::Score => write!(out, "{}", score::told(catalogue, view)),
            Ask::About(name) => write!(out, "{}", about::about(catalogue, Some(view), name)),
            Ask::Near(name) => write!(out, "{}", about::near(catalogue, view, name)),
            Ask::Rule(id) => write!(out, "{}", rule(catalogue, id)),
            Ask::Rules(words) => write!(out, "{}", rules(catalogue, words)),
            Ask::Help => writeln!(out, "{HELP}"),
        }
    }

    /// Tells the end: what has changed on the board, the score, the result.
    pub(crate) fn conclude(
        &mut self,
        catalogue: &Catalogue,
        view: &View,
        result: &MatchResult,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        self.question.clear();
        write!(out, "{}", self.changes(catalogue, view))?;
        writeln!(out, "Score at the end:")?;
        for line in score::told(catalogue, view).lines() {
            writeln!(out, "  {line}")?;
        }
        write!(out, "{}", ending::told(catalogue, result))
    }
}

/// The actions of a draft but for those that are left.
fn without(draft: &[ActionId], left: &[ActionId]) -> Vec<ActionId> {
    let mut left = left.iter().peekable();
    // A list in its order loses nothing of its order with what is taken out of it.
    draft.iter().filter(|&action| left.next_if(|&it| it == action).is_none()).copied().collect()
}

/// Notations of actions; equal ones in a row once, with their number.
fn words(catalogue: &Catalogue, actions: &[ActionId]) -> String {
    let run = |run: &[ActionId]| {
        let notation = catalogue.actions.notation(run[0]);
        if run.len() == 1 { notation } else { format!("{notation} x{}", run.len()) }
    };
    actions.chunk_by(PartialEq::eq).map(run).collect::<Vec<_>>().join("; ")
}

/// The text of a rule, or the rules that there are.
fn rule(catalogue: &Catalogue, id: &str) -> String {
    match catalogue.ledger.get(id) {
        Some(rule) => format!("{} {} ({}): {}\n", rule.id, rule.title, rule.status, rule.text.trim()),
        None => {
            let ids: Vec<&str> = catalogue.ledger.iter().map(|rule| rule.id.as_str()).collect();
            format!("There is no rule `{id}`; there are {}.\n", ids.join(", "))
        }
    }
}

/// The rules that have the words in them; all rules by title where no words are given.
fn rules(catalogue: &Catalogue, words: &str) -> String {
    let wanted = words.to_lowercase();
    let has = |text: &str| text.to_lowercase().contains(&wanted);
    let found = catalogue.ledger.iter().filter(|rule| has(&rule.title) || has(&rule.text));
    let line = |rule: &edgehill_engine::ledger::RuleEntry| {
        let text = if words.is_empty() { String::new() } else { format!(": {}", rule.text.trim()) };
        format!("  {} {}{text}\n", rule.id, rule.title)
    };
    let text: String = found.map(line).collect();
    if text.is_empty() { format!("No rule has `{words}` in it.\n") } else { text }
}
