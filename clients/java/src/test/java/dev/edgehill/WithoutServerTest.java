package dev.edgehill;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.ByteString;
import dev.edgehill.v1.ActionDef;
import dev.edgehill.v1.ActionList;
import dev.edgehill.v1.ActionStructure;
import dev.edgehill.v1.ErrorReason;
import dev.edgehill.v1.Event;
import dev.edgehill.v1.LegalAction;
import dev.edgehill.v1.LegalActions;
import dev.edgehill.v1.Refusal;
import dev.edgehill.v1.RuleViolation;
import dev.edgehill.v1.SeatUpdate;
import io.grpc.Status;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The parts without I/O: actions, addresses, retries, transcripts, the twins of the two clients. */
class WithoutServerTest {
    private static final LegalAction FIFE =
            LegalAction.newBuilder().setId(4).setVerb("card").build();

    @Test
    void actionsInEveryForm() {
        assertEquals(List.of(7), Actions.id(7).getIds().getValuesList());
        assertEquals(List.of(), Actions.ids(List.of()).getIds().getValuesList());
        assertEquals(List.of(4, 4), Actions.of(FIFE, FIFE).getIds().getValuesList());
        ActionDef def = ActionDef.newBuilder().setId(9).build();
        assertEquals(List.of(9), Actions.of(def).getIds().getValuesList());
        ActionStructure done = ActionStructure.newBuilder().setVerb("done").build();
        assertEquals(List.of(done), Actions.of(done).getStructures().getValuesList());
        ActionList notations = Actions.notations("card fife", "done");
        assertEquals(List.of("card fife", "done"), notations.getNotations().getValuesList());
        assertEquals("card fife; done", Actions.line("card fife; done").getLine());
        assertEquals(4, Actions.action(FIFE).getId());
        assertEquals("done", Actions.action("done").getNotation());
        assertThrows(IllegalArgumentException.class, () -> Actions.id(-1));
        assertThrows(IllegalArgumentException.class, () -> Actions.action(-1));
    }

    @Test
    void timeThatIsLeftIsLessLater() {
        AnswerDeadline deadline = new AnswerDeadline();
        assertEquals(Optional.empty(), deadline.left(0));
        long second = 1_000_000_000;
        SeatUpdate.Builder update = SeatUpdate.newBuilder();
        update.getTimeLeftBuilder().getLeftBuilder().setSeconds(10);
        deadline.take(update.build(), second);
        assertEquals(Optional.of(Duration.ofSeconds(10)), deadline.left(second));
        assertEquals(Optional.of(Duration.ofMillis(7_500)), deadline.left(second * 7 / 2));
        assertEquals(Optional.of(Duration.ZERO), deadline.left(11 * second));
        assertEquals(Optional.of(Duration.ZERO), deadline.left(60 * second));
        // Numbers that no server of this kind sends.
        update.getTimeLeftBuilder().getLeftBuilder().setSeconds(Long.MAX_VALUE);
        deadline.take(update.build(), second);
        assertTrue(deadline.left(60 * second).isPresent());
        // An update without it: nothing is asked of the seat, or no clock runs for it.
        deadline.take(SeatUpdate.getDefaultInstance(), second);
        assertEquals(Optional.empty(), deadline.left(second));
    }

    @Test
    void addresses() {
        Map<String, String> origins = Map.of(
                "localhost:7400", "http://localhost:7400",
                "[::1]:7400", "http://[::1]:7400",
                "http://localhost:7400/", "http://localhost:7400",
                "https://play.example", "https://play.example",
                "https://play.example:7400", "https://play.example:7400");
        origins.forEach((given, origin) ->
                assertEquals(origin, ServerAddress.read(given).url()));
        List<String> wrong = List.of(
                "ftp://play.example",
                "http://",
                "https://play.example/edgehill",
                "https://ada@play.example",
                "https://play.example?x",
                "localhost",
                "localhost:",
                ":7400",
                "localhost:0",
                "localhost:99999",
                "http://localhost:99999",
                "a b:7400",
                "");
        for (String given : wrong) {
            InvalidOption error = assertThrows(InvalidOption.class, () -> Client.connect(given), given);
            assertTrue(error.getMessage().contains("host:port"));
        }
    }

    @Test
    void tokens() {
        try (Client client = Client.builder("localhost:7400").key("ehk_good").build()) {
            for (String wrong : List.of("", "ehs_a b", "ehs_line\n", "ehs_ü")) {
                InvalidOption error = assertThrows(InvalidOption.class, () -> client.seat("match", wrong));
                assertFalse(error.getMessage().contains("ehs_"));
            }
        }
        assertThrows(
                InvalidOption.class,
                () -> Client.builder("localhost:7400").key("\n").build());
    }

    @Test
    void certificatesThatAreNoneAreToldBeforeAnythingIsTried() {
        String cert = "-----BEGIN CERTIFICATE-----\n";
        String key = "-----BEGIN PRIVATE KEY-----\n";
        String url = "https://play.example";
        assertInvalid("ca holds no certificate", Client.builder(url).ca(""));
        assertInvalid("goes with its key", Client.builder(url).cert(cert));
        assertInvalid("goes with its key", Client.builder(url).certKey(key));
        assertInvalid("cert holds no certificate", Client.builder(url).cert(key).certKey(key));
        assertInvalid(
                "certKey holds no private key", Client.builder(url).cert(cert).certKey(cert));
        assertInvalid("https", Client.builder("play.example:7400").ca(cert));
        assertInvalid("the certificates can't be", Client.builder(url).ca(cert));
        assertInvalid(
                "the certificates can't be", Client.builder(url).cert(cert).certKey(key));
    }

    private static void assertInvalid(String said, ClientBuilder builder) {
        InvalidOption error = assertThrows(InvalidOption.class, builder::build);
        assertTrue(error.getMessage().contains(said), error.getMessage());
    }

    @Test
    void reasonOfANewerServerHasANumber() throws Exception {
        Refused newer = new Refused(Refusal.parseFrom(new byte[] {0x08, (byte) 0x8f, 0x4e, 0x10, 0x09}));
        assertEquals(ErrorReason.UNRECOGNIZED, newer.reason());
        assertEquals("9999", newer.reasonName());
        assertEquals(Status.Code.FAILED_PRECONDITION, newer.code());
        Refusal odd = Refusal.newBuilder().setCode(-7).setRetryAfter(odd()).build();
        assertEquals(Status.Code.UNKNOWN, new Refused(odd).code());
        assertTrue(new Refused(odd).retryAfter().isPresent());
    }

    private static com.google.protobuf.Duration odd() {
        return com.google.protobuf.Duration.newBuilder()
                .setSeconds(Long.MAX_VALUE)
                .setNanos(Integer.MAX_VALUE)
                .build();
    }

    @Test
    void refusalSaysEverythingOnce() {
        RuleViolation turn = RuleViolation.newBuilder()
                .setCode("NOT_YOUR_TURN")
                .setRule("contract")
                .setText("seat 1 is to act")
                .build();
        Refusal one = Refusal.newBuilder()
                .setReason(ErrorReason.ERROR_REASON_NOT_YOUR_TURN)
                .setMessage("seat 1 is to act")
                .addRuleViolations(turn)
                .build();
        assertEquals("NOT_YOUR_TURN: seat 1 is to act", new Refused(one).getMessage());
        RuleViolation card = RuleViolation.newBuilder()
                .setCode("CARD_PICKED")
                .setRule("2.3")
                .setText("A card is picked already")
                .build();
        Refusal two = Refusal.newBuilder()
                .setReason(ErrorReason.ERROR_REASON_ILLEGAL_ACTION)
                .setMessage("not legal")
                .addRuleViolations(card)
                .build();
        assertEquals("ILLEGAL_ACTION: not legal; A card is picked already (rule 2.3)", new Refused(two).getMessage());
    }

    @Test
    void errorsOfOthersAreNoneOfThisPackage() {
        assertTrue(EdgehillException.of(new IllegalStateException()).isEmpty());
        CallFailed failed = (CallFailed)
                EdgehillException.of(Status.NOT_FOUND.asException()).orElseThrow();
        assertEquals(Status.Code.NOT_FOUND, failed.code());
        assertSame(failed, EdgehillException.of(failed).orElseThrow());
    }

    @Test
    void pausesGrowAndRepetitionHasADeadline() {
        AtomicLong now = new AtomicLong();
        Duration hour = Duration.ofHours(1);
        RetryPolicy policy =
                RetryPolicy.DEFAULT.withDeadline(hour).withPauses(Duration.ofMillis(10), Duration.ofSeconds(1));
        CallFailed lost = new CallFailed(Status.Code.UNAVAILABLE, "no connection", null);
        Outage outage = Outage.ofStream(policy, now::get);
        List<Long> pauses = new ArrayList<>();
        for (int time = 0; time < 12; time++) {
            pauses.add(outage.pauseAfter(lost).toMillis());
        }
        assertTrue(pauses.get(0) <= 10);
        assertTrue(pauses.stream().skip(8).allMatch(ms -> ms >= 500 && ms <= 1000), pauses.toString());
        now.set(hour.toNanos());
        assertSame(lost, assertThrows(CallFailed.class, () -> outage.pauseAfter(lost)));
        // After a quiet time as long as the deadline it begins anew.
        now.set(3 * hour.toNanos());
        assertTrue(outage.pauseAfter(lost).toMillis() <= 10);
        // A call has one deadline, however long its attempts take.
        Outage call = Outage.ofCall(policy, now::get);
        call.pauseAfter(lost);
        now.set(5 * hour.toNanos());
        assertSame(lost, assertThrows(CallFailed.class, () -> call.pauseAfter(lost)));
        RetryPolicy hasty = policy.withDeadline(Duration.ZERO).withPauses(Duration.ZERO, Duration.ZERO);
        Outage never = Outage.ofCall(hasty, now::get);
        assertSame(lost, assertThrows(CallFailed.class, () -> never.pauseAfter(lost)));
        Refused far = new Refused(Refusal.newBuilder()
                .setCode(Status.Code.UNAVAILABLE.value())
                .setRetryAfter(Durations.of(Duration.ofHours(2)))
                .build());
        assertSame(
                far,
                assertThrows(
                        Refused.class, () -> Outage.ofCall(policy, now::get).pauseAfter(far)));
        assertThrows(IllegalArgumentException.class, () -> policy.withAttempt(Duration.ofMillis(-1)));
        assertThrows(IllegalArgumentException.class, () -> policy.withConnect(Duration.ofDays(4000)));
    }

    @Test
    void choicesOfABotFollowFromItsSeed() {
        LegalActions legal = LegalActions.newBuilder()
                .addAllIds(IntStream.range(0, 100).boxed().toList())
                .build();
        assertEquals(choices(new RandomBot(7), legal), choices(new RandomBot(7), legal));
        assertNotEquals(choices(new RandomBot(7), legal), choices(new RandomBot(8), legal));
        assertTrue(new HashSet<>(choices(new RandomBot(), legal)).size() > 60);
    }

    private static List<ActionList> choices(RandomBot bot, LegalActions legal) {
        return Stream.generate(() -> bot.choose(null, legal)).limit(200).toList();
    }

    @Test
    void textsThatAreNoneOfATranscript() {
        Event second = Event.newBuilder().setSeq(2).build();
        assertThrows(SequenceGap.class, () -> new Transcript("m").add(second));
        String whole = new Transcript("m", 1).text();
        List<String> wrong = List.of(
                "",
                whole.replace("script 1", "script 2"),
                whole.replace("match", "game"),
                whole.replace("observer 1", "observer north"),
                whole + "event 1G\n",
                whole + "event 07\n",
                whole + "receipt 00 00\n",
                whole + "recipe\n");
        for (String text : wrong) {
            assertThrows(Unverified.class, () -> Transcript.read(text), text);
        }
    }

    @Test
    void keysOfSmallOrderSignNothing() {
        ByteString message = ByteString.copyFromUtf8("anything");
        // The neutral point, as key and as half of a signature with the number 0, fits every message for a lax
        // verifier.
        ByteString neutral = Hashes.bytes("01" + "00".repeat(31));
        ByteString signature = neutral.concat(ByteString.copyFrom(new byte[32]));
        assertFalse(Signatures.hasSigned(neutral, message, signature));
        // The same point, written in another way.
        ByteString other = Hashes.bytes("ee" + "ff".repeat(30) + "7f");
        assertFalse(Signatures.hasSigned(other, message, signature));
        assertFalse(Signatures.hasSigned(ByteString.EMPTY, message, signature));
    }

    @Test
    void linesThatAreLongDoNotExhaustTheStack() {
        String start = "edgehill record 2\nstart [0000000000000000]\n";
        String quotes = start + "result none\nreferee 1 voided reason \"" + "\\\"".repeat(500_000) + "\"\n";
        String faces = start + "dice 0/0: 1" + " 1".repeat(500_000) + " [0000000000000000]\nresult none\n";
        for (String lines : List.of(quotes, faces)) {
            String digest = Hashes.hex(Hashes.sha256("edgehill/record/2" + lines));
            MatchRecord record = MatchRecord.read(lines + "end " + digest + "\n");
            assertEquals("result none", record.result());
        }
    }

    @Test
    void bothClientsHaveTheSameCalls() {
        assertEquals(signatures(AsyncClient.class), signatures(Client.class));
        assertEquals(signatures(AsyncSeat.class), signatures(Seat.class));
        assertEquals(signatures(AsyncAdmin.class), signatures(Admin.class));
        assertEquals(signatures(AsyncCompetitions.class), signatures(Competitions.class));
        assertEquals(signatures(AsyncReferee.class), signatures(Referee.class));
    }

    /** Returns the public methods of a class, with the answers of futures instead of these, but for those of one form. */
    private static List<String> signatures(Class<?> owner) {
        List<String> own = List.of("async", "connect", "builder", "matches", "accounts", "acts");
        return Stream.of(owner.getDeclaredMethods())
                .filter(method -> Modifier.isPublic(method.getModifiers()) && !method.isSynthetic())
                .filter(method -> !own.contains(method.getName()))
                .map(WithoutServerTest::signature)
                .sorted()
                .toList();
    }

    private static String signature(Method method) {
        Type answer = method.getGenericReturnType();
        if (answer instanceof ParameterizedType future && future.getRawType() == CompletableFuture.class) {
            answer = future.getActualTypeArguments()[0];
            answer = answer == Void.class ? void.class : answer;
        }
        List<Type> given = List.of(method.getGenericParameterTypes());
        return (answer + " " + method.getName() + given).replace(".Async", ".");
    }
}
