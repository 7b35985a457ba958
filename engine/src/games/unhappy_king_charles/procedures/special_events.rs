//! Special events (6.6): the Queen, Brentford, the Cessation, the Lieutenant General, Rupert's dismissal, the Bishops, Lorraine. Turnham
//! Green and London Rising have files of their own.

use crate::vocabulary::*;

use super::super::actions::Action;
use super::super::content::brigades::Faction;
use super::super::content::ids::{AreaId, AreaSet, CardId, CounterSet, GeneralId, GeneralSet, LeaderId};
use super::super::content::operations::Paragraph;
use super::super::content::{PARLIAMENT, ROYALIST};
use super::super::frames::Frame;
use super::super::state::{Happened, Holder, Post, Queen, State};
use super::super::{UnhappyKing, catalogue, rules};
use super::consequences::Cause;

impl UnhappyKing {
    /// Returns whether the paragraph of a card can be played for its event now, as far as everybody knows (K5, K19); its side is asked elsewhere.
    #[must_use]
    pub(in super::super) fn paragraph_possible(&self, state: &State, _: Seat, paragraph: Paragraph) -> bool {
        let people = &self.content.people;
        let in_game = |general: GeneralId| state.generals[general].post != Post::Out;
        match paragraph {
            Paragraph::Standard | Paragraph::SolemnLeague | Paragraph::NewModelArmy => true,
            Paragraph::Queen => state.queen == Queen::Abroad && !self.queen_landings(state).is_empty(),
            Paragraph::Brentford => {
                state.turn.number() <= self.content.numbers.brentford.until
                    && !state.has(Happened::BRENTFORD)
                    && in_game(people.king)
            }
            Paragraph::TurnhamGreen => self.london_is_threatened(state),
            Paragraph::Cessation => !state.has(Happened::CESSATION) && !self.irish_landings(state).is_empty(),
            Paragraph::LieutenantGeneral => {
                !state.has(Happened::LIEUTENANT_GENERAL) && in_game(people.rupert)
            }
            Paragraph::RupertDismissed => in_game(people.rupert),
            Paragraph::Bishops => self.covenanters_on_map(state),
            Paragraph::Lorraine => {
                state.generals[people.lorraine].post == Post::Waiting
                    && !self.lorraine_landings(state).is_empty()
            }
            Paragraph::LondonRising => self.london_may_rise(state),
        }
    }

    /// A special event goes on; `false` if the dice are asked.
    pub(in super::super) fn advance_special(
        &self,
        state: &mut State,
        (seat, card): (Seat, CardId),
        stage: u8,
        out: &mut Events,
    ) -> bool {
        let paragraph = self.paragraph(card);
        if self.awaits_rising(paragraph, stage) {
            return false;
        }
        if let Some(Frame::Special { stage, .. }) = state.frames.top_mut() {
            *stage += 1;
        }
        match (paragraph, stage) {
            (Some(Paragraph::Brentford), 0) => {
                let held = rules::BRENTFORD.gives(Happened::BRENTFORD, Happened::empty());
                self.note(state, held, Event::new("brentford_held", rules::BRENTFORD, &[]), out);
            }
            (Some(Paragraph::Queen | Paragraph::Cessation | Paragraph::Lorraine), 0) => {
                self.call_landing(state, seat, card, out);
            }
            (Some(Paragraph::TurnhamGreen), 0) => {
                state.frames.open(Frame::Gathering { seat: PARLIAMENT, level: 0, from: None, face: None });
            }
            (Some(Paragraph::LieutenantGeneral), 0) => self.promote_rupert(state, out),
            (Some(Paragraph::RupertDismissed), 0) => self.dismiss_rupert(state, out),
            (Some(Paragraph::Bishops), 0) => self.abandon_bishops(state, out),
            (Some(Paragraph::Bishops), 1) => {
                state.frames.open(Frame::Relocation { seat: PARLIAMENT, general: None });
            }
            (Some(Paragraph::LondonRising), 0) => {}
            (Some(Paragraph::LondonRising), 2) => self.settle_stacks(state, PARLIAMENT),
            (Some(Paragraph::Lorraine | Paragraph::RupertDismissed | Paragraph::LieutenantGeneral), 1) => {
                self.settle_stacks(state, ROYALIST);
            }
            _ => {
                state.frames.close();
            }
        }
        true
    }

    fn note(&self, state: &mut State, what: Happened, event: Event, out: &mut Events) {
        let scene = Scene::open(self, state, 2, out);
        state.happened |= what;
        scene.publish(self, state, out, || event);
    }

    /// The Areas where the Queen can land: not Parliament's, without its Brigades (6.6).
    fn queen_landings(&self, state: &State) -> AreaSet {
        let landing = self.content.numbers.queen.landing - state.control[PARLIAMENT.index()];
        rules::QUEEN.gives(landing - state.occupied(&self.content, PARLIAMENT), landing)
    }

    /// The Ports where the Irish can land: of the Regions, without Parliament's marker, Brigades or Siege marker (6.6, V14).
    fn irish_landings(&self, state: &State) -> AreaSet {
        let landing = &self.content.numbers.landing;
        let near = self.content.areas_of(landing.regions.iter());
        let further = rules::CESSATION.applies(self.naval_status(state) < 0);
        let regions = if further { near | self.content.areas_of(landing.naval_regions.iter()) } else { near };
        let free = (regions & self.content.ports)
            - state.control[PARLIAMENT.index()]
            - state.occupied(&self.content, PARLIAMENT);
        free.that(|area| !state.besieged(&self.content, area))
    }

    /// The Areas where Charles of Lorraine can land: the Royalist's, without Brigades of Parliament's outside (6.6, V18).
    fn lorraine_landings(&self, state: &State) -> AreaSet {
        let own = self.content.numbers.lorraine.at & state.control[ROYALIST.index()];
        own.that(|area| rules::LORRAINE.allows(state.stack(&self.content, PARLIAMENT, area).is_empty()))
    }

    /// The Areas that are asked for by a card's event.
    fn landings(&self, state: &State, card: CardId) -> AreaSet {
        match self.paragraph(card) {
            Some(Paragraph::Queen) => self.queen_landings(state),
            Some(Paragraph::Cessation) => self.irish_landings(state),
            Some(Paragraph::Lorraine) => self.lorraine_landings(state),
            _ => self.london_exits(state),
        }
    }

    /// An Area is asked for, if there is any.
    pub(in super::super) fn call_landing(
        &self,
        state: &mut State,
        seat: Seat,
        card: CardId,
        out: &mut Events,
    ) {
        if self.landings(state, card).is_empty() {
            out.emit(|| Event::new("event_without_effect", rules::ONCE_A_MATCH, &[card.into()]));
        } else {
            state.frames.open(Frame::Landing { seat, card });
        }
    }

    pub(in super::super) fn offer_landing(
        &self,
        state: &State,
        _: Seat,
        card: CardId,
        offer: &mut impl FnMut(Action),
    ) {
        self.landings(state, card).iter().map(Action::At).for_each(offer);
    }

    /// V7, V8, V14, V18: see the Areas of each.
    pub(in super::super) fn examine_landing(
        &self,
        state: &State,
        _: Seat,
        card: CardId,
        action: Action,
        why: &mut Why,
    ) -> ControlFlow<()> {
        let Action::At(area) = action else { return why.refuse(CONTRACT, "NOT_NOW") };
        let rule = match self.paragraph(card) {
            Some(Paragraph::Queen) => rules::QUEEN,
            Some(Paragraph::Cessation) => rules::CESSATION,
            Some(Paragraph::Lorraine) => rules::LORRAINE,
            _ => rules::LONDON_RISEN,
        };
        why.demand(self.landings(state, card).contains(area), rule, "NO_LANDING_THERE", &[area.into()])
    }

    pub(in super::super) fn apply_landing(
        &self,
        state: &mut State,
        seat: Seat,
        card: CardId,
        action: Action,
        out: &mut Events,
    ) {
        let Action::At(area) = action else { unreachable!("an illegal action was applied") };
        state.frames.close();
        match self.paragraph(card) {
            Some(Paragraph::Queen) => {
                let scene = Scene::open(self, state, 2, out);
                state.queen = Queen::In(area);
                scene.publish(self, state, out, || Event::new("queen_lands", rules::QUEEN, &[area.into()]));
            }
            Some(Paragraph::Cessation) => {
                let event = Event::new("cessation", rules::CESSATION, &[area.into()]);
                self.note(state, Happened::CESSATION, event, out);
                state.frames.open(Frame::Disembarking { seat, area });
            }
            Some(Paragraph::Lorraine) => self.land_lorraine(state, area, out),
            _ => self.leave_london(state, area, out),
        }
    }

    /// The Irish who have not arrived.
    fn waiting_irish(&self, state: &State) -> CounterSet {
        state.brigades.at(Holder::AWAY) & self.content.band(Faction::Irish)
    }

    /// Where one of the Irish can go in the Area of the landing: outside, inside an own Fortress, on a display with room (K15).
    fn shores(&self, state: &State, area: AreaId) -> impl Iterator<Item = Holder> {
        let fortress = state.fortress(&self.content, area);
        let own = fortress.filter(|_| state.controller(area) == Some(ROYALIST));
        let room = own.is_some_and(|fortress| {
            state.garrison(&self.content, area).count() < self.content.fortresses[fortress].room.into()
        });
        let notable = state.notable_at(&self.content, area);
        let walls = own.filter(|_| room).map(|fortress| match notable {
            Some(notable) => Holder::from(notable),
            None => Holder::inside(fortress),
        });
        let leads = move |general: &GeneralId| {
            let commander = state.commander(*general);
            state.area_of(*general) == Some(area)
                && self.content.generals[*general].faction == Faction::Royalist
                && state.size(commander) < self.limit_of(state, commander)
                && (!state.is_inside(*general) || room)
        };
        let leaders = State::generals_of(&self.content, ROYALIST).filter(leads).map(Holder::from);
        [Holder::outside(area)].into_iter().chain(walls).chain(leaders)
    }

    /// V14: all have landed.
    pub(in super::super) fn advance_disembarking(
        &self,
        state: &mut State,
        area: AreaId,
        out: &mut Events,
    ) -> bool {
        if self.waiting_irish(state).is_empty() {
            state.frames.close();
            return true;
        }
        if self.shores(state, area).nth(1).is_none() {
            self.disembark(state, Holder::outside(area), out);
            return true;
        }
        false
    }

    fn disembark(&self, state: &mut State, to: Holder, out: &mut Events) {
        let counter = self.waiting_irish(state).first().expect("some of the Irish are still to land");
        let scene = Scene::open(self, state, 2, out);
        state.brigades.change(&self.content, CounterSet::one(counter), |counter| counter.at = to);
        let refs = [Ref::from(catalogue::location(&self.content, to))];
        scene.publish(self, state, out, || Event::new("irish_land", rules::CESSATION, &refs));
    }

    pub(in super::super) fn offer_disembarking(
        &self,
        state: &State,
        _: Seat,
        area: AreaId,
        offer: &mut impl FnMut(Action),
    ) {
        self.shores(state, area).map(Action::To).for_each(offer);
    }

    /// V14, K15.
    pub(in super::super) fn examine_disembarking(
        &self,
        state: &State,
        _: Seat,
        area: AreaId,
        action: Action,
        why: &mut Why,
    ) -> ControlFlow<()> {
        let Action::To(to) = action else { return why.refuse(CONTRACT, "NOT_NOW") };
        let place = Ref::from(catalogue::location(&self.content, to));
        why.demand(self.shores(state, area).any(|one| one == to), rules::CESSATION, "NO_ROOM_THERE", &[place])
    }

    pub(in super::super) fn apply_disembarking(
        &self,
        state: &mut State,
        _: Seat,
        _: AreaId,
        action: Action,
        out: &mut Events,
    ) {
        let Action::To(to) = action else { unreachable!("an illegal action was applied") };
        self.disembark(state, to, out);
    }

    /// V18: Charles of Lorraine comes with his Brigades; then Armies join, or part (S7).
    fn land_lorraine(&self, state: &mut State, area: AreaId, out: &mut Events) {
        let lorraine = self.content.people.lorraine;
        let scene = Scene::open(self, state, 2, out);
        let coming = state.brigades.at(Holder::AWAY) & self.content.band(Faction::Lorrainer);
        state.brigades.change(&self.content, coming, |counter| counter.at = Holder::from(lorraine));
        state.generals.place(lorraine, Post::Area(area));
        let refs = [Ref::from(lorraine), Ref::from(area)];
        scene.publish(self, state, out, || Event::new("lorraine_lands", rules::LORRAINE, &refs));
    }

    /// V15: Rupert takes over the Army of a General of a lower level, if the whole of it fits; else he stands by himself (S7).
    fn promote_rupert(&self, state: &mut State, out: &mut Events) {
        let rupert = self.content.people.rupert;
        let held = self.held_under_siege(state);
        let scene = Scene::open(self, state, 2, out);
        state.happened |= Happened::LIEUTENANT_GENERAL;
        let commander = state.commander(rupert);
        if rules::LIEUTENANT_GENERAL.applies(commander != rupert) {
            let post = state.generals[commander].post;
            let army = state.army(commander).that(|one| one != rupert);
            let fits = state.size(commander) <= self.limit_of(state, rupert);
            if fits && army.iter().all(|one| self.may_serve(state, one, rupert)) {
                for one in army {
                    state.generals.place(one, Post::Under(rupert));
                }
            }
            state.generals.place(rupert, post);
        }
        let refs = [Ref::from(rupert)];
        scene
            .publish(self, state, out, || Event::new("lieutenant_general", rules::LIEUTENANT_GENERAL, &refs));
        // G1: who commanded only Subordinates' Brigades leaves as a Subordinate.
        self.consequences(state, held, Cause::Other, out);
    }

    /// V16: those who may take Rupert's place: in the Unemployed Generals Box, and no foreigners.
    fn successors(&self, state: &State) -> GeneralSet {
        let fits = |general: &GeneralId| {
            rules::RUPERT_DISMISSED.allows(state.generals[*general].post == Post::Unemployed)
                && self.content.generals[*general].faction == Faction::Royalist
        };
        let rupert = self.content.people.rupert;
        State::generals_of(&self.content, ROYALIST)
            .filter(|&general| general != rupert && state.area_of(general).is_none())
            .filter(fits)
            .collect()
    }

    /// V16: off the map Rupert only leaves; on it the Royalist may name who takes his place.
    fn dismiss_rupert(&self, state: &mut State, out: &mut Events) {
        if state.area_of(self.content.people.rupert).is_none() || self.successors(state).is_empty() {
            self.replace_rupert(state, None, out);
        } else {
            state.frames.open(Frame::Successor { seat: ROYALIST });
        }
    }

    /// V16: Rupert leaves the game; his Brigades go to his successor, or stay unled.
    fn replace_rupert(&self, state: &mut State, successor: Option<GeneralId>, out: &mut Events) {
        let rupert = self.content.people.rupert;
        let held = self.held_under_siege(state);
        let scene = Scene::open(self, state, 2, out);
        if let Some(area) = state.area_of(rupert) {
            self.leave_display(state, rupert, area);
        }
        match successor {
            Some(successor) => self.succeed(state, rupert, successor),
            None => {
                self.dismiss(state, rupert, Post::Out);
            }
        }
        let refs: Vec<Ref> = [rupert].into_iter().chain(successor).map(Ref::from).collect();
        scene.publish(self, state, out, || Event::new("rupert_dismissed", rules::RUPERT_DISMISSED, &refs));
        self.consequences(state, held, Cause::Other, out);
    }

    pub(in super::super) fn offer_successor(&self, state: &State, _: Seat, offer: &mut impl FnMut(Action)) {
        self.successors(state).iter().map(|one| Action::Leader(LeaderId::from(one))).for_each(&mut *offer);
        offer(Action::Pass);
    }

    /// V16: somebody of the Unemployed Generals Box, or nobody.
    pub(in super::super) fn examine_successor(
        &self,
        state: &State,
        _: Seat,
        action: Action,
        why: &mut Why,
    ) -> ControlFlow<()> {
        match action {
            Action::Pass => ControlFlow::Continue(()),
            Action::Leader(leader) => {
                let fits = leader.general().is_some_and(|one| self.successors(state).contains(one));
                why.demand(fits, rules::RUPERT_DISMISSED, "NO_SUCCESSOR", &[leader.into()])
            }
            _ => why.refuse(CONTRACT, "NOT_NOW"),
        }
    }

    pub(in super::super) fn apply_successor(
        &self,
        state: &mut State,
        _: Seat,
        action: Action,
        out: &mut Events,
    ) {
        state.frames.close();
        let successor = if let Action::Leader(leader) = action { leader.general() } else { None };
        self.replace_rupert(state, successor, out);
    }

    /// The Covenanter Brigades on the map.
    fn covenanter_brigades(&self, state: &State) -> CounterSet {
        state.on_map(&self.content, PARLIAMENT) & self.content.band(Faction::Covenanter)
    }

    fn covenanters_on_map(&self, state: &State) -> bool {
        let general = |general: GeneralId| {
            self.content.generals[general].faction == Faction::Covenanter && state.area_of(general).is_some()
        };
        State::generals_of(&self.content, PARLIAMENT).any(general)
            || !self.covenanter_brigades(state).is_empty()
    }

    /// V17: all Covenanters leave the map for good; Fortresses under Siege that they alone held surrender.
    fn abandon_bishops(&self, state: &mut State, out: &mut Events) {
        let held = self.held_under_siege(state);
        let scene = Scene::open(self, state, 2, out);
        let leaving = self.covenanter_brigades(state);
        let generals: GeneralSet = State::generals_of(&self.content, PARLIAMENT)
            .filter(|&general| self.content.generals[general].faction == Faction::Covenanter)
            .filter(|&general| state.area_of(general).is_some())
            .collect();
        if rules::BISHOPS.applies(true) {
            state.brigades.change(&self.content, leaving, |counter| counter.at = Holder::OUT);
            for general in generals {
                if let Some(area) = state.area_of(general) {
                    self.leave_display(state, general, area);
                }
                self.dismiss(state, general, Post::Out);
            }
        }
        scene.publish(self, state, out, || Event::new("covenanters_go_home", rules::BISHOPS, &[]));
        self.consequences(state, held, Cause::Other, out);
    }
}
