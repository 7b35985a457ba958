//! A match for the sessions: all seats are taken, and every observer follows it ([`Table`]).

use std::ops::Range;

use edgehill_client::v1::{
    ActionStructure, Event, GetViewResponse, LegalAction, LegalDetail, MatchStatus, Observer, Receipt,
    ResponseOptions,
};
use edgehill_client::{
    Batch, Client, CreatedMatch, JoinRequest, MatchWatch, NewMatch, SeatHandle, ViewOptions, ViewTracker,
    entropy,
};

pub(super) const SPECTATOR: Observer = Observer { seat: None };
const EVENTS: ResponseOptions = ResponseOptions {
    include_events: true,
    include_view: false,
    include_text: false,
    legal: LegalDetail::Unspecified as i32,
};

/// Takes an action in one of the forms that the sessions name.
pub(super) fn in_form(form: &str, action: &LegalAction) -> Batch {
    match form {
        // An entry of a list is taken by its id in this language.
        "id" | "entry" => Batch::ids([action.id]),
        "structure" => {
            Batch::structures([ActionStructure { verb: action.verb.clone(), refs: action.refs.clone() }])
        }
        "notation" => Batch::notations([&action.notation]),
        "line" => Batch::line(&action.notation),
        other => panic!("there is no form {other}"),
    }
}

/// Somebody who sees a match from its beginning on.
pub(super) struct Follower {
    pub(super) of: Observer,
    /// Of a seat.
    seat: Option<SeatHandle>,
    client: Client,
    match_id: String,
    pub(super) tracker: ViewTracker,
    /// All that was watched, in order.
    pub(super) events: Vec<Event>,
    watch: MatchWatch,
}

impl Follower {
    async fn of(client: &Client, match_id: &str, seat: Option<(u32, &SeatHandle)>) -> Self {
        let (of, watch) = match seat {
            Some((number, handle)) => (Observer { seat: Some(number) }, handle.watch()),
            None => (SPECTATOR, client.matches().watch(match_id)),
        };
        let seat = seat.map(|(_, handle)| handle.clone());
        let (client, match_id) = (client.clone(), match_id.to_owned());
        let tracker = ViewTracker::new();
        let mut follower =
            Self { of, seat, client, match_id, tracker, events: Vec::new(), watch: watch.after(0) };
        follower.tracker = ViewTracker::from(follower.look(Some(0)).await);
        follower
    }

    async fn look(&self, at_seq: Option<u64>) -> GetViewResponse {
        let options = ViewOptions { at_seq, ..ViewOptions::default() };
        match &self.seat {
            Some(seat) => seat.view(options).await,
            None => self.client.matches().view(&self.match_id, options).await,
        }
        .expect("a view")
    }

    pub(super) async fn now(&self) -> GetViewResponse {
        self.look(None).await
    }

    pub(super) async fn receipt(&self) -> Receipt {
        match &self.seat {
            Some(seat) => seat.receipt().await,
            None => self.client.matches().receipt(&self.match_id, SPECTATOR).await,
        }
        .expect("a receipt")
    }

    /// Reads what comes, up to an event.
    async fn follow(&mut self, seq: u64) {
        while self.tracker.seq() < seq {
            assert!(self.step().await, "it has ended before {seq}");
        }
    }

    /// Reads what comes, until the match is over; and it comes to what there is.
    pub(super) async fn follow_to_the_end(&mut self) {
        while self.step().await {}
        let now = self.now().await;
        let numbers: Vec<_> = self.events.iter().map(|event| event.seq).collect();
        assert_eq!(numbers, (1..=now.seq).collect::<Vec<_>>(), "{:?}", self.of);
        assert_eq!(self.tracker.view(), now.view.as_ref(), "{:?}", self.of);
    }

    async fn step(&mut self) -> bool {
        let Some(update) = self.watch.next().await.expect("it goes on") else { return false };
        self.tracker.fold(&update).expect("it can be folded");
        self.events.extend(update.events);
        true
    }
}

/// A match of a game.
pub(super) struct Table {
    client: Client,
    /// The match, as it was told when it was made.
    pub(super) made: CreatedMatch,
    pub(super) seats: Vec<SeatHandle>,
    /// The entropy of each seat.
    pub(super) entropies: Vec<[u8; 32]>,
    /// Of the seats, and then the spectator.
    pub(super) everybody: Vec<Follower>,
}

impl Table {
    /// Makes the match, and seats everybody.
    pub(super) async fn of(client: &Client, game: &str) -> Self {
        let made = client.matches().create(NewMatch::of(game)).await.expect("made");
        let (mut seats, mut entropies, mut everybody) = (Vec::new(), Vec::new(), Vec::new());
        for number in 0..made.state.seats.len() as u32 {
            let entropy = entropy::fresh().expect("entropy");
            let join = JoinRequest::of(made.match_id()).seat(number).entropy(entropy);
            let joined = client.matches().join(join.player(format!("player {number}"))).await.expect("taken");
            seats.push(joined.handle);
            entropies.push(entropy);
        }
        for (number, seat) in (0..).zip(&seats) {
            everybody.push(Follower::of(client, made.match_id(), Some((number, seat))).await);
        }
        everybody.push(Follower::of(client, made.match_id(), None).await);
        Self { client: client.clone(), made, seats, entropies, everybody }
    }

    pub(super) fn match_id(&self) -> &str {
        self.made.match_id()
    }

    pub(super) fn spectator(&self) -> &Follower {
        self.everybody.last().expect("a spectator")
    }

    /// The first seat that is to act, with the number and the list of its full list; `None` if the match is over.
    async fn to_act(&self) -> Option<(usize, u64, Vec<LegalAction>)> {
        let state = self.client.matches().get(self.match_id()).await.expect("it is there").state;
        if state.expect("a state").status() == MatchStatus::Finished {
            return None;
        }
        for (number, seat) in self.seats.iter().enumerate() {
            let listed = seat.legal_actions(LegalDetail::Full).await.expect("a list");
            let actions = listed.legal_actions.map(|legal| legal.actions).unwrap_or_default();
            if !actions.is_empty() {
                return Some((number, listed.seq, actions));
            }
        }
        panic!("nobody is to act");
    }

    /// Takes the choice for these decisions, or to the end of the match.
    pub(super) async fn play(&mut self, decisions: Range<usize>, form: &str) {
        for decision in decisions {
            let Some((number, seq, actions)) = self.to_act().await else { return };
            let action = &actions[7 * decision % actions.len()];
            self.everybody[number].follow(seq).await;
            let batch = in_form(form, action).expected_seq(seq).response_options(EVENTS);
            let update = self.seats[number].apply(batch).await.expect("taken");
            let follower = &mut self.everybody[number];
            follower.tracker.fold(&update).expect("it can be folded");
            let now = follower.now().await;
            assert_eq!(follower.tracker.view(), now.view.as_ref(), "decision {decision} of seat {number}");
            assert_eq!(follower.tracker.seq(), now.seq);
        }
    }

    /// Has a seat give up, unless the match is over.
    pub(super) async fn end(&self) {
        if let Some((number, ..)) = self.to_act().await {
            self.seats[number].resign(ResponseOptions::default()).await.expect("given up");
        }
    }
}
