//! Retreats, step by step, and the Surrender of those who can't (10.3, 10.4, 18.5, RT1 to RT10); the way back after a draw (B9).

use crate::ledger::Rule;
use crate::vocabulary::*;

use super::super::actions::{Action, Goal};
use super::super::content::ids::{AreaId, CounterId, CounterSet, GeneralId, GeneralSet};
use super::super::content::map::LineKind;
use super::super::content::turns::RuleOption;
use super::super::frames::Frame;
use super::super::state::{BattleKind, Holder, Margin, Marks, Post, State, Told};
use super::super::{UnhappyKing, catalogue, rules};
use super::battle::stages;
use super::brigade_choice::{BrigadeChoice, ChoiceStep};
use super::consequences::Cause;

/// A stack on its retreat: where it is, and what it may still do.
#[derive(Copy, Clone, Debug)]
struct Stand {
    /// Its Area.
    at: AreaId,
    /// It has left the Area of the Battle.
    begun: bool,
    /// Areas that it may still enter.
    left: u8,
    /// It has paid for an enemy marker.
    paid: bool,
    /// Its Brigades.
    brigades: u8,
    /// Those of them in the Army, of which the least are taken that a loss may leave.
    army: u8,
}

/// All that a Retreat remembers in its frame.
#[derive(Copy, Clone, Debug)]
pub(in super::super) struct Retreating {
    /// The Area reached.
    pub(in super::super) at: AreaId,
    /// It has left the Area of the Battle.
    pub(in super::super) begun: bool,
    /// Areas that it may still enter.
    pub(in super::super) left: u8,
    /// It has entered an enemy marker's Area.
    pub(in super::super) paid: bool,
    /// Brigades to be lost for that.
    pub(in super::super) owed: u8,
    /// The place of the next one, once it is chosen.
    pub(in super::super) from: Option<Holder>,
}

impl UnhappyKing {
    /// The side that retreats: the loser; in an Attacker Drawn Battle the defender (B10), in a Defender Drawn one the attacker, if nobody
    /// came from anywhere (MC18).
    fn retreating_side(&self, state: &State) -> Option<Seat> {
        let battle = state.ongoing_battle();
        let loser = battle.winner.map(Seat::other)?;
        let back = battle.margin == Some(Margin::Drawn) && loser == battle.attacker;
        let relieved = rules::NOTABLES_RELIEVED.applies(battle.kind == BattleKind::Model);
        (!back || relieved).then_some(loser)
    }

    /// B9 to B11: the side that is beaten goes, or Surrenders; after a Defender Drawn Battle the attacker goes back.
    pub(in super::super) fn begin_retreat(&self, state: &mut State, out: &mut Events) {
        let battle = state.ongoing_battle();
        let (area, attacker, kind, margin) = (battle.area, battle.attacker, battle.kind, battle.margin);
        let Some(seat) = self.retreating_side(state) else {
            if rules::DEFENDER_DRAWN.applies(true) {
                self.attacker_returns(state, rules::DEFENDER_DRAWN, out);
            }
            return;
        };
        if margin == Some(Margin::Drawn) && !rules::ATTACKER_DRAWN.applies(true) {
            return;
        }
        let stack = self.battle_stack(state, seat);
        if stack.is_empty() {
            return;
        }
        if self.is_lostwithiel(state, seat) {
            let army = self.field_army(state, seat).map_or(GeneralSet::EMPTY, |general| state.army(general));
            self.set_battle_stage(state, rules::LOSTWITHIEL_ORDER.gives(stages::TURNCOAT, stages::END));
            self.disperse(state, seat, (area, army, stack), out);
            return;
        }
        let entry = state.ongoing_battle().origins[attacker.index()].is_none();
        if seat == attacker && (kind == BattleKind::Sortie || entry && kind != BattleKind::Model) {
            self.attacker_returns(state, rules::RETREAT_WAY, out);
            return;
        }
        let unled = if seat == attacker && kind != BattleKind::Model {
            CounterSet::EMPTY
        } else {
            state.unled(&self.content, seat, area)
        };
        // Unled Brigades that retreat are told by the mark from those whom they pass.
        let scene = Scene::open(self, state, 2, out);
        state.brigades.mark(&self.content, unled, Marks::PICKED);
        let refs = [Ref::Seat(seat), Ref::from(area)];
        scene.publish(self, state, out, || Event::new("is_beaten", rules::RETREAT, &refs));
        let army = self.field_army(state, seat).map_or(0, |general| state.size(general));
        let size = rules::MIXED_STACK.gives(stack.count() as u8, army);
        let left = rules::RETREAT.gives(self.content.numbers.allowance(size).areas, 1);
        let retreating = Retreating { at: area, begun: false, left, paid: false, owed: 0, from: None };
        if self.can_finish(state, seat, self.stand(state, seat, retreating)) {
            let Retreating { at, begun, left, paid, owed, from } = retreating;
            state.frames.open(Frame::Retreat { seat, at, begun, left, paid, owed, from });
        } else if rules::SURRENDER.applies(true) {
            self.army_surrenders(state, seat, out);
        }
    }

    /// 18.5, O5: Essex is decisively defeated far from London.
    fn is_lostwithiel(&self, state: &State, seat: Seat) -> bool {
        let battle = state.ongoing_battle();
        let (capital, far) =
            (self.content.numbers.victory.capital, self.content.numbers.optional.lostwithiel);
        let essex = self.field_army(state, seat) == Some(self.content.people.essex);
        let decisive = battle.margin == Some(Margin::Decisive);
        let distance = self.content.distances[capital][battle.area];
        let holds = self.option(state, RuleOption::Lostwithiel);
        rules::LOSTWITHIEL.applies(holds && essex && decisive && distance >= far)
    }

    /// B9, MC6, F18: the attacker goes back to the Area that it left: no Retreat, and no loss. After an entry it leaves the map, after a
    /// sortie it is inside. So it is where enemy Brigades stand outside: it had come past them from its Fortress, which they do not Mask.
    fn attacker_returns(&self, state: &mut State, rule: Rule, out: &mut Events) {
        let battle = state.ongoing_battle();
        let (area, kind, origin) = (battle.area, battle.kind, battle.origins[battle.attacker.index()]);
        let enemies = state.brigades.areas_outside(battle.attacker.other());
        let Some(general) = self.field_army(state, battle.attacker) else { return };
        let held = self.held_under_siege(state);
        let scene = Scene::open(self, state, 2, out);
        let back = match origin {
            _ if kind == BattleKind::Sortie => Post::Inside(area),
            Some(origin) if enemies.contains(origin) => Post::Inside(origin),
            Some(origin) => Post::Area(origin),
            None => rules::ENTRY_LOST.gives(Post::Scotland, Post::Area(area)),
        };
        state.generals.place(general, back);
        if let Some(activation) = &mut state.activation {
            // The path ends where the Army is.
            if activation.path.len() > 1 && activation.path.last() == Some(&area) {
                activation.path.pop();
            }
        }
        let refs = [Ref::from(general), Ref::from(area)];
        scene.publish(self, state, out, || Event::new("goes_back", rule, &refs));
        self.consequences(state, held, Cause::Other, out);
    }

    /// The Brigades on their retreat: the Army's, and unled ones that were in the Battle.
    fn retreaters(&self, state: &State, seat: Seat, at: AreaId) -> CounterSet {
        let unled = state.unled(&self.content, seat, at);
        let army = self.field_army(state, seat);
        let army = army.map_or(CounterSet::EMPTY, |general| state.led_by(state.army(general)));
        army | state.brigades.marked(unled, Marks::PICKED)
    }

    fn stand(&self, state: &State, seat: Seat, of: Retreating) -> Stand {
        let brigades =
            if of.begun { self.retreaters(state, seat, of.at) } else { self.battle_stack(state, seat) };
        let army = self.field_army(state, seat).map_or(0, |general| state.size(general));
        let (begun, left, paid) = (of.begun, of.left, of.paid);
        let brigades = (brigades.count() as u8).saturating_sub(of.owed);
        Stand { at: of.at, begun, left, paid, brigades, army: army.saturating_sub(of.owed) }
    }

    /// The Area that the first step must lead to, and the one that is barred (RT2, X5, I10). Where an interceptor outside is to go back to,
    /// nobody retreats (I9).
    fn bounds(&self, state: &State, seat: Seat) -> (Option<AreaId>, Option<AreaId>) {
        let battle = state.ongoing_battle();
        let origin = battle.origins[battle.attacker.index()];
        let comes_back = battle.origins[seat.other().index()].filter(|_| !battle.from_inside);
        match battle.kind {
            BattleKind::Model | BattleKind::Sortie => (None, None),
            BattleKind::Apart if seat == battle.attacker => (origin, comes_back),
            _ if seat == battle.attacker => (origin, None),
            BattleKind::Interception | BattleKind::Apart => {
                (None, origin.filter(|_| rules::INTERCEPTOR_RETREAT.applies(true)))
            }
            BattleKind::Field => (None, origin),
        }
    }

    /// RT2: a step leads along a line, without enemy Brigades; over water for few. The first one of an attacker leads back, and a defender
    /// never goes where the attack came from.
    fn examine_step(
        &self,
        state: &State,
        seat: Seat,
        stand: Stand,
        to: AreaId,
        why: &mut Why,
    ) -> ControlFlow<()> {
        let refs = [Ref::from(to)];
        why.demand(self.content.adjacent[stand.at].contains(to), CONTRACT, "NOT_ADJACENT", &refs)?;
        why.require(stand.left > 0, rules::RETREAT, "TOO_FAR", &refs)?;
        let free = state.brigades_in(&self.content, seat.other(), to).is_empty();
        why.require(free, rules::RETREAT_WAY, "ENEMY_BRIGADES_THERE", &refs)?;
        let near = &self.content.near;
        let land = near[LineKind::Road as usize][stand.at].contains(to)
            || near[LineKind::Mountain as usize][stand.at].contains(to);
        let few = stand.brigades <= self.content.numbers.movement.maritime_brigades;
        why.require(land || few, rules::RETREAT_WAY, "TOO_MANY_FOR_WATER", &refs)?;
        let (first, barred) = self.bounds(state, seat);
        let back = stand.begun || first.is_none_or(|first| first == to);
        why.require(back, rules::RETREAT_WAY, "NOT_THE_WAY_BACK", &refs)?;
        let (rule, code) = if seat == state.ongoing_battle().attacker {
            (rules::INTERCEPTION_AMONG_ENEMIES, "INTERCEPTOR_GOES_BACK_THERE")
        } else {
            (rules::RETREAT_WAY, "ATTACK_CAME_FROM_THERE")
        };
        why.require(barred != Some(to), rule, code, &refs)
    }

    /// RT4: the stack may end where it is: its Army can join the one there.
    fn can_end(&self, state: &State, seat: Seat, stand: Stand) -> bool {
        let Some(general) = self.field_army(state, seat).filter(|_| stand.army > 0) else { return true };
        let joins = |other: GeneralId| {
            let brigades = stand.army + state.size(other);
            self.could_join(state, (general, other), brigades)
        };
        let ends = self.company(state, general, stand.at).iter().all(joins);
        rules::RETREAT_END.allows(ends)
    }

    /// The stack after a step: at the first enemy marker it loses a Brigade (RT3).
    fn after_step(&self, state: &State, seat: Seat, mut stand: Stand, to: AreaId) -> Stand {
        (stand.at, stand.begun, stand.left) = (to, true, stand.left.saturating_sub(1));
        if self.costs(state, seat, stand.paid, to) {
            let loss = self.content.numbers.battle.retreat_losses.min(stand.brigades);
            stand.paid = true;
            stand.brigades -= loss;
            stand.army = stand.army.saturating_sub(loss);
        }
        stand
    }

    fn costs(&self, state: &State, seat: Seat, paid: bool, to: AreaId) -> bool {
        rules::RETREAT_LOSS.applies(!paid && state.controller(to) == Some(seat.other()))
    }

    /// EV14: whether the stack can still come to an end: it may end here, or nobody is left, or a step leads to such an Area. Each step
    /// takes one of few Areas, so the search is short.
    fn can_finish(&self, state: &State, seat: Seat, stand: Stand) -> bool {
        if stand.brigades == 0 || stand.begun && self.can_end(state, seat, stand) {
            return true;
        }
        stand.left > 0
            && self.content.adjacent[stand.at].iter().any(|to| {
                self.examine_step(state, seat, stand, to, &mut Why::quiet()).is_continue()
                    && self.can_finish(state, seat, self.after_step(state, seat, stand, to))
            })
    }

    /// A Retreat goes on by itself: it ends where it can't go further, and one without Brigades is over.
    pub(in super::super) fn advance_retreat(
        &self,
        state: &mut State,
        seat: Seat,
        of: Retreating,
        out: &mut Events,
    ) -> bool {
        if !of.begun {
            return false;
        }
        let retreaters = self.retreaters(state, seat, of.at);
        if retreaters.is_empty() || of.owed == 0 && of.left == 0 {
            self.end_retreat(state, seat, out);
            return true;
        }
        if of.owed > 0 && retreaters.count() == 1 {
            let counter = retreaters.first().expect("one is left");
            self.retreat_loss(state, seat, counter, out);
            return true;
        }
        if let Some(holder) = self.only_holder(state, retreaters).filter(|_| of.owed > 0 && of.from.is_none())
        {
            if let Some(Frame::Retreat { from, .. }) = state.frames.top_mut() {
                *from = Some(holder);
            }
            return true;
        }
        false
    }

    fn retreat_loss_choice(&self, state: &State, seat: Seat, of: Retreating) -> BrigadeChoice {
        let among = self.retreaters(state, seat, of.at);
        // EV14: not one whose loss would leave an Army that can't end its Retreat.
        let finishes = |counter: CounterId| {
            let led = !state.brigades.at(Holder::outside(of.at)).contains(counter);
            let mut stand = self.stand(state, seat, Retreating { owed: of.owed - 1, ..of });
            stand.brigades -= 1;
            stand.army = stand.army.saturating_sub(u8::from(led));
            self.can_finish(state, seat, stand)
        };
        let allowed = among.that(finishes);
        let allowed = rules::NO_DEAD_WAY.gives(allowed, among);
        BrigadeChoice { among, allowed, from: of.from, rule: rules::NO_DEAD_WAY }
    }

    /// The Areas next to the stack, then the end; or a Brigade that is lost.
    pub(in super::super) fn offer_retreat(
        &self,
        state: &State,
        seat: Seat,
        of: Retreating,
        offer: &mut impl FnMut(Action),
    ) {
        if of.owed > 0 {
            return self.offer_brigades(state, self.retreat_loss_choice(state, seat, of), offer);
        }
        self.content.adjacent[of.at].iter().map(|to| Action::Move(Goal(Some(to)))).for_each(&mut *offer);
        offer(Action::Done);
    }

    pub(in super::super) fn examine_retreat(
        &self,
        state: &State,
        seat: Seat,
        of: Retreating,
        action: Action,
        why: &mut Why,
    ) -> ControlFlow<()> {
        if of.owed > 0 {
            return self.examine_brigades(state, self.retreat_loss_choice(state, seat, of), action, why);
        }
        let stand = self.stand(state, seat, of);
        match action {
            Action::Move(Goal(Some(to))) => {
                self.examine_step(state, seat, stand, to, why)?;
                let ends = self.can_finish(state, seat, self.after_step(state, seat, stand, to));
                why.require(ends, rules::NO_DEAD_WAY, "NO_END_FROM_THERE", &[to.into()])
            }
            Action::Done => {
                why.require(of.begun, rules::RETREAT, "MUST_RETREAT", &[of.at.into()])?;
                why.require(
                    self.can_end(state, seat, stand),
                    rules::RETREAT_END,
                    "CANNOT_JOIN",
                    &[of.at.into()],
                )
            }
            _ => why.refuse(CONTRACT, "NOT_NOW"),
        }
    }

    pub(in super::super) fn apply_retreat(
        &self,
        state: &mut State,
        seat: Seat,
        of: Retreating,
        action: Action,
        out: &mut Events,
    ) {
        match action {
            Action::Move(Goal(Some(to))) => self.retreat_step(state, seat, of, to, out),
            Action::Done => self.end_retreat(state, seat, out),
            _ => {
                let choice = self.retreat_loss_choice(state, seat, of);
                match self.choice_step(state, choice, action) {
                    ChoiceStep::Place(holder) if (choice.among & state.brigades.at(holder)).count() > 1 => {
                        if let Some(Frame::Retreat { from, .. }) = state.frames.top_mut() {
                            *from = Some(holder);
                        }
                    }
                    ChoiceStep::Place(holder) => {
                        let only = (choice.among & state.brigades.at(holder)).first();
                        self.retreat_loss(state, seat, only.expect("somebody is there"), out);
                    }
                    ChoiceStep::Brigade(counter) => self.retreat_loss(state, seat, counter, out),
                }
            }
        }
    }

    /// 10.3: the stack goes to the next Area.
    fn retreat_step(&self, state: &mut State, seat: Seat, of: Retreating, to: AreaId, out: &mut Events) {
        let held = self.held_under_siege(state);
        let unled = state.unled(&self.content, seat, of.at);
        let unled = state.brigades.marked(unled, Marks::PICKED);
        let army = self.field_army(state, seat);
        let pays = self.costs(state, seat, of.paid, to);
        let scene = Scene::open(self, state, 2, out);
        if let Some(general) = army {
            state.generals.place(general, Post::Area(to));
        }
        state.brigades.change(&self.content, unled, |counter| counter.at = Holder::outside(to));
        if let Some(Frame::Retreat { at, begun, left, paid, owed, .. }) = state.frames.top_mut() {
            (*at, *begun, *left) = (to, true, left.saturating_sub(1));
            if pays {
                (*paid, *owed) = (true, self.content.numbers.battle.retreat_losses);
            }
        }
        let refs = [Ref::Seat(seat), Ref::from(of.at), Ref::from(to)];
        scene.publish(self, state, out, || Event::new("retreats", rules::RETREAT, &refs));
        self.consequences(state, held, Cause::Other, out);
    }

    /// RT3: a Brigade of the owner's choice is lost at the first enemy marker.
    fn retreat_loss(&self, state: &mut State, seat: Seat, counter: CounterId, out: &mut Events) {
        let held = self.held_under_siege(state);
        let (face, place) = (self.content.face_of[counter], state.brigades.get(counter).at);
        let scene = Scene::open(self, state, 2, out);
        let to = self.pool_place(state, counter);
        state.brigades.put(&self.content, counter, to, Told::Hidden);
        if let Some(Frame::Retreat { owed, from, .. }) = state.frames.top_mut() {
            (*owed, *from) = (owed.saturating_sub(1), None);
        }
        let place = Ref::from(catalogue::location(&self.content, place));
        let refs = [Ref::Seat(seat), place];
        scene.publish(self, state, out, || {
            Event::new("retreat_loss", rules::RETREAT_LOSS, &refs).private(
                seat,
                &[Ref::Seat(seat), place, Ref::from(face)],
                [],
            )
        });
        self.consequences(state, held, Cause::Other, out);
    }

    /// S1, RT4: the Retreat is over; the Army joins the one in its Area.
    fn end_retreat(&self, state: &mut State, seat: Seat, out: &mut Events) {
        state.frames.close();
        let all = CounterSet::first_of(self.content.face_of.len());
        let scene = Scene::open(self, state, 2, out);
        state.brigades.unmark(&self.content, all, Marks::PICKED);
        scene.publish(self, state, out, || Event::new("retreat_ends", rules::RETREAT, &[Ref::Seat(seat)]));
        if let Some(general) = self.field_army(state, seat) {
            self.join_or_part(state, seat, general, out);
        }
    }

    /// 10.4, RT5: a side that can't retreat Surrenders: Brigades are lost for good, Generals go to the Unemployed Generals Box.
    fn army_surrenders(&self, state: &mut State, seat: Seat, out: &mut Events) {
        let area = state.ongoing_battle().area;
        let held = self.held_under_siege(state);
        let stack = self.battle_stack(state, seat);
        let army = self.field_army(state, seat).map_or(GeneralSet::EMPTY, |general| state.army(general));
        let scene = Scene::open(self, state, 2, out);
        state.brigades.change(&self.content, stack, |counter| {
            counter.at = Holder::LOST;
            counter.marks |= Marks::KNOWLEDGE;
        });
        for general in army {
            self.leave_display(state, general, area);
            state.generals.place(general, Post::Unemployed);
        }
        let refs = [Ref::Seat(seat), Ref::from(area), Ref::Number(stack.count() as i32)];
        scene.publish(self, state, out, || Event::new("army_surrenders", rules::SURRENDER, &refs));
        for general in army {
            self.general_surrenders(state, general, out);
        }
        if !rules::END_AT_ONCE.applies(state.result.is_some()) {
            self.consequences(state, held, Cause::Other, out);
        }
    }
}
