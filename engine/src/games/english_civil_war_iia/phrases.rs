//! Templates of everything that the game says, in our words: `{0}` is the first reference.

/// The part of an event that names units: side, armies, leaders.
macro_rules! units {
    ($rest:literal) => {
        concat!("{0}: {3} {3|army|armies}{4..piece| with |}", $rest)
    };
}

/// The part of an arrow's result that names units: armies, strength, what is left of a support, 1 if dislodged, leaders.
macro_rules! arrow {
    ($lead:literal, $rest:literal) => {
        concat!($lead, ": {0} {0|army|armies}{4..| with |}", $rest)
    };
}

/// Code and template of prompts, events, warnings, endings and refusals.
pub(super) const PHRASES: &[(&str, &str)] = &[
    // Prompts.
    ("waiting", "{0..|waiting for ||nothing to choose here: the other side is to act}"),
    ("fund", "put points of influence into spaces: {0} left"),
    ("remove", "take armies off: {0} still owed, since {1} {1|army stands|armies stand} and {2} can be kept"),
    ("build", "build armies: room for {0}"),
    ("place", "where does {0} start?"),
    ("order_what", "{0}, {1} {1|army|armies} without an order: what next?"),
    ("order_leader", "{0}: does {2} go with the part of {1} {1|army|armies}?"),
    ("order", "{0}: an order for the part of {1} {1|army|armies}"),
    ("retreat_what", "{0}, {1} dislodged {1|army|armies}: what next?"),
    ("retreat", "{0}: where does the part of {1} {1|army|armies} retreat to?"),
    ("commit", "all is written: done?"),
    // Events of the flow.
    ("committed", "committed: {0}"),
    ("draw_offered", "a draw is offered by {0}"),
    ("draw_declined", "the draw is declined by {0}"),
    ("season_opened", "points/build season of {0}, month {1}"),
    ("month_opened", "movement month of {0}, month {1}"),
    ("income", "{0}: {1} {1|point|points} awarded, {2} in hand"),
    ("owner", "{0} now serves {1} as a regular centre"),
    ("funded", "{0}: {1} Royalist and {2} Parliamentarian points, the rating was {3} and is {4}"),
    ("points", "points saved by {0}: {1}"),
    ("control", "{0} is now controlled by {1}"),
    ("control_lost", "{0} is now controlled by nobody"),
    ("removed", "{0}: {2} {2|army is|armies are} taken off in {1}"),
    ("built", "{0}: an army is built in {1}"),
    ("waived", "{0}: room for {1} {1|army|armies} is left empty"),
    ("placed", "{0} starts in {1}"),
    ("drafted", "written in secret by {0}"),
    ("ordered.hold", units!(": to hold in {1}{2||}")),
    ("ordered.move", units!(": to move from {1} to {2}")),
    ("ordered.merge", units!(": to merge from {1} into {2}")),
    ("ordered.support", units!(" in {1}: to support what holds in {2}")),
    ("ordered.support_move", units!(" in {1}: to support the move from {4} to {2}")),
    ("standoff", "{0} stays empty after a stand-off"),
    ("dislodged", "{0}: what stood in {1} ({2} {2|army|armies}) is dislodged{3..|, attacked from |}"),
    ("may_retreat", "{0}: what was dislodged in {1} {2..|may retreat to ||has no retreat}"),
    ("influence_shown", "influence is shown"),
    ("adjustment_due", "removals and builds are due"),
    ("adjustments_shown", "removals and builds are shown"),
    ("orders_shown", "orders are shown"),
    ("retreats_shown", "retreats are shown"),
    ("NOT_ASKED", "there is nothing to choose here"),
    ("UNKNOWN_ACTION", "not an action of this game"),
    ("occupied", "{0} is occupied by {1}: the rating was {2} and is {3}"),
    ("clock", "{0} has stood {1} {1|month|months} in one place"),
    ("founded", "{0} becomes a centre of {1}"),
    // Results of parts.
    ("held", units!(" held in {1}{2||}{4..number||}")),
    ("moved", units!(" moved from {1} to {2}{4..number||}")),
    ("joined", units!(" went from {1} to {2} and joined own units there{4..number||}")),
    ("merged", units!(" from {1} merged in {2}{4..number||}")),
    ("bounced.own_unit", units!(" from {1} bounced off {2}: an own army is in the way{4..number||}")),
    ("bounced.limit", units!(" from {1} bounced off {2}: there would be three leaders{4..number||}")),
    (
        "bounced.contested",
        units!(" from {1} bounced off {2}, giving way to others for want of strength{4..number||}"),
    ),
    (
        "bounced.head_to_head",
        units!(" from {1} bounced off {2}: met on the way, strength {-2} against strength {-1}"),
    ),
    (
        "bounced.strength",
        units!(" from {1} bounced off {2}: attack of strength {-2} against a hold of strength {-1}"),
    ),
    ("bounced.standoff", units!(" from {1} bounced off {2}: stand-off, strength {-2} against strength {-1}")),
    (
        "bounced.knot",
        units!(" from {1} bounced off {2}: one of several moves that can't all be made{4..number||}"),
    ),
    (
        "given",
        units!(
            " in {1}: support {4..space|for the move from | to|of the hold in} {2} given{-2||}, strength {-1}"
        ),
    ),
    (
        "cut_to",
        units!(
            " in {1}: support {4..space|for the move from | to|of the hold in} {2} cut, strength {-2} of {-1} left"
        ),
    ),
    (
        "cut",
        units!(
            " in {1}: support {4..space|for the move from | to|of the hold in} {2} cut{-2||}, all of its strength {-1}"
        ),
    ),
    ("void.merge_of_one", units!(" in {1}: a merge of one into {2} is void and holds{4..number||}")),
    (
        "void.three_leaders",
        units!(" in {1}: a merge of three leaders into {2} is void and holds{4..number||}"),
    ),
    (
        "void.unmatched",
        units!(
            " in {1}: support {4..space|for the move from | to|of the hold in} {2} matches no order, is void and holds{4..number||}"
        ),
    ),
    ("void.illegal", units!(" in {1}: no order that can be carried out to {2}, void, holds{4..number||}")),
    ("retreated", units!(" retreated from {1} to {2}")),
    ("disbanded", units!(" disbanded in {1}{2||}")),
    ("clash", units!(" retreated from {1}, met the enemy in {2} and was lost")),
    ("captured", units!(" found no way out of {1}{2||}")),
    ("captured.alone", "{0} is captured, alone in {1}"),
    ("captured.influence", "{0} is captured: {1} has turned against him"),
    ("captured.removal", "{0} is captured, left alone in {1}"),
    ("captured.no_retreat", "{0} is captured in {1}: dislodged, and not retreated"),
    ("captured.clash", "{0} is captured in retreat from {1}"),
    ("captured.third", "{0} is captured in retreat from {1}: two leaders came before him"),
    // Arrows, as the results of parts are shown on the board.
    ("arrow.ordered", arrow!("ordered", "{1||}{2||}{3||}")),
    ("arrow.held", arrow!("held", "{1||}{2||}{3||}")),
    ("arrow.dislodged", arrow!("dislodged", "{1||}{2||}{3||}")),
    ("arrow.moved", arrow!("moved", "{1||}{2||}{3||}")),
    ("arrow.joined", arrow!("joined own units", "{1||}{2||}{3||}")),
    ("arrow.merged", arrow!("merged", ", strength {1}{2||}{3||}")),
    ("arrow.bounced.own_unit", arrow!("bounced off an own army", "{1||}{2||}{3|, dislodged|}")),
    ("arrow.bounced.limit", arrow!("bounced by the limit of two leaders", "{1||}{2||}{3|, dislodged|}")),
    ("arrow.bounced.contested", arrow!("bounced, giving way to others", "{1||}{2||}{3|, dislodged|}")),
    ("arrow.bounced.head_to_head", arrow!("bounced head to head", ", strength {1}{2||}{3|, dislodged|}")),
    ("arrow.bounced.strength", arrow!("bounced off the holders", ", strength {1}{2||}{3|, dislodged|}")),
    ("arrow.bounced.standoff", arrow!("bounced in a stand-off", ", strength {1}{2||}{3|, dislodged|}")),
    ("arrow.bounced.knot", arrow!("bounced in a knot of moves", "{1||}{2||}{3|, dislodged|}")),
    ("arrow.given", arrow!("support given", ", strength {1}{2||}{3||}")),
    ("arrow.cut_to", arrow!("support cut in part", ", strength {2} of {1} left{3|, dislodged|}")),
    ("arrow.cut", arrow!("support cut", ", all of its strength {1}{2||}{3|, dislodged|}")),
    ("arrow.void.merge_of_one", arrow!("void merge of one", "{1||}{2||}{3|, dislodged|}")),
    ("arrow.void.three_leaders", arrow!("void merge of three leaders", "{1||}{2||}{3|, dislodged|}")),
    ("arrow.void.unmatched", arrow!("void support, which matches no order", "{1||}{2||}{3|, dislodged|}")),
    ("arrow.void.illegal", arrow!("void order", "{1||}{2||}{3|, dislodged|}")),
    ("arrow.retreated", arrow!("retreated", "{1||}{2||}{3||}")),
    ("arrow.disbanded", arrow!("disbanded", "{1||}{2||}{3||}")),
    ("arrow.clash", arrow!("lost in a clash of retreats", "{1||}{2||}{3||}")),
    ("arrow.captured", arrow!("captured", "{1||}{2||}{3||}")),
    ("draft", "not final{0..number|; armies: |}{0..piece| with |}"),
    ("all", "open to leaders alone, too"),
    ("army", "open to a part with an army"),
    // Warnings.
    ("merge_of_one", "only one part merges into {0}, and nothing stays there: it will hold"),
    ("three_leaders", "more than two leaders are bound for {0}"),
    ("own_standoff", "own parts stand each other off in {0}: merge them"),
    ("own_army_stays", "an own army stays in {0}: nothing can move there but by a merge"),
    ("support_unmatched", "a part in {0} supports own units that are ordered otherwise"),
    ("capture_risk", "{0} would be alone in {1}, in enemy ground: he may be captured"),
    (
        "will_disband",
        "{1} {1|army|armies} of {0} will disband, though a retreat is open: `Done` makes it final",
    ),
    ("will_be_captured", "{0} will be captured in {1}, though a retreat is open: `Done` makes it final"),
    // Endings.
    ("twice_units", "victory of {0}: twice the enemy's units"),
    ("leader_lost", "victory of {0}: the enemy's great leader is lost"),
    ("on_units", "the last season is over: victory of {0} by units"),
    ("on_weight", "the last season is over: victory of {0} by counties"),
    ("drawn", "drawn"),
    ("agreed", "drawn by agreement"),
    ("resigned", "{0} gave up"),
    // Refusals.
    ("ALL_ORDERED", "everything has an order: only `done` is left"),
    ("ORDERS_OPEN", "some spaces have no orders yet"),
    ("OTHER_LEADER", "{0} is not the leader who is asked about"),
    ("LEADER_FIRST", "first say which leaders go with the part"),
    ("LEADER_NOT_FREE", "{0} is not here, or has an order"),
    ("NO_LATER_ORDER", "no order that comes later in {0} is left for such a part"),
    ("PART_FIRST", "first say which units the order is for"),
    ("PART_NEEDS_ORDER", "this part was named to get an order: what is not named holds"),
    ("ORDER_FIRST", "first give the part its order"),
    ("ALREADY_ORDERED", "{0} has its orders, or has no units to order"),
    ("PICKED_ALREADY", "{0} is being written already"),
    ("IN_A_PART", "first finish {0}"),
    ("PICK_OPEN", "{0} was picked: give it orders, or undo"),
    ("TOO_FEW_ARMIES", "{0} has {1} {1|army|armies} without an order"),
    ("OUT_OF_SEQUENCE", "{0}: the sequence has gone past this"),
    ("NOT_ADJACENT", "{0} does not touch"),
    ("NO_PARTNER", "no other own unit could merge into {0}"),
    ("NOTHING_TO_SUPPORT", "no units in {0}"),
    ("SUPPORTS_ITSELF", "nothing else in {0} could be supported"),
    ("NO_STRENGTH", "leaders alone in {0} have no strength to support with"),
    ("NOT_DISLODGED", "nothing is dislodged here"),
    ("RETREAT_BARRED", "{0} is not open to this retreat"),
    ("LEADER_NEEDS_ARMY", "{0} is enemy ground: a leader can't retreat there alone"),
    ("NO_POINTS", "all points are spent"),
    ("INFLUENCE_DUE", "influence is due"),
    ("ADJUSTMENT_DUE", "removals, builds or leaders are due"),
    ("NOTHING_OWED", "no removal is owed{0||}"),
    ("NO_ARMY", "no own army in {0} is left"),
    ("REMOVALS_OWED", "removals are owed first{0||}"),
    ("LEADERS_TO_PLACE", "leaders are to be placed first"),
    ("NO_ROOM", "no more armies can be kept{0||}"),
    ("NOT_OWN_CENTRE", "{0} is no centre of one's own"),
    ("NOT_VACANT", "{0} is not a vacant centre under one's control"),
    ("BUILT_ALREADY", "{0} has its build of this season"),
    ("NO_LEADER_TO_PLACE", "no leader is to be placed{0||}"),
    ("NOT_A_HOME", "{0} is not a home centre"),
    ("NOT_A_SAFE_HOME", "{0} has no army that stays, and is under enemy control"),
    ("TWO_LEADERS_ALREADY", "{0} has two leaders"),
];
