package edgehill

import (
	"fmt"
	"slices"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"

	v1 "edgehill.dev/gen/edgehill/v1"
)

// Fold returns the view after an event. The view that is given stays as it is, and shares with the other what is the same in
// both. Folding an event twice is harmless. The error is [ErrUnknownChange]: a new view has to be asked for.
//
// The law: an observer's view with the events after it folded over it is, as a message, the view that the server gives now. So
// lists keep the order of the wire: by their entries' keys.
func Fold(view *v1.View, event *v1.Event) (*v1.View, error) {
	folded := shallow(view)
	for _, change := range event.GetChanges() {
		if err := foldChange(folded, change); err != nil {
			return nil, fmt.Errorf("event %d (%s): %w", event.GetSeq(), event.GetCode(), err)
		}
	}
	return folded, nil
}

// foldChange sets the entry that a change names. The view is a copy of one level, and so is its board afterwards.
func foldChange(view *v1.View, change *v1.Change) error {
	switch entry := change.GetEntry().(type) {
	case *v1.Change_Known:
		view.Known = entry.Known.GetKnown()
	case *v1.Change_Draft:
		keep := min(int(entry.Draft.GetKeep()), len(view.Draft))
		view.Draft = slices.Concat(view.Draft[:keep], entry.Draft.GetAdd())
	case *v1.Change_TurnState:
		view.TurnState = entry.TurnState
	default:
		board := shallow(view.GetBoard())
		view.Board = board
		return foldBoard(board, change)
	}
	return nil
}

func foldBoard(board *v1.Board, change *v1.Change) error {
	switch entry := change.GetEntry().(type) {
	case *v1.Change_Piece:
		board.Pieces = put(board.Pieces, entry.Piece, pieceKey)
	case *v1.Change_PieceGone:
		board.Pieces = drop(board.Pieces, entryKey{int64(entry.PieceGone)}, pieceKey)
	case *v1.Change_Group:
		if entry.Group.GetCount() == 0 {
			board.Groups = drop(board.Groups, groupKey(entry.Group), groupKey)
		} else {
			board.Groups = put(board.Groups, entry.Group, groupKey)
		}
	case *v1.Change_Pile:
		board.Piles = put(board.Piles, entry.Pile, pileKey)
	case *v1.Change_Marker:
		board.Markers = put(board.Markers, entry.Marker, markerKey)
	case *v1.Change_MarkerGone:
		board.Markers = drop(board.Markers, keyOfMarker(entry.MarkerGone), markerKey)
	case *v1.Change_Arrow:
		board.Arrows = put(board.Arrows, entry.Arrow, arrowKey)
	case *v1.Change_ArrowGone:
		board.Arrows = drop(board.Arrows, keyOfArrow(entry.ArrowGone), arrowKey)
	case *v1.Change_ArrowsCleared:
		board.Arrows = nil
	default:
		return ErrUnknownChange
	}
	return nil
}

// shallow returns a copy of one level, with the fields that this client does not know.
func shallow[M interface {
	*T
	proto.Message
}, T any](message M) M {
	copied := M(new(T))
	to, from := copied.ProtoReflect(), message.ProtoReflect()
	from.Range(func(field protoreflect.FieldDescriptor, value protoreflect.Value) bool {
		to.Set(field, value)
		return true
	})
	to.SetUnknown(from.GetUnknown())
	return copied
}

// entryKey compares part by part, in the order of the messages' fields: what is absent comes first, places go by the number of
// their kind.
type entryKey []int64

func put[T any](entries []T, entry T, keyOf func(T) entryKey) []T {
	place, found := find(entries, keyOf(entry), keyOf)
	if found {
		changed := slices.Clone(entries)
		changed[place] = entry
		return changed
	}
	return slices.Insert(slices.Clip(entries), place, entry)
}

func drop[T any](entries []T, gone entryKey, keyOf func(T) entryKey) []T {
	place, found := find(entries, gone, keyOf)
	if !found {
		return entries
	}
	return slices.Concat(entries[:place], entries[place+1:])
}

// find returns the place of a key in a sorted list: where it is, or where it would be.
func find[T any](entries []T, key entryKey, keyOf func(T) entryKey) (int, bool) {
	return slices.BinarySearchFunc(entries, key, func(entry T, key entryKey) int {
		return slices.Compare(keyOf(entry), key)
	})
}

const absent = -1

func location(at *v1.Location) entryKey {
	switch place := at.GetPlace().(type) {
	case *v1.Location_Space:
		return entryKey{0, int64(place.Space)}
	case *v1.Location_Mat:
		return entryKey{1, int64(place.Mat)}
	case *v1.Location_Track:
		return entryKey{2, int64(place.Track)}
	case *v1.Location_Pile:
		return entryKey{3, int64(place.Pile)}
	case *v1.Location_Piece:
		return entryKey{4, int64(place.Piece)}
	case *v1.Location_Card:
		return entryKey{5, int64(place.Card)}
	case *v1.Location_Seat:
		return entryKey{6, int64(place.Seat)}
	default:
		return entryKey{absent, absent}
	}
}

func seatKey(given *uint32) int64 {
	if given == nil {
		return absent
	}
	return int64(*given)
}

func pieceKey(piece *v1.Piece) entryKey { return entryKey{int64(piece.GetPiece())} }

func pileKey(pile *v1.CardPile) entryKey { return entryKey{int64(pile.GetPile())} }

func groupKey(group *v1.PieceGroup) entryKey {
	own := entryKey{seatKey(group.Owner), int64(group.GetKind()), int64(group.GetFlags())}
	return slices.Concat(location(group.GetAt()), own, location(group.GetOrigin()))
}

func markerKey(marker *v1.Marker) entryKey { return keyOfMarker(marker.GetKey()) }

func keyOfMarker(key *v1.MarkerKey) entryKey {
	if key == nil {
		return nil
	}
	return append(location(key.GetAt()), int64(key.GetKind()))
}

func arrowKey(arrow *v1.Arrow) entryKey { return keyOfArrow(arrow.GetKey()) }

func keyOfArrow(key *v1.ArrowKey) entryKey {
	if key == nil {
		return nil
	}
	own := entryKey{int64(key.GetKind()), seatKey(key.Seat), int64(key.GetOrdinal())}
	return slices.Concat(location(key.GetStart()), location(key.GetEnd()), location(key.GetOf()), own)
}
