package dev.edgehill;

import static dev.edgehill.Asking.all;
import static dev.edgehill.Asking.refused;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.Timestamp;
import dev.edgehill.v1.Account;
import dev.edgehill.v1.AccountQuota;
import dev.edgehill.v1.AccountRole;
import dev.edgehill.v1.AccountSource;
import dev.edgehill.v1.Act;
import dev.edgehill.v1.ActKind;
import dev.edgehill.v1.AdminServiceGrpc;
import dev.edgehill.v1.ExportAccountDataRequest;
import dev.edgehill.v1.ExportAccountDataResponse;
import dev.edgehill.v1.ListAccountsRequest;
import io.grpc.Grpc;
import io.grpc.InsecureServerCredentials;
import io.grpc.Server;
import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Those who look after a server: accounts, keys that end, and all that is kept about somebody. */
class AdminTest {
    private static final List<AccountRole> PLAYER = List.of(AccountRole.ACCOUNT_ROLE_PLAYER);

    @TempDir
    static Path folder;

    static TestServer server;
    static Client chief;

    @BeforeAll
    static void start() {
        Accounts accounts = new Accounts(folder).with("ben", "player").with("chief", "operator");
        server = accounts.serve();
        chief = Client.builder(server.address()).key(accounts.key("chief")).build();
    }

    @AfterAll
    static void close() {
        chief.close();
        server.close();
    }

    private static Client holderOf(String key) {
        return Client.builder(server.address()).key(key).build();
    }

    @Test
    void accountHasKeysThatEndAndIsErased() {
        Admin admin = chief.admin();
        Account made = admin.createAccount("ada", PLAYER);
        assertEquals("ada", made.getId());
        assertEquals(AccountSource.ACCOUNT_SOURCE_STORE, made.getSource());
        assertEquals(0, made.getKeysCount());
        refused("ACCOUNT_EXISTS", () -> admin.createAccount("ada", PLAYER));
        long expires = Instant.now().plus(Duration.ofDays(1)).getEpochSecond();
        var first = admin.createAccountKey(
                "ada",
                request -> request.setLabel("laptop")
                        .setExpireTime(Timestamp.newBuilder().setSeconds(expires)));
        assertEquals(1, first.getAccountKey().getNumber());
        assertEquals("laptop", first.getAccountKey().getLabel());
        assertEquals(expires, first.getAccountKey().getExpireTime().getSeconds());
        String second;
        try (Client ada = holderOf(first.getKey())) {
            ada.create("skirmish");
            refused("NOT_ALLOWED", () -> ada.admin().accounts());
            refused("NOT_ALLOWED", () -> ada.referee().voidMatch("any", "a fire"));
            second = admin.rotateAccountKey("ada", 1, Duration.ofHours(1)).getKey();
            ada.create("skirmish");
            assertTrue(admin.revokeAccountKey("ada", 1).hasRevokeTime());
            refused("BAD_TOKEN", () -> ada.create("skirmish"));
        }
        refused("UNKNOWN_ACCOUNT_KEY", () -> admin.revokeAccountKey("ada", 9));
        assertTrue(admin.updateAccount("ada", request -> request.setIsSuspended(true))
                .getIsSuspended());
        try (Client ada = holderOf(second)) {
            assertThrows(Refused.class, () -> ada.create("skirmish"));
        }
        AccountQuota quota = AccountQuota.newBuilder().setStreams(3).build();
        assertEquals(3, admin.setAccountQuota("ada", quota).getQuota().getStreams());
        assertEquals(2, admin.account("ada").getKeysCount());
        refused("ACCOUNT_IN_FILE", () -> admin.deleteAccount("ben"));
        refused("ACCOUNT_NOT_DELETED", () -> admin.eraseAccountData("ada"));
        admin.deleteAccount("ada");
        refused("UNKNOWN_ACCOUNT", () -> admin.account("ada"));

        List<ExportAccountDataResponse> parts = all(admin.exportAccountData("ada"));
        assertTrue(parts.get(0).getAccount().getIsDeleted());
        List<Act> acts = parts.stream()
                .filter(ExportAccountDataResponse::hasAct)
                .map(ExportAccountDataResponse::getAct)
                .toList();
        assertEquals(acts, admin.acts("ada").limit(acts.size()).toList());
        long matches = parts.stream()
                .filter(part -> part.getAccountMatch().getIsCreator())
                .count();
        assertEquals(2, matches);
        refused("UNKNOWN_ACCOUNT", () -> admin.exportAccountData("nobody").next());

        var erased = admin.eraseAccountData("ada");
        // Two matches wait for their seats, and were made by the account.
        assertEquals(2, erased.getWaitingMatches());
        assertEquals(0, erased.getUnreadableMatches());
        List<ActKind> kinds =
                admin.acts(erased.getPseudonym()).map(Act::getKind).toList();
        assertEquals(ActKind.ACT_KIND_ACCOUNT_CREATED, kinds.get(0));
        assertEquals(ActKind.ACT_KIND_DATA_ERASED, kinds.get(kinds.size() - 1));
    }

    @Test
    void listsAreReadOverTheirPagesAndRepeatedCallMakesTheSameKey() {
        Admin admin = chief.admin();
        Set<String> names =
                IntStream.range(0, 101).mapToObj(number -> "p" + number).collect(Collectors.toSet());
        names.forEach(name -> admin.createAccount(name, PLAYER));
        var made = admin.createAccountKey(
                "p0", request -> request.setRequestId("one").addAllScopes(PLAYER));
        assertEquals(
                made,
                chief.async()
                        .admin()
                        .createAccountKey(
                                "p0", request -> request.setRequestId("one").addAllScopes(PLAYER))
                        .join());
        List<Act> about = admin.acts("p0").toList();
        assertEquals("one", about.get(about.size() - 1).getRequestId());
        Set<String> listed = admin.accounts().map(Account::getId).collect(Collectors.toSet());
        Set<String> missing = new HashSet<>(names);
        missing.addAll(List.of("ben", "chief"));
        missing.removeAll(listed);
        assertEquals(Set.of(), missing);
        List<Long> numbers = admin.acts().map(Act::getNumber).toList();
        assertTrue(numbers.size() > names.size());
        assertEquals(LongStream.rangeClosed(1, numbers.size()).boxed().toList(), numbers);
        var page = chief.async()
                .admin()
                .accounts(ListAccountsRequest.newBuilder().setPageSize(2).build())
                .join();
        assertEquals(2, page.getAccountsCount());
        assertFalse(page.getNextPageToken().isEmpty());
    }

    @Test
    void dataIsAskedForAnewOnceTheStreamIsLost() throws Exception {
        AtomicInteger opened = new AtomicInteger();
        Server fake = Grpc.newServerBuilderForPort(0, InsecureServerCredentials.create())
                .addService(new AdminServiceGrpc.AdminServiceImplBase() {
                    @Override
                    public void exportAccountData(
                            ExportAccountDataRequest request, StreamObserver<ExportAccountDataResponse> parts) {
                        // Lost before its first part, and behind it.
                        if (opened.incrementAndGet() > 1) {
                            Account account = Account.newBuilder()
                                    .setId(request.getAccountId())
                                    .build();
                            parts.onNext(ExportAccountDataResponse.newBuilder()
                                    .setAccount(account)
                                    .build());
                        }
                        parts.onError(Status.UNAVAILABLE.asException());
                    }
                })
                .build()
                .start();
        RetryPolicy quick = RetryPolicy.DEFAULT.withPauses(Duration.ofMillis(1), Duration.ofSeconds(1));
        try (Client client =
                Client.builder("127.0.0.1:" + fake.getPort()).retry(quick).build()) {
            AccountData parts = client.admin().exportAccountData("ada");
            assertEquals("ada", parts.next().getAccount().getId());
            CallFailed lost = assertThrows(CallFailed.class, parts::hasNext);
            assertEquals(Status.Code.UNAVAILABLE, lost.code());
            assertFalse(parts.hasNext());
            assertEquals(2, opened.get());
        } finally {
            fake.shutdownNow();
        }
    }
}
