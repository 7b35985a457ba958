/** Writes clients/conformance anew: `npm run vectors`. Statuses, folds and receipts are those of a server that it starts. */

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, test } from "node:test";
import { client as clientOf, ROOT, Server } from "../running.js";
import { reasonVectors, retryVectors, statusVectors } from "./errors.js";
import { foldVectors, trackerVectors } from "./folds.js";
import { transcriptVectors } from "./receipts.js";
import { recordVectors } from "./records.js";

/** Writes a file with an entry of its lists a line, so that a change of one is a line. */
function write(name: string, format: string, lists: Readonly<Record<string, readonly unknown[]>>): void {
  const written = Object.entries(lists).map(([list, entries]) => {
    const lines = entries.map((entry) => `    ${JSON.stringify(entry)}`);
    return `  ${JSON.stringify(list)}: [\n${lines.join(",\n")}\n  ]`;
  });
  const text = `{\n  "format": ${JSON.stringify(format)},\n${written.join(",\n")}\n}\n`;
  writeFileSync(join(ROOT, "clients/conformance", name), text);
}

test("the vectors are written", async () => {
  const server = await Server.start({ after });
  const client = clientOf({ after }, server.address);
  write("records.json", "edgehill-record-vectors/1", { records: recordVectors() });
  const statuses = await statusVectors(client);
  write("errors.json", "edgehill-error-vectors/1", { reasons: reasonVectors(), statuses, retries: retryVectors() });
  write("folds.json", "edgehill-fold-vectors/1", { folds: await foldVectors(client), trackers: trackerVectors() });
  write("receipts.json", "edgehill-receipt-vectors/1", { transcripts: await transcriptVectors(client) });
});
