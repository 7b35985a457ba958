//! Kinds of markers, in the order of their numbers.

use crate::catalogue::MarkerPriority::{Bookkeeping, Position, Status};
use crate::catalogue::{MarkerDef, MarkerPriority, ValueName};
use crate::numbered::Listed;
use crate::reference::Ref;

use super::super::content::ids::TurnId;
use super::super::content::{CHITS, Content, SEATS};
use super::{SIDES, ours};

/// Ids, short labels and names of what happens, by the bits of [`Happened`](super::super::state::Happened).
pub(super) const HAPPENED_NAMES: [(&str, &str, &str); 14] = [
    ("standard", "Std", "The Standard was raised"),
    ("league", "SLC", "The Solemn League was called"),
    ("new-model", "NMA", "The New Model Army was formed"),
    ("cessation", "Ces", "The Cessation"),
    ("lieutenant-general", "LtG", "Rupert is Lieutenant General"),
    ("brentford", "Brn", "Earl of Brentford's marker"),
    ("joint-venture", "W+E", "Waller and Essex stand together until the end of the Turn"),
    ("powicke", "Pow", "Powicke Bridge used in this recruitment"),
    ("royalist-benefit", "RNB", "Royalist naval benefit used for an extra Brigade this Turn"),
    ("parliament-benefit", "PNB", "Parliament's naval benefit used for an extra Brigade this Turn"),
    ("royalist-veteran", "RyV", "Royalist naval benefit used for a Veteran this Turn"),
    ("parliament-veteran", "PtV", "Parliament's naval benefit used for a Veteran this Turn"),
    ("royalist-chance", "RyC", "Royalist naval benefit may have brought a Veteran this Turn"),
    ("parliament-chance", "PtC", "Parliament's naval benefit may have brought a Veteran this Turn"),
];

fn yes() -> Vec<ValueName> {
    vec![ValueName::new(1, "yes")]
}

pub(in super::super) fn markers(content: &Content) -> Vec<MarkerDef> {
    let kind =
        |id: &str, label: &str, name: &str, values: Vec<ValueName>, priority: MarkerPriority| MarkerDef {
            entry: ours(id, name).with_values(values),
            priority,
            unit: "",
            short_label: label.to_owned(),
        };
    let turns = TurnId::all(content)
        .map(|turn| ValueName::new(turn.number().into(), &*content.turns[turn].named.name))
        .collect();
    let holders = SEATS
        .into_iter()
        .zip(SIDES)
        .map(|(seat, (_, name))| ValueName::of(seat.index() as i32 + 1, name, Ref::Seat(seat)))
        .collect();
    let sieges = vec![ValueName::new(1, "Siege"), ValueName::new(2, "Blockade & Siege")];
    let parts = [
        (1, "the first ten cards"),
        (2, "the Early War"),
        (3, "the Early War and the Solemn League"),
        (4, "to the Mid War"),
        (5, "to the Late War"),
    ];
    let parts = parts.map(|(number, name)| ValueName::new(number, name)).into();
    let counted =
        |id, label, name, priority, unit| MarkerDef { unit, ..kind(id, label, name, vec![], priority) };
    let mut markers = vec![
        kind("turn", "T", "Turn", turns, Position),
        kind("naval", "Nav", "Naval Status", vec![], Position),
        counted("fleet", "Flt", "Moved by events, towards Parliament", Bookkeeping, "points"),
        kind("control", "PC", "Political Control", holders, Status),
        kind("siege", "Sge", "Siege", sieges, Status),
        counted("bombardment-value", "Bmb", "Bombardment Value", Status, "points"),
        counted("siege-bonus", "+B", "Added to the next Bombardment", Bookkeeping, "points"),
        kind("may-not", "MNA", "May not Assault any more", yes(), Status),
        counted("deserters", "Des", "Selected for Desertion", Status, "Brigades"),
        kind("first", "1st", "Plays first this Turn", yes(), Status),
        counted("plays", "Pl", "Plays this Turn", Bookkeeping, "plays"),
        kind("passed", "Pass", "Has passed", yes(), Status),
        counted("ascendancy", "AV", "Turns in a row at the automatic victory", Status, "Turns"),
        kind("spent", "Spnt", "Its event can't occur any more", yes(), Bookkeeping),
        kind("with-mid", "Mid", "Came with the Mid War", yes(), Bookkeeping),
        kind("claim", "Clm", "Claims the first play", yes(), Status),
        kind("laid", "Laid", "Parts of the deck that are laid", parts, Bookkeeping),
        counted("pile-draws", "Dr", "Draws from the discard pile", Bookkeeping, "draws"),
    ];
    for chit in 0..CHITS {
        let value = content.numbers.naval.chits.get(chit).copied().unwrap_or(0);
        let id = format!("chit-{}", chit + 1);
        let name = format!("Naval Chit {value:+}");
        markers.push(kind(&id, &format!("C{}", chit + 1), &name, yes(), Bookkeeping));
    }
    markers.extend(HAPPENED_NAMES.map(|(id, label, name)| kind(id, label, name, yes(), Status)));
    markers.extend([
        counted("in-play", "PCs", "PC markers in play", Status, "markers"),
        counted("plays-left", "Left", "Plays before a pass", Bookkeeping, "plays"),
        counted("power-base", "Base", "Power Base Number", Status, "markers"),
        counted("points", "Pts", "Points if the war ended now", Status, "points"),
        counted("surrender-value", "Srd", "Surrender Value", Status, "points"),
    ]);
    markers
}
