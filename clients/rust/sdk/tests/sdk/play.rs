use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use edgehill_client::bot::{ClientBot, Turn, run_bot};
use edgehill_client::v1::action_list::Encoding;
use edgehill_client::v1::play_seats_request::Call;
use edgehill_client::v1::play_seats_response::{Closed, Message, Opened};
use edgehill_client::v1::{
    ActionList, ApplyResult, ErrorReason, Event, LegalActions, Match, MatchState, MatchStatus,
    PlaySeatsRequest, PlaySeatsResponse, Refusal, SeatUpdate, TimeLeft, UndoSpan, View,
};
use edgehill_client::{Batch, Client, OpenOptions, PlayEvent, PlayMessage, prost_types};
use tokio::sync::mpsc::UnboundedSender;
use tonic::{Code, Status, Streaming};

use crate::cutter::Cutter;
use crate::fake::{Fake, answers, client, serve};

/// Number of actions that a seat takes in its match.
const GOAL: u64 = 4;
/// Number of events that an action makes.
const EVENTS: u64 = 2;

/// One seat of a match that is finished after some actions.
#[derive(Default)]
struct Table {
    taken: u64,
    /// Request ids of the calls that were accepted.
    accepted: BTreeSet<String>,
}

/// The point at which a connection breaks, the first time that it comes so far.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
enum Break {
    /// In place of the server's message of this number, with a status.
    Message(usize),
    /// In place of the server's message of this number, by cutting the wire.
    Cut(usize),
    /// When the client's message of this number has come in, before the server has looked at it.
    Request(usize),
}

/// All seats by token, and how far the messages have come.
#[derive(Default)]
struct World {
    tables: BTreeMap<String, Table>,
    messages: usize,
    requests: usize,
    broken: bool,
}

/// The server's side of one channel of one stream.
struct Seat {
    token: String,
    cursor: u64,
    prompted: bool,
    sent: Option<MatchStatus>,
}

impl Seat {
    /// Returns the news, one event a message; the rest is in the last one.
    fn updates(&mut self, table: &Table, accepted: bool) -> Vec<SeatUpdate> {
        let seq = table.taken * EVENTS;
        let event = |seq| vec![Event { seq, ..Event::default() }];
        let early =
            (self.cursor + 1..seq).map(|seq| SeatUpdate { seq, events: event(seq), ..SeatUpdate::default() });
        let mut updates: Vec<SeatUpdate> = early.collect();
        let events = if self.cursor < seq { event(seq) } else { Vec::new() };
        self.cursor = seq;
        let status = if table.taken < GOAL { MatchStatus::Running } else { MatchStatus::Finished };
        let state = MatchState { status: status.into(), ..MatchState::default() };
        let state = (self.sent.replace(status) != Some(status)).then_some(state);
        let to_act = table.taken < GOAL;
        let prompts = to_act && (accepted || !self.prompted);
        self.prompted |= prompts;
        let legal = LegalActions { ids: vec![table.taken as u32], ..LegalActions::default() };
        updates.push(SeatUpdate {
            seq,
            status: status.into(),
            to_act,
            events,
            legal_actions: prompts.then_some(legal),
            state,
            apply_result: accepted.then(|| ApplyResult { actions: 1, line: String::new() }),
            ..SeatUpdate::default()
        });
        updates
    }
}

/// The server's side of one stream.
struct Server {
    world: Arc<Mutex<World>>,
    breaks: Option<Break>,
    cutter: Arc<Mutex<Option<Cutter>>>,
    sender: UnboundedSender<Result<PlaySeatsResponse, Status>>,
    seats: BTreeMap<u32, Seat>,
}

fn ids(actions: Option<ActionList>) -> Vec<u32> {
    match actions.expect("actions").encoding.expect("an encoding") {
        Encoding::Ids(ids) => ids.values,
        other => panic!("{other:?}"),
    }
}

/// The stream is at its end.
struct Broken;

impl Server {
    async fn serve(mut self, mut calls: Streaming<PlaySeatsRequest>) {
        while let Ok(Some(request)) = calls.message().await {
            if self.take(request).is_err() {
                // A wire that was cut stays silent until the client has noticed.
                self.sender.closed().await;
                return;
            }
        }
    }

    fn take(&mut self, request: PlaySeatsRequest) -> Result<(), Broken> {
        let number = {
            let mut world = self.world.lock().unwrap();
            world.requests += 1;
            world.requests
        };
        if self.breaks == Some(Break::Request(number)) {
            return self.hang_up();
        }
        let PlaySeatsRequest { channel, request_id, call } = request;
        match call.expect("a call") {
            Call::Open(open) => {
                let taken =
                    self.world.lock().unwrap().tables.get(&open.seat_token).map_or(0, |table| table.taken);
                let cursor = open.after_seq.unwrap_or(taken * EVENTS);
                let view = open.after_seq.is_none().then(View::default);
                let r#match = Some(Match { seq: cursor, ..Match::default() });
                let opened = Opened { seat: channel - 1, r#match, view };
                self.say(channel, String::new(), Message::Opened(Box::new(opened)))?;
                let seat = Seat { token: open.seat_token, cursor, prompted: false, sent: None };
                self.seats.insert(channel, seat);
                self.report(channel, String::new(), false)
            }
            Call::Apply(batch) => {
                let world = Arc::clone(&self.world);
                let mut world = world.lock().unwrap();
                let token = self.seats[&channel].token.clone();
                let table = world.tables.entry(token).or_default();
                if table.accepted.insert(request_id.clone()) {
                    assert_eq!(ids(batch.actions), [table.taken as u32], "an action that is not due");
                    table.taken += 1;
                }
                drop(world);
                self.report(channel, request_id, true)
            }
            Call::Close(_) => self.say(channel, String::new(), Message::Closed(Closed::default())),
            other => panic!("{other:?}"),
        }
    }

    /// Sends a seat its news; when its match is finished, the channel is closed.
    fn report(&mut self, channel: u32, request_id: String, accepted: bool) -> Result<(), Broken> {
        let seat = self.seats.get_mut(&channel).expect("it is open");
        let (updates, over) = {
            let mut world = self.world.lock().unwrap();
            let table = world.tables.entry(seat.token.clone()).or_default();
            (seat.updates(table, accepted), table.taken == GOAL)
        };
        let last = updates.len() - 1;
        for (index, update) in updates.into_iter().enumerate() {
            let answers = if index == last { request_id.clone() } else { String::new() };
            self.say(channel, answers, Message::Update(update))?;
        }
        if over { self.say(channel, String::new(), Message::Closed(Closed::default())) } else { Ok(()) }
    }

    fn say(&mut self, channel: u32, request_id: String, message: Message) -> Result<(), Broken> {
        let number = {
            let mut world = self.world.lock().unwrap();
            world.messages += 1;
            world.messages
        };
        match self.breaks {
            Some(Break::Message(at)) if at == number => self.hang_up(),
            Some(Break::Cut(at)) if at == number => {
                self.world.lock().unwrap().broken = true;
                self.cutter.lock().unwrap().as_ref().expect("it is there").cut();
                Err(Broken)
            }
            _ => {
                let _ =
                    self.sender.send(Ok(PlaySeatsResponse { channel, request_id, message: Some(message) }));
                Ok(())
            }
        }
    }

    fn hang_up(&mut self) -> Result<(), Broken> {
        self.world.lock().unwrap().broken = true;
        let _ = self.sender.send(Err(Status::unavailable("it breaks")));
        Err(Broken)
    }
}

/// A client of a server that breaks where it is receiver to, and the world of that server.
async fn world(breaks: Option<Break>) -> (Client, Arc<Mutex<World>>) {
    let world: Arc<Mutex<World>> = Arc::default();
    let cutter: Arc<Mutex<Option<Cutter>>> = Arc::default();
    let (of_server, cut) = (Arc::clone(&world), Arc::clone(&cutter));
    let play = move |calls: Streaming<PlaySeatsRequest>| {
        let (sender, receiver) = answers();
        let (world, cutter) = (Arc::clone(&of_server), Arc::clone(&cut));
        let server = Server { world, breaks, cutter, sender, seats: BTreeMap::new() };
        tokio::spawn(server.serve(calls));
        receiver
    };
    let proxy =
        Cutter::before(serve(Fake { play_seats: Some(Box::new(play)), ..Fake::default() }).await).await;
    *cutter.lock().unwrap() = Some(proxy.clone());
    (client(proxy.address), world)
}

/// The messages that a player of two seats meets.
#[derive(Default)]
struct Met {
    opened: Vec<u32>,
    numbers: BTreeMap<u32, Vec<u64>>,
    prompts: usize,
    over: usize,
    closed: usize,
}

/// Plays two seats to the end of their matches, an action for each prompt.
async fn play(client: &Client) -> Met {
    let mut met = Met::default();
    let mut play = client.play();
    let seats = ["north", "south"].map(|token| play.open(token, OpenOptions::default()));
    while let Some(PlayEvent { channel, message }) = play.next().await.expect("it is opened again") {
        let seat = seats.iter().position(|one| *one == channel).expect("one of them") as u32;
        match message {
            PlayMessage::Opened(opened) => met.opened.push(opened.seat),
            PlayMessage::Update { update, .. } => {
                assert!(update.view.is_none(), "the view came when the channel was opened");
                met.numbers.entry(seat).or_default().extend(update.events.iter().map(|event| event.seq));
                met.over +=
                    usize::from(update.state.is_some_and(|state| state.status() == MatchStatus::Finished));
                if let Some(legal) = update.legal_actions {
                    met.prompts += 1;
                    play.apply(channel, Batch::ids([legal.ids[0]])).expect("it is open");
                }
            }
            PlayMessage::Refused(refused) => panic!("{refused:?}"),
            PlayMessage::Closed(refused) => {
                assert_eq!(refused, None);
                met.closed += 1;
            }
        }
    }
    met
}

/// Wherever the connection breaks, and whichever way: each event comes once and in order, each action is taken once.
#[tokio::test]
async fn a_session_that_breaks_at_any_message_goes_on_as_if_nothing_had_happened() {
    type At = fn(usize) -> Break;
    for at in [Break::Message as At, Break::Cut, Break::Request] {
        let mut breaks = 0;
        for number in 1.. {
            let (client, world) = world(Some(at(number))).await;
            let met = play(&client).await;
            let world = world.lock().unwrap();
            let how = at(number);
            let mut opened = met.opened.clone();
            opened.sort_unstable();
            assert_eq!(opened, [0, 1], "{how:?}: each channel is opened once");
            assert_eq!((met.over, met.closed), (2, 2), "{how:?}");
            for numbers in met.numbers.values() {
                assert_eq!(*numbers, (1..=GOAL * EVENTS).collect::<Vec<_>>(), "{how:?}");
            }
            assert_eq!(met.prompts, 2 * GOAL as usize, "{how:?}: a prompt is given once");
            for table in world.tables.values() {
                assert_eq!((table.taken, table.accepted.len()), (GOAL, GOAL as usize), "{how:?}");
            }
            if !world.broken {
                break;
            }
            breaks += 1;
        }
        assert!(breaks >= 2 * GOAL as usize, "{breaks} places to break at");
    }
}

/// A server that answers each call of a session with what `answer` says, after opening its channels with a prompt.
async fn answering(
    answer: impl Fn(usize, &str) -> Message + Send + Sync + 'static,
) -> (Client, Arc<Mutex<Vec<String>>>) {
    let asked: Arc<Mutex<Vec<String>>> = Arc::default();
    let log = Arc::clone(&asked);
    let answer = Arc::new(answer);
    let play = move |mut calls: Streaming<PlaySeatsRequest>| {
        let (sender, receiver) = answers();
        let (log, answer) = (Arc::clone(&log), Arc::clone(&answer));
        tokio::spawn(async move {
            let say = |channel, request_id: &str, message| {
                let request_id = request_id.to_owned();
                let _ = sender.send(Ok(PlaySeatsResponse { channel, request_id, message: Some(message) }));
            };
            let (mut refusals, mut opened_late) = (0, false);
            while let Ok(Some(PlaySeatsRequest { channel, request_id, call })) = calls.message().await {
                match call.expect("a call") {
                    Call::Open(open) if open.seat_token == "unknown" => {
                        say(
                            channel,
                            "",
                            Message::Refusal(refusal(ErrorReason::BadToken, Code::Unauthenticated)),
                        );
                    }
                    Call::Open(open) if open.seat_token == "busy" && refusals < 2 => {
                        refusals += 1;
                        let retry_after = Some(prost_types::Duration { seconds: 0, nanos: 500_000 });
                        let refused = refusal(ErrorReason::RateLimited, Code::ResourceExhausted);
                        say(channel, "", Message::Refusal(Refusal { retry_after, ..refused }));
                    }
                    // A call for a channel that is not open.
                    Call::Apply(_) if (1..2).contains(&refusals) => {
                        let refused = refusal(ErrorReason::UnknownChannel, Code::FailedPrecondition);
                        say(channel, &request_id, Message::Refusal(refused));
                    }
                    Call::Apply(_) if refusals == 2 && !opened_late => {
                        let refused = refusal(ErrorReason::RateLimited, Code::ResourceExhausted);
                        say(channel, &request_id, Message::Refusal(refused));
                    }
                    Call::Open(_) => {
                        opened_late = true;
                        let opened = Opened { view: Some(View::default()), ..Opened::default() };
                        say(channel, "", Message::Opened(Box::new(opened)));
                        say(channel, "", Message::Update(prompt()));
                    }
                    // A server that was closing the channel itself, and did not know that it is asked to.
                    Call::Close(_) if log.lock().unwrap().is_empty() => {
                        let refused = refusal(ErrorReason::UnknownChannel, Code::FailedPrecondition);
                        say(channel, "", Message::Refusal(refused));
                        say(channel, "", Message::Closed(Closed::default()));
                    }
                    Call::Close(_) => say(channel, "", Message::Closed(Closed::default())),
                    _ => {
                        let number = {
                            let mut log = log.lock().unwrap();
                            log.push(request_id.clone());
                            log.len()
                        };
                        say(channel, &request_id, answer(number, &request_id));
                    }
                }
            }
        });
        receiver
    };
    let address = serve(Fake { play_seats: Some(Box::new(play)), ..Fake::default() }).await;
    (client(address), asked)
}

fn prompt() -> SeatUpdate {
    let legal_actions = Some(LegalActions { ids: vec![5], ..LegalActions::default() });
    SeatUpdate { to_act: true, legal_actions, ..SeatUpdate::default() }
}

fn refusal(reason: ErrorReason, code: Code) -> Refusal {
    Refusal { reason: reason.into(), code: code as i32, ..Refusal::default() }
}

fn accepted() -> Message {
    Message::Update(SeatUpdate { apply_result: Some(ApplyResult::default()), ..SeatUpdate::default() })
}

async fn next(play: &mut edgehill_client::PlaySession) -> PlayMessage {
    play.next().await.expect("no error").expect("something is open").message
}

#[tokio::test]
async fn a_refused_call_leaves_the_prompt_as_it_was() {
    let answer = |number, _: &str| match number {
        1 => Message::Refusal(refusal(ErrorReason::IllegalAction, Code::FailedPrecondition)),
        _ => accepted(),
    };
    let (client, asked) = answering(answer).await;
    let mut play = client.play();
    let channel = play.open("north", OpenOptions::default());
    assert!(matches!(next(&mut play).await, PlayMessage::Opened(_)));
    assert!(
        matches!(next(&mut play).await, PlayMessage::Update { update, .. } if update.legal_actions.is_some())
    );
    let first = play.apply(channel, Batch::ids([1])).unwrap();
    let PlayMessage::Refused(refused) = next(&mut play).await else { panic!("it is refused") };
    assert_eq!(
        (refused.request_id.as_str(), refused.refusal.reason()),
        (first.as_str(), ErrorReason::IllegalAction)
    );
    assert_eq!(refused.legal_actions.expect("it stands").ids, [5]);
    let second = play.apply(channel, Batch::ids([5])).unwrap();
    let PlayMessage::Update { update, answers } = next(&mut play).await else { panic!("it is taken") };
    assert_eq!((answers, update.legal_actions), (Some(second.clone()), None));
    assert_eq!(*asked.lock().unwrap(), [first, second]);

    play.close(channel);
    assert_eq!(next(&mut play).await, PlayMessage::Closed(None));
    assert!(play.next().await.unwrap().is_none(), "nothing is open");
    assert!(play.resign(channel).is_err(), "it is closed");
}

/// A prompt of a match with clocks.
fn timed_prompt() -> SeatUpdate {
    let left = Some(prost_types::Duration { seconds: 90, nanos: 0 });
    SeatUpdate { time_left: Some(TimeLeft { left, server_delay: None }), ..prompt() }
}

#[tokio::test]
async fn the_time_for_a_decision_is_there_as_long_as_the_decision_is() {
    let answer = |number, _: &str| match number {
        1 | 4 => Message::Update(timed_prompt()),
        2 => Message::Refusal(refusal(ErrorReason::IllegalAction, Code::FailedPrecondition)),
        3 => Message::Refusal(refusal(ErrorReason::NotYourTurn, Code::FailedPrecondition)),
        _ => accepted(),
    };
    let (client, _) = answering(answer).await;
    let mut play = client.play();
    let channel = play.open("north", OpenOptions::default());
    next(&mut play).await;
    next(&mut play).await;
    assert_eq!(play.time_left(channel), None, "there are no clocks");
    for is_told in [true, true, false, true, false] {
        play.offer_draw(channel).unwrap();
        next(&mut play).await;
        let left = play.time_left(channel);
        assert_eq!(left.is_some(), is_told);
        assert!(left.is_none_or(|left| left <= Duration::from_secs(90)));
        assert!(play.time_left(channel) <= left, "it is less later");
    }
    play.close(channel);
    next(&mut play).await;
    assert_eq!(play.time_left(channel), None, "it is closed");
}

/// Chooses the first action, and notes the time that it has for that.
struct Timed(Arc<Mutex<Vec<Option<Duration>>>>);

impl ClientBot for Timed {
    fn choose(&mut self, turn: &Turn<'_>) -> Vec<u32> {
        let first = turn.time_left();
        self.0.lock().unwrap().extend([first, turn.time_left()]);
        vec![turn.legal[0]]
    }
}

#[tokio::test]
async fn a_bot_sees_the_time_that_it_has_left() {
    let answer = |number, _: &str| match number {
        1 => Message::Update(SeatUpdate { apply_result: Some(ApplyResult::default()), ..timed_prompt() }),
        _ => {
            let status = MatchStatus::Finished.into();
            let state = Some(MatchState { status, ..MatchState::default() });
            let apply_result = Some(ApplyResult::default());
            Message::Update(SeatUpdate { state, apply_result, ..SeatUpdate::default() })
        }
    };
    let (client, _) = answering(answer).await;
    let noted = Arc::default();
    run_bot(&client, "north", Timed(Arc::clone(&noted))).await.expect("it plays");
    let noted = noted.lock().unwrap();
    assert_eq!(noted[..2], [None, None], "there are no clocks");
    assert!(noted[3].is_some() && noted[3] <= noted[2], "it is less later");
    assert_eq!(noted.len(), 4);
}

/// That there is nothing to close any more is no failure.
#[tokio::test]
async fn a_channel_that_the_server_has_closed_is_closed() {
    let (client, _) = answering(|_, _| accepted()).await;
    let mut play = client.play();
    let north = play.open("north", OpenOptions::default());
    next(&mut play).await;
    next(&mut play).await;
    play.close(north);
    assert_eq!(next(&mut play).await, PlayMessage::Closed(None));
    // The `closed` that the server sends later is about no channel.
    let south = play.open("south", OpenOptions::default());
    assert_eq!(play.next().await.unwrap().unwrap().channel, south);
}

/// A server that is busy is asked again with the same id, and nothing is given out.
#[tokio::test]
async fn a_call_that_came_too_often_is_made_again() {
    let answer = |number, _: &str| match number {
        1 | 2 => {
            let refusal = refusal(ErrorReason::RateLimited, Code::ResourceExhausted);
            Message::Refusal(Refusal {
                retry_after: Some(prost_types::Duration { seconds: 0, nanos: 500_000 }),
                ..refusal
            })
        }
        _ => accepted(),
    };
    let (client, asked) = answering(answer).await;
    let mut play = client.play();
    let channel = play.open("north", OpenOptions::default());
    next(&mut play).await;
    next(&mut play).await;
    let id = play.apply(channel, Batch::ids([5])).unwrap();
    assert!(
        matches!(next(&mut play).await, PlayMessage::Update { answers, .. } if answers == Some(id.clone()))
    );
    assert_eq!(*asked.lock().unwrap(), [id.clone(), id.clone(), id]);
}

/// A seat that is opened too fast is opened later, with the calls that came after that.
#[tokio::test]
async fn a_seat_that_was_opened_too_fast_is_opened_again() {
    let (client, asked) = answering(|_, _| accepted()).await;
    let mut play = client.play();
    let channel = play.open("busy", OpenOptions::default());
    let id = play.apply(channel, Batch::ids([5])).unwrap();
    assert!(matches!(next(&mut play).await, PlayMessage::Opened(_)));
    loop {
        match next(&mut play).await {
            PlayMessage::Update { answers: Some(answered), .. } if answered == id => break,
            PlayMessage::Update { answers: None, .. } => {}
            other => panic!("{other:?}"),
        }
    }
    assert_eq!(*asked.lock().unwrap(), [id]);
}

#[tokio::test]
async fn a_seat_that_can_not_be_opened_is_closed_and_others_go_on() {
    let (client, _) = answering(|_, _| accepted()).await;
    let mut play = client.play();
    let unknown = play.open("unknown", OpenOptions::default());
    let north = play.open("north", OpenOptions::default());
    let PlayEvent { channel, message } = play.next().await.unwrap().unwrap();
    assert_eq!(channel, unknown);
    let PlayMessage::Closed(Some(refused)) = message else { panic!("{message:?}") };
    assert_eq!(refused.reason(), ErrorReason::BadToken);
    assert_eq!(play.next().await.unwrap().unwrap().channel, north);
}

/// A call that takes no actions has no result of actions: its id alone answers it.
#[tokio::test]
async fn every_call_has_its_answer() {
    let answer = |_, _: &str| Message::Update(prompt());
    let (client, asked) = answering(answer).await;
    let mut play = client.play();
    let channel = play.open("north", OpenOptions::default());
    next(&mut play).await;
    next(&mut play).await;
    let calls = [
        play.offer_draw(channel),
        play.decline_draw(channel),
        play.accept_draw(channel),
        play.set_standing_passes(channel, []),
        play.resign(channel),
    ];
    let mut answered = Vec::new();
    while answered.len() < calls.len() {
        let PlayMessage::Update { update, answers } = next(&mut play).await else { panic!("it is taken") };
        answered.push(answers.expect("it answers a call"));
        let last = answered.len() == calls.len();
        assert_eq!(update.legal_actions.is_some(), last, "a prompt waits for the answers");
    }
    assert_eq!(answered, calls.map(|id| id.expect("it is open")));
    assert_eq!(*asked.lock().unwrap(), answered);

    // One that takes actions back has its answer with their number, and not before.
    play.undo(channel, UndoSpan { keep_draft_actions: Some(0), ..UndoSpan::default() }).expect("it is open");
    play.close(channel);
    assert_eq!(next(&mut play).await, PlayMessage::Closed(None));
}
