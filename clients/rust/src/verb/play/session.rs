//! One match in the terminal ([`Session`]).

use std::io::{BufRead, Write};
use std::path::Path;

use edgehill_engine::action::ActionId;
use edgehill_engine::chance_source;
use edgehill_engine::game::Node;
use edgehill_engine::registry::AnyTable;
use edgehill_engine::render;
use edgehill_engine::seat::{Observer, Seat, SeatSet};
use edgehill_engine::table::ApplyMode;

use super::command::{self, Command, HELP, Undo};
use crate::error::Error;
use crate::players::Player;
use crate::record_file;
use crate::verb::{enter, status};

/// A menu with more actions than this is printed in short.
pub(in crate::verb) const LONG_MENU: usize = 24;

/// A person at one seat, bots at the others, lines coming in.
pub(super) struct Session<R> {
    table: Box<dyn AnyTable>,
    seat: Seat,
    bots: Vec<Player>,
    input: R,
    /// True if lines that come in are to be printed: it is no terminal that would have shown it.
    echo: bool,
    /// Number of events that are printed.
    printed: usize,
    menu: Vec<ActionId>,
    /// The question that was asked with that menu.
    question: String,
}

/// The choice of going on.
#[derive(PartialEq, Eq)]
enum Next {
    Ask,
    Leave,
}

impl<R: BufRead> Session<R> {
    pub(super) fn new(table: Box<dyn AnyTable>, seat: Seat, bots: Vec<Player>, input: R, echo: bool) -> Self {
        Self { table, seat, bots, input, echo, printed: 0, menu: Vec::new(), question: String::new() }
    }

    /// Plays until the match is over, the person leaves, or no more lines come in.
    pub(super) fn run(&mut self, out: &mut dyn Write) -> Result<(), Error> {
        self.greet(out)?;
        self.let_bots_play()?;
        self.print_events(out)?;
        self.show_board(out)?;
        loop {
            self.let_bots_play()?;
            self.print_events(out)?;
            if self.table.node() == Node::Over {
                return self.conclude(out);
            }
            if self.question_is_new() {
                self.print_menu(out)?;
            }
            let Some(line) = self.ask(out)? else {
                writeln!(out, "No more input: the match is not over.")?;
                return Ok(());
            };
            if self.obey(&line, out)? == Next::Leave {
                writeln!(out, "You leave; the match is not over.")?;
                return Ok(());
            }
        }
    }

    /// Keeps the record of the match, if it is over.
    pub(super) fn record(&self, path: &Path, out: &mut dyn Write) -> Result<(), Error> {
        if self.table.node() != Node::Over {
            writeln!(out, "No record: the match is not over.")?;
            return Ok(());
        }
        let bot = |seat: Seat| self.bots.iter().find(|bot| bot.seat == seat).map(|bot| bot.name.clone());
        let players = SeatSet::first(self.table.seats()).iter().map(|seat| bot(seat).unwrap_or_default());
        record_file::write(self.table.as_ref(), players.collect(), path)?;
        writeln!(out, "Record: {}", path.display())?;
        Ok(())
    }

    fn greet(&self, out: &mut dyn Write) -> Result<(), Error> {
        let catalogue = self.table.catalogue();
        let own = render::observer(catalogue, Observer::Seat(self.seat));
        writeln!(out, "{}: you play {own}. `help` tells what you can type.", catalogue.title)?;
        for bot in &self.bots {
            let seat = render::observer(catalogue, Observer::Seat(bot.seat));
            writeln!(out, "{seat} is played by the house bot `{}`.", bot.name)?;
        }
        Ok(())
    }

    fn let_bots_play(&mut self) -> Result<(), Error> {
        // A match has a bound, so that this ends.
        while self
            .bots
            .iter_mut()
            .try_fold(false, |any, bot| Ok::<_, Error>(bot.action(self.table.as_mut())? || any))?
        {}
        Ok(())
    }

    fn print_events(&mut self, out: &mut dyn Write) -> Result<(), Error> {
        self.printed =
            status::write_published(self.table.as_ref(), Observer::Seat(self.seat), self.printed, out)?;
        Ok(())
    }

    fn print_all_events(&mut self, out: &mut dyn Write) -> Result<(), Error> {
        self.printed = 0;
        self.print_events(out)
    }

    /// True if something else is asked than before: the same menu may be another question, as in the
    /// next Round of a fight.
    fn question_is_new(&mut self) -> bool {
        let (catalogue, view) = (self.table.catalogue(), self.own_view());
        let question = render::at_prompt(catalogue, &view) + &render::prompt(catalogue, &view);
        let menu = self.table.legal(self.seat);
        let new = (&menu, &question) != (&self.menu, &self.question);
        (self.menu, self.question) = (menu, question);
        new
    }

    fn print_menu(&self, out: &mut dyn Write) -> Result<(), Error> {
        let menu = if self.menu.len() > LONG_MENU { render::brief_menu } else { render::menu };
        write!(out, "{}{}", self.question, menu(self.table.catalogue(), &self.menu))?;
        Ok(())
    }

    /// The next line; `None` at the end of the input.
    fn ask(&mut self, out: &mut dyn Write) -> Result<Option<String>, Error> {
        let catalogue = self.table.catalogue();
        match self.table.chance() {
            Some(due) => write!(out, "{}> ", chance_source::describe(&due.chance, catalogue))?,
            None => write!(out, "{}> ", catalogue.id_of(edgehill_engine::reference::Ref::Seat(self.seat)))?,
        }
        out.flush()?;
        let mut line = String::new();
        if self.input.read_line(&mut line).map_err(Error::Input)? == 0 {
            writeln!(out)?;
            return Ok(None);
        }
        if self.echo {
            writeln!(out, "{}", line.trim_end())?;
        }
        Ok(Some(line))
    }

    fn obey(&mut self, line: &str, out: &mut dyn Write) -> Result<Next, Error> {
        let dice_due = self.table.chance().is_some();
        match command::read(line, self.table.catalogue(), &self.menu, dice_due) {
            Command::Action(action) => self.take(&[action], out)?,
            Command::NoSuchNumber(number) => {
                writeln!(out, "The menu has no action {number}: it goes from 1 to {}.", self.menu.len())?;
            }
            Command::Line(line) => self.take_line(&line, out)?,
            Command::Dice(words) => {
                if let Err(error) = enter::words(&mut self.table, &words) {
                    writeln!(out, "{error}")?;
                }
            }
            Command::Undo(undo) => self.undo(undo, out)?,
            Command::Show => self.show(out)?,
            Command::Full => write!(out, "{}", render::view(self.table.catalogue(), &self.own_view()))?,
            Command::Legal => self.print_menu(out)?,
            Command::Events => self.print_all_events(out)?,
            Command::Why(action) => self.why(&action, out)?,
            Command::Rule(id) => self.rule(&id, out)?,
            Command::About(id) => command::about(self.table.catalogue(), &id, out)?,
            Command::Resign => {
                if let Err(refusal) = self.table.resign(self.seat) {
                    writeln!(out, "{}", render::refusal(self.table.catalogue(), &refusal))?;
                }
            }
            Command::Help => writeln!(out, "{HELP}")?,
            Command::Quit => return Ok(Next::Leave),
            Command::Nothing => {}
        }
        Ok(Next::Ask)
    }

    fn own_view(&self) -> edgehill_engine::view::View {
        self.table.view(Observer::Seat(self.seat))
    }

    fn show(&self, out: &mut dyn Write) -> Result<(), Error> {
        write!(out, "{}", render::brief(self.table.catalogue(), &self.own_view()))?;
        Ok(())
    }

    fn show_board(&self, out: &mut dyn Write) -> Result<(), Error> {
        write!(out, "{}", render::brief_board(self.table.catalogue(), &self.own_view()))?;
        Ok(())
    }

    fn take(&mut self, actions: &[ActionId], out: &mut dyn Write) -> Result<(), Error> {
        if let Err(refusal) = self.table.apply(self.seat, actions, ApplyMode::Atomic) {
            writeln!(out, "{}", render::refusal(self.table.catalogue(), &refusal))?;
        }
        Ok(())
    }

    fn take_line(&mut self, line: &str, out: &mut dyn Write) -> Result<(), Error> {
        if let Err(refusal) = self.table.apply_line(self.seat, line, ApplyMode::Atomic) {
            writeln!(out, "{}", render::refusal(self.table.catalogue(), &refusal))?;
            writeln!(out, "`legal` lists what may be done, `help` what you can type.")?;
        }
        Ok(())
    }

    fn undo(&mut self, undo: Undo, out: &mut dyn Write) -> Result<(), Error> {
        let draft = self.table.draft(self.seat).len();
        let keep = match undo {
            Undo::Last(count) => draft.saturating_sub(count),
            Undo::All => 0,
        };
        if let Err(refusal) = self.table.undo(self.seat, keep) {
            writeln!(out, "{}", render::refusal(self.table.catalogue(), &refusal))?;
        }
        Ok(())
    }

    /// Explains an action or a line: that it may be taken now, or every rule against it in the ledger's words.
    fn why(&self, text: &str, out: &mut dyn Write) -> Result<(), Error> {
        let catalogue = self.table.catalogue();
        let numbered = || self.menu.get(text.parse::<usize>().ok()?.checked_sub(1)?).copied();
        let Some(action) = catalogue.actions.parse(text).or_else(numbered) else {
            return match self.table.clone_box().apply_line(self.seat, text, ApplyMode::Atomic) {
                Ok(_) => Ok(writeln!(out, "That may be done now.")?),
                Err(refusal) => Ok(writeln!(out, "{}", render::refusal(catalogue, &refusal))?),
            };
        };
        let rule_violations = self.table.rule_violations(self.seat, action);
        if rule_violations.is_empty() {
            writeln!(
                out,
                "`{}` is legal now. {}",
                catalogue.actions.notation(action),
                render::action(catalogue, action)
            )?;
        }
        for reason in &rule_violations {
            writeln!(out, "{}", render::rule_violation(catalogue, reason))?;
            if let Some(rule) = catalogue.ledger.get(reason.rule.id()) {
                writeln!(out, "  {}", rule.text.trim())?;
            }
        }
        Ok(())
    }

    fn rule(&self, id: &str, out: &mut dyn Write) -> Result<(), Error> {
        match self.table.catalogue().ledger.get(id) {
            Some(rule) => {
                writeln!(out, "{} {} ({}): {}", rule.id, rule.title, rule.status, rule.text.trim())?
            }
            None => {
                let ids: Vec<&str> =
                    self.table.catalogue().ledger.iter().map(|rule| rule.id.as_str()).collect();
                writeln!(out, "There is no rule `{id}`; there are {}.", ids.join(", "))?;
            }
        }
        Ok(())
    }

    fn conclude(&self, out: &mut dyn Write) -> Result<(), Error> {
        self.show_board(out)?;
        status::write(self.table.as_ref(), out)
    }
}
