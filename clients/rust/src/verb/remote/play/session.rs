//! One match of a server in the terminal ([`Session`]).

use std::io::Write;

use edgehill_client::v1::{
    Action, LegalDetail, MatchState, MatchStatus, ResponseOptions, SeatUpdate, action::Encoding,
};
use edgehill_client::{Actions, Heard, Look, Seat as WireSeat, ViewTracker, Watch};
use edgehill_engine::action::ActionId;
use edgehill_engine::reference::Ref;
use edgehill_engine::render;
use edgehill_engine::seat::{Observer, Seat};
use edgehill_engine::view::{NodeView, View};

use super::lines::Lines;
use crate::error::Error;
use crate::verb::play::LONG_MENU;
use crate::verb::play::command::{self, Command, HELP, Undo};
use crate::verb::remote::link::Table;
use crate::verb::remote::{events, refusal, status};
use crate::wire::{self, Beside};

/// A person at one seat of a match on a server.
pub(super) struct Session {
    table: Table,
    seat: Seat,
    played: WireSeat,
    watch: Watch,
    /// The view of the seat; `None` before the match has begun.
    sight: Option<ViewTracker>,
    state: MatchState,
    menu: Vec<ActionId>,
    /// The question that was asked with that menu.
    question: String,
    lines: Lines,
    /// True if the watch has said all: nothing more comes.
    ended: bool,
}

/// The next wish of the person.
enum Next {
    Ask,
    Leave,
}

impl Session {
    pub(super) fn new(table: Table, seat: Seat, lines: Lines) -> Result<Self, Error> {
        let played = table.played(seat)?;
        let watch = played.watch();
        let state = table.state.clone();
        let (menu, question) = (Vec::new(), String::new());
        Ok(Self { table, seat, played, watch, sight: None, state, menu, question, lines, ended: false })
    }

    /// Plays until the match is over, the person leaves, or no more lines come in. `new`: all that happened so far is told.
    pub(super) async fn run(&mut self, new: bool, out: &mut dyn Write) -> Result<(), Error> {
        self.greet(out)?;
        if !self.wait_for_players(out).await? {
            return self.conclude(out);
        }
        if new {
            let start = self.played.view(Look { start: true, ..Look::default() }).await?;
            self.sight = start.view.map(|view| ViewTracker::new(start.seq, view));
            self.watch = self.played.watch().after(0);
        } else {
            self.watch = self.played.watch();
        }
        let mut shown = false;
        loop {
            match self.settle(out).await? {
                Some(line) => match self.obey(&line, out).await? {
                    Next::Ask => continue,
                    Next::Leave => return Ok(writeln!(out, "You leave; the match is not over.")?),
                },
                None if self.is_over() || self.ended => return self.conclude(out),
                None => {}
            }
            if !std::mem::replace(&mut shown, true) {
                self.show_board(out)?;
            }
            self.renew_menu(out).await?;
            let Some(line) = self.ask(out).await? else {
                return Ok(writeln!(out, "No more input: the match is not over.")?);
            };
            if let Some(line) = line
                && let Next::Leave = self.obey(&line, out).await?
            {
                return Ok(writeln!(out, "You leave; the match is not over.")?);
            }
        }
    }

    pub(super) fn is_over(&self) -> bool {
        self.state.status() == MatchStatus::Finished
            || matches!(self.node(), Some(edgehill_client::v1::node_view::Node::Over(_)))
    }

    pub(super) const fn table(&self) -> &Table {
        &self.table
    }

    fn greet(&self, out: &mut dyn Write) -> Result<(), Error> {
        let own = render::observer(&self.table.catalogue, Observer::Seat(self.seat));
        let title = self.table.catalogue.title;
        Ok(writeln!(out, "{title}: you play {own}. `help` tells what you can type.")?)
    }

    /// Waits until the match begins, and returns whether it does: others may have to sit down first.
    async fn wait_for_players(&mut self, out: &mut dyn Write) -> Result<bool, Error> {
        let waits =
            |state: &MatchState| matches!(state.status(), MatchStatus::Waiting | MatchStatus::Revealing);
        let mut told = None;
        while waits(&self.state) {
            if told.as_ref() != Some(&self.state) {
                status::write_state(&self.table.catalogue, &self.state, out)?;
                out.flush()?;
                told = Some(self.state.clone());
            }
            match self.watch.next().await? {
                Some(Heard::State(state)) => self.state = *state,
                Some(_) => {}
                None => self.ended = true,
            }
            if self.ended {
                break;
            }
        }
        let played = matches!(self.state.status(), MatchStatus::Running | MatchStatus::Finished);
        Ok(played && !self.ended)
    }

    /// Hears until the seat owes an action or the match is at its end; a line that a person types meanwhile is handed out.
    async fn settle(&mut self, out: &mut dyn Write) -> Result<Option<String>, Error> {
        while !self.owes() && !self.is_over() && !self.ended {
            if self.lines.typed {
                let published = tokio::select! {
                    published = self.watch.next() => published?,
                    line = self.lines.next() => match line? {
                        Some(line) => return Ok(Some(line)),
                        None => return Ok(Some("quit".to_owned())),
                    },
                };
                self.take(published, out)?;
            } else {
                let published = self.watch.next().await?;
                self.take(published, out)?;
            }
        }
        Ok(None)
    }

    /// Takes in what was heard, and tells it.
    fn take(&mut self, published: Option<Heard>, out: &mut dyn Write) -> Result<(), Error> {
        match published {
            Some(Heard::State(state)) => self.state = *state,
            Some(Heard::View(sight)) => self.sight = Some(*sight),
            Some(Heard::Events(events)) => {
                status::write_events(&self.table.catalogue, &events, out)?;
                let sight = self.sight.as_mut();
                let folded =
                    sight.ok_or_else(|| Error::Fault("events before a view".to_owned()))?.fold(&events);
                folded.map_err(|error| Error::Fault(error.to_string()))?;
            }
            None => self.ended = true,
        }
        Ok(out.flush()?)
    }

    /// Hears until what the answer of a call shows is in the view.
    async fn catch_up(&mut self, situation: Option<SeatUpdate>, out: &mut dyn Write) -> Result<(), Error> {
        let seq = situation.unwrap_or_default().seq;
        while self.sight.as_ref().map_or(0, ViewTracker::seq) < seq && !self.ended {
            let published = self.watch.next().await?;
            self.take(published, out)?;
        }
        Ok(())
    }

    fn node(&self) -> Option<&edgehill_client::v1::node_view::Node> {
        self.sight.as_ref()?.view().turn_state.as_ref()?.node.as_ref()?.node.as_ref()
    }

    fn owes(&self) -> bool {
        use edgehill_client::v1::node_view::Node;
        let own = self.seat.index() as u32;
        match self.node() {
            Some(Node::Decision(seat)) => *seat == own,
            Some(Node::Sealed(sealed)) => sealed.to_act.contains(&own),
            _ => false,
        }
    }

    fn view(&self) -> Result<View, Error> {
        let sight = self.sight.as_ref().ok_or_else(|| Error::Fault("a match without a view".to_owned()))?;
        let beside = Beside { draw_offers: &self.state.draw_offers, standing_passes: &[] };
        Ok(wire::view(sight.view(), beside)?)
    }

    async fn renew_menu(&mut self, out: &mut dyn Write) -> Result<(), Error> {
        let legal = self.played.legal(LegalDetail::Ids).await?.legal.unwrap_or_default();
        let menu = wire::action_ids(&legal.ids)?;
        let (catalogue, view) = (&self.table.catalogue, self.view()?);
        // The same menu may be another question, as in the next Round of a fight.
        let question = render::at_prompt(catalogue, &view) + &render::prompt(catalogue, &view);
        if (&menu, &question) != (&self.menu, &self.question) {
            (self.menu, self.question) = (menu, question);
            self.print_menu(out)?;
        }
        Ok(())
    }

    fn print_menu(&self, out: &mut dyn Write) -> Result<(), Error> {
        let menu = if self.menu.len() > LONG_MENU { render::brief_menu } else { render::menu };
        write!(out, "{}{}", self.question, menu(&self.table.catalogue, &self.menu))?;
        Ok(())
    }

    /// The next line; `Some(None)`: something has happened meanwhile. `None` at the end of the input.
    async fn ask(&mut self, out: &mut dyn Write) -> Result<Option<Option<String>>, Error> {
        write!(out, "{}> ", self.table.catalogue.id_of(Ref::Seat(self.seat)))?;
        out.flush()?;
        if !self.lines.typed {
            let line = self.lines.next().await?;
            writeln!(out, "{}", line.as_deref().unwrap_or_default().trim_end())?;
            return Ok(line.map(Some));
        }
        let published = tokio::select! {
            line = self.lines.next() => return Ok(line?.map(Some)),
            published = self.watch.next(), if !self.ended => published?,
        };
        writeln!(out)?;
        self.take(published, out)?;
        Ok(Some(None))
    }

    async fn obey(&mut self, line: &str, out: &mut dyn Write) -> Result<Next, Error> {
        match command::read(line, &self.table.catalogue, &self.menu, false) {
            Command::Action(action) => self.apply(Actions::ids([action.0.into()]), out).await?,
            Command::NoSuchNumber(number) => {
                writeln!(out, "The menu has no action {number}: it goes from 1 to {}.", self.menu.len())?;
            }
            Command::Line(line) | Command::Dice(line) => {
                if !self.apply_line(line, out).await? {
                    writeln!(out, "`legal` lists what may be done, `help` what you can type.")?;
                }
            }
            Command::Undo(undo) => self.undo(undo, out).await?,
            Command::Show => write!(out, "{}", render::brief(&self.table.catalogue, &self.view()?))?,
            Command::Full => write!(out, "{}", render::view(&self.table.catalogue, &self.view()?))?,
            Command::Legal => self.print_menu(out)?,
            Command::Events => {
                let published = events::history(&self.table, Observer::Seat(self.seat)).await?;
                status::write_events(&self.table.catalogue, &published, out)?;
            }
            Command::Why(action) => self.why(&action, out).await?,
            Command::Rule(id) => self.rule(&id, out)?,
            Command::About(id) => command::about(&self.table.catalogue, &id, out)?,
            Command::Resign => match self.played.resign(ResponseOptions::default()).await {
                Ok(situation) => self.catch_up(Some(situation), out).await?,
                Err(error) => self.refused(error, out)?,
            },
            Command::Help => writeln!(out, "{HELP}")?,
            Command::Quit => return Ok(Next::Leave),
            Command::Nothing => {}
        }
        Ok(Next::Ask)
    }

    async fn apply(&mut self, actions: Actions, out: &mut dyn Write) -> Result<(), Error> {
        match self.played.apply(actions).await {
            Ok(answer) => self.catch_up(answer.situation, out).await,
            Err(error) => self.refused(error, out),
        }
    }

    /// Takes a line; whether it was accepted.
    async fn apply_line(&mut self, line: String, out: &mut dyn Write) -> Result<bool, Error> {
        match self.played.apply(Actions::line(line)).await {
            Ok(answer) => self.catch_up(answer.situation, out).await.map(|()| true),
            Err(error) => self.refused(error, out).map(|()| false),
        }
    }

    async fn undo(&mut self, undo: Undo, out: &mut dyn Write) -> Result<(), Error> {
        let draft = self.sight.as_ref().map_or(0, |sight| sight.view().draft.len());
        let keep = match undo {
            Undo::Last(count) => draft.saturating_sub(count),
            Undo::All => 0,
        };
        match self.played.undo(Some(keep as u32), ResponseOptions::default()).await {
            Ok(answer) => self.catch_up(answer.situation, out).await,
            Err(error) => self.refused(error, out),
        }
    }

    /// Tells why the server refuses; what is no refusal ends the session.
    fn refused(&self, error: edgehill_client::Error, out: &mut dyn Write) -> Result<(), Error> {
        match error.refused() {
            Some(refused) if !refused.grounds().is_empty() => {
                Ok(writeln!(out, "{}", refusal::grounds(&self.table.catalogue, refused))?)
            }
            Some(refused) => Ok(writeln!(out, "{refused}")?),
            None => Err(error.into()),
        }
    }

    /// Tells whether an action would be accepted now, and the words of the rules against it.
    async fn why(&self, text: &str, out: &mut dyn Write) -> Result<(), Error> {
        let catalogue = &self.table.catalogue;
        let numbered = || self.menu.get(text.parse::<usize>().ok()?.checked_sub(1)?).copied();
        let encoding = match catalogue.actions.parse(text).or_else(numbered) {
            Some(action) => Encoding::Id(action.0.into()),
            None => Encoding::Notation(text.to_owned()),
        };
        let explained = match self.played.explain(Action { encoding: Some(encoding) }).await {
            Ok(explained) => explained,
            Err(error) => return self.refused(error, out),
        };
        if explained.legal {
            let action = explained.action.unwrap_or_default();
            writeln!(out, "`{}` is legal now. {}", action.notation, action.words)?;
        }
        for ground in &explained.grounds {
            if let Some(one) = &ground.ground {
                writeln!(out, "{}", refusal::one(catalogue, one))?;
            }
            if !ground.text.is_empty() {
                writeln!(out, "  {}", ground.text.trim())?;
            }
        }
        Ok(())
    }

    fn rule(&self, id: &str, out: &mut dyn Write) -> Result<(), Error> {
        let ledger = &self.table.catalogue.ledger;
        match ledger.get(id) {
            Some(rule) => {
                writeln!(out, "{} {} ({}): {}", rule.id, rule.title, rule.status, rule.text.trim())?
            }
            None => {
                let ids: Vec<&str> = ledger.iter().map(|rule| rule.id.as_str()).collect();
                writeln!(out, "There is no rule `{id}`; there are {}.", ids.join(", "))?;
            }
        }
        Ok(())
    }

    fn show_board(&self, out: &mut dyn Write) -> Result<(), Error> {
        write!(out, "{}", render::brief_board(&self.table.catalogue, &self.view()?))?;
        Ok(())
    }

    fn conclude(&mut self, out: &mut dyn Write) -> Result<(), Error> {
        if self.sight.is_none() {
            return status::write_state(&self.table.catalogue, &self.state, out);
        }
        self.show_board(out)?;
        match &self.view()?.turn_state.node {
            node @ NodeView::Over(_) => status::write_node(&self.table.catalogue, node, out),
            _ => status::write_state(&self.table.catalogue, &self.state, out),
        }
    }
}
