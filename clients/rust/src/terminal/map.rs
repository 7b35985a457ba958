//! The board in characters ([`draw`]), from the catalogue's coordinates and frames alone.
//!
//! Invariant: no label covers another, and none is left out.

use anstyle::{Color, RgbColor, Style};
use edgehill_engine::catalogue::{BoardDef, Catalogue, TrackBox, TrackDef};
use edgehill_engine::reference::{Location, Ref};
use edgehill_engine::seat::Seat;
use edgehill_engine::view::{Board, View};

use super::about;

/// A character of a terminal is about twice as high as it is wide.
const CHARACTER_HEIGHT: i64 = 2;
/// Narrowest drawing.
const COLUMNS_MIN: usize = 40;
/// Columns at which the names of a map have room; a wider terminal gets no wider drawing.
const COLUMNS_MAX: usize = 120;

/// A label on the drawing: its text, and the seat in whose colour it stands.
struct Label {
    text: String,
    seat: Option<Seat>,
    x: i32,
    y: i32,
}

/// Every board of the game in `columns`, in colours; then what the signs mean.
pub(crate) fn draw(catalogue: &Catalogue, view: &View, columns: usize) -> String {
    let columns = columns.clamp(COLUMNS_MIN, COLUMNS_MAX);
    let mut text = String::new();
    for (index, board) in catalogue.boards.iter().enumerate() {
        text.push_str(&format!("{}\n", board.entry.name));
        let labels = labels(catalogue, &view.board, index as u16);
        if !labels.is_empty() {
            text.push_str(&drawing(catalogue, board, labels, columns));
        }
        for (at, track) in
            catalogue.tracks.iter().enumerate().filter(|(_, it)| usize::from(it.board) == index)
        {
            text.push_str(&track_line(catalogue, view, at as u16, track));
        }
    }
    text.push_str(&legend(catalogue));
    text
}

/// The signs of a place: seats with the number of their pieces, pieces of nobody, and `*` for a seat's control.
fn legend(catalogue: &Catalogue) -> String {
    let seats = (0..catalogue.seats.len()).map(|index| {
        let seat = Seat::new(index as u8);
        let name = catalogue.name_of(Ref::Seat(seat));
        paint(catalogue, Some(seat), &format!("{} {name}", letter(catalogue, seat)))
    });
    let seats: Vec<String> = seats.collect();
    format!(
        "{}; a number: their pieces; (letter): whose the place is. `about PLACE` tells more.\n",
        seats.join(", ")
    )
}

fn labels(catalogue: &Catalogue, board: &Board, on: u16) -> Vec<Label> {
    let spaces = catalogue.spaces.iter().enumerate().filter(|(_, it)| it.board == on);
    let spaces = spaces.map(|(index, it)| (Location::Space(index as u16), &it.entry, it.x, it.y));
    let mats = catalogue.mats.iter().enumerate().filter(|(_, it)| it.board == on);
    let mats = mats.map(|(index, it)| (Location::Mat(index as u16), &it.entry, it.x, it.y));
    let label = |(at, entry, x, y): (Location, &edgehill_engine::catalogue::CatalogEntry, i32, i32)| {
        let holder = holder(catalogue, board, at);
        let whose = holder.map_or_else(String::new, |seat| format!("({})", letter(catalogue, seat)));
        let held = held(catalogue, board, at);
        let held = if held.is_empty() { held } else { format!(" {held}") };
        Label { text: format!("{}{whose}{held}", entry.id), seat: holder, x, y }
    };
    spaces.chain(mats).map(label).collect()
}

/// The seat that a marker there names: who owns or controls the place.
pub(super) fn holder(catalogue: &Catalogue, board: &Board, at: Location) -> Option<Seat> {
    let named = |(marker, &number): (&edgehill_engine::view::Marker, &i32)| {
        let def = catalogue.markers.get(usize::from(marker.kind))?;
        match def.entry.values.iter().find(|value| value.number == number)?.what? {
            Ref::Seat(seat) => Some(seat),
            _ => None,
        }
    };
    board.markers.iter().filter(|(marker, _)| marker.at == at).find_map(named)
}

/// Contents of a place in a few characters: `R3 P1`; a piece that nobody owns by its id.
pub(super) fn held(catalogue: &Catalogue, board: &Board, at: Location) -> String {
    let mut counts = vec![0_u32; catalogue.seats.len()];
    let mut others: Vec<String> = Vec::new();
    for (&id, piece) in board.pieces.iter().filter(|(_, piece)| piece.at == at) {
        match piece.owner {
            Some(seat) => counts[seat.index()] += 1,
            None => others.push(catalogue.id_of(Ref::Piece(id))),
        }
    }
    for (group, &count) in board.groups.iter().filter(|(group, _)| group.at == at) {
        match group.owner {
            Some(seat) => counts[seat.index()] += u32::from(count),
            None => others.push(format!("{count} {}", catalogue.id_of(Ref::Kind(group.kind)))),
        }
    }
    let counted = counts.iter().enumerate().filter(|&(_, &count)| count > 0);
    let counted =
        counted.map(|(index, count)| format!("{}{count}", letter(catalogue, Seat::new(index as u8))));
    let mut parts: Vec<String> = counted.collect();
    match others.len() {
        0..=2 => parts.append(&mut others),
        many => parts.push(format!("{many} things")),
    }
    parts.join(" ")
}

/// The first letter of a seat's id.
fn letter(catalogue: &Catalogue, seat: Seat) -> String {
    let id = catalogue.id_of(Ref::Seat(seat));
    id.chars().next().map(|first| first.to_uppercase().to_string()).unwrap_or_default()
}

/// Text in the colour of a seat.
fn paint(catalogue: &Catalogue, seat: Option<Seat>, text: &str) -> String {
    let style = seat.and_then(|seat| style(catalogue, seat)).unwrap_or_default();
    format!("{style}{text}{style:#}")
}

fn style(catalogue: &Catalogue, seat: Seat) -> Option<Style> {
    let color = catalogue.seats.get(seat.index())?.color.strip_prefix('#')?;
    let [_, red, green, blue] = u32::from_str_radix(color, 16).ok()?.to_be_bytes();
    Some(Style::new().bold().fg_color(Some(Color::Rgb(RgbColor(red, green, blue)))))
}

/// A track on one line: its boxes, those with a marker in brackets.
fn track_line(catalogue: &Catalogue, view: &View, index: u16, track: &TrackDef) -> String {
    let at = Location::Track(index);
    let words = |(kind, number): (u16, i32)| match track.of_number(number) {
        Some(one) if super::is_position(catalogue, index, kind) => {
            format!("{} at {}", catalogue.id_of(Ref::Marker(kind)), box_name(catalogue, one))
        }
        _ => super::marker_brief(catalogue, kind, number),
    };
    let markers: Vec<String> = super::markers_at(Some(view), at).into_iter().map(words).collect();
    let markers = if markers.is_empty() { "no marker".to_owned() } else { markers.join(", ") };
    let ends = match (track.boxes.first(), track.boxes.last()) {
        (Some(first), Some(last)) => format!(" ({} to {})", label(first), label(last)),
        _ => String::new(),
    };
    format!("  {}{ends}: {markers}\n", track.entry.name)
}

/// The label of a box, or its number; its grade where it has one.
fn box_name(catalogue: &Catalogue, one: &TrackBox) -> String {
    label(one) + &about::grade(catalogue, one)
}

fn label(one: &TrackBox) -> String {
    if one.label.is_empty() { one.number.to_string() } else { one.label.clone() }
}

/// A character, and the seat whose colour it has; `None`: nothing is there.
type Cell = Option<(char, Option<Seat>)>;

/// A grid of characters, each with the seat whose colour it has; rows are added as labels need them.
struct Grid {
    columns: usize,
    rows: Vec<Vec<Cell>>,
}

impl Grid {
    /// True if `length` characters, and one to each side, are free.
    fn is_free(&self, row: usize, column: usize, length: usize) -> bool {
        let Some(cells) = self.rows.get(row) else { return true };
        let from = column.saturating_sub(2);
        let to = (column + length + 2).min(self.columns);
        cells[from..to].iter().all(Option::is_none)
    }

    fn put(&mut self, row: usize, column: usize, label: &Label) {
        while self.rows.len() <= row {
            self.rows.push(vec![None; self.columns]);
        }
        for (index, character) in label.text.chars().enumerate() {
            self.rows[row][column + index] = Some((character, label.seat));
        }
    }

    /// Puts a label as near to a cell as there is room: to the sides rather than up or down.
    fn place(&mut self, row: usize, column: usize, label: &Label) {
        let length = label.text.chars().count();
        let last = self.columns.saturating_sub(length);
        let start = column.saturating_sub(length / 2).min(last);
        for distance in 0.. {
            for down in 0..=distance {
                let aside = (distance - down) * 3;
                let rows = [row.checked_add(down), row.checked_sub(down)];
                let columns = [start.checked_sub(aside), Some(start + aside).filter(|&it| it <= last)];
                for row in rows.into_iter().flatten() {
                    for column in columns.into_iter().flatten() {
                        if self.is_free(row, column, length) {
                            return self.put(row, column, label);
                        }
                    }
                }
            }
        }
    }
}

fn drawing(catalogue: &Catalogue, board: &BoardDef, mut labels: Vec<Label>, columns: usize) -> String {
    let longest = labels.iter().map(|label| label.text.chars().count()).max().unwrap_or(0);
    let columns = columns.max(longest);
    let width = i64::from(board.x_max) - i64::from(board.x_min);
    let (width, height) =
        (width.max(1) * i64::from(board.x_scale), (i64::from(board.y_max) - i64::from(board.y_min)).max(1));
    let height = height * i64::from(board.y_scale);
    let rows = (columns as i64 * height / width / CHARACTER_HEIGHT).max(1);
    labels.sort_by_key(|label| (label.y, label.x));
    let mut grid = Grid { columns, rows: Vec::new() };
    for label in &labels {
        let across = (i64::from(label.x) - i64::from(board.x_min)) * i64::from(board.x_scale);
        let down = (i64::from(label.y) - i64::from(board.y_min)) * i64::from(board.y_scale);
        let column = (across * (columns as i64 - 1) / width).clamp(0, columns as i64 - 1);
        let row = (down * (rows - 1) / height).clamp(0, rows - 1);
        grid.place(row as usize, column as usize, label);
    }
    written(catalogue, &grid)
}

/// The rows of a grid; of empty rows that follow each other, one.
fn written(catalogue: &Catalogue, grid: &Grid) -> String {
    let mut text = String::new();
    let mut empty = true;
    for row in &grid.rows {
        let end = row.iter().rposition(Option::is_some).map_or(0, |last| last + 1);
        if end == 0 {
            if !std::mem::replace(&mut empty, true) {
                text.push('\n');
            }
            continue;
        }
        empty = false;
        for run in row[..end].chunk_by(|a, b| a.and_then(|it| it.1) == b.and_then(|it| it.1)) {
            let seat = run[0].and_then(|it| it.1);
            let characters: String = run.iter().map(|cell| cell.map_or(' ', |it| it.0)).collect();
            text.push_str(&if seat.is_some() { paint(catalogue, seat, &characters) } else { characters });
        }
        text.push('\n');
    }
    text
}
