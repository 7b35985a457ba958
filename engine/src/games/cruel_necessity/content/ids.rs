//! A type for each kind of things that the game numbers: its bound, its encoding, its reference.

use crate::reference::Ref;

use super::super::actions::Target;
use super::super::catalogue::names;
use super::{ARMIES, Content, DEVILTRY, FORTS, REVOLTS, TRACKS};

/// Civil Wars.
pub(crate) const WARS: usize = 3;
/// Places of both lines of a Battle: Parliament's six, then the Royalists' six opposite to them.
pub(crate) const SLOTS: usize = 12;
/// Sectors of a Battle.
pub(crate) const SECTORS: usize = 4;

/// The index that a number names, if there are so many.
fn below<T>(number: i32, count: usize, new: fn(usize) -> T) -> Option<T> {
    usize::try_from(number).ok().filter(|&index| index < count).map(new)
}

crate::numbered! {
    of Content;
    /// A Civil War; those before it are less.
    pub(crate) WarId "a war": |_| WARS,
        |_, war| Ref::Number(war.index() as i32 + 1),
        |_, what| if let Ref::Number(number) = what { below(number - 1, WARS, WarId::new) } else { None };
    /// An invading Army, and its region.
    pub(crate) ArmyId "an Army": |_| ARMIES,
        |_, army| Target::Army(army).reference(),
        |_, what| if let Some(Target::Army(army)) = Target::referred(what) { Some(army) } else { None };
    /// A fortress.
    pub(crate) FortId "a fortress": |_| FORTS,
        |_, fort| Target::Fort(fort).reference(),
        |_, what| if let Some(Target::Fort(fort)) = Target::referred(what) { Some(fort) } else { None };
    /// A revolt marker.
    pub(crate) RevoltId "a revolt marker": |_| REVOLTS,
        |_, revolt| Target::Revolt(revolt).reference(),
        |_, what| if let Some(Target::Revolt(revolt)) = Target::referred(what) { Some(revolt) } else { None };
    /// A kind of revolts; Clubmen are the first.
    pub(crate) RevoltKindId "a kind of revolts": |content| content.numbers.revolt_kinds.len(),
        |content, kind| Ref::Kind(names::kind_revolt(content, kind)),
        |content, what| {
            let kinds = content.numbers.revolt_kinds.len();
            (0..kinds).map(RevoltKindId::new).find(|&kind| Ref::Kind(names::kind_revolt(content, kind)) == what)
        };
    /// A Deviltry marker.
    pub(crate) DeviltryId "a Deviltry marker": |_| DEVILTRY,
        |_, marker| Target::Deviltry(marker).reference(),
        |_, what| if let Some(Target::Deviltry(marker)) = Target::referred(what) { Some(marker) } else { None };
    /// A reward on the back of a Deviltry marker.
    pub(crate) RewardId "a reward": |_| DEVILTRY,
        |_, reward| names::reward_ref(reward),
        |_, what| names::reward_of(what);
    /// A Political Track, and its marker.
    pub(crate) TrackId "a track": |_| TRACKS,
        |_, track| Target::Track(track).reference(),
        |_, what| if let Some(Target::Track(track)) = Target::referred(what) { Some(track) } else { None };
    /// A card of the three decks, by its number - 1.
    pub(crate) CardId "a card": |content| content.cards.len(),
        |_, card| names::card_ref(card),
        |content, what| names::card_of(content, what);
    /// An Achievement, among those.
    pub(crate) AchievementId "an Achievement": |content| content.achievements.len(),
        |content, achievement| names::card_ref(content.achievements[achievement].card),
        |content, what| names::card_of(content, what).and_then(|card| content.achievement(card));
    /// A list of operations.
    pub(crate) ListId "a list of operations": |content| content.lists.len(),
        |_, list| Ref::Number(list.index() as i32),
        |content, what| {
            if let Ref::Number(number) = what { below(number, content.lists.len(), ListId::new) } else { None }
        };
    /// A choice in blue text.
    pub(crate) ChoiceId "a choice": |content| content.choices.len(),
        |_, choice| Ref::Number(choice.index() as i32),
        |content, what| {
            if let Ref::Number(number) = what { below(number, content.choices.len(), ChoiceId::new) } else { None }
        };
    /// An option of such a choice.
    pub(crate) OptionId "an option": |content| content.options.len(),
        |_, option| Ref::Number(option.index() as i32),
        |content, what| {
            if let Ref::Number(number) = what { below(number, content.options.len(), OptionId::new) } else { None }
        };
    /// A counter that stands for an Army; the first four begin.
    pub(crate) CounterId "a counter of the Army": |content| content.counters.len(),
        |_, counter| Ref::Kind(counter.index() as u16),
        |content, what| {
            if let Ref::Kind(kind) = what { below(kind.into(), content.counters.len(), CounterId::new) } else { None }
        };
    /// A kind of formations; a Named unit is the only one of its kind.
    pub(crate) FormationId "a kind of formation": |content| content.formations.len(),
        |content, kind| names::formation_ref(content, kind),
        |content, what| names::formation_of(content, what);
    /// A Battle Event card.
    pub(crate) BattleCardId "a Battle Event card": |content| content.battle_cards.len(),
        |_, card| names::battle_card_ref(card),
        |content, what| names::battle_card_of(content, what);
    /// A place of the lines of a Battle.
    pub(crate) SlotId "a place of the line": |_| SLOTS,
        |_, slot| names::slot_ref(slot),
        |_, what| names::slot_of(what);
    /// A sector of a Battle.
    pub(crate) SectorId "a sector": |_| SECTORS,
        |_, sector| Ref::Number(sector.index() as i32 + 1),
        |_, what| if let Ref::Number(number) = what { below(number - 1, SECTORS, SectorId::new) } else { None };
}
