//! Citations of the rules ledger: sections, then what they leave open (rulings).

use crate::ledger::Rule;

pub(super) const SETUP: Rule = Rule::new("3.0");
pub(super) const SEQUENCE: Rule = Rule::new("4.0");
pub(super) const SCORE: Rule = Rule::new("5.0");
pub(super) const EVENT_PHASE: Rule = Rule::new("6.0");
pub(super) const BATTLE_FIRST: Rule = Rule::new("6.1");
pub(super) const ACTIVATION: Rule = Rule::new("6.2");
pub(super) const STRENGTH_MARKERS: Rule = Rule::new("6.2.1");
pub(super) const RECOVERY: Rule = Rule::new("6.2.2");
pub(super) const CLUBMEN: Rule = Rule::new("6.2.3");
pub(super) const ROYAL_SIEGE: Rule = Rule::new("6.2.4");
pub(super) const LONDON_BESIEGED: Rule = Rule::new("6.2.5");
pub(super) const SCOTS_PUSH: Rule = Rule::new("6.2.6");
pub(super) const IRISH_TROUBLES: Rule = Rule::new("6.2.7");
pub(super) const BESIEGE_OR_FORTIFY: Rule = Rule::new("6.3");
pub(super) const UNREST: Rule = Rule::new("6.4");
pub(super) const REACTIONS: Rule = Rule::new("6.5");
pub(super) const TRACK: Rule = Rule::new("6.6");
pub(super) const OFF_THE_EDGE: Rule = Rule::new("6.6.1");
pub(super) const MIDDLE: Rule = Rule::new("6.6.2");
pub(super) const FLIPS: Rule = Rule::new("6.6.3");
pub(super) const TRACK_DRM: Rule = Rule::new("6.7");
pub(super) const DEVILTRY: Rule = Rule::new("6.8");
pub(super) const REVOLT: Rule = Rule::new("6.9");
pub(super) const BLUE_TEXT: Rule = Rule::new("6.10.1");
pub(super) const OXFORD: Rule = Rule::new("6.10.2");
pub(super) const EVENT_FORTIFY: Rule = Rule::new("6.10.3");
pub(super) const DISORDER: Rule = Rule::new("6.10.4");
pub(super) const BATTLE: Rule = Rule::new("7.0");
pub(super) const CROMWELL: Rule = Rule::new("7.1");
pub(super) const MAJOR: Rule = Rule::new("7.2");
pub(super) const ACTIONS: Rule = Rule::new("8.0");
pub(super) const INFUSE: Rule = Rule::new("8.1");
pub(super) const PURCHASE: Rule = Rule::new("8.2");
pub(super) const CAMPAIGN: Rule = Rule::new("8.3");
pub(super) const EXORCISE: Rule = Rule::new("8.3.1");
pub(super) const BESIEGE: Rule = Rule::new("8.4");
pub(super) const REVOLTS: Rule = Rule::new("8.5");
pub(super) const BOTH_SIDES: Rule = Rule::new("8.5.1");
pub(super) const FORTIFY: Rule = Rule::new("8.6");
pub(super) const POLITICS: Rule = Rule::new("8.7");
pub(super) const DESPERATE_TIMES: Rule = Rule::new("8.8");
pub(super) const END_TIMES: Rule = Rule::new("9.0");
pub(super) const MARKERS_OFF: Rule = Rule::new("10.1");
pub(super) const INCOME: Rule = Rule::new("10.2");
pub(super) const NEXT_DECK: Rule = Rule::new("10.3");
pub(super) const DEFEAT: Rule = Rule::new("11.1");
pub(super) const VICTORY: Rule = Rule::new("11.2");
pub(super) const RECONNAISSANCE: Rule = Rule::new("12.1");
pub(super) const LEAGUE: Rule = Rule::new("12.2");
pub(super) const QUICK: Rule = Rule::new("12.3");
pub(super) const QUICK_RESULT: Rule = Rule::new("12.3.1");
pub(super) const QUICK_ETC: Rule = Rule::new("12.3.2");
pub(super) const SETTLERS: Rule = Rule::new("12.4");
pub(super) const STRIKE: Rule = Rule::new("12.5");
pub(super) const SCENARIOS: Rule = Rule::new("B.0");
/// A natural 1 fails and a natural 6 succeeds, whatever the modifiers.
pub(super) const NATURAL_ROLLS: Rule = Rule::new("G1");
/// All markers count towards an Army's strength, without a limit.
pub(super) const MARKERS_ADD_UP: Rule = Rule::new("G3");
/// An action that could change nothing is not legal.
pub(super) const NOT_IDLE: Rule = Rule::new("G4");
/// Zeal that goes beyond an end of its track is lost.
pub(super) const ZEAL_LIMITS: Rule = Rule::new("G5");
/// A deck's first and last card come by themselves, each of the others is as likely.
pub(super) const DRAWING: Rule = Rule::new("S1");
/// With the option, cards come by their numbers.
pub(super) const NUMERICAL_ORDER: Rule = Rule::new("S2");
/// An Achievement is laid out before the next card is turned up.
pub(super) const ACHIEVEMENTS_IN_A_ROW: Rule = Rule::new("S3");
/// One of the three that lie there makes room, never the new one.
pub(super) const DISPLACED_ACHIEVEMENT: Rule = Rule::new("S4");
/// A card's items come one after the other, each finished before the next.
pub(super) const ORDER_OF_ITEMS: Rule = Rule::new("S7");
/// An option of blue text is carried out line by line.
pub(super) const OPTION_IN_FULL: Rule = Rule::new("S8");
/// The first thing in Housekeeping is where an Army stands that a card watches.
pub(super) const WHEN_THE_TURN_ENDS: Rule = Rule::new("S9");
/// The score and its band are told when a war gives way to the next.
pub(super) const INTERIM_CHECK: Rule = Rule::new("S12");
/// Named units of a card come into the Holding Box at once.
pub(super) const NAMED_UNITS_JOIN: Rule = Rule::new("S13");
/// A new counter takes over area, Disorder and markers.
pub(super) const COUNTER_SWAP: Rule = Rule::new("S14");
/// An Army that activates twice goes through the whole list twice.
pub(super) const TWICE: Rule = Rule::new("A1");
/// Fortresses and Clubmen stop an Army in its own area and behind it.
pub(super) const OWN_AREA_OR_BEHIND: Rule = Rule::new("A2");
/// Of several Clubmen those in the own area come first, then the nearest.
pub(super) const NEAREST_CLUBMEN: Rule = Rule::new("A3");
/// Clubmen in front don't stop an Army.
pub(super) const CLUBMEN_AHEAD: Rule = Rule::new("A4");
/// Armies fight no revolts but Clubmen.
pub(super) const REVOLTS_IGNORED: Rule = Rule::new("A5");
/// A die has to beat the Clubmen's strength.
pub(super) const CLUBMEN_STRENGTH: Rule = Rule::new("A6");
/// Oxford stops both Armies in their area 1.
pub(super) const OXFORD_STOPS: Rule = Rule::new("A7");
/// London is besieged from area 0 alone.
pub(super) const LONDON_STOPS: Rule = Rule::new("A8");
/// Of several fortresses the one in the own area comes first, then the nearest.
pub(super) const NEAREST_FORTRESS: Rule = Rule::new("A9");
/// An Army before a Royalist London with nothing behind it does nothing.
pub(super) const NOTHING_BEHIND: Rule = Rule::new("A10");
/// The North goes through its own list when the Scots push it.
pub(super) const PUSH_OF_THE_NORTH: Rule = Rule::new("A11");
/// Irish Troubles wait until Dublin is at the end of its dial.
pub(super) const DUBLIN_FIRST: Rule = Rule::new("A12");
/// The Irish Troubles marker goes on, whatever became of its arrow.
pub(super) const TROUBLES_GO_ON: Rule = Rule::new("A13");
/// A Strength marker lies on its Army before the activation.
pub(super) const MARKER_FIRST: Rule = Rule::new("A14");
/// A siege has two dice, and ends where the fortress falls.
pub(super) const TWO_DICE: Rule = Rule::new("A15");
/// Besieged or strengthened: the owner of the moment decides.
pub(super) const BY_OWNER: Rule = Rule::new("A16");
/// Unrest takes Zeal instead of London's last click.
pub(super) const LAST_CLICK_OF_LONDON: Rule = Rule::new("A17");
/// A Disordered Army that is disordered again goes back, but for its area 5.
pub(super) const DISORDERED_ALREADY: Rule = Rule::new("A18");
/// A card fortifies wherever Parliament holds the fortress.
pub(super) const FORTIFY_BY_CARD: Rule = Rule::new("A19");
/// Each arrow is a movement of its own.
pub(super) const EACH_ARROW: Rule = Rule::new("T1");
/// At the end of its track a marker hands the arrow to its opposite.
pub(super) const HANDED_ON: Rule = Rule::new("T2");
/// Where both are at their end the player picks another marker that can move.
pub(super) const BOTH_JAMMED: Rule = Rule::new("T3");
/// The occupant of the middle box moves in place of the marker that would enter.
pub(super) const MIDDLE_TAKEN: Rule = Rule::new("T4");
/// A marker before a taken middle box is not offered.
pub(super) const NOT_BEFORE_A_TAKEN_MIDDLE: Rule = Rule::new("T5");
/// Reactions move markers towards C.
pub(super) const TOWARDS_C: Rule = Rule::new("T8");
/// A Religious Reaction may be ignored as a whole, once a card says so.
pub(super) const TOLERANCE: Rule = Rule::new("T9");
/// A flip holds while the marker is in the box.
pub(super) const WHILE_THERE: Rule = Rule::new("T10");
/// Scotland's top box weakens Scotland's Army.
pub(super) const SCOTLANDS_OWN_ARMY: Rule = Rule::new("T11");
/// Monarchy at its bottom strengthens revolts and Deviltry.
pub(super) const ZENITH_OF_THE_KING: Rule = Rule::new("T12");
/// Parliament at its bottom keeps London from being fortified.
pub(super) const NADIR_OF_PARLIAMENT: Rule = Rule::new("T13");
/// A benefit raises any marker that is not at its top.
pub(super) const TRACK_BENEFIT: Rule = Rule::new("T15");
/// A modifier belongs to the track that is rolled for, on free rolls, too.
pub(super) const MODIFIER_OF_THE_TRACK: Rule = Rule::new("T16");
/// The things that the Zeal marker can lie on.
pub(super) const MARKER_TARGETS: Rule = Rule::new("P2");
/// The Zeal marker is placed on the map once a turn.
pub(super) const MARKER_ONCE: Rule = Rule::new("P3");
/// The whole price at once, then the effect.
pub(super) const PRICE: Rule = Rule::new("P4");
/// A Battle that was won this turn or the one before.
pub(super) const BATTLE_WON: Rule = Rule::new("P5");
/// The fortress that an Achievement names is Parliament's and strong enough now.
pub(super) const FORTRESS_HELD: Rule = Rule::new("P6");
/// A card's free Zeal marker is placed at once.
pub(super) const FREE_MARKER_NOW: Rule = Rule::new("P7");
/// And once more, free, in the next turn.
pub(super) const FREE_MARKER_NEXT_TURN: Rule = Rule::new("P8");
/// A free Campaign is made at once or not at all.
pub(super) const FREE_CAMPAIGN: Rule = Rule::new("P9");
/// An Army that is beaten in its area 5 is Disordered.
pub(super) const CAMPAIGN_WON: Rule = Rule::new("P10");
/// A fortress can be besieged where the Armies of its regions are further away.
pub(super) const BESIEGED_FROM_OUTSIDE: Rule = Rule::new("P11");
/// London can be besieged once both Armies are out of area 0.
pub(super) const LONDON_REGAINED: Rule = Rule::new("P12");
/// A fortress can be fortified where the Armies of its regions are further away.
pub(super) const FORTIFIED_BEHIND_THE_FRONT: Rule = Rule::new("P13");
/// A fortress that changes hands stands at its first click.
pub(super) const TAKEN: Rule = Rule::new("P14");
/// Revolts in front of their region's Army can be dealt with.
pub(super) const REVOLTS_IN_REACH: Rule = Rule::new("P15");
/// Revolts in reach bar Campaigns, sieges and fortifying in their region.
pub(super) const BARRED_BY_REVOLTS: Rule = Rule::new("P16");
/// A Politics roll has to beat the box above the marker.
pub(super) const NUMBER_OF_THE_BOX_ABOVE: Rule = Rule::new("P21");
/// A marker in its bottom box can't be lowered.
pub(super) const DESPERATE_AT_THE_BOTTOM: Rule = Rule::new("P22");
/// Rewards that give a roll are kept until they are used.
pub(super) const FREE_ROLLS_KEPT: Rule = Rule::new("P23");
/// Each reward that was not found yet is as likely.
pub(super) const REWARDS_LEFT: Rule = Rule::new("P24");
/// Rewards of the next turn act before its first card.
pub(super) const REWARDS_OF_NEXT_TURN: Rule = Rule::new("P25");
/// A revolt comes only while one of its markers is in the pool.
pub(super) const REVOLT_IN_THE_POOL: Rule = Rule::new("R1");
/// A 6 means that no revolt breaks out.
pub(super) const REVOLT_AREA: Rule = Rule::new("R2");
/// A die for the region comes before the one for the area.
pub(super) const CLUBMEN_REGION: Rule = Rule::new("R3");
/// The marker of a crushed revolt goes back to the pool.
pub(super) const REVOLT_CRUSHED: Rule = Rule::new("R4");
/// Named units are committed to a wing of their arm, some, all or none.
pub(super) const COMMITTED: Rule = Rule::new("B2");
/// Parliament's places are filled first, by sector, then the Royalists'.
pub(super) const ORDER_OF_FILLING: Rule = Rule::new("B3");
/// Each EVENT formation in the lines brings a Battle Event card.
pub(super) const EVENT_FORMATIONS: Rule = Rule::new("B6");
/// A card that acts at once does so before the next is drawn.
pub(super) const CARDS_ONE_BY_ONE: Rule = Rule::new("B7");
/// The discards become the draw pile when a card is needed.
pub(super) const CARDS_RESHUFFLED: Rule = Rule::new("B8");
/// Held cards are played in their time, and where they change something.
pub(super) const CARD_TIMING: Rule = Rule::new("B9");
/// Of equals the lower sector, then the lower place.
pub(super) const STRONGEST_AND_WEAKEST: Rule = Rule::new("B11");
/// Each of the four is as likely.
pub(super) const RANDOM_FORMATION: Rule = Rule::new("B12");
/// A formation that is replaced goes back, and its markers with it.
pub(super) const REPLACED: Rule = Rule::new("B13");
/// New Model units lose strength, or else one of foot; then the card is out of play.
pub(super) const LEVELLER_MUTINIES: Rule = Rule::new("B15");
/// The Zeal marker and its like go to formations without a Strength marker.
pub(super) const ONE_MARKER_EACH: Rule = Rule::new("B16");
/// The Zeal marker is committed before the sectors, for a Zeal Point.
pub(super) const MARKER_IN_BATTLE: Rule = Rule::new("B17");
/// No formation is weaker than 0.
pub(super) const NEVER_BELOW_0: Rule = Rule::new("B18");
/// The margin that wins or loses a sector.
pub(super) const SECTOR_RESULT: Rule = Rule::new("B19");
/// The outcome is where most of Parliament's formations are.
pub(super) const MAJORITY: Rule = Rule::new("B20");
/// Markers leave a formation that turns on the foot.
pub(super) const CROMWELLS_MARKERS: Rule = Rule::new("B21");
/// A Defeat becomes a Draw where the victors moved down make a tie.
pub(super) const SALVAGE: Rule = Rule::new("B22");
/// A card that gives Zeal after a Draw, and takes the cost of a salvage.
pub(super) const TRUST_IN_GOD: Rule = Rule::new("B23");
/// An outcome's effect on the Army, on Monarchy and on what counts as won.
pub(super) const OUTCOME: Rule = Rule::new("B24");
/// A card's Benefit Points come after any Victory.
pub(super) const CARD_POINTS: Rule = Rule::new("B25");
/// A benefit is for a fortress of the Army's region.
pub(super) const FORTRESS_BENEFIT: Rule = Rule::new("B26");
/// A benefit that weakens the Army that was named, for this turn.
pub(super) const WEAKENED_ARMY: Rule = Rule::new("B27");
/// Formations go back after a Battle, those in Recovery, too.
pub(super) const UNITS_RETURN: Rule = Rule::new("B28");
/// A die for each Named unit that is in Defeat.
pub(super) const DEADLY_OUTCOMES: Rule = Rule::new("B29");
/// A quick Battle, too, ends a Recovery.
pub(super) const RECOVERY_OVER: Rule = Rule::new("B30");
/// Zeal Points that fortresses and flips bring.
pub(super) const INCOME_DUE: Rule = Rule::new("H2");
/// Defeat is looked at before the end.
pub(super) const DEFEAT_BEFORE_THE_END: Rule = Rule::new("V1");
/// The war that is on decides how bad a defeat is.
pub(super) const GRADE_OF_DEFEAT: Rule = Rule::new("V2");
/// The last war that is played decides which bands hold.
pub(super) const BANDS: Rule = Rule::new("V4");
/// The things that give Victory Points, for or against.
pub(super) const WHAT_COUNTS: Rule = Rule::new("V5");
/// Each scenario has its first and its last war.
pub(super) const WARS_OF_A_SCENARIO: Rule = Rule::new("C1");
/// Oxford may be besieged from the start of the later wars.
pub(super) const OXFORD_LATER: Rule = Rule::new("C2");
/// Cards that a set-up leaves out.
pub(super) const CARDS_OUT_OF_THE_THIRD_WAR: Rule = Rule::new("C3");
/// The option by which the Licensing Order costs one more.
pub(super) const LICENSING_PRICE: Rule = Rule::new("O1");
/// The option by which a fortress has at most two paid clicks a turn.
pub(super) const FORTIFY_LIMIT: Rule = Rule::new("O2");
/// Campaigns that nobody pays for begin with a search, too.
pub(super) const FREE_SEARCHES: Rule = Rule::new("O5");
/// The League comes after a finished item of the Event.
pub(super) const LEAGUE_AFTER_AN_ITEM: Rule = Rule::new("O6");
/// Settlers are sent once to each region.
pub(super) const SETTLERS_ONCE: Rule = Rule::new("O8");
/// Settlers roll without modifiers, on four of the tracks.
pub(super) const SETTLERS_ROLL: Rule = Rule::new("O9");
/// A strike is made at any Army in its area 5 that no revolt shields.
pub(super) const STRIKE_TARGETS: Rule = Rule::new("O10");
/// The way of fighting is chosen before the Army is named.
pub(super) const FULL_OR_QUICK: Rule = Rule::new("O11");
/// The margin of a quick Victory falls as Parliament's army grows better.
pub(super) const QUICK_THRESHOLDS: Rule = Rule::new("O12");
/// A quick Battle gives no Benefit Points.
pub(super) const QUICK_OUTCOME: Rule = Rule::new("O13");
