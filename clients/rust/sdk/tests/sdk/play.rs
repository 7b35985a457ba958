use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex};

use edgehill_client::v1::play_request::Call;
use edgehill_client::v1::play_response::Message;
use edgehill_client::v1::{
    Accepted, Closed, ErrorReason, Event, LegalList, MatchState, MatchStatus, Opened, PlayRequest,
    PlayResponse, Prompt, Refusal, Update, View,
};
use edgehill_client::{Actions, Client, Opening, PlayEvent, What};
use tokio::sync::mpsc::{UnboundedSender, unbounded_channel};
use tonic::{Code, Status, Streaming};

use crate::cutter::Cutter;
use crate::fake::{Fake, client, serve};

/// Number of actions that a seat takes in its match.
const GOAL: u64 = 4;
/// Number of events that an action makes.
const EVENTS: u64 = 2;

/// One seat of a match that is over after some actions.
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

/// One channel of one stream.
struct Desk {
    token: String,
    cursor: u64,
    prompted: bool,
    told: Option<MatchStatus>,
}

impl Desk {
    /// Returns the news, one event a message; the rest is in the last one.
    fn updates(&mut self, table: &Table, accepted: bool) -> Vec<Update> {
        let seq = table.taken * EVENTS;
        let event = |seq| vec![Event { seq, ..Event::default() }];
        let early = (self.cursor + 1..seq).map(|seq| Update { seq, events: event(seq), ..Update::default() });
        let mut updates: Vec<Update> = early.collect();
        let events = if self.cursor < seq { event(seq) } else { Vec::new() };
        self.cursor = seq;
        let status = if table.taken < GOAL { MatchStatus::Running } else { MatchStatus::Finished };
        let state = MatchState { status: status.into(), ..MatchState::default() };
        let state = (self.told.replace(status) != Some(status)).then_some(state);
        let owes = table.taken < GOAL && (accepted || !self.prompted);
        self.prompted |= owes;
        let legal = Some(LegalList { ids: vec![table.taken as u32], ..LegalList::default() });
        updates.push(Update {
            seq,
            events,
            accepted: accepted.then(|| Accepted { actions: 1, line: String::new() }),
            prompt: owes.then_some(Prompt { legal }),
            state,
            view: None,
        });
        updates
    }
}

/// The server's side of one stream.
struct Server {
    world: Arc<Mutex<World>>,
    breaks: Option<Break>,
    cutter: Arc<Mutex<Option<Cutter>>>,
    tell: UnboundedSender<Result<PlayResponse, Status>>,
    desks: BTreeMap<u32, Desk>,
}

/// The stream is at its end.
struct Broken;

impl Server {
    async fn serve(mut self, mut calls: Streaming<PlayRequest>) {
        while let Ok(Some(request)) = calls.message().await {
            if self.take(request).is_err() {
                // A wire that was cut stays silent until the client has noticed.
                self.tell.closed().await;
                return;
            }
        }
    }

    fn take(&mut self, request: PlayRequest) -> Result<(), Broken> {
        let number = {
            let mut world = self.world.lock().unwrap();
            world.requests += 1;
            world.requests
        };
        if self.breaks == Some(Break::Request(number)) {
            return self.hang_up();
        }
        let PlayRequest { channel, request_id, call } = request;
        match call.expect("a call") {
            Call::Open(open) => {
                let taken =
                    self.world.lock().unwrap().tables.get(&open.seat_token).map_or(0, |table| table.taken);
                let cursor = open.after_seq.unwrap_or(taken * EVENTS);
                let view = open.after_seq.is_none().then(View::default);
                let opened = Opened { seat: channel - 1, terms: None, seq: cursor, view };
                self.say(channel, String::new(), Message::Opened(Box::new(opened)))?;
                let desk = Desk { token: open.seat_token, cursor, prompted: false, told: None };
                self.desks.insert(channel, desk);
                self.report(channel, String::new(), false)
            }
            Call::Apply(apply) => {
                let world = Arc::clone(&self.world);
                let mut world = world.lock().unwrap();
                let token = self.desks[&channel].token.clone();
                let table = world.tables.entry(token).or_default();
                if table.accepted.insert(request_id.clone()) {
                    assert_eq!(
                        apply.actions.expect("actions").ids,
                        [table.taken as u32],
                        "an action that is not due"
                    );
                    table.taken += 1;
                }
                drop(world);
                self.report(channel, request_id, true)
            }
            Call::Close(_) => self.say(channel, String::new(), Message::Closed(Closed::default())),
            other => panic!("{other:?}"),
        }
    }

    /// Tells a seat what is new; when its match is over, the channel is closed.
    fn report(&mut self, channel: u32, request_id: String, accepted: bool) -> Result<(), Broken> {
        let desk = self.desks.get_mut(&channel).expect("it is open");
        let (updates, over) = {
            let mut world = self.world.lock().unwrap();
            let table = world.tables.entry(desk.token.clone()).or_default();
            (desk.updates(table, accepted), table.taken == GOAL)
        };
        for update in updates {
            self.say(channel, request_id.clone(), Message::Update(update))?;
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
                let _ = self.tell.send(Ok(PlayResponse { channel, request_id, message: Some(message) }));
                Ok(())
            }
        }
    }

    fn hang_up(&mut self) -> Result<(), Broken> {
        self.world.lock().unwrap().broken = true;
        let _ = self.tell.send(Err(Status::unavailable("it breaks")));
        Err(Broken)
    }
}

/// A client of a server that breaks where it is told to, and the world of that server.
async fn world(breaks: Option<Break>) -> (Client, Arc<Mutex<World>>) {
    let world: Arc<Mutex<World>> = Arc::default();
    let cutter: Arc<Mutex<Option<Cutter>>> = Arc::default();
    let (of_server, cut) = (Arc::clone(&world), Arc::clone(&cutter));
    let play = move |calls: Streaming<PlayRequest>| {
        let (tell, told) = unbounded_channel();
        let (world, cutter) = (Arc::clone(&of_server), Arc::clone(&cut));
        let server = Server { world, breaks, cutter, tell, desks: BTreeMap::new() };
        tokio::spawn(server.serve(calls));
        told
    };
    let proxy = Cutter::before(serve(Fake { play: Some(Box::new(play)), ..Fake::default() }).await).await;
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
    let seats = ["north", "south"].map(|token| play.open(token, Opening::default()));
    while let Some(PlayEvent { channel, what }) = play.next().await.expect("it is opened again") {
        let seat = seats.iter().position(|one| *one == channel).expect("one of them") as u32;
        match what {
            What::Opened(opened) => met.opened.push(opened.seat),
            What::Update(update) => {
                assert!(update.view.is_none(), "the view came when the channel was opened");
                met.numbers.entry(seat).or_default().extend(update.events.iter().map(|event| event.seq));
                met.over +=
                    usize::from(update.state.is_some_and(|state| state.status() == MatchStatus::Finished));
                if let Some(legal) = update.prompt {
                    met.prompts += 1;
                    play.apply(channel, Actions::ids([legal.ids[0]])).expect("it is open");
                }
            }
            What::Refused(refused) => panic!("{refused:?}"),
            What::Closed(refused) => {
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
    let play = move |mut calls: Streaming<PlayRequest>| {
        let (tell, told) = unbounded_channel();
        let (log, answer) = (Arc::clone(&log), Arc::clone(&answer));
        tokio::spawn(async move {
            let say = |channel, request_id: &str, message| {
                let request_id = request_id.to_owned();
                let _ = tell.send(Ok(PlayResponse { channel, request_id, message: Some(message) }));
            };
            while let Ok(Some(PlayRequest { channel, request_id, call })) = calls.message().await {
                match call.expect("a call") {
                    Call::Open(open) if open.seat_token == "nobody" => {
                        say(
                            channel,
                            "",
                            Message::Refusal(refusal(ErrorReason::BadToken, Code::Unauthenticated)),
                        );
                    }
                    Call::Open(_) => {
                        let opened = Opened { view: Some(View::default()), ..Opened::default() };
                        say(channel, "", Message::Opened(Box::new(opened)));
                        say(
                            channel,
                            "",
                            Message::Update(Update { prompt: Some(prompt()), ..Update::default() }),
                        );
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
        told
    };
    let address = serve(Fake { play: Some(Box::new(play)), ..Fake::default() }).await;
    (client(address), asked)
}

fn prompt() -> Prompt {
    Prompt { legal: Some(LegalList { ids: vec![5], ..LegalList::default() }) }
}

fn refusal(reason: ErrorReason, code: Code) -> Refusal {
    Refusal { reason: reason.into(), code: code as u32, ..Refusal::default() }
}

fn accepted() -> Message {
    Message::Update(Update { accepted: Some(Accepted::default()), ..Update::default() })
}

async fn next(play: &mut edgehill_client::Play) -> What {
    play.next().await.expect("no error").expect("something is open").what
}

#[tokio::test]
async fn a_refused_call_leaves_the_prompt_as_it_was() {
    let answer = |number, _: &str| match number {
        1 => Message::Refusal(refusal(ErrorReason::IllegalAction, Code::FailedPrecondition)),
        _ => accepted(),
    };
    let (client, asked) = answering(answer).await;
    let mut play = client.play();
    let channel = play.open("north", Opening::default());
    assert!(matches!(next(&mut play).await, What::Opened(_)));
    assert!(matches!(next(&mut play).await, What::Update(update) if update.prompt.is_some()));
    let first = play.apply(channel, Actions::ids([1])).unwrap();
    let What::Refused(refused) = next(&mut play).await else { panic!("it is refused") };
    assert_eq!(
        (refused.request_id.as_str(), refused.refused.reason()),
        (first.as_str(), ErrorReason::IllegalAction)
    );
    assert_eq!(refused.prompt.expect("it stands").ids, [5]);
    let second = play.apply(channel, Actions::ids([5])).unwrap();
    let What::Update(update) = next(&mut play).await else { panic!("it is taken") };
    assert_eq!((update.answers, update.prompt), (Some(second.clone()), None));
    assert_eq!(*asked.lock().unwrap(), [first, second]);

    play.close(channel);
    assert_eq!(next(&mut play).await, What::Closed(None));
    assert!(play.next().await.unwrap().is_none(), "nothing is open");
    assert!(play.resign(channel).is_err(), "it is closed");
}

/// A server that is busy is asked again with the same id, and nobody is told.
#[tokio::test]
async fn a_call_that_came_too_often_is_made_again() {
    let answer = |number, _: &str| match number {
        1 | 2 => {
            let refusal = refusal(ErrorReason::RateLimited, Code::ResourceExhausted);
            Message::Refusal(Refusal { retry_after_micros: Some(500), ..refusal })
        }
        _ => accepted(),
    };
    let (client, asked) = answering(answer).await;
    let mut play = client.play();
    let channel = play.open("north", Opening::default());
    next(&mut play).await;
    next(&mut play).await;
    let id = play.apply(channel, Actions::ids([5])).unwrap();
    assert!(matches!(next(&mut play).await, What::Update(update) if update.answers == Some(id.clone())));
    assert_eq!(*asked.lock().unwrap(), [id.clone(), id.clone(), id]);
}

#[tokio::test]
async fn a_seat_that_can_not_be_opened_is_closed_and_others_go_on() {
    let (client, _) = answering(|_, _| accepted()).await;
    let mut play = client.play();
    let nobody = play.open("nobody", Opening::default());
    let north = play.open("north", Opening::default());
    let PlayEvent { channel, what } = play.next().await.unwrap().unwrap();
    assert_eq!(channel, nobody);
    let What::Closed(Some(refused)) = what else { panic!("{what:?}") };
    assert_eq!(refused.reason(), ErrorReason::BadToken);
    assert_eq!(play.next().await.unwrap().unwrap().channel, north);
}
