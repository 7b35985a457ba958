//! Events of cards (6.0), of Recruitment (7.0) and of Raids (13.0).

pub(super) const PHRASES: &[(&str, &str)] = &[
    // Uses of a card (6.1, 6.4).
    ("plays_event", "{0} plays {1} for its event"),
    ("plays_campaign", "{0} goes on campaign with {1}"),
    ("plays_to_activate", "{0} plays {1} to Activate a General"),
    ("plays_to_bombard", "{0} plays {1} to Bombard"),
    ("plays_to_raid", "{0} plays {1} for Raids"),
    ("plays_for_markers", "{0} plays {1} to place PC markers"),
    ("plays_to_recruit", "{0} plays {1} as the Recruitment card of the Turn"),
    ("discards", "{0} discards {1}"),
    ("plays_response", "{0} answers with {1}"),
    ("card_removed", "{1} is taken from the hand of {0}"),
    ("train_removed", "{0} takes the Siege Train off the map"),
    ("queen_leaves", "The Queen leaves England; the Naval Status is {0} now"),
    ("queue_begins", "Bonus cards are played"),
    ("queue_ends", "The bonus cards are done"),
    // Operations of events.
    ("effect_chosen", "{0} chooses the {1|first|second} effect"),
    ("joint_venture", "By {0} rivals may stand together until the Turn ends"),
    ("naval_shift", "The Naval Status goes by {0} to {1}"),
    ("notable_placed", "{0} takes charge of {1}"),
    ("siege_aided", "The next Bombardment of {0} counts {1} more"),
    ("fortress_roll", "The die about {0} shows {1}: {2|it goes over|nothing happens}"),
    ("fortress_turns", "{0} goes over to {1}"),
    ("brigade_by_event", "{0} places {2..|||a Brigade} at {1}"),
    ("brigade_removed", "{0} takes {2..|||a Brigade} off {1}"),
    ("brigade_transferred", "{2..|||A Brigade} goes from {0} to {1}"),
    // Recruitment.
    ("recruitment_done", "{0} has recruited"),
    ("recruited", "{0} recruits {2..|||a Brigade} at {1}"),
    ("reformed", "{2..|||A Dispersed Brigade} of {0} reforms at {1}"),
    ("reforming", "Of {1} Dispersed {1|Brigade|Brigades} of {0} {2} may reform"),
    ("reform_picked", "{0} has picked {1} Dispersed {1|Brigade|Brigades} to reform"),
    ("picked_to_reform", "{1} of {0} is to reform"),
    ("dispersed_leave", "{1} Dispersed {1|Brigade|Brigades} of {0} can be recruited again"),
    ("train_recruited", "{0} places the Siege Train at {1}"),
    ("train_taken", "{0} takes the Siege Train along"),
    ("general_placed", "{0} comes to {1}"),
    ("brigade_taken", "{0} takes {2..|||a Brigade} from {1}"),
    // Known of cards.
    ("bonus_set", "Drawn from the discard pile, set {0}"),
];
