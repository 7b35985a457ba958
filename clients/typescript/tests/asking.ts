/** Assertions that several suites have in common. */

import assert from "node:assert/strict";
import { type DescMessage, equals, type MessageShape, toJson } from "@bufbuild/protobuf";
import { type Client, EdgehillError, Refused, type Seat, v1 } from "edgehill";

/** Expects a refusal of this reason, and returns it. */
export async function refused(reason: keyof typeof v1.ErrorReason, call: Promise<unknown>): Promise<Refused> {
  const error = await failed(Refused, call);
  assert.equal(error.reasonName, reason, error.message);
  assert.equal(error.reason, v1.ErrorReason[reason]);
  return error;
}

/** Expects an error of this package, and returns it. */
export async function failed<T extends EdgehillError>(
  kind: abstract new (...given: never[]) => T,
  call: Promise<unknown>,
): Promise<T> {
  const error = await call.then(
    () => assert.fail(`no ${kind.name}`),
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof kind, `${kind.name} was expected: ${error}`);
  assert.ok(error instanceof EdgehillError);
  return error;
}

/** Asserts that two messages are the same. */
export function sameMessage<D extends DescMessage>(
  schema: D,
  found: MessageShape<D> | undefined,
  expected: MessageShape<D> | undefined,
): void {
  const isSame = found && expected ? equals(schema, found, expected) : found === expected;
  if (!isSame) assert.deepEqual(found && toJson(schema, found), expected && toJson(schema, expected));
}

/** Returns a thing that has to be there. */
export function there<T>(given: T | undefined): T {
  assert.ok(given !== undefined);
  return given;
}

/** Takes both seats of a match that begins with this. */
export async function bothSeats(client: Client): Promise<[Seat, Seat]> {
  const { match } = await client.create("skirmish");
  const { matchId } = match.config;
  return [await client.join(matchId), await client.join(matchId)];
}

/** Reads the next item of a stream that has one. */
export async function next<T>(stream: AsyncIterator<T, undefined>): Promise<T> {
  const { done, value } = await stream.next();
  assert.ok(!done, "the stream has ended");
  return value;
}

/** Reads a stream to its end. */
export async function all<T>(stream: AsyncIterable<T>): Promise<T[]> {
  const items: T[] = [];
  for await (const item of stream) items.push(item);
  return items;
}
