/**
 * Views, kept up to date: folding sets each entry that an event names to what it is now.
 *
 * The law: an observer's view with the events after it folded over it is, as a message, the view that the server gives
 * now. So lists keep the order of the wire: by their entries' keys.
 */

import { create } from "@bufbuild/protobuf";
import { UnknownChange } from "./errors.js";
import {
  type Arrow,
  type ArrowKey,
  type Board,
  BoardSchema,
  type CardPile,
  type Change,
  type Event,
  type Location,
  type Marker,
  type MarkerKey,
  type Piece,
  type PieceGroup,
  type View,
} from "./v1.js";

/** A key compares part by part. */
type Key = readonly number[];

/**
 * Returns the view after an event. The view that is given stays as it is, and shares with the other what is the same in
 * both. Folding an event twice is harmless.
 *
 * Throws `UnknownChange` for an entry that this client does not know: a new view has to be asked for.
 */
export function fold(view: View, event: Event): View {
  return event.changes.reduce(foldChange, view);
}

/** Returns the view after one change. */
export function foldChange(view: View, { entry }: Change): View {
  const board = view.board ?? create(BoardSchema);
  const on = (changed: Partial<Board>): View => ({ ...view, board: { ...board, ...changed } });
  switch (entry.case) {
    case "piece":
      return on({ pieces: put(board.pieces, entry.value, pieceKey) });
    case "pieceGone":
      return on({ pieces: drop(board.pieces, [entry.value], pieceKey) });
    case "group": {
      const isGone = entry.value.count === 0;
      const groups = isGone
        ? drop(board.groups, groupKey(entry.value), groupKey)
        : put(board.groups, entry.value, groupKey);
      return on({ groups });
    }
    case "pile":
      return on({ piles: put(board.piles, entry.value, pileKey) });
    case "marker":
      return on({ markers: put(board.markers, entry.value, markerKey) });
    case "markerGone":
      return on({ markers: drop(board.markers, keyOfMarker(entry.value), markerKey) });
    case "arrow":
      return on({ arrows: put(board.arrows, entry.value, arrowKey) });
    case "arrowGone":
      return on({ arrows: drop(board.arrows, keyOfArrow(entry.value), arrowKey) });
    case "arrowsCleared":
      return on({ arrows: [] });
    case "known":
      return { ...view, known: entry.value.known };
    case "draft":
      return { ...view, draft: [...view.draft.slice(0, entry.value.keep), ...entry.value.add] };
    case "turnState":
      return { ...view, turnState: entry.value };
    default:
      throw new UnknownChange("a change has no entry that this client knows");
  }
}

function put<T>(entries: readonly T[], entry: T, keyOf: (entry: T) => Key): T[] {
  const { place, found } = find(entries, keyOf(entry), keyOf);
  return entries.toSpliced(place, found ? 1 : 0, entry);
}

function drop<T>(entries: T[], gone: Key, keyOf: (entry: T) => Key): T[] {
  const { place, found } = find(entries, gone, keyOf);
  return found ? entries.toSpliced(place, 1) : entries;
}

/** Finds the place of a key in a sorted list: where it is, or where it would be. */
function find<T>(entries: readonly T[], key: Key, keyOf: (entry: T) => Key): { place: number; found: boolean } {
  let low = 0;
  let high = entries.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const order = compare(keyOf(entries[middle] as T), key);
    if (order === 0) return { place: middle, found: true };
    if (order < 0) low = middle + 1;
    else high = middle;
  }
  return { place: low, found: false };
}

function compare(left: Key, right: Key): number {
  for (const [place, part] of left.entries()) {
    const other = right[place];
    if (other === undefined) return 1;
    if (part !== other) return part - other;
  }
  return left.length - right.length;
}

// Keys compare field by field in the order of the messages: what is absent comes first, places go by the number of their
// kind.

const ABSENT = -1;
const PLACES = ["space", "mat", "track", "pile", "piece", "card", "seat"] as const;

function location(at: Location | undefined): Key {
  const place = at?.place;
  return place?.case === undefined ? [ABSENT, ABSENT] : [PLACES.indexOf(place.case), place.value];
}

function seat(given: number | undefined): number {
  return given ?? ABSENT;
}

function pieceKey({ piece }: Piece): Key {
  return [piece];
}

function groupKey({ at, owner, kind, flags, origin }: PieceGroup): Key {
  return [...location(at), seat(owner), kind, flags, ...location(origin)];
}

function pileKey({ pile }: CardPile): Key {
  return [pile];
}

function markerKey({ key }: Marker): Key {
  return key ? keyOfMarker(key) : [];
}

function keyOfMarker({ at, kind }: MarkerKey): Key {
  return [...location(at), kind];
}

function arrowKey({ key }: Arrow): Key {
  return key ? keyOfArrow(key) : [];
}

function keyOfArrow({ start, end, of, kind, seat: owner, ordinal }: ArrowKey): Key {
  return [...location(start), ...location(end), ...location(of), kind, seat(owner), ordinal];
}
