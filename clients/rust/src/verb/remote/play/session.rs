//! One match of a server in the terminal ([`Session`]).

use std::io::Write;

use edgehill_client::v1::{
    self, Action, ErrorReason, LegalDetail, MatchState, MatchStatus, ResponseOptions, SeatUpdate, UndoSpan,
    action::Encoding, node_view,
};
use edgehill_client::{Batch, MatchWatch, SeatHandle, ViewOptions, ViewTracker};
use edgehill_convert::values::{self, Beside};
use edgehill_engine::action::ActionId;
use edgehill_engine::reference::Ref;
use edgehill_engine::render;
use edgehill_engine::seat::{Observer, Seat};
use edgehill_engine::view::{NodeView, View};

use super::lines::Lines;
use crate::clock_text;
use crate::error::Error;
use crate::terminal::line;
use crate::terminal::screen::Screen;
use crate::verb::play::command::{self, Adjourn, Command, Draw, Undo};
use crate::verb::remote::link::Table;
use crate::verb::remote::{events, refusal, status};

/// A person at one seat of a match on a server.
pub(super) struct Session {
    table: Table,
    seat: Seat,
    played: SeatHandle,
    watch: MatchWatch,
    /// The view of the seat; it has none before the match has begun.
    tracker: ViewTracker,
    state: MatchState,
    screen: Screen,
    lines: Lines,
    /// True if the watch is at its end: nothing more comes.
    ended: bool,
}

/// The next wish of the person.
enum Next {
    Ask,
    Leave,
}

impl Session {
    pub(super) fn new(table: Table, seat: Seat, lines: Lines, screen: Screen) -> Result<Self, Error> {
        let played = table.played(seat)?;
        let watch = played.watch();
        let state = table.state.clone();
        let tracker = ViewTracker::new();
        Ok(Self { table, seat, played, watch, tracker, state, screen, lines, ended: false })
    }

    /// Plays until the match is over, the person leaves, or no more lines come in. `new`: all events so far are printed.
    pub(super) async fn run(&mut self, new: bool, out: &mut dyn Write) -> Result<(), Error> {
        self.greet(out)?;
        if !self.wait_for_players(out).await? {
            return self.conclude(out);
        }
        if new {
            let start = ViewOptions { at_seq: Some(0), ..ViewOptions::default() };
            self.tracker = self.played.view(start).await?.into();
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
        self.state.status() == MatchStatus::Finished || matches!(self.node(), Some(node_view::Node::Over(_)))
    }

    pub(super) const fn table(&self) -> &Table {
        &self.table
    }

    fn greet(&self, out: &mut dyn Write) -> Result<(), Error> {
        let own = render::observer(&self.table.catalogue, Observer::Seat(self.seat));
        let title = self.table.catalogue.title;
        Ok(writeln!(out, "{title}: you play {own}. `help` tells what you can type.")?)
    }

    /// Waits until the match begins, and returns true if it does: others may have to sit down first.
    async fn wait_for_players(&mut self, out: &mut dyn Write) -> Result<bool, Error> {
        let waits =
            |state: &MatchState| matches!(state.status(), MatchStatus::Waiting | MatchStatus::Revealing);
        let mut printed = None;
        while waits(&self.state) {
            if printed.as_ref() != Some(&self.state) {
                status::write_state(&self.table.catalogue, &self.state, out)?;
                out.flush()?;
                printed = Some(self.state.clone());
            }
            match self.watch.next().await? {
                Some(update) => self.state = update.state.unwrap_or_else(|| self.state.clone()),
                None => self.ended = true,
            }
            if self.ended {
                break;
            }
        }
        let played = matches!(self.state.status(), MatchStatus::Running | MatchStatus::Finished);
        Ok(played && !self.ended)
    }

    /// Follows the match until the seat is to act or the match is at its end; a line that a person types meanwhile is
    /// handed out.
    async fn settle(&mut self, out: &mut dyn Write) -> Result<Option<String>, Error> {
        while !self.is_to_act() && !self.is_over() && !self.ended {
            if self.lines.typed {
                let update = tokio::select! {
                    update = self.watch.next() => update?,
                    line = self.lines.next() => match line? {
                        Some(line) => return Ok(Some(line)),
                        None => return Ok(Some("quit".to_owned())),
                    },
                };
                self.take_update(update, out)?;
            } else if self.state.adjournment.is_some() {
                // Lines that are piped in can let the match go on.
                let line = self.ask(out).await?;
                return Ok(Some(line.flatten().unwrap_or_else(|| "quit".to_owned())));
            } else {
                let update = self.watch.next().await?;
                self.take_update(update, out)?;
            }
        }
        Ok(None)
    }

    /// Folds an update and prints its events; `None`: the watch is at its end.
    fn take_update(&mut self, update: Option<SeatUpdate>, out: &mut dyn Write) -> Result<(), Error> {
        match update {
            Some(update) => {
                if update.view.is_none() {
                    self.write_events(&update.events, out)?;
                }
                self.tracker.fold(&update).map_err(|error| Error::Fault(error.to_string()))?;
                if let Some(state) = update.state {
                    self.take_state(state, out)?;
                }
            }
            None => self.ended = true,
        }
        Ok(out.flush()?)
    }

    /// Takes how far the match is, and prints what is new of adjournments, for which there are no events.
    fn take_state(&mut self, state: MatchState, out: &mut dyn Write) -> Result<(), Error> {
        let before = std::mem::replace(&mut self.state, state);
        if (&before.adjournment, &before.adjournment_offers)
            != (&self.state.adjournment, &self.state.adjournment_offers)
        {
            status::write_adjournment(&self.table.catalogue, &self.state, out)?;
            if before.adjournment.is_some() && self.state.adjournment.is_none() {
                writeln!(out, "The match goes on")?;
            }
        }
        Ok(())
    }

    /// Follows the match until the view has the events of a call's answer.
    async fn catch_up(&mut self, update: &SeatUpdate, out: &mut dyn Write) -> Result<(), Error> {
        while self.tracker.seq() < update.seq && !self.ended {
            let update = self.watch.next().await?;
            self.take_update(update, out)?;
        }
        Ok(())
    }

    fn node(&self) -> Option<&node_view::Node> {
        self.tracker.view()?.turn_state.as_ref()?.node.as_ref()?.node.as_ref()
    }

    fn is_to_act(&self) -> bool {
        if self.state.adjournment.is_some() {
            return false;
        }
        let own = self.seat.index() as u32;
        match self.node() {
            Some(node_view::Node::Decision(seat)) => *seat == own,
            Some(node_view::Node::Sealed(sealed)) => sealed.to_act.contains(&own),
            _ => false,
        }
    }

    fn view(&self) -> Result<View, Error> {
        let view = self.tracker.view().ok_or_else(|| Error::Fault("a match without a view".to_owned()))?;
        let beside = Beside { draw_offers: &self.state.draw_offers, standing_passes: &[] };
        Ok(values::view(view, beside)?)
    }

    async fn renew_menu(&mut self, out: &mut dyn Write) -> Result<(), Error> {
        let answer = self.played.legal_actions(LegalDetail::Ids).await?;
        let left = answer.time_left.and_then(|time| time.left);
        let menu = values::action_ids(&answer.legal_actions.unwrap_or_default().ids)?;
        let view = self.view()?;
        self.screen.ask(&self.table.catalogue, &view, menu, out)?;
        if let Some(left) = left {
            writeln!(out, "Time left: {}", clock_text::words(&left))?;
        }
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
        let update = tokio::select! {
            line = self.lines.next() => return Ok(line?.map(Some)),
            update = self.watch.next(), if !self.ended => update?,
        };
        writeln!(out)?;
        self.take_update(update, out)?;
        Ok(Some(None))
    }

    async fn obey(&mut self, line: &str, out: &mut dyn Write) -> Result<Next, Error> {
        match command::read(line, &self.table.catalogue, self.screen.menu(), false) {
            Command::Action(action) => self.take(&[action], out).await?,
            Command::Number(number) => match self.screen.numbered(number) {
                Some(action) => self.take(&[action], out).await?,
                None => writeln!(out, "{}", self.screen.no_such_number(number))?,
            },
            Command::Line(line) | Command::Dice(line) => self.take_line(line, out).await?,
            Command::Undo(undo) => self.undo(undo, out).await?,
            Command::Ask(ask) => {
                let view = self.view()?;
                self.screen.answer(&ask, &self.table.catalogue, &view, out)?;
            }
            Command::Events => {
                let published = events::history(&self.table, Observer::Seat(self.seat)).await?;
                self.write_events(&published, out)?;
            }
            Command::Why(action) => self.why(&action, out).await?,
            Command::Draw(draw) => self.draw(draw, out).await?,
            Command::Adjourn(adjourn) => self.adjourn(adjourn, out).await?,
            Command::Resign => match self.played.resign(ResponseOptions::default()).await {
                Ok(update) => self.catch_up(&update, out).await?,
                Err(error) => self.refused(error, out)?,
            },
            Command::Quit => return Ok(Next::Leave),
            Command::Nothing => {}
        }
        Ok(Next::Ask)
    }

    fn draft(&self) -> Result<Vec<ActionId>, Error> {
        Ok(self.view()?.draft)
    }

    async fn take(&mut self, actions: &[ActionId], out: &mut dyn Write) -> Result<(), Error> {
        let before = self.draft()?;
        let update = match self.played.apply(batch(actions)).await {
            Ok(update) => update,
            Err(error) if crosses_reveal(&error) => return self.take_up_to_reveal(actions, out).await,
            Err(error) => match self.take_in_order(&error, &before, actions).await {
                Some(update) => update,
                None => return self.refused(error, out),
            },
        };
        self.catch_up(&update, out).await?;
        self.screen.note_line(before, self.draft()?);
        Ok(())
    }

    /// Takes the actions of a line up to where something is shown, or somebody else is asked, and says which are left.
    async fn take_up_to_reveal(&mut self, actions: &[ActionId], out: &mut dyn Write) -> Result<(), Error> {
        let before = self.draft()?;
        let update = match self.played.apply(batch(actions).until_reveal()).await {
            Ok(update) => update,
            Err(error) => return self.refused(error, out),
        };
        let taken = update.apply_result.as_ref().map_or(0, |result| result.actions as usize);
        let left = actions.get(taken..).unwrap_or_default();
        writeln!(out, "{}", Screen::left_out(&self.table.catalogue, left))?;
        self.catch_up(&update, out).await?;
        self.screen.note_line(before, self.draft()?);
        Ok(())
    }

    /// Takes a list that is not in its order, together with what is written already; the update if that is accepted.
    async fn take_in_order(
        &self,
        error: &edgehill_client::Error,
        before: &[ActionId],
        actions: &[ActionId],
    ) -> Option<SeatUpdate> {
        let violations = error.refusal()?.rule_violations();
        if violations.is_empty() || violations.iter().any(|one| !line::is_past_its_place(&one.code)) {
            return None;
        }
        let (keep, run) = line::in_order(&self.table.catalogue, before, actions)?;
        self.played.apply(batch(&run).keep_draft_actions(keep as u32)).await.ok()
    }

    async fn take_line(&mut self, text: String, out: &mut dyn Write) -> Result<(), Error> {
        let before = self.draft()?;
        let error = match self.played.apply(Batch::line(text.clone())).await {
            Ok(update) => {
                self.catch_up(&update, out).await?;
                self.screen.note_line(before, self.draft()?);
                return Ok(());
            }
            Err(error) => error,
        };
        if error.refusal().is_some()
            && let Some(actions) = line::actions(&self.table.catalogue, &text)
        {
            return self.take(&actions, out).await;
        }
        self.refused(error, out)?;
        Ok(writeln!(out, "`legal` lists what may be done, `help` what you can type.")?)
    }

    async fn undo(&mut self, undo: Undo, out: &mut dyn Write) -> Result<(), Error> {
        let view = self.view()?;
        let left = self.screen.left(&view, undo);
        let keep = line::alike(&view.draft, &left);
        let undone = if keep == left.len() {
            let span = UndoSpan { keep_draft_actions: Some(keep as u32), ..UndoSpan::default() };
            self.played.undo(span, ResponseOptions::default()).await
        } else {
            self.played.apply(batch(&left[keep..]).keep_draft_actions(keep as u32)).await
        };
        match undone {
            Ok(update) => {
                writeln!(out, "{}", Screen::taken_back(&self.table.catalogue, &view.draft, &left))?;
                self.catch_up(&update, out).await
            }
            Err(error) => self.refused(error, out),
        }
    }

    async fn draw(&mut self, draw: Draw, out: &mut dyn Write) -> Result<(), Error> {
        let called = match draw {
            Draw::Offer => self.played.offer_draw().await.map(|_| ()),
            Draw::Decline => self.played.decline_draw().await.map(|_| ()),
            Draw::Accept => match self.played.accept_draw(ResponseOptions::default()).await {
                Ok(update) => return self.catch_up(&update, out).await,
                Err(error) => Err(error),
            },
        };
        match called {
            Ok(()) => {
                // The answer of these calls has no events: those of the seat say what was called.
                let update = self.watch.next().await?;
                self.take_update(update, out)
            }
            Err(error) => self.refused(error, out),
        }
    }

    async fn adjourn(&mut self, adjourn: Adjourn, out: &mut dyn Write) -> Result<(), Error> {
        let called = match adjourn {
            Adjourn::Offer(longest) => self.played.offer_adjournment(longest).await,
            Adjourn::Accept(longest) => self.played.accept_adjournment(longest).await,
            Adjourn::Decline => self.played.decline_adjournment().await,
            Adjourn::Resume => self.played.resume().await,
        };
        match called {
            Ok(found) => self.take_state(found.state.unwrap_or_default(), out),
            Err(error) => self.refused(error, out),
        }
    }

    fn write_events(&self, events: &[v1::Event], out: &mut dyn Write) -> Result<(), Error> {
        let events = events.iter().map(values::event).collect::<Result<Vec<_>, _>>()?;
        Ok(Screen::write_events(&self.table.catalogue, &events, out)?)
    }

    /// Prints the server's refusal; any other error ends the session.
    fn refused(&self, error: edgehill_client::Error, out: &mut dyn Write) -> Result<(), Error> {
        match error.refusal() {
            Some(refusal) if !refusal.rule_violations().is_empty() => {
                Ok(writeln!(out, "{}", refusal::rule_violations(&self.table.catalogue, refusal))?)
            }
            // The fields of a message are nothing that a player has typed.
            Some(refusal) => Ok(writeln!(out, "{}", refusal.to_string().lines().next().unwrap_or_default())?),
            None => Err(error.into()),
        }
    }

    /// Explains an action: that it is legal now, or every rule against it in the ledger's words.
    async fn why(&self, text: &str, out: &mut dyn Write) -> Result<(), Error> {
        let catalogue = &self.table.catalogue;
        let numbered = || self.screen.numbered(text.parse().ok()?);
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
            writeln!(out, "`{}` is legal now. {}", action.notation, action.text)?;
        }
        for violation in &explained.rule_violations {
            writeln!(out, "{}", refusal::one(catalogue, violation))?;
            if !violation.rule_text.is_empty() {
                writeln!(out, "  {}", violation.rule_text.trim())?;
            }
        }
        Ok(())
    }

    fn show_board(&mut self, out: &mut dyn Write) -> Result<(), Error> {
        let view = self.view()?;
        Ok(self.screen.show_board(&self.table.catalogue, &view, out)?)
    }

    fn conclude(&mut self, out: &mut dyn Write) -> Result<(), Error> {
        if self.tracker.view().is_none() {
            return status::write_state(&self.table.catalogue, &self.state, out);
        }
        let view = self.view()?;
        match &view.turn_state.node {
            NodeView::Over(result) => Ok(self.screen.conclude(&self.table.catalogue, &view, result, out)?),
            _ => status::write_state(&self.table.catalogue, &self.state, out),
        }
    }
}

fn batch(actions: &[ActionId]) -> Batch {
    Batch::ids(actions.iter().map(|action| action.0.into()))
}

/// Returns whether a list was refused since it goes on behind something that is shown, or behind somebody else's answer.
fn crosses_reveal(error: &edgehill_client::Error) -> bool {
    error.refusal().is_some_and(|refusal| refusal.reason() == ErrorReason::ListCrossesReveal)
}
