//! When an event is offered: public facts, the player's own pool and their own hand (K5, K19, X12).

use crate::numbered::Listed;
use crate::vocabulary::*;

use super::super::content::AREAS;
use super::super::content::brigades::{BrigadeBack, Faction};
use super::super::content::cards::CardKind;
use super::super::content::ids::{
    AreaId, AreaSet, CardId, CounterSet, FortressId, FortressSet, GeneralId, ListId,
};
use super::super::content::operations::{Condition, MarkerMode, Operation, Paragraph, Standing, Weakness};
use super::super::state::{Happened, Holder, Holding, Post, Presence, SiegeMarker, State};
use super::super::{UnhappyKing, rules};

impl UnhappyKing {
    /// 6.4, 6.6, K5: an event of their side that has not occurred for good and could do something.
    pub(in super::super) fn examine_event_use(
        &self,
        state: &State,
        seat: Seat,
        card: CardId,
        why: &mut Why,
    ) -> ControlFlow<()> {
        let def = &self.content.cards[card];
        let refs = [Ref::from(card)];
        why.demand(def.kind == CardKind::Event, CONTRACT, "NO_EVENT", &refs)?;
        why.require(def.is_for(seat), rules::EVENT, "EVENT_OF_THE_ENEMY", &refs)?;
        let fresh = !state.spent.contains(card.index() as u16);
        why.require(fresh, rules::ONCE_A_MATCH, "EVENT_IS_SPENT", &refs)?;
        why.require(self.event_is_open(state, seat, card), rules::IDLE_EVENT, "EVENT_DOES_NOTHING", &refs)
    }

    /// Returns whether all of the one kind of a card's conditions hold, and one of the other kind, if it has any.
    fn event_is_open(&self, state: &State, seat: Seat, card: CardId) -> bool {
        let offered = &self.content.cards[card].offered;
        let holds = |condition: &Condition| self.condition_holds(state, (seat, card), *condition);
        offered.all.iter().all(holds) && (offered.any.is_empty() || offered.any.iter().any(holds))
    }

    fn condition_holds(&self, state: &State, (seat, card): (Seat, CardId), condition: Condition) -> bool {
        let content = &self.content;
        let list = content.cards[card].list;
        // A condition of an operation holds if one of that kind could do something.
        let some = |kind: fn(&Operation) -> bool| {
            self.any_operation(list, seat, &|operation| {
                kind(operation) && self.operation_is_open(state, seat, operation)
            })
        };
        match condition {
            Condition::MarkerPlace => some(|operation| matches!(operation, Operation::Markers { .. })),
            Condition::BrigadePlace => some(|operation| matches!(operation, Operation::PlaceBrigades { .. })),
            Condition::EnemyCard => some(|operation| matches!(operation, Operation::RemoveCards { .. })),
            Condition::DeckCard => state.cards.deck.top(&content.deck).is_some(),
            Condition::Fortress => some(|operation| matches!(operation, Operation::TakeFortress { .. })),
            Condition::Notable => some(|operation| matches!(operation, Operation::PlaceNotable { .. })),
            Condition::Brigade => some(|operation| matches!(operation, Operation::RemoveBrigades { .. })),
            Condition::AnyBrigade => self.any_operation(list, seat, &|operation| {
                let Operation::RemoveBrigades { owner, .. } = operation else { return false };
                !state.on_map(content, owner.seat(seat)).is_empty()
            }),
            Condition::GeneralPair => some(|operation| matches!(operation, Operation::Transfer { .. })),
            Condition::SiegeMarker => !self.own_sieges(state, seat).is_empty(),
            Condition::Controls(side, area) => state.controller(area) == Some(side),
            Condition::Cessation => state.has(Happened::CESSATION),
            Condition::IrishOffMap => !self.irish_off_map(state).is_empty(),
            Condition::InGame(general) => state.generals[general].post != Post::Out,
            Condition::OnMap(generals) => generals.iter().all(|general| self.is_at_large(state, general)),
            Condition::ArmyBeside(side, area) => content.adjacent[area].meets(state.armies(content, side)),
            Condition::UpTo(turn) => state.turn <= turn,
            Condition::QueenPlace => self.paragraph_possible(state, seat, Paragraph::Queen),
            Condition::LandingPort => self.paragraph_possible(state, seat, Paragraph::Cessation),
            Condition::LorrainePlace => self.paragraph_possible(state, seat, Paragraph::Lorraine),
            Condition::Covenanters => self.paragraph_possible(state, seat, Paragraph::Bishops),
            // M19: it is a Response, and never offered as an event.
            Condition::Interception => false,
        }
    }

    /// Returns whether a test holds of an operation of a list, or of the lists that it leads to for a seat.
    fn any_operation(&self, list: ListId, seat: Seat, test: &dyn Fn(&Operation) -> bool) -> bool {
        self.content.lists[list].iter().any(|step| {
            let within = match step.operation {
                Operation::Choice { options } => {
                    options.iter().any(|&option| self.any_operation(option, seat, test))
                }
                Operation::BySide { lists } => self.any_operation(lists[seat.index()], seat, test),
                _ => test(&step.operation),
            };
            within || step.otherwise.is_some_and(|otherwise| self.any_operation(otherwise, seat, test))
        })
    }

    /// Returns whether a list could do something, as far as its player knows.
    pub(in super::super) fn list_is_open(&self, state: &State, seat: Seat, list: ListId) -> bool {
        self.any_operation(list, seat, &|operation| self.operation_is_open(state, seat, operation))
    }

    /// Returns whether an operation could do something, as far as its player knows.
    fn operation_is_open(&self, state: &State, seat: Seat, operation: &Operation) -> bool {
        match *operation {
            Operation::Markers { mode, within, .. } => {
                !self.event_marker_places(state, seat, mode, within).is_empty()
            }
            Operation::PlaceBrigades { .. } => self.can_place_by_event(state, seat, *operation),
            Operation::RemoveBrigades { owner, .. } => {
                !self.removable_as_seen(state, owner.seat(seat), *operation).is_empty()
            }
            Operation::RemoveCards { from, .. } => !state.cards.hands[from.seat(seat).index()].is_empty(),
            Operation::Draw { .. } => state.cards.deck.top(&self.content.deck).is_some(),
            Operation::Naval { .. } => true,
            Operation::PlaceNotable { notable } => {
                rules::NOTABLE_EVENTS.allows(state.notables[notable] == Presence::Waiting)
            }
            Operation::TakeFortress { among, weakness, .. } => {
                !self.weak_fortresses(state, seat, among, weakness).is_empty()
            }
            Operation::Transfer { distance, .. } => self.can_transfer(state, seat, distance),
            Operation::BombardModifier { .. } => !self.own_sieges(state, seat).is_empty(),
            Operation::Activate { generals, .. } => {
                generals.iter().any(|general| self.is_at_large(state, general))
            }
            Operation::Paragraph(paragraph) => self.paragraph_possible(state, seat, paragraph),
            Operation::Operations { .. }
            | Operation::Campaign { .. }
            | Operation::Combat { .. }
            | Operation::InterceptModifier { .. }
            | Operation::Choice { .. }
            | Operation::BySide { .. } => false,
        }
    }

    /// Returns whether a General is on the map, and inside no Fortress that is Masked or Besieged.
    pub(in super::super) fn is_at_large(&self, state: &State, general: GeneralId) -> bool {
        let enemy = self.content.generals[general].side.other();
        state.area_of(general).is_some_and(|area| {
            !state.is_inside(general)
                || !(state.invests(&self.content, enemy, area) || state.besieged(&self.content, area))
        })
    }

    /// Irish Brigades that an event can bring back: in no display, Area or box, and not lost to an Assault (X13).
    pub(in super::super) fn irish_off_map(&self, state: &State) -> CounterSet {
        let off = state.brigades.at(Holder::AWAY) | state.brigades.at(Holder::LOST);
        off & self.content.band(Faction::Irish)
    }

    /// The Areas where an event may put a marker of a seat: open ones (K8), or also an enemy's that no Fortress, Army, Brigade or Local
    /// Notable holds (6.4, 11.1, P7). A Fortress takes none.
    pub(in super::super) fn event_marker_places(
        &self,
        state: &State,
        seat: Seat,
        mode: MarkerMode,
        within: AreaSet,
    ) -> AreaSet {
        let enemy = seat.other();
        let marked = state.control[enemy.index()];
        let fortresses = rules::FORTRESS_CONTROL.gives(self.fortress_areas(state), AreaSet::EMPTY);
        let barred = match mode {
            MarkerMode::Open => marked,
            MarkerMode::Any => {
                let held = state.occupied(&self.content, enemy) | state.armies(&self.content, enemy);
                marked & rules::EVENT_ON_ENEMY_MARKER.gives(held, AreaSet::EMPTY)
            }
        };
        (within & AreaSet::first_of(AREAS)) - state.control[seat.index()] - fortresses - barred
    }

    /// The enemy Fortresses that an event may change hands of.
    pub(in super::super) fn weak_fortresses(
        &self,
        state: &State,
        seat: Seat,
        among: FortressSet,
        weakness: Weakness,
    ) -> FortressSet {
        let weak = |fortress: FortressId| {
            let area = self.content.fortresses[fortress].area;
            let empty = state.garrison(&self.content, area).is_empty();
            let fits = match weakness {
                Weakness::None => true,
                Weakness::Unoccupied => empty,
                Weakness::BesiegedOrUnoccupied => {
                    rules::MELDRUM.allows(empty || state.besieged(&self.content, area))
                }
            };
            fits && state.controller(area) == Some(seat.other())
                && state.fortress(&self.content, area) == Some(fortress)
        };
        among.that(weak)
    }

    /// The Areas of Sieges with a marker of a seat.
    pub(in super::super) fn own_sieges(&self, state: &State, seat: Seat) -> AreaSet {
        let own = |fortress: &FortressId| {
            state.sieges[*fortress].marker != SiegeMarker::None
                && state.controller(self.content.fortresses[*fortress].area) == Some(seat.other())
        };
        FortressId::all(&self.content)
            .filter(own)
            .map(|fortress| self.content.fortresses[fortress].area)
            .collect()
    }

    /// The Brigades of their owner that an event takes off, of whatever is hidden (K16).
    fn standing_as_asked(
        &self,
        state: &State,
        owner: Seat,
        within: AreaSet,
        standing: Standing,
    ) -> CounterSet {
        let holders = Holder::of_map().filter(|&holder| {
            let Some(area) = state.area_of_holder(&self.content, holder) else { return false };
            within.contains(area) && self.stands(state, holder, area, standing)
        });
        let all = holders.fold(CounterSet::EMPTY, |all, holder| all | state.brigades.at(holder));
        state.brigades.of_side(&self.content, all, owner)
    }

    fn stands(&self, state: &State, holder: Holder, area: AreaId, standing: Standing) -> bool {
        let inside = match holder.holding() {
            Holding::Notable(_) | Holding::Inside(_) => true,
            Holding::General(general) => state.is_inside(general),
            _ => false,
        };
        match standing {
            Standing::Anywhere => true,
            Standing::Outside => !inside,
            Standing::NotBesieged => !inside || !state.besieged(&self.content, area),
        }
    }

    /// Those that, as far as is public, an event would take off: backs tell Covenanters and Lorrainers, and nothing else (X12, Y1).
    fn removable_as_seen(&self, state: &State, owner: Seat, operation: Operation) -> CounterSet {
        let Operation::RemoveBrigades { faction, within, standing, .. } = operation else {
            return CounterSet::EMPTY;
        };
        let back = faction.map(Faction::back);
        let told = back.filter(|back| matches!(back, BrigadeBack::Covenanter | BrigadeBack::Lorrainer));
        self.standing_as_asked(state, owner, within, standing)
            .that(|counter| told.is_none_or(|back| state.brigades.back(&self.content, counter) == back))
    }

    /// Those that an event takes off, as their owner knows.
    pub(in super::super) fn removable(&self, state: &State, owner: Seat, operation: Operation) -> CounterSet {
        let Operation::RemoveBrigades { faction, value, within, standing, .. } = operation else {
            return CounterSet::EMPTY;
        };
        self.standing_as_asked(state, owner, within, standing).that(|counter| {
            let face = &self.content.faces[self.content.face_of[counter]];
            let turned = face.faction.seat() != owner;
            value.is_none_or(|value| face.value == value)
                && faction.is_none_or(|faction| face.faction == faction && !turned)
        })
    }
}
