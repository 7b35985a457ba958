//! The text of a record.

use crate::dice::Entropy;

use super::header::{ChosenSeed, Dice, HostSecrets, RecordHeader, SeatEntropy};
use super::recorded_act::RecordedAct;
use super::recorded_adjournment::RecordedAdjournment;
use super::text::wrap;
use super::{EntryDigest, Record, RecordSignature, Recorded, RecordedResult, TextDigest, ascii};

/// The first word of the line of a seat that gave up what its host could not play.
pub(super) const GIVEN_UP: &str = "given-up";

/// The first line: what the text is, and the version of its form.
pub(super) const FIRST_LINE: &str = "edgehill record 2";
/// The beginning of the first line of a record of any version.
pub(super) const FIRST_WORDS: &str = "edgehill record ";
/// Stands for an entry before the first.
pub(super) const START: &str = "start";
/// Stands for a secret that is not revealed yet.
pub(super) const WITHHELD: &str = "withheld";
/// Stands for an entropy that was not given.
pub(super) const ABSENT: &str = "absent";

impl Record {
    /// The text that [`Record::parse`] reads back: ASCII, LF line ends, no line longer than [`super::LINE_WIDTH`].
    #[must_use]
    pub fn to_text(&self) -> String {
        text_of(&self.lines(), self.end, self.signature.as_ref())
    }

    /// The lines before the last, unwrapped.
    pub(super) fn lines(&self) -> Vec<String> {
        let mut lines = header_lines(&self.header);
        lines.push(marked(START, self.start.digest));
        lines.extend(self.entries.iter().map(|entry| marked(&entry_text(&entry.what), entry.digest)));
        lines.push(result_line(self.result.as_ref()));
        lines.extend(self.given_up.as_deref().map(given_up_line));
        lines.extend(self.adjournments.iter().map(RecordedAdjournment::line));
        lines.extend(self.referee_acts.iter().map(RecordedAct::line));
        lines
    }
}

/// The text of a record of these lines, one with their digest, and a signature if there is one.
pub(super) fn text_of(lines: &[String], end: TextDigest, signature: Option<&RecordSignature>) -> String {
    let mut text = String::new();
    for line in lines {
        wrap(line, &mut text);
    }
    wrap(&format!("end {end}"), &mut text);
    if let Some(RecordSignature { signer, signature }) = signature {
        wrap(&format!("signer {signer}"), &mut text);
        wrap(&format!("signature {signature}"), &mut text);
    }
    text
}

pub(super) fn header_lines(header: &RecordHeader) -> Vec<String> {
    let mut lines = vec![
        FIRST_LINE.to_owned(),
        format!("game {}", header.game),
        format!("rules {}", header.begun_under.rules_version),
        format!("content {}", header.begun_under.content),
    ];
    lines.extend(header.repinned.map(|pin| format!("repinned {} {}", pin.rules_version, pin.content)));
    lines.push(format!("scenario {}", header.scenario));
    lines.extend(header.options.iter().map(|(id, value)| format!("option {id} {value}")));
    lines.push(format!("match {}", ascii::quoted(&header.match_id)));
    lines.extend(header.players.iter().map(|p| format!("seat {} {}", p.seat, ascii::quoted(&p.name))));
    lines.extend(header.position.as_ref().map(|position| format!("position {}", ascii::json(position))));
    dice_lines(&header.dice, &mut lines);
    lines
}

fn dice_lines(dice: &Dice, lines: &mut Vec<String>) {
    let mut say = |line: &str| lines.push(line.to_owned());
    match dice {
        Dice::Committed { group, commitment, secrets, entropies } => {
            say("dice committed");
            if let Some(group) = group {
                say(&format!("group {}", ascii::quoted(group)));
            }
            say(&format!("commitment {commitment}"));
            let (server_seed, salt) = match secrets {
                Some(HostSecrets { server_seed, salt }) => (server_seed.to_hex(), salt.to_hex()),
                None => (WITHHELD.to_owned(), WITHHELD.to_owned()),
            };
            say(&format!("server-seed {server_seed}"));
            say(&format!("salt {salt}"));
            for (index, seat) in entropies.iter().enumerate() {
                say(&entropy_line(index, seat));
            }
        }
        Dice::Chosen(None) => {
            say("dice chosen");
            say(&format!("seed {WITHHELD}"));
        }
        Dice::Chosen(Some(ChosenSeed { seed, salt })) => {
            say("dice chosen");
            say(&format!("seed {}", seed.to_hex()));
            if let Some(salt) = salt {
                say(&format!("salt {}", salt.to_hex()));
            }
        }
        Dice::Scripted => say("dice scripted"),
        Dice::Entered => say("dice entered"),
        Dice::Playout => say("dice playout"),
    }
}

fn entropy_line(index: usize, seat: &SeatEntropy) -> String {
    let entropy = if seat.entropy == Entropy::ABSENT { ABSENT.to_owned() } else { seat.entropy.to_hex() };
    match &seat.commitment {
        None => format!("entropy {index} {entropy}"),
        Some(commitment) => format!("entropy {index} {entropy} committed {commitment}"),
    }
}

/// An entry with its digest.
pub(super) fn marked(entry: &str, digest: EntryDigest) -> String {
    format!("{entry} [{digest}]")
}

/// An entry without its digest.
pub(super) fn entry_text(what: &Recorded) -> String {
    match what {
        Recorded::Commit { seat, line } => format!("{seat}: {line}"),
        Recorded::Roll { chance_ref, faces } => {
            let faces: Vec<String> = faces.iter().map(u8::to_string).collect();
            format!("dice {}/{}: {}", chance_ref.stream, chance_ref.n, faces.join(" "))
        }
        Recorded::Pick { chance_ref, what } => format!("draw {}/{}: {what}", chance_ref.stream, chance_ref.n),
        Recorded::Resigned { seat } => format!("resigned {seat}"),
        Recorded::Agreed => "agreed".to_owned(),
    }
}

pub(super) fn given_up_line(seat: &str) -> String {
    format!("{GIVEN_UP} {seat}")
}

pub(super) fn result_line(result: Option<&RecordedResult>) -> String {
    match result {
        None => "result none".to_owned(),
        Some(RecordedResult { code, rule, returns, grade }) => {
            let returns: Vec<String> = returns.iter().map(i32::to_string).collect();
            let grade = ascii::quoted(grade);
            format!("result {code} rule {rule} returns {} grade {grade}", returns.join(" "))
        }
    }
}
