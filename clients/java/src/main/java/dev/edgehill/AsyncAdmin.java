package dev.edgehill;

import dev.edgehill.v1.Account;
import dev.edgehill.v1.AccountKey;
import dev.edgehill.v1.AccountQuota;
import dev.edgehill.v1.AccountRole;
import dev.edgehill.v1.AdminServiceGrpc;
import dev.edgehill.v1.CreateAccountKeyRequest;
import dev.edgehill.v1.CreateAccountKeyResponse;
import dev.edgehill.v1.CreateAccountRequest;
import dev.edgehill.v1.CreateAccountResponse;
import dev.edgehill.v1.DeleteAccountRequest;
import dev.edgehill.v1.EraseAccountDataRequest;
import dev.edgehill.v1.EraseAccountDataResponse;
import dev.edgehill.v1.GetAccountRequest;
import dev.edgehill.v1.GetAccountResponse;
import dev.edgehill.v1.ListAccountsRequest;
import dev.edgehill.v1.ListAccountsResponse;
import dev.edgehill.v1.ListActsRequest;
import dev.edgehill.v1.ListActsResponse;
import dev.edgehill.v1.RevokeAccountKeyRequest;
import dev.edgehill.v1.RevokeAccountKeyResponse;
import dev.edgehill.v1.RotateAccountKeyRequest;
import dev.edgehill.v1.RotateAccountKeyResponse;
import dev.edgehill.v1.SetAccountQuotaRequest;
import dev.edgehill.v1.SetAccountQuotaResponse;
import dev.edgehill.v1.UpdateAccountRequest;
import dev.edgehill.v1.UpdateAccountResponse;
import io.grpc.MethodDescriptor;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/**
 * The calls of those who look after a server: those of {@link Admin}, each of which returns at once, as those of {@link
 * AsyncClient} do.
 *
 * <p>Each needs the key of an account with the role {@code ACCOUNT_ROLE_OPERATOR}, and ends with {@link Refused}
 * without it: NOT_ALLOWED, or BAD_TOKEN for a key that is none. All are refused with UNKNOWN_ACCOUNT where they name
 * one that is not there, and with INVALID_FIELD for what is out of bounds; those that change an account with
 * ACCOUNT_IN_FILE for one of the accounts file. What was done stands in the log for good.
 */
public final class AsyncAdmin {
    private final Connection connection;
    private final Optional<String> key;
    private final RequestIds ids;

    AsyncAdmin(Connection connection, Optional<String> key, RequestIds ids) {
        this.connection = connection;
        this.key = key;
        this.ids = ids;
    }

    /**
     * Makes an account that is kept in the server's store, with at least one role. It has no key yet. The id is 1 to 64
     * letters, digits, {@code -}, {@code _}, {@code .}; one that there is or was is refused with ACCOUNT_EXISTS.
     */
    public CompletableFuture<Account> createAccount(String accountId, List<AccountRole> roles) {
        return createAccount(accountId, roles, request -> {});
    }

    /** Makes an account, with a request id of the caller's own. */
    public CompletableFuture<Account> createAccount(
            String accountId, List<AccountRole> roles, Consumer<CreateAccountRequest.Builder> options) {
        CreateAccountRequest.Builder request =
                CreateAccountRequest.newBuilder().setAccountId(accountId).addAllRoles(roles);
        options.accept(request);
        request.setRequestId(ids.orNext(request.getRequestId()));
        return Futures.map(
                call(AdminServiceGrpc.getCreateAccountMethod(), request.build()), CreateAccountResponse::getAccount);
    }

    /**
     * Changes an account, as the request says: gives it other roles, suspends it, or lets it go on; what is not set
     * stays. A suspended account's streams end, and nobody plays its seats.
     */
    public CompletableFuture<Account> updateAccount(String accountId, Consumer<UpdateAccountRequest.Builder> options) {
        UpdateAccountRequest.Builder request = UpdateAccountRequest.newBuilder().setAccountId(accountId);
        options.accept(request);
        request.setRequestId(ids.orNext(request.getRequestId()));
        return Futures.map(
                call(AdminServiceGrpc.getUpdateAccountMethod(), request.build()), UpdateAccountResponse::getAccount);
    }

    /** Takes an account's rights and keys away for ever. Its id is not given again. */
    public CompletableFuture<Void> deleteAccount(String accountId) {
        return deleteAccount(accountId, request -> {});
    }

    /** Deletes an account, with a request id of the caller's own. */
    public CompletableFuture<Void> deleteAccount(String accountId, Consumer<DeleteAccountRequest.Builder> options) {
        DeleteAccountRequest.Builder request = DeleteAccountRequest.newBuilder().setAccountId(accountId);
        options.accept(request);
        request.setRequestId(ids.orNext(request.getRequestId()));
        return Futures.map(call(AdminServiceGrpc.getDeleteAccountMethod(), request.build()), answer -> null);
    }

    /**
     * Gives an account a key for all that it may do, which does not end by itself. The answer has its text: a secret,
     * which is told this once. LIMIT_REACHED for an account with 16 keys that have not ended.
     */
    public CompletableFuture<CreateAccountKeyResponse> createAccountKey(String accountId) {
        return createAccountKey(accountId, request -> {});
    }

    /**
     * Gives an account a key, as the request says: with a label of 0 to 64 bytes for people, for some of its roles
     * alone, or until it ends by itself. Who repeats the call with its request id is told the same key again.
     */
    public CompletableFuture<CreateAccountKeyResponse> createAccountKey(
            String accountId, Consumer<CreateAccountKeyRequest.Builder> options) {
        CreateAccountKeyRequest.Builder request =
                CreateAccountKeyRequest.newBuilder().setAccountId(accountId);
        options.accept(request);
        request.setRequestId(ids.orNext(request.getRequestId()));
        return call(AdminServiceGrpc.getCreateAccountKeyMethod(), request.build());
    }

    /**
     * Gives an account a key in the place of another, by its number, with its label and its scopes. The old one goes on
     * for a while, at most 90 days; zero: not at all. UNKNOWN_ACCOUNT_KEY for a number that is no key's, or that of one
     * that has ended.
     */
    public CompletableFuture<RotateAccountKeyResponse> rotateAccountKey(
            String accountId, int keyNumber, Duration overlap) {
        return rotateAccountKey(accountId, keyNumber, overlap, request -> {});
    }

    /** Gives an account a key in the place of another, as the request says: until the new one ends by itself. */
    public CompletableFuture<RotateAccountKeyResponse> rotateAccountKey(
            String accountId, int keyNumber, Duration overlap, Consumer<RotateAccountKeyRequest.Builder> options) {
        RotateAccountKeyRequest.Builder request = RotateAccountKeyRequest.newBuilder()
                .setAccountId(accountId)
                .setKeyNumber(keyNumber)
                .setOverlap(Durations.of(overlap));
        options.accept(request);
        request.setRequestId(ids.orNext(request.getRequestId()));
        return call(AdminServiceGrpc.getRotateAccountKeyMethod(), request.build());
    }

    /**
     * Takes a key away at once, by its number. Streams that were opened with it end. UNKNOWN_ACCOUNT_KEY for one that
     * has ended.
     */
    public CompletableFuture<AccountKey> revokeAccountKey(String accountId, int keyNumber) {
        return revokeAccountKey(accountId, keyNumber, request -> {});
    }

    /** Takes a key away at once, with a request id of the caller's own. */
    public CompletableFuture<AccountKey> revokeAccountKey(
            String accountId, int keyNumber, Consumer<RevokeAccountKeyRequest.Builder> options) {
        RevokeAccountKeyRequest.Builder request =
                RevokeAccountKeyRequest.newBuilder().setAccountId(accountId).setKeyNumber(keyNumber);
        options.accept(request);
        request.setRequestId(ids.orNext(request.getRequestId()));
        return Futures.map(
                call(AdminServiceGrpc.getRevokeAccountKeyMethod(), request.build()),
                RevokeAccountKeyResponse::getAccountKey);
    }

    /**
     * Sets the part that an account has of what callers share, in the place of that which it had: at most 1,000,000 of
     * each, and 1,000,000,000 bytes a second. What is not set is as the server has it for everybody.
     */
    public CompletableFuture<Account> setAccountQuota(String accountId, AccountQuota quota) {
        return setAccountQuota(accountId, quota, request -> {});
    }

    /** Sets the part of an account, with a request id of the caller's own. */
    public CompletableFuture<Account> setAccountQuota(
            String accountId, AccountQuota quota, Consumer<SetAccountQuotaRequest.Builder> options) {
        SetAccountQuotaRequest.Builder request =
                SetAccountQuotaRequest.newBuilder().setAccountId(accountId).setQuota(quota);
        options.accept(request);
        request.setRequestId(ids.orNext(request.getRequestId()));
        return Futures.map(
                call(AdminServiceGrpc.getSetAccountQuotaMethod(), request.build()),
                SetAccountQuotaResponse::getAccount);
    }

    /**
     * Takes a deleted account's id, and the names that its holder gave, out of all that the server keeps. The answer
     * has the pseudonym in their place, and how much has to wait. ACCOUNT_NOT_DELETED for an account that was not
     * deleted.
     *
     * <p>The server looks through its whole store first: where that takes longer than an attempt may, it goes on by
     * itself, and the call is made again.
     */
    public CompletableFuture<EraseAccountDataResponse> eraseAccountData(String accountId) {
        return eraseAccountData(accountId, request -> {});
    }

    /**
     * Erases the data of a deleted account, with a request id of the caller's own. The same call, made later, tells how
     * much is left then.
     */
    public CompletableFuture<EraseAccountDataResponse> eraseAccountData(
            String accountId, Consumer<EraseAccountDataRequest.Builder> options) {
        EraseAccountDataRequest.Builder request =
                EraseAccountDataRequest.newBuilder().setAccountId(accountId);
        options.accept(request);
        request.setRequestId(ids.orNext(request.getRequestId()));
        return call(AdminServiceGrpc.getEraseAccountDataMethod(), request.build());
    }

    /** Gets an account, with its keys but without their texts. */
    public CompletableFuture<Account> account(String accountId) {
        GetAccountRequest request =
                GetAccountRequest.newBuilder().setAccountId(accountId).build();
        return Futures.map(call(AdminServiceGrpc.getGetAccountMethod(), request), GetAccountResponse::getAccount);
    }

    /** Lists one page of accounts, by id; {@code next_page_token} of the answer asks for the next one. */
    public CompletableFuture<ListAccountsResponse> accounts(ListAccountsRequest request) {
        return call(AdminServiceGrpc.getListAccountsMethod(), request);
    }

    /** Lists one page of what was done, in order; {@code next_page_token} of the answer asks for the next one. */
    public CompletableFuture<ListActsResponse> acts(ListActsRequest request) {
        return call(AdminServiceGrpc.getListActsMethod(), request);
    }

    /**
     * Streams all that the server keeps about an account, a deleted one too, for the person whose it is.
     * UNKNOWN_ACCOUNT if there is nothing. The server looks through its whole store for it.
     */
    public AccountData exportAccountData(String accountId) {
        return new AccountData(connection, key, accountId);
    }

    private <Q, R> CompletableFuture<R> call(MethodDescriptor<Q, R> method, Q request) {
        return connection.call(method, request, key);
    }
}
