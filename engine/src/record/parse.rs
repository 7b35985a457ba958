//! Reading a record's text: every fault with its line and what would have been accepted.

use std::collections::BTreeMap;
use std::str::FromStr;

use crate::chance::ROLL_DICE_MAX;
use crate::dice::{Commitment, ENTROPIES_MAX, Entropy, EntropyCommitment, OptionsSalt, Seed, ServerSeed};
use crate::event::ChanceRef;
use crate::seat::Seat;
use crate::signing::{Signature, VerifyingKey};

use super::header::{
    ChosenSeed, Dice, HostSecrets, NAME_BYTES_MAX, Player, RecordHeader, RulesPin, SeatEntropy,
};
use super::recorded_act::{EXPECTED, REFEREE, RecordedAct};
use super::recorded_adjournment::{self, ADJOURNED, RecordedAdjournment};
use super::text::{Line, unwrap};
use super::write::{ABSENT, FIRST_LINE, FIRST_WORDS, GIVEN_UP, WITHHELD};
use super::{
    EntryDigest, Marked, Record, RecordEntry, RecordSignature, Recorded, RecordedResult, TextDigest, ascii,
};

/// The most characters of a faulty line that an error repeats.
const FOUND_MAX: usize = 60;

/// The error of a text that is not a record.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("line {line}: {expected} expected, `{found}` found")]
pub struct ParseError {
    /// Number of the line, from 1.
    pub line: usize,
    /// Description of what would have been accepted.
    pub expected: String,
    /// The text that stands there, shortened.
    pub found: String,
}

impl ParseError {
    pub(super) fn new(line: usize, expected: impl Into<String>, found: impl Into<String>) -> Self {
        let mut found: String = found.into();
        if found.len() > FOUND_MAX {
            found = found.chars().take(FOUND_MAX).chain("...".chars()).collect();
        }
        Self { line, expected: expected.into(), found }
    }
}

impl Record {
    /// Reads a record.
    ///
    /// # Errors
    /// With the line and what was expected there; also if the digest in the line `end` is not the text's. A signature is only
    /// read: [`super::verify()`] checks it.
    pub fn parse(text: &str) -> Result<Self, ParseError> {
        let record = Self::parse_damaged(text)?;
        if record.end == record.derived {
            return Ok(record);
        }
        let expected = format!("`end {}`, the digest of the lines above,", record.derived);
        Err(ParseError::new(record.end_line, expected, format!("end {}", record.end)))
    }

    /// Reads a record whose digest in the line `end` may be wrong: to find out where it was changed ([`super::verify()`] tells). Its
    /// text keeps the wrong digest.
    ///
    /// # Errors
    /// With the line and what was expected there.
    pub fn parse_damaged(text: &str) -> Result<Self, ParseError> {
        let lines = unwrap(text)?;
        let mut reader = Lines { list: &lines, at: 0, notes: BTreeMap::new() };
        let (header, start) = header(&mut reader)?;
        let mut entries = Vec::new();
        let (result, result_line) = loop {
            let line = reader.next("an entry or `result`")?;
            if let Some(rest) = line.text.strip_prefix("result ") {
                break (result(line, rest)?, line.number);
            }
            entries.push(entry(line)?);
        };
        let given_up = given_up(&mut reader, &header, result.is_some())?;
        let adjournments = adjournments(&mut reader, entries.len(), result.is_some())?;
        let referee_acts = referee_acts(&mut reader, &header, entries.len())?;
        let line = reader.next("`end` and 64 hexadecimal digits")?;
        let end = line.text.strip_prefix("end ").and_then(TextDigest::parse);
        let end = end.ok_or_else(|| line.error("`end` and 64 hexadecimal digits"))?;
        let before = &lines[..reader.at - 1];
        let signature = signature(&mut reader)?;
        let signature_line = reader.notes.get("signer").copied().unwrap_or(line.number);
        if let Some(more) = reader.list.get(reader.at) {
            return Err(more.error("nothing after `end` but `signer` and `signature`"));
        }
        let derived = TextDigest::of(before.iter().map(|line| line.text.as_str()));
        let end_line = line.number;
        let record = Self {
            header,
            start,
            entries,
            result,
            result_line,
            given_up,
            adjournments,
            referee_acts,
            end,
            derived,
            end_line,
            signature,
            signature_line,
        };
        for (line, written) in before.iter().zip(record.lines()) {
            one_text(line, &written)?;
        }
        one_text(line, &format!("end {end}"))?;
        Ok(record)
    }
}

/// The lines that are not read yet.
struct Lines<'a> {
    list: &'a [Line],
    at: usize,
    /// Places of the parts of the header, by their first words.
    notes: BTreeMap<String, usize>,
}

impl<'a> Lines<'a> {
    fn next(&mut self, expected: &str) -> Result<&'a Line, ParseError> {
        let Some(line) = self.list.get(self.at) else {
            let after = self.list.last().map_or(1, |line| line.number + 1);
            return Err(ParseError::new(after, expected, "the end of the text"));
        };
        self.at += 1;
        Ok(line)
    }

    /// The rest of the next line, if it begins with the word `key`.
    fn optional(&mut self, key: &str) -> Option<(&'a Line, &'a str)> {
        let line = self.list.get(self.at)?;
        let rest = line.text.strip_prefix(key)?.strip_prefix(' ')?;
        self.at += 1;
        self.note(key.to_owned(), line);
        Some((line, rest))
    }

    /// The rest of the next line, which has to begin with the word `key`.
    fn required(&mut self, key: &str, expected: &str) -> Result<(&'a Line, &'a str), ParseError> {
        let expected = format!("`{key}` and {expected}");
        match self.optional(key) {
            Some(found) => Ok(found),
            None => Err(self.next(&expected)?.error(expected)),
        }
    }

    /// Reads what stands in the next line after `key`.
    fn value<T>(
        &mut self,
        key: &str,
        expected: &str,
        read: impl FnOnce(&str) -> Option<T>,
    ) -> Result<T, ParseError> {
        let (line, rest) = self.required(key, expected)?;
        read(rest).ok_or_else(|| line.error(format!("`{key}` and {expected}")))
    }

    /// Notes where a part of the header is; of several under one name, the first.
    fn note(&mut self, part: String, line: &Line) {
        self.notes.entry(part).or_insert(line.number);
    }
}

impl Line {
    fn error(&self, expected: impl Into<String>) -> ParseError {
        ParseError::new(self.number, expected, self.text.as_str())
    }
}

fn word(text: &str) -> Option<String> {
    ascii::is_word(text).then(|| text.to_owned())
}

fn name(text: &str) -> Option<String> {
    ascii::unquoted(text).filter(|name| name.len() <= NAME_BYTES_MAX)
}

fn number<T: FromStr>(text: &str) -> Option<T> {
    text.parse().ok()
}

fn header(lines: &mut Lines<'_>) -> Result<(RecordHeader, Marked), ParseError> {
    let first = lines.next(&format!("`{FIRST_LINE}`"))?;
    if first.text != FIRST_LINE {
        let other = first.text.strip_prefix(FIRST_WORDS).and_then(|format| format.parse::<u32>().ok());
        let why = other.map_or(String::new(), |_| ", the only format that this build reads,".to_owned());
        return Err(first.error(format!("`{FIRST_LINE}`{why}")));
    }
    let game = lines.value("game", "a game's id", word)?;
    let rules_version = lines.value("rules", "a rules version", number)?;
    let content = lines.value("content", "a hash of 64 hexadecimal digits", |hash| hash.parse().ok())?;
    let repinned = match lines.optional("repinned") {
        None => None,
        Some((line, rest)) => {
            let expected = "`repinned`, a rules version and a hash of 64 hexadecimal digits";
            Some(repinned(rest).ok_or_else(|| line.error(expected))?)
        }
    };
    let scenario = lines.value("scenario", "a scenario's id", word)?;
    let mut options = BTreeMap::new();
    while let Some((line, rest)) = lines.optional("option") {
        let option = rest.split_once(' ').filter(|(_, value)| ascii::is_plain(value));
        let (id, value) = option.ok_or_else(|| line.error("`option`, an option's id and its value"))?;
        lines.note(format!("option {id}"), line);
        if options.insert(id.to_owned(), value.to_owned()).is_some() {
            return Err(line.error(format!("each option once, not `{id}` twice,")));
        }
    }
    let match_id = lines.value("match", "a match's id in quotes, or empty quotes", name)?;
    let players = players(lines)?;
    let position = match lines.optional("position") {
        None => None,
        Some((line, json)) => {
            let json = serde_json::from_str(json);
            Some(json.map_err(|_| line.error("`position` and JSON on one line"))?)
        }
    };
    let dice = dice(lines)?;
    let digest = lines.value("start", "a digest in brackets", bracketed)?;
    let at = std::mem::take(&mut lines.notes);
    let start = Marked { line: at.get("start").copied().unwrap_or(1), digest };
    let header = RecordHeader {
        game,
        begun_under: RulesPin { rules_version, content },
        repinned,
        scenario,
        options,
        match_id,
        players,
        position,
        dice,
        lines: at,
    };
    Ok((header, start))
}

fn repinned(rest: &str) -> Option<RulesPin> {
    let (rules_version, content) = rest.split_once(' ')?;
    Some(RulesPin { rules_version: number(rules_version)?, content: content.parse().ok()? })
}

fn players(lines: &mut Lines<'_>) -> Result<Vec<Player>, ParseError> {
    let expected = "a seat's id and its player's name in quotes, or empty quotes";
    let read = |rest: &str| {
        let (seat, player) = rest.split_once(' ')?;
        Some(Player { seat: word(seat)?, name: name(player)? })
    };
    let mut players: Vec<Player> = Vec::new();
    while let Some((line, rest)) = lines.optional("seat") {
        let player = read(rest).ok_or_else(|| line.error(format!("`seat` and {expected}")))?;
        if players.iter().any(|other| other.seat == player.seat) || players.len() == Seat::MAX {
            return Err(line.error(format!("at most {} seats, each once,", Seat::MAX)));
        }
        lines.note(format!("seat {}", player.seat), line);
        players.push(player);
    }
    if players.is_empty() {
        lines.required("seat", expected)?;
    }
    Ok(players)
}

fn dice(lines: &mut Lines<'_>) -> Result<Dice, ParseError> {
    let expected = "where the outcomes come from: committed, chosen, scripted, entered or playout";
    let (line, kind) = lines.required("dice", expected)?;
    let digits = "64 hexadecimal digits";
    let secret = format!("{digits}, or {WITHHELD}");
    Ok(match kind {
        "scripted" => Dice::Scripted,
        "entered" => Dice::Entered,
        "playout" => Dice::Playout,
        "chosen" => {
            let revealed = |text: &str| withheld(text, |hex| Seed::from_hex(hex).ok());
            match lines.value("seed", &secret, revealed)? {
                None => Dice::Chosen(None),
                Some(seed) => Dice::Chosen(Some(ChosenSeed { seed, salt: chosen_salt(lines)? })),
            }
        }
        "committed" => {
            let group = match lines.optional("group") {
                None => None,
                Some((line, id)) => {
                    Some(name(id).ok_or_else(|| line.error("`group` and the group's id in quotes"))?)
                }
            };
            let commitment = lines.value("commitment", digits, |hex| Commitment::from_hex(hex).ok())?;
            let revealed = |text: &str| withheld(text, |hex| ServerSeed::from_hex(hex).ok());
            let server_seed = lines.value("server-seed", &secret, revealed)?;
            let secrets = host_secrets(lines, server_seed)?;
            Dice::Committed { group, commitment, secrets, entropies: entropies(lines)? }
        }
        _ => return Err(line.error(format!("`dice` and {expected}"))),
    })
}

/// The salt after a server seed: revealed with it, or withheld with it.
fn host_secrets(
    lines: &mut Lines<'_>,
    server_seed: Option<ServerSeed>,
) -> Result<Option<HostSecrets>, ParseError> {
    let Some(server_seed) = server_seed else {
        let expected = format!("{WITHHELD}, as the server seed is");
        return lines.value("salt", &expected, |text| (text == WITHHELD).then_some(None));
    };
    let salt = lines.value("salt", "64 hexadecimal digits", |hex| OptionsSalt::from_hex(hex).ok())?;
    Ok(Some(HostSecrets { server_seed, salt }))
}

/// The salt after a chosen seed, if there is one.
fn chosen_salt(lines: &mut Lines<'_>) -> Result<Option<OptionsSalt>, ParseError> {
    let Some((line, hex)) = lines.optional("salt") else { return Ok(None) };
    OptionsSalt::from_hex(hex).map(Some).map_err(|_| line.error("`salt` and 64 hexadecimal digits"))
}

/// The signature after the end, if there is one.
fn signature(lines: &mut Lines<'_>) -> Result<Option<RecordSignature>, ParseError> {
    let Some((line, hex)) = lines.optional("signer") else { return Ok(None) };
    let signer: VerifyingKey = hex.parse().map_err(|error| line.error(format!("`signer` and {error},")))?;
    one_text(line, &format!("signer {signer}"))?;
    let (line, hex) = lines.required("signature", "128 hexadecimal digits")?;
    let signature: Signature =
        hex.parse().map_err(|error| line.error(format!("`signature` and {error},")))?;
    one_text(line, &format!("signature {signature}"))?;
    Ok(Some(RecordSignature { signer, signature }))
}

/// One text for a record: what was read has to be what would be written.
fn one_text(line: &Line, written: &str) -> Result<(), ParseError> {
    if line.text == written { Ok(()) } else { Err(line.error(format!("`{written}`"))) }
}

fn entropies(lines: &mut Lines<'_>) -> Result<Vec<SeatEntropy>, ParseError> {
    let mut entropies = Vec::new();
    while let Some((line, rest)) = lines.optional("entropy") {
        let index = entropies.len();
        lines.note(format!("entropy {index}"), line);
        let read = || {
            let words: Vec<&str> = rest.split(' ').collect();
            let [place, entropy, rest @ ..] = &words[..] else { return None };
            let entropy =
                if *entropy == ABSENT { Entropy::ABSENT } else { Entropy::from_hex(entropy).ok()? };
            let commitment = match rest {
                [] => None,
                ["committed", hex] => Some(EntropyCommitment::from_hex(hex).ok()?),
                _ => return None,
            };
            (*place == index.to_string() && index < ENTROPIES_MAX)
                .then_some(SeatEntropy { entropy, commitment })
        };
        let expected =
            "`entropy`, its place from 0, 64 hexadecimal digits or absent, and what it was committed as";
        entropies.push(read().ok_or_else(|| line.error(expected))?);
    }
    Ok(entropies)
}

/// The seat that gave up, after the result. `has_result`: the rules know of one.
fn given_up(
    lines: &mut Lines<'_>,
    header: &RecordHeader,
    has_result: bool,
) -> Result<Option<String>, ParseError> {
    let Some((line, seat)) = lines.optional(GIVEN_UP) else { return Ok(None) };
    if has_result {
        return Err(line.error("nobody who gave up a match that has a result"));
    }
    let seats: Vec<&str> = header.players.iter().map(|player| player.seat.as_str()).collect();
    if !seats.contains(&seat) {
        return Err(line.error(format!("`{GIVEN_UP}` and a seat of the match ({})", seats.join(", "))));
    }
    Ok(Some(seat.to_owned()))
}

/// The adjournments after the result. `is_over`: there is one.
fn adjournments(
    lines: &mut Lines<'_>,
    entries: usize,
    is_over: bool,
) -> Result<Vec<RecordedAdjournment>, ParseError> {
    let mut adjournments = Vec::new();
    while let Some((line, rest)) = lines.optional(ADJOURNED) {
        let read = RecordedAdjournment::read(rest);
        let adjournment = read.ok_or_else(|| line.error(recorded_adjournment::EXPECTED))?;
        if let Some(expected) = adjournment.objection(entries, is_over, &adjournments) {
            return Err(line.error(expected));
        }
        adjournments.push(adjournment);
    }
    Ok(adjournments)
}

/// The acts of referees after the adjournments.
fn referee_acts(
    lines: &mut Lines<'_>,
    header: &RecordHeader,
    entries: usize,
) -> Result<Vec<RecordedAct>, ParseError> {
    let seats: Vec<&str> = header.players.iter().map(|player| player.seat.as_str()).collect();
    let mut acts = Vec::new();
    while let Some((line, rest)) = lines.optional(REFEREE) {
        let act = RecordedAct::read(rest).ok_or_else(|| line.error(EXPECTED))?;
        if let Some(expected) = act.objection(entries, &seats, &acts) {
            return Err(line.error(expected));
        }
        acts.push(act);
    }
    Ok(acts)
}

/// A secret that may be withheld: `Some(None)` if it is.
#[expect(clippy::option_option, reason = "unreadable, withheld, and revealed are three things")]
fn withheld<T>(text: &str, read: impl FnOnce(&str) -> Option<T>) -> Option<Option<T>> {
    if text == WITHHELD { Some(None) } else { read(text).map(Some) }
}

fn bracketed(text: &str) -> Option<EntryDigest> {
    EntryDigest::parse(text.strip_prefix('[')?.strip_suffix(']')?)
}

fn entry(line: &Line) -> Result<RecordEntry, ParseError> {
    let marked = line.text.rsplit_once(' ').and_then(|(what, digest)| Some((what, bracketed(digest)?)));
    let (what, digest) = marked.ok_or_else(|| line.error("an entry and a digest in brackets"))?;
    let recorded = if let Some(roll) = what.strip_prefix("dice ") {
        roll_of(roll).ok_or_else(|| line.error("`dice`, stream/n, `:` and faces"))?
    } else if let Some(pick) = what.strip_prefix("draw ") {
        pick_of(pick).ok_or_else(|| line.error("`draw`, stream/n, `:` and an id"))?
    } else if let Some(seat) = what.strip_prefix("resigned ") {
        Recorded::Resigned { seat: word(seat).ok_or_else(|| line.error("`resigned` and the id of a seat"))? }
    } else if what == "agreed" {
        Recorded::Agreed
    } else {
        let commit =
            what.split_once(": ").filter(|(seat, text)| ascii::is_word(seat) && ascii::is_plain(text));
        let (seat, text) = commit.ok_or_else(|| {
            line.error("the id of a seat, `:` and its actions, or `dice`, `draw`, `resigned` or `agreed`")
        })?;
        Recorded::Commit { seat: seat.to_owned(), line: text.to_owned() }
    };
    Ok(RecordEntry { line: line.number, what: recorded, digest })
}

fn stamp_of(text: &str) -> Option<ChanceRef> {
    let (stream, n) = text.split_once('/')?;
    Some(ChanceRef { stream: number(stream)?, n: number(n)? })
}

fn roll_of(text: &str) -> Option<Recorded> {
    let (chance_ref, faces) = text.split_once(": ")?;
    let faces = faces.split(' ').map(number).collect::<Option<Vec<u8>>>()?;
    let fits = (1..=ROLL_DICE_MAX).contains(&faces.len());
    Some(Recorded::Roll { chance_ref: stamp_of(chance_ref)?, faces }).filter(|_| fits)
}

fn pick_of(text: &str) -> Option<Recorded> {
    let (chance_ref, what) = text.split_once(": ")?;
    Some(Recorded::Pick { chance_ref: stamp_of(chance_ref)?, what: word(what)? })
}

fn result(line: &Line, rest: &str) -> Result<Option<RecordedResult>, ParseError> {
    if rest == "none" {
        return Ok(None);
    }
    let read = || {
        let (code, rest) = rest.split_once(" rule ")?;
        let (rule, rest) = rest.split_once(" returns ")?;
        let (returns, grade) = rest.split_once(" grade ")?;
        let returns = returns.split(' ').map(number).collect::<Option<Vec<i32>>>()?;
        Some(RecordedResult { code: word(code)?, rule: word(rule)?, returns, grade: ascii::unquoted(grade)? })
    };
    let expected = "`result none`, or `result`, a code, `rule` and its number, `returns` and a number a seat, `grade` and it in quotes";
    read().map(Some).ok_or_else(|| line.error(expected))
}
