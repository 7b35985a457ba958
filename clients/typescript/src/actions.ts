/** Actions, in whichever form is at hand. */

import { create, type MessageInitShape } from "@bufbuild/protobuf";
import {
  type Action,
  type ActionBatch,
  ActionBatchSchema,
  type ActionDef,
  type ActionList,
  ActionListSchema,
  ActionSchema,
  type ActionStructure,
  ActionStructureSchema,
  ApplyMode,
  type LegalAction,
} from "./v1.js";

/** A verb and its references, as a message or as its fields. */
export type StructureLike = ActionStructure | (MessageInitShape<typeof ActionStructureSchema> & { verb: string });

/** One action: its id, a message that has the id, its notation, its structure. */
export type ActionLike = number | string | LegalAction | ActionDef | StructureLike;

/** One action, or several of one encoding. A text by itself is a line, and may have several actions. */
export type ActionsLike = ActionLike | Iterable<ActionLike> | ActionList;

/** The way in which actions are taken. */
export interface BatchOptions {
  /** The number of the last event that the decision rests on: refused with STALE_SEQUENCE if the seat has later ones. */
  readonly expectedSeq?: bigint;
  /** Number of actions of the draft that stay; without it all. */
  readonly keepDraftActions?: number;
  /** Takes the actions up to the first point where something is revealed, instead of all or none. */
  readonly untilReveal?: boolean;
}

const EXPECTED = "an action is an id, a LegalAction, an ActionDef, a notation or an ActionStructure";

/** Returns one action as the wire has it; a text is its notation. */
export function actionMessage(given: ActionLike | Action): Action {
  if (typeof given === "string") return create(ActionSchema, { encoding: { case: "notation", value: given } });
  if (isMessage(given) && given.$typeName === "edgehill.v1.Action") return given;
  if (isStructure(given)) return create(ActionSchema, { encoding: { case: "structure", value: structure(given) } });
  return create(ActionSchema, { encoding: { case: "id", value: idOf(given) } });
}

/** Returns actions as the wire has them: a text is a line, texts in a list are notations. */
export function actionList(given: ActionsLike): ActionList {
  if (typeof given === "string") return create(ActionListSchema, { encoding: { case: "line", value: given } });
  if (isMessage(given) && given.$typeName === "edgehill.v1.ActionList") return given;
  const listed = isIterable(given) ? [...given] : [given];
  if (listed.length > 0 && listed.every((one) => typeof one === "string")) {
    return create(ActionListSchema, { encoding: { case: "notations", value: { values: listed } } });
  }
  if (listed.length > 0 && listed.every(isStructure)) {
    return create(ActionListSchema, { encoding: { case: "structures", value: { values: listed.map(structure) } } });
  }
  if (listed.some((one) => typeof one === "string" || isStructure(one))) {
    throw new TypeError("a list of actions has one encoding: ids, notations or structures");
  }
  return create(ActionListSchema, { encoding: { case: "ids", value: { values: listed.map(idOf) } } });
}

/** Returns actions to take, as calls and streams send them. */
export function actionBatch(actions: ActionsLike, options: BatchOptions): ActionBatch {
  return create(ActionBatchSchema, {
    actions: actionList(actions),
    expectedSeq: options.expectedSeq,
    keepDraftActions: options.keepDraftActions,
    mode: options.untilReveal ? ApplyMode.UNTIL_REVEAL : ApplyMode.ATOMIC,
  });
}

function structure(given: StructureLike): ActionStructure {
  return create(ActionStructureSchema, given);
}

function isStructure(given: unknown): given is StructureLike {
  return isRecord(given) && "verb" in given && typeof given["verb"] === "string" && !("id" in given);
}

function idOf(given: unknown): number {
  const id = isRecord(given) && "id" in given ? given["id"] : given;
  if (typeof id !== "number") throw new TypeError(`${EXPECTED}; found ${shown(given)}`);
  if (!Number.isInteger(id) || id < 0 || id >= 2 ** 32) {
    throw new RangeError(`an action's id is a place in the action table, from 0; found ${id}`);
  }
  return id;
}

function shown(given: unknown): string {
  return typeof given === "object" && given !== null ? "an object" : String(given);
}

function isRecord(given: unknown): given is Record<string, unknown> {
  return typeof given === "object" && given !== null;
}

function isMessage(given: unknown): given is ActionList | Action {
  return isRecord(given) && "$typeName" in given && "encoding" in given;
}

function isIterable(given: ActionsLike): given is Iterable<ActionLike> {
  return isRecord(given) && Symbol.iterator in given;
}
