package dev.edgehill;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import com.google.protobuf.ByteString;
import com.google.protobuf.Message;
import com.google.protobuf.util.JsonFormat;
import dev.edgehill.v1.CatalogServiceGrpc;
import dev.edgehill.v1.Change;
import dev.edgehill.v1.ErrorReason;
import dev.edgehill.v1.Event;
import dev.edgehill.v1.Refusal;
import dev.edgehill.v1.SeatUpdate;
import dev.edgehill.v1.View;
import io.grpc.Grpc;
import io.grpc.InsecureServerCredentials;
import io.grpc.Metadata;
import io.grpc.Server;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.Status;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** The vectors of clients/conformance: each of them, by this client. */
class ConformanceTest {
    /** The words in which this client tells the faults of records. */
    private static final Map<String, String> RECORD_FAULTS = Map.ofEntries(
            Map.entry("format", ".*the only format that is read here.*"),
            Map.entry("characters", ".*other characters than printable ASCII"),
            Map.entry("end", "a record ends with \"end\".*"),
            Map.entry("digest", "the digest of the text.*"),
            Map.entry("line", "(?s).*is none of a record"),
            Map.entry("unsigned", "the signature of .*: there is none"),
            Map.entry("signer", "the signature of .*: found that of .*"),
            Map.entry("signature", ".*has not signed these lines"),
            Map.entry("commitment", "the commitment.*"),
            Map.entry("entropy_commitment", "the entropy commitment of place.*"),
            Map.entry("entropies", "the number of entropies.*"));

    /** The words in which it tells those of transcripts. */
    private static final Map<String, String> TRANSCRIPT_FAULTS = Map.of(
            "text", "(a transcript begins with.*|the observer: .*|the line .* is none of a transcript)",
            "events", ".*is for other events, or for another order",
            "signature", ".*is not signed by.*",
            "signer", ".*found the signature of.*");

    private static final Vectors RECORDS =
            new Vectors("clients/conformance/records.json", "edgehill-record-vectors/1", "records");
    private static final Vectors RECEIPTS =
            new Vectors("clients/conformance/receipts.json", "edgehill-receipt-vectors/1", "transcripts");
    private static final Vectors ERRORS = new Vectors(
            "clients/conformance/errors.json", "edgehill-error-vectors/1", "reasons", "statuses", "retries");
    private static final Vectors FOLDS =
            new Vectors("clients/conformance/folds.json", "edgehill-fold-vectors/1", "folds", "trackers");

    @TestFactory
    Stream<DynamicTest> records() {
        return RECORDS.each("records", vector -> {
            String text = vector.get("text").getAsString();
            Optional<List<ByteString>> keys = keysOf(vector);
            if (vector.has("fault")) {
                String fault = vector.get("fault").getAsString();
                Unverified error = assertThrows(Unverified.class, () -> checked(text, keys));
                assertTrue(error.getMessage().matches(RECORD_FAULTS.get(fault)), fault + ": " + error.getMessage());
                return;
            }
            RecordCheck check = checked(text, keys);
            Set<String> open = new TreeSet<>();
            check.unchecked().keySet().forEach(part -> open.add(part.toString()));
            assertEquals(strings(vector.getAsJsonArray("unchecked")), List.copyOf(open));
            if (vector.has("read")) {
                JsonObject found = asRead(check.record());
                vector.getAsJsonObject("read")
                        .entrySet()
                        .forEach(field -> assertEquals(field.getValue(), found.get(field.getKey()), field.getKey()));
            }
        });
    }

    @Test
    void noFlippedBitOfASignedRecordGoesUnnoticed() {
        JsonObject signed = RECORDS.list("records").get(0).getAsJsonObject();
        String text = signed.get("text").getAsString();
        List<ByteString> keys = keysOf(signed).orElseThrow();
        MatchRecord whole = RecordVerifier.verifyRecord(text, keys).record();
        for (int place = 0; place < text.length(); place++) {
            for (int bit = 0; bit < 7; bit++) {
                char flipped = (char) (text.charAt(place) ^ 1 << bit);
                String forged = text.substring(0, place) + flipped + text.substring(place + 1);
                try {
                    // Another form of the same text, such as a blank for the last line feed.
                    assertEquals(
                            whole, RecordVerifier.verifyRecord(forged, keys).record());
                } catch (Unverified noticed) {
                    assertFalse(noticed.getMessage().isEmpty());
                }
            }
        }
    }

    @TestFactory
    Stream<DynamicTest> transcripts() {
        return RECEIPTS.each("transcripts", vector -> {
            String text = vector.get("text").getAsString();
            Optional<List<ByteString>> keys = keysOf(vector);
            if (vector.has("fault")) {
                String fault = vector.get("fault").getAsString();
                Unverified error = assertThrows(Unverified.class, () -> checkedTranscript(text, keys));
                assertTrue(error.getMessage().matches(TRANSCRIPT_FAULTS.get(fault)), fault + ": " + error.getMessage());
                return;
            }
            assertEquals(text, Transcript.read(text).text());
            TranscriptCheck check = checkedTranscript(text, keys);
            assertEquals(vector.get("receipts").getAsInt(), check.receipts());
            assertEquals(vector.get("complete").getAsBoolean(), check.complete());
            List<EventRange> unproven = new ArrayList<>();
            for (JsonElement range : vector.getAsJsonArray("unproven")) {
                JsonArray pair = range.getAsJsonArray();
                unproven.add(new EventRange(pair.get(0).getAsLong(), pair.get(1).getAsLong()));
            }
            assertEquals(unproven, check.unproven());
        });
    }

    @Test
    void everyReasonHasTheNumberThatTheWireGivesIt() {
        Set<ErrorReason> seen = EnumSet.of(ErrorReason.ERROR_REASON_UNSPECIFIED, ErrorReason.UNRECOGNIZED);
        for (JsonElement element : ERRORS.list("reasons")) {
            JsonObject vector = element.getAsJsonObject();
            Status.Code code = Status.Code.valueOf(vector.get("code").getAsString());
            Refused refused = new Refused(Refusal.newBuilder()
                    .setReasonValue(vector.get("number").getAsInt())
                    .setCode(code.value())
                    .build());
            assertEquals(vector.get("reason").getAsString(), refused.reasonName());
            assertEquals(code, refused.code());
            seen.add(refused.reason());
        }
        assertEquals(EnumSet.allOf(ErrorReason.class), seen);
    }

    @TestFactory
    Stream<DynamicTest> statuses() {
        return ERRORS.each("statuses", vector -> {
            Metadata trailers = new Metadata();
            Metadata.Key<byte[]> details = Metadata.Key.of("grpc-status-details-bin", Metadata.BINARY_BYTE_MARSHALLER);
            trailers.put(
                    details, Base64.getDecoder().decode(vector.get("details").getAsString()));
            Status status = Status.fromCodeValue(vector.get("status").getAsInt());
            Refused refused = refusedBy(status, trailers);
            assertEquals(message(vector.get("refusal"), Refusal.newBuilder()), refused.refusal());
            assertEquals(status.getCode(), refused.code());
        });
    }

    /** Asks a server that knows nothing but this answer. */
    private static Refused refusedBy(Status status, Metadata trailers) throws Exception {
        ServerInterceptor refusing = new ServerInterceptor() {
            @Override
            public <Q, R> ServerCall.Listener<Q> interceptCall(
                    ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
                call.close(status, trailers);
                return new ServerCall.Listener<>() {};
            }
        };
        Server server = Grpc.newServerBuilderForPort(0, InsecureServerCredentials.create())
                .addService(new CatalogServiceGrpc.CatalogServiceImplBase() {})
                .intercept(refusing)
                .build()
                .start();
        RetryPolicy once = RetryPolicy.DEFAULT.withDeadline(Duration.ZERO);
        try (Client client =
                Client.builder("127.0.0.1:" + server.getPort()).retry(once).build()) {
            return assertThrows(Refused.class, client::games);
        } finally {
            server.shutdownNow();
        }
    }

    @TestFactory
    Stream<DynamicTest> retries() {
        return ERRORS.each("retries", vector -> {
            Status.Code code = Status.Code.valueOf(vector.get("code").getAsString());
            Refusal.Builder refusal = Refusal.newBuilder().setCode(code.value());
            if (!vector.get("retry_after_ms").isJsonNull()) {
                Duration wait = Duration.ofMillis(vector.get("retry_after_ms").getAsLong());
                refusal.setRetryAfter(Durations.of(wait));
            }
            boolean isRefused = vector.get("refused").getAsBoolean();
            EdgehillException error =
                    isRefused ? new Refused(refusal.build()) : new CallFailed(code, "no answer", null);
            JsonElement pause = vector.get("pause_ms");
            Optional<Duration> expected =
                    pause.isJsonNull() ? Optional.empty() : Optional.of(Duration.ofMillis(pause.getAsLong()));
            assertEquals(
                    expected,
                    RetryPolicy.leastPause(error, vector.get("failures").getAsInt()));
        });
    }

    @TestFactory
    Stream<DynamicTest> folds() {
        Set<Change.EntryCase> folded = EnumSet.of(Change.EntryCase.ENTRY_NOT_SET);
        Stream<DynamicTest> each = FOLDS.each("folds", vector -> {
            View start = View.parseFrom(base64(vector.get("start")));
            View end = View.parseFrom(base64(vector.get("end")));
            View last = start;
            Event event = Event.getDefaultInstance();
            for (JsonElement bytes : vector.getAsJsonArray("events")) {
                event = Event.parseFrom(base64(bytes));
                event.getChangesList().forEach(change -> folded.add(change.getEntryCase()));
                last = Fold.fold(last, event);
            }
            assertEquals(end, last);
            assertNotEquals(start, last);
            // Folding is replacing: a second time it changes nothing that was not changed since.
            assertEquals(last, Fold.fold(last, event));
        });
        return Stream.concat(
                each,
                Stream.of(dynamicTest(
                        "every kind of change", () -> assertEquals(EnumSet.allOf(Change.EntryCase.class), folded))));
    }

    @TestFactory
    Stream<DynamicTest> trackers() {
        return FOLDS.each("trackers", vector -> {
            ViewTracker tracker = new ViewTracker();
            tracker.begin(
                    message(vector.get("view"), View.newBuilder()),
                    Long.parseUnsignedLong(vector.get("seq").getAsString()));
            List<SeatUpdate> updates = new ArrayList<>();
            for (JsonElement update : vector.getAsJsonArray("updates")) {
                updates.add(message(update, SeatUpdate.newBuilder()));
            }
            JsonObject expected = vector.getAsJsonObject("expected");
            if (expected.has("fault")) {
                boolean isGap = expected.get("fault").getAsString().equals("gap");
                Class<? extends FoldFailed> fault = isGap ? SequenceGap.class : UnknownChange.class;
                assertThrows(fault, () -> updates.forEach(tracker::fold));
                assertTrue(tracker.view().isEmpty());
                return;
            }
            updates.forEach(tracker::fold);
            assertEquals(
                    message(expected.get("view"), View.newBuilder()),
                    tracker.view().orElseThrow());
            assertEquals(expected.get("seq").getAsString(), Long.toString(tracker.seq()));
        });
    }

    private static RecordCheck checked(String text, Optional<List<ByteString>> keys) {
        return keys.map(known -> RecordVerifier.verifyRecord(text, known))
                .orElseGet(() -> RecordVerifier.verifyRecord(text));
    }

    private static TranscriptCheck checkedTranscript(String text, Optional<List<ByteString>> keys) {
        Transcript transcript = Transcript.read(text);
        return keys.map(known -> TranscriptVerifier.verifyTranscript(transcript, known))
                .orElseGet(() -> TranscriptVerifier.verifyTranscript(transcript));
    }

    /** Returns the fields of a record as the vectors call them. */
    private static JsonObject asRead(MatchRecord record) {
        JsonObject read = new JsonObject();
        read.addProperty("game", record.game());
        read.addProperty("match", record.match());
        JsonArray players = new JsonArray();
        record.players().forEach(players::add);
        read.add("players", players);
        read.addProperty(
                "draws",
                record.drawn().stream().filter(event -> !event.isRoll()).count());
        read.addProperty("rolls", record.drawn().stream().filter(Drawn::isRoll).count());
        read.addProperty("given_up", record.givenUp());
        JsonArray adjournments = new JsonArray();
        for (AdjournmentLine line : record.adjournments()) {
            JsonObject told = new JsonObject();
            told.addProperty("entries", line.entries());
            told.addProperty("by", line.by());
            told.addProperty("longest_ms", line.longest().toMillis());
            told.addProperty("lasted_ms", line.lasted().map(Duration::toMillis).orElse(null));
            adjournments.add(told);
        }
        read.add("adjournments", adjournments);
        JsonArray acts = new JsonArray();
        for (RefereeActLine line : record.refereeActs()) {
            JsonObject told = new JsonObject();
            told.addProperty("entries", line.entries());
            told.addProperty("kind", line.kind());
            told.addProperty("reason", line.reason());
            acts.add(told);
        }
        read.add("referee_acts", acts);
        // Numbers that were parsed compare with numbers that were parsed.
        return JsonParser.parseString(read.toString()).getAsJsonObject();
    }

    private static Optional<List<ByteString>> keysOf(JsonObject vector) {
        JsonElement keys = vector.get("signing_keys");
        if (keys.isJsonNull()) {
            return Optional.empty();
        }
        return Optional.of(
                strings(keys.getAsJsonArray()).stream().map(Hashes::bytes).toList());
    }

    private static List<String> strings(JsonArray array) {
        List<String> strings = new ArrayList<>();
        Consumer<JsonElement> add = element -> strings.add(element.getAsString());
        array.forEach(add);
        return strings;
    }

    private static byte[] base64(JsonElement text) {
        return Base64.getDecoder().decode(text.getAsString());
    }

    @SuppressWarnings("unchecked")
    private static <M extends Message> M message(JsonElement json, Message.Builder into) throws Exception {
        JsonFormat.parser().merge(json.toString(), into);
        return (M) into.build();
    }
}
