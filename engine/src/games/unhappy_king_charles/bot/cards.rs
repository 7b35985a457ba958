//! The worth of cards: which to play, and what for (6.0).

use super::super::actions::{Action, Usage};
use super::super::content::cards::CardKind;
use super::super::content::ids::{
    AreaId, AreaSet, CardId, FortressId, FortressSet, GeneralId, ListId, NotableId,
};
use super::super::content::operations::{FortressChange, Operation, Paragraph, Weakness};
use super::super::content::{PARLIAMENT, ROYALIST};
use super::super::frames::Frame;
use super::super::state::{Holder, Presence, State, Warrant};
use super::Sight;
use super::odds::BRIGADE;

use crate::numbered::Listed;
use crate::refusal::Why;

/// The worth of a card in hand, of one that the enemy loses, of a point of Naval Status, of a Local Notable.
const CARD: i32 = 110;
const ENEMY_CARD: i32 = 90;
const NAVAL: i32 = 50;
const NOTABLE: i32 = 180;
/// The worth of keeping a Combat Card for a Battle to come, and a Response for its hour.
const COMBAT_KEPT: i32 = 160;
const RESPONSE_KEPT: i32 = 120;
/// The worth of a card that is kept for the next Turn.
const STORED: i32 = 30;

impl Sight<'_> {
    /// The worth of playing a card, or of passing.
    pub(super) fn card_worth(&self, bonus: bool, action: Action) -> i32 {
        let Action::Card(card) = action else { return STORED };
        let of = &self.content.cards[card];
        let uses = Usage::ALL.iter().filter(|&&(way, _)| self.has_use(bonus, card, way));
        let best = uses.map(|&(way, _)| self.use_worth(card, way)).max().unwrap_or(0);
        let kept = match of.kind {
            CardKind::Combat if of.is_for(self.me) => COMBAT_KEPT,
            _ if of.response && of.is_for(self.me) => RESPONSE_KEPT,
            _ => 0,
        };
        best - if bonus { 0 } else { kept }
    }

    fn has_use(&self, bonus: bool, card: CardId, way: Usage) -> bool {
        self.game.examine_use(&self.state, self.me, (bonus, card), way, &mut Why::quiet()).is_continue()
    }

    /// The worth of a use of a card.
    pub(super) fn use_worth(&self, card: CardId, way: Usage) -> i32 {
        let of = &self.content.cards[card];
        let first = self.content.lists[of.list].first().map(|step| step.operation);
        let own = of.is_for(self.me);
        let value = match first {
            Some(Operation::Operations { value, .. }) if own => value,
            _ => 1,
        };
        match way {
            Usage::Event if of.kind == CardKind::Mandatory => self.mandatory_worth(first),
            Usage::Event => self.list_worth(of.list),
            Usage::Campaign => match first {
                Some(Operation::Campaign { activations, .. }) => self.campaign_worth(activations.into()),
                _ => 0,
            },
            Usage::Activate => self.best_order(Warrant::Operations(value), false),
            Usage::Bombard => self.best_order(Warrant::Operations(value), true),
            Usage::Raid => self.raids_worth(value.into()),
            Usage::Markers => self.best_gains(self.marker_places(), value.into()),
            Usage::Recruit => self.recruitment_worth(if of.is_operations() && own { 2 } else { 1 }),
            Usage::Discard => 0,
        }
    }

    /// The worth of the best order that a card of this kind can give.
    fn best_order(&self, warrant: Warrant, bombards: bool) -> i32 {
        let worth = |general: GeneralId| {
            let may = self.game.may_commission(&self.state, self.me, general, (warrant, bombards));
            may.then(|| if bombards { self.bombardment(general) } else { self.activation_worth(general) })
        };
        State::generals_of(self.content, self.me).filter_map(worth).max().unwrap_or(0)
    }

    /// The worth of a Campaign card: the best orders, of different Leaders.
    fn campaign_worth(&self, orders: usize) -> i32 {
        let mut best = [0; 4];
        let mut insert = |worth: i32| {
            if let Some(slot) = best.iter().position(|&other| worth > other).filter(|&slot| slot < orders) {
                best[slot..].rotate_right(1);
                best[slot] = worth;
            }
        };
        for general in State::generals_of(self.content, self.me) {
            let may =
                |bombards| self.game.may_commission(&self.state, self.me, general, (Warrant::Any, bombards));
            let march = if may(false) { self.activation_worth(general) } else { 0 };
            let shot = if may(true) { self.bombardment(general) } else { 0 };
            insert(march.max(shot));
        }
        for notable in self.game.raiders(&self.state, self.me) {
            insert(self.order_worth(Action::Raid(notable)));
        }
        best.iter().take(orders).sum()
    }

    /// The worth of so many Raids.
    fn raids_worth(&self, raids: usize) -> i32 {
        let mut left = AreaSet::EMPTY;
        let mut sum = 0;
        for notable in self.game.raiders(&self.state, self.me).iter().take(raids) {
            let open = self.game.raided_by(&self.state, notable) - left;
            if let Some(area) = open.iter().max_by_key(|&area| self.gains[area]) {
                sum += self.gains[area];
                left.insert(area);
            }
        }
        sum
    }

    /// The Areas where an Operations card may place a marker now.
    fn marker_places(&self) -> AreaSet {
        self.game.marker_places(&self.state, self.me, self.state.control[self.me.index()])
    }

    /// The worth of Brigades that a card brings: as many as there are places for.
    fn recruitment_worth(&self, most: i32) -> i32 {
        let pool = self.state.brigades.count(Holder::pool(self.me));
        let places = self.recruiting_places();
        // A side with few on the map needs them most.
        let few = (12 - self.state.on_map(self.content, self.me).count() as i32).clamp(0, 6);
        (BRIGADE - 20 + 12 * few) * most.min(pool.into()).min(places)
    }

    /// Places that take a Brigade of their Region by a card: drums or a Local Notable; of the Royalist a Regional General or a Local Notable
    /// (7.3).
    fn recruiting_places(&self) -> i32 {
        let state = &self.state;
        let notables = NotableId::all(self.content).filter(|&notable| {
            let of = &self.content.notables[notable];
            of.side == self.me
                && state.notables[notable] == Presence::InPlay
                && !state.besieged(self.content, of.area)
                && state.brigades.count(notable) < of.limit
        });
        let mut places = notables.count() as i32;
        if self.me == ROYALIST {
            let generals = State::generals_of(self.content, self.me).filter(|&general| {
                let of = &self.content.generals[general];
                let at_home = state
                    .area_of(general)
                    .is_some_and(|area| of.regions.contains(self.content.areas[area].region));
                of.is_regional()
                    && state.commands(general)
                    && at_home
                    && state.size(general) < self.game.limit_of(state, general)
            });
            places += generals.count() as i32;
        } else {
            let drums = self.content.drummers[PARLIAMENT.index()]
                .iter()
                .fold(AreaSet::EMPTY, |all, &areas| all | areas);
            places += (drums - state.control[self.foe.index()]).count() as i32;
        }
        places
    }

    /// The worth of a Mandatory card now: what helps comes first, what hurts last (6.5).
    fn mandatory_worth(&self, operation: Option<Operation>) -> i32 {
        match operation {
            Some(Operation::Paragraph(Paragraph::Standard)) => 700,
            Some(Operation::Paragraph(Paragraph::SolemnLeague)) if self.me == PARLIAMENT => 900,
            Some(Operation::Paragraph(Paragraph::NewModelArmy)) if self.me == PARLIAMENT => 300,
            _ => 5,
        }
    }

    /// The worth of a list of operations.
    pub(super) fn list_worth(&self, list: ListId) -> i32 {
        self.content.lists[list].iter().map(|step| self.operation_worth(&step.operation)).sum()
    }

    fn operation_worth(&self, operation: &Operation) -> i32 {
        let state = &self.state;
        match *operation {
            Operation::Markers { most, mode, within, .. } => {
                self.best_gains(self.game.event_marker_places(state, self.me, mode, within), most.into())
            }
            Operation::PlaceBrigades { count, .. } => BRIGADE * i32::from(count),
            Operation::RemoveBrigades { owner, count, .. } => {
                let hurts = if owner.seat(self.me) == self.foe { 1 } else { -1 };
                hurts * BRIGADE * 9 / 10 * i32::from(count)
            }
            Operation::RemoveCards { from, count } => {
                let held = state.cards.hands[from.seat(self.me).index()].len();
                ENEMY_CARD * i32::from(count).min(held as i32)
            }
            Operation::Draw { count } => CARD * i32::from(count),
            Operation::Naval { by } => {
                let good = if self.me == PARLIAMENT { 1 } else { -1 };
                NAVAL * i32::from(by) * good
            }
            Operation::PlaceNotable { notable } => NOTABLE + self.gains[self.content.notables[notable].area],
            Operation::TakeFortress { among, weakness, change } => self.taking_worth(among, weakness, change),
            Operation::Transfer { .. } => 20,
            Operation::BombardModifier { modifier } => 30 * i32::from(modifier),
            Operation::Activate { generals, .. } => {
                let at_large = generals.iter().filter(|&general| self.game.is_at_large(state, general));
                at_large.map(|general| self.activation_worth(general)).max().unwrap_or(0)
            }
            Operation::Choice { options } => {
                options.iter().map(|&list| self.list_worth(list)).max().unwrap_or(0)
            }
            Operation::BySide { lists } => self.list_worth(lists[self.me.index()]),
            Operation::Paragraph(paragraph) => self.paragraph_worth(paragraph),
            Operation::Operations { .. }
            | Operation::Campaign { .. }
            | Operation::Combat { .. }
            | Operation::InterceptModifier { .. } => 0,
        }
    }

    /// The worth of a Fortress that an event may turn.
    fn taking_worth(&self, among: FortressSet, weakness: Weakness, change: FortressChange) -> i32 {
        let weak = self.game.weak_fortresses(&self.state, self.me, among, weakness);
        let worth = |fortress: FortressId| {
            let area = self.content.fortresses[fortress].area;
            self.fortress_worth(area) * self.taking_sixths(area, change) / 6
        };
        weak.iter().map(worth).max().unwrap_or(0)
    }

    /// The chance in sixths that a Fortress changes hands.
    fn taking_sixths(&self, area: AreaId, change: FortressChange) -> i32 {
        let FortressChange::Roll { at_least, less_inside } = change else { return 6 };
        let inside = if less_inside { self.state.garrison(self.content, area).count() as i32 } else { 0 };
        (7 - i32::from(at_least) - inside).clamp(0, 6)
    }

    /// The worth of an event that a paragraph of the rulebook describes (6.6).
    fn paragraph_worth(&self, paragraph: Paragraph) -> i32 {
        match paragraph {
            Paragraph::Queen => 60,
            Paragraph::Brentford => 100,
            // London is gathered to when it is in danger: as a Response.
            Paragraph::TurnhamGreen => -50,
            Paragraph::Cessation => 3 * 2 * BRIGADE,
            Paragraph::LieutenantGeneral => 90,
            Paragraph::RupertDismissed => 200,
            Paragraph::Bishops => {
                let foreign = [self.content.people.leven, self.content.people.callander];
                let brigades: i32 =
                    foreign.iter().map(|&general| i32::from(self.state.brigades.count(general))).sum();
                BRIGADE * brigades
            }
            Paragraph::Lorraine => 4 * 2 * BRIGADE,
            Paragraph::LondonRising => {
                let funds = |seat| self.game.infrastructures_of(&self.state, seat).count() as i32;
                let london = self.content.numbers.rising.at;
                let inside = self.state.garrison(self.content, london).count() as i32;
                let need = i32::from(self.content.numbers.rising.at_least) + funds(PARLIAMENT) + inside
                    - funds(ROYALIST);
                self.fortress_worth(london) * (7 - need).clamp(0, 6) / 6
            }
            _ => 0,
        }
    }

    /// The worth of an answer to what an event asks.
    pub(super) fn event_answer(&self, action: Action) -> i32 {
        match (self.state.frames.top(), action) {
            (Some(Frame::Effect { first, second, .. }), Action::Effect(choice)) => {
                self.list_worth([*first, *second][choice as usize])
            }
            (_, Action::At(area)) if self.state.controller(area) == Some(self.foe) => {
                self.fortress_worth(area) / (1 + self.state.garrison(self.content, area).count() as i32)
            }
            (_, Action::Activate(general)) => self.activation_worth(general),
            (Some(Frame::Transfer { .. }), Action::From(holder)) => {
                -i32::from(self.state.brigades.count(holder))
            }
            (Some(Frame::Transfer { .. }), Action::To(holder)) => {
                i32::from(self.state.brigades.count(holder))
            }
            (_, Action::Brigade(face)) => i32::from(self.content.faces[face].value),
            (Some(Frame::Transfer { .. }), Action::Done) => 100,
            _ => 0,
        }
    }
}
