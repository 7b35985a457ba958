//! Texts: what blocks and cards do, from their numbers.

use super::super::content::things::{Place, RegionId};
use super::super::content::{BlockDef, CardDef, CardEvent, Class, Content, Kind, Stage};
use super::REGION_NAMES;

fn lines(lines: &[&str]) -> Vec<String> {
    lines.iter().map(|&line| line.to_owned()).collect()
}

/// Sides, as words before a class.
const ADJECTIVES: [&str; 2] = ["Royalist", "Parliamentarian"];

/// A card: its points, its event, when it is in the deck.
pub(in super::super) fn card(card: &CardDef) -> Vec<String> {
    let mut text = vec![format!(
        "Gives {} Action Points; of the two cards of a Turn the higher number is Player 1's (rules 2.31, 6.02)",
        card.points
    )];
    match card.event {
        Some(of) => text.push(event(of, card.amount)),
        None if card.stage == Stage::Out => {}
        None => text.push("Has no event".to_owned()),
    }
    if card.removed {
        text.push("Once its event was used it is out of the game".to_owned());
    }
    text.push(match card.stage {
        Stage::Deck => "In its side's deck from the start (rule 2.1)".to_owned(),
        Stage::YearEnd => "Joins its side's deck at the Year End (rule 11.4)".to_owned(),
        Stage::Out => "Belongs to the full game, and is not used in this one".to_owned(),
    });
    text
}

fn event(event: CardEvent, amount: u8) -> String {
    let blocks = if amount == 1 { "1 block".to_owned() } else { format!("{amount} blocks") };
    match event {
        CardEvent::CampFever => format!(
            "Operational event: name an Area with two or more enemy blocks that are not Besieged; of its Infantry and Cavalry {blocks}, picked by their owner, lose 1 strength each (rule 6.42)"
        ),
        CardEvent::Desertion => "Operational event: the enemy weakens one of his Regional blocks outside its Home Region by 1 and puts it back at home; if he has none there, any block of his loses 1 (rule 6.44)".to_owned(),
        CardEvent::Recruitment => format!(
            "Operational event: {amount} free points of Recruitment, to be used at once (rule 6.46)"
        ),
        CardEvent::RecruitmentArtillery => format!(
            "Operational event: {amount} free points of Recruitment, to be used at once, for Artillery too (rule 6.47)"
        ),
        CardEvent::FortificationOfLondon => {
            "Operational event: from now on the walls of London are complete, whoever holds it (rule 6.45)".to_owned()
        }
        CardEvent::AdvantageousTerrain => "Tactical event, for the first fight in an Area that you name in which you are the Defender: your Infantry loses 1 strength by two hits, and halves are forgotten (rules 7.01, 7.91)".to_owned(),
        CardEvent::DeterminedLastStand => "Tactical event, for the first fight in an Area that you name: one of your Infantry blocks loses 1 strength by two hits, and a half counts as a whole (rules 7.01, 7.92)".to_owned(),
        CardEvent::Mining => format!(
            "Tactical event, for the first Storming in an Area that you name: before the bombardment a die of {amount} or more makes a breach (rules 7.01, 7.93)"
        ),
        CardEvent::TerrainDisfavoursCavalry => "Tactical event, for the first fight in an Area that you name: all Cavalry, of both sides, hits with 1 less (rules 7.01, 7.95)".to_owned(),
        CardEvent::WellPositionedArtillery => "Tactical event, for the first Battle or Sally in an Area that you name: one of your guns fires in Rounds 2 and 3, too (rules 7.01, 7.97)".to_owned(),
        CardEvent::QuartermasterGeneral => format!(
            "Supply event: {blocks} of yours that would go short this Turn are supplied (rule H5)"
        ),
    }
}

/// A block: side and class, how it fights, where it belongs.
pub(in super::super) fn block(content: &Content, block: &BlockDef) -> Vec<String> {
    let side = ADJECTIVES[block.side.index()];
    let class = ["Infantry", "Cavalry", "Artillery"][block.class as usize];
    let rank = match block.rank {
        Kind::Leader => "a Leader",
        Kind::RegionalLeader => "a Regional Leader",
        Kind::Regional => "a Regional block",
        Kind::Artillery => "guns",
    };
    let mut text = vec![
        format!("{side} {class}, {rank} (rules 3.2, 3.4)"),
        format!(
            "At full strength {}: it rolls a die for each point it has left, and hits with {} or less (rules 3.11, 3.12)",
            block.strength, block.effectiveness
        ),
    ];
    let home = |letter: RegionId| match letter {
        RegionId::LONDON => "London's Area and its neighbours",
        letter => REGION_NAMES[letter],
    };
    match (block.rank, block.letter) {
        (Kind::Regional, Some(letter)) => text.push(format!(
            "At home in {}: it gains strength there alone, and ends a move elsewhere only with a Leader or with the Regional Leader of its home (rules 6.3, 6.16)",
            home(letter)
        )),
        (_, Some(letter)) => text.push(format!(
            "At home in {}: there alone it gains strength by Recruitment, and Regional blocks of that home may go abroad with it (rules 6.16, 6.3)",
            home(letter)
        )),
        (Kind::Leader, None) => {
            text.push("At home everywhere; any Regional block of its side may go abroad with it (rule 6.16)".to_owned());
        }
        (_, None) => {
            text.push("At home everywhere; gains strength by no Recruitment but that of one event (rules 6.3, 6.47)".to_owned());
        }
    }
    text.push(match block.setup {
        Place::POOL => "Begins in the Recruitment Pool (rule 4.4)".to_owned(),
        area => format!("Begins in {} (rule 3.14)", content.areas[area.index()].named.name),
    });
    text
}

/// A class of blocks.
pub(in super::super) fn class(class: Class) -> Vec<String> {
    match class {
        Class::Infantry => lines(&[
            "Engages last in each Round, at Infantry, and at Cavalry when no Infantry is left (rules 7.44, T15)",
            "Counts for besieging, storming and Supply as Cavalry does; in its City's defence it hits with one more (rules 8.01, G18)",
        ]),
        Class::Cavalry => lines(&[
            "Engages before the Infantry in each Round, at Cavalry, and where there is none at Infantry with one more (rule 7.42)",
            "Eases and hampers withdrawal before Battle; of what an Area supplies only a part may be Cavalry (rules 7.2, 9.11)",
        ]),
        Class::Artillery => lines(&[
            "Fires first, in Round 1 alone, at Cavalry with one less or at Infantry, as it declares (rules 7.41, T13)",
            "Takes no hits, and dies where its side has no Infantry or Cavalry left; bombards a City before a Storming (rules 7.41, T29, G16)",
        ]),
    }
}

/// The back of a block.
pub(in super::super) fn back(side: usize) -> Vec<String> {
    vec![format!(
        "A block of the {} that you can't see: it is one of those that are known to be in its bag (rule K1)",
        ["Royalists", "Parliamentarians"][side]
    )]
}

/// The back of a card.
pub(in super::super) fn card_back(side: usize) -> Vec<String> {
    vec![format!(
        "A card of the {} that you can't see: 2, 3 or 4 Action Points, with an event on those of 2 and 3 (rule 5.0)",
        ["Royalists", "Parliamentarians"][side]
    )]
}
