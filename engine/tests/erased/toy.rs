//! A game for tests, *Prize*: each round a prize is drawn from a bag, bids are sealed, the higher bidder may take it,
//! the other may contest, dice decide. Small, and with every kind of node, release and chance event of the contract.

mod catalogue;

use std::ops::ControlFlow;

use edgehill_engine::action::{ActionId, ActionTable, VerbKind};
use edgehill_engine::catalogue::Catalogue;
use edgehill_engine::chance::{Bag, Chance, Class, Outcome, Token, Weighted, all_rolls};
use edgehill_engine::chance_source::below;
use edgehill_engine::codec::{DecodeError, Reader, Writer};
use edgehill_engine::event::{Event, Events};
use edgehill_engine::game::{DefaultAction, Game, MatchResult, Node, Termination};
use edgehill_engine::ledger::Rule;
use edgehill_engine::position::PositionError;
use edgehill_engine::reference::{Location, Ref, Refs};
use edgehill_engine::refusal::Why;
use edgehill_engine::seat::{Observer, Seat, SeatSet};
use edgehill_engine::setup::Setup;
use edgehill_engine::view::{
    Board, CardPile, Change, Marker, NodeView, Phrase, Procedure, TurnState, View, Window,
};
use rand_core::Rng;

const RULE: Rule = Rule::new("P1");
/// Prizes in the first bag; its token stands for one of the cards after them.
const PRIZES: u16 = 6;
const TOKEN: u16 = 100;
const SCORE: u16 = 0;
const LUCK: u16 = 1;
const BID: u16 = 2;

#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) enum Stage {
    Luck(u8),
    Prize,
    Bids,
    Act(u8),
    Answer(u8),
    Roll { seat: u8, contested: bool },
    Over,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct State {
    seats: u8,
    rounds: u8,
    round: u8,
    stage: Stage,
    prize: u16,
    taken: Vec<u16>,
    luck: [u8; 2],
    knows: [bool; 2],
    bids: [Option<u8>; 2],
    done: [bool; 2],
    scores: [i32; 2],
    boasted: bool,
    peeked: bool,
    looked: bool,
}

#[derive(Debug)]
pub(crate) struct Prize {
    catalogue: Catalogue,
    take: ActionId,
    pass: ActionId,
    done: ActionId,
    look: ActionId,
    boast: ActionId,
    peek: ActionId,
    contest: ActionId,
}

impl Prize {
    pub(crate) fn new() -> Self {
        let mut actions = ActionTable::default();
        let bid = actions.verb("bid", VerbKind::Play, "Bid so much", &["number"]);
        for number in 0..4 {
            actions.add(bid, &[Ref::Number(number)], format!("bid {number}")).expect("fits");
        }
        let mut plain = |id: &'static str, kind| {
            let verb = actions.verb(id, kind, id, &[]);
            actions.add(verb, &[], id).expect("fits")
        };
        let (take, boast) = (plain("take", VerbKind::Play), plain("boast", VerbKind::Play));
        let (peek, contest) = (plain("peek", VerbKind::Play), plain("contest", VerbKind::Play));
        let (pass, done) = (plain("pass", VerbKind::Pass), plain("done", VerbKind::Done));
        let look = plain("look", VerbKind::Navigate);
        let catalogue = catalogue::catalogue(actions);
        Self { catalogue, take, pass, done, look, boast, peek, contest }
    }

    fn bid_of(action: ActionId) -> Option<u8> {
        (action.0 < 4).then_some(action.0 as u8)
    }

    fn next_round(state: &mut State) {
        state.taken.push(state.prize);
        state.round += 1;
        state.bids = [None; 2];
        state.done = [false; 2];
        (state.boasted, state.peeked, state.looked) = (false, false, false);
        state.stage = if state.round == state.rounds { Stage::Over } else { Stage::Prize };
    }

    fn marker(seat: Seat, kind: u16, number: i32) -> Change {
        Change::Marker(Marker { at: Location::Seat(seat), kind }, Some(number))
    }
}

fn seat(index: u8) -> Seat {
    Seat::new(index)
}

impl Game for Prize {
    type State = State;

    fn catalogue(&self) -> &Catalogue {
        &self.catalogue
    }

    fn start(&self, setup: &Setup) -> State {
        let lucky = setup.option(1) != 0;
        State {
            seats: self.catalogue.seats_of(setup) as u8,
            rounds: setup.option(0) as u8,
            round: 0,
            stage: if lucky { Stage::Prize } else { Stage::Luck(0) },
            prize: 0,
            taken: Vec::new(),
            luck: if lucky { [2; 2] } else { [0; 2] },
            knows: [false; 2],
            bids: [None; 2],
            done: [false; 2],
            scores: [0; 2],
            boasted: false,
            peeked: false,
            looked: false,
        }
    }

    fn position(&self, setup: &Setup, position: &serde_json::Value) -> Result<State, PositionError> {
        let mut state = self.start(setup);
        for index in 0..2 {
            let score = &position["scores"][index];
            let number = score.as_i64().filter(|n| (0..100).contains(n));
            let error = || PositionError::new(format!("scores[{index}]"), "a number from 0 to 99");
            state.scores[index] = number.ok_or_else(error)? as i32;
        }
        Ok(state)
    }

    fn node(&self, state: &State) -> Node {
        match state.stage {
            Stage::Luck(_) | Stage::Prize | Stage::Roll { .. } => Node::Chance,
            Stage::Bids => {
                Node::Sealed((0..state.seats).map(seat).filter(|s| !state.done[s.index()]).collect())
            }
            Stage::Act(who) | Stage::Answer(who) => Node::Decision(seat(who)),
            Stage::Over => Node::Over,
        }
    }

    fn result(&self, state: &State) -> Option<MatchResult> {
        let score = |index: usize| state.scores[index] + i32::from(state.luck[index]);
        (state.stage == Stage::Over).then(|| {
            let lead = (score(0) - score(1)).signum();
            let returns = if state.seats == 1 { vec![score(0)] } else { vec![lead, -lead] };
            let grade = if score(0) > 9 { "splendid" } else { "" };
            MatchResult {
                returns,
                code: "scored",
                refs: Refs::new(),
                rule: RULE,
                grade,
                termination: Termination::Victory,
            }
        })
    }

    fn bound(&self, setup: &Setup) -> u32 {
        2 + setup.option(0) as u32 * 16
    }

    fn candidates(&self, _: &State, _: Seat, into: &mut Vec<ActionId>) {
        into.extend(self.catalogue.actions.ids());
    }

    fn examine(&self, state: &State, who: Seat, action: ActionId, why: &mut Why) -> ControlFlow<()> {
        match state.stage {
            Stage::Bids => {
                let bid = state.bids[who.index()];
                let fits = if bid.is_none() { Self::bid_of(action).is_some() } else { action == self.done };
                why.require(fits, RULE, "BID_THEN_DONE", &[])
            }
            Stage::Act(_) => {
                let once = (action == self.boast && !state.boasted)
                    || (action == self.look && !state.looked)
                    || (action == self.peek && !state.peeked && state.seats == 2);
                why.require(once || action == self.take || action == self.pass, RULE, "NOT_NOW", &[])
            }
            _ => why.require(action == self.contest || action == self.pass, RULE, "NOT_NOW", &[]),
        }
    }

    fn apply(&self, state: &mut State, who: Seat, action: ActionId, out: &mut Events) {
        let index = who.index();
        match state.stage {
            Stage::Bids if action == self.done => {
                state.done[index] = true;
                if (0..usize::from(state.seats)).all(|seat| state.done[seat]) {
                    let bids = state.bids.map(|bid| bid.unwrap_or(0));
                    state.stage = Stage::Act(u8::from(state.seats == 2 && bids[1] > bids[0]));
                    for other in (0..state.seats).map(seat) {
                        let bid = i32::from(bids[other.index()]);
                        out.emit(|| {
                            Event::new("bid", RULE, &[Ref::Seat(other), Ref::Number(bid)])
                                .change(Self::marker(other, BID, bid))
                        });
                    }
                }
            }
            Stage::Bids => {
                let bid = Self::bid_of(action).unwrap_or(0);
                state.bids[index] = Some(bid);
                out.emit(|| {
                    Event::only(who, "bidding", RULE, &[]).change(Self::marker(who, BID, i32::from(bid)))
                });
            }
            Stage::Act(_) if action == self.take => {
                state.stage = if state.seats == 2 {
                    Stage::Answer(1 - index as u8)
                } else {
                    Stage::Roll { seat: 0, contested: false }
                };
                out.emit(|| Event::new("reach", RULE, &[Ref::Seat(who)]));
            }
            Stage::Act(_) if action == self.boast => {
                state.boasted = true;
                out.release();
                out.emit(|| Event::new("boast", RULE, &[Ref::Seat(who)]));
            }
            Stage::Act(_) if action == self.peek => {
                state.peeked = true;
                state.knows[index] = true;
                out.revealed();
                let other = who.other();
                let luck = i32::from(state.luck[other.index()]);
                out.emit(|| {
                    let shown = Self::marker(other, LUCK, luck);
                    Event::new("peek", RULE, &[Ref::Seat(who)]).private(who, &[Ref::Number(luck)], [shown])
                });
            }
            Stage::Act(_) if action == self.look => state.looked = true,
            Stage::Act(_) => self.close_round(state, out),
            _ => state.stage = Stage::Roll { seat: 1 - index as u8, contested: action == self.contest },
        }
    }

    fn chance(&self, state: &State) -> Chance {
        match state.stage {
            Stage::Luck(_) => {
                let option = |number, weight| Weighted { what: Ref::Number(number), weight };
                Chance::Choice { stream: 3, options: vec![option(1, 3), option(2, 1)] }
            }
            Stage::Prize => {
                let left = |card: &u16| !state.taken.contains(card);
                let specials: Vec<u16> = (PRIZES..=PRIZES + 1).filter(left).collect();
                let full = specials.len() == 2;
                let token = Token { number: TOKEN, stream: 4, epoch: 0, cards: specials };
                Chance::Bag(Bag {
                    stream: 0,
                    epoch: 0,
                    cards: (0..PRIZES).filter(left).collect(),
                    tokens: if full { vec![token] } else { Vec::new() },
                })
            }
            Stage::Roll { seat, .. } => Chance::Roll { stream: 1 + u32::from(seat), dice: 2, sides: 6 },
            _ => unreachable!("asked only at a chance node"),
        }
    }

    fn roll_classes(&self, state: &State) -> Vec<Class> {
        let Stage::Roll { contested, .. } = state.stage else { return Vec::new() };
        let rolls = all_rolls(2, 6, 36).expect("36 rolls");
        [true, false]
            .map(|won| {
                let of_class: Vec<&Outcome> = rolls.iter().filter(|o| wins(o, contested) == won).collect();
                Class { outcome: of_class[0].clone(), weight: of_class.len().into() }
            })
            .to_vec()
    }

    fn resolve(&self, state: &mut State, outcome: &Outcome, out: &mut Events) {
        match (state.stage, outcome) {
            (Stage::Luck(index), Outcome::Pick(Ref::Number(luck))) => {
                state.luck[usize::from(index)] = *luck as u8;
                state.stage = if index + 1 < state.seats { Stage::Luck(index + 1) } else { Stage::Prize };
                out.emit(|| {
                    let shown = Self::marker(seat(index), LUCK, *luck);
                    let refs = [Ref::Number(*luck)];
                    Event::new("luck", RULE, &[Ref::Seat(seat(index))]).private(seat(index), &refs, [shown])
                });
            }
            (Stage::Prize, Outcome::Pick(Ref::Card(card))) => {
                state.prize = *card;
                state.stage = Stage::Bids;
                out.emit(|| Event::new("prize", RULE, &[Ref::Card(*card)]));
            }
            (Stage::Roll { seat: index, contested }, outcome) => {
                let won = wins(outcome, contested);
                if won {
                    state.scores[usize::from(index)] += i32::from(state.prize) + 1;
                }
                let score = state.scores[usize::from(index)];
                let (code, who) = (if won { "won" } else { "lost" }, seat(index));
                out.emit(|| {
                    Event::new(code, RULE, &[Ref::Seat(who)]).change(Self::marker(who, SCORE, score))
                });
                self.close_round(state, out);
            }
            _ => unreachable!("the driver checks outcomes"),
        }
    }

    fn board(&self, state: &State, observer: Observer) -> Board {
        let mut board = Board::default();
        let taken = CardPile { count: state.taken.len() as u16, cards: state.taken.clone() };
        board.piles.insert(0, taken);
        for index in 0..state.seats {
            let (who, at) = (seat(index), Location::Seat(seat(index)));
            let mut mark = |kind, number| board.markers.insert(Marker { at, kind }, number);
            mark(SCORE, state.scores[usize::from(index)]);
            let luck = state.luck[usize::from(index)];
            let knows = matches!(observer, Observer::Seat(s) if s == who || state.knows[s.index()]);
            if luck > 0 && knows {
                mark(LUCK, i32::from(luck));
            }
            let open = !matches!(state.stage, Stage::Bids);
            if let Some(bid) = state.bids[usize::from(index)].filter(|_| open || observer.is(who)) {
                mark(BID, i32::from(bid));
            }
        }
        board
    }

    fn turn_state(&self, state: &State, observer: Observer) -> TurnState {
        let node = match self.node(state) {
            Node::Decision(seat) => NodeView::Decision(seat),
            Node::Sealed(to_act) => {
                let all = SeatSet::first(usize::from(state.seats));
                let committed = all.iter().filter(|seat| !to_act.contains(*seat)).collect();
                NodeView::Sealed { to_act, committed }
            }
            Node::Chance => NodeView::Chance,
            Node::Over => NodeView::Over(self.result(state).expect("it is over")),
        };
        let asked = if let Stage::Answer(index) = state.stage { Some(seat(index)) } else { None };
        let window = asked.map(|seat| Window {
            code: "contest",
            rule: RULE,
            seat,
            procedure: u32::from(state.round),
            attacked: false,
            pass_action: self.pass,
        });
        let flags = i32::from(state.boasted) + 2 * i32::from(state.peeked);
        let flag = |on: bool| i32::from(on);
        let mut roles = vec![
            ("round", Ref::Number(i32::from(state.round))),
            ("prize", Ref::Card(state.prize)),
            ("flags", Ref::Number(flags)),
            ("contested", Ref::Number(flag(matches!(state.stage, Stage::Roll { contested: true, .. })))),
            (
                "looked",
                Ref::Number(flag(state.looked && self.node(state).to_act().iter().any(|s| observer.is(s)))),
            ),
        ];
        for index in 0..state.seats {
            roles.push(("knows", Ref::Number(flag(state.knows[usize::from(index)]))));
        }
        let (stage, who) = match state.stage {
            Stage::Luck(who) => (0, who),
            Stage::Prize => (1, 0),
            Stage::Bids => (2, 0),
            Stage::Act(who) => (3, who),
            Stage::Answer(who) => (4, who),
            Stage::Roll { seat, .. } => (5, seat),
            Stage::Over => (6, 0),
        };
        roles.push(("seat", Ref::Seat(seat(who))));
        TurnState {
            node,
            prompt: Phrase::new("play", &[]),
            procedures: vec![Procedure { frame: "round", rule: RULE, stage, roles: roles.into() }].into(),
            window,
            entitlements: Vec::new(),
            warnings: Vec::new(),
        }
    }

    fn resample(&self, setup: &Setup, view: &View, rng: &mut dyn Rng) -> State {
        let procedure = &view.turn_state.procedures[0];
        let number = |role| if let Some(Ref::Number(n)) = procedure.role(role) { n } else { 0 };
        let marker = |index: u8, kind| {
            view.board.markers.get(&Marker { at: Location::Seat(seat(index)), kind }).map(|&n| n as u8)
        };
        let mut state = self.start(setup);
        state.round = number("round") as u8;
        let Some(Ref::Card(prize)) = procedure.role("prize") else { unreachable!("always there") };
        state.prize = prize;
        (state.boasted, state.peeked) = (number("flags") & 1 != 0, number("flags") & 2 != 0);
        state.looked = number("looked") != 0;
        let Some(Ref::Seat(who)) = procedure.role("seat") else { unreachable!("always there") };
        let who = who.index() as u8;
        state.stage = match procedure.stage {
            0 => Stage::Luck(who),
            1 => Stage::Prize,
            2 => Stage::Bids,
            3 => Stage::Act(who),
            4 => Stage::Answer(who),
            5 => Stage::Roll { seat: who, contested: number("contested") != 0 },
            _ => Stage::Over,
        };
        state.taken.clone_from(&view.board.piles[&0].cards);
        let knows: Vec<Ref> = procedure.roles("knows").collect();
        for index in 0..state.seats {
            let i = usize::from(index);
            state.knows[i] = knows[i] == Ref::Number(1);
            state.scores[i] = i32::from(marker(index, SCORE).unwrap_or(0));
            let drawn = !matches!(state.stage, Stage::Luck(now) if now <= index);
            if drawn && state.luck[i] == 0 {
                state.luck[i] = marker(index, LUCK).unwrap_or(1 + u8::from(below(4, rng) == 0));
            }
            state.bids[i] = marker(index, BID);
            if let NodeView::Sealed { committed, .. } = view.turn_state.node {
                state.done[i] = committed.contains(seat(index));
                if state.done[i] && state.bids[i].is_none() {
                    state.bids[i] = Some(below(4, rng) as u8);
                }
            } else if state.bids[i].is_some() {
                state.done[i] = true;
            }
        }
        state
    }

    fn scramble(&self, state: &State, seat: Seat, rng: &mut dyn Rng) -> State {
        let mut other = state.clone();
        for index in (0..usize::from(state.seats)).filter(|&index| index != seat.index()) {
            if state.luck[index] > 0 && !state.knows[seat.index()] {
                other.luck[index] = 1 + below(2, rng) as u8;
            }
        }
        other
    }

    /// Drops the draft: an absent seat bids nothing and takes nothing.
    fn default_action(&self, released: &State, _: Seat, _: &[ActionId]) -> DefaultAction {
        let actions =
            if released.stage == Stage::Bids { vec![ActionId(0), self.done] } else { vec![self.pass] };
        DefaultAction { keep: 0, actions }
    }

    /// With a fault, as a game may have it: what it prints for `look` it does not read.
    fn print_line(&self, _: &State, _: Seat, actions: &[ActionId]) -> String {
        let words = actions.iter().map(|&action| self.catalogue.actions.notation(action));
        words
            .map(|word| if word == "look" { "look around".to_owned() } else { word })
            .collect::<Vec<_>>()
            .join("; ")
    }

    fn encode(&self, state: &State, to: &mut Writer) {
        to.u8(state.seats);
        to.u8(state.rounds);
        to.u8(state.round);
        let (tag, seat, contested) = match state.stage {
            Stage::Luck(who) => (0, who, false),
            Stage::Prize => (1, 0, false),
            Stage::Bids => (2, 0, false),
            Stage::Act(who) => (3, who, false),
            Stage::Answer(who) => (4, who, false),
            Stage::Roll { seat, contested } => (5, seat, contested),
            Stage::Over => (6, 0, false),
        };
        to.u8(tag);
        to.u8(seat);
        to.bool(contested);
        to.u16(state.prize);
        to.list(&state.taken, |to, &card| to.u16(card));
        for index in 0..2 {
            to.u8(state.luck[index]);
            to.bool(state.knows[index]);
            to.option(state.bids[index], Writer::u8);
            to.bool(state.done[index]);
            to.i32(state.scores[index]);
        }
        to.bool(state.boasted);
        to.bool(state.peeked);
        to.bool(state.looked);
    }

    fn decode(&self, from: &mut Reader<'_>) -> Result<State, DecodeError> {
        let (seats, rounds, round) =
            (from.below(3, "seats")?, from.below(6, "rounds")?, from.below(6, "a round")?);
        let (tag, seat, contested) = (from.below(7, "a stage")?, from.below(2, "a seat")?, from.bool()?);
        let stage = match tag {
            0 => Stage::Luck(seat),
            1 => Stage::Prize,
            2 => Stage::Bids,
            3 => Stage::Act(seat),
            4 => Stage::Answer(seat),
            5 => Stage::Roll { seat, contested },
            _ => Stage::Over,
        };
        let (prize, taken) = (from.u16()?, from.list(8, Reader::u16)?);
        let mut state = State {
            seats,
            rounds,
            round,
            stage,
            prize,
            taken,
            luck: [0; 2],
            knows: [false; 2],
            bids: [None; 2],
            done: [false; 2],
            scores: [0; 2],
            boasted: false,
            peeked: false,
            looked: false,
        };
        for index in 0..2 {
            state.luck[index] = from.u8()?;
            state.knows[index] = from.bool()?;
            state.bids[index] = from.option(|from| from.below(4, "a bid"))?;
            state.done[index] = from.bool()?;
            state.scores[index] = from.i32()?;
        }
        (state.boasted, state.peeked, state.looked) = (from.bool()?, from.bool()?, from.bool()?);
        Ok(state)
    }
}

impl Prize {
    fn close_round(&self, state: &mut State, out: &mut Events) {
        Self::next_round(state);
        let pile = CardPile { count: state.taken.len() as u16, cards: state.taken.clone() };
        let gone = (0..state.seats).map(|index| Marker { at: Location::Seat(seat(index)), kind: BID });
        let gone: Vec<Change> = gone.map(|marker| Change::Marker(marker, None)).collect();
        out.emit(|| Event::new("round", RULE, &[]).change(Change::Pile(0, pile)).changes(gone));
    }
}

fn wins(outcome: &Outcome, contested: bool) -> bool {
    let Outcome::Roll(faces) = outcome else { return false };
    faces.iter().sum::<u8>() >= if contested { 9 } else { 7 }
}
