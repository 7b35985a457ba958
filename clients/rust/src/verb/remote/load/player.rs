//! A match after another, both sides of which one player plays at random: [`Player`].

use std::sync::Arc;
use std::time::Duration;

use edgehill_client::v1::{LegalDetail, MatchStatus, ResponseOptions, SeatUpdate};
use edgehill_client::{Batch, Client, Error, GameCatalog, JoinRequest, NewMatch, SeatHandle, entropy};
use rand_chacha::ChaCha8Rng;
use rand_core::Rng;
use tokio::sync::{Mutex, mpsc, watch};
use tokio::time::{Instant, sleep_until};

use super::figures::{Figures, Kind};

/// The pause after a call that was not answered well: a server that refuses is not asked the faster for it.
const PAUSE: Duration = Duration::from_millis(100);

/// The moments at which calls are due.
pub(super) type Due = Arc<Mutex<mpsc::Receiver<Instant>>>;

/// A seat of the match.
struct PlayedSeat {
    handle: SeatHandle,
    /// The ids of its legal actions, as far as they are known to be those of now.
    legal: Vec<u32>,
}

/// A player of all seats of one match at a time.
pub(super) struct Player {
    pub(super) client: Client,
    pub(super) game: Arc<GameCatalog>,
    pub(super) random: ChaCha8Rng,
    /// Actions after which a match is given up.
    pub(super) actions_max: Option<u32>,
    pub(super) figures: Figures,
    /// Told the id of each match that begins.
    pub(super) current: watch::Sender<String>,
    seats: Vec<PlayedSeat>,
    /// The seat that is asked next what it may do.
    asked: usize,
    actions: u32,
}

impl Player {
    pub(super) fn new(
        (client, game): (Client, Arc<GameCatalog>),
        random: ChaCha8Rng,
        actions_max: Option<u32>,
        figures: Figures,
        current: watch::Sender<String>,
    ) -> Self {
        let (seats, asked, actions) = (Vec::new(), 0, 0);
        Self { client, game, random, actions_max, figures, current, seats, asked, actions }
    }

    /// Plays on and on: a call whenever one is due or, without that, when the last one is answered.
    pub(super) async fn play(mut self, due: Option<Due>) {
        loop {
            let since = match &due {
                None => Instant::now(),
                Some(due) => match due.lock().await.recv().await {
                    Some(since) => since,
                    None => return,
                },
            };
            if let Err(error) = self.step(since).await {
                self.figures.failed(&error);
                // Legal actions may be those of before.
                self.seats.iter_mut().for_each(|seat| seat.legal.clear());
                sleep_until(Instant::now() + PAUSE).await;
            }
        }
    }

    /// Makes the next call; a match that begins takes several. The first is measured from the moment at which it was due.
    async fn step(&mut self, since: Instant) -> Result<(), Error> {
        if self.seats.is_empty() {
            return self.begin(since).await;
        }
        if self.actions_max.is_some_and(|most| self.actions >= most) {
            return self.give_up(since).await;
        }
        match self.seats.iter().position(|seat| !seat.legal.is_empty()) {
            Some(seat) => self.act(seat, since).await,
            None => self.ask(since).await,
        }
    }

    async fn begin(&mut self, since: Instant) -> Result<(), Error> {
        let created = self.client.matches().create(NewMatch::of(self.game.id())).await?;
        self.figures.answered(Kind::Create, since.elapsed());
        for seat in 0..created.state.seats.len() as u32 {
            let mut join = JoinRequest::of(created.match_id()).seat(seat);
            if let Ok(bytes) = entropy::fresh() {
                join = join.entropy(bytes);
            }
            let since = Instant::now();
            let joined = self.client.matches().join(join).await?;
            self.figures.answered(Kind::Join, since.elapsed());
            self.seats.push(PlayedSeat { handle: joined.handle, legal: Vec::new() });
        }
        (self.asked, self.actions) = (0, 0);
        self.current.send_replace(created.match_id().to_owned());
        Ok(())
    }

    /// Asks the next seat what it may do.
    async fn ask(&mut self, since: Instant) -> Result<(), Error> {
        let seat = self.asked % self.seats.len();
        self.asked += 1;
        let listed = self.seats[seat].handle.legal_actions(LegalDetail::Ids).await;
        let listed = self.unless_over(listed)?;
        self.figures.answered(Kind::List, since.elapsed());
        if let Some(listed) = listed.filter(|listed| listed.to_act) {
            self.seats[seat].legal = listed.legal_actions.unwrap_or_default().ids;
        }
        Ok(())
    }

    async fn act(&mut self, seat: usize, since: Instant) -> Result<(), Error> {
        let legal = std::mem::take(&mut self.seats[seat].legal);
        let id = legal[self.random.next_u32() as usize % legal.len()];
        let options = ResponseOptions { legal: LegalDetail::Ids.into(), ..ResponseOptions::default() };
        let batch = Batch::ids([id]).response_options(options);
        let applied = self.seats[seat].handle.apply(batch).await;
        let applied = self.unless_over(applied)?;
        self.figures.answered(Kind::Apply, since.elapsed());
        self.actions += 1;
        // Other seats may have others from here on.
        self.seats.iter_mut().for_each(|seat| seat.legal.clear());
        if let Some(update) = applied {
            self.take(seat, update);
        }
        Ok(())
    }

    async fn give_up(&mut self, since: Instant) -> Result<(), Error> {
        let resigned = self.seats[0].handle.resign(ResponseOptions::default()).await;
        self.unless_over(resigned)?;
        self.figures.answered(Kind::Resign, since.elapsed());
        self.over();
        Ok(())
    }

    fn take(&mut self, seat: usize, update: SeatUpdate) {
        if update.status() == MatchStatus::Finished {
            self.over();
        } else if update.to_act {
            self.seats[seat].legal = update.legal_actions.unwrap_or_default().ids;
        }
    }

    fn over(&mut self) {
        self.figures.ended();
        self.seats.clear();
    }

    /// The answer; `None` if the match is over by now, as it may be for one seat before the other has heard of it.
    fn unless_over<T>(&mut self, answer: Result<T, Error>) -> Result<Option<T>, Error> {
        use edgehill_client::v1::ErrorReason;

        match answer {
            Err(error)
                if error.refusal().is_some_and(|refusal| refusal.reason() == ErrorReason::MatchFinished) =>
            {
                self.over();
                Ok(None)
            }
            answer => answer.map(Some),
        }
    }
}
