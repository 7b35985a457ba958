/** Accounts, their keys, and what was done: for those who look after a server. */

import type { MessageInitShape } from "@bufbuild/protobuf";
import { durationFromMs, timestampFromDate } from "@bufbuild/protobuf/wkt";
import type { CallOptions as AttemptOptions } from "@connectrpc/connect";
import { AccountData } from "./account-data.js";
import { answered, type MadeKey, madeKey } from "./answers.js";
import type { CallOptions, ChangeOptions, Connection, Services } from "./connection.js";
import { pages } from "./pages.js";
import type { Account, AccountKey, AccountQuotaSchema, AccountRole, Act, EraseAccountDataResponse } from "./v1.js";

/** The change of an account; what is not named stays. */
export interface AccountChange extends ChangeOptions {
  /** The roles that it has from now on; none: those that it has. */
  readonly roles?: readonly AccountRole[];
  /** True: it may do nothing from now on; false: it may again. */
  readonly isSuspended?: boolean;
}

/** The key that an account is given. */
export interface KeyOptions extends ChangeOptions {
  /** A name for people, 0 to 64 bytes, such as `laptop`. */
  readonly label?: string;
  /** The roles that it is for; none: all that the account has, whichever they are when it is used. */
  readonly scopes?: readonly AccountRole[];
  /** When it ends by itself, a moment to come; without it, it does not. */
  readonly expires?: Date;
}

/** The key that takes the place of another one. */
export interface RotationOptions extends ChangeOptions {
  /** For how long the old key goes on, in milliseconds, at most 90 days; without it, not at all. */
  readonly overlapMs?: number;
  /** When the new key ends by itself, a moment to come; without it, it does not. */
  readonly expires?: Date;
}

/**
 * The calls of those who look after a server: accounts, their keys, their part of what callers share, and the log of what was done.
 *
 * Each needs the key of an account with the role `AccountRole.OPERATOR`, and throws `Refused` without it: NOT_ALLOWED, or BAD_TOKEN for
 * a key that is none. All may throw UNKNOWN_ACCOUNT where they name one that is not there, and INVALID_FIELD for what is out of bounds;
 * those that change an account throw ACCOUNT_IN_FILE for one of the accounts file. What was done stands in the log (`acts`) for good.
 */
export class Admin {
  readonly #connection: Connection;
  readonly #key: string | undefined;
  readonly #nextId: () => string;

  /** @internal */
  constructor(connection: Connection, key: string | undefined, nextId: () => string) {
    this.#connection = connection;
    this.#key = key;
    this.#nextId = nextId;
  }

  /**
   * Makes an account that is kept in the server's store, with at least one role. It has no key yet. The id is 1 to 64 letters, digits,
   * `-`, `_`, `.`; one that there is or was is refused with ACCOUNT_EXISTS.
   */
  async createAccount(accountId: string, roles: readonly AccountRole[], options: ChangeOptions = {}): Promise<Account> {
    const request = { accountId, roles: [...roles], requestId: this.#id(options) };
    const made = await this.#call(({ admin }, tried) => admin.createAccount(request, tried), options);
    return answered(made.account);
  }

  /** Gets an account, with its keys but without their texts. */
  async account(accountId: string, options: CallOptions = {}): Promise<Account> {
    const found = await this.#call(({ admin }, tried) => admin.getAccount({ accountId }, tried), options);
    return answered(found.account);
  }

  /** Lists all accounts by id: those of the accounts file, and those of the store. Each page is asked for when it is needed. */
  accounts(options: CallOptions = {}): AsyncGenerator<Account, void, undefined> {
    return pages(async (pageToken) => {
      const page = await this.#call(({ admin }, tried) => admin.listAccounts({ pageToken }, tried), options);
      return { items: page.accounts, next: page.nextPageToken };
    });
  }

  /** Gives an account other roles, suspends it, or lets it go on. A suspended account's streams end, and nobody plays its seats. */
  async updateAccount(accountId: string, options: AccountChange = {}): Promise<Account> {
    const { roles = [], isSuspended } = options;
    const request = { accountId, roles: [...roles], isSuspended, requestId: this.#id(options) };
    const changed = await this.#call(({ admin }, tried) => admin.updateAccount(request, tried), options);
    return answered(changed.account);
  }

  /** Takes an account's rights and keys away for ever. Its id is not given again. */
  async deleteAccount(accountId: string, options: ChangeOptions = {}): Promise<void> {
    const request = { accountId, requestId: this.#id(options) };
    await this.#call(({ admin }, tried) => admin.deleteAccount(request, tried), options);
  }

  /**
   * Gives an account a key, whose text the answer has: a secret, which is told this once, and again to who repeats the call with its
   * `requestId`. LIMIT_REACHED for an account with 16 keys that have not ended.
   */
  async createAccountKey(accountId: string, options: KeyOptions = {}): Promise<MadeKey> {
    const { label, scopes = [], expires } = options;
    const request = {
      accountId,
      label,
      scopes: [...scopes],
      expireTime: expires && timestampFromDate(expires),
      requestId: this.#id(options),
    };
    return madeKey(await this.#call(({ admin }, tried) => admin.createAccountKey(request, tried), options));
  }

  /**
   * Gives an account a key in the place of another, by its number, with its label and its scopes. The old one goes on for a while, if
   * `overlapMs` says so. UNKNOWN_ACCOUNT_KEY for a number that is no key's, or that of one that has ended.
   */
  async rotateAccountKey(accountId: string, keyNumber: number, options: RotationOptions = {}): Promise<MadeKey> {
    const { overlapMs, expires } = options;
    const request = {
      accountId,
      keyNumber,
      overlap: overlapMs === undefined ? undefined : durationFromMs(overlapMs),
      expireTime: expires && timestampFromDate(expires),
      requestId: this.#id(options),
    };
    return madeKey(await this.#call(({ admin }, tried) => admin.rotateAccountKey(request, tried), options));
  }

  /** Takes a key away at once, by its number. Streams that were opened with it end. UNKNOWN_ACCOUNT_KEY for one that has ended. */
  async revokeAccountKey(accountId: string, keyNumber: number, options: ChangeOptions = {}): Promise<AccountKey> {
    const request = { accountId, keyNumber, requestId: this.#id(options) };
    const taken = await this.#call(({ admin }, tried) => admin.revokeAccountKey(request, tried), options);
    return answered(taken.accountKey);
  }

  /**
   * Sets the part that an account has of what callers share, in the place of that which it had: at most 1,000,000 of each, and
   * 1,000,000,000 bytes a second. What is not named is as the server has it for everybody.
   */
  async setAccountQuota(
    accountId: string,
    quota: MessageInitShape<typeof AccountQuotaSchema>,
    options: ChangeOptions = {},
  ): Promise<Account> {
    const request = { accountId, quota, requestId: this.#id(options) };
    const changed = await this.#call(({ admin }, tried) => admin.setAccountQuota(request, tried), options);
    return answered(changed.account);
  }

  /** Lists what was done, in order: by an account or about it, or by all. Each page is asked for when it is needed. */
  acts(options: CallOptions & { readonly accountId?: string } = {}): AsyncGenerator<Act, void, undefined> {
    const { accountId } = options;
    return pages(async (pageToken) => {
      const page = await this.#call(({ admin }, tried) => admin.listActs({ accountId, pageToken }, tried), options);
      return { items: page.acts, next: page.nextPageToken };
    });
  }

  /**
   * Streams all that the server keeps about an account, a deleted one too, for the person whose it is. UNKNOWN_ACCOUNT if there is
   * nothing. The server looks through its whole store for it.
   */
  exportAccountData(accountId: string, { signal }: CallOptions = {}): AccountData {
    return new AccountData(this.#connection, this.#key, accountId, signal);
  }

  /**
   * Takes a deleted account's id, and the names that its holder gave, out of all that the server keeps. The answer has the pseudonym in
   * their place, and how much has to wait. ACCOUNT_NOT_DELETED for an account that was not deleted.
   *
   * The server looks through its whole store first: where that takes longer than `attemptMs`, it goes on by itself, and the call is made
   * again.
   */
  async eraseAccountData(accountId: string, options: ChangeOptions = {}): Promise<EraseAccountDataResponse> {
    const request = { accountId, requestId: this.#id(options) };
    return this.#call(({ admin }, tried) => admin.eraseAccountData(request, tried), options);
  }

  #id({ requestId }: ChangeOptions): string {
    return requestId ?? this.#nextId();
  }

  #call<T>(attempt: (services: Services, options: AttemptOptions) => Promise<T>, { signal }: CallOptions): Promise<T> {
    return this.#connection.call(attempt, this.#key, signal);
  }
}
