//! One match in the terminal ([`Session`]).

use std::io::{BufRead, Write};
use std::path::Path;

use edgehill_engine::action::ActionId;
use edgehill_engine::catalogue::Catalogue;
use edgehill_engine::chance_source;
use edgehill_engine::game::Node;
use edgehill_engine::registry::AnyTable;
use edgehill_engine::render;
use edgehill_engine::seat::{Observer, Seat, SeatSet};
use edgehill_engine::table::{ApplyMode, Refusal};

use super::command::{self, Command, Draw, Undo};
use crate::error::Error;
use crate::players::Player;
use crate::record_file;
use crate::terminal::line;
use crate::terminal::screen::Screen;
use crate::verb::{enter, status};

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
    screen: Screen,
}

/// The choice of going on.
#[derive(PartialEq, Eq)]
enum Next {
    Ask,
    Leave,
}

impl<R: BufRead> Session<R> {
    pub(super) fn new(
        table: Box<dyn AnyTable>,
        seat: Seat,
        bots: Vec<Player>,
        (input, echo): (R, bool),
        screen: Screen,
    ) -> Self {
        Self { table, seat, bots, input, echo, printed: 0, screen }
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
            let (legal, view) = (self.table.legal(self.seat), self.own_view());
            self.screen.ask(self.table.catalogue(), &view, legal, out)?;
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
        let published = self.table.published(Observer::Seat(self.seat), self.printed);
        Screen::write_events(self.table.catalogue(), published, out)?;
        self.printed += published.len();
        Ok(())
    }

    fn print_all_events(&mut self, out: &mut dyn Write) -> Result<(), Error> {
        self.printed = 0;
        self.print_events(out)
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
        let view = self.own_view();
        match command::read(line, self.table.catalogue(), self.screen.menu(), dice_due) {
            Command::Action(action) => self.take(&[action], out)?,
            Command::Number(number) => match self.screen.numbered(number) {
                Some(action) => self.take(&[action], out)?,
                None => writeln!(out, "{}", self.screen.no_such_number(number))?,
            },
            Command::Line(line) => self.take_line(&line, out)?,
            Command::Dice(words) => {
                if let Err(error) = enter::words(&mut self.table, &words) {
                    writeln!(out, "{error}")?;
                }
            }
            Command::Undo(undo) => self.undo(undo, out)?,
            Command::Ask(ask) => self.screen.answer(&ask, self.table.catalogue(), &view, out)?,
            Command::Events => self.print_all_events(out)?,
            Command::Why(action) => self.why(&action, out)?,
            Command::Draw(draw) => self.draw(draw, out)?,
            Command::Adjourn(_) => writeln!(out, "Nobody's clock runs here: there is nothing to adjourn.")?,
            Command::Resign => {
                if let Err(refusal) = self.table.resign(self.seat) {
                    writeln!(out, "{}", refused(self.table.catalogue(), &refusal))?;
                }
            }
            Command::Quit => return Ok(Next::Leave),
            Command::Nothing => {}
        }
        Ok(Next::Ask)
    }

    fn own_view(&self) -> edgehill_engine::view::View {
        self.table.view(Observer::Seat(self.seat))
    }

    fn show_board(&mut self, out: &mut dyn Write) -> Result<(), Error> {
        let view = self.own_view();
        Ok(self.screen.show_board(self.table.catalogue(), &view, out)?)
    }

    fn draft(&self) -> Vec<ActionId> {
        self.table.draft(self.seat).to_vec()
    }

    fn take(&mut self, actions: &[ActionId], out: &mut dyn Write) -> Result<(), Error> {
        let before = self.draft();
        let applied = self.table.apply(self.seat, actions, ApplyMode::Atomic);
        if let Err(Refusal::ListCrossesReveal { index }) = applied {
            return self.take_up_to(actions, index, out);
        }
        if let Err(refusal) = applied
            && !(is_out_of_sequence(&refusal) && self.take_in_order(&before, actions))
        {
            return Ok(writeln!(out, "{}", refused(self.table.catalogue(), &refusal))?);
        }
        self.screen.note_line(before, self.draft());
        Ok(())
    }

    /// Takes so many actions of a line, and says which are left: before them something is shown, or somebody else is asked.
    fn take_up_to(&mut self, actions: &[ActionId], index: usize, out: &mut dyn Write) -> Result<(), Error> {
        let (first, left) = actions.split_at(index);
        let before = self.draft();
        if let Err(refusal) = self.table.apply(self.seat, first, ApplyMode::Atomic) {
            return Ok(writeln!(out, "{}", refused(self.table.catalogue(), &refusal))?);
        }
        self.screen.note_line(before, self.draft());
        Ok(writeln!(out, "{}", Screen::left_out(self.table.catalogue(), left))?)
    }

    fn take_line(&mut self, text: &str, out: &mut dyn Write) -> Result<(), Error> {
        let before = self.draft();
        let refusal = match self.table.apply_line(self.seat, text, ApplyMode::Atomic) {
            Ok(_) => {
                self.screen.note_line(before, self.draft());
                return Ok(());
            }
            Err(refusal) => refusal,
        };
        if let Some(actions) = line::actions(self.table.catalogue(), text) {
            return self.take(&actions, out);
        }
        writeln!(out, "{}", refused(self.table.catalogue(), &refusal))?;
        writeln!(out, "`legal` lists what may be done, `help` what you can type.")?;
        Ok(())
    }

    /// Takes a list that is not in its order, together with what is written already; true if that is accepted.
    fn take_in_order(&mut self, before: &[ActionId], actions: &[ActionId]) -> bool {
        line::in_order(self.table.catalogue(), before, actions)
            .is_some_and(|(keep, run)| self.table.revise(self.seat, keep, &run, ApplyMode::Atomic).is_ok())
    }

    fn undo(&mut self, undo: Undo, out: &mut dyn Write) -> Result<(), Error> {
        let view = self.own_view();
        let left = self.screen.left(&view, undo);
        let keep = line::alike(&view.draft, &left);
        let undone = if keep == left.len() {
            self.table.undo(self.seat, keep)
        } else {
            self.table.revise(self.seat, keep, &left[keep..], ApplyMode::Atomic).map(|_| ())
        };
        match undone {
            Ok(()) => writeln!(out, "{}", Screen::taken_back(self.table.catalogue(), &view.draft, &left))?,
            Err(refusal) => writeln!(out, "{}", refused(self.table.catalogue(), &refusal))?,
        }
        Ok(())
    }

    /// Refuses a call about a draw: of a game for one, by the engine's reason; else, since a bot answers none.
    fn draw(&mut self, draw: Draw, out: &mut dyn Write) -> Result<(), Error> {
        let called = match draw {
            Draw::Offer if self.bots.is_empty() => self.table.offer_draw(self.seat),
            Draw::Offer => {
                return Ok(writeln!(out, "House bots answer no offers of a draw; `resign` gives up.")?);
            }
            Draw::Accept => self.table.accept_draw(self.seat),
            Draw::Decline => self.table.decline_draw(self.seat),
        };
        if let Err(refusal) = called {
            writeln!(out, "{}", refused(self.table.catalogue(), &refusal))?;
        }
        Ok(())
    }

    /// Explains an action or a line: that it may be taken now, or every rule against it in the ledger's words.
    fn why(&self, text: &str, out: &mut dyn Write) -> Result<(), Error> {
        let catalogue = self.table.catalogue();
        let numbered = || self.screen.numbered(text.parse().ok()?);
        let Some(action) = catalogue.actions.parse(text).or_else(numbered) else {
            return match self.table.clone_box().apply_line(self.seat, text, ApplyMode::Atomic) {
                Ok(_) => Ok(writeln!(out, "That may be done now.")?),
                Err(refusal) => Ok(writeln!(out, "{}", refused(catalogue, &refusal))?),
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

    fn conclude(&mut self, out: &mut dyn Write) -> Result<(), Error> {
        let view = self.own_view();
        match self.table.result() {
            Some(result) => self.screen.conclude(self.table.catalogue(), &view, &result, out)?,
            None => return Err(Error::Fault("a match that is over without a result".to_owned())),
        }
        status::write_script(self.table.as_ref(), out)
    }
}

/// True of a refusal on the one ground that a list has gone past the place of an action.
fn is_out_of_sequence(refusal: &Refusal) -> bool {
    match refusal {
        Refusal::Action { rule_violations, .. } => {
            rule_violations.iter().all(|one| line::is_past_its_place(one.code))
        }
        _ => false,
    }
}

/// A refusal in the words of a server, with every ground under it.
fn refused(catalogue: &Catalogue, refusal: &Refusal) -> String {
    let (index, action, rule_violations) = match refusal {
        Refusal::Action { index, action, rule_violations } => (index, action, rule_violations),
        Refusal::Line(error) => {
            let (number, item, expected) = (error.index + 1, &error.item, &error.expected);
            return format!("item {number} of the line, `{item}`: expected {expected} ({})", refusal.code());
        }
        other => return render::refusal(catalogue, other),
    };
    let notation = catalogue.actions.notation(*action);
    let mut text = format!("action {} of the list, {notation}, is not legal:", index + 1);
    for ground in rule_violations {
        text.push_str("\n  ");
        text.push_str(&render::rule_violation(catalogue, ground));
    }
    text
}
