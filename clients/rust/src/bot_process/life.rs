//! One process of a bot, from its greeting to its end ([`live`]).

use std::convert::Infallible;
use std::pin::pin;
use std::process::ExitStatus;
use std::time::Duration;

use edgehill_client::v1::{
    ErrorReason, LegalActions, LegalDetail, MatchState, MatchStatus, SeatUpdate, UndoSpan, View,
};
use edgehill_client::{Batch, OpenOptions, PlayMessage, RefusedCall};
use edgehill_convert::values::{self, Beside, Garbled};
use edgehill_engine::catalogue::Catalogue;
use edgehill_engine::render;
use tokio::sync::mpsc;
use tokio::time::{Instant, Interval, MissedTickBehavior, interval, sleep_until, timeout};

use super::from_bot::{self, FromBot, LINE_BYTES_MAX, Want};
use super::process::{BotProcess, Written};
use super::report::{SeatReport, has_ended, returns, status_name};
use super::seat::PlayedSeat;
use super::seat_stream::{SeatCall, SeatStream};
use super::stop::Stop;
use super::to_bot::{Bye, Hello, PROTOCOL, ToBot};
use super::wire_json::{all, json};
use crate::error::Error;

/// Faults and refusals without an accepted call between them, after which a process is given up.
const STRIKES_MAX: u32 = 100;
/// The most characters of a fault's message.
const FAULT_CHARS_MAX: usize = 400;
/// The time that a process has to end after `bye`.
const BYE_TIME: Duration = Duration::from_secs(2);
/// The time that the system has to end one that was killed.
const KILL_TIME: Duration = Duration::from_secs(5);
/// The time that the answer of a server is waited for that was asked for the seat before the order to stop.
const TAKE_TIME: Duration = Duration::from_secs(5);
/// The pause between two looks at the memory of a process.
const MEMORY_LOOK: Duration = Duration::from_millis(100);

/// The end of a process, or of what it was to do.
pub(super) enum End {
    /// The match is over.
    Over,
    /// The runner was told to stop.
    Stopped,
    /// Another one plays the seat.
    Left(String),
    /// The seat could not be taken.
    NotTaken(String),
    /// The process has ended, or had to be killed.
    Died(String),
    /// The fault is none of the bot's.
    Failed(Error),
}

impl From<Error> for End {
    fn from(error: Error) -> Self {
        Self::Failed(error)
    }
}

impl From<edgehill_client::Error> for End {
    fn from(error: edgehill_client::Error) -> Self {
        Self::Failed(error.into())
    }
}

impl From<Garbled> for End {
    fn from(error: Garbled) -> Self {
        Self::Failed(error.into())
    }
}

/// Something that a process, its match or the clock has brought.
enum News {
    Stop,
    Late,
    MemoryLook,
    Message(Option<PlayMessage>),
    Written(Option<Written>),
    Ended(ExitStatus),
}

/// A prompt without an answer.
struct Prompt {
    number: u64,
    since: Instant,
    /// Ids of the legal actions.
    legal: Vec<u32>,
}

/// A call without an answer.
struct InFlight {
    /// The prompt that it answered.
    prompt: Option<u64>,
    /// Actions that it is to take, and the legal ones of the prompt.
    batch: Option<(Batch, Vec<u32>)>,
}

/// A process, and how far it is.
struct Life<'a> {
    seat: &'a mut PlayedSeat,
    report: &'a mut SeatReport,
    process: BotProcess,
    output: mpsc::Receiver<Written>,
    is_output_open: bool,
    memory_look: Interval,
    ready_deadline: Option<Instant>,
    wants: Vec<Want>,
    /// The game, for boards in words.
    catalogue: Option<Catalogue>,
    stream: Option<SeatStream>,
    /// The number of the last event that the stream has told.
    seq: u64,
    prompt: Option<Prompt>,
    in_flight: Option<InFlight>,
    strikes: u32,
    /// The time that was left, and when.
    time_left: Option<(Duration, Instant)>,
    has_revealed: bool,
}

/// Starts a process of the bot and lets it play the seat until its end or the match's.
pub(super) async fn live(seat: &mut PlayedSeat, report: &mut SeatReport, stop: &mut Stop) -> End {
    let (process, output) = match BotProcess::start(&seat.player.bot, &seat.log) {
        Ok(started) => started,
        Err(error) => return End::Failed(error),
    };
    let mut memory_look = interval(MEMORY_LOOK);
    memory_look.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let ready_deadline = Some(Instant::now() + seat.player.bot.ready_time);
    let mut life = Life {
        seat,
        report,
        process,
        output,
        is_output_open: true,
        memory_look,
        ready_deadline,
        wants: Vec::new(),
        catalogue: None,
        stream: None,
        seq: 0,
        prompt: None,
        in_flight: None,
        strikes: 0,
        time_left: None,
        has_revealed: false,
    };
    let Err(end) = life.run(stop).await;
    life.end(&end).await;
    end
}

/// Takes the seat. An order to stop waits for the answer for a while: with the token, another run goes on with the seat.
async fn take_seat(seat: &mut PlayedSeat, stop: &mut Stop) -> Result<String, End> {
    let mut taken = pin!(seat.take());
    tokio::select! {
        biased;
        taken = &mut taken => taken,
        () = stop.ordered() => timeout(TAKE_TIME, taken).await.unwrap_or(Err(End::Stopped)),
    }
}

impl Life<'_> {
    async fn run(&mut self, stop: &mut Stop) -> Result<Infallible, End> {
        self.greet()?;
        while self.ready_deadline.is_some() {
            let news = self.news(stop).await?;
            self.take(news).await?;
        }
        let token = take_seat(self.seat, stop).await?;
        if self.wants(Want::Catalog) {
            let game = &self.seat.game;
            let catalog = ToBot::Catalog { game: json(&game.game), actions: all(&game.action_defs) };
            self.tell(&catalog)?;
        }
        if self.wants(Want::Text) {
            self.catalogue = Some(values::catalogue(&self.seat.game.game, &self.seat.game.action_defs)?);
        }
        let options = OpenOptions {
            after_seq: None,
            legal: if self.wants(Want::Actions) { LegalDetail::Full } else { LegalDetail::Notation },
            include_view: self.wants(Want::View),
            omit_events: !self.wants(Want::Events),
            include_text: self.wants(Want::Text),
        };
        self.stream = Some(SeatStream::open(&self.seat.player.client, &token, options));
        loop {
            let news = self.news(stop).await?;
            self.take(news).await?;
        }
    }

    /// Says goodbye where there is something to say, and sees to it that nothing of the process is left.
    async fn end(&mut self, end: &End) {
        self.stream = None;
        let bye = match end {
            End::Over => Some(Bye::Over),
            End::Stopped => Some(Bye::Stopped),
            End::Left(_) | End::NotTaken(_) => Some(Bye::Left),
            End::Died(_) | End::Failed(_) => None,
        };
        let told = bye.is_some_and(|reason| self.process.tell(&ToBot::Bye { reason }));
        self.process.close_input();
        if told {
            let _ = timeout(BYE_TIME, self.process.ended()).await;
        }
        self.process.kill();
        match timeout(KILL_TIME, self.process.ended()).await {
            Ok(status) => self.seat.log.note(&format!("the process has ended: {status}")),
            Err(_) => self.seat.log.note("the process was killed, and the system has not ended it yet"),
        }
    }

    fn greet(&mut self) -> Result<(), End> {
        let (config, seat) = (&self.seat.to_play.config, self.seat.to_play.seat);
        let rules = config.repinned.as_ref().or(config.rules.as_ref());
        let seats = self.seat.game.game.seats.iter().take(self.seat.to_play.seats);
        let restart = self.report.restarts;
        let hello = ToBot::Hello(Hello {
            protocol: PROTOCOL,
            match_id: &config.match_id,
            game: &config.game,
            rules: rules.map_or(0, |rules| rules.number),
            content: rules.map_or_else(String::new, |rules| hex::encode(&rules.content_hash)),
            scenario: &config.scenario,
            seat,
            seats: seats.map(|seat| seat.id.as_str()).collect(),
            seed: self.seat.player.bot.seed_of(&config.match_id, seat, restart),
            restart,
            options: all(&config.options),
            clock: config.clock.as_ref().map(json),
        });
        self.seat.log.note(&format!("process {} starts", restart + 1));
        self.tell(&hello)
    }

    /// Waits for something. In its order: an order to stop and the clock go before a bot that chatters; its last lines go before its
    /// end. While a call has no answer, nothing more is read of the bot.
    async fn news(&mut self, stop: &mut Stop) -> Result<News, Error> {
        let answer_time = self.seat.player.bot.answer_time;
        let deadline =
            self.ready_deadline.or_else(|| self.prompt.as_ref().map(|prompt| prompt.since + answer_time));
        let late = async move {
            match deadline {
                Some(deadline) => sleep_until(deadline).await,
                None => std::future::pending().await,
            }
        };
        let stream = &mut self.stream;
        let message = async move {
            match stream {
                Some(stream) => stream.next().await,
                None => std::future::pending().await,
            }
        };
        let listens = self.is_output_open && self.in_flight.is_none();
        let looks = self.process.has_memory_limit();
        tokio::select! {
            biased;
            () = stop.ordered() => Ok(News::Stop),
            () = late => Ok(News::Late),
            _ = self.memory_look.tick(), if looks => Ok(News::MemoryLook),
            message = message => Ok(News::Message(message?)),
            written = self.output.recv(), if listens => Ok(News::Written(written)),
            status = self.process.ended() => Ok(News::Ended(status)),
        }
    }

    async fn take(&mut self, news: News) -> Result<(), End> {
        match news {
            News::Stop => Err(End::Stopped),
            News::Late => Err(End::Died(self.lateness())),
            News::Ended(status) => Err(End::Died(format!("it has ended: {status}"))),
            News::MemoryLook if self.process.is_over_memory() => {
                Err(End::Died("it has more memory than it may".to_owned()))
            }
            News::MemoryLook => Ok(()),
            News::Message(Some(message)) => self.message(message).await,
            News::Message(None) => Err(End::Left("the server has closed the seat".to_owned())),
            News::Written(Some(Written::Line(line))) => self.line(&line).await,
            News::Written(Some(Written::TooLong)) => {
                self.report.faults += 1;
                Err(End::Died(format!("it has written a line of more than {LINE_BYTES_MAX} bytes")))
            }
            News::Written(None) => {
                self.is_output_open = false;
                Ok(())
            }
        }
    }

    fn lateness(&self) -> String {
        let bot = &self.seat.player.bot;
        let words = humantime::format_duration;
        match &self.prompt {
            Some(prompt) if self.ready_deadline.is_none() => {
                format!("no answer to prompt {} within {}", prompt.number, words(bot.answer_time))
            }
            _ => format!("not ready within {}", words(bot.ready_time)),
        }
    }

    async fn message(&mut self, message: PlayMessage) -> Result<(), End> {
        match message {
            PlayMessage::Opened(opened) => {
                self.seq = opened.r#match.seq;
                opened.view.map_or(Ok(()), |view| self.show(self.seq, &view))
            }
            PlayMessage::Update { update, answers } => self.update(*update, answers.is_some()).await,
            PlayMessage::Refused(call) => self.refused(*call).await,
            PlayMessage::Closed(refusal) => Err(End::Left(match refusal {
                Some(refusal) => refusal.to_string(),
                None => "the server has closed the seat".to_owned(),
            })),
        }
    }

    async fn update(&mut self, update: SeatUpdate, answers: bool) -> Result<(), End> {
        self.seq = update.seq;
        if answers {
            self.in_flight = None;
            self.strikes = 0;
        }
        self.report.actions += update.apply_result.map_or(0, |result| u64::from(result.actions));
        self.time_left = update.time_left.and_then(|time| time.left).map(|left| {
            // None is less than nothing.
            (Duration::try_from(left).unwrap_or_default(), Instant::now())
        });
        if self.wants(Want::Events) && !update.events.is_empty() {
            self.tell(&ToBot::Update { seq: update.seq, events: all(&update.events) })?;
        }
        if let Some(state) = update.state {
            self.state(state).await?;
        }
        if let Some(view) = update.view {
            self.show(update.seq, &view)?;
        }
        update.legal_actions.map_or(Ok(()), |legal| self.ask(&legal))
    }

    async fn state(&mut self, state: MatchState) -> Result<(), End> {
        if self.wants(Want::State) {
            self.tell(&ToBot::State { state: json(&state) })?;
        }
        if state.adjournment.is_some() {
            // It is asked anew when the match goes on.
            self.prompt = None;
        }
        let state = &*self.report.state.insert(state);
        if has_ended(state.status()) {
            let returns = returns(state);
            let own = returns.get(self.seat.to_play.seat as usize).copied();
            let status = status_name(state.status());
            // One that does not read it any more is told nothing else either.
            let _ = self.process.tell(&ToBot::Over { status, r#return: own, returns, state: json(state) });
            return Err(End::Over);
        }
        if state.status() == MatchStatus::Revealing && !std::mem::replace(&mut self.has_revealed, true) {
            self.seat.reveal().await?;
        }
        Ok(())
    }

    fn show(&self, seq: u64, view: &View) -> Result<(), End> {
        if !self.wants(Want::View) {
            return Ok(());
        }
        let text = match &self.catalogue {
            Some(catalogue) => {
                let draw_offers = self.report.state.as_ref().map_or(&[][..], |state| &state.draw_offers);
                let view = values::view(view, Beside { draw_offers, standing_passes: &[] })?;
                Some(render::view(catalogue, &view))
            }
            None => None,
        };
        self.tell(&ToBot::View { seq, view: json(view), text })
    }

    /// Asks for an action.
    fn ask(&mut self, legal: &LegalActions) -> Result<(), End> {
        self.seat.prompts += 1;
        let number = self.seat.prompts;
        let choices = match legal.ids.iter().take_while(|action| !self.seat.navigates(**action)).count() {
            0 => legal.ids.len(),
            choices => choices,
        };
        let notations = match legal.actions.as_slice() {
            [] => legal.notations.iter().map(String::as_str).collect(),
            actions => actions.iter().map(|action| action.notation.as_str()).collect(),
        };
        let left_ms = self.time_left.map(|(left, at)| left.saturating_sub(at.elapsed()).as_millis());
        let left_ms = left_ms.map(|left| u64::try_from(left).unwrap_or(u64::MAX));
        let actions = self.wants(Want::Actions).then(|| all(&legal.actions));
        let decide = ToBot::Decide {
            prompt: number,
            choices,
            legal: &legal.ids,
            notations,
            left_ms,
            seq: self.seq,
            actions,
        };
        self.tell(&decide)?;
        self.prompt = Some(Prompt { number, since: Instant::now(), legal: legal.ids.clone() });
        Ok(())
    }

    async fn refused(&mut self, call: RefusedCall) -> Result<(), End> {
        let RefusedCall { refusal, legal_actions, .. } = call;
        let in_flight = self.in_flight.take();
        let prompt = in_flight.as_ref().and_then(|call| call.prompt);
        let stands = |legal: &[u32]| legal_actions.as_ref().is_some_and(|now| now.ids == legal);
        if let (ErrorReason::StaleSequence, Some(seq)) = (refusal.reason(), refusal.seq())
            && let Some((batch, legal)) =
                in_flight.and_then(|call| call.batch).filter(|(_, legal)| stands(legal))
        {
            // Others have gone on in secret: the question is the same.
            self.apply(batch, legal, prompt, seq).await;
            return Ok(());
        }
        let rules = refusal.rule_violations().iter().map(|violation| violation.rule.as_str());
        self.tell(&ToBot::Refused {
            prompt,
            reason: refusal.reason_name(),
            message: refusal.message().to_owned(),
            rules: rules.collect(),
            refusal: Some(json(refusal.refusal())),
        })?;
        self.report.refusals += 1;
        self.strike()?;
        legal_actions.map_or(Ok(()), |legal| self.ask(&legal))
    }

    async fn line(&mut self, line: &[u8]) -> Result<(), End> {
        let read = match from_bot::read(line) {
            Ok(read) => read,
            Err(fault) => return self.fault(&fault),
        };
        match (read, self.ready_deadline) {
            (FromBot::Log { text }, _) => self.seat.log.line(&text),
            (FromBot::Ready { want }, Some(_)) => {
                self.wants = want;
                self.ready_deadline = None;
            }
            (FromBot::Ready { .. }, None) => return self.fault("expected `ready` once"),
            (_, Some(_)) => return self.fault("expected `ready` before anything else but `log`"),
            (FromBot::Play { prompt, actions, line, until_reveal }, None) => {
                return self.play(prompt, actions, line, until_reveal).await;
            }
            (FromBot::Undo { keep }, None) => {
                let span = UndoSpan { expected_seq: None, keep_draft_actions: keep };
                self.call(SeatCall::Undo(span)).await;
            }
            (FromBot::Resign {}, None) => self.call(SeatCall::Resign).await,
            (FromBot::OfferDraw {}, None) => self.call(SeatCall::OfferDraw).await,
            (FromBot::AcceptDraw {}, None) => self.call(SeatCall::AcceptDraw).await,
            (FromBot::DeclineDraw {}, None) => self.call(SeatCall::DeclineDraw).await,
        }
        Ok(())
    }

    async fn play(
        &mut self,
        number: u64,
        actions: Option<Vec<u32>>,
        line: Option<String>,
        until_reveal: bool,
    ) -> Result<(), End> {
        if self.prompt.as_ref().is_none_or(|prompt| prompt.number != number) {
            let message = match &self.prompt {
                Some(prompt) => format!("prompt {number} is not open: prompt {} is", prompt.number),
                None => format!("prompt {number} is not open, and none is"),
            };
            let (reason, prompt) = ("STALE_PROMPT".to_owned(), Some(number));
            self.tell(&ToBot::Refused { prompt, reason, message, rules: Vec::new(), refusal: None })?;
            self.report.refusals += 1;
            return self.strike();
        }
        let batch = match line {
            Some(line) => Batch::line(line),
            None => Batch::ids(actions.unwrap_or_default()),
        };
        let batch = if until_reveal { batch.until_reveal() } else { batch };
        let legal = self.answered().map(|prompt| prompt.legal).unwrap_or_default();
        self.apply(batch, legal, Some(number), self.seq).await;
        Ok(())
    }

    /// Takes actions, if nothing has come after number `seq`: a late answer is none to the question that comes after its own.
    async fn apply(&mut self, batch: Batch, legal: Vec<u32>, prompt: Option<u64>, seq: u64) {
        let call = SeatCall::Apply(batch.clone().expected_seq(seq));
        self.in_flight = Some(InFlight { prompt, batch: Some((batch, legal)) });
        self.send(call).await;
    }

    /// Makes a call that takes no actions. It uses the prompt up, too: if the seat is still to act, it is asked anew.
    async fn call(&mut self, call: SeatCall) {
        let prompt = self.answered().map(|prompt| prompt.number);
        self.in_flight = Some(InFlight { prompt, batch: None });
        self.send(call).await;
    }

    async fn send(&mut self, call: SeatCall) {
        if let Some(stream) = &self.stream {
            stream.call(call).await;
        }
    }

    /// The prompt, which has an answer now.
    fn answered(&mut self) -> Option<Prompt> {
        let prompt = self.prompt.take()?;
        self.report.slowest_answer = self.report.slowest_answer.max(prompt.since.elapsed());
        Some(prompt)
    }

    fn fault(&mut self, message: &str) -> Result<(), End> {
        let message: String = message.chars().take(FAULT_CHARS_MAX).collect();
        self.seat.log.note(&format!("a fault of the protocol: {message}"));
        self.tell(&ToBot::Fault { message })?;
        self.report.faults += 1;
        self.strike()
    }

    fn strike(&mut self) -> Result<(), End> {
        self.strikes += 1;
        if self.strikes < STRIKES_MAX {
            return Ok(());
        }
        Err(End::Died(format!("{STRIKES_MAX} faults and refusals without an accepted call between them")))
    }

    fn tell(&self, line: &ToBot<'_>) -> Result<(), End> {
        if self.process.tell(line) {
            return Ok(());
        }
        Err(End::Died("it does not read its input".to_owned()))
    }

    fn wants(&self, want: Want) -> bool {
        self.wants.contains(&want)
    }
}
