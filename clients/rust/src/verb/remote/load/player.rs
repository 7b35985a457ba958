//! A match after another, both sides of which one player plays at random: [`Player`].

use std::sync::Arc;
use std::time::Duration;

use edgehill_client::v1::{LegalDetail, MatchStatus, ResponseOptions, SeatUpdate};
use edgehill_client::{Batch, Client, Error, GameCatalog, JoinRequest, NewMatch, entropy};
use rand_chacha::ChaCha8Rng;
use rand_core::Rng;
use tokio::sync::{Mutex, mpsc, watch};
use tokio::time::{Instant, sleep_until};

use super::figures::{Figures, Kind};
use super::storm_client::StormClient;

/// The pause after a call that was not answered well: a server that refuses is not asked the faster for it.
const PAUSE: Duration = Duration::from_millis(100);

/// The moments at which calls are due.
pub(super) type Due = Arc<Mutex<mpsc::Receiver<Instant>>>;

/// A seat of the match.
struct PlayedSeat {
    token: String,
    /// The ids of its legal actions, as far as they are known to be those of now.
    legal: Vec<u32>,
}

/// The reason that a call has no answer, which was counted.
struct Unanswered;

/// A player of all seats of one match at a time.
pub(super) struct Player {
    client: StormClient,
    game: Arc<GameCatalog>,
    random: ChaCha8Rng,
    /// Actions after which a match is given up.
    actions_max: Option<u32>,
    figures: Figures,
    /// Told the id of each match that begins.
    current: watch::Sender<String>,
    match_id: String,
    seats: Vec<PlayedSeat>,
    /// The seat that is asked next what it may do.
    asked: usize,
    actions: u32,
}

impl Player {
    pub(super) fn new(
        (client, game): (StormClient, Arc<GameCatalog>),
        random: ChaCha8Rng,
        actions_max: Option<u32>,
        figures: Figures,
        current: watch::Sender<String>,
    ) -> Self {
        let (match_id, seats, asked, actions) = (String::new(), Vec::new(), 0, 0);
        Self { client, game, random, actions_max, figures, current, match_id, seats, asked, actions }
    }

    /// Plays on and on: a call whenever one is due or, without that, when the last one is answered.
    pub(super) async fn play(mut self, due: Option<Due>) {
        loop {
            let since = match &due {
                None => Instant::now(),
                Some(due) => match self.client.wait(async { due.lock().await.recv().await }).await {
                    Some(since) => since,
                    None => return,
                },
            };
            if let Err(Unanswered) = self.step(since).await {
                // Legal actions may be those of before.
                self.seats.iter_mut().for_each(|seat| seat.legal.clear());
                self.client.wait(sleep_until(Instant::now() + PAUSE)).await;
            }
        }
    }

    /// Makes the next call; a match that begins takes several. The first is measured from the moment at which it was due.
    async fn step(&mut self, since: Instant) -> Result<(), Unanswered> {
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

    async fn begin(&mut self, since: Instant) -> Result<(), Unanswered> {
        let new = NewMatch::of(self.game.id()).request_id(self.client.next_request_id());
        let created = self.call(Kind::Create, since, |client| {
            let new = new.clone();
            async move { client.matches().create(new).await }
        });
        let Some(created) = created.await? else { return Ok(()) };
        let mut seats = Vec::new();
        for seat in 0..created.state.seats.len() as u32 {
            let request_id = self.client.next_request_id();
            let mut join = JoinRequest::of(created.match_id()).seat(seat).request_id(request_id);
            if let Ok(bytes) = entropy::fresh() {
                join = join.entropy(bytes);
            }
            let joined = self.call(Kind::Join, Instant::now(), |client| {
                let join = join.clone();
                async move { client.matches().join(join).await }
            });
            let Some(joined) = joined.await? else { return Ok(()) };
            seats.push(PlayedSeat { token: joined.response.seat_token, legal: Vec::new() });
        }
        // A match without one of its seats would never begin: it is left to expire.
        (self.match_id, self.seats) = (created.match_id().to_owned(), seats);
        (self.asked, self.actions) = (0, 0);
        self.current.send_replace(self.match_id.clone());
        Ok(())
    }

    /// Asks the next seat what it may do.
    async fn ask(&mut self, since: Instant) -> Result<(), Unanswered> {
        let seat = self.asked % self.seats.len();
        self.asked += 1;
        let played = self.seat(seat);
        let listed = self.call(Kind::List, since, |client| {
            let (match_id, token) = played.clone();
            async move { client.seat(match_id, token).legal_actions(LegalDetail::Ids).await }
        });
        if let Some(listed) = listed.await?.filter(|listed| listed.to_act) {
            self.seats[seat].legal = listed.legal_actions.unwrap_or_default().ids;
        }
        Ok(())
    }

    async fn act(&mut self, seat: usize, since: Instant) -> Result<(), Unanswered> {
        let legal = std::mem::take(&mut self.seats[seat].legal);
        let id = legal[self.random.next_u32() as usize % legal.len()];
        let options = ResponseOptions { legal: LegalDetail::Ids.into(), ..ResponseOptions::default() };
        let request_id = self.client.next_request_id();
        let (played, batch) =
            (self.seat(seat), Batch::ids([id]).response_options(options).request_id(request_id));
        let applied = self.call(Kind::Apply, since, |client| {
            let ((match_id, token), batch) = (played.clone(), batch.clone());
            async move { client.seat(match_id, token).apply(batch).await }
        });
        let applied = applied.await?;
        self.actions += 1;
        // Other seats may have others from here on.
        self.seats.iter_mut().for_each(|seat| seat.legal.clear());
        if let Some(update) = applied {
            self.take(seat, update);
        }
        Ok(())
    }

    async fn give_up(&mut self, since: Instant) -> Result<(), Unanswered> {
        let played = self.seat(0);
        // One that is made again finds the match over, which is as good.
        let resigned = self.call(Kind::Resign, since, |client| {
            let (match_id, token) = played.clone();
            async move { client.seat(match_id, token).resign(ResponseOptions::default()).await }
        });
        if resigned.await?.is_some() {
            self.over();
        }
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

    /// The match's id and the token of a seat.
    fn seat(&self, seat: usize) -> (String, String) {
        (self.match_id.clone(), self.seats[seat].token.clone())
    }

    /// Makes a call, and counts its answer; `None` if the match is over by now, as it may be for one seat before the other has heard of
    /// it. A storm has it made again, so it has to be the same call each time.
    async fn call<T, F>(
        &mut self,
        kind: Kind,
        since: Instant,
        make: impl Fn(Client) -> F,
    ) -> Result<Option<T>, Unanswered>
    where
        F: Future<Output = Result<T, Error>>,
    {
        use edgehill_client::v1::ErrorReason;

        let answer = self.client.call(make).await;
        let is_over = |error: &Error| {
            error.refusal().is_some_and(|refusal| refusal.reason() == ErrorReason::MatchFinished)
        };
        let answer = match answer {
            Ok(answer) => Some(answer),
            Err(error) if is_over(&error) => {
                self.over();
                None
            }
            Err(error) => {
                self.figures.failed(Some(kind), &error);
                return Err(Unanswered);
            }
        };
        self.client.note_answer();
        self.figures.answered(kind, since.elapsed());
        Ok(answer)
    }
}
