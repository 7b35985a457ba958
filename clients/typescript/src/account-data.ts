/** All that a server keeps about an account. */

import type { Connection } from "./connection.js";
import { ResumedStream, type StreamSession } from "./resumed-stream.js";
import type { ExportAccountDataResponse } from "./v1.js";

/**
 * All that a server keeps about an account, part by part: the account, its acts by number, its matches, newest first, each with its
 * record behind it, and its competitions.
 *
 * The first part is waited for as long as `retry` says. A stream that is lost behind it throws `CallFailed`: it is asked for anew.
 */
export class AccountData extends ResumedStream<ExportAccountDataResponse, ExportAccountDataResponse> {
  /** @internal */
  constructor(connection: Connection, key: string | undefined, accountId: string, signal: AbortSignal | undefined) {
    let hasBegun = false;
    const session: StreamSession<ExportAccountDataResponse, ExportAccountDataResponse> = {
      open: ({ admin }, options) => admin.exportAccountData({ accountId }, options),
      take: (response) => {
        hasBegun = true;
        return response;
      },
      canResume: () => !hasBegun,
    };
    super(connection, session, key, signal);
  }
}
