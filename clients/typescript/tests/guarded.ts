/** A server that asks for accounts. */

import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { there } from "./asking.js";
import { type Lasting, SERVER, Server } from "./running.js";

/** A server with these accounts, by their ids with their roles; and the key of each, in this order. */
export async function guarded(
  test: Lasting,
  ...accounts: readonly (readonly [id: string, role: string])[]
): Promise<{ server: Server; keys: string[] }> {
  const folder = mkdtempSync(join(tmpdir(), "edgehill-accounts-"));
  test.after(() => rmSync(folder, { recursive: true, force: true }));
  const [keyFile, file] = [join(folder, "server.key"), join(folder, "accounts.toml")];
  const lines = accounts.map(([id, role]) => {
    const { stdout } = spawnSync(SERVER, ["key", "--account", id, "--role", role, "--key-file", keyFile]);
    return String(stdout);
  });
  writeFileSync(file, lines.join("\n"));
  const server = await Server.start(test, { EDGEHILL_KEY_FILE: keyFile, EDGEHILL_ACCOUNTS: file });
  return { server, keys: lines.map((text) => there(/ehk_[^\s"]+/.exec(text)?.[0])) };
}
