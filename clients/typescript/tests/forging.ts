/** Changes that somebody may make to a record who has no key to sign with. */

import { createHash } from "node:crypto";
import { fileOf } from "./running.js";

/** The record of docs/record.md: signed, with its seed revealed. */
export function example(): string {
  return fileOf("docs/record.md").split("```edg\n")[1]?.split("```")[0] ?? "";
}

/** The lines of a record up to its result, with a digest of their own and, if it is given, another's signature. */
export function resealed(text: string, signature = ""): string {
  const lines = text.slice(0, text.indexOf("\nend ") + 1);
  const joined = lines.replace(/ +$/gm, "").replaceAll("\n  \\", "").replaceAll("\n  ", " ");
  return `${lines}end ${createHash("sha256").update(`edgehill/record/2${joined}`).digest("hex")}\n${signature}`;
}
