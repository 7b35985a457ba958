/**
 * The vectors of errors: each reason with its code, from proto/edgehill/v1/refusal.proto; statuses as a server sends
 * them; and whether a failed call is repeated, from the table of docs/errors.md.
 */

import { toJson } from "@bufbuild/protobuf";
import { Code, ConnectError, createClient } from "@connectrpc/connect";
import { type Client, v1 } from "edgehill";
import { bothSeats, there } from "../asking.js";
import { fileOf } from "../running.js";

/** A reason, its number on the wire, and the gRPC status code that it comes with. */
export interface ReasonVector {
  readonly reason: string;
  readonly number: number;
  readonly code: string;
}

/** A status as a server sends it, and the refusal that is in its details. */
export interface StatusVector {
  readonly name: string;
  /** The number of the gRPC status. */
  readonly status: number;
  /** The value of `grpc-status-details-bin`, as it stands in the trailers. */
  readonly details: string;
  /** The refusal, as protobuf's JSON. */
  readonly refusal: unknown;
}

/** A failure, how many of them there were in a row, and the least pause before the next attempt. */
export interface RetryVector {
  readonly name: string;
  /** The code of the failure. */
  readonly code: string;
  /** True if the server has refused the call; false if it failed on its way, without a refusal. */
  readonly refused: boolean;
  /** The time that the refusal names, in milliseconds; `null`: none. */
  readonly retry_after_ms: number | null;
  /** Number of failures in a row, this one among them. */
  readonly failures: number;
  /** The least pause; `null`: the call is not repeated. */
  readonly pause_ms: number | null;
}

/** Reads the reasons from the wire's own files: the comment of each begins with its code. */
export function reasonVectors(): ReasonVector[] {
  const vectors: ReasonVector[] = [];
  let code: string | undefined;
  for (const line of fileOf("proto/edgehill/v1/refusal.proto").split("\n")) {
    const [, opening] = /^ {2}\/\/ ([A-Z_]+)\. /.exec(line) ?? [];
    code ??= opening;
    const [, reason, number] = /^ {2}ERROR_REASON_(\w+) = (\d+);/.exec(line) ?? [];
    if (!reason) continue;
    if (code) vectors.push({ reason, number: Number(number), code });
    code = undefined;
  }
  return vectors;
}

/** The table of docs/errors.md, "What to do, by code", as the clients for Rust and Python carry it out. */
export function retryVectors(): RetryVector[] {
  const refused = (code: string, retry_after_ms: number | null, failures: number, pause_ms: number | null) => {
    const time = retry_after_ms === null ? "" : ` for ${retry_after_ms} ms`;
    return { name: `refused, ${code}${time}, ${failures}`, code, refused: true, retry_after_ms, failures, pause_ms };
  };
  const failed = (code: string, failures: number, pause_ms: number | null) => {
    return { name: `failed, ${code}, ${failures}`, code, refused: false, retry_after_ms: null, failures, pause_ms };
  };
  return [
    refused("UNAVAILABLE", null, 1, 0),
    refused("UNAVAILABLE", 1500, 99, 1500),
    refused("RESOURCE_EXHAUSTED", 20, 1, 20),
    refused("RESOURCE_EXHAUSTED", null, 1, null),
    refused("INTERNAL", null, 1, 0),
    refused("INTERNAL", null, 2, null),
    ...["ABORTED", "FAILED_PRECONDITION", "INVALID_ARGUMENT", "NOT_FOUND", "ALREADY_EXISTS", "OUT_OF_RANGE"].map(
      (code) => refused(code, 5000, 1, null),
    ),
    ...["UNAUTHENTICATED", "PERMISSION_DENIED", "DEADLINE_EXCEEDED"].map((code) => refused(code, null, 1, null)),
    failed("UNAVAILABLE", 50, 0),
    failed("DEADLINE_EXCEEDED", 50, 0),
    failed("INTERNAL", 1, 0),
    failed("INTERNAL", 2, null),
    failed("UNKNOWN", 1, 0),
    failed("UNKNOWN", 2, null),
    failed("UNIMPLEMENTED", 1, null),
    failed("UNAUTHENTICATED", 1, null),
  ];
}

/** Records statuses of a server. */
export async function statusVectors(client: Client): Promise<StatusVector[]> {
  const matches = createClient(v1.MatchService, client.transport);
  const [north] = await bothSeats(client);
  const card = there((await north.legal()).legalActions.ids[0]);
  await north.apply(card);
  const headers = { authorization: `Bearer ${north.token}` };
  const apply = (batch: { expectedSeq?: bigint; ids: number[] }) => {
    const actions = { encoding: { case: "ids" as const, value: { values: batch.ids } } };
    const request = { matchId: north.matchId, requestId: "any", batch: { expectedSeq: batch.expectedSeq, actions } };
    return matches.applyActions(request, { headers });
  };
  const create = { requestId: "any", clientSecret: new Uint8Array(32) };
  const calls: Record<string, () => Promise<unknown>> = {
    "a game that there is not": () => matches.createMatch({ ...create, game: "chess" }),
    "a field at fault": () => {
      const seats = [{}, { kind: v1.SeatKind.HOUSE_BOT, bot: "clever" }];
      return matches.createMatch({ ...create, game: "skirmish", seats });
    },
    "a rule that is violated": () => apply({ ids: [card] }),
    "a sequence that is longer": () => apply({ expectedSeq: 1n, ids: [card] }),
    "a token that is none": () => matches.listLegalActions({ matchId: north.matchId }),
  };
  const vectors: StatusVector[] = [];
  for (const [name, call] of Object.entries(calls)) {
    const error = await call().then(
      () => new ConnectError(`${name} was not refused`),
      (reason: unknown) => ConnectError.from(reason),
    );
    const refusal = there(error.findDetails(v1.RefusalSchema)[0]);
    const details = there(error.metadata.get("grpc-status-details-bin") ?? undefined);
    vectors.push({ name, status: error.code, details, refusal: toJson(v1.RefusalSchema, refusal) });
  }
  return vectors;
}

/** Returns the code of a gRPC status by the name that the wire's files give it. */
export function codeOf(name: string): Code {
  const pascal = name.toLowerCase().replace(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase());
  const code = Object.entries(Code).find(([known]) => known === pascal)?.[1];
  if (typeof code !== "number") throw new Error(`${name} is no code`);
  return code;
}
