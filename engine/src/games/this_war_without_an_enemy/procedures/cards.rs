//! Cards: the deal, the discards of 1642, the sealed choice, the events of the Operational and Tactical Phases.

use std::ops::ControlFlow;

use crate::deck::CardSet;
use crate::event::{Event, Events, Scene};
use crate::reference::Ref;
use crate::refusal::Why;
use crate::seat::{Seat, SeatSet};

use super::super::actions::Action;
use super::super::content::CardEvent;
use super::super::state::{Choosing, Fight, FightKind, Frame, NONE, State, UNMARKED, each};
use super::super::{ThisWar, rules};
use super::control::Control;

impl ThisWar {
    /// Returns the seats that still have to commit a card.
    pub(in super::super) fn to_act(state: &State) -> SeatSet {
        [0, 1].map(Seat::new).into_iter().filter(|seat| !state.choosing[seat.index()].committed).collect()
    }

    /// 2.1: whose cards are dealt while so many are left: the Royalist's first.
    pub(in super::super) fn dealing(&self, left: u8) -> usize {
        usize::from((left <= self.content.deal) == rules::DEAL.on())
    }

    /// 2.31: whether the cards of the Turn are turned up: once both are chosen.
    pub(in super::super) fn chosen(state: &State) -> bool {
        let mut committed = state.choosing.iter().map(|choosing| choosing.committed);
        if rules::CHOICE.on() { committed.all(|done| done) } else { committed.any(|done| done) }
    }

    /// Returns the number of cards that a seat lays aside, or chooses.
    pub(in super::super) fn wanted(&self, state: &State) -> usize {
        let discards = matches!(state.frames.top(), Some(Frame::Discards));
        if discards { usize::from(self.content.discards) } else { 1 }
    }

    /// 2.1: a card is dealt.
    pub(in super::super) fn dealt(&self, state: &mut State, card: u16, left: u8, out: &mut Events) {
        let scene = Scene::open(self, state, 2, out);
        let seat = self.content.cards[usize::from(card)].side;
        state.decks[seat.index()].remove(card);
        state.hands[seat.index()].insert(card);
        self.replace(state, Frame::Deal { left: left - 1 });
        let who = Ref::Seat(seat);
        let back = Ref::Kind(super::super::catalogue::CARD_BACK + seat.index() as u16);
        scene.publish(self, state, out, || {
            Event::new("dealt", rules::DEAL, &[who, back]).private(seat, &[who, Ref::Card(card)], [])
        });
    }

    pub(in super::super) fn examine_card(
        &self,
        state: &State,
        seat: Seat,
        action: Action,
        rule: crate::ledger::Rule,
        why: &mut Why,
    ) -> ControlFlow<()> {
        let picks = state.choosing[seat.index()].picks;
        match action {
            Action::Play(card) | Action::Discard(card) => {
                let free = state.hands[seat.index()].contains(card) && !picks.contains(card);
                why.demand(free, rule, "NOT_IN_HAND", &[Ref::Card(card)])?;
                why.require(picks.len() < self.wanted(state), rule, "PICKED_ALREADY", &[])
            }
            _ => {
                let wanted = self.wanted(state).min(state.hands[seat.index()].len());
                why.require(picks.len() == wanted, rule, "NOT_PICKED_YET", &[])
            }
        }
    }

    /// A card is picked in secret, or the picks are final.
    pub(in super::super) fn pick_card(
        &self,
        state: &mut State,
        seat: Seat,
        action: Action,
        out: &mut Events,
    ) {
        match action {
            Action::Play(card) | Action::Discard(card) => {
                state.choosing[seat.index()].picks.insert(card);
                let refs = [Ref::Seat(seat), Ref::Card(card)];
                let rule = if matches!(action, Action::Discard(_)) { rules::DISCARD } else { rules::CHOICE };
                out.emit(|| Event::only(seat, "picked", rule, &refs));
            }
            _ => state.choosing[seat.index()].committed = true,
        }
    }

    /// 2.1: the discards of 1642 go face down.
    pub(in super::super) fn lay_aside(&self, state: &mut State, out: &mut Events) {
        for side in 0..2 {
            let scene = Scene::open(self, state, 2, out);
            let Choosing { picks, .. } = std::mem::take(&mut state.choosing[side]);
            if rules::DISCARD.on() {
                state.discards[side] = picks;
                state.hands[side].0 &= !picks.0;
            }
            let seat = Ref::Seat(Seat::new(side as u8));
            scene.publish(self, state, out, || {
                Event::new("discarded", rules::DISCARD, &[seat, Ref::Number(picks.len() as i32)])
            });
        }
        self.replace(state, Frame::Initiative);
    }

    /// 2.31: the cards are turned up.
    pub(in super::super) fn turn_up(&self, state: &mut State, out: &mut Events) {
        for side in 0..2 {
            let scene = Scene::open(self, state, 2, out);
            let Choosing { picks, .. } = std::mem::take(&mut state.choosing[side]);
            let card = picks.iter().next();
            state.hands[side].0 &= !picks.0;
            state.cards[side] = card;
            let event = card.and_then(|card| self.content.cards[usize::from(card)].event);
            state.mining[side] = event == Some(CardEvent::Mining) && rules::MINING.on();
            let amount = card.map_or(0, |card| self.content.cards[usize::from(card)].amount);
            state.exempt[side] = match event {
                Some(CardEvent::QuartermasterGeneral) if rules::QUARTERMASTER.on() => amount,
                _ => 0,
            };
            let refs = [Ref::Seat(Seat::new(side as u8)), Ref::Card(card.unwrap_or(0))];
            scene.publish(self, state, out, || Event::new("shown", rules::CHOICE, &refs));
        }
        let points = [0, 1].map(|side| self.points_of(state, Seat::new(side)));
        if points[0] == points[1] && rules::TIE.on() {
            self.replace(state, Frame::Tie);
        } else {
            let royalist = points[0] > points[1] || !rules::INITIATIVE.on();
            self.set_first(state, Seat::new(u8::from(!royalist)), out);
        }
    }

    /// 2.31: Player 1 for the whole Turn.
    pub(in super::super) fn set_first(&self, state: &mut State, first: Seat, out: &mut Events) {
        let scene = Scene::open(self, state, 2, out);
        state.player1 = first;
        self.replace(state, Frame::OpEvents { done: 0 });
        scene.publish(self, state, out, || Event::new("player_1", rules::INITIATIVE, &[Ref::Seat(first)]));
    }

    pub(in super::super) fn points_of(&self, state: &State, seat: Seat) -> u8 {
        state.cards[seat.index()].map_or(0, |card| self.content.cards[usize::from(card)].points)
    }

    pub(in super::super) fn event_of(&self, state: &State, seat: Seat) -> Option<CardEvent> {
        self.content.cards[usize::from(state.cards[seat.index()]?)].event
    }

    pub(in super::super) fn amount_of(&self, state: &State, seat: Seat) -> u8 {
        state.cards[seat.index()].map_or(0, |card| self.content.cards[usize::from(card)].amount)
    }

    /// Returns whether an Operational event has a target, by public facts.
    pub(in super::super) fn can_happen(&self, state: &State, seat: Seat, event: CardEvent) -> bool {
        let map = self.content.of_side[seat.other().index()] & !state.at(super::super::state::POOL);
        match event {
            CardEvent::CampFever => {
                (0..self.content.areas.len() as u8).any(|area| self.fever_fits(state, seat, area))
            }
            CardEvent::Desertion => map != 0,
            _ => event.operational(),
        }
    }

    /// 6.42: two or more enemy blocks that are not Besieged.
    pub(in super::super) fn fever_fits(&self, state: &State, seat: Seat, area: u8) -> bool {
        state.out(&self.content, area, seat.other()).count_ones() >= 2
    }

    /// 6.01: the event of the card is enacted.
    pub(in super::super) fn use_event(&self, state: &mut State, seat: Seat, out: &mut Events) {
        let Some(event) = self.event_of(state, seat) else { return };
        let scene = Scene::open(self, state, 2, out);
        state.frames.close();
        let amount = self.amount_of(state, seat);
        let victim = seat.other();
        let abroad = self.abroad(state, victim) != 0;
        match event {
            CardEvent::CampFever => state.frames.open(Frame::Fever { seat }),
            CardEvent::Desertion if rules::DESERTION.on() => {
                state.frames.open(Frame::Desertion { seat: victim, regional: abroad });
                out.revealed();
            }
            CardEvent::Recruitment if rules::FREE_RECRUITMENT.on() => {
                state.frames.open(Frame::Free { seat, left: amount, guns: false });
            }
            CardEvent::RecruitmentArtillery if rules::SUPPLIES.on() => {
                state.frames.open(Frame::Free { seat, left: amount, guns: true });
            }
            CardEvent::FortificationOfLondon if rules::FORTIFICATION.on() => state.walls = true,
            _ => {}
        }
        let card = Ref::Card(state.cards[seat.index()].unwrap_or(0));
        let found = if event == CardEvent::Desertion { i32::from(abroad) } else { 0 };
        let refs = [Ref::Seat(seat), card, Ref::Number(found)];
        scene.publish(self, state, out, || Event::new("event_used", rules::OPERATIONAL_EVENTS, &refs));
        out.release();
    }

    /// 6.44: the Regional blocks of a seat that are outside their home.
    pub(in super::super) fn abroad(&self, state: &State, seat: Seat) -> u64 {
        let own = self.content.of_side[seat.index()] & self.content.regional;
        let out = |b: &usize| {
            self.content.area_of(state.blocks[*b].at).is_some_and(|at| self.content.abroad(*b, at))
        };
        each(own).filter(out).fold(0, |set, block| set | 1 << block)
    }

    /// 6.42: Camp Fever breaks out; how many blocks suffer is announced.
    pub(in super::super) fn fever(&self, state: &mut State, seat: Seat, area: u8, out: &mut Events) {
        let field = state.out(&self.content, area, seat.other()) & self.content.field();
        let left = self.amount_of(state, seat).min(field.count_ones() as u8);
        state.frames.close();
        if left > 0 && rules::CAMP_FEVER.on() {
            state.frames.open(Frame::FeverLoss { seat: seat.other(), area, left, first: NONE });
        }
        out.revealed();
        let refs = [Ref::Seat(seat), Ref::Space(area.into()), Ref::Number(left.into())];
        out.emit(|| Event::new("fever", rules::CAMP_FEVER, &refs));
    }

    /// Upright blocks are weakened by one each: others learn where.
    pub(in super::super) fn lose_one(
        &self,
        state: &mut State,
        block: usize,
        rule: crate::ledger::Rule,
        out: &mut Events,
    ) {
        let scene = Scene::open(self, state, 2, out);
        let seat = self.content.blocks[block].side;
        let place = Ref::Space(state.blocks[block].at.into());
        state.weaken(&self.content, block, 1);
        let own = [Ref::Seat(seat), place, Ref::Piece(block as u16)];
        let back = Ref::Kind(super::super::catalogue::BACK + seat.index() as u16);
        scene.publish(self, state, out, || {
            Event::new("loses", rule, &[own[0], place, back]).private(seat, &own, [])
        });
    }

    /// 6.42: whether this block can suffer.
    pub(in super::super) fn examine_fever_loss(
        &self,
        state: &State,
        (seat, area, first): (Seat, u8, u8),
        block: u8,
        why: &mut Why,
    ) -> ControlFlow<()> {
        let here = state.out(&self.content, area, seat) & self.content.field();
        let piece = Ref::Piece(block.into());
        why.require(here >> block & 1 != 0, rules::CAMP_FEVER, "NOT_THERE", &[piece])?;
        why.require(first != block, rules::CAMP_FEVER, "SUFFERED_ALREADY", &[piece])
    }

    /// 6.44: the victim's choices.
    pub(in super::super) fn examine_deserter(
        &self,
        state: &State,
        seat: Seat,
        regional: bool,
        block: u8,
        why: &mut Why,
    ) -> ControlFlow<()> {
        let index = usize::from(block);
        let area = self.content.area_of(state.blocks[index].at);
        let piece = Ref::Piece(block.into());
        let own = self.content.blocks[index].side == seat && area.is_some();
        why.demand(own, rules::DESERTION, "NOT_ON_THE_MAP", &[piece])?;
        let abroad = area.is_some_and(|area| self.content.abroad(index, area));
        why.require(!regional || abroad, rules::DESERTION, "NOT_ABROAD", &[piece])
    }

    pub(in super::super) fn desert(&self, state: &mut State, seat: Seat, block: u8, out: &mut Events) {
        let regional = matches!(state.frames.top(), Some(Frame::Desertion { regional: true, .. }));
        self.lose_one(state, block.into(), rules::DESERTION, out);
        state.frames.close();
        if regional && state.blocks[usize::from(block)].strength > 0 {
            state.frames.open(Frame::DesertionPlace { seat, block });
        }
    }

    /// 6.44: a Friendly Area at home, else a Neutral one, else the pool ([`NONE`]).
    pub(in super::super) fn deserter_goals(&self, state: &State, seat: Seat, block: u8) -> u64 {
        let home = self.content.blocks[usize::from(block)].home;
        let of = |control: Control| {
            let areas = each(home).filter(|&area| state.control(&self.content, area as u8) == control);
            areas.fold(0u64, |set, area| set | 1 << area)
        };
        let friendly = of(Control::Of(seat));
        if friendly != 0 { friendly } else { of(Control::Neutral) }
    }

    /// A block is put elsewhere, upright.
    pub(in super::super) fn relocate(
        &self,
        state: &mut State,
        block: u8,
        to: u8,
        fact: (&'static str, crate::ledger::Rule),
        out: &mut Events,
    ) {
        let scene = Scene::open(self, state, 2, out);
        let index = usize::from(block);
        let (seat, from) = (self.content.blocks[index].side, state.blocks[index].at);
        if to == super::super::state::POOL {
            state.eliminate(&self.content, index);
        } else {
            state.depart(&self.content, 1 << index);
            state.put(index, to);
            for place in [from, to] {
                if let Some(area) = self.content.area_of(place) {
                    state.touch(&self.content, area);
                }
            }
        }
        let place = |at: u8| {
            if at == super::super::state::POOL {
                Ref::Mat(super::super::catalogue::POOL_MAT + seat.index() as u16)
            } else {
                Ref::Space(at.into())
            }
        };
        let back = Ref::Kind(super::super::catalogue::BACK + seat.index() as u16);
        let refs = |what| [Ref::Seat(seat), what, place(from), place(to)];
        scene.publish(self, state, out, || {
            Event::new(fact.0, fact.1, &refs(back)).private(seat, &refs(Ref::Piece(block.into())), [])
        });
    }

    /// 7.01 (T2): whether a seat's Tactical event can be given to an Area.
    pub(in super::super) fn tactic_fits(&self, state: &State, seat: Seat, area: u8) -> bool {
        let content = &self.content;
        let city = content.areas[usize::from(area)].city.filter(|&c| state.siege[usize::from(c)] >= UNMARKED);
        let contested = state.contested(content, area);
        match self.event_of(state, seat) {
            Some(CardEvent::AdvantageousTerrain) => {
                let defends = contested && state.attacker(content, area) != seat;
                let besieges = city.is_some() && state.inside(content, area, seat.other()) != 0;
                let besieged = city.is_some_and(|city| {
                    state.inside(content, area, seat) != 0 && !self.open_walls(state, city)
                });
                defends || besieges || besieged
            }
            Some(_) => contested || city.is_some(),
            None => false,
        }
    }

    /// 8.3: London before its Fortification.
    pub(in super::super) fn open_walls(&self, state: &State, city: u8) -> bool {
        self.content.cities[usize::from(city)].incomplete && !state.walls && rules::LONDON_WALLS.on()
    }

    /// The events that work in a fight that begins here; they are used up.
    pub(in super::super) fn bring_tactics(&self, state: &mut State, fight: &mut Fight) {
        for side in 0..2 {
            let seat = Seat::new(side as u8);
            if state.tactic[side] != fight.area {
                continue;
            }
            let storm = fight.kind == FightKind::Storm;
            let force = match self.event_of(state, seat) {
                Some(CardEvent::AdvantageousTerrain)
                    if fight.defender() == seat
                        && !(storm && self.open_walls(state, fight.city))
                        && rules::ADVANTAGE.on() =>
                {
                    Fight::ADVANTAGE << side
                }
                Some(CardEvent::DeterminedLastStand) if rules::LAST_STAND.on() => Fight::STAND << side,
                Some(CardEvent::TerrainDisfavoursCavalry) if rules::DISFAVOUR.on() => Fight::DISFAVOUR,
                Some(CardEvent::WellPositionedArtillery) if !storm && rules::WELL_POSITIONED.on() => {
                    Fight::WELL << side
                }
                _ => continue,
            };
            fight.force |= force;
            state.tactic[side] = NONE;
        }
    }

    /// 11.4: the decks of the next year.
    pub(in super::super) fn shuffle_decks(&self, state: &mut State) {
        for side in 0..2 {
            let back = state.played[side].0 | state.discards[side].0;
            let back = if rules::DECKS.on() { back | self.content.second_deck[side].0 } else { back };
            state.decks[side] = CardSet(state.decks[side].0 | state.hands[side].0 | back);
            (state.played[side], state.discards[side]) = (CardSet::default(), CardSet::default());
            state.hands[side] = CardSet::default();
        }
    }
}
