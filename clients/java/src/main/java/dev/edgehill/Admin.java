package dev.edgehill;

import dev.edgehill.v1.Account;
import dev.edgehill.v1.AccountKey;
import dev.edgehill.v1.AccountQuota;
import dev.edgehill.v1.AccountRole;
import dev.edgehill.v1.Act;
import dev.edgehill.v1.CreateAccountKeyRequest;
import dev.edgehill.v1.CreateAccountKeyResponse;
import dev.edgehill.v1.CreateAccountRequest;
import dev.edgehill.v1.DeleteAccountRequest;
import dev.edgehill.v1.EraseAccountDataRequest;
import dev.edgehill.v1.EraseAccountDataResponse;
import dev.edgehill.v1.ListAccountsRequest;
import dev.edgehill.v1.ListAccountsResponse;
import dev.edgehill.v1.ListActsRequest;
import dev.edgehill.v1.ListActsResponse;
import dev.edgehill.v1.RevokeAccountKeyRequest;
import dev.edgehill.v1.RotateAccountKeyRequest;
import dev.edgehill.v1.RotateAccountKeyResponse;
import dev.edgehill.v1.SetAccountQuotaRequest;
import dev.edgehill.v1.UpdateAccountRequest;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * The calls of those who look after a server: accounts, their keys, their part of what callers share, and the log of
 * what was done. They wait for their answers as those of {@link Client} do.
 *
 * <p>Each needs the key of an account with the role {@code ACCOUNT_ROLE_OPERATOR}, and ends with {@link Refused}
 * without it: NOT_ALLOWED, or BAD_TOKEN for a key that is none. All are refused with UNKNOWN_ACCOUNT where they name
 * one that is not there, and with INVALID_FIELD for what is out of bounds; those that change an account with
 * ACCOUNT_IN_FILE for one of the accounts file. What was done stands in the log for good.
 */
public final class Admin {
    private final AsyncAdmin async;

    Admin(AsyncAdmin async) {
        this.async = async;
    }

    /**
     * Makes an account that is kept in the server's store, with at least one role. It has no key yet. The id is 1 to 64
     * letters, digits, {@code -}, {@code _}, {@code .}; one that there is or was is refused with ACCOUNT_EXISTS.
     */
    public Account createAccount(String accountId, List<AccountRole> roles) {
        return Futures.await(async.createAccount(accountId, roles));
    }

    /** Makes an account, with a request id of the caller's own. */
    public Account createAccount(
            String accountId, List<AccountRole> roles, Consumer<CreateAccountRequest.Builder> options) {
        return Futures.await(async.createAccount(accountId, roles, options));
    }

    /**
     * Changes an account, as the request says: gives it other roles, suspends it, or lets it go on; what is not set
     * stays. A suspended account's streams end, and nobody plays its seats.
     */
    public Account updateAccount(String accountId, Consumer<UpdateAccountRequest.Builder> options) {
        return Futures.await(async.updateAccount(accountId, options));
    }

    /** Takes an account's rights and keys away for ever. Its id is not given again. */
    public void deleteAccount(String accountId) {
        Futures.await(async.deleteAccount(accountId));
    }

    /** Deletes an account, with a request id of the caller's own. */
    public void deleteAccount(String accountId, Consumer<DeleteAccountRequest.Builder> options) {
        Futures.await(async.deleteAccount(accountId, options));
    }

    /**
     * Gives an account a key for all that it may do, which does not end by itself. The answer has its text: a secret,
     * which is told this once. LIMIT_REACHED for an account with 16 keys that have not ended.
     */
    public CreateAccountKeyResponse createAccountKey(String accountId) {
        return Futures.await(async.createAccountKey(accountId));
    }

    /**
     * Gives an account a key, as the request says: with a label of 0 to 64 bytes for people, for some of its roles
     * alone, or until it ends by itself. Who repeats the call with its request id is told the same key again.
     */
    public CreateAccountKeyResponse createAccountKey(
            String accountId, Consumer<CreateAccountKeyRequest.Builder> options) {
        return Futures.await(async.createAccountKey(accountId, options));
    }

    /**
     * Gives an account a key in the place of another, by its number, with its label and its scopes. The old one goes on
     * for a while, at most 90 days; zero: not at all. UNKNOWN_ACCOUNT_KEY for a number that is no key's, or that of one
     * that has ended.
     */
    public RotateAccountKeyResponse rotateAccountKey(String accountId, int keyNumber, Duration overlap) {
        return Futures.await(async.rotateAccountKey(accountId, keyNumber, overlap));
    }

    /** Gives an account a key in the place of another, as the request says: until the new one ends by itself. */
    public RotateAccountKeyResponse rotateAccountKey(
            String accountId, int keyNumber, Duration overlap, Consumer<RotateAccountKeyRequest.Builder> options) {
        return Futures.await(async.rotateAccountKey(accountId, keyNumber, overlap, options));
    }

    /**
     * Takes a key away at once, by its number. Streams that were opened with it end. UNKNOWN_ACCOUNT_KEY for one that
     * has ended.
     */
    public AccountKey revokeAccountKey(String accountId, int keyNumber) {
        return Futures.await(async.revokeAccountKey(accountId, keyNumber));
    }

    /** Takes a key away at once, with a request id of the caller's own. */
    public AccountKey revokeAccountKey(
            String accountId, int keyNumber, Consumer<RevokeAccountKeyRequest.Builder> options) {
        return Futures.await(async.revokeAccountKey(accountId, keyNumber, options));
    }

    /**
     * Sets the part that an account has of what callers share, in the place of that which it had: at most 1,000,000 of
     * each, and 1,000,000,000 bytes a second. What is not set is as the server has it for everybody.
     */
    public Account setAccountQuota(String accountId, AccountQuota quota) {
        return Futures.await(async.setAccountQuota(accountId, quota));
    }

    /** Sets the part of an account, with a request id of the caller's own. */
    public Account setAccountQuota(
            String accountId, AccountQuota quota, Consumer<SetAccountQuotaRequest.Builder> options) {
        return Futures.await(async.setAccountQuota(accountId, quota, options));
    }

    /**
     * Takes a deleted account's id, and the names that its holder gave, out of all that the server keeps. The answer
     * has the pseudonym in their place, and how much has to wait. ACCOUNT_NOT_DELETED for an account that was not
     * deleted.
     *
     * <p>The server looks through its whole store first: where that takes longer than an attempt may, it goes on by
     * itself, and the call is made again.
     */
    public EraseAccountDataResponse eraseAccountData(String accountId) {
        return Futures.await(async.eraseAccountData(accountId));
    }

    /**
     * Erases the data of a deleted account, with a request id of the caller's own. The same call, made later, tells how
     * much is left then.
     */
    public EraseAccountDataResponse eraseAccountData(
            String accountId, Consumer<EraseAccountDataRequest.Builder> options) {
        return Futures.await(async.eraseAccountData(accountId, options));
    }

    /** Gets an account, with its keys but without their texts. */
    public Account account(String accountId) {
        return Futures.await(async.account(accountId));
    }

    /**
     * Lists all accounts by id: those of the accounts file, and those of the store. Each page is asked for when it is
     * needed.
     */
    public Stream<Account> accounts() {
        return Pages.of(
                token -> Futures.await(async.accounts(
                        ListAccountsRequest.newBuilder().setPageToken(token).build())),
                ListAccountsResponse::getNextPageToken,
                ListAccountsResponse::getAccountsList);
    }

    /** Lists what was done, in order, by anybody. Each page is asked for when it is needed. */
    public Stream<Act> acts() {
        return acts("");
    }

    /** Lists what was done by an account or about it, in order. Each page is asked for when it is needed. */
    public Stream<Act> acts(String accountId) {
        ListActsRequest.Builder request = ListActsRequest.newBuilder().setAccountId(accountId);
        return Pages.of(
                token -> Futures.await(async.acts(request.setPageToken(token).build())),
                ListActsResponse::getNextPageToken,
                ListActsResponse::getActsList);
    }

    /**
     * Streams all that the server keeps about an account, a deleted one too, for the person whose it is.
     * UNKNOWN_ACCOUNT if there is nothing. The server looks through its whole store for it.
     */
    public AccountData exportAccountData(String accountId) {
        return async.exportAccountData(accountId);
    }
}
