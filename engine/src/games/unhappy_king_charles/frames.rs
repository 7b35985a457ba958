//! Procedures under way ([`Frame`]): what each has to remember, outermost first on the stack of the state.
//!
//! A procedure that calls another opens it and goes on where its stage says, once it is the innermost again. What an Activation, a Battle
//! or a recruitment has to remember beside stands in the state: none of them is ever within another of its kind.

use crate::codec::{Coding, DecodeError, Reader, Writer};
use crate::flow::{Count, FrameField, Own, Side, Stage};
use crate::reference::Ref;
use crate::view::Procedure;

use super::content::Content;
use super::content::ids::{
    AreaId, AreaSet, BrigadeFace, CardId, FortressSet, GeneralId, GeneralSet, LeaderSet, ListId, NotableId,
    NotableSet, RegionId,
};
use super::rules;
use super::state::Holder;

crate::frames! {
    /// A procedure under way.
    pub(super) enum Frame of Content, 20 bytes {
        // The sequence of play (5.0).

        /// A Turn has come to this phase.
        0 "turn" "Turn" (rules::SEQUENCE) Turn { phase: Phases, step: Count<4> },
        /// So many cards are still to be dealt.
        1 "deal" "Cards are dealt" (rules::DEAL) Deal { left: Count },
        /// A seat draws so many cards more, into their hand or, `bonus`, into a bonus set.
        2 "draw" "Cards are drawn" (rules::BONUS_CARDS) Draw { seat: Side, left: Count, bonus: bool },
        /// A seat places the PC marker of the Housekeeping Phase.
        3 "placement" "A PC marker is placed" (rules::HOUSEKEEPING_MARKER) Placement { seat: Side } asks seat,
        /// A naval chit is drawn.
        4 "chit" "A naval chit is drawn" (rules::NAVAL_STATUS) Chit,
        /// A seat names the first player.
        5 "first-play" "First play" (rules::FIRST_PLAYER) FirstPlay { seat: Side } asks seat,
        /// A seat may claim the first play.
        6 "claim" "Claim of the first play" (rules::FIRST_PLAY_CLAIM) Claim { seat: Side } asks seat,
        /// The Campaign Phase; `seat` is on turn.
        7 "campaign" "Campaign" (rules::CAMPAIGN_PHASE) Campaign { seat as "next": Side },
        /// A seat Bombards with its Blockade & Siege markers; these Fortresses are done.
        8 "blockade" "Blockade" (rules::BLOCKADE_PHASE) Blockade { seat: Side, done: FortressSet } asks seat,
        /// A card places so many PC markers more, next to those that its seat had when it was played.
        9 "markers" "PC markers are placed" (rules::PRIOR_MARKERS)
        Markers { seat: Side, left: Count, placed: bool, frozen as "beside": AreaSet } asks seat,
        /// A card lets so many Local Notables more Raid; these have.
        10 "raids" "Raids" (rules::RAID) Raids { seat: Side, left: Count, used: NotableSet } asks seat,
        /// A Local Notable Raids.
        11 "raid" "Raid" (rules::RAID) Raid { seat: Side, notable: NotableId } asks seat,

        // Strategy Cards (6.0).

        /// A card is played, discarded, or the Campaign Phase passed; `bonus`: it comes from a bonus set.
        20 "play" "Card play" (rules::CAMPAIGN_PHASE) Play { seat: Side, bonus: bool, card: Own<Option<CardId>> } asks seat,
        /// The point at which bonus sets that are owed begin to be played: nothing, where they are being played already (B17).
        21 "bonus" "Bonus cards" (rules::BONUS_CARDS) Bonus,
        /// So many cards are still to be removed from the hand of a seat.
        22 "removal" "Cards are removed" (rules::FORCED_REMOVAL) Removal { seat: Side, left: Count },
        /// A Mandatory card has its effect; `seat` counts as who played it.
        23 "mandatory" "Mandatory card" (rules::MANDATORY) Mandatory { seat: Side, card: CardId, stage: Stage<32> },
        /// An event that a paragraph of the rulebook describes.
        24 "special" "Special event" (rules::ONCE_A_MATCH) Special { seat: Side, card: CardId, stage: Stage<16> },

        /// Bonus sets are played, until none is left.
        25 "queue" "Bonus cards are played" (rules::BONUS_QUEUE) Queue,
        /// An Operations card of this value Activates one General, to move or, `bombards`, to Bombard.
        26 "commission" "A General is Activated" (rules::OPERATIONS)
        Commission { seat: Side, value: Count<4>, bombards: bool } asks seat,
        /// A Campaign card has so many Activations left; these Leaders have had theirs.
        27 "campaigning" "Campaign card" (rules::CAMPAIGN_CARD)
        Campaigning { seat: Side, card: CardId, left: Count<4>, used: GeneralSet, raided: NotableSet } asks seat,
        /// A card's operations are carried out: the one numbered `step` of a list is to come or, `begun`, under way; `did`: it, or before
        /// it begins the one before it, did something.
        28 "event" "Event" (rules::EVENT)
        Event { seat: Side, card: CardId, list: ListId, step: Count, begun: bool, did: bool },
        /// An event places so many PC markers more; `free`: none is enough.
        29 "event-markers" "PC markers by event" (rules::EVENT)
        EventMarkers { seat: Side, left: Count, free: bool } asks seat,
        /// An event brings so many Brigades more to the map; one is chosen.
        30 "event-brigades" "Brigades by event" (rules::EVENT_BRIGADES)
        EventBrigades { seat: Side, left: Count, face as "brigade": Own<Option<BrigadeFace>> } asks seat,
        /// An event takes so many Brigades more off the map; their place is chosen.
        31 "event-removals" "Brigades are removed" (rules::EVENT_REMOVALS)
        EventRemovals { seat: Side, left: Count, from: Own<Option<Holder>> } asks seat,
        /// One of two effects of a card is chosen.
        32 "effect" "Choice of an effect" (rules::EVENT) Effect { seat: Side, first: ListId, second: ListId } asks seat,
        /// An event's Fortress, Siege or General is named.
        33 "target" "An event's target" (rules::EVENT) Target { seat: Side } asks seat,
        /// A die decides about a Fortress.
        34 "fortress-roll" "Fate of a Fortress" (rules::EVENT) FortressRoll { seat: Side, area: AreaId },
        /// Up to so many Brigades more go from one General to another.
        35 "transfer" "Brigades are transferred" (rules::NO_TRANSFER)
        Transfer { seat: Side, left: Count, moved: bool, giver: Option<GeneralId>, taker: Option<GeneralId> } asks seat,

        // Recruitment (7.0).

        /// The recruitment of the state.
        40 "recruitment" "Recruitment" (rules::RECRUITMENT_ORDER) Recruitment { seat: Side, stage: Stage<8> } asks seat,
        /// So many Dispersed Brigades more are picked to reform.
        41 "reform" "Brigades reform" (rules::REFORMING) Reform { seat: Side, left: Count } asks seat,
        /// A Brigade of the pool, or `reformed` a Dispersed one, is chosen, and its place.
        42 "recruit" "A Brigade is placed" (rules::RECRUIT_PLACE)
        Recruit { seat: Side, reformed: bool, region: Own<Option<RegionId>>, face as "brigade": Own<Option<BrigadeFace>> } asks seat,
        /// The Area of the Siege Train is named.
        43 "train-place" "The Siege Train is placed" (rules::SIEGE_TRAIN_PLACE) TrainPlace { seat: Side } asks seat,
        /// The Area of a General is named, who is placed.
        44 "arrival" "A General is placed" (rules::GENERALS_PLACED) Arrival { seat: Side, general: GeneralId } asks seat,
        /// A General who was placed takes Brigades; `taken`: one at least.
        45 "enlist" "A General takes Brigades" (rules::GENERALS_PLACED)
        Enlist { seat: Side, general: GeneralId, taken: bool, from: Own<Option<Holder>> } asks seat,

        // Movement and Interception (9.0).

        /// The Activation of the state; a Brigade is being taken up or put down.
        50 "activation" "Activation" (rules::ACTIVATION)
        Activation { seat: Side, stage: Stage<8>, from: Own<Option<Holder>>, face as "brigade": Own<Option<BrigadeFace>> } asks seat,
        /// Two Armies of a side are in an Area where they can't stay together: one is named that goes.
        51 "illegal" "Illegal position" (rules::ILLEGAL_POSITION) Illegal { seat: Side, stage: Stage<4> } asks seat,
        /// The active Army has entered an Area, or attacks from inside its Fortress; `surplus`: the besieger there keeps up the Siege.
        52 "entry" "Entry into an Area" (rules::BATTLE_ORDER)
        Entry { seat as "active": Side, stage: Stage<16>, surplus: bool, lifted: bool },
        /// Parliament may answer with a Response card.
        53 "response" "Response" (rules::TURNHAM_GREEN_WINDOW) Response { seat: Side } asks seat,
        /// An Army may step in the way of the active one; a card has `added` to its roll.
        54 "interception" "Interception" (rules::INTERCEPTION)
        Interception { seat: Side, general: Option<GeneralId>, added: Count, stage: Stage<4>, leaving: GeneralSet } asks seat,
        /// An Army that is attacked may take up Brigades.
        55 "pick-up" "Brigades are taken up" (rules::PICK_UP_WHEN_ATTACKED)
        PickUp { seat: Side, general: GeneralId, from: Own<Option<Holder>>, face as "brigade": Own<Option<BrigadeFace>> } asks seat,
        /// A besieger who is attacked lifts the Siege, or picks so many Brigades more that fight.
        56 "siege-choice" "The besieger is attacked" (rules::BESIEGER_ATTACKED)
        SiegeChoice { seat: Side, general: GeneralId, left: OptionalCount, from: Own<Option<Holder>> } asks seat,
        /// An Army may Evade, or is on its way.
        57 "evasion" "Evasion" (rules::EVADER) Evasion { seat: Side, general: GeneralId, left: Count, stage: Stage<4> } asks seat,
        /// An Army may withdraw into its Fortress; `inside`: it has, and unled Brigades may follow.
        58 "withdrawal" "Withdrawal" (rules::WITHDRAWAL) Withdrawal { seat: Side, general: GeneralId, inside: bool } asks seat,
        /// An Army that can't stay goes to an Area; it has been in these.
        59 "parting" "An Army parts" (rules::ILLEGAL_POSITION)
        Parting { seat: Side, general: GeneralId, visited: AreaSet } asks seat,

        // Battles (10.0).

        /// The Battle of the state.
        70 "battle" "Battle" (rules::BATTLE) Battle { stage: Stage<32> },
        /// A side may Disperse before the Battle.
        71 "dispersal" "Dispersal" (rules::DISPERSAL) Dispersal { seat: Side } asks seat,
        /// A side may play a Combat Card.
        72 "combat-card" "Combat Card" (rules::COMBAT_CARD_WINDOW) CombatCard { seat: Side } asks seat,
        /// The Royalist may use the Earl of Brentford.
        73 "brentford" "Earl of Brentford" (rules::BRENTFORD_USE) Brentford { seat: Side } asks seat,
        /// A side names a Brigade that the Battle costs it; all faces lie open.
        74 "battle-loss" "Loss in a Battle" (rules::LOSSES) BattleLoss { seat: Side, from: Option<Holder> } asks seat,
        /// A beaten stack retreats: it is `at` an Area, and may enter `left` more; `owed`: Brigades to be lost for an enemy marker.
        75 "retreat" "Retreat" (rules::RETREAT)
        Retreat { seat: Side, at: AreaId, begun: bool, left: Count, paid: bool, owed: Count, from: Own<Option<Holder>> } asks seat,
        /// The winner may take a turncoat, and names its display.
        76 "turncoat" "Turncoat" (rules::TURNCOAT) Turncoat { seat: Side, face as "brigade": Option<BrigadeFace> } asks seat,
        /// The winner may place a PC marker.
        77 "spoils" "Spoils of victory" (rules::SPOILS) Spoils { seat: Side, area: AreaId } asks seat,

        // Desertion, Fortresses (12.0, 14.0).

        /// A Fortress is Bombarded, and may then be Assaulted; `free`: in the Blockade Phase.
        90 "bombardment" "Bombardment" (rules::BOMBARDMENT)
        Bombardment { seat: Side, general: GeneralId, free: bool, stage: Stage<8> } asks seat,
        /// The Fortress of an Area surrenders to `seat`.
        91 "surrender" "Surrender" (rules::FORTRESS_SURRENDERS) Surrender { seat: Side, area: AreaId, stage: Stage<4> },
        /// Deserters are selected, and supply attrition follows.
        92 "desertion" "Desertion" (rules::DESERTION) Desertion { stage: Stage<8> },
        /// A side selects its deserters, by categories; `done`: Areas that have lost one in this category.
        93 "deserters" "Selection of deserters" (rules::DESERTION_AREAS)
        Deserters {
            seat: Side, category: Count, left: Count, picked: bool, done: AreaSet, at: Option<AreaId>, from: Own<Option<Holder>>
        } asks seat,
        /// A side loses a Brigade in each Area with too many; these are done.
        94 "attrition" "Supply Attrition" (rules::ATTRITION)
        Attrition { seat: Side, done: AreaSet, from: Own<Option<Holder>> } asks seat,
        /// An Army loses its best Brigade by an Assault.
        95 "assault-loss" "Loss in an Assault" (rules::ASSAULT_ROLL)
        AssaultLoss { seat: Side, general: GeneralId, from: Own<Option<Holder>> } asks seat,

        // Mandatory cards and special events (6.5, 6.6).

        /// New Model Army, step 2: Parliament gives up so many Brigades more, from the place that was chosen.
        100 "model-losses" "Self-Denying Ordinance" (rules::VETERANS_REMOVED)
        ModelLosses { seat: Side, left: Count, from: Own<Option<Holder>> } asks seat,
        /// Step 3: who has an enemy in their Area, once no Local Notable guards it any more; Parliament orders them.
        101 "model-sieges" "Order of the Battles" (rules::NOTABLES_ORDER) ModelSieges { seat: Side, left: LeaderSet } asks seat,
        /// Step 4: a General comes to an Area.
        102 "model-arrival" "A General arrives" (rules::CROMWELL_PLACED) ModelArrival { seat: Side, general: GeneralId } asks seat,
        /// Step 5: Poyntz joins a stack, or waits.
        103 "model-poyntz" "Poyntz" (rules::POYNTZ) ModelPoyntz { seat: Side } asks seat,
        /// Step 6: Brigades without a General, and the Siege Train, go up to three Areas, and Generals take up Brigades where they stand;
        /// `train`: 1 while the Train is being placed, and 2 once it has been moved.
        104 "model-moves" "Brigades are gathered" (rules::NEW_MODEL_MOVES)
        ModelMoves { seat: Side, train: Count<4>, from: Own<Option<Holder>>, face as "brigade": Own<Option<BrigadeFace>>, vacated: AreaSet }
        asks seat,
        /// Step 7, and after the Bishops: Armies that can't stack go up to three Areas.
        105 "relocation" "Armies part" (rules::NEW_MODEL_STACKS) Relocation { seat: Side, general: Option<GeneralId> } asks seat,
        /// The Queen, the Irish or Charles of Lorraine land; London's garrison leaves: an Area is named.
        106 "landing" "An Area is named" (rules::ONCE_A_MATCH) Landing { seat: Side, card: CardId } asks seat,
        /// Rupert's successor is named.
        107 "successor" "Successor of Rupert" (rules::RUPERT_DISMISSED) Successor { seat: Side } asks seat,
        /// Parliament gathers in London; the last General was of this level.
        108 "gathering" "Turnham Green" (rules::GATHERING)
        Gathering { seat: Side, level: Count, from: Own<Option<Holder>>, face as "brigade": Own<Option<BrigadeFace>> } asks seat,
        /// The Laughter of the Court: the Royalist gives up so many Brigades more.
        109 "laughter" "The Laughter of the Court" (rules::LAUGHTER)
        Laughter { seat: Side, left: Count, from: Own<Option<Holder>> } asks seat,
        /// The New Model Army is formed, by these steps; still to fight: these; Areas that a General has left: those.
        110 "new-model" "New Model Army" (rules::NEW_MODEL)
        NewModel { stage: Stage<16>, left as "besieged": LeaderSet, vacated: AreaSet },
        /// The Irish of the Cessation go ashore in an Area.
        111 "disembarking" "The Irish go ashore" (rules::CESSATION) Disembarking { seat: Side, area: AreaId } asks seat,
    }
}

/// The phases of a Turn, in their order (5.0).
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Phase {
    /// Before the first card is dealt; at the start of Winter 1643 the deck grows (6.7).
    Start,
    /// 5.1.
    Housekeeping,
    /// 5.2.
    PoliticalControl,
    /// 5.3.
    Recruitment,
    /// 5.4.
    Draw,
    /// 5.5: who plays first.
    FirstPlay,
    /// 5.5.
    Campaign,
    /// 5.6.
    Blockade,
    /// 5.7.
    Desertion,
    /// 5.8.
    PowerBase,
    /// 5.9.
    End,
}

impl Phase {
    /// All of them.
    pub(super) const ALL: [Self; 11] = [
        Self::Start,
        Self::Housekeeping,
        Self::PoliticalControl,
        Self::Recruitment,
        Self::Draw,
        Self::FirstPlay,
        Self::Campaign,
        Self::Blockade,
        Self::Desertion,
        Self::PowerBase,
        Self::End,
    ];
}

/// The phase of a Turn, as its stage.
pub(super) enum Phases {}

impl Coding<Content> for Phases {
    type Value = Phase;

    fn encode(value: &Phase, to: &mut Writer) {
        to.u8(*value as u8);
    }

    fn decode(_: &Content, from: &mut Reader<'_>) -> Result<Phase, DecodeError> {
        Ok(Phase::ALL[usize::from(from.below(Phase::ALL.len() as u8, "a phase")?)])
    }
}

impl FrameField<Content> for Phases {
    fn tell(_: &Content, &value: &Phase, _: &'static str, _: bool, to: &mut Procedure) {
        to.stage = value as u8;
    }

    fn read(_: &Content, _: &str, of: &Procedure) -> Option<Phase> {
        Phase::ALL.get(usize::from(of.stage)).copied()
    }
}

/// A number that is there from some stage on: its role tells it.
pub(super) enum OptionalCount {}

impl Coding<Content> for OptionalCount {
    type Value = Option<u8>;

    fn encode(value: &Option<u8>, to: &mut Writer) {
        to.u8(value.unwrap_or(u8::MAX));
    }

    fn decode(_: &Content, from: &mut Reader<'_>) -> Result<Option<u8>, DecodeError> {
        Ok(Some(from.u8()?).filter(|&count| count != u8::MAX))
    }
}

impl FrameField<Content> for OptionalCount {
    fn tell(_: &Content, &value: &Option<u8>, role: &'static str, _: bool, to: &mut Procedure) {
        to.roles.extend(value.map(|count| (role, Ref::Number(count.into()))));
    }

    fn read(_: &Content, role: &str, of: &Procedure) -> Option<Option<u8>> {
        let Some(Ref::Number(count)) = of.role(role) else { return Some(None) };
        u8::try_from(count).ok().map(Some)
    }
}
