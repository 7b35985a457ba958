/** The errors of a call: docs/errors.md is the list of reasons, and says what to do about each. */

import { durationMs } from "@bufbuild/protobuf/wkt";
import { Code, ConnectError } from "@connectrpc/connect";
import { ErrorReason, type FieldViolation, type Refusal, RefusalSchema, type RuleViolation } from "./v1.js";

/** Everything that this package throws by itself, but for the reason of an aborted signal. */
export class EdgehillError extends Error {
  override name = "EdgehillError";
}

/** The server has refused a call: nothing has changed, and no die was asked for. */
export class Refused extends EdgehillError {
  override name = "Refused";
  /** All that the server has said. */
  readonly refusal: Refusal;

  constructor(refusal: Refusal) {
    super(wordsOf(refusal));
    this.refusal = refusal;
  }

  /** The reason that programs go by, such as `ErrorReason.ILLEGAL_ACTION`; a newer server has others. */
  get reason(): ErrorReason {
    return this.refusal.reason;
  }

  /** The reason as docs/errors.md has it, such as `ILLEGAL_ACTION`; the number of one that this client does not know. */
  get reasonName(): string {
    return nameOf(this.refusal);
  }

  /** The gRPC status code. */
  get code(): Code {
    return this.refusal.code in Code ? this.refusal.code : Code.Unknown;
  }

  /** Every rule that the action at `index` would violate. */
  get ruleViolations(): readonly RuleViolation[] {
    return this.refusal.ruleViolations;
  }

  /** The fields of the request that are at fault. */
  get fieldViolations(): readonly FieldViolation[] {
    return this.refusal.fieldViolations;
  }

  /** The place of the action at fault in the list or line that was sent, from 0. */
  get index(): number | undefined {
    return this.refusal.index;
  }

  /** The last number of the caller's own sequence; with STALE_SEQUENCE. */
  get seq(): bigint | undefined {
    return this.refusal.seq;
  }

  /** Milliseconds to wait before the same call makes sense again. `undefined`: to repeat it is of no use. */
  get retryAfterMs(): number | undefined {
    return this.refusal.retryAfter && durationMs(this.refusal.retryAfter);
  }
}

/**
 * A call failed on its way: the server did not answer, or what answered is no Edgehill.
 *
 * Unless nothing was sent, it is not known whether the server carried it out: repeated with its request id it is safe.
 */
export class CallFailed extends EdgehillError {
  override name = "CallFailed";
  /** The gRPC status code. */
  readonly code: Code;

  constructor(code: Code, details: string, cause?: unknown) {
    super(`${Code[code]}: ${details}`, { cause });
    this.code = code;
  }
}

/** No server answers at the address, and none did since the client was made. Nothing was sent. */
export class ConnectFailed extends CallFailed {
  override name = "ConnectFailed";
  /** The URL that was tried. */
  readonly url: string;

  /** `advice`: the things to look at. */
  constructor(url: string, details: string, advice: string, cause?: unknown) {
    super(Code.Unavailable, details, cause);
    this.url = url;
    this.message = `no server answers at ${url}: ${details}\n${advice}`;
  }
}

/** The URL of the server, a key or token, or a certificate is none. Nothing was tried. */
export class InvalidOption extends EdgehillError {
  override name = "InvalidOption";
}

/** This platform can't do it: browsers have no streams in two directions, and no certificates of their own. */
export class Unsupported extends EdgehillError {
  override name = "Unsupported";
}

/** An update does not give the present view. Ask for one: `Seat.view`, `ViewTracker.look`. */
export class FoldError extends EdgehillError {
  override name = "FoldError";
}

/** A change of a view that this client does not know: the server is newer. */
export class UnknownChange extends FoldError {
  override name = "UnknownChange";
}

/** Events between the view and the update are missing. */
export class SequenceGap extends FoldError {
  override name = "SequenceGap";
}

/** The dice, the record or the receipts of a match do not check. The message says what, and what was expected. */
export class Unverified extends EdgehillError {
  override name = "Unverified";
}

/** Returns the error for a failed attempt of a call. */
export function failureOf(reason: unknown): EdgehillError {
  if (reason instanceof EdgehillError) return reason;
  const error = ConnectError.from(reason);
  const [refusal] = error.findDetails(RefusalSchema);
  if (refusal) return new Refused(refusal);
  return new CallFailed(isCut(error) ? Code.Unavailable : error.code, error.rawMessage, error);
}

/**
 * Returns true if the connection went away under a call. The transports have a code for each way in which that shows;
 * a server that answers has a status of its own.
 */
function isCut(error: ConnectError): boolean {
  if (error.metadata.has("grpc-status")) return false;
  if (error.code === Code.Canceled || error.code === Code.Aborted) return true;
  return (
    isNetworkError(error.cause) || /missing (status|trailer|response|output)|completed early/.test(error.rawMessage)
  );
}

/** Returns true for an error of Node's sockets, which have a code, and of `fetch`, which throws a TypeError. */
function isNetworkError(cause: unknown): boolean {
  if (!(cause instanceof Error)) return false;
  return (
    cause instanceof TypeError || ("code" in cause && typeof cause.code === "string") || isNetworkError(cause.cause)
  );
}

function nameOf({ reason }: Refusal): string {
  return ErrorReason[reason] ?? String(reason);
}

/** Says everything once: the server's sentence often has the violations already. */
function wordsOf(refusal: Refusal): string {
  const fields = refusal.fieldViolations.map(({ field, description }) => `${field}: ${description}`);
  const rules = refusal.ruleViolations.map(cited);
  const further = [...fields, ...rules].filter((text) => !refusal.message.includes(text));
  return [`${nameOf(refusal)}: ${refusal.message}`, ...further].join("; ");
}

function cited({ code, rule, text }: RuleViolation): string {
  const words = text || code;
  return rule === "" || rule === "contract" ? words : `${words} (rule ${rule})`;
}
