package dev.edgehill;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import dev.edgehill.v1.Change;
import dev.edgehill.v1.Entitlement;
import dev.edgehill.v1.Event;
import dev.edgehill.v1.HiddenSet;
import dev.edgehill.v1.Observer;
import dev.edgehill.v1.Phrase;
import dev.edgehill.v1.Receipt;
import dev.edgehill.v1.TurnState;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.OptionalInt;
import java.util.regex.Pattern;

/**
 * All that a server has shown to one observer of a match, from number 1 on, and its signed word for it (docs/record.md,
 * "Receipts").
 *
 * <p>{@link #add} takes every event as it comes; {@link #hash} is then what a receipt for the same number says. Not for
 * several threads at once.
 */
public final class Transcript {
    private static final String FIRST_LINE = "edgehill transcript 1";
    private static final Pattern SEAT = Pattern.compile("[0-9]{1,9}");

    private final String matchId;
    private final OptionalInt seat;
    private final List<Shown> shown = new ArrayList<>();
    private long seq;
    private ByteString hash;

    /** Something that was shown: an event without words, or a receipt for those before it. */
    sealed interface Shown {}

    /** An event without words, with its number. */
    record ShownEvent(Event event) implements Shown {}

    /** A receipt. */
    record ShownReceipt(Receipt receipt) implements Shown {}

    /** Begins the transcript of a spectator. */
    public Transcript(String matchId) {
        this(matchId, OptionalInt.empty());
    }

    /** Begins the transcript of a seat, from 0. */
    public Transcript(String matchId, int seat) {
        this(matchId, OptionalInt.of(seat));
    }

    Transcript(String matchId, OptionalInt seat) {
        this.matchId = matchId;
        this.seat = seat;
        this.hash = Hashes.sha256("edgehill/stream/1\nmatch " + matchId + "\nobserver " + observer() + "\n");
    }

    /** Returns the id of the match. */
    public String matchId() {
        return matchId;
    }

    /** Returns the observer's seat; empty for a spectator. */
    public OptionalInt seat() {
        return seat;
    }

    /** Returns the number of the last event; 0: none. */
    public long seq() {
        return seq;
    }

    /** Returns the running hash after the last event. */
    public ByteString hash() {
        return hash;
    }

    /**
     * Adds an event; one that is there already is passed over.
     *
     * @throws SequenceGap if there is a gap before it
     */
    public void add(Event event) {
        if (event.getSeq() > 0 && event.getSeq() <= seq) {
            return;
        }
        if (event.getSeq() != seq + 1) {
            throw new SequenceGap("event " + event.getSeq() + " does not follow number " + seq);
        }
        Event bare = withoutWords(event);
        boolean hasOwnHash = !event.getStreamHash().isEmpty();
        hash = hasOwnHash ? event.getStreamHash() : Hashes.sha256(hash, bytesOf(bare));
        seq = event.getSeq();
        shown.add(new ShownEvent(bare));
    }

    /**
     * Adds a receipt for all that is there by now, right or wrong.
     *
     * @throws Unverified for one of another match, another observer or another number
     */
    public void addReceipt(Receipt receipt) {
        boolean isForThis = receipt.getMatchId().equals(matchId)
                && seatOf(receipt.getObserver()).equals(seat)
                && receipt.getSeq() == seq;
        if (!isForThis) {
            throw new Unverified("the receipt is not for this match, this observer and number " + seq);
        }
        shown.add(new ShownReceipt(receipt));
    }

    /** Returns the text of the {@code .edt} file, which {@code edgehill verify --receipt} reads. */
    public String text() {
        StringBuilder text = new StringBuilder(FIRST_LINE + "\nmatch " + matchId + "\nobserver " + observer() + "\n");
        for (Shown one : shown) {
            if (one instanceof ShownEvent given) {
                text.append("event ").append(Hashes.hex(bytesOf(given.event())));
            } else if (one instanceof ShownReceipt given) {
                Receipt receipt = given.receipt();
                List<ByteString> parts = List.of(receipt.getStreamHash(), receipt.getSigner(), receipt.getSignature());
                text.append("receipt ").append(String.join(" ", Signatures.digits(parts)));
            }
            text.append('\n');
        }
        return text.toString();
    }

    /**
     * Reads the text of an {@code .edt} file.
     *
     * @throws Unverified for a line that is none of a transcript
     */
    public static Transcript read(String text) {
        List<String> lines = text.lines()
                .map(String::stripTrailing)
                .filter(line -> !line.isEmpty())
                .toList();
        boolean hasHead = lines.size() >= 3
                && lines.get(0).equals(FIRST_LINE)
                && lines.get(1).startsWith("match ")
                && lines.get(2).startsWith("observer ");
        if (!hasHead) {
            throw new Unverified("a transcript begins with \"" + FIRST_LINE + "\", its match and its observer");
        }
        String who = lines.get(2).substring("observer ".length());
        if (!who.equals("spectator") && !SEAT.matcher(who).matches()) {
            throw new Unverified(
                    "the observer: a seat's number or \"spectator\" expected, found " + RecordText.quote(who));
        }
        OptionalInt seat = who.equals("spectator") ? OptionalInt.empty() : OptionalInt.of(Integer.parseInt(who));
        Transcript read = new Transcript(lines.get(1).substring("match ".length()), seat);
        for (String line : lines.subList(3, lines.size())) {
            if (!read.addLine(line.split(" ", -1))) {
                throw new Unverified("the line " + RecordText.quote(line) + " is none of a transcript");
            }
        }
        return read;
    }

    /** Returns the observer as hashes and lines name them. */
    String observer() {
        return seat.isPresent() ? Integer.toString(seat.getAsInt()) : "spectator";
    }

    List<Shown> shown() {
        return Collections.unmodifiableList(shown);
    }

    private boolean addLine(String[] words) {
        try {
            if (words.length == 2 && words[0].equals("event")) {
                Event event = Event.parseFrom(Hashes.bytes(words[1]));
                add(event.toBuilder().setSeq(seq + 1).build());
                return true;
            }
            if (words.length != 4 || !words[0].equals("receipt")) {
                return false;
            }
            Observer.Builder whose = Observer.newBuilder();
            seat.ifPresent(whose::setSeat);
            shown.add(new ShownReceipt(Receipt.newBuilder()
                    .setMatchId(matchId)
                    .setObserver(whose)
                    .setSeq(seq)
                    .setStreamHash(Hashes.bytes(words[1]))
                    .setSigner(Hashes.bytes(words[2]))
                    .setSignature(Hashes.bytes(words[3]))
                    .build()));
            return true;
        } catch (InvalidProtocolBufferException | IllegalArgumentException unreadable) {
            return false;
        }
    }

    private static OptionalInt seatOf(Observer observer) {
        return observer.hasSeat() ? OptionalInt.of(observer.getSeat()) : OptionalInt.empty();
    }

    /** Returns the bytes of an event without its number: fields in the order of theirs, as protobuf's libraries write them. */
    private static ByteString bytesOf(Event event) {
        return event.toBuilder().clearSeq().build().toByteString();
    }

    private static Event withoutWords(Event event) {
        Event.Builder bare = event.toBuilder().clearText();
        for (Change.Builder change : bare.getChangesBuilderList()) {
            if (change.hasKnown()) {
                for (HiddenSet.Builder known : change.getKnownBuilder().getKnownBuilderList()) {
                    known.getFactsBuilderList().forEach(Phrase.Builder::clearText);
                }
            }
            if (change.hasTurnState()) {
                clearWords(change.getTurnStateBuilder());
            }
        }
        return bare.build();
    }

    private static void clearWords(TurnState.Builder turn) {
        if (turn.hasPrompt()) {
            turn.getPromptBuilder().clearText();
        }
        turn.getWarningsBuilderList().forEach(Phrase.Builder::clearText);
        for (Entitlement.Builder entitlement : turn.getEntitlementsBuilderList()) {
            if (entitlement.hasWhat()) {
                entitlement.getWhatBuilder().clearText();
            }
        }
    }
}
