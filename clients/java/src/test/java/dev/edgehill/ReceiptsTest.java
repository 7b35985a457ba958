package dev.edgehill;

import static dev.edgehill.Asking.bothSeats;
import static dev.edgehill.Asking.firstLegal;
import static dev.edgehill.SeatConfigs.houseBot;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import com.google.protobuf.ByteString;
import dev.edgehill.v1.Event;
import dev.edgehill.v1.GameSummary;
import dev.edgehill.v1.MatchConfig;
import dev.edgehill.v1.Receipt;
import dev.edgehill.v1.SeatDef;
import dev.edgehill.v1.SeatUpdate;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Transcripts and receipts: the hash that a client reckons over its events is the one that the server signs. */
class ReceiptsTest {
    @RegisterExtension
    static final TestServer SERVER = new TestServer();

    static Client client;

    @BeforeAll
    static void connect() {
        client = SERVER.client();
    }

    @AfterAll
    static void close() {
        client.close();
    }

    /** Makes a match of house bots, which is over when somebody has watched it to its end. */
    private static MatchConfig botMatch(Client asked, String game) {
        List<SeatDef> seats = asked.game(game).getSeatsList();
        return asked.create(game, terms -> seats.forEach(seat -> terms.addSeats(houseBot())))
                .getMatch()
                .getConfig();
    }

    /** Returns all that a spectator is shown of a match, with the receipt for it. */
    private static Transcript shown(Client asked, String matchId, boolean includesText) {
        Transcript transcript = new Transcript(matchId);
        Watch watch = asked.watchMatch(matchId, from -> from.setAfterSeq(0).setIncludeText(includesText));
        for (SeatUpdate update : watch) {
            update.getEventsList().forEach(transcript::add);
        }
        transcript.addReceipt(asked.receipt(matchId));
        return transcript;
    }

    @TestFactory
    Stream<DynamicTest> spectatorReckonsTheHashThatTheServerSigns() {
        List<String> games = client.games().stream().map(GameSummary::getId).toList();
        List<ByteString> keys = client.signingKeys();
        return games.stream()
                .map(game -> dynamicTest(game, () -> {
                    String matchId = botMatch(client, game).getMatchId();
                    Transcript transcript = shown(client, matchId, false);
                    assertTrue(transcript.seq() > 10);
                    TranscriptCheck check = TranscriptVerifier.verifyTranscript(transcript, keys);
                    assertEquals(new TranscriptCheck(1, List.of(), true, true), check);
                    assertEquals(transcript.text(), shown(client, matchId, true).text());
                    Transcript again = Transcript.read(transcript.text());
                    assertEquals(transcript.text(), again.text());
                    assertEquals(check, TranscriptVerifier.verifyTranscript(again, keys));
                }));
    }

    @Test
    void seatReckonsTheHashThatTheServerSigns() {
        Seat north = bothSeats(client).north();
        north.apply(Actions.id(firstLegal(north)));
        north.undo();
        north.resign();
        Transcript transcript = new Transcript(north.matchId(), 0);
        for (SeatUpdate update : north.watchMatch(from -> from.setAfterSeq(0))) {
            update.getEventsList().forEach(transcript::add);
        }
        Receipt receipt = north.receipt();
        assertEquals(receipt.getStreamHash(), transcript.hash());
        transcript.addReceipt(receipt);
        assertTrue(TranscriptVerifier.verifyTranscript(transcript, client.signingKeys())
                .complete());
        assertThrows(Unverified.class, () -> transcript.addReceipt(client.receipt(north.matchId())));
    }

    @Test
    void eventsThatNoReceiptProvesAreTold() {
        Transcript transcript = shown(client, botMatch(client, "skirmish").getMatchId(), false);
        long last = transcript.seq();
        // Whose key it is, nobody has said.
        assertFalse(TranscriptVerifier.verifyTranscript(transcript).complete());
        Event more = Event.newBuilder()
                .setSeq(last + 1)
                .setCode("more")
                .setStreamHash(ByteString.copyFrom(new byte[32]))
                .build();
        transcript.add(more);
        transcript.add(more.toBuilder().setSeq(last + 2).clearStreamHash().build());
        assertEquals(
                List.of(new EventRange(last + 1, last + 2)),
                TranscriptVerifier.verifyTranscript(transcript).unproven());
    }

    @Test
    void keyThatWasRotatedIsGoodUntilItIsForgotten() {
        try (TestServer rotated = TestServer.started()) {
            MatchConfig config;
            Transcript transcript;
            String text;
            ByteString first;
            try (Client asked = rotated.client()) {
                config = botMatch(asked, "skirmish");
                transcript = shown(asked, config.getMatchId(), false);
                text = asked.record(config.getMatchId()).text();
                first = asked.signingKey();
            }
            rotated.rotateKey();
            List<ByteString> keys;
            try (Client asked = rotated.client()) {
                keys = asked.signingKeys();
                assertEquals(List.of(asked.signingKey(), first), keys);
                assertEquals(
                        Set.of(RecordPart.RULES, RecordPart.SEED),
                        RecordVerifier.verifyRecord(text, keys).unchecked().keySet());
                DiceOptions options = DiceOptions.NONE.withSigningKeys(keys);
                var state = asked.get(config.getMatchId()).getState();
                DiceVerifier.verifyDice(config, state, text, options);
                // Receipts of both keys in one transcript.
                transcript.addReceipt(asked.receipt(config.getMatchId()));
            }
            assertTrue(TranscriptVerifier.verifyTranscript(transcript, keys).complete());
            for (ByteString one : keys) {
                assertThrows(Unverified.class, () -> TranscriptVerifier.verifyTranscript(transcript, List.of(one)));
            }
            assertThrows(Unverified.class, () -> RecordVerifier.verifyRecord(text, List.of(keys.get(0))));
            rotated.rotateKey("--forget");
            try (Client asked = rotated.client()) {
                assertEquals(keys.subList(0, 1), asked.signingKeys());
            }
        }
    }
}
