//! A made-up game with one action of each reach: `climb` can be taken back, `swear` is a release, `look` learns, `throw` is dice.
//! `breathe` does nothing, and can be done for ever.

use std::ops::ControlFlow;

use edgehill_engine::action::{ActionId, ActionTable, VerbKind};
use edgehill_engine::catalogue::{Catalogue, ScenarioDef, SeatDef};
use edgehill_engine::chance::{Chance, Class, Outcome};
use edgehill_engine::codec::{DecodeError, Reader, Writer};
use edgehill_engine::content::ContentHash;
use edgehill_engine::event::{Event, Events};
use edgehill_engine::game::{CONTRACT, Game, MatchResult, Node, Termination};
use edgehill_engine::ledger::{Ledger, Rule};
use edgehill_engine::reference::{Location, Ref, Refs};
use edgehill_engine::refusal::Why;
use edgehill_engine::seat::{Observer, Seat};
use edgehill_engine::setup::Setup;
use edgehill_engine::view::{Board, Change, Marker, NodeView, Path, Phrase, TurnState, View, Window};
use num_bigint::BigUint;
use rand_core::Rng;

pub(crate) const CLIMB: ActionId = ActionId(0);
pub(crate) const SWEAR: ActionId = ActionId(1);
pub(crate) const LOOK: ActionId = ActionId(2);
pub(crate) const THROW: ActionId = ActionId(3);
pub(crate) const DARE: ActionId = ActionId(4);
pub(crate) const PASS: ActionId = ActionId(5);
pub(crate) const DONE: ActionId = ActionId(6);
pub(crate) const BREATHE: ActionId = ActionId(7);

const RULE: Rule = Rule::new("1");

/// The seat that acts, and the height that each has climbed; turns end the game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Rung {
    pub(crate) turn: u8,
    pub(crate) heights: [u8; 2],
    pub(crate) rolling: bool,
    pub(crate) dared: bool,
}

#[derive(Debug)]
pub(crate) struct Ladder(Catalogue);

impl Ladder {
    pub(crate) const TURNS: u8 = 6;

    pub(crate) fn new() -> Self {
        let mut actions = ActionTable::default();
        for (id, kind) in [
            ("climb", VerbKind::Play),
            ("swear", VerbKind::Play),
            ("look", VerbKind::Play),
            ("throw", VerbKind::Play),
            ("dare", VerbKind::Play),
            ("pass", VerbKind::Pass),
            ("done", VerbKind::Done),
            ("breathe", VerbKind::Play),
        ] {
            let verb = actions.verb(id, kind, id, &[]);
            actions.add(verb, &[], id).expect("each word stands once");
        }
        let seat = |id| SeatDef { id, name: id, color: "#000000", emblem: "" };
        Self(Catalogue {
            id: "ladder",
            title: "Ladder",
            summary: "A made-up game.",
            rules_version: 1,
            content: ContentHash::from_bytes([0; 32]),
            seats: vec![seat("first"), seat("second")],
            sides: vec![],
            scenarios: vec![ScenarioDef {
                id: "plain",
                title: "Plain",
                seats: 2,
                returns_min: -1,
                returns_max: 1,
            }],
            options: Vec::new(),
            attributes: Vec::new(),
            boards: Vec::new(),
            space_kinds: Vec::new(),
            adjacency_kinds: vec![],
            spaces: Vec::new(),
            mats: Vec::new(),
            tracks: Vec::new(),
            grades: vec![],
            piles: Vec::new(),
            kinds: Vec::new(),
            pieces: Vec::new(),
            cards: Vec::new(),
            markers: Vec::new(),
            arrows: Vec::new(),
            arrow_results: vec![],
            charts: Vec::new(),
            procedures: vec![],
            roles: Vec::new(),
            flags: Vec::new(),
            actions,
            phrases: Default::default(),
            ledger: Ledger::default(),
            phase_ends: Vec::new(),
        })
    }

    pub(crate) fn setup(&self) -> Setup {
        Setup::default_of(&self.0)
    }
}

fn active(state: &Rung) -> Seat {
    Seat::new(state.turn % 2)
}

fn height(seat: Seat, height: u8) -> Change {
    Change::Marker(Marker { at: Location::Seat(seat), kind: 0 }, Some(height.into()))
}

impl Game for Ladder {
    type State = Rung;

    fn catalogue(&self) -> &Catalogue {
        &self.0
    }

    fn start(&self, _setup: &Setup) -> Rung {
        Rung { turn: 0, heights: [0; 2], rolling: false, dared: false }
    }

    fn node(&self, state: &Rung) -> Node {
        match state {
            Rung { rolling: true, .. } => Node::Chance,
            Rung { turn: Self::TURNS, .. } => Node::Over,
            Rung { dared: true, .. } => Node::Decision(active(state).other()),
            _ => Node::Decision(active(state)),
        }
    }

    fn result(&self, state: &Rung) -> Option<MatchResult> {
        let result = MatchResult {
            returns: vec![0, 0],
            code: "level",
            refs: Refs::new(),
            rule: RULE,
            grade: "",
            termination: Termination::Victory,
        };
        (self.node(state) == Node::Over).then_some(result)
    }

    fn bound(&self, _setup: &Setup) -> u32 {
        100
    }

    fn candidates(&self, _state: &Rung, _seat: Seat, into: &mut Vec<ActionId>) {
        into.extend([CLIMB, SWEAR, LOOK, THROW, DARE, PASS, DONE, BREATHE]);
    }

    fn examine(&self, state: &Rung, seat: Seat, action: ActionId, why: &mut Why) -> ControlFlow<()> {
        why.require(state.dared == (action == PASS), RULE, "ANSWER_THE_DARE", &[])?;
        let low = matches!(action, PASS | DONE | BREATHE) || state.heights[seat.index()] < 10;
        why.require(low, RULE, "TOO_HIGH", &[])
    }

    fn apply(&self, state: &mut Rung, seat: Seat, action: ActionId, out: &mut Events) {
        let who = Ref::Seat(seat);
        match action {
            THROW => state.rolling = true,
            DARE => {
                state.dared = true;
                state.heights[seat.index()] += 1;
                let now = state.heights[seat.index()];
                out.emit(|| Event::new("dares", RULE, &[who]).change(height(seat, now)));
            }
            PASS => state.dared = false,
            BREATHE => {}
            DONE => {
                state.turn += 1;
                out.emit(|| Event::new("rests", RULE, &[who]));
            }
            _ => {
                state.heights[seat.index()] += 1;
                let now = state.heights[seat.index()];
                out.emit(|| Event::new("climbs", RULE, &[who]).change(height(seat, now)));
                match action {
                    SWEAR => out.release(),
                    LOOK => out.revealed(),
                    _ => {}
                }
            }
        }
    }

    fn chance(&self, _state: &Rung) -> Chance {
        Chance::Roll { stream: 1, dice: 1, sides: 6 }
    }

    fn roll_classes(&self, _state: &Rung) -> Vec<Class> {
        let class = |face: u8| Class {
            outcome: Outcome::Roll([face].into_iter().collect()),
            weight: BigUint::from(1u8),
        };
        (1..=6).map(class).collect()
    }

    fn resolve(&self, state: &mut Rung, outcome: &Outcome, out: &mut Events) {
        let Outcome::Roll(faces) = outcome else { return };
        let seat = active(state);
        state.rolling = false;
        state.heights[seat.index()] += faces[0];
        let now = state.heights[seat.index()];
        out.emit(|| Event::new("thrown", RULE, &[Ref::Number(faces[0].into())]).change(height(seat, now)));
    }

    fn board(&self, state: &Rung, _observer: Observer) -> Board {
        let mut board = Board::default();
        for seat in [Seat::new(0), Seat::new(1)] {
            if state.heights[seat.index()] > 0 {
                board.fold(&height(seat, state.heights[seat.index()]));
            }
        }
        board
    }

    fn turn_state(&self, state: &Rung, _observer: Observer) -> TurnState {
        let node = match self.node(state) {
            Node::Decision(seat) => NodeView::Decision(seat),
            _ => NodeView::Chance,
        };
        let window = state.dared.then(|| Window {
            code: "dare",
            rule: CONTRACT,
            seat: active(state).other(),
            procedure: state.turn.into(),
            attacked: state.heights[0] > 5,
            pass_action: PASS,
        });
        let prompt = Phrase::new("climb", &[Ref::Number(state.turn.into())]);
        TurnState {
            node,
            prompt,
            procedures: Path::new(),
            window,
            entitlements: Vec::new(),
            warnings: Vec::new(),
        }
    }

    fn resample(&self, setup: &Setup, _view: &View, _rng: &mut dyn Rng) -> Rung {
        self.start(setup)
    }

    fn scramble(&self, state: &Rung, _seat: Seat, _rng: &mut dyn Rng) -> Rung {
        state.clone()
    }

    fn encode(&self, state: &Rung, to: &mut Writer) {
        to.u8(state.turn);
        state.heights.iter().for_each(|&height| to.u8(height));
        to.bool(state.rolling);
        to.bool(state.dared);
    }

    fn decode(&self, from: &mut Reader<'_>) -> Result<Rung, DecodeError> {
        let (turn, heights) = (from.u8()?, [from.u8()?, from.u8()?]);
        Ok(Rung { turn, heights, rolling: from.bool()?, dared: from.bool()? })
    }
}
