//! Mutated content is refused or taken, and what is taken can be asked for everything: nothing panics.

use edgehill_engine::games::unhappy_king_charles::content::ids::{AreaId, CardId, LeaderId};
use edgehill_engine::games::unhappy_king_charles::content::{AREAS, Content, LEADERS, builtin, words};
use rand_chacha::ChaCha8Rng;
use rand_core::{Rng, SeedableRng};

use crate::built_in::load;

/// Mutations of each file.
const TRIES: usize = 40;

fn below(rng: &mut ChaCha8Rng, bound: usize) -> usize {
    (rng.next_u64() % bound as u64) as usize
}

/// A line of the text changed: dropped, doubled, swapped, or with another number or word.
fn mutated(text: &str, rng: &mut ChaCha8Rng) -> String {
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    let written: Vec<usize> = (0..lines.len()).filter(|&index| lines[index].contains(" = ")).collect();
    let at = written[below(rng, written.len())];
    let other = written[below(rng, written.len())];
    match below(rng, 7) {
        0 => drop(lines.remove(at)),
        1 => lines.insert(at, lines[at].clone()),
        2 => lines.swap(at, other),
        3 | 4 => {
            let numbers = ["0", "1", "2", "9", "75", "127", "128", "255", "-1", "-128", "40000"];
            let number = numbers[below(rng, numbers.len())];
            let digits = |c: char| c.is_ascii_digit();
            if let Some(start) = lines[at].find(digits) {
                let end = lines[at][start..].find(|c| !digits(c)).map_or(lines[at].len(), |end| start + end);
                lines[at].replace_range(start..end, number);
            }
        }
        5 => {
            let value = lines[other].split_once(" = ").map(|(_, value)| value.to_owned()).unwrap_or_default();
            let key = lines[at].split_once(" = ").map(|(key, _)| key.to_owned()).unwrap_or_default();
            lines[at] = format!("{key} = {value}");
        }
        _ => {
            let head = written[below(rng, written.len())].saturating_sub(1);
            let end = (head + 8).min(lines.len());
            drop(lines.drain(head..end));
        }
    }
    lines.join("\n")
}

/// Everything that the rules ask of content.
fn ask(content: &Content) {
    for card in 0..content.cards.len() {
        assert!(!words::lines(content, CardId::new(card)).is_empty());
    }
    for leader in (0..LEADERS).map(LeaderId::new) {
        assert!(!content.leader(leader).id.is_empty());
    }
    for area in (0..AREAS).map(AreaId::new) {
        let fortress = content.areas[area].fortress.map(|fortress| &content.fortresses[fortress]);
        assert!(fortress.is_none_or(|fortress| fortress.area == area));
        assert!(content.within(area, 2).contains(area));
        assert!(content.regions[content.areas[area].region].areas.contains(area));
    }
    for brigades in 0..=u8::MAX {
        assert!(content.numbers.allowance(brigades).points > 0);
    }
    for stack in &content.set_up.stacks {
        assert!(stack.brigades.iter().all(|&face| content.faces[face].count > 0));
    }
    let counters: u32 = content.faces.iter().map(|face| face.counters().count()).sum();
    assert_eq!(counters as usize, content.face_of.len());
}

#[test]
fn mutated_content_never_panics() {
    let mut rng = ChaCha8Rng::seed_from_u64(1642);
    let files = builtin();
    let names: Vec<String> = files.iter().map(|(name, _)| name.to_owned()).collect();
    let (mut taken, mut refused) = (0, 0);
    for name in names {
        let text = std::str::from_utf8(files.get(&name).expect("it is there")).expect("content is text");
        for _ in 0..TRIES {
            let mut mutant = mutated(text, &mut rng);
            if below(&mut rng, 2) == 0 {
                mutant = mutated(&mutant, &mut rng);
            }
            let layer = [(name.clone(), mutant.into_bytes())];
            match load(&files.clone().overlay(layer).expect("the game has such a file")) {
                Ok(content) => {
                    taken += 1;
                    ask(&content);
                }
                Err(errors) => {
                    refused += 1;
                    assert!(errors.iter().all(|error| !error.what().is_empty()));
                }
            }
        }
    }
    assert!(taken > 20 && refused > 100, "{taken} taken, {refused} refused: the mutations are of one kind");
}
