/** Answers with the fields that every server sends: their types on the wire allow each to be absent. */

import { create } from "@bufbuild/protobuf";
import { EdgehillError } from "./errors.js";
import {
  type AccountKey,
  type CreateAccountKeyResponse,
  type CreateMatchResponse,
  type GetViewResponse,
  type LegalActions,
  LegalActionsSchema,
  type ListLegalActionsResponse,
  type Match,
  type MatchConfig,
  type MatchState,
  type PairedSeat,
  type RematchMatchResponse,
  type ReplaceMatchPlayerResponse,
  type RotateAccountKeyResponse,
  type View,
} from "./v1.js";

/** A match with its config and state. */
export type WholeMatch = Match & { config: MatchConfig; state: MatchState };

/** A match that was made, with the invitations to its seats, and the token that takes it back. */
export type CreatedMatch = CreateMatchResponse & { match: WholeMatch };

/** The match that follows a finished one, and the caller's seat in it. */
export type Rematch = RematchMatchResponse & { match: WholeMatch };

/** A seat in a match that was made for those who sought it. */
export type FoundSeat = PairedSeat & { match: WholeMatch };

/** The seat that a referee has opened for another player, with the invitation to it; empty if an account is to take it. */
export type OpenedSeat = ReplaceMatchPlayerResponse & { match: WholeMatch };

/** A key that was made: its text, a secret, and the rest that is known of it. */
export interface MadeKey {
  /** The key, at most 128 bytes of printable ASCII, which acts as the account. */
  readonly key: string;
  /** Its number, its label, what it is for, and when it ends. */
  readonly accountKey: AccountKey;
}

/** The view of an observer. */
export type Look = GetViewResponse & { view: View; match: WholeMatch };

/** The actions that a seat may take. */
export type Legal = ListLegalActionsResponse & { legalActions: LegalActions };

/** Returns the part of an answer that every server sends. */
export function answered<T>(part: T | undefined): T {
  if (part === undefined) throw new EdgehillError("the server's answer lacks a field that every server sends");
  return part;
}

/** Returns a match with its config and state. */
export function wholeMatch(match: Match | undefined): WholeMatch {
  const { config, state, ...rest } = answered(match);
  return { ...rest, config: answered(config), state: answered(state) };
}

/** Returns an answer with the match that is in it. */
export function withMatch<T extends { match?: Match }>(answer: T): T & { match: WholeMatch } {
  return { ...answer, match: wholeMatch(answer.match) };
}

/** Returns a key that was made. */
export function madeKey({ key, accountKey }: CreateAccountKeyResponse | RotateAccountKeyResponse): MadeKey {
  return { key, accountKey: answered(accountKey) };
}

/** Returns a view with its match. */
export function looked(answer: GetViewResponse): Look {
  return { ...withMatch(answer), view: answered(answer.view) };
}

/** Returns legal actions; a seat that is not to act has none. */
export function listed(answer: ListLegalActionsResponse): Legal {
  return { ...answer, legalActions: answer.legalActions ?? create(LegalActionsSchema) };
}
