//! Two matches that differ in what one seat hides ([`Pair`]): whatever anybody else asks, both answer alike.

use edgehill_proto::v1::{self, LegalDetail};
use prost::Message;

use crate::course::Game;
use crate::message::{batch, ids, line};
use crate::random::Random;
use crate::raw::Answer;
use crate::side::Side;

/// Two matches, and who hides something in them.
pub(crate) struct Pair {
    pub(crate) sides: [Side; 2],
    /// The seat that hides something.
    pub(crate) secret: usize,
    /// Number of answers that were compared, and of refusals among them.
    pub(crate) compared: usize,
    pub(crate) refused: usize,
}

impl Pair {
    pub(crate) async fn start() -> Self {
        Self { sides: [Side::start().await, Side::start().await], secret: 0, compared: 0, refused: 0 }
    }

    /// The static half of a game, asked for on both sides.
    pub(crate) async fn game(&self, id: &str) -> Game {
        let [left, right] = [self.sides[0].catalogue(id).await, self.sides[1].catalogue(id).await];
        assert_eq!(left, right);
        Game::new(&left.0, &left.1)
    }

    /// The actions that a seat may take on one side; none where it is not to act.
    pub(crate) async fn legal(&self, side: usize, seat: usize) -> Vec<u32> {
        let legal = self.sides[side].legal(seat).await;
        legal.legal_actions.filter(|_| legal.to_act).map_or(Vec::new(), |legal| legal.ids)
    }

    /// The seat that must not learn it.
    pub(crate) fn other(&self) -> usize {
        1 - self.secret
    }

    /// Begins a match on each side.
    pub(crate) async fn begin(&mut self, creates: [v1::CreateMatchRequest; 2], secret: usize) {
        self.secret = secret;
        let other = self.other();
        for (side, create) in self.sides.iter_mut().zip(creates) {
            side.begin(create, other).await;
        }
    }

    /// Waits until the streams have all, and compares what they were sent; whether the match is over.
    pub(crate) async fn caught_up(&mut self, what: &str) -> bool {
        let other = self.other();
        let over = [self.sides[0].caught_up(other).await, self.sides[1].caught_up(other).await];
        let [left, right] = [self.sides[0].sent(), self.sides[1].sent()];
        for (stream, (left, right)) in left.iter().zip(&right).enumerate() {
            assert_eq!(left.len(), right.len(), "{what}: messages of stream {stream}");
            for (index, (left, right)) in left.iter().zip(right).enumerate() {
                let (shown, other) = (left.escape_ascii(), right.escape_ascii());
                assert!(left == right, "{what}: message {index} of stream {stream}:\n{shown}\n{other}");
            }
        }
        assert_eq!(over[0], over[1], "{what}");
        over[0]
    }

    /// Makes a call on both sides, and compares the answers.
    async fn ask<M: Message>(
        &mut self,
        who: Who,
        method: &str,
        what: &str,
        of: impl Fn(&Side) -> M,
    ) -> Answer {
        let mut answers = Vec::new();
        for side in &self.sides {
            let token = match who {
                Who::Spectator => "",
                Who::Other => &side.tokens[1 - self.secret],
            };
            answers.push(without_hash(side.call(method, token, &of(side)).await, method));
        }
        let (right, left) = (answers.pop().unwrap(), answers.pop().unwrap());
        assert_eq!(left, right, "{what}: {who:?} calls {method}");
        self.compared += 1;
        self.refused += usize::from(!left.is_ok());
        left
    }

    /// Asks everything that can be asked without changing anything, for the other seat and for a spectator.
    pub(crate) async fn look(&mut self, random: &mut Random, actions: usize, what: &str) {
        for who in [Who::Spectator, Who::Other] {
            self.ask(who, "GetMatch", what, |side| v1::GetMatchRequest { match_id: side.id.clone() }).await;
            self.ask(who, "ListMatches", what, |_| v1::ListMatchesRequest::default()).await;
            let running = [v1::MatchStatus::Running.into()];
            self.ask(who, "ListMatches", what, |_| v1::ListMatchesRequest {
                statuses: running.to_vec(),
                page_size: 1,
                ..v1::ListMatchesRequest::default()
            })
            .await;
            for (at_seq, include_text) in [(None, false), (None, true), (Some(0), true)] {
                self.ask(who, "GetView", what, |side| v1::GetViewRequest {
                    match_id: side.id.clone(),
                    at_seq,
                    include_text,
                    ..v1::GetViewRequest::default()
                })
                .await;
            }
            let hidden = Some(v1::Observer { seat: Some(self.secret as u32) });
            let answer = self.ask(who, "GetView", what, |side| v1::GetViewRequest {
                match_id: side.id.clone(),
                observer: hidden,
                ..v1::GetViewRequest::default()
            });
            assert!(!answer.await.is_ok(), "the view of another seat");
            for observer in [None, hidden] {
                let receipt = self.ask(who, "GetReceipt", what, |side| v1::GetReceiptRequest {
                    match_id: side.id.clone(),
                    observer,
                });
                assert_eq!(receipt.await.is_ok(), observer.is_none(), "the receipt of another seat");
            }
            let record = |side: &Side| v1::ExportRecordRequest { match_id: side.id.clone() };
            assert!(
                !self.ask(who, "ExportRecord", what, record).await.is_ok(),
                "the record of a match that runs"
            );
            self.seat_calls(who, random, actions, what).await;
        }
    }

    /// The calls of a seat: those that only look, and those that are refused.
    async fn seat_calls(&mut self, who: Who, random: &mut Random, actions: usize, what: &str) {
        for detail in [LegalDetail::Ids, LegalDetail::Notation, LegalDetail::Full] {
            self.ask(who, "ListLegalActions", what, |side| v1::ListLegalActionsRequest {
                match_id: side.id.clone(),
                detail: detail.into(),
                ..v1::ListLegalActionsRequest::default()
            })
            .await;
        }
        let other = self.other();
        let legal = self.sides[0].legal(other).await.legal_actions.map_or(Vec::new(), |legal| legal.ids);
        for _ in 0..6 {
            let id = random.below(actions) as u32;
            self.ask(who, "ExplainAction", what, |side| v1::ExplainActionRequest {
                match_id: side.id.clone(),
                action: Some(v1::Action { encoding: Some(v1::action::Encoding::Id(id)) }),
            })
            .await;
            if !legal.contains(&id) {
                self.refused_apply(who, ids(&[id]), None, what).await;
            }
        }
        self.refused_apply(who, ids(&[actions as u32]), None, what).await;
        self.refused_apply(who, line("no such line"), None, what).await;
        let first: Vec<u32> = legal.first().copied().into_iter().collect();
        self.refused_apply(who, ids(&first), Some(1_000_000), what).await;
        self.ask(who, "UndoActions", what, |side| v1::UndoActionsRequest {
            match_id: side.id.clone(),
            request_id: "never".to_owned(),
            span: Some(v1::UndoSpan { keep_draft_actions: Some(2_000), ..v1::UndoSpan::default() }),
            ..v1::UndoActionsRequest::default()
        })
        .await;
        self.ask(who, "AcceptDraw", what, |side| v1::AcceptDrawRequest {
            match_id: side.id.clone(),
            request_id: "never".to_owned(),
            ..v1::AcceptDrawRequest::default()
        })
        .await;
        self.ask(who, "RevealEntropy", what, |side| v1::RevealEntropyRequest {
            match_id: side.id.clone(),
            request_id: "never".to_owned(),
            entropy: vec![1; 32],
            ..v1::RevealEntropyRequest::default()
        })
        .await;
        self.ask(who, "JoinMatch", what, |side| v1::JoinMatchRequest {
            match_id: side.id.clone(),
            request_id: "never".to_owned(),
            client_secret: vec![7; 32],
            ..v1::JoinMatchRequest::default()
        })
        .await;
    }

    async fn refused_apply(
        &mut self,
        who: Who,
        actions: v1::ActionList,
        expected_seq: Option<u64>,
        what: &str,
    ) {
        let answer = self.ask(who, "ApplyActions", what, |side| v1::ApplyActionsRequest {
            match_id: side.id.clone(),
            request_id: "never".to_owned(),
            batch: Some(v1::ActionBatch { expected_seq, ..batch(actions.clone()) }),
            response_options: Some(v1::ResponseOptions {
                include_view: true,
                include_events: true,
                include_text: true,
                ..v1::ResponseOptions::default()
            }),
        });
        let answer = answer.await;
        assert!(!answer.is_ok(), "{what}: {actions:?} is accepted");
    }
}

/// The caller who asks.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
enum Who {
    Spectator,
    Other,
}

/// A receipt with zeros where it has the hash of what was published, which begins with the match's id, and where it has key and
/// signature of the server: what was published is compared message by message.
fn without_hash(answer: Answer, method: &str) -> Answer {
    let receipt = v1::GetReceiptResponse::decode(&answer.body[..]).ok().and_then(|answer| answer.receipt);
    let Some(mut receipt) = receipt.filter(|_| method == "GetReceipt") else { return answer };
    for bytes in [&mut receipt.stream_hash, &mut receipt.signer, &mut receipt.signature] {
        bytes.fill(0);
    }
    Answer { body: v1::GetReceiptResponse { receipt: Some(receipt) }.encode_to_vec(), ..answer }
}
