package dev.edgehill;

import dev.edgehill.v1.Arrow;
import dev.edgehill.v1.ArrowKey;
import dev.edgehill.v1.Board;
import dev.edgehill.v1.CardPile;
import dev.edgehill.v1.Change;
import dev.edgehill.v1.DraftChange;
import dev.edgehill.v1.Event;
import dev.edgehill.v1.Location;
import dev.edgehill.v1.Marker;
import dev.edgehill.v1.MarkerKey;
import dev.edgehill.v1.Piece;
import dev.edgehill.v1.PieceGroup;
import dev.edgehill.v1.View;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.function.IntConsumer;
import java.util.stream.LongStream;

/**
 * Views, kept up to date: folding sets each entry that an event names to what it is now.
 *
 * <p>The law: an observer's view with the events after it folded over it is, as a message, the view that the server gives
 * now. So lists keep the order of the wire: by their entries' keys.
 */
public final class Fold {
    /** Comes before every seat, and before every place. */
    private static final long ABSENT = -1;

    private Fold() {}

    /**
     * Returns the view after an event. Folding an event twice is harmless.
     *
     * @throws UnknownChange for an entry that this client does not know: a new view has to be asked for
     */
    public static View fold(View view, Event event) {
        View.Builder folded = view.toBuilder();
        for (Change change : event.getChangesList()) {
            foldChange(folded, change);
        }
        return folded.build();
    }

    private static void foldChange(View.Builder view, Change change) {
        switch (change.getEntryCase()) {
            case PIECE -> put(pieces(view), change.getPiece());
            case PIECE_GONE -> drop(pieces(view), key(Integer.toUnsignedLong(change.getPieceGone())));
            case GROUP -> {
                PieceGroup group = change.getGroup();
                if (group.getCount() == 0) {
                    drop(groups(view), groupKey(group));
                } else {
                    put(groups(view), group);
                }
            }
            case PILE -> put(piles(view), change.getPile());
            case MARKER -> put(markers(view), change.getMarker());
            case MARKER_GONE -> drop(markers(view), markerKey(change.getMarkerGone()));
            case ARROW -> put(arrows(view), change.getArrow());
            case ARROW_GONE -> drop(arrows(view), arrowKey(change.getArrowGone()));
            case ARROWS_CLEARED -> view.getBoardBuilder().clearArrows();
            case KNOWN -> view.clearKnown().addAllKnown(change.getKnown().getKnownList());
            case DRAFT -> foldDraft(view, change.getDraft());
            case TURN_STATE -> view.setTurnState(change.getTurnState());
            case ENTRY_NOT_SET -> throw new UnknownChange("a change has no entry that this client knows");
        }
    }

    private static void foldDraft(View.Builder view, DraftChange change) {
        long kept = Math.min(Integer.toUnsignedLong(change.getKeep()), view.getDraftCount());
        List<Integer> stays = List.copyOf(view.getDraftList().subList(0, (int) kept));
        view.clearDraft().addAllDraft(stays).addAllDraft(change.getAddList());
    }

    /** A list of the board, sorted by the keys of its entries. */
    private record Entries<T>(
            List<T> all, Function<T, long[]> keyOf, Setter<T> set, Setter<T> add, IntConsumer remove) {}

    /** Puts an entry at a place. */
    private interface Setter<T> {
        void put(int place, T entry);
    }

    private static Entries<Piece> pieces(View.Builder view) {
        Board.Builder board = view.getBoardBuilder();
        return new Entries<>(
                board.getPiecesList(), Fold::pieceKey, board::setPieces, board::addPieces, board::removePieces);
    }

    private static Entries<PieceGroup> groups(View.Builder view) {
        Board.Builder board = view.getBoardBuilder();
        return new Entries<>(
                board.getGroupsList(), Fold::groupKey, board::setGroups, board::addGroups, board::removeGroups);
    }

    private static Entries<CardPile> piles(View.Builder view) {
        Board.Builder board = view.getBoardBuilder();
        return new Entries<>(board.getPilesList(), Fold::pileKey, board::setPiles, board::addPiles, board::removePiles);
    }

    private static Entries<Marker> markers(View.Builder view) {
        Board.Builder board = view.getBoardBuilder();
        return new Entries<>(
                board.getMarkersList(),
                marker -> markerKey(marker.getKey()),
                board::setMarkers,
                board::addMarkers,
                board::removeMarkers);
    }

    private static Entries<Arrow> arrows(View.Builder view) {
        Board.Builder board = view.getBoardBuilder();
        return new Entries<>(
                board.getArrowsList(),
                arrow -> arrowKey(arrow.getKey()),
                board::setArrows,
                board::addArrows,
                board::removeArrows);
    }

    private static <T> void put(Entries<T> entries, T entry) {
        int place = find(entries, entries.keyOf().apply(entry));
        if (place >= 0) {
            entries.set().put(place, entry);
        } else {
            entries.add().put(-place - 1, entry);
        }
    }

    private static <T> void drop(Entries<T> entries, long[] gone) {
        int place = find(entries, gone);
        if (place >= 0) {
            entries.remove().accept(place);
        }
    }

    /** Finds the place of a key in a sorted list: where it is or, as its negative minus one, where it would be. */
    private static <T> int find(Entries<T> entries, long[] key) {
        int low = 0;
        int high = entries.all().size();
        while (low < high) {
            int middle = (low + high) >>> 1;
            int order = Arrays.compare(entries.keyOf().apply(entries.all().get(middle)), key);
            if (order == 0) {
                return middle;
            }
            if (order < 0) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return -low - 1;
    }

    // Keys compare field by field in the order of the messages: what is absent comes first, places go by the number of
    // their
    // kind. Numbers of the wire have no sign.

    private static long[] key(long... parts) {
        return parts;
    }

    private static long number(int unsigned) {
        return Integer.toUnsignedLong(unsigned);
    }

    private static long[] locationKey(Location at) {
        long kind = at.getPlaceCase().getNumber();
        return switch (at.getPlaceCase()) {
            case SPACE -> key(kind, number(at.getSpace()));
            case MAT -> key(kind, number(at.getMat()));
            case TRACK -> key(kind, number(at.getTrack()));
            case PILE -> key(kind, number(at.getPile()));
            case PIECE -> key(kind, number(at.getPiece()));
            case CARD -> key(kind, number(at.getCard()));
            case SEAT -> key(kind, number(at.getSeat()));
            case PLACE_NOT_SET -> key(ABSENT, ABSENT);
        };
    }

    private static long[] pieceKey(Piece piece) {
        return key(number(piece.getPiece()));
    }

    private static long[] groupKey(PieceGroup group) {
        long owner = group.hasOwner() ? number(group.getOwner()) : ABSENT;
        long[] middle = key(owner, number(group.getKind()), number(group.getFlags()));
        return joined(locationKey(group.getAt()), middle, locationKey(group.getOrigin()));
    }

    private static long[] pileKey(CardPile pile) {
        return key(number(pile.getPile()));
    }

    private static long[] markerKey(MarkerKey marker) {
        return joined(locationKey(marker.getAt()), key(number(marker.getKind())));
    }

    private static long[] arrowKey(ArrowKey arrow) {
        long seat = arrow.hasSeat() ? number(arrow.getSeat()) : ABSENT;
        long[] rest = key(number(arrow.getKind()), seat, number(arrow.getOrdinal()));
        return joined(locationKey(arrow.getStart()), locationKey(arrow.getEnd()), locationKey(arrow.getOf()), rest);
    }

    private static long[] joined(long[]... parts) {
        return Arrays.stream(parts).flatMapToLong(LongStream::of).toArray();
    }
}
