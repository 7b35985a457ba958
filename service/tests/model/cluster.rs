//! The model: [`Cluster`].

use edgehill_service::matches::CallOutcome;
use stateright::{Model, Property};

use crate::flaw::Flaw;
use crate::machine::{self, REQUESTS, RequestIndex};
use crate::promises;

pub(crate) const SERVERS: usize = 2;

/// The revision of the match before the first request: two players have sat down.
const BEGUN: u64 = 2;

/// Two servers on one database, with or without a flaw.
#[derive(Clone, Debug)]
pub(crate) struct Cluster {
    pub(crate) flaw: Option<Flaw>,
    /// The most crashes, cuts and failovers together, of each of which there is one at most.
    pub(crate) faults: u8,
    /// How often the match may be handed over.
    pub(crate) handovers: u8,
    /// How often each client sends its request.
    pub(crate) tries: [u8; REQUESTS],
}

/// A record of the database's own log.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Record {
    /// A server has raised the epoch, since nobody's lease held.
    Claimed(u8),
    /// The owner has raised it for another server.
    Handed(u8),
    /// A server has raised it that was handed the match.
    TakenUp(u8),
    /// An entry of the match.
    Appended(RequestIndex),
    /// Something small, which an owner commits to find out how it stands.
    Nothing,
}

/// A transaction.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct Transaction {
    write: Record,
    /// The epoch that its server owns.
    epoch: u8,
    /// The number of entries on which an append follows.
    after: usize,
    stage: Stage,
}

#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
enum Stage {
    /// On its way.
    Sent,
    /// It holds its locks, and its conditions are met.
    Held,
    /// It is in the log, and waits for the standbys with its locks held: nobody sees it yet.
    Written(usize),
}

/// A server.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
enum Server {
    Down,
    Follows,
    Owns(Owner),
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Owner {
    pub(crate) epoch: u8,
    /// The match as it knows it: its entries, which are durable.
    pub(crate) match_log: Vec<RequestIndex>,
    /// Its lease has not run out, by its own clock.
    holds: bool,
    /// Its last commit was answered, and it has read the log since.
    settled: bool,
}

/// The client of a request.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub(crate) struct Client {
    tries: u8,
    /// The server that works on it.
    at: Option<usize>,
    pub(crate) acknowledged: Option<Told>,
    /// Another outcome than the first was told.
    pub(crate) differs: bool,
}

/// The outcome of a call, as far as it differs between orders.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Told {
    actions: u32,
    before: u64,
}

impl From<CallOutcome> for Told {
    fn from(CallOutcome { actions, before, .. }: CallOutcome) -> Self {
        Self { actions, before }
    }
}

/// Everything at one moment.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct World {
    pub(crate) log: Vec<Record>,
    /// The records that a quorum has.
    pub(crate) quorum: usize,
    /// The lease in the database has run out, or there is none.
    lapsed: bool,
    transactions: [Option<Transaction>; SERVERS],
    servers: [Server; SERVERS],
    pub(crate) clients: [Client; REQUESTS],
    /// The entries that a watcher was shown.
    pub(crate) watched: Vec<RequestIndex>,
    crashes: u8,
    cuts: u8,
    failovers: u8,
    /// Of all of these together, as many as are left.
    pub(crate) faults: u8,
    lapses: u8,
    handovers: u8,
}

/// A step.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Step {
    /// A client sends its request, or sends it again, and a server takes it up.
    Call(usize, usize),
    /// A server that follows takes over.
    Claim(usize),
    /// An owner hands over to the other server, which lives.
    HandOver(usize),
    /// A server takes up what was handed to it, or what it could not hand over.
    TakeUp(usize),
    /// A server's transaction gets its locks, and looks whether its conditions are met.
    Hold(usize),
    Write(usize),
    /// The standbys have one more record.
    Replicate,
    Answer(usize),
    /// A server's connection breaks while a transaction is under way.
    Cut(usize),
    /// An owner whose last commit has no answer commits something.
    Settle(usize),
    /// The watcher is shown what an owner knows.
    Show(usize),
    /// An owner's lease runs out by its own clock.
    LapseHere(usize),
    /// It runs out in the database.
    Lapse,
    Renew(usize),
    Crash(usize),
    Start(usize),
    /// A standby takes the place of the primary: of what a quorum does not have nothing is left.
    FailOver,
}

impl Record {
    /// The server that owns the match from this record on.
    const fn owner(self) -> Option<u8> {
        match self {
            Self::Claimed(server) | Self::Handed(server) | Self::TakenUp(server) => Some(server),
            Self::Appended(_) | Self::Nothing => None,
        }
    }
}

/// The entries of the match in records.
pub(crate) fn entries(log: &[Record]) -> Vec<RequestIndex> {
    log.iter()
        .filter_map(|record| if let Record::Appended(request) = record { Some(*request) } else { None })
        .collect()
}

impl World {
    /// The records that others see: those of transactions that are over.
    fn visible(&self) -> Vec<Record> {
        let hidden = |at: usize| {
            self.transactions.iter().flatten().any(|transaction| transaction.stage == Stage::Written(at))
        };
        self.log.iter().enumerate().filter(|(at, _)| !hidden(*at)).map(|(_, &record)| record).collect()
    }

    fn owner(&self) -> Option<usize> {
        self.visible().into_iter().filter_map(Record::owner).next_back().map(usize::from)
    }

    pub(crate) fn owning(&self, server: usize) -> Option<&Owner> {
        if let Server::Owns(owner) = &self.servers[server] { Some(owner) } else { None }
    }

    /// The entry that a server's transaction has written, and that nobody sees yet.
    fn written(&self, server: usize) -> Option<RequestIndex> {
        match self.transactions[server].as_ref()? {
            Transaction { write: Record::Appended(request), stage: Stage::Written(_), .. } => Some(*request),
            _ => None,
        }
    }

    fn owning_mut(&mut self, server: usize) -> Option<&mut Owner> {
        if let Server::Owns(owner) = &mut self.servers[server] { Some(owner) } else { None }
    }

    /// Returns whether a server answers calls.
    pub(crate) fn answers(&self, server: usize, flaw: Option<Flaw>) -> bool {
        let owner = self.owning(server);
        owner.is_some_and(|owner| owner.settled && (owner.holds || flaw == Some(Flaw::NoLease)))
    }

    /// A client is told an outcome; the answer may be lost, so that it asks again.
    fn tell(&mut self, request: RequestIndex, told: Told) {
        let client = &mut self.clients[usize::from(request)];
        client.at = None;
        match &client.acknowledged {
            None => client.acknowledged = Some(told),
            Some(first) => client.differs |= *first != told,
        }
    }

    /// The calls that a server worked on have no answer.
    fn forget_calls(&mut self, server: usize) {
        for client in &mut self.clients {
            if client.at == Some(server) {
                client.at = None;
            }
        }
    }

    /// The transaction's server hears no more of it: what was not written is not done, what was written stays for now.
    fn cut(&mut self, server: usize, flaw: Option<Flaw>) {
        self.transactions[server] = None;
        self.forget_calls(server);
        let seen = entries(&self.visible());
        if let Some(owner) = self.owning_mut(server) {
            owner.settled = flaw == Some(Flaw::ReadUnsettled);
            if owner.settled {
                owner.match_log = seen;
            }
        }
    }

    /// The server finds that it was overtaken, and ends.
    fn end(&mut self, server: usize) {
        self.transactions[server] = None;
        self.forget_calls(server);
        self.servers[server] = Server::Down;
    }
}

impl Cluster {
    /// The epoch, as others see it.
    fn epoch(&self, world: &World) -> u8 {
        let is_kept =
            |record| self.flaw == Some(Flaw::ClaimsWithoutRaising) && matches!(record, Record::Claimed(_));
        let raises = |record: &Record| record.owner().is_some() && !is_kept(*record);
        world.visible().iter().filter(|record| raises(record)).count() as u8
    }

    fn is_free(&self, world: &World) -> bool {
        world.owner().is_none() || world.lapsed
    }

    /// Returns whether a transaction's locks can be had beside those of the other one.
    fn locks(&self, world: &World, server: usize, write: &Record) -> bool {
        let other = world.transactions[1 - server].as_ref().filter(|other| other.stage != Stage::Sent);
        let raises = |write: &Record| write.owner().is_some();
        match other.map(|other| (raises(&other.write), raises(write))) {
            None | Some((false, false)) => true,
            Some((true, true)) => false,
            Some(_) => self.flaw == Some(Flaw::KeyShare),
        }
    }

    fn hold(&self, world: &mut World, server: usize) -> Option<()> {
        let transaction = world.transactions[server].clone()?;
        if transaction.stage != Stage::Sent || !self.locks(world, server, &transaction.write) {
            return None;
        }
        let is_fenced = self.flaw == Some(Flaw::NoFence) && matches!(transaction.write, Record::Appended(_));
        match transaction.write {
            Record::Claimed(_) if !self.is_free(world) => world.transactions[server] = None,
            // The match is somebody's already: nothing was taken up, or handed over.
            Record::Handed(_) | Record::TakenUp(_) if self.epoch(world) != transaction.epoch => {
                world.transactions[server] = None;
                if world.owning(server).is_some() {
                    world.end(server);
                }
            }
            Record::Appended(_) | Record::Nothing if !is_fenced && self.epoch(world) != transaction.epoch => {
                world.end(server);
            }
            // Its revision is taken: it reads the log again.
            Record::Appended(_) if entries(&world.visible()).len() != transaction.after => world.end(server),
            _ => {
                let epoch = self.epoch(world);
                let transaction = world.transactions[server].as_mut()?;
                (transaction.stage, transaction.epoch) = (Stage::Held, epoch);
            }
        }
        Some(())
    }

    fn answer(&self, world: &mut World, server: usize) -> Option<()> {
        let transaction = world.transactions[server].clone()?;
        let Stage::Written(at) = transaction.stage else { return None };
        if at >= world.quorum && self.flaw != Some(Flaw::AnswerBeforeQuorum) {
            return None;
        }
        world.transactions[server] = None;
        match transaction.write {
            // With the flaw it learns late that it has handed over what it answers for.
            Record::Handed(_) => {}
            Record::Claimed(_) | Record::TakenUp(_) => {
                let match_log = entries(&world.visible());
                let epoch = self.epoch(world);
                world.servers[server] = Server::Owns(Owner { epoch, match_log, holds: true, settled: true });
                world.lapsed = false;
            }
            Record::Nothing => {
                let match_log = entries(&world.visible());
                let owner = world.owning_mut(server)?;
                (owner.match_log, owner.settled) = (match_log, true);
            }
            Record::Appended(request) => {
                let owner = world.owning_mut(server)?;
                let answer = machine::ask(&owner.match_log, request);
                owner.match_log.push(request);
                world.tell(request, answer.outcome.into());
            }
        }
        Some(())
    }

    /// An owner asks its match for a request: the match has acted on it, and answers, or acts on it now.
    fn call(&self, world: &mut World, request: usize, server: usize) -> Option<()> {
        let is_idle = world.transactions[server].is_none() && world.clients[request].at.is_none();
        if !is_idle || world.clients[request].tries == 0 || !world.answers(server, self.flaw) {
            return None;
        }
        world.clients[request].tries -= 1;
        let owner = world.owning(server)?.clone();
        let request = request as RequestIndex;
        let after = owner.match_log.len();
        // The real match has no memory that could be taken away: the flaw does not ask it.
        let is_forgotten = self.flaw == Some(Flaw::ForgetsRequests) && owner.match_log.contains(&request);
        if !is_forgotten {
            let answer = machine::ask(&owner.match_log, request);
            let Some(expected) = answer.expected else {
                let outcome = match self.flaw {
                    Some(Flaw::AnswersRetriesAnew) => answer.made_anew(),
                    _ => answer.outcome,
                };
                world.tell(request, outcome.into());
                return Some(());
            };
            assert_eq!(expected, BEGUN + after as u64, "the machine asks for the revision that the log has");
        }
        world.clients[usize::from(request)].at = Some(server);
        let write = Record::Appended(request);
        world.transactions[server] =
            Some(Transaction { write, epoch: owner.epoch, after, stage: Stage::Sent });
        Some(())
    }

    fn step(&self, world: &mut World, step: Step) -> Option<()> {
        match step {
            Step::Call(request, server) => self.call(world, request, server)?,
            Step::Claim(server) => {
                let is_idle =
                    world.servers[server] == Server::Follows && world.transactions[server].is_none();
                if !is_idle || !self.is_free(world) {
                    return None;
                }
                let (write, epoch) = (Record::Claimed(server as u8), self.epoch(world));
                world.transactions[server] = Some(Transaction { write, epoch, after: 0, stage: Stage::Sent });
            }
            Step::HandOver(server) if world.handovers > 0 && world.servers[1 - server] == Server::Follows => {
                let owner = world.owning(server).filter(|owner| owner.settled)?;
                let (write, epoch) = (Record::Handed(1 - server as u8), owner.epoch);
                // Nothing of it is under way any more.
                if world.transactions[server].is_some() {
                    return None;
                }
                world.handovers -= 1;
                world.transactions[server] = Some(Transaction { write, epoch, after: 0, stage: Stage::Sent });
                if self.flaw != Some(Flaw::AnswersWhileHandingOver) {
                    world.servers[server] = Server::Follows;
                }
            }
            Step::TakeUp(server) => {
                let is_idle =
                    world.servers[server] == Server::Follows && world.transactions[server].is_none();
                // A match that it had before a crash is none of its own: it comes back under another name.
                let is_handed = world.visible().into_iter().rfind(|record| record.owner().is_some())
                    == Some(Record::Handed(server as u8));
                let is_left = self.handovers > 0 && world.handovers == 0;
                if !is_idle || world.owner() != Some(server) || !(is_handed || is_left) {
                    return None;
                }
                let (write, epoch) = (Record::TakenUp(server as u8), self.epoch(world));
                if self.flaw == Some(Flaw::TakesUpUnsettled) {
                    let match_log = entries(&world.visible());
                    world.servers[server] =
                        Server::Owns(Owner { epoch, match_log, holds: true, settled: true });
                } else {
                    world.transactions[server] =
                        Some(Transaction { write, epoch, after: 0, stage: Stage::Sent });
                }
            }
            Step::Hold(server) => self.hold(world, server)?,
            Step::Write(server) => {
                let at = world.log.len();
                let transaction =
                    world.transactions[server].as_mut().filter(|one| one.stage == Stage::Held)?;
                transaction.stage = Stage::Written(at);
                let write = transaction.write;
                world.log.push(write);
            }
            Step::Replicate if world.quorum < world.log.len() => world.quorum += 1,
            Step::Answer(server) => self.answer(world, server)?,
            Step::Cut(server) if world.faults.min(world.cuts) > 0 && world.transactions[server].is_some() => {
                world.cuts -= 1;
                world.faults -= 1;
                world.cut(server, self.flaw);
            }
            Step::Settle(server) => {
                let owner = world.owning(server).filter(|owner| !owner.settled)?;
                let (write, epoch) = (Record::Nothing, owner.epoch);
                if world.transactions[server].is_some() {
                    return None;
                }
                world.transactions[server] = Some(Transaction { write, epoch, after: 0, stage: Stage::Sent });
            }
            Step::Show(server) if world.answers(server, self.flaw) => {
                let written = world.written(server).filter(|_| self.flaw == Some(Flaw::ShowsBeforeQuorum));
                let known = world.owning(server)?.match_log.iter().copied().chain(written);
                let known: Vec<RequestIndex> = known.collect();
                if known.len() <= world.watched.len() {
                    return None;
                }
                world.watched = known;
            }
            Step::LapseHere(server) if world.lapses > 0 => {
                world.owning_mut(server).filter(|owner| owner.holds)?.holds = false;
                world.lapses -= 1;
            }
            Step::Lapse => {
                let owner = world.owner().filter(|_| !world.lapsed)?;
                // By its own clock, whether it runs or not, its lease has run out before.
                let holds = world.owning(owner).is_some_and(|owner| owner.holds);
                if holds {
                    return None;
                }
                world.lapsed = true;
            }
            Step::Renew(server) => {
                // The row of the lease is deleted by a server that takes over: this waits for the end of that.
                let other =
                    world.transactions[1 - server].as_ref().filter(|other| other.stage != Stage::Sent);
                let is_taken = other.is_some_and(|other| other.write.owner().is_some());
                if is_taken && self.flaw != Some(Flaw::RenewsMeanwhile) {
                    return None;
                }
                let epoch = self.epoch(world);
                let owner = world.owning_mut(server).filter(|owner| !owner.holds)?;
                match owner.epoch == epoch {
                    true => {
                        owner.holds = true;
                        world.lapsed = false;
                    }
                    false => world.end(server),
                }
            }
            Step::Crash(server)
                if world.faults.min(world.crashes) > 0 && world.servers[server] != Server::Down =>
            {
                world.crashes -= 1;
                world.faults -= 1;
                world.end(server);
            }
            Step::Start(server) if world.servers[server] == Server::Down => {
                world.servers[server] = Server::Follows
            }
            Step::FailOver if world.faults.min(world.failovers) > 0 => {
                world.failovers -= 1;
                world.faults -= 1;
                world.log.truncate(world.quorum);
                for server in 0..SERVERS {
                    if world.transactions[server].is_some() {
                        world.cut(server, self.flaw);
                    }
                }
            }
            _ => return None,
        }
        Some(())
    }
}

impl Model for Cluster {
    type State = World;
    type Action = Step;

    fn init_states(&self) -> Vec<World> {
        vec![World {
            log: Vec::new(),
            quorum: 0,
            lapsed: false,
            transactions: [None, None],
            servers: [Server::Follows, Server::Follows],
            clients: self.tries.map(|tries| Client { tries, ..Client::default() }),
            watched: Vec::new(),
            crashes: 1,
            cuts: 1,
            failovers: 1,
            faults: self.faults,
            lapses: 1,
            handovers: self.handovers,
        }]
    }

    fn actions(&self, world: &World, steps: &mut Vec<Step>) {
        // Behind a broken promise all others may break: of a mutant only those count that break first.
        if self.flaw.is_some() && promises::is_broken(self, world) {
            return;
        }
        steps.extend([Step::Replicate, Step::Lapse, Step::FailOver]);
        for server in 0..SERVERS {
            steps.extend((0..REQUESTS).map(|request| Step::Call(request, server)));
            steps.extend(
                [
                    Step::Claim,
                    Step::HandOver,
                    Step::TakeUp,
                    Step::Hold,
                    Step::Write,
                    Step::Answer,
                    Step::Cut,
                    Step::Settle,
                    Step::Show,
                    Step::LapseHere,
                    Step::Renew,
                    Step::Crash,
                    Step::Start,
                ]
                .map(|step| step(server)),
            );
        }
    }

    fn next_state(&self, before: &World, step: Step) -> Option<World> {
        let mut world = before.clone();
        self.step(&mut world, step).map(|()| world)
    }

    fn properties(&self) -> Vec<Property<Self>> {
        promises::all()
    }
}
