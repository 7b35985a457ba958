/** The callers that may take each seat of a match that is made. */

import { create } from "@bufbuild/protobuf";
import { type SeatConfig, SeatConfigSchema, SeatKind } from "./v1.js";

/** Returns a seat that is open to anyone. */
export function openSeat(): SeatConfig {
  return create(SeatConfigSchema, { kind: SeatKind.OPEN });
}

/** Returns a seat for the holder of its invitation. */
export function invitedSeat(): SeatConfig {
  return create(SeatConfigSchema, { kind: SeatKind.INVITED });
}

/** Returns a seat for the holder of this account's key, who needs no invitation; on servers that have accounts. */
export function accountSeat(accountId: string): SeatConfig {
  return create(SeatConfigSchema, { kind: SeatKind.INVITED, accountId });
}

/** Returns a seat for one of the game's house bots (`Game.houseBots`). */
export function houseBot(name = "random"): SeatConfig {
  return create(SeatConfigSchema, { kind: SeatKind.HOUSE_BOT, bot: name });
}
