//! The entries of a match, to compare two of one seed ([`Course`]).

/// The entries of a record by whose they are. Where seats choose in secret, who commits first is a matter of the clock, and
/// changes nothing: so each seat's entries are taken by themselves.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Course {
    north: Vec<String>,
    south: Vec<String>,
    chance: Vec<String>,
    result: Vec<String>,
}

impl Course {
    pub(crate) fn of(record: &str) -> Self {
        let mut course = Self::default();
        // A line that begins with two blanks goes on with the one before.
        let text = record.replace("\n  \\", "").replace("\n  ", " ");
        for line in text.lines() {
            let entry = line.split(" [").next().expect("a line").to_owned();
            match line.split(' ').next().expect("a word") {
                "north:" => course.north.push(entry),
                "south:" => course.south.push(entry),
                "draw" | "dice" => course.chance.push(entry),
                "result" => course.result.push(entry),
                _ => {}
            }
        }
        course
    }

    /// Returns the number of its entries.
    pub(crate) fn len(&self) -> usize {
        self.north.len() + self.south.len() + self.chance.len() + self.result.len()
    }
}
